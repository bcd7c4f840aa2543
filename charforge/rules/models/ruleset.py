"""``ruleset.yaml`` and ``pack.yaml``: units, kinds, creation, advancement, the sheet; patches."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from charforge.errors import shorten
from charforge.expressions.formula import Formula
from charforge.language import ENGLISH, _
from charforge.rules.models.base import (
    Credited,
    DiceText,
    FieldRef,
    Grants,
    Ids,
    Label,
    LanguageCode,
    Modifier,
    Names,
    PackModel,
    Query,
    Requirement,
    RuleRef,
    RulingRef,
    Slug,
    Text,
    TextFieldRef,
    UnitTypes,
    ValueId,
    ValueRef,
    Version,
)
from charforge.rules.models.entities import LevelTable
from charforge.rules.models.procedures import Moment, PlaySpec, Procedure, ProcedureRef
from charforge.rules.models.questions import AnyQuestion, AnyStep, Budget, Give, Question
from charforge.rules.models.sheet import AdviceSpec, OddsSpec, SheetSpec, ThemeSpec
from charforge.rules.models.vocabulary import (
    Chart,
    Die,
    Pool,
    RandomTable,
    RollWay,
    RollWayRef,
    Symbol,
    Term,
    Timing,
    Track,
    Value,
    one_way,
)
from charforge.rules.names import original

# Far above what any game has; what is larger would only keep a machine busy.
MAX_LEVELS = 100
MAX_VALUES = 300
LEVEL_LABEL = "Level"  # of games that do not call it otherwise


class Lifting(PackModel):
    """The rule for lifting heavy items: a field of the item is compared with a value."""

    needs: Annotated[str, Names("field")]
    value: Annotated[ValueId, Names("value")]
    spared: str = ""
    procedure: ProcedureRef
    input: ValueId
    output: ValueId


class HandChange(PackModel):
    """The cost of changing what is in hand while a formula holds, such as in combat.

    Items taken in hand and put away one after another, with nothing between them, are one use of
    the entity's action.
    """

    uses: Annotated[str, Names("entity")]
    while_: Formula = Field(alias="while")


class WearSpec(PackModel):
    """A place for gear that is worn, such as body armour, and how many pieces fit together.

    With ``at_once`` what is gained is put on immediately, if there is room. Each piece takes so
    many ``hands``, such as a shield that leaves none for a two-handed weapon.
    """

    id: Slug
    label: Label
    among: Query = Query.model_construct()
    at_most: Formula | None = None
    hands: int = Field(0, ge=0)
    at_once: bool = False


class GearSpec(PackModel):
    """Gear: the kinds that can be bought, the money, what can be worn, and the hands.

    Formulas of gear can read ``in_hand``, the number of pieces of the item that are held or
    attached, ``worn``, the number of pieces that are worn, and ``trained``, which is 1 if the
    character has Training with it.

    A new character has the first item of ``ready`` in hand that its free hands can hold.
    """

    kinds: Annotated[Ids, Names("kind")] = ()
    money: Annotated[ValueId | None, Names("value")] = None
    hands: Formula = Formula(2)
    takes: Annotated[Formula, Names("value", among="field")] = Formula(1)
    ready: Query | None = None
    wear: tuple[WearSpec, ...] = ()
    lifting: Lifting | None = None
    changing: HandChange | None = None
    attached: Annotated[Ids, Names("entity")] = ()
    source: RuleRef = ""


class Computed(PackModel):
    """How a unit type calculates a value.

    It is a formula, the sum of a field of its holdings, or 0 plus modifiers.
    A ``resource`` goes up and down in play; its formula is the starting
    value. With the ``maximum`` ``full.ID``, its own id, it is a score that damage
    lowers. A ``shared`` resource belongs to the unit's owner, who pays when
    it is spent. Actions and attacks of the unit cost it only while the formula
    ``costs_while`` holds for its owner. Formulas read lasting figures; with ``temporary``
    the present number follows the present ones, such as those of a condition.
    ``source`` is the rule with its bounds.
    """

    formula: Formula | None = None
    temporary: bool = False
    total_of: FieldRef | None = None
    minimum: Formula | None = None
    maximum: Formula | None = None
    resource: bool = False
    shared: bool = False
    costs_while: Formula | None = None
    source: RuleRef = ""

    @model_validator(mode="after")
    def temporary_needs_a_formula(self) -> Self:
        """Refuse to follow temporary changes of nothing, and of a resource, which play changes."""
        if self.temporary and (self.formula is None or self.resource):
            raise ValueError(_("'temporary' is for a 'formula' that is no 'resource'"))
        return self


class UnitType(PackModel):
    """A type of unit, such as the character, a companion or a vehicle.

    ``level`` is ``own`` (it gains levels of its own, up to ``highest``) or
    ``owner`` (it has its owner's level). ``asks`` are the questions of each
    of its own levels; ``pools`` symbol dice that it rolls, or that others
    roll against it. With ``shares_turn`` its turns and rests are those of its
    owner.
    """

    id: Slug
    label: Label
    level: Literal["own", "owner"] = "own"
    highest: Formula | None = None
    shares_turn: bool = False
    asks: tuple[AnyQuestion, ...] = ()
    values: dict[ValueRef, Computed]
    tables: tuple[LevelTable, ...] = ()
    modifies: tuple[Modifier, ...] = ()
    pools: tuple[Pool, ...] = ()
    source: RuleRef = ""


class OwnField(PackModel):
    """An extra field of the entities of a kind; ``minimum`` is the lowest number.

    ``usual`` is the text of most entities: a sheet prints only others. A text of whole
    ``sentences`` is a paragraph, not a short fact.
    """

    type: Literal["text", "number", "flag", "list"]
    label: Label
    minimum: int = 0
    usual: Label = ""
    sentences: bool = False

    @model_validator(mode="after")
    def about_a_text(self) -> Self:
        """Refuse a usual text or sentences of a field that has no text."""
        if self.usual and self.type != "text":
            raise ValueError(_("only a field of type text has a usual text"))
        if self.sentences and self.type != "text":
            raise ValueError(_("only a field of type text has sentences"))
        return self

    @property
    def is_short(self) -> bool:
        """Whether its content is a short fact: no list, and no sentences."""
        return self.type != "list" and not self.sentences


class Kind(PackModel):
    """A kind of entity.

    With ``unit`` each one becomes a unit of that type. ``path`` is its part
    of decision ids if a question spans several kinds. ``single``: a
    character cannot have the same one twice unless it is repeatable.
    ``held_by``: whether what a unit gets stays with it or goes to the
    character. ``group_by``: a field that names another entity; lists group the
    entities by it, and those of what the character has come first.
    """

    id: Slug
    label: Label
    plural: Label
    path: str = ""
    unit: Annotated[str, Names("unit type")] | None = None
    single: bool = False
    held_by: Literal["unit", "character"] = "unit"
    group_by: TextFieldRef = ""
    fields: dict[str, OwnField] = {}


class RuleOption(PackModel):
    """An option of a table rule."""

    id: Slug
    label: Label


class TableRule(PackModel):
    """An optional rule that each group can set."""

    id: ValueId
    label: Label
    options: tuple[RuleOption, ...] = Field(min_length=2)
    default: str
    ruling: RulingRef = ""

    @model_validator(mode="after")
    def default_exists(self) -> Self:
        """Refuse a default that is no option."""
        if self.default not in {option.id for option in self.options}:
            raise ValueError(
                _("the default {default} is not one of the options").format(
                    default=shorten(self.default)
                )
            )
        return self


class Remark(PackModel):
    """A remark about a legal character that may not be what the player meant.

    It forbids nothing. It applies while ``when`` holds and the requirement
    ``lacks`` is not met, to each unit of the types ``units`` (by default to
    the character). With ``opposed``, a field that names another entity, it
    applies to each two things of a unit of which one names the other;
    random answers avoid them. ``fix`` is the command that helps: ``shop``, or
    ``edit`` with the ``question`` to answer again.
    """

    id: Slug
    text: Text
    when: Formula | None = None
    lacks: Requirement | None = None
    opposed: TextFieldRef | None = None
    units: UnitTypes = ()
    fix: Literal["edit", "shop"] | None = None
    question: Slug | None = None

    @model_validator(mode="after")
    def question_to_edit(self) -> Self:
        """Refuse to edit without a question, or a question that nothing edits."""
        if (self.fix == "edit") != (self.question is not None):
            raise ValueError(_("'fix: edit' and 'question' belong together"))
        return self


class Limit(PackModel):
    """A maximum that no choice, purchase or gift may exceed: ``number`` is ``at_most`` so much.

    Both are read from the character. What would exceed it is refused with its ``text``, unless the
    GM allows it; what exceeds it all the same, such as the load of somebody
    who grows weaker, is an error that ``check`` reports.
    """

    id: Slug
    label: Label
    number: Formula
    at_most: Formula
    text: Text = ""


class Section(PackModel):
    """A section of creation in the wizard."""

    id: Slug
    label: Label
    help: Text = ""


class Advancement(PackModel):
    """Levels: the highest one, and the questions of each level after the first.

    ``costs`` are resources of the character, such as experience, that each
    level after creation spends; ``requires`` is what it needs. Both read the
    level before. In a game whose ``maximum`` is 1 nothing speaks of levels.

    Players read the levels with ``label``, counted from ``first``; formulas, tables and ids
    always count from 1.
    """

    maximum: int = Field(ge=1, le=MAX_LEVELS)
    label: Label = LEVEL_LABEL
    first: int = Field(1, ge=0, le=MAX_LEVELS)
    asks: tuple[AnyQuestion, ...] = ()
    costs: dict[ValueRef, Formula] = {}
    requires: Requirement | None = None

    def text(self, level: int) -> str:
        """Return a level in words: ``Level 3``; empty in a game without levels."""
        return f"{self.label} {self.number(level)}" if self.maximum > 1 else ""

    def text_inside(self, level: int) -> str:
        """Return a level in words inside a sentence: ``level 3``."""
        number = self.number(level)
        if original(self.label) == LEVEL_LABEL:
            return _("level {level}").format(level=number)
        return f"{self.label} {number}"

    def number(self, level: int) -> int:
        """Return the number with which players read a level."""
        return level - 1 + self.first

    def level(self, number: int) -> int:
        """Return the level that players read with a number."""
        return number + 1 - self.first


class Situation(PackModel):
    """Something that changes the ``part`` of an attack only in some situations: `explain` lists it.

    ``amount`` is what it adds and ``text`` is when, both with figures of the
    unit in braces. It is listed for attacks of which the formula ``when``
    holds, which can also read the inputs that the attack itself supplies to
    the procedure of attacks, such as `melee`. The numbers are those of the unit that rolls; with
    `of: bearer` those of the vehicle or companion whose attack it is.
    """

    amount: Text
    text: Text
    part: Literal["roll", "damage"] = "roll"
    when: Annotated[Formula, Names("value", among="value or input of attacks")] = Formula("1")
    of: Literal["unit", "bearer"] = "unit"


class SharedValue(PackModel):
    """A value of what the group owns together, as its members' game reads it."""

    id: ValueId
    label: Label


class SharedSpec(PackModel):
    """Something that the characters of a group own together: a crew, a ship, a base, a company.

    It is a character of the game ``ruleset``, with a file of its own that the campaign file names.
    ``values`` are those of its values that its members read, as ``shared.ID``; `change` steps can
    change those that are resources there, and actions and attacks can cost them.
    """

    label: Label
    ruleset: Slug
    values: tuple[SharedValue, ...] = Field(min_length=1)


class AttackRoll(PackModel):
    """How to roll an attack, for the attack lines of the sheet.

    Its number is added to the ``dice``, or rolled in a way of the game (``roll``).
    ``situations`` are what is not in these lines, because it does not always count.
    """

    dice: DiceText = ""
    roll: RollWayRef | None = None
    trained: int = 0
    trained_label: Label = ""
    note: Text = ""
    situations: tuple[Situation, ...] = ()

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse no dice, and dice beside a way to roll."""
        return one_way(self, self.dice, self.roll)


class RulesetHead(Credited):
    """``ruleset.yaml``: the vocabulary, the order of creation, the sheet."""

    id: Slug
    name: Label
    version: Version
    book: Label
    language: LanguageCode = ENGLISH
    text: Text = ""
    values: tuple[Value, ...] = Field(max_length=MAX_VALUES)
    groups: dict[str, Label] = {}
    units: tuple[UnitType, ...] = Field(min_length=1)
    kinds: tuple[Kind, ...] = ()
    terms: dict[str, tuple[Term, ...]] = {}
    symbols: tuple[Symbol, ...] = ()
    dice: tuple[Die, ...] = ()
    rolls: tuple[RollWay, ...] = ()
    tracks: tuple[Track, ...] = ()
    timings: tuple[Timing, ...] = ()
    table_rules: tuple[TableRule, ...] = ()
    random_tables: tuple[RandomTable, ...] = ()
    remarks: tuple[Remark, ...] = ()
    limits: tuple[Limit, ...] = ()
    sections: tuple[Section, ...]
    creation: tuple[AnyStep, ...]
    advancement: Advancement = Advancement.model_construct(maximum=1)
    attack_roll: AttackRoll | None = None
    moments: tuple[Moment, ...] = ()
    shared: SharedSpec | None = None
    # Constructed: to check a default would build its validator at every start.
    play: PlaySpec = PlaySpec.model_construct()
    gear: GearSpec = GearSpec.model_construct()
    sheet: SheetSpec = SheetSpec.model_construct()
    theme: ThemeSpec = ThemeSpec.model_construct()
    odds: tuple[OddsSpec, ...] = ()
    advice: AdviceSpec | None = None
    names: tuple[str, ...] = ()

    @property
    def creation_questions(self) -> tuple[Question, ...]:
        """The questions of creation, without the steps that only give something."""
        return tuple(step for step in self.creation if isinstance(step, Question))

    @property
    def slots_budget(self) -> Budget | None:
        """The budget that the ``slots`` of entities are spent from, which names them."""
        of_units = (question for unit in self.units for question in unit.asks)
        asked = (*self.creation_questions, *self.advancement.asks, *of_units)
        budgets = (question.list_budget for question in asked)
        return next((one for one in budgets if one is not None and one.cost == "slots"), None)

    @property
    def creation_grants(self) -> Grants:
        """Everything that the steps without a question give to each character."""
        steps = (step for step in self.creation if isinstance(step, Give))
        return tuple(grant for step in steps for grant in step.grants)

    @property
    def listed_kinds(self) -> tuple[str, ...]:
        """The kinds that a list of the sheet shows; a name may be a group's instead."""
        return tuple(spec.of for spec in self.sheet.lists if spec.of and spec.of not in self.groups)


RULESET = "ruleset"  # where a patch of ruleset.yaml begins


class PackHead(Credited):
    """``pack.yaml``: the name of a pack and the ruleset that it extends.

    A folder with a ``ruleset.yaml`` instead is a ruleset. ``requires`` names
    packs that must be used together with it.
    """

    id: Slug
    name: Label
    version: Version
    ruleset: Slug
    text: Text = ""
    requires: tuple[Slug, ...] = ()

    @model_validator(mode="after")
    def own_id(self) -> "PackHead":
        """Refuse an id that means something else."""
        if self.id == self.ruleset or self.id in self.requires:
            raise ValueError(
                _(
                    "the id of a pack must differ from those of its ruleset "
                    "and of the packs it needs"
                )
            )
        return self


def _words(raw: Any) -> Any:
    """Allow a single id, and numbers of items without quotes."""
    words = raw if isinstance(raw, list | tuple) else (raw,)
    return tuple(str(word) if type(word) is int else word for word in words)


PatchPath = Annotated[
    tuple[str, ...], BeforeValidator(_words, json_schema_input_type=str | tuple[str | int, ...])
]


class Patch(PackModel):
    """A change to an existing part of the ruleset, by id.

    ``at`` is an entity id, or a path: ``[procedures, check]``,
    ``[rulings, D4]``, ``[charts, hits]``, or into ``ruleset.yaml``:
    ``[ruleset, creation, money]``, ``[ruleset, units, vehicle, values,
    armour]``. It can go on into any part: ``[gear/hook, attacks, 1]``,
    ``[system/surge, actions, Surge, cost]``. An item of a list is named by
    its id, its name or, if it has neither of its own, its number; ``charforge
    catalog paths ID`` lists the paths into an entity. ``set`` replaces keys,
    ``drop`` removes keys, ``add`` appends to lists and maps, ``remove``
    removes items from them (by id or in full). ``why`` is for readers.
    """

    at: PatchPath
    set: dict[str, Any] = {}
    drop: tuple[str, ...] = ()
    add: dict[str, Any] = {}
    remove: dict[str, tuple[Any, ...]] = {}
    why: Text = Field("", description="Why the pack changes it; shown by catalog diff.")

    @model_validator(mode="after")
    def changes_something(self) -> "Patch":
        """Refuse a patch that changes nothing, or names nothing."""
        if not self.at or not all(self.at):
            raise ValueError(
                _("'at' must name what is changed: an id, or a path such as [procedures, x]")
            )
        if not (self.set or self.drop or self.add or self.remove):
            raise ValueError(_("a patch needs at least one of: set, drop, add, remove"))
        if "id" in {*self.set, *self.drop, *self.add, *self.remove}:
            raise ValueError(
                _(
                    "an id cannot change, because characters refer to it. Use "
                    "renamed_from in a new entity"
                )
            )
        return self

    @property
    def target_name(self) -> str:
        """The path to the changed part as one word."""
        return ".".join(self.at)


class Ruling(PackModel):
    """A decision on a gap or contradiction of the book; entities refer to it by id."""

    id: str
    title: Label
    question: Text
    ruling: Text
    table_rule: Annotated[str, Names("table rule")] = ""


class PackFile(PackModel):
    """A YAML file of a pack, other than ``ruleset.yaml``."""

    entities: tuple[dict[str, Any], ...] = ()
    rulings: tuple[Ruling, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    charts: tuple[Chart, ...] = ()
    patches: tuple[Patch, ...] = ()
