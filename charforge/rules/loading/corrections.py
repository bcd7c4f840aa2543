"""Corrections of samples: what a file has to expect instead, written where it stands.

Only the corrected places of the text change, so comments and layout stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import yaml

from charforge.rules.errors import KeyPath
from charforge.rules.loading.yaml_reader import SafeDumper

REMOVED = object()  # the value of a correction that removes a key or an item


class Correction(NamedTuple):
    """A key path in a sample, and the value that it has to have: REMOVED for none."""

    key_path: KeyPath
    value: Any

    def within(self, *key_path: str | int) -> Correction:
        """Return the correction of a part as one of the whole."""
        return Correction((*key_path, *self.key_path), self.value)


class _Edit(NamedTuple):
    """A new text in the place of the one from ``start`` to ``end``."""

    start: int
    end: int
    text: str


def corrected(text: str, corrections: Iterable[Correction]) -> str:
    """Return the text of a sample with corrections; what they do not name stays as it is."""
    root = yaml.compose(text, Loader=yaml.SafeLoader) or yaml.MappingNode("", [])
    edits: dict[int, _Edit] = {}
    removed: dict[KeyPath, set[str | int]] = {}
    for key_path, value in corrections:
        if value is REMOVED:
            removed.setdefault(key_path[:-1], set()).add(key_path[-1])
        else:
            edit = _replacement(root, key_path, value)
            edits[edit.start] = edit
    for key_path, keys in removed.items():
        for edit in _removals(text, root, key_path, keys):
            edits[edit.start] = edit
    for start in sorted(edits, reverse=True):
        edit = edits[start]
        text = text[:start] + edit.text + text[edit.end :]
    return text


def _replacement(root: yaml.Node, key_path: KeyPath, value: Any) -> _Edit:
    """Return the edit that puts a value in the place of another one."""
    *above, last = key_path
    parent = _node(root, above)
    node = _node(parent, [last])
    if _is_block(node) and isinstance(parent, yaml.MappingNode):  # after its key, on one line
        key = next(key for key, _value in parent.value if key.value == str(last))
        return _Edit(key.end_mark.index, _end(node), f": {_flow(value)}")
    return _Edit(node.start_mark.index, _end(node), _flow(value))


def _removals(
    text: str, root: yaml.Node, key_path: KeyPath, keys: set[str | int]
) -> Iterator[_Edit]:
    """Yield the edits that remove items of a list or keys of a map."""
    parent = _node(root, key_path)
    parts = list(_parts(parent))
    kept = [(start, end) for key, start, end in parts if key not in keys]
    if not kept or not _is_block(parent):
        first, last = ("{", "}") if isinstance(parent, yaml.MappingNode) else ("[", "]")
        inside = ", ".join(text[start:end] for start, end in kept)
        edit = _replacement(root, key_path, [])
        yield edit._replace(text=edit.text.replace("[]", f"{first}{inside}{last}"))
        return
    for key, start, end in parts:
        if key in keys:
            line = text.rfind("\n", 0, start) + 1
            after = text.find("\n", end) + 1 or len(text)
            if "-" in text[line:start] and isinstance(parent, yaml.MappingNode):
                # The first key of an item of a list (- agi: 6): the next one takes its place.
                line, after = start, after + len(text[after:]) - len(text[after:].lstrip(" "))
            yield _Edit(line, after, "")


def _parts(node: yaml.Node) -> Iterator[tuple[str | int, int, int]]:
    """Yield the keys or places in a map or list, each with its start and end in the text."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key.value, key.start_mark.index, _end(value)
    elif isinstance(node, yaml.SequenceNode):
        for place, item in enumerate(node.value):
            yield place, item.start_mark.index, _end(item)
    else:  # a single text where a list may stand
        yield 0, node.start_mark.index, _end(node)


def _node(node: yaml.Node, key_path: Sequence[str | int]) -> yaml.Node:
    """Return the node of a key path."""
    for key in key_path:
        if isinstance(node, yaml.MappingNode):
            node = next(value for name, value in node.value if name.value == str(key))
        elif isinstance(node, yaml.SequenceNode):
            node = node.value[int(key)]
    return node


def _is_block(node: yaml.Node) -> bool:
    return isinstance(node, yaml.CollectionNode) and not node.flow_style


def _end(node: yaml.Node) -> int:
    """Return where the text of a node ends: a block's mark is behind the comments after it."""
    if not _is_block(node):
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(node, yaml.MappingNode) else last)


def _flow(value: Any) -> str:
    """Return a value as YAML on one line."""
    written = yaml.dump(
        value, Dumper=SafeDumper, default_flow_style=True, allow_unicode=True, sort_keys=False,
        width=10**9,
    )  # fmt: skip
    return str(written).removesuffix("\n").removesuffix("\n...")
