"""``history``: what was decided, rolled, gained and played, level by level."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

import typer

from charforge.cli import console as screen
from charforge.cli.arguments import Command
from charforge.cli.options import AsJson, AtLevel, CharacterFile
from charforge.replay.loaded import load_character
from charforge.usecases import history as telling
from charforge.usecases.history import HistoryChapter

app = typer.Typer(add_completion=False)


@app.command("history", cls=Command)
def history(file: CharacterFile, as_json: AsJson = False, at_level: AtLevel = None) -> None:
    """List everything that happened to a character, one event per line.

    The number before an event counts the commands; undo removes the last one.

    \b
    Examples:
      charforge history nix.json
      charforge history nix.json --at-level 3
      charforge history nix.json --json
    """
    opened = load_character(file, at_level=at_level)
    chapters = telling.history_chapters(opened)
    if as_json:
        data = [
            {
                "level": one.level,
                "label": one.label,
                "events": list(map(telling.entry_data, one.events)),
            }
            for one in chapters
        ]
        screen.result(json.dumps(data, ensure_ascii=False, indent=1))
        return
    if sys.stdout.isatty():
        _draw(chapters)
        return
    for line in _plain(chapters):
        screen.result(line)


def _rows(chapter: HistoryChapter) -> Iterable[tuple[str, str]]:
    """Yield each event with its group's number, which only the first of a group shows."""
    group = 0
    for told in chapter.events:
        yield (str(told.event.group) if told.event.group != group else ""), told.text
        group = told.event.group


def _plain(chapters: Iterable[HistoryChapter]) -> Iterable[str]:
    for chapter in chapters:
        yield chapter.label
        yield from (f"{number:>5}  {text}" for number, text in _rows(chapter))


def _draw(chapters: Iterable[HistoryChapter]) -> None:
    """Print for a terminal: wrapped at its width, the numbers beside."""
    # Here, because only this output needs rich, which takes long to import.
    from rich.table import Table
    from rich.text import Text

    console = screen.results()
    for chapter in chapters:
        console.print(Text(chapter.label, style="bold"))
        table = Table.grid(padding=(0, 2))
        table.add_column(justify="right", min_width=5, style="dim", no_wrap=True)
        table.add_column(overflow="fold")
        for number, text in _rows(chapter):
            table.add_row(number, Text(text))
        console.print(table)
