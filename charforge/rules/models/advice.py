"""Advice: the figures by which options are compared, and the foe that they are measured against."""

from typing import Annotated, Literal

from pydantic import Field

from charforge.expressions.formula import Formula
from charforge.rules.models.base import Label, Names, PackModel, Slug, Text, ValueId
from charforge.rules.models.sheet import ProcedureName, Word

REFERENCE = "$"  # begins the name of a foe's figure


class FoeFigure(PackModel):
    """A figure of the foe: typed, or the default. ``set`` of a measure names it as ``$id``.

    If the foe is a character, ``formula`` calculates the figure from its values.
    """

    id: ValueId
    label: Label
    default: Word
    formula: Annotated[Formula | None, Names("value")] = None


class Measure(PackModel):
    """A figure by which options are compared: the chance or the mean of an output.

    Without ``procedure`` every attack is tried, and the one with the highest mean counts.
    ``attacker`` says who rolls; a foe that is a character uses its own attacks. ``set`` has
    inputs in words, or as ``$figure`` of the foe; ``figures`` has inputs that are formulas over
    the values of the character. ``look_up`` has inputs that are a value of the other side, if
    that is a character: the value that another input of the attack names. With ``until``, the
    measure is the expected number of rounds until the output adds up to that number.
    """

    id: Slug
    label: Label
    text: Text = ""
    attacker: Literal["self", "foe"] = "self"
    procedure: ProcedureName | None = None
    set: dict[ValueId, Word] = {}
    figures: dict[ValueId, Annotated[Formula, Names("value")]] = {}
    look_up: dict[ValueId, ValueId] = {}
    output: ValueId
    until: Annotated[Formula | None, Names("value")] = None
    better: Literal["higher", "lower"] = "higher"


class AdviceSpec(PackModel):
    """The measures of the command ``advise``, the most important first, and the foe."""

    foe: tuple[FoeFigure, ...] = ()
    measures: tuple[Measure, ...] = Field(min_length=1)
