"""Inputs: what a procedure or an action must be told before its steps are taken."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import model_validator

from charforge.expressions.formula import Formula
from charforge.rules.annotations import Names
from charforge.rules.models.base import GroupRef, Ids, KindRefs, PackModel, Text, ValueId

GIVEN = "_given"  # after an input's id: the variable that tells whether it was given
# Read before the procedure begins: the unit's figures, and none of the procedure's own.
UnitFormula = Annotated[Formula, Names("value", among="value or level")]


class Input(PackModel):
    """What a procedure must be told.

    A ``number`` (within its bounds), a ``flag`` (0 or 1), one of
    ``options`` (a ``word``: ``ID_OPTION`` tells of each whether it is that
    one), a ``value`` of a group (then ``$id`` is it wherever a value may
    stand), an ``amount`` (dice and a formula, such as ``1d6 + 2``), an
    ``item`` (something of certain kinds that the unit has: ``ID_x`` is each
    own number x that all of these kinds have, ``{$id}`` its name), or a
    ``text``. One without ``default`` must be given, unless it is
    ``optional``: then ``ID_given`` tells whether it was.
    """

    id: ValueId
    label: str
    type: Literal["number", "flag", "word", "value", "amount", "item", "text"] = "number"
    default: Formula | None = None
    default_word: str = ""
    optional: bool = False
    minimum: UnitFormula | None = None
    maximum: UnitFormula | None = None
    options: Ids = ()
    group: GroupRef = ""
    kind: KindRefs = ()
    help: Text = ""

    @model_validator(mode="after")
    def fitting_default(self) -> Self:
        """Refuse a default of the wrong sort, or a word without words."""
        if self.type in ("number", "flag"):
            if self.default_word:
                raise ValueError("a number's or flag's default is a formula: default")
        elif self.default is not None:
            raise ValueError(f"the default of a {self.type} is a word: default_word")
        if (self.type == "word") != bool(self.options):
            raise ValueError("a word has options, and nothing else has")
        if (self.type == "item") != bool(self.kind):
            raise ValueError("an item is of a kind, and nothing else is")
        if self.type == "word" and self.default_word and self.default_word not in self.options:
            raise ValueError(f"{self.default_word!r} is none of the options")
        return self

    @property
    def needed(self) -> bool:
        """Whether it must be given."""
        return not (self.optional or self.default is not None or self.default_word)

    @property
    def told(self) -> tuple[str, ...]:
        """The variables that tell of each option whether it is the word."""
        return tuple(f"{self.id}_{option.replace('-', '_')}" for option in self.options)
