"""The combat strip of each game."""

from __future__ import annotations

from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character import state_changes
from charforge.export.text_formats import write
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.replay import Character
from charforge.rules.loading.loader import load
from charforge.rules.models import CombatLine
from charforge.sheet.build import blank_view, build
from charforge.sheet.values import combat_figures
from charforge.sheet.view import SheetView, UnitPanel
from tests.sheet.conftest import Make


def strip(view: SheetView | UnitPanel) -> dict[str, str]:
    return {fact.label: fact.text.replace("\xa0", " ") for fact in view.combat}


def under(character: Character, condition: str) -> Character:
    state = character.state
    entity = state.ruleset.entity(condition)
    state = state_changes.add_condition(state, state.units[0].id, entity)
    return Character(**{**vars(character), "state": state})


def random_character(game: str) -> Character:
    return CharacterSpec(load(game), "1", "Ada").replay(RandomAnswers("1"))


def test_turn_order_move_and_size_of_a_captain(make: Make) -> None:
    """That's an Order lets a Captain use CHA for the turn order."""
    captain = make(role="role/the-captain", asset="vehicle/bike", attributes__assign={
        "cha": 6, "knw": 6, "agi": 4, "str": 4, "ftd": 5, "vsn": 5, "wis": 5, "wil": 5,
    }, attributes__roll=[6, 6, 5, 4, 3, 3, 2, 2, 1, 1], attributes__discard=[1, 1])  # fmt: skip
    assert captain.state.values().total("agi") < captain.state.values().total("cha")
    cha = captain.state.values().total("cha")
    ordered = strip(build(captain))
    assert ordered == {
        "Turn order": f"2d6 + {cha}", "Actions": "2 a turn", "Move": "10 m", "Size": "Medium"
    }  # fmt: skip
    (bike,) = build(captain).units
    assert strip(bike)["Size"] == "Large"
    assert strip(bike)["Diameter"] == "~3 m"
    assert "Turn order" not in strip(bike), "it takes no turn of its own"


def test_the_strip_follows_what_happens(make: Make) -> None:
    """Prone: no Move Action longer than 1 m. Grappled: none at all, even when Prone."""
    scout = make(role="role/the-scout")
    assert strip(build(scout))["Move"] == "10 m"
    assert strip(build(under(scout, "status/prone")))["Move"] == "1 m"
    grappled = under(under(scout, "status/prone"), "status/grappled")
    assert strip(build(grappled))["Move"] == "no Move Action"


def test_a_sky_beast_moves_further(make: Make) -> None:
    (beast,) = build(make(level=4, asset="companion/sky-beast")).units
    agility = next(one.total for one in beast.attributes if one.id == "agi")
    assert strip(beast)["Move"] == f"{10 + agility} m"


@pytest.mark.parametrize(
    ("game", "labels"),
    [
        ("squad-d20", {"Initiative", "Defense", "Toughness", "DR", "Threshold", "Move", "Shift"}),
        ("narrative-dice", {"Initiative", "Threshold"}),
        ("phase-2d10", {"INIT", "RUN", "JUMP", "DV attacks", "Armour", "Shock"}),
        ("shields-biotics", {"Hit at", "Raises at", "Pace"}),
    ],
)
def test_each_game_has_a_strip(game: str, labels: set[str]) -> None:
    character = random_character(game)
    view = build(character)
    assert labels <= strip(view).keys()
    blank = strip(blank_view(character.state.ruleset))
    assert labels <= blank.keys()
    assert blank.get("DR", "") == "", "to be filled in"
    for format in ("markdown", "text", "statblock"):
        assert min(labels) in write(format, character)


def test_a_value_of_the_strip_is_not_listed_again_in_exports() -> None:
    notes = write("markdown", random_character("squad-d20"))
    assert notes.count("**Resolve**") == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"label": "Move"}, "either 'value', or 'text' or 'field'"),
        ({"value": "dr", "text": "5"}, "either 'value', or 'text' or 'field'"),
        ({"text": "10 m"}, "need a 'label'"),
        ({"value": "dr", "label": "DR"}, "already has one"),
        ({"label": "Move", "text": "10 m", "hide_zero": True}, "is for a 'value'"),
    ],
)
def test_a_line_is_of_one_sort(line: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CombatLine.model_validate(line)


def test_a_fact_is_explained_in_steps_that_sum(make: Make) -> None:
    """Each summand of the turn order, and the other lengths of a Move with their conditions."""
    values = make(role="role/the-scout").state.values()
    (order,) = combat_figures(values, "turn order")
    dice, *added = (amount for amount, _formula in order.steps)
    assert order.fact.text.replace("\xa0", " ") == f"{dice} + {sum(map(int, added))}"
    (move,) = combat_figures(values, "move")
    others = {text.replace("\xa0", " "): when for text, when in move.others}
    assert list(others) == ["no Move Action", "1 m", "1d6 + 10 m", "50 m", "5 × (1d6 + 10) m"]
    assert others["no Move Action"] == "has('status/grappled')"
