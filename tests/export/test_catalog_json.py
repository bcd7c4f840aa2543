"""The data of entities, for every entity of the games and of the packs for tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from charforge.export.catalog_json import EntityJson, entity_json
from charforge.rules.loading.loader import built_in, load_folder
from tests.conftest import HARBOUR

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = [
    *built_in().values(),
    *(
        path.parent
        for folder in (EXAMPLES, HARBOUR.parent)
        for path in folder.glob("*/ruleset.yaml")
    ),
]


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_every_entity_has_data_that_its_model_reads(folder: Path) -> None:
    rules = load_folder(folder)
    for entity in rules.entities.values():
        printed = entity_json(entity, rules).model_dump_json()
        data = json.loads(printed)
        assert EntityJson.model_validate_json(printed).model_dump(mode="json") == data
        own = {name: data[name] for name in rules.kinds[entity.kind].fields}
        assert own == {name: entity.own.get(name) for name in own}
