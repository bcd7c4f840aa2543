"""List every text in the program: module, line, and the text with its {placeholders}.

``python docs/messages.py [WORDS]`` prints all texts, or those with these words, to review how they
read. Texts of the games are in ``catalog/``, headings of the sheet in ``templates/``.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[1] / "charforge"
WORDS = re.compile(r"[^\W\d_]{2,}\W* .*[^\W\d_]{2,}|^[A-Z][a-z]{2,}[.:!?]?$|\{.*\} [^\W\d_]{2,}")
CODE = re.compile(r"^\s*(\(\?|\[\^|<[a-z!/]|@|SELECT |-- )|\\[dwsWb]")


class Message(NamedTuple):
    """A text of the program and where it is written."""

    module: str
    line: int
    text: str


def messages(package: Path = PACKAGE) -> Iterator[Message]:
    """Yield all texts of a package, module by module, in the order of their lines."""
    for path in sorted(package.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = path.relative_to(package.parent).as_posix()
        found = {(line, text) for line, text in _texts(tree) if _is_text(text)}
        yield from (Message(module, line, text) for line, text in sorted(found))


def _is_text(text: str) -> bool:
    """Whether a string is made of words for a reader, not of keys, markup or a pattern."""
    return bool(WORDS.search(text)) and not CODE.search(text)


def _texts(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield all strings below a node except docstrings; an f-string is one text."""
    if isinstance(node, ast.JoinedStr):
        yield node.lineno, "".join(_part(part) for part in node.values)
        children: Iterable[ast.AST] = (
            part.value for part in node.values if isinstance(part, ast.FormattedValue)
        )
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.lineno, node.value
        return
    else:
        children = (child for child in ast.iter_child_nodes(node) if not _is_docstring(child))
    for child in children:
        yield from _texts(child)


def _is_docstring(node: ast.AST) -> bool:
    """Whether a node is a bare string: a docstring, or the description of a field."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _part(part: ast.expr) -> str:
    """Return a part of an f-string: its words, or the name of what is filled in."""
    if isinstance(part, ast.Constant):
        return str(part.value)
    assert isinstance(part, ast.FormattedValue)
    return "{" + ast.unparse(part.value) + "}"


def main() -> None:
    """Print the messages, all or those with the word of the command line."""
    word = " ".join(sys.argv[1:]).casefold()
    for message in messages():
        if word in message.text.casefold():
            text = message.text.replace("\n", "↵")
            sys.stdout.write(f"{message.module}:{message.line}: {text}\n")


if __name__ == "__main__":
    main()
