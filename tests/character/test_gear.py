"""Owned and held items: prices, money, quantities, hands.

A dockhand has two hands; a long thing takes both. ARM is 5.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from charforge.character import gear, holdings, state_changes
from charforge.character.files.events import AcquireEvent
from charforge.character.state import Holding, State
from charforge.errors import RuleRefusal, UsageError
from charforge.replay.loaded_character import LoadedCharacter
from charforge.verbs.change import change_character, draft_event

Dockhand = Callable[..., LoadedCharacter]


@pytest.fixture
def owning(dockhand: Dockhand) -> Callable[..., State]:
    """The state of a dockhand who acquired things, by slug: ``flask``, ``flask:3``."""

    def build(*things: str, opened: LoadedCharacter | None = None) -> State:
        made = opened or dockhand()
        for thing in things:
            slug, _, number = thing.partition(":")
            answers = {f"event.{len(made.document.log) + 1}.glass": "long"}
            given = draft_event(AcquireEvent, entity=f"gear/{slug}", quantity=int(number or 1))
            made = change_character(made, given, answers=answers if slug == "lantern" else None)
        return made.character.state

    return build


def held(state: State, slug: str) -> Holding:
    return next(h for h in state.holdings if h.entity.slug == slug)


# --------------------------------------------------------------------------- money


def test_money_is_a_resource_of_the_character(dockhand, harbour):
    state = dockhand().character.state
    assert gear.money(state) == 20
    assert gear.money(state_changes.change_money(state, -25)) == -5  # whoever sells must look first
    assert gear.money(state_changes.change_money(state, 4)) == 24
    assert state_changes.change_money(state, 0) == state


def test_a_game_without_money_cannot_be_paid(toy, keeper):
    state = keeper().state
    assert gear.money(state) is None
    assert state_changes.change_money(state, 0) == state
    with pytest.raises(UsageError, match="The Long Light has no money"):
        state_changes.change_money(state, -1)


def test_a_price_is_the_things_own_or_that_of_what_was_chosen_for_it(owning, harbour):
    state = owning("hook", "lantern")
    assert gear.price(state, harbour.entity("gear/hook")) == 4
    lantern = held(state, "lantern")
    assert gear.price(state, lantern.entity, lantern.id) == 5  # the long glass
    assert gear.price(state, lantern.entity) is None  # not chosen yet
    assert gear.price(state, harbour.entity("gear/anvil")) is None


def test_owned_are_the_kinds_that_are_gear(owning, dockhand):
    state = owning("hook", opened=dockhand(knacks=["knack/strong-back"]))
    assert [h.entity.id for h in gear.owned_gear(state)] == ["gear/hook"]
    assert list(gear.owned_gear(state, "somebody")) == []


# --------------------------------------------------------------------------- parting


def test_some_pieces_go_and_what_they_carried_with_them(owning):
    """Three flasks of 2 sips, 1 drunk: 5 of 6. Two flasks hold 4 at most, one 2."""
    state = owning("flask:3")
    flask = held(state, "flask")
    sips = flask.entity.capacities[0]
    state, _real = state_changes.change_capacity(state, flask, sips, -5)
    state = holdings.remove_pieces(state, flask, 1)
    assert held(state, "flask").quantity == 2
    assert (
        state_changes.capacity_left(state, held(state, "flask"), sips) == 0
    )  # 4 less 5 would be less than none
    state = holdings.remove_pieces(state, held(state, "flask"), 2)
    assert all(h.entity.slug != "flask" for h in state.holdings)


def test_pieces_in_hand_go_last(owning):
    state = owning("hook:3")
    for _time in range(2):
        state = gear.hold(state, held(state, "hook"))
    state = holdings.remove_pieces(state, held(state, "hook"), 1)
    assert state.in_hand == {held(state, "hook").id: 2}
    state = holdings.remove_pieces(state, held(state, "hook"), 1)
    assert state.in_hand == {held(state, "hook").id: 1}
    assert holdings.remove_pieces(state, held(state, "hook"), 1).in_hand == {}


def test_no_more_pieces_go_than_there_are(owning):
    state = owning("flask:2")
    with pytest.raises(RuleRefusal, match="you have 2 Flask, not 3"):
        holdings.remove_pieces(state, held(state, "flask"), 3)


# --------------------------------------------------------------------------- hands


def test_hands_hold_two_short_things_or_one_long_one(owning):
    state = owning("hook:3", "crossbow")
    assert (gear.hand_count(state), gear.free_hands(state)) == (2, 2)
    one = gear.hold(state, held(state, "hook"))
    assert gear.free_hands(one) == 1
    assert list(gear.reasons_not_to_hold(one, held(state, "crossbow"))) == [
        "Crossbow needs 2 hands; you have 1 free"
    ]
    two = gear.hold(one, held(state, "hook"))
    with pytest.raises(RuleRefusal, match="Hook needs 1 hand; you have 0 free"):
        gear.hold(two, held(state, "hook"))
    long = gear.hold(state, held(state, "crossbow"))
    assert gear.free_hands(long) == 0


def test_a_choice_may_make_a_thing_long(owning):
    state = owning("lantern")
    assert gear.hands_needed(state, held(state, "lantern")) == 2


def test_the_id_of_a_chosen_option_is_a_flag_with_an_underscore(dockhand, refitted):
    """A lantern with a two-handed glass is ``two_handed``."""
    rules = refitted(
        ("ruleset.yaml", "takes: 1 + long", "takes: 1 + two_handed"),
        ("ruleset.yaml", "      long: {", "      two_handed: {"),
        ("things.yaml", "    long: true\n", "    two_handed: true\n"),
        ("things.yaml", "{id: long, label: Long, price: 5}", "{id: two-handed, label: Long}"),
    )
    opened = dockhand(rules=rules)
    name = f"event.{len(opened.document.log) + 1}.glass"
    for glass, hands in (("two-handed", 2), ("clear", 1)):
        lantern = draft_event(AcquireEvent, entity="gear/lantern")
        state = change_character(opened, lantern, answers={name: glass}).character.state
        assert gear.hands_needed(state, held(state, "lantern")) == hands


def test_a_piece_is_held_only_once_and_only_what_is_gear(owning, dockhand):
    state = owning("hook", opened=dockhand(knacks=["knack/sharp-eye"], scores={"arm": 2, "wit": 4}))
    one = gear.hold(state, held(state, "hook"))
    assert list(gear.reasons_not_to_hold(one, held(state, "hook"))) == [
        "you are already holding Hook"
    ]
    assert list(gear.reasons_not_to_hold(state, held(state, "sharp-eye"))) == [
        "Sharp Eye cannot be held"
    ]


def test_stowing_is_the_way_back(owning):
    state = owning("hook:2")
    hook = held(state, "hook")
    assert gear.stow(gear.hold(state, hook), hook) == state
    twice = gear.hold(gear.hold(state, hook), hook)
    assert gear.stow(twice, hook).in_hand == {hook.id: 1}
    with pytest.raises(RuleRefusal, match="you are not holding Hook"):
        gear.stow(state, hook)


def test_what_hangs_on_the_body_takes_no_hand(owning, dockhand):
    state = owning("hook", opened=dockhand(knacks=["knack/hook-hand"]))
    grown, carried = [h for h in gear.owned_gear(state) if h.entity.slug == "hook"]
    assert (state.is_attached(grown), state.is_attached(carried)) == (True, False)
    assert (gear.hands_needed(state, grown), gear.hands_needed(state, carried)) == (0, 1)
    assert list(gear.reasons_not_to_hold(state, grown)) == [
        "Hook is attached to your body and needs no hand"
    ]


# --------------------------------------------------------------------------- weight


def test_what_is_too_heavy_is_lifted_by_the_procedure_that_the_ruleset_names(owning):
    """ARM 5 against an anvil of 7; a crate of 6 is light for the trained."""
    state = owning("anvil", "crate", "hook")
    lifting = state.ruleset.head.gear.lifting
    assert gear.too_heavy(state, held(state, "anvil")) == (lifting, 7)
    assert gear.too_heavy(state, held(state, "crate")) == (lifting, 6)
    assert gear.too_heavy(state, held(state, "hook")) is None


def test_training_or_strength_makes_it_light(owning, dockhand):
    trained = change_character(dockhand(), draft_event(AcquireEvent, entity="training/crossbows"))
    state = owning("crate", "anvil", opened=trained)
    assert gear.too_heavy(state, held(state, "crate")) is None
    assert gear.too_heavy(state, held(state, "anvil")) is not None
    strong = owning("crate", opened=dockhand(knacks=["knack/strong-back"]))
    assert strong.values().total("arm") == 6
    assert gear.too_heavy(strong, held(strong, "crate")) is None


def test_hands_are_free_that_hold_nothing_of_any_item(owning):
    state = owning("hook", "flask:3")
    assert gear.free_hands(state) == 2
    one = gear.hold(state, held(state, "hook"))
    assert gear.free_hands(one) == 1
    both = gear.hold(one, held(one, "flask"))
    assert gear.free_hands(both) == 0
    with pytest.raises(RuleRefusal, match="Flask needs 1 hand; you have 0 free"):
        gear.hold(both, held(both, "flask"))
    assert gear.free_hands(gear.stow(both, held(both, "hook"))) == 1
    two = gear.hold(gear.hold(state, held(state, "flask")), held(state, "flask"))
    assert gear.free_hands(two) == 0
