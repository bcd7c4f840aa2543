"""A page of several questions, without a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from charforge.answers.automatic import RecommendedAnswers
from charforge.decisions.base import MISSING
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset
from charforge.wizard.form import FieldMaker, Form, FormField

MAKER = FieldMaker(RecommendedAnswers("7"))


def field_of(rules: Ruleset, name: str, **answers: object) -> FormField:
    """Return the field of an open decision."""
    given = {key.replace("_", "."): answer for key, answer in answers.items()}
    decision = CharacterSpec(rules, "7", "Nix", answers=given).replay().decision(name)
    assert decision is not None
    return MAKER.field(decision, MISSING, None)


def test_a_number_is_typed_or_stepped_within_its_bounds(capital: Ruleset) -> None:
    money = field_of(capital, "money")
    assert money.answer == 300
    assert money.stepped("money", 1).answer == 301
    assert money.typed("money", "400").stepped("money", 1).answer == 400
    assert money.typed("money", "7").answer is MISSING
    assert money.typed("money", "7").rows()[0].problem


def test_points_are_given_together_or_by_suggestion(smithy: Ruleset) -> None:
    points = field_of(smithy, "abilities")
    assert points.problem() == "Spend exactly 3 points (you have spent 0)."
    assert points.typed("abilities:brawn", "3").problem() == "Enter a number: from 0 to 2."
    given = points.typed("abilities:brawn", "2").stepped("abilities:grace", 1)
    assert given.answer == {"brawn": 2, "wits": 0, "grace": 1}
    suggested = points.stepped(points.rows()[0].id, 1)
    assert sum(suggested.answer.values()) == 3


def test_a_short_list_is_stepped_through_by_its_combinations(capital: Ruleset) -> None:
    outfits = field_of(capital, "outfits")
    both = ["everyday", "professional"]
    assert outfits.answer == ["everyday", "everyday"]
    assert outfits.stepped("outfits", 1).answer == both
    assert outfits.stepped("outfits", -1).answer == ["professional", "professional"]


def test_an_ideal_begins_with_a_suggestion_and_a_role_with_nothing(capital: Ruleset) -> None:
    assert field_of(capital, "personality.ideal").answer is not MISSING
    role = field_of(capital, "role")
    assert (role.answer, role.rows()[0].text) == (MISSING, "not chosen yet")
    assert role.stepped("role", 1).answer == "role/the-lancer"


def test_a_form_keeps_what_was_changed_when_its_fields_are_made_again(capital: Ruleset) -> None:
    money = field_of(capital, "money")

    def refresh(fields: Sequence[FormField]) -> Sequence[FormField]:
        return [money.resumed(entry) for entry in fields]

    form = Form([money], refresh)
    form.change(money.typed("money", "222"))
    assert (form.answers(), form.touched) == ({"money": 222}, {"money"})
    form.change(form.field("money").typed("money", ""))
    assert form.first_problem() is not None
    assert form.answers() == {}
