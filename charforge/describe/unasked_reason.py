"""What a question depends on that not everybody is asked: an answer, a figure, a level.

Said of a question before it is met (in a template), and of an answer that
nothing asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from charforge.decisions.index import (
    NUMBER,
    LeadingOption,
    PossibleDecision,
    offered_entities,
    possible_decisions,
    possible_ids,
)
from charforge.decisions.option import Answer
from charforge.describe import entities as about
from charforge.errors import MAX_LISTED
from charforge.rules.models import Ask, Modifier
from charforge.rules.ruleset import Ruleset

HAD = re.compile(r"""(not )?\bhas\(['"]([^'"]+)['"]\)""")


def condition_text(ruleset: Ruleset, ask: Ask) -> str:
    """Say by which figures a question is asked, and which answers change them; or nothing."""
    if ask.when is None:
        return ""
    said = f"only when {_words(str(ask.when), ruleset)}"
    changes = "; ".join(_answered(_changing(ruleset, ask)))
    return f"{said}, changed by {changes}" if changes else said


def unasked_reason(ruleset: Ruleset, level: int, answers: Mapping[str, Answer], name: str) -> str:
    """Say what would have to be for a decision to be asked; nothing where no creation asks it.

    Of several ways to it, those count that the answers go furthest along.
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
    ways = [one for one in possible_decisions(ruleset, level) if one.id == plain and not one.own]
    missing = _missing(ways, answers)
    if missing:
        given = answers.get(missing[0].decision)
        instead = f", not {given}" if isinstance(given, str) else ""
        return f"it is asked only with {'; '.join(_answered(missing))}{instead}"
    conditions = (condition_text(ruleset, one.ask) for one in ways)
    return next((f"it is asked {said}" for said in conditions if said), "")


def _words(formula: str, ruleset: Ruleset) -> str:
    """Write a condition with labels in place of ids."""
    parts = []
    for number, part in enumerate(HAD.split(formula)):
        if number % 3 == 0:  # between what is had or not
            parts.append(about.formula(part, ruleset))
        elif number % 3 == 2:
            parts.append(f"{ruleset.entity(part).name} is {parts.pop()}there")
        else:
            parts.append("not " if part else "")
    return "".join(parts)


def _missing(
    ways: Iterable[PossibleDecision], answers: Mapping[str, Answer]
) -> list[LeadingOption]:
    """Return the first option that is not taken of each way, for the ways that come furthest."""
    found: dict[int, list[LeadingOption]] = {}
    for way in ways:
        for depth, one in enumerate(way.taken):
            given = answers.get(one.decision)
            if one.option not in (given if isinstance(given, list) else [given]):
                found.setdefault(depth, []).append(one)
                break
        else:
            return []  # the options are all there: it hangs on something else
    return list(dict.fromkeys(found[max(found)])) if found else []


def _answered(options: Iterable[LeadingOption]) -> Iterator[str]:
    """Yield options as answers, those of one decision together: ``asset: a, b or c``."""
    grouped: dict[str, list[str]] = {}
    for one in options:
        grouped.setdefault(one.decision, []).append(one.option)
    for decision, names in grouped.items():
        shown = names if len(names) <= MAX_LISTED else [*names[: MAX_LISTED - 1], "another such"]
        *first, last = shown
        either = f"{', '.join(first)} or {last}" if first else last
        yield f"{decision}: {either}" if decision else either


def _changing(ruleset: Ruleset, ask: Ask) -> list[LeadingOption]:
    """Return the options of creation before a step of it that change what its condition reads."""
    found, steps = [], list(ruleset.head.creation)
    for step in steps[: steps.index(ask)] if ask in steps else []:
        if not isinstance(step, Ask):
            continue
        for entity in offered_entities(ruleset, step):
            if _read(ruleset, ask, entity.modifies, entity.id):
                found.append(LeadingOption(step.id, entity.id, entity.name))
        for option in step.listed_options:
            if _read(ruleset, ask, option.modifies):
                found.append(LeadingOption(step.id, option.id, option.label))
    return found if len(found) <= MAX_LISTED else []


def _read(ruleset: Ruleset, ask: Ask, modifies: Iterable[Modifier], entity: str = "") -> bool:
    """Whether the condition of a question reads what modifiers change, or asks for an entity."""
    if ask.when is None:
        return False
    for modifier in modifies:
        kind, _colon, group = modifier.value.partition(":")
        if ask.when.names.intersection(ruleset.group(group) if group else (kind,)):
            return True
    return entity in ask.when.referred
