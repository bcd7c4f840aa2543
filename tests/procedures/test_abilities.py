"""Using abilities: costs, obstacles and effects.

The dockhand has ARM 5, WIT 2, vigour 9, luck 3.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from charforge.character import state_changes
from charforge.character.files.events import AcquireEvent, CarryEvent, ConditionEvent, ResourceEvent
from charforge.character.holdings import is_melee
from charforge.character.state import CHARACTER, State
from charforge.character.state_data import Conditions
from charforge.errors import PackError, ProcedureError, RuleRefusal, UsageError
from charforge.expressions.dice import Dice
from charforge.procedures import abilities, costs, use
from charforge.procedures.abilities import Ability
from charforge.procedures.context import RunSettings
from charforge.procedures.run import ProcedureResult, higher_scores
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Requirement
from charforge.verbs.change import change_character as change, draft_event

Dockhand = Callable[..., LoadedCharacter]
DOG = "knacks.kennel.dog"


def armed(opened: LoadedCharacter, slug: str, quantity: int = 1) -> State:
    """Return the state after a thing was given and taken in hand."""
    name = f"event.{len(opened.document.log) + 1}"
    got = change(opened, draft_event(AcquireEvent, entity=f"gear/{slug}", quantity=quantity))
    return change(got, draft_event(CarryEvent, how="hold", holding=name)).character.state


def ability(state: State, name: str, unit: str = CHARACTER) -> Ability:
    return next(one for one in abilities.all_abilities(state, unit) if one.name == name)


def used(state: State, name: str, *dice: list[int], **more: Any) -> ProcedureResult:
    left = list(dice)

    def roll(_name: str, _dice: Dice, _label: str) -> list[int]:
        return left.pop(0)

    inputs = more.pop("inputs", {})
    unit = more.pop("unit", CHARACTER)
    settings = RunSettings(
        roll, **{name: more.pop(name) for name in ("quiet", "recorded") if name in more}
    )
    done = use.use_ability(state, ability(state, name, unit), inputs, settings, **more)
    assert left == []
    return done


def texts(run: ProcedureResult) -> list[str]:
    return [told.text for told in run.steps]


@pytest.fixture
def winded(dockhand: Dockhand) -> State:
    return dockhand(knacks=["knack/second-wind"]).character.state


# --------------------------------------------------------------------------- what can be used


def test_abilities_come_from_holdings_then_conditions_then_what_everybody_can(dockhand):
    opened = dockhand(knacks=["knack/second-wind"])
    blessed = change(opened, draft_event(ConditionEvent, condition="state/blessed"))
    names = [one.name for one in abilities.all_abilities(blessed.character.state)]
    assert names == [
        "Second Wind: Breathe", "Second Wind: Roar", "Second Wind: Whistle", "Blessed: Pray",
        "Shout",
    ]  # fmt: skip


def test_each_unit_uses_its_own(dockhand):
    state = dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/terrier").character.state
    assert [one.name for one in abilities.all_abilities(state, DOG)] == ["Terrier: Bark", "Shout"]
    assert [one.name for one in abilities.all_abilities(state)] == ["Shout"]


def test_an_ability_is_found_by_what_a_log_keeps_of_it(winded):
    found = abilities.ability_of(winded, CHARACTER, "knacks.second-wind", "Roar")
    assert found is not None
    assert found.name == "Second Wind: Roar"
    assert abilities.ability_of(winded, CHARACTER, "knacks.second-wind", "Run") is None
    assert (
        abilities.ability_of(winded, CHARACTER, "state/blessed", "Pray") is None
    )  # nobody is blessed


# --------------------------------------------------------------------------- actions


def test_an_action_is_paid_cools_and_does_what_it_does(winded):
    hurt, _real = state_changes.change_resource(winded, CHARACTER, "vigour", -5)
    done = used(hurt, "Second Wind: Breathe")
    values = done.state.values()
    assert (values.base("luck"), values.base("vigour")) == (2, 6)
    assert done.state.cooldowns == (("knacks.second-wind", "Breathe"),)
    assert texts(done) == ["Luck −1 → 2", "Vigour +2 → 6"]
    assert {told.source for told in done.steps} == {"knack/second-wind"}


def test_an_action_may_be_free_this_time(winded):
    done = used(winded, "Second Wind: Breathe", inputs={"deep": 1})
    assert done.state.values().base("luck") == 3
    assert done.inputs == {"deep": 1}


def test_an_action_without_steps_tells_its_text_in_short_if_it_has_that(refitted, dockhand):
    assert texts(used(dockhand().character.state, "Shout"))[-1] == "Shout."
    shout = "cost: {luck: 2}, text: Shout.}"
    rules = refitted(("things.yaml", shout, "cost: {luck: 2}, text: Shout., digest: Hey!}"))
    assert texts(used(dockhand(rules=rules).character.state, "Shout"))[-1] == "Hey!"


def test_an_action_tells_what_the_results_of_its_procedure_mean(refitted, dockhand):
    """ARM 5 and dice of 2 to 12 against 12."""
    shout = "{name: Shout, timing: work, cost: {luck: 2}, text: Shout.}"
    louder = (
        "{name: Shout, timing: work, text: Shout., procedure: test, "
        "with: {attribute: arm, vs: 12}, results: {won: All look up., lost: Nobody hears.}}"
    )
    rules = refitted(
        ("things.yaml", shout, louder),
        ("procedures.yaml", "do: let, id: won, to: total >= vs, quiet: true}",
         "do: let, id: won, to: total >= vs, quiet: true}\n"
         "      - {do: let, id: lost, to: not won, quiet: true}"),
        ("procedures.yaml", "{id: won, label: Won}]\n  - id: strike",
         "{id: won, label: Won}, {id: lost, label: Lost}]\n  - id: strike"),
    )  # fmt: skip
    state = dockhand(rules=rules).character.state
    assert texts(used(state, "Shout", [4, 3]))[-1] == "All look up."
    assert texts(used(state, "Shout", [3, 3]))[-1] == "Nobody hears."


def test_what_is_free_reads_the_defaults_of_inputs(harbour, refitted, dockhand):
    rules = refitted(
        ("things.yaml", "label: Deeply?, type: flag, default: 0}",
         "label: Deeply?, type: word, options: [no-air, much], default_word: no-air}"),
        ("things.yaml", "free: deep\n", "free: deep_no_air\n"),
    )  # fmt: skip
    state = dockhand(rules=rules, knacks=["knack/second-wind"]).character.state
    assert used(state, "Second Wind: Breathe").state.values().base("luck") == 3
    much = used(state, "Second Wind: Breathe", inputs={"deep": "much"})
    assert much.state.values().base("luck") == 2


def test_what_cools_cannot_be_used_and_the_rest_can(winded):
    cold = used(winded, "Second Wind: Roar").state
    with pytest.raises(RuleRefusal, match="use Second Wind: Roar now: on cooldown"):
        used(cold, "Second Wind: Roar")
    assert used(cold, "Second Wind: Whistle").state.cooldowns == (
        ("knacks.second-wind", "Roar"),
        ("knacks.second-wind", "Whistle"),
    )


def test_a_price_that_cannot_be_paid_is_a_reason(winded):
    poor, _real = state_changes.change_resource(winded, CHARACTER, "luck", -2)
    assert list(use.reasons_against(poor, ability(poor, "Shout"))) == ["needs 2 Luck; you have 1"]
    with pytest.raises(RuleRefusal, match=r"use Shout now: needs 2 Luck; you have 1$"):
        used(poor, "Shout")
    assert used(winded, "Shout").state.values().base("luck") == 1


SOAKED = "name: Soaked, source: States, condition: {until: [dawn]"


@pytest.mark.parametrize(
    ("bars", "reasons"),
    [
        ("true", ["you cannot use anything while Soaked"]),
        ("luck == 3", ["you cannot use anything while Soaked"]),
        ("luck < 3", []),
    ],
)
def test_a_condition_can_bar_every_use(refitted, dockhand, bars, reasons):
    """Who is Soaked has 3 luck."""
    rules = refitted(("things.yaml", SOAKED, f"{SOAKED}, bars: {bars}"))
    opened = dockhand(rules=rules, knacks=["knack/second-wind"])
    soaked = change(opened, draft_event(ConditionEvent, condition="state/soaked")).character.state
    for name in ("Second Wind: Roar", "Shout"):
        assert list(use.reasons_against(opened.character.state, ability(soaked, name))) == []
        assert list(use.reasons_against(soaked, ability(soaked, name))) == reasons


def test_a_condition_that_follows_from_values_bars_every_use_too(refitted, dockhand):
    """At 0 vigour a dockhand is Worn Out."""
    worn_out = "name: Worn Out, source: States, condition: {"
    rules = refitted(("things.yaml", worn_out, f"{worn_out}bars: true"))
    rested = dockhand(rules=rules).character.state
    exhausted, _real = state_changes.change_resource(rested, CHARACTER, "vigour", -9)
    shout = ability(rested, "Shout")
    assert list(use.reasons_against(rested, shout)) == []
    assert list(use.reasons_against(exhausted, shout)) == ["you cannot use anything while Worn Out"]


def test_who_is_out_of_play_for_good_uses_nothing_new(refitted, dockhand):
    """Uses that were saved before are repeated."""
    rules = refitted(("things.yaml", SOAKED, f"{SOAKED}, ends: true"))
    opened = dockhand(rules=rules)
    soaked = change(opened, draft_event(ConditionEvent, condition="state/soaked")).character.state
    shout = ability(soaked, "Shout")
    assert list(use.reasons_against(soaked, shout)) == ["you cannot use anything while Soaked"]
    assert list(use.reasons_against(soaked, shout, recorded=True)) == []


def test_what_bars_one_unit_leaves_the_others(refitted, dockhand):
    rules = refitted(("things.yaml", SOAKED, f"{SOAKED}, bars: true"))
    opened = dockhand(rules=rules, knacks=["knack/kennel"], knacks__kennel__dog="dog/terrier")
    soaked = change(opened, draft_event(ConditionEvent, condition="state/soaked")).character.state
    assert list(use.reasons_against(soaked, ability(soaked, "Terrier: Bark", DOG))) == []
    with pytest.raises(
        RuleRefusal, match=r"you can't use Shout now: you cannot use anything while Soaked"
    ):
        used(soaked, "Shout")


def test_a_companion_pays_from_what_it_shares(dockhand):
    state = dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/terrier").character.state
    done = used(state, "Terrier: Bark", unit=DOG)
    assert done.state.values().base("luck") == 2
    assert [(c.entity.slug, c.unit) for c in done.state.conditions] == [("bruised", DOG)]


def test_the_condition_that_gives_an_action_can_be_lifted_by_it(dockhand):
    blessed = change(
        dockhand(), draft_event(ConditionEvent, condition="state/blessed")
    ).character.state
    assert used(blessed, "Blessed: Pray").state.conditions == Conditions()


def test_wrong_inputs_of_an_action_cost_nothing(winded):
    with pytest.raises(ProcedureError) as caught:
        used(winded, "Second Wind: Breathe", inputs={"deep": 3, "loud": 1})
    assert dict(caught.value.problems) == {
        "loud": "this rule does not ask for it",
        "deep": "it must be yes or no (1 or 0)",
    }


# --------------------------------------------------------------------------- gear


def test_gear_must_be_in_hand(dockhand):
    opened = dockhand()
    got = change(opened, draft_event(AcquireEvent, entity="gear/hook")).character.state
    hook = ability(got, "Hook: Melee")
    assert list(use.reasons_against(got, hook)) == ["not in hand (hold it first)"]
    grown = dockhand(knacks=["knack/hook-hand"]).character.state
    assert list(use.reasons_against(grown, ability(grown, "Hook: Melee"))) == []


def test_an_attack_says_itself_what_its_procedure_asks(dockhand):
    """Not trained: 2d6 (8) + ARM 5 + 0 - guard 9 = 4; 1d4 (3) + ARM 5, one shot."""
    state = armed(dockhand(), "hook")
    done = used(state, "Hook: Melee", [4, 4], [3], inputs={"guard": 9})
    assert done.outputs == {"margin": 4, "dealt": 8}
    assert done.inputs == {"guard": 9}  # what the hook says is not kept: it says it again


def test_an_attack_with_a_fixed_score_shots_and_a_critical_margin(dockhand):
    """Trained: 6 + 5 + bonus 1 + trained 1 - 10 = 3 is critical: (6 + 4) × 2 shots = 20."""
    trained = change(dockhand(), draft_event(AcquireEvent, entity="training/crossbows"))
    state = armed(trained, "crossbow")
    done = used(state, "Crossbow: Quay", [3, 3], inputs={"guard": 10})
    assert done.outputs == {"margin": 3, "dealt": 20}
    bow = next(h for h in state.holdings if h.entity.slug == "crossbow")
    assert state_changes.capacity_left(done.state, bow, bow.entity.capacities[0]) == 2
    assert texts(done)[0] == "Bolts −1 → 2"
    missed = used(state, "Crossbow: Quay", [3, 3], inputs={"guard": 14})
    assert missed.outputs == {"margin": -1, "dealt": 0}
    hit = used(state, "Crossbow: Quay", [3, 3], inputs={"guard": 11})
    assert hit.outputs == {"margin": 2, "dealt": 12}


def test_what_an_attack_says_may_be_said_otherwise(dockhand):
    state = armed(dockhand(), "hook")
    done = used(state, "Hook: Melee", [4, 4], inputs={"guard": 0, "damage": "2"})
    assert done.outputs == {"margin": 13, "dealt": 2}
    assert done.inputs == {"guard": 0, "damage": "2"}


@pytest.fixture
def replaceable(refitted, dockhand) -> Callable[..., State]:
    """Return a function that makes a dockhand with a hook, who strikes with ARM or, if close, WIT.

    Nothing replaces the margin of a critical hit.
    """
    rules = refitted(
        ("procedures.yaml", "With what, type: value, optional: true}",
         "With what, type: value, optional: true, instead: {wit: close}}\n"
         "      - {id: close, label: Close?, type: flag, default: 0}"),
        ("procedures.yaml", "label: Margin, default: 0", "label: Margin, default: 0, instead: {}"),
    )  # fmt: skip

    def make(**scores: int) -> State:
        return armed(dockhand(rules=rules, scores=scores), "hook")

    return make


def test_inputs_of_an_attack_are_replaced_only_as_its_procedure_allows(replaceable):
    state = replaceable(arm=2, wit=4)
    hook = ability(state, "Hook: Melee")

    def reasons(**inputs: Any) -> list[str]:
        return list(use.reasons_against(state, hook, inputs={"guard": 9, **inputs}))

    assert reasons() == reasons(hit="arm") == reasons(hit="wit", close=1) == []
    assert reasons(hit="wit") == ["hit is ARM, not WIT. Nothing allows a different value."]
    assert reasons(crit=2) == ["crit is 0, not 2. Nothing allows a different value."]


def test_a_higher_score_is_offered_until_it_is_answered(replaceable):
    def offered(state: State, **answers: Any) -> list[tuple[str, dict[str, int]]]:
        inputs = state.ruleset.procedure("strike").inputs
        found = higher_scores(state, CHARACTER, inputs, {"hit": "arm"}, answers)
        return [(input_.id, scores) for input_, scores in found]

    wise = replaceable(arm=2, wit=4)  # a stevedore has 1 ARM more
    assert offered(wise, close=1) == [("hit", {"wit": 4, "arm": 3})]
    assert offered(wise) == []
    assert offered(wise, close=1, hit="arm") == []
    assert offered(replaceable(arm=4, wit=2), close=1) == []


def test_an_attack_may_be_told_only_what_its_procedure_asks(dockhand):
    state = armed(dockhand(), "hook")
    inputs, steps = abilities.ability_inputs(state, ability(state, "Hook: Melee"))
    assert [one.id for one in inputs if one.needed] == ["guard"]
    assert steps == state.ruleset.procedure("strike").steps
    with pytest.raises(ProcedureError) as caught:
        used(state, "Hook: Melee", inputs={"zeal": 1})
    assert dict(caught.value.problems) == {
        "zeal": "this rule does not ask for it",
        "guard": "missing: Their guard",
    }


def test_without_training_it_can_be_paid_for_instead(dockhand):
    state = armed(dockhand(), "crossbow")
    bow = ability(state, "Crossbow: Quay")
    assert list(use.reasons_against(state, bow)) == [
        "requires Training",
        "--untrained pays 1 Luck instead",
    ]
    done = used(state, "Crossbow: Quay", [6, 6], inputs={"guard": 9}, untrained=True)
    assert texts(done)[:2] == ["Bolts −1 → 2", "Luck −1 → 2"]
    # 12 + 5 + 1 + 0 - 9 = 9
    assert done.outputs["margin"] == 9
    poor, _real = state_changes.change_resource(state, CHARACTER, "luck", -3)
    assert list(use.reasons_against(poor, bow, untrained=True)) == ["needs 1 Luck; you have 0"]


def test_who_is_trained_pays_nothing_for_lack_of_it(dockhand):
    trained = change(dockhand(), draft_event(AcquireEvent, entity="training/crossbows"))
    done = used(armed(trained, "crossbow"), "Crossbow: Quay", [1, 1], inputs={"guard": 9},
                untrained=True)  # fmt: skip
    assert done.state.values().base("luck") == 3


def test_only_training_can_be_paid_for(refitted, dockhand):
    """A use that requires something else too is closed, and no price is named for it."""
    rules = refitted(
        ("things.yaml", "        requires: {trained: self}\n        cost: {bolts: 1}",
         "        requires: {all: [{trained: self}, {has: knack/ox}]}\n        cost: {bolts: 1}"),
    )  # fmt: skip
    state = armed(dockhand(rules=rules), "crossbow")
    bow = ability(state, "Crossbow: Quay")
    reasons = ["requires Training", "requires Ox"]
    assert list(use.reasons_against(state, bow)) == reasons
    assert list(use.reasons_against(state, bow, untrained=True)) == reasons


def test_what_carries_nothing_more_cannot_be_shot_until_it_is_filled(dockhand):
    trained = change(dockhand(), draft_event(AcquireEvent, entity="training/crossbows"))
    state = armed(trained, "crossbow")
    bow = next(h for h in state.holdings if h.entity.slug == "crossbow")
    bolts = bow.entity.capacities[0]
    empty, _real = state_changes.change_capacity(state, bow, bolts, -3)
    assert list(use.reasons_against(empty, ability(state, "Crossbow: Quay"))) == [
        "needs 1 Bolt; you have 0"
    ]
    some = used(empty, "Crossbow: Add bolts", inputs={"many": 2})
    assert (state_changes.capacity_left(some.state, bow, bolts), texts(some)) == (
        2,
        ["Bolts +2 → 2"],
    )
    full = used(empty, "Crossbow: Reload")
    assert (state_changes.capacity_left(full.state, bow, bolts), texts(full)) == (
        3,
        ["Bolts +3 → 3"],
    )


def test_everything_against_a_use_is_said_at_once(dockhand):
    got = change(dockhand(), draft_event(AcquireEvent, entity="gear/crossbow"))
    name = f"event.{got.document.log[-1].n}"
    empty = change(got, draft_event(ResourceEvent, value="bolts", by=-3, holding=name))
    state = empty.character.state
    assert list(use.reasons_against(state, ability(state, "Crossbow: Quay"))) == [
        "requires Training",
        "--untrained pays 1 Luck instead",
        "not in hand (hold it first)",
        "needs 1 Bolt; you have 0",
    ]


def test_a_game_that_does_not_say_how_to_attack_cannot(keeper):
    state = keeper({"locker": ["gear/boathook"]}).state
    hook = ability(state, "Boathook: Reach")
    with pytest.raises(UsageError) as caught:
        abilities.ability_inputs(state, hook)
    assert caught.value.reason == "Boathook cannot attack: The Long Light has no rule for attacks"


@pytest.mark.parametrize(
    ("slug", "name", "sort"),
    [("hook", "Hook: Melee", "sharp"), ("crossbow", "Crossbow: Quay", None)],
)
def test_a_procedure_that_asks_for_one_of_several_words_is_told_the_one_damage_type(
    refitted, dockhand, slug, name, sort
):
    # A hook is always sharp; with a crossbow it has to be said.
    margin = "      - {id: crit, label: Margin, default: 0}\n"
    asked = "      - {id: type, label: Sort, type: word, options: [blunt, sharp]}\n"
    rules = refitted(("procedures.yaml", margin, margin + asked))
    state = armed(dockhand(rules=rules), slug)
    found = ability(state, name)
    assert abilities.supplied_inputs(state, found).get("type") == sort
    wanted = next(one for one in abilities.ability_inputs(state, found)[0] if one.id == "type")
    assert wanted.needed == (sort is None)


@pytest.mark.parametrize(
    ("melee_range", "melee"), [("melee", {"hook"}), ("Quay", {"crossbow"}), ("Reach", set())]
)
def test_a_game_says_which_range_its_melee_attacks_have(refitted, melee_range, melee):
    rules = refitted(("ruleset.yaml", "play:\n", f"play:\n  melee_range: {melee_range}\n"))
    attacks = {slug: rules.entity(f"gear/{slug}").attacks[0] for slug in ("hook", "crossbow")}
    assert {slug for slug, attack in attacks.items() if is_melee(attack, rules)} == melee


def test_an_attack_is_called_by_its_name_or_its_range_and_a_number(harbour, smithy):
    def keys(entity, *changes):
        attacks = tuple(entity.attacks[0].model_copy(update=change) for change in changes)
        changed = entity.model_copy(update={"attacks": attacks})
        return [abilities.attack_key(changed, attack) for attack in attacks]

    hook = harbour.entity("gear/hook")
    assert keys(hook, {}) == ["Melee"]
    assert keys(hook, {"name": "Swing"}, {}, {"name": "Swing"}) == ["Swing", "Melee", "Swing#2"]
    assert keys(hook, {}, {"range": "Quay"}, {}, {}) == ["Melee", "Quay", "Melee#2", "Melee#3"]
    assert keys(hook, {"name": "Melee", "range": "Quay"}) == ["Melee"]  # as docs/packs.md advises
    own = smithy.entity("tool/own")
    assert keys(own, {"name": ""}) == ["own"]  # its range is what its bearer says of it
    assert keys(own, {"name": "", "range": "2 m"}) == ["2 m"]


def test_a_cost_that_cannot_be_paid_is_paid_as_far_as_it_can(dockhand):
    """Luck 3; a shout costs 2."""
    state = dockhand().character.state
    shout = ability(state, "Shout")
    left = [state.values().base("luck")]
    for _time in range(3):
        state = costs.state_after_cost(state, shout)
        left.append(state.values().base("luck"))
    assert left == [3, 1, 0, 0]


def test_an_attack_says_its_type_in_words_and_its_margin_where_it_may_be_critical(dockhand):
    state = armed(dockhand(), "crossbow")
    shot = next(one for one in abilities.all_abilities(state) if one.attack is not None)
    assert shot.attack is not None and shot.attack.crit is not None
    said = abilities.attack_inputs(state, shot, shot.attack)
    assert (said.type, said.crit, said.crit_damage) == ("Blunt or Sharp", 3, 4)
    trained = shot.attack.crit.model_copy(update={"requires": Requirement(trained="self")})
    closed = abilities.attack_inputs(state, shot, shot.attack.model_copy(update={"crit": trained}))
    assert (closed.crit, closed.crit_damage) == (0, 0)
    without = shot.attack.model_copy(update={"crit": None})
    assert abilities.attack_inputs(state, shot, without).crit == 0


# --------------------------------------------------------------------------- limits of uses


@pytest.fixture
def limited(refitted, dockhand) -> Callable[[str], State]:
    """Return a function that makes a dockhand whose Roar has a limit of uses."""

    def make(uses: str) -> State:
        roar = "timing: work, cooldown: daily, text: Shout.}"
        rules = refitted(("things.yaml", roar, f"timing: work, uses: {uses}, text: Shout.}}"))
        return dockhand(rules=rules, knacks=["knack/second-wind"]).character.state

    return make


def test_a_limited_ability_is_refused_until_one_of_its_moments(limited):
    state = limited("{times: 2, until: [bell, dawn]}")
    once = used(state, "Second Wind: Roar").state
    twice = used(once, "Second Wind: Roar").state
    refusal = "already used (twice); available again after a bell rings or dawn breaks"
    with pytest.raises(RuleRefusal, match=re.escape(refusal)):
        used(twice, "Second Wind: Roar")
    assert used(twice, "Second Wind: Whistle").state.uses == twice.uses
    for moment in ("bell", "dawn"):
        later, _ended = state_changes.pass_moment(twice, CHARACTER, moment)
        assert later.uses == ()
        assert used(later, "Second Wind: Roar").state.uses == once.uses


def test_the_times_of_a_limit_can_be_a_formula(limited):
    state = limited("{times: wit, until: [dawn]}")  # WIT 2
    twice = used(used(state, "Second Wind: Roar").state, "Second Wind: Roar").state
    with pytest.raises(RuleRefusal, match="twice"):
        used(twice, "Second Wind: Roar")


def test_a_limit_during_a_condition_begins_with_it(limited):
    state = limited("{during: state/soaked}")
    with pytest.raises(RuleRefusal, match="only during Soaked"):
        used(state, "Second Wind: Roar")
    soaked_entity = state.ruleset.entity("state/soaked")
    soaked = state_changes.add_condition(state, CHARACTER, soaked_entity)
    once = used(soaked, "Second Wind: Roar").state
    with pytest.raises(RuleRefusal, match="used once during this Soaked"):
        used(once, "Second Wind: Roar")
    again = state_changes.add_condition(once, CHARACTER, soaked_entity)
    assert used(again, "Second Wind: Roar").state.uses == once.uses


def test_a_limit_is_counted_but_not_enforced_for_a_replay_or_by_permission(limited):
    once = used(limited("{until: [dawn]}"), "Second Wind: Roar").state
    allowed = use.Permit(overridden=True)
    for more in ({"recorded": lambda _name: 0}, {"permit": allowed}):
        (count,) = used(once, "Second Wind: Roar", **more).state.uses
        assert count.times == 2
    cold = used(once, "Second Wind: Whistle").state
    with pytest.raises(RuleRefusal, match="on cooldown"):
        used(cold, "Second Wind: Whistle", recorded=lambda _name: 0)
    assert used(cold, "Second Wind: Whistle", permit=allowed).state == cold


@pytest.mark.parametrize("uses", ["{}", "{until: [bell], during: state/soaked}"])
def test_a_limit_has_one_kind_of_end(limited, uses):
    with pytest.raises(PackError) as refused:
        limited(uses)
    assert "a limit needs one of: 'until'" in refused.value.problems[0].message


def test_no_more_uses_than_the_limit_between_its_moments(limited):
    fresh = limited("{times: luck, until: [bell]}")  # luck 3

    @settings(max_examples=50)
    @given(deeds=st.lists(st.sampled_from(["use", "use", "bell", "dawn"]), max_size=15))
    def counted(deeds: list[str]) -> None:
        state, since = fresh, 0
        for deed in deeds:
            if deed != "use":
                state, _ended = state_changes.pass_moment(state, CHARACTER, deed)
                since = 0 if deed == "bell" else since
            elif since < 3:
                state, since = used(state, "Second Wind: Roar").state, since + 1
            else:
                with pytest.raises(RuleRefusal, match="already"):
                    used(state, "Second Wind: Roar")

    counted()


# --------------------------------------------------------------------------- shared limits


@pytest.fixture
def sharing(refitted, dockhand) -> Callable[..., State]:
    """Return a function that makes a dockhand whose Roar shares a limit with a step of Whistle.

    Second Wind itself has the limit; ARM is 1 higher until it is used.
    """

    def make(uses: str = "{until: [bell]}", roar: str = "{of: knack/second-wind}") -> State:
        rules = refitted(
            ("things.yaml", "timing: work, cooldown: daily, text: Shout.}",
             f"timing: work, uses: {roar}, text: Shout.}}"),
            ("things.yaml", "{name: Whistle, timing: work, ",
             "{name: Whistle, timing: work, inputs: [{id: loud, label: Loud?, default: 1}], "
             "does: [{do: count, uses_of: knack/second-wind, times: loud}], "),
            ("things.yaml", "    name: Second Wind\n",
             f"    name: Second Wind\n    uses: {uses}\n"
             "    modifies: [{value: arm, amount: 1, layer: current, "
             "when: used('knack/second-wind') == 0}]\n"),
        )  # fmt: skip
        return dockhand(rules=rules, knacks=["knack/second-wind"]).character.state

    return make


def test_abilities_and_steps_share_the_limit_of_an_entity(sharing):
    fresh = sharing()
    roared = used(fresh, "Second Wind: Roar").state
    assert (fresh.values().total("arm"), roared.values().total("arm")) == (6, 5)
    refusal = "Second Wind: already used (once); available again after a bell rings"
    with pytest.raises(RuleRefusal, match=re.escape(refusal)):
        used(roared, "Second Wind: Whistle")
    with pytest.raises(RuleRefusal, match="already"):
        used(used(fresh, "Second Wind: Whistle").state, "Second Wind: Roar")
    later, _ended = state_changes.pass_moment(roared, CHARACTER, "bell")
    assert later.values().total("arm") == 6


def test_a_step_that_counts_no_use_still_refuses(sharing):
    fresh = sharing()
    assert used(fresh, "Second Wind: Whistle", inputs={"loud": 0}).state.uses == ()
    roared = used(fresh, "Second Wind: Roar").state
    with pytest.raises(RuleRefusal, match="already"):
        used(roared, "Second Wind: Whistle", inputs={"loud": 0})


def test_a_step_refuses_more_uses_than_are_left(sharing):
    fresh = sharing("{times: 2, until: [bell]}")
    with pytest.raises(RuleRefusal, match="already"):
        used(fresh, "Second Wind: Whistle", inputs={"loud": 3})
    twice = used(fresh, "Second Wind: Whistle", inputs={"loud": 2}).state
    with pytest.raises(RuleRefusal, match="twice"):
        used(twice, "Second Wind: Roar")


def test_a_step_counts_but_does_not_refuse_for_a_replay_or_by_permission(sharing):
    roared = used(sharing(), "Second Wind: Roar").state
    allowed = used(roared, "Second Wind: Whistle", permit=use.Permit(overridden=True))
    saved = used(roared, "Second Wind: Whistle", recorded=lambda _name: 0, quiet=True)
    assert allowed.state.uses == saved.state.uses
    assert [count.times for count in saved.state.uses] == [2]
    assert texts(allowed)[-1].startswith("Allowed by the GM: Second Wind: already")


def test_a_limit_during_a_condition_goes_on_while_more_of_it_is_put(sharing):
    """More of a condition that counts is still the same one; other conditions begin again."""
    state = sharing("{during: state/bruised}")
    bruised = state.ruleset.entity("state/bruised")
    assert bruised.condition is not None and bruised.condition.counts
    with pytest.raises(RuleRefusal, match="only during Bruised"):
        used(state, "Second Wind: Whistle")
    state = used(state_changes.add_condition(state, CHARACTER, bruised), "Second Wind: Roar").state
    state = state_changes.add_condition(state, CHARACTER, bruised)
    with pytest.raises(RuleRefusal, match="used once during this Bruised"):
        used(state, "Second Wind: Whistle")
    healed, _amount = state_changes.remove_condition(state, CHARACTER, bruised)
    again = state_changes.add_condition(healed, CHARACTER, bruised)
    assert used(again, "Second Wind: Whistle").state.uses != ()


@pytest.mark.parametrize(
    ("uses", "roar", "message"),
    [
        ("{until: [bell]}", "{of: gear/hook}", 'there is no entity with a limit "gear/hook"'),
        ("{of: knack/second-wind}", "{until: [bell]}", "needs 'until' or 'during'"),
    ],
)
def test_a_shared_limit_is_that_of_an_entity(sharing, uses, roar, message):
    with pytest.raises(PackError) as refused:
        sharing(uses, roar)
    assert any(message in problem.message for problem in refused.value.problems)


def test_only_the_uses_of_what_has_a_limit_can_be_read(refitted, dockhand):
    with pytest.raises(PackError) as refused:
        dockhand(rules=refitted(("things.yaml", "free: deep\n", "free: used('gear/hook')\n")))
    assert "no entity with a limit" in refused.value.problems[0].message
