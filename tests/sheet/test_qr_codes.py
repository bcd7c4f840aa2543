"""QR codes of a character file: divided, joined, and refused unless all is there."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from charforge.errors import DocumentError
from charforge.sheet.qr_codes import HEADER, MARK, divide_into_codes, join_codes

PHOTO = Path("photo.jpg")
# Random bytes cannot be compressed, so that several codes are needed.
FILE = random.Random(7).randbytes(2000)


@given(st.binary(min_size=1, max_size=3000), st.randoms(use_true_random=False))
def test_a_file_comes_back_from_its_codes_in_any_order(data, chance):
    codes = divide_into_codes(data)
    chance.shuffle(codes)
    assert join_codes([*codes, codes[0], b"https://example.org"], PHOTO) == data


def test_missing_codes_are_named():
    codes = divide_into_codes(FILE)
    assert len(codes) == 4
    with pytest.raises(DocumentError, match="codes 1, 3 of 4 could not be read"):
        join_codes([codes[1], codes[3]], PHOTO)


@pytest.mark.parametrize("contents", [[], [b"https://example.org"], [MARK]])
def test_a_picture_without_codes_of_a_sheet_is_refused(contents):
    with pytest.raises(DocumentError, match="no QR code of charforge was found"):
        join_codes(contents, PHOTO)


def test_codes_of_different_sheets_are_refused():
    with pytest.raises(DocumentError, match="from different sheets"):
        join_codes([divide_into_codes(FILE)[0], divide_into_codes(FILE[1:])[1]], PHOTO)


@given(st.integers(0, len(FILE) - 1), st.integers(1, 255))
def test_a_changed_byte_is_noticed(place, change):
    codes = divide_into_codes(FILE)
    number, at = divmod(place, 640)
    changed = bytearray(codes[number])
    changed[HEADER.size + at] ^= change
    codes[number] = bytes(changed)
    with pytest.raises(DocumentError, match="damaged"):
        join_codes(codes, PHOTO)


def test_a_later_format_is_named():
    code = bytearray(divide_into_codes(b"x")[0])
    code[len(MARK)] += 1
    with pytest.raises(DocumentError, match="newer version of charforge"):
        join_codes([bytes(code)], PHOTO)


def test_a_file_of_too_many_codes_is_refused():
    with pytest.raises(ValueError, match="the limit is 255"):
        divide_into_codes(random.Random(1).randbytes(170_000))


def test_a_code_that_unpacks_to_too_much_is_refused():
    codes = divide_into_codes(bytes(60_000_000))
    with pytest.raises(DocumentError, match="damaged"):
        join_codes(codes, PHOTO)
