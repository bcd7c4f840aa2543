"""The same work for many files: one after another or side by side, each told as it is done."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, redirect_stderr
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Annotated, Generic, Optional, TypeVar

import typer

from charforge.cli import console
from charforge.cli.workers import Place, results

CLEAR = "\r\x1b[K"

JobsOption = Annotated[
    Optional[int],
    typer.Option("--jobs", metavar="N", min=1, help="Processes side by side; as many as pay."),
]
ClusterOption = Annotated[
    Optional[str],
    typer.Option("--cluster", metavar="ADDRESS", help="Have a Dask cluster do it: its scheduler."),
]
Task = TypeVar("Task")


@dataclass(frozen=True)
class Outcome:
    """What became of one task: a result or none, what was said meanwhile, the exit code."""

    result: str
    said: str
    code: int = 0


@dataclass(frozen=True)
class Attempt(Generic[Task]):
    """Work that a process of its own may do, in a folder: an error becomes its sentence."""

    work: Callable[[Task], object]
    folder: Path

    def __call__(self, task: Task) -> Outcome:
        """Do it for one task."""
        told = StringIO()
        with redirect_stderr(told):
            result, code = self._done(task)
        return Outcome(result, told.getvalue(), code)

    def _done(self, task: Task) -> tuple[str, int]:
        """Return the result of a task and its exit code; what went wrong is said."""
        from charforge.cli.app import BUG, FAILED
        from charforge.cli.bug import report
        from charforge.cli.messages import sentence
        from charforge.errors import CharforgeError

        try:
            with chdir(self.folder):
                return str(self.work(task)), 0
        except CharforgeError as error:
            console.say(sentence(error))
            return "", error.exit_code
        except OSError as error:
            console.say(f"{error.filename}: {error.strerror or error}.")
            return "", FAILED
        except Exception:
            console.say(report())
            return "", BUG


def run(
    work: Callable[[Task], object],
    tasks: Sequence[Task],
    names: Sequence[Path],
    written: Sequence[Path],
    place: Place = Place(),
) -> None:
    """Do the work for every task and print its results; say how far it is, and what failed.

    ``written`` are the files that it writes: what ended processes left
    beside them is removed. Leaves with the worst exit code where something
    failed; everything else is done all the same.
    """
    failed: dict[str, int] = {}
    try:
        for name, outcome in _told(Attempt(work, Path.cwd()), tasks, names, written, place):
            if outcome.said:
                console.say(outcome.said.rstrip("\n"))
            if outcome.code:
                failed[str(name)] = outcome.code
            else:
                console.result(outcome.result)
                sys.stdout.flush()
    except KeyboardInterrupt:
        _sweep(written)
        raise
    if failed:
        console.say(f"{len(failed)} of {len(tasks)} not made: {', '.join(failed)}.")
        raise typer.Exit(max(failed.values()))


def _told(
    attempt: Attempt[Task],
    tasks: Sequence[Task],
    names: Sequence[Path],
    written: Sequence[Path],
    place: Place,
) -> Iterator[tuple[Path, Outcome]]:
    """Yield what becomes of each task with its name, and say which is worked at."""
    progress = Progress(len(tasks))
    done = results(attempt, tasks, place, lambda: _sweep(written))
    for name in names:
        progress.next(str(name))
        try:
            outcome = next(done)
        finally:
            progress.clear()
        yield name, outcome


def _sweep(written: Sequence[Path]) -> None:
    from charforge.character import atomic_write

    atomic_write.remove_leftovers(written)


class Progress:
    """Which of how many is worked at: one line that changes, or a line for each."""

    def __init__(self, count: int) -> None:
        self.number, self.count = 0, count
        self.live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def next(self, name: str) -> None:
        """Say what is worked at now."""
        self.number += 1
        told = console.plain(f"{self.number} of {self.count}  {name}")
        if not self.live:
            console.say(told)
            return
        sys.stderr.write(f"{CLEAR}{told[: _columns() - 1]}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Make room for something that stays."""
        if self.live:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        return 80
