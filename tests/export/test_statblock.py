"""Stat blocks: valid YAML with everything that play needs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import yaml
from markdown_it import MarkdownIt

from charforge.character import state_changes
from charforge.character.state import CHARACTER
from charforge.export.text_formats import write
from charforge.replay.replay import Problem
from charforge.sheet import phrases
from charforge.sheet.build import build
from charforge.sheet.text_filters import yaml as yaml_text

RENDER = MarkdownIt("commonmark")
LISTS = ("traits", "actions", "bonus_actions", "reactions")


def blocks(text: str) -> list[dict]:
    """Return the data of each block, found as a reader of Markdown finds it."""
    fences = [token for token in RENDER.parse(text) if token.type != "paragraph"]
    assert {token.type for token in fences} == {"fence"}
    assert {token.info for token in fences} == {"statblock"}
    return [yaml.safe_load(token.content) for token in fences]


def test_a_block_for_the_character_and_one_for_each_unit(character):
    shown, found = build(character), blocks(write("statblock", character))
    assert [block["name"] for block in found] == [shown.name, *(unit.name for unit in shown.units)]
    assert [block["hp"] for block in found] == [
        shown.vitals[0].max, *(unit.vitals[0].max for unit in shown.units)
    ]  # fmt: skip
    for block in found:
        assert block.keys() <= {"name", "size", "type", "hp", *LISTS}
        for entry in (entry for part in LISTS for entry in block.get(part, ())):
            assert [type(entry[key]) for key in ("name", "desc")] == [str, str]


def test_all_eight_scores_are_there(character):
    shown = build(character)
    first = blocks(write("statblock", character))[0]["traits"][0]
    assert first["name"] == "Attributes"
    assert first["desc"] == ", ".join(
        f"{score.label} {phrases.score_text(score)}" for score in shown.attributes
    )
    assert len(shown.attributes) == 8


def test_every_system_and_every_action_is_there(character):
    shown = build(character)
    for part, block in zip(
        (shown, *shown.units), blocks(write("statblock", character)), strict=True
    ):
        entries = [entry for name in LISTS for entry in block.get(name, ())]
        for card in part.cards:
            own = [e for e in entries if e["name"].startswith(phrases.plain(card.name))]
            assert len(own) >= max(1, len(card.actions))
            told = " ".join(entry["desc"] for entry in own)
            assert all(phrases.plain(term) in told for term in card.subtitle)
        for weapon, attack in ((one, attack) for one in part.weapons for attack in one.attacks):
            name = phrases.plain(phrases.attack_name(weapon, attack))
            begins = f"{phrases.plain(attack.roll)} vs {attack.versus}"
            lines = [e["desc"] for e in block["actions"] if e["name"] == name]
            assert any(line.removeprefix("\\").startswith(begins) for line in lines)


def test_actions_stand_where_the_ruleset_has_their_timing(make):
    """Focus II of The Scout: Gain Focus is an Instant, Extra Action is Special."""
    found = blocks(write("statblock", make(role="role/the-scout", asset="augmentation/slots")))[0]
    place = {entry["name"]: part for part in LISTS for entry in found.get(part, ())}
    gained = [name for name in place if name.endswith(": Gain Focus")]
    assert [place[name] for name in gained] == ["bonus_actions"]
    extra = [name for name in place if name.endswith(": Extra Action")]
    assert {place[name] for name in extra} <= {"actions"}


def test_a_hostile_name_stays_in_its_quotes(hostile):
    text = write("statblock", hostile)
    found = blocks(text)
    assert found[0]["name"] == hostile.name
    assert len(found) == 2
    assert found[1]["type"].endswith(f"of {hostile.name}")


@pytest.mark.parametrize(
    "name",
    ["1e3", "0o17", "yes", "null", "~", "- x", "a: b", "#x", "2024-01-01", "```", "\u2028x", "'",
     '"', "\\n", "x\ufeffy", "\U0001f600", "&a", "*a", "!!x", "{a}", "[[a]]", "%x", "@x", "漢"],
)  # fmt: skip
def test_any_text_is_the_same_text_in_yaml(name):
    line = yaml_text(name)
    assert yaml.safe_load(line) == phrases.plain(name)
    assert line.startswith('"')


def test_descriptions_are_markdown_that_does_nothing(hostile):
    found = blocks(write("statblock", hostile))
    for entry in (entry for block in found for part in LISTS for entry in block.get(part, ())):
        html = RENDER.render(entry["desc"])
        assert set(re.findall(r"</?([a-z0-9]+)", html)) <= {
            "p", "em", "strong", "ul", "li"
        }  # fmt: skip


def test_table_rules_and_problems_are_told(hostile):
    told = blocks(write("statblock", hostile, (Problem("broken", "money", "10 is <not> enough"),)))
    traits = {trait["name"]: trait["desc"] for trait in told[0]["traits"]}
    assert traits["Table rules"].startswith("When does an effect come off Cooldown X+? A roll of X")
    assert traits["Problems"] == "money: 10 is &lt;not&gt; enough"


def test_what_hp_is_the_ruleset_says(character, diver):
    """Of a game that names no health a block has no hp, though it has vitals."""
    spec = character.state.ruleset.head.sheet
    assert spec.health == spec.vitals[0].current
    assert build(diver().character).vitals
    (block,) = blocks(write("statblock", diver().character))
    assert "hp" not in block


def test_hit_points_below_their_maximum_come_first(make):
    """The plugin knows only the maximum."""
    tank = make(role="role/the-tank")
    state, _by = state_changes.change_resource(tank.state, CHARACTER, "hp", -5)
    most = state.values().total("max_hp")
    (hurt, *_units) = blocks(write("statblock", replace(tank, state=state)))
    assert hurt["traits"][0] == {"name": "HP now", "desc": f"{most - 5} of {most}"}
    assert hurt["hp"] == most
    (fresh, *_units) = blocks(write("statblock", tank))
    assert fresh["traits"][0]["name"] == "Attributes"


def test_lists_stay_lists(make):
    """Markdown in a description has each item on a line of its own."""
    told = [
        entry["desc"]
        for block in blocks(write("statblock", make(role="role/the-captain", level=10)))
        for part in LISTS
        for entry in block.get(part, ())
    ]
    assert any("\n- " in text for text in told)
    assert not any("\u2022" in text for text in told)
