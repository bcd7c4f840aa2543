"""Answers to decisions, and the options of a choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from charforge.rules.models import Entity, Option

Answer = Any  # an id, a list of ids, faces, a map of scores, a number or a text
OptionId = str | int  # what an answer names: an id, or a face
MISSING: Any = object()  # no answer, where None or an empty text could be one


class DecisionOption(NamedTuple):
    """An option of a choice at its place; it is legal if there are no reasons against it.

    ``names`` are further names it can be chosen by; ``cost`` is its share of
    the decision's budget, ``number`` how many of it there are (dice that
    show the same face).
    """

    id: OptionId
    label: str
    text: str = ""
    group: str = ""
    reasons: tuple[str, ...] = ()
    entity: Entity | None = None
    option: Option | None = None
    cost: int = 0
    number: int | None = None
    names: tuple[str, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether it may be chosen."""
        return not self.reasons

    def all_names(self) -> Iterator[str]:
        """Yield the names by which it can be chosen."""
        yield from (str(self.id), self.label, *self.names)
        if self.entity is not None:
            yield self.entity.slug
