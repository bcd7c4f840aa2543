"""The README's commands: the two for a fresh machine, and all others it shows."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.command_runner import run_command
from tests.packaging.environments import run

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line.strip() for line in README.splitlines() if line.startswith("    ")]
INSTALLS = [line for line in COMMANDS if "pip install" in line]
SHOWN = [line.split("  #")[0].strip() for line in COMMANDS if line.startswith("charforge ")]
FIRST = INSTALLS[0].rpartition("/bin/")[2]  # creates the character that all others read or change
CREATE = FIRST.replace(" --sheet", "")
PDFS = [line for line in SHOWN if line.endswith(".pdf")]
OUTPUT = [line for line in COMMANDS if line not in {*INSTALLS, *SHOWN} and "activate" not in line]


def test_exactly_two_commands_install_something() -> None:
    assert len(INSTALLS) == 2
    assert "charforge new" in INSTALLS[0]
    assert "pytest" in INSTALLS[1]  # .ci/run runs it on a bare machine


@pytest.mark.slow
def test_both_commands_work_one_after_another_in_a_fresh_clone(tmp_path: Path) -> None:
    """The clone has what is committed; the home folder beside it is empty.

    The first command ends with a character and its sheet. The second one runs the tests of a
    single file here, or it would run this test again; .ci/run runs it whole.
    """
    clone, home = tmp_path / "charforge", tmp_path / "home"
    home.mkdir()
    subprocess.run(["git", "clone", "-q", f"file://{ROOT}", str(clone)], check=True, timeout=120)
    output = run(["bash", "-c", INSTALLS[0]], clone, home)
    character, sheet = output.splitlines()[-2:]
    assert (clone / character).read_text(encoding="utf-8").startswith('{\n "charforge": 1')
    assert (clone / sheet).stat().st_size > 10_000
    tested = run(
        ["bash", "-c", INSTALLS[1]], clone, home, PYTEST_ADDOPTS="tests/expressions/test_dice.py"
    )
    assert re.fullmatch(r"\d+ passed in .*", tested.splitlines()[-1]), tested


def run_shown(first: str, commands: list[str], folder: Path) -> str:
    """Create the character of the first command and run others on it; return what they print."""
    failed = []
    printed = ""
    for command in [first, *commands]:
        words = shlex.split(command)[1:]
        if words == ["new"]:
            continue  # the wizard: it needs a terminal
        if words[0] == "level-up":
            words.append("--random")  # the player would answer
        ran = run_command(*words, folder=folder)
        if ran.code:
            failed.append((command, ran.err))
        printed += ran.out
    assert failed == []
    return printed


@pytest.mark.slow
def test_the_commands_shown_work_one_after_another(tmp_path: Path) -> None:
    """All but those that make a PDF."""
    printed = run_shown(CREATE, [line for line in SHOWN if line not in PDFS], tmp_path)
    assert [line for line in OUTPUT if line not in printed] == []
    assert len(SHOWN) > 10


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_the_commands_shown_make_pdfs_and_a_rulebook_of_up_to_forty_pages(tmp_path: Path) -> None:
    """The sheet of the first command is made in the fresh clone."""
    run_shown(CREATE, PDFS, tmp_path)
    names = {shlex.split(command)[-1] for command in PDFS}
    assert {path.name for path in tmp_path.glob("*.pdf")} == names
    assert len(names) == 4
    assert 20 <= len(PdfReader(tmp_path / "rules.pdf").pages) <= 40  # the book of the main game
