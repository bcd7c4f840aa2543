"""``check``: the problems of characters, as lines or as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import typer

from charforge.cli import console
from charforge.cli.console import FrontEnd, front_end_of, print_json
from charforge.cli.files import character_files, settle_language
from charforge.cli.messages import error_message
from charforge.cli.options import AsJson, AtLevel, CharacterFiles, Command
from charforge.cli.packs.campaign_defaults import campaign_of
from charforge.cli.problems import answer_lines, verdict_lines
from charforge.describe.differences import difference_lines, pack_differences
from charforge.describe.remarks import remarks
from charforge.errors import CharforgeError, MissingPack
from charforge.json_model import JsonModel, ProblemJson
from charforge.language import _
from charforge.packs.campaign import GAME, CampaignMismatch, mismatches
from charforge.replay.loaded_character import (
    LoadedCharacter,
    is_shared_file,
    load_character,
    shared_files,
)
from charforge.replay.replay import Problem

app = typer.Typer(add_completion=False)


class CampaignMismatchJson(JsonModel):
    """A difference between a character and the campaign file, in words."""

    topic: str
    character: str
    campaign: str


class CheckedFileJson(JsonModel):
    """A character file in the output of ``check --json``; ``name`` is empty if it is unreadable."""

    file: str
    name: str
    legal: bool
    problems: tuple[ProblemJson, ...]
    notes: tuple[str, ...]
    remarks: tuple[str, ...]
    campaign: tuple[CampaignMismatchJson, ...]


@app.command("check", cls=Command)
def check(
    ctx: typer.Context,
    files: CharacterFiles,
    as_json: AsJson = False,
    at_level: AtLevel = None,
) -> None:
    """Check characters against the rules and list all problems.

    The exit code is 1 if there is any problem. Remarks point out what is
    allowed but perhaps not meant, such as an empty slot. With a campaign file
    next to them, it also lists where they differ from that.

    \b
    Examples:
      charforge check nix.json
      charforge check *.json --json
      charforge check campaign/
    """
    results: list[CheckedFileJson] = []
    worst = 0
    characters = character_files(files)
    if len(characters) > 1:
        settle_language([*characters, *shared_files(characters)])
    for file in characters:
        try:
            loaded = load_character(file, at_level=at_level)
        except CharforgeError as error:
            console.say(error_message(error))
            code = "pack" if isinstance(error, MissingPack) else "unreadable"
            results.append(_result(file, "", (Problem(code, "", error_message(error)),)))
            worst = max(worst, error.exit_code)
            continue
        campaign = campaign_of(file.parent)
        differing = mismatches(campaign, loaded) if campaign and not is_shared_file(file) else ()
        remarked = remarks(loaded.character.state)
        results.append(
            _result(file, loaded.document.name, loaded.problems, loaded.notes, remarked, differing)
        )
        worst = max(worst, 1 if loaded.problems else 0)
        if not as_json:
            for line in _lines(file, loaded, remarked, differing, front_end_of(ctx)):
                console.print_result(line)
    if as_json:
        print_json(results)
    raise typer.Exit(worst)


def _result(
    file: Path,
    name: str,
    problems: tuple[Problem, ...],
    notes: tuple[str, ...] = (),
    remarked: tuple[str, ...] = (),
    differing: tuple[CampaignMismatch, ...] = (),
) -> CheckedFileJson:
    return CheckedFileJson(
        file=str(file), name=name, legal=not problems, problems=problems, notes=notes,
        remarks=remarked, campaign=differing,
    )  # fmt: skip


def _lines(
    file: Path,
    loaded: LoadedCharacter,
    remarked: Iterable[str],
    differing: tuple[CampaignMismatch, ...],
    front_end: FrontEnd,
) -> Iterator[str]:
    """Yield whether a character is legal, its problems, and what else there is to say of it."""
    yield from verdict_lines(file, loaded, loaded.problems, front_end)
    yield from (f"  {line}" for line in answer_lines(file, loaded.character.open))
    changed = difference_lines(pack_differences(loaded), loaded.ruleset)
    for label, texts in (
        (_("note"), (*loaded.notes, *changed)),
        (_("remark"), remarked),
        (_("campaign"), (difference.sentence for difference in differing)),
    ):
        yield from (f"  {label:<8} {text}" for text in texts)
    if differing:
        yield f"  {'':<8} {_campaign_advice(file, differing)}"


def _campaign_advice(file: Path, differing: tuple[CampaignMismatch, ...]) -> str:
    """Return what to type to bring a character in line with its campaign file."""
    if any(difference.topic == GAME for difference in differing):
        return _("It belongs in another folder: a character cannot change its game.")
    return _("To change it: charforge update {file}").format(file=console.quoted(file))
