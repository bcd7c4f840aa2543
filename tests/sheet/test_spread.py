"""Columns hold everything, once, in order, and are filled evenly."""

from __future__ import annotations

import pytest

from charforge.expressions.markup import plain_text
from charforge.sheet import tales
from charforge.sheet.build import build
from charforge.sheet.estimate import lines
from charforge.sheet.print_options import Look, Paper
from charforge.sheet.spread import AFTER, MOST_REST, down, fight, follows, gear, reference
from tests.sheet.conftest import Make

WIDE = Look(orientation="landscape")


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("level", [1, 10])
def test_no_card_is_lost_or_doubled(make: Make, level: int, paper: Paper) -> None:
    view = build(make(level=level))
    placed = [card for column in fight(view, Look(paper=paper)).columns for card in column]
    assert sorted(card.name for card in placed) == sorted(card.name for card in view.cards)


def test_a_card_that_does_not_begin_on_a_page_leaves_its_room_to_others(make: Make) -> None:
    """Of a page's height, a card without a place to be cut at goes below a short one."""
    view = build(make(level=1))
    short = view.cards[0]._replace(id="short", text=(), actions=())
    words = tuple(block for entry in view.actions for block in entry.text)
    tall = short._replace(id="tall", text=words[:1] * 18)
    columns = fight(view._replace(cards=(tall, short)), WIDE).columns
    assert [card.id for card in columns[0]][:1] == ["short"]
    assert sorted(card.id for column in columns for card in column) == ["short", "tall"]


def test_long_cards_alone_are_cut(make: Make) -> None:
    view = build(make("n7", 10))
    long = fight(view, WIDE).long
    letters = {
        card.id: sum(len(plain_text(one.text)) for one in card.actions) for card in view.cards
    }
    assert 0 < len(long) < len(view.cards)
    assert min(letters[name] for name in long) > sorted(letters.values())[len(letters) // 2]


def test_what_is_too_long_for_the_rest_of_a_page_waits_for_the_next() -> None:
    """Of two columns with 20 mm left, then 100, the second part finds no room in either."""
    assert list(down("abc", [15.0, 60.0, 50.0], 20.0, 100.0, 2)) == [
        (("a",), ()),
        (("b",), ("c",)),
    ]


def test_a_single_part_waits_for_no_page_that_it_fits() -> None:
    """Halved between two columns it would be 7 mm high; it has 14, and there are 260."""
    assert list(down("a", [14.0], 260.0, 270.0, 2)) == [(("a",), ())]


def test_what_leads_to_a_list_goes_with_it(make: Make) -> None:
    """A column may end after any piece, so none is "Spend Grit:" alone."""
    pieces = [
        part.entry.text
        for spread in reference(build(make(level=1)), Look())
        for side in spread
        for part in side
    ]
    leading = [text for text in pieces if plain_text(text).startswith("Spend Grit:")]
    assert [[block.listed for block in text] for text in leading] == [[False, True]]


def test_equipment_of_several_pages_is_all_there(make: Make) -> None:
    view = build(make("gear", 10))
    view = view._replace(items=view.items * 4)
    held = [item.name for column in gear(view, WIDE, 60.0) for item in column]
    assert sorted(held) == sorted(item.name for item in view.unlisted_items)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_reference_keeps_every_word_in_order(make: Make, paper: Paper) -> None:
    view = build(make(level=10, asset="vehicle/tank"))
    pieces = [
        part for spread in reference(view, Look(paper=paper)) for side in spread for part in side
    ]
    told = [plain_text(piece.entry.text) for piece in pieces if piece.entry.text]
    whole = [*view.actions, *view.conditions, *view.reference]
    assert "\n".join(told) == "\n".join(plain_text(entry.text) for entry in whole if entry.text)
    assert [p.entry.name for p in pieces if p.entry.name] == [entry.name for entry in whole]
    deeds = [action for piece in pieces for action in piece.entry.actions]
    assert deeds == [action for entry in whole for action in entry.actions]
    assert [p.heading for p in pieces if p.heading] == [
        "Actions",
        "Conditions",
        "Words on this sheet",
    ]


def test_the_stories_are_all_there(make: Make) -> None:
    view = build(
        make(role="role/the-captain", role__symbol="A cord", story__background="word " * 390)
    )
    columns = tales.story(view, Look()).columns
    told = [tale for spread in columns for side in spread for tale in side]
    labels = [tale.label for tale in told if tale.label]
    assert labels == ["Background", "Origin", "Further", "Symbol", "The Captain"]


def test_one_long_paragraph_fills_columns_evenly(make: Make) -> None:
    """60 sentences go on from column to column, each ends after one, and no word is lost."""
    story = " ".join(f"The {number}th engine had been quiet for days." for number in range(60))
    view = build(make(story__background=story))
    [columns] = tales.story(view, Look()).columns
    background = [tale for column in columns for tale in column if tale.label in ("Background", "")]
    assert len(background) >= 2
    assert " ".join(plain_text(tale.text) for tale in background) == story
    assert all(plain_text(tale.text).endswith("days.") for tale in background)
    assert [tale.lines for tale in background] == [0] * (len(background) - 1) + [1]
    lengths = [sum(len(plain_text(tale.text)) for tale in column) for column in columns]
    assert min(lengths) > 0.3 * max(lengths)


def test_gear_follows_a_few_cards_on_their_page_and_nothing_on_a_first_page(make: Make) -> None:
    many, few = build(make("gear", 10)), build(make(level=1))
    first = fight(few, Look())
    assert (first.rest, follows(few, first, Look())) == (0, 0)
    assert first.left > 0
    over = fight(many._replace(cards=many.cards * 2), Look())
    assert 0 < over.rest <= Look().page.height
    light, loaded = many._replace(items=()), many._replace(items=many.items * 9, units=())
    assert follows(light, over, Look()) == (over.rest + AFTER if over.rest < MOST_REST * 272 else 0)
    assert follows(loaded, over, Look()) == 0


def test_notes_are_offered_where_the_story_surely_leaves_room(make: Make) -> None:
    assert tales.room_for_notes(build(make()), Look())
    assert not tales.room_for_notes(build(make(story__background="word " * 399 * 3)), Look())


def test_a_blank_line_gives_way_to_a_whole_page(make: Make) -> None:
    """Of all levels some sheet has just too many cards for the line, and it is left out."""
    set_ = [fight(build(make(f"n{n}", 9)), Look()) for n in range(12)]
    assert {one.blank for one in set_} == {0, 1}
    assert all(one.rest == 0 for one in set_ if one.blank == 0)


def test_lines_are_reckoned_from_the_letters() -> None:
    assert lines("", 50, 8.75) == 1
    assert lines("word " * 20, 90, 8.75) < lines("wwww " * 20, 90, 8.75)
    assert lines("x" * 400, 90, 8.75) == lines("x" * 200, 45, 8.75)
