"""Effects of gaining an entity: holdings, units, grants, and removals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from charforge.character.holdings import add_grant, add_holding, remove_holding
from charforge.character.state import CHARACTER, State, Unit
from charforge.rules.models import Grant
from charforge.rules.ruleset import Ruleset

LegalKeeper = Callable[..., State]
BOAT = "treasure.boat"


@pytest.fixture
def nobody(toy: Ruleset) -> State:
    """A keeper who has decided nothing yet."""
    return State(toy, units=(Unit(CHARACTER, toy.units["keeper"], ""),))


def held(state: State) -> dict[str, str]:
    return {holding.id: holding.entity.id for holding in state.holdings}


def test_a_thing_is_held_at_the_path_of_its_gain(toy: Ruleset, nobody: State) -> None:
    state = add_holding(nobody, toy.entity("pet/cat"), "treasure.pet", "treasure")
    (cat,) = state.holdings
    assert (cat.id, cat.origin, cat.unit, cat.level, cat.quantity) == (
        "treasure.pet", "treasure", CHARACTER, 1, 1,
    )  # fmt: skip


def test_the_state_before_a_gain_is_untouched(toy: Ruleset, nobody: State) -> None:
    add_holding(nobody, toy.entity("pet/cat"), "a", "b")
    assert nobody.holdings == ()


def test_a_path_that_is_taken_gets_a_number(toy: Ruleset, nobody: State) -> None:
    state = nobody
    for _time in range(3):
        state = add_holding(state, toy.entity("gear/rope"), "locker.rope", "locker")
    assert list(held(state)) == ["locker.rope", "locker.rope#2", "locker.rope#3"]


def test_what_is_granted_lies_below_what_granted_it(legal_keeper: LegalKeeper) -> None:
    holdings = {h.id: h for h in legal_keeper().holdings}
    assert holdings["post.signals"].entity.id == "training/signals"
    assert holdings["post.signals"].origin == "post"


def test_a_grant_may_be_of_several(legal_keeper: LegalKeeper) -> None:
    state = legal_keeper()
    candles = [h for h in state.holdings if h.entity.id == "gear/candle"]
    assert [(h.origin, h.quantity) for h in candles] == [("kit", 6), ("keepsakes", 2)]
    assert state.number("gear/candle") == 8


def test_a_grant_may_depend_on_a_value(legal_keeper: LegalKeeper) -> None:
    assert not legal_keeper().has("gear/mittens")
    timid = {"knacks": {"hands": 6, "eyes": 4, "nerve": 6}}
    assert not legal_keeper(timid).has("gear/mittens")
    afraid = {
        "storm.roll": [1, 3, 5, 5, 8],
        "storm.drop": [1, 5],
        "knacks": {"hands": 6, "eyes": 4, "nerve": 3},
    }
    assert legal_keeper(afraid).has("gear/mittens")


def test_a_grant_may_settle_a_choice_in_advance(legal_keeper: LegalKeeper) -> None:
    state = legal_keeper()
    assert state.answers["kit.signal-lamp.colour"] == "red"


def test_what_one_unit_is_granted_stays_with_it(legal_keeper: LegalKeeper) -> None:
    state = legal_keeper()
    (rope,) = state.held(BOAT)
    assert (rope.entity.id, rope.quantity, rope.id) == ("gear/rope", 2, f"{BOAT}.rope")


def test_training_goes_to_the_character_whoever_is_granted_it(toy: Ruleset, nobody: State) -> None:
    afloat = add_holding(nobody, toy.entity("boat/skiff"), BOAT, "treasure")
    trained = add_grant(afloat, Grant(id="training/signals"), BOAT, BOAT)
    assert [h.unit for h in trained.holdings if h.entity.kind == "training"] == [CHARACTER]


def test_an_entity_of_a_unit_kind_becomes_a_unit(legal_keeper: LegalKeeper) -> None:
    state = legal_keeper()
    assert [unit.id for unit in state.units] == [CHARACTER, BOAT]
    boat = state.unit(BOAT)
    assert (boat.type.id, boat.name, boat.owner) == ("boat", "Dinghy", CHARACTER)


def test_units_of_one_entity_are_numbered_from_the_second_on(toy: Ruleset, nobody: State) -> None:
    state = nobody
    for name in ("Skiff", "Skiff 2", "Skiff 3"):
        state = add_holding(state, toy.entity("boat/skiff"), "treasure.boat", "treasure")
        assert state.units[-1].name == name


def test_nobody_is_granted_the_same_single_thing_twice(toy: Ruleset, nobody: State) -> None:
    state = nobody
    for origin in ("post", "kit"):
        state = add_grant(state, Grant(id="training/signals"), origin)
    assert list(held(state)) == ["post.signals"]


def test_a_repeatable_single_thing_is_granted_again(toy: Ruleset, nobody: State) -> None:
    state = nobody
    for origin in ("post", "kit"):
        state = add_grant(state, Grant(id="habit/steady-hand"), origin)
    assert list(held(state)) == ["post.steady-hand", "kit.steady-hand"]


def test_an_alias_is_granted_as_what_it_stands_for(toy: Ruleset, nobody: State) -> None:
    state = add_grant(nobody, Grant(id="gear/sou-wester"), "kit")
    assert held(state) == {"kit.oilskin": "gear/oilskin"}


def test_an_old_id_is_granted_as_the_new_one(toy: Ruleset, nobody: State) -> None:
    assert held(add_grant(nobody, Grant(id="gear/hawser"), "kit")) == {"kit.rope": "gear/rope"}


@pytest.mark.parametrize(("level", "given"), [(1, False), (2, False), (3, True), (4, True)])
def test_a_grant_may_wait_for_a_level(
    amended: Callable[..., Ruleset], level: int, given: bool
) -> None:
    rules = amended(cat={"grants": [{"id": "gear/rope", "level": 3}]})
    unit = Unit(CHARACTER, rules.units["keeper"], "")
    state = add_holding(State(rules, level, units=(unit,)), rules.entity("pet/cat"), "pet", "pet")
    assert state.has("gear/rope") is given


# ---------------------------------------------------------------------- what leaves


def test_what_is_replaced_leaves(legal_keeper: LegalKeeper) -> None:
    state = legal_keeper({"habits": ["habit/night-watch", "habit/night-watch-ii"]})
    assert [h.entity.id for h in state.holdings if h.entity.kind == "habit"] == [
        "habit/night-watch-ii"
    ]
    assert state.values().base("reach") == 9 + 3


def upgraded(rules: Ruleset, old: str, new: str, *paths: str) -> State:
    """Hold ``old`` at each path of a boat each, then take ``new`` for the first."""
    state = State(rules, units=(Unit(CHARACTER, rules.units["keeper"], ""),))
    for path in paths:
        state = add_holding(state, rules.entity("boat/skiff"), path, "treasure")
        state = add_holding(state, rules.entity(old), f"{path}.sail", "locker", path)
    return add_holding(state, rules.entity(new), f"{paths[0]}.new", "locker", paths[0])


def test_what_is_replaced_leaves_only_the_unit_that_replaces_it(
    amended: Callable[..., Ruleset],
) -> None:
    rules = amended(anchor={"replaces": "gear/rope"})
    state = upgraded(rules, "gear/rope", "gear/anchor", "one", "two")
    assert [h.entity.id for h in state.held("one")] == ["gear/anchor"]
    assert [h.entity.id for h in state.held("two")] == ["gear/rope"]


def test_a_replaced_unit_is_no_unit_any_more(amended: Callable[..., Ruleset]) -> None:
    rules = amended(skiff={"replaces": "boat/dinghy"})
    state = State(rules, units=(Unit(CHARACTER, rules.units["keeper"], ""),))
    state = add_holding(state, rules.entity("boat/dinghy"), "first", "treasure")
    state = add_holding(state, rules.entity("boat/skiff"), "second", "treasure")
    assert [unit.id for unit in state.units] == [CHARACTER, "second"]
    assert {holding.unit for holding in state.holdings} <= {unit.id for unit in state.units}


OPTION: dict[str, Any] = {
    "id": "how",
    "do": "choose",
    "label": "How?",
    "options": [{"id": "well", "label": "Well", "modifies": [{"value": "oil", "amount": 5}]}],
}


def test_what_an_option_of_a_replaced_thing_changed_is_undone(
    amended: Callable[..., Ruleset], legal_keeper: LegalKeeper
) -> None:
    rules = amended(
        night_watch={"choices": [OPTION]},
        boatman={"grants": ["training/signals", "gear/rope", "habit/night-watch"]},
    )
    first = {"post.night-watch.how": "well"}
    assert legal_keeper(first, rules=rules).values().base("oil") == 3 + 5
    then = {**first, "habits": ["habit/night-watch-ii"]}
    assert legal_keeper(then, rules=rules).values().base("oil") == 3


def test_what_dice_of_a_replaced_thing_gave_is_undone(
    amended: Callable[..., Ruleset], legal_keeper: LegalKeeper
) -> None:
    casks = {"id": "casks", "do": "roll", "label": "Casks?", "dice": "1d6", "to": "oil"}
    rules = amended(
        night_watch={"choices": [casks]},
        boatman={"grants": ["training/signals", "gear/rope", "habit/night-watch"]},
    )
    first = {"post.night-watch.casks": [5]}
    assert legal_keeper(first, rules=rules).values().base("oil") == 3 + 5
    then = {**first, "habits": ["habit/night-watch-ii"]}
    assert legal_keeper(then, rules=rules).values().base("oil") == 3


def test_what_leaves_takes_its_cooldowns_and_what_is_in_hand_and_no_other_s(
    toy: Ruleset, nobody: State
) -> None:
    state = add_holding(nobody, toy.entity("gear/rope"), "first", "kit")
    state = add_holding(state, toy.entity("gear/lantern"), "second", "kit")
    state = state.with_changes(
        cooldowns=(("first", "Pull"), ("second", "Shine"), ("first", "Knot")),
        in_hand={"first": 1, "second": 2},
    )
    gone = state.holding("first")
    assert gone is not None
    left = remove_holding(state, gone)
    assert left.cooldowns == (("second", "Shine"),)
    assert left.in_hand == {"second": 2}
    assert [holding.id for holding in left.holdings] == ["second"]


def test_what_one_unit_holds_changes_no_other(
    amended: Callable[..., Ruleset], legal_keeper: LegalKeeper
) -> None:
    rules = amended(rope={"modifies": [{"value": "oil", "amount": 5}]})
    state = legal_keeper(rules=rules)
    assert state.values().base("oil") == 3 + 5
    boat = state.units[1].id
    moved = tuple(
        held._replace(unit=boat) if held.entity.slug == "rope" else held for held in state.holdings
    )
    assert state.with_changes(holdings=moved).values().base("oil") == 3
