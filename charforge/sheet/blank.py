"""An empty sheet of any ruleset, to be filled by hand."""

from __future__ import annotations

from charforge.replay.replay import replay
from charforge.rules.ruleset import Ruleset
from charforge.sheet import lists, view
from charforge.sheet.build import build
from charforge.sheet.charts import blank_chart


def blank_view(ruleset: Ruleset) -> view.SheetView:
    """Return the view of a character of whom nothing is known yet.

    Its figures are those of nobody: a look that is ``blank`` prints none.
    Texts that name figures are left out for the same reason.
    """
    character = replay(ruleset, {}, 1, "")
    nobody = build(character)
    sheet = ruleset.head.sheet
    kinds = (ruleset.kinds[kind] for kind in sheet.headline)
    return nobody._replace(
        headline=tuple(view.Headline(kind.label, "", "", (), ()) for kind in kinds),
        vitals=tuple(map(_unknown, nobody.vitals)),
        pools=tuple(pool._replace(dice=()) for pool in nobody.pools),
        tracks=tuple(map(_unmarked, nobody.tracks)),
        trackers=tuple(map(_unfilled, nobody.trackers)),
        lists=lists.blank_lists(character.state.values()),
        charts=tuple(blank_chart(ruleset.charts[name], ruleset) for name in sheet.charts),
        story=tuple(part._replace(told=()) for part in nobody.story),
        attacks=(), cards=(), items=(), units=(), training=(), actions=(), reference=(),
        table_rules=(), problems=(), allowed=(),
    )  # fmt: skip


def _unknown(vital: view.SheetVital) -> view.SheetVital:
    """Return a vital that only says whether there is a maximum at all."""
    return vital._replace(current=0, max=None if vital.max is None else 0, half=None, step="")


def _unmarked(track: view.SheetTrack) -> view.SheetTrack:
    """Return a track on which nobody stands anywhere."""
    return track._replace(steps=_nowhere(track.steps))


def _unfilled(tracker: view.Tracker) -> view.Tracker:
    """Return a tracker none of whose boxes is filled."""
    return tracker._replace(current=tracker.low, steps=_nowhere(tracker.steps))


def _nowhere(steps: tuple[view.SheetTrackStep, ...]) -> tuple[view.SheetTrackStep, ...]:
    return tuple(step._replace(here=False) for step in steps)
