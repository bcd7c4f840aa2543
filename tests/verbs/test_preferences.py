"""Which ability a name means of several that match: each preference alone."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from charforge.procedures.abilities import Ability
from charforge.rules.models import Action, Attack
from charforge.verbs.lookup import AbilitySearch, Found


def ability(source: str, name: str = "", attack: bool = False, of: str = "Rifle") -> Ability:
    """Return an ability of an item with this name."""
    entity: Any = SimpleNamespace(
        id=f"item/{of.lower()}", slug=of.lower(), name=of, kind="item", names=(of.lower(), of)
    )
    holding: Any = SimpleNamespace(id=source, name=of, entity=entity)
    made = Attack.model_construct if attack else Action.model_construct
    definition: Any = made(name=name, range="", uses=None, does=(), inputs=(), procedure=None,
                           cost={}, cooldown=None)  # fmt: skip
    return Ability(source, name.lower(), entity, holding, "character", definition)


def state_with(*in_hand: str) -> Any:
    return SimpleNamespace(
        in_hand=dict.fromkeys(in_hand, 1),
        is_attached=lambda _holding: False,
        ruleset=SimpleNamespace(head=SimpleNamespace(gear=SimpleNamespace(kinds=("item",)))),
    )


SHOT, BURST = ability("a", attack=True), ability("a", "Burst", attack=True)
RELOAD, OTHER = ability("a", "Reload"), ability("b", "Reload", of="Pistol")
OWN = ability("character", "Bite", of="Bite")


@pytest.mark.parametrize(
    ("preference", "named", "found", "left"),
    [
        (AbilitySearch.effective, "", [SHOT, RELOAD], [SHOT]),  # an action without effect
        (AbilitySearch.of_source, " a ", [SHOT, OTHER], [SHOT]),
        (AbilitySearch.of_source, "Rifle", [SHOT, OTHER], []),
        (AbilitySearch.in_hand, "", [RELOAD, OTHER], [OTHER]),
        (AbilitySearch.in_hand, "", [SHOT, RELOAD], [SHOT, RELOAD]),  # none of them is in hand
        (AbilitySearch.attacks_of_source, "", [RELOAD, SHOT, BURST], [SHOT, BURST]),
        (AbilitySearch.attacks_of_source, "", [SHOT, OTHER], [SHOT, OTHER]),  # of two sources
        (AbilitySearch.named_exactly, "rifle", [SHOT, BURST], [SHOT]),
        (AbilitySearch.named_exactly, "rifle: burst", [SHOT, BURST], [BURST]),
        (AbilitySearch.of_named_entity, "pistol", [RELOAD, OTHER], [OTHER]),
        (AbilitySearch.of_unit_itself, "", [SHOT, OWN], [OWN]),
    ],
)
def test_a_preference_leaves(
    preference: Callable[[AbilitySearch, Found], Found],
    named: str,
    found: list[Ability],
    left: list[Ability],
) -> None:
    assert list(preference(AbilitySearch(state_with("b"), "character", named), found)) == left


@pytest.mark.parametrize(
    ("usable", "left"),
    [({"", "Burst"}, [SHOT, BURST]), ({""}, [SHOT]), ({"Burst"}, [SHOT]), (set(), [])],
)
def test_the_first_ability_of_a_source_is_not_replaced_by_one_that_can_be_used(
    monkeypatch, usable, left
):
    can_be_used = "charforge.verbs.lookup.can_be_used"
    monkeypatch.setattr(can_be_used, lambda _state, one: one.definition.name in usable)
    search = AbilitySearch(state_with(), "character", "rifle")
    assert list(search.usable_of_source([SHOT, BURST])) == left
