"""Backups of a character file: which versions are kept, their order and content."""

from __future__ import annotations

import errno
import gzip
import os
import stat
from pathlib import Path

import pytest

from charforge.character.files import storage
from charforge.character.files.storage import backups_of
from charforge.errors import WriteError
from charforge.paths import backup_folder, backups_folder
from tests.character.faults import kept


@pytest.fixture
def nix(tmp_path: Path) -> Path:
    return tmp_path / "nix.json"


def numbers(path: Path) -> list[int]:
    return [one.number for one in storage.backups_of(path)]


def test_a_first_save_keeps_nothing(nix):
    storage.save_bytes(nix, b"1", replace=False)
    assert nix.read_bytes() == b"1"
    assert storage.backups_of(nix) == ()
    assert not backup_folder(nix).exists()


def test_what_is_replaced_is_kept_and_what_replaced_it(nix):
    storage.save_bytes(nix, b"1", replace=False)
    storage.save_bytes(nix, b"2")
    assert kept(nix) == [b"2", b"1"]
    storage.save_bytes(nix, b"3")
    assert kept(nix) == [b"3", b"2", b"1"]
    assert numbers(nix) == [3, 2, 1]


def test_ten_are_kept_besides_the_one_that_stands(nix):
    for number in range(25):
        storage.save_bytes(nix, b"%d" % number)
    assert kept(nix) == [b"%d" % number for number in range(24, 13, -1)]
    assert numbers(nix) == [*range(25, 14, -1)]


def test_what_was_changed_by_another_program_is_kept_too(nix):
    storage.save_bytes(nix, b"1")
    nix.write_bytes(b"by hand")
    storage.save_bytes(nix, b"2")
    assert kept(nix) == [b"2", b"by hand", b"1"]


def test_the_same_content_is_kept_once_as_the_newest(nix):
    for content in (b"1", b"2", b"3", b"1"):
        storage.save_bytes(nix, content)
    assert kept(nix) == [b"1", b"3", b"2"]
    assert numbers(nix) == [4, 3, 2]
    storage.save_bytes(nix, b"1")
    assert numbers(nix) == [4, 3, 2]


def test_a_version_was_saved_when_its_file_was(nix):
    nix.write_bytes(b"1")
    os.utime(nix, (1_000_000_000, 1_000_000_000))
    storage.save_bytes(nix, b"2")
    newer, older = (one.read()[1] for one in storage.backups_of(nix))
    assert older == 1_000_000_000
    assert newer == int(nix.stat().st_mtime)


@pytest.mark.parametrize("seconds", [-5_000_000_000, 0, 20_000_000_000])
def test_a_file_of_another_century_is_kept(nix, seconds):
    nix.write_bytes(b"1")
    os.utime(nix, (seconds, seconds))
    storage.save_bytes(nix, b"2")
    assert kept(nix) == [b"2", b"1"]


def test_two_files_of_one_name_are_two_characters(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        for number in (b"1", b"2"):
            storage.save_bytes(tmp_path / folder / "nix.json", folder.encode() + number)
    assert kept(tmp_path / "a" / "nix.json") == [b"a2", b"a1"]
    assert kept(tmp_path / "b" / "nix.json") == [b"b2", b"b1"]


def test_a_link_and_another_spelling_are_the_same_character(nix, monkeypatch):
    for content in (b"1", b"2"):
        storage.save_bytes(nix, content)
    (nix.parent / "link.json").symlink_to(nix)
    monkeypatch.chdir(nix.parent)
    for path in (Path("link.json"), Path("nix.json"), Path("./../") / nix.parent.name / "nix.json"):
        assert kept(path) == [b"2", b"1"]


@pytest.mark.skipif(os.name == "nt", reason="rights of Unix")
def test_nobody_else_may_read_versions(nix):
    for content in (b"1", b"2"):
        storage.save_bytes(nix, content)
    assert stat.S_IMODE(backup_folder(nix).stat().st_mode) == 0o700


@pytest.mark.skipif(os.name == "nt", reason="symbolic links of Unix")
def test_a_link_in_place_of_the_folder_is_not_followed(nix, tmp_path, caplog):
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "000001-0123456789abcdef.json.gz").write_bytes(b"")
    backup_folder(nix).parent.mkdir(parents=True, exist_ok=True)
    backup_folder(nix).symlink_to(other)
    storage.save_bytes(nix, b"new")
    assert nix.read_bytes() == b"new"
    assert len(list(other.iterdir())) == 1
    assert backups_of(nix) == ()
    assert "is a link or of another user" in caplog.text


def test_what_else_lies_in_the_folder_is_no_version_and_stays(nix):
    for content in (b"1", b"2"):
        storage.save_bytes(nix, content)
    mine = backup_folder(nix) / "000009-mine.json.gz"
    mine.write_bytes(b"")
    storage.save_bytes(nix, b"3")
    assert numbers(nix) == [3, 2, 1]
    assert mine.exists()


DAMAGED = {
    "empty": b"",
    "only its first signs": b"\x1f\x8b",
    "no gzip": b"no gzip",
    "cut short": gzip.compress(b"x" * 99)[:-4],
    "something else": gzip.compress(b"other"),
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_version_is_in_nobodys_way(nix, damage):
    for content in (b"1", b"2"):
        storage.save_bytes(nix, content)
    [_newer, older] = storage.backups_of(nix)
    older.file.write_bytes(damage)
    with pytest.raises(storage.READ_ERRORS):
        older.read()
    storage.save_bytes(nix, b"3")
    assert [one.read()[0] for one in storage.backups_of(nix)[:2]] == [b"3", b"2"]


def test_a_device_is_refused_before_it_is_read(nix):
    os.mkfifo(nix)
    with pytest.raises(storage.WriteError, match="this is a device"):
        storage.save_bytes(nix, b"1")


def test_a_version_is_read_up_to_the_largest_file_and_no_further(nix, monkeypatch):
    for content in (b"12345", b"123456"):
        storage.save_bytes(nix, content)
    monkeypatch.setattr(storage, "MAX_FILE_BYTES", 5)
    [newer, older] = storage.backups_of(nix)
    assert older.read()[0] == b"12345"
    assert newer.read()[0] == b"123456"  # one byte more tells that it is too large
    monkeypatch.setattr(storage, "MAX_FILE_BYTES", 4)
    assert older.read()[0] == b"12345"
    with pytest.raises(OSError, match=f"{newer.file} is damaged"):
        newer.read()


def test_a_file_beyond_the_largest_is_not_kept(nix, monkeypatch):
    monkeypatch.setattr(storage, "MAX_FILE_BYTES", 5)
    nix.write_bytes(b"12345")
    assert storage.current_content(nix) == (b"12345", nix.stat().st_mtime)
    nix.write_bytes(b"123456")
    assert storage.current_content(nix) is None
    assert storage.current_content(nix.parent / "nobody.json") is None


def test_a_version_of_no_known_time_was_saved_at_the_beginning(nix):
    nix.write_bytes(b"1")
    os.utime(nix, (0, 0))
    storage.save_bytes(nix, b"2")
    assert storage.backups_of(nix)[1].read() == (b"1", 0)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.ENOSPC, "No space left"), "the disk is full"),
        (OSError("unsaid"), "unsaid"),
        (WriteError(Path("x"), "the disk is full", "Nothing was changed."), "the disk is full"),
    ],
    ids=["system", "nameless", "write"],
)
def test_what_is_not_kept_is_told_once_with_the_reason(nix, caplog, error, reason):
    for _time in range(2):
        storage.warn_no_backup(nix, error)
    assert caplog.messages == [
        f"The previous version of {nix} could not be kept in {backups_folder()}: {reason}."
    ]
    assert {record.levelname for record in caplog.records} == {"WARNING"}
