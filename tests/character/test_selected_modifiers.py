"""Modifiers that choose the things, or the attacks, that they change; each change is explained."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from charforge.character.files.storage import save
from charforge.character.holdings import add_holding, attack_changes
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load_folder
from charforge.usecases.create import create_character
from charforge.verbs import odds
from charforge.verbs.typed_inputs import TypedInputs
from tests.command_runner import run_command
from tests.conftest import TOY

WATCH = TOY.with_name("watch")


@pytest.fixture
def archer(packs_home: Path) -> LoadedCharacter:
    """An archer of the watch: Brawn 3, Wits 1."""
    shutil.copytree(WATCH, packs_home / "watch")
    rules = load_folder(WATCH)
    answers = {"brawn": 1, "pocket": 1, "locker": 1, "kit.own.score": "wits"}
    return replay_document(
        create_character(CharacterSpec(rules, "1", "Hob", answers=answers)), rules
    )


def test_an_attack_explains_what_adds_to_it(archer: LoadedCharacter, tmp_path: Path) -> None:
    save(archer.document, tmp_path / "hob.json")
    out = run_command("explain", "hob.json", "bow", folder=tmp_path).out
    roll, _colon, rest = out.partition("Shot: damage")
    assert "+2  Archer" in roll
    assert "1d4 + 4" in rest
    assert "1d4 + BRN + 1 Archer" in rest


def test_odds_count_what_adds_to_an_attack(archer: LoadedCharacter) -> None:
    result = odds.calculate_odds(odds.find_odds_subject(archer, "Bow: Shot"), TypedInputs({}))
    landed = next(one for one in result.cases[0] if one.id == "landed")
    assert landed.chances.at_least(1) == Fraction(33, 36)  # 2d6 + 1 + 2 >= 7


@pytest.mark.parametrize("trained", [False, True])
def test_a_modifier_of_attacks_may_ask_for_training(
    docking: Callable[..., Path], dockhand: Callable[..., LoadedCharacter], trained: bool
) -> None:
    strong = "Strong Back, source: Knacks, slots: 1, modifies: ["
    more = "{attacks: damage, amount: 2, when: trained}, "
    rules = load_folder(docking(("things.yaml", strong, f"{strong}{more}")))
    state = dockhand(rules=rules, knacks=["knack/strong-back"]).character.state
    for name in ["training/crossbows"] * trained + ["gear/crossbow"]:
        state = add_holding(state, rules.entity(name), name, "event.1")
    bow = state.holdings[-1]
    changes = attack_changes(state, bow, "character", bow.entity, bow.entity.attacks[0], "damage")
    assert changes == (((2, "knack/strong-back"),) if trained else ())


def test_each_thing_that_changes_a_value_is_a_step(climber: Callable[..., LoadedCharacter]) -> None:
    state = climber(vows=["vow/lightness"]).character.state
    steps = [step for step in state.values().explain("max_life").steps if "vow" in step.source]
    assert [(step.amount, step.note) for step in steps] == [(1, ("Shield",)), (1, ("Iron Band",))]
