"""A character's own portrait: laid beside its file, set and taken away in its log."""

from __future__ import annotations

from pathlib import Path

from charforge.cli import screen


def change(file: Path, picture: Path | None, dry_run: bool) -> None:
    """Make a picture the portrait of a character; None takes away the one it has.

    The picture is kept upright, scaled and without its other data. That of
    before stays where it lies, so that the change can be undone. Raises
    DocumentError for what is no picture, UsageError where nothing would change.
    """
    from charforge import service
    from charforge.document import portrait, store
    from charforge.document.model import pictured
    from charforge.errors import UsageError
    from charforge.service import telling
    from charforge.service.editing import portrayed
    from charforge.sheet.portrait import kept, read

    before = service.open_file(file)
    data = b"" if picture is None else kept(read(picture), picture)
    name = portrait.file_name(data) if data else ""
    if name == pictured(before.document.log) and portrait.there(file, before.document):
        told = "this is the portrait already" if name else "there is no portrait to take away"
        raise UsageError(f"{before.document.name}: {told}")
    after = service.change(before, portrayed(name))
    screen.result(f"{file}: {after.document.name}")
    for one in telling.events(after, after.document.log[len(before.document.log) :]):
        screen.result(f"  {one.text}")
    if dry_run:
        screen.say("Nothing is changed.")
        return
    beside = portrait.beside(file, after.document)
    if beside is not None:
        store.write(beside, data)
    store.update(before.document, after.document, file)
