"""Recommended answers: what suits a character by the pack's data, and the reason.

An entity or option names in ``suits`` whom it is for. A value counts as
recommended to those whose ``priority`` lists it, the first ones first.
Where nothing is recommended, the answer is random.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from charforge.answers.random import RandomAnswers
from charforge.character.state import CHARACTER
from charforge.decisions.base import Decision
from charforge.decisions.option import DecisionOption, OptionId
from charforge.rules.models import Entity

CERTAIN = 1_000_000  # how much more likely a recommended option is than another


class Recommendation(NamedTuple):
    """To whom something is recommended (the name of a role), and why; the reason can be empty."""

    owner: str
    reason: str

    def __str__(self) -> str:
        """Return it in words."""
        return f"Recommended for {self.owner}{': ' + self.reason if self.reason else '.'}"


def recommendations(decision: Decision) -> Mapping[OptionId, Recommendation]:
    """Return the recommended options of a decision that may be chosen, best first."""
    options = [option for option in decision.options() if option.legal]
    suited = {
        option.id: found for option in options if (found := _suited(option, decision)) is not None
    }
    return suited or dict(_important(options, decision))


def _holders(decision: Decision) -> Iterator[Entity]:
    """Yield what the unit holds, and then what the character holds."""
    state = decision.before
    for unit in dict.fromkeys((decision.unit, CHARACTER)):
        yield from (holding.entity for holding in state.held(unit))


def _suited(option: DecisionOption, decision: Decision) -> Recommendation | None:
    part = option.entity or option.option
    if part is None or not part.suits:
        return None
    for holder in _holders(decision):
        if holder.id in part.suits:
            return Recommendation(holder.name, part.suits[holder.id])
    return None


def _important(
    options: list[DecisionOption], decision: Decision
) -> Iterator[tuple[OptionId, Recommendation]]:
    """Yield the option that raises what matters most, or lowers what matters least."""
    owner = next((holder for holder in _holders(decision) if holder.priority), None)
    if owner is None:
        return
    ranks: dict[OptionId, int] = {}
    for option in options:
        changed = {m.value: m.amount.constant or 0 for m in option.option.modifies} if (
            option.option
        ) else {str(option.id): 1}  # fmt: skip
        for value, amount in changed.items():
            if value in owner.priority:
                rank = owner.priority.index(value)
                ranks[option.id] = rank if amount > 0 else -rank
    if len(ranks) != len(options) or not ranks:
        return
    best = min(ranks, key=ranks.__getitem__)
    lowered = ranks[best] < 0
    reason = "the one you need least." if lowered else "the one you use most."
    yield best, Recommendation(owner.name, reason)


class RecommendedAnswers(RandomAnswers):
    """Recommended answers; random ones, determined by a seed, where nothing is recommended."""

    def __init__(self, seed: str, tries: Mapping[str, int] = MappingProxyType({})) -> None:
        super().__init__(seed, tries)
        self._last: tuple[Decision | None, Collection[OptionId]] = (None, ())

    def weight(self, option: DecisionOption, decision: Decision) -> int:
        """Return how likely an option is: a recommended one nearly always."""
        if self._last[0] is not decision:
            self._last = (decision, recommendations(decision).keys())
        recommended = self._last[1]
        if not recommended:
            return super().weight(option, decision)
        return CERTAIN if option.id in recommended else 1
