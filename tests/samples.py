"""Parts of long tests: a few cases in the fast suite, all of them with `-m slow` or `--long`.

`few` does that for the cases of a parameter, `law` for the examples of a Hypothesis test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

Test = Callable[..., Any]
LONG = settings.get_current_profile_name() == "long"


def few(items: Sequence[Any], number: int, slow: int | None = None) -> list[Any]:
    """Mark all items of a parameter as slow except an evenly spread `number` of them.

    With `slow`, the slow suite has only that many; the others need --long.
    An item with several values is a `pytest.param`.
    """
    fast = _spread(len(items), number)
    tried = {*range(len(items))}
    if slow is not None and not LONG:
        tried = fast | _spread(len(items), slow)
    return [items[n] if n in fast else _slow(items[n]) for n in sorted(tried)]


def _spread(length: int, number: int) -> set[int]:
    """Return this number of places in a list, evenly spread from the first to the last."""
    return {round(place * (length - 1) / max(number - 1, 1)) for place in range(number)}


def _slow(item: Any) -> Any:
    if isinstance(item, type(pytest.param())):
        return pytest.param(*item.values, id=item.id, marks=[*item.marks, pytest.mark.slow])
    return pytest.param(item, marks=pytest.mark.slow)


def law(
    examples: int = 20, few: int = 6, suppress: Sequence[HealthCheck] = ()
) -> Callable[[Test], Test]:
    """Let a Hypothesis test try few examples in the fast suite, and all of them in the slow one.

    It stands above `@given`. With --long, each law tries many more examples. ``suppress`` are
    checks of Hypothesis that do not apply to the test.
    """
    checks = [*settings().suppress_health_check, *suppress]
    if settings.get_current_profile_name() == "fast":
        return settings(max_examples=few, suppress_health_check=checks)
    number = examples * settings().max_examples // 40
    every = settings(max_examples=number, suppress_health_check=checks)
    return lambda test: pytest.mark.slow(every(test))
