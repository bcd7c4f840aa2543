"""The sheet: which parts it has, its lists and trackers, its tables of odds."""

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from charforge.expressions.formula import Formula
from charforge.language import N_, _
from charforge.rules.models.base import (
    DiceText,
    EntityRefs,
    GroupRef,
    Ids,
    KindRefs,
    Label,
    Names,
    PackModel,
    Query,
    RuleRef,
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
    label: Label = ""

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse numbers and words together, neither of them, and too many."""
        numbers = self.from_ is not None and self.to is not None
        if numbers == bool(self.words) or (self.from_ is None) != (self.to is None):
            raise ValueError(_("set 'from' and 'to', or 'words'"))
        if not 1 <= len(self.values) <= MAX_RANGE:
            raise ValueError(
                _("an input can have 1 to {max_range} values").format(max_range=MAX_RANGE)
            )
        return self

    @property
    def values(self) -> tuple[str, ...]:
        """Each value, in words."""
        if self.from_ is None or self.to is None:
            return self.words
        return tuple(map(str, range(self.from_, self.to + 1)))


class OddsSpec(PackModel):
    """A table of odds: a row for each thing, a column for each value of an input.

    With ``rows`` it needs no character: it has a row for each value of another input, and is
    printed in the rulebook in place of sheets.
    """

    id: Slug
    label: Label
    text: Text = ""
    each: Literal["attack", "action", "item", "unit", "once"] = "once"
    kind: KindRefs = ()
    input: ValueId | None = None
    procedure: ProcedureName | None = None
    set: dict[ValueId, Word] = {}
    vary: OddsRange
    rows: OddsRange | None = None
    apart: OddsRange | None = None
    show: Ids = Field(min_length=1)
    best: ValueId | None = None

    @model_validator(mode="after")
    def complete_rows(self) -> Self:
        """Refuse items without an input to pass them in, and rows without a procedure."""
        if (self.each == "item") != bool(self.kind) or (self.each == "item") != bool(self.input):
            raise ValueError(_("'kind' and 'input' belong to each item, and to nothing else"))
        if self.rows is not None and self.each != "once":
            raise ValueError(_("'rows' belongs to 'each: once'"))
        if self.each != "attack" and self.procedure is None:
            raise ValueError(_("only attacks can have a procedure"))
        return self

    @property
    def spans(self) -> tuple[OddsRange, ...]:
        """The inputs that vary."""
        return tuple(span for span in (self.vary, self.rows, self.apart) if span is not None)


def _of(raw: object) -> object:
    return {"of": raw} if isinstance(raw, str) else raw


class ListSpec(PackModel):
    """A compact list: the values of a group, all holdings of a kind, or certain values."""

    of: Annotated[str, Names("group or kind")] = ""
    values: ValuesOrGroups = ()
    label: Label = ""
    lines: int = Field(0, ge=0, le=30)

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse a list of nothing or of two things, and values without a heading."""
        if bool(self.of) == bool(self.values):
            raise ValueError(_("a list needs either 'of' (a group or a kind) or 'values'"))
        if self.values and not self.label:
            raise ValueError(_("a list of 'values' needs a 'label'"))
        return self


class TrackerSpec(PackModel):
    """Resources to track on paper.

    Without ``boxes`` there is room to write a number, or the steps of a track.
    """

    value: ValuesOrGroups = Field(min_length=1)
    boxes: Formula | None = None
    label: Label = ""
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
    """An entry of the combat strip, which has what a unit needs in every round of a fight.

    ``source`` is the rule that explains it.
    """

    label: Label = ""
    text: Text = ""
    field: TextFieldRef = ""
    value: ValuesOrGroups = ()
    hide_zero: bool = False
    units: UnitTypes = ()
    when: Formula | None = None
    source: RuleRef = ""

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse a line without contents, and a text or field without a label."""
        if bool(self.value) == bool(self.text or self.field):
            raise ValueError(_("a line needs either 'value', or 'text' or 'field' or both"))
        if bool(self.value) == bool(self.label):
            raise ValueError(_("'text' and 'field' need a 'label'; a 'value' already has one"))
        if self.hide_zero and not self.value:
            raise ValueError(_("'hide_zero' is for a 'value'; a text has 'when'"))
        return self


class CheckSpec(PackModel):
    """The dice of a check, to which players add a value or a number of an entity.

    The HTML sheet rolls them; the first entry that names a value counts.
    """

    dice: DiceText
    value: ValuesOrGroups = ()
    figure: Ids = ()

    @model_validator(mode="after")
    def something(self) -> Self:
        """Refuse dice for nothing."""
        if not self.value and not self.figure:
            raise ValueError(_("name the 'value' or 'figure' that is added to the dice"))
        return self


class PlaceSpec(PackModel):
    """A place where equipment is carried.

    Each item is listed in the first place that fits; the last place usually lists the rest.
    """

    label: Label
    among: Query = Query.model_construct()
    in_hand: bool = False
    worn: bool = False


class SheetSpec(PackModel):
    """The contents of the sheet.

    ``lists`` and ``trackers`` are printed beside the attributes; what they show is not repeated
    elsewhere.
    """

    headline: KindRefs = ()
    attributes: GroupRef = ""
    vitals: tuple[Vital, ...] = ()
    health: ValueRef | None = None
    figures: ValueRefs = ()
    cards: KindRefs = ()
    items: KindRefs = ()
    items_label: Label = ""
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
    plate: tuple[Label, ...] = Field((N_("Player"), N_("Campaign")), min_length=1, max_length=2)

    @model_validator(mode="after")
    def healthy(self) -> Self:
        """Refuse a health that is no vital."""
        if self.health not in (None, *(vital.current for vital in self.vitals)):
            raise ValueError(_("'health' must be the 'current' of one of the vitals"))
        return self
