"""Recommended answers: what suits a character by the pack's data, and the reason.

An entity or option names in ``suits`` whom it is for, and under ``recommended``
the formulas that recommend it. A value counts as recommended to those whose
``priority`` lists it, the first ones first.
Where nothing is recommended, the answer is random.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from charforge.answers.random import RandomAnswers
from charforge.character.state import CHARACTER
from charforge.character.state_data import Holding
from charforge.decisions.base import Decision
from charforge.decisions.option import DecisionOption, OptionId
from charforge.language import _

CERTAIN = 1_000_000  # how much more likely a recommended option is than another


class Recommendation(NamedTuple):
    """To whom something is recommended (the name of a role, if any), and why (can be empty)."""

    owner: str
    reason: str

    def __str__(self) -> str:
        """Return it in words."""
        start = (
            _("Recommended for {owner}").format(owner=self.owner)
            if self.owner
            else _("Recommended")
        )
        return f"{start}{': ' + self.reason if self.reason else '.'}"


def recommendations(decision: Decision) -> Mapping[OptionId, Recommendation]:
    """Return the recommended options of a decision that may be chosen, best first."""
    options = [option for option in decision.options() if option.legal]
    suited = {
        option.id: found for option in options if (found := _suited(option, decision)) is not None
    }
    return suited or dict(_important(options, decision))


def _held(decision: Decision) -> Iterator[Holding]:
    """Yield what the unit holds, and then what the character holds."""
    for unit in dict.fromkeys((decision.unit, CHARACTER)):
        yield from decision.before.held(unit)


def _suited(option: DecisionOption, decision: Decision) -> Recommendation | None:
    part = option.entity or option.option
    if part is None:
        return None
    for holding in _held(decision) if part.suits else ():
        if holding.entity.id in part.suits:
            return Recommendation(holding.name, part.suits[holding.entity.id])
    values = decision.before.values(decision.unit)
    for found in part.recommended:
        if values.evaluate_now(found.when):
            return Recommendation("", values.plain_text(found.text))
    return None


def _important(
    options: list[DecisionOption], decision: Decision
) -> Iterator[tuple[OptionId, Recommendation]]:
    """Yield the option that raises what matters most, or lowers what matters least."""
    held = (holding.entity for holding in _held(decision))
    owner = next((entity for entity in held if entity.priority), None)
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
    reason = _("the one you need least.") if lowered else _("the one you use most.")
    yield best, Recommendation(owner.name, reason)


class RecommendedAnswers(RandomAnswers):
    """Recommended answers; random ones, determined by a seed, where nothing is recommended."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self._last: tuple[Decision | None, Collection[OptionId]] = (None, ())

    def weight(self, option: DecisionOption, decision: Decision) -> int:
        """Return how likely an option is: a recommended one nearly always."""
        if self._last[0] is not decision:
            self._last = (decision, recommendations(decision).keys())
        recommended = self._last[1]
        if not recommended:
            return super().weight(option, decision)
        return CERTAIN if option.id in recommended else 1
