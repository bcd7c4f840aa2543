"""YAML as packs are written: read fast, and found again by line when wrong.

Reading uses PyYAML's C loader and keeps no marks. Only when something is
wrong is the file read a second time, as nodes, to find the line of the
field; so loading stays fast and errors stay exact.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from charforge.errors import Fault, PackError


class _Loader(yaml.CSafeLoader):
    """The C loader, refusing a key that is written twice in one mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} is written twice", key.start_mark
                    )
                seen.add(key.value)
        return super().construct_mapping(node, deep)


def read(path: Path) -> Any:
    """Return the data of a YAML file.

    Raises PackError with line and column for anything unreadable.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PackError([Fault(path, 1, 1, "", f"not UTF-8 text (byte {error.start})")]) from error
    except OSError as error:
        raise PackError([Fault(path, 1, 1, "", error.strerror or str(error))]) from error
    return parse(text, path)


class _PlainLoader(_Loader):
    """Only whole numbers and nothing at all are other than text.

    In answers ``yes``, ``true`` and ``2026-01-01`` are what they look like.
    """


_PlainLoader.yaml_implicit_resolvers = {}
_PlainLoader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"^-?(0|[1-9][0-9]{0,17})$"), list("-0123456789")
)
_PlainLoader.add_implicit_resolver(
    "tag:yaml.org,2002:null", re.compile(r"^(~|null|)$"), ["~", "n", ""]
)


def parse(text: str, path: Path, plain: bool = False) -> Any:
    """Parse YAML text; ``path`` names it in faults, ``plain`` leaves words as text."""
    try:
        return yaml.load(text, Loader=_PlainLoader if plain else _Loader)  # noqa: S506  (safe ones)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        fault = Fault(path, line, column, "", str(error.problem or error.context))
        raise PackError([fault]) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        line = text.count("\n", 0, getattr(error, "position", 0)) + 1
        reason = getattr(error, "reason", "") or "it is nested too deeply or holds odd signs"
        raise PackError([Fault(path, line, 1, "", f"not readable as YAML: {reason}")]) from error


def locate(path: Path, where: Sequence[str | int], culprit: str = "") -> tuple[int, int]:
    """Return line and column (from 1) of the field at ``where``.

    Where the way leads no further, the place of the last part found: the
    key itself for an unknown key. ``culprit`` is a text to find inside it.
    """
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    except (OSError, ValueError, yaml.YAMLError):
        return 1, 1
    mark = node.start_mark if node is not None else None
    for part in where:
        if isinstance(node, yaml.MappingNode):
            found = _entry(node, str(part))
            if found is None:
                continue
            mark, node = found[0].start_mark, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            if part >= len(node.value):
                break
            node = node.value[part]
            mark = node.start_mark
    if culprit and node is not None:
        mark = next((found.start_mark for found in _scalars(node) if culprit in found.value), mark)
    return (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)


def _scalars(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    """Yield the scalars below a node, keys included, in order."""
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.SequenceNode):
        for part in node.value:
            yield from _scalars(part)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _scalars(key)
            yield from _scalars(value)


def _entry(node: yaml.MappingNode, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    """Find a key in a mapping, or in what it merges."""
    for name, value in node.value:
        if name.value == key:
            return name, value
    for name, value in node.value:
        if name.tag == "tag:yaml.org,2002:merge" and isinstance(value, yaml.MappingNode):
            return _entry(value, key)
    return None
