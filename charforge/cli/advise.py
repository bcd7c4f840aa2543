"""``advise``: the options of a choice, ranked by what they change."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.cli import console
from charforge.cli.console import print_json
from charforge.cli.files import find_character
from charforge.cli.options import AsJson, CharacterFile, Command
from charforge.errors import UsageError
from charforge.json_model import JsonModel, NumberJson, exact_number
from charforge.language import N_, _
from charforge.replay.loaded_character import LoadedCharacter, level_read, load_character
from charforge.rules.models import AdviceSpec
from charforge.rules.names import exact_matches
from charforge.rules.ruleset import Ruleset
from charforge.usecases import advise as usecase
from charforge.usecases.advise import Advice, Advised, Assumption, MeasureDifference
from charforge.usecases.measures import MeasuredFoe, Measures, character_foe, typical_foe
from charforge.usecases.preview import AnswerTrial
from charforge.verbs.inventory import refuse_without_gear
from charforge.verbs.unit_status import counted_text

app = typer.Typer(add_completion=False)

MOST_SHOWN = 10  # options of a choice, unless all are asked for
RECOMMENDED = "★"


@app.command("advise", cls=Command)
def advise(
    file: CharacterFile,
    choice: Annotated[
        Optional[str],
        typer.Argument(metavar="[CHOICE]", help=N_("One choice; by default all that come next.")),
    ] = None,
    foe: Annotated[
        Optional[list[str]],
        typer.Option(
            "--foe",
            metavar="N|NAME[=N]|FILE",
            help=N_("The foe: its first figure, named ones (repeat for several), or a character."),
        ),
    ] = None,
    by: Annotated[
        str, typer.Option("--rank", metavar="MEASURE", help=N_("The measure or value to rank by."))
    ] = "",
    to: Annotated[
        Optional[int], typer.Option("--to", metavar="N", help=N_("The choices up to level N."))
    ] = None,
    gear: Annotated[
        bool, typer.Option("--gear", help=N_("Compare the gear that you can afford."))
    ] = False,
    assume: Annotated[
        Optional[list[str]],
        typer.Option(
            "--assume",
            metavar="NAME[=N]",
            help=N_("A condition, counter or resource while comparing; repeat for several."),
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help=N_("List every option."))] = False,
    as_json: AsJson = False,
) -> None:
    """Rank the options of your next choices by what they change.

    Every option is tried on a copy of the character: chances and averages
    against a foe, as the command odds calculates them, and the figures that
    change. Lists: each option as your next pick. Scores: each swap of two.
    Points: one more for each value. Dice to drop: the scores that are left.
    Options that open further choices are measured without them. What changes
    no number is listed with what it does. The character is not changed.

    \b
    Examples:
      charforge advise nix.json
      charforge advise nix.json --foe 7 --rank damage
      charforge advise nix.json role.plus --foe bandit.json
      charforge advise nix.json --gear --rank damage
      charforge advise nix.json --assume focus
    """
    loaded = load_character(file)
    spec, to = _advice_spec(loaded.ruleset), level_read(loaded, to)
    if gear:
        refuse_without_gear(loaded.ruleset, _("Leave out --gear."))
    if gear and (choice is not None or to is not None):
        raise UsageError(
            _("--gear cannot be used with a choice or --to"), _("Leave one of them out.")
        )
    against = _read_foe(spec, loaded, foe or [])
    measures = Measures(loaded.ruleset, spec, against)
    assumed = [usecase.read_assumption(loaded, word) for word in assume or ()]
    found = _find_advice(loaded, measures, choice, to, gear, by, assumed)
    if as_json:
        print_json(
            AdviceJson(
                foe=FoeJson(character=against.name or None, figures=dict(against.figures)),
                assumed=tuple(map(str, assumed)),
                counted=tuple(dict.fromkeys(label for one in found for label in one.counted)),
                choices=tuple(map(_choice_json, found)),
            )
        )
        return
    if not found:
        raise _nothing_to_compare(loaded, file)
    _print_conditions(found, against, assumed)
    for advice in found:
        console.print_result("")
        _print_advice(advice, everything, loaded.ruleset)


def _print_conditions(found: list[Advice], against: MeasuredFoe, assumed: list[Assumption]) -> None:
    """Print against whom the options are measured, and what is assumed or counted."""
    if text := next((advice.foe for advice in found if advice.foe), ""):
        hint = "" if against.name else _("--foe changes this.")
        console.print_result(f"{text} {hint}".strip())
    counted = [label for advice in found for label in advice.counted]
    if text := counted_text(dict.fromkeys(counted)):
        console.print_result(text)
    if assumed:
        console.print_result(_("Assumed: {names}.").format(names=", ".join(map(str, assumed))))


def _advice_spec(ruleset: Ruleset) -> AdviceSpec:
    """Return what a game says to measure. Raises UsageError if it says nothing."""
    spec = ruleset.head.advice
    if spec is None:
        raise UsageError(
            _("{game} does not say what to measure").format(game=ruleset.head.name),
            _("Use edit or level-up to preview an option, or add advice to the pack."),
        )
    return spec


def _nothing_to_compare(loaded: LoadedCharacter, file: Path) -> UsageError:
    made = [d.id for d in loaded.character.asked if d.is_comparable]
    example = f" {made[0]}" if made else ""
    return UsageError(
        _("{name} has no choice to compare, now or later").format(name=loaded.document.name),
        _("To compare a choice already made: charforge advise {file}{choice}").format(
            file=console.quoted(file), choice=example
        ),
    )


def _read_foe(spec: AdviceSpec, loaded: LoadedCharacter, words: list[str]) -> MeasuredFoe:
    """Return the foe: typed figures, or a character of the same game."""
    figures: dict[str, str] = {}
    files = []
    for word in chain.from_iterable(map(_foe_words, words)):
        is_number = word.isdecimal() and bool(spec.foe)
        flags = exact_matches(spec.foe, word, lambda figure: (figure.id, figure.label))
        if is_number:
            word = f"{spec.foe[0].id}={word}"
        elif flags and flags[0].flag:
            word = f"{flags[0].id}=1"
        name, equals, value = word.partition("=")
        if equals and not Path(word).exists():
            figures[name.strip().casefold().replace("-", "_")] = value.strip()
        else:
            files.append(word)
    if not files:
        return typical_foe(spec, figures)
    if figures or len(files) > 1:
        raise UsageError(_("--foe takes figures or one character file"), _("Leave out the others."))
    other = load_character(find_character(Path(files[0])))
    if other.ruleset.head.id != loaded.ruleset.head.id:
        raise UsageError(
            _("{name} is a character of {game}").format(
                name=other.document.name, game=other.ruleset.head.name
            ),
            _("Use a character of {game}.").format(game=loaded.ruleset.head.name),
        )
    return character_foe(spec, other.character.state, other.document.name)


def _foe_words(typed: str) -> list[str]:
    """Return the figures in a text such as ``defense=6, hit=7``, or the text if it is a file."""
    return [typed] if Path(typed).exists() or "=" not in typed else typed.split(",")


def _find_advice(
    loaded: LoadedCharacter,
    measures: Measures,
    choice: str | None,
    to: int | None,
    gear: bool,
    by: str,
    assumed: list[Assumption],
) -> list[Advice]:
    try:
        if gear:
            return [usecase.advise_purchase(loaded, measures, by, _show_progress, assumed)]
        if choice is not None:
            trials: Iterable[AnswerTrial] = [usecase.find_choice(loaded, choice, to)]
        else:
            trials = usecase.advisable_choices(loaded, to)
        return [
            usecase.advise_choice(trial, measures, by, _show_progress, assumed=assumed)
            for trial in trials
        ]
    finally:
        console.show_status("")


def _show_progress(number: int, count: int, label: str) -> None:
    console.show_status(
        _("{number} of {count}  {label}").format(number=number, count=count, label=label)
    )


def _print_others(rows: list[Advised], title: str, ruleset: Ruleset) -> None:
    """Print options that have no number below a title: what they do, by when they can be used."""
    if not rows:
        return
    console.print_result(f"     {title}")
    for timing, group in usecase.by_timing(rows, ruleset):
        if timing:
            console.print_result("     ", console.Styled(timing, "bold"))
        for row in group:
            mark = RECOMMENDED if row.recommended else " "
            name = f"{row.label} ({row.cost})" if row.cost else row.label
            text = ": ".join(filter(None, (name, usecase.digest(row, ruleset))))
            console.print_lines(console.indented_lines(text, " " * 9, f"     {mark} "))


def _print_advice(advice: Advice, everything: bool, ruleset: Ruleset) -> None:
    """Print the options of one choice; those that change no number after the others."""
    console.print_result(console.Styled(advice.heading, "bold"))
    if advice.compared:
        console.print_lines(console.indented_lines(advice.compared, "     "))
    measurable = [row for row in advice.options if row.is_measurable]
    shown = measurable if everything else measurable[:MOST_SHOWN]
    for number, row in enumerate(shown, start=1):
        cost = f" ({row.cost})" if row.cost else ""
        mark = f" {RECOMMENDED}" if row.recommended else ""
        console.print_result(f"{number:>3}  {row.label}{cost}{mark}")
        for line in usecase.reasons(row):
            console.print_result(f"     {line}")
    if len(measurable) > len(shown):
        console.print_result(
            "     " + _("and {count} more (--all)").format(count=len(measurable) - len(shown))
        )
    others = [row for row in advice.options if not row.is_measurable]
    title = _("These change no number above. What they do:")
    _print_others([row for row in others if not row.is_open], title, ruleset)
    title = _("The numbers of these depend on a choice of their own. What they do:")
    _print_others([row for row in others if row.is_open], title, ruleset)
    if not advice.options:
        console.print_result("     " + _("No option is legal now."))


class FoeJson(JsonModel):
    """The foe: the name of its character, if it is one, and its figures."""

    character: str | None
    figures: dict[str, str]


class MeasureJson(JsonModel):
    """A measure ``before`` and ``after`` an option; None where it has no number."""

    label: str
    before: NumberJson | None
    after: NumberJson | None


class AdvisedOptionJson(JsonModel):
    """An option with its measures, by id, and what else it changes, in words."""

    id: str
    label: str
    cost: str | None
    measures: dict[str, MeasureJson]
    changes: tuple[str, ...]


class AdvisedChoiceJson(JsonModel):
    """A choice with its legal options, the best first; ``closed`` counts the others."""

    choice: str
    compared: str | None
    closed: int
    options: tuple[AdvisedOptionJson, ...]


class AdviceJson(JsonModel):
    """The output of ``advise --json``.

    ``counted`` are the current conditions and resources that affect the numbers, in words.
    """

    foe: FoeJson
    assumed: tuple[str, ...]
    counted: tuple[str, ...]
    choices: tuple[AdvisedChoiceJson, ...]


def _choice_json(advice: Advice) -> AdvisedChoiceJson:
    return AdvisedChoiceJson(
        choice=advice.heading,
        compared=advice.compared or None,
        closed=advice.closed,
        options=[
            AdvisedOptionJson(
                id=row.id,
                label=row.label,
                cost=row.cost or None,
                measures={change.measure.id: _measure_json(change) for change in row.measures},
                changes=tuple(usecase.reasons(row)),
            )
            for row in advice.options
        ],
    )


def _measure_json(change: MeasureDifference) -> MeasureJson:
    before, after = change.before, change.after
    return MeasureJson(
        label=change.measure.label,
        before=None if before is None else exact_number(before),
        after=None if after is None else exact_number(after),
    )
