"""The steps of a wizard's way: the name, each section, each level, the review.

What is asked later has steps of its own: each level that a unit reaches
by itself, and each event that brings something with choices.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from charforge.decisions.index import UNIT_LEVEL
from charforge.replay.replay import Character
from charforge.rules.models import Give

NAME = "name"
REVIEW = "review"


@dataclass(frozen=True, slots=True)
class WizardStep:
    """One step; ``id`` is the section of its decisions."""

    id: str
    label: str
    help: str = ""


def steps(
    character: Character, fixed: Collection[str] = (), asks_name: bool = True
) -> tuple[WizardStep, ...]:
    """Return the steps that have anything to ask, in order.

    Decisions that are not met yet count too, so that the number of steps
    stays the same from the first page on. Steps whose decisions are all
    ``fixed`` are past.
    """
    head = character.state.ruleset.head
    met = {decision.section for decision in character.asked if decision.id not in fixed}
    past = max((d.level for d in character.asked if d.id in fixed), default=0)
    if not past:
        met |= {ask.section for ask in head.creation if not isinstance(ask, Give) and not ask.when}
    found = [WizardStep(NAME, "Name")] if asks_name else []
    found += [
        WizardStep(part.id, part.label, part.help) for part in head.sections if part.id in met
    ]
    for level in range(2, character.state.level + 1):
        section = f"level.{level}"
        if level > past or section in met:
            found.append(WizardStep(section, f"{head.advancement.label} {level}"))
    here = {step.id for step in found}
    for section in dict.fromkeys(d.section for d in character.asked if d.id not in fixed):
        if section not in here:
            found.append(WizardStep(section, _later(character, section)))
    return (*found, WizardStep(REVIEW, "Review"))


def _later(character: Character, section: str) -> str:
    """Name a step after creation and its levels: a unit's own level, or what an event brought."""
    state = character.state
    named, level, number = section.rpartition(UNIT_LEVEL)
    owner = named or section
    unit = next((unit for unit in state.units if unit.id == owner), None)
    holding = state.holding(owner)
    label = unit.title if unit else holding.name if holding else owner
    return f"{label}: {state.ruleset.head.advancement.label} {number}" if level else label


def number(found: tuple[WizardStep, ...], section: str) -> int:
    """Return the number of a section's step, from 1; the last one's for no step."""
    return next((n for n, step in enumerate(found, 1) if step.id == section), len(found))
