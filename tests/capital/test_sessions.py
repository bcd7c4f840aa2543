"""Sessions of play worked by hand: results, saved events and undo."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from charforge.character.files import reader
from charforge.character.files.document import to_text
from charforge.character.files.events import AbilityEvent, Override, SetEvent
from charforge.character.state import CHARACTER
from charforge.cli.console import SHELL, FrontEnd
from charforge.cli.messages import error_message
from charforge.describe.held_entities import HeldEntity
from charforge.errors import AmbiguousName, ProcedureError, RuleRefusal, WrongUnit
from charforge.replay.loaded_character import load_document
from charforge.sheet.attacks import attack_steps
from charforge.verbs import manual_changes, play
from charforge.verbs.change import PlayResult, change_character, draft_event
from charforge.verbs.history import history_entries, undo
from charforge.verbs.inventory import stow_items
from charforge.verbs.odds import calculate_odds, find_odds_subject
from charforge.verbs.typed_inputs import TypedInputs
from charforge.verbs.unit_status import unit_status
from tests.tables import HERE, Session


def texts(done: PlayResult) -> list[str]:
    return [step.text for step in done.steps]


@pytest.fixture
def sit(make) -> Callable[..., Session]:
    return lambda *given, **more: Session(make(*given, **more).opened)


# ------------------------------------------------------------------ Focus and All Out


def test_a_fight_with_focus_and_all_out(sit):
    """A Scout of Level 3: AGI 5 assigned + 1 of the Role = 6; Energy is WIL 6 and its table."""
    scout = sit("the-scout", 3)
    energy = scout.now("energy")
    assert scout.now("agi") == 6

    scout(play.use_named, "focus i", "gain focus")
    assert scout.now("energy") == energy - 1  # Gain Focus costs 1
    assert (scout.now("agi"), scout.lasting("agi")) == (7, 6)  # the current layer alone
    with pytest.raises(RuleRefusal, match="on cooldown"):
        scout(play.use_named, "focus i", "gain focus")

    with pytest.raises(RuleRefusal, match="use Focus I: Gain Focus now: on cooldown"):
        scout(play.use_named, "system/focus-i")  # never replaced by the Extra Action
    scout(play.use_named, "system/focus-i", "extra action")
    assert scout.now("energy") == energy - 3  # which costs 2

    scout(play.use_named, "ALL OUT")
    assert scout.now("agi") == 8  # 6 + 1 of Focus + 1 of All Out
    assert scout.line.partition(" | ")[2] == (
        "Focus, All Out, Sprint | on cooldown: Focus I: Gain Focus (5+), All Out (signature)"
    )

    done = scout(play.start_or_end_turn, dice={"Focus I": (4,)})  # 5+: a 4 is not enough
    assert "Focus I: rolled 4, still on cooldown" in texts(done)
    assert scout.now("agi") == 6  # all last until the turn starts
    done = scout(play.start_or_end_turn, dice={"Focus I": (5,)})
    assert "Focus I: rolled 5, ready again" in texts(done)
    assert scout.line.endswith("on cooldown: All Out (signature)")

    scout(play.take_rest, "full", dice={"all out": (5,)})  # Signature: 5 or more
    assert "cooldown" not in scout.line
    assert scout.now("energy") == energy  # a Full Rest restores all of it


def test_what_was_undone_rolls_the_same_dice_again(sit):
    scout = sit("the-scout", 3)
    first = play.roll_check(scout.opened, "agi", 6)
    back = undo(first.after).after
    second = play.roll_check(back, "agi", 6)
    assert second.after.document == first.after.document
    assert texts(second) == texts(first)
    third = play.roll_check(first.after, "agi", 6)  # another event, other dice
    assert third.after.document.log[-1].faces != first.after.document.log[-1].faces


# ------------------------------------------------------------------ dying and recovering


def test_dying_and_recovering(sit):
    """HP at Level 3: FTD 6 + 10 = 16, and twice max(1 + 6 + 2, 6 + 6) = 12: 40. Bones: FTD 6."""
    scout = sit("the-scout", 3)
    assert (scout.now("hp"), scout.now("bones"), scout.now("vsn")) == (40, 6, 6)

    scout(play.apply_damage, 45, "Sharp")  # 5 beyond the last HP are lost
    assert (scout.now("hp"), scout.now("bones")) == (0, 6)
    assert (scout.now("vsn"), scout.lasting("vsn")) == (4, 6)  # −2 while in Critical Condition
    assert scout.now("agi") == 0  # and −4 to AGI while Prone: 6 − 2 − 4
    assert "Prone, Critical Condition" in scout.line

    scout(play.apply_damage, 2)
    assert scout.now("bones") == 4
    done = scout(
        play.start_or_end_turn
    )  # 1 damage each turn in Critical Condition, and 1 Action less
    assert scout.now("bones") == 3
    assert done.outputs == {"actions": 1}

    done = scout(play.apply_healing, 5)
    assert "No longer in Critical Condition, but still Prone." in texts(done)
    assert (scout.now("hp"), scout.now("vsn")) == (5, 4)  # −2 stays while Bones are missing
    # out of Critical Condition, so the second Action of the turn is there again
    assert scout.line.endswith("| Prone, Active, In combat, Actions left 2, Missing Bones")
    scout(manual_changes.change_condition, "prone", off=True)

    scout(play.take_rest, "full", dice={"knit": (3,)})  # 1d6 Bones
    assert (scout.now("hp"), scout.now("bones"), scout.now("agi")) == (40, 6, 6)


def test_a_death_check_that_fails(sit):
    """WIL 6 − 0; 1 + 2 + 6 = 9, no Grit, against 6 + 5 + 7 = 18."""
    scout = sit("the-scout", 3)
    scout(play.apply_damage, 40)
    scout(play.apply_damage, 6, dice={"own": (1, 2), "theirs": (6, 5)})
    assert scout.now("bones") == 0
    assert "Dead" in scout.line
    with pytest.raises(RuleRefusal, match="dead"):
        scout(play.apply_healing, 5)
    scout(
        manual_changes.add_note, "We buried her at sea.", "2026-01-01 20:00+00:00"
    )  # verbs still work
    scout.opened = undo(scout.opened).after
    scout.opened = undo(scout.opened).after
    assert scout.opened.document.undone[0].procedure == "damage"
    assert "Dead" not in scout.line


# ------------------------------------------------------------------ Grit


def test_grit_after_the_roll(sit):
    """Difficulty 9: 3 + 3 + AGI 6 = 12 against 5 + 3 + 9 = 17. It fails by 5 and gives 1 Grit.

    Then 4 Grit turn 6 + 2 + 6 = 14 against 3 + 4 + 9 = 16 into 16: a tie, and no Grit for it.
    """
    scout = sit("the-scout", 3)
    scout(play.roll_check, "Agility", 9, dice={"own": (3, 3), "theirs": (5, 3)})
    assert scout.now("grit") == 1
    for _time in range(4):
        scout(play.roll_check, "agi", 9, dice={"own": (3, 3), "theirs": (5, 3)})
    done = scout(
        play.roll_check, "agi", 9, words={"grit": "4"}, dice={"own": (6, 2), "theirs": (3, 4)}
    )
    assert (done.outputs["total"], done.outputs["margin"], scout.now("grit")) == (16, 0, 1)
    assert scout.opened.document.log[-1].inputs == {"attribute": "agi", "vs": 9, "grit": 4}
    with pytest.raises(ProcedureError, match="is not between 0 and 1"):
        scout(
            play.roll_check, "agi", 9, words={"grit": "4"}, dice={"own": (6, 2), "theirs": (3, 4)}
        )


# ------------------------------------------------------------------ ammo


def test_ammo_and_reload(sit):
    """A Precision Rifle as its entity has it: each Attack spends its Ammo until none is left."""
    scout = sit("the-scout", 1)
    scout.opened = stow_items(scout.opened, (), everything=True).after
    with pytest.raises(RuleRefusal, match="not in hand"):
        scout(play.use_named, "precision rifle", "50m", words={"opposed": "30"})
    scout.hold("equipment/precision-rifle")
    state = scout.opened.character.state
    rifle = next(h for h in state.holdings if h.entity.id == "equipment/precision-rifle")
    (capacity,) = rifle.entity.capacities
    attack = rifle.entity.attacks[0]

    scout(play.use_named, "precision rifle", attack.range, words={"opposed": "30"})
    left = capacity.max.constant - attack.cost["ammo"]
    assert (
        f"Precision Rifle: in hand, Ammo {left}/{capacity.max}"
        in unit_status(scout.opened.character.state).items
    )
    assert "Attack Counter 1" in scout.line
    scout(manual_changes.spend_resource, "ammo", left, item="precision")
    with pytest.raises(RuleRefusal, match="needs"):
        scout(play.use_named, "precision rifle", attack.range, words={"opposed": "30"})
    scout(play.use_named, "precision rifle", "reload")
    assert (
        f"Precision Rifle: in hand, Ammo {capacity.max}/{capacity.max}"
        in unit_status(scout.opened.character.state).items
    )
    scout(play.start_or_end_turn, end=True)
    assert scout.opened.document.log[-1].procedure == "turn-end"


# ------------------------------------------------------------------ companions and vehicles


def test_a_companion_shares_the_turn_and_the_rests_of_its_owner(sit):
    """Each has 2 Actions of its own. A Full Rest restores all HP of both (11 of the Land Beast)."""
    answers = {
        "asset": "companion/land-beast",
        "asset.companion.array": {"str": 7, "ftd": 6, "agi": 5, "cha": 4},
    }
    tank = sit("the-tank", 1, answers)
    beast = tank.opened.character.state.units[1].id

    def left(unit: str) -> int:
        return tank.opened.character.state.condition_amount(unit, "effect/actions-left")

    done = tank(play.start_or_end_turn)
    assert texts(done).count("Actions this turn: 2") == 2
    assert (done.unit, left(CHARACTER), left(beast)) == (CHARACTER, 2, 2)
    tank(play.use_named, "move")
    tank(play.use_named, "move", unit_id="land-beast")
    tank(play.use_named, "move", unit_id="land-beast")
    with pytest.raises(RuleRefusal, match="no Actions left"):
        tank(play.use_named, "move", unit_id="land-beast")
    assert (left(CHARACTER), left(beast)) == (1, 0)

    tank(play.start_or_end_turn, unit_id="land-beast")  # one alone
    assert (left(CHARACTER), left(beast)) == (1, 2)
    ended = tank(play.start_or_end_turn, end=True)
    assert (left(CHARACTER), left(beast)) == (0, 0)
    names = f"{tank.opened.document.name}, Land Beast"
    assert [line.text for line in ended.lines][:2] == [
        f"End of turn: {names}",
        f"Still active ({tank.opened.document.name}): In combat",
    ]

    tank(play.apply_damage, 5, unit_id="land-beast")
    tank(play.apply_damage, 5)
    tank(play.take_rest, "full")
    assert (tank.now("hp"), tank.now("hp", beast)) == (tank.now("max_hp"), 11)
    again = tank(play.take_rest, "full")
    assert [line.text for line in again.lines] == ["There was nothing to restore."]


def test_typed_dice_are_those_of_the_first_who_rolls_them(sit):
    answers = {
        "asset": "companion/land-beast",
        "asset.companion.array": {"str": 7, "ftd": 6, "agi": 5, "cha": 4},
    }
    tank = sit("the-tank", 1, answers)
    tank(play.take_rest, "long", hours=1, dice={"rested": (3, 4)})
    own, beast = tank.opened.document.log[-2:]
    assert (own.faces["rested"], beast.faces["rested"]) == ([[3]], [[4]])
    with pytest.raises(ProcedureError, match="not needed"):
        tank(play.take_rest, "long", hours=1, dice={"rested": (3, 4, 5)})


def test_a_companion_is_hurt_and_shares_energy(sit):
    """A Land Beast with FTD 6 at Level 1: HP 6 + 5 = 11, Bones 6."""
    answers = {
        "asset": "companion/land-beast",
        "asset.companion.array": {"str": 7, "ftd": 6, "agi": 5, "cha": 4},
    }
    healer = sit("the-tank", 1, answers)
    beast = healer.opened.character.state.units[1].id
    assert (healer.now("hp", beast), healer.now("bones", beast)) == (11, 6)

    done = healer(play.apply_damage, 12, unit_id="land-beast")
    assert done.unit == beast
    assert (healer.now("hp", beast), healer.now("hp")) == (0, healer.now("max_hp"))
    assert healer.now("str", beast) == 7 - 2
    healer(play.apply_healing, 3, unit_id="Land Beast")
    assert (healer.now("hp", beast), healer.now("str", beast)) == (3, 7)  # its Bones are whole

    energy = healer.now("energy")
    healer(
        manual_changes.spend_resource, "energy", 2, unit_id="land-beast"
    )  # of its owner: they share it
    assert (healer.now("energy"), healer.now("energy", beast)) == (energy - 2, energy - 2)

    healer(manual_changes.change_condition, "prone", unit_id="land-beast", off=True)
    done = healer(play.use_named, "melee", unit_id="land-beast", words={"opposed": "9"},
                  dice={"own": (1, 2)})  # fmt: skip
    # 1 + 2 + STR 7 = 10 against 9: a hit by 1, for its damage of 6
    assert (done.outputs["total"], done.outputs["hits"], done.outputs["dealt"]) == (10, 1, 6)


def test_a_vehicles_gun_is_fired_by_its_owner_and_paid_by_the_vehicle(sit):
    """Ballistic Tank Gun: VSN against AGI, 12 damage, 1 of the vehicle's Energy and 3 Ammo."""
    answers = {"asset": "vehicle/tank", "asset.vehicle.weapon": "ballistic"}
    driver = sit("the-scout", 1, answers)
    tank = driver.opened.character.state.units[1]
    energy, own = driver.now("energy", tank.id), driver.now("energy")
    driver(play.start_or_end_turn)  # out of combat it costs no Energy
    done = driver(play.use_named, "tank gun", unit_id="tank", words={"opposed": "10"},
                  dice={"own": (1, 3)})  # fmt: skip
    # 1 + 3 + VSN 6 + Training 2 = 12 against 10: a hit by 2, no Crit (4)
    assert (done.outputs["total"], done.outputs["margin"], done.outputs["is_crit"]) == (12, 2, 0)
    assert done.outputs["dealt"] == 12
    assert (driver.now("energy", tank.id), driver.now("energy")) == (energy - 1, own)
    for end in (False, True):  # it acts in its owner's turn
        with pytest.raises(WrongUnit, match="shares the turns"):
            driver(play.start_or_end_turn, end, unit_id="tank")
    driver(play.apply_damage, 4, unit_id="tank")
    assert driver.now("hp", tank.id) == 20 - 4  # HP of a Tank at Level 1: 20
    assert driver.now("hp") == driver.now("max_hp")


class Mechsuit(NamedTuple):
    """A driver with a Mechsuit that has an arm and the legs of a Strider."""

    driver: Session
    vehicle: str

    @property
    def energy(self) -> int:
        return self.driver.now("energy", self.vehicle)

    def deploy(self) -> None:
        self.driver(play.use_named, "strider", "deploy", unit_id=self.vehicle)

    def energy_as_paid(self) -> int:
        """Return the Energy if the last event had cost what it costs in combat: in old files."""
        *log, event = self.driver.opened.document.log
        paid = event.model_copy(update={"spared": False})
        document = self.driver.opened.document.model_copy(update={"log": (*log, paid)})
        old = load_document(document, HERE, self.driver.opened.ruleset)
        return old.character.state.values(self.vehicle).total("energy")


@pytest.fixture
def mechsuit(sit):
    answers = {"asset": "vehicle/mechsuit", "asset.vehicle.legs": "strider",
               "asset.vehicle.mechsuit-arm-mk1.damage": "blunt"}  # fmt: skip
    driver = sit("the-lancer", 1, answers)
    return Mechsuit(driver, driver.opened.character.state.units[1].id)


def test_a_vehicle_drives_at_no_cost_outside_combat_and_old_files_have_paid(mechsuit):
    energy, driver = mechsuit.energy, mechsuit.driver
    mechsuit.deploy()
    assert mechsuit.energy == energy
    assert driver.opened.document.log[-1].spared
    assert mechsuit.energy_as_paid() == energy - 1

    driver(play.start_or_end_turn)
    mechsuit.deploy()
    assert mechsuit.energy == energy - 1
    driver(play.take_rest, "short")
    mechsuit.deploy()
    assert mechsuit.energy == energy - 1


def test_a_vehicle_at_0_hp_is_not_in_critical_condition(mechsuit):
    """Critical Condition is for characters, who have Bones: of Vehicles the book says nothing."""
    driver, unit = mechsuit.driver, mechsuit.vehicle
    driver(play.apply_damage, 500, unit_id=unit)
    assert driver.now("hp", unit) == 0
    driver(play.use_named, "prepare", unit_id=unit, words={"attribute": "agi"})
    driver(play.use_named, "overwatch", unit_id=unit)


def test_a_vehicle_attacks_at_no_cost_outside_combat_and_old_files_have_paid(mechsuit):
    """The Arm costs 1 Energy, and of Deploy's Aim 2 the second 1 more: in combat only."""
    energy, driver = mechsuit.energy, mechsuit.driver
    mechsuit.deploy()
    driver(play.use_named, "mechsuit arm", unit_id=mechsuit.vehicle,
           words={"opposed": "9", "vehicle_aim": "2"}, dice={"own": (1, 2, 3, 4)})  # fmt: skip
    assert mechsuit.energy == energy
    state = driver.opened.character.state
    (arm,) = [h for h in state.held(mechsuit.vehicle) if h.entity.name.startswith("Mechsuit Arm")]
    (attack,) = attack_steps(HeldEntity.of(state, arm))
    own, vehicle = driver.now("aim"), driver.now("aim", mechsuit.vehicle)
    assert (own, vehicle) == (1, 2), "both can be used in the roll above, and explain has both"
    assert [text for _amount, text in attack.roll_situations if "Aim" in text] == [
        f"1 die for each Aim you have ({own}), for 1 Energy each",
        f"1 die for each Aim of the Vehicle ({vehicle}; 1 of them free), for 1 of its Energy each",
    ]
    event = driver.opened.document.log[-1]
    assert event.spared
    assert "spared" not in event.inputs
    assert mechsuit.energy_as_paid() == energy - 2


# ------------------------------------------------------------------ replay


def test_a_changed_table_rule_does_not_touch_what_was_rolled_before(sit):
    scout = sit("the-scout", 3)
    scout(play.use_named, "focus i", "gain focus")
    scout(play.start_or_end_turn, dice={"Focus I": (4,)})
    ruled = change_character(scout.opened, draft_event(SetEvent, rule="cooldown", value="or_less"))
    assert "Gain Focus (5+)" in unit_status(ruled.character.state).line  # rolled before the ruling
    later = play.start_or_end_turn(ruled, typed=TypedInputs(dice={"Focus I": (4,)}))
    assert "cooldown" not in unit_status(later.after.character.state).line  # 4 ≤ 5


def test_what_is_kept_of_an_attack_is_the_players_own(sit):
    """The weapon's figures are read again at each replay: only what was said and rolled is kept."""
    scout = sit("the-scout", 1)
    scout(play.use_named, "unarmed", words={"opposed": "5"}, dice={"own": (3, 4)})
    used = scout.opened.document.log[-1]
    assert isinstance(used, AbilityEvent)
    assert json.loads(used.model_dump_json())["inputs"] == {"opposed": 5}
    assert used.faces == {"own": [[3, 4]]}


def test_several_abilities_are_listed_with_how_to_name_each(sit):
    scout = sit("the-scout", 1)
    with pytest.raises(AmbiguousName) as refused:
        play.use_named(scout.opened, "precision rifle")
    for way in ("Precision Rifle: 50 m", "Precision Rifle: 100 m"):
        assert (way, (way,)) in refused.value.ways
    assert "Reload" not in str(refused.value.ways)  # who names a weapon means to attack with it


# ------------------------------------------------------------------ rules of their own


def test_a_fall_is_used_like_an_ability(sit):
    """A fall of 6 m: AGI 6 + 1 + 2 = 9 against 6 + 6 + 5 = 17; 6d6 of damage."""
    scout = sit("the-scout", 1)
    done = scout(
        play.use_named,
        "Fall",
        words={"metres": "6"},
        dice={"own": (1, 2), "theirs": (6, 5), "dealt": (1, 1, 1, 1, 1, 2)},
    )
    assert (done.outputs["margin"], done.outputs["dealt"]) == (-8, 7)
    assert scout.now("hp") == 16 - 7  # FTD 6 + 10
    assert "Prone" in scout.line
    assert scout.opened.document.log[-1].procedure == "fall"


def test_lower_scores_of_the_wounded_are_explained_with_their_rule(sit):
    tank = sit("the-tank", 1)
    tank(manual_changes.spend_resource, "bones", 1)
    lost = tank.opened.character.state.values().explain("str").steps[-1]
    assert (lost.source, lost.amount) == ("rule/dying", -2)


def test_what_another_unit_has_is_said_with_its_name(sit):
    answers = {"asset": "vehicle/tank", "asset.vehicle.weapon": "ballistic"}
    driver = sit("the-scout", 1, answers)
    with pytest.raises(WrongUnit) as refused:
        play.use_named(driver.opened, "tank gun")
    session = FrontEnd(file=Path("kas.json"))
    for front_end, advice in ((SHELL, "Add --unit Tank."), (session, "To switch: unit Tank")):
        message = error_message(refused.value, front_end)
        assert message == f'"tank gun" is an ability of Tank. {advice}'


def test_odds_of_healing_are_of_what_is_restored(sit):
    """Patch Up I restores 1d6 + KNW; the die alone says nothing."""
    opened = sit("the-healer").opened
    knowledge = opened.character.state.values().now("knw")
    result = calculate_odds(find_odds_subject(opened, "patch up"), TypedInputs())
    [outcome] = result.cases[0]
    assert (outcome.id, outcome.label) == ("healed", "HP restored")
    assert outcome.chances.numbers == {face + knowledge: Fraction(1, 6) for face in range(1, 7)}


# ------------------------------------------------------------------ what the GM allows


def test_what_the_gm_allows_beyond_a_requirement_is_on_record(sit):
    """All remaining Actions must be Overwatch, and an Overwatch Attack needs it."""
    gm = Override(by="GM", reason="braced")
    lancer = sit("the-lancer")
    lancer(play.start_or_end_turn)
    with pytest.raises(RuleRefusal, match="All of your remaining Actions must be Overwatch"):
        lancer(play.use_named, "action/overwatch", words={"actions": "1"})
    done = lancer(
        play.use_named, "action/overwatch", words={"actions": "1"},
        terms=play.UseTerms(override=gm),
    )  # fmt: skip
    assert texts(done)[1].startswith("Allowed by the GM: All of your remaining Actions")
    lancer(play.use_named, "attack/unarmed", words={"opposed": "30", "overwatch": "1"})
    with pytest.raises(RuleRefusal, match="You are not taking Overwatch"):
        lancer(play.use_named, "attack/unarmed", words={"opposed": "30", "overwatch": "1"})
    done = lancer(
        play.use_named, "defend", words={"attribute": "agi", "opposed": "2", "prepare": "1"},
        terms=play.UseTerms(override=gm),
    )  # fmt: skip
    assert any(t.startswith("Allowed by the GM: You have not Prepared AGI") for t in texts(done))
    entries = [entry.text for entry in history_entries(lancer.opened)]
    assert entries[-3].startswith("used Overwatch: Action, allowed by GM: braced")
    assert entries[-1].startswith("Defense Roll, allowed by GM: braced (")
    read = reader.parse_document(to_text(lancer.opened.document), Path("l.json"))
    again = load_document(read, Path("l.json"), lancer.opened.ruleset)
    assert again.character.state.conditions == lancer.opened.character.state.conditions
    assert not again.problems


def test_overwatch_takes_all_actions_that_are_left(sit):
    lancer = sit("the-lancer")
    lancer(play.start_or_end_turn)
    assert "Overwatch 0 → 2" in texts(lancer(play.use_named, "action/overwatch"))


def test_what_a_vehicle_settles_itself_is_no_input(sit):
    """A Tank defends with a Fixed Score of 7."""
    answers = {"asset": "vehicle/tank", "asset.vehicle.weapon": "laser"}
    lancer = sit("the-lancer", 1, answers)
    words = {"opposed": "14", "fixed": "9"}
    with pytest.raises(RuleRefusal, match="Defense Roll: fixed is 7, not 9"):
        lancer(play.use_named, "defend", unit_id="tank", words=words)
    lancer(play.use_named, "defend", unit_id="tank", words={"opposed": "14"})


def test_odds_know_what_is_no_input_either(sit):
    lancer = sit("the-lancer").opened
    words = TypedInputs({"vs": "7", "hit": "agi"})
    with pytest.raises(RuleRefusal, match=r"Unarmed.*hit is STR, not AGI"):
        calculate_odds(find_odds_subject(lancer, "unarmed"), words)
