"""Descriptions of entities, without answers and with them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from charforge.character.state import State
from charforge.character.state_data import AmountRow, NotePart, RolledSum
from charforge.decisions.base import DecisionOption
from charforge.describe import entities
from charforge.describe.formulas import formula_text, note_text
from charforge.expressions.formula import Formula
from charforge.language import set_language
from charforge.packs import install
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from tests.source import EXAMPLES

KNACKS = ("knack/strong-back", "knack/ox")
PACKS = ("capital", "narrative-dice", "squad-d20", "phase-2d10", "shields-biotics")


def paragraphs(ruleset: Ruleset, name: str, /, **answers: object) -> list[str]:
    return list(entities.entity_paragraphs(ruleset.entity(name), ruleset, answers))


def test_an_open_choice_is_shown_by_its_name_in_brackets(smithy: Ruleset) -> None:
    assert paragraphs(smithy, "skill/own") == [
        "You roll [Attribute] for [Name], and reach AV or [Rank] + 10.",
        "AV = [Attribute] + [Rank], Die = d(2 × [Rank] + 2)",
        "**To choose:** What is it called?",
        "**To choose:** With what?",
        "**To choose:** How good at it?",
    ]


def test_known_answers_replace_the_question(smithy: Ruleset) -> None:
    answers = {"name": "Riveting", "attribute": "brawn", "rank": 5}
    assert paragraphs(smithy, "skill/own", **answers) == [
        "You roll BRN for Riveting, and reach AV or 5 + 10.",
        "AV = BRN + 5, Die = d(2 × 5 + 2)",
    ]


def test_an_attack_shows_the_choices_it_depends_on(smithy: Ruleset) -> None:
    attack, action = paragraphs(smithy, "tool/own")[1::-1]
    assert attack.startswith(
        "**Attack** [Reach] · [Score] + [Ring] − 1 against Guard · "
        "[Ring]\N{NO-BREAK SPACE}Shots × (1d6 + [Damage] + BRN) Blunt"
    )
    assert action.replace("\N{NO-BREAK SPACE}", " ") == (
        "**At work Ring** · [Ring] Heat: It is heard [Ring] × 100 m off."
    )


@pytest.mark.parametrize("pack", PACKS)
def test_no_description_contains_pack_syntax(pack: str) -> None:
    ruleset = load(pack)
    raw = {
        entity.id: paragraph
        for entity in ruleset.entities.values()
        for paragraph in entities.entity_paragraphs(entity, ruleset)
        if "$" in paragraph or "{" in paragraph
    }
    assert raw == {}
    own = [entity for entity in ruleset.entities.values() if entity.titled]
    ids = {value for value in ruleset.values if "_" in value}
    shown = {
        word
        for one in own
        for text in entities.entity_paragraphs(one, ruleset)
        for word in text.split()
    }
    assert not shown & ids


def test_a_line_about_an_empty_answer_is_left_out() -> None:
    ruleset = load("narrative-dice")
    assert paragraphs(ruleset, "race/own", name="Dwarf", trait="") == []
    assert paragraphs(ruleset, "race/own", name="Dwarf", trait="Sturdy") == ["Sturdy"]


def test_an_option_of_the_wizard_has_no_formula_of_choices_that_are_asked_next() -> None:
    """A weapon whose figures the player enters: what they are made of is asked on its own pages."""
    rules = load("squad-d20")
    weapon = rules.entity("weapon/automatic")
    option = DecisionOption(weapon.id, weapon.name, entity=weapon)
    assert "Long Shot" in entities.option_text(option, rules)
    shown = entities.option_text(option, rules, choices=False)
    assert "[" not in shown
    assert "Long Shot" not in shown
    assert "Reload" in shown


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("max(agi - 5, 0)", "AGI − 5, at least 0"),
        ("2 * min(knw, 3)", "2 × (KNW, at most 3)"),
        ("half_down(wil)", "half of WIL (rounded down)"),
    ],
)
def test_functions_of_a_formula_are_words(capital: Ruleset, formula: str, words: str) -> None:
    assert formula_text(formula, capital) == words


SUM = Formula("max(ftd - 2, 0)")
FLOOR = Formula("half_down(ftd)")


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (
            RolledSum("2d6", (3, 4), (), SUM, 3, 10, FLOOR, 12),
            "2d6 (3 + 4) + FTD − 2, at least 0 (3) = 10; minimum half of FTD (rounded down) (12)",
        ),
        (
            RolledSum("2d20kl1", (5,), (11,), Formula(0), 0, 5, swapped_with="agi"),
            "2d20kl1 (5; dropped 11), swapped with AGI",
        ),
        (AmountRow("level", 3), "table row Level 3"),
        (Formula("agi + 1"), "AGI + 1"),
        ("agi or 1d6 (3) + agi (1)", "agi or 1d6 (3) + agi (1)"),  # a name is not a formula
    ],
)
def test_the_note_of_a_step_is_data_in_words(capital: Ruleset, part: NotePart, words: str) -> None:
    assert note_text((part, "Plate"), capital) == f"{words}, Plate"


def test_the_note_of_a_roll_is_in_the_language(capital: Ruleset) -> None:
    set_language("de")
    rolled = RolledSum("2d6", (3,), (2,), SUM, 3, 6, FLOOR, 12)
    assert note_text((rolled,), capital) == (
        "2W6 (3; gestrichen 2) + FTD − 2, mindestens 0 (3) = 6;"
        " Minimum die Hälfte von FTD (abgerundet) (12)"
    )


def test_an_entity_says_what_an_attack_spends_and_needs(capital: Ruleset) -> None:
    """As a sheet does for somebody without Training."""
    said = "\n".join(entities.entity_paragraphs(capital.entity("equipment/auto-rifle"), capital))
    said = said.replace("\N{NO-BREAK SPACE}", " ")
    assert "\nAmmo 3\n" in said
    assert (
        "**Attack** 50 m · VSN against AGI · 1d6 + 8 (1 per Shot) Sharp or Heat · Ammo −1\n" in said
    )
    far = (
        "100 m · VSN against AGI · 1d6 + 6 (1 per Shot) Sharp or Heat · Ammo −1 · Requires Training"
    )
    assert f"**Attack** {far}\n" in said
    sniper = entities.attack_texts(capital.entity("special-weapon/sniper-rifle"), capital)
    assert "Crit 5: +6 damage (Requires Training)" in sniper[0].terms


def test_dice_of_an_attack_are_in_the_language(capital: Ruleset) -> None:
    set_language("de")
    [near, _far] = entities.attack_texts(capital.entity("equipment/auto-rifle"), capital)
    assert near.damage == "1W6 + 8 (1 pro Schuss) Sharp oder Heat"


def test_a_number_of_0_is_printed(capital: Ruleset) -> None:
    assert "Passengers\N{NO-BREAK SPACE}0" in paragraphs(capital, "vehicle/mechsuit")[0]


def test_the_scores_of_a_companion_are_said(capital: Ruleset) -> None:
    said = paragraphs(capital, "companion/land-beast")[-1]
    assert said.endswith("gets which score? 7, 6, 5, 4 for STR, FTD, AGI, CHA")


def test_a_pack_that_plays_a_table_rule_otherwise_changes_the_text_everywhere() -> None:
    """The default of a pack counts for sheets as well, without a choice by the group."""
    rules = install.load_checked(EXAMPLES / "house-rules").ruleset
    cooldown = rules.entity("keyword/cooldown")
    assert "on X or less, it comes off" in State(rules).text(cooldown)
    assert "on X or less, it comes off" in entities.as_played(cooldown, rules, {}).text
    assert "on X or more" in State(rules, rules={"cooldown": "or_more"}).text(cooldown)


@pytest.mark.parametrize("text", ["Gold", "Gold calls it."])
@pytest.mark.parametrize(("sentences", "shown"), [("false", "{}"), ("true", "**Calling:** {}")])
def test_a_field_of_sentences_is_a_paragraph_and_no_short_fact(
    dug, sentences: str, shown: str, text: str
) -> None:
    """Whether or not its text ends with a full stop."""
    field, ring = "{type: text, label: Calling", "name: Gold Ring, source: Charms, calling: "
    game = dug(
        ("ruleset.yaml", field, f"{field}, sentences: {sentences}"),
        ("things.yaml", f"{ring}gold", ring + text),
    )
    assert paragraphs(game, "charm/ring")[0] == shown.format(text)


def test_slots_are_called_as_the_game_calls_what_they_are_spent_from(
    refitted: Callable[..., Ruleset],
) -> None:
    asked = "    budget: {cost: slots, within: slots - slots_used, label: slots}\n    label: Which"
    rules = refitted(("ruleset.yaml", asked, asked.replace(": slots}", ": berths, one: berth}")))
    named = {name: next(entities.entity_terms(rules.entity(name), rules)) for name in KNACKS}
    assert named == {"knack/strong-back": "1 berth", "knack/ox": "2 berths"}
