"""Where results are written: names of files, and what may be replaced."""

from __future__ import annotations

import sys
from pathlib import Path

from charforge.character import storage
from charforge.cli import console
from charforge.errors import UsageError
from charforge.paths import DEVICES
from charforge.replay.loaded import LoadedCharacter

STDOUT = Path("-")  # as -o: the result is printed, and nothing is said of it
UNSAFE = '/\\:*?"<>|'
LONGEST = 200  # bytes of a file's name, its ending apart


def default_path(name: str, number: int = 0) -> Path:
    """Return NAME.json, without what a file name may not hold."""
    kept = "".join("_" if sign in UNSAFE or ord(sign) < 32 else sign for sign in name)
    kept = kept.strip(". ").lstrip("-. ")  # with a sign before it a command takes it for an option
    if kept.partition(".")[0].strip().casefold() in DEVICES:
        kept = f"_{kept}"
    while len(kept.encode()) > LONGEST:
        kept = kept[:-1]
    suffix = f"-{number}" if number else ""
    return Path(f"{kept or 'character'}{suffix}.json")


def numbered(output: Path | None, name: str, number: int, count: int) -> Path:
    """Return one of several outputs: NAME-2.json, in a folder where ``output`` is no JSON file."""
    if output is None or count == 1:
        return output or default_path(name, number)
    if output.suffix != ".json":
        output.mkdir(parents=True, exist_ok=True)
        return output / default_path(name, number)
    return output.with_name(f"{output.stem}-{number}{output.suffix}")


def may_write(path: Path, force: bool) -> bool:
    """Return whether an existing file may be replaced; ask where somebody is there.

    Raises WriteError where it may not.
    """
    if path == STDOUT:
        return True
    storage.check_writable(path, replace=True)
    agreed = force or (
        path.exists() and console.somebody_there() and console.agreed(f"{path} exists. Replace it?")
    )
    storage.check_writable(path, agreed)
    return agreed


def deliver(target: Path, data: bytes, replace: bool) -> None:
    """Write a result to its file, or to stdout. Raises WriteError."""
    if target != STDOUT:
        storage.write(target, data, replace=replace)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say_where(target: Path) -> None:
    """Say where a result is; what was printed is there already."""
    if target != STDOUT:
        console.result(str(target))


def named(target: Path) -> str:
    """Return what a message calls a result."""
    return "what was printed" if target == STDOUT else str(target)


def refuse_stdout(output: Path | None, reason: str, advice: str) -> None:
    """Refuse to print what is not one result."""
    if output == STDOUT:
        raise UsageError(f"-o - prints one result, and {reason}", advice)


def refuse_binary(output: Path | None) -> None:
    """Refuse to print what is no text where somebody would look at it."""
    if output == STDOUT and sys.stdout.isatty():
        raise UsageError("a PDF is no text for a terminal", "Send it on: -o - > sheet.pdf.")


def agreed(path: Path) -> bool:
    """Ask whether a file may be replaced, before the work begins: it is done unseen."""
    there = path.is_file() and console.somebody_there()
    return there and console.agreed(f"{path} exists. Replace it?")


def saved(before: LoadedCharacter, after: LoadedCharacter, file: Path) -> None:
    """Write a character, if nobody else changed it meanwhile, and say where it is."""
    storage.save_changed(before.document, after.document, file)
    console.result(f"{file}: {after.document.name}")


def refuse_same(output: Path | None, *inputs: Path | None) -> None:
    """Refuse to write over the very file that is read."""
    for path in inputs:
        if output and path and output.exists() and path.exists() and output.samefile(path):
            raise UsageError(f"-o {output} is the file that is read", "Give another -o.")
