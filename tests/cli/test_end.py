"""The end of a process: at once, and nothing left undone."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEGIN = "from charforge.cli.app import process\n"


@pytest.fixture
def ended(environment, tmp_path):
    """Return what a process of Python prints, and its exit code."""

    def ended(*arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, env=environment, text=True,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
        )  # fmt: skip
        return done.returncode, done.stdout

    return ended


@pytest.mark.slow
def test_what_was_registered_for_the_end_is_done_and_objects_are_not_taken_apart(ended):
    script = (
        "import atexit\n"
        "class Kept:\n"
        "    def __del__(self):\n"
        "        print('taken apart')\n"
        "kept = Kept()\n"
        "atexit.register(lambda: print('at the end'))\n"
        f"{BEGIN}process()"
    )
    code, out = ended("-c", script, "catalog", "list")
    assert code == 0
    assert out.endswith("\nat the end\n")
    assert "taken apart" not in out


@pytest.mark.slow
def test_an_exit_code_comes_through(ended):
    assert ended("-c", f"{BEGIN}process()", "show", "nobody.json") == (2, "")


@pytest.mark.slow
def test_a_thread_at_work_is_waited_for(ended):
    script = (
        "import threading\n"
        f"{BEGIN}"
        "def last():\n"
        "    threading.main_thread().join()\n"
        "    print('all done')\n"
        "threading.Thread(target=last).start()\n"
        "process()"
    )
    code, out = ended("-c", script, "catalog", "list")
    assert (code, out.splitlines()[-1]) == (0, "all done")


@pytest.mark.slow
def test_who_looks_on_tells_what_was_seen(ended):
    code, out = ended("-m", "cProfile", "-m", "charforge", "catalog", "list")
    assert code == 0
    assert "function calls" in out
