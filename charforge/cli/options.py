"""Arguments and options that several commands share, and messages for wrong ones."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Optional, get_args

import typer
from typer import BadParameter
from typer.core import TyperCommand

from charforge.character.events import Override
from charforge.errors import UsageError, not_one_of, shorten
from charforge.expressions.template import has_unprintable

CharacterFile = Annotated[Path, typer.Argument(metavar="FILE", help="A character file.")]
CharacterFiles = Annotated[
    list[Path], typer.Argument(metavar="FILE…", help="Character files, or folders of them.")
]
OptionalFiles = Annotated[
    Optional[list[Path]],
    typer.Argument(
        metavar="FILE…", help="Character files, or folders of them.", show_default=False
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]
AtLevel = Annotated[
    Optional[int], typer.Option("--at-level", metavar="N", help="As of the end of level N.")
]
AnswersOption = Annotated[
    Optional[Path], typer.Option("--answers", metavar="FILE", help="A YAML file with answers.")
]
RandomOption = Annotated[bool, typer.Option("--random", help="Choose everything else at random.")]
SeedOption = Annotated[
    Optional[str],
    typer.Option(
        "--seed", metavar="S", help="Seed of the dice; the same seed gives the same rolls."
    ),
]
NoteOption = Annotated[str, typer.Option("--note", metavar="TEXT", help="A note for the history.")]
WithOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--with", metavar="CHOICE=ANSWER", help="Answer a choice of the item; repeat for several."
    ),
]
SetOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="An input, a choice or the dice of a roll; repeat for several.",
    ),
]
OverrideOption = Annotated[
    Optional[str],
    typer.Option("--override", metavar="BY: REASON", help="Allow something the rules forbid."),
]
DiceOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--dice",
        metavar="[ROLL=]3,4",
        help="Dice you rolled yourself; without ROLL, for the first roll.",
    ),
]
InputsOption = Annotated[
    bool, typer.Option("--inputs", help="List the options and dice it uses, without running it.")
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Preview the changes without saving.")
]
JobsOption = Annotated[
    Optional[int],
    typer.Option(
        "--jobs", metavar="N", min=1, help="Number of parallel processes (default: automatic)."
    ),
]
ClusterOption = Annotated[
    Optional[str],
    typer.Option("--cluster", metavar="ADDRESS", help="Address of a Dask scheduler to use."),
]
OutOption = Annotated[
    Optional[Path],
    typer.Option("-o", "--output", metavar="FILE", help="Where to save it; - prints it."),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]
RulesetOption = Annotated[
    Optional[str], typer.Option("--ruleset", metavar="ID", help="The game (see catalog installed).")
]
PackOption = Annotated[
    Optional[list[str]],
    typer.Option("--pack", metavar="ID", help="An installed pack to use; repeat for several."),
]
UnitOption = Annotated[
    Optional[str],
    typer.Option("--unit", metavar="U", help="A companion or vehicle of the character."),
]


class Command(TyperCommand):
    """A command that rejects wrong arguments in the program's own words."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments. Raises BadParameter with what is wrong and what is expected."""
        try:
            return super().parse_args(ctx, args)
        except BadParameter as error:
            errors = getattr(error.__cause__, "errors", None)
            if errors is not None:
                error.message = _wrong_argument(error.param, errors()[0])
            raise


def read_pair(description: str, text: str, form: str, example: str) -> tuple[str, str]:
    """Return the words before and after the ``=`` of a text.

    Raises UsageError without a ``=`` or a word before it: the ``description``
    of the text is not of the ``form``, with an ``example``.
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals):
        raise UsageError(f"{description} is not of the form {form}", f"For example {example}")
    return name, value


def _wrong_argument(parameter: Any, error: dict[str, Any]) -> str:
    """Return the message for an error of pydantic in a typed word."""
    typed, bounds = str(error["input"]), error.get("ctx", {})
    annotation = parameter.type_descriptor.annotation
    types = (annotation, *get_args(annotation))
    choices = [str(choice.value) for type_ in types for choice in _choices(type_)]
    if choices:
        message = not_one_of(typed, choices)
        return message if message.endswith("?") else f"{message}."
    if "ge" in bounds:
        return f"{typed} is less than {bounds['ge']}."
    if "le" in bounds:
        return f"{typed} is more than {bounds['le']}."
    if error["type"].endswith("_size"):
        return f"{shorten(typed)} has too many digits."
    return (
        f"{shorten(typed)} is no whole number."
        if int in types
        else f"{shorten(typed)} means nothing."
    )


def _choices(type_: Any) -> tuple[Enum, ...]:
    """Return the members of an enumeration; nothing for another type."""
    return tuple(type_) if isinstance(type_, type) and issubclass(type_, Enum) else ()


def read_override(text: str | None) -> Override | None:
    """Return who allows something against the rules, and why. Raises UsageError."""
    if text is None:
        return None
    by, _colon, reason = (part.strip() for part in text.partition(":"))
    if not by or not reason or has_unprintable(text) or "\n" in text:
        raise UsageError(
            f"--override {text!r} does not say who allows it, and why",
            'For example --override "GM: a gift of the colony".',
        )
    return Override(by=by, reason=reason)
