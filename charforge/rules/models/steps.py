"""The steps of procedures and actions, which run one after another.

Their formulas read the variables of the procedure first, then the current
figures of its unit. Steps may change the state of play (resources,
conditions, cooldowns); everything else only adds messages. How a step runs
is in ``charforge.procedures.steps``.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from charforge.expressions.dice import drops_dice
from charforge.expressions.formula import Formula
from charforge.language import _
from charforge.rules.models.base import (
    DiceText,
    Ids,
    Label,
    Names,
    PackModel,
    RuleRef,
    Slug,
    Text,
    ValueId,
)
from charforge.rules.models.vocabulary import DiceCounts

ProcedureRef = Annotated[str, Names("procedure")]
ChartRef = Annotated[Slug, Names("chart")]
MomentRef = Annotated[Slug, Names("moment")]
# A value by its id, or ``$input``: the one that an input names.
ReadTarget = Annotated[
    str, StringConstraints(pattern=r"^\$?[a-z][a-z0-9_]*$"), Names("value", among="value or input")
]
LimitRef = Annotated[str, Names("entity with a limit")]
InputRef = Annotated[str, StringConstraints(pattern=r"^\$[a-z][a-z0-9_]*$"), Names("input")]
# What an input of a called procedure gets: another input, a number, or a word as it stands.
Passed = Annotated[InputRef | Formula | str, Field(union_mode="left_to_right")]
ConditionTarget = Annotated[
    str, StringConstraints(pattern=r"^(\$[a-z][a-z0-9_]*|[a-z0-9-]+/[a-z0-9-]+)$"), Names("entity")
]


class Repeat(PackModel):
    """Repeat a step while a formula holds, at most ``at_most`` times."""

    while_: Formula = Field(alias="while")
    at_most: int = Field(ge=1, le=1000)


class ProcedureStep(PackModel):
    """The keys that every step has."""

    rolls_dice: ClassVar[bool] = False

    when: Formula | None = None
    units: Annotated[Ids, Names("unit type")] = ()
    ruled: dict[Annotated[str, Names("table rule")], str] = {}
    repeat: Repeat | None = None
    say: Text = ""
    quiet: bool = False
    source: RuleRef = ""

    @property
    def called_procedure(self) -> str | None:
        """The id of the procedure that the step runs."""
        return None

    @property
    def chart_read(self) -> str | None:
        """The id of the chart that the step reads."""
        return None

    @property
    def results(self) -> Mapping[str, str]:
        """The variables that keep cells of a chart read, or outputs of a procedure called."""
        return {}

    def variables(self, symbols: Iterable[str]) -> dict[str, str]:
        """Return the variables that the step makes, each with its origin.

        The origin is ``step``, ``roll`` (can be rerolled), ``faces`` (of a
        roll) or ``die`` (one die, while it is judged). ``symbols`` are those
        of the ruleset's dice.
        """
        return dict.fromkeys(self.results, "step")


class Let(ProcedureStep):
    """Compute ``id`` from a formula."""

    do: Literal["let"]
    id: ValueId
    to: Formula

    def variables(self, symbols: Iterable[str]) -> dict[str, str]:
        """Return the variable that it computes."""
        return {self.id: "step"}


class RollDice(ProcedureStep):
    """Roll ``dice``, ``times`` over; ``id`` is their sum, ``ID_dice`` their faces.

    Of ``4d6k3`` only the highest three count, of ``2d20kl1`` the lowest one:
    the others are neither in the sum nor among the faces, and none of them
    can be rerolled.

    Instead of ``dice``, a formula may give the number of ``sides`` of a die;
    or ``figure`` names an input that is an amount: its dice are rolled and
    its formula is added. With ``lenient`` a saved event without these dice
    still replays, as if none had been rolled: for rolls that a new version
    of the rules adds.
    """

    rolls_dice: ClassVar[bool] = True

    do: Literal["roll"]
    id: ValueId
    dice: DiceText = ""
    sides: Formula | None = None
    times: Formula = Formula(1)
    figure: Annotated[str, Names("input")] = ""
    label: Label = ""
    lenient: bool = False

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse no dice, or two sorts."""
        if (bool(self.dice), self.sides is not None, bool(self.figure)).count(True) != 1:
            raise ValueError(_("a roll needs exactly one of 'dice', 'sides' and 'figure'"))
        return self

    def variables(self, symbols: Iterable[str]) -> dict[str, str]:
        """Return the sum and the faces; an amount's dice cannot be rerolled, nor dropped ones."""
        fixed = self.figure or drops_dice(self.dice)
        return {self.id: "step" if fixed else "roll", f"{self.id}_dice": "faces"}


class RollPool(ProcedureStep):
    """Roll a pool of symbol dice: a formula gives the number of each die.

    ``ID_SYMBOL`` is then the count of each symbol of the ruleset, minus the
    symbols that cancel it: ``check_failure`` is the negative of
    ``check_success``. The roll of each die is named ``ID.DIE``.
    """

    rolls_dice: ClassVar[bool] = True

    do: Literal["pool"]
    id: ValueId
    label: Label = ""
    dice: DiceCounts = Field(min_length=1)

    def roll(self, die: str) -> str:
        """Return the name of the roll of one of its dice."""
        return f"{self.id}.{die}"

    def variables(self, symbols: Iterable[str]) -> dict[str, str]:
        """Return the count of each symbol."""
        return {f"{self.id}_{symbol}": "step" for symbol in symbols}


class Reroll(ProcedureStep):
    """Reroll dice of an earlier roll: its lowest, its highest, or all."""

    do: Literal["reroll"]
    id: Annotated[ValueId, Names("roll of this procedure")]
    which: Literal["lowest", "highest", "all"] = "lowest"
    times: Formula = Formula(1)
    lenient: bool = False


class LookUp(ProcedureStep):
    """Read a value of the unit, or the amount of one of its conditions."""

    do: Literal["look_up"]
    id: ValueId
    value: ReadTarget | None = None
    lasting: bool = False
    condition: ConditionTarget | None = None
    about: InputRef | None = None
    of: Literal["unit", "bearer"] = "unit"

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse no figure, or two sorts."""
        if (self.value is None) == (self.condition is None):
            raise ValueError(_("a look-up needs either a 'value' or a 'condition'"))
        if self.lasting and self.value is None:
            raise ValueError(_("'lasting' is only for a value"))
        if self.about is not None and self.condition is None:
            raise ValueError(_("'about' is only for a condition"))
        return self

    def variables(self, symbols: Iterable[str]) -> dict[str, str]:
        """Return the variable that holds the figure."""
        return {self.id: "step"}


class ReadChart(ProcedureStep):
    """Read a row of a chart."""

    do: Literal["read"]
    chart: ChartRef
    at: Annotated[InputRef | Formula, Field(union_mode="left_to_right")]
    take: dict[ValueId, str] = {}

    @property
    def chart_read(self) -> str:
        """The id of the chart that the step reads."""
        return self.chart

    @property
    def results(self) -> Mapping[str, str]:
        """The variables that keep cells, each with its column."""
        return self.take


class ChooseStep(ProcedureStep):
    """Ask for a number in the middle of a procedure, such as what to spend on a known result.

    Saved events keep their number. The history prints ``short`` before it, if the label does
    not suit.
    """

    do: Literal["choose"]
    id: ValueId
    label: Label
    short: Label = ""
    default: Formula = Formula(0)
    minimum: Formula = Formula(0)
    maximum: Formula
    player: bool = True
    beyond: Text = ""

    def variables(self, symbols: Iterable[str]) -> dict[str, str]:
        """Return the variable that holds the number chosen."""
        return {self.id: "step"}


class Require(ProcedureStep):
    """Refuse unless a formula holds; then the procedure changes nothing.

    If the formula reads whether an input was given (``ID_given``), it asks for that input.
    """

    do: Literal["require"]
    that: Formula
    lenient: bool = False


class ChangeStep(ProcedureStep):
    """Change a resource by a formula, within its bounds."""

    do: Literal["change"]
    value: ReadTarget
    by: Formula
    of: Literal["unit", "bearer"] = "unit"
    id: ValueId | None = None

    def variables(self, symbols: Iterable[str]) -> dict[str, str]:
        """Return the variable that holds the difference."""
        return {} if self.id is None else {self.id: "step"}


class Put(ProcedureStep):
    """Add a condition to the unit, or increase the amount of one that counts.

    With ``turns``, a condition that counts has its own time, apart from others of its kind.
    With ``to``, another unit of the character gets it. If several units fit, none gets it, and
    the message has the command for each.
    """

    do: Literal["put"]
    condition: ConditionTarget
    amount: Formula = Formula(1)
    turns: Formula | None = None
    about: InputRef | None = None
    to: Annotated[str, Names("thing")] | None = None


class Lift(ProcedureStep):
    """Remove a condition from the unit, or reduce its amount."""

    do: Literal["lift"]
    condition: ConditionTarget
    amount: Formula | None = None
    about: InputRef | None = None
    of: Literal["unit", "bearer"] = "unit"


class Count(ProcedureStep):
    """Count uses of something with a limit, and refuse if none is left.

    The GM can allow one more with ``--override``; saved events are not refused. ``say`` is the
    message of the refusal.
    """

    do: Literal["count"]
    uses_of: LimitRef
    times: Formula = Formula(1)


class Refill(ProcedureStep):
    """Refill a capacity of the item that is used, such as ammo."""

    do: Literal["refill"]
    capacity: Annotated[str, Names("capacity of this entity")]
    by: Formula | None = None


class Pass(ProcedureStep):
    """Make a moment happen: conditions that last until then count down and end."""

    do: Literal["pass"]
    moment: MomentRef


class Recover(ProcedureStep):
    """Bring abilities off cooldown: dice are rolled for each, and a formula decides.

    The formula ``if`` reads the result of the dice as ``roll``.
    """

    rolls_dice: ClassVar[bool] = True

    do: Literal["recover"]
    of: str = "number"
    item: InputRef | None = None
    dice: DiceText = ""
    judged: Formula = Field(Formula(1), alias="if")
    id: ValueId = "recovered"

    def variables(self, symbols: Iterable[str]) -> dict[str, str]:
        """Return the number of effects recovered, and each die while it is judged."""
        return {self.id: "step", "roll": "die", "number": "die"}


class Call(ProcedureStep):
    """Run another procedure.

    ``with`` gives its inputs: ``$input`` passes on one of ours. Inputs that are words, values or
    texts take the word itself, an amount such as ``1d6 + 2`` too, and numbers take a formula.
    """

    do: Literal["call"]
    procedure: ProcedureRef
    with_: dict[str, Passed] = Field({}, alias="with")
    take: dict[ValueId, str] = {}

    @property
    def called_procedure(self) -> str | None:
        """The id of the procedure that the step runs."""
        return self.procedure

    @property
    def results(self) -> Mapping[str, str]:
        """The variables that keep outputs, each with its output."""
        return self.take


class SayStep(ProcedureStep):
    """Add a message, and with ``stop`` end the procedure."""

    do: Literal["say"]
    stop: bool = False


AnyProcedureStep = Annotated[
    Let
    | RollDice
    | RollPool
    | Reroll
    | LookUp
    | ReadChart
    | ChooseStep
    | Require
    | ChangeStep
    | Put
    | Lift
    | Count
    | Refill
    | Pass
    | Recover
    | Call
    | SayStep,
    Field(discriminator="do"),
]
Steps = tuple[AnyProcedureStep, ...]
