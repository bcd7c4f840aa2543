"""A crew that a campaign file names: on sheets, in print, in history and in check."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.cli.console import FrontEnd
from charforge.cli.session.session import Session
from tests.command_runner import CommandResult, run_command

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Run = Callable[..., CommandResult]


@pytest.fixture
def run(packs_home: Path, tmp_path: Path) -> Run:
    """Run a command beside a crew and two smugglers."""
    for game in ("low-tide", "low-tide-crew"):
        shutil.copytree(EXAMPLES / game, packs_home / game)

    def call(*words: str) -> CommandResult:
        return run_command(*words, folder=tmp_path)

    crew = ("--ruleset", "low-tide-crew", "--with", "haunt=Dry attic", "--name", "The Eels")
    assert call("new", *crew, "--random", "--seed", "3", "-o", "crew.json").code == 0
    made = call("campaign", ".", "--ruleset", "low-tide")
    assert made.code == 0, made.err
    campaign = tmp_path / "charforge.yaml"
    text = campaign.read_text(encoding="utf-8")
    assert "# shared: FILE" in text
    campaign.write_text(text.replace("# shared: FILE", "shared: crew.json"), encoding="utf-8")
    for name in ("ilse", "bas"):
        words = ("--random", "--seed", name, "--name", name.title(), "--with", "past=The Diver")
        made = call("new", *words, "-o", f"{name}.json")
        assert made.code == 0, made.err
    return call


def test_the_first_screen_names_only_what_the_game_has_rules_for(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Low Tide has neither attacks, turns and rests nor anything that is held."""
    Session(FrontEnd(file=tmp_path / "ilse.json")).open()
    shown = capsys.readouterr().out
    assert shown.endswith("Also: abilities, status, damage, heal, roll, undo, help\n")
    assert "target's score" not in shown


def trouble(run: Run, file: str = "ilse.json") -> None:
    done = run("use", file, "job", "talent=tongue", "--dice", "1")
    assert done.code == 0, done.err
    assert "Heat (Crew) +2 → 2" in done.out


def test_a_new_member_reads_the_crew(run: Run, tmp_path: Path) -> None:
    first = json.loads((tmp_path / "ilse.json").read_text(encoding="utf-8"))["log"][0]
    assert first["shared"]["values"] == {"rank": 1, "heat": 0, "stash": 2, "beds": 1}
    explained = run("explain", "ilse.json", "max_strain").out
    assert "[5 + Beds (Crew)]" in explained
    assert "The Eels: Beds 1" in explained


@pytest.mark.parametrize("name", ["shared.stash", "stash", "Stash"])
def test_a_value_of_the_crew_is_explained_by_any_of_its_names(run: Run, name: str) -> None:
    assert run("explain", "ilse.json", name).out == "Stash (Crew): 2\n  read from The Eels\n"
    assert json.loads(run("explain", "ilse.json", name, "--json").out) == {
        "kind": "shared", "id": "shared.stash", "label": "Stash", "of": "The Eels", "value": 2,
    }  # fmt: skip


def test_a_value_of_a_crew_that_is_not_here_is_explained_by_how_to_name_it(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "away").mkdir()

    def away(*words: str) -> CommandResult:
        return run_command(*words, folder=tmp_path / "away")

    made = away("new", "--ruleset", "low-tide", "--random", "--name", "Ede", "-o", "ede.json")
    assert made.code == 0, made.err
    explained = away("explain", "ede.json", "stash").out.splitlines()
    assert explained[0] == "Stash (Crew): not known here"
    assert "shared: FILE" in explained[1]


def test_the_sheets_of_all_members_show_it_as_it_is_now(run: Run, tmp_path: Path) -> None:
    trouble(run)
    shown = run("show", "bas.json").out
    assert "CREW: THE EELS" in shown
    assert "Heat 2" in shown
    exported = run("export", "bas.json", "--format", "markdown", "-o", "-").out
    assert "## Crew: The Eels" in exported
    assert run("sheet", "bas.json", "-o", "bas.html").code == 0
    assert "Crew: The Eels" in (tmp_path / "bas.html").read_text(encoding="utf-8")


def test_the_party_has_its_page_although_nobody_named_it(run: Run, tmp_path: Path) -> None:
    made = run("party", "bas.json", "ilse.json", "-o", "all.html")
    assert made.code == 0, made.err
    page = (tmp_path / "all.html").read_text(encoding="utf-8")
    assert "The Eels" in page
    assert "<title>Party: Bas, Ilse</title>" in page
    assert run("party", ".", "-o", "folder.html").code == 0


def test_both_histories_have_the_change_until_it_is_undone(run: Run) -> None:
    trouble(run)
    assert "Strain +1, Heat (Crew) +2" in run("history", "ilse.json").out
    assert "Heat +2 (Ilse: Job)" in run("history", "crew.json").out
    refused = run("undo", "crew.json")
    assert "This change is also in another file (Ilse: Job)" in refused.err
    assert run("undo", "ilse.json").code == 0
    assert "Heat +2" not in run("history", "crew.json").out


def test_check_finds_nothing_wrong_and_the_crew_no_stranger(run: Run) -> None:
    trouble(run)
    checked = run("check", ".")
    assert checked.code == 0, checked.out
    assert "campaign" not in checked.out


def test_check_finds_a_change_that_the_crew_has_lost(run: Run, tmp_path: Path) -> None:
    before = (tmp_path / "crew.json").read_bytes()
    trouble(run)
    (tmp_path / "crew.json").write_bytes(before)
    checked = run("check", "ilse.json")
    assert checked.code == 1
    assert "The Eels does not have the change no. 2 in history" in checked.out


def test_the_crew_gains_levels_that_its_members_see(run: Run) -> None:
    assert run("award", "crew.json", "stash", "1").code == 0
    raised = run("level-up", "crew.json", "--random", "--seed", "1")
    assert raised.code == 0, raised.err
    assert "Rank 2" in run("show", "ilse.json").out


def test_a_campaign_file_names_a_file_of_its_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "charforge.yaml").write_text("shared: ../crew.json\n", encoding="utf-8")
    checked = run("check", "ilse.json")
    assert "must be the name of a file in this folder, such as crew.json" in checked.err


def test_a_missing_crew_is_a_note_and_refuses_what_would_change_it(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "crew.json").unlink()
    assert "Crew cannot be read" in run("check", "ilse.json").out
    refused = run("use", "ilse.json", "job", "talent=tongue", "--dice", "1")
    assert refused.code == 2
    assert run("history", "ilse.json").out.count("Job") == 0
