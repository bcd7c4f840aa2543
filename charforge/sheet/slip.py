"""The contents of a printed card and its estimated height.

Lengths are millimetres, sizes points; both are those of the style sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from charforge.expressions.markup import Block
from charforge.expressions.template import NO_BREAK
from charforge.sheet.cut import text_of
from charforge.sheet.dice import GAP as DIE_GAP, die_size as size_of_die
from charforge.sheet.estimate import LEADING, POINT, lines, run, wide
from charforge.sheet.pips import box_label, ticks
from charforge.sheet.print_options import Look
from charforge.sheet.view import AttackLine, Chip, SheetAction, SheetCapacity, SheetPool

SIZES = (12.0, 10.75, 9.75, 8.5, 7.75, 7.25)
LARGE_SIZES, LARGE, LARGE_WIDER = (16.0, 14.0), 14.0, 1.08
SMALL = {False: 7.5, True: LARGE}
SIDES = 13.0  # beside the text: what is cut off, the frame, and its padding
TOP, BOTTOM, SPARE = 7.8, 6.3, 1.0  # above the badge, below and around the foot
CONDENSED, BOLD = 0.85, 1.04  # how wide letters of headings are beside those of the text
GAP = 0.8  # over each paragraph
RULE = 2.05  # over an action that is not the first on its card, besides
BESIDE = 20  # letters of a badge that leaves room beside it
NUMBER = "10\N{NO-BREAK SPACE}of\N{NO-BREAK SPACE}10"  # what tells one of several cards at most


class Piece(NamedTuple):
    """Something on a card: a line of an attack, an action's head, a paragraph, boxes, dice."""

    attack: AttackLine | None = None
    action: SheetAction | None = None
    block: Block | None = None
    capacity: SheetCapacity | None = None
    pool: SheetPool | None = None


class Slip(NamedTuple):
    """A card; ``number`` of ``total`` that tell one thing, in letters of ``size``."""

    name: str
    timing: str
    label: str
    chips: tuple[Chip, ...]
    pieces: tuple[Piece, ...]
    kind: str
    owner: str
    size: float = SIZES[0]
    number: int = 1
    total: int = 1

    @property
    def beside(self) -> bool:
        """Whether its number stands beside its badge, where it takes no room from the name."""
        return 0 < len(self.label) <= BESIDE


def lines_of(text: str, size: float, look: Look, listed: bool = False) -> int:
    """Return how many lines of a card a text takes."""
    beside = width(look) - (0.34 * size if listed else 0)
    return lines(text, beside, size, _wider(look))


def width(look: Look) -> float:
    """Return how wide the words of a card may be."""
    return look.card_size.width - SIDES


def _wider(look: Look) -> float:
    return LARGE_WIDER if look.large else 1.0


def _narrow(look: Look) -> float:
    """Return how wide letters of headings are beside those of the text."""
    return 1.0 if look.large else CONDENSED


def room(slip: Slip, look: Look) -> float:
    """Return the height between a card's head and its foot."""
    large = look.large
    size, narrow = title_size(slip.name, look), _narrow(look)
    title = [(slip.name, size * narrow * BOLD)]
    if slip.total > 1 and not slip.beside:
        title.append((f" {NUMBER}", (LARGE if large else 8) * narrow))
    named = 0.8 + run(title, width(look), _wider(look)) * size * POINT * 1.12
    head = (7.4 if large else 5.4) if slip.label else 0.0
    chips = "    ".join(f"{chip.text}{'     ' * chip.box}" for chip in slip.chips)
    limits = 2.4 + lines_of(chips, (LARGE if large else 9) * narrow, look) * (7.0 if large else 4.4)
    small = LARGE if large else 7.0
    ends = (slip.kind, slip.owner) if large else (f"{slip.kind}     {slip.owner}",)
    foot = sum(lines_of(text, small, look) for text in ends if text) * small * POINT * 1.2
    left = look.card_size.height - TOP - BOTTOM - SPARE - head - named - foot
    return left - (limits if slip.chips else 0.0) - (1.0 if large else 0.0)


def total(pieces: Sequence[Piece], size: float, look: Look) -> float:
    """Return the height of pieces; the first has no rule above it."""
    told = sum(height(piece, size, look) for piece in pieces)
    return told - (RULE if pieces and pieces[0].action else 0.0)


def height(piece: Piece, size: float, look: Look) -> float:
    """Return the height of a piece in letters of ``size``."""
    if piece.block is not None:
        number = lines_of(text_of(piece.block), size, look, piece.block.listed)
        return GAP + number * size * POINT * LEADING
    if piece.capacity is not None:
        return _boxes_height(piece.capacity, size, look)
    if piece.pool is not None:
        return _pool_height(piece.pool, size, look)
    if piece.action is not None:
        return _deed_height(piece.action, look)
    assert piece.attack is not None
    return _shot_height(piece.attack, size, look)


def _pool_height(pool: SheetPool, size: float, look: Look) -> float:
    dice = sum(die.number for die in pool.dice) * (size_of_die(look) + DIE_GAP)
    size *= _narrow(look)
    aside = wide(pool.label, size, _wider(look)) + 2.6 + dice < width(look)
    name = lines(pool.label, width(look), size, _wider(look)) * size / _narrow(look)
    told, drawn = name * POINT * LEADING, size_of_die(look)
    return GAP + 1.6 + (max(told, drawn) if aside else told + drawn)


def _shot_height(attack: AttackLine, size: float, look: Look) -> float:
    number, small = 1.1 * size * _narrow(look), SMALL[look.large]
    shot = (
        (f"{attack.mode} " if attack.mode else "or " if attack.same_bearer else "", size),
        (f"{attack.range} {attack.roll} ", number), (f"vs {attack.versus} ", size),
        (f"{attack.damage} ", number), (attack.types, size),
    )  # fmt: skip
    line = 1.1 * size * POINT * 1.25
    under = " · ".join((*attack.notes, attack.made_of, *attack.extras, *attack.unmet))
    told = lines_of(under, small, look) * small * POINT * LEADING
    return 2 * GAP + 1.2 + run(shot, width(look) - 2, _wider(look)) * line + told


def _deed_height(action: SheetAction, look: Look) -> float:
    """Return the height of an action's head: a rule, its badge, its name and what it costs."""
    large, narrow = look.large, _narrow(look)
    label = action.label if large else action.label.upper()
    badge = label.replace(" ", NO_BREAK) + NO_BREAK * (10 if large else 17)
    chips = " · ".join(f"{chip.text}{NO_BREAK * 8 * chip.box}" for chip in action.chips)
    sizes = (LARGE, LARGE, LARGE) if large else (7.5 * narrow, 9.5 * narrow, 7.5)
    text = zip((badge, f" {action.name}   ", chips), sizes, strict=True)
    first, more = (7.8, 6.6) if large else (4.9, 4.5)
    return GAP + RULE + first + more * (run(text, width(look), _wider(look)) - 1)


def _boxes_height(capacity: SheetCapacity, size: float, look: Look) -> float:
    """Return the height of boxes to tick, of which the first stand beside their label."""
    drawn, gap = ticks(capacity.max, look, width(look)), 1.6
    said = box_label(capacity, look)
    named = wide(said, SMALL[look.large], _wider(look)) + gap
    left, step = width(look) + gap, drawn.width + gap
    beside = min(capacity.pieces, max(0, int((left - named) // step)))
    rows = -(-(capacity.pieces - beside) // max(1, int(left // step)))
    line = max(size, SMALL[look.large]) * POINT * LEADING
    told = line * lines_of(said, SMALL[look.large], look)
    each = max(drawn.height + 1.2, line)
    return 1.2 + rows * each + max(told, each if beside else 0.0)


def title_size(name: str, look: Look) -> float:
    """Return the size of a card's name: less for a long one."""
    if look.large:
        return 18.0 if len(name) <= 20 else 16.0
    return 17.0 if len(name) <= 24 else 13.0 if len(name) <= 48 else 10.0
