"""How much room the parts of a page take, estimated before any layout.

A line is reckoned from the widths of its letters, the rest from the
measures of the style sheet. On the sheets measured so far a card is
right to half a line, a page of reference to two lines. Lengths are
millimetres, sizes of letters points.
"""

from __future__ import annotations

from collections.abc import Iterable

from charforge.prose import Block, Prose, Span, plain
from charforge.sheet.track import tiles
from charforge.sheet.view import Action, AttackLine, Card, Entry, SheetView

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
USUAL = 55
POINT = 0.3528
LEADING = 1.32
BODY, SMALL, NOTE = 8.75, 8.25, 7.5
INDENT = 2.6
HEADING = 11.8
RULED = 8.0


def lines(text: str, width: float, size: float) -> int:
    """Return how many lines of ``width`` a text of ``size`` points takes."""
    em = size * POINT / 100
    space = WIDTHS[" "] * em
    used, number = 0.0, 1
    for word in text.split(" "):
        length = sum(WIDTHS.get(sign, USUAL) for sign in word) * em
        if used and used + length > width:
            used, number = 0.0, number + 1
        if length > width:
            torn, length = divmod(length, width)
            number += int(torn)
        used += length + space
    return number


def _prose(prose: Iterable[Block], width: float, size: float) -> float:
    """Return the height of prose."""
    total = 0
    for block in prose:
        text = "".join(span.text for span in block.spans)
        total += lines(text, width - INDENT if block.listed else width, size)
    return total * size * POINT * LEADING


def _lead(action: Action, timing: bool) -> str:
    """Return what stands in the first line of an action before its text."""
    parts = []
    if timing:
        chips = (f" · {chip.text}" for chip in action.chips)
        parts.append(f"{action.name} {action.label}{''.join(chips)}: ")
    if action.who:
        parts.append(f"{action.who}: ")
    if action.trigger:
        parts.append(f"{plain(action.trigger)}: ")
    return "".join(parts)


def _run_in(lead: str, prose: Prose, width: float, size: float) -> float:
    """Return the height of prose whose first paragraph follows ``lead`` in its line."""
    if not lead:
        return _prose(prose, width, size)
    if not prose or prose[0].listed:
        return _prose((Block((Span(lead),)), *prose), width, size)
    first = Block((Span(lead), *prose[0].spans))
    return _prose((first, *prose[1:]), width, size)


def _action(action: Action, width: float, size: float, lead: str) -> float:
    unmet = size * POINT * LEADING if action.unmet else 0.0
    return unmet + _run_in(lead, action.text, width, size)


def card_height(card: Card, width: float) -> float:
    """Return the height of a card ``width`` wide inside."""
    height = 3.5 + 2 + 5.4 + _prose(card.text, width, BODY) + 9 * len(card.capacities)
    chips = bool(card.actions) and bool(card.actions[0].chips)
    single = len(card.actions) == 1 and not card.actions[0].name
    if single and chips:
        height += 4.7
    elif card.subtitle:
        height += 4.1
    for action in card.actions:
        height += _action(action, width, BODY, _lead(action, timing=False))
        height += 0 if single else 7.7
    return height


def entry_height(entry: Entry, heading: bool, width: float) -> float:
    """Return the height of an entry of the reference, or of a nameless piece of one."""
    name = f"{entry.name}   " if entry.name else ""
    height = HEADING if heading else 2.15 if name else 0.0
    if entry.text:
        height += _run_in(name, entry.text, width, SMALL)
        name = ""
    for action in entry.actions:
        height += _action(action, width, SMALL, name + _lead(action, timing=True))
        name = ""
    return height


def tale_height(text: Prose, blank: int, width: float) -> float:
    """Return the height of a text under its heading, with ``blank`` lines to write on."""
    return HEADING + _prose(text, width, BODY) + RULED * blank


def height_above_cards(view: SheetView, live: float) -> float:
    """Return the height of what stands over the cards on a first page ``live`` wide."""
    height = 23.2 + 4 * (len(view.name) > 60) + HEADING
    height += max((2 + tile.height for tile in tiles(view.vitals, live)), default=0)
    height += 23.4 * -(-len(view.attributes) // 8)
    height += 11.1 if view.figures or view.conditions else 0
    for told in (view.problems, view.allowed):
        height += 9 + 4.5 * len(told) if told else 0
    if view.attacks or view.attack_rules:
        height += HEADING + 2 + sum(map(_attack, view.attacks))
    return height


def _attack(line: AttackLine) -> float:
    small = NOTE * POINT * 1.28
    notes = " · ".join(line.notes)
    left = (lines(notes, 50, NOTE) if notes else 0) + len(line.unmet)
    extras = " · ".join(line.extras)
    right = (lines(extras, 52, NOTE) if extras else 0) + _prose(line.text, 52, NOTE) / small
    return 8.1 + small * max(left, right, 1) + 5 * (lines(line.bearer, 50, 10.5) - 1)
