"""``play``: a session at the table, line by line, on a terminal or from a file."""

from __future__ import annotations

import sys
from dataclasses import replace

import typer

from charforge.cli import console
from charforge.cli.front_end import FrontEnd
from charforge.cli.options import CharacterFile
from charforge.cli.session.session import Session
from charforge.cli.signature import ChangeCommand
from charforge.language import _
from charforge.replay.loaded_character import load_character

app = typer.Typer(add_completion=False)


@app.command("play", cls=ChangeCommand)
def play(file: CharacterFile) -> None:
    """Play a session: type commands, each is saved immediately.

    It opens with the attacks and abilities of the character; a number or a
    name uses one. Without a terminal the lines are read from standard input,
    and the exit code is the worst of all lines.

    \b
    Examples:
      charforge play nix.json
      charforge play nix.json < fight.txt
    """
    load_character(file)
    session = Session(FrontEnd(file=file))
    raise typer.Exit((_read_terminal if console.is_interactive() else _read_lines)(session))


def _read_terminal(session: Session) -> int:
    """Read and run lines from the terminal until the session ends; no line fails the session."""
    # Here, because lines from a file need no prompt, which takes long to import.
    from charforge.cli.prompt import line_prompt

    prompt = line_prompt(session.completions)
    session.front_end = replace(
        session.front_end, live=True, ask=prompt.ask, is_command=session.is_command
    )
    session.open()
    while not session.over:
        try:
            session.do(prompt.read_line(session.mark))
        except KeyboardInterrupt:
            continue
        except EOFError:
            break
        session.show_changed_status()
    return 0


def _read_lines(session: Session) -> int:
    """Run the lines of standard input and return the worst exit code."""
    worst = 0
    lines = sys.stdin if sys.stdin is not None else ()
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            console.print_result(f"> {line.strip()}")
            console.flush_results()
        code = session.do(line)
        console.flush_results()
        if code:
            console.say(_("(line {number}: {line})").format(number=number, line=line.strip()))
        worst = max(worst, code)
        if session.over:
            break
    return worst
