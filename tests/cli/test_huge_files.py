"""Files that are far too large, or never end: refused before they are read."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from charforge.cli.files import character_files, character_summary


@pytest.fixture
def huge(tmp_path):
    """A file of 1.5 GB beside a character; it takes no room on the disk."""
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(1_500_000_000)
    return tmp_path / "huge.json"


def test_a_huge_file_in_a_folder_is_skipped_and_hardly_read(huge, captain, capsys):
    (huge.parent / "nix.json").write_text(captain, encoding="utf-8")
    tracemalloc.start()
    try:
        assert character_files([huge.parent]) == [huge.parent / "nix.json"]
        assert character_summary(huge) == {}
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "huge.json is not a character file; it is skipped." in capsys.readouterr().err
    assert most < 100_000_000  # bytes


@pytest.mark.parametrize("command", ["check", "luck"])
def test_commands_that_read_a_folder_skip_it(run, huge, captain, command):
    (huge.parent / "nix.json").write_text(captain, encoding="utf-8")
    done = run(command, ".")
    assert done.code == 0, done.err
    assert "huge.json is not a character file; it is skipped." in done.err


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_device_is_no_pack(run, device):
    if not Path(device).exists():
        pytest.skip(f"needs {device}")
    done = run("catalog", "check", device)
    assert done.code == 1
    assert f"{device}:1:1: error: this is a pipe or a device, not a file." in done.out
