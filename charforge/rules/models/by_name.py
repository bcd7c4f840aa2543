"""The models of packs and samples by class name: for schemas, references and mistyped keys."""

from __future__ import annotations

from functools import cache
from itertools import chain

from pydantic import BaseModel

from charforge.rules import models
from charforge.rules.models import sample


@cache
def pack_models() -> dict[str, type[BaseModel]]:
    """Return every model of a pack's files by its class name."""
    exported = chain(vars(models).values(), vars(sample).values())
    classes = (value for value in exported if isinstance(value, type))
    return {c.__name__: c for c in classes if issubclass(c, BaseModel) and c is not BaseModel}


def pack_model(name: str) -> type[BaseModel]:
    """Return a model by its class name. Raises LookupError for one that is not exported."""
    if name not in pack_models():
        raise LookupError(
            f"{name} is missing from the exports of charforge/rules/models/__init__.py"
        )
    return pack_models()[name]
