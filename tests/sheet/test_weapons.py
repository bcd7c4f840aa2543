"""Weapons: one row each, with modes inside and no repetition."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given as over, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.export import json as json_export
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import blank_view, build
from charforge.sheet.drawings import box_label, ticks
from charforge.sheet.html import render_html
from charforge.sheet.print_options import Layout, PrintOptions
from charforge.sheet.view import Attribute, Check, RulesText, SheetView, UnitPanel, Weapon
from tests.samples import law
from tests.sheet.conftest import Make, given


def weapon(view: SheetView | UnitPanel, name: str) -> Weapon:
    return next(one for one in view.weapons if one.name == name)


def attribute(view: SheetView, name: str) -> Attribute:
    return next(one for one in view.attributes if one.id == name)


def test_a_gun_says_each_thing_once(make: Make) -> None:
    """The damage type is not in the name, 1 Ammo a shot is in its boxes, Training in its roll."""
    scout = make(role="role/the-scout", role__weapon="equipment/standard-pistol",
                 role__weapon__damage="heat", asset="vehicle/bike")  # fmt: skip
    pistol = weapon(build(scout), "Standard Pistol")
    vision = scout.state.values().total("vsn")
    assert pistol.shared.made_of == f"VSN\xa0{vision} + Training\xa02"
    assert (pistol.shared.types, pistol.shared.icons, pistol.notes) == ("Heat", ("flame",), ())
    assert (pistol.shared.extras, [one.label for one in pistol.capacities]) == ((), ["Ammo"])
    assert (pistol.shared.roll_dice, pistol.shared.roll_bonus, pistol.shared.damage_dice) == (
        "2d6",
        vision + 2,
        "10",
    )
    assert pistol.modes == ()
    assert pistol.attacks[0].roll == pistol.shared.roll == f"+{vision + 2}"


def test_shots_are_damage_to_roll(make: Make) -> None:
    """Shots multiply the damage: 3d6 + 2 of 1 each, 4 of 3 each are 12."""
    lancer = make(role="role/the-lancer", asset="special-weapon/minigun")
    minigun = weapon(build(lancer), "Minigun")
    assert (minigun.shared.damage, minigun.shared.damage_note) == ("3d6\xa0+\xa04", "1 per Shot")
    assert minigun.shared.damage_dice == "3d6+4"
    rifle = weapon(build(given(lancer, "equipment/precision-rifle")), "Precision Rifle")
    near, far = rifle.modes
    assert (near.damage, near.damage_note, near.damage_dice) == ("12", "4 Shots × 3", "12")
    assert (far.range, far.damage) == ("100\xa0m", "9")
    assert (near.types, rifle.shared.types, rifle.shared.roll, near.roll) == (
        "",
        "Sharp",
        rifle.shared.roll,
        "",
    )
    first = rifle.first_row
    assert (first.range, first.roll, first.damage) == ("50\xa0m", rifle.shared.roll, "12")
    assert rifle.further_rows == (far,)


def test_modes_that_differ_only_in_range_are_one(make: Make) -> None:
    """A trained Lancer shoots as well at 100 m as at 50 m."""
    lancer = make(role="role/the-lancer", asset="special-weapon/rifle")
    rifle = weapon(build(lancer), "Rifle")
    assert (rifle.shared.range, rifle.modes) == ("50\xa0m, 100\xa0m", ())


def test_a_second_mode_has_only_what_differs(make: Make) -> None:
    dagger = weapon(build(given(make(), "equipment/simple-dagger")), "Simple Dagger")
    hand, thrown = dagger.modes
    assert (hand.range, thrown.range, dagger.shared.range) == ("Melee", "10\xa0m", "")
    assert (dagger.shared.damage, dagger.shared.types, hand.damage, thrown.types) == (
        "8",
        "Sharp",
        "",
        "",
    )
    assert dagger.shared.roll == ""
    assert hand.roll_dice == thrown.roll_dice == "2d6"
    assert [one.damage for one in dagger.attacks] == ["8", "8"]


def test_costs_of_more_than_one_are_told() -> None:
    """A burst takes 10 rounds: the boxes do not say that."""
    answers = {"weapons": ["weapon/automatic"]}
    soldier = CharacterSpec(load("squad-d20"), "1", "Ada", answers=answers)
    view = build(soldier.replay(RandomAnswers("1")))
    gun = next(one for one in view.weapons if len(one.modes) > 1)
    costs = {mode.name: mode.extras for mode in gun.modes}
    assert costs[""] == ()
    assert costs["Burst Fire"] == ("Rounds\xa0−10",)
    assert gun.shared.range
    assert not any(mode.range for mode in gun.modes)
    assert gun.shared.roll_dice == "1d20"


def test_boxes_of_a_weapon_are_as_its_modes_use_them() -> None:
    """Of 100 rounds modes use 10, 20 or 40: ten boxes on a short sheet, not five of 20 rounds."""
    answers = {"weapons": ["weapon/fully-automatic"]}
    soldier = CharacterSpec(load("squad-d20"), "1", "Ada", answers=answers)
    view = build(soldier.replay(RandomAnswers("1")))
    (rounds,) = {one.used_at_once: one for gun in view.weapons for one in gun.capacities}.values()
    assert rounds.used_at_once == 10
    short = PrintOptions("short")
    assert box_label(rounds._replace(max=100), short) == "Rounds 100, each box 10"
    assert ticks(100, short, at_once=rounds.used_at_once).pips == 10
    assert ticks(30, short, at_once=rounds.used_at_once).worth == 5


def test_checks_are_given_to_programs(make: Make) -> None:
    scout = make(role="role/the-scout")
    view = build(scout)
    assert attribute(view, "agi").check == Check("2d6", scout.state.values().total("agi"))
    assert view.combat[0].check == Check("2d6", scout.state.values().total("agi"))
    soldier = CharacterSpec(load("squad-d20"), "1", "Ada").replay(RandomAnswers("1"))
    rows = {row.name: row for part in build(soldier).lists for row in part.rows}
    assert rows["Stealth"].check == Check("1d20", int(rows["Stealth"].cells[0].text))
    assert rows["Toughness"].check is None


def test_the_json_export_has_weapons(make: Make) -> None:
    sheet = json_export.export(make(role="role/the-scout")).model_dump()["sheet"]
    assert {one["name"] for one in sheet["weapons"]} >= {"Unarmed"}


@law(few=10)
@over(seed=st.integers(0, 10**6).map(str), level=st.integers(1, 10))
def test_the_attacks_of_weapons_are_those_of_the_rules(
    capital: Ruleset, seed: str, level: int
) -> None:
    character = CharacterSpec(capital, seed, "Ada", level).replay(RandomAnswers(seed))
    view = build(character)
    for holder in (view, *view.units):
        attacks = [attack for one in holder.weapons for attack in one.attacks]
        assert all(one.roll and one.made_of and one.versus for one in attacks)
        assert all(one.range and one.damage and one.damage_dice for one in attacks)
        assert all(int(one.roll.replace("\u2212", "-")) == one.roll_bonus for one in attacks)


@pytest.mark.parametrize("layout", ["full", "short"])
def test_a_weapon_of_a_vehicle_with_nothing_else_to_say_is_named_once(
    make: Make, layout: Layout
) -> None:
    view = build(make(level=5, asset="vehicle/mechsuit"))
    unit = view.units[0]
    weapon = unit.weapons[0]._replace(name="Ram Prow", capacities=())
    card = unit.cards[0]._replace(name="Ram Prow", text=RulesText(), actions=(), capacities=())
    view = view._replace(units=(unit._replace(weapons=(weapon,), cards=(card,)),))
    assert render_html(view, PrintOptions(layout)).count("Ram Prow</") == 1


@pytest.mark.parametrize(
    ("capacities", "columns"),
    [("", []), (", capacities: [{id: stones, label: Stones, max: 9}]", ["Ammo"])],
)
def test_only_a_game_with_ammo_has_a_column_for_it(
    dug: Callable[..., Ruleset], capacities: str, columns: list[str]
) -> None:
    rolled = ("ruleset.yaml", "play:\n", "attack_roll: {dice: 1d20}\nplay:\n")
    needle = "name: Needle, source: Gear, price: 1"
    thrown = ("things.yaml", needle, f"{needle}, attacks: [{{damage: 1d4}}]{capacities}")
    page = render_html(blank_view(dug(rolled, thrown)), PrintOptions(blank=True))
    assert re.findall(r">(Ammo)</th>", page) == columns
