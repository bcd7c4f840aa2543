"""``level-up``: what a level brings, asked, given or rolled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from charforge.cli import answered, drafts, screen
from charforge.cli.options import (
    AnswersOption,
    CharacterFile,
    RandomOption,
    SeedOption,
    UnitOption,
)

if TYPE_CHECKING:
    from charforge import service
    from charforge.answers.file import AnswersFile
    from charforge.engine.state import Unit


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("level-up")(level_up)


def level_up(
    file: CharacterFile,
    to: Annotated[
        Optional[int], typer.Option("--to", metavar="N", help="Up to this level.")
    ] = None,
    answers: AnswersOption = None,
    random: RandomOption = False,
    seed: SeedOption = None,
    unit: UnitOption = None,
) -> None:
    """Advance a character: HP, Slots and whatever the level brings.

    What was planned for the level is offered first. With --unit a vehicle
    is upgraded instead, up to its owner's level.

    \b
    Examples:
      charforge level-up nix.json
      charforge level-up nix.json --to 5 --random
      charforge level-up nix.json --answers level-4.yaml
      charforge level-up nix.json --unit bike
    """
    from charforge import service
    from charforge.answers.chance import Chance
    from charforge.engine.replay import nobody

    before = service.open_file(file)
    given = answered.read(answers)
    _refuse_other(given, before)
    state = before.character.state
    meant = None if unit is None else service.find_unit(state, unit)
    meant = None if meant is state.units[0] else meant
    reached = before.document.level if meant is None else state.level_of(meant)
    wanted = to if to is not None else given.level
    target = reached + 1 if wanted is None else wanted
    dice = seed if seed is not None else given.seed or before.document.seed
    answered.located(given, lambda: service.check_advance(before, target, given.answers, meant))
    if not random and screen.somebody_there():
        _ask(before, target, given, dice, file, meant)
        return
    chance = Chance(dice)
    source = chance if random else nobody
    after = answered.located(
        given, lambda: service.level_up(before, target, given.answers, source, meant)
    )
    _say_refused(before, target, given.answers, meant)
    _save(before, after, file)
    answered.say_examples(chance, after.document.answers)


def _refuse_other(given: AnswersFile, before: service.Opened) -> None:
    """Refuse a file that is about another character."""
    from charforge.errors import UsageError

    loaded = before.document
    for what, theirs, ours in (
        ("ruleset", given.ruleset, loaded.ruleset),
        ("packs", list(given.packs), [pack.id for pack in before.ruleset.packs]),
        ("name", given.name, loaded.name),
        ("table rules", given.rules, before.character.state.rules),
    ):
        if theirs and theirs != ours:
            raise UsageError(f"{given.path} is for {theirs}, this character has {what} {ours}")


def _say_refused(before: service.Opened, target: int, answers: Any, unit: Unit | None) -> None:
    """Say which planned choices the rules do not allow any more, and why."""
    from charforge import service

    for name, reasons in service.refused_plan(before, target, answers, unit).items():
        screen.say(f"planned {name}: {'; '.join(reasons)}")


def _ask(
    before: service.Opened,
    target: int,
    given: AnswersFile,
    seed: str,
    file: Path,
    unit: Unit | None,
) -> None:
    """Ask a level's decisions and save; until then the answers are in a draft."""
    from charforge import service
    from charforge.answers import wizard

    loaded = before.document
    fixed = frozenset(loaded.answers)
    trial = service.trial(before, service.advances(before, target, unit), groups=True)
    if not trial.open:  # such as an upgrade that brings no room for anything
        after = answered.located(
            given, lambda: service.level_up(before, target, given.answers, unit=unit)
        )
        _save(before, after, file)
        return
    log = (*loaded.log, *trial.events)
    meant = {decision.id for decision in trial.character.asked} | set(given.answers)
    planned = {name: answer for name, answer in loaded.plan.items() if name in meant}
    known = {**loaded.answers, **planned, **given.answers}
    plan = service.Plan(
        before.ruleset, seed, loaded.name, trial.character.state.level, {}, known, log
    )

    def fresh(present: service.Plan) -> dict[str, Any]:
        return {name: answer for name, answer in present.answers.items() if name not in fixed}

    resumed = given.path if given.answers else None
    whose = f"{unit.id}." if unit is not None else ""
    draft = drafts.place(file.with_name(f"{file.stem}.{whose}level-{target}.yaml"), resumed)
    again = f"charforge level-up {drafts.quoted(file)}"
    again += f" --unit {unit.id}" if unit is not None else ""
    with drafts.kept(draft, f"{again} --answers") as keep:
        done = wizard.run(
            plan,
            lambda present: keep(replace(present, level=target, answers=fresh(present))),
            fixed=fixed,
        )
        chosen = fresh(done)
        after = answered.located(given, lambda: service.level_up(before, target, chosen, unit=unit))
        _save(before, after, file)


def _save(before: service.Opened, after: service.Opened, file: Path) -> None:
    """Write the character if nobody else changed it meanwhile, and say what is new."""
    from charforge.cli.changes import say_level
    from charforge.document import store

    store.update(before.document, after.document, file)
    say_level(before, after, file)
