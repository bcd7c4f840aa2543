"""Every vehicle's and Vehicle System's figures, read from the book a second time."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from charforge.rules.models import Entity

# Max HP and Slots at each Level; None is a blank cell, which carries (D29).
BIKE_LEVELS = [
    (10, 3), (18, 4), (26, None), (34, 6), (42, None), (50, 8), (58, None), (66, 10), (74, None),
    (82, 12),
]  # fmt: skip
MECHSUIT_LEVELS = [
    (12, 4), (20, 5), (28, None), (36, 6), (44, None), (52, 8), (60, None), (68, 10), (76, None),
    (84, 12),
]  # fmt: skip
TANK_LEVELS = [
    (20, 5), (30, 6), (40, None), (50, 7), (60, None), (70, 8), (80, None), (90, 10), (100, None),
    (110, 12),
]  # fmt: skip
AEROPLANE_LEVELS = [
    (12, 4), (20, 5), (28, None), (36, 6), (44, None), (52, 8), (60, None), (68, 10), (76, None),
    (84, 12),
]  # fmt: skip
LEVELS = {
    "bike": BIKE_LEVELS,
    "mechsuit": MECHSUIT_LEVELS,
    "tank": TANK_LEVELS,
    "aeroplane": AEROPLANE_LEVELS,
}


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
def test_a_vehicles_figures(capital, name):
    """The Bike alone needs no Training to be operated (D84)."""
    assert read(capital.entity(f"vehicle/{name}")) == VEHICLES[name]


@pytest.mark.parametrize("name", VEHICLES)
def test_an_owner_is_trained_with_its_vehicle(capital, name):
    """'You always have Training with your own Special Asset'; and with all of its type."""
    vehicle = capital.entity(f"vehicle/{name}")
    assert vehicle.own_training
    training = capital.entity(f"training/{VEHICLES[name].training}")
    assert capital.select(training.covers) == (vehicle,)


@pytest.mark.parametrize("name", LEVELS)
def test_a_vehicles_levels(capital, name):
    [table] = capital.entity(f"vehicle/{name}").tables
    rows = [
        tuple(None if cell is None else cell.constant for cell in row)
        for row in table.rows.values()
    ]
    assert (table.columns, table.blank) == (("max_hp", "slots"), "carry")
    assert list(table.rows) == list(range(1, 11))
    assert rows == LEVELS[name]


@pytest.mark.parametrize(
    ("name", "seen", "defense"),
    [
        ("bike", "seen and targeted", "Pilot's score in the matching Attribute"),
        ("mechsuit", "seen, but not targeted", "Pilot's score in the matching Attribute"),
        ("tank", "neither seen nor targeted", "Fixed Score of 7"),
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


def read_part(entity: Entity) -> Part:
    """Put the pack's Vehicle System into the shape of the table above."""
    chosen = {choice.id: choice.among.only for choice in entity.choices}
    attacks = tuple(
        (
            attack.range,
            f"{attack.hit} vs {attack.defence}",
            attack.damage,
            chosen["damage"] if attack.type == ("$damage",) else attack.type,
            attack.cost.get("energy", 0),
            attack.ammo,
            attack.crit and (attack.crit.margin, attack.crit.effect),
        )
        for attack in entity.attacks
    )
    actions = tuple((a.timing, a.name, a.cost.get("energy", 0), a.who) for a in entity.actions)
    return Part(
        entity.own["descriptor"], entity.slots, entity.own.get("limited"),
        entity.own.get("atmospheric", False), entity.own.get("capacity_energy", 0),
        sum(held.max.constant for held in entity.capacities), attacks, actions,
    )  # fmt: skip


def test_the_table_has_every_vehicle_system(capital):
    assert {entity.slug for entity in capital.of_kind("vehicle-system")} == set(PARTS)
    assert len(PARTS) == 10


@pytest.mark.parametrize("name", PARTS)
def test_a_vehicle_systems_figures(capital, name):
    assert read_part(capital.entity(f"vehicle-system/{name}")) == PARTS[name]


@pytest.mark.parametrize("name", ["ballistic-tank-gun-mk1", "mechsuit-arm-mk1"])
def test_what_always_crits_against_giants(capital, name):
    [attack] = capital.entity(f"vehicle-system/{name}").attacks
    assert "always Crits" in attack.text
    assert "Giant or larger" in attack.text


@pytest.mark.parametrize("name", ["capacitor-a1-mk1", "capacitor-a2-mk1"])
def test_a_capacitors_energy_is_its_vehicles(capital, name):
    """D38."""
    [modifier] = capital.entity(f"vehicle-system/{name}").modifies
    assert (modifier.value, modifier.op) == ("max_energy", "add")
    assert modifier.amount.constant == PARTS[name].energy
