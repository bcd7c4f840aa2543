"""Companions and vehicles from Level 1 to 10: gained late, named, lost."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import read_answers, write_answers
from charforge.character import state_changes
from charforge.character.files.document import Document, to_text
from charforge.character.files.events import (
    AcquireEvent,
    AdvanceEvent,
    AnswerEvent,
    DropEvent,
    ResourceEvent,
    SetEvent,
)
from charforge.character.state import State, Unit, find_unit
from charforge.errors import (
    AmbiguousName,
    AnswerError,
    MissingAnswers,
    RuleRefusal,
    UnknownId,
    UnusedAnswers,
    UsageError,
)
from charforge.replay.character_spec import CharacterSpec, UnitSpec
from charforge.replay.loaded_character import LoadedCharacter, as_of_level, load_document
from charforge.replay.replay import leave_open
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.view import UnitPanel
from charforge.usecases.create import create_character, refuse_unknown_answers
from charforge.usecases.level_up import level_up_character
from charforge.verbs import manual_changes
from charforge.verbs.change import change_character, draft_event, try_change
from charforge.verbs.history import undo
from charforge.verbs.lookup import explain_legality
from tests.samples import few, law

# The faces of levels 2 to 10: each at least once, the lowest and the highest twice.
FACES = [1, 2, 3, 4, 5, 6, 1, 6, 3]
BEAST = ("str", "ftd", "agi", "cha")
ROBOT = ("str", "knw", "agi", "cha")

# A Land Beast of FTD 6 has 6 + 5 HP; then 1d6 + 6, at least 6 + 4 = 10: faces 1 to 4 give 10.
HP_OF_FTD6 = list(accumulate([10, 10, 10, 10, 11, 12, 10, 12, 10], initial=11))
FTD6 = dict(zip(BEAST, (7, 6, 5, 4), strict=True))
FTD4 = dict(zip(BEAST, (7, 4, 6, 5), strict=True))
ROBOT4 = dict(zip(ROBOT, (5, 4, 6, 5), strict=True))
LAND_BEAST = {"asset": "companion/land-beast", "asset.companion.array": FTD6}
BEAST_HP = "level.{}.companion.hp"


def figure(opened: LoadedCharacter, unit: str, value: str) -> int:
    return opened.character.state.values(unit).base(value)


def named(opened: LoadedCharacter, name: str) -> Unit:
    return find_unit(opened.character.state, name)


def panels(opened: LoadedCharacter) -> dict[str, UnitPanel]:
    return {panel.name: panel for panel in build(opened.character).units}


def gain(opened: LoadedCharacter, entity: str, **answers: object) -> tuple[LoadedCharacter, str]:
    """Give a unit beyond the rules; return its id too. ``answers`` are its own choices."""
    name = f"event.{len(opened.document.log) + 1}"
    mine = {f"{name}.{choice}": answer for choice, answer in answers.items()}
    event = draft_event(AcquireEvent, entity=entity, granted=True, note="a gift")
    return change_character(opened, event, answers=mine, source=RandomAnswers("late")), name


# ------------------------------------------------------------------ companions


def test_a_companion_rolls_for_hp_at_each_of_its_owners_levels(make):
    """The minimum of the level counts, not the owner's."""
    dice = {BEAST_HP.format(level): [face] for level, face in enumerate(FACES, 2)}
    opened = make("the-tank", 10, LAND_BEAST | dice).opened
    for level, hp in enumerate(HP_OF_FTD6, 1):
        then = as_of_level(opened, level)
        unit = then.character.state.unit("asset.companion")
        assert then.character.state.level_of(unit) == level
        assert (figure(then, unit.id, "max_hp"), figure(then, unit.id, "hp")) == (hp, hp)


def test_a_dead_companion_gains_no_hp(make):
    """It is out of play for good, so its owner's next level has no roll for it (Dying)."""
    opened = make("the-tank", 1, LAND_BEAST).opened
    opened = manual_changes.change_condition(opened, "dead", "asset.companion").after
    before = figure(opened, "asset.companion", "max_hp")
    opened = level_up_character(
        opened, 2, {"level.2.hp": [6, 3], "level.2.systems": []}, leave_open
    )
    assert "level.2.companion.hp" not in [decision.id for decision in opened.character.asked]
    assert figure(opened, "asset.companion", "max_hp") == before


def test_energy_is_the_owners_whoever_spends_it(make):
    """WIL 6 gives 9 Energy at Level 1; the companion's 4 and the owner's 3 leave 2 to both."""
    opened = make("the-tank", 1, LAND_BEAST).opened
    state, beast = opened.character.state, "asset.companion"

    def energy(state: State) -> tuple[int, int]:
        return state.values().total("energy"), state.values(beast).total("energy")

    assert energy(state) == (9, 9)
    state, real = state_changes.change_resource(state, beast, "energy", -4)
    assert (real, energy(state)) == (-4, (5, 5))
    state, real = state_changes.change_resource(state, "character", "energy", -3)
    assert (real, energy(state)) == (-3, (2, 2))
    state, real = state_changes.change_resource(state, beast, "energy", -5)  # there are only 2
    assert (real, energy(state)) == (-2, (0, 0))
    state, real = state_changes.change_resource(
        state, beast, "energy", 20
    )  # up to the owner's maximum
    assert (real, energy(state)) == (9, (9, 9))


def test_hp_and_bones_are_its_own(make):
    """At 0 HP its scores are 2 lower; its owner's are not, and its maxima stay (D58)."""
    opened = make("the-tank", 1, LAND_BEAST).opened
    beast = "asset.companion"
    hit = draft_event(ResourceEvent, value="hp", by=-30, unit=beast)
    hurt = change_character(
        opened, hit, draft_event(ResourceEvent, value="bones", by=-1, unit=beast)
    )
    values = hurt.character.state.values(beast)
    assert [values.total(name) for name in ("hp", "bones", "max_bones", "max_hp")] == [0, 5, 6, 11]
    assert [values.total(name) for name in BEAST] == [5, 4, 3, 2]
    assert values.base("str") == 7
    before, after = opened.character.state.values(), hurt.character.state.values()
    assert [after.total(name) for name in after.ids()] == [
        before.total(name) for name in before.ids()
    ]


def test_it_has_no_level_of_its_own(make):
    drone = {"asset": "companion/drone", "asset.companion.array": ROBOT4}
    opened = make("the-tank", 3, drone).opened
    with pytest.raises(UsageError, match="a Companion always has its owner's level"):
        level_up_character(opened, 4, {}, unit=named(opened, "drone"))


# ------------------------------------------------------------------ vehicles

# What is built in at each level; every other level leaves free Slots empty. The Slots of a
# level are those of the book (D29), the Slots used those of the Systems: 1 or 2 each.
BUILT = {
    # 3 of 3 Slots used, and nothing else fits a Bike: 9 of 12 stay empty.
    "bike": ({}, {}, [3] * 10, [2, 3, 4, 5, 6, 7, 8, 9, 10]),
    # Strider, Arm and A2 fill 4 of 4. Full again at levels 2, 4, 6, 8 and 10, so not asked between.
    "mechsuit": (
        {"legs": "strider", "mechsuit-arm-mk1.damage": "heat"},
        {2: "dancer-mechsuit-legs-mk1", 4: "giant-wheels-mk1", 6: "ballistic-tank-gun-mk1",
         8: "capacitor-a1-mk1", 10: "laser-tank-gun-mk1"},
        [4, 5, 5, 6, 6, 8, 8, 10, 10, 12],
        [2, 4, 6, 8, 10],
    ),
    # Gun, wheels and A2 fill 5 of 5; 1 free Slot at levels 2 and 3 takes nothing.
    "tank": (
        {"weapon": "ballistic"},
        {4: "capacitor-a1-mk1", 8: "laser-tank-gun-mk1", 10: "giant-atmospheric-thrusters-mk1"},
        [5, 5, 5, 7, 7, 7, 7, 9, 9, 11],
        [2, 3, 4, 6, 7, 8, 9, 10],
    ),
    # Thrusters and A2 fill 4 of 4.
    "aeroplane": (
        {},
        {2: "giant-wheels-mk1", 6: "laser-tank-gun-mk1", 8: "ballistic-tank-gun-mk1",
         10: "capacitor-a1-mk1"},
        [4, 5, 5, 5, 5, 7, 7, 9, 9, 11],
        [2, 4, 5, 6, 7, 8, 9, 10],
    ),
}  # fmt: skip
# HP at Level 1 and for each further one: 10 and 8, 12 and 8, 20 and 10.
HP = {"bike": (10, 8), "mechsuit": (12, 8), "tank": (20, 10), "aeroplane": (12, 8)}
SLOTS = {
    "bike": [3, 4, 4, 6, 6, 8, 8, 10, 10, 12],
    "mechsuit": [4, 5, 5, 6, 6, 8, 8, 10, 10, 12],
    "tank": [5, 6, 6, 7, 7, 8, 8, 10, 10, 12],
    "aeroplane": [4, 5, 5, 6, 6, 8, 8, 10, 10, 12],
}
# A1 holds 25, A2 35 (D38); the second one is built in at the level named.
ENERGY = {"bike": (25, 0), "mechsuit": (35, 8), "tank": (35, 4), "aeroplane": (35, 10)}
VEHICLE = "asset.vehicle"


def owner(make, name: str, level: int = 10) -> LoadedCharacter:
    """Make an owner whose Special Asset is a vehicle of Level 1."""
    choices = {f"{VEHICLE}.{choice}": answer for choice, answer in BUILT[name][0].items()}
    return make("the-tank", level, {"asset": f"vehicle/{name}", **choices}).opened


def upgraded(opened: LoadedCharacter, name: str, level: int) -> LoadedCharacter:
    """Raise a vehicle by one level with what is built in at it."""
    _choices, built, _used, asked = BUILT[name]
    system = built.get(level)
    taken = {f"{VEHICLE}.level.{level}.systems": [f"vehicle-system/{system}"] if system else []}
    return level_up_character(
        opened, level, taken if level in asked else {}, unit=named(opened, name)
    )


@pytest.mark.parametrize("name", few(list(BUILT), 2))
def test_a_vehicle_is_upgraded_level_by_level(make, name):
    """HP and Slots by its table, Systems in the Slots; its owner and the seed have no part."""
    opened = owner(make, name)
    before = opened.character.state.values()
    own = [before.total(value) for value in before.ids()]
    first, more = HP[name]
    start, second = ENERGY[name]
    for level in range(1, 11):
        if level > 1:
            opened = upgraded(opened, name, level)
        unit = named(opened, name)
        assert opened.character.state.level_of(unit) == level
        values = opened.character.state.values(unit.id)
        assert values.total("hp") == values.total("max_hp") == first + more * (level - 1)
        assert values.total("slots") == SLOTS[name][level - 1]
        assert values.total("slots_used") == BUILT[name][2][level - 1]
        assert values.total("max_energy") == start + (25 if 0 < second <= level else 0)
        assert values.total("energy") == values.total("max_energy")
        now = opened.character.state.values()
        assert [now.total(value) for value in now.ids()] == own
        assert not opened.problems
    [shown] = panels(opened).values()
    assert (shown.level, shown.empty_slots) == (10, 12 - BUILT[name][2][9])


@pytest.mark.parametrize("name", few(list(BUILT), 1))
def test_each_level_of_a_vehicle_is_a_command_of_its_own(make, name):
    """Undo takes one level off, with the Systems that it brought, back to the first byte."""
    states = [owner(make, name)]
    for level in range(2, 11):
        states.append(upgraded(states[-1], name, level))
    opened = states[-1]
    assert opened.document.group == states[0].document.group + 9
    for level in range(10, 1, -1):
        above, opened = opened, undo(opened).after
        gone = above.document.log[len(opened.document.log) :]
        assert [e.level for e in gone if isinstance(e, AdvanceEvent)] == [level]
        plain = opened.document.model_copy(update={"undone": ()})
        assert to_text(plain) == to_text(states[level - 2].document)


def test_an_upgrade_over_several_levels_is_as_many_commands(make):
    at_once = level_up_character(
        owner(make, "bike"),
        4,
        {f"{VEHICLE}.level.{n}.systems": [] for n in (2, 3, 4)},
        unit=named(owner(make, "bike"), "bike"),
    )
    singly = owner(make, "bike")
    for level in (2, 3, 4):
        singly = upgraded(singly, "bike", level)
    assert to_text(at_once.document) == to_text(singly.document)


def test_a_free_slot_is_asked_about_and_nothing_else(make):
    opened = owner(make, "tank")
    with pytest.raises(MissingAnswers) as missing:
        level_up_character(opened, 2, {}, unit=named(opened, "tank"))
    assert [name for name, _label in missing.value.decisions] == [f"{VEHICLE}.level.2.systems"]


@pytest.mark.parametrize(
    ("name", "level", "system", "why"),
    [
        ("bike", 2, "laser-tank-gun-mk1", "requires to be mounted on Mechsuit or Tank or Aeropl"),
        ("bike", 2, "bike-wheels-mk1", "already taken"),
        ("tank", 2, "laser-tank-gun-mk1", "needs 2 Slots; you have 1 left"),
        ("tank", 2, "mechsuit-arm-mk1", "requires to be mounted on Mechsuit"),
        ("aeroplane", 2, "bike-wheels-mk1", "requires to be mounted on Bike"),
        ("mechsuit", 2, "strider-mechsuit-legs-mk1", "already taken"),
    ],
)
def test_what_does_not_fit_says_why(make, name, level, system, why):
    opened = owner(make, name)
    answers = {f"{VEHICLE}.level.{level}.systems": [f"vehicle-system/{system}"]}
    with pytest.raises(AnswerError, match=why):
        level_up_character(opened, level, answers, unit=named(opened, name))
    entity, reasons = explain_legality(opened.character, f"vehicle-system/{system}", name)
    assert entity.slug == system
    assert reasons  # at Level 1 no Slot is free at all


def test_a_vehicle_stays_at_or_below_its_owners_level(make):
    """'A character cannot upgrade a Vehicle to any Level higher than their own.'"""
    opened = owner(make, "bike", 3)
    unit = named(opened, "bike")
    with pytest.raises(UsageError, match="Bike can be level 3 at most, not 4"):
        level_up_character(opened, 4, {}, unit=unit)
    at_most = level_up_character(opened, 3, {}, RandomAnswers("1"), unit)
    with pytest.raises(UsageError, match="Bike is already level 3"):
        level_up_character(at_most, 3, {}, unit=named(at_most, "bike"))
    beyond = draft_event(AdvanceEvent, level=4, unit=unit.id)
    with pytest.raises(RuleRefusal, match="Bike can be level 3 at most, not 4"):
        change_character(at_most, beyond, source=RandomAnswers("1"))
    later = level_up_character(at_most, 4, {}, RandomAnswers("1"))
    assert later.character.state.level_of(named(later, "bike")) == 3


def test_a_slot_left_empty_is_filled_later(make):
    """A Tank's Slots of levels 2 to 5 stay empty; at level 6 (8 - 5 = 3 free) a gun is built in."""
    opened = owner(make, "tank")
    empty = {f"{VEHICLE}.level.{n}.systems": [] for n in range(2, 7)}
    opened = level_up_character(opened, 6, empty, unit=named(opened, "tank"))
    asked = f"{VEHICLE}.level.2.systems"
    gun = ["vehicle-system/laser-tank-gun-mk1"]
    fitted = change_character(
        opened, draft_event(AnswerEvent, decision=asked, answer=gun, now=True)
    )
    assert figure(fitted, VEHICLE, "slots_used") == 7
    assert panels(fitted)["Tank"].empty_slots == 1
    # 1 Slot is left: a Capacitor besides takes 2.
    more = [*gun, "vehicle-system/capacitor-a1-mk1"]
    with pytest.raises(AnswerError, match="needs 2 Slots; you have 1 left"):
        change_character(fitted, draft_event(AnswerEvent, decision=asked, answer=more, now=True))
    assert figure(undo(fitted).after, VEHICLE, "slots_used") == 5


def test_a_system_that_the_gm_gives_takes_no_slot(make):
    """A second Capacitor on a full Tank of Level 1: 35 + 25 Energy, 5 of 5 Slots as before."""
    opened = owner(make, "tank")
    gift = draft_event(
        AcquireEvent,
        entity="vehicle-system/capacitor-a1-mk1",
        unit=VEHICLE,
        granted=True,
        note="GM",
    )
    opened = change_character(opened, gift)
    assert [figure(opened, VEHICLE, v) for v in ("max_energy", "slots_used", "slots")] == [60, 5, 5]
    assert "Capacitor A1 Mk1 †" in [card.name for card in panels(opened)["Tank"].cards]


@pytest.mark.parametrize("kind", ["blunt", "sharp", "heat"])
def test_the_arm_deals_what_was_chosen(make, kind):
    choices = {f"{VEHICLE}.legs": "dancer", f"{VEHICLE}.mechsuit-arm-mk1.damage": kind}
    opened = make("the-tank", 1, {"asset": "vehicle/mechsuit", **choices}).opened
    [line] = panels(opened)["Mechsuit"].weapons
    assert (line.name, line.shared.damage) == ("Mechsuit Arm Mk1", "10")
    assert line.shared.types == kind.capitalize()


def test_the_panel_of_a_vehicle_says_who_rides_along(make):
    [panel] = panels(owner(make, "tank")).values()
    facts = {fact.label: fact.text for fact in panel.facts}
    assert (facts["Terminals"], facts["Passengers"]) == ("1", "3")


# ------------------------------------------------------------------ gained late


def test_a_companion_gained_late_rolls_for_the_levels_so_far(make):
    """D89. A Land Beast of FTD 4 at Level 4: 9, then 1 to 4 dice of at least 8: 8 + 8 + 10 = 35."""
    opened = make("the-tank", 4).opened
    name = f"event.{len(opened.document.log) + 1}"
    dice = {2: 1, 3: 3, 4: 6}
    own = name.replace("event.", "#")
    rolls = {f"level.{level}.companion{own}.hp": [face] for level, face in dice.items()}
    event = draft_event(AcquireEvent, entity="companion/land-beast", granted=True)
    found = try_change(opened, [event], {f"{name}.array": FTD4})
    assert [decision.id for decision in found.open] == list(rolls)
    opened = change_character(opened, event, answers={f"{name}.array": FTD4, **rolls})
    assert figure(opened, name, "max_hp") == 9 + 8 + 8 + 10
    assert opened.character.state.level_of(opened.character.state.unit(name)) == 4
    # From then on it grows with its owner: 5 + 4 = 9 at level 5.
    later = {"level.5.hp": [1, 1], "level.5.systems": [], f"level.5.companion{own}.hp": [5]}
    grown = level_up_character(opened, 5, later)
    assert figure(grown, name, "max_hp") == 35 + 9
    assert grown.character.state.level_of(grown.character.state.unit(name)) == 5
    assert not grown.problems


def test_a_vehicle_gained_late_has_level_1(make):
    """D33. It asks for its own options; its upgrades bear its own id."""
    opened, name = gain(make("the-tank", 5).opened, "vehicle/tank", weapon="laser")
    state = opened.character.state
    assert state.level_of(state.unit(name)) == 1
    assert "vehicle-system/laser-tank-gun-mk1" in [h.entity.id for h in state.held(name)]
    raised = level_up_character(opened, 2, {f"{name}.level.2.systems": []}, unit=state.unit(name))
    assert figure(raised, name, "max_hp") == 30


@pytest.fixture
def crowd(make):
    """Return an owner of Level 3 with two Land Beasts and a Bike: asset, late, late."""
    dice = {BEAST_HP.format(2): [5], BEAST_HP.format(3): [6]}  # 11 + 11 + 12 = 34
    answers = LAND_BEAST | dice
    opened, second = gain(make("the-tank", 3, answers).opened, "companion/land-beast", array=FTD4)
    opened, bike = gain(opened, "vehicle/bike")
    return opened, second, bike


def test_two_companions_and_a_vehicle_keep_apart(crowd):
    opened, second, bike = crowd
    units = opened.character.state.units[1:]
    assert [(unit.id, unit.name) for unit in units] == [
        ("asset.companion", "Land Beast"),
        (second, "Land Beast 2"),
        (bike, "Bike"),
    ]
    assert list(panels(opened)) == ["Land Beast", "Land Beast 2 †", "Bike †"]
    assert figure(opened, "asset.companion", "max_hp") == 34
    assert (
        figure(opened, "asset.companion", "max_bones"),
        figure(opened, second, "max_bones"),
    ) == (6, 4)
    sources = {
        unit.id: [s.source for s in opened.character.state.values(unit.id).explain("max_hp").steps]
        for unit in units
    }
    late = second.replace("event.", "#")
    assert sources == {
        "asset.companion": ["companion/land-beast", "level.2.companion.hp", "level.3.companion.hp"],
        second: [
            "companion/land-beast",
            f"level.2.companion{late}.hp",
            f"level.3.companion{late}.hp",
        ],
        bike: ["vehicle/bike"],
    }
    hurt = change_character(opened, draft_event(ResourceEvent, value="hp", by=-3, unit=second))
    assert figure(hurt, "asset.companion", "hp") == 34
    assert figure(hurt, second, "hp") == figure(opened, second, "hp") - 3


def test_the_dice_of_one_companion_are_never_those_of_another(crowd):
    """The first one dies; what comes after it rolls for itself, and the second keeps its dice."""
    opened, second, _bike = crowd
    hp = figure(opened, second, "max_hp")
    opened = change_character(opened, draft_event(DropEvent, holding="asset.companion"))
    opened, third = gain(opened, "companion/land-beast", array=FTD6)
    ids = [decision.id for decision in opened.character.asked]
    assert len(ids) == len(set(ids))
    assert figure(opened, second, "max_hp") == hp
    own = third.replace("event.", "#")
    assert {i for i in ids if third in i or own in i} == {
        f"{third}.array",
        f"level.2.companion{own}.hp",
        f"level.3.companion{own}.hp",
    }
    grown = level_up_character(opened, 4, {}, RandomAnswers("4"))
    fresh = [e.decision for e in grown.document.log[len(opened.document.log) :]
             if isinstance(e, AnswerEvent) and "companion" in e.decision]  # fmt: skip
    late = second.replace("event.", "#")
    assert fresh == [f"level.4.companion{late}.hp", f"level.4.companion{own}.hp"]


def test_another_asset_leaves_a_late_companion_its_dice(crowd):
    """The first Land Beast becomes an Augmentation: its dice are dormant, nobody else's change."""
    opened, second, _bike = crowd
    hp = figure(opened, second, "max_hp")
    changed = change_character(
        opened, draft_event(AnswerEvent, decision="asset", answer="augmentation/limb")
    )
    assert figure(changed, second, "max_hp") == hp
    assert set(changed.character.dormant) == {
        "asset.companion.array",
        "level.2.companion.hp",
        "level.3.companion.hp",
    }


def test_a_companion_that_replaces_another_from_now_on_is_another_one(make):
    """A Land Beast of Level 3 dies and a Drone (5 + 1 HP, then at least 4) takes its place.

    Its faces 6 and 2 bring 6 + 0 and 4; what was rolled for the Land Beast stays in its past.
    """
    dice = {BEAST_HP.format(2): [5], BEAST_HP.format(3): [6]}
    beast = LAND_BEAST | dice
    opened = make("the-tank", 3, beast).opened
    number = len(opened.document.log) + 1
    drone = f"event.{number}.companion"
    answers = {
        f"{drone}.array": ROBOT4,
        f"level.2.companion#{number}.hp": [6],
        f"level.3.companion#{number}.hp": [2],
    }
    event = draft_event(AnswerEvent, decision="asset", answer="companion/drone", now=True)
    changed = change_character(opened, event, answers=answers)
    assert [unit.id for unit in changed.character.state.units[1:]] == [drone]
    assert figure(changed, drone, "max_hp") == 6 + 6 + 4
    assert not changed.problems
    before = as_of_level(changed, 2)
    assert figure(before, "asset.companion", "max_hp") == 11 + 11
    assert figure(undo(changed).after, "asset.companion", "max_hp") == 34


# ------------------------------------------------------------------ names


def test_a_unit_is_found_by_what_it_is_called(crowd):
    opened, second, bike = crowd
    opened = change_character(opened, draft_event(SetEvent, name="Old Rusty", unit=bike))
    state = opened.character.state
    for name in (bike, "Old Rusty", "OLD RUSTY", "old ru", "bike", "vehicle/bike", " bike "):
        assert find_unit(state, name).id == bike, name
    for name in (second, "Land Beast 2", "land beast 2"):
        assert find_unit(state, name).id == second, name
    assert find_unit(state, "ASSET.COMPANION").id == "asset.companion"
    assert find_unit(state, None).id == find_unit(state, "character").id
    with pytest.raises(AmbiguousName, match="matches several") as ambiguous:
        find_unit(state, "land-beast")
    assert ambiguous.value.ways == (
        ("Land Beast", ("asset.companion",)),
        ("Land Beast 2", (second,)),
    )
    with pytest.raises(UnknownId) as unknown:
        find_unit(state, "old rsuty")
    assert unknown.value.nearest == "Old Rusty"


def test_the_word_for_a_unit_in_a_command_finds_it(crowd):
    """Its name if that is enough: Land Beast is also what Land Beast 2 is."""
    opened, second, bike = crowd
    opened = change_character(opened, draft_event(SetEvent, name="Old Rusty", unit=bike))
    state = opened.character.state
    words = {unit.id: state.unit_word(unit) for unit in state.units}
    for id_, word in words.items():
        assert find_unit(state, word).id == id_
    assert words[bike] == "Old Rusty"
    assert words[second] == "Land Beast 2"
    assert words["asset.companion"] == "asset.companion"


def test_a_condition_of_another_unit_is_not_looked_for_in_vain(crowd):
    opened, second, _bike = crowd
    opened = manual_changes.change_condition(opened, "prone", unit_id=second).after
    with pytest.raises(RuleRefusal) as refused:
        manual_changes.change_condition(opened, "prone", off=True)
    advice = "It is a condition of Land Beast 2: add --unit 'Land Beast 2'."
    assert refused.value.advice == advice
    opened = manual_changes.change_condition(opened, "prone").after
    opened = manual_changes.change_condition(opened, "prone", unit_id=second, off=True).after
    with pytest.raises(RuleRefusal) as refused:
        manual_changes.change_condition(opened, "prone", unit_id=second, off=True)
    assert refused.value.advice == "It is a condition of the character: leave out --unit."


def test_a_name_says_what_it_stands_for(crowd):
    opened, second, _bike = crowd
    opened = change_character(opened, draft_event(SetEvent, name="Rex", unit=second))
    shown = panels(opened)["Rex †"]
    assert shown.kind == "Land Beast, Special Companion"
    assert [one.name for one in shown.weapons] == ["Rex †", "Unarmed"]
    assert panels(opened)["Land Beast"].kind == "Special Companion"
    back = undo(opened).after
    assert "Land Beast 2 †" in panels(back)


# ------------------------------------------------------------------ out again


def again(opened: LoadedCharacter, folder: Path) -> Document:
    """Return the character that ``new --answers`` makes of an exported one."""
    (folder / "a.yaml").write_text(write_answers(opened), encoding="utf-8")
    read = read_answers(folder / "a.yaml")
    spec = CharacterSpec(
        opened.ruleset, read.seed, read.name, read.level or 1, read.rules, read.answers,
        units=read.units,
    )  # fmt: skip
    refuse_unknown_answers(spec)
    return create_character(spec)


def test_an_answers_file_holds_what_creation_and_levels_make(crowd, tmp_path):
    """What came later is named at its head, and ``new --answers`` takes all the rest."""
    opened, second, bike = crowd
    opened = level_up_character(
        opened, 2, {f"{bike}.level.2.systems": []}, unit=named(opened, bike)
    )
    said: list[str] = []
    text = write_answers(opened, said.append)
    assert [f"# {note}" for note in said] == text.splitlines()[1 : 1 + len(said)]
    assert said[0].startswith("Not included: anything after creation and level-ups")
    assert said[2:] == [
        f"Left out, because it came later: {named(opened, unit).name}" for unit in (second, bike)
    ]
    made = again(opened, tmp_path)
    assert [unit["id"] for unit in made.character["units"]] == ["companion/land-beast"]


@law(few=3, examples=20)
@given(
    seed=st.text("abcdefghij", min_size=1, max_size=6),
    asset=st.sampled_from(["bike", "mechsuit", "tank"]),
    owners=st.lists(st.booleans(), max_size=12),
    name=st.sampled_from(["", "Old Rusty"]),
)
def test_an_answers_file_makes_the_upgrades_of_a_vehicle_again(
    capital, tmp_path_factory, seed, asset, owners, name
):
    """In whatever order its owner and it leveled up, the new file is the same."""
    chosen, chance = {"asset": f"vehicle/{asset}"}, RandomAnswers(seed)
    document = create_character(CharacterSpec(capital, seed, "Nix", answers=chosen), chance)
    opened = load_document(document, Path("nix.json"), capital)
    for owner_next in owners:
        vehicle = named(opened, VEHICLE)
        level, reached = opened.document.level, opened.character.state.level_of(vehicle)
        if owner_next and level < 10:
            opened = level_up_character(opened, level + 1, {}, chance)
        elif reached < level:
            opened = level_up_character(opened, reached + 1, {}, chance, vehicle)
    if name:
        opened = change_character(opened, draft_event(SetEvent, name=name, unit=VEHICLE))
    assert "Left out" not in write_answers(opened)
    assert to_text(again(opened, tmp_path_factory.mktemp("again"))) == to_text(opened.document)


@pytest.mark.parametrize(
    "units, reason",
    [
        ({"asset.boat": UnitSpec("Nix")}, 'there is no unit "asset.boat" here'),
        ({VEHICLE: UnitSpec("", (2, 2))}, "Tank can be level 2 at most, not 3"),
    ],
)
def test_units_that_cannot_level_up_are_refused(capital, units, reason):
    chosen = {"asset": "vehicle/tank"}
    spec = CharacterSpec(capital, "7", "Nix", 2, answers=chosen, units=units)
    with pytest.raises(UnusedAnswers, match="problem") as refused:
        create_character(spec, RandomAnswers("7"))
    assert reason in refused.value.problems[0][1]


def test_what_only_a_late_vehicle_allows_is_named_and_left_out(make):
    """Backup requires a Special Vehicle; this one comes at Level 3, so Level 4 may take it."""
    opened, _tank = gain(make("the-tank", 3).opened, "vehicle/bike")
    opened = level_up_character(
        opened, 4, {"level.4.hp": [1, 1], "level.4.systems": ["system/backup"]}
    )
    lines = write_answers(opened).splitlines()
    left = "# Left out, because only later changes allow it: level.4.systems: [system/backup]"
    assert left in lines
    assert not [line for line in lines if line.startswith("  level.4.systems")]


def test_the_levels_of_a_vehicle_may_be_asked(capital: Ruleset):
    from charforge.decisions.kinds import may_be_asked, possible_ids

    known = possible_ids(capital, 3)
    assert {f"{VEHICLE}.level.2.systems", f"{VEHICLE}.level.3.systems"} <= known
    assert f"{VEHICLE}.level.4.systems" not in known
    assert may_be_asked(capital, f"{VEHICLE}.level.10.systems")
    assert may_be_asked(capital, f"{VEHICLE}.level.4.systems.mechsuit-arm-mk1.damage")
    assert may_be_asked(capital, "level.4.companion#31.hp")
    assert not may_be_asked(capital, f"{VEHICLE}.level.11.systems")
    assert not may_be_asked(capital, f"{VEHICLE}.level.2.system")
    assert not may_be_asked(capital, "asset.companion.level.2.systems")
