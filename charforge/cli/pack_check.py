"""``catalog check``: everything wrong with a pack, once or on each save."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from charforge.cli import console
from charforge.cli.arguments import Command
from charforge.cli.messages import located, sentence
from charforge.cli.options import AsJson
from charforge.errors import CharforgeError, PackProblem
from charforge.usecases import pack_check
from charforge.usecases.pack_check import Checked

app = typer.Typer(add_completion=False)

PAUSE = 0.5  # seconds between two looks at the files


@app.command("check", cls=Command)
def check(
    pack: Annotated[Path, typer.Argument(metavar="PATH", help="A pack's folder or zip.")],
    as_json: AsJson = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Check again on each save, until Ctrl-C.")
    ] = False,
) -> None:
    """Check a pack: all errors with line numbers, and likely mistakes.

    The exit code is 1 if there is any error; warnings do not count.

    \b
    Examples:
      charforge catalog check ./house-rules
      charforge catalog check ./house-rules --watch
      charforge catalog check expansion.zip --json
    """
    if not watch:
        raise typer.Exit(_once(pack, as_json))
    _watch(pack, as_json)


def _watch(pack: Path, as_json: bool) -> None:
    """Check again whenever a file has changed; what cannot even be read may be mended as well."""
    seen = None
    while True:
        now = _stamps(pack)
        if now != seen:
            console.say(f"--- {time.strftime('%H:%M:%S')}")
            try:
                _once(pack, as_json)
            except CharforgeError as error:
                console.say(sentence(error))
            sys.stdout.flush()
        seen = now
        time.sleep(PAUSE)


def _stamps(pack: Path) -> list[tuple[str, int, int]]:
    """Return what changes when a file of a pack is saved, added or taken away."""
    found = []
    for path in (pack, *pack.glob("*"), *pack.glob("*/*")):
        try:
            stat = path.stat()
        except OSError:
            continue  # taken away meanwhile
        found.append((str(path), stat.st_mtime_ns, stat.st_size))
    return sorted(found)


def _once(pack: Path, as_json: bool) -> int:
    """Check and print; return the exit code."""
    found = pack_check.check(pack)
    if as_json:
        console.result(json.dumps(_data(found), ensure_ascii=False, indent=1))
    else:
        _print(found, pack)
    return 1 if found.faults else 0


def _print(found: Checked, pack: Path) -> None:
    for sort, faults in (("fault", found.faults), ("warning", found.warnings)):
        for fault in faults:
            console.result(located(fault, sort))
    told = f"{_number(found.faults, 'fault')}, {_number(found.warnings, 'warning')}"
    console.result(f"{found.id or pack}: {told}")


def _number(found: tuple[PackProblem, ...], what: str) -> str:
    number = len(found) or "no"
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _data(found: Checked) -> dict[str, Any]:
    return {
        "id": found.id,
        "faults": [{**asdict(fault), "file": str(fault.file)} for fault in found.faults],
        "warnings": [{**asdict(fault), "file": str(fault.file)} for fault in found.warnings],
    }
