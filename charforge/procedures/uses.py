"""Limits of uses: how often something can be used, and why it cannot be used once more.

A limit is that of one ability, or that of an entity, which several abilities
and procedures share.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from charforge.character import state_changes
from charforge.character.modifiers import LocalFormulas
from charforge.character.state import State
from charforge.language import N_, _
from charforge.rules.models import UseLimit

TIMES = {1: N_("once"), 2: N_("twice")}


@dataclass(frozen=True, slots=True)
class CountedLimit:
    """A limit of a unit, and what is counted: an ability (``source`` and ``key``) or an entity.

    ``local`` are the formulas that names of its item stand for.
    """

    unit: str
    source: str
    key: str
    limit: UseLimit
    local: LocalFormulas = field(default_factory=dict)

    def count(self, state: State, uses: int = 1) -> State:
        """Return the state with more uses."""
        return state_changes.count_use(state, self.unit, self.source, self.key, self.limit, uses)

    def missing_condition(self, state: State) -> str:
        """Return why it cannot be used at all now; nothing if its condition is there."""
        during = self.limit.during
        if during is None or state.condition_amount(self.unit, during):
            return ""
        return _("only during {name}").format(name=state.ruleset.entity(during).name)

    def refusal(self, state: State, uses: int = 1, printed: str = "") -> str:
        """Return why there are fewer than ``uses`` left, and until when; nothing if there are.

        ``printed`` is the limit in the book's words.
        """
        used = state.times_used(self.unit, self.source, self.key)
        if self.missing_condition(state) or used + max(uses, 1) <= self._most(state):
            return ""
        times = _(TIMES[used]) if used in TIMES else _("{number} times").format(number=used)
        if self.limit.during is not None:
            return _("already used {times} during this {name}").format(
                times=times, name=state.ruleset.entity(self.limit.during).name
            )
        return _("already used ({printed}); available again after {end}").format(
            printed=printed or times, end=self.end(state)
        )

    def end(self, state: State) -> str:
        """Return when the limit ends: ``your turn ends, your turn starts or any Rest``."""
        moments = {moment.id: moment.label for moment in state.ruleset.head.moments}
        *first, last = (moments[name] for name in self.limit.until)
        return _("{names} or {last}").format(names=", ".join(first), last=last) if first else last

    def _most(self, state: State) -> int:
        most = self.limit.times
        if isinstance(most, int):
            return most
        return state.values(self.unit).evaluate_now(most.with_variables(self.local))


def limit_of_entity(state: State, unit: str, entity_id: str) -> CountedLimit:
    """Return the limit of an entity for a unit. The entity must have one."""
    limit = state.ruleset.entity(entity_id).uses
    assert limit is not None, f"{entity_id} has no limit"
    return CountedLimit(unit, entity_id, "", limit)
