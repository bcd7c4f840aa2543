"""Many characters in one command: in this process, in several, on a Dask cluster."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from charforge.cli import batch
from tests.source import ROOT

MADE = ("new", "--random", "--seed", "5", "--level", "3")


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.json"))}


def test_each_of_many_has_a_seed_of_its_own_and_the_first_is_the_one_alone(run, tmp_path):
    ended = run(*MADE, "--count", "4", "-o", "crew/", "--jobs", "1")
    assert ended.code == 0
    made = [json.loads((tmp_path / line).read_text("utf-8")) for line in ended.out.splitlines()]
    assert [one["seed"] for one in made] == ["5-1", "5-2", "5-3", "5-4"]
    run("new", "--random", "--seed", "5-1", "--level", "3", "-o", "alone.json")
    assert (tmp_path / "alone.json").read_bytes() == (
        tmp_path / ended.out.split("\n")[0]
    ).read_bytes()
    assert "4 of 4" in ended.err


def test_the_bar_grows_with_each_task_and_is_removed_at_the_end(monkeypatch):
    shown: list[str] = []
    terminal = SimpleNamespace(
        has_status_line=lambda: True, show_status=shown.append, without_controls=lambda text: text
    )
    monkeypatch.setattr("charforge.cli.batch.console", terminal)
    progress = batch.ProgressBar(2)
    with progress.step("rules"):
        pass
    with progress.step("pages"):
        progress.advance(0.5)
        progress.advance(0.2)  # pages that are laid out again
        progress.advance(3)
    half, more, full = ("#" * number + "." * (20 - number) for number in (10, 15, 20))
    assert shown == [
        f"[{'.' * 20}] 1 of 2  rules", "",
        f"[{half}] 2 of 2  pages", f"[{more}] 2 of 2  pages", f"[{more}] 2 of 2  pages",
        f"[{full}] 2 of 2  pages", "",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.usefixtures("own_workers")
def test_processes_side_by_side_make_the_same_characters(run, tmp_path):
    run(*MADE, "--count", "6", "-o", "one/", "--jobs", "1")
    run(*MADE, "--count", "6", "-o", "two/", "--jobs", "2")
    assert len(files(tmp_path / "one")) == 6
    assert files(tmp_path / "one") == files(tmp_path / "two")


@pytest.mark.slow
@pytest.mark.usefixtures("own_workers")
@pytest.mark.parametrize("former", [None, ""])
def test_only_processes_leave_out_modules_of_the_working_directory(monkeypatch, former):
    if former is None:
        monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    else:
        monkeypatch.setenv("PYTHONSAFEPATH", former)
    tasks = ["PYTHONSAFEPATH", "PYTHONSAFEPATH"]
    assert list(batch.parallel_map(os.getenv, tasks, batch.Workers(jobs=2))) == ["1", "1"]
    assert os.environ.get("PYTHONSAFEPATH") == former


def test_a_failed_one_never_stops_the_rest(run, tmp_path):
    run(*MADE, "--count", "3", "-o", "first/", "--jobs", "1")
    second = sorted((tmp_path / "first").iterdir())
    names = {path.name.rpartition("-")[2]: path.name for path in second}
    (tmp_path / "crew").mkdir()
    taken = tmp_path / "crew" / names["2.json"]
    taken.write_text("not to be lost")
    ended = run(*MADE, "--count", "3", "-o", "crew/", "--jobs", "1")
    assert ended.code == 2
    assert len(ended.out.splitlines()) == 2
    assert "1 of 3 failed" in ended.err
    assert taken.read_text() == "not to be lost"
    assert len(files(tmp_path / "crew")) == 3


@pytest.mark.slow
@pytest.mark.needs("proc")
def test_a_process_that_is_killed_loses_nothing(environment, tmp_path):
    """What it had written and not told yet is made again, over what it left."""
    command = [sys.executable, "-m", "charforge", *MADE, "--count", "70", "-o", "crew/"]
    folder = tmp_path / "crew"
    with subprocess.Popen(
        [*command, "--jobs", "2"],
        cwd=tmp_path, env=environment, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as making:  # fmt: skip
        until = time.monotonic() + 120
        while len(files(folder)) < 5 and time.monotonic() < until:
            time.sleep(0.01)
        at_that_time = len(files(folder))
        (folder / ".Nobody-1.json.abcdefgh.tmp").touch()  # no file of this batch
        os.kill(workers(making.pid)[0], signal.SIGKILL)
        out, err = making.communicate(timeout=180)
    assert 5 <= at_that_time < 70  # killed in the middle
    assert (making.returncode, len(out.splitlines())) == (0, 70), err
    assert err.count("A process was stopped by the system") == 1
    assert len(files(folder)) == 70
    assert [path.name for path in folder.glob(".*")] == [".Nobody-1.json.abcdefgh.tmp"]


@pytest.mark.slow
@pytest.mark.usefixtures("own_workers")
def test_an_interrupt_while_a_result_is_printed_ends_the_processes_first(monkeypatch, tmp_path):
    """A process that goes on would leave a temporary file after the others are removed."""

    def work(path: Path) -> str:
        while path.name == "second.json":
            path.with_name(f".second.json.{time.time_ns() % 10**8:08}.tmp").touch()
            time.sleep(0.01)
        while not any(path.parent.iterdir()):
            time.sleep(0.01)
        return path.name

    def interrupted(_text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("charforge.cli.console.print_result", interrupted)
    paths = [tmp_path / "first.json", tmp_path / "second.json"]
    with pytest.raises(KeyboardInterrupt):
        batch.run_batch(work, paths, paths, paths, batch.Workers(jobs=2))
    time.sleep(0.2)
    assert list(tmp_path.iterdir()) == []


def workers(parent: int) -> list[int]:
    """Return the processes that another works with."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [
        int(child)
        for child in children
        if b"popen_loky" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--jobs", "2"), "Add --count"),
        (("--cluster", "tcp://127.0.0.1:1"), "Add --count"),
        (("--count", "2", "--jobs", "2", "--cluster", "tcp://127.0.0.1:1"), "Use one of them"),
    ],
)
def test_options_of_many_need_many_and_go_together(run, options, message):
    ended = run(*MADE, *options)
    assert ended.code == 2
    assert message in ended.err


# ------------------------------------------------------------------ on a cluster


@contextmanager
def started(environment: dict[str, str], *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a part of a cluster until the end of the test."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{arguments[0]}", *arguments[1:]]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([*command, "--no-dashboard"], env=environment, **quiet) as process:
        try:
            yield process
        finally:
            process.kill()


def worker(address: str) -> tuple[str, ...]:
    """Return the arguments of a worker of a cluster."""
    return ("worker", address, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler with two workers on this machine, for all tests."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    with (
        started(environment, "scheduler", "--host", "127.0.0.1", "--port", str(port)),
        started(environment, *worker(address)),
        started(environment, *worker(address)),
    ):
        wait_for_workers(address, 2)
        yield address


def wait_for_workers(address: str, number: int) -> None:
    from distributed import Client

    with Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(number, timeout=60)


@pytest.mark.slow
@pytest.mark.needs("dask")
def test_a_cluster_makes_the_same_characters(run, cluster, tmp_path):
    run(*MADE, "--count", "6", "-o", "here/", "--jobs", "1")
    ended = run(*MADE, "--count", "6", "-o", "there/", "--cluster", cluster)
    assert (ended.code, len(ended.out.splitlines())) == (0, 6)
    assert len(files(tmp_path / "here")) == 6
    assert files(tmp_path / "here") == files(tmp_path / "there")


@pytest.mark.slow
@pytest.mark.needs("dask")
def test_a_failed_one_on_a_cluster_is_told_and_the_rest_are_made(run, cluster, tmp_path):
    run(*MADE, "--count", "2", "-o", "crew/", "--jobs", "1")
    first = next((tmp_path / "crew").glob("*-1.json"))
    next((tmp_path / "crew").glob("*-2.json")).unlink()
    ended = run(*MADE, "--count", "2", "-o", "crew/", "--cluster", cluster)
    assert ended.code == 2
    assert f"{first.name}" in ended.err
    assert len(files(tmp_path / "crew")) == 2


@pytest.mark.slow
@pytest.mark.needs("dask")
def test_a_worker_that_is_killed_loses_nothing(environment, cluster, tmp_path):
    """It is a third one of the cluster."""
    command = [sys.executable, "-m", "charforge", *MADE, "--count", "60", "-o", "crew/"]
    folder = tmp_path / "crew"
    with started(environment, *worker(cluster)) as third:
        wait_for_workers(cluster, 3)
        making = subprocess.Popen(
            [*command, "--cluster", cluster],
            cwd=tmp_path, env=environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        until = time.monotonic() + 120
        while len(files(folder)) < 3 and time.monotonic() < until:
            time.sleep(0.02)
        at_that_time = len(files(folder))
        third.kill()
        out, err = making.communicate(timeout=180)
    assert 3 <= at_that_time < 60  # killed in the middle
    assert (making.returncode, len(out.splitlines())) == (0, 60), err
    assert len(files(folder)) == 60


@pytest.mark.slow
@pytest.mark.needs("dask")
def test_a_cluster_makes_sheets(run, cluster, tmp_path):
    run(*MADE, "--count", "3", "-o", "crew/", "--jobs", "1")
    ended = run("sheet", "crew", "-o", "sheets/", "--format", "html", "--cluster", cluster)
    assert (ended.code, len(ended.out.splitlines())) == (0, 3)
    for made in sorted((tmp_path / "sheets").iterdir()):
        alone = run(
            "sheet", f"crew/{made.stem}.json", "--format", "html", "-o", "alone.html", "--force"
        )
        assert alone.code == 0
        assert made.read_bytes() == (tmp_path / "alone.html").read_bytes()


@pytest.mark.slow
@pytest.mark.needs("dask")
def test_a_scheduler_that_is_not_there_is_said(run):
    ended = run(*MADE, "--count", "2", "--cluster", "tcp://127.0.0.1:1")
    assert ended.code == 2
    assert "There is no Dask scheduler at tcp://127.0.0.1:1" in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.skipif(
    importlib.util.find_spec("distributed") is not None, reason="needs a machine without Dask"
)
def test_without_dask_its_extra_is_named(run):
    ended = run(*MADE, "--count", "2", "--cluster", "tcp://127.0.0.1:1")
    assert ended.code == 2
    assert "charforge[cluster]" in ended.err
