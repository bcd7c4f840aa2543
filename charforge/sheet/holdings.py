"""The holdings of a character and its units, as cards, items, panels, lists and facts; charts.

Every holding has one place: a headline, a unit's panel, the equipment,
the training, the story, or else a card. A kind that a ruleset forgot to
place is a card, so nothing held is ever missing from a sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from charforge.character import gear
from charforge.character.state import CHARACTER, Condition, Holding, State, Unit
from charforge.character.state_data import about_subject
from charforge.character.values import Values
from charforge.describe.entities import slots_text
from charforge.describe.formulas import formula_text
from charforge.describe.held_entities import HeldEntity
from charforge.expressions import template
from charforge.expressions.template import NO_BREAK, number_text, substitute
from charforge.language import _
from charforge.procedures.steps.dice import printed_rows
from charforge.replay.replay import Character
from charforge.rules.models import Chart, ListSpec, OwnFigure
from charforge.rules.ruleset import Ruleset, matches
from charforge.sheet import attacks, values, view
from charforge.sheet.values import (
    check,
    pool_dice,
    printed_value,
    resolved_text,
    value_check,
    values_of_list,
)

OWN_TURN = ("actions", "bonus_actions")  # parts of a stat block used on the own turn


@dataclass(frozen=True)
class Stack:
    """Equal holdings of one unit, shown once."""

    held: HeldEntity
    quantity: int
    holding_ids: tuple[str, ...] = ()

    def capacities(self) -> tuple[view.SheetCapacity, ...]:
        """Return their capacities, and how much of them is used up."""
        return attacks.capacities(self.held, self.quantity, self.holding_ids)


@dataclass(frozen=True)
class PlacedHoldings:
    """The holdings of a character by the place they have on a sheet."""

    character: Character

    @property
    def state(self) -> State:
        """The character's state."""
        return self.character.state

    @cached_property
    def training_kinds(self) -> frozenset[str]:
        """The kinds whose entities give Training."""
        entities = self.state.ruleset.entities.values()
        return frozenset(entity.kind for entity in entities if entity.covers is not None)

    @cached_property
    def carried_kinds(self) -> tuple[str, ...]:
        """The kinds of equipment, then the kinds of lists that are not cards as well."""
        head = self.state.ruleset.head
        listed = (kind for kind in head.listed_kinds if kind not in head.sheet.cards)
        return tuple(dict.fromkeys((*head.sheet.items, *listed)))

    def headline(self) -> Iterator[HeldEntity]:
        """Yield the entities of the headline, such as the role."""
        return self._of(self.state.ruleset.head.sheet.headline)

    def items(self) -> list[HeldEntity]:
        """Return the equipment and the holdings in lists; those with attacks come first."""
        carried = self._of(self.carried_kinds)
        return sorted(carried, key=lambda held: not held.entity.attacks)

    def training(self) -> Iterator[HeldEntity]:
        """Yield the holdings that give Training."""
        return self._of(self.training_kinds)

    def cards(self, unit: str = CHARACTER) -> Iterator[HeldEntity]:
        """Yield the holdings of a unit that have no other place on the sheet.

        The character's begin with what everyone can do, if its kind is printed as cards.
        """
        sheet = self.state.ruleset.head.sheet
        if unit == CHARACTER and sheet.actions in sheet.cards:
            everyone = self.state.ruleset.of_kind(sheet.actions)
            yield from (HeldEntity(self.state, entity) for entity in everyone)
        elsewhere = {*sheet.headline, *self.carried_kinds, *self.training_kinds} - {*sheet.cards}
        if unit != CHARACTER:
            elsewhere = set(self.training_kinds)
        for holding in self.state.held(unit):
            kind = self.state.ruleset.kinds[holding.entity.kind]
            if kind.id in elsewhere or kind.unit is not None or holding.origin in sheet.story:
                continue
            only_attacks = holding.entity.attacks and not holding.entity.actions
            if kind.id in sheet.cards or not only_attacks or unit != CHARACTER:
                yield HeldEntity.of(self.state, holding)

    def armed(self, unit: str = CHARACTER) -> Iterator[Stack]:
        """Yield what a unit attacks with: the character's holdings, equipment first.

        A companion or vehicle attacks with itself, and with what is mounted on it.
        """
        ruleset = self.state.ruleset
        entity = self.state.unit(unit).entity
        if unit != CHARACTER and entity is not None:
            all_of_it = (HeldEntity(self.state, entity, unit, unit), *self.cards(unit))
            return stacks(held for held in all_of_it if held.entity.attacks)
        equipment = ruleset.head.sheet.items
        armed = [
            HeldEntity.of(self.state, holding)
            for holding in self.state.held(CHARACTER)
            if holding.entity.attacks and ruleset.kinds[holding.entity.kind].unit is None
        ]
        return stacks(sorted(armed, key=lambda held: held.entity.kind not in equipment))

    def of_kind(self, kind: str) -> Iterator[HeldEntity]:
        """Yield the character's holdings of a kind."""
        return self._of((kind,))

    def _of(self, kinds: Iterable[str]) -> Iterator[HeldEntity]:
        wanted_kinds = set(kinds)
        for holding in self.state.held(CHARACTER):
            if holding.entity.kind in wanted_kinds:
                yield HeldEntity.of(self.state, holding)


def stacks(entities: Iterable[HeldEntity]) -> Iterator[Stack]:
    """Yield equal holdings together: the same entity, choices and Training."""
    equal: dict[object, Stack] = {}
    for held in entities:
        key = (held.entity.id, held.name(), held.trained, *held.own.values())
        before = equal.get(key, Stack(held, 0))
        quantity = before.quantity + (held.holding.quantity if held.holding is not None else 1)
        equal[key] = Stack(before.held, quantity, (*before.holding_ids, held.holding_id))
    yield from equal.values()


def card(stack: Stack) -> view.Card:
    """Return a stack of holdings as a card."""
    held, entity = stack.held, stack.held.entity
    times = f"{stack.quantity} × " if stack.quantity > 1 else ""
    subtitle = held.short_facts()
    if entity.slots:
        subtitle += (slots_text(entity.slots, stack.held.state.ruleset).replace(" ", NO_BREAK),)
    if entity.figures:
        subtitle += (", ".join(held.figures()),)
    shown = attacks.actions(held)
    own_turn = {t.id for t in held.state.ruleset.head.timings if t.statblock in OWN_TURN}
    return view.Card(
        id=entity.id,
        name=times + held.name(),
        subtitle=subtitle,
        timing=shown[0].timing if shown else "",
        label=shown[0].label if shown else "",
        text=attacks.held_text(held),
        actions=shown,
        capacities=() if entity.attacks else stack.capacities(),
        on_turn=bool(shown) and shown[0].timing in own_turn,
        armed=attacks.weapon_name(held),
    )


def cards(entities: Iterable[HeldEntity], ruleset: Ruleset) -> tuple[view.Card, ...]:
    """Return cards in the order of the ruleset's timings; those without one last."""
    order = [timing.id for timing in ruleset.head.timings]
    unsorted = map(card, stacks(entities))
    return tuple(sorted(unsorted, key=lambda c: order.index(c.timing) if c.timing else len(order)))


def item(stack: Stack, label: str, listed: Mapping[str, str]) -> view.Item:
    """Return a piece of equipment under its label; ``listed`` has the labels of some kinds."""
    held, kind = stack.held, stack.held.entity.kind
    short = held.short_facts()
    armed = attacks.weapon_name(held)
    figures = () if armed else held.figures()  # of a weapon its attacks have them
    return view.Item(
        name=held.name() + _worn(stack),
        quantity=stack.quantity,
        category=short[0] if short else "",
        facts=(*short[1:], *figures),
        text=attacks.held_text(held),
        capacities=() if held.entity.attacks else stack.capacities(),
        actions=attacks.actions(held),
        label=listed.get(kind, label),
        place=_place(stack),
        listed=kind in listed,
        armed=armed,
        worn_keys=tuple(_worn_keys(stack)),
    )


def worn_key(holding: Holding) -> str:
    """Return the key of the tracker of an item that can be worn."""
    return view.tracker_key(holding.id, "worn")


def _worn_keys(stack: Stack) -> Iterator[str]:
    """Yield the keys of the trackers of holdings that can be worn."""
    state = stack.held.state
    for holding in filter(None, map(state.holding, stack.holding_ids)):
        if gear.wear_places(state, holding):
            yield worn_key(holding)


def _worn(stack: Stack) -> str:
    """Return that items are worn, unless the sheet has a place for what is worn."""
    state, holding = stack.held.state, stack.held.holding
    pieces = 0 if holding is None else state.pieces_worn(holding)
    if not pieces or any(place.worn for place in state.ruleset.head.sheet.places):
        return ""
    text = _("worn") if stack.quantity == 1 else _("{pieces} worn").format(pieces=pieces)
    return f" ({text})"


def _place(stack: Stack) -> str:
    """Return the label of the first place of the ruleset that fits a stack; else empty."""
    state = stack.held.state
    held = filter(None, map(state.holding, stack.holding_ids))
    values = state.values(stack.held.unit)
    carried = [(state.pieces_in_hand(holding), state.pieces_worn(holding)) for holding in held]
    in_hand, worn = (any(hands for hands, _body in carried), any(body for _hands, body in carried))
    for place in state.ruleset.head.sheet.places:
        fits = (in_hand or not place.in_hand) and (worn or not place.worn)
        if fits and matches(place.among, stack.held.entity, values):
            return place.label
    return ""


def in_places(items: Iterable[view.Item], ruleset: Ruleset) -> tuple[view.Item, ...]:
    """Return items in the order of the ruleset's places."""
    labels = [place.label for place in ruleset.head.sheet.places]
    order = {label: number for number, label in enumerate(labels)}
    return tuple(sorted(items, key=lambda item: order.get(item.place, len(order))))


def weapons(armed: Iterable[Stack]) -> Iterator[view.Weapon]:
    """Yield stacks as weapons."""
    for stack in armed:
        weapon = attacks.weapon(stack.held, tuple(_weapon_notes(stack)), stack.capacities())
        if weapon is not None:
            yield weapon


def _weapon_notes(stack: Stack) -> Iterator[str]:
    """Yield the notes of a weapon: how many there are, its flags and numbers."""
    if stack.quantity > 1:
        yield _("{quantity} of them").format(quantity=stack.quantity)
    entity, ruleset = stack.held.entity, stack.held.state.ruleset
    labels = {
        field.label
        for field in ruleset.kinds[entity.kind].fields.values()
        if field.type in ("flag", "number")
    }
    for text in stack.held.short_facts():
        if text.split(NO_BREAK)[0] in labels:
            yield text


def panel(placed: PlacedHoldings, unit: Unit) -> view.UnitPanel:
    """Return the panel of a companion or vehicle."""
    state, ruleset = placed.state, placed.state.ruleset
    entity = unit.entity
    assert entity is not None
    own = HeldEntity(state, entity, unit.id, unit.id)
    mounted = list(placed.cards(unit.id))
    numbers = state.values(unit.id)
    return view.UnitPanel(
        id=entity.id,
        name=own.name(),
        kind=_unit_kind(unit, ruleset.kinds[entity.kind].label),
        level=state.ruleset.head.advancement.number(state.level_of(unit)),
        facts=tuple(values.entity_facts(entity, ruleset)),
        text=own.description(),
        attributes=values.attributes(numbers, entity.key),
        vitals=values.vitals(numbers),
        figures=values.figures(numbers),
        cards=cards(mounted, ruleset),
        empty_slots=values.empty_slots(numbers),
        pools=values.pools(numbers),
        trackers=values.trackers(numbers),
        active_conditions=active_conditions(state, unit.id),
        combat=values.combat(numbers),
        weapons=tuple(weapons(placed.armed(unit.id))),
        stamp=stamp(state, unit.id),
    )


def active_conditions(state: State, unit: str) -> tuple[view.ActiveCondition, ...]:
    """Return the present conditions of a unit."""
    return tuple(_active_condition(state, c) for c in state.active_conditions(unit))


def _active_condition(state: State, condition: Condition) -> view.ActiveCondition:
    spec = condition.entity.condition
    moments = {moment.id: moment.label for moment in state.ruleset.head.moments}
    return view.ActiveCondition(
        id=condition.entity.id,
        text=condition.label,
        about=condition.subject,
        ends=_(" or ").join(moments[name] for name in spec.until) if spec is not None else "",
        effect=HeldEntity(state, condition.entity, condition.unit).digest(),
        internal=condition.internal,
        tracker_key=view.tracker_key(condition.unit, condition.entity.id, condition.about),
    )


def stamp(state: State, unit: str) -> str:
    """Return the name of the condition that ended play for a unit, such as Dead; else empty."""
    condition = state.out_of_play(unit)
    return condition.entity.name if condition is not None else ""


def _unit_kind(unit: Unit, kind: str) -> str:
    """Return the kind of a unit, after its entity if the unit has a name of its own."""
    if unit.entity is None or unit.name == unit.title or unit.entity.name == kind:
        return kind
    return f"{unit.entity.name}, {kind}"


MOST_EQUAL = 3  # rows of a chart with the same cells and words before them; more are one row


def lists(placed: PlacedHoldings, values: Values) -> tuple[view.ViewList, ...]:
    """Return the lists of a character; empty ones are left out."""
    every = (_list(spec, placed, values) for spec in placed.state.ruleset.head.sheet.lists)
    return tuple(view_list for view_list in every if view_list.rows or view_list.lines)


def shared_panel(state: State) -> view.SharedPanel | None:
    """Return what the character's group owns, or None."""
    shared, spec = state.shared, state.ruleset.head.shared
    if shared is None or spec is None:
        return None
    figures = ((one.label, shared.values[one.id]) for one in spec.values if one.id in shared.values)
    facts = tuple(view.Fact(label, number_text(figure)) for label, figure in figures)
    return view.SharedPanel(spec.label, shared.name, facts)


def shared_list(shared: view.SharedPanel | None) -> tuple[view.ViewList, ...]:
    """Return what the group owns as a list for printed sheets, if there is something."""
    if shared is None:
        return ()
    rows = tuple(view.ListRow(fact.label, (view.Cell(fact.text),)) for fact in shared.facts)
    return (view.ViewList(shared.title, (), rows),)


def list_headings(ruleset: Ruleset) -> dict[str, str]:
    """Return the headings of the lists of holdings, by kind."""
    head = ruleset.head
    specs = (spec for spec in head.sheet.lists if spec.of in head.listed_kinds)
    return {spec.of: _heading(spec, ruleset) for spec in specs}


def blank_lists(values: Values) -> tuple[view.ViewList, ...]:
    """Return the lists of a blank sheet: lists of holdings have lines to write on."""
    ruleset = values.ruleset
    blank = []
    for spec in ruleset.head.sheet.lists:
        if spec.of in ruleset.kinds and spec.of not in ruleset.head.groups:
            columns = _columns(entity.figures for entity in ruleset.of_kind(spec.of))
            lines = max(spec.lines, 4)
            blank.append(view.ViewList(_heading(spec, ruleset), tuple(columns.values()), (), lines))
        else:
            blank.append(_list_of_values(spec, values))
    return tuple(blank)


def _list(spec: ListSpec, placed: PlacedHoldings, values: Values) -> view.ViewList:
    ruleset = placed.state.ruleset
    if spec.values or spec.of in ruleset.head.groups:
        # Pages compare many states, and few games have rules that tick a value.
        active = active_conditions(placed.state, values.unit.id) if ruleset.ticks else ()
        return _list_of_values(spec, values, active)
    found = list(stacks(placed.of_kind(spec.of)))
    columns = _columns(stack.held.entity.figures for stack in found)
    rows = tuple(_row(stack, columns) for stack in found)
    lines = max(spec.lines - len(rows), 0)
    return view.ViewList(_heading(spec, ruleset), tuple(columns.values()), rows, lines)


def _list_of_values(
    spec: ListSpec, values: Values, active: Iterable[view.ActiveCondition] = ()
) -> view.ViewList:
    ruleset = values.ruleset
    ticked = {(one.id, one.about): one for one in active}
    rows = (
        view.ListRow(
            ruleset.values[name].label,
            (view.Cell(printed_value(values, name)),),
            check=value_check(values, name),
            tick=_tick(ruleset, name, ticked),
        )
        for name in values_of_list(spec, ruleset)
        if values.is_shown(name)
    )
    return view.ViewList(_heading(spec, ruleset), (), tuple(rows), spec.lines)


def _tick(
    ruleset: Ruleset, name: str, ticked: Mapping[tuple[str, str], view.ActiveCondition]
) -> view.RowTick | None:
    """Return the box of the condition that rules put on about a value, if there is one."""
    entity, label = ruleset.ticks.get(name), ruleset.values[name].label
    if entity is None:
        return None
    found = ticked.get((entity.id, label))
    text, key = about_subject(entity.name, label), "" if found is None else found.tracker_key
    return view.RowTick(entity.name, text, found is not None, key)


def _heading(spec: ListSpec, ruleset: Ruleset) -> str:
    if spec.label:
        return spec.label
    groups = ruleset.head.groups
    return groups[spec.of] if spec.of in groups else ruleset.kinds[spec.of].plural


def _columns(figures: Iterable[tuple[OwnFigure, ...]]) -> dict[str, str]:
    """Return the labels of all figures of some entities, by id."""
    return {figure.id: figure.label for of_entity in figures for figure in of_entity}


def _row(stack: Stack, columns: Iterable[str]) -> view.ListRow:
    held = stack.held
    cells = {figure.id: _cell(figure, held) for figure in held.entity.figures}
    times = f"{stack.quantity} × " if stack.quantity > 1 else ""
    note = held.line(" ".join((held.state.text(held.entity), *held.option_texts()))).strip()
    in_columns = tuple(cells.get(name, view.Cell("")) for name in columns)
    return view.ListRow(f"{times}{held.name()}", in_columns, note, _check(held))


def _check(held: HeldEntity) -> view.Check | None:
    """Return the roll with a figure of an entity, if the ruleset has one."""
    formulas = {figure.id: figure.formula for figure in held.entity.figures}
    for spec in held.state.ruleset.head.sheet.checks:
        for name in spec.figure:
            formula = formulas.get(name)
            if formula is not None and not held.is_unanswered(formula):
                return check(held.state.ruleset, spec, held.evaluate(formula))
    return None


def _cell(figure: OwnFigure, held: HeldEntity) -> view.Cell:
    if figure.formula is None:
        counts = {die: count.with_variables(held.own) for die, count in figure.dice.items()}
        dice = pool_dice(held.state.ruleset, counts, held.state.values(held.unit))
        return view.Cell("" if dice else _("none"), dice)
    way = held.state.ruleset.way_to_roll_figure(figure.id)
    if way is not None and not held.is_unanswered(figure.formula):
        return view.Cell(way.text(held.evaluate(figure.formula)))
    return view.Cell(held.number_text(figure, figure.formula))


def chart(table: Chart, values: Values) -> view.SheetChart:
    """Return a chart with the figures of a unit."""
    return _chart(table, printed_rows(table, values), resolved_text(table.text, values), values)


def blank_chart(table: Chart, values: Values) -> view.SheetChart:
    """Return a chart for a blank sheet: formulas with labels instead of figures."""

    def with_labels(text: int | str) -> str:
        return substitute(str(text), lambda figure: formula_text(figure.text, values.ruleset))

    places = [place for place, column in enumerate(table.columns) if not column.hidden]
    rows = (
        (with_labels(row.heading), [with_labels(row.cells[place]) for place in places])
        for row in table.rows
    )
    text = template.player_text(_plain_text(with_labels(table.text)))
    return _chart(table, rows, text, values)


def _chart(
    table: Chart, rows: Iterable[tuple[str, Iterable[object]]], text: template.Prose, values: Values
) -> view.SheetChart:
    """Return a chart of rows without its hidden columns, which only procedures read."""
    return view.SheetChart(
        id=table.id,
        label=table.label,
        text=text,
        key=table.key,
        columns=tuple(column.label for column in table.columns if not column.hidden),
        rows=tuple(
            _merged(
                view.SheetChartRow(_plain_text(heading), tuple(_plain_text(str(c)) for c in cells))
                for heading, cells in rows
            )
        ),
        source=_source(table, values.ruleset),
    )


def _merged(rows: Iterable[view.SheetChartRow]) -> Iterator[view.SheetChartRow]:
    """Yield rows; successive ones with the same cells are one: ``8–10``, or many words."""
    for cells, group in groupby(rows, key=lambda row: row.cells):
        equal = list(group)
        headings = [row.heading for row in equal]
        words = not any(character.isdigit() for heading in headings for character in heading)
        if len(equal) > 1 and all(heading.isdecimal() for heading in headings):
            yield view.SheetChartRow(f"{headings[0]}–{headings[-1]}", cells)
        elif len(equal) > MOST_EQUAL and words:
            yield view.SheetChartRow(", ".join(headings), cells)
        else:
            yield from equal


def _source(table: Chart, ruleset: Ruleset) -> str:
    """Return the place of a chart in the book; empty if the chart is named after it."""
    rule = ruleset.entities.get(table.source)
    source = rule.source if rule is not None else ""
    return "" if source.casefold() == table.label.casefold() else source


def _plain_text(text: str) -> str:
    """Return a text as one line without markup."""
    return template.strip_markup(text.replace("\n", " "))
