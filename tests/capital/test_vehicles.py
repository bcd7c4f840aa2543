"""The figures of vehicles and Vehicle Systems, transcribed from the book independently."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from charforge.rules.models import Entity


class Vehicle(NamedTuple):
    """A vehicle as printed; ``either`` are Systems of which the owner chooses one."""

    descriptor: str
    size: str
    diameter: str
    passengers: int
    training_needed: bool
    training: str
    systems: tuple[str, ...]
    either: tuple[str, ...] = ()
    terminals: int = 1


VEHICLES = {
    "bike": Vehicle(
        "Large Special Bike Vehicle (Land) Unit", "Large", "~3 m", 0, False, "bikes",
        ("capacitor-a1-mk1", "bike-wheels-mk1"),
    ),
    "mechsuit": Vehicle(
        "Giant Special Mechsuit Vehicle (Land) Unit", "Giant", "~7 m", 0, True, "mechsuits",
        ("capacitor-a2-mk1", "mechsuit-arm-mk1"),
        ("strider-mechsuit-legs-mk1", "dancer-mechsuit-legs-mk1"),
    ),
    "tank": Vehicle(
        "Giant Special Tank Vehicle (Land) Unit", "Giant", "~7 m", 3, True, "tanks",
        ("capacitor-a2-mk1", "giant-wheels-mk1"),
        ("ballistic-tank-gun-mk1", "laser-tank-gun-mk1"),
    ),
    "aeroplane": Vehicle(
        "Giant Special Aeroplane Vehicle (Air) Unit", "Giant", "~7 m", 1, True, "aeroplanes",
        ("capacitor-a2-mk1", "giant-atmospheric-thrusters-mk1"),
    ),
}  # fmt: skip


def tails(ids: list[str], kind: str) -> tuple[str, ...]:
    return tuple(name.removeprefix(f"{kind}/") for name in ids if name.startswith(f"{kind}/"))


def read(entity: Entity) -> Vehicle:
    """Put the pack's vehicle into the shape of the table above."""
    granted = [grant.id for grant in entity.grants]
    chosen = [
        grant.id
        for choice in entity.choices
        for option in choice.options
        for grant in option.grants
    ]
    own = entity.own
    [training] = tails(granted, "training")
    return Vehicle(
        own["descriptor"], own["size"], own["diameter"], own["passengers"],
        own["training_needed"], training, tails(granted, "vehicle-system"),
        tails(chosen, "vehicle-system"), own["terminals"],
    )  # fmt: skip


@pytest.mark.parametrize("name", VEHICLES)
def test_an_owner_is_trained_with_its_vehicle(capital, name):
    """'You always have Training with your own Special Asset'; and with all of its type."""
    vehicle = capital.entity(f"vehicle/{name}")
    assert vehicle.own_training
    training = capital.entity(f"training/{VEHICLES[name].training}")
    assert capital.select(training.covers) == (vehicle,)


@pytest.mark.parametrize(
    ("name", "seen", "defense"),
    [
        ("bike", "seen and targeted", "Pilot's Score in the same Attribute"),
        ("mechsuit", "seen, but not targeted", "Pilot's Score in the same Attribute"),
        ("tank", "Cannot be seen or targeted", "Fixed Score of 7"),
        ("aeroplane", "seen, but not targeted", "Pilot's AGI"),
    ],
)
def test_how_a_vehicle_is_seen_and_defends_itself(capital, name, seen, defense):
    own = capital.entity(f"vehicle/{name}").own
    assert seen in own["visibility"]
    assert defense in own["defense"]


# ------------------------------------------------------------------ Vehicle Systems


class Part(NamedTuple):
    """A Vehicle System as printed.

    An Attack is its range, what it rolls, damage, types, Energy, Ammo and Crit; an
    Action its timing, name and Energy.
    """

    descriptor: str
    slots: int
    limited: str | None = None
    atmospheric: bool = False
    energy: int = 0
    ammo: int = 0
    attacks: tuple[tuple[object, ...], ...] = ()
    actions: tuple[tuple[object, ...], ...] = ()


GIANT = "Giant Vehicle or larger"
PARTS = {
    "ballistic-tank-gun-mk1": Part(
        "Gun Weapon (Damage) System for Vehicles", 2, GIANT, atmospheric=True, ammo=3,
        attacks=(("200m", "vsn vs agi", 12, ("blunt",), 1, 3, (4, "+12 damage")),),
        actions=(("action", "Reload", 0, "Anyone inside"),),
    ),
    "dancer-mechsuit-legs-mk1": Part(
        "Movement System for Vehicles", 1, "Giant Mechsuit",
        actions=(("action", "", 2, "Operator"),),
    ),
    "bike-wheels-mk1": Part(
        "Movement System for Vehicles", 1, "Large Vehicle",
        actions=(("action", "", 1, "Operator"), ("action", "", 2, "Operator")),
    ),
    "capacitor-a1-mk1": Part("Energy System for Vehicles", 2, None, atmospheric=True, energy=25),
    "capacitor-a2-mk1": Part("Energy System for Vehicles", 2, GIANT, atmospheric=True, energy=35),
    "giant-atmospheric-thrusters-mk1": Part(
        "Movement System for Vehicles", 2, GIANT, atmospheric=True,
        actions=(
            ("action", "Takeoff", 2, "Operator"),
            ("action", "Flight", 2, "Operator"),
            ("action", "Nosedive", 0, "Operator"),
            ("reaction", "Nosedive (automatic)", 0, "The vehicle"),
        ),
    ),
    "giant-wheels-mk1": Part(
        "Movement System for Vehicles", 1, GIANT,
        attacks=(("Melee", "7 vs agi", 15, ("blunt",), 0, 0, None),),
        actions=(("action", "Move", 1, "Operator"), ("action", "Full Speed", 2, "Operator")),
    ),
    "laser-tank-gun-mk1": Part(
        "Gun Weapon (Damage) System for Vehicles", 2, GIANT, ammo=1,
        attacks=(("200m", "vsn vs agi", 14, ("heat",), 2, 1, None),),
        actions=(("action", "Reload", 0, "Anyone inside"),),
    ),
    "mechsuit-arm-mk1": Part(  # prints no Slots; counts as 1 (D30)
        "Melee Weapon (Damage) System for Vehicles", 1, "Giant Mechsuit",
        attacks=(
            ("Melee", "vsn vs agi", 10, ("blunt", "sharp", "heat"), 1, 0, (4, "+10 damage")),
        ),
    ),
    "strider-mechsuit-legs-mk1": Part(
        "Movement System for Vehicles", 1, "Giant Mechsuit",
        actions=(("action", "", 2, "Operator"), ("action", "Deploy", 1, "Operator")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ["capacitor-a1-mk1", "capacitor-a2-mk1"])
def test_a_capacitors_energy_is_its_vehicles(capital, name):
    """D38."""
    [modifier] = capital.entity(f"vehicle-system/{name}").modifies
    assert (modifier.value, modifier.op) == ("max_energy", "add")
    assert modifier.amount.constant == PARTS[name].energy
