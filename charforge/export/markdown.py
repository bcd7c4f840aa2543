"""Markdown notes for Obsidian, GitHub and other readers: the whole sheet.

Special characters in names and texts are escaped, so that they are printed and do nothing
(CommonMark 2.4). ``<``, ``&`` and ``|`` become entities, which work inside tables and links too.
Obsidian's own markup (``#tag``, ``[[link]]``, ``==mark==``, ``%%comment%%``, ``$math$``) is escaped
by the same rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from charforge.export import phrases
from charforge.expressions.markup import Block, Prose, Span
from charforge.language import _, dice_notation
from charforge.replay.replay import Character, Problem
from charforge.sheet import view
from charforge.sheet.build import build

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}
SPECIAL = re.compile(r"[\\`*_\[\]#~$^=%]|[&<>|]")
STARTS = re.compile(r"^(?:([-+])|(\d+)([.)]))(?=\s|[-+]|$)")


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the notes; ``problems`` of the file are below the name."""
    sheet = build(character)
    return "\n\n".join(_parts(sheet, problems)) + "\n"


def escape(text: str) -> str:
    """Return a text as one line of Markdown in which no character has a special meaning."""

    def escaped(match: re.Match[str]) -> str:
        return ENTITIES.get(match[0]) or f"\\{match[0]}"

    return SPECIAL.sub(escaped, phrases.plain(text))


def inline(spans: Iterable[Span]) -> str:
    """Return spans as Markdown; markup is next to words, never to spaces."""
    return "".join(_span(span) for span in spans)


def flat(prose: Prose) -> str:
    """Return a text as one line of Markdown, for a cell of a table."""
    return " ".join(("• " if block.listed else "") + inline(block.spans) for block in prose)


def continued(text: Prose, indent: str = "") -> str:
    """Return a text that continues a line: its lists and further paragraphs are on new lines.

    ``indent`` are the spaces that keep them inside an item of a list.
    """
    lines = ""
    for group in phrases.paragraphs(text):
        if group[0].listed:
            lines += "".join(f"\n{indent}{_block(block)}" for block in group)
        elif lines:
            lines += f"\n\n{indent}{_block(group[0])}"
        else:
            lines = f" {inline(group[0].spans).strip()}"
    return lines


def _span(span: Span) -> str:
    text = escape(span.text)
    lead = " " if span.text[:1].isspace() else ""
    tail = " " if text and span.text[-1:].isspace() else ""
    mark = ("**" if span.bold else "") + ("*" if span.italic else "")
    return f"{lead}{mark}{text}{mark[::-1]}{tail}" if text else lead


def start(text: str) -> str:
    """Escape the first character of a paragraph if it would begin a list."""
    return STARTS.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", text)


def prose(text: Prose) -> Iterator[str]:
    """Yield the paragraphs and lists of a text."""
    for group in phrases.paragraphs(text):
        yield "\n".join(map(_block, group))


def _block(block: Block) -> str:
    text = start(inline(block.spans).strip())
    return f"- {text}" if block.listed else text


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], centred: bool = False) -> str:
    rule = [":-:" if centred else "---"] * len(head)
    lines = [head, rule, *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _facts(facts: Iterable[view.Fact]) -> str:
    return _listed(f"**{escape(fact.label)}** {escape(fact.text)}" for fact in facts)


def _parts(sheet: view.SheetView, problems: Sequence[Problem]) -> Iterator[str]:
    yield from _head(sheet, problems)
    yield from _scores(sheet.attributes_label, sheet.attributes, 2)
    yield from _vitals(sheet.vitals, phrases.sheet_figures(sheet))
    yield from _pools(sheet.pools)
    yield from _combat(sheet.combat, 2)
    if sheet.weapons:
        yield "## Attacks"
        if sheet.attack_rules is not None:
            yield _("**{dice}** + roll. {note}").format(
                dice=dice_notation(sheet.attack_rules.dice), note=escape(sheet.attack_rules.note)
            )
        yield _attacks(sheet.weapons)
    if sheet.cards:
        yield f"## {escape(sheet.cards_label)}"
        yield from (part for card in sheet.cards for part in _card(card, 3))
    for label, items in sheet.item_groups:
        yield f"## {escape(label)}"
        for place, group in groupby(items, key=lambda item: item.place):
            if place:
                yield f"### {escape(place)}"
            yield "\n".join(line for item in group for line in _item(item))
    yield from (part for unit in sheet.units for part in _unit(unit, sheet))
    if sheet.training:
        yield f"## {escape(sheet.training_label)}"
        yield "\n".join(map(_entry, sheet.training))
    yield from _stories(sheet)
    if sheet.table_rules:
        yield "## " + _("Table rules")
        yield _facts(sheet.table_rules)
    if sheet.allowed:
        yield "## " + _("Allowed at this table")
        yield _listed(map(escape, phrases.fact_texts(sheet.allowed)))
    if sheet.charts:
        yield "## Charts"
        yield from (part for chart in sheet.charts for part in _chart(chart))
    yield from _reference(sheet)
    yield _listed(escape(credit.line) for credit in sheet.credits)


def _head(sheet: view.SheetView, problems: Sequence[Problem]) -> Iterator[str]:
    yield f"# {escape(sheet.name)}"
    level = escape(phrases.level_text(sheet, sheet.level))
    headline = (f"{escape(head.kind)}: **{escape(head.name)}**" for head in sheet.headline)
    yield phrases.join_parts((escape(sheet.ruleset), level, *headline))
    lines = [f"> - {escape(text)}" for text in phrases.problem_texts(sheet, problems)]
    if lines:
        yield "\n".join(["> **" + _("This character breaks the rules:") + "**", ">", *lines])
    for head in sheet.headline:
        if head.facts:
            yield _facts(head.facts)
        yield from prose(head.text)


def _scores(label: str, scores: Sequence[view.Attribute], depth: int) -> Iterator[str]:
    if not scores:
        return
    yield f"{'#' * depth} {escape(label)}"
    heads = [escape(score.label) for score in scores]
    texts = [(score.key, escape(phrases.score_text(score))) for score in scores]
    cells = (f"**{text}**" if key else text for key, text in texts)
    yield _table(heads, [list(cells)], centred=True)


def _vitals(vitals: Sequence[view.SheetVital], facts: Sequence[view.Fact]) -> Iterator[str]:
    if vitals:
        yield _table(["", _("Now"), _("Max"), _("Half")], map(_vital, vitals))
    if facts:
        yield _facts(facts)


def _vital(vital: view.SheetVital) -> list[str]:
    label = escape(vital.label) + (_(" (shared)") if vital.shared else "")
    now = f"{vital.current} ({escape(vital.step)})" if vital.step else str(vital.current)
    bounds = ("" if number is None else str(number) for number in (vital.max, vital.half))
    return [f"**{label}**", now, *bounds]


def _pools(pools: Sequence[view.SheetPool]) -> Iterator[str]:
    if pools:
        yield _listed(map(escape, phrases.pool_texts(pools)))


def _combat(facts: Sequence[view.Fact], depth: int) -> Iterator[str]:
    if facts:
        yield f"{'#' * depth} " + _("Combat")
        yield _facts(facts)


def _chart(chart: view.SheetChart) -> Iterator[str]:
    yield f"### {escape(chart.label)}"
    yield from prose(chart.text)
    heads = map(escape, (chart.key, *chart.columns))
    yield _table(list(heads), ([*map(escape, (row.heading, *row.cells))] for row in chart.rows))


def _attacks(weapons: Iterable[view.Weapon]) -> str:
    rows = []
    for name, attack, notes in phrases.attacks_with_notes(weapons):
        versus = (
            " " + _("vs {defence}").format(defence=escape(attack.versus)) if attack.versus else ""
        )
        roll = (
            f"**{escape(attack.roll)}**{versus} ({escape(attack.made_of)})" if attack.roll else ""
        )
        damage = f"**{escape(phrases.damage_text(attack))}** {escape(attack.types)}"
        about = phrases.join_parts([*map(escape, notes), flat(attack.text.full)])
        rows.append([escape(name), escape(attack.range), roll, damage, about])
    return _table([_("Attack"), _("Range"), _("Roll"), _("Damage"), _("Notes")], rows)


def _card(card: view.Card, depth: int) -> Iterator[str]:
    yield f"{'#' * depth} {escape(card.name)}"
    facts = phrases.join_parts(map(escape, phrases.card_facts(card)))
    if facts:
        yield f"*{facts}*"
    yield from prose(card.text.full)
    for action in card.actions:
        yield _action(action)
        yield from prose(action.text.full)


def _action(action: view.SheetAction) -> str:
    head = [f"**{escape(action.label)}**"]
    head += [f"**{escape(action.name)}**"] if action.name else []
    head += [flat(action.trigger), *map(escape, phrases.action_conditions(action))]
    return phrases.join_parts(head)


def _item(item: view.Item) -> Iterator[str]:
    facts = (item.category, *item.facts, *map(phrases.capacity_text, item.capacities))
    details = phrases.join_parts(map(escape, facts))
    text = continued(item.text.full, "  ")
    yield (
        f"- **{escape(phrases.counted_name(item))}**"
        + (f" ({details})" if details else "")
        + (f":{text}" if text else "")
    )
    yield from _nested_actions(item.actions)


def _nested_actions(actions: Iterable[view.SheetAction]) -> Iterator[str]:
    """Yield actions as items of a list below an item."""
    for action in actions:
        yield f"  - {_action(action)}:{continued(action.text.full, '    ')}"


def _unit(unit: view.UnitPanel, sheet: view.SheetView) -> Iterator[str]:
    yield f"## {escape(unit.name)}"
    level = escape(phrases.level_text(sheet, unit.level))
    yield phrases.join_parts((escape(unit.kind), level))
    if unit.facts:
        yield _facts(unit.facts)
    yield from prose(unit.text)
    yield from _scores(sheet.attributes_label, unit.attributes, 3)
    yield from _vitals(unit.vitals, phrases.unit_figures(unit))
    yield from _pools(unit.pools)
    yield from _combat(unit.combat, 3)
    if unit.weapons:
        yield "### Attacks"
        yield _attacks(unit.weapons)
    yield from (part for card in unit.cards for part in _card(card, 3))


def _entry(entry: view.Entry) -> str:
    text = continued(entry.text.full, "  ")
    line = f"- **{escape(entry.name)}**" + (f":{text}" if text else "")
    return "\n".join((line, *_nested_actions(entry.actions)))


def _stories(sheet: view.SheetView) -> Iterator[str]:
    """Yield the story and the player's notes."""
    answered = [part for part in sheet.story if part.answers]
    if answered:
        yield "## Story"
        yield from (line for part in answered for line in _story(part))
    if sheet.notes:
        yield "## Notes"
        yield "\n".join(map(_note, sheet.notes))


def _story(part: view.StoryPart) -> Iterator[str]:
    yield f"### {escape(part.label)}"
    for answer in part.answers:
        name = f"**{escape(answer.name)}**" if answer.name else ""
        paragraphs = list(prose(answer.text))
        if name and paragraphs and not answer.text[0].listed:
            yield f"{name}: {paragraphs.pop(0)}"
        elif name:
            yield name
        yield from paragraphs


def _note(note: view.Note) -> str:
    about = f"{escape(note.signature)}: " if note.signature else ""
    return f"- {about}{flat(note.text)}"


def _reference(sheet: view.SheetView) -> Iterator[str]:
    """Yield the rules terms that the sheet explains."""
    groups = (
        (sheet.actions_label, sheet.actions),
        (_("Conditions"), sheet.conditions),
        (_("Rules at hand"), sheet.reference),
    )
    for label, entries in groups:
        if entries:
            yield f"## {escape(label)}"
            yield "\n".join(map(_entry, entries))
