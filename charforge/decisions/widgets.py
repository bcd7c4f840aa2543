"""Widgets: how a decision is asked, as data: a menu, a checklist, number or text fields.

Each kind of decision returns one of these widgets, and the wizard renders
it on whatever terminal there is. Nothing here draws or reads anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from charforge.decisions.option import Answer, DecisionOption


class MenuCommand(Enum):
    """Entries of a menu that are no options of the rules."""

    DONE = auto()
    REMOVE_LAST = auto()
    SUGGEST = auto()


@dataclass(frozen=True, eq=False, slots=True)
class WholeAnswer:
    """A menu entry that is the complete answer, for example the former one."""

    answer: Answer


@dataclass(frozen=True, eq=False, slots=True)
class TextField:
    """A line of text to type.

    ``problems`` returns the reasons against a typed text, ``parse`` the
    answer that it stands for, and ``follow_up`` the field to ask after
    that answer, if any (dice that must be rolled again). ``help`` and
    ``note`` replace those of the page where they are not None.
    """

    problems: Callable[[str], Sequence[str]]
    parse: Callable[[str], Answer] = str
    text: str = ""
    status: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    help: str | None = None
    note: str | None = None
    follow_up: Callable[[Answer], TextField | None] = lambda _answer: None


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One entry of a menu; ``against`` is the reason why it cannot be chosen now.

    ``value`` is an option's id, a MenuCommand, a WholeAnswer or a TextField.
    ``about`` (or the description of ``option``) is shown while the entry is
    pointed at; ``search`` are further words to find it by. An entry with a
    ``number`` holds one that is changed where it stands: ``less`` and
    ``more`` are what the menu then returns, None where it goes no further.
    """

    value: Any
    label: str
    detail: str = ""
    about: str = ""
    against: str = ""
    group: str = ""
    search: str = ""
    number: bool = False
    less: Any = None
    more: Any = None
    option: DecisionOption | None = None


@dataclass(frozen=True, slots=True)
class OptionMenu:
    """A list to choose one entry from; ``start`` is the value pointed at first.

    ``question`` is added to the decision's own question.
    """

    items: Sequence[MenuItem]
    start: Any = None
    status: tuple[str, ...] = ()
    question: str = ""


@dataclass(frozen=True, slots=True)
class Checklist:
    """A list that is answered item by item.

    ``picked`` is what is chosen at the beginning. ``next_menu(picked, last,
    added)`` returns the menu for the next item, or None when the list is
    complete: ``last`` is the item added or removed last (MISSING at first),
    ``added`` the number of items chosen on these pages. ``answer(picked)``
    is the answer that the items make.
    """

    picked: Sequence[Answer]
    next_menu: Callable[[Sequence[Answer], Answer, int], OptionMenu | None]
    answer: Callable[[Sequence[Answer]], Answer]


@dataclass(frozen=True, slots=True)
class NumberField:
    """One number among several: the value it belongs to, with its title and description."""

    id: str
    name: str
    title: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class NumberFields:
    """Several numbers on one page, changed until they are right together.

    ``numbers`` are those that each field may have, in ascending order;
    ``bounds`` says the same in words. ``status`` and ``problems`` judge all
    of them together. ``suggest`` fills them in, where that can be asked
    for; ``complete`` says that nothing more needs to be changed.
    """

    fields: Sequence[NumberField]
    start: Mapping[str, int]
    numbers: Sequence[int]
    bounds: str
    status: Callable[[Mapping[str, int]], str]
    problems: Callable[[Mapping[str, int]], Sequence[str]]
    suggest: Callable[[], dict[str, int]]
    counted: bool = False
    answered: bool = False


Widget = OptionMenu | Checklist | NumberFields | TextField
