"""Samples of a pack: expected values compared with actual ones."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from charforge.errors import PackError
from charforge.packs import samples
from charforge.packs.sample_characters import html_words
from charforge.rules.loading.loader import load_folder
from tests.source import EXAMPLES

# A dockhand of the harbour, every answer given: ARM 5, WIT 2 (tests/conftest.py).
DOCKHAND = {
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
        path.write_text(yaml.safe_dump({**DOCKHAND, **more}), encoding="utf-8")
        found = samples.run_sample(samples.read_checked_sample(path, harbour), harbour)
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
        ({"legal": False}, ("legal", "something wrong", "everything follows the rules")),
        ({"problems": ["x"]}, ("problems", "x", "nothing")),
        ({"open": ["motto"]}, ("open", "'motto'", "nothing")),
        ({"sheet": ["Ada Lovelace"]}, ("sheet", 'the words "Ada Lovelace"', "'ada")),
        ({"not_on_sheet": ["ADA"]}, ("sheet", 'not the words "ADA"', "they are on it")),
    ],
)
def test_each_thing_that_differs_is_told(compare, expect, difference):
    ((what, expected, found),) = compare(expect=expect)
    assert (what, expected) == difference[:2]
    assert found.startswith(difference[2])


def test_a_value_that_differs_has_its_steps(tmp_path, harbour):
    path = tmp_path / "one.yaml"
    path.write_text(yaml.safe_dump({**DOCKHAND, "expect": {"values": {"arm": 6}}}), "utf-8")
    (difference,) = samples.run_sample(samples.read_checked_sample(path, harbour), harbour)
    assigned, of_trade = difference.steps
    assert assigned.startswith("= 4 ")
    assert of_trade.startswith("+1 Stevedore")


def test_what_is_wrong_and_what_is_left_are_told_apart(compare):
    answers = {"scores": {"arm": 9, "wit": 2}, "knacks": []}
    expect = {"legal": False, "problems": {"scores": "value"}, "open": ["trade"]}
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
        ("name: A\n", 1, "", "what is tested:", ""),
        ("expect: {}\n", 1, "expect", "expect at least one thing", ""),
        ("expect:\n  values: {amr: 5}\n", 2, "expect.values.amr", 'no value "amr"', "arm"),
        (
            "expect:\n  holdings:\n    - trade/stevedor\n", 3, "expect.holdings",
            'no entity "trade/stevedor"', "trade/stevedore",
        ),
        ("level: 99\nexpect: {legal: true}\n", 1, "level", "has levels 1 to", ""),
        (
            "table_rules: {tyde: high}\nexpect: {legal: true}\n", 1, "table_rules.tyde",
            'no table rule named "tyde"', "",
        ),
        (
            "expect: {legal: true}\nanswers:\n  trad: trade/stevedore\n", 3, "answers.trad",
            "there is no choice \"trad\" here; did you mean trade?", "",
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
        samples.read_checked_sample(path, harbour)
    (fault,) = refused.value.problems
    assert (fault.file, fault.line, fault.field) == (path, line, field)
    assert message in fault.message
    if nearest:
        assert fault.nearest == nearest


def test_a_sample_with_a_former_id_is_told_the_present_one(tmp_path, toy):
    path = tmp_path / "one.yaml"
    path.write_text("expect: {holdings: [gear/hawser]}\n", encoding="utf-8")
    with pytest.raises(PackError) as refused:
        samples.read_checked_sample(path, toy)
    assert [problem.nearest for problem in refused.value.problems] == ["gear/rope"]


def test_an_answer_that_nothing_asks_for_here_is_told(tmp_path, capital):
    """Whoever is Robotic needs no food, so the kit does not ask."""
    sample = {
        "random": True,
        "answers": {"innate": ["system/robotic"], "kit.food": "yes"},
        "expect": {"legal": True},
    }
    path = tmp_path / "one.yaml"
    path.write_text(yaml.safe_dump(sample), encoding="utf-8")
    (difference,) = samples.run_sample(samples.read_checked_sample(path, capital), capital)
    assert (difference.what, difference.expected) == ("answer kit.food", "asked for")


def test_the_words_of_a_page_are_what_is_read():
    html = (
        "<title>T</title><style>p {}</style><p>Gain <i>Focus</i>: <b>Block</b> 1.</p>"
        "<td>A</td><td>co\N{SOFT HYPHEN}op &amp; B</td><script>x</script>"
    )
    assert html_words(html) == "gain focus: block 1. a coop & b"


def test_the_files_of_a_pack_are_those_of_its_folder(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "b.yaml").touch()
    (tmp_path / "tests" / "a.yaml").touch()
    (tmp_path / "tests" / "notes.md").touch()
    assert [Path(path).name for path in samples.sample_files(tmp_path)] == ["a.yaml", "b.yaml"]


# ------------------------------------------------------------------ facts, cases, scenes

HURT = {"run": "hurt", "set": {"amount": 4}}


def scene(*steps, **more):
    return {"text": "On the quay", "steps": list(steps), **more}


def test_facts_of_the_catalog_are_compared_key_by_key(compare):
    facts = {"name": "Stevedore", "slots": None, "words": "arm"}
    assert compare(entities={"trade/stevedore": {**facts, "words": []}}) == []
    found = compare(entities={"trade/stevedore": {"name": "Pilot"}})
    assert found == [("trade/stevedore name", '"Pilot"', '"Stevedore"')]


def test_the_entities_of_a_kind_are_counted_or_listed(compare, harbour):
    names = [one.name for one in harbour.of_kind("trade")]
    assert compare(kinds={"trade": len(names)}) == []
    assert compare(kinds={"trade": names}) == []
    assert compare(kinds={"trade": len(names) + 1}) == [
        ("kind trade", str(len(names) + 1), str(len(names)))
    ]
    first = next(harbour.of_kind("trade"))
    shown = f"{first.name} ({first.id})"
    assert compare(kinds={"trade": names[1:]}) == [("kind trade", "nothing else", shown)]
    misspelled = [f"{first.slug}s", *names[1:]]
    assert compare(kinds={"trade": misspelled}) == [
        ("kind trade", misspelled[0], shown),
        ("kind trade", "nothing else", shown),
    ]


def test_several_characters_share_what_the_file_says(compare):
    cases = [
        {"expect": {"values": {"arm": 5}}},
        {"answers": {"scores": {"arm": 2, "wit": 4}}, "expect": {"values": {"arm": 3}}},
        {"answers": {"motto": None}, "text": "No motto", "expect": {"values": {"arm": 6}}},
    ]
    assert compare(characters=cases) == [("characters 3 (No motto): value arm", "6", "5")]


def test_a_scene_is_played_with_the_dice_it_gives(compare):
    steps = [
        {**HURT, "expect": {"values": {"vigour": 5}, "outputs": {"lost": -4}}},
        {"change": {"vigour": 1}, "expect": {"values": {"vigour": 6}}},
        {
            "run": "test",
            "set": {"attribute": "arm", "vs": 12},
            "dice": {"own": [3, 4]},
            "expect": {"outputs": {"total": 12, "won": 1}, "messages": "12 against 12"},
        },
    ]
    assert compare(scenes=[scene(*steps)]) == []


@pytest.mark.parametrize(
    ("step", "what", "expected"),
    [
        ({**HURT, "expect": {"values": {"vigour": 4}}}, "value vigour", "4"),
        ({**HURT, "expect": {"outputs": {"lost": 4}}}, "output lost", "4"),
        ({**HURT, "expect": {"messages": "Hurrah"}}, "message", "'Hurrah'"),
        ({**HURT, "expect": {"all_messages": []}}, "messages", ""),
        ({**HURT, "expect": {"refused": "no"}}, "refusal", "no"),
        ({**HURT, "dice": {"own": [1]}}, "dice own", "rolled"),
        ({**HURT, "choose": {"grit": 1}, "expect": {"values": {}}}, "choice grit", "asked for"),
        ({"run": "test", "set": {"attribute": "arm"}, "dice": {"own": [3]}}, "refusal", "nothing"),
        (
            {"run": "test", "set": {"attribute": "arm"}, "dice": {"own": [3, 7]}},
            "refusal",
            "nothing",
        ),
        ({**HURT, "set": {}, "expect": {"refused": "too small"}}, "refused", "'too small'"),
        ({"use": "trade/pilot", "expect": {"values": {}}}, "refusal", "nothing"),
        ({"hold": "trade/pilot", "expect": {"values": {}}}, "refusal", "nothing"),
    ],
)
def test_each_thing_that_differs_in_a_scene_is_told_with_its_step(compare, step, what, expected):
    ((where, wanted, _found),) = compare(scenes=[scene(step)])
    assert (where, wanted) == (f"scenes 1 (On the quay): step 1: {what}", expected)


@pytest.mark.parametrize(
    ("chances", "differ"),
    [
        ({"1": "21/36"}, False),
        ({"1": "7/12"}, False),
        ({"1": "58.33%"}, False),
        ({"1": "58%"}, False),
        ({"1": "1/2"}, True),
        ({"1": "58.34%"}, True),
        ({"1": "often"}, True),
    ],
)
def test_exact_odds_are_fractions_or_percentages(compare, chances, differ):
    """ARM 5 against 12: 7 or more of 2d6."""
    step = {"odds": "test", "set": {"attribute": "arm", "vs": 12}}
    found = compare(scenes=[scene({**step, "expect": {"chances": {"won": chances}}})])
    assert bool(found) == differ


def test_a_scene_of_an_illegal_character_is_not_played(compare):
    ((where, expected, found),) = compare(
        scenes=[scene(HURT | {"expect": {"values": {"vigour": 5}}}, answers={"trade": None})]
    )
    assert (where, expected) == ("scenes 1 (On the quay): its character", "legal")
    assert "trade is open" in found


def test_a_sample_takes_its_character_from_another_of_the_folder(tmp_path, harbour):
    dockhand = {**DOCKHAND, "expect": {"legal": True}}
    (tmp_path / "dockhand.yaml").write_text(yaml.safe_dump(dockhand), "utf-8")
    like = {"like": "dockhand", "characters": [{"expect": {"values": {"arm": 5}}}]}
    (tmp_path / "cases.yaml").write_text(yaml.safe_dump(like), "utf-8")
    sample = samples.read_checked_sample(tmp_path / "cases.yaml", harbour)
    assert sample.name == "Ada"
    assert samples.run_sample(sample, harbour) == ()


@pytest.mark.parametrize(
    ("written", "line", "message", "nearest"),
    [
        ("like: on\nkinds: {trade: 1}\n", 1, "there is no sample \"on\"", "one"),
        ("like: one\nkinds: {trade: 1}\n", 1, "it is based on itself", ""),
        ("kinds: {trad: 1}\n", 1, 'no kind "trad"', "trade"),
        ("entities:\n  trade/pilots: {name: x}\n", 2, "no entity", "trade/pilot"),
        ("entities:\n  trade/pilot: {nam: x}\n", 2, "no fact of the catalog \"nam\"", "name"),
        (
            "scenes:\n- text: x\n  steps:\n  - {run: hur, dice: {own: [1]}}\n",
            4, 'no procedure "hur"', "hurt",
        ),
        (
            "scenes:\n- text: x\n  steps:\n  - run: hurt\n    expect: {outputs: {lots: 1}}\n",
            5, 'no output of this procedure "lots"', "lost",
        ),
        ("scenes:\n- text: x\n  steps:\n  - {run: hurt}\n", 2, "at least one step", ""),
        (
            "scenes:\n- text: x\n  steps:\n  - {run: hurt, use: a/b, dice: {own: [1]}}\n",
            4, "a step can have only one of run, use and odds", "",
        ),
    ],
)  # fmt: skip
def test_a_mistake_in_a_case_is_told_at_its_line(
    tmp_path, harbour, written, line, message, nearest
):
    path = tmp_path / "one.yaml"
    path.write_text(written, encoding="utf-8")
    with pytest.raises(PackError) as refused:
        samples.read_checked_sample(path, harbour)
    fault = refused.value.problems[0]
    assert (fault.line, fault.nearest) == (line, nearest)
    assert message in fault.message


HUNTER = """\
like: hunter
expect: {{legal: true}}
scenes:
- text: A hunt
  steps:
  - gain: {gain}
    run: check
    set: {{skill: find, tool: {tool}}}
    dice: {{own: [1, 3, 4], gear: [{gear}]}}
    choose: {{pushed: 0}}
    expect: {{outputs: {{success: 1}}}}
"""


@pytest.fixture
def hunt(tmp_path):
    """Play a check with a tool of the example Cold Light; return what differs, in sentences."""
    folder = shutil.copytree(EXAMPLES / "cold-light", tmp_path / "cold-light")
    rules = load_folder(folder)

    def hunt(tool: str, gain: str = "[]", gear: str = "5, 6") -> list[str]:
        path = folder / "tests" / "hunt.yaml"
        path.write_text(HUNTER.format(tool=tool, gain=gain, gear=gear), encoding="utf-8")
        found = samples.run_sample(samples.read_checked_sample(path, rules), rules)
        return [one.sentence or f"{one.what}: {one.expected}, {one.found}" for one in found]

    return hunt


@pytest.mark.parametrize("tool", ["tool/rifle", "Old rifle", "old rifle", "rifle"])
def test_a_scene_names_an_item_by_what_it_is_or_by_its_name(hunt, tool):
    assert hunt(tool) == []


@pytest.mark.parametrize(
    ("tool", "reason"),
    [
        ("tool/axe", 'tool: "tool/axe" is not one of Old rifle, Rope'),
        ("tool/rope", 'tool: "tool/rope" matches several: kit (Rope) or rope (Rope)'),
    ],
)
def test_an_item_that_is_not_there_or_not_the_only_one_is_refused_in_plain_words(
    hunt, tool, reason
):
    assert hunt(tool, gain="[tool/rope]") == [
        f"scenes 1 (A hunt): step 1: this is not possible: {reason}"
    ]
