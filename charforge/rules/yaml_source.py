"""YAML as packs are written: read fast, and found again by line when wrong.

Reading uses PyYAML's C loader and keeps no marks. Only when something is
wrong is the file read a second time, as nodes, to find the line of the
field; so loading stays fast and errors stay exact.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from charforge.errors import PackError, PackProblem, shorten as shown
from charforge.expressions.template import has_unprintable
from charforge.rules.errors import STANDARD, TextPlace, yaml_error

# What one file may hold: far above what is written by hand, far below what fills the memory.
MOST_BYTES = 2_000_000
MOST_PARTS = 100_000
DEEPEST = 50
LONGEST_TEXT = 50_000


class _Refused(yaml.constructor.ConstructorError):
    """What YAML would take and we do not: its problem is said as it stands."""


class _Loader(yaml.CSafeLoader):
    """The C loader, refusing a key that is written twice in one mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if key.value in seen:
                    raise _Refused(
                        None, None, f"the key {key.value!r} is written twice", key.start_mark
                    )
                seen.add(key.value)
        return super().construct_mapping(node, deep)


def read(path: Path, plain: bool = False) -> Any:
    """Return the data of a YAML file; ``plain`` leaves words as text.

    Raises PackError with line and column for anything unreadable.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            told = f"a file of more than {MOST_BYTES // 1_000_000} MB is no page of a pack"
            raise PackError([PackProblem(path, 1, 1, "", told)])
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PackError(
            [PackProblem(path, 1, 1, "", f"not UTF-8 text (byte {error.start})")]
        ) from error
    except OSError as error:
        raise PackError([PackProblem(path, 1, 1, "", error.strerror or str(error))]) from error
    return parse(text, path, plain)


class _Measure:
    """How deep and how large a YAML text is, every alias counted as what it stands for.

    A few lines of aliases can stand for more parts than any memory holds;
    they are counted here before they are made.
    """

    def __init__(self, path: Path, plain: bool) -> None:
        self.path = path
        self.plain = plain
        self.open: list[tuple[int, str | None]] = []  # what each open part holds, its anchor
        self.anchors: dict[str, int] = {}

    def add(self, event: yaml.Event) -> None:
        """Count an event. Raises PackError for what is too much, and for tags.

        A tag makes other things than texts, numbers, lists and maps, and
        where it does not fit, PyYAML breaks down.
        """
        tag = getattr(event, "tag", None)
        if tag is not None:
            named = tag.replace(STANDARD, "!!")
            raise self._fault(event, f"the tag {named} has no use here; a text needs quotes")
        if isinstance(event, yaml.CollectionStartEvent):
            self.open.append((1, event.anchor))
            if len(self.open) > DEEPEST:
                raise self._fault(event, f"nested more than {DEEPEST} deep")
        elif isinstance(event, yaml.CollectionEndEvent):
            size, anchor = self.open.pop()
            self._close(size, anchor, event)
        elif isinstance(event, yaml.ScalarEvent):
            # What a question takes is said at the question: an answer is measured there.
            if not self.plain and len(event.value) > LONGEST_TEXT:
                raise self._fault(event, f"a text of more than {LONGEST_TEXT:,} signs")
            if not self.plain and has_unprintable(event.value.replace("\t", " ")):
                raise self._fault(event, "a control character: texts are printed as they are")
            self._close(1, event.anchor, event)
        elif isinstance(event, yaml.AliasEvent):
            if any(event.anchor == anchor for _held, anchor in self.open):
                raise self._fault(event, "an alias inside the very part that it stands for")
            self._close(self.anchors.get(event.anchor or "", 1), None, event)

    def _close(self, size: int, anchor: str | None, event: yaml.Event) -> None:
        """Add a finished part to the one around it."""
        if anchor is not None:
            self.anchors[anchor] = size
        if self.open:
            held, own = self.open[-1]
            self.open[-1] = (held + size, own)
            size += held
        if size > MOST_PARTS:
            raise self._fault(event, f"more than {MOST_PARTS:,} parts in one file")

    def _fault(self, event: yaml.Event, reason: str) -> PackError:
        mark = event.start_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return PackError([PackProblem(self.path, line, column, "", reason)])


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
    measure = _Measure(path, plain)
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            measure.add(event)
        loader = _PlainLoader if plain else _Loader  # both of them safe ones
        return yaml.load(text, Loader=loader)  # noqa: S506  # nosec B506
    except yaml.MarkedYAMLError as error:
        at, reason = _said(error, text)
        raise PackError([PackProblem(path, at.line, at.column, "", reason)]) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        at, reason = _odd(error, text)
        told = f"not readable as YAML: {reason}"
        raise PackError([PackProblem(path, at.line, at.column, "", told)]) from error


def _said(error: yaml.MarkedYAMLError, text: str) -> tuple[TextPlace, str]:
    """Return where to look, and what is wrong there."""
    here = _mark(error.problem_mark or error.context_mark, text)
    problem = str(error.problem or error.context)
    if isinstance(error, _Refused):
        return here, problem
    began = error.context_mark
    return yaml_error(problem, here, None if began is None else _mark(began, text))


def _mark(mark: yaml.Mark | None, text: str) -> TextPlace:
    """Return a place with the sign that stands there."""
    if mark is None:
        return TextPlace(1, 1, "")
    return TextPlace(mark.line + 1, mark.column + 1, text[mark.index : mark.index + 1])


def _odd(error: Exception, text: str) -> tuple[TextPlace, str]:
    """Return where a sign or a date is that YAML has no use for, and what is wrong with it."""
    position = getattr(error, "position", None)
    if position is not None:
        line = text.encode(errors="replace").count(b"\n", 0, position) + 1
        return TextPlace(line, 1, ""), "it holds a control character or a broken sign"
    if not isinstance(error, ValueError):
        return TextPlace(1, 1, ""), "it is nested too deeply"
    maker = _Loader("")
    root = yaml.compose(text, Loader=yaml.CSafeLoader)
    for node in [] if root is None else _scalars(root):
        try:
            maker.construct_object(node)
        except ValueError:
            told = f"{shown(node.value)} is neither a number nor a date; put it in quotes"
            return _mark(node.start_mark, text), told
    return TextPlace(1, 1, ""), "it holds something that is neither a number nor a date"


def locate(path: Path, where: Sequence[str | int], culprit: str = "") -> tuple[int, int]:
    """Return line and column (from 1) of the field at ``where``.

    Where the way leads no further, the place of the last part found: the
    key itself for an unknown key. ``culprit`` is a word to find in a text
    inside it, whatever its case.
    """
    try:
        text = path.read_text(encoding="utf-8")
        root = _composed(text)
    except (OSError, ValueError, yaml.YAMLError):
        return 1, 1
    if root is None:
        return 1, 1
    mark, node = _follow(root, where)
    found = _word(text, node, culprit) if culprit else None
    if found is None:
        return mark.line + 1, mark.column + 1
    return text.count("\n", 0, found) + 1, found - text.rfind("\n", 0, found)


@lru_cache(maxsize=2)
def _composed(text: str) -> yaml.Node | None:
    """Return the nodes of a YAML text; one file often has several faults."""
    return yaml.compose(text, Loader=yaml.CSafeLoader)


def _follow(node: yaml.Node, where: Sequence[str | int]) -> tuple[yaml.Mark, yaml.Node]:
    """Follow a way as far as it leads; return its end and the mark of that."""
    mark = node.start_mark
    for part in where:
        if isinstance(node, yaml.MappingNode):
            found = _entry(node, str(part))
            if found is not None:
                mark, node = found[0].start_mark, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            if part >= len(node.value):
                break
            node = node.value[part]
            mark = node.start_mark
    return mark, node


def _word(text: str, node: yaml.Node, word: str) -> int | None:
    """Return where a whole word stands in the texts below a node."""
    pattern = re.compile(rf"(?<![\w$-]){re.escape(word)}(?![\w-])", re.IGNORECASE)
    for scalar in _scalars(node):
        match = pattern.search(text, scalar.start_mark.index, scalar.end_mark.index)
        if match is not None:
            return match.start()
    return None


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


class _Dumper(yaml.CSafeDumper):
    """Writes what several parts share in each of them: nobody wants to read anchors."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True


def dump(data: dict[str, Any]) -> str:
    """Return a map as YAML, a line a key; what is small inside of it stands on one line."""
    return "".join(
        yaml.dump(
            {key: value},
            Dumper=_Dumper,
            allow_unicode=True,
            sort_keys=False,
            width=90,
            default_flow_style=None if isinstance(value, list | dict) else False,
        )
        for key, value in data.items()
    )
