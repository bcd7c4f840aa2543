"""``restore``: an earlier version of a character, brought back."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from charforge.cli import console
from charforge.cli.arguments import Command
from charforge.cli.options import AsJson
from charforge.errors import UsageError
from charforge.usecases import restore as restoring
from charforge.usecases.restore import FileVersion, RestoreResult

app = typer.Typer(add_completion=False)

HOW = "Give its number, and --yes where a file is to be replaced."


@app.command("restore", cls=Command)
def restore(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A character file, even a deleted or damaged one."),
    ],
    version: Annotated[
        Optional[int],
        typer.Argument(metavar="[VERSION]", help="The number of the version in the list."),
    ] = None,
    only_list: Annotated[
        bool, typer.Option("--list", help="List the versions without changing anything.")
    ] = False,
    as_json: AsJson = False,
    yes: Annotated[bool, typer.Option("--yes", help="Replace the file without asking.")] = False,
) -> None:
    """Restore an earlier version of a character file.

    The last ten versions of each file are kept (doctor shows the folder).
    The current content becomes a version too, so you can undo a restore.
    Without a number the versions are listed, newest first, and you choose
    one.

    \b
    Examples:
      charforge restore nix.json
      charforge restore nix.json --list
      charforge restore nix.json 12 --yes
    """
    if only_list and (version is not None or yes):
        raise UsageError("--list changes nothing: no version and no --yes go with it")
    if only_list:
        _list(restoring.earlier_versions(file), as_json)
        return
    if version is None:
        version = _asked(restoring.earlier_versions(file))
    done = restoring.restore_version(file, version, lambda kept: yes or _agreed(file, kept))
    if done is None:
        raise UsageError("nothing was changed")
    _tell(file, done, as_json)


def _asked(found: tuple[FileVersion, ...]) -> int:
    """Show the versions on stderr, and ask for one of them."""
    for line in _lines(found):
        console.say(line)
    if not console.somebody_there():
        raise UsageError("nobody is there to say which version is meant", HOW)
    text = console.asked(f"Which version [{found[0].number}]: ") or str(found[0].number)
    if not text.isdecimal():
        raise UsageError(f"{text!r} is no version", "Nothing was changed.")
    return int(text)


def _agreed(file: Path, kept: FileVersion) -> bool:
    if not console.somebody_there():
        raise UsageError(f"nobody is there to agree that {file} is replaced", "Give --yes.")
    console.say(_line(kept))
    return console.agreed(f"Replace {file} with this version?")


def _list(found: tuple[FileVersion, ...], as_json: bool) -> None:
    if as_json:
        console.result(json.dumps([_data(kept) for kept in found], ensure_ascii=False, indent=1))
        return
    for line in _lines(found):
        console.result(line)


def _tell(file: Path, done: RestoreResult, as_json: bool) -> None:
    if as_json:
        data = {"file": str(file), "restored": _data(done.kept), "former": done.former}
        console.result(json.dumps(data, ensure_ascii=False, indent=1))
        return
    console.result(f"{file}: version {done.kept.number} is back: {_what(done.kept)}")
    if done.former is not None:
        console.result(f"  What stood there is version {done.former}.")


def _lines(found: tuple[FileVersion, ...]) -> list[str]:
    return [_line(kept) for kept in found]


def _line(kept: FileVersion) -> str:
    return f"{kept.number:>5}  {_when(kept)}  {_what(kept)}"


def _when(kept: FileVersion) -> str:
    """Return when a version was saved, in local time."""
    if kept.saved is None:
        return "?"
    return datetime.fromtimestamp(kept.saved).astimezone().isoformat(sep=" ", timespec="seconds")


def _what(kept: FileVersion) -> str:
    if kept.fault:
        return f"no character: {kept.fault}"
    events = "1 event" if kept.events == 1 else f"{kept.events} events"
    return f"level {kept.level}, {events}; {kept.last}"


def _data(kept: FileVersion) -> dict[str, Any]:
    return {
        "version": kept.number,
        "saved": _when(kept),
        "level": kept.level,
        "events": kept.events,
        "last": kept.last,
        "fault": kept.fault,
    }
