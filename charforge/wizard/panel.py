"""The character next to a question: a strip above it, or a panel beside it on a wide screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from charforge.expressions.template import NO_BREAK
from charforge.language import _
from charforge.usecases.key_values import KeyValue

Fragment = tuple[str, str]
WIDE = 110  # columns of a screen with a panel
PANEL_WIDTH = 34
SCORES_IN_A_ROW = 3
LABEL, VALUE, RULE, HEADING = "class:earlier", "class:detail", "class:rule", "class:separator"


def panel_width(columns: int, values: Sequence[KeyValue]) -> int:
    """Return the columns that the panel takes from a screen; 0 if there is none."""
    return PANEL_WIDTH if columns >= WIDE and values else 0


def strip_words(values: Iterable[KeyValue]) -> Iterator[list[Fragment]]:
    """Yield the values of the character, each as one word that is not broken."""
    own = [value for value in values if not value.owner and value.part != "list"]
    for number, value in enumerate(own):
        comma = " ·" if number < len(own) - 1 else ""
        figures = " / ".join(filter(None, (value.text, value.extra)))
        label, text = (part.replace(" ", NO_BREAK) for part in (value.short, figures))
        yield [(LABEL, f"{label}{NO_BREAK}"), (VALUE, text), (LABEL, comma.replace(" ", NO_BREAK))]


def one_line(values: Iterable[KeyValue]) -> str:
    """Return the values of all units as one line of text."""
    texts = (f"{v.owner} {v.short} {_text(v)}".strip() for v in values if v.part != "list")
    return " · ".join(texts)


def panel_lines(values: Iterable[KeyValue]) -> list[list[Fragment]]:
    """Return the lines of the panel, each unit below the other."""
    shown = [value for value in values if value.part != "list"]
    lines: list[list[Fragment]] = []
    for (_unit, owner), group in groupby(shown, key=lambda value: (value.unit, value.owner)):
        lines += [[], [(HEADING, owner)]] if owner else [[]]
        lines += _unit_lines(list(group))
    return [[(RULE, " │ "), *line] for line in lines]


def _unit_lines(values: Sequence[KeyValue]) -> Iterator[list[Fragment]]:
    """Yield scores three to a line, then each other value on its own line."""
    scores = [value for value in values if value.part == "score"]
    room = PANEL_WIDTH - 4
    widest = max((len(score.short) + len(score.text) + 3 for score in scores), default=1)
    columns = max(1, min(SCORES_IN_A_ROW, room // widest))
    for start in range(0, len(scores), columns):
        line: list[Fragment] = []
        for score in scores[start : start + columns]:
            gap = " " * (room // columns - len(score.short) - len(score.text) - 1)
            line += [(LABEL, f"{score.short} "), (VALUE, score.text), ("", gap)]
        yield line
    for part, group in groupby(
        (value for value in values if value.part != "score"), key=lambda value: value.part
    ):
        if part == "attack":
            yield []
        for value in group:
            yield from _value_lines(value, room)


def _value_lines(value: KeyValue, room: int) -> Iterator[list[Fragment]]:
    """Yield a value on one line, or on two if it is too long."""
    label, text = value.short, _text(value)
    if len(label) + len(text) + 1 <= room:
        yield [(LABEL, f"{label} "), (VALUE, text)]
    else:
        yield [(LABEL, label[:room])]
        yield [(VALUE, f"  {text}"[:room])]


def _text(value: KeyValue) -> str:
    """Return the text of a value; an attack with its damage."""
    return (
        _("{text}, {extra} damage").format(text=value.text, extra=value.extra)
        if value.extra
        else value.text
    )
