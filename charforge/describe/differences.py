"""Differences in words, a line each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from charforge.character.differences import Difference
from charforge.expressions.template import true_minus
from charforge.language import _

ARROW = "\N{RIGHTWARDS ARROW}"


def difference_lines(
    differences: Iterable[Difference], number: Callable[[int], int] = int
) -> list[str]:
    """Return differences in words, a line each; ``number`` gives what players read for a level."""
    lines = []
    for one in differences:
        if one.topic == "level" and isinstance(one.old, int) and isinstance(one.new, int):
            one = replace(one, old=number(one.old), new=number(one.new))
        lines.append(LINES.get(one.topic, _changed)(one))
    return lines


def _changed(difference: Difference) -> str:
    """Return the old and the new value: ``Max HP 37 → 42``."""
    old, new = (
        _("none") if value is None else true_minus(str(value)) if isinstance(value, int) else value
        for value in (difference.old, difference.new)
    )
    return f"{_owner_prefix(difference)}{difference.label} {old} {ARROW} {new}"


def _holding(difference: Difference) -> str:
    """Return a holding that was gained or lost, or whose quantity changed."""
    if isinstance(difference.old, int) and isinstance(difference.new, int):
        numbers = f"× {difference.old} {ARROW} × {difference.new}"
        return f"{_owner_prefix(difference)}{difference.label} {numbers}"
    number = difference.new if difference.old is None else difference.old
    times = f" × {number}" if number != 1 else ""
    kind = f" ({difference.kind})" if difference.kind else ""
    return f"{_sign(difference)} {_owner_prefix(difference)}{difference.label}{times}{kind}"


def _unit(difference: Difference) -> str:
    return f"{_sign(difference)} {difference.label} ({difference.kind})"


def _condition(difference: Difference) -> str:
    if difference.old is not None and difference.new is not None:
        return _changed(difference)
    amount = difference.new if difference.old is None else difference.old
    return f"{_sign(difference)} {_owner_prefix(difference)}{difference.label}" + (
        f" {amount}" if amount != 1 else ""
    )


def _choice(difference: Difference) -> str:
    """Return a changed choice by its short name, which ``edit`` accepts."""
    name = difference.label
    if difference.old is not None and difference.new is not None:
        return _("{name}: {new}, was {old}").format(
            name=name, new=difference.new, old=difference.old
        )
    answer = difference.new if difference.old is None else difference.old
    return f"{_sign(difference)} {name}: {answer}"


def _text(difference: Difference) -> str:
    return _("{label}: this rule has a different text").format(label=difference.label)


def _rule(difference: Difference) -> str:
    if difference.old is None or difference.new is None:
        option = difference.new if difference.old is None else difference.old
        text = _("Table rule {label}: {option}").format(label=difference.label, option=option)
        return f"{_sign(difference)} {text}"
    return _("Table rule {label}: {old} {arrow} {new}").format(
        label=difference.label, old=difference.old, arrow=ARROW, new=difference.new
    )


def _sign(difference: Difference) -> str:
    return "+" if difference.old is None else "\N{MINUS SIGN}"


def _owner_prefix(difference: Difference) -> str:
    return f"{difference.unit}: " if difference.unit else ""


LINES = {
    "holding": _holding,
    "unit": _unit,
    "condition": _condition,
    "choice": _choice,
    "text": _text,
    "rule": _rule,
}
