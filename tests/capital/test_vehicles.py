"""Vehicles: their Training, visibility and Defense, and the Energy of capacitors."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("name", ["bike", "mechsuit", "tank", "aeroplane"])
def test_an_owner_is_trained_with_its_vehicle(capital, name):
    """'You always have Training with your own Special Asset'; and with all of its type."""
    vehicle = capital.entity(f"vehicle/{name}")
    assert vehicle.own_training
    training = capital.entity(f"training/{name}s")
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


@pytest.mark.parametrize(("name", "energy"), [("capacitor-a1-mk1", 25), ("capacitor-a2-mk1", 35)])
def test_a_capacitors_energy_is_its_vehicles(capital, name, energy):
    """D38."""
    [modifier] = capital.entity(f"vehicle-system/{name}").modifies
    assert (modifier.value, modifier.op) == ("max_energy", "add")
    assert modifier.amount.constant == energy
