"""``ruleset.yaml``: the vocabulary of a game, its creation, its sheet; and its rulings."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from charforge.expressions.formula import Formula
from charforge.expressions.template import NO_BREAK
from charforge.rules.annotations import Names
from charforge.rules.models.base import (
    EntityRefs,
    FieldRef,
    GroupRef,
    Ids,
    KindRefs,
    Modifier,
    PackModel,
    RuleRef,
    RulingRef,
    Slug,
    Text,
    ValueId,
    ValueRef,
    ValueRefs,
    Version,
)
from charforge.rules.models.charts import Chart
from charforge.rules.models.decisions import AnyAsk, AnyStep
from charforge.rules.models.dice import Die, Pool, Symbol
from charforge.rules.models.entities import Table
from charforge.rules.models.odds import OddsSpec
from charforge.rules.models.pack import Patch
from charforge.rules.models.panels import ListSpecs, TrackerSpec
from charforge.rules.models.play import GearSpec, Moment, PlaySpec
from charforge.rules.models.procedures import Procedure
from charforge.rules.models.steps import ChartRef
from charforge.rules.models.tracks import Track

# Far above what any game has; what is larger would only keep a machine busy.
MOST_LEVELS = 100
MOST_VALUES = 300


class Value(PackModel):
    """A word of the ruleset's vocabulary for a number; units say how it is made.

    It is printed with ``before`` and ``unit`` around it: ``d8``, ``10 m``.
    """

    id: ValueId
    label: str
    name: str
    group: GroupRef = ""
    before: str = ""
    unit: str = ""
    text: Text = ""

    @property
    def title(self) -> str:
        """Its name, with its label where that is another word: ``Strength (STR)``."""
        return self.name if self.name == self.label else f"{self.name} ({self.label})"

    def figure(self, number: int) -> str:
        """Print a figure of it."""
        unit = f"{NO_BREAK}{self.unit}" if self.unit else ""
        return f"{self.before}{number}{unit}"


class Computed(PackModel):
    """How a unit type makes a value.

    From a formula, from the sum of a field over what it holds, or only
    from modifiers (then it starts at 0). A ``resource`` goes up and down in
    play; its formula is what it starts with; a ``shared`` one is its
    owner's, so that what is spent of it is the owner's. ``source`` is the
    rule its bounds come from.
    """

    formula: Formula | None = None
    total_of: FieldRef | None = None
    minimum: Formula | None = None
    maximum: Formula | None = None
    resource: bool = False
    shared: bool = False
    source: RuleRef = ""


class UnitType(PackModel):
    """A kind of thing with values of its own: the character, a companion, a vehicle.

    ``level`` is ``own`` (raised by its own advances, up to ``highest``) or
    ``owner``; ``asks`` are the questions of each of its own advances;
    ``pools`` the dice that others roll against it, or it for itself.
    """

    id: Slug
    label: str
    level: Literal["own", "owner"] = "own"
    highest: Formula | None = None
    asks: tuple[AnyAsk, ...] = ()
    values: dict[ValueRef, Computed]
    tables: tuple[Table, ...] = ()
    modifies: tuple[Modifier, ...] = ()
    pools: tuple[Pool, ...] = ()
    source: RuleRef = ""


class OwnField(PackModel):
    """A field that entities of a kind have beside the common ones."""

    type: Literal["text", "number", "flag", "list"]
    label: str


class Kind(PackModel):
    """A kind of entity.

    ``unit`` makes each one gained a unit of that type; ``path`` is its part
    in decision ids where a question spans several kinds; ``single`` means
    that nobody has the same one twice unless it is repeatable; ``held_by``
    whether what a unit is granted stays with it or goes to the character.
    """

    id: Slug
    label: str
    plural: str
    path: str = ""
    unit: Annotated[str, Names("unit type")] | None = None
    single: bool = False
    held_by: Literal["unit", "character"] = "unit"
    fields: dict[str, OwnField] = {}


class Term(PackModel):
    """A word of a fixed vocabulary, such as a damage type."""

    id: Slug
    label: str
    text: Text = ""


class Timing(PackModel):
    """When an action can be used; the order of the list is the sheet's order.

    ``statblock`` is the part of a stat block that such actions stand in.
    """

    id: Slug
    label: str
    text: Text = ""
    statblock: Literal["traits", "actions", "bonus_actions", "reactions"] = "actions"


class RuleOption(PackModel):
    """One way to rule a question that tables rule differently."""

    id: Slug
    label: str


class TableRule(PackModel):
    """A ruling that a group may switch."""

    id: ValueId
    label: str
    options: tuple[RuleOption, ...] = Field(min_length=2)
    default: str
    ruling: RulingRef = ""

    @model_validator(mode="after")
    def default_exists(self) -> Self:
        """Refuse a default that is no option."""
        if self.default not in {option.id for option in self.options}:
            raise ValueError(f"the default {self.default!r} is none of the options")
        return self


class Section(PackModel):
    """A step of creation as the wizard shows it."""

    id: Slug
    label: str
    help: Text = ""


class Advancement(PackModel):
    """Levels: the highest one, and what each level after the first asks."""

    maximum: int = Field(ge=1, le=MOST_LEVELS)
    label: str = "Level"
    asks: tuple[AnyAsk, ...] = ()


class AttackRoll(PackModel):
    """How an attack is rolled, for the sheet's attack lines."""

    dice: str
    trained: int = 0
    trained_label: str = ""
    note: Text = ""


class SheetSpec(PackModel):
    """What the sheet shows, and where. Lists are value ids, kinds or entity ids.

    ``accents`` give a tag of the headline a colour (red, teal, blue);
    ``vitals`` pair a maximum with its current value, ``health`` is that of
    them whose most is the ``hp`` of a stat block; ``cards`` are kinds
    shown as cards, ``items`` as a list (under ``items_label``, or the name of
    the last kind of them that no list shows), ``units`` as panels, ``story``
    the decisions of the story page, ``reference`` the kinds explained when a
    card or item names them, ``always`` those that every sheet explains;
    ``charts`` are printed whole; ``lists`` and ``trackers`` stand beside the
    attributes, and what they show stands nowhere else; ``plate`` are the
    lines to write on beside the name.
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
    plate: tuple[str, ...] = Field(("Player", "Campaign"), min_length=1, max_length=2)
    accents: dict[Annotated[str, Names("tag")], str] = {}

    @model_validator(mode="after")
    def healthy(self) -> Self:
        """Refuse a health that is no vital."""
        if self.health not in (None, *(vital.current for vital in self.vitals)):
            raise ValueError("'health' is the 'current' of one of the vitals")
        return self


class Vital(PackModel):
    """A resource with room to write: its current value and its maximum."""

    current: ValueRef
    max: ValueRef | None = None
    icon: str = ""
    half: bool = False


class Head(PackModel):
    """``ruleset.yaml``: the vocabulary, the order of creation, the sheet."""

    id: Slug
    name: str
    version: Version
    book: str
    text: Text = ""
    values: tuple[Value, ...] = Field(max_length=MOST_VALUES)
    groups: dict[str, str] = {}
    units: tuple[UnitType, ...] = Field(min_length=1)
    kinds: tuple[Kind, ...]
    terms: dict[str, tuple[Term, ...]] = {}
    symbols: tuple[Symbol, ...] = ()
    dice: tuple[Die, ...] = ()
    tracks: tuple[Track, ...] = ()
    timings: tuple[Timing, ...] = ()
    table_rules: tuple[TableRule, ...] = ()
    sections: tuple[Section, ...]
    creation: tuple[AnyStep, ...]
    advancement: Advancement = Advancement.model_construct(maximum=1)
    attack_roll: AttackRoll | None = None
    moments: tuple[Moment, ...] = ()
    # Constructed: to check a default would build its validator at every start.
    play: PlaySpec = PlaySpec.model_construct()
    gear: GearSpec = GearSpec.model_construct()
    sheet: SheetSpec = SheetSpec.model_construct()
    odds: tuple[OddsSpec, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def listed_kinds(self) -> tuple[str, ...]:
        """The kinds that a list of the sheet shows; a name may be a group's instead."""
        return tuple(spec.of for spec in self.sheet.lists if spec.of and spec.of not in self.groups)


class Ruling(PackModel):
    """How a gap or contradiction of the book is ruled; entities name it by id."""

    id: str
    title: str
    question: Text
    ruling: Text
    table_rule: Annotated[str, Names("table rule")] = ""


class Page(PackModel):
    """One YAML file of a pack besides ``ruleset.yaml``."""

    entities: tuple[dict[str, Any], ...] = ()
    rulings: tuple[Ruling, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    charts: tuple[Chart, ...] = ()
    patches: tuple[Patch, ...] = ()
