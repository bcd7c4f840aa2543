"""The game terms that occur in a text."""

from __future__ import annotations

from charforge.rules.ruleset import Ruleset
from charforge.wizard.terms import terms_in


def test_values_keywords_units_and_plurals_are_found_as_they_are_printed(capital: Ruleset) -> None:
    text = "Choose a Slot; Overwatch costs 2 Energy, Cooldown 4+, 350 mC, two Reactions."
    found = {term.name: term.text for term in terms_in(text, capital)}
    assert found.keys() >= {"Overwatch", "Energy", "Cooldown", "Reaction"}
    assert "Systems" in found["Slots: Slots for Systems"]
    assert "mC" in found["Money"]
    assert all(found.values())


def test_a_word_in_lower_case_or_within_another_is_no_term(capital: Ruleset) -> None:
    assert terms_in("an overwatchful energy, Energyless", capital) == []


def test_an_entity_that_a_text_names_is_explained_in_full(capital: Ruleset) -> None:
    (term,) = [t for t in terms_in("You gain Focus II.", capital) if t.name == "Focus II"]
    assert term.kind == "Systems"
    assert "AGI" in term.text
