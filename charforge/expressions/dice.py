"""Dice: notation, reproducible streams, and sums that show their parts.

A stream is SHA-256 of (version, seed, decision id, try), so the same
seed always rolls the same dice for the same question, whatever else was
asked before it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from charforge.errors import shorten

STREAM_VERSION = "1"
TERM = re.compile(r"(\d{1,2})d(\d{1,3}|[a-z][a-z0-9_]*)", re.IGNORECASE)
MAX_REROLLS = 1000


@dataclass(frozen=True, slots=True)
class Dice:
    """``number`` equal dice; ``faces`` are the numbers a die can show.

    ``shows`` are the texts of the faces, if they are not numbers.
    """

    number: int
    faces: tuple[int, ...]
    notation: str
    shows: tuple[str, ...] = ()

    def describe(self, rolled: Sequence[int]) -> str:
        """Return a roll in words: ``4 5``, or ``Success + Advantage / blank``."""
        if not self.shows:
            return faces_text(rolled)
        return " / ".join(self.shows[self.faces.index(face)] for face in rolled)

    def problem(self, rolled: object) -> str:
        """Return why ``rolled`` cannot be a roll of these dice; empty if it can."""
        if not isinstance(rolled, Sequence) or isinstance(rolled, str):
            return f"enter the dice of {self.notation} as a list"
        if len(rolled) != self.number:
            number = "1 die" if self.number == 1 else f"{self.number} dice"
            return f"{self.notation} is {number}, not {len(rolled)}"
        for face in rolled:
            if isinstance(face, bool) or not isinstance(face, int) or face not in self.faces:
                faces = describe_faces(self.faces)
                return f"{shorten(face)} is not a face of {self.notation} ({faces})"
        return ""


def describe_faces(faces: Sequence[int]) -> str:
    """Return the faces of a die in words, as a range if possible."""
    kinds = sorted(set(faces))
    if kinds == list(range(kinds[0], kinds[-1] + 1)):
        return f"{kinds[0]} to {kinds[-1]}"
    return ", ".join(map(str, kinds))


def faces_text(faces: Iterable[int]) -> str:
    """Return the faces of some dice in words: ``3 5 1``."""
    return " ".join(map(str, faces))


def parse_dice(notation: str, named: Mapping[str, Sequence[int]] | None = None) -> Dice:
    """Read ``2d6``, or ``4dluck`` for a die a ruleset names.

    Raises ValueError for anything else, zero dice, or an unknown die.
    """
    match = TERM.fullmatch(notation.strip())
    if match is None:
        raise ValueError(f"{shorten(notation)} is not a roll such as 2d6")
    number, sides = int(match[1]), match[2].lower()
    if number == 0:
        raise ValueError("there must be at least one die")
    if sides.isdigit():
        if int(sides) == 0:
            raise ValueError("a die has at least one face")
        return Dice(number, tuple(range(1, int(sides) + 1)), f"{number}d{sides}")
    faces = (named or {}).get(sides)
    if faces is None:
        raise ValueError(f"there is no die {shorten(sides)}")
    return Dice(number, tuple(faces), f"{number}d{sides}")


def random_stream(seed: str, question: str, attempt: int = 0) -> Iterator[int]:
    """Yield endless 32-bit numbers that depend only on the arguments."""
    key = "\x1f".join((STREAM_VERSION, seed, question, str(attempt)))
    block = 0
    while True:
        digest = hashlib.sha256(f"{key}\x1f{block}".encode()).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def draw_below(numbers: Iterator[int], limit: int) -> int:
    """Return a random number from 0 to ``limit - 1``, each equally likely."""
    top = 2**32 - 2**32 % limit
    return next(number for number in numbers if number < top) % limit


def roll_dice(
    dice: Dice,
    numbers: Iterator[int],
    again: Callable[[tuple[int, ...]], bool] = lambda _faces: False,
) -> list[list[int]]:
    """Roll until ``again`` returns false; return the faces of every roll. The last one counts."""
    rolls: list[list[int]] = []
    while len(rolls) < MAX_REROLLS:
        faces = [dice.faces[draw_below(numbers, len(dice.faces))] for _ in range(dice.number)]
        rolls.append(faces)
        if not again(tuple(faces)):
            return rolls
    raise ValueError(f"{dice.notation} still needed a reroll after {MAX_REROLLS} rolls")
