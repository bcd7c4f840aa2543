"""An empty sheet of any ruleset, to be filled by hand."""

from __future__ import annotations

from charforge.replay.replay import replay
from charforge.rules.ruleset import Ruleset
from charforge.sheet import lists, view
from charforge.sheet.build import build
from charforge.sheet.charts import written


def blank(ruleset: Ruleset) -> view.SheetView:
    """Return the view of a character of whom nothing is known yet.

    Its figures are those of nobody: a look that is ``blank`` prints none.
    Texts that name figures are left out for the same reason.
    """
    character = replay(ruleset, {}, 1, "")
    nobody = build(character)
    kinds = (ruleset.kinds[kind] for kind in ruleset.head.sheet.headline)
    return nobody._replace(
        headline=tuple(view.Headline(kind.label, "", "", (), ()) for kind in kinds),
        vitals=tuple(map(_unknown, nobody.vitals)),
        pools=tuple(pool._replace(dice=()) for pool in nobody.pools),
        tracks=tuple(map(_unmarked, nobody.tracks)),
        trackers=tuple(map(_unfilled, nobody.trackers)),
        lists=lists.empty(character.state.values()),
        charts=tuple(written(ruleset.charts[name], ruleset) for name in ruleset.head.sheet.charts),
        story=tuple(part._replace(told=()) for part in nobody.story),
        attacks=(), cards=(), items=(), units=(), training=(), actions=(), reference=(),
        table_rules=(), problems=(), allowed=(),
    )  # fmt: skip


def _unknown(vital: view.Vital) -> view.Vital:
    """Return a vital that only says whether there is a maximum at all."""
    return vital._replace(current=0, max=None if vital.max is None else 0, half=None, step="")


def _unmarked(track: view.Track) -> view.Track:
    """Return a track on which nobody stands anywhere."""
    return track._replace(steps=_nowhere(track.steps))


def _unfilled(tracker: view.Tracker) -> view.Tracker:
    """Return a tracker none of whose boxes is filled."""
    return tracker._replace(current=tracker.low, steps=_nowhere(tracker.steps))


def _nowhere(steps: tuple[view.TrackStep, ...]) -> tuple[view.TrackStep, ...]:
    return tuple(step._replace(here=False) for step in steps)
