"""Rulebooks: the rules of a game as one group plays it, as a page of HTML for paper and screens."""

from __future__ import annotations

from typing import NamedTuple

from charforge.expressions.template import Prose
from charforge.language import _
from charforge.sheet.html import environment
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.view import Credit, OddsTable, Theme

WHOLE = 250  # letters of an entry that is not divided between columns or pages


class PackMark(NamedTuple):
    """A change by packs: their names, whether they add the whole entry, and why."""

    packs: str
    new: bool
    why: str

    @property
    def text(self) -> str:
        """The change in words: ``Changed by House rules: Nobody took it.``."""
        text = _("New in {packs}") if self.new else _("Changed by {packs}")
        text = text.format(packs=self.packs)
        return f"{text}: {self.why}" if self.why else text


class RulingNote(NamedTuple):
    """A ruling; ``option`` is how this table plays it where there is a choice."""

    id: str
    title: str
    text: Prose
    option: str = ""


class BookTable(NamedTuple):
    """A table: its heading, a line above it, the headings of its columns, and its rows."""

    label: str
    text: Prose
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def is_wide(self) -> bool:
        """Whether it needs the width of the page."""
        return len(self.columns) > WIDE_TABLE


WIDE_TABLE = 4  # columns of a table that needs the width of the page


class BookEntry(NamedTuple):
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
    tables: tuple[BookTable, ...] = ()
    marks: tuple[PackMark, ...] = ()
    rulings: tuple[RulingNote, ...] = ()
    more_rulings: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether it is short enough to stay in one column."""
        texts = [str(block) for prose in self.paragraphs for block in prose]
        texts += [str(block) for note in self.rulings for block in note.text]
        rows = sum(len(table.rows) for table in self.tables)
        return sum(len(text) + 40 for text in texts) + 60 * rows < WHOLE


class Mode(NamedTuple):
    """An attack of a weapon: what it rolls, its damage, and what else it does."""

    name: str
    range: str
    roll: str
    damage: str
    notes: Prose


class BookWeapon(NamedTuple):
    """A thing with attacks, a row of a table: ``facts`` are its fields in short."""

    entry: BookEntry
    facts: str
    modes: tuple[Mode, ...]


class Group(NamedTuple):
    """Entries in running text, then weapons in a table; a group of a chapter may have a title."""

    title: str
    note: str
    entries: tuple[BookEntry, ...]
    weapons: tuple[BookWeapon, ...] = ()
    weapons_title: str = ""


class BookChapter(NamedTuple):
    """A chapter: groups of entries, then tables. ``short`` entries are set in three columns."""

    anchor: str
    title: str
    groups: tuple[Group, ...]
    tables: tuple[BookTable, ...] = ()
    short: bool = False

    def with_one_level_table(self) -> BookChapter:
        """Return it with the tables of several entries as one, if they have the same columns."""
        with_table = [entry for entry in self.entries if len(entry.tables) == 1]
        heads = {entry.tables[0].columns for entry in with_table}
        if len(with_table) < 2 or len(heads) > 1:
            return self
        first, *others = heads.pop()
        levels = dict.fromkeys(row[0] for entry in with_table for row in entry.tables[0].rows)
        cells = [{row[0]: row[1:] for row in entry.tables[0].rows} for entry in with_table]
        table = BookTable(
            "",
            (),
            (first, *(f"{entry.name}: {head}" for entry in with_table for head in others)),
            tuple(
                (level, *(c for own in cells for c in own.get(level, ("–",) * len(others))))
                for level in levels
            ),
        )
        groups = tuple(
            group._replace(
                entries=tuple(
                    entry._replace(tables=()) if entry in with_table else entry
                    for entry in group.entries
                )
            )
            for group in self.groups
        )
        return self._replace(groups=groups, tables=(table, *self.tables))

    @property
    def entries(self) -> tuple[BookEntry, ...]:
        """All entries, those of weapons included, in the order of the page."""
        return tuple(
            entry
            for group in self.groups
            for entry in (*group.entries, *(weapon.entry for weapon in group.weapons))
        )


class BookPart(NamedTuple):
    """A part of the book, with chapters."""

    anchor: str
    title: str
    chapters: tuple[BookChapter, ...]


class Change(NamedTuple):
    """A change by packs: the entry, if it is in the book, its name, how and why."""

    anchor: str
    name: str
    how: str
    why: str


class BookChanges(NamedTuple):
    """The changes by one pack."""

    name: str
    changes: tuple[Change, ...]


class TableRuleChoice(NamedTuple):
    """How the table plays a rule with options; ``usual`` is the book's way if it is another."""

    label: str
    option: str
    usual: str
    ruling: str


class ContentsSection(NamedTuple):
    """A heading in the contents, with the chapters below it, each a line."""

    anchor: str
    title: str
    chapters: tuple[BookChapter, ...] = ()

    @property
    def lines(self) -> int:
        """The number of its lines."""
        return 1 + len(self.chapters)


class BookIndexEntry(NamedTuple):
    """A name in the index, with the anchors of its places."""

    name: str
    anchors: tuple[str, ...]


class IndexLetter(NamedTuple):
    """The names in the index that begin with a letter."""

    letter: str
    entries: tuple[BookIndexEntry, ...]


class Rulebook(NamedTuple):
    """A rulebook.

    ``rulings`` are those that belong to no entry, ``names`` the index,
    ``ruling_ids`` the numbers and topics of all rulings.
    """

    title: str
    game: str
    text: str
    packs: tuple[str, ...]
    theme: Theme
    credits: tuple[Credit, ...]
    changes: tuple[BookChanges, ...]
    table_rules: tuple[TableRuleChoice, ...]
    parts: tuple[BookPart, ...]
    odds: tuple[OddsTable, ...]
    rulings: tuple[RulingNote, ...]
    names: tuple[IndexLetter, ...]
    ruling_ids: tuple[tuple[str, str], ...]

    @property
    def contents(self) -> tuple[ContentsSection, ...]:
        """The table of contents."""
        changed = self.changes or self.table_rules
        return (
            *([ContentsSection("our-rules", _("How we play"))] if changed else []),
            *(ContentsSection(p.chapters[0].anchor, p.title, p.chapters) for p in self.parts),
            *([ContentsSection("odds", _("Odds"))] if self.odds else []),
            *([ContentsSection("rulings", _("More rulings"))] if self.rulings else []),
            ContentsSection("index", _("Index")),
        )

    def contents_columns(self, number: int) -> tuple[tuple[ContentsSection, ...], ...]:
        """Return the table of contents in columns with about as many lines each."""
        columns: list[list[ContentsSection]] = [[] for _column in range(number)]
        share = sum(section.lines for section in self.contents) / number
        before = 0
        for section in self.contents:
            columns[int((before + section.lines / 2) // share)].append(section)
            before += section.lines
        return tuple(map(tuple, columns))


def rulebook_html(book: Rulebook, options: PrintOptions) -> str:
    """Return a rulebook as a self-contained page of HTML."""
    template = environment().get_template("rulebook.html")
    return template.render(view=book, options=options, play=None)
