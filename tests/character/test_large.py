"""Documents that are far too large are refused with little work and little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from charforge.character.files import reader, storage
from charforge.errors import DocumentError, WriteError, nearest
from charforge.replay import loaded_character

HEAD = {
    "charforge": 1, "id": "x", "ruleset": "capital", "packs": [], "name": "N", "seed": "s",
    "character": {}, "plan": {},
}  # fmt: skip
CHECK = """
import re, sys
from pathlib import Path
from charforge.cli.app import run
code = run(["check", sys.argv[1]])
print(code, re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


def document(**more: object) -> str:
    return json.dumps({**HEAD, "undone": [], "log": [], **more}, separators=(",", ":"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (document(log=[{}] * 1_500_000), "it has more than 20,000 history entries"),
        (document(undone=[{}] * 20_001), "it has more than 20,000 history entries"),
        (document(log=[{}] * 20_000), "this character file has errors"),
        (document(x=[[]] * 1_600_000), "this character file has errors"),
        (document(x="y" * 5_000_000), "it is too large"),
    ],
    ids=["events", "undone events", "as many as may be", "parts", "characters"],
)
@pytest.mark.slow
@pytest.mark.needs("proc")
def test_a_large_document_is_refused_within_bounds(text, said, tmp_path):
    path = tmp_path / "large.json"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", CHECK, str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": str(Path(storage.__file__).parents[2])},
    )
    assert said in done.stderr
    code, memory = map(int, done.stdout.split())
    assert code == 2
    assert memory // 1024 <= 500


def test_the_nearest_name_is_searched_for_a_few_of_many_unknown_answers(tmp_path, monkeypatch):
    """The search is what takes long."""
    searched = []
    monkeypatch.setattr(
        loaded_character, "did_you_mean", lambda name, known: searched.append(name) or ""
    )
    path = tmp_path / "unknown.json"
    log = [
        {"n": n, "group": 1, "do": "answer", "decision": f"a{n}", "answer": 1}
        for n in range(1, 1501)
    ]
    path.write_text(document(log=log), encoding="utf-8")
    problems = loaded_character.load_character(path).problems
    assert sum(one.code == "unknown" for one in problems) == 1500
    assert len(searched) == loaded_character.MAX_HINTS <= 20


def test_no_nearest_name_of_a_text_is_looked_for():
    assert nearest("x" * 100_000, ["x" * 100_000]) == ""
    assert nearest("lancr", ["lancer"]) == "lancer"


def test_what_could_not_be_read_again_is_not_written(dockhand, tmp_path, monkeypatch):
    path = tmp_path / "nix.json"
    made = dockhand().document
    storage.save(made, path)
    before = path.read_bytes()
    for module in (storage, reader):
        monkeypatch.setattr(module, "MAX_EVENTS", len(made.log) - 1)
    with pytest.raises(WriteError, match="its history is full"):
        storage.save(made, path)
    assert path.read_bytes() == before
    with pytest.raises(DocumentError, match="history entries"):
        reader.load(path)
