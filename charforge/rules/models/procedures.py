"""Procedures: rules that resolve something step by step, with inputs, dice and outputs."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from charforge.errors import shorten
from charforge.expressions.formula import Formula
from charforge.language import _
from charforge.rules.models.base import (
    GroupRef,
    Ids,
    KindRefs,
    Label,
    Names,
    PackModel,
    RuleRef,
    Slug,
    Text,
    ValueId,
)
from charforge.rules.models.steps import ChartRef, Passed, Steps

TAKES_WORDS = ("word", "value", "text")  # types of inputs that a call gives a word as it stands
GIVEN = "_given"  # after an input's id: the variable that tells whether it was given
# Read before the procedure begins: the unit's figures, and none of the procedure's own.
UnitFormula = Annotated[Formula, Names("value", among="value or level")]


class Input(PackModel):
    """An input of a procedure.

    Types:

    - ``number``: within bounds. With a ``chart`` the names of its rows mean their numbers.
    - ``flag``: 0 or 1.
    - ``word``: one of ``options``; the variable ``ID_OPTION`` is 1 for the chosen one. Players
      read the word itself, or what ``words`` has for it.
    - ``value``: a value of a group; steps can then use ``$id`` in place of a value.
    - ``amount``: dice and a formula, such as ``1d6 + 2``.
    - ``item``: one of the unit's items of certain kinds; ``ID_x`` is its number x, if all of
      these kinds have it, and ``{$id}`` its name.
    - ``numbers``: a list such as ``5,6``, for the functions ``nth`` and ``length``.
    - ``text``: any text.

    An input without a ``default`` is required, unless it is ``optional``. The history prints
    ``short`` before the answer, if the label does not suit: ``against 5``.
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
    group: GroupRef = ""
    kind: KindRefs = ()
    instead: dict[str, Formula] | None = None
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
    names += [entry.id + GIVEN for entry in inputs if entry.optional]
    names += [name for entry in inputs for name in entry.option_variables]
    origins = dict.fromkeys(names, "input")
    for step in steps:
        origins |= step.variables(counted)
    return origins
