"""The command ``odds``: what a player's words name, and the exact odds of it.

Its subjects are the attacks, checks and procedures of a character, rules
without a character, and pools of dice with symbols. The calculation itself
is in the package ``charforge.odds``; the tables of odds on a sheet are in
``sheet.odds``, the printing in ``cli.odds``.
"""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from charforge.character.files.events import ProcedureEvent
from charforge.character.state import CHARACTER, Holding, State, find_unit
from charforge.errors import (
    FILE,
    AmbiguousName,
    CharforgeError,
    RuleRefusal,
    UnknownId,
    UsageError,
    nearest,
    shorten,
)
from charforge.expressions import template
from charforge.expressions.template import number_text
from charforge.language import _
from charforge.odds import MAX_BRANCHES, Actor, Case, Chances, Odds, Outcome
from charforge.odds.liveness import is_flag
from charforge.procedures import abilities, costs, inputs
from charforge.procedures.abilities import Ability
from charforge.procedures.run import default_inputs, replaced_inputs, unit_inputs
from charforge.procedures.steps import dice_inputs, number_choices
from charforge.replay.decision_walk import RunEvent
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import (
    AnyProcedureStep,
    Call,
    Input,
    Let,
    Output,
    Procedure,
    RollDice,
    Steps,
)
from charforge.rules.models.procedures import GIVEN_FLAG
from charforge.rules.names import name_matches
from charforge.rules.ruleset import Ruleset
from charforge.verbs.lookup import find_ability, find_procedure, find_rule, has_named
from charforge.verbs.play import checkable_names, find_checkable, last_number, number_input
from charforge.verbs.resolve import parse_all_inputs, unknown_unit
from charforge.verbs.typed_inputs import (
    ChosenScores,
    InputAsker,
    InputReader,
    PlannedRun,
    PossibleInputs,
    TypedInputs,
    choose_scores,
    parse_inputs,
    possible_inputs,
)
from charforge.verbs.unit_status import circumstances

ABILITY = "ability"  # id of the procedure that the own steps of an action are
MOST_CASES = 100
INPUTS_COMMAND = ("odds", FILE, "NAME", "inputs")
MOST_POOL = 60  # dice
LINE_WIDTH = 80  # of the lists of what has odds


@dataclass(frozen=True)
class VariedInput:
    """An input with several typed values, one for each case; without a name there is one case."""

    name: str = ""
    words: tuple[str, ...] = ("",)


@dataclass(frozen=True)
class OddsResult:
    """The odds of a subject: ``cases`` has the outcomes of each case, one for each output.

    ``flags`` are the outputs that are yes or no. ``best`` is the output for
    which numbers were chosen, ``choices`` the labels of those numbers.
    ``pooled`` says that it is a pool, ``mirrored`` are its symbols that only
    cancel an earlier one. ``assumptions`` are sentences of the pack on the
    inputs that were given. ``left_out`` are the optional items that were not given and could be:
    the question, and the input as it is typed. ``counted`` are the conditions and resources of
    the moment that change a chance, if that was asked.
    """

    label: str
    varied: VariedInput
    cases: tuple[tuple[Outcome, ...], ...]
    flags: frozenset[str] = frozenset()
    best: str | None = None
    choices: tuple[str, ...] = ()
    pooled: bool = False
    mirrored: frozenset[str] = frozenset()
    assumptions: tuple[str, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    counted: tuple[str, ...] = ()

    def label_of(self, output: str) -> str:
        """Return the label of an output."""
        return next(outcome.label for outcome in self.cases[0] if outcome.id == output)


@dataclass(frozen=True)
class OddsSubject:
    """A procedure whose odds are calculated, the unit that runs it, and inputs known already.

    ``bearer`` is the unit whose attack it is; ``settled_inputs`` are those
    that typed ones cannot simply replace. ``action_of`` is the ability whose
    own steps the procedure is. ``namesake`` is a rule that it does not use and that has its name.
    ``made_in`` returns it in another state, ``now`` is the state before its cost is paid.
    """

    label: str
    state: State
    unit: str
    procedure: Procedure
    inputs: tuple[Input, ...]
    steps: Steps
    known_inputs: Mapping[str, Any]
    no_character: bool = False
    bearer: str = ""
    settled_inputs: Mapping[str, Any] = field(default_factory=dict)
    action_of: Ability | None = None
    namesake: Procedure | None = None
    made_in: Callable[[State], OddsSubject | None] | None = None
    now: State | None = None

    @property
    def holding(self) -> Holding | None:
        """The item whose own numbers the procedure reads."""
        return None if self.action_of is None else self.action_of.holding

    @property
    def actor(self) -> Actor:
        """Who runs the procedure; an action is odds of what the GM may allow."""
        allowed = self.action_of is not None
        return Actor(self.unit, self.bearer, self.holding, self.no_character, allowed)


def find_odds_subject(
    opened: LoadedCharacter, named: str, action: str | None = None, unit_id: str | None = None
) -> OddsSubject:
    """Return the subject that a player names: an attack, a procedure or a check of a score.

    An ability of the unit comes before a procedure of the same name. Raises UnknownId for a name
    that is nearly right, else UsageError that lists everything that has odds.
    """
    state = opened.character.state
    bearer = find_unit(state, unit_id).id
    rule = find_rule(opened.ruleset, named)
    if rule is None and action is None and not has_named(state, bearer, named):
        check = _check_subject(state, named, bearer)
        if check is not None:
            return _use_of_checked(state, check) or check
    ability = _find_ability(opened, bearer, named, action, rule is not None)
    subject = None if ability is None else ability_subject(state, ability)
    if subject is None:
        assert rule is not None
        return rule_subject(state, rule, bearer)
    called = {step.procedure for step in subject.steps if isinstance(step, Call)}
    is_other = rule is not None and rule.id not in {subject.procedure.id, *called}
    return replace(subject, namesake=rule) if is_other else subject


def with_number(
    named: str, find: Callable[[str], OddsSubject]
) -> tuple[OddsSubject, dict[str, str]]:
    """Return the subject that a name means, and what a number after it is for: ``pistol 8``."""
    first, number = last_number(named)
    try:
        return find(named), {}
    except AmbiguousName:
        raise
    except (UnknownId, UsageError):
        if not number:
            raise
    subject = find(first)
    asked = number_input(subject.inputs)
    if asked is None:
        raise UsageError(_("{label} takes no number").format(label=subject.label))
    return subject, {asked: number}


def rule_subject(state: State, rule: Procedure, unit_id: str) -> OddsSubject:
    """Return a procedure that a unit runs as a subject."""
    known = unit_inputs(state, unit_id, rule)
    return OddsSubject(
        rule.label, state, unit_id, rule, rule.inputs, rule.steps, known, settled_inputs=known,
        made_in=lambda other: rule_subject(other, rule, unit_id), now=state,
    )  # fmt: skip


def ability_subject(state: State, ability: Ability) -> OddsSubject | None:
    """Return an attack or an action as a subject; its cost is paid before it.

    None for an action that rolls nothing.
    """
    procedure = abilities.procedure_of(state, ability)
    if procedure is None:
        return _action_subject(state, ability)
    inputs, steps = abilities.ability_inputs(state, ability)
    return OddsSubject(
        ability.name,
        costs.state_after_cost(state, ability),
        abilities.acting_unit(state, ability),
        procedure,
        inputs,
        steps,
        abilities.supplied_inputs(state, ability),
        bearer=ability.unit,
        settled_inputs=abilities.settled_inputs(state, ability),
        made_in=lambda other: ability_subject(other, ability),
        now=state,
    )


def _action_subject(state: State, ability: Ability) -> OddsSubject | None:
    """Return an action with steps of its own as a subject; None if they roll nothing.

    What a rolling step waits for must be typed.
    """
    if ability.action is None:
        return None
    inputs, own_steps = abilities.ability_inputs(state, ability)
    steps, outputs = _with_outputs(state.ruleset, own_steps)
    if not outputs:
        return None
    waited_for = {
        step.when.text.removesuffix(GIVEN_FLAG)
        for step in own_steps
        if step.when is not None and dice_inputs(state.ruleset, (step,))
    }
    procedure = Procedure(
        id=ABILITY, label=ability.name, source=ability.entity.id, inputs=inputs, steps=steps,
        outputs=outputs,
    )  # fmt: skip
    asked = tuple(
        input_.model_copy(update={"optional": False}) if input_.id in waited_for else input_
        for input_ in inputs
    )
    return OddsSubject(
        ability.name, costs.state_after_cost(state, ability), ability.unit, procedure, asked,
        procedure.steps, {}, bearer=ability.unit, action_of=ability,
        made_in=lambda other: _action_subject(other, ability), now=state,
    )  # fmt: skip


def _with_outputs(
    ruleset: Ruleset, steps: Iterable[AnyProcedureStep]
) -> tuple[tuple[AnyProcedureStep, ...], tuple[Output, ...]]:
    """Return the steps of an action, which take all that their calls output, and its outputs.

    These are what its calls that roll output, and its own rolls, or a labelled number from them.
    """
    taken: list[AnyProcedureStep] = []
    outputs: dict[str, Output] = {}
    for step in steps:
        rolling = bool(dice_inputs(ruleset, (step,)))
        if rolling and isinstance(step, Call):
            called = ruleset.procedure(step.procedure)
            ours = {theirs: name for name, theirs in step.take.items()}
            found = {ours.get(output.id, output.id): output for output in called.outputs}
            step = step.model_copy(update={"take": {n: o.id for n, o in found.items()}})
            for name, output in found.items():
                outputs.setdefault(name, output.model_copy(update={"id": name, "when": None}))
        elif rolling and isinstance(step, RollDice):
            outputs.setdefault(step.id, Output(id=step.id, label=step.label or step.id))
        elif isinstance(step, Let) and step.label and not outputs.keys().isdisjoint(step.to.names):
            outputs = {name: out for name, out in outputs.items() if name not in step.to.names}
            outputs[step.id] = Output(id=step.id, label=step.label)
        taken.append(step)
    return tuple(taken), tuple(outputs.values())


def _use_of_checked(state: State, check: OddsSubject) -> OddsSubject | None:
    """Return the use of the item that a check rolls, if it has one; it knows more than the check.

    Where an item has several, a name has to say which.
    """
    names = set(map(str, check.known_inputs.values()))
    uses = [
        subject
        for ability in abilities.all_abilities(state, check.unit)
        if ability.source in names and (subject := ability_subject(state, ability)) is not None
    ]
    return uses[0] if len(uses) == 1 else None


def run_subject(state: State, event: RunEvent) -> OddsSubject | None:
    """Return what a recorded run tried as a subject; None for an action without a procedure."""
    if isinstance(event, ProcedureEvent):
        return rule_subject(state, state.ruleset.procedure(event.procedure), event.unit)
    ability = abilities.ability_of(state, event.unit, event.holding, event.ability)
    if ability is None or abilities.procedure_of(state, ability) is None:
        return None
    return ability_subject(state, ability)


def _check_subject(state: State, named: str, unit_id: str) -> OddsSubject | None:
    """Return the check of a score, or of something held, by its name."""
    procedure = state.ruleset.procedures.get(state.ruleset.head.play.check or "")
    if procedure is None:
        return None
    checkable = find_checkable(state, procedure, named, unit_id, beginnings=False)
    if checkable is None:
        return None
    name, value = checkable
    inputs = tuple(input_ for input_ in procedure.inputs if input_.id != name)
    score, holding = state.ruleset.values.get(str(value)), state.holding(str(value))
    checked = holding.name if holding is not None else named
    if score is not None:
        rolled, checked = state.ruleset.rolled_value(score.id), score.title
        way = state.ruleset.way_to_roll(rolled)
        if way is not None:
            checked += f" {way.text(state.values(unit_id).total(rolled))}"
    label = f"{procedure.label}: {checked}"
    return OddsSubject(
        label, state, unit_id, procedure, inputs, procedure.steps, {name: value},
        made_in=lambda other: _check_subject(other, named, unit_id), now=state,
    )  # fmt: skip


def odds_offered(opened: LoadedCharacter, unit_id: str | None = None) -> str:
    """Return a text that lists everything that has odds: attacks, scores and rules."""
    state = opened.character.state
    bearer = find_unit(state, unit_id).id
    check = opened.ruleset.procedures.get(opened.ruleset.head.play.check or "")
    offered = {
        _("attacks"): _names_with_odds(state, bearer, attacks=True),
        _("actions"): _names_with_odds(state, bearer, attacks=False),
        _("scores"): [] if check is None else _checkable_labels(state, check, bearer),
        _("rules"): [rule.label for rule in opened.ruleset.procedures.values() if rule.outputs],
    }
    width = max(map(len, offered))
    lines = [
        textwrap.fill(
            ", ".join(dict.fromkeys(names)),
            LINE_WIDTH,
            initial_indent=f"  {kind:<{width}}  ",
            subsequent_indent=" " * (width + 4),
            break_on_hyphens=False,
        )
        for kind, names in offered.items()
        if names
    ]
    return "\n".join(lines)


def _checkable_labels(state: State, check: Procedure, unit_id: str) -> list[str]:
    """Return what a unit can roll a check of, as its sheet calls it."""
    values = state.ruleset.values
    names = checkable_names(state, check, unit_id)
    return [values[name].label if name in values else name for name in names]


def _names_with_odds(state: State, unit_id: str, attacks: bool) -> list[str]:
    """Return the names of a unit's attacks, or of its actions that roll dice."""
    return [
        ability.name
        for ability in abilities.all_abilities(state, unit_id)
        if (ability.attack is not None) == attacks and has_odds(state, ability)
    ]


def has_odds(state: State, ability: Ability) -> bool:
    """Return whether an ability has odds: an attack, or an action with dice."""
    if ability.action is None or ability.action.procedure is not None:
        return True
    return _action_subject(state, ability) is not None


def _find_ability(
    opened: LoadedCharacter, unit_id: str, named: str, action: str | None, rule: bool
) -> Ability | None:
    """Return the attack or action with a name; None if the name means a ``rule``.

    Raises UnknownId, or UsageError for an action that rolls nothing.
    """
    state = opened.character.state
    if rule and action is None and not has_named(state, unit_id, named):
        return None
    try:
        ability = find_ability(state, unit_id, named, action)
    except UnknownId as unknown:
        rules = opened.ruleset.procedures.values()
        known = _names_with_odds(state, unit_id, attacks=True)
        known += _names_with_odds(state, unit_id, attacks=False)
        known += [name.partition(": ")[0] for name in known]  # of the thing itself
        known += [word for known_rule in rules for word in (known_rule.id, known_rule.label)]
        if nearest(named, known):
            raise UnknownId(_("attack, action or rule here"), named, known) from unknown
        none = _("there are no odds for {named}. You can get the odds of these:").format(
            named=shorten(named)
        )
        raise UsageError(
            f"{none}\n{odds_offered(opened, unit_id)}",
            _("For what you can set: {command}"),
            INPUTS_COMMAND,
        ) from unknown
    if has_odds(state, ability):
        return ability
    if rule and action is None:
        return None
    raise UsageError(
        _("{name} rolls nothing that has odds").format(name=ability.name),
        _("Name the check or rule that it uses instead."),
    )


def subject_without_character(
    ruleset: Ruleset, named: str, rules: Mapping[str, str] = MappingProxyType({})
) -> OddsSubject:
    """Return the procedure with an id or label as a subject; every figure must be typed.

    Raises UnknownId.
    """
    rule = find_procedure(ruleset, named)
    state = unknown_unit(ruleset, rule, rules)
    return OddsSubject(rule.label, state, CHARACTER, rule, rule.inputs, rule.steps, {}, True)


def subject_inputs(subject: OddsSubject) -> PossibleInputs:
    """Return the inputs that a subject takes."""
    defaults: dict[str, int | str] = {}
    if not subject.no_character:
        defaults = default_inputs(
            subject.state, subject.unit, subject.inputs, subject.known_inputs, subject.holding
        )
    return possible_inputs(
        subject.state.ruleset, subject.label, subject.inputs, subject.steps, defaults
    )


def calculate_odds(
    subject: OddsSubject,
    typed: TypedInputs,
    varied: VariedInput = VariedInput(),
    best: str | None = None,
    chosen: bool = True,
    name_counted: bool = False,
) -> OddsResult:
    """Return the exact odds of a subject, for each value of the varied input.

    ``best`` is the id or label of the output that chosen numbers are to make
    as high as possible, by default the procedure's goal; with ``chosen``
    false they are as suggested. With ``name_counted`` the result says which conditions
    and resources of now change a chance. Raises ProcedureError with everything
    missing or wrong, UsageError for too many cases or branches.
    """
    typed = replace(typed, ask=_ask_once(typed))
    result = _calculate(subject, typed, varied, best, chosen)
    if not name_counted:
        return result
    return replace(result, counted=tuple(_counted(subject, typed, best, chosen, result)))


def _counted(
    subject: OddsSubject, typed: TypedInputs, best: str | None, chosen: bool, result: OddsResult
) -> Iterator[str]:
    """Yield the circumstances that change a chance."""
    if subject.now is None or subject.made_in is None:
        return
    for one in circumstances(subject.now, {subject.unit, subject.bearer}):
        try:
            without = subject.made_in(one.removed_from(subject.now))
            if without is not None:
                cases = _calculate(without, typed, result.varied, best, chosen).cases
        except CharforgeError:  # without it a rule refuses
            without = None
        if without is None or cases != result.cases:
            yield one.label


def _calculate(
    subject: OddsSubject, typed: TypedInputs, varied: VariedInput, best: str | None, chosen: bool
) -> OddsResult:
    procedure, ruleset = subject.procedure, subject.state.ruleset
    if not procedure.outputs:
        raise UsageError(
            _("{label} has no results, so it has no odds").format(label=procedure.label)
        )
    if len(varied.words) > MOST_CASES:
        raise UsageError(
            _("--vary can try at most {most_cases} values of {name}").format(
                most_cases=MOST_CASES, name=varied.name
            )
        )
    choices = (s.listed_label for s in number_choices(ruleset, subject.steps) if s.player)
    labels = tuple(dict.fromkeys(choices))
    goal = _goal(procedure, best) if labels and chosen else None
    if best is not None and goal is None:
        raise UsageError(
            _("{label} has no choices to make").format(label=procedure.label),
            _("Leave out --best."),
        )
    cases = []
    scores: dict[str, None] = {}
    for word in varied.words:
        parsed, notes = _parse(subject, _with_varied(typed, varied, word))
        scores |= dict.fromkeys(notes)
        inputs = {**subject.known_inputs, **parsed.inputs}
        cases.append(Case(inputs, parsed.figures, parsed.dice))
    odds = Odds(subject.state, procedure, cases, subject.actor, goal, MAX_BRANCHES)
    flags = (o.id for o in procedure.outputs if is_flag(ruleset, procedure, o.id))
    outcomes = tuple(_shown(procedure, [odds.of(case) for case in cases]))
    return OddsResult(
        subject.label, varied, outcomes, frozenset(flags), goal, labels,
        assumptions=(
            *scores,
            *_replaced_values(subject, cases),
            *_assumptions(subject, cases),
            *_adjusted(subject, odds.adjusted),
        ),
        left_out=tuple(_left_out(subject, cases)),
    )  # fmt: skip


def _replaced_values(subject: OddsSubject, cases: Sequence[Case]) -> Iterator[str]:
    """Yield each value of the unit that a typed number replaces: ``your own DR is 7, not 5``."""
    values = subject.state.values(subject.unit)
    names = () if subject.no_character else {name for case in cases for name in case.figures}
    for name in sorted(names):
        typed = dict.fromkeys(case.figures[name] for case in cases if name in case.figures)
        numbers = ", ".join(map(number_text, typed))
        label = subject.state.ruleset.value_label(name) if name in values else name
        if name in values and [*typed] != [values.base(name)]:
            now = number_text(values.base(name))
            yield _("your own {label} is {number}, not {now}").format(
                label=label, number=numbers, now=now
            )
        else:
            yield _("your own {label} is {number}").format(label=label, number=numbers)


def _assumptions(subject: OddsSubject, cases: Iterable[Case]) -> Iterator[str]:
    """Yield what the odds assume about the inputs that are not 0 in some case."""
    given = [case.inputs for case in cases]
    for input_ in subject.inputs:
        answers = (str(inputs.get(input_.id) or "") for inputs in given)
        if input_.assumes and any(answer.strip("0, ") for answer in answers):
            yield template.strip_markup(input_.assumes)


def _left_out(subject: OddsSubject, cases: Iterable[Case]) -> Iterator[tuple[str, str]]:
    """Yield each optional item that no case has and the unit could use: the question, and how."""
    given = {name for case in cases for name, value in case.inputs.items() if value is not None}
    held = () if subject.no_character else tuple(subject.state.held(subject.unit))
    for input_ in subject.inputs:
        if input_.type == "item" and input_.optional and input_.id not in given:
            names = (one.name for one in held if one.entity.kind in input_.kind)
            name = next(names, "")
            if name:
                yield input_.label, f"{input_.id}={shlex.quote(name.casefold())}"


def _adjusted(subject: OddsSubject, names: Container[str]) -> Iterator[str]:
    """Yield what the odds assume about numbers chosen beforehand that some rolls do not allow."""
    for step in number_choices(subject.state.ruleset, subject.steps):
        if step.id in names:
            yield _("{question} As typed, or the nearest number that the roll allows").format(
                question=step.listed_label
            )


def _shown(procedure: Procedure, cases: list[tuple[Outcome, ...]]) -> Iterator[tuple[Outcome, ...]]:
    """Yield the outcomes of each case; some only for the runs in which they are shown.

    Those that are shown in no run of any case are left out.
    """
    at_times = {one.id for one in procedure.outputs if one.shown == "when"}
    happening = {one.id for case in cases for one in case if one.given and one.given.given}
    for case in cases:
        yield tuple(
            replace(one, chances=one.given) if one.id in at_times and one.given else one
            for one in case
            if one.id not in at_times or one.id in happening
        )


# ------------------------------------------------------------------ pools


def pool_odds(
    ruleset: Ruleset, dice: Mapping[str, int], varied: VariedInput = VariedInput()
) -> OddsResult:
    """Return the odds of the symbols left in a pool, each by itself.

    ``dice`` is the number of each die by id; ``varied`` may name one of
    them. Raises UnknownId for an unknown die, UsageError for too many.
    """
    if not ruleset.symbol_dice:
        raise UsageError(_("{name} has no dice with symbols").format(name=ruleset.head.name))
    cases = []
    for word in varied.words:
        counts = dict(dice)
        if varied.name:
            counts[varied.name] = _read_count(varied.name, word)
        for name in counts:
            if name not in ruleset.symbol_dice:
                raise UnknownId(
                    _("die of {name}").format(name=ruleset.head.name), name, ruleset.symbol_dice
                )
        if sum(counts.values()) > MOST_POOL:
            raise UsageError(_("a pool has at most {most_pool} dice").format(most_pool=MOST_POOL))
        cases.append(tuple(_symbol_outcomes(ruleset, counts)))
    order = list(ruleset.symbols)
    mirrored = (n for n, s in ruleset.symbols.items() if s.cancels in order[: order.index(n)])
    return OddsResult(_("Pool"), varied, tuple(cases), pooled=True, mirrored=frozenset(mirrored))


def _symbol_outcomes(ruleset: Ruleset, counts: Mapping[str, int]) -> Iterator[Outcome]:
    """Yield the chances of each symbol, by itself."""
    for name, symbol in ruleset.symbols.items():
        ways_by_number = sorted(
            (left[name], ways) for left, ways in inputs.pool_outcomes(ruleset, counts, [name])
        )
        total = sum(ways for _number, ways in ways_by_number)
        chances: dict[int | str, Fraction] = {n: Fraction(w, total) for n, w in ways_by_number}
        yield Outcome(name, symbol.label, Chances(chances))


def _read_count(name: str, word: str) -> int:
    if not word.strip().isdecimal():
        raise UsageError(_("{name}={word} is not a number of dice").format(name=name, word=word))
    return int(word)


def read_pool(text: str) -> dict[str, int]:
    """Return the number of each die in ``ability=1,proficiency=2``. Raises UsageError."""
    pool: dict[str, int] = {}
    for part in text.split(","):
        name, _equals, number = part.partition("=")
        name = name.strip().casefold()
        if name in pool:
            raise UsageError(
                _("{name} is in the pool twice").format(name=name), _("Add the two numbers.")
            )
        pool[name] = _read_count(name, number)
    return pool


def _goal(procedure: Procedure, best: str | None) -> str:
    """Return the output with this id or label; by default the goal, or the first."""
    outputs = procedure.outputs
    if best is None:
        return next((output.id for output in outputs if output.goal), outputs[0].id)
    named = name_matches(outputs, best, lambda output: (output.id, output.label))
    if named:
        return named[0].id
    raise UnknownId(
        _("result of {label}").format(label=procedure.label),
        best,
        [output.id for output in outputs],
    )


def _with_varied(typed: TypedInputs, varied: VariedInput, word: str) -> TypedInputs:
    if not varied.name:
        return typed
    if varied.name in typed.words:
        raise UsageError(_("{name} cannot be in both --set and --vary").format(name=varied.name))
    return typed.also(**{varied.name: word})


def _ask_once(typed: TypedInputs) -> InputAsker | None:
    """Return an asker that asks for each input once for all cases."""
    if typed.ask is None:
        return None
    answers: dict[str, int | str] = {}

    def ask(input_: Input, options: tuple[str, ...], read: InputReader) -> int | str:
        if input_.id not in answers:
            assert typed.ask is not None
            answers[input_.id] = typed.ask(input_, options, read)
        return answers[input_.id]

    return ask


def _parse(subject: OddsSubject, typed: TypedInputs) -> ChosenScores:
    """Return the typed inputs, with the highest of the scores that the attack may use."""
    if subject.no_character:
        return ChosenScores(parse_all_inputs(subject.state, subject.procedure, typed), ())
    run = PlannedRun(
        subject.label, subject.inputs, subject.steps, subject.unit, subject.known_inputs
    )
    parsed = parse_inputs(subject.state, run, typed, figures=True)
    reasons = replaced_inputs(
        subject.state, subject.unit, subject.inputs, subject.settled_inputs, parsed.inputs
    )
    if reason := "; ".join(reasons):
        raise RuleRefusal(f"{subject.label}: {reason}")
    return choose_scores(subject.state, run, parsed, None)
