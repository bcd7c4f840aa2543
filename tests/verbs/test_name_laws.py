"""Laws of names: what is printed is explained, and one command accepts the names of another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.requirements import Applicant, is_chosen
from charforge.character.state import Unit
from charforge.decisions.choose import ChooseDecision
from charforge.errors import AmbiguousName, CharforgeError, RefusedAbility
from charforge.packs import install
from charforge.procedures import abilities
from charforge.procedures.steps import dice_inputs
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.loading.loader import load
from charforge.rules.names import TypedText
from charforge.sheet.build import build
from charforge.usecases.create import create_character
from charforge.verbs.lookup import action_word, does_something, find_ability, find_subject
from charforge.verbs.odds import find_subject as find_odds
from charforge.verbs.play import use_named
from charforge.verbs.typed_inputs import TypedInputs

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GAMES = ["capital", "narrative-dice", "phase-2d10", "shields-biotics", "squad-d20",
         "cinderwell", "long-stair", "night-post"]  # fmt: skip


@pytest.fixture(scope="module", params=GAMES)
def opened(request: pytest.FixtureRequest) -> LoadedCharacter:
    """A random character of each game, with a companion or vehicle where there is one."""
    name = request.param
    rules = load(name) if not (EXAMPLES / name).exists() else (
        install.load_checked(EXAMPLES / name)[-1]
    )  # fmt: skip
    spec = CharacterSpec(rules, "law", "Nix", min(3, rules.head.advancement.maximum))
    return load_document(create_character(spec, RandomAnswers("law")), Path("nix.json"), rules)


def printed_labels(opened: LoadedCharacter) -> Iterator[tuple[Unit, str]]:
    """Yield the label of every figure on the sheet, with the unit that it is of."""
    view, units = build(opened.character), opened.character.state.units
    for unit, sheet in zip(units, (view, *view.units), strict=True):
        for label in (*(a.label for a in sheet.attributes), *(v.label for v in sheet.vitals)):
            yield unit, label
        facts = (*sheet.combat, *(view.figures if sheet is view else ()))
        for label in (*(f.label for f in facts), *(pool.label for pool in sheet.pools)):
            yield unit, label
        for weapon in sheet.weapons:
            yield unit, weapon.name


def test_every_figure_of_a_sheet_is_explained_by_its_label(opened):
    missing = []
    for unit, label in printed_labels(opened):
        try:
            find_subject(opened, unit, label, all_units=False)
        except AmbiguousName:
            continue  # it lists what can be meant
        except CharforgeError as error:
            missing.append(f"{unit.id}: {label}: {error}")
    assert missing == []


def test_what_use_and_odds_accept_is_explained(opened):
    """By the name of the thing and by that of the ability itself."""
    missing = []
    state = opened.character.state
    for unit in state.units:
        for ability in abilities.all_abilities(state, unit.id):
            for name in (ability.entity.name, ability.name):
                found = [
                    ("use", partial(find_ability, state, unit.id, name)),
                    ("explain", partial(find_subject, opened, unit, name, all_units=True)),
                ]
                if ability.attack is not None:
                    found.append(("odds", partial(find_odds, opened, name, unit=unit.id)))
                for command, find in found:
                    try:
                        find()
                    except AmbiguousName:
                        continue
                    except CharforgeError as error:
                        missing.append(f"{command} {unit.id} {name}: {error}")
    assert missing == []


def test_the_word_of_an_action_means_it_and_no_other(opened):
    """Also of two with the same name, such as the ways to reload, and never with a number."""
    state = opened.character.state
    for unit in state.units:
        for ability in abilities.all_abilities(state, unit.id):
            applicant = Applicant(state, unit.id, ability.entity, ability.source)
            if not (does_something(ability) and is_chosen(ability.definition.requires, applicant)):
                continue
            word = action_word(state, ability)
            assert "#" not in word
            found = find_ability(state, unit.id, ability.entity.id, word)
            assert (found.entity, found.key) == (ability.entity, ability.key)  # of one such item


def test_what_is_proposed_instead_of_a_refused_use_is_accepted(opened):
    refused = []
    for unit in opened.character.state.units:
        for ability in abilities.all_abilities(opened.character.state, unit.id):
            typed = TypedInputs({"vs": "5"})
            try:
                use_named(opened, ability.source, unit=unit.id, typed=typed)
            except RefusedAbility as refusal:
                for _label, (source, _option, action), not_taken in refusal.ways:
                    words = TypedInputs({} if "vs" in not_taken else typed.words)
                    try:
                        use_named(opened, source, action, unit=unit.id, typed=words)
                    except CharforgeError as error:
                        refused.append(f"{ability.name}: {source} {action}: {error}")
            except CharforgeError:
                pass
    assert refused == []


def test_odds_are_known_of_every_use_that_rolls(opened):
    """By the name of the ability, or by that of its thing where that has only one."""
    missing, state = [], opened.character.state
    for unit in state.units:
        for ability in abilities.all_abilities(state, unit.id):
            inputs, steps = abilities.ability_inputs(state, ability)
            if not dice_inputs(state.ruleset, steps):
                continue
            try:
                subject = find_odds(opened, ability.entity.id, ability.key, unit=unit.id)
            except AmbiguousName:
                continue
            except CharforgeError as error:
                missing.append(f"{unit.id} {ability.name}: {error}")
                continue
            assert subject.procedure.outputs, ability.name
            assert {i.id for i in subject.inputs} == {i.id for i in inputs}
    assert missing == []


def test_first_letters_name_an_option_when_a_player_types_them_and_never_in_a_file(opened):
    tried = 0
    for decision in opened.character.asked:
        if not isinstance(decision, ChooseDecision) or decision.question.own_words:
            continue
        for option in decision.options_by_id.values():
            short = " ".join(word[:4] for word in option.label.split())
            if not isinstance(option.id, str) or decision.options_beginning(short) != [option.id]:
                continue
            if decision.item(short) == option.id:
                continue  # it is a name itself
            assert decision.item(TypedText(short)) == option.id
            assert decision.item(short) != option.id
            tried += 1
    assert tried or len(opened.character.asked) < 8
