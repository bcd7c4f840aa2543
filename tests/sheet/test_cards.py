"""Cards of every game: what one holds, where it ends, and that nothing runs into its foot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from weasyprint.formatting_structure import boxes

from charforge.expressions.markup import Block, Span
from charforge.rules.loader import load
from charforge.sheet.build import build
from charforge.sheet.cut import text_of
from charforge.sheet.deck import Slip, deal
from charforge.sheet.html import render_html
from charforge.sheet.pdf import render_pdf
from charforge.sheet.print_options import Look, Style
from charforge.sheet.view import Card, SheetCapacity, SheetView
from tests.sheet.conftest import Make, made
from tests.sheet.print_check import check, texts
from tests.sheet.printed import record
from tests.sheet.test_layouts import told

GAMES = ("capital", "narrative-dice", "phase-2d10", "squad-d20", "shields-biotics")
LARGE: frozenset[Style] = frozenset({"large-print"})
LOOKS = [
    Look("cards"),
    Look("cards", "letter", styles=LARGE),
    Look("cards", "a4", "landscape", LARGE),
]


@pytest.fixture(scope="module", params=GAMES)
def view(request: pytest.FixtureRequest) -> SheetView:
    ruleset = load(request.param)
    return build(made(ruleset, "cards", min(6, ruleset.head.advancement.maximum)))


def slips(view: SheetView, look: Look) -> list[Slip]:
    return [slip for page in deal(view, look) for slip in page]


def of_class(box: Any, name: str) -> Iterator[Any]:
    """Yield the boxes of a class inside another."""
    for one in box.descendants():
        if one.element is not None and name in (one.element.get("class") or "").split():
            yield one


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS, ids=told)
def test_words_end_above_the_foot(view: SheetView, look: Look) -> None:
    printed = record(lambda: render_pdf(render_html(view, look)))
    assert check(printed, view, look) == []
    cards = [card for page in printed.boxes for card in of_class(page, "slip")]
    assert {card.element_tag for card in cards} == {"article"}
    for card in cards:
        words, foot = next(of_class(card, "words")), next(of_class(card, "foot"))
        lines = [one for one in words.descendants() if isinstance(one, boxes.LineBox)]
        assert max(line.position_y + line.height for line in lines) <= foot.position_y


@pytest.mark.parametrize("look", LOOKS, ids=told)
def test_a_card_ends_after_a_sentence_or_a_paragraph(view: SheetView, look: Look) -> None:
    whole = {text.strip() for text in texts(view)}
    for slip in slips(view, look):
        last = slip.pieces[-1]
        if slip.number == slip.total:
            continue
        assert last.action is None, "a head without its words"
        assert not (last.attack and last.attack.text), "an attack without its text"
        if last.block is not None:
            text = text_of(last.block).strip()
            assert not text.endswith(":"), "what a list is of, without the list"
            ended = text.endswith((".", "!", "?"))
            assert ended or any(one.endswith(text) for one in whole), text


@pytest.mark.parametrize(
    ("game", "name", "answers"),
    [
        ("capital", "Primitive first aid kit", {"role": "role/the-healer"}),
        ("capital", "Personal Communicator", {}),
        ("squad-d20", "Assault rifle", {"weapon": "weapon/automatic"}),
    ],
)
def test_a_card_holds_what_it_can(game: str, name: str, answers: dict[str, str]) -> None:
    """Each of these took three cards: boxes to tick were taken for higher than they are."""
    made_of = build(made(load(game), "cards", 1, **answers))
    found = [slip for slip in slips(made_of, Look("cards")) if slip.name.endswith(name)]
    assert [(slip.number, slip.total) for slip in found] == [(1, 2), (2, 2)]


def of_text(view: SheetView, *blocks: Block, held: tuple[SheetCapacity, ...] = ()) -> SheetView:
    """Return a view with one card."""
    card = Card("system/long", "Long", (), "", "", blocks, (), held)
    return view._replace(cards=(card,), items=(), attacks=(), conditions=(), units=())


def test_a_paragraph_is_whole_where_no_card_is_saved_by_tearing_it(make: Make) -> None:
    sentence = "The quick brown fox jumps over the lazy dog at noon. "
    blocks = [Block((Span((sentence * 6).strip()),)) for _ in range(3)]
    found = slips(of_text(build(make()), *blocks), Look("cards"))
    assert [piece.block for slip in found for piece in slip.pieces] == blocks
    assert len(found) == 2


def test_a_paragraph_longer_than_a_card_goes_on_with_a_sentence(make: Make) -> None:
    sentence = "The quick brown fox jumps over the lazy dog at noon. "
    block = Block((Span((sentence * 60).strip()),))
    found = slips(of_text(build(make()), block), Look("cards"))
    assert len(found) > 2
    told_again = [text_of(slip.pieces[0].block or Block(())) for slip in found]
    assert all(text.startswith("The") and text.endswith(".") for text in told_again)
    assert " ".join(told_again) == text_of(block)


def test_boxes_of_many_things_are_shared_out_and_none_is_lost(make: Make) -> None:
    many = of_text(build(make()), held=(SheetCapacity("Rounds", 30, 12, used=(30, 10)),))
    found = [piece.capacity for slip in slips(many, Look("cards")) for piece in slip.pieces]
    shared = [one for one in found if one is not None]
    assert len(shared) > 1
    assert sum(one.pieces for one in shared) == 12
    assert [one.used for one in shared] == [(30, 10), *[()] * (len(shared) - 1)]


def test_only_the_first_of_several_says_what_it_is_and_costs(make: Make) -> None:
    captain = build(make(level=3, role="role/the-captain", asset="augmentation/limb"))
    rally = [slip for slip in slips(captain, Look("cards")) if slip.name == "Rally"]
    assert [bool(slip.kind) for slip in rally] == [True, False]
