"""Plain text for a chat: at most 80 columns, no marks, what one needs in a fight.

Attacks and Systems have a line each: what always holds is cut to its line
with an ellipsis, since the other formats hold it whole. The story is left
to them for the same reason. Wide signs count twice, joining ones not at
all, as a terminal or a chat in one width of letter prints them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from charforge.export import wording
from charforge.replay.replay import Character, Problem
from charforge.sheet import view
from charforge.sheet.build import build

COLUMNS = 80
INDENT = "  "
MORE = "\N{HORIZONTAL ELLIPSIS}"


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the text; ``problems`` of the file are told at the end."""
    shown = build(character)
    parts = (*_parts(shown), *_margin(shown, problems))
    lines = (line for part in parts for line in part)
    return "\n".join(lines) + "\n"


def width(text: str) -> int:
    """Return how many columns a text takes (Unicode Standard Annex 11)."""
    return sum(map(_columns, text))


def _columns(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def wrapped(text: str, indent: str = INDENT) -> Iterator[str]:
    """Yield the lines of a text, those after the first indented; long words are split."""
    line = ""
    for word in wording.typed(text).split(" "):
        room = f"{line} {word}" if line.strip() else line + word
        if width(room) > COLUMNS and line.strip():
            yield line
            room = indent + word
        while width(room) > COLUMNS:
            head = _fitting(room, COLUMNS)
            yield head
            room = indent + room[len(head) :]
        line = room
    yield line


def _fitting(text: str, columns: int) -> str:
    """Return as much of a text as fits."""
    taken = 0
    for place, sign in enumerate(text):
        taken += _columns(sign)
        if taken > columns:
            return text[:place]
    return text


def short(text: str) -> str:
    """Return a text in one line, its end cut off at a word where it is too long."""
    text = wording.typed(text)
    if width(text) <= COLUMNS:
        return text
    cut = _fitting(text, COLUMNS - 1)
    at_word = cut if text[len(cut)] == " " else cut.rpartition(" ")[0]
    return (at_word if width(at_word) > COLUMNS // 2 else cut).rstrip(" ,;:") + MORE


def _parts(shown: view.SheetView) -> Iterator[Iterable[str]]:
    yield wrapped(shown.name)
    level = f"{shown.level_label} {shown.level}" if shown.levels > 1 else ""
    heads = (text for head in shown.headline for text in (head.name, head.summary))
    yield wrapped(wording.joined((shown.ruleset, level, *heads)))
    yield from _figures(
        shown.attributes,
        shown.vitals,
        (*wording.standing(shown.active_conditions), *shown.figures, *shown.stores),
    )
    yield from map(wrapped, wording.pools(shown.pools))
    if shown.attacks:
        rules = shown.attack_rules
        yield from _heading("Attacks" + (f" ({rules.dice} + roll)" if rules else ""))
        yield from (wrapped(_attack(line)) for line in shown.attacks)
    if shown.cards:
        yield from _heading(shown.cards_label)
        yield from ([short(_card(card))] for card in shown.cards)
    for label, items in shown.item_groups:
        yield from _heading(label)
        yield wrapped(", ".join(map(wording.carried, items)), "")
    for unit in shown.units:
        level = f"{shown.level_label} {unit.level}" if shown.levels > 1 else ""
        yield from _heading(wording.joined((unit.name, unit.kind, level)))
        yield from _unit(unit)
    if shown.training:
        yield from _heading(shown.training_label)
        yield wrapped(", ".join(entry.name for entry in shown.training), "")


def _margin(shown: view.SheetView, problems: Sequence[Problem]) -> Iterator[Iterable[str]]:
    """Yield where this character goes by other rules, or against them."""
    groups = (
        ("Table rules", tuple(f"{fact.label} {fact.text}" for fact in shown.table_rules)),
        ("Allowed at this table", wording.allowed(shown)),
        ("Not as the rules have it", wording.wrong(shown, problems)),
    )
    for label, said in groups:
        if said:
            yield from _heading(label)
            yield from map(wrapped, said)


def _heading(label: str) -> Iterator[Iterable[str]]:
    yield [""]
    yield wrapped(f"-- {label} --")


def _figures(
    scores: Sequence[view.Attribute], vitals: Sequence[view.SheetVital], facts: Sequence[view.Fact]
) -> Iterator[Iterable[str]]:
    """Yield the scores in a line, the vitals in the next, then other figures."""
    said = (f"{fact.label} {fact.text}" for fact in facts)
    rows = (
        (f"{score.label} {wording.score(score)}" for score in scores),
        map(wording.vital, vitals),
        said,
    )
    for row in map(wording.joined, rows):
        if row:
            yield wrapped(row)


def _attack(line: view.AttackLine) -> str:
    reach = wording.joined((line.range, f"{line.damage} {line.types}"), ", ")
    said = f"{wording.attack(line)}: {line.roll} vs {line.versus}, {reach}"
    notes = wording.joined((*wording.notes(line), wording.flat(line.text)), "; ")
    return f"{said}; {notes}" if notes else said


def _card(card: view.Card) -> str:
    """Say a card in a line: several actions by name, a single one with its text."""
    always, actions = wording.flat(card.text), card.actions
    if len(actions) > 1:
        about = wording.joined(map(_action, actions), "; ")
    else:
        texts = (wording.flat(text) for one in actions for text in (one.trigger, one.text))
        about = wording.joined((*map(_action, actions), wording.joined(texts, ": ")), ": ")
    facts = wording.joined(wording.terms(card)[-1:])
    head = card.name + (f" ({facts})" if facts else "")
    return wording.joined((head, wording.joined((about, always), "; ")), ": ")


def _action(action: view.SheetAction) -> str:
    named = wording.joined((action.label, action.name), " ")
    needs = wording.joined(wording.conditions(action), ", ")
    return f"{named} ({needs})" if needs else named


def _unit(unit: view.UnitPanel) -> Iterator[Iterable[str]]:
    yield from _figures(unit.attributes, unit.vitals, wording.figures(unit))
    yield from map(wrapped, wording.pools(unit.pools))
    if unit.facts:
        yield wrapped(wording.joined(wording.told(unit.facts)))
    yield from (wrapped(_attack(line)) for line in unit.attacks)
    yield from ([short(_card(card))] for card in unit.cards)
