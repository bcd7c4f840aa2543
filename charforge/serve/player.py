"""A player's page as data: the figures, abilities, gear and scores of a unit, and its forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from charforge.character import gear, holdings, state_changes
from charforge.character.holdings import total_capacity
from charforge.character.state import CHARACTER, Holding, State, Unit
from charforge.character.values import Values
from charforge.describe.entities import HeldEntity
from charforge.errors import UsageError
from charforge.expressions.markup import Prose, strip_markup
from charforge.language import N_, _, dice_notation
from charforge.odds import Outcome
from charforge.procedures import abilities
from charforge.procedures.abilities import Ability
from charforge.procedures.inputs import input_bounds, items_of, row_numbers, values_of
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Input, Procedure
from charforge.rules.ruleset import Ruleset
from charforge.serve.forms import (
    DICE,
    HOLD_FIRST,
    INPUT,
    LONGEST,
    UNTRAINED,
    ActionForm,
    FormField,
    SentForm,
    StepLine,
    Tap,
    check_rule,
    checkable,
)
from charforge.sheet import values
from charforge.sheet.holdings import active_conditions, stamp
from charforge.sheet.view import Fact, facts_beside
from charforge.verbs import history, odds as odds_of, play
from charforge.verbs.lookup import ability_name, holding_label
from charforge.verbs.typed_inputs import PossibleInputs, TypedInputs
from charforge.verbs.unit_status import AbilityRow, ability_rows, player_conditions, unit_status

FEW_INPUTS = 5  # a form with no more shows them all
LATEST = 40  # events of the history that the page tells
MOST_RESULTS = 40  # of one output, in a table of odds: the likeliest


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
    """Something that a unit can use: ``tap`` opens its form, ``use`` uses it immediately."""

    name: str
    facts: tuple[str, ...]
    reasons: tuple[str, ...]
    tap: Tap
    use: Tap | None


class ScoreLine(NamedTuple):
    """A score; ``lasting`` is what it is without conditions. ``tap`` rolls a check of it."""

    label: str
    name: str
    number: str
    lasting: str = ""
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
    changes: tuple[Tap, ...]
    abilities: tuple[tuple[str, tuple[AbilityLine, ...]], ...]
    rules: bool
    items: tuple[ItemLine, ...]
    hands: str
    stores: tuple[Gauge, ...]
    scores: tuple[ScoreLine, ...]
    figures: tuple[Fact, ...]
    notes: tuple[tuple[str, str], ...]
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
        changes=tuple(_changes(state, bearer)),
        abilities=tuple(_abilities(opened, bearer.id)),
        rules=bool(other_rules(opened.ruleset, bearer)),
        items=items,
        hands=_hands(state) if items and head.gear.kinds else "",
        stores=stores,
        scores=scores,
        figures=_figures(numbers, scores, gauges),
        notes=tuple((note.at, note.text) for note in opened.character.notes[::-1]),
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
    head, numbers = state.ruleset.head, state.values(unit.id)
    for figure in unit_status(state, unit.id).figures:
        track = state.ruleset.tracks.get(figure.id)
        now = numbers.base(figure.id)
        step = "" if track is None else track.step(now).label
        tap = _resource_tap(state, unit, figure.id)
        if figure.id == head.sheet.health and head.play.damage is not None:
            tap = Tap("damage", figure.label, {"unit": unit.id}, True)
        yield Gauge(
            figure.id, figure.label, figure.now if not step else str(now), figure.most,
            _share(now, figure.most), step, tap,
        )  # fmt: skip


def _share(now: int, most: int | None) -> int | None:
    return None if not most or most < 0 else min(max(100 * now // most, 0), 100)


def _resource_tap(state: State, unit: Unit, name: str) -> Tap | None:
    """Return the button to spend or gain a resource of the unit; None for another value."""
    computed = unit.type.values.get(name)
    if computed is None or not computed.resource or values.is_shared(computed):
        return None
    fields = {"unit": unit.id, "what": name}
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
        spec = condition.entity.condition
        if spec is not None and spec.counts and not condition.hidden and not condition.derived:
            fields = {"unit": unit.id, "what": condition.entity.id}
            name = condition.entity.name
            tap = Tap("spend", name, fields, True)
            yield Gauge(condition.entity.id, name, str(condition.amount), None, tap=tap)


def _conditions(state: State, unit: str) -> Iterator[ShownCondition]:
    present = list(state.active_conditions(unit))
    for condition, shown in zip(present, active_conditions(state, unit), strict=True):
        if condition.hidden:
            continue
        fields = {"unit": unit, "condition": shown.id, "off": "1", "about": condition.about}
        label = _("Remove {name}").format(name=shown.text)
        remove = Tap("condition", label, {name: text for name, text in fields.items() if text})
        is_own = condition.derived or condition.entity.active_when is not None
        yield ShownCondition(shown.text, shown.effect, shown.ends, None if is_own else remove)


def _turns(opened: LoadedCharacter, unit: Unit) -> Iterator[Tap]:
    """Yield the buttons for turns and rests."""
    ruleset, rules = opened.ruleset, opened.ruleset.head.play
    for label, name, fields in (
        (N_("Start turn"), rules.turn, {}),
        (N_("End turn"), rules.turn_end, {"end": "1"}),
    ):
        if name is not None and fits(ruleset.procedure(name), unit):
            needed = any(input_.needed for input_ in ruleset.procedure(name).inputs)
            yield Tap("turn", _(label), {"unit": unit.id, **fields}, needed)
    for kind, name in rules.rests.items():
        rule = ruleset.procedure(name)
        if fits(rule, unit):
            yield Tap("rest", rule.label, {"unit": unit.id, "kind": kind}, bool(rule.inputs))


def _changes(state: State, unit: Unit) -> Iterator[Tap]:
    """Yield the buttons for damage, healing and conditions."""
    rules = state.ruleset.head.play
    for action, label, name in (
        ("damage", N_("Damage"), rules.damage), ("heal", N_("Heal"), rules.heal),
    ):  # fmt: skip
        if name is not None and fits(state.ruleset.procedure(name), unit):
            yield Tap(action, _(label), {"unit": unit.id}, True)
    if player_conditions(state, unit.id):
        yield Tap("condition", _("Condition"), {"unit": unit.id}, True)


def fits(rule: Procedure, unit: Unit) -> bool:
    """Return whether a rule is for this kind of unit."""
    return not rule.units or unit.type.id in rule.units


# ------------------------------------------------------------------ abilities and rules


def _abilities(opened: LoadedCharacter, unit: str) -> Iterator[tuple[str, tuple[AbilityLine, ...]]]:
    """Yield what a unit can use in groups, as the list of a session has it."""
    rows = ability_rows(opened.character.state, unit)
    for title, group in (
        (_("Your attacks"), [row for row in rows if row.is_attack]),
        (_("Your abilities"), [row for row in rows if not row.is_attack and not row.common]),
        (_("Everyone can"), [row for row in rows if not row.is_attack and row.common]),
    ):
        if group:
            yield title, tuple(_ability(opened, row) for row in group)


def _ability(opened: LoadedCharacter, row: AbilityRow) -> AbilityLine:
    ability = row.ability
    fields = {"unit": ability.unit, "source": ability.source, "key": ability.key}
    inputs, _steps = abilities.ability_inputs(opened.character.state, ability)
    asks = play.number_input(inputs) is not None or any(input_.needed for input_ in inputs)
    use = None if asks or row.reasons else Tap("use", _("Use"), fields)
    return AbilityLine(row.name, row.facts, row.reasons, Tap("use", row.name, fields, True), use)


def other_rules(ruleset: Ruleset, unit: Unit) -> tuple[Procedure, ...]:
    """Return the rules that a player runs by name, such as a fall.

    They are those that no command, ability or other rule runs.
    """
    spec = ruleset.head.play
    used = {spec.damage, spec.heal, spec.check, spec.attack, spec.turn, spec.turn_end}
    used |= {*spec.rests.values(), *_called(ruleset)}
    rules = (rule for name, rule in ruleset.procedures.items() if name not in used)
    return tuple(rule for rule in rules if fits(rule, unit))


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
            holding_label(state, holding), holding.quantity, tuple(places), tuple(held.figures()),
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
        if holdings.wear_places(state, holding) and worn + in_hand < holding.quantity:
            yield Tap("wear", _("Wear"), fields)
        if worn:
            yield Tap("take-off", _("Take off"), fields)
    yield Tap("drop", _("Drop"), fields, True)


def _hands(state: State) -> str:
    free, number = gear.free_hands(state), gear.hand_count(state)
    return _("hands free: {free} of {all_hands}").format(free=free, all_hands=number)


# ------------------------------------------------------------------ scores


def _scores(state: State, unit: Unit) -> Iterator[ScoreLine]:
    """Yield the attributes of a unit, then whatever else it can roll a check of."""
    numbers, rolled = state.values(unit.id), checkable(state, unit.id)
    keys = {name for h in state.held(unit.id) for name in h.entity.key}
    rule = check_rule(state.ruleset)
    rolled = rolled if rule is not None and fits(rule, unit) else ()

    def tap(name: str, label: str) -> Tap | None:
        fields = {"unit": unit.id, "what": name}
        return Tap("roll", label, fields, True) if name in rolled else None

    seen = set()
    for score in values.attributes(numbers, keys):
        seen.add(score.id)
        yield ScoreLine(
            score.label, score.name, f"{score.before}{score.number}{score.after}{score.modifier}",
            score.lasting, score.key, tap(score.id, score.name or score.label),
        )  # fmt: skip
    for name in dict.fromkeys(rolled):
        value = state.ruleset.values.get(name)
        if name in seen or (value is not None and not numbers.is_shown(name)):
            continue
        label = name if value is None else value.label
        full = "" if value is None or value.name == value.label else value.name
        number = "" if value is None else values.printed_value(numbers, name)
        yield ScoreLine(label, full, number, tap=tap(name, full or label))


def _figures(
    numbers: Values, scores: Sequence[ScoreLine], gauges: Sequence[Gauge]
) -> tuple[Fact, ...]:
    """Return the figures that are shown nowhere else; those of a fight come first."""
    shown = {score.tap.fields["what"] for score in scores if score.tap is not None}
    shown |= {gauge.id for gauge in gauges}
    fight = values.combat(numbers)
    others = facts_beside(values.figures(numbers), fight)
    return tuple(fact for fact in (*fight, *others) if fact.value not in shown or not fact.value)


# ------------------------------------------------------------------ forms


def action_form(opened: LoadedCharacter, name: str, form: Mapping[str, str]) -> ActionForm:
    """Return what an action asks for; what ``form`` has already is filled in.

    Raises RuleRefusal for something that the character does not have, UsageError for an
    unknown action.
    """
    build = FORMS.get(name)
    if build is None:
        raise UsageError(_("there is no such action"))
    return build(SentForm(opened, form))


def _use_form(sent: SentForm) -> ActionForm:
    ability, state = sent.ability(), sent.state
    row = next(row for row in ability_rows(state, ability.unit) if row.ability == ability)
    held = HeldEntity(state, ability.entity, ability.unit, getattr(ability.holding, "id", ""))
    possible = play.inputs_of_named(sent.opened, ability.source, ability.key, ability.unit)
    unit = abilities.acting_unit(state, ability)
    known = {input_.id for input_ in possible.inputs}
    extra = state.ruleset.head.play.untrained_inputs if sent.flag(UNTRAINED) else ()
    inputs = [input_ for input_ in possible.inputs if input_.id not in possible.supplied]
    inputs += [input_ for input_ in extra if input_.id not in known]
    fields, more, dice = _input_fields(sent, possible, inputs, unit)
    item = abilities.unheld_item(state, ability)
    if item is not None:
        label = _("Take {name} in hand first").format(name=item.name)
        fields = (FormField(HOLD_FIRST, label, "check", "1"), *fields)
    return ActionForm(
        name="use", title=ability_name(state, ability), unit=ability.unit, facts=row.facts,
        reasons=row.reasons, text=held.prose(ability.definition.text or ability.entity.text),
        fields=fields, more=more, dice=dice,
        hidden=_hidden(sent, "source", "key"), submits=(("use", _submit(ability, possible)),),
        has_odds=odds_of.has_odds(state, ability),
    )  # fmt: skip


def _submit(ability: Ability, possible: PossibleInputs) -> str:
    if ability.attack is not None:
        return _("Attack")
    return _("Roll") if possible.rolls else _("Use")


def _rule_form(sent: SentForm) -> ActionForm:
    rule = sent.rule()
    label = _("Roll") if _rolls(sent, rule) else _("Use")
    form = _procedure_form(sent, "rule", rule.label, rule, label)
    return form._replace(hidden=_hidden(sent, "rule"))


def _rolls(sent: SentForm, rule: Procedure) -> bool:
    return bool(play.inputs_of_procedure(sent.opened, rule, sent.unit.id).rolls)


def _roll_form(sent: SentForm) -> ActionForm:
    what, rule = sent.check()
    value = sent.ruleset.values.get(what)
    label = what if value is None else value.title
    taken = play.find_checkable(sent.state, rule, what, sent.unit.id)
    title = _("{rule}: {what}").format(rule=rule.label, what=label)
    form = _procedure_form(sent, "roll", title, rule, _("Roll"), () if taken is None else taken[:1])
    number = () if value is None else (values.printed_value(sent.state.values(sent.unit.id), what),)
    return form._replace(hidden=_hidden(sent, "what"), facts=number, has_odds=bool(rule.outputs))


def _damage_form(sent: SentForm) -> ActionForm:
    rule = _named_rule(sent, sent.ruleset.head.play.damage)
    form = _procedure_form(sent, "damage", _("Damage"), rule, _("Apply damage"), ("amount",))
    taps = []
    if sent.ruleset.head.play.heal is not None:
        taps.append(Tap("heal", _("Heal instead"), {"unit": sent.unit.id}, True))
    return form._replace(fields=(_amount_field(sent), *form.fields), taps=tuple(taps))


def _heal_form(sent: SentForm) -> ActionForm:
    rule = _named_rule(sent, sent.ruleset.head.play.heal)
    form = _procedure_form(sent, "heal", _("Heal"), rule, _("Heal"), ("amount",))
    return form._replace(fields=(_amount_field(sent), *form.fields))


def _turn_form(sent: SentForm) -> ActionForm:
    rules = sent.ruleset.head.play
    title = _("End turn") if sent.flag("end") else _("Start turn")
    rule = _named_rule(sent, rules.turn_end if sent.flag("end") else rules.turn)
    form = _procedure_form(sent, "turn", title, rule, title)
    return form._replace(hidden=_hidden(sent, "end"))


def _rest_form(sent: SentForm) -> ActionForm:
    rule = _named_rule(sent, sent.ruleset.head.play.rests.get(sent.text("kind")))
    form = _procedure_form(sent, "rest", rule.label, rule, _("Rest"))
    return form._replace(hidden=_hidden(sent, "kind"))


def _named_rule(sent: SentForm, name: str | None) -> Procedure:
    if name is None:
        raise UsageError(_("this game has no such rule"))
    return sent.ruleset.procedure(name)


def _procedure_form(
    sent: SentForm,
    name: str,
    title: str,
    rule: Procedure,
    submit: str,
    without: tuple[str, ...] = (),
) -> ActionForm:
    """Return the form of a rule, without some of its inputs."""
    possible = play.inputs_of_procedure(sent.opened, rule, sent.unit.id)
    inputs = [input_ for input_ in possible.inputs if input_.id not in without]
    fields, more, dice = _input_fields(sent, possible, inputs, sent.unit.id)
    return ActionForm(
        name=name, title=title, unit=sent.unit.id, fields=fields, more=more, dice=dice,
        hidden=_hidden(sent), submits=((name, submit),),
    )  # fmt: skip


def _spend_form(sent: SentForm) -> ActionForm:
    """Return the form to spend or gain a resource, or to spend what an item carries."""
    hidden = _hidden(sent, "what", "item")
    if sent.text("item"):
        holding = sent.state.holding(sent.text("item"))
        capacities = () if holding is None else holding.entity.capacities
        for capacity in capacities:
            if holding is not None and capacity.id == sent.text("what"):
                left = state_changes.capacity_left(sent.state, holding, capacity)
                return ActionForm(
                    name="spend", title=f"{holding.name}: {capacity.label} {left}",
                    unit=holding.unit, fields=(_amount_field(sent, "1"),), hidden=hidden,
                    submits=(("spend", _("Spend")),),
                )  # fmt: skip
        raise UsageError(_("you no longer have that"))
    name, numbers = sent.resource(), sent.state.values(sent.unit.id)
    value = sent.ruleset.values.get(name)
    if value is not None:
        title = f"{value.label} {values.printed_value(numbers, name)}"
    else:
        now = sent.state.condition_amount(sent.unit.id, name)
        title = f"{sent.ruleset.entity(name).name} {now}"
    return ActionForm(
        name="spend", title=title, unit=sent.unit.id, fields=(_amount_field(sent, "1"),),
        hidden=hidden, submits=(("spend", _("Spend")), ("gain", _("Gain"))),
    )  # fmt: skip


def _amount_field(sent: SentForm, usual: str = "") -> FormField:
    value = sent.text("amount") or usual
    return FormField("amount", _("Amount"), value=value, low=1, required=True)


def _condition_form(sent: SentForm) -> ActionForm:
    """Return the form to add a condition."""
    unit = sent.unit.id
    options = tuple((e.id, e.name) for e in player_conditions(sent.state, unit))
    more = (
        FormField("amount", _("Amount, if it has one"), value=sent.text("amount"), low=1),
        FormField("about", _("Whom or what it is about"), "text", sent.text("about"), longest=80),
        FormField("turns", _("Turns, if not as usual"), value=sent.text("turns"), low=1),
    )
    field = FormField(
        "condition", _("Condition"), "select", sent.text("condition"), options=options,
        required=True,
    )  # fmt: skip
    return ActionForm(
        name="condition", title=_("Add a condition"), unit=unit, fields=(field,), more=more,
        hidden=_hidden(sent), submits=(("condition", _("Add")),),
    )  # fmt: skip


def _note_form(sent: SentForm) -> ActionForm:
    most = LONGEST["text"]
    field = FormField("text", _("Note"), "long", sent.text("text"), required=True, longest=most)
    return ActionForm(
        name="note", title=_("Note"), unit=sent.unit.id, fields=(field,), hidden=_hidden(sent),
        submits=(("note", _("Save")),),
    )  # fmt: skip


def _drop_form(sent: SentForm) -> ActionForm:
    item = sent.item()
    field = FormField(
        "quantity", _("How many?"), value=sent.text("quantity") or "1", low=1, high=item.quantity
    )
    return ActionForm(
        name="drop", title=_("Drop {name}").format(name=item.name),
        fields=(field,) if item.quantity > 1 else (), hidden=_hidden(sent, "item"),
        submits=(("drop", _("Drop or give away")),),
    )  # fmt: skip


def _plain_form(title: str) -> ActionForm:
    return ActionForm(name="", title=title)


def _rules_form(sent: SentForm) -> ActionForm:
    """Return the list of rules that a player runs by name."""
    taps = (
        Tap("rule", rule.label, {"unit": sent.unit.id, "rule": rule.id}, True)
        for rule in other_rules(sent.ruleset, sent.unit)
    )
    return _plain_form(_("Other rules"))._replace(taps=tuple(taps))


def _history_form(sent: SentForm) -> ActionForm:
    """Return what happened last, the latest first."""
    entries = history.history_entries(sent.opened)[-LATEST:][::-1]
    steps = tuple(StepLine(entry.text) for entry in entries)
    return _plain_form(_("History"))._replace(steps=steps)


def _hidden(sent: SentForm, *names: str) -> dict[str, str]:
    """Return the fields that a form sends along: the unit, and these."""
    return {name: sent.text(name) for name in ("unit", *names) if sent.text(name)}


FORMS = {
    "use": _use_form,
    "rule": _rule_form,
    "roll": _roll_form,
    "damage": _damage_form,
    "heal": _heal_form,
    "turn": _turn_form,
    "rest": _rest_form,
    "spend": _spend_form,
    "gain": _spend_form,
    "condition": _condition_form,
    "note": _note_form,
    "drop": _drop_form,
    "hold": lambda _sent: _plain_form(_("Hold")),
    "stow": lambda _sent: _plain_form(_("Stow")),
    "wear": lambda _sent: _plain_form(_("Wear")),
    "take-off": lambda _sent: _plain_form(_("Take off")),
    "undo": lambda _sent: _plain_form(_("Undo")),
    "redo": lambda _sent: _plain_form(_("Redo")),
    "rules": _rules_form,
    "history": _history_form,
}


# ------------------------------------------------------------------ odds


class ChanceLine(NamedTuple):
    """The chance of something, as text and as a share of 1000 for a bar."""

    label: str
    chance: str
    share: int
    or_more: str = ""


class OddsShown(NamedTuple):
    """The odds of an ability or a check: what they assume, flags, and each output's results."""

    title: str
    assumptions: tuple[str, ...]
    flags: tuple[ChanceLine, ...]
    outcomes: tuple[tuple[str, tuple[ChanceLine, ...]], ...]


def action_odds(opened: LoadedCharacter, form: Mapping[str, str]) -> OddsShown:
    """Return the odds of the ability or the check of a form, with what is typed into it.

    Numbers that a rule asks for on the way are the best ones. Raises as ``calculate_odds`` does.
    """
    sent = SentForm(opened, form)
    if sent.text("what"):
        subject = odds_of.find_subject(opened, sent.check()[0], None, sent.unit.id)
    else:
        ability = sent.ability()
        found = odds_of.ability_subject(sent.state, ability)
        if found is None:
            raise UsageError(_("{name} rolls nothing that has odds").format(name=ability.name))
        subject = found
    typed = sent.typed()
    result = odds_of.calculate_odds(subject, TypedInputs(typed.words))
    assumptions = list(result.assumptions)
    if result.best is not None:
        goal = result.label_of(result.best)
        assumptions.insert(0, _("the best choices for: {goal}").format(goal=goal))
    outcomes = result.cases[0]
    flags = ((one.label, one.chances.at_least(1)) for one in outcomes if one.id in result.flags)
    return OddsShown(
        result.label,
        tuple(assumptions),
        tuple(
            ChanceLine(label, odds_of.percent(chance), _thousandths(chance))
            for label, chance in flags
        ),
        tuple(
            (f"{one.label}: {odds_of.expected_text(one)}", tuple(_chances(one)))
            for one in outcomes
            if one.id not in result.flags
        ),
    )


def _chances(outcome: Outcome) -> Iterator[ChanceLine]:
    """Yield the results of an output with their chances; nothing for one that is certain."""
    chances = outcome.chances
    if len(chances.by_value) == 1 and not chances.nothing:
        return
    longest = max([*chances.by_value.values(), chances.nothing])
    likely = sorted(chances.by_value.items(), key=lambda pair: -pair[1])[:MOST_RESULTS]
    for value, chance in ((v, c) for v, c in chances.by_value.items() if (v, c) in likely):
        more = odds_of.percent(chances.at_least(value)) if isinstance(value, int) else ""
        label = odds_of.chance_number(value) if isinstance(value, int) else value
        yield ChanceLine(label, odds_of.percent(chance), round(1000 * chance / longest), more)
    if chances.nothing:
        share = round(1000 * chances.nothing / longest)
        yield ChanceLine(_("none"), odds_of.percent(chances.nothing), share)


# ------------------------------------------------------------------ inputs and dice as fields

Fields = tuple[FormField, ...]


def _input_fields(
    sent: SentForm, possible: PossibleInputs, inputs: Sequence[Input], unit: str
) -> tuple[Fields, Fields, Fields]:
    """Return the fields of inputs that are needed or few, the others, and those of the dice."""
    first = play.number_input(inputs)
    few = len(inputs) <= FEW_INPUTS
    fields: list[FormField] = []
    more: list[FormField] = []
    for input_ in inputs:
        field = _input_field(sent, possible, input_, unit)
        is_first = few or input_.needed or input_.id == first
        (fields if is_first else more).append(field)
    dice = tuple(
        FormField(DICE + roll.name, roll.label, "dice", sent.text(DICE + roll.name))
        for roll in possible.rolls
    )
    return tuple(fields), tuple(more), dice


def _input_field(sent: SentForm, possible: PossibleInputs, input_: Input, unit: str) -> FormField:
    state, name = sent.state, INPUT + input_.id
    usual = str(possible.usual.get(input_.id, ""))
    field = FormField(
        name, input_.label, input_.type, sent.text(name), usual, required=input_.needed,
        help=strip_markup(input_.help),
    )  # fmt: skip
    if input_.type == "number" and not row_numbers(state.ruleset, input_):
        low, high = input_bounds(state, input_, unit)
        return field._replace(low=low, high=high)
    if input_.type == "flag" and usual in ("", "0"):
        return field._replace(type="check", usual="")
    if input_.type in ("flag", "word", "value", "item"):
        options = tuple(_options(state, input_, unit))
        usual = dict(options).get(usual, usual)
        return field._replace(type="select", options=options, usual=usual)
    if input_.type == "number":
        rows = tuple((name, name) for name in row_numbers(state.ruleset, input_))
        return field._replace(type="text", options=rows)
    return field._replace(type="text", usual=dice_notation(usual))


def _options(state: State, input_: Input, unit: str) -> Iterator[tuple[str, str]]:
    """Yield what an input can be, each with its label."""
    if input_.type == "flag":
        yield from (("1", _("yes")), ("0", _("no")))
    elif input_.type == "word":
        yield from ((option, input_.word(option)) for option in input_.options)
    elif input_.type == "value":
        names = values_of(state.ruleset, input_)
        yield from ((name, state.ruleset.values[name].title) for name in names)
    else:
        yield from ((h.id, holding_label(state, h)) for h in items_of(state, input_, unit))
