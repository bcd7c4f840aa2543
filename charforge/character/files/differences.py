"""Differences between two characters or summaries, as data, and those that replaced packs made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict

from charforge.character.files.events import FIRST_ONLY, LIST_ERRORS, Event, Pins, Printable

Entries = Mapping[str, tuple[str, int | str]]  # by id: a label and a value


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs; ``old`` or ``new`` is None where one side does not have it.

    ``topic`` is one of name, level, rule, unit, value, holding, condition,
    choice and text; ``unit`` names the companion or vehicle it concerns.
    ``kind`` is the label of a holding's kind.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    topic: Printable
    id: Printable
    label: Printable
    old: int | Printable | None
    new: int | Printable | None
    unit: Printable = ""
    kind: Printable = ""


class PackChange(Event):
    """The changes of a character by replaced packs, as the next save found them.

    It is no event of the log, which only a player adds to: undo leaves it.
    ``n`` and ``group`` are those of the event that follows it. ``former`` are
    the packs of the character and ``packs`` those that it was saved with.
    """

    do: Literal["packs"] = "packs"
    former: Pins
    packs: Pins
    changes: Annotated[tuple[Difference, ...], FIRST_ONLY, LIST_ERRORS]


def entry_differences(
    topic: str,
    old: Entries,
    new: Entries,
    unit: str = "",
    kind_of: Callable[[str], str] = lambda _id: "",
) -> Iterator[Difference]:
    """Yield the entries whose values differ: in the order of ``new``, then those only in ``old``.

    ``kind_of`` returns the kind of an entry by its id.
    """
    for name in dict.fromkeys([*new, *old]):
        before, after = old.get(name), new.get(name)
        old_value, new_value = before and before[1], after and after[1]
        if old_value != new_value:
            label = (after or before or ("", ""))[0]
            yield Difference(topic, name, label, old_value, new_value, unit, kind_of(name))
