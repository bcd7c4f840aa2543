"""``new``: the three ways to answer, on one path."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from charforge.cli import answers_options, batch, batch_create, console, drafts, output as writing
from charforge.cli.options import (
    AnswersOption,
    ForceOption,
    OutOption,
    PackOption,
    RandomOption,
    RulesetOption,
    SeedOption,
)

if TYPE_CHECKING:
    from charforge.answers.file import AnswersFile
    from charforge.character.document import Document
    from charforge.replay.spec import CharacterSpec


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("new")(new)


@dataclass(frozen=True, slots=True)
class _Target:
    """Where the character goes, and what may be done for it."""

    output: Path | None
    force: bool
    sheet: bool

    def path(self, name: str) -> Path:
        """Return the file; a name of its own where none was asked for."""
        return self.output or writing.default_path(name)


def new(
    ruleset: RulesetOption = None,
    name: Annotated[Optional[str], typer.Option(metavar="N", help="The character's name.")] = None,
    level: Annotated[Optional[int], typer.Option(metavar="L", help="Start at this level.")] = None,
    answers: AnswersOption = None,
    random: RandomOption = False,
    seed: SeedOption = None,
    count: Annotated[
        Optional[int], typer.Option(metavar="N", help="Make N, with --random.")
    ] = None,
    rule: Annotated[
        Optional[list[str]], typer.Option(metavar="K=V", help="Set a table rule.")
    ] = None,
    pack: PackOption = None,
    resume: Annotated[
        Optional[Path], typer.Option(metavar="DRAFT", help="Go on with a draft.")
    ] = None,
    output: OutOption = None,
    force: ForceOption = False,
    sheet: Annotated[bool, typer.Option("--sheet", help="Make its sheet too.")] = False,
    template: Annotated[
        bool, typer.Option("--template", help="Print an answers file with every decision.")
    ] = False,
    jobs: batch.JobsOption = None,
    cluster: batch.ClusterOption = None,
) -> None:
    """Create a character: the wizard asks, a file answers, or chance does.

    Without -o it is written to NAME.json in this folder.

    \b
    Examples:
      charforge new
      charforge new --random --seed 7 --level 3 --sheet
      charforge new --template > answers.yaml
      charforge new --answers answers.yaml -o nix.json
      charforge new --pack house-rules --random
      charforge new --resume "Nix.draft.yaml"
      charforge new --random --count 20 --level 5 -o crew/ --jobs 2
    """
    from charforge.errors import UsageError

    given = answers_options.read(resume or answers)
    if resume is not None and answers is not None:
        raise UsageError("--resume and --answers both name the answers", "Give one of them.")
    if count is not None and not random:
        raise UsageError("--count makes characters by chance", "Add --random.")
    if count is None and (jobs is not None or cluster is not None):
        raise UsageError("--jobs and --cluster share out many characters", "Add --count.")
    if count is not None and not 1 <= count <= 100_000:
        raise UsageError(f"--count is {count}; it goes from 1 to 100000")
    writing.refuse_same(output, resume, answers)
    if count is not None or sheet:
        also = "these are several" if count is not None else "a sheet is another"
        writing.refuse_stdout(output, also, "Give a file, or a folder for several.")
    plan = answers_options.plan(given, ruleset, name, level, seed, rule or [], pack)
    target = _Target(output, force, sheet)
    if template:
        _print_template(plan, target)
        return
    if not random:
        _answer(plan, given, target, resume)
    elif count is None:
        _roll(plan, given, target)
    else:
        batch_create.make(
            plan, given, count, output, force, sheet, batch_create.place(jobs, cluster)
        )
    drafts.done(resume)


def _print_template(plan: CharacterSpec, target: _Target) -> None:
    from charforge.answers.template import template

    text = template(plan.ruleset, plan.level)
    if target.output is None:
        console.result(text)
        return
    allowed = writing.may_write(target.output, target.force)
    writing.deliver(target.output, text.encode(), allowed)
    writing.say_where(target.output)


def _roll(plan: CharacterSpec, given: AnswersFile, target: _Target) -> None:
    """Let chance answer what is left."""
    from charforge.answers.random import RandomAnswers
    from charforge.usecases.create import create_character

    plan = _named(plan)
    allowed = writing.may_write(target.path(plan.name), target.force)
    chance = RandomAnswers(plan.seed)
    made = answers_options.located(given, lambda: create_character(plan, chance))
    _save(made, target, allowed)
    answers_options.say_examples(chance, made.answers)


def _named(plan: CharacterSpec) -> CharacterSpec:
    """Return the plan with a name, by chance where it has none."""
    from charforge.answers.random import RandomAnswers

    return replace(plan, name=plan.name or RandomAnswers(plan.seed).name(plan.ruleset.head.names))


def _answer(plan: CharacterSpec, given: AnswersFile, target: _Target, resume: Path | None) -> None:
    """Take what is given; ask what is left where somebody is there."""
    from charforge.usecases.create import create_character

    if not console.somebody_there() or not (resume or not plan.name or plan.walk().open):
        made = answers_options.located(given, lambda: create_character(plan))
        _save(made, target, writing.may_write(target.path(plan.name), target.force))
        return
    from charforge import wizard

    path = target.path(plan.name or "character")
    printed = path == writing.STDOUT
    draft = drafts.place(writing.default_path(plan.name) if printed else path, resume)
    writing.refuse_same(target.output, draft)
    with drafts.kept(draft, "charforge new --resume") as keep:
        plan = wizard.run(plan, keep)
        path = target.path(plan.name)
        allowed = writing.may_write(path, target.force)
        _save(answers_options.located(given, lambda: create_character(plan)), target, allowed)
    if not printed:
        console.say(f"Next: charforge show, sheet or level-up {drafts.quoted(path)}")


def _save(made: Document, target: _Target, allowed: bool) -> None:
    """Write the character, say where it is, and make its sheet if that is wanted."""
    from charforge.character import storage
    from charforge.character.document import to_text

    path = target.path(made.name)
    if path == writing.STDOUT:
        writing.deliver(path, to_text(made).encode(), allowed)
        return
    storage.save(made, path, replace=allowed)
    console.result(str(path))
    if target.sheet:
        from charforge.cli.sheet import make

        make([path], force=target.force or allowed)
