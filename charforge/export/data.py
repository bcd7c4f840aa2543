"""Everything computed, as JSON for other programs, with its schema.

The head is what ``show --json`` prints (``charforge.report``): every
value with its steps, every holding. With it comes what the sheet makes of
them: attacks with their whole bonus, cards, items, units and the story,
each text with the character's own figures and none left to resolve.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from charforge import report
from charforge.export.shape import Export, Override, Sheet, UnitSheet
from charforge.replay.replay import Character, Problem
from charforge.sheet.build import build

SCHEMA = Path(__file__).with_name("export.schema.json")


def export(character: Character, problems: Sequence[Problem] = ()) -> Export:
    """Return everything computed of a character; ``problems`` are those of its file."""
    told = report.character(character, tuple(problems))
    shown = build(character)
    panels = map(UnitSheet.model_validate, shown.units)
    told["units"] = [
        {**unit, "sheet": panel} for unit, panel in zip(told["units"], panels, strict=True)
    ]
    rules = dict(sorted(character.state.rules.items()))
    sheet = Sheet.model_validate(shown)
    told |= {"table_rules": rules, "overrides": tuple(_overrides(character)), "sheet": sheet}
    return Export.model_validate(told)


def _overrides(character: Character) -> Iterator[Override]:
    for found in character.overridden:
        by, reason = found.override.by, found.override.reason
        yield Override(decision=found.decision, by=by, reason=reason, against=found.reasons)


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the JSON: keys in the order of the models, letters as they are."""
    data = export(character, problems).model_dump(mode="json", by_alias=True)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def schema() -> dict[str, Any]:
    """Return the JSON Schema of what ``write`` gives; ``SCHEMA`` is this, shipped."""
    return Export.model_json_schema(mode="serialization")
