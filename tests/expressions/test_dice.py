"""Dice: notation, faces from a seed, and their fairness."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given, strategies as st

from charforge.expressions import dice
from charforge.expressions.dice import Dice

GULL = (1, 1, 3, 5, 8)


def words(seed: str, question: str, attempt: int = 0) -> Iterator[int]:
    """The documented stream, written a second time: SHA-256 in blocks of eight words."""
    for block in range(100):
        text = f"1\x1f{seed}\x1f{question}\x1f{attempt}\x1f{block}"
        digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
        yield from (int(digest[start : start + 8], 16) for start in range(0, 64, 8))


# -------------------------------------------------------------------------- notation


@pytest.mark.parametrize(
    ("notation", "number", "faces"),
    [
        ("1d6", 1, (1, 2, 3, 4, 5, 6)),
        ("10D6", 10, (1, 2, 3, 4, 5, 6)),
        (" 2d4 ", 2, (1, 2, 3, 4)),
        ("3d1", 3, (1,)),
        ("99d2", 99, (1, 2)),
    ],
)
def test_notation_names_a_number_of_dice_and_their_faces(
    notation: str, number: int, faces: tuple[int, ...]
) -> None:
    found = dice.parse_dice(notation)
    assert (found.number, found.faces) == (number, faces)


def test_a_die_with_a_name_shows_the_faces_it_was_given() -> None:
    assert dice.parse_dice("4dgull", {"gull": GULL}) == Dice(4, GULL, "4dgull")
    assert dice.parse_dice("4dGULL", {"gull": GULL}).faces == GULL


@pytest.mark.parametrize(
    ("notation", "reason"),
    [
        ("0d6", "at least one die"),
        ("2d0", "at least one face"),
        ("2dluck", 'there is no die "luck"'),
        ("", "not a roll"),
        ("d6", "not a roll"),
        ("2d", "not a roll"),
        ("-1d6", "not a roll"),
        ("2d6+1", "not a roll"),
        ("2 d 6", "not a roll"),
        ("100d6", "not a roll"),
        ("1d1000", "not a roll"),
        ("1d6; rm", "not a roll"),
        ("1d6\n1d6", "not a roll"),
        ("4d6k4", "of 4d6 you can keep 1 to 3 dice, not 4"),
        ("4d6k0", "of 4d6 you can keep 1 to 3 dice, not 0"),
        ("4d6k", "not a roll"),
        ("4d6kx2", "not a roll"),
    ],
)
def test_what_is_no_notation_says_why(notation: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        dice.parse_dice(notation)


@pytest.mark.parametrize(
    ("notation", "rolled", "counted", "described", "words"),
    [
        ("4d6k3", (3, 6, 1, 5), (3, 6, 5), "3 6 [1] 5", "4d6 (highest 3)"),
        ("4d6kh3", (2, 2, 2, 2), (2, 2, 2), "2 2 2 [2]", "4d6 (highest 3)"),
        ("2D20KL1", (17, 4), (4,), "[17] 4", "2d20 (lowest)"),
        ("2d20k1", (17, 4), (17,), "17 [4]", "2d20 (highest)"),
        ("3d6", (1, 1, 2), (1, 1, 2), "1 1 2", "3d6"),
    ],
)
def test_only_the_dice_that_are_kept_count(
    notation: str, rolled: tuple[int, ...], counted: tuple[int, ...], described: str, words: str
) -> None:
    found = dice.parse_dice(notation)
    assert found.counted(rolled) == counted
    assert found.total(rolled) == sum(counted)
    assert sorted((*counted, *found.dropped(rolled))) == sorted(rolled)
    assert found.describe(rolled) == described
    assert found.words == words
    assert dice.drops_dice(notation) is ("k" in notation.lower())


def test_dice_with_a_name_can_be_kept_too() -> None:
    found = dice.parse_dice("4dgullk2", {"gull": GULL})
    assert (found.number, found.faces, found.keep, found.rolled) == (4, GULL, 2, "4dgull")


@given(st.lists(st.integers(1, 6), min_size=2, max_size=8), st.integers(1, 7), st.booleans())
def test_the_dice_kept_are_never_worse_than_those_dropped(
    rolled: list[int], keep: int, lowest: bool
) -> None:
    keep = min(keep, len(rolled) - 1)
    found = dice.parse_dice(f"{len(rolled)}d6k{'l' if lowest else ''}{keep}")
    counted, dropped = found.counted(rolled), found.dropped(rolled)
    assert len(counted) == keep
    if lowest:
        assert max(counted) <= min(dropped)
    else:
        assert min(counted) >= max(dropped)


@pytest.mark.parametrize(
    ("faces", "text"),
    [((1, 2, 3), "1 to 3"), ((4,), "4 to 4"), (GULL, "1, 3, 5, 8"), ((2, 1, 3), "1 to 3")],
)
def test_faces_are_described_as_a_range_where_they_are_one(
    faces: tuple[int, ...], text: str
) -> None:
    assert dice.describe_faces(faces) == text


# ------------------------------------------------------------------------------ faults


@pytest.mark.parametrize("rolled", [[1, 3], (8, 8), [5, 1]])
def test_faces_that_dice_show_have_no_fault(rolled: object) -> None:
    assert dice.parse_dice("2dgull", {"gull": GULL}).problem(rolled) == ""


@pytest.mark.parametrize(
    ("rolled", "fault"),
    [
        ([1], "2dgull is 2 dice, not 1"),
        ([1, 1, 1], "2dgull is 2 dice, not 3"),
        ([1, 2], "2 is not a face of 2dgull (1, 3, 5, 8)"),
        ([1, 0], "0 is not a face"),
        ([1, True], "true is not a face"),
        ([1, 1.0], "1.0 is not a face"),
        ([1, "1"], '"1" is not a face'),
        ([1, None], "is not a face"),
        ([1, [1]], "[1] is not a face"),
        ("11", "as a list"),
        (1, "as a list"),
        (None, "as a list"),
        ({1, 3}, "as a list"),
    ],
    ids=str,
)
def test_faces_that_dice_cannot_show_say_why(rolled: object, fault: str) -> None:
    assert fault in dice.parse_dice("2dgull", {"gull": GULL}).problem(rolled)


# ----------------------------------------------------------------------------- streams


def test_a_stream_is_sha_256_of_version_seed_question_and_try() -> None:
    found = list(islice(dice.random_stream("a seed", "attributes.roll"), 20))
    assert found == list(islice(words("a seed", "attributes.roll"), 20))
    assert found[:3] == [1933629508, 1280069392, 843598178]


@pytest.mark.parametrize(
    ("seed", "question", "attempt", "faces"),
    [
        ("a seed", "attributes.roll", 0, [5, 5, 3, 5, 1, 5, 6, 6, 1, 5]),
        ("a seed", "attributes.roll", 1, [2, 1, 3, 2, 4, 6, 4, 5, 5, 2]),
        ("", "level.2.hp", 0, [5]),
        ("Ünïcode 日本", "level.10.companion.hp", 3, [5, 4, 1]),
    ],
)
def test_a_seed_rolls_these_faces_for_ever(
    seed: str, question: str, attempt: int, faces: list[int]
) -> None:
    numbers = dice.random_stream(seed, question, attempt)
    (rolled,) = dice.roll_dice(dice.parse_dice(f"{len(faces)}d6"), numbers)
    assert rolled == faces
    assert rolled == [1 + word % 6 for word in islice(words(seed, question, attempt), len(faces))]


def test_the_question_the_seed_and_the_try_each_make_another_stream() -> None:
    streams = [
        tuple(islice(dice.random_stream(*key), 8))
        for key in [("a", "b", 0), ("a", "b", 1), ("a", "c", 0), ("b", "b", 0), ("ab", "", 0)]
    ]
    assert len(set(streams)) == len(streams)


def test_a_stream_depends_on_nothing_asked_before_it() -> None:
    first = list(islice(dice.random_stream("a", "b"), 30))
    list(islice(dice.random_stream("a", "c"), 7))
    assert list(islice(dice.random_stream("a", "b"), 30)) == first


@given(seed=st.text(max_size=20), question=st.text(max_size=20), attempt=st.integers(0, 9))
def test_any_stream_is_the_one_computed_here(seed: str, question: str, attempt: int) -> None:
    found = list(islice(dice.random_stream(seed, question, attempt), 17))
    assert found == list(islice(words(seed, question, attempt), 17))


# -------------------------------------------------------------------------- fairness


def test_a_number_beyond_the_last_full_round_is_drawn_again() -> None:
    """4294967292 is the last multiple of 6: the four numbers from it on would favour 1 to 4."""
    numbers = iter([2**32 - 1, 2**32 - 4, 2**32 - 5])
    assert dice.draw_below(numbers, 6) == (2**32 - 5) % 6 == 5


@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7, 10, 20, 100, 999])
def test_a_drawn_number_lies_below_its_limit(limit: int) -> None:
    numbers = dice.random_stream("limits", str(limit))
    drawn = [dice.draw_below(numbers, limit) for _time in range(200)]
    assert min(drawn) >= 0
    assert max(drawn) < limit


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_no_face_is_preferred(sides: int) -> None:
    """12,000 dice; each face within 5 standard deviations of its share."""
    numbers = dice.random_stream("fair", f"1d{sides}")
    one = dice.parse_dice(f"1d{sides}")
    shown = Counter(dice.roll_dice(one, numbers)[0][0] for _time in range(12_000))
    share = 12_000 / sides
    bound = 5 * (share * (1 - 1 / sides)) ** 0.5
    assert set(shown) == set(one.faces)
    assert all(abs(times - share) <= bound for times in shown.values())


def test_a_face_that_stands_twice_comes_twice_as_often() -> None:
    numbers = dice.random_stream("fair", "gull")
    gull = dice.parse_dice("1dgull", {"gull": GULL})
    shown = Counter(dice.roll_dice(gull, numbers)[0][0] for _time in range(10_000))
    assert set(shown) == set(GULL)
    assert abs(shown[1] - 4000) < 250
    assert all(abs(shown[face] - 2000) < 200 for face in (3, 5, 8))


# ---------------------------------------------------------------------------- rerolls


def test_dice_are_rolled_again_as_long_as_the_rule_says() -> None:
    numbers = dice.random_stream("again", "x")
    rolls = dice.roll_dice(dice.parse_dice("2d6"), numbers, lambda faces: sum(faces) < 10)
    assert len(rolls) > 1
    assert all(sum(faces) < 10 for faces in rolls[:-1])
    assert sum(rolls[-1]) >= 10


def test_every_set_of_faces_comes_from_one_stream() -> None:
    rolls = dice.roll_dice(
        dice.parse_dice("2d6"), dice.random_stream("again", "x"), lambda faces: sum(faces) < 10
    )
    flat = [face for faces in rolls for face in faces]
    assert flat == [1 + word % 6 for word in islice(words("again", "x"), len(flat))]


def test_a_rule_that_is_never_content_ends_with_an_error() -> None:
    with pytest.raises(ValueError, match="1000 rolls"):
        dice.roll_dice(dice.parse_dice("1d6"), dice.random_stream("a", "b"), lambda _faces: True)


@given(
    number=st.integers(1, 12),
    faces=st.lists(st.integers(-9, 99), min_size=1, max_size=9),
    seed=st.text(max_size=5),
)
def test_whatever_is_rolled_has_no_fault(number: int, faces: list[int], seed: str) -> None:
    some = Dice(number, tuple(faces), "dice")
    (rolled,) = dice.roll_dice(some, dice.random_stream(seed, "x"))
    assert some.problem(rolled) == ""


def test_what_fell_is_said_by_its_numbers_or_by_what_faces_show() -> None:
    assert dice.parse_dice("3d6").describe([4, 1, 6]) == "4 1 6"
    marked = Dice(2, (1, 2), "2dmark", ("blank", "Star + Sun"))
    assert marked.describe([2, 1, 2]) == "Star + Sun / blank / Star + Sun"


@pytest.mark.parametrize(
    ("notation", "reason"),
    [
        ("0d6", "there must be at least one die"),
        ("2d0", "a die has at least one face"),
        ("2dluck", 'there is no die "luck"'),
        ("2 d 6", '"2 d 6" is not a roll such as 2d6; write 2d6'),
        ("d6", '"d6" is not a roll such as 2d6; write 1d6'),
        ("3W6", '"3W6" is not a roll such as 2d6; write 3d6'),
        (
            "2d6+1",
            '"2d6+1" is not a roll such as 2d6, which has no sum; what is added has a key of its '
            "own, such as plus",
        ),
    ],
)
def test_a_reason_is_a_whole_sentence(notation: str, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        dice.parse_dice(notation)
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("notation", "rolled", "fault"),
    [
        ("1d6", [], "1d6 is 1 die, not 0"),
        ("1d6", [1, 2], "1d6 is 1 die, not 2"),
        ("2d6", [1], "2d6 is 2 dice, not 1"),
        ("2d6", 3, "enter the dice of 2d6 as a list"),
        ("2d6", [1, 7], "7 is not a face of 2d6 (1 to 6)"),
    ],
)
def test_a_fault_is_a_whole_sentence(notation: str, rolled: object, fault: str) -> None:
    assert dice.parse_dice(notation).problem(rolled) == fault


@pytest.mark.parametrize(("limit", "over"), [(6, 4), (10, 6), (7, 4), (100, 96), (8, 0)])
def test_a_number_beyond_the_last_whole_round_is_drawn_again(limit: int, over: int) -> None:
    """Of 2**32 numbers so many are left over: with them the first faces would fall more often."""
    last = 2**32 - over - 1
    assert dice.draw_below(iter([last, 0]), limit) == limit - 1
    for number in range(last + 1, last + 1 + over):
        assert dice.draw_below(iter([number, 3]), limit) == 3
