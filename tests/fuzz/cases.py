"""Fuzzed inputs: each kind writes random files and names the commands that read them."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterable
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import yaml
from PIL import Image

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import to_text
from charforge.cli.app import run
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load
from charforge.usecases.create import create_character
from tests.fuzz.mutation import VALUES, changed_bytes, changed_data

Commands = Iterable[list[str]]
Kind = Callable[[Random], Commands]
READING = (
    ["check", "nix.json"],
    ["show", "nix.json", "--json"],
    ["history", "nix.json"],
    ["explain", "nix.json"],
    ["export", "nix.json", "--format", "markdown"],
    ["show", "nix.json", "--at-level", "1"],
)
CHANGING = (
    ["level-up", "nix.json", "--random"],
    ["undo", "nix.json"],
    ["note", "nix.json", "seen"],
    ["damage", "nix.json", "3"],
    ["edit", "nix.json", "money", "--answer", "250", "--random"],
    ["plan", "nix.json", "--json"],
    ["turn", "nix.json"],
)
COMPANION = {"asset": "companion/land-beast"}


@cache
def document() -> bytes:
    """The file of a character of Level 2 with a companion, to whom a few things happened."""
    rules = load("capital")
    plan = CharacterSpec(rules, "3", "Nix", 2, answers=COMPANION)
    Path("made.json").write_text(
        to_text(create_character(plan, RandomAnswers("3"))), encoding="utf-8"
    )
    for words in (
        ["damage", "made.json", "4"],
        ["condition", "made.json", "prone"],
        ["award", "made.json", "grit", "1"],
        ["buy", "made.json", "rope"],
        ["damage", "made.json", "1", "--unit", "land beast"],
        ["undo", "made.json"],
    ):
        run(words)
    return Path("made.json").read_bytes()


@cache
def answers() -> Any:
    """The answers of that character, as data."""
    Path("made.json").write_bytes(document())
    run(["export", "made.json", "--format", "answers", "-o", "made.yaml", "--force"])
    return yaml.safe_load(Path("made.yaml").read_text("utf-8"))


@cache
def sheet() -> bytes:
    """A printed sheet that carries that character."""
    Path("made.json").write_bytes(document())
    run(["sheet", "made.json", "--layout", "short", "-o", "made.pdf", "--force"])
    return Path("made.pdf").read_bytes()


def characters_of_bytes(chance: Random) -> Commands:
    Path("nix.json").write_bytes(changed_bytes(document(), chance))
    return [chance.choice(READING), chance.choice(CHANGING)]


def characters_of_data(chance: Random) -> Commands:
    data = json.loads(document())
    if chance.random() < 0.3:
        data = changed_data(data, chance)
    else:
        _answered_anew(data["log"], chance)
    Path("nix.json").write_text(json.dumps(data), encoding="utf-8")
    page = ["sheet", "nix.json", "--format", "html", "-o", "nix.html", "--force"]
    more = [page] if chance.random() < 0.1 else []
    return [chance.choice(READING), *more, chance.choice(CHANGING)]


def _answered_anew(log: list[dict[str, Any]], chance: Random) -> None:
    """Change what events say and not their form, so that the rules get to judge it."""
    for event in chance.choices(log, k=chance.randint(1, 4)):
        kept = {key: event[key] for key in ("n", "group", "do")}
        said = {key: value for key, value in event.items() if key not in kept}
        key = chance.choice([*said])
        if isinstance(said[key], str) and chance.random() < 0.7:
            said[key] = chance.choice(log).get(key, said[key])
        else:
            said[key] = changed_data([said[key]], chance)
            said[key] = said[key][0] if isinstance(said[key], list) and said[key] else None
        event.clear()
        event.update({**kept, **said})


def answers_files(chance: Random) -> Commands:
    act = chance.random()
    if act < 0.7:
        data = changed_data(answers(), chance) if act < 0.3 else _fewer(answers(), chance)
        text = yaml.safe_dump(data, allow_unicode=chance.random() < 0.5).encode("utf-8", "replace")
    else:
        text = changed_bytes(yaml.safe_dump(answers()).encode(), chance)
    if chance.random() < 0.1:
        text = chance.choice((LAUGHS, DEEP, LONG)) + text
    Path("nix.yaml").write_bytes(text)
    new = ["new", "--answers", "nix.yaml", "--random", "--seed", "1", "-o", "out.json", "--force"]
    reading = ["import", "nix.yaml", "-o", "out.json", "--force"]
    return [chance.choice((new, reading))]


def _fewer(data: Any, chance: Random) -> Any:
    """Return answers of which some are left out, and one may be something else."""
    given = {key: value for key, value in data["answers"].items() if chance.random() < 0.6}
    if given and chance.random() < 0.6:
        given[chance.choice([*given])] = chance.choice((*VALUES, *data["answers"].values()))
    return {**data, "answers": given}


LAUGHS = b"a0: &a0 [x, x]\n" + b"".join(
    b"a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n" % (n, n, *[n - 1] * 9)
    for n in range(1, 12)
)
DEEP = b"x: " + b"[" * 5000 + b"]" * 5000 + b"\n"
LONG = b"x: " + b"9" * 20_000 + b"\n"


def sheets(chance: Random) -> Commands:
    change = _packed_anew if chance.random() < 0.4 else changed_bytes
    Path("nix.pdf").write_bytes(change(sheet(), chance))
    return [["import", "nix.pdf", "-o", "out.json", "--force"]]


PACKED = re.compile(rb"stream\n(.*?)\nendstream", re.DOTALL)


def _packed_anew(data: bytes, chance: Random) -> bytes:
    """Return a PDF with one of its compressed parts unpacked, changed and packed again."""
    found = chance.choice([*PACKED.finditer(data)])
    at, end = found.span(1)
    try:
        inside = zlib.decompressobj().decompress(data[at:end])
    except zlib.error:
        return changed_bytes(data, chance)
    if chance.random() < 0.2:
        inside *= 200_000_000 // max(1, len(inside))  # far more than it looks
    else:
        inside = changed_bytes(inside, chance)
    return data[:at] + zlib.compress(inside) + data[end:]


MODES = ("RGB", "RGBA", "L", "P", "1", "CMYK", "I;16", "LA")
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "ICO", "PPM")


def portraits(chance: Random) -> Commands:
    Path("nix.json").write_bytes(document())
    Path("nix.jpg").write_bytes(_picture(chance))
    page = ["sheet", "nix.json", "--format", "html", "-o", "nix.html", "--force"]
    if chance.random() < 0.3:
        return [[*page, "--portrait", "nix.jpg"]]
    return [["edit", "nix.json", "--portrait", "nix.jpg"], ["undo", "nix.json"]]


def _picture(chance: Random) -> bytes:
    if chance.random() < 0.05:
        return chance.choice((b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a", b"%PDF-1.7"))
    most = 7000 if chance.random() < 0.1 else 60
    size = (chance.randint(1, most), chance.randint(1, most))
    out = BytesIO()
    try:
        Image.new(chance.choice(MODES), size, 1).save(out, chance.choice(FORMATS))
    except (OSError, ValueError):  # a format that does not have such colours
        Image.new("RGB", size).save(out, "PNG")
    data = out.getvalue()
    if chance.random() < 0.2:
        sides = chance.choice((0, 1, 7000, 50_000, 2**31 - 1)).to_bytes(4, "big")
        data = data[:16] + sides + data[20:]  # what a PNG says of its width
    return changed_bytes(data, chance) if chance.random() < 0.7 else data


KINDS: dict[str, Kind] = {
    kind.__name__: kind
    for kind in (characters_of_bytes, characters_of_data, answers_files, sheets, portraits)
}
