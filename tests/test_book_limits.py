"""The books' limits in play hold for random characters of all games.

What may be used how often stands here a second time, from the books; when a
count begins again is seen from outside, as moments pass and conditions begin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character import state_changes
from charforge.character.holdings import add_holding
from charforge.character.state import CHARACTER, State
from charforge.errors import CharforgeError
from charforge.expressions.dice import Dice
from charforge.odds import Case, Odds
from charforge.procedures import abilities, run, use
from charforge.procedures.abilities import Ability
from charforge.procedures.context import RunSettings
from charforge.procedures.inputs import items_of, values_of
from charforge.procedures.run import ProcedureResult
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.rules.loading.loader import load
from charforge.rules.models import ChooseStep, Input
from charforge.usecases.create import create_character
from tests.capital.test_reroll_limits import aim_of
from tests.odds.enumeration import Enumerated
from tests.samples import law

GAMES = ("capital", "squad-d20", "narrative-dice", "phase-2d10", "shields-biotics")
Counts = Callable[[ProcedureResult], bool]


@dataclass(frozen=True)
class Once:
    """What a book allows once: using any of ``entities``, until a moment or a new condition.

    ``counts`` says which uses the limit counts, ``key`` which of their abilities.
    """

    entities: tuple[str, ...]
    until: tuple[str, ...] = ()
    during: str = ""
    key: str = ""
    counts: Counts = lambda _result: True

    def limits(self, ability: Ability) -> bool:
        return ability.entity.id in self.entities and self.key in ("", ability.key)


def succeeded(result: ProcedureResult) -> bool:
    return any(step.text.startswith("You shift up to") for step in result.steps)


A_TURN = ("turn_start", "turn_end", "rest", "short_rest", "extended_rest", "combat_end")
A_ROUND = ("turn_start", "combat_end")
FOCUS = "effect/focus"
BOOK: Mapping[str, tuple[Once, ...]] = {
    "capital": (
        Once(("action/change-hands",), A_TURN),
        Once(("system/opportunist",), A_TURN),
        Once(("system/thats-an-order-i",), A_TURN),
        Once(("system/thats-an-order-ii",), A_TURN),
        Once(("system/bonk",), ("melee_attack",)),
        Once(("system/enthusiasm",), ("attack", "rest")),
        Once(("system/terrifying",), ("attack", "rest")),
        Once(("system/defensive-focus",), during=FOCUS),
        Once(("system/offensive-focus",), during=FOCUS),
        Once(("system/tactical-focus",), during=FOCUS),
        Once(("system/focus-ii",), during=FOCUS, key="Extra Action"),
        Once(("system/focus-ii",), ("full_rest",), key="Gain Focus",
             counts=lambda result: bool(result.inputs.get("free"))),
    ),
    "squad-d20": (
        Once(("action/aiming", "action/heavy-strikes", "action/bob-and-weave", "action/focusing"),
             A_ROUND),
        Once(("action/evading", "action/emergency-evading"), A_TURN, counts=succeeded),
        Once(("action/kill",), A_TURN),
        Once(("action/rally",), A_ROUND),
        Once(("squad-option/evasive-maneuvers",), A_ROUND, key="Maneuver"),
        Once(("squad-option/shake-it-off",), A_ROUND, key="Shake"),
    ),
    "narrative-dice": (
        Once(("power/steady",), A_TURN), Once(("action/second-maneuver",), A_TURN),
    ),
    "phase-2d10": (),
    "shields-biotics": (),
}  # fmt: skip
ALSO: Mapping[str, tuple[str, ...]] = {  # what random characters seldom have
    "capital": ("system/bonk", "system/opportunist", "system/defensive-focus",
                "system/offensive-focus", "system/focus-ii", "system/cautious"),
    "squad-d20": ("squad-option/evasive-maneuvers", "squad-option/shake-it-off"),
}  # fmt: skip
UNDER = {"squad-d20": ("effect/coordinate", "effect/evasive-maneuvers", "effect/shake-it-off")}
CHANGED = {  # so that there is something to spend, or to recover from
    "squad-d20": {"morale": 5},
    "narrative-dice": {"condition": 4, "opportunity": 3},
}


@cache
def character(game: str, seed: int) -> State:
    rules = load(game)
    level = 1 + seed % rules.head.advancement.maximum
    document = create_character(
        CharacterSpec(rules, str(seed), "Nix", level), RandomAnswers(str(seed))
    )
    state = replay_document(document, rules).character.state
    for number, name in enumerate(ALSO.get(game, ())):
        if not state.has(name):
            state = add_holding(state, rules.entity(name), f"more{number}", "x")
    for name, by in CHANGED.get(game, {}).items():
        state, _real = state_changes.change_resource(state, CHARACTER, name, by)
    for name in UNDER.get(game, ()):
        state = state_changes.add_condition(state, CHARACTER, rules.entity(name), 3, turns=20)
    return state


# ------------------------------------------------------------------ watching from outside


@dataclass
class Watch:
    """What happened to the units: uses since each limit began, Actions left in the turn."""

    used: Counter[tuple[str, int]] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    game: str = ""

    def passed(self, unit: str, moment: str) -> None:
        self._restart(unit, lambda once: moment in once.until)
        if moment in ("turn_start", "turn_end", "rest"):
            self.actions[unit] = 0

    def began(self, unit: str, condition: str, amount: int) -> None:
        self._restart(unit, lambda once: once.during == condition)
        if condition == "effect/actions-left":
            self.actions[unit] += amount

    def _restart(self, unit: str, ends: Callable[[Once], bool]) -> None:
        for number, once in enumerate(BOOK[self.game]):
            if ends(once):
                self.used[unit, number] = 0

    @contextmanager
    def watching(self) -> Iterator[None]:
        pass_moment, add_condition = state_changes.pass_moment, state_changes.add_condition

        def passing(state: State, unit: str, moment: str) -> Any:
            self.passed(unit, moment)
            return pass_moment(state, unit, moment)

        def adding(
            state: State, unit: str, entity: Any, amount: int = 1, *rest: Any, **more: Any
        ) -> State:
            self.began(unit, entity.id, amount)
            return add_condition(state, unit, entity, amount, *rest, **more)

        with (
            patch.object(state_changes, "pass_moment", passing),
            patch.object(state_changes, "add_condition", adding),
        ):
            yield


# ------------------------------------------------------------------ random play


class Player:
    """A player who rolls, chooses and sets inputs at random."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def roll(self, _name: str, dice: Dice, _label: str) -> list[int]:
        return [self.random.choice(dice.faces) for _die in range(dice.number)]

    def choose(self, _step: ChooseStep, low: int, high: int, *_more: Any) -> int:
        return self.random.randint(low, min(high, low + 3))

    def inputs(
        self, state: State, unit: str, inputs: tuple[Input, ...], known: Mapping[str, Any]
    ) -> dict[str, Any]:
        said = {}
        for one in inputs:
            if one.needed or self.random.random() < (0.03 if one.id in known else 0.3):
                value = self.value(state, unit, one)
                said |= {} if value is None else {one.id: value}
        return said

    def value(self, state: State, unit: str, one: Input) -> Any:
        if one.type in ("number", "flag"):
            return self.random.randint(0, 1 if one.type == "flag" else 24)
        if one.type in ("word", "value"):
            return self.random.choice(one.options or values_of(state.ruleset, one))
        if one.type == "item":
            items = [held.id for held in items_of(state, one, unit)]
            return self.random.choice(items) if items else None
        return {"amount": "1d6", "text": "somebody", "numbers": None}[one.type]


def rules_of_play(state: State) -> list[str]:
    play = state.ruleset.head.play
    return [name for name in (play.turn, play.turn_end, *play.rests.values()) if name]


def limited_first(state: State, unit: str, game: str) -> list[Ability]:
    """Return the abilities of a unit; attacks and those in the table above repeatedly."""
    everything = list(abilities.all_abilities(state, unit))
    limited = [a for a in everything if any(once.limits(a) for once in BOOK[game])]
    attacks = [a for a in everything if a.attack is not None]
    return [*everything, *limited * 2, *attacks * 2]


def price(state: State, ability: Ability, inputs: Mapping[str, Any]) -> dict[str, int]:
    """Return the least that a use costs: Cautious and vehicles outside combat are cheaper."""
    action = ability.action
    free = action is not None and action.free is not None
    if free and (
        inputs.get("free") or state.condition_amount(CHARACTER, "effect/focus-at-no-cost")
    ):
        return {}
    if state.unit(ability.unit).type.id == "vehicle":
        return {}
    cautious = (
        state.has("system/cautious")
        and state.condition_amount(ability.unit, "effect/overwatch") > 0
        and not state.times_used(ability.unit, "system/cautious")
    )
    costs = {n: c for n, c in ability.definition.cost.items() if isinstance(c, int)}
    return {n: c - (cautious and n == "energy" and c > 0) for n, c in costs.items()}


def left(state: State, ability: Ability, resource: str) -> int:
    for capacity in ability.entity.capacities:
        if capacity.id == resource and ability.holding is not None:
            return state_changes.capacity_left(state, ability.holding, capacity)
    return state.values(ability.unit).read(resource)


def judge(before: State, ability: Ability, result: ProcedureResult, watch: Watch) -> None:
    """Assert that the books allow a use that was accepted; count it."""
    what = (ability.name, ability.key)
    for resource, cost in price(before, ability, result.inputs).items():
        assert left(before, ability, resource) >= cost, what
    action, unit = ability.action, ability.unit
    assert (ability.source, ability.key) not in before.cooldowns, what
    if action is not None and action.cooldown and ability.holding is not None:
        assert (ability.source, ability.key) in result.state.cooldowns, what
    assert before.out_of_play(unit) is None or before.condition_amount(unit, "effect/final-action")
    for number, once in enumerate(BOOK[watch.game]):
        if not once.limits(ability):
            continue
        assert not once.during or before.condition_amount(unit, once.during), what
        if once.counts(result):
            watch.used[unit, number] += 1
            assert watch.used[unit, number] == 1, what


def judge_attack(before: State, ability: Ability, said: Mapping[str, Any]) -> None:
    """Assert that an attack of Capital takes no help that the character does not have."""
    acting = abilities.acting_unit(before, ability)
    supplied = abilities.supplied_inputs(before, ability)
    watching = [unit for unit in (acting, ability.unit)
                if before.condition_amount(unit, "effect/overwatch")]  # fmt: skip
    assert not said.get("overwatch") or watching, ability.name
    assert not said.get("trained") or supplied["trained"], ability.name
    hit = said.get("hit", supplied.get("hit"))
    power_play = any(before.has(f"system/power-play-{n}") for n in ("i", "ii"))
    assert (
        hit == supplied.get("hit")
        or (hit == "agi" and before.condition_amount(acting, FOCUS))
        or (hit == "wis" and power_play and said.get("overwatch"))
    ), ability.name


def judge_aim(before: State, ability: Ability, inputs: Mapping[str, Any]) -> None:
    """Assert that an attack of the character rerolls with no more Aim than there is."""
    if abilities.acting_unit(before, ability) == CHARACTER:
        aim = sum(number for name, number in inputs.items() if name.partition("#")[0] == "aim")
        weapon = abilities.supplied_inputs(before, ability).get("weapon_aim", 0)
        assert aim <= aim_of(before) + weapon + inputs.get("granted_aim", 0), ability.name


def judge_state(before: State, after: State) -> None:
    """Assert that no resource is below its minimum, and that C/D markers forbid more of them."""
    for unit in after.units:
        for name, computed in unit.type.values.items():
            least = computed.minimum
            if computed.resource and not computed.shared and least is not None:
                assert after.values(unit.id).unbounded(name) >= (least.constant or 0), name
    if after.ruleset.id == "shields-biotics":
        markers, more = (state.values().read("markers") for state in (before, after))
        assert more <= markers or markers == 0


@pytest.mark.parametrize("game", GAMES)
@law(30, few=6)
@given(seed=st.integers(0, 10**9))
def test_whatever_is_accepted_respects_the_book(game: str, seed: int) -> None:
    random = Random(seed)
    state, watch = character(game, random.randint(1, 6)), Watch(game=game)
    spends = {t.id: t for t in state.ruleset.head.timings if t.spends}
    for _deed in range(30):
        player, before = Player(random), state
        unit = random.choice([CHARACTER, CHARACTER, random.choice(state.units).id])
        with watch.watching():
            if random.random() < 0.2:
                procedure = state.ruleset.procedure(random.choice(rules_of_play(state)))
                try:
                    state = run.run_procedure(
                        state, procedure, {}, RunSettings(player.roll, player.choose), unit
                    ).state
                except CharforgeError:
                    continue
                continue
            usable = limited_first(state, unit, game)
            if not usable:
                continue
            ability = random.choice(usable)
            inputs, _steps = abilities.ability_inputs(state, ability)
            acting = abilities.acting_unit(state, ability)
            said = player.inputs(state, acting, inputs, abilities.supplied_inputs(state, ability))
            actions = watch.actions.copy()
            try:
                result = use.use_ability(
                    state, ability, said, RunSettings(player.roll, player.choose)
                )
            except CharforgeError:
                watch.actions = actions
                continue
        judge(before, ability, result, watch)
        judge_state(before, result.state)
        if ability.attack is not None and game == "capital":
            judge_attack(before, ability, said)
            judge_aim(before, ability, result.inputs)
        timing = "action" if ability.action is None else ability.action.timing
        payer = before.unit(unit).owner if before.unit(unit).type.id == "vehicle" else unit
        overwatch = ability.attack is not None and said.get("overwatch")
        counted = payer and before.condition_amount(payer, "effect/in-combat")
        if timing in spends and counted and not overwatch:
            assert payer is not None
            watch.actions[payer] -= 1
            assert watch.actions[payer] >= 0, ability.name
        state = result.state


# ------------------------------------------------------------------ odds

PLAIN: Mapping[str, Callable[[Random, State], tuple[str, dict[str, Any]]]] = {
    "squad-d20": lambda random, state: (
        "skill-check",
        {"attribute": random.choice(state.ruleset.group("skills")), "vs": random.randint(5, 25)},
    ),
    "narrative-dice": lambda random, state: ("saving-throw", {"setback": random.randint(0, 1)}),
    "phase-2d10": lambda random, state: (
        "action-roll",
        {"attribute": random.choice(state.ruleset.group("attributes")),
         "vs": random.randint(5, 25)},
    ),
    "shields-biotics": lambda random, state: (
        "trait-roll",
        {"sides": random.choice([4, 6, 8, 10, 12]), "vs": random.randint(2, 10)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("game", PLAIN)
@law(3, few=1)
@given(seed=st.integers(1, 12), number=st.integers(0, 1000))
def test_odds_without_helpers_are_plain_enumeration(game: str, seed: int, number: int) -> None:
    """Every output of a roll, as every fall of the dice in every order gives it.

    An attack of Capital: tests/capital/test_reroll_limits.py.
    """
    state = character(game, seed)
    name, inputs = PLAIN[game](Random(number), state)
    procedure, case = state.ruleset.procedure(name), Case(inputs)
    enumerated = Enumerated(state, procedure, inputs)
    every = enumerated.all()
    for at, outcome in enumerate(Odds(state, procedure, [case]).of(case)):
        if procedure.outputs[at].shown == "always":
            assert dict(outcome.chances.by_value) == enumerated.marginal(every, at)
