"""``replay``: the recorded events once more, after other choices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from charforge.answers.file import parse_answer
from charforge.cli import console
from charforge.cli.json_output import print_json
from charforge.cli.options import AsJson, CharacterFile, Command, read_pair
from charforge.describe.differences import difference_lines
from charforge.errors import MissingAnswers, UsageError, counted
from charforge.language import N_, _
from charforge.replay.loaded_character import load_character
from charforge.rules.ruleset import Ruleset
from charforge.usecases.what_if import WhatIf, what_if

app = typer.Typer(add_completion=False)


@app.command("replay", cls=Command)
def replay(
    file: CharacterFile,
    instead: Annotated[
        list[str],
        typer.Option(
            "--instead",
            metavar="CHOICE=ANSWER",
            help=N_("A choice and the answer to try; repeat it for several."),
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """See what would have happened with a different choice and the same dice.

    Lists every event that would have gone differently, and stops where dice
    would be needed that were never rolled. The character is not changed.

    \b
    Examples:
      charforge replay nix.json --instead role.plus=wis
      charforge replay nix.json --instead "level.4.systems=[system/charge]"
      charforge replay nix.json --instead role="The Tank" --instead role.plus=str --json
    """
    pairs = [
        read_pair("--instead", text, "CHOICE=ANSWER", "--instead role.plus=wis") for text in instead
    ]
    answers = {name: parse_answer(answer) for name, answer in pairs}
    loaded = load_character(file)
    try:
        result = what_if(loaded, answers)
    except MissingAnswers as error:
        listed = "\n".join(
            _("  {label}  --instead {name}=…").format(label=label, name=name)
            for name, label in error.decisions
        )
        raise UsageError(
            _("this opens further choices; answer them, too:\n{listed}").format(listed=listed)
        ) from error
    if as_json:
        print_json(result)
        return
    for line in _lines(result, loaded.ruleset):
        console.print_result(line)


def _lines(result: WhatIf, ruleset: Ruleset) -> Iterator[str]:
    yield _("With {choices}:").format(choices=", ".join(result.choices))
    for line in difference_lines(result.start, ruleset) or [_("your character stays the same")]:
        yield f"  {line}"
    for event in result.events:
        yield f"{event.number:>5}  {event.text}"
        for changed in event.results:
            label = f"{changed.label}: " if changed.label else ""
            yield _("         {label}{was}; would be: {would_be}").format(
                label=label, was=changed.was, would_be=changed.would_be
            )
        for line in event.consequences:
            yield f"         {line}"
    if not result.compared and result.unknown is None:
        yield _("Nothing was played yet, so there is nothing to compare.")
        return
    compared = counted(result.compared, "event", "events")
    yield _("Compared {compared} of play; {count} would have gone differently.").format(
        compared=compared, count=len(result.events)
    )
    if result.unknown is not None:
        number, text, reason = result.unknown.number, result.unknown.text, result.unknown.reason
        yield _("Unknown from no. {number} in history on: {text}").format(number=number, text=text)
        yield f"  {reason}"
    elif result.events:
        yield _("In the end:")
        for line in difference_lines(result.end, ruleset) or [_("no difference")]:
            yield f"  {line}"
