"""A decision: a question of the rules, its options, and what answers it allows.

``Decision.options`` and ``Decision.faults`` use the same options, so an
answer is allowed exactly when its option is legal; the wizard, an answers
file and chance cannot differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from charforge import dice
from charforge.content.models import Ask, Assign, Choose, Enter, Entity, Option, Roll, Scores, Write
from charforge.content.ruleset import figure
from charforge.engine.gain import gain, give
from charforge.engine.prerequisites import Asker, unmet
from charforge.engine.state import CHARACTER, Chosen, Settled, State
from charforge.errors import nearest
from charforge.text import unprintable

Answer = Any
UNWANTED = "control characters"


@dataclass(frozen=True, slots=True)
class Offer:
    """One option as it stands: ``legal`` means that there are no reasons against it.

    ``cost`` is what it takes of the decision's budget.
    """

    id: str | int
    label: str
    text: str = ""
    group: str = ""
    reasons: tuple[str, ...] = ()
    entity: Entity | None = None
    option: Option | None = None
    cost: int = 0

    @property
    def legal(self) -> bool:
        """Whether it may be taken."""
        return not self.reasons


@dataclass(frozen=True, slots=True)
class Decision:
    """A question at its place: ``before`` is the state that it is judged on.

    ``id`` is stable and path-like; ``holding`` the instance whose choice
    this is; ``section`` the creation step, ``level`` the level it belongs to.
    """

    id: str
    ask: Ask
    before: State
    unit: str = CHARACTER
    holding: str = ""
    section: str = ""
    level: int = 1

    def options(self, picked: Sequence[str | int] = ()) -> tuple[Offer, ...]:
        """Return every option, the illegal ones with their reasons.

        ``picked`` is what a list already contains.
        """
        if not isinstance(self.ask, Choose):
            return ()
        return tuple(self._judged(picked))

    def faults(self, answer: Answer) -> tuple[str, ...]:
        """Return why an answer is not allowed; empty when it is."""
        if isinstance(self.ask, Choose):
            return _choose_faults(self, self.ask, answer)
        if isinstance(self.ask, Roll):
            return _roll_faults(self, self.ask, answer)
        if isinstance(self.ask, Assign):
            return _assign_faults(self, answer)
        if isinstance(self.ask, Enter):
            return _enter_faults(self, answer)
        assert isinstance(self.ask, Write)
        return _write_faults(self.ask, answer)

    def canonical(self, answer: Answer) -> Answer:
        """Return the one spelling of an allowed answer, as documents keep it."""
        if isinstance(self.ask, Choose):
            if not self.ask.many:
                return self._id(answer)
            listed = [self._id(item) for item in answer]
            return sorted(listed) if self.ask.among and self.ask.among.faces else listed
        if isinstance(self.ask, Roll):
            rolls = rolled(answer)
            return rolls[0] if len(rolls) == 1 else rolls
        if isinstance(self.ask, Assign):
            return {name: answer[name] for name in self.targets()}
        return answer.strip() if isinstance(answer, str) else answer

    def free(self) -> int | None:
        """Return how much of the budget is free, if there is one."""
        budget = self.ask.budget if isinstance(self.ask, Choose) else None
        return None if budget is None else self.before.values(self.unit).evaluate(budget.within)

    def count(self) -> int | None:
        """Return how many a list may contain at most, if that is limited."""
        return self.ask.count if isinstance(self.ask, Choose) else None

    def spent(self, picked: Iterable[str | int]) -> int:
        """Return how much of the budget a list takes."""
        costs = {offer.id: offer.cost for offer in self._offers(self.before)}
        return sum(costs.get(item, 0) for item in picked)

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
        values = self.before.values(self.unit)
        plus, total = values.evaluate(self.ask.plus), sum(faces)
        shown = " + ".join(map(str, faces))
        note = f"{self.ask.dice} ({shown})"
        if plus or self.ask.plus.constant is None:
            note += f" + {self.ask.plus} ({plus}) = {total + plus}"
        total += plus
        for word, bound, pick in (
            ("minimum", self.ask.minimum, max),
            ("maximum", self.ask.maximum, min),
        ):
            if bound is not None:
                limit = values.evaluate(bound)
                if pick(total, limit) != total:
                    note += f", {word} {bound} ({limit})"
                total = pick(total, limit)
        return total, note

    def targets(self) -> tuple[str, ...]:
        """Return the value ids that an assignment fills."""
        assert isinstance(self.ask, Assign)
        names: list[str] = []
        for name in self.ask.to:
            names += self.before.ruleset.group(name[6:]) if name.startswith("group:") else [name]
        return tuple(names)

    def scores(self) -> tuple[int, ...]:
        """Return the scores that an assignment hands out, highest first."""
        assert isinstance(self.ask, Assign)
        scores = self.ask.scores
        if not isinstance(scores, Scores):
            return tuple(sorted(scores, reverse=True))
        left = Counter(rolled(self.before.answers[scores.roll])[-1])
        left.subtract(self.before.answers.get(scores.without, ()) if scores.without else ())
        made = (scores.table.get(face, face) for face in left.elements())
        return tuple(sorted(made, reverse=True))

    def bounds(self) -> tuple[int, int, int | None]:
        """Return lowest, highest and suggested figure of an entry."""
        assert isinstance(self.ask, Enter)
        values = self.before.values(self.unit)
        suggested = None if self.ask.default is None else values.evaluate(self.ask.default)
        return values.evaluate(self.ask.minimum), values.evaluate(self.ask.maximum), suggested

    def _id(self, answer: Answer) -> Answer:
        if not isinstance(answer, str):
            return answer
        entity = self.before.ruleset.entities.get(answer)
        if entity is not None and entity.alias_of:
            return entity.alias_of
        return answer.strip()

    def _judged(self, picked: Sequence[str | int]) -> Iterator[Offer]:
        assert isinstance(self.ask, Choose)
        state = self.before
        for item in picked:
            state = self.with_one(state, item)
        free = self.free()
        left = None if free is None else free - self.spent(picked)
        taken = Counter(picked)
        limits = Counter(offer.id for offer in self._offers(state))
        seen: set[str | int] = set()
        for offer in self._offers(state):
            if offer.id in seen:
                continue
            seen.add(offer.id)
            reasons = list(self._against(offer, state))
            if left is not None and self.ask.budget and offer.cost > left:
                reasons.append(f"needs {offer.cost} {self.ask.budget.label}, {left} free")
            if self.ask.many and offer.entity is None and taken[offer.id]:
                by_dice = self.ask.among is not None and self.ask.among.faces is not None
                if by_dice and taken[offer.id] >= limits[offer.id]:
                    reasons.append("no more dice show it")
                elif not by_dice and not self.ask.repeats:
                    reasons.append("chosen already")
            yield replace(offer, reasons=tuple(reasons))

    def _against(self, offer: Offer, state: State) -> Iterator[str]:
        """Yield every reason against one option."""
        if offer.option is not None:
            yield from unmet(offer.option.requires, Asker(state, self.unit))
        entity = offer.entity
        if entity is None:
            if self.holding and offer.id in self._elsewhere():
                yield "chosen already"
            return
        yield from unmet(entity.requires, Asker(state, self.unit, entity))
        if entity.repeatable:
            if entity.distinct and not _left(state, entity):
                yield "every choice of it is taken"
        elif state.ruleset.kinds[entity.kind].single and state.has(entity.id):
            yield "held already; only Repeatable ones can be had twice"

    def _elsewhere(self) -> set[str]:
        """Return what other holdings of the same entity took, where it must differ."""
        holding = self.before.holding(self.holding)
        if holding is None or holding.entity.distinct != self.ask.id:
            return set()
        return {
            str(self.before.answers.get(f"{other.id}.{self.ask.id}"))
            for other in self.before.holdings
            if other.entity.id == holding.entity.id and other.id != holding.id
        }

    def _offers(self, state: State) -> Iterator[Offer]:
        """Yield the options without judging them (faces: one for each die)."""
        assert isinstance(self.ask, Choose)
        ruleset, among, budget = state.ruleset, self.ask.among, self.ask.budget
        for option in self.ask.options:
            yield Offer(option.id, option.label, option.text, option=option)
        if among is None:
            return
        if among.query is not None:
            for entity in ruleset.select(among.query):
                group = ruleset.kinds[entity.kind].label
                cost = figure(entity, budget.cost) if budget else 0
                yield Offer(entity.id, entity.name, entity.text, group, entity=entity, cost=cost)
        for name in ruleset.group(among.values) if among.values else ():
            value = ruleset.values[name]
            yield Offer(name, f"{value.name} ({value.label})", value.text)
        for term in ruleset.head.terms.get(among.terms or "", ()):
            if not among.only or term.id in among.only:
                yield Offer(term.id, term.label, term.text)
        if among.faces is not None:
            for face in sorted(rolled(state.answers[among.faces])[-1]):
                yield Offer(face, str(face))

    def with_one(self, state: State, item: Answer) -> State:
        """Return the state after one item of a list is taken, without asking further."""
        entity = state.ruleset.entities.get(item) if isinstance(item, str) else None
        if entity is not None and self._entities:
            entity = state.ruleset.entities.get(entity.alias_of or "", entity)
            return gain(state, entity, self.path(entity), self.id, self.unit)
        option = next((o for o in getattr(self.ask, "options", ()) if o.id == item), None)
        if option is not None:
            taken = Chosen(self.unit, self.holding_entity or self.id, option)
            state = replace(state, chosen=(*state.chosen, taken), cache={})
            for grant in option.grants:
                state = give(state, grant, self.id, self.unit)
            return state
        return state

    def path(self, entity: Entity) -> str:
        """Return the instance id of what this decision gains.

        The decision's own id where that says it; with the kind's part
        where the question spans several kinds; with the slug in a list.
        """
        assert isinstance(self.ask, Choose)
        if self.ask.many:
            return f"{self.id}.{entity.slug}"
        query = self.ask.among.query if self.ask.among else None
        if query is not None and len(query.kind) != 1:
            return f"{self.id}.{self.before.ruleset.kinds[entity.kind].path or entity.kind}"
        return self.id

    @property
    def holding_entity(self) -> str:
        """The id of the entity whose choice this is."""
        holding = self.before.holding(self.holding)
        return holding.entity.id if holding else ""

    @property
    def _entities(self) -> bool:
        among = self.ask.among if isinstance(self.ask, Choose) else None
        return among is not None and among.query is not None

    def take(self, answer: Answer) -> State:
        """Return the state after an allowed, canonical answer, without asking further."""
        state = replace(self.before, answers={**self.before.answers, self.id: answer}, cache={})
        if isinstance(self.ask, Choose):
            for item in self._in_order(answer) if self.ask.many else [answer]:
                state = self.with_one(state, item)
            return state
        return replace(state, settled=(*state.settled, *self._settled(answer)), cache={})

    def _in_order(self, answer: Sequence[Answer]) -> list[Answer]:
        """Sort a list so that each item's prerequisites come before it."""
        waiting, ordered = list(answer), []
        state = self.before
        while waiting:
            legal = {offer.id for offer in replace(self, before=state).options() if offer.legal}
            item = next((item for item in waiting if item in legal), waiting[0])
            waiting.remove(item)
            ordered.append(item)
            state = self.with_one(state, item)
        return ordered if self._entities else list(answer)

    def _settled(self, answer: Answer) -> Iterator[Settled]:
        if isinstance(self.ask, Roll) and self.ask.to is not None:
            total, note = self.result(rolled(answer)[-1])
            yield Settled(self.unit, self.ask.to, "add", total, self.id, note)
        if isinstance(self.ask, Enter) and self.ask.to is not None:
            yield Settled(self.unit, self.ask.to, "add", answer, self.id)
        if isinstance(self.ask, Assign):
            for name in self.targets():
                yield Settled(self.unit, name, "set", answer[name], self.id)


def rolled(answer: Answer) -> list[list[int]]:
    """Return every set of faces of a roll's answer; the last one counts."""
    if isinstance(answer, Sequence) and answer and isinstance(answer[0], Sequence):
        return [list(faces) for faces in answer]
    return [list(answer)]


def _left(state: State, entity: Entity) -> bool:
    """Whether a choice that must differ still has an option untaken."""
    ask = next(choice for choice in entity.choices if choice.id == entity.distinct)
    offers = Decision(entity.id, ask, state).options()
    taken = {
        state.answers.get(f"{holding.id}.{ask.id}")
        for holding in state.holdings
        if holding.entity.id == entity.id
    }
    pending = sum(
        f"{holding.id}.{ask.id}" not in state.answers
        for holding in state.holdings
        if holding.entity.id == entity.id
    )
    return sum(offer.id not in taken for offer in offers) > pending


def _choose_faults(decision: Decision, ask: Choose, answer: Answer) -> tuple[str, ...]:
    if not ask.many:
        return tuple(_item_faults(decision, ask, answer, ()))
    if not isinstance(answer, Sequence) or isinstance(answer, str):
        return ("give a list",)
    if ask.count is not None and (
        len(answer) > ask.count or (len(answer) < ask.count and not ask.up_to)
    ):
        most = "at most " if ask.up_to else ""
        return (f"choose {most}{ask.count}, not {len(answer)}",)
    answer = [decision._id(item) for item in answer]
    reasons: list[str] = []
    picked: list[str | int] = []
    for item in decision._in_order(answer) if _plain(decision, answer) else answer:
        reasons.extend(_item_faults(decision, ask, item, picked))
        if not reasons:
            picked.append(item)
    return tuple(reasons)


def _plain(decision: Decision, answer: Sequence[Answer]) -> bool:
    """Whether every item is a known entity, so that their order can be found."""
    return all(
        isinstance(item, str) and item in decision.before.ruleset.entities for item in answer
    )


def _item_faults(
    decision: Decision, ask: Choose, item: Answer, picked: Sequence[str | int]
) -> Iterator[str]:
    item = decision._id(item)
    offers = {offer.id: offer for offer in decision.options(picked)}
    if isinstance(item, bool) or not isinstance(item, str | int):
        yield f"{item!r} is no option"
        return
    offer = offers.get(item)
    if offer is not None:
        yield from (f"{offer.label}: {reason}" for reason in offer.reasons)
        if ask.own_words and not ask.repeats and item in picked:
            yield f"{offer.label}: chosen already"
        return
    if ask.own_words and isinstance(item, str) and not _looks_like_id(decision, item):
        yield from _text_faults(item, 200, optional=False)
        return
    entity = decision.before.ruleset.entities.get(str(item))
    if entity is not None:
        yield f"{entity.name} is not among the options here"
        return
    near = nearest(str(item), [str(name) for name in offers])
    yield f"{item!r} is no option" + (f"; did you mean {near}?" if near else "")


def _looks_like_id(decision: Decision, item: str) -> bool:
    kind, slash, rest = item.partition("/")
    return bool(slash) and kind in decision.before.ruleset.kinds and " " not in rest


def _roll_faults(decision: Decision, ask: Roll, answer: Answer) -> tuple[str, ...]:
    if not isinstance(answer, Sequence) or isinstance(answer, str) or not answer:
        return (f"give the faces of {ask.dice} as a list",)
    rolls = rolled(answer) if not isinstance(answer[0], str) else [list(answer)]
    kinds = {isinstance(item, Sequence) and not isinstance(item, str) for item in answer}
    if len(kinds) != 1:
        return ("give one list of faces, or a list of such lists",)
    wanted = decision.dice()
    for faces in rolls:
        fault = wanted.fault(faces)
        if fault:
            return (fault,)
    for faces in rolls[:-1]:
        if not decision.again(faces):
            return (f"{faces} stands: it is not to be rolled again",)
    if decision.again(rolls[-1]):
        return (f"{rolls[-1]} must be rolled again; add the next roll to the list",)
    return ()


def _assign_faults(decision: Decision, answer: Answer) -> tuple[str, ...]:
    targets, scores = decision.targets(), decision.scores()
    if not isinstance(answer, dict):
        return ("give a map of " + ", ".join(targets),)
    reasons = []
    for name in answer:
        if name not in targets:
            near = nearest(str(name), targets)
            reasons.append(
                f"{name!r} gets no score here" + (f"; did you mean {near}?" if near else "")
            )
    missing = [name for name in targets if name not in answer]
    if missing:
        reasons.append("no score is given to " + ", ".join(missing))
    if reasons:
        return tuple(reasons)
    given = [answer[name] for name in targets]
    if any(isinstance(score, bool) or not isinstance(score, int) for score in given):
        return ("scores are whole numbers",)
    if sorted(given, reverse=True) != list(scores):
        have = ", ".join(map(str, sorted(given, reverse=True)))
        return (f"the scores to hand out are {', '.join(map(str, scores))}, not {have}",)
    return ()


def _enter_faults(decision: Decision, answer: Answer) -> tuple[str, ...]:
    low, high, _default = decision.bounds()
    if isinstance(answer, bool) or not isinstance(answer, int):
        return (f"give a whole number from {low} to {high}",)
    return () if low <= answer <= high else (f"{answer} is not from {low} to {high}",)


def _write_faults(ask: Write, answer: Answer) -> tuple[str, ...]:
    if not isinstance(answer, str):
        return ("give a text",)
    return tuple(_text_faults(answer, ask.longest, ask.optional))


def _text_faults(text: str, longest: int, optional: bool) -> Iterator[str]:
    if not text.strip() and not optional:
        yield "it is empty"
    if len(text) > longest:
        yield f"it has {len(text)} characters; at most {longest} fit"
    if unprintable(text):
        yield f"it holds {UNWANTED}"
