"""catalog test: the samples of a pack."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.source import EXAMPLES


@pytest.fixture
def pack(tmp_path) -> Path:
    """A copy of the house rules, with their samples."""
    return Path(shutil.copytree(EXAMPLES / "house-rules", tmp_path / "house-rules"))


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1, text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("name", ["house-rules", "under-the-ice"])
def test_the_example_packs_are_as_their_samples_say(run, name):
    ran = run("catalog", "test", EXAMPLES / name)
    assert ran.code == 0, ran.out
    assert ran.out.count("ok ") == 3
    assert ran.err == "3 samples: all as expected.\n"


def test_samples_are_the_same_in_every_language(run):
    ran = run("--lang", "de", "catalog", "test", EXAMPLES / "night-post")
    assert (ran.code, ran.err) == (0, "2 Beispiele: alles wie erwartet.\n")


def test_what_differs_is_told_in_one_line_each_and_ends_with_1(run, pack):
    changed(pack / "tests" / "captain.yaml", "grit: 1,", "grit: 3,")
    ran = run("catalog", "test", pack)
    assert ran.code == 1
    assert ran.err == "3 samples: 1 differs.\n"
    output = [line for line in ran.out.splitlines() if line.startswith("  ")]
    assert output == [
        "  value grit: expected 3, found 1 (= 1 Grit (Character features: Grit, ruling D11))"
    ]


def test_as_json_for_other_programs(run, pack):
    changed(pack / "tests" / "captain.yaml", "grit: 1,", "grit: 3,")
    ran = run("catalog", "test", pack, "--json")
    assert ran.code == 1
    found = {Path(one["file"]).name: one for one in json.loads(ran.out)}
    assert found["refused.yaml"]["passed"] is True
    assert found["refused.yaml"]["differences"] == []
    captain = found["captain.yaml"]
    assert (captain["name"], captain["passed"]) == ("Sable Ito", False)
    (difference,) = captain["differences"]
    assert (difference["topic"], difference["expected"], difference["found"]) == (
        "value grit", "3", "1",
    )  # fmt: skip
    assert len(difference["steps"]) == 1


def test_mistakes_in_all_samples_are_told_at_once(run, pack):
    changed(pack / "tests" / "captain.yaml", "level: 2", "levl: 2")
    changed(pack / "tests" / "refused.yaml", "money: 650", "mony: 650")
    run("catalog", "test", pack).refused(
        1,
        "captain.yaml:4:1: (levl) unknown key. Did you mean level?",
        'refused.yaml:9:3: (answers.mony) there is no choice "mony" here; did you mean money?',
    )


def test_a_faulty_pack_is_not_tested(run, pack):
    changed(pack / "rules.yaml", "at: system/cautious", "at: system/cautius")
    run("catalog", "test", pack).refused(1, "rules.yaml:24:", "Did you mean system/cautious?")


def test_a_pack_without_samples_is_told_where_they_stand(run, pack):
    shutil.rmtree(pack / "tests")
    run("catalog", "test", pack).refused(2, "has no samples to test", "its folder tests")


def test_no_folder_is_told(run, tmp_path):
    run("catalog", "test", tmp_path / "nowhere").refused(2, "There is no folder", "nowhere")


def test_a_folder_that_is_no_pack_is_told(run, tmp_path):
    run("catalog", "test", tmp_path).refused(1, "ruleset.yaml")


ACCEPTED = """# A sample that is out of date.
name: Late
random: true   # whatever is left
seed: 5
answers: {innate: [], money: 650}
expect:
  legal: true          # it was
  problems: {innate: count}
  values:
    grit: 7            # by D11
    max_energy: 900
  holdings:
  # What it has.
  - role/the-scout     # the Role
  - role/the-nobody
"""


@pytest.fixture
def late(pack) -> Path:
    """A sample with four results that are out of date."""
    path = pack / "tests" / "late.yaml"
    text = ACCEPTED.replace("role/the-nobody", "system/healthy")
    path.write_text(text.replace("innate: []", "role: role/the-scout, innate: []"), "utf-8")
    return path


def test_accept_writes_what_was_found_and_keeps_comments_and_layout(run, pack, late):
    before = late.read_text("utf-8")
    ran = run("catalog", "test", pack, "--accept", "--yes")
    assert ran.code == 0, ran.err
    assert "value grit: expected 7, found 1" in ran.out  # shown before it is written
    assert f"{late} is written" in ran.out
    after = late.read_text("utf-8")
    energy = after.partition("max_energy: ")[2].partition("\n")[0]
    expected = before.replace("legal: true ", "legal: false ").replace(
        "{innate: count}", "{money: value}"
    )
    expected = expected.replace("grit: 7 ", "grit: 1 ").replace("900", energy)
    assert after == expected.replace("  - system/healthy\n", "")
    assert run("catalog", "test", pack).code == 0


def test_accept_asks_and_writes_nothing_without_a_terminal_or_after_a_no(
    run, pack, late, monkeypatch
):
    before = late.read_text("utf-8")
    ran = run("catalog", "test", pack, "--accept")
    assert (ran.code, "no terminal to ask in" in ran.err, "--yes" in ran.err) == (2, True, True)
    assert late.read_text("utf-8") == before
    run("catalog", "test", pack, "--accept", "--json").refused(2, "--json", "--accept")
    monkeypatch.setattr("charforge.cli.console.is_interactive", lambda: True)
    monkeypatch.setattr("charforge.cli.console.confirm", lambda _question: False)
    ran = run("catalog", "test", pack, "--accept")
    assert (ran.code, late.read_text("utf-8")) == (1, before)
    assert "The samples are unchanged." in ran.err


def test_words_on_the_sheet_are_left_to_the_author(run, pack, late):
    text = late.read_text("utf-8").replace(
        "  legal: true", "  sheet: Nowhere to be found\n  legal: true"
    )
    late.write_text(text, "utf-8")
    ran = run("catalog", "test", pack, "--accept", "--yes")
    assert (ran.code, "1 difference is for you to change" in ran.err) == (1, True)
    assert "Nowhere to be found" in late.read_text("utf-8")


def test_a_problem_is_named_by_its_decision_whatever_words_it_has(run, pack, late):
    """Rewording the program does not break a sample."""
    text = late.read_text("utf-8").partition("expect:")[0]
    right = ("money", "[money]", "{money: value}", "{money: [value]}")
    wrong = {
        "[role]": "expected role, found money: 650 is not between 200 and 600 [value]",
        "{money: cost}": "expected money (cost), found money: 650",
        "[]": "expected nothing, found money: 650",
    }
    for number, problems in enumerate((*right, *wrong)):
        sample = f"{text}expect: {{problems: {problems}}}\n"
        late.with_name(f"late-{number}.yaml").write_text(sample, "utf-8")
    late.unlink()
    ran = run("catalog", "test", pack)
    assert ran.err == "10 samples: 3 differ.\n"
    for told in wrong.values():
        assert told in ran.out
    late.write_text(f"{text}expect: {{problems: {{money: dear}}}}\n", "utf-8")
    run("catalog", "test", pack).refused(1, "late.yaml:", "problems.money")
