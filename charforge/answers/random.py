"""Random answers: legal, sensible, and the same for the same seed.

What is sensible comes from the pack: high scores go to the values that the
``priority`` of an entity lists first, raises to values that the character
uses, and weapons that the character hits well with are preferred.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from charforge.decisions.base import Decision, value_priority
from charforge.decisions.option import MISSING, Answer, DecisionOption
from charforge.expressions import dice
from charforge.language import _

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
        if option.entity is None:
            return weight
        hits = [attack.hit for attack in option.entity.attacks if isinstance(attack.hit, str)]
        if hits:
            values = state.values(decision.unit)
            best = max((values.base(hit) for hit in hits if hit in values), default=0)
            weight = weight * max(1, best - AVERAGE_SCORE) ** 2
            weight *= 3 if state.trained(option.entity) else 1
        if option.entity.replaces is not None:
            weight *= 4
        tags = {tag for holding in state.holdings[:2] for tag in holding.entity.tags}
        return weight * (3 if tags & set(option.entity.tags) else 1)

    def name(self, names: Sequence[str]) -> str:
        """Return one of the ruleset's example names."""
        numbers = dice.random_stream(self.seed, "name")
        return names[dice.draw_below(numbers, len(names))] if names else _("Nameless")
