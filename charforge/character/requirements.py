"""Requirements: which are unmet, and their texts.

Something is allowed if the list of reasons against it is empty.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from charforge.character.state import CHARACTER, Holding, State
from charforge.language import _
from charforge.rules.models import Entity, Query, Requirement
from charforge.rules.ruleset import Ruleset, matches


class Applicant(NamedTuple):
    """The unit that must meet a requirement, and the entity that has the requirement.

    ``holding`` is the id of the entity's holding, once it is held.
    ``assume_trained`` treats the unit as trained with everything, to find out
    whether only Training is missing.
    """

    state: State
    unit: str = CHARACTER
    entity: Entity | None = None
    holding: str = ""
    assume_trained: bool = False


def unmet_requirements(clause: Requirement | None, applicant: Applicant) -> tuple[str, ...]:
    """Return the unmet clauses of a requirement in words; empty if all are met."""
    if clause is None or is_met(clause, applicant):
        return ()
    if clause.all is not None:
        return tuple(
            reason for part in clause.all for reason in unmet_requirements(part, applicant)
        )
    text = requirement_text(clause, applicant.state.ruleset)
    return (
        _("requires {requirement}{present}").format(
            requirement=text, present=_present_value(clause, applicant)
        ),
    )


def unmet_by_bearer(clause: Requirement | None, applicant: Applicant) -> tuple[str, ...]:
    """Return the unmet clauses that ask what kind of unit gains it, in words."""
    parts = () if clause is None else clause.all or (clause,)
    return tuple(
        reason
        for part in parts
        if part.bearer is not None
        for reason in unmet_requirements(part, applicant)
    )


def is_chosen(clause: Requirement | None, applicant: Applicant) -> bool:
    """Return whether the choices of an entity meet the parts of a requirement that ask for one."""
    if clause is None:
        return True
    if clause.all is not None:
        return all(is_chosen(part, applicant) for part in clause.all)
    return clause.choice is None or is_met(clause, applicant)


def is_met(clause: Requirement, applicant: Applicant) -> bool:
    """Return whether a requirement is met."""
    state = applicant.state
    if clause.all is not None:
        return all(is_met(part, applicant) for part in clause.all)
    if clause.any is not None:
        return any(is_met(part, applicant) for part in clause.any)
    if clause.not_ is not None:
        return not is_met(clause.not_, applicant)
    if clause.value is not None:
        figure = _lasting(applicant, clause.value.id)
        lowest, highest = clause.value.at_least, clause.value.at_most
        return (lowest is None or figure >= lowest) and (highest is None or figure <= highest)
    if clause.trained is not None:
        return _is_trained(clause.trained, applicant)
    if clause.choice is not None:
        name = f"{applicant.holding}.{clause.choice.id}" if applicant.holding else clause.choice.id
        return bool(state.answers.get(name) == clause.choice.equals)
    if clause.bearer is not None:
        entity = state.unit(applicant.unit).entity
        return entity is not None and matches(clause.bearer, entity, state.values(applicant.unit))
    if clause.wears is not None:
        worn = [holding for holding in state.holdings if state.pieces_worn(holding)]
        return _is_held(clause.wears, worn, applicant)
    if isinstance(clause.has, str):
        return state.has(state.ruleset.canonical(clause.has))
    return clause.has is not None and _is_held(clause.has, state.holdings, applicant)


def _is_held(required: str | Query, holdings: Iterable[Holding], applicant: Applicant) -> bool:
    """Return whether an entity that a clause names, by id or by query, is among the holdings."""
    if isinstance(required, Query):
        values = applicant.state.values(applicant.unit)
        return any(matches(required, holding.entity, values) for holding in holdings)
    entity_id = applicant.state.ruleset.canonical(required)
    return any(holding.entity.id == entity_id for holding in holdings)


def _is_trained(required: str | Query, applicant: Applicant) -> bool:
    """Return whether the applicant is trained with an entity of a query, or with its own."""
    if applicant.assume_trained:
        return True
    if isinstance(required, Query):
        state, values = applicant.state, applicant.state.values(applicant.unit)
        among = state.ruleset.select(required)
        return any(state.trained(one) for one in among if matches(required, one, values))
    return applicant.entity is not None and applicant.state.trained(
        applicant.entity, applicant.holding
    )


def requirement_text(clause: Requirement, ruleset: Ruleset) -> str:
    """Return the text of a requirement: ``Training and STR 5 or more``."""
    if clause.all is not None:
        return _(" and ").join(requirement_text(part, ruleset) for part in clause.all)
    if clause.any is not None:
        return _(" or ").join(requirement_text(part, ruleset) for part in clause.any)
    if clause.not_ is not None:
        return _("not {requirement}").format(requirement=requirement_text(clause.not_, ruleset))
    if clause.value is not None:
        label = ruleset.value_label(clause.value.id)
        bounds = []
        if clause.value.at_least is not None:
            bounds.append(_("{at_least} or more").format(at_least=clause.value.at_least))
        if clause.value.at_most is not None:
            bounds.append(_("{at_most} or less").format(at_most=clause.value.at_most))
        return f"{label} {_(' and ').join(bounds)}"
    if clause.trained is not None:
        return (
            _("Training")
            if clause.trained == "self"
            else _("Training with {name}").format(name=required_name(clause.trained, ruleset))
        )
    if clause.choice is not None:
        return ruleset.answer_label_by_id(clause.choice.id, clause.choice.equals)
    if clause.bearer is not None:
        return _("to be mounted on {name}").format(name=required_name(clause.bearer, ruleset))
    if clause.wears is not None:
        return required_name(clause.wears, ruleset) + _(" worn")
    return required_name(clause.has, ruleset)


def required_name(required: str | Query | None, ruleset: Ruleset) -> str:
    """Return the name of an entity, or the kinds or entities that a query finds."""
    if isinstance(required, str):
        return ruleset.entities[required].name
    if required is None:
        return ""
    if required == Query(kind=required.kind):
        return _("a ") + _(" or ").join(ruleset.kinds[kind].label for kind in required.kind)
    return _(" or ").join(entity.name for entity in ruleset.select(required))


def _lasting(applicant: Applicant, value: str) -> int:
    """Return the figure that a requirement compares: of a score that play lowered the full one."""
    values = applicant.state.values(applicant.unit)
    full = values.full_score(value) if value in values else None
    return values.read(value) if full is None else full


def _present_value(clause: Requirement, applicant: Applicant) -> str:
    """Return the present figure of a value that a clause bounds; empty for other clauses."""
    if clause.value is None:
        return ""
    figure = _lasting(applicant, clause.value.id)
    if clause.value.id in applicant.state.ruleset.shared_labels:
        return _(" (now {figure})").format(figure=figure)
    return _(" (you have {lasting})").format(lasting=figure)
