"""The format of a character file: a header, then one event per line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

import charforge
from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import write_answers
from charforge.character.files import document as document_module, reader, storage
from charforge.character.files.document import FILE_FORMAT, Document, Pin, character_id, to_text
from charforge.character.files.events import AdvanceEvent, AnswerEvent, SetEvent
from charforge.errors import DocumentError
from charforge.export import show_json
from charforge.expressions.template import has_unprintable
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import load_document
from charforge.usecases.create import create_character
from tests.samples import law

HERE = Path("somewhere.json")
KEYS = [
    "charforge", "id", "ruleset", "packs", "name", "seed", "character", "plan", "undone", "log",
]  # fmt: skip


def document(*events: AnswerEvent | AdvanceEvent | SetEvent, **header: object) -> Document:
    """Return a document with these events and a usual header."""
    fields = {
        "id": character_id("7"),
        "ruleset": "toy",
        "packs": [Pin(id="toy", version="1", hash="0")],
        "name": "Nix",
        "seed": "7",
        **header,
    }
    return Document(**fields, log=events)


def answered(n: int, decision: str, answer: object, group: int = 1) -> AnswerEvent:
    return AnswerEvent(n=n, group=group, decision=decision, answer=answer)


# ------------------------------------------------------------------ the text


def test_each_event_has_a_line_and_keys_have_an_order():
    made = document(
        SetEvent(n=1, group=1, name="Nix"),
        answered(2, "role", "role/the-tank"),
        answered(3, "attributes.assign", {"str": 6, "ftd": 5}),
        AdvanceEvent(n=4, group=2, level=2),
    )
    assert to_text(made).splitlines() == [
        "{",
        ' "charforge": 1,',
        f' "id": "{character_id("7")}",',
        ' "ruleset": "toy",',
        ' "packs": [{"id": "toy", "version": "1", "hash": "0"}],',
        ' "name": "Nix",',
        ' "seed": "7",',
        ' "character": {},',
        ' "plan": {},',
        ' "undone": [],',
        ' "log": [',
        '  {"n": 1, "group": 1, "do": "set", "name": "Nix"},',
        '  {"n": 2, "group": 1, "do": "answer", "decision": "role", "answer": "role/the-tank"},',
        '  {"n": 3, "group": 1, "do": "answer", "decision": "attributes.assign", '
        '"answer": {"str": 6, "ftd": 5}},',
        '  {"n": 4, "group": 2, "do": "advance", "level": 2}',
        " ]",
        "}",
    ]


@given(
    seed=st.text(max_size=20).filter(lambda text: not has_unprintable(text) and "\n" not in text)
)
def test_a_file_read_and_written_is_the_same(toy, seed):
    chance = RandomAnswers(seed)
    made = create_character(CharacterSpec(toy, seed, chance.name(toy.head.names)), chance)
    text = to_text(made)
    assert list(json.loads(text)) == KEYS
    assert reader.parse_document(text, HERE) == made
    assert to_text(reader.parse_document(text, HERE)) == text
    assert text.endswith("}\n")


@given(
    answer=st.recursive(
        st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.text(max_size=30),
        lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(), parts, max_size=3),
        max_leaves=8,
    )
)
def test_any_answer_survives_the_file(answer, tmp_path_factory):
    """Also control characters and half signs: what they mean is judged elsewhere."""
    made = document(answered(1, "story", answer))
    path = tmp_path_factory.mktemp("made") / "made.json"
    storage.save(made, path)
    assert reader.load(path).answers == {"story": answer}


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["role/the-tank", "system/quick", "str", "yes", "\ud800", "\x1b", "$x", "{"]),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.text(), parts, max_size=2),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def texts(rules):
    """Files of a few characters by chance."""
    level = min(4, rules.head.advancement.maximum)
    plans = [CharacterSpec(rules, str(seed), "Nix", level) for seed in range(6)]
    return [to_text(create_character(plan, RandomAnswers(plan.seed))) for plan in plans]


@law(few=10)
@given(seed=st.integers(0, 5), place=st.integers(0, 10**6), value=ANYTHING, whole=st.booleans())
def test_whatever_stands_in_one_place_nothing_stumbles(rules, texts, seed, place, value, whole):
    """A file with one value replaced is refused, or read with its problems told."""
    made = json.loads(texts[seed])
    event = made["log"][place % len(made["log"])]
    if whole:
        event[list(event)[place % len(event)]] = value
    elif isinstance(event.get("answer"), list) and event["answer"]:
        event["answer"][place % len(event["answer"])] = value
    else:
        event["answer"] = value
    try:
        opened = load_document(reader.parse_document(json.dumps(made), HERE), HERE, rules)
    except DocumentError as error:
        assert error.reason
        return
    shown = show_json.character(opened.character, opened.problems)
    assert shown.legal == (not shown.problems)
    assert all(problem.message for problem in shown.problems)
    assert write_answers(opened)
    assert reader.parse_document(to_text(opened.document), HERE) == opened.document


def test_signs_are_written_as_they_are():
    assert '"name": "Zoë 周 🜁"' in to_text(document(name="Zoë 周 🜁"))


def test_the_id_belongs_to_the_seed():
    assert character_id("7") == character_id("7")
    assert len({character_id(str(number)) for number in range(1000)}) == 1000
    assert len(character_id("7")) == 16


# ------------------------------------------------------------------ what the log says


def test_the_last_answer_counts_at_the_place_of_the_first():
    made = document(
        answered(1, "role", "role/the-tank"),
        answered(2, "money", 300),
        answered(3, "role", "role/the-scout"),
    )
    assert list(made.answers.items()) == [("role", "role/the-scout"), ("money", 300)]


def test_each_advance_is_a_level():
    assert document().level == 1
    made = document(AdvanceEvent(n=1, group=1, level=2), AdvanceEvent(n=2, group=2, level=3))
    assert made.level == 3


def test_the_last_of_each_table_rule_is_in_force():
    made = document(
        SetEvent(n=1, group=1, rule="cooldown", value="or_less"),
        SetEvent(n=2, group=1, rule="long_break", value="once"),
        SetEvent(n=3, group=1, rule="cooldown", value="or_more"),
    )
    assert made.rules == {"cooldown": "or_more", "long_break": "once"}


# ------------------------------------------------------------------ what it may not be


def test_a_document_cannot_be_changed():
    made = document(answered(1, "money", 300))
    with pytest.raises(ValidationError):
        made.name = "Bob"
    with pytest.raises(ValidationError):
        made.log[0].answer = 301


@pytest.mark.parametrize(
    ("numbers", "groups"),
    [
        ([2], [1]),
        ([1, 3], [1, 1]),
        ([1, 1], [1, 1]),
        ([1, 2], [2, 2]),
        ([1, 2], [1, 3]),
        ([1, 2, 3], [1, 2, 1]),
    ],
)
def test_numbers_and_groups_count_up_from_1(numbers, groups):
    events = [answered(n, "x", 1, group) for n, group in zip(numbers, groups, strict=True)]
    with pytest.raises(ValidationError, match=r"is in the place of|has group"):
        document(*events)


@pytest.mark.parametrize("field", ["name", "seed", "id", "ruleset"])
@pytest.mark.parametrize("text", ["a\x00b", "a\x1bb", "a\nb", "a\x7fb", "a\x9bb", "a\ud800b"])
def test_the_header_holds_no_control_characters_or_half_signs(field, text):
    with pytest.raises(
        ValidationError, match=r"Value error, it contains control characters|unicode"
    ):
        document(**{field: text})


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"name": None},
        {"rule": "cooldown"},
        {"value": "or_less"},
        {"name": "Nix", "rule": "cooldown", "value": "or_less"},
        {"name": "Nix", "value": "or_less"},
    ],
)
def test_a_set_event_sets_one_thing(fields):
    with pytest.raises(ValidationError, match="it must set exactly one of"):
        SetEvent(n=1, group=1, **fields)


def test_the_present_version_needs_no_migration():
    data = {"charforge": FILE_FORMAT, "log": []}
    assert document_module.migrate(dict(data)) == data
    assert FILE_FORMAT not in document_module.MIGRATIONS


def test_an_error_carries_its_file_and_reason():
    with pytest.raises(DocumentError) as caught:
        reader.parse_document('{"charforge": 99}', HERE)
    assert caught.value.path == HERE
    assert "format 99" in caught.value.reason
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("answer", "written"),
    [
        ("a\ud800b", b'"answer": "a\\ud800b"'),
        ({"str": 4, "\ud800": 3}, b'"answer": {"str": 4, "\\ud800": 3}'),
    ],
)
def test_a_broken_sign_in_an_answer_is_written_as_an_escape(tmp_path, answer, written):
    path = tmp_path / "made.json"
    made = document(answered(1, "story", answer))
    storage.save(made, path)
    assert written in path.read_bytes()
    assert reader.load(path) == made


def test_an_older_version_takes_each_step_up_to_the_present(monkeypatch):
    def step(name):
        return lambda data: {**data, "charforge": data["charforge"] + 1, name: data["charforge"]}

    monkeypatch.setattr(
        document_module, "MIGRATIONS", {FILE_FORMAT - 2: step("a"), FILE_FORMAT - 1: step("b")}
    )
    oldest = {"charforge": FILE_FORMAT - 2, "name": "Nix"}
    assert document_module.migrate(oldest) == {
        "charforge": FILE_FORMAT, "name": "Nix", "a": FILE_FORMAT - 2, "b": FILE_FORMAT - 1,
    }  # fmt: skip
    older = {"charforge": FILE_FORMAT - 1}
    assert document_module.migrate(older) == {"charforge": FILE_FORMAT, "b": FILE_FORMAT - 1}


def test_data_without_a_version_is_of_the_present_one(monkeypatch):
    monkeypatch.setattr(
        document_module, "MIGRATIONS", {FILE_FORMAT: lambda data: {**data, "next": True}}
    )
    assert document_module.migrate({}) == {"next": True}


# ------------------------------------------------------------------ the JSON Schema


SCHEMA = Path(charforge.__file__).parent / "character" / "character.schema.json"


def test_the_schema_is_that_of_the_model() -> None:
    """After a change: write ``Document.model_json_schema()`` to the file again."""
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == Document.model_json_schema()
