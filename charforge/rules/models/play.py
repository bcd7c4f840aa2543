"""Play: conditions, moments, turn order, the procedures of commands, and gear."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from charforge.expressions.formula import Formula
from charforge.language import _
from charforge.rules.models.base import (
    DiceText,
    Ids,
    Label,
    Names,
    PackModel,
    Query,
    RuleRef,
    Slug,
    TimingRef,
    ValueId,
)
from charforge.rules.models.procedures import Input
from charforge.rules.models.steps import LimitRef, MomentRef, ProcedureRef

GEAR_NAMES = ("in_hand", "trained", "worn")  # what formulas of gear can read of the item itself
MELEE = "melee"  # of an attack: whether its range is Melee


class Lasting(PackModel):
    """How a condition is counted and how it ends.

    It lasts until the first moment of ``until`` has happened ``turns`` times, or any other of
    them once; without ``until``, it lasts until something ends it. A condition that ``counts``
    has an amount, up to ``most``. A condition that ``names`` concerns a person or thing. While
    the formula ``bars`` holds, the unit cannot use anything; with ``allows`` it can only use
    what has one of these timings. With ``ends`` the unit is out of play for good: it gains no
    more levels and buys nothing.
    """

    until: tuple[MomentRef, ...] = ()
    turns: int = Field(1, ge=1)
    counts: bool = False
    most: Formula | None = None
    names: bool = False
    one: bool = False
    bars: Formula | None = None
    allows: Annotated[Ids, Names("timing")] = ()
    ends: bool = False
    interrupted_by: Annotated[Ids, Names("timing")] = ()
    internal: bool = False
    hidden: bool = False

    @model_validator(mode="after")
    def one_of_several(self) -> Self:
        """Refuse only one of what cannot be about several, and a hidden condition on sheets."""
        if self.one and not self.names:
            raise ValueError(_("'one' is only for a condition with 'names'"))
        if self.hidden and not self.internal:
            raise ValueError(_("'hidden' is only for a condition that is 'internal'"))
        return self


class InitiativeRoll(PackModel):
    """A procedure that rolls initiative, and the outputs to compare, highest first."""

    procedure: ProcedureRef
    output: Ids = Field(min_length=1)


class TurnOrder(PackModel):
    """Initiative: the dice, if any, plus the output of a procedure. The highest acts first.

    The procedures run without inputs. Ties are broken in this order:

    - the other outputs
    - with ``players_first``, players before others
    - the procedure ``tie``, run for everyone who is tied, as often as needed
    - without it, whoever is listed first

    If rolling is more than adding dice, ``rolled`` does it at the table. Outputs of that
    procedure can give ``extra_turns`` before combat, say that the first turn is ``missed``, or
    that someone acts ``last``.
    """

    label: Label
    dice: DiceText = ""
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
            raise ValueError(_("with dice there can only be one 'output'"))
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
    """A lower cost in one resource."""

    less: Formula
    uses_of: LimitRef


class PlaySpec(PackModel):
    """The procedures that commands such as ``damage`` and ``rest`` run.

    ``rests`` are the kinds of rest by the word that players type: ``short``.
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
    label: Label


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

    With ``at_once`` what is gained is put on immediately, if there is room.
    """

    id: Slug
    label: Label
    among: Query = Query.model_construct()
    at_most: Formula | None = None
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
