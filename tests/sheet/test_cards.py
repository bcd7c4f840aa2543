"""Cards: their contents, which are printed, and how long ones are divided."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.errors import UnknownId
from charforge.expressions.template import Block, Prose, Span
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load
from charforge.sheet.build import build
from charforge.sheet.cards import (
    LONG_TEXT,
    FittedCard,
    Piece,
    PrintCard,
    divided,
    joined,
    print_cards,
    shared_cards,
    variants,
)
from charforge.sheet.fit import fit_sheet
from charforge.sheet.fit_cards import Room, divide_card, parts_within
from charforge.sheet.pdf import write
from charforge.sheet.print_options import CARD_KINDS, CardKind, CardSize, Paper, PrintOptions, Style
from charforge.sheet.view import (
    Card,
    Chip,
    RulesText,
    SheetAction,
    SheetCapacity,
    SheetView,
    UnitPanel,
    Weapon,
    grouped_cards,
)
from tests.sheet.conftest import Make, made
from tests.sheet.printed import record

GAMES = ("capital", "narrative-dice", "phase-2d10", "squad-d20", "shields-biotics")
ALL = PrintOptions("cards", card_kinds=frozenset(CARD_KINDS))
LARGE: frozenset[Style] = frozenset({"large-print"})


def text_of(pieces: tuple[Piece, ...]) -> str:
    return "\n".join("".join(span.text for span in piece.block.spans) for piece in pieces)


def texts(prose: Prose) -> list[str]:
    return ["".join(span.text for span in block.spans) for block in prose]


def with_card(view: SheetView, card: Card) -> SheetView:
    """Return a view with one card."""
    return view._replace(cards=(card,), items=(), weapons=(), conditions=(), units=())


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_on_a_card_in_full_and_as_its_digest(game: str) -> None:
    ruleset = load(game)
    view = build(made(ruleset, "cards", min(6, ruleset.head.advancement.maximum)))
    cards = print_cards(view, ALL)
    full = "\n".join(text_of(card.full) for card in cards)
    digest = "\n".join(text_of(card.digest) for card in cards)
    groups = grouped_cards(view.cards)
    rules = [
        *(card for group in groups for card in group.cards),
        *view.unlisted_items,
        *view.conditions,
        *view.weapons,
    ]
    rules += [rule for unit in view.units for rule in (*unit.cards, *unit.weapons)]
    for rule in rules:
        for part in (
            (rule.shared, *rule.modes) if isinstance(rule, Weapon) else (rule, *rule.actions)
        ):
            assert all(text in full for text in texts(part.text.full)), rule.name
            assert all(text in digest for text in texts(part.text.digest)), rule.name


def test_only_the_chosen_kinds_are_printed(make: Make) -> None:
    view = build(make(level=3))
    usual = print_cards(view, PrintOptions("cards"))
    assert {card.kind for card in usual} == {"abilities", "attacks"}
    gear = print_cards(view, PrintOptions("cards", card_kinds=frozenset({"gear"})))
    assert {card.kind for card in gear} == {"gear"}
    assert {card.name for card in usual}.isdisjoint(card.name for card in gear)


def test_abilities_have_the_name_of_the_game_too(make: Make) -> None:
    view = build(make(level=3))
    by_name = print_cards(view, PrintOptions("cards", card_kinds=frozenset({"systems"})))
    assert by_name == print_cards(view, PrintOptions("cards", card_kinds=frozenset({"abilities"})))
    with pytest.raises(UnknownId, match="spells"):
        print_cards(view, PrintOptions("cards", card_kinds=frozenset({"spells"})))


def test_a_weapon_is_one_card_with_what_the_item_says(make: Make) -> None:
    view = build(make(level=1, role="role/the-lancer", asset="special-weapon/rifle"))
    armed = [item.name for item in view.unlisted_items if item.armed]
    names = [card.name for card in print_cards(view, ALL)]
    assert armed
    assert all(names.count(name) == 1 for name in armed)
    kinds = {card.name: card.kind for card in print_cards(view, ALL)}
    assert {kinds[name] for name in armed} == {"attacks"}


def test_the_cost_of_a_single_action_is_at_the_top(make: Make) -> None:
    chips = (Chip("cost", "1 Energy"), Chip("cooldown", "Cooldown 5+", box=True))
    action = SheetAction("", "instant", "Instant", chips, (), "", RulesText(), ())
    card = Card("a/b", "Dash", (), "instant", "Instant", RulesText(), (action,), ())
    [one] = print_cards(with_card(build(make()), card), PrintOptions("cards"))
    assert [chip.text for chip in one.cost] == ["1 Energy"]
    assert [chip.text for chip in one.chips] == ["Cooldown 5+"]


def test_what_is_too_long_for_its_place_becomes_text(make: Make) -> None:
    limit = "Once for each enemy that has seen you do the same thing before in this scene"
    action = SheetAction("", "action", "Action", (Chip("limit", limit),), (), "", RulesText(), ())
    card = Card("a/b", "N" * 200, ("t" * 150,), "action", "Action", RulesText(), (action,), ())
    [one] = print_cards(with_card(build(make()), card), PrintOptions("cards"))
    assert one.chips == ()
    assert len(one.name) < 100
    for text in ("N" * 200, limit, "t" * 150):
        assert text in text_of(one.full)


def test_equal_cards_of_a_party_are_printed_once_for_all_owners(make: Make) -> None:
    view = build(make(level=2))._replace(units=())
    other = view._replace(name="Ada", cards=())
    cards = shared_cards(print_cards(each, ALL) for each in (view, other))
    conditions = [card for card in cards if card.kind == "conditions"]
    assert {card.owner for card in conditions} == {f"{view.name}, Ada"}
    assert len({card.name for card in conditions}) == len(conditions)
    assert {card.owner for card in cards if card.kind == "abilities"} == {view.name}


@pytest.mark.parametrize(
    ("paper", "size", "styles", "number"),
    [
        ("a4", "poker", frozenset(), 9),
        ("letter", "poker", frozenset(), 9),
        ("a4", "tarot", frozenset(), 6),
        ("letter", "tarot", frozenset(), 6),
        ("a4", "a7", frozenset(), 8),
        ("letter", "a7", frozenset(), 6),
        ("a4", "poker", LARGE, 4),
        ("letter", "poker", LARGE, 4),
    ],
)
def test_paper_is_turned_for_as_many_cards_as_possible(
    paper: str, size: CardSize, styles: frozenset[Style], number: int
) -> None:
    options = PrintOptions("cards", paper, styles=styles, card_format=size)  # type: ignore[arg-type]
    grid, card, sheet = options.card_grid, options.card_size, options.paper_size
    assert grid.columns * grid.rows == number
    assert grid.columns * card.width <= sheet.width
    assert grid.rows * card.height <= sheet.height


def test_type_is_made_smaller_only_after_the_digest(make: Make) -> None:
    text = (Block((Span("word " * 60),)),)
    digest = (Block((Span("short"),)),)
    card = Card("a/b", "Long", (), "", "", RulesText(text, digest), (), ())
    [one] = print_cards(with_card(build(make()), card), PrintOptions("cards"))
    ways = variants(one, PrintOptions("cards"))
    assert [way.digest for way in ways] == sorted(way.digest for way in ways)
    assert min(way.size for way in ways if not way.digest) == 8.5
    assert min(way.size for way in ways) == 7
    assert {way.size for way in variants(one, PrintOptions("cards", styles=LARGE))} == {17, 14}


def test_the_type_on_larger_cards_is_large_for_longer_texts(make: Make) -> None:
    card = Card("a/b", "Long", (), "", "", RulesText((Block((Span("word " * 60),)),)), (), ())
    view = with_card(build(make()), card)
    largest = {}
    for size in get_args(CardSize):
        options = PrintOptions("cards", card_format=size)
        [one] = print_cards(view, options)
        largest[size] = variants(one, options)[0].size
    assert largest == {"poker": 10, "a7": 11, "tarot": 11}


@given(st.text(alphabet="ab .!\u00a0", max_size=900), st.booleans())
def test_a_divided_text_is_whole_again(text: str, bold: bool) -> None:
    piece = Piece("text", Block((Span(text[:200]), Span(text[200:], bold=bold))), stays=True)
    parts = divided([piece])
    assert all(sum(len(s.text) for s in part.block.spans) <= LONG_TEXT for part in parts)
    [again] = joined(parts)
    assert text_of((again,)) == text
    assert [part.stays for part in parts] == [False] * (len(parts) - 1) + [True]


def test_a_text_is_divided_after_a_sentence() -> None:
    sentence = "The quick brown fox jumps over the lazy dog at noon. "
    parts = divided([Piece("text", Block((Span(sentence * 30),)))])
    assert len(parts) > 3
    assert all(text_of((part,)).strip().endswith("noon.") for part in parts)


def test_boxes_of_many_things_are_pieces_of_their_own(make: Make) -> None:
    rounds = SheetCapacity("Rounds", 30, 3, used=(30, 10, 0))
    card = Card("a/b", "Many", (), "", "", RulesText(), (), (rounds,))
    [one] = print_cards(with_card(build(make()), card), PrintOptions("cards"))
    boxes = [piece.capacity for piece in one.full if piece.capacity]
    assert [box.used for box in boxes] == [(30,), (10,), (0,)]


def test_a_short_text_explains_the_words_it_uses_where_there_is_room(make: Make) -> None:
    card = Card(
        "a/b", "Calm", (), "", "", RulesText((Block((Span("It gives you Grit."),)),)), (), ()
    )
    options = PrintOptions("cards")
    view = with_card(build(make()), card)
    [one] = [each for each in print_cards(view, options) if each.name == "Calm"]
    assert [text_of((piece,)).partition(":")[0] for piece in one.terms][:1] == ["Grit"]
    first, *others = variants(one, options)
    assert first.pieces == (*one.full, *one.terms)
    assert one.full in [way.pieces for way in others]
    assert min(way.size for way in (first, *others)) >= 7
    assert max(way.size for way in (first, *others)) == 11
    long = card._replace(text=RulesText((Block((Span("It gives you Grit. " * 20),)),)))
    [one] = [each for each in print_cards(with_card(view, long), options) if each.name == "Calm"]
    assert one.terms == ()


def test_modes_and_reloading_of_several_weapons_are_on_one_card() -> None:
    view = build(made(load("squad-d20"), "cards"))
    weapon = next(weapon for weapon in view.weapons if weapon.modes)
    item = next(item for item in view.items if item.armed == weapon.name)
    names = ("A", "B")
    view = view._replace(
        weapons=tuple(weapon._replace(name=name) for name in names),
        items=tuple(item._replace(name=name, armed=name) for name in names),
    )
    *each, common = print_cards(view, PrintOptions("cards", card_kinds=frozenset({"attacks"})))
    assert [card.name for card in each] == ["A, B"]
    assert common.name == "Several of your weapons"
    for card in each:
        assert not [piece for piece in card.full if piece.action]
        assert sum(piece.form == "attack" for piece in card.full) == 1
    assert [piece.action.name for piece in common.full if piece.action] == ["Reload"]
    paragraphs = [text_of((piece,)) for piece in common.full if piece.form == "text"]
    burst = next(text for text in paragraphs if text.startswith("Burst Fire: "))
    assert burst == "Burst Fire: Rounds\xa0−10 · 1 attack with Burst (1), Hailfire (1)."


def test_a_weapon_whose_only_action_is_to_reload_it_is_an_attack() -> None:
    """It had the badge of reloading, and repeated the modes that are on a card of their own."""
    answers: dict[str, Any] = {"weapons": ["weapon/automatic", "weapon/automatic"]}
    squad = CharacterSpec(load("squad-d20"), "1", "Ada", answers=answers)
    view = build(squad.replay(RandomAnswers("1")))
    gun = next(weapon for weapon in view.weapons if weapon.modes)
    item = next(item for item in view.items if item.armed == gun.name)
    held = Card("gun", gun.name, (), "", "", RulesText(()), item.actions, (), armed=gun.name)
    unit = UnitPanel("member", "Ortega", "Marine", 1, weapons=(gun,), cards=(held,))
    view = view._replace(weapons=(gun, gun._replace(name="Other")), units=(unit,))
    cards = print_cards(view, PrintOptions("cards"))
    [card] = [one for one in cards if one.owner == "Ortega"]
    assert card.when == (("plain", "Attack"),)
    assert [piece.action.name for piece in card.full if piece.action] == ["Reload"]
    assert not [piece for piece in card.full if text_of((piece,)).startswith("Burst Fire")]
    notes = (*card.notes, *(text_of((piece,)) for piece in card.full))
    assert any(note.startswith("also Burst Fire") for note in notes)
    assert [one.name for one in cards].count("Several of your weapons") == 1


@pytest.mark.needs("pango")
def test_damage_is_not_broken_within_a_number(make: Make) -> None:
    view = build(make())
    first = view.weapons[0]
    damage = "10d6\u00a0+\u00a010"
    shared = first.shared._replace(range="50 m, 100 m", roll="+7", damage=damage)
    view = view._replace(weapons=(first._replace(shared=shared, modes=()),), cards=(), units=())
    kinds: frozenset[CardKind] = frozenset({"attacks"})
    for styles in (frozenset(), LARGE):
        options = PrintOptions("cards", styles=styles, card_kinds=kinds)
        sheet = fit_sheet(view, options)
        printed = record(lambda sheet=sheet: write(sheet.document, [sheet.html]))
        text = " ".join(word.text for word in printed.pages[0].words)
        assert damage.replace("\u00a0", " ") in text.replace("\u00a0", " ")


@pytest.mark.needs("pango")
@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_empty_cards_complete_a_row(paper: Paper) -> None:
    """They filled the rest of the page, and there were lines to cut them out along."""
    view = build(made(load("phase-2d10"), "m"))
    options = PrintOptions("cards", paper)
    sheet = fit_sheet(view, options)
    number, columns = sheet.html.count('<article class="print-card'), options.card_grid.columns
    empty = sheet.html.count('<div class="print-card" aria-hidden="true">')
    assert 0 < number < options.card_grid.rows * columns - columns
    assert empty < columns
    assert (number + empty) % columns == 0
    [page] = record(lambda: write(sheet.document, [sheet.html])).pages
    rows = (number + empty) // columns
    lowest = (options.card_margins.height + rows * options.card_size.height + 7) * 72 / 25.4
    shapes = (*page.frames, *page.lines, *page.drawings)
    assert max(rect.bottom for rect in shapes) < lowest


@given(
    st.lists(st.integers(5, 60), min_size=2, max_size=30),
)
def test_a_divided_card_is_divided_evenly(heights: list[int]) -> None:
    """As few cards as the room needs, and none that is nearly empty beside full ones."""
    pieces = tuple(Piece("text", Block((Span(str(height)),))) for height in heights)
    card = PrintCard("abilities", "Long", "", pieces, pieces, "Nix")
    tops = tuple(float(sum(heights[:number])) for number in range(len(heights) + 1))
    room = Room(100.0, tops)
    fitted = FittedCard(card, pieces, 8.5, measured=True)
    parts = divide_card(fitted, room)
    assert [text_of((piece,)) for part in parts for piece in part.pieces] == [*map(str, heights)]
    greedy = parts_within(fitted, room, 1.0)
    assert len(parts) == len(greedy)
    used = [sum(int(text_of((piece,))) for piece in part.pieces) for part in parts]
    assert max(used) <= 100.5
    assert max(used) <= max(sum(int(text_of((p,))) for p in part) for part in greedy)


def test_abilities_that_are_used_alike_are_one_card_with_how_as_its_title() -> None:
    view = build(made(load("squad-d20"), "cards"))
    groups = [group for group in grouped_cards(view.cards) if group.lead]
    assert groups
    by_name = {card.name: card for card in print_cards(view, PrintOptions("cards"))}
    for group in groups:
        card = by_name[group.lead]
        assert group.lead not in text_of(card.full), "said once"
        for one in group.cards:
            assert one.name not in by_name
            for pieces in (card.full, card.digest):
                assert sum(piece.block.spans[0].text == f"{one.name}: " for piece in pieces) == 1


def test_short_attacks_of_a_companion_are_one_card_with_its_name(make: Make) -> None:
    view = build(make(level=5, role="role/the-tank", asset="companion/land-beast"))
    [beast] = view.units
    [card] = [card for card in print_cards(view, ALL) if card.owner == beast.name]
    assert card.name == beast.name
    assert sum(piece.attack is not None for piece in card.full) == sum(
        len(weapon.attacks) for weapon in beast.weapons
    )


def test_own_weapons_come_before_those_of_others(make: Make) -> None:
    view = build(make(level=5, role="role/the-tank", asset="companion/land-beast"))
    cards = print_cards(view, PrintOptions("cards"))
    owners = [card.owner for card in cards]
    assert owners == sorted(owners, key=[view.name, *(unit.name for unit in view.units)].index)


def test_weapons_with_equal_figures_are_one_card_with_the_boxes_of_each() -> None:
    view = build(made(load("squad-d20"), "cards"))
    weapon = next(weapon for weapon in view.weapons if weapon.capacities)
    view = view._replace(
        weapons=tuple(weapon._replace(name=name) for name in ("Rifle", "Carbine", "Rifle")),
        items=(), cards=(), units=(),
    )  # fmt: skip
    options = PrintOptions("cards", card_kinds=frozenset({"attacks"}))
    alike, single, *_others = print_cards(view, options)
    assert [alike.name, single.name] == ["Rifle, Carbine", "Rifle"]
    assert sum(piece.form == "attack" for piece in alike.full) == 1
    for pieces in (alike.full, alike.digest):
        assert [piece.name for piece in pieces if piece.capacity] == ["Rifle", "Carbine"]
    bare = tuple(each._replace(name="Knife", capacities=()) for each in view.weapons)
    knives, *_others = print_cards(view._replace(weapons=bare), options)
    assert knives.name == "3 × Knife"
