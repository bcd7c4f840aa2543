"""The same work for many files: one after another or side by side, each told as it is done.

Side by side means processes of this machine, or the workers of a Dask
cluster, which see the same folder under the same name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Generic, Optional, TypeVar

import typer

from charforge.cli import screen

if TYPE_CHECKING:
    from distributed import Client

WORTH_IT = 4  # sheets for each process: to start one takes about as long as two of them
CLEAR = "\r\x1b[K"
PATIENCE = 10  # seconds for a scheduler to answer
ALONE = Lock()  # a worker with threads has one folder and one stderr all the same

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
class Place:
    """Where a batch is done: in how many processes if that is said, or on a cluster.

    A process of its own pays for as many tasks as are ``enough``.
    """

    jobs: int | None = None
    cluster: str | None = None
    enough: int = WORTH_IT

    def __post_init__(self) -> None:
        from charforge.errors import UsageError

        if self.jobs is not None and self.cluster is not None:
            told = "--jobs and --cluster both say how many work at once"
            raise UsageError(told, "Give one of them: a cluster has its own workers.")

    def may_find(self, path: Path) -> bool:
        """Whether a task may find its own file: a cluster does again what a lost worker did."""
        return self.cluster is not None and not path.exists()


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
        with ALONE, redirect_stderr(told):
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
            screen.say(sentence(error))
            return "", error.exit_code
        except OSError as error:
            screen.say(f"{error.filename}: {error.strerror or error}.")
            return "", FAILED
        except Exception:
            screen.say(report())
            return "", BUG


def run(
    work: Callable[[Task], object],
    tasks: Sequence[Task],
    names: Sequence[Path],
    place: Place = Place(),
) -> None:
    """Do the work for every task and print its results; say how far it is, and what failed.

    Leaves with the worst exit code where something failed; everything
    else is done all the same.
    """
    failed: dict[str, int] = {}
    progress = Progress(len(tasks))
    done = _outcomes(Attempt(work, Path.cwd()), tasks, place)
    for name in names:
        progress.next(str(name))
        outcome = next(done)
        progress.clear()
        if outcome.said:
            screen.say(outcome.said.rstrip("\n"))
        if outcome.code:
            failed[str(name)] = outcome.code
        else:
            screen.result(outcome.result)
            sys.stdout.flush()
    if failed:
        screen.say(f"{len(failed)} of {len(tasks)} not made: {', '.join(failed)}.")
        raise typer.Exit(max(failed.values()))


class Progress:
    """Which of how many is worked at: one line that changes, or a line for each."""

    def __init__(self, count: int) -> None:
        self.number, self.count = 0, count
        self.live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def next(self, name: str) -> None:
        """Say what is worked at now."""
        self.number += 1
        told = f"{self.number} of {self.count}  {name}"
        if not self.live:
            screen.say(told)
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


def _processes(count: int, place: Place) -> int:
    """Return how many processes pay for so many tasks, or as many as were asked for."""
    if place.jobs is not None:
        return min(place.jobs, count)
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(here or 1, count // place.enough))


def _outcomes(attempt: Attempt[Task], tasks: Sequence[Task], place: Place) -> Iterator[Outcome]:
    """Yield what becomes of each task, in their order."""
    processes = _processes(len(tasks), place)
    if place.cluster is not None:
        with _workers(place.cluster, attempt.folder) as client:
            yield from _side_by_side(attempt, tasks, -1, backend="dask", client=client)
    elif processes == 1:
        yield from map(attempt, tasks)
    else:
        yield from _in_processes(attempt, tasks, processes)


def _in_processes(
    attempt: Attempt[Task], tasks: Sequence[Task], processes: int
) -> Iterator[Outcome]:
    """Share tasks among processes; what is left when one of them dies is done here."""
    from joblib.externals.loky import BrokenProcessPool

    done = 0
    try:
        for outcome in _side_by_side(attempt, tasks, processes, backend="loky"):
            done += 1
            yield outcome
    except BrokenProcessPool:
        screen.say("A process was ended from outside; the rest is made one after another.")
        yield from map(attempt, tasks[done:])


def _side_by_side(
    attempt: Attempt[Task], tasks: Sequence[Task], jobs: int, backend: str, **more: object
) -> Iterator[Outcome]:
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend=backend, **more):
        shared = Parallel(n_jobs=jobs, return_as="generator")
        yield from shared(delayed(attempt)(task) for task in tasks)


@contextmanager
def _workers(address: str, folder: Path) -> Iterator[Client]:
    """Reach a cluster whose every worker has this program and sees this folder.

    Raises UsageError where that is not so: a task that could not even be
    read there would never come back.
    """
    from charforge.errors import UsageError

    try:
        from distributed import Client
    except ImportError as error:
        advice = "pip install 'charforge[cluster]'"
        raise UsageError("--cluster needs Dask, which is not installed", advice) from error
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {address}") from error
    with client:
        try:
            seen = client.run(_sees, folder)
        except ImportError as error:
            told = f"a worker of the cluster has no charforge: {error}"
            raise UsageError(told, "Install the same version there.") from error
        if not seen:
            raise UsageError(f"the cluster at {address} has no workers")
        blind = [worker for worker, sees in seen.items() if not sees]
        if blind:
            raise UsageError(f"{', '.join(blind)} cannot see the folder {folder}")
        yield client


def _sees(folder: Path) -> bool:
    """Whether a worker has a folder: this is asked there."""
    return folder.is_dir()
