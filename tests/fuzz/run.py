"""Run fuzz cases by number in one process and report failures.

    python -m tests.fuzz.run KIND FIRST COUNT

A case with a fault is repeated by its number, with COUNT 1; the files it
wrote are then in the folder that is named. The last line is JSON.
"""

from __future__ import annotations

import io
import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from random import Random
from typing import Any

from charforge.cli import app, doctor
from tests.fuzz.cases import KINDS, Kind

SECONDS = 20  # that a command may take


class Hang(BaseException):
    """A command that does not end; nothing of the program catches it."""


@contextmanager
def stopping() -> Iterator[None]:
    """Let the alarm raise Hang."""

    def stop(_signal: int, _frame: object) -> None:
        raise Hang

    former = signal.signal(signal.SIGALRM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, former)


def tried(kind: Kind, number: int) -> tuple[list[int], list[str]]:
    """Run the commands of a case; return their exit codes, and what was wrong with them."""
    codes, faults = [], []
    commands = kind(Random(number))
    _forget_most()  # a picture takes more to be drawn and written than it may to be read
    for words in commands:
        out = io.TextIOWrapper(
            io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True
        )
        errors = io.BytesIO()
        err = io.TextIOWrapper(
            errors, encoding="utf-8", errors="backslashreplace", write_through=True
        )
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = app.run(list(words))
        except Hang:
            code = -1
            err.write(f"it took more than {SECONDS} s")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        codes.append(code)
        said = errors.getvalue().decode()
        silent = code == 2 and not said.strip()
        if code not in (0, 1, 2) or "Traceback" in said or silent:
            faults.append(f"{' '.join(words)}: {code} {said[-1500:]}")
    return codes, faults


def main(name: str, first: int, count: int) -> dict[str, Any]:
    """Try the cases from ``first`` on, in a folder of their own."""
    doctor.save_bug_report = traceback.format_exc
    os.chdir(tempfile.mkdtemp(prefix="charforge-fuzz-"))
    os.environ["XDG_STATE_HOME"] = str(Path.cwd() / "state")
    sys.stdin = io.StringIO()
    ended, faults, slowest = Counter[int](), [], 0.0
    most, largest = 0, first
    with stopping():
        for number in range(first, first + count):
            begun = time.perf_counter()
            codes, wrong = tried(KINDS[name], number)
            slowest = max(slowest, time.perf_counter() - begun)
            if _most() > most:
                most, largest = _most(), number
            ended.update(codes)
            faults += [f"{name} {number}: {one}" for one in wrong]
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return {
        "codes": dict(sorted(ended.items())),
        "slowest": round(slowest, 2),
        "memory": max(most, children) // 1024,
        "largest": largest,
        "faults": faults,
        "folder": str(Path.cwd()),
    }


def _forget_most() -> None:
    """Begin to count anew what memory this process has at most, where that can be done."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _most() -> int:
    """Return the most memory this process had, in kB; getrusage may tell that of its parent."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines["VmHWM"].split()[0])


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
