"""A player's page as data: the figures, abilities, gear and scores of a unit, and its forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from charforge.character import gear, state_changes
from charforge.character.holdings import total_capacity
from charforge.character.state import CHARACTER, Holding, State, Unit
from charforge.character.values import Values
from charforge.describe.held_entities import HeldEntity
from charforge.expressions.formula import SHARED
from charforge.expressions.template import Prose
from charforge.language import N_, _
from charforge.procedures import abilities
from charforge.procedures.steps import dice_inputs
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Procedure
from charforge.rules.ruleset import Ruleset
from charforge.serve.forms import Tap, check_rule, checkable
from charforge.sheet import values
from charforge.sheet.holdings import active_conditions, shared_panel, stamp
from charforge.sheet.view import Fact, facts_beside
from charforge.verbs import play
from charforge.verbs.unit_status import (
    AbilityRow,
    StatusFigure,
    ability_rows,
    player_conditions,
    shared_figures,
    unit_status,
)


class Gauge(NamedTuple):
    """A figure that is always visible; ``share`` is how full it is, in percent."""

    id: str
    label: str
    now: str
    most: int | None
    share: int | None = None
    step: str = ""
    tap: Tap | None = None


class ShownCondition(NamedTuple):
    """A present condition; one that the rules calculate cannot be removed."""

    text: str
    effect: Prose
    ends: str
    remove: Tap | None


class AbilityLine(NamedTuple):
    """Something that a unit can use: ``tap`` opens its form, ``use`` uses it immediately.

    ``reasons`` forbid it now, besides those that forbid nearly everything.
    """

    name: str
    facts: tuple[str, ...]
    reasons: tuple[str, ...]
    ready: bool
    tap: Tap
    use: Tap | None


class AbilityGroup(NamedTuple):
    """Abilities under a title, as the list of a session has them."""

    title: str
    lines: tuple[AbilityLine, ...]
    is_attacks: bool


class ScoreLine(NamedTuple):
    """A score; ``note`` has its modifier, its harder targets and the score without conditions.

    ``tap`` rolls it, or else explains it.
    """

    label: str
    name: str
    number: str
    note: str = ""
    key: bool = False
    tap: Tap | None = None


class ItemLine(NamedTuple):
    """A piece of gear, where it is, what it carries, and what can be done with it."""

    name: str
    quantity: int
    places: tuple[str, ...]
    facts: tuple[str, ...]
    capacities: tuple[Gauge, ...]
    taps: tuple[Tap, ...]


class SharedPart(NamedTuple):
    """The part of a page for what the group owns: ``Crew: The Eels``, and its values to tap."""

    title: str
    label: str
    gauges: tuple[Gauge, ...]


class UnitLine(NamedTuple):
    """A unit of the character that the page can show."""

    id: str
    name: str
    status: str
    shown: bool


class PlayerPage(NamedTuple):
    """Everything that the page of a player shows of a unit of the character."""

    name: str
    unit: str
    unit_name: str
    subtitle: str
    stamp: str
    units: tuple[UnitLine, ...]
    gauges: tuple[Gauge, ...]
    conditions: tuple[ShownCondition, ...]
    cooling: tuple[str, ...]
    turns: tuple[Tap, ...]
    rests: tuple[Tap, ...]
    changes: tuple[Tap, ...]
    abilities: tuple[AbilityGroup, ...]
    everywhere: tuple[str, ...]  # reasons against most abilities, told once
    rules: bool
    items: tuple[ItemLine, ...]
    hands: str
    stow: Tap | None  # everything that is in hand
    stores: tuple[Gauge, ...]
    scores: tuple[ScoreLine, ...]
    figures: tuple[tuple[Fact, Tap], ...]  # each with its explanation
    held: tuple[str, ...]  # names of what it has beside gear, such as passive abilities
    notes: tuple[tuple[str, str], ...]
    shared: SharedPart | None
    can_undo: bool
    can_redo: bool
    has_levels: bool
    has_shop: bool
    problems: tuple[str, ...] = ()


def player_page(opened: LoadedCharacter, unit: str = CHARACTER) -> PlayerPage:
    """Return the page of a unit; of the character if there is no such unit any more."""
    state, head = opened.character.state, opened.ruleset.head
    bearer = state.unit(unit if state.has_unit(unit) else CHARACTER)
    status, numbers = unit_status(state, bearer.id), state.values(bearer.id)
    rows = ability_rows(state, bearer.id)
    gauges = tuple(_gauges(state, bearer))
    scores = tuple(_scores(state, bearer))
    stores = tuple(_stores(state, bearer, {gauge.id for gauge in gauges}))
    items = tuple(_items(state)) if bearer.id == CHARACTER else ()
    level = head.advancement.text(state.level_of(bearer)) if head.advancement.maximum > 1 else ""
    held = (h for h in state.held(CHARACTER) if h.entity.kind in head.sheet.headline)
    headline = [HeldEntity.of(state, h).name() for h in held] if bearer.id == CHARACTER else []
    return PlayerPage(
        name=opened.document.name,
        unit=bearer.id,
        unit_name=bearer.name or opened.document.name,
        subtitle=" · ".join(filter(None, [*headline, bearer.title, level, head.name])),
        stamp=stamp(state, bearer.id),
        units=tuple(_units(opened, bearer)) if len(state.units) > 1 else (),
        gauges=gauges,
        conditions=tuple(_conditions(state, bearer.id)),
        cooling=status.cooling,
        turns=tuple(_turns(opened, bearer)),
        rests=tuple(_rests(opened, bearer)),
        changes=tuple(_changes(state, bearer)),
        abilities=tuple(_abilities(opened, rows)),
        everywhere=_shared_reasons(rows),
        rules=bool(other_rules(opened.ruleset, bearer)),
        items=items,
        hands=_hands(state) if items and head.gear.kinds else "",
        stow=_stow_all(state, items),
        stores=stores,
        scores=scores,
        figures=tuple(_figures(numbers, scores, gauges)),
        held=tuple(_held(state, bearer)),
        notes=tuple((note.at, note.text) for note in opened.character.notes[::-1]),
        shared=_shared(state, bearer),
        can_undo=opened.document.log[-1].group > 1,
        can_redo=bool(opened.document.undone),
        has_levels=state.level < head.advancement.maximum,
        has_shop=head.gear.money is not None,
        problems=tuple(problem.message for problem in opened.character.problems),
    )


def _units(opened: LoadedCharacter, shown: Unit) -> Iterator[UnitLine]:
    state = opened.character.state
    for unit in state.units:
        texts = unit_status(state, unit.id).figure_texts
        name = unit.name or opened.document.name
        yield UnitLine(unit.id, name, " · ".join(texts), unit is shown)


# ------------------------------------------------------------------ figures and conditions


def _gauges(state: State, unit: Unit) -> Iterator[Gauge]:
    """Yield the figures of the status line, with what taps change them."""
    head = state.ruleset.head
    for figure in unit_status(state, unit.id).figures:
        gauge = _gauge(state, unit, figure)
        if figure.id == head.sheet.health and head.play.damage is not None:
            gauge = gauge._replace(tap=Tap("damage", figure.label, {"unit": unit.id}, True))
        yield gauge


def _gauge(state: State, unit: Unit, figure: StatusFigure) -> Gauge:
    """Return a figure of a status with the tap that changes it."""
    track = state.ruleset.tracks.get(figure.id)
    step = "" if track is None else track.step(figure.number).label
    return Gauge(
        figure.id, figure.label, figure.now if not step else str(figure.number), figure.most,
        _share(figure.number, figure.most), step, _resource_tap(state, unit, figure.id),
    )  # fmt: skip


def _share(now: int, most: int | None) -> int | None:
    return None if not most or most < 0 else min(max(100 * now // most, 0), 100)


def _resource_tap(state: State, unit: Unit, name: str) -> Tap | None:
    """Return the button to spend or gain a resource; None for another value."""
    fields, shared = {"unit": unit.id, "what": name}, state.shared
    if shared is not None and name in {SHARED + owned for owned in shared.bounds}:
        return Tap("spend", state.ruleset.shared_labels[name], fields, True)
    computed = unit.type.values.get(name)
    if computed is None or not computed.resource or values.is_shared(computed):
        return None
    return Tap("spend", state.ruleset.values[name].label, fields, True)


def _stores(state: State, unit: Unit, shown: Iterable[str]) -> Iterator[Gauge]:
    """Yield the other resources of the unit, such as money, and its counters."""
    numbers = state.values(unit.id)
    for name in unit.type.values:
        tap = _resource_tap(state, unit, name)
        if tap is not None and name not in shown and numbers.is_shown(name):
            text = values.printed_value(numbers, name)
            yield Gauge(name, tap.label, text, numbers.full_score(name), tap=tap)
    for condition in state.active_conditions(unit.id):
        if condition.entity.counts and not condition.hidden and not condition.derived:
            fields = {"unit": unit.id, "what": condition.entity.id}
            name = condition.entity.name
            tap = Tap("spend", name, fields, True)
            yield Gauge(condition.entity.id, name, str(condition.amount), None, tap=tap)


def _shared(state: State, unit: Unit) -> SharedPart | None:
    """Return what the group owns; None if it owns nothing, or no file of it is known."""
    panel = shared_panel(state)
    if panel is None:
        return None
    gauges = tuple(_gauge(state, unit, figure) for figure in shared_figures(state))
    return SharedPart(panel.title, panel.kind, gauges)


def _conditions(state: State, unit: str) -> Iterator[ShownCondition]:
    present = list(state.active_conditions(unit))
    for condition, shown in zip(present, active_conditions(state, unit), strict=True):
        if condition.hidden:
            continue
        fields = {"unit": unit, "condition": shown.id, "off": "1", "about": condition.about}
        remove = Tap(
            "condition", _("Remove"), {name: text for name, text in fields.items() if text}
        )
        is_own = condition.derived or condition.entity.active_when is not None
        yield ShownCondition(shown.text, shown.effect, shown.ends, None if is_own else remove)


def _turns(opened: LoadedCharacter, unit: Unit) -> Iterator[Tap]:
    """Yield the buttons to start and end a turn."""
    ruleset, rules = opened.ruleset, opened.ruleset.head.play
    for label, name, fields in (
        (N_("Start turn"), rules.turn, {}),
        (N_("End turn"), rules.turn_end, {"end": "1"}),
    ):
        if name is not None and play.is_for(ruleset.procedure(name), unit):
            rule = ruleset.procedure(name)
            rolls = opened.character.state.cooldowns and dice_inputs(ruleset, rule.steps)
            asks = bool(rolls) or any(input_.needed for input_ in rule.inputs)
            yield Tap("turn", _(label), {"unit": unit.id, **fields}, asks)


def _rests(opened: LoadedCharacter, unit: Unit) -> Iterator[Tap]:
    """Yield the buttons for rests."""
    for kind, name in opened.ruleset.head.play.rests.items():
        rule = opened.ruleset.procedure(name)
        if play.is_for(rule, unit):
            asks = bool(rule.inputs or dice_inputs(opened.ruleset, rule.steps))
            yield Tap("rest", rule.label, {"unit": unit.id, "kind": kind}, asks)


def _changes(state: State, unit: Unit) -> Iterator[Tap]:
    """Yield the buttons for damage, healing and conditions."""
    rules = state.ruleset.head.play
    for action, label, name in (
        ("damage", N_("Damage"), rules.damage), ("heal", N_("Heal"), rules.heal),
    ):  # fmt: skip
        if name is not None and play.is_for(state.ruleset.procedure(name), unit):
            yield Tap(action, _(label), {"unit": unit.id}, True)
    if player_conditions(state, unit.id):
        yield Tap("condition", _("Condition"), {"unit": unit.id}, True)


# ------------------------------------------------------------------ abilities and rules


def _abilities(opened: LoadedCharacter, rows: Sequence[AbilityRow]) -> Iterator[AbilityGroup]:
    """Yield what a unit can use in groups."""
    shared = _shared_reasons(rows)
    for title, is_attacks, group in (
        (_("Your attacks"), True, [row for row in rows if row.is_attack]),
        (_("Your abilities"), False, [r for r in rows if not (r.is_attack or r.common)]),
        (_("Everyone can"), False, [r for r in rows if r.common and not r.is_attack]),
    ):
        if group:
            lines = tuple(_ability(opened, row, shared) for row in group)
            yield AbilityGroup(title, lines, is_attacks)


def _shared_reasons(rows: Sequence[AbilityRow]) -> tuple[str, ...]:
    """Return the reasons against at least half of the abilities, such as the turn of others."""
    counts = Counter(reason for row in rows for reason in row.reasons)
    return tuple(r for r, number in counts.items() if number > 2 and 2 * number >= len(rows))


def _ability(opened: LoadedCharacter, row: AbilityRow, shared: Container[str]) -> AbilityLine:
    ability = row.ability
    fields = {"unit": ability.unit, "source": ability.source, "key": ability.key}
    inputs, _steps = abilities.ability_inputs(opened.character.state, ability)
    asks = play.number_input(inputs) is not None or any(input_.needed for input_ in inputs)
    use = None if asks or row.reasons else Tap("use", _("Use it"), fields)
    reasons = tuple(reason for reason in row.reasons if reason not in shared)
    tap = Tap("use", row.name, fields, opens_form=True)
    return AbilityLine(row.name, row.facts, reasons, not row.reasons, tap, use)


def other_rules(ruleset: Ruleset, unit: Unit) -> tuple[Procedure, ...]:
    """Return the rules that a player runs by name, such as a fall.

    They are those that no command, ability or other rule runs.
    """
    spec = ruleset.head.play
    used = {spec.damage, spec.heal, spec.check, spec.attack, spec.turn, spec.turn_end}
    used |= {*spec.rests.values(), *_called(ruleset)}
    rules = (rule for name, rule in ruleset.procedures.items() if name not in used)
    return tuple(rule for rule in rules if play.is_for(rule, unit))


def _called(ruleset: Ruleset) -> set[str | None]:
    """Return the rules that others run: those of initiative, of lifting, and called ones."""

    def called() -> set[str | None]:
        spec, lifting = ruleset.head.play.order, ruleset.head.gear.lifting
        order = () if spec is None else (spec, spec.rolled, spec.tie)
        names = {None if part is None else part.procedure for part in order}
        names |= {None if lifting is None else lifting.procedure}
        actions = [action for entity in ruleset.entities.values() for action in entity.actions]
        names |= {action.procedure for action in actions}
        steps = chain(
            *(rule.steps for rule in ruleset.procedures.values()),
            *(action.does for action in actions),
        )
        return names | {step.called_procedure for step in steps}

    return ruleset.cached(("rules that others run",), called)


# ------------------------------------------------------------------ gear


def _items(state: State) -> Iterator[ItemLine]:
    """Yield the gear of the character: what is in hand or worn first."""
    owned = list(gear.owned_gear(state, CHARACTER))
    for holding in sorted(owned, key=lambda h: not (_in_hand(state, h) or state.pieces_worn(h))):
        held = HeldEntity.of(state, holding)
        in_hand, worn = _in_hand(state, holding), state.pieces_worn(holding)
        places = [_("attached")] if state.is_attached(holding) else []
        places += _places(in_hand, _("in hand"), _("{pieces} in hand"))
        places += _places(worn, _("worn"), _("{pieces} worn"))
        yield ItemLine(
            held.name(), holding.quantity, tuple(places), tuple(held.figures()),
            tuple(_capacities(state, holding)), tuple(_item_taps(state, holding, in_hand, worn)),
        )  # fmt: skip


def _in_hand(state: State, holding: Holding) -> int:
    return state.in_hand.get(holding.id, 0)


def _places(pieces: int, one: str, several: str) -> list[str]:
    return [] if not pieces else [one if pieces == 1 else several.format(pieces=pieces)]


def _capacities(state: State, holding: Holding) -> Iterator[Gauge]:
    for capacity in holding.entity.capacities:
        left = state_changes.capacity_left(state, holding, capacity)
        most = total_capacity(state, holding, capacity)
        fields = {"what": capacity.id, "item": holding.id, "unit": holding.unit}
        tap = Tap("spend", capacity.label, fields, True)
        yield Gauge(capacity.id, capacity.label, str(left), most, _share(left, most), tap=tap)


def _item_taps(state: State, holding: Holding, in_hand: int, worn: int) -> Iterator[Tap]:
    """Yield what can be done with an item."""
    fields = {"item": holding.id}
    if not state.is_attached(holding):
        if in_hand + worn < holding.quantity:
            yield Tap("hold", _("Hold"), fields)
        if in_hand:
            yield Tap("stow", _("Stow"), fields)
        if gear.wear_places(state, holding) and worn + in_hand < holding.quantity:
            yield Tap("wear", _("Wear"), fields)
        if worn:
            yield Tap("take-off", _("Take off"), fields)
    yield Tap("drop", _("Drop"), fields, True)


def _stow_all(state: State, items: Sequence[ItemLine]) -> Tap | None:
    return (
        Tap("stow", _("Stow all"), {"all": "1"})
        if items and sum(state.in_hand.values()) > 1
        else None
    )


def _hands(state: State) -> str:
    free, number = gear.free_hands(state), gear.hand_count(state)
    return _("hands free: {free} of {all_hands}").format(free=free, all_hands=number)


# ------------------------------------------------------------------ scores


def _scores(state: State, unit: Unit) -> Iterator[ScoreLine]:
    """Yield the attributes of a unit, then whatever else it can roll a check of."""
    numbers, rolled = state.values(unit.id), checkable(state, unit.id)
    keys = {name for h in state.held(unit.id) for name in h.entity.key}
    rule = check_rule(state.ruleset)
    rolled = rolled if rule is not None and play.is_for(rule, unit) else ()

    def tap(name: str, label: str) -> Tap:
        if name not in rolled:
            return _explaining(unit, name, label)
        return Tap("roll", label, {"unit": unit.id, "what": name}, True)

    seen = set()
    for score in values.attributes(numbers, keys):
        seen.add(score.id)
        yield ScoreLine(
            score.label, score.name, f"{score.before}{score.number}{score.after}",
            ", ".join(filter(None, (score.modifier, score.targets, score.lasting))), score.key,
            tap(score.id, score.name or score.label),
        )  # fmt: skip
    for name in dict.fromkeys(rolled):
        value = state.ruleset.values.get(name)
        if name in seen or (value is not None and not numbers.is_shown(name)):
            continue
        label = name if value is None else value.label
        full = "" if value is None or value.name == value.label else value.name
        number = "" if value is None else values.printed_value(numbers, name)
        yield ScoreLine(label, full, number, tap=tap(name, full or label))


def _explaining(unit: Unit, name: str, label: str) -> Tap:
    """Return the button that explains a value, or a figure of the strip with a label."""
    return Tap("explain", label, {"unit": unit.id, "value": name}, True)


def _figures(
    numbers: Values, scores: Sequence[ScoreLine], gauges: Sequence[Gauge]
) -> Iterator[tuple[Fact, Tap]]:
    """Yield the figures that are shown nowhere else; those of a fight come first."""
    taps = [score.tap.fields for score in scores if score.tap is not None]
    shown = {fields.get("what", fields.get("value")) for fields in taps}
    shown |= {gauge.id for gauge in gauges}
    fight = values.combat(numbers)
    others = facts_beside(values.figures(numbers), fight)
    for fact in (*fight, *others):
        if fact.value not in shown or not fact.value:
            yield fact, _explaining(numbers.unit, fact.value or fact.label, fact.label)


def _held(state: State, unit: Unit) -> Iterator[str]:
    """Yield the names of what the unit has beside gear, each once."""
    gear_kinds = state.ruleset.head.gear.kinds
    held = (h for h in state.held(unit.id) if h.entity.kind not in gear_kinds)
    yield from dict.fromkeys(HeldEntity.of(state, holding).name() for holding in held)
