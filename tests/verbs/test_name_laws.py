"""Laws of names: what is printed is explained, and one command accepts the names of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.requirements import Applicant, is_chosen
from charforge.character.state import CHARACTER, Holding, Unit
from charforge.character.state_changes import add_condition
from charforge.cli.answers_options import read_answers_with
from charforge.decisions.choose import ChooseDecision
from charforge.errors import AmbiguousName, CharforgeError, RefusedAbility, UnknownId
from charforge.packs import install
from charforge.procedures import abilities
from charforge.procedures.steps import dice_inputs
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.loading.loader import load
from charforge.rules.names import TypedText
from charforge.sheet.build import build
from charforge.sheet.values import combat_figures
from charforge.sheet.view import SheetView, UnitPanel
from charforge.usecases.create import create_character
from charforge.usecases.luck import what_if
from charforge.usecases.plan import find_wanted
from charforge.verbs.lookup import action_word, does_something, find_ability, find_holding
from charforge.verbs.odds import find_odds_subject as find_odds
from charforge.verbs.play import use_named
from charforge.verbs.subjects import (
    EntitySubject,
    FactSubject,
    HoldingsSubject,
    ValueSubject,
    find_subject,
)
from charforge.verbs.typed_inputs import TypedInputs
from tests.source import EXAMPLES

Find = Callable[[str], object]
GAMES = ["capital", "narrative-dice", "phase-2d10", "shields-biotics", "squad-d20",
         "cinderwell", "long-stair", "night-post"]  # fmt: skip


# Every game at one level in the fast suite, and at a second one, in turns, in the slow one.
LEVELS = [(game, 3) for game in GAMES] + [
    pytest.param((game, level), marks=pytest.mark.slow) for game, level in zip(GAMES, cycle((4, 1)))
]


@pytest.fixture(scope="module", params=LEVELS)
def opened(request: pytest.FixtureRequest) -> LoadedCharacter:
    """A random character of each game, with a companion or vehicle where there is one."""
    name, level = request.param
    rules = load(name) if not (EXAMPLES / name).exists() else (
        install.load_checked(EXAMPLES / name).ruleset
    )  # fmt: skip
    spec = CharacterSpec(rules, f"law{level}", "Nix", min(level, rules.head.advancement.maximum))
    return load_document(create_character(spec, RandomAnswers("law")), Path("nix.json"), rules)


def printed_sheets(opened: LoadedCharacter) -> Iterator[tuple[Unit, SheetView | UnitPanel]]:
    """Yield each unit with its part of the sheet."""
    view = build(opened.character)
    return zip(opened.character.state.units, (view, *view.units), strict=True)


def printed_figures(sheet: SheetView | UnitPanel) -> Iterator[tuple[str, str]]:
    """Yield label and id of every figure, the label again for what is no value."""
    yield from ((figure.label, figure.id) for figure in (*sheet.attributes, *sheet.vitals))
    yield from ((figure.label, figure.id) for figure in (*sheet.pools, *sheet.trackers))
    yield from ((fact.label, fact.value or fact.label) for fact in sheet.combat)
    yield from ((fact.label, fact.value) for fact in sheet.figures if fact.value)


def printed_names(sheet: SheetView | UnitPanel) -> Iterator[str]:
    """Yield the names of everything that has a text or numbers of its own."""
    yield from (entry.name for entry in (*sheet.cards, *sheet.weapons))
    if isinstance(sheet, SheetView):
        yield from (entry.name for entry in (*sheet.headline, *sheet.items, *sheet.training))
        yield from (e.name for e in (*sheet.conditions, *sheet.actions, *sheet.reference))
        yield from (chart.label for chart in sheet.charts)
        yield from (part.label for part in sheet.story)
    else:
        yield from (fact.label for fact in sheet.facts)


def test_the_label_of_every_figure_on_a_sheet_explains_that_figure(opened):
    wrong = []
    for unit, sheet in printed_sheets(opened):
        for label, figure in dict(printed_figures(sheet)).items():
            try:
                found = find_subject(opened, unit, label, all_units=False)
            except CharforgeError as error:
                wrong.append(f"{unit.id}: {label}: {error}")
                continue
            explained = found.label if isinstance(found, FactSubject) else found.id
            values = opened.character.state.values(unit.id)
            beside = [one.fact.label for one in combat_figures(values, label)]
            if figure not in (explained, *beside):
                wrong.append(f"{unit.id}: {label}: {explained} instead of {figure}")
    assert wrong == []


def test_whatever_a_sheet_names_is_explained_by_that_name(opened):
    missing = []
    for unit, sheet in printed_sheets(opened):
        for name in printed_names(sheet):
            try:
                find_subject(opened, unit, name, all_units=False)
            except AmbiguousName:
                continue  # it lists what can be meant
            except CharforgeError as error:
                missing.append(f"{unit.id}: {name}: {error}")
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
                    found.append(("odds", partial(find_odds, opened, name, unit_id=unit.id)))
                for command, find in found:
                    try:
                        find()
                    except AmbiguousName:
                        continue
                    except CharforgeError as error:
                        missing.append(f"{command} {unit.id} {name}: {error}")
    assert missing == []


def same_everywhere(opened: LoadedCharacter, holding: Holding) -> dict[str, Find]:
    """Return how each command that can be about a holding finds it by a name."""
    state, unit = opened.character.state, holding.unit
    ways: dict[str, Find] = {
        "explain": lambda name: find_subject(opened, state.unit(unit), name, all_units=False),
        "hold": lambda name: find_holding(state, name, unit).entity.id,
    }
    if any(ability.holding is holding for ability in abilities.all_abilities(state, unit)):
        ways["use"] = lambda name: find_ability(state, unit, name).entity.id
    if unit == CHARACTER and holding.level > 1:
        ways["plan"] = lambda name: find_wanted(opened, name).id
    for decision in opened.character.asked:
        offers = (
            isinstance(decision, ChooseDecision) and holding.entity.id in decision.options_by_id
        )
        if decision.id == holding.origin and offers:
            ways["edit"] = lambda name, decision=decision: decision.item(TypedText(name))
    return ways


def test_a_name_means_the_same_to_every_command(opened):
    """The id, its end, the printed name in any case: to edit, plan, explain, use and hold."""
    wrong = []
    for holding in opened.character.state.holdings:
        entity = holding.entity
        for command, find in same_everywhere(opened, holding).items():
            for name in (entity.id, entity.slug, entity.name, entity.name.upper()):
                try:
                    found = find(name)
                except AmbiguousName:
                    continue  # it lists what can be meant
                match found:
                    case ValueSubject():  # it has priority
                        found = entity.id
                    case HoldingsSubject(held) if entity.id in {one.entity.id for one in held}:
                        found = entity.id
                    case EntitySubject(id):
                        found = id
                if found != entity.id:
                    wrong.append(f"{command} {name}: {found}")
    assert wrong == []


def test_a_name_means_the_same_to_new_and_replay(opened):
    """Each option chosen at creation by its id, its end and its printed name: `new --with`, and
    `replay --instead`, where what is already so changes nothing."""
    chosen = {
        decision.id: decision.options_by_id[answer]
        for decision in opened.character.asked
        if isinstance(decision, ChooseDecision)
        and isinstance(answer := opened.character.state.answers.get(decision.id), str)
        and answer in decision.options_by_id
        and not decision.level > 1
    }
    kept = dict(opened.character.recorded_answers)
    for spelled in (
        lambda option: option.label,
        lambda option: option.label.upper(),
        lambda option: str(option.id).rpartition("/")[2],
    ):
        lines = [f"{name}={spelled(option)}" for name, option in chosen.items()]
        typed = dict(read_answers_with(None, lines).answers)
        state = opened.character.state
        spec = CharacterSpec(opened.ruleset, "law", "Nix", state.level, answers=kept | typed)
        assert spec.replay().state.answers == state.answers
        if chosen:  # Cinderwell has no such choice
            assert what_if(opened, typed).end == ()


def test_a_letter_left_out_is_answered_with_the_same_name_by_every_command(opened):
    wrong, tried = [], 0
    for holding in opened.character.state.holdings:
        name = holding.entity.name
        for command, find in same_everywhere(opened, holding).items():
            middle = len(name) // 2
            if len(name) < 6 or command == "edit" or not name[middle].isalpha():
                continue
            try:
                find(name[:middle] + name[middle + 1 :])
            except UnknownId as unknown:
                tried += 1
                # A plan only suggests what later levels offer, which this may not be.
                if unknown.nearest not in ((name, "") if command == "plan" else (name,)):
                    wrong.append(f"{command} {name}: {unknown.nearest}")
            except CharforgeError:
                pass  # the beginning of something else
    assert wrong == []
    assert tried


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
                use_named(opened, ability.source, unit_id=unit.id, typed=typed)
            except RefusedAbility as refusal:
                for _label, (source, _option, action), not_taken in refusal.ways:
                    words = TypedInputs({} if "vs" in not_taken else typed.words)
                    try:
                        use_named(opened, source, action, unit_id=unit.id, typed=words)
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
                subject = find_odds(opened, ability.entity.id, ability.key, unit_id=unit.id)
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
            short = TypedText(" ".join(word[:4] for word in option.label.split()))
            if not isinstance(option.id, str) or decision.options_named(short) != [option.id]:
                continue
            if decision.item(str(short)) == option.id:
                continue  # it is a name itself
            assert decision.item(short) == option.id
            assert decision.item(str(short)) != option.id
            tried += 1
    assert tried or len(opened.character.asked) < 12


def test_an_ability_is_found_by_its_entity_and_the_word_of_its_action(opened):
    """The mode of a weapon has a printed range for a name, which another language writes apart."""
    state = opened.character.state
    for unit in state.units:
        for ability in abilities.all_abilities(state, unit.id):
            words = f"{ability.entity.name} {ability.key}"
            try:
                found = find_ability(state, unit.id, words)
            except (AmbiguousName, RefusedAbility):
                continue
            assert (found.entity, found.key) == (ability.entity, ability.key), words


def test_what_to_type_for_one_of_several_weapons_of_a_kind_leads_to_it():
    """Both weapons of this soldier are the same entity, with modes of the same names."""
    two = {"weapon": "weapon/automatic", "weapons": ["weapon/automatic"]}
    spec = CharacterSpec(load("squad-d20"), "4", "Kessler", 1, {}, two)
    state = spec.replay(RandomAnswers("4")).state
    for word, source in ("assault", "weapon"), ("submachine", "weapons.automatic"):
        plain = find_ability(state, CHARACTER, word)
        assert (plain.source, plain.definition.name) == (source, "")
    with pytest.raises(AmbiguousName) as several:
        find_ability(state, CHARACTER, "burst fire")
    found = [
        find_ability(state, CHARACTER, name, action[-1] if action else None)
        for _label, (name, *action) in several.value.ways
    ]
    assert [one.source for one in found] == ["weapon", "weapons.automatic"]
    assert {one.definition.name for one in found} == {"Burst Fire"}


def test_an_action_comes_before_the_others_of_a_system_that_begins_like_it():
    """A Healer with Overflow can also spend it: "patch" still means to patch somebody up."""
    spec = CharacterSpec(load("capital"), "4", "Ada", 1, {}, {"role": "role/the-healer"})
    state = spec.replay(RandomAnswers("4")).state
    overflow = state.ruleset.entities["effect/overflow"]
    state = add_condition(state, CHARACTER, overflow, amount=3)
    assert find_ability(state, CHARACTER, "patch").definition.name == "Patch Up"
