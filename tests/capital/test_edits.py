"""Edits of an early decision at Level 10, worked by hand for every Role.

Each veteran has a land beast as its asset, a bike of Level 4 that the GM
gave, the lowest dice at every Level, and of its Slots (2 at Level 2 and 3,
4 at Level 4 and 5, then 6, 6, 9, 9, 12) it filled two at Level 2 with its
Role's second System and Move carefully, and two at Level 4 with Charge.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import to_text
from charforge.character.files.events import AcquireEvent, AdvanceEvent
from charforge.character.state_data import RolledSum
from charforge.decisions.base import MISSING, Answer, Decision
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.usecases.edit import (
    EditPreview,
    Reanswers,
    draft_answer,
    find_decision,
    preview_edit,
    random_reanswers as again_by_chance,
    try_edit,
)
from charforge.usecases.level_up import level_up_character
from charforge.verbs.change import change_character, commit_change, draft_event
from charforge.verbs.history import redo, undo
from tests.capital.conftest import SCORES, Maker, lowest
from tests.samples import few

UPGRADE = {
    "the-lancer": "system/try-that-again-ii",
    "the-scout": "system/focus-ii",
    "the-healer": "system/patch-up-ii",
    "the-captain": "system/thats-an-order-ii",
    "the-tank": "system/intercept-ii",
    "the-sentinel": "system/power-play-ii",
}
ROLES = tuple(UPGRADE)
# A Role's own Maximum HP at Level 1 over FTD, and the least that a further Level brings over FTD.
HP = {
    "the-lancer": (10, 6),
    "the-scout": (10, 6),
    "the-healer": (14, 8),
    "the-captain": (14, 8),
    "the-tank": (18, 12),
    "the-sentinel": (10, 6),
}
ARRAY = {"str": 7, "ftd": 6, "agi": 5, "cha": 4}  # the four scores of a land beast
ALL_HP = {f"level.{n}.hp" for n in range(2, 11)}
COMPANION = {"asset.companion.array", *(f"level.{n}.companion.hp" for n in range(2, 11))}
OTHER_PLUS = {
    "the-lancer": "str",
    "the-scout": "cha",
    "the-healer": "wil",
    "the-captain": "wil",
    "the-tank": "wil",
    "the-sentinel": "cha",
}


def plainly(decision: Decision) -> Answer:
    """Answer with the lowest dice and empty Slots, and anything else by chance."""
    found = lowest(decision)
    return RandomAnswers("gift")(decision) if found is MISSING else found


def by_gift(opened: LoadedCharacter, entity: str) -> LoadedCharacter:
    """Return a character to whom the GM gave something, in Level 4 if it has Levels."""
    given = change_character(
        opened, draft_event(AcquireEvent, entity=entity, granted=True), source=plainly
    )
    unit = given.character.state.units[-1]
    if unit.type.level == "owner":
        return given
    return level_up_character(given, 4, {}, lowest, unit)


@pytest.fixture(scope="module")
def veteran(make: Maker) -> Callable[..., LoadedCharacter]:
    """Return the maker of the veterans of this file, each made once."""
    made: dict[str, LoadedCharacter] = {}

    def veteran(role: str) -> LoadedCharacter:
        if role not in made:
            answers: dict[str, Answer] = {
                "asset": "companion/land-beast",
                "asset.companion.array": ARRAY,
                "level.2.systems": [UPGRADE[role], "system/move-carefully"],
                "level.4.systems": ["system/charge"],
            }
            made[role] = by_gift(make(role, 10, answers).opened, "vehicle/bike")
        return made[role]

    return veteran


def look(opened: LoadedCharacter, decision: str, answer: Answer) -> EditPreview:
    """Return what answering a decision again would change."""
    found = draft_answer(opened, find_decision(opened, decision), answer)
    return preview_edit(try_edit(opened, [found]))


def values(opened: LoadedCharacter, seen: EditPreview) -> dict[str, object]:
    """Return the values of the character itself that change, with the new ones."""
    return {d.id: d.new for d in seen.differences if d.topic == "value" and not d.unit}


def edited(opened: LoadedCharacter, decision: str, answer: Answer) -> LoadedCharacter:
    """Return the character with a decision answered again, whatever that breaks."""
    found = draft_answer(opened, find_decision(opened, decision), answer)
    return commit_change(try_edit(opened, [found]), tolerant=True)


def total(opened: LoadedCharacter, value: str, unit: int = 0) -> int:
    """Return a value of one of a character's units."""
    state = opened.character.state
    return state.values(state.units[unit].id).total(value)


@pytest.mark.parametrize("role", ROLES)
def test_the_veterans_are_as_described(veteran, role):
    opened = veteran(role)
    state = opened.character.state
    assert opened.problems == ()
    assert [(unit.name, state.level_of(unit)) for unit in state.units[1:]] == [
        ("Land Beast", 10),
        ("Bike", 4),
    ]
    assert (total(opened, "slots"), total(opened, "slots_used")) == (12, 4)


# ------------------------------------------------------------------ role

# From one Role to another: the answers that lose their question, those that the other Role does
# not allow, and the questions that it asks anew. To these comes what is true of every change:
# the second System needs the first one of its own Role, so the Systems of Level 2 have no effect,
# and the 2 Slots that stay empty so are asked about at Levels 3 and 5.
CHANGES = [
    # (VSN, AGI) against (WIL or AGI, STR or VSN); no weapon; 1d6 a Level becomes 2d6.
    ("the-lancer", "the-healer", {"role.weapon"}, {"role.plus", "role.minus"} | ALL_HP, set()),
    # (WIS, STR) against (STR or WIL, VSN or AGI); a rifle is no melee weapon; 1d6 becomes 2d6.
    ("the-scout", "the-tank", set(), {"role.plus", "role.minus", "role.weapon"} | ALL_HP, set()),
    # (AGI, STR) against (WIL or WIS, STR or AGI): AGI cannot be raised; both roll 2d6. The
    # Captain's symbol may be left out, so nobody must be asked.
    ("the-healer", "the-captain", set(), {"role.plus"}, set()),
    # (WIS, STR) against (CHA or KNW, STR or AGI); 2d6 becomes 1d6; the pistol's damage is new.
    (
        "the-captain",
        "the-sentinel",
        {"role.symbol"},
        {"role.plus"} | ALL_HP,
        {"role.standard-pistol.damage"},
    ),
    # (STR, VSN) against (STR or VSN, FTD or AGI); a warhammer is a Simple weapon; 2d6 to 1d6.
    ("the-tank", "the-lancer", set(), {"role.minus"} | ALL_HP, set()),
    # (KNW, STR) against (CHA or WIS, STR or WIL); both roll 1d6; the weapon is new.
    ("the-sentinel", "the-scout", {"role.standard-pistol.damage"}, {"role.plus"}, {"role.weapon"}),
]


@pytest.mark.parametrize(("old", "new", "dormant", "broken", "opened"), CHANGES)
def test_another_role(veteran, old, new, dormant, broken, opened):
    seen = look(veteran(old), "role", f"role/{new}")
    assert set(seen.dormant) == dormant
    assert set(seen.broken) == broken | {"level.2.systems"}
    assert {decision.id for decision in seen.open} == opened | {
        "level.3.systems",
        "level.5.systems",
    }
    # Neither beast nor bike has anything else; but the beast shares its owner's Energy.
    assert {d.id for d in seen.differences if d.unit} <= {"max_energy", "energy"}


def test_dice_that_still_fit_another_role_are_computed_with_its_figures(veteran):
    # Healer to Captain: (1, 1) + FTD 6 = 8 is below FTD + 8 = 14 at each of nine Levels for both.
    # KNW 5 loses the Healer's 1, CHA 5 gains the Captain's; AGI 5 loses what cannot be raised.
    opened = veteran("the-healer")
    assert total(opened, "max_hp") == 6 + 14 + 9 * 14
    after = edited(opened, "role", "role/the-captain")
    assert total(after, "max_hp") == 6 + 14 + 9 * 14
    assert (total(after, "knw"), total(after, "cha"), total(after, "agi")) == (4, 6, 5)


# ------------------------------------------------------------------ role.plus


@pytest.mark.parametrize("role", ROLES)
def test_another_raise(veteran, role):
    opened = veteran(role)
    former = opened.document.answers["role.plus"]
    chosen = OTHER_PLUS[role]
    seen = look(opened, "role.plus", chosen)
    assert (seen.dormant, seen.broken, seen.open) == ((), {}, ())
    changed = values(opened, seen)
    assert changed[former] == total(opened, former) - 1
    assert changed[chosen] == total(opened, chosen) + 1
    # WIL is the only one of these that another figure reads: Max Energy is WIL + 11 at Level 10.
    energy = {"max_energy": total(opened, "wil") + 12, "energy": total(opened, "wil") + 12}
    assert changed.keys() - {former, chosen} == (energy.keys() if chosen == "wil" else set())
    assert {name: changed[name] for name in energy if name in changed} in ({}, energy)


# ------------------------------------------------------------------ attributes.assign


@pytest.mark.parametrize("role", ROLES)
def test_other_scores_settle_the_hp_of_every_level_anew(veteran, role):
    opened = veteran(role)
    first, each = HP[role]
    more = 1 if role == "the-tank" else 0  # the Tank's own FTD + 1
    # FTD and KNW change places: FTD is 4 where it was 6. The lowest dice never exceed the minimum.
    assert total(opened, "max_hp") == (6 + more + first) + 9 * (6 + more + each)
    scores = {**SCORES, "ftd": SCORES["knw"], "knw": SCORES["ftd"]}
    seen = look(opened, "attributes.assign", scores)
    assert (seen.dormant, seen.broken, seen.open) == ((), {}, ())
    changed = values(opened, seen)
    settled = (4 + more + first) + 9 * (4 + more + each)
    assert (changed["max_hp"], changed["hp"], changed["ftd"]) == (settled, settled, 4 + more)
    after = edited(opened, "attributes.assign", scores)
    steps = {step.source: step for step in after.character.state.values().explain("max_hp").steps}
    assert steps.keys() >= ALL_HP
    for source in ALL_HP:  # each its minimum, with the FTD that counts now
        [rolled] = steps[source].note
        assert isinstance(rolled, RolledSum)
        assert (steps[source].amount, rolled.least) == (4 + more + each, 4 + more + each)
    assert total(after, "max_hp", 1) == total(opened, "max_hp", 1)  # the beast already has one FTD


# ------------------------------------------------------------------ asset


@pytest.mark.parametrize("role", ROLES)
def test_another_asset_leaves_what_the_beast_was_asked_without_effect(veteran, role):
    opened = veteran(role)
    seen = look(opened, "asset", "special-weapon/light-melee")
    assert set(seen.dormant) == COMPANION
    assert seen.broken == {}
    assert [decision.id for decision in seen.open] == ["asset.weapon.damage"]
    after = edited(opened, "asset", "special-weapon/light-melee")
    assert [unit.name for unit in after.character.state.units[1:]] == ["Bike"]


@pytest.mark.parametrize("role", few(ROLES, 1, slow=3))
def test_a_vehicle_that_was_the_asset_takes_its_levels_along(make, role):
    # The other way about: a mechsuit of Level 3 is the asset, the beast a gift. Each of the two
    # Levels brings the mechsuit a free Slot, so each has asked for Systems.
    answers = {"asset": "vehicle/mechsuit", "asset.vehicle.legs": "strider"}
    answers["asset.vehicle.mechsuit-arm-mk1.damage"] = "blunt"
    opened = make(role, 10, answers).opened
    opened = level_up_character(opened, 3, {}, lowest, opened.character.state.units[1])
    opened = by_gift(opened, "companion/land-beast")
    levels = [
        e.n for e in opened.document.log if isinstance(e, AdvanceEvent) and e.unit is not None
    ]
    seen = look(opened, "asset", "augmentation/weapon")
    assert len(levels) == 2
    assert set(seen.dormant) == {
        "asset.vehicle.legs",
        "asset.vehicle.mechsuit-arm-mk1.damage",
        "asset.vehicle.level.2.systems",
        "asset.vehicle.level.3.systems",
        *(f"event.{number}" for number in levels),
    }
    assert seen.broken == {}
    assert [d.label for d in seen.differences if d.topic == "unit"] == ["Mechsuit"]


# ------------------------------------------------------------------ a Level's Systems


@pytest.mark.parametrize("role", ROLES)
def test_other_systems_break_what_was_built_on_them(veteran, role):
    # Charge at Level 2 cannot be taken again at Level 4, whose 2 Slots then are still free at
    # Level 5. Without its second System the Role has its first one back.
    opened = veteran(role)
    first = opened.ruleset.entity(UPGRADE[role]).replaces
    seen = look(opened, "level.2.systems", ["system/charge"])
    assert seen.dormant == ()
    assert seen.broken == {"level.4.systems": ("Charge: already taken (not Repeatable)",)}
    assert [decision.id for decision in seen.open] == ["level.5.systems"]
    after = edited(opened, "level.2.systems", ["system/charge"])
    assert (first in held(opened), first in held(after)) == (False, True)
    assert UPGRADE[role] not in held(after)
    assert total(after, "slots_used") == 2


def test_fewer_systems_ask_about_the_slot_that_is_free_at_each_level(veteran):
    # One of 2 Slots at Level 2: one is free at Level 3; at Level 5 it is 3 of 4.
    seen = look(veteran("the-tank"), "level.2.systems", ["system/intercept-ii"])
    assert (seen.dormant, seen.broken) == ((), {})
    assert [decision.id for decision in seen.open] == ["level.3.systems", "level.5.systems"]


def held(opened: LoadedCharacter) -> set[str]:
    """Return what a character and its units hold, by entity."""
    return {holding.entity.id for holding in opened.character.state.holdings}


# ------------------------------------------------------------------ and back again

AGAIN: list[tuple[str, Answer]] = [
    ("asset", "special-weapon/light-melee"),
    ("attributes.assign", {**SCORES, "ftd": 4, "knw": 6}),
    ("level.2.systems", ["system/charge"]),
    ("level.4.systems", []),
]


@pytest.mark.parametrize("role", few(ROLES, 1, slow=3))
def test_undoing_an_edit_restores_the_file(veteran, role):
    opened = veteran(role)
    other = ROLES[ROLES.index(role) - 1]
    for decision, answer in (*AGAIN, ("role", f"role/{other}"), ("role.plus", OTHER_PLUS[role])):
        after = edited(opened, decision, answer)
        assert to_text(after.document) != to_text(opened.document)
        back = undo(after).after
        assert back.document.undone
        restored = back.document.model_copy(update={"undone": ()})
        assert to_text(restored) == to_text(opened.document)
        forth = redo(back).after
        assert to_text(forth.document) == to_text(after.document)


@pytest.mark.parametrize(
    ("role", "seed"), few([pytest.param(*one) for one in zip(ROLES, cycle("abc"))], 2)
)
def test_any_character_is_legal_again_once_chance_has_answered_what_an_edit_asks(
    capital: Ruleset, role, seed
):
    chance = RandomAnswers(f"{role} {seed}")
    plan = CharacterSpec(capital, chance.seed, "Nix", 10, answers={"role": f"role/{role}"})
    opened = load_document(create_character(plan, chance), Path("nix.json"), capital)
    opened = change_character(
        opened, draft_event(AcquireEvent, entity="vehicle/bike", granted=True), source=chance
    )
    other = f"role/{ROLES[ROLES.index(role) - 1]}"
    found = draft_answer(opened, find_decision(opened, "role"), other)
    again = Reanswers(opened, {}, again_by_chance(opened.document))
    made = commit_change(try_edit(opened, [found], again))
    assert made.problems == ()
    assert other in held(made)
    assert to_text(undo(made).after.document.model_copy(update={"undone": ()})) == to_text(
        opened.document
    )
