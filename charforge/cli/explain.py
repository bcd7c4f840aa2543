"""``explain``: every step of a number, or why something can or cannot be taken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.character.holdings import holding_answers
from charforge.character.state import Holding, Unit
from charforge.character.values import ExplainedValue, Values, ValueStep
from charforge.cli import console
from charforge.cli.console import quoted
from charforge.cli.options import AtLevel, CharacterFile, Command
from charforge.describe import entities
from charforge.errors import UnknownId
from charforge.expressions.template import NO_BREAK, true_minus
from charforge.procedures import pools
from charforge.replay.loaded import load_character
from charforge.replay.replay import Character
from charforge.rules.ruleset import Ruleset
from charforge.sheet import lists
from charforge.sheet.audit import source_text, with_labels
from charforge.sheet.bearer import Bearer
from charforge.usecases.lookup import exact_matches, explain_legality, find_unit

app = typer.Typer(add_completion=False)

CHART = "chart/"  # before the id of a chart that has the name of something else
WORDS = {"at_least": "at least ", "at_most": "at most ", "multiply": "× ", "set": "", "add": ""}


@app.command("explain", cls=Command)
def explain(
    file: CharacterFile,
    what: Annotated[
        Optional[str],
        typer.Argument(
            metavar="[VALUE|ID]", help="A value, a decision or anything of the catalog."
        ),
    ] = None,
    unit: Annotated[
        Optional[str],
        typer.Option("--unit", metavar="U", help="A companion or vehicle of the character."),
    ] = None,
    at_level: AtLevel = None,
) -> None:
    """Explain a number step by step, or why something is (not) allowed.

    Something that the character has is described with its own numbers; you
    can use the name that you gave it. A chart of the rules is printed with the
    numbers of the unit. If a value and a chart have the same name, the name
    means the value and chart/NAME the chart. A decision, by its id as shown in
    history, is explained by its answer and the consequences.

    \b
    Examples:
      charforge explain nix.json max_hp
      charforge explain nix.json system/focus-ii
      charforge explain nix.json max_hp --unit asset.companion
      charforge explain kaia.json "Mind thrust"
      charforge explain nix.json level.2.hp
    """
    opened = load_character(file, at_level=at_level)
    state = opened.character.state
    chosen = find_unit(state, unit)
    values = state.values(chosen.id)
    if what is None:
        for number, name in enumerate(values.ids()):
            if number:
                console.result("")
            _say_value(opened.character, values.explain(name), chosen)
        return
    value = opened.ruleset.value_named(what)
    if value is not None and value.id in values:
        _say_value(opened.character, values.explain(value.id), chosen)
        _say_namesakes(opened.ruleset, what, file)
        return
    if _say_printed(values, what):
        return
    entity = what if value is not None else _entity_meant(opened.ruleset, what)
    if "/" in entity:
        _say_why(opened.character, entity, unit)
        return
    candidates = [h for h in state.holdings if unit is None or h.unit == chosen.id]
    called = exact_matches(candidates, what, lambda holding: (holding.id, holding.name))
    for holding in called:
        _say_held(opened.character, holding)
    if not called and not _say_decision(opened.character, what):
        known = [*values.ids(), *(h.name for h in candidates if h.entity.titled)]
        known += (decision.id for decision in opened.character.asked)
        owner = chosen.name or opened.document.name
        raise UnknownId(f"value or decision of {owner}", what, known)


def _say_namesakes(ruleset: Ruleset, named: str, file: Path) -> None:
    """Say how to ask for what has the name of a value."""
    chart = ruleset.chart_named(named)
    if chart is not None:
        command = f"explain {quoted(file)} {CHART}{chart.id}"
        console.say(f"A chart is called so, too: charforge {command}")
    entity = ruleset.entities.get(_entity_meant(ruleset, named))
    if entity is not None:
        kind, origin = ruleset.kinds[entity.kind].label, ruleset.origins.get(entity.id)
        pack = f" --pack {origin}" if origin else ""
        command = f"catalog show {ruleset.id}:{entity.id}{pack}"
        console.say(f"Something else is called so, too ({kind}): charforge {command}")


def _say_printed(values: Values, named: str) -> bool:
    """Print the chart or the pool of a unit that is meant, if one is; whether it was."""
    # Here, because only this output needs rich, which takes long to import.
    from charforge.cli import terminal_sheet

    ruleset = values.ruleset
    chart = ruleset.chart_named(named.removeprefix(CHART))
    if chart is not None:
        console.result(chart.label)
        console.results().print(terminal_sheet.chart(lists.chart(chart, values)), markup=False)
        return True
    if named.startswith(CHART):
        name = named.removeprefix(CHART)
        raise UnknownId(f"chart of {ruleset.head.name}", name, ruleset.charts)
    for pool in values.unit.type.pools:
        if named.casefold() in (pool.id, pool.label.casefold()):
            counted = pools.counts(pool.dice, values.evaluate_now)
            console.result(pool.label)
            for name, formula in pool.dice.items():
                die = ruleset.symbol_dice[name]
                number = counted.get(name, 0)
                note = with_labels(formula.text, ruleset)
                console.result(f"  {die.label or die.id} {number}  [{note}]")
            return True
    return False


def _say_decision(character: Character, name: str) -> bool:
    """Tell a decision: its question, its answer and what came of it; whether it is one."""
    decision = character.decision(name)
    if decision is None:
        if name in character.dormant:
            console.result(f"{name} has no effect any more")
        return name in character.dormant
    state, asked = character.state, decision.title()
    answered = name in state.answers
    said = decision.answer_text(state.answers[name]) if answered else "not answered yet"
    console.result(f"{asked} {said}" if asked.endswith("?") else f"{asked}: {said}")
    console.result(f"  {source_text(character, name)}")
    for problem in character.problems:
        if problem.decision == name:
            console.result(f"  broken: {problem.message}")
    for found in character.overridden:
        if found.decision == name:
            by = f"allowed by {found.override.by}: {found.override.reason}"
            console.result(f"  {'; '.join(found.reasons)} ({by})")
    for line in _came_of(character, name, said):
        console.result(f"  {line}")
    return True


def _came_of(character: Character, name: str, said: str) -> Iterator[str]:
    """Yield how a decision made figures, and what came with it beyond what it ``said``."""
    state = character.state
    for unit in state.units:
        values = state.values(unit.id)
        whose = f"{unit.title}: " if unit.name else ""
        for value in map(values.explain, values.ids()):
            for step in value.steps:
                if step.source == name and step.note:
                    note = true_minus(with_labels(step.note, state.ruleset))
                    yield f"{whose}{value.label} {_amount(step)}  [{note}]"
    gained = (one.name for one in state.holdings if one.origin == name)
    brings = ", ".join(one for one in gained if one not in said)
    if brings:
        yield f"brings {brings}"


def _say_value(character: Character, value: ExplainedValue, unit: Unit) -> None:
    ruleset = character.state.ruleset
    said = ruleset.figure_text
    now = "" if value.total == value.base else f" (now {said(value.id, value.total)})"
    whose = f"{unit.title}: " if unit.name else ""
    title = ruleset.values[value.id].title
    console.result(f"{whose}{title}: {said(value.id, value.base)}{now}")
    width = max((len(_amount(step)) for step in value.steps), default=0)
    for step in value.steps:
        note = f"  [{with_labels(step.note, ruleset)}]" if step.note else ""
        origin = source_text(character, step.source)
        total = true_minus(str(step.total))
        console.result(f"  {_amount(step):>{width}}  = {total:<4} {origin}{true_minus(note)}")


def _amount(step: ValueStep) -> str:
    sign = "+" if step.op == "add" and step.amount >= 0 else ""
    return true_minus(f"{WORDS[step.op]}{sign}{step.amount}")


def _entity_meant(ruleset: Ruleset, named: str) -> str:
    """Return the id that a player may mean by an entity's name, else by the end of its id."""
    folded = named.casefold()
    everything = ruleset.entities.values()
    found = [one.id for one in everything if one.name.casefold() == folded]
    found = found or [one.id for one in everything if one.slug == folded]
    return found[0] if len(found) == 1 else named


def _say_held(character: Character, holding: Holding) -> None:
    """Say whose something held is, where it is from, and what it is with its own answers."""
    # Here, because only this output needs rich, which takes long to import.
    from rich.padding import Padding

    from charforge.cli.catalog_entries import markup_text

    state = character.state
    owner = state.unit(holding.unit).title
    whose = f" by {owner}" if owner else ""
    told = f"held{whose}, from {holding.origin} at level {holding.level}"
    console.result(f"{holding.name}: {told}")
    figures = " \N{MIDDLE DOT} ".join(Bearer.of(state, holding).figures())
    if figures:
        console.result(f"  {figures.replace(NO_BREAK, ' ')}")
    for paragraph in entities.entity_paragraphs(
        holding.entity, state.ruleset, holding_answers(state, holding)
    ):
        console.results().print(Padding(markup_text(paragraph), (0, 0, 0, 2)))


def _say_why(character: Character, name: str, unit: str | None) -> None:
    state = character.state
    entity, reasons = explain_legality(character, name, unit)
    bearer = None if unit is None else state.holder(entity, find_unit(state, unit).id)
    held = [h for h in state.holdings if h.entity.id == entity.id and bearer in (None, h.unit)]
    for holding in held:
        _say_held(character, holding)
    under = [
        condition
        for condition in state.conditions
        if condition.entity.id == entity.id and bearer in (None, condition.unit)
    ]
    for condition in under:
        whose = state.unit(condition.unit).title
        console.result(f"{entity.name}: now" + (f" ({whose})" if whose else ""))
    if held or under:
        return
    if not reasons:
        console.result(f"{entity.name}: nothing stands against it")
    else:
        console.result(f"{entity.name}: not now")
        for reason in reasons:
            console.result(f"  {reason}")
