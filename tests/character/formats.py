"""Write a character file with every kind of event, for tests of old format versions.

    python -m tests.character.formats FILE

wrote the documents in ``tests/testdata/formats/``. One of a version that
was ever released stays as it is for ever; a new version gets one of its own.

    python -m tests.character.formats --summaries

writes down anew what the installed rules make of each. That changes with
the rules; what differs is looked at before it is committed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

from PIL import Image

from charforge.character.files import atomic_write
from charforge.cli.app import run
from charforge.replay.loaded_character import load_character, summary

FOLDER = Path(__file__).parents[1] / "testdata" / "formats"
PLAYED = 200  # events
ANSWERS = """\
answers:
  role: role/the-lancer
  role.weapon: equipment/auto-rifle
  asset: companion/land-beast
"""
LIFE = (
    "level-up nix.json --to 10 --random --seed 2",
    "edit nix.json --name Nyx",
    "edit nix.json --rule cooldown=or_less",
    "edit nix.json --portrait nix.png",
    "edit nix.json personality.goal --answer goal/discovery --now",
    "edit nix.json money --answer 250",
    "edit nix.json role.plus --answer str --random",
    "edit nix.json level.8.systems --answer [system/robotic] --override GM:wonder",
    "gain nix.json vehicle/bike --random",
    "gain nix.json money 900",
    "gain nix.json grit 1 --note luck",
    "level-up nix.json --unit bike --to 3 --random",
    "buy nix.json toolkit --quantity 3",
    "buy nix.json backpack",
    "hold nix.json toolkit",
    "stow nix.json toolkit",
    "sell nix.json toolkit",
    "part nix.json toolkit --note dropped",
    "hold nix.json autorifle",
)
ROUND = (
    "turn nix.json",
    "use nix.json autorifle --action 50m --set vs=6",
    "damage nix.json 9 --type sharp",
    "damage nix.json 7 --type blunt --unit landbeast",
    "damage nix.json 4 --type heat --unit bike",
    "roll nix.json agi --vs 5",
    "spend nix.json energy 2",
    "condition nix.json prone",
    "condition nix.json prone --off",
    "note nix.json listened",
    "turn nix.json --end",
    "heal nix.json 6",
    "heal nix.json 5 --unit landbeast",
    "use nix.json autorifle --action reload",
    "rest nix.json full",
)
END = (
    "plan nix.json event.68.level.10.systems=[]",
    "condition nix.json taunted --about sniper",
    "damage nix.json 1",
    "undo nix.json",
)
NAMES = {"autorifle": "auto rifle", "landbeast": "land beast", "GM:wonder": "GM: a wonder"}


def documents() -> tuple[Path, ...]:
    """Return the document of every format version."""
    return tuple(sorted(FOLDER.glob("v*.json")))


def summary_of(path: Path) -> Path:
    return path.with_suffix(".summary")


def written(made: dict[str, object]) -> str:
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def live(folder: Path) -> Path:
    """Make the character in an empty folder, command by command."""
    os.chdir(folder)
    Path("answers.yaml").write_text(ANSWERS, encoding="utf-8")
    Image.new("RGB", (32, 48), "teal").save("nix.png")
    _run(["new", "--answers", "answers.yaml", "--random", "--seed", "1", "-o", "nix.json"])
    for line in (*LIFE, *_rounds(), *END):
        _run([NAMES.get(word, word) for word in line.split()])
    return folder / "nix.json"


def _rounds() -> Iterator[str]:
    for number in range(PLAYED):
        yield ROUND[number % len(ROUND)]


def _run(words: Iterable[str]) -> None:
    with redirect_stdout(sys.stderr):
        ended = run([*words])
    if ended:
        raise SystemExit(f"{' '.join(words)}: ended with {ended}")


def main(given: str) -> None:
    """Write a document, or the summaries of all."""
    if given == "--summaries":
        for path in documents():
            summary_of(path).write_text(
                written(summary(load_character(path).character)), encoding="utf-8"
            )
        return
    import tempfile

    target = Path(given).resolve()
    with tempfile.TemporaryDirectory() as name:
        made = live(Path(name))
        atomic_write.write(target, made.read_bytes(), replace=False)


if __name__ == "__main__":
    main(sys.argv[1])
