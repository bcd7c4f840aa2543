"""The steps of the wizard, for its progress bar: name, sections, levels, later events, review."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from charforge.decisions.index import UNIT_LEVEL
from charforge.language import _
from charforge.replay.replay import Character

NAME = "name"
REVIEW = "review"


class WizardStep(NamedTuple):
    """One step of the wizard; ``id`` is the section of its decisions."""

    id: str
    label: str
    help: str = ""


def wizard_steps(
    character: Character, fixed: Collection[str] = (), asks_name: bool = True
) -> tuple[WizardStep, ...]:
    """Return the steps in order: name, sections, levels, later events, review.

    Steps whose decisions are not asked yet count too, so that the number
    of steps stays the same from the first page on. Steps whose decisions
    are all ``fixed`` are left out.
    """
    head = character.state.ruleset.head
    asked = {decision.section for decision in character.asked if decision.id not in fixed}
    past = max((d.level for d in character.asked if d.id in fixed), default=0)
    if not past:
        asked |= {question.section for question in head.creation_questions if not question.when}
    steps = [WizardStep(NAME, _("Name"))] if asks_name else []
    steps += [
        WizardStep(part.id, part.label, part.help) for part in head.sections if part.id in asked
    ]
    for level in range(2, character.state.level + 1):
        section = f"level.{level}"
        if level > past or section in asked:
            steps.append(WizardStep(section, head.advancement.text(level)))
    shown = {step.id for step in steps}
    for section in dict.fromkeys(d.section for d in character.asked if d.id not in fixed):
        if section not in shown:
            steps.append(WizardStep(section, _later_label(character, section)))
    return (*steps, WizardStep(REVIEW, _("Review")))


def _later_label(character: Character, section: str) -> str:
    """Return the label of a unit's own level, or of what an event added."""
    state = character.state
    named, level, number = section.rpartition(UNIT_LEVEL)
    owner = named or section
    unit = next((unit for unit in state.units if unit.id == owner), None)
    holding = state.holding(owner)
    label = unit.title if unit else holding.name if holding else owner
    return f"{label}: {state.ruleset.head.advancement.text(int(number))}" if level else label


def step_number(steps: tuple[WizardStep, ...], section: str) -> int:
    """Return the number of a section's step, from 1; for no step, the last number."""
    return next((n for n, step in enumerate(steps, 1) if step.id == section), len(steps))
