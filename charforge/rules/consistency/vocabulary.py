"""What ruleset.yaml declares: creation, unit types, symbols, tracks."""

from __future__ import annotations

from charforge.rules import models
from charforge.rules.grant_graph import MOST_DECISIONS
from charforge.rules.symbols import Checks, Finding, Findings, Known


def _head(known: Known, head: models.Head) -> Findings:
    """Every step of creation belongs to a section: none else is asked. All of it can be asked."""
    if known.bringing.decisions() > MOST_DECISIONS:
        told = f"a character might be asked more than {MOST_DECISIONS:,} decisions"
        yield Finding(("creation",), told)
    for number, step in enumerate(head.creation):
        if not step.section:
            yield Finding(("creation", number), "this step has no section, so nobody is asked")


def _unit_type(known: Known, unit: models.UnitType) -> Findings:
    """No value of a unit type is computed from itself."""
    for name in known.dependencies.circular[unit.id]:
        yield Finding(("values", name), f"the value {name!r} is computed from itself")


def _symbol(known: Known, symbol: models.Symbol) -> Findings:
    """Symbols cancel each other, and none counts as itself."""
    symbols = known.ruleset.symbols
    other = symbols.get(symbol.cancels or "")
    if other is symbol:
        yield Finding(("cancels",), f"{symbol.id} cancels itself")
    elif other is not None and other.cancels != symbol.id and other.cancels in {None, *symbols}:
        told = f"{other.id} does not cancel {symbol.id} in turn"
        yield Finding(("cancels",), told)
    met, name = [symbol.id], symbol.counts
    while name in symbols and name not in met:
        met.append(name)
        name = symbols[name].counts
    if name == symbol.id:
        yield Finding(("counts",), f"{symbol.id} counts as itself")


def _track(known: Known, track: models.Track) -> Findings:
    """A track goes by a resource, and no two go by the same one."""
    units = known.ruleset.units.values()
    made = [unit.values[track.value] for unit in units if track.value in unit.values]
    if made and not any(computed.resource for computed in made):
        yield Finding(("value",), f"{track.value} is no resource of any unit")
    other = known.ruleset.tracks.get(track.value, track)
    if other.id != track.id:
        yield Finding(("value",), f"{track.value} has the track {other.id} already")


def _track_step(_known: Known, step: models.TrackStep) -> Findings:
    """What a step of a track changes does not last."""
    for number, modifier in enumerate(step.modifies):
        if modifier.layer != "current":
            told = "what a step of a track changes is of the layer 'current'"
            yield Finding(("modifies", number), told)


CHECKS: Checks = {
    models.Head: _head,
    models.UnitType: _unit_type,
    models.Symbol: _symbol,
    models.Track: _track,
    models.TrackStep: _track_step,
}
