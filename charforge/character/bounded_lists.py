"""Lists and maps of a file: the errors of all parts of a damaged one, up to a number.

A damaged file can have an error in each of a million parts. Each error takes
memory, 3.5 GB for a file of 4 MB, so that no more are searched than anybody
reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from pydantic import Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import ErrorDetails, InitErrorDetails

MAX_COUNTED = 100  # mistakes of one file: no more are counted
MOST_ERRORS = MAX_COUNTED + 1  # of one list or map, so that it is known whether there are more
FIRST_ONLY = Field(fail_fast=True)  # of a list: its validation ends with the first invalid item


def _validate_list(items: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    """Return a valid list. Raises ValidationError with the errors of its items."""
    try:
        return validate(items)
    except ValidationError as error:
        if not isinstance(items, list):
            raise
        raise first_errors(error.title, _of_list(items, validate)) from error


def _validate_map(data: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    """Return a valid map. Raises ValidationError with the errors of its keys."""
    try:
        return validate(data)
    except ValidationError as error:
        if not isinstance(data, dict):
            raise
        raise first_errors(error.title, _of_map(data, validate)) from error


def first_errors(title: str, errors: Iterable[ErrorDetails]) -> ValidationError:
    """Return the first of some errors as one that can be raised."""
    found: list[InitErrorDetails] = [
        {
            "type": details["type"],
            "loc": details["loc"],
            "input": details["input"],
            "ctx": details.get("ctx", {}),
        }
        for details in islice(errors, MOST_ERRORS)
    ]
    return ValidationError.from_exception_data(title, found)


def _of_list(items: list[Any], validate: ValidatorFunctionWrapHandler) -> Iterator[ErrorDetails]:
    """Yield the errors of a list whose validation stops at the first invalid item."""
    start = 0
    while start < len(items):
        try:
            validate(items[start:])
        except ValidationError as error:
            stopped = start
            for details in error.errors(include_url=False):
                index, *where = details["loc"]
                stopped = start + int(index)
                yield {**details, "loc": (stopped, *where)}
            start = stopped + 1
        else:
            return


def _of_map(data: dict[Any, Any], validate: ValidatorFunctionWrapHandler) -> Iterator[ErrorDetails]:
    """Yield the errors of a map, key by key."""
    for key, value in data.items():
        try:
            validate({key: value})
        except ValidationError as error:
            yield from error.errors(include_url=False)


LIST_ERRORS = WrapValidator(_validate_list)  # all errors of a list, up to MOST_ERRORS
MAP_ERRORS = WrapValidator(_validate_map)
