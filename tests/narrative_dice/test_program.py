"""Commands with a character of the narrative ruleset."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.narrative_dice.conftest import ANSWERS


@pytest.fixture
def maren(output_of, tmp_path):
    """Make the usual character from an answers file; return its file."""
    answers = {"ruleset": "narrative-dice", "name": "Maren", "seed": "m", "answers": dict(ANSWERS)}
    (tmp_path / "maren.yaml").write_text(yaml.safe_dump(answers), encoding="utf-8")
    output_of("new", "--answers", "maren.yaml", "--random", "-o", "maren.json")
    return "maren.json"


def test_chance_says_which_figures_are_examples(run):
    made = run("new", "--ruleset", "narrative-dice", "--random", "--seed", "1", "-o", "a.json")
    assert made.code == 0
    assert "These are not in the book" in made.err
    assert "Class threshold: 4" in made.err
    assert ": legal\n" in run("check", "a.json").out


def test_the_template_lists_every_answer(output_of):
    printed = output_of("new", "--ruleset", "narrative-dice", "--questions")
    for name in ANSWERS:
        assert f"# {name}: " in printed, name
    assert printed.count("Not in this book") > 20


def test_what_the_book_prints_is_not_called_open(output_of):
    """The 4 points are printed."""
    printed = output_of("new", "--ruleset", "narrative-dice", "--questions")
    points = printed[printed.index("Which abilities do you raise") : printed.index("# abilities:")]
    assert "4 points in all" in points
    assert "leaves this open" not in points


def test_a_fight_a_rest_and_back(output_of, maren):
    """12 weapon and fire damage against 5 + 1: twice, so Staggered and 1 step down."""
    assert output_of("check", maren) == "maren.json: Maren, level 1: legal\n"
    hit = output_of("damage", maren, "12", "--type", "weapon", "--set", "second=fire")
    assert "12 damage against threshold 6: 2 times" in hit
    assert "Condition 1 (Winded)" in hit
    assert "Staggered" in hit
    steadied = output_of("use", maren, "steady")
    assert "Stamina 5/6 · Condition 0 (Normal)" in steadied
    assert "Stamina 6/6" in output_of("rest", maren, "extended")
    assert "Extended Rest" in output_of("undo", maren)
    assert "Stamina 5/6" in output_of("rest", maren, "short")


def test_a_check_by_the_name_of_a_skill_with_dice_from_the_table(output_of, maren):
    """Stealth: 1 Ability, 2 Proficiency. SS + SA + blank against F: 2 Successes, 1 Advantage."""
    dice = ("--set", "check.ability=4", "--set", "check.proficiency=7,1")
    printed = output_of(
        "roll", maren, "stealth", "--vs", "1", *dice, "--set", "check.difficulty=failure"
    )
    assert "Ability 1, Proficiency 2 against Difficulty 1: 2 Successes, 1 Advantage" in printed
    assert "Success." in printed


def test_a_skill_that_there_is_not(run, maren):
    refused = run("roll", maren, "stelth")
    assert refused.code == 2
    assert "Stealth" in refused.err


def test_what_a_threshold_and_a_defense_are_made_of(output_of, maren):
    assert "[Class threshold + Vitality]" in output_of("explain", maren, "threshold")
    assert "Challenge 1" in output_of("explain", maren, "against reflex")


def test_the_odds_of_the_printed_pool(output_of, maren):
    """The book: 70% at Normal, 51.76% when Crippled."""
    printed = output_of(
        "odds", maren, "skill-check", "--set", "attribute=martial", "--set", "vs=2",
        "--vary", "step=normal,crippled",
    )  # fmt: skip
    assert "70.04%" in printed
    assert "51.76%" in printed


@pytest.mark.slow
def test_the_sheet_with_its_odds(output_of, maren, tmp_path):
    """Of Martial against 1 to 5 Difficulty, at Normal and when Crippled: the book has the 2."""
    output_of("sheet", maren, "--odds", "--format", "html", "-o", "maren.html")
    words = re.sub(r"<[^>]+>|\s+", " ", (tmp_path / "maren.html").read_text(encoding="utf-8"))
    normal, *_worse, crippled = re.findall(r"Martial +((?:\d+% +){5})", words)
    assert (normal.split()[1], crippled.split()[1]) == ("70%", "52%")


def test_the_odds_of_a_power_are_those_of_its_use(output_of, maren):
    """The printed pool, 1 Ability and 2 Proficiency, against 2 Difficulty (ruling 1)."""
    by_name = output_of("odds", maren, "Basic Melee", "--vs", "2")
    by_rule = output_of("odds", maren, "attack", "--vs", "2", "--set", "damage=3")
    # The second line is what each has left out: a weapon here, the skill there.
    assert by_name.splitlines()[2:] == by_rule.splitlines()[2:]
    assert "Success" in output_of("odds", maren, "make-a-saving-throw")


def test_a_weapon_says_which_powers_use_it(run, maren):
    done = run("odds", maren, "longsword", "--vs", "2")
    assert done.code == 2
    assert '"Basic Melee" --set weapon="Longsword"' in " ".join(done.err.split())
    assert run("odds", maren, "basic-melee", "--vs", "2", "--set", "weapon=Longsword").code == 0


LESS_AGILE = "Against Reflex Difficulty 1, Challenge 1 → Challenge 1"  # by 1: of 2 before


def test_a_preview_shows_the_defense_pools(output_of, maren):
    """Reflex 1 uses Agility 2: 1 Difficulty, 1 Challenge. With Agility 1 it is 1 Challenge."""
    moved = "{brawn: 2, vitality: 1, wisdom: 1}"
    assert LESS_AGILE in output_of("edit", maren, "abilities", "--answer", moved, "--dry-run")


@pytest.mark.slow
def test_advice_shows_defense_pools_and_judges_no_old_hit_anew(output_of, maren):
    """12 damage against 5 is one step down with Vitality 1, and 3 against 4 with Vitality 0.

    So each option begins with the chance of now, and differs from that of before in nothing else;
    the condition that makes the difference is named.
    """
    chance = re.compile(r"Success with your primary power source ([0-9.]+%).*")
    fresh = output_of("advise", maren, "abilities", "--all")
    assert LESS_AGILE in fresh
    output_of("damage", maren, "12")
    output_of("damage", maren, "12")
    hurt = output_of("advise", maren, "abilities", "--all")
    assert {*chance.findall(fresh)} == {"70.0%"}
    assert {*chance.findall(hurt)} == {"57.9%"}
    counted = "Counted: Condition 3 (Exhausted).\n"
    assert counted in hurt
    assert chance.sub("", hurt.replace(counted, "")) == chance.sub("", fresh)
