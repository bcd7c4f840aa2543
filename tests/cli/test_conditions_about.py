"""Conditions about something: players read the label, in their language; the log keeps the id."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.packs.sources import examples
from tests.command_runner import CommandResult, run_command
from tests.samples import few

Run = Callable[..., CommandResult]
FILE = "cob.json"


@pytest.fixture
def run(packs_home: Path, tmp_path: Path) -> Run:
    """Run a command beside somebody who has just used Guns: a success ticks the skill."""
    shutil.copytree(examples()["drowned-bell"], packs_home / "drowned-bell")

    def call(*words: str) -> CommandResult:
        done = run_command(*words, folder=tmp_path)
        assert done.code == 0, done.err
        return done

    words = ("--ruleset", "drowned-bell", "--random", "--seed", "4", "--name", "Cob")
    call("new", *words, "-o", FILE)
    rolled = call("roll", FILE, "guns", "--dice", "1")
    assert "Ticked: Guns may improve." in rolled.out
    return call


PAGES = {
    "show": ("show", FILE),
    "text": ("export", FILE, "--format", "text"),
    "Markdown": ("export", FILE, "--format", "markdown"),
    "a sheet": ("sheet", FILE, "--format", "html", "-o", "-"),
    "a page to play from": ("sheet", FILE, "--format", "html", "--layout", "short", "-o", "-"),
}


@pytest.mark.parametrize("page", few([*PAGES], 2))
@pytest.mark.parametrize(
    ("reader", "label"), [("en", "Ticked (Guns)"), ("de", "Angekreuzt (Schusswaffen)")]
)
def test_pages_have_the_label(run: Run, page: str, reader: str, label: str) -> None:
    shown = run(*PAGES[page], "--lang", reader).out
    assert label in shown
    assert "(guns)" not in shown


def test_history_and_undo_have_the_label(run: Run, tmp_path: Path) -> None:
    assert "now Ticked (Guns)" in run("history", FILE).out
    assert "jetzt Angekreuzt (Schusswaffen)" in run("history", FILE, "--lang", "de").out
    undone = run("undo", FILE).out
    assert "Guns" in undone
    assert "(guns)" not in undone
    log = json.loads((tmp_path / FILE).read_text(encoding="utf-8"))["log"]
    assert [event for event in log if "Guns" in str(event)] == []


def test_what_a_player_reads_removes_it(run: Run) -> None:
    """By the label in either language, as well as by the id."""
    for words in (("Guns",), ("guns",), ("Schusswaffen", "--lang", "de")):
        assert "(" in run("condition", FILE, "ticked", "--off", "--about", *words).out
        assert "(Guns)" not in run("show", FILE).out
        run("undo", FILE)
        assert "Ticked (Guns)" in run("show", FILE).out


def test_a_rule_finds_what_was_noted_by_its_label(run: Run) -> None:
    """Also in the other language; both skills are looked up, and both ticks are gone."""
    run("condition", FILE, "ticked", "--about", "Lauschen", "--lang", "de")
    run("use", FILE, "improve", "--dice", "1,1")
    assert "Ticked" not in run("show", FILE).out.split("IMPROVEMENT", 1)[0]


def test_an_edit_says_what_it_takes_from_what_was_learned(run: Run) -> None:
    """Guns rises from 15 to 50 %: the die of 20 that improved it no longer does."""
    learned = run("rest", FILE, "case", "--dice", "die=20", "--dice", "gained=6")
    assert "Guns +6" in learned.out
    edited = run("edit", FILE, "trade", "--answer", "Constable", "--dry-run").out.splitlines()
    assert "  Guns 21\N{NO-BREAK SPACE}% → 50\N{NO-BREAK SPACE}%" in edited
    was = next(n for n, line in enumerate(edited) if "no. 3 in history was:" in line)
    assert "Guns +6" in edited[was]
    assert edited[was + 1].startswith("    and is now: The end of a case")
    assert "Guns +6" not in edited[was + 1]


def test_an_edit_from_now_on_keeps_what_was_learned(run: Run) -> None:
    run("rest", FILE, "case", "--dice", "die=20", "--dice", "gained=6")
    edit = ("edit", FILE, "trade", "--answer", "Constable", "--dry-run")
    assert "To keep what was played, add --now" in run(*edit).err
    edited = run(*edit, "--now")
    assert "  Guns 21\N{NO-BREAK SPACE}% → 56\N{NO-BREAK SPACE}%" in edited.out.splitlines()
    assert "in history was" not in edited.out


def test_the_summary_reads_well_without_the_game(run: Run, packs_home: Path) -> None:
    """Labels are saved, in the language of the game whoever saves; the ids stay for programs."""
    run("condition", FILE, "ticked", "--about", "Ilse", "--lang", "de")
    shutil.rmtree(packs_home / "drowned-bell")
    done = run("show", FILE)
    assert "needs drowned-bell" in done.err
    for text in ("The Drowned Bell", "Max HP 9", "Surgeon's bag", "Ticked (Guns)", "Ticked (Ilse)"):
        assert text in done.out
    assert '"values"' in run("show", FILE, "--json").out


def test_a_person_keeps_the_name(run: Run) -> None:
    assert "now Ticked (Ilse)" in run("condition", FILE, "ticked", "--about", "Ilse").out
    assert "Ticked (Ilse)" in run("show", FILE).out


def words_of(page: str) -> str:
    """Return the words of a page of text or HTML, with single spaces."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def test_a_tool_that_breaks_is_named(packs_home: Path, tmp_path: Path) -> None:
    """A pushed roll takes dice off the tool, by its name; mending and undo give them back."""
    shutil.copytree(examples()["cold-light"], packs_home / "cold-light")

    def out(*words: str) -> str:
        done = run_command(*words, folder=tmp_path)
        assert done.code == 0, done.err
        return done.out

    words = ("--ruleset", "cold-light", "--random", "--seed", "3", "--name", "Ebba")
    out("new", *words, "-o", FILE)
    roll = ("roll", FILE, "find", "tool=rope")
    hint = "Left out: With which tool? To add it: tool="
    assert hint in out("odds", FILE, "find")
    assert hint not in out("odds", FILE, "find", "tool=rope")
    assert "Rope Gear dice 1" in words_of(out("show", FILE))
    pushed = out(*roll, "pushed=1", "--dice", "own=2,2", "--dice", "gear=1")
    assert "Rope loses 1 die." in pushed
    assert "Damaged 1 (Rope)" in out("show", FILE)
    assert "Beschädigt (Seil) 0 → 1" in out("history", FILE, "--lang", "de")
    assert "Gear dice" not in out(*roll, "pushed=0", "--dice", "own=2,2")
    sheet = ("sheet", FILE, "--format", "html", "-o", "-")
    for page in (("show", FILE), sheet):
        assert re.search(r"Rope\b.{0,40} Gear dice:? 0", words_of(out(*page))), page
    for mend in (("use", FILE, "mend", "tool=rope"),
                 ("condition", FILE, "damaged", "--off", "--about", "Rope")):  # fmt: skip
        assert "no longer Damaged (Rope)" in out(*mend)
        assert "Damaged" not in out("show", FILE)
        assert "no longer Damaged (Rope)" in out("undo", FILE)
        assert "Damaged 1 (Rope)" in out("show", FILE)
    out("condition", FILE, "damaged", "--about", "ro", "--amount", "2")
    out("condition", FILE, "damaged", "--about", "Ilse")
    assert "Damaged (Rope) 3 → 2" in out(
        "condition", FILE, "damaged", "--off", "--about", "rope", "--amount", "1"
    )


def test_a_price_that_nobody_was_asked_for_is_not_in_the_history(run: Run) -> None:
    """A success is not pushed, whatever was typed beforehand."""
    run("roll", FILE, "guns", "pushed=1", "--dice", "1")
    assert "Pushed" not in run("history", FILE).out
    run("roll", FILE, "guns", "pushed=1", "--dice", "die=99,98", "--dice", "price=2")
    assert "Pushed" in run("history", FILE).out


def test_what_bars_forbids_is_actions_and_attacks(packs_home: Path, tmp_path: Path) -> None:
    """A check is still rolled while a condition bars, unless a step of the rule refuses it."""
    folder = packs_home / "cold-light"
    shutil.copytree(examples()["cold-light"], folder)

    def run(*words: str) -> CommandResult:
        return run_command(*words, folder=tmp_path)

    run("new", "--ruleset", "cold-light", "--random", "--seed", "3", "-o", FILE)
    run("use", FILE, "cold", "9")
    assert "you cannot use anything while Asleep" in run("use", FILE, "ice axe").err
    refused = run("roll", FILE, "find", "pushed=0")
    assert (refused.code, refused.err) == (1, "You are asleep in the snow.\n")
    rolled = run("use", FILE, "luck", "--dice", "4")
    assert (rolled.code, rolled.err) == (0, "")
