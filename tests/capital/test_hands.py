"""What is in hand during combat: one change a turn, and daggers that are thrown."""

from __future__ import annotations

import pytest

from charforge.character.files.events import CarryEvent
from charforge.character.state import CHARACTER
from charforge.errors import AmbiguousName, RuleRefusal
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.verbs import inventory, lookup, play
from charforge.verbs.typed_inputs import TypedInputs


@pytest.fixture
def tank(make) -> LoadedCharacter:
    """An empty-handed Tank with a Simple Warhammer (Heavy 6), a Backpack and a Simple Dagger."""
    opened = make("the-tank").opened
    purchase = inventory.read_purchase(opened, "simple dagger", price=0)
    return inventory.stow_items(
        inventory.buy_item(opened, purchase).after, (), everything=True
    ).after


def hold(opened: LoadedCharacter, *names: str, **more) -> LoadedCharacter:
    return inventory.hold_items(opened, names, **more).after


def stow(opened: LoadedCharacter, *names: str, **more) -> LoadedCharacter:
    return inventory.stow_items(opened, names, **more).after


def turn(opened: LoadedCharacter, end: bool = False) -> LoadedCharacter:
    return play.start_or_end_turn(opened, end).after


def in_hand(opened: LoadedCharacter) -> tuple[str, ...]:
    again = load_document(opened.document, None, opened.ruleset)
    assert again.character.state == opened.character.state
    assert not again.problems
    return inventory.names_in_hand(again.character.state)


def test_a_new_character_holds_the_first_weapon_that_its_hands_can_hold(make):
    """A shield is not the first choice."""
    assert in_hand(make("the-tank").opened) == ("Simple Warhammer",)
    pistol = {"asset": "special-weapon/pistol", "asset.weapon.damage": "sharp"}
    assert in_hand(make("the-tank", 1, pistol).opened) == ("Pistol",)
    shield = {"asset": "special-weapon/shield", "asset.weapon.hands": "one-handed"}
    assert in_hand(make("the-tank", 1, shield).opened) == ("Simple Warhammer",)


def test_an_action_of_several_weapons_means_the_one_in_hand(make):
    scout = make("the-scout").opened
    scout = inventory.buy_item(scout, inventory.read_purchase(scout, "tesla rifle", price=0)).after
    state = scout.character.state
    assert lookup.find_ability(state, CHARACTER, "reload").name == "Precision Rifle: Reload"
    with pytest.raises(AmbiguousName, match="reload"):
        lookup.find_ability(stow(scout, "precision").character.state, CHARACTER, "reload")


def test_outside_combat_hands_are_changed_at_will(tank):
    for _time in range(3):
        tank = stow(hold(tank, "warhammer"), "warhammer")
    assert in_hand(tank) == ()


def test_items_put_away_and_taken_in_a_row_are_one_change(tank):
    fighting = turn(hold(tank, "warhammer"))
    changed = hold(hold(stow(fighting, "warhammer"), "dagger"), "backpack")
    assert in_hand(changed) == ("Simple Dagger", "Backpack")
    carried = [e for e in changed.document.log if isinstance(e, CarryEvent)]
    assert [(e.how, e.counted) for e in carried[-3:]] == [
        ("stow", True), ("hold", False), ("hold", False)
    ]  # fmt: skip


def test_a_heavy_item_is_not_put_away_for_each_move(tank):
    """Book: change what you hold once per turn; no second Move with a Heavy item in hand."""
    moved = play.use_named(stow(turn(hold(tank, "warhammer")), "warhammer"), "move").after
    with pytest.raises(RuleRefusal, match="change what you hold now: already used") as refused:
        hold(moved, "warhammer")
    assert "--granted" in refused.value.advice
    with pytest.raises(RuleRefusal, match="already used"):
        play.use_named(moved, "change hands")
    assert in_hand(hold(moved, "warhammer", granted=True)) == ("Simple Warhammer",)
    assert in_hand(hold(turn(turn(moved, end=True)), "warhammer")) == ("Simple Warhammer",)


def test_changing_hands_as_an_ability_is_the_same_change(tank):
    used = play.use_named(turn(hold(tank, "warhammer")), "change hands").after
    changed = hold(stow(used, "warhammer"), "dagger")
    assert in_hand(changed) == ("Simple Dagger",)
    moved = play.use_named(changed, "move").after
    with pytest.raises(RuleRefusal, match="already used"):
        stow(moved, "dagger")


def test_hands_are_not_changed_on_the_turns_of_others(tank):
    waiting = turn(turn(hold(tank, "warhammer")), end=True)
    for change in (lambda: stow(waiting, "warhammer"), lambda: hold(waiting, "dagger")):
        with pytest.raises(RuleRefusal, match="not your turn"):
            change()


def test_a_thrown_dagger_leaves_the_hand(tank):
    """Book: you must pick it up before using it again."""
    armed = turn(hold(tank, "dagger"))
    typed = TypedInputs({"opposed": "5"}, {"own": (3, 4)})
    done = play.use_named(armed, "dagger", "10m", typed=typed)
    assert done.steps[-1].text == "Simple Dagger has left your hand. Pick it up, then hold it."
    assert in_hand(done.after) == ()
    assert done.after.document.group == armed.document.group + 1  # one undo for both
    with pytest.raises(RuleRefusal, match="not in hand"):
        play.use_named(done.after, "dagger", "10m", typed=typed)
    assert in_hand(hold(done.after, "dagger")) == ("Simple Dagger",)


def test_a_dagger_that_stabs_stays_in_hand(tank):
    typed = TypedInputs({"opposed": "5"}, {"own": (3, 4)})
    assert in_hand(play.use_named(hold(tank, "dagger"), "dagger", "Melee", typed=typed).after) == (
        "Simple Dagger",
    )
