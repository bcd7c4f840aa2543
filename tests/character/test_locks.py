"""Two writers of one character: every change is saved or refused with a message."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from charforge.character.files import reader, storage
from charforge.character.files.storage import LockedByOther, lock_file
from charforge.errors import WriteError
from charforge.paths import backup_folder
from charforge.replay.loaded_character import LoadedCharacter

ROOT = str(Path(storage.__file__).parents[2])
CHANGES = 50
# Each change reads the document, adds a note with a text of its own, and writes it.
WRITER = """
import json, sys
from pathlib import Path
from charforge.character.files import reader, storage
from charforge.character.files.events import NoteEvent
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
from charforge.character.files.storage import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def start(script: str, *arguments: object, state: Path | None = None) -> subprocess.Popen[str]:
    """Start a process, with a state folder of its own if one is named."""
    own = {} if state is None else {"XDG_STATE_HOME": str(state), "LOCALAPPDATA": str(state)}
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": ROOT, **own},
    )


@pytest.fixture
def nix(dockhand, tmp_path: Path) -> Path:
    path = tmp_path / "nix.json"
    made: LoadedCharacter = dockhand()
    storage.save(made.document, path, replace=False)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("homes", [("state", "state"), ("mine", "yours")], ids=["one", "two"])
def test_two_writers_lose_nothing(nix, homes, tmp_path_factory):
    """In one home, and in two: two people who share a folder."""
    root = tmp_path_factory.mktemp("homes")
    writers = [
        start(WRITER, nix, name, CHANGES, state=root / home)
        for name, home in zip(("one", "two"), homes, strict=True)
    ]
    told = [writer.communicate(timeout=120) for writer in writers]
    assert [said for _out, said in told] == ["", ""]
    (one, shut), (two, out) = (json.loads(out) for out, _said in told)
    texts = [event.text for event in reader.load(nix).log if event.do == "note"]
    assert sorted(texts) == sorted([*one, *two])
    assert [text for text in texts if text in one] == one
    assert [text for text in texts if text in two] == two
    assert len(one) + len(shut) == len(two) + len(out) == CHANGES
    assert {*shut, *out} <= {"another program changed it in the meantime"}
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


@pytest.mark.slow
def test_who_holds_it_in_another_home_is_waited_for(nix, monkeypatch, tmp_path_factory):
    monkeypatch.setattr(storage, "LOCK_WAIT", 0.2)
    process = start(HOLDER, nix, state=tmp_path_factory.mktemp("home"))
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    with pytest.raises(WriteError) as caught:
        storage.save_bytes(nix, b"new")
    process.kill()
    process.communicate()
    assert caught.value.reason == "another charforge is writing to it"
    storage.save_bytes(nix, b"new")
    assert nix.read_bytes() == b"new"


@pytest.mark.parametrize("state", ["writable", "read-only"])
def test_the_file_itself_is_locked(nix, monkeypatch, state):
    """So the lock holds wherever the state folder is, and if there is none."""
    monkeypatch.setattr(storage, "LOCK_WAIT", 0)
    before = nix.read_bytes()
    if state == "read-only":

        def refuse(place: Path) -> None:
            raise PermissionError(errno.EACCES, "no", str(place))

        monkeypatch.setattr(storage, "make_private_folder", refuse)
    with lock_file(nix, 0), pytest.raises(WriteError, match="is writing to it"):
        storage.save_bytes(nix, b"new")
    assert nix.read_bytes() == before
    storage.save_bytes(nix, b"new")
    assert nix.read_bytes() == b"new"
    assert [entry.name for entry in nix.parent.iterdir()] == ["nix.json"]


def test_a_link_is_locked_with_its_file(nix, monkeypatch, tmp_path_factory):
    monkeypatch.setattr(storage, "LOCK_WAIT", 0)
    link = tmp_path_factory.mktemp("links") / "link.json"
    link.symlink_to(nix)
    with lock_file(nix, 0), pytest.raises(WriteError):
        storage.save_bytes(link, b"new")
    storage.save_bytes(link, b"new")
    assert nix.read_bytes() == b"new"
    assert link.is_symlink()


@pytest.mark.skipif(os.name == "nt", reason="there the lock is a file beside it")
def test_the_lock_of_a_file_that_was_replaced_meanwhile_is_none(nix, monkeypatch):
    """Whoever waits gets the lock of the old file once the new one is in place."""
    import fcntl

    locked_files = []

    def replaced_first(handle: int, operation: int) -> None:
        locked_files.append(os.fstat(handle).st_ino)
        if len(locked_files) == 1:
            storage.write(nix, b"another's")
        original(handle, operation)

    original = fcntl.flock
    monkeypatch.setattr(fcntl, "flock", replaced_first)
    with lock_file(nix, 1), pytest.raises(LockedByOther), lock_file(nix, 0):
        pass
    assert len({*locked_files[:2]}) == 2
    assert locked_files[1] == nix.stat().st_ino


@pytest.mark.skipif(os.name == "nt", reason="there the lock is a file beside it")
def test_a_file_that_may_only_be_read_is_locked(nix, monkeypatch):
    """Its folder may be writable, and then it can be replaced."""

    def refuse_to_write(path: Path, flags: int) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "no", str(path))
        return original(path, flags)

    original = os.open
    monkeypatch.setattr(storage.os, "open", refuse_to_write)
    with lock_file(nix, 0), pytest.raises(LockedByOther), lock_file(nix, 0):
        pass


def test_the_lock_does_not_lie_beside_the_character(nix):
    storage.save_bytes(nix, b"new")
    assert [entry.name for entry in nix.parent.iterdir()] == ["nix.json"]
    assert {"lock", "holder"} <= {entry.name for entry in backup_folder(nix).iterdir()}


@pytest.mark.skipif(os.name == "nt", reason="symbolic links of Unix")
def test_a_link_in_place_of_the_holder_is_not_written_through(nix, tmp_path):
    storage.save_bytes(nix, b"new")
    other, holder = tmp_path / "precious", backup_folder(nix) / "holder"
    other.write_text("precious")
    holder.unlink()
    holder.symlink_to(other)
    storage.save_bytes(nix, b"newer")
    assert other.read_text() == "precious"
    assert nix.read_bytes() == b"newer"


@pytest.mark.slow
@pytest.mark.parametrize("said", ["", "somebody", "\xe9"])
def test_one_that_did_not_say_its_number_is_another_charforge(nix, holder, monkeypatch, said):
    monkeypatch.setattr(storage, "LOCK_WAIT", 0.2)
    (backup_folder(nix) / "holder").write_text(said, encoding="latin-1")
    with pytest.raises(WriteError) as caught:
        storage.save_bytes(nix, b"new")
    assert caught.value.reason == "another charforge is writing to it"
