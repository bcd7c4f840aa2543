"""What the commands of play share: what is said and rolled, what is asked, what is printed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from charforge.cli import screen

if TYPE_CHECKING:
    from charforge.content.models import Decide, Input
    from charforge.content.ruleset import Ruleset
    from charforge.engine.procedures import Told
    from charforge.opened import Opened
    from charforge.service.playing import Done
    from charforge.service.rolling import Read, Said

WIDEST = 60  # of a step, before its rule
LIVE = ContextVar("LIVE", default=False)  # whether a session shows the live line by itself

SetOption = Annotated[
    Optional[list[str]],
    typer.Option("--set", metavar="NAME=VALUE", help="An input, a choice, or the dice of a roll."),
]
DiceOption = Annotated[
    Optional[list[str]],
    typer.Option("--dice", metavar="ROLL=3,4", help="Dice that fell at the table."),
]


class Teller:
    """Prints steps as they come: before a question what led to it, at the end the rest."""

    def __init__(self, ruleset: Ruleset, full: bool = False) -> None:
        self._ruleset = ruleset
        self._full = full
        self._shown: list[Told] = []

    def ahead(self, told: Sequence[Told]) -> None:
        """Show on stderr what a question is about."""
        for line in self.lines(told[len(self._shown) :]):
            screen.say(line)
        self._shown = list(told)

    def rest(self, told: Iterable[Told]) -> None:
        """Print the steps; on a terminal those that were shown already are not told twice."""
        seen = self._shown if sys.stdout.isatty() else []
        for line in self.lines(step for step in told if not any(step is one for one in seen)):
            screen.result(line)

    def lines(self, told: Iterable[Told]) -> Iterable[str]:
        """Yield each step with its rule."""
        told = [step for step in told if step.text]
        width = min(max((len(step.text) for step in told), default=0), WIDEST)
        for step in told:
            yield f"  {step.text:<{width}}  {self._rule(step.source)}".rstrip()

    def _rule(self, source: str) -> str:
        entity = self._ruleset.entities.get(source)
        if entity is None:
            return f"[{source}]" if source else ""
        rulings = f", ruling {', '.join(entity.rulings)}" if entity.rulings else ""
        return f"[{entity.name} ({entity.source}{rulings})]" if self._full else f"[{entity.name}]"


def said(settings: list[str] | None, dice: list[str] | None, teller: Teller) -> Said:
    """Return what the options say; a player at a terminal is asked for the rest."""
    from charforge.service.rolling import Said, faces

    words = _pairs("--set", settings or ())
    fallen = {}
    for name, text in _pairs("--dice", dice or ()).items():
        try:
            fallen[name] = faces(text)
        except ValueError as error:
            raise _wrong(f"--dice {name}: {error}") from error
    if not screen.somebody_there():
        return Said(words, fallen)
    return Said(words, fallen, _asked, _chooser(teller))


def _pairs(option: str, given: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not (name and equals and value.strip()):
            raise _wrong(f"{option} {text!r} is not of the form NAME=VALUE")
        if name in found:
            raise _wrong(f"{option} {name} is given twice")
        found[name] = value.strip()
    return found


def _wrong(reason: str) -> Exception:
    from charforge.errors import UsageError

    return UsageError(reason)


def _asked(one: Input, read: Read) -> int | str:
    """Ask for an input until the answer can be read."""
    hint = f" ({', '.join(one.options)})" if one.options else ""
    while True:
        try:
            return read(_line(f"{one.label}{hint}: "))
        except ValueError as error:
            screen.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")


def _chooser(teller: Teller) -> Callable[[Decide, int, int, int, Sequence[Told]], int]:
    """Return what asks for a number on the way, once it was said what it is about."""

    def choose(step: Decide, low: int, high: int, suggested: int, told: Sequence[Told]) -> int:
        teller.ahead(told)
        while True:
            text = _line(f"{step.label} {low} to {high} [{suggested}]: ")
            if not text:
                return suggested
            if text.isdecimal() or text.lstrip("-").isdecimal():
                number = int(text[:12])
                if low <= number <= high:
                    return number
            screen.say(f"Give a number from {low} to {high}.")

    return choose


def _line(question: str) -> str:
    """Ask on stderr for a line. The end of the input is an interrupt: nothing is changed."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise KeyboardInterrupt
    return line.strip()


def finish(before: Opened, done: Done, file: Path, teller: Teller) -> None:
    """Save what was played, and say what happened and how the unit stands now."""
    from charforge.document import store
    from charforge.service.standing import standing

    store.update(before.document, done.after.document, file)
    teller.rest(done.steps)
    if not LIVE.get():
        screen.result(standing(done.after.character.state, done.unit).line)
