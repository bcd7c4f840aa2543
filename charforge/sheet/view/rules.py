"""Texts of the rules: actions, and terms with their explanation."""

from __future__ import annotations

from typing import NamedTuple

from charforge.expressions.markup import Prose


class RulesText(NamedTuple):
    """A text of the rules. ``short`` says it in one or two lines, where the rules have that too."""

    full: Prose = ()
    short: Prose = ()

    @property
    def digest(self) -> Prose:
        """The short text, or else the full one."""
        return self.short or self.full

    def printed(self, in_short: bool) -> Prose:
        """Return the digest or the full text."""
        return self.digest if in_short else self.full

    def __bool__(self) -> bool:
        """Whether it says anything."""
        return bool(self.full)


class Chip(NamedTuple):
    """A condition of an action in a few words; ``kind`` is cost, cooldown, limit or roll."""

    kind: str
    text: str
    # Whether it has a box to tick, and whether that is ticked.
    box: bool = False
    ticked: bool = False
    # The key of its tracker on a page to play from.
    tracker_key: str = ""


class SheetAction(NamedTuple):
    """An action; ``label`` is that of its timing, ``unmet`` are its unmet requirements."""

    name: str
    timing: str
    label: str
    chips: tuple[Chip, ...]
    trigger: Prose
    who: str
    text: RulesText
    unmet: tuple[str, ...]
    # The key of its button on a page to play from.
    move_key: str = ""


class Entry(NamedTuple):
    """A rules term with its explanation and the actions that belong to it."""

    id: str
    name: str
    text: RulesText
    actions: tuple[SheetAction, ...] = ()

    def titled(self, addition: str) -> Entry:
        """Return it with an addition to its name."""
        return self._replace(name=f"{self.name} ({addition})")
