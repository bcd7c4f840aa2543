"""Stat blocks for Obsidian's plugin Fantasy Statblocks: one for each unit.

The plugin reads YAML in a code block and draws the fields of its layout. No ``layout`` is named,
so the reader's default applies; only fields that every layout has are used: ``name``, the
subheading, ``hp`` (the maximum of the ruleset's ``sheet.health``) and lists of ``name`` and
``desc``. The plugin's ``stats`` are six scores with fixed headings and a modifier of
(score − 10) / 2, which would be wrong for other games. Scores are therefore a trait, and so are
vitals, equipment and table rules; lost hit points come first.

The list of an action depends on its timing (``Timing.statblock`` of the ruleset). The plugin
prints a ``name`` as it is and reads a ``desc`` as Markdown, so only that is escaped. Descriptions
of equipment, the story and the explained rules are left to the Markdown notes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from charforge.export import phrases
from charforge.export.markdown import continued, escape, flat, start
from charforge.expressions.markup import Prose
from charforge.language import N_, _
from charforge.replay.replay import Character, Problem
from charforge.sheet import view
from charforge.sheet.build import build

POOLS, COMBAT = N_("Dice pools"), N_("Combat")
TRAITS, ACTIONS, BONUS_ACTIONS, REACTIONS = "traits", "actions", "bonus_actions", "reactions"
SUBHEADING = re.compile("size|subtype|alignment", re.IGNORECASE)  # the plugin's words
# Characters that YAML 1.2 (chapter 5.1) does not allow, or that end a line.
ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


class StatLine(NamedTuple):
    """An entry in one of the lists of a block; ``description`` is Markdown."""

    part: str
    name: str
    description: str


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the blocks: the character's, then one for each companion or vehicle."""
    head = character.state.ruleset.head
    timings = {timing.id: timing.statblock for timing in head.timings}
    sheet = build(character)
    blocks = [_character(sheet, problems, timings, head.sheet.health)]
    blocks += [_unit(unit, sheet, timings, head.sheet.health) for unit in sheet.units]
    return "\n".join(f"```statblock\n{block}```\n" for block in blocks)


def quoted(text: str) -> str:
    """Return a text as a double-quoted scalar of YAML, the same in 1.1 and 1.2.

    Its lines stay, because a list of Markdown needs them.
    """
    lines = "\n".join(map(phrases.plain, text.split("\n")))
    plain = json.dumps(lines, ensure_ascii=False)
    return ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", plain)


def _character(
    sheet: view.SheetView,
    problems: Sequence[Problem],
    timings: Mapping[str, str],
    health: str | None,
) -> str:
    level = phrases.level_text(sheet, sheet.level)
    kind = phrases.join_parts((sheet.ruleset, level, *(head.name for head in sheet.headline)))
    figures = phrases.sheet_figures(sheet)
    lines = [*_hit_points_now(sheet.vitals, health)]
    lines += [*_numbers(sheet.attributes_label, sheet.attributes, sheet.vitals, figures)]
    lines += _listed(_(POOLS), phrases.pool_texts(sheet.pools))
    lines += _listed(_(COMBAT), phrases.fact_texts(sheet.combat))
    for head in sheet.headline:
        lines.append(_trait(head.name, map(escape, phrases.fact_texts(head.facts)), head.text))
    lines += _attacks_and_cards(sheet.weapons, sheet.cards, timings)
    for item in sheet.items:
        lines += _actions(item.name, item.actions, timings)
    for label, items in sheet.item_groups:
        lines += _listed(label, map(phrases.item_text, items), ", ")
    lines += _listed(sheet.training_label, (entry.name for entry in sheet.training), ", ")
    lines += _listed(_("Notes"), phrases.note_texts(sheet))
    for label, texts in phrases.rule_notes(sheet, problems).items():
        lines += _listed(label, texts)
    return _block(sheet.name, {"type": kind}, _hit_points(sheet.vitals, health), lines)


def _unit(
    unit: view.UnitPanel, sheet: view.SheetView, timings: Mapping[str, str], health: str | None
) -> str:
    level = phrases.level_text(sheet, unit.level)
    heads = {"type": phrases.join_parts((unit.kind, level, _("of {name}").format(name=sheet.name)))}
    subheading = {f.label.lower(): f.text for f in unit.facts if SUBHEADING.fullmatch(f.label)}
    facts = [fact for fact in unit.facts if fact.label.lower() not in subheading]
    figures = phrases.unit_figures(unit)
    lines = [*_hit_points_now(unit.vitals, health)]
    lines += [*_numbers(sheet.attributes_label, unit.attributes, unit.vitals, figures)]
    lines += _listed(_(POOLS), phrases.pool_texts(unit.pools))
    lines += _listed(_(COMBAT), phrases.fact_texts(unit.combat))
    lines += _listed(_("Facts"), phrases.fact_texts(facts))
    lines += [_trait(unit.name, (), unit.text)] if unit.text else []
    lines += _attacks_and_cards(unit.weapons, unit.cards, timings)
    return _block(unit.name, {**heads, **subheading}, _hit_points(unit.vitals, health), lines)


def _hit_points(vitals: Sequence[view.SheetVital], health: str | None) -> int | None:
    """Return the maximum of the vital that is the health, if there is one."""
    return next((vital.max for vital in vitals if vital.id == health), None)


def _hit_points_now(vitals: Sequence[view.SheetVital], health: str | None) -> Iterator[StatLine]:
    """Yield the present hit points, unless they are at their maximum."""
    for vital in vitals:
        if vital.id == health and vital.max is not None and vital.current != vital.max:
            yield StatLine(
                TRAITS,
                _("{label} now").format(label=vital.label),
                _("{current} of {max}").format(current=vital.current, max=vital.max),
            )


def _block(
    name: str, heads: Mapping[str, str], hit_points: int | None, lines: Sequence[StatLine]
) -> str:
    yaml = [f"name: {quoted(name)}"]
    yaml += [f"{key}: {quoted(text)}" for key, text in sorted(heads.items())]
    yaml += [f"hp: {hit_points}"] if hit_points is not None else []
    for part in (TRAITS, ACTIONS, BONUS_ACTIONS, REACTIONS):
        entries = [line for line in lines if line.part == part]
        yaml += [f"{part}:"] if entries else []
        for entry in entries:
            yaml.append(f"  - name: {quoted(entry.name)}")
            yaml.append(f"    desc: {quoted(start(entry.description))}")
    return "\n".join(yaml) + "\n"


def _numbers(
    label: str,
    scores: Sequence[view.Attribute],
    vitals: Sequence[view.SheetVital],
    facts: Sequence[view.Fact],
) -> Iterator[StatLine]:
    score_texts = (f"{score.label} {phrases.score_text(score)}" for score in scores)
    yield from _listed(label, score_texts, ", ")
    figures = (*map(phrases.vital_text, vitals), *(f"{fact.label} {fact.text}" for fact in facts))
    yield from _listed(_("Figures"), figures, ", ")


def _listed(name: str, texts: Iterable[str], separator: str = "; ") -> Iterator[StatLine]:
    """Yield a trait that lists texts, if there are any."""
    description = separator.join(map(escape, texts))
    if description:
        yield StatLine(TRAITS, name, description)


def _trait(name: str, facts: Iterable[str], text: Prose) -> StatLine:
    return StatLine(TRAITS, name, _sentences((phrases.join_parts(facts), continued(text))))


def _attacks_and_cards(
    weapons: Iterable[view.Weapon], cards: Iterable[view.Card], timings: Mapping[str, str]
) -> Iterator[StatLine]:
    for name, attack, notes in phrases.attacks_with_notes(weapons):
        yield StatLine(ACTIONS, name, _attack(attack, notes))
    for card in cards:
        facts = phrases.join_parts(map(escape, phrases.card_facts(card)))
        if card.text or not card.actions:
            yield _trait(card.name, (facts,), card.text.full)
            facts = ""
        yield from _actions(card.name, card.actions, timings, facts)


def _attack(attack: view.AttackMode, notes: Iterable[str]) -> str:
    """Return an attack in words: its roll, range and damage, then its other properties."""
    made_of = f" ({attack.made_of})" if attack.made_of else ""
    roll = phrases.join_parts((f"{attack.roll_line}{made_of}", attack.range), ", ")
    damage = f"{phrases.damage_text(attack)} {attack.types}"
    about = phrases.join_parts(map(escape, notes), "; ")
    return _sentences((escape(roll), escape(damage), about, continued(attack.text.full)))


def _actions(
    bearer: str, actions: Iterable[view.SheetAction], timings: Mapping[str, str], facts: str = ""
) -> Iterator[StatLine]:
    """Yield actions in the lists of their timings; the first has the ``facts`` of the bearer."""
    for action in actions:
        conditions = phrases.join_parts(map(escape, phrases.action_conditions(action)), ", ")
        head = phrases.join_parts((escape(action.label), conditions, facts), ", ")
        head = _sentences((head, flat(action.trigger)))
        description = f"{head}{continued(action.text.full)}".strip()
        name = phrases.join_parts((bearer, action.name), ": ")
        yield StatLine(timings[action.timing], name, description)
        facts = ""


def _sentences(parts: Iterable[str]) -> str:
    """Return parts as sentences, each with a full stop if it has no other end."""
    ended = (part if part.endswith((".", "!", "?", ":")) else f"{part}." for part in parts if part)
    return "".join(part if part[0] in " \n" else f" {part}" for part in ended).strip()
