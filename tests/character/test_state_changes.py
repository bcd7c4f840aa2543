"""Play state: resources within bounds, conditions, cooldowns, item contents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from charforge.character import state_changes
from charforge.character.files.events import AcquireEvent, AnswerEvent, ResourceEvent
from charforge.character.state import CHARACTER, Condition, Holding, State
from charforge.character.state_data import Conditions
from charforge.errors import UsageError
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.loading.loader import load_folder
from charforge.rules.models import Action, Entity
from charforge.verbs.change import change_character, draft_event

Dockhand = Callable[..., LoadedCharacter]
DOG = "knacks.kennel.dog"


@pytest.fixture
def state(dockhand: Dockhand) -> State:
    """Vigour 9 of 9, luck 3 of 5, 20 coins; a hound with vigour 5 of 5 that shares the luck."""
    return dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/hound").character.state


def now(state: State, value: str, unit: str = CHARACTER) -> int:
    return state.values(unit).base(value)


# --------------------------------------------------------------------------- resources


@given(
    changes=st.lists(
        st.tuples(st.sampled_from([CHARACTER, DOG]), st.sampled_from(["vigour", "luck"]),
                  st.integers(-12, 12)),
        max_size=6,
    )
)  # fmt: skip
def test_resources_stay_within_their_bounds_and_tell_the_real_difference(dockhand, changes):
    state = dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/hound").character.state
    most = {(CHARACTER, "vigour"): 9, (DOG, "vigour"): 5, "luck": 5}
    have = {(CHARACTER, "vigour"): 9, (DOG, "vigour"): 5, "luck": 3}
    for unit, value, by in changes:
        key = value if value == "luck" else (unit, value)
        after = min(max(have[key] + by, 0), most[key])
        state, real = state_changes.change_resource(state, unit, value, by)
        assert real == after - have[key]
        have[key] = after
        assert now(state, value, unit) == after
    assert now(state, "luck") == now(state, "luck", DOG)


def test_a_value_that_only_the_owner_has_is_the_owners(state):
    spent, real = state_changes.change_resource(state, DOG, "coins", -25)
    assert (real, now(spent, "coins")) == (-25, -5)  # coins have no bound here


def test_what_follows_from_rules_cannot_be_changed(state):
    with pytest.raises(UsageError, match="ARM is not a resource of a Dockhand"):
        state_changes.change_resource(state, CHARACTER, "arm", 1)
    with pytest.raises(UsageError, match="Max vigour is not a resource of a Dog"):
        state_changes.change_resource(state, DOG, "max_vigour", 1)
    with pytest.raises(UsageError, match="zeal is not a resource of a Dockhand"):
        state_changes.change_resource(state, CHARACTER, "zeal", 1)


def test_a_change_by_nothing_leaves_no_trace(state):
    same, real = state_changes.change_resource(state, CHARACTER, "vigour", 4)
    assert (same, real) == (state, 0)


def test_what_was_lost_beyond_a_bound_that_has_moved_counts_no_more(dockhand):
    """9 + 1 are lost of 10; an edit makes the maximum 7: still 0, and 3 regained are 3."""
    hurt = change_character(
        dockhand(knacks=["knack/strong-back"]), draft_event(ResourceEvent, value="vigour", by=-10)
    )
    weak = change_character(
        hurt,
        draft_event(AnswerEvent, decision="scores", answer={"arm": 2, "wit": 4}),
        draft_event(AnswerEvent, decision="knacks", answer=[]),
    ).character.state
    assert (now(weak, "max_vigour"), now(weak, "vigour")) == (7, 0)
    better, real = state_changes.change_resource(weak, CHARACTER, "vigour", 3)
    assert (real, now(better, "vigour")) == (3, 3)
    worse, real = state_changes.change_resource(weak, CHARACTER, "vigour", -1)
    assert (real, now(worse, "vigour")) == (0, 0)
    assert now(state_changes.change_resource(worse, CHARACTER, "vigour", 1)[0], "vigour") == 1


# --------------------------------------------------------------------------- what items carry


def flask(opened: LoadedCharacter, quantity: int) -> tuple[State, Holding]:
    bought = change_character(
        opened, draft_event(AcquireEvent, entity="gear/flask", quantity=quantity)
    )
    state = bought.character.state
    return state, next(h for h in state.holdings if h.entity.slug == "flask")


@given(quantity=st.integers(1, 3), changes=st.lists(st.integers(-4, 4), max_size=5))
def test_each_piece_of_an_item_carries_its_own(dockhand, quantity, changes):
    """Two sips a flask."""
    state, held = flask(dockhand(), quantity)
    sips = held.entity.capacities[0]
    have = 2 * quantity
    assert state_changes.capacity_left(state, held, sips) == have
    for by in changes:
        after = min(max(have + by, 0), 2 * quantity)
        state, real = state_changes.change_capacity(state, held, sips, by)
        assert (real, state_changes.capacity_left(state, held, sips)) == (after - have, after)
        have = after


# --------------------------------------------------------------------------- conditions


def put(state: State, slug: str, *args: int | str | None, unit: str = CHARACTER) -> State:
    return state_changes.add_condition(state, unit, state.ruleset.entity(f"state/{slug}"), *args)


def told(state: State) -> list[tuple[str, int, str, int | None]]:
    return [(c.entity.slug, c.amount, c.about, c.left) for c in state.conditions]


def test_a_condition_that_counts_adds_up_to_its_most(state):
    """Bruised goes up to level + 3: at level 1 up to 4."""
    once = put(state, "bruised", 3)
    assert told(once) == [("bruised", 3, "", None)]
    assert told(put(once, "bruised", 3)) == [("bruised", 4, "", None)]
    assert once.condition_amount(CHARACTER, "state/bruised") == 3
    assert once.condition_amount(DOG, "state/bruised") == 0


def test_one_that_does_not_count_is_there_once(state):
    assert told(put(put(state, "soaked", 5), "soaked")) == [("soaked", 1, "", 1)]


def test_put_again_it_lasts_anew(state):
    dizzy, _ended = state_changes.pass_moment(put(state, "dizzy"), CHARACTER, "bell")
    assert told(dizzy) == [("dizzy", 1, "", 1)]
    assert told(put(dizzy, "dizzy")) == [("dizzy", 1, "", 2)]


def test_a_condition_about_another_stands_beside_it(state):
    both = put(put(put(state, "marked", 1, "Bo"), "marked", 1, "Mo"), "marked", 1, "Bo")
    assert [c.about for c in both.conditions] == ["Mo", "Bo"]


def test_nothing_is_put_where_there_is_nothing_of_it(state):
    assert put(state, "bruised", 0) == state
    assert put(state, "dizzy", 1, "", 0) == state
    assert state_changes.add_condition(state, CHARACTER, state.ruleset.entity("gear/hook")) == state


def test_counted_ones_with_their_own_time_end_one_by_one(state):
    """2 that bleed for 1 moment and 3 for 2: after one moment 3 are left."""
    bleeding = put(put(state, "bleeding", 2, "", 1), "bleeding", 3, "", 2)
    assert told(bleeding) == [("bleeding", 2, "", 1), ("bleeding", 3, "", 2)]
    assert bleeding.condition_amount(CHARACTER, "state/bleeding") == 5
    after, ended = state_changes.pass_moment(bleeding, CHARACTER, "bell")
    assert ([c.amount for c in ended], told(after)) == ([2], [("bleeding", 3, "", 1)])
    assert told(state_changes.pass_moment(after, CHARACTER, "dawn")[0]) == []


def test_their_sum_is_bounded_too(state):
    bruised = put(put(state, "bruised", 3), "bruised", 3, "", 1)
    assert bruised.condition_amount(CHARACTER, "state/bruised") == 4
    assert put(bruised, "bruised", 1, "", 1) == bruised


def test_only_the_first_moment_counts_turns_and_another_ends_it_at_once(state):
    """Bleeding lasts until the third bell, or until dawn."""
    bleeding = put(state, "bleeding", 2)
    rung, ended = state_changes.pass_moment(bleeding, CHARACTER, "bell")
    assert (told(rung), ended) == ([("bleeding", 2, "", 2)], ())
    after, ended = state_changes.pass_moment(rung, CHARACTER, "dawn")
    assert (told(after), [c.amount for c in ended]) == ([], [2])


@given(
    puts=st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), max_size=5),
    moments=st.integers(0, 5),
)
def test_a_moment_counts_down_what_lasts_until_it(dockhand, puts, moments):
    """What was put for n moments is there until the nth has passed."""
    state = dockhand().character.state
    for amount, turns in puts:
        state = put(state, "bleeding", amount, "", turns)
    for _moment in range(moments):
        state, _ended = state_changes.pass_moment(state, CHARACTER, "bell")
    left = sum(amount for amount, turns in puts if turns > moments)
    assert state.condition_amount(CHARACTER, "state/bleeding") == left


def test_a_moment_is_the_units_own_and_ends_only_what_waits_for_it(state):
    wet = put(put(put(state, "soaked"), "dizzy"), "dizzy", unit=DOG)
    assert state_changes.pass_moment(wet, DOG, "dawn") == (wet, ())
    dry, ended = state_changes.pass_moment(wet, CHARACTER, "dawn")
    assert [c.entity.slug for c in ended] == ["soaked"]
    assert [(c.entity.slug, c.unit) for c in dry.conditions] == [
        ("dizzy", CHARACTER), ("dizzy", DOG),
    ]  # fmt: skip


def test_lifting_takes_all_or_some(state):
    soaked = state.ruleset.entity("state/bruised")
    bruised = put(put(state, "bruised", 2), "bruised", 2, "", 3)
    assert state_changes.remove_condition(bruised, CHARACTER, soaked)[1] == 4
    some, gone = state_changes.remove_condition(bruised, CHARACTER, soaked, 3)
    assert (gone, told(some)) == (3, [("bruised", 1, "", None)])
    assert state_changes.remove_condition(bruised, CHARACTER, soaked, 9)[1] == 4
    assert state_changes.remove_condition(bruised, DOG, soaked) == (bruised, 0)


def test_lifting_may_pick_the_one_about_somebody(state):
    both = put(put(state, "marked", 1, "Bo"), "marked", 1, "Mo")
    marked = state.ruleset.entity("state/marked")
    assert [
        c.about
        for c in state_changes.remove_condition(both, CHARACTER, marked, None, "Bo")[0].conditions
    ] == ["Mo"]
    assert state_changes.remove_condition(both, CHARACTER, marked)[0].conditions == Conditions()


def test_a_derived_condition_is_there_for_as_long_as_the_state_says_so(state):
    worn = state.ruleset.entity("state/worn-out")
    assert list(state.active_conditions(CHARACTER)) == []
    spent, _real = state_changes.change_resource(state, CHARACTER, "vigour", -9)
    assert list(spent.active_conditions(CHARACTER)) == [Condition(worn, CHARACTER, derived=True)]
    assert list(spent.active_conditions(DOG)) == []
    put_too = state_changes.add_condition(
        spent, CHARACTER, worn
    )  # then it is there once, and not derived
    assert [c.derived for c in put_too.active_conditions(CHARACTER)] == [False]
    again, _real = state_changes.change_resource(spent, CHARACTER, "vigour", 1)
    assert list(again.active_conditions(CHARACTER)) == []


def test_a_derived_condition_is_no_matter_for_units_without_what_it_asks_after(dockhand):
    boat = dockhand(trade="trade/pilot").character.state
    assert boat.units[1].type.id == "boat"
    assert list(boat.active_conditions(boat.units[1].id)) == []


# --------------------------------------------------------------------------- cooldowns


def winded(opened: LoadedCharacter) -> tuple[State, Holding, Action]:
    state = opened.character.state
    knack = next(h for h in state.holdings if h.entity.slug == "second-wind")
    return state, knack, knack.entity.actions[0]


def test_an_effect_is_on_cooldown_once_and_comes_off_it(dockhand):
    state, knack, breathe = winded(dockhand(knacks=["knack/second-wind"]))
    cold = state_changes.start_cooldown(
        state_changes.start_cooldown(state, knack, breathe), knack, breathe
    )
    assert cold.cooldowns == ((knack.id, "Breathe"),)
    assert list(state_changes.unit_cooldowns(cold, cold.unit())) == [(knack, breathe)]
    assert state_changes.end_cooldown(cold, (knack.id, "Breathe")) == state


def test_only_a_units_own_effects_are_on_its_cooldown(dockhand):
    state, knack, breathe = winded(
        dockhand(knacks=["knack/second-wind", "knack/kennel"], knacks__kennel__dog="dog/hound")
    )
    cold = state_changes.start_cooldown(state, knack, breathe)
    assert list(state_changes.unit_cooldowns(cold, cold.unit(DOG))) == []
    assert list(state_changes.unit_cooldowns(cold.with_changes(holdings=()), cold.unit())) == []


def test_actions_of_one_name_are_numbered():
    shout = {"name": "Shout", "timing": "work", "text": "."}
    entity = Entity.model_validate(
        {"id": "deed/x", "name": "X", "source": "X", "actions": [
            shout, {"timing": "work", "text": "."}, shout, shout]}
    )  # fmt: skip
    keys = [state_changes.action_key(entity, action) for action in entity.actions]
    assert keys == ["Shout", "work", "Shout#2", "Shout#3"]


@pytest.mark.parametrize(("one", "about"), [(True, ["the fox"]), (False, ["the owl", "the fox"])])
def test_of_a_condition_of_which_there_is_only_one_another_replaces_it(
    docking: Callable[..., Path],
    dockhand: Callable[..., LoadedCharacter],
    one: bool,
    about: list[str],
) -> None:
    more = "condition: {names: true, one: true}" if one else "condition: {names: true}"
    rules = load_folder(docking(("things.yaml", "condition: {names: true}", more)))
    state = dockhand(rules=rules).character.state
    marked = rules.entity("state/marked")
    for somebody in ("the owl", "the fox", "the fox"):
        state = state_changes.add_condition(state, CHARACTER, marked, about=somebody)
    assert [condition.about for condition in state.conditions] == about


def test_none_of_a_condition_puts_nothing_on(dockhand: Callable[..., LoadedCharacter]) -> None:
    state = dockhand().character.state
    for name in ("state/soaked", "state/bruised"):  # only Bruised counts
        entity = state.ruleset.entity(name)
        assert state_changes.add_condition(state, CHARACTER, entity, 0) == state


# ------------------------------------------------------------------ look-ups of conditions


BURNING = Entity(id="status/burning", name="Burning", source="test")
SHAKEN = Entity(id="status/shaken", name="Shaken", source="test")
CONDITIONS = st.builds(
    Condition,
    st.sampled_from((BURNING, SHAKEN)),
    st.sampled_from(("character", "dog")),
    st.integers(1, 3),
    st.sampled_from(("", "Bo", "Mo")),
)
STEPS = st.lists(st.tuples(st.sampled_from(("add", "replace", "remove")), CONDITIONS), max_size=30)


@given(STEPS)
def test_each_change_is_that_of_a_list(steps: list[tuple[str, Condition]]) -> None:
    expected: list[Condition] = []
    conditions = Conditions()
    for step, condition in steps:
        unit, entity, about = condition.unit, condition.entity.id, condition.about
        found = next(iter(conditions.numbered(unit, entity, about)), None)
        if step == "add" or found is None:
            conditions, before = conditions.add(condition), conditions
            assert list(before) == expected
            expected.append(condition)
            continue
        number, former = found
        place = next(n for n, one in enumerate(expected) if one is former)
        if step == "remove":
            conditions = conditions.replace({number: None})
            del expected[place]
        else:
            expected[place] = former._replace(amount=condition.amount)
            conditions = conditions.replace({number: expected[place]})
    assert list(conditions) == expected
    assert len(conditions) == len(expected)
    for unit in ("character", "dog"):
        assert [c for _n, c in conditions.numbered_of(unit)] == [
            c for c in expected if c.unit == unit
        ]
        for entity in (BURNING, SHAKEN):
            alike = [c for c in expected if (c.unit, c.entity) == (unit, entity)]
            assert [c for _n, c in conditions.numbered(unit, entity.id)] == alike
            assert conditions.amount(unit, entity.id) == sum(c.amount for c in alike)
            for about in ("", "Bo", "Mo"):
                assert [c for _n, c in conditions.numbered(unit, entity.id, about)] == [
                    c for c in alike if c.about == about
                ]
