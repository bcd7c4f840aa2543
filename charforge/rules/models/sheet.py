"""The sheet: which parts it has, its lists and trackers, its tables of odds."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from charforge.expressions.formula import Formula
from charforge.rules.models.base import (
    EntityRefs,
    GroupRef,
    Ids,
    KindRefs,
    Names,
    PackModel,
    Query,
    Slug,
    Text,
    TextFieldRef,
    UnitTypes,
    ValueId,
    ValueRef,
    ValueRefs,
    ValuesOrGroups,
)
from charforge.rules.models.steps import ChartRef

ProcedureName = Annotated[str, Names("procedure")]
MAX_RANGE = 20  # values that an input may take in one table
Word = Annotated[
    str,
    Field(coerce_numbers_to_str=True, min_length=1),
    WithJsonSchema({"type": ["string", "number"], "minLength": 1}),
]


class OddsRange(PackModel):
    """The values of an input for a table of odds: numbers ``from`` to ``to``, or ``words``.

    ``label`` is the heading, if not the label of the input.
    """

    input: ValueId
    from_: int | None = Field(None, alias="from")
    to: int | None = None
    words: tuple[Word, ...] = ()
    label: str = ""

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse numbers and words together, neither of them, and too many."""
        numbers = self.from_ is not None and self.to is not None
        if numbers == bool(self.words) or (self.from_ is None) != (self.to is None):
            raise ValueError("set 'from' and 'to', or 'words'")
        if not 1 <= len(self.values) <= MAX_RANGE:
            raise ValueError(f"an input can have 1 to {MAX_RANGE} values")
        return self

    @property
    def values(self) -> tuple[str, ...]:
        """Each value, in words."""
        if self.from_ is None or self.to is None:
            return self.words
        return tuple(map(str, range(self.from_, self.to + 1)))


class OddsSpec(PackModel):
    """A table of odds: a row for ``each`` thing, a column for each value of the input ``vary``.

    ``each`` is every ``attack`` of the character and its units (with the
    attack procedure, if no other is named), every ``item`` of a ``kind``
    (passed as ``input``), every ``unit``, or ``once``. With ``apart`` there
    is a separate table for each value of another input. ``set`` are fixed
    inputs; ``show`` the outputs in each cell: the chance of a yes-or-no
    output, the mean of a number. Choices use the suggested answer, or the
    ``best`` one for an output.
    """

    id: Slug
    label: str
    text: Text = ""
    each: Literal["attack", "item", "unit", "once"] = "once"
    kind: KindRefs = ()
    input: ValueId | None = None
    procedure: ProcedureName | None = None
    set: dict[ValueId, Word] = {}
    vary: OddsRange
    apart: OddsRange | None = None
    show: Ids = Field(min_length=1)
    best: ValueId | None = None

    @model_validator(mode="after")
    def complete_rows(self) -> Self:
        """Refuse items without an input to pass them in, and rows without a procedure."""
        if (self.each == "item") != bool(self.kind) or (self.each == "item") != bool(self.input):
            raise ValueError("'kind' and 'input' belong to each item, and to nothing else")
        if self.each != "attack" and self.procedure is None:
            raise ValueError("only attacks can have a procedure")
        return self

    @property
    def spans(self) -> tuple[OddsRange, ...]:
        """The inputs that vary."""
        return (self.vary,) if self.apart is None else (self.vary, self.apart)


def _of(raw: object) -> object:
    return {"of": raw} if isinstance(raw, str) else raw


class ListSpec(PackModel):
    """A compact list: the values of a group, all holdings of a kind, or the ``values`` named.

    A name alone is ``of``. ``label`` is the heading, if not that of the
    group or kind; empty lines to write on fill it up to ``lines``.
    """

    of: Annotated[str, Names("group or kind")] = ""
    values: ValuesOrGroups = ()
    label: str = ""
    lines: int = Field(0, ge=0, le=30)

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse a list of nothing or of two things, and values without a heading."""
        if bool(self.of) == bool(self.values):
            raise ValueError("a list needs either 'of' (a group or a kind) or 'values'")
        if self.values and not self.label:
            raise ValueError("a list of 'values' needs a 'label'")
        return self


class TrackerSpec(PackModel):
    """Resources to track on paper: a ``value``, several, or a ``group:NAME`` of them.

    ``boxes`` is a formula for the number of boxes to tick; without it there
    is room to write a number, or the steps of a track. ``label`` is the
    heading; ``note`` explains each, if not the text of its value.
    """

    value: ValuesOrGroups = Field(min_length=1)
    boxes: Formula | None = None
    label: str = ""
    note: Text = ""


ListSpecs = tuple[
    Annotated[ListSpec, BeforeValidator(_of, json_schema_input_type=str | ListSpec)], ...
]


class Vital(PackModel):
    """A resource with room to write: its current value and its maximum."""

    current: ValueRef
    max: ValueRef | None = None
    icon: str = ""
    half: bool = False


class CombatLine(PackModel):
    """A fact of the combat strip: something that a unit needs in every round of a fight.

    It is a ``text`` with figures (``{2d6 + AGI}``) under a ``label``; a
    ``field`` of the unit's entity, or else the ``text``; or each ``value``
    (also ``group:NAME``) under its own label, with ``hide_zero`` only while it
    is not 0. It is for units of the types ``units``, or else for all units
    that have the values it reads, while ``when`` holds.
    """

    label: str = ""
    text: Text = ""
    field: TextFieldRef = ""
    value: ValuesOrGroups = ()
    hide_zero: bool = False
    units: UnitTypes = ()
    when: Formula | None = None

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse a line without contents, and a text or field without a label."""
        if bool(self.value) == bool(self.text or self.field):
            raise ValueError("a line needs either 'value', or 'text' or 'field' or both")
        if bool(self.value) == bool(self.label):
            raise ValueError("'text' and 'field' need a 'label'; a 'value' already has one")
        if self.hide_zero and not self.value:
            raise ValueError("'hide_zero' is for a 'value'; a text has 'when'")
        return self


class CheckSpec(PackModel):
    """The ``dice`` of a check: to them a player adds a ``value``, or a ``figure`` of an entity.

    Programs roll them; the first entry that names a value counts.
    """

    dice: str
    value: ValuesOrGroups = ()
    figure: Ids = ()

    @model_validator(mode="after")
    def something(self) -> Self:
        """Refuse dice for nothing."""
        if not self.value and not self.figure:
            raise ValueError("name the 'value' or 'figure' that is added to the dice")
        return self


class PlaceSpec(PackModel):
    """A group of the equipment, by where it is carried: the items that ``among`` selects.

    With ``in_hand`` only those that are held. An item is in the first place
    that fits; the last place usually takes all that is left.
    """

    label: str
    among: Query = Query.model_construct()
    in_hand: bool = False


class SheetSpec(PackModel):
    """The contents of the sheet. Lists contain value ids, kinds or entity ids.

    ``vitals`` pair a maximum with its current value; the maximum of
    ``health`` is the ``hp`` of a stat block. ``cards`` are kinds shown as
    cards, ``items`` as a list (under ``items_label``, or the name of its last
    kind that no other list shows), ``units`` as panels. ``story`` are the
    decisions of the story page; ``reference`` the kinds to explain if a card
    or item mentions them; ``always`` the entities to explain on every sheet.
    ``charts`` are printed completely. ``lists`` and ``trackers`` are beside
    the attributes; what they show is not repeated elsewhere. ``combat`` is
    what a unit needs in every round of a fight, above its attacks; ``checks``
    are the dice that go with its values. ``places`` group the equipment.
    ``plate`` are the lines to write on beside the name.
    """

    headline: KindRefs = ()
    attributes: GroupRef = ""
    vitals: tuple[Vital, ...] = ()
    health: ValueRef | None = None
    figures: ValueRefs = ()
    cards: KindRefs = ()
    items: KindRefs = ()
    items_label: str = ""
    story: Annotated[Ids, Names("question")] = ()
    reference: KindRefs = ()
    always: EntityRefs = ()
    conditions: EntityRefs = ()
    actions: Annotated[str, Names("kind")] = ""
    charts: tuple[ChartRef, ...] = ()
    lists: ListSpecs = ()
    trackers: tuple[TrackerSpec, ...] = ()
    combat: tuple[CombatLine, ...] = ()
    checks: tuple[CheckSpec, ...] = ()
    places: tuple[PlaceSpec, ...] = ()
    plate: tuple[str, ...] = Field(("Player", "Campaign"), min_length=1, max_length=2)

    @model_validator(mode="after")
    def healthy(self) -> Self:
        """Refuse a health that is no vital."""
        if self.health not in (None, *(vital.current for vital in self.vitals)):
            raise ValueError("'health' must be the 'current' of one of the vitals")
        return self
