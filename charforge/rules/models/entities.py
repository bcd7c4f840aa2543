"""Entities: everything that a character can have, with actions, attacks and tables."""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, StrictBool, StringConstraints, model_validator

from charforge.expressions.formula import Formula
from charforge.language import _
from charforge.rules.models.base import (
    MAX_BOXES,
    Amount,
    ChoiceRef,
    Cost,
    EntityId,
    EntityRef,
    Figures,
    Grants,
    Ids,
    Label,
    Modifier,
    Names,
    OnlyWhile,
    Operation,
    PackModel,
    Price,
    Query,
    Readable,
    Recommended,
    Requirement,
    ResourceRef,
    RuleRef,
    Slug,
    Suits,
    Text,
    TimingRef,
    UnitTypes,
    ValueId,
    ValueRef,
    ValueRefs,
)
from charforge.rules.models.procedures import (
    Input,
    Lasting,
    LimitRef,
    MomentRef,
    Passed,
    ProcedureRef,
    Steps,
)
from charforge.rules.models.questions import AnyQuestion, Question
from charforge.rules.models.vocabulary import DiceCounts

ColumnRef = Annotated[ValueId, Names("value", among="value or grants")]
READABLE = re.compile(r"[a-z][a-z0-9_]*")
# A value by its id, or ``$choice``: the value or number that answers the holder's choice.
Hit = Annotated[str, StringConstraints(pattern=r"^\$?[a-z][a-z0-9_]*$"), Names("value")]
# A timing by its id, or ``$choice``: the timing that answers the holder's choice.
TimingOrChoice = Annotated[
    str, StringConstraints(pattern=r"^\$?[a-z0-9]+([-_.][a-z0-9]+)*$"), Names("timing")
]


class UseLimit(PackModel):
    """A limit on how often something can be used.

    It can be used ``times`` before one of the moments ``until``, or ``times`` while a unit has
    the condition ``during``; the count starts again whenever that condition starts. With ``of``
    it shares the limit of another entity.
    """

    times: Cost = 1
    until: tuple[MomentRef, ...] = ()
    during: EntityRef | None = None
    of: LimitRef | None = None

    @model_validator(mode="after")
    def one_end(self) -> Self:
        """Refuse a limit that never ends, and one that ends in two ways."""
        if (bool(self.until), self.during is not None, self.of is not None).count(True) != 1:
            raise ValueError(
                _(
                    "a limit needs one of: 'until' (moments), 'during' (a condition), "
                    "'of' (an entity)"
                )
            )
        return self


class Action(PackModel):
    """Something that a unit can do.

    It either runs steps of its own (``does``) or a ``procedure``, such as a move of a playbook.
    ``with`` gives inputs of that procedure, as a call does; ``$choice`` is an answer of the
    entity. Players set the others. ``results`` are what its outputs mean for this action: sheets
    print each text after the label of its output, and a use tells those whose output is not 0.
    """

    name: Label = ""
    timing: TimingRef
    cost: dict[ResourceRef, Cost] = {}
    trigger: Text = ""
    limit: Text = ""
    uses: UseLimit | None = None
    only: OnlyWhile | None = None
    played_as: TimingOrChoice | None = None
    cooldown: Label = ""
    requires: Requirement | None = None
    who: Text = ""
    units: UnitTypes = ()
    text: Text
    digest: Text = ""
    inputs: tuple[Input, ...] = ()
    free: Formula | None = None
    does: Steps = ()
    procedure: ProcedureRef | None = None
    with_: dict[ValueId, Passed] = Field({}, alias="with")
    results: dict[ValueId, Text] = {}

    @model_validator(mode="after")
    def one_rule(self) -> Self:
        """Refuse steps next to a procedure, and what only a procedure has without one."""
        if self.procedure is not None and (self.does or self.inputs):
            raise ValueError(
                _("an action has either a 'procedure' or 'does' and 'inputs' of its own")
            )
        if self.procedure is None and (self.with_ or self.results):
            raise ValueError(_("'with' and 'results' are for a 'procedure'"))
        return self


class Crit(PackModel):
    """The extra effect of an attack that beats the defense by a margin."""

    margin: int
    effect: Text
    damage: int = 0
    requires: Requirement | None = None


class AttackNote(PackModel):
    """A property of an attack, such as its penetration, for while a formula holds."""

    when: Formula
    text: Text


class Attack(PackModel):
    """An attack as printed.

    ``hit`` is the score, ``$choice`` or number that is rolled, ``defence`` the value of the target
    that it must beat. Without ``defence`` the roll alone decides, as one of 2d6 by its total;
    without either nothing is rolled to hit: the attack only deals its damage.

    ``type`` is a damage type, a list to choose from when the attack is used, or ``$choice``.
    ``range``, ``damage``, ``shots``, ``bonus``, ``notes`` and ``with`` can read the numbers of the
    entity.
    With ``thrown`` the item leaves the hand.
    """

    name: Label = ""
    range: Annotated[str, Readable(), Figures()] = ""
    hit: Hit | int | None = None
    defence: ValueRef | None = None
    damage: int | Amount
    type: Annotated[Ids, Names("damage type")] = ()
    shots: int | Amount | None = None
    crit: Crit | None = None
    spread: str | None = None
    notes: tuple[AttackNote, ...] = ()
    cost: dict[ResourceRef, Price] = {}
    thrown: bool = False
    bonus: Formula = Formula(0)
    with_: dict[ValueId, Formula] = Field({}, alias="with")
    requires: Requirement | None = None
    only: OnlyWhile | None = None
    who: Text = ""
    text: Text = ""
    digest: Text = ""

    @model_validator(mode="after")
    def something_rolled(self) -> Self:
        """Refuse a defence that nothing is rolled against."""
        if self.hit is None and self.defence is not None:
            raise ValueError(_("'defence' needs 'hit': what is rolled against it"))
        return self


GRANTS = "grants"  # the column of a table with what is gained at each row
LEVEL = "level"  # the name of the level in formulas, and of what a table goes by


def _cells(rows: object, columns: object) -> object:
    """Read the cells of the column of grants: one entity, several, or nothing."""
    if not isinstance(columns, list | tuple) or GRANTS not in columns:
        return rows
    place = columns.index(GRANTS)

    def listed(row: object) -> object:
        if not isinstance(row, list | tuple) or len(row) <= place:
            return row
        cell = row[place]
        granted = cell if isinstance(cell, list | tuple) else [] if cell is None else [cell]
        return [*row[:place], granted, *row[place + 1 :]]

    return {key: listed(row) for key, row in rows.items()} if isinstance(rows, dict) else rows


TableCell = Annotated[
    Formula | Grants | None,
    BeforeValidator(lambda raw: raw, json_schema_input_type=Formula | EntityRef | Grants | None),
]


class LevelTable(PackModel):
    """A table of values and grants by level, or by another value: a column for each value.

    Each column sets the value that it names, or changes it as ``op`` says. The column ``grants``
    has what is gained at each level, or as soon as the value reaches the row; it is not lost
    again. With ``blank: carry`` an empty cell repeats the cell above.
    """

    id: Slug
    by: Annotated[ValueId, Names("value", among="figure")] = LEVEL
    columns: tuple[ColumnRef, ...]
    rows: dict[int, tuple[TableCell, ...]]
    op: Operation = "set"
    blank: Literal["carry", "error"] = "error"
    source: RuleRef = ""

    @model_validator(mode="before")
    @classmethod
    def listed_grants(cls, raw: object) -> object:
        """Allow one entity, or none, where a list of what is granted may stand."""
        if not isinstance(raw, dict) or "rows" not in raw:
            return raw
        return {**raw, "rows": _cells(raw["rows"], raw.get("columns"))}

    @model_validator(mode="after")
    def full_rows(self) -> Self:
        """Refuse a row of the wrong length, a gap, or a blank that carries nothing."""
        keys = list(self.rows)
        if keys != list(range(keys[0], keys[0] + len(keys))) if keys else True:
            raise ValueError(_("the rows of a table must be numbered in order, without gaps"))
        for number, row in self.rows.items():
            if len(row) != len(self.columns):
                raise ValueError(
                    _("row {number} needs a cell for each column: {columns}, not {count}").format(
                        number=number, count=len(row), columns=len(self.columns)
                    )
                )
            if None in row and (self.blank == "error" or number == keys[0]):
                raise ValueError(
                    _("row {number} has an empty cell, and no row above it to repeat").format(
                        number=number
                    )
                )
            for column, cell in zip(self.columns, row, strict=True):
                if isinstance(cell, tuple) and column != GRANTS:
                    raise ValueError(
                        _("only the column 'grants' has lists, not {column}").format(column=column)
                    )
        return self

    @property
    def value_columns(self) -> tuple[tuple[int, str], ...]:
        """The columns of values: their places, and the ids of the values."""
        return tuple((n, name) for n, name in enumerate(self.columns) if name != GRANTS)

    @property
    def grants(self) -> Grants:
        """The grants of its rows, each at the level of its row, or when the value reaches it."""
        return tuple(
            grant.model_copy(
                update={"level": row}
                if self.by == LEVEL
                else {"level": 1, "when": Formula(f"{self.by} >= {row}")}
            )
            for row in self.rows
            for grant in self.granted_at(row)
        )

    def granted_at(self, row: int) -> Grants:
        """Return what is granted at one row, as the row has it."""
        cell = self.rows[row][self.columns.index(GRANTS)] if GRANTS in self.columns else ()
        return cell if isinstance(cell, tuple) else ()

    def nearest_row(self, row: int) -> int:
        """Return the number of the row that holds at ``row``."""
        keys = list(self.rows)
        return min(max(row, keys[0]), keys[-1])

    def cell(self, row: int, column: int) -> Formula:
        """Return the cell that holds at ``row``; rows beyond the ends use the nearest."""
        at = self.nearest_row(row)
        while not isinstance(cell := self.rows[at][column], Formula):
            at -= 1
        return cell


class Capacity(PackModel):
    """A resource inside an item, such as ammo; ``max`` can read the item's own numbers.

    ``one`` is its name in amounts of 1: ``1 Shell``.
    """

    id: Slug
    label: Label
    one: Label = ""
    max: Formula = Field(json_schema_extra={"minimum": 1, "maximum": MAX_BOXES})

    @model_validator(mode="after")
    def room_for_one(self) -> Self:
        """Refuse a capacity of less than 1, or of more than a sheet has room for."""
        if self.max.constant is not None and self.max.constant < 1:
            raise ValueError(_("max must be at least 1"))
        if self.max.constant is not None and self.max.constant > MAX_BOXES:
            raise ValueError(_("max must be at most {most}").format(most=MAX_BOXES))
        return self

    def noun(self, number: int) -> str:
        """Return the name that follows an amount of it: ``Shell`` after 1, else ``Shells``."""
        return self.one if number == 1 and self.one else self.label


class OwnFigure(PackModel):
    """An extra number of an entity, which procedures can read.

    It is either a ``formula`` that reads the entity's choices and the unit's values, or ``dice``:
    the number of each symbol die.
    """

    id: ValueId
    label: Label
    formula: Formula | None = None
    dice: DiceCounts = {}
    before: Label = ""

    @model_validator(mode="after")
    def one_source(self) -> Self:
        """Refuse a figure without a source, or with two."""
        if (self.formula is None) == (not self.dice):
            raise ValueError(_("a figure needs either 'formula' or 'dice'"))
        return self


class RuledText(PackModel):
    """The text of an entity for groups with another option of a table rule."""

    rule: Annotated[str, Names("table rule")]
    option: str
    text: Text
    digest: Text = ""


class Entity(PackModel):
    """Something with a name in the rules: a role, a system, a weapon.

    The fields of its kind, which the ruleset defines, are written next to these keys.
    ``condition`` makes it a condition; with ``active_when`` it applies whenever that formula
    holds. One that comes ``by_hand`` only the GM gives: no choice, grant or shop has it.
    """

    id: EntityId
    name: Label
    source: Label
    rulings: Annotated[Ids, Names("ruling")] = ()
    text: Text = ""
    digest: Text = ""
    ruled: tuple[RuledText, ...] = ()
    tags: Ids = ()
    aliases: Ids = ()
    alias_of: EntityRef | None = None
    renamed_from: Ids = ()
    by_hand: bool = False
    requires: Requirement | None = None
    modifies: tuple[Modifier, ...] = ()
    grants: Grants = ()
    choices: tuple[AnyQuestion, ...] = ()
    each_level: tuple[AnyQuestion, ...] = ()
    replaces: EntityRef | None = None
    repeatable: StrictBool | Annotated[int, Field(ge=2, le=100, strict=True)] = False
    distinct: ChoiceRef | None = None
    titled: ChoiceRef | None = None
    figures: tuple[OwnFigure, ...] = ()
    supplies: dict[ProcedureRef, dict[ValueId, int | str]] = {}
    slots: Annotated[int, Field(ge=0, le=MAX_BOXES)] | None = None
    price: Price | None = None
    covers: Query | None = None
    own_training: bool = False
    values: dict[ValueRef, Formula] = {}
    capacities: tuple[Capacity, ...] = ()
    tables: tuple[LevelTable, ...] = ()
    condition: Lasting | None = None
    active_when: Formula | None = None
    uses: UseLimit | None = None
    key: ValueRefs = ()
    priority: ValueRefs = ()
    suits: Suits = {}
    recommended: tuple[Recommended, ...] = ()
    actions: tuple[Action, ...] = ()
    attacks: tuple[Attack, ...] = ()
    own: dict[str, Any] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names that mean it: its id, the id without its kind, its name and its aliases."""
        return (self.id, self.slug, self.name, *self.aliases)

    @property
    def all_grants(self) -> Grants:
        """Its own grants, with those of its tables."""
        if not self.tables:
            return self.grants
        return (*self.grants, *(grant for table in self.tables for grant in table.grants))

    @property
    def level_grants(self) -> Grants:
        """The grants of levels; others come when a value reaches a row of a table."""
        by_level = (table for table in self.tables if table.by == LEVEL)
        return (*self.grants, *(grant for table in by_level for grant in table.grants))

    @property
    def value_tables(self) -> tuple[LevelTable, ...]:
        """Its tables that grant something when a value reaches a row."""
        return tuple(t for t in self.tables if t.by != LEVEL and GRANTS in t.columns)

    @property
    def numbers(self) -> tuple[Question, ...]:
        """Its choices that its own formulas can read by id: a number, or one of the values."""
        return tuple(question for question in self.choices if _is_number(question))

    @property
    def own_numbers(self) -> tuple[str, ...]:
        """The ids of the numbers that procedures can read: those choices, and its formulas."""
        figures = (figure.id for figure in self.figures if figure.formula is not None)
        return (*(question.id for question in self.numbers), *figures)

    @property
    def kind(self) -> str:
        """The part of the id before the slash."""
        return self.id.split("/", 1)[0]

    @property
    def counts(self) -> bool:
        """Whether it is a condition that has an amount."""
        return self.condition is not None and self.condition.counts

    @property
    def slug(self) -> str:
        """The part of the id after the slash."""
        return self.id.split("/", 1)[1]


def digest_of(part: Entity | RuledText | Action | Attack) -> str:
    """Return the one or two lines that a player needs in play: the digest, or else the text."""
    return part.digest or part.text


def _is_number(question: Question) -> bool:
    """Return whether a choice can be read as a number by its id."""
    return question.is_numeric and READABLE.fullmatch(question.id) is not None
