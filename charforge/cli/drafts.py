"""Drafts: the answers of a wizard, kept in a file until they are saved for good.

A draft is an answers file beside the output. It is written after every
answer, named when the wizard stops early or its result cannot be saved,
and removed only once the character is on disk. Files of the user's own
are never written to or removed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from charforge.answers.file import answers_text
from charforge.character import storage
from charforge.cli import console
from charforge.errors import CharforgeError
from charforge.replay.spec import CharacterSpec

ENDING = ".draft.yaml"


def place(base: Path, resumed: Path | None = None) -> Path:
    """Return the draft that is resumed, or a new one beside ``base`` that no other uses."""
    if resumed is not None and resumed.name.endswith(ENDING):
        return resumed
    number, path = 1, base.with_name(base.stem + ENDING)
    while path.exists():
        number += 1
        path = base.with_name(f"{base.stem}-{number}{ENDING}")
    return path


def done(resumed: Path | None) -> None:
    """Remove a draft whose character is saved; a file of the user's own stays."""
    if resumed is not None and resumed.name.endswith(ENDING):
        resumed.unlink(missing_ok=True)


@contextmanager
def kept(path: Path, command: str) -> Iterator[Callable[[CharacterSpec], None]]:
    """Give the function that keeps a plan; ``command`` goes on with the draft.

    What was answered outlives an interrupt and every error; the draft goes
    when the block ends well, so the block must end with saving.
    """

    def told() -> None:
        if path.exists():
            console.say(f"Your answers are kept. Go on with: {command} {console.quoted(path)}")

    try:
        yield lambda plan: _write(plan, path, command)
    except KeyboardInterrupt:
        console.say("")
        told()
        raise typer.Exit(130) from None
    except CharforgeError:
        told()
        raise
    path.unlink(missing_ok=True)


def _write(plan: CharacterSpec, path: Path, command: str) -> None:
    head = (plan.ruleset, plan.name, plan.level, plan.seed, plan.rules)
    text = answers_text(*head, plan.answers, command=command)
    storage.write(path, text.encode())
