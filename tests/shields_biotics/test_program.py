"""Commands with an adept."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.shields_biotics.conftest import ANSWERS


@pytest.fixture
def jason(output_of, tmp_path):
    """Make the usual character from an answers file; return its file."""
    said = {"ruleset": "shields-biotics", "name": "Jason", "seed": "j", "answers": dict(ANSWERS)}
    (tmp_path / "jason.yaml").write_text(yaml.safe_dump(said), encoding="utf-8")
    output_of("new", "--answers", "jason.yaml", "-o", "jason.json")
    return "jason.json"


@pytest.fixture
def thrower(output_of, tmp_path):
    """Make an adept with Throw/Pull: d8, X 3."""
    own = {"skills": ["skill/throw-pull"], "skills.throw-pull.sides": "d8",
           "skills.throw-pull.throw": 3}  # fmt: skip
    answers = {name: value for name, value in ANSWERS.items() if not name.startswith("skills")}
    said = {"ruleset": "shields-biotics", "name": "Ida", "seed": "j", "answers": answers | own}
    (tmp_path / "ida.yaml").write_text(yaml.safe_dump(said), encoding="utf-8")
    output_of("new", "--answers", "ida.yaml", "--random", "-o", "ida.json")
    return "ida.json"


def test_chance_says_which_figures_are_examples(run):
    made = run("new", "--ruleset", "shields-biotics", "--random", "--seed", "1", "-o", "a.json")
    assert made.code == 0
    assert "These are not in the book" in made.err
    assert "Toughness: 6" in made.err
    assert ": legal\n" in run("check", "a.json").out  # beside a remark that it has no Skill


def test_a_template_with_its_answers_uncommented_is_an_answers_file(output_of, tmp_path):
    """The examples as they stand, and the table rule switched: no, off and on are words here."""
    said = output_of("new", "--ruleset", "shields-biotics", "--questions")
    for name in ("toughness", "barrier", "attributes.own.sides", "skills.biotic.cd"):
        assert f"# {name}: " in said, name
    used = re.compile(r"# ((table_rules|toughness|armor|pace|parry|shield|barrier|heavy-armor):)")
    filled = used.sub(r"\1", said).replace("name: ''", "name: Tam")
    ruled = filled.replace("#   second_shaken_wounds: off", "  second_shaken_wounds: on")
    (tmp_path / "told.yaml").write_text(ruled, encoding="utf-8")
    output_of("new", "--answers", "told.yaml", "--random", "-o", "told.json")
    assert output_of("check", "told.json").startswith("told.json: Tam: legal\n")
    output_of("condition", "told.json", "shaken")
    assert "1 wound" in output_of("damage", "told.json", "6", "--set", "melee=yes")


def test_the_books_example_at_the_table(output_of, run, jason):
    assert "C/D 2" in output_of("use", jason, "throw")
    assert "C/D 1" in output_of("turn", jason, "--end")
    run("use", jason, "warp").refused(1, "cannot use a Skill with a C/D stat")
    assert "C/D 0" in output_of("turn", jason, "--end")
    assert "C/D 3" in output_of("use", jason, "warp")
    assert "C/D 0" in output_of("turn", jason, "--set", "joker=yes")


def test_a_fight_and_back(output_of, jason):
    """20 on Toughness 8 is 4 hits: 3 layers and Shaken; the Shield was active before it."""
    hit = output_of(
        "damage", jason, "20", "--type", "kinetic", "--set", "knocked=2", "--set", "prone=yes"
    )
    assert "20 damage (kinetic) against Toughness 8: hits 4" in hit
    assert "Active Shield: not Knocked Back or Pulled" in hit
    assert "Shield 0/3 · C/D 0 · Wounds 0 | Shaken" in hit
    assert "Shaken: you regain no Shield layer." in output_of("turn", jason)
    assert "Shield 1/3" in output_of("turn", jason, "--set", "recovers=1")
    assert "Start of your initiative count" in output_of("undo", jason)
    assert "Shield 0/3" in output_of("show", jason).replace(" / ", "/")


def test_soaking_at_once_and_later(output_of, jason):
    """28 is 6 hits: 2 wounds, of which 1 is soaked; the other is healed."""
    assert "Wounds 1" in output_of("damage", jason, "28", "--set", "soaked=1")
    assert "Wounds 0" in output_of("heal", jason, "1")


def test_a_table_that_rules_otherwise(output_of, jason):
    output_of("edit", jason, "--rule", "second_shaken_wounds=on")
    output_of("condition", jason, "shaken")
    assert "Already Shaken: 1 wound" in output_of("damage", jason, "8", "--set", "melee=yes")


def test_a_roll_by_the_name_of_a_skill_with_dice_from_the_table(output_of, jason):
    said = output_of("roll", jason, "throw/pull", "--vs", "4", "--dice", "9")
    assert "9 against 4: success, raises: 1." in said


def test_an_explosion_without_a_character(output_of):
    said = output_of(
        "resolve", "shields-biotics", "biotic-explosion", "--set", "damage=9", "--set", "raises=2",
        "--set", "push=3", "--set", "more=2",
    )  # fmt: skip
    assert "Knocked Back: 5" in said
    assert "Damage to the target: 11" in said


def test_what_figures_and_rules_are_explained_by(output_of, jason):
    assert "Shield (X)" in output_of("explain", jason, "shield")
    assert "8–11" in output_of("explain", jason, "layers-lost")


def test_a_figure_that_is_edited(output_of, jason):
    output_of("edit", jason, "toughness", "--answer", "10")
    assert "against Toughness 10: hits 0" in output_of("damage", jason, "9")


def test_the_odds_of_a_skill(output_of, jason):
    """4 or more on a d10 is 7 of 10."""
    said = output_of("odds", jason, "skill-roll", "--set", "attribute=throw/pull", "--set", "vs=4")
    assert "Success  70.00%" in said


@pytest.mark.slow
def test_the_sheet_with_its_odds(output_of, jason, tmp_path):
    output_of("sheet", jason, "--odds", "-o", "jason.pdf")
    assert (tmp_path / "jason.pdf").read_bytes().startswith(b"%PDF")


def test_the_odds_of_a_skill_are_those_of_its_use(output_of, thrower):
    """By the printed name or a part of it, with its own X of 3, and whatever markers are left.

    d8 against 4: 3 of 8 fail, 4 of 8 reach it, 1 of 8 raises.
    """
    for name in ("throw", "Throw/Pull"):
        told = output_of("odds", thrower, name, "--vs", "4")
        assert "Success  62.50%" in told
        thrown = told.partition("Knocked Back or Pulled: mean 2\n")[2]
        rows = [line.split()[:2] for line in thrown.splitlines()[1:4]]
        assert rows == [["0", "37.50%"], ["3", "50.00%"], ["4", "12.50%"]]
        output_of("use", thrower, "throw", "--override", "GM: for the markers")


def test_the_gm_can_allow_a_skill_in_spite_of_its_markers(run, thrower):
    assert run("use", thrower, "throw").code == 0
    refused = run("use", thrower, "throw")
    assert (refused.code, "C/D markers on your sheet: 2" in refused.err) == (1, True)
    allowed = run("use", thrower, "throw", "--override", "GM: sudden burst")
    assert "Allowed by the GM: C/D markers on your sheet: 2" in allowed.out
