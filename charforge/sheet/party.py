"""One file for a party: the GM's pages, all sheets and all cards, as PDF or HTML.

The GM's page has initiative, the vitals, combat strip and attributes of each
unit, and abilities, built from the views of the members' sheets. In a PDF each
part is laid out separately, so that it numbers its pages from 1; then all pages
are written as one document with one outline and a label for each page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import pydyf
from markupsafe import Markup

from charforge.character.state import CHARACTER
from charforge.describe.entities import ALLOWED
from charforge.errors import ProcedureError, RuleRefusal
from charforge.expressions.dice import Dice
from charforge.language import N_, _
from charforge.procedures import run as procedures
from charforge.procedures.context import RunSettings
from charforge.procedures.steps import every_step
from charforge.replay.replay import Character
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build, game_theme, sorted_reference
from charforge.sheet.html import environment, isolate_direction
from charforge.sheet.laid_out import LaidOutSheet
from charforge.sheet.pdf import lay_out, write
from charforge.sheet.print_options import PrintOptions, SheetSection
from charforge.sheet.trackers import PageTrackers, page_script
from charforge.sheet.view import (
    ActiveCondition,
    Attribute,
    Credit,
    Entry,
    Fact,
    Headline,
    SharedPanel,
    SheetChart,
    SheetView,
    SheetVital,
    Theme,
    UnitPanel,
    items_by_label,
    shown_conditions,
)

if TYPE_CHECKING:
    from weasyprint.document import Document, Page  # needs system libraries when it is imported


ALWAYS = N_("Always")
MOST_NAMES = 6  # in a title
SUMMARY, REFERENCE, CARDS = N_("The party"), N_("Reference"), N_("Cards")
# Sections that the sheets leave out if the party has one reference.
IN_REFERENCE: frozenset[SheetSection] = frozenset({"reference", "tables"})
OWN, OF_UNIT = "•", "×"  # marks of what a character and its units can do
FIGHTS = ("Fight 1", "Fight 2", "Fight 3")  # columns for the results of initiative
OTHERS, OTHERS_OF_SEVERAL = 6, 3  # empty lines for others who act, with one game or several


Explained = TypeVar("Explained", Entry, SheetChart)


class Member(NamedTuple):
    """A character of a party.

    ``scores`` are the scores for initiative without dice; None if they are rolled or the game
    has no initiative. ``acts_last`` if a rule puts it after all others. ``play`` are the trackers
    of its sheet, if the file has it as a page to play from. One that ``is_shared`` is what the
    others own together.
    """

    character: Character
    view: SheetView
    scores: tuple[int, ...] | None
    acts_last: bool = False
    play: PageTrackers | None = None
    is_shared: bool = False

    @property
    def facts(self) -> tuple[str, ...]:
        """The headline and level, the stores and the values of a member that are not zero."""
        listed = (*self.view.stores, *self.view.figures_beside_combat)
        tracked = () if self.view.vitals else _tracked(self.view)  # these are in the table
        facts = [fact for fact in listed if not fact.zero and fact not in tracked]
        parts = (headline_and_level(self.view), *(f"{fact.label} {fact.text}" for fact in facts))
        return tuple(filter(None, parts))

    @property
    def has_details(self) -> bool:
        """Whether its box has anything besides its name."""
        view = self.view
        warnings = (view.problems, view.allowed, view.pack_changes)
        weapons = (view.weapons, *(unit.weapons for unit in view.units))
        return any((self.facts, *warnings, *weapons))

    @property
    def abilities(self) -> Iterator[tuple[str, str, str]]:
        """Its abilities and equipment: each a heading, a name and a mark.

        The mark is for the character or for one of its units; of equipment it is the quantity.
        A card with actions of several timings is under each. The dagger of what one has with
        permission is beside the mark, so that all who have the same are in one row.
        """
        units: tuple[SheetView | UnitPanel, ...] = (self.view, *self.view.units)
        for unit in units:
            for card in unit.cards:
                labels = [action.label or _(ALWAYS) for action in card.actions] or [_(ALWAYS)]
                name = card.name.removesuffix(ALLOWED).rstrip()
                mark = OWN if unit is self.view else OF_UNIT
                for label in dict.fromkeys(labels):
                    yield label, name, f"{mark}{ALLOWED}" if name != card.name else mark
        for label, items in items_by_label(
            item for item in self.view.items if not item.armed and (item.actions or item.capacities)
        ):
            yield from ((label, item.name, str(item.quantity)) for item in items)


class MarkRow(NamedTuple):
    """Something that members can do, with a mark for each member; empty if it cannot."""

    name: str
    marks: tuple[str, ...]


class MarkTable(NamedTuple):
    """Abilities of members, by timing, equipment last; ``has_units`` says if units have some."""

    members: tuple[Member, ...]
    groups: tuple[tuple[str, tuple[MarkRow, ...]], ...]
    has_units: bool


class PartyRow(NamedTuple):
    """A unit with its values, one for each column (None if it has none).

    An ``owned`` unit belongs to the character in a row above; ``combat`` is what the unit needs
    in every round of a fight. ``sheet`` is the prefix of the sheet to play from that its values
    are on, ``unit`` the id of the unit there; both are empty without one.
    """

    name: str
    description: str
    owned: bool
    active_conditions: tuple[ActiveCondition, ...]
    cells: tuple[SheetVital | Attribute | None, ...]
    combat: tuple[Fact, ...]
    sheet: str = ""
    unit: str = ""


class PartyTable(NamedTuple):
    """A table of units. Each column is labelled by the value of the first unit that has it."""

    columns: tuple[SheetVital | Attribute, ...]
    rows: tuple[PartyRow, ...]


class Party(NamedTuple):
    """The members who play the same game, in the order in which they were given.

    ``game`` is the name of the game if there are several. ``initiative`` is the label and dice
    of initiative. ``turn_order`` are the members in play: highest score first or, if the game
    rolls all scores (``rolled_scores`` are their labels), as given. It is empty in a game
    without initiative.
    """

    game: str
    ruleset: str
    initiative: tuple[str, str]
    members: tuple[Member, ...]
    turn_order: tuple[Member, ...]
    rolled_scores: tuple[str, ...]
    vitals: PartyTable
    attributes: PartyTable
    attributes_label: str

    @property
    def title(self) -> str:
        """The title of its pages for the GM."""
        return self._titled(_(SUMMARY))

    @property
    def reference_title(self) -> str:
        """The title of its reference."""
        return self._titled(_(REFERENCE))

    @property
    def cards_title(self) -> str:
        """The title of its cards."""
        return self._titled(_(CARDS))

    @property
    def name(self) -> str:
        """The name of its cards' owner."""
        return self._titled(_("the party"))

    def _titled(self, part: str) -> str:
        return f"{part} · {self.game}" if self.game else part

    @property
    def initiative_columns(self) -> tuple[str, ...]:
        """The labels of the columns to write initiative in."""
        return self.rolled_scores or (_("Score"), *FIGHTS)

    @property
    def shared(self) -> tuple[SharedPanel, ...]:
        """Return what the groups of its members own, each once."""
        panels = (member.view.shared for member in self.members)
        return tuple(dict.fromkeys(panel for panel in panels if panel is not None))

    def ability_tables(self, most: int) -> Iterator[MarkTable]:
        """Yield tables of who can do what, each of at most ``most`` members."""
        for first in range(0, len(self.members), most):
            table = ability_table(self.members[first : first + most])
            if table.groups:
                yield table

    @property
    def members_with_details(self) -> tuple[Member, ...]:
        """The members whose box has anything besides their name."""
        return tuple(member for member in self.members if member.has_details)


def ability_table(members: Sequence[Member]) -> MarkTable:
    """Return what members can do as marks, in each group by name."""
    groups: dict[str, dict[str, dict[int, str]]] = {}
    for number, member in enumerate(members):
        for label, name, mark in member.abilities:
            marks = groups.setdefault(label, {}).setdefault(name, {})
            marks.setdefault(number, mark)
    columns = range(len(members))
    return MarkTable(
        members=tuple(members),
        groups=tuple(
            (label, tuple(
                MarkRow(name, tuple(marks.get(column, "") for column in columns))
                for name, marks in sorted(rows.items())
            ))
            for label, rows in groups.items()
        ),
        has_units=any(
            mark.startswith(OF_UNIT)
            for rows in groups.values() for marks in rows.values() for mark in marks.values()
        ),
    )  # fmt: skip


class PartySummary(NamedTuple):
    """The parts of all games. The other fields are those that every page needs."""

    name: str
    ruleset: str
    games: tuple[Party, ...]
    theme: Theme = Theme()
    level_label: str = ""
    level: int = 0
    levels: int = 1
    headline: tuple[Headline, ...] = ()
    problems: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()
    credits: tuple[Credit, ...] = ()


def party_member(
    character: Character, view: SheetView | None = None, play: PageTrackers | None = None
) -> Member:
    """Return a character as a member of a party.

    ``view`` is its view if already built, ``play`` its trackers if its sheet is to play from.
    """
    return Member(character, view or build(character), *_scores(character), play)


def parties(members: Iterable[Member]) -> list[Party]:
    """Return a party for each ruleset, in the order of the members."""
    games: dict[str, list[Member]] = {}
    for member in members:
        games.setdefault(member.character.state.ruleset.id, []).append(member)
    return [_party(game, len(games) > 1) for game in games.values()]


def _keep_direction(name: str) -> str:
    """Return a name from right to left between marks, so that it turns no other name round."""
    turned = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return isolate_direction(name) if turned else name


def party_title(members: Sequence[Member]) -> str:
    """Return the title of a party: the names of its first members."""
    names = [_keep_direction(member.view.name) for member in members[:MOST_NAMES]]
    more = (
        [_("{count} more").format(count=len(members) - MOST_NAMES)]
        if len(members) > MOST_NAMES
        else []
    )
    return _("Party: {names}").format(names=", ".join(names + more))


def render_summary(games: Sequence[Party], options: PrintOptions) -> str:
    """Return the GM's pages of all games as HTML."""
    members = [member for game in games for member in game.members]
    ruleset = games[0].ruleset if len(games) == 1 else _("{count} games").format(count=len(games))
    theme = game_theme(members[0].character.state.ruleset) if len(games) == 1 else Theme()
    view = PartySummary(
        party_title(members), ruleset, tuple(games), theme, credits=_credits(members)
    )
    template = environment().get_template("party.html")
    return template.render(
        view=view,
        options=options,
        audit=(),
        play=None,
        others=OTHERS if len(games) == 1 else OTHERS_OF_SEVERAL,
    )


def deck_view(party: Party) -> SheetView:
    """Return a view for the cards of all members."""
    game = party.members[0]
    theme = game_theme(game.character.state.ruleset)
    return game.view._replace(name=party.name, theme=theme, credits=_credits(party.members))


def reference_view(party: Party) -> SheetView:
    """Return a view with the reference of all members: what their sheets would explain, once.

    A text with figures that differ from member to member is there once for each, with names.
    """
    views = [member.view for member in party.members]
    first, ruleset = views[0], party.members[0].character.state.ruleset
    return first._replace(
        name=party.title, headline=(), levels=1, problems=(), pack_changes=(), plate=(),
        theme=game_theme(ruleset),
        actions=_once((view.name, view.actions) for view in views),
        conditions=_once((view.name, view.conditions) for view in views),
        reference=sorted_reference(
            _once((view.name, view.reference) for view in views), ruleset
        ),
        charts=_once((view.name, view.charts) for view in views),
        table_rules=tuple(dict.fromkeys(rule for view in views for rule in view.table_rules)),
        dice=tuple({die.id: die for view in views for die in view.dice}.values()),
        credits=_credits(party.members),
    )  # fmt: skip


def _credits(members: Iterable[Member]) -> tuple[Credit, ...]:
    """Return the credits of the games and packs of all members, without repetition."""
    return tuple(dict.fromkeys(credit for member in members for credit in member.view.credits))


def _once(lists: Iterable[tuple[str, Iterable[Explained]]]) -> tuple[Explained, ...]:
    """Return the entries of several lists, each with its owner, without repetition.

    Entries of one id whose texts differ have the names of their owners.
    """
    owners: dict[str, dict[Explained, list[str]]] = {}
    for owner, entries in lists:
        for entry in entries:
            owners.setdefault(entry.id, {}).setdefault(entry, []).append(owner)
    merged: list[Explained] = []
    for variants in owners.values():
        named = len(variants) > 1
        for entry, names in variants.items():
            merged.append(entry.titled(", ".join(names)) if named else entry)
    return tuple(merged)


def headline_and_level(view: SheetView) -> str:
    """Return the headline and level of a character, such as ``Medic · level 3``."""
    level = f"{view.level_label.lower()} {view.level}" if view.levels > 1 else ""
    return " · ".join(filter(None, (*(part.name for part in view.headline), level)))


def _party(members: Sequence[Member], several: bool) -> Party:
    """Return the members of one game as a party; ``several`` if there are other games."""
    units = [unit for member in members for unit in _units(member)]
    ruleset = members[0].character.state.ruleset
    order = ruleset.head.play.order
    rolled = _rolled_scores(ruleset)
    acting = [
        member
        for member in members
        if (rolled or member.scores is not None) and member.character.state.out_of_play() is None
    ]
    fights = any(unit.shown.vitals for unit in units)
    return Party(
        game=ruleset.head.name if several else "",
        ruleset=ruleset.head.name,
        initiative=(order.label, order.dice) if order is not None else ("", ""),
        members=tuple(members),
        turn_order=tuple(
            sorted(acting, key=lambda m: (not m.acts_last, m.scores or ()), reverse=True)
        ),
        rolled_scores=rolled,
        vitals=_table((unit, unit.shown.vitals) for unit in units) if fights else _in_play(units),
        attributes=_table((unit, unit.shown.attributes) for unit in units),
        attributes_label=members[0].view.attributes_label,
    )


class _Unit(NamedTuple):
    """A unit of a member: what is shown of it, its id, and the prefix of the sheet it is on."""

    shown: SheetView | UnitPanel
    id: str
    sheet: str


def _units(member: Member) -> Iterator[_Unit]:
    sheet = member.play.prefix if member.play is not None else ""
    panels: tuple[SheetView | UnitPanel, ...] = (member.view, *member.view.units)
    for shown, unit in zip(panels, member.character.state.units, strict=True):
        yield _Unit(shown, "" if unit.id == CHARACTER else unit.id, sheet)


def _table(units: Iterable[tuple[_Unit, Sequence[SheetVital | Attribute]]]) -> PartyTable:
    """Return a table with a row for each unit that has values, and a column for each value id."""
    by_id = [(unit, {value.id: value for value in values}) for unit, values in units if values]
    columns: dict[str, SheetVital | Attribute] = {}
    for _unit, values in by_id:
        for id, value in values.items():
            columns.setdefault(id, value)
    rows = tuple(_row(unit, map(values.get, columns)) for unit, values in by_id)
    return PartyTable(tuple(columns.values()), rows)


def _in_play(units: Iterable[_Unit]) -> PartyTable:
    """Return a table with the conditions and trackers of each unit, for a game without vitals."""
    rows = (_row(unit, (), _tracked(unit.shown)) for unit in units)
    return PartyTable((), tuple(row for row in rows if row.combat or row.active_conditions))


def _tracked(shown: SheetView | UnitPanel) -> tuple[Fact, ...]:
    """Return the figures of a unit that have trackers on its sheet."""
    labels = {tracker.label for tracker in shown.trackers}
    stores = shown.stores if isinstance(shown, SheetView) else ()
    listed = (*stores, *shown.figures_beside_combat)
    return tuple(fact for fact in listed if fact.label in labels)


def _row(
    unit: _Unit, cells: Iterable[SheetVital | Attribute | None], more: Sequence[Fact] = ()
) -> PartyRow:
    shown = unit.shown
    return PartyRow(
        name=shown.name,
        description=_description(shown),
        owned=isinstance(shown, UnitPanel),
        active_conditions=shown_conditions(shown.active_conditions),
        cells=tuple(cells),
        combat=(*shown.combat, *more),
        sheet=unit.sheet,
        unit=unit.id,
    )


def _description(shown: SheetView | UnitPanel) -> str:
    return shown.kind if isinstance(shown, UnitPanel) else headline_and_level(shown)


def _rolled_scores(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the labels of the scores for initiative if they are rolled, else nothing."""
    order = ruleset.head.play.order
    if order is None:
        return ()
    procedure = ruleset.procedure(order.procedure)
    rolls = any(step.rolls_dice for step in every_step(ruleset, procedure.steps))
    labels = {output.id: output.label for output in procedure.outputs}
    return tuple(labels[name] for name in order.output) if rolls else ()


def _scores(character: Character) -> tuple[tuple[int, ...] | None, bool]:
    """Return the scores for initiative without dice, and whether the character acts last.

    No scores in a game without initiative, if it is rolled, or if a rule does not allow it now.
    """
    ruleset = character.state.ruleset
    order = ruleset.head.play.order
    if order is None:
        return None, False
    try:
        run = procedures.run_procedure(
            character.state, ruleset.procedure(order.procedure), {}, RunSettings(_no_dice)
        )
    except (ProcedureError, RuleRefusal):
        return None, False
    scores = [run.outputs.get(name) for name in order.output]
    figures = tuple(score if isinstance(score, int) else 0 for score in scores)
    return figures, bool(run.outputs.get(order.last))


def _no_dice(name: str, dice: Dice, _label: str) -> list[int]:
    """Refuse to roll dice."""
    raise ProcedureError(
        name, [(name, _("{notation} are not rolled for a page").format(notation=dice.shown))]
    )


FOLDED = "closed"  # the state of an outline entry that hides the entries below it
MEDIA_STYLE = re.compile(r'<style(?: media="(\w+)")?>(.*?)</style>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class PartyPart:
    """One part of a party's file: a page of HTML, and its name in the outline.

    ``fit`` lays out a part whose content has to fit on its pages, with HTML of its own.
    """

    html: str
    name: str
    fit: Callable[[], LaidOutSheet] | None = None

    def laid_out(self) -> tuple[PartyPart, Document]:
        """Return the part as it is printed, and its pages."""
        if self.fit is None:
            return self, lay_out(self.html)
        html, document = self.fit()
        return replace(self, html=html), document


def merge_pdf(
    laid_out: Sequence[tuple[PartyPart, Document]], title: str, on_both_sides: bool = False
) -> bytes:
    """Return one PDF/UA document of parts with their printed pages.

    Printed ``on_both_sides``, each part begins on the front of a sheet of paper: one that ends
    on a front is followed by a blank back.
    """
    pages: list[Page] = []
    lengths: list[tuple[PartyPart, int]] = []
    for number, (part, document) in enumerate(laid_out, 1):
        own = [*document.pages]
        _set_bookmarks(part, own)
        if on_both_sides and len(own) % 2 and number < len(laid_out):
            own.append(_blank_page(own[-1]))
        pages += own
        lengths.append((part, len(own)))
    merged = laid_out[0][1].copy(pages)
    merged.metadata.title, merged.metadata.description = title, None
    sources = [title, str(on_both_sides), *(part.html for part, _document in laid_out)]
    return write(merged, sources, finisher=partial(_label_pages, lengths))


def _blank_page(like: Page) -> Page:
    """Return a blank page of the size of another."""
    template = environment().get_template("blank_page.html")
    [page] = lay_out(template.render(width=like.width, height=like.height)).pages
    return page


def _set_bookmarks(part: PartyPart, pages: Sequence[Page]) -> None:
    """Move the outline of a part below an entry with its name."""
    first = pages[0].bookmarks
    if not first or first[0][0] > 1:
        first.insert(0, (1, part.name, (0, 0), FOLDED))
    for page in pages:
        page.bookmarks = [
            (level, label, position, FOLDED if level == 1 else state)
            for level, label, position, state in page.bookmarks
        ]


def _label_pages(
    parts: Iterable[tuple[PartyPart, int]], _document: Document, pdf: pydyf.PDF
) -> None:
    """Label each page with its part and the number within it (a WeasyPrint finisher).

    ``parts`` are pairs of a part and its number of pages.
    """
    labels, first = pydyf.Array(), 0
    for part, page_count in parts:
        style = {"P": pydyf.String(f"{part.name} "), "S": "/D"}
        labels.extend((first, pydyf.Dictionary(style)))
        first += page_count
    pdf.catalog["PageLabels"] = pydyf.Dictionary({"Nums": labels})


def party_html(parts: Sequence[PartyPart], title: str, on_both_sides: bool = False) -> str:
    """Return the parts as one page of HTML, with a table of contents.

    Printed ``on_both_sides``, each begins on the front of a sheet of paper.
    """
    # The text between tags is safe: it was written, and escaped, by a template.
    numbers: dict[tuple[tuple[str, str], ...], int] = {}  # of each different set of style sheets
    sections = []
    for part in parts:
        number = numbers.setdefault(tuple(MEDIA_STYLE.findall(part.html)), len(numbers))
        body = part.html.partition("<main>")[2].rpartition("</main>")[0]
        sections.append((part.name, number, Markup(body)))  # noqa: S704  # nosec B704
    styles = [
        (number, media, Markup(css))  # noqa: S704  # nosec B704
        for style_sheets, number in numbers.items()
        for media, css in style_sheets
    ]
    template = environment().get_template("party_parts.html")
    scripts = [page_script(name) for name in ("play.js", "party.js")]
    return template.render(
        title=title, styles=styles, sections=sections, scripts=scripts, on_both_sides=on_both_sides
    )
