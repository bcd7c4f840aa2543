"""Answers without a player: at random, or as the pack recommends.

Random answers are legal, sensible, and the same for the same seed: high scores
go to the values that the ``priority`` of an entity lists first, raises to
values that the character uses, weapons to what it hits with. An entity or
entity names in ``suits`` whom it is for, and under ``recommended`` the formulas
that recommend it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from charforge.character.state import CHARACTER
from charforge.character.state_data import Holding
from charforge.decisions.base import (
    MISSING,
    Answer,
    Decision,
    DecisionOption,
    OptionId,
    value_priority,
)
from charforge.errors import NoOptionLeft
from charforge.expressions import dice
from charforge.language import _
from charforge.replay.replay import AnswerSource, leave_open
from charforge.rules.models import Entity

AVERAGE_SCORE = 4
KEY_FACTOR = 20  # how much more likely a key value is raised than another


class RandomAnswers:
    """Random answers to decisions, determined by a seed.

    ``tries`` is the number of earlier rolls by decision id; a further roll
    gets other dice. ``examples`` collects the decisions that the book leaves
    open: their answers are the pack's examples.
    """

    def __init__(self, seed: str, tries: Mapping[str, int] = MappingProxyType({})) -> None:
        self.seed = seed
        self.tries = tries
        self.examples: dict[str, Decision] = {}

    def __call__(self, decision: Decision) -> Answer:
        """Return a legal answer; MISSING for a choice of which every option is closed."""
        if not decision.has_legal_option():
            return MISSING
        if decision.unprinted:
            self.examples[decision.id] = decision
        return decision.random_answer(self)

    def attempt(self, decision: Decision) -> int:
        """Return how often the dice of a decision were rolled before."""
        return self.tries.get(decision.id, 0)

    def weight(self, option: DecisionOption, decision: Decision) -> int:
        """Return how likely an option is, compared with the others; at least 1."""
        weight = self._weight_of_values(option, decision)
        return weight * _entity_factor(option.entity, decision) if option.entity else weight

    def _weight_of_values(self, option: DecisionOption, decision: Decision) -> int:
        """Return how likely an option is by the values that it raises or is."""
        state, priority = decision.before, value_priority(decision.before, decision.unit)
        key_values = {name for holding in state.held(decision.unit) for name in holding.entity.key}
        weight = 20 if option.id == getattr(decision.question, "default", None) else 4
        for modifier in option.option.modifies if option.option else ():
            amount = modifier.amount.constant or 0
            if modifier.value in priority:
                use = len(priority) - priority.index(modifier.value)
                weight += use * 2 if amount > 0 else (len(priority) - use) * 2
                weight *= KEY_FACTOR if amount > 0 and modifier.value in key_values else 1
        if option.id in priority:
            weight += 2 * (len(priority) - priority.index(option.id))
            weight *= KEY_FACTOR if option.id in key_values else 1
        return weight

    def name(self, names: Sequence[str]) -> str:
        """Return one of the ruleset's example names."""
        numbers = dice.random_stream(self.seed, "name")
        return names[dice.draw_below(numbers, len(names))] if names else _("Nameless")


def _entity_factor(entity: Entity, decision: Decision) -> int:
    """Return how much likelier an entity is: by its attacks, what it replaces, and its tags."""
    state, factor = decision.before, 1
    hits = [attack.hit for attack in entity.attacks if isinstance(attack.hit, str)]
    if hits:
        values = state.values(decision.unit)
        best = max((values.base(hit) for hit in hits if hit in values), default=0)
        factor = max(1, best - AVERAGE_SCORE) ** 2
        factor *= 3 if state.trained(entity) else 1
    if entity.replaces is not None:
        factor *= 4
    tags = {tag for holding in state.holdings[:2] for tag in holding.entity.tags}
    return factor * (3 if tags & set(entity.tags) else 1)


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
    part = option.entity
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


def leave_out_optional(source: AnswerSource = leave_open) -> AnswerSource:
    """Return a source that gives an empty answer to optional decisions that ``source`` leaves."""

    def answer_or_empty(decision: Decision) -> Answer:
        answer = source(decision)
        return decision.empty_answer() if answer is MISSING else answer

    return answer_or_empty


def refuse_without_options(decisions: Iterable[Decision]) -> None:
    """Raise NoOptionLeft for the decisions of which the rules close every option."""
    closed = [(decision.heading(), decision.why_nothing_is_left()) for decision in decisions]
    if any(why for _name, why in closed):
        raise NoOptionLeft((name, why) for name, why in closed if why)
