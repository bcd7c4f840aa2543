"""Answers from options, files, drafts and prompts, with the place of each error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Optional, TypeVar

import typer

from charforge.answers.file import AnswersFile, answers_text, parse_answer, read_answers
from charforge.answers.random import RandomAnswers
from charforge.character import storage
from charforge.cli import console
from charforge.cli.messages import sentence
from charforge.decisions.base import Decision
from charforge.errors import (
    AnswerError,
    AnswersError,
    CharforgeError,
    UnknownId,
    UnusedAnswers,
    UsageError,
)
from charforge.replay.loaded import LoadedCharacter
from charforge.replay.spec import CharacterSpec, check_level, check_name, check_rules, new_seed
from charforge.rules.loader import load, ruleset_for
from charforge.usecases.change import EventDraft, try_change
from charforge.usecases.create import refuse_unknown_answers
from charforge.usecases.inventory import refuse_unused

Made = TypeVar("Made")


DRAFT_ENDING = ".draft.yaml"


def read_answers_file(path: Path | None) -> AnswersFile:
    """Read an answers file; without one, nothing is answered."""
    return AnswersFile(Path()) if path is None else read_answers(path)


def character_spec(
    given: AnswersFile,
    ruleset: str | None,
    name: str | None,
    level: int | None,
    seed: str | None,
    rules: list[str],
    packs: list[str] | None = None,
) -> CharacterSpec:
    """Join the options and the file: options win, the file comes next.

    Packs without a ruleset are of the one that they amend.

    Raises AnswersError with the line for what the file has wrong.
    """
    chosen = {**given.rules, **dict(map(parse_table_rule, rules))}
    called = given.name if name is None else name
    reached = level if level is not None else 1 if given.level is None else given.level
    used = tuple(packs) if packs else given.packs
    with _placed(given, "packs", not packs and bool(given.packs)):
        game = ruleset_for(given.ruleset or None if ruleset is None else ruleset, used)
    with _placed(given, "ruleset", ruleset is None and given.ruleset != ""):
        load(game)
    with _placed(given, "packs", not packs and bool(given.packs)):
        loaded = load(game, used)
    with _placed(given, "table_rules", not rules and bool(given.rules)):
        check_rules(loaded, chosen)
    with _placed(given, "level", level is None and given.level is not None):
        check_level(loaded, reached)
    if called:
        with _placed(given, "name", name is None):
            check_name(called)
    seed = seed if seed is not None else given.seed or new_seed()
    made = CharacterSpec(loaded, seed, called, reached, chosen, given.answers)
    locate_errors(given, lambda: refuse_unknown_answers(made))
    return made


def parse_table_rule(text: str) -> tuple[str, str]:
    """Read a table rule of the form K=V."""
    key, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--rule {text!r} is not of the form K=V", "For example cooldown=or_less.")
    return key.strip(), value.strip()


@contextmanager
def _placed(given: AnswersFile, key: str, from_file: bool) -> Iterator[None]:
    """Give an error about a key of the answers file its place there."""
    try:
        yield
    except (UnknownId, UsageError) as error:
        if not from_file:
            raise
        raise AnswersError(given.path, [(given.line(key), sentence(error))]) from error


def locate_errors(given: AnswersFile, create: Callable[[], Made]) -> Made:
    """Run a function; give its errors about answers their line in the answers file."""
    try:
        return create()
    except UnusedAnswers as error:
        faults = [(_line(given, name), reason) for name, reason in error.unused]
        raise AnswersError(given.path, faults) from error
    except AnswerError as error:
        raise AnswerError((_place(given, where), why) for where, why in error.problems) from error


def say_examples(chance: RandomAnswers, answers: Mapping[str, Any]) -> None:
    """Say on stderr which answers are examples, for the book leaves them open."""
    examples = {name: one for name, one in chance.examples.items() if name in answers}
    if examples:
        console.say("The book leaves these open; they are examples, change them with edit:")
    for name, decision in examples.items():
        shown = decision.answer_text(answers[name])
        console.say(f"  {name}: {decision.title()} {shown}")


def _line(given: AnswersFile, decision: str) -> int:
    """Return the line that answers a decision; 0 where the file does not."""
    return given.line("answers", decision) if decision in given.answers else 0


def _place(given: AnswersFile, decision: str) -> str:
    """Name a decision, and where the file answers it."""
    if decision not in given.answers:
        return decision
    return f"{given.path}:{given.line('answers', decision)}: {decision}"


WithOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--with", metavar="CHOICE=ANSWER", help="Answer a choice of the item; repeat for several."
    ),
]
NoteOption = Annotated[str, typer.Option("--note", metavar="TEXT", help="A note for the history.")]


def event_answers(
    before: LoadedCharacter,
    made: EventDraft,
    given: list[str] | None,
    file: Path | None,
    random: bool = False,
) -> dict[str, Any]:
    """Return the event_answers to what an event asks: those given, then those asked for here.

    With ``random`` chance event_answers what is left. Raises UsageError where
    something is left and nobody can be asked.
    """
    known = _answers_by_id(before, made, given or [], file)
    found = try_change(before, [made], known)
    refuse_unused(found, known)
    if not found.open or found.problems:
        return known
    if random:
        chance = RandomAnswers(before.document.seed)
        filled = try_change(before, [made], known, chance)
        effective = filled.character.state.answers
        say_examples(chance, effective)
        return {d.id: effective[d.id] for d in filled.fresh}
    if before.character.open or not console.somebody_there():
        raise _missing_choices(before, found.open)
    return _ask_choices(before, found, known)


def _answers_by_id(
    before: LoadedCharacter, made: EventDraft, given: list[str], file: Path | None
) -> dict[str, Any]:
    """Return what was given by decision id: a choice's own name is enough."""
    known = dict(read_answers_file(file).answers)
    for text in given:
        name, equals, answer = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(
                f"--with {text!r} is not of the form CHOICE=ANSWER", "For example size=2-man."
            )
        known[name.strip()] = parse_answer(answer)
    prefix = f"event.{len(before.document.log) + 1}."
    asked = {decision.id for decision in try_change(before, [made]).character.asked}
    return {
        name if name in asked or name.startswith(prefix) else prefix + name: answer
        for name, answer in known.items()
    }


def _missing_choices(before: LoadedCharacter, left: tuple[Decision, ...]) -> Exception:
    """Return the error that names what is not answered, each with its options."""
    prefix = f"event.{len(before.document.log) + 1}."
    lines = []
    for decision in left:
        options = ", ".join(str(offer.id) for offer in decision.options() if offer.legal)
        name = decision.id.removeprefix(prefix)
        shown = f"{decision.ask.label} {f'({options})' if options else ''}".rstrip()
        lines.append(f"  {decision.id}  {shown}  --with {name}=…")
    return UsageError(
        "these decisions are open, and no terminal is there to ask:\n"
        + "\n".join(lines)
        + "\nGive them with --with, or in a file with --event_answers."
    )


def _ask_choices(before: LoadedCharacter, found: Any, known: dict[str, Any]) -> dict[str, Any]:
    """Ask what is open with the wizard, whose plan holds the event on trial."""
    # Here, because event_answers from options need no prompts, which take long to import.
    from charforge import wizard

    loaded = before.document
    plan = CharacterSpec(
        before.ruleset,
        loaded.seed,
        loaded.name,
        found.character.state.level,
        {},
        {**loaded.answers, **known},
        (*loaded.log, *found.events),
    )
    fixed = frozenset(loaded.answers)
    try:
        done = wizard.run(plan, lambda _plan: None, fixed=fixed)
    except KeyboardInterrupt:
        console.say("Nothing was changed.")
        raise typer.Exit(130) from None
    return {name: answer for name, answer in done.answers.items() if name not in fixed}


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
    """Remove a draft whose character is saved; a file of the user's own stays."""
    if resumed is not None and resumed.name.endswith(DRAFT_ENDING):
        resumed.unlink(missing_ok=True)


@contextmanager
def keep_draft(path: Path, command: str) -> Iterator[Callable[[CharacterSpec], None]]:
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
