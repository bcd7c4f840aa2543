"""Short plain texts for the parts of a view, shared by the formats and the terminal.

On paper some spaces do not break. In a file these would hide a text from a search; here they are
plain spaces. A program that calculates with a text needs the minus sign of a keyboard, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch

from charforge.expressions.template import NO_BREAK, Block, Prose, keyboard_minus, number_text
from charforge.language import _
from charforge.replay.replay import Problem
from charforge.sheet.view import (
    AttackMode,
    Attribute,
    Fact,
    Item,
    Note,
    SheetAction,
    SheetCapacity,
    SheetPool,
    SheetView,
    SheetVital,
    Weapon,
    counted_name as counted_name,
)

DOT = " · "
SPACES = re.compile(r"\s+")


def plain(text: str) -> str:
    """Return a text of the sheet as one line with the spaces of a keyboard."""
    return SPACES.sub(" ", text.replace(NO_BREAK, " ")).strip()


def keyboard(text: str) -> str:
    """Return a text of the sheet as one line with the spaces and signs of a keyboard."""
    return keyboard_minus(plain(text))


def keyboard_lines(prose: Prose) -> str:
    """Return paragraphs with the signs of a keyboard, one line for each."""
    return keyboard_minus(plain_lines(prose))


def plain_lines(prose: Prose) -> str:
    """Return paragraphs without their styles, one line for each."""
    return "\n".join(plain(str(block)) for block in prose)


def plain_line(prose: Prose) -> str:
    """Return paragraphs as one line; the items of a list are separated by semicolons."""
    line = ""
    for block in prose:
        text = plain("".join(span.text for span in block.spans))
        if line:
            line += "; " if block.listed and not line.endswith(":") else " "
        line += text
    return line


def paragraphs(prose: Prose) -> Iterator[tuple[Block, ...]]:
    """Yield the paragraphs of a text; consecutive items of a list are one."""
    group: list[Block] = []
    for block in prose:
        if group and not (block.listed and group[-1].listed):
            yield tuple(group)
            group = []
        group.append(block)
    if group:
        yield tuple(group)


def join_parts(parts: Iterable[str], separator: str = DOT) -> str:
    """Return the parts that are not empty, joined."""
    return separator.join(part for part in parts if part)


def level_text(sheet: SheetView, level: int) -> str:
    """Return a level with its label; nothing in a game without levels."""
    return f"{sheet.level_label} {level}" if sheet.levels > 1 else ""


def score_text(attribute: Attribute) -> str:
    """Return the present score with its modifier, and the lasting one if that differs.

    ``15 (+2)``, ``3, normally 2``.
    """
    now = plain(f"{attribute.before}{attribute.number}{attribute.aside}")
    return join_parts((now, plain(attribute.lasting)), ", ") + attribute.after


@singledispatch
def words(_part: object) -> str:
    """Return a figure, an item, an action or a note as one line with its label."""
    raise NotImplementedError


@words.register
def _fact(fact: Fact) -> str:
    return f"{fact.label} {fact.text}"


@words.register
def _score(score: Attribute) -> str:
    return f"{score.label} {score_text(score)}"


@words.register
def _vital(vital: SheetVital) -> str:
    """``Energy 5/9 (shared)``, ``Condition 2 (Winded)``."""
    most = f"/{number_text(vital.max)}" if vital.max is not None else ""
    notes = (vital.step, _("shared") if vital.shared else "")
    return f"{vital.label} {number_text(vital.current)}{most}{vital.unit}" + "".join(
        f" ({note})" for note in notes if note
    )


@words.register
def _pool(pool: SheetPool) -> str:
    """``Reflex: Difficulty 2, Challenge 1``."""
    return f"{pool.label}: {pool_dice_text(pool)}"


@words.register
def _capacity(capacity: SheetCapacity) -> str:
    """``Ammo 6 × 2`` for two items with six each, ``Ammo 5/6`` when used."""
    if capacity.used:
        return f"{capacity.label} {capacity.left}/{capacity.max * capacity.pieces}"
    pieces = f" × {capacity.pieces}" if capacity.pieces > 1 else ""
    return f"{capacity.label} {capacity.max}{pieces}"


@words.register
def _item(item: Item) -> str:
    """Return the name of an item with its number and capacities, and whether it is worn."""
    place = [item.place] if item.worn_keys and item.place else []
    notes = ", ".join((*place, *map(words, item.capacities)))
    return f"{counted_name(item)} ({notes})" if notes else counted_name(item)


@words.register
def _action(action: SheetAction) -> str:
    """Return an action with its limits: ``Reaction Parry (1 Energy): Somebody attacks you``."""
    name = join_parts((action.label, action.name), " ")
    conditions = join_parts(action_conditions(action), ", ")
    limited = f"{name} ({conditions})" if conditions else name
    return join_parts((limited, plain_line(action.trigger)), ": ")


@words.register
def _note(note: Note) -> str:
    return join_parts((note.signature, plain_line(note.text)), ": ")


def pool_dice_text(pool: SheetPool) -> str:
    """Return the dice of a pool: ``Difficulty 2, Challenge 1``."""
    return ", ".join(f"{die.label} {die.number}" for die in pool.dice) or _("no dice")


def attack_name(weapon: Weapon, attack: AttackMode) -> str:
    """Return the name of an attack: its weapon and its mode."""
    return join_parts((weapon.name, attack.name), ", ")


def weapon_notes(weapon: Weapon) -> Iterator[str]:
    """Yield the properties of a weapon and its capacities."""
    yield from weapon.notes
    yield from map(words, weapon.capacities)


def damage_text(attack: AttackMode) -> str:
    """Return the damage of a hit, with its Shots: ``12 (4 Shots × 3)``."""
    note = f"({attack.damage_note})" if attack.damage_note else ""
    return join_parts((attack.damage, note), " ")


def attack_notes(attack: AttackMode) -> Iterator[str]:
    """Yield the properties of an attack other than its roll, damage and text."""
    yield from attack.extras
    yield from attack.unmet


def action_conditions(action: SheetAction) -> Iterator[str]:
    """Yield the costs, limits and requirements of an action."""
    yield from (chip.text for chip in action.chips)
    yield action.who
    yield from action.unmet


def action_digest(action: SheetAction) -> str:
    """Return an action with its limits and its effect in short."""
    return join_parts((words(action), plain_line(action.text.digest)), ": ")


def problem_texts(sheet: SheetView, problems: Sequence[Problem]) -> tuple[str, ...]:
    """Return the problems of a file, or those of the sheet if the file has none."""
    texts = (join_parts((problem.decision, problem.message), ": ") for problem in problems)
    return tuple(texts) or sheet.problems


def fact_line(fact: Fact) -> str:
    """Return a fact as ``Label: text``, for lists."""
    return f"{fact.label}: {fact.text}".rstrip(".")


def rule_notes(sheet: SheetView, problems: Sequence[Problem] = ()) -> dict[str, tuple[str, ...]]:
    """Return table rules, broken rules that were allowed and problems, by heading."""
    return {
        _("Table rules"): tuple(map(words, sheet.table_rules)),
        _("Allowed at this table"): tuple(map(fact_line, sheet.allowed)),
        _("Problems"): problem_texts(sheet, problems),
    }
