"""How much room the parts of a page take, estimated before any layout.

A line is reckoned from the widths of its letters, the rest from the
measures of the style sheet. On the sheets measured so far a card is
right to half a line, a page of reference to two lines. Lengths are
millimetres, sizes of letters points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from charforge.expressions.markup import Block, Prose, Span, plain_text
from charforge.expressions.template import NO_BREAK
from charforge.sheet.pips import box_label, ticks, tile_rows
from charforge.sheet.print_options import Look
from charforge.sheet.view import AttackLine, Attribute, Card, Entry, Item, SheetAction, SheetView

# Advance widths of Barlow Regular in hundredths of an em.
WIDTHS = {
    sign: hundredths
    for hundredths, signs in {
        15: "'|", 20: " `\N{NO-BREAK SPACE}", 25: '"(),Iijl', 30: "!.;{}·", 35: ":frt",
        40: "*-/[\\]", 45: "?^yz", 50: "+<=>_acksvx~", 60: "ACDEGJKOPQRSVX",
        65: "#&BHU", 70: "MNw", 85: "%@m", 90: "W",
    }.items()
    for sign in signs
}  # fmt: skip
# Those of Atkinson Hyperlegible differ less: one addition makes up for all of them.
USUAL = 55
POINT = 0.3528
LEADING = 1.32
INDENT = 2.6
BESIDE = 1.25  # how much longer a name is where a portrait leaves it a fifth less room


class Scale(NamedTuple):
    """The sizes of the letters (pt), and the heights (mm) that follow from them.

    ``wider`` is by how much letters are wider than Barlow's, as a factor.
    """

    body: float = 8.75
    small: float = 8.25
    note: float = 7.5
    wider: float = 1.0
    heading: float = 11.8
    ruled: float = 8.0
    title: float = 5.4
    chips: float = 4.7
    subtitle: float = 4.1
    action: float = 7.7
    capacity: float = 9.0
    gap: float = 2.15
    plate: float = 23.2
    scores: float = 23.4
    strip: float = 11.1
    attack: float = 8.1
    slim: float = 11.0
    creed: float = 13.0
    creed_text: float = 9.5
    trait: float = 7.5
    trait_text: float = 8.0
    tale: float = 9.8
    strip_row: float = 4.7
    figure: float = 13


NORMAL = Scale()
LARGE = Scale(
    14, 14, 14, 1.06, 15, 12, 8.4, 8.2, 7.0, 12.4, 13.0, 3.2, 26.5, 36.0, 20.0, 11.4,
    14.0, 17.0, 14, 9.5, 14, 18.0, 8.2, 18,
)  # fmt: skip
SHORT = NORMAL._replace(heading=9.9, plate=19.4, scores=19.3, strip=9.5, attack=7.5)
SHORT_LARGE = LARGE._replace(heading=13.0, plate=22.0, scores=30.0, strip=14.0, attack=10.0)


def scale_of(look: Look) -> Scale:
    """Return the sizes of a look."""
    if look.layout == "short":
        return SHORT_LARGE if look.large else SHORT
    return LARGE if look.large else NORMAL


def lines(text: str, width: float, size: float, wider: float = 1.0) -> int:
    """Return how many lines of ``width`` a text of ``size`` points takes."""
    return run(((text, size),), width, wider)


def run(parts: Iterable[tuple[str, float]], width: float, wider: float = 1.0) -> int:
    """Return how many lines texts take that follow each other, each in its size."""
    used, number = 0.0, 1
    for text, size in parts:
        em = size * POINT / 100 * wider
        space = WIDTHS[" "] * em
        for word in text.split(" "):
            length = sum(WIDTHS.get(sign, USUAL) for sign in word) * em
            if used and used + length > width:
                used, number = 0.0, number + 1
            if length > width:
                torn, length = divmod(length, width)
                number += int(torn)
            used += length + space
    return number


def wide(text: str, size: float, wider: float = 1.0) -> float:
    """Return how wide a text is in one line."""
    return sum(WIDTHS.get(sign, USUAL) for sign in text) * size * POINT / 100 * wider


def prose_height(prose: Iterable[Block], width: float, size: float, wider: float = 1.0) -> float:
    """Return the height of prose."""
    total = 0
    for block in prose:
        text = "".join(span.text for span in block.spans)
        total += lines(text, width - INDENT if block.listed else width, size, wider)
    return total * size * POINT * LEADING


def lead(action: SheetAction, timing: bool) -> str:
    """Return what stands in the first line of an action before its text."""
    parts = []
    if timing:
        chips = (f" · {chip.text}" for chip in action.chips)
        parts.append(f"{action.name} {action.label}{''.join(chips)}: ")
    if action.who:
        parts.append(f"{action.who}: ")
    if action.trigger:
        parts.append(f"{plain_text(action.trigger)}: ")
    return "".join(parts)


def _run_in(before: str, prose: Prose, width: float, size: float, wider: float) -> float:
    """Return the height of prose whose first paragraph follows ``before`` in its line."""
    if not before:
        return prose_height(prose, width, size, wider)
    if not prose or prose[0].listed:
        return prose_height((Block((Span(before),)), *prose), width, size, wider)
    first = Block((Span(before), *prose[0].spans))
    return prose_height((first, *prose[1:]), width, size, wider)


def _action(action: SheetAction, width: float, size: float, wider: float, before: str) -> float:
    unmet = size * POINT * LEADING if action.unmet else 0.0
    return unmet + _run_in(before, action.text, width, size, wider)


def card_height(card: Card, width: float, scale: Scale = NORMAL) -> float:
    """Return the height of a card ``width`` wide inside."""
    height = 3.5 + 2 + scale.title + scale.capacity * len(card.capacities)
    height += prose_height(card.text, width, scale.body, scale.wider)
    chips = bool(card.actions) and bool(card.actions[0].chips)
    single = len(card.actions) == 1 and not card.actions[0].name
    if single and chips:
        height += scale.chips
    elif card.subtitle:
        height += scale.subtitle
    for action in card.actions:
        height += _action(action, width, scale.body, scale.wider, lead(action, timing=False))
        height += 0 if single else scale.action
    return height


def entry_height(entry: Entry, heading: bool, width: float, scale: Scale = NORMAL) -> float:
    """Return the height of an entry of the reference, or of a nameless piece of one."""
    name = f"{entry.name}   " if entry.name else ""
    height = scale.heading if heading else scale.gap if name else 0.0
    size, wider = scale.small, scale.wider
    if entry.text:
        height += _run_in(name, entry.text, width, size, wider)
        name = ""
    for action in entry.actions:
        height += _action(action, width, size, wider, name + lead(action, timing=True))
        name = ""
    return height


def item_height(item: Item, width: float, scale: Scale = NORMAL) -> float:
    """Return the height of a line of equipment, of which ``width`` says what it does."""
    size, wider = scale.small, scale.wider
    height = prose_height(item.text, width, size, wider) + scale.capacity * len(item.capacities)
    for action in item.actions:
        height += _action(action, width, size, wider, lead(action, timing=True))
    name = 7.9 if item.category or item.facts else 4.6
    return 2.5 + max(height, name * scale.small / NORMAL.small)


def tale_height(text: Prose, blank: int, width: float, scale: Scale = NORMAL) -> float:
    """Return the height of a text under its heading, with ``blank`` lines to write on."""
    told = prose_height(text, width, scale.body, scale.wider)
    return scale.tale + told + scale.ruled * blank


def creed_height(text: Prose, width: float, scale: Scale = NORMAL) -> float:
    """Return the height of an answer that was chosen from a list, under its question."""
    return scale.creed + prose_height(text, width - 5, scale.creed_text, scale.wider)


def trait_height(text: Prose, width: float, scale: Scale = NORMAL) -> float:
    """Return the height of one of several answers with its text."""
    told = prose_height(text, width, scale.trait_text, scale.wider)
    return scale.trait + 1.25 / LEADING * told


def height_above_cards(view: SheetView, look: Look) -> float:
    """Return the height of what stands over the cards on a first page."""
    scale = scale_of(look)
    height = height_above_attacks(view, look) + scale.heading
    if view.attacks or view.attack_rules:
        height += scale.heading + 2 + sum(attack_height(line, look) for line in view.attacks)
    return height


def height_above_attacks(view: SheetView, look: Look) -> float:
    """Return the height of the head of a first page: plate, vitals, attributes, conditions."""
    scale = scale_of(look)
    beside = BESIDE if look.portrait else 1
    height = scale.plate + 4 * (len(view.name) * beside > 60)
    for row in tile_rows(view.vitals, look):
        height += max((2 + tile.height for tile in row), default=0)
    height += sum(_scores_height(row, look) for row in _score_rows(view, look))
    figures = _strip_rows(view, look)
    height += scale.strip + scale.strip_row * (figures - 1) if figures else 0
    allowed = [f"{one.label} {one.text}" for one in view.allowed]
    for told in (view.problems, allowed, view.pack_changes):
        height += _warning(told, look) if told else 0
    return height


def _score_rows(view: SheetView, look: Look) -> Iterator[Sequence[Attribute]]:
    for start in range(0, len(view.attributes), look.scores_per_row):
        yield view.attributes[start : start + look.scores_per_row]


def _scores_height(row: Sequence[Attribute], look: Look) -> float:
    """Return the height of a row of attributes, whose names may take more than a line."""
    scale, small = scale_of(look), 14 if look.large else 7
    room = (look.page.width + 2) / len(row) - 2 - (4.6 if look.large else 3.8)
    told = max(lines(score_name(one), room, small, scale.wider) for one in row)
    return scale.scores + (told - 1) * small * POINT * LEADING


def score_name(one: Attribute) -> str:
    """Return what stands under a score: its name in full, and what it is apart from now."""
    name = one.name if one.name != one.label else ""
    base = f"base{NO_BREAK}{one.base}" if one.base != one.total else ""
    return ", ".join(filter(None, (name, base)))


def _strip_rows(view: SheetView, look: Look) -> int:
    """Return how many rows the figures and conditions below the attributes take."""
    scale = scale_of(look)
    em, apart = POINT / 100 * scale.wider, 12.0 if look.large else 9.0
    figures = (
        (fact.label.upper(), 0.8 * scale.body, fact.text, 1.05 * scale.body)
        for fact in view.unlisted_figures
    )
    names = (
        *(one.name for one in view.conditions),
        *(one.text for one in view.conditions_without_box),
    )
    ticks = (("", 0.0, name, scale.body) for name in names)
    room, left, rows = look.page.width - 4.6, 0.0, 0
    for label, small, text, size in (*figures, *ticks):
        wide = apart + (0.0 if label else 4.6)
        wide += sum(WIDTHS.get(sign, USUAL) for sign in label) * em * small
        wide += sum(WIDTHS.get(sign, USUAL) for sign in text) * em * size
        if wide - apart > left:
            rows, left = rows + 1, room
        left -= wide
    return rows


def _warning(told: Sequence[str], look: Look) -> float:
    """Return the height of a box that says what breaks the rules."""
    scale, width = scale_of(look), look.page.width - 7 - INDENT
    shown = told[: look.most_problems]
    line = scale.body * POINT * LEADING
    if look.layout == "short":
        text = f"Not allowed by the rules as it stands     {shown[0]}  + 10 more, see full"
        return 5.5 + line * lines(text, width, scale.body, scale.wider * 1.1)
    number = sum(lines(told, width, scale.body, scale.wider) for told in shown)
    return 6.2 + 0.42 * scale.body + line * number


def beside_damage(look: Look) -> float:
    """Return the width of what is told of an attack under its damage."""
    return (0.26 if look.large else 0.27) * look.attack_width


def attack_height(line: AttackLine, look: Look) -> float:
    """Return the height of a line of the table of attacks."""
    scale = scale_of(look)
    small = scale.note * POINT * 1.28
    notes = " · ".join(line.notes)
    left, right = (0.27 if look.large else 0.26) * look.attack_width, beside_damage(look)
    under = (lines(notes, left, scale.note, scale.wider) if notes else 0) + len(line.unmet)
    extras = " · ".join(line.extras)
    beside = lines(extras, right, scale.note, scale.wider) if extras else 0
    beside += round(prose_height(line.text, right, scale.note, scale.wider) / small)
    drawn, aside = [], 0.145 * look.attack_width
    for held in line.capacities:
        told = lines(box_label(held, look), aside, scale.note, scale.wider)
        drawn.append(held.pieces * (ticks(held.max, look, aside).height + 0.6) + told * small)
    middle = (0.19 if look.large and look.side_by_side else 0.18) * look.attack_width - 2
    roll = ((f"{line.roll} ", scale.figure), (f"vs {line.versus}", scale.body))
    made = lines(line.made_of, middle, scale.note, scale.wider)
    ammo = sum(drawn) + 0.6 * len(drawn) + 1.6
    size = scale.body * 1.2
    name = lines(line.bearer, left, size, scale.wider)
    name = max(name, lines(f"{line.damage} {line.types}", right, size, scale.wider))
    more = 0.57 * scale.body * (name - 1)
    rolled = 0.57 * scale.body * (run(roll, middle, scale.wider) - 1) + small * made
    return max(scale.attack + max(small * max(under, beside, 1) + more, rolled), ammo)
