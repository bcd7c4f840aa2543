"""The events of a log: answers, levels, settings, purchases and play.

``n`` counts the events from 1. ``group`` counts the commands (or levels)
that wrote them, so that a command can be undone as a whole. Lists and maps
report the errors of their parts up to a number: a damaged file can have a
million, and each takes memory (3.5 GB for a file of 4 MB).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import (
    CoreSchema,
    ErrorDetails,
    InitErrorDetails,
    PydanticKnownError,
    core_schema,
)

from charforge.expressions.formula import LARGEST
from charforge.expressions.template import has_unprintable
from charforge.language import _
from charforge.limits import LARGEST_AMOUNT, LARGEST_QUANTITY

MAX_COUNTED = 100  # mistakes of one file: no more are counted
MOST_ERRORS = MAX_COUNTED + 1  # of one list or map, so that it is known whether there are more
FIRST_ONLY = Field(fail_fast=True)  # of a list: its validation ends with the first invalid item


def _validate_list(items: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    """Return a valid list. Raises ValidationError with the errors of its items."""
    try:
        return validate(items)
    except ValidationError as error:
        if not isinstance(items, list):
            raise
        raise first_errors(error.title, _of_list(items, validate)) from error


def _validate_map(data: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    """Return a valid map. Raises ValidationError with the errors of its keys."""
    try:
        return validate(data)
    except ValidationError as error:
        if not isinstance(data, dict):
            raise
        raise first_errors(error.title, _of_map(data, validate)) from error


def first_errors(title: str, errors: Iterable[ErrorDetails]) -> ValidationError:
    """Return the first of some errors as one that can be raised."""
    found: list[InitErrorDetails] = [
        {
            "type": details["type"],
            "loc": details["loc"],
            "input": details["input"],
            "ctx": details.get("ctx", {}),
        }
        for details in islice(errors, MOST_ERRORS)
    ]
    return ValidationError.from_exception_data(title, found)


def _of_list(items: list[Any], validate: ValidatorFunctionWrapHandler) -> Iterator[ErrorDetails]:
    """Yield the errors of a list whose validation stops at the first invalid item."""
    start = 0
    while start < len(items):
        try:
            validate(items[start:])
        except ValidationError as error:
            stopped = start
            for details in error.errors(include_url=False):
                index, *where = details["loc"]
                stopped = start + int(index)
                yield {**details, "loc": (stopped, *where)}
            start = stopped + 1
        else:
            return


def _of_map(data: dict[Any, Any], validate: ValidatorFunctionWrapHandler) -> Iterator[ErrorDetails]:
    """Yield the errors of a map, key by key."""
    for key, value in data.items():
        try:
            validate({key: value})
        except ValidationError as error:
            yield from error.errors(include_url=False)


class Separate(NamedTuple):
    """Annotation: a part is validated by a function, which builds the models that it needs.

    Pydantic would build the schemas of all models of a document at once, which takes longer than
    to read a file: most files have events of a few kinds only, and no replaced packs. ``form``
    is the type in the JSON Schema.
    """

    form: Any
    validate: Callable[[Any], Any]

    def __get_pydantic_core_schema__(
        self, _source: Any, _handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Return the schema with which documents are validated."""
        return core_schema.no_info_plain_validator_function(self.validate)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the JSON Schema of the part."""
        return handler(TypeAdapter[Any](self.form).core_schema)


LIST_ERRORS = WrapValidator(_validate_list)  # all errors of a list, up to MOST_ERRORS
MAP_ERRORS = WrapValidator(_validate_map)


def printable(text: str) -> str:
    """Return a text of one line.

    Raises ValueError for control characters and lone surrogates, which must
    not reach a terminal.
    """
    if has_unprintable(text) or "\n" in text:
        raise ValueError(_("it contains control characters or invalid characters"))
    return text


LONGEST_NOTE = 2000
LONGEST_AUTHOR = 200
LONGEST_STATED_LINE = 80
PORTRAIT = r"^(portrait-[0-9a-f]{16}\.(jpg|png|webp))?$"  # no path to another folder

Printable = Annotated[str, AfterValidator(printable)]
Quantity = Annotated[int, Field(ge=1, le=LARGEST_QUANTITY, strict=True)]
PositiveAmount = Annotated[int, Field(ge=1, le=LARGEST_AMOUNT, strict=True)]
Spent = Annotated[dict[Printable, PositiveAmount], MAP_ERRORS]  # by the id of the resource
SharedNumber = Annotated[int, Field(ge=-LARGEST, le=LARGEST, strict=True)]
Inputs = dict[Printable, int | Printable]  # by the id of the input
RolledFaces = Annotated[list[Annotated[int, Field(strict=True)]], FIRST_ONLY, LIST_ERRORS]
# The faces of the dice by the id of the roll, one list for each time that it was rolled.
FacesByRoll = Annotated[
    dict[Printable, Annotated[list[RolledFaces], FIRST_ONLY, LIST_ERRORS]], MAP_ERRORS
]


class FilePart(BaseModel):
    """A part of a character file: it has exactly its keys and never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Pin(FilePart):
    """The version of a pack that a character was made with or last updated to."""

    id: Printable
    version: Printable
    hash: Printable


Pins = Annotated[tuple[Pin, ...], FIRST_ONLY, LIST_ERRORS]


class SharedReading(FilePart):
    """A member's reading of what the group owns: its id, its name, its values.

    ``bounds`` are the least and most of the values that can change in play.
    """

    id: Printable
    name: Printable
    values: Annotated[dict[Printable, SharedNumber], MAP_ERRORS]
    bounds: Annotated[dict[Printable, tuple[SharedNumber, SharedNumber]], MAP_ERRORS] = {}


class SharedChange(FilePart):
    """A change that was saved in two files: that of a member and that of what the group owns.

    Both have the same ``id``, and each names the id of the ``other`` file's document. In the
    member's file ``by`` is by how much the values of what the group owns changed; only there.
    """

    id: Printable
    other: Printable
    by: Annotated[dict[Printable, SharedNumber], MAP_ERRORS] = {}

    @property
    def is_members(self) -> bool:
        """Whether it is the member's part of the change."""
        return bool(self.by)


def _optional(model: type[BaseModel]) -> Separate:
    """Return the annotation of a part that most events do not have."""
    return Separate(model | None, lambda data: None if data is None else model.model_validate(data))


class Event(FilePart):
    """The base class of events: the number of an event and of its group.

    ``author`` is who made the change and ``at`` the date and time, if that
    was asked for; ``shared`` what was read of what the group owns, if that
    differs from before; ``change`` a change that was saved in two files. The
    first event of a group has them.
    """

    n: int = Field(ge=1, strict=True)
    group: int = Field(ge=1, strict=True)
    author: Annotated[Printable, StringConstraints(max_length=LONGEST_AUTHOR)] = ""
    at: Printable = ""
    shared: Annotated[SharedReading | None, _optional(SharedReading)] = None
    change: Annotated[SharedChange | None, _optional(SharedChange)] = None


class Override(FilePart):
    """Permission for an answer that the rules forbid: by whom, and the reason."""

    by: Printable = Field(min_length=1)
    reason: Printable = Field(min_length=1)


class AnswerEvent(Event):
    """The answer of a decision: an id, a list, the faces of dice, a map, a number or a text.

    It counts at the decision's own place, wherever it is in the log; with
    ``now`` it counts from this event on.
    """

    do: Literal["answer"] = "answer"
    decision: Printable
    answer: Any
    now: bool = False
    override: Override | None = None


class AdvanceEvent(Event):
    """The character, or a unit with levels of its own, reaches a level.

    ``spent`` are the resources of the character that it costs; ``override`` allowed one whose
    requirement was not met, or that costs more than there was.
    """

    do: Literal["advance"] = "advance"
    level: int = Field(ge=2, strict=True)
    unit: Printable | None = None
    spent: Spent = {}
    override: Override | None = None


class SetEvent(Event):
    """Set a name (the character's or a unit's), a table rule, a portrait, a line, or the packs.

    It holds from this event on. ``line`` is the number of a line at the head of
    the sheet, such as Player; an empty text erases it. A portrait is a file in the character's
    folder, named with its hash; an empty name removes it. ``packs`` are the
    pins after an update, ``former`` those before it, so that it can be undone.
    """

    do: Literal["set"] = "set"
    name: Printable | None = None
    unit: Printable | None = None
    rule: Printable | None = None
    line: Annotated[int, Field(ge=1, strict=True)] | None = None
    value: Annotated[Printable, StringConstraints(max_length=LONGEST_STATED_LINE)] | None = None
    portrait: Annotated[str, StringConstraints(pattern=PORTRAIT)] | None = None
    packs: Pins | None = None
    former: Pins | None = None

    @model_validator(mode="after")
    def check_one_setting(self) -> Self:
        """Refuse an event that sets nothing, or half a rule, or two things."""
        keys = ("name", "rule", "line", "value", "portrait", "packs", "former")
        present = tuple(key for key in keys if getattr(self, key) is not None)
        pairs = (("rule", "value"), ("line", "value"), ("packs", "former"))
        valid = present in (("name",), ("portrait",), *pairs)
        if not valid or (self.unit and self.name is None):
            raise ValueError(
                _(
                    'it must set exactly one of: a "name", or a "rule" or "line" to a "value", or '
                    'a "portrait", or "packs" after their "former" ones'
                )
            )
        return self


class PlanEvent(Event):
    """Plan the answer to a later decision; ``drop`` removes it from the plan."""

    do: Literal["plan"] = "plan"
    decision: Printable
    answer: Any = None
    drop: bool = False


class AcquireEvent(Event):
    """A unit gains an entity: bought for ``price`` each, or as a gift.

    ``granted`` marks a gift of the GM beyond the rules, which uses up no
    budget; ``override`` allows one beyond a limit. The id of the holding is
    ``event.N``.
    """

    do: Literal["acquire"] = "acquire"
    entity: Printable
    quantity: Quantity = 1
    price: int | None = Field(None, ge=0, le=LARGEST_AMOUNT, strict=True)
    unit: Printable = "character"
    granted: bool = False
    note: Printable = ""
    override: Override | None = None


class DropEvent(Event):
    """Remove pieces of a holding: sold for ``price`` each, dropped or given away."""

    do: Literal["part"] = "part"
    holding: Printable
    quantity: Quantity = 1
    price: int | None = Field(None, ge=0, le=LARGEST_AMOUNT, strict=True)
    note: Printable = ""


class CarryEvent(Event):
    """Take a piece of a holding in hand, stow it, put it on, or take it off.

    ``how`` is what the command is called; ``counted`` if that uses an action of the rules.
    """

    do: Literal["carry"] = "carry"
    how: Literal["hold", "stow", "wear", "take-off"]
    holding: Printable
    counted: bool = False


class ResourceEvent(Event):
    """Change a resource by hand: a value of a unit, or what a holding carries."""

    do: Literal["change"] = "change"
    value: Printable
    by: int = Field(ge=-LARGEST_AMOUNT, le=LARGEST_AMOUNT, strict=True)
    unit: Printable = "character"
    holding: Printable | None = None
    note: Printable = ""


class ConditionEvent(Event):
    """Put a condition on a unit by hand; with ``off`` remove it.

    ``about`` is whom or what it concerns; ``turns`` replaces its usual duration.
    """

    do: Literal["condition"] = "condition"
    condition: Printable
    unit: Printable = "character"
    amount: Quantity | None = None
    off: bool = False
    about: Printable = ""
    turns: Quantity | None = None


class CooldownEvent(Event):
    """Start the cooldown of an action of a holding by hand; with ``off`` end it."""

    do: Literal["cooldown"] = "cooldown"
    holding: Printable
    ability: Printable
    unit: Printable = "character"
    off: bool = False


class ProcedureEvent(Event):
    """Run a procedure; each replay runs it again with these inputs and dice.

    ``override`` allowed what a limit or a lenient requirement forbids.
    """

    do: Literal["play"] = "play"
    procedure: Printable
    unit: Printable = "character"
    override: Override | None = None
    inputs: Inputs = {}
    faces: FacesByRoll = {}


class AbilityEvent(Event):
    """Use an action or attack of a holding; each replay uses it again.

    ``untrained`` is true for a use without the Training it requires;
    ``override`` allows one beyond its limit, lenient requirements or during
    its cooldown. One that
    another ability ``granted`` is none of the actions of the turn; one that
    was ``spared`` did not cost what it costs in combat.
    """

    do: Literal["use"] = "use"
    holding: Printable
    ability: Printable
    unit: Printable = "character"
    untrained: bool = False
    override: Override | None = None
    granted: bool = False
    spared: bool = False
    inputs: Inputs = {}
    faces: FacesByRoll = {}


class NoteEvent(Event):
    """Add a note; unlike other events it always has the date and time."""

    do: Literal["note"] = "note"
    text: Annotated[Printable, StringConstraints(min_length=1, max_length=LONGEST_NOTE)]


AnyEvent = (
    AnswerEvent
    | AdvanceEvent
    | SetEvent
    | PlanEvent
    | AcquireEvent
    | DropEvent
    | CarryEvent
    | ResourceEvent
    | ConditionEvent
    | CooldownEvent
    | ProcedureEvent
    | AbilityEvent
    | NoteEvent
)
EVENT_TYPES: tuple[type[Event], ...] = get_args(AnyEvent)
EVENT_KINDS = {kind.model_fields["do"].default: kind for kind in EVENT_TYPES}


def _validate_event(data: Any) -> Event:
    """Return the event that data describe. Raises ValidationError and PydanticKnownError."""
    if isinstance(data, Event):
        return data
    if not isinstance(data, Mapping):
        raise PydanticKnownError("model_attributes_type")
    tag = data.get("do")
    if tag is None:
        raise PydanticKnownError("union_tag_not_found", {"discriminator": "'do'"})
    kind = EVENT_KINDS.get(tag) if isinstance(tag, str) else None
    if kind is None:
        expected = ", ".join(map(repr, EVENT_KINDS))
        known = {"discriminator": "'do'", "tag": str(tag), "expected_tags": expected}
        raise PydanticKnownError("union_tag_invalid", known)
    try:
        return kind.model_validate(data)
    except ValidationError as error:  # as in a union, the kind is a part of the place
        details = error.errors(include_url=False)
        raise first_errors(
            error.title, ({**d, "loc": (tag, *d["loc"])} for d in details)
        ) from error


BY_KIND = Separate(Annotated[AnyEvent, Field(discriminator="do")], _validate_event)
LoggedEvent = Annotated[AnyEvent, BY_KIND]
PLAY_EVENTS = (ResourceEvent, ConditionEvent, CooldownEvent, ProcedureEvent, AbilityEvent)
