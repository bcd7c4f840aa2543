"""Vehicles from Level 1 to 10: HP, Slots, and the Systems each may take."""

from __future__ import annotations

import pytest

from charforge.character import state_changes
from charforge.character.requirements import Applicant, unmet_requirements
from charforge.character.state import CHARACTER, State
from charforge.decisions.base import Decision
from charforge.decisions.kinds import make_decision
from charforge.errors import RuleRefusal
from charforge.procedures import abilities, use
from charforge.procedures.context import RunSettings

# Max HP and Slots by Level, with the blank cells of the book filled in (D29).
LEVELS = {
    "bike": ([10, 18, 26, 34, 42, 50, 58, 66, 74, 82], [3, 4, 4, 6, 6, 8, 8, 10, 10, 12]),
    "mechsuit": ([12, 20, 28, 36, 44, 52, 60, 68, 76, 84], [4, 5, 5, 6, 6, 8, 8, 10, 10, 12]),
    "tank": ([20, 30, 40, 50, 60, 70, 80, 90, 100, 110], [5, 6, 6, 7, 7, 8, 8, 10, 10, 12]),
    "aeroplane": ([12, 20, 28, 36, 44, 52, 60, 68, 76, 84], [4, 5, 5, 6, 6, 8, 8, 10, 10, 12]),
}
# What its starting Systems fill: all the Slots of Level 1 (D31). A Mechsuit Arm counts as 1 (D30).
USED = {"bike": 3, "mechsuit": 4, "tank": 5, "aeroplane": 4}
CHOICES = {
    "bike": {},
    "mechsuit": {"asset.vehicle.legs": "strider", "asset.vehicle.mechsuit-arm-mk1.damage": "heat"},
    "tank": {"asset.vehicle.weapon": "ballistic"},
    "aeroplane": {},
}
ANY = {"capacitor-a1-mk1"}  # D32: no limit
GIANT = {
    "ballistic-tank-gun-mk1", "laser-tank-gun-mk1", "capacitor-a2-mk1", "giant-wheels-mk1",
    "giant-atmospheric-thrusters-mk1",
}  # fmt: skip
MECHSUIT = {"strider-mechsuit-legs-mk1", "dancer-mechsuit-legs-mk1", "mechsuit-arm-mk1"}
MOUNTED = {
    "bike": ANY | {"bike-wheels-mk1"},
    "mechsuit": ANY | GIANT | MECHSUIT,
    "tank": ANY | GIANT,
    "aeroplane": ANY | GIANT,
}
GIANT_ONLY = "requires to be mounted on Mechsuit or Tank or Aeroplane"
WHY = {
    **dict.fromkeys(GIANT, GIANT_ONLY),
    **dict.fromkeys(MECHSUIT, "requires to be mounted on Mechsuit"),
    "bike-wheels-mk1": "requires to be mounted on Bike",
}
HELD = "already taken (not Repeatable)"


@pytest.fixture
def owner(make):
    """Make an owner of Level 10 with a vehicle of some Level."""

    def build(name: str, level: int = 1) -> State:
        answers = {"asset": f"vehicle/{name}", **CHOICES[name]}
        return with_vehicle_at(make("the-tank", 10, answers).state, level)

    return build


def with_vehicle_at(state: State, level: int) -> State:
    """Return an owner whose vehicle has a Level."""
    units = [u._replace(advances=level - 1) if u.entity else u for u in state.units]
    return state.with_changes(units=tuple(units))


def vehicle(state: State) -> str:
    [found] = [unit.id for unit in state.units if unit.type.id == "vehicle"]
    return found


def question(state: State) -> Decision:
    """Return what a vehicle's upgrade asks."""
    unit = state.unit(vehicle(state))
    [question] = unit.type.asks
    return make_decision(
        f"{unit.id}.level.{state.level_of(unit)}.systems", question, state, unit.id
    )


@pytest.mark.parametrize("name", LEVELS)
def test_hp_and_slots_at_each_level(owner, name):
    state = owner(name)
    for level, (hp, slots) in enumerate(zip(*LEVELS[name], strict=True), 1):
        values = with_vehicle_at(state, level).values(vehicle(state))
        assert (values.base("max_hp"), values.base("hp"), values.base("slots")) == (hp, hp, slots)
        assert values.base("slots_used") == USED[name]


@pytest.mark.parametrize("level", [1, 4, 10])
def test_a_vehicle_never_outranks_its_owner(make, level):
    """'A character cannot upgrade a Vehicle to any Level higher than their own.'"""
    state = make("the-tank", level, {"asset": "vehicle/bike"}).state
    unit = state.unit(vehicle(state))
    assert unit.type.highest is not None
    assert state.values(unit.id).evaluate(unit.type.highest) == level
    assert state.level_of(unit) == 1  # D33


def test_the_energy_of_a_second_capacitor_is_added(owner):
    """D38: 25 in the Bike's A1; a Tank's A2 holds 35, and an A1 beside it 25 more."""
    for name, energy in (("bike", 25), ("mechsuit", 35), ("tank", 35), ("aeroplane", 35)):
        state = owner(name)
        assert state.values(vehicle(state)).base("max_energy") == energy
    tank = question(owner("tank", 10))
    after = tank.state_with(["vehicle-system/capacitor-a1-mk1"])
    assert after.values(tank.unit).base("max_energy") == 60


@pytest.mark.parametrize("name", MOUNTED)
def test_which_systems_a_vehicle_may_have(owner, name):
    """Limited lines alone, in words (D14)."""
    state = owner(name)
    for system in state.ruleset.of_kind("vehicle-system"):
        reasons = unmet_requirements(system.requires, Applicant(state, vehicle(state), system))
        allowed = system.slug in MOUNTED[name]
        assert reasons == (() if allowed else (WHY[system.slug],)), system.id


@pytest.mark.parametrize("name", MOUNTED)
def test_what_an_upgrade_offers(owner, name):
    """Every System is shown; closed are those held already and those for other vehicles."""
    decision = question(owner(name, 10))
    state = decision.before
    offers = {offer.id.partition("/")[2]: offer.reasons for offer in decision.options()}
    assert len(offers) == 10
    starting = {holding.entity.slug for holding in state.held(decision.unit)}
    for slug, reasons in offers.items():
        if slug not in MOUNTED[name]:
            assert reasons == (WHY[slug],), slug
        else:
            assert reasons == ((HELD,) if slug in starting else ()), slug


def test_an_upgrade_stays_within_the_free_slots(owner):
    """A Tank has 6 Slots at Level 2 and fills 5: a gun (2) is too large, wheels are held."""
    full = question(owner("tank", 1))
    assert not full.before.values(full.unit).holds(full.question.when)
    decision = question(owner("tank", 2))
    assert decision.before.values(decision.unit).holds(decision.question.when)
    assert decision.free_budget() == 1
    reasons = {offer.id: offer.reasons for offer in decision.options()}
    assert reasons["vehicle-system/laser-tank-gun-mk1"] == ("needs 2 Slots; you have 1 left",)
    later = question(owner("tank", 6))
    assert later.free_budget() == 3
    gun = ["vehicle-system/laser-tank-gun-mk1"]
    assert later.rule_violations(gun) == ()
    assert later.rule_violations([*gun, "vehicle-system/capacitor-a1-mk1"]) != ()


def test_a_system_is_judged_by_the_vehicle_that_takes_it(owner):
    """The character has no vehicle tags: nothing can be mounted on it."""
    state = owner("tank")
    gun = state.ruleset.entity("vehicle-system/laser-tank-gun-mk1")
    assert unmet_requirements(gun.requires, Applicant(state, entity=gun)) == (GIANT_ONLY,)


# ------------------------------------------------------------------ Actions


def act(state: State, entity: str, key: str) -> State:
    """Let a vehicle use an Action of one of its Systems."""
    unit = vehicle(state)
    found = next(
        ability
        for ability in abilities.all_abilities(state, unit)
        if (ability.entity.id, ability.key) == (f"vehicle-system/{entity}", key)
    )
    return use.use_ability(state, found, {}, RunSettings(lambda _name, _dice, _label: [])).state


def test_deploy_is_switched_on_and_off(owner):
    """In combat it costs 1 of the Mechsuit's 35 Energy each time, and forbids moving (2 Energy)."""
    state = owner("mechsuit")
    for name, amount in (("in-combat", 1), ("active", 1), ("actions-left", 9)):
        entity = state.ruleset.entity(f"effect/{name}")
        state = state_changes.add_condition(state, CHARACTER, entity, amount)
    unit, legs = vehicle(state), "strider-mechsuit-legs-mk1"
    state = act(state, legs, "Deploy")
    assert state.condition_amount(unit, "effect/deploy") == 1
    with pytest.raises(RuleRefusal, match="the vehicle cannot move"):
        act(state, legs, "action")
    state = act(act(state, legs, "Deploy"), legs, "action")
    assert state.condition_amount(unit, "effect/deploy") == 0
    assert state.values(unit).base("energy") == 35 - 1 - 1 - 2


def test_taking_off(owner):
    state = act(owner("aeroplane"), "giant-atmospheric-thrusters-mk1", "Takeoff")
    assert state.condition_amount(vehicle(state), "effect/flying") == 1
    with pytest.raises(RuleRefusal, match="not on the ground"):
        act(state, "giant-atmospheric-thrusters-mk1", "Takeoff")


def test_a_ballistic_gun_takes_three_actions_to_load(owner):
    """3 Ammo an Attack, 1 restored by each Action at 0 Energy."""
    state = owner("tank")
    name = "ballistic-tank-gun-mk1"
    [gun] = [h for h in state.holdings if h.entity.slug == name]
    [ammo] = gun.entity.capacities
    assert state_changes.capacity_left(state, gun, ammo) == 3
    state, _real = state_changes.change_capacity(state, gun, ammo, -3)
    loaded = []
    for _time in range(4):
        state = act(state, name, "Reload")
        loaded.append(state_changes.capacity_left(state, gun, ammo))
    assert loaded == [1, 2, 3, 3]
    assert state.values(vehicle(state)).base("energy") == 35
