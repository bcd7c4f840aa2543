"""Only compiled packs written by the same user's charforge are read."""

from __future__ import annotations

import hashlib
import os
import pickle
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.paths import (
    KEPT_DAYS,
    cache_folder,
    read_cache_file,
    remove_old_cache_files,
    user_data_folder,
    write_cache_file,
)
from charforge.rules.loading import loader
from charforge.rules.loading.loader import load_folder
from charforge.sheet.html import environment
from tests.conftest import TOY

pytestmark = pytest.mark.skipif(os.name == "nt", reason="owners and modes of Unix")
Plant = Callable[[int], Path]


class Evil:
    """Something that acts when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return Path.touch, (self.path,)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, with the toy pack compiled in it."""
    monkeypatch.setattr(loader, "cache_folder", lambda: tmp_path)
    load_folder(TOY)
    return tmp_path


@pytest.fixture
def plant(home: Path, tmp_path: Path) -> Plant:
    """Put something else, whole by its own word, where the compiled pack is; return its mark."""

    def plant(mode: int) -> Path:
        (kept,) = (home / "packs").glob("*.pack")
        data = pickle.dumps(Evil(tmp_path / "evil"))
        kept.write_bytes(hashlib.sha256(data).digest() + data)
        kept.chmod(mode)
        return tmp_path / "evil"

    return plant


@pytest.mark.parametrize("mode", [0o666, 0o660, 0o602])
def test_a_pack_that_others_could_have_written_is_not_read(plant: Plant, mode: int) -> None:
    evil = plant(mode)
    assert load_folder(TOY).id == "toy"
    assert not evil.exists()


def test_such_a_pack_would_act(plant: Plant) -> None:
    """So the tests around this one can fail: with this user's own, it is read."""
    evil = plant(0o600)
    load_folder(TOY)
    assert evil.exists()


def test_what_another_owns_is_not_read(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    evil = plant(0o600)
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    assert load_folder(TOY).id == "toy"
    assert not evil.exists()


def test_a_compiled_pack_is_for_its_owner_alone(home: Path) -> None:
    kept = [*(home / "packs").glob("*.pack")]
    assert [path.stat().st_mode & 0o777 for path in kept] == [0o600]


def test_a_compiled_template_is_for_its_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("charforge.sheet.html.cache_folder", lambda: tmp_path)
    environment.cache_clear()
    try:
        environment().get_template("full.html")
        kept = [*(tmp_path / "templates").iterdir()]
        assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
        assert read_cache_file(kept[0])
        kept[0].chmod(0o620)
        with pytest.raises(PermissionError):
            read_cache_file(kept[0])
    finally:
        environment.cache_clear()


def test_no_pack_lies_where_compiled_ones_do() -> None:
    """Neither folder is inside the other, so no file of a pack is taken for a compiled one."""
    packs, compiled = user_data_folder() / "packs", cache_folder() / "packs"
    assert not packs.is_relative_to(compiled)
    assert not compiled.is_relative_to(packs)


def test_what_is_not_whole_is_not_read(tmp_path: Path) -> None:
    write_cache_file(tmp_path / "kept", b"compiled")
    whole = (tmp_path / "kept").read_bytes()
    for broken in (b"", whole[:20], whole[:-1], whole + b"!", whole[:-1] + b"D"):
        (tmp_path / "kept").write_bytes(broken)
        with pytest.raises(OSError, match="is incomplete"):
            read_cache_file(tmp_path / "kept")


def test_old_files_are_removed(tmp_path: Path) -> None:
    for name, days in (("old", KEPT_DAYS + 1), ("new", KEPT_DAYS - 1)):
        write_cache_file(tmp_path / name, b"compiled")
        written = time.time() - days * 24 * 60 * 60
        os.utime(tmp_path / name, (written, written))
    remove_old_cache_files(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_a_pipe_in_the_place_of_a_compiled_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(PermissionError):
        read_cache_file(tmp_path / "pipe")


def test_what_is_kept_is_not_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_bytes(b"precious")
    (tmp_path / "kept").symlink_to(tmp_path / "theirs")
    write_cache_file(tmp_path / "kept", b"compiled")
    assert (tmp_path / "theirs").read_bytes() == b"precious"
    assert read_cache_file(tmp_path / "kept") == b"compiled"
    assert {path.name for path in tmp_path.iterdir()} == {"kept", "theirs"}
