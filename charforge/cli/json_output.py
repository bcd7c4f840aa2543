"""The JSON of ``--json``: models, printed for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable

from pydantic import BaseModel

from charforge.cli import console


def print_json(data: BaseModel | Iterable[BaseModel]) -> None:
    """Print a model, or a list of models, as JSON."""
    console.print_result(json_text(data))


def json_text(data: BaseModel | Iterable[BaseModel]) -> str:
    """Return a model, or a list of models, as JSON."""
    plain = (
        data.model_dump(mode="json")
        if isinstance(data, BaseModel)
        else [part.model_dump(mode="json") for part in data]
    )
    return json.dumps(plain, ensure_ascii=False, indent=1)
