"""Questions of the wizard, and the draft that keeps the answers until they are saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from charforge.answers.file import answers_text
from charforge.answers.random import RandomAnswers
from charforge.character import atomic_write
from charforge.cli import console
from charforge.errors import CharforgeError
from charforge.replay.character_spec import CharacterSpec
from charforge.usecases.change import TrialChange

DRAFT_ENDING = ".draft.yaml"


def draft_path(base: Path, resumed: Path | None = None) -> Path:
    """Return the draft that is resumed, or a new one beside ``base`` that no other uses."""
    if resumed is not None and resumed.name.endswith(DRAFT_ENDING):
        return resumed
    number, path = 1, base.with_name(base.stem + DRAFT_ENDING)
    while path.exists():
        number += 1
        path = base.with_name(f"{base.stem}-{number}{DRAFT_ENDING}")
    return path


def remove_draft(resumed: Path | None) -> None:
    """Remove a draft whose character is saved; an answers file of the player's stays."""
    if resumed is not None and resumed.name.endswith(DRAFT_ENDING):
        resumed.unlink(missing_ok=True)


@contextmanager
def ask_with_draft(
    spec: CharacterSpec,
    draft: Path,
    command: str,
    to_draft: Callable[[CharacterSpec], CharacterSpec] = lambda spec: spec,
    source: RandomAnswers | None = None,
    fixed: frozenset[str] = frozenset(),
) -> Iterator[CharacterSpec]:
    """Ask the open decisions of a specification in the wizard, and yield the answered one.

    After each answer ``to_draft(spec)`` is written to the draft; it is also
    what is yielded. ``command`` continues with a draft, ``source`` suggests
    answers, ``fixed`` are decisions that cannot be changed. The draft is
    removed when the block ends without an error, so the block must save.
    """

    def write(spec: CharacterSpec) -> None:
        head = (spec.ruleset, spec.name, spec.level, spec.seed, spec.rules)
        text = answers_text(*head, spec.answers, command=command)
        atomic_write.write(draft, text.encode())

    def say_how_to_continue() -> None:
        if draft.exists():
            console.say(f"Your answers are kept. Go on with: {command} {console.quoted(draft)}")

    try:
        yield to_draft(_ask(spec, lambda present: write(to_draft(present)), source, fixed))
    except KeyboardInterrupt:
        console.say("")
        say_how_to_continue()
        raise typer.Exit(130) from None
    except CharforgeError:
        say_how_to_continue()
        raise
    draft.unlink(missing_ok=True)


def ask_choices(trial: TrialChange, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Ask the choices of an event on trial in the wizard, and return their answers by id."""
    earlier = trial.opened.document.answers
    try:
        answered = _ask(trial.spec({**earlier, **answers}), fixed=frozenset(earlier))
    except KeyboardInterrupt:
        console.say("Nothing was changed.")
        raise typer.Exit(130) from None
    return {name: answer for name, answer in answered.answers.items() if name not in earlier}


def _ask(
    spec: CharacterSpec,
    save_draft: Callable[[CharacterSpec], None] = lambda _spec: None,
    source: RandomAnswers | None = None,
    fixed: frozenset[str] = frozenset(),
) -> CharacterSpec:
    """Ask the open decisions in the wizard. Raises KeyboardInterrupt when the player stops."""
    # Here, because answers from options need no prompts, which take long to import.
    from charforge import wizard

    return wizard.run(spec, save_draft, source, fixed=fixed)
