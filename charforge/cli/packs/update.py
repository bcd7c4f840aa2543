"""``update``: move characters to the installed versions of their packs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from charforge.character.files import storage
from charforge.cli import console
from charforge.cli.files import character_files
from charforge.cli.front_end import FrontEnd, front_end_of
from charforge.cli.messages import error_message
from charforge.cli.options import CharacterFiles, DryRunOption, PackOption, YesOption
from charforge.cli.packs.campaign_defaults import campaign_of
from charforge.cli.problems import problem_line
from charforge.cli.signature import ChangeCommand, sign_change
from charforge.decisions.index import may_be_asked
from charforge.describe.differences import difference_lines
from charforge.errors import CharforgeError, UsageError
from charforge.language import N_, _
from charforge.packs import update as packs
from charforge.packs.sources import newer_packs
from charforge.packs.update import PackUpdate
from charforge.replay.loaded_character import LoadedCharacter, load_character

app = typer.Typer(add_completion=False)

MINUS = "\N{MINUS SIGN}"
ARROW = "\N{RIGHTWARDS ARROW}"


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
    if not found and not worst:
        console.say(_("None of your packs has a newer version at its source."))
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
    for line in _update_lines(pending_update):
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
    storage.save_changed(loaded.document, updated.document, file)
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
    if not update.changed:
        yield _("nothing changes for this character")
    if not update.problems:
        yield _("legal with these rules")
    for problem in update.problems:
        yield problem_line(problem)
    for name in update.dormant:
        if may_be_asked(update.opened.ruleset, name):
            yield _("dormant  {name}: it has no effect with these rules").format(name=name)
