"""Previews of an answer equal the character that really has it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.decisions.base import Answer
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.replay.replay import Character
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.usecases.create import create_character
from charforge.usecases.edit import draft_answer
from charforge.usecases.preview import (
    AnswerTrial,
    best_attack,
    compare_characters,
    key_values,
    loaded_trial,
    preview_purchase,
)
from charforge.verbs import inventory
from charforge.verbs.change import try_change
from tests.samples import law

SEEDS = st.integers(0, 10_000).map(str)


def spec_of(rules: Ruleset, seed: str = "s", level: int = 1, **fixed: Answer) -> CharacterSpec:
    """Return a random character with all its answers."""
    given = {name.replace("_", "."): answer for name, answer in fixed.items()}
    spec = CharacterSpec(rules, seed, "Nix", level, answers=given)
    return replace(spec, answers=spec.replay(RandomAnswers(seed)).answers())


def before(spec: CharacterSpec, decision: str) -> CharacterSpec:
    """Return a character that has answered only what comes before a decision."""
    names = list(spec.answers)
    return replace(
        spec, answers={name: spec.answers[name] for name in names[: names.index(decision)]}
    )


def lines(spec: CharacterSpec, decision: str, answer: Answer) -> tuple[str, ...]:
    """Return the preview of an answer to a decision, in words."""
    found = spec.replay().decision(decision)
    assert found is not None
    return AnswerTrial(spec, found).lines(answer)


def base_values(character: Character) -> dict[tuple[str, str], int]:
    """Return the lasting figure of every value of every unit."""
    state = character.state
    return {
        (unit.id, name): state.values(unit.id).base(name)
        for unit in state.units
        for name in state.values(unit.id).ids()
    }


@law(8, few=5)
@given(seed=SEEDS, data=st.data())
def test_a_preview_is_the_difference_that_the_answer_makes(
    rules: Ruleset, seed: str, data: st.DataObject
) -> None:
    """Each changed value differs in the real character, and no watched value differs unseen."""
    spec = spec_of(rules, seed, data.draw(st.integers(1, min(3, rules.head.advancement.maximum))))
    name = data.draw(st.sampled_from(list(spec.answers)))
    so_far = before(spec, name)
    asked = so_far.replay()
    decision = asked.decision(name)
    assert decision is not None
    answer = spec.answers[name]
    preview = AnswerTrial(so_far, decision).preview(answer)
    real = replace(so_far, answers={**so_far.answers, name: answer}).replay()
    assert preview == compare_characters(asked, real)
    old, now = base_values(asked), base_values(real)
    changed = {key for key in now if old.get(key) != now[key]}
    shown = {(value.unit, value.id) for value in key_values(real.state)}
    if key_values(asked.state):
        labels = {rules.values[value].label for _unit, value in changed & shown}
        listed = {change.label for change in preview.changes}
        assert labels <= listed
    new = [d for d in real.open if asked.decision(d.id) is None]
    opened = [d.in_short() for d in new if not d.rolls_dice]
    assert list(preview.opened) == opened


@law(5, few=2)
@given(seed=SEEDS)
def test_an_answer_that_is_given_already_changes_nothing(rules: Ruleset, seed: str) -> None:
    spec = spec_of(rules, seed)
    character = spec.replay()
    values = key_values(character.state)
    for decision in character.asked:
        answer = spec.answers[decision.id]
        trial = AnswerTrial(spec, decision)
        assert trial.lines(answer, answer) == ()
        assert trial.values(answer) == values


def test_an_attribute_brings_hp_and_attacks_with_it(capital: Ruleset) -> None:
    """The Tank's +1 FTD: Max HP at level 1 is FTD + 18 (book, Roles)."""
    spec = spec_of(capital, "4", role="role/the-tank", role_plus="ftd")
    trial = AnswerTrial(spec, spec.replay().decision("role.plus"))  # type: ignore[arg-type]
    own = [v for v in trial.values() if not v.owner]
    now = {v.label: int(v.text) for v in own if v.part in ("score", "vital")}
    assert trial.lines("ftd")[0].startswith(
        f"FTD {now['FTD']} → {now['FTD'] + 1} · Max HP {now['Max HP']} → {now['Max HP'] + 1}"
    )


def test_the_attack_beside_a_choice_deals_the_most_damage(capital: Ruleset) -> None:
    """A bonus is not added to damage: in other games it is a percentage, or a number of dice."""
    character = spec_of(capital, "36", level=3).replay()
    state = character.state
    weapons = {weapon.name: weapon.attacks[0] for weapon in build(character).weapons}
    spear, pistol = weapons["Simple Spear"], weapons["Pistol"]
    assert (spear.roll, spear.damage, pistol.roll, pistol.damage) == ("+9", "10", "+6", "12")
    attack = best_attack(state, state.units[0])
    assert attack is not None
    assert attack[0] == "Pistol"


def test_a_role_names_the_choices_it_opens_and_the_answers_it_drops(capital: Ruleset) -> None:
    spec = spec_of(capital, "4", role="role/the-tank")
    role = spec.replay().decision("role")
    assert role is not None
    words = "\n".join(AnswerTrial(spec, role).lines("role/the-sentinel", "role/the-tank"))
    assert "You will also choose: Damage type" in words
    start = "\n".join(lines(before(spec, "role"), "role", "role/the-sentinel"))
    assert "+1 CHA or KNW" in start


def test_figures_without_rolls_say_so(capital: Ruleset) -> None:
    """Another Role rolls other dice for HP: nine rolls of level 10 are open again."""
    spec = CharacterSpec(capital, "4", level=10, answers={"role": "role/the-lancer"})
    answers = spec.replay(RandomAnswers("4")).answers()
    known = replace(spec, answers=answers)
    role = known.replay().decision("role")
    assert role is not None
    words = "\n".join(AnswerTrial(known, role).lines("role/the-tank", "role/the-lancer"))
    assert "Without what you will roll: 9 × Roll for HP" in words


def test_a_list_is_tried_before_it_is_complete(capital: Ruleset) -> None:
    spec = spec_of(capital, "4", 2, role="role/the-scout")
    systems = spec.replay().decision("level.2.systems")
    assert systems is not None
    trial = AnswerTrial(replace(spec, answers=before(spec, systems.id).answers), systems)
    assert trial.lines(["system/focus-ii"], [])[0].startswith("Slots used ")


@law(6, few=3)
@given(seed=SEEDS, data=st.data())
def test_a_preview_of_a_purchase_is_what_buying_changes(
    capital: Ruleset, seed: str, data: st.DataObject
) -> None:
    spec = spec_of(capital, seed, money=400)
    loaded = replay_document(create_character(spec), capital)
    priced = [
        entity
        for kind in capital.head.gear.kinds
        for entity in capital.of_kind(kind)
        if entity.price is not None and not entity.choices and entity.alias_of is None
    ]
    entity = data.draw(st.sampled_from(priced))
    purchase = inventory.read_purchase(loaded, entity.id)
    bought = inventory.buy_item(loaded, purchase, {}).after
    assert preview_purchase(loaded, entity) == compare_characters(
        loaded.character, bought.character
    )


@law(6, few=3)
@given(seed=SEEDS, data=st.data())
def test_a_preview_of_an_edit_is_what_editing_changes(
    capital: Ruleset, seed: str, data: st.DataObject
) -> None:
    """Another Role or Special Asset: the same values change as in the character edited for good."""
    loaded = replay_document(create_character(spec_of(capital, seed, 2)), capital)
    decision = loaded.character.decision(data.draw(st.sampled_from(["role", "asset"])))
    assert decision is not None
    options = [option.id for option in decision.options() if option.legal]
    answer = data.draw(st.sampled_from(options))
    former = loaded.document.answers[decision.id]
    edited = try_change(loaded, [draft_answer(loaded, decision, answer)]).character
    assert loaded_trial(loaded, decision).preview(answer, former) == compare_characters(
        loaded.character, edited
    )
