"""The game master's page, whose turn it is, and what players see of the others.

Nothing here changes anything; ``table_actions`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from charforge.character.state import CHARACTER, State, Unit
from charforge.errors import CharforgeError
from charforge.expressions.template import number_text, true_minus
from charforge.language import _
from charforge.procedures.inputs import input_options
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Input, Procedure
from charforge.rules.ruleset import Ruleset
from charforge.serve.table import Table
from charforge.serve.table_form import AMOUNT_INPUT
from charforge.serve.table_state import (
    Foe,
    LogEntry,
    TableState,
    TableStore,
    TurnPlace,
    Turns,
    Visibility,
)
from charforge.sheet import holdings, values
from charforge.sheet.view import Attribute, Fact, shown_conditions
from charforge.verbs.unit_status import (
    StatusFigure,
    player_conditions,
    settable_conditions,
    shared_figures,
    unit_status,
)

LOGGED = 30  # entries of the log that the page shows
MOST_PROBLEMS = 5  # of a character that the page shows


class UnitFigure(NamedTuple):
    """A figure of a unit in play, with its maximum if it has one: ``HP``, ``12``, 12, 30."""

    label: str
    text: str
    now: int
    most: int | None


class UnitCard(NamedTuple):
    """A unit as the table sees it; ``stamp`` says why it is out of play."""

    id: str
    name: str
    kind: str
    figures: tuple[UnitFigure, ...]
    conditions: tuple[str, ...]
    stamp: str
    combat: tuple[Fact, ...] = ()
    attributes: tuple[Attribute, ...] = ()


class CharacterCard(NamedTuple):
    """A character with its units, the character first; ``unreadable`` says what is wrong."""

    seat: str
    name: str
    seen: Visibility
    units: tuple[UnitCard, ...] = ()
    problems: tuple[str, ...] = ()
    unreadable: str = ""


class SharedCard(NamedTuple):
    """The card of what a group owns, without a page here: ``Crew: The Eels``, and its figures."""

    title: str
    figures: tuple[UnitFigure, ...]


class RuleField(NamedTuple):
    """An input of a rule as a field of a form: with options, a choice among them."""

    name: str
    label: str
    is_number: bool
    needed: bool
    options: tuple[str, ...]


class Choices(NamedTuple):
    """The choices of the game master for several characters, of all games at the table.

    ``conditions`` and ``rests`` are ids with their names; without a rule for damage, healing or
    rests their fields are None.
    """

    damage: tuple[RuleField, ...] | None
    heal: tuple[RuleField, ...] | None
    conditions: tuple[tuple[str, str], ...]
    rests: tuple[tuple[str, str], ...]
    rest_fields: tuple[RuleField, ...]
    resources: tuple[str, ...]


class Candidate(NamedTuple):
    """A character for initiative: its seat and name; ``out`` says why it takes no part."""

    seat: str
    name: str
    out: str


class Initiative(NamedTuple):
    """How initiative is found here: the labels of its numbers, none if they are only typed."""

    label: str
    by: tuple[str, ...]
    candidates: tuple[Candidate, ...]


class PlaceLine(NamedTuple):
    """A place in the order of turns; ``key`` names it in forms, ``foe`` is set for a foe."""

    key: str
    name: str
    seat: str
    foe: str
    figures: str
    dice: str
    acting: bool
    hidden: bool


class OrderView(NamedTuple):
    """The order of turns: the round (0 before combat), the places, who acts and who is next.

    Without places there is no combat. ``acting`` is empty if it is nobody that players know of.
    ``key`` names the present turn in forms.
    """

    round: int
    key: str
    places: tuple[PlaceLine, ...]
    acting: str
    acting_seat: str
    following: str
    following_seat: str


class SeenFoe(NamedTuple):
    """A foe as players see it."""

    name: str
    hit_points: int | None
    max_hit_points: int | None
    conditions: str


class Others(NamedTuple):
    """The others as a player sees them."""

    characters: tuple[CharacterCard, ...]
    foes: tuple[SeenFoe, ...]


class GameMasterPage(NamedTuple):
    """The game master's page. ``absent`` are those who could join the order of turns.

    ``undo`` and ``redo`` say what can be undone and restored, ``changes`` names the state in forms.
    """

    characters: tuple[CharacterCard, ...]
    shared: tuple[SharedCard, ...]
    foes: tuple[Foe, ...]
    order: OrderView
    absent: tuple[tuple[str, str], ...]
    initiative: Initiative
    choices: Choices
    log: tuple[LogEntry, ...]
    next_id: int
    foe_vitals: bool
    run_turns: bool
    has_turns: bool
    changes: int
    undo: str
    redo: str


# ------------------------------------------------------------------ the whole page


def game_master_page(table: Table, store: TableStore) -> GameMasterPage:
    """Return the page of the game master."""
    saved, known = store.saved, _readable(table)
    state = saved.state
    rulesets = list({opened.ruleset.id: opened.ruleset for opened in known.values()}.values())
    names = table.names()
    return GameMasterPage(
        characters=tuple(_card(table, state, seat, name) for seat, name in names.items()),
        shared=tuple(_shared(known.values())),
        foes=state.foes,
        order=_order(state, names, everything=True),
        absent=tuple(_absent(state, names)),
        initiative=_initiative(rulesets, known, names),
        choices=_choices(rulesets, known),
        log=store.entries[: -LOGGED - 1 : -1],
        next_id=state.next_id,
        foe_vitals=state.foe_vitals,
        run_turns=state.run_turns,
        has_turns=any(ruleset.head.play.turn is not None for ruleset in rulesets),
        changes=saved.changes,
        undo=saved.undo[-1].text if saved.undo else "",
        redo=saved.redo[-1].text if saved.redo else "",
    )


def _readable(table: Table) -> dict[str, LoadedCharacter]:
    """Return the characters whose files can be read, by seat."""
    known = {}
    for seat in table.seats:
        try:
            known[seat] = table.load(seat)
        except CharforgeError:
            continue
    return known


def _absent(state: TableState, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the key and name of everybody who has no place in the order of turns."""
    placed = {place.seat or place.foe for place in state.turns.places}
    yield from ((seat, name) for seat, name in names.items() if seat not in placed)
    yield from ((foe.id, foe.name) for foe in state.foes if foe.id not in placed)


# ------------------------------------------------------------------ characters


def _card(table: Table, state: TableState, seat: str, name: str) -> CharacterCard:
    try:
        card = table.derive(seat, _card_of)
    except CharforgeError as error:
        return CharacterCard(seat, name, state.seen(seat), unreadable=str(error))
    return card._replace(seat=seat, name=name, seen=state.seen(seat))


def _card_of(opened: LoadedCharacter) -> CharacterCard:
    """Return a character without its seat and name."""
    problems = dict.fromkeys(problem.message for problem in opened.problems)
    units = tuple(_unit(opened, unit) for unit in opened.character.state.units)
    return CharacterCard("", "", "name", units, tuple(problems)[:MOST_PROBLEMS])


def _unit(opened: LoadedCharacter, unit: Unit) -> UnitCard:
    state = opened.character.state
    numbers = state.values(unit.id)
    is_character = unit.id == CHARACTER
    shown = shown_conditions(holdings.active_conditions(state, unit.id))
    return UnitCard(
        id=unit.id,
        name=opened.document.name if is_character else unit.name,
        kind=_headline(state) if is_character else unit.type.label,
        figures=tuple(_figures(state, unit.id)),
        conditions=tuple(condition.text for condition in shown),
        stamp=holdings.stamp(state, unit.id),
        combat=values.combat(numbers),
        attributes=values.attributes(numbers, ()),
    )


def _headline(state: State) -> str:
    """Return what a character is and its level, such as ``Medic · level 3``."""
    head = state.ruleset.head
    names = [h.name for h in state.held(CHARACTER) if h.entity.kind in head.sheet.headline]
    if head.advancement.maximum > 1:
        number = head.advancement.number(state.level)
        names.append(f"{head.advancement.label.lower()} {number}")
    return " · ".join(names)


def _figures(state: State, unit: str) -> Iterator[UnitFigure]:
    """Yield the vitals of a unit, then the other figures of its status."""
    vitals = values.vitals(state.values(unit))
    for vital in vitals:
        text = vital.step or number_text(vital.current)
        yield UnitFigure(vital.label, text, vital.current, vital.max)
    known = {vital.id for vital in vitals}
    for figure in unit_status(state, unit).figures:
        if figure.id not in known:
            yield _unit_figure(figure)


def _unit_figure(figure: StatusFigure) -> UnitFigure:
    return UnitFigure(figure.label, true_minus(figure.now), figure.number, figure.most)


def _shared(known: Iterable[LoadedCharacter]) -> Iterator[SharedCard]:
    """Yield what groups own, as the first member reads it, unless it has a seat itself."""
    seen = {opened.document.id for opened in known}
    for opened in known:
        state = opened.character.state
        panel, shared = holdings.shared_panel(state), state.shared
        if panel is not None and shared is not None and shared.id not in seen:
            seen.add(shared.id)
            yield SharedCard(panel.title, tuple(map(_unit_figure, shared_figures(state))))


# ------------------------------------------------------------------ what can be chosen


def _choices(rulesets: Iterable[Ruleset], known: Mapping[str, LoadedCharacter]) -> Choices:
    conditions: dict[str, str] = {}
    rests: dict[str, str] = {}
    resources: list[str] = []
    fields: dict[str, dict[str, RuleField]] = {}
    for ruleset in rulesets:
        state = next(o.character.state for o in known.values() if o.ruleset.id == ruleset.id)
        play = ruleset.head.play
        for name, rule in (("damage", play.damage), ("heal", play.heal)):
            if rule is not None:
                own = rule_fields(state, ruleset.procedure(rule))
                fields.setdefault(name, {}).update(own)
        for name, rule in play.rests.items():
            rests.setdefault(name, ruleset.procedure(rule).label)
            own = rule_fields(state, ruleset.procedure(rule))
            fields.setdefault("rest", {}).update(own)
        resources += [
            ruleset.values[name].label
            for name, computed in state.units[0].type.values.items()
            if computed.resource
        ]
    for opened in known.values():
        state = opened.character.state
        usual = [e for unit in state.units for e in player_conditions(state, unit.id)]
        conditions |= {e.id: e.name for e in usual or settable_conditions(opened.ruleset)}
    return Choices(
        damage=tuple(fields["damage"].values()) if "damage" in fields else None,
        heal=tuple(fields["heal"].values()) if "heal" in fields else None,
        conditions=tuple(sorted(conditions.items(), key=lambda pair: pair[1].casefold())),
        rests=tuple(rests.items()),
        rest_fields=tuple(fields.get("rest", {}).values()),
        resources=tuple(dict.fromkeys(resources)),
    )


def rule_fields(state: State, rule: Procedure) -> dict[str, RuleField]:
    """Return the inputs of a rule as fields by id, but for the amount."""
    return {one.id: _field(state, one) for one in rule.inputs if one.id != AMOUNT_INPUT}


def _field(state: State, one: Input) -> RuleField:
    return RuleField(
        one.id, one.label, one.type == "number", one.needed,
        tuple(input_options(state, one, CHARACTER)),
    )  # fmt: skip


def _initiative(
    rulesets: list[Ruleset], known: Mapping[str, LoadedCharacter], names: Mapping[str, str]
) -> Initiative:
    """Return how initiative is found: by the rules of the first game that has some."""
    orders = [(ruleset, ruleset.head.play.order) for ruleset in rulesets]
    label = _("Order of turns")
    by: tuple[str, ...] = ()
    for ruleset, order in orders:
        if order is not None:
            outputs = ruleset.procedure(order.table_roll.procedure).outputs
            labels = {output.id: output.label for output in outputs}
            label, by = order.label, tuple(labels[name] for name in order.table_roll.output)
            break
    candidates = (
        Candidate(seat, names[seat], holdings.stamp(opened.character.state, CHARACTER))
        for seat, opened in known.items()
    )
    return Initiative(label, by, tuple(candidates))


# ------------------------------------------------------------------ turns


def turn_order(table: Table, store: TableStore) -> OrderView:
    """Return the order of turns as players see it: without hidden foes and numbers of foes."""
    return _order(store.state, table.names(), everything=False)


def _order(state: TableState, names: Mapping[str, str], everything: bool) -> OrderView:
    turns, hidden = state.turns, {foe.id for foe in state.foes if foe.hidden}
    shown = [place for place in turns.places if everything or place.foe not in hidden]
    acting, following = turns.acting, _following(turns, shown)
    known = acting if acting in shown else None
    return OrderView(
        round=turns.round,
        key=turns.key,
        places=tuple(
            _line(place, state, names, place == acting, everything) for place in shown
        ),
        acting=state.name_of(known, names) if known is not None else "",
        acting_seat=known.seat if known is not None else "",
        following=state.name_of(following, names) if following is not None else "",
        following_seat=following.seat if following is not None else "",
    )  # fmt: skip


def _following(turns: Turns, shown: list[TurnPlace]) -> TurnPlace | None:
    """Return whose turn comes next, of those who are shown."""
    if not shown:
        return None
    turns = turns.next()
    while turns.acting not in shown:
        turns = turns.next()
    return turns.acting


def _line(
    place: TurnPlace, state: TableState, names: Mapping[str, str], acting: bool, everything: bool
) -> PlaceLine:
    foe = state.foe(place.foe)
    told = everything or bool(place.seat)
    return PlaceLine(
        key=place.id,
        name=state.name_of(place, names),
        seat=place.seat,
        foe=place.foe,
        figures=", ".join(number_text(n) for n in place.figures) if told else "",
        dice=place.dice if everything else "",
        acting=acting,
        hidden=foe is not None and foe.hidden,
    )


# ------------------------------------------------------------------ the others


def others(table: Table, store: TableStore, seat: str) -> Others:
    """Return what a player in a seat sees of the others, as the game master allows."""
    state = store.state
    names = table.names().items()
    cards = (_card(table, state, other, name) for other, name in names if other != seat)
    foes = (
        SeenFoe(foe.name, foe.hit_points, foe.max_hit_points, foe.conditions)
        if state.foe_vitals
        else SeenFoe(foe.name, None, None, "")
        for foe in state.foes
        if not foe.hidden
    )
    return Others(tuple(map(_seen, cards)), tuple(foes))


def _seen(card: CharacterCard) -> CharacterCard:
    """Return a character as others may see it."""
    units = card.units
    if card.seen == "name":
        units = ()
    elif card.seen == "vitals":
        units = tuple(unit._replace(combat=(), attributes=(), kind="") for unit in units)
    return card._replace(units=units, problems=(), unreadable="")
