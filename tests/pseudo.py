"""A language for tests: every text of the program with accents and 40 % longer."""

from __future__ import annotations

import re
from gettext import NullTranslations

from charforge.language import add_catalogue, set_language

ACCENTS = str.maketrans("aeiouyAEIOUcnsz", "áéíóúýÁÉÍÓÚçñšž")
PLACEHOLDER = re.compile(r"(\{[^{}]*\}|\n| {2,})")
WORD = re.compile(r"[^\W\d_]+")
LONGER = 1.4
PSEUDO = "xx"


def longer(word: str) -> str:
    """Return a word with accents, longer by 40 %: ``Range`` becomes ``Ráñgéáñ``."""
    accented = word.translate(ACCENTS)
    length = round(len(word) * LONGER)
    return (accented + "áñéóíšú" * length)[:length] if len(word) > 1 else accented


def pseudo(text: str) -> str:
    """Return a text in the language for tests; placeholders stay as they are."""
    return "".join(
        part if PLACEHOLDER.fullmatch(part) else WORD.sub(lambda found: longer(found[0]), part)
        for part in PLACEHOLDER.split(text)
    )


class PseudoLanguage(NullTranslations):
    """A catalogue that has every text."""

    def gettext(self, message: str) -> str:
        """Return the translation of a text."""
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the translation of a text for a number."""
        return pseudo(msgid1 if n == 1 else msgid2)


def add_pseudo() -> None:
    """Have the language for tests, for games that are written in it."""
    add_catalogue(PSEUDO, PseudoLanguage())


def speak_pseudo() -> None:
    """Have a reader of the language for tests."""
    add_pseudo()
    set_language(PSEUDO)
