"""The numbers of a unit as a sheet shows them, and the audit of how they are calculated.

Scores, vitals, figures and stores, then dice pools, tracks and trackers.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from charforge.character.modifiers import ValueStep
from charforge.character.state import State, Unit
from charforge.character.values import PLAY, ExplainedValue, Values
from charforge.decisions.base import Decision
from charforge.describe import formulas
from charforge.describe.entities import ALLOWED, ATTACK_PARTS, field_text, section_text
from charforge.describe.formulas import note_text
from charforge.expressions import template
from charforge.expressions.formula import Formula, half_up
from charforge.expressions.template import (
    MINUS,
    NO_BREAK,
    Figure,
    number_text,
    parse_figures,
    signed_amount,
    signed_number,
    substitute,
    true_minus,
)
from charforge.language import N_, _, dice_notation
from charforge.procedures import inputs as dice_pools
from charforge.replay.loaded_character import NAME_SHARED_FILE
from charforge.replay.replay import Character
from charforge.rules.models import (
    GROUP,
    CheckSpec,
    CombatLine,
    Computed,
    DiceCounts,
    Entity,
    ListSpec,
    Modifier,
    RollWay,
    Track,
    TrackerSpec,
    TrackStep,
    Vital,
)
from charforge.rules.models.entities import LEVEL
from charforge.rules.names import spellings
from charforge.rules.ruleset import Ruleset
from charforge.sheet import view

OWNERS = "owner."
COUNTERS = N_("Counters")


def attributes(values: Values, key: Container[str]) -> tuple[view.Attribute, ...]:
    """Return the attributes of a unit; ``key`` holds the ids of the important ones."""
    ruleset = values.ruleset
    return tuple(
        _attribute(values, name, name in key)
        for name in ruleset.group(ruleset.head.sheet.attributes)
        if values.is_shown(name)
    )


def _attribute(values: Values, name: str, key: bool) -> view.Attribute:
    """Return an attribute; its roll is that of the value itself, or else of its modifier."""
    ruleset = values.ruleset
    score, value = values.explain(name), ruleset.values[name]
    modifier, way = values.modifier_text(name), ruleset.way_to_roll(name)
    before, unit = (value.before, "") if way is None else way.around(score.total)
    without_dice = "" if way is None else way.without_dice
    full = values.full_score(name)
    other = score.base if full is None else full
    return view.Attribute(
        id=name,
        label=value.label,
        name=value.name,
        base=score.base,
        total=score.total,
        key=key,
        before="" if without_dice and score.total < 1 else before,
        after=allowed_mark(values, name),
        check=value_check(values, name),
        signed=value.signed,
        modifier=modifier,
        full=full,
        tracker_key=view.tracker_key(values.unit.id, name),
        unit=unit,
        other_unit="" if way is None else way.around(other)[1],
        targets="" if way is None else way.targets_text(score.total),
        without_dice=without_dice,
    )


def allowed_mark(values: Values, name: str) -> str:
    """Return the mark of a value that was changed against a rule, with permission; else empty."""
    return f" {ALLOWED}" if (values.unit.id, name) in values.data.allowed_values else ""


def value_check(values: Values, name: str) -> view.Check | None:
    """Return the roll of a value, or of its modifier if that is rolled for it; None without."""
    rolled = values.ruleset.rolled_value(name)
    return check(values.ruleset, values.ruleset.checks_of_values.get(rolled), values.total(rolled))


def check(ruleset: Ruleset, spec: CheckSpec | None, number: int) -> view.Check | None:
    """Return the roll of a number; None without a check, and for a pool without dice."""
    if spec is None or spec.roll is None:
        return None if spec is None else view.Check(spec.dice, number)
    return way_check(ruleset.ways_to_roll[spec.roll], number)


def way_check(way: RollWay, number: int) -> view.Check | None:
    """Return the roll of a number in a way of the game; None if no dice are rolled."""
    dice, against = way.rolled_dice(number), way.text(number) if way.how == "under" else ""
    return view.Check(dice, 0, way.how, against, way.counts) if dice else None


def vitals(values: Values) -> tuple[view.SheetVital, ...]:
    """Return the resources of a unit that a sheet shows as boxes."""
    listed = values.ruleset.head.sheet.vitals
    shown = [_vital(values, spec) for spec in listed if values.is_shown(spec.current)]
    known = any(vital.changed for vital in shown)
    return tuple(vital._replace(known=known) for vital in shown)


def _vital(values: Values, spec: Vital) -> view.SheetVital:
    most = values.starting_maximum(spec.current)
    if spec.max is not None and spec.max in values:
        most = values.total(spec.max)
    track, way = values.ruleset.tracks.get(spec.current), values.ruleset.way_to_roll(spec.current)
    return view.SheetVital(
        id=spec.current,
        label=values.ruleset.values[spec.current].label,
        icon=spec.icon,
        current=values.total(spec.current),
        max=most,
        half=half_up(most) if spec.half and most is not None else None,
        shared=is_shared(values.unit.type.values[spec.current]),
        step=track.step(values.base(spec.current)).label if track is not None else "",
        tracker_key=view.tracker_key(values.unit.id, spec.current),
        is_health=spec.current == values.ruleset.head.sheet.health,
        after=allowed_mark(values, spec.max or spec.current),
        unit=f"{NO_BREAK}{way.unit}" if way is not None and way.unit else "",
    )


def is_shared(computed: Computed) -> bool:
    """Return whether a resource is its owner's and only repeated here."""
    names = computed.formula.names if computed.formula is not None else ()
    return bool(names) and all(name.startswith(OWNERS) for name in names)


def figures(values: Values) -> tuple[view.Fact, ...]:
    """Return the figures of a unit; a used amount is printed with its maximum: ``3 of 6``.

    Resources have a place of their own. Figures that only lists show come last. A companion or
    vehicle has no lists: its figures are all values that its panel shows nowhere else.
    """
    sheet = values.ruleset.head.sheet
    resources = {name for name, value in values.unit.type.values.items() if value.resource}
    names = [n for n in sheet.figures if n not in resources and values.is_shown(n)]
    attributes = values.ruleset.group(sheet.attributes)
    modifiers = {values.ruleset.values[name].modifier for name in (*attributes, *names)}
    shown = {*names, *attributes, *modifiers}
    if values.unit.owner is None:
        in_lists = (values_of_list(spec, values.ruleset) for spec in sheet.lists)
        elsewhere = shown | resources
        listed_names = (name for listed in in_lists for name in listed if name not in elsewhere)
        names += [name for name in listed_names if values.is_shown(name)]
    else:
        shown |= {name for vital in sheet.vitals for name in (vital.current, vital.max) if name}
        names += [name for name in values.shown_ids() if name not in shown]
    used = _used_amounts(values)
    listed = listed_values(values.ruleset)
    names = [name for name in names if name not in used.values()]
    return tuple(_figure(values, name, used.get(name), listed) for name in names)


def _used_amounts(values: Values) -> dict[str, str]:
    """Return, for each value that is the maximum of a used amount, the value of that amount.

    It has the id of the field that is added up. An amount with that id itself has no maximum here.
    """
    totals = ((name, value.total_of) for name, value in values.unit.type.values.items())
    return {field: name for name, field in totals if field and field in values and field != name}


def _figure(values: Values, name: str, used: str | None, listed: Container[str]) -> view.Fact:
    text = printed_value(values, name)
    if used is not None:
        text = _("{total} of {text}").format(total=values.total(used), text=text)
    label = values.ruleset.values[name].label
    zero = not values.total(name if used is None else used)
    return view.Fact(label, true_minus(text), name in listed, value=name, zero=zero)


def combat(values: Values) -> tuple[view.Fact, ...]:
    """Return what a unit needs in every round of a fight, in the order of the ruleset."""
    lines = values.ruleset.head.sheet.combat
    return tuple(fact for line in lines for fact in _combat_facts(line, values))


def _combat_facts(line: CombatLine, values: Values) -> Iterator[view.Fact]:
    """Yield the facts of a line; none for a unit that it is not for."""
    if not _is_for(line, values):
        return
    for name in expand_groups(line.value, values.ruleset):
        if values.is_shown(name) and (values.total(name) or not line.hide_zero):
            label = values.ruleset.values[name].label
            yield view.Fact(label, printed_value(values, name), value=name)
    entity = values.unit.entity
    own_text = entity.own.get(line.field) if entity is not None and line.field else None
    if own_text:
        yield view.Fact(line.label, str(own_text))
    elif line.text:
        text = _resolved_line(line.text, values)
        yield view.Fact(line.label, text, check=_sole_roll(line.text, values))


def entity_facts(entity: Entity, ruleset: Ruleset) -> Iterator[view.Fact]:
    """Yield the fields of an entity in the order of its kind."""
    for name, field in ruleset.kinds[entity.kind].fields.items():
        value = entity.own.get(name)
        if isinstance(value, bool):
            yield view.Fact(field.label, _("Yes") if value else _("No"))
        elif isinstance(value, list):
            yield view.Fact(field.label, ", ".join(map(str, value)))
        elif value is not None:
            yield view.Fact(field.label, field_text(str(value), ruleset))


class CombatFigure(NamedTuple):
    """A fact of the combat strip explained: its formulas, the values they read, and its rule.

    ``steps`` are what its formulas add: dice or an amount, and the formula. ``when`` is the
    condition under which this line counts, a formula as the others; ``others`` are the texts
    that count under other conditions, with these.
    """

    fact: view.Fact
    formulas: tuple[str, ...]
    steps: tuple[tuple[str, str], ...]
    reads: tuple[str, ...]
    when: str
    source: str
    others: tuple[tuple[str, str], ...] = ()


def combat_figures(values: Values, label: str) -> Iterator[CombatFigure]:
    """Yield the facts of the combat strip with a label, in any case, and what they are made of."""
    for line in values.ruleset.head.sheet.combat:
        for fact in _combat_facts(line, values):
            if fact.value or label.casefold() not in spellings(fact.label):
                continue
            own = values.unit.entity if line.field and values.unit.entity else None
            if own is not None and own.own.get(line.field):
                yield CombatFigure(fact, (), (), (), "", own.id)
                continue
            figures = [figure for figure in parse_figures(line.text) if figure.text]
            names = dict.fromkeys(n for figure in figures for n in sorted(figure.formula.names))
            yield CombatFigure(
                fact,
                tuple(figure.text for figure in figures),
                tuple(step for figure in figures for step in _steps(figure, values)),
                tuple(name for name in names if name in values),
                line.when.text if line.when is not None else "",
                line.source,
                tuple(_other_cases(line, values)),
            )


def labelled_figures(values: Values, label: str) -> Iterator[CombatFigure]:
    """Yield the facts of the combat strip with a label, or the field of the unit's own kind."""
    found = list(combat_figures(values, label))
    yield from found
    entity = values.unit.entity
    if found or entity is None:
        return
    for fact in entity_facts(entity, values.ruleset):
        if label.casefold() in spellings(fact.label):
            yield CombatFigure(fact, (), (), (), "", entity.id)


def _steps(figure: Figure, values: Values) -> Iterator[tuple[str, str]]:
    """Yield the dice of a figure, and what its formula adds to them: amount and formula."""
    yield from ((dice_notation(dice), "") for dice in figure.dice)
    for summand in figure.formula.summands:
        if summand.constant is None:
            yield signed_number(values.evaluate_now(summand)), summand.text
        elif summand.constant:
            yield signed_number(summand.constant), ""


def _other_cases(line: CombatLine, values: Values) -> Iterator[tuple[str, str]]:
    """Yield what other lines of the same label say for a unit, with their conditions."""
    unit = values.unit.type.id
    for other in values.ruleset.head.sheet.combat:
        is_for = other.label == line.label and (not other.units or unit in other.units)
        if is_for and other is not line and other.when is not None:
            yield _resolved_line(other.text, values), other.when.text


def _sole_roll(text: str, values: Values) -> view.Check | None:
    """Return the roll that a text is, if it is a figure with dice and nothing else."""
    figures = parse_figures(text)
    if len(figures) != 1 or not figures[0].dice or text != f"{{{figures[0].text}}}":
        return None
    return view.Check("+".join(figures[0].dice), values.evaluate_now(figures[0].formula))


def _is_for(line: CombatLine, values: Values) -> bool:
    """Return whether a line is for a unit, and applies now."""
    if line.units and values.unit.type.id not in line.units:
        return False
    figures = (figure.formula for figure in parse_figures(line.text))
    read = {name for formula in filter(None, (*figures, line.when)) for name in formula.names}
    if not all(name == LEVEL or name in values for name in read):
        return False
    return line.when is None or bool(values.evaluate_now(line.when))


def blank_combat(values: Values) -> tuple[view.Fact, ...]:
    """Return the combat strip of a blank sheet: without figures, for the fill-in lines."""
    return tuple(
        fact._replace(check=None, text="" if line.value or "{" in line.text else fact.text)
        for line in values.ruleset.head.sheet.combat
        for fact in _combat_facts(line, values)
    )


def primer(values: Values) -> tuple[view.PrimerText, ...]:
    """Return what a beginner asks in the first round, with the present figures."""
    lines = values.ruleset.head.sheet.primer
    return tuple(view.PrimerText(line.label, resolved_text(line.text, values)) for line in lines)


def empty_slots(values: Values) -> int:
    """Return the number of slots that are not used yet."""
    amounts = _used_amounts(values).items()
    return sum(max(values.total(most) - values.total(used), 0) for most, used in amounts)


def stores(values: Values) -> tuple[view.Fact, ...]:
    """Return the resources that are not vitals, such as money."""
    ruleset = values.ruleset
    shown = {vital.current for vital in ruleset.head.sheet.vitals}
    shown |= {*ruleset.group(ruleset.head.sheet.attributes)}
    listed = listed_values(ruleset)
    return tuple(
        view.Fact(
            ruleset.values[name].label,
            printed_value(values, name),
            name in listed,
            tracker_key=view.tracker_key(values.unit.id, name),
            zero=not values.total(name),
            is_money=name == ruleset.head.gear.money,
        )
        for name, computed in values.unit.type.values.items()
        if computed.resource and name not in shown and values.is_shown(name)
    )


def printed_value(values: Values, name: str) -> str:
    """Return a value as printed, with its modifier, or the step of its track if it has one."""
    ruleset = values.ruleset
    text = ruleset.sheet_text(name, values.total(name)) + allowed_mark(values, name)
    track = ruleset.tracks.get(name)
    after = values.modifier_text(name) if track is None else track.step(values.base(name)).label
    return f"{text} ({after})" if after else text


def listed_values(ruleset: Ruleset) -> frozenset[str]:
    """Return the ids of the values that lists or trackers of a sheet show."""
    sheet = ruleset.head.sheet
    shown = {name for spec in sheet.trackers for name in expand_groups(spec.value, ruleset)}
    shown |= {track.value for track in ruleset.head.tracks}
    return frozenset(
        shown | {name for spec in sheet.lists for name in values_of_list(spec, ruleset)}
    )


def values_of_list(spec: ListSpec, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the ids of the values in a list; none for a list of holdings."""
    return expand_groups(spec.values, ruleset) or ruleset.group(spec.of)


def expand_groups(names: Iterable[str], ruleset: Ruleset) -> tuple[str, ...]:
    """Return value ids, with ``group:NAME`` replaced by the values of that group."""
    return tuple(value for name in names for value in ruleset.target_values(name))


def pools(values: Values) -> tuple[view.SheetPool, ...]:
    """Return the dice pools of a unit."""
    ruleset = values.ruleset
    return tuple(
        view.SheetPool(pool.id, pool.label, pool_dice(ruleset, pool.dice, values))
        for pool in values.unit.type.pools
    )


def pool_dice(ruleset: Ruleset, dice: DiceCounts, values: Values) -> tuple[view.SheetPoolDie, ...]:
    """Return dice by the formulas that count them, for the present values of a unit."""
    counts = dice_pools.dice_counts(dice, values.evaluate_now)
    numbered = ((ruleset.symbol_dice[name], number) for name, number in counts.items())
    return tuple(
        view.SheetPoolDie(die.id, die.label or die.id, die.shape, die.tone, number)
        for die, number in numbered
    )


def symbol_dice(ruleset: Ruleset) -> tuple[view.SheetDie, ...]:
    """Return the symbol dice of a ruleset with the symbols on their faces."""
    symbols = {s.id: view.SheetSymbol(s.id, s.label, s.icon) for s in ruleset.symbols.values()}
    return tuple(
        view.SheetDie(
            id=die.id,
            label=die.label or die.id,
            shape=die.shape,
            tone=die.tone,
            faces=tuple(tuple(symbols[name] for name in face) for face in die.symbols),
        )
        for die in ruleset.symbol_dice.values()
    )


def track_steps(track: Track, values: Values) -> tuple[view.SheetTrackStep, ...]:
    """Return the steps of a track; the present one of the unit is marked ``here``."""
    present_step = track.step(values.base(track.value))
    return tuple(
        view.SheetTrackStep(number, step.label, _effect(step, values), step is present_step)
        for number, step in enumerate(track.steps, track.lowest)
    )


def _effect(step: TrackStep, values: Values) -> template.Prose:
    """Return the effect of a step: its text, or else its modifiers in words."""
    if step.text:
        return resolved_text(step.text, values)
    return template.player_text("; ".join(_change(line, values) for line in step.modifies))


def _change(modifier: Modifier, values: Values) -> str:
    ruleset, amount = values.ruleset, values.evaluate_now(modifier.amount)
    sign = "+" if amount > 0 and modifier.op == "add" else ""
    value = ruleset.values.get(modifier.value)
    label = value.label if value else ruleset.head.groups.get(modifier.value.removeprefix(GROUP))
    if modifier.attacks is not None:
        label = _(ATTACK_PARTS[modifier.attacks])
    return f"{sign}{signed_amount((), amount)} {label}"


def resolved_text(text: str, values: Values) -> template.Prose:
    """Return a text of the ruleset with the figures of a unit."""

    def printed(figure: Figure) -> str:
        return template.mark_figure(values.printed(figure))

    return template.parse_markup(substitute(text, printed))


def trackers(values: Values) -> tuple[view.Tracker, ...]:
    """Return the trackers of a unit, with one for each track that no tracker names."""
    ruleset, own = values.ruleset, values.unit.type.values
    specs = [
        (name, spec)
        for spec in ruleset.head.sheet.trackers
        for name in expand_groups(spec.value, ruleset)
        if values.is_shown(name)
    ]
    named = {name for name, _spec in specs}
    specs += [
        (track.value, TrackerSpec(value=(track.value,)))
        for track in ruleset.head.tracks
        if values.is_shown(track.value) and track.value not in named
    ]
    return tuple(_tracker(name, spec, values) for name, spec in specs if not own[name].shared)


def _tracker(name: str, spec: TrackerSpec, values: Values) -> view.Tracker:
    ruleset = values.ruleset
    value, track = ruleset.values[name], ruleset.tracks.get(name)
    heading = spec.label or _group_heading(spec, ruleset) or (track.label if track else _(COUNTERS))
    low = track.lowest if track else 0
    high = low + len(track.steps) - 1 if track else None
    if spec.boxes is not None:
        high = max(low, values.evaluate_now(spec.boxes))
    return view.Tracker(
        id=name,
        heading=heading,
        label=value.label,
        note=_resolved_line(spec.note or value.text, values),
        current=values.base(name) if track else values.total(name),
        low=low,
        high=high,
        steps=track_steps(track, values) if track else (),
        tracker_key=view.tracker_key(values.unit.id, name),
        mark=view.BodyMark(mark.text, mark.x, mark.y) if (mark := spec.body.get(name)) else None,
        hint=_resolved_line(spec.body_note, values),
    )


def _group_heading(spec: TrackerSpec, ruleset: Ruleset) -> str:
    first = spec.value[0]
    return ruleset.head.groups.get(first.removeprefix(GROUP), "") if first.startswith(GROUP) else ""


def _resolved_line(text: str, values: Values) -> str:
    """Return a text of the ruleset with the figures of a unit, as one line."""
    return template.strip_markup(values.text(text).replace("\n", " "))


STEP_SIGNS = {"add": "", "set": "= ", "multiply": "× ", "at_least": "≥ ", "at_most": "≤ "}


class AuditLine(NamedTuple):
    """One step of a value: its amount with sign, the total after it, its source and formula.

    ``now`` marks a temporary step.
    """

    amount: str
    total: str
    source: str
    note: str
    now: bool


class AuditedValue(NamedTuple):
    """A value with its steps; ``total`` is after all of them, ``base`` without temporary ones."""

    label: str
    name: str
    base: str
    total: str
    lines: tuple[AuditLine, ...]


class UnitAudit(NamedTuple):
    """The values of one unit."""

    unit: str
    values: tuple[AuditedValue, ...]


def audit(character: Character) -> Iterator[UnitAudit]:
    """Yield the values with steps, of the character and of each unit."""
    for unit in character.state.units:
        values = character.state.values(unit.id)
        explained = (values.explain(name) for name in values.shown_ids())
        audited = tuple(_audited(character, value) for value in explained if value.steps)
        yield UnitAudit(character.name if unit.owner is None else unit.title, audited)


def _audited(character: Character, value: ExplainedValue) -> AuditedValue:
    return AuditedValue(
        label=value.label,
        name=character.state.ruleset.values[value.id].name,
        base=number_text(value.base),
        total=number_text(value.total),
        lines=tuple(_line(character, step) for step in value.steps),
    )


def _line(character: Character, step: ValueStep) -> AuditLine:
    sign = "+" if step.op == "add" and step.amount >= 0 else STEP_SIGNS[step.op]
    source = source_text(character, step.source)
    note = note_text(step.note, character.state.ruleset)
    return AuditLine(
        amount=f"{sign}{number_text(step.amount)}",
        total=number_text(step.total),
        source=source.capitalize() if step.source == PLAY else source,
        note=note.replace("owner's", "owner’s").replace(" - ", f" {MINUS} "),
        now=not step.lasting,
    )


def source_text(character: Character, source: str) -> str:
    """Return the name of a step's source, with its place in the book.

    ``source`` is the id of an entity, of a track's step, of a decision or, if the game names no
    place for a formula, of the game; or ``PLAY``.
    """
    if source == PLAY:
        return _("changed in play")
    if source == character.state.ruleset.id:
        return character.state.ruleset.head.name
    entity = character.state.ruleset.entities.get(source)
    if entity is not None:
        return f"{entity.name} ({section_text(entity)})"
    track_step = character.state.ruleset.track_steps.get(source)
    if track_step is not None:
        track, step = track_step
        return f"{track.label}: {step.label}"
    decision = character.decision(source)
    if decision is None:
        return character.label(source)
    return decision_source(character, decision)


def decision_source(character: Character, decision: Decision) -> str:
    """Return the place of a decision in the book, and the short name by which it is edited."""
    return f"{decision.heading()}{_place(character, decision)}"


def _place(character: Character, decision: Decision) -> str:
    """Return in brackets where the book asks a decision; empty if that is not known."""
    holding = character.state.holding(decision.holding)
    place = decision.question.source or (holding.entity.source if holding else "")
    return f" ({place})" if place else ""


# ------------------------------------------------------------------ explanations


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
    """Yield the entries of a unit's panel with a label, and what they are made of."""
    ruleset = character.state.ruleset
    values = character.state.values(unit.id)
    for figure in labelled_figures(values, label):
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
                yield f"  {formulas.case_text(text.replace(NO_BREAK, ' '), when, ruleset)}"
        if figure.source:
            yield f"  {source_text(character, figure.source)}"
