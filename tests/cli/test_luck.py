"""luck: recorded rolls compared with fair dice. replay: the same rolls after another choice."""

from __future__ import annotations

import re

import pytest

from tests.cli.tank import write_tank

pytestmark = pytest.mark.capital


def test_a_line_for_each_kind_of_dice_and_the_checks(run, nix):
    run("roll", nix, "agi", "--vs", "5", "--dice", "6 5")
    ended = run("luck", nix)
    assert (ended.code, ended.err) == (0, "")
    heading, *lines = ended.out.splitlines()
    assert heading.endswith(" rolls")
    row = next(line for line in lines if "Your dice" in line)
    # 33 of 36 rolls are lower than 11, and 2 are equal: 34/36.
    assert row.split() == ["Your", "dice", "(2d6)", "1", "11.00", "7.00", "94.4%"]
    assert any(line.startswith("  Checks and attacks: ") for line in lines)


def test_the_table_fits_in_80_columns_and_its_columns_are_aligned(run, nix):
    lines = run("luck", nix).out.splitlines()
    table = [line for line in lines if re.search(r"\d\.\d%$|than$", line)]
    assert {len(line) for line in table} == {max(map(len, table))}
    assert len(table[0]) < 80


def test_several_characters_end_with_the_table(run, nix, tmp_path):
    (tmp_path / "two.json").write_bytes(nix.read_bytes())
    names = [one["name"] for one in run("luck", nix, "two.json", "--json").json]
    assert len(names) == 3
    assert names[-1] == "The whole table"


def test_a_damaged_file_is_reported_and_the_others_still_measured(run, nix, tmp_path):
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    ended = run("luck", nix, "bad.json")
    assert ended.code == 2
    assert "bad.json" in ended.err
    assert "rolls" in ended.out


def test_the_sheet_has_a_chart(run, nix):
    run("roll", nix, "agi", "--vs", "5", "--dice", "6 5")
    assert run("sheet", nix, "--luck", "--format", "html", "-o", "nix.html").code == 0
    page = (nix.parent / "nix.html").read_text("utf-8")
    assert '<section class="part luck">' in page
    assert "<title>Luck 94.4%; 50% is average</title>" in page


def test_blank_sheets_and_cards_have_no_luck(run, nix):
    run("sheet", "--blank", "--luck").refused(2, "--blank and --luck cannot be used together")
    run("sheet", nix, "--layout", "cards", "--luck").refused(2, "--luck cannot be used")


def test_an_attempt_is_cited_with_its_number_in_the_history(run, nix):
    run("roll", nix, "agi", "--vs", "5", "--dice", "6 5")
    (measured,) = run("luck", nix, "--json").json
    attempt = measured["least_likely_success"]
    lines = run("history", nix).out.splitlines()
    assert f"{attempt['event']:>5}  {attempt['text']}" in lines
    assert f"no. {attempt['event']} in history: " in run("luck", nix).out


def test_long_lines_are_wrapped(run, nix, monkeypatch):
    run("roll", nix, "agi", "--vs", "5", "--dice", "6 5")
    monkeypatch.setenv("COLUMNS", "50")
    lines = run("luck", nix).out.splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("  Luckiest success: "))
    assert lines[place + 1].startswith("    ")
    assert max(map(len, lines[place : place + 2])) < 50


# ------------------------------------------------------------------ replay


@pytest.fixture
def tank(tmp_path, capital):
    return write_tank(tmp_path / "nix.json", capital, **{"role.plus": "str"})


def test_events_that_would_go_differently_are_listed(run, tank):
    before = tank.read_bytes()
    vs = run("show", tank, "--json").json["values"]["wil"]["total"] + 1
    assert (
        run("roll", tank, "wil", "--vs", vs, "--dice", "own=3,4", "--dice", "theirs=3,4").code == 0
    )
    played = tank.read_bytes()
    assert played != before
    ended = run("replay", tank, "--instead", "role.plus=wil")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0] == "With The Tank: Attribute +1: Will (WIL):"
    assert "         Success: no; would be: yes" in lines
    assert "Compared 1 event of play; 1 would have gone differently." in lines
    assert tank.read_bytes() == played, "the character is not changed"
    data = run("replay", tank, "--instead", "role.plus=wil", "--json").json
    assert (data["compared"], len(data["events"]), data["unknown"]) == (1, 1, None)


def test_the_choice_already_made_says_that_nothing_changes(run, tank):
    lines = run("replay", tank, "--instead", "role.plus=str").out.splitlines()
    assert lines[1] == "  your character stays the same"


def test_wrong_choices_are_refused(run, tank):
    run("replay", tank, "--instead", "frob=3").refused(2, 'no choice named "frob"')
    run("replay", tank, "--instead", "frob").refused(2, "--instead role.plus=wis")
    run("replay", tank, "--instead", "role.plus=agi").refused(1, "Agility is not an option")


def test_an_answer_is_judged_after_those_before_it(run, tank):
    """Agility is no option for The Tank, but for the Role that is chosen first."""
    other = ("--instead", "role=The Healer", "--instead")
    refused = run("replay", tank, *other, "role.plus=str")
    refused.refused(1, "The Healer: Attribute +1: Strength is not an option")
    asked = run("replay", tank, *other, "role.plus=agi")
    assert "Attribute +1" not in asked.err
    run("replay", tank, "--instead", "role=The Tank", "--instead", "role.plus=agi").refused(
        1, "Agility is not an option for The Tank"
    )


def test_a_list_is_typed_as_for_edit(run, tank):
    """In the words that charforge prints, without the brackets of a file."""
    typed = ("replay", tank, "--instead")
    ended = run(*typed, "strengths=[Sneaky, Athletic, Empathetic]")
    assert ended.out.startswith("With Strengths: Sneaky, Athletic, Empathetic:")
    assert run(*typed, "strengths=Sneaky, Athletic, Empathetic").out == ended.out
