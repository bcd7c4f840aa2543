"""Batches: the same work for many files, here, in processes or on a Dask cluster."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import chdir, contextmanager, redirect_stderr, suppress
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

import typer

from charforge.character.files import atomic_write
from charforge.cli import console
from charforge.cli.app import BUG, FAILED, bug_message
from charforge.cli.messages import error_message
from charforge.errors import CharforgeError, UsageError, os_reason
from charforge.language import _, page, reader_language, set_language
from charforge.process import environment_variable

if TYPE_CHECKING:
    from distributed import Client  # of the optional dependency for clusters

TASKS_PER_PROCESS = 4  # starting a process takes as long as creating two sheets
BAR = 20  # columns of the bar of progress
CLUSTER_TIMEOUT = 10  # seconds for a scheduler to answer
WORKER_LOCK = Lock()  # the threads of a Dask worker share one working directory and one stderr

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Workers:
    """The number of processes for a batch, or the address of a Dask scheduler (``cluster``).

    Without ``jobs`` there is one process per ``tasks_per_process`` tasks.
    """

    jobs: int | None = None
    cluster: str | None = None
    tasks_per_process: int = TASKS_PER_PROCESS

    def __post_init__(self) -> None:
        if self.jobs is not None and self.cluster is not None:
            raise UsageError(
                _("--jobs and --cluster cannot be used together"),
                _("Use one of them; a cluster has its own workers."),
            )

    def processes(self, count: int) -> int:
        """Return how many processes to use for so many tasks."""
        if self.jobs is not None:
            return min(self.jobs, count)
        # The cores that this process may use; macOS only tells how many there are.
        has_affinity = hasattr(os, "sched_getaffinity")
        cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
        return max(1, min(cores, count // self.tasks_per_process))

    def may_repeat(self, path: Path, count: int) -> bool:
        """Return whether a task that is repeated after a lost worker may replace its own file."""
        parallel = self.cluster is not None or self.processes(count) > 1
        return parallel and not path.exists()


@dataclass(frozen=True)
class TaskResult:
    """The text that a task returns (empty if it failed), its messages and its exit code."""

    text: str
    messages: str
    code: int = 0


@dataclass(frozen=True)
class GuardedWork(Generic[Task]):
    """Work whose messages are collected and whose errors become exit codes, in any process."""

    work: Callable[[Task], object]
    folder: Path

    def __call__(self, task: Task) -> TaskResult:
        """Do the work for one task and return its result."""
        messages = StringIO()
        with redirect_stderr(messages):
            text, code = self._do(task)
        return TaskResult(text, messages.getvalue(), code)

    def _do(self, task: Task) -> tuple[str, int]:
        try:
            with chdir(self.folder):
                return str(self.work(task)), 0
        except CharforgeError as error:
            console.say(error_message(error))
            return "", error.exit_code
        except OSError as error:
            console.say(f"{error.filename}: {os_reason(error)}.")
            return "", FAILED
        except Exception:
            console.say(bug_message(sys.argv[1:]))
            return "", BUG


def run_batch(
    work: Callable[[Task], object],
    tasks: Sequence[Task],
    names: Sequence[Path],
    targets: Sequence[Path],
    workers: Workers = Workers(),
) -> None:
    """Do the work for every task, print the results, show progress and list failures.

    ``names`` are shown as progress. Temporary files of lost processes beside
    the ``targets`` are removed. If tasks fail, the others are still done, and
    the program exits with the worst code.
    """
    failed: dict[str, int] = {}
    progress = ProgressBar(len(tasks))
    guarded_work = GuardedWork(work, Path.cwd())
    results = parallel_map(
        guarded_work, tasks, workers, lambda: atomic_write.remove_leftovers(targets)
    )
    try:
        for name in names:
            with progress.step(str(name)):
                result = next(results)
            if result.messages:
                console.say(result.messages.rstrip("\n"))
            if result.code:
                failed[str(name)] = result.code
            else:
                console.print_result(result.text)
                console.flush_results()
    except BaseException as stopped:
        with suppress(type(stopped)):
            results.throw(stopped)  # ends the processes, which would write more files
        atomic_write.remove_leftovers(targets)
        raise
    if failed:
        console.say(
            _("{count} of {tasks_count} failed: {names}.").format(
                count=len(failed), tasks_count=len(tasks), names=", ".join(failed)
            )
        )
        raise typer.Exit(max(failed.values()))


def parallel_map(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    workers: Workers,
    on_lost: Callable[[], None] = lambda: None,
) -> Generator[Result, None, None]:
    """Yield the result of each task in order; the first error ends the work.

    If processes of this machine are killed, ``on_lost`` is called and the
    remaining tasks are done in this process. An exception thrown into the
    generator ends the processes.
    """
    processes = workers.processes(len(tasks))
    if workers.cluster is not None:
        with _connected(workers.cluster, Path.cwd()) as client:
            yield from _parallel(work, tasks, -1, backend="dask", client=client)
        return
    if processes == 1:
        yield from map(partial(_on_own_page, work), tasks)
        return
    done = 0
    try:
        # The processes must not import modules from the working directory.
        with environment_variable("PYTHONSAFEPATH", "1"):
            results = _parallel(work, tasks, processes, backend="loky")
            for result in results:
                done += 1
                try:
                    yield result
                except BaseException as stopped:
                    results.throw(stopped)  # so that joblib ends its processes now
    except BrokenProcessPool:
        on_lost()
        console.say(_("A process was stopped by the system. The rest runs one at a time."))
        yield from map(partial(_on_own_page, work), tasks[done:])


def _parallel(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int, backend: str, **more: object
) -> Generator[Result, None, None]:
    # Here, because a single file needs no processes, and joblib takes 80 ms to import.
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend=backend, **more):
        parallel = Parallel(n_jobs=jobs, return_as="generator")
        yield from parallel(delayed(_locked)(work, task, reader_language()) for task in tasks)


def _locked(work: Callable[[Task], Result], task: Task, code: str) -> Result:
    with WORKER_LOCK:
        set_language(code)  # the worker is another process
        return _on_own_page(work, task)


def _on_own_page(work: Callable[[Task], Result], task: Task) -> Result:
    """Return the result of a task: its game has no effect on the language of anything else."""
    with page():
        return work(task)


@contextmanager
def _connected(address: str, folder: Path) -> Iterator[Client]:
    """Connect to a cluster whose workers all have this program and see this folder.

    Raises UsageError otherwise, because a task that a worker cannot load
    would never end.
    """
    try:
        # Here, because it is an optional dependency.
        from distributed import Client
    except ImportError as error:
        advice = "pip install 'charforge[cluster]'"
        raise UsageError(_("--cluster needs Dask, which is not installed"), advice) from error
    try:
        client = Client(address, timeout=CLUSTER_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            _("there is no Dask scheduler at {address}").format(address=address)
        ) from error
    with client:
        try:
            folder_seen = client.run(_is_folder, folder)
        except ImportError as error:
            reason = _("charforge is not installed on a worker of the cluster: {error}").format(
                error=error
            )
            raise UsageError(reason, _("Install the same version there.")) from error
        if not folder_seen:
            raise UsageError(_("the cluster at {address} has no workers").format(address=address))
        blind = [worker for worker, seen in folder_seen.items() if not seen]
        if blind:
            raise UsageError(
                _("{names} cannot read the folder {folder}").format(
                    names=", ".join(blind), folder=folder
                )
            )
        yield client


def _is_folder(folder: Path) -> bool:
    """Return whether a folder exists, asked on each worker of a cluster."""
    return folder.is_dir()


class ProgressBar:
    """Shows how far the work is: a bar on a terminal, else a line per task if there are ``lines``.

    The line of a terminal has the number and name of the present task and is removed at its end.
    """

    def __init__(self, count: int, lines: bool = True) -> None:
        self.number, self.count, self.lines = 0, count, lines
        self.name, self.done = "", 0.0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Show a task while it is being done."""
        self.number += 1
        self.name = console.without_controls(
            _("{number} of {count}  {name}").format(number=self.number, count=self.count, name=name)
        )
        if not console.has_status_line():
            if self.lines:
                console.say(self.name)
            yield
            return
        self.advance(0)
        try:
            yield
        finally:
            console.show_status("")

    def advance(self, share: float) -> None:
        """Show that a share of the present task is done, from 0 to 1; the bar never goes back."""
        self.done = max(self.done, (self.number - 1 + min(share, 1)) / self.count)
        filled = int(self.done * BAR)
        console.show_status(f"[{'#' * filled}{'.' * (BAR - filled)}] {self.name}")
