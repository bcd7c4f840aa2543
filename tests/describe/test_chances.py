"""The rows of a table of odds: likely results each, the rarest at an end together."""

from __future__ import annotations

from fractions import Fraction

from charforge.describe.chances import result_rows
from charforge.odds import Chances

RARE = Fraction(1, 100_000)


def shown(chances: Chances) -> list[tuple[str, str, str]]:
    return [(row.label, row.text, row.or_more) for row in result_rows(chances)]


def test_the_rarest_results_at_an_end_share_a_row_that_says_which_they_are() -> None:
    by_value = {0: RARE, 1: RARE, 5: 1 - 5 * RARE, 7: RARE, 8: RARE, 9: RARE}
    low, likely, high = shown(Chances(by_value))
    assert (low, likely[0], high) == (
        ("1 or less", "<0.01%", ""), "5", ("7 or more", "<0.01%", ""),
    )  # fmt: skip


def test_a_single_rare_result_and_one_between_likely_ones_have_rows_of_their_own() -> None:
    half = (1 - 2 * RARE) / 2
    assert [row[:2] for row in shown(Chances({2: half, 3: RARE, 4: half, 6: RARE}))] == [
        ("2", "50.00%"),
        ("3", "<0.01%"),
        ("4", "50.00%"),
        ("6", "<0.01%"),
    ]


def test_results_that_are_all_rare_are_one_row() -> None:
    assert shown(Chances(dict.fromkeys(range(100000), RARE))) == [("0 to 99999", "100%", "")]


def test_rare_texts_are_others_and_the_row_without_a_result_is_last() -> None:
    by_value = {"Head": Fraction(1, 2), "Eye": RARE, "Ear": RARE}
    assert shown(Chances(by_value, Fraction(1, 2) - 2 * RARE)) == [
        ("Head", "50.00%", ""),
        ("others (2)", "<0.01%", ""),
        ("none", "50.00%", ""),
    ]


def test_the_rows_add_up() -> None:
    by_value = {n: Fraction(1, 2 ** (n + 1)) for n in range(40)}
    rows = result_rows(Chances(by_value, 1 - sum(by_value.values())))
    assert sum(row.chance for row in rows) == 1
    assert rows[-2].label == "14 or more"
