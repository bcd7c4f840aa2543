"""Remarks on a character: opposite traits, empty Slots, and why a question is not asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from charforge.character.requirements import Applicant, is_met
from charforge.character.state import State, Unit
from charforge.decisions.base import Answer
from charforge.decisions.kinds import (
    HOLDING_NUMBER,
    LeadingOption,
    PossibleDecision,
    possible_decisions,
    possible_ids,
)
from charforge.describe.formulas import formula_text
from charforge.language import _, either
from charforge.limits import MAX_LISTED
from charforge.rules.models import Entity, Modifier, Question, Remark
from charforge.rules.ruleset import Ruleset, are_opposed


class FixableRemark(NamedTuple):
    """A remark in words, with the command that changes what it is about.

    ``command`` is the verb; ``decision`` the id of the decision to answer
    again. Both are empty where there is none.
    """

    text: str
    command: str = ""
    decision: str = ""


def remarks(state: State) -> tuple[str, ...]:
    """Return the remarks on a character in words; none of them makes it illegal."""
    return tuple(advice.text for advice in fixable_remarks(state))


def fixable_remarks(state: State) -> tuple[FixableRemark, ...]:
    """Return the remarks on a character, each with the command that helps."""
    return tuple(
        _advice(remark, state, unit, f"{unit.name}: {text}" if unit.name else text)
        for remark in state.ruleset.head.remarks
        for unit in _units(remark, state)
        for text in _texts(remark, state, unit)
    )


def _advice(remark: Remark, state: State, unit: Unit, text: str) -> FixableRemark:
    if remark.fix != "edit":
        return FixableRemark(text, remark.fix or "")
    if unit is not state.units[0]:
        return FixableRemark(text)
    levels = (f"level.{level}." for level in range(state.level, 1, -1))
    asked = [name for at in (*levels, "") if (name := f"{at}{remark.question}") in state.answers]
    return FixableRemark(text, remark.fix, asked[0]) if asked else FixableRemark(text)


def _units(remark: Remark, state: State) -> Iterator[Unit]:
    """Yield the units that a remark is about."""
    for unit in state.units:
        if unit.type.id in remark.units or (not remark.units and unit is state.units[0]):
            yield unit


def _texts(remark: Remark, state: State, unit: Unit) -> Iterator[str]:
    """Yield a remark for each time that it applies to a unit."""
    values = state.values(unit.id)

    if remark.when is not None and not values.evaluate_now(remark.when):
        return
    if remark.lacks is not None and is_met(remark.lacks, Applicant(state, unit.id)):
        return
    text = values.plain_text(remark.text)
    if remark.opposed is None:
        yield text
        return
    for one, other in combinations(state.held(unit.id), 2):
        if are_opposed(one.entity, other.entity, remark.opposed):
            yield _("{name} and {other_name}: {text}").format(
                name=one.name, other_name=other.name, text=text
            )


def opposites_held(state: State, entity: Entity) -> tuple[str, ...]:
    """Return the names of what a character has that is the opposite of an entity."""
    fields = state.ruleset.opposed_by
    return tuple(
        holding.name
        for holding in state.held(state.units[0].id)
        if any(are_opposed(holding.entity, entity, field) for field in fields)
    )


def asked_when(ruleset: Ruleset, question: Question) -> str:
    """Return the condition of a question in words, and the answers that change it; or nothing."""
    if question.when is None:
        return ""
    condition = _("only if {formula}").format(formula=formula_text(str(question.when), ruleset))
    changes = "; ".join(_options_text(_changing_options(ruleset, question)))
    return (
        _("{condition}; depends on {changes}").format(condition=condition, changes=changes)
        if changes
        else condition
    )


def unasked_reason(ruleset: Ruleset, level: int, answers: Mapping[str, Answer], name: str) -> str:
    """Return what is missing for a decision to be asked; nothing if no creation asks it.

    ``name`` is its id, ``level`` the last one that the creation or level-up reaches. If several
    paths of options lead to it, those count of which the ``answers`` choose the most.
    """
    plain = HOLDING_NUMBER.sub("", name)
    levels = range(level, ruleset.head.advancement.maximum + 1)
    asked_at = next((n for n in levels if plain in possible_ids(ruleset, n)), None)
    if asked_at is None:
        return ""
    if asked_at > level:
        advancement = ruleset.head.advancement
        return _(
            "it comes at {label} {asked_at}, and the character will only be {label} {level}"
        ).format(
            label=advancement.label,
            asked_at=advancement.number(asked_at),
            level=advancement.number(level),
        )
    every = possible_decisions(ruleset, level)
    decisions = [found for found in every if found.id == plain and not found.unit_level]
    missing = _missing_options(decisions, answers)
    if missing:
        answer = answers.get(missing[0].decision)
        chosen = ruleset.name_of(answer) or answer if isinstance(answer, str) else ""
        instead = _(", and you chose {chosen}").format(chosen=chosen) if chosen else ""
        return _("it needs {names}{instead}").format(
            names="; ".join(_options_text(_labelled(missing, ruleset))), instead=instead
        )
    conditions = (decision.question.when for decision in decisions)
    formulas = (formula_text(str(condition), ruleset) for condition in conditions if condition)
    return next(
        (
            _("it is asked only if {condition}").format(condition=condition)
            for condition in formulas
        ),
        "",
    )


def _labelled(options: Iterable[LeadingOption], ruleset: Ruleset) -> Iterator[LeadingOption]:
    """Yield options with labels in place of ids, for messages."""
    for leading in options:
        decision = leading.decision and ruleset.decision_label(leading.decision)
        yield LeadingOption(decision, leading.label, leading.label)


def _missing_options(
    decisions: Iterable[PossibleDecision], answers: Mapping[str, Answer]
) -> list[LeadingOption]:
    """Return the first option of each path that is not chosen, for the longest chosen paths."""
    by_depth: dict[int, list[LeadingOption]] = {}
    for decision in decisions:
        for depth, leading in enumerate(decision.path):
            answer = answers.get(leading.decision)
            if leading.option not in (answer if isinstance(answer, list) else [answer]):
                by_depth.setdefault(depth, []).append(leading)
                break
        else:
            return []  # every option is chosen: it depends on something else
    return list(dict.fromkeys(by_depth[max(by_depth)])) if by_depth else []


def _options_text(options: Iterable[LeadingOption]) -> Iterator[str]:
    """Yield options as answers, grouped by decision: ``asset: a, b or c``."""
    grouped: dict[str, list[str]] = {}
    for leading in options:
        grouped.setdefault(leading.decision, []).append(leading.option)
    for decision, names in grouped.items():
        shown = names if len(names) <= MAX_LISTED else [*names[: MAX_LISTED - 1], "others"]
        yield f"{decision}: {either(shown)}" if decision else either(shown)


def _changing_options(ruleset: Ruleset, question: Question) -> list[LeadingOption]:
    """Return the earlier options of creation that change the condition of a question."""
    changing, steps = [], list(ruleset.head.creation)
    for step in steps[: steps.index(question)] if question in steps else []:
        if not isinstance(step, Question):
            continue
        for entity in ruleset.offered(step):
            if _reads(ruleset, question, entity.modifies, entity.id):
                changing.append(LeadingOption(step.id, entity.id, entity.name))
        for option in step.listed_options:
            if _reads(ruleset, question, option.modifies):
                changing.append(LeadingOption(step.id, option.id, option.label))
    return changing if len(changing) <= MAX_LISTED else []


def _reads(
    ruleset: Ruleset, question: Question, modifies: Iterable[Modifier], entity: str = ""
) -> bool:
    """Return whether the condition of a question depends on the modifiers, or on an entity."""
    if question.when is None:
        return False
    for modifier in modifies:
        kind, _colon, group = modifier.value.partition(":")
        if question.when.names.intersection(ruleset.group(group) if group else (kind,)):
            return True
    return entity in question.when.referred
