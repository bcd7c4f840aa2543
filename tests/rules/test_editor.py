"""yaml-language-server with the schemas of a pack: what an author sees while typing."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import EDITOR
from tests.rules.test_schema import MOUNDS, WRONG, mounds

CURSOR = "|"
LINE = "# yaml-language-server: $schema=.schema/page.json\n"
MESSAGES = {
    "an id": "No entity has this name. charforge catalog check says which.",
    "a value": "No value has this name. charforge catalog check says which.",
    "a function": "A name in this formula does not exist, or text is not an id in quotes. "
    "charforge catalog check says which.",
    "dice": "These are no dice. Write 1d6, 4d6k3 or 2d20kl1, without a sum.",
    "a question's word": "Write one of these: allot, assign, choose, enter, roll, roll_on, write.",
    "a question's key": "Property pluss is not allowed.",
    "the field of a new kind": "Write a whole number, without quotes.",
    "a path": "No path has this word. charforge catalog paths ID lists the paths into an entity.",
    "a path's id": "The game has nothing with this id. A path begins with the id of an entity, or "
    "with ruleset, procedures, rulings or charts.",
}
MORE = {  # a mistake in notation: the right and the wrong text, and the message
    "one sign": ("has('trick/light-feet')", "might = 3", "To compare, write == instead of =."),
    "a power": ("max(craft - 1, 1)", "craft ^ 2", "Formulas cannot use ^; multiply instead."),
    "a comma": (
        '"max(craft - 1, 1)"', "max(craft - 1, 1)",
        "A bracket is missing. Inside { } or [ ], put a formula with a comma in quotes.",
    ),
    "a list": (
        "[trick/light-feet, {id: armour/gambeson, when: has('trick/light-feet')}]",
        "trick/light-feet",
        "Write a list: [first, second], or one item a line, each after a hyphen and a space.",
    ),
    "a map": (
        "tags: {any: [quiet]}", "tags: quiet",
        'Incorrect type. Expected "TagFilter {all: …, any: …, none: …}".',
    ),
    "an id's form": (
        "id: trick/light-feet\n", "id: trick/Light Feet\n",
        "An id is a kind, a slash, and a name in small letters, digits and hyphens, such as "
        "trick/long-rope. The kinds are trick, ",
    ),
    "what is added": (
        "    set: {name: Padded coat, bulk: 2}", "    add: {grants: [trick/light-foot]}",
        "No entity has this name. charforge catalog check says which.",
    ),
}  # fmt: skip


class Editor:
    """A language server, asked about one text after the other."""

    def __init__(self, folder: Path) -> None:
        command = ["node", str(EDITOR / "bin" / "yaml-language-server"), "--stdio"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe)
        self.guard = threading.Timer(300, self.process.kill)  # a silent server fails the tests
        self.guard.start()
        self.folder, self.number = folder, 0
        self.ask("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {}})
        self._send({"method": "initialized", "params": {}})

    def opened(self, text: str) -> tuple[str, list[tuple[int, str]]]:
        """Open a new file; return its address, and the line and message of each error."""
        self.number += 1
        address = (self.folder / f"page{self.number}.yaml").as_uri()
        document = {"uri": address, "languageId": "yaml", "version": 1, "text": LINE + text}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        while True:
            said = self._receive()
            params = said.get("params", {})
            if said.get("method") == "textDocument/publishDiagnostics" and params["uri"] == address:
                found = params["diagnostics"]
                return address, [(one["range"]["start"]["line"], one["message"]) for one in found]

    def at_cursor(self, method: str, text: str) -> Any:
        """Ask about the place of ``CURSOR`` in a text."""
        before, _cursor, after = (LINE + text).partition(CURSOR)
        address, _errors = self.opened((before + after).removeprefix(LINE))
        position = {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}
        return self.ask(method, {"textDocument": {"uri": address}, "position": position})

    def ask(self, method: str, params: Any) -> Any:
        """Send a request; return its result."""
        self._send({"id": 1, "method": method, "params": params})
        while True:
            said = self._receive()
            if said.get("id") == 1 and "method" not in said:
                return said["result"]

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        """Return the next message; answer what the server asks."""
        assert self.process.stdout
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        said: dict[str, Any] = json.loads(self.process.stdout.read(length))
        if "id" in said and "method" in said:
            self._send({"id": said["id"], "result": None})
        return said

    def close(self) -> None:
        """End the server."""
        self.guard.cancel()
        self.process.terminate()
        self.process.communicate(timeout=10)


pytestmark = [pytest.mark.slow, pytest.mark.needs("editor")]


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """An editor in the folder of a pack with its schemas."""
    folder = tmp_path_factory.mktemp("mounds")
    found = mounds(folder)["page.json"]
    (folder / ".schema").mkdir()
    (folder / ".schema" / "page.json").write_text(json.dumps(found), "utf-8")
    started = Editor(folder)
    yield started
    started.close()


def line_of(text: str) -> int:
    """Return the line of the first difference from the page, below the line with the schema."""
    pairs = zip(text.splitlines(), MOUNDS.splitlines(), strict=False)
    return 1 + next(number for number, (new, old) in enumerate(pairs) if new != old)


def test_a_page_without_mistakes_has_no_marks(editor: Editor) -> None:
    assert editor.opened(MOUNDS)[1] == []


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_has_one_mark_on_its_line(editor: Editor, name: str) -> None:
    right, wrong, _place = WRONG[name]
    text = MOUNDS.replace(right, wrong)
    ((line, message),) = editor.opened(text)[1]
    assert line == line_of(text)
    assert message == MESSAGES.get(name, message)
    assert "Value is not accepted" not in message
    assert "pattern" not in message


@pytest.mark.parametrize(("right", "wrong", "said"), MORE.values(), ids=MORE)
def test_a_mistake_in_notation_says_what_to_write(
    editor: Editor, right: str, wrong: str, said: str
) -> None:
    assert MOUNDS.count(right) == 1
    text = MOUNDS.replace(right, wrong)
    errors = editor.opened(text)[1]
    assert [line for line, _message in errors] == [line_of(text)]
    assert errors[0][1].startswith(said)


@pytest.mark.parametrize(
    ("written", "typed", "label", "about"),
    [
        ("id: omen/crow", "id: |", "trick/", "Trick"),
        ("value: might,", "value: |,", "might", "Might"),
        ("when: has('trick/light-feet')", "when: |", "has()", "Whether somebody has"),
        ("when: has('trick/light-feet')", "when: |", "might", "Might"),
        ("dice: 2d6kl1", "dice: |", "1d6", "One die"),
        ("do: roll", "do: |", "choose", "Choose"),
        ("at: armour/gambeson", "at: |", "armour/gambeson", ""),
        ("[trick/light-feet, {id", "[|, {id", "trick/light-feet", "Light Feet"),
        ("    weight: 2\n", "    weight: 2\n    |\n", "modifies", "The values that it changes"),
        ("    set: {formula: 6}", "    set:\n      |", "formula", "How to calculate it"),
    ],
)
def test_what_can_be_written_is_offered_with_its_meaning(
    editor: Editor, written: str, typed: str, label: str, about: str
) -> None:
    assert MOUNDS.count(written) == 1
    found = editor.at_cursor("textDocument/completion", MOUNDS.replace(written, typed))
    offered = {item["label"]: item.get("documentation", "") for item in found["items"]}
    assert label in offered
    assert about in str(offered[label])


def test_a_key_is_explained(editor: Editor) -> None:
    page = MOUNDS.replace("modifies", f"mod{CURSOR}ifies")
    found = editor.at_cursor("textDocument/hover", page)
    assert "#### modifies\n\nThe values that it changes" in found["contents"]["value"]
