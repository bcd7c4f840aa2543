"""Widgets: how a decision is asked, as data: a menu, a checklist, number or text fields.

Each kind of decision returns one of these widgets, and the wizard renders
it on whatever terminal there is. Nothing here draws or reads anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from charforge.decisions.option import Answer, DecisionOption


@dataclass(frozen=True, eq=False, slots=True)
class WholeAnswer:
    """A menu entry that is the complete answer, for example the former one.

    A ``secret`` answer, such as dice not rolled yet, is not shown beforehand.
    """

    answer: Answer
    secret: bool = False


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


class MenuItem(NamedTuple):
    """One entry of a menu; ``against`` is the reason why it cannot be chosen now.

    ``value`` is an option's id, a WholeAnswer, a TextField, or whatever the
    page that shows the entry uses. ``about`` (or the description of
    ``option``) is shown while the entry is pointed at; ``search`` are further
    words to find it by. ``cells`` are pairs of a column's title and a text,
    for entries that are shown as a table. ``recommended`` says to whom it is
    recommended, and why.

    ``picked`` is how often an entry of a checklist is picked, None for any
    other entry; ``again`` says that it can be picked more than once.
    ``is_number`` is true for an entry whose number is changed where it stands.
    An entry that is ``pinned`` stays visible while the list scrolls.
    """

    value: Any
    label: str
    detail: str = ""
    about: str = ""
    against: str = ""
    group: str = ""
    search: str = ""
    option: DecisionOption | None = None
    cells: tuple[tuple[str, str], ...] = ()
    recommended: str = ""
    picked: int | None = None
    again: bool = False
    is_number: bool = False
    pinned: bool = False


class OptionMenu(NamedTuple):
    """A list to choose one entry from; ``start`` is the value pointed at first."""

    items: Sequence[MenuItem]
    start: Any = None
    status: tuple[str, ...] = ()


class Checklist(NamedTuple):
    """A list on one page, from which several entries are picked.

    ``start`` are the entries picked at the beginning. Of the entries picked
    so far, ``items`` are all entries, ``status`` the progress in words and
    ``missing`` what is still to do before the list is complete. ``remaining``
    are the picked entries that are still allowed after one was removed.
    ``answered`` says that it was answered before, or may stay empty: nothing
    needs to be picked.
    """

    start: Sequence[Answer]
    items: Callable[[Sequence[Answer]], Sequence[MenuItem]]
    status: Callable[[Sequence[Answer]], tuple[str, ...]]
    missing: Callable[[Sequence[Answer]], Sequence[str]]
    remaining: Callable[[Sequence[Answer]], Sequence[Answer]]
    label: Callable[[Answer], str]
    answered: bool = False


class NumberField(NamedTuple):
    """One number among several: the value it belongs to, with its title and description.

    ``recommended`` says why it should be high, if it should.
    """

    id: str
    name: str
    title: str
    about: str = ""
    recommended: str = ""


class NumberFields(NamedTuple):
    """Several numbers on one page, changed until they are right together.

    A field without a number is not in ``start``; with ``clearable``, a number
    can be taken away again. With the present numbers, ``allowed`` are those
    that a field may have, in ascending order; ``status`` and ``missing`` judge
    all of them together, and ``answer`` is the answer that they make. ``bounds``
    are the possible numbers in words. ``suggestions`` are entries that fill in
    everything. ``answered`` says that nothing needs to be changed.
    """

    fields: Sequence[NumberField]
    start: Mapping[str, int]
    allowed: Callable[[Mapping[str, int], str], Sequence[int]]
    bounds: str
    status: Callable[[Mapping[str, int]], str]
    missing: Callable[[Mapping[str, int]], Sequence[str]]
    answer: Callable[[Mapping[str, int]], Answer] = dict
    suggestions: Sequence[MenuItem] = ()
    clearable: bool = False
    answered: bool = False


Widget = OptionMenu | Checklist | NumberFields | TextField
