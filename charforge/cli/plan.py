"""``plan``: planned choices for later levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from charforge.answers.file import parse_answer
from charforge.cli import console
from charforge.cli.answers_options import (
    Draft,
    Interview,
    ask_with_draft,
    draft_path,
    located_errors,
    read_answers_file,
)
from charforge.cli.changes import SIGNATURE, ChangeCommand, save_change
from charforge.cli.completion import complete_planned
from charforge.cli.console import FrontEnd, front_end_of, print_json
from charforge.cli.options import AnswersOption, AsJson, CharacterFile, read_pair
from charforge.errors import UsageError, shorten
from charforge.json_model import JsonModel
from charforge.language import N_, _
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, level_read, load_character
from charforge.rules.models import Entity
from charforge.rules.names import exact_matches
from charforge.usecases import plan as planning
from charforge.usecases.plan import (
    PlannedChoice,
    WantedPlan,
    find_plan,
    find_wanted,
    planned_choices,
)

app = typer.Typer(add_completion=False)


@app.command("plan", cls=ChangeCommand)
def plan(
    ctx: typer.Context,
    file: CharacterFile,
    choices: Annotated[
        Optional[list[str]],
        typer.Argument(metavar="[DECISION=ANSWER…]", help=N_("Planned answers in YAML.")),
    ] = None,
    answers: AnswersOption = None,
    drop: Annotated[
        Optional[list[str]],
        typer.Option(
            "--drop",
            metavar="DECISION",
            autocompletion=complete_planned,
            help=N_("Remove a choice from the plan."),
        ),
    ] = None,
    clear: Annotated[
        bool, typer.Option("--clear", help=N_("Remove all choices from the plan."))
    ] = False,
    want: Annotated[
        Optional[list[str]],
        typer.Option(
            "--want",
            metavar="NAME",
            help=N_("Find the fewest choices that lead to this; repeat for several."),
        ),
    ] = None,
    to: Annotated[
        Optional[int], typer.Option("--to", metavar="N", help=N_("Plan the levels up to N."))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Plan choices for later levels; level-up suggests them.

    Without arguments you are asked about the next level. Without a terminal
    the plan is listed, and whether each choice will be legal. --want finds
    and saves a plan, or explains why there is none.

    \b
    Examples:
      charforge plan nix.json
      charforge plan nix.json "level.4.systems=[system/focus-ii]"
      charforge plan nix.json --want "focus ii" --want charge --to 6
      charforge plan nix.json --drop level.4.systems
      charforge plan nix.json --json
    """
    before = load_character(file)
    to = level_read(before, to)
    answers_file = read_answers_file(answers)
    planned = {**answers_file.answers, **dict(map(_read_choice, choices or []))}
    at_maximum = before.document.level == before.ruleset.head.advancement.maximum
    after = before
    if want and (planned or drop or clear):
        raise UsageError(
            _("--want finds the choices itself"), _("Leave out the other choices and options.")
        )
    if want and SIGNATURE.get().by.isdecimal():
        raise UsageError(
            _("--by names who makes the change"), _("Set the level with --to, such as --to 6.")
        )
    if want:
        after = _plan_wanted(before, want, to)
    elif planned or drop or clear:
        with located_errors(answers_file):
            after = planning.change_plan(before, planned, drop or (), clear=clear)
    elif not (as_json or at_maximum) and console.is_interactive():
        after = _ask_plan(file, before, to)
    if after is not before:
        save_change(before, after, file)
    _print_plan(front_end_of(ctx), file, after, to, as_json)


def _plan_wanted(before: LoadedCharacter, names: list[str], by: int | None) -> LoadedCharacter:
    """Return the character with the plan that leads to what is wanted, and say what is new."""
    wanted = [_wanted(before, name) for name in names]
    try:
        found = find_plan(before, wanted, by, _show_progress)
    finally:
        console.show_status("")
    for sentence in _without_new_choice(before, wanted, found):
        console.say(sentence)
    if not found.picks:
        return before
    if found.replaces_former:
        console.say(_("The former plan made this impossible; it is replaced."))
    dropped = [name for name in before.document.plan if name not in found.answers]
    return planning.change_plan(before, found.answers, dropped)


def _wanted(before: LoadedCharacter, name: str) -> Entity:
    """Return what a player wants; a plan is made for a part of a name only if they agree.

    Raises UsageError, as without a terminal.
    """
    entity = find_wanted(before, name)
    if exact_matches([entity], name, lambda entity: entity.names):
        return entity
    question = _("Did you mean {near}?").format(near=entity.name)
    reason = _("no choice of later levels is called {name}").format(name=shorten(name))
    console.require_yes(question, reason, question, reason)
    return entity


def _without_new_choice(
    before: LoadedCharacter, wanted: Sequence[Entity], found: WantedPlan
) -> Iterator[str]:
    """Yield what of the wanted needs no new choice, as sentences."""
    held = {holding.entity.id for holding in before.character.state.holdings}
    answers = (
        answer if isinstance(answer, list) else [answer] for answer in found.answers.values()
    )
    planned = list(chain.from_iterable(answers))
    had = [entity.name for entity in wanted if entity.id in held]
    given = [entity.name for entity in wanted if entity.id not in (*held, *planned)]
    if had:
        yield _("{character} already has {names}.").format(
            character=before.character.name, names=", ".join(had)
        )
    if given:
        yield _("You get {names} without choosing anything.").format(names=", ".join(given))
    if not found.picks and len(had) + len(given) < len(wanted):
        yield _("The plan already leads there.")


def _show_progress(number: int) -> None:
    console.show_status(_("{number} plans tried").format(number=number))


def _read_choice(text: str) -> tuple[str, Any]:
    """Return id and answer of a choice of the form DECISION=ANSWER. Raises UsageError."""
    example = '"level.4.systems=[system/quick]".'
    name, answer = read_pair(repr(text), text, "DECISION=ANSWER", example)
    return name, parse_answer(answer)


def _print_plan(
    front_end: FrontEnd, file: Path, loaded: LoadedCharacter, to: int | None, as_json: bool
) -> None:
    """List the plan, and whether each choice will be legal."""
    planned = planned_choices(loaded, to)
    if as_json:
        print_json(map(_choice_json, planned))
        return
    if not planned:
        unplanned = _("{name} has no plan").format(name=loaded.document.name)
        console.print_result(front_end.about(file, unplanned))
        return
    title = _("the plan of {name}").format(name=loaded.document.name)
    console.print_result(front_end.about(file, title))
    for choice in planned:
        label = loaded.ruleset.answer_label_by_id
        answers = choice.answer if isinstance(choice.answer, list) else [choice.answer]
        plain = ", ".join(label(choice.id, str(item)) for item in answers)
        text = choice.decision.answer_text(choice.answer) if choice.decision else plain
        refusal = (
            _(" [not legal: {reasons}]").format(reasons="; ".join(choice.reasons))
            if choice.reasons
            else ""
        )
        heading = loaded.ruleset.decision_label(choice.id)
        if choice.decision is not None:
            heading = choice.decision.heading()
        console.print_result(f"  {heading}: {text}{refusal}")


class PlannedChoiceJson(JsonModel):
    """A planned choice in the output of ``plan --json``, with the reasons why it is not legal."""

    decision: str
    answer: Any
    legal: bool
    reasons: tuple[str, ...]


def _choice_json(choice: PlannedChoice) -> PlannedChoiceJson:
    return PlannedChoiceJson(
        decision=choice.id, answer=choice.answer, legal=not choice.reasons, reasons=choice.reasons
    )


def _ask_plan(file: Path, before: LoadedCharacter, to: int | None) -> LoadedCharacter:
    """Ask the choices of later levels in the wizard, and return the character with the plan."""
    spec, asked = planning.preview_plan(before, to)
    fixed = frozenset(decision.id for decision in spec.replay().asked) - asked
    settled = fixed | before.document.answers.keys()

    def to_draft(present: CharacterSpec) -> CharacterSpec:
        new = {name: answer for name, answer in present.answers.items() if name not in settled}
        return replace(present, answers=new)

    draft = draft_path(file.with_name(f"{file.stem}.plan.yaml"))
    command = f"charforge plan {console.quoted(file)} --answers"
    with ask_with_draft(spec, Draft(draft, command), to_draft, Interview(fixed=fixed)) as answered:
        return planning.replace_planned(before, answered.answers)
