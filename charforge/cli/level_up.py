"""``level-up``: advance a character, with the wizard, from a file or at random."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Annotated, Optional

import typer

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import AnswersFile
from charforge.character.state import Unit, find_unit
from charforge.cli import console
from charforge.cli.answers_options import (
    Draft,
    Interview,
    ask_with_draft,
    draft_path,
    level_draft,
    located_errors,
    print_examples,
    read_answers_with,
    unfinished_levels,
    with_decision_ids,
)
from charforge.cli.changes import ChangeCommand, print_level_changes, save_change
from charforge.cli.check import answer_lines, say_remarks, say_similar_options
from charforge.cli.console import FrontEnd, front_end_of
from charforge.cli.messages import error_message
from charforge.cli.options import (
    AnswersOption,
    CharacterFile,
    DryRunOption,
    OverrideOption,
    RandomOption,
    SeedOption,
    UnitOption,
    WithOption,
    read_override,
    verb,
)
from charforge.cli.prompt import choose_level_up_draft
from charforge.decisions.base import MISSING
from charforge.errors import AnswerError, UsageError
from charforge.language import N_, _, with_colon
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, level_read, load_character
from charforge.replay.replay import leave_open
from charforge.usecases.level_up import LevelUp
from charforge.verbs.change import try_change

app = typer.Typer(add_completion=False)


@app.command(
    "level-up",
    cls=verb(
        "FILE",
        "FILE --to 5 --random",
        "FILE --answers level-4.yaml",
        "FILE --unit bike",
        'FILE --random --with "level.4.systems=[surge]" --override "GM: a lucky find"',
        base=ChangeCommand,
    ),
)
def level_up(
    ctx: typer.Context,
    file: CharacterFile,
    to: Annotated[
        Optional[int],
        typer.Option("--to", metavar="N", help=N_("The level to reach (default: the next).")),
    ] = None,
    with_options: WithOption = None,
    answers: AnswersOption = None,
    random: RandomOption = False,
    seed: SeedOption = None,
    unit: UnitOption = None,
    override: OverrideOption = None,
    dry_run: DryRunOption = False,
) -> None:
    """Advance a character by one level or more.

    Choices planned for the level are suggested first. With --unit a vehicle
    is upgraded instead, up to its owner's level. --override allows a level
    whose requirement you don't meet, and answers of --with or --answers that
    the rules forbid; with --to the history keeps its reason with each level.
    """
    before = load_character(file)
    state = before.character.state
    bearer = find_unit(state, unit)
    upgraded = None if bearer is state.units[0] else bearer
    level = before.document.level if upgraded is None else state.level_of(upgraded)
    to = level_read(before, to)
    if not (answers or with_options or random) and console.is_interactive():
        answers = _unfinished(file, before, upgraded, level, to)
    answers_file = read_answers_with(answers, with_options)
    _refuse_other_character(answers_file, before)
    if to is None:
        to = level + 1 if answers_file.level is None else answers_file.level
    if upgraded is None:
        one_level = to == before.document.level + 1  # of several, "hp" could be of any
        prefix = f"level.{to}." if one_level else "level."
        answers_file = with_decision_ids(answers_file, before.ruleset, to, prefix)
    seed = seed if seed is not None else answers_file.seed or before.document.seed
    change = LevelUp(before, to, upgraded, read_override(override))
    advance = _Advance(front_end_of(ctx), file, change, answers_file, dry_run)
    with _earlier_answers(file, before), located_errors(answers_file):
        change.check(answers_file.answers)
        if not random and console.is_interactive():
            _ask_level(advance, seed)
            return
        chance = RandomAnswers(seed)
        after = change.apply(answers_file.answers, chance if random else leave_open)
    for name, reasons in change.refused_planned_answers(answers_file.answers).items():
        console.say(
            _("planned {label} {reasons}").format(
                label=with_colon(after.character.label(name)), reasons="; ".join(reasons)
            )
        )
    advance.save(after)
    _say_planned(before, after)
    print_examples(chance, after.document.answers)


@contextmanager
def _earlier_answers(file: Path, before: LoadedCharacter) -> Iterator[None]:
    """Print after the error of an answer of an earlier level the command that answers it again."""
    try:
        yield
    except AnswerError as error:
        names = {name for name, _reason in error.problems}
        console.say(error_message(error))
        for line in answer_lines(file, (one for one in before.character.open if one.id in names)):
            console.say(line)
        raise typer.Exit(error.exit_code) from error


def _unfinished(
    file: Path, before: LoadedCharacter, unit: Unit | None, level: int, to: int | None
) -> Path | None:
    """Offer to continue a draft of a level above ``level``; return the one that is chosen."""
    drafts = unfinished_levels(file, unit.id if unit else "", level)
    drafts = [draft for draft in drafts if to in (None, draft.level)]
    if not drafts:
        return None
    return choose_level_up_draft(drafts, before.document.name)


def _say_planned(before: LoadedCharacter, after: LoadedCharacter) -> None:
    """Say which answers of a level that was not asked for came from the plan."""
    answers = after.document.answers
    used = [
        f"{decision.heading()}: {decision.answer_text(answers[decision.id])}"
        for decision in after.character.asked
        if decision.id not in before.document.answers
        and before.document.plan.get(decision.id, MISSING) == answers.get(decision.id)
    ]
    if used:
        console.say(_("As planned: {choices}.").format(choices="; ".join(used)))


def _refuse_other_character(answers_file: AnswersFile, before: LoadedCharacter) -> None:
    """Raise UsageError for an answers file of another character."""
    document = before.document
    for what, theirs, ours in (
        ("ruleset", answers_file.ruleset, document.ruleset),
        ("packs", list(answers_file.packs), [pack.id for pack in before.ruleset.packs]),
        ("name", answers_file.name, document.name),
        (_("table rules"), answers_file.rules, before.character.state.rules),
    ):
        if theirs and theirs != ours:
            raise UsageError(
                _("{path} is for {expected}, this character has {what} {actual}").format(
                    path=answers_file.path, expected=theirs, what=what, actual=ours
                )
            )


@dataclass(frozen=True)
class _Advance:
    """A level-up with its file and answers file; nothing is saved by a ``dry_run``."""

    front_end: FrontEnd
    file: Path
    change: LevelUp
    answers_file: AnswersFile
    dry_run: bool

    def save(self, after: LoadedCharacter) -> None:
        """Save the advanced character and print what is new."""
        before = self.change.opened
        if not self.dry_run:
            save_change(before, after, self.file)
        print_level_changes(before, after, self.file, self.front_end)
        say_remarks(after.character.state, before.character.state, file=self.file)
        say_similar_options(after.character, self.answers_file.answers, file=self.file)
        if self.dry_run:
            console.say(_("Nothing was changed."))


def _ask_level(advance: _Advance, seed: str) -> None:
    """Ask the decisions of the new levels in the wizard, and save."""
    change, file, unit = advance.change, advance.file, advance.change.unit
    document, explicit_answers = change.opened.document, advance.answers_file.answers
    trial = try_change(change.opened, change.drafts(), groups=True)
    if not trial.open:  # such as an upgrade that brings no room for anything
        advance.save(change.apply(explicit_answers))
        return
    asked = {decision.id for decision in trial.character.asked} | explicit_answers.keys()
    planned = {name: answer for name, answer in document.plan.items() if name in asked}
    begun = advance.answers_file.begun
    spec = replace(trial.spec({**document.answers, **explicit_answers}, seed), begun=begun)
    fixed = frozenset(document.answers)

    def to_draft(present: CharacterSpec) -> CharacterSpec:
        new = {name: answer for name, answer in present.answers.items() if name not in fixed}
        return replace(present, level=change.to, answers=new)

    resumed = advance.answers_file.path if explicit_answers or begun else None
    name = level_draft(file, unit.id if unit is not None else "", change.to)
    draft = draft_path(file.with_name(f"{name}.yaml"), resumed)
    word = change.opened.character.state.unit_word
    option = f" --unit {quote(word(unit))}" if unit is not None else ""
    command = f"charforge level-up {console.quoted(file)}{option} --answers"
    interview = Interview(fixed=fixed, intros=change.gains(), planned=planned)
    with ask_with_draft(spec, Draft(draft, command), to_draft, interview) as answered:
        advance.save(change.apply(answered.answers))
