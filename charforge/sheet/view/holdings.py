"""The holdings on a sheet: cards of abilities, and equipment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from charforge.sheet.view.figures import SheetCapacity
from charforge.sheet.view.rules import RulesText, SheetAction


class Card(NamedTuple):
    """A holding with its text and actions, such as a System; ``subtitle`` are short facts."""

    id: str
    name: str
    subtitle: tuple[str, ...]
    # The timing of the first action; empty if there is none.
    timing: str
    label: str
    text: RulesText
    actions: tuple[SheetAction, ...]
    capacities: tuple[SheetCapacity, ...]
    # Whether it is used on the own turn.
    on_turn: bool = False
    # The name of its row among the weapons, if it has attacks.
    armed: str = ""


class Item(NamedTuple):
    """A piece of equipment, equal ones together; ``label`` is its heading.

    ``place`` is where it is carried, such as In hand or Worn, if the ruleset tells places apart.
    """

    name: str
    quantity: int
    category: str
    facts: tuple[str, ...]
    text: RulesText
    capacities: tuple[SheetCapacity, ...]
    actions: tuple[SheetAction, ...]
    label: str = ""
    place: str = ""
    # Whether a list of the sheet shows it too.
    listed: bool = False
    # The name of its row among the weapons, if it has attacks.
    armed: str = ""
    # The keys of its trackers on a page to play from, if it can be worn.
    worn_keys: tuple[str, ...] = ()


def items_by_label(items: Iterable[Item]) -> tuple[tuple[str, tuple[Item, ...]], ...]:
    """Return items under their labels; those that no list shows come first."""
    groups: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: item.listed):
        groups.setdefault(item.label, []).append(item)
    return tuple((label, tuple(group)) for label, group in groups.items())
