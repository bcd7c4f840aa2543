"""The shipped JSON Schema agrees with the model."""

from __future__ import annotations

import json
from pathlib import Path

import charforge
from charforge.character.files.document import Document

SCHEMA = Path(charforge.__file__).parent / "character" / "character.schema.json"


def test_the_schema_is_that_of_the_model() -> None:
    """After a change: write ``Document.model_json_schema()`` to the file again."""
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == Document.model_json_schema()
