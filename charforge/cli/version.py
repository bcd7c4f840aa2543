"""What ``--version`` prints: the program's version, and that of every ruleset and pack here."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.cli.drafts import quoted
from charforge.rules import folders, heading


def versions(program: str) -> Iterator[str]:
    """Yield a line each: the program, the built-in rulesets, then what this user installed.

    Nothing is loaded for it: the version is read out of the file that says
    what a folder holds. A built-in ruleset goes before one of its name.
    """
    yield f"charforge {program}"
    built_in = folders.built_in()
    for name, folder in {**built_in, **folders.installed(), **built_in}.items():
        file = folders.PACK if folders.amends(folder) else folders.HEAD
        version = heading.stated(folder / file, "version")
        check = f"charforge catalog check {quoted(folder)}"
        told = version or f"states no version; {check} says what is wrong"
        yield f"{name} {told}" + ("" if name in built_in else " (installed)")
