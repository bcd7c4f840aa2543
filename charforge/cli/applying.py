"""``import --into``: what happened on the page of a sheet comes into a character file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from charforge.cli import screen

if TYPE_CHECKING:
    from charforge import service
    from charforge.document.events import AnyEvent
    from charforge.service.applying import Meeting

ANYWAY = "Give --anyway to add them all the same, or leave it."


def into(text: str, file: Path, target: Path, anyway: bool) -> None:
    """Add the events of ``file`` to the log of ``target``, save it, and tell them."""
    from charforge import service
    from charforge.document import played, store
    from charforge.service import applying
    from charforge.service.standing import standing

    page = played.parse(text, file)
    before = service.open_file(target)
    met = applying.meet(before, page, file)
    if not met.fresh:
        screen.say(f"{file} tells nothing that {target} does not have.")
        return
    after = applying.apply(met)
    new = after.document.log[len(before.document.log) :]
    if met.parted and not anyway:
        _agree(met, after, new, target)
    store.update(before.document, after.document, target)
    for line in _lines(after, new):
        screen.result(line)
    for unit in dict.fromkeys(getattr(event, "unit", None) for event in new):
        if unit is not None:
            screen.result(standing(after.character.state, unit).line)


def _agree(met: Meeting, after: service.Opened, new: tuple[AnyEvent, ...], target: Path) -> None:
    """Show both sides, and ask. Raises UsageError where the answer is no, or nobody is there."""
    from charforge.errors import UsageError

    name, known, last = met.opened.document.name, met.page.n, len(met.opened.document.log)
    screen.say(f"{name} has moved on since the page was made (event {known}, now {last}).")
    if met.behind:
        screen.say(f"In {target} what the page was made from was undone.")
    else:
        screen.say(f"In {target} since then:")
        for line in _lines(met.opened, met.since):
            screen.say(line)
    screen.say("On the page:")
    for line in _lines(after, new):
        screen.say(line)
    if not screen.somebody_there():
        raise UsageError("nobody is there to say whether both happened", ANYWAY)
    if not screen.agreed("Did both happen? Add what the page tells after it?"):
        raise UsageError("nothing was changed")


def _lines(opened: service.Opened, events: Iterable[AnyEvent]) -> Iterable[str]:
    from charforge.service import telling

    return (f"  {told.text}" for told in telling.events(opened, events))
