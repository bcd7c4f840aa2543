"""The question whether to replace a file, in a terminal."""

from __future__ import annotations

import os
import re
import sys

import pytest

from tests.cli.terminals import ENTER

pexpect = pytest.importorskip("pexpect", reason="terminals of Unix")
pytestmark = [
    pytest.mark.capital,
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="terminals of Unix"),
]
STYLES = re.compile(r"\x1b\[[0-9;]*m")
QUESTION = "nix.html exists. Replace it? [y/N]:"


@pytest.fixture
def old_sheet(nix):
    """A file beside nix.json that a command would replace."""
    path = nix.with_name("nix.html")
    path.write_text("precious")
    return path


@pytest.fixture
def spawn(nix, old_sheet, environment):
    """Start the program in a process on a terminal of its own."""
    started = []

    def spawn(*arguments: str, **variables: str):
        child = pexpect.spawn(
            sys.executable,
            ["-m", "charforge", *arguments],
            cwd=str(nix.parent),
            env={**environment, "TERM": "xterm-256color", **variables},
            encoding="utf-8",
            timeout=60,
        )
        started.append(child)
        return child

    yield spawn
    for child in started:
        child.close(force=True)


def ended(child) -> int:
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


SHEET = ("sheet", "nix.json", "--format", "html")
NEW = ("new", "--random", "-o", "nix.html")
EXPORT = ("export", "nix.json", "--format", "markdown", "-o", "nix.html")


@pytest.mark.parametrize(("command", "answer"), [(SHEET, "y"), (EXPORT, "YES"), (NEW, "y")])
def test_yes_replaces_the_file(at_terminal, old_sheet, command, answer):
    terminal = at_terminal(*command)
    terminal.sees(QUESTION)
    terminal.type(answer, ENTER)
    assert terminal.ends() == 0
    assert old_sheet.read_text("utf-8") != "precious"


@pytest.mark.parametrize(("command", "answer"), [(SHEET, ""), (EXPORT, "n"), (NEW, "what?")])
def test_anything_else_keeps_it(at_terminal, old_sheet, command, answer):
    terminal = at_terminal(*command)
    terminal.sees(QUESTION)
    terminal.type(answer, ENTER)
    terminal.sees("nix.html was not saved: this file already exists")
    assert terminal.ends() == 2
    assert old_sheet.read_text("utf-8") == "precious"


def test_the_end_of_the_input_keeps_it(spawn, nix):
    child = spawn(*SHEET)
    child.expect_exact(QUESTION)
    child.sendeof()
    assert ended(child) == 2
    assert (nix.parent / "nix.html").read_text("utf-8") == "precious"


def test_an_interrupt_keeps_it_and_ends_with_130(spawn, nix):
    child = spawn(*SHEET)
    child.expect_exact(QUESTION)
    child.sendintr()
    assert ended(child) == 130
    assert "Traceback" not in child.before
    assert (nix.parent / "nix.html").read_text("utf-8") == "precious"


def test_force_asks_nothing(at_terminal, old_sheet):
    terminal = at_terminal(*SHEET, "--force")
    assert terminal.ends() == 0
    assert QUESTION not in terminal.seen


def test_the_question_is_no_result(nix, environment, spawn):
    """It is asked on the terminal while the results go elsewhere."""
    command = f"{sys.executable} -m charforge {' '.join(SHEET)} > results"
    child = pexpect.spawn(
        "sh", ["-c", command], cwd=str(nix.parent), env=environment, encoding="utf-8", timeout=60
    )
    child.expect_exact(QUESTION)
    child.sendline("y")
    assert ended(child) == 0
    assert (nix.parent / "results").read_text() == "nix.html\n"


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
    ids=["colour", "NO_COLOR", "dumb"],
)
def test_colours_are_used_where_they_are_wanted(at_terminal, nix, variables, coloured):
    terminal = at_terminal("show", nix.name, **variables)
    assert terminal.ends() == 0
    colours = [code for code in ("\x1b[31m", "\x1b[36m", "\x1b[34m") if code in terminal.seen]
    assert bool(colours) is coloured


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_no_line_is_wider_than_the_terminal(at_terminal, nix, columns):
    terminal = at_terminal("show", nix.name, rows=50, columns=columns)
    assert terminal.ends() == 0
    lines = STYLES.sub("", terminal.seen).replace("\r", "").splitlines()
    assert max(map(len, lines)) <= min(columns, 100)
