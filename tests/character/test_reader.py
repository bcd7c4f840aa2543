"""Errors in character files: each with its place and what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from charforge.character.files import reader, storage
from charforge.character.files.document import Document
from charforge.character.files.events import MOST_ERRORS
from charforge.character.files.reader import (
    MAKE_ADVICE,
    MAX_DIGITS,
    MAX_DOCUMENT_LENGTH,
    MAX_EVENTS,
    MAX_SHOWN,
    UNTOUCHED,
    line_of,
)
from charforge.errors import DocumentError
from charforge.limits import MAX_FILE_BYTES
from charforge.rules.loading import yaml_reader

HEAD: dict[str, Any] = {
    "charforge": 1, "id": "x", "ruleset": "toy", "packs": [], "name": "Nix", "seed": "7",
    "character": {}, "plan": {}, "undone": [], "log": [],
}  # fmt: skip
NOTE: dict[str, Any] = {"n": 1, "group": 1, "do": "note", "text": "Rain."}
PLAY: dict[str, Any] = {"n": 1, "group": 1, "do": "play", "procedure": "check"}
HERE = Path("somewhere.json")
Refused = Callable[[str | bytes], DocumentError]


@pytest.fixture
def refused(tmp_path: Path) -> Refused:
    """Write a file that must be refused and stay as it is; return how it was."""

    def refused(content: str | bytes) -> DocumentError:
        path = tmp_path / "nix.json"
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(data)
        with pytest.raises(DocumentError) as caught:
            reader.load(path)
        assert caught.value.path == path
        assert path.read_bytes() == data
        return caught.value

    return refused


def document(*log: dict[str, Any], **more: Any) -> str:
    return json.dumps({**HEAD, "log": list(log), **more})


# ------------------------------------------------------------------ files


def test_a_file_that_is_read_is_its_bytes_and_its_text(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes("Zoë\r\n".encode("utf-8-sig"))
    assert reader.read_bytes(path) == b"\xef\xbb\xbfZo\xc3\xab\r\n"
    assert reader.read_text(path) == "Zoë\r\n"


@pytest.mark.parametrize("content", [b"", b" \n\t\r\n"])
def test_a_file_with_nothing_in_it_is_empty(refused: Refused, content: bytes) -> None:
    error = refused(content)
    assert error.reason == "the file is empty"
    assert error.advice == "Use a backup, or create the character again."


def test_a_file_of_other_bytes_is_no_text(refused: Refused) -> None:
    error = refused(b"\xff\xfe{}")
    assert error.reason == "this is not a text file (see line 1)"
    assert error.advice == "If it is one, save it with UTF-8 encoding."
    assert refused('{\n "name": "Zoë"}'.encode("latin-1")).reason.endswith("(see line 2)")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        reader.read_bytes(tmp_path)
    assert caught.value.path == tmp_path
    assert caught.value.reason == "this is a folder, not a file"


def test_what_the_system_will_not_read_is_told_in_its_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    path = tmp_path / "file" / "nix.json"
    with pytest.raises(DocumentError) as caught:
        reader.read_bytes(path)
    assert caught.value.path == path
    assert caught.value.reason == "it cannot be read: Not a directory"


def test_a_file_of_the_largest_size_is_read_and_one_byte_more_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MAX_FILE_BYTES", 10)
    path = tmp_path / "nix.json"
    path.write_bytes(b"1234567890")
    assert reader.read_bytes(path) == b"1234567890"
    path.write_bytes(b"12345678901")
    with pytest.raises(DocumentError) as caught:
        reader.read_bytes(path)
    assert caught.value.path == path
    assert caught.value.reason == "it is too large (more than 0 MB)"
    assert caught.value.advice == UNTOUCHED
    assert MAX_FILE_BYTES == 50_000_000


def test_a_missing_file_is_named_with_the_nearest_of_its_sort(tmp_path: Path) -> None:
    (tmp_path / "nix.json").write_bytes(b"x")
    (tmp_path / "nyx.yaml").write_bytes(b"x")
    path = tmp_path / "nyx.json"
    with pytest.raises(DocumentError) as caught:
        reader.load(path)
    assert caught.value.path == path
    assert caught.value.reason == "this file does not exist"
    assert caught.value.advice == f"Did you mean {tmp_path / 'nix.json'}?"


@pytest.mark.parametrize("name", ["somebody-else.json", "nowhere/nix.json"])
def test_a_missing_file_among_unlike_ones_gets_no_guess(tmp_path: Path, name: str) -> None:
    (tmp_path / "nix.json").write_bytes(b"x")
    with pytest.raises(DocumentError) as caught:
        reader.load(tmp_path / name)
    assert (caught.value.reason, caught.value.advice) == ("this file does not exist", "")


@pytest.mark.parametrize("damage", [None, b"", b"{"])
def test_where_versions_are_kept_the_way_back_is_named(
    tmp_path: Path, damage: bytes | None
) -> None:
    path = tmp_path / "the nix.json"
    for content in (b"1", b"2"):
        storage.save_bytes(path, content)
    path.unlink()
    if damage is not None:
        path.write_bytes(damage)
    with pytest.raises(DocumentError) as caught:
        reader.load(path)
    assert caught.value.advice == f"To get it back: charforge restore '{path}'."


def test_where_no_version_is_kept_no_way_back_is_named(tmp_path: Path) -> None:
    """The folder of versions has a lock, and nothing else."""
    path = tmp_path / "nix.json"
    path.write_bytes(b"1")
    with storage.locked(path):
        path.unlink()
    with pytest.raises(DocumentError) as caught:
        reader.load(path)
    assert caught.value.advice == ""


# ------------------------------------------------------------------ JSON


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{\n", "the file ends too early, at line 2, column 1"),
        ('{"charforge": 1', "the file ends too early, at line 1, column 16"),
        (
            '{"charforge": 1, "name": "Ni',
            "the file ends too early, inside the text that begins at line 1, column 26",
        ),
        (
            '{"charforge": 1,\n "name" "Nix", "x": 1}',
            "line 2, column 9: a colon is missing after a key",
        ),
        (
            '{"charforge": 1\n "name": "Nix"}',
            "line 2, column 2: a comma is missing before this, or a quote",
        ),
        (
            "charforge: 1\nname: Nix\n",
            "line 1, column 1: something is missing here, or text is not in double",
        ),
        ('{"charforge": 1,\n}', "line 2, column 1: remove the comma after the last"),
        ('{"a": }', "line 1, column 7: something is missing here"),
        ('{"a": [}', "line 1, column 8: something is missing here"),
        ("{'charforge': 1}", "line 1, column 2: a key in double quotes is missing"),
        ("// Nix\n{}", "line 1, column 1: comments are not allowed"),
        ('{"charforge": True}', "line 1, column 15: write true, false and null in lower"),
        ('{"name": "N\\x"}', "line 1, column 12: write a backslash in text twice"),
        ('{"name": "N\nx"}', "line 1, column 12: text must end on the line"),
        (
            '{"a": 1,\n<<<<<<< ours\n"b": 2\n=======\n"b": 3\n>>>>>>> theirs\n}',
            "line 2: there are merge conflict marks here",
        ),
        ("{}\n{}", "there is extra text after the end of the data at line 2, column 1"),
        ("{} ]", "there is extra text after the end of the data at line 1, column 4"),
        ('{"a": "x\ty"}', "line 1, column 9: text contains a tab"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(refused: Refused, text: str, reason: str) -> None:
    error = refused(text)
    assert error.reason.removeprefix("this is not valid JSON: ").startswith(reason)
    assert error.advice == "Fix that line and try again."


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ('{"a": 1, "b": 2, "b": 3, "a": 4}', 'the key "a" appears twice'),
        ('{"a": 1,\n"b": {"c": 2,\n"c": 3}}', 'line 3: the key "c" appears twice'),
        ("1" * (MAX_DIGITS + 1), "line 1: the number 11111111… has 19 digits"),
        ("-" + "1" * (MAX_DIGITS + 1), "line 1: the number -1111111… has 19 digits"),
        ("1e999", "line 1: 1e999 is not a valid number"),
        ('{"a": "1e999",\n"b": 1e999}', "line 2: 1e999 is not a valid number"),
        ("-1" + "0" * 30 + "e999", "line 1: -1000000000000000000 is not a valid number"),
        ("NaN", "line 1: NaN is not a valid number"),
        ("-Infinity", "line 1: -Infinity is not a valid number"),
        ("[" * 51 + "]" * 51, "too many nested brackets"),
        ('{"a":' * 51 + "1" + "}" * 51, "too many nested brackets"),
        ("[" * 100_000, "too many nested brackets"),
    ],
)
def test_json_that_no_character_needs_is_refused(value: str, reason: str) -> None:
    with pytest.raises(DocumentError) as caught:
        reader.parse_json(value, HERE)
    assert caught.value.path == HERE
    assert caught.value.reason == f"this character file has an error: {reason}"
    assert caught.value.advice == UNTOUCHED


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("-" + "1" * MAX_DIGITS, -int("1" * MAX_DIGITS)),
        ("1" * MAX_DIGITS, int("1" * MAX_DIGITS)),
        ("-1.5e3", -1500.0),
        ('[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
        (" null\n", None),
    ],
)
def test_json_that_a_character_may_hold_is_read(text: str, data: object) -> None:
    assert reader.parse_json(text, HERE) == data


def test_as_deep_as_may_be_is_read() -> None:
    data = reader.parse_json("[" * 50 + "]" * 50, HERE)
    for _level in range(49):
        [data] = data
    assert data == []


# ------------------------------------------------------------------ documents


@pytest.mark.parametrize("text", ["[]", "3", "null", '"charforge"', '["charforge"]', '{"x": 1}'])
def test_json_without_a_version_is_no_character(refused: Refused, text: str) -> None:
    error = refused(text)
    assert (error.reason, error.advice) == ("this is not a character file", "")


def test_an_answers_file_is_told_from_a_character(refused: Refused) -> None:
    error = refused("ruleset: toy\nanswers:\n  post: post/boatman\n")
    assert (error.reason, error.advice) == (
        "this is an answers file, not a character file",
        MAKE_ADVICE,
    )


def test_what_only_looks_like_answers_inside_json_is_no_answers_file(refused: Refused) -> None:
    assert "answers file" not in refused('\n {"charforge": 1,\nanswers:\n 1}').reason


@pytest.mark.parametrize("version", ["true", "0", "-1", '"1"', "1.0", "null", "[1]"])
def test_what_is_no_version_is_said(refused: Refused, version: str) -> None:
    error = refused(f'{{"charforge": {version}}}')
    assert error.reason == "this is not a character file (its format number is invalid)"
    assert error.advice == ""


def test_more_characters_than_may_be_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = document(NOTE)
    monkeypatch.setattr(reader, "MAX_DOCUMENT_LENGTH", len(text))
    assert reader.parse_document(text, HERE).name == "Nix"
    monkeypatch.setattr(reader, "MAX_DOCUMENT_LENGTH", len(text) - 1)
    with pytest.raises(DocumentError) as caught:
        reader.parse_document(text, HERE)
    assert caught.value.path == HERE
    assert caught.value.reason == "it is too large for a character file (more than 0 MB)"
    assert caught.value.advice == UNTOUCHED
    assert (MAX_DOCUMENT_LENGTH, MAX_EVENTS) == (5_000_000, 20_000)


@pytest.mark.parametrize("key", ["log", "undone"])
def test_more_events_than_may_be_are_refused(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setattr(reader, "MAX_EVENTS", 2)
    notes = [{**NOTE, "n": n, "group": n} for n in (1, 2, 3)]
    assert len(reader.parse_document(document(*notes[:2]), HERE).log) == 2
    with pytest.raises(DocumentError) as caught:
        reader.parse_document(json.dumps({**HEAD, key: notes}), HERE)
    assert caught.value.path == HERE
    assert (caught.value.reason, caught.value.advice) == (
        "it has more than 2 history entries",
        UNTOUCHED,
    )


def test_what_does_not_fit_is_told_with_line_and_key(tmp_path: Path) -> None:
    path = tmp_path / "nix.json"
    second = {"n": 2, "group": 1, "do": "carry", "how": "hold"}
    text = document(NOTE, second).replace(', {"n": 2', ',\n{"n": 2')
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DocumentError) as caught:
        reader.load(path)
    assert caught.value.reason.startswith(
        "this character file has errors: line 2, event 2 holding: "
    )
    assert caught.value.reason.count(";") == 0
    assert caught.value.advice == UNTOUCHED


def test_without_a_file_only_the_key_is_told() -> None:
    with pytest.raises(DocumentError) as caught:
        reader.parse_document(document(NOTE, {**NOTE, "n": "two"}), HERE)
    assert caught.value.reason.startswith("this character file has errors: event 2 n: ")


def test_the_line_is_found_in_a_large_file_too(tmp_path: Path) -> None:
    path = tmp_path / "nix.json"
    notes = [{**NOTE, "n": n, "group": n} for n in range(1, 10_001)]
    path.write_text(
        document(*notes, {**NOTE, "n": "two"}).replace('{"n"', '\n{"n"'), encoding="utf-8"
    )
    with pytest.raises(DocumentError) as caught:
        reader.load(path)
    assert caught.value.reason.startswith(
        "this character file has errors: line 10002, event 10001 n: "
    )


MANY = 5_000
DAMAGED: dict[str, dict[str, Any]] = {
    "undos": {"undos": [0] * MANY},
    "packs": {"packs": [0] * MANY},
    "undone": {"undone": [{"do": "note"}] * MANY},
    "log": {"log": [{"do": "note"}] * MANY},
    "dice": {"log": [{**PLAY, "faces": {"own": [["x"] * MANY]}}]},
    "rolls": {"log": [{**PLAY, "faces": {"own": [0] * MANY}}]},
    "updates": {"log": [{"n": 1, "group": 1, "do": "set", "packs": [0] * MANY, "former": []}]},
}


@pytest.mark.parametrize("part", DAMAGED)
def test_no_more_errors_are_collected_than_anybody_reads(part: str) -> None:
    """Each takes memory: 3.5 GB for a file of 4 MB with an error in each of its numbers."""
    with pytest.raises(ValidationError) as caught:
        Document.model_validate({**HEAD, "log": [], **DAMAGED[part]})
    assert caught.value.error_count() <= 2 * MOST_ERRORS


FEW: list[tuple[dict[str, Any], list[str]]] = [
    ({"undos": [1, 0, -1]}, ["undos entry 2", "undos entry 3"]),
    ({"packs": [7, {"id": "toy", "version": 1, "hash": 2}]}, [
        "packs entry 1", "packs entry 2 version", "packs entry 2 hash"]),
    ({"log": [{**PLAY, "faces": {"own": [[1, "x", 2, "y"], "z"], "theirs": [[None]]}}]}, [
        "event 1 faces own entry 1 entry 2", "event 1 faces own entry 1 entry 4",
        "event 1 faces own entry 2", "event 1 faces theirs entry 1 entry 1"]),
    ({"log": [{"n": 1, "group": 1, "do": "set", "packs": [0, 0], "former": [0]}]}, [
        "event 1 packs entry 1", "event 1 packs entry 2", "event 1 former entry 1"]),
]  # fmt: skip


@pytest.mark.parametrize(("damaged", "places"), FEW)
def test_all_errors_of_a_list_are_told(damaged: dict[str, Any], places: list[str]) -> None:
    with pytest.raises(DocumentError) as caught:
        reader.parse_document(json.dumps({**HEAD, **damaged}), HERE)
    listed = caught.value.reason.removeprefix("this character file has errors: ").split("; ")
    assert [problem.partition(":")[0] for problem in listed] == places


def test_a_map_of_too_many_keys_is_refused_before_each_is_judged() -> None:
    keys = {f"x{number}": 0 for number in range(reader.MAX_KEYS + 1)}
    for text in (document(**keys), document({**NOTE, **keys}), document({**PLAY, "inputs": keys})):
        with pytest.raises(DocumentError) as caught:
            reader.parse_document(text, HERE)
        assert (
            caught.value.reason
            == "this character file has an error: it has an object with more than 2,000 keys"
        )
    del keys["x0"]
    reader.parse_document(document({**PLAY, "inputs": keys}), HERE)


def test_after_many_faults_they_are_counted_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_COUNTED", 20)
    for faults, told in ((20, "; and 10 more"), (21, "; and many more")):
        faulty = [{"n": n, "group": 1, "do": "carry", "how": "hold"} for n in range(1, faults + 1)]
        with pytest.raises(DocumentError) as caught:
            reader.parse_document(document(*faulty), HERE)
        assert caught.value.reason.endswith(told)


def test_faults_of_all_logs_are_told() -> None:
    carried = [{"n": n, "group": 1, "do": "carry", "how": "hold"} for n in (2, 3)]
    faulty = [NOTE, *carried]
    with pytest.raises(DocumentError) as caught:
        reader.parse_document(json.dumps({**HEAD, "log": faulty, "undone": faulty}), HERE)
    shown = re.findall("(event|undone entry) (\\d) holding", caught.value.reason)
    assert sorted(shown) == [
        ("event", "2"), ("event", "3"), ("undone entry", "2"), ("undone entry", "3")
    ]  # fmt: skip


@pytest.mark.parametrize(("more", "told"), [(0, ""), (1, "; and 1 more"), (3, "; and 3 more")])
def test_of_many_faults_a_few_are_told_and_the_others_counted(more: int, told: str) -> None:
    numbers = range(1, MAX_SHOWN + more + 1)
    faulty = [{"n": n, "group": 1, "do": "carry", "how": "hold"} for n in numbers]
    with pytest.raises(DocumentError) as caught:
        reader.parse_document(document(*faulty), HERE)
    reason = caught.value.reason
    assert reason.count(" holding: ") == MAX_SHOWN
    assert reason.count("; event ") == MAX_SHOWN - 1
    assert reason.partition(f"event {MAX_SHOWN} holding: ")[2].partition(";")[1:] == (
        (";", told[1:]) if told else ("", "")
    )


def test_a_device_without_end_is_read_no_further_than_the_largest_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Endless(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            assert size is not None and 0 <= size <= 11
            return bytes(size)

    monkeypatch.setattr(Path, "open", lambda *_given: Endless())
    monkeypatch.setattr(reader, "MAX_FILE_BYTES", 10)
    with pytest.raises(DocumentError, match="too large"):
        reader.read_bytes(HERE)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (document(nmae="x"), "; did you mean name?"),
        (document({**NOTE, "txet": "x"}), "; did you mean text?"),
        (document({**NOTE, "do": "crary"}), "; did you mean carry?"),
        (document(NOTE, zzzzzzz=1), ""),
        (document({**NOTE, "do": "zzzzzzz"}), ""),
        (document(name=3), ""),
        (document({**NOTE, "n": 0}), ""),
    ],
)
def test_the_nearest_right_name_is_told_where_there_is_one(text: str, told: str) -> None:
    with pytest.raises(DocumentError) as caught:
        reader.parse_document(text, HERE)
    assert caught.value.reason.endswith(told)
    assert ("did you mean" in caught.value.reason) == bool(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (document(name="x" * 201), "200"),
        (document({**NOTE, "text": "x" * 2001}), "2000"),
        (document({**NOTE, "n": 0}), "at least 1"),
        (document({**NOTE, "n": 2}), "event 2 is in the place of event 1"),
        (document(name="a\x1b"), "it contains control characters or invalid characters"),
    ],
)
def test_a_bound_that_is_passed_is_told(text: str, told: str) -> None:
    with pytest.raises(DocumentError) as caught:
        reader.parse_document(text, HERE)
    assert told in caught.value.reason
    assert "Value error" not in caught.value.reason


# ------------------------------------------------------------------ line numbers


KEYS = st.text('ab" {}[]:,\\é', min_size=1, max_size=4)
LEAVES = st.none() | st.booleans() | st.integers(-99, 99) | KEYS
DATA = st.recursive(
    LEAVES, lambda part: st.lists(part, max_size=4) | st.dictionaries(KEYS, part, max_size=4)
)
INDENTS = st.sampled_from([None, 0, 1, 3])
Place = tuple[str | int, ...]


def places(data: Any) -> Iterator[Place]:
    """Yield the path of every part of some data."""
    yield ()
    parts = data.items() if isinstance(data, dict) else ()
    for key, part in enumerate(data) if isinstance(data, list) else parts:
        yield from ((key, *place) for place in places(part))


@given(data=DATA, indent=INDENTS)
def test_it_is_the_line_of_the_yaml_reader(tmp_path_factory, data, indent):
    path: Path = tmp_path_factory.mktemp("json") / "file.json"
    path.write_text("\n" + json.dumps(data, indent=indent, ensure_ascii=False), encoding="utf-8")
    for place in places(data):
        assert line_of(path, place) == yaml_reader.locate(path, place)[0]


@pytest.mark.parametrize(
    ("where", "line"),
    [
        (("log", 1, "do"), 5),
        (("log", 1, "text"), 4),  # the event without it
        (("log", 2), 2),
        (("name", "x"), 6),
        (("seed",), 1),
    ],
)
def test_the_last_part_that_exists_counts(tmp_path, where, line):
    path = tmp_path / "nix.json"
    lines = ["{", ' "log": [', '  {"do": "note"},', "  {", '   "do": "hold"}],', ' "name": "Nix"}']
    path.write_text("\n".join(lines), encoding="utf-8")
    assert line_of(path, where) == line


@pytest.mark.parametrize("text", ["", "{", '{"a": ', '{"a" 1, "b": 2}', "[1, ", "[" * 100_000])
def test_what_is_not_json_has_no_lines(tmp_path, text):
    path = tmp_path / "nix.json"
    path.write_text(text, encoding="utf-8")
    assert line_of(path, ("b",)) in (0, 1)
    assert line_of(path, (3,)) in (0, 1)
    assert line_of(tmp_path / "missing.json", ()) == 0
    (tmp_path / "picture.json").write_bytes(b"\xff\xd8\xff")
    assert line_of(tmp_path / "picture.json", ()) == 0
