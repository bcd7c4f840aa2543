"""Faults of allotments, open figures and things of one's own: each at its line, with what is meant.

Every case is the smithy pack with one edit. ``at`` is a text that stands, for the first time, on
the line that must be reported.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.replay.spec import CharacterSpec
from charforge.rules.loader import load_folder
from tests.rules.faulty import Case

HEAD, THINGS, STEPS = "ruleset.yaml", "things.yaml", "procedures.yaml"

CASES = {
    "points that are too many": Case(
        HEAD, "points: 3", "points: 7", "points: 7", "3 values of 0 to 2 cannot take 7 points"
    ),
    "an allotment to no value": Case(
        HEAD, "to: [max_heat]", "to: [max_heet]", "max_heet", "named 'max_heet'", "max_heat"
    ),
    "an allotment to no group": Case(
        HEAD,
        "to: group:abilities\n    minimum",
        "to: group:abilitys\n    minimum",
        "group:abilitys",
        "no group is named 'abilitys'",
        "abilities",
    ),
    "an allotment without bounds": Case(
        HEAD, "    maximum: 2\n", "", "- id: abilities", "give 'minimum' and 'maximum'"
    ),
    "a figure left open without an example": Case(
        HEAD, "maximum: 9, default: 2,", "maximum: 9,", "- {id: guard, do: enter", "has an example"
    ),
    "a text left open without an example": Case(
        HEAD,
        "examples: [Never to quench in anger, Iron first]",
        "examples: []",
        "- {id: oath",
        "has an example: examples",
    ),
    "dice left open": Case(
        THINGS,
        "do: roll, label: How good at it?, dice: 1d4",
        "do: roll, unprinted: true, dice: 1d4",
        "unprinted: true, dice",
        "unknown key",
    ),
    "a title that no choice gives": Case(
        THINGS,
        "titled: name\n    choices:\n      - {id: name, do: write, label: What is it called?, "
        "longest: 40, examples: [Riv",
        "titled: nam\n    choices:\n      - {id: name, do: write, label: What is it called?, "
        "longest: 40, examples: [Riv",
        "titled: nam",
        "no choice of this entity is named 'nam'",
        "name",
    ),
    "a title that is not written": Case(
        THINGS,
        "titled: name\n    choices:\n      - {id: name, do: write, label: What is it called?, "
        "longest: 40, examples: [Maul",
        "titled: score\n    choices:\n      - {id: name, do: write, label: What is it called?, "
        "longest: 40, examples: [Maul",
        "titled: score",
        "the choice 'score' is not written, so it cannot be a name",
    ),
    "an own number in a change": Case(
        THINGS, "amount: rank,", "amount: rnk,", "amount: rnk", "no value is named 'rnk'", "rank"
    ),
    "an own number in a text": Case(
        THINGS, "{rank + 10}", "{rnk + 10}", "{rnk + 10}", "no value is named 'rnk'", "rank"
    ),
    "another's number": Case(
        THINGS, "weight, type", "ring, type", "ring, type: blunt}]", "no value is named 'ring'"
    ),
    "a figure of a figure": Case(
        THINGS, "formula: 2 * rank", "formula: av * rank", "av * rank", "no value is named 'av'"
    ),
    "dice of a figure": Case(
        THINGS,
        "formula: 2 * rank + 2, before: d",
        "dice: {boost: rank}",
        "boost",
        "no symbol die is named 'boost'",
    ),
    "a figure of two sorts": Case(
        THINGS,
        "formula: 2 * rank + 2, before: d",
        "before: d",
        "{id: die",
        "a figure has either 'formula' or 'dice'",
    ),
    "a number that has a value's id": Case(
        THINGS, "{id: ring, do", "{id: heat, do", "id: heat", "'heat' is a value's id"
    ),
    "a figure that has a choice's id": Case(
        THINGS,
        "{id: die, label",
        "{id: rank, label",
        "id: rank, label: Die",
        "a choice's id already",
    ),
    "a choice to hit with that is no number": Case(
        THINGS,
        "hit: $score",
        "hit: $reach",
        "hit: $reach",
        "the choice 'reach' is neither of a value nor a number",
    ),
    "a choice to hit with that is none": Case(
        THINGS, "hit: $score", "hit: $scor", "hit: $scor", "no choice of this entity", "score"
    ),
    "a range of no choice": Case(
        THINGS, "{$reach}", "{$reech}", "{$reech}", "no choice of this entity", "reach"
    ),
    "a change that feeds the value it reads": Case(
        THINGS,
        "{value: guard, amount: rank,",
        "{value: brawn, amount: attribute,",
        "value: brawn",
        "the value 'brawn' is computed from itself",
    ),
    "an item of no kind": Case(
        STEPS,
        "inputs: [{id: lesson, label: What?, type: item, kind: [skill]}]",
        "inputs: [{id: lesson, label: What?, type: item, kind: [skil]}]",
        "skil]",
        "no kind is named 'skil'",
        "skill",
    ),
    "an own number where nothing is answered yet": Case(
        THINGS,
        "    modifies: [{value: guard,",
        "    grants: [{id: tool/tongs, when: rank > 2}]\n    modifies: [{value: guard,",
        "when: rank > 2}]",
        "no value is named 'rank'",
        "brawn",
    ),
    "a number that not every item has": Case(
        STEPS,
        "skill_av, say",
        "skill_die, say",
        "skill_die, say",
        "no value is named 'skill_die'",
        "skill",
    ),
    "an item without a kind": Case(
        STEPS,
        "{id: skill, label: Which skill?, type: item, kind: [skill]}",
        "{id: skill, label: Which skill?, type: item}",
        "{id: skill, label",
        "an item is of a kind, and nothing else is",
    ),
}


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in CASES.items()])
def test_a_fault_is_named_at_its_line(forging: Callable[..., Path], case: Case) -> None:
    folder = forging((case.file, case.old, case.new))
    assert case.expected(folder) in case.found(folder)


EMPTY = "kinds:\n  - {id: skill,"


def test_an_item_of_a_kind_that_nothing_is_of(forging: Callable[..., Path]) -> None:
    charms = "kinds:\n  - {id: charm, label: Charm, plural: Charms}\n  - {id: skill,"
    lesson = "type: item, kind: [skill]}]"
    folder = forging((HEAD, EMPTY, charms), (STEPS, lesson, lesson.replace("skill", "charm")))
    case = Case(STEPS, "", "", "kind: [charm]", "nothing is of the kind charm")
    assert case.expected(folder) in case.found(folder)


SETTLED = "  - {id: tool/tongs, name: Tongs, source: Tools"


@pytest.mark.parametrize(
    ("settled", "message", "nearest"),
    [
        ("{rank: two}", "'rank' is a whole number, not 'two'", ""),
        ("{name: 2}", "'name' is a word or text, not 2", ""),
        ("{attribute: wit}", "no option is named 'wit'", "wits"),
        ("{rnk: 2}", "no choice of skill/own is named 'rnk'", "rank"),
    ],
)
def test_what_a_grant_settles_is_of_the_right_sort(
    forging: Callable[..., Path], settled: str, message: str, nearest: str
) -> None:
    granting = f"{SETTLED}, grants: [{{id: skill/own, with: {settled}}}]"
    folder = forging((THINGS, SETTLED, granting))
    case = Case(THINGS, "", "", "grants:", message, nearest)
    assert case.found(folder) == [case.expected(folder)]


def test_a_grant_settles_numbers_and_names(forging: Callable[..., Path]) -> None:
    settled = "{name: Gripping, attribute: wits, rank: 2}"
    granting = f"{SETTLED}, grants: [{{id: skill/own, with: {settled}}}]"
    rules = load_folder(forging((THINGS, SETTLED, granting)))
    state = CharacterSpec(rules, "7", "Ilmar", answers={"tools": ["tool/tongs"]}).walk().state
    assert [holding.name for holding in state.holdings] == ["Tongs", "Gripping"]
