"""Play: conditions, moments, turn order, the procedures of commands, and gear."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from charforge.expressions.formula import Formula
from charforge.rules.models.base import Ids, Names, PackModel, RuleRef, Slug, ValueId
from charforge.rules.models.steps import MomentRef, ProcedureRef


class Lasting(PackModel):
    """How a condition is counted and ended.

    It lasts until the first moment of ``until`` has passed ``turns`` times,
    or any other of them once; without one, until something ends it. One
    that ``counts`` has an amount, up to ``most``. ``names`` asks whom or
    what it is about: several can stand side by side, each about another,
    unless there is only ``one``: then another replaces it. While ``bars``
    holds, whoever is under it can use nothing; whom it ``ends`` is out of
    play for good, rises no more and buys nothing.
    """

    until: tuple[MomentRef, ...] = ()
    turns: int = Field(1, ge=1)
    counts: bool = False
    most: Formula | None = None
    names: bool = False
    one: bool = False
    bars: Formula | None = None
    ends: bool = False

    @model_validator(mode="after")
    def one_of_several(self) -> Self:
        """Refuse only one of what cannot be about several."""
        if self.one and not self.names:
            raise ValueError("'one' is of a condition that 'names' whom it is about")
        return self


class TurnOrder(PackModel):
    """Who acts first: ``dice``, if any, and on top of them the ``output`` of a procedure.

    The highest is first. Of several outputs the first that differs
    decides; then, where ``players_first``, the players act before others;
    then it stays as told. The procedure is run with nothing said. It rolls
    nothing itself where ``dice`` are added: a page that is printed before
    they fall has its output. With several outputs there are no ``dice``.
    """

    label: str
    dice: str = ""
    procedure: ProcedureRef
    output: Ids
    players_first: bool = False

    @model_validator(mode="after")
    def one_sum(self) -> Self:
        """Refuse no output, and dice that could be added to several."""
        if not self.output or (self.dice and len(self.output) > 1):
            raise ValueError("dice are added to one 'output'; without dice there may be several")
        return self


class PlaySpec(PackModel):
    """Which procedure serves what at the table, by the words of the commands.

    ``rests`` by word (``short``); ``untrained`` is what the use of an
    effect costs that requires Training one has not; ``line`` are the values
    that a session always shows.
    """

    damage: ProcedureRef | None = None
    heal: ProcedureRef | None = None
    check: ProcedureRef | None = None
    attack: ProcedureRef | None = None
    turn: ProcedureRef | None = None
    turn_end: ProcedureRef | None = None
    rests: dict[Slug, ProcedureRef] = {}
    untrained: dict[Annotated[str, Names("value")], int] = {}
    line: Annotated[Ids, Names("value")] = ()
    order: TurnOrder | None = None


class Moment(PackModel):
    """A moment of play that conditions may last until: the start of a turn, a rest."""

    id: Slug
    label: str


class Lifting(PackModel):
    """Lifting heavy items: ``needs`` (a field) against a value, else the procedure.

    ``spared`` names the flag of an item whose weight counts only without
    Training. The procedure is told the weight by ``input``; its ``output``
    says whether the item is lifted.
    """

    needs: Annotated[str, Names("field")]
    value: Annotated[ValueId, Names("value")]
    spared: str = ""
    procedure: ProcedureRef
    input: ValueId
    output: ValueId


class GearSpec(PackModel):
    """Owning items: which can be bought, with what money, and how many hands hold them.

    ``takes`` reads an item's own numbers (``1 + two_handed``); what hangs
    on the body (``attached``: entities whose grants do) takes no hand.
    """

    kinds: Annotated[Ids, Names("kind")] = ()
    money: Annotated[ValueId | None, Names("value")] = None
    hands: Formula = Formula(2)
    takes: Annotated[Formula, Names("value", among="field")] = Formula(1)
    lifting: Lifting | None = None
    attached: Annotated[Ids, Names("entity")] = ()
    source: RuleRef = ""
