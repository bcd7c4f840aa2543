"""Laws of the advice: it says what ``odds`` says, and what it calls without a number has none.

A Role is tried, and every sixth option of it, and every choice of another game; with ``--long``
all of them.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.events import ConditionEvent, ResourceEvent
from charforge.character.state import CHARACTER, State
from charforge.export import show_json
from charforge.procedures import abilities
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.replay.replay import Character
from charforge.rules.loading.loader import built_in, load
from charforge.sheet.build import build
from charforge.usecases.advise import (
    Advice,
    Advised,
    advisable_choices,
    advise_choice,
    by_timing,
    digest,
    find_choice,
    read_assumption,
    reasons,
)
from charforge.usecases.create import create_character
from charforge.usecases.measures import Measures, typical_foe, typical_measures
from charforge.usecases.preview import AnswerTrial
from charforge.verbs import manual_changes
from charforge.verbs.change import change_character, draft_event
from charforge.verbs.odds import calculate_odds, find_odds_subject, rule_subject
from charforge.verbs.resolve import unknown_unit
from charforge.verbs.typed_inputs import TypedInputs
from tests.samples import LONG, few

ROLES = ["lancer", "scout", "healer", "tank", "sentinel", "captain"]


@cache
def character(role: str, level: int = 1) -> LoadedCharacter:
    """Return a character of Capital with a Role, everything else at random."""
    spec = CharacterSpec(load("capital"), role, "Nix", level, {}, {"role": f"role/the-{role}"})
    return load_document(create_character(spec, RandomAnswers(role)), Path("nix.json"))


@cache
def advised(role: str) -> tuple[AnswerTrial, Advice]:
    """Return the advice for the next level of a character."""
    opened = character(role)
    measures = typical_measures(opened.ruleset)
    trial = advisable_choices(opened)[0]
    return trial, advise_choice(trial, measures)


def odds_of_attacks(opened: LoadedCharacter) -> dict[str, dict[str, Fraction]]:
    """Return what ``odds FILE ATTACK --vs 5`` says of each attack: its hits and its damage."""
    found = {}
    for ability in abilities.all_abilities(opened.character.state):
        if ability.attack is not None:
            weapon, _colon, mode = ability.name.partition(": ")
            subject = find_odds_subject(opened, weapon, mode or None)
            result = calculate_odds(subject, TypedInputs({"vs": "5"}))
            means = {outcome.id: outcome.chances.mean for outcome in result.cases[0]}
            found[ability.name] = {"hit": means["hits"], "damage": means["dealt"]}
    return found


def with_option(opened: LoadedCharacter, trial: AnswerTrial, row: Advised) -> LoadedCharacter:
    return LoadedCharacter(opened.document, opened.ruleset, trial.character(row.answer))


def expected_attacks(state: State) -> float:
    """Return how many attacks of the foe it takes until no HP are left, by ``odds`` of a rule.

    Convolved blow by blow: the sum of the chances that HP are left after so many of them.
    """
    rule = state.ruleset.procedure("attack")
    agility = state.values().total("agi")
    words = {"fixed": "5", "damage": "2d6", "vs": str(agility)}
    result = calculate_odds(
        rule_subject(unknown_unit(state.ruleset, rule), rule, CHARACTER), TypedInputs(words)
    )
    [dealt] = [outcome.chances.numbers for outcome in result.cases[0] if outcome.id == "dealt"]
    left, attacks = {state.values().total("max_hp"): 1.0}, 0.0
    while sum(left.values()) > 1e-12:
        attacks += sum(left.values())
        after: dict[int, float] = {}
        for hp, chance in left.items():
            for damage, share in dealt.items():
                if damage < hp:
                    after[hp - damage] = after.get(hp - damage, 0) + chance * float(share)
        left = after
    return attacks


@pytest.mark.parametrize("role", few(ROLES, 0, slow=1))
def test_the_attacks_until_0_hp_are_those_of_odds(role):
    trial, advice = advised(role)
    for row in [*advice.options][:4]:
        [survival] = [change for change in row.measures if change.measure.id == "survival"]
        for amount, character in (
            (survival.before, trial.present),
            (survival.after, trial.character(row.answer)),
        ):
            assert float(amount) == pytest.approx(expected_attacks(character.state)), row.label


@pytest.mark.parametrize("conditions", few([("prone", "grappled"), ("prone",), ()], 1))
def test_a_foe_hits_as_often_as_odds_say_of_the_defense_roll(capital, conditions):
    """Prone takes 4 from AGI, and adds 2 to the Defense Roll."""
    opened = character("lancer")
    for condition in conditions:
        opened = manual_changes.change_condition(opened, condition).after
    state = opened.character.state
    words = TypedInputs({"attribute": "agi", "vs": "5"})
    result = calculate_odds(find_odds_subject(opened, "defense roll"), words, chosen=False)
    [hit] = [outcome.chances.mean for outcome in result.cases[0] if outcome.id == "is_hit"]
    faces = [sum(dice) for dice in product(range(1, 7), repeat=2)]
    blow = {0: 1 - hit} | {
        damage: hit * Fraction(number, 36) for damage, number in Counter(faces).items()
    }
    expected = [Fraction(0)]
    for left in range(1, state.values().base("max_hp") + 1):
        later = sum(chance * expected[max(left - n, 0)] for n, chance in blow.items() if n)
        expected.append((1 + later) / (1 - blow[0]))
    assert typical_measures(capital).amounts(state)["survival"].amount == expected[-1]


CHOICES = [game for game in sorted(built_in()) if game != "capital"]


@pytest.mark.parametrize("game", few(CHOICES[::-1], 0, slow=1))
def test_what_was_calculated_before_is_never_that_of_another_option(game):
    """Each amount is the same when it is calculated for that option alone."""
    ruleset = load(game)
    spec = CharacterSpec(ruleset, game, "Nix", min(2, ruleset.head.advancement.maximum))
    opened = load_document(create_character(spec, RandomAnswers(game)), Path("nix.json"))
    shared, tried = typical_measures(ruleset), 0
    for decision in opened.character.asked:
        if not decision.is_comparable or decision.question.dice_roll:
            continue
        trial = find_choice(opened, decision.id)
        advice = advise_choice(trial, shared)
        for row in advice.options[: 3 if LONG else 2]:
            alone = typical_measures(ruleset).amounts(
                trial.character(row.answer).state, trial.decision.unit
            )
            for change in row.measures:
                assert change.after == alone[change.measure.id].amount, (decision.id, row.label)
                tried += 1
    assert tried


@pytest.mark.parametrize("role", few(ROLES, 0, slow=1))
def test_chances_and_damage_of_every_option_are_those_of_odds(role):
    opened = character(role)
    trial, advice = advised(role)
    before = odds_of_attacks(LoadedCharacter(opened.document, opened.ruleset, trial.present))
    assert len(advice.options) > 10
    for row in advice.options[:: 1 if LONG else 6]:
        after = odds_of_attacks(with_option(opened, trial, row))
        for change in row.measures:
            name = change.measure.id
            if name in ("hit", "damage"):
                assert change.before == max(one[name] for one in before.values())
                assert change.after == max(one[name] for one in after.values()), row.label
        listed = {(change.attack, change.measure.id): change.after for change in row.attacks}
        for attack, found in before.items():
            for name in ("hit", "damage"):
                changed = found[name] != after[attack][name]
                assert listed.get((attack, name)) == (after[attack][name] if changed else None)


UNDER_PRESSURE = "system/power-under-pressure"
SCORE_UNDER_PRESSURE = "level.2.systems.power-under-pressure.attribute"


@pytest.mark.slow
def test_advice_for_a_hurt_character_has_the_figures_of_odds():
    """Power Under Pressure raises a score with the missing HP, in odds and in advice."""
    answers = {"role": "role/the-tank", "level.2.systems": [UNDER_PRESSURE]}
    answers |= {SCORE_UNDER_PRESSURE: "str"}
    spec = CharacterSpec(load("capital"), "2", "Nix", 3, {}, answers)
    made = load_document(create_character(spec, RandomAnswers("2")), Path("nix.json"))
    change = draft_event(ResourceEvent, value="hp", by=-25)
    hurt = change_character(made, change)
    odds, unhurt = odds_of_attacks(hurt), odds_of_attacks(made)
    assert odds != unhurt
    choices = [find_choice(hurt, one) for one in ("level.2.systems", SCORE_UNDER_PRESSURE)]
    for trial in (*choices, advisable_choices(hurt)[0]):
        measured = typical_measures(hurt.ruleset).amounts(trial.present.state)
        for name in ("hit", "damage"):
            assert measured[name].attacks == {attack: means[name] for attack, means in odds.items()}


@pytest.mark.slow
def test_advice_and_odds_name_the_same_circumstances_that_they_count():
    """Missing HP and an earlier Attack change the odds; Prone only changes those of the foe."""
    answers = {"role": "role/the-tank", "level.2.systems": [UNDER_PRESSURE]}
    answers |= {SCORE_UNDER_PRESSURE: "str"}
    spec = CharacterSpec(load("capital"), "2", "Nix", 3, {}, answers)
    made = load_document(create_character(spec, RandomAnswers("2")), Path("nix.json"))
    played = change_character(
        made,
        draft_event(ResourceEvent, value="hp", by=-25),
        draft_event(ConditionEvent, condition="effect/attack-counter", amount=1),
        draft_event(ConditionEvent, condition="status/prone", amount=1),
    )
    hp = f"HP {played.character.state.values().base('hp')}"
    for opened, by_odds, by_advice in (
        (made, set(), ()),
        (played, {hp, "Attack Counter 1"}, ("Attack Counter 1", "Prone", hp)),
    ):
        subject = find_odds_subject(opened, "unarmed")
        typed = TypedInputs({"vs": "5", "hit": "str"})
        result = calculate_odds(subject, typed, name_counted=True)
        trial = find_choice(opened, SCORE_UNDER_PRESSURE)
        advice = advise_choice(trial, typical_measures(opened.ruleset))
        assert set(result.counted) == by_odds
        assert advice.counted == by_advice
        assert by_odds <= set(advice.counted)


PAID = ("slots", "slots_used")  # what pays for an option; its cost stands beside it


def figures(character: Character) -> list[Any]:
    """Return the numbers of a sheet, and of ``show --json``, without what options cost."""
    view = build(character)
    found: list[Any] = [
        *view.attributes,
        *view.vitals,
        *(fact for fact in (*view.figures, *view.stores, *view.combat) if fact.value not in PAID),
        *view.pools,
    ]
    for sheet in (view, *view.units):
        found += [(w.name, a.range, a.roll, a.damage) for w in sheet.weapons for a in w.attacks]
    for unit in view.units:
        found += [*unit.attributes, *unit.vitals, *unit.combat]
    values = show_json.character(character, ()).values
    found += [(n, v.base, v.total) for n, v in values.items() if n not in PAID]
    return found


@pytest.mark.parametrize("role", few(ROLES, 0, slow=1))
def test_an_option_that_changes_no_number_changes_none_on_the_sheet_and_in_json(role):
    trial, advice = advised(role)
    unchanged = [row for row in advice.options if not row.is_measurable]
    assert unchanged
    before = figures(trial.character([*trial.spec.answers.get(trial.decision.id, ())]))
    for row in unchanged:
        assert figures(trial.character(row.answer)) == before, row.label
        text = "Its numbers depend on that choice." if row.is_open else "Changes no number."
        assert list(reasons(row))[-1] == text
    assert UNDER_PRESSURE in {row.id for row in unchanged if row.is_open}


@pytest.mark.slow
def test_what_changes_no_number_is_listed_with_what_it_does_by_its_timing(capital):
    _trial, advice = advised("lancer")
    rows = [row for row in advice.options if not row.is_measurable]
    groups = by_timing(rows, capital)
    assert [label for label, _rows in groups][:2] == ["Action", "Instant"]
    assert sum(len(group) for _label, group in groups) == len(rows)
    assert all(digest(row, capital) for row in rows)
    assert rows == sorted(rows, key=lambda row: not row.recommended)


@pytest.mark.slow
def test_other_figures_of_the_sheet_are_changes_too():
    """Quick makes the Move longer; Try That Again II raises every Aim from 1 to 2."""
    _trial, advice = advised("lancer")
    changed = {row.label: "\n".join(reasons(row)).replace("\u00a0", " ") for row in advice.options}
    assert "Move 10 m → 1d6 + 10 m" in changed["Quick"]
    assert "Aim 1 → 2" in changed["Try That Again II"]


@pytest.mark.slow
def test_options_are_compared_with_a_condition(capital):
    """Focus makes each Attack of the foe hit less often, before and with each option."""
    opened, spec = character("lancer"), capital.head.advice
    assert spec is not None
    of_the_foe = tuple(measure for measure in spec.measures if measure.attacker == "foe")
    spec = spec.model_copy(update={"measures": of_the_foe})
    measures, trial = Measures(capital, spec, typical_foe(spec)), advisable_choices(opened)[0]
    focus = read_assumption(opened, "effect/focus")
    plain, focused = (
        {change.measure.id: change.before for change in advice.options[0].measures}
        for advice in (
            advise_choice(trial, measures),
            advise_choice(trial, measures, assumed=[focus]),
        )
    )
    assert focused["survival"] > plain["survival"]
    assert str(focus) == "Focus"
    assert str(read_assumption(opened, "hp=5")) == "HP 5"


def test_dice_to_drop_are_compared_by_the_scores_that_are_left():
    """Ten dice, two of them dropped: the other eight are scores of 4 to 6."""
    opened = character("tank")
    advice = advise_choice(
        find_choice(opened, "attributes.discard"), typical_measures(opened.ruleset)
    )
    totals = [sum(row.scores) for row in advice.options]
    assert totals == sorted(totals, reverse=True)
    dice = sorted(opened.character.state.answers["attributes.roll"][-1:][0]
                  if isinstance(opened.character.state.answers["attributes.roll"][0], list)
                  else opened.character.state.answers["attributes.roll"])  # fmt: skip
    table = {1: 4, 2: 4, 3: 5, 4: 5, 5: 6, 6: 6}
    assert totals[0] == sum(sorted(table[face] for face in dice)[2:])
    assert {len(row.scores) for row in advice.options} == {8}
