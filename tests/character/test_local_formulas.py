"""Custom items: their choices in their own formulas, texts and attacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.character.files.events import AnswerEvent
from charforge.character.holdings import fill_attack, local_numbers
from charforge.character.modifiers import local_formulas
from charforge.errors import ProcedureError
from charforge.expressions.formula import Formula
from charforge.expressions.template import parse_figure
from charforge.procedures import abilities
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.ruleset import Ruleset
from charforge.verbs import change, play, resolve
from charforge.verbs.typed_inputs import TypedInputs

Smith = Callable[..., LoadedCharacter]
Reforged = Callable[..., Ruleset]
THINGS = "things.yaml"


def named(opened: LoadedCharacter) -> dict[str, str]:
    return {holding.id: holding.name for holding in opened.character.state.holdings}


def test_each_of_several_has_its_own_id_its_own_choices_and_its_own_name(smith: Smith) -> None:
    opened = smith()
    assert named(opened) == {
        "skills.own": "Riveting",
        "skills.own#2": "Bellows",
        "tools.own": "Maul",
    }
    asked = [decision.id for decision in opened.character.asked]
    assert [name for name in asked if name.startswith("skills.own#2")] == [
        "skills.own#2.name",
        "skills.own#2.attribute",
        "skills.own#2.rank",
    ]


def test_a_title_is_one_line_and_an_empty_one_is_none(smith: Smith, reforged: Reforged) -> None:
    assert named(smith(skills__own__name=" Hot\n rivets "))["skills.own"] == "Hot rivets"
    line = "{id: name, do: write, label: What is it called?, longest: 40, examples: [Maul]}"
    rules = reforged((THINGS, line, line.replace("longest", "optional: true, longest")))
    assert named(smith(rules, tools__own__name=""))["tools.own"] == "A hammer of your own"


def test_own_numbers_are_what_was_entered_rolled_or_the_figure_of_what_was_chosen(
    smith: Smith,
) -> None:
    changes = {"skills": ["skill/own", "skill/taught"], "skills__taught__attribute": "grace"}
    gone = {f"skills__own_2__{name}": None for name in ("name", "attribute", "rank")}
    opened = smith(**changes, skills__taught__rank=[3], **gone)
    state = opened.character.state
    held = {holding.id: holding for holding in state.holdings}
    # Riveting: BRN 3 and rank 5; a die of 2 × 5 + 2 sides.
    assert local_numbers(state, held["skills.own"]) == {
        "attribute": 3,
        "rank": 5,
        "av": 8,
        "die": 12,
    }
    # Taught: GRC 1, and a 3 on its die.
    assert local_numbers(state, held["skills.taught"]) == {"attribute": 1, "rank": 3, "av": 4}
    assert local_formulas(state, None) == {}


def test_bounds_of_a_choice_read_those_before_it(smith: Smith) -> None:
    found = smith().character.decision("skills.own#2.rank")
    assert found is not None
    # WIT 2, and up to 2 more.
    assert found.bounds() == (1, 4, None)


def test_a_change_reads_its_own_bearer_and_says_so(smith: Smith) -> None:
    values = smith(skills__own_2__rank=3).character.state.values()
    steps = [step for step in values.explain("guard").steps if step.source == "skill/own"]
    # Riveting has rank 5, Bellows 3: both are above 2, and each adds its own.
    assert [(step.op, step.amount) for step in steps] == [("add", 3), ("add", 5)]
    # 5 and 2 of the rules and the player, 8 of the skills.
    assert values.total("guard") == 15


@given(rank=st.integers(1, 5), other=st.integers(1, 4))
def test_what_each_adds_is_its_own_and_the_same_after_replay(
    smith: Smith, rank: int, other: int
) -> None:
    opened = smith(skills__own__rank=rank, skills__own_2__rank=other)
    wanted = 7 + sum(number for number in (rank, other) if number > 2)
    assert opened.character.state.values().total("guard") == wanted
    again = replay_document(opened.document, opened.ruleset)
    assert again.character.state.values().total("guard") == wanted


def test_an_attack_says_what_its_bearer_s_choices_took(smith: Smith) -> None:
    state = smith().character.state
    hammer = next(held for held in state.holdings if held.id == "tools.own")
    attack = fill_attack(state, hammer, "character", hammer.entity.attacks[0])
    assert (attack.hit, attack.range) == ("brawn", "2 m")
    assert state.values().evaluate_now(attack.bonus) == 1


def test_its_damage_reads_them_also_where_its_range_and_its_score_do_not(
    smith: Smith, reforged: Reforged
) -> None:
    """The damage of the hammer is 4, and BRN 3 is added; it rings with 2."""
    rules = reforged((THINGS, '{range: "{$reach}", hit: $score,', "{range: Melee, hit: brawn,"))
    state = smith(rules).character.state
    hammer = next(held for held in state.holdings if held.id == "tools.own")
    attack = fill_attack(state, hammer, "character", hammer.entity.attacks[0])
    amounts = [parse_figure(str(amount)).formula for amount in (attack.damage, attack.shots)]
    assert [state.values().evaluate_now(amount) for amount in amounts] == [4 + 3, 2]


def test_an_attack_is_rolled_with_them(smith: Smith) -> None:
    said = TypedInputs({"vs": "9"}, {"own": (6,), "dealt": (5,)})
    done = play.use_named(smith(), "maul", typed=said)
    # 6 + BRN 3 + 1 against 9 is 1 above it; 5 and 4 and BRN 3 are 12, twice 24.
    assert done.outputs == {"margin": 1, "dealt": 24}
    assert done.steps[0].text == "Maul"


def test_a_number_may_be_the_score_to_hit_with(smith: Smith) -> None:
    opened = smith(tools=["tool/own", "tool/anvil"], tools__anvil__weight=[6])
    # The anvil's die shows 6, and BRN 3 is added: it weighs 9 and hits with 9.
    assert opened.character.state.values().total("max_heat") == 6 + 4 + 9
    done = play.use_named(opened, "anvil", typed=TypedInputs({"vs": "10"}, {"own": (1,)}))
    assert done.outputs == {"margin": 0, "dealt": 9}


def test_what_an_action_costs_and_does_reads_them_too(smith: Smith) -> None:
    done = play.use_named(smith(), "maul", "ring")
    # Heat 3 + BRN 3 + 4 = 10; the hammer rings with 2: as its price, and by what it does.
    assert [step.text for step in done.steps] == ["Maul: Ring", "Heat −2 → 8", "Heat −2 → 6"]


def test_another_answer_makes_another_thing_of_it(smith: Smith) -> None:
    opened = smith()
    for name, answer in (("tools.own.name", "Tapper"), ("tools.own.score", "wits")):
        opened = change.change_character(
            opened, change.draft_event(AnswerEvent, decision=name, answer=answer)
        )
    ability = next(
        one for one in abilities.all_abilities(opened.character.state) if one.attack is not None
    )
    assert ability.name == "Tapper"
    hammer = ability.holding
    assert local_formulas(opened.character.state, hammer)["score"].text == "wits"


def test_what_was_taken_anew_from_here_on_has_its_new_name(smith: Smith) -> None:
    event = change.draft_event(AnswerEvent, decision="skills.own.name", answer="Welding", now=True)
    after = change.change_character(smith(), event)
    assert named(after)["skills.own"] == "Welding"
    assert after.character.legal


# ------------------------------------------------------------------------ items as inputs


def crafted(opened: LoadedCharacter | None, rules: Ruleset, **words: str) -> Any:
    return resolve.resolve_procedure(
        rules, "craft", TypedInputs(words, {"own": (4,)}), "s", opened
    ).result


@pytest.mark.parametrize("name", ["Riveting", "riveting", "skills.own", "rivet"])
def test_a_procedure_reads_the_numbers_of_the_item_it_is_told(
    smith: Smith, smithy: Ruleset, name: str
) -> None:
    run = crafted(smith(), smithy, skill=name)
    assert run.inputs["skill"] == "skills.own"
    # AV 8.
    assert run.outputs == {"total": 12, "made": 1}
    assert run.steps[1].text == "Riveting: 4 + 8 = 12"


def test_an_item_is_passed_on_to_another_procedure(smith: Smith, smithy: Ruleset) -> None:
    said = TypedInputs({"lesson": "Bellows"}, {"own": (1,)})
    run = resolve.resolve_procedure(smithy, "teach", said, "s", smith()).result
    # AV 4.
    assert run.steps[1].text == "Bellows: 1 + 4 = 5"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Rivetting", '"Rivetting" is not one of Riveting, Bellows; did you mean Riveting?'),
        ("Maul", '"Maul" is not one of Riveting, Bellows'),
        ("own", '"own" matches several: skills.own (Riveting) or skills.own#2 (Bellows)'),
    ],
)
def test_an_item_that_is_not_there_is_refused(
    smith: Smith, smithy: Ruleset, name: str, reason: str
) -> None:
    with pytest.raises(ProcedureError) as refused:
        crafted(smith(), smithy, skill=name)
    assert refused.value.problems == (("skill", reason),)


def test_without_a_character_the_numbers_of_an_item_are_given(smithy: Ruleset) -> None:
    run = crafted(None, smithy, skill="any", skill_av="3", skill_rank="1")
    assert run.outputs["total"] == 7
    assert run.steps[1].text == "any: 4 + 3 = 7"
    with pytest.raises(ProcedureError) as refused:
        crafted(None, smithy)
    assert [name for name, _why in refused.value.problems] == ["skill_av", "skill_rank"]


def test_an_item_that_may_be_left_out_has_no_name_and_its_numbers_are_0(
    smith: Smith, reforged: Reforged
) -> None:
    line = "{id: skill, label: Which skill?, type: item, kind: [skill]"
    rules = reforged(("procedures.yaml", f"{line}}}", f"{line}, optional: true}}"))
    run = crafted(smith(rules), rules)
    assert run.outputs == {"total": 4, "made": 0}
    assert run.steps[1].text == ": 4 + 0 = 4"


def test_all_that_is_missing_is_told_at_once(smith: Smith, reforged: Reforged) -> None:
    """An input that must be given, and one that a step waits for."""
    dice = "      - {do: roll, id: own, dice: 1d10, label: Your die}\n"
    roll = f"{dice}      - {{do: let, id: total, to: own + skill_av"
    wait = "      - {do: require, that: vs_given, say: Say what it is against.}\n"
    against = "{id: vs, label: Against, default: 10}"
    rules = reforged(
        ("procedures.yaml", against, "{id: vs, label: Against, optional: true}"),
        ("procedures.yaml", roll, wait + roll),
    )
    with pytest.raises(ProcedureError) as refused:
        crafted(smith(rules), rules)
    assert [why for _name, why in refused.value.problems] == [
        "missing: Which skill?", "Say what it is against.",
    ]  # fmt: skip


def test_a_use_that_named_an_item_is_the_same_after_replay(smith: Smith) -> None:
    done = play.use_named(smith(), "craft", typed=TypedInputs({"skill": "Bellows"}, {"own": (4,)}))
    assert done.outputs["total"] == 8
    assert done.after.character.legal
    assert done.after.document.log[-1].inputs == {"skill": "skills.own#2"}


def test_what_an_attack_passes_on_reads_its_bearer_s_own_numbers(smith: Smith) -> None:
    state = smith().character.state
    hammer = next(held for held in state.holdings if held.id == "tools.own")
    attack = hammer.entity.attacks[0].model_copy(update={"with_": {"extra": Formula("ring + 1")}})
    passed = fill_attack(state, hammer, "character", attack)
    assert passed.with_ == {"extra": Formula("2 + 1")}
    assert fill_attack(state, None, "character", attack).with_ == {"extra": Formula("ring + 1")}


def test_a_procedure_that_asks_for_one_damage_type_is_told_the_one_that_was_chosen(
    smith: Smith, reforged: Reforged
) -> None:
    ring = "      - {id: ring, do: enter"
    hurt = "      - {id: hurt, do: choose, label: How?, among: {terms: hurts}}"
    guard = "      - {id: vs, label: Their guard}"
    word = "      - {id: type, label: How, type: word, options: [blunt, hot], default_word: blunt}"
    rules = reforged(
        ("ruleset.yaml", "label: Blunt}", "label: Blunt}\n    - {id: hot, label: Hot}"),
        (THINGS, "bonus: ring - 1, type: blunt", "bonus: ring - 1, type: $hurt"),
        (THINGS, ring, f"{hurt}\n{ring}"),
        ("procedures.yaml", guard, f"{guard}\n{word}"),
    )
    state = smith(rules, tools__own__hurt="hot").character.state
    hammer = next(one for one in abilities.all_abilities(state) if one.attack is not None)
    assert abilities.supplied_inputs(state, hammer)["type"] == "hot"
