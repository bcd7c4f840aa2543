"""Answers from options, files and the wizard, and the draft that keeps them until the end."""

from __future__ import annotations

import glob
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import typer

from charforge import wizard
from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import AnswersFile, answers_text, parse_answer, read_answers
from charforge.character.files import atomic_write
from charforge.cli import console
from charforge.cli.messages import error_message
from charforge.cli.options import read_pair
from charforge.cli.packs.campaign_defaults import choose_game, shared_of_campaign
from charforge.decisions.base import Answer, Decision
from charforge.decisions.kinds import decision_ids
from charforge.errors import (
    AnswerError,
    AnswersError,
    CharforgeError,
    UnknownId,
    UnusedAnswers,
    UsageError,
    shorten,
)
from charforge.language import _
from charforge.paths import DRAFT_ENDING, first_line, latest_first
from charforge.replay.character_spec import (
    CharacterSpec,
    check_level,
    check_name,
    check_rules,
    check_units,
    new_seed,
)
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.loading.loader import load
from charforge.rules.names import name_matches
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import refuse_unknown_answers
from charforge.verbs.change import EventDraft, TrialChange, try_change
from charforge.verbs.inventory import refuse_unused

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
        contents = AnswersFile(
            self.path,
            name=spec.name,
            level=spec.level,
            seed=spec.seed,
            rules=spec.rules,
            answers=spec.answers,
            begun=spec.begun,
            units=spec.units,
        )
        text = answers_text(spec.ruleset, contents, command=self.command)
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
    """Return whether a draft has the name from ``draft_path``, with or without a number."""
    stem = draft.name.removesuffix(DRAFT_ENDING)
    return stem == base.stem or stem.rpartition("-")[0] == base.stem


def unfinished_characters(folder: Path) -> list[AnswersFile]:
    """Return the drafts of new characters in a folder, the latest first, without damaged ones."""
    return list(_drafts(folder.glob(f"*{DRAFT_ENDING}"), RESUME))


def unfinished_levels(file: Path, unit_id: str, above: int) -> list[AnswersFile]:
    """Return the drafts of levels that a character, or its unit, has not reached yet.

    The latest comes first; those of other characters and damaged ones are left out.
    """
    paths = file.parent.glob(f"{glob.escape(level_draft(file, unit_id, ''))}*{DRAFT_ENDING}")
    return [d for d in _drafts(paths, LEVEL_UP) if d.level is not None and d.level > above]


def level_draft(file: Path, unit_id: str, level: object) -> str:
    """Return the name, without its ending, of the draft of a level of a character or its unit."""
    return f"{file.stem}.{f'{unit_id}.' if unit_id else ''}level-{level}"


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


@dataclass(frozen=True)
class Interview:
    """How the wizard asks.

    ``source`` suggests answers, ``fixed`` are decisions that cannot be changed, ``intros`` are
    texts by section, ``planned`` answers to confirm, ``name_remark`` returns what to know about a
    typed name.
    """

    source: RandomAnswers | None = None
    fixed: frozenset[str] = frozenset()
    intros: Mapping[str, str] = field(default_factory=dict)
    planned: Mapping[str, Any] = field(default_factory=dict)
    name_remark: Callable[[str], str] = lambda _name: ""


PLAIN_INTERVIEW = Interview()


@contextmanager
def ask_with_draft(
    spec: CharacterSpec,
    draft: Draft,
    to_draft: Callable[[CharacterSpec], CharacterSpec] = lambda spec: spec,
    interview: Interview = PLAIN_INTERVIEW,
) -> Iterator[CharacterSpec]:
    """Ask the open decisions of a specification in the wizard, and yield the answered one.

    After each answer ``to_draft(spec)`` is written to the draft; it is also
    what is yielded. The draft is removed when the block ends without an error, so
    the block must save.
    """
    draft.started = to_draft(spec)
    try:
        yield to_draft(_ask(spec, interview, lambda present: draft.write(to_draft(present))))
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
        answered = _ask(trial.spec({**earlier, **answers}), Interview(fixed=frozenset(earlier)))
    except KeyboardInterrupt:
        console.say(_("Nothing was changed."))
        raise typer.Exit(130) from None
    return {name: answer for name, answer in answered.answers.items() if name not in earlier}


def _ask(
    spec: CharacterSpec,
    interview: Interview,
    save_draft: Callable[[CharacterSpec], None] = lambda _spec: None,
) -> CharacterSpec:
    """Ask the open decisions in the wizard. Raises KeyboardInterrupt when the player stops."""
    return wizard.flow.run(
        spec,
        save_draft,
        interview.source,
        fixed=interview.fixed,
        intros=interview.intros,
        planned=interview.planned,
        name_remark=interview.name_remark,
    )


STDIN = Path("-")


def read_answers_file(path: Path | None) -> AnswersFile:
    """Read an answers file, - from standard input; without one, nothing is answered."""
    if path is None:
        return AnswersFile(Path())
    if path != STDIN:
        return read_answers(path)
    text = sys.stdin.read() if sys.stdin is not None else ""
    return read_answers(Path(_("standard input")), text)


def read_answers_with(path: Path | None, with_options: Iterable[str] | None) -> AnswersFile:
    """Read an answers file; the answers of ``--with`` replace those of the file."""
    answers_file = read_answers_file(path)
    typed = dict(map(_read_choice, with_options or ()))
    return replace(answers_file, answers={**answers_file.answers, **typed}, typed=frozenset(typed))


def with_decision_ids(
    answers_file: AnswersFile, ruleset: Ruleset, level: int, prefix: str = ""
) -> AnswersFile:
    """Return the answers with the ids of the choices that --with names in other words."""
    ids = decision_ids(ruleset, level, answers_file.typed, prefix)
    answers = {ids.get(name, name): answer for name, answer in answers_file.answers.items()}
    typed = frozenset(ids.get(name, name) for name in answers_file.typed)
    return replace(answers_file, answers=answers, typed=typed)


def _read_choice(text: str) -> tuple[str, Answer]:
    """Return the name of a choice and its answer. Raises UsageError."""
    name, answer = read_pair(f"--with {shorten(text)}", text, "CHOICE=ANSWER", "size=2-man.")
    return name, parse_answer(answer)


def character_spec(
    answers_file: AnswersFile,
    ruleset: str | None = None,
    name: str | None = None,
    level: int | None = None,
    seed: str | None = None,
    rules: Sequence[str] = (),
    packs: list[str] | None = None,
) -> tuple[CharacterSpec, AnswersFile]:
    """Return the specification of a new character, and its answers file with ids of decisions.

    Options come before the answers file, and that before the campaign file. Packs without a
    ruleset select the one that they amend. Raises AnswersError with the line for an error in
    the file.
    """
    typed_rules = {**answers_file.rules, **dict(map(parse_table_rule, rules))}
    chosen_name = answers_file.name if name is None else name
    chosen_level = 1 if answers_file.level is None else answers_file.level
    ruleset_id = answers_file.ruleset or None if ruleset is None else ruleset
    if ruleset_id is not None:
        with _located_in_file(answers_file, "ruleset", ruleset is None):
            load(ruleset_id)
    with _located_in_file(answers_file, "packs", not packs and bool(answers_file.packs)):
        loaded, table_rules = choose_game(ruleset_id, packs or answers_file.packs, typed_rules)
    with _located_in_file(answers_file, "table_rules", not rules and bool(answers_file.rules)):
        check_rules(loaded, table_rules)
    if level is not None:
        chosen_level = loaded.head.advancement.level(level)
    with _located_in_file(answers_file, "level", level is None and answers_file.level is not None):
        check_level(loaded, chosen_level)
    with _located_in_file(answers_file, "units", bool(answers_file.units)):
        check_units(answers_file.units, chosen_level)
    if chosen_name:
        with _located_in_file(answers_file, "name", name is None):
            check_name(chosen_name)
    seed = seed if seed is not None else answers_file.seed or new_seed()
    answers_file = with_decision_ids(answers_file, loaded, chosen_level)
    spec = CharacterSpec(
        loaded, seed, chosen_name, chosen_level, table_rules, answers_file.answers,
        begun=answers_file.begun, shared=shared_of_campaign(loaded), units=answers_file.units,
    )  # fmt: skip
    with located_errors(answers_file):
        refuse_unknown_answers(spec)
    return spec, answers_file


def parse_table_rule(text: str) -> tuple[str, str]:
    """Return id and option of a table rule of the form RULE=OPTION. Raises UsageError."""
    return read_pair(f"--rule {shorten(text)}", text, "RULE=OPTION", "cooldown=or_less.")


@contextmanager
def _located_in_file(answers_file: AnswersFile, key: str, from_file: bool) -> Iterator[None]:
    """Give an error about a key of the answers file its place there."""
    try:
        yield
    except (UnknownId, UsageError) as error:
        if not from_file:
            raise
        raise AnswersError(
            answers_file.path, [(answers_file.line(key), error_message(error))]
        ) from error


@contextmanager
def located_errors(answers_file: AnswersFile) -> Iterator[None]:
    """Give errors about answers their line in the answers file."""
    in_file = answers_file.answers.keys() - {*answers_file.typed}
    lines = {name: answers_file.line("units", name) for name in answers_file.units}
    lines |= {name: answers_file.line("answers", name) for name in in_file}
    try:
        yield
    except UnusedAnswers as error:
        located = [(lines.get(name, 0), reason) for name, reason in error.unused]
        typed = not any(name in lines for name, _reason in error.unused)
        raise AnswersError(Path() if typed else answers_file.path, located) from error
    except AnswerError as error:
        raise AnswerError(
            (f"{answers_file.path}:{lines[name]}: {name}" if name in lines else name, reason)
            for name, reason in error.problems
        ) from error


def print_examples(random_answers: RandomAnswers, answers: Mapping[str, Any]) -> None:
    """Print the example answers to questions that the book leaves open, on stderr."""
    examples = [(d, answers[n]) for n, d in random_answers.examples.items() if n in answers]
    if not examples:
        return
    console.say(_("These are not in the book, so they are examples. Change them with edit:"))
    empty: dict[str, list[str]] = {}
    for decision, answer in examples:
        if answer == "":
            holding = decision.before.holding(decision.holding)
            label = decision.ruleset.short_label(decision.question)
            empty.setdefault(holding.name if holding else "", []).append(label)
        else:
            console.say(f"  {decision.heading()}: {decision.answer_text(answer)}")
    if empty:
        names = (
            f"{owner} ({', '.join(labels)})" if owner else ", ".join(labels)
            for owner, labels in empty.items()
        )
        console.say("  " + _("Left empty: {names}").format(names="; ".join(names)))


def event_answers(
    before: LoadedCharacter,
    draft: EventDraft,
    with_options: list[str] | None,
    file: Path | None,
    random: bool = False,
) -> dict[str, Any]:
    """Return the answers to the choices of an event: from options, then from the player.

    With ``random`` the rest is chosen at random. Raises UsageError if something
    is left and nobody can be asked.
    """
    answers = _event_answers_by_id(before, draft, with_options or [], file)
    trial = try_change(before, [draft], answers)
    refuse_unused(trial, answers)
    if not trial.open or trial.problems:
        return answers
    if random:
        random_answers = RandomAnswers(before.document.seed)
        trial = try_change(before, [draft], answers, random_answers)
        effective = trial.character.state.answers
        print_examples(random_answers, effective)
        return {decision.id: effective[decision.id] for decision in trial.new_decisions}
    if before.character.open or not console.is_interactive():
        raise _missing_choices(before, trial.open)
    return ask_choices(trial, answers)


def _event_answers_by_id(
    before: LoadedCharacter, draft: EventDraft, with_options: list[str], file: Path | None
) -> dict[str, Any]:
    """Return the answers of --with and --answers by decision id.

    --with takes short names, and those that history shows.
    """
    answers = read_answers_with(file, with_options).answers
    prefix = f"event.{len(before.document.log) + 1}."
    asked = {decision.id: decision for decision in try_change(before, [draft]).character.asked}
    own = [decision for name, decision in asked.items() if name.startswith(prefix)]

    def id_of(name: str) -> str:
        if name in asked or name.startswith(prefix):
            return name
        named = [] if prefix + name in asked else name_matches(own, name, Decision.names)
        return named[0].id if len(named) == 1 else prefix + name

    return {id_of(name): answer for name, answer in answers.items()}


def _missing_choices(before: LoadedCharacter, open_decisions: tuple[Decision, ...]) -> Exception:
    """Return the error that lists the open choices and their options."""
    prefix = f"event.{len(before.document.log) + 1}."
    lines = []
    for decision in open_decisions:
        options = ", ".join(offer.label for offer in decision.options() if offer.legal)
        name = decision.id.removeprefix(prefix)
        shown_options = f" ({options})" if options else ""
        lines.append(
            _("  {label}{shown_options}  --with {name}=…").format(
                label=decision.question.label, shown_options=shown_options, name=name
            )
        )
    return UsageError(
        _("these choices are missing, and there is no terminal to ask in:\n")
        + "\n".join(lines)
        + _("\nAdd them with --with, or use --answers FILE.")
    )
