"""Custom items on a sheet: titles, figures, texts and attack lines."""

from __future__ import annotations

from collections.abc import Callable

from charforge.character.holdings import NOT_CHOSEN
from charforge.describe.held_entities import HeldEntity
from charforge.expressions.template import NO_BREAK
from charforge.replay.loaded_character import LoadedCharacter
from charforge.sheet.build import build
from charforge.sheet.holdings import Stack, card, stacks

Smith = Callable[..., LoadedCharacter]
OTHER = {
    "name": "Tapper", "score": "wits", "damage": 1, "reach": "1 m", "ring": 0,
}  # fmt: skip


def plain(text: str) -> str:
    return text.replace(NO_BREAK, " ")


def test_a_card_shows_its_title_its_figures_and_what_it_reads(smith: Smith) -> None:
    first, second = build(smith().character).cards
    assert (first.name, second.name) == ("Riveting", "Bellows")
    # BRN 3 and rank 5: AV 8, and a die of 12 sides; WIT 2 and rank 2: AV 4, and one of 6.
    assert [plain(one.subtitle[-1]) for one in (first, second)] == [
        "AV 8, Die d12",
        "AV 4, Die d6",
    ]
    said = "".join(span.text for block in first.text.full for span in block.spans)
    assert said == "You roll BRN for Riveting, and reach 8 or 15."


def test_an_attack_line_is_made_of_what_was_chosen(smith: Smith) -> None:
    (maul,) = build(smith().character).weapons
    line = maul.shared
    assert (maul.name, plain(line.range)) == ("Maul", "2 m")
    # BRN 3, and a bonus of 2 − 1.
    assert (line.roll, plain(line.made_of)) == ("+4", "BRN 3 + 1")
    # 4 of its own and BRN 3.
    assert plain(line.damage) == "2 Shots × (1d6 + 7)"


def test_two_of_one_sort_stay_two_lines(smith: Smith) -> None:
    more = {f"tools__own_2__{name}": answer for name, answer in OTHER.items()}
    first, second = build(smith(tools=["tool/own", "tool/own"], **more).character).weapons
    assert (first.name, second.name) == ("Maul", "Tapper")
    # WIT 2, and a bonus of 0 − 1.
    assert (second.shared.roll, plain(second.shared.made_of)) == ("+1", "WIT 2 \N{MINUS SIGN} 1")


def test_equal_titles_of_different_things_are_not_put_together(smith: Smith) -> None:
    more = {f"tools__own_2__{name}": answer for name, answer in OTHER.items()}
    more["tools__own_2__name"] = "Maul"
    state = smith(tools=["tool/own", "tool/own"], **more).character.state
    held = [HeldEntity.of(state, one) for one in state.holdings if one.entity.attacks]
    assert [stack.quantity for stack in stacks(held)] == [1, 1]


def test_what_is_not_answered_yet_is_said_so(smith: Smith) -> None:
    state = smith().character.state
    skill = next(one for one in state.holdings if one.id == "skills.own")
    bare = HeldEntity(state, skill.entity)
    assert bare.line("{rank + 10} {$name}") == f"{NOT_CHOSEN} {NOT_CHOSEN}"
    assert card(Stack(bare, 1)).name == "A skill of your own"
