"""``level-up``: advance a character, with the wizard, from a file or at random."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from charforge.answers.file import AnswersFile
from charforge.answers.random import RandomAnswers
from charforge.character import storage
from charforge.character.state import Unit
from charforge.cli import answers_options, console
from charforge.cli.answers_options import draft_path, keep_draft
from charforge.cli.changes import say_level
from charforge.cli.options import (
    AnswersOption,
    CharacterFile,
    Command,
    RandomOption,
    SeedOption,
    UnitOption,
)
from charforge.errors import UsageError
from charforge.replay.loaded import LoadedCharacter, load_character
from charforge.replay.replay import leave_open
from charforge.replay.spec import CharacterSpec
from charforge.usecases.change import try_change
from charforge.usecases.level_up import (
    check_advance,
    draft_advances,
    level_up_character,
    refused_planned_answers,
)
from charforge.usecases.lookup import find_unit

app = typer.Typer(add_completion=False)


@app.command("level-up", cls=Command)
def level_up(
    file: CharacterFile,
    to: Annotated[
        Optional[int],
        typer.Option("--to", metavar="N", help="The level to reach (default: the next)."),
    ] = None,
    answers: AnswersOption = None,
    random: RandomOption = False,
    seed: SeedOption = None,
    unit: UnitOption = None,
) -> None:
    """Advance a character by one level or more.

    Choices planned for the level are suggested first. With --unit a vehicle
    is upgraded instead, up to its owner's level.

    \b
    Examples:
      charforge level-up nix.json
      charforge level-up nix.json --to 5 --random
      charforge level-up nix.json --answers level-4.yaml
      charforge level-up nix.json --unit bike
    """
    before = load_character(file)
    answers_file = answers_options.read_answers_file(answers)
    _refuse_other_character(answers_file, before)
    state = before.character.state
    chosen_unit = None if unit is None else find_unit(state, unit)
    chosen_unit = None if chosen_unit is state.units[0] else chosen_unit
    present_level = before.document.level if chosen_unit is None else state.level_of(chosen_unit)
    target_level = to if to is not None else answers_file.level
    target = present_level + 1 if target_level is None else target_level
    dice_seed = seed if seed is not None else answers_file.seed or before.document.seed
    answers_options.locate_errors(
        answers_file, lambda: check_advance(before, target, answers_file.answers, chosen_unit)
    )
    if not random and console.somebody_there():
        _ask_level(before, target, answers_file, dice_seed, file, chosen_unit)
        return
    chance = RandomAnswers(dice_seed)
    source = chance if random else leave_open
    after = answers_options.locate_errors(
        answers_file,
        lambda: level_up_character(before, target, answers_file.answers, source, chosen_unit),
    )
    _print_refused_plan(before, target, answers_file.answers, chosen_unit)
    _save(before, after, file)
    answers_options.say_examples(chance, after.document.answers)


def _refuse_other_character(answers_file: AnswersFile, before: LoadedCharacter) -> None:
    """Refuse a file that is about another character."""
    document = before.document
    for what, theirs, ours in (
        ("ruleset", answers_file.ruleset, document.ruleset),
        ("packs", list(answers_file.packs), [pack.id for pack in before.ruleset.packs]),
        ("name", answers_file.name, document.name),
        ("table rules", answers_file.rules, before.character.state.rules),
    ):
        if theirs and theirs != ours:
            raise UsageError(
                f"{answers_file.path} is for {theirs}, this character has {what} {ours}"
            )


def _print_refused_plan(
    before: LoadedCharacter, target: int, answers: Any, unit: Unit | None
) -> None:
    """Print the planned choices that the rules no longer allow, with the reasons."""
    for name, reasons in refused_planned_answers(before, target, answers, unit).items():
        console.say(f"planned {name}: {'; '.join(reasons)}")


def _ask_level(
    before: LoadedCharacter,
    target: int,
    answers_file: AnswersFile,
    seed: str,
    file: Path,
    unit: Unit | None,
) -> None:
    """Ask a level's decisions and save; until then the answers are in a draft."""
    # Here, because answers from options need no prompts, which take long to import.
    from charforge import wizard

    document = before.document
    fixed = frozenset(document.answers)
    trial = try_change(before, draft_advances(before, target, unit), groups=True)
    if not trial.open:  # such as an upgrade that brings no room for anything
        after = answers_options.locate_errors(
            answers_file,
            lambda: level_up_character(before, target, answers_file.answers, unit=unit),
        )
        _save(before, after, file)
        return
    log = (*document.log, *trial.events)
    asked_ids = {decision.id for decision in trial.character.asked} | set(answers_file.answers)
    planned = {name: answer for name, answer in document.plan.items() if name in asked_ids}
    answers = {**document.answers, **planned, **answers_file.answers}
    plan = CharacterSpec(
        before.ruleset, seed, document.name, trial.character.state.level, {}, answers, log
    )

    def new_answers(present: CharacterSpec) -> dict[str, Any]:
        return {name: answer for name, answer in present.answers.items() if name not in fixed}

    resumed = answers_file.path if answers_file.answers else None
    unit_part = f"{unit.id}." if unit is not None else ""
    draft = draft_path(file.with_name(f"{file.stem}.{unit_part}level-{target}.yaml"), resumed)
    command = f"charforge level-up {console.quoted(file)}"
    command += f" --unit {unit.id}" if unit is not None else ""
    with keep_draft(draft, f"{command} --answers") as keep:
        done = wizard.run(
            plan,
            lambda present: keep(replace(present, level=target, answers=new_answers(present))),
            fixed=fixed,
        )
        chosen = new_answers(done)
        after = answers_options.locate_errors(
            answers_file, lambda: level_up_character(before, target, chosen, unit=unit)
        )
        _save(before, after, file)


def _save(before: LoadedCharacter, after: LoadedCharacter, file: Path) -> None:
    """Write the character if nobody else changed it meanwhile, and say what is new."""
    storage.save_changed(before.document, after.document, file)
    say_level(before, after, file)
