"""The forms of actions: what each asks for, as fields; the history, and exact odds on demand.

Which action has which form is in ``actions``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from charforge.character import state_changes
from charforge.character.state import State
from charforge.describe.chances import expected_text, percent, result_rows
from charforge.describe.entities import results_of, rules_text
from charforge.describe.held_entities import HeldEntity
from charforge.errors import UsageError
from charforge.expressions.formula import SHARED, Formula
from charforge.expressions.template import Prose, number_text, parse_markup, strip_markup
from charforge.language import _, dice_notation
from charforge.odds import Outcome
from charforge.procedures import abilities, run
from charforge.procedures.abilities import Ability
from charforge.procedures.inputs import KnownInputs, input_bounds, items_of, row_numbers, values_of
from charforge.procedures.steps import PossibleSteps, possible_roll_names
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Input, Procedure, Steps
from charforge.serve.forms import (
    DICE,
    HOLD_FIRST,
    INPUT,
    LONGEST_OF_TYPE,
    PERMISSIONS,
    UNTRAINED,
    ActionForm,
    PageField,
    SentForm,
    Tap,
    chapters,
    gone,
    yes_or_no,
)
from charforge.serve.player import other_rules
from charforge.sheet import values
from charforge.sheet.values import fact_lines, value_lines
from charforge.verbs import history, odds as odds_of, play
from charforge.verbs.change import ResultLine
from charforge.verbs.lookup import ability_name, holding_label
from charforge.verbs.typed_inputs import PossibleInputs, TypedInputs
from charforge.verbs.unit_status import ability_row, counted_text, player_conditions

FEW_INPUTS = 5  # a form with no more shows them all
CHOSEN_OF_ATTACKS = ("value", "word")  # types of inputs: another attribute, another type of damage
LATEST = 40  # events of the history that a page tells
MOST_RESULTS = 40  # of one output, in a table of odds: the likeliest


def use_form(sent: SentForm) -> ActionForm:
    """Return the form to use an ability, with its odds and what it does."""
    ability, state = sent.ability(), sent.state
    row = ability_row(state, ability)
    held = HeldEntity(state, ability.entity, ability.unit, getattr(ability.holding, "id", ""))
    possible = play.inputs_of(sent.opened, play.Usable(ability, ability.unit))
    unit = abilities.acting_unit(state, ability)
    known = {input_.id for input_ in possible.inputs}
    extra = state.ruleset.head.play.untrained_inputs if sent.flag(UNTRAINED) else ()
    inputs = [input_ for input_ in possible.inputs if input_.id not in possible.supplied]
    inputs += [input_ for input_ in extra if input_.id not in known]
    # What an action gives its rule can be replaced; of an attack, what it is rolled with.
    given = [
        input_
        for input_ in possible.inputs
        if input_.id in possible.supplied
        and (ability.attack is None or input_.type in CHOSEN_OF_ATTACKS)
    ]
    offered = _Offered.of(sent, ability)
    inputs = list(filter(offered.input, inputs))
    fields, more, dice = _input_fields(sent, possible, inputs, unit)
    given_fields = (
        offered.limited(_input_field(sent, possible, input_, unit), input_)
        for input_ in filter(offered.input, given)
    )
    more = (*given_fields, *more)
    dice = offered.rolled(dice)
    item = abilities.unheld_item(state, ability)
    if item is not None:
        label = _("Take {name} in hand first").format(name=item.name)
        fields = (PageField(HOLD_FIRST, label, "check", "1"), *fields)
    return ActionForm(
        name="use", title=ability_name(state, ability), unit=ability.unit, facts=row.facts,
        reasons=row.reasons, text=_rules_text(state, ability, held),
        fields=fields, more=more, dice=dice,
        hidden=_hidden(sent, "source", "key", *PERMISSIONS),
        submits=(("use", _submit(ability, possible)),),
        has_odds=odds_of.has_odds(state, ability),
    )  # fmt: skip


def _rules_text(state: State, ability: Ability, held: HeldEntity) -> Prose:
    """Return what an ability does, what its results mean, and the rule that it uses."""
    texts = [ability.definition.text or ability.entity.text]
    if ability.action is not None:
        texts += results_of(ability.action, state.ruleset)
    rule = abilities.procedure_of(state, ability)
    own = held.prose("\n\n".join(filter(None, texts)))
    return own if rule is None or ability.attack is not None else (*own, *_rule_text(state, rule))


def _rule_text(state: State, rule: Procedure) -> Prose:
    """Return the text of the rules that a procedure comes from."""
    entity = state.ruleset.entities.get(rule.source)
    return () if entity is None else HeldEntity(state, entity).prose(state.text(entity))


class _Offered(NamedTuple):
    """The inputs and dice of an ability that a form offers, because they can matter now.

    ``known`` are the inputs that the ability settles, ``supplied`` and its defaults.
    """

    state: State
    ability: Ability
    unit: str
    inputs: tuple[Input, ...]
    steps: Steps
    known: Mapping[str, Any]

    @classmethod
    def of(cls, sent: SentForm, ability: Ability) -> _Offered:
        state, unit = sent.state, abilities.acting_unit(sent.state, ability)
        inputs, steps = abilities.ability_inputs(state, ability)
        supplied = abilities.supplied_inputs(state, ability)
        known = run.default_inputs(state, unit, inputs, supplied)
        return cls(state, ability, unit, inputs, steps, {**known, **supplied})

    def _settled(self, input_: Input) -> bool:
        """Return whether nothing but the attack itself can say what an input is."""
        return self.ability.attack is not None and input_.instead == {}

    def _holds(self, formula: Formula, **supposed: int) -> bool:
        known = {**self.known, **supposed}
        return run.condition_holds(self.state, self.unit, formula, self.inputs, known)

    def input(self, input_: Input) -> bool:
        """Return whether an input can be filled in and can matter."""
        if self._settled(input_) or (input_.instead and not any(self._allowed(input_))):
            return False
        return input_.when is None or self._holds(input_.when)

    def _allowed(self, input_: Input) -> Iterator[str]:
        """Yield what can replace a supplied input, if the player ticks what it takes."""
        flags = {one.id: 1 for one in self.inputs if one.type == "flag" and not self._settled(one)}
        for answer, formula in (input_.instead or {}).items():
            if self._holds(formula, **flags):
                yield answer

    def limited(self, field: PageField, input_: Input) -> PageField:
        """Return a field with those of its options that are allowed.

        A higher score is used if nothing is selected; then its own score is an option, too.
        """
        if not input_.instead:
            return field
        allowed = {*self._allowed(input_)}
        supplied = abilities.supplied_inputs(self.state, self.ability)
        for other, scores in run.higher_scores(self.state, self.unit, self.inputs, supplied, {}):
            if other.id == input_.id:
                allowed |= {*scores}
                field = field._replace(usual=dict(field.options)[next(iter(scores))])
        return field._replace(options=tuple(one for one in field.options if one[0] in allowed))

    def rolled(self, dice: Iterable[PageField]) -> tuple[PageField, ...]:
        """Return the fields whose dice can be rolled."""
        settled = tuple(filter(self._settled, self.inputs))
        inputs = KnownInputs.of(self.state.ruleset, settled, self.known)
        possible = PossibleSteps.of(self.state, self.unit, self.steps)
        return _rolled(dice, self.steps, inputs, possible)


def _rolled(
    dice: Iterable[PageField], steps: Steps, inputs: KnownInputs, possible: PossibleSteps
) -> tuple[PageField, ...]:
    names = {*possible_roll_names(steps, inputs, possible)}
    return tuple(field for field in dice if field.name.removeprefix(DICE) in names)


def _submit(ability: Ability, possible: PossibleInputs) -> str:
    if ability.attack is not None:
        return _("Attack")
    return _("Roll") if possible.rolls else _("Use it")


def rule_form(sent: SentForm) -> ActionForm:
    """Return the form to run a rule by its name."""
    rule = sent.rule()
    label = _("Roll") if _rolls(sent, rule) else _("Use it")
    form = _procedure_form(sent, "rule", rule.label, rule, label)
    return form._replace(hidden=_hidden(sent, "rule", *PERMISSIONS))


def _rolls(sent: SentForm, rule: Procedure) -> bool:
    return bool(play.inputs_of_procedure(sent.opened, rule, sent.unit.id).rolls)


def roll_form(sent: SentForm) -> ActionForm:
    """Return the form to roll a check."""
    what, rule = sent.check()
    value = sent.ruleset.values.get(what)
    label = what if value is None else value.title
    taken = play.find_checkable(sent.state, rule, what, sent.unit.id)
    title = _("{rule}: {what}").format(rule=rule.label, what=label)
    form = _procedure_form(sent, "roll", title, rule, _("Roll"), () if taken is None else taken[:1])
    number = () if value is None else (values.printed_value(sent.state.values(sent.unit.id), what),)
    why = () if value is None else value_lines(sent.opened.character, sent.unit, what)
    return form._replace(
        hidden=_hidden(sent, "what"), facts=number, has_odds=bool(rule.outputs), why=tuple(why)
    )


def explain_form(sent: SentForm) -> ActionForm:
    """Return how a value or a figure of the unit came about, as ``explain`` prints it."""
    name, character, ruleset = sent.text("value"), sent.opened.character, sent.ruleset
    if name in ruleset.values and sent.state.values(sent.unit.id).is_shown(name):
        label = ruleset.values[name].label
        why = (*value_lines(character, sent.unit, name), *fact_lines(character, sent.unit, label))
        title, text = ruleset.values[name].title, rules_text(ruleset.values[name].text, ruleset)
        return plain_form(title)._replace(why=why, text=parse_markup(text))
    why = tuple(fact_lines(character, sent.unit, name))
    if not why:
        raise gone()
    return plain_form(name)._replace(why=why)


def features_form(sent: SentForm) -> ActionForm:
    """Return what the sheet says of the unit in words."""
    title = sent.unit.name or sent.opened.document.name
    return plain_form(title)._replace(chapters=chapters(sent.opened, sent.unit.id))


def damage_form(sent: SentForm) -> ActionForm:
    """Return the form to apply damage."""
    rule = _named_rule(sent, sent.ruleset.head.play.damage)
    form = _procedure_form(sent, "damage", _("Damage"), rule, _("Apply damage"), ("amount",))
    taps = []
    if sent.ruleset.head.play.heal is not None:
        taps.append(Tap("heal", _("Heal instead"), {"unit": sent.unit.id}, True))
    return form._replace(fields=(_amount_field(sent), *form.fields), taps=tuple(taps))


def heal_form(sent: SentForm) -> ActionForm:
    """Return the form to restore hit points."""
    rule = _named_rule(sent, sent.ruleset.head.play.heal)
    form = _procedure_form(sent, "heal", _("Heal"), rule, _("Heal"), ("amount",))
    return form._replace(fields=(_amount_field(sent), *form.fields))


def turn_form(sent: SentForm) -> ActionForm:
    """Return the form to start or end a turn."""
    rules = sent.ruleset.head.play
    title = _("End turn") if sent.flag("end") else _("Start turn")
    rule = _named_rule(sent, rules.turn_end if sent.flag("end") else rules.turn)
    form = _procedure_form(sent, "turn", title, rule, title)
    return form._replace(hidden=_hidden(sent, "end"))


def rest_form(sent: SentForm) -> ActionForm:
    """Return the form to rest."""
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
    """Return the form of a rule, without some of its inputs and without what cannot matter."""
    state, unit = sent.state, sent.unit.id
    possible = play.inputs_of_procedure(sent.opened, rule, unit)
    steps = PossibleSteps.of(state, unit, rule.steps)
    nothing_given = KnownInputs(sent.ruleset, {}, {})
    known = run.default_inputs(state, unit, rule.inputs, run.unit_inputs(state, unit, rule))
    inputs = [
        one
        for one in possible.inputs
        if one.id not in without
        and steps.can_matter(one, rule.steps)
        and (one.when is None or run.condition_holds(state, unit, one.when, rule.inputs, known))
    ]
    fields, more, dice = _input_fields(sent, possible, inputs, unit)
    dice = _rolled(dice, rule.steps, nothing_given, steps)
    return ActionForm(
        name=name, title=title, unit=sent.unit.id, fields=fields, more=more, dice=dice,
        text=_rule_text(sent.state, rule), hidden=_hidden(sent), submits=((name, submit),),
    )  # fmt: skip


def spend_form(sent: SentForm) -> ActionForm:
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
    if name.startswith(SHARED):
        label = sent.ruleset.value_label(name)
        title = f"{label} {number_text(sent.state.shared_figure(name))}"
    elif value is not None:
        title = f"{value.label} {values.printed_value(numbers, name)}"
    else:
        now = sent.state.condition_amount(sent.unit.id, name)
        title = f"{sent.ruleset.entity(name).name} {now}"
    return ActionForm(
        name="spend", title=title, unit=sent.unit.id, fields=(_amount_field(sent, "1"),),
        hidden=hidden, submits=(("spend", _("Spend")), ("gain", _("Gain"))),
    )  # fmt: skip


def _amount_field(sent: SentForm, usual: str = "") -> PageField:
    value = sent.text("amount") or usual
    return PageField("amount", _("Amount"), value=value, low=1, required=True)


def condition_form(sent: SentForm) -> ActionForm:
    """Return the form to add a condition."""
    unit = sent.unit.id
    options = tuple((e.id, e.name) for e in player_conditions(sent.state, unit))
    more = (
        PageField("amount", _("Amount, if it has one"), value=sent.text("amount"), low=1),
        PageField("about", _("Whom or what it is about"), "text", sent.text("about"), longest=80),
        PageField("turns", _("Turns, if not as usual"), value=sent.text("turns"), low=1),
    )
    field = PageField(
        "condition", _("Condition"), "select", sent.text("condition"), options=options,
        required=True,
    )  # fmt: skip
    return ActionForm(
        name="condition", title=_("Add a condition"), unit=unit, fields=(field,), more=more,
        hidden=_hidden(sent), submits=(("condition", _("Add")),),
    )  # fmt: skip


def note_form(sent: SentForm) -> ActionForm:
    """Return the form to add a note."""
    most = LONGEST_OF_TYPE["text"]
    field = PageField("text", _("Note"), "long", sent.text("text"), required=True, longest=most)
    return ActionForm(
        name="note", title=_("Note"), unit=sent.unit.id, fields=(field,), hidden=_hidden(sent),
        submits=(("note", _("Save")),),
    )  # fmt: skip


def drop_form(sent: SentForm) -> ActionForm:
    """Return the form to drop an item, or several pieces of it."""
    item = sent.item()
    field = PageField(
        "quantity", _("How many?"), value=sent.text("quantity") or "1", low=1, high=item.quantity
    )
    return ActionForm(
        name="drop", title=_("Drop {name}").format(name=item.name),
        fields=(field,) if item.quantity > 1 else (), hidden=_hidden(sent, "item"),
        submits=(("drop", _("Drop or give away")),),
    )  # fmt: skip


def plain_form(title: str) -> ActionForm:
    """Return a form that asks for nothing."""
    return ActionForm(name="", title=title)


def rules_form(sent: SentForm) -> ActionForm:
    """Return the list of rules that a player runs by name."""
    taps = (
        Tap("rule", rule.label, {"unit": sent.unit.id, "rule": rule.id}, True)
        for rule in other_rules(sent.ruleset, sent.unit)
    )
    return plain_form(_("Other rules"))._replace(taps=tuple(taps))


def history_form(sent: SentForm) -> ActionForm:
    """Return what happened last, the latest first."""
    entries = history.history_entries(sent.opened)[-LATEST:][::-1]
    steps = tuple(ResultLine(entry.text) for entry in entries)
    return plain_form(_("History"))._replace(steps=steps)


def _hidden(sent: SentForm, *names: str) -> dict[str, str]:
    """Return the fields that a form sends along: the unit, and these."""
    return {name: sent.text(name) for name in ("unit", *names) if sent.text(name)}


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
    counted: str
    assumptions: tuple[str, ...]
    flags: tuple[ChanceLine, ...]
    outcomes: tuple[tuple[str, tuple[ChanceLine, ...]], ...]


def action_odds(opened: LoadedCharacter, form: Mapping[str, str]) -> OddsShown:
    """Return the odds of the ability or the check of a form, with what is typed into it.

    Numbers that a rule asks for on the way are the best ones. Raises as ``calculate_odds`` does.
    """
    sent = SentForm(opened, form)
    if sent.text("what"):
        subject = odds_of.find_odds_subject(opened, sent.check()[0], None, sent.unit.id)
    else:
        ability = sent.ability()
        found = odds_of.ability_subject(sent.state, ability)
        if found is None:
            raise UsageError(_("{name} rolls nothing that has odds").format(name=ability.name))
        subject = found
    typed = sent.typed()
    result = odds_of.calculate_odds(subject, TypedInputs(typed.words), name_counted=True)
    assumptions = list(result.assumptions)
    if result.best is not None:
        goal = result.label_of(result.best)
        assumptions.insert(0, _("the best choices for: {goal}").format(goal=goal))
    outcomes = result.cases[0]
    flags = ((one.label, one.chances.at_least(1)) for one in outcomes if one.id in result.flags)
    return OddsShown(
        result.label,
        counted_text(result.counted),
        tuple(assumptions),
        tuple(ChanceLine(label, percent(chance), round(1000 * chance)) for label, chance in flags),
        tuple(
            (f"{one.label}: {expected_text(one)}", tuple(_chances(one)))
            for one in outcomes
            if one.id not in result.flags
        ),
    )


def _chances(outcome: Outcome) -> Iterator[ChanceLine]:
    """Yield the results of an output with their chances; nothing for one that is certain."""
    chances = outcome.chances
    if len(chances.by_value) == 1 and not chances.nothing:
        return
    rows = result_rows(chances)
    longest = max(row.chance for row in rows)
    likely = sorted(rows, key=lambda row: -row.chance)[:MOST_RESULTS]
    for row in rows:
        if row in likely:
            share = round(1000 * row.chance / longest)
            yield ChanceLine(row.label, row.text, share, row.or_more)


# ------------------------------------------------------------------ inputs and dice as fields

Fields = tuple[PageField, ...]


def _input_fields(
    sent: SentForm, possible: PossibleInputs, inputs: Sequence[Input], unit: str
) -> tuple[Fields, Fields, Fields]:
    """Return the fields of inputs that are needed or few, the others, and those of the dice."""
    first = play.number_input(inputs)
    few = len(inputs) <= FEW_INPUTS
    fields: list[PageField] = []
    more: list[PageField] = []
    for input_ in inputs:
        field = _input_field(sent, possible, input_, unit)
        is_first = few or input_.needed or input_.id == first
        (fields if is_first else more).append(field)
    dice = tuple(
        PageField(DICE + roll.name, roll.label, "dice", sent.text(DICE + roll.name))
        for roll in possible.rolls
    )
    return tuple(fields), tuple(more), dice


def _input_field(sent: SentForm, possible: PossibleInputs, input_: Input, unit: str) -> PageField:
    state, name = sent.state, INPUT + input_.id
    usual = str(possible.usual.get(input_.id, ""))
    field = PageField(
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
        yield from yes_or_no()
    elif input_.type == "word":
        yield from ((option, input_.word(option)) for option in input_.options)
    elif input_.type == "value":
        names = values_of(state.ruleset, input_)
        yield from ((name, state.ruleset.values[name].title) for name in names)
    else:
        yield from ((h.id, holding_label(state, h)) for h in items_of(state, input_, unit))
