"""Play: dice, words, rulesets without a rule, and recorded runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.errors import ProcedureError, RuleRefusal, UnknownId, UsageError
from charforge.procedures import inputs as reading
from charforge.procedures.inputs import read_faces
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.models import Input, Procedure
from charforge.usecases.create import create_character
from charforge.verbs import manual_changes, play
from charforge.verbs.typed_inputs import PlannedRun, TypedInputs, parse_inputs
from charforge.verbs.unit_status import unit_status


@pytest.fixture
def keeper(toy) -> LoadedCharacter:
    """A keeper of the lighthouse: a ruleset without any rule for play."""
    chance = RandomAnswers("7")
    made = create_character(CharacterSpec(toy, "7", "Osk"), chance)
    return load_document(made, Path("osk.json"), toy)


def test_inputs_have_the_order_of_the_rule_in_whichever_they_were_typed(keeper):
    given = [Input(id=name, label=name, type="number") for name in ("one", "two")]
    typed = TypedInputs({"two": "2", "one": "1"})
    parsed = parse_inputs(
        keeper.character.state, PlannedRun("Climb", tuple(given), (), "character"), typed
    )
    assert list(parsed.inputs) == ["one", "two"]


@pytest.mark.parametrize("text", ["3,4", "3 4", " 3, 4 "])
def test_faces_are_read_with_commas_or_spaces(text):
    assert read_faces(text) == (3, 4)


# ------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("fields", "text", "read"),
    [
        ({}, "−3", -3),
        ({"type": "flag", "default": 0}, "Yes", 1),
        ({"type": "flag", "default": 0}, "off", 0),
        ({"type": "word", "options": ["full-rest", "nap"]}, "Full Rest", "full-rest"),
        ({"type": "value", "group": "knacks"}, "Sharp eyes", "eyes"),
        ({"type": "value", "group": "knacks"}, "EYES", "eyes"),
        ({"type": "amount"}, "1d6 + 2", "1d6 + 2"),
        ({"type": "text"}, " the gull ", "the gull"),
    ],
)
def test_a_word_is_read_by_the_type_of_its_input(toy, fields, text, read):
    assert (
        reading.read_input(toy, Input.model_validate({"id": "x", "label": "X", **fields}), text)
        == read
    )


@pytest.mark.parametrize(
    ("fields", "text", "why"),
    [
        ({}, "three", '"three" is not a whole number'),
        ({}, "9" * 5000, "not a whole number"),
        ({}, "1000000001", "it is larger than 1000000000"),
        ({"type": "flag", "default": 0}, "2", "not yes or no"),
        ({"type": "word", "options": ["short", "long"]}, "lng", "did you mean long"),
        ({"type": "value", "group": "knacks"}, "luck", "is not one of hands, eyes, nerve"),
        ({"type": "text"}, "a\x1b[0m", "control characters"),
    ],
)
def test_a_word_that_cannot_be_meant_says_why(toy, fields, text, why):
    with pytest.raises(ValueError, match=why):
        reading.read_input(toy, Input.model_validate({"id": "x", "label": "X", **fields}), text)


def test_only_what_is_needed_is_asked_for(toy, keeper):
    """Of three inputs one has a default, one is optional: the third alone is asked."""
    climb = Procedure.model_validate(
        {
            "id": "climb",
            "label": "Climb",
            "source": "rule/keeping",
            "inputs": [
                {"id": "steps", "label": "Steps"},
                {"id": "wet", "label": "Wet?", "type": "flag", "default": 0},
                {"id": "who", "label": "Who?", "type": "text", "optional": True},
            ],
            "steps": [{"do": "let", "id": "total", "to": "steps * 2"}],
        }
    )
    asked = []

    def ask(one, options, read):
        assert options == ()
        asked.append(one.id)
        return read("13")

    state = keeper.character.state
    heard = parse_inputs(
        state, PlannedRun.of_procedure(climb, state.units[0].id), TypedInputs(ask=ask)
    )
    assert (asked, heard.inputs) == (["steps"], {"steps": 13})
    with pytest.raises(ProcedureError) as refused:
        parse_inputs(
            state, PlannedRun.of_procedure(climb, state.units[0].id), TypedInputs({"wte": "1"})
        )
    assert refused.value.problems == (
        ("wte", "there is no such input; did you mean wet?"),
        ("steps", "missing: Steps"),
    )


def test_what_the_verb_takes_itself_is_told_apart_from_what_else_is_missing(keeper):
    """``hours`` was the verb's to say; ``wait`` nobody but the rule asks for."""
    nap = Procedure.model_validate(
        {
            "id": "nap",
            "label": "Nap",
            "source": "rule/keeping",
            "inputs": [{"id": "hours", "label": "Hours"}, {"id": "wait", "label": "Wait"}],
            "steps": [{"do": "let", "id": "total", "to": "hours + wait"}],
        }
    )
    state = keeper.character.state
    with pytest.raises(ProcedureError) as refused:
        parse_inputs(
            state, PlannedRun.of_procedure(nap, state.units[0].id), TypedInputs().also(hours=None)
        )
    assert refused.value.missing == ("hours", "wait")
    with pytest.raises(ProcedureError) as refused:
        parse_inputs(
            state, PlannedRun.of_procedure(nap, state.units[0].id), TypedInputs().also(hours="x")
        )
    assert refused.value.missing == ("wait",)


# ------------------------------------------------------------------ a ruleset without play


@pytest.mark.parametrize(
    ("act", "what"),
    [
        (lambda opened: play.apply_damage(opened, 3), "damage"),
        (lambda opened: play.apply_healing(opened, 3), "healing"),
        (lambda opened: play.roll_check(opened, "eyes", 5), "a check"),
        (play.start_or_end_turn, "a turn"),
        (lambda opened: play.start_or_end_turn(opened, end=True), "the end of a turn"),
        (lambda opened: play.take_rest(opened, "short"), "a rest"),
    ],
    ids=["damage", "heal", "check", "turn", "turn end", "rest"],
)
def test_a_ruleset_that_lacks_a_rule_says_so(keeper, act, what):
    with pytest.raises(UsageError) as refused:
        act(keeper)
    assert refused.value.reason == f"The Long Light has no rule for {what}"


def test_what_needs_no_rule_works_in_any_game(keeper):
    """Warmth is a resource of every keeper; the lantern carries three wicks."""
    warmth = keeper.character.state.values().base("warmth")
    done = manual_changes.spend_resource(keeper, "warmth", 2)
    assert done.after.character.state.values().base("warmth") == warmth - 2
    with pytest.raises(RuleRefusal, match=f"only {warmth - 2} Warmth left, not {warmth}"):
        manual_changes.spend_resource(done.after, "warmth", warmth)
    trimmed = play.use_named(done.after, "lantern")
    assert "Lantern: Wicks 2/3" in unit_status(trimmed.after.character.state).items
    spent = manual_changes.spend_resource(trimmed.after, "Wicks", 2)
    with pytest.raises(RuleRefusal, match="needs 1 Wicks; you have 0"):
        play.use_named(spent.after, "lantern")
    with pytest.raises(UnknownId, match="no condition"):
        manual_changes.change_condition(keeper, "prone")
    noted = manual_changes.add_note(keeper, "Fog all night.", "1899-12-01 04:00")
    assert noted.after.document.log[-1].at == "1899-12-01 04:00"


def test_a_unit_that_rests_with_the_character_has_the_inputs_it_settles_itself(refitted, dockhand):
    """The terrier always naps 2 hours, its dockhand 1 unless the player says more."""
    rules = refitted(
        ("ruleset.yaml", "    label: Dog\n", "    label: Dog\n    shares_turn: true\n"),
        ("things.yaml", "name: Terrier\n", "name: Terrier\n    supplies: {nap: {hours: 2}}\n"),
    )  # fmt: skip
    opened = dockhand(rules=rules, knacks=["knack/kennel"], knacks__kennel__dog="dog/terrier")
    done = play.take_rest(opened, "nap")
    napped = {event.unit: event.inputs for event in done.after.document.log[-2:]}
    assert napped == {"character": {}, "knacks.kennel.dog": {"hours": 2}}


def test_a_rest_has_its_id_its_name_and_their_first_letters(dockhand):
    for named in ("nap", "A nap", "a n", "NA"):
        assert play.take_rest(dockhand(), named).after.document.log[-1].procedure == "nap"
    with pytest.raises(UnknownId, match="doze"):
        play.take_rest(dockhand(), "doze")
