"""Questions of the wizard, and the draft that keeps the answers until they are saved."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import typer

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import AnswersFile, answers_text, read_answers
from charforge.character.files import atomic_write
from charforge.cli import console
from charforge.errors import CharforgeError
from charforge.language import _
from charforge.paths import DRAFT_ENDING, first_line, latest_first
from charforge.replay.character_spec import CharacterSpec
from charforge.verbs.change import TrialChange

RESUME, LEVEL_UP = "charforge new --resume", "charforge level-up"
NameDraft = Callable[[CharacterSpec], Path]


@dataclass
class Draft:
    """The file that keeps the answers of a wizard.

    ``rename`` returns the file that the draft is named after, as the
    character gets a name; without it the draft keeps its ``path``.
    """

    path: Path
    command: str
    rename: NameDraft | None = None
    started: CharacterSpec | None = None

    def write(self, spec: CharacterSpec) -> None:
        """Write the answers so far; nothing while there are none that are new."""
        if not self.path.exists() and self.started is not None and not _differs(spec, self.started):
            return
        head = (spec.ruleset, spec.name, spec.level, spec.seed, spec.rules)
        text = answers_text(*head, spec.answers, command=self.command, begun=spec.begun)
        former = self.path
        if self.rename is not None:
            wanted = self.rename(spec)
            if not _is_named_after(former, wanted):
                self.path = draft_path(wanted)
        atomic_write.write(self.path, text.encode())
        if self.path != former:
            former.unlink(missing_ok=True)

    def say_how_to_continue(self) -> None:
        """Print the command that continues with the draft, if there is one."""
        if self.path.exists():
            console.say(
                _("Draft saved. To continue: {command} {path}").format(
                    command=self.command, path=console.quoted(self.path)
                )
            )


def _differs(spec: CharacterSpec, started: CharacterSpec) -> bool:
    return any(
        getattr(spec, part) != getattr(started, part) for part in ("name", "answers", "begun")
    )


def _is_named_after(draft: Path, base: Path) -> bool:
    """Whether a draft has the name that ``draft_path`` gives it, with or without a number."""
    stem = draft.name.removesuffix(DRAFT_ENDING)
    return stem == base.stem or stem.rpartition("-")[0] == base.stem


def unfinished_characters(folder: Path) -> list[AnswersFile]:
    """Return the drafts of new characters in a folder, the latest first, without damaged ones."""
    return list(_drafts(folder.glob(f"*{DRAFT_ENDING}"), RESUME))


def unfinished_levels(file: Path, unit: str, above: int) -> list[AnswersFile]:
    """Return the drafts of levels that a character, or its unit, has not reached yet.

    The latest comes first; those of other characters and damaged ones are left out.
    """
    paths = file.parent.glob(f"{glob.escape(level_draft(file, unit, ''))}*{DRAFT_ENDING}")
    return [d for d in _drafts(paths, LEVEL_UP) if d.level is not None and d.level > above]


def level_draft(file: Path, unit: str, level: object) -> str:
    """Return the name, without its ending, of the draft of a level of a character or its unit."""
    return f"{file.stem}.{f'{unit}.' if unit else ''}level-{level}"


def _drafts(paths: Iterable[Path], command: str) -> Iterator[AnswersFile]:
    for path in latest_first(paths):
        with suppress(CharforgeError, OSError):
            if command in first_line(path):
                yield read_answers(path)


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
    draft: Draft,
    to_draft: Callable[[CharacterSpec], CharacterSpec] = lambda spec: spec,
    source: RandomAnswers | None = None,
    fixed: frozenset[str] = frozenset(),
    intros: Mapping[str, str] = MappingProxyType({}),
    planned: Mapping[str, Any] = MappingProxyType({}),
    name_remark: Callable[[str], str] = lambda _name: "",
) -> Iterator[CharacterSpec]:
    """Ask the open decisions of a specification in the wizard, and yield the answered one.

    After each answer ``to_draft(spec)`` is written to the draft; it is also
    what is yielded. ``source`` suggests answers, ``fixed`` are decisions that
    cannot be changed, ``intros`` are texts by section, ``planned`` answers to
    confirm, ``name_remark`` returns what to know about a typed name.
    The draft is removed when the block ends without an error, so the block must save.
    """
    draft.started = to_draft(spec)
    try:
        yield to_draft(
            _ask(
                spec,
                lambda present: draft.write(to_draft(present)),
                source,
                fixed,
                intros,
                planned,
                name_remark,
            )
        )
    except KeyboardInterrupt:
        console.say("")
        draft.say_how_to_continue()
        raise typer.Exit(130) from None
    except CharforgeError:
        draft.say_how_to_continue()
        raise
    draft.path.unlink(missing_ok=True)


def ask_choices(trial: TrialChange, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Ask the choices of an event on trial in the wizard, and return their answers by id."""
    earlier = trial.opened.document.answers
    try:
        answered = _ask(trial.spec({**earlier, **answers}), fixed=frozenset(earlier))
    except KeyboardInterrupt:
        console.say(_("Nothing was changed."))
        raise typer.Exit(130) from None
    return {name: answer for name, answer in answered.answers.items() if name not in earlier}


def _ask(
    spec: CharacterSpec,
    save_draft: Callable[[CharacterSpec], None] = lambda _spec: None,
    source: RandomAnswers | None = None,
    fixed: frozenset[str] = frozenset(),
    intros: Mapping[str, str] = MappingProxyType({}),
    planned: Mapping[str, Any] = MappingProxyType({}),
    name_remark: Callable[[str], str] = lambda _name: "",
) -> CharacterSpec:
    """Ask the open decisions in the wizard. Raises KeyboardInterrupt when the player stops."""
    # Here, because answers from options need no prompts, which take long to import.
    from charforge import wizard

    return wizard.run(
        spec,
        save_draft,
        source,
        fixed=fixed,
        intros=intros,
        planned=planned,
        name_remark=name_remark,
    )
