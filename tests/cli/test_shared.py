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
from tests.source import EXAMPLES

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


@pytest.fixture
def bribe(run: Run) -> Run:
    """The same with Mag, whose knack costs 1 of the stash."""
    made = run(
        "new", "--random", "--seed", "1", "--name", "Mag", "--with", "knack=Dry Powder",
        "-o", "mag.json",
    )  # fmt: skip
    assert made.code == 0, made.err
    return run


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
    page = (tmp_path / "bas.html").read_text(encoding="utf-8")
    assert "Crew: The Eels" in page
    assert '<th scope="row">Heat</th><td>2<' in page


def test_the_party_has_its_page_although_nobody_named_it(run: Run, tmp_path: Path) -> None:
    made = run("party", "bas.json", "ilse.json", "-o", "all.html")
    assert made.code == 0, made.err
    page = (tmp_path / "all.html").read_text(encoding="utf-8")
    assert "The Eels" in page
    assert "<title>Party: Bas, Ilse</title>" in page
    assert run("party", ".", "-o", "folder.html").code == 0


def test_page_1_of_a_party_says_what_its_group_owns(run: Run, tmp_path: Path) -> None:
    trouble(run)
    words = ("--no-sheets", "--no-reference", "--no-cards")
    assert run("party", "bas.json", "ilse.json", "-o", "gm.html", *words).code == 0
    page = (tmp_path / "gm.html").read_text(encoding="utf-8")
    assert page.count("<bdi>Crew: The Eels</bdi>") == 1
    assert "<i>Heat</i> <b>2</b>" in page


def test_the_line_of_a_session_has_what_its_game_says_of_the_group(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trouble(run)
    Session(FrontEnd(file=tmp_path / "ilse.json")).open()
    assert "Strain 1/6 \N{MIDDLE DOT} Heat (Crew) 2/6" in capsys.readouterr().out
    assert "Strain 0/6 \N{MIDDLE DOT} Heat (Crew) 2/6" in run("heal", "ilse.json", "1").out
    (tmp_path / "charforge.yaml").unlink()  # what was last read is in the file of the member
    assert "Heat (Crew) 2/6" in run("damage", "ilse.json", "1").out


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


def test_its_own_sheet_says_nothing_twice_and_has_no_empty_heading(
    run: Run, packs_home: Path, tmp_path: Path
) -> None:
    head = packs_home / "low-tide-crew" / "ruleset.yaml"
    text = head.read_text(encoding="utf-8")
    boxes = text.replace("{value: stash, label", "{value: stash, boxes: 4, label")
    head.write_text(boxes, encoding="utf-8")
    shown = run("show", "crew.json").out
    assert shown.count("Rank") == 1  # the level, not the value again
    assert "Beds 1" in shown
    assert run("sheet", "crew.json", "-o", "crew.html").code == 0
    page = (tmp_path / "crew.html").read_text(encoding="utf-8")
    assert "Equipment" not in page
    stash = page.partition("<bdi>Stash</bdi>")[2]
    row = stash[: stash.index("</div>")]
    assert 'aria-label="Stash: 4 boxes, 2 filled"' in row
    assert row.startswith(" <small>Coins that belong to all.</small></h2>")


# ------------------------------------------------------------------ costs, award and spend


def test_a_cost_in_what_the_group_owns_is_printed_and_paid_in_both_files(bribe: Run) -> None:
    assert "no errors" in bribe("catalog", "check", "low-tide").out
    exported = bribe("export", "mag.json", "--format", "text", "-o", "-").out
    assert "On a job (1 Stash (Crew))" in " ".join(exported.split())
    used = bribe("use", "mag.json", "dry powder")
    assert used.code == 0, used.err
    assert "Stash (Crew) −1 → 1" in used.out
    assert "Stash −1 (Mag: Dry Powder)" in bribe("history", "crew.json").out
    assert "Stash (Crew) −1" in bribe("history", "mag.json").out
    assert "Stash 1" in bribe("show", "bas.json").out


def test_undo_gives_it_back_in_both_files(bribe: Run) -> None:
    assert bribe("use", "mag.json", "dry powder").code == 0
    undone = bribe("undo", "mag.json")
    assert undone.code == 0, undone.err
    assert "Stash 2" in bribe("show", "crew.json").out
    assert "Stash 2" in bribe("show", "mag.json").out
    assert bribe("redo", "mag.json").code == 0
    assert "Stash 1" in bribe("show", "crew.json").out


def test_a_cost_that_the_group_cannot_pay_refuses_the_move(bribe: Run) -> None:
    assert bribe("spend", "crew.json", "stash", "2").code == 0
    refused = bribe("use", "mag.json", "dry powder")
    assert refused.code != 0
    assert "needs 1 Stash (Crew); you have 0" in refused.err
    listed = bribe("use", "mag.json")
    assert "needs 1 Stash (Crew); you have 0" in listed.out


def test_a_cost_without_a_campaign_says_what_to_note(bribe: Run, tmp_path: Path) -> None:
    (tmp_path / "charforge.yaml").unlink()
    words = ("--random", "--seed", "1", "--name", "Lone", "--with", "knack=Dry Powder")
    assert bribe("new", "--ruleset", "low-tide", *words, "-o", "lone.json").code == 0
    used = bribe("use", "lone.json", "dry powder")
    assert used.code == 0, used.err
    assert "Stash (Crew) −1: note it yourself, no campaign file names it" in used.out
    refused = bribe("spend", "lone.json", "shared.stash")
    assert "No campaign file here says which file Stash (Crew) is in" in refused.err
    assert "shared: FILE" in refused.err


@pytest.mark.parametrize("name", ["shared.stash", "stash", "Stash (Crew)"])
def test_award_and_spend_of_a_member_change_both_files(run: Run, name: str) -> None:
    awarded = run("award", "ilse.json", name, "2", "--note", "a gift")
    assert awarded.code == 0, awarded.err
    assert "The Eels: Stash 2 → 4" in awarded.out
    assert "Stash +2 (Ilse: a gift)" in run("history", "crew.json").out
    assert "Stash (Crew) +2 (a gift)" in run("history", "ilse.json").out
    spent = run("spend", "bas.json", name)
    assert spent.code == 0, spent.err
    assert "Stash (Crew) −1 → 3" in spent.out
    assert "Stash −1 (Bas)" in run("history", "crew.json").out
    assert run("check", ".").code == 0


def test_award_and_spend_keep_to_the_bounds_of_the_group(run: Run) -> None:
    refused = run("spend", "ilse.json", "shared.stash", "3")
    assert "Only 2 Stash (Crew) left, not 3" in refused.err
    assert run("award", "ilse.json", "shared.stash", "99").code == 0
    full = run("award", "ilse.json", "shared.stash", "1")
    assert "Stash (Crew) is already at its maximum of 4" in full.err
    never = run("award", "ilse.json", "shared.rank", "1")
    assert "Rank (Crew) cannot change in play" in never.err


# ------------------------------------------------------------------ one language on a page


def test_a_page_is_german_if_the_game_of_the_crew_is(run: Run) -> None:
    shown = run("--lang", "de", "show", "ilse.json").out
    assert "HANDS" not in shown
    assert "Schuld" in shown
    assert "Debt" not in shown


def test_a_page_is_as_the_game_if_that_of_the_crew_has_not_the_readers_language(
    run: Run, packs_home: Path, tmp_path: Path
) -> None:
    (packs_home / "low-tide-crew" / "lang" / "de.yaml").unlink()
    english = run("show", "ilse.json").out
    german = run("--lang", "de", "show", "ilse.json")
    assert german.out == english
    assert german.err == "In der Sprache en: Für low-tide-crew gibt es keine Texte in de.\n"
    used = run("--lang", "de", "use", "ilse.json", "job", "talent=tongue", "--dice", "1")
    assert "Your dice" in used.out
    assert "Heat (Crew) +2 → 2" in used.out
    undone = run("--lang", "de", "undo", "ilse.json")
    assert "Ilse, undone:\n  Job (With which talent? TONGUE;" in undone.out
    assert run("--lang", "de", "sheet", "ilse.json", "-o", "de.html").code == 0
    assert run("sheet", "ilse.json", "-o", "en.html").code == 0
    pages = [(tmp_path / f"{code}.html").read_text(encoding="utf-8") for code in ("de", "en")]
    assert pages[0] == pages[1]
    both = run("--lang", "de", "check", "ilse.json", "crew.json")
    assert "Für low-tide-crew gibt es keine Texte in de." in both.err
    assert "gibt es keine Texte" not in run("check", "ilse.json").err


def test_help_in_a_session_says_what_a_rule_and_an_ability_do(bribe: Run, tmp_path: Path) -> None:
    typed = "help job\nhelp dry powder\nquit\n"
    told = run_command("play", "mag.json", folder=tmp_path, stdin=typed).out
    assert "Job\n  Talent d6, +1 for each helper; 5 or 6 hits." in told
    assert "  talent=…" in told
    assert "Dry Powder\n  On a job · 1 Stash (Crew) · ready\n" in told
    assert "  Take what you need out of your coat.\n" in told
    assert "It takes no inputs" not in told
