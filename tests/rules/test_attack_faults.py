"""What an attack tells its procedure, and what an item carries: one mistake, one fault."""

from __future__ import annotations

import pytest

from charforge.character.local_formulas import carries
from tests.rules.faulty import Case, faults_of

SHOTS = '        shots: "2"\n'
BOLTS = "{id: bolts, label: Bolts, max: 3}"
CASES = {
    "an input that the procedure of attacks has not": Case(
        "things.yaml", SHOTS, SHOTS + "        with: {crti: 2}\n", "with: {crti", "no input", "crit"
    ),
    "a formula of it that reads what there is not": Case(
        "things.yaml", SHOTS, SHOTS + "        with: {crit: wot}\n", "with: {crit", "wot", "wit"
    ),
    "room for nothing": Case(
        "things.yaml", BOLTS, BOLTS.replace("3", "0"), "max: 0", "max is at least 1"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_one_mistake_is_one_fault_at_its_line(docking, name):
    case = CASES[name]
    folder = docking((case.file, case.old, case.new))
    assert case.found(folder) == [case.expected(folder)]


def test_room_may_be_computed(refitted, docker):
    rules = refitted(("things.yaml", BOLTS, BOLTS.replace("3", "1 + arm")))
    (capacity,) = rules.entity("gear/crossbow").capacities
    # 1 + ARM 5.
    state = docker(rules=rules).character.state
    assert state.values().evaluate_now(capacity.max) == 6
    assert all(carries(state, held, capacity) == 6 * held.quantity for held in state.holdings)


MARGIN = "      - {id: crit, label: Margin, default: 0}\n"
SORT = "      - {id: type, label: Sort, type: word, options: [%s], default_word: blunt}\n"


def test_where_the_procedure_asks_for_one_of_several_words_attacks_are_of_those(docking):
    folder = docking(("procedures.yaml", MARGIN, MARGIN + SORT % "blunt"))
    text = (folder / "things.yaml").read_text(encoding="utf-8")
    lines = [text[: text.index(f"type: {what}")].count("\n") + 1 for what in ("sharp", "[blunt")]
    faults = faults_of(folder)
    assert [fault.line for fault in faults] == lines
    assert all("no word of the input 'type' is named 'sharp'" in one.message for one in faults)
