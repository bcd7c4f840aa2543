"""Buying, selling and dropping: money and items are neither created nor lost.

Prices are those printed in the book's equipment section, in mC.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character import gear
from charforge.character.files.document import to_text
from charforge.errors import (
    FILE,
    AmbiguousName,
    AnswerError,
    MissingAnswers,
    RuleRefusal,
    UnknownId,
    UnusedAnswers,
    UsageError,
)
from charforge.language import in_language
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.verbs import inventory, lookup, manual_changes
from charforge.verbs.change import PlayResult
from charforge.verbs.history import entries_of, undo

BOOK = {
    "equipment/alloy-cable-5m": 20,
    "equipment/backpack": 40,
    "equipment/non-perishable-rations-1-day": 5,
    "equipment/primitive-first-aid-kit": 15,
    "equipment/toolkit": 50,
    "equipment/torch": 20,
    "equipment/water-bottle": 10,
}
TENTS = {"1-man": 50, "2-man": 70, "3-man": 80, "4-man": 100, "6-man": 140, "8-man": 200}


def made(rules: Ruleset, **answers: object) -> LoadedCharacter:
    """Return a character of Level 1 with 300 mC and no Special Weapon."""
    given = {"money": 300, "role": "role/the-tank", "asset": "augmentation/slots", **answers}
    plan = CharacterSpec(rules, "7", "Nix", 1, answers=given)
    document = create_character(plan, RandomAnswers("7"))
    return replay_document(document, rules)


@pytest.fixture(scope="module")
def nix(capital: Ruleset) -> LoadedCharacter:
    return made(capital)


def money(opened: LoadedCharacter) -> int:
    return gear.money(opened.character.state) or 0


def things(opened: LoadedCharacter) -> Counter[str]:
    """Count every piece of gear by its id."""
    found: Counter[str] = Counter()
    for holding in gear.owned_gear(opened.character.state):
        found[holding.entity.id] += holding.quantity
    return found


def bought(opened: LoadedCharacter, name: str, quantity: int = 1, price: int | None = None, **more):
    wanted = inventory.read_purchase(opened, name, quantity, price)
    number = len(opened.document.log) + 1
    answers = {f"event.{number}.{choice}": answer for choice, answer in more.items()}
    return inventory.buy_item(opened, wanted, answers).after


# ------------------------------------------------------------------ buying


def test_a_purchase_costs_its_price_for_each_piece(nix):
    after = bought(nix, "torch", 3)
    assert money(after) == 240  # 300 − 3 × 20
    assert things(after) - things(nix) == {"equipment/torch": 3}
    event = after.document.log[-1]
    assert (event.do, event.quantity, event.price) == ("acquire", 3, 20)
    assert after.problems == ()


def shown(done: PlayResult) -> list[str]:
    """Return the lines of a result."""
    return [line.text for line in done.lines]


def test_a_result_says_what_came_and_went_and_what_it_cost(nix):
    purchase = inventory.read_purchase(nix, "torch", 3)
    torches = inventory.buy_item(nix, purchase)
    assert shown(torches) == ["+ 3 × Torch", "Money 300 → 240 mC"]
    assert [(one.id, one.old, one.new) for one in torches.differences] == [("money", 300, 240)]
    sold = inventory.sell_item(torches.after, "torch", 2)
    assert shown(sold) == ["− 2 × Torch (1 left)", "Money 240 → 280 mC"]
    assert shown(inventory.drop_item(sold.after, "torch")) == ["− Torch"]


def test_one_function_awards_resources_conditions_and_things(nix):
    state = nix.character.state
    awards = {
        name: manual_changes.award(
            nix, manual_changes.find_award(state, name, state.unit()), number
        )
        for name, number in {"money": 2, "torch": 2, "prone": None}.items()
    }
    assert {name: shown(done) for name, done in awards.items()} == {
        "money": ["Money 300 → 302 mC"],
        "torch": ["+ 2 × Torch"],
        "prone": ["now Prone"],
    }


@pytest.mark.parametrize("size", TENTS)
def test_a_tent_costs_what_its_size_does(nix, size):
    after = bought(nix, "tent", size=size)
    assert money(after) == 300 - TENTS[size]
    acquired, answered = after.document.log[-2:]
    assert (acquired.price, answered.answer) == (TENTS[size], size)
    assert acquired.group == answered.group == nix.document.group + 1


def test_too_little_money_says_what_it_costs_and_what_there_is(nix):
    with pytest.raises(RuleRefusal, match="16 × Torch costs 320 mC; you have 300 mC"):  # 16 × 20
        inventory.read_purchase(nix, "torch", 16)
    with pytest.raises(RuleRefusal, match="2 × Tent costs 400 mC; you have 300 mC"):  # 2 × 200
        bought(nix, "tent", 2, size="8-man")
    assert money(bought(nix, "torch", 15)) == 0


def test_what_has_no_price_is_for_sale_only_as_the_gm_says(nix):
    with pytest.raises(UsageError, match="Standard Pistol has no list price"):
        inventory.read_purchase(nix, "Pistol")
    named = bought(nix, "Pistol", price=120, damage="sharp")
    assert money(named) == 180
    acquired = named.document.log[-2]
    assert (acquired.entity, acquired.price) == ("equipment/standard-pistol", 120)
    assert acquired.note == inventory.PRICE_NOTE
    free = bought(nix, "Pistol", price=0, damage="heat")
    assert money(free) == 300
    assert free.document.log[-2].note == inventory.FREE_NOTE


def test_a_kit_brings_what_it_contains(nix):
    after = bought(
        nix, "adventuring kit", price=200, tent="one-man", light="torch", food="yes", water="yes"
    )
    assert things(after) - things(nix) == {
        "equipment/adventuring-kit": 1,
        "equipment/backpack": 1,
        "equipment/personal-communicator": 1,
        "equipment/primitive-first-aid-kit": 1,
        "equipment/primitive-rope-20m": 1,
        "equipment/tent": 1,
        "equipment/torch": 1,
        "equipment/non-perishable-rations-1-day": 7,
        "equipment/water-bottle": 1,
    }
    with pytest.raises(UsageError, match="with other things"):
        inventory.read_purchase(nix, "adventuring kit", 2, 10)


def test_a_choice_left_open_a_wrong_one_and_one_too_many_are_refused(nix):
    number = len(nix.document.log) + 1
    with pytest.raises(MissingAnswers) as missing:
        bought(nix, "tent")
    assert [name for name, _label in missing.value.decisions] == [f"event.{number}.size"]
    with pytest.raises(AnswerError, match="5-man"):
        bought(nix, "tent", size="5-man")
    with pytest.raises(UnusedAnswers) as unused:
        bought(nix, "tent", size="2-man", colour="red")
    assert [name for name, _why in unused.value.unused] == [f"event.{number}.colour"]


def test_what_is_no_gear_says_which_command_gives_it(nix):
    with pytest.raises(UsageError, match=r"Robotic \(System\) cannot be bought") as refused:
        inventory.read_purchase(nix, "system/robotic")
    assert refused.value.command == ("award", FILE, "system/robotic")
    with pytest.raises(UnknownId) as unknown:
        inventory.read_purchase(nix, "troch")
    assert unknown.value.nearest == "Torch"


@pytest.mark.parametrize("quantity", [0, -1, 100_001])
def test_a_number_of_pieces_has_bounds(nix, quantity):
    with pytest.raises(UsageError, match="the quantity must be from 1"):
        inventory.read_purchase(nix, "torch", quantity, 0)


def test_a_note_no_terminal_should_be_sent_is_refused(nix):
    with pytest.raises(UsageError, match="control characters"):
        inventory.read_purchase(nix, "torch", note="\x1b[2J")


# ------------------------------------------------------------------ parting


def test_it_is_sold_at_the_list_price_or_another(nix):
    owner = bought(nix, "toolkit", 2)
    assert money(owner) == 200  # 300 − 2 × 50
    assert money(inventory.sell_item(owner, "toolkit").after) == 250
    assert money(inventory.sell_item(owner, "toolkit", 2, 30).after) == 260  # 200 + 2 × 30
    assert money(inventory.drop_item(owner, "toolkit", 2).after) == 200
    assert things(inventory.drop_item(owner, "toolkit", 2).after) == things(nix)
    with pytest.raises(RuleRefusal, match="you have 2 Toolkit, not 3"):
        inventory.sell_item(owner, "toolkit", 3)


def test_a_tent_sells_at_the_price_of_its_size(nix):
    owner = bought(nix, "tent", size="3-man")
    [tent] = [h for h in owner.character.state.holdings if h.origin.startswith("event.")]
    assert money(inventory.sell_item(owner, tent.id).after) == 300


def test_what_has_no_price_is_sold_only_at_one_that_is_said(nix):
    owner = bought(nix, "Pistol", price=0, damage="sharp")
    with pytest.raises(UsageError, match="no list price"):
        inventory.sell_item(owner, "pistol")
    assert money(inventory.sell_item(owner, "pistol", price=75).after) == 375


def test_what_a_decision_gave_stays(nix):
    with pytest.raises(
        RuleRefusal, match="Augmentation: Slots comes from Special Asset and was not bought"
    ) as refused:
        inventory.drop_item(nix, "augmentation/slots")
    assert "edit" in refused.value.advice


def test_a_weapon_that_is_part_of_the_body_cannot_be_sold(capital):
    armed = made(
        capital,
        **{"asset": "augmentation/weapon", "asset.augmentation.weapon": "equipment/simple-dagger"},
    )
    with pytest.raises(RuleRefusal, match="Simple Dagger is attached to your body"):
        inventory.sell_item(armed, "simple dagger", price=10)


def test_a_kit_goes_with_what_is_left_in_it(nix):
    owner = bought(
        nix, "adventuring kit", price=0, tent="one-man", light="torch", food="yes", water="no"
    )
    kit = next(h.id for h in owner.character.state.holdings if h.origin.startswith("event."))
    eaten = inventory.drop_item(owner, f"{kit}.food.non-perishable-rations-1-day", 2).after
    sold = inventory.sell_item(eaten, kit, price=90).after
    assert money(sold) == 390
    assert things(sold) == things(nix)
    gone = sold.document.log[len(eaten.document.log) :]
    assert {event.note for event in gone} == {inventory.PRICE_NOTE, ""}  # neither is German
    texts = {language: last_texts(sold, len(gone), language) for language in ("en", "de")}
    assert all(text.endswith("(with Adventuring Kit)") for text in texts["en"][1:])
    assert all(text.endswith("(mit Adventuring Kit)") for text in texts["de"][1:])


def last_texts(opened: LoadedCharacter, number: int, language: str) -> list[str]:
    with in_language(language):
        return [entry.text for entry in entries_of(opened, opened.document.log[-number:])]


def test_several_that_are_told_apart_are_listed_with_what_names_each(nix):
    owner = bought(bought(nix, "tent", size="1-man"), "tent", 2, size="4-man")
    tents = [h.id for h in owner.character.state.holdings if h.entity.slug == "tent"]
    ids = tents[-2:]  # the kit has one too
    with pytest.raises(AmbiguousName) as several:
        inventory.sell_item(owner, "tent")
    assert [words for _label, words in several.value.ways] == [(name,) for name in tents]
    state = owner.character.state
    assert lookup.find_holding(state, ids[1]).quantity == 2
    assert lookup.find_holding(state, "2 × Tent (4-man)").id == ids[1]


def test_of_several_that_are_alike_those_gained_last_go_first(nix):
    owner = bought(bought(nix, "toolkit", 2), "toolkit")
    ids = [h.id for h in owner.character.state.holdings if h.entity.slug == "toolkit"]
    sold = inventory.sell_item(owner, "toolkit", 2).after
    assert [(event.holding, event.quantity) for event in sold.document.log[-2:]] == [
        (ids[1], 1),
        (ids[0], 1),
    ]
    assert money(sold) == money(owner) + 100
    with pytest.raises(RuleRefusal, match="you have 3 Toolkit, not 4"):
        inventory.drop_item(owner, "toolkit", 4)
    with pytest.raises(RuleRefusal, match="you have 1 Toolkit, not 2"):
        inventory.drop_item(owner, ids[1], 2)  # an id means that one alone


def test_a_piece_that_was_used_is_not_like_a_fresh_one(nix):
    owner = bought(bought(nix, "primitive first aid kit"), "primitive first aid kit")
    last = owner.character.state.holdings[-1].id
    used = manual_changes.spend_resource(owner, "large bandages", item=last).after
    with pytest.raises(UsageError, match="matches several"):
        inventory.sell_item(used, "primitive first aid kit")
    assert (
        inventory.sell_item(owner, "primitive first aid kit").after.document.log[-1].holding == last
    )


# ------------------------------------------------------------------ laws

BUY = st.tuples(st.just("buy"), st.sampled_from(sorted(BOOK)), st.integers(1, 4))
BUY_TENT = st.tuples(st.just("tent"), st.sampled_from(sorted(TENTS)), st.integers(1, 2))
GO = st.tuples(st.sampled_from(["sell", "part"]), st.integers(0, 30), st.integers(1, 4))


@pytest.mark.slow
@given(st.lists(st.one_of(BUY, BUY_TENT, GO), min_size=1, max_size=7))
def test_money_and_things_are_only_moved(nix, steps):
    opened, history = nix, [nix]
    paid = received = 0
    have = things(nix)
    for verb, what, quantity in steps:
        try:
            if verb == "buy":
                opened = bought(opened, what, quantity)
                paid += BOOK[what] * quantity
                have[what] += quantity
            elif verb == "tent":
                opened = bought(opened, "tent", quantity, size=what)
                paid += TENTS[what] * quantity
                have["equipment/tent"] += quantity
            else:
                priced = [h for h in gear.owned_gear(opened.character.state) if h.entity.id in BOOK]
                holding = priced[what % len(priced)]
                act = inventory.sell_item if verb == "sell" else inventory.drop_item
                opened = act(opened, holding.id, quantity).after
                received += BOOK[holding.entity.id] * quantity if verb == "sell" else 0
                have[holding.entity.id] -= quantity
        except RuleRefusal:
            continue  # too dear, or not so many: nothing has changed
        history.append(opened)
        assert opened.problems == ()
    assert money(opened) == 300 - paid + received >= 0
    assert things(opened) == +have
    while len(history) > 1:
        opened = undo(opened).after
        history.pop()
        plain = opened.document.model_copy(update={"undone": ()})
        before = history[-1].document.model_copy(update={"undone": ()})
        assert to_text(plain) == to_text(before)
