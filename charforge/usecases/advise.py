"""The command ``advise``: the legal options of a choice, ranked by what they change.

Each option is tried on a copy of the character and measured as the
ruleset's ``advice`` says. Of a list of options the next one is advised; of
scores to assign a swap, of points to spend the next step of a value.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import count

from charforge.answers.automatic import recommendations
from charforge.character.files.document import Difference
from charforge.character.files.events import PLAY_EVENTS, AnyEvent, ConditionEvent, ResourceEvent
from charforge.character.state import CHARACTER, State
from charforge.character.state_changes import add_condition, change_resource
from charforge.decisions.base import MISSING, Answer, Decision, NumberStep, is_sequence
from charforge.describe.differences import change_text
from charforge.describe.entities import option_digest
from charforge.errors import UnknownId, UsageError, shorten
from charforge.language import _, format_number, ngettext, percent_text
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.decision_walk import OWNER
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character
from charforge.rules.models import Entity, Measure, Value
from charforge.rules.names import ambiguous_name, exact_matches
from charforge.rules.ruleset import Ruleset
from charforge.usecases.edit import find_decision
from charforge.usecases.measures import NEVER, Measured, MeasuredAmount, Measures
from charforge.usecases.plan import preview_plan
from charforge.usecases.preview import (
    AnswerTrial,
    Preview,
    compare_characters,
    has_scores,
    loaded_trial,
)
from charforge.verbs.change import try_change
from charforge.verbs.inventory import (
    Purchase,
    for_sale,
    limit_reason,
    list_prices,
    money_text,
    unaffordable_reason,
)
from charforge.verbs.manual_changes import find_condition
from charforge.verbs.unit_status import Circumstance, circumstances

MOST_ATTACKS = 3  # that the reasons for an option list
Amounts = Mapping[str, Measured]  # by the id of the measure
OptionProgress = Callable[[int, int, str], None]  # the number of the option, of how many, its label


@dataclass(frozen=True)
class MeasureDifference:
    """A measure before and with an option, None where it has no number.

    ``attack`` is the name of the attack that it is about, empty for the best of all.
    """

    measure: Measure
    is_chance: bool
    before: MeasuredAmount
    after: MeasuredAmount
    attack: str = ""

    @property
    def gain(self) -> Fraction:
        """How much better the option makes it, negative if it is worse."""
        change = (self.after or Fraction(0)) - (self.before or Fraction(0))
        return change if self.measure.better == "higher" else -change


@dataclass(frozen=True, kw_only=True)
class Advised:
    """An option with what it changes: the measures, and the values of the character.

    ``answer`` is the whole answer with it. ``attacks`` are the measures of each attack that it
    changes, ``value_gain`` is the change of the value that options are ranked by, if that is no
    measure. ``cost`` is the price or the share of a budget, in words; ``preview`` leaves it out.
    ``recommended`` says why the rules recommend it, ``against`` why they do the opposite.
    ``scores`` are those to assign after dice to drop.
    """

    id: str
    label: str
    measures: tuple[MeasureDifference, ...]
    preview: Preview
    attacks: tuple[MeasureDifference, ...] = ()
    value_gain: int = 0
    cost: str = ""
    answer: Answer = MISSING
    entity: Entity | None = None
    recommended: str = ""
    against: str = ""
    scores: tuple[int, ...] = ()

    @property
    def changed(self) -> tuple[MeasureDifference, ...]:
        """The measures that it changes."""
        return tuple(change for change in self.measures if change.before != change.after)

    @property
    def figures(self) -> tuple[object, ...]:
        """Everything in it that has a number."""
        return self.measures, self.attacks, self.value_gain, self.preview.changes

    @property
    def is_measurable(self) -> bool:
        """Whether anything changes that has a number."""
        return bool(self.changed or self.attacks or self.preview.changes or self.scores)

    @property
    def is_open(self) -> bool:
        """Whether it has choices of its own, which are not made while it is measured."""
        return bool(self.preview.opened)


@dataclass(frozen=True)
class Assumption:
    """A condition that is active while options are compared, or what is left of a resource."""

    entity: Entity | None
    value: Value | None
    amount: int

    @property
    def id(self) -> str:
        """The id of the condition or the value."""
        named = self.entity or self.value
        assert named is not None
        return named.id

    def __str__(self) -> str:
        if self.entity is not None:
            return f"{self.entity.name} {self.amount}" if self.amount > 1 else self.entity.name
        assert self.value is not None
        return f"{self.value.label} {self.amount}"

    def applied(self, character: Character, unit_id: str) -> Character:
        """Return the character with it."""
        state = character.state
        if self.entity is not None:
            more = self.amount - state.condition_amount(unit_id, self.entity.id)
            state = add_condition(state, unit_id, self.entity, more)
        elif self.value is not None:
            more = self.amount - state.values(unit_id).total(self.value.id)
            state, _by = change_resource(state, unit_id, self.value.id, more)
        return replace(character, state=state)


def read_assumption(opened: LoadedCharacter, word: str) -> Assumption:
    """Return what ``focus``, ``aim=2`` or ``hp=5`` means: a condition, a counter or a resource.

    Raises UnknownId, or UsageError for a number that is none or for a resource without one.
    """
    named, equals, number = word.partition("=")
    if equals and not number.strip().isdecimal():
        raise UsageError(_("{word}: please enter a whole number").format(word=shorten(word)))
    entity = find_condition(opened.ruleset.conditions, named)
    if entity is not None and entity.active_when is None:
        return Assumption(entity, None, int(number) if equals else 1)
    value = opened.ruleset.resource_named(named)
    computed = None if value is None else opened.character.state.units[0].type.values.get(value.id)
    if value is None or computed is None or not computed.resource:
        game = opened.ruleset.head.name
        known = [e.slug for e in opened.ruleset.conditions if e.active_when is None]
        known += [n for n, c in opened.character.state.units[0].type.values.items() if c.resource]
        raise UnknownId(_("condition or resource of {game}").format(game=game), named, known)
    if not equals:
        raise UsageError(
            _("{value} needs a number").format(value=value.label),
            _("For example: {example}").format(example=f"--assume {value.id}=1"),
        )
    return Assumption(None, value, int(number))


@dataclass(frozen=True)
class Advice:
    """The legal options of a choice, the best first, against a foe in words.

    ``compared`` says what the options are, ``closed`` counts those that are not legal,
    ``counted`` are the current conditions and resources that affect the numbers.
    """

    heading: str
    foe: str
    options: tuple[Advised, ...]
    closed: int = 0
    compared: str = ""
    counted: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Before:
    """The character without an option, and the measures of its unit, to compare options with.

    ``value`` is the one that they are ranked by, ``costs`` are the labels of those that pay.
    """

    character: Character
    unit: str
    amounts: Amounts
    value: Value | None
    costs: Container[str]


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    """An option to be tried: its id, label and cost, and what returns the character with it."""

    id: str
    label: str
    character: Callable[[], Character]
    cost: str = ""
    answer: Answer = MISSING
    entity: Entity | None = None
    recommended: str = ""
    against: str = ""


def advisable_choices(opened: LoadedCharacter, to: int | None = None) -> tuple[AnswerTrial, ...]:
    """Return the choices that are open, or else those of the next level with any (or up to ``to``).

    Each comes with the character on which its options are tried: without what is planned for it.
    Choices without a legal option are left out. A question that several levels ask with the same
    options is returned once, for the first of them.
    """
    return _listed(_next_choices(opened, to))


def _listed(trials: Iterable[AnswerTrial]) -> tuple[AnswerTrial, ...]:
    """Return the choices with a legal option, those with the same question and options once."""
    listed: dict[tuple[str, str, tuple[str, ...]], AnswerTrial] = {}
    for trial in trials:
        decision = trial.decision
        options = _legal_options(decision)
        if options:
            listed.setdefault((decision.unit, decision.title(), options), trial)
    return tuple(listed.values())


def _legal_options(decision: Decision) -> tuple[str, ...]:
    """Return the ids of the options that can be chosen; that of a decision that has no list."""
    if decision.gives_numbers or decision.question.dice_roll:
        return (decision.id,)
    return tuple(str(option.id) for option in decision.options() if option.legal)


def _next_choices(opened: LoadedCharacter, to: int | None) -> tuple[AnswerTrial, ...]:
    """Return the choices that are open, or else those up to the next level with a legal option.

    What units with levels of their own choose does not count as such a level: nobody need raise
    them, and the choices that the character is sure to have would never be reached.
    """
    if to is not None:
        return _coming_choices(opened, to)
    now = [d for d in opened.character.open if _is_advisable(d) and _legal_options(d)]
    if now:
        return tuple(loaded_trial(opened, decision) for decision in now)
    found: tuple[AnswerTrial, ...] = ()
    for level in range(opened.document.level + 1, opened.ruleset.head.advancement.maximum + 1):
        coming = _coming_choices(opened, level)
        choices = [trial.decision for trial in coming if _legal_options(trial.decision)]
        units = [choice.before.unit(choice.unit) for choice in choices]
        if any(unit.id == CHARACTER or unit.type.level == OWNER for unit in units):
            return coming
        if units and not found:
            found = coming
    return found


def _coming_choices(opened: LoadedCharacter, to: int) -> tuple[AnswerTrial, ...]:
    """Return the choices of the levels up to ``to``, each on a character without its plan."""
    spec, ids = preview_plan(opened, to)
    coming = [d for d in spec.replay().asked if d.id in ids and _is_advisable(d)]
    return tuple(AnswerTrial(_unplanned(spec, decision.id), decision) for decision in coming)


def _unplanned(spec: CharacterSpec, decision_id: str) -> CharacterSpec:
    return replace(spec, answers={n: a for n, a in spec.answers.items() if n != decision_id})


def is_measurable_now(trial: AnswerTrial) -> bool:
    """Return whether the answers to a decision can be compared.

    Before the character has scores, chances and averages would be those of nobody.
    """
    decision = trial.decision
    if not decision.is_comparable:
        return False
    return (
        decision.gives_numbers
        or bool(decision.question.dice_roll)
        or has_scores(trial.present.state)
    )


def _is_advisable(decision: Decision) -> bool:
    """Return whether a decision is a choice of the player, not a figure to copy from a rulebook."""
    return decision.is_comparable and not decision.is_copied


def find_choice(opened: LoadedCharacter, named: str, to: int | None = None) -> AnswerTrial:
    """Return the choice with this id, short name or question: a coming one, else one made before.

    One made before is compared on the character with the damage and the conditions of now, but
    without what led to them: an old hit is not judged anew with another score.

    Raises UnknownId, or UsageError for an ambiguous name or a decision with nothing to compare.
    """
    coming = _next_choices(opened, to)
    trials = _listed(coming)
    found = _choices_named(trials, named) or _choices_named(coming, named)
    if len(found) > 1:
        raise ambiguous_name(named, ((t.decision.title(), t.decision.id) for t in found))
    if found:
        return found[0]
    try:
        decision = find_decision(opened, named)
    except UnknownId as unknown:
        ids = [trial.decision.id for trial in trials]
        choices = [d.id for d in opened.character.asked if d.is_comparable]
        raise UnknownId(_("choice"), named, [*ids, *choices], ids) from unknown
    if not decision.is_comparable:
        raise UsageError(
            _("{choice} has nothing to compare").format(choice=decision.heading()),
            _("Advice compares options of a list, scores to assign and points to spend."),
        )
    trial = loaded_trial(opened, decision)
    if decision.id not in opened.document.answers:
        return trial
    log: tuple[AnyEvent, ...] = tuple(e for e in trial.spec.log if not isinstance(e, PLAY_EVENTS))
    log += tuple(_changes_of_now(opened.character.state, opened.document.log[-1].n + 1))
    return replace(trial, spec=replace(trial.spec, log=log))


def _choices_named(trials: Iterable[AnswerTrial], named: str) -> list[AnswerTrial]:
    return exact_matches(trials, named, lambda trial: trial.decision.names())


def _changes_of_now(state: State, n: int) -> Iterator[ResourceEvent | ConditionEvent]:
    """Yield events, from number ``n``, that lead to the resources and conditions of a state."""
    numbers = count(n)
    for (bearer, value), by in state.resource_changes.items():
        holding = None if state.has_unit(bearer) else bearer
        unit = bearer if holding is None else CHARACTER
        number = next(numbers)
        yield ResourceEvent(n=number, group=n, value=value, by=by, unit=unit, holding=holding)
    for one in state.conditions:
        yield ConditionEvent(
            n=next(numbers), group=n, condition=one.entity.id, unit=one.unit, amount=one.amount,
            about=one.about, turns=one.left,
        )  # fmt: skip


def advise_choice(
    trial: AnswerTrial,
    measures: Measures,
    by: str = "",
    progress: OptionProgress | None = None,
    answer: Answer = MISSING,
    assumed: Sequence[Assumption] = (),
) -> Advice:
    """Return the legal options of a choice, ranked by a measure or a value, best first.

    Without ``by``, the first measure counts, then the next ones; what the rules recommend against
    comes last. ``answer`` is the present one, if not that of the trial's character. ``assumed``
    holds before and with each option. Raises UnknownId for an unknown measure.
    """
    decision, ranking = trial.decision, _Ranking(measures, by, progress, assumed)
    present = trial.spec.answers.get(decision.id, MISSING) if answer is MISSING else answer
    numbers = decision.number_steps(present)
    if numbers is not None:
        candidates = [_number_candidate(trial, numbers.start, step) for step in numbers.steps]
        base = trial.character(numbers.start)
        compared = f"{numbers.text} {_basis(trial)}".strip()
        return ranking.advice(decision.full_title(), base, candidates, decision.unit, compared)
    if decision.question.dice_roll:
        return _advise_dice(trial)
    return _advise_options(trial, ranking, present)


def _advise_options(trial: AnswerTrial, ranking: _Ranking, present: Answer) -> Advice:
    """Return the legal options of a choice: of a list as its next pick, else instead of one."""
    decision = trial.decision
    is_list = decision.question.is_list
    picked = tuple(present) if is_list and is_sequence(present) else ()
    options = decision.options(picked)
    budget = decision.question.list_budget
    recommended = recommendations(decision)
    candidates = [
        _Candidate(
            id=str(option.id),
            label=option.label,
            character=_tried(trial, [*picked, option.id] if is_list else option.id),
            cost="" if budget is None else budget.counted(option.cost),
            answer=[*picked, option.id] if is_list else option.id,
            entity=option.entity,
            recommended=str(recommended.get(option.id, "")),
        )
        for option in options
        if option.legal and (is_list or option.id != present)
    ]
    compared = _("Compared: each option as the next pick.") if is_list else ""
    if not is_list and present is not MISSING:
        now = decision.answer_text(present)
        compared = _("Compared: each option instead of {answer}.").format(answer=now)
    return ranking.advice(
        decision.full_title(),
        trial.character([*picked]) if is_list else trial.present,
        candidates,
        decision.unit,
        f"{compared} {_basis(trial)}".strip(),
        closed=sum(not option.legal for option in options),
        paid_with=() if budget is None else sorted(budget.within.names),
    )


def _advise_dice(trial: AnswerTrial) -> Advice:
    """Return the ways to drop dice, with the scores that are left to assign, the highest first."""
    decision = trial.decision
    rows = []
    for dice in decision.ways_to_pick_dice():
        answer: Answer = list(dice) if decision.question.is_list else dice[0]
        asked = trial.character(answer).asked
        assigned = (d.scores() for d in asked if decision.id in d.reads())
        scores = next(filter(None, assigned), ())
        label = decision.answer_text(answer)
        name = ",".join(map(str, dice))
        row = Advised(
            id=name, label=label, measures=(), preview=Preview(), answer=answer, scores=scores
        )
        rows.append(row)
    rows.sort(key=lambda row: (-sum(row.scores), row.scores))
    compared = _("Compared: the scores that you can assign afterwards.")
    return Advice(decision.full_title(), "", tuple(rows), compared=compared)


def _basis(trial: AnswerTrial) -> str:
    """Say which figures are compared, if they are not those of now, and what they lack."""
    missing = (d for d in trial.present.open if d.id != trial.decision.id)
    if any(d.rolls_dice or d.gives_numbers for d in missing):
        lacking = _("The numbers leave out what you have not rolled or assigned yet.")
        return f"{trial.spec.basis} {lacking}".strip()
    return trial.spec.basis


def _number_candidate(trial: AnswerTrial, start: Mapping[str, int], step: NumberStep) -> _Candidate:
    changed = (f"{n}={number}" for n, number in step.answer.items() if number != start[n])
    return _Candidate(
        id=",".join(changed),
        label=step.label,
        character=_tried(trial, step.answer),
        cost=step.cost,
        answer=step.answer,
        recommended=step.recommended,
        against=step.against,
    )


def _tried(trial: AnswerTrial, answer: Answer) -> Callable[[], Character]:
    return lambda: trial.character(answer)


def advise_purchase(
    opened: LoadedCharacter,
    measures: Measures,
    by: str = "",
    progress: OptionProgress | None = None,
    assumed: Sequence[Assumption] = (),
) -> Advice:
    """Return the gear that the character can afford, ranked by what one piece would change.

    Only gear with a list price.
    """
    state, candidates, closed = opened.character.state, [], 0
    for entity in for_sale(opened.ruleset):
        prices = list_prices(entity)
        if not prices:
            continue
        if unaffordable_reason(state, prices[0]) or limit_reason(state, entity):
            closed += 1
            continue
        candidates.append(
            _Candidate(
                id=entity.id,
                label=entity.name,
                character=_bought(opened, entity, prices[0]),
                cost=money_text(opened.ruleset, prices[0]),
                entity=entity,
            )
        )
    money = opened.ruleset.head.gear.money
    return _Ranking(measures, by, progress, assumed).advice(
        _("Gear you can buy"),
        opened.character,
        candidates,
        CHARACTER,
        _("Compared: one piece more of each."),
        closed,
        () if money is None else (money,),
    )


def _bought(opened: LoadedCharacter, entity: Entity, price: int) -> Callable[[], Character]:
    return lambda: try_change(opened, [Purchase(entity).draft(price)]).character


@dataclass(frozen=True)
class _Ranking:
    """How options are compared: by which measure or value, and what holds before and with each."""

    measures: Measures
    by: str
    progress: OptionProgress | None
    assumed: Sequence[Assumption]

    def advice(
        self,
        heading: str,
        base: Character,
        candidates: Sequence[_Candidate],
        unit_id: str,
        compared: str,
        closed: int = 0,
        paid_with: Iterable[str] = (),
    ) -> Advice:
        """Return the options with what each changes, the best first; equal ones keep their order.

        They are measured again without each current circumstance, until a figure differs.

        ``paid_with`` are the values that pay for an option: their change is its cost.
        """
        value = self._ranking_value()
        now = circumstances(
            base.state, {unit_id, CHARACTER}, [assumption.id for assumption in self.assumed]
        )
        absent: dict[str, Circumstance | None] = {"": None, **{one.label: one for one in now}}
        costs = {self.measures.ruleset.values[name].label for name in paid_with}
        before: dict[str, _Before] = {}
        for name, one in absent.items():
            there = self._assumed(base, unit_id, one)
            amounts = self.measures.amounts(there.state, unit_id)
            before[name] = _Before(there, unit_id, amounts, value, costs)
        rows: list[Advised] = []
        counted = {name for name in absent if before[name].amounts != before[""].amounts}
        for number, candidate in enumerate(candidates, start=1):
            if self.progress is not None:
                self.progress(number, len(candidates), candidate.label)
            found = candidate.character()
            for name, one in absent.items():
                if name in counted:
                    continue
                row = self._row(candidate, before[name], self._assumed(found, unit_id, one))
                if not name:
                    rows.append(row)
                elif row.figures != rows[-1].figures:
                    counted.add(name)
        return Advice(
            heading,
            self.measures.foe_text(),
            tuple(sorted(rows, key=self._rank)),
            closed,
            compared,
            tuple(name for name in absent if name in counted),
        )

    def _ranking_value(self) -> Value | None:
        """Return the value that options are ranked by; None if it is a measure.

        Raises UnknownId for what is neither.
        """
        known = [measure.id for measure in self.measures.spec.measures]
        if not self.by or self.by in known:
            return None
        ruleset = self.measures.ruleset
        value = ruleset.value_named(self.by)
        if value is None:
            raise UnknownId(_("measure or value"), self.by, [*known, *ruleset.values])
        return value

    def _assumed(
        self, character: Character, unit_id: str, absent: Circumstance | None
    ) -> Character:
        """Return a character with what is assumed, and without a circumstance."""
        if absent is not None:
            character = replace(character, state=absent.removed_from(character.state))
        for assumption in self.assumed:
            character = assumption.applied(character, unit_id)
        return character

    @cached_property
    def _chances(self) -> dict[str, bool]:
        """Whether each measure is a chance, by its id."""
        return {one.id: self.measures.is_chance(one) for one in self.measures.spec.measures}

    def _differences(self, before: Amounts, after: Amounts) -> Iterator[MeasureDifference]:
        """Yield each measure of the best attack before and with an option."""
        for one in self.measures.spec.measures:
            amounts = (before[one.id].amount, after[one.id].amount)
            yield MeasureDifference(one, self._chances[one.id], *amounts)

    def _attack_differences(self, before: Amounts, after: Amounts) -> Iterator[MeasureDifference]:
        """Yield each measure that an option changes for an attack that is there before, too."""
        for one in self.measures.spec.measures:
            had = before[one.id].attacks
            for name, amount in after[one.id].attacks.items():
                if had.get(name, amount) != amount:
                    chance = self._chances[one.id]
                    yield MeasureDifference(one, chance, had[name], amount, name)

    def _rank(self, row: Advised) -> tuple[Fraction | int | bool, ...]:
        """Return the place of an option among the others, the lowest first."""
        measures = sorted(self.measures.spec.measures, key=lambda one: one.id != self.by)
        gains = {change.measure.id: -change.gain for change in row.measures}
        unwise = bool(row.against) and not self.by
        others = (not row.is_measurable, not row.recommended)
        return (-row.value_gain, unwise, *(gains[one.id] for one in measures), *others)

    def _row(self, candidate: _Candidate, before: _Before, character: Character) -> Advised:
        """Return an option with what differs between the character without it and with it."""
        after = self.measures.amounts(character.state, before.unit)
        preview = compare_characters(before.character, character)
        changes = tuple(change for change in preview.changes if change.label not in before.costs)
        gain = 0
        values, values_after = (c.state.values(before.unit) for c in (before.character, character))
        if before.value is not None and before.value.id in values:
            gain = values_after.base(before.value.id) - values.base(before.value.id)
        return Advised(
            id=candidate.id,
            label=candidate.label,
            measures=tuple(self._differences(before.amounts, after)),
            preview=replace(preview, changes=changes),
            attacks=tuple(self._attack_differences(before.amounts, after)),
            value_gain=gain,
            cost=candidate.cost,
            answer=candidate.answer,
            entity=candidate.entity,
            recommended=candidate.recommended,
            against=candidate.against,
        )


def by_timing(rows: Iterable[Advised], ruleset: Ruleset) -> list[tuple[str, list[Advised]]]:
    """Return options that change no number by when they can be used, in the order of the game.

    What has no action comes last, without a heading.
    """
    timings = {timing.id: timing.label for timing in ruleset.head.timings}
    groups: dict[str, list[Advised]] = {label: [] for label in timings.values()}
    for row in rows:
        actions = row.entity.actions if row.entity is not None else ()
        groups.setdefault(timings[actions[0].timing] if actions else "", []).append(row)
    return [(label, group) for label, group in groups.items() if group]


def digest(row: Advised, ruleset: Ruleset) -> str:
    """Return what an option does in a line or two; empty for what is no thing of the game."""
    if row.entity is None:
        return ""
    return option_digest(row.entity, ruleset)


def _attack_lines(row: Advised) -> Iterator[str]:
    """Yield what changes for each attack, without what the best of all has already said."""
    said = {(change.measure.id, change.before, change.after) for change in row.changed}
    texts: dict[str, list[str]] = {}
    for change in row.attacks:
        if (change.measure.id, change.before, change.after) not in said:
            texts.setdefault(change.attack, []).append(measure_text(change))
    for attack in [*texts][:MOST_ATTACKS]:
        yield f"{attack}: {' · '.join(texts[attack])}"
    if len(texts) > MOST_ATTACKS:
        count = len(texts) - MOST_ATTACKS
        yield ngettext("and {count} more attack", "and {count} more attacks", count).format(
            count=count
        )


def measure_text(change: MeasureDifference) -> str:
    """Return a measure before and after in words: ``Chance to hit 58.3% → 66.7%``."""
    before, after = (amount_text(a, change.is_chance) for a in (change.before, change.after))
    measure = change.measure
    return change_text(Difference("value", measure.id, measure.label, before, after))


def amount_text(amount: MeasuredAmount, is_chance: bool) -> str:
    """Return a measure in words, rounded to one decimal."""
    if amount is None:
        return "–"
    if amount >= NEVER:
        return _("never")
    return percent_text(amount) if is_chance else format_number(amount, ",.1f")


def reasons(row: Advised) -> Iterator[str]:
    """Yield what an option changes, one line each; one that says so if nothing does."""
    if row.against:
        yield row.against
    if row.scores:
        scores = ", ".join(map(str, row.scores))
        total = sum(row.scores)
        yield _("Scores to assign: {scores} (total {total})").format(scores=scores, total=total)
    if row.changed:
        yield " · ".join(map(measure_text, row.changed))
    yield from _attack_lines(row)
    yield from row.preview.lines()
    if not row.is_measurable:
        open_choice = _("Its numbers depend on that choice.")
        yield open_choice if row.is_open else _("Changes no number.")
