"""How numbers came about, in lines: the steps of a value, the parts of a figure of the strip."""

from __future__ import annotations

from collections.abc import Container, Iterator

from charforge.character.state import State, Unit
from charforge.character.values import ValueStep
from charforge.describe import formulas
from charforge.expressions.formula import Formula
from charforge.expressions.template import NO_BREAK, number_text, true_minus
from charforge.language import N_, _
from charforge.replay.replay import Character
from charforge.replay.shared_unit import NAME_SHARED_FILE
from charforge.sheet.values import combat_figures, source_text

OPERATIONS = {
    "at_least": N_("at least "),
    "at_most": N_("at most "),
    "multiply": "× ",
    "set": "",
    "add": "",
}


def value_lines(character: Character, unit: Unit, name: str) -> Iterator[str]:
    """Yield a value of a unit with its title, then each step with its source."""
    ruleset, values = character.state.ruleset, character.state.values(unit.id)
    value = values.explain(name)
    now = _(" (now {figure})").format(figure=ruleset.figure_text(value.id, value.total))
    current = "" if value.total == value.base else now
    owner = f"{unit.title}: " if unit.name else ""
    title = ruleset.values[value.id].title
    way = ruleset.way_to_roll(value.id)
    targets = "" if way is None else way.targets_text(value.total)
    figure = f"{values.figure_text(value.id, value.base)}{current}"
    yield f"{owner}{title}: {', '.join(filter(None, (figure, targets)))}"
    width = max((len(step_amount(step)) for step in value.steps), default=0)
    for step in value.steps:
        note = f"  [{formulas.note_text(step.note, ruleset)}]" if step.note else ""
        origin = source_text(character, step.source)
        total = number_text(step.total)
        yield f"  {step_amount(step):>{width}}  = {total:<4} {origin}{true_minus(note)}"
    read = (part.names for step in value.steps for part in step.note if isinstance(part, Formula))
    yield from _shared_lines(character.state, {name for names in read for name in names})


def _shared_lines(state: State, names: Container[str]) -> Iterator[str]:
    """Yield the values that are read from what the group owns, and which crew or ship it is."""
    known = state.ruleset.shared_labels
    read = [f"{known[name]} {state.shared_figure(name)}" for name in known if name in names]
    if read and state.shared is not None:
        text = " \N{MIDDLE DOT} ".join(map(true_minus, read))
        yield f"  {state.shared.name}: {text}"


def shared_value_lines(state: State, name: str) -> Iterator[str]:
    """Yield a value of what the group owns, and whose it is."""
    ruleset, shared = state.ruleset, state.shared
    label = ruleset.value_label(name)
    if shared is None:
        yield f"{label}: {_('not known here')}"
        yield f"  {_(NAME_SHARED_FILE)}"
        return
    yield f"{label}: {number_text(state.shared_figure(name))}"
    yield "  " + _("read from {name}").format(name=shared.name)


def step_amount(step: ValueStep) -> str:
    """Return what a step does to a value: ``+2``, ``at least 1``."""
    sign = "+" if step.op == "add" and step.amount >= 0 else ""
    return true_minus(f"{_(OPERATIONS[step.op])}{sign}{step.amount}")


def fact_lines(character: Character, unit: Unit, label: str) -> Iterator[str]:
    """Yield the entries of the combat strip with a label, and what they are made of."""
    ruleset = character.state.ruleset
    values = character.state.values(unit.id)
    for figure in combat_figures(values, label):
        text = figure.fact.text.replace(NO_BREAK, " ")
        yield f"{figure.fact.label}: {text}"
        wide = max((len(amount) for amount, _formula in figure.steps), default=0)
        for amount, formula in figure.steps:
            note = f"   [{formulas.formula_text(formula, ruleset)}]" if formula else ""
            yield f"  {amount:>{wide}}{note}"
        read = (
            f"{ruleset.values[name].label} {values.figure_text(name, values.now(name))}"
            for name in figure.reads
        )
        if line := " \N{MIDDLE DOT} ".join(read):
            yield f"  {line}"
        for text, when in ((figure.fact.text, figure.when), *figure.others):
            if when:
                case = _("{text} when: {when}").format(
                    text=text.replace(NO_BREAK, " "), when=formulas.formula_text(when, ruleset)
                )
                yield f"  {case}"
        if figure.source:
            yield f"  {source_text(character, figure.source)}"
