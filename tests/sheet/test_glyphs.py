"""Characters that no font has are reported."""

from __future__ import annotations

import logging

from charforge.sheet.fonts import MOST_FONTS_LISTED, collect_missing_glyphs, list_characters

LOGGER = logging.getLogger("weasyprint")
TOLD = '.notdef glyph rendered for Unicode string unsupported by fonts: "%s" (U+%04X)'


def test_each_missing_sign_is_heard_of_once_and_nothing_else() -> None:
    before = list(LOGGER.handlers)
    with collect_missing_glyphs() as signs:
        for sign in "かなか":
            LOGGER.warning(TOLD, sign, ord(sign))
        LOGGER.warning("Ignored `gleam: bright` at 1:1, unknown property.")
        LOGGER.warning("Too many glyphs missing from %r", "Barlow")
    LOGGER.warning(TOLD, "り", ord("り"))
    assert list(signs) == ["か", "な"]
    assert before == LOGGER.handlers


def test_signs_are_named_by_their_numbers_and_marks_stand_on_a_circle() -> None:
    assert list_characters(["か", "\u0356", "🚀"]) == "か (U+304B), ◌\u0356 (U+0356), 🚀 (U+1F680)"


def test_of_many_signs_the_first_are_named() -> None:
    signs = [chr(0x4E00 + number) for number in range(MOST_FONTS_LISTED + 3)]
    told = list_characters(signs)
    assert told.endswith(f"{signs[MOST_FONTS_LISTED - 1]} (U+4E0B), 3 more")
    assert signs[MOST_FONTS_LISTED] not in told
