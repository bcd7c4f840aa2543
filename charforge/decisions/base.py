"""A decision: a question at its place, its options, and what an answer brings.

``Decision.options`` and ``Decision.faults`` share their judgement, so an
answer is allowed exactly when its option is legal; the wizard, an answers
file and chance cannot differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from charforge.character.grants import gain, give, titled
from charforge.character.local_formulas import own
from charforge.character.state import CHARACTER, Chosen, Settled, State
from charforge.decisions import options, validation as faults
from charforge.decisions.options import Item, Offer
from charforge.expressions import dice
from charforge.expressions.formula import Formula
from charforge.rules.models import (
    Allot,
    Ask,
    Assign,
    Choose,
    Enter,
    Entity,
    MayBeOpen,
    Roll,
    Scores,
)

Answer = Any  # an id, a list of ids, faces, a map of scores, a number or a text

__all__ = ["Answer", "Decision", "Item", "Offer", "rolled"]


@dataclass(frozen=True, slots=True)
class Decision:
    """A question at its place: ``before`` is the state that it is judged on.

    ``id`` is stable and path-like; ``holding`` the instance whose choice
    this is; ``section`` the creation step, ``level`` the level it belongs to.
    ``root`` is where the ids of what it gains begin, if not with its own:
    what is taken anew later is another thing than what was there before.
    """

    id: str
    ask: Ask
    before: State
    unit: str = CHARACTER
    holding: str = ""
    section: str = ""
    level: int = 1
    root: str = ""

    def asked_of(self, state: State) -> bool:
        """Whether what it is asked of (its unit, the holding whose choice it is) is there."""
        held = not self.holding or state.holding(self.holding) is not None
        return held and state.has_unit(self.unit)

    # ------------------------------------------------------------ judging

    def options(self, picked: Sequence[Item] = (), only: Item | None = None) -> tuple[Offer, ...]:
        """Return every option, the illegal ones with their reasons.

        ``picked`` is what a list already contains; ``only`` the one option
        to judge, where no other matters.
        """
        if not isinstance(self.ask, Choose):
            return ()
        return tuple(options.judged(self, self.ask, picked, only))

    def faults(self, answer: Answer) -> tuple[str, ...]:
        """Return why an answer is not allowed; empty when it is."""
        return tuple(faults.faults(self, answer))

    def unsound(self, answer: Answer) -> tuple[str, ...]:
        """Return what no override can allow about an answer."""
        return tuple(faults.unsound(self, answer))

    def canonical(self, answer: Answer) -> Answer:
        """Return the one spelling of an allowed answer, as documents keep it."""
        if isinstance(self.ask, Choose):
            if not self.ask.many:
                return self.item(answer)
            listed = [self.item(item) for item in answer]
            return sorted(listed) if self.ask.among and self.ask.among.faces else listed
        if isinstance(self.ask, Roll):
            rolls = rolled(answer)
            return rolls[0] if len(rolls) == 1 else rolls
        if isinstance(self.ask, Assign | Allot):
            given = self.by_value(answer)
            return {name: given.get(name, 0) for name in self.targets()}
        return answer.strip() if isinstance(answer, str) else answer

    def item(self, named: Item) -> Item:
        """Return what an item of an answer stands for: ends trimmed, aliases and names resolved."""
        if not isinstance(named, str):
            return named
        found = self.before.ruleset.canonical(named.strip())
        if found in self.before.ruleset.entities or not isinstance(self.ask, Choose):
            return found
        return options.called(options.offered(self, self.ask), found)

    def by_value(self, given: Mapping[Any, Any]) -> dict[Any, Any]:
        """Return a map's numbers by value id: a key may be a value's label or name."""
        values = self.before.ruleset.values
        called: dict[str, set[str]] = {}
        for name in self.targets():
            for word in (values[name].label, values[name].name):
                called.setdefault(word.casefold(), set()).add(name)
        found: dict[Any, Any] = {}
        for key, number in given.items():
            meant = called.get(key.strip().casefold(), ()) if isinstance(key, str) else ()
            known = key in self.targets() or len(meant) != 1
            found[key if known else next(iter(meant))] = number
        return found

    def in_order(self, answer: Sequence[Item]) -> list[Item]:
        """Return a list of entities with each one's prerequisites before it.

        Where the order cannot matter, or nothing is legal, as given.
        """
        if not self._entities or len(answer) < 2:
            return list(answer)
        waiting, ordered = list(answer), []
        offers = options.offered(self, self._choose)
        state = self.before
        while waiting:
            chosen = next((i for i in waiting if self._open(offers, i, state)), waiting[0])
            waiting.remove(chosen)
            ordered.append(chosen)
            state = self._with(state, self.item(chosen))
        return ordered

    def _open(self, offers: Mapping[Item, Offer], named: Item, state: State) -> bool:
        offer = offers.get(self.item(named)) if isinstance(named, str | int) else None
        return offer is not None and not any(options.against(self, offer, state))

    # ------------------------------------------------- what a question needs

    def figure(self, formula: Formula) -> int:
        """Return what a formula of the question comes to, here."""
        holding = self.before.holding(self.holding)
        return self.before.values(self.unit).evaluate(formula.given(own(self.before, holding)))

    def applies(self) -> bool:
        """Whether it is asked at all."""
        return self.ask.when is None or bool(self.figure(self.ask.when))

    def free(self) -> int | None:
        """Return how much of the budget is free, if there is one."""
        budget = self.ask.budget if isinstance(self.ask, Choose) else None
        return None if budget is None else self.figure(budget.within)

    def spent(self, picked: Sequence[Item]) -> int:
        """Return how much of the budget a list takes."""
        offers = options.offered(self, self._choose)
        return sum(offers[item].cost for item in picked if item in offers)

    def reads(self) -> tuple[str, ...]:
        """Return the decisions whose dice this one uses."""
        if isinstance(self.ask, Choose) and self.ask.among is not None and self.ask.among.faces:
            return (self.ask.among.faces,)
        if isinstance(self.ask, Assign) and isinstance(self.ask.scores, Scores):
            return tuple(filter(None, (self.ask.scores.roll, self.ask.scores.without)))
        return ()

    def faces(self, roll: str) -> list[int]:
        """Return the faces that count of an earlier roll."""
        return rolled(self.before.answers[roll])[-1]

    def dice(self) -> dice.Dice:
        """Return the dice of a roll."""
        assert isinstance(self.ask, Roll)
        return dice.parse(self.ask.dice, self.before.ruleset.dice)

    def again(self, faces: Sequence[int]) -> bool:
        """Whether these faces must be rolled anew."""
        assert isinstance(self.ask, Roll)
        formula = self.ask.reroll_all_while
        return formula is not None and bool(formula.evaluate({"roll": tuple(faces)}.__getitem__))

    def result(self, faces: Sequence[int]) -> tuple[int, str]:
        """Return the total of a roll and how it came about, bounds included."""
        assert isinstance(self.ask, Roll)
        plus = self.figure(self.ask.plus)
        total = sum(faces) + plus
        note = f"{self.ask.dice} ({' + '.join(map(str, faces))})"
        if plus or self.ask.plus.constant is None:
            note += f" + {self.ask.plus} ({plus}) = {total}"
        bounds = (("minimum", self.ask.minimum, max), ("maximum", self.ask.maximum, min))
        for word, bound, pick in bounds:
            if bound is not None:
                limit = self.figure(bound)
                if pick(total, limit) != total:
                    note += f"; {word} {bound} ({limit})"
                total = pick(total, limit)
        return total, note

    def targets(self) -> tuple[str, ...]:
        """Return the value ids that an assignment or allotment fills."""
        assert isinstance(self.ask, Assign | Allot)
        names: list[str] = []
        for name in self.ask.to:
            group = self.before.ruleset.group(name[6:]) if name.startswith("group:") else (name,)
            names += group
        return tuple(names)

    def scores(self) -> tuple[int, ...]:
        """Return the scores that an assignment hands out, highest first."""
        assert isinstance(self.ask, Assign)
        scores = self.ask.scores
        if not isinstance(scores, Scores):
            return tuple(sorted(scores, reverse=True))
        left = Counter(self.faces(scores.roll))
        left.subtract(self.before.answers[scores.without] if scores.without else ())
        made = (scores.table.get(face, face) for face in left.elements())
        return tuple(sorted(made, reverse=True))

    def numbers(self) -> Sequence[int]:
        """Return the numbers that an allotment may give to each value, lowest first."""
        ask = self.ask
        assert isinstance(ask, Allot)
        low = None if ask.minimum is None else self.figure(ask.minimum)
        high = None if ask.maximum is None else self.figure(ask.maximum)
        if not ask.only and low is not None and high is not None:
            return range(low, high + 1)
        return [
            number
            for number in sorted(set(ask.only))
            if (low is None or number >= low) and (high is None or number <= high)
        ]

    def suggested(self) -> dict[str, int]:
        """Return what an allotment suggests: the nearest to its default that each may get."""
        ask, numbers = self.ask, self.numbers()
        assert isinstance(ask, Allot)
        wanted = 0 if ask.default is None else self.figure(ask.default)
        number = min(numbers, key=lambda one: (abs(one - wanted), one), default=wanted)
        return dict.fromkeys(self.targets(), number)

    def points(self) -> int | None:
        """Return how many points an allotment gives in all, if they are counted."""
        points = self.ask.points if isinstance(self.ask, Allot) else None
        return None if points is None else self.figure(points)

    @property
    def unprinted(self) -> bool:
        """Whether the book leaves this open."""
        return isinstance(self.ask, MayBeOpen) and self.ask.unprinted

    def bounds(self) -> tuple[int, int, int | None]:
        """Return lowest, highest and suggested figure of an entry."""
        assert isinstance(self.ask, Enter)
        suggested = None if self.ask.default is None else self.figure(self.ask.default)
        return self.figure(self.ask.minimum), self.figure(self.ask.maximum), suggested

    # ------------------------------------------------- what an answer brings

    def take(self, answer: Answer) -> State:
        """Return the state after an allowed, canonical answer, without asking further."""
        state = self.before.changed(answers={**self.before.answers, self.id: answer})
        if isinstance(self.ask, Choose):
            taken = self.in_order(answer) if self.ask.many else [answer]
            for item in taken:
                state = self._with(state, item)
            return state
        holding = state.holding(self.holding)
        if holding is not None and isinstance(self.ask, Roll):
            total, _note = self.result(rolled(answer)[-1])
            state = state.changed(numbers={**state.numbers, self.id: total})
        if holding is not None and holding.entity.titled == self.ask.id:
            state = titled(state, holding, str(answer))
        return state.changed(settled=(*state.settled, *self._settled(answer)))

    def after(self, picked: Sequence[Item]) -> State:
        """Return the state once the first items of a list are taken."""
        state = self.before
        for item in picked:
            state = self._with(state, item)
        return state

    def _with(self, state: State, item: Item) -> State:
        """Return the state after one option is taken."""
        if self._entities:
            entity = state.ruleset.entities.get(item) if isinstance(item, str) else None
            if entity is None:
                return state  # one's own words bring nothing
            return gain(state, entity, self.path(entity), self.id, self.unit)
        option = next((o for o in self._choose.options if o.id == item), None)
        if option is None:
            return state
        holding = state.holding(self.holding)
        source = holding.entity.id if holding else self.id
        taken = Chosen(self.unit, source, option, self.id, self.holding)
        state = state.changed(chosen=(*state.chosen, taken))
        for grant in option.grants:
            state = give(state, grant, self.id, self.unit)
        return state

    def path(self, entity: Entity) -> str:
        """Return the instance id of what this decision gains.

        The decision's own id where that says it; with the kind's part
        where the question spans several kinds; with the slug in a list.
        """
        if self._choose.many:
            return f"{self.id}.{entity.slug}"
        root = self.root or self.id
        query = self._choose.among.query if self._choose.among else None
        if query is not None and len(query.kind) != 1:
            return f"{root}.{self.before.ruleset.kinds[entity.kind].path or entity.kind}"
        return root

    def _settled(self, answer: Answer) -> Iterator[Settled]:
        if isinstance(self.ask, Roll) and self.ask.to is not None:
            total, note = self.result(rolled(answer)[-1])
            yield Settled(self.unit, self.ask.to, "add", total, self.id, note)
        if isinstance(self.ask, Enter) and self.ask.to is not None:
            yield Settled(self.unit, self.ask.to, "add", answer, self.id)
        if isinstance(self.ask, Assign):
            for name in self.targets():
                yield Settled(self.unit, name, "set", answer[name], self.id)
        if isinstance(self.ask, Allot):
            for name, number in answer.items():
                if number:
                    yield Settled(self.unit, name, "add", number, self.id)

    @property
    def _choose(self) -> Choose:
        assert isinstance(self.ask, Choose)
        return self.ask

    @property
    def _entities(self) -> bool:
        among = self.ask.among if isinstance(self.ask, Choose) else None
        return among is not None and among.query is not None


def rolled(answer: Answer) -> list[list[int]]:
    """Return every set of faces of a roll's answer; the last one counts."""
    if isinstance(answer, Sequence) and answer and isinstance(answer[0], Sequence):
        return [list(faces) for faces in answer]
    return [list(answer)]
