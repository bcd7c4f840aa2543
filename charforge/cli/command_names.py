"""Other names of commands: aliases, and former names that are answered with the present one."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from charforge.errors import UsageError

ALIASES = {"print": "sheet"}
RENAMED = {"part": "drop", "order": "initiative", "gain": "award"}


def refuse_old_name(words: Sequence[str], program: str = "charforge ") -> None:
    """Raise UsageError with the present name if the words are those of a renamed command.

    ``program`` is what comes before a command: in a session, nothing.
    """
    name, *rest = words
    if name in RENAMED:
        old, new = name, RENAMED[name]
    elif name == "undo" and "--redo" in rest:
        old, new = "undo --redo", "redo"
        rest = [word for word in rest if word != "--redo"]
    else:
        return
    raise UsageError(f"`{old}` is now `{new}`:\n  {program}{shlex.join([new, *rest])}")
