"""The foot of a short sheet: equipment, who one is, and each unit, in parts side by side.

They are cut to a share of the room, and what is left out is counted.
Lengths are millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from charforge.sheet.estimate import LEADING, POINT, Scale, lines, scale_of
from charforge.sheet.print_options import Look
from charforge.sheet.view import Fact, SheetView, SheetVital, UnitPanel

BOX, BOX_LARGE = (19.6, 11.0), (38.0, 16.0)  # as the style sheets have it


class Box(NamedTuple):
    """Room to write down what changes; ``now`` is what it is at first, where that is a number."""

    id: str
    label: str
    now: str


class Corner(NamedTuple):
    """One of the parts at the foot: boxes to write in, facts in a run, lines to write on."""

    label: str
    facts: tuple[Fact, ...]
    more: int
    boxes: tuple[Box, ...] = ()
    lines: int = 0


def corners(
    view: SheetView, look: Look, share: float, most: float, notes: bool = True
) -> tuple[tuple[tuple[Corner, ...], ...], tuple[str, ...]]:
    """Return the rows of the foot, and what parts of it are left out.

    Its parts are cut to a ``share`` of the room; those end early that take more than ``most``.
    Room for notes is left out first, and nobody looks for it elsewhere.
    """
    made = [*_own(view, look), *(_unit(unit, view) for unit in view.units)]
    if look.notes_in_foot and notes:
        made.append(Corner("Notes", (), 0, lines=2))
    if not look.blank:
        made = [one for one in made if one.facts or one.boxes or one.lines]
    if not made:
        return (), ()
    abreast = min(len(made), look.foot_columns)
    least = max(_height(corner._replace(facts=()), look, abreast) for corner in made)
    least += 2 * scale_of(look).small * POINT * LEADING
    least = max(least, share / -(-len(made) // look.foot_columns))
    cut = [_ended(corner, look, abreast, least) for corner in made]
    for kept in range(len(made), 2, -1):
        set_ = _abreast(cut[:kept], look)
        if sum(row_height(row, look) for row in set_) <= most:
            break
    else:
        set_ = _abreast(cut[:2], look)
    kept = sum(map(len, set_))
    return set_, tuple(one.label for one in made[kept:] if not one.lines)


def least(view: SheetView, look: Look) -> float:
    """Return the height of the least foot there is."""
    return sum(row_height(row, look) for row in corners(view, look, 0, 0, notes=False)[0])


def row_height(row: Sequence[Corner], look: Look) -> float:
    """Return the height of a row of the foot."""
    return max(_height(corner, look, len(row)) for corner in row)


def _own(view: SheetView, look: Look) -> tuple[Corner, Corner]:
    """Return what is not about units: equipment, and who one is."""
    items = [
        Fact("", f"{item.quantity} × {item.name}" if item.quantity > 1 else item.name)
        for item in view.unlisted_items
    ]
    stores = tuple(
        Box(store.label, store.label if look.blank else f"{store.label} {store.text}", "")
        for store in view.unlisted_stores
    )
    who = [
        Fact(part.label, ", ".join(told.name for told in part.answers))
        for part in view.story
        if part.form != "text" and part.answers
    ]
    if view.training:
        who.append(Fact(view.training_label, ", ".join(one.name for one in view.training)))
    carried = Corner(view.items_label or "Equipment", tuple(items), 0, stores)
    return carried, Corner("Who", tuple(who), 0)


def _unit(unit: UnitPanel, view: SheetView) -> Corner:
    level = f", {view.level_label.lower()} {unit.level}" if view.levels > 1 else ""
    scores = tuple(Fact(one.label, str(one.total)) for one in unit.attributes)
    shared = tuple(Fact(vital.label, "shares yours") for vital in unit.vitals if vital.shared)
    own = tuple(_box(vital) for vital in unit.vitals if not vital.shared)
    now = tuple(Fact("Now", one.text) for one in unit.active_conditions)
    facts = (*now, *scores, *unit.figures, *shared, *unit.facts)
    return Corner(f"{unit.name}{level}", facts, 0, own)


def _box(vital: SheetVital) -> Box:
    most = f" of {vital.max}" if vital.max is not None else ""
    return Box(vital.id, f"{vital.label}{most}", str(vital.current))


def _abreast(corners: Sequence[Corner], look: Look) -> tuple[tuple[Corner, ...], ...]:
    """Set parts in rows, as even as they can be."""
    rows = -(-len(corners) // look.foot_columns)
    most = -(-len(corners) // rows)
    return tuple(tuple(corners[start : start + most]) for start in range(0, len(corners), most))


def _ended(corner: Corner, look: Look, abreast: int, room: float) -> Corner:
    """Leave out facts from the end until a corner is low enough; one is always kept."""
    facts = corner.facts
    while len(facts) > 1 and _height(corner._replace(facts=facts, more=1), look, abreast) > room:
        facts = facts[:-1]
    return corner._replace(facts=facts, more=len(corner.facts) - len(facts))


def _height(corner: Corner, look: Look, abreast: int) -> float:
    """Return the height of a part of the foot, ``abreast`` of which are in its row."""
    scale: Scale = scale_of(look)
    width = (look.page.width + 6) / abreast - 6
    text = ", ".join(f"{fact.label} {fact.text}" for fact in corner.facts)
    number = lines(text, width, scale.small, scale.wider * 1.04) if text else 0
    number += bool(corner.more)
    box = BOX_LARGE if look.large else BOX
    boxes = -(-len(corner.boxes) // max(1, int((width + 1.6) // (box[0] + 1.6))))
    told = number * scale.small * POINT * LEADING + boxes * (box[1] + 2)
    return scale.heading + told + corner.lines * scale.ruled
