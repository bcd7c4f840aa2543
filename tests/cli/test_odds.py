"""odds: tables, bars, exact JSON and refusals."""

from __future__ import annotations

import json
import os
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from tests.samples import few

pytestmark = pytest.mark.capital

terminals = pytest.importorskip("tests.cli.terminals", reason="terminals of Unix")

# 2d6 against 2d6: 721 of 1296 ways are a tie or better, 575 better.
CONTEST = ["odds", "--ruleset", "capital", "contest", "--set", "score=6", "--no-choices"]


def exact(found: dict[str, object]) -> Fraction:
    return Fraction(str(found["exact"]))


def test_a_rule_of_a_game_without_a_character(run):
    found = run(*CONTEST, "--set", "vs=7", "--json").json
    assert (found["label"], found["vary"], found["best"]) == (
        "A check with a known score",
        None,
        None,
    )
    success = found["cases"][0]["outputs"]["success"]
    assert (success["label"], success["flag"]) == ("Success", True)
    assert exact(success["mean"]) == Fraction(575, 1296)
    assert success["mean"]["decimal"] == pytest.approx(0.443673)
    total = found["cases"][0]["outputs"]["total"]
    assert [one["value"] for one in total["values"]] == list(range(8, 19))
    assert [exact(one["chance"]) for one in total["values"]] == [
        Fraction(n, 36) for n in (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
    ]
    assert exact(total["values"][-1]["at_least"]) == Fraction(1, 36)
    assert exact(total["values"][0]["at_most"]) == Fraction(1, 36)
    assert total["mean"] == {"exact": "13", "decimal": 13.0}


def test_one_case_is_told_in_full(run):
    lines = run(*CONTEST, "--set", "vs=7").out.splitlines()
    assert lines[:2] == ["A check with a known score", "Assumes the suggested choices."]
    success = next(line.split() for line in lines if "Success  " in line)
    assert success[:2] == ["Success", "44.37%"]
    assert "Result: mean 13" in lines
    at = lines.index("Result: mean 13")
    assert lines[at + 1].split() == ["chance", "or", "more"]
    assert lines[at + 2].split()[:3] == ["8", "2.78%", "100%"]
    assert set(lines[at + 7].split()[3]) == {"█"}  # 13 is likeliest: a whole bar
    assert len(lines[at + 7]) > len(lines[at + 2])
    assert any(line.split()[:2] == ["−11", "0.08%"] for line in lines)  # margins below 0


def test_several_cases_stand_side_by_side(run):
    lines = run(*CONTEST, "--vary", "vs=5..7").out.splitlines()
    head = next(line for line in lines if line.split()[:1] == ["vs"])
    rows = {line.split()[0]: line for line in lines if line.split()[:1] in (["5"], ["6"], ["7"])}
    assert list(rows) == ["5", "6", "7"]
    assert "Success" in head
    assert [rows[vs].count("%") for vs in rows] == [3, 3, 3]
    assert "55.63%" in rows["6"]  # 721 of 1296
    assert "44.37%" in rows["7"]
    assert "Bars show Success." in lines
    assert all(len(line) <= 80 for line in lines)
    words = run(*CONTEST, "--vary", "vs=7,5", "--json").json
    assert [case["value"] for case in words["cases"]] == ["7", "5"]


def test_an_attack_of_a_character_by_its_name(run, nix):
    before = nix.read_bytes()
    given = ["odds", nix, "unarmed", "--vary", "vs=3..8", "--json"]
    hits = [case["outputs"]["hits"]["mean"]["decimal"]
            for case in run(*given, "--no-choices").json["cases"]]  # fmt: skip
    unaided = run(*given).json["cases"]  # a Scout has no Aim, and there is no Grit to spend
    assert [case["outputs"]["hits"]["mean"]["decimal"] for case in unaided] == hits
    best = run(*given, "--best", "hit", "--set", "granted_aim=1").json
    assert best["best"] == "hits"
    assert sorted(hits, reverse=True) == hits
    at_best = [case["outputs"]["hits"]["mean"]["decimal"] for case in best["cases"]]
    assert all(one > other for one, other in zip(at_best, hits, strict=True))
    dealt = best["cases"][0]["outputs"]["dealt"]
    assert dealt["where_it_counts"]["mean"]["decimal"] > dealt["mean"]["decimal"]
    assert nix.read_bytes() == before


@pytest.mark.usefixtures("packs_home")
def test_a_move_comes_before_a_rule_of_its_name_which_has_another(run, tmp_path):
    pack = Path(
        shutil.copytree(Path(__file__).parents[2] / "examples" / "night-post", tmp_path / "np")
    )
    page = pack / "playbooks.yaml"
    page.write_text(page.read_text("utf-8").replace("name: Dash\n", "name: Harm\n"), "utf-8")
    run("catalog", "add", pack)
    run("new", "Candle", "--ruleset", "night-post", "--random", "--seed", "1", "-o", "c.json")
    found = run("odds", "c.json", "harm")
    other = "charforge odds c.json procedure/harm"
    assert (found.out.splitlines()[0], found.err) == (
        "Harm",
        f"These are the odds of Harm. A rule has the same name: {other}\n",
    )
    assert "Total" in found.out
    rule = run("odds", "c.json", "procedure/harm", "amount=2")
    assert ("Harm taken" in rule.out, rule.err) == (True, "")
    assert run("odds", "c.json", "sweet-talk").err == ""


def test_a_rule_with_the_figures_of_a_character(run, nix):
    """AGI 7 of the character against a fall of 7 m: a tie or better of 2d6 against 2d6."""
    falling = ["odds", nix, "fall", "--set", "metres=7", "--no-choices", "--json"]
    found = run(*falling).json
    assert exact(found["cases"][0]["outputs"]["success"]["mean"]) == Fraction(721, 1296)
    other = run(
        "odds", nix, "fall", "--set", "metres=7", "--set", "agi=6", "--no-choices", "--json"
    )
    assert exact(other.json["cases"][0]["outputs"]["success"]["mean"]) == Fraction(575, 1296)


def test_dice_that_fell_are_taken_as_they_are(run):
    found = run(*CONTEST, "--set", "vs=7", "--set", "own=6,6", "--json").json
    total = found["cases"][0]["outputs"]["total"]["values"]
    assert [(one["value"], one["chance"]["exact"]) for one in total] == [(18, "1")]


def drawn(folder: Path, **env: str) -> tuple[terminals.TerminalRun, list[str]]:
    """Draw odds on a terminal; return it and the colours of the cells that belong to bars."""
    given = ("odds", "--ruleset", "capital", "contest", "--set", "score=6", "--set", "vs=7")
    shown = terminals.TerminalRun(folder, *given, rows=60, columns=100, **env)
    assert shown.ends() == 0
    cells = (shown.screen.buffer[y][x] for y in range(60) for x in range(100))
    return shown, [cell.fg for cell in cells if cell.data in "█#▏▎▍▌▋▊▉" and cell.data != " "]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="terminals of Unix")
def test_bars_have_a_colour_on_a_terminal_and_no_escape_is_printed(tmp_path):
    shown, colours = drawn(tmp_path)
    assert set(colours) == {"cyan"}
    assert not any("[36m" in line or "u001b" in line for line in shown.lines)
    for setting in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        shown, colours = drawn(tmp_path, **setting)
        assert set(colours) == {"default"}
        assert "\x1b" not in shown.seen


@pytest.mark.slow
def test_plain_signs_where_blocks_cannot_be_shown(process, nix):
    given = ["odds", "--ruleset", "capital", "contest", "--set", "score=6", "--set", "vs=7"]
    plain = process(*given, variables={"TERM": "dumb", "PYTHONUTF8": "1"}).stdout.decode()
    assert "####" in plain
    assert "█" not in plain
    blocks = process(*given, variables={"PYTHONUTF8": "1"}).stdout.decode()
    assert "████" in blocks
    assert "\x1b" not in blocks  # no colour where no terminal is


def test_a_score_means_its_check(run, nix):
    by_name = run("odds", nix, "str", "--set", "vs=5", "--json").json
    rule = ("attribute-check", "--set", "attribute=str", "--set", "vs=5")
    assert by_name["label"] == "Attribute Check: Strength (STR)"
    assert by_name["cases"] == run("odds", nix, *rule, "--json").json["cases"]
    assert run("odds", nix, "Strength", "--set", "vs=5", "--json").json == by_name
    assert "--set attribute" not in run("odds", nix, "str", "--inputs").out


def test_what_has_no_odds_is_told_what_has(run, nix):
    ended = run("odds", nix, "xyzzy")
    ended.refused(
        2,
        'There are no odds for "xyzzy". You can get the odds of these:',
        "  scores   STR, FTD, AGI",
    )
    assert "Attribute Check" in ended.err
    assert "attribute-check" not in ended.err
    assert max(map(len, ended.err.splitlines())) <= 80


def test_what_can_be_told_is_listed(run, nix):
    out = run("odds", nix, "unarmed", "--inputs").out
    assert out.splitlines()[0] == "Unarmed: Melee"
    assert "vs=…" in out


def test_a_pool_needs_dice_with_symbols(run):
    run("odds", "--ruleset", "capital", "--pool", "ability=1").refused(
        2, "Capital has no dice with symbols."
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--ruleset", "capital", "contst"], "Did you mean contest?"),
        (["--ruleset", "capital", "contest"], "score: missing: Your score"),
        (
            ["--ruleset", "capital"],
            "Which rule do you want the odds of? To list them: charforge resolve capital",
        ),
        (["nix.json"], "What do you want the odds of?\n  attacks  Unarmed"),
        ([], "Which character, and which attack, score or rule?"),
        (["nix.json", "unarmd"], 'There is no attack, action or rule here named "unarmd".'),
        (["nix.json", "focus i"], "rolls nothing that has odds"),
        (["nix.json", "any-rest"], "Any Rest has no results"),
        (["nix.json", "unarmed", "--best", "hitz"], 'There is no result of Attack named "hitz".'),
        (["nix.json", "heal", "--set", "amount=3", "--best", "restored"], "has no choices to make"),
        (["nix.json", "unarmed", "--best", "hits", "--no-choices"], "cannot be used together"),
        (
            ["nix.json", "unarmed", "--vary", "vs"],
            "--vary needs NAME=3..8 or NAME=3,5,7, not 'vs'.",
        ),
        (["nix.json", "unarmed", "--vary", "vs=8..3"], "--vary needs NAME=3..8"),
        (
            ["nix.json", "unarmed", "--vary", "vs=1..9999"],
            "--vary can try at most 100 values of vs.",
        ),
        (
            ["nix.json", "unarmed", "--vary", "vss=3..8"],
            "vss: there is no such input; did you mean",
        ),
        (
            ["nix.json", "unarmed", "--vary", "vs=3..8", "--set", "vs=3"],
            "Vs cannot be in both --set and --vary.",
        ),
        (["nix.json", "--pool", "boost=1"], "Capital has no dice with symbols."),
        (
            ["nix.json", "unarmed", "--pool", "boost=1"],
            "--pool takes a game or a FILE, but no rule",
        ),
        (["--ruleset", "capital", "contest", "--unit", "bike"], "--unit needs a character"),
        (["gone.json", "unarmed"], "gone.json: this file does not exist"),
    ],
)
def test_what_is_refused(run, nix, given, said):
    run("odds", *given).refused(2, said)


def test_too_many_ways_are_refused_by_the_step_that_makes_them(run, nix, monkeypatch):
    monkeypatch.setattr("charforge.verbs.odds.MAX_BRANCHES", 20)
    run("odds", nix, "unarmed", "--set", "vs=5").refused(
        2,
        "Attack has more than 20 possible outcomes, most of them because of "
        "this step: Your dice (own) of Attack",
    )


def test_a_refusal_of_the_rules_is_a_finding(run, nix):
    run("odds", nix, "death-check").refused(1, "You only make a death check at 0 HP and 0 Bones")


@pytest.mark.slow
def test_a_long_loop_is_exact(run, nix):
    found = json.loads(run("odds", nix, "initiative", "--json").out)
    turns = found["cases"][0]["outputs"]["extra_turns"]["values"]
    assert exact(turns[0]["chance"]) == Fraction(35, 36)
    assert exact(turns[2]["chance"]) == Fraction(35, 36**3)
    assert sum(exact(one["chance"]) for one in turns) == 1


OTHERS = ["--set", "spread=2", "--set", "others=5", "--set"]
BLOCK = "The target only rerolls a die with Block after a hit, and stops once the Attack misses it."


@pytest.mark.parametrize(
    ("options", "said"),
    few(
        [
            pytest.param(["--vs", "5", "--set", "block=1"], [BLOCK]),
            pytest.param(["--vs", "5", "--vary", "block=0..2"], [BLOCK]),
            pytest.param(["--vs", "5", "--set", "block=0"], []),
            pytest.param(["--vs", "5", *OTHERS, "others_block=0"], []),
            pytest.param(
                ["--vs", "5", *OTHERS, "others_block=1"],
                [BLOCK.replace("The target", "Another target")],
            ),
            pytest.param(["--vs", "5"], []),
        ],
        2,
    ),
)
def test_what_is_assumed_of_others_is_said(run, nix, options, said):
    subject = ["attack", "--set", "hit=str", "--set", "damage=2"]
    shown = run("odds", nix, *subject, *options)
    assert [s for s in shown.out.splitlines() if s.startswith("Assumes: ")] == [
        f"Assumes: {sentence}" for sentence in said
    ]
    assert run("odds", nix, *subject, *options, "--json").json["assumes"] == said


def test_a_value_of_the_character_that_is_replaced_is_said(run, nix):
    shown = run("odds", nix, "unarmed", "5", "--set", "str=9").out
    own = run("explain", nix, "str").out.splitlines()[0].rpartition(" ")[2]
    assert f"Assumes: your own STR is 9, not {own}" in shown.splitlines()
    assert "your own" not in run("odds", nix, "unarmed", "5").out
    varied = run("odds", nix, "unarmed", "5", "--vary", "str=8,9").out
    assert f"Assumes: your own STR is 8, 9, not {own}" in varied.splitlines()
