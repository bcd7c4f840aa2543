"""Names as a pack writes or translates them, and as a player types them.

A player types ids, printed names in any case, or the beginnings of words.

Everything that players can name is found by the same rules: in a command, a session, the inputs of
a rule and a file with answers. Names that a character file has recorded are found by
``exact_matches`` alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Self, TypeVar

from charforge.errors import WORD, AmbiguousName, shorten
from charforge.expressions.template import MEASURE, MINUS, keyboard_minus
from charforge.language import _

Named = TypeVar("Named")
NEGATIVE = re.compile(rf"{MINUS}\d{{1,9}}")
APOSTROPHES = "'’"


class Translated(str):
    """A translated text, which knows the ``original`` text of the pack."""

    original: str

    def __new__(cls, text: str, original: str) -> Self:
        """Return the translation of a text."""
        translated = super().__new__(cls, text)
        translated.original = original
        return translated

    def __reduce__(self) -> tuple[type[Translated], tuple[str, str]]:
        """Return what makes it again, in another process or from the cache."""
        return Translated, (str(self), self.original)


def original(text: str) -> str:
    """Return a text as the pack writes it, in whatever language it is shown."""
    return text.original if isinstance(text, Translated) else text


def spellings(text: str) -> tuple[str, str]:
    """Return a name as it is shown and as the pack writes it, both in small letters."""
    return text.casefold(), original(text).casefold()


class TypedText(str):
    """A text that a player typed: the beginnings of the words of a name are enough.

    What a file has recorded names its option exactly, so that a changed pack never turns it
    into another one.
    """

    __slots__ = ()


def as_typed(answer: object) -> object:
    """Return an answer with its texts marked as typed by a player.

    A number with the minus sign that charforge prints, which YAML reads as a text, is a number.
    """
    if isinstance(answer, str):
        number = _as_number(answer)
        return TypedText(answer) if number is answer else number
    if isinstance(answer, list):
        return [as_typed(item) for item in answer]
    if isinstance(answer, dict):
        return {_typed_key(key): _as_number(number) for key, number in answer.items()}
    return answer


def _typed_key(key: object) -> object:
    return TypedText(key) if isinstance(key, str) else key


def _as_number(answer: object) -> object:
    """Return a text that is a negative number as one, anything else unchanged."""
    is_negative = isinstance(answer, str) and NEGATIVE.fullmatch(answer)
    return int(keyboard_minus(str(answer))) if is_negative else answer


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
    among: Iterable[Named],
    name: str,
    names_of: Callable[[Named], Iterable[str]],
    beginnings: bool = True,
) -> list[Named]:
    """Return the candidates with this name, else with its words, else those that begin like it.

    ``auto-rifle``, ``autorifle``, ``auto rif`` and ``rifle`` mean an Auto Rifle; ``ifle`` means
    nothing. Numbers alone are no beginning of a name: ``1`` means no Rations (1 day), and
    ``rifle 5`` no rifle with 50 m. Without ``beginnings`` all words are needed, where the
    beginning of a name can mean something else.
    """
    among, typed = tuple(among), _words(name)
    exact = exact_matches(among, name, names_of) if typed else []
    if exact or all(map(str.isdecimal, typed)):
        return exact
    named = [(candidate, tuple(names_of(candidate))) for candidate in among]
    shown = [(c, [_words(n) for n in names]) for c, names in named]
    written = [(c, [_words(original(n)) for n in names]) for c, names in named]
    for are_alike in (list.__eq__, _joined_alike, _words_begin)[: 2 + beginnings]:
        for spelled in (shown, written):
            found = [c for c, names in spelled if any(are_alike(n, typed) for n in names)]
            if found:
                return found
    return []


def answer_matches(
    among: Iterable[Named], answer: str, names_of: Callable[[Named], Iterable[str]]
) -> list[Named]:
    """Return the candidates that an answer names: exactly, unless a player typed it."""
    matches = name_matches if isinstance(answer, TypedText) else exact_matches
    return matches(among, answer, names_of)


def name_key(name: str) -> str:
    """Return a key that all spellings of a name share: ``Zoë O'Hara`` and ``zoe-ohara``.

    Long lists can be compared with a set of keys; ``name_matches`` finds the same names.
    """
    return "".join(_words(name)) or name.strip().casefold()


def told_apart(names: Sequence[str], marks: Sequence[str]) -> list[str]:
    """Return names, each that several share with its mark: ``Kas (kas-2)``; none without a mark."""
    counts = Counter(map(name_key, names))
    return [
        f"{name} ({mark})" if mark and counts[name_key(name)] > 1 else name
        for name, mark in zip(names, marks, strict=True)
    ]


def _words(name: str) -> list[str]:
    """Return the words of a name or an id, without accents and apostrophes, in lower case.

    A number and its unit are two words, however they are written: ``50m``.
    """
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    letters = (s for s in decomposed if s not in APOSTROPHES and not unicodedata.combining(s))
    return [part for word in WORD.findall("".join(letters)) for part in MEASURE.split(word)]


def _joined_alike(words: list[str], typed: list[str]) -> bool:
    """Return whether words are the typed ones apart from spaces: ``maxhp``."""
    return "".join(words) == "".join(typed)


def _words_begin(words: list[str], typed: list[str]) -> bool:
    """Return whether words in a row begin like the typed ones."""
    rows = (words[at : at + len(typed)] for at in range(len(words) - len(typed) + 1))
    return any(all(map(_begins, row, typed)) for row in rows)


def _begins(word: str, typed: str) -> bool:
    """Return whether a word begins like a typed one; a number has to be whole: 5 is not 50 m."""
    cut = typed[-1:].isdecimal() and word[len(typed) : len(typed) + 1].isdecimal()
    return word.startswith(typed) and not cut


LIST_NUMBER_DIGITS = 9  # of a number that is looked up in a list


def numbered(typed: str, listed: Sequence[Named]) -> Named | None:
    """Return the entry of a numbered list with the number that was typed, from 1 on."""
    known = typed.isdecimal() and len(typed) <= LIST_NUMBER_DIGITS
    return listed[int(typed) - 1] if known and 0 < int(typed) <= len(listed) else None


def numbered_labels(labels: Iterable[str]) -> Iterator[str]:
    """Yield labels; one that occurs again gets a number: ``Kit``, ``Kit (2)``."""
    times: Counter[str] = Counter()
    for label in labels:
        times[label] += 1
        yield label if times[label] == 1 else f"{label} ({times[label]})"


def ambiguous_name(name: str, ways: Iterable[tuple[str, str]]) -> AmbiguousName:
    """Return the error of a name that means several things: ``ways`` has their labels and ids."""
    return AmbiguousName(
        _("{name} matches several").format(name=shorten(name)),
        name,
        ((label, (id_,)) for label, id_ in ways),
    )


def name_from_id(name: str) -> str:
    """Return how an id reads whose pack is not installed: ``weapon/short-bow`` as Short bow."""
    slug = name.partition("/")[2] or name
    return slug.replace("-", " ").replace("_", " ").capitalize()
