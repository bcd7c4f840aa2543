"""Dice: notation, reproducible streams, and sums that show their parts.

A stream is SHA-256 of (version, seed, decision id, try), so the same
seed always rolls the same dice for the same question, whatever else was
asked before it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from charforge.errors import shorten
from charforge.language import _, dice_notation, ngettext

STREAM_VERSION = "1"
# After the dice, k3 or kh3: the highest three count; kl1: the lowest one.
TERM = re.compile(r"(\d{1,2})d(\d{1,3}|[a-z][a-z0-9_]*?)(?:k([hl]?)(\d{1,2}))?", re.IGNORECASE)
MAX_REROLLS = 1000


class Dice(NamedTuple):
    """``number`` equal dice; ``faces`` are the numbers a die can show.

    ``shows`` are the texts of the faces, if they are not numbers. Only the
    ``keep`` highest dice count, or with ``keeps_lowest`` the lowest; with 0, all.
    """

    number: int
    faces: tuple[int, ...]
    notation: str
    shows: tuple[str, ...] = ()
    keep: int = 0
    keeps_lowest: bool = False

    @property
    def shown(self) -> str:
        """The notation as people read it: ``2d6``, in German ``2W6``."""
        return dice_notation(self.notation)

    @property
    def rolled(self) -> str:
        """All dice as people read them, without those to keep: ``4d6``."""
        return dice_notation(self.notation.rpartition("k")[0]) if self.keep else self.shown

    @property
    def words(self) -> str:
        """The dice in words: ``4d6 (highest 3)``."""
        if not self.keep:
            return self.shown
        if self.keep == 1:
            which = _("lowest") if self.keeps_lowest else _("highest")
        else:
            kept = _("lowest {number}") if self.keeps_lowest else _("highest {number}")
            which = kept.format(number=self.keep)
        return f"{self.rolled} ({which})"

    def describe(self, rolled: Sequence[int]) -> str:
        """Return a roll in words: ``4 5``, ``6 [1] 4`` with a dropped die, or symbols."""
        if self.shows:
            return " / ".join(self.shows[self.faces.index(face)] for face in rolled)
        counting = self._counting_places(rolled)
        return " ".join(
            str(face) if place in counting else f"[{face}]" for place, face in enumerate(rolled)
        )

    def read(self, text: str) -> list[int]:
        """Return the faces of a roll in the words of ``describe``; an empty list for others."""
        if self.shows:
            shown = text.split(" / ")
            known = set(shown) <= set(self.shows)
            return [self.faces[self.shows.index(word)] for word in shown] if known else []
        return list(map(int, re.findall(r"-?\d{1,9}", text)))

    def counted(self, rolled: Sequence[int]) -> tuple[int, ...]:
        """Return the faces of a roll that count, in the order rolled."""
        counting = self._counting_places(rolled)
        return tuple(face for place, face in enumerate(rolled) if place in counting)

    def dropped(self, rolled: Sequence[int]) -> tuple[int, ...]:
        """Return the faces of a roll that do not count, in the order rolled."""
        counting = self._counting_places(rolled)
        return tuple(face for place, face in enumerate(rolled) if place not in counting)

    def total(self, rolled: Sequence[int]) -> int:
        """Return the sum of the faces that count."""
        return sum(self.counted(rolled))

    def _counting_places(self, rolled: Sequence[int]) -> frozenset[int]:
        """Return the places of the dice that count; of equal ones the first."""
        if not self.keep:
            return frozenset(range(len(rolled)))
        sign = 1 if self.keeps_lowest else -1
        order = sorted(range(len(rolled)), key=lambda place: (sign * rolled[place], place))
        return frozenset(order[: self.keep])

    def problem(self, rolled: object) -> str:
        """Return why ``rolled`` cannot be a roll of these dice; empty if it can."""
        if not isinstance(rolled, Sequence) or isinstance(rolled, str):
            return _("enter the dice of {notation} as a list").format(notation=self.shown)
        if len(rolled) != self.number:
            number = ngettext("{number} die", "{number} dice", self.number).format(
                number=self.number
            )
            return _("{notation} is {number}, not {count}").format(
                notation=self.shown, number=number, count=len(rolled)
            )
        for face in rolled:
            if isinstance(face, bool) or not isinstance(face, int) or face not in self.faces:
                faces = describe_faces(self.faces)
                return _("{face} is not a face of {notation} ({faces})").format(
                    face=shorten(face), notation=self.shown, faces=faces
                )
        return ""


PERCENTILE = tuple(range(1, 101))


def tens_and_ones(dice: Dice, rolled: Sequence[int]) -> int:
    """Return what the first two of some faces show as the tens and ones of a percentile die.

    ``60 3`` is 63, ``0 0`` is 100. 0 if the dice are no percentile die, or the faces no such pair.
    """
    if dice.number != 1 or dice.faces != PERCENTILE or len(rolled) < 2:
        return 0
    tens, ones = rolled[:2]
    return tens + ones or 100 if tens in range(0, 100, 10) and ones in range(10) else 0


def as_one_roll(dice: Dice, faces: Sequence[int]) -> list[int]:
    """Return the faces of a roll, with those of tens and ones as what a percentile die shows."""
    percentile = tens_and_ones(dice, faces) if len(faces) == 2 else 0
    return [percentile] if percentile else list(faces)


def describe_faces(faces: Sequence[int]) -> str:
    """Return the faces of a die in words, as a range if possible."""
    kinds = sorted(set(faces))
    if kinds == list(range(kinds[0], kinds[-1] + 1)):
        return _("{lowest} to {highest}").format(lowest=kinds[0], highest=kinds[-1])
    return ", ".join(map(str, kinds))


def faces_text(faces: Iterable[int]) -> str:
    """Return the faces of some dice in words: ``3 5 1``."""
    return " ".join(map(str, faces))


def _advice(notation: str) -> str:
    """Return how to write what is nearly a roll; an empty text if it is not clear."""
    if match := re.fullmatch(r"(?i)\s*(\d*)\s*[dw]\s*(\d+)\s*", notation):
        return _("; write {roll}").format(roll=f"{match[1] or 1}d{match[2]}")
    if re.fullmatch(r"(?i)\s*\d*d\d+\s*[-+].*", notation):
        return _(", which has no sum; what is added has a key of its own, such as plus")
    return ""


def parse_dice(notation: str, named: Mapping[str, Sequence[int]] | None = None) -> Dice:
    """Read ``2d6``, ``4d6k3`` (the highest three count), or ``4dluck`` for a die a ruleset names.

    Raises ValueError for anything else, zero dice, an unknown die, or an
    impossible number of dice to keep.
    """
    match = TERM.fullmatch(notation.strip())
    if match is None:
        raise ValueError(
            _("{notation} is not a roll such as 2d6{advice}").format(
                notation=shorten(notation), advice=_advice(notation)
            )
        )
    number, sides, lowest = int(match[1]), match[2].lower(), (match[3] or "").lower() == "l"
    if number == 0:
        raise ValueError(_("there must be at least one die"))
    if sides.isdigit() and int(sides) == 0:
        raise ValueError(_("a die has at least one face"))
    numbered = range(1, int(sides) + 1) if sides.isdigit() else None
    faces = (named or {}).get(sides) if numbered is None else numbered
    if faces is None:
        raise ValueError(_("there is no die {sides}").format(sides=shorten(sides)))
    rolled = f"{number}d{sides}"
    if match[4] is None:
        return Dice(number, tuple(faces), rolled)
    keep = int(match[4])
    if not 0 < keep < number:
        if number < 2:
            raise ValueError(
                _("{rolled} is a single die: none can be left out").format(rolled=rolled)
            )
        raise ValueError(
            _("of {rolled} you can keep 1 to {number} dice, not {keep}").format(
                rolled=rolled, number=number - 1, keep=keep
            )
        )
    kept = f"{rolled}k{'l' if lowest else ''}{keep}"
    return Dice(number, tuple(faces), kept, keep=keep, keeps_lowest=lowest)


def possible_totals(dice: Dice) -> Sequence[int]:
    """Return every total that dice can show, lowest first."""
    number, faces = dice.keep or dice.number, set(dice.faces)
    low, high = min(faces), max(faces)
    if len(faces) == high - low + 1:
        return range(number * low, number * high + 1)
    totals = {0}
    for _die in range(number):
        totals = {total + face for total in totals for face in faces}
    return sorted(totals)


def drops_dice(notation: str) -> bool:
    """Return whether only some of the dice of a notation count."""
    match = TERM.fullmatch(notation.strip())
    return match is not None and match[4] is not None


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
    raise ValueError(
        _("{notation} still needed a reroll after {max_rerolls} rolls").format(
            notation=dice.shown, max_rerolls=MAX_REROLLS
        )
    )
