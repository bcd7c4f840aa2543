"""Random characters, templates and answers; sheets in every layout."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.character.state import CHARACTER
from charforge.character.state_changes import change_resource
from charforge.errors import UnknownId
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.sheet.build import blank_view, build
from charforge.sheet.html import render_html
from charforge.sheet.print_options import PrintOptions
from charforge.usecases.create import create_character
from charforge.verbs import manual_changes
from tests.cli.conftest import run as run
from tests.phase_2d10.conftest import ANSWERS
from tests.samples import few
from tests.sheet.conftest import printed

CHARTS = {
    "dv", "hit-location", "special-damage", "influence", "psionic-range", "ping", "mass-targets",
    "malfunction",
}  # fmt: skip
# What the sheet has to show of figures, beside the attributes and the tables.
SHOWN = {
    "av_perception", "av_sneak", "av_persuasion", "av_focus", "awareness", "shock_av", "armour",
    "wound_penalty", "surprise_hidden", "surprise_open",
}  # fmt: skip


@pytest.mark.parametrize("seed", few(range(20), 2, slow=10))
def test_any_random_character_is_legal_and_plain(phase, seed):
    plan = CharacterSpec(phase, str(seed), "Any", 1, {}, {})
    chance = RandomAnswers(str(seed))
    character = plan.replay(leave_out_optional(chance))
    assert (character.problems, character.open) == ((), ())
    # The examples are plain: each figure the same, one thing of each kind.
    assert character.state.answers["attributes"] == dict.fromkeys(phase.group("attributes"), 6)
    held = [one.entity.id for one in character.state.holdings]
    assert sorted(held) == ["armour/own", "power/own", "skill/own", "weapon/own"]
    assert {"attributes", "skills", "init", "weapons", "weapons.own.ev"} <= chance.examples.keys()


def test_new_random_says_what_the_book_leaves_open(run):
    made = run("new", "--random", "--ruleset", "phase-2d10", "--name", "Cy", "-o", "cy.json")
    assert made.code == 0
    assert "These are not in the book" in made.err
    assert "Pistol: EV: 6" in made.err
    assert run("check", "cy.json").code == 0


def test_the_template_names_every_question_and_each_says_that_it_is_open(run, phase):
    template = run("new", "--questions", "--ruleset", "phase-2d10")
    assert template.code == 0
    asked = {question.id for question in phase.head.creation}
    assert {name for name in asked if f"# {name}:" in template.out} == asked
    assert template.out.count("Not in this book") >= len(asked)


def test_answers_given_in_a_file_make_the_character(run, tmp_path):
    file = {
        "ruleset": "phase-2d10", "name": "Cy", "answers": dict(ANSWERS),
        "table_rules": {"opposed_dv_bonus": 10},
    }  # fmt: skip
    (tmp_path / "cy.yaml").write_text(yaml.safe_dump(file), encoding="utf-8")
    assert run("new", "--answers", "cy.yaml", "-o", "cy.json").code == 0
    values = run("show", "cy.json", "--json").json["values"]
    wanted = {"armour": 6, "av_perception": 10, "surprise_hidden": 23, "psi": 12, "run": 11}
    assert {name: values[name]["total"] for name in wanted} == wanted
    # REF 8 + 5 + 5 + 5 = 23 against 15 + 10, as the file rules.
    missed = run("use", "cy.json", "rail rifle", "--set", "vs=15", "--dice", "own=5,5")
    assert "AR 23 against DV 25: failure." in missed.out


@pytest.mark.parametrize(
    ("name", "answer", "why"),
    [
        ("attributes", {**dict(ANSWERS["attributes"]), "rec": 31}, "31"),
        ("weapons.own.ev", 100, "99"),
        ("armour.own#2.layer", "layer_1", "layer"),
        ("powers.own.points", 11, "10"),
    ],
)
def test_figures_beyond_sane_bounds_are_refused(run, tmp_path, name, answer, why):
    file = {"ruleset": "phase-2d10", "name": "Cy", "answers": {**ANSWERS, name: answer}}
    (tmp_path / "cy.yaml").write_text(yaml.safe_dump(file), encoding="utf-8")
    run("new", "--answers", "cy.yaml", "-o", "cy.json").refused(1, name, why)


def test_the_sheet_shows_what_the_game_needs(phase, cy):
    sheet = phase.head.sheet
    listed = {value for one in sheet.lists for value in phase.group(one.of)}
    assert {*sheet.figures, *listed} >= SHOWN
    assert set(sheet.charts) == CHARTS
    (wounds, besides) = sheet.trackers
    assert (wounds.value, besides.value) == (("group:wounds",), ("temporary_last", "behind"))
    view = build(cy().character)
    assert {chart.id for chart in view.charts} == CHARTS


@pytest.mark.slow
def test_a_party_acts_by_init_without_dice(run):
    run("new", "--random", "--ruleset", "phase-2d10", "--name", "Cy", "-o", "cy.json")
    made = run("party", "cy.json", "--no-sheets", "--no-cards", "-o", "party.html")
    assert made.code == 0, made.err
    text = Path("party.html").read_text(encoding="utf-8")
    assert "Order in the phase" in text
    assert ">score, highest first<" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("layout", "empty"),
    [("full", False), ("short", False), ("cards", False), ("reference", False), ("full", True)],
)
def test_every_layout_prints_without_a_warning(phase, cy, layout, empty):
    view = blank_view(phase) if empty else build(cy().character)
    html = render_html(view, PrintOptions(layout=layout))
    assert re.search(r"\{[$a-z]", re.sub(r"<(style|script).*?</\1>", "", html, flags=re.S)) is None
    assert printed(html).startswith(b"%PDF")


def test_play_from_the_command_line(run, tmp_path):
    file = {"ruleset": "phase-2d10", "name": "Cy", "answers": dict(ANSWERS)}
    (tmp_path / "cy.yaml").write_text(yaml.safe_dump(file), encoding="utf-8")
    run("new", "--answers", "cy.yaml", "-o", "cy.json")
    # 12 - 6 leaves 6 damage to the neck; 5 + 7 = 12 against 10.
    hurt = run("damage", "cy.json", 12, "--set", "ar=8", "--set", "location=4", "--dice", "die=5")
    assert "Neck +1 → 1" in hurt.out
    assert "Wound penalty" in run("explain", "cy.json", "av_perception").out
    # 10 - 2 (the neck) + 5 + 5 = 18.
    rolled = run(
        "roll", "cy.json", "int", "--vs", 18, "--set", "skill=perception", "--dice", "own=5,5"
    )
    assert "AR 18 against DV 18: success, level 0." in rolled.out
    assert "Shock: 9 + 7 = 16" in run("turn", "cy.json", "--dice", "die=9").out
    for _event in range(3):
        assert run("undo", "cy.json").code == 0
    assert run("check", "cy.json").code == 0
    run("rest", "cy.json", "long").refused(2, "no rule for a rest")


def test_the_attacks_of_the_wounded_have_the_penalty_in_them(cy):
    """REF 8 + 5, and −4 for two wounds of the chest: the sheet says it once, in every AV."""
    whole = cy().character
    state, _by = change_resource(whole.state, CHARACTER, "chest", 2)
    wounded = build(replace(whole, state=state))
    assert [one.shared.roll for one in build(whole).weapons] == ["+13", "+10"]
    assert [one.shared.roll for one in wounded.weapons] == ["+9", "+6"]
    assert wounded.attack_rules is not None
    assert "besides" not in str(wounded.attack_rules.note)
    shown = [fact.text for fact in (*wounded.combat, *wounded.figures_beside_combat)]
    assert shown.count("\N{MINUS SIGN}4") == 1, "the strip has the wound penalty, nothing else"


def test_what_can_be_spent_is_listed_without_wounds_that_nobody_has(phase):
    """Each of 23 locations of wounds is a resource; a healthy character has none to spend."""
    opened = replay_document(
        create_character(CharacterSpec(phase, "1", "Nix"), RandomAnswers("1")), phase
    )
    with pytest.raises(UnknownId) as unknown:
        manual_changes.spend_resource(opened, "xyzzy")
    assert unknown.value.known == ("Points",)
