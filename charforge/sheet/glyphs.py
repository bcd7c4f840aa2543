"""Signs that no font of this machine can draw: a reader should hear of them, not find boxes."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

MISSING = ".notdef glyph"
MOST_NAMED = 12


class _Listener(logging.Handler):
    """Hears what WeasyPrint says of each sign that it draws as an empty box."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.signs: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the sign, in the order of the pages."""
        if isinstance(record.args, tuple) and str(record.msg).startswith(MISSING):
            self.signs[str(record.args[0])] = None


@contextmanager
def collect_missing_glyphs() -> Iterator[dict[str, None]]:
    """Collect the signs that stay empty boxes in the PDFs made inside."""
    listener, logger = _Listener(), logging.getLogger("weasyprint")
    logger.addHandler(listener)
    try:
        yield listener.signs
    finally:
        logger.removeHandler(listener)


def list_glyphs(signs: Iterable[str]) -> str:
    """Name signs by themselves and their numbers, the first ``SHOWN`` of them."""
    listed = list(signs)
    told = [f"{_shown(sign)} (U+{ord(sign):04X})" for sign in listed[:MOST_NAMED]]
    if len(listed) > MOST_NAMED:
        told.append(f"{len(listed) - MOST_NAMED} more")
    return ", ".join(told)


def _shown(sign: str) -> str:
    """Set a combining mark on a circle, so that it stays off the sign before it."""
    return f"\N{DOTTED CIRCLE}{sign}" if unicodedata.combining(sign) else sign
