"""Events in the file: only the necessary fields, and they read back as written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st
from pydantic import TypeAdapter, ValidationError

from charforge.character.files import reader
from charforge.character.files.document import (
    Document,
    LoggedEvent,
    character_id,
    former_pins,
    logged_name,
    planned_answers,
    to_text,
    updated_pins,
)
from charforge.character.files.events import (
    EVENT_TYPES,
    PLAY_EVENTS,
    AbilityEvent,
    AcquireEvent,
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    CarryEvent,
    ConditionEvent,
    CooldownEvent,
    DropEvent,
    Event,
    NoteEvent,
    Override,
    Pin,
    PlanEvent,
    ProcedureEvent,
    ResourceEvent,
    SetEvent,
)
from charforge.errors import DocumentError
from charforge.expressions.template import has_unprintable
from charforge.limits import LARGEST_AMOUNT

HERE = Path("somewhere.json")
PIN = Pin(id="toy", version="1", hash="ab")
READ: TypeAdapter[AnyEvent] = TypeAdapter(LoggedEvent)


def document(*log: AnyEvent, undone: tuple[AnyEvent, ...] = (), **header: Any) -> Document:
    fields: dict[str, Any] = {
        "id": character_id("7"),
        "ruleset": "harbour",
        "packs": (Pin(id="harbour", version="1", hash="0"),),
        "name": "Ada",
        "seed": "7",
        **header,
    }
    return Document(**fields, undone=undone, log=log)


def spelt(event: AnyEvent) -> dict[str, Any]:
    """Return an event as its line of the file says it."""
    text = to_text(document(event.model_copy(update={"n": 1, "group": 1})))
    line = next(line for line in text.splitlines() if line.startswith('  {"n"'))
    found: dict[str, Any] = json.loads(line)
    return found


# --------------------------------------------------------------------------- what each says


@pytest.mark.parametrize(
    "said",
    [
        {"do": "answer", "decision": "motto", "answer": None},
        {"do": "answer", "decision": "a", "answer": [], "now": True,
         "override": {"by": "G", "reason": "r"}},
        {"do": "advance", "level": 2},
        {"do": "advance", "level": 3, "unit": "boat"},
        {"do": "set", "name": "Ada"},
        {"do": "set", "name": "Rex", "unit": "dog"},
        {"do": "set", "rule": "tide", "value": "flow"},
        {"do": "set", "packs": [{"id": "toy", "version": "1", "hash": "ab"}], "former": []},
        {"do": "plan", "decision": "x", "answer": [3]},
        {"do": "plan", "decision": "x", "answer": None, "drop": True},
        {"do": "acquire", "entity": "gear/hook"},
        {"do": "acquire", "entity": "g/h", "quantity": 2, "price": 0, "unit": "d", "granted": True,
         "note": "x"},
        {"do": "part", "holding": "event.3"},
        {"do": "part", "holding": "a", "quantity": 2, "price": 0},
        {"do": "carry", "how": "hold", "holding": "a"},
        {"do": "carry", "how": "stow", "holding": "a"},
        {"do": "carry", "how": "wear", "holding": "a"},
        {"do": "change", "value": "luck", "by": 0},
        {"do": "change", "value": "bolts", "by": -1, "unit": "d", "holding": "a", "note": "x"},
        {"do": "condition", "condition": "state/soaked"},
        {"do": "condition", "condition": "s/m", "unit": "d", "amount": 1, "off": True,
         "about": "Bo"},
        {"do": "play", "procedure": "bell"},
        {"do": "play", "procedure": "p", "unit": "d", "inputs": {"a": 0, "b": "c"},
         "faces": {"r": [[1]]}},
        {"do": "use", "holding": "a", "ability": "Breathe"},
        {"do": "use", "holding": "a", "ability": "b", "unit": "d", "untrained": True,
         "inputs": {"x": 1}},
        {"do": "note", "text": "Rain."},
        {"do": "note", "text": "Rain.", "at": "today"},
    ],
)  # fmt: skip
def test_an_event_says_only_what_is_not_usual(said):
    line = {"n": 1, "group": 1, **said}
    assert spelt(READ.validate_python(line)) == line


def test_every_kind_of_event_has_its_own_word():
    words = [kind.model_fields["do"].default for kind in EVENT_TYPES]
    assert set(EVENT_TYPES) == set(get_args(AnyEvent))
    assert len(set(words)) == len(words) == len(EVENT_TYPES)
    assert set(PLAY_EVENTS) < set(EVENT_TYPES)


# --------------------------------------------------------------------------- any event at all

WORDS = st.text(max_size=12).filter(lambda text: not has_unprintable(text) and "\n" not in text)
FULL = WORDS.filter(bool)
COUNT = st.integers(1, 100_000)
MONEY = st.none() | st.integers(0, LARGEST_AMOUNT)
FACES = st.dictionaries(WORDS, st.lists(st.lists(st.integers(-9, 99), max_size=3), max_size=2),
                        max_size=2)  # fmt: skip
INPUTS = st.dictionaries(WORDS, st.integers(-(10**9), 10**9) | WORDS, max_size=3)
DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | WORDS,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(WORDS, parts, max_size=2),
    max_leaves=5,
)
ALLOWED = st.none() | st.builds(Override, by=FULL, reason=FULL)
NUMBERED: dict[str, Any] = {"n": st.just(1), "group": st.just(1)}
PINS = st.lists(st.builds(Pin, id=WORDS, version=WORDS, hash=WORDS), max_size=2).map(tuple)
EVENTS: dict[type[Event], st.SearchStrategy[Any]] = {
    AnswerEvent: st.builds(
        AnswerEvent, **NUMBERED, decision=WORDS, answer=DATA, now=st.booleans(), override=ALLOWED
    ),
    AdvanceEvent: st.builds(
        AdvanceEvent, **NUMBERED, level=st.integers(2, 99), unit=st.none() | WORDS
    ),
    SetEvent: st.builds(SetEvent, **NUMBERED, name=WORDS, unit=st.none() | WORDS)
    | st.builds(SetEvent, **NUMBERED, rule=WORDS, value=WORDS)
    | st.builds(SetEvent, **NUMBERED, packs=PINS, former=PINS),
    PlanEvent: st.builds(PlanEvent, **NUMBERED, decision=WORDS, answer=DATA, drop=st.booleans()),
    AcquireEvent: st.builds(
        AcquireEvent, **NUMBERED, entity=WORDS, quantity=COUNT, price=MONEY, unit=WORDS,
        granted=st.booleans(), note=WORDS,
    ),
    DropEvent: st.builds(
        DropEvent, **NUMBERED, holding=WORDS, quantity=COUNT, price=MONEY, note=WORDS
    ),
    CarryEvent: st.builds(
        CarryEvent, **NUMBERED, how=st.sampled_from(["hold", "stow", "wear", "take-off"]),
        holding=WORDS, counted=st.booleans(),
    ),
    ResourceEvent: st.builds(
        ResourceEvent, **NUMBERED, value=WORDS, by=st.integers(-LARGEST_AMOUNT, LARGEST_AMOUNT),
        unit=WORDS, holding=st.none() | WORDS, note=WORDS,
    ),
    ConditionEvent: st.builds(
        ConditionEvent, **NUMBERED, condition=WORDS, unit=WORDS, amount=st.none() | COUNT,
        off=st.booleans(), about=WORDS,
    ),
    CooldownEvent: st.builds(
        CooldownEvent, **NUMBERED, holding=WORDS, ability=WORDS, unit=WORDS, off=st.booleans()
    ),
    ProcedureEvent: st.builds(
        ProcedureEvent, **NUMBERED, procedure=WORDS, unit=WORDS, inputs=INPUTS, faces=FACES
    ),
    AbilityEvent: st.builds(
        AbilityEvent, **NUMBERED, holding=WORDS, ability=WORDS, unit=WORDS, untrained=st.booleans(),
        inputs=INPUTS, faces=FACES,
    ),
    NoteEvent: st.builds(NoteEvent, **NUMBERED, text=FULL, at=WORDS),
}  # fmt: skip


def numbered(events: list[Any], start: int = 0, group: int = 0) -> tuple[Any, ...]:
    """Return events counted on from ``start``, two to a group after ``group``."""
    return tuple(
        event.model_copy(update={"n": start + at + 1, "group": group + at // 2 + 1})
        for at, event in enumerate(events)
    )


def test_every_kind_of_event_is_drawn():
    assert set(EVENTS) == set(EVENT_TYPES) - {Event}


@given(st.one_of(*EVENTS.values()))
def test_any_event_reads_back_as_it_was_written(event):
    said = spelt(event)
    assert READ.validate_python(said) == event
    usual = {name for name, field in type(event).model_fields.items() if field.default is not None}
    assert set(said) <= set(type(event).model_fields)
    for name in usual - {"n", "group", "do", "answer"}:
        assert said.get(name) != type(event).model_fields[name].default


@given(
    st.lists(st.one_of(*EVENTS.values()), min_size=1, max_size=5),
    st.lists(st.one_of(*EVENTS.values()), max_size=3),
)
def test_any_log_survives_the_file_with_what_was_undone(events, more):
    log = numbered(events)
    made = document(*log, undone=numbered(more, len(log), log[-1].group))
    text = to_text(made)
    assert reader.parse_document(text, HERE) == made
    assert to_text(reader.parse_document(text, HERE)) == text
    assert len([line for line in text.splitlines() if line.startswith('  {"n"')]) == len(
        events
    ) + len(more)


# --------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (SetEvent, {}),
        (SetEvent, {"rule": "tide"}),
        (SetEvent, {"value": "flow"}),
        (SetEvent, {"unit": "dog"}),
        (SetEvent, {"packs": (PIN,)}),
        (SetEvent, {"packs": (PIN,), "former": (PIN,), "name": "Ada"}),
        (SetEvent, {"name": "Ada", "rule": "tide", "value": "flow"}),
        (SetEvent, {"rule": "tide", "value": "flow", "unit": "dog"}),
        (AdvanceEvent, {"level": 1}),
        (AcquireEvent, {"entity": "x", "quantity": 0}),
        (AcquireEvent, {"entity": "x", "quantity": 1.5}),
        (AcquireEvent, {"entity": "x", "price": -1}),
        (DropEvent, {"holding": "x", "quantity": 100_001}),
        (ResourceEvent, {"value": "x", "by": LARGEST_AMOUNT + 1}),
        (ResourceEvent, {"value": "x", "by": "1"}),
        (ConditionEvent, {"condition": "x", "amount": 0}),
        (ProcedureEvent, {"procedure": "x", "faces": {"r": [["3"]]}}),
        (ProcedureEvent, {"procedure": "x", "inputs": {"a": [1]}}),
        (AbilityEvent, {"holding": "x", "ability": "y\x1b"}),
        (NoteEvent, {"text": ""}),
        (NoteEvent, {"text": "a\nb"}),
        (NoteEvent, {"text": "a" * 2001}),
        (CarryEvent, {"how": "hold", "holding": "x", "zeal": 1}),
        (AnswerEvent, {"decision": "x", "answer": 1, "override": {"by": "", "reason": "r"}}),
    ],
)
def test_an_event_that_says_something_else_is_none(kind, fields):
    with pytest.raises(ValidationError):
        kind(n=1, group=1, **fields)


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ([(2, 1)], "event 2 is in the place of event 1"),
        ([(1, 1), (3, 1)], "event 3 is in the place of event 2"),
        ([(1, 2)], "event 1 has group 2 at the start"),
        ([(1, 1), (2, 3)], "event 2 has group 3 after group 1"),
        ([(1, 1), (2, 2), (3, 1)], "event 3 has group 1 after group 2"),
    ],
)
def test_a_log_counts_up(events, reason):
    with pytest.raises(ValidationError, match=reason):
        document(*(NoteEvent(n=n, group=group, text="x") for n, group in events))


@pytest.mark.parametrize(
    ("undone", "reason"),
    [
        ([(2, 2)], "event 2 is in the place of event 3"),
        ([(4, 2)], "event 4 is in the place of event 3"),
        ([(3, 1)], "the undone changes continue in the middle of group 1"),
        ([(3, 3)], "event 3 has group 3 after group 1"),
        ([(3, 2), (4, 2), (5, 4)], "event 5 has group 4 after group 2"),
    ],
)
def test_what_was_undone_goes_on_with_the_log(undone, reason):
    log = tuple(NoteEvent(n=n, group=1, text="x") for n in (1, 2))
    found = tuple(NoteEvent(n=n, group=group, text="x") for n, group in undone)
    with pytest.raises(ValidationError, match=reason):
        document(*log, undone=found)
    text = to_text(document(*log).model_copy(update={"undone": found}))
    with pytest.raises(DocumentError, match=reason):
        reader.parse_document(text, HERE)


@pytest.mark.parametrize(
    ("undos", "reason"),
    [
        ((3,), '"undos" counts 3 groups, but 2 were undone'),
        ((1, 2), '"undos" counts 3 groups, but 2 were undone'),
        ((0,), "greater than or equal to 1"),
    ],
)
def test_no_undo_took_more_than_was_undone(undos, reason):
    log = (NoteEvent(n=1, group=1, text="x"),)
    undone = tuple(NoteEvent(n=n, group=n, text="x") for n in (2, 3))
    with pytest.raises(ValidationError, match=reason):
        document(*log, undone=undone, undos=undos)


def test_an_undo_of_one_group_need_not_be_counted():
    log = (NoteEvent(n=1, group=1, text="x"),)
    undone = tuple(NoteEvent(n=n, group=n, text="x") for n in (2, 3))
    assert "undos" not in to_text(document(*log, undone=undone))
    both = document(*log, undone=undone, undos=(2,))
    assert ' "undos": [2],' in to_text(both).splitlines()
    assert reader.parse_document(to_text(both), HERE) == both


def test_a_fault_in_what_was_undone_is_named_by_its_line(tmp_path):
    log = (NoteEvent(n=1, group=1, text="x"),)
    text = to_text(document(*log, undone=(CarryEvent(n=2, group=2, how="hold", holding="a"),)))
    faulty = text.replace('"how": "hold"', '"how": "hodl"')
    line = next(at for at, part in enumerate(faulty.splitlines(), 1) if "hodl" in part)
    path = tmp_path / "ada.json"
    path.write_text(faulty, encoding="utf-8")
    with pytest.raises(DocumentError, match=f"line {line}, undone entry 1 how: .*hold, stow, wear"):
        reader.load(path)


# --------------------------------------------------------------------------- what a log says


def intent(n: int, decision: str, answer: Any = None, drop: bool = False) -> PlanEvent:
    return PlanEvent(n=n, group=1, decision=decision, answer=answer, drop=drop)


def test_an_intention_stands_until_it_is_carried_out_changed_or_dropped():
    log: list[AnyEvent] = [intent(1, "a", 1), intent(2, "b", 2), intent(3, "c", 3)]
    assert planned_answers(log) == {"a": 1, "b": 2, "c": 3}
    log += [intent(4, "a", 4), intent(5, "b", drop=True)]
    assert planned_answers(log) == {"c": 3, "a": 4}
    log.append(AnswerEvent(n=6, group=1, decision="c", answer=9))
    assert list(planned_answers(log).items()) == [("a", 4)]


def test_the_name_is_the_last_one_of_the_character():
    log = [
        SetEvent(n=1, group=1, name="Ada"),
        SetEvent(n=2, group=1, name="Bo"),
        SetEvent(n=3, group=1, name="Rex", unit="dog"),
        SetEvent(n=4, group=1, rule="tide", value="flow"),
    ]
    assert (logged_name(log), logged_name(log[:1]), logged_name(log[2:])) == ("Bo", "Ada", "")


def test_the_document_reads_its_log():
    made = document(
        SetEvent(n=1, group=1, rule="tide", value="flow"),
        AnswerEvent(n=2, group=1, decision="a", answer=1),
        AdvanceEvent(n=3, group=2, level=2),
        AnswerEvent(n=4, group=2, decision="b", answer=2),
        AdvanceEvent(n=5, group=3, level=2, unit="boat"),
        AnswerEvent(n=6, group=4, decision="a", answer=3),
        AnswerEvent(n=7, group=4, decision="b", answer=4, now=True),
        SetEvent(n=8, group=5, rule="tide", value="ebb"),
    )
    assert (made.level, made.group, made.rules) == (2, 5, {"tide": "ebb"})
    assert list(made.answers.items()) == [("a", 3), ("b", 2)]


def test_the_packs_of_a_log_are_those_of_its_last_update_and_before_its_first():
    one, two, three = (PIN.model_copy(update={"version": version}) for version in "123")
    log = [
        SetEvent(n=1, group=1, name="Ada"),
        SetEvent(n=2, group=2, packs=(two,), former=(one,)),
        SetEvent(n=3, group=3, packs=(three,), former=(two,)),
    ]
    assert (updated_pins(log), updated_pins(log[:2]), updated_pins(log[:1])) == (
        (three,),
        (two,),
        (),
    )
    assert (former_pins(log), former_pins(log[2:]), former_pins(log[:1])) == ((one,), (two,), ())
