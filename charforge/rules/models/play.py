"""Play: conditions, moments, turn order, the procedures of commands, and gear."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from charforge.expressions.formula import Formula
from charforge.rules.models.base import Ids, Names, PackModel, RuleRef, Slug, TimingRef, ValueId
from charforge.rules.models.procedures import Input
from charforge.rules.models.steps import LimitRef, MomentRef, ProcedureRef

GEAR_NAMES = ("in_hand", "trained")  # what formulas of gear can read of the item itself


class Lasting(PackModel):
    """How a condition is counted and how it ends.

    It lasts until the first moment of ``until`` has passed ``turns`` times,
    or any other of them once; without ``until``, until something ends it. A
    condition that ``counts`` has an amount, up to ``most``. One that
    ``names`` concerns a person or thing: a unit can have several, about
    different ones, unless ``one`` is set: then a new one replaces it. While
    the formula ``bars`` holds, the affected unit cannot use anything. With
    ``ends`` the unit is out of play for good: it gains no more levels and
    buys nothing. It also ends as soon as the unit, its owner or a unit of
    its own uses an ability of a timing in ``interrupted_by`` or makes an
    attack; that use itself still sees it, and the moments of its owner count
    for it, too. An ``internal`` one only helps the rules to count: sheets do
    not list it.
    """

    until: tuple[MomentRef, ...] = ()
    turns: int = Field(1, ge=1)
    counts: bool = False
    most: Formula | None = None
    names: bool = False
    one: bool = False
    bars: Formula | None = None
    ends: bool = False
    interrupted_by: Annotated[Ids, Names("timing")] = ()
    internal: bool = False

    @model_validator(mode="after")
    def one_of_several(self) -> Self:
        """Refuse only one of what cannot be about several."""
        if self.one and not self.names:
            raise ValueError("'one' is only for a condition with 'names'")
        return self


class InitiativeRoll(PackModel):
    """A procedure that rolls initiative, and the ``output`` figures that count, highest first."""

    procedure: ProcedureRef
    output: Ids = Field(min_length=1)


class TurnOrder(PackModel):
    """Initiative: ``dice``, if any, plus the ``output`` of a procedure; the highest acts first.

    Ties: the first of several outputs that differs decides; then, with
    ``players_first``, players act before others; then the procedure ``tie``
    is run for each of those who are tied, as often as needed; without it,
    those listed first act first. The procedures run without inputs. With
    ``dice`` the ``procedure`` must not roll itself, because printed sheets
    show its output before the dice are rolled, and it has only one output.
    If there is more to rolling than adding dice, ``rolled`` does it at the
    table. Outputs of the procedure that rolls can name more: ``extra_turns``
    before combat begins, whether the first turn is ``missed``, and whether
    someone acts after all others (``last``).
    """

    label: str
    dice: str = ""
    procedure: ProcedureRef
    output: Ids
    players_first: bool = False
    rolled: InitiativeRoll | None = None
    tie: InitiativeRoll | None = None
    extra_turns: str = ""
    missed: str = ""
    last: str = ""

    @model_validator(mode="after")
    def one_sum(self) -> Self:
        """Refuse no output, and dice that could be added to several."""
        if not self.output or (self.dice and len(self.output) > 1):
            raise ValueError("with dice there can only be one 'output'")
        return self

    @property
    def table_roll(self) -> InitiativeRoll:
        """The procedure that runs at the table, and the outputs that count."""
        return self.rolled or InitiativeRoll(procedure=self.procedure, output=self.output)

    @property
    def added_dice(self) -> str:
        """The dice that are added to the output at the table; none if ``rolled`` rolls."""
        return self.dice if self.rolled is None else ""


class Discount(PackModel):
    """A lower cost in one resource: by ``less``, which counts as a use of ``uses_of``.

    The formula ``less`` should be 0 once that entity's limit is used up.
    """

    less: Formula
    uses_of: LimitRef


class PlaySpec(PackModel):
    """The procedures that the commands of play run.

    ``rests`` are the kinds of rest by word (``short``). ``untrained`` is the
    cost of using an effect without the Training that it requires; its
    formulas can read ``untrained_inputs``. ``discounts`` lower the costs of
    abilities, by resource. ``line`` are the values that a session always shows.
    Attacks are used at ``attack_timing``, unless the input ``attack_granted``
    of their procedure says that another ability grants them.
    """

    damage: ProcedureRef | None = None
    heal: ProcedureRef | None = None
    check: ProcedureRef | None = None
    attack: ProcedureRef | None = None
    attack_timing: TimingRef | None = None
    attack_granted: ValueId | None = None
    turn: ProcedureRef | None = None
    turn_end: ProcedureRef | None = None
    rests: dict[Slug, ProcedureRef] = {}
    untrained: dict[
        Annotated[str, Names("value")],
        Annotated[Formula, Names("value", among="value or input of a price")],
    ] = {}
    untrained_inputs: tuple[Input, ...] = ()
    discounts: dict[Annotated[str, Names("value")], Discount] = {}
    line: Annotated[Ids, Names("value")] = ()
    order: TurnOrder | None = None


class Moment(PackModel):
    """A moment of play that can end conditions, such as the start of a turn or a rest."""

    id: Slug
    label: str


class Lifting(PackModel):
    """Lifting heavy items: the field ``needs`` is compared with a value.

    If the value is too low, the procedure decides: its ``input`` is the
    weight, its ``output`` whether the item is lifted. Items with the flag
    ``spared`` only count as heavy without Training.
    """

    needs: Annotated[str, Names("field")]
    value: Annotated[ValueId, Names("value")]
    spared: str = ""
    procedure: ProcedureRef
    input: ValueId
    output: ValueId


class GearSpec(PackModel):
    """Gear: the kinds that can be bought, the money, and the hands that hold items.

    ``takes`` is the number of hands for an item, a formula of its own numbers
    (``1 + two_handed``). What the entities in ``attached`` grant is attached
    to the body and needs no hand. Formulas of gear can read ``in_hand``, how
    many pieces of the item are held or attached, and ``trained``, 1 if the
    character is trained with it.
    """

    kinds: Annotated[Ids, Names("kind")] = ()
    money: Annotated[ValueId | None, Names("value")] = None
    hands: Formula = Formula(2)
    takes: Annotated[Formula, Names("value", among="field")] = Formula(1)
    lifting: Lifting | None = None
    attached: Annotated[Ids, Names("entity")] = ()
    source: RuleRef = ""
