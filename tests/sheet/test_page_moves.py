"""What a page to play from knows of abilities and worn gear, and the way of both into the file."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.events import AcquireEvent, ResourceEvent
from charforge.errors import AnswersError
from charforge.packs import install
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.replay.replay import CharacterSpec
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.page_moves import PageMove
from charforge.sheet.trackers import PageTrackers, page_trackers, page_units
from charforge.usecases import sheet_merge
from charforge.usecases.create import create_character
from charforge.verbs import inventory
from charforge.verbs.change import change_character, draft_event

FOLDER = Path(__file__).resolve().parents[2] / "examples"
Play = Callable[..., LoadedCharacter]


@cache
def game(name: str) -> Ruleset:
    return install.load_checked(FOLDER / name)[-1]


def created(name: str, seed: str = "page", **answers: Any) -> LoadedCharacter:
    spec = CharacterSpec(game(name), seed, "Ansa", 1, {}, answers)
    return replay_document(create_character(spec, RandomAnswers(seed)), game(name))


def awarded(opened: LoadedCharacter, entity: str) -> LoadedCharacter:
    return change_character(opened, draft_event(AcquireEvent, entity=entity, granted=True))


def page_of(opened: LoadedCharacter) -> PageTrackers:
    return page_trackers(opened.character, opened.document.id, opened.document.log)


def move_of(opened: LoadedCharacter, name: str) -> PageMove:
    return next(move for move in page_of(opened).moves if move.name == name)


def starts(opened: LoadedCharacter) -> dict[str, int]:
    groups = (group for unit in page_units(opened.character) for group in unit.groups)
    return {tracker.key: tracker.start for group in groups for tracker in group.trackers}


@pytest.fixture
def merged(tmp_path: Path) -> Play:
    """Import events of a page into its character."""

    def merged(opened: LoadedCharacter, *events: Any, since: int | None = None) -> LoadedCharacter:
        path, document = tmp_path / "played.json", opened.document
        n = len(document.log) if since is None else since
        data = {"id": document.id, "n": n, "events": events}
        page = sheet_merge.parse_sheet_events(json.dumps(data), path)
        return sheet_merge.merge_sheet(sheet_merge.compare_sheet(opened, page, path))

    return merged


def way(move: PageMove, dice: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the event of a use with random inputs, choices and dice, and the node at its end."""
    asked = move.data["inputs"]
    options = [dice.choice([value for value, _label in one["options"]]) for one in asked]
    inputs = {
        one["id"]: value
        for one, value in zip(asked, options, strict=True)
        if value != one["default"]
    }
    faces: dict[str, list[list[int]]] = {}
    node = move.data["nodes"][move.data["starts"][json.dumps(options, separators=(",", ":"))]]
    while "to" in node:
        if "roll" in node:
            rolled = [dice.choice(node["faces"]) for _die in range(node["number"])]
            faces.setdefault(node["roll"], []).append(rolled)
            branch = " ".join(map(str, sorted(rolled)))
        else:
            branch = dice.choice(sorted(node["to"]))
            inputs[node["choose"]] = int(branch)
        node = move.data["nodes"][node["to"][branch]]
    return {**(move.event or {}), "inputs": inputs, "faces": faces}, node


def nodes(move: PageMove) -> Iterator[dict[str, Any]]:
    yield from move.data["nodes"]


# ------------------------------------------------------------------ moves


def test_a_move_knows_what_each_roll_means() -> None:
    """TACT 2: 3 + 5 = 8 is 10 with it, so the full success of Sweet-talk; a miss marks 1 XP."""
    opened = created("night-post", playbook="playbook/ledger", **{"playbook.stats": "firm"})
    move = move_of(opened, "Sweet-talk")
    data = move.data
    assert move.event == {"do": "use", "holding": "kit.sweet-talk", "ability": "move"}
    roll = data["nodes"][data["starts"]["[0]"]]
    assert (roll["roll"], roll["dice"], len(roll["to"])) == ("dice", "2d6", 21)
    spend = data["nodes"][roll["to"]["3 5"]]
    assert (spend["choose"], list(spend["to"])) == ("spent", ["0", "1"])
    end = data["nodes"][spend["to"]["0"]]
    assert [data["texts"][text] for text in end["end"]] == [
        "TACT: 10",
        "Full success.",
        "It is yours.",
    ]
    assert "changes" not in end
    missed = data["nodes"][data["nodes"][roll["to"]["1 1"]]["to"]["1"]]
    assert missed["changes"] == {"character:stamps": -1, "character:xp": 1}


@pytest.mark.parametrize(("name", "answers"), [
    ("night-post", {}), ("cinderwell", {"finds.ember": [1]}), ("long-stair", {}),
])  # fmt: skip
def test_the_file_agrees_with_the_page(name: str, answers: dict[str, Any], merged: Play) -> None:
    """Importing any use changes the trackers as the page showed them."""
    opened = created(name)
    if name == "cinderwell":
        opened = awarded(opened, "ember/warm")
    before, dice = starts(opened), random.Random(name)
    for move in page_of(opened).moves:
        for _use in range(12):
            event, node = way(move, dice)
            if "end" not in node or move.event is None:
                continue
            after = starts(merged(opened, event))
            changed = {key: after[key] - before[key] for key in before if after[key] != before[key]}
            assert changed == node.get("changes", {}), (move.name, event)


def test_equal_results_are_kept_once() -> None:
    for move in page_of(created("night-post")).moves:
        kept = [json.dumps(node, sort_keys=True) for node in nodes(move)]
        assert len(set(kept)) == len(kept)
        assert len(json.dumps(move.all_data)) < 12_000


@pytest.mark.slow
def test_rolls_with_too_many_results_end_with_the_dice_to_roll(merged: Play) -> None:
    """Without Guard a burn by an ember asks for a save; the import rolls where it is."""
    opened = awarded(created("cinderwell"), "ember/warm")
    guard = opened.character.state.values().base("guard")
    opened = change_character(opened, draft_event(ResourceEvent, value="guard", by=-guard))
    move = move_of(opened, "Warm Ember")
    cut = [node for node in nodes(move) if "roll" in node and "to" not in node]
    assert {node["label"] for node in cut} == {"BRAWN save against a wound"}
    assert all(node["changes"]["character:brawn"] < 0 for node in cut)
    event = {**(move.event or {}), "faces": {"die": [[20]], "burn": [[3]]}}
    after = merged(opened, event)
    brawn = opened.character.state.values().base("brawn")
    assert after.character.state.values().base("brawn") == brawn - 3
    logged = after.document.log[-1].model_dump()["faces"]
    assert logged["die"][0] == [20]
    assert len(logged["die"]) == 2, "the import rolls the save against the wound"
    once = len(opened.document.log)
    again = merged(after, event, since=once)
    assert again.document == after.document, "importing the same page again adds nothing"


def test_an_attack_without_a_roll_has_its_inputs_and_is_not_recorded() -> None:
    opened = inventory_with("weapon/knife")
    move = move_of(opened, "Knife: close")
    assert move.event is None
    asked = {one["id"]: [value for value, _label in one["options"]] for one in move.data["inputs"]}
    assert asked == {"how": ["plain", "hampered", "ideal"], "vs": [0, 1, 2, 3]}
    ideal = move.data["nodes"][move.data["starts"]['["ideal",2]']]
    end = move.data["nodes"][ideal["to"]["12"]]
    assert [move.data["texts"][text] for text in end["end"]] == ["10 damage"]


def test_a_use_that_the_rules_refuse_has_its_line(merged: Play) -> None:
    opened = created("night-post")
    with pytest.raises(AnswersError):
        merged(opened, {"do": "use", "holding": "kit.fare", "ability": "move", "inputs": {"x": 1}})


# ------------------------------------------------------------------ worn gear


def inventory_with(*gear: str) -> LoadedCharacter:
    opened = created("cinderwell", "bare", armour=[1], trade="trade/goatherd")
    for entity in gear:
        opened = awarded(opened, entity)
    return opened


def test_what_can_be_worn_has_a_tracker_with_its_places() -> None:
    opened = inventory_with("armour/apron", "armour/plates", "armour/helmet")
    groups = {group.label: group.trackers for group in page_of(opened).units[0].groups}
    found = {
        one.label.removesuffix(" †"): (one.start, one.high, one.places) for one in groups["Worn"]
    }
    assert found == {
        "Leather Apron": (1, 1, (("Body", 1),)),
        "Ember Plates": (0, 1, (("Body", 1),)),
        "Pot Helmet": (1, 1, (("Head", 1),)),
    }  # fmt: skip


def test_the_page_has_the_values_of_all_that_fits_together() -> None:
    """Apron 1, plates 2, helmet 1; the apron and the plates are both worn on the body."""
    opened = inventory_with("armour/apron", "armour/plates", "armour/helmet")
    found = {
        tuple(sorted(key.split("armour/")[-1] for key in keys.split("|"))): texts["armour"]
        for keys, texts in page_of(opened).worn.items()
    }
    assert sorted(found.values()) == ["0", "1", "1", "2", "2", "3"]
    html = render_html(build(opened.character), play=page_of(opened))
    assert '<bdi data-figure="armour">2</bdi>' in html
    assert "data-figure" not in render_html(build(opened.character))


def test_what_was_put_on_and_taken_off_is_imported(merged: Play) -> None:
    opened = inventory_with("armour/apron", "armour/plates")
    groups = page_of(opened).units[0].groups
    keys = {one.label.removesuffix(" †"): one.event for group in groups for one in group.trackers}
    off, on = keys["Leather Apron"], keys["Ember Plates"]
    after = merged(opened, {**off, "how": "take-off"}, on)
    assert inventory.names_worn(after.character.state) == ("Ember Plates",)
    assert after.character.state.values().total("armour") == 2
    with pytest.raises(AnswersError) as refused:
        merged(opened, on)
    assert "take that off first" in str(refused.value.problems)
