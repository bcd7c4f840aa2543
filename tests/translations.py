"""Language files for tests: of every text of a pack, longer and with letters of its own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from charforge.expressions.template import FIGURE
from charforge.packs.install import load_checked
from charforge.rules.loading.translation import pack_texts

WORD = re.compile(r"[^\W\d_]{3,}")
LONGER = 0.4


def pseudo(text: str) -> str:
    """Return a text with words that are 40 % longer; figures, numbers and markup stay."""
    parts, at = [], 0
    for figure in FIGURE.finditer(text):
        parts += [WORD.sub(_longer, text[at : figure.start()]), figure[0]]
        at = figure.end()
    return "".join([*parts, WORD.sub(_longer, text[at:])])


def _longer(word: re.Match[str]) -> str:
    more = round(len(word[0]) * LONGER)
    return f"{word[0]}{'ö' * min(more, 1)}{'nis' * more}"[: len(word[0]) + more]


def write_language(folder: Path, texts: dict[str, Any], language: str = "de") -> Path:
    """Write the language file of a pack."""
    path = folder / "lang" / f"{language}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(yaml.safe_dump(texts, allow_unicode=True), encoding="utf-8")
    return path


def write_pseudo(folder: Path, language: str = "de") -> Path:
    """Write a language file with every text of a pack, 40 % longer."""
    _id, reader, ruleset = load_checked(folder)
    texts: dict[str, Any] = {}
    for text in pack_texts(reader, ruleset):
        node = texts
        for name in text.names[:-1]:
            node = node.setdefault(name, {})
        node[text.names[-1]] = pseudo(text.text)
    return write_language(folder, texts, language)
