"""``ruleset.yaml``: the vocabulary of a game, its creation, its sheet; and its rulings."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from charforge.content.marks import Names
from charforge.content.models.clauses import (
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
)
from charforge.content.models.entities import Table
from charforge.content.models.play import GearSpec, Moment, PlaySpec
from charforge.content.models.procedures import Procedure
from charforge.content.models.questions import AnyAsk, AnyStep
from charforge.formula import Formula


class Value(PackModel):
    """A word of the ruleset's vocabulary for a number; units say how it is made."""

    id: ValueId
    label: str
    name: str
    group: GroupRef = ""
    unit: str = ""
    text: Text = ""


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
    ``owner``; ``asks`` are the questions of each of its own advances.
    """

    id: Slug
    label: str
    level: Literal["own", "owner"] = "own"
    highest: Formula | None = None
    asks: tuple[AnyAsk, ...] = ()
    values: dict[ValueRef, Computed]
    tables: tuple[Table, ...] = ()
    modifies: tuple[Modifier, ...] = ()
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


class Die(PackModel):
    """A die with the numbers it shows."""

    id: ValueId
    faces: tuple[int, ...] = Field(min_length=1)


class TrackStep(PackModel):
    """One step of a track, and what it changes while one stands on it."""

    id: Slug
    label: str
    text: Text = ""
    modifies: tuple[Modifier, ...] = ()


class Track(PackModel):
    """An ordered track, such as morale or a condition track."""

    id: Slug
    label: str
    steps: tuple[TrackStep, ...] = Field(min_length=1)
    start: Annotated[str, Names("step of this track")]
    source: RuleRef = ""


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

    maximum: int = Field(ge=1)
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
    ``vitals`` pair a maximum with its current value; ``cards`` are kinds
    shown as cards, ``items`` as a list, ``units`` as panels, ``story`` the
    decisions of the story page, ``reference`` the kinds explained when a
    card or item names them, ``always`` those that every sheet explains.
    """

    headline: KindRefs = ()
    attributes: GroupRef = ""
    vitals: tuple[Vital, ...] = ()
    figures: ValueRefs = ()
    cards: KindRefs = ()
    items: KindRefs = ()
    story: Annotated[Ids, Names("question")] = ()
    reference: KindRefs = ()
    always: EntityRefs = ()
    conditions: EntityRefs = ()
    actions: Annotated[str, Names("kind")] = ""
    accents: dict[Annotated[str, Names("tag")], str] = {}


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
    version: str
    book: str
    text: Text = ""
    values: tuple[Value, ...]
    groups: dict[str, str] = {}
    units: tuple[UnitType, ...] = Field(min_length=1)
    kinds: tuple[Kind, ...]
    terms: dict[str, tuple[Term, ...]] = {}
    dice: tuple[Die, ...] = ()
    tracks: tuple[Track, ...] = ()
    timings: tuple[Timing, ...] = ()
    table_rules: tuple[TableRule, ...] = ()
    sections: tuple[Section, ...]
    creation: tuple[AnyStep, ...]
    advancement: Advancement = Advancement(maximum=1)
    attack_roll: AttackRoll | None = None
    moments: tuple[Moment, ...] = ()
    play: PlaySpec = PlaySpec()
    gear: GearSpec = GearSpec()
    sheet: SheetSpec = SheetSpec()
    names: tuple[str, ...] = ()


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
