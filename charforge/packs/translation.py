"""Files for translators: every text of a pack, with what is translated already."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap

from charforge.answers.file import yaml_line
from charforge.character.files.atomic_write import write
from charforge.errors import UsageError, WriteError, os_reason
from charforge.language import _
from charforge.packs.install import load_checked
from charforge.rules.loading import yaml_source
from charforge.rules.loading.loader import LANGUAGES, amends
from charforge.rules.loading.translation import Names, own_number, pack_texts, read_translation

LANGUAGE = re.compile(r"[a-z]{2,3}")
ORIGINAL = "#:"  # begins a line with the original of the text below it
INDENT = "  "
LONGEST_LINE = 96


@dataclass
class _Node:
    """A key of a language file: its text or its keys, and the lines above it."""

    text: str = ""
    original: str = ""
    comments: list[str] = field(default_factory=list)
    keys: dict[str, _Node] = field(default_factory=dict)

    def at(self, names: Names) -> _Node:
        """Return the node at a path, added if it is not there."""
        node = self
        for name in names:
            node = node.keys.setdefault(name, _Node())
        return node


@dataclass(frozen=True)
class TranslationFile:
    """A language file that was written: how many texts it has, and how many of them are empty."""

    path: Path
    texts: int
    missing: int


def write_translation(folder: Path, language: str) -> TranslationFile:
    """Write or complete the file with all texts of a pack in a language; keep what is there.

    A text that is translated elsewhere in the file, always alike, is filled
    in. Texts that the pack no longer has stay at the end of their part. Raises
    PackError for a pack with errors, UsageError for what is no language.
    """
    if not LANGUAGE.fullmatch(language):
        raise UsageError(
            _("{language} is not the code of a language").format(language=language),
            _("Use two letters, such as de."),
        )
    if not folder.is_dir():
        raise UsageError(
            _("there is no folder {folder}").format(folder=folder), _("Name the folder of a pack.")
        )
    _name, reader, ruleset = load_checked(folder)
    path = folder / LANGUAGES / f"{language}.yaml"
    own = own_number(reader, folder)
    top = _Node()
    texts = [text for text in pack_texts(reader, ruleset) if text.owner == own]
    for text in texts:
        top.at(text.names).original = text.text
    kept = read_translation(path).texts if path.is_file() else {}
    for names, found in kept.items():
        top.at(names).text = found.text
    memory: dict[str, set[str]] = {}
    for text in texts:
        memory.setdefault(text.text, set()).add(top.at(text.names).text)
    for text in texts:
        known = memory[text.text] - {""}
        if len(known) == 1:
            top.at(text.names).text = next(iter(known))
    if path.is_file():
        for where, lines in yaml_source.comments(path):
            node = top.at(tuple(str(k + 1) if isinstance(k, int) else k for k in where))
            node.comments = [line for line in lines if not line.startswith(ORIGINAL)]
    else:
        heading = _("The texts of this game: {language}.")
        if amends(folder):
            heading = _("The texts of this pack: {language}.")
        top.comments = [f"# {heading.format(language=language)}"]
    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise WriteError(path.parent, os_reason(error)) from error
    write(path, "\n".join([*top.comments, *_lines(top, ""), ""]).encode())
    missing = sum(not top.at(text.names).text for text in texts)
    return TranslationFile(path, len(texts), missing)


def _lines(node: _Node, indent: str) -> Iterator[str]:
    """Yield the lines of the keys below a node."""
    for key, below in node.keys.items():
        name = key if key.isdecimal() else yaml_line(key)
        yield from (f"{indent}{line}" for line in below.comments)
        if below.original:
            yield from (f"{indent}{ORIGINAL} {line}".rstrip() for line in _wrapped(below.original))
        yield f"{indent}{name}:{_scalar(below.text, indent + INDENT)}"
        yield from _lines(below, indent + INDENT)


def _wrapped(text: str) -> Iterator[str]:
    """Yield the lines of a text, none of them too long to read."""
    for line in text.splitlines():
        yield from wrap(line, LONGEST_LINE, break_long_words=False, break_on_hyphens=False) or [""]


def _scalar(text: str, indent: str) -> str:
    """Return a text as YAML, after its key."""
    lines = text.splitlines()
    if len(lines) > 1:
        return "".join([" |-", *(f"\n{indent}{line}".rstrip(" ") for line in lines)])
    if len(text) > LONGEST_LINE - len(indent) and text.split() == text.split(" "):
        return "".join([" >-", *(f"\n{indent}{line}" for line in _wrapped(text))])
    return f" {yaml_line(text)}" if text else ""
