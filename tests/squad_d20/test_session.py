"""A fight step by step: results, saved events and undo."""

from __future__ import annotations

import pytest

from charforge.errors import RuleRefusal, UsageError
from charforge.verbs import manual_changes, play
from charforge.verbs.inventory import read_purchase
from tests.squad_d20.conftest import HAAS
from tests.tables import Session


@pytest.fixture
def kessler(soldier) -> Session:
    return Session(soldier())


def d20(*faces: int) -> dict[str, tuple[int, ...]]:
    return {"own": faces}


def test_a_fight(kessler):
    # Initiative 12 + 4, no check.
    done = kessler(play.use_named, "initiative", dice=d20(12))
    assert done.steps[-1].text == "Initiative: 16"
    # Tactics: 10 + 10 = 20, 2 successes; accuracy 7 + 2 for 3 rounds.
    kessler(play.use_named, "precision aim", dice=d20(10))
    assert kessler.now("accuracy") == 9
    # The cannon, aimed: 9 + 9 + 1 + 2 = 21 against 18.
    kessler(play.use_named, "aiming")
    words = {"vs": "18", "resistance": "5", "threshold": "6"}
    done = kessler(play.use_named, "rotary cannon: focused burst", words=words, dice=d20(9))
    # Overage 3: 15 − 2 = 13, × 3 = 39; threshold 4: 3 wounds, + 3.
    assert (done.outputs["total"], done.outputs["dealt"], done.outputs["wounds"]) == (21, 39, 6)
    kessler(play.use_named, "enemy killed")
    assert kessler.now("morale") == 1
    kessler(play.start_or_end_turn, end=True)
    # Hit: 22 − 6 = 16, 1 wound: core.
    kessler(play.apply_damage, 22, dice=d20(11))
    assert (kessler.now("hp"), kessler.now("morale"), kessler.now("healing_threshold")) == (
        29,
        0,
        4,
    )
    # A marine is hit for 15 − 4 = 11: dropped, and brought back.
    kessler(play.apply_damage, 15, unit_id=HAAS)
    assert (kessler.now("life", HAAS), kessler.now("unit_defense")) == (0, 16)
    kessler(play.use_named, "first-aid", unit_id=HAAS)
    assert (kessler.now("life", HAAS), kessler.now("unit_defense")) == (1, 15)
    kessler(play.start_or_end_turn)
    assert "Precision Aim 2" in kessler.line
    assert "Aiming" not in kessler.line
    kessler(play.take_rest, "combat")
    assert "Precision Aim" not in kessler.line
    assert "Core wounds" in kessler.line


def test_a_weapons_own_name_means_its_plain_attack(kessler):
    # Eight ways to fire it; 11 + 7 + 1 = 19.
    done = kessler(play.use_named, "rotary cannon", words={"vs": "18"}, dice=d20(11))
    assert done.steps[0].text == "Rotary cannon"
    assert done.outputs["total"] == 19
    with pytest.raises(UsageError, match="several abilities"):
        kessler(play.use_named, "burst", words={"vs": "18"})


def test_skills_are_rolled_by_name_ones_own_too(kessler):
    # 8 + Stealth 6; 8 + Medicine 4.
    assert kessler(play.roll_check, "stealth", 14, dice=d20(8)).outputs["success"] == 1
    assert kessler(play.roll_check, "medicine", 12, dice=d20(8)).outputs["total"] == 12


def test_called_wounds_and_half_damage_are_said_with_the_damage(kessler):
    # (31 − 6) / 2 = 12: 1 wound, to mobility.
    kessler(play.apply_damage, 31, words={"half": "yes", "place": "mobility"})
    assert (kessler.now("hp"), kessler.now("wounds_mobility"), kessler.now("speed")) == (38, 1, 7)


def test_wound_points_are_cleared_and_counters_kept(kessler):
    kessler(play.apply_damage, 30, words={"place": "vital"})
    assert (kessler.now("bleed"), kessler.now("dr")) == (4, 4)
    kessler(manual_changes.spend_resource, "wounds_vital", 2)
    kessler(manual_changes.spend_resource, "bleed", 4)
    assert (kessler.now("bleed"), kessler.now("dr"), kessler.now("wounds_vital")) == (0, 6, 0)


def test_whoever_is_killed_does_nothing_more(kessler):
    kessler(play.apply_damage, 60, words={"place": "core"})
    assert "Killed" in kessler.line
    with pytest.raises(RuleRefusal, match="you cannot use anything while Killed"):
        kessler(play.use_named, "charge")


def test_rests_are_a_minute_and_the_end_of_combat(kessler):
    kessler(play.use_named, "action/sprint")
    assert kessler.now("sprints") == 1
    kessler(play.take_rest, "minute")
    assert kessler.now("sprints") == 0


def test_a_member_at_0_life_is_dropped_however_it_got_there(kessler):
    """S20: dropped is what 0 life means, by damage as by hand."""
    kessler(manual_changes.spend_resource, "life", kessler.now("life", HAAS), unit_id=HAAS)
    with pytest.raises(RuleRefusal, match="you cannot use anything while Dropped"):
        kessler(play.use_named, "weapon/automatic", "automatic", unit_id=HAAS, words={"vs": "15"})
    kessler(play.use_named, "first-aid", unit_id=HAAS)
    assert kessler.now("life", HAAS) == 1


def test_a_game_without_gear_says_that_nothing_is_for_sale(kessler):
    with pytest.raises(UsageError, match="Squad d20 has nothing to buy"):
        read_purchase(kessler.opened, "rifle")
