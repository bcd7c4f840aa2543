"""Answers files among the options: read, joined with them, and their faults placed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from charforge.answers import file
from charforge.answers.file import AnswersFile
from charforge.answers.random import RandomAnswers
from charforge.cli import console
from charforge.cli.messages import sentence
from charforge.errors import AnswerError, AnswersError, UnknownId, UnusedAnswers, UsageError
from charforge.replay.spec import CharacterSpec, check_level, check_name, check_rules, new_seed
from charforge.rules.loader import load, ruleset_for
from charforge.usecases.create import refuse_unknown

Made = TypeVar("Made")


def read(path: Path | None) -> AnswersFile:
    """Read an answers file; without one, nothing is answered."""
    return file.AnswersFile(Path()) if path is None else file.read_answers(path)


def plan(
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
    chosen = {**given.rules, **dict(map(rule, rules))}
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
    located(given, lambda: refuse_unknown(made))
    return made


def rule(text: str) -> tuple[str, str]:
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


def located(given: AnswersFile, create: Callable[[], Made]) -> Made:
    """Run, and give errors about answers the line of the file that holds them."""
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
