"""What every command shares: a word that cannot be read is refused in the program's own words."""

from __future__ import annotations

from enum import Enum
from typing import Any, get_args

from typer import BadParameter
from typer.core import TyperCommand


class Command(TyperCommand):
    """A command; what typer and pydantic say of a wrong word never reaches a user."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments. Raises BadParameter with what was wrong and what is expected."""
        try:
            return super().parse_args(ctx, args)
        except BadParameter as error:
            found = getattr(error.__cause__, "errors", None)
            if found is not None:
                error.message = _wrong(error.param, found()[0])
            raise


def _wrong(parameter: Any, fault: dict[str, Any]) -> str:
    """Say what is wrong with a word, from pydantic's fault and the type that is wanted."""
    from charforge.errors import not_one_of, shorten

    given, bounds = str(fault["input"]), fault.get("ctx", {})
    wanted = parameter.type_descriptor.annotation
    kinds = (wanted, *get_args(wanted))
    names = [str(one.value) for kind in kinds for one in _choices(kind)]
    if names:
        said = not_one_of(given, names)
        return said if said.endswith("?") else f"{said}."
    if "ge" in bounds:
        return f"{given} is less than {bounds['ge']}."
    if "le" in bounds:
        return f"{given} is more than {bounds['le']}."
    if fault["type"].endswith("_size"):
        return f"{shorten(given)} has too many digits."
    return (
        f"{shorten(given)} is no whole number."
        if int in kinds
        else f"{shorten(given)} means nothing."
    )


def _choices(kind: Any) -> tuple[Enum, ...]:
    """Return what a type lets be chosen; nothing for one that is no choice."""
    return tuple(kind) if isinstance(kind, type) and issubclass(kind, Enum) else ()
