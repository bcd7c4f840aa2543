"""Damaged files and files of other kinds: reported, and left unchanged."""

from __future__ import annotations

import codecs
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from charforge.cli.files import character_files, character_summary
from tests.samples import few

pytestmark = pytest.mark.capital

READERS = (
    ("check",),
    ("show",),
    ("show", "--json"),
    ("explain",),
    ("explain", "max_hp"),
    ("export",),
    ("level-up", "--random"),
    ("sheet", "--format", "html"),
)
STILL_READ = (
    ("show",),
    ("show", "--json"),
    ("show", "--at-level", "1"),
    ("explain",),
    ("export",),
    ("sheet", "--format", "html"),
)


def ask(run, path: Path, *command: str):
    return run(command[0], path, *command[1:])


def refuses(run, path: Path, *said: str, readers=READERS[:1]) -> None:
    """State that ``check`` does not read the file and says why, and leaves it as it is."""
    before = path.read_bytes()
    for command in readers:
        ask(run, path, *command).refused(2, path.name, *said)
        assert path.read_bytes() == before


def test_every_reader_refuses_what_check_refuses(run, text, tmp_path):
    for content, said in (
        (b"[]", "is not a character file"),
        (text[: len(text) // 2].encode(), "at line"),
        (text.replace('"plan": {}', '"plan": {"a": NaN}').encode(), "NaN is not a valid number."),
        (text.replace('"charforge": 1', '"charforge": 2').encode(), "saved by a newer charforge"),
        (text.replace('"group": 1, ', "").encode(), "group: this key is missing"),
    ):
        path = tmp_path / "odd.json"
        path.write_bytes(content)
        refuses(run, path, said, readers=READERS)


# ------------------------------------------------------------------ not a character at all

RAW: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "the file is empty"),
    "blanks": (b" \n\t\n", "the file is empty"),
    "binary": (bytes(range(256)) * 4, "not a text file"),
    "zeros": (b"\0" * 4096, "not valid JSON"),
    "UTF-16": ('{"charforge": 1}'.encode("utf-16"), "not a text file"),
    "Latin-1": ('{"charforge": 1, "name": "Zoë"}'.encode("latin-1"), "not a text file"),
    "a list": (b"[]", "odd.json is not a character file."),
    "a number": (b"3", "odd.json is not a character file."),
    "null": (b"null", "odd.json is not a character file."),
    "a text": (b'"charforge"', "odd.json is not a character file."),
    "another program's": (b'{"name": "Nix"}', "odd.json is not a character file."),
    "YAML": (
        b"charforge: 1\nname: Nix\n",
        "not valid JSON: line 1, column 1: something is missing",
    ),
    "100,000 brackets": (b"[" * 100_000, "too many nested brackets"),
    "100,000 braces": (b'{"a":' * 100_000, "too many nested brackets"),
}


@pytest.mark.parametrize(("content", "said"), RAW.values(), ids=RAW)
def test_what_is_no_character_is_refused(run, tmp_path, content, said):
    path = tmp_path / "odd.json"
    path.write_bytes(content)
    refuses(run, path, said)


def test_a_missing_file_is_named_with_the_nearest_one(run, nix):
    for command in READERS:
        ask(run, nix.with_name("nyx.json"), *command).refused(
            2, "nyx.json: this file does not exist", f"Did you mean {nix}?"
        )


def test_a_missing_file_among_unlike_ones_gets_no_guess(run, nix):
    ended = run("show", "somebody-else.json")
    ended.refused(2, "this file does not exist")
    assert "Did you mean" not in ended.err


def test_a_missing_folder(run):
    run("show", "nowhere/nix.json").refused(2, "this file does not exist")


def test_a_folder(run, tmp_path):
    (tmp_path / "folder.json").mkdir()
    for command in READERS:
        refused = ask(run, Path("folder.json"), *command)
        gathers = command[0] in ("sheet", "check")  # the characters of a folder: none here
        refused.refused(2, "has no characters in it" if gathers else "this is a folder")


def test_a_file_of_many_megabytes_is_not_read(run, tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(60_000_000)
    run("check", path).refused(2, "too large")


# ------------------------------------------------------------------ broken off


@pytest.mark.parametrize("percent", range(1, 100, 9))
def test_a_half_written_file_names_the_place(run, text, tmp_path, percent):
    path = tmp_path / "cut.json"
    path.write_text(text[: len(text) * percent // 100], encoding="utf-8")
    refuses(run, path, "at line", "column")


def test_wherever_it_is_cut_it_is_refused(run, text, tmp_path):
    path = tmp_path / "cut.json"
    document = text.encode().rstrip()
    for end in range(1, len(document), 61):
        path.write_bytes(document[:end])
        run("check", path).refused(2, "cut.json: ")


def test_a_last_line_that_is_missing_is_no_matter(run, text, tmp_path):
    path = tmp_path / "cut.json"
    path.write_text(text.rstrip(), encoding="utf-8")
    assert run("check", path).code == 0


# ------------------------------------------------------------------ other spellings of the same


@pytest.mark.parametrize(
    "spell",
    [
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: json.dumps(json.loads(text)).encode(),
        lambda text: json.dumps(json.loads(text), indent="\t", ensure_ascii=True).encode(),
    ],
    ids=["BOM", "CRLF", "one line", "tabs and escapes"],
)
def test_the_same_character_in_another_spelling_is_read(run, text, nix, tmp_path, spell):
    other = tmp_path / "other.json"
    other.write_bytes(spell(text))
    assert run("check", other).code == 0
    assert run("show", other, "--json").out == run("show", nix, "--json").out


# ------------------------------------------------------------------ edited by hand: not usable


def events(data: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = data["log"]
    return found


def at(index: int, **fields: Any) -> Callable[[dict[str, Any]], object]:
    """Return an edit that changes fields of one event."""
    return lambda data: events(data)[index].update(fields)


def head(**fields: Any) -> Callable[[dict[str, Any]], object]:
    """Return an edit that changes keys of the header."""
    return lambda data: data.update(fields)


def more(**fields: Any) -> Callable[[dict[str, Any]], object]:
    """Return an edit that adds an event to the end of the log."""

    def add(data: dict[str, Any]) -> None:
        last = events(data)[-1]
        events(data).append({"n": last["n"] + 1, "group": last["group"], **fields})

    return add


def without(key: str) -> Callable[[dict[str, Any]], object]:
    return lambda data: data.pop(key)


UNUSABLE: dict[str, tuple[Callable[[dict[str, Any]], object], tuple[str, ...]]] = {
    "newer": (
        head(charforge=2),
        ("it was saved by a newer charforge (format 2, yours reads up to 1).", "Update"),
    ),
    "format as text": (
        head(charforge="1"),
        ("this is not a character file (its format number is invalid).",),
    ),
    "format true": (
        head(charforge=True),
        ("this is not a character file (its format number is invalid).",),
    ),
    "format 0": (
        head(charforge=0),
        ("this is not a character file (its format number is invalid).",),
    ),
    "format 1.5": (
        head(charforge=1.5),
        ("this is not a character file (its format number is invalid).",),
    ),
    "format null": (
        head(charforge=None),
        ("this is not a character file (its format number is invalid).",),
    ),
    "no log": (without("log"), ("log: this key is missing",)),
    "no name": (without("name"), ("name: this key is missing",)),
    "no seed": (without("seed"), ("seed: this key is missing",)),
    "unknown key": (head(nmae="Nix"), ("nmae: unknown key; did you mean name?",)),
    "name a number": (head(name=5), ("name: it must be a text",)),
    "name null": (head(name=None), ("name: it must be a text",)),
    "name of 10,000 characters": (head(name="x" * 10_000), ("at most 200 characters",)),
    "name with a bell": (
        head(name="N\x07x"),
        ("name: it contains control characters or invalid characters.",),
    ),
    "name with a line break": (
        head(name="N\nx"),
        ("name: it contains control characters or invalid characters.",),
    ),
    "name with an escape": (
        head(name="\x1b[2J"),
        ("name: it contains control characters or invalid characters.",),
    ),
    "name with half a sign": (head(name="N\ud800x"), ("name:", "invalid characters")),
    "seed a number": (head(seed=7), ("seed: it must be a text",)),
    "seed with half a sign": (head(seed="\udfff"), ("seed:", "invalid characters")),
    "id a list": (head(id=[]), ("id: it must be a text",)),
    "ruleset a number": (head(ruleset=1), ("ruleset: it must be a text",)),
    "log a map": (head(log={}), ("log: it must be a list",)),
    "log null": (head(log=None), ("log: it must be a list",)),
    "log of numbers": (head(log=[1]), ("event 1: it must be a map",)),
    "summary a list": (head(character=[]), ("character: it must be a map",)),
    "packs a number": (head(packs=1), ("packs: it must be a list",)),
    "packs of numbers": (head(packs=[1]), ("packs entry 1: it must be a map",)),
    "pack without version": (head(packs=[{"id": "capital", "hash": ""}]), ("version",)),
    "event number changed": (
        at(3, n=77),
        ("event 77 is in the place of event 4. Nothing was changed.",),
    ),
    "event number a text": (at(3, n="4"), ("event 4 n: it must be a whole number",)),
    "event number negative": (at(3, n=-1), ("event 4 n: it must be at least 1",)),
    "event number null": (at(3, n=None), ("event 4 n: it must be a whole number",)),
    "group far on": (at(3, group=99), ("event 4 has group 99 after group 1",)),
    "first group not 1": (at(0, group=2), ("event 1 has group 2 at the start",)),
    "event left out": (lambda data: events(data).pop(4), ("event 6 is in the place of event 5",)),
    "events swapped": (
        lambda data: data.update(log=[*events(data)[1::-1], *events(data)[2:]]),
        ("event 2 is in the place of event 1. Nothing was changed.",),
    ),
    "event of no kind": (
        lambda data: events(data)[3].pop("do"),
        ("event 4: the key 'do', which sets the kind, is missing.",),
    ),
    "event of another kind": (at(3, do="anser"), ('"anser" is not one of answer, advance, set',)),
    "unknown key of an event": (
        at(3, decison="role"),
        ("event 4 decison: unknown key; did you mean decision?",),
    ),
    "decision a number": (at(3, decision=3), ("event 4 decision: it must be a text",)),
    "decision with an escape": (
        at(3, decision="\x1b]0;"),
        ("event 4 decision: it contains control characters or invalid characters.",),
    ),
    "answer without its answer": (lambda data: events(data)[3].pop("answer"), ("event 4 answer",)),
    "sets nothing": (
        more(do="set"),
        ('it must set exactly one of: a "name", or a "rule" or "line" to a "value",',),
    ),
    "sets half a rule": (more(do="set", rule="cooldown"), ("it must set exactly one of",)),
    "sets two things": (
        more(do="set", name="x", rule="a", value="b"),
        ("it must set exactly one of",),
    ),
    "sets a broken name": (more(do="set", name="\ud800"), ("invalid characters",)),
    "sets a broken rule": (more(do="set", rule="\x1b", value="\ud800"), ("rule: it",)),
    "level 1 again": (more(do="advance", level=1), ("level: it must be at least 2",)),
    "level a text": (more(do="advance", level="4"), ("level: it must be a whole number",)),
    "a number of 5,000 digits": (at(3, answer=int("9" * 4000)), ("has 4000 digits",)),
}


@pytest.mark.parametrize(("edit", "said"), UNUSABLE.values(), ids=UNUSABLE)
def test_an_edit_that_makes_it_unusable_is_refused(run, data, tmp_path, edit, said):
    edit(data)
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    refuses(run, path, *said)


WITHOUT_RULES: dict[str, tuple[Callable[[dict[str, Any]], object], tuple[str, ...]]] = {
    "ruleset mistyped": (
        head(ruleset="captial"),
        ("it needs captial, which is not installed", "Did you mean capital?"),
    ),
    "ruleset a path": (head(ruleset="../capital"), ("is not installed",)),
    "pack of another": (
        lambda data: data["packs"].append(
            {"id": "house-rules", "version": "1.2", "hash": "0123456789abcdef"}
        ),
        ("it needs house-rules 1.2, which is not installed", "charforge catalog add"),
    ),
}


@pytest.mark.parametrize(("edit", "said"), WITHOUT_RULES.values(), ids=WITHOUT_RULES)
def test_without_its_rules_what_was_saved_last_is_shown(run, data, tmp_path, edit, said):
    """Nothing can be judged or changed, but names, values and holdings are there to play from."""
    edit(data)
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    before = path.read_bytes()
    for command in ("check", "export", "level-up"):
        run(command, path).refused(2, *said)
    shown = run("show", path)
    assert shown.code == 0
    assert all(words in shown.err for words in said)
    assert data["name"] in shown.out
    remembered = json.loads(run("show", path, "--json").out)
    assert remembered["remembered"] is True
    assert remembered["summary"]["values"] == data["character"]["values"]
    assert remembered["summary"]["holdings"] == data["character"]["holdings"]
    made = run("sheet", path, "--format", "html")
    assert made.code == 0
    page = path.with_suffix(".html").read_text(encoding="utf-8")
    assert data["name"] in page
    assert said[0] in page
    assert path.read_bytes() == before


def test_the_line_of_the_fault_is_named(run, text, tmp_path):
    lines = text.splitlines()
    number = next(n for n, line in enumerate(lines, 1) if '"decision": "money"' in line)
    lines[number - 1] = lines[number - 1].replace('"do": "answer"', '"do": "ansewr"')
    path = tmp_path / "edited.json"
    path.write_text("\n".join(lines), encoding="utf-8")
    run("check", path).refused(2, f"line {number}, event", "did you mean answer?")


TEXTUAL: dict[str, tuple[str, str, str]] = {
    "key twice": ('"plan": {}', '"plan": {}, "plan": {}', 'the key "plan" appears twice'),
    "NaN": ('"plan": {}', '"plan": {"a": NaN}', "NaN is not a valid number."),
    "Infinity": ('"plan": {}', '"plan": {"a": -Infinity}', "-Infinity is not a valid number."),
    "1e999": ('"plan": {}', '"plan": {"a": 1e999}', "1e999 is not a valid number."),
    "5,000 digits": ('"plan": {}', '"plan": {"a": ' + "9" * 5000 + "}", "has 5000 digits"),
    "900 deep": (
        '"plan": {}',
        '"plan": ' + '{"a":' * 900 + "1" + "}" * 900,
        "too many nested brackets",
    ),
    "trailing comma": ('"plan": {}', '"plan": {},,', "not valid JSON"),
    "comment": ('"plan": {}', '// note\n"plan": {}', "not valid JSON"),
    "single quotes": ('"plan": {}', "'plan': {}", "not valid JSON"),
    "raw control character": (
        '"plan": {}',
        '"plan": {"a": "\x01"}',
        "text contains a tab or another control character",
    ),
    "something after it": (
        "\n ]\n}\n",
        "\n ]\n}\n{}",
        "there is extra text after the end of the data at line",
    ),
}


@pytest.mark.parametrize(("old", "new", "said"), TEXTUAL.values(), ids=TEXTUAL)
def test_json_that_says_too_much_or_nothing(run, text, tmp_path, old, new, said):
    assert text.count(old) == 1
    path = tmp_path / "edited.json"
    path.write_text(text.replace(old, new), encoding="utf-8")
    refuses(run, path, said)


# ------------------------------------------------------------------ edited by hand: illegal


def answer(decision: str, value: Any) -> Callable[[dict[str, Any]], object]:
    """Return an edit that changes what a decision was answered with."""

    def edit(data: dict[str, Any]) -> None:
        next(e for e in events(data) if e.get("decision") == decision)["answer"] = value

    return edit


def summary(**values: int) -> Callable[[dict[str, Any]], object]:
    return lambda data: data["character"]["values"].update(values)


ILLEGAL: dict[str, tuple[Callable[[dict[str, Any]], object], str, str, str]] = {
    "summary's value": (summary(str=10), "summary", "", "does not match the history"),
    "summary left out": (without("character"), "summary", "", "does not match"),
    "name of the header": (head(name="Bob"), "name", "", 'the name is "Bob"'),
    "no name": (head(name=""), "name", "", "a name needs at least one letter"),
    "blank name": (
        lambda data: (head(name="  ")(data), at(0, name="  ")(data)),
        "name",
        "",
        "a name needs at least one letter",
    ),
    "id": (head(id="0" * 16), "id", "", "the id does not match the seed"),
    "seed": (head(seed="8"), "id", "", "the id does not match the seed"),
    "no pack": (head(packs=[]), "pin", "", "the version of capital is missing"),
    "levels out of order": (
        lambda data: next(e for e in events(data) if e["do"] == "advance").update(level=5),
        "levels",
        "",
        "out of order",
    ),
    "unknown table rule": (
        more(do="set", rule="cooldwn", value="or_less"),
        "rule",
        "cooldwn",
        "no table rule",
    ),
    "unknown way to rule": (
        more(do="set", rule="cooldown", value="never"),
        "rule",
        "cooldown",
        "never",
    ),
    "no events": (head(log=[]), "open", "role", "not answered yet"),
    "unknown decision": (
        more(do="answer", decision="mony", answer=300),
        "unknown",
        "mony",
        "did you mean money?",
    ),
    "unknown role": (answer("role", "role/the-scuot"), "broken", "role", "Did you mean The Scout?"),
    "role a list": (answer("role", ["role/the-scout"]), "broken", "role", "is not an option"),
    "role a map": (answer("role", {"a": [1]}), "broken", "role", "is not an option"),
    "role null": (answer("role", None), "broken", "role", "is not an option"),
    "role true": (answer("role", True), "broken", "role", "is not an option"),
    "die of 7": (answer("attributes.roll", [7] * 10), "broken", "attributes.roll", "7 is not"),
    "dice as texts": (answer("attributes.roll", ["6"] * 10), "broken", "attributes.roll", "face"),
    "no dice": (answer("attributes.roll", []), "broken", "attributes.roll", "as a list"),
    "no dice in a list": (answer("attributes.roll", [[]]), "broken", "attributes.roll", "not 0"),
    "dice in dice": (answer("attributes.roll", [[[1]]]), "broken", "attributes.roll", "not 1"),
    "mixed dice": (answer("attributes.roll", [1, "a", [2]]), "broken", "attributes.roll", "list"),
    "discards as texts": (
        answer("attributes.discard", ["1", "2"]),
        "broken",
        "attributes.discard",
        '"1"',
    ),
    "discards as lists": (
        answer("attributes.discard", [[1], {}]),
        "broken",
        "attributes.discard",
        "not an option",
    ),
    "scores as a list": (
        answer("attributes.assign", [1]),
        "broken",
        "attributes.assign",
        "a number for each",
    ),
    "a score as a list": (
        answer("attributes.assign", {"str": [[]]}),
        "broken",
        "attributes.assign",
        "there is no score for ftd",
    ),
    "strengths in a map": (answer("strengths", {"a": 1}), "broken", "strengths", "a list"),
    "strengths of all kinds": (
        answer("strengths", [[], {}, None]),
        "broken",
        "strengths",
        "not an option",
    ),
    "100 strengths": (answer("strengths", ["x"] * 100), "broken", "strengths", "you picked 100"),
    "money 10": (answer("money", 10), "broken", "money", "10 is not between 200 and 400"),
    "money 300.5": (answer("money", 300.5), "broken", "money", "a whole number"),
    "money true": (answer("money", True), "broken", "money", "a whole number"),
    "money a text": (answer("money", "300"), "broken", "money", "a whole number"),
    "level's die of 9": (answer("level.2.hp", [9]), "broken", "level.2.hp", "9 is not a face"),
    "story with an escape": (
        answer("story.origin", "\x1b[2J"),
        "broken",
        "story.origin",
        "contains",
    ),
    "story with half a sign": (
        answer("story.origin", "\ud800"),
        "broken",
        "story.origin",
        "contains",
    ),
    "story of 100,000 signs": (
        answer("story.origin", "x" * 100_000),
        "broken",
        "story.origin",
        "100000 characters",
    ),
    "story a number": (answer("story.origin", 5), "broken", "story.origin", "it must be text"),
    "systems a text": (
        answer("level.2.systems", "system/quick"),
        "broken",
        "level.2.systems",
        "list",
    ),
    "systems of lists": (answer("level.2.systems", [["x"]]), "broken", "level.2.systems", "not an"),
}


@pytest.mark.parametrize("name", few([*ILLEGAL], 8, slow=30))
def test_an_edit_that_breaks_a_rule_is_found(run, data, tmp_path, name):
    edit, code, decision, said = ILLEGAL[name]
    edit(data)
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    before = path.read_bytes()
    ended = run("check", path, "--json")
    assert ended.code == 1
    [found] = json.loads(ended.out)
    assert found["legal"] is False
    assert [
        p for p in found["problems"]
        if (p["code"], p["decision"]) == (code, decision) and said in p["message"]
    ]  # fmt: skip
    plain = run("check", path)
    assert plain.code == 1
    assert code in plain.out
    assert "\x1b" not in plain.out
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", few([*ILLEGAL], 2, slow=16))
def test_an_illegal_character_can_still_be_read(run, data, tmp_path, name):
    """Every reader shows what is left of it; none changes it, none stumbles."""
    ILLEGAL[name][0](data)
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    before = path.read_bytes()
    for command in STILL_READ:
        ended = ask(run, path, *command)
        assert "Traceback" not in ended.err
        assert ended.code in (0, 1), ended.err
        assert path.read_bytes() == before
    shown = run("show", path, "--json")
    assert json.loads(shown.out)["legal"] is False


@pytest.mark.parametrize("name", ["unknown role", "die of 7", "levels out of order", "no events"])
def test_an_illegal_character_does_not_advance(run, data, tmp_path, name):
    ILLEGAL[name][0](data)
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    before = path.read_bytes()
    run("level-up", path, "--random").refused(1, "The rules do not allow this")
    assert path.read_bytes() == before


def test_an_edited_summary_is_written_anew_by_the_next_level(run, data, tmp_path):
    summary(str=10)(data)
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert run("level-up", path, "--random").code == 0
    assert run("check", path).code == 0


def test_a_broken_sign_without_effect_survives_the_next_level(run, data, tmp_path):
    more(do="answer", decision="gone", answer="half a sign: \ud800")(data)
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert run("level-up", path, "--random").code == 0
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert next(e for e in kept["log"] if e.get("decision") == "gone")["answer"].endswith("\ud800")


def test_check_reads_the_others_when_one_cannot_be_read(run, nix, tmp_path):
    (tmp_path / "empty.json").write_bytes(b"")
    ended = run("check", "empty.json", nix, "gone.json")
    assert ended.code == 2
    assert "level 3: legal" in ended.out
    assert "empty.json: the file is empty" in ended.err
    assert "gone.json: this file does not exist" in ended.err


def test_check_as_json_has_the_same_keys_for_every_file(run, nix, data, tmp_path):
    head(name="Bob")(data)
    (tmp_path / "bob.json").write_text(json.dumps(data), encoding="utf-8")
    (tmp_path / "empty.json").write_bytes(b"")
    ended = run("check", nix, "bob.json", "empty.json", "--json")
    assert ended.code == 2
    legal, illegal, unreadable = json.loads(ended.out)
    assert list(legal) == list(illegal) == list(unreadable)
    assert (legal["legal"], illegal["legal"], unreadable["legal"]) == (True, False, False)
    assert (legal["problems"], legal["notes"]) == ([], [])
    assert [p["code"] for p in illegal["problems"]] == ["name"]
    assert [p["code"] for p in unreadable["problems"]] == ["unreadable"]


def test_another_version_of_the_pack_is_noted_and_legal(run, data, tmp_path):
    data["packs"][0].update(version="0.9.0", hash="0123456789abcdef")
    path = tmp_path / "older.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    ended = run("check", path)
    assert ended.code == 0
    head, *lines = ended.out.splitlines()
    [note] = [line for line in lines if line.startswith("  note ")]
    assert (head.endswith(": legal"), ended.err) == (True, "")
    assert note.startswith("  note     made with capital 0.9.0 (0123456789abcdef), read with")


# ------------------------------------------------------------------ far too large


@pytest.fixture
def huge(tmp_path):
    """A file of 1.5 GB beside a character; it takes no room on the disk."""
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(1_500_000_000)
    return tmp_path / "huge.json"


def test_a_huge_file_in_a_folder_is_skipped_and_hardly_read(huge, captain, capsys):
    (huge.parent / "nix.json").write_text(captain, encoding="utf-8")
    tracemalloc.start()
    try:
        assert character_files([huge.parent]) == [huge.parent / "nix.json"]
        assert character_summary(huge) == {}
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "huge.json is not a character file; it is skipped." in capsys.readouterr().err
    assert most < 100_000_000  # bytes


@pytest.mark.parametrize("command", ["check", "luck"])
def test_commands_that_read_a_folder_skip_it(run, huge, captain, command):
    (huge.parent / "nix.json").write_text(captain, encoding="utf-8")
    done = run(command, ".")
    assert done.code == 0, done.err
    assert "huge.json is not a character file; it is skipped." in done.err


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_device_is_no_pack(run, device):
    if not Path(device).exists():
        pytest.skip(f"needs {device}")
    done = run("catalog", "check", device)
    assert done.code == 1
    assert f"{device}:1:1: error: this is a pipe or a device, not a file." in done.out
