"""Changes by a command: who made them and when (``--by``, ``--dated``), saving and printing them.

Without them a file gets neither, so that the same commands always write the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Optional

import typer
from typer.main import get_command

from charforge.character.files.document import Difference, Document, signed
from charforge.character.files.events import LONGEST_AUTHOR
from charforge.cli import console
from charforge.cli.check import say_new_pack_changes
from charforge.cli.console import SHELL, FrontEnd
from charforge.cli.options import Command
from charforge.describe.differences import ARROW, difference_lines, state_differences
from charforge.errors import UsageError
from charforge.language import N_, _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.ruleset import Ruleset
from charforge.verbs.manual_changes import refuse_unprintable
from charforge.verbs.save import save_character

BY, DATED = "by", "dated"


class Signature(NamedTuple):
    """Who makes the changes of a command, and whether their date and time are recorded."""

    by: str = ""
    dated: bool = False

    def sign(self, document: Document, already_signed: int = 0) -> Document:
        """Return a document with this signature on all events but the first ``already_signed``."""
        return signed(document, already_signed, self.by, current_time() if self.dated else "")


UNSIGNED = Signature()


SIGNATURE = ContextVar("SIGNATURE", default=UNSIGNED)


def _options(
    by: Annotated[
        Optional[str],
        typer.Option("--by", metavar="NAME", help=N_("Record in the history who made the change.")),
    ] = None,
    dated: Annotated[
        bool, typer.Option("--dated", help=N_("Record the date and time in the history."))
    ] = False,
) -> None:
    """Declare the two options, for ``ChangeCommand``."""


@cache
def _option_parameters() -> tuple[Any, ...]:
    """Return the two options as parameters, which all commands share."""
    app = typer.Typer(add_completion=False)
    app.command()(_options)
    return tuple(option for option in get_command(app).params if option.name in (BY, DATED))


class ChangeCommand(Command):
    """A command that changes a character, with the options ``--by`` and ``--dated``.

    The commands that it runs (``play`` runs others) have the same signature unless they are
    given their own.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.params = [*self.params, *_option_parameters()]

    def invoke(self, ctx: Any) -> Any:
        """Run the command with its signature."""
        outer = SIGNATURE.get()
        by, dated = ctx.params.pop(BY), ctx.params.pop(DATED)
        token = SIGNATURE.set(Signature(_author(by) or outer.by, dated or outer.dated))
        try:
            return super().invoke(ctx)
        finally:
            SIGNATURE.reset(token)


def _author(by: str | None) -> str:
    """Return the name after ``--by``. Raises UsageError for one that a file cannot hold."""
    if by is None:
        return ""
    name = by.strip()
    if not name:
        raise UsageError(_("--by is empty"), _('For example: --by "Mo".'))
    if len(name) > LONGEST_AUTHOR:
        raise UsageError(
            _("--by has {count} characters; the limit is {limit}").format(
                count=len(name), limit=LONGEST_AUTHOR
            )
        )
    refuse_unprintable(name)
    return name


def save_change(
    before: LoadedCharacter, after: LoadedCharacter, file: Path, signed: bool = True
) -> LoadedCharacter:
    """Save a changed character with the signature of the command, and return what was saved.

    What other pack versions changed about it as well is printed; from now on
    it is on record in the file.
    """
    saved = sign_change(before, after) if signed else after
    save_character(before, saved, file)
    say_new_pack_changes(file, before)
    return saved


def sign_change(before: LoadedCharacter, after: LoadedCharacter) -> LoadedCharacter:
    """Return a changed character with the signature of the command on its new events."""
    signature = SIGNATURE.get()
    return replace(after, document=signature.sign(after.document, len(before.document.log)))


def current_time() -> str:
    """Return the local time to the minute, with its offset."""
    return datetime.now().astimezone().isoformat(sep=" ", timespec="minutes")


# ------------------------------------------------------------------ printing


def print_level_changes(
    before: LoadedCharacter, after: LoadedCharacter, file: Path, front_end: FrontEnd = SHELL
) -> None:
    """Print the new level of the character, or of a unit, and the other changes."""
    old, new = before.character.state, after.character.state
    former = {unit.id: unit for unit in old.units}
    for unit in new.units:
        was = former.get(unit.id)
        if was is None:
            continue
        if (unit.owner is None and old.level < new.level) or unit.advances > was.advances:
            advancement = new.ruleset.head.advancement
            reached = advancement.number(new.level_of(unit))
            levels = f"{advancement.text_inside(old.level_of(was))} {ARROW} {reached}"
            title = f"{unit.title or after.document.name}, {levels}"
            console.print_result(front_end.about(file, title))
    differences = (d for d in state_differences(old, new) if d.topic != "level")
    print_differences(differences, after.ruleset)


def print_differences(differences: Iterable[Difference], ruleset: Ruleset) -> None:
    """Print differences, a line each."""
    for line in difference_lines(differences, ruleset):
        console.print_result(f"  {line}")
