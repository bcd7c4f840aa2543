"""What something asks as it comes to a character: given with --with or a file, or asked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from charforge.answers.file import parse_answer
from charforge.answers.random import RandomAnswers
from charforge.cli import answers_options, console
from charforge.decisions.base import Decision
from charforge.errors import UsageError
from charforge.replay.loaded import LoadedCharacter
from charforge.replay.spec import CharacterSpec
from charforge.usecases.change import Draft, try_change
from charforge.usecases.inventory import refuse_unused

WithOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--with", metavar="CHOICE=ANSWER", help="Answer a choice of the item; repeat for several."
    ),
]
NoteOption = Annotated[str, typer.Option("--note", metavar="TEXT", help="A note for the history.")]


def answers(
    before: LoadedCharacter,
    made: Draft,
    given: list[str] | None,
    file: Path | None,
    random: bool = False,
) -> dict[str, Any]:
    """Return the answers to what an event asks: those given, then those asked for here.

    With ``random`` chance answers what is left. Raises UsageError where
    something is left and nobody can be asked.
    """
    known = _named(before, made, given or [], file)
    found = try_change(before, [made], known)
    refuse_unused(found, known)
    if not found.open or found.problems:
        return known
    if random:
        chance = RandomAnswers(before.document.seed)
        filled = try_change(before, [made], known, chance)
        effective = filled.character.state.answers
        answers_options.say_examples(chance, effective)
        return {d.id: effective[d.id] for d in filled.fresh}
    if before.character.open or not console.somebody_there():
        raise _missing(before, found.open)
    return _asked(before, found, known)


def _named(
    before: LoadedCharacter, made: Draft, given: list[str], file: Path | None
) -> dict[str, Any]:
    """Return what was given by decision id: a choice's own name is enough."""
    known = dict(answers_options.read(file).answers)
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


def _missing(before: LoadedCharacter, left: tuple[Decision, ...]) -> Exception:
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
        + "\nGive them with --with, or in a file with --answers."
    )


def _asked(before: LoadedCharacter, found: Any, known: dict[str, Any]) -> dict[str, Any]:
    """Ask what is open with the wizard, whose plan holds the event on trial."""
    # Here, because answers from options need no prompts, which take long to import.
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
