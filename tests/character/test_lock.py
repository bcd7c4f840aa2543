"""Two writers of one character: each change is saved or refused with a sentence, none is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from charforge.character import reader, storage
from charforge.character.storage import locked
from charforge.errors import WriteError
from charforge.paths import backup_folder
from charforge.replay.loaded_character import LoadedCharacter

ROOT = str(Path(storage.__file__).parents[2])
CHANGES = 50
# Each change reads the document, adds a note with a text of its own, and writes it.
WRITER = """
import json, sys
from pathlib import Path
from charforge.character import reader, storage
from charforge.character.events import NoteEvent
from charforge.errors import WriteError
path, name, times = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
saved, refused = [], []
for number in range(times):
    before = reader.load(path)
    note = NoteEvent(n=len(before.log) + 1, group=before.group + 1, text=f"{name} {number}")
    after = before.model_copy(update={"log": (*before.log, note)})
    try:
        storage.save_changed(before, after, path)
    except WriteError as error:
        refused.append(error.reason)
    else:
        saved.append(note.text)
print(json.dumps([saved, refused]))
"""
HOLDER = """
import sys, time
from pathlib import Path
from charforge.character.storage import (locked)
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": ROOT},
    )


@pytest.fixture
def nix(docker, tmp_path: Path) -> Path:
    path = tmp_path / "nix.json"
    made: LoadedCharacter = docker()
    storage.save(made.document, path, replace=False)
    return path


@pytest.mark.slow
def test_two_writers_lose_nothing(nix):
    writers = [start(WRITER, nix, name, CHANGES) for name in ("one", "two")]
    told = [writer.communicate(timeout=120) for writer in writers]
    assert [said for _out, said in told] == ["", ""]
    (one, shut), (two, out) = (json.loads(out) for out, _said in told)
    texts = [event.text for event in reader.load(nix).log if event.do == "note"]
    assert sorted(texts) == sorted([*one, *two])
    assert [text for text in texts if text in one] == one
    assert [text for text in texts if text in two] == two
    assert len(one) + len(shut) == len(two) + len(out) == CHANGES
    assert {*shut, *out} <= {"it was changed meanwhile"}
    assert len(texts) >= CHANGES  # the one that is not refused goes on
    assert [entry.name for entry in nix.parent.iterdir()] == ["nix.json"]


@pytest.fixture
def holder(nix):
    process = start(HOLDER, nix)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


@pytest.mark.slow
def test_who_holds_it_is_named_after_a_little_waiting(nix, holder, monkeypatch):
    monkeypatch.setattr(storage, "LOCK_WAIT", 0.2)
    before = nix.read_bytes()
    with pytest.raises(WriteError) as caught:
        storage.save_bytes(nix, b"new")
    assert caught.value.reason == f"another charforge (process {holder.pid}) is writing to it"
    assert caught.value.advice == "Nothing was changed; run the command again."
    assert caught.value.path == nix
    assert nix.read_bytes() == before


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_one_that_is_killed_holds_nothing(nix, holder):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    storage.save_bytes(nix, b"new")
    assert nix.read_bytes() == b"new"


@pytest.mark.slow
def test_other_characters_are_not_held(nix, holder, tmp_path):
    storage.save_bytes(tmp_path / "bob.json", b"new")
    assert (tmp_path / "bob.json").read_bytes() == b"new"


def test_whoever_holds_it_may_do_so_again(nix):
    with locked(nix):
        with locked(nix):
            storage.save_bytes(nix, b"inside")
        storage.save_bytes(nix, b"outside")
    storage.save_bytes(nix, b"after")
    assert nix.read_bytes() == b"after"


def test_the_lock_does_not_lie_beside_the_character(nix):
    storage.save_bytes(nix, b"new")
    assert [entry.name for entry in nix.parent.iterdir()] == ["nix.json"]
    assert {"lock", "holder"} <= {entry.name for entry in backup_folder(nix).iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("said", ["", "somebody", "\xe9"])
def test_one_that_did_not_say_its_number_is_another_charforge(nix, holder, monkeypatch, said):
    monkeypatch.setattr(storage, "LOCK_WAIT", 0.2)
    (backup_folder(nix) / "holder").write_text(said, encoding="latin-1")
    with pytest.raises(WriteError) as caught:
        storage.save_bytes(nix, b"new")
    assert caught.value.reason == "another charforge is writing to it"
