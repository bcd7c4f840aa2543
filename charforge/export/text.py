"""Plain text for a chat: at most 80 columns, no markup, the things you need in a fight.

Attacks and Systems have one line each; their texts are cut off at its end, because the other
formats have them complete. The story is left out for the same reason,
except for the player's notes. Wide characters count as
two columns and combining ones as none, as in a terminal.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from charforge.export import phrases
from charforge.replay.replay import Character, Problem
from charforge.sheet import view
from charforge.sheet.build import build, note_text

COLUMNS = 80
INDENT = "  "
MORE = "\N{HORIZONTAL ELLIPSIS}"


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the text; ``problems`` of the file are at the end."""
    sheet = build(character)
    parts = (*_parts(sheet), *_notes(character), *_rule_notes(sheet, problems))
    lines = (line for part in parts for line in part)
    return "\n".join(lines) + "\n"


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
    """Return as much of a text as fits."""
    used = 0
    for place, character in enumerate(text):
        used += _columns(character)
        if used > columns:
            return text[:place]
    return text


def short(text: str) -> str:
    """Return a text as one line; a long one is cut off after a word."""
    text = phrases.plain(text)
    if width(text) <= COLUMNS:
        return text
    cut = _fitting(text, COLUMNS - 1)
    at_word = cut if text[len(cut)] == " " else cut.rpartition(" ")[0]
    return (at_word if width(at_word) > COLUMNS // 2 else cut).rstrip(" ,;:") + MORE


def _parts(sheet: view.SheetView) -> Iterator[Iterable[str]]:
    yield wrapped(sheet.name)
    headline = (text for head in sheet.headline for text in (head.name, head.summary))
    level = phrases.level_text(sheet, sheet.level)
    yield wrapped(phrases.join_parts((sheet.ruleset, level, *headline)))
    yield from _figures(sheet.attributes, sheet.vitals, phrases.sheet_figures(sheet))
    yield from map(wrapped, phrases.pool_texts(sheet.pools))
    yield from _combat(sheet.combat)
    if sheet.attacks:
        rules = sheet.attack_rules
        yield from _heading("Attacks" + (f" ({rules.dice} + roll)" if rules else ""))
        yield from (wrapped(_attack(line)) for line in sheet.attacks)
    if sheet.cards:
        yield from _heading(sheet.cards_label)
        yield from ([short(_card(card))] for card in sheet.cards)
    for label, items in sheet.item_groups:
        yield from _heading(label)
        yield wrapped(", ".join(map(phrases.item_text, items)), "")
    for unit in sheet.units:
        level = phrases.level_text(sheet, unit.level)
        yield from _heading(phrases.join_parts((unit.name, unit.kind, level)))
        yield from _unit(unit)
    if sheet.training:
        yield from _heading(sheet.training_label)
        yield wrapped(", ".join(entry.name for entry in sheet.training), "")


def _notes(character: Character) -> Iterator[Iterable[str]]:
    """Yield the player's notes."""
    if character.notes:
        yield from _heading("Notes")
        yield from (wrapped(note_text(note)) for note in character.notes)


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


def _attack(line: view.AttackLine) -> str:
    damage = phrases.join_parts((line.range, f"{line.damage} {line.types}"), ", ")
    text = f"{phrases.attack_name(line)}: {line.roll} vs {line.versus}, {damage}"
    notes = (*phrases.attack_notes(line), phrases.plain_line(line.text))
    return phrases.join_parts((text, phrases.join_parts(notes, "; ")), "; ")


def _card(card: view.Card) -> str:
    """Return a card as one line: several actions by name, a single one with its text."""
    if len(card.actions) > 1:
        text = phrases.join_parts(map(_action, card.actions), "; ")
    else:
        parts = []
        for action in card.actions:
            trigger, effect = map(phrases.plain_line, (action.trigger, action.text))
            parts += [_action(action), trigger, effect]
        text = phrases.join_parts(parts, ": ")
    facts = phrases.join_parts(phrases.card_facts(card)[-1:])
    name = card.name + (f" ({facts})" if facts else "")
    texts = phrases.join_parts((text, phrases.plain_line(card.text)), "; ")
    return phrases.join_parts((name, texts), ": ")


def _action(action: view.SheetAction) -> str:
    name = phrases.join_parts((action.label, action.name), " ")
    conditions = phrases.join_parts(phrases.action_conditions(action), ", ")
    return f"{name} ({conditions})" if conditions else name


def _unit(unit: view.UnitPanel) -> Iterator[Iterable[str]]:
    yield from _figures(unit.attributes, unit.vitals, phrases.unit_figures(unit))
    yield from map(wrapped, phrases.pool_texts(unit.pools))
    yield from _combat(unit.combat)
    if unit.facts:
        yield wrapped(phrases.join_parts(phrases.fact_texts(unit.facts)))
    yield from (wrapped(_attack(line)) for line in unit.attacks)
    yield from ([short(_card(card))] for card in unit.cards)
