"""One edit of a pack, and the fault that it must lead to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from charforge.errors import Fault, PackError
from charforge.rules.loader import load_folder

Found = tuple[str, int, str, str]
Judge = Callable[[Path], tuple[Fault, ...]]


@dataclass(frozen=True)
class Case:
    """One edit of one file and the fault that it must lead to.

    ``at`` is a text that stands, for the first time, on the line that must be reported;
    ``message`` is a part of what must be said there.
    """

    file: str
    old: str
    new: str
    at: str
    message: str
    nearest: str = ""

    def expected(self, folder: Path) -> Found:
        """Return the fault by its file, line, message and nearest right name."""
        text = (folder / self.file).read_text(encoding="utf-8")
        line = text[: text.index(self.at)].count("\n") + 1
        return self.file, line, self.message, self.nearest

    def found(self, folder: Path, judge: Judge | None = None) -> list[Found]:
        """Return the faults of the edited pack; a message in full where it is another.

        ``judge`` returns the faults of what is more than a folder to load.
        """
        return [
            (
                fault.file.name,
                fault.line,
                self.message if self.message in fault.message else fault.message,
                fault.nearest,
            )
            for fault in (judge or faults_of)(folder)
        ]


def faults_of(folder: Path) -> tuple[Fault, ...]:
    """Load a pack that must be refused, and return why."""
    with pytest.raises(PackError) as refused:
        load_folder(folder)
    return refused.value.faults
