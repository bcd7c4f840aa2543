"""Rulebooks: the rules of a game as one group plays it, as a page of HTML for paper and screens."""

from __future__ import annotations

from typing import NamedTuple

from charforge.expressions.markup import Prose
from charforge.sheet.html import environment
from charforge.sheet.print_options import Look
from charforge.sheet.view import Credit, OddsTable, SheetLook

PAGE = 5_000  # letters that certainly fit on a page


class Mark(NamedTuple):
    """A change by packs: their names, whether they add the whole entry, and why."""

    packs: str
    new: bool
    why: str


class RulingNote(NamedTuple):
    """A ruling; ``option`` is how this table plays it where there is a choice."""

    id: str
    title: str
    text: Prose
    option: str = ""


class Table(NamedTuple):
    """A table: its heading, a line above it, the headings of its columns, and its rows."""

    label: str
    text: Prose
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Entry(NamedTuple):
    """A rule, an option or a thing.

    ``unit`` is the type of unit that a value is for, ``terms`` are what it costs and needs.
    ``rulings`` are those that are first needed here, ``more_rulings`` the ids of others, which
    are printed elsewhere.
    """

    anchor: str
    name: str
    unit: str
    paragraphs: tuple[Prose, ...]
    terms: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    marks: tuple[Mark, ...] = ()
    rulings: tuple[RulingNote, ...] = ()
    more_rulings: tuple[str, ...] = ()


class Chapter(NamedTuple):
    """A chapter: entries in running text, then tables.

    ``short`` entries are set in narrower columns. A chapter of at most a page has its entries in
    ``columns`` that are about equally long; a longer one fills column after column, because making
    these equally high would lay it out again and again.
    """

    anchor: str
    title: str
    entries: tuple[Entry, ...]
    tables: tuple[Table, ...] = ()
    text: Prose = ()
    short: bool = False

    @property
    def columns(self) -> tuple[tuple[Entry, ...], ...]:
        """The entries in columns of about the same length; nothing for a long chapter."""
        number = 3 if self.short else 2
        if not self.entries:
            return ()
        if len(self.entries) < number:
            return (*((entry,) for entry in self.entries), *[()] * (number - len(self.entries)))
        total = sum(map(_length, self.entries))
        if total > PAGE:
            return ()
        columns: list[list[Entry]] = [[] for _ in range(number)]
        before, present = 0, 0
        for entry in self.entries:
            length = _length(entry)
            full = before + length / 2 > total * (present + 1) / number
            if full and columns[present] and present < number - 1:
                present += 1
            columns[present].append(entry)
            before += length
        return tuple(map(tuple, columns))


def _length(entry: Entry) -> int:
    """Return about how much room an entry takes, in letters."""
    texts = [str(block) for prose in entry.paragraphs for block in prose]
    texts += [str(block) for note in entry.rulings for block in note.text]
    texts += [mark.why for mark in entry.marks]
    rows = sum(len(table.rows) for table in entry.tables)
    return 100 + 45 * bool(entry.terms) + sum(len(text) + 25 for text in texts) + 60 * rows


class Part(NamedTuple):
    """A part of the book, with chapters."""

    anchor: str
    title: str
    chapters: tuple[Chapter, ...]


class Change(NamedTuple):
    """A change by packs: the entry, if it is in the book, its name, how and why."""

    anchor: str
    name: str
    how: str
    why: str


class PackChanges(NamedTuple):
    """The changes by one pack."""

    name: str
    changes: tuple[Change, ...]


class TableRuleChoice(NamedTuple):
    """How the table plays a rule with options; ``usual`` is the book's way if it is another."""

    label: str
    option: str
    usual: str
    ruling: str


class IndexEntry(NamedTuple):
    """A name in the index, with the anchors of its places."""

    name: str
    anchors: tuple[str, ...]


class IndexLetter(NamedTuple):
    """The names in the index that begin with a letter."""

    letter: str
    entries: tuple[IndexEntry, ...]


class Rulebook(NamedTuple):
    """A rulebook.

    ``rulings`` are those that belong to no entry, ``names`` the index,
    ``ruling_ids`` the numbers and topics of all rulings.
    """

    title: str
    game: str
    text: str
    packs: tuple[str, ...]
    look: SheetLook
    credits: tuple[Credit, ...]
    changes: tuple[PackChanges, ...]
    table_rules: tuple[TableRuleChoice, ...]
    parts: tuple[Part, ...]
    odds: tuple[OddsTable, ...]
    rulings: tuple[RulingNote, ...]
    names: tuple[IndexLetter, ...]
    ruling_ids: tuple[tuple[str, str], ...]


def rulebook_html(book: Rulebook, look: Look) -> str:
    """Return a rulebook as a self-contained page of HTML."""
    template = environment().get_template("rulebook.html")
    return template.render(view=book, look=look, play=None)
