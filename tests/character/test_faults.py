"""A save that fails or is killed at any call leaves the old or the new file whole."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from charforge.character.files import atomic_write, storage
from tests.character.faults import (
    NEW,
    NEXT,
    OLD,
    Layer,
    calls_of,
    failed,
    failing,
    kept,
    killed,
    temporary,
)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes and signals of Unix")
NUMBERS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EDQUOT)
WRITING = {"open", "mkdir", "write", "fsync", "replace", "link", "chmod"}
Fresh = Callable[[], Path]


@pytest.fixture
def fresh(tmp_path: Path) -> Fresh:
    """Return a character file that was saved once, in a folder of its own."""
    made: list[Path] = []

    def make() -> Path:
        folder = tmp_path / f"{len(made)}"
        folder.mkdir()
        made.append(folder / "nix.json")
        made[-1].write_bytes(OLD)
        return made[-1]

    return make


def change(path: Path) -> Callable[[], None]:
    return partial(storage.save_bytes, path, NEW)


def whole(path: Path) -> bytes:
    """Return the content of a file that must be one of two, and must not be lost otherwise."""
    found = path.read_bytes()
    assert found in (OLD, NEW)
    assert found == OLD or OLD in kept(path)
    return found


def test_the_layer_sees_every_step_of_a_save(fresh):
    """Kept as it was, written, kept as it is: each time the same steps, each flushed twice."""
    met = calls_of(change(fresh()))
    steps = ["write", "fsync", "chmod", "replace", "fsync"]
    assert [name for name in met if name in steps] == steps * 3
    assert {"mkdir", "open", "close"} <= {*met}


def test_killed_at_any_call_the_old_or_the_new_file_is_there(fresh):
    found: list[bytes] = []
    for at in range(1, 200):
        path = fresh()
        if not killed(change(path), at):
            break
        found.append(whole(path))
        assert len(temporary(path.parent)) <= 1
        storage.save_bytes(path, NEXT)  # nothing is locked or in the way
        assert path.read_bytes() == NEXT
        assert {OLD, NEXT, found[-1]} == {*kept(path)}
    assert len(found) >= 20
    assert found == sorted(found, reverse=True)  # once it is there, it stays
    assert {*found} == {OLD, NEW}


def test_killed_where_nothing_stood_there_is_nothing_or_the_whole(fresh):
    found: list[bytes] = []
    for at in range(1, 50):
        path = fresh()
        path.unlink()
        if not killed(partial(storage.save_bytes, path, NEW, replace=False), at):
            break
        found.append(path.read_bytes() if path.exists() else b"")
    assert {*found} == {b"", NEW}


def test_what_a_killed_save_left_is_removed_once_it_is_old(fresh):
    calls_of(change(fresh()))  # the folders above are there from now on
    own = [at for at, name in enumerate(calls_of(change(fresh())), 1) if name == "chmod"][1]
    path = fresh()
    assert killed(change(path), own)
    [left] = temporary(path.parent)
    storage.save_bytes(path, NEXT)
    assert temporary(path.parent) == [left]  # it may belong to somebody who is at it
    os.utime(left, (0, path.stat().st_mtime - atomic_write.STALE_SECONDS - 60))
    other = path.with_name(".nix.json.mine.tmp")
    other.write_bytes(b"not ours")
    os.utime(other, (0, 0))
    storage.save_bytes(path, NEW)
    assert temporary(path.parent) == [other]


@pytest.mark.parametrize("number", NUMBERS, ids=errno.errorcode.get)
def test_any_call_may_fail(fresh, number):
    """Refused with a sentence and the old file, or done: no third way, nothing left behind."""
    steps = len(calls_of(change(fresh())))
    refused = 0
    for at in range(1, steps + 1):
        path = fresh()
        layer = Layer(failing(number), lambda met, name, at=at: met == at and name != "unlink")
        error = failed(change(path), layer)
        if error is None:
            assert path.read_bytes() == NEW
        else:
            refused += 1
            assert error.advice == "Nothing was changed."
            assert path.read_bytes() == OLD
        assert temporary(path.parent) == []
    assert refused == 5  # open, write, fsync, chmod, replace of the file itself


@pytest.mark.parametrize("number", NUMBERS, ids=errno.errorcode.get)
def test_a_disk_that_is_full_from_a_call_on(fresh, number):
    steps = len(calls_of(change(fresh())))
    found = set()
    for at in range(1, steps + 1):
        path = fresh()
        layer = Layer(failing(number), lambda met, name, at=at: met >= at and name in WRITING)
        error = failed(change(path), layer)
        assert (error is None) == (path.read_bytes() == NEW)
        assert path.read_bytes() in (OLD, NEW)
        assert temporary(path.parent) == []
        found.add(error is None)
    assert found == {True, False}


def test_where_no_version_can_be_kept_the_character_is_saved_and_it_is_told(
    fresh, caplog, monkeypatch, tmp_path
):
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setattr("charforge.paths.state_folder", lambda: tmp_path / "file")
    path = fresh()
    storage.save_bytes(path, NEW)
    assert path.read_bytes() == NEW
    [said] = caplog.messages
    assert said.startswith(
        f"The previous version of {path} could not be kept in {tmp_path / 'file'}"
    )


def test_nothing_is_kept_where_nobody_has_a_home(fresh, caplog, monkeypatch):
    """Not in a folder called ~ either, beside whatever the program was started in."""
    path = fresh()
    monkeypatch.chdir(path.parent)
    monkeypatch.setattr("charforge.paths.state_folder", lambda: Path("~/state"))
    storage.save_bytes(path, NEW)
    assert path.read_bytes() == NEW
    assert caplog.messages[0].endswith("there is no home folder.")
    assert [entry.name for entry in path.parent.iterdir()] == ["nix.json"]


def test_a_file_is_whole_where_the_new_one_cannot_be_linked(fresh):
    """A disk without links that fails at the rename: the name that was reserved is given back."""
    path = fresh()
    path.unlink()

    wrong = {"link": errno.EPERM, "replace": errno.EIO}
    layer = Layer(lambda: failing(wrong[layer.met[-1]])(), lambda _number, name: name in wrong)
    error = failed(partial(storage.save_bytes, path, NEW, replace=False), layer)
    assert error is not None
    assert error.reason == os.strerror(errno.EIO)
    assert [*path.parent.iterdir()] == []


READ_ONLY = """
import os, sys
from pathlib import Path
from charforge.character.files import storage
from charforge.errors import WriteError
path, other = map(Path, sys.argv[1:])
storage.save_bytes(other, b"with all that is imported for it")
os.setuid(65534)
try:
    storage.save_bytes(path, b"new")
except WriteError as error:
    print(error.reason, error.advice, sep="|")
"""


@pytest.mark.slow
@pytest.mark.needs("root")
def test_a_folder_that_may_not_be_written_to(tmp_path):
    """By somebody who may read it, and whose versions may not be kept either: root may write.

    Everybody can reach what is in /tmp; TMPDIR may be a folder of root alone.
    """
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        path = folder / "nix.json"
        path.write_bytes(OLD)
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(path), str(tmp_path / "other")],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "PYTHONPATH": str(Path(storage.__file__).parents[2])},
        )
        assert done.stdout == "you may not write to this folder|Nothing was changed.\n"
        assert done.stderr.startswith(f"The previous version of {path} could not be kept")
        assert "Traceback" not in done.stderr
        assert path.read_bytes() == OLD
        assert [entry.name for entry in folder.iterdir()] == ["nix.json"]


def test_an_interrupt_as_soon_as_the_temporary_file_exists_leaves_nothing(tmp_path, monkeypatch):
    opens = os.open

    def interrupted(path: str, *more: int) -> int:
        os.close(opens(path, *more))
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        atomic_write.write(tmp_path / "nix.json", NEW)
    assert list(tmp_path.iterdir()) == []
