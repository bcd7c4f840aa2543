"""level-up: what it prints and saves, and that it equals starting at the higher level."""

from __future__ import annotations

import json

import pytest

from tests.samples import few


@pytest.mark.parametrize("seed", few(["a", "b", "c", "d"], 1))
def test_new_at_level_4_is_new_and_level_up_to_4(run, tmp_path, seed):
    run("new", "--random", "--seed", seed, "--level", "4", "-o", "high.json")
    run("new", "--random", "--seed", seed, "-o", "low.json")
    assert run("level-up", "low.json", "--to", "4", "--random").code == 0
    assert (tmp_path / "low.json").read_bytes() == (tmp_path / "high.json").read_bytes()


def test_one_level_at_a_time_is_the_same_as_all_at_once(run, nix, tmp_path):
    new = ("new", "--ruleset", "harbour", "--random", "--seed", "7")
    run(*new, "-o", "steps.json")
    run(*new, "--level", "4", "-o", "once.json")
    for _ in range(3):
        assert run("level-up", "steps.json", "--random").code == 0
    assert (tmp_path / "steps.json").read_bytes() == (tmp_path / "once.json").read_bytes()
    run("level-up", "steps.json", "--random").refused(2, "Level 4, the highest")


def test_it_prints_what_changed(run, nix):
    before = run("show", nix, "--json").json
    ended = run("level-up", nix, "--random")
    assert (ended.code, ended.err) == (0, "")
    after = run("show", nix, "--json").json
    head, *lines = ended.out.splitlines()
    assert head == f"{nix}: {before['name']}, level 3 → 4"
    changed = [
        f"  {value['label']} {before['values'][name]['total']} → {value['total']}"
        for name, value in after["values"].items()
        if value["total"] != before["values"][name]["total"]
    ]
    held = {holding["instance"] for holding in before["holdings"]}
    new = [holding for holding in after["holdings"] if holding["instance"] not in held]
    gained = [f"  + {holding['name']} ({holding['kind'].title()})" for holding in new]
    assert lines == [*changed, *gained]
    assert any(line.startswith("  Max vigour ") for line in lines)


def test_a_dry_run_prints_the_same_and_saves_nothing(run, nix, tmp_path):
    before = (tmp_path / nix).read_bytes()
    preview = run("level-up", nix, "--random", "--seed", "a", "--dry-run")
    assert (preview.code, preview.err) == (0, "Nothing was changed.\n")
    assert (tmp_path / nix).read_bytes() == before
    assert run("level-up", nix, "--random", "--seed", "a").out == preview.out


def test_it_says_what_a_system_replaces(run, tmp_path):
    (tmp_path / "a.yaml").write_text("answers: {role: role/the-scout}")
    run("new", "--random", "--seed", "7", "--answers", "a.yaml", "-o", "scout.json")
    (tmp_path / "b.yaml").write_text("answers: {level.2.systems: [system/focus-ii]}")
    ended = run("level-up", "scout.json", "--random", "--answers", "b.yaml")
    assert "  + Focus II (System)" in ended.out.splitlines()
    assert "  − Focus I (System)" in ended.out.splitlines()


def test_it_says_what_a_companion_gains(run, tmp_path):
    (tmp_path / "a.yaml").write_text("answers: {asset: companion/land-beast}")
    run("new", "--random", "--seed", "7", "--answers", "a.yaml", "-o", "a.json")
    ended = run("level-up", "a.json", "--random")
    assert [line for line in ended.out.splitlines() if ": Max HP" in line]


def test_answers_come_from_a_file_and_dice_from_another_seed(run, nix):
    (nix.parent / "b.yaml").write_text("answers: {level.4.vigour: [4]}")
    before = json.loads(nix.read_text("utf-8"))
    assert run("level-up", nix, "--random", "--answers", "b.yaml", "--seed", "other").code == 0
    after = json.loads(nix.read_text("utf-8"))
    assert after["seed"] == before["seed"]
    assert next(e for e in after["log"] if e.get("decision") == "level.4.vigour")["answer"] == [4]


def test_the_log_only_grows(run, nix):
    before = json.loads(nix.read_text("utf-8"))
    run("level-up", nix, "--random")
    after = json.loads(nix.read_text("utf-8"))
    assert after["log"][: len(before["log"])] == before["log"]
    fresh = after["log"][len(before["log"]) :]
    assert fresh[0]["do"] == "advance"
    assert {event["group"] for event in fresh} == {before["log"][-1]["group"] + 1}


def test_an_earlier_level_can_still_be_looked_at(run, nix):
    before = run("show", nix, "--json").json
    run("level-up", nix, "--to", "6", "--random")
    assert run("show", nix, "--json", "--at-level", "3").json == before


def test_an_answer_to_a_later_level_is_refused_with_the_level_that_this_one_reaches(run, nix):
    run("new", "--ruleset", "harbour", "--random", "--seed", "7", "-o", "low.json")
    ended = run("level-up", "low.json", "--random", "--with", "level.4.knacks=[]")
    ended.refused(2, "it comes at Level 4, and the character will only be Level 2")


def test_a_choice_needs_no_level_before_its_name_where_only_one_is_reached(run, nix, tmp_path):
    new = ("new", "--ruleset", "harbour", "--random", "--seed", "7", "-o", "low.json")
    assert run(*new).code == 0
    text = (tmp_path / "low.json").read_bytes()
    assert run("level-up", "low.json", "vigour=[3]", "level.2.knacks=[]").code == 0
    log = json.loads((tmp_path / "low.json").read_bytes())["log"]
    answers = {event["decision"]: event["answer"] for event in log if event["do"] == "answer"}
    assert answers["level.2.vigour"] == [3]

    (tmp_path / "low.json").write_bytes(text)
    words = ("--with", "Level 2: Knacks=[]", "level.3.knacks=[]")
    ended = run("level-up", "low.json", "--to", "3", "--random", *words, "--dry-run")
    assert ended.code == 0
    ended = run("level-up", "low.json", "--to", "3", "--random", "--with", "vigour=[1]")
    ended.refused(2, 'There is no choice "vigour" here; did you mean level.2.vigour?')
