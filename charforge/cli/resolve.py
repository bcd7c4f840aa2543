"""``resolve``: run a rule step by step without changing the character."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, NoReturn, Optional

import typer

from charforge.cli import console
from charforge.cli.completion import complete_files, complete_games, complete_procedures
from charforge.cli.console import front_end_of, print_json
from charforge.cli.files import find_character, is_character
from charforge.cli.options import (
    AsJson,
    DiceOption,
    InputsOption,
    RulesetOption,
    SeedOption,
    SetOption,
    UnitOption,
    find_file,
    verb,
)
from charforge.cli.packs.campaign_defaults import Game, choose_game, names_game
from charforge.cli.play_io import StepPrinter, print_inputs, printed_lines, read_inputs
from charforge.describe.entities import section_text
from charforge.describe.events import change_texts
from charforge.errors import UsageError
from charforge.json_model import JsonModel
from charforge.language import N_, _
from charforge.procedures.context import StepMessage
from charforge.procedures.run import ProcedureResult
from charforge.replay.character_spec import new_seed
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.rules.loading import loader
from charforge.rules.models import PlaySpec, Procedure
from charforge.rules.ruleset import Ruleset
from charforge.verbs import play, resolve as resolving
from charforge.verbs.change import step_lines
from charforge.verbs.lookup import find_procedure, named_rule
from charforge.verbs.resolve import Resolution
from charforge.verbs.typed_inputs import possible_inputs

app = typer.Typer(add_completion=False)


@app.command(
    "resolve",
    cls=verb(
        "capital --json",
        "capital fall --inputs",
        "capital fall FILE metres=6",
        "capital fall metres=6 agi=5 own=3,4",
        "capital attribute-check FILE attribute=str vs=5 --json",
    ),
)
def resolve(
    ctx: typer.Context,
    game: Annotated[
        Optional[str],
        typer.Argument(metavar="GAME", autocompletion=complete_games, help=N_("The game.")),
    ] = None,
    procedure: Annotated[
        Optional[str],
        typer.Argument(
            metavar="[PROCEDURE]",
            autocompletion=complete_procedures,
            help=N_("The rule; without it, all are listed."),
        ),
    ] = None,
    file: Annotated[
        Optional[Path],
        typer.Argument(
            metavar="[FILE]",
            callback=find_file,
            autocompletion=complete_files,
            help=N_("The character whose numbers are used."),
        ),
    ] = None,
    ruleset: RulesetOption = None,
    settings: SetOption = None,
    dice: DiceOption = None,
    seed: SeedOption = None,
    unit: UnitOption = None,
    as_json: AsJson = False,
    inputs: InputsOption = False,
    by_rules: Annotated[
        bool, typer.Option("--rules", help=N_("Show the section and rulings of each rule."))
    ] = False,
) -> None:
    """Try a rule without changing the character.

    With FILE it uses the numbers of the character; without, give the ones it
    needs with --set.
    """
    if ruleset is not None:  # the words after the command begin with the rule
        if file is not None:
            raise UsageError(_("the game is given twice"), _("Leave out --ruleset."))
        game, procedure, file = ruleset, game, find_file(Path(procedure) if procedure else None)
    elif game is not None and game not in loader.available() and is_character(game):
        _refuse_file_first(Path(game), procedure)
    rules, table_rules = _choose_game(game)
    if procedure is None:
        _print_procedures(rules, as_json)
        return
    rule = find_procedure(rules, procedure)
    loaded = _load_character(file, unit, rules)
    if inputs:
        print_inputs(
            possible_inputs(rules, rule.label, rule.inputs, rule.steps)
            if loaded is None
            else play.inputs_of_procedure(loaded, rule, unit)
        )
        return
    rules = rules if loaded is None else loaded.ruleset  # with the packs of the character
    printer = StepPrinter(rules)
    typed = read_inputs(front_end_of(ctx), settings, dice, printer)
    dice_seed = new_seed() if seed is None else seed
    resolution = resolving.resolve_procedure(
        rules, rule.id, typed, dice_seed, loaded, unit, table_rules
    )
    if as_json:
        print_json(_resolution_json(resolution.result))
        return
    _print_run(rules, rule, resolution.result, printer, by_rules)
    if file is not None and any(
        change_texts(resolution.before, resolution.result.state, resolution.unit)
    ):
        unit_option = ["--unit", unit] if unit else []
        verb, *named = _command_of(rules.head.play, rule)
        options = [*unit_option, *_play_options(settings, dice, resolution)]
        command = front_end_of(ctx).command_line([verb, str(file), *named, *options])
        console.say(_how_to_keep(command, resolution, rule))


def _refuse_file_first(typed: Path, procedure: str | None) -> NoReturn:
    """Raise UsageError for a character in place of the game, with the command that is meant."""
    file = find_character(typed)
    raise UsageError(
        _("the game comes first, then the rule, then the file"),
        _("Use: {command}"),
        ["resolve", load_character(file).ruleset.id, procedure or "PROCEDURE", str(file)],
    )


def _choose_game(game: str | None) -> Game:
    """Return a game, or that of the campaign. Raises UsageError without one."""
    if game is None and not names_game():
        raise UsageError(
            _("which game?"), _("There are: {games}.").format(games=", ".join(loader.available()))
        )
    return choose_game(game)


def _print_run(
    rules: Ruleset, rule: Procedure, run: ProcedureResult, printer: StepPrinter, by_rules: bool
) -> None:
    """Print the steps and results of a run that are not shown yet, and with what rules."""
    console.print_result(rule.label)
    for line in printed_lines(step_lines(rules, printer.left(run.steps))):
        console.print_result(line)
    for label, text in resolving.output_texts(rules, rule, run).items():
        console.print_result(f"{label}: {text}")
    for line in _rules_of(rules, run.steps) if by_rules else ():
        console.print_result(line)


def _rules_of(rules: Ruleset, steps: Iterable[StepMessage]) -> Iterator[str]:
    """Yield each rule of some steps once, with its section and rulings."""
    for source in dict.fromkeys(step.source for step in steps if step.text):
        entity = rules.entities.get(source)
        if entity is not None:
            yield f"[{entity.name}] {section_text(entity)}"


def _play_options(
    settings: list[str] | None, dice: list[str] | None, resolution: Resolution
) -> Iterator[str]:
    """Yield the options as ``use`` takes them: without figures in place of the unit's own."""
    for setting in settings or ():
        name = setting.partition("=")[0].strip().casefold().replace("-", "_")
        if name not in resolution.figures:
            yield setting
    for faces in dice or ():
        yield from ("--dice", faces)


def _command_of(play_rules: PlaySpec, rule: Procedure) -> list[str]:
    """Return the command that runs a rule, and the words after FILE.

    Rests and turns have their own: it includes the companions.
    """
    if rule.id == play_rules.turn:
        return ["turn"]
    if rule.id == play_rules.turn_end:
        return ["turn", "end"]
    for name, rest in play_rules.rests.items():
        if rest == rule.id:
            return ["rest", name]
    return ["use", rule.id]


def _how_to_keep(command: str, resolution: Resolution, rule: Procedure) -> str:
    """Return the sentence about the command that changes the character, if there is one."""
    if named_rule(resolution.before, resolution.unit, rule.id, None) is None:
        return _("The character is unchanged.")
    if resolution.figures:
        values = resolution.before.ruleset.values
        names = ", ".join(
            sorted(values[name].label for name in resolution.figures if name in values)
        )
        return _("The character is unchanged. To do this with its own {names}: {command}").format(
            names=names, command=command
        )
    return _("The character is unchanged. To do this: {command}").format(command=command)


def _load_character(
    file: Path | None, unit_id: str | None, rules: Ruleset
) -> LoadedCharacter | None:
    """Return the character, if a file is named. Raises UsageError if it is of another game."""
    if file is None:
        if unit_id is not None:
            raise UsageError(_("--unit needs a character"), _("Add its FILE."))
        return None
    loaded = load_character(file)
    if loaded.ruleset.id != rules.id:
        raise UsageError(
            _("{file} is a character of {name}, not {game}").format(
                file=file, name=loaded.ruleset.head.name, game=rules.head.name
            )
        )
    return loaded


class StepMessageJson(JsonModel):
    """A step that ran; ``id`` and ``value`` are what it set, ``faces`` the dice that it rolled."""

    do: str
    text: str
    source: str
    id: str | None
    value: int | None
    faces: tuple[int, ...]


class ResolutionJson(JsonModel):
    """The output of ``resolve --json``: the outputs by id, and the steps that ran."""

    outputs: dict[str, int | str]
    steps: tuple[StepMessageJson, ...]


class ProcedureInputJson(JsonModel):
    """An input of a procedure."""

    id: str
    label: str
    type: str


class ProcedureOutputJson(JsonModel):
    """An output of a procedure."""

    id: str
    label: str


class ProcedureJson(JsonModel):
    """A procedure in the output of ``resolve --json`` without a rule."""

    id: str
    label: str
    source: str
    inputs: tuple[ProcedureInputJson, ...]
    outputs: tuple[ProcedureOutputJson, ...]


def _resolution_json(run: ProcedureResult) -> ResolutionJson:
    return ResolutionJson(
        outputs=dict(run.outputs),
        steps=[
            StepMessageJson(
                do=step.step,
                text=step.text,
                source=step.source,
                id=step.id or None,
                value=step.value,
                faces=step.faces,
            )
            for step in run.steps
        ],
    )


def _print_procedures(rules: Ruleset, as_json: bool) -> None:
    procedures = rules.procedures.values()
    if as_json:
        print_json(map(ProcedureJson.model_validate, procedures))
        return
    if not procedures:
        console.say(_("{name} has no rules to try.").format(name=rules.head.name))
    width = max((len(procedure.id) for procedure in procedures), default=0)
    for procedure in procedures:
        console.print_result(f"{procedure.id:<{width}}  {procedure.label}")
