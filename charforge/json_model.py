"""The base of all models that are printed or exported as JSON, with those that several share.

Every ``--json`` output and the JSON export are models, so that each key is named and typed in one
place and the same model can read the output again.
"""

from __future__ import annotations

from fractions import Fraction

from pydantic import BaseModel, ConfigDict

from charforge.errors import UsageError
from charforge.language import _

EXACT_DIGITS = 4000  # of an exact number


class JsonModel(BaseModel):
    """A part of the JSON; a newer version of charforge may add keys."""

    model_config = ConfigDict(
        defer_build=True,
        frozen=True,
        from_attributes=True,
        validate_by_alias=True,
        validate_by_name=True,
        serialize_by_alias=True,
        model_title_generator=lambda model: model.__name__.removesuffix("Json"),
    )


class ProblemJson(JsonModel):
    """A problem of the character; ``decision`` is the id of the decision that it is about."""

    code: str
    decision: str
    message: str


class NumberJson(JsonModel):
    """A number as a fraction (``7/36``, ``3``), and rounded as a decimal."""

    exact: str
    decimal: float


def exact_number(number: Fraction | int) -> NumberJson:
    """Return an exact number. Raises UsageError if it has too many digits."""
    if number.denominator.bit_length() > 3 * EXACT_DIGITS:
        raise UsageError(
            _("the exact fractions have more than {most_digits} digits").format(
                most_digits=EXACT_DIGITS
            ),
            _("Leave out --json."),
        )
    return NumberJson(exact=str(number), decimal=float(number))
