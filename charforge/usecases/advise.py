"""The command ``advise``: the legal options of a choice, ranked by what they change.

Each option is tried on a copy of the character and measured as the
ruleset's ``advice`` says. Of a list of options the next one is advised; of
scores to assign a swap, of points to spend the next step of a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from charforge.character.state import CHARACTER
from charforge.decisions.allot import AllotDecision
from charforge.decisions.base import Decision, is_sequence
from charforge.decisions.choose import ChooseDecision
from charforge.decisions.option import MISSING, Answer
from charforge.decisions.value_map import NumberStep, ValueMapDecision
from charforge.errors import UnknownId, UsageError
from charforge.language import _, format_number
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character
from charforge.rules.models import Entity, Measure
from charforge.usecases.change import try_change
from charforge.usecases.edit import find_decision
from charforge.usecases.inventory import (
    Purchase,
    for_sale,
    limit_reason,
    list_prices,
    money_text,
    unaffordable_reason,
)
from charforge.usecases.measures import NEVER, Amount, Measures
from charforge.usecases.names import ambiguous_name, exact_matches
from charforge.usecases.plan import preview_plan
from charforge.usecases.preview import AnswerTrial, Preview, compare_characters, loaded_trial

Progress = Callable[[int, int, str], None]  # the number of the option, of how many, its label


@dataclass(frozen=True)
class MeasureChange:
    """A measure before and with an option, None where it has no number."""

    measure: Measure
    is_chance: bool
    before: Amount
    after: Amount

    @property
    def gain(self) -> Fraction:
        """How much better the option makes it, negative if it is worse."""
        change = (self.after or Fraction(0)) - (self.before or Fraction(0))
        return change if self.measure.better == "higher" else -change


@dataclass(frozen=True)
class Advised:
    """An option with what it changes: the measures, and the values of the character.

    ``answer`` is the whole answer with it. ``value_gain`` is the change of the
    value that options are ranked by, if that is no measure. ``cost`` is the
    price or the share of a budget, in words; ``preview`` leaves it out.
    """

    id: str
    label: str
    measures: tuple[MeasureChange, ...]
    preview: Preview
    value_gain: int = 0
    cost: str = ""
    answer: Answer = MISSING

    @property
    def changed(self) -> tuple[MeasureChange, ...]:
        """The measures that it changes."""
        return tuple(change for change in self.measures if change.before != change.after)

    @property
    def is_measurable(self) -> bool:
        """Whether anything changes that has a number."""
        return bool(self.changed or self.preview.changes)


@dataclass(frozen=True)
class Advice:
    """The legal options of a choice, the best first, against a foe in words.

    ``compared`` says what the options are, ``closed`` counts those that are not legal.
    """

    heading: str
    foe: str
    options: tuple[Advised, ...]
    closed: int = 0
    compared: str = ""


@dataclass(frozen=True)
class _Candidate:
    """An option to be tried: its id, label and cost, and what returns the character with it."""

    id: str
    label: str
    character: Callable[[], Character]
    cost: str = ""
    answer: Answer = MISSING


def advisable_choices(opened: LoadedCharacter, to: int | None = None) -> tuple[AnswerTrial, ...]:
    """Return the choices that are open, or else those of the next level with any (or up to ``to``).

    Each comes with the character on which its options are tried: without what is planned for it.
    """
    if to is not None:
        return _coming_choices(opened, to)
    now = [d for d in opened.character.open if _is_advisable(d)]
    if now:
        return tuple(loaded_trial(opened, decision) for decision in now)
    levels = range(opened.document.level + 1, opened.ruleset.head.advancement.maximum + 1)
    return next(filter(None, (_coming_choices(opened, level) for level in levels)), ())


def _coming_choices(opened: LoadedCharacter, to: int) -> tuple[AnswerTrial, ...]:
    """Return the choices of the levels up to ``to``, each on a character without its plan."""
    spec, ids = preview_plan(opened, to)
    coming = [d for d in spec.replay().asked if d.id in ids and _is_advisable(d)]
    return tuple(AnswerTrial(_unplanned(spec, decision.id), decision) for decision in coming)


def _unplanned(spec: CharacterSpec, decision_id: str) -> CharacterSpec:
    return replace(spec, answers={n: a for n, a in spec.answers.items() if n != decision_id})


def is_comparable(decision: Decision) -> bool:
    """Whether a decision has answers to compare: options, scores to assign or points to spend."""
    return isinstance(decision, ChooseDecision | ValueMapDecision)


def _is_advisable(decision: Decision) -> bool:
    """Whether a decision is a choice of the player, not a figure to copy from a rulebook."""
    return is_comparable(decision) and not (
        isinstance(decision, AllotDecision) and decision.unprinted and decision.points() is None
    )


def find_choice(opened: LoadedCharacter, named: str, to: int | None = None) -> AnswerTrial:
    """Return the choice with this id, short name or question: a coming one, else one made before.

    Raises UnknownId, or UsageError for an ambiguous name or a decision with nothing to compare.
    """
    trials = advisable_choices(opened, to)
    found = exact_matches(trials, named, lambda trial: trial.decision.names())
    if len(found) > 1:
        raise ambiguous_name(named, ((t.decision.title(), t.decision.id) for t in found))
    if found:
        return found[0]
    try:
        decision = find_decision(opened, named)
    except UnknownId as unknown:
        ids = [trial.decision.id for trial in trials]
        choices = [d.id for d in opened.character.asked if is_comparable(d)]
        raise UnknownId(_("choice"), named, [*ids, *choices], ids) from unknown
    if not is_comparable(decision):
        raise UsageError(
            _("{choice} has nothing to compare").format(choice=decision.heading()),
            _("Advice compares options of a list, scores to assign and points to spend."),
        )
    return loaded_trial(opened, decision)


def advise_choice(
    trial: AnswerTrial,
    measures: Measures,
    by: str = "",
    progress: Progress | None = None,
    answer: Answer = MISSING,
) -> Advice:
    """Return the legal options of a choice, ranked by a measure or a value, best first.

    Without ``by``, the first measure counts, then the next ones. ``answer``
    is the present one, if not that of the trial's character. Raises
    UnknownId for an unknown measure.
    """
    decision = trial.decision
    present = trial.spec.answers.get(decision.id, MISSING) if answer is MISSING else answer
    if isinstance(decision, ValueMapDecision):
        start, compared, steps = decision.number_steps(present)
        candidates = [_number_candidate(trial, start, step) for step in steps]
        base = trial.character(start)
        rows = _measured(base, candidates, measures, by, decision.unit, (), progress)
        compared = f"{compared} {_left_out(trial)}".strip()
        return Advice(decision.title(), measures.foe_text(), rows, compared=compared)
    is_list = _is_list(decision)
    picked = tuple(present) if is_list and is_sequence(present) else ()
    options = decision.options(picked)
    budget = decision.question.budget if isinstance(decision, ChooseDecision) else None
    candidates = [
        _Candidate(
            str(option.id),
            option.label,
            _tried(trial, [*picked, option.id] if is_list else option.id),
            "" if budget is None else budget.counted(option.cost),
            [*picked, option.id] if is_list else option.id,
        )
        for option in options
        if option.legal and (is_list or option.id != present)
    ]
    paid_with = () if budget is None else sorted(budget.within.names)
    closed = sum(not option.legal for option in options)
    base = trial.character([*picked]) if is_list else trial.present
    rows = _measured(base, candidates, measures, by, decision.unit, paid_with, progress)
    compared = _("Compared: each option as the next pick.") if is_list else ""
    if not is_list and present is not MISSING:
        now = decision.answer_text(present)
        compared = _("Compared: each option instead of {answer}.").format(answer=now)
    compared = f"{compared} {_left_out(trial)}".strip()
    return Advice(decision.title(), measures.foe_text(), rows, closed, compared)


def _left_out(trial: AnswerTrial) -> str:
    """Return a warning that the numbers lack what is not rolled or assigned yet; empty if none."""
    missing = (d for d in trial.present.open if d.id != trial.decision.id)
    if any(d.rolls_dice or isinstance(d, ValueMapDecision) for d in missing):
        return _("The numbers leave out what you have not rolled or assigned yet.")
    return ""


def _is_list(decision: Decision) -> bool:
    return isinstance(decision, ChooseDecision) and decision.question.is_list


def _number_candidate(trial: AnswerTrial, start: Mapping[str, int], step: NumberStep) -> _Candidate:
    changed = (f"{n}={number}" for n, number in step.answer.items() if number != start[n])
    tried = _tried(trial, step.answer)
    return _Candidate(",".join(changed), step.label, tried, step.cost, step.answer)


def _tried(trial: AnswerTrial, answer: Answer) -> Callable[[], Character]:
    return lambda: trial.character(answer)


def advise_purchase(
    opened: LoadedCharacter,
    measures: Measures,
    by: str = "",
    progress: Progress | None = None,
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
        price = money_text(opened.ruleset, prices[0])
        candidates.append(
            _Candidate(entity.id, entity.name, _bought(opened, entity, prices[0]), price)
        )
    money = opened.ruleset.head.gear.money
    paid_with = () if money is None else (money,)
    rows = _measured(opened.character, candidates, measures, by, CHARACTER, paid_with, progress)
    compared = _("Compared: one piece more of each.")
    return Advice(_("Gear you can buy"), measures.foe_text(), rows, closed, compared)


def _bought(opened: LoadedCharacter, entity: Entity, price: int) -> Callable[[], Character]:
    return lambda: try_change(opened, [Purchase(entity).draft(price)]).character


def _measured(
    base: Character,
    candidates: Sequence[_Candidate],
    measures: Measures,
    by: str,
    unit: str,
    paid_with: Iterable[str],
    progress: Progress | None,
) -> tuple[Advised, ...]:
    """Return the options with what each changes, the best first; equal ones keep their order.

    ``paid_with`` are the values that pay for an option: their change is its cost.
    """
    spec = measures.spec.measures
    known = [measure.id for measure in spec]
    value = None
    if by and by not in known:
        value = measures.ruleset.value_named(by)
        if value is None:
            raise UnknownId(_("measure or value"), by, [*known, *measures.ruleset.values])
    before = measures.amounts(base.state, unit)
    chances = {measure.id: measures.is_chance(measure) for measure in spec}
    costs = {measures.ruleset.values[name].label for name in paid_with}
    rows = []
    for number, candidate in enumerate(candidates, start=1):
        if progress is not None:
            progress(number, len(candidates), candidate.label)
        character = candidate.character()
        after = measures.amounts(character.state, unit)
        changes = tuple(MeasureChange(m, chances[m.id], before[m.id], after[m.id]) for m in spec)
        gain = 0
        if value is not None and value.id in base.state.values(unit):
            now, then = (c.state.values(unit).base(value.id) for c in (base, character))
            gain = then - now
        preview = compare_characters(base, character)
        preview = replace(
            preview, changes=tuple(c for c in preview.changes if c.label not in costs)
        )
        rows.append(
            Advised(
                candidate.id, candidate.label, changes, preview, gain, candidate.cost,
                candidate.answer,
            )
        )  # fmt: skip
    order = sorted(spec, key=lambda measure: measure.id != by)

    def rank(row: Advised) -> tuple[Fraction | int | bool, ...]:
        gains = {change.measure.id: -change.gain for change in row.measures}
        return (-row.value_gain, *(gains[m.id] for m in order), not row.is_measurable)

    return tuple(sorted(rows, key=rank))


def measure_text(change: MeasureChange) -> str:
    """Return a measure before and after in words: ``Chance to hit 58.3 % → 66.7 %``."""
    before = amount_text(change.before, change.is_chance)
    after = amount_text(change.after, change.is_chance)
    return f"{change.measure.label} {before} → {after}"


def amount_text(amount: Amount, is_chance: bool) -> str:
    """Return a measure in words, rounded to one decimal."""
    if amount is None:
        return "–"
    if amount >= NEVER:
        return _("never")
    number = format_number(100 * amount if is_chance else amount, ",.1f")
    return f"{number} %" if is_chance else number


def reasons(row: Advised) -> Iterator[str]:
    """Yield what an option changes, one line each; one that says so if nothing changes."""
    if row.changed:
        yield " · ".join(map(measure_text, row.changed))
    yield from row.preview.lines()
    if not row.is_measurable:
        yield _("Changes no number.")
