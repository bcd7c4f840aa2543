"""``new``: create a character with the wizard, from answers or at random; or many."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, NamedTuple, Optional

import typer

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import AnswersFile, questions_file
from charforge.character.files import storage
from charforge.character.files.document import Document, to_text
from charforge.character.state_data import SharedUnit
from charforge.cli import batch, console, terminal
from charforge.cli.answers_options import (
    RESUME,
    Draft,
    Interview,
    ask_with_draft,
    character_spec,
    draft_path,
    located_errors,
    print_examples,
    read_answers_with,
    remove_draft,
    unfinished_characters,
)
from charforge.cli.changes import SIGNATURE, ChangeCommand, Signature
from charforge.cli.check import say_remarks, say_similar_options
from charforge.cli.files import (
    STDOUT,
    default_path,
    may_replace,
    may_write,
    numbered_path,
    print_path,
    refuse_same_file,
    refuse_stdout,
    write_result,
)
from charforge.cli.options import (
    AnswersOption,
    ClusterOption,
    ForceOption,
    JobsOption,
    OutOption,
    PackOption,
    RandomOption,
    RuleChoices,
    RulesetOption,
    SeedOption,
    WithOption,
    refuse_together,
)
from charforge.cli.packs.campaign_defaults import names_game
from charforge.cli.packs.catalog import installed_games
from charforge.cli.prompt import ask_game, choose_draft
from charforge.errors import UsageError
from charforge.language import N_, _
from charforge.replay.character_spec import CharacterSpec, check_name
from charforge.replay.replay import Character
from charforge.rules.loading.loader import load
from charforge.usecases.create import answer_all, build_document

CHARACTERS_PER_PROCESS = 50  # starting a process takes as long as making twenty of them
MAX_COUNT = 100_000  # characters of one command

app = typer.Typer(add_completion=False)


class _Target(NamedTuple):
    """The output options: the file, whether to replace it, whether to create a sheet."""

    output: Path | None
    force: bool
    sheet: bool

    def path(self, name: str) -> Path:
        """Return the file: the one that was asked for, or one named after the character."""
        return self.output or default_path(name)

    def name_remark(self, name: str) -> str:
        """Return that a character of this name exists already; empty if none does."""
        if self.output is not None or self.force or not name or not self.path(name).exists():
            return ""
        return _("{file} exists already. It is replaced only if you agree at the end.").format(
            file=self.path(name)
        )


@app.command("new", cls=ChangeCommand)
def new(
    named: Annotated[
        Optional[str], typer.Argument(metavar="[NAME]", help=N_("The character's name."))
    ] = None,
    ruleset: RulesetOption = None,
    name: Annotated[
        Optional[str], typer.Option("--name", metavar="NAME", help=N_("The character's name."))
    ] = None,
    level: Annotated[
        Optional[int], typer.Option(metavar="N", help=N_("The starting level."))
    ] = None,
    with_options: WithOption = None,
    answers: AnswersOption = None,
    random: RandomOption = False,
    seed: SeedOption = None,
    count: Annotated[
        Optional[int], typer.Option(metavar="N", help=N_("Number of characters (with --random)."))
    ] = None,
    rule: RuleChoices = None,
    pack: PackOption = None,
    resume: Annotated[
        Optional[Path], typer.Option(metavar="DRAFT", help=N_("Continue a saved draft."))
    ] = None,
    output: OutOption = None,
    force: ForceOption = False,
    sheet: Annotated[bool, typer.Option("--sheet", help=N_("Also create the sheet."))] = False,
    questions: Annotated[
        bool,
        typer.Option("--questions", help=N_("Print a commented answers file with all decisions.")),
    ] = False,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
) -> None:
    """Create a character: with the wizard, from a file, or at random.

    Without -o it is saved as NAME.json in this folder.

    \b
    Examples:
      charforge new
      charforge new Bob
      charforge new --random --seed 7 --level 3 --sheet
      charforge new --with role="The Scout" --random
      charforge new --questions > answers.yaml
      charforge new --answers answers.yaml -o nix.json
      charforge new --pack house-rules --random
      charforge new --resume "Nix.draft.yaml"
      charforge new --random --count 20 --level 5 -o crew/ --jobs 2
      charforge new --answers nix.yaml --by Mo --dated
    """
    if named is not None and name is not None:
        raise UsageError(_("the name is given twice"), _("Leave out --name."))
    name = named if name is None else name
    if not (resume or answers or random or questions or name) and console.is_interactive():
        resume = _unfinished(ruleset)
    answers_file = read_answers_with(resume or answers, with_options)
    refuse_together({"--resume": resume, "--answers": answers})
    _check_count(count, random, parallel=jobs is not None or cluster is not None)
    refuse_same_file(output, resume, answers)
    if count is not None or sheet:
        also = _("these are several") if count is not None else _("--sheet makes a second one")
        refuse_stdout(output, also, _("Give a file, or a folder for several."))
    explicit = (answers, resume, ruleset, pack, random or None, questions or None)
    if console.is_interactive() and not any(explicit) and not names_game():
        ruleset = ask_game(installed_games())
    spec, answers_file = character_spec(answers_file, ruleset, name, level, seed, rule or [], pack)
    target = _Target(output, force, sheet)
    if questions:
        _print_questions(spec, target)
        return
    if not random:
        _create_from_answers(spec, answers_file, target, resume)
    elif count is None:
        free_name = seed is None and not answers_file.seed
        _create_random(spec, answers_file, target, free_name)
    else:
        workers = batch.Workers(jobs, cluster, CHARACTERS_PER_PROCESS)
        _create_many(spec, answers_file, count, target, workers)
    remove_draft(resume)


def _check_count(count: int | None, random: bool, parallel: bool) -> None:
    """Raise UsageError for a number of characters that cannot be created, or lacks an option."""
    if count is not None and not random:
        raise UsageError(_("--count creates random characters"), _("Add --random."))
    if count is None and parallel:
        raise UsageError(_("--jobs and --cluster are for many characters"), _("Add --count."))
    if count is not None and not 1 <= count <= MAX_COUNT:
        raise UsageError(
            _("--count must be from 1 to {most}, not {count}").format(most=MAX_COUNT, count=count)
        )


def _unfinished(ruleset: str | None) -> Path | None:
    """Offer to continue a draft in this folder; return the one that the player chooses."""
    drafts = [d for d in unfinished_characters(Path()) if ruleset in (None, d.ruleset)]
    if not drafts:
        return None
    return choose_draft(drafts)


def _print_questions(spec: CharacterSpec, target: _Target) -> None:
    text = questions_file(spec.ruleset, spec.level)
    if target.output is None:
        console.print_result(text)
        return
    allowed = may_write(target.output, target.force)
    write_result(target.output, text.encode(), allowed)
    print_path(target.output)


def _create_from_answers(
    spec: CharacterSpec, answers_file: AnswersFile, target: _Target, resume: Path | None
) -> None:
    """Create a character from its answers; in a terminal the wizard asks what is missing."""
    if not console.is_interactive() or not (resume or not spec.name or spec.replay().open):
        with located_errors(answers_file):
            character = answer_all(spec)
        allowed = may_write(target.path(spec.name), target.force)
        _save(spec, character, target, allowed, answers_file.answers)
        return
    path = target.path(spec.name or "character")
    printed = path == STDOUT
    draft = Draft(draft_path(default_path(spec.name) if printed else path, resume), RESUME)
    if target.output is None and resume is None:
        draft.rename = _draft_name
    refuse_same_file(target.output, draft.path)
    with ask_with_draft(
        spec, draft, interview=Interview(name_remark=target.name_remark)
    ) as answered:
        answered, allowed = _with_free_name(answered, target)
        path = target.path(answered.name)
        with located_errors(answers_file):
            character = answer_all(answered)
        _save(answered, character, target, allowed, answers_file.answers)
    if not printed:
        _say_next(path, character)


def _with_free_name(spec: CharacterSpec, target: _Target) -> tuple[CharacterSpec, bool]:
    """Return the character with a name whose file may be written, and whether it is replaced.

    Another name is asked for as long as the player keeps the file of that name. Raises WriteError.
    """
    path, replaced = target.path(spec.name), target.force
    while target.output is None and not replaced and path.is_file():
        replaced = may_replace(path)
        if not replaced:
            spec = replace(spec, name=_ask_name())
            path = target.path(spec.name)
    return spec, may_write(path, replaced)


def _ask_name() -> str:
    """Ask for another name until it is one."""
    while True:
        name = console.ask_line(_("Another name for the character: "))
        try:
            check_name(name)
        except UsageError as error:
            console.say(f"{error.reason[:1].upper()}{error.reason[1:]}.")
        else:
            return name


def _draft_name(spec: CharacterSpec) -> Path:
    """Return the file that a draft is named after: the character, or else the role."""
    rules = spec.ruleset
    chosen = (rules.entities.get(a) for a in spec.answers.values() if isinstance(a, str))
    roles = [e.name for e in chosen if e is not None and e.kind in rules.head.sheet.headline]
    return default_path(spec.name or next(iter(roles), "character"))


def _say_next(path: Path, character: Character) -> None:
    """Show a new character in short, and the commands to go on with, ready to paste."""
    terminal.sheet.draw_short(character, terminal.screen.rich_console(stderr=True))
    file, head = console.quoted(path), character.state.ruleset.head
    commands = {
        f"charforge show {file}": _("see everything"),
        f"charforge sheet {file}": _("print the sheet"),
        f"charforge play {file}": _("play"),
    }
    if head.gear.money is not None:
        commands[f"charforge shop {file}"] = _("buy equipment")
    if character.state.level < head.advancement.maximum:
        commands[f"charforge level-up {file}"] = _("advance")
    width = max(map(len, commands))
    console.say(_("What next?"))
    for command, purpose in commands.items():
        console.say(f"  {command:<{width}}  # {purpose}")


def _create_random(
    spec: CharacterSpec, answers_file: AnswersFile, target: _Target, free_name: bool
) -> None:
    """Create a character whose missing answers are chosen at random.

    With ``free_name``, a name that has no file yet is preferred. Without it, the seed alone decides
    the name.
    """
    random_answers, names = RandomAnswers(spec.seed), spec.ruleset.head.names
    if free_name:
        names = tuple(name for name in names if not target.path(name).exists()) or names
    spec = replace(spec, name=spec.name or random_answers.name(names))
    allowed = may_write(target.path(spec.name), target.force)
    with located_errors(answers_file):
        character = answer_all(spec, random_answers)
    document = _save(spec, character, target, allowed, answers_file.answers)
    print_examples(random_answers, document.answers)


def _save(
    spec: CharacterSpec, character: Character, target: _Target, allowed: bool, typed: Container[str]
) -> Document:
    """Write a new character, print its path and remarks, and make its sheet if asked to.

    ``typed`` are the decisions that were not answered in the wizard. Returns what was written.
    """
    document = SIGNATURE.get().sign(build_document(spec, character))
    path = target.path(document.name)
    if path == STDOUT:
        write_result(path, to_text(document).encode(), allowed)
        return document
    storage.save(document, path, replace=allowed)
    console.print_result(str(path))
    say_remarks(character.state, file=path)
    say_similar_options(character, typed, file=path)
    if target.sheet:
        console.print_result(_write_sheet(path, target.force or allowed))
    return document


def _write_sheet(file: Path, force: bool) -> str:
    """Write the sheet of a saved character, and return the path of the sheet."""
    # Here, because only --sheet prints: Jinja and fonts take 100 ms to import.
    from charforge.cli.printing.sheet import write_default_sheet

    return str(write_default_sheet(file, force))


class _RandomCharacter(NamedTuple):
    """The task to create one of many random characters.

    Its ruleset is given by id, so that each process loads it once instead
    of receiving it with every task.
    """

    ruleset: str
    packs: tuple[str, ...]
    seed: str
    name: str
    level: int
    rules: Mapping[str, str]
    answers_file: AnswersFile
    path: Path
    replace: bool
    sheet: bool
    signature: Signature
    shared: SharedUnit | None


def _create_many(
    spec: CharacterSpec,
    answers_file: AnswersFile,
    count: int,
    target: _Target,
    workers: batch.Workers,
) -> None:
    """Create many random characters; failures are listed and the others still written.

    The seed of each is made of the first one and its number.
    """
    packs = tuple(pack.id for pack in spec.ruleset.packs)
    tasks = []
    for number in range(1, count + 1):
        seed = f"{spec.seed}-{number}"
        name = spec.name or RandomAnswers(seed).name(spec.ruleset.head.names)
        path = numbered_path(target.output, name, number, count)
        allowed = target.force or workers.may_repeat(path, count) or may_replace(path)
        tasks.append(_RandomCharacter(
            spec.ruleset.id, packs, seed, name, spec.level, spec.rules, answers_file, path, allowed,
            target.sheet, SIGNATURE.get(), spec.shared,
        ))  # fmt: skip
    if count == 1:
        console.print_result(_create_one(tasks[0]))
        return
    paths = [task.path for task in tasks]
    batch.run_batch(_create_one, tasks, paths, paths, workers)


_load_once = lru_cache(maxsize=1)(load)


def _create_one(task: _RandomCharacter) -> str:
    """Create one of many characters and return the paths that were written, one per line."""
    ruleset = _load_once(task.ruleset, task.packs)
    answers, units = task.answers_file.answers, task.answers_file.units
    spec = CharacterSpec(
        ruleset, task.seed, task.name, task.level, task.rules, answers, shared=task.shared,
        units=units,
    )  # fmt: skip
    random_answers = RandomAnswers(task.seed)
    with located_errors(task.answers_file):
        character = answer_all(spec, random_answers)
    document = task.signature.sign(build_document(spec, character))
    storage.save(document, task.path, replace=task.replace)
    say_remarks(character.state, of=f"{task.path}: ")
    say_similar_options(character, task.answers_file.answers, of=f"{task.path}: ")
    print_examples(random_answers, document.answers)
    return f"{task.path}\n{_write_sheet(task.path, task.replace)}" if task.sheet else str(task.path)
