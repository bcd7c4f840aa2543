"""Strict YAML with line numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.errors import PackError, PackProblem
from charforge.rules.loading import yaml_reader

PAGE = """\
entities:
  - id: gear/rope
    weight: 2
    grants: [gear/knot, gear/hitch]
  - id: gear/oar
    <<: {weight: 3}
    modifies:
      - value: hands
        amount: 1
"""


def fault_of(text: str) -> PackProblem:
    with pytest.raises(PackError) as refused:
        yaml_reader.parse(text, Path("page.yaml"))
    (fault,) = refused.value.problems
    return fault


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.yaml"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_a_key_written_twice_is_refused_at_the_second_one() -> None:
    fault = fault_of("a: 1\nb: 2\na: 3\n")
    assert (fault.line, fault.column) == (3, 1)
    assert '"a" appears twice' in fault.message


def test_a_key_written_twice_is_found_at_any_depth() -> None:
    assert fault_of("a:\n  - b:\n      c: 1\n      c: 2\n").line == 4


def test_the_same_key_in_two_maps_is_fine() -> None:
    assert yaml_reader.parse("[{a: 1}, {a: 2}]", Path("x")) == [{"a": 1}, {"a": 2}]


def test_a_merged_key_may_be_written_over() -> None:
    assert yaml_reader.parse("{<<: {a: 1, b: 2}, a: 3}", Path("x")) == {"a": 3, "b": 2}


def test_the_message_of_a_tab_names_its_place() -> None:
    fault = fault_of("a:\n\tb: 1\n")
    assert fault.line == 2
    assert "tab" in fault.message


def test_signs_that_yaml_forbids_are_found_by_line() -> None:
    assert fault_of("a: 1\nb: 2\nc: \x07\n").line == 3


def test_lists_nested_beyond_all_reason_are_refused() -> None:
    assert "more than 50 levels" in fault_of("[" * 60).message
    lowest = ("more than 50 levels", "too many levels")  # libyaml from 0.2.6 has a limit of its own
    assert any(said in fault_of("[" * 20_000).message for said in lowest)


def test_a_tag_that_builds_objects_is_refused() -> None:
    assert "the tag !!python" in fault_of("a: !!python/object/apply:os.getcwd []\n").message


def test_a_file_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(PackError) as refused:
        yaml_reader.read_yaml(tmp_path / "gone.yaml")
    assert "No such file" in refused.value.problems[0].message


@pytest.mark.parametrize(
    ("where", "place"),
    [
        (("entities", 0, "weight"), (3, 5)),
        (("entities", 0, "grants", 1), (4, 25)),
        (("entities", 1), (5, 5)),
        (("entities", 1, "modifies", 0, "amount"), (9, 9)),
        (("entities", 1, "weight"), (6, 10)),
        (("entities", 1, "function-after[one_key(), Model]", "modifies"), (7, 5)),
        (("entities", 1, "nothing"), (5, 5)),
        (("entities", 7), (1, 1)),
        ((), (1, 1)),
    ],
    ids=str,
)
def test_a_way_leads_to_a_line_and_column(
    page: Path, where: tuple[str | int, ...], place: tuple[int, int]
) -> None:
    assert yaml_reader.locate(page, where) == place


def test_a_text_is_found_below_the_end_of_a_way(page: Path) -> None:
    assert yaml_reader.locate(page, ("entities", 0, "grants"), "gear/hitch") == (4, 25)


def test_a_text_that_is_not_there_leaves_the_end_of_the_way(page: Path) -> None:
    assert yaml_reader.locate(page, ("entities", 0, "grants"), "gear/sail") == (4, 5)


WORDS = """\
entities:
  - text: "warmth"  # arm
    name: no-arm, $arm, arm
    when: owner.ARM + 1
    long: >-
      The first line,
      and {1d6 + leg} in the second.
"""


@pytest.mark.parametrize(
    ("where", "word", "place"),
    [
        pytest.param(("entities", 0), "arm", (3, 25), id="no part of a word, no comment"),
        pytest.param(("entities", 0, "name"), "$arm", (3, 19), id="a choice"),
        pytest.param(("entities", 0, "when"), "owner.arm", (4, 11), id="whatever its case"),
        pytest.param(("entities", 0, "long"), "leg", (7, 18), id="on its own line of a text"),
        pytest.param(("entities", 0, "text"), "arm", (2, 5), id="nowhere in this text"),
        pytest.param(("entities", 0), "when", (4, 5), id="a key"),
    ],
)
def test_a_culprit_is_found_as_a_whole_word(
    page: Path, where: tuple[str | int, ...], word: str, place: tuple[int, int]
) -> None:
    page.write_text(WORDS, encoding="utf-8")
    assert yaml_reader.locate(page, where, word) == place


def test_the_place_in_a_file_that_is_gone_is_its_beginning(tmp_path: Path) -> None:
    assert yaml_reader.locate(tmp_path / "gone.yaml", ("a",)) == (1, 1)


@pytest.mark.parametrize("text", ["no", "yes", "on", "off"])
def test_plain_words_that_yaml_takes_for_flags_are_known(text: str) -> None:
    assert isinstance(yaml_reader.parse(text, Path("x")), bool)
