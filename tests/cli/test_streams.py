"""Real processes: streams, signals, environment, and arguments that are not text."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.samples import few

FULL = Path("/dev/full")
NOT_WINDOWS = pytest.mark.skipif(os.name == "nt", reason="signals and pipes of Unix")
NEEDS_FULL = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
pytestmark = [pytest.mark.capital, NOT_WINDOWS, pytest.mark.slow]
PROGRAM = [sys.executable, "-m", "charforge"]
READING = [
    ["show", "nix.json"],
    ["show", "nix.json", "--json"],
    ["check", "nix.json"],
    ["explain", "nix.json"],
    ["export", "nix.json"],
    ["catalog", "list", "--json"],
    ["catalog", "list"],
    ["new", "--questions"],
    ["--help"],
]


def error_output(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return what a process said beside its results; never a traceback."""
    said = done.stderr.decode()
    assert "Traceback" not in said
    assert "Exception ignored" not in said
    return said


# ------------------------------------------------------------------ results and the rest


@pytest.mark.parametrize(
    "arguments", few(READING, 0, slow=3), ids=lambda given: " ".join(given[:2])
)
def test_a_reader_that_stops_reading_is_no_failure(nix, environment, arguments):
    """As in ``charforge show nix.json | head -1``."""
    with subprocess.Popen(
        [*PROGRAM, *arguments],
        cwd=nix.parent,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        running.stdout.close()
        said = running.stderr.read().decode()
        assert running.wait(60) == 0
    assert said == ""


CHANGES = [
    ["edit", "nix.json", "name", "--answer", "x", "--unit", "nobody"],
    ["edit", "nix.json", "role", "--answer", "role/the-tank"],
    ["edit", "nix.json", "role", "--answer", "role/the-tank", "--yes"],
    ["damage", "nix.json", "1"],
]


@pytest.mark.parametrize("arguments", CHANGES, ids=lambda given: " ".join(given[3:]))
def test_a_command_ends_the_same_where_nobody_reads_its_results(nix, environment, arguments):
    """It is saved or refused, with the same exit code: ``charforge edit … | head``."""
    before, ended = nix.read_bytes(), []
    for read in (True, False):
        nix.write_bytes(before)
        with subprocess.Popen(
            [*PROGRAM, *arguments],
            cwd=nix.parent,
            env={**environment, "PYTHONUNBUFFERED": "1"},  # each line meets the closed pipe
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as running:
            if not read:
                running.stdout.close()
            said = running.stderr.read().decode()
            if read:
                running.stdout.read()
            code = running.wait(60)
        log = json.loads(nix.read_text("utf-8"))["log"]
        ended.append((code, said, [event["do"] for event in log]))
    assert ended[0] == ended[1]


def test_head_gets_its_line(nix, environment):
    command = (
        f"{sys.executable} -m charforge catalog list --json | head -1; echo ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(
        ["bash", "-c", command], cwd=nix.parent, env=environment, capture_output=True, timeout=60
    )
    assert done.stdout == b"[\n0\n"
    assert error_output(done) == ""


@NEEDS_FULL
@pytest.mark.parametrize(
    "arguments", few(READING, 0, slow=3), ids=lambda given: " ".join(given[:2])
)
def test_results_that_find_no_room_are_a_failure(process, nix, arguments):
    with FULL.open("wb") as full:
        done = process(*arguments, stdout=full)
    assert done.returncode == 2
    assert error_output(done) == "The results were not written: the disk is full.\n"


@NEEDS_FULL
def test_a_finding_that_finds_no_room_is_a_failure(process, tmp_path):
    (tmp_path / "empty.json").touch()
    with FULL.open("wb") as full:
        done = process("check", "empty.json", "--json", stdout=full)
    assert done.returncode == 2


def closed(number: int):
    """Return what closes a stream in the child before it starts."""
    return lambda: os.close(number)


def test_a_closed_standard_output_is_refused_before_anything_is_done(process, tmp_path):
    done = process("new", "--random", "--seed", "7", stdout=None, preexec_fn=closed(1))
    assert done.returncode == 2
    assert error_output(done) == "Standard output is closed, so there is no place for results.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_closed_error_output_leaves_the_results_as_they_are(process, nix):
    done = process("check", "nix.json", "gone.json", preexec_fn=closed(2))
    assert done.returncode == 2
    legal, *remarks = done.stdout.decode().splitlines()
    assert legal == f"nix.json: {name(nix)}, level 3: legal"
    assert all(line.startswith("  remark ") for line in remarks)


def test_a_closed_input_is_nobody_to_ask(process):
    done = process("new", stdin=None, preexec_fn=closed(0))
    assert done.returncode == 2
    assert "These choices are missing" in error_output(done)


def name(path: Path) -> str:
    found: str = json.loads(path.read_text("utf-8"))["name"]
    return found


@pytest.mark.parametrize(
    "arguments",
    [["check", "gone.json"], ["show", "--jsno"]],
    ids=lambda given: given[0],
)
def test_what_is_no_result_is_on_the_error_output(process, arguments):
    done = process(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert error_output(done)


# ------------------------------------------------------------------ surroundings


@pytest.mark.parametrize(
    "variables",
    [
        {"NO_COLOR": "1", "FORCE_COLOR": ""},
        {"TERM": "dumb", "COLUMNS": "0"},
        {"TERM": "", "COLUMNS": "2000"},
        {"NO_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": "20"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii", "HOME": "/nonexistent"},
        {"PYTHONIOENCODING": "latin-1:strict"},
    ],
    ids=str,
)
def test_whatever_the_terminal_says_it_is(process, nix, variables):
    for arguments in (["show", "nix.json"], ["--help"]):
        done = process(*arguments, variables=variables)
        assert (done.returncode, error_output(done)) == (0, "")
        assert b"\x1b" not in done.stdout
        wanted = "Usage:" if "--help" in arguments else name(nix).split()[0]
        assert wanted.encode() in done.stdout


def test_a_name_outside_the_terminals_signs_is_written_in_escapes(process, run):
    run("new", "--random", "--seed", "7", "--name", "Zoë", "-o", "made.json")
    done = process("check", "made.json", variables={"PYTHONIOENCODING": "ascii"})
    assert done.stdout.splitlines()[0] == b"made.json: Zo\\xeb, level 1: legal"


# ------------------------------------------------------------------ bytes that are no text


def test_arguments_that_are_no_text(process, run, tmp_path):
    """Python decodes them alike for every command: one of them is a process."""
    done = process("show", b"\xff.json")
    assert (done.returncode, done.stdout) == (2, b"")
    assert "does not exist" in error_output(done)
    for arguments, said in (
        (["new", "--random", "--name", b"N\xff"], "invalid characters"),
        (["new", "--random", "--seed", b"\xff"], "printable"),
        (["new", "--random", "--ruleset", b"\xff"], "no ruleset"),
        (["new", "--answers", b"\xff.yaml"], "does not exist"),
        (["catalog", "show", b"\xff"], "no entity"),
        (["catalog", "list", "--kind", b"\xff"], "no kind"),
        ([b"sh\xff"], "There is no command"),
    ):
        run(*map(os.fsdecode, arguments)).refused(2, said)
    assert list(tmp_path.iterdir()) == []


def test_a_file_whose_name_is_no_text_is_a_file(process, text, tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.json"
    Path(os.fsdecode(path)).write_text(text, encoding="utf-8")
    done = process("check", path)
    assert done.returncode == 0
    assert b"\\udcff.json" in done.stdout
    done = process("new", "--random", "--seed", "7", "-o", path)
    assert done.returncode == 2
    assert "already exists" in error_output(done)


# ------------------------------------------------------------------ interrupted


def test_an_interrupt_ends_with_130_and_whole_files(environment, tmp_path):
    """Ctrl-C while many characters are made."""
    with subprocess.Popen(
        [*PROGRAM, "new", "--random", "--seed", "7", "--count", "10000", "-o", "crew.json"],
        cwd=tmp_path,
        env={**environment, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        for _ in range(3):
            running.stdout.readline()
        running.send_signal(signal.SIGINT)
        _out, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"Traceback" not in said
    made = list(tmp_path.iterdir())
    assert len(made) >= 3
    assert all(path.suffix == ".json" for path in made)
    for path in made:
        json.loads(path.read_text("utf-8"))


def test_an_interrupt_while_the_program_loads(environment, tmp_path):
    """The first interrupt comes as soon as the program's own code runs."""
    begin = (
        "import os, signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'charforge.cli.commands':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from charforge.cli.app import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", begin, "catalog", "list"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_a_process_that_is_killed_leaves_no_half_a_file(environment, tmp_path):
    with subprocess.Popen(
        [*PROGRAM, "new", "--random", "--seed", "7", "--count", "10000", "-o", "crew.json"],
        cwd=tmp_path,
        env={**environment, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as running:
        running.stdout.readline()
        running.kill()
    for path in tmp_path.glob("*.json"):
        assert json.loads(path.read_text("utf-8"))["name"]


NAMED = "\x1b[2J\x9b31mnix\x07.json"


@pytest.mark.parametrize(
    "command",
    [
        ("check", NAMED), ("check", "."), ("history", NAMED),
        ("sheet", NAMED, "--format", "html"), ("sheet", ".", "--format", "html", "--jobs", "1"),
        ("damage", NAMED, "1"), ("undo", NAMED), ("edit", NAMED, "money", "--answer", "9"),
        ("restore", NAMED, "--list"), ("update", NAMED), ("initiative", "."),
        ("party", ".", "-o", "p.html"), ("diff", NAMED, "gone\x1b[31m.json"),
        ("import", NAMED, "-o", NAMED), ("level-up", NAMED),
    ],
    ids=lambda command: command[0],
)  # fmt: skip
def test_what_the_name_of_a_file_holds_is_shown_and_never_obeyed(run, nix, command):
    nix.with_name(f"twin{NAMED}").write_bytes(nix.read_bytes())
    nix.rename(nix.parent / NAMED)
    ended = run(*command)
    assert ended.code in (0, 1, 2)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", ended.out + ended.err)


def test_a_name_that_is_not_there_is_told_with_its_escapes(run):
    run("show", "gone\x1b[31m.json").refused(2, "gone\\u001b[31m.json")
