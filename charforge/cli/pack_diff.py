"""``catalog diff``: in words what a version of a pack changes, in the pack and in characters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from charforge.cli import console
from charforge.cli.changes import difference_lines, problem_line
from charforge.cli.messages import sentence
from charforge.cli.options import AsJson, Command
from charforge.errors import CharforgeError
from charforge.usecases import pack_diff
from charforge.usecases.compare import difference_data
from charforge.usecases.pack_diff import AffectedCharacter, FieldDiff, PackDiff, PackVersion

app = typer.Typer(add_completion=False)

ARROW = "\N{RIGHTWARDS ARROW}"
MINUS = "\N{MINUS SIGN}"
LONGEST = 70  # signs of what stood or stands in a field
AROUND = 20  # signs that stay before and after what differs in a long text
SIGNS = {"added": "+", "removed": MINUS, "renamed": "~", "changed": "~"}
TITLES = {
    "pack": "pack.yaml",
    "patch": "Patches",
    "ruleset": "ruleset.yaml",
    "entity": "Entities",
    "procedure": "Procedures",
    "chart": "Charts",
    "ruling": "Rulings",
}


@app.command("diff", cls=Command)
def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="A pack's id, folder or zip.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Another version of it.")],
    characters: Annotated[
        Optional[list[Path]], typer.Argument(metavar="[CHARACTERS]…", help="Character files.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare two versions of a pack, and the characters that use it.

    OLD and NEW are folders, zips, or ids of installed packs or built-in
    rulesets. If a word is both an id and a folder, OLD means the id and NEW
    the folder. No file is changed.

    \b
    Examples:
      charforge catalog diff night-watch ./night-watch-2.zip
      charforge catalog diff night-watch ./night-watch-2.zip nix.json zed.json
      charforge catalog diff capital ./my-capital --json
    """
    worst = 0
    with pack_diff.open_version(old) as before, pack_diff.open_version(new, here=True) as after:
        found = pack_diff.compare_versions(before, after)
        made: list[AffectedCharacter] = []
        for file in characters or ():
            try:
                made.append(pack_diff.affected_character(file, before, after))
            except CharforgeError as error:
                console.say(sentence(error))
                worst = max(worst, error.exit_code)
        if as_json:
            data = _data(before, after, found, made)
            console.result(json.dumps(data, ensure_ascii=False, indent=1))
        else:
            for line in _said(before, after, found, made):
                console.result(line)
    raise typer.Exit(worst)


def _said(
    old: PackVersion, new: PackVersion, found: Iterable[PackDiff], made: Iterable[AffectedCharacter]
) -> Iterator[str]:
    yield f"{old.name} {old.version} {ARROW} {new.name} {new.version}"
    listed = list(found)
    if not listed:
        yield "  no difference"
    for part, title in TITLES.items():
        mine = [change for change in listed if change.part == part]
        if mine:
            yield title
        for change in mine:
            yield from _change(change)
    for one in made:
        yield from _affected(one, new)


def _change(found: PackDiff) -> Iterator[str]:
    """Say a part that differs, and each field of it in a line."""
    head = found.part in ("pack", "ruleset")  # one file: its name says it all
    if not head:
        name = f": {found.name}" if found.name else ""
        was = f", was {found.was}" if found.was else ""
        why = f" ({found.why})" if found.why else ""
        yield f"  {SIGNS[found.how]} {found.id}{name}{was}{why}"
    indent = "  " if head else "      "
    for field in found.fields:
        yield f"{indent}{field_line(field)}"


def field_line(field: FieldDiff) -> str:
    """Say a field that differs: ``actions 1 text: … 2 m … → … 3 m …``."""
    way = " ".join(field.way)
    if field.old is None:
        return f"{way}: + {spelled(field.new)}"
    if field.new is None:
        return f"{way}: {MINUS} {spelled(field.old)}"
    old, new = field.old, field.new
    if isinstance(old, str) and isinstance(new, str):
        old, new = _parted(old, new)
    return f"{way}: {spelled(old)} {ARROW} {spelled(new)}"


def spelled(value: Any) -> str:
    """Spell what stands in a field on one line, cut short."""
    text = " ".join(_plain(value).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_plain(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_plain, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "nothing" if value is None or value == "" else str(value)


def _parted(old: str, new: str) -> tuple[str, str]:
    """Return two long texts without what they begin and end with alike, but for a few words."""
    if max(len(old), len(new)) <= LONGEST:
        return old, new
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    end = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
    start = _word(new, max(0, start - AROUND), start)
    stop = new.find(" ", len(new) - end + AROUND // 2)
    end = 0 if stop < 0 else len(new) - stop
    return _cut(old, start, end), _cut(new, start, end)


def _word(text: str, low: int, high: int) -> int:
    """Return where a word begins between two places, or the first of them."""
    space = text.find(" ", low, high)
    return low if low == 0 or space < 0 else space + 1


def _cut(text: str, start: int, end: int) -> str:
    inner = text[start : len(text) - end]
    return f"{'…' if start else ''}{inner}{'…' if end else ''}"


def _affected(found: AffectedCharacter, new: PackVersion) -> Iterator[str]:
    """Say what becomes of a character."""
    who = f"{found.file}: {found.name}, level {found.level}"
    if not found.used:
        yield f"{who}: does not use {new.id}"
        return
    yield f"{who}: no difference" if found.same else who
    if found.pinned is not None:
        made = f"{found.pinned.version} ({found.pinned.hash})"
        yield f"  made with {new.id} {made}, which is neither: told from what was last saved of it"
    for one, line in zip(found.changed, difference_lines(found.changed), strict=True):
        sources = (found.sources or {}).get((one.unit, one.id), ())
        why = f"  [{'; '.join(sources)}]" if one.topic == "value" and sources else ""
        yield f"  {line}{why}"
    was, now = found.legal
    if found.pinned is not None and now:
        yield "  legal with these rules"
    elif found.pinned is None and was != now:
        yield f"  {_legal(was)} {ARROW} {_legal(now)}"
    yield from (f"  {problem_line(problem)}" for problem in found.problems)
    yield from (f"  solved   {problem_line(problem)}" for problem in found.solved)
    yield from (f"  dormant  {name}: it has no effect any more" for name in found.dormant)
    yield from (f"  revived  {name}: it has its effect again" for name in found.revived)


def _legal(legal: bool) -> str:
    return "legal" if legal else "not legal"


def _data(
    old: PackVersion, new: PackVersion, found: Iterable[PackDiff], made: Iterable[AffectedCharacter]
) -> dict[str, Any]:
    """Return everything as ``--json`` prints it."""
    return {
        "old": {"id": old.id, "name": old.name, "version": old.version},
        "new": {"id": new.id, "name": new.name, "version": new.version},
        "changes": [_change_data(change) for change in found],
        "characters": [_character_data(one) for one in made],
    }


def _change_data(found: PackDiff) -> dict[str, Any]:
    return {
        "part": found.part,
        "how": found.how,
        "id": found.id,
        "name": found.name,
        **({"was": found.was} if found.was else {}),
        **({"why": found.why} if found.why else {}),
        "fields": [{"way": list(f.way), "old": f.old, "new": f.new} for f in found.fields],
    }


def _character_data(found: AffectedCharacter) -> dict[str, Any]:
    told = {"file": str(found.file), "name": found.name, "level": found.level, "used": found.used}
    if not found.used:
        return told
    problems = {"problems": found.problems, "solved": found.solved}
    pinned = found.pinned and {"version": found.pinned.version, "hash": found.pinned.hash}
    return {
        **told,
        "pinned": pinned,
        "changes": [
            {
                **difference_data(one),
                "sources": list((found.sources or {}).get((one.unit, one.id), ())),
            }
            if one.topic == "value"
            else difference_data(one)
            for one in found.changed
        ],
        "legal": {"old": found.legal[0], "new": found.legal[1]},
        **{
            key: [{"code": p.code, "decision": p.decision, "message": p.message} for p in listed]
            for key, listed in problems.items()
        },
        "dormant": list(found.dormant),
        "revived": list(found.revived),
    }
