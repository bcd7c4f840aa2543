"""Files on disk: written whole or not at all."""

from __future__ import annotations

import errno
import os
import threading

import pytest

from charforge.document import store
from charforge.errors import WriteError


def test_what_is_written_is_what_is_there(tmp_path):
    path = tmp_path / "file"
    store.write(path, b"one")
    assert path.read_bytes() == b"one"
    store.write(path, b"two")
    assert path.read_bytes() == b"two"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_without_replace_a_file_is_left_alone(tmp_path):
    path = tmp_path / "file"
    store.write(path, b"one", replace=False)
    with pytest.raises(WriteError) as caught:
        store.write(path, b"two", replace=False)
    assert path.read_bytes() == b"one"
    assert caught.value.path == path
    assert caught.value.reason == "this file exists already"
    assert caught.value.exit_code == 2


def test_a_dangling_link_is_filled_where_it_points(tmp_path):
    (tmp_path / "link").symlink_to("real")
    store.write(tmp_path / "link", b"one")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"one"


def test_a_link_to_nowhere_is_named_as_it_was_given(tmp_path):
    (tmp_path / "link").symlink_to("nowhere/real")
    with pytest.raises(WriteError) as caught:
        store.write(tmp_path / "link", b"one")
    assert caught.value.path == tmp_path / "link"
    assert caught.value.reason == "there is no such folder"


@pytest.mark.parametrize("replace", [True, False])
def test_nothing_is_left_of_a_write_that_failed(tmp_path, monkeypatch, replace):
    def fail(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(WriteError, match="the disk is full"):
        store.write(tmp_path / "file", b"one", replace=replace)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_nothing_behind(tmp_path, monkeypatch):
    def interrupt(_handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        store.write(tmp_path / "file", b"one")
    assert list(tmp_path.iterdir()) == []


def test_a_reader_never_meets_half_a_file(tmp_path):
    path = tmp_path / "file"
    contents = [bytes([65 + number]) * 200_000 for number in range(8)]
    store.write(path, contents[0])
    met = set()

    def write() -> None:
        for content in contents * 3:
            store.write(path, content)

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
            store.write(path, content, replace=False)
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
