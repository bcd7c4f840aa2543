"""Refusals: why an existing entity is not among the options of a choice, and what grants it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from charforge.decisions.base import OptionId
from charforge.decisions.options import OptionDecision
from charforge.errors import nearest, shorten
from charforge.expressions.formula_text import FormulaText
from charforge.language import _
from charforge.limits import MAX_LISTED
from charforge.rules.checks.cycles import granted_entities
from charforge.rules.models import Entity, Give, Query
from charforge.rules.models.base import BEARER
from charforge.rules.names import TypedText
from charforge.rules.ruleset import Ruleset, figure, matches


def unknown_option(decision: OptionDecision, item: OptionId, picked: Sequence[OptionId]) -> str:
    """Return the error for an unknown option, with the nearest option or a short list."""
    written = item if isinstance(item, str) else shorten(item)
    known = decision.ruleset.name_of(written.casefold())
    reason = (
        _not_offered(decision, written)
        if known
        else _("{item} is not an option").format(item=shorten(item))
    )
    if not decision.advises:
        return reason
    meant = decision.options_beginning(item) if isinstance(item, TypedText) and not known else []
    if len(meant) > 1:
        names = ", ".join(decision.options_by_id[name].label for name in meant[:MAX_LISTED])
        return _("{item} matches several: {names}").format(item=shorten(item), names=names)
    labels = {name: o.label for o in decision.options_by_id.values() for name in o.all_names()}
    near = "" if known else nearest(written, labels)
    if near:
        return _("{reason}. Did you mean {labels}?").format(reason=reason, labels=labels[near])
    legal = [option.label for option in decision.options(picked) if option.legal]
    if not 0 < len(legal) <= MAX_LISTED:
        return reason
    return _("{reason}. Choose {names}").format(
        reason=reason, names=_(" or ").join(filter(None, (", ".join(legal[:-1]), legal[-1])))
    )


def _not_offered(decision: OptionDecision, written: str) -> str:
    """Return why something of the rules is not among the options."""
    option = decision.ruleset.name_of(written.casefold())
    entity = decision.ruleset.entities.get(decision.ruleset.canonical(written.casefold()))
    query = decision.question.query
    if entity is not None and query is not None:
        unmatched = decision.unmatched_choice(entity)
        if unmatched is not None and matches(query, entity):
            answer = decision.before.answers.get(unmatched, "")
            label = decision.ruleset.answer_label_by_id(unmatched, str(answer))
            return _("{name} does not go with {label}").format(name=entity.name, label=label)
        return reason_not_offered(decision, entity)
    holding = decision.before.holding(decision.holding)
    if holding is not None:
        return _("{option} is not an option for {name}").format(option=option, name=holding.name)
    return _("{option} is not an option here").format(option=option)


def reason_not_offered(decision: OptionDecision, entity: Entity) -> str:
    """Return why a choice among entities does not offer this one, as a sentence.

    The pack's own reason (``why_not``) comes first, then a wrong kind, what
    grants the entity, and what it lacks; for gear what it lacks comes before
    what grants it. Empty if the choice offers it.
    """
    ruleset, question, query = decision.ruleset, decision.question, decision.question.query
    if query is None or matches(query, entity, decision.values):
        return ""
    own = pack_reason(question, entity)
    if own:
        return own
    if query.kind and entity.kind not in query.kind:
        kinds = _or([ruleset.kinds[kind].plural for kind in query.kind])
        return _("{name} belongs to {plural}, not to {kinds}").format(
            name=entity.name, plural=ruleset.kinds[entity.kind].plural, kinds=kinds
        )
    lacking, origin = (
        _or(list(_unmet_conditions(decision, query, entity))),
        origin_text(ruleset, entity),
    )
    is_bought = entity.kind in ruleset.head.gear.kinds  # so nothing has to grant it
    return (lacking or origin) if is_bought else (origin or lacking)


def pack_reason(question: Any, entity: Entity) -> str:
    """Return the reason that the pack itself gives for not offering an entity; empty if none."""
    reasons = (part.text for part in question.exclusions if matches(part, entity))
    return next((f"{entity.name} {text}" for text in reasons), "")


def origin_text(ruleset: Ruleset, entity: Entity) -> str:
    """Return what grants an entity, as a sentence: ``Surge comes with The Lancer at Level 3``.

    Empty if nothing grants it.
    """
    origins = ruleset.cached("origins", lambda: _origins(ruleset)).get(entity.id, ())
    return (
        _("{name} comes with {names}").format(name=entity.name, names=_or(list(origins)))
        if origins
        else ""
    )


def _origins(ruleset: Ruleset) -> dict[str, tuple[str, ...]]:
    """Return what grants each entity, by its id."""
    origins: dict[str, tuple[str, ...]] = {}
    for granted, origin in _grants(ruleset):
        origins[granted] = tuple(dict.fromkeys((*origins.get(granted, ()), origin)))
    return origins


def _grants(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield every granted entity with what grants it, in words."""
    head = ruleset.head
    for step in head.creation:
        if isinstance(step, Give):
            for _where, name in granted_entities(ruleset, step.grants):
                yield name, _("every new character")
            continue
        for option in step.listed_options:
            for _where, name in granted_entities(ruleset, option.grants):
                yield name, f"“{option.label}”"
    for entity in ruleset.entities.values():
        if entity.alias_of is not None:
            continue
        for grant in entity.all_grants:
            at = (
                _(" at {level}").format(level=head.advancement.text(grant.level))
                if grant.level > 1
                else ""
            )
            yield ruleset.canonical(grant.id), f"{entity.name}{at}"
        for question in entity.choices:
            for option in question.listed_options:
                for _where, name in granted_entities(ruleset, option.grants):
                    yield (
                        name,
                        _("“{label}” of {name}").format(label=option.label, name=entity.name),
                    )


def _unmet_conditions(decision: OptionDecision, query: Query, entity: Entity) -> Iterator[str]:
    """Yield the first condition of a query that an entity of the right kind does not meet."""
    ruleset, name, tags = decision.ruleset, entity.name, query.tags
    missing = [tag for tag in tags.all if tag not in entity.tags]
    has_any = any(tag in entity.tags for tag in tags.any)
    excluded = [tag for tag in tags.none if tag in entity.tags]
    if query.ids and entity.id not in query.ids:
        yield _("{name} is not one of {names}").format(
            name=name, names=_or([ruleset.name_of(known) for known in query.ids])
        )
    elif missing:
        yield _("{name} is not {tag_labels}").format(
            name=name,
            tag_labels=_(" or ").join(_tag_label(ruleset, entity, tag) for tag in missing),
        )
    elif tags.any and not has_any:
        yield _("{name} is not {names}").format(
            name=name, names=_or([_tag_label(ruleset, entity, tag) for tag in tags.any])
        )
    elif excluded:
        yield _("{name} is {tag}").format(name=name, tag=_tag_label(ruleset, entity, excluded[0]))
    elif query.where is not None:
        named = sorted(query.where.names)
        labels = {field: _label(ruleset, entity, field) for field in named}
        own = [field for field in named if not field.startswith(BEARER)]
        present = ", ".join(f"{labels[field]} {figure(entity, field)}" for field in own)
        for field in named:
            if field not in own:  # a value of the bearer
                labels[field] += f" ({decision.values.read(field.removeprefix(BEARER))})"
        words = FormulaText(labels.__getitem__, _called, lambda call, name: f"{call} {name}")
        condition = words.text(str(query.where))
        if not present:  # it asks only about the bearer, whose figures the condition has
            yield _("{name} has a condition: {condition}").format(name=name, condition=condition)
            return
        yield _("{name} has {present}; the condition here: {condition}").format(
            name=name, present=present, condition=condition
        )


def _called(function: str, names: Sequence[str], negated: bool) -> str:
    """Return a function of a condition with its names."""
    call = f"{function} {', '.join(names)}"
    return _("not {requirement}").format(requirement=call) if negated else call


def _tag_label(ruleset: Ruleset, entity: Entity, tag: str) -> str:
    """Return a tag as a reader knows it: by the field, term or kind of its name."""
    declared = ruleset.kinds[entity.kind].fields.get(tag.replace("-", "_"))
    if declared is not None:
        return declared.label
    kind = ruleset.kinds.get(tag)
    named = kind.label if kind is not None else ruleset.name_of(tag)
    return named or tag.replace("-", " ").capitalize()


def _label(ruleset: Ruleset, entity: Entity, field: str) -> str:
    """Return the label of a field of an entity, or of a value of the bearer."""
    if field.startswith(BEARER):
        value = ruleset.values.get(field.removeprefix(BEARER))
        return _("your {label}").format(
            label=ruleset.head.advancement.label if value is None else value.label
        )
    declared = ruleset.kinds[entity.kind].fields.get(field)
    return declared.label if declared is not None else field.capitalize()


def _or(names: list[str]) -> str:
    """Return names as a list in words: ``a, b or c``."""
    return _(" or ").join(filter(None, (", ".join(names[:-1]), *names[-1:])))
