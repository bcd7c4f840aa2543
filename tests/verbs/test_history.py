"""The history in words: every kind of event, replacements, and events without effect."""

from __future__ import annotations

import pytest

from charforge.character.files.events import (
    AcquireEvent,
    CarryEvent,
    ConditionEvent,
    DropEvent,
    NoteEvent,
    Override,
    PlanEvent,
    ProcedureEvent,
    ResourceEvent,
    SetEvent,
)
from charforge.replay.loaded_character import LoadedCharacter
from charforge.usecases.edit import draft_answer, find_decision, try_edit
from charforge.usecases.level_up import level_up_character
from charforge.verbs.change import EventDraft, change_character, commit_change, draft_event
from charforge.verbs.history import entries_of, history_chapters, history_entries
from charforge.verbs.inventory import stow_items
from charforge.verbs.play import use_named
from charforge.verbs.typed_inputs import TypedInputs
from tests.capital.conftest import Maker, lowest


@pytest.fixture(scope="module")
def tank(capital) -> LoadedCharacter:
    """A Tank of Level 2 with a land beast."""
    array = {"str": 7, "ftd": 6, "agi": 5, "cha": 4}
    answers = {"asset": "companion/land-beast", "asset.companion.array": array}
    return Maker(capital)("the-tank", 2, answers).opened


def told(opened: LoadedCharacter, *drafts: EventDraft) -> list[str]:
    """Make a change, and return its events in words."""
    after = change_character(opened, *drafts, source=lowest)
    fresh = after.document.log[len(opened.document.log) :]
    return [one.text for one in entries_of(after, fresh)]


def again(opened: LoadedCharacter, decision: str, answer, **more) -> LoadedCharacter:
    """Answer a decision again, and leave what that breaks."""
    found = draft_answer(opened, find_decision(opened, decision), answer, **more)
    return commit_change(try_edit(opened, [found]), tolerant=True)


def test_creation_and_each_level_are_chapters(tank):
    chapters = history_chapters(tank)
    assert [(one.level, one.label) for one in chapters] == [(1, "Creation"), (2, "Level 2")]
    lines = [one.text for chapter in chapters for one in chapter.events]
    assert lines[:2] == ["named Worked Example", "Role: The Tank"]
    assert "Attribute dice: 6 6 5 5 4 4 3 2 1 1" in lines
    assert "The Tank: Attribute +1: Strength (STR)" in lines
    # FTD 6 + 1: 1 + 1 + 11 is below 7 + 12.
    assert lines[-4:] == [
        "reached Level 2",
        "Level 2: HP: 1 1 → Max HP +19",
        "Level 2: Land Beast: HP: 1 → Max HP +10",
        "Level 2: Systems: none",
    ]


def test_what_happened_at_level_1_is_no_part_of_creation(capital):
    young = change_character(Maker(capital)("the-tank").opened, draft_event(NoteEvent, text="Hm."))
    assert [(one.level, one.label) for one in history_chapters(young)] == [
        (1, "Creation"),
        (1, "Level 1"),
    ]


def test_an_edit_stands_at_its_event_with_what_it_replaced(tank):
    after = again(again(tank, "role.plus", "wil"), "role.plus", "str")
    assert [one.text for one in history_entries(after)[-2:]] == [
        "The Tank: Attribute +1: Will (WIL), was Strength (STR)",
        "The Tank: Attribute +1: Strength (STR), was Will (WIL)",
    ]


def test_overrides_say_who_and_why_and_changes_from_now_on_say_so(tank):
    gm = Override(by="GM", reason="an old debt")
    after = again(tank, "money", 1000, override=gm)
    after = again(after, "personality.goal", "goal/discovery", now=True)
    assert [one.text for one in history_entries(after)[-2:]] == [
        "Starting money: 1000 mC, was 300 mC (allowed by GM: an old debt)",
        "Goal: Discovery from here on, was Hunt",
    ]


def test_what_has_no_effect_any_more_is_told_as_it_was_asked(tank):
    after = again(tank, "asset", "augmentation/limb")
    lines = [one.text for one in history_entries(after)]
    assert "Land Beast: Attribute scores: STR 7, FTD 6, AGI 5, CHA 4 [no effect now]" in lines
    assert "Level 2: Land Beast: HP: 1 → Max HP +10 [no effect now]" in lines


def test_what_is_broken_says_why(tank):
    after = again(tank, "role", "role/the-lancer")
    lines = [one.text for one in history_entries(after)]
    assert "Level 2: HP: [1, 1] [not allowed: 1d6 is 1 die, not 2]" in lines


def test_gear_money_and_notes(tank):
    rope = draft_event(AcquireEvent, entity="equipment/primitive-rope-20m", quantity=2, price=5)
    assert told(tank, rope) == ["bought 2 × Primitive rope (20m) for 10 mC (5 each)"]
    gift = draft_event(AcquireEvent, entity="vehicle/bike", granted=True, note="a reward")
    assert told(tank, gift) == ["got Bike from the GM (a reward)"]
    note = draft_event(NoteEvent, text="Fell into the well.", at="2026-01-02 20:15")
    assert told(tank, note) == ["note of 2026-01-02 20:15: Fell into the well."]


def test_what_was_parted_with_keeps_its_name(tank):
    held = next(
        h for h in tank.character.state.holdings if h.entity.id == "equipment/simple-warhammer"
    )
    name = held.entity.name
    after = change_character(tank, draft_event(CarryEvent, how="stow", holding=held.id))
    after = change_character(after, draft_event(CarryEvent, how="hold", holding=held.id))
    after = change_character(after, draft_event(CarryEvent, how="stow", holding=held.id))
    after = change_character(after, draft_event(DropEvent, holding=held.id, price=3, note="rusty"))
    assert not after.character.state.has("equipment/simple-warhammer")
    assert [one.text for one in history_entries(after)[-3:]] == [
        f"took {name} in hand",
        f"put {name} away",
        f"sold {name} for 3 mC (rusty)",
    ]


def test_play_tells_its_dice_and_what_it_changed(tank):
    assert told(tank, draft_event(ResourceEvent, value="energy", by=-2, note="a song")) == [
        "Energy −2 (a song)"
    ]
    beast = tank.character.state.units[1].id
    assert told(tank, draft_event(ConditionEvent, condition="status/prone", unit=beast)) == [
        "Land Beast: now Prone"
    ]
    prone = change_character(tank, draft_event(ConditionEvent, condition="status/prone"))
    assert told(prone, draft_event(ConditionEvent, condition="status/prone")) == ["still Prone"]
    assert told(tank, draft_event(ConditionEvent, condition="status/prone", off=True)) == [
        "still no Prone"
    ]
    assert told(prone, draft_event(ConditionEvent, condition="status/prone", off=True)) == [
        "no longer Prone"
    ]
    inputs = {"amount": 7, "type": "sharp"}
    damage = draft_event(ProcedureEvent, procedure=tank.ruleset.head.play.damage, inputs=inputs)
    # What it is called need not be said twice.
    assert told(tank, damage) == ["Damage (7; Damage type Sharp) → HP −7"]


def test_a_condition_that_counts_is_told_from_how_much_to_how_much(tank):
    def lockdown(amount=None, off=False):
        return draft_event(ConditionEvent, condition="effect/lockdown", amount=amount, off=off)

    steps = [lockdown(2), lockdown(1, off=True), lockdown(3), lockdown(off=True)]
    opened = tank
    for step in steps:
        opened = change_character(opened, step)
    assert [one.text for one in history_entries(opened)[-4:]] == [
        "Lockdown 0 → 2",
        "Lockdown 2 → 1",
        "Lockdown 1 → 4",
        "no longer Lockdown",
    ]
    # What is taken off once more changes nothing.
    assert told(opened, lockdown(off=True)) == ["still no Lockdown"]


def test_what_an_attack_was_told_is_told_by_its_questions(tank):
    weapon = "equipment/simple-warhammer"
    said = TypedInputs({"vs": "5"}, dice={"own": (3, 4), "theirs": (2, 5)})
    assert history_entries(use_named(tank, weapon, typed=said).after)[-1].text == (
        "used Simple Warhammer: Melee (against 5; "
        "dice: Your dice 3 4, The other side's dice 2 5) → Attack Counter 0 → 1"
    )


def test_dice_of_a_play_event_are_shown(tank):
    check = draft_event(
        ProcedureEvent,
        procedure=tank.ruleset.head.play.check,
        inputs={"attribute": "str", "vs": 5},
        faces={"own": [[3, 4]], "theirs": [[2, 5]]},
    )
    (line,) = told(tank, check)
    told_of = "Attribute Check (Attribute STR; against 5; dice: "
    assert line.startswith(told_of)
    assert "3 4, " in line
    assert "2 5)" in line


def test_levels_of_a_vehicle_names_and_rules(tank):
    gift = draft_event(AcquireEvent, entity="vehicle/bike", granted=True)
    rider = change_character(tank, gift, source=lowest)
    bike = rider.character.state.units[-1]
    higher = level_up_character(rider, 2, {}, lowest, bike)
    assert "Bike: reached Level 2" in [one.text for one in history_entries(higher)]
    assert told(rider, draft_event(SetEvent, name="Sparrow", unit=bike.id)) == [
        "Bike: named Sparrow"
    ]
    assert told(tank, draft_event(SetEvent, name="Nyx")) == ["named Nyx, was Worked Example"]
    assert told(tank, draft_event(SetEvent, rule="long_break", value="once")) == [
        "table rule: How much HP does each hour of a Long Break restore? "
        "(1d6 + FTD) × Level, rolling one die, "
        "was 1d6 + FTD for each Level, rolling one die per Level"
    ]


def test_plans_and_what_became_of_them(tank):
    first = draft_event(PlanEvent, decision="level.4.systems", answer=["system/charge"])
    planned = change_character(tank, first)
    assert [one.text for one in history_entries(planned)[-1:]] == [
        "planned Level 4: Systems: Charge"
    ]
    other = draft_event(PlanEvent, decision="level.4.systems", answer=["system/bonk"])
    assert told(planned, other) == ["planned Level 4: Systems: Bonk, was Charge"]
    gone = draft_event(PlanEvent, decision="level.4.systems", drop=True)
    assert told(planned, gone) == ["no longer planned: Level 4: Systems: Charge"]


def test_a_number_chosen_twice_has_its_label_both_times(capital):
    """The question of Aim comes again after the first reroll: its answer is aim#2."""
    opened = Maker(capital)("the-scout").opened
    inputs = {"vs": "5", "granted_aim": "2", "free_aim": "yes", "aim": "1", "aim#2": "1"}
    used = use_named(opened, "unarmed", typed=TypedInputs(inputs))
    text = history_entries(used.after)[-1].text
    assert "; Aim 1; Aim 1; " in text
    assert "#" not in text


def test_the_second_mode_of_a_weapon_has_its_plain_name(capital):
    """A Shield has two melee attacks: the key of the second is Melee#2."""
    answers = {"asset": "special-weapon/shield", "asset.weapon.hands": "two-handed"}
    opened = stow_items(Maker(capital)("the-tank", 2, answers).opened, (), everything=True).after
    shield = next(h for h in opened.character.state.holdings if h.entity.name == "Shield")
    opened = change_character(opened, draft_event(CarryEvent, how="hold", holding=shield.id))
    typed = TypedInputs({"vs": "5"}, dice={"own": (3, 4), "theirs": (2, 5)})
    used = use_named(opened, shield.id, "Melee#2", typed=typed)
    assert history_entries(used.after)[-1].text.startswith("used Shield: Melee (against 5")
