"""``explain``: the steps of a value, or why something is allowed or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, Optional

import typer

from charforge.character.holdings import holding_answers
from charforge.character.state import CHARACTER, Holding, State, Unit, find_unit, units_named
from charforge.character.values import Values
from charforge.cli import console, terminal
from charforge.cli.completion import complete_things
from charforge.cli.console import FrontEnd, front_end_of, print_json
from charforge.cli.options import AsJson, AtLevel, CharacterFile, UnitOption, verb
from charforge.describe import entities, formulas
from charforge.describe.differences import difference_lines
from charforge.describe.held_entities import HeldEntity
from charforge.export import show_json
from charforge.expressions.template import NO_BREAK, true_minus
from charforge.json_model import JsonModel
from charforge.language import N_, _, with_colon
from charforge.procedures import inputs
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.replay.replay import Character
from charforge.rules.models import Chart, Entity, Pool
from charforge.rules.ruleset import Ruleset
from charforge.sheet import attacks, holdings
from charforge.sheet.values import (
    decision_source,
    fact_lines,
    labelled_figures,
    shared_value_lines,
    source_text,
    step_amount,
    value_lines,
)
from charforge.usecases.preview import condition_differences, preview_entity
from charforge.verbs import inventory
from charforge.verbs.history import history_chapters
from charforge.verbs.lookup import explain_legality
from charforge.verbs.manual_changes import holder_types
from charforge.verbs.subjects import (
    CHART,
    DecisionSubject,
    EntitySubject,
    FactSubject,
    HoldingsSubject,
    SharedSubject,
    Subject,
    ValueSubject,
    find_entity_id,
    find_subject_of,
)

app = typer.Typer(add_completion=False)

IF_TAKEN = N_("If you took it now:")


@app.command(
    "explain",
    cls=verb(
        "FILE max_hp",
        "FILE system/focus-ii",
        "FILE max_hp --unit asset.companion",
        "FILE mind thrust",
        "FILE level.2.hp",
        "FILE max_hp --json",
    ),
)
def explain(
    ctx: typer.Context,
    file: CharacterFile,
    what: Annotated[
        Optional[str],
        typer.Argument(
            metavar="[THING]",
            autocompletion=complete_things,
            help=N_("A number, a choice, or anything in the catalog."),
        ),
    ] = None,
    unit: UnitOption = None,
    at_level: AtLevel = None,
    as_json: AsJson = False,
) -> None:
    """Explain a number step by step, or why something is allowed.

    Something that the character has is described with its own numbers; you
    can use the name that you gave it. A chart of the rules is printed with the
    numbers of the unit. Values of the crew or ship are named as in formulas or
    as on the sheet. If a value and a chart have the same name, the name
    means the value and chart/NAME the chart. A decision, by its id as shown in
    history, is explained by its answer and the consequences.
    """
    loaded, front_end = load_character(file, at_level=at_level), front_end_of(ctx)
    state = loaded.character.state
    chosen, subject = find_unit(state, unit), None
    if what is not None:
        chosen, subject = find_subject_of(loaded, unit, what)
        unit = unit or (None if chosen.id == CHARACTER else chosen.id)
    if as_json:
        print_json(
            _all_values_json(loaded.character, chosen)
            if subject is None
            else _explanation_json(loaded, unit, subject)
        )
        return
    if what is None or subject is None:
        for number, name in enumerate(state.values(chosen.id).shown_ids()):
            if number:
                console.print_result("")
            _print_lines(_marked_value_lines(loaded.character, chosen, name))
        return
    _print_subject(front_end, loaded, chosen, subject, unit, file)
    if isinstance(subject, ValueSubject | FactSubject):
        _print_namesakes(front_end, loaded.ruleset, what, file)


def _print_subject(
    front_end: FrontEnd,
    loaded: LoadedCharacter,
    unit: Unit,
    subject: Subject,
    unit_id: str | None,
    file: Path,
) -> None:
    """Print the explanation of a subject for a unit; ``unit_id`` is None for things of any unit."""
    character, values = loaded.character, loaded.character.state.values(unit.id)
    match subject:
        case ValueSubject(id):
            _print_lines(_marked_value_lines(character, unit, id))
            _print_lines(fact_lines(character, unit, loaded.ruleset.values[id].label))
        case FactSubject(label):
            _print_lines(fact_lines(character, unit, label))
        case SharedSubject(id):
            _print_lines(shared_value_lines(character.state, id))
        case Chart():
            _print_chart(subject, values)
        case Pool():
            _print_pool(subject, values)
        case EntitySubject(id):
            _print_entity(front_end, loaded, id, unit_id, file)
        case DecisionSubject(id):
            _print_decision(character, id)
        case HoldingsSubject(held):
            _print_holdings(loaded, held)


def _marked_value_lines(character: Character, unit: Unit, name: str) -> Iterator[str]:
    """Yield the steps of a value, and what packs changed in it or in what they come from."""
    yield from value_lines(character, unit, name)
    if character.state.ruleset.packs:
        yield from terminal.rules.value_mark_lines(character.state.values(unit.id), name)


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        console.print_result(line)


def _print_namesakes(front_end: FrontEnd, ruleset: Ruleset, named: str, file: Path) -> None:
    """Print how to ask for a chart or an entity that has the same name as a value."""
    chart = ruleset.chart_named(named)
    if chart is not None:
        command = front_end.command_line(["explain", str(file), f"{CHART}{chart.id}"])
        console.say(_("A chart has the same name: {command}").format(command=command))
    entity = ruleset.entities.get(find_entity_id(ruleset, named))
    if entity is not None:
        kind, origin = ruleset.kinds[entity.kind].label, ruleset.origins.get(entity.id)
        pack = ["--pack", origin] if origin else []
        command = front_end.command_line(["catalog", "show", f"{ruleset.id}:{entity.id}", *pack])
        console.say(
            _("The rules also have {name} ({kind}): {command}").format(
                name=entity.name, kind=kind, command=command
            )
        )


def _print_chart(chart: Chart, values: Values) -> None:
    """Print a chart of the rules with the numbers of a unit."""
    console.print_result(chart.label)
    terminal.screen.rich_console().print(
        terminal.sheet.chart_table(holdings.chart(chart, values)), markup=False
    )


def _print_pool(pool: Pool, values: Values) -> None:
    """Print how many dice of each kind a unit has in a pool, and why."""
    ruleset = values.ruleset
    counted = inputs.dice_counts(pool.dice, values.evaluate_now)
    console.print_result(pool.label)
    for name, formula in pool.dice.items():
        die = ruleset.symbol_dice[name]
        number = counted.get(name, 0)
        note = formulas.formula_text(formula.text, ruleset)
        console.print_result(f"  {die.label or die.id} {number}  [{note}]")


def _print_decision(character: Character, name: str) -> None:
    """Print a decision with its answer and consequences."""
    decision = character.decision(name)
    if decision is None:
        console.print_result(
            _("{label} no longer has any effect").format(label=character.label(name))
        )
        return
    state, question = character.state, decision.title()
    answered = name in state.answers
    answer_text = decision.answer_text(state.answers[name]) if answered else _("not answered yet")
    console.print_result(f"{with_colon(question)} {answer_text}")
    console.print_result(f"  {decision_source(character, decision)}")
    for problem in character.problems:
        if problem.decision == name:
            console.print_result(_("  broken: {message}").format(message=problem.message))
    for override in character.overridden:
        if override.decision == name:
            by = _("allowed by {by}: {reason}").format(
                by=override.override.by, reason=override.override.reason
            )
            console.print_result(f"  {'; '.join(override.reasons)} ({by})")
    for line in _consequences(character, name, answer_text):
        console.print_result(f"  {line}")


def _consequences(character: Character, name: str, answer_text: str) -> Iterator[str]:
    """Yield the values and holdings that come from a decision, except those in its answer."""
    state = character.state
    yield from _steps_from(state, state.units, name)
    gained = [holding.name for holding in state.holdings if holding.origin == name]
    other_names = ", ".join(name for name in gained if name not in answer_text)
    if other_names:
        yield _("also gives {other_names}").format(other_names=other_names)


def _steps_from(state: State, units: Iterable[Unit], source: str) -> Iterator[str]:
    """Yield the steps of the values of units that come from a decision or an entity."""
    for unit in units:
        values = state.values(unit.id)
        owner = f"{unit.title}: " if unit.name else ""
        for value in map(values.explain, values.shown_ids()):
            for step in value.steps:
                if step.source == source and step.note:
                    note = true_minus(formulas.note_text(step.note, state.ruleset))
                    yield f"{owner}{value.label} {step_amount(step)}  [{note}]"


def _print_holdings(loaded: LoadedCharacter, held: Sequence[Holding]) -> None:
    acquired = _acquired(loaded, {holding.id for holding in held if holding.id == holding.origin})
    for holding in held:
        _print_holding(loaded.character, holding, acquired.get(holding.id, ""))


def _print_holding(character: Character, holding: Holding, acquired: str) -> None:
    """Print a holding: owner, origin, numbers, and its text with the answers of its choices.

    ``acquired`` says when it was bought or given, and is empty for any other.
    """
    state = character.state
    owner = state.unit(holding.unit).title
    whose = _("{owner} has it").format(owner=owner) if owner else _("you have it")
    console.print_result(
        f"{holding.name}: {whose} ({acquired})"
        if acquired
        else _("{name}: {whose}, from {origin}").format(
            name=holding.name, whose=whose, origin=_origin(character, holding)
        )
    )
    figures = " \N{MIDDLE DOT} ".join(HeldEntity.of(state, holding).figures())
    if figures:
        console.print_result(f"  {figures.replace(NO_BREAK, ' ')}")
    _print_attacks(HeldEntity.of(state, holding))
    _print_text(holding.entity, state.ruleset, holding_answers(state, holding))


def _acquired(loaded: LoadedCharacter, ids: set[str]) -> dict[str, str]:
    """Return when holdings were bought or given, as ``history`` has it, by their ids."""
    return {
        name: _("{chapter}, entry {number}: {text}").format(
            chapter=chapter.label, number=entry.event.group, text=entry.text
        )
        for chapter in (history_chapters(loaded) if ids else ())
        for entry in chapter.events
        if (name := f"event.{entry.event.n}") in ids
    }


def _origin(character: Character, holding: Holding) -> str:
    """Return what a holding comes from, and at which level."""
    state = character.state
    level = state.ruleset.head.advancement.text(holding.level)
    at_level = f" ({level})" if level else ""
    decision, giver = character.decision(holding.origin), state.holding(holding.origin)
    if decision is not None:
        return f"“{decision.title()}”{at_level}"
    if giver is not None and giver is not holding:
        return f"{giver.name}{at_level}"
    entity = state.ruleset.entities.get(holding.origin)
    return f"{entity.name}{at_level}" if entity is not None else level or _("creation")


def _print_attacks(held: HeldEntity) -> None:
    """Print the roll and the damage of each attack of a holding, step by step."""
    for attack in attacks.attack_steps(held):
        if attack.roll:
            console.print_result(
                _("  {name}: roll {roll}").format(name=attack.name, roll=attack.roll)
            )
            _print_rows(attack.steps)
            _print_situations(attack.roll_situations)
        formula = f"  [{attack.formula}]" if attack.formula.strip("()") not in attack.damage else ""
        console.print_result(
            _("  {name}: damage {damage}{formula}").format(
                name=attack.name, damage=attack.damage, formula=formula
            )
        )
        _print_situations(attack.damage_situations)


def _print_situations(rows: Sequence[tuple[str, str]]) -> None:
    """Print what can count in some situations, marked as not counted."""
    if rows:
        console.print_result(_("    only in some situations, not counted above:"))
        _print_rows(rows, "      ")


def _print_rows(rows: Sequence[tuple[str, str]], indent: str = "    ") -> None:
    width = max(len(amount) for amount, _label in rows)
    for amount, label in rows:
        console.print_result(f"{indent}{amount:>{width}}  {label}")


def _print_entity(
    front_end: FrontEnd, loaded: LoadedCharacter, name: str, unit_id: str | None, file: Path
) -> None:
    """Print the holdings of an entity, its state as a condition, or whether it is allowed now.

    Of gear, print its price and how to buy it.
    """
    state = loaded.character.state
    entity, reasons = explain_legality(loaded.character, name, unit_id)
    holdings = list(_held(state, entity, unit_id))
    units = units_named(state, unit_id)
    if holdings:
        _print_holdings(loaded, holdings)
        return
    if entity.condition is not None:
        _print_condition(loaded, entity, units)
    elif not _may_be_held(state, entity):
        console.print_result(f"{entity.name} ({state.ruleset.kinds[entity.kind].label})")
    else:
        for_sale = entity.kind in state.ruleset.head.gear.kinds
        allowed = _("you do not have it, but you can buy it") if for_sale else _("you can take it")
        console.print_result(f"{entity.name}: {_('not now') if reasons else allowed}")
        for reason in reasons:
            console.print_result(f"  {reason}")
        if for_sale:
            console.print_result(f"  {_purchase_text(front_end, state, entity, file)}")
        _print_preview(loaded, entity, units)
    _print_text(entity, loaded.ruleset)


def _held(state: State, entity: Entity, unit_id: str | None) -> Iterator[Holding]:
    """Yield the holdings of an entity: all, or those of a unit, which may be a holding itself."""
    unit = None if unit_id is None else find_unit(state, unit_id)
    owner = None if unit is None else state.holder(entity, unit.id)
    for holding in state.holdings:
        if holding.entity.id == entity.id and (
            unit is None or owner == holding.unit or unit.id == state.bearer(holding)
        ):
            yield holding


def _may_be_held(state: State, entity: Entity) -> bool:
    """Return whether units can have things of its kind; nobody has a rule or a keyword."""
    return entity.kind in holder_types(state.ruleset)


def _print_condition(loaded: LoadedCharacter, entity: Entity, units: Sequence[Unit]) -> None:
    """Print which units have a condition now, and what it changes or would change."""
    state, ruleset = loaded.character.state, loaded.ruleset
    present = [found for unit in units for found in state.active_conditions(unit.id, (entity.id,))]
    for condition in present:
        owner = state.unit(condition.unit).title
        console.print_result(
            _("{name}: now").format(name=condition.label) + (f" ({owner})" if owner else "")
        )
    if not present:
        console.print_result(f"{entity.name}: {_('not now')}")
    if entity.active_when is not None:
        formula = formulas.formula_text(str(entity.active_when), ruleset)
        console.print_result("  " + _("applies while {formula}").format(formula=formula))
    if changes := _condition_changes(loaded, entity, units):
        console.print_result(_("It changes:") if present else _("If you had it:"))
        for line in changes:
            console.print_result(f"  {line}")


def _condition_changes(loaded: LoadedCharacter, entity: Entity, units: Sequence[Unit]) -> list[str]:
    """Return what a condition changes about the units that have it, else about the first one.

    One that follows from the values of a unit is the source of steps of other values.
    """
    state = loaded.character.state
    if entity.active_when is not None:
        return list(_steps_from(state, units, entity.id))
    bearers = [unit for unit in units if state.condition_amount(unit.id, entity.id)] or units[:1]
    changes = (condition_differences(loaded, entity, unit) for unit in bearers)
    return [line for each in changes for line in difference_lines(each, loaded.ruleset)]


def _print_preview(loaded: LoadedCharacter, entity: Entity, units: Sequence[Unit]) -> None:
    """Print what something that no unit has would change."""
    found = preview_entity(loaded, entity, units)
    if found is None:
        return
    preview, former = found
    console.print_result(
        _("If you took it instead of {former}:").format(former=former) if former else _(IF_TAKEN)
    )
    lines = list(preview.lines()) or [_("no number on the sheet changes")]
    gained = [name for name in preview.gained if name != entity.name]
    lines += [_("You also get: {names}").format(names=", ".join(gained))] if gained else []
    for line in lines:
        console.print_result(f"  {line}")


def _print_text(
    entity: Entity, ruleset: Ruleset, answers: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Print the rules text of an entity, with the ``answers`` to its own choices."""
    paragraphs = entities.entity_paragraphs(entity, ruleset, answers)
    terminal.rules.print_paragraphs(paragraphs, terminal.screen.rich_console())
    terminal.rules.print_marks(entity, ruleset, terminal.screen.rich_console())


def _purchase_text(front_end: FrontEnd, state: State, entity: Entity, file: Path) -> str:
    """Return the price of gear and the command that buys it."""
    prices = inventory.list_prices(entity)
    command = front_end.command_line(["buy", str(file), entity.id])
    if not prices:
        return _("No list price. At the price your GM sets: {command} --price N").format(
            command=command
        )
    each = inventory.money_text(state.ruleset, prices[0])
    if len(prices) > 1:
        each = _("{prices} to {money}").format(
            prices=prices[0], money=inventory.money_text(state.ruleset, prices[-1])
        )
    too_dear = inventory.unaffordable_reason(state, prices[0])
    return f"{each}: {command}" + (f" ({too_dear})" if too_dear else "")


class ExplainedStepJson(show_json.StepJson):
    """A step of a value, with its source in words."""

    label: str


class CombatFigureJson(JsonModel):
    """An entry of the combat strip; ``values`` are the numbers that its formulas read."""

    label: str
    text: str
    formulas: tuple[str, ...]
    values: dict[str, int]
    when: str | None
    source: str | None


class ExplainedValueJson(show_json.ValueJson):
    """A value of a unit, explained; ``figures`` are entries of the combat strip named like it."""

    kind: Literal["value"] = "value"
    id: str
    unit: str
    steps: tuple[ExplainedStepJson, ...]
    figures: tuple[CombatFigureJson, ...] = ()


class AllValuesJson(JsonModel):
    """All values of a unit, explained."""

    kind: Literal["values"] = "values"
    values: tuple[ExplainedValueJson, ...]


class FiguresJson(JsonModel):
    """The entries of the combat strip with one label."""

    kind: Literal["figure"] = "figure"
    figures: tuple[CombatFigureJson, ...]


class SharedValueJson(JsonModel):
    """A value of what the group owns; ``of`` is its name, null where its file is not known."""

    kind: Literal["shared"] = "shared"
    id: str
    label: str
    of: str | None
    value: int | None


class ChartJson(JsonModel):
    """A chart with the numbers of a unit."""

    kind: Literal["chart"] = "chart"
    id: str
    label: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class PoolJson(JsonModel):
    """A pool of dice with the numbers of a unit."""

    kind: Literal["pool"] = "pool"
    id: str
    label: str
    dice: dict[str, int]


class UnitHoldingJson(show_json.HoldingJson):
    """A holding with its unit."""

    unit: str


class HoldingsJson(JsonModel):
    """Holdings that a name means."""

    kind: Literal["holdings"] = "holdings"
    holdings: tuple[UnitHoldingJson, ...]


class ExplainedEntityJson(JsonModel):
    """An entity: what a character has of it or it would change, and whether it is allowed.

    ``allowed`` is null for what nobody chooses, such as a condition.
    """

    kind: Literal["entity"] = "entity"
    id: str
    name: str
    holdings: tuple[UnitHoldingJson, ...]
    conditions: tuple[show_json.ConditionJson, ...]
    allowed: bool | None
    reasons: tuple[str, ...]
    changes: tuple[str, ...]


class ExplainedDecisionJson(JsonModel):
    """A decision with its answer and its problems; a dormant one has only its id."""

    kind: Literal["decision"] = "decision"
    id: str
    dormant: bool
    question: str = ""
    answer: Any = None
    text: str = ""
    source: str = ""
    problems: tuple[str, ...] = ()


ExplanationJson = (
    AllValuesJson
    | ExplainedValueJson
    | FiguresJson
    | SharedValueJson
    | ChartJson
    | PoolJson
    | HoldingsJson
    | ExplainedEntityJson
    | ExplainedDecisionJson
)


def _explanation_json(
    loaded: LoadedCharacter, unit_id: str | None, subject: Subject
) -> ExplanationJson:
    """Return the explanation of a subject."""
    character = loaded.character
    owner = find_unit(character.state, unit_id)
    values = character.state.values(owner.id)
    match subject:
        case ValueSubject(id):
            label = character.state.ruleset.values[id].label
            explained = _value_json(character, owner, id)
            return explained.model_copy(update={"figures": _figures_json(values, label)})
        case FactSubject(label):
            return FiguresJson(figures=_figures_json(values, label))
        case SharedSubject(id):
            state, shared = character.state, character.state.shared
            return SharedValueJson(
                id=id,
                label=state.ruleset.shared_labels[id],
                of=None if shared is None else shared.name,
                value=None if shared is None else state.shared_figure(id),
            )
        case Chart():
            shown = holdings.chart(subject, values)
            return ChartJson(
                id=subject.id,
                label=subject.label,
                headings=(shown.key, *shown.columns),
                rows=[(row.heading, *row.cells) for row in shown.rows],
            )
        case Pool():
            dice = inputs.dice_counts(subject.dice, values.evaluate_now)
            return PoolJson(id=subject.id, label=subject.label, dice=dict(dice))
        case EntitySubject(id):
            return _entity_json(loaded, id, unit_id)
        case HoldingsSubject(held):
            return HoldingsJson(holdings=_holdings_json(character.state, held))
        case DecisionSubject(id):
            return _decision_json(character, id)


def _all_values_json(character: Character, unit: Unit) -> AllValuesJson:
    names = character.state.values(unit.id).shown_ids()
    return AllValuesJson(values=[_value_json(character, unit, name) for name in names])


def _value_json(character: Character, unit: Unit, name: str) -> ExplainedValueJson:
    """Return a value with its steps as ``show --json`` has them, with their labels."""
    value = show_json.value_json(character.state, unit, name)
    steps = [
        ExplainedStepJson(**step.model_dump(), label=source_text(character, step.source))
        for step in value.steps
    ]
    return ExplainedValueJson(**{**dict(value), "steps": steps}, id=name, unit=unit.id)


def _figures_json(values: Values, label: str) -> tuple[CombatFigureJson, ...]:
    """Return the entries of the combat strip with a label."""
    return tuple(
        CombatFigureJson(
            label=figure.fact.label,
            text=figure.fact.text.replace(NO_BREAK, " "),
            formulas=figure.formulas,
            values={name: values.now(name) for name in figure.reads},
            when=figure.when or None,
            source=figure.source or None,
        )
        for figure in labelled_figures(values, label)
    )


def _holdings_json(state: State, holdings: Iterable[Holding]) -> tuple[UnitHoldingJson, ...]:
    wanted = {holding.id for holding in holdings}
    return tuple(
        UnitHoldingJson(**dict(part), unit=unit.id)
        for unit in state.units
        for part in show_json.holdings(state, unit)
        if part.instance in wanted
    )


def _entity_json(loaded: LoadedCharacter, name: str, unit_id: str | None) -> ExplainedEntityJson:
    """Return what a character has of an entity, or what it would change, and whether it may."""
    character, state = loaded.character, loaded.character.state
    entity, reasons = explain_legality(character, name, unit_id)
    units = units_named(state, unit_id)
    held = list(_held(state, entity, unit_id))
    conditions = [part for part in show_json.conditions(state, *units) if part.id == entity.id]
    choosable = entity.condition is None and _may_be_held(state, entity)
    return ExplainedEntityJson(
        id=entity.id,
        name=entity.name,
        holdings=_holdings_json(state, held),
        conditions=conditions,
        allowed=not reasons if choosable else None,
        reasons=reasons if choosable else (),
        changes=() if held else tuple(_entity_changes(loaded, entity, units)),
    )


def _entity_changes(
    loaded: LoadedCharacter, entity: Entity, units: Sequence[Unit]
) -> Iterator[str]:
    """Yield what an entity would change if a unit had it, or changes as a condition."""
    if entity.condition is not None:
        yield from _condition_changes(loaded, entity, units)
    elif found := preview_entity(loaded, entity, units):
        yield from found[0].lines()


def _decision_json(character: Character, name: str) -> ExplainedDecisionJson:
    """Return a decision with its answer and what the rules say about it."""
    decision, answers = character.decision(name), character.state.answers
    if decision is None:
        return ExplainedDecisionJson(id=name, dormant=True)
    answered = name in answers
    return ExplainedDecisionJson(
        id=name,
        dormant=False,
        question=decision.title(),
        answer=answers[name] if answered else None,
        text=decision.answer_text(answers[name]) if answered else "",
        source=source_text(character, name),
        problems=[p.message for p in character.problems if p.decision == name],
    )
