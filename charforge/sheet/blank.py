"""An empty sheet of any ruleset, to be filled by hand."""

from __future__ import annotations

from dataclasses import replace

from charforge.content.ruleset import Ruleset
from charforge.engine.replay import replay
from charforge.sheet import view
from charforge.sheet.build import build


def blank(ruleset: Ruleset) -> view.SheetView:
    """Return the view of a character of whom nothing is known yet.

    Its figures are those of nobody: a look that is ``blank`` prints none.
    Texts that name figures are left out for the same reason.
    """
    nobody = build(replay(ruleset, {}, 1, ""))
    kinds = (ruleset.kinds[kind] for kind in ruleset.head.sheet.headline)
    return replace(
        nobody,
        headline=tuple(view.Headline(kind.label, "", "", (), ()) for kind in kinds),
        vitals=tuple(map(_unknown, nobody.vitals)),
        story=tuple(replace(part, told=()) for part in nobody.story),
        attacks=(), cards=(), items=(), units=(), training=(), actions=(), reference=(),
        table_rules=(), problems=(), allowed=(),
    )  # fmt: skip


def _unknown(vital: view.Vital) -> view.Vital:
    """Return a vital that only says whether there is a maximum at all."""
    return replace(vital, current=0, max=None if vital.max is None else 0, half=None)
