"""Which Systems an upgrade of a vehicle offers. Figures and Actions of vehicles are samples."""

from __future__ import annotations

import pytest

from charforge.character.requirements import Applicant, unmet_requirements
from charforge.character.state import State
from charforge.decisions.base import Decision
from charforge.decisions.kinds import make_decision

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


def test_a_system_is_judged_by_the_vehicle_that_takes_it(owner):
    """The character has no vehicle tags: nothing can be mounted on it."""
    state = owner("tank")
    gun = state.ruleset.entity("vehicle-system/laser-tank-gun-mk1")
    assert unmet_requirements(gun.requires, Applicant(state, entity=gun)) == (GIANT_ONLY,)
