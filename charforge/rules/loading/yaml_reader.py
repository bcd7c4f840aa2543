"""YAML: reading with limits, and the line of any part of a file.

Reading keeps no line numbers. Only when there is an error is the file read a
second time, as nodes, to find the line of the field; so loading is fast and
errors are exact. ``corrected`` replaces single values where
they stand; comments and layout stay.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from charforge.errors import FormulaError, PackError, PackProblem, os_reason, shorten
from charforge.expressions.template import has_unprintable
from charforge.language import _, format_number
from charforge.limits import MAX_NESTING
from charforge.paths import read_plain_file
from charforge.rules.errors import KeyPath, TextPlace, yaml_error

try:
    from yaml import CSafeDumper as _SafeDumper, CSafeLoader as _SafeLoader
except ImportError:  # PyYAML was built without libyaml; tests run this in a process of its own
    from yaml import SafeDumper as _SafeDumper, SafeLoader as _SafeLoader  # type: ignore[assignment]

SafeLoader = _SafeLoader
STANDARD_TAG = "tag:yaml.org,2002:"
MERGE_TAG = f"{STANDARD_TAG}merge"
# Limits of one file: far above what is written by hand, far below what fills the memory.
MAX_YAML_BYTES = 2_000_000
MAX_PARTS = 100_000
MAX_TEXT_LENGTH = 50_000
KEPT_PAGES = 64  # parsed pages that a process keeps: those of two or three large games


class _Refused(yaml.constructor.ConstructorError):
    """An error in valid YAML; its problem is already a sentence for the author."""


class _Loader(SafeLoader):
    """The fastest safe loader there is, refusing a key that appears twice in one map."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: dict[str, int] = {}
        for key, _value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != MERGE_TAG:
                if key.value in seen:
                    raise _Refused(
                        None,
                        None,
                        _("the key {value} appears twice, first in line {line}").format(
                            value=shorten(key.value), line=seen[key.value]
                        ),
                        key.start_mark,
                    )
                seen[key.value] = key.start_mark.line + 1
        return super().construct_mapping(node, deep)


def read_yaml(path: Path, plain: bool = False) -> Any:
    """Return the data of a YAML file; with ``plain`` only whole numbers and null are not text.

    Raises PackError with line and column for a file that cannot be read.
    """
    return parse(_text(path), path, plain)


def read_page(path: Path, plain: bool = False) -> Any:
    """Return the data of a page of a pack as ``read_yaml`` does; nobody may change it.

    Unchanged pages are parsed once in a process: those of a ruleset are read again when a pack
    for it is installed after its check, and at each save while a pack is watched.
    """
    return _parse_once(_text(path), path, plain)


def _text(path: Path) -> str:
    """Return the text of a file. Raises PackError."""
    try:
        data = read_plain_file(path, MAX_YAML_BYTES)
        if len(data) > MAX_YAML_BYTES:
            message = _("this file is too large for a pack (more than {max_bytes} MB)").format(
                max_bytes=MAX_YAML_BYTES // 1_000_000
            )
            raise PackError.at(path, message)
        return data.decode()
    except UnicodeDecodeError as error:
        raise PackError.at(
            path, _("not UTF-8 text (byte {start})").format(start=error.start)
        ) from error
    except OSError as error:
        raise PackError.at(path, os_reason(error)) from error


class _Limits:
    """Counts how deep and how large a YAML text is, each alias as large as its anchor.

    A few lines of aliases can stand for more parts than any memory holds;
    they are counted here before any of them is built.
    """

    def __init__(self, path: Path, plain: bool) -> None:
        self.path = path
        self.plain = plain
        self.open: list[tuple[int, str | None]] = []  # size and anchor of each open part
        self.anchors: dict[str, int] = {}

    def add(self, event: yaml.Event) -> None:
        """Count an event. Raises PackError for too large a text, and for tags.

        Tags build other objects than texts, numbers, lists and maps.
        """
        tag = getattr(event, "tag", None)
        if tag is not None:
            named = tag.replace(STANDARD_TAG, "!!")
            raise self._error(
                event,
                _("the tag {named} is not allowed; if it is text, put it in quotes").format(
                    named=named
                ),
            )
        if isinstance(event, yaml.CollectionStartEvent):
            self.open.append((1, event.anchor))
            if len(self.open) > MAX_NESTING:
                raise self._error(
                    event,
                    _("more than {max_nesting} levels of nesting").format(max_nesting=MAX_NESTING),
                )
        elif isinstance(event, yaml.CollectionEndEvent):
            size, anchor = self.open.pop()
            self._close(size, anchor, event)
        elif isinstance(event, yaml.ScalarEvent):
            # Plain texts are answers: their length is checked with the decision.
            if not self.plain and len(event.value) > MAX_TEXT_LENGTH:
                raise self._error(
                    event,
                    _("text of more than {max_text_length} signs").format(
                        max_text_length=format_number(MAX_TEXT_LENGTH, ",")
                    ),
                )
            if not self.plain and has_unprintable(event.value.replace("\t", " ")):
                raise self._error(event, _("control characters are not allowed"))
            self._close(1, event.anchor, event)
        elif isinstance(event, yaml.AliasEvent):
            if any(event.anchor == anchor for _size, anchor in self.open):
                raise self._error(event, _("an alias inside its own anchor"))
            self._close(self.anchors.get(event.anchor or "", 1), None, event)

    def _close(self, size: int, anchor: str | None, event: yaml.Event) -> None:
        """Add a finished part to the one around it."""
        if anchor is not None:
            self.anchors[anchor] = size
        if self.open:
            outer_size, outer_anchor = self.open[-1]
            size += outer_size
            self.open[-1] = (size, outer_anchor)
        if size > MAX_PARTS:
            raise self._error(
                event,
                _("more than {max_parts} parts in one file").format(
                    max_parts=format_number(MAX_PARTS, ",")
                ),
            )

    def _error(self, event: yaml.Event, reason: str) -> PackError:
        mark = event.start_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return PackError.at(self.path, reason, line, column)


class _PlainLoader(_Loader):
    """A loader for answers: ``yes``, ``true`` and ``2026-01-01`` are texts.

    Only whole numbers and null are not.
    """


_PlainLoader.yaml_implicit_resolvers = {}
_PlainLoader.add_implicit_resolver(
    f"{STANDARD_TAG}int", re.compile(r"^-?(0|[1-9][0-9]{0,17})$"), list("-0123456789")
)
_PlainLoader.add_implicit_resolver(
    f"{STANDARD_TAG}null", re.compile(r"^(~|null|)$"), ["~", "n", ""]
)


def parse(text: str, path: Path, plain: bool = False) -> Any:
    """Parse YAML text as ``read_yaml`` does; ``path`` names the file in errors."""
    limits = _Limits(path, plain)
    try:
        for event in yaml.parse(text, Loader=SafeLoader):
            limits.add(event)
        loader = _PlainLoader if plain else _Loader  # both are safe loaders
        return yaml.load(text, Loader=loader)  # noqa: S506  # nosec B506
    except yaml.MarkedYAMLError as error:
        at, reason = _marked_error(error, text)
        raise PackError.at(path, reason, at.line, at.column) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        at, reason = _unmarked_error(error, text)
        message = _("this is not valid YAML: {reason}").format(reason=reason)
        raise PackError.at(path, message, at.line, at.column) from error


_parse_once = lru_cache(maxsize=KEPT_PAGES)(parse)


def unsupported(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and reason for YAML that an answers file may not contain.

    Checked event by event, before anything is built: deep nesting would
    exhaust the reader's stack, and aliases grow without bound when they are
    printed.
    """
    depth, anchors = 0, []
    try:
        for event in yaml.parse(text, Loader=SafeLoader):
            line = event.start_mark.line + 1 if event.start_mark else 1
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_NESTING:
                yield line, _("it has too many levels of brackets or indentation")
            if isinstance(event, yaml.AliasEvent):
                yield (
                    line,
                    _(
                        "*{anchor} is a YAML alias, which is not supported; write "
                        "out the text itself"
                    ).format(anchor=event.anchor),
                )
            elif isinstance(event, yaml.NodeEvent) and event.anchor is not None:
                anchors.append((line, event.anchor))
    except yaml.YAMLError:
        return  # the parser reports it with its line
    for line, anchor in anchors:
        yield (
            line,
            _(
                "&{anchor} is a YAML anchor, which is not supported. If it is text, "
                "put it in quotes"
            ).format(anchor=anchor),
        )


def _marked_error(error: yaml.MarkedYAMLError, text: str) -> tuple[TextPlace, str]:
    """Return the place and the sentence of an error that knows its line."""
    end = _place(error.problem_mark or error.context_mark, text)
    problem = str(error.problem or error.context)
    if isinstance(error, _Refused):
        return end, problem
    start = error.context_mark
    return yaml_error(problem, end, None if start is None else _place(start, text))


def _place(mark: yaml.Mark | None, text: str) -> TextPlace:
    """Return the place of a mark, from the start of the text if there is none."""
    if mark is None:
        return TextPlace(1, 1, "")
    return TextPlace(mark.line + 1, mark.column + 1, text[mark.index : mark.index + 1])


def _unmarked_error(error: Exception, text: str) -> tuple[TextPlace, str]:
    """Return the place and the sentence of an error without a line: it is looked for here."""
    position = getattr(error, "position", None)
    if position is not None:
        line = text.encode(errors="replace").count(b"\n", 0, position) + 1
        return TextPlace(line, 1, ""), _("it contains a control character or an invalid character")
    if not isinstance(error, ValueError):
        return TextPlace(1, 1, ""), _("it has too many levels of nesting")
    constructor = _Loader("")
    root = yaml.compose(text, Loader=SafeLoader)
    for node in [] if root is None else _scalars(root):
        try:
            constructor.construct_object(node)
        except ValueError:
            message = _(
                "{value} looks like a number or a date but is not; put it in quotes"
            ).format(value=shorten(node.value))
            return _place(node.start_mark, text), message
    return TextPlace(1, 1, ""), _(
        "it contains something that looks like a number or a date but is not"
    )


def locate(path: Path, key_path: Sequence[str | int], culprit: str = "") -> tuple[int, int]:
    """Return line and column (from 1) of the part of a file at the end of a path of keys.

    If the path leads nowhere, its last part that exists is located: for an
    unknown key the key itself. ``culprit`` is a word to find in the texts
    inside that part, in upper or lower case.
    """
    try:
        text = read_plain_file(path, MAX_YAML_BYTES).decode()
    except (OSError, ValueError):
        return 1, 1
    return locate_in(text, key_path, culprit)


def problem_at(
    path: Path, key_path: Sequence[str | int], message: str, near: str = ""
) -> PackProblem:
    """Return a problem of a file at the end of a path of keys, which name its field."""
    field = ".".join(str(part) for part in key_path if not isinstance(part, int))
    return PackProblem(path, *locate(path, key_path), field, message, near)


def locate_in(text: str, key_path: Sequence[str | int], culprit: str = "") -> tuple[int, int]:
    """Return line and column of a part of a YAML text, see ``locate``."""
    try:
        root = _composed(text)
    except (ValueError, yaml.YAMLError):
        return 1, 1
    if root is None:
        return 1, 1
    mark, node = _follow(root, key_path)
    position = _word(text, node, culprit) if culprit else None
    if position is None:
        return mark.line + 1, mark.column + 1
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


@lru_cache(maxsize=2)
def _composed(text: str) -> yaml.Node | None:
    """Return the nodes of a YAML text; cached, as one file often has several errors."""
    return yaml.compose(text, Loader=SafeLoader)


def _follow(node: yaml.Node, key_path: Sequence[str | int]) -> tuple[yaml.Mark, yaml.Node]:
    """Follow a path of keys as far as it leads; return the mark and the node of its end."""
    mark = node.start_mark
    for part in key_path:
        if isinstance(node, yaml.MappingNode):
            entry = _entry(node, str(part))
            if entry is not None:
                mark, node = entry[0].start_mark, entry[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            if part >= len(node.value):
                break
            node = node.value[part]
            mark = node.start_mark
    return mark, node


def _word(text: str, node: yaml.Node, word: str) -> int | None:
    """Return the position of a whole word in the texts below a node."""
    pattern = re.compile(rf"(?<![\w$-]){re.escape(word)}(?![\w-])", re.IGNORECASE)
    for scalar in _scalars(node):
        match = pattern.search(text, scalar.start_mark.index, scalar.end_mark.index)
        if match is not None:
            return match.start()
    return None


def places_of_text(path: Path, wanted: str) -> Iterator[tuple[int, int]]:
    """Yield line and column (from 1) of each place where a file has a text, alone or in braces."""
    try:
        text = _text(path)
        root = _composed(text) if wanted in text else None
    except (PackError, ValueError, yaml.YAMLError):
        return
    for scalar in () if root is None else _scalars(root):
        position = scalar.start_mark.index
        if scalar.value.strip() != wanted:
            position = text.find(f"{{{wanted}", position, scalar.end_mark.index)
        if position >= 0:
            yield text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def formula_problems(path: Path, error: FormulaError, message: str = "") -> Iterator[PackProblem]:
    """Yield the error at each place of its formula in a file, in its own words or others."""
    for line, column in places_of_text(path, error.written):
        yield PackProblem(path, line, column, "", message or str(error))


def comments(path: Path) -> Iterator[tuple[tuple[str | int, ...], list[str]]]:
    """Yield the comments above the keys of a YAML file: the path of each key, and its lines."""
    text = path.read_text(encoding="utf-8")
    root, lines, read_yaml = yaml.compose(text, Loader=SafeLoader), text.splitlines(), set[int]()
    for key_path, number in () if root is None else _key_lines(root, ()):
        above: list[str] = []
        while number and lines[number - 1].lstrip().startswith("#") and number not in read_yaml:
            read_yaml.add(number)
            number -= 1
            above.insert(0, lines[number].strip())
        if above:
            yield key_path, above


def _key_lines(
    node: yaml.Node, key_path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """Yield the path of every key with the number of its line, from 0."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield (*key_path, key.value), key.start_mark.line
            yield from _key_lines(value, (*key_path, key.value))
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from _key_lines(item, (*key_path, number))


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
    """Find a key in a map, or in the maps merged into it."""
    for name, value in node.value:
        if name.value == key:
            return name, value
    for name, value in node.value:
        if name.tag == MERGE_TAG and isinstance(value, yaml.MappingNode):
            return _entry(value, key)
    return None


class SafeDumper(_SafeDumper):
    """Writes texts of any kind as plain texts: a translated one knows its original, too."""


def _represent_text(dumper: SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_str(str(text))


SafeDumper.add_multi_representer(str, _represent_text)


class _Dumper(SafeDumper):
    """Writes shared parts in full each time, without anchors."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True


def dump(data: dict[str, Any]) -> str:
    """Return a map as YAML, one key per line; small lists and maps inside stay on one line."""
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


def yaml_line(value: Any) -> str:
    """Return a value as one line of YAML."""
    text = yaml.dump(
        value,
        default_flow_style=True,
        width=10**9,
        allow_unicode=True,
        sort_keys=False,
        Dumper=SafeDumper,
    )
    return str(text).removesuffix("\n").removesuffix("\n...").strip()


REMOVAL = object()  # the value of a correction that removes a key or an item


class Correction(NamedTuple):
    """A key path in a sample, and the value that it has to have: REMOVAL for none."""

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
        if value is REMOVAL:
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
