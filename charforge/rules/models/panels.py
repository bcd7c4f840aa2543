"""What a sheet shows beside the attributes: compact lists, and boxes that fill up in play."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator

from charforge.expressions.formula import Formula
from charforge.rules.annotations import Names
from charforge.rules.models.base import PackModel, Text, ValueRefs


def _of(raw: object) -> object:
    return {"of": raw} if isinstance(raw, str) else raw


class ListSpec(PackModel):
    """A compact list: the values of a group, all that is held of a kind, or the ``values`` named.

    A name alone is ``of``. ``label`` stands over it, if not that of the
    group or kind; it is filled up to so many ``lines`` to write on.
    """

    of: Annotated[str, Names("group or kind")] = ""
    values: ValueRefs = ()
    label: str = ""
    lines: int = Field(0, ge=0, le=30)

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse a list of nothing or of two things, and values without a heading."""
        if bool(self.of) == bool(self.values):
            raise ValueError("a list has either 'of' (a group or a kind) or 'values'")
        if self.values and not self.label:
            raise ValueError("a list of 'values' needs a 'label'")
        return self


class TrackerSpec(PackModel):
    """Resources to keep count of on paper: a ``value``, several, or a ``group:NAME`` of them.

    ``boxes`` (a formula of the unit) fill up from 0; without them there is
    room to write a number, and the figures of a track are its steps.
    ``label`` stands over them; ``note`` says what each does, if not the
    text of its value.
    """

    value: ValueRefs = Field(min_length=1)
    boxes: Formula | None = None
    label: str = ""
    note: Text = ""


ListSpecs = tuple[
    Annotated[ListSpec, BeforeValidator(_of, json_schema_input_type=str | ListSpec)], ...
]
