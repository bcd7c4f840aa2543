"""The short sheet: all that a fight needs, on one page, on two in large print.

What does not fit is counted and said (``+ 3 more, see full``): first texts
are cut to whole sentences, then the list ends early. Everything is
reckoned before any layout; lengths are millimetres.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from charforge.prose import Block, Prose, Span
from charforge.sheet.cut import LOOSE, cut, text_of
from charforge.sheet.estimate import (
    LEADING,
    POINT,
    Scale,
    attack_height,
    height_above_attacks,
    lines,
    scale_of,
)
from charforge.sheet.look import Look
from charforge.sheet.view import Action, AttackLine, Card, Chip, Fact, SheetView, UnitPanel, Vital

LENGTHS = (1, 2, 3, 4, 40)  # lines that a text may take, more and more while there is room
SLACK = 6.0
TORN = 24.0  # what rows in large print may leave empty at the end of a page
ATTACKS, FOOT = 0.55, 0.2  # of the room, at the most
MORE = 5.0
ONE_LINE = 4.0
ENDED = "\N{NO-BREAK SPACE}…"


@dataclass(frozen=True, slots=True)
class Row:
    """One thing to do, or one thing that always holds; ``again`` when of the same as above."""

    timing: str
    label: str
    name: str
    again: bool
    chips: tuple[Chip, ...]
    text: Prose


@dataclass(frozen=True, slots=True)
class Corner:
    """A box at the foot: facts in a run, and vitals of a unit to write down."""

    label: str
    facts: tuple[Fact, ...]
    more: int
    vitals: tuple[Vital, ...] = ()


@dataclass(frozen=True, slots=True)
class Brief:
    """What stands on a short sheet, with how much of each list was left out.

    ``blank`` are lines and boxes to fill in: attacks, then things to do.
    """

    attacks: tuple[AttackLine, ...]
    more_attacks: int
    rows: tuple[Row, ...]
    more_rows: int
    corners: tuple[Corner, ...]
    blank: tuple[int, int] = (0, 0)


def brief(view: SheetView, look: Look) -> Brief:
    """Choose what fits the short sheet."""
    room, first = _room(view, look)
    foot = FOOT * room
    if look.blank:
        number = int((room - foot) / (scale_of(look).ruled + 0.4))
        return Brief((), 0, (), 0, _corners(view, look, foot), (number // 2, number // 2))
    every = [*view.attacks, *(line for unit in view.units for line in unit.attacks)]
    heights = [attack_height(line, look) for line in every]
    corners = _corners(view, look, foot)
    room -= sum(
        max(_height(corner, look) for corner in corners[start : start + look.corners])
        for start in range(0, len(corners), look.corners)
    )
    attacks = _fitting(heights, room if look.abreast else ATTACKS * room)
    if not look.abreast:
        room -= sum(heights[:attacks])
    if look.large and not look.abreast:
        room -= _torn(heights[:attacks], first)
    cards = [*view.cards, *(card for unit in view.units for card in unit.cards)]
    wanted = [row for card in cards for row in _rows(card)]
    rows = _shortened(wanted, room, look)
    return Brief(
        tuple(every[:attacks]), len(every) - attacks, rows, len(wanted) - len(rows), corners
    )


def _room(view: SheetView, look: Look) -> tuple[float, float]:
    """Return the room for lists and boxes, and how much of it is on the first page.

    In large print what lies abreast begins on the second page.
    """
    scale, full = scale_of(look), look.page.height - SLACK
    above = height_above_attacks(_told_briefly(view), look)
    attacks = scale.heading + 2
    if look.large:
        note = view.attack_rules.note if view.attack_rules else ""
        line = scale.note * POINT * LEADING
        attacks += line * (1 + lines(note, look.half, scale.note, scale.wider))
    if look.abreast:
        room = full - attacks - (0 if look.large else above)
        return room, room
    first = full - above - attacks
    if not look.large:
        return first - scale.heading, first
    return first + full - scale.heading, first


def _torn(heights: Sequence[float], room: float) -> float:
    """Return what the attacks, or else the rows, leave empty at the end of the first page."""
    for number in range(len(heights)):
        if sum(heights[: number + 1]) > room:
            return max(0.0, room - sum(heights[:number])) + 8
    return TORN


def _told_briefly(view: SheetView) -> SheetView:
    """Return the view with what breaks the rules in one line."""
    return replace(view, problems=view.problems[:1], allowed=view.allowed[:1])


def _fitting(heights: Sequence[float], room: float) -> int:
    """Return how many fit; where some do not, there is room to say so."""
    if sum(heights) <= room:
        return len(heights)
    used, number = MORE, 0
    while used + heights[number] <= room:
        used, number = used + heights[number], number + 1
    return number


def _rows(card: Card) -> Iterator[Row]:
    """Yield what a card says: a row for each action, one before for what always holds."""
    if not card.actions:
        yield Row("", "", card.name, False, (), _flat(card.text))
        return
    first, *others = card.actions
    if first.name and card.text:
        yield Row("", "", card.name, False, (), _flat(card.text))
        yield _doing(first, first.name, True, ())
    else:
        yield _doing(first, card.name, False, card.text)
    for action in others:
        yield _doing(action, action.name or card.name, True, ())


def _doing(action: Action, name: str, again: bool, before: Prose) -> Row:
    lead = [Block((Span(f"{action.who}:", bold=True),))] if action.who else []
    if action.trigger:
        spans = (span for block in action.trigger for span in block.spans)
        lead.append(Block((*(replace(span, italic=True) for span in spans), Span(":"))))
    text = _flat((*before, *lead, *action.text))
    return Row(action.timing, action.label, name, again, action.chips, text)


def _flat(prose: Iterable[Block]) -> Prose:
    """Return prose as one paragraph, the items of lists after dots."""
    spans: list[Span] = []
    for block in prose:
        if spans:
            spans.append(Span(" "))
        if block.listed:
            spans.append(Span("· "))
        spans += block.spans
    return (Block(tuple(spans)),) if spans else ()


def _shortened(rows: Sequence[Row], room: float, look: Look) -> tuple[Row, ...]:
    """Cut the texts as little as lets every row fit; then end the list where it must."""
    short = [replace(row, text=_cut(row, LENGTHS[0], look)) for row in rows]
    heights = [_row_height(row, look) for row in short]
    if sum(heights) > room:
        return tuple(short[: _fitting(heights, room)])
    for length in LENGTHS[1:]:
        for number, row in enumerate(rows):
            longer = replace(row, text=_cut(row, length, look))
            more = _row_height(longer, look) - heights[number]
            if sum(heights) + more <= room:
                short[number], heights[number] = longer, heights[number] + more
    return tuple(short)


def _text_width(look: Look) -> float:
    """Return the width of a row's text: beside its name, in large print below it."""
    return look.half - 1 if look.large else look.half - look.names - look.chips - 2


def _row_height(row: Row, look: Look) -> float:
    scale = scale_of(look)
    line = scale.small * POINT * LEADING
    text = "".join(span.text for block in row.text for span in block.spans)
    number = lines(text, _text_width(look), scale.small, scale.wider) if text else 0
    if look.large:
        return 10.6 + line * number
    return 2.0 + max(line * number, 4.6 * _name_lines(row, look), ONE_LINE * _chip_lines(row, look))


def _name_lines(row: Row, look: Look) -> int:
    return lines(row.name, look.names - 28, 11.5, 0.85)


def _chip_lines(row: Row, look: Look) -> int:
    return lines("     ".join(chip.text for chip in row.chips), look.chips - 6, 7.5)


def _cut(row: Row, length: int, look: Look) -> Prose:
    """Cut a text to a number of lines, after a sentence or, if it must be, a word."""
    scale, width = scale_of(look), _text_width(look)

    def fits(text: str) -> bool:
        return lines(text, width, scale.small, scale.wider * LOOSE) <= length

    if not row.text or fits(text_of(row.text[0])):
        return row.text
    before, _after = cut(row.text[0], lambda text: fits(text + ENDED))
    return (replace(before, spans=(*before.spans, Span(ENDED))),)


def _corners(view: SheetView, look: Look, room: float) -> tuple[Corner, ...]:
    """Return the boxes at the foot: equipment, who one is, each unit."""
    stores = [] if look.blank else [Fact(store.label, store.text) for store in view.stores]
    items = [
        Fact("", f"{item.quantity} × {item.name}" if item.quantity > 1 else item.name)
        for item in view.items
    ]
    who = [
        Fact(part.label, ", ".join(told.name for told in part.told))
        for part in view.story
        if part.form != "text" and part.told
    ]
    if view.training:
        who.append(Fact(view.training_label, ", ".join(one.name for one in view.training)))
    made = [
        Corner(view.items_label or "Equipment", (*stores, *items), 0),
        Corner("Who", tuple(who), 0),
    ]
    made += [_unit(unit, view) for unit in view.units]
    rows = -(-len(made) // look.corners)
    return tuple(_ended(corner, look, room / rows) for corner in made)


def _unit(unit: UnitPanel, view: SheetView) -> Corner:
    level = f", {view.level_label.lower()} {unit.level}" if view.levels > 1 else ""
    scores = tuple(Fact(one.label, str(one.total)) for one in unit.attributes)
    shared = tuple(Fact(vital.label, "shares yours") for vital in unit.vitals if vital.shared)
    own = tuple(vital for vital in unit.vitals if not vital.shared)
    return Corner(f"{unit.name}{level}", (*scores, *unit.figures, *shared, *unit.facts), 0, own)


def _ended(corner: Corner, look: Look, room: float) -> Corner:
    """Leave out facts from the end until a corner is low enough; one is always kept."""
    facts, least = corner.facts, _height(replace(corner, facts=()), look)
    room = max(room, least + 2 * scale_of(look).small * POINT * LEADING)
    while len(facts) > 1 and _height(replace(corner, facts=facts, more=1), look) > room:
        facts = facts[:-1]
    return replace(corner, facts=facts, more=len(corner.facts) - len(facts))


def _height(corner: Corner, look: Look) -> float:
    scale: Scale = scale_of(look)
    width = (look.page.width + 6) / look.corners - 6
    text = ", ".join(f"{fact.label} {fact.text}" for fact in corner.facts)
    number = lines(text, width, scale.small, scale.wider * 1.04) + bool(corner.more)
    boxes = -(-len(corner.vitals) // int(width // (40 if look.large else 26)))
    return (
        scale.heading + number * scale.small * POINT * LEADING + boxes * (18 if look.large else 13)
    )
