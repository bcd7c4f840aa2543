"""The events of a log: what was answered, reached, set, owned, played.

``n`` counts the events from 1; ``group`` the commands (or levels) they
came from, so that one can be taken back as a whole.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from charforge.expressions.template import has_unprintable


def printable(text: str) -> str:
    """Refuse control characters and lone surrogates, which no terminal should be sent."""
    if has_unprintable(text) or "\n" in text:
        raise ValueError("it holds control characters or broken signs")
    return text


LARGEST_AMOUNT = 1_000_000_000
LONGEST_NOTE = 2000
PORTRAIT = r"^(portrait-[0-9a-f]{16}\.(jpg|png|webp))?$"  # no way out of the folder

Printable = Annotated[str, AfterValidator(printable)]
Quantity = Annotated[int, Field(ge=1, le=100_000, strict=True)]
Faces = dict[Printable, list[list[Annotated[int, Field(strict=True)]]]]


class Pin(BaseModel):
    """A pack as it was when the character was made with it, or last updated to it."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    id: Printable
    version: Printable
    hash: Printable


class Event(BaseModel):
    """The base of all events: number and group."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    n: int = Field(ge=1, strict=True)
    group: int = Field(ge=1, strict=True)


class Override(BaseModel):
    """Who allowed what the rules forbid, and why."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    by: Printable = Field(min_length=1)
    reason: Printable = Field(min_length=1)


class AnswerEvent(Event):
    """A decision's answer: an id, a list, faces, a map, a number or a text.

    It counts at the decision's own place, wherever it stands in the log;
    with ``now`` from here on instead.
    """

    do: Literal["answer"] = "answer"
    decision: Printable
    answer: Any
    now: bool = False
    override: Override | None = None


class AdvanceEvent(Event):
    """A level begins: the character's, or a unit's own."""

    do: Literal["advance"] = "advance"
    level: int = Field(ge=2, strict=True)
    unit: Printable | None = None


class SetEvent(Event):
    """A name (the character's or a unit's), a table rule with its value, a portrait, or packs.

    It holds from here on. A portrait is a file beside the character's own,
    named with its hash (see ``document.portrait``); an empty name takes
    it away. ``packs`` are the pins that an update took, ``former`` those
    that it replaced, so that it can be taken back.
    """

    do: Literal["set"] = "set"
    name: Printable | None = None
    unit: Printable | None = None
    rule: Printable | None = None
    value: Printable | None = None
    portrait: Annotated[str, StringConstraints(pattern=PORTRAIT)] | None = None
    packs: tuple[Pin, ...] | None = None
    former: tuple[Pin, ...] | None = None

    @model_validator(mode="after")
    def one_thing(self) -> Self:
        """Refuse an event that sets nothing, or half a rule, or two things."""
        keys = ("name", "rule", "value", "portrait", "packs", "former")
        given = tuple(key for key in keys if getattr(self, key) is not None)
        one = given in (("name",), ("rule", "value"), ("portrait",), ("packs", "former"))
        if not one or (self.unit and self.name is None):
            raise ValueError(
                'it sets either a "name", or a "rule" to a "value", or a "portrait", '
                'or "packs" after their "former" ones'
            )
        return self


class PlanEvent(Event):
    """A planned answer to a later decision; ``drop`` removes it from the plan."""

    do: Literal["plan"] = "plan"
    decision: Printable
    answer: Any = None
    drop: bool = False


class AcquireEvent(Event):
    """Something comes to a unit: bought at ``price`` each, or given.

    ``granted`` marks what the GM gave beyond the rules: it takes nothing of
    a budget. Its instance id is ``event.N``.
    """

    do: Literal["acquire"] = "acquire"
    entity: Printable
    quantity: Quantity = 1
    price: int | None = Field(None, ge=0, le=LARGEST_AMOUNT, strict=True)
    unit: Printable = "character"
    granted: bool = False
    note: Printable = ""


class PartEvent(Event):
    """Some pieces of a holding go: sold at ``price`` each, or lost."""

    do: Literal["part"] = "part"
    holding: Printable
    quantity: Quantity = 1
    price: int | None = Field(None, ge=0, le=LARGEST_AMOUNT, strict=True)
    note: Printable = ""


class HoldEvent(Event):
    """A piece of a holding is taken in hand."""

    do: Literal["hold"] = "hold"
    holding: Printable
    note: Printable = ""


class StowEvent(Event):
    """A piece of a holding is put away."""

    do: Literal["stow"] = "stow"
    holding: Printable


class ResourceEvent(Event):
    """A resource changes by hand: a unit's value, or what a holding carries."""

    do: Literal["change"] = "change"
    value: Printable
    by: int = Field(ge=-LARGEST_AMOUNT, le=LARGEST_AMOUNT, strict=True)
    unit: Printable = "character"
    holding: Printable | None = None
    note: Printable = ""


class ConditionEvent(Event):
    """A condition is put on a unit by hand, or (``off``) taken off it."""

    do: Literal["condition"] = "condition"
    condition: Printable
    unit: Printable = "character"
    amount: Quantity | None = None
    off: bool = False
    about: Printable = ""


class CooldownEvent(Event):
    """An action of a holding goes on cooldown by hand, or (``off``) comes off it."""

    do: Literal["cooldown"] = "cooldown"
    holding: Printable
    ability: Printable
    unit: Printable = "character"
    off: bool = False


class ProcedureEvent(Event):
    """A procedure was run: with these inputs and dice it is run again at each replay."""

    do: Literal["play"] = "play"
    procedure: Printable
    unit: Printable = "character"
    inputs: dict[Printable, int | Printable] = {}
    faces: Faces = {}


class AbilityEvent(Event):
    """An action or attack of a holding was used."""

    do: Literal["use"] = "use"
    holding: Printable
    ability: Printable
    unit: Printable = "character"
    untrained: bool = False
    inputs: dict[Printable, int | Printable] = {}
    faces: Faces = {}


class NoteEvent(Event):
    """Something worth remembering; ``at`` is the time by the clock."""

    do: Literal["note"] = "note"
    text: Annotated[Printable, StringConstraints(min_length=1, max_length=LONGEST_NOTE)]
    at: Printable = ""


AnyEvent = (
    AnswerEvent
    | AdvanceEvent
    | SetEvent
    | PlanEvent
    | AcquireEvent
    | PartEvent
    | HoldEvent
    | StowEvent
    | ResourceEvent
    | ConditionEvent
    | CooldownEvent
    | ProcedureEvent
    | AbilityEvent
    | NoteEvent
)
EVENT_TYPES: tuple[type[Event], ...] = get_args(AnyEvent)
PLAY_EVENTS = (ResourceEvent, ConditionEvent, CooldownEvent, ProcedureEvent, AbilityEvent)
