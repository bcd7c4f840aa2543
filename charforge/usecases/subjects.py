"""Subjects of an explanation: a value, chart, pool, entity or decision, found by its name."""

from __future__ import annotations

from dataclasses import dataclass

from charforge.character.state import Holding, Unit
from charforge.errors import UnknownId, UsageError, shorten
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Chart, Pool
from charforge.rules.models.base import spellings
from charforge.rules.ruleset import Ruleset
from charforge.usecases.names import ambiguous_name, exact_matches

CHART = "chart/"  # before the id of a chart that has the name of something else


@dataclass(frozen=True)
class Subject:
    """The meaning of a name: exactly one of the fields is set."""

    value: str = ""
    chart: Chart | None = None
    pool: Pool | None = None
    entity: str = ""
    holdings: tuple[Holding, ...] = ()
    decision: str = ""


def find_subject(loaded: LoadedCharacter, unit: Unit, name: str, all_units: bool) -> Subject:
    """Return what a name means for a unit; a value comes before anything else of its name.

    With ``all_units`` what other units hold can be meant too. Raises
    UnknownId, or UsageError if the name means several entities.
    """
    ruleset, state = loaded.ruleset, loaded.character.state
    values = state.values(unit.id)
    value = ruleset.value_named(name)
    if value is not None and value.id in values:
        return Subject(value=value.id)
    chart = find_chart(ruleset, name)
    if chart is not None:
        return Subject(chart=chart)
    for pool in unit.type.pools:
        if name.casefold() in (pool.id, *spellings(pool.label)):
            return Subject(pool=pool)
    entity = name if value is not None else find_entity_id(ruleset, name)
    if "/" in entity:
        return Subject(entity=entity)
    candidates = [h for h in state.holdings if all_units or h.unit == unit.id]
    holdings = exact_matches(candidates, name, lambda holding: (holding.id, holding.name))
    if holdings:
        return Subject(holdings=tuple(holdings))
    decisions = exact_matches(loaded.character.asked, name, lambda decision: decision.names())
    if len(decisions) > 1 and all(decision.id != name for decision in decisions):
        raise ambiguous_name(name, ((found.title(), found.id) for found in decisions))
    if decisions:
        return Subject(decision=decisions[0].id)
    if name in loaded.character.dormant:
        return Subject(decision=name)
    alike = _entities_named(ruleset, name)
    if alike and value is None:
        raise UsageError(
            _("{name} matches {names}").format(name=shorten(name), names=_(" and ").join(alike)),
            _("Use the id."),
        )
    known = [*values.ids(), *(h.name for h in candidates if h.entity.titled)]
    known += (name for found in loaded.character.asked for name in found.names()[:2])
    owner = unit.name or loaded.document.name
    advice = _("To search the rules: charforge catalog search --ruleset {id} {name}").format(
        id=ruleset.id, name=name
    )
    raise UnknownId(_("value or choice of {owner}").format(owner=owner), name, known, advice=advice)


def find_chart(ruleset: Ruleset, name: str) -> Chart | None:
    """Return the chart of a name; None if there is none. Raises UnknownId for chart/NAME."""
    chart = ruleset.chart_named(name.removeprefix(CHART))
    if chart is None and name.startswith(CHART):
        known = ruleset.charts
        raise UnknownId(
            _("chart of {name}").format(name=ruleset.head.name), name.removeprefix(CHART), known
        )
    return chart


def find_entity_id(ruleset: Ruleset, name: str) -> str:
    """Return the id of the only entity of this name or end of its id; otherwise the name itself."""
    matches = _entities_named(ruleset, name)
    return matches[0] if len(matches) == 1 else name


def _entities_named(ruleset: Ruleset, name: str) -> list[str]:
    """Return the ids of the entities with this name or end of their ids.

    The condition that something brings is left out: All Out is the System.
    """
    folded = name.casefold()
    known = ruleset.entities.values()
    matches = [entity for entity in known if folded in spellings(entity.name)]
    matches = matches or [entity for entity in known if entity.slug == folded]
    matches = [entity for entity in matches if entity.condition is None] or matches
    return [entity.id for entity in matches]
