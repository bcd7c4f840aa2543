"""The shapes of a pack: what a YAML file may say, and why.

Every model is frozen and forbids unknown keys, so a typing mistake is an
error at its line and never a silent default. Nothing here knows a game:
the words of one are its pack's ids.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from charforge.content.marks import Figures, Names
from charforge.formula import Formula

EntityId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]+/[a-z0-9]+(-[a-z0-9]+)*$")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+([-_.][a-z0-9]+)*$")]
ValueId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Target = Annotated[str, StringConstraints(pattern=r"^(\$|group:)?[a-z][a-z0-9_-]*$")]
Text = Annotated[
    str,
    StringConstraints(strip_whitespace=True, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$"),
    Figures(),
]


def _as_tuple(raw: object) -> object:
    return (raw,) if isinstance(raw, str) else raw


Ids = Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]

# What names something defined elsewhere in the pack; see marks.py.
EntityRef = Annotated[EntityId, Names("entity")]
EntityRefs = Annotated[Ids, Names("entity")]
ValueRef = Annotated[ValueId, Names("value")]
ValueRefs = Annotated[Ids, Names("value")]
KindRefs = Annotated[Ids, Names("kind")]
TagRefs = Annotated[Ids, Names("tag")]
RuleRef = Annotated[str, Names("entity")]  # empty where nothing is named
SectionRef = Annotated[str, Names("section")]
GroupRef = Annotated[str, Names("group")]
RulingRef = Annotated[str, Names("ruling")]
RollRef = Annotated[str, Names("roll")]
FieldRef = Annotated[str, Names("field")]
TimingRef = Annotated[Slug, Names("timing")]
ResourceRef = Annotated[str, Names("resource")]
ChoiceRef = Annotated[str, Names("choice of this entity")]
Amount = Annotated[str, Figures(whole=True)]


class PackModel(BaseModel):
    """The base of everything a pack may contain."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)


class TagFilter(PackModel):
    """Which tags an entity must have (all, at least one, or none of)."""

    all: TagRefs = ()
    any: TagRefs = ()
    none: TagRefs = ()


class Query(PackModel):
    """A selection of entities: the same words serve options, Training and requirements.

    ``where`` is a formula over the entity's own numbers (``slots``,
    ``price`` and its kind's numeric fields; what it lacks is 0).
    """

    kind: KindRefs = ()
    ids: EntityRefs = ()
    tags: TagFilter = TagFilter()
    where: Annotated[Formula | None, Names("value", among="field")] = None


class ValueTest(PackModel):
    """A bound on a value; it reads the lasting (base) figure."""

    id: ValueRef
    at_least: int | None = None
    at_most: int | None = None


class ChoiceTest(PackModel):
    """Whether a decision was answered in a certain way."""

    id: str
    equals: str


class Counted(PackModel):
    """At least ``number`` of the clauses in ``of``."""

    number: int
    of: tuple[Requirement, ...]


class Requirement(PackModel):
    """A tree of clauses; each node has exactly one key.

    Leaves: ``has`` (an entity, or any entity of a query), ``holds`` (the
    same, in hand), ``value``, ``trained`` (``self`` or a query),
    ``choice``. Each leaf can say itself in words when it is not met.
    """

    all: tuple[Requirement, ...] | None = None
    any: tuple[Requirement, ...] | None = None
    not_: Requirement | None = Field(None, alias="not")
    at_least: Counted | None = None
    has: EntityRef | Query | None = None
    holds: EntityRef | Query | None = None
    value: ValueTest | None = None
    trained: Literal["self"] | Query | None = None
    choice: ChoiceTest | None = None

    @model_validator(mode="after")
    def one_key(self) -> Self:
        """Refuse an empty node or one that says two things."""
        if len(self.model_fields_set) != 1:
            raise ValueError(
                "a requirement has exactly one of: all, any, not, at_least, has, holds, "
                "value, trained, choice"
            )
        return self


class Modifier(PackModel):
    """One line of a pack that changes one value, or each value of a group.

    Target and condition are data, so a new feature is a new YAML line and
    never a new branch in the engine. ``lasting`` modifiers make the base
    figure; ``current`` ones read the state of play and only change the
    total.
    """

    value: Annotated[Target, Names("value")]
    op: Literal["set", "add", "multiply", "at_least", "at_most"] = "add"
    amount: Formula
    when: Formula | None = None
    layer: Literal["lasting", "current"] = "lasting"


class Grant(PackModel):
    """An entity given along with another one, from ``level`` on.

    ``with`` answers the granted entity's own choices in advance.
    """

    id: EntityRef
    quantity: int = Field(1, ge=1, le=10_000)
    level: int = Field(1, ge=1)
    when: Formula | None = None
    with_: dict[str, str] = Field({}, alias="with")


def _as_grant(raw: object) -> object:
    return {"id": raw} if isinstance(raw, str) else raw


Grants = tuple[Annotated[Grant, BeforeValidator(_as_grant)], ...]


class Option(PackModel):
    """A possible answer that is no entity, with what it brings."""

    id: Slug
    label: str
    text: Text = ""
    modifies: tuple[Modifier, ...] = ()
    grants: Grants = ()
    requires: Requirement | None = None


class Among(PackModel):
    """Where the options of a choice come from; exactly one key (and ``only``).

    ``kind`` and its companions are a Query; ``values`` names a group of
    values; ``terms`` a vocabulary of the ruleset; ``faces`` a roll whose
    dice are the options.
    """

    query: Query | None = None
    values: GroupRef | None = None
    terms: Annotated[str, Names("vocabulary")] | None = None
    faces: RollRef | None = None
    only: Ids = ()

    @model_validator(mode="before")
    @classmethod
    def short_query(cls, raw: Any) -> Any:
        """Allow the keys of a query directly."""
        if isinstance(raw, dict) and {"kind", "tags", "where", "ids"} & set(raw):
            return {"query": raw}
        return raw

    @model_validator(mode="after")
    def one_source(self) -> Self:
        """Refuse no source, or two."""
        sources = (self.query, self.values, self.terms, self.faces)
        if sum(source is not None for source in sources) != 1:
            raise ValueError("give one source of options: kind/ids/tags, values, terms or faces")
        return self


class Budget(PackModel):
    """What a list of choices may cost together: ``cost`` of each, ``within`` in all.

    ``label`` names many of it, ``one`` a single one.
    """

    cost: FieldRef
    within: Formula
    label: str
    one: str = ""

    def counted(self, number: int) -> str:
        """Say an amount of it."""
        return f"{number} {self.one or self.label if number == 1 else self.label}"


class Scores(PackModel):
    """The scores of an assignment, made from dice.

    The dice of ``roll`` less those of ``without``, each turned into a
    score by ``table``.
    """

    roll: RollRef
    without: Annotated[str, Names("choice", among="choice of dice")] = ""
    table: dict[int, int] = {}


class Ask(PackModel):
    """A question of the rules: one decision wherever it is met.

    ``section`` names the creation section that asks it (for the choices
    of an entity: when it should wait for that section). ``when`` is read
    at its place; a question whose ``when`` is 0 is not asked.
    """

    id: Slug
    label: str
    help: Text = ""
    section: SectionRef = ""
    source: str = ""
    when: Formula | None = None


class Choose(Ask):
    """Choose from ``among`` or ``options``: one, or a list of ``count``.

    ``up_to`` allows fewer; ``repeats`` the same one twice; ``own_words``
    a text of one's own; ``distinct`` forbids what another holding of the
    same entity already took. ``hint`` weighs options by formula for a
    random character.
    """

    do: Literal["choose"] = "choose"
    among: Among | None = None
    options: tuple[Option, ...] = ()
    count: Annotated[int, Field(ge=1)] | None = None
    up_to: bool = False
    repeats: bool = False
    own_words: bool = False
    budget: Budget | None = None
    chance: int = Field(100, ge=0, le=100)
    default: str | None = None

    @model_validator(mode="after")
    def has_options(self) -> Self:
        """Refuse a choice with nothing, or two kinds of things, to choose from."""
        if bool(self.options) == (self.among is not None):
            raise ValueError("a choice has either 'among' or 'options'")
        return self

    @property
    def many(self) -> bool:
        """Whether the answer is a list."""
        return self.count is not None or self.budget is not None


class Roll(Ask):
    """Roll dice. The total (dice + ``plus``, within the bounds) is added to ``to``.

    ``minimum`` and ``maximum`` bound the total. The dice are rolled anew
    while ``reroll_all_while`` holds (``roll`` names the faces).
    """

    do: Literal["roll"] = "roll"
    dice: str
    plus: Formula = Formula(0)
    minimum: Formula | None = None
    maximum: Formula | None = None
    reroll_all_while: Annotated[Formula | None, Names("value", among="faces")] = None
    to: ValueRef | None = None


class Assign(Ask):
    """Give each of ``to`` (value ids, or one ``group:NAME``) one of the scores."""

    do: Literal["assign"] = "assign"
    to: ValueRefs
    scores: tuple[int, ...] | Scores


class Enter(Ask):
    """Type a whole number within bounds."""

    do: Literal["enter"] = "enter"
    minimum: Formula
    maximum: Formula
    default: Formula | None = None
    to: ValueRef | None = None


class Write(Ask):
    """Write a text; ``examples`` serve a random character."""

    do: Literal["write"] = "write"
    optional: bool = False
    longest: int = Field(2000, ge=1, le=20_000)
    examples: tuple[str, ...] = ()


class Give(PackModel):
    """A step that asks nothing: everyone gains this here."""

    do: Literal["give"]
    id: Slug
    section: SectionRef = ""
    grants: Grants
    when: Formula | None = None


AnyAsk = Annotated[Choose | Roll | Assign | Enter | Write, Field(discriminator="do")]
AnyStep = Annotated[Choose | Roll | Assign | Enter | Write | Give, Field(discriminator="do")]


class Action(PackModel):
    """Something a unit may do, structured so that a sheet can sort and resolve it.

    ``timing`` is one the ruleset declares; ``cost`` counts resources
    (``{energy: 1}``); ``cooldown`` is as printed (``5+``, ``signature``);
    ``who`` says who may use it when it is not the bearer.
    """

    name: str = ""
    timing: TimingRef
    cost: dict[ResourceRef, Annotated[int | Formula, Field(union_mode="left_to_right")]] = {}
    trigger: Text = ""
    limit: Text = ""
    cooldown: str = ""
    requires: Requirement | None = None
    who: Text = ""
    text: Text


class Crit(PackModel):
    """What an attack gains when it beats the defence by ``margin`` or more."""

    margin: int
    effect: Text
    requires: Requirement | None = None


class Attack(PackModel):
    """An attack as printed.

    ``hit`` is a value or a fixed score; ``type`` a damage type, a list to
    choose from at use, or ``$choice`` for the bearer's choice.
    """

    name: str = ""
    range: str
    hit: ValueRef | int
    defence: ValueRef
    damage: int | Amount
    type: Annotated[Ids, Names("damage type")]
    shots: int | Amount | None = None
    crit: Crit | None = None
    spread: str | None = None
    cost: dict[ResourceRef, int] = {}
    bonus: int = 0
    requires: Requirement | None = None
    who: Text = ""
    text: Text = ""

    @property
    def ammo(self) -> int:
        """How much of the weapon's own resource one attack spends."""
        return self.cost.get("ammo", 0)


class Table(PackModel):
    """Figures by level (or another value): each column sets the value it names.

    ``blank: carry`` keeps the cell above where one is empty.
    """

    id: Slug
    by: Annotated[ValueId, Names("value", among="value or level")] = "level"
    columns: tuple[ValueRef, ...]
    rows: dict[int, tuple[Formula | None, ...]]
    blank: Literal["carry", "error"] = "error"
    source: RuleRef = ""

    @model_validator(mode="after")
    def full_rows(self) -> Self:
        """Refuse a row of the wrong length, a gap, or a blank that carries nothing."""
        keys = list(self.rows)
        if keys != list(range(keys[0], keys[0] + len(keys))) if keys else True:
            raise ValueError("the rows of a table are numbered without a gap, in order")
        for number, row in self.rows.items():
            if len(row) != len(self.columns):
                raise ValueError(
                    f"row {number} has {len(row)} cells for {len(self.columns)} columns"
                )
            if None in row and (self.blank == "error" or number == keys[0]):
                raise ValueError(f"row {number} has an empty cell with nothing to carry")
        return self

    def cell(self, row: int, column: int) -> Formula:
        """Return the cell that holds at ``row``; rows beyond the ends use the nearest."""
        keys = list(self.rows)
        at = min(max(row, keys[0]), keys[-1])
        while (found := self.rows[at][column]) is None:
            at -= 1
        return found


class Capacity(PackModel):
    """A resource an item carries itself: ammo, bandages."""

    id: Slug
    label: str
    max: int = Field(ge=1)


class Entity(PackModel):
    """One thing of a pack.

    Its kind's own fields stand beside these in YAML and are kept in
    ``own``; the ruleset declares them.

    ``covers`` says what this Training covers; ``own_training`` that whoever
    has this is trained with it; ``values`` are a unit's starting figures;
    ``each_level`` the questions of every level after the first. ``key``
    values are marked on the sheet; ``priority`` orders values by use, best
    first, for a random character.
    """

    id: EntityId
    name: str
    source: str
    rulings: Annotated[Ids, Names("ruling")] = ()
    text: Text = ""
    tags: Ids = ()
    aliases: Ids = ()
    alias_of: EntityRef | None = None
    renamed_from: Ids = ()
    requires: Requirement | None = None
    modifies: tuple[Modifier, ...] = ()
    grants: Grants = ()
    choices: tuple[AnyAsk, ...] = ()
    each_level: tuple[AnyAsk, ...] = ()
    replaces: EntityRef | None = None
    repeatable: bool = False
    distinct: ChoiceRef | None = None
    slots: int | None = None
    price: int | None = None
    covers: Query | None = None
    own_training: bool = False
    values: dict[ValueRef, Formula] = {}
    capacities: tuple[Capacity, ...] = ()
    tables: tuple[Table, ...] = ()
    active_when: Formula | None = None
    key: ValueRefs = ()
    priority: ValueRefs = ()
    actions: tuple[Action, ...] = ()
    attacks: tuple[Attack, ...] = ()
    own: dict[str, Any] = {}

    @property
    def kind(self) -> str:
        """The part of the id before the slash."""
        return self.id.split("/", 1)[0]

    @property
    def slug(self) -> str:
        """The part of the id after the slash."""
        return self.id.split("/", 1)[1]


# ---------------------------------------------------------------- ruleset.yaml


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
    play; its formula is what it starts with. ``source`` is the rule its
    bounds come from.
    """

    formula: Formula | None = None
    total_of: FieldRef | None = None
    minimum: Formula | None = None
    maximum: Formula | None = None
    resource: bool = False
    source: RuleRef = ""


class UnitType(PackModel):
    """A kind of thing with values of its own: the character, a companion, a vehicle.

    ``level`` is ``own`` (raised by its own advances) or ``owner``.
    """

    id: Slug
    label: str
    level: Literal["own", "owner"] = "own"
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
    """When an action can be used; the order of the list is the sheet's order."""

    id: Slug
    label: str
    text: Text = ""


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
