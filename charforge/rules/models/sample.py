"""Samples: characters that a pack says the outcome of, so that it can be tested."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field, WithJsonSchema, model_validator

from charforge.rules.models.base import EntityId, EntityRef, PackModel, Text, ValueId

# A text that may look like a number.
Word = Annotated[
    str, Field(coerce_numbers_to_str=True), WithJsonSchema({"type": ["string", "number"]})
]


class Expected(PackModel):
    """What must come of a sample; what is not said is not looked at.

    ``values`` are figures of the character by id, ``units`` those of what
    it owns: ``{vehicle/bike: {max_hp: 18}}``. ``sheet`` are words that
    stand on its sheet, ``not_on_sheet`` words that do not. ``problems``
    are (parts of) the messages of everything wrong with it, ``open`` the
    decisions that are left: each list is all there are.
    """

    legal: bool | None = None
    values: dict[ValueId, int] = {}
    units: dict[EntityRef, dict[ValueId, int]] = {}
    holdings: tuple[EntityId, ...] = ()
    sheet: tuple[Text, ...] = ()
    not_on_sheet: tuple[Text, ...] = ()
    problems: tuple[Text, ...] | None = None
    open: tuple[str, ...] | None = None

    @model_validator(mode="after")
    def says_something(self) -> Self:
        """Refuse one that anything would meet."""
        if not self.model_fields_set:
            raise ValueError("say at least one thing that must come of it")
        return self


class Sample(PackModel):
    """A file in ``tests/``: a character, and what must come of it.

    ``answers`` are those of an answers file, by decision; with ``random``
    chance answers what they leave out, the same for the same ``seed``.
    """

    name: Word = "Sample"
    text: Text = ""
    level: int = Field(1, ge=1)
    seed: Word = "1"
    random: bool = False
    table_rules: dict[str, str] = {}
    answers: dict[str, Any] = {}
    expect: Expected
