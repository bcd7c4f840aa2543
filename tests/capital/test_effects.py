"""Hands, weight and reloads. Systems and items are in samples (catalog/capital/tests)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from charforge.character import gear, state_changes
from charforge.character.holdings import add_holding
from charforge.character.state import CHARACTER, FixedModifier, State


class Table:
    """A character that a test gives things and scores."""

    def __init__(self, state: State) -> None:
        self.state = state

    def gain(self, entity: str) -> str:
        """Gain something without further ado, take it in hand where it is gear; its path."""
        path = entity.partition("/")[2]
        self.state = add_holding(self.state, self.state.ruleset.entity(entity), path, "test")
        holding = self.state.holding(path)
        assert holding is not None
        if holding.entity.kind in self.state.ruleset.head.gear.kinds:
            self.state = gear.hold(self.state.with_changes(in_hand={}), holding)
        return path

    def set(self, value: str, amount: int) -> None:
        """Give a value a lasting figure."""
        more = amount - self.state.values().base(value)
        settled = FixedModifier(CHARACTER, value, "add", more, "test")
        self.state = self.state.with_changes(fixed_modifiers=(*self.state.fixed_modifiers, settled))


@pytest.fixture
def table(make) -> Callable[..., Table]:
    """Sit a character down: its Role, and what it has beside."""

    def sit(role: str = "the-tank", *things: str, level: int = 1) -> Table:
        seated = Table(make(role, level).state)
        for thing in things:
            seated.gain(thing)
        return seated

    return sit


# ------------------------------------------------------------------ conditions


def test_lockdown_counters_join_those_that_are_left(capital, table):
    """What is put without turns of its own is one condition, and begins anew."""
    unit, lockdown = table(), capital.entity("effect/lockdown")
    state = state_changes.add_condition(unit.state, CHARACTER, lockdown, 4)
    state = state_changes.add_condition(state, CHARACTER, lockdown, 5)
    assert [(c.amount, c.left) for c in state.conditions] == [(9, 1)]


# ------------------------------------------------------------------ ammo


def test_every_reload_of_the_book_restores_ammo(capital):
    """Wherever an Action says so, it does so: 1, or all (a Pistol is the Standard Pistol, D01)."""
    found = [
        (entity.id, action.text, [step.by and step.by.constant for step in action.does])
        for entity in capital.entities.values()
        for action in entity.actions
        if action.text.startswith("Restore ")
    ]
    assert len(found) == 18
    for name, text, by in found:
        assert by == ([1] if "1 Ammo" in text else [None]), name


def test_a_crits_damage_is_what_its_effect_says(capital):
    """+2 for a one-handed blade or a spear, +4, +6 for a sniper, +10 and +12 on vehicles."""
    crits = {
        entity.id: attack.crit
        for entity in capital.entities.values()
        for attack in entity.attacks
        if attack.crit is not None
    }
    assert len(crits) == 10
    for name, crit in crits.items():
        [said] = re.findall(r"\+(\d+) damage", crit.effect)
        assert crit.damage == int(said), name


# ------------------------------------------------------------------ gear


def test_two_hands_and_a_third_with_the_limb(make):
    """Two-handed things take two hands."""
    one = Table(make("the-tank", 1, {"asset": "augmentation/slots"}).state)
    assert gear.hand_count(one.state) == 2
    other = Table(make("the-tank", 1, {"asset": "augmentation/limb"}).state)
    assert gear.hand_count(other.state) == 3
    path = other.gain("equipment/simple-club-longsword")
    assert gear.hands_needed(other.state, other.state.holding(path)) == 2
    assert gear.free_hands(other.state) == 1
    other.gain("equipment/torch")
    assert gear.free_hands(other.state) == 2


@pytest.mark.parametrize(
    ("role", "item", "strength", "weight"),
    [
        ("the-tank", "equipment/simple-warhammer", 5, 6),
        ("the-tank", "equipment/simple-warhammer", 6, None),
        ("the-tank", "equipment/simple-club-longsword", 5, None),  # not Heavy
        ("the-healer", "equipment/minigun", 5, 6),
        ("the-healer", "special-weapon/minigun", 5, None),  # Heavy unless you have Training
        ("the-healer", "equipment/plasma-cannon", 0, None),  # D49: no limit from its +1
    ],
)
def test_what_is_too_heavy(table, role, item, strength, weight):
    unit = table(role)
    unit.set("str", strength)
    path = unit.gain(item)
    holding = unit.state.holding(path)
    found = gear.too_heavy(unit.state, holding)
    assert (found and found[1]) == weight


def test_an_attached_weapon_takes_no_hand(make):
    answers = {
        "asset": "augmentation/weapon",
        "asset.augmentation.weapon": "equipment/simple-warhammer",
    }
    unit = make("the-tank", 1, answers).state
    attached = [
        holding
        for holding in unit.holdings
        if holding.entity.id == "equipment/simple-warhammer" and unit.is_attached(holding)
    ]
    assert [gear.hands_needed(unit, holding) for holding in attached] == [0]
