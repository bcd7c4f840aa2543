"""Catalog entries in the terminal: lists, single entries, rulings.

Everything a pack says is drawn as text: brackets in it are no markup of
the console's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from charforge.character import requirements
from charforge.describe import entities as about
from charforge.expressions.markup import parse_markup
from charforge.expressions.template import NO_BREAK
from charforge.rules.models import Entity, LevelTable as Figures, Ruling
from charforge.rules.ruleset import Ruleset


def list_entities(entities: Iterable[Entity], ruleset: Ruleset, console: Console) -> None:
    """Print entities as a table, a heading for each kind."""
    by_kind: dict[str, list[Entity]] = {}
    for entity in entities:
        by_kind.setdefault(entity.kind, []).append(entity)
    for kind, several in by_kind.items():
        console.print(Text.assemble((ruleset.kinds[kind].plural, "bold"), f" ({len(several)})"))
        table = Table.grid(padding=(0, 2), expand=False)
        table.add_column(no_wrap=True, style="cyan")
        table.add_column(no_wrap=True)
        table.add_column(style="dim")
        for entity in several:
            table.add_row(entity.id, Text(entity.name), Text(_brief(entity, ruleset)))
        console.print(Padding(table, (0, 0, 1, 2)))


def _brief(entity: Entity, ruleset: Ruleset) -> str:
    parts = list(entity.tags)
    if entity.slots is not None:
        parts.append(f"{entity.slots} slots" if entity.slots != 1 else "1 slot")
    if entity.price is not None:
        parts.append(f"{entity.price}")
    if entity.requires is not None:
        parts.append(f"requires {requirements.requirement_text(entity.requires, ruleset)}")
    if entity.id in ruleset.origins:
        parts.append(f"pack {ruleset.origins[entity.id]}")
    return ", ".join(parts)


def show_entity(entity: Entity, ruleset: Ruleset, console: Console) -> None:
    """Print one entity with all it does, is and gives."""
    kind = ruleset.kinds[entity.kind]
    title = Text.assemble((entity.name, "bold"), "  ", (f"{kind.label} · {entity.id}", "dim"))
    console.print(title)
    if entity.alias_of:
        console.print(Text(f"  Another name of {entity.alias_of}", style="dim"))
    terms = " · ".join(_terms(entity, ruleset))
    if terms:
        console.print(Padding(Text(terms), (0, 0, 0, 2)))
    for paragraph in about.entity_paragraphs(entity, ruleset):
        console.print(Padding(markup_text(paragraph), (0, 0, 0, 2)))
    for table in entity.tables:
        console.print(Padding(_rows(table, ruleset), (1, 0, 0, 2)), markup=False)
    origin = ruleset.origins.get(entity.id)
    pack = next((pack for pack in ruleset.packs if pack.id == origin), None)
    book = ruleset.head.book if pack is None else f"Pack {pack.name} {pack.version} ({pack.id})"
    console.print(Text(f"\n  {book}, {entity.source}", style="dim"), soft_wrap=False)
    for name in entity.rulings:
        ruling = ruleset.rulings[name]
        told = f"{name} {ruling.title}: {ruling.ruling}"
        console.print(Padding(Text(told, style="dim"), (0, 0, 0, 2)))


def _terms(entity: Entity, ruleset: Ruleset) -> Iterator[str]:
    """Yield the costs and requirements of an entity."""
    if entity.slots is not None:
        yield "1 Slot" if entity.slots == 1 else f"{entity.slots} Slots"
    if entity.price is not None:
        yield f"Price {entity.price}"
    if entity.requires is not None:
        yield f"Requires {requirements.requirement_text(entity.requires, ruleset)}"
    if entity.replaces is not None:
        yield f"Replaces {ruleset.entities[entity.replaces].name}"
    if entity.repeatable:
        yield (
            f"Repeatable, each with another {entity.distinct}" if entity.distinct else "Repeatable"
        )


def _rows(levels: Figures, ruleset: Ruleset) -> Table:
    """Draw a table of figures, blank cells carried on."""
    drawn = Table.grid(padding=(0, 3))
    by = ruleset.values.get(levels.by)
    labels = [ruleset.values[name].label for name in levels.columns]
    drawn.add_row(by.label if by else ruleset.head.advancement.label, *labels, style="dim")
    for row in levels.rows:
        cells = (levels.cell(row, column).text for column in range(len(levels.columns)))
        drawn.add_row(str(row), *(about.formula_text(cell, ruleset) for cell in cells))
    return drawn


def markup_text(markup: str, style: str = "") -> Text:
    """Return the markup of a pack as text for the console, a line for each paragraph."""
    text = Text(style=style)
    for index, block in enumerate(parse_markup(markup)):
        text.append(("\n" if index else "") + ("- " if block.listed else ""))
        for span in block.spans:
            styles = [name for name in ("bold", "italic") if getattr(span, name)]
            # The console breaks lines itself, and copied text should have ordinary spaces.
            text.append(span.text.replace(NO_BREAK, " "), " ".join(styles))
    return text


def list_rulings(rulings: Iterable[Ruling], ruleset: Ruleset, console: Console) -> None:
    """Print rulings, and the ways a table may rule otherwise."""
    for ruling in rulings:
        console.print(Text(f"{ruling.id}  {ruling.title}", style="bold"))
        console.print(Padding(markup_text(ruling.question, "dim"), (0, 0, 0, 5)))
        console.print(Padding(markup_text(ruling.ruling), (0, 0, 0, 5)))
        rule = ruleset.table_rules.get(ruling.table_rule)
        for option in rule.options if rule else ():
            mark = " (default)" if rule is not None and option.id == rule.default else ""
            way = f"--rule {ruling.table_rule}={option.id}  {option.label}{mark}"
            console.print(Padding(Text(way), (0, 0, 0, 5)))
