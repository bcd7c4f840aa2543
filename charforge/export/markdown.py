"""Notes for Obsidian, GitHub and whatever else reads Markdown: the whole sheet.

Whoever wrote a name or a story meant its signs: each is escaped, so that
it is printed and does nothing (CommonMark 2.4). ``<``, ``&`` and ``|``
become entities, which hold inside tables and links alike; Obsidian's own
marks (``#tag``, ``[[link]]``, ``==mark==``, ``%%comment%%``, ``$math$``)
fall under the same rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from charforge.export import wording
from charforge.expressions.markup import Block, Prose, Span
from charforge.replay.replay import Character, Problem
from charforge.sheet import view
from charforge.sheet.build import build

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}
SIGNS = re.compile(r"[\\`*_\[\]#~$^=%]|[&<>|]")
STARTS = re.compile(r"^(?:([-+])|(\d+)([.)]))(?=\s|[-+]|$)")


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the notes; ``problems`` of the file are told at the head."""
    shown = build(character)
    allowed = wording.allowed(shown)
    return "\n\n".join(_parts(shown, problems, allowed)) + "\n"


def escape(text: str) -> str:
    """Return a text in one line as Markdown prints it, whatever signs it holds."""

    def one(found: re.Match[str]) -> str:
        return ENTITIES.get(found[0]) or f"\\{found[0]}"

    return SIGNS.sub(one, wording.typed(text))


def inline(spans: Iterable[Span]) -> str:
    """Return spans as Markdown; marks stand at words, never at spaces."""
    return "".join(_span(span) for span in spans)


def flat(prose: Prose) -> str:
    """Return a text in one line of Markdown, for a cell of a table."""
    return " ".join(("• " if block.listed else "") + inline(block.spans) for block in prose)


def _span(span: Span) -> str:
    text = escape(span.text)
    lead = " " if span.text[:1].isspace() else ""
    tail = " " if text and span.text[-1:].isspace() else ""
    mark = ("**" if span.bold else "") + ("*" if span.italic else "")
    return f"{lead}{mark}{text}{mark[::-1]}{tail}" if text else lead


def start(text: str) -> str:
    """Escape what would make a list of a paragraph's first sign."""
    return STARTS.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", text)


def prose(found: Prose) -> Iterator[str]:
    """Yield the paragraphs and lists of a text."""
    for group in wording.paragraphs(found):
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


def _parts(
    shown: view.SheetView, problems: Sequence[Problem], allowed: Sequence[str]
) -> Iterator[str]:
    yield from _plate(shown, problems)
    yield from _numbers(shown.attributes_label, shown.attributes, 2)
    yield from _vitals(
        shown.vitals, (*wording.standing(shown.active_conditions), *shown.figures, *shown.stores)
    )
    yield from _pools(shown.pools)
    if shown.attacks:
        yield "## Attacks"
        if shown.attack_rules is not None:
            yield f"**{shown.attack_rules.dice}** + roll. {escape(shown.attack_rules.note)}"
        yield _attacks(shown.attacks)
    if shown.cards:
        yield f"## {escape(shown.cards_label)}"
        yield from (part for card in shown.cards for part in _card(card, 3))
    for label, items in shown.item_groups:
        yield f"## {escape(label)}"
        yield "\n".join(line for item in items for line in _item(item))
    yield from (part for unit in shown.units for part in _unit(unit, shown))
    if shown.training:
        yield f"## {escape(shown.training_label)}"
        yield "\n".join(map(_entry, shown.training))
    told = [part for part in shown.story if part.answers]
    if told:
        yield "## Story"
        yield from (line for part in told for line in _story(part))
    if shown.table_rules:
        yield "## Table rules"
        yield _facts(shown.table_rules)
    if allowed:
        yield "## Allowed at this table"
        yield _listed(map(escape, allowed))
    if shown.charts:
        yield "## Charts"
        yield from (part for chart in shown.charts for part in _chart(chart))
    yield from _reference(shown)


def _plate(shown: view.SheetView, problems: Sequence[Problem]) -> Iterator[str]:
    yield f"# {escape(shown.name)}"
    level = f"{escape(shown.level_label)} {shown.level}"
    heads = (f"{escape(head.kind)}: **{escape(head.name)}**" for head in shown.headline)
    yield wording.joined((escape(shown.ruleset), level if shown.levels > 1 else "", *heads))
    lines = [f"> - {escape(text)}" for text in wording.wrong(shown, problems)]
    if lines:
        yield "\n".join(["> **The rules do not allow this character as it is:**", ">", *lines])
    for head in shown.headline:
        if head.facts:
            yield _facts(head.facts)
        yield from prose(head.text)


def _numbers(label: str, scores: Sequence[view.Attribute], depth: int) -> Iterator[str]:
    if not scores:
        return
    yield f"{'#' * depth} {escape(label)}"
    heads = [escape(score.label) for score in scores]
    cells = (f"**{wording.score(s)}**" if s.key else wording.score(s) for s in scores)
    yield _table(heads, [list(cells)], centred=True)


def _vitals(vitals: Sequence[view.SheetVital], facts: Sequence[view.Fact]) -> Iterator[str]:
    if vitals:
        yield _table(["", "Now", "Max", "Half"], map(_vital, vitals))
    if facts:
        yield _facts(facts)


def _vital(found: view.SheetVital) -> list[str]:
    label = escape(found.label) + (" (shared)" if found.shared else "")
    now = f"{found.current} ({escape(found.step)})" if found.step else str(found.current)
    bounds = ("" if number is None else str(number) for number in (found.max, found.half))
    return [f"**{label}**", now, *bounds]


def _pools(pools: Sequence[view.SheetPool]) -> Iterator[str]:
    if pools:
        yield _listed(map(escape, wording.pools(pools)))


def _chart(chart: view.SheetChart) -> Iterator[str]:
    yield f"### {escape(chart.label)}"
    yield from prose(chart.text)
    heads = map(escape, (chart.key, *chart.columns))
    yield _table(list(heads), ([*map(escape, (row.heading, *row.cells))] for row in chart.rows))


def _attacks(lines: Iterable[view.AttackLine]) -> str:
    rows = []
    for line in lines:
        notes = [*map(escape, wording.notes(line)), flat(line.text)]
        roll = f"**{escape(line.roll)}** vs {escape(line.versus)} ({escape(line.made_of)})"
        damage = f"**{escape(line.damage)}** {escape(line.types)}"
        name, reach = escape(wording.attack(line)), escape(line.range)
        rows.append([name, reach, roll, damage, wording.joined(notes)])
    return _table(["Attack", "Range", "Roll", "Damage", "Notes"], rows)


def _card(card: view.Card, depth: int) -> Iterator[str]:
    yield f"{'#' * depth} {escape(card.name)}"
    terms = wording.joined(map(escape, wording.terms(card)))
    if terms:
        yield f"*{terms}*"
    yield from prose(card.text)
    for action in card.actions:
        yield _action(action)
        yield from prose(action.text)


def _action(action: view.SheetAction) -> str:
    head = [f"**{escape(action.label)}**"]
    head += [f"**{escape(action.name)}**"] if action.name else []
    head += [flat(action.trigger), *map(escape, wording.conditions(action))]
    return wording.joined(head)


def _item(item: view.Item) -> Iterator[str]:
    facts = (item.category, *item.facts, *map(wording.capacity, item.capacities))
    said = wording.joined(map(escape, facts))
    text = flat(item.text)
    yield (
        f"- **{escape(wording.name(item))}**"
        + (f" ({said})" if said else "")
        + (f": {text}" if text else "")
    )
    for action in item.actions:
        yield f"  - {_action(action)}: {flat(action.text)}"


def _unit(unit: view.UnitPanel, shown: view.SheetView) -> Iterator[str]:
    yield f"## {escape(unit.name)}"
    level = f"{escape(shown.level_label)} {unit.level}"
    yield wording.joined((escape(unit.kind), level if shown.levels > 1 else ""))
    if unit.facts:
        yield _facts(unit.facts)
    yield from prose(unit.text)
    yield from _numbers(shown.attributes_label, unit.attributes, 3)
    yield from _vitals(unit.vitals, wording.figures(unit))
    yield from _pools(unit.pools)
    if unit.attacks:
        yield "### Attacks"
        yield _attacks(unit.attacks)
    yield from (part for card in unit.cards for part in _card(card, 3))


def _entry(entry: view.Entry) -> str:
    text = flat(entry.text)
    lines = [f"- **{escape(entry.name)}**" + (f": {text}" if text else "")]
    lines += [f"  - {_action(action)}: {flat(action.text)}" for action in entry.actions]
    return "\n".join(lines)


def _story(part: view.StoryPart) -> Iterator[str]:
    yield f"### {escape(part.label)}"
    for told in part.answers:
        name = f"**{escape(told.name)}**" if told.name else ""
        paragraphs = list(prose(told.text))
        if name and paragraphs and not told.text[0].listed:
            yield f"{name}: {paragraphs.pop(0)}"
        elif name:
            yield name
        yield from paragraphs


def _reference(shown: view.SheetView) -> Iterator[str]:
    """Yield the rules that this character's sheet explains, with its own figures."""
    groups = ((shown.actions_label, shown.actions), ("Conditions", shown.conditions))
    for label, entries in (*groups, ("Rules at hand", shown.reference)):
        if entries:
            yield f"## {escape(label)}"
            yield "\n".join(map(_entry, entries))
