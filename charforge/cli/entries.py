"""Catalog entries in the terminal: lists, one entry whole, rulings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from charforge.content.models import Action, Attack, Entity, Ruling
from charforge.content.ruleset import Ruleset
from charforge.engine.prerequisites import words
from charforge.report import types
from charforge.text import as_written


def list_entities(entities: Iterable[Entity], ruleset: Ruleset, console: Console) -> None:
    """Print entities as a table, a heading for each kind."""
    by_kind: dict[str, list[Entity]] = {}
    for entity in entities:
        by_kind.setdefault(entity.kind, []).append(entity)
    for kind, several in by_kind.items():
        console.print(f"[bold]{escape(ruleset.kinds[kind].plural)}[/bold] ({len(several)})")
        table = Table.grid(padding=(0, 2), expand=False)
        table.add_column(no_wrap=True, style="cyan")
        table.add_column(no_wrap=True)
        table.add_column(style="dim")
        for entity in several:
            table.add_row(entity.id, escape(entity.name), escape(_brief(entity, ruleset)))
        console.print(Padding(table, (0, 0, 1, 2)))


def _brief(entity: Entity, ruleset: Ruleset) -> str:
    parts = list(entity.tags)
    if entity.slots is not None:
        parts.append(f"{entity.slots} slots" if entity.slots != 1 else "1 slot")
    if entity.price is not None:
        parts.append(f"{entity.price}")
    if entity.requires is not None:
        parts.append(f"requires {words(entity.requires, ruleset)}")
    return ", ".join(parts)


def show_entity(entity: Entity, ruleset: Ruleset, console: Console) -> None:
    """Print one entity with all it does."""
    kind = ruleset.kinds[entity.kind]
    console.print(
        f"[bold]{escape(entity.name)}[/bold]  [dim]{escape(kind.label)} · {entity.id}[/dim]"
    )
    for label, value in _facts(entity, ruleset):
        console.print(f"  [dim]{escape(label)}:[/dim] {escape(value)}")
    if entity.text:
        console.print(Padding(marked(as_written(entity.text)), (1, 0, 0, 2)))
    for action in entity.actions:
        console.print(Padding(_action(action, ruleset), (1, 0, 0, 2)))
    for attack in entity.attacks:
        console.print(Padding(_attack(attack, entity, ruleset), (1, 0, 0, 2)))
    place = f"[dim]{escape(ruleset.head.book)}, {escape(entity.source)}[/dim]"
    console.print(Padding(place, (1, 0, 0, 2)))
    for name in entity.rulings:
        ruling = ruleset.rulings[name]
        said = f"[dim]{name} {escape(ruling.title)}: {marked(ruling.ruling)}[/dim]"
        console.print(Padding(said, (0, 0, 0, 2)))


def _facts(entity: Entity, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    if entity.alias_of:
        yield "Another name of", entity.alias_of
    if entity.tags:
        yield "Tags", ", ".join(entity.tags)
    for name, field in ruleset.kinds[entity.kind].fields.items():
        value = entity.own.get(name)
        if value is True:
            yield field.label, "yes"
        elif value not in (None, False):
            yield field.label, ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    if entity.slots is not None:
        yield "Slots", str(entity.slots)
    if entity.price is not None:
        yield "Price", str(entity.price)
    if entity.requires is not None:
        yield "Requires", words(entity.requires, ruleset)
    if entity.replaces is not None:
        yield "Replaces", ruleset.entities[entity.replaces].name
    if entity.repeatable:
        yield "Repeatable", f"each with another {entity.distinct}" if entity.distinct else "yes"
    for item in entity.capacities:
        yield item.label, str(item.max)
    if entity.grants:
        given = (
            ruleset.entities[g.id].name + (f" at level {g.level}" if g.level > 1 else "")
            for g in entity.grants
        )
        yield "Gives", ", ".join(given)
    for choice in entity.choices:
        yield "Choice", choice.label


def _action(action: Action, ruleset: Ruleset) -> str:
    timing = next(t.label for t in ruleset.head.timings if t.id == action.timing)
    parts = [f"[bold]{escape(timing)}[/bold]"]
    if action.name:
        parts.append(f"[bold]{escape(action.name)}[/bold]")
    for name, amount in action.cost.items():
        value = ruleset.values.get(name)
        parts.append(f"{amount} {escape(value.label if value else name.replace('-', ' '))}")
    if action.cooldown:
        parts.append(
            escape(
                f"Cooldown {action.cooldown}" if action.cooldown[0].isdigit() else action.cooldown
            )
        )
    said = (action.limit, action.trigger, action.who)
    parts += [marked(as_written(part)) for part in said if part]
    if action.requires is not None:
        parts.append(escape(f"needs {words(action.requires, ruleset)}"))
    return " · ".join(parts) + "\n" + marked(as_written(action.text))


def _attack(attack: Attack, bearer: Entity, ruleset: Ruleset) -> str:
    hit = attack.hit if isinstance(attack.hit, int) else ruleset.values[attack.hit].label
    shots = f" × {attack.shots} shots" if attack.shots is not None else ""
    terms = [ruleset.term(name) for name in types(attack, bearer, ruleset)]
    dealt = " or ".join(term.label for term in terms if term is not None)
    parts = [
        f"[bold]{escape(attack.name or 'Attack')}[/bold]",
        escape(attack.range),
        f"{hit} vs {ruleset.values[attack.defence].label}",
        escape(f"{attack.damage}{shots} {dealt}".rstrip()),
    ]
    if attack.crit is not None:
        parts.append(escape(f"Crit {attack.crit.margin}: {attack.crit.effect}"))
    if attack.requires is not None:
        parts.append(escape(f"needs {words(attack.requires, ruleset)}"))
    text = "\n" + marked(as_written(attack.text)) if attack.text else ""
    return " · ".join(parts) + text


def marked(text: str) -> str:
    """Turn the packs' Markdown subset into the console's markup."""
    shown = escape(text)
    shown = re.sub(r"\*\*(.+?)\*\*", r"[bold]\1[/bold]", shown)
    return re.sub(r"\*(.+?)\*", r"[italic]\1[/italic]", shown)


def list_rulings(rulings: Iterable[Ruling], ruleset: Ruleset, console: Console) -> None:
    """Print rulings, and the ways a table may rule otherwise."""
    for ruling in rulings:
        console.print(f"[bold]{ruling.id}  {escape(ruling.title)}[/bold]")
        console.print(Padding(f"[dim]{marked(ruling.question)}[/dim]", (0, 0, 0, 5)))
        console.print(Padding(marked(ruling.ruling), (0, 0, 0, 5)))
        rule = ruleset.table_rules.get(ruling.table_rule)
        for option in rule.options if rule else ():
            mark = " (default)" if rule is not None and option.id == rule.default else ""
            way = f"--rule {ruling.table_rule}={option.id}  {escape(option.label)}{mark}"
            console.print(Padding(way, (0, 0, 0, 5)))
