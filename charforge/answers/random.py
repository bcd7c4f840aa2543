"""Answers by chance: legal, sensible, and the same for the same seed.

Sensible is read from the rules' data: high scores go where the
``priority`` of what is held wants them, a raise is preferred to where it
helps, an option that carries an attack to what its bearer hits with.
Nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from types import MappingProxyType

from charforge.character.state import State
from charforge.decisions.base import Answer, Decision
from charforge.decisions.options import Offer
from charforge.expressions import dice
from charforge.rules.models import Allot, Assign, Choose, Enter, Roll, Write

STRONG = 4
FEW = 2  # how many at most of a list that the book leaves open
KEY = 20  # how much rather a key value is raised than another


class Chance:
    """Answers every decision from the streams of one seed.

    ``tries`` counts how often a roll was made before, by decision: its
    next try shows other dice. ``examples`` are the decisions answered so
    far that the book leaves open: their answers are examples.
    """

    def __init__(self, seed: str, tries: Mapping[str, int] = MappingProxyType({})) -> None:
        self.seed = seed
        self.tries = tries
        self.examples: dict[str, Decision] = {}

    def __call__(self, decision: Decision) -> Answer:
        """Return a legal answer."""
        if decision.unprinted:
            self.examples[decision.id] = decision
        return self._answer(decision)

    def _answer(self, decision: Decision) -> Answer:
        if isinstance(decision.ask, Roll):
            return self.dice(decision)
        numbers = dice.stream(self.seed, f"{decision.id} choice")
        if isinstance(decision.ask, Choose):
            many, default = decision.ask.many, decision.ask.default
            example: Answer = [default] if many else default
            if decision.unprinted and default is not None and not decision.faults(example):
                return example
            if many:
                return _several(decision, decision.ask, numbers)
            return _one(decision, decision.options(), numbers)
        if isinstance(decision.ask, Assign):
            return _assigned(decision)
        if isinstance(decision.ask, Allot):
            return _allotted(decision, numbers)
        if isinstance(decision.ask, Enter):
            low, high, suggested = decision.bounds()
            if decision.unprinted and suggested is not None:
                return min(max(suggested, low), high)
            return low + dice.below(numbers, high - low + 1)
        assert isinstance(decision.ask, Write)
        examples = decision.ask.examples
        if decision.unprinted and examples:
            return _example(decision, examples)
        return examples[dice.below(numbers, len(examples))] if examples else ""

    def dice(self, decision: Decision) -> Answer:
        """Return the dice of a roll's next try."""
        return decision.canonical(roll(decision, self.seed, self.tries.get(decision.id, 0)))

    def name(self, names: Sequence[str]) -> str:
        """Return one of the ruleset's example names."""
        numbers = dice.stream(self.seed, "name")
        return names[dice.below(numbers, len(names))] if names else "Nameless"


def roll(decision: Decision, seed: str, attempt: int = 0) -> list[list[int]]:
    """Roll a decision's dice from the seed's stream; every set of faces."""
    numbers = dice.stream(seed, decision.id, attempt)
    return dice.roll(decision.dice(), numbers, decision.again)


def _example(decision: Decision, examples: Sequence[str]) -> str:
    """Return the example of a text that the book leaves open: of the second of a kind the second.

    Where they run out they begin anew; a name then with a number, so that
    no two things are called the same.
    """
    state, holding = decision.before, decision.before.holding(decision.holding)
    if holding is None:
        return examples[0]
    alike = [one.id for one in state.holdings if one.entity is holding.entity]
    number = alike.index(holding.id)
    if holding.entity.titled != decision.ask.id:
        return examples[number % len(examples)]
    taken = {one.name for one in state.holdings}
    names = (name if n == 1 else f"{name} {n}" for n in count(1) for name in examples)
    return next(name for name in names if name not in taken)


def _several(decision: Decision, ask: Choose, numbers: Iterator[int]) -> list[Answer]:
    """Fill a list: dice from the lowest, others until it is full or chance says stop."""
    if ask.among is not None and ask.among.faces is not None:
        return sorted(decision.faces(ask.among.faces))[: ask.count]
    picked: list[Answer] = []
    most = min(ask.count or FEW, FEW) if decision.unprinted and ask.up_to else ask.count
    while most is None or len(picked) < most:
        offers = [offer for offer in decision.options(picked) if offer.legal]
        if not ask.repeats and ask.budget is None:
            offers = [offer for offer in offers if offer.id not in picked]
        if not offers or dice.below(numbers, 100) >= ask.chance:
            break
        picked.append(_one(decision, offers, numbers))
    return picked


def _one(decision: Decision, offers: Sequence[Offer], numbers: Iterator[int]) -> Answer:
    legal = [offer for offer in offers if offer.legal]
    weights = [_weight(offer, decision) for offer in legal]
    drawn = dice.below(numbers, sum(weights))
    for offer, weight in zip(legal, weights, strict=True):
        drawn -= weight
        if drawn < 0:
            return offer.id
    raise AssertionError("the weights do not add up")


def _weight(offer: Offer, decision: Decision) -> int:
    """Return how much chance favours an option; at least 1."""
    state, wanted = decision.before, _priority(decision.before, decision.unit)
    key = {name for holding in state.held(decision.unit) for name in holding.entity.key}
    weight = 20 if offer.id == getattr(decision.ask, "default", None) else 4
    for modifier in offer.option.modifies if offer.option else ():
        amount = modifier.amount.constant or 0
        if modifier.value in wanted:
            use = len(wanted) - wanted.index(modifier.value)
            weight += use * 2 if amount > 0 else (len(wanted) - use) * 2
            weight *= KEY if amount > 0 and modifier.value in key else 1
    if offer.id in wanted:
        weight += 2 * (len(wanted) - wanted.index(offer.id))
        weight *= KEY if offer.id in key else 1
    if offer.entity is None:
        return weight
    hits = [attack.hit for attack in offer.entity.attacks if isinstance(attack.hit, str)]
    if hits:
        values = state.values(decision.unit)
        best = max((values.base(hit) for hit in hits if hit in values), default=0)
        weight = weight * max(1, best - STRONG) ** 2
        weight *= 3 if state.trained(offer.entity) else 1
    if offer.entity.replaces is not None:
        weight *= 4
    held = {tag for holding in state.holdings[:2] for tag in holding.entity.tags}
    return weight * (3 if held & set(offer.entity.tags) else 1)


def _priority(state: State, unit: str) -> tuple[str, ...]:
    """Return the values by use, best first, as what is held wants them."""
    own = next((u.entity for u in state.units if u.id == unit), None)
    if own is not None and own.priority:
        return own.priority
    return next((h.entity.priority for h in state.held(unit) if h.entity.priority), ())


def _assigned(decision: Decision) -> dict[str, int]:
    """Give the highest scores to what matters most, the rest in the order of the rules."""
    targets = decision.targets()
    wanted = [name for name in _priority(decision.before, decision.unit) if name in targets]
    order = [*wanted, *(name for name in targets if name not in wanted)]
    given = dict(zip(order, decision.scores(), strict=True))
    return {name: given[name] for name in targets}


def _allotted(decision: Decision, drawn: Iterator[int]) -> dict[str, int]:
    """Spread the points of an allotment; without points each value has what is suggested.

    Value by value in a drawn order, each gets one of the numbers that
    leave the rest a sum it can still make.
    """
    given, points = decision.suggested(), decision.points()
    if points is None or (decision.unprinted and sum(given.values()) == points):
        return given
    order = list(given)
    for at in range(len(order) - 1, 0, -1):
        other = dice.below(drawn, at + 1)
        order[at], order[other] = order[other], order[at]
    numbers = decision.numbers()
    for done, name in enumerate(order, 1):
        rest = _sums(numbers, len(order) - done)
        fitting = [number for number in numbers if points - number in rest]
        if not fitting:
            return decision.suggested()  # no spread is legal, which the walk says
        given[name] = fitting[dice.below(drawn, len(fitting))]
        points -= given[name]
    return given


def _sums(numbers: Sequence[int], times: int) -> range | set[int]:
    """Return every sum of so many of some numbers."""
    if isinstance(numbers, range):
        ends = (numbers.start, numbers.stop - 1) if numbers else (0, 0)
        return range(ends[0] * times, ends[1] * times + 1)
    found = {0}
    for _time in range(times):
        found = {total + number for total in found for number in numbers}
    return found
