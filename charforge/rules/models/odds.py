"""Odds that a sheet can print: which procedure, for what, over which range."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, WithJsonSchema, model_validator

from charforge.rules.annotations import Names
from charforge.rules.models.base import Ids, KindRefs, PackModel, Slug, Text, ValueId

ProcedureName = Annotated[str, Names("procedure")]
LONGEST = 20  # values that an input may take in one table
Word = Annotated[
    str,
    Field(coerce_numbers_to_str=True, min_length=1),
    WithJsonSchema({"type": ["string", "number"], "minLength": 1}),
]


class Span(PackModel):
    """The values that an input takes one after another: numbers ``from`` to ``to``, or ``words``.

    ``label`` stands over them, if not the input's own.
    """

    input: ValueId
    from_: int | None = Field(None, alias="from")
    to: int | None = None
    words: tuple[Word, ...] = ()
    label: str = ""

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse numbers and words together, neither of them, and too many."""
        numbers = self.from_ is not None and self.to is not None
        if numbers == bool(self.words) or (self.from_ is None) != (self.to is None):
            raise ValueError("give the numbers 'from' and 'to', or 'words'")
        if not 1 <= len(self.values) <= LONGEST:
            raise ValueError(f"an input takes 1 to {LONGEST} values")
        return self

    @property
    def values(self) -> tuple[str, ...]:
        """Each value, in words."""
        if self.from_ is None or self.to is None:
            return self.words
        return tuple(map(str, range(self.from_, self.to + 1)))


class OddsSpec(PackModel):
    """A table of odds: a row for ``each`` thing, a column for each value of the input ``vary``.

    ``each`` is every ``attack`` of the character and its units (then the
    procedure is that of attacks, if no other is named), every ``item`` of
    a ``kind`` (told by ``input``), every ``unit``, or ``once``. A table
    ``apart`` is made for each value of another input. ``set`` are inputs
    that stay; ``show`` the outputs in each cell: the chance of one that
    says yes or no, the mean of a number. Choices on the way are as
    suggested, or at ``best`` for an output.
    """

    id: Slug
    label: str
    text: Text = ""
    each: Literal["attack", "item", "unit", "once"] = "once"
    kind: KindRefs = ()
    input: ValueId | None = None
    procedure: ProcedureName | None = None
    set: dict[ValueId, Word] = {}
    vary: Span
    apart: Span | None = None
    show: Ids = Field(min_length=1)
    best: ValueId | None = None

    @model_validator(mode="after")
    def told_apart(self) -> Self:
        """Refuse items that nothing is told, and a procedure that is not named."""
        if (self.each == "item") != bool(self.kind) or (self.each == "item") != bool(self.input):
            raise ValueError("each item is of a 'kind' and told by an 'input'; nothing else is")
        if self.each != "attack" and self.procedure is None:
            raise ValueError("only attacks have a procedure of their own: procedure")
        return self

    @property
    def spans(self) -> tuple[Span, ...]:
        """The inputs that vary."""
        return (self.vary,) if self.apart is None else (self.vary, self.apart)
