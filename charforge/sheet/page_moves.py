"""Moves on a page to play from: what an ability does for every roll of its dice.

The procedure of the ability is run once for every roll, number to choose and input, so that the
page knows the results without knowing any rule. The results are a tree: a node asks for dice or
for a number, and its branches lead to other nodes; equal ones are kept only once. The event that
a page records has the dice and inputs of one way through the tree, and ``import`` runs the
ability again with them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, islice, product, takewhile
from math import prod
from typing import Any, NamedTuple

from charforge.character import gear, holdings
from charforge.character.files.events import AbilityEvent
from charforge.character.state import CHARACTER, Holding, State
from charforge.errors import ProcedureError, RuleRefusal
from charforge.expressions.dice import Dice
from charforge.language import _
from charforge.procedures import abilities, costs, run
from charforge.procedures.context import AGAIN, StepMessage
from charforge.procedures.inputs import values_of
from charforge.rules.models import ChooseStep, Input
from charforge.sheet import values
from charforge.sheet.view import tracker_key

MOST_RUNS = 2000  # for one ability: up to a second
FEW = 12  # options of one input or choice
BESIDE = 2  # numbers on either side of a default without bounds
# The page itself tells the dice, and what changes from its own present numbers.
OWN_WORDS = ("roll", "override", "cost")

Differences = Callable[[State], dict[str, int]]  # by the key of a tracker


class MoveInput(NamedTuple):
    """An input that the page asks for: its options as pairs of value and label."""

    id: str
    label: str
    options: tuple[tuple[int | str, str], ...]
    default: int | str

    def given(self, value: int | str) -> dict[str, int | str]:
        """Return the input as an event records it: not at all if it is the default."""
        return {} if value == self.default else {self.id: value}


class PageMove(NamedTuple):
    """An ability to use on the page.

    ``key`` is on its button too; ``event`` has the fields of the event that records a use, without
    inputs and dice (None for one that changes nothing). ``data`` are the inputs, nodes and texts
    for the script.
    """

    key: str
    name: str
    event: dict[str, Any] | None
    data: dict[str, Any]

    @property
    def rolls(self) -> bool:
        """Whether it rolls dice."""
        return any("roll" in node for node in self.data["nodes"])

    @property
    def all_data(self) -> dict[str, Any]:
        """Everything that the script knows of it, for JSON."""
        return {"key": self.key, "name": self.name, "event": self.event, **self.data}


def page_moves(state: State, unit: str, differences: Differences) -> Iterator[PageMove]:
    """Yield the abilities of a unit that the page can use.

    Those are actions that run a procedure, and attacks that are not rolled. ``differences``
    returns how a state changes the trackers of the page.
    """
    for ability in abilities.all_abilities(state, unit):
        if _has_button(ability):
            move = _move(_ready(state, ability), ability, differences)
            if move is not None:
                yield move


def move_key(source: str, key: str) -> str:
    """Return the key of an ability's button."""
    return tracker_key(source, key, "use")


def _has_button(ability: abilities.Ability) -> bool:
    if ability.action is not None:
        return ability.action.procedure is not None
    return ability.attack is not None and ability.attack.hit is None


def _ready(state: State, ability: abilities.Ability) -> State:
    """Return the state with the weapon of an attack in hand: the player takes it to use it."""
    holding = ability.holding
    if ability.attack is None or holding is None or state.in_hand.get(holding.id):
        return state
    try:
        return gear.hold(state, holding)
    except RuleRefusal:
        return state.with_changes(in_hand={holding.id: 1})


def _move(state: State, ability: abilities.Ability, differences: Differences) -> PageMove | None:
    """Return an ability as a move; None if it cannot be used, or needs what no page can ask."""
    try:
        asked, _steps = abilities.ability_inputs(state, ability)
        inputs = tuple(_inputs(state, ability, asked))
    except (ProcedureError, RuleRefusal):
        return None
    if any(one.needed and one.id not in {known.id for known in inputs} for one in asked):
        return None
    while prod(len(one.options) for one in inputs) > MOST_RUNS // FEW:
        inputs = inputs[:-1]  # its default counts
    tree = _Tree(state, ability, differences)
    starts = {}
    budget = MOST_RUNS // prod((len(one.options) for one in inputs), start=1)
    for combination in product(*([value for value, _label in one.options] for one in inputs)):
        given: dict[str, int | str] = {}
        for one, value in zip(inputs, combination, strict=True):
            given |= one.given(value)
        starts[json.dumps(combination, separators=(",", ":"))] = tree.grow(given, (), budget)
    if not tree.is_useful:
        return None
    paid = differences(costs.state_after_cost(state, ability))
    data = {
        "inputs": [one._asdict() for one in inputs], "costs": paid,
        "cooldown": _cooldown_key(ability),
        "starts": starts, "nodes": tree.nodes, "texts": list(tree.texts),
    }  # fmt: skip
    if ability.action is not None or tree.changes_something:
        of_unit = {} if ability.unit == CHARACTER else {"unit": ability.unit}
        kind = AbilityEvent.model_fields["do"].default
        event = {"do": kind, "holding": ability.source, "ability": ability.key, **of_unit}
    else:
        event = None
    return PageMove(move_key(ability.source, ability.key), ability.name, event, data)


def _cooldown_key(ability: abilities.Ability) -> str:
    """Return the key of the tracker of an action's cooldown; empty without one."""
    cools = ability.action is not None and ability.action.cooldown and ability.holding is not None
    return tracker_key(ability.source, ability.key) if cools else ""


def _inputs(
    state: State, ability: abilities.Ability, asked: Sequence[Input]
) -> Iterator[MoveInput]:
    """Yield the inputs that the page asks for: those with a default and a few options."""
    unit, supplied = (
        abilities.acting_unit(state, ability),
        abilities.supplied_inputs(state, ability),
    )
    defaults = run.default_inputs(state, unit, tuple(asked), supplied)
    for one in asked:
        if one.id in supplied or one.id not in defaults:
            continue
        options = tuple(islice(_options(state, unit, one, defaults[one.id]), FEW + 1))
        if 1 < len(options) <= FEW:
            yield MoveInput(one.id, one.label, options, defaults[one.id])


def _options(
    state: State, unit: str, asked: Input, default: int | str
) -> Iterator[tuple[int | str, str]]:
    """Yield the values that an input can have, with their labels."""
    if asked.type == "word":
        yield from ((option, asked.word(option)) for option in asked.options)
    elif asked.type == "value":
        values = state.ruleset.values
        yield from ((name, values[name].title) for name in values_of(state.ruleset, asked))
    elif asked.type == "flag":
        yield from ((0, _("no")), (1, _("yes")))
    elif asked.type == "number":
        low, high = (
            None if bound is None else state.values(unit).evaluate_now(bound)
            for bound in (asked.minimum, asked.maximum)
        )
        low = int(default) - BESIDE if low is None else low
        high = int(default) + BESIDE if high is None else high
        yield from ((number, str(number)) for number in range(low, high + 1))


class _Roll(Exception):
    """The run needs dice that this way through the tree does not have yet."""

    def __init__(self, name: str, dice: Dice, label: str) -> None:
        self.name, self.dice, self.label = name, dice, label


class _Choice(Exception):
    """The run needs a number that this way through the tree does not have yet."""

    def __init__(
        self, step: ChooseStep, bounds: tuple[int, int, int], messages: Sequence[StepMessage]
    ) -> None:
        self.step, self.bounds, self.messages = step, bounds, messages


class _Script:
    """The dice and chosen numbers of one run, in their order.

    What comes after them is asked for by an exception; or else all dice show the face ``rest``
    picks, and numbers are as suggested.
    """

    def __init__(self, path: Sequence[Any], rest: Callable[[Sequence[int]], int] | None = None):
        self._left = list(path)
        self._rest = rest
        self._asked: Counter[str] = Counter()

    def roll(self, name: str, dice: Dice, label: str) -> list[int]:
        if not self._left and self._rest is not None:
            return [self._rest(dice.faces)] * dice.number
        if not self._left:
            raise _Roll(name, dice, label)
        return list(self._left.pop(0))

    def choose(
        self,
        step: ChooseStep,
        low: int,
        high: int,
        suggested: int,
        messages: Sequence[StepMessage] = (),
    ) -> int:
        self._asked[step.id] += 1
        if not self._left and self._rest is not None:
            return suggested
        if not self._left:
            raise _Choice(step, (low, high, suggested), messages)
        number: int = self._left.pop(0)
        return number

    def choice_name(self, step: ChooseStep) -> str:
        """Return the name of the choice that was just asked for, as events have it."""
        times = self._asked[step.id]
        return step.id if times == 1 else f"{step.id}{AGAIN}{times}"


@dataclass
class _Tree:
    """The nodes of a move, each with the messages and changes that are certain there."""

    state: State
    ability: abilities.Ability
    differences: Differences
    nodes: list[dict[str, Any]] = field(default_factory=list)
    texts: dict[str, int] = field(default_factory=dict)
    _known: dict[str, int] = field(default_factory=dict)

    @property
    def is_useful(self) -> bool:
        """Whether any way through it ends with a result."""
        return any("end" in node for node in self.nodes)

    @property
    def changes_something(self) -> bool:
        """Whether any result changes a tracker."""
        return any(node.get("changes") for node in self.nodes)

    def grow(self, inputs: Mapping[str, Any], path: tuple[Any, ...], budget: int) -> int:
        """Return the number of the node at the end of a path, after adding all below it."""
        script = _Script(path)
        try:
            result = self._run(inputs, script)
        except _Roll as wanted:
            return self._dice(wanted, inputs, path, budget)
        except _Choice as wanted:
            return self._number(wanted, script.choice_name(wanted.step), inputs, path, budget)
        except RuleRefusal as refusal:
            return self._node({"refused": self._text(str(refusal))})
        changes = self.differences(result.state)
        return self._node(
            {"end": self._said(result.steps)} | ({"changes": changes} if changes else {})
        )

    def _run(self, inputs: Mapping[str, Any], script: _Script) -> run.ProcedureResult:
        return abilities.use_ability(
            self.state, self.ability, inputs, script.roll, script.choose,
            permit=abilities.Permit(overridden=True),
        )  # fmt: skip

    def _certain(self, inputs: Mapping[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
        """Return the messages and changes at a roll that has too many results to follow.

        They are those that the lowest and the highest dice have in common.
        """
        try:
            low, high = (self._run(inputs, _Script(path, rest)) for rest in (min, max))
        except RuleRefusal:
            return {}
        pairs = zip(low.steps, high.steps, strict=False)
        steps = [one for one, _other in takewhile(lambda pair: pair[0] == pair[1], pairs)]
        changes, others = self.differences(low.state), self.differences(high.state)
        same = {key: by for key, by in changes.items() if others.get(key) == by}
        return {"said": self._said(steps)} | ({"changes": same} if same else {})

    def _dice(
        self, wanted: _Roll, inputs: Mapping[str, Any], path: tuple[Any, ...], budget: int
    ) -> int:
        """Return the node of a roll; without branches if there are too many."""
        dice = wanted.dice
        ways = list(
            islice(combinations_with_replacement(sorted(dice.faces), dice.number), budget + 1)
        )
        node: dict[str, Any] = {
            "roll": wanted.name, "label": wanted.label or wanted.name, "dice": dice.words,
            "number": dice.number, "faces": list(dice.faces),
        }  # fmt: skip
        if dice.shows:
            node["shows"] = list(dice.shows)
        if len(ways) <= budget:
            share = (budget - len(ways)) // len(ways)
            node["to"] = {
                " ".join(map(str, faces)): self.grow(inputs, (*path, faces), share)
                for faces in ways
            }
        else:
            node |= self._certain(inputs, path)
        return self._node(node)

    def _number(
        self,
        wanted: _Choice,
        name: str,
        inputs: Mapping[str, Any],
        path: tuple[Any, ...],
        budget: int,
    ) -> int:
        """Return the node of a number to choose; the suggested one, where there are too many."""
        low, high, suggested = wanted.bounds
        numbers = range(low, high + 1)
        if len(numbers) > min(budget, FEW):
            return self.grow(inputs, (*path, suggested), budget - 1)
        share = (budget - len(numbers)) // len(numbers)
        return self._node(
            {
                "choose": name,
                "label": wanted.step.label,
                "suggested": suggested,
                "said": self._said(wanted.messages),
                "to": {str(n): self.grow(inputs, (*path, n), share) for n in numbers},
            }
        )

    def _said(self, messages: Sequence[StepMessage]) -> list[int]:
        """Return the texts of messages, without those that the page says with its own numbers."""
        return [
            self._text(message.text)
            for message in messages
            if message.step not in OWN_WORDS and not message.has_figures
        ]

    def _text(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def _node(self, node: dict[str, Any]) -> int:
        key = json.dumps(node, sort_keys=True)
        if key not in self._known:
            self._known[key] = len(self.nodes)
            self.nodes.append(node)
        return self._known[key]


MOST_ITEMS = 8  # so many have 256 combinations

# The text of each value that differs, by its id, for each combination of worn items.
WornValues = Mapping[str, Mapping[str, str]]


def worn_key(holding: Holding) -> str:
    """Return the key of the tracker of an item that can be worn."""
    return tracker_key(holding.id, "worn")


def wearable(state: State, unit: str) -> Iterator[tuple[Holding, int]]:
    """Yield what a unit can wear, and how many pieces of it; pieces in hand cannot be worn."""
    for holding in state.holdings:
        pieces = holding.quantity - state.in_hand.get(holding.id, 0)
        if state.bearer(holding) == unit and pieces > 0 and holdings.wear_places(state, holding):
            yield holding, pieces


def limits(state: State, holding: Holding) -> tuple[tuple[str, int], ...]:
    """Return label and limit of each limited place of an item."""
    places = holdings.wear_places(state, holding)
    most = ((place.label, place.at_most) for place in places)
    values = state.values(holding.unit)
    return tuple((label, values.evaluate(limit)) for label, limit in most if limit is not None)


def worn_values(state: State) -> WornValues:
    """Return the values on the sheet for every combination of what the character can wear.

    The key of a combination are the keys of its trackers, sorted and joined. Empty if what is worn
    changes no value, or if there are too many combinations.
    """
    items = [holding for holding, pieces in wearable(state, CHARACTER) if pieces == 1]
    pieces = sum(state.worn.values())
    if not items or len(items) > MOST_ITEMS or pieces != sum(map(state.pieces_worn, items)):
        return {}
    found = {}
    for number in range(len(items) + 1):
        for chosen in combinations(items, number):
            trial = _wearing(state, chosen)
            if trial is not None:
                found["|".join(sorted(map(worn_key, chosen)))] = _texts(trial)
    first = next(iter(found.values()))
    different = {name for name in first if len({texts[name] for texts in found.values()}) > 1}
    return {
        key: {name: texts[name] for name in first if name in different}
        for key, texts in (found.items() if different else ())
    }


def _wearing(state: State, items: Iterable[Holding]) -> State | None:
    """Return the state with these items worn and no others; None if that is impossible."""
    state = state.with_changes(worn={})
    try:
        for holding in items:
            state = holdings.wear(state, holding)
    except RuleRefusal:
        return None
    return state


def _texts(state: State) -> dict[str, str]:
    """Return the figures and attributes of the character as the sheet prints them, by id."""
    numbers = state.values()
    texts = {score.id: score.printed(score.total) for score in values.attributes(numbers, ())}
    return texts | {fact.value: fact.text for fact in values.figures(numbers) if fact.value}
