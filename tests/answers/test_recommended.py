"""Recommendations by what a character has and by its numbers, in games without roles."""

from __future__ import annotations

from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers, recommendations
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load

SQUAD = {"weapon": "weapon/automatic", "weapons": [], "members": ["member/own"]}
BURSTS = "You hit more often and harder, and Hailfire multiplies the damage."


def advice(game: str, answers: dict[str, Any], decision: str) -> dict[str, str]:
    """Return the recommended options of a decision, each with the words a player reads."""
    made = CharacterSpec(load(game), "7", "Nix", 1, answers=answers).replay(RandomAnswers("7"))
    (asked,) = [asked for asked in made.asked if asked.id == decision]
    return {str(option): str(found) for option, found in recommendations(asked).items()}


@pytest.mark.parametrize(
    ("strength", "instinct", "weapon", "reason"),
    [
        (9, 4, "weapon/melee", "In melee, up to 9"),
        (4, 9, "weapon/automatic", "At range, up to 9"),
        (5, 5, "weapon/automatic", "At range, up to 5"),
    ],
)
def test_the_main_weapon_follows_the_higher_overage_cap(
    strength: int, instinct: int, weapon: str, reason: str
) -> None:
    answers = {"attributes": {"strength": strength, "instinct": instinct}}
    found = advice("squad-d20", answers, "weapon")
    assert list(found) == [weapon]
    assert found[weapon].startswith(
        f"Recommended: {reason} points above the target's defense add to your damage"
    )


@pytest.mark.parametrize(
    ("weapon", "tactics"),
    [
        ("weapon/melee", ["tactic/fast-march"]),
        ("weapon/ranged", ["tactic/long-shot", "tactic/precision-aim"]),
        ("weapon/automatic", ["tactic/precision-aim"]),
        ("weapon/fully-automatic", ["tactic/precision-aim"]),
    ],
)
def test_tactics_follow_the_weapon(weapon: str, tactics: list[str]) -> None:
    assert sorted(advice("squad-d20", {"weapon": weapon, "weapons": []}, "tactics")) == tactics


def test_the_reason_names_what_you_have_as_you_called_it() -> None:
    answers = {**SQUAD, "weapon.own_name": "Old Faithful"}
    found = advice("squad-d20", answers, "tactics")
    assert found == {"tactic/precision-aim": f"Recommended for Old Faithful: {BURSTS}"}


def test_a_member_is_recommended_what_the_leader_fires() -> None:
    """The leader's own next weapon is not a second one of these."""
    reason = "Recommended: Fired together with yours, it adds +1 accuracy and +1 Hailfire."
    assert advice("squad-d20", SQUAD, "members.own.weapon") == {"weapon/automatic": reason}
    assert list(advice("squad-d20", SQUAD, "weapons")) == ["weapon/melee"]


@pytest.mark.parametrize(
    ("bonus", "options"),
    [(2, []), (3, ["precision-strike"]), (4, ["precision-strike", "shake-it-off"])],
)
def test_squad_options_follow_the_morale_bonus(bonus: int, options: list[str]) -> None:
    answers = {"weapon": "weapon/melee", "weapons": [], "morale_bonus": bonus}
    found = advice("squad-d20", answers, "squad")
    assert sorted(found) == [f"squad-option/{name}" for name in options]
    if bonus == 4:
        assert found["squad-option/shake-it-off"] == (
            "Recommended: Your morale bonus cancels 2 life hits."
        )


def test_a_squad_is_recommended_to_whoever_knows_options_for_one() -> None:
    assert advice("squad-d20", {"squad": []}, "members") == {}
    (found,) = advice("squad-d20", {"squad": ["squad-option/deadly-sweep"]}, "members").values()
    assert found == (
        "Recommended for Deadly Sweep: Your squad leadership options only work with a squad."
    )


@pytest.mark.parametrize(
    ("raised", "weapons"),
    [
        ({"brawn": 2, "vitality": 2}, {"own-melee": "Your Brawn adds 3 to its damage."}),
        ({"agility": 2, "vitality": 2}, {"own-ranged": "Your Agility adds 3 to its damage."}),
    ],
)
def test_a_weapon_follows_the_ability_that_adds_to_its_damage(
    raised: dict[str, int], weapons: dict[str, str]
) -> None:
    found = advice("narrative-dice", {"abilities": raised}, "weapons")
    assert {option.partition("/")[2]: reason for option, reason in found.items()} == {
        name: f"Recommended: {reason}" for name, reason in weapons.items()
    }
