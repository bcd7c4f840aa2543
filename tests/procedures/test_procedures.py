"""Procedures: what each kind of step computes, prints, changes and records.

The dockhand has ARM 5, WIT 2, vigour 9 of 9, luck 3 of 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.character import state_changes
from charforge.character.state import State
from charforge.character.state_data import Conditions
from charforge.errors import FormulaError, ProcedureError, RuleRefusal, UsageError
from charforge.expressions.dice import Dice
from charforge.procedures.context import MOST_DICE, RunSettings, UnknownFigure
from charforge.procedures.run import ActionUser, ProcedureResult, run_action, run_procedure as run
from charforge.replay.decision_walk import RecordedDice
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Procedure

Dockhand = Callable[..., LoadedCharacter]
SOURCE = "rule/work"


@pytest.fixture
def state(dockhand: Dockhand) -> State:
    return dockhand().character.state


def procedure(
    *steps: Mapping[str, Any],
    inputs: Iterable[Mapping[str, Any]] = (),
    outputs: Iterable[str] = (),
    **more: Any,
) -> Procedure:
    """Return a procedure of some steps; what says no label has its id as one."""
    return Procedure.model_validate(
        {
            "id": "try",
            "label": "Try",
            "source": SOURCE,
            "inputs": [{"label": one["id"], **one} for one in inputs],
            "steps": steps,
            "outputs": [{"id": name, "label": name.title()} for name in outputs],
            **more,
        }
    )


class Fallen:
    """Dice that fall as listed; ``asked`` says what was rolled, and what for."""

    def __init__(self, *faces: list[int]) -> None:
        self.left = list(faces)
        self.asked: list[tuple[str, str, str]] = []

    def __call__(self, name: str, dice: Dice, label: str) -> list[int]:
        self.asked.append((name, dice.notation, label))
        return self.left.pop(0)


def taken(
    state: State, *steps: Mapping[str, Any], dice: Any = None, **inputs: Any
) -> ProcedureResult:
    """Take steps without inputs of their own but whole numbers."""
    known = [{"id": name} for name in inputs]
    outputs = [str(step["id"]) for step in steps if "id" in step]
    return run(
        state,
        procedure(*steps, inputs=known, outputs=outputs),
        inputs,
        RunSettings(dice or Fallen()),
    )


def texts(run: ProcedureResult) -> list[str]:
    return [told.text for told in run.steps]


# --------------------------------------------------------------------------- let, look up, say


def test_let_computes_from_inputs_earlier_steps_and_figures(state):
    done = taken(
        state,
        {"do": "let", "id": "twice", "to": "2 * n"},
        {"do": "let", "id": "all", "to": "twice + arm + level"},
        n=4,
    )
    assert done.outputs == {"twice": 8, "all": 8 + 5 + 1}
    assert texts(done) == ["twice = 8", "all = 14"]
    assert done.state == state


def test_what_a_step_tells_names_the_step_its_value_and_its_rule(state):
    made = procedure(
        {"do": "let", "id": "one", "to": 1},
        {"do": "let", "id": "two", "to": 2, "source": "state/soaked"},
    )
    done = run(state, made, {}, RunSettings(Fallen()))
    assert [(t.step, t.id, t.value, t.source) for t in done.steps] == [
        ("let", "one", 1, SOURCE),
        ("let", "two", 2, "state/soaked"),
    ]


def test_every_source_of_the_packs_steps_exists(harbour, dockhand):
    """Told of every procedure of the pack that needs little, on a dockhand who was hurt."""
    state = dockhand().character.state
    told = [
        *run(
            state, harbour.procedure("hurt"), {"amount": 2, "type": "sharp"}, RunSettings(Fallen())
        ).steps,
        *run(
            state, harbour.procedure("test"), {"attribute": "wit"}, RunSettings(Fallen([3, 4]))
        ).steps,
        *run(state, harbour.procedure("lift"), {"weight": 3}, RunSettings(Fallen([3, 4]))).steps,
    ]
    assert len(told) == 6
    assert {one.source for one in told} <= set(harbour.entities)


def test_say_fills_figures_and_the_label_of_a_value_that_an_input_names(state):
    made = procedure(
        {"do": "say", "say": "{$score} {n - 9}, {{so}} {1d6 + arm}"},
        inputs=[{"id": "score", "type": "value", "group": "scores"}, {"id": "n"}],
    )
    done = run(state, made, {"score": "wit", "n": 4}, RunSettings(Fallen()))
    assert texts(done) == ["WIT −5, {so} 1d6\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}5"]


def test_say_may_stop_there(state):
    done = taken(
        state,
        {"do": "say", "say": "Nothing happens.", "stop": True, "when": "n"},
        {"do": "let", "id": "after", "to": 1},
        n=1,
    )
    assert texts(done) == ["Nothing happens."]
    assert done.outputs == {}


def test_quiet_tells_nothing_and_its_own_words_replace_the_plain_ones(state):
    done = taken(
        state,
        {"do": "let", "id": "a", "to": 1, "quiet": True},
        {"do": "let", "id": "b", "to": "a + 1", "say": "B is {b}."},
    )
    assert texts(done) == ["B is 2."]


def test_look_up_reads_the_figure_now_or_the_lasting_one(state, harbour):
    """Soaked takes 1 off WIT (2) for now, in the current layer."""
    soaked = state_changes.add_condition(state, "character", harbour.entity("state/soaked"))
    done = taken(
        soaked,
        {"do": "look_up", "id": "now", "value": "wit"},
        {"do": "look_up", "id": "lasting", "value": "wit", "lasting": True},
    )
    assert done.outputs == {"now": 1, "lasting": 2}
    assert texts(done) == ["WIT 1", "WIT 2"]


def test_look_up_reads_the_value_that_an_input_names(state):
    made = procedure(
        {"do": "look_up", "id": "found", "value": "$score"},
        inputs=[{"id": "score", "type": "value", "group": "scores"}],
        outputs=["found"],
    )
    assert run(state, made, {"score": "arm"}, RunSettings(Fallen())).outputs == {"found": 5}


# --------------------------------------------------------------------------- dice


def test_roll_gives_a_sum_and_its_faces(state):
    dice = Fallen([6, 2, 6])
    done = taken(
        state,
        {"do": "roll", "id": "own", "dice": "3d6", "label": "Your dice"},
        {"do": "let", "id": "sixes", "to": "count(own_dice, 6)"},
        dice=dice,
    )
    assert done.outputs == {"own": 14, "sixes": 2}
    assert dice.asked == [("own", "3d6", "Your dice")]
    assert (texts(done)[0], done.steps[0].faces) == ("Your dice: 6 + 2 + 6 = 14", (6, 2, 6))
    assert done.faces == {"own": [[6, 2, 6]]}


@pytest.mark.parametrize(
    "reader",
    [
        {"do": "let", "id": "sixes", "to": "count(pool_dice, 6)"},
        {"do": "let", "id": "best", "to": "nth(pool_dice, 1)"},
    ],
)
def test_dice_of_which_only_the_faces_are_read_are_shown_without_their_sum(state, reader):
    """In a pool faces are counted, or the highest is kept: what they add up to means nothing."""
    roll = {"do": "roll", "id": "pool", "dice": "3d6", "label": "Your dice"}
    again = {"do": "reroll", "id": "pool", "keep": [6]}

    def first_text(*steps: Mapping[str, Any]) -> str:
        made = procedure(*steps, outputs=[reader["id"]])
        return texts(run(state, made, {}, RunSettings(Fallen([6, 2, 6], [3]))))[0]

    assert first_text(roll, again, reader) == "Your dice: 6 2 6"
    summed = {"do": "say", "say": "{pool} in all"}
    assert first_text(roll, reader, summed) == "Your dice: 6 + 2 + 6 = 14"
    assert first_text(roll, reader, {"do": "let", "id": "all", "to": "pool"}) == (
        "Your dice: 6 + 2 + 6 = 14"
    )


def test_dice_that_are_dropped_are_named(state):
    done = taken(state, {"do": "roll", "id": "r", "dice": "4d6k2"}, dice=Fallen([5, 1, 6, 2]))
    assert done.outputs == {"r": 11}
    assert texts(done) == ["r: 5 + 6 = 11 (dropped 1 2)"]


def test_dice_are_rolled_several_times_over_or_not_at_all(state):
    dice = Fallen([1, 2, 3, 4])
    assert taken(
        state, {"do": "roll", "id": "r", "dice": "2d6", "times": "n"}, dice=dice, n=2
    ).outputs == {"r": 10}
    assert dice.asked == [("r", "4d6", "")]
    none = taken(state, {"do": "roll", "id": "r", "dice": "2d6", "times": "n"}, n=0)
    assert (none.outputs, none.faces, texts(none)) == ({"r": 0}, {}, ["r: 0"])


def test_a_die_that_the_ruleset_names_shows_its_own_faces(state):
    done = taken(state, {"do": "roll", "id": "r", "dice": "3dcoin"}, dice=Fallen([1, 0, 1]))
    assert done.outputs == {"r": 2}
    with pytest.raises(ProcedureError, match="2 is not a face of 3dcoin"):
        taken(state, {"do": "roll", "id": "r", "dice": "3dcoin"}, dice=Fallen([1, 0, 2]))


@pytest.mark.parametrize(
    ("amount", "faces", "total", "words"),
    [
        ("2d6 + arm", [[3, 4]], 12, "Damage: 3 + 4 + 5 = 12"),
        ("1d4 + 1d6 - 3", [[1], [6]], 4, "Damage: 1 + 6 − 3 = 4"),
        ("wit", [], 2, "Damage: 2"),
        ("0", [], 0, "Damage: 0"),
        (None, [], 0, "Damage: 0"),  # left out
    ],
)
def test_an_amount_rolls_its_dice_and_adds_its_formula(state, amount, faces, total, words):
    made = procedure(
        {"do": "roll", "id": "dealt", "figure": "damage", "label": "Damage"},
        inputs=[{"id": "damage", "type": "amount", "optional": True}],
        outputs=["dealt"],
    )
    given = {} if amount is None else {"damage": amount}
    done = run(state, made, given, RunSettings(Fallen(*faces)))
    assert (done.outputs, texts(done)) == ({"dealt": total}, [words])


@pytest.mark.parametrize(
    ("more", "fresh", "after"),
    [
        ({}, [[6]], (4, 6, 3)),
        ({"which": "highest"}, [[1]], (1, 2, 3)),
        ({"which": "all"}, [[1, 1, 1]], (1, 1, 1)),
        ({"times": 2}, [[1], [5]], (4, 5, 3)),  # the 1 that fell is the lowest again
        ({"times": 2, "which": "highest"}, [[1], [6]], (1, 2, 6)),
    ],
)
def test_reroll_takes_some_dice_anew(state, more, fresh, after):
    dice = Fallen([4, 2, 3], *fresh)
    done = taken(
        state,
        {"do": "roll", "id": "own", "dice": "3d6", "quiet": True},
        {"do": "reroll", "id": "own", **more},
        {"do": "let", "id": "low", "to": "count(own_dice, 1, 2)"},
        dice=dice,
    )
    assert done.outputs["own"] == sum(after)
    assert done.outputs["low"] == sum(face < 3 for face in after)
    assert done.steps[-2].faces == after
    assert texts(done)[-2].endswith(f"→ {' '.join(map(str, after))}")
    assert done.faces == {"own": [[4, 2, 3], *fresh]}


def test_nothing_is_rerolled_of_a_roll_that_was_not_made(state):
    done = taken(
        state,
        {"do": "roll", "id": "own", "dice": "2d6", "when": "n"},
        {"do": "reroll", "id": "own", "which": "all"},
        n=0,
    )
    assert (done.faces, done.steps) == ({}, ())


def test_more_dice_than_a_table_holds_are_refused(state):
    many = MOST_DICE + 1
    with pytest.raises(ProcedureError, match="too many dice"):
        taken(state, {"do": "roll", "id": "r", "dice": "1d6", "times": "n"}, n=many)
    steps = [{"do": "roll", "id": "r", "dice": "1d6"}, {"do": "reroll", "id": "r", "times": "n"}]
    with pytest.raises(ProcedureError, match="1001 rerolls are too many"):
        taken(state, *steps, dice=Fallen([1]), n=many)


@given(faces=st.lists(st.integers(-2, 9), max_size=5))
def test_dice_that_cannot_have_fallen_are_refused(harbour, dockhand, faces):
    state = dockhand().character.state
    steps = [
        {"do": "roll", "id": "own", "dice": "2d6"},
        {"do": "change", "value": "luck", "by": -1},
    ]
    if len(faces) == 2 and all(1 <= face <= 6 for face in faces):
        assert taken(state, *steps, dice=Fallen(faces)).outputs == {"own": sum(faces)}
        return
    with pytest.raises(ProcedureError) as caught:
        taken(state, *steps, dice=Fallen(faces))
    assert [name for name, _reason in caught.value.problems] == ["own"]


# --------------------------------------------------------------------------- choose, require


CHOOSE = {"do": "choose", "id": "bet", "label": "How much?", "minimum": 1, "maximum": "luck"}


def test_a_choice_is_its_default_where_nobody_is_asked(state):
    done = taken(state, {**CHOOSE, "default": 2})
    assert (done.outputs, texts(done)) == ({"bet": 2}, ["How much? 2"])
    assert done.inputs == {}  # what nobody chose needs no record
    assert taken(state, {**CHOOSE, "default": 99}).outputs == {"bet": 3}
    assert taken(state, CHOOSE).outputs == {"bet": 1}


def test_who_is_asked_sees_the_bounds_and_what_was_told(state):
    met: list[Any] = []

    def choose(step: Any, low: int, high: int, suggested: int, told: Any) -> int:
        met.append((step.label, low, high, suggested, [one.text for one in told]))
        return 3

    made = procedure({"do": "say", "say": "Now."}, CHOOSE, outputs=["bet"])
    done = run(state, made, {}, RunSettings(Fallen(), choose=choose))
    assert met == [("How much?", 1, 3, 1, ["Now."])]
    assert (done.outputs, done.inputs) == ({"bet": 3}, {"bet": 3})
    again = run(state, made, done.inputs, RunSettings(Fallen()))
    assert (again.outputs, again.inputs) == (done.outputs, done.inputs)


def test_nobody_is_asked_where_only_one_number_is_possible(state):
    made = procedure({**CHOOSE, "maximum": 1}, outputs=["bet"])

    def choose(*_args: Any) -> int:
        raise AssertionError("asked")

    assert run(state, made, {}, RunSettings(Fallen(), choose=choose)).outputs == {"bet": 1}


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_recorded_choice_out_of_bounds_is_refused(state, number):
    made = procedure(CHOOSE)
    with pytest.raises(ProcedureError) as caught:
        run(state, made, {"bet": number}, RunSettings(Fallen()))
    assert caught.value.problems == (("bet", f"{number} is not between 1 and 3"),)


def test_a_choice_that_comes_again_is_numbered(state):
    answers = iter([2, 1, 3])
    made = procedure(
        {**CHOOSE, "minimum": 0, "repeat": {"while": "n < 3", "at_most": 3}},
        {"do": "let", "id": "n", "to": 3},
        outputs=["bet"],
        inputs=[{"id": "n"}],
    )
    done = run(state, made, {"n": 0}, RunSettings(Fallen(), choose=lambda *_args: next(answers)))
    assert done.inputs == {"n": 0, "bet": 2, "bet#2": 1, "bet#3": 3}
    assert run(state, made, done.inputs, RunSettings(Fallen())).outputs == {"bet": 3}


def test_a_require_changes_nothing(state):
    steps = [
        {"do": "change", "value": "luck", "by": -1},
        {"do": "require", "that": "luck > 5", "say": "Luck {luck} is too little."},
    ]
    with pytest.raises(RuleRefusal, match=r"^Luck 2 is too little\.$"):
        taken(state, *steps)
    assert state.values().base("luck") == 3
    with pytest.raises(RuleRefusal, match=r"^arm > 5 does not hold$"):
        taken(state, {"do": "require", "that": "arm > 5"})
    assert taken(state, {"do": "require", "that": "arm > 4"}).state == state


# --------------------------------------------------------------------------- what is changed


@pytest.mark.parametrize(
    ("by", "real", "now", "words"),
    [(-4, -4, 5, "Vigour −4 → 5"), (-12, -9, 0, "Vigour −9 → 0"), (3, 0, 9, None)],
)
def test_change_tells_the_real_difference(state, by, real, now, words):
    """Vigour is 9 and goes from 0 to 9; what changes nothing is not told."""
    done = taken(state, {"do": "change", "value": "vigour", "by": "n", "id": "lost"}, n=by)
    assert done.outputs == {"lost": real}
    assert done.state.values().base("vigour") == now
    assert texts(done) == ([words] if words else [])


def test_only_resources_can_be_changed(state):
    for step in ({"value": "arm"}, {"value": "$score"}):
        made = procedure(
            {"do": "change", "by": 1, **step},
            inputs=[{"id": "score", "type": "value", "default_word": "wit"}],
        )
        with pytest.raises(UsageError, match="is not a resource of a Dockhand"):
            run(state, made, {}, RunSettings(Fallen()))


def test_conditions_are_put_and_lifted_and_counted(state, harbour):
    done = taken(
        state,
        {"do": "put", "condition": "state/bruised", "amount": 3},
        {"do": "lift", "condition": "state/bruised", "amount": "number('state/bruised') - 1"},
        {"do": "put", "condition": "state/soaked"},
        {"do": "put", "condition": "state/dizzy", "when": "has('state/soaked')"},
        {"do": "lift", "condition": "state/soaked"},
        {"do": "lift", "condition": "state/soaked"},
    )
    assert texts(done) == [
        "Bruised 0 → 3", "Bruised 3 → 1", "now Soaked", "now Dizzy", "no longer Soaked",
    ]  # fmt: skip
    assert [(c.entity.name, c.amount) for c in done.state.conditions] == [
        ("Bruised", 1),
        ("Dizzy", 1),
    ]


def test_a_condition_may_be_the_one_that_an_input_names_and_about_another(state):
    made = procedure(
        {"do": "put", "condition": "state/marked", "about": "$whom"},
        {"do": "lift", "condition": "state/marked", "about": "$whom", "when": "off"},
        inputs=[{"id": "whom", "type": "text", "optional": True}, {"id": "off", "default": 0}],
    )
    once = run(state, made, {"whom": "the clerk"}, RunSettings(Fallen()))
    assert texts(once) == ["now Marked (the clerk)"]
    twice = run(once.state, made, {"whom": "Bo"}, RunSettings(Fallen())).state
    assert [c.about for c in twice.conditions] == ["the clerk", "Bo"]
    gone = run(twice, made, {"whom": "Bo", "off": 1}, RunSettings(Fallen())).state
    assert [c.about for c in gone.conditions] == ["the clerk"]
    lift_all = procedure(
        {"do": "lift", "condition": "state/marked", "about": "$whom"},
        inputs=[{"id": "whom", "type": "text", "optional": True}],
    )
    assert (
        run(twice, lift_all, {}, RunSettings(Fallen())).state.conditions == Conditions()
    )  # nobody named: all of them


def test_a_moment_that_passes_is_told_by_what_it_ends(state, harbour):
    dizzy = state_changes.add_condition(state, "character", harbour.entity("state/dizzy"))
    step = {"do": "pass", "moment": "bell"}
    first = taken(dizzy, step)
    assert texts(first) == []  # dizzy lasts two bells
    second = taken(first.state, step)
    assert texts(second) == ["Dizzy ends"]
    assert second.steps[0].source == "state/dizzy"  # whose rule says how long it lasts
    assert second.state.conditions == Conditions()


def test_effects_recover_by_their_number_or_their_word(dockhand):
    """Breathe is 5+, Whistle 3+ (a 4 is enough for one), Roar daily."""
    state = dockhand(knacks=["knack/second-wind"]).character.state
    knack = next(h for h in state.holdings if h.entity.slug == "second-wind")
    for action in knack.entity.actions:
        state = state_changes.start_cooldown(state, knack, action)
    step = {"do": "recover", "dice": "1d6", "if": "roll >= number"}
    dice = Fallen([4], [4])
    done = taken(state, step, dice=dice)
    assert [left for _id, left in done.state.cooldowns] == ["Breathe", "Roar"]
    assert texts(done) == [
        "Second Wind: rolled 4, still on cooldown",
        "Second Wind: rolled 4, ready again",
    ]
    names = ["recovered.knacks.second-wind.Breathe", "recovered.knacks.second-wind.Whistle"]
    assert [name for name, _dice, _label in dice.asked] == names
    rested = taken(done.state, {"do": "recover", "of": "daily"})
    assert [left for _id, left in rested.state.cooldowns] == ["Breathe"]
    assert texts(rested) == ["Second Wind is ready again"]


# --------------------------------------------------------------------------- how steps are taken


def test_a_step_is_taken_only_when_its_formula_holds(state):
    steps = [{"do": "let", "id": "a", "to": 1, "when": "n > 2"}]
    assert taken(state, *steps, n=2).outputs == {}
    assert taken(state, *steps, n=3).outputs == {"a": 1}


def test_a_step_is_taken_only_where_the_table_rules_so(state):
    steps = [
        {"do": "let", "id": "a", "to": 1, "ruled": {"tide": "ebb"}},
        {"do": "let", "id": "b", "to": 2, "ruled": {"tide": "flow"}},
    ]
    assert taken(state, *steps).outputs == {"a": 1}  # the default
    assert taken(state.with_changes(rules={"tide": "flow"}), *steps).outputs == {"b": 2}


def test_a_step_is_taken_only_for_units_of_its_type(dockhand, harbour):
    state = dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/hound").character.state
    made = procedure(
        {"do": "let", "id": "two", "to": 2, "units": "dockhand"},
        {"do": "let", "id": "four", "to": 4, "units": ["dog", "boat"]},
        outputs=["two", "four"],
    )
    assert run(state, made, {}, RunSettings(Fallen())).outputs == {"two": 2}
    assert run(state, made, {}, RunSettings(Fallen()), "knacks.kennel.dog").outputs == {"four": 4}
    only = procedure({"do": "let", "id": "x", "to": 1}, units="dog")
    with pytest.raises(ProcedureError) as caught:
        run(state, only, {}, RunSettings(Fallen()))
    assert caught.value.problems == (("unit", "it does not apply to a Dockhand"),)


def test_a_step_is_repeated_while_a_condition_holds_but_not_for_ever(state):
    step = {"do": "change", "value": "vigour", "by": -2, "id": "lost"}
    down = taken(state, {**step, "repeat": {"while": "vigour > 4", "at_most": 10}})
    assert texts(down) == ["Vigour −2 → 7", "Vigour −2 → 5", "Vigour −2 → 3"]
    bounded = taken(state, {**step, "repeat": {"while": "1", "at_most": 2}})
    assert bounded.state.values().base("vigour") == 5


def test_a_call_hands_inputs_over_and_results_back(harbour, state):
    """2d6 (7) + ARM 5 = 12 against 3 + 4: lifted; its steps stand among ours, with its source."""
    done = run(state, harbour.procedure("lift"), {"weight": 3}, RunSettings(Fallen([3, 4])))
    assert done.outputs == {"lifted": 1}
    assert texts(done) == ["Your dice: 3 + 4 = 7", "ARM: 12 against 7"]
    assert done.faces == {"own": [[3, 4]]}
    wits = run(
        state, harbour.procedure("lift"), {"weight": 9, "what": "wit"}, RunSettings(Fallen([3, 4]))
    )
    assert (wits.outputs, texts(wits)[1]) == ({"lifted": 0}, "WIT: 9 against 13")


def test_what_stops_a_called_procedure_does_not_stop_ours(harbour, state):
    inner = procedure(
        {"do": "choose", "id": "bet", "label": "Bet", "maximum": 9},
        {"do": "change", "value": "luck", "by": -1},
        {"do": "say", "say": "Enough.", "stop": True},
        {"do": "let", "id": "never", "to": 1},
        inputs=[{"id": "given", "optional": True}],
    ).model_copy(update={"id": "inner"})
    rules = replace(harbour, procedures={**harbour.procedures, "inner": inner})
    outer = procedure(
        {"do": "choose", "id": "bet", "label": "Bet", "maximum": 9, "quiet": True},
        {"do": "call", "procedure": "inner", "with": {"given": "$ours"}, "take": {
            "were": "given_given", "theirs": "bet", "n": "never"}},
        {"do": "let", "id": "after", "to": "luck"},
        inputs=[{"id": "ours", "optional": True}],
        outputs=["were", "theirs", "n", "after", "bet"],
    )  # fmt: skip
    state = state.with_changes(ruleset=rules)
    answers = iter([4, 7])
    done = run(state, outer, {}, RunSettings(Fallen(), choose=lambda *_args: next(answers)))
    # What was not given to us is not given to it; its choices are told from ours by number.
    assert done.outputs == {"were": 0, "theirs": 7, "n": 0, "after": 2, "bet": 4}
    assert done.inputs == {"bet": 4, "bet#2": 7}
    assert run(state, outer, {"ours": 0, **done.inputs}, RunSettings(Fallen())).outputs["were"] == 1


def test_what_is_carried_is_refilled_only_by_the_item_that_is_used(state):
    with pytest.raises(RuleRefusal, match="no item to refill"):
        taken(state, {"do": "refill", "capacity": "bolts"})


# --------------------------------------------------------------------------- inputs


INPUTS = [
    {"id": "many", "label": "How many", "minimum": 1, "maximum": "luck + level"},
    {"id": "sure", "type": "flag"},
    {"id": "sort", "type": "word", "options": ["wet", "dry-ish"]},
    {"id": "score", "type": "value", "group": "scores"},
    {"id": "damage", "type": "amount"},
    {"id": "whom", "type": "text"},
]
FITTING: dict[str, Any] = {
    "many": 4, "sure": 1, "sort": "wet", "score": "arm", "damage": "1d6 + 2", "whom": "Bo",
}  # fmt: skip


def faults(state: State, given: Mapping[str, Any]) -> dict[str, str]:
    made = procedure({"do": "let", "id": "done", "to": 1}, inputs=INPUTS)
    try:
        run(state, made, given, RunSettings(Fallen()))
    except ProcedureError as error:
        return dict(error.problems)
    return {}


def test_inputs_that_fit_are_taken(state):
    assert faults(state, FITTING) == {}


def test_every_missing_input_is_named_at_once(state):
    assert faults(state, {"zeal": 1}) == {
        "zeal": "this rule does not ask for it",
        "many": "missing: How many",
        **{name: f"missing: {name}" for name in list(FITTING)[1:]},
    }


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("many", 0, "0 is too low; the lowest is 1"),
        ("many", 5, "5 is too high; the highest is 4"),
        ("many", True, "it must be a whole number"),
        ("many", "3", "it must be a whole number"),
        ("sure", 2, "it must be yes or no (1 or 0)"),
        ("sort", "damp", '"damp" is not one of wet, dry ish'),
        ("sort", 1, "it must be a word"),
        ("score", "luck", '"luck" is not one of ARM, WIT'),
        (
            "damage",
            "1d6 +",
            '"1d6 +" is not an amount such as 1d6 + 2: it cannot be read as arithmetic; '
            "a number or a name is missing beside a sign",
        ),
        ("damage", "$x", '"$x" is not an amount such as 1d6 + 2'),
        ("damage", 7, "it must be a word"),
        ("whom", 3, "it must be a word"),
    ],
)
def test_an_input_that_does_not_fit_is_refused(state, name, value, reason):
    assert faults(state, {**FITTING, name: value}) == {name: reason}


def test_all_faults_of_inputs_are_said_at_once(state):
    wrong = {"many": 9, "sure": 7, "sort": "damp", "score": "luck", "damage": "d", "whom": 1}
    assert list(faults(state, wrong)) == [
        "many", "sure", "sort", "score", "whom",
    ]  # fmt: skip


def test_what_is_left_out_is_its_default(state):
    made = procedure(
        {"do": "let", "id": "sum", "to": "n + twice"},
        {"do": "let", "id": "dry", "to": "10 * sort_dry_ish + sort_wet"},
        {"do": "let", "id": "were", "to": "10 * n_given + whom_given", "when": "1"},
        inputs=[
            {"id": "n", "optional": True},
            {"id": "half", "default": "arm"},
            {"id": "twice", "default": "2 * half"},
            {
                "id": "sort",
                "type": "word",
                "options": ["wet", "dry-ish"],
                "default_word": "dry-ish",
            },
            {"id": "whom", "type": "text", "optional": True},
        ],
        outputs=["sum", "dry", "were"],
    )
    assert run(state, made, {}, RunSettings(Fallen())).outputs == {"sum": 10, "dry": 10, "were": 0}
    told = run(state, made, {"n": 1, "half": 2, "sort": "wet", "whom": "Bo"}, RunSettings(Fallen()))
    assert told.outputs == {"sum": 5, "dry": 1, "were": 11}


def test_an_action_refuses_inputs_that_it_does_not_have(state, harbour):
    deed = harbour.entity("deed/shout")
    action = deed.actions[0]
    with pytest.raises(ProcedureError) as caught:
        run_action(
            state,
            ActionUser("character", deed),
            action.inputs,
            action.does,
            {"loud": 1},
            RunSettings(Fallen()),
        )
    assert caught.value.problems == (("loud", "this rule does not ask for it"),)


# --------------------------------------------------------------------------- without a character


def bare(
    state: State, made: Procedure, inputs: Mapping[str, Any] = {}, **figures: int
) -> ProcedureResult:  # fmt: skip
    return run(state, made, inputs, RunSettings(Fallen([1, 1]), figures=figures, no_character=True))


def test_a_bare_run_names_the_figure_that_is_not_known(state):
    made = procedure({"do": "let", "id": "a", "to": "arm + wit"}, outputs=["a"])
    assert bare(state, made, arm=1, wit=2).outputs == {"a": 3}
    with pytest.raises(UnknownFigure) as caught:
        bare(state, made, wit=2)
    assert caught.value.figure == "arm"


def test_a_bare_run_looks_figures_up_among_those_given(state):
    made = procedure({"do": "look_up", "id": "a", "value": "wit", "lasting": True}, outputs=["a"])
    assert bare(state, made, wit=7).outputs == {"a": 7}
    with pytest.raises(UnknownFigure):
        bare(state, made)


def test_a_bare_run_changes_what_is_known_and_tells_the_real_difference(state):
    made = procedure(
        {"do": "change", "value": "vigour", "by": "-n", "id": "lost"},
        {"do": "let", "id": "left", "to": "vigour", "when": "n < 9"},
        inputs=[{"id": "n"}],
        outputs=["lost", "left"],
    )
    assert bare(state, made, {"n": 8}, vigour=5).outputs == {"lost": -5, "left": 0}
    unknown = bare(state, made, {"n": 9})
    assert (unknown.outputs, texts(unknown)) == ({"lost": -9}, ["Vigour −9"])


def test_bounds_that_read_unknown_figures_are_not_judged_bare(state):
    made = procedure({"do": "let", "id": "a", "to": "many"}, inputs=INPUTS[:1], outputs=["a"])
    assert bare(state, made, {"many": 99}).outputs == {"a": 99}
    with pytest.raises(ProcedureError) as caught:
        bare(state, made, {"many": 99}, luck=3, level=1)
    assert caught.value.problems == (("many", "99 is too high; the highest is 4"),)


def test_steps_for_some_units_are_not_taken_bare(state):
    made = procedure({"do": "let", "id": "a", "to": 1, "units": "dockhand"}, outputs=["a"])
    assert bare(state, made).outputs == {}


# --------------------------------------------------------------------------- once more


@given(
    score=st.sampled_from(["arm", "wit"]),
    vs=st.integers(-3, 20),
    bet=st.integers(0, 3),
    dice=st.lists(st.lists(st.integers(1, 6), min_size=2, max_size=2), min_size=3, max_size=3),
)
def test_a_recorded_run_replays_to_the_same(harbour, dockhand, score, vs, bet, dice):
    """With the faces and inputs that were kept, everything comes out the same again."""
    made = procedure(
        {"do": "roll", "id": "own", "dice": "2d6"},
        {"do": "reroll", "id": "own", "which": "all", "times": 2, "when": "count(own_dice, 1)"},
        {"do": "choose", "id": "bet", "label": "Bet", "maximum": "luck"},
        {"do": "change", "value": "luck", "by": "-bet"},
        {"do": "look_up", "id": "score", "value": "$what"},
        {"do": "change", "value": "vigour", "by": "own + score + bet - vs", "id": "change"},
        {"do": "put", "condition": "state/bruised", "amount": "-change", "when": "change < 0"},
        inputs=[{"id": "what", "type": "value", "group": "scores"}, {"id": "vs"}],
        outputs=["own", "change"],
    )
    state = dockhand().character.state
    inputs = {"what": score, "vs": vs}
    first = run(state, made, inputs, RunSettings(Fallen(*dice), choose=lambda *_args: bet))
    again = run(state, made, first.inputs, RunSettings(RecordedDice(dict(first.faces))))
    assert (again.state, again.outputs, again.steps) == (first.state, first.outputs, first.steps)
    assert (again.faces, again.inputs) == (first.faces, first.inputs)


def test_recorded_dice_are_given_in_their_order_and_no_others():
    dice = RecordedDice({"own": [[1, 2], [3]]})
    two = Dice(2, tuple(range(1, 7)), "2d6")
    assert (dice("own", two, ""), dice("own", two, "")) == ([1, 2], [3])
    with pytest.raises(ProcedureError) as caught:
        dice("own", two, "")
    assert caught.value.problems == (("own", "no roll of 2d6 is recorded for it"),)


def test_a_formula_without_a_value_ends_the_run(state):
    with pytest.raises(FormulaError):
        taken(state, {"do": "let", "id": "a", "to": "1 / n"}, n=0)


def test_a_reroll_is_told_with_its_total_and_its_dice(state):
    dice = Fallen([4, 2, 3], [1, 6, 6])
    done = taken(
        state,
        {"do": "roll", "id": "own", "dice": "3d6", "label": "Your dice"},
        {"do": "reroll", "id": "own", "which": "all"},
        dice=dice,
    )
    assert [label for _id, _dice, label in dice.asked] == ["Your dice", "Your dice, again"]
    assert [(step.id, step.value, step.faces) for step in done.steps] == [
        ("own", 9, (4, 2, 3)),
        ("own", 13, (6, 1, 6)),  # the lowest first
    ]
    assert texts(done)[1] == "rerolled: 4 2 3 → 6 1 6"


def test_what_was_looked_up_or_recovered_is_told_with_its_figure(dockhand):
    state = dockhand(knacks=["knack/second-wind"]).character.state
    knack = next(h for h in state.holdings if h.entity.slug == "second-wind")
    for action in knack.entity.actions:
        state = state_changes.start_cooldown(state, knack, action)
    done = taken(
        state,
        {"do": "look_up", "id": "score", "value": "arm"},
        {"do": "look_up", "id": "wet", "condition": "state/soaked"},
        {"do": "change", "value": "vigour", "by": "-2"},
        {"do": "recover", "dice": "1d6", "if": "roll >= number"},
        dice=Fallen([4], [4]),
    )
    assert [(step.step, step.id, step.value) for step in done.steps] == [
        ("look_up", "score", 5),
        ("look_up", "wet", 0),
        ("change", "vigour", -2),
        ("recover", "knack/second-wind", 0),
        ("recover", "knack/second-wind", 1),
    ]


def test_a_procedure_for_other_units_is_not_called(refitted, dockhand):
    page = ("procedures.yaml", "  - id: bell\n", "  - id: bell\n    units: [boat]\n")
    state = dockhand(rules=refitted(page)).character.state
    with pytest.raises(ProcedureError) as refused:
        taken(state, {"do": "call", "procedure": "bell"})
    assert refused.value.problems == (("unit", "it does not apply to a Dockhand"),)


def test_the_steps_of_what_is_called_count_towards_the_most_of_a_run(state):
    """11 × 1,000 calls are 11,000 steps, and as many of the procedure that is called."""
    call = {"do": "call", "procedure": "mend", "with": {"amount": "0"}}
    endless = {**call, "repeat": {"while": "1", "at_most": 1000}}
    run(state, procedure(*[endless] * 9), {}, RunSettings(Fallen()))
    with pytest.raises(ProcedureError, match="more than 20,000 steps"):
        run(state, procedure(*[endless] * 11), {}, RunSettings(Fallen()))
