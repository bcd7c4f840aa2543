"""Attacks on a short sheet: how high they stand, and what they need at the least.

They are read in play more than anything else there, so panels that only
have room to write leave them theirs. Lengths are millimetres.
"""

from __future__ import annotations

from charforge.expressions.markup import Block, Span
from charforge.sheet import foot
from charforge.sheet.cut import LOOSE, ended, text_of
from charforge.sheet.estimate import (
    LEADING,
    POINT,
    attack_height,
    beside_damage,
    lines,
    scale_of,
)
from charforge.sheet.print_options import Look
from charforge.sheet.view import AttackLine, SheetView

MORE = 5.0  # what it takes to say how many more there are
DEED, LARGE_DEED = 7.0, 17.5  # the height of something to do, told in a line
SLACK = 6.0  # what is left empty on a page


def head(view: SheetView, look: Look) -> float:
    """Return the height of what stands over the attacks: their heading, and that of the table."""
    scale = scale_of(look)
    note = view.attack_rules.note if view.attack_rules else ""
    if not look.large:
        return scale.heading + 2 + 3.5 * (lines(note, look.attack_width - 24, scale.note) - 1)
    line = scale.note * POINT * LEADING
    return scale.heading - 1 + line * (1 + lines(note, look.attack_width, scale.note, scale.wider))


def shortened(line: AttackLine, look: Look) -> AttackLine:
    """Return an attack with one line of its text."""
    scale, width = scale_of(look), beside_damage(look)

    def fits(text: str) -> bool:
        return lines(text, width, scale.note, scale.wider * LOOSE) <= 1

    if not line.text or (len(line.text) == 1 and fits(text_of(line.text[0]))):
        return line
    whole = Block(tuple(span for block in line.text for span in (*block.spans, Span(" "))))
    return line._replace(text=(ended(whole, fits),))


def bare(line: AttackLine) -> AttackLine:
    """Return an attack without its text."""
    return line._replace(text=())


def deeds(view: SheetView, look: Look) -> float:
    """Return what attacks leave to the first thing to do."""
    doing = bool(view.cards) or any(unit.cards for unit in view.units)
    return (LARGE_DEED if look.large else DEED) + MORE if doing else 0.0


def least(view: SheetView, look: Look, number: int) -> float:
    """Return the height that so many attacks take at the least, with what is below them."""
    if not view.attacks or look.blank:
        return 0.0
    shown = [attack_height(bare(line), look) for line in view.attacks[:number]]
    below = 0.0 if look.side_by_side else scale_of(look).heading + deeds(view, look)
    return head(view, look) + sum(shown) + MORE + below + foot.least(view, look) + SLACK
