"""The language of the program: translated texts, plurals and numbers.

The English text is the key of its translation, so a text without one appears in English::

    from charforge.language import N_, _, ngettext

    _("{name} is only level {level}.").format(name=name, level=level)
    ngettext("{count} problem", "{count} problems", count).format(count=count)

Text is filled in after the translation: an f-string cannot be extracted. A text that a module
declares is marked with ``N_`` and translated where it is shown::

    TITLES = {"sheet": N_("Character sheet")}
    _(TITLES["sheet"])

``cli/app.py`` chooses the language once, before the module of the command is imported, and
worker processes get it with their task. Everything else only reads it. JSON keys, ids and
file formats are never translated. Catalogues are in ``locale/``; CONTRIBUTING.md says how to
add one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from gettext import GNUTranslations, NullTranslations, translation
from pathlib import Path
from unicodedata import combining, normalize

ENGLISH = "en"
CATALOGUES = Path(__file__).resolve().parent / "locale"
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # of the environment; the first that is set counts
# How numbers are written, per language: the signs for a comma and a point of English.
SEPARATORS = {ENGLISH: ",.", "de": ".,"}
QUOTES = {ENGLISH: ('"', '"'), "de": ("„", "“")}
# The letter between the number of dice and their sides, in languages that have another one.
DICE_LETTERS = {"de": "W"}
DICE = re.compile(r"(?<![\w.-])(\d{0,2})d(\d{1,4})(?=k[hl]?\d|\b)")

_language = ENGLISH
_translations: NullTranslations = NullTranslations()


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages of the program, English first."""
    folders = CATALOGUES.glob("*/LC_MESSAGES/charforge.mo")
    return (ENGLISH, *sorted({path.parts[-3] for path in folders} - {ENGLISH}))


def language() -> str:
    """Return the code of the current language, such as ``de``."""
    return _language


def find_language(tag: str) -> str:
    """Return the language of the program for a tag such as ``de_AT.UTF-8``; nothing for none."""
    code = tag.partition(".")[0].replace("-", "_").partition("_")[0].lower()
    return code if code in languages() else ""


def preferred_language(environment: Mapping[str, str]) -> str:
    """Return the language of the environment; English if there is no translation for it."""
    tag = next(filter(None, map(environment.get, VARIABLES)), "")
    return find_language(tag) or ENGLISH


def set_language(code: str) -> None:
    """Show all texts in a language of the program from now on."""
    catalogue = NullTranslations()
    if code != ENGLISH:
        catalogue = translation("charforge", CATALOGUES, [code], GNUTranslations)
    set_translations(code, catalogue)


def set_translations(code: str, catalogue: NullTranslations) -> None:
    """Show all texts in a language with this catalogue from now on."""
    global _language, _translations  # the one place that changes them
    _language, _translations = code, catalogue


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Have all texts in a language for a while."""
    before = _language, _translations
    set_language(code)
    try:
        yield
    finally:
        set_translations(*before)


def _(text: str) -> str:
    """Return the translation of a text; an English one if there is none."""
    return _translations.gettext(text) if text else text  # "" is the key of the header


def pgettext(context: str, text: str) -> str:
    """Return the translation of a text that means something else in another context."""
    return _translations.pgettext(context, text)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return the translation of a text for a number of things."""
    return _translations.ngettext(singular, plural, number)


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
    signs = SEPARATORS.get(_language, SEPARATORS[ENGLISH])
    return text.translate(str.maketrans(",.", signs))


def in_quotes(text: str) -> str:
    """Return a text in the quotation marks of the current language."""
    opening, closing = QUOTES.get(_language, QUOTES[ENGLISH])
    return f"{opening}{text}{closing}"


def dice_notation(text: str) -> str:
    """Return a text with its dice as people write them: ``2d6``, in German ``2W6``.

    Files, formulas and JSON always have ``2d6``.
    """
    letter = DICE_LETTERS.get(_language)
    return DICE.sub(rf"\g<1>{letter}\2", text) if letter else text


def read_dice_notation(text: str) -> str:
    """Return what a person typed with its dice as files have them: ``2W6`` becomes ``2d6``."""
    letter = DICE_LETTERS.get(_language)
    if not letter:
        return text
    return re.sub(rf"(?<![\w.])(\d{{0,2}}){letter}(?=\d)", r"\1d", text, flags=re.IGNORECASE)
