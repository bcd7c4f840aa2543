"""The reference: rules terms that this character's sheet uses, with the character's numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from charforge.character.state import State
from charforge.describe.entities import HeldEntity
from charforge.expressions.markup import Block
from charforge.rules.models import Entity
from charforge.sheet import view
from charforge.sheet.actions import actions


def reference_entry(state: State, entity: Entity) -> view.Entry:
    """Return an entity of the ruleset with its text and actions."""
    held = HeldEntity(state, entity)
    return view.Entry(entity.id, entity.name, held.description(), actions(held))


def reference_entries(
    state: State, shown: Iterable[Any], tags: Iterable[str]
) -> tuple[view.Entry, ...]:
    """Return the terms that every sheet explains, then those that ``shown`` mentions.

    ``shown`` are parts of the view, ``tags`` the tags of the holdings. A name counts as
    mentioned only with its capital letter.
    """
    sheet = state.ruleset.head.sheet
    text = "\n".join(view_texts(list(shown)))
    tagged = {tag.casefold() for tag in tags}
    found = [state.ruleset.entity(name) for name in sheet.always]
    for kind in sheet.reference:
        for entity in state.ruleset.of_kind(kind):
            names = (entity.name, *entity.aliases)
            mentioned = any(_mentions(text, name) or name.casefold() in tagged for name in names)
            if mentioned and entity not in found and entity.id not in sheet.conditions:
                found.append(entity)
    return tuple(reference_entry(state, entity) for entity in found)


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", text) is not None


def view_texts(part: Any) -> Iterator[str]:
    """Yield every text in a part of a view."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Block):
        yield str(part)
    elif isinstance(part, tuple | list):
        if isinstance(part, view.AttackLine):
            # A count of shots is printed in lower case after its number.
            part = part._replace(damage=part.damage.title())
        for inner in part:
            yield from view_texts(inner)
