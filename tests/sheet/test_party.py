"""Party files: the GM's page agrees with the sheets, and one PDF has them all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pypdf import PdfReader

from charforge.expressions.template import player_text
from charforge.rules.loading.loader import load, load_folder
from charforge.rules.ruleset import Ruleset
from charforge.sheet.cards import print_cards, shared_cards
from charforge.sheet.fit import fit_sheet, sheet_pdf
from charforge.sheet.html import render_html
from charforge.sheet.party import (
    SUMMARY,
    Member,
    Party,
    PartyPart,
    ability_table,
    deck_view,
    merge_pdf,
    parties,
    party_html,
    party_member,
    party_title,
    reference_view,
    render_summary,
)
from charforge.sheet.pdf import render_pdf
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.view import Fact, SheetView
from tests.sheet.conftest import Make, given, made
from tests.sheet.print_faults import faults
from tests.sheet.printed import page_texts, record
from tests.sheet.torture import NAMES, TORTURE

if TYPE_CHECKING:
    from weasyprint.document import Document  # needs system libraries when it is imported

LOOK = PrintOptions("party")
PARTY = {
    "Nix": {"level": 1, "role": "role/the-lancer"},
    "Ada": {"level": 3, "role": "role/the-sentinel", "asset": "companion/drone"},
    "Teo": {"level": 5, "role": "role/the-captain", "asset": "companion/land-beast"},
    "Juno": {"level": 10, "role": "role/the-scout", "asset": "vehicle/bike"},
}
PAIR = ("Nix", "Juno")  # whose file is printed


@pytest.fixture(scope="session")
def members(make: Make) -> list[Member]:
    """Four of one game, with companions and a vehicle."""
    return [party_member(make(name=name, seed=name, **more)) for name, more in PARTY.items()]


@pytest.fixture(scope="session")
def party(members: list[Member]) -> Party:
    """Their page."""
    [found] = parties(members)
    return found


def outline(reader: PdfReader, deepest: int = 2) -> list[tuple[int, str]]:
    """Return the entries of an outline with their depth."""

    def walk(entries: list[Any], depth: int) -> Iterator[tuple[int, str]]:
        for entry in entries:
            if isinstance(entry, list):
                yield from walk(entry, depth + 1)
            elif depth <= deepest:
                yield depth, str(entry.title)

    return list(walk(reader.outline, 1))


def _tags(tag: Any) -> Iterator[Any]:
    """Yield a tag and all below it, each of which names the one above."""
    tag = tag.get_object()
    yield tag
    for kid in tag["/K"]:
        if not isinstance(kid, int) and kid["/Type"] == "/StructElem":
            assert kid["/P"].indirect_reference == tag.indirect_reference
            yield from _tags(kid)


def test_turns_go_by_score_and_equals_stay_as_they_were_given(party: Party) -> None:
    scores = [one.scores for one in party.turn_order]
    assert scores == sorted(scores, reverse=True)
    assert {one.view.name for one in party.turn_order} == set(PARTY)
    for one in party.members:
        if one.view.name in ("Nix", "Ada"):  # no System of theirs changes it: it is AGI
            [agility] = [a.total for a in one.view.attributes if a.id == "agi"]
            assert one.scores == (agility,)


def test_systems_that_change_the_order_count_in_the_score(make: Make) -> None:
    plain = make(role="role/the-captain", attributes__assign=dict(zip(
        ("str", "ftd", "agi", "vsn", "wis", "wil", "cha", "knw"), (4, 5, 5, 5, 5, 5, 6, 6),
        strict=True,
    )))  # fmt: skip
    values = plain.state.values()
    agility, charisma = values.total("agi"), values.total("cha")
    assert charisma > agility
    # "That's an Order": CHA in place of AGI. "Urgency": AGI − 5 more, never less than nothing.
    ordering = given(plain, "system/thats-an-order-i")
    assert party_member(ordering).scores == (charisma,)
    urgent = given(ordering, "system/urgency")
    assert party_member(urgent).scores == (charisma + max(agility - 5, 0),)


def test_vitals_and_scores_are_those_of_the_sheets(party: Party) -> None:
    wanted = {}
    for one in party.members:
        for unit in (one.view, *one.view.units):
            wanted[unit.name] = (unit.vitals, unit.attributes)
    for table, place in ((party.vitals, 0), (party.attributes, 1)):
        rows = {row.name: tuple(cell for cell in row.cells if cell) for row in table.rows}
        assert rows == {name: both[place] for name, both in wanted.items() if both[place]}
        for row in table.rows:
            for column, cell in zip(table.columns, row.cells, strict=True):
                assert cell is None or cell.id == column.id


def test_units_stand_below_their_owners(party: Party) -> None:
    assert [(row.owned, row.name) for row in party.vitals.rows][:3] == [
        (False, "Nix"), (False, "Ada"), (True, "Drone"),
    ]  # fmt: skip


def test_what_each_can_do_is_marked_under_its_time(party: Party) -> None:
    [table] = party.ability_tables(len(PARTY))
    marked = {
        (label, row.name, one.view.name): mark
        for label, rows in table.groups
        for row in rows
        for one, mark in zip(table.members, row.marks, strict=True)
        if mark
    }
    for one in party.members:
        for unit in (one.view, *one.view.units):
            for card in unit.cards:
                for label in {action.label for action in card.actions} or {"Always"}:
                    assert marked.pop((label, card.name, one.view.name), "•") in "•×"
    assert all(label == "Equipment" and mark.isdigit() for (label, *_), mark in marked.items())
    assert marked, "supplies are equipment"
    assert table.has_units


def test_a_mark_is_for_the_character_or_for_what_belongs_to_it(members: list[Member]) -> None:
    nix, ada, *_others = members
    own, others = nix.view.cards[0], ada.view.units[0].cards
    view = ada.view._replace(cards=(own,), items=())
    table = ability_table([nix._replace(view=nix.view._replace(cards=(own,), items=())),
                           ada._replace(view=view)])  # fmt: skip
    marks = {row.name: row.marks for _label, rows in table.groups for row in rows}
    assert marks.pop(own.name) == ("•", "•")
    assert marks == {card.name: ("", "×") for card in others}


def test_what_one_has_with_permission_is_in_the_row_of_all_who_have_it(
    members: list[Member],
) -> None:
    nix, kas = members[:2]
    card = nix.view.cards[0]
    allowed = card._replace(name=f"{card.name} †")
    table = ability_table(
        [
            nix._replace(view=nix.view._replace(cards=(card,), items=(), units=())),
            kas._replace(view=kas.view._replace(cards=(allowed,), items=(), units=())),
        ]
    )
    rows = {row for _label, rows in table.groups for row in rows}
    assert rows == {(card.name, ("•", "•†"))}


def test_large_parties_have_several_tables(members: list[Member]) -> None:
    [party] = parties(members)
    tables = list(party.ability_tables(3))
    assert [len(table.members) for table in tables] == [3, 1]
    assert all(any(row.marks) for table in tables for _label, rows in table.groups for row in rows)


def test_a_game_without_an_order_of_turns_has_none(toy: Ruleset) -> None:
    [found] = parties([party_member(made(toy, name="Merrin"))])
    assert found.turn_order == ()
    page = render_summary([found], LOOK)
    assert "Turn order" not in page
    assert "Merrin" in page


def test_a_game_without_vitals_has_its_trackers_and_conditions_in_the_table() -> None:
    """Couriers have Harm and no attack, so that nothing is headed by attacks."""
    examples = Path(__file__).resolve().parents[2] / "examples"
    courier = made(load_folder(examples / "night-post"), level=1)
    (party,) = parties([party_member(courier)])
    (row,) = party.vitals.rows
    assert ("Harm", "0 (Warm)") in [(fact.label, fact.text) for fact in row.combat]
    page = render_summary([party], PrintOptions())
    assert "In play" in page
    assert "In the fight" not in page
    assert "Attacks and more" not in page


def test_each_game_has_a_page_of_its_own(members: list[Member], toy: Ruleset) -> None:
    keeper = party_member(made(toy, name="Merrin"))
    first, second = parties([members[0], keeper, members[1]])
    assert (first.ruleset, [m.view.name for m in first.members]) == ("Capital", ["Nix", "Ada"])
    assert (second.ruleset, [m.view.name for m in second.members]) == ("The Long Light", ["Merrin"])
    assert (first.title, second.title) == ("The party · Capital", "The party · The Long Light")


def test_the_name_of_a_game_is_no_part_of_the_titles(party: Party) -> None:
    odd = party._replace(game="The party")
    assert (odd.title, odd.reference_title, odd.cards_title) == (
        "The party · The party", "Reference · The party", "Cards · The party"
    )  # fmt: skip


def test_a_zero_is_left_out_however_it_is_printed(members: list[Member]) -> None:
    facts = (Fact("Guard", "+0", zero=True), Fact("Luck", "0 or more"))
    one = members[0]._replace(view=members[0].view._replace(stores=facts, figures=()))
    assert one.facts[1:] == ("Luck 0 or more",)


def test_what_is_wrong_or_allowed_is_told(make: Make) -> None:
    wrong = party_member(make(name="Wren"))
    wrong = wrong._replace(view=wrong.view._replace(problems=("Role <unknown>",)))
    allowed = party_member(given(make(name="Isa"), "system/urgency"))
    page = render_summary(parties([wrong, allowed]), LOOK)
    assert "Not allowed by the rules as it stands:</b> Role &lt;unknown&gt;" in page
    assert page.count("† Allowed at this table") == sum(
        bool(m.view.allowed) for m in (wrong, allowed)
    )


def test_the_strip_of_each_unit_is_on_the_page(party: Party) -> None:
    combat = {unit.name: unit.combat for m in party.members for unit in (m.view, *m.view.units)}
    assert {row.name: row.combat for row in party.vitals.rows} == combat
    page = render_summary([party], LOOK)
    for facts in combat.values():
        for fact in facts:
            assert f"<i>{fact.label}</i> <b>{fact.text}</b>" in page


def test_the_reference_has_each_entry_of_the_sheets_once(party: Party) -> None:
    shared = reference_view(party)
    for part in ("actions", "conditions", "reference", "charts", "dice"):
        entries = getattr(shared, part)
        assert len(entries) == len(set(entries))
        wanted = {entry.id for one in party.members for entry in getattr(one.view, part)}
        assert {entry.id for entry in entries} == wanted


def test_figures_that_differ_in_the_reference_have_names(members: list[Member]) -> None:
    first, second, *_others = members
    entry = first.view.reference[0]
    other = entry._replace(text=player_text("99 m"))
    views = [
        first.view._replace(reference=(entry,)), second.view._replace(reference=(other,)),
        first.view._replace(name="Third", reference=(entry,)),
    ]  # fmt: skip
    [party] = parties(one._replace(view=view) for one, view in zip(
        (first, second, first), views, strict=True
    ))  # fmt: skip
    names = [entry.name for entry in reference_view(party).reference]
    assert names == [f"{entry.name} (Nix, Third)", f"{entry.name} (Ada)"]


def test_a_title_names_the_first_of_many(members: list[Member]) -> None:
    assert party_title(members) == "Party: Nix, Ada, Teo, Juno"
    assert party_title(members * 2) == "Party: Nix, Ada, Teo, Juno, Nix, Ada, 2 more"


def test_names_from_right_to_left_stay_apart_in_a_title(members: list[Member]) -> None:
    names = [NAMES["arabic"], NAMES["hebrew"]]
    turned = [
        one._replace(view=one.view._replace(name=name))
        for one, name in zip(members, names, strict=False)
    ]
    assert party_title([*turned, members[0]]) == (
        f"Party: \N{FIRST STRONG ISOLATE}{names[0]}\N{POP DIRECTIONAL ISOLATE}, "
        f"\N{FIRST STRONG ISOLATE}{names[1]}\N{POP DIRECTIONAL ISOLATE}, Nix"
    )


def parts(members: list[Member]) -> list[PartyPart]:
    """Return the summary, the short sheets and the cards of a party."""
    [game] = parties(members)
    cards = PrintOptions("cards")
    deck = shared_cards(print_cards(one.view, cards) for one in members)
    return [
        PartyPart(render_summary(parties(members), LOOK), SUMMARY),
        *(part(one.view, PrintOptions("short")) for one in members),
        PartyPart("", game.cards_title, partial(fit_sheet, deck_view(game), cards, cards=deck)),
    ]


def part(view: SheetView, options: PrintOptions) -> PartyPart:
    """Return a sheet as it is printed: what must fit its page does."""
    return PartyPart(render_html(view, options), view.name, partial(fit_sheet, view, options))


def laid_out(members: list[Member]) -> list[tuple[PartyPart, Document]]:
    """Return the parts of a party with their pages."""
    return [part.laid_out() for part in parts(members)]


def test_one_page_of_html_holds_them_and_needs_nothing_else(members: list[Member]) -> None:
    sections = [part for part in parts(members) if part.html]
    page = party_html(sections, "Party: <all>")
    assert "<title>Party: &lt;all&gt;</title>" in page
    assert page.count("<main>") == page.count("<!DOCTYPE") == 1
    assert re.findall(r'(?:src|href)="(?!data:|#part-)', page) == []
    for number, part in enumerate(sections, 1):
        assert f'<a href="#part-{number}">{part.name}</a>' in page
        assert page.count(f'id="part-{number}"') == 1
    # One role type, one colour: three of the four sheets share the style of none other.
    accents = {one.view.theme for one in members}
    assert len(set(re.findall(r"<style[^>]*>\.style-(\d+) \{", page))) == len(accents)


def test_the_gms_page_has_the_colours_of_its_game(members: list[Member]) -> None:
    others = [party_member(made(load("squad-d20"), "x0"))]
    colour = load("squad-d20").head.theme.accent.colour
    assert f"--edge-accent: {colour};" in render_summary(parties(others), LOOK)
    of_both = render_summary(parties([*members, *others]), LOOK)
    assert f"--edge-accent: {colour};" not in of_both, "of two games it has those of neither"
    assert "--edge-accent: #444444;" in of_both


@pytest.mark.slow
@pytest.mark.needs("pango")
class TestPdf:
    """The file of two of them, with what belongs to the second; it needs Pango."""

    @pytest.fixture(scope="class")
    @staticmethod
    def pair(members: list[Member]) -> list[Member]:
        return [members[0], members[-1]]

    @pytest.fixture(scope="class")
    @staticmethod
    def printed(pair: list[Member]) -> list[tuple[PartyPart, Document]]:
        return laid_out(pair)

    @pytest.fixture(scope="class")
    @staticmethod
    def data(pair: list[Member], printed: list[tuple[PartyPart, Document]]) -> bytes:
        return merge_pdf(printed, party_title(pair))

    @pytest.fixture
    def reader(self, data: bytes) -> PdfReader:
        return PdfReader(BytesIO(data))

    def test_one_outline_leads_to_all_of_it(self, reader: PdfReader) -> None:
        found = outline(reader)
        assert [name for depth, name in found if depth == 1] == [
            "The party", *PAIR, "Cards of the party",
        ]  # fmt: skip
        assert found[:6] == [
            (1, "The party"), (2, "Turn order"), (2, "In the fight"), (2, "Attributes"),
            (2, "Who can do what"), (2, "Attacks and more"),
        ]  # fmt: skip
        sheet = found[found.index((1, "Juno")) : found.index((1, "Cards of the party"))]
        assert {"Attacks", "Systems"} <= {name for depth, name in sheet if depth == 2}

    def test_an_entry_leads_to_its_page(self, reader: PdfReader) -> None:
        places = {
            str(entry.title): reader.get_destination_page_number(entry)
            for entry in reader.outline
            if not isinstance(entry, list)
        }
        assert places["The party"] == 0
        for name in PAIR:
            assert name in reader.pages[places[name]].extract_text()
        assert list(places.values()) == sorted(set(places.values()))

    def test_pages_are_called_after_what_they_are_of(self, reader: PdfReader) -> None:
        labels = reader.page_labels
        assert labels[0] == "The party 1"
        assert [label for label in labels if label.endswith(" 1")] == [
            "The party 1",
            *(f"{name} 1" for name in PAIR),
            "Cards 1",
        ]  # fmt: skip
        assert len(set(labels)) == len(labels) == len(reader.pages)

    def test_each_part_begins_on_a_front_if_both_sides_are_printed(
        self, printed: list[tuple[PartyPart, Document]]
    ) -> None:
        reader = PdfReader(BytesIO(merge_pdf(printed, "Both sides", on_both_sides=True)))
        lengths = [len(document.pages) for _part, document in printed]
        firsts = [n for n, label in enumerate(reader.page_labels) if label.endswith(" 1")]
        assert len(firsts) == len(printed)
        assert all(first % 2 == 0 for first in firsts)
        assert any(length % 2 for length in lengths[:-1]), "one has a blank back"
        for first, length, following in zip(firsts, lengths, firsts[1:], strict=False):
            assert [page.extract_text() for page in reader.pages[first + length : following]] == (
                [""] * (length % 2)
            )

    def test_each_part_counts_its_own_pages(self, reader: PdfReader) -> None:
        for name in PAIR:
            page = reader.pages[reader.page_labels.index(f"{name} 1")]
            number = sum(label.startswith(f"{name} ") for label in reader.page_labels)
            assert f"{name} · 1 of {number}" in page.extract_text()

    def test_it_is_tagged_and_names_itself(self, reader: PdfReader) -> None:
        root = reader.trailer["/Root"]
        assert root["/MarkInfo"]["/Marked"]
        assert root["/Lang"] == "en"
        assert b"pdfuaid" in root["/Metadata"].get_data()
        assert reader.metadata is not None
        assert reader.metadata.title == "Party: Nix, Juno"
        assert "/CreationDate" not in reader.metadata
        tree = root["/StructTreeRoot"]["/ParentTree"]["/Nums"]
        assert len(tree) // 2 >= len(reader.pages)

    def test_tags_of_every_part_are_those_of_its_pages(self, reader: PdfReader) -> None:
        root = reader.trailer["/Root"]["/StructTreeRoot"]
        [whole] = root["/K"]
        tree = root["/ParentTree"]["/Nums"]
        keys = [int(key) for key in tree[::2]]
        assert keys == sorted(set(keys))
        marks = dict(zip(keys, tree[1::2], strict=True))
        heads: list[str] = []
        for page in reader.pages:
            tags = [tag.get_object() for tag in marks[page["/StructParents"]]]
            assert tags
            assert {tag["/Pg"].indirect_reference for tag in tags} == {page.indirect_reference}
        for tag in _tags(whole):
            heads += [str(tag["/ID"])] if "/ID" in tag else []
        assert len(heads) == len(set(heads)) > len(PAIR)
        cells = [tag["/A"].get("/Headers", ()) for tag in _tags(whole) if tag["/S"] == "/TD"]
        assert {str(head) for cell in cells for head in cell} <= set(heads)

    def test_a_name_like_a_reference_stays_a_name(self, make: Make) -> None:
        """In a PDF "7 0 R" is the object of that number; here it is somebody."""
        member = party_member(make(name="7 0 R", concept="1 0 R"))
        printed, title = laid_out([member]), party_title([member])
        data = merge_pdf(printed, title)
        assert merge_pdf(printed, title) == data, "the same bytes"
        reader = PdfReader(BytesIO(data))
        assert [name for depth, name in outline(reader) if depth == 1][1] == "7 0 R"
        assert reader.metadata is not None
        assert reader.metadata.title == "Party: 7 0 R"
        assert "7 0 R" in reader.pages[1].extract_text()

    def test_a_sheet_is_what_it_is_alone(
        self, reader: PdfReader, data: bytes, pair: list[Member]
    ) -> None:
        view = pair[-1].view
        alone = page_texts(sheet_pdf(view, PrintOptions("short")))
        place = reader.page_labels.index(f"{view.name} 1")
        assert page_texts(data)[place] == alone[0]


# Each paper, orientation and style for few and for many.
WAYS = [
    ("members", "letter", "landscape", "ink-saver"),
    ("members", "a4", "portrait", "large-print"),
    ("crowd", "a4", "portrait", "grey"),
    ("crowd", "letter", "landscape", "large-print"),
]


@pytest.fixture(scope="session")
def crowd(capital: Ruleset) -> list[Member]:
    """Everybody of the torture set."""
    return [party_member(one(capital)) for one in TORTURE.values()]


@pytest.fixture(scope="session")
def guests() -> list[Member]:
    """One of each other game, the leader of a squad among them."""
    games = ("narrative-dice", "squad-d20", "phase-2d10", "shields-biotics")
    return [party_member(made(load(game), name=f"Guest {n}")) for n, game in enumerate(games)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("orientation", "styles"), [("portrait", ""), ("landscape", "large-print")]
)
def test_small_groups_of_several_games_share_pages(
    guests: list[Member], orientation: Any, styles: str
) -> None:
    """No head lies on another, no box is cut, and there are fewer pages than two a game."""
    options = PrintOptions("party", orientation=orientation, styles=frozenset(styles.split()))  # type: ignore[arg-type]
    games = parties(guests)
    made = record(lambda: render_pdf(render_summary(games, options)))
    wanted = [label for game in games if game.turn_order for label in game.initiative_columns]
    wanted += [f"The party · {game.ruleset}" for game in games]
    found = faults(made, wanted, (), 14 if options.large else 7)
    assert [one for one in found if one.fault != "missing glyph"] == []
    assert len(made.pages) <= 2 * len(games)
    if not options.large and orientation == "portrait":
        assert len(made.pages) < len(games)


def test_a_box_without_anything_in_it_is_left_out(guests: list[Member]) -> None:
    bare = guests[-1]._replace(view=guests[-1].view._replace(figures=(), headline=()))
    bare = bare._replace(view=bare.view._replace(weapons=()))
    [party] = parties([bare])
    assert party.members_with_details == ()
    assert "Attacks and more" not in render_summary([party], LOOK)


@pytest.mark.slow
@pytest.mark.parametrize(("who", "paper", "orientation", "styles"), WAYS)
def test_no_page_for_the_gm_has_a_fault(
    request: pytest.FixtureRequest, who: str, paper: Any, orientation: Any, styles: str
) -> None:
    options = PrintOptions("party", paper, orientation, frozenset(styles.split()))  # type: ignore[arg-type]
    [party] = parties(request.getfixturevalue(who))
    made = record(lambda: render_pdf(render_summary([party], options)))
    rows = [*party.vitals.rows, *party.attributes.rows]
    wanted = [*(row.name for row in rows), *(one.view.name for one in party.turn_order)]
    wanted += [f"of {cell.max}" for row in party.vitals.rows for cell in row.cells
               if cell and not cell.shared and cell.max is not None]  # fmt: skip
    wanted += [str(cell.total) for row in party.attributes.rows for cell in row.cells if cell]
    own = [one.view.name for one in party.members]
    # A name too long for its line ends in an ellipsis.
    long = tuple(row.name for row in rows if len(row.name) > 20)
    lines = [credit.line for member in party.members for credit in member.view.credits]
    credits = {word for line in lines for word in line.split()}  # below the foot
    found = [one for one in faults(made, wanted, own, 14 if options.large else 7)
             if one.fault != "margin" or one.about not in credits]  # fmt: skip
    cut = ("clipped", "sticks out", "overlap")
    assert [one for one in found if one.fault != "missing glyph"
            and not (one.fault in cut and one.about.startswith(long))] == []  # fmt: skip
