"""The events of a log: what was answered, reached, set.

``n`` counts the events from 1; ``group`` the commands (or levels) they
came from, so that one can be taken back as a whole.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from charforge.text import unprintable


def printable(text: str) -> str:
    """Refuse control characters and lone surrogates, which no terminal should be sent."""
    if unprintable(text) or "\n" in text:
        raise ValueError("it holds control characters or broken signs")
    return text


Printable = Annotated[str, AfterValidator(printable)]


class Event(BaseModel):
    """What every event has."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    n: int = Field(ge=1, strict=True)
    group: int = Field(ge=1, strict=True)


class Answered(Event):
    """A decision's answer: an id, a list, faces, a map, a number or a text."""

    do: Literal["answer"] = "answer"
    decision: Printable
    answer: Any


class Advance(Event):
    """A level begins."""

    do: Literal["advance"] = "advance"
    level: int = Field(ge=2, strict=True)


class Set(Event):
    """A name, or a table rule with its value, from here on."""

    do: Literal["set"] = "set"
    name: Printable | None = None
    rule: Printable | None = None
    value: Printable | None = None

    @model_validator(mode="after")
    def one_thing(self) -> Self:
        """Refuse an event that sets nothing, or half a rule, or two things."""
        given = (self.name is not None, self.rule is not None, self.value is not None)
        if given not in ((True, False, False), (False, True, True)):
            raise ValueError('it sets either a "name", or a "rule" to a "value"')
        return self


AnyEvent = Answered | Advance | Set
