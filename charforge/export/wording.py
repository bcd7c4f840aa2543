"""Plain spelling of what a sheet typesets, for files that are searched, pasted and parsed.

A figure on paper has a real minus sign and spaces that do not break. In a
note they hide it from a search, in a chat from the bot that rolls it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from charforge.expressions.markup import Block, Prose
from charforge.expressions.template import MINUS, NO_BREAK
from charforge.replay.replay import Problem
from charforge.sheet.view import (
    ActiveCondition,
    AttackLine,
    Attribute,
    Card,
    Fact,
    Item,
    SheetAction,
    SheetCapacity,
    SheetPool,
    SheetView,
    SheetVital,
    UnitPanel,
)

DOT = " · "
SPACES = re.compile(r"\s+")


def typed(text: str) -> str:
    """Return a text of the sheet in one line, with the spaces and signs of a keyboard."""
    return SPACES.sub(" ", text.replace(NO_BREAK, " ").replace(MINUS, "-")).strip()


def plain(prose: Prose) -> str:
    """Return a text without its styles, a line a block."""
    return "\n".join(typed(str(block)) for block in prose)


def flat(prose: Prose) -> str:
    """Return a text in one line, the items of a list after semicolons."""
    said = ""
    for block in prose:
        text = typed("".join(span.text for span in block.spans))
        if said:
            said += "; " if block.listed and not said.endswith(":") else " "
        said += text
    return said


def joined(parts: Iterable[str], between: str = DOT) -> str:
    """Join what is not empty."""
    return between.join(part for part in parts if part)


def score(attribute: Attribute) -> str:
    """Say a score as it is now, and as it lasts where that differs."""
    now, base = (f"{attribute.before}{figure}" for figure in (attribute.total, attribute.base))
    return now if now == base else f"{now} (base {base})"


def vital(found: SheetVital) -> str:
    """Say a resource: ``Energy 5/9 (shared)``, ``Condition 2 (Winded)``."""
    most = f"/{found.max}" if found.max is not None else ""
    notes = (found.step, "shared" if found.shared else "")
    return f"{found.label} {found.current}{most}" + "".join(f" ({note})" for note in notes if note)


def pools(found: Iterable[SheetPool]) -> Iterator[str]:
    """Yield each pool: ``Reflex: Difficulty 2, Challenge 1``."""
    for pool in found:
        dice = ", ".join(f"{die.label} {die.number}" for die in pool.dice)
        yield f"{pool.label}: {dice or 'no dice'}"


def capacity(found: SheetCapacity) -> str:
    """Say what an item carries: ``Ammo 6 × 2`` for two items with six each, ``Ammo 5/6`` in use."""
    if found.used:
        return f"{found.label} {found.left}/{found.max * found.pieces}"
    return f"{found.label} {found.max}" + (f" × {found.pieces}" if found.pieces > 1 else "")


def name(item: Item) -> str:
    """Name an item with its number."""
    return f"{item.quantity} × {item.name}" if item.quantity > 1 else item.name


def carried(item: Item) -> str:
    """Name an item with its number and what it carries."""
    inside = ", ".join(map(capacity, item.capacities))
    return f"{name(item)} ({inside})" if inside else name(item)


def attack(line: AttackLine) -> str:
    """Name an attack by its bearer and its mode."""
    return joined((line.bearer, line.mode), ", ")


def notes(line: AttackLine) -> Iterator[str]:
    """Yield what is to be known of an attack besides its roll and damage, its text apart."""
    yield from line.notes
    yield from map(capacity, line.capacities)
    yield from line.extras
    yield from line.unmet


def conditions(action: SheetAction) -> Iterator[str]:
    """Yield what an action costs and needs, its trigger and text apart."""
    yield from (chip.text for chip in action.chips)
    yield action.who
    yield from action.unmet


def terms(card: Card) -> tuple[str, ...]:
    """Return a card's short facts, with what it carries."""
    return (*card.subtitle, *map(capacity, card.capacities))


def standing(under: Iterable[ActiveCondition]) -> tuple[Fact, ...]:
    """Return what a unit is under now, as a figure, if anything."""
    told = ", ".join(one.text for one in under)
    return (Fact("Conditions", told),) if told else ()


def figures(unit: UnitPanel) -> tuple[Fact, ...]:
    """Return a unit's figures, with the room that nothing fills yet."""
    empty = (Fact("Still empty", str(unit.empty_slots)),) if unit.empty_slots else ()
    return (*standing(unit.active_conditions), *unit.figures, *empty)


def wrong(shown: SheetView, problems: Sequence[Problem]) -> tuple[str, ...]:
    """Say what is wrong with the file, or with the character where no file is at hand."""
    return tuple(joined((p.decision, p.message), ": ") for p in problems) or shown.problems


def allowed(shown: SheetView) -> tuple[str, ...]:
    """Say what breaks a rule with somebody's leave: where, against what, by whom and why."""
    return tuple(told(shown.allowed))


def told(facts: Iterable[Fact]) -> Iterator[str]:
    """Yield facts as ``Label: text``, for places where they are listed."""
    yield from (f"{fact.label}: {fact.text}".rstrip(".") for fact in facts)


def paragraphs(prose: Prose) -> Iterator[tuple[Block, ...]]:
    """Yield the paragraphs of a text; the items of a list that follow each other are one."""
    group: list[Block] = []
    for block in prose:
        if group and not (block.listed and group[-1].listed):
            yield tuple(group)
            group = []
        group.append(block)
    if group:
        yield tuple(group)
