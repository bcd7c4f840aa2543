"""Write commands.md, the reference of all commands, from the program itself.

python docs/commands.py
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))

from charforge.cli.commands import LazyGroup, ProgramGroup  # noqa: E402  (of this checkout)
from charforge.cli.usage import parameter_row  # noqa: E402

PAGE = DOCS / "commands.md"
INTRODUCTION = """\
# Commands

<!-- Written by docs/commands.py from the program: change the help texts there. -->

`charforge help COMMAND` prints the same. For `FILE…` you can name a folder, for all
characters in it. Results go to standard output, everything else to standard error.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(reference(), encoding="utf-8")


def reference() -> str:
    """Return the page as Markdown."""
    group = ProgramGroup()
    parts = [INTRODUCTION, *_commands(group, typer.Context(group, info_name="charforge"))]
    return "\n".join(parts).rstrip() + "\n"


def _commands(group: LazyGroup, context: typer.Context) -> Iterator[str]:
    """Yield a section for each command, those of nested groups included."""
    for name in group.list_commands(context):
        command = group.load(name)
        inner = typer.Context(command, info_name=name, parent=context)
        if isinstance(command, LazyGroup):
            yield from _commands(command, inner)
        else:
            yield _section(command, inner)


def _section(command: TyperCommand, context: typer.Context) -> str:
    """Return the section of one command: usage, description, examples, parameters."""
    path = context.command_path.partition(" ")[2]
    description, examples = _help(command.help or "")
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f"## {path}", "", f"`charforge {path} {usage}`", "", description, ""]
    if examples:
        lines += ["```console", *examples, "```", ""]
    rows = [_row(parameter) for parameter in command.get_params(context)]
    rows = [row for row in rows if row]
    if rows:
        lines += ["| Argument or option | Meaning |", "|---|---|", *rows, ""]
    for heading, table in getattr(command, "tables", {}).items():
        rows = [f"| `{word}` | {_escaped(text)} |" for word, text in table.items()]
        lines += [f"| {heading} | |", "|---|---|", *rows, ""]
    return "\n".join(lines)


def _help(text: str) -> tuple[str, list[str]]:
    """Return the description of a command as Markdown, and its example lines."""
    before, _heading, after = text.replace("\b", "").partition("Examples:")
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", before)]
    examples = [line.strip() for line in after.splitlines() if line.strip()]
    return "\n\n".join(filter(None, paragraphs)), examples


def _row(parameter: Any) -> str:
    """Return a table row of an argument or option; nothing for ``--help``."""
    if "--help" in parameter.opts:
        return ""
    typed, text = parameter_row(parameter)
    return f"| `{_escaped(typed)}` | {_escaped(' '.join(text.split()))} |"


def _escaped(text: str) -> str:
    """Return a text for a cell of a table."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main()
