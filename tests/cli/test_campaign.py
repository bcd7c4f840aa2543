"""Campaign files: written, checked, and used by every command in their folder."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.command_runner import run_command
from tests.rules.pack_files import write_pack

pytestmark = pytest.mark.capital

HOUSE = """\
patches:
  - at: [ruleset, units, character, values, grit]
    set: {formula: 1}
    why: Everyone starts with 1 Grit.
"""
FAULTY = """\
rulset: capital
packs: [hous]
paper: a6
styles: grey
table_rules: {cooldown: or_les}
"""


@pytest.fixture
def house(packs_home):
    """A pack for Capital, installed; with `catalog add` the whole game would be read each time."""
    write_pack(packs_home / "house", HOUSE, "capital")


@pytest.fixture
def table(house, tmp_path):
    """A folder with a campaign file that uses the pack, a table rule and Letter paper."""
    folder = tmp_path / "table"
    folder.mkdir()
    text = "packs: [house]\ntable_rules: {cooldown: or_less}\npaper: letter\nstyles: [grey]\n"
    (folder / "charforge.yaml").write_text(text)
    return folder


def grit(run, file):
    return run("show", file, "--json").json["values"]["grit"]["total"]


def test_a_new_character_gets_the_rules_of_the_campaign(run, table):
    made = run("new", "--random", "--seed", "1", "-o", table / "nix.json")
    source = f"From {table / 'charforge.yaml'}: Capital; packs house; table rules cooldown."
    assert source in made.err
    data = json.loads((table / "nix.json").read_text())
    assert [pin["id"] for pin in data["packs"]] == ["capital", "house"]
    assert {e["rule"]: e["value"] for e in data["log"] if "rule" in e} == {"cooldown": "or_less"}
    assert "in the campaign" not in run("check", table).out


def test_a_new_file_explains_itself_in_the_language_of_its_author(run, tmp_path):
    run("--lang", "de", "campaign", "--ruleset", "shields-biotics")
    comments = [line for line in (tmp_path / "charforge.yaml").read_text().splitlines()
                if "#" in line]  # fmt: skip
    assert comments[0].startswith("# Die Kampagnendatei dieses Ordners.")
    assert not any(re.search(r"\b(the|your|or|of)\b", line) for line in comments)
    assert run("campaign", "--force").code == 0  # which reads the old file first


def test_an_option_wins_over_the_campaign(run, table):
    made = run("new", "--random", "--rule", "cooldown=or_more", "-o", table / "nix.json")
    assert "cooldown" not in made.err
    run("new", "--random", "--ruleset", "phase-2d10", "-o", table / "ada.json")
    data = json.loads((table / "ada.json").read_text())
    assert [pin["id"] for pin in data["packs"]] == ["phase-2d10"]


def test_an_answers_file_wins_over_the_campaign(run, table):
    answers = table / "nix.yaml"
    answers.write_text("table_rules: {cooldown: or_more}\n")
    made = run("new", "--answers", answers, "--random", "-o", table / "nix.json")
    assert "packs house" in made.err
    assert "cooldown" not in made.err


def test_a_sheet_is_printed_as_the_campaign_says(run, table, nix, tmp_path):
    (table / "nix.json").write_bytes(nix.read_bytes())
    made = run("sheet", table / "nix.json", "--format", "html", "-o", tmp_path / "nix.html")
    assert made.err == f"From {table / 'charforge.yaml'}: paper letter; styles grey.\n"
    assert "letter" in (tmp_path / "nix.html").read_text()
    typed = run("sheet", table / "nix.json", "--format", "html", "--paper", "a4", "--style",
                "large-print", "-o", tmp_path / "nix2.html")  # fmt: skip
    assert typed.err == ""


@pytest.mark.slow
def test_a_sheet_elsewhere_is_not_printed_as_a_campaign_says(run, table, nix, tmp_path):
    assert run("sheet", nix, "--format", "html", "-o", tmp_path / "nix.html").err == ""


def test_commands_without_a_character_use_the_file_in_this_folder(run, table, monkeypatch):
    monkeypatch.chdir(table)
    for words in (("catalog", "show", "role/the-tank"), ("resolve", "capital", "fall", "--inputs"),
                  ("new", "--questions")):  # fmt: skip
        assert "From charforge.yaml:" in run(*words).err
    assert "packs: [house]" in run("new", "--questions").out


def test_check_lists_what_differs_and_update_changes_it(run, table, nix):
    file = table / "nix.json"
    file.write_bytes(nix.read_bytes())
    checked = run("check", file)
    assert checked.code == 0
    assert "campaign packs: none (in the campaign: house)\n" in checked.out
    assert (
        "Cooldown X+? A roll of X or more ends it (in the campaign: A roll of X or less"
        in checked.out
    )
    assert f"To change it: charforge update {file}\n" in checked.out
    listed = run("check", file, "--json").json[0]["campaign"]
    assert [one["topic"] for one in listed] == [
        "packs",
        "When does an effect come off Cooldown X+?",
    ]
    updated = run("update", file, "--yes")
    assert "+ pack house 1.0" in updated.out
    assert "in the campaign" not in run("check", file).out
    assert grit(run, file) == 1
    assert run("undo", file).code == 0  # one change, undone with the packs of before
    assert grit(run, file) == 0
    assert run("check", file).out == checked.out
    assert run("redo", file).code == 0
    assert grit(run, file) == 1


def test_update_replaces_packs_that_are_typed(run, house, nix):
    assert "+ pack house 1.0" in run("update", nix, "--pack", "house", "--dry-run").out
    assert run("update", nix, "--pack", "house", "--yes").code == 0
    assert grit(run, nix) == 1
    assert "nothing to update" in run("update", nix, "--yes").out


def test_a_character_of_another_game_cannot_be_updated_to_the_campaign(run, table):
    run("new", "--random", "--seed", "1", "--ruleset", "phase-2d10", "-o", table / "ada.json")
    out = run("check", table / "ada.json").out
    assert "in the campaign: Capital" in out
    assert "It belongs in another folder" in out
    assert "nothing to update" in run("update", table / "ada.json", "--yes").out


def test_a_rule_of_another_game_with_the_same_id_is_left_alone(run, tmp_path, packs_home):
    """Without a game in the file, its rules are those of the first game, Capital."""
    assert run("catalog", "new", tmp_path / "little", "--game").code == 0
    for page in (tmp_path / "little").glob("*.yaml"):
        page.write_text(page.read_text("utf-8").replace("critical", "cooldown"), "utf-8")
    assert run("catalog", "add", tmp_path / "little").code == 0
    folder = tmp_path / "table"
    folder.mkdir()
    run("new", "--ruleset", "little", "--random", "--seed", "1", "-o", folder / "ada.json")
    (folder / "charforge.yaml").write_text("table_rules: {cooldown: or_less}\n")
    checked = run("check", folder / "ada.json")
    assert checked.code == 0
    assert "in the campaign" not in checked.out


def test_every_mistake_is_listed_with_its_line(run, house, nix, tmp_path):
    file = tmp_path / "charforge.yaml"
    file.write_text(FAULTY)
    ended = run("sheet", nix)
    assert ended.code == 2
    assert ended.err.splitlines() == [
        "The campaign file has 4 errors:",
        f"{file}:1:1: (rulset) unknown key. Did you mean ruleset?",
        f'{file}:2:9: (packs) there is no installed pack "hous". Did you mean house?',
        f'{file}:3:1: (paper) "a6" is not one of a4, a5, letter.',
        f'{file}:4:1: (styles) it must be a list, not the text "grey"; put it in brackets: [grey].',
    ]
    assert run("show", nix).code == 0  # takes nothing from it
    file.write_text("ruleset: capital\ntable_rules: {cooldwn: x, cooldown: or_les}\n")
    assert run("check", nix).code == 2
    assert run("sheet", nix).err.splitlines()[1:] == [
        f'{file}:2:15: (table_rules.cooldwn) Capital has no table rule "cooldwn". '
        "Did you mean cooldown?",
        f'{file}:2:27: (table_rules.cooldown) "or_les" is not one of or_more, or_less. '
        "Did you mean or_less?",
    ]


@pytest.mark.parametrize("text", ["", "# nothing\n", "[]", "packs: [\n", "name: {a: b}", "\x00"])
def test_any_file_is_used_or_refused_in_words(run, nix, tmp_path, text):
    (tmp_path / "charforge.yaml").write_text(text)
    ended = run("sheet", nix, "--format", "html", "-o", tmp_path / "nix.html")
    assert ended.code in (0, 2)
    assert "Traceback" not in ended.err


def test_a_new_campaign_file_has_the_game_of_the_characters(run, table, output_of):
    run("new", "--random", "-o", table / "nix.json")
    (table / "charforge.yaml").unlink()
    options = ("--name", "The Long Winter", "--rule", "cooldown=or_less", "--paper", "letter")
    assert output_of("campaign", table, *options) == f"{table / 'charforge.yaml'}\n"
    text = (table / "charforge.yaml").read_text()
    for line in ("name: The Long Winter", "packs: [house]", "  cooldown: or_less", "paper: letter"):
        assert line in text
    assert "in the campaign" not in run("check", table).out
    assert run("campaign", table).code == 2  # it exists
    assert run("campaign", table, "--force").code == 0


def test_the_guide_shows_the_file_that_its_command_writes(run, tmp_path):
    guide = (Path(__file__).parents[2] / "docs/game-master.md").read_text("utf-8")
    found = re.search(
        r"^charforge (campaign campaign/ .*)\n```\n\n.*\n\n```yaml\n([^`]*)", guide, re.M
    )
    assert found is not None
    (tmp_path / "campaign").mkdir()
    assert run(*shlex.split(found[1])).code == 0
    written = (tmp_path / "campaign/charforge.yaml").read_text("utf-8")
    lines = [re.sub("  # .*", "", line) for line in written.splitlines()]
    assert [line for line in lines if line and not line.startswith("#")] == found[2].splitlines()


@pytest.mark.parametrize(
    ("options", "line"),
    [((), "paper: a4  # or a5 or letter"), (("--paper", "letter"), "paper: letter  # or a4 or a5")],
)
def test_a_new_campaign_file_names_the_other_papers(run, table, options, line):
    assert run("campaign", table, *options, "--force").code == 0
    assert line in (table / "charforge.yaml").read_text().splitlines()


def test_the_schema_has_every_key_and_the_installed_games(run):
    schema = run("campaign", "--schema").json
    assert "capital" in schema["properties"]["ruleset"]["enum"]
    assert all(field["description"] for field in schema["properties"].values())
    assert schema["additionalProperties"] is False


def test_diff_lists_what_the_packs_change_with_their_reasons(
    run, house, tmp_path, table, monkeypatch
):
    out = run("catalog", "diff", "capital", "--with", "house").out
    assert out.splitlines() == [
        "Capital 1.0.0 with House 1.0",
        "ruleset.yaml",
        "  units character values grit formula: 0 → 1 (Everyone starts with 1 Grit.)",
    ]
    data = run("catalog", "diff", "capital", "--with", "house", "--json").json
    assert data["packs"] == [{"id": "house", "name": "House", "version": "1.0"}]
    [change] = data["changes"]
    assert change["packs"] == ["house"]
    assert change["fields"][0]["reason"] == "Everyone starts with 1 Grit."
    monkeypatch.chdir(table)
    assert run("catalog", "diff", "capital").out == out


def test_diff_lists_what_packs_add_and_remove(run, packs_home):
    page = """\
entities:
  - {id: system/quiet, name: Quiet, source: Our table, slots: 1, text: You make no noise.}
patches:
  - {at: system/cautious, set: {slots: 1}, why: Nobody took it.}
  - {at: role/the-captain, add: {grants: [equipment/standard-pistol]}, why: Armed.}
"""
    write_pack(packs_home / "more", page, "capital")
    data = run("catalog", "diff", "capital", "--with", "more", "--json").json
    changes = {change["id"]: change for change in data["changes"]}
    assert changes.keys() == {"system/quiet", "system/cautious", "role/the-captain"}
    assert [changes["system/quiet"][key] for key in ("how", "packs")] == ["added", ["more"]]
    assert changes["system/cautious"]["reason"] == "Nobody took it."
    out = run("catalog", "diff", "capital", "--with", "more").out
    assert "  ~ system/cautious: Cautious (Nobody took it.)\n      slots: 2 " in out


def test_diff_needs_something_to_compare(run):
    assert run("catalog", "diff", "capital").code == 2
    assert run("catalog", "diff", "capital", "capital", "--with", "x").code == 2
    assert run("catalog", "diff", "capital", "--with", "xyzzy").code == 2


def test_a_game_begins_a_new_folder(run, tmp_path):
    assert run("campaign", "new/", "--ruleset", "phase-2d10").code == 0
    assert (tmp_path / "new" / "charforge.yaml").is_file()
    run("campaign", "none/").refused(2, "There is no folder", "--ruleset")
    assert not (tmp_path / "none").exists()


def test_a_wrong_table_rule_is_an_error_although_the_file_exists(tmp_path: Path) -> None:
    words = ("campaign", ".", "--ruleset", "capital")
    assert run_command(*words, folder=tmp_path).code == 0
    wrong = run_command(*words, "--rule", "x=maybe", folder=tmp_path)
    assert wrong.code == 2
    assert 'There is no table rule named "x".' in wrong.err
