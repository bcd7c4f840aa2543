"""``ruleset.yaml``: units and kinds of entity, creation, advancement, table rules, the sheet."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from charforge.expressions.formula import Formula
from charforge.rules.models.base import (
    FieldRef,
    Modifier,
    Names,
    PackModel,
    RuleRef,
    RulingRef,
    Slug,
    Text,
    ValueId,
    ValueRef,
    Version,
)
from charforge.rules.models.decisions import AnyAsk, AnyStep
from charforge.rules.models.entities import LevelTable
from charforge.rules.models.play import GearSpec, Moment, PlaySpec
from charforge.rules.models.sheet import OddsSpec, SheetSpec
from charforge.rules.models.vocabulary import Die, Pool, Symbol, Term, Timing, Track, Value

# Far above what any game has; what is larger would only keep a machine busy.
MOST_LEVELS = 100
MOST_VALUES = 300


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
    tables: tuple[LevelTable, ...] = ()
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
