"""``catalog list``, ``search``, ``show`` and ``rulings``: the contents of a ruleset.

Texts of a pack are printed as ``Text``, because rich would read brackets in a
string as its own markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Optional

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from charforge.character import requirements
from charforge.cli import console
from charforge.cli.completion import (
    complete_entities,
    complete_games,
    complete_kinds,
    complete_rulings,
)
from charforge.cli.options import AsJson, Command, PackOption, RulesetOption
from charforge.cli.packs.campaign_defaults import choose_game
from charforge.describe import entities
from charforge.errors import UnknownId, UsageError, shorten
from charforge.export import report
from charforge.expressions.markup import parse_markup
from charforge.expressions.template import NO_BREAK
from charforge.language import N_, _
from charforge.rules.loading.loader import read
from charforge.rules.loading.patches import patch_paths
from charforge.rules.models import Entity, LevelTable, Ruling
from charforge.rules.models.base import original, spellings
from charforge.rules.ruleset import Ruleset

PLAIN = re.compile(r"[\w/-]+(?: [\w/-]+)*")  # words that need no quotes in YAML

app = typer.Typer(add_completion=False)


def _load(ruleset: str | None, packs: list[str] | None) -> Ruleset:
    return choose_game(ruleset, packs).ruleset


@app.command("list", cls=Command)
def list_(
    ruleset: Annotated[
        Optional[str],
        typer.Argument(
            metavar="[GAME]", autocompletion=complete_games, help=N_("The game (see games).")
        ),
    ] = None,
    kind: Annotated[
        Optional[str],
        typer.Option(
            metavar="KIND", autocompletion=complete_kinds, help=N_("Only entries of this kind.")
        ),
    ] = None,
    named: RulesetOption = None,
    pack: PackOption = None,
    as_json: AsJson = False,
) -> None:
    """List everything in a ruleset, or one kind.

    \b
    Examples:
      charforge catalog list
      charforge catalog list capital --kind system
      charforge catalog list capital --kind equipment --json
      charforge catalog list --pack house-rules
    """
    if ruleset is not None and named is not None:
        raise UsageError(_("the game appears twice"), _("Name it only once."))
    loaded = _load(named if ruleset is None else ruleset, pack)
    if kind is not None and kind not in loaded.kinds:
        raise UnknownId(_("kind in {name}").format(name=loaded.head.name), kind, loaded.kinds)
    entities = [entity for entity in loaded.entities.values() if kind in (None, entity.kind)]
    _print_entities(entities, loaded, as_json)


@app.command("search", cls=Command)
def search(
    words: Annotated[
        list[str], typer.Argument(metavar="WORD…", help=N_("Words to look for; all must occur."))
    ],
    ruleset: RulesetOption = None,
    pack: PackOption = None,
    as_json: AsJson = False,
) -> None:
    """Search names and texts.

    \b
    Examples:
      charforge catalog search overwatch
      charforge catalog search regain energy --json
    """
    loaded = _load(ruleset, pack)
    folded_words = [word.casefold() for word in words]
    matches = [
        entity
        for entity in loaded.entities.values()
        if all(word in _searched_text(entity) for word in folded_words)
    ]
    _print_entities(matches, loaded, as_json)
    if not matches:
        console.say(_("Nothing found with all these words."))
        raise typer.Exit(1)


def _searched_text(entity: Entity) -> str:
    texts = [entity.id, entity.name, original(entity.name), *entity.aliases]
    texts += [entity.text, *entity.tags]
    for action in entity.actions:
        texts += [action.name, action.limit, action.trigger, action.who, action.text]
        texts += action.results.values()
    for attack in entity.attacks:
        texts += [attack.name, attack.who, attack.text, attack.crit.effect if attack.crit else ""]
    for question in (*entity.choices, *entity.each_level):
        texts.append(question.label)
        texts += [part for one in question.listed_options for part in (one.label, one.text)]
    return " ".join(texts).casefold()


def _print_entities(entities: list[Entity], ruleset: Ruleset, as_json: bool) -> None:
    if as_json:
        console.print_json([report.entity(entity, ruleset) for entity in entities])
        return
    # Here, because only this output needs rich, which takes long to import.

    list_entities(entities, ruleset, console.rich_console())


@app.command("show", cls=Command)
def show(
    id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            autocompletion=complete_entities,
            help=N_("An id such as system/focus-i, or a name."),
        ),
    ],
    ruleset: RulesetOption = None,
    pack: PackOption = None,
    as_json: AsJson = False,
) -> None:
    """Show one entry: effects, source and rulings.

    \b
    Examples:
      charforge catalog show system/focus-ii
      charforge catalog show "Auto Rifle"
      charforge catalog show capital:role/the-tank --json
    """
    scope, colon, rest = id.partition(":")
    game = choose_game(scope if colon else ruleset, pack)
    loaded = game.ruleset
    entity = _find_entity(loaded, rest if colon else id)
    if as_json:
        console.print_json(report.entity(entity, loaded))
        return
    # Here, because only this output needs rich, which takes long to import.

    show_entity(entity, loaded, console.rich_console(), game.rules)


@app.command("paths", cls=Command)
def paths(
    id: Annotated[
        str,
        typer.Argument(metavar="ID", autocompletion=complete_entities, help=N_("An id or a name.")),
    ],
    ruleset: RulesetOption = None,
    pack: PackOption = None,
    as_json: AsJson = False,
) -> None:
    """List the paths into a part of the game, for the `at` of a patch.

    A part is an entity, a procedure, a chart, a ruling, or `ruleset` for ruleset.yaml. Each
    line is a path and the keys that a patch can set, drop or add to there.

    \b
    Examples:
      charforge catalog paths equipment/standard-pistol
      charforge catalog paths "Standard Pistol" --json
      charforge catalog paths ruleset
    """
    game = _load(ruleset, pack)
    reader, _loaded = read(game.id, [used.id for used in game.packs])
    known = {at: part for at, part in reader.all_parts() if at[-1] == id}
    if not known:
        entity = _find_entity(game, id)
        known = {(entity.id,): reader.written(entity.id)}
    parts = [
        (path, keys) for at, part in known.items() for path, keys in patch_paths(part, at) if keys
    ]
    if as_json:
        console.print_json([{"at": list(at), "keys": keys} for at, keys in parts])
        return
    for at, keys in parts:
        path = at[0] if len(at) == 1 else f"[{', '.join(map(_in_yaml, at))}]"
        console.print_result(f"{path}: {', '.join(keys)}")


def _in_yaml(word: str) -> str:
    """Return a word of a path as YAML takes it in brackets."""
    return word if PLAIN.fullmatch(word) else json.dumps(word, ensure_ascii=False)


def _find_entity(loaded: Ruleset, name: str) -> Entity:
    """Return the entity with an id or a name. Raises UsageError if several have the name."""
    if "/" in name and name in loaded.entities:
        return loaded.entities[name]
    folded = name.casefold()
    matches = [
        entity
        for entity in loaded.entities.values()
        if folded in (*spellings(entity.name), entity.slug, *(a.casefold() for a in entity.aliases))
    ]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UsageError(
            _("{name} matches {ids}").format(
                name=shorten(name), ids=_(" and ").join(e.id for e in matches)
            ),
            _("Use the id."),
        )
    known = [*loaded.entities, *(entity.name for entity in loaded.entities.values())]
    raise UnknownId(_("entity of {name}").format(name=loaded.head.name), name, known)


@app.command("rulings", cls=Command)
def rulings(
    id: Annotated[
        Optional[str],
        typer.Argument(
            metavar="[RULING]", autocompletion=complete_rulings, help=N_("The number of a ruling.")
        ),
    ] = None,
    ruleset: RulesetOption = None,
    pack: PackOption = None,
    as_json: AsJson = False,
) -> None:
    """Show our rulings where the book is unclear, and the alternatives.

    \b
    Examples:
      charforge catalog rulings
      charforge catalog rulings D18
    """
    loaded = _load(ruleset, pack)
    shown_rulings = list(loaded.rulings.values())
    if id is not None:
        if id.upper() not in loaded.rulings:
            raise UnknownId(_("ruling of {name}").format(name=loaded.head.name), id, loaded.rulings)
        shown_rulings = [loaded.rulings[id.upper()]]
    if as_json:
        console.print_json([ruling.model_dump(mode="json") for ruling in shown_rulings])
        return
    # Here, because only this output needs rich, which takes long to import.

    list_rulings(shown_rulings, loaded, console.rich_console())


MARGINS = 8  # columns of a table: its indent, and the space after each of its columns
NO_RULES: Mapping[str, str] = MappingProxyType({})  # every table rule as the book has it
LONGEST_FACTS = 40  # columns of facts beside a name; longer ones are wrapped


def list_entities(listed: Iterable[Entity], ruleset: Ruleset, console: Console) -> None:
    """Print entities as a table, a heading for each kind."""
    by_kind: dict[str, list[Entity]] = {}
    for entity in listed:
        by_kind.setdefault(entity.kind, []).append(entity)
    for kind, of_kind in by_kind.items():
        console.print(Text.assemble((ruleset.kinds[kind].plural, "bold"), f" ({len(of_kind)})"))
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
            below = Text.assemble("\n", (facts, "dim")) if facts else ""
            table.add_row(id, Text.assemble(name, below))
        return table
    table.add_column(style="dim", overflow="fold")
    for id, name, facts in rows:
        table.add_row(id, Text(name), Text(facts))
    return table


def _brief(entity: Entity, ruleset: Ruleset) -> str:
    parts = list(entity.tags)
    if entity.slots is not None:
        parts.append(
            _("{slots} slots").format(slots=entity.slots) if entity.slots != 1 else "1 slot"
        )
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


def show_entity(
    entity: Entity, ruleset: Ruleset, console: Console, rules: Mapping[str, str] = NO_RULES
) -> None:
    """Print one entity as it is with some table rules: terms, text, tables, source and rulings."""
    kind = ruleset.kinds[entity.kind]
    title = Text.assemble((entity.name, "bold"), "  ", (f"{kind.label} · {entity.id}", "dim"))
    console.print(title)
    if entity.alias_of:
        console.print(
            Text(_("  Another name of {alias}").format(alias=entity.alias_of), style="dim")
        )
    terms = " · ".join(entities.entity_terms(entity, ruleset))
    if terms:
        console.print(Padding(Text(terms), (0, 0, 0, 2)))
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
    console.print(Text(f"\n  {book}, {entity.source}", style="dim"), soft_wrap=False)
    for name in entity.rulings:
        ruling = ruleset.rulings[name]
        text = Text(f"{name} {ruling.title}: {ruling.ruling}", style="dim")
        console.print(Padding(text, (0, 0, 0, 2)))


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
        cells = [entities.formula_text(number, ruleset) for number in numbers]
        granted = ", ".join(ruleset.entity(grant.id).name for grant in levels.granted_at(row))
        number = row if by else ruleset.head.advancement.number(row)
        drawn.add_row(str(number), *cells, granted)
    return drawn


def markup_text(markup: str, style: str = "") -> Text:
    """Return the markup of a pack as text for the console, one line per paragraph."""
    text = Text(style=style)
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
        console.print(Text(f"{ruling.id}  {ruling.title}", style="bold"))
        console.print(Padding(markup_text(ruling.question, "dim"), (0, 0, 0, 5)))
        console.print(Padding(markup_text(ruling.ruling), (0, 0, 0, 5)))
        rule = ruleset.table_rules.get(ruling.table_rule)
        for option in rule.options if rule else ():
            mark = _(" (default)") if rule is not None and option.id == rule.default else ""
            way = f"--rule {ruling.table_rule}={option.id}  {option.label}{mark}"
            console.print(Padding(Text(way), (0, 0, 0, 5)))
