"""Samples: what a pack says of a character, compared with what comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from charforge.errors import PackError
from charforge.usecases import pack_samples
from charforge.usecases.sample_characters import words

# A docker of the harbour, every answer given: ARM 5, WIT 2 (tests/conftest.py).
DOCKER = {
    "name": "Ada",
    "answers": {
        "trade": "trade/stevedore",
        "scores": {"arm": 4, "wit": 2},
        "knacks": [],
        "motto": "",
    },
}


@pytest.fixture
def compare(tmp_path, harbour):
    """Write a sample, read it and compare; each difference as its three texts."""

    def compare(**more):
        path = tmp_path / "one.yaml"
        path.write_text(yaml.safe_dump({**DOCKER, **more}), encoding="utf-8")
        found = pack_samples.run(pack_samples.read(path, harbour), harbour)
        return [(one.what, one.expected, one.found) for one in found]

    return compare


def test_what_is_as_expected_is_no_difference(compare):
    expect = {
        "legal": True,
        "values": {"arm": 5, "vigour": 9},
        "holdings": ["trade/stevedore"],
        "problems": [],
        "open": [],
        "sheet": ["ada", "Stevedore"],
        "not_on_sheet": ["Signalwoman"],
    }
    assert compare(expect=expect) == []


@pytest.mark.parametrize(
    ("expect", "difference"),
    [
        ({"values": {"arm": 6}}, ("value arm", "6", "5")),
        ({"holdings": ["trade/pilot"]}, ("holding trade/pilot", "held", "trade/stevedore")),
        ({"legal": False}, ("legal", "something wrong", "all is as the rules have it")),
        ({"problems": ["x"]}, ("problems", "'x'", "nothing")),
        ({"open": ["motto"]}, ("open", "'motto'", "nothing")),
        ({"sheet": ["Ada Lovelace"]}, ("sheet", "the words 'Ada Lovelace'", "'ada")),
        ({"not_on_sheet": ["ADA"]}, ("sheet", "not the words 'ADA'", "they stand on it")),
    ],
)
def test_each_thing_that_differs_is_told(compare, expect, difference):
    ((what, expected, found),) = compare(expect=expect)
    assert (what, expected) == difference[:2]
    assert found.startswith(difference[2])


def test_a_value_that_differs_has_its_steps(tmp_path, harbour):
    path = tmp_path / "one.yaml"
    path.write_text(yaml.safe_dump({**DOCKER, "expect": {"values": {"arm": 6}}}), "utf-8")
    (difference,) = pack_samples.run(pack_samples.read(path, harbour), harbour)
    assigned, of_trade = difference.steps
    assert assigned.startswith("= 4 ")
    assert of_trade.startswith("+1 Stevedore")


def test_what_is_wrong_and_what_is_left_are_told_apart(compare):
    answers = {"scores": {"arm": 9, "wit": 2}, "knacks": []}
    expect = {"legal": False, "problems": ["scores: "], "open": ["trade"]}
    assert compare(answers=answers, expect=expect) == []


def test_chance_fills_what_is_left_and_the_seed_decides(compare):
    seeded = {"random": True, "seed": 4, "answers": {"trade": "trade/stevedore"}}
    assert compare(**seeded, expect={"legal": True}) == []
    assert compare(answers={}, expect={"legal": True}) != []


@pytest.mark.parametrize(
    ("written", "line", "field", "message", "nearest"),
    [
        ("name: A\nlevl: 2\nexpect: {legal: true}\n", 2, "levl", "unknown key", "level"),
        ("name: A\nexpect:\n  legl: true\n", 3, "expect.legl", "unknown key", "legal"),
        ("name: A\n", 1, "", "say what is tested", ""),
        ("expect: {}\n", 1, "expect", "say at least one thing that must come of it", ""),
        ("expect:\n  values: {amr: 5}\n", 2, "expect.values.amr", "no value is named 'amr'", "arm"),
        (
            "expect:\n  holdings:\n    - trade/stevedor\n", 3, "expect.holdings",
            "no entity is named 'trade/stevedor'", "trade/stevedore",
        ),
        ("level: 99\nexpect: {legal: true}\n", 1, "level", "has levels 1 to", ""),
        (
            "table_rules: {tyde: high}\nexpect: {legal: true}\n", 1, "table_rules.tyde",
            "no table rule named 'tyde'", "",
        ),
        (
            "expect: {legal: true}\nanswers:\n  trad: trade/stevedore\n", 3, "answers.trad",
            "nothing asks for 'trad'; did you mean trade?", "",
        ),
        ("expect: {legal: [\n", 2, "", "", ""),
    ],
)  # fmt: skip
def test_a_mistake_in_a_sample_is_told_at_its_line(
    tmp_path, harbour, written, line, field, message, nearest
):
    path = tmp_path / "one.yaml"
    path.write_text(written, encoding="utf-8")
    with pytest.raises(PackError) as refused:
        pack_samples.read(path, harbour)
    (fault,) = refused.value.faults
    assert (fault.file, fault.line, fault.field) == (path, line, field)
    assert message in fault.message
    if nearest:
        assert fault.nearest == nearest


def test_an_answer_that_nothing_asks_for_here_is_told(tmp_path, capital):
    """Whoever is Robotic needs no food, so the kit does not ask."""
    sample = {
        "random": True,
        "answers": {"innate": ["system/robotic"], "kit.food": "yes"},
        "expect": {"legal": True},
    }
    path = tmp_path / "one.yaml"
    path.write_text(yaml.safe_dump(sample), encoding="utf-8")
    (difference,) = pack_samples.run(pack_samples.read(path, capital), capital)
    assert (difference.what, difference.expected) == ("answer kit.food", "asked for")


def test_the_words_of_a_page_are_what_is_read():
    html = (
        "<title>T</title><style>p {}</style><p>Gain <i>Focus</i>: <b>Block</b> 1.</p>"
        "<td>A</td><td>co\N{SOFT HYPHEN}op &amp; B</td><script>x</script>"
    )
    assert words(html) == "gain focus: block 1. a coop & b"


def test_the_files_of_a_pack_are_those_of_its_folder(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "b.yaml").touch()
    (tmp_path / "tests" / "a.yaml").touch()
    (tmp_path / "tests" / "notes.md").touch()
    assert [Path(path).name for path in pack_samples.files(tmp_path)] == ["a.yaml", "b.yaml"]
