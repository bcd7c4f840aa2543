"""``check``: problems of characters, as JSON or as lines that other commands print, too."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from pathlib import Path

import typer

from charforge.character.files.document import Difference
from charforge.character.state import State
from charforge.cli import console
from charforge.cli.console import SHELL, FrontEnd, front_end_of, print_json
from charforge.cli.files import character_files, settle_language
from charforge.cli.messages import error_message
from charforge.cli.options import AsJson, AtLevel, CharacterFiles, Command
from charforge.cli.packs.campaign_defaults import campaign_of
from charforge.decisions.base import Decision
from charforge.describe.differences import (
    difference_lines,
    pack_differences,
    unrecorded_differences,
)
from charforge.describe.remarks import FixableRemark, fixable_remarks, remarks
from charforge.errors import CharforgeError, MissingPack, counted, shorten
from charforge.json_model import JsonModel, ProblemJson
from charforge.language import N_, _, with_colon
from charforge.packs.campaign import GAME, CampaignMismatch, mismatches
from charforge.replay.loaded_character import (
    LoadedCharacter,
    is_shared_file,
    load_character,
    shared_files,
)
from charforge.replay.replay import Character, Problem

app = typer.Typer(add_completion=False)
CODES = {  # of problems, as readers see them; JSON has the code
    "broken": N_("broken"),
    "id": N_("id"),
    "illegal": N_("illegal"),
    "limit": N_("limit"),
    "name": N_("name"),
    "open": N_("open"),
    "overspent": N_("overspent"),
    "pin": N_("pin"),
    "plan": N_("plan"),
    "rule": N_("rule"),
    "unknown": N_("unknown"),
}


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
    ctx: typer.Context, files: CharacterFiles, as_json: AsJson = False, at_level: AtLevel = None
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
        remarked, notes = remarks(loaded.character.state), character_notes(loaded)
        results.append(
            _result(file, loaded.document.name, loaded.problems, notes, remarked, differing)
        )
        worst = max(worst, 1 if loaded.problems else 0)
        if not as_json:
            for line in _lines(file, loaded, notes, remarked, differing, front_end_of(ctx)):
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


def character_notes(loaded: LoadedCharacter) -> tuple[str, ...]:
    """Return the notes on a character, and what the installed packs change about it."""
    changed = difference_lines(pack_differences(loaded), loaded.ruleset)
    return (*loaded.notes, *changed)


def _lines(
    file: Path,
    loaded: LoadedCharacter,
    notes: Iterable[str],
    remarked: Iterable[str],
    differing: tuple[CampaignMismatch, ...],
    front_end: FrontEnd,
) -> Iterator[str]:
    """Yield whether a character is legal, its problems, and what else there is to say of it."""
    yield from verdict_lines(file, loaded, loaded.problems, front_end)
    yield from (f"  {line}" for line in answer_lines(file, loaded.character.open))
    for label, texts in (
        (_("note"), notes),
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


def heading(file: Path, loaded: LoadedCharacter, front_end: FrontEnd = SHELL) -> str:
    """Return file, name and level of a character: ``nix.json: Nix, level 3``.

    A game without levels has only file and name. A session does not name its file.
    """
    advancement = loaded.ruleset.head.advancement
    level = advancement.text_inside(loaded.character.state.level)
    title = loaded.document.name + (f", {level}" if advancement.maximum > 1 else "")
    return front_end.about(file, title)


def verdict_lines(
    file: Path, loaded: LoadedCharacter, problems: Iterable[Problem], front_end: FrontEnd = SHELL
) -> Iterator[str]:
    """Yield whether a character is legal, or how many problems it has, then each problem."""
    lines = [f"  {problem_line(problem)}" for problem in problems]
    verdict = counted(len(lines), "problem", "problems") if lines else _("legal")
    yield f"{heading(file, loaded, front_end)}: {verdict}"
    yield from lines


def answer_lines(file: Path, decisions: Iterable[Decision]) -> Iterator[str]:
    """Yield the command that answers each decision, which is open or has a broken answer."""
    for decision in decisions:
        yield _("To answer {heading}: {command}").format(
            heading=decision.heading(),
            command=f"charforge edit {console.quoted(file)} {decision.id} --answer …",
        )


def problem_line(problem: Problem) -> str:
    """Return a problem as a line: code, decision, message."""
    name = problem.label or problem.decision
    decision = f"{with_colon(name)} " if name else ""
    code = _(CODES.get(problem.code, problem.code))
    return f"{code:<8} {decision}{problem.message}"


def say_remarks(
    state: State, before: State | None = None, of: str = "", file: Path | None = None
) -> None:
    """Print on stderr the remarks on a saved character that were not there ``before``.

    ``of`` comes before each where there are several characters; for ``file``,
    the command that helps comes after each.
    """
    known = remarks(before) if before is not None else ()
    for advice in fixable_remarks(state):
        if advice.text not in known:
            _say_remark(advice, of, file)


def _say_remark(advice: FixableRemark, of: str, file: Path | None) -> None:
    """Print a remark on stderr; for ``file``, with the command that helps, if there is one."""
    fix = (
        _(" To change it: {fix_command}").format(fix_command=fix_command(advice, file))
        if file and advice.command
        else ""
    )
    console.say(_("{of}Remark: {text}{fix}").format(of=of, text=advice.text, fix=fix))


def say_similar_options(
    character: Character, decisions: Container[str], of: str = "", file: Path | None = None
) -> None:
    """Print on stderr which own words in the answers to some decisions may be mistyped options."""
    for decision in character.asked:
        answer = character.state.answers.get(decision.id)
        if answer is None or decision.id not in decisions:
            continue
        for words, label in decision.similar_options(answer):
            text = _("{heading}: {words} is your own text. Did you mean {label}?").format(
                heading=decision.heading(), words=shorten(words), label=label
            )
            _say_remark(FixableRemark(text, "edit", decision.id), of, file)


def fix_command(advice: FixableRemark, file: Path) -> str:
    """Return the command that changes what a remark is about, quoted for a shell."""
    decision = f" {advice.decision}" if advice.decision else ""
    return f"charforge {advice.command} {console.quoted(file)}{decision}"


def say_pack_changes(file: Path, loaded: LoadedCharacter) -> tuple[str, ...]:
    """Print on stderr what other packs change about a character, and return the lines.

    They are what is on record since its packs were pinned, and what has
    changed since it was saved.
    """
    return _say_changes(file, loaded, pack_differences(loaded))


def say_new_pack_changes(file: Path, before: LoadedCharacter) -> None:
    """Print on stderr what other packs changed, if a change of ``before`` has just recorded it."""
    _say_changes(file, before, unrecorded_differences(before))


def _say_changes(
    file: Path, loaded: LoadedCharacter, differences: Iterable[Difference]
) -> tuple[str, ...]:
    lines = tuple(difference_lines(differences, loaded.ruleset))
    if not lines:
        return ()
    console.say(
        _("{name} was made with other pack versions. What the installed ones change:").format(
            name=loaded.document.name
        )
    )
    for line in lines:
        console.say(f"  {line}")
    update = f"charforge update {console.quoted(file)}"
    console.say(
        _("To see the versions: charforge check {file}. To accept: {update}.").format(
            file=console.quoted(file), update=update
        )
    )
    return lines
