"""Why something may not be taken, in words; "legal" means that nothing is said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from charforge.character.state import CHARACTER, Holding, State
from charforge.rules.models import Entity, Query, Requirement
from charforge.rules.ruleset import Ruleset, matches


@dataclass(frozen=True, slots=True)
class Applicant:
    """Who asks: an entity for a unit, and its instance once it is held.

    ``assume_trained`` treats it as trained with everything, to find out whether only
    Training is missing.
    """

    state: State
    unit: str = CHARACTER
    entity: Entity | None = None
    holding: str = ""
    assume_trained: bool = False


def unmet_requirements(clause: Requirement | None, asker: Applicant) -> tuple[str, ...]:
    """Return each unmet clause in words; empty when all is met."""
    if clause is None or is_met(clause, asker):
        return ()
    if clause.all is not None:
        return tuple(reason for part in clause.all for reason in unmet_requirements(part, asker))
    return (f"requires {requirement_text(clause, asker.state.ruleset)}{_now(clause, asker)}",)


def is_met(clause: Requirement, asker: Applicant) -> bool:
    """Whether a clause holds."""
    state = asker.state
    if clause.all is not None:
        return all(is_met(part, asker) for part in clause.all)
    if clause.any is not None:
        return any(is_met(part, asker) for part in clause.any)
    if clause.not_ is not None:
        return not is_met(clause.not_, asker)
    if clause.at_least is not None:
        return sum(is_met(part, asker) for part in clause.at_least.of) >= clause.at_least.number
    if clause.value is not None:
        figure = state.values(asker.unit).read(clause.value.id)
        low, high = clause.value.at_least, clause.value.at_most
        return (low is None or figure >= low) and (high is None or figure <= high)
    if clause.trained is not None:
        return _trained(clause.trained, asker)
    if clause.choice is not None:
        name = f"{asker.holding}.{clause.choice.id}" if asker.holding else clause.choice.id
        return bool(state.answers.get(name) == clause.choice.equals)
    if clause.bearer is not None:
        entity = state.unit(asker.unit).entity
        return entity is not None and matches(clause.bearer, entity)
    if clause.holds is not None:
        held = [holding for holding in state.holdings if state.in_hand.get(holding.id)]
        return _among(clause.holds, held, state.ruleset)
    if isinstance(clause.has, str):
        return state.has(state.ruleset.canonical(clause.has))
    return clause.has is not None and _among(clause.has, state.holdings, state.ruleset)


def _among(wanted: str | Query, holdings: Iterable[Holding], ruleset: Ruleset) -> bool:
    """Whether something held is what a clause names."""
    if isinstance(wanted, Query):
        return any(matches(wanted, holding.entity) for holding in holdings)
    meant = ruleset.canonical(wanted)
    return any(holding.entity.id == meant for holding in holdings)


def _trained(wanted: str | Query, asker: Applicant) -> bool:
    if asker.assume_trained:
        return True
    if isinstance(wanted, Query):
        return any(asker.state.trained(entity) for entity in asker.state.ruleset.select(wanted))
    return asker.entity is not None and asker.state.trained(asker.entity, asker.holding)


def requirement_text(clause: Requirement, ruleset: Ruleset) -> str:
    """Say what a clause demands."""
    if clause.all is not None:
        return " and ".join(requirement_text(part, ruleset) for part in clause.all)
    if clause.any is not None:
        return " or ".join(requirement_text(part, ruleset) for part in clause.any)
    if clause.not_ is not None:
        return f"not {requirement_text(clause.not_, ruleset)}"
    if clause.at_least is not None:
        parts = ", ".join(requirement_text(part, ruleset) for part in clause.at_least.of)
        return f"{clause.at_least.number} of: {parts}"
    if clause.value is not None:
        label = ruleset.values[clause.value.id].label
        bounds = []
        if clause.value.at_least is not None:
            bounds.append(f"{clause.value.at_least} or more")
        if clause.value.at_most is not None:
            bounds.append(f"{clause.value.at_most} or less")
        return f"{label} {' and '.join(bounds)}"
    if clause.trained is not None:
        return (
            "Training"
            if clause.trained == "self"
            else f"Training with {_name(clause.trained, ruleset)}"
        )
    if clause.choice is not None:
        return ruleset.answer_label_by_id(clause.choice.id, clause.choice.equals)
    if clause.bearer is not None:
        return f"to be mounted on {_name(clause.bearer, ruleset)}"
    if clause.holds is not None:
        return f"{_name(clause.holds, ruleset)} in hand"
    return _name(clause.has, ruleset)


def _name(wanted: str | Query | None, ruleset: Ruleset) -> str:
    if isinstance(wanted, str):
        return ruleset.entities[wanted].name
    if wanted is not None and wanted == Query(kind=wanted.kind):
        return "a " + " or ".join(ruleset.kinds[kind].label for kind in wanted.kind)
    names = [entity.name for entity in ruleset.select(wanted)] if wanted is not None else []
    return " or ".join(names)


def _now(clause: Requirement, asker: Applicant) -> str:
    """Add the present figure to an unmet bound."""
    if clause.value is None:
        return ""
    return f" (now {asker.state.values(asker.unit).read(clause.value.id)})"
