"""``new``: the three ways to answer, on one path."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from charforge.cli import answered, batch, drafts, many, screen, writing
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
    from charforge import service
    from charforge.answers.file import AnswersFile
    from charforge.document.model import Document


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

    given = answered.read(resume or answers)
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
    plan = answered.plan(given, ruleset, name, level, seed, rule or [], pack)
    target = _Target(output, force, sheet)
    if template:
        _print_template(plan, target)
        return
    if not random:
        _answer(plan, given, target, resume)
    elif count is None:
        _roll(plan, given, target)
    else:
        many.make(plan, given, count, output, force, sheet, many.place(jobs, cluster))
    drafts.done(resume)


def _print_template(plan: service.Plan, target: _Target) -> None:
    from charforge.answers.template import template

    text = template(plan.ruleset, plan.level)
    if target.output is None:
        screen.result(text)
        return
    allowed = writing.may_write(target.output, target.force)
    writing.deliver(target.output, text.encode(), allowed)
    writing.say_where(target.output)


def _roll(plan: service.Plan, given: AnswersFile, target: _Target) -> None:
    """Let chance answer what is left."""
    from charforge import service
    from charforge.answers.chance import Chance

    plan = _named(plan)
    allowed = writing.may_write(target.path(plan.name), target.force)
    chance = Chance(plan.seed)
    made = answered.located(given, lambda: service.create(plan, chance))
    _save(made, target, allowed)
    answered.say_examples(chance, made.answers)


def _named(plan: service.Plan) -> service.Plan:
    """Return the plan with a name, by chance where it has none."""
    from charforge.answers.chance import Chance

    return replace(plan, name=plan.name or Chance(plan.seed).name(plan.ruleset.head.names))


def _answer(plan: service.Plan, given: AnswersFile, target: _Target, resume: Path | None) -> None:
    """Take what is given; ask what is left where somebody is there."""
    from charforge import service

    if not screen.somebody_there() or not (resume or not plan.name or plan.walk().open):
        made = answered.located(given, lambda: service.create(plan))
        _save(made, target, writing.may_write(target.path(plan.name), target.force))
        return
    from charforge.answers import wizard

    path = target.path(plan.name or "character")
    printed = path == writing.STDOUT
    draft = drafts.place(writing.default_path(plan.name) if printed else path, resume)
    writing.refuse_same(target.output, draft)
    with drafts.kept(draft, "charforge new --resume") as keep:
        plan = wizard.run(plan, keep)
        path = target.path(plan.name)
        allowed = writing.may_write(path, target.force)
        _save(answered.located(given, lambda: service.create(plan)), target, allowed)
    if not printed:
        screen.say(f"Next: charforge show, sheet or level-up {drafts.quoted(path)}")


def _save(made: Document, target: _Target, allowed: bool) -> None:
    """Write the character, say where it is, and make its sheet if that is wanted."""
    from charforge.document import store
    from charforge.document.model import to_text

    path = target.path(made.name)
    if path == writing.STDOUT:
        writing.deliver(path, to_text(made).encode(), allowed)
        return
    store.save(made, path, replace=allowed)
    screen.result(str(path))
    if target.sheet:
        from charforge.cli.sheet import make

        make([path], force=target.force or allowed)
