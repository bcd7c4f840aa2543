"""``new`` and ``level-up``: the three ways to answer, on one path."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional, TypeVar

import typer

from charforge.cli import screen
from charforge.cli.options import (
    AnswersOption,
    CharacterFile,
    ForceOption,
    OutOption,
    RandomOption,
    RulesetOption,
    SeedOption,
)

if TYPE_CHECKING:
    from charforge import service
    from charforge.answers.file import AnswersFile

Made = TypeVar("Made")
UNSAFE = '/\\:*?"<>|'
DRAFT = ".draft.yaml"


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("new")(new)
    app.command("level-up")(level_up)


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
    resume: Annotated[
        Optional[Path], typer.Option(metavar="DRAFT", help="Go on with a draft.")
    ] = None,
    output: OutOption = None,
    force: ForceOption = False,
    sheet: Annotated[bool, typer.Option("--sheet", help="Make its sheet too.")] = False,
    template: Annotated[
        bool, typer.Option("--template", help="Print an answers file with every decision.")
    ] = False,
) -> None:
    """Create a character: the wizard asks, a file answers, or chance does.

    Without -o it is written to NAME.json in this folder.

    \b
    Examples:
      charforge new
      charforge new --random --seed 7 --level 3 --sheet
      charforge new --template > answers.yaml
      charforge new --answers answers.yaml -o nix.json
      charforge new --resume "Nix.draft.yaml"
    """
    from charforge.errors import UsageError

    given = _file(resume or answers)
    if resume is not None and answers is not None:
        raise UsageError("--resume and --answers both name the answers", "Give one of them.")
    if count is not None and not random:
        raise UsageError("--count makes characters by chance", "Add --random.")
    if count is not None and not 1 <= count <= 100_000:
        raise UsageError(f"--count is {count}; it goes from 1 to 100000")
    plan = _plan(given, ruleset, name, level, seed, rule or [])
    if template:
        from charforge.answers.template import template as commented

        screen.result(commented(plan.ruleset, plan.level))
        return
    if count is None:
        _make(plan, given, random, output, force, sheet, resume)
        return
    for number in range(1, count + 1):
        one = replace(plan, seed=f"{plan.seed}-{number}")
        _make(one, given, True, _numbered(output, number, count), force, sheet, None, number)


def _file(path: Path | None) -> AnswersFile | None:
    if path is None:
        return None
    from charforge.answers.file import read

    return read(path)


def _plan(
    given: AnswersFile | None,
    ruleset: str | None,
    name: str | None,
    level: int | None,
    seed: str | None,
    rules: list[str],
) -> service.Plan:
    """Join the options and the file: options win, the file comes next."""
    from charforge import service
    from charforge.answers.file import AnswersFile
    from charforge.content.load import default_ruleset, load
    from charforge.errors import UsageError

    given = given or AnswersFile(Path())
    chosen = dict(given.rules)
    for text in rules:
        key, equals, value = text.partition("=")
        if not equals:
            raise UsageError(
                f"--rule {text!r} is not of the form K=V", "For example cooldown=or_less."
            )
        chosen[key.strip()] = value.strip()
    with _placed(given, "ruleset", ruleset is None and given.ruleset != ""):
        loaded = load(ruleset if ruleset is not None else given.ruleset or default_ruleset())
    with _placed(given, "table_rules", not rules and bool(given.rules)):
        service.check_rules(loaded, chosen)
    with _placed(given, "level", level is None and given.level is not None):
        reached = level if level is not None else 1 if given.level is None else given.level
        service.check_level(loaded, reached)
    with _placed(given, "name", name is None and given.name != ""):
        called = name if name is not None else given.name
        if called:
            service.check_name(called)
    return service.Plan(
        loaded,
        seed if seed is not None else given.seed or service.new_seed(),
        called,
        reached,
        chosen,
        given.answers,
    )


@contextmanager
def _placed(given: AnswersFile, key: str, from_file: bool) -> Iterator[None]:
    """Give an error about a key of the answers file its place there."""
    from charforge.cli.messages import sentence
    from charforge.errors import AnswersError, UnknownId, UsageError

    try:
        yield
    except (UnknownId, UsageError) as error:
        if not from_file:
            raise
        raise AnswersError(given.path, [(given.line(key), sentence(error))]) from error


def _make(
    plan: service.Plan,
    given: AnswersFile | None,
    random: bool,
    output: Path | None,
    force: bool,
    sheet: bool,
    draft: Path | None,
    number: int = 0,
) -> None:
    """Answer a plan, save the character, and say where it is."""
    from charforge import service
    from charforge.document import store

    if random:
        from charforge.answers.chance import Chance

        chance = Chance(plan.seed)
        plan = replace(plan, name=plan.name or chance.name(plan.ruleset.head.names))
        path = output or _default_path(plan.name, number)
        allowed = may_write(path, force)
        made = _located(given, lambda: service.create(plan, chance))
    elif screen.somebody_there() and (draft is not None or _unfinished(plan)):
        plan, draft = _asked(plan, draft, output)
        plan = replace(plan, answers=plan.walk().answers())  # not those nothing asks for now
        path = output or _default_path(plan.name)
        allowed = may_write(path, force)
        made = _located(given, lambda: service.create(plan))
    else:
        made = _located(given, lambda: service.create(plan))
        path = output or _default_path(plan.name)
        allowed = may_write(path, force)
    store.save(made, path, replace=allowed)
    if draft is not None:
        draft.unlink(missing_ok=True)
    screen.result(str(path))
    if sheet:
        from charforge.cli.sheet import make

        make([path], force=force or allowed)


def _unfinished(plan: service.Plan) -> bool:
    """Whether something is left to ask."""
    return not plan.name or bool(plan.walk().open)


def _located(given: AnswersFile | None, create: Callable[[], Made]) -> Made:
    """Run, and give errors about answers the line of the file that holds them."""
    from charforge.errors import AnswerError, AnswersError

    try:
        return create()
    except AnswersError as error:
        if given is None:
            raise
        faults = [(_line(given, reason), reason) for _line_number, reason in error.faults]
        raise AnswersError(given.path, faults) from error
    except AnswerError as error:
        if given is None:
            raise
        problems = [(_place(given, where), why) for where, why in error.problems]
        raise AnswerError(problems) from error


def _line(given: AnswersFile, reason: str) -> int:
    named = (name for name in given.answers if repr(name) in reason)
    return next((given.line("answers", name) for name in named), 0)


def _place(given: AnswersFile, decision: str) -> str:
    """Name a decision, and where the file answers it."""
    if decision not in given.answers:
        return decision
    return f"{given.path}:{given.line('answers', decision)}: {decision}"


def _asked(
    plan: service.Plan, draft: Path | None, output: Path | None
) -> tuple[service.Plan, Path]:
    """Run the wizard, its answers kept in a draft after each one."""
    from charforge.answers import wizard

    where = draft or _draft_path(plan.name, output)

    def keep(present: service.Plan) -> None:
        _write_draft(present, where)

    try:
        return wizard.run(plan, keep), where
    except KeyboardInterrupt:
        if where.exists():
            screen.say(
                f"\nYour answers are kept. Go on with: charforge new --resume {_quoted(where)}"
            )
        raise typer.Exit(130) from None


def _write_draft(plan: service.Plan, path: Path) -> None:
    from charforge.answers.file import write
    from charforge.document import store

    text = write(plan.ruleset, plan.name, plan.level, plan.seed, plan.rules, plan.answers)
    store.write(path, text.encode())


def _quoted(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))


def _draft_path(name: str, output: Path | None) -> Path:
    """Return a draft beside the output, one that no other draft uses."""
    base = output if output is not None else _default_path(name or "character")
    number, path = 1, base.with_name(base.stem + DRAFT)
    while path.exists():
        number += 1
        path = base.with_name(f"{base.stem}-{number}{DRAFT}")
    return path


def _default_path(name: str, number: int = 0) -> Path:
    """Return NAME.json, without what a file name may not hold."""
    kept = "".join("_" if sign in UNSAFE or ord(sign) < 32 else sign for sign in name).strip(". ")
    while len(kept.encode()) > 200:
        kept = kept[:-1]
    suffix = f"-{number}" if number else ""
    return Path(f"{kept or 'character'}{suffix}.json")


def _numbered(output: Path | None, number: int, count: int) -> Path | None:
    if output is None or count == 1:
        return output
    return output.with_name(f"{output.stem}-{number}{output.suffix}")


def may_write(path: Path, force: bool) -> bool:
    """Return whether an existing file may be replaced; ask where somebody is there."""
    from charforge.document import store

    store.refuse(path, replace=True)
    agreed = force or (
        path.exists() and screen.somebody_there() and screen.agreed(f"{path} exists. Replace it?")
    )
    store.refuse(path, agreed)
    return agreed


def level_up(
    file: CharacterFile,
    to: Annotated[
        Optional[int], typer.Option("--to", metavar="N", help="Up to this level.")
    ] = None,
    answers: AnswersOption = None,
    random: RandomOption = False,
    seed: SeedOption = None,
) -> None:
    """Advance a character: HP, Slots and whatever the level brings.

    \b
    Examples:
      charforge level-up nix.json
      charforge level-up nix.json --to 5 --random
      charforge level-up nix.json --answers level-4.yaml
    """
    from charforge import service
    from charforge.document import store
    from charforge.errors import UsageError

    before = service.open_file(file)
    target = before.document.level + 1 if to is None else to
    given = _file(answers)
    if given is not None and given.ruleset not in ("", before.ruleset.id):
        raise UsageError(f"{answers} is for {given.ruleset}, {file} is of {before.ruleset.id}")
    chosen: dict[str, Any] = dict(given.answers) if given else {}
    dice = seed if seed is not None else before.document.seed
    if random:
        from charforge.answers.chance import Chance

        after = _located(given, lambda: service.level_up(before, target, chosen, Chance(dice)))
    elif screen.somebody_there():
        chosen = _asked_level(before, target, chosen, dice, file)
        after = service.level_up(before, target, chosen)
    else:
        after = _located(given, lambda: service.level_up(before, target, chosen))
    store.save(after.document, file)
    from charforge.cli.read import report_level

    report_level(before, after, file)


def _asked_level(
    before: service.Opened, target: int, chosen: dict[str, Any], seed: str, file: Path
) -> dict[str, Any]:
    """Ask a level's decisions; what was answered stays in a draft if interrupted."""
    from charforge import service
    from charforge.answers import wizard

    loaded = before.document
    service.check_advance(before, target)
    fixed = frozenset(loaded.answers)
    plan = service.Plan(
        before.ruleset, seed, loaded.name, target, loaded.rules, {**loaded.answers, **chosen}
    )
    where = file.with_name(f"{file.stem}.level-{target}{DRAFT}")

    def fresh(present: service.Plan) -> dict[str, Any]:
        return {name: answer for name, answer in present.answers.items() if name not in fixed}

    def keep(present: service.Plan) -> None:
        _write_draft(replace(present, answers=fresh(present)), where)

    try:
        done = wizard.run(plan, keep, fixed=fixed)
    except KeyboardInterrupt:
        if where.exists():
            screen.say(
                f"\n{file} is unchanged. Go on with: charforge level-up {_quoted(file)}"
                f" --to {target} --answers {_quoted(where)}"
            )
        raise typer.Exit(130) from None
    where.unlink(missing_ok=True)
    return fresh(done)
