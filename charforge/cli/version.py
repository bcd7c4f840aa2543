"""Versions: of the program, the built-in rulesets and the installed packs."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from charforge.cli.console import quoted
from charforge.rules import loader


def program_version() -> str:
    """Return the installed version, or say that the program runs from a checkout."""
    try:
        return version("charforge")
    except PackageNotFoundError:
        return "from a checkout, not installed"


def versions() -> Iterator[str]:
    """Yield a line each for the program, the built-in rulesets and the installed packs.

    Only the header of each is read. A built-in ruleset hides an installed one of its name.
    """
    yield f"charforge {program_version()}"
    built_in = loader.built_in()
    for name, folder in {**built_in, **loader.installed(), **built_in}.items():
        stated = loader.stated_version(folder)
        check = f"charforge catalog check {quoted(folder)}"
        shown = stated or f"states no version; {check} says what is wrong"
        yield f"{name} {shown}" + ("" if name in built_in else " (installed)")
