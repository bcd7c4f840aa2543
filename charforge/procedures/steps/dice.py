"""Steps with dice and tables: ``roll``, ``reroll``, ``pool``, ``look_up`` and charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from charforge.character.state import State
from charforge.character.state_data import about_subject
from charforge.character.values import Values
from charforge.expressions import dice as dice_module
from charforge.expressions.dice import Dice
from charforge.expressions.formula import FaceSets, Formula, count
from charforge.expressions.template import MINUS, parse_figure, signed_amount, sole_formula
from charforge.language import _, dice_notation
from charforge.procedures import inputs
from charforge.procedures.context import MOST_DICE, MOST_SIDES, ProcedureContext, Variable
from charforge.procedures.inputs import read_faces
from charforge.procedures.steps.base import (
    NO_NAMES,
    SIDES,
    STEP_KINDS,
    DiceInput,
    NameReader,
    NameSet,
    StepKind,
    faces_in_formulas,
)
from charforge.rules.models import (
    Chart,
    ChartRow,
    Judge,
    LookUp,
    ReadChart,
    Reroll,
    RollDice,
    RollPool,
)
from charforge.rules.ruleset import Ruleset


class RollKind(StepKind[RollDice]):
    """Rolls dice; the variables are their sum and their faces."""

    def run(self, context: ProcedureContext, step: RollDice) -> None:
        """Roll the dice, and add the formula of an amount."""
        plus, notations = 0, tuple(filter(None, [step.dice]))
        if step.sides is not None:
            notations = (_one_die(context, step, context.evaluate(step.sides)),)
        if step.figure:
            amount = parse_figure(str(context.variables[step.figure]) or "0")
            plus, notations = context.evaluate(amount.formula), amount.dice
        times = context.evaluate(step.times)
        rolled: list[int] = []
        faces: list[int] = []
        dropped: list[int] = []
        for dice in (dice for notation in notations for dice in _sets(context, notation, times)):
            if not (step.lenient and context.never_rolled(step.id)):
                shown_faces = context.roll_dice(step.id, dice, step.label)
                rolled += shown_faces
                faces += dice.counted(shown_faces)
                dropped += dice.dropped(shown_faces)
        total = sum(faces) + plus
        context.variables[step.id] = total
        context.variables[f"{step.id}_dice"] = tuple(faces)

        def message() -> str:
            if len(faces) > 1 and not plus and _only_faces_read(context, step):
                shown = " ".join(map(str, faces))
            elif len(faces) > 1 or (faces and plus):
                shown = f"{_addends(faces, plus)} = {total}"
            else:
                shown = signed_amount((), total)
            without = (
                _(" (dropped {names})").format(names=" ".join(map(str, dropped))) if dropped else ""
            )
            return f"{step.label or step.id}: {shown}{without}"

        context.add_message(step, message, step.id, total, rolled)

    def dice_inputs(self, step: RollDice, ruleset: Ruleset) -> Iterator[DiceInput]:
        """Yield the roll itself; its faces are typed as ``3,4``."""
        label = step.label or step.id
        yield DiceInput(
            step.id, f"{label} ({dice_notation(step.dice)})" if step.dice else label, read_faces
        )

    def needs_faces(self, step: RollDice, read_later: NameSet) -> bool:
        """Return whether the faces are read later, not only their sum."""
        return step.repeat is not None or f"{step.id}_dice" in read_later

    def rolled(self, step: RollDice) -> str:
        """Return its id."""
        return step.id


def _sets(context: ProcedureContext, notation: str, times: int) -> Iterable[Dice]:
    """Return the dice of a notation, ``times`` as many; apart, if each time some are dropped."""
    ruleset = context.state.ruleset
    dice = ruleset.cached(
        ("dice", notation), lambda: dice_module.parse_dice(notation, ruleset.dice)
    )
    if times < 1:
        return ()
    if times == 1:
        return (dice,)
    number = dice.number * times
    if dice.keep and number <= MOST_DICE:
        return (dice,) * times
    return (Dice(number, dice.faces, f"{number}d{dice.notation.partition('d')[2]}"),)


def _one_die(context: ProcedureContext, step: RollDice, sides: int) -> str:
    """Return the notation of a die with so many sides. Raises ProcedureError."""
    if not 1 <= sides <= MOST_SIDES:
        raise context.refused(
            step.id,
            _("a die can have 1 to {most_sides} sides, not {sides}").format(
                most_sides=MOST_SIDES, sides=sides
            ),
        )
    return f"1d{sides}"


def _only_faces_read(context: ProcedureContext, roll: RollDice) -> bool:
    """Return whether the rule reads the faces of a roll, but never their sum.

    So it is in a pool, where faces are counted, or where the highest die is kept.
    """
    names = NameReader(context.state.ruleset, NO_NAMES)
    read = frozenset(context.results)
    for step in context.steps:
        if step.repeat is not None:
            read |= step.repeat.while_.names
        read |= names.figures_of([step.say])
        if not (isinstance(step, Reroll) and step.id == roll.id):
            read |= STEP_KINDS[type(step)].reads(step, names)
    return f"{roll.id}_dice" in read and roll.id not in read


def _addends(faces: Iterable[int], plus: int) -> str:
    rolled = " + ".join(map(str, faces))
    if not plus:
        return rolled
    return f"{rolled} {'+' if plus > 0 else MINUS} {abs(plus)}"


class RerollKind(StepKind[Reroll]):
    """Rolls some dice of an earlier roll again."""

    def run(self, context: ProcedureContext, step: Reroll) -> None:
        """Roll the dice again, ``times`` over."""
        for _time in range(self.times(context, step)):
            if not (step.lenient and context.never_rolled(step.id)):
                _reroll_once(context, step)

    def reads(self, step: Reroll, names: NameReader) -> NameSet:
        """Return also the roll itself: its sum, its faces and its dice."""
        return super().reads(step, names) | {step.id, f"{step.id}_dice", f"{step.id}{SIDES}"}

    def rolled(self, step: Reroll) -> str:
        """Return the id of the roll."""
        return step.id

    def counted_faces(self, step: Reroll, roll: str, names: NameReader) -> FaceSets | None:
        """Return the faces that stay; None for dice that are selected by size."""
        if roll != step.id:
            return super().counted_faces(step, roll, names)
        counted = faces_in_formulas(step, roll)
        if counted is None or not (step.keep or step.which == "all"):
            return None
        return counted | {frozenset(step.keep)}

    def writes(self, step: Reroll, ruleset: Ruleset) -> NameSet:
        """Return the sum and the faces of the roll."""
        return frozenset({step.id, f"{step.id}_dice"})

    def single(self, step: Reroll) -> Reroll:
        """Return the step with one reroll, unless it has a ``repeat`` of its own."""
        if step.repeat is not None:
            return step
        return step.model_copy(update={"times": Formula(1), "when": None})

    def times(self, context: ProcedureContext, step: Reroll) -> int:
        """Return the number of rerolls. Raises ProcedureError for too many."""
        times = context.evaluate(step.times)
        if times > MOST_DICE:
            reason = _("{times} rerolls are too many (at most {most_dice})").format(
                times=times, most_dice=MOST_DICE
            )
            raise context.refused(step.id, reason)
        return max(times, 0)


def _reroll_once(context: ProcedureContext, step: Reroll) -> None:
    before = context.variables.get(f"{step.id}_dice", ())
    assert isinstance(before, tuple)
    places = _places_to_reroll(step, before)
    number = len(places)
    if not number:
        return
    sides = context.sides[step.id]
    rolls = (one for one in context.steps if isinstance(one, RollDice) and one.id == step.id)
    rolled = next((one.label for one in rolls if one.label), "")
    label = _("{roll}, again").format(roll=rolled) if rolled else ""
    faces = context.roll_dice(step.id, Dice(number, sides, f"{number}d{len(sides)}"), label)
    after = list(before)
    for at, face in zip(places, faces, strict=True):
        after[at] = face
    total = context.variables[step.id]
    assert isinstance(total, int)
    total += sum(after) - sum(before)
    context.variables[step.id] = total
    context.variables[f"{step.id}_dice"] = tuple(after)

    def message() -> str:
        return _("rerolled: {before} → {after}").format(
            before=" ".join(map(str, before)), after=" ".join(map(str, after))
        )

    context.add_message(step, message, step.id, total, after)


def _places_to_reroll(step: Reroll, faces: tuple[int, ...]) -> list[int]:
    """Return the places of the dice that a step rolls again."""
    order = sorted(range(len(faces)), key=lambda at: (faces[at], at))
    if step.keep:
        return [at for at in order if faces[at] not in step.keep]
    if step.which == "all":
        return order
    return order[-1:] if step.which == "highest" else order[:1]


class JudgeKind(StepKind[Judge]):
    """Reads the result of a roll: its level of success, or how many dice count."""

    def run(self, context: ProcedureContext, step: Judge) -> None:
        """Compare the sum of the roll with the targets, or count its faces."""
        way = context.state.ruleset.ways_to_roll[step.by]
        if step.number is None:
            faces = context.variables.get(f"{step.roll}_dice", ())
            assert isinstance(faces, tuple)
            result = count(faces, *way.counts)
            text = _("{number} of {dice} count").format(number=result, dice=len(faces))
        else:
            rolled, number = context.read(step.roll), context.evaluate(step.number)
            result = way.level(number, rolled)
            text = _("{rolled} against {targets}: {result}").format(
                rolled=rolled, targets=way.text(number), result=way.level_text(result)
            )
        context.variables[step.id] = result
        context.add_message(step, text, step.id, result)

    def reads(self, step: Judge, names: NameReader) -> NameSet:
        """Return the names in its formulas, and the sum or the faces of the roll."""
        formulas = names.names([step.when, step.number])
        return formulas | {f"{step.roll}_dice" if step.number is None else step.roll}

    def counted_faces(self, step: Judge, roll: str, names: NameReader) -> FaceSets | None:
        """Return the faces that count in a pool."""
        if roll != step.roll or step.number is not None:
            return super().counted_faces(step, roll, names)
        counted = faces_in_formulas(step, roll)
        faces = names.ruleset.ways_to_roll[step.by].counts
        return None if counted is None else counted | {frozenset(faces)}


class PoolKind(StepKind[RollPool]):
    """Rolls symbol dice; the variables are the counts of symbols left after cancelling."""

    computes_results = True

    def run(self, context: ProcedureContext, step: RollPool) -> None:
        """Roll the dice and count the symbols."""
        ruleset = context.state.ruleset
        pool = inputs.dice_counts(step.dice, context.evaluate)
        rolled: dict[str, list[int]] = {}
        shown: Counter[str] = Counter()
        for name, number in pool.items():
            die = ruleset.symbol_dice[name]
            dice = die.many(number, ruleset.symbols)
            rolled[name] = context.roll_dice(step.roll(name), dice, die.label)
            shown += inputs.count_symbols(die, rolled[name])
        left = inputs.net_symbols(ruleset, shown)
        context.variables |= {f"{step.id}_{symbol}": number for symbol, number in left.items()}

        def message() -> str:
            label = f"{step.label}: " if step.label else ""
            return f"{label}{inputs.pool_text(ruleset, pool)}: {inputs.symbols_text(ruleset, left)}"

        faces = [face for name in inputs.sorted_dice(ruleset, rolled) for face in rolled[name]]
        context.add_message(step, message, step.id, None, faces)

    def dice_inputs(self, step: RollPool, ruleset: Ruleset) -> Iterator[DiceInput]:
        """Yield a roll for each die; its faces are typed by number or by symbols."""
        for name in step.dice:
            die = ruleset.symbol_dice[name]
            rolled = die.many(1, ruleset.symbols)
            label = _("{roll}: {die}, each as 1 to {last} or as what it shows: {face}").format(
                roll=step.label or step.id,
                die=die.label or die.id,
                last=rolled.faces[-1],
                face=rolled.shows[-1],
            )
            read = partial(inputs.read_symbol_faces, ruleset, die)
            yield DiceInput(step.roll(name), label, read)

    def results(
        self, context: ProcedureContext, step: RollPool, read_later: NameSet
    ) -> Iterator[tuple[dict[str, Variable], int]]:
        """Yield the counts of symbols: dice are added up, their faces need not be tried."""
        ruleset = context.state.ruleset
        pool = inputs.dice_counts(step.dice, context.evaluate)
        symbols = [name for name in ruleset.symbols if f"{step.id}_{name}" in read_later]
        for left, ways in inputs.pool_outcomes(ruleset, pool, symbols):
            yield {f"{step.id}_{symbol}": number for symbol, number in left.items()}, ways


class LookUpKind(StepKind[LookUp]):
    """Reads a figure of the unit into a variable."""

    def run(self, context: ProcedureContext, step: LookUp) -> None:
        """Read a value, now or lasting, or how much of a condition the unit is under."""
        if step.condition is not None:
            _look_up_condition(context, step, step.condition)
            return
        assert step.value is not None
        name = context.target(step.value)
        if step.modifier and name in context.state.ruleset.values:
            name = context.state.ruleset.rolled_value(name)
        if step.lasting and not context.no_character and name not in context.figures:
            value = context.state.values(context.unit).read(name)
        else:
            value = int(context.read(name))
        context.variables[step.id] = value
        context.add_message(step, lambda: _figure(context.state, name, value), step.id, value)


def _figure(state: State, name: str, value: int) -> str:
    return f"{state.ruleset.value_label(name)} {state.ruleset.figure_text(name, value)}"


def _look_up_condition(context: ProcedureContext, step: LookUp, condition: str) -> None:
    entity = context.state.ruleset.entity(context.target(condition))
    about = None if step.about is None else str(context.variables[step.about[1:]]) or None
    known = None if about is None else context.state.ruleset.subject_names(about)
    value = sum(
        active.amount
        for active in context.state.active_conditions(context.affected_unit(step.of))
        if active.entity.id == entity.id and (known is None or active.about.casefold() in known)
    )
    context.variables[step.id] = value
    subject = "" if step.about is None else context.subject(step.about[1:])
    named = about_subject(entity.name, subject if about else "")
    context.add_message(step, lambda: f"{named} {value}", step.id, value)


class ReadChartKind(StepKind[ReadChart]):
    """Reads cells of a chart into variables."""

    def run(self, context: ProcedureContext, step: ReadChart) -> None:
        """Read the row. Raises ProcedureError where the chart has none."""
        chart = context.state.ruleset.charts[step.chart]
        at = step.at
        key: Any = context.variables[at[1:]] if isinstance(at, str) else context.evaluate(at)
        row = chart.row(key)
        if row is None:
            raise context.refused(chart.label, _("the table has no row for {key}").format(key=key))
        cells = {
            column.id: cell_value(cell, context.evaluate, context.words)
            for column, cell in zip(chart.columns, row.cells, strict=True)
            if column.id in step.take.values()  # others may read figures that are missing here
        }
        context.variables |= {ours: cells[column] for ours, column in step.take.items()}

        def message() -> str:
            taken = [column for column in chart.columns if column.id in cells and not column.hidden]
            shown = ", ".join(str(cells[column.id]) for column in taken)
            place = key if isinstance(key, int) else context.words(row.heading)
            return f"{chart.label} {place}" + (f": {shown}" if shown else "")

        context.add_message(step, message, chart.id)

    def reads(self, step: ReadChart, names: NameReader) -> NameSet:
        """Return also the names in the texts of the chart."""
        rows = names.ruleset.charts[step.chart].rows
        cells = (text for row in rows for text in (row.heading, *row.cells))
        texts = names.figures_of(text for text in cells if isinstance(text, str))
        return super().reads(step, names) | texts


def cell_value(
    raw: int | str, whole: Callable[[Formula], int], words: Callable[[str], str]
) -> int | str:
    """Return the number or text of a cell.

    ``whole`` evaluates a formula, ``words`` fills the figures of a text.
    """
    if isinstance(raw, int):
        return raw
    formula = sole_formula(raw)
    return words(raw) if formula is None else whole(formula)


def printed_rows(chart: Chart, values: Values) -> list[tuple[str, tuple[int | str, ...]]]:
    """Return the rows of a chart for a sheet: each its heading and its visible cells.

    ``values`` are those of the unit.
    """

    def cells(row: ChartRow) -> tuple[int | str, ...]:
        pairs = zip(chart.columns, row.cells, strict=True)
        shown = (raw for column, raw in pairs if not column.hidden)
        return tuple(cell_value(raw, values.evaluate_now, values.text) for raw in shown)

    return [(values.text(row.heading), cells(row)) for row in chart.rows]
