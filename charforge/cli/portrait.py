"""A character's own portrait: laid beside its file, set and taken away in its log."""

from __future__ import annotations

from pathlib import Path

from charforge.cli import console


def change(file: Path, picture: Path | None, dry_run: bool) -> None:
    """Make a picture the portrait of a character; None takes away the one it has.

    The picture is kept upright, scaled and without its other data. That of
    before stays where it lies, so that the change can be undone. Raises
    DocumentError for what is no picture, UsageError where nothing would change.
    """
    from charforge.character import portrait_file, storage
    from charforge.character.document import logged_portrait
    from charforge.errors import UsageError
    from charforge.replay.loaded import load_character
    from charforge.sheet.portraits import kept, read
    from charforge.usecases import history
    from charforge.usecases.change import change_character
    from charforge.usecases.edit import portrayed

    before = load_character(file)
    data = b"" if picture is None else kept(read(picture), picture)
    name = portrait_file.file_name(data) if data else ""
    if name == logged_portrait(before.document.log) and portrait_file.there(file, before.document):
        told = "this is the portrait already" if name else "there is no portrait to take away"
        raise UsageError(f"{before.document.name}: {told}")
    after = change_character(before, portrayed(name))
    console.result(f"{file}: {after.document.name}")
    for one in history.events(after, after.document.log[len(before.document.log) :]):
        console.result(f"  {one.text}")
    if dry_run:
        console.say("Nothing is changed.")
        return
    beside = portrait_file.beside(file, after.document)
    if beside is not None:
        storage.write(beside, data)
    storage.save_changed(before.document, after.document, file)
