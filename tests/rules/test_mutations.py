"""Random changes of the built-in catalogs: an error nearby, or a different catalog.

Never a traceback, and never silence: where the data of a file differ, the models differ too.
``--long`` tries thousands; with ``CHARFORGE_MUTATIONS=N`` the N-th and those after it.
"""

from __future__ import annotations

import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product, takewhile
from pathlib import Path
from typing import Any

import pytest
import yaml

from charforge.errors import PackError, PackProblem
from charforge.rules.loading.loader import built_in, read_folder
from charforge.rules.ruleset import Ruleset
from tests.samples import few

FEW, MANY = 2, 100  # changes of a sort of a ruleset
NEAR = 3  # lines between a change and its fault
TRIES = 200  # until one is found that changes what a file means
KEY = re.compile(r"(?<![\w'\"/-])[a-z_]+(?=:(?:\s|$))")
ID = re.compile(r"[a-z-]+/[a-z0-9-]+")
ENTRY = re.compile(r"  - |\S")  # the first line of an entry, or of a list of them
NUMBER = re.compile(r"(?<![\w.-])\d+(?![\w.-])")
ALIAS = re.compile(r"\*([\w-]+)")
LABEL = re.compile(r"(?:label|name): ([^,}\n]+)")
WORD = re.compile(r"[A-Za-z_][\w-]*")


@dataclass(frozen=True)
class Mutation:
    """One change of a file: its first line (from 1), what stood there, what stands there now."""

    file: str
    line: int
    old: str
    new: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.old!r} became {self.new!r}"

    @property
    def words(self) -> set[str]:
        """The words that came or went, and the ids that they stood in.

        What an alias stands for came or went with it.
        """
        was, now = (
            Counter([*WORD.findall(text), *ID.findall(text), *NUMBER.findall(text)])
            for text in (self._read(self.old), self._read(self.new))
        )
        return {*(was - now), *(now - was)} or {*was}

    @property
    def labels(self) -> list[str]:
        """What the changed lines are called to a reader."""
        return LABEL.findall(f"{self.old}\n{self.new}")

    def _read(self, text: str) -> str:
        """Return a text with what its aliases stand for."""
        lines = self.text.splitlines()
        marked = [
            block(lines, at)
            for name in ALIAS.findall(text)
            for at, line in enumerate(lines)
            if re.search(rf"&{re.escape(name)}(?![\w-])", line)
        ]
        return "\n".join([text, *marked])


def block(lines: list[str], at: int) -> str:
    """Return a line with those below it that are indented further."""
    deep = len(lines[at]) - len(lines[at].lstrip())
    rest = takewhile(lambda line: not line.strip() or line[: deep + 1].isspace(), lines[at + 1 :])
    return "\n".join([lines[at], *rest])


Sort = Callable[[random.Random, list[str]], tuple[int, list[str], list[str]] | None]


def in_a_line(pattern: re.Pattern[str], change: Callable[[random.Random, str], str]) -> Sort:
    """Return a sort of change: something in a line becomes something else."""

    def mutate(chance: random.Random, lines: list[str]) -> tuple[int, list[str], list[str]] | None:
        at = chance.randrange(len(lines))
        found = [*pattern.finditer(lines[at].partition(" #")[0])]
        if not found or lines[at].lstrip().startswith("#"):
            return None
        match = chance.choice(found)
        new = change(chance, match[0])
        whole = lines[at][: match.start()] + new + lines[at][match.end() :]
        return at, [lines[at]], [whole]

    return mutate


def misspelt(chance: random.Random, word: str) -> str:
    """Leave a letter out, double one, swap two, or put another for it."""
    at = chance.randrange(len(word))
    return chance.choice(
        [
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
            word[:at] + chance.choice("aeionrst") + word[at + 1 :],
        ]
    )


def other(chance: random.Random, number: str) -> str:
    """Return another number, or none at all."""
    one = int(number)
    return chance.choice([str(one + 1), str(max(one - 1, 0)), str(one * 10), f"-{one}", "many"])


def indented(chance: random.Random, lines: list[str]) -> tuple[int, list[str], list[str]] | None:
    """Move a line by one or two places."""
    at = chance.randrange(len(lines))
    line = lines[at]
    by = chance.choice([-2, -1, 1, 2])
    moved = " " * by + line if by > 0 else line[-by:]
    return (at, [line], [moved]) if line.strip() and moved.strip() == line.strip() else None


def lost(chance: random.Random, lines: list[str]) -> tuple[int, list[str], list[str]] | None:
    """Take a line away."""
    at = chance.randrange(len(lines))
    return at, [lines[at]], []


def doubled(chance: random.Random, lines: list[str]) -> tuple[int, list[str], list[str]] | None:
    """Write a line twice."""
    at = chance.randrange(len(lines))
    return at, [lines[at]], [lines[at], lines[at]]


def swapped(chance: random.Random, lines: list[str]) -> tuple[int, list[str], list[str]] | None:
    """Swap a line with the next."""
    at = chance.randrange(len(lines) - 1)
    return at, lines[at : at + 2], lines[at : at + 2][::-1]


SORTS: dict[str, Sort] = {
    "key": in_a_line(KEY, misspelt),
    "id": in_a_line(ID, misspelt),
    "number": in_a_line(NUMBER, other),
    "word": in_a_line(WORD, misspelt),
    "indent": indented,
    "lost line": lost,
    "doubled line": doubled,
    "swapped lines": swapped,
}


@cache
def original(name: str) -> Ruleset:
    """Read a built-in ruleset as it is."""
    return read_folder(built_in()[name])[1]


def pages(name: str) -> dict[str, str]:
    """Return the texts of a ruleset's files."""
    return {p.name: p.read_text(encoding="utf-8") for p in sorted(built_in()[name].glob("*.yaml"))}


def data(text: str) -> Any:
    """Return what a text of YAML says; the error where it says nothing."""
    try:
        return yaml.load(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, ValueError) as error:
        return str(error)


def meant(part: Any) -> str:
    """Spell what data mean: the order of keys means nothing, 1 and true are two things."""
    if isinstance(part, dict):
        return str(sorted((repr(key), meant(value)) for key, value in part.items()))
    return str([meant(one) for one in part]) if isinstance(part, list) else repr(part)


def mutation(sort: Sort, chance: random.Random, texts: dict[str, str]) -> Mutation:
    """Change one thing so that its file says something else."""
    for _try in range(TRIES):
        file = chance.choice([*texts])
        lines = texts[file].splitlines()
        changed = sort(chance, lines)
        if changed is None:
            continue
        at, old, new = changed
        text = "\n".join([*lines[:at], *new, *lines[at + len(old) :]]) + "\n"
        if meant(data(text)) != meant(data(texts[file])):
            return Mutation(file, at + 1, "\n".join(old), "\n".join(new), text)
    raise AssertionError("no such change is possible")


def pairs(node: yaml.Node) -> Iterator[tuple[int, int]]:
    """Yield first and last line of every part of a file below its root."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key.start_mark.line + 1, value.end_mark.line + 1
            yield from pairs(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield item.start_mark.line + 1, item.end_mark.line + 1
            yield from pairs(item)


def around(change: Mutation, line: int) -> bool:
    """Whether a part of the file that begins at a line has the change in it.

    What an alias stands for is a part of the entry that uses it, wherever it is written.
    """
    try:
        root = yaml.compose(change.text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        return False
    if root is None or any(a == line and a <= change.line <= b for a, b in pairs(root)):
        return root is not None
    lists = [value for _key, value in root.value] if isinstance(root, yaml.MappingNode) else []
    entries = [item for value in lists for item in value.value if isinstance(item, yaml.Node)]
    return any(
        first == line
        for item in entries
        if item.start_mark.line < change.line <= item.end_mark.line + 1
        for first, _last in pairs(item)
        if not item.start_mark.line < first <= item.end_mark.line + 1
    )


def unreadable(change: Mutation, fault: PackProblem) -> bool:
    """Whether a fault is where YAML gives up within the entry that the change broke."""
    if fault.field:
        return False
    between = change.text.splitlines()[change.line : fault.line]
    return not any(ENTRY.match(line) for line in between)


def is_near(change: Mutation, fault: PackProblem) -> bool:
    """Whether a fault is found by its line: near the change, around it, or where it is named."""
    same = fault.file.name == change.file
    if same and abs(fault.line - change.line) <= NEAR + change.old.count("\n"):
        return True
    if same and (around(change, fault.line) or unreadable(change, fault)):
        return True
    if any(label in fault.message for label in change.labels):
        return True
    lines = fault.file.read_text(encoding="utf-8").splitlines()
    there = lines[fault.line - 1] if fault.line <= len(lines) else ""
    said = f"{fault.message} {fault.nearest} {there}"
    told = {*WORD.findall(said), *ID.findall(said)}
    told |= {part for word in told for part in word.split("_")}
    return bool(told & change.words)


def judged(folder: Path, change: Mutation, name: str, text: str) -> str:
    """Return what is wrong with how a changed catalog is judged; nothing where all is well.

    ``text`` is what stood in the changed file.
    """
    try:
        _read, loaded = read_folder(folder)
    except PackError as error:
        for fault in error.problems:
            if not fault.file.is_file() or fault.line < 1 or fault.column < 1:
                return f"a fault without a place: {fault}"
            if fault.line > fault.file.read_text(encoding="utf-8").count("\n") + 1:
                return f"a fault beyond the end of its file: {fault}"
        if not any(is_near(change, fault) for fault in error.problems):
            return f"no fault is near: {error.problems}"
        return ""
    before = original(name)
    if loaded.hash == before.hash:
        return "another catalog has the same digest"
    same = loaded == replace(before, hash=loaded.hash)
    silent = same and not shorter(data(change.text), data(text))
    return "it is read, and nothing of it differs" if silent else ""


def shorter(new: Any, old: Any) -> bool:
    """Whether data only lack keys that were there: those may have said what is meant without."""
    if isinstance(new, dict) and isinstance(old, dict):
        return all(key in old and shorter(new[key], old[key]) for key in new)
    if isinstance(new, list) and isinstance(old, list):
        return len(new) == len(old) and all(map(shorter, new, old))
    return repr(new) == repr(old)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sort"),
    few([pytest.param(*one) for one in product(sorted(built_in()), SORTS)], 0, slow=14),
)
def test_a_change_is_found_or_makes_another_catalog(
    name: str, sort: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    first = int(os.environ.get("CHARFORGE_MUTATIONS", "0"))
    many = MANY if request.config.getoption("--long") else FEW
    texts = pages(name)
    folder = tmp_path / name
    shutil.copytree(built_in()[name], folder)
    wrong = []
    for number in range(first, first + many):
        change = mutation(SORTS[sort], random.Random(f"{name} {sort} {number}"), texts)
        (folder / change.file).write_text(change.text, encoding="utf-8")
        told = judged(folder, change, name, texts[change.file])
        if told:
            wrong.append(f"{change}: {told}")
        (folder / change.file).write_text(texts[change.file], encoding="utf-8")
    assert wrong == []
