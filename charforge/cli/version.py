"""What ``--version`` prints: the program's version, and that of every ruleset and pack here."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.cli.drafts import quoted
from charforge.rules import loader


def versions(program: str) -> Iterator[str]:
    """Yield a line each: the program, the built-in rulesets, then what this user installed.

    Only the header of each is read. A built-in ruleset hides an installed one of its name.
    """
    yield f"charforge {program}"
    built_in = loader.built_in()
    for name, folder in {**built_in, **loader.installed(), **built_in}.items():
        version = loader.stated_version(folder)
        check = f"charforge catalog check {quoted(folder)}"
        told = version or f"states no version; {check} says what is wrong"
        yield f"{name} {told}" + ("" if name in built_in else " (installed)")
