"""Faulty dice, charts and tracks: each fault with its line and the nearest right name.

Every case is the reef pack with one edit. ``at`` is a text that stands, for the first time, on
the line that must be reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from charforge.errors import PackError
from charforge.rules.loader import load_folder

HEAD, RULES = "ruleset.yaml", "rules.yaml"
RAY = "at: ray, cells: [B, 1, rule/sting]"
BRIEF = "label: B, columns: [{id: a, label: A}], rows: [{at: 1, cells: [1]}]"
COLD = "id: cold, label: Cold"


@dataclass(frozen=True)
class Case:
    """One edit of one file and the fault that it must lead to."""

    file: str
    old: str
    new: str
    at: str
    message: str
    nearest: str = ""


DICE = {
    "a symbol on a face": Case(
        HEAD, "[pearl, tide]", "[perl, tide]", "[perl, tide]", "no symbol is named 'perl'", "pearl"
    ),
    "a symbol that is cancelled": Case(
        HEAD, "cancels: weed", "cancels: wead", "wead", "no symbol is named 'wead'", "weed"
    ),
    "a symbol that cancels itself": Case(
        HEAD, "plural: Tides}", "plural: Tides, cancels: tide}", "Tides", "tide cancels itself"
    ),
    "a symbol that cancels one side only": Case(
        HEAD,
        "plural: Tides}",
        "plural: Tides, cancels: pearl}",
        "Tides",
        "pearl does not cancel tide in turn",
    ),
    "symbols that count as each other": Case(
        HEAD,
        "plural: Pearls, cancels",
        "plural: Pearls, counts: pearl, cancels",
        "Pearls",
        "pearl counts as itself",
    ),
    "a die of both sorts": Case(
        HEAD, "faces: [1, 1, 3]", "faces: [1], symbols: [[]]", "id: shell", "either 'faces'"
    ),
    "a shape": Case(
        HEAD, "shape: diamond", "shape: round", "shape: round", "is none of circle, square"
    ),
    "a die of a pool step": Case(
        RULES, "wave: waves", "wav: waves", "wav: waves", "no symbol die is named 'wav'", "wave"
    ),
    "a die with numbers in a pool": Case(
        RULES, "wave: waves", "shell: waves", "shell: ", "no symbol die is named 'shell'"
    ),
    "a symbol die that is summed": Case(
        RULES, "dice: 1d10", "dice: 1dfin", "1dfin", "no die is named 'fin'"
    ),
    "a figure of a pool step": Case(
        RULES, "waves - calm", "wave - calm", "wave - calm", "no value is named 'wave'", "waves"
    ),
    "a symbol's count": Case(
        RULES,
        "to: check_pearl > 0",
        "to: check_perl > 0",
        "check_perl",
        "no value is named 'check_perl'",
        "check_pearl",
    ),
    "a symbol's count that comes out": Case(
        RULES,
        "id: check_moon",
        "id: check_mon",
        "check_mon,",
        "no variable is named 'check_mon'",
        "check_moon",
    ),
    "a die of a unit's pool": Case(
        HEAD, "{wave: nerve", "{wve: nerve", "{wve: nerve", "no symbol die is named 'wve'", "wave"
    ),
    "a figure of a unit's pool": Case(
        HEAD, "wave: nerve", "wave: nerv", "wave: nerv", "no value is named 'nerv'", "nerve"
    ),
    "sides that nobody has": Case(
        RULES, "sides: swim", "sides: swin", "swin", "no value is named 'swin'", "swim"
    ),
    "two sorts of dice": Case(
        RULES, "dice: 1d10", "dice: 1d10, sides: 4", "dice: 1d10", "one of 'dice', 'sides'"
    ),
}
CHARTS = {
    "rows that overlap": Case(
        RULES, "at: [6, null]", "at: [5, null]", "[5, null]", "the rows 2–5 and {nerve} or more ov"
    ),
    "a row twice": Case(RULES, "at: [2, 5]", "at: [1, 5]", "[Arm,", "the rows 1 and 1–5 overlap"),
    "a gap": Case(RULES, "at: [2, 5]", "at: [3, 5]", "[3, 5]", "nothing is said between 1 and 3–5"),
    "a word twice": Case(
        RULES, "      - {at: shark,", f"      - {{{RAY}}}\n      - {{at: shark,",
        RAY, "ray has a row already",
    ),
    "a row at no place": Case(
        RULES, "at: [2, 5]", "at: [5, 2]", "[5, 2]", "a row is at a number, from one to another"
    ),
    "too few cells": Case(RULES, '[Arm, 0, "—"]', "[Arm, 0]", "[Arm, 0]", "2 cells for 3 columns"),
    "a figure in a cell": Case(
        RULES, "{nerve + 1}", "{nerv + 1}", "{nerv + 1}", "no value is named 'nerv'", "nerve"
    ),
    "a figure in a heading": Case(
        RULES, '"{nerve} or', '"{nerv} or', "{nerv} or", "no value is named 'nerv'", "nerve"
    ),
    "a column twice": Case(
        RULES, "id: held, label", "id: place, label", "label: Held", "place exists already"
    ),
    "a chart": Case(RULES, "chart: bites", "chart: bits", "bits", "no chart is named", "bites"),
    "a column": Case(
        RULES, "worse: worse}", "worse: wors}", "wors}", "no column of bites is named", "worse"
    ),
    "a word without a row": Case(
        RULES,
        "[ray, shark]",
        "[ray, shark, sark]",
        "at: $fish",
        "no row of fish is named 'sark'",
        "shark",
    ),
    "an input that is looked up": Case(
        RULES, "at: $fish", "at: $fisch", "at: $fisch", "no input of this procedure", "fish"
    ),
    "a text that a formula reads": Case(
        RULES, "to: teeth + worse", "to: sort + worse", "sort + worse",
        "sort is a text here: 'A ray' in the column sort of the chart fish",
    ),
    "a text among numbers that a formula reads": Case(
        RULES, "[A shark, 4,", "[A shark, many,", "to: teeth + worse",
        "teeth is a text here: 'many' in the column teeth of the chart fish",
    ),
    "a text that is said": Case(
        RULES, "{$sort} bites", "{$sorte} bites", "{$sorte}", "no input of this", "sort"
    ),
    "a chart of the sheet": Case(
        HEAD, "charts: [bites]", "charts: [bite]", "[bite]", "no chart is named 'bite'", "bites"
    ),
    "a chart twice": Case(
        RULES, "  - id: fish\n", f"  - {{id: bites, {BRIEF}}}\n  - id: fish\n",
        BRIEF, "bites exists already",
    ),
}  # fmt: skip
TRACKS = {
    "a value": Case(
        HEAD, "value: chill", "value: chil", "value: chil", "no value is named 'chil'", "chill"
    ),
    "a value that is no resource": Case(
        HEAD, "value: chill", "value: nerve", "value: nerve\n", "nerve is no resource of any unit"
    ),
    "what lasts": Case(
        HEAD,
        "amount: -1, layer: current",
        "amount: -1",
        "amount: -1}",
        "is of the layer 'current'",
    ),
    "no steps": Case(
        HEAD, "  - id: chill\n", f"  - {{{COLD}, value: breath, steps: []}}\n  - id: chill\n",
        COLD, "at least 1 must stand here, not 0",
    ),
    "a second one": Case(
        HEAD, "  - id: chill\n",
        f"  - {{{COLD}, value: chill, steps: [{{id: s, label: S}}]}}\n  - id: chill\n",
        "value: chill\n", "chill has the track cold already",
    ),
}  # fmt: skip
CASES = {**DICE, **CHARTS, **TRACKS}


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_a_fault_is_named_at_its_line(diving: Callable[..., Path], case: Case) -> None:
    folder = diving((case.file, case.old, case.new))
    with pytest.raises(PackError) as refused:
        load_folder(folder)
    assert len(refused.value.faults) == 1, refused.value.faults
    (fault,) = refused.value.faults
    text = (folder / case.file).read_text(encoding="utf-8")
    line = text[: text.index(case.at)].count("\n") + 1
    assert (fault.file.name, fault.line, fault.nearest) == (case.file, line, case.nearest)
    assert case.message in fault.message


def test_a_pack_read_once_is_the_same_from_the_cache(diving: Callable[..., Path]) -> None:
    folder = diving()
    first, second = load_folder(folder), load_folder(folder)
    assert first is not second
    assert (first.charts, first.head, first.procedures) == (
        second.charts, second.head, second.procedures,
    )  # fmt: skip
    assert list(first.charts) == ["bites", "fish"]
