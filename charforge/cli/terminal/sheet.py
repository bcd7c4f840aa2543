"""The terminal sheet: the same view as on paper, drawn with rich."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from colorsys import rgb_to_hls

from rich import box
from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table

from charforge.character.files.document import Document
from charforge.character.state import Unit
from charforge.cli.terminal.screen import SafeText
from charforge.errors import MissingPack
from charforge.expressions.template import NO_BREAK, Prose, number_text, true_minus
from charforge.language import _
from charforge.replay.replay import Character
from charforge.sheet import phrases
from charforge.sheet.build import build, offline_view
from charforge.sheet.view import (
    AttackMode,
    Attribute,
    Card,
    Entry,
    Fact,
    Item,
    Note,
    SheetAction,
    SheetChart,
    SheetPool,
    SheetView,
    SheetVital,
    StoryPart,
    UnitPanel,
    Weapon,
)
from charforge.verbs.unit_status import UnitStatus, unit_status

WIDEST_SHEET = 100
HUES = ("red", "yellow", "green", "cyan", "blue", "magenta")
NARROWEST_RANGE = 7  # columns
NARROWEST_ROLL, WIDEST_ROLL = 14, 30  # columns: a longer one has several lines
GREY = 0.1  # colours up to this saturation have no hue


def draw(character: Character, console: Console) -> None:
    """Draw a character on the console, at most 100 columns wide."""
    now = [unit_status(character.state, unit.id) for unit in character.state.units]
    draw_view(build(character), console, now)


def draw_short(character: Character, console: Console) -> None:
    """Draw the name, the main numbers and the attacks of a character."""
    view = build(character)
    _show(_first_parts(view, _accent(view), ()), console)


def draw_unit(character: Character, unit: Unit, console: Console) -> None:
    """Draw a companion or vehicle alone."""
    view, state = build(character), character.state
    accent = _accent(view)
    panel = view.units[state.units.index(unit) - 1]  # the character has no panel
    now = _in_play([unit_status(state, unit.id)], accent)
    _show([_unit(panel, _level_label(view), accent), *now], console)


def draw_summary(document: Document, error: MissingPack, console: Console) -> None:
    """Draw what is saved of a character in its file; ``error`` names the missing rules."""
    view = offline_view(document, error)
    conditions = tuple(condition.text for condition in view.active_conditions)
    draw_view(view, console, [UnitStatus("", (), conditions, (), ())])


def draw_view(view: SheetView, console: Console, now: Iterable[UnitStatus] = ()) -> None:
    """Draw a view; ``now`` has the conditions, cooldowns and items of its units in play."""
    _show(_parts(view, _accent(view), now), console)


def _show(parts: Iterable[RenderableType], console: Console) -> None:
    console.width = min(console.width, WIDEST_SHEET)
    for part in parts:
        console.print(part, markup=False)  # brackets in a name are no tags


def _accent(view: SheetView) -> str:
    """Return the colour of the terminal nearest to the accent; themes adapt only those."""
    channels = (int(view.theme.colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    hue, _lightness, saturation = rgb_to_hls(*channels)
    return HUES[round(len(HUES) * hue) % len(HUES)] if saturation > GREY else "magenta"


def _level_label(view: SheetView) -> str:
    return view.level_label if view.levels > 1 else ""


def _first_parts(
    view: SheetView, accent: str, now: Iterable[UnitStatus]
) -> Iterator[RenderableType]:
    """Yield what is needed most: names, scores, pools, conditions and attacks."""
    yield _name_plate(view, accent)
    yield _attributes(view.attributes, accent)
    yield _figures(view.vitals, (*view.combat, *view.figures_beside_combat, *view.stores))
    if view.pools:
        yield _pools(view.pools)
    yield from _in_play(now, accent)
    if view.weapons:
        yield _heading(_("Attacks"), accent)
        yield _attacks(view.weapons)


def _parts(view: SheetView, accent: str, now: Iterable[UnitStatus]) -> Iterator[RenderableType]:
    yield from _first_parts(view, accent, now)
    if view.cards:
        yield _heading(view.cards_label, accent)
        yield from (_card(card, accent) for card in view.cards)
    if view.actions_beside_attacks:
        yield _heading(view.actions_label, accent)
        yield from (_common_action(entry, accent) for entry in view.actions_beside_attacks)
    for label, items in view.item_groups:
        yield _heading(label, accent)
        yield _items(items)
    for unit in view.units:
        yield _unit(unit, _level_label(view), accent)
    if view.shared:
        yield _heading(view.shared.title, accent)
        yield _figures((), view.shared.facts)
    if view.training:
        yield _heading(view.training_label, accent)
        yield Padding(SafeText(", ".join(entry.name for entry in view.training)), (0, 2))
    story = [part for part in view.story if part.answers]
    if story:
        yield _heading(_("Story"), accent)
        yield _story(story)
    if view.notes:
        yield _heading(_("Notes"), accent)
        yield from (Padding(_note(note), (0, 2)) for note in view.notes)
    for table in view.charts:
        yield _heading(table.label, accent)
        yield chart_table(table)
    if view.allowed:
        yield _heading(_("† Allowed at this table"), accent)
        yield from (Padding(_fact(fact), (0, 2)) for fact in view.allowed)
    if view.table_rules:
        yield _heading(_("Table rules"), accent)
        yield from (Padding(_fact(fact), (0, 2)) for fact in view.table_rules)


def _in_play(now: Iterable[UnitStatus], accent: str) -> Iterator[RenderableType]:
    played = [_unit_status(unit) for unit in now if unit.conditions or unit.cooling or unit.items]
    if played:
        yield _heading(_("In play"), accent)
        yield from played


def _name_plate(view: SheetView, accent: str) -> Panel:
    title = SafeText(view.name, style="bold")
    line = SafeText()
    for number, head in enumerate(view.headline):
        line.append(" / " if number else "")
        line.append(head.name, style=accent)
        if head.summary:
            line.append(f" / {head.summary}")
    row = Table.grid(expand=True)
    row.add_column(ratio=1)
    row.add_column(justify="right", no_wrap=True)
    level = f"{view.level_label} {view.level}" if view.levels > 1 else ""
    row.add_row(Group(title, line) if line else title, SafeText(level, style="bold"))
    rules = SafeText(" · ".join((view.ruleset, *view.packs)))
    return Panel(row, box=box.HEAVY, border_style=accent, subtitle=rules, subtitle_align="right")


def _heading(label: str, accent: str) -> RenderableType:
    title = SafeText(label.upper(), style=f"bold {accent}")
    return Padding(Rule(title, align="left", style=accent), (1, 0, 0, 0))


def _attributes(attributes: Sequence[Attribute], accent: str) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, expand=True, padding=0)
    for attribute in attributes:
        style = f"bold {accent}" if attribute.key else "bold"
        table.add_column(SafeText(attribute.label, style=style), justify="center")
    table.add_row(*(_score(attribute) for attribute in attributes))
    return table


def _score(attribute: Attribute) -> SafeText:
    """Return a score; what it is normally follows in lines of its own, which need less width."""
    number = f"{attribute.before}{attribute.number}{attribute.aside}{attribute.after}"
    text = SafeText(number, style="bold")
    if attribute.lasting:
        text.append("\n" + attribute.lasting.replace(NO_BREAK, " "), style="dim")
    return text


def _figures(vitals: Iterable[SheetVital], facts: Iterable[Fact]) -> RenderableType:
    facts_shown = []
    for vital in vitals:
        most = f" / {number_text(vital.max)}" if vital.max is not None else ""
        shared = _(" shared") if vital.shared else ""
        step = f" ({vital.step})" if vital.step else ""
        facts_shown.append(
            _fact(
                Fact(vital.label, f"{number_text(vital.current)}{most}{vital.unit}{step}{shared}")
            )
        )
    facts_shown += [_fact(fact) for fact in facts]
    return Padding(Columns(facts_shown, padding=(0, 4)), (0, 2))


def _pools(pools: Iterable[SheetPool]) -> RenderableType:
    """Draw the dice of each pool by their names."""
    dice = ((pool.label, (f"{die.label} {die.number}" for die in pool.dice)) for pool in pools)
    facts = [Fact(label, ", ".join(named) or _("none")) for label, named in dice]
    return Padding(Columns(map(_fact, facts), padding=(0, 4)), (0, 2))


def chart_table(shown: SheetChart) -> RenderableType:
    """Draw a table of the book."""
    table = Table(box=None, pad_edge=False, padding=(0, 2), header_style="dim")
    table.add_column(SafeText(shown.key), style="bold")
    for label in shown.columns:
        table.add_column(SafeText(label))
    for row in shown.rows:
        table.add_row(SafeText(row.heading), *map(SafeText, row.cells))
    return Padding(Group(*_blocks(shown.text), table), (0, 2))


def _unit_status(unit: UnitStatus) -> RenderableType:
    """Draw the conditions of a unit, its cooldowns and what its items hold."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", max_width=24)
    table.add_column(ratio=1)
    for label, texts in (
        (_("Conditions"), unit.conditions),
        (_("On cooldown"), unit.cooling),
        (_("Items"), unit.items),
    ):
        if texts:
            table.add_row(label, "\n".join(texts))
    title = [SafeText(unit.name, style="bold")] if unit.name else []
    return Padding(Group(*title, table), (0, 2))


def _fact(fact: Fact) -> SafeText:
    return SafeText.assemble((f"{fact.label} ", "dim"), (true_minus(fact.text), "bold"))


def _attacks(weapons: Sequence[Weapon]) -> RenderableType:
    table = Table(box=None, expand=True, pad_edge=False, padding=(0, 1))
    # Names and damage share what the others leave.
    table.add_column("", ratio=1)
    reach = _("Range")
    width = max(len(reach), NARROWEST_RANGE)
    table.add_column(reach, width=width, style="bold", header_style="dim")
    modes = [mode for weapon in weapons for mode in (weapon.first_row, *weapon.further_rows)]
    longest = max((cell_len(mode.roll) for mode in modes), default=0)
    width = min(max(longest, NARROWEST_ROLL), WIDEST_ROLL)
    table.add_column(_("Roll"), width=width, header_style="dim")
    table.add_column(_("Damage"), ratio=1, header_style="dim")
    for weapon in weapons:
        first = weapon.first_row
        notes = (*phrases.weapon_notes(weapon), *first.unmet)
        name = _with_notes(SafeText(weapon.name, style="bold"), notes)
        table.add_row(name, first.range, _roll(first), _damage(first))
        for mode in weapon.further_rows:
            name = _with_notes(SafeText(f"  {mode.name}"), mode.unmet)
            table.add_row(name, mode.range, _roll(mode), _damage(mode))
    return Padding(table, (0, 2))


def _with_notes(text: SafeText, notes: Iterable[str]) -> SafeText:
    line = phrases.join_parts(notes)
    if line and text:
        text.append("\n")
    return text.append(line, style="dim")


def _roll(attack: AttackMode) -> SafeText:
    against = _(" vs {versus}").format(versus=attack.versus) if attack.versus else ""
    return _with_notes(SafeText.assemble((attack.roll, "bold"), against), (attack.made_of,))


def _damage(attack: AttackMode) -> SafeText:
    types = f" {attack.types}" if attack.types else ""
    text = SafeText.assemble((attack.damage, "bold"), types)
    return _with_notes(text, (attack.damage_note, *attack.extras, _plain(attack.text.full)))


def _plain(prose: Prose) -> str:
    return " ".join(str(block) for block in prose)


def _card(card: Card, accent: str) -> RenderableType:
    title = SafeText.assemble((card.name, "bold"), ("  " + " · ".join(card.subtitle), "dim"))
    parts: list[RenderableType] = [title]
    parts += [_indented(block, 2) for block in _blocks(card.text.full)]
    for action in card.actions:
        parts += _action(action, accent)
    return Padding(Group(*parts), (0, 2, 1, 2))


def _common_action(entry: Entry, accent: str) -> RenderableType:
    """Draw an action that everyone has, such as a move: its name, then the short texts."""
    parts: list[RenderableType] = [SafeText(entry.name, style="bold")]
    parts += [_indented(block, 2) for block in _blocks(entry.text.digest)]
    for action in entry.actions:
        parts += _action(action, accent, digest=True)
    return Padding(Group(*parts), (0, 2, 0, 2))


def _blocks(prose: Prose) -> Iterator[SafeText]:
    for block in prose:
        text = SafeText("• " if block.listed else "")
        for span in block.spans:
            style = " ".join(
                name for name, on in (("bold", span.bold), ("italic", span.italic)) if on
            )
            text.append(span.text, style=style or None)
        yield text


def _indented(text: SafeText, columns: int) -> RenderableType:
    return Padding(text, (0, 0, 0, columns))


def _action(action: SheetAction, accent: str, digest: bool = False) -> Iterator[RenderableType]:
    head = SafeText()
    head.append(action.label, style=f"bold {accent}")
    parts = [action.name, *(chip.text for chip in action.chips), action.who, _plain(action.trigger)]
    for part in filter(None, (*parts, *action.unmet)):
        head.append(f" · {part}", style="dim" if part in action.unmet else None)
    yield _indented(head, 2)
    for block in _blocks(action.text.printed(digest)):
        yield _indented(block, 4)


def _items(items: Iterable[Item]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", style="dim")
    table.add_column(style="bold")
    table.add_column(style="dim")
    for item in items:
        facts = [*item.facts, *map(phrases.words, item.capacities)]
        count = f"{item.quantity} ×" if item.quantity > 1 else ""
        table.add_row(count, item.name, " · ".join(facts) or item.category)
    return Padding(table, (0, 2))


def _unit(unit: UnitPanel, level: str, accent: str) -> RenderableType:
    parts: list[RenderableType] = []
    if unit.attributes:
        parts.append(_attributes(unit.attributes, accent))
    empty = [Fact(_("Still empty"), str(unit.empty_slots))] if unit.empty_slots else []
    figures = (*unit.combat, *unit.figures_beside_combat, *empty)
    parts.append(_figures(unit.vitals, figures))
    if unit.pools:
        parts.append(_pools(unit.pools))
    about: list[RenderableType] = [_fact(fact) for fact in unit.facts]
    parts.append(Padding(Group(*about, *_blocks(unit.text)), (1, 2, 0, 2)))
    if unit.weapons:
        parts.append(Padding(_attacks(unit.weapons), (1, 0, 0, 0)))
    if unit.cards:
        parts.append(SafeText())
        parts += [_card(card, accent) for card in unit.cards]
    title = SafeText(unit.name, style="bold")
    for part in filter(None, (unit.kind, f"{level} {unit.level}" if level else "")):
        title.append(f" · {part}", style="not bold")
    return Padding(
        Panel(Group(*parts), title=title, title_align="left", border_style=accent), (1, 0, 0, 0)
    )


def _note(note: Note) -> SafeText:
    about = f"{note.signature}: " if note.signature else ""
    return SafeText(about + _plain(note.text))


def _story(parts: Iterable[StoryPart]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", max_width=24)
    table.add_column(ratio=1)
    for part in parts:
        lines = []
        for entry in part.answers:
            text = SafeText(entry.name, style="bold")
            words = _plain(entry.text)
            if words:
                text.append(f"{'  ' if entry.name else ''}{words}", style="not bold")
            lines.append(text)
        table.add_row(part.label, Group(*lines))
    return Padding(table, (0, 2))
