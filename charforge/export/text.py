"""Plain text for a chat: at most 80 columns, no markup, the things you need in a fight.

Weapons and Systems have their digests, because the other formats have the complete texts. Where
all of that is more than a message of a chat may have, the last Systems have only their triggers,
costs and limits; where even that is too much, the last ones have only their names. The story is
left out for the same reason, except for the player's notes. Wide characters count as two columns
and combining ones as none, as in a terminal.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import chain, repeat

from charforge.export import phrases
from charforge.language import _, dice_notation
from charforge.replay.replay import Character, Problem
from charforge.sheet import view
from charforge.sheet.build import build

COLUMNS = 80
MESSAGE = 2_000  # characters of a message in a chat
INDENT = "  "


class Detail(Enum):
    """How much there is of a card: its name, its triggers, costs and limits, or all in short."""

    NAME = 0
    LIMITS = 1
    EFFECTS = 2


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the text; ``problems`` of the file are at the end."""
    sheet = build(character)
    rest = [*map(tuple, (*_notes(sheet), *_rule_notes(sheet, problems)))]

    cards = len(sheet.cards) + sum(len(unit.cards) for unit in sheet.units)

    def with_details(steps: int) -> str:
        """Return the text with so many steps of detail: limits card by card, then effects."""
        effects = max(steps - cards, 0)
        details = chain(
            repeat(Detail.EFFECTS, effects),
            repeat(Detail.LIMITS, min(steps, cards) - effects),
            repeat(Detail.NAME),
        )
        lines = (line for part in (*_parts(sheet, details), *rest) for line in part)
        return "\n".join(lines) + "\n"

    steps = range(1, 2 * cards + 1)
    return with_details(bisect_left(steps, MESSAGE + 1, key=lambda n: len(with_details(n))))


def width(text: str) -> int:
    """Return how many columns a text takes (Unicode Standard Annex 11)."""
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrapped(text: str, indent: str = INDENT) -> Iterator[str]:
    """Yield the lines of a text, those after the first indented; long words are split."""
    line = ""
    for word in phrases.plain(text).split(" "):
        longer = f"{line} {word}" if line.strip() else line + word
        if width(longer) > COLUMNS and line.strip():
            yield line
            longer = indent + word
        while width(longer) > COLUMNS:
            start = _fitting(longer, COLUMNS)
            yield start
            longer = indent + longer[len(start) :]
        line = longer
    yield line


def _fitting(text: str, columns: int) -> str:
    used = 0
    for place, character in enumerate(text):
        used += _columns(character)
        if used > columns:
            return text[:place]
    return text


def _parts(sheet: view.SheetView, details: Iterator[Detail]) -> Iterator[Iterable[str]]:
    yield wrapped(sheet.name)
    headline = (text for head in sheet.headline for text in (head.name, head.summary))
    level = phrases.level_text(sheet, sheet.level)
    yield wrapped(phrases.join_parts((sheet.ruleset, level, *headline)))
    yield from _figures(sheet.attributes, sheet.vitals, phrases.sheet_figures(sheet))
    yield from map(wrapped, phrases.pool_texts(sheet.pools))
    yield from _combat(sheet.combat)
    if sheet.weapons:
        rules = sheet.attack_rules
        yield from _heading(
            _("Attacks")
            + (_(" ({dice} + roll)").format(dice=dice_notation(rules.dice)) if rules else "")
        )
        yield from (line for weapon in sheet.weapons for line in _weapon(weapon))
    if sheet.cards:
        yield from _heading(sheet.cards_label)
        yield from (wrapped(_card(card, next(details))) for card in sheet.cards)
    for label, items in sheet.item_groups:
        yield from _heading(label)
        yield wrapped(", ".join(map(phrases.item_text, items)), "")
    for unit in sheet.units:
        level = phrases.level_text(sheet, unit.level)
        yield from _heading(phrases.join_parts((unit.name, unit.kind, level)))
        yield from _unit(unit, details)
    if sheet.training:
        yield from _heading(sheet.training_label)
        yield wrapped(", ".join(entry.name for entry in sheet.training), "")


def _notes(sheet: view.SheetView) -> Iterator[Iterable[str]]:
    if sheet.notes:
        yield from _heading(_("Notes"))
        yield from map(wrapped, phrases.note_texts(sheet))


def _rule_notes(sheet: view.SheetView, problems: Sequence[Problem]) -> Iterator[Iterable[str]]:
    """Yield the lines about table rules, broken rules and problems."""
    for label, texts in phrases.rule_notes(sheet, problems).items():
        if texts:
            yield from _heading(label)
            yield from map(wrapped, texts)


def _heading(label: str) -> Iterator[Iterable[str]]:
    yield [""]
    yield wrapped(f"-- {label} --")


def _figures(
    scores: Sequence[view.Attribute], vitals: Sequence[view.SheetVital], facts: Sequence[view.Fact]
) -> Iterator[Iterable[str]]:
    """Yield a line of scores, one of vitals and one of other figures."""
    rows = (
        (f"{score.label} {phrases.score_text(score)}" for score in scores),
        map(phrases.vital_text, vitals),
        (f"{fact.label} {fact.text}" for fact in facts),
    )
    for row in map(phrases.join_parts, rows):
        if row:
            yield wrapped(row)


def _combat(facts: Sequence[view.Fact]) -> Iterator[Iterable[str]]:
    """Yield the line of what a unit needs in every round of a fight."""
    if facts:
        yield wrapped(phrases.join_parts(f"{fact.label} {fact.text}" for fact in facts))


def _weapon(weapon: view.Weapon) -> Iterator[Iterable[str]]:
    """Yield the line of a weapon, then one for each of its modes."""
    notes = list(phrases.weapon_notes(weapon))
    name = weapon.name + (f" ({', '.join(notes)})" if notes else "")
    yield wrapped(phrases.join_parts((name, _attack(weapon.shared)), ": "))
    for mode in weapon.modes:
        yield wrapped(f"- {phrases.join_parts((mode.name, _attack(mode)), ': ')}", INDENT * 2)


def _attack(attack: view.AttackMode) -> str:
    """Return what a weapon or a mode has of an attack: roll, range, damage, then the rest."""
    note = f" ({attack.damage_note})" if attack.damage_note else ""
    damage = phrases.join_parts((attack.damage, attack.types), " ") + note
    head = phrases.join_parts((attack.roll_line, attack.range, damage), ", ")
    rest = (*attack.extras, *attack.unmet, phrases.plain_line(attack.text.digest))
    return phrases.join_parts((head, *rest), "; ")


def _card(card: view.Card, detail: Detail) -> str:
    """Return a card as one line."""
    last = (*card.subtitle[-1:], *map(phrases.capacity_text, card.capacities))
    facts = phrases.join_parts(last, ", ")
    name = card.name + (f" ({facts})" if facts else "")
    if detail is Detail.NAME:
        return name
    if detail is Detail.LIMITS:
        return phrases.join_parts((name, "; ".join(map(phrases.action_head, card.actions))), ": ")
    texts = [phrases.plain_line(card.text.digest)] if card.text else []
    texts += map(phrases.action_digest, card.actions)
    return phrases.join_parts((name, " ".join(texts)), ": ")


def _unit(unit: view.UnitPanel, details: Iterator[Detail]) -> Iterator[Iterable[str]]:
    yield from _figures(unit.attributes, unit.vitals, phrases.unit_figures(unit))
    yield from map(wrapped, phrases.pool_texts(unit.pools))
    yield from _combat(unit.combat)
    facts = view.facts_beside(unit.facts, unit.combat)
    if facts:
        yield wrapped(phrases.join_parts(phrases.fact_texts(facts)))
    yield from (line for weapon in unit.weapons for line in _weapon(weapon))
    yield from (wrapped(_card(card, next(details))) for card in unit.cards)
