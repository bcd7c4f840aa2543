"""Files are written completely or not at all."""

from __future__ import annotations

import errno
import os
import threading

import pytest

from charforge.character.files import atomic_write, reader, storage
from charforge.character.files.document import to_text
from charforge.errors import WriteError


def test_what_is_written_is_what_is_there(tmp_path):
    path = tmp_path / "file"
    atomic_write.write(path, b"one")
    assert path.read_bytes() == b"one"
    atomic_write.write(path, b"two")
    assert path.read_bytes() == b"two"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_without_replace_a_file_is_left_alone(tmp_path):
    path = tmp_path / "file"
    atomic_write.write(path, b"one", replace=False)
    with pytest.raises(WriteError) as caught:
        atomic_write.write(path, b"two", replace=False)
    assert path.read_bytes() == b"one"
    assert caught.value.path == path
    assert caught.value.reason == "this file already exists"
    assert caught.value.exit_code == 2


def test_a_dangling_link_is_filled_where_it_points(tmp_path):
    (tmp_path / "link").symlink_to("real")
    atomic_write.write(tmp_path / "link", b"one")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"one"


def test_a_link_to_nowhere_is_named_as_it_was_given(tmp_path):
    (tmp_path / "link").symlink_to("nowhere/real")
    with pytest.raises(WriteError) as caught:
        atomic_write.write(tmp_path / "link", b"one")
    assert caught.value.path == tmp_path / "link"
    assert caught.value.reason == "this folder does not exist"


@pytest.mark.parametrize("replace", [True, False])
def test_nothing_is_left_of_a_write_that_failed(tmp_path, monkeypatch, replace):
    def fail(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(WriteError, match="the disk is full"):
        atomic_write.write(tmp_path / "file", b"one", replace=replace)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_nothing_behind(tmp_path, monkeypatch):
    def interrupt(_handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        atomic_write.write(tmp_path / "file", b"one")
    assert list(tmp_path.iterdir()) == []


def test_a_reader_never_meets_half_a_file(tmp_path):
    path = tmp_path / "file"
    contents = [bytes([65 + number]) * 200_000 for number in range(8)]
    atomic_write.write(path, contents[0])
    met = set()

    def write() -> None:
        for content in contents * 3:
            atomic_write.write(path, content)

    writer = threading.Thread(target=write)
    writer.start()
    while writer.is_alive():
        met.add(path.read_bytes())
    writer.join()
    assert met <= set(contents)


def test_of_many_writers_without_replace_one_wins(tmp_path):
    path = tmp_path / "file"
    ready = threading.Barrier(8)
    outcomes: list[bytes | WriteError] = []

    def write(content: bytes) -> None:
        ready.wait()
        try:
            atomic_write.write(path, content, replace=False)
        except WriteError as error:
            outcomes.append(error)
        else:
            outcomes.append(content)

    writers = [threading.Thread(target=write, args=(bytes([n]) * 1000,)) for n in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    [winner] = [outcome for outcome in outcomes if isinstance(outcome, bytes)]
    assert path.read_bytes() == winner
    assert len(outcomes) == 8


@pytest.mark.parametrize(
    ("make", "reason", "advice"),
    [
        (lambda path: path.mkdir(), "this is a folder", "Add a file name."),
        (os.mkfifo, "this is a device, not a file", "Use another -o."),
        (lambda path: path.touch(), "this file already exists", "Use --force, or another -o."),
    ],
    ids=["folder", "device", "file"],
)
def test_what_may_not_be_replaced_is_refused_with_what_to_do(tmp_path, make, reason, advice):
    path = tmp_path / "file"
    atomic_write.check_writable(path, replace=False)
    make(path)
    with pytest.raises(WriteError) as caught:
        atomic_write.check_writable(path, replace=False)
    assert caught.value.path == path
    assert (caught.value.reason, caught.value.advice) == (reason, advice)


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EROFS, "the disk is read-only"),
        (errno.EACCES, "you may not write to this folder"),
        (errno.EPERM, "you may not write to this folder"),
        (errno.ENOENT, "this folder does not exist"),
        (errno.ENOTDIR, "part of this path is a file, not a folder"),
        (errno.EISDIR, "this is a folder"),
        (errno.ENAMETOOLONG, "the file name is too long"),
        (errno.EIO, os.strerror(errno.EIO)),
    ],
)
def test_what_the_system_says_is_a_sentence(tmp_path, monkeypatch, number, reason):
    def fail(_handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(WriteError) as caught:
        atomic_write.write(tmp_path / "file", b"one")
    assert caught.value.path == tmp_path / "file"
    assert (caught.value.reason, caught.value.advice) == (reason, "Nothing was changed.")


@pytest.mark.skipif(os.name == "nt", reason="rights of Unix")
def test_a_new_file_has_the_usual_rights_and_an_old_one_keeps_its_own(tmp_path):
    path = tmp_path / "file"
    before = os.umask(0o027)
    try:
        atomic_write.write(path, b"one")
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o604)
    atomic_write.write(path, b"two")
    assert path.stat().st_mode & 0o777 == 0o604


@pytest.mark.parametrize("number", sorted(atomic_write.NO_HARD_LINKS), ids=errno.errorcode.get)
def test_on_a_disk_without_links_a_new_file_is_written_all_the_same(tmp_path, monkeypatch, number):
    def link(_old: str, _new: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.link", link)
    path = tmp_path / "file"
    atomic_write.write(path, b"one", replace=False)
    assert path.read_bytes() == b"one"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("linkless", [True, False])
def test_a_file_that_came_meanwhile_is_left_alone(tmp_path, monkeypatch, linkless):
    path = tmp_path / "file"
    real = os.link

    def link(old: str, new: str) -> None:
        path.write_bytes(b"another's")
        if linkless:
            raise OSError(errno.EPERM, os.strerror(errno.EPERM))
        real(old, new)

    monkeypatch.setattr("os.link", link)
    with pytest.raises(WriteError) as caught:
        atomic_write.write(path, b"one", replace=False)
    assert caught.value.path == path
    assert path.read_bytes() == b"another's"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    if not linkless:
        assert caught.value.reason == "this file already exists"
        assert caught.value.advice == "Use --force, or another -o."


def test_what_killed_writes_left_is_swept_from_beside_their_files(tmp_path):
    """Only those of these files, whatever their age."""
    long = "n" * 70
    paths = [tmp_path / "a" / "nix.json", tmp_path / "a" / long, tmp_path / "b" / "bob.json"]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"whole")
    left = [
        tmp_path / "a" / ".nix.json.abcd_123.tmp",
        tmp_path / "a" / f".{long[:60]}.abcd_123.tmp",
        tmp_path / "b" / ".bob.json.abcd_123.tmp",
    ]
    stays = [
        tmp_path / "a" / ".bob.json.abcd_123.tmp",
        tmp_path / "a" / ".nix.json.abcd_123.bak",
        tmp_path / "a" / ".nix.json.abcd_1234.tmp",
        tmp_path / "b" / ".nix.json.abcd_123.tmp",
    ]
    for path in (*left, *stays):
        path.write_bytes(b"half")
    atomic_write.remove_leftovers([*paths, tmp_path / "nowhere" / "nix.json"])
    found = {path for folder in ("a", "b") for path in (tmp_path / folder).iterdir()}
    assert found == {*paths, *stays}


def test_a_sweep_takes_what_is_older_than_any_write_takes(tmp_path):
    path = tmp_path / ("n" * 70)
    path.write_bytes(b"whole")
    os.utime(path, (100_000, 100_000))
    ages = {
        "older000": atomic_write.STALE_SECONDS + 1,
        "asold000": atomic_write.STALE_SECONDS,
        "newer000": atomic_write.STALE_SECONDS - 1,
    }
    for name, age in ages.items():
        left = tmp_path / f".{path.name[: atomic_write.PREFIX_LENGTH]}.{name}.tmp"
        left.write_bytes(b"half")
        os.utime(left, (100_000 - age, 100_000 - age))
    atomic_write.remove_stale(path)
    found = {entry.name.split(".")[2] for entry in tmp_path.glob(".n*")}
    assert found == {"asold000", "newer000"}


def test_what_another_program_changed_meanwhile_is_not_lost(dockhand, tmp_path):
    path = tmp_path / "ada.json"
    before = dockhand().document
    storage.save(before, path)
    other, mine = (before.model_copy(update={"name": name}) for name in ("Bo", "Cy"))
    storage.save_changed(before, other, path)
    with pytest.raises(WriteError) as caught:
        storage.save_changed(before, mine, path)
    assert caught.value.path == path
    assert caught.value.reason == "another program changed it in the meantime"
    assert caught.value.advice == "Run the command again."
    assert reader.load(path) == other


def test_more_than_a_file_can_tell_is_not_written(dockhand, tmp_path, monkeypatch):
    path = tmp_path / "ada.json"
    made = dockhand().document
    size = len(to_text(made))
    monkeypatch.setattr(storage, "MAX_EVENTS", len(made.log))
    monkeypatch.setattr(storage, "MAX_DOCUMENT_LENGTH", size)
    storage.save(made, path, replace=False)
    assert reader.load(path) == made
    monkeypatch.setattr(storage, "MAX_DOCUMENT_LENGTH", size - 1)
    with pytest.raises(WriteError) as caught:
        storage.save(made, tmp_path / "other.json")
    assert caught.value.path == tmp_path / "other.json"
    assert caught.value.reason == "its history is full"
    assert caught.value.advice == "Undo some changes first."
    assert [entry.name for entry in tmp_path.iterdir()] == ["ada.json"]


def test_a_document_is_saved_over_another_only_where_it_may(dockhand, tmp_path):
    path = tmp_path / "ada.json"
    path.write_bytes(b"another's")
    with pytest.raises(WriteError, match="already exists"):
        storage.save(dockhand().document, path, replace=False)
    assert path.read_bytes() == b"another's"
    storage.save(dockhand().document, path)
    assert reader.load(path) == dockhand().document
