"""Who is out of play for good rises no more and buys nothing, until that is taken back."""

from __future__ import annotations

import pytest

from charforge import service
from charforge.answers.chance import Chance
from charforge.content.load import load
from charforge.content.ruleset import Ruleset
from charforge.errors import RuleRefusal
from charforge.opened import Opened, replayed
from charforge.service import marking, owning, playing
from charforge.service.levelling import check_advance
from charforge.service.standing import refuse_gone
from tests.narrative_dice.conftest import ANSWERS

DEAD = "Nix is Dead: out of play for good"


@pytest.fixture(scope="module")
def nix(capital: Ruleset) -> Opened:
    """A character of Level 2 with a vehicle of its first."""
    given = {"money": 300, "asset": "vehicle/bike"}
    plan = service.Plan(capital, "7", "Nix", 2, answers=given)
    return replayed(service.create(plan, Chance("7")), capital)


def test_the_dead_rise_no_more_and_buy_nothing(nix: Opened) -> None:
    dead = marking.condition(nix, "dead").after
    vehicle = nix.character.state.units[1]
    for act in (
        lambda: check_advance(dead, 3),
        lambda: check_advance(dead, 2, unit=vehicle),
        lambda: owning.order(dead, "torch", price=0),
    ):
        with pytest.raises(RuleRefusal, match=DEAD) as met:
            act()
        assert met.value.advice.endswith("charforge condition FILE dead --off")
    for alive in (nix, service.undo(dead)[0], marking.condition(dead, "dead", off=True).after):
        check_advance(alive, 3)
        assert owning.order(alive, "torch", price=0).quantity == 1


def test_what_is_gone_is_the_unit_s_own(nix: Opened) -> None:
    vehicle = nix.character.state.units[1]
    gone = marking.condition(nix, "dead", unit=vehicle.id).after
    check_advance(gone, 3)
    assert owning.order(gone, "torch", price=0).quantity == 1
    for act in (
        lambda: check_advance(gone, 2, unit=vehicle),
        lambda: owning.order(gone, "torch", price=0, unit=vehicle.id),
    ):
        with pytest.raises(RuleRefusal, match=f"{vehicle.name} is Dead") as met:
            act()
        assert met.value.advice.endswith(f"dead --off --unit {vehicle.id}")


def test_a_death_that_follows_from_figures_is_only_undone() -> None:
    """Unconscious at 0 Stamina is death (ruling N6): a blow says so, else it holds by itself."""
    rules = load("narrative-dice")
    plan = service.Plan(rules, "m", "Maren", 1, answers=dict(ANSWERS))
    maren = replayed(service.create(plan, Chance("m")), rules)
    out = marking.spend(marking.condition(maren, "unconscious").after, "stamina", 5).after
    refuse_gone(out)
    for dead in (marking.spend(out, "stamina", 1).after, playing.damage(out, 90).after):
        with pytest.raises(RuleRefusal, match="Maren is Dead") as met:
            refuse_gone(dead)
        assert met.value.advice == "Undo what led to it."
