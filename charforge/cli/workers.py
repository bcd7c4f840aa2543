"""Where work is done: here, in processes of this machine, or by the workers of a Dask cluster.

Workers of a cluster see the same folder under the same name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from charforge.cli import console

if TYPE_CHECKING:
    from distributed import Client

# Sheets or parts of a party for each process: to start one takes about as long as two of them.
WORTH_IT = 4
PATIENCE = 10  # seconds for a scheduler to answer
ALONE = Lock()  # a worker with threads has one folder and one stderr all the same
Task = TypeVar("Task")
Result = TypeVar("Result")


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

    def processes(self, count: int) -> int:
        """Return how many processes pay for so many tasks, or as many as were asked for."""
        if self.jobs is not None:
            return min(self.jobs, count)
        known = hasattr(os, "sched_getaffinity")
        here = len(os.sched_getaffinity(0)) if known else os.cpu_count()
        return max(1, min(here or 1, count // self.enough))

    def may_find(self, path: Path, count: int) -> bool:
        """Whether one of so many tasks may find its own file: what a lost worker did is redone."""
        others = self.cluster is not None or self.processes(count) > 1
        return others and not path.exists()


def results(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    place: Place,
    lost: Callable[[], None] = lambda: None,
) -> Iterator[Result]:
    """Yield what the work gives for each task, in their order; an error of one ends it all.

    ``lost`` is called where processes of this machine were ended from outside.
    """
    alone, processes = _Alone(work), place.processes(len(tasks))
    if place.cluster is not None:
        with _workers(place.cluster, Path.cwd()) as client:
            yield from _side_by_side(alone, tasks, -1, backend="dask", client=client)
    elif processes == 1:
        yield from map(work, tasks)
    else:
        yield from _in_processes(alone, tasks, processes, lost)


@dataclass(frozen=True)
class _Alone(Generic[Task, Result]):
    """Work of which a process does one at a time."""

    work: Callable[[Task], Result]

    def __call__(self, task: Task) -> Result:
        with ALONE:
            return self.work(task)


def _in_processes(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    processes: int,
    lost: Callable[[], None],
) -> Iterator[Result]:
    """Share tasks among processes; what is left when one of them dies is done here."""
    from joblib.externals.loky import BrokenProcessPool

    # Or they would look for modules in the folder that we stand in, whoever filled it.
    os.environ["PYTHONSAFEPATH"] = "1"
    done = 0
    try:
        for result in _side_by_side(work, tasks, processes, backend="loky"):
            done += 1
            yield result
    except BrokenProcessPool:
        lost()
        console.say("A process was ended from outside; the rest is made one after another.")
        yield from map(work, tasks[done:])


def _side_by_side(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int, backend: str, **more: object
) -> Iterator[Result]:
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend=backend, **more):
        shared = Parallel(n_jobs=jobs, return_as="generator")
        yield from shared(delayed(work)(task) for task in tasks)


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
