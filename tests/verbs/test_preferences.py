"""Which ability a name means of several that match: each preference alone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from charforge.procedures.abilities import Ability
from charforge.rules.models import Action, Attack
from charforge.verbs import lookup
from charforge.verbs.lookup import Preference, _Search


def ability(source: str, name: str = "", attack: bool = False, of: str = "Rifle") -> Ability:
    """Return an ability of an item with this name."""
    entity: Any = SimpleNamespace(
        id=f"item/{of.lower()}", slug=of.lower(), name=of, kind="item", aliases=()
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
        (lookup._effective, "", [SHOT, RELOAD], [SHOT]),  # an action without effect
        (lookup._of_source, " a ", [SHOT, OTHER], [SHOT]),
        (lookup._of_source, "Rifle", [SHOT, OTHER], []),
        (lookup._in_hand, "", [RELOAD, OTHER], [OTHER]),
        (lookup._in_hand, "", [SHOT, RELOAD], [SHOT, RELOAD]),  # none of them is in hand
        (lookup._attacks_of_source, "", [RELOAD, SHOT, BURST], [SHOT, BURST]),
        (lookup._attacks_of_source, "", [SHOT, OTHER], [SHOT, OTHER]),  # of two sources
        (lookup._named_exactly, "rifle", [SHOT, BURST], [SHOT]),
        (lookup._named_exactly, "rifle: burst", [SHOT, BURST], [BURST]),
        (lookup._of_named_entity, "pistol", [RELOAD, OTHER], [OTHER]),
        (lookup._of_unit_itself, "", [SHOT, OWN], [OWN]),
    ],
)
def test_a_preference_leaves(
    preference: Preference, named: str, found: list[Ability], left: list[Ability]
) -> None:
    assert list(preference(_Search(state_with("b"), "character", named), found)) == left


@pytest.mark.parametrize(
    ("usable", "left"),
    [({"", "Burst"}, [SHOT, BURST]), ({""}, [SHOT]), ({"Burst"}, [SHOT]), (set(), [])],
)
def test_the_first_ability_of_a_source_is_not_replaced_by_one_that_can_be_used(
    monkeypatch, usable, left
):
    can_be_used = "charforge.verbs.lookup._can_be_used"
    monkeypatch.setattr(can_be_used, lambda _state, one: one.definition.name in usable)
    search = _Search(state_with(), "character", "rifle")
    assert list(lookup._usable_of_source(search, [SHOT, BURST])) == left
