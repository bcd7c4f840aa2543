"""Names of form fields can be read back, whatever the ids contain."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from hypothesis import given, strategies as st

from charforge.sheet.form_fields import (
    FieldForm,
    FieldName,
    blank_name,
    field_name,
    note_heading,
    notes_name,
    parse_name,
    unique_name,
)

KEYS = st.text(min_size=1, max_size=30)
FORMS = st.sampled_from(get_args(FieldForm))
NUMBERS = st.integers(-99, 99)
WORTHS = st.integers(1, 50)


@given(KEYS, FORMS, NUMBERS, WORTHS, st.integers(0, 3))
def test_a_name_is_read_back(
    key: str, form: FieldForm, number: int, worth: int, before: int
) -> None:
    name = field_name(key, form, number, 1 if form == "value" else worth)
    used = Counter({name: before})
    unique = unique_name(name, used)
    assert "." not in unique
    wanted = FieldName(key) if form == "value" else FieldName(key, form, number, worth)
    assert parse_name(unique) == wanted._replace(copy=before + 1)


@given(st.lists(st.tuples(KEYS, FORMS, NUMBERS), unique=True))
def test_different_fields_have_different_names(fields: list[tuple[str, FieldForm, int]]) -> None:
    used: Counter[str] = Counter()
    names = [unique_name(field_name(*field), used) for field in fields]
    assert len(set(names)) == len(fields)


def test_notes_have_headings_and_other_fields_have_none() -> None:
    for name, heading in (
        (notes_name(), ""), (notes_name("Loot"), "Loot"), (blank_name("Player"), None),
        (field_name("character:notes"), None),
    ):  # fmt: skip
        parsed = parse_name(name)
        assert parsed is not None
        assert note_heading(parsed.key) == heading


def test_names_of_other_forms_are_no_boxes() -> None:
    for name in ("", "a#b", "hp#used", "~2", "hp#used1x"):
        assert parse_name(name) is None
