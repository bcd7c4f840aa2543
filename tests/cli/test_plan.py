"""plan with options and in a terminal, and the level-up that suggests the plan."""

from __future__ import annotations

import json

import pytest

from charforge.cli import console
from tests.cli.terminals import ENTER, TerminalRun

pytestmark = pytest.mark.capital

FOCUS = "level.2.systems=[system/focus-ii, system/move-carefully]"


@pytest.fixture
def scout(run, tmp_path):
    """A Scout of Level 1."""
    (tmp_path / "a.yaml").write_text("answers: {role: role/the-scout}")
    options = ("--seed", "9", "--answers", "a.yaml", "-o", "scout.json")
    assert run("new", "--random", *options).code == 0
    return tmp_path / "scout.json"


def header(path):
    """Return what the header repeats of the plan."""
    return json.loads(path.read_text("utf-8"))["plan"]


def test_a_plan_is_kept_listed_and_legal(run, scout):
    name = run("show", scout, "--json").json["name"]
    assert run("plan", scout).out == f"{scout}: {name} has no plan\n"
    ended = run("plan", scout, FOCUS)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        f"{scout}: the plan of {name}",
        "  Level 2: Systems: Focus II, Move carefully",
    ]
    assert header(scout) == {"level.2.systems": ["system/focus-ii", "system/move-carefully"]}
    assert run("plan", scout).out == ended.out
    assert run("check", scout).code == 0
    assert run("plan", scout, "--json").json == [
        {
            "decision": "level.2.systems",
            "answer": ["system/focus-ii", "system/move-carefully"],
            "legal": True,
            "reasons": [],
        }
    ]


def test_a_level_up_takes_what_was_planned(run, scout):
    run("plan", scout, FOCUS)
    ended = run("level-up", scout, "--random")
    assert (ended.code, ended.err) == (
        0,
        "As planned: Level 2: Systems: Focus II, Move carefully.\n",
    )
    assert "  + Focus II (System)" in ended.out.splitlines()
    assert header(scout) == {}


def test_a_plan_that_became_illegal_says_why(run, scout):
    run("plan", scout, FOCUS)
    assert run("edit", scout, "role", "--answer", "role/the-tank", "--random").code == 0
    listed = run("plan", scout).out.splitlines()
    assert listed[1:] == [
        "  Level 2: Systems: Focus II, Move carefully [not legal: Focus II: requires Focus I]"
    ]
    (found,) = run("plan", scout, "--json").json
    assert (found["legal"], found["reasons"]) == (False, ["Focus II: requires Focus I"])
    ended = run("level-up", scout, "--random")
    assert ended.code == 0
    assert ended.err == "planned Level 2: Systems: Focus II: requires Focus I\n"


def test_from_a_file_dropped_and_cleared(run, scout, tmp_path):
    (tmp_path / "b.yaml").write_text(
        "answers:\n  level.2.systems: [system/charge]\n  level.4.systems: [system/quick]\n"
    )
    assert run("plan", scout, "--answers", "b.yaml").code == 0
    assert list(header(scout)) == ["level.2.systems", "level.4.systems"]
    assert run("plan", scout, "--drop", "level.2.systems").code == 0
    assert list(header(scout)) == ["level.4.systems"]
    assert run("plan", scout, "--clear").code == 0
    assert header(scout) == {}
    assert run("undo", scout).code == 0
    assert list(header(scout)) == ["level.4.systems"]


def test_a_mistake_in_a_file_has_its_line(run, scout, tmp_path):
    (tmp_path / "b.yaml").write_text("answers:\n  level.2.systems: [system/bonk]\n")
    run("plan", scout, "--answers", "b.yaml").refused(
        1, "b.yaml:2: level.2.systems: Bonk: requires The Tank"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["level.2.hp=[6]"], 2, "HP is a roll, and rolls cannot be planned."),
        (["role=role/the-tank"], 2, "Role: already chosen."),
        (["level.2.systms=[]"], 2, "Did you mean level.2.systems?"),
        (["level.2.systems"], 2, "DECISION=ANSWER"),
        (["level.2.systems=[system/backup]"], 1, "requires a Special Vehicle"),
        (["--drop", "level.2.systems"], 2, "planned decision"),
        (["--to", "11"], 2, "levels 1 to 10"),
    ],
)
def test_what_cannot_be_planned_is_refused_and_changes_nothing(run, scout, arguments, code, said):
    if "--to" in arguments:
        run("plan", scout, FOCUS)
    before = scout.read_bytes()
    run("plan", scout, *arguments).refused(code, said)
    assert scout.read_bytes() == before


@pytest.mark.slow
def test_on_a_terminal_the_wizard_asks_the_levels_to_come_without_dice(run, scout):
    terminal = TerminalRun(scout.parent, "plan", scout.name, "--to", "4")
    terminal.sees("Which Systems do you choose?")
    terminal.take("[ ] Charge")
    terminal.type(ENTER)
    terminal.sees("Step 2 of 3 · Level 4")  # at Level 3 both Slots are full
    terminal.take("[ ] Quick")
    terminal.type(ENTER)
    terminal.sees("Happy with it?")
    terminal.take("Save")
    assert terminal.ends() == 0
    assert header(scout) == {
        "level.2.systems": ["system/charge"],
        "level.4.systems": ["system/quick"],
    }
    assert run("check", scout).code == 0


@pytest.mark.slow
def test_a_level_up_on_a_terminal_shows_what_was_planned(run, scout):
    run("plan", scout, FOCUS)
    terminal = TerminalRun(scout.parent, "level-up", scout.name)
    terminal.sees("Roll for HP")
    terminal.take("Roll for me")
    terminal.sees("Which Systems do you choose?")
    terminal.sees("You planned Focus II, Move carefully. Enter keeps it.")
    terminal.type(ENTER)
    terminal.sees("Happy with it?")
    terminal.sees("Focus II, Move carefully")
    terminal.take("Save")
    assert terminal.ends() == 0
    assert "system/focus-ii" in scout.read_text("utf-8")


def test_a_wanted_plan_is_found_saved_and_shown(run, nix):
    ended = run("plan", nix, "--want", "charge", "--to", "4")
    assert ended.code == 0
    assert "Level 4: Systems: Charge" in ended.out
    assert "+ Charge (System)" in run("diff", nix, "--planned").out
    assert "(planned, lowest dice)" in run("show", nix, "--planned", "--at-level", "4").out
    again = run("plan", nix, "--want", "charge", "--to", "4")
    assert "The plan already leads there." in again.err


def test_what_the_character_has_already_is_said_with_a_plan_and_without(run, nix):
    for _planned in range(2):
        ended = run("plan", nix, "--want", "focus i")
        assert (ended.code, ended.err) == (0, "Vesper Nakamura already has Focus I.\n")
        assert run("plan", nix, "--want", "charge", "--to", "4").code == 0


def test_what_comes_by_itself_is_said_beside_what_is_planned(run, tmp_path):
    new = ("new", "--ruleset", "capital", "--random", "--seed", "8", "--with", "role=the-scout")
    assert run(*new, "-o", "ada.json", "--name", "Ada").code == 0
    free = "You get All Out without choosing anything.\n"
    for words, said in (
        (("all out",), free),
        (("all out", "charge", "focus i"), f"Ada already has Focus I.\n{free}"),
        (("all out", "charge"), f"{free}The plan already leads there.\n"),
    ):
        ended = run("plan", "ada.json", *(option for name in words for option in ("--want", name)))
        assert (ended.code, ended.err) == (0, said)


def test_why_there_is_no_plan(run, nix):
    before = nix.read_bytes()
    ended = run("plan", nix, "--want", "bonk", "--to", "4")
    assert (ended.code, ended.out) == (1, "")
    assert "requires The Tank" in ended.err
    assert nix.read_bytes() == before


def test_planned_levels_print(run, nix):
    assert run("sheet", nix, "--planned", "--at-level", "4", "--format", "html").code == 0
    page = nix.with_suffix(".html").read_text("utf-8")
    assert "(planned, lowest dice)" in page
    refused = run("diff", nix, "--at-level", "2")
    assert refused.code == 2
    assert "--at-level is for --planned only" in refused.err


def test_a_number_after_by_is_no_level(run, nix):
    ended = run("plan", nix, "--want", "charge", "--by", "4")
    assert ended.code == 2
    assert "Set the level with --to" in ended.err


def test_a_part_of_a_name_is_planned_only_if_the_player_agrees(run, nix, monkeypatch):
    before = nix.read_bytes()
    run("plan", nix, "--want", "damage").refused(
        2, 'called "damage"', "Did you mean Damage Resist?"
    )
    monkeypatch.setattr(console, "is_interactive", lambda: True)
    run("plan", nix, "--want", "damage", stdin="n\n").refused(2, 'called "damage"')
    assert nix.read_bytes() == before
    assert "Damage Resist" in run("plan", nix, "--want", "damage", stdin="y\n").out
    assert nix.read_bytes() != before
