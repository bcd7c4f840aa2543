"""Laws of all export formats: every game works, and texts stay inert and complete."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from io import StringIO

import jsonschema
import pytest
import yaml
from hypothesis import given, strategies as st
from markdown_it import MarkdownIt
from rich.console import Console
from wcwidth import wcswidth

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.character.files.events import Override
from charforge.cli.terminal.sheet import draw_view
from charforge.export import json as json_export
from charforge.export.text_formats import write
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.replay import Overridden
from charforge.rules.loading.loader import load
from charforge.sheet import phrases
from charforge.sheet.build import build
from charforge.sheet.templates import built_in_templates
from charforge.sheet.text_filters import (
    COLUMNS,
    markdown,
    markdown_start,
    text_width,
    wrapped,
    yaml as yaml_text,
)
from tests.samples import few

RENDER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
words = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1)


@pytest.mark.parametrize("level", few([10, 1], 1))
def test_every_format_is_made_for_any_game(rules, level):
    level = min(level, rules.head.advancement.maximum)
    plan = CharacterSpec(rules, "any", "Ada", level)
    character = plan.replay(leave_out_optional(RandomAnswers("any")))
    assert write("markdown", character).startswith("# Ada\n")
    assert write("text", character).startswith(f"Ada\n{rules.head.name}")
    assert write("statblock", character).startswith('```statblock\nname: "Ada"\n')
    jsonschema.validate(json.loads(json_export.write(character)), json_export.export_schema())


def test_no_line_of_a_text_is_a_mark_alone() -> None:
    """The first mode of a squad's weapon has no name, and nothing of its own."""
    character = CharacterSpec(load("squad-d20"), "4").replay(RandomAnswers("4"))
    for format in built_in_templates():
        lines = map(str.strip, write(format, character, ()).splitlines())
        assert not {"-", "*", "+"} & {*lines}, format


def test_things_of_several_sorts_stand_under_their_own_labels():
    """Phase 2D10 lists skills and armour beside the scores, and its equipment are weapons."""
    plan = CharacterSpec(load("phase-2d10"), "3", "Ada", 1)
    character = plan.replay(leave_out_optional(RandomAnswers("3")))
    shown = build(character)
    held = {label: [item.name for item in items] for label, items in shown.item_groups}
    assert held == {
        "Weapons": ["Pistol"], "Other skills": ["Athletics"], "Armour": ["Padded suit"],
    }  # fmt: skip
    assert [item.name for item in shown.unlisted_items] == ["Pistol"]
    plain, marked = write("text", character), write("markdown", character)
    block = yaml.safe_load(write("statblock", character).split("```")[1].removeprefix("statblock"))
    for label, names in held.items():
        assert f"-- {label} --\n{names[0]}\n" in plain
        assert f"## {label}\n\n- **{names[0]}**" in marked
        assert {"name": label, "desc": names[0]} in block["traits"]
    exported = json.loads(json_export.write(character))["sheet"]["items"]
    assert {item["name"]: item["label"] for item in exported} == {
        name: label for label, names in held.items() for name in names
    }
    terminal = Console(file=StringIO(), width=80)
    draw_view(shown, terminal)
    drawn = terminal.file.getvalue()
    assert all(re.search(rf"{label.upper()} ─+\n +{held[label][0]}", drawn) for label in held)


@pytest.mark.parametrize(
    ("game", "label"),
    [("capital", "Equipment"), ("narrative-dice", "Weapons"), ("shields-biotics", "")],
)
def test_equipment_that_no_list_shows_has_the_label_of_the_last_such_kind(game, label):
    """All that Shields and Biotics has stands in lists."""
    plan = CharacterSpec(load(game), "1", "Ada", 1)
    assert build(plan.replay(leave_out_optional(RandomAnswers("1")))).items_label == label


@given(words)
def test_markdown_prints_any_text(found):
    typed = phrases.plain(found)
    html = RENDER.renderInline(f"x {markdown(found)} x")
    assert re.findall(r"<[a-z]+", html) == []
    assert unescape(html) == f"x {typed} x"
    table = RENDER.render(f"| a | b |\n| --- | --- |\n| {markdown(found)} | x |")
    cells = re.findall(r"<td>(.*)</td>", table)
    assert [unescape(cell) for cell in cells] == [typed, "x"]


@given(words)
def test_a_paragraph_of_any_text_is_a_paragraph(found):
    escaped = markdown_start(markdown(found))
    if escaped:
        assert unescape(RENDER.render(escaped)) == f"<p>{phrases.plain(found)}</p>\n"


@given(words)
def test_yaml_holds_any_text(found):
    assert yaml.safe_load(f"- name: {yaml_text(found)}") == [{"name": phrases.plain(found)}]


@given(words)
def test_lines_hold_any_text_in_80_columns(found):
    lines = wrapped(found * 9).split("\n")
    assert max(map(text_width, lines)) <= COLUMNS
    assert "".join("".join(lines).split()) == "".join(phrases.plain(found * 9).split())


@pytest.mark.parametrize(
    "found", ["Nix", "漢字", "e\N{COMBINING ACUTE ACCENT}", "Ａ", "😀", "\u200d", ""]
)
def test_widths_are_those_of_a_terminal(found):
    assert text_width(found) == wcswidth(found)


def test_what_somebody_allowed_is_in_every_format(rules):
    plan = CharacterSpec(rules, "any", "Ada", 1)
    character = plan.replay(leave_out_optional(RandomAnswers("any")))
    why = Override(by="The GM", reason="it was a *very* good story")
    found = replace(character, overridden=(Overridden("post", why, ("it is closed",)),))
    said = "it is closed (The GM: it was a very good story)"
    starred = said.replace("very", "\\*very\\*")
    assert starred in write("markdown", found)
    assert starred.replace("\\", "\\\\") in write("statblock", found)
    assert said.replace("very", "*very*") in " ".join(write("text", found).split())
    exported = json.loads(json_export.write(found))
    jsonschema.validate(exported, json_export.export_schema())
    assert exported["overrides"] == [
        {"decision": "post", "by": "The GM", "reason": why.reason, "against": ["it is closed"]}
    ]
