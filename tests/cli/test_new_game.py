"""A game made for this test: created, levelled, checked and printed from YAML alone.

The Reef is an installed pack, used by commands only. It has its own skills and dice (numbers and
symbols), a track, levels with a roll and a choice, charts, a procedure with odds, and a sheet.
"""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import CommandResult
from tests.samples import few

Run = Callable[..., CommandResult]
REEF = Path(__file__).parents[1] / "testdata" / "reef"
ODDS = """
odds:
  - id: dives
    label: Dives
    procedure: dive
    vary: {input: waves, from: 0, to: 2, label: How rough?}
    show: [won]
"""
LAYOUTS = ("full", "short", "cards", "reference")


@pytest.fixture(autouse=True)
def _installed(packs_home: Path) -> None:
    """Put the pack where a user's packs are."""
    shutil.copytree(REEF, packs_home / "reef")
    with (packs_home / "reef" / "ruleset.yaml").open("a", encoding="utf-8") as head:
        head.write(ODDS)


@pytest.fixture
def ada(run: Run) -> str:
    """A diver of the second season. NERVE 4 + the 3 of a shell: 7; Breath 4 + 7; the lamp."""
    Path("ada.yaml").write_text(
        'ruleset: reef\nname: Ada\nseed: "7"\nanswers: {nerve: 4}\n', encoding="utf-8"
    )
    Path("season.yaml").write_text(
        "answers: {level.2.nerve: [[3]], level.2.charm: charm/lamp}\n", encoding="utf-8"
    )
    assert run("new", "--answers", "ada.yaml", "-o", "ada.json").code == 0
    raised = run("level-up", "ada.json", "--answers", "season.yaml")
    assert raised.code == 0, raised.err
    return "ada.json"


def values(run: Run, file: str) -> dict[str, int]:
    """Return the figures now, as show has them."""
    shown = run("show", file, "--json").json["values"]
    return {name: one["total"] for name, one in shown.items()}


def page_text(page: str) -> str:
    """Return the words of a page of HTML, one space between them."""
    body = re.sub(r"<(script|style).*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_it_is_among_the_rulesets_and_its_entries_are_told(run: Run) -> None:
    assert "Charms (3)" in run("catalog", "list", "reef").out
    entry = run("catalog", "show", "reef:charm/lamp").out
    assert "Jellyfish lamp" in entry
    assert "You see Reach m in the dark" in entry


def test_answers_and_levels_make_the_figures_by_the_rules(run: Run, ada: str) -> None:
    # Reach 2 × 7 + 3 of the lamp; swimming is a d8 still.
    assert values(run, ada) == {"swim": 8, "nerve": 7, "breath": 11, "chill": 0, "reach": 17}
    checked = run("check", ada)
    assert (checked.code, checked.out) == (0, "ada.json: Ada, Season 2: legal\n")


@pytest.mark.parametrize("seed", few(["1", "2", "3", "4", "5"], 1))
def test_whoever_chance_makes_and_raises_is_legal(run: Run, seed: str) -> None:
    assert run("new", "--ruleset", "reef", "--random", "--seed", seed, "-o", "x.json").code == 0
    assert run("level-up", "x.json", "--to", "3", "--random").code == 0
    assert run("check", "x.json").code == 0
    made = json.loads(Path("x.json").read_text("utf-8"))
    assert made["packs"][0]["id"] == "reef"
    assert len([e for e in made["log"] if e.get("decision", "").endswith(".charm")]) == 2


def test_an_answer_against_its_rules_is_refused_by_its_words(run: Run, ada: str) -> None:
    Path("knot.yaml").write_text(
        "ruleset: reef\nname: Bo\nlevel: 2\n"
        "answers: {nerve: 1, level.2.nerve: [[1]], level.2.charm: charm/knot}\n",
        encoding="utf-8",
    )
    run("new", "--answers", "knot.yaml").refused(1, "Knot of kelp", "NERVE 5")
    run("level-up", ada, "--to", "4").refused(2, "3")  # the last season


def test_show_and_explain_say_what_the_game_calls_things(run: Run, ada: str) -> None:
    shown = run("show", ada).out
    for words in ("Season 2", "CHARMS", "Jellyfish lamp", "Against sharks Wave 7", "7 or more"):
        assert words in shown
    steps = run("explain", ada, "nerve").out.splitlines()
    assert steps[0] == "Nerve (NERVE): 7"
    assert {line.split("=")[0].strip() for line in steps[1:]} == {"+3", "+4"}
    assert "NERVE" in run("explain", ada, "Against sharks").out
    assert "NERVE" not in run("explain", ada, "charm/knot").out.split("settled")[0]  # 7 will do


def test_its_dice_are_thrown_and_its_track_is_walked(run: Run, ada: str) -> None:
    # Seven fins: three pearls (one of them the moon) against weeds 2 + 2: one weed too many.
    fins = "blank, blank, blank, blank, pearl, pearl, moon"
    given = ("--set", f"check.fin={fins}", "--set", "check.wave=weed+weed, weed+weed")
    done = run("resolve", "reef", "dive", ada, "--set", "waves=2", *given, "--json").json
    assert done["outputs"] == {"check_pearl": -1, "check_tide": 0, "check_moon": 1, "won": 0}
    assert values(run, ada)["chill"] == 0  # resolve changes nothing
    assert run("use", ada, "A dive", "--set", "waves=2", *given).code == 0
    after = values(run, ada)
    # Shivering: NERVE 7 − 1 now. The reach goes by the lasting 7: 2 × 7 + 3.
    assert (after["chill"], after["nerve"], after["reach"]) == (1, 6, 17)
    assert "Chill 1 (Shivering)" in run("show", ada).out
    assert run("use", ada, "Jellyfish lamp").code == 0
    assert values(run, ada)["chill"] == 0
    assert values(run, ada)["breath"] == 10


def test_its_odds_are_exact(run: Run, ada: str) -> None:
    """One fin shows 0, 1 or 2 pearls in 2, 3 and 1 of 6 ways; a wave 0, 1, 2 weeds in 1, 2, 1 of 4.

    Against no wave: 4/6. Against one: 1/4 × 4/6 + 2/4 × 1/6 = 3/12.
    """
    found = run("odds", "--ruleset", "reef", "dive", "--set", "nerve=1", "--vary", "waves=0..1",
                "--json").json  # fmt: skip
    won = [one["outputs"]["won"]["mean"]["exact"] for one in found["cases"]]
    assert won == ["2/3", "1/4"]
    # Seven fins and calm water: only all without a pearl fail, 1 − (2/6)^7.
    [case] = run("odds", ada, "dive", "--set", "waves=0", "--json").json["cases"]
    assert case["outputs"]["won"]["mean"]["exact"] == f"{3**7 - 1}/{3**7}"


def test_what_it_needs_is_said_at_once_with_a_line_to_copy(run: Run) -> None:
    ended = run("odds", "--ruleset", "reef", "stroke")
    ended.refused(2, "swim: missing: Swimming")
    line = ended.err.splitlines()[-1].strip()
    assert line == "charforge odds --ruleset reef stroke swim=8"
    assert run(*line.split()[1:]).code == 0


def test_edit_undo_and_history(run: Run, ada: str) -> None:
    edited = run("edit", ada, "level.2.charm", "--answer", "charm/fluke")
    assert edited.code == 0, edited.err
    assert (values(run, ada)["swim"], values(run, ada)["reach"]) == (10, 14)
    assert run("edit", ada, "nerve", "--answer", "5").code == 0
    assert values(run, ada)["nerve"] == 8
    assert run("undo", ada).code == 0
    assert run("undo", ada).code == 0
    assert values(run, ada) == {"swim": 8, "nerve": 7, "breath": 11, "chill": 0, "reach": 17}
    assert "Season 2: Charm: Jellyfish lamp" in run("history", ada).out


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_prints_it_and_a_blank_one(run: Run, ada: str, layout: str) -> None:
    made = ("--format", "html", "--layout", layout)
    done = run("sheet", ada, *made, "-o", "ada.html")
    assert done.code == 0, done.err
    page = page_text(Path("ada.html").read_text("utf-8"))
    assert "The Reef" in page
    assert ("7 or more" if layout == "reference" else "Jellyfish lamp") in page
    blank = run("sheet", "--blank", "--ruleset", "reef", *made, "-o", "blank.html")
    if layout in ("cards", "reference"):
        blank.refused(2, "--blank cannot be used with")  # no lines to write on in these
        return
    assert blank.code == 0, blank.err
    empty = page_text(Path("blank.html").read_text("utf-8"))
    assert "The Reef" in empty
    assert "Jellyfish lamp" not in empty


def test_the_full_sheet_has_its_track_its_chart_its_pool_and_its_odds(run: Run, ada: str) -> None:
    done = run("sheet", ada, "--format", "html", "--odds", "-o", "ada.html")
    assert done.code == 0, done.err
    page = page_text(Path("ada.html").read_text("utf-8"))
    for words in ("Season 2", "Warm", "Bites", "7 or more", "Against sharks", "Dives"):
        assert words in page


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_a_pdf(run: Run, ada: str, layout: str) -> None:
    done = run("sheet", ada, "--layout", layout, "-o", "ada.pdf")
    assert (done.code, done.out) == (0, "ada.pdf\n"), done.err
    assert Path("ada.pdf").read_bytes().startswith(b"%PDF-")
