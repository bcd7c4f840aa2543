"""Why a question is not asked of a character: an answer, a value or a level is missing.

An answers file says it of a question beforehand, an error of an answer
that nothing asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from charforge.decisions.index import (
    NUMBER,
    LeadingOption,
    PossibleDecision,
    possible_decisions,
    possible_ids,
)
from charforge.decisions.option import Answer
from charforge.describe import entities as about
from charforge.errors import MAX_LISTED
from charforge.rules.models import Modifier, Question
from charforge.rules.ruleset import Ruleset

HAD = re.compile(r"""(not )?\bhas\(['"]([^'"]+)['"]\)""")


def condition_text(ruleset: Ruleset, question: Question) -> str:
    """Return the condition of a question in words, and the answers that change it; or nothing."""
    if question.when is None:
        return ""
    condition = f"only when {_formula_text(str(question.when), ruleset)}"
    changes = "; ".join(_options_text(_changing_options(ruleset, question)))
    return f"{condition}, changed by {changes}" if changes else condition


def unasked_reason(ruleset: Ruleset, level: int, answers: Mapping[str, Answer], name: str) -> str:
    """Return what is missing for a decision to be asked; nothing where no creation asks it.

    ``name`` is its id. Of several ways to it, those count for which the
    ``answers`` choose the most options.
    """
    plain = NUMBER.sub("", name)
    most = ruleset.head.advancement.maximum
    for reached in range(level, most + 1):
        if plain in possible_ids(ruleset, reached):
            break
    else:
        return ""
    if reached > level:
        label = ruleset.head.advancement.label
        return f"that is for {label} {reached}, and the character has {label} {level}"
    every = possible_decisions(ruleset, level)
    ways = [one for one in every if one.id == plain and not one.unit_level]
    missing = _missing_options(ways, answers)
    if missing:
        given = answers.get(missing[0].decision)
        instead = f", not {given}" if isinstance(given, str) else ""
        return f"it is asked only with {'; '.join(_options_text(missing))}{instead}"
    conditions = (condition_text(ruleset, one.question) for one in ways)
    return next((f"it is asked {condition}" for condition in conditions if condition), "")


def _formula_text(formula: str, ruleset: Ruleset) -> str:
    """Return a condition with labels in place of ids."""
    parts = []
    for number, part in enumerate(HAD.split(formula)):
        if number % 3 == 0:  # between the calls of has()
            parts.append(about.formula_text(part, ruleset))
        elif number % 3 == 2:
            parts.append(f"{ruleset.entity(part).name} is {parts.pop()}there")
        else:
            parts.append("not " if part else "")
    return "".join(parts)


def _missing_options(
    ways: Iterable[PossibleDecision], answers: Mapping[str, Answer]
) -> list[LeadingOption]:
    """Return the first option that is not chosen on each way, for the ways that go furthest."""
    found: dict[int, list[LeadingOption]] = {}
    for way in ways:
        for depth, one in enumerate(way.path):
            given = answers.get(one.decision)
            if one.option not in (given if isinstance(given, list) else [given]):
                found.setdefault(depth, []).append(one)
                break
        else:
            return []  # every option is chosen: it depends on something else
    return list(dict.fromkeys(found[max(found)])) if found else []


def _options_text(options: Iterable[LeadingOption]) -> Iterator[str]:
    """Yield options as answers, those of one decision together: ``asset: a, b or c``."""
    grouped: dict[str, list[str]] = {}
    for one in options:
        grouped.setdefault(one.decision, []).append(one.option)
    for decision, names in grouped.items():
        shown = names if len(names) <= MAX_LISTED else [*names[: MAX_LISTED - 1], "another such"]
        *first, last = shown
        either = f"{', '.join(first)} or {last}" if first else last
        yield f"{decision}: {either}" if decision else either


def _changing_options(ruleset: Ruleset, question: Question) -> list[LeadingOption]:
    """Return the options of creation before a step of it that change what its condition reads."""
    found, steps = [], list(ruleset.head.creation)
    for step in steps[: steps.index(question)] if question in steps else []:
        if not isinstance(step, Question):
            continue
        for entity in ruleset.offered(step):
            if _reads(ruleset, question, entity.modifies, entity.id):
                found.append(LeadingOption(step.id, entity.id, entity.name))
        for option in step.listed_options:
            if _reads(ruleset, question, option.modifies):
                found.append(LeadingOption(step.id, option.id, option.label))
    return found if len(found) <= MAX_LISTED else []


def _reads(
    ruleset: Ruleset, question: Question, modifies: Iterable[Modifier], entity: str = ""
) -> bool:
    """Whether the condition of a question reads what modifiers change, or asks for an entity."""
    if question.when is None:
        return False
    for modifier in modifies:
        kind, _colon, group = modifier.value.partition(":")
        if question.when.names.intersection(ruleset.group(group) if group else (kind,)):
            return True
    return entity in question.when.referred
