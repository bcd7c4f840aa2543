"""Advice: measures worked by hand, and the best option found by plain enumeration."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character import gear
from charforge.character.state import State
from charforge.decisions.base import MISSING
from charforge.errors import UnknownId, UsageError
from charforge.odds import Chances
from charforge.procedures import abilities
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.loading.loader import load, load_folder
from charforge.rules.models import Measure
from charforge.rules.ruleset import Ruleset
from charforge.usecases.advise import (
    Advice,
    advisable_choices,
    advise_choice,
    advise_purchase,
    find_choice,
    reasons,
)
from charforge.usecases.create import create_character
from charforge.usecases.edit import draft_answer
from charforge.usecases.measures import (
    NEVER,
    Measures,
    character_foe,
    rounds_until,
    typical_foe,
    typical_measures,
)
from charforge.usecases.plan import change_plan
from charforge.usecases.preview import AnswerTrial, compare_characters
from charforge.verbs.change import try_change
from charforge.verbs.inventory import Purchase, buy_item
from charforge.verbs.manual_changes import change_condition
from charforge.verbs.odds import ability_subject, calculate_odds
from charforge.verbs.typed_inputs import TypedInputs
from tests.conftest import TOWER, TOY

WATCH = TOY.with_name("watch")
HALF = Fraction(1, 2)


def character(rules: Ruleset, seed: str = "7", level: int = 1) -> LoadedCharacter:
    """Return a random character."""
    spec = CharacterSpec(rules, seed, "Nix", level)
    return load_document(create_character(spec, RandomAnswers(seed)), Path("nix.json"), rules)


def measures_of(rules: Ruleset, **figures: str) -> Measures:
    """Return the measures of a game against a foe with these figures."""
    assert rules.head.advice is not None
    return Measures(rules, rules.head.advice, typical_foe(rules.head.advice, figures))


def best(measures: Measures, state: State) -> dict[str, Fraction | None]:
    """Return the measures of a character, each of its best attack."""
    return {name: measured.amount for name, measured in measures.amounts(state).items()}


def quick_measures(capital: Ruleset) -> Measures:
    """Return one measure of Capital that is calculated in no time: an Attribute Check."""
    check = Measure.model_validate(
        {"id": "check", "label": "Check", "procedure": "attribute-check",
         "set": {"attribute": "agi", "vs": "5"}, "output": "success"}
    )  # fmt: skip
    spec = capital.head.advice.model_copy(update={"measures": (check,)})
    return Measures(capital, spec, typical_foe(spec, {}))


def of(advice: Advice, measure: str) -> dict[str, Fraction | None]:
    """Return a measure with each option, by its id."""
    return {
        row.id: next(c.after for c in row.measures if c.measure.id == measure)
        for row in advice.options
    }


@pytest.mark.parametrize(
    ("chances", "total", "rounds"),
    [
        # Each round 1 or 2: after a 1 (half of the time) one more round is needed.
        ({1: HALF, 2: HALF}, 2, Fraction(3, 2)),
        # A miss half of the time: on average the second round hits.
        ({3: HALF, 0: HALF}, 3, Fraction(2)),
        # Three hits of 1 at one half each: six rounds.
        ({1: HALF, 0: HALF}, 3, Fraction(6)),
        ({5: Fraction(1)}, 0, Fraction(0)),
        ({0: Fraction(1)}, 4, NEVER),
        ({-2: Fraction(1)}, 4, NEVER),
    ],
)
def test_expected_rounds_until_a_total(chances, total, rounds):
    assert rounds_until(Chances(chances), total) == rounds


@given(st.lists(st.integers(0, 6), min_size=1, max_size=4).filter(any), st.integers(1, 8))
def test_expected_rounds_fulfil_their_equation(results, total):
    """One round more than the average over what the next round leaves: by definition."""
    share = Fraction(1, len(results))
    chances: dict[int | str, Fraction] = {}
    for number in results:
        chances[number] = chances.get(number, Fraction(0)) + share
    expected = [rounds_until(Chances(chances), left) for left in range(total + 1)]
    later = sum(share * expected[max(total - number, 0)] for number in results)
    assert expected[total] == 1 + later


@pytest.mark.slow
def test_the_best_option_is_the_best_of_all_tried_one_by_one(capital):
    """Every other Attribute for the Role's +1 is chosen by an edit, and its odds calculated."""
    nix = character(capital)
    advice = advise_choice(find_choice(nix, "role.plus"), measures_of(capital), "damage")
    expected = {}
    for row in advice.options:
        state = try_change(nix, [draft_answer(nix, nix.character.decision("role.plus"), row.id)])
        after = state.character.state
        best = Fraction(0)
        for ability in abilities.all_abilities(after):
            if ability.attack is not None:
                subject = ability_subject(after, ability)
                result = calculate_odds(subject, TypedInputs({"vs": "5"}), chosen=False)
                dealt = next(o.chances.mean for o in result.cases[0] if o.id == "dealt")
                best = max(best, dealt)
        expected[row.id] = best
    assert expected
    assert of(advice, "damage") == expected
    assert expected[advice.options[0].id] == max(expected.values())


@pytest.mark.slow
def test_kept_calculations_equal_new_ones(capital):
    """What two options have in common is calculated once, and as if it were not."""
    nix = character(capital, "3")
    trial = advisable_choices(nix)[0]
    kept = advise_choice(trial, measures_of(capital))
    for row in kept.options[:2] + kept.options[-2:]:
        state = trial.character([*trial.spec.answers.get(trial.decision.id, ()), row.id]).state
        fresh = best(measures_of(capital), state)
        assert {change.measure.id: change.after for change in row.measures} == fresh, row.label


@pytest.mark.slow
def test_options_that_cannot_change_an_attack_do_not_calculate_it_again(capital, monkeypatch):
    """Once for the foe's and each attack; again only for Cautious, Patience and more hit points."""
    nix = character(capital)
    calls = []

    def counted(*arguments, **options):
        calls.append(arguments)
        return calculate_odds(*arguments, **options)

    monkeypatch.setattr("charforge.usecases.measures.calculate_odds", counted)
    advice = advise_choice(advisable_choices(nix)[0], measures_of(capital))
    attacks = [a for a in abilities.all_abilities(nix.character.state) if a.attack is not None]
    assert len(advice.options) > 15
    assert len(calls) == 4 * len(attacks) + 1


MEASURED = """
advice:
  measures:
    - {id: safe, label: Safe, procedure: brace, output: safe}
    - {id: firm, label: Firm, procedure: fall, output: firm}
    - {id: hale, label: Hale, procedure: breathe, output: hale}
    - id: none
      label: None
      procedure: breathe
      output: hale
      figures: {air: floor(1 / (2 - brawn_mod))}
"""
PAGE = """\
procedures:
  - id: brace
    label: Brace
    source: feat/parry
    steps: [{do: let, id: safe, to: worn('tag:shield')}]
    outputs: [{id: safe, label: Safe}]
  - id: fall
    label: Fall
    source: feat/parry
    steps:
      - {do: change, value: life, by: -3}
      - {do: look_up, id: firm, value: guard}
    outputs: [{id: firm, label: Firm}]
  - id: breathe
    label: Breathe
    source: feat/parry
    inputs: [{id: air, label: Air, default: 0}]
    steps: [{do: look_up, id: hale, value: max_spells}]
    outputs: [{id: hale, label: Hale}]
entities:
  - {id: vow/blood, name: Blood, source: Vows, modifies: [{value: guard, amount: life - max_life}]}
  - id: vow/bulk
    name: Bulk
    source: Vows
    modifies: [{value: max_spells, of: {kind: armour, where: bulk <= bearer.brawn_mod}, amount: 1}]
"""


def test_what_is_kept_depends_on_what_is_worn_and_on_what_changes_meanwhile(tmp_path):
    """Blood lowers Guard by lost life: by 0 at first, and by 3 after a fall."""
    folder = Path(shutil.copytree(TOWER, tmp_path / "tower"))
    with (folder / "ruleset.yaml").open("a", encoding="utf-8") as file:
        file.write(MEASURED)
    (folder / "more.yaml").write_text(PAGE, encoding="utf-8")
    rules = load_folder(folder)
    measures = typical_measures(rules)

    def climber(*vows: str, brawn: int = 15) -> State:
        answers = {
            "scores": {"brawn": brawn, "grace": 23 - brawn},
            "purse": [[5] * 5],
            "vows": list(vows),
            "calling": "calling/fighter",
        }
        return CharacterSpec(rules, "7", "Ama", answers=answers).replay().state

    bare, bloody = climber(), climber("vow/blood")
    shielded = gear.wear(bare, next(h for h in bare.holdings if h.entity.id == "armour/shield"))
    assert [measures.amounts(state)["safe"].amount for state in (bare, shielded)] == [0, 1]
    assert [state.values().total("guard") for state in (bare, bloody)] == [16, 16]
    assert [measures.amounts(state)["firm"].amount for state in (bare, bloody)] == [16, 13]
    strong, weak = climber("vow/bulk"), climber("vow/bulk", brawn=8)
    assert [measures.amounts(state)["hale"].amount for state in (strong, weak)] == [2, 0]
    assert [measures.amounts(state)["none"].amount for state in (strong, weak)] == [None, 0]


ARCHERS = """
advice:
  measures:
    - {id: best, label: Best, set: {hit: wits, damage: "3"}, output: landed}
    - {id: bare, label: Bare, procedure: blow, set: {hit: wits, damage: "3"}, output: landed}
"""


def test_the_rule_of_attacks_by_itself_is_not_one_of_the_attacks(tmp_path):
    """Archers add 2 to the roll of a bow, 2d6 + 1 >= 7; nothing to the rule without a bow."""
    folder = Path(shutil.copytree(WATCH, tmp_path / "watch"))
    with (folder / "ruleset.yaml").open("a", encoding="utf-8") as file:
        file.write(ARCHERS)
    things = folder / "things.yaml"
    text = things.read_text(encoding="utf-8")
    things.write_text(text.replace("of: {tags: {any: [bow]}}, amount: 2", "amount: 2"))
    rules = load_folder(folder)
    answers = {"brawn": 1, "pocket": 1, "locker": 1, "kit.own.score": "wits"}
    state = CharacterSpec(rules, "1", "Hob", answers=answers).replay().state
    found = best(typical_measures(rules), state)
    assert found == {"best": Fraction(33, 36), "bare": Fraction(26, 36)}


def test_an_option_that_changes_no_number_says_so_and_comes_last(capital):
    advice = advise_choice(advisable_choices(character(capital))[0], quick_measures(capital))
    last = advice.options[-1]
    assert not last.is_measurable
    assert list(reasons(last))[-1] == "Changes no number."
    assert advice.closed > 0


@pytest.mark.slow
def test_what_is_planned_for_a_choice_takes_no_room_from_its_options(capital):
    nix = character(capital)
    planned = change_plan(nix, {"level.2.systems": ["system/charge"]})
    ids = [
        {row.id for row in advise_choice(advisable_choices(c)[0], quick_measures(capital)).options}
        for c in (nix, planned)
    ]
    assert ids[0] == ids[1] >= {"system/charge", "system/healthy"}


def test_levels_without_a_choice_are_passed_over(capital):
    """At level 6 nothing is left to choose before level 8 fills two more Slots."""
    (trial,) = advisable_choices(character(capital, level=6))
    assert trial.decision.id == "level.8.systems"
    assert advisable_choices(character(capital, level=10)) == ()


@pytest.mark.parametrize(
    ("vehicle", "headings"),
    [
        ("bike", ["Level 4: Which Systems do you choose?"]),
        (
            "mechsuit",
            [
                "Level 4: Which Systems do you choose?",
                "Level 2: Mechsuit: Which Systems does the Vehicle get?",
                "Level 4: Mechsuit: Which Systems does the Vehicle get?",
            ],
        ),
    ],
)
def test_choices_of_a_vehicle_never_hide_those_of_its_owner(capital, vehicle, headings):
    """A Bike has a Slot left but no System for it; a Mechsuit has new options every second level.

    The Slots of a vehicle do not change at level 3, nor do its options.
    """
    spec = CharacterSpec(capital, "2", "Bi", 2, {}, {"asset": f"vehicle/{vehicle}"})
    document = create_character(spec, RandomAnswers("2"))
    opened = load_document(document, Path("bi.json"), capital)
    trials = advisable_choices(opened)
    assert [trial.decision.full_title() for trial in trials] == headings
    for to in (3, 4):
        choices = advisable_choices(opened, to)
        asked = [(c.decision.id, c.decision.options()) for c in choices]
        assert len({name for name, _options in asked}) == len(asked)
        assert all(any(option.legal for option in options) for _name, options in asked)
    unlisted = find_choice(opened, "asset.vehicle.level.3.systems", 3)
    assert unlisted.decision.full_title().startswith(f"Level 3: {vehicle.title()}: Which Systems")


def test_numbers_without_rolled_or_assigned_scores_say_so(capital):
    """The first choice of a new character is made before its Attributes have numbers."""
    warning = "The numbers leave out what you have not rolled or assigned yet."
    spec = CharacterSpec(capital, "7")
    role = spec.replay().decision("role")
    assert warning in advise_choice(AnswerTrial(spec, role), quick_measures(capital)).compared
    made = find_choice(character(capital), "role")
    assert warning not in advise_choice(made, quick_measures(capital)).compared


def test_advice_on_scores_agrees_with_the_scores_that_the_wizard_recommends(capital):
    made = find_choice(character(capital), "attributes.assign")
    fields = made.decision.widget(MISSING, RandomAnswers("7")).fields
    best = {field.id for field in fields if field.recommended}
    assert best
    rows = advise_choice(made, quick_measures(capital)).options
    start = made.spec.answers["attributes.assign"]
    against = []
    for row in rows:
        changed = [row.answer[name] - start[name] for name in best]
        raised, lowered = max(changed) > 0, min(changed) < 0
        assert bool(row.recommended) == (raised and not lowered), row.label
        assert bool(row.against) == (lowered and not raised), row.label
        assert not row.against or next(reasons(row)).startswith("Lowers ")
        against.append(bool(row.against))
    assert any(against) and against == sorted(against), "what is recommended against comes last"
    by_check = advise_choice(made, quick_measures(capital), "check").options
    gains = [next(c.gain for c in r.measures if c.measure.id == "check") for r in by_check]
    assert gains == sorted(gains, reverse=True)


def test_options_can_be_ranked_by_any_value():
    rules = load("narrative-dice")
    trial = find_choice(character(rules), "abilities")
    advice = advise_choice(trial, measures_of(rules), "max_stamina")
    gains = [row.value_gain for row in advice.options]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 0


def test_an_unknown_measure_or_figure_has_the_nearest_name(capital):
    with pytest.raises(UnknownId) as unknown:
        advise_choice(advisable_choices(character(capital))[0], measures_of(capital), "damge")
    assert unknown.value.nearest == "damage"
    with pytest.raises(UnknownId) as unknown:
        measures_of(capital, defence="5")
    assert unknown.value.nearest == "defense"


def test_a_foe_can_be_a_character_with_its_own_scores_and_attacks(capital):
    nix, other = character(capital), character(capital, "11", 4)
    spec = capital.head.advice
    foe = character_foe(spec, other.character.state, "Vex")
    values = other.character.state.values()
    assert foe.figures["defense"] == str(values.now("agi"))
    measures = Measures(capital, spec, foe)
    # Its best Attack against Nix's own score for that Attack's Defense Attribute.
    means = []
    for ability in abilities.all_abilities(other.character.state):
        if ability.attack is not None:
            own = nix.character.state.values().now(ability.attack.defence)
            subject = ability_subject(other.character.state, ability)
            result = calculate_odds(subject, TypedInputs({"vs": str(own)}), chosen=False)
            dealt = next(o.chances for o in result.cases[0] if o.id == "dealt")
            means.append(rounds_until(dealt, nix.character.state.values().base("max_hp")))
    assert measures.amounts(nix.character.state)["survival"].amount == min(means)


@pytest.mark.slow
def test_attacks_on_a_prone_foe_have_the_odds_of_attacks_on_a_prone_target(capital):
    """Prone takes 4 from AGI, and adds 2 to each Defense Roll."""
    nix, other = character(capital), character(capital, "11", 4)
    prone = change_condition(other, "prone").after.character.state
    measures = Measures(capital, capital.head.advice, character_foe(capital.head.advice, prone, ""))
    hit = measures.amounts(nix.character.state)["hit"].attacks
    assert hit
    for ability in abilities.all_abilities(nix.character.state):
        if ability.attack is not None:
            score = prone.values().now(ability.attack.defence)
            words = TypedInputs({"vs": str(score), "target_prone": "1"})
            result = calculate_odds(ability_subject(nix.character.state, ability), words)
            chances = next(o.chances for o in result.cases[0] if o.id == "hits")
            assert hit[ability.name] == chances.mean


def test_the_foe_is_described_without_what_it_is_not(capital):
    assert "Prone" not in measures_of(capital).foe_text()
    told = "Prone (+2 to its Defense Rolls; its −4 to AGI is already in the Defense Attribute)."
    for typed in ("1", "yes"):
        assert measures_of(capital, prone=typed).foe_text().endswith(told)
    with pytest.raises(UsageError, match="is not yes or no"):
        measures_of(capital, prone="7")


@pytest.mark.slow
def test_gear_that_is_too_dear_is_counted_but_not_compared(capital):
    nix = character(capital)
    all_gear = advise_purchase(nix, quick_measures(capital), "money").options
    dearest = all_gear[-1]  # costs most
    poorer = buy_item(nix, Purchase(capital.entities[dearest.id], quantity=2)).after
    money = poorer.character.state.values().base("money")
    affordable = {row.id for row in all_gear if int(row.cost.split()[0]) <= money}
    advice = advise_purchase(poorer, quick_measures(capital))
    assert {row.id for row in advice.options} == affordable
    assert advice.closed == len(all_gear) - len(affordable) > 0


@pytest.mark.parametrize(
    ("game", "choice", "measures"),
    [
        ("narrative-dice", "abilities", measures_of),
        pytest.param("capital", "attributes.assign", quick_measures, marks=pytest.mark.slow),
    ],
)
def test_scores_and_points_are_compared_as_if_each_was_chosen_by_an_edit(game, choice, measures):
    """The measures of each step are those of the character after an edit with its answer."""
    rules = load(game)
    nix = character(rules)
    decision = nix.character.decision(choice)
    advice = advise_choice(find_choice(nix, choice), measures(rules))
    assert len(advice.options) > 10
    assert advice.compared.startswith("Compared: ")
    for row in advice.options[:2] + advice.options[-2:]:
        after = try_change(nix, [draft_answer(nix, decision, row.answer)]).character
        fresh = best(measures(rules), after.state)
        assert {change.measure.id: change.after for change in row.measures} == fresh, row.label
        lines = list(row.preview.lines())
        assert lines == list(compare_characters(nix.character, after).lines())
    ranks = [(not row.against, row.measures[0].gain) for row in advice.options]
    assert ranks == sorted(ranks, reverse=True)


def test_points_still_to_spend_are_compared_with_their_cost():
    """A draft with 2 of 4 points spent: what one more point for each ability changes."""
    rules = load("narrative-dice")
    nix = character(rules)
    decision = nix.character.decision("abilities")
    spent = dict.fromkeys(decision.targets(), 0) | {"brawn": 2}
    trial = find_choice(nix, "abilities")
    advice = advise_choice(trial, measures_of(rules), "max_stamina", answer=spent)
    assert "with 2 of 4 points left" in advice.compared
    best = advice.options[0]
    assert (best.id, best.cost) == ("vitality=1", "1 point")
    assert {row.id for row in advice.options} == {
        f"{name}=1" for name in decision.targets() if name != "brawn"
    }


def test_a_choice_with_nothing_to_compare_is_refused(capital):
    with pytest.raises(UsageError, match="has nothing to compare"):
        find_choice(character(capital), "attributes.roll")


@pytest.mark.parametrize(
    ("game", "choice"),
    [("squad-d20", "weapon"), ("shields-biotics", "heavy-armor"), ("phase-2d10", "weapons")],
)
def test_other_games_measure_what_their_rules_have(game, choice):
    rules = load(game)
    measures = measures_of(rules)
    nix = character(rules)
    advice = advise_choice(find_choice(nix, choice), measures)
    assert advice.options
    first = measures.spec.measures[0]
    assert measures.amounts(nix.character.state)[first.id].amount is not None
