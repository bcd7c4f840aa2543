"""Entities: everything that a character can have, with actions, attacks and tables."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from charforge.expressions.formula import Formula
from charforge.rules.models.base import (
    Amount,
    ChoiceRef,
    EntityId,
    EntityRef,
    Figures,
    Grants,
    Ids,
    Modifier,
    Names,
    PackModel,
    Query,
    Requirement,
    ResourceRef,
    RuleRef,
    Slug,
    Text,
    TimingRef,
    ValueId,
    ValueRef,
    ValueRefs,
)
from charforge.rules.models.decisions import AnyAsk, Ask
from charforge.rules.models.play import Lasting
from charforge.rules.models.procedures import Input
from charforge.rules.models.steps import Steps
from charforge.rules.models.vocabulary import DiceCounts

READABLE = re.compile(r"[a-z][a-z0-9_]*")
# A value by its id, or ``$choice``: the value or number that the bearer's choice took.
Hit = Annotated[str, StringConstraints(pattern=r"^\$?[a-z][a-z0-9_]*$"), Names("value")]


class Action(PackModel):
    """Something a unit may do, structured so that a sheet can sort and resolve it.

    ``timing`` is one the ruleset declares; ``cost`` counts resources
    (``{energy: 1}``); ``cooldown`` is as printed (``5+``, ``signature``);
    ``who`` says who may use it when it is not the bearer. ``does`` are the
    steps that using it takes, ``inputs`` what they must be told; where
    ``free`` holds, which may read those too, using it costs nothing.
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
    inputs: tuple[Input, ...] = ()
    free: Formula | None = None
    does: Steps = ()


class Crit(PackModel):
    """The effect of an attack that beats the defence by ``margin`` or more.

    ``damage`` is the part of the effect that is more damage.
    """

    margin: int
    effect: Text
    damage: int = 0
    requires: Requirement | None = None


class Attack(PackModel):
    """An attack as printed.

    ``hit`` is a value or a fixed score, or ``$choice`` for the value or
    number that the bearer's choice took; ``type`` a damage type, a list to
    choose from at use, or ``$choice`` too. ``with`` tells the procedure of
    attacks further inputs. ``range``, ``damage``, ``shots``, ``bonus`` and
    ``with`` may read the bearer's own numbers.
    """

    name: str = ""
    range: Annotated[str, Figures()]
    hit: Hit | int
    defence: ValueRef
    damage: int | Amount
    type: Annotated[Ids, Names("damage type")]
    shots: int | Amount | None = None
    crit: Crit | None = None
    spread: str | None = None
    cost: dict[ResourceRef, int] = {}
    bonus: Formula = Formula(0)
    with_: dict[ValueId, Formula] = Field({}, alias="with")
    requires: Requirement | None = None
    who: Text = ""
    text: Text = ""

    @property
    def ammo(self) -> int:
        """The ammo that one attack spends."""
        return self.cost.get("ammo", 0)


class LevelTable(PackModel):
    """Figures by level (or another value): each column sets the value it names.

    ``blank: carry`` keeps the cell above where one is empty.
    """

    id: Slug
    by: Annotated[ValueId, Names("value", among="figure")] = "level"
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
    """A resource an item carries itself: ammo, bandages; ``max`` may read its own numbers."""

    id: Slug
    label: str
    max: Formula

    @model_validator(mode="after")
    def room_for_one(self) -> Self:
        """Refuse one that can never hold anything."""
        if self.max.constant is not None and self.max.constant < 1:
            raise ValueError("max is at least 1")
        return self


class OwnFigure(PackModel):
    """A figure that an entity shows, and that procedures can read of it.

    A ``formula`` over its own choices and its unit's figures, shown with
    what stands ``before`` and after (``unit``) it; or ``dice``, so many of each.
    """

    id: ValueId
    label: str
    formula: Formula | None = None
    dice: DiceCounts = {}
    before: str = ""
    unit: str = ""

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse no figure, or two."""
        if (self.formula is None) == (not self.dice):
            raise ValueError("a figure has either 'formula' or 'dice'")
        return self


class RuledText(PackModel):
    """The text of an entity at a table that rules a question otherwise."""

    rule: Annotated[str, Names("table rule")]
    option: str
    text: Text


class Entity(PackModel):
    """One thing of a pack.

    Its kind's own fields stand beside these in YAML and are kept in
    ``own``; the ruleset declares them.

    ``covers`` says what this Training covers; ``own_training`` that whoever
    has this is trained with it; ``values`` are a unit's starting figures;
    ``each_level`` the questions of every level after the first. ``key``
    values are marked on the sheet; ``priority`` orders values by use, best
    first, for a random character. ``titled`` is the ``write`` choice that
    names it; ``figures`` are what it shows of itself. ``condition`` makes it something that a
    unit can be under in play; with ``active_when`` it is, whenever that holds.
    """

    id: EntityId
    name: str
    source: str
    rulings: Annotated[Ids, Names("ruling")] = ()
    text: Text = ""
    ruled: tuple[RuledText, ...] = ()
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
    titled: ChoiceRef | None = None
    figures: tuple[OwnFigure, ...] = ()
    slots: int | None = None
    price: int | None = None
    covers: Query | None = None
    own_training: bool = False
    values: dict[ValueRef, Formula] = {}
    capacities: tuple[Capacity, ...] = ()
    tables: tuple[LevelTable, ...] = ()
    condition: Lasting | None = None
    active_when: Formula | None = None
    key: ValueRefs = ()
    priority: ValueRefs = ()
    actions: tuple[Action, ...] = ()
    attacks: tuple[Attack, ...] = ()
    own: dict[str, Any] = {}

    @property
    def numbers(self) -> tuple[Ask, ...]:
        """Its choices that its own formulas can read by id: a number, or one of the values."""
        return tuple(ask for ask in self.choices if _is_number(ask))

    @property
    def own_numbers(self) -> tuple[str, ...]:
        """All that procedures can read of it: those choices, and its figures that are numbers."""
        figures = (one.id for one in self.figures if one.formula is not None)
        return (*(ask.id for ask in self.numbers), *figures)

    @property
    def kind(self) -> str:
        """The part of the id before the slash."""
        return self.id.split("/", 1)[0]

    @property
    def slug(self) -> str:
        """The part of the id after the slash."""
        return self.id.split("/", 1)[1]


def _is_number(ask: Ask) -> bool:
    """Whether a choice can be read as a number by its id."""
    return ask.is_numeric and READABLE.fullmatch(ask.id) is not None
