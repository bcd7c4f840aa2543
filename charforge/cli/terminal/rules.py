"""Catalog entries in the terminal: lists, single entries, rulings.

Texts of a pack are printed as ``SafeText``, because rich would read brackets in
a string as its own markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from charforge.character import requirements
from charforge.character.values import Values
from charforge.cli.terminal.screen import SafeText
from charforge.describe import entities, formulas
from charforge.expressions.template import NO_BREAK, parse_markup
from charforge.language import _
from charforge.rules.models import Entity, LevelTable, Ruling
from charforge.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from charforge.packs.diff import PackMarks

MARGINS = 8  # columns of a table: its indent, and the space after each of its columns
NO_RULES: Mapping[str, str] = MappingProxyType({})  # every table rule as the book has it
LONGEST_FACTS = 40  # columns of facts beside a name; longer ones are wrapped


def list_entities(listed: Iterable[Entity], ruleset: Ruleset, console: Console) -> None:
    """Print entities as a table, a heading for each kind."""
    by_kind: dict[str, list[Entity]] = {}
    for entity in listed:
        by_kind.setdefault(entity.kind, []).append(entity)
    for kind, of_kind in by_kind.items():
        console.print(SafeText.assemble((ruleset.kinds[kind].plural, "bold"), f" ({len(of_kind)})"))
        rows = [(entity.id, entity.name, _brief(entity, ruleset)) for entity in of_kind]
        console.print(Padding(_entity_table(rows, console.width), (0, 0, 1, 2)))


def _entity_table(rows: Sequence[tuple[str, str, str]], columns: int) -> Table:
    """Return ids, names and facts as a table; on a narrow terminal the facts go below the names."""
    table = Table.grid(padding=(0, 2))
    ids, names, facts_widths = (max(map(cell_len, cells)) for cells in zip(*rows, strict=True))
    table.add_column(style="cyan", overflow="fold", min_width=min(ids, columns // 2))
    table.add_column(overflow="fold")
    if ids + names + min(facts_widths, LONGEST_FACTS) + MARGINS > columns:
        for id, name, facts in rows:
            below = SafeText.assemble("\n", (facts, "dim")) if facts else ""
            table.add_row(id, SafeText.assemble(name, below))
        return table
    table.add_column(style="dim", overflow="fold")
    for id, name, facts in rows:
        table.add_row(id, SafeText(name), SafeText(facts))
    return table


def _brief(entity: Entity, ruleset: Ruleset) -> str:
    parts = list(_tags(entity, ruleset))
    if entity.slots is not None:
        parts.append(entities.slots_text(entity.slots, ruleset))
    if entity.price is not None:
        parts.append(f"{entity.price}")
    if entity.requires is not None:
        parts.append(
            _("requires {requirement}").format(
                requirement=requirements.requirement_text(entity.requires, ruleset)
            )
        )
    if entity.id in ruleset.origins:
        parts.append(_("pack {origins}").format(origins=ruleset.origins[entity.id]))
    return ", ".join(parts)


def _tags(entity: Entity, ruleset: Ruleset) -> Iterable[str]:
    """Return the tags of an entity; its short facts in a translated game, since tags are ids."""
    if not ruleset.language:
        return entity.tags
    return (fact for fact in entities.short_facts(entity, ruleset) if len(fact) <= LONGEST_FACTS)


def show_entity(
    entity: Entity, ruleset: Ruleset, console: Console, rules: Mapping[str, str] = NO_RULES
) -> None:
    """Print one entity as it is with some table rules: terms, text, tables, source and rulings."""
    kind = ruleset.kinds[entity.kind]
    title = SafeText.assemble((entity.name, "bold"), "  ", (f"{kind.label} · {entity.id}", "dim"))
    console.print(title)
    if entity.alias_of:
        console.print(
            SafeText(_("  Another name of {alias}").format(alias=entity.alias_of), style="dim")
        )
    terms = " · ".join(entities.entity_terms(entity, ruleset))
    if terms:
        console.print(Padding(SafeText(terms), (0, 0, 0, 2)))
    described = entities.as_played(entity, ruleset, ruleset.table_rule_options(rules))
    print_paragraphs(entities.entity_paragraphs(described, ruleset), console)
    for table in entity.tables:
        console.print(Padding(_level_table(table, ruleset), (1, 0, 0, 2)), markup=False)
    origin = ruleset.origins.get(entity.id)
    pack = next((pack for pack in ruleset.packs if pack.id == origin), None)
    book = (
        ruleset.head.book
        if pack is None
        else _("Pack {name} {version} ({id})").format(
            name=pack.name, version=pack.version, id=pack.id
        )
    )
    console.print(SafeText(f"\n  {book}, {entity.source}", style="dim"), soft_wrap=False)
    print_marks(entity, ruleset, console)
    for name in entity.rulings:
        ruling = ruleset.rulings[name]
        text = SafeText(f"{name} {ruling.title}: {ruling.ruling}", style="dim")
        console.print(Padding(text, (0, 0, 0, 2)))


def print_marks(entity: Entity, ruleset: Ruleset, console: Console) -> None:
    """Print which packs changed an entity, and why."""
    if not ruleset.packs:
        return
    for mark in _marks(ruleset).of_entity(entity.id):
        if not mark.new:  # then the pack stands in place of the book
            console.print(Padding(SafeText(mark.text, style="dim"), (0, 0, 0, 2)))


def value_mark_lines(values: Values, name: str) -> Iterator[str]:
    """Yield what packs changed in a value of a unit, and in what its steps come from."""
    ruleset, marks = values.ruleset, _marks(values.ruleset)
    for mark in marks.of_value(values.unit.type.id, name):
        yield f"  {mark.text}"
    for source in dict.fromkeys(step.source for step in values.explain(name).steps):
        for mark in marks.of_source(source):
            yield f"  {ruleset.entity(source).name}: {mark.text}"


def _marks(ruleset: Ruleset) -> PackMarks:
    # Here, because few games have packs, and comparing them imports what prints rulebooks.
    from charforge.packs.diff import pack_marks

    return pack_marks(ruleset)


def print_paragraphs(paragraphs: Iterable[str], console: Console) -> None:
    """Print paragraphs of markup, indented."""
    for paragraph in paragraphs:
        console.print(Padding(markup_text(paragraph), (0, 0, 0, 2)))


def _level_table(levels: LevelTable, ruleset: Ruleset) -> Table:
    """Return the drawing of a table; an empty cell repeats the one above."""
    drawn = Table.grid(padding=(0, 3))
    by = ruleset.values.get(levels.by)
    labels = [ruleset.values[name].label for _column, name in levels.value_columns]
    drawn.add_row(by.label if by else ruleset.head.advancement.label, *labels, style="dim")
    for row in levels.rows:
        numbers = (levels.cell(row, column).text for column, _name in levels.value_columns)
        cells = [formulas.formula_text(number, ruleset) for number in numbers]
        granted = ", ".join(ruleset.entity(grant.id).name for grant in levels.granted_at(row))
        number = row if by else ruleset.head.advancement.number(row)
        drawn.add_row(str(number), *cells, granted)
    return drawn


def markup_text(markup: str, style: str = "") -> SafeText:
    """Return the markup of a pack as text for the console, one line per paragraph."""
    text = SafeText(style=style)
    for index, block in enumerate(parse_markup(markup)):
        text.append(("\n" if index else "") + ("- " if block.listed else ""))
        for span in block.spans:
            styles = [name for name in ("bold", "italic") if getattr(span, name)]
            # The console breaks lines itself, and copied text should have ordinary spaces.
            text.append(span.text.replace(NO_BREAK, " "), " ".join(styles))
    return text


def list_rulings(rulings: Iterable[Ruling], ruleset: Ruleset, console: Console) -> None:
    """Print rulings, each with the options of its table rule."""
    for ruling in rulings:
        console.print(SafeText(f"{ruling.id}  {ruling.title}", style="bold"))
        console.print(Padding(markup_text(ruling.question, "dim"), (0, 0, 0, 5)))
        console.print(Padding(markup_text(ruling.ruling), (0, 0, 0, 5)))
        rule = ruleset.table_rules.get(ruling.table_rule)
        for option in rule.options if rule else ():
            mark = _(" (default)") if rule is not None and option.id == rule.default else ""
            way = f"--rule {ruling.table_rule}={option.id}  {option.label}{mark}"
            console.print(Padding(SafeText(way), (0, 0, 0, 5)))
