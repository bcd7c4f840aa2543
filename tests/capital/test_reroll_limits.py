"""Aim, Block, Dodge and Prepare of random characters keep the book's limits.

The book's limits stand here a second time, by the names of Systems and
weapons; nothing is read from the figures that the rules calculate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import pytest
from hypothesis import assume, given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character import state_changes
from charforge.character.holdings import Gain, add_holding
from charforge.character.state import Holding, State
from charforge.character.state_changes import limit_of_entity
from charforge.character.state_data import ChosenOption
from charforge.errors import CharforgeError
from charforge.expressions.dice import Dice
from charforge.odds import Case, Odds
from charforge.procedures import abilities, run, use
from charforge.procedures.context import RunSettings
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.rules.loading.loader import load
from charforge.usecases.create import create_character
from tests.odds.enumeration import Enumerated
from tests.samples import few, law

SYSTEMS = (
    "try-that-again-ii", "patience", "high-alert", "cautious", "sanctuary", "damage-resist",
    "defensive-focus",
)  # fmt: skip
MELEE_BLOCK = {  # Block 1 against Melee Attacks, with Training
    "equipment/simple-baton-shortsword", "equipment/simple-club-longsword",
    "equipment/simple-dagger", "equipment/simple-greatsword", "equipment/simple-spear",
    "equipment/simple-warhammer", "special-weapon/light-melee", "special-weapon/two-handed-melee",
    "special-weapon/spear", "special-weapon/greatsword", "special-weapon/warhammer",
}  # fmt: skip
BLOCK = {"equipment/primitive-buckler": 1, "equipment/primitive-shield": 2}
SHIELD = "special-weapon/shield"
ARMS = (*MELEE_BLOCK, *BLOCK, SHIELD, "equipment/standard-pistol")
ATTRIBUTES = ("str", "agi", "vsn", "wis")
TYPES = ("blunt", "sharp", "true", "heat", "cold", "electric", "toxic")


class _Dice:
    """Any faces; it counts how often each roll is made."""

    def __init__(self) -> None:
        self.rolled: dict[str, int] = {}

    def __call__(self, name: str, dice: Dice, _label: str) -> list[int]:
        self.rolled[name] = self.rolled.get(name, 0) + 1
        return [2, 3][: dice.number] + [3] * (dice.number - 2)


@cache
def character(seed: int) -> State:
    capital = load("capital")
    plan = CharacterSpec(capital, str(seed), "Nix", 1 + seed % 10)
    return replay_document(
        create_character(plan, RandomAnswers(str(seed))), capital
    ).character.state


@st.composite
def scenes(draw: st.DrawFn) -> State:
    """A random character with Systems, a weapon in hand, effects and some Energy."""
    state = character(draw(st.integers(1, 12)))
    entity = state.ruleset.entity
    for number, name in enumerate(
        draw(st.lists(st.sampled_from(SYSTEMS), max_size=3, unique=True))
    ):
        if not state.has(f"system/{name}"):
            answers = {"damage": draw(st.sampled_from(TYPES))} if name == "damage-resist" else {}
            gain = Gain(answers=answers)
            state = add_holding(state, entity(f"system/{name}"), f"more{number}", "x", gain=gain)
    for number, name in enumerate(draw(st.lists(st.sampled_from(ARMS), max_size=2))):
        known = {"hands": draw(st.sampled_from(["one-handed", "two-handed"]))}
        path = f"arm{number}"
        gain = Gain(answers=known if name == SHIELD else {})
        state = add_holding(state, entity(name), path, "x", gain=gain)
        if name == SHIELD:
            state = _with_hands(state, path, known["hands"])
        if draw(st.booleans()):
            state = state.with_changes(in_hand={**state.in_hand, path: 1})
    for name in ("overwatch", "sanctuary", "focus"):
        if draw(st.booleans()):
            state = state_changes.add_condition(state, "character", entity(f"effect/{name}"))
    if draw(st.booleans()):
        state = limit_of_entity(state, "character", "system/cautious").count(state)
    if draw(st.booleans()):
        about = draw(st.sampled_from(ATTRIBUTES))
        state = state_changes.add_condition(
            state, "character", entity("effect/prepared"), about=about
        )
    spent = draw(st.integers(0, 12))
    return state_changes.change_resource(state, "character", "energy", -spent)[0]


def _with_hands(state: State, path: str, hands: str) -> State:
    """Return the state with the option that a Special Shield was chosen with."""
    choice = next(ask for ask in state.ruleset.entity(SHIELD).choices if ask.id == "hands")
    option = next(one for one in choice.options if one.id == hands)
    chosen = ChosenOption("character", path, option, f"{path}.hands", path)
    return state.with_changes(chosen_options=(*state.chosen_options, chosen))


# ------------------------------------------------------------------ the book, once more


def under(state: State, effect: str) -> bool:
    return state.condition_amount("character", f"effect/{effect}") > 0


def discount(state: State) -> int:
    """Cautious: 1 Energy less, once during an Overwatch."""
    overwatch = under(state, "overwatch") and not state.times_used("character", "system/cautious")
    return int(state.has("system/cautious") and overwatch)


def aim_of(state: State) -> int:
    first, second = (state.has(f"system/try-that-again-{n}") for n in ("i", "ii"))
    patience = state.has("system/patience") and under(state, "overwatch")
    return first + 2 * second + patience


def in_hand(state: State) -> Iterator[Holding]:
    for held in state.holdings:
        attached = held.id.startswith("asset.augmentation.")
        if held.unit == "character" and (state.in_hand.get(held.id) or attached):
            yield held


def blocks_of(state: State, melee: bool) -> tuple[int, int]:
    """Return the uses of Block, and how many of them reroll twice."""
    block = double = 0
    for held in in_hand(state):
        name = held.entity.id
        block += BLOCK.get(name, 0)
        if name in MELEE_BLOCK and melee:
            block += state.trained(held.entity, held.id)
        if name == SHIELD:
            two = any(c.option.id == "two-handed" for c in state.chosen_options
                      if c.holding == held.id)  # fmt: skip
            block, double = block + 1 + two, double + 1 + two
    return block, double


def dodges_of(state: State, sort: str | None) -> tuple[int, int]:
    """Return the uses of Dodge, and how many of them are free."""
    free = 3 * under(state, "sanctuary")
    for held in state.holdings:
        if held.entity.id == "system/damage-resist":
            free += state.answers.get(f"{held.id}.damage") == sort
    alert = state.has("system/high-alert") and under(state, "overwatch")
    return free + alert, free


def prepared(state: State, attribute: str) -> bool:
    return any(
        condition.entity.id == "effect/prepared" and condition.about == attribute
        for condition in state.active_conditions("character")
    )


# ------------------------------------------------------------------ the rules


def roll(
    state: State, procedure: str, inputs: Mapping[str, int | str]
) -> tuple[State, _Dice] | None:
    """Run a procedure; None if it is refused."""
    dice = _Dice()
    try:
        done = run.run_procedure(
            state, state.ruleset.procedure(procedure), inputs, RunSettings(dice)
        )
    except CharforgeError:
        return None
    return done.state, dice


def energy(state: State) -> int:
    return state.values().total("energy")


@law(100, few=20)
@given(
    scenes(), st.integers(-1, 1), st.integers(0, 2), st.booleans(), st.sampled_from(ATTRIBUTES)
)  # fmt: skip
def test_aim_and_prepare_of_attacks(
    state: State, beyond: int, granted: int, prepare: bool, hit: str
) -> None:
    limit = aim_of(state) + granted
    aim = max(limit + beyond, 0)
    price = max(aim - discount(state), 0)
    allowed = aim <= limit and price <= energy(state) and (not prepare or prepared(state, hit))
    inputs = {"hit": hit, "opposed": 2, "aim": aim, "granted_aim": granted, "prepare": prepare}
    done = roll(state, "attack", {name: int(v) if isinstance(v, bool) else v
                                  for name, v in inputs.items()})  # fmt: skip
    assert (done is not None) == allowed
    if done is not None:
        after, dice = done
        assert dice.rolled["own"] == 1 + prepare + aim
        assert energy(after) == energy(state) - price
        assert not (prepare and prepared(after, hit))


@law(150, few=30)
@given(
    scenes(), st.integers(-1, 1), st.integers(0, 2), st.integers(0, 1), st.booleans(),
    st.sampled_from([None, *TYPES]), st.sampled_from(ATTRIBUTES), st.booleans(),
)  # fmt: skip
def test_block_and_dodge_of_defenses(
    state: State, beyond: int, granted: int, ally: int, melee: bool, sort: str | None,
    attribute: str, prepare: bool,
) -> None:  # fmt: skip
    blocks, double = blocks_of(state, melee)
    dodges, free = dodges_of(state, sort)
    free += ally
    limit = blocks + granted + dodges + ally
    block = max(limit + beyond, 0)
    paid = max(block - free, 0)
    price = max(paid - discount(state), 0)
    allowed = block <= limit and price <= energy(state)
    allowed = allowed and (not prepare or prepared(state, attribute))
    inputs: dict[str, int | str] = {
        "attribute": attribute, "opposed": 2, "block": block, "granted_block": granted,
        "ally_dodge": ally, "melee": int(melee), "prepare": int(prepare),
    }  # fmt: skip
    done = roll(state, "defend", inputs | ({} if sort is None else {"type": sort}))
    assert (done is not None) == allowed
    if done is not None:
        after, dice = done
        assert dice.rolled["own"] == 1 + prepare + block + min(paid, double)
        assert energy(after) == energy(state) - price


@law()
@given(scenes(), st.integers(-1, 1), st.integers(0, 20))
def test_use_has_the_same_limits(state: State, beyond: int, which: int) -> None:
    """Whatever weapon is used, ``use`` takes the Aim of the one who uses it."""
    attacks = [
        one for one in abilities.all_abilities(state) if one.attack is not None
        if not any(use.reasons_against(state, one))
    ]  # fmt: skip
    assume(attacks)
    ability = attacks[which % len(attacks)]
    dice, aim = _Dice(), max(aim_of(state) + beyond, 0)
    allowed = aim <= aim_of(state) and max(aim - discount(state), 0) <= energy(state)
    try:
        use.use_ability(state, ability, {"opposed": 2, "aim": aim}, RunSettings(dice))
    except CharforgeError:
        assert not allowed
    else:
        assert allowed
        assert dice.rolled["own"] == 1 + aim


# ------------------------------------------------------------------ odds


def plain(score: int, against: int, rerolls: int) -> float:
    """Return the chance of 2d6 + score against 2d6 + against, with rerolls of the lowest die."""
    faces = range(1, 7)
    differences = {}
    for theirs in ((a, b) for a in faces for b in faces):
        differences[sum(theirs)] = differences.get(sum(theirs), 0) + 1

    def wins(total: int) -> float:
        ways = sum(often for sum_, often in differences.items() if total + score >= sum_ + against)
        return ways / 36

    @cache
    def best(low: int, high: int, left: int) -> float:
        stop = wins(low + high)
        if not left:
            return stop
        again = sum(best(*sorted((face, high)), left - 1) for face in faces) / 6
        return max(stop, again)

    pairs = (sorted((a, b)) for a in faces for b in faces)
    return sum(best(low, high, rerolls) for low, high in pairs) / 36


@pytest.mark.parametrize("vs", few([6, 3, 9], 1))
@pytest.mark.parametrize(
    ("role", "more", "rerolls"),
    few(
        [
            pytest.param("the-lancer", (), 1),
            pytest.param("the-healer", (), 0),
            pytest.param("the-healer", ("system/try-that-again-ii", "system/patience"), 3),
            pytest.param("the-lancer", ("system/try-that-again-ii",), 2),
        ],
        2,
    ),
)
def test_odds_of_an_attack_are_those_of_the_aim_that_there_is(
    make, role: str, more: Sequence[str], rerolls: int, vs: int
) -> None:
    """Aim is played best: each reroll is decided once the one before it has fallen."""
    state = make(role).state
    for number, name in enumerate(more):
        state = add_holding(state, state.ruleset.entity(name), f"more{number}", "x")
    if rerolls == 3:
        overwatch = state.ruleset.entity("effect/overwatch")
        state = state_changes.add_condition(state, "character", overwatch)
    case = Case({"hit": "vsn", "vs": vs, "damage": "1"})
    odds = Odds(state, state.ruleset.procedure("attack"), [case], best="hits")
    hits = next(one for one in odds.of(case) if one.id == "hits")
    wanted = plain(state.values().total("vsn"), vs, rerolls)
    assert float(hits.chances.mean) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    ("role", "inputs", "percent"),
    [
        ("the-healer", {"fixed": 1, "vs": 3}, 33.56),  # no Aim: 435 of 1296
        ("the-lancer", {"hit": "vsn", "trained": 1, "vs": 7}, 86.64),  # VSN 7 + 2, Aim 1
    ],
)
def test_odds_worked_by_hand(make, role: str, inputs: Mapping[str, int], percent: float) -> None:
    state = make(role).state
    case = Case({**inputs, "damage": "1"})
    odds = Odds(state, state.ruleset.procedure("attack"), [case], best="hits")
    hits = next(one for one in odds.of(case) if one.id == "hits")
    assert round(float(hits.chances.mean) * 100, 2) == percent


@pytest.mark.slow
def test_odds_with_prepare_reroll_both_dice_where_that_is_better(make) -> None:
    """After the roll: whoever has Prepared rerolls what would hit less often than new dice."""
    state = make("the-healer").state
    prepare = state.ruleset.entity("effect/prepared")
    state = state_changes.add_condition(state, "character", prepare, about="vsn")
    score = state.values().total("vsn")
    faces = range(1, 7)
    sums = [a + b for a in faces for b in faces]

    def wins(total: int) -> float:
        return sum(total + score >= theirs + 8 for theirs in sums) / 36

    anew = sum(map(wins, sums)) / 36
    wanted = sum(max(wins(total), anew) for total in sums) / 36
    case = Case({"hit": "vsn", "vs": 8, "damage": "1"})
    odds = Odds(state, state.ruleset.procedure("attack"), [case], best="hits")
    hits = next(one for one in odds.of(case) if one.id == "hits")
    assert float(hits.chances.mean) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.slow
def test_odds_without_helpers_are_plain_enumeration(make) -> None:
    """Every output of an unarmed attack, as every fall of the dice in every order gives it."""
    state = make("the-healer").state
    inputs = {"hit": "str", "vs": 5, "damage": "2", "melee": 1}
    procedure = state.ruleset.procedure("attack")
    case = Case(inputs)
    found = Odds(state, procedure, [case]).of(case)
    enumerated = Enumerated(state, procedure, inputs)
    every = enumerated.all()
    for at, outcome in enumerate(found):
        if procedure.outputs[at].shown == "always":
            assert dict(outcome.chances.by_value) == enumerated.marginal(every, at)


def test_only_rerolls_that_somebody_has_are_listed(make) -> None:
    """``show --json``, sheets and the summary of a file leave out Aim 0; it can be explained."""
    for role, aim in (("the-healer", 0), ("the-lancer", 1)):
        values = make(role).state.values()
        assert ("aim" in values.shown_ids()) == bool(aim)
        assert values.explain("aim").total == aim
        assert "grit" in values.shown_ids()  # 0, and always listed
