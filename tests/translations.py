"""Language files for tests: of every text of a pack, longer and with letters of its own."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from charforge.expressions.template import FIGURE
from charforge.packs.install import load_checked
from charforge.paths import user_data_folder
from charforge.rules.loading.loader import packs_folder
from charforge.rules.loading.translation import pack_texts
from tests.conftest import HARBOUR
from tests.pseudo import PSEUDO

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


@contextmanager
def installed_games(variant: str, names: Iterable[str], data: Path) -> Iterator[None]:
    """Install games for tests in a data folder of their own.

    They have no other language (``plain``), that of the reader as well (``translated``), or are
    written in it (``foreign``).
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(data))
        user_data_folder.cache_clear()
        for name in names:
            folder = packs_folder() / name
            shutil.copytree(HARBOUR.with_name(name), folder)
            if variant == "translated":
                write_pseudo(folder, PSEUDO)
            if variant == "foreign":
                head = folder / "ruleset.yaml"
                text = head.read_text(encoding="utf-8")
                head.write_text(text.replace("\nbook:", f"\nlanguage: {PSEUDO}\nbook:", 1), "utf-8")
        yield
    user_data_folder.cache_clear()
