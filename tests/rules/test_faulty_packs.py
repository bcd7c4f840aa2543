"""A faulty homebrew pack: each mistake is named with its file, its line and the nearest right name.

Every case is the pack Spring Tide, which amends the toy ruleset, with one edit. ``at`` is a
text that stands, for the first time, on the line that must be reported.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from charforge.errors import Fault, PackError
from charforge.expressions.formula import Formula
from charforge.paths import user_data_folder
from charforge.rules import install
from charforge.rules.folders import packs_folder
from charforge.rules.loader import load_folder
from charforge.rules.ruleset import Ruleset
from tests.rules.faulty import Case

TOY = Path(__file__).parents[1] / "testdata" / "toy"
TIDE = TOY.with_name("tide")
HEAD, HOUSE, OWN = "pack.yaml", "house.yaml", "own.yaml"
ANCHOR = "set: {weight: 5, made_of: Bronze}"
POT = "    weight: 2\n    price: 4\n"

PACK = {
    "an unknown ruleset": Case(
        HEAD, "ruleset: toy", "ruleset: toi", "ruleset: toi", "no ruleset is named 'toi'", "toy"
    ),
    "no ruleset": Case(HEAD, "ruleset: toy\n", "", "id: tide", "is missing"),
    "no id": Case(HEAD, "id: tide\n", "", "name: Spring Tide", "is missing"),
    "no version": Case(HEAD, "version: 1.2.0\n", "", "id: tide", "is missing"),
    "no name": Case(HEAD, "name: Spring Tide\n", "", "id: tide", "is missing"),
    "an unknown key": Case(HEAD, "author:", "auther:", "auther:", "unknown key", "author"),
    "a version that is a list": Case(
        HEAD, "version: 1.2.0", "version: [1, 2]", "version: [1, 2]", "it must be a text"
    ),
    "an empty version": Case(HEAD, "version: 1.2.0", "version:", "version:", "such as 1.0.0"),
    "requires what is not here": Case(
        HEAD,
        "author: The keepers\n",
        "author: The keepers\nrequires: [rain]\n",
        "requires: [rain]",
        "no installed pack is named 'rain'",
    ),
    "an id that is no slug": Case(
        HEAD, "id: tide", "id: Spring Tide", "id: Spring Tide", "it must be an id"
    ),
    "the id of its ruleset": Case(HEAD, "id: tide", "id: toy", "id: toy", "a pack's id is its own"),
    "requires what is nearly here": Case(
        HEAD,
        "author: The keepers\n",
        "author: The keepers\nrequires: [full-mon]\n",
        "requires: [full-mon]",
        "no installed pack is named 'full-mon'",
        "full-moon",
    ),
    "requires itself": Case(
        HEAD,
        "author: The keepers\n",
        "author: The keepers\nrequires: [tide]\n",
        "id: tide",
        "a pack's id is its own",
    ),
    "requires a text": Case(
        HEAD,
        "author: The keepers\n",
        "author: The keepers\nrequires: full-moon\n",
        "requires: full-moon",
        "it must be a list",
    ),
    "a name that is a number": Case(
        HEAD, "name: Spring Tide", "name: 7", "name: 7", "it must be a text"
    ),
    "a page instead": Case(
        HEAD, "text: Higher", "entities: []\ntext: Higher", "entities: []", "unknown key"
    ),
    "a key written twice": Case(
        HEAD, "author: The keepers", "author: A\nauthor: B", "author: B", "written twice"
    ),
    "an indent too many": Case(
        HEAD, "name: Spring", " name: Spring", " name: Spring", "keys of one map"
    ),
}
PATCHES = {
    "of nothing": Case(
        HOUSE,
        "at: gear/anchor",
        "at: gear/ankor",
        "gear/ankor",
        "no entity has the id",
        "gear/anchor",
    ),
    "of a page's list of another name": Case(
        HOUSE, "[rulings, L1]", "[ruling, L1]", "[ruling, L1]", "'at' is an entity's id", "rulings"
    ),
    "of no value": Case(
        HOUSE, "values, luck]", "values, lukc]", "lukc]", "there is no 'lukc' here", "luck"
    ),
    "of no question": Case(
        HOUSE,
        "creation, savings]",
        "creation, saving]",
        "saving]",
        "has the id 'saving'",
        "savings",
    ),
    "of no part of ruleset.yaml": Case(
        HOUSE, "[ruleset, sheet]", "[ruleset, shet]", "shet]", "there is no 'shet' here", "sheet"
    ),
    "of a whole list": Case(
        HOUSE, "[ruleset, creation, savings]", "[ruleset, creation]", "creation]", "is a list"
    ),
    "of a figure": Case(
        HOUSE,
        "[ruleset, creation, savings]",
        "[ruleset, creation, savings, default]",
        "savings, default]",
        "no part with keys",
    ),
    "of no ruling": Case(
        HOUSE, "[rulings, L1]", "[rulings, L2]", "L2]", "no ruling has the id 'L2'"
    ),
    "that adds what is there already": Case(
        HOUSE,
        "[{id: ebb, label: At ebb}]",
        "[{id: ebb, label: At ebb}, {id: rest, label: Again}]",
        "label: Again",
        "rest exists already",
    ),
    "that takes away a name that others use": Case(
        HOUSE,
        "    add:\n      timings: ",
        "    remove: {timings: [rest]}\n    add:\n      timings: ",
        "remove: {timings: [rest]}",
        "no timing is named 'rest' then, and things.yaml names it",
        "",
    ),
    "that changes an id": Case(
        HOUSE, "{weight: 5,", "{id: gear/hook, weight: 5,", "at: gear/anchor", "an id stays"
    ),
    "that sets a key of ruleset.yaml to what it cannot be": Case(
        HOUSE, "{default: 30}", "{label: 30}", "label: 30", "it must be a text"
    ),
    "that sets a key of an option to what it cannot be": Case(
        HOUSE,
        "  - at: [ruleset, sheet]",
        "  - at: [ruleset, creation, keepsakes, options, bell]\n    set: {label: 30}\n"
        "  - at: [ruleset, sheet]",
        "label: 30",
        "it must be a text",
    ),
    "that sets a formula to a word": Case(
        HOUSE, "{default: 30}", "{default: much}", "default: much", "no value is named 'much'"
    ),
    "that says nothing": Case(
        HOUSE, f"    {ANCHOR}\n", "", "at: gear/anchor", "a patch has at least one of"
    ),
    "without a target": Case(HOUSE, "at: gear/anchor\n    set", "set", ANCHOR, "is missing"),
    "with an unknown key": Case(
        HOUSE, "why: Iron rusts.", "wy: Iron rusts.", "wy: Iron", "unknown key", "why"
    ),
    "that sets an unknown key": Case(
        HOUSE, "made_of: Bronze", "made_off: Bronze", "made_off", "unknown key", "made_of"
    ),
    "that sets a key to what it cannot be": Case(
        HOUSE, "{weight: 5,", "{weight: heavy,", "weight: heavy", "it must be a whole number"
    ),
    "that sets a value to what nobody knows": Case(
        HOUSE,
        "{maximum: 12}",
        "{maximum: lukc}",
        "maximum: lukc",
        "no value is named 'lukc'",
        "luck",
    ),
    "that drops what is not there": Case(
        HOUSE, "drop: [fragile]", "drop: [fragil]", "[fragil]", "no 'fragil' to drop", "fragile"
    ),
    "that drops what must be there": Case(
        HOUSE, "drop: [fragile]", "drop: [name]", "drop: [name]", "is missing"
    ),
    "that removes what is not there": Case(
        HOUSE,
        "{priority: [hands]}",
        "{priority: [hand]}",
        "[hand]}",
        "'hand' is not there",
        "hands",
    ),
    "that removes from nothing": Case(
        HOUSE, "{priority: [hands]}", "{rulings: [L1]}", "rulings: [L1]", "nothing to remove from"
    ),
    "that adds to a number": Case(
        HOUSE,
        "set: {default: 30}",
        "add: {default: 30}",
        "add: {default: 30}",
        "only lists and maps can be added to",
    ),
    "that adds what nothing is": Case(
        HOUSE,
        "grants: [gear/candle]",
        "grants: [gear/candel]",
        "candel",
        "no entity",
        "gear/candle",
    ),
    "that adds an unknown kind to the sheet": Case(
        HOUSE, "{items: [charm]}", "{items: [charms]}", "charms", "no kind is named", "charm"
    ),
    "that is a text": Case(
        HOUSE,
        "  - at: gear/spyglass\n    drop: [fragile]",
        "  - gear/spyglass",
        "- gear/spyglass",
        "it must be a map",
    ),
    "a default that is no option": Case(
        HOUSE, "default: spring", "default: sprung", "id: tides", "none of the options"
    ),
}
NAMES = {
    "an unknown kind": Case(
        OWN, "id: gear/eel-pot", "id: geer/eel-pot", "geer/eel-pot", "no kind of entity", "gear"
    ),
    "an id without a kind": Case(
        OWN, "id: gear/eel-pot", "id: eel-pot", "id: eel-pot", "no kind of entity"
    ),
    "an id of the ruleset's own": Case(
        OWN,
        "id: habit/tide-reader",
        "id: habit/morse",
        "id: habit/morse",
        "habit/morse exists already; to change it, write a patch",
    ),
    "an unknown output": Case(
        OWN, "outputs: [{id: height", "outputs: [{id: heigth", "heigth", "no variable", "height"
    ),
    "a procedure twice": Case(
        OWN,
        "\ncharts:",
        "  - {id: rise, label: Again, source: rule/flood, steps: [{do: let, id: x, to: 1}]}\n"
        "\ncharts:",
        "label: Again",
        "rise exists already",
    ),
    "an id twice": Case(
        OWN,
        "id: habit/tide-reader",
        "id: gear/eel-pot",
        "gear/eel-pot\n    name: Tide",
        "exists already",
    ),
    "an old id of something else": Case(
        OWN,
        "renamed_from: gear/pot",
        "renamed_from: gear/candle",
        "renamed_from: gear/candle",
        "exists already",
    ),
    "an unknown entity": Case(
        OWN,
        "{has: gear/eel-pot}",
        "{has: gear/eal-pot}",
        "gear/eal-pot",
        "no entity",
        "gear/eel-pot",
    ),
    "an unknown entity in a formula": Case(
        OWN,
        "number('gear/eel-pot')",
        "number('gear/eelpot')",
        "gear/eelpot",
        "no entity",
        "gear/eel-pot",
    ),
    "an unknown value": Case(
        OWN, "{value: luck, amount: 1}", "{value: fortune, amount: 1}", "fortune", "no value"
    ),
    "an unknown value demanded": Case(
        OWN, "{id: eyes, at_least", "{id: eye, at_least", "{id: eye,", "no value", "eyes"
    ),
    "an unknown resource": Case(
        OWN, "cost: {warmth: 1}", "cost: {warmt: 1}", "warmt:", "no resource", "warmth"
    ),
    "an unknown timing": Case(OWN, "timing: ebb", "timing: eb", "timing: eb,", "no timing", "ebb"),
    "an unknown vocabulary": Case(
        OWN, "terms: waters", "terms: water", "terms: water,", "no vocabulary", "waters"
    ),
    "an unknown term": Case(OWN, "[low, high]}", "[low, hihg]}", "hihg", "no term", "high"),
    "an unknown tag": Case(
        OWN,
        "{has: gear/eel-pot}",
        "{has: {kind: gear, tags: {any: [tidl]}}}",
        "tidl",
        "no tag",
        "tidal",
    ),
    "an unknown kind in a query": Case(
        OWN, "{has: gear/eel-pot}", "{has: {kind: geer}}", "geer", "no kind", "gear"
    ),
    "an unknown table rule": Case(
        OWN, "rule: tides", "rule: tide", "rule: tide,", "no table rule", "tides"
    ),
    "an unknown source": Case(
        OWN,
        "source: rule/flood\n        columns",
        "source: rule/flod\n        columns",
        "flod",
        "no entity",
        "rule/flood",
    ),
    "an unknown value in a text": Case(
        OWN, "{half_up(reach)}", "{half_up(raech)}", "raech", "no value", "reach"
    ),
    "an unknown choice in a text": Case(
        OWN, "{$water}", "{$watter}", "$watter", "no choice", "water"
    ),
    "an unknown chart": Case(
        OWN, "chart: swell", "chart: swel", "chart: swel,", "no chart", "swell"
    ),
    "an unknown column of a chart": Case(
        OWN, "take: {height: height}", "take: {height: hight}", "hight", "no column", "height"
    ),
    "an unknown die": Case(OWN, "dice: 2d6", "dice: 2dgul", "2dgul", "no die", "gull"),
}
SENSE = {
    "a placeholder left open": Case(
        OWN, "in {$water}.", "in {$water}, {", "in {$water}, {", "brace"
    ),
    "an empty placeholder": Case(OWN, "in {$water}.", "in {}.", "in {}.", "it is empty"),
    "a formula that breaks off": Case(
        OWN, "number('gear/eel-pot')", "luck +", "luck +", "cannot be read"
    ),
    "a formula with a function of Python": Case(
        OWN, "number('gear/eel-pot')", "open(1)", "open(1)", "only functions are"
    ),
    "a value made of itself": Case(
        OWN, "number('gear/eel-pot')", "reach", "amount: reach", "computed from itself"
    ),
    "a value made of itself by way of another": Case(
        OWN,
        "{value: luck, amount: 1}",
        "{value: luck, amount: reach}\n      - {value: reach, amount: luck}",
        "amount: luck}",
        "computed from itself",
    ),
    "a grant of itself": Case(
        OWN, POT, f"{POT}    grants: [gear/eel-pot]\n", "grants: [gear/eel-pot]", "itself"
    ),
    "a table with a gap": Case(OWN, "          2: [1, 2]\n", "", "id: depths", "without a gap"),
    "a table with a short row": Case(
        OWN, "2: [1, 2]", "2: [1]", "id: depths", "row 2 has 1 cells for 2 columns"
    ),
    "a table with an empty cell": Case(
        OWN, "1: [1, 1]", "1: [null, 1]", "id: depths", "nothing to carry"
    ),
    "a chart with a gap": Case(
        OWN, "at: [7, 10]", "at: [8, 10]", "at: [8, 10]", "nothing is said between up to 6 and 8"
    ),
    "a chart whose rows overlap": Case(OWN, "at: [7, 10]", "at: [6, 10]", "at: [6, 10]", "6"),
    "a chart with a short row": Case(OWN, "[1, Weed on the stairs]", "[1]", "cells: [1]", "1 cell"),
    "a chart with a row from high to low": Case(
        OWN, "at: [7, 10]", "at: [10, 7]", "at: [10, 7]", "a row is at"
    ),
    "nothing to choose": Case(
        OWN,
        "among: {terms: waters, only: [low, high]}",
        "options: []",
        "id: water",
        "'among' or 'options'",
    ),
}
SHAPES = {
    "an unknown key of an entity": Case(
        OWN, "price: 4", "prise: 4", "prise", "unknown key", "price"
    ),
    "an unknown key of an action": Case(
        OWN, "{name: Haul,", "{title: Haul,", "title: Haul", "unknown key"
    ),
    "a key that belongs elsewhere": Case(
        OWN, "price: 4", "price: 4\n    equals: 4", "equals: 4", "unknown key"
    ),
    "no name": Case(OWN, "    name: Eel Pot\n", "", "gear/eel-pot", "is missing"),
    "no source": Case(
        OWN, "    source: Spring Tide\n    weight", "    weight", "gear/eel-pot", "is missing"
    ),
    "no timing": Case(OWN, "timing: ebb, ", "", "name: Haul", "is missing"),
    "a number as a word": Case(
        OWN, "price: 4", "price: four", "price: four", "a whole number, not the text 'four'"
    ),
    "an own number as a text": Case(
        OWN, "weight: 2", 'weight: "2"', 'weight: "2"', "it must be a whole number"
    ),
    "an own flag as a word": Case(
        OWN, "fragile: true", "fragile: very", "fragile: very", "it must be true or false"
    ),
    "a text where a list belongs": Case(
        OWN, "columns: [oil, reach]", "columns: oil", "columns: oil", "it must be a list"
    ),
    "a map where a list belongs": Case(
        OWN,
        "inputs: [{id: hours, label: How long?, default: 1, minimum: 0}]",
        "inputs: {id: hours, label: How long?, default: 1, minimum: 0}",
        "inputs: {",
        "it must be a list",
    ),
    "an unknown list on a page": Case(
        OWN, "\ncharts:", "\nchart:", "chart:\n  - id: swell", "unknown key", "charts"
    ),
    "an unknown operation": Case(
        OWN,
        "{value: luck, amount: 1}",
        "{value: luck, op: plus, amount: 1}",
        "op: plus",
        "is none of set, add",
    ),
    "an unknown sort of question": Case(
        OWN, "do: choose", "do: chose", "do: chose", "is none of", "choose"
    ),
    "an unknown step": Case(
        OWN, "{do: change,", "{do: chance,", "do: chance", "is none of", "change"
    ),
}
YAML = {
    "a tab": Case(OWN, "    name: Eel Pot", "\tname: Eel Pot", "\tname", "tab"),
    "a list left open": Case(OWN, "[tidal]\n    renamed", "[tidal\n    renamed", "[tidal", "no ]"),
    "a text left open": Case(
        OWN, 'text: "You catch', 'text: "You "catch', 'You "catch', "a comma is missing"
    ),
    "a colon in a text": Case(
        OWN,
        "text: Water on the stairs.",
        "text: Water: on the stairs.",
        "Water: on",
        "a comma is missing",
    ),
    "a control character": Case(
        OWN, "name: Eel Pot", 'name: "Eel\\x07Pot"', "Eel\\x07Pot", "a control character"
    ),
    "a key twice": Case(
        OWN, "    price: 4\n", "    price: 4\n    price: 5\n", "price: 5", "written twice"
    ),
    "an indent too few": Case(
        OWN, "    weight: 2\n", "   weight: 2\n", "   weight: 2", "no hyphen"
    ),
    "an unknown alias": Case(OWN, "price: 4", "price: *four", "*four", "stands nowhere before it"),
    "a tag of Python": Case(
        OWN,
        "price: 4",
        "price: !!python/name:os.system",
        "!!python",
        "the tag !!python/name:os.system",
    ),
    "a second document": Case(OWN, "\nprocedures:", "---\nprocedures:", "---", "document"),
}
CASES = {
    f"{chapter}: {name}": case
    for chapter, cases in {
        "pack.yaml": PACK,
        "a patch": PATCHES,
        "names": NAMES,
        "sense": SENSE,
        "shapes": SHAPES,
        "YAML": YAML,
    }.items()
    for name, case in cases.items()
}


@pytest.fixture(autouse=True)
def _installed(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Install the toy ruleset and another pack for it where no other test sees them."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
    user_data_folder.cache_clear()
    shutil.copytree(TOY, packs_folder() / "toy")
    moon = packs_folder() / "full-moon"
    moon.mkdir()
    told = 'id: full-moon\nname: Full Moon\nversion: "1"\nruleset: toy\n'
    (moon / "pack.yaml").write_text(told, encoding="utf-8")
    yield
    user_data_folder.cache_clear()


@pytest.fixture
def edited(tmp_path: Path) -> Callable[[Case], Path]:
    """Copy the pack with one edit; what is replaced must occur exactly once."""

    def edited(case: Case) -> Path:
        folder = tmp_path / "tide"
        shutil.copytree(TIDE, folder)
        path = folder / case.file
        text = path.read_text(encoding="utf-8")
        assert text.count(case.old) == 1, f"{case.old!r} occurs {text.count(case.old)} times"
        path.write_text(text.replace(case.old, case.new), encoding="utf-8")
        return folder

    return edited


def faults(folder: Path) -> tuple[Fault, ...]:
    """Judge a pack that must be refused, and return why."""
    with pytest.raises(PackError) as refused:
        install.judged(folder)
    return refused.value.faults


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in CASES.items()])
def test_one_mistake_is_one_fault_at_its_line(edited: Callable[[Case], Path], case: Case) -> None:
    folder = edited(case)
    assert case.found(folder, faults) == [case.expected(folder)]


def test_the_pack_without_an_edit_is_right(toy: Ruleset) -> None:
    """So each fault above is of its edit alone, and the patches are in what was loaded."""
    amended = load_folder(TOY, [TIDE])
    fresh = {"gear/eel-pot", "habit/tide-reader", "rule/flood"}
    assert amended.entities.keys() - toy.entities.keys() == fresh
    assert amended.origins == dict.fromkeys(fresh, "tide")
    assert amended.entity("gear/anchor").own == {"weight": 5, "made_of": "Bronze"}
    assert "fragile" not in amended.entity("gear/spyglass").own
    assert amended.rulings["L1"].title == "Flotsam"
    assert amended.units["keeper"].values["luck"].maximum == Formula("12")


def test_there_are_sixty_of_them() -> None:
    assert len(CASES) >= 60
