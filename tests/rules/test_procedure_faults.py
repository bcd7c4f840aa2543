"""A faulty procedure: each wrong name or shape is named with its line and the nearest right name.

Every case is the harbour pack with one edit. ``at`` is a text that stands, for the first time, on
the line that must be reported.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.rules.loader import load_folder
from tests.rules.faulty import Case, faults_of

HEAD, THINGS, STEPS = "ruleset.yaml", "things.yaml", "procedures.yaml"

NAMES = {
    "a figure": Case(
        STEPS,
        "to: own + score,",
        "to: own + scor,",
        "own + scor,",
        "no value is named 'scor'",
        "score",
    ),
    "a figure of a later procedure": Case(
        STEPS,
        "by: amount, id: regained",
        "by: amout, id: regained",
        "amout",
        "named 'amout'",
        "amount",
    ),
    "a figure in a text": Case(
        STEPS, "{total} against", "{totl} against", "{totl}", "no value is named 'totl'", "total"
    ),
    "an input in a text": Case(
        STEPS,
        "{$attribute}",
        "{$atribute}",
        "{$atribute}",
        "no input of this procedure is named",
        "attribute",
    ),
    "an input as a value": Case(
        STEPS,
        "value: $attribute",
        "value: $atribute",
        "value: $atribute",
        "no input of this procedure is named 'atribute'",
        "attribute",
    ),
    "an input whose dice are rolled": Case(
        STEPS, "figure: shots", "figure: shot_s", "shot_s", "no input is named 'shot_s'", "shots"
    ),
    "a value": Case(
        STEPS,
        "value: vigour, by: amount,",
        "value: vigor, by: amount,",
        "vigor,",
        "no value is named 'vigor'",
        "vigour",
    ),
    "a condition": Case(
        STEPS,
        "condition: state/bleeding",
        "condition: state/bleding",
        "state/bleding",
        "no entity is named 'state/bleding'",
        "state/bleeding",
    ),
    "a moment": Case(
        STEPS, "moment: bell", "moment: bel", "moment: bel", "no moment is named 'bel'", "bell"
    ),
    "a moment of a condition": Case(
        THINGS,
        "until: [dawn]",
        "until: [down]",
        "until: [down]",
        "no moment is named 'down'",
        "dawn",
    ),
    "a procedure that is called": Case(
        STEPS,
        "procedure: test,",
        "procedure: tests,",
        "procedure: tests",
        "no procedure is named 'tests'",
        "test",
    ),
    "an input that is given": Case(
        STEPS, "vs: weight + 4", "vss: weight + 4", "vss:", "no input of test is named 'vss'", "vs"
    ),
    "our own input that is handed on": Case(
        STEPS,
        "attribute: $what",
        "attribute: $wat",
        "$wat",
        "no input of this procedure is named 'wat'",
        "what",
    ),
    "a figure that is handed on": Case(
        STEPS, "vs: weight + 4", "vs: wait + 4", "wait + 4", "no value is named 'wait'", "wit"
    ),
    "a result that is taken": Case(
        STEPS,
        "take: {lifted: won}",
        "take: {lifted: wun}",
        "wun",
        "no result of test is named 'wun'",
        "won",
    ),
    "an output": Case(
        STEPS,
        "{id: regained, label",
        "{id: regaind, label",
        "{id: regaind",
        "no variable is named 'regaind'",
        "regained",
    ),
    "a roll that is taken anew": Case(
        STEPS,
        "{do: let, id: total, to: own",
        "{do: reroll, id: won}\n      - {do: let, id: total, to: own",
        "{do: reroll",
        "no roll of this procedure is named 'won'",
        "own",
    ),
    "a figure's roll that is taken anew": Case(
        STEPS,
        "{do: let, id: margin,",
        "{do: reroll, id: shot}\n      - {do: let, id: margin,",
        "{do: reroll",
        "no roll of this procedure is named 'shot'",
    ),
    "a table rule": Case(
        STEPS,
        "ruled: {tide: ebb}",
        "ruled: {tied: ebb}",
        "tied: ebb",
        "no table rule is named 'tied'",
        "tide",
    ),
    "a way to rule": Case(
        STEPS,
        "ruled: {tide: ebb}",
        "ruled: {tide: eb}",
        "tide: eb}",
        "no way to rule tide is named 'eb'",
        "ebb",
    ),
    "a way to rule a number that is chosen": Case(
        STEPS,
        "label: Luck to spend,",
        "label: Luck to spend, ruled: {tide: flood},",
        "flood",
        "no way to rule tide is named 'flood'",
        "flow",
    ),
    "a way to rule what is filled": Case(
        THINGS,
        "capacity: bolts}",
        "capacity: bolts, ruled: {tide: ebbs}}",
        "ebbs",
        "no way to rule tide is named 'ebbs'",
        "ebb",
    ),
    "a unit type": Case(
        STEPS,
        "{do: pass, moment: bell}",
        "{do: pass, moment: bell, units: dok}",
        "units: dok",
        "no unit type is named 'dok'",
        "dog",
    ),
    "a group": Case(
        STEPS,
        "{id: attribute, label: Of what, type: value, group: scores}",
        "{id: attribute, label: Of what, type: value, group: score}",
        "group: score}",
        "no group is named 'score'",
        "scores",
    ),
    "a default": Case(
        STEPS, "default: 8}", "default: lucc}", "lucc", "no value is named 'lucc'", "luck"
    ),
    "a bound that reads another input": Case(
        STEPS,
        "{id: vs, label: Against, default: 8}",
        "{id: vs, label: Against, default: 8, maximum: attribute}",
        "maximum: attribute",
        "no value is named 'attribute'",
    ),
    "a source": Case(
        STEPS,
        "{do: put, condition: state/bleeding,",
        "{do: put, source: rule/wrok, condition: state/bleeding,",
        "rule/wrok",
        "no entity is named 'rule/wrok'",
        "rule/work",
    ),
    "whom an input is about": Case(
        STEPS,
        "{do: put, condition: state/bleeding,",
        "{do: put, about: $tipe, condition: state/bleeding,",
        "$tipe",
        "no input of this procedure is named 'tipe'",
        "type",
    ),
    "what an action restores": Case(
        THINGS,
        "capacity: bolts}",
        "capacity: bolt}",
        "capacity: bolt}",
        "no capacity of this entity is named 'bolt'",
        "bolts",
    ),
    "a figure of an action": Case(
        THINGS, "by: many}", "by: meny}", "meny", "no value is named 'meny'", "many"
    ),
    "what makes an action free": Case(
        THINGS, "free: deep\n", "free: deap\n", "free: deap", "no value is named 'deap'", "deep"
    ),
    "an entity that a figure asks after": Case(
        STEPS,
        "to: total >= vs,",
        "to: total >= vs + has('state/soked'),",
        "soked",
        "no entity is named 'state/soked'",
        "state/soaked",
    ),
    "what a condition counts up to": Case(
        THINGS, "most: level + 3", "most: levle + 3", "levle", "no value is named 'levle'", "level"
    ),
    "when a condition is derived": Case(
        THINGS,
        "active_when: vigour == 0",
        "active_when: vigor == 0",
        "vigor ==",
        "no value is named 'vigor'",
        "vigour",
    ),
    "what a fitting's bearer is": Case(
        THINGS,
        "{bearer: {ids: boat/barge}}",
        "{bearer: {ids: boat/large}}",
        "boat/large",
        "no entity is named 'boat/large'",
        "boat/barge",
    ),
    "the procedure that serves a command": Case(
        HEAD,
        "damage: hurt",
        "damage: hurts",
        "damage: hurts",
        "no procedure is named 'hurts'",
        "hurt",
    ),
    "the procedure of a rest": Case(
        HEAD,
        "rests: {nap: nap}",
        "rests: {nap: naap}",
        "naap",
        "no procedure is named 'naap'",
        "nap",
    ),
    "what doing without Training costs": Case(
        HEAD,
        "untrained: {luck: 1}",
        "untrained: {lack: 1}",
        "lack",
        "no value is named 'lack'",
        "luck",
    ),
    "what a session shows": Case(
        HEAD,
        "line: [vigour, luck]",
        "line: [vigour, luk]",
        "luk",
        "no value is named 'luk'",
        "luck",
    ),
    "money": Case(
        HEAD, "money: coins", "money: coin", "money: coin", "no value is named 'coin'", "coins"
    ),
    "how many hands an item takes": Case(
        HEAD, "takes: 1 + long", "takes: 1 + lang", "1 + lang", "no value is named 'lang'", "long"
    ),
    "what makes an item heavy": Case(
        HEAD,
        "{needs: heavy,",
        "{needs: heavi,",
        "needs: heavi",
        "no field is named 'heavi'",
        "heavy",
    ),
    "how an item is lifted": Case(
        HEAD,
        "procedure: lift,",
        "procedure: left,",
        "procedure: left",
        "no procedure is named 'left'",
        "lift",
    ),
    "what hangs on the body": Case(
        HEAD,
        "attached: [knack/hook-hand]",
        "attached: [knack/hook-hnad]",
        "hook-hnad",
        "no entity is named 'knack/hook-hnad'",
        "knack/hook-hand",
    ),
    "what a unit's level asks": Case(
        HEAD,
        "among: {kind: fitting}}",
        "among: {kind: fiting}}",
        "fiting",
        "no kind is named 'fiting'",
        "fitting",
    ),
}

SHAPES = {
    "an unknown step": Case(
        STEPS,
        "{do: pass, moment: bell}",
        "{do: passes, moment: bell}",
        "{do: passes",
        "is none of",
        "pass",
    ),
    "an unknown key of a step": Case(
        STEPS,
        "{do: pass, moment: bell}",
        "{do: pass, moment: bell, quite: true}",
        "quite",
        "unknown key",
        "quiet",
    ),
    "an unknown key of a procedure": Case(
        STEPS, "  - id: mend\n", "  - id: mend\n    txet: Rest.\n", "txet", "unknown key", "text"
    ),
    "no steps": Case(
        STEPS,
        "steps: [{do: change, value: vigour, by: amount, id: regained}]",
        "steps: []",
        "steps: []",
        "at least 1 must stand here, not 0",
    ),
    "two procedures of one id": Case(
        STEPS,
        "procedures:\n",
        "procedures:\n  - {id: nap, label: N, source: rule/work, steps: [{do: say}]}\n",
        "  - id: nap",
        "nap exists already",
    ),
    "two inputs of one id": Case(
        STEPS,
        "{id: weight, label: Weight}",
        "{id: weight, label: Weight}\n      - {id: weight, label: Twice, default: 1}",
        "label: Twice",
        "weight exists already",
    ),
    "a roll of nothing": Case(
        STEPS,
        "{do: roll, id: own, dice: 2d6, label: Your dice}\n      - {do: look_up",
        "{do: roll, id: own, label: Your dice}\n      - {do: look_up",
        "id: own, label",
        "a roll has one of 'dice', 'sides' and 'figure'",
    ),
    "dice that are none": Case(
        STEPS,
        "dice: 1d6, if: roll >= number",
        "dice: 1dcon, if: roll >= number",
        "1dcon",
        "no die is named 'con'",
        "coin",
    ),
    "a formula that is none": Case(
        STEPS,
        "to: dealt * shot,",
        "to: dealt * * shot,",
        "dealt * * shot",
        "cannot be read as arithmetic",
    ),
    "a word without options": Case(
        STEPS, "options: [blunt, sharp], ", "", "id: type", "a word has options"
    ),
    "a default that is no option": Case(
        STEPS, "default_word: blunt", "default_word: dull", "id: type", "none of the options"
    ),
    "a repeat without an end": Case(
        STEPS,
        "{while: vigour < max_vigour, at_most: 10}",
        "{while: vigour < max_vigour}",
        "while: vigour",
        "this key is missing",
    ),
    "a repeat without measure": Case(
        STEPS, "at_most: 10}", "at_most: 1001}", "1001", "at most 1000, not the number 1001"
    ),
    "a brace that stands alone": Case(
        STEPS, "against {vs}", "against {vs", "{$attribute}", "a single brace"
    ),
    "a call that leaves out what must be told": Case(
        STEPS,
        "with: {attribute: $what, vs: weight + 4}",
        "with: {vs: weight + 4}",
        "do: call",
        "the procedure 'test' must be told 'attribute'",
    ),
    "a procedure that runs itself": Case(
        STEPS,
        "{do: pass, moment: dawn}",
        "{do: call, procedure: nap}",
        "{do: call, procedure: nap}",
        "the procedure 'nap' runs itself",
    ),
}


@pytest.mark.parametrize("case", [*NAMES.values(), *SHAPES.values()], ids=[*NAMES, *SHAPES])
def test_a_fault_is_named_at_its_line(docking: Callable[..., Path], case: Case) -> None:
    folder = docking((case.file, case.old, case.new))
    assert case.found(folder) == [case.expected(folder)]


def test_every_fault_of_a_procedure_is_said_at_once(docking: Callable[..., Path]) -> None:
    found = faults_of(
        docking(
            (STEPS, "value: vigour, by: -amount,", "value: vigor, by: -amont,"),
            (STEPS, "moment: bell", "moment: bel"),
            (THINGS, "by: many}", "by: meny}"),
        )
    )
    assert [(fault.file.name, fault.nearest) for fault in found] == [
        (STEPS, "vigour"), (STEPS, "amount"), (STEPS, "bell"), (THINGS, "many"),
    ]  # fmt: skip


def test_two_procedures_that_run_each_other_are_a_circle(docking: Callable[..., Path]) -> None:
    found = faults_of(
        docking(
            (STEPS, "{do: pass, moment: dawn}", "{do: call, procedure: bell}"),
            (STEPS, "{do: pass, moment: bell}", "{do: call, procedure: nap}"),
        )
    )
    assert sorted(fault.message for fault in found) == [
        "the procedure 'bell' runs itself",
        "the procedure 'nap' runs itself",
    ]


def test_a_variable_may_be_set_anew(docking: Callable[..., Path]) -> None:
    again = "{do: let, id: lost, to: 0}\n      - {do: change, value: vigour, by: -amount, id: lost}"
    folder = docking((STEPS, "{do: change, value: vigour, by: -amount, id: lost}", again))
    assert len(load_folder(folder).procedure("hurt").steps) == 3


def test_the_variables_of_one_procedure_are_no_figures_of_another(
    docking: Callable[..., Path],
) -> None:
    found = faults_of(docking((STEPS, "by: 1 + bet", "by: 1 + margin")))
    assert [fault.message for fault in found] == ["no value is named 'margin'"]
