"""What the book leaves open: numbers and names of the player."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import CommandResult
from tests.conftest import SMITH

pytestmark = pytest.mark.usefixtures("games_of_tests")

Run = Callable[..., CommandResult]
OPEN = "These are not in the book, so they are examples. Change them with edit:"


@pytest.fixture
def ilmar(run: Run, tmp_path: Path) -> Path:
    """A smith with a hammer of their own."""
    answers = {
        **{name: answer for name, answer in SMITH.items() if "#2" not in name},
        "skills": ["skill/own"],
        "skills.own.attribute": "grace",
        "skills.own.rank": 2,
    }
    given = tmp_path / "answers.yaml"
    head = {"ruleset": "smithy", "name": "Ilmar", "seed": "7"}
    given.write_text(yaml.safe_dump({**head, "answers": answers}), encoding="utf-8")
    path = tmp_path / "ilmar.json"
    assert run("new", "--answers", given, "-o", path).err == ""
    return path


def test_chance_says_which_answers_are_examples_and_the_character_is_legal(run: Run) -> None:
    made = run("new", "--ruleset", "smithy", "--random", "--seed", "3", "-o", "x.json")
    assert made.code == 0
    first, *rest = made.err.splitlines()
    assert first == OPEN
    assert rest[:3] == ["  Embers: Max heat 4", "  Guard: 2", "  Oath: Never to quench in anger"]
    assert run("check", "x.json").code == 0


def test_what_is_given_is_no_example(run: Run, tmp_path: Path) -> None:
    given = tmp_path / "given.yaml"
    fixed = {name: answer for name, answer in SMITH.items() if "." not in name}
    fixed |= {"skills": [], "tools": []}
    given.write_text(yaml.safe_dump({"ruleset": "smithy", "answers": fixed}), encoding="utf-8")
    assert run("new", "--answers", given, "--random", "--seed", "3", "-o", "y.json").err == ""


def test_the_questions_file_can_be_filled_and_given_back(run: Run, tmp_path: Path) -> None:
    lines = run("new", "--ruleset", "smithy", "--questions").out.splitlines()
    suggested = ("embers", "tools")  # as that file proposes them
    wanted = {
        **{name: answer for name, answer in SMITH.items() if not name.startswith(suggested)},
        "abilities": {"grace": 2, "wits": 1},
        "skills": ["skill/own"],
        "skills.own.rank": 1,
    }
    filled = []
    for line in lines:
        key, colon, _rest = line.removeprefix("  # ").partition(":")
        if colon and key in wanted:
            filled.append(f"  {key}: {json.dumps(wanted[key])}")
        elif colon and key in suggested:
            filled.append(f"  {line.removeprefix('  # ')}")
        else:
            filled.append(line)
    given = tmp_path / "filled.yaml"
    given.write_text("\n".join(filled), encoding="utf-8")
    assert run("new", "--answers", given, "--name", "Ilmar", "-o", "z.json").code == 0
    data = json.loads(Path("z.json").read_text(encoding="utf-8"))
    # Max heat: 3 + BRN 1, and the 4 that the file suggests.
    assert data["character"]["values"]["max_heat"] == 8
    assert data["character"]["values"]["grace"] == 3


def test_a_fault_of_an_allotment_is_named_with_its_line(run: Run, tmp_path: Path) -> None:
    given = tmp_path / "wrong.yaml"
    given.write_text("ruleset: smithy\nanswers:\n  abilities: {brwan: 3}\n", encoding="utf-8")
    refused = run("new", "--answers", given, "--random")
    refused.refused(1, "wrong.yaml:3: abilities", '"brwan" does not get a number here', "brawn")


def test_a_thing_of_one_s_own_is_called_by_its_title(run: Run, ilmar: Path) -> None:
    shown = run("show", ilmar).out
    assert "Maul" in shown
    assert "2 Shots × (1d6 + 7)" in shown.replace("\N{NO-BREAK SPACE}", " ")
    used = run("use", ilmar, "maul", "--set", "vs=1", "--dice", "own=6", "--dice", "dealt=1")
    assert used.code == 0, used.err
    # 6 + BRN 3 + 1 against 1; 1 + 4 + BRN 3, twice.
    assert "Margin: 9" in used.out or "margin = 9" in used.out
    assert "used Maul (Their guard 1; dice: " in run("history", ilmar).out


def test_an_item_that_a_rule_was_told_is_named_in_the_history(run: Run, ilmar: Path) -> None:
    assert run("use", ilmar, "craft", "--set", "skill=rivet").code == 0
    assert "Craft (Which skill? Riveting; dice: " in run("history", ilmar).out


def test_editing_the_title_renames_it(run: Run, ilmar: Path) -> None:
    assert run("edit", ilmar, "tools.own.name", "--answer", "Tapper").code == 0
    shown = run("show", ilmar).out
    assert "Tapper" in shown
    assert "Maul" not in shown


def test_a_thing_of_ones_own_is_explained_by_its_name_and_answers(run: Run, ilmar: Path) -> None:
    lines = [line.strip() for line in run("explain", ilmar, "maul").out.splitlines()]
    assert lines[0] == "Maul: you have it, from “Which tools have you?”"
    assert lines[1:] == [
        "Maul: roll +4 against Guard",
        "3  BRN",
        "+1  2 − 1",
        "Maul: damage 2 Shots × (1d6 + 7) Blunt  [2 Shots × (1d6 + 0 + 4 + BRN)]",
        "At work Ring · 2 Heat: It is heard 2 × 100 m off.",
        "Attack 2 m · BRN + 2 − 1 against Guard · 2 Shots × (1d6 + 4 + BRN) Blunt",
    ]
    # GRC 1 and the rank 2: AV 3, die d6.
    assert run("explain", ilmar, "skill/own").out.splitlines()[:2] == [
        "Riveting: you have it, from “Which skills have you?”",
        "  AV 3 · Die d6",
    ]


def test_a_name_that_nothing_has_is_refused_with_the_nearest(run: Run, ilmar: Path) -> None:
    run("explain", ilmar, "Rivetting").refused(2, "Did you mean Riveting?")


def test_the_catalog_shows_questions_for_what_is_not_chosen(run: Run) -> None:
    shown = run("catalog", "show", "smithy:tool/own").out
    assert "[Reach]" in shown
    assert "To choose: Its reach?" in shown
    assert "$" not in shown


def test_history_names_what_was_used_by_its_own_name(run: Run, ilmar: Path) -> None:
    assert run("use", ilmar, "Maul", "--set", "vs=3", "--action", "own").code == 0
    last = run("history", ilmar).out.splitlines()[-1]
    assert "used Maul (" in last
