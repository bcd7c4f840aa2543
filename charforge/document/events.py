"""The events of a log: what was answered, reached, set.

``n`` counts the events from 1; ``group`` the commands (or levels) they
came from, so that one can be taken back as a whole.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Event(BaseModel):
    """What every event has."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    n: int = Field(ge=1)
    group: int = Field(ge=1)


class Answered(Event):
    """A decision's answer: an id, a list, faces, a map, a number or a text."""

    do: Literal["answer"] = "answer"
    decision: str
    answer: Any


class Advance(Event):
    """A level begins."""

    do: Literal["advance"] = "advance"
    level: int = Field(ge=2)


class Set(Event):
    """A name, or a table rule with its value, from here on."""

    do: Literal["set"] = "set"
    name: str | None = None
    rule: str | None = None
    value: str | None = None


AnyEvent = Answered | Advance | Set
