"""Digests: rules texts in one or two lines; the terms that occur in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from charforge.describe.held_entities import HeldEntity
from charforge.expressions.template import parse_figures, substitute
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.loading.loader import catalog_folder, load, load_folder
from charforge.rules.models import Action, Attack, Entity, RuledText, digest_of
from charforge.rules.ruleset import Ruleset
from charforge.wizard.terms import terms_in
from tests.source import EXAMPLES

Reforged = Callable[..., Ruleset]
Smith = Callable[..., LoadedCharacter]

FRAGMENTS = ("narrative-dice", "phase-2d10", "shields-biotics", "squad-d20")
COMPLETE = ("capital", *FRAGMENTS, "under-the-ice")  # every text is short or has a digest
NUMBER, FIGURE = re.compile(r"\d+"), re.compile(r"\{[^{}]+\}")
LONGEST_TEXT, LONGEST_DIGEST, MOST_LINES = 100, 140, 2
TEXT = "text: You roll {$attribute} for {$name}, and reach {av} or {rank + 10}."


def numbers(text: str) -> set[str]:
    """Return the digits and the figures of a text, without the words after them."""
    return {*NUMBER.findall(text), *(figure.text for figure in parse_figures(text))}


def own_skill(character: LoadedCharacter) -> HeldEntity:
    state = character.character.state
    return next(
        HeldEntity.of(state, holding)
        for holding in state.holdings
        if holding.entity.id == "skill/own"
    )


def test_a_digest_has_the_characters_own_numbers(reforged: Reforged, smith: Smith) -> None:
    rules = reforged(("things.yaml", TEXT, f"{TEXT}\n    digest: 'For {{$name}}: {{rank + 10}}.'"))
    skill = own_skill(smith(rules))
    assert [str(block) for block in skill.digest()] == ["For Riveting: 15."]
    assert [str(block) for block in skill.description()] == [
        "You roll BRN for Riveting, and reach 8 or 15."
    ]


def test_a_text_without_a_digest_is_its_own(smith: Smith) -> None:
    skill = own_skill(smith())
    assert skill.digest() == skill.description() != ()
    (ring,) = (e for e in smith().character.state.ruleset.entities.values() if e.actions)
    assert digest_of(ring.actions[0]) == ring.actions[0].text


def test_a_table_rule_changes_the_digest_with_the_text(smith: Smith) -> None:
    state = smith().character.state
    ruled = RuledText(rule="anvil", option="cold", text="Long and cold.", digest="Cold.")
    plain = RuledText(rule="anvil", option="old", text="Old.")
    entity = Entity(
        id="skill/x", name="X", source="T", text="Long.", digest="Short.", ruled=(ruled, plain)
    )
    by_rule = {
        option: (at.text(entity), at.digest(entity))
        for option in ("hot", "cold", "old")
        for at in (replace(state, rules={"anvil": option}),)
    }
    assert by_rule == {
        "hot": ("Long.", "Short."),
        "cold": ("Long and cold.", "Cold."),
        "old": ("Old.", "Old."),
    }


# ------------------------------------------------------------------ the built-in rulesets


def described(entity: Entity) -> Iterator[tuple[str, Entity | RuledText | Action | Attack]]:
    """Yield every part of an entity that has a text, with its place."""
    for key in ("ruled", "actions", "attacks"):
        for number, part in enumerate(getattr(entity, key)):
            yield f"{entity.id} {key} {number}", part
    yield entity.id, entity


def length(text: str) -> int:
    """Return the number of characters, with 4 for each figure."""
    return len(substitute(text, lambda _figure: "0000"))


def digests(pack: str) -> dict[str, tuple[str, str]]:
    """Return the digest and the text of each part of a pack, by its place."""
    return {
        place: (part.digest, part.text)
        for entity in rules_of(pack).entities.values()
        for place, part in described(entity)
    }


def rules_of(pack: str) -> Ruleset:
    """Return a ruleset, or that of an example pack with its additions."""
    folder = EXAMPLES / pack
    return load_folder(catalog_folder() / "capital", [folder]) if folder.exists() else load(pack)


@pytest.mark.parametrize("pack", COMPLETE)
def test_every_text_is_short_or_has_a_short_digest(pack: str) -> None:
    too_long = {
        place: f"{length(digest or text)}: {digest or text}"
        for place, (digest, text) in digests(pack).items()
        if length(digest or text) > (LONGEST_DIGEST if digest else LONGEST_TEXT)
    }
    assert too_long == {}


@pytest.mark.parametrize("pack", COMPLETE)
def test_a_digest_is_shorter_than_its_text_and_has_at_most_two_lines(pack: str) -> None:
    wrong = {
        place: digest
        for place, (digest, text) in digests(pack).items()
        if digest and (length(digest) >= length(text) or lines(digest) > MOST_LINES)
    }
    assert wrong == {}


def lines(digest: str) -> int:
    """Return the number of lines, without those that print a player's words or are left out."""
    return sum("{$" not in line for line in digest.splitlines())


@pytest.mark.parametrize("pack", FRAGMENTS)
def test_a_digest_has_no_numbers_that_its_text_lacks(pack: str) -> None:
    """Each number of a digest is in a text of its entity, as a figure or as digits."""
    strange = {}
    for entity in rules_of(pack).entities.values():
        texts = " ".join(part.text for _, part in described(entity))
        known = numbers(texts)
        for place, part in described(entity):
            if more := numbers(part.digest) - known:
                strange[place] = (sorted(more), part.digest)
    assert strange == {}


@pytest.mark.parametrize("pack", COMPLETE)
def test_a_digest_is_plain(pack: str) -> None:
    marked = {
        place: digest
        for place, (digest, _text) in digests(pack).items()
        if "*" in FIGURE.sub("", digest) or digest.startswith("- ")
    }
    assert marked == {}


# ------------------------------------------------------------------ terms in a text


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
