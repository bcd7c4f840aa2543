"""Limits on rolls in packs, old events beyond them, and lists of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from charforge.character import state_changes
from charforge.character.holdings import add_holding
from charforge.character.state import State
from charforge.errors import ProcedureError, RuleRefusal
from charforge.expressions.dice import Dice
from charforge.expressions.formula import Formula, FunctionScope
from charforge.procedures import abilities, run, use
from charforge.procedures.context import RunSettings
from charforge.procedures.run import ProcedureResult, run_procedure
from charforge.replay.decision_walk import RecordedDice
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Attack, Procedure

OWN = {"do": "roll", "id": "own", "dice": "1d6"}


@pytest.fixture
def state(dockhand: Callable[..., LoadedCharacter]) -> State:
    """A dockhand with a dog that shares its luck (3)."""
    return dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/terrier").character.state


def saved(
    state: State, steps: Sequence[Mapping[str, Any]], inputs: Mapping[str, Any],
    faces: dict[str, list[list[int]]], *, replayed: bool, bearer: str = "",
    asked: Sequence[Mapping[str, Any]] = (), outputs: Sequence[Mapping[str, Any]] = (),
) -> ProcedureResult:  # fmt: skip
    """Run steps with these dice, as something new or as a saved event that is replayed."""
    made = {
        "id": "try", "label": "Try", "source": "rule/work", "inputs": asked,
        "steps": steps, "outputs": outputs,
    }  # fmt: skip
    dice = RecordedDice(faces)
    settings = RunSettings(dice, recorded=dice.left if replayed else None)
    return run_procedure(state, Procedure.model_validate(made), inputs, settings, bearer=bearer)


def test_a_number_beyond_the_maximum_says_which_rule_limits_it(state: State) -> None:
    step = {
        "do": "choose", "id": "often", "label": "How often?", "maximum": "luck - 2",
        "beyond": "You have {luck} Luck.",
    }  # fmt: skip
    with pytest.raises(ProcedureError, match=r"4 is not between 0 and 1\. You have 3 Luck\."):
        saved(state, [step], {"often": 4}, {}, replayed=False)
    with pytest.raises(ProcedureError, match=r"-1 is not between 0 and 1$"):
        saved(state, [step], {"often": -1}, {}, replayed=False)
    out = [{"id": "often", "label": "Often"}]
    assert saved(state, [step], {"often": 4}, {}, replayed=True, outputs=out).outputs["often"] == 4


def test_a_lenient_rule_refuses_only_what_is_new(state: State) -> None:
    for lenient in (True, False):
        step = {"do": "require", "that": "luck > 9", "say": "No luck.", "lenient": lenient}
        with pytest.raises(RuleRefusal, match="No luck"):
            saved(state, [step], {}, {}, replayed=False)
        if lenient:
            saved(state, [step], {}, {}, replayed=True)
        else:
            with pytest.raises(RuleRefusal, match="No luck"):
                saved(state, [step], {}, {}, replayed=True)


def test_a_saved_event_without_later_dice_has_none(state: State) -> None:
    more = {"do": "roll", "id": "more", "dice": "1d6", "lenient": True}
    again = {"do": "reroll", "id": "own", "times": 2, "lenient": True}
    out = [{"id": "own", "label": "Own"}, {"id": "more", "label": "More"}]
    steps = [OWN, more, again]
    done = saved(state, steps, {}, {"own": [[2], [5]]}, replayed=True, outputs=out)
    assert done.outputs == {"own": 5, "more": 0}
    with pytest.raises(ProcedureError, match="no roll"):
        saved(state, steps, {}, {"own": [[2], [5]]}, replayed=False, outputs=out)
    with pytest.raises(ProcedureError, match="no roll"):
        saved(state, [OWN, {**more, "lenient": False}], {}, {"own": [[2]]}, replayed=True)


def test_the_unit_whose_attack_it_is_can_be_read_and_pay(state: State) -> None:
    """The terrier has 2 vigour at level 1, the dockhand 9."""
    dog = state.units[1].id
    steps = [
        {"do": "let", "id": "theirs", "to": "bearer.vigour", "quiet": True},
        {"do": "change", "value": "vigour", "by": -1, "of": "bearer"},
        {"do": "let", "id": "ours", "to": "vigour", "quiet": True},
    ]
    out = [{"id": "theirs", "label": "Theirs"}, {"id": "ours", "label": "Ours"}]
    done = saved(state, steps, {}, {}, replayed=False, bearer=dog, outputs=out)
    assert done.outputs == {"theirs": 2, "ours": 9}
    assert done.state.values(dog).total("vigour") == 1
    assert [step.text for step in done.steps] == ["Terrier: Vigour −1 → 1"]
    alone = saved(state, steps, {}, {}, replayed=False, outputs=out)
    assert alone.outputs == {"theirs": 9, "ours": 8}


@pytest.mark.parametrize(
    ("given", "found"), [(None, (0, 0, 0)), ("7", (1, 7, 0)), ("7,-2", (2, 7, -2))]
)
def test_a_list_of_numbers(state: State, given: str | None, found: tuple[int, ...]) -> None:
    asked = [{"id": "others", "label": "Others", "type": "numbers", "optional": True}]
    steps = [
        {"do": "let", "id": "many", "to": "length(others)"},
        {"do": "let", "id": "first", "to": "nth(others, 1)"},
        {"do": "let", "id": "second", "to": "nth(others, many)* (many > 1)"},
    ]
    out = [{"id": name, "label": name} for name in ("many", "first", "second")]
    inputs = {} if given is None else {"others": given}
    done = saved(state, steps, inputs, {}, replayed=False, asked=asked, outputs=out)
    assert tuple(done.outputs.values()) == found


@pytest.mark.parametrize("wrong", ["x", "1,,x", ",".join(["1"] * 101)])
def test_a_wrong_list_of_numbers(state: State, wrong: str) -> None:
    asked = [{"id": "others", "label": "Others", "type": "numbers", "optional": True}]
    step = {"do": "say", "say": "Done."}
    with pytest.raises(ProcedureError, match="others"):
        saved(state, [step], {"others": wrong}, {}, replayed=False, asked=asked)


def test_places_of_a_list_begin_at_1_and_end() -> None:
    def of(text: str) -> int:
        return Formula(text).evaluate(FunctionScope({"others": (4, 5)}.__getitem__))

    assert [of(f"nth(others, {place})") for place in (0, 1, 2, 3)] == [0, 4, 5, 0]


def test_an_output_may_be_shown_only_where_it_has_a_meaning(state: State) -> None:
    out = [{"id": "own", "label": "Own", "when": "own > 3", "shown": "when"}]
    assert saved(state, [OWN], {}, {"own": [[3]]}, replayed=False, outputs=out).outputs == {}
    high = saved(state, [OWN], {}, {"own": [[4]]}, replayed=False, outputs=out)
    assert high.outputs == {"own": 4}


def test_a_unit_settles_inputs_of_its_own(state: State) -> None:
    procedure = state.ruleset.procedure("strike")
    assert run.unit_inputs(state, "character", procedure) == {}
    barge = state.ruleset.entity("boat/barge").model_copy(
        update={"supplies": {"strike": {"fixed": 7}}}
    )
    with_boat = add_holding(state, barge, "boat", "x")
    assert run.unit_inputs(with_boat, "boat", procedure) == {"fixed": 7}


def test_an_attack_is_refused_out_of_its_time(dockhand: Callable[..., LoadedCharacter]) -> None:
    state = dockhand(knacks=["knack/hook-hand"]).character.state
    hook = next(one for one in abilities.all_abilities(state) if one.attack is not None)
    definition = hook.definition
    assert isinstance(definition, Attack)
    only = {"when": "luck > 3", "say": "Only with much luck."}
    raw = definition.model_dump(by_alias=True, exclude_unset=True) | {"only": only}
    late = abilities.Ability(
        hook.source, hook.key, hook.entity, hook.holding, hook.unit, Attack.model_validate(raw)
    )
    assert "Only with much luck." in list(use.reasons_against(state, late))
    assert "Only with much luck." not in list(use.reasons_against(state, late, recorded=True))


def roll_three(_name: str, dice: Dice, _label: str) -> list[int]:
    return [3] * dice.number


def dizzy_with(state: State, **lasting: Any) -> State:
    """Return the state with the character Dizzy, which lasts differently from the toy's."""
    rules = state.ruleset
    dizzy = rules.entity("state/dizzy")
    assert dizzy.condition is not None
    spec = dizzy.condition.model_copy(update=lasting)
    changed = dizzy.model_copy(update={"condition": spec})
    entities = {**rules.entities, changed.id: changed}
    state = replace(state, ruleset=replace(rules, entities=entities))
    return state_changes.add_condition(state, "character", changed)


def test_a_condition_ends_with_the_next_use(dockhand: Callable[..., LoadedCharacter]) -> None:
    state = dizzy_with(
        dockhand(knacks=["knack/second-wind"]).character.state, interrupted_by=("work",)
    )
    found = {one.key: one for one in abilities.all_abilities(state)}
    used = use.use_ability(state, found["Whistle"], {}, RunSettings(roll_three))
    assert used.state.condition_amount("character", "state/dizzy") == 0
    assert "Dizzy ends" in [message.text for message in used.steps]


def test_the_uses_of_others_do_not_end_a_condition(
    dockhand: Callable[..., LoadedCharacter],
) -> None:
    """A dog has a turn of its own: only what acts through its owner counts for it."""
    opened = dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/terrier")
    state = dizzy_with(opened.character.state, interrupted_by=("work",))
    dog = "knacks.kennel.dog"
    bark = next(one for one in abilities.all_abilities(state, dog) if one.key == "Bark")
    after = use.use_ability(state, bark, {}, RunSettings(roll_three)).state
    assert after.condition_amount("character", "state/dizzy") == 1


def test_a_condition_allows_some_timings_only(dockhand: Callable[..., LoadedCharacter]) -> None:
    """Saved uses are not judged, and what is granted counts as no timing at all."""
    opened = dockhand(knacks=["knack/second-wind"])

    def reasons(allowed: str, **how: Any) -> list[str]:
        state = dizzy_with(opened.character.state, allows=(allowed,))
        whistle = next(one for one in abilities.all_abilities(state) if one.key == "Whistle")
        return list(use.reasons_against(state, whistle, **how))

    assert reasons("work") == []
    assert reasons("break") == ["Dizzy only allows: "]  # not one of this game
    assert reasons("break", recorded=True) == []
    assert reasons("work", permit=use.Permit(granted=True)) == ["Dizzy only allows: At work"]
