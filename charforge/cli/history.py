"""``history``, ``diff``, ``undo``, ``redo``, ``restore``: events and versions of a character."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.cli import console, terminal
from charforge.cli.check import heading
from charforge.cli.completion import complete_files
from charforge.cli.console import front_end_of, print_json
from charforge.cli.files import ENDING, find_character
from charforge.cli.options import (
    AsJson,
    AtLevel,
    CharacterFile,
    Command,
    PlannedOption,
    YesOption,
    find_file,
)
from charforge.cli.play_io import PlayCommand
from charforge.describe.differences import ARROW, difference_lines, differences
from charforge.errors import UsageError, shorten
from charforge.export.show_json import DifferenceJson
from charforge.json_model import JsonModel
from charforge.language import N_, _
from charforge.replay.loaded_character import level_read, load_character
from charforge.usecases.plan import load_at
from charforge.verbs import history as history_verbs
from charforge.verbs.history import (
    FileVersion,
    HistoryChapter,
    earlier_versions,
    history_chapters,
    restore_version,
)

app = typer.Typer(add_completion=False)


@app.command("history", cls=Command)
def history(file: CharacterFile, as_json: AsJson = False, at_level: AtLevel = None) -> None:
    """List everything that happened to a character.

    The number before an event counts the commands; undo removes the last one.

    \b
    Examples:
      charforge history nix.json
      charforge history nix.json --at-level 3
      charforge history nix.json --json
    """
    loaded = load_character(file, at_level=at_level)
    chapters = history_chapters(loaded)
    if as_json:
        print_json(chapters)
        return
    if sys.stdout.isatty():
        _print_table(chapters)
        return
    for chapter in chapters:
        console.print_result(chapter.label)
        for number, text in _numbered_events(chapter):
            console.print_result(f"{number:>5}  {text}")


def _numbered_events(chapter: HistoryChapter) -> Iterable[tuple[str, str]]:
    """Yield number and text of each event; only the first event of a command has its number."""
    group = 0
    for event in chapter.events:
        yield (str(event.event.group) if event.event.group != group else ""), event.text
        group = event.event.group


def _print_table(chapters: Iterable[HistoryChapter]) -> None:
    """Print the history as a table, wrapped at the width of the terminal."""
    screen = terminal.screen
    output = screen.rich_console()
    for chapter in chapters:
        output.print(screen.SafeText(chapter.label, style="bold"))
        table = screen.Table.grid(padding=(0, 2))
        table.add_column(justify="right", min_width=5, style="dim", no_wrap=True)
        table.add_column(overflow="fold")
        for number, text in _numbered_events(chapter):
            table.add_row(number, screen.SafeText(text))
        output.print(table)


@app.command("diff", cls=Command)
def diff(
    ctx: typer.Context,
    file: CharacterFile,
    other: Annotated[
        Optional[Path],
        typer.Argument(
            metavar="[OTHER]",
            callback=find_file,
            autocompletion=complete_files,
            help=N_("Another character of the same game."),
        ),
    ] = None,
    since: Annotated[
        Optional[int],
        typer.Option("--from", metavar="N", help=N_("FILE as of the end of level N.")),
    ] = None,
    to: Annotated[
        Optional[int],
        typer.Option(
            "--to", metavar="N", help=N_("OTHER, or FILE itself, as of the end of level N.")
        ),
    ] = None,
    at_level: Annotated[
        Optional[int],
        typer.Option("--at-level", metavar="N", help=N_("With --planned: the level to compare.")),
    ] = None,
    planned: PlannedOption = False,
    as_json: AsJson = False,
) -> None:
    """Compare two characters, or one character at two levels.

    \b
    Examples:
      charforge diff nix.json old/nix.json
      charforge diff nix.json --from 3
      charforge diff nix.json --from 3 --to 5 --json
      charforge diff nix.json --planned --at-level 6
    """
    if at_level is not None and (to is not None or not planned):
        raise UsageError(
            _("--at-level is for --planned only"), _("Use --from and --to for levels reached.")
        )
    if other is None and since is None and to is None and not planned:
        raise UsageError(
            _("there is nothing to compare this character with"),
            _("Add a second file, or two levels of this one: --from 3 --to 5."),
        )
    old = load_character(file, at_level=since)
    new = load_at(other or file, to if at_level is None else at_level, planned)
    changes = differences(old.character, new.character)
    if as_json:
        print_json(map(DifferenceJson.model_validate, changes))
        return
    front_end = front_end_of(ctx)
    before = heading(file, old, front_end)
    after = (
        heading(other, new, front_end)
        if other is not None
        else new.ruleset.head.advancement.text_inside(new.character.state.level)
    )
    console.print_result(f"{before} {ARROW} {after}")
    for line in difference_lines(changes, new.ruleset) or [_("no difference")]:
        console.print_result(f"  {line}")


@app.command("undo", cls=Command)
def undo(
    ctx: typer.Context,
    file: CharacterFile,
    to_level: Annotated[
        Optional[int],
        typer.Option("--to-level", metavar="N", help=N_("Undo everything after level N.")),
    ] = None,
) -> None:
    """Undo the last change: a level, an edit, a purchase, damage.

    redo restores it, as long as nothing else has changed.

    \b
    Examples:
      charforge undo nix.json
      charforge undo nix.json --to-level 3
    """
    command = PlayCommand(ctx, file)
    command.save(history_verbs.undo(command.before, level_read(command.before, to_level)))


@app.command("redo", cls=Command)
def redo(ctx: typer.Context, file: CharacterFile) -> None:
    """Restore what the last undo removed.

    This works as long as nothing else has changed.

    \b
    Examples:
      charforge redo nix.json
    """
    command = PlayCommand(ctx, file)
    command.save(history_verbs.redo(command.before), signed=False)


def _find_deleted(file: Path) -> Path:
    """Return the character file that a typed word means, also one that is deleted."""
    try:
        found = find_character(file)
    except UsageError:
        found = file
    return found if found.suffix or found.exists() else file.with_name(f"{file.name}{ENDING}")


@app.command("restore", cls=Command)
def restore(
    ctx: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            callback=_find_deleted,
            autocompletion=complete_files,
            help=N_("A character file, even a deleted or damaged one."),
        ),
    ],
    version: Annotated[
        Optional[int],
        typer.Argument(metavar="[VERSION]", help=N_("The number of the version in the list.")),
    ] = None,
    only_list: Annotated[
        bool, typer.Option("--list", help=N_("List the versions without changing anything."))
    ] = False,
    as_json: AsJson = False,
    yes: YesOption = False,
) -> None:
    """Restore an earlier version of a character file.

    The last ten versions of each file are kept (doctor shows the folder).
    The current content becomes a version too, so you can undo a restore.
    Without a number the versions are listed, newest first, and you choose
    one.

    \b
    Examples:
      charforge restore nix.json
      charforge restore nix.json --list
      charforge restore nix.json 12 --yes
    """
    if only_list:
        if version is not None or yes:
            raise UsageError(_("--list cannot be used with a version or --yes"))
        versions = earlier_versions(file)
        if as_json:
            print_json(map(_version_json, versions))
        else:
            for saved in versions:
                console.print_result(_version_line(saved))
        return
    number = _ask_number(earlier_versions(file)) if version is None else version
    restored = restore_version(file, number, lambda saved: yes or _confirm(file, saved))
    if restored is None:
        raise UsageError(_("nothing was changed"))
    kept, former = restored.restored, restored.former
    if as_json:
        print_json(RestoredJson(file=str(file), restored=_version_json(kept), former=former))
        return
    restored_text = _("Version {number} is back: {version_summary}").format(
        number=kept.number, version_summary=_version_summary(kept)
    )
    console.print_result(front_end_of(ctx).about(file, restored_text))
    if former is not None:
        console.print_result(
            _("  The content before that is version {former}.").format(former=former)
        )


def _ask_number(versions: tuple[FileVersion, ...]) -> int:
    """Print the versions on stderr, ask for one of them, and return its number."""
    for version in versions:
        console.say(_version_line(version))
    if not console.is_interactive():
        raise UsageError(
            _("no version is given, and there is no terminal to ask in"),
            _("Add its number from --list, and --yes to replace the file."),
        )
    text = console.ask_line(
        _("Which version [{number}]: ").format(number=versions[0].number)
    ) or str(versions[0].number)
    if not text.isdecimal():
        raise UsageError(
            _("{text} is not a version").format(text=shorten(text)), _("Nothing was changed.")
        )
    return int(text)


def _confirm(file: Path, version: FileVersion) -> bool:
    if not console.is_interactive():
        raise UsageError(
            _("there is no terminal to ask in before {file} is replaced").format(file=file),
            _("Give --yes."),
        )
    console.say(_version_line(version))
    return console.confirm(_("Replace {file} with this version?").format(file=file))


def _version_line(version: FileVersion) -> str:
    saved = _saved_at(version)
    time = _("unknown time") if saved is None else f"{saved:%Y-%m-%d %H:%M:%S}"
    return f"{version.number:>5}  {time}  {_version_summary(version)}"


def _saved_at(version: FileVersion) -> datetime | None:
    """Return when a version was saved, in local time."""
    return None if version.saved is None else datetime.fromtimestamp(version.saved).astimezone()


def _version_summary(version: FileVersion) -> str:
    if version.fault:
        return _("not readable: {fault}").format(fault=version.fault)
    above = (version.level or 1) > 1  # some games have no levels
    level = _("level {level}, ").format(level=version.level) if above else ""
    place = _("no. {number} in history").format(number=version.change)
    return f"{level}{place}; {version.last}"


class VersionJson(JsonModel):
    """An earlier version of a character file.

    ``saved`` is in local time, null if unknown; ``change`` is the number of its last change in
    ``history``.
    """

    version: int
    saved: str | None
    level: int | None
    change: int
    last: str
    fault: str


class RestoredJson(JsonModel):
    """The output of ``restore --json``: ``former`` is the version of the content before that."""

    file: str
    restored: VersionJson
    former: int | None


def _version_json(version: FileVersion) -> VersionJson:
    saved = _saved_at(version)
    return VersionJson(
        version=version.number,
        saved=saved and saved.isoformat(sep=" ", timespec="seconds"),
        level=version.level,
        change=version.change,
        last=version.last,
        fault=version.fault,
    )
