"""The short sheet: everything for a fight, on one page (two in large print).

If it does not fit, texts are first shortened to whole sentences, then lists end early and say
how many entries are missing (``+ 3 more, see full``). All heights are estimated before the page
is laid out. Lengths are millimetres.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from charforge.expressions.markup import Block, Prose, Span
from charforge.sheet import foot, panels, reading
from charforge.sheet.cut import LOOSE, ended, text_of
from charforge.sheet.estimate import (
    LEADING,
    POINT,
    attack_height,
    height_above_attacks,
    lines,
    scale_of,
)
from charforge.sheet.print_options import Look
from charforge.sheet.reading import MORE, SLACK
from charforge.sheet.view import AttackLine, Card, Chip, SheetAction, SheetView

LENGTHS = (1, 2, 3, 4, 40)  # lines that a text may take, more and more while there is room
TORN = 24.0  # what rows in large print may leave empty at the end of a page
ATTACKS, FOOT, MOST_FOOT = 0.55, 0.25, 0.55  # of the room, at the most
ONE_LINE = 4.0


class ShortRow(NamedTuple):
    """An action, or a rule that always applies; ``again`` if it is of the same card as above."""

    timing: str
    label: str
    name: str
    again: bool
    chips: tuple[Chip, ...]
    text: Prose


class ShortSheet(NamedTuple):
    """The contents of a short sheet.

    ``more_attacks`` and ``more_rows`` are the numbers of entries that did not fit. ``corners``
    are the rows of the foot, without the parts ``left_out``; ``notes`` adds lines below it.
    ``blank`` are the numbers of empty lines for attacks and for actions.
    """

    attacks: tuple[AttackLine, ...]
    more_attacks: int
    rows: tuple[ShortRow, ...]
    more_rows: int
    corners: tuple[tuple[foot.Corner, ...], ...]
    left_out: tuple[str, ...]
    notes: bool
    blank: tuple[int, int] = (0, 0)


class PageShares(NamedTuple):
    """The attacks and the foot that a page has room for, and the room left for actions."""

    attacks: tuple[AttackLine, ...]
    room: float
    corners: tuple[tuple[foot.Corner, ...], ...]
    left_out: tuple[str, ...]
    notes: bool


def short_sheet(view: SheetView, look: Look) -> ShortSheet:
    """Return the contents of the short sheet: what fits on it."""
    if look.blank:
        room, first = _room(view, look)
        room -= _lines_for_notes(look)
        number = int((1 - FOOT) * room / (scale_of(look).ruled + 0.4))
        corners, _none = foot.corners(view, look, *_shares(room, first, look))
        return ShortSheet(
            (), 0, (), 0, corners, (), not look.notes_in_foot, (number // 2, number // 2)
        )
    every = [*view.attacks, *(line for unit in view.units for line in unit.attacks)]
    page = _shared(view, look, every)
    cards = [*view.cards, *(card for unit in view.units for card in unit.cards)]
    wanted = [row for card in cards for row in _rows(card)]
    rows = _shortened(wanted, page.room, look)
    return ShortSheet(
        attacks=page.attacks,
        more_attacks=len(every) - len(page.attacks),
        rows=rows,
        more_rows=len(wanted) - len(rows),
        corners=page.corners,
        left_out=page.left_out,
        notes=page.notes and not look.notes_in_foot,
    )


def _shared(view: SheetView, look: Look, every: Sequence[AttackLine]) -> PageShares:
    """Share out the page: where one's own attacks find no room, the rest gives of its own.

    Texts are cut, notes go, attacks take more than their share, texts go, the foot goes.
    """
    sizes = _room(view, look)
    short = [reading.shortened(line, look) for line in every]
    bare = [reading.bare(line) for line in every]
    own, least = len(view.attacks), reading.deeds(view, look)
    for attacks, notes in ((every, True), (short, True), (short, False)):
        page = _in_shares(view, look, attacks, sizes, notes)
        if len(page.attacks) >= own and page.room >= least:
            return page
    for attacks, footed in ((short, True), (bare, True), (bare, False)):
        page = _attacks_first(view, look, attacks, sizes, footed)
        if len(page.attacks) >= own:
            break
    return page


def _in_shares(
    view: SheetView,
    look: Look,
    attacks: Sequence[AttackLine],
    sizes: tuple[float, float],
    notes: bool,
) -> PageShares:
    """Leave to the foot and to the attacks a share of the room each."""
    room, first = sizes
    room -= _lines_for_notes(look) if notes else 0.0
    corners, more = foot.corners(view, look, *_shares(room, first, look), notes)
    room -= _below(corners, more, look)
    heights = [attack_height(line, look) for line in attacks]
    number = _fitting(heights, room if look.side_by_side else ATTACKS * room)
    left = room - (0.0 if look.side_by_side else _taken(heights[:number], first, view, look))
    return PageShares(tuple(attacks[:number]), left, corners, more, notes)


def _attacks_first(
    view: SheetView,
    look: Look,
    attacks: Sequence[AttackLine],
    sizes: tuple[float, float],
    footed: bool,
) -> PageShares:
    """Give one's own attacks all the room that the least of the rest can spare."""
    room, first = sizes
    most = _shares(room, first, look)[1] if _foot_first(look) else 0.0
    corners, more = foot.corners(view, look, most, most, notes=False)
    if not footed and not _foot_first(look):
        more = (*(one.label for row in corners for one in row), *more)
        corners = ()
    room -= _below(corners, more, look)
    heights = [attack_height(line, look) for line in attacks]
    number = len(view.attacks)
    left = room - (0.0 if look.side_by_side else reading.deeds(view, look))
    while number and _taken(heights[:number], first, view, look) + MORE > left:
        number -= 1
    used = _taken(heights[:number], first, view, look) + (MORE if number < len(attacks) else 0)
    left = room - (0.0 if look.side_by_side else used)
    return PageShares(tuple(attacks[:number]), left, corners, more, notes=False)


def _below(corners: Sequence[Sequence[foot.Corner]], left_out: Sequence[str], look: Look) -> float:
    """Return what the foot takes of the room for attacks: nothing where it ends a page before."""
    if _foot_first(look):
        return 0.0
    return sum(foot.row_height(row, look) for row in corners) + (MORE if left_out else 0)


def _taken(heights: Sequence[float], first: float, view: SheetView, look: Look) -> float:
    """Return what attacks take of the room, with what they leave empty at the end of a page."""
    over = look.large and not look.side_by_side
    return sum(heights) + (_torn(heights, first, reading.head(view, look)) if over else 0.0)


def _lines_for_notes(look: Look) -> float:
    """Return the height of what notes take below the foot."""
    scale = scale_of(look)
    return 0.0 if look.notes_in_foot else scale.heading + scale.ruled


def _room(view: SheetView, look: Look) -> tuple[float, float]:
    """Return the room for lists and boxes, and how much of it is on the first page.

    In large print what lies abreast begins on the second page.
    """
    scale = scale_of(look)
    full = look.page.height - SLACK
    above = height_above_attacks(view, look) + panels.height(view, look)
    attacks = reading.head(view, look)
    if look.side_by_side:
        room = full - attacks - (0 if look.large else above)
        return room, full - above
    first = full - above - attacks
    if not look.large:
        return first - scale.heading, first
    return first + full - scale.heading, first + SLACK / 3


def _foot_first(look: Look) -> bool:
    """Whether the foot ends the first page, and the second is left to the lists."""
    return look.large and look.side_by_side


def _shares(room: float, first: float, look: Look) -> tuple[float, float]:
    """Return how high the foot should be, and how high it may be at the most."""
    if _foot_first(look):
        return first - MORE, first - MORE
    return FOOT * room, MOST_FOOT * room


def _torn(heights: Sequence[float], room: float, head: float) -> float:
    """Return what the attacks, or else the rows, leave empty at the end of the first page.

    The head goes on to the next page with the first attack; that of the table is repeated.
    """
    for number in range(len(heights)):
        if sum(heights[: number + 1]) > room:
            return max(0.0, room - sum(heights[:number])) + (8 if number else head)
    return TORN


def _fitting(heights: Sequence[float], room: float) -> int:
    """Return how many fit; where some do not, there is room to say so."""
    if sum(heights) <= room:
        return len(heights)
    used, number = MORE, 0
    while number < len(heights) and used + heights[number] <= room:
        used, number = used + heights[number], number + 1
    return number


def _rows(card: Card) -> Iterator[ShortRow]:
    """Yield the rows of a card: its own text, if it always applies, then each action."""
    if not card.actions:
        yield ShortRow("", "", card.name, False, (), _one_paragraph(card.text))
        return
    first, *others = card.actions
    if first.name and card.text:
        yield ShortRow("", "", card.name, False, (), _one_paragraph(card.text))
        yield _action_row(first, first.name, True, ())
    else:
        # The text of the action, which has a cost, then that of the card, which always applies.
        yield _action_row(first, card.name, False, card.text)
    for action in others:
        yield _action_row(action, action.name or card.name, True, ())


def _action_row(action: SheetAction, name: str, again: bool, after: Prose) -> ShortRow:
    """Return the row of an action: its unit, trigger and text, followed by the text ``after``."""
    lead = [Block((Span(f"{action.who}:", bold=True),))] if action.who else []
    if action.trigger:
        spans = (span for block in action.trigger for span in block.spans)
        lead.append(Block((*(replace(span, italic=True) for span in spans), Span(":"))))
    text = _one_paragraph((*lead, *action.text, *after))
    return ShortRow(action.timing, action.label, name, again, action.chips, text)


def _one_paragraph(prose: Iterable[Block]) -> Prose:
    """Return prose as one paragraph, with dots before the items of lists."""
    spans: list[Span] = []
    for block in prose:
        if spans:
            spans.append(Span(" "))
        if block.listed:
            spans.append(Span("· "))
        spans += block.spans
    return (Block(tuple(spans)),) if spans else ()


def _shortened(rows: Sequence[ShortRow], room: float, look: Look) -> tuple[ShortRow, ...]:
    """Cut the texts as little as lets every row fit; then end the list where it must."""
    short = [row._replace(text=_cut(row, LENGTHS[0], look)) for row in rows]
    heights = [_row_height(row, look) for row in short]
    if sum(heights) > room:
        return tuple(short[: _fitting(heights, room)])
    for length in LENGTHS[1:]:
        for number, row in enumerate(rows):
            longer = row._replace(text=_cut(row, length, look))
            more = _row_height(longer, look) - heights[number]
            if sum(heights) + more <= room:
                short[number], heights[number] = longer, heights[number] + more
    return tuple(short)


def _text_width(look: Look) -> float:
    """Return the width of a row's text: beside its name, in large print below it."""
    return (
        look.attack_width - 1
        if look.large
        else look.attack_width - look.name_width - look.chip_width - 2
    )


def _row_height(row: ShortRow, look: Look) -> float:
    scale = scale_of(look)
    line = scale.small * POINT * LEADING
    text = "".join(span.text for block in row.text for span in block.spans)
    number = lines(text, _text_width(look), scale.small, scale.wider) if text else 0
    if look.large:
        return 10.6 + line * number
    return 2.0 + max(line * number, 4.6 * _name_lines(row, look), ONE_LINE * _chip_lines(row, look))


def _name_lines(row: ShortRow, look: Look) -> int:
    return lines(row.name, look.name_width - 28, 11.5, 0.85)


def _chip_lines(row: ShortRow, look: Look) -> int:
    return lines("     ".join(chip.text for chip in row.chips), look.chip_width - 6, 7.5)


def _cut(row: ShortRow, length: int, look: Look) -> Prose:
    """Cut a text to a number of lines, after a sentence or, if it must be, a word."""
    scale, width = scale_of(look), _text_width(look)

    def fits(text: str) -> bool:
        return lines(text, width, scale.small, scale.wider * LOOSE) <= length

    if not row.text or fits(text_of(row.text[0])):
        return row.text
    return (ended(row.text[0], fits),)
