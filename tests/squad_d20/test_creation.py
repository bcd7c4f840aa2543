"""Creating a soldier at random, from an answers file; what its sheet has."""

from __future__ import annotations

import pytest

from charforge.answers import file
from charforge.answers.automatic import RandomAnswers
from charforge.errors import AnswerError
from charforge.language import in_language
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.rules.loading.loader import load
from charforge.sheet.build import build
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.html import render_html
from charforge.sheet.print_options import PrintOptions
from charforge.usecases.create import create_character
from charforge.usecases.edit import draft_answer, find_decision
from tests.samples import few
from tests.sheet.print_check import check
from tests.sheet.printed import record
from tests.squad_d20.conftest import HAAS, ORTEGA


@pytest.mark.parametrize("seed", few(range(20), 2, slow=10))
def test_any_seed_makes_a_legal_soldier_of_examples(squad, seed):
    chance = RandomAnswers(str(seed))
    made = replay_document(
        create_character(CharacterSpec(squad, str(seed), "Kessler"), chance), squad
    )
    assert (made.character.problems, made.character.open) == ((), ())
    asked = made.character.asked
    unprinted = {decision.id for decision in asked if decision.unprinted}
    assert {"attributes", "skills", "defense", "weapon.dmg"} <= unprinted
    assert set(chance.examples) == unprinted
    names = [unit.name for unit in made.character.state.units]
    assert len(set(names)) == len(names)


def test_all_options_can_be_known_at_once(soldier):
    state = soldier().character.state
    kinds = ("tactic", "leadership-option", "lore-option", "squad-option")
    assert [sum(h.entity.kind == kind for h in state.holdings) for kind in kinds] == [5, 4, 3, 4]


def test_none_of_them_need_be_known(soldier):
    empty = {name: [] for name in ("tactics", "leadership", "lore", "squad")}
    assert soldier(empty).character.problems == ()


def test_members_are_units_of_their_own_names(soldier):
    units = soldier().character.state.units
    assert [(unit.id, unit.name) for unit in units[1:3]] == [(ORTEGA, "Ortega"), (HAAS, "Haas")]


@pytest.mark.parametrize(
    ("name", "answer", "told"),
    [
        ("damage_threshold", 0, "1"),
        ("max_hp", 0, "1"),
        ("agility_bonus", 19, "18"),
        ("defense", 100, "99"),
        ("attributes", {"strength": 41}, "40"),
    ],
)
def test_figures_of_ones_own_stay_within_sane_bounds(soldier, name, answer, told):
    with pytest.raises(AnswerError) as refused:
        soldier({name: answer})
    assert any(told in message for _decision, message in refused.value.problems)


def test_an_attribute_that_is_changed_leaves_the_others_as_they_were(soldier):
    before = soldier()
    found = find_decision(before, "attributes")
    answer = draft_answer(before, found, file.read_answer(found, "agility 12")).fields["answer"]
    assert answer == before.document.answers["attributes"] | {"agility": 12}


def test_the_questions_file_asks_for_everything_and_can_be_filled(squad, tmp_path):
    text = file.questions_file(squad, 1)
    for name in ("attributes", "agility_bonus", "weapon.magazine", "members.own.shields", "squad"):
        assert f"# {name}: " in text
    path = tmp_path / "answers.yaml"
    path.write_text(text.replace("  # defense: 15", "  defense: 21"), encoding="utf-8")
    said = file.read_answers(path)
    assert said.answers == {"defense": 21}
    made = create_character(
        CharacterSpec(squad, "7", "Kessler", answers=said.answers), RandomAnswers("7")
    )
    assert replay_document(made, squad).character.state.values().total("defense") == 21


# ------------------------------------------------------------------ the sheets


@pytest.fixture(scope="module")
def view(soldier):
    return build(soldier().character)


def test_the_sheet_holds_what_the_rulings_list(view):
    html = render_html(view, PrintOptions("full"))
    for word in (
        "Overage cap melee", "Overage cap ranged", "Flat-footed", "Sprint", "Rotary cannon",
        "Saturation Fire", "Morale", "Crippling wounds", "Defensive Formation", "Yun",
    ):  # fmt: skip
        assert word in html, word
    assert [chart.label for chart in view.charts] == [
        "The steps of a weapon attack", "Special actions", "Combat behaviors",
        "Tactics", "Leadership", "Lore", "Leadership in a squad", "Combat influence", "Morale",
        "Combat modifiers",
    ]  # fmt: skip


@pytest.mark.slow
def test_the_german_figures_of_members_have_room():
    """Konstitution is on one line, and the headings of attacks are beside each other."""
    with in_language("de"):
        rules = load("squad-d20", language="de")
        made = create_character(CharacterSpec(rules, "3", "Sal"), RandomAnswers("3"))
        sheet = build(replay_document(made, rules).character)
        document = record(lambda: sheet_pdf(sheet, PrintOptions()))
        assert check(document, sheet, PrintOptions()) == []
    words = [word.text for page in document.pages for word in page.words]
    assert "Konstituti" not in words
    assert "Konstitution" in words


# ------------------------------------------------------------------ movement


@pytest.mark.parametrize(
    ("agility", "speed", "shift"),
    [(0, 4, 1), (1, 4, 1), (4, 6, 1), (5, 6, 2), (9, 8, 2), (10, 9, 3), (15, 11, 4)],
)
def test_movement_rounds_halves_and_fifths_down(soldier, agility, speed, shift):
    # 4 + ½ Agility and 1 + ⅕ Agility.
    others = {"strength": 1, "instinct": 1, "fortitude": 1, "intelligence": 1, "willpower": 1}
    values = soldier({"attributes": {"agility": agility, **others}}).character.state.values()
    assert (values.total("speed"), values.total("shift")) == (speed, shift)
