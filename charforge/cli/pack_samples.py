"""``catalog test``: the samples of a pack, built and compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from charforge.cli import console
from charforge.cli.arguments import Command
from charforge.cli.options import AsJson
from charforge.errors import UsageError
from charforge.rules import install
from charforge.usecases import pack_samples
from charforge.usecases.sample_characters import Difference

app = typer.Typer(add_completion=False)


@app.command("test", cls=Command)
def build(
    folder: Annotated[Path, typer.Argument(metavar="PATH", help="A pack's folder.")],
    as_json: AsJson = False,
) -> None:
    """Test a pack: build its samples and compare the results.

    Samples live in the pack's `tests` folder, one file each.

    \b
    Examples:
      charforge catalog test ./my-pack
      charforge catalog test ./my-pack --json
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}", "Name the folder of a pack.")
    ruleset = install.load_checked(folder)[-1]
    read = pack_samples.read_all(folder, ruleset)
    if not read:
        told = f"{folder} has no samples to test"
        raise UsageError(told, f"They stand in its folder {pack_samples.FOLDER}, a YAML file each.")
    found = {path: pack_samples.run(sample, ruleset) for path, sample in read.items()}
    names = {path: sample.name for path, sample in read.items()}
    _print_json(found, names) if as_json else _print(found, names)
    if any(found.values()):
        raise typer.Exit(1)


def _print(found: dict[Path, tuple[Difference, ...]], names: dict[Path, str]) -> None:
    for path, differences in found.items():
        console.result(f"{'differs' if differences else 'ok':<8} {path} ({names[path]})")
        for one in differences:
            console.result(f"  {_sentence(one)}")
    wrong = sum(map(bool, found.values()))
    number = "1 sample" if len(found) == 1 else f"{len(found)} samples"
    differing = f"{wrong} differ{'s' if wrong == 1 else ''}"
    console.say(f"{number}: {differing if wrong else 'all as expected'}.")


def _sentence(one: Difference) -> str:
    """Say a difference in one line."""
    steps = f" ({', '.join(one.steps)})" if one.steps else ""
    return f"{one.what}: expected {one.expected}, found {one.found}{steps}"


def _print_json(found: dict[Path, tuple[Difference, ...]], names: dict[Path, str]) -> None:
    data: list[dict[str, Any]] = [
        {
            "file": str(path),
            "name": names[path],
            "passed": not differences,
            "differences": [
                {"topic": d.what, "expected": d.expected, "found": d.found, "steps": list(d.steps)}
                for d in differences
            ],
        }
        for path, differences in found.items()
    ]
    console.result(json.dumps(data, ensure_ascii=False, indent=1))
