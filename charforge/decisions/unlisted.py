"""Options that a choice does not list, although they are of the same sort.

Only an override allows them; so a refusal can say why they are not listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charforge.decisions.base import OptionId
from charforge.rules.models import Option
from charforge.rules.models.base import spellings

if TYPE_CHECKING:
    from charforge.decisions.choose import ChooseDecision


def unlisted_id(decision: ChooseDecision, name: str) -> str:
    """Return the id of an entity or value that is not listed, by its name; empty if none.

    So a refusal can say why it is not listed, and an override can allow it.
    """
    query = decision.question.query
    if query is not None:
        named = [
            entity
            for entity in decision.ruleset.entities.values()
            if entity.alias_of is None
            and entity.kind in (query.kind or (entity.kind,))
            and name in (entity.slug, *spellings(entity.name))
        ]
        return named[0].id if len(named) == 1 else ""
    value = decision.ruleset.value_named(name)
    return value.id if value is not None and is_unlisted(decision, value.id) else ""


def is_unlisted(decision: ChooseDecision, item: OptionId) -> bool:
    """Whether something without an entity could be an option, but is not listed.

    It is a term of the same vocabulary, or a value of the same group. Only
    an override allows it.
    """
    among = decision.question.among
    if among is None:
        return unlisted_value(decision, item) is not None
    if among.terms is not None:
        return any(term.id == item for term in decision.ruleset.head.terms.get(among.terms, ()))
    return among.values is not None and _has_value(decision, item)


def _has_value(decision: ChooseDecision, item: OptionId) -> bool:
    """Whether the unit has a value with this id."""
    return isinstance(item, str) and item in decision.before.values(decision.unit)


def unlisted_value(decision: ChooseDecision, item: OptionId) -> Option | None:
    """Return the option of a value that is not listed, with the effect of those that are.

    It exists if each listed option changes the value of its own id, all
    alike, and the value belongs to the same group. Otherwise None.
    """
    listed = decision.question.options
    if not listed or not isinstance(item, str) or not _has_value(decision, item):
        return None
    values, first = decision.ruleset.values, listed[0]
    value = values[item]
    for option in listed:
        alike = [m.model_copy(update={"value": option.id}) for m in first.modifies]
        same_group = option.id in values and values[option.id].group == value.group
        if not alike or list(option.modifies) != alike or not same_group:
            return None
    modifies = tuple(m.model_copy(update={"value": item}) for m in first.modifies)
    return Option(id=item, label=value.name, modifies=modifies)
