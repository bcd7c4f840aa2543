"""A rich console that prints the control characters in texts as escapes."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from charforge.cli.console import escaped


class EscapingConsole(Console):
    """A console for texts from files, which no terminal may obey."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Yield the segments to print; styles and movements of the cursor are rich's own."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=escaped(segment.text))
