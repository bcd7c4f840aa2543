"""Rich's console and texts, which show the control characters of files as escapes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from functools import cache
from typing import Any, Self

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.table import Table as Table
from rich.text import Text as RichText

from charforge.cli.console import without_controls


class SafeText(RichText):
    """A text of which rich measures what it prints: an escape is longer than its character."""

    def __init__(self, text: str = "", style: str | Style = "", **options: Any) -> None:
        super().__init__(without_controls(text), style, **options)

    def append(self, text: RichText | str, style: str | Style | None = None) -> Self:
        """Add a text with a style, and return the whole."""
        super().append(without_controls(text) if isinstance(text, str) else text, style)
        return self

    @classmethod
    def assemble(cls, *parts: str | RichText | tuple[str, str | Style], **options: Any) -> Self:
        """Return a text of parts, some with a style."""
        text = super().assemble(*parts, **options)
        assert isinstance(text, cls)
        return text


class EscapingConsole(Console):
    """A console for texts from files, which no terminal may obey."""

    def render_str(self, text: str, **options: Any) -> RichText:
        """Return the text that is printed for a string."""
        return super().render_str(without_controls(text), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Yield the segments to print; styles and movements of the cursor are rich's own."""
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else without_controls(segment.text)
            yield segment._replace(text=text)


@cache
def rich_console(stderr: bool = False) -> EscapingConsole:
    """Return the console for results, or for messages; it respects NO_COLOR."""
    # With COLUMNS=0, which means an unknown width, rich would print nothing.
    width = shutil.get_terminal_size().columns if os.environ.get("COLUMNS") == "0" else None
    return EscapingConsole(highlight=False, soft_wrap=False, stderr=stderr, width=width)
