"""Names as a player types them: ids, printed names in any case, or the beginnings of words.

Everything that players can name is found by these two functions, by the same rules.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import TypeVar

from charforge.rules.models.base import original

Named = TypeVar("Named")
WORD = re.compile(r"[^\W_]+")
APOSTROPHES = "'’"


class TypedText(str):
    """A text that a player typed: the beginnings of the words of a name are enough.

    What a file has recorded names its option exactly, so that a changed pack never turns it
    into another one.
    """

    __slots__ = ()


def as_typed(answer: object) -> object:
    """Return an answer with its texts marked as typed by a player."""
    if isinstance(answer, str):
        return TypedText(answer)
    if isinstance(answer, list):
        return [as_typed(item) for item in answer]
    return answer


def exact_matches(
    among: Iterable[Named], name: str, names_of: Callable[[Named], Iterable[str]]
) -> list[Named]:
    """Return the candidates with exactly this name, in any case.

    If none is called so, the names count that the pack gives without a translation.
    """
    folded = name.strip().casefold()
    named = [(candidate, tuple(names_of(candidate))) for candidate in among]
    shown = [c for c, names in named if any(folded == known.casefold() for known in names)]
    return shown or [
        c for c, names in named if any(folded == original(known).casefold() for known in names)
    ]


def name_matches(
    among: Iterable[Named], name: str, names_of: Callable[[Named], Iterable[str]]
) -> list[Named]:
    """Return the candidates with this name, else those with words that begin like it.

    ``auto rif`` and ``rifle`` mean an Auto Rifle; ``ifle`` means nothing.
    """
    among, typed = tuple(among), _words(name)
    if not typed:
        return []
    named = [(candidate, tuple(names_of(candidate))) for candidate in among]
    return (
        exact_matches(among, name, names_of)
        or [c for c, names in named if any(_words_begin(_words(n), typed) for n in names)]
        or [c for c, names in named if any(_words_begin(_words(original(n)), typed) for n in names)]
    )


def _words(name: str) -> list[str]:
    """Return the words of a name or an id, without accents and apostrophes, in lower case."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    letters = (s for s in decomposed if s not in APOSTROPHES and not unicodedata.combining(s))
    return WORD.findall("".join(letters))


def _words_begin(words: list[str], typed: list[str]) -> bool:
    """Return whether words in a row begin like the typed ones."""
    rows = (words[at : at + len(typed)] for at in range(len(words) - len(typed) + 1))
    return any(all(map(str.startswith, row, typed)) for row in rows)
