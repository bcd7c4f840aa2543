"""The names of the form fields of a fillable sheet, for the templates and for ``import``.

A name begins with the key of a tracker (``view.tracker_key``), which is stable: the ids of a unit
or holding, and of its resource, capacity, cooldown or condition.

=================  ==========================================================================
``KEY``            a text with the present number, or a box for a condition or a cooldown
``KEY#used3x5``    box 3 of those that are ticked when something is used up; each counts 5
``KEY#has3``       box 3 of those that are ticked for what there is
``KEY#at-2``       the box of step −2 of a track
``notes``          a text that becomes notes; ``notes:Loot`` one with a heading
``blank:WHAT``     room to write something that has no key: a name, an attack, an item
=================  ==========================================================================

A name that occurs again ends in ``~2``, ``~3`` and so on. A full stop separates the parts of names
in a PDF, so that it is written as ``%2E`` in a key, as are the signs above.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal, NamedTuple

Form = Literal["value", "used", "has", "at"]

NOTES = "notes"
BLANK = "blank"
NAME = re.compile(
    r"(?P<key>[^#~]+)(?:#(?P<form>used|has|at)(?P<number>-?\d{1,9})(?:x(?P<worth>\d{1,9}))?)?"
    r"(?:~(?P<copy>\d{1,9}))?"
)
SPECIAL = re.compile(r"[%.#~]")
ESCAPED = re.compile(r"%([0-9A-F]{2})")


class FieldName(NamedTuple):
    """The subject of a field: the key of a tracker, and the box of several if it is one.

    ``copy`` is 2 for what is printed a second time, and so on.
    """

    key: str
    form: Form = "value"
    number: int = 0
    worth: int = 1
    copy: int = 1


def field_name(key: str, form: Form = "value", number: int = 0, worth: int = 1) -> str:
    """Return the name of the field, or of one of the boxes, of a tracker; empty without a key."""
    if not key:
        return ""
    plain = SPECIAL.sub(lambda sign: f"%{ord(sign[0]):02X}", key)
    box = "" if form == "value" else f"#{form}{number}"
    return f"{plain}{box}x{worth}" if worth > 1 else f"{plain}{box}"


def notes_name(heading: str = "") -> str:
    """Return the name of a text that becomes notes."""
    return field_name(f"{NOTES}:{heading}" if heading else NOTES)


def blank_name(what: str) -> str:
    """Return the name of a field for something that has no key."""
    return field_name(f"{BLANK}:{what}")


def unique_name(name: str, used: Counter[str]) -> str:
    """Return a name that no other field has, and count it in ``used``.

    Fields with one name would have one value.
    """
    used[name] += 1
    return name if used[name] == 1 else f"{name}~{used[name]}"


def parse_name(name: str) -> FieldName | None:
    """Return what a field is about; None if no sheet has such a name."""
    match = NAME.fullmatch(name)
    if match is None:
        return None
    key = ESCAPED.sub(lambda code: chr(int(code[1], 16)), match["key"])
    form: Form = match["form"] or "value"  # type: ignore[assignment]
    number, worth, copy = (int(match[part] or 1) for part in ("number", "worth", "copy"))
    return FieldName(key, form, number if form != "value" else 0, worth, copy)


def note_heading(key: str) -> str | None:
    """Return the heading of a field for notes (empty without one); None for other fields."""
    kind, _colon, heading = key.partition(":")
    return heading if kind == NOTES else None
