"""The example packs: the effect of each of their rules, in play too."""

from __future__ import annotations

from collections import Counter

import pytest

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.character import state_changes
from charforge.character.state import CHARACTER, State
from charforge.packs import install
from charforge.procedures.abilities import all_abilities
from charforge.procedures.context import RunSettings
from charforge.procedures.run import run_procedure
from charforge.procedures.use import use_ability
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset
from tests.source import EXAMPLES


def amended(name: str) -> Ruleset:
    return install.load_checked(EXAMPLES / name).ruleset


def made(ruleset: Ruleset, level: int = 1, rules: dict[str, str] | None = None, **answers) -> State:
    """Make a character by chance, but for what a test is about."""
    given = {name.replace("__", "."): answer for name, answer in answers.items()}
    plan = CharacterSpec(ruleset, "7", "Ada", level, rules or {}, {"innate": [], **given})
    character = plan.replay(leave_out_optional(RandomAnswers("7")))
    assert character.legal, character.problems
    return character.state


@pytest.fixture(scope="module")
def house() -> Ruleset:
    return amended("house-rules")


@pytest.fixture(scope="module")
def ice() -> Ruleset:
    return amended("under-the-ice")


def test_the_house_rules_only_change(house, capital):
    assert house.origins == {}
    assert set(house.entities) == set(capital.entities)


@pytest.mark.parametrize(("rules", "regained"), [({}, True), ({"breather": "as_printed"}, False)])
def test_a_short_break_restores_hp_where_the_house_rule_holds(house, rules, regained):
    state = made(house, rules=rules, role="role/the-tank")
    state = state_changes.change_resource(state, CHARACTER, "hp", -10)[0]
    before = state.values()
    rested = run_procedure(
        state, house.procedures["short-break"], {}, RunSettings(lambda *_: [3])
    ).state.values()
    expected = before.total("ftd") if regained else 0
    assert rested.total("hp") - before.total("hp") == expected


def test_the_expansion_holds_what_its_readme_says(ice):
    """A Role, six Systems, a vehicle with three, eight pieces of equipment, a status, a keyword."""
    kinds = Counter(name.partition("/")[0] for name in ice.origins)
    assert kinds == {
        "role": 1, "training": 2, "system": 6, "effect": 1, "vehicle": 1, "vehicle-system": 3,
        "equipment": 8, "status": 1, "keyword": 1,
    }  # fmt: skip
    assert set(ice.origins.values()) == {"under-the-ice"}


@pytest.mark.parametrize(
    ("level", "hp", "slots"),
    [(1, 16, 4), (2, 25, 5), (3, 34, 5), (4, 43, 6), (6, 61, 8), (8, 79, 10), (10, 97, 12)],
)
def test_the_submersible_lies_between_the_mechsuit_and_the_tank(ice, level, hp, slots):
    """9 HP more each level; its Slots are the Mechsuit's."""

    def cell(vehicle: str, column: str) -> int:
        table = ice.entities[vehicle].tables[0]
        return table.cell(level, table.columns.index(column)).constant or 0

    assert (cell("vehicle/submersible", "max_hp"), cell("vehicle/submersible", "slots")) == (
        hp,
        slots,
    )
    assert cell("vehicle/mechsuit", "max_hp") < hp < cell("vehicle/tank", "max_hp")
    assert cell("vehicle/mechsuit", "slots") == slots


def test_whoever_is_chilled_sees_and_moves_worse_until_a_rest(ice):
    state = made(ice, role="role/the-diver")
    before = state.values()
    chilled = state_changes.add_condition(state, CHARACTER, ice.entity("status/chilled"))
    assert [
        chilled.values().total(name) - before.total(name) for name in ("agi", "vsn", "wil")
    ] == [-1, -1, 0]
    rested = run_procedure(
        chilled, ice.procedures["short-break"], {}, RunSettings(lambda *_: [3])
    ).state
    assert rested.values().total("agi") == before.total("agi")


def test_slack_tide_gives_lull_for_two_turns_energy_and_warmth(ice):
    state = made(ice, level=3, role="role/the-diver")
    state = state_changes.change_resource(state, CHARACTER, "energy", -3)[0]
    state = state_changes.add_condition(state, CHARACTER, ice.entity("status/chilled"))
    before = state.values().total("energy")
    tide = next(one for one in all_abilities(state) if one.entity.id == "system/slack-tide")
    done = use_ability(state, tide, {"yourself": 1}, RunSettings(lambda *_: [3])).state
    under = {condition.entity.id: condition.left for condition in done.conditions}
    assert under == {"effect/lull": 2}
    assert done.values().total("energy") == before + 1
