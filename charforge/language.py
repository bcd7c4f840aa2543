"""The language of the program: translated texts, plurals and numbers.

The English text is the key of its translation, so a text without one appears in English::

    from charforge.language import N_, _, ngettext

    _("{name} is only level {level}.").format(name=name, level=level)
    ngettext("{count} problem", "{count} problems", count).format(count=count)

Text is filled in after the translation: an f-string cannot be extracted. A text that a module
declares is marked with ``N_`` and translated where it is shown::

    TITLES = {"sheet": N_("Character sheet")}
    _(TITLES["sheet"])

``cli/app.py`` chooses the language of the reader once, before the module of the command is
imported, and worker processes get it with their task. A page that shows a game has one language
(``page``, ``speak``): that of the reader if the game has it, else that of the game. Each thread
has a page of its own. JSON keys, ids and file formats are never translated. Catalogues are in
``locale/``; CONTRIBUTING.md says how to add one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import cache
from gettext import GNUTranslations, NullTranslations, translation
from pathlib import Path
from typing import NamedTuple
from unicodedata import combining, normalize

ENGLISH = "en"
CATALOGUES = Path(__file__).resolve().parent / "locale"
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # of the environment; the first that is set counts
# How numbers are written, per language: the signs for a comma and a point of English.
SEPARATORS = {ENGLISH: ",.", "de": ".,"}
QUOTES = {ENGLISH: ('"', '"'), "de": ("„", "“")}
# The letter between the number of dice and their sides, in languages that have another one.
DICE_LETTERS = {"de": "W"}
DICE_IN_TEXT = re.compile(r"(?<![\w.-])(\d{0,2})d(\d{1,4})(?=k[hl]?\d|\b)")


class _Spoken(NamedTuple):
    """A language with its catalogue."""

    code: str
    catalogue: NullTranslations


class _Page(NamedTuple):
    """The language of whoever reads a page, the one that it is in, and why that is another."""

    reader: _Spoken
    shown: _Spoken
    note: str = ""


_catalogues: dict[str, NullTranslations] = {ENGLISH: NullTranslations()}
_reader = _Spoken(ENGLISH, _catalogues[ENGLISH])
_page: ContextVar[_Page | None] = ContextVar("page", default=None)


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages of the program, English first."""
    folders = CATALOGUES.glob("*/LC_MESSAGES/charforge.mo")
    return (ENGLISH, *sorted({path.parts[-3] for path in folders} | _catalogues.keys() - {ENGLISH}))


def language() -> str:
    """Return the code of the language in which texts are shown now, such as ``de``."""
    return _shown().code


def reader_language() -> str:
    """Return the code of the language that the reader wants."""
    found = _page.get()
    return (_reader if found is None else found.reader).code


def find_language(tag: str) -> str:
    """Return the language of the program for a tag such as ``de_AT.UTF-8``; nothing for none."""
    code = tag.partition(".")[0].replace("-", "_").partition("_")[0].lower()
    return code if code in languages() else ""


def preferred_language(environment: Mapping[str, str]) -> str:
    """Return the language of the environment; English if there is no translation for it."""
    tag = next(filter(None, map(environment.get, VARIABLES)), "")
    return find_language(tag) or ENGLISH


def set_language(code: str) -> None:
    """Have a reader of a language of the program from now on."""
    global _reader  # the one place that changes it
    _reader = _spoken(code)


def add_catalogue(code: str, catalogue: NullTranslations) -> None:
    """Have another language, with this catalogue."""
    _catalogues[code] = catalogue
    languages.cache_clear()


def remove_catalogue(code: str) -> None:
    """Forget a language that was added; nothing if there is none."""
    if _catalogues.pop(code, None) is not None:
        languages.cache_clear()


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Have a page for a reader of a language."""
    spoken = _spoken(code)
    before = _page.set(_Page(spoken, spoken))
    try:
        yield
    finally:
        _page.reset(before)


def page() -> AbstractContextManager[None]:
    """Have a page in the language of the reader, until a game on it has another one."""
    return in_language(reader_language())


def speak(code: str) -> None:
    """Show the texts of this page in the language of a game that it shows.

    In the language of the reader if the program does not have that one. Without a page nothing
    changes.
    """
    found = _page.get()
    if found is not None:
        shown = _spoken(code) if code in languages() else found.reader
        _page.set(found._replace(shown=shown))


def settle(code: str, note: str = "") -> None:
    """Have this page in a language, whatever other games it shows; ``note`` says why."""
    found = _page.get()
    if found is not None:
        speak(code)
        shown = _shown()
        _page.set(_Page(shown, shown, note or found.note))


def page_note() -> str:
    """Return why this page is not in the language of the reader, as ``settle`` got it."""
    found = _page.get()
    return "" if found is None else found.note


def _spoken(code: str) -> _Spoken:
    if code not in _catalogues:
        _catalogues[code] = translation("charforge", CATALOGUES, [code], GNUTranslations)
    return _Spoken(code, _catalogues[code])


def _shown() -> _Spoken:
    found = _page.get()
    return _reader if found is None else found.shown


def _(text: str) -> str:
    """Return the translation of a text; an English one if there is none."""
    return _shown().catalogue.gettext(text) if text else text  # "" is the key of the header


def pgettext(context: str, text: str) -> str:
    """Return the translation of a text that means something else in another context."""
    return _shown().catalogue.pgettext(context, text)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return the translation of a text for a number of things."""
    return _shown().catalogue.ngettext(singular, plural, number)


def N_(text: str) -> str:
    """Return a text that is translated later, where it is shown."""
    return text


def sort_key(name: str) -> str:
    """Return the key by which lists of names are sorted: Ä like A, small letters like capitals."""
    return "".join(sign for sign in normalize("NFKD", name.casefold()) if not combining(sign))


def format_number(number: int | float | Fraction, form: str = ",") -> str:
    """Return a number with the signs of the current language: ``1,234.5`` or ``1.234,5``.

    ``form`` is a format specification of Python, such as ``.1f``.
    """
    text = format(float(number) if isinstance(number, Fraction) else number, form)
    signs = SEPARATORS.get(language(), SEPARATORS[ENGLISH])
    return text.translate(str.maketrans(",.", signs))


def either(words: Iterable[str]) -> str:
    """Return words as alternatives: ``A, B or C``."""
    *first, last = words
    return _("{names} or {last}").format(names=", ".join(first), last=last) if first else last


def percent_text(share: float | Fraction, form: str = ".1f") -> str:
    """Return a share of 1 as the percentage of the current language: ``58.3%`` or ``58,3 %``."""
    return _("{number}%").format(number=format_number(100 * share, form))


def with_colon(label: str) -> str:
    """Return a label with a colon, as before an answer; a question needs none."""
    return label if label.endswith("?") else f"{label}:"


def in_quotes(text: str) -> str:
    """Return a text in the quotation marks of the current language."""
    opening, closing = QUOTES.get(language(), QUOTES[ENGLISH])
    return f"{opening}{text}{closing}"


def dice_notation(text: str) -> str:
    """Return a text with its dice as people write them: ``2d6``, in German ``2W6``.

    Files, formulas and JSON always have ``2d6``.
    """
    letter = DICE_LETTERS.get(language())
    return DICE_IN_TEXT.sub(rf"\g<1>{letter}\2", text) if letter else text


def read_dice_notation(text: str) -> str:
    """Return what a person typed with its dice as files have them: ``2W6`` becomes ``2d6``."""
    letter = DICE_LETTERS.get(language())
    if not letter:
        return text
    return re.sub(rf"(?<![\w.])(\d{{0,2}}){letter}(?=\d)", r"\1d", text, flags=re.IGNORECASE)
