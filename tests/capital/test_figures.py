"""The figures in catalog texts are exactly those of the book; figures of characters in play.

The texts are the project's own words, so that only their figures can be compared:
numbers but 0 and 1 (which words such as "a" or "no" may stand for), dice, and the
Attributes named. The tables are read from the book a second time; what a ruling
adds is marked with it.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.events import AcquireEvent, CarryEvent
from charforge.character.state import State, find_unit
from charforge.errors import RuleRefusal
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.replay.replay import leave_open, replay
from charforge.rules.models import Entity
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.usecases.level_up import level_up_character
from charforge.verbs import manual_changes, play
from charforge.verbs.change import change_character, draft_event
from charforge.verbs.inventory import stow_items
from charforge.verbs.manual_changes import award_entity, award_resource, draft_award
from charforge.verbs.typed_inputs import TypedInputs

FIGURE = re.compile(r"\d+d\d+|\d*\.\d+|\d+|\b(?:STR|FTD|AGI|VSN|WIS|WIL|CHA|KNW)\b")

SYSTEMS = {
    "all-out": "AGI 10 5 50",
    "backup": "",
    "bonk": "",
    "cautious": "",
    "certitude": "2 CHA",
    "charge": "",
    "clear-mind": "3",
    "damage-resist": "",
    "deaf": "6 WIS 3",
    "defensive-focus": "",
    "enthusiasm": "5 WIL",
    "focus-i": "AGI 10",  # the cap of 10: D21
    "focus-ii": "AGI 10",  # the cap of 10: D21
    "generous": "",
    "healthy": "2",
    "high-alert": "",
    "intercept-i": "STR 3 2d6",
    "intercept-ii": "STR 8 2d6 2",
    "jury-rig": "30 1d6 KNW 5",
    "know-your-enemy": "KNW 7 2 3",
    "lockdown": "WIS 4 3",
    "look-out": "",
    "move-carefully": "",
    "offensive-focus": "1d6",
    "opportunist": "1d6",
    "patch-up-i": "1d6 KNW",
    "patch-up-ii": "6 1d6 KNW 2",
    "patience": "",
    "pep-talk": "CHA",
    "power-play-i": "WIS 50",
    "power-play-ii": "WIS 50",
    "power-under-pressure": "10 2",
    "quick": "1d6",
    "rally": "2 CHA STR",
    "robotic": "",
    "sanctuary": "2 3",
    "supercharge": "10 2 5 KNW 1d6",
    "surge": "2",
    "tactical-focus": "6",
    "terrifying": "",
    "thats-an-order-i": "CHA AGI",
    "thats-an-order-ii": "CHA AGI",
    "try-that-again-i": "",
    "try-that-again-ii": "2",
    "urgency": "AGI 5",
}
VEHICLE_SYSTEMS = {
    "ballistic-tank-gun-mk1": "",
    "bike-wheels-mk1": "25 15 180",
    "capacitor-a1-mk1": "",
    "capacitor-a2-mk1": "",
    "dancer-mechsuit-legs-mk1": "25",
    "giant-atmospheric-thrusters-mk1": "25 20 15 90 8 100",
    "giant-wheels-mk1": "15 10 90",
    "laser-tank-gun-mk1": "",
    "mechsuit-arm-mk1": "",
    "strider-mechsuit-legs-mk1": "10 2",
}
SPECIAL_WEAPONS = {
    "light-melee": "",
    "two-handed-melee": "",
    "spear": "",
    "greatsword": "",
    "warhammer": "",
    "pistol": "",
    "rifle": "",
    "minigun": "",
    "sniper-rifle": "",
    "shield": "2 8 10",
    "whip": "2",
}
EQUIPMENT = {
    "advanced-first-aid-kit": "2d6 5 4 3",
    "adventuring-kit": "7",
    "alloy-cable-5m": "5 2 150",
    "auto-rifle": "",
    "backpack": "65",
    "clothing": "4",
    "electric-lantern": "20",
    "high-strength-alloy-cable-5m": "5 8",
    "miniature-general-scanner": "100 30 5",
    "minigun": "",
    "non-perishable-rations-1-day": "",
    "personal-communicator": "100 30",
    "pistol": "",
    "plasma-cannon": "5 3d6 3 4",
    "precision-rifle": "",
    "primitive-buckler": "",
    "primitive-first-aid-kit": "1d6 2",
    "primitive-rope-20m": "20 2",
    "primitive-shield": "2",
    "primitive-whip": "2",
    "simple-baton-shortsword": "",
    "simple-club-longsword": "",
    "simple-dagger": "",
    "simple-greatsword": "",
    "simple-spear": "",
    "simple-warhammer": "",
    "sniper-rifle": "",
    "solar-array": "",
    "sonic-rifle": "3 1d6 6 2",
    "standard-pistol": "",
    "tent": "2 3 4 6 8",
    "tesla-rifle": "2 1d6 4 5",
    "toolkit": "KNW",
    "torch": "30",
    "water-bottle": "",
}
STATUSES = {"grappled": "AGI STR", "prone": "AGI 4 2", "taunted": ""}
AUGMENTATIONS = {"weapon": "", "slots": "2", "attribute": "2 10", "limb": ""}
EXACT = {
    **{f"system/{name}": figures for name, figures in SYSTEMS.items()},
    **{f"vehicle-system/{name}": figures for name, figures in VEHICLE_SYSTEMS.items()},
    **{f"special-weapon/{name}": figures for name, figures in SPECIAL_WEAPONS.items()},
    **{f"equipment/{name}": figures for name, figures in EQUIPMENT.items()},
    **{f"status/{name}": figures for name, figures in STATUSES.items()},
    **{f"augmentation/{name}": figures for name, figures in AUGMENTATIONS.items()},
}
# Longer rules and keywords: the rulings and the wording add figures of their own.
AT_LEAST = {
    "keyword/action": "2",
    "keyword/companion": "FTD AGI",
    "keyword/cooldown": "1d6",
    "keyword/heavy": "STR 6 2",
    "keyword/signature": "1d6 5",
    "action/move": "10",
    "action/overwatch": "5 WIL",
    "action/grapple": "STR",
    "action/seize-the-initiative": "5 AGI CHA",
    "rule/attribute-check": "2d6 10",
    "rule/modifying-a-roll": "2 3",
    "rule/grit": "2 4",
    "rule/starting-combat": "2d6 AGI 2",
    "rule/attack-counters": "2",
    "rule/point-blanc": "3 2",
    "rule/improvised-attacks": "STR 2",
    "rule/dying": "2 1d6 7 WIL",
    "rule/short-break": "15 1d6 WIL",
    "rule/long-break": "1d6 FTD",
    "rule/full-rest": "8 6 1d6",
    "rule/falling": "10 30 50 4 AGI 1d6",
    "rule/size": "0.5 2 4 16 256",
    "rule/holding-equipment": "2",
    "rule/attributes": "8 10",
    "rule/vitals": "WIL 3 FTD 5",
    "rule/levelling-up": "WIL 3 5 7 9 11 2 4 6 8 12 10",
    "rule/focus": "AGI 2",
    "keyword/aim": "",
    "keyword/block": "",
}


def texts(entity: Entity) -> list[str]:
    """Return everything an entity says, but for the figures that are fields of their own."""
    said = [entity.text]
    for action in entity.actions:
        said += [action.text, action.trigger]
    said += [attack.text for attack in entity.attacks]
    for choice in entity.choices:
        for option in getattr(choice, "options", ()):
            said += [option.label, option.text]
    return said


def figures(text: str) -> set[str]:
    return set(FIGURE.findall(text)) - {"0", "1"}


def in_texts(entity: Entity) -> set[str]:
    return figures(" ".join(texts(entity)))


@pytest.mark.parametrize(
    "kind", ["system", "vehicle-system", "special-weapon", "equipment", "status", "augmentation"]
)
def test_the_table_is_complete(capital, kind):
    named = {name for name in EXACT if name.startswith(f"{kind}/")}
    assert named == {entity.id for entity in capital.of_kind(kind)}


def test_exactly_the_books_figures(capital):
    found = {name: in_texts(capital.entity(name)) for name in EXACT}
    assert found == {name: figures(text) for name, text in EXACT.items()}


def test_no_figure_of_the_book_is_lost(capital):
    lost = {name: figures(text) - in_texts(capital.entity(name)) for name, text in AT_LEAST.items()}
    assert {name: missing for name, missing in lost.items() if missing} == {}


# ------------------------------------------------------------------ Level-ups (figures are samples)


def test_a_minimum_that_changes_nothing_is_not_named(make):
    assert "minimum" not in make("the-tank", 2, {"level.2.hp": [6, 3]}).notes("max_hp")[1]


def test_level_up_after_creation_is_creation_at_that_level(make):
    """A Scout of Level 3 made at once, and one made at 1 and levelled up twice, are the same."""
    answers = {
        "level.2.hp": [6],
        "level.2.systems": ["system/focus-ii", "system/tactical-focus"],
        "level.3.hp": [2],
    }
    scout = make("the-scout")
    second = {name: answer for name, answer in answers.items() if name.startswith("level.2")}
    third = {name: answer for name, answer in answers.items() if name.startswith("level.3")}
    opened = level_up_character(scout.opened, 2, second, leave_open)
    opened = level_up_character(opened, 3, third, leave_open)
    assert opened.document == make("the-scout", 3, answers).opened.document
    # 6 + 10; 6 + 8 = 14; 2 + 8 = 10, minimum 12: 42 in all.
    assert opened.character.state.values().total("max_hp") == 42


# ------------------------------------------------------------------ Untrained


UNTRAINED = play.UseTerms(untrained=True)


@pytest.fixture
def shielded(make) -> LoadedCharacter:
    """A Lancer with a buckler and a whip in hand, without Training with either."""
    opened = stow_items(make("the-lancer").opened, (), everything=True).after
    for name in ("primitive-buckler", "primitive-whip"):
        draft = draft_event(
            AcquireEvent, entity=f"equipment/{name}", unit="character", granted=True
        )
        opened = change_character(opened, draft)
        held = opened.character.state.holdings[-1].id
        opened = change_character(opened, draft_event(CarryEvent, how="hold", holding=held))
    return opened


@pytest.mark.parametrize("ability", ["primitive buckler", "primitive whip"])
@pytest.mark.parametrize(("doubled", "price"), [("no", 4), ("yes", 2)])
def test_grit_pays_for_training(
    shielded: LoadedCharacter, ability: str, doubled: str, price: int
) -> None:
    """An attack, and an Action (Grapple): the price is paid before the roll, which succeeds."""
    action = "Grapple" if "whip" in ability else None
    words = {"opposed": "2", "doubled": doubled}
    typed = TypedInputs(words, {"own": (3, 4)})
    with pytest.raises(RuleRefusal, match=f"--untrained pays {price} Grit instead"):
        play.use_named(shielded, ability, action, typed=typed)
    with pytest.raises(RuleRefusal, match=f"needs {price} Grit; you have {price - 1}"):
        poor = manual_changes.spend_resource(rich(shielded, price), "grit", 1).after
        play.use_named(poor, ability, action, typed=typed, terms=UNTRAINED)
    done = play.use_named(rich(shielded, 5), ability, action, typed=typed, terms=UNTRAINED)
    assert not done.after.problems
    assert done.after.character.state.values().total("grit") == 5 - price


def rich(opened: LoadedCharacter, grit: int) -> LoadedCharacter:
    """Return the character with so much Grit."""
    return award_resource(opened, "grit", grit, opened.character.state.units[0]).after


def test_an_action_that_asks_nothing_asks_about_the_ideal(make) -> None:
    """A Healer reloads a pistol as an Instant; what was asked is saved and replays."""
    opened = make("the-healer").opened
    state = opened.character.state
    pistol = state.ruleset.entity("equipment/standard-pistol")
    gift = draft_award(state, pistol, 1, state.units[0])
    opened = award_entity(opened, gift, source=RandomAnswers("1")).after
    held = opened.character.state.holdings[-1].id
    opened = change_character(rich(opened, 4), draft_event(CarryEvent, how="hold", holding=held))
    typed = TypedInputs({"doubled": "yes"})
    done = play.use_named(opened, held, "Reload#2", typed=typed, terms=UNTRAINED)
    assert done.after.character.state.values().total("grit") == 2
    assert done.after.document.log[-1].inputs == {"doubled": 1}


# ------------------------------------------------------------------ Kept figures


def played(capital: Ruleset, seed: str) -> LoadedCharacter:
    """A character with a companion and a vehicle, hurt, tired, prone, raised, and rested."""
    answers = {"asset": "companion/land-beast"}
    plan = CharacterSpec(capital, seed, "Nix", 3, answers=answers)
    nix = replay_document(create_character(plan, RandomAnswers(seed)), capital)
    state = nix.character.state
    gift = manual_changes.draft_award(
        state, capital.entity("vehicle/bike"), 1, find_unit(state, None)
    )
    nix = manual_changes.award_entity(nix, gift, source=RandomAnswers(seed)).after
    for act in (
        lambda one: manual_changes.spend_resource(one, "energy", 2),
        lambda one: play.apply_damage(one, 5, "sharp"),
        lambda one: play.apply_damage(one, 6, "blunt", "land beast"),
        lambda one: play.apply_damage(one, 3, "heat", "bike"),
        lambda one: manual_changes.change_condition(one, "prone"),
        lambda one: manual_changes.change_condition(one, "prone", "land beast"),
        lambda one: play.apply_damage(one, 40, "sharp"),
        lambda one: play.start_or_end_turn(one),
        lambda one: manual_changes.change_condition(one, "prone", off=True),
        lambda one: play.apply_healing(one, 4),
        lambda one: play.take_rest(one, "full"),
    ):
        nix = act(nix).after
    return nix


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_every_figure_after_every_event_is_that_of_rules_without_a_cache(
    capital: Ruleset, seed: str
) -> None:
    nix = played(capital, seed)
    compared = set()
    uncached = replace(capital, entities=dict(capital.entities))

    def same(state: State) -> None:
        fresh = state.with_changes(ruleset=uncached)
        for unit in state.units:
            values, anew = state.values(unit.id), fresh.values(unit.id)
            for name in values.ids():
                assert values.explain(name) == anew.explain(name)
                assert values.base(name) == anew.base(name)
                compared.add((unit.id, name, values.total(name)))

    log = nix.document.log
    replay(capital, nix.document.answers, log=log, watch=lambda _event, _before, after: same(after))
    figures = {(unit, name) for unit, name, _figure in compared}
    assert len(compared) > len(figures) > 30  # many figures, of which some moved
    assert {unit for unit, _name in figures} == {unit.id for unit in nix.character.state.units}


def test_rules_made_of_others_share_nothing_that_was_worked_out(capital: Ruleset) -> None:
    capital.memo["mark"] = "of these rules"
    assert "mark" not in replace(capital, entities=dict(capital.entities)).memo
    del capital.memo["mark"]
