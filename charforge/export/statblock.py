"""Stat blocks for Obsidian's plugin Fantasy Statblocks: one for each unit.

The plugin reads YAML in a code block and draws what its layout knows. No
``layout`` is named, so the reader's own default draws it; what every
layout has is used: ``name``, the subheading, ``hp`` (the most of what the
ruleset says is health, ``sheet.health``) and lists of ``name`` and
``desc``. Its ``stats`` are six scores with six fixed heads and a modifier
computed as (score − 10) / 2, which would misprint any other game; scores
therefore stand in the first trait, none lost and none recomputed. The
same goes for vitals, equipment and table rules.

Where an action stands is its timing's (``Timing.statblock`` of the
ruleset). The plugin prints a ``name`` as it is and reads a ``desc`` as
Markdown, so only that is escaped. A block is for the table: what a piece
of equipment is, the story and the rules explained are left to the notes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from charforge.export import wording
from charforge.export.markdown import escape, flat, start
from charforge.expressions.markup import Prose
from charforge.replay.replay import Character, Problem
from charforge.sheet import view
from charforge.sheet.build import build

POOLS = "Dice pools"
PARTS = ("traits", "actions", "bonus_actions", "reactions")
SUBHEADING = re.compile("size|subtype|alignment", re.IGNORECASE)  # the plugin's words
# What YAML 1.2 (chapter 5.1) takes for no sign, or for the end of a line.
ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class StatLine:
    """An entry of one of the block's lists; ``desc`` is Markdown."""

    part: str
    name: str
    desc: str


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the blocks: the character's, then one for each companion or vehicle."""
    shown = build(character)
    head = character.state.ruleset.head
    timings = {t.id: t.statblock for t in head.timings}
    margin = {
        "Table rules": [f"{rule.label} {rule.text}" for rule in shown.table_rules],
        "Allowed at this table": wording.allowed(shown),
        "Not as the rules have it": wording.wrong(shown, problems),
    }
    blocks = [_character(shown, margin, timings, head.sheet.health)]
    blocks += [_unit(unit, shown, timings, head.sheet.health) for unit in shown.units]
    return "\n".join(f"```statblock\n{block}```\n" for block in blocks)


def quoted(text: str) -> str:
    """Return a text as a double-quoted scalar of YAML, the same in 1.1 and 1.2."""
    plain = json.dumps(wording.typed(text), ensure_ascii=False)
    return ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", plain)


def _character(
    shown: view.SheetView,
    margin: Mapping[str, Iterable[str]],
    timings: Mapping[str, str],
    health: str | None,
) -> str:
    """Return the character's block; ``margin`` is where it leaves the rules."""
    level = f"{shown.level_label} {shown.level}" if shown.levels > 1 else ""
    kind = wording.joined((shown.ruleset, level, *(head.name for head in shown.headline)))
    facts = (*wording.standing(shown.active_conditions), *shown.figures, *shown.stores)
    lines = [*_numbers(shown.attributes_label, shown.attributes, shown.vitals, facts)]
    lines += _named(POOLS, wording.pools(shown.pools))
    for head in shown.headline:
        lines.append(_trait(head.name, map(escape, wording.told(head.facts)), head.text))
    lines += _doing(shown.attacks, shown.cards, timings)
    for item in shown.items:
        lines += _actions(item.name, item.actions, timings)
    for label, items in shown.item_groups:
        lines += _named(label, map(wording.carried, items), ", ")
    lines += _named(shown.training_label, (entry.name for entry in shown.training), ", ")
    lines += [line for name, said in margin.items() for line in _named(name, said)]
    return _block(shown.name, {"type": kind}, _most(shown.vitals, health), lines)


def _unit(
    unit: view.UnitPanel, shown: view.SheetView, timings: Mapping[str, str], health: str | None
) -> str:
    level = f"{shown.level_label} {unit.level}" if shown.levels > 1 else ""
    heads = {"type": wording.joined((unit.kind, level, f"of {shown.name}"))}
    subheading = {f.label.lower(): f.text for f in unit.facts if SUBHEADING.fullmatch(f.label)}
    facts = [fact for fact in unit.facts if fact.label.lower() not in subheading]
    figures = wording.figures(unit)
    lines = [*_numbers(shown.attributes_label, unit.attributes, unit.vitals, figures)]
    lines += _named(POOLS, wording.pools(unit.pools))
    lines += _named("Facts", wording.told(facts))
    lines += [_trait(unit.name, (), unit.text)] if unit.text else []
    lines += _doing(unit.attacks, unit.cards, timings)
    return _block(unit.name, {**heads, **subheading}, _most(unit.vitals, health), lines)


def _most(vitals: Sequence[view.SheetVital], health: str | None) -> int | None:
    """Return the most of the vital that is health, if any is."""
    return next((vital.max for vital in vitals if vital.id == health), None)


def _block(name: str, heads: Mapping[str, str], hp: int | None, lines: Sequence[StatLine]) -> str:
    """Return the YAML of a block."""
    written = [f"name: {quoted(name)}"]
    written += [f"{key}: {quoted(text)}" for key, text in sorted(heads.items())]
    written += [f"hp: {hp}"] if hp is not None else []
    for part in PARTS:
        inner = [line for line in lines if line.part == part]
        written += [f"{part}:"] if inner else []
        for line in inner:
            written += [f"  - name: {quoted(line.name)}", f"    desc: {quoted(start(line.desc))}"]
    return "\n".join(written) + "\n"


def _numbers(
    label: str,
    scores: Sequence[view.Attribute],
    vitals: Sequence[view.SheetVital],
    facts: Sequence[view.Fact],
) -> Iterator[StatLine]:
    yield from _named(label, (f"{score.label} {wording.score(score)}" for score in scores), ", ")
    said = [*map(wording.vital, vitals), *(f"{fact.label} {fact.text}" for fact in facts)]
    yield from _named("Figures", said, ", ")


def _named(name: str, said: Iterable[str], between: str = "; ") -> Iterator[StatLine]:
    """Yield a trait that lists something, if there is anything."""
    text = between.join(map(escape, said))
    if text:
        yield StatLine(PARTS[0], name, text)


def _trait(name: str, terms: Iterable[str], text: Prose) -> StatLine:
    return StatLine(PARTS[0], name, _sentences((wording.joined(terms), flat(text))))


def _doing(
    attacks: Iterable[view.AttackLine], cards: Iterable[view.Card], timings: Mapping[str, str]
) -> Iterator[StatLine]:
    yield from map(_attack, attacks)
    for card in cards:
        terms = wording.joined(map(escape, wording.terms(card)))
        if card.text or not card.actions:
            yield _trait(card.name, (terms,), card.text)
            terms = ""
        yield from _actions(card.name, card.actions, timings, terms)


def _attack(line: view.AttackLine) -> StatLine:
    """Return an attack as an action: its roll, reach and damage, then the rest."""
    roll = f"{line.roll} vs {line.versus} ({line.made_of}), {line.range}"
    damage = f"{line.damage} {line.types}"
    notes = wording.joined(map(escape, wording.notes(line)), "; ")
    desc = _sentences((escape(roll), escape(damage), notes, flat(line.text)))
    return StatLine(PARTS[1], wording.attack(line), desc)


def _actions(
    bearer: str, actions: Iterable[view.SheetAction], timings: Mapping[str, str], terms: str = ""
) -> Iterator[StatLine]:
    """Yield actions where their timings stand; ``terms`` of the bearer go with the first."""
    for action in actions:
        conditions = wording.joined(map(escape, wording.conditions(action)), ", ")
        head = wording.joined((escape(action.label), conditions, terms), ", ")
        desc = _sentences((head, flat(action.trigger)))
        name = wording.joined((bearer, action.name), ": ")
        yield StatLine(timings[action.timing], name, f"{desc} {flat(action.text)}".strip())
        terms = ""


def _sentences(parts: Iterable[str]) -> str:
    """Join parts, each ended as a sentence is."""
    ended = (part if part.endswith((".", "!", "?", ":")) else f"{part}." for part in parts if part)
    return " ".join(ended)
