"""The step ``pool``: roll dice with symbols together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from charforge.procedures import pools
from charforge.procedures.context import ProcedureContext, Variable
from charforge.procedures.steps.base import DiceInput, Names, StepKind
from charforge.rules.models import RollPool
from charforge.rules.ruleset import Ruleset


class PoolKind(StepKind[RollPool]):
    """Rolls symbol dice; the variables are the counts of symbols left after cancelling."""

    computes_results = True

    def run(self, context: ProcedureContext, step: RollPool) -> None:
        """Roll the dice and count the symbols."""
        ruleset = context.state.ruleset
        pool = pools.dice_counts(step.dice, context.evaluate)
        rolled: dict[str, list[int]] = {}
        shown: Counter[str] = Counter()
        for name, number in pool.items():
            die = ruleset.symbol_dice[name]
            dice = die.many(number, ruleset.symbols)
            rolled[name] = context.roll_dice(step.roll(name), dice, die.label)
            shown += pools.count_symbols(die, rolled[name])
        left = pools.net_symbols(ruleset, shown)
        context.variables |= {f"{step.id}_{symbol}": number for symbol, number in left.items()}

        def message() -> str:
            label = f"{step.label}: " if step.label else ""
            return f"{label}{pools.pool_text(ruleset, pool)}: {pools.symbols_text(ruleset, left)}"

        faces = [face for name in pools.sorted_dice(ruleset, rolled) for face in rolled[name]]
        context.add_message(step, message, step.id, None, faces)

    def dice_inputs(self, step: RollPool, ruleset: Ruleset) -> Iterator[DiceInput]:
        """Yield a roll for each die; its faces are typed by number or by symbols."""
        for name, number in step.dice.items():
            read = partial(pools.read_symbol_faces, ruleset, ruleset.symbol_dice[name])
            yield DiceInput(step.roll(name), f"{step.label or step.id} ({number})", read)

    def results(
        self, context: ProcedureContext, step: RollPool, read_later: Names
    ) -> Iterator[tuple[dict[str, Variable], int]]:
        """Yield the counts of symbols: dice are added up, their faces need not be tried."""
        ruleset = context.state.ruleset
        pool = pools.dice_counts(step.dice, context.evaluate)
        symbols = [name for name in ruleset.symbols if f"{step.id}_{name}" in read_later]
        for left, ways in pools.pool_outcomes(ruleset, pool, symbols):
            yield {f"{step.id}_{symbol}": number for symbol, number in left.items()}, ways
