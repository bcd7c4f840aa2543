"""``restore``: an earlier version of a character file."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.cli import console
from charforge.cli.completion import complete_files
from charforge.cli.files import ENDING, find_character
from charforge.cli.json_output import print_json
from charforge.cli.options import AsJson, Command, YesOption
from charforge.errors import UsageError, shorten
from charforge.json_model import JsonModel
from charforge.language import N_, _
from charforge.usecases.restore import FileVersion, earlier_versions, restore_version

app = typer.Typer(add_completion=False)


def _find_deleted(file: Path) -> Path:
    """Return the character file that a typed word means, also one that is deleted."""
    try:
        found = find_character(file)
    except UsageError:
        found = file
    return found if found.suffix or found.exists() else file.with_name(f"{file.name}{ENDING}")


@app.command("restore", cls=Command)
def restore(
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
    console.print_result(
        _("{file}: version {number} is back: {version_summary}").format(
            file=file, number=kept.number, version_summary=_version_summary(kept)
        )
    )
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
