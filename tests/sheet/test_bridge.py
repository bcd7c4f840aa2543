"""The bridge to C is made of a table that is kept, and is the one that ``cffi`` would make."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cffi
import pytest

from charforge.paths import write_own
from charforge.sheet import bridge

DECLARED = """
    typedef enum { LOW = 1, HIGH = 70 } Place;
    typedef struct { int x; double y; } Point;
    typedef ... Hidden;
    size_t strlen (const char *text);
    Hidden * hide (Point *point, Place place);
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of bridges, empty."""
    monkeypatch.setattr(bridge, "cache_folder", lambda: tmp_path)
    return tmp_path / "bridges"


def declared() -> cffi.FFI:
    """Return a bridge that is declared while tables are kept."""
    with bridge.bridged():
        made = cffi.FFI()
        made.cdef(DECLARED)
    return made


def test_it_calls_and_makes_what_is_declared(cache: Path) -> None:
    made = declared()
    assert made.dlopen(None).strlen(b"seven ") == 6
    point = made.new("Point *", {"x": 3, "y": 0.5})
    assert (point.x, point.y) == (3, 0.5)
    assert made.sizeof("Point") == cffi.FFI().sizeof("struct { int x; double y; }")
    assert int(made.cast("Place", 70)) == 70
    assert made.string(made.cast("Place", 70)) == "HIGH"
    assert made.string(made.new("char[]", b"abc")) == b"abc"
    assert list(made.new("int[3]", (1, 2, 3))) == [1, 2, 3]
    assert made.cast("Hidden *", 0) == made.NULL


def test_nobody_else_meets_it() -> None:
    usual = cffi.FFI
    with bridge.bridged():
        assert cffi.FFI is not usual
    assert cffi.FFI is usual


def test_declarations_are_read_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    usual = bridge._made
    monkeypatch.setattr(bridge, "_made", lambda *given: read.append(given[1]) or usual(*given))
    assert declared().sizeof("Point") == declared().sizeof("Point")
    assert read == [DECLARED]
    assert [path.stat().st_mode & 0o777 for path in cache.iterdir()] == [0o600]


@pytest.mark.parametrize("keep", [0, 20, 400, -1])
def test_a_broken_table_is_made_anew(cache: Path, keep: int) -> None:
    declared()
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole[:keep])
    assert declared().sizeof("Point") == 16
    assert kept.read_bytes() == whole


def test_a_table_is_not_acted_on(cache: Path) -> None:
    """Were something else kept, it would be read, not run, and made anew."""
    canary = cache.parent / "canary"
    declared()
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    for foreign in (f"open({str(canary)!r}, 'w')", "((", "os"):
        write_own(kept, foreign.encode())
        assert declared().sizeof("Point") == 16
        assert kept.read_bytes() == whole
    assert not canary.exists()


def test_a_cache_that_cannot_be_written_is_harmless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setattr(bridge, "cache_folder", lambda: tmp_path / "file")
    assert declared().sizeof("Point") == 16


@pytest.mark.slow
def test_a_page_is_the_same_over_it_and_over_the_usual_one(tmp_path: Path) -> None:
    """And the second process that prints needs no parser of C; none says anything."""
    script = (
        "import contextlib, hashlib, sys\n"
        "from charforge.sheet import loading\n"
        "if sys.argv[1:]: loading.bridged = contextlib.nullcontext\n"
        "from charforge.sheet.pdf import render_pdf\n"
        "page = '<html lang=\"en\"><title>t</title><body>Barlow <b>ffi</b></body></html>'\n"
        "made = render_pdf(page)\n"
        "print(hashlib.sha256(made).hexdigest(), 'pycparser' in sys.modules)\n"
    )
    env = {
        **os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "XDG_CACHE_HOME": str(tmp_path)
    }  # fmt: skip

    def told(*given: str) -> list[str]:
        command = [sys.executable, "-W", "error", "-c", script, *given]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
        assert done.stderr == ""
        return done.stdout.split()

    usual, first, second = told("usual"), told(), told()
    assert usual[0] == first[0] == second[0]
    assert (usual[1], first[1], second[1]) == ("True", "True", "False")
