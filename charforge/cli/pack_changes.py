"""Messages about what other packs change about a character, for commands that load no more."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from charforge.character.differences import Difference
from charforge.cli import console
from charforge.describe.differences import difference_lines
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.usecases.pack_changes import pack_differences, unrecorded_differences


def say_pack_changes(file: Path, loaded: LoadedCharacter) -> tuple[str, ...]:
    """Print on stderr what other packs change about a character, and return the lines.

    They are what is on record since its packs were pinned, and what has
    changed since it was saved.
    """
    return _say(file, loaded, pack_differences(loaded))


def say_new_pack_changes(file: Path, before: LoadedCharacter) -> None:
    """Print on stderr what other packs changed, which a change of ``before`` put on record."""
    _say(file, before, unrecorded_differences(before))


def _say(file: Path, loaded: LoadedCharacter, differences: Iterable[Difference]) -> tuple[str, ...]:
    lines = tuple(difference_lines(differences))
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
