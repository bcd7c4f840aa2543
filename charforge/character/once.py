"""What is worked out once of a part of the rules, however often it is wanted.

A replay takes the same steps and asks the same questions again and again.
What can be said of them beforehand stands beside the rules, in their memo.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from charforge.rules.ruleset import Ruleset

Part = TypeVar("Part")
Made = TypeVar("Made")


def once(ruleset: Ruleset, part: Part, make: Callable[[Part], Made]) -> Made:
    """Return what is made of a part of the rules, by whatever makes it.

    The part itself is kept too, so that its place stays its own. Only for
    what the rules themselves hold: of what is made on the way more and more
    would be kept.
    """
    place = (make, id(part))
    kept: tuple[Any, Made] | None = ruleset.memo.get(place)
    if kept is None:
        kept = ruleset.memo[place] = part, make(part)
    return kept[1]
