"""The README's commands, but for the two of a fresh machine: .ci/run runs those."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.command_runner import run_command

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
    assert "pytest" in INSTALLS[1]  # .ci/run runs both on a bare machine, in a fresh clone


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
    """The sheet of the first command is made by .ci/run."""
    run_shown(CREATE, PDFS, tmp_path)
    names = {shlex.split(command)[-1] for command in PDFS}
    assert {path.name for path in tmp_path.glob("*.pdf")} == names
    assert len(names) == 4
    assert 20 <= len(PdfReader(tmp_path / "rules.pdf").pages) <= 40  # the book of the main game
