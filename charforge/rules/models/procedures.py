"""Procedures: their steps, inputs and outputs; and the conditions, moments and turns of play.

Their formulas read the variables of the procedure first, then the current
figures of its unit. Steps may change the state of play (resources,
conditions, cooldowns); everything else only adds messages. How a step runs
is in ``charforge.procedures.steps``.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from charforge.errors import shorten
from charforge.expressions.dice import drops_dice
from charforge.expressions.formula import Formula
from charforge.language import _
from charforge.rules.models.base import (
    DiceText,
    GroupRef,
    GroupRefs,
    Ids,
    KindRefs,
    Label,
    Names,
    PackModel,
    RuleRef,
    Slug,
    Text,
    TimingRef,
    ValueId,
)
from charforge.rules.models.vocabulary import DiceCounts, RollWayRef
from charforge.rules.names import original

ProcedureRef = Annotated[str, Names("procedure")]
ChartRef = Annotated[Slug, Names("chart")]
MomentRef = Annotated[Slug, Names("moment")]
# A value by its id, or ``$input``: the one that an input names; ``shared.ID`` of what a group owns.
ReadTarget = Annotated[
    str,
    StringConstraints(pattern=r"^(\$|shared\.)?[a-z][a-z0-9_]*$"),
    Names("value", among="value or input"),
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
    """Compute ``id`` from a formula.

    With a ``label``, the odds of an action list it instead of the rolls in the formula.
    """

    do: Literal["let"]
    id: ValueId
    to: Formula
    label: Label = ""

    def variables(self, symbols: Iterable[str]) -> dict[str, str]:
        """Return the variable that it computes."""
        return {self.id: "step"}


class RollDice(ProcedureStep):
    """Roll ``dice``, ``times`` over; ``id`` is their sum, ``ID_dice`` their faces.

    Of ``4d6k3`` only the highest three count, of ``2d20kl1`` the lowest one:
    the others are neither in the sum nor among the faces, and none of them
    can be rerolled.

    Instead of ``dice``, a formula may give the number of ``sides`` of a die;
    or ``figure`` names an input that is an amount: its dice are rolled, also
    ``times`` over, and its formula is added once. With ``lenient`` a saved event without these dice
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
    """Reroll dice of an earlier roll: its lowest, its highest, or all.

    With ``keep`` those that show one of these faces stay, and all others are rolled again.
    """

    do: Literal["reroll"]
    id: Annotated[ValueId, Names("roll of this procedure")]
    which: Literal["lowest", "highest", "all"] = "lowest"
    keep: tuple[int, ...] = ()
    times: Formula = Formula(1)
    lenient: bool = False

    @model_validator(mode="after")
    def one_choice(self) -> Self:
        """Refuse to select dice in two ways."""
        if self.keep and "which" in self.model_fields_set:
            raise ValueError(_("set 'which' or 'keep', not both"))
        return self


class Judge(ProcedureStep):
    """Read the result of a ``roll`` by a way to roll: ``id`` is the level of success, or a count.

    Where a roll must come under the ``number``, ``id`` is 0 for a failure, 1 for a success, 2 if
    the first harder target is met as well, and so on. In a pool it is the number of dice that
    count. After a reroll the roll can be judged again.
    """

    do: Literal["judge"]
    id: ValueId
    roll: Annotated[ValueId, Names("roll of this procedure", among="any roll of this procedure")]
    by: RollWayRef
    number: Formula | None = None

    def variables(self, symbols: Iterable[str]) -> dict[str, str]:
        """Return the variable that holds the result."""
        return {self.id: "step"}


class LookUp(ProcedureStep):
    """Read a value of the unit, or the amount of one of its conditions."""

    do: Literal["look_up"]
    id: ValueId
    value: ReadTarget | None = None
    lasting: bool = False
    modifier: bool = False
    condition: ConditionTarget | None = None
    about: InputRef | None = None
    of: Literal["unit", "bearer"] = "unit"

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse no figure, or two sorts."""
        if (self.value is None) == (self.condition is None):
            raise ValueError(_("a look-up needs either a 'value' or a 'condition'"))
        if self.value is None and (self.lasting or self.modifier):
            key = "lasting" if self.lasting else "modifier"
            raise ValueError(_("'{key}' is only for a value").format(key=key))
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
    not suit. A label with figures, such as a price, needs it: lists of questions have no figures.
    With ``yes_no`` it is a question whose answers are 1 and 0.
    """

    do: Literal["choose"]
    id: ValueId
    label: Text
    short: Label = ""
    default: Formula = Formula(0)
    minimum: Formula = Formula(0)
    maximum: Formula
    player: bool = True
    yes_no: bool = False
    beyond: Text = ""

    @model_validator(mode="after")
    def with_short(self) -> Self:
        """Refuse a label with figures without a short one."""
        if "{" in self.label and not self.short:
            raise ValueError(_("a label with figures needs 'short' for lists and the history"))
        return self

    @property
    def listed_label(self) -> str:
        """The question where it is not asked, without figures."""
        return self.short if "{" in self.label else self.label

    def answer_text(self, number: int) -> str:
        """Return a chosen number in words: yes or no, if those are the answers."""
        if self.yes_no:
            return _("yes") if number else _("no")
        return str(number)

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


NUMBER = "number"  # ``of`` a Recover: the cooldowns that are printed as a number


def cooldown_number(cooldown: str) -> int | None:
    """Return the number of a cooldown such as ``5+``; None for a word."""
    digits = cooldown.rstrip("+")
    return int(digits) if digits.isdigit() else None


class Recover(ProcedureStep):
    """Bring abilities off cooldown: dice are rolled for each, and a formula decides.

    The formula ``if`` reads the result of the dice as ``roll``.
    """

    rolls_dice: ClassVar[bool] = True

    do: Literal["recover"]
    of: str = NUMBER
    item: InputRef | None = None
    dice: DiceText = ""
    judged: Formula = Field(Formula(1), alias="if")
    id: ValueId = "recovered"

    def variables(self, symbols: Iterable[str]) -> dict[str, str]:
        """Return the number of effects recovered, and each die while it is judged."""
        return {self.id: "step", "roll": "die", "number": "die"}

    def is_for(self, cooldown: str) -> bool:
        """Return whether the step is for a cooldown as printed."""
        if cooldown_number(cooldown) is not None:
            return self.of == NUMBER
        return self.of == original(cooldown)


class Call(ProcedureStep):
    """Run another procedure.

    ``with`` gives its inputs: ``$input`` passes on one of ours. Inputs that are words, values or
    texts take the word itself, an amount such as ``1d6 + 2`` too, and numbers take a formula.

    With ``for_each`` it runs once for each value of a group, which an input gets:
    ``{skill: skills}``. What it takes is then the sum.
    """

    do: Literal["call"]
    procedure: ProcedureRef
    with_: dict[str, Passed] = Field({}, alias="with")
    for_each: dict[str, GroupRef] = Field({}, max_length=1)
    take: dict[ValueId, str] = {}

    @model_validator(mode="after")
    def once_or_each(self) -> Self:
        """Refuse to repeat what runs for each value, and to give its input twice."""
        if self.for_each and (self.repeat is not None or self.for_each.keys() & self.with_.keys()):
            raise ValueError(_("'for_each' goes with neither 'repeat' nor its input in 'with'"))
        return self

    def of_value(self, value: str) -> "Call":
        """Return the call for one of the values that it runs for."""
        given = {**self.with_, **dict.fromkeys(self.for_each, value)}
        return self.model_copy(update={"with_": given, "for_each": {}})

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
    | Judge
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


TAKES_WORDS = ("word", "value", "text")  # types of inputs that a call gives a word as it stands
GIVEN_FLAG = "_given"  # after an input's id: the variable that tells whether it was given
# Read before the procedure begins: the unit's figures, and none of the procedure's own.
UnitFormula = Annotated[Formula, Names("value", among="value or level")]


class Input(PackModel):
    """An input of a procedure.

    Types:

    - ``number``: within bounds. With a ``chart`` the names of its rows mean their numbers.
    - ``flag``: 0 or 1.
    - ``word``: one of ``options``; the variable ``ID_OPTION`` is 1 for the chosen one. Players
      read the word itself, or what ``words`` has for it.
    - ``value``: a value of a group, or of several; steps can then use ``$id`` in place of a value.
    - ``amount``: dice and a formula, such as ``1d6 + 2``.
    - ``item``: one of the unit's items of certain kinds; ``ID_x`` is its number x, if all of
      these kinds have it, and ``{$id}`` its name.
    - ``numbers``: a list such as ``5,6``, for the functions ``nth`` and ``length``.
    - ``text``: any text.

    An input without a ``default`` is required, unless it is ``optional``. The history prints
    ``short`` before the answer, if the label does not suit: ``against 5``.

    ``when`` says whether it can matter, by the figures of the unit and the inputs that an ability
    or attack supplies: a form leaves it out otherwise.
    """

    id: ValueId
    label: Label
    short: Label = ""
    type: Literal["number", "flag", "word", "value", "amount", "item", "numbers", "text"] = "number"
    default: Formula | None = None
    default_word: str = ""
    optional: bool = False
    minimum: UnitFormula | None = None
    maximum: UnitFormula | None = None
    chart: ChartRef | None = None
    options: Ids = ()
    words: dict[str, Label] = {}
    group: GroupRefs = ()
    kind: KindRefs = ()
    instead: dict[str, Formula] | None = None
    when: Formula | None = None
    otherwise: Text = ""
    help: Text = ""
    assumes: Text = ""

    @model_validator(mode="after")
    def fitting_default(self) -> Self:
        """Refuse a default of the wrong sort, or a word without words."""
        if self.type in ("number", "flag"):
            if self.default_word:
                raise ValueError(_("the default of a number or flag must be a formula (default)"))
        elif self.default is not None:
            raise ValueError(
                _("the default of a {type} must be a word (default_word)").format(type=self.type)
            )
        if (self.type == "word") != bool(self.options):
            raise ValueError(_("only a word needs options"))
        if self.chart is not None and self.type != "number":
            raise ValueError(_("only a number can name a row of a chart"))
        if (self.type == "item") != bool(self.kind):
            raise ValueError(_("only an item needs a kind"))
        if not {*self.words} <= {*self.options}:
            raise ValueError(_("'words' can only name the options"))
        if self.type == "word" and self.default_word and self.default_word not in self.options:
            raise ValueError(
                _("{default_word} is not one of the options").format(
                    default_word=shorten(self.default_word)
                )
            )
        return self

    def word(self, option: str) -> str:
        """Return an option as players read it."""
        return self.words.get(option) or option.replace("-", " ")

    @property
    def needed(self) -> bool:
        """Whether it must be given."""
        return not (self.optional or self.default is not None or self.default_word)

    @property
    def option_variables(self) -> tuple[str, ...]:
        """The variables of the options: 1 for the word that is given, else 0."""
        return tuple(f"{self.id}_{option.replace('-', '_')}" for option in self.options)


class Output(PackModel):
    """A result of a procedure."""

    id: ValueId
    label: Label
    when: Formula | None = None
    shown: Literal["always", "when"] = "always"
    goal: bool = False


class Procedure(PackModel):
    """A rule that runs step by step, such as a check or an attack.

    If it runs without a unit, all values that it reads must be entered.
    """

    id: Slug
    label: Label
    source: RuleRef
    rulings: Annotated[Ids, Names("ruling")] = ()
    text: Text = ""
    units: Annotated[Ids, Names("unit type")] = ()
    inputs: tuple[Input, ...] = ()
    steps: Steps = Field(min_length=1)
    outputs: tuple[Output, ...] = ()

    def input(self, name: str) -> Input | None:
        """Return an input by id."""
        return next((entry for entry in self.inputs if entry.id == name), None)

    def words_given(self, given: Mapping[str, Passed]) -> dict[str, str]:
        """Return the words among what its inputs are given: neither formulas nor other inputs."""
        takes_words = {entry.id for entry in self.inputs if entry.type in TAKES_WORDS}
        return {
            name: str(value)
            for name, value in given.items()
            if not str(value).startswith("$")
            if name in takes_words or not isinstance(value, Formula)
        }


def variables(
    inputs: tuple[Input, ...], steps: Steps, symbols: Iterable[str] = ()
) -> dict[str, str]:
    """Return every variable that a procedure's formulas may read, with where it comes from.

    ``symbols`` are those that the ruleset's dice show: each pool counts them all.
    """
    counted = tuple(symbols)
    names = [entry.id for entry in inputs]
    names += [entry.id + GIVEN_FLAG for entry in inputs if entry.optional]
    names += [name for entry in inputs for name in entry.option_variables]
    origins = dict.fromkeys(names, "input")
    for step in steps:
        origins |= step.variables(counted)
    return origins


GEAR_NAMES = ("in_hand", "trained", "worn")  # what formulas of gear can read of the item itself
MELEE = "melee"  # of an attack: whether it has the range of melee attacks
OWN_ITEM = "item"  # the input of the procedure of attacks that is the item with the attack


class Lasting(PackModel):
    """How a condition is counted and how it ends.

    It lasts until the first moment of ``until`` has happened ``turns`` times, or any other of
    them once; without ``until``, it lasts until something ends it. A condition that ``counts``
    has an amount, up to ``most``. A condition that ``names`` concerns a person or thing. While
    the formula ``bars`` holds, the unit cannot use any action or attack (checks and other rules
    are still rolled, unless a step ``require`` refuses them); with ``allows`` it can only use
    what has one of these timings. With ``ends`` the unit is out of play for good: it uses
    nothing (unless ``bars`` says when), rolls no checks, gains no more levels and buys nothing.
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

    ``rests`` are the kinds of rest by the word that players type: ``short``. Attacks with the range
    ``melee_range`` are melee attacks: for them the formula ``melee`` holds.
    """

    damage: ProcedureRef | None = None
    heal: ProcedureRef | None = None
    check: ProcedureRef | None = None
    attack: ProcedureRef | None = None
    attack_timing: TimingRef | None = None
    attack_granted: ValueId | None = None
    melee_range: str = MELEE
    turn: ProcedureRef | None = None
    turn_end: ProcedureRef | None = None
    combat_end: ProcedureRef | None = None
    rests: dict[Slug, ProcedureRef] = {}
    untrained: dict[
        Annotated[str, Names("value")],
        Annotated[Formula, Names("value", among="value or input of a price")],
    ] = {}
    untrained_inputs: tuple[Input, ...] = ()
    discounts: dict[Annotated[str, Names("value")], Discount] = {}
    line: Annotated[Ids, Names("value", among="value or shared")] = ()
    order: TurnOrder | None = None


class Moment(PackModel):
    """A moment of play that can end conditions, such as the start of a turn or a rest."""

    id: Slug
    label: Label
