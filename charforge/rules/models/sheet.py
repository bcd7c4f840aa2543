"""The sheet of a game: its parts, lists, trackers and odds, its theme, and what advice compares."""

from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)

from charforge.expressions.formula import Formula
from charforge.language import N_, _, format_number
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
from charforge.rules.models.procedures import ChartRef
from charforge.rules.models.vocabulary import RollWayRef, one_way

ProcedureName = Annotated[str, Names("procedure")]
MAX_RANGE = 20  # values that an input may take in one table
OddsText = Annotated[
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
    words: tuple[OddsText, ...] = ()
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
    set: dict[ValueId, OddsText] = {}
    vary: OddsRange
    rows: OddsRange | None = None
    apart: OddsRange | None = None
    show: Ids = Field(min_length=1)

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


class BodyMarkSpec(PackModel):
    """A mark on the drawing of a body: its text, and its place in percent from the left and top.

    The drawing faces the reader, so the right side of the body is at the left.
    """

    text: Label = Field(min_length=1, max_length=5)
    x: int = Field(ge=0, le=100)
    y: int = Field(ge=0, le=100)


class TrackerSpec(PackModel):
    """Resources to track on paper.

    Without ``boxes`` there is room to write a number, or the steps of a track. ``body`` draws a
    body beside long lists of boxes: each value it names is marked there and in the list, such as
    with the roll that hits this part. ``body_note`` explains the marks.
    """

    value: ValuesOrGroups = Field(min_length=1)
    boxes: Formula | None = None
    label: Label = ""
    note: Text = ""
    body: dict[ValueRef, BodyMarkSpec] = {}
    body_note: Text = ""

    @model_validator(mode="after")
    def marked_boxes(self) -> Self:
        """Refuse a drawing of a body without boxes, and a note without the drawing."""
        if self.body and self.boxes is None:
            raise ValueError(_("'body' needs 'boxes'"))
        if self.body_note and not self.body:
            raise ValueError(_("'body_note' needs 'body'"))
        return self


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
    """How to check a value or a number of an entity.

    It is added to the ``dice``, or rolled in a way of the game (``roll``). The sheet prints it as
    it is rolled, and the HTML sheet rolls it; the first entry that names a value counts.
    """

    dice: DiceText = ""
    roll: RollWayRef | None = None
    value: ValuesOrGroups = ()
    figure: Ids = ()

    @model_validator(mode="after")
    def something(self) -> Self:
        """Refuse dice for nothing, and two ways to roll."""
        if not self.value and not self.figure:
            raise ValueError(_("name the 'value' or 'figure' that is rolled"))
        return one_way(self, self.dice, self.roll)


class PlaceSpec(PackModel):
    """A place where equipment is carried.

    Each item is listed in the first place that fits; the last place usually lists the rest.
    """

    label: Label
    among: Query = Query.model_construct()
    in_hand: bool = False
    worn: bool = False


class PrimerLine(PackModel):
    """An answer to what a beginner asks in the first round, such as what to roll."""

    label: Label
    text: Text


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
    cards_label: Label = ""
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
    primer: tuple[PrimerLine, ...] = Field((), max_length=3)
    plate: tuple[Label, ...] = Field((N_("Player"), N_("Campaign")), min_length=1, max_length=2)

    @model_validator(mode="after")
    def healthy(self) -> Self:
        """Refuse a health that is no vital."""
        if self.health not in (None, *(vital.current for vital in self.vitals)):
            raise ValueError(_("'health' must be the 'current' of one of the vitals"))
        return self


REFERENCE = "$"  # begins the name of a foe's figure


class FoeFigure(PackModel):
    """A figure of the foe: typed, or the default. ``set`` of a measure names it as ``$id``.

    If the foe is a character, ``formula`` calculates the figure from its values. A ``flag`` is
    0 or 1, and shown only where it is 1; ``text`` explains it, such as what other figures include.
    """

    id: ValueId
    label: Label
    default: OddsText
    flag: bool = False
    text: Text = ""
    formula: Annotated[Formula | None, Names("value")] = None


class Measure(PackModel):
    """A figure by which options are compared: the chance or the mean of an output.

    Without ``procedure`` every attack is tried, and the one with the highest mean counts.
    ``attacker`` says who rolls; a foe that is a character uses its own attacks. ``set`` has
    inputs in words, or as ``$figure`` of the foe; ``figures`` has inputs that are formulas over
    the values of the character. ``look_up`` has inputs that are a value of the other side, if
    that is a character: the value that another input of the attack names. With ``until``, the
    measure is the expected number of rounds until the output adds up to that number.
    """

    id: Slug
    label: Label
    text: Text = ""
    attacker: Literal["self", "foe"] = "self"
    procedure: ProcedureName | None = None
    set: dict[ValueId, OddsText] = {}
    figures: dict[ValueId, Annotated[Formula, Names("value")]] = {}
    look_up: dict[ValueId, ValueId] = {}
    output: ValueId
    until: Annotated[Formula | None, Names("value")] = None
    better: Literal["higher", "lower"] = "higher"


class AdviceSpec(PackModel):
    """The measures of the command ``advise``, the most important first, and the foe."""

    foe: tuple[FoeFigure, ...] = ()
    measures: tuple[Measure, ...] = Field(min_length=1)


PAPER = "#ffffff"
DARK = "#22384a"  # the lightest ground of dark screens; name plates are darker
LEAST_CONTRAST = 4.5  # what WCAG 2 asks of text

Header = Literal["plate", "band", "rule"]
Ornament = Literal["none", "chevrons", "dots", "hatching", "diamonds"]
Mark = Literal["triangle", "cross", "shield", "diamond"]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2 defines it: from 1 (none) to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb``, from 0 (black) to 1 (white)."""
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _quoted(raw: object) -> object:
    """Refuse a colour that YAML has read as a comment, with the reason."""
    if raw is None:
        raise ValueError(_('put a colour in quotes, such as "#b4281e": YAML reads # as a comment'))
    return raw


def _readable_on(ground: str, name: str) -> AfterValidator:
    """Refuse a colour whose contrast to a ground is too low for text."""

    def check(colour: str) -> str:
        found = contrast(colour, ground)
        if found < LEAST_CONTRAST:
            raise ValueError(
                _(
                    "{colour} is hard to read on {name}: its contrast is {found}, "
                    "and must be at least {least_contrast}"
                ).format(
                    colour=colour,
                    name=name,
                    found=format_number(found, ".2f"),
                    least_contrast=LEAST_CONTRAST,
                )
            )
        return colour

    return AfterValidator(check)


Colour = Annotated[str, BeforeValidator(_quoted), StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")]


class Accent(PackModel):
    """An accent colour, on paper and on dark screens."""

    colour: Annotated[Colour, _readable_on(PAPER, "white paper")] = "#444444"
    on_dark: Annotated[Colour, _readable_on(DARK, "dark screens")] = "#c6c6c6"
    mark: Mark = "diamond"


class ThemeSpec(PackModel):
    """The theme of a game's sheets."""

    accent: Accent = Accent.model_construct()
    accents: dict[Annotated[str, Names("tag")], Accent] = {}
    header: Header = "plate"
    ornament: Ornament = "none"
