"""Tables of odds on a sheet: which there are, their figures, their layout."""

from __future__ import annotations

import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from charforge.errors import PackError
from charforge.packs import install
from charforge.replay.replay import Character, Start, replay
from charforge.rules.models import OddsSpec
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.odds import odds_tables
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.view import OddsTable
from tests.odds.test_known import by

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def tabled(character: Character, **spec: object) -> Character:
    """The character in a game with one table of odds alone."""
    one = OddsSpec.model_validate({"id": "one", "label": "One", **spec})
    ruleset = character.state.ruleset
    head = ruleset.head.model_copy(update={"odds": (one,)})
    state = replace(character.state, ruleset=replace(ruleset, head=head))
    return replace(character, state=state)


@pytest.fixture(scope="module")
def nix(make) -> Character:
    return make(level=2)


@pytest.fixture(scope="module")
def attacks(nix: Character) -> OddsTable:
    """The table of odds of a character of Capital."""
    (table,) = odds_tables(nix)
    return table


def test_each_attack_against_defences_3_to_8(nix, attacks):
    """Unarmed: STR + 2d6 and 2 more with Training, 2 damage, without Energy or Grit."""
    table = attacks
    assert (table.label, table.cell_labels) == ("Attacks", ("Hit", "Damage"))
    assert table.columns == ("3", "4", "5", "6", "7", "8")
    (bearer,) = [row for row in table.rows if row.name.startswith("Unarmed")]
    strength = nix.state.values().now("str")
    chances = [by(defence - strength) for defence in range(3, 9)]
    assert bearer.cells == tuple((f"{float(100 * p):.0f}%", f"{float(2 * p):.1f}") for p in chances)
    names = [row.name for row in table.rows]
    assert len(set(names)) == len(names)
    assert all(row.note == "" for row in table.rows)


def test_a_game_without_tables_has_none(diver):
    assert odds_tables(diver().character) == ()


def test_once_with_inputs_that_stay_and_tables_apart(diver):
    """1 die of 8 sides (mean 4.5), then 2 (9): apart by how many strokes."""
    found = odds_tables(
        tabled(
            diver().character, each="once", procedure="dive", set={"calm": "yes"},
            vary={"input": "waves", "from": 1, "to": 2, "label": "Waves"},
            apart={"input": "calm", "words": ["yes", "no"]}, text="Why.", show=["won"],
        )
    )  # fmt: skip
    assert [(one.label, one.text, one.columns_heading) for one in found] == [
        ("One: Calm water yes", "Why.", "Waves"),
        ("One: Calm water no", "", "Waves"),
    ]
    # 3 fins: a pearl or more on 4 of 6 faces of each; calm water takes a wave away.
    won = 1 - Fraction(2, 6) ** 3
    assert found[0].rows[0].cells[0] == (f"{float(100 * won):.0f}%",)
    assert found[0].rows[0].cells[1] == found[1].rows[0].cells[0]
    assert found[1].rows[0].name == "One"


def test_each_unit_and_a_mean_below_nothing(nix):
    found = odds_tables(
        tabled(
            nix, each="unit", procedure="contest", set={"score": "2"},
            vary={"input": "vs", "words": ["2", "6"]}, show=["margin", "success"],
        )
    )  # fmt: skip
    (table,) = found
    assert [row.name for row in table.rows] == [unit.title or "One" for unit in nix.state.units]
    assert table.rows[0].cells[0] == ("0.0", "56%")
    assert table.rows[0].cells[1][0] == "−4.0"


def test_what_cannot_be_reckoned_says_why(nix):
    def row(**spec):
        (table,) = odds_tables(tabled(nix, vary={"input": "vs", "words": ["2", "six"]}, **spec))
        return table.rows[0]

    wrong = row(each="once", procedure="contest", set={"score": "2"}, show=["success"])
    assert wrong.cells == ()
    assert wrong.note == 'vs: "six" is not a whole number'
    missing = row(each="once", procedure="contest", show=["success"])
    assert "score: missing" in missing.note or '"six"' in missing.note


def test_the_page_shows_them_and_escapes_them(nix, attacks):
    table = attacks
    row = table.rows[0]._replace(name="<b>Rex</b>")
    view = build(nix)._replace(odds=(table._replace(rows=(row,)),))
    html = render_html(view, PrintOptions())
    assert "&lt;b&gt;Rex&lt;/b&gt;" in html
    assert "<b>Rex</b>" not in html
    assert row.cells[0][0] in html
    assert "odds-table" not in render_html(build(nix), PrintOptions())


def test_a_number_that_is_chosen_on_the_way_can_be_set_or_vary():
    """3 dice: a 6 shows with 1 − (5/6)³ = 42 %; pushed if none does with 1 − (13/18)³ = 62 %."""
    rules = install.load_checked(EXAMPLES / "cold-light").ruleset
    answers = {"points": {"body": 1, "hands": 3, "head": 0}, "post": "post/hunter"}
    hunter = replay(rules, {**answers, "left": "A daughter"}, Start("Nix"))
    table: dict[str, object] = {"procedure": "check", "show": ["success"]}
    skills = {"input": "skill", "words": ["find"]}
    (fixed,) = odds_tables(tabled(hunter, **table, vary=skills, set={"pushed": 0}))
    pushed = {"input": "pushed", "from": 0, "to": 1, "label": "Pushed"}
    (varied,) = odds_tables(tabled(hunter, **table, vary=pushed, set={"skill": "find"}))
    assert (fixed.rows[0].note, fixed.rows[0].cells) == ("", (("42%",),))
    assert varied.rows[0].cells == (("42%",), ("62%",))


@pytest.mark.parametrize(
    ("keys", "problem"),
    [("set: {pushed: 0}, ", ""), ("set: {pulled: 0}, ", 'there is no input of check "pulled"')],
)
def test_a_table_may_set_what_its_rule_asks_on_the_way_and_nothing_else(tmp_path, keys, problem):
    folder = shutil.copytree(EXAMPLES / "cold-light", tmp_path / "cold-light")
    file = folder / "ruleset.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("each: once, ", f"each: once, {keys}", 1), encoding="utf-8")
    found: list[str] = []
    try:
        install.load_checked(folder)
    except PackError as error:
        found = [one.message for one in error.problems]
    assert found == [problem] if problem else found == []
