"""``update`` and ``catalog diff``: two versions of a pack, and the characters that they change."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from charforge.cli import console
from charforge.cli.changes import ChangeCommand, sign_change
from charforge.cli.check import answer_lines, problem_line
from charforge.cli.completion import complete_packs
from charforge.cli.console import FrontEnd, front_end_of, print_json
from charforge.cli.files import character_files
from charforge.cli.messages import error_message
from charforge.cli.options import (
    AsJson,
    CharacterFiles,
    Command,
    DryRunOption,
    OptionalFiles,
    PackOption,
    YesOption,
)
from charforge.cli.packs.campaign_defaults import campaign_of, choose_game
from charforge.decisions.kinds import may_be_asked
from charforge.describe.differences import ARROW, difference_lines
from charforge.errors import CharforgeError, UsageError
from charforge.export.show_json import DifferenceJson
from charforge.expressions.template import MINUS
from charforge.json_model import JsonModel, ProblemJson
from charforge.language import N_, _
from charforge.packs import diff as pack_diff, update as packs
from charforge.packs.diff import AffectedCharacter, FieldDiff, PackDiff, PackVersion
from charforge.packs.sources import newer_packs, packs_without_source
from charforge.packs.update import PackUpdate
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.rules.loading.loader import installed
from charforge.rules.ruleset import Ruleset
from charforge.verbs.save import save_character

app = typer.Typer(add_completion=False)


def print_newer(asked: bool) -> None:
    """Print the newer versions of the installed packs, and end the command, if asked."""
    if not asked:
        return
    worst, found = 0, False
    for pack in newer_packs():
        if isinstance(pack, CharforgeError):
            console.say(error_message(pack))
            worst = max(worst, pack.exit_code)
            continue
        found = True
        command = shlex.join(["charforge", "catalog", "add", *pack.words])
        console.print_result(f"{pack.id} {pack.version} {ARROW} {pack.newer}: {command}")
    unchecked = packs_without_source()
    if unchecked:
        console.say(
            _("Not checked, because their source is unknown or gone: {packs}").format(
                packs=", ".join(unchecked)
            )
        )
    all_unchecked = unchecked and len(unchecked) == len(installed())
    if not (found or worst or all_unchecked):
        console.say(
            _("None of your other packs has a newer version at its source.")
            if unchecked
            else _("None of your packs has a newer version at its source.")
        )
    raise typer.Exit(worst)


@app.command("update", cls=ChangeCommand)
def update(
    ctx: typer.Context,
    files: CharacterFiles,
    pack: PackOption = None,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    check: Annotated[  # noqa: ARG001  # its callback ends the command
        bool,
        typer.Option(
            "--check",
            is_eager=True,
            callback=print_newer,
            help=N_("Only list packs that have a newer version at their source."),
        ),
    ] = False,
) -> None:
    """Update characters to the installed pack versions.

    First lists the changes for each file: packs, values, holdings, and rules
    that it now breaks. The log of the character is not changed, and you can
    undo the update. --pack replaces the packs of the characters. With a
    campaign file next to them, they get its packs and table rules.

    \b
    Examples:
      charforge update nix.json --dry-run
      charforge update nix.json
      charforge update nix.json --pack house-rules
      charforge update campaign/ --yes
      charforge update --check
    """
    if yes and dry_run:
        raise UsageError(_("--yes and --dry-run do not go together"), _("Use only one of them."))
    worst = 0
    for file in character_files(files):
        try:
            _update_file(front_end_of(ctx), file, pack, yes, dry_run)
        except CharforgeError as error:
            console.say(error_message(error))
            worst = max(worst, error.exit_code)
    raise typer.Exit(worst)


def _update_file(
    front_end: FrontEnd, file: Path, pack: list[str] | None, yes: bool, dry_run: bool
) -> None:
    """Print what an update of a file changes, ask, and save it."""
    loaded = load_character(file)
    pending_update = _pending_update(file, loaded, pack)
    heading = front_end.about(file, loaded.document.name)
    if not pending_update.needed:
        console.print_result(_("{heading}: nothing to update").format(heading=heading))
        return
    console.print_result(heading)
    answers = answer_lines(file, pending_update.after.character.open)
    for line in (*_update_lines(pending_update), *answers):
        console.print_result(f"  {line}")
    if dry_run:
        return
    if not yes and not console.is_interactive():
        raise UsageError(
            _("{file} is not updated, because there is no terminal to ask in").format(file=file),
            _("Add --yes to update, or --dry-run to only look."),
        )
    if not yes and not console.confirm(_("Update {name}?").format(name=loaded.document.name)):
        console.say(_("{file} is not updated.").format(file=file))
        return
    updated = sign_change(loaded, pending_update.after)
    save_character(loaded, updated, file)
    console.print_result(_("{heading}: updated").format(heading=heading))


def _pending_update(file: Path, loaded: LoadedCharacter, pack: list[str] | None) -> PackUpdate:
    """Return the update to the packs that were typed, or to the campaign file of the folder."""
    campaign = campaign_of(file.parent)
    if campaign is None or not campaign.fits(loaded.ruleset.id):
        return packs.pending_update(loaded, pack)
    used = campaign.used_packs if pack is None else pack
    return packs.pending_update(loaded, used, campaign.table_rules)


def _update_lines(update: PackUpdate) -> Iterator[str]:
    """Yield the changes of an update, one per line."""
    for old, new in update.packs:
        if old is None and new is not None:
            yield _("+ pack {id} {version}").format(id=new.id, version=new.version)
        elif new is None and old is not None:
            yield _("{minus} pack {id} {version}").format(
                minus=MINUS, id=old.id, version=old.version
            )
        elif old is not None and new is not None:
            hashes = f" ({old.hash} {ARROW} {new.hash})" if old.version == new.version else ""
            yield f"{new.id} {old.version} {ARROW} {new.version}{hashes}"
    yield from difference_lines(update.changed, update.after.ruleset)
    if not update.changed and not update.problems:
        yield _("nothing changes for this character")
    if not update.problems:
        yield _("legal with these rules")
    for problem in update.problems:
        yield problem_line(problem)
    for name in update.dormant:
        if may_be_asked(update.opened.ruleset, name):
            yield _("dormant  {name}: it has no effect with these rules").format(name=name)


LONGEST_VALUE = 70  # characters of an old or new value
AROUND = 20  # characters kept before and after the difference of two long texts
DIFFERENCE_SIGNS = {"added": "+", "removed": MINUS, "renamed": "~", "changed": "~"}
PART_HEADINGS = {
    "pack": "pack.yaml",
    "patch": N_("Patches"),
    "ruleset": "ruleset.yaml",
    "entity": N_("Entities"),
    "procedure": N_("Procedures"),
    "chart": N_("Charts"),
    "ruling": N_("Rulings"),
}


@app.command("diff", cls=Command)
def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help=N_("A pack's id, folder or zip."))],
    new: Annotated[
        Optional[str], typer.Argument(metavar="[NEW]", help=N_("Another version of it."))
    ] = None,
    characters: OptionalFiles = None,
    with_packs: Annotated[
        Optional[list[str]],
        typer.Option(
            "--with",
            metavar="PACK",
            autocompletion=complete_packs,
            help=N_("Compare the game OLD with the game and this pack; repeat for several."),
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare two versions of a pack, or a game with and without packs.

    OLD and NEW are folders, zips, or ids of installed packs or built-in
    rulesets. If a word is both an id and a folder, OLD means the id and NEW
    the folder. With --with, OLD is a game; the packs' reasons are printed,
    too. No file is changed.

    \b
    Examples:
      charforge catalog diff night-watch ./night-watch-2.zip
      charforge catalog diff night-watch ./night-watch-2.zip nix.json zed.json
      charforge catalog diff capital ./my-capital --json
      charforge catalog diff capital --with house-rules
    """
    if with_packs and new is not None:
        raise UsageError(
            _("--with compares a game with itself, so there is no NEW"), _("Leave it out.")
        )
    if new is None:
        game = choose_game(old, with_packs).ruleset
        if not game.packs:
            raise UsageError(
                _("compare {old} with what?").format(old=old),
                _("Name another version of it, or use --with PACK."),
            )
        _print_pack_effects(game, as_json)
        return
    worst = 0
    with pack_diff.open_version(old) as before, pack_diff.open_version(new, here=True) as after:
        changes = pack_diff.compare_versions(before, after)
        affected: list[AffectedCharacter] = []
        for file in characters or ():
            try:
                affected.append(pack_diff.affected_character(file, before, after))
            except CharforgeError as error:
                console.say(error_message(error))
                worst = max(worst, error.exit_code)
        if as_json:
            print_json(
                VersionDiffJson(
                    old=before,
                    new=after,
                    changes=changes,
                    characters=map(_character_json, affected),
                )
            )
        else:
            console.print_result(
                f"{before.name} {before.version} {ARROW} {after.name} {after.version}"
            )
            for line in _part_lines(changes):
                console.print_result(line)
            for character in affected:
                for line in _character_lines(character, after):
                    console.print_result(line)
    raise typer.Exit(worst)


def _print_pack_effects(game: Ruleset, as_json: bool) -> None:
    """Print what the packs of a game add, change and remove."""
    effects = pack_diff.pack_effects(game)
    if as_json:
        print_json(PackEffectsJson(ruleset=game.id, packs=game.packs, changes=tuple(effects)))
        return
    names = ", ".join(f"{pack.name} {pack.version}" for pack in game.packs)
    console.print_result(
        _("{name} {version} with {names}").format(
            name=game.head.name, version=game.head.version, names=names
        )
    )
    for line in _part_lines(effects):
        console.print_result(line)


def _part_lines(changes: Iterable[PackDiff]) -> Iterator[str]:
    """Yield the changed parts of a pack, each sort below its title."""
    all_changes = list(changes)
    if not all_changes:
        yield _("  no difference")
    for part, title in PART_HEADINGS.items():
        changes_of_part = [change for change in all_changes if change.part == part]
        if changes_of_part:
            yield _(title)
        for change in changes_of_part:
            yield from _change_lines(change)


def _change_lines(change: PackDiff) -> Iterator[str]:
    """Yield a changed part of a pack, then each changed field on a line."""
    head = change.part in ("pack", "ruleset")  # one file: its name says it all
    if not head:
        name = f": {change.name}" if change.name else ""
        was = _(", was {old_id}").format(old_id=change.old_id) if change.old_id else ""
        why = f" ({change.reason})" if change.reason else ""
        yield f"  {DIFFERENCE_SIGNS[change.how]} {change.id}{name}{was}{why}"
    indent = "  " if head else "      "
    for field in change.fields:
        why = f" ({field.reason})" if field.reason else ""
        yield f"{indent}{field_line(field)}{why}"


def field_line(field: FieldDiff) -> str:
    """Return a changed field as a line: ``actions 1 text: … 2 m … → … 3 m …``."""
    way = " ".join(field.path)
    if field.old is None:
        return f"{way}: + {value_text(field.new)}"
    if field.new is None:
        return f"{way}: {MINUS} {value_text(field.old)}"
    old, new = field.old, field.new
    if isinstance(old, str) and isinstance(new, str):
        old, new = _different_parts(old, new)
    return f"{way}: {value_text(old)} {ARROW} {value_text(new)}"


def value_text(value: Any) -> str:
    """Return the value of a field on one line, shortened to ``LONGEST_VALUE``."""
    text = " ".join(_value_text(value).split())
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1].rstrip() + "…"


def _value_text(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_value_text(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value_text, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _("nothing") if value is None or value == "" else str(value)


def _different_parts(old: str, new: str) -> tuple[str, str]:
    """Return two long texts without their common start and end, except for a few words."""
    if max(len(old), len(new)) <= LONGEST_VALUE:
        return old, new
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    end = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
    start = _word_start(new, max(0, start - AROUND), start)
    stop = new.find(" ", len(new) - end + AROUND // 2)
    end = 0 if stop < 0 else len(new) - stop
    return _cut(old, start, end), _cut(new, start, end)


def _word_start(text: str, low: int, high: int) -> int:
    """Return the start of the first word between ``low`` and ``high``, or ``low``."""
    space = text.find(" ", low, high)
    return low if low == 0 or space < 0 else space + 1


def _cut(text: str, start: int, end: int) -> str:
    inner = text[start : len(text) - end]
    return f"{'…' if start else ''}{inner}{'…' if end else ''}"


def _character_lines(character: AffectedCharacter, new: PackVersion) -> Iterator[str]:
    """Yield the changes of a character, one per line."""
    title = ", ".join(filter(None, (character.name, character.level_text)))
    heading = f"{character.file}: {title}"
    if not character.used:
        yield _("{heading}: does not use {id}").format(heading=heading, id=new.id)
        return
    yield _("{heading}: no difference").format(heading=heading) if character.same else heading
    if character.pinned is not None:
        pinned = f"{character.pinned.version} ({character.pinned.hash})"
        reason = _("which is neither version: compared with the values last saved")
        yield _("  made with {id} {pinned}, {reason}").format(
            id=new.id, pinned=pinned, reason=reason
        )
    for difference, line in zip(
        character.changed, difference_lines(character.changed, new.ruleset), strict=True
    ):
        sources = (character.sources or {}).get((difference.unit, difference.id), ())
        why = f"  [{'; '.join(sources)}]" if difference.topic == "value" and sources else ""
        yield f"  {line}{why}"
    was, now = character.legal
    if character.pinned is not None and now:
        yield _("  legal with these rules")
    elif character.pinned is None and was != now:
        yield f"  {_legal(was)} {ARROW} {_legal(now)}"
    yield from (f"  {problem_line(problem)}" for problem in character.problems)
    yield from (
        _("  solved   {problem_line}").format(problem_line=problem_line(problem))
        for problem in character.solved
    )
    yield from (
        _("  dormant  {name}: it no longer has any effect").format(name=name)
        for name in character.dormant
    )
    yield from (
        _("  revived  {name}: it has an effect again").format(name=name)
        for name in character.revived
    )


def _legal(legal: bool) -> str:
    return _("legal") if legal else _("not legal")


class PackVersionJson(JsonModel):
    """A version of a pack."""

    id: str
    name: str
    version: str


class FieldDiffJson(JsonModel):
    """A field that differs, as ``FieldDiff``; ``reason`` is the ``why`` of its patch."""

    path: tuple[str | int, ...]
    old: Any
    new: Any
    reason: str
    packs: tuple[str, ...]


class PartDiffJson(JsonModel):
    """A part of a pack that differs, as ``PackDiff``."""

    part: str
    how: str
    id: str
    name: str
    old_id: str
    reason: str
    packs: tuple[str, ...]
    fields: tuple[FieldDiffJson, ...]


class PackEffectsJson(JsonModel):
    """The output of ``catalog diff --with --json``: what packs change about a game."""

    ruleset: str
    packs: tuple[PackVersionJson, ...]
    changes: tuple[PartDiffJson, ...]


class ChangedPartJson(DifferenceJson):
    """A difference of a character; ``sources`` are the names of what changes a value."""

    sources: tuple[str, ...]


class PinJson(JsonModel):
    """A version of a pack that a character was saved with."""

    version: str
    hash: str


class AffectedCharacterJson(JsonModel):
    """A character that another version of a pack changes, as ``AffectedCharacter``."""

    file: Path
    name: str
    level: int
    used: bool
    pinned: PinJson | None
    changes: tuple[ChangedPartJson, ...]
    legal: bool
    legal_before: bool
    problems: tuple[ProblemJson, ...]
    solved: tuple[ProblemJson, ...]
    dormant: tuple[str, ...]
    revived: tuple[str, ...]


class VersionDiffJson(JsonModel):
    """The output of ``catalog diff --json``: two versions of a pack."""

    old: PackVersionJson
    new: PackVersionJson
    changes: tuple[PartDiffJson, ...]
    characters: tuple[AffectedCharacterJson, ...]


def _character_json(character: AffectedCharacter) -> AffectedCharacterJson:
    sources = character.sources or {}
    legal_before, legal = character.legal
    return AffectedCharacterJson(
        file=character.file,
        name=character.name,
        level=character.level,
        used=character.used,
        pinned=character.pinned,
        changes=[
            ChangedPartJson(
                **asdict(difference),
                sources=sources.get((difference.unit, difference.id), ())
                if difference.topic == "value"
                else (),
            )
            for difference in character.changed
        ],
        legal=legal,
        legal_before=legal_before,
        problems=character.problems,
        solved=character.solved,
        dormant=character.dormant,
        revived=character.revived,
    )
