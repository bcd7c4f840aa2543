"""A save killed at each of its system calls, under strace.

A few of them as a rule; ``--long`` takes every one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.character.files import storage
from charforge.paths import backup_folder
from tests.character.faults import NEW, NEXT, OLD, kept, temporary
from tests.requirements import require

pytestmark = pytest.mark.slow
FEW = 12
BEGIN = "/charforge/begin"
SAVE = f"""
import os, sys
from pathlib import Path
from charforge.character.files import storage
path, other = map(Path, sys.argv[1:])
other.write_bytes(b"first")
storage.save_bytes(other, b"with all that is imported for it")
os.access({BEGIN!r}, os.F_OK)
storage.save_bytes(path, {NEW[:4]!r} * {len(NEW) // 4})
os._exit(0)
"""
CALL = re.compile(r"^(?:\d+ +)?(\w+)\(")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def nix(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    path = tmp_path / "here" / "nix.json"
    path.write_bytes(OLD)
    return path


@pytest.fixture
def traced(tmp_path: Path, nix: Path) -> Run:
    """Save under strace, with its options; the file is the old one before, never saved yet."""
    require("strace")
    other = tmp_path / "other"

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        nix.write_bytes(OLD)
        shutil.rmtree(backup_folder(nix), ignore_errors=True)
        return subprocess.run(
            ["strace", "-f", *options, sys.executable, "-c", SAVE, str(nix), str(other)],
            capture_output=True,
            text=True,
            timeout=120,
            env={
                **os.environ,
                "PYTHONPATH": str(Path(storage.__file__).parents[2]),
                "PYTHONHASHSEED": "0",
                "PYTHONDONTWRITEBYTECODE": "1",
            },
        )

    if run("-o", str(tmp_path / "trace"), "-e", "trace=none").returncode:
        pytest.skip("needs the right to trace processes")
    return run


def calls(trace: str) -> list[tuple[str, int]]:
    """Return the system calls of the save: each name with how often it was called until then."""
    found, counted, begun = [], Counter[str](), False
    for line in trace.splitlines():
        met = CALL.match(line)
        begun = begun or BEGIN in line
        if met is not None:
            counted[met[1]] += 1
            if begun:
                found.append((met[1], counted[met[1]]))
    return found[1:]  # without the mark


def test_killed_at_a_system_call_the_old_or_the_new_file_is_there(
    traced: Run, nix: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    traced("-o", str(tmp_path / "trace"))
    steps = calls((tmp_path / "trace").read_text(errors="replace"))
    names = Counter(name for name, _times in steps)
    assert min(names["fsync"], names["write"], names["rename"] + names["renameat"]) >= 3
    if not request.config.getoption("--long"):
        steps = steps[:: len(steps) // FEW]
    ended = Counter[bytes]()
    for name, times in steps:
        done = traced(
            *("-qq", "-o", os.devnull),
            *("-e", f"trace={name}", "-e", f"inject={name}:signal=SIGKILL:when={times}"),
        )
        assert done.returncode in (-9, 137, 0), done.stderr
        content = nix.read_bytes()
        assert content in (OLD, NEW), (name, times)
        assert content == OLD or OLD in kept(nix), (name, times)
        if done.returncode:
            ended[content] += 1
        left = temporary(nix.parent)
        assert len(left) <= 1, (name, times)
        for one in left:
            one.unlink()
        storage.save_bytes(nix, NEXT)
        assert nix.read_bytes() == NEXT
    assert {*ended} == {OLD, NEW}
    assert ended.total() >= 0.9 * len(steps)
