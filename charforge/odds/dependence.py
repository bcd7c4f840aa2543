"""The parts of a state that the odds of a procedure depend on: everything that it can read.

Two states that agree in that have the same odds. The analysis is cautious:
what a procedure might read counts as read.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from charforge.character.modifiers import ValueModifier, local_formulas
from charforge.character.state import State
from charforge.character.state_data import Holding, names_of
from charforge.expressions.formula import TAG, Formula
from charforge.odds.branches import comparable
from charforge.odds.liveness import leaves
from charforge.procedures.steps.base import NO_NAMES, Names, text_names
from charforge.rules.models import Entity, Procedure
from charforge.rules.ruleset import Ruleset

NAMING = {"id", "label", "say", "text", "source", "do"}  # keys of texts by which nothing is read
TAGS = {"all", "any", "none"}  # keys of tags
STATE_OF_PLAY = (
    "rules",
    "conditions",
    "resource_changes",
    "cooldowns",
    "uses",
    "in_hand",
    "worn",
    "assumed",
)


@dataclass(frozen=True)
class Reads:
    """The names and words that parts of a ruleset can read.

    ``names`` are values and figures, ``words`` the ids, kinds and tags of
    things, and the ids of choices. ``words`` that are values are in both.
    """

    names: Names = NO_NAMES
    words: Names = NO_NAMES

    def __or__(self, other: Reads) -> Reads:
        return Reads(self.names | other.names, self.words | other.words)

    def __le__(self, other: Reads) -> bool:
        return self.names <= other.names and self.words <= other.words


def state_key(state: State, procedure: Procedure, inputs: Iterable[str]) -> Hashable:
    """Return a key of everything in a state that a procedure can read with these inputs."""
    ruleset = state.ruleset
    words = text_names(inputs)
    reads = ruleset.cached(
        ("reads of a procedure", procedure.id), lambda: _procedure_reads(ruleset, procedure)
    )
    reads = _completed(state, reads | Reads(words, words))
    units = tuple(
        (unit.id, unit.type.id, unit.entity and unit.entity.id, state.level_of(unit))
        for unit in state.units
    )
    values = tuple(
        (unit.id, name, _modifiers_key(state.values(unit.id).modifiers(name)))
        for unit in state.units
        for name in unit.type.values
        if name in reads.names
    )
    held = tuple(
        (
            holding.id if holding.id in reads.words else "", holding.entity.id,
            holding.quantity, state.bearer(holding),
            tuple((name, f.text) for name, f in local_formulas(state, holding).items()),
        )
        for holding in state.holdings
        if _asked_for(holding, reads.words)
    )  # fmt: skip
    answers = tuple(
        (name, comparable(answer))
        for name, answer in state.answers.items()
        if name in reads.words or name.rpartition(".")[2] in reads.words
    )
    of_play = tuple(comparable(getattr(state, name)) for name in STATE_OF_PLAY)
    return units, values, held, answers, of_play


def _procedure_reads(ruleset: Ruleset, procedure: Procedure) -> Reads:
    """Return what a procedure and those that it calls can read."""
    reads, seen, left = Reads(), set(), [procedure.id]
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        reads |= reads_of(ruleset, ruleset.procedures[name])
        steps = ruleset.procedures[name].steps
        left += [called.called_procedure for called in steps if called.called_procedure]
    return reads | Reads(frozenset(track.value for track in ruleset.head.tracks))


def reads_of(ruleset: Ruleset, part: Any) -> Reads:
    """Return what the formulas and texts of a part of a ruleset can read."""
    names: set[str] = set()
    words: set[str] = set()
    for leaf, key in leaves(part):
        if isinstance(leaf, Formula):
            names |= {name.rpartition(".")[2] for name in leaf.names}
            words |= {*leaf.referred, *leaf.limited, *(choice for choice, _answer in leaf.chosen)}
        elif key not in NAMING:
            words.add(TAG + leaf if key in TAGS else leaf)
            prefix, chosen, _choice = leaf.partition("$")
            if prefix and chosen:
                names |= {value for value in ruleset.values if value.startswith(prefix)}
            else:
                names |= text_names([leaf]) | set(ruleset.target_values(leaf))
    return Reads(frozenset(names), frozenset(words))


def _completed(state: State, reads: Reads) -> Reads:
    """Return what is read, with all from which it is calculated: now, or after a condition."""
    ruleset = state.ruleset
    done, more = Reads(), reads
    while not more <= done:
        new = Reads(more.names - done.names, more.words - done.words)
        done |= new
        more = Reads()
        for unit in state.units:
            for name in new.names & unit.type.values.keys():
                more |= reads_of(ruleset, (unit.type.values[name], _formulas(state, unit.id, name)))
        for holding in state.holdings:
            if _asked_for(holding, new.words):
                more |= reads_of(ruleset, dict(local_formulas(state, holding)))
        for condition in ruleset.conditions:
            more |= _condition_reads(ruleset, condition, new)
    return done


def _formulas(state: State, unit: str, value: str) -> list[Any]:
    """Return the formulas and tables from which a value is calculated."""
    parts: list[Any] = []
    for modifier in state.values(unit).modifiers(value):
        parts += [modifier.when, modifier.where, dict(modifier.local_formulas)]
        if isinstance(modifier.amount, tuple):
            table = modifier.amount[0]
            parts += [table, Formula(table.by)]
        else:
            parts.append(modifier.amount)
    return parts


def _condition_reads(ruleset: Ruleset, condition: Entity, asked: Reads) -> Reads:
    """Return what a condition reads if it is asked for, or can change what is."""

    def calculate() -> tuple[Names, Names, Reads]:
        targets = [t for m in condition.modifies for t in ruleset.target_values(m.value)]
        parts = (condition.condition, condition.active_when, condition.modifies)
        return frozenset(names_of(condition)), frozenset(targets), reads_of(ruleset, parts)

    words, targets, reads = ruleset.cached(("reads of a condition", condition.id), calculate)
    matters = not (words.isdisjoint(asked.words) and targets.isdisjoint(asked.names))
    return reads if matters else Reads()


def _modifiers_key(modifiers: Iterable[ValueModifier]) -> Hashable:
    """Return a key of the modifiers of a value: the sum of plain numbers, and all others."""
    sums = {True: 0, False: 0}
    others = []
    for modifier in modifiers:
        amount = _number(modifier)
        always = modifier.when is None and modifier.where is None
        if modifier.op == "add" and always and amount is not None:
            sums[modifier.lasting] += amount
            continue
        table: Hashable = ()
        if isinstance(modifier.amount, tuple):
            known = tuple((name, formula.text) for name, formula in modifier.local_formulas.items())
            table = (repr(modifier.amount), known)
        others.append((str(modifier.sort_key), str(modifier.where), modifier.lasting, table))
    return sums[True], sums[False], tuple(others)


def _number(modifier: ValueModifier) -> int | None:
    """Return the amount of a modifier if it is a plain number."""
    if isinstance(modifier.amount, Formula):
        return modifier.amount.constant
    return modifier.amount if isinstance(modifier.amount, int) else None


def _asked_for(holding: Holding, words: Names) -> bool:
    """Whether words can mean a holding."""
    return not words.isdisjoint((holding.id, *names_of(holding.entity)))
