"""Hostile characters and answers files: each of their texts in every result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import AnswersFile, answers_text
from charforge.character.files import reader
from charforge.character.files.document import to_text
from charforge.character.files.events import EVENT_TYPES
from charforge.errors import CharforgeError, DocumentError
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import load_document
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests.safety.conftest import Sandbox
from tests.safety.hostile import Shape, Tried, Way, replaced
from tests.safety.inspection import look
from tests.safety.test_packs import FORMATS, LAYOUTS, html_pages

pytestmark = pytest.mark.slow
FILE = "a.json"
NEEDED: dict[str, dict[str, Any]] = {
    "advance": {"level": 2},
    "change": {"by": 1},
    "carry": {"how": "hold"},
    "answer": {"answer": ["x", {"x": "x"}], "override": {"by": "x", "reason": "x"}},
    "plan": {"answer": ["x"]},
    "play": {"inputs": {"x": "x"}},
    "use": {"inputs": {"x": "x"}},
}
SETS: list[dict[str, Any]] = [
    {"name": "x"},
    {"name": "x", "unit": "x"},
    {"rule": "x", "value": "x"},
    {"line": 1, "value": "x"},
]


def texts_of(kind: Any) -> Iterator[str]:
    """Yield the fields of an event that may be any text."""
    for name, field in kind.model_json_schema()["properties"].items():
        ways = field.get("anyOf", [field])
        if name != "do" and any(one.get("type") == "string" for one in ways):
            yield name


def events(number: int, group: int) -> Iterator[dict[str, Any]]:
    """Yield an event of each kind with a text in every field, counting on from a log."""
    for kind in EVENT_TYPES:
        do = kind.model_fields["do"].default
        for fields in SETS if do == "set" else [dict.fromkeys(texts_of(kind), "x")]:
            number += 1
            group += 1
            yield {"n": number, "group": group, "do": do, **fields, **NEEDED.get(do, {})}


class TriedCharacter(Tried):
    """A character in a file."""

    def __init__(self, data: Any, path: Path, rules: Ruleset) -> None:
        self.path, self.rules = path, rules
        super().__init__(data)
        assert self.takes({})

    def takes(self, texts: Mapping[Way, str]) -> bool:
        """Write the character with these texts, and say whether its file can be read."""
        self.path.write_text(json.dumps(replaced(self.data, texts)), encoding="utf-8")
        try:
            reader.load(self.path)
        except DocumentError:
            return False
        return True

    def standing(self, texts: Mapping[Way, str]) -> object:
        """Return what the rules make of it: what is held, and how much of it they refuse."""
        assert self.takes(texts)
        try:
            opened = load_document(reader.load(self.path), self.path)
        except CharforgeError:
            return None
        held = [holding.entity.id for holding in opened.character.state.holdings]
        return held, len(opened.problems)


@pytest.fixture
def tried(capital: Ruleset, sandbox: Sandbox) -> TriedCharacter:
    """A captain with a beast, and an event of each kind after what made them."""
    answers = {"role": "role/the-captain", "asset": "companion/land-beast"}
    plan = CharacterSpec(capital, "safety", "Nix", 3, {}, answers)
    data = json.loads(to_text(create_character(plan, RandomAnswers("safety"))))
    last = data["log"][-1]
    data["log"] += events(last["n"], last["group"])
    data["name"] = "x"
    return TriedCharacter(data, sandbox.work / FILE, capital)


def reading() -> Iterator[list[str]]:
    yield ["check", FILE]
    yield ["check", FILE, "--json"]
    yield ["show", FILE]
    yield ["show", FILE, "--json"]
    yield ["explain", FILE]
    yield ["history", FILE]
    yield ["plan", FILE]
    yield ["initiative", FILE]
    yield ["diff", FILE, "--from", "1"]
    for format in FORMATS:
        yield ["export", FILE, "--format", format, "-o", f"a-{format}"]
    yield ["import", "a-answers", "-o", "b.json", "--force"]


def test_every_text_of_a_character_is_only_a_text(tried: TriedCharacter, sandbox: Sandbox) -> None:
    """First what the rules do not judge, all of it at once, in every format and layout."""
    found = tried.hostile(sandbox.payloads)
    assert {kind.model_fields["do"].default for kind in EVENT_TYPES} <= {
        shape[1].partition(":")[2] for shape in found if shape[0] == "log"
    }
    usual = tried.standing({})
    told: dict[Shape, list[str]] = {}
    judged: dict[Shape, list[str]] = {}
    for shape, taken in found.items():
        same = tried.standing(tried.everywhere(shape, "Plain")) == usual
        (told if same else judged)[shape] = taken
    assert len(told) > 25
    assert len(judged) > 5
    assert tried.standing(tried.whole(told)) == usual
    sandbox.run(*reading(), *html_pages("capital"))
    assert tried.standing(tried.one_each(told)) == usual
    # Every PDF is made of such HTML by the same code: the shortest, of all that a sheet shows.
    pdf = ["sheet", FILE, "--layout", "short", "--fillable", "-o", "a-short.pdf"]
    sandbox.run(pdf, ["import", "a-short.pdf", "-o", "c.json"])
    results = {path.name: path for path in sandbox.work.iterdir() if path.is_file()}
    pages = {f"a-{layout}.html" for layout in LAYOUTS}
    assert results.keys() >= {*pages, "a-short.pdf", "c.json"}
    for path in results.values():
        look(path)
    for number, (shape, taken) in enumerate(judged.items()):
        assert tried.takes(tried.whole({shape: taken}))
        (sandbox.work / FILE).rename(sandbox.work / f"judged-{number}.json")
    files = sorted(path.name for path in sandbox.work.glob("judged-*.json"))
    made = sandbox.run(
        ["check", *files],
        *(["show", name] for name in files),
        *(["history", name] for name in files),
        ["sheet", *files, "--format", "html", "-o", "judged", "--jobs", "1"],
    )
    assert made[0].code in (1, 2)
    judged_pages = [*sandbox.work.glob("judged/*.html")]
    assert judged_pages
    for path in judged_pages:
        look(path)


def test_every_name_is_only_a_name(sandbox: Sandbox) -> None:
    """It stands in titles, at the foot, in the outline; it may not be long, so one by one."""
    rules = load("phase-2d10")
    made = create_character(CharacterSpec(rules, "safety", "Nix"), RandomAnswers("safety"))
    tried = TriedCharacter(json.loads(to_text(made)), sandbox.work / FILE, rules)
    names = [text for text in sandbox.payloads.values() if tried.takes({("name",): text})]
    assert names == [*sandbox.payloads.values()]
    log = tried.data["log"]
    for number, name in enumerate(names):
        event = {"n": len(log) + 1, "group": log[-1]["group"] + 1, "do": "set", "name": name}
        text = json.dumps({**tried.data, "name": name, "log": [*log, event]})
        (sandbox.work / f"n{number}.json").write_text(text, encoding="utf-8")
    files = [f"n{number}.json" for number in range(len(names))]
    # A PDF is made of the same HTML: three of them, with brackets and backslashes.
    printed_files = files[1::9]
    ran = sandbox.run(
        ["sheet", *files, "--format", "html", "--jobs", "1"],
        ["sheet", *printed_files, "--layout", "short", "-o", ".", "--jobs", "1"],
        ["party", *files, "-o", "p.html"],
        *(["show", name] for name in files),
        *(["export", name, "--format", "markdown"] for name in files),
    )
    assert [one.err for one in ran if one.code] == []
    pages = [*sandbox.work.glob("*.html"), *sandbox.work.glob("*.pdf")]
    assert len(pages) == len(files) + len(printed_files) + 1
    for path in pages:
        look(path)


def test_what_is_remembered_of_a_character_is_only_text(
    tried: TriedCharacter, sandbox: Sandbox
) -> None:
    """Without its pack, a sheet shows what the file says of itself.

    Nobody replays it, so an event of each kind is enough of a log.
    """
    tried.data["ruleset"] = "gone"
    tried.data["log"] = [*events(0, 0)]
    tried.data["packs"] = [{"id": "gone", "version": "1", "hash": "x"}]
    summary = TriedCharacter(tried.data, tried.path, tried.rules)
    found = summary.hostile(sandbox.payloads)
    assert any(shape[0] == "character" for shape in found)
    assert summary.takes(summary.whole(found))
    made = sandbox.run(
        ["show", FILE],
        ["show", FILE, "--json"],
        ["sheet", FILE, "-o", "a.html"],
        ["check", FILE],
        ["update", FILE],
        ["export", FILE],
    )
    # With one payload at each place a PDF has a few pages; with all of them it has fifteen.
    assert summary.takes(summary.one_each(found))
    sandbox.run(["sheet", FILE, "-o", "a.pdf"])
    assert [one.code for one in made[:1]] == [0], made[0].err
    look(sandbox.work / "a.html")
    look(sandbox.work / "a.pdf")


def test_every_text_of_an_answers_file_is_only_a_text(capital: Ruleset, sandbox: Sandbox) -> None:
    plan = CharacterSpec(capital, "safety", "Nix", 2, {}, {"asset": "companion/land-beast"})
    made = create_character(plan, RandomAnswers("safety"))
    text = answers_text(
        capital,
        AnswersFile(Path(), "", "Nix", 2, "safety", {}, made.answers),
        command="charforge new",
    )
    data = yaml.safe_load(text)
    payloads = list(sandbox.payloads.values())
    commands = []
    for number, (way, _text) in enumerate(Listed(data).ways()):
        for part, payload in enumerate((payloads[number % len(payloads)], " ".join(payloads))):
            name = f"{number}-{part}.yaml"
            changed = yaml.safe_dump(replaced(data, {way: payload}), allow_unicode=True)
            (sandbox.work / name).write_text(changed, encoding="utf-8")
            commands.append(["new", "--answers", name, "--random", "-o", f"{name}.json"])
    assert len(commands) > 50
    ran = sandbox.run(*commands)
    assert {one.code for one in ran} == {0, 1, 2}
    written = [*sandbox.work.glob("*.json")]
    assert len(written) == sum(one.code == 0 for one in ran)
    sandbox.run(*(["show", path] for path in written))


class Listed(Tried):
    """Answers, of which each text is tried by the program itself."""

    def takes(self, texts: Mapping[Way, str]) -> bool:
        """Everything is, until the program says no."""
        return True

    def ways(self) -> Iterator[tuple[Way, Shape]]:
        """Yield each place of a text."""
        for shape, ways in self.shapes.items():
            for way in ways:
                yield way, shape
