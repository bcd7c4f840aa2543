"""The charts, dice pools and tracks of a sheet, with the figures of the unit that they are for."""

from __future__ import annotations

from collections.abc import Iterable

from charforge.character.values import Values
from charforge.expressions import markup
from charforge.expressions.template import Figure, signed_amount, substitute
from charforge.procedures import pools as counting
from charforge.procedures.charts import printed_rows
from charforge.rules.models import Chart, DiceCounts, Die, Modifier, Symbol, Track, TrackStep
from charforge.rules.ruleset import Ruleset
from charforge.rules.symbols import GROUP
from charforge.sheet import view


def chart(found: Chart, values: Values) -> view.SheetChart:
    """Return a chart with the figures of a unit; without what only procedures read."""
    columns = [column.label for column in found.columns if not column.hidden]
    rows = (
        view.SheetChartRow(_line(heading), tuple(_line(str(cell)) for cell in cells))
        for heading, cells in printed_rows(found, values)
    )
    text = _resolved(found.text, values)
    source = _source(found, values.ruleset)
    return view.SheetChart(
        found.id, found.label, text, found.key, tuple(columns), tuple(rows), source
    )


def _source(found: Chart, ruleset: Ruleset) -> str:
    """Say where in the book a chart is from."""
    rule = ruleset.entities.get(found.source)
    source = rule.source if rule is not None else ""
    return "" if source.casefold() == found.label.casefold() else source


def blank_chart(found: Chart, ruleset: Ruleset) -> view.SheetChart:
    """Return a chart of nobody's: its figures stay as the pack has them, by their labels."""
    from charforge.sheet.audit import with_labels

    def words(text: int | str) -> str:
        return _line(substitute(str(text), lambda figure: with_labels(figure.text, ruleset)))

    columns = [column for column in found.columns if not column.hidden]
    places = [found.columns.index(column) for column in columns]
    rows = (
        view.SheetChartRow(words(row.heading), tuple(words(row.cells[place]) for place in places))
        for row in found.rows
    )
    text = markup.player_text(words(found.text))
    labels = tuple(column.label for column in columns)
    source = _source(found, ruleset)
    return view.SheetChart(found.id, found.label, text, found.key, labels, tuple(rows), source)


def pools(values: Values) -> tuple[view.SheetPool, ...]:
    """Return the pools of a unit."""
    ruleset = values.ruleset
    return tuple(
        view.SheetPool(pool.id, pool.label, pool_dice(ruleset, pool.dice, values))
        for pool in values.unit.type.pools
    )


def pool_dice(ruleset: Ruleset, dice: DiceCounts, values: Values) -> tuple[view.SheetPoolDie, ...]:
    """Return the symbol dice that formulas count, with the figures of a unit now."""
    counted = counting.counts(dice, values.evaluate_now)
    kinds = ((ruleset.symbol_dice[name], number) for name, number in counted.items())
    return tuple(
        view.SheetPoolDie(die.id, die.label or die.id, die.shape, die.tone, number)
        for die, number in kinds
    )


def symbol_dice(ruleset: Ruleset) -> tuple[view.SheetDie, ...]:
    """Return every symbol die of a ruleset with what its faces show."""
    return tuple(_die(ruleset, die) for die in ruleset.symbol_dice.values())


def _die(ruleset: Ruleset, die: Die) -> view.SheetDie:
    faces = (tuple(_symbol(ruleset.symbols[name]) for name in face) for face in die.symbols)
    return view.SheetDie(die.id, die.label or die.id, die.shape, die.tone, tuple(faces))


def _symbol(symbol: Symbol) -> view.SheetSymbol:
    return view.SheetSymbol(symbol.id, symbol.label, symbol.icon)


def tracks(values: Values) -> tuple[view.SheetTrack, ...]:
    """Return the tracks of a unit, each with the step on which it stands."""
    found: Iterable[Track] = values.ruleset.head.tracks
    return tuple(_track(track, values) for track in found if track.value in values)


def _track(track: Track, values: Values) -> view.SheetTrack:
    now = values.base(track.value)
    here = track.step(now)
    steps = tuple(
        _step(number, step, step is here, values)
        for number, step in enumerate(track.steps, track.lowest)
    )
    return view.SheetTrack(track.value, track.label, now, steps)


def _step(number: int, step: TrackStep, here: bool, values: Values) -> view.SheetTrackStep:
    return view.SheetTrackStep(number, step.label, _does(step, values), here)


def _does(step: TrackStep, values: Values) -> markup.Prose:
    """Say what a step does: its text, or else what it changes."""
    if step.text:
        return _resolved(step.text, values)
    said = (f"{_amount(values, line)} {_changed(values, line)}" for line in step.modifies)
    return markup.player_text("; ".join(said))


def _amount(values: Values, line: Modifier) -> str:
    amount = values.evaluate_now(line.amount)
    return ("+" if amount > 0 and line.op == "add" else "") + signed_amount((), amount)


def _changed(values: Values, line: Modifier) -> str:
    ruleset = values.ruleset
    known = ruleset.values.get(line.value)
    return known.label if known else ruleset.head.groups[line.value.removeprefix(GROUP)]


def _resolved(text: str, values: Values) -> markup.Prose:
    def say(found: Figure) -> str:
        return markup.mark_figure(signed_amount(found.dice, values.evaluate_now(found.formula)))

    return markup.parse_markup(substitute(text, say))


def _line(text: str) -> str:
    """Set a cell: one style, real minus signs."""
    return markup.strip_markup(text.replace("\n", " "))
