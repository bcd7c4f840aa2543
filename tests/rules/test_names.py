"""Looking up names: exact names first, then beginnings of words."""

from __future__ import annotations

import pytest

from charforge.rules.names import name_matches, numbered

ORDERS = ("That's an Order II", "That’s an Offer", "Café", "Order")


def found(name: str) -> list[str]:
    return name_matches(ORDERS, name, lambda order: (order,))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("order", ["Order"]),  # the whole name, not the words of another
        ("ord", ["That's an Order II", "Order"]),
        ("that's an", ["That's an Order II", "That’s an Offer"]),
        ("thats an", ["That's an Order II", "That’s an Offer"]),
        ("thats-an-order-ii", ["That's an Order II"]),
        ("Thats an Of", ["That’s an Offer"]),
        ("cafe", ["Café"]),
        ("hat", []),
        ("!", []),
    ],
)
def test_accents_and_apostrophes_count_as_little_as_in_ids(name, meant):
    assert found(name) == meant


@pytest.mark.parametrize("typed", ["rifle 50m", "rifle: 50 m", "rifle50m", "50m", "Rifle 50"])
def test_a_number_and_its_unit_are_two_words_however_they_are_written(typed):
    ranges = ("Rifle: 50 m", "Rifle: 500m", "Rifle: 5m")
    assert name_matches(ranges, typed, lambda name: (name,)) == ["Rifle: 50 m"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("1", "a"), ("3", "c"), ("0", None), ("4", None), ("", None), ("-1", None), ("b", None),
     ("1" * 5000, None)],
)  # fmt: skip
def test_a_number_means_the_entry_of_a_list(typed, meant):
    assert numbered(typed, "abc") == meant
