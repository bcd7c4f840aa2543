"""The JSON Schemas of a ruleset's files agree with the models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator as Validator

from charforge.rules import schema
from charforge.rules.loader import built_in, catalog_folder, load_folder
from charforge.rules.models import pack_models
from charforge.rules.models.base import annotated_fields
from charforge.rules.schema import glossary, key_meaning, title

EXAMPLES = catalog_folder().with_name("examples")
TESTDATA = Path(__file__).resolve().parents[1] / "testdata"
RULESETS = [
    *built_in().values(),
    *(TESTDATA / name for name in ("toy", "harbour", "reef", "barrow")),
]
Schemas = dict[str, dict[str, Any]]


def files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of a pack, each with the name of its schema."""
    for path in sorted(folder.glob("*.yaml")):
        yield path, f"{path.stem}.json" if path.stem in ("ruleset", "pack") else "page.json"
    for path in sorted((folder / "tests").glob("*.yaml")):
        yield path, "test.json"


def data(path: Path) -> Any:
    """Read a file as an editor does: every key is a text."""
    return json.loads(json.dumps(yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)))


def faults(found: Schemas, name: str, read: Any) -> list[str]:
    return [
        f"{'.'.join(map(str, error.absolute_path))}: {error.message}"
        for error in Validator(found[name]).iter_errors(read)
    ]


@pytest.fixture(scope="module")
def schemas(capital) -> Schemas:
    return schema.schemas(capital)


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_the_schemas_are_schemas_and_the_files_of_their_ruleset_are_valid(folder):
    found = schema.schemas(load_folder(folder))
    assert list(found) == ["ruleset.json", "pack.json", "page.json", "test.json"]
    for one in found.values():
        assert one["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        Validator.check_schema(one)
    read = list(files(folder))
    assert len(read) >= 2
    for path, name in read:
        assert faults(found, name, data(path)) == [], path


@pytest.mark.parametrize("name", ["house-rules", "under-the-ice"])
def test_the_files_of_the_example_packs_are_valid(name, schemas):
    read = list(files(EXAMPLES / name))
    assert {one for _path, one in read} == {"pack.json", "page.json", "test.json"}
    for path, one in read:
        assert faults(schemas, one, data(path)) == [], path


def role(**more: Any) -> dict[str, Any]:
    """Return a page with a role that says something more, or something else."""
    return {"entities": [{"id": "role/the-miner", "name": "The Miner", "source": "Here", **more}]}


NO_STEPS = {"id": "a", "label": "A", "source": "rule/a", "steps": []}


@pytest.mark.parametrize(
    ("name", "read", "said"),
    [
        pytest.param("page.json", {"entites": []}, "'entites' was unexpected", id="key"),
        pytest.param("page.json", role(sumary="x"), "'sumary'", id="key of an entity"),
        pytest.param("page.json", role(rarity="Rare"), "'rarity'", id="another kind's field"),
        pytest.param("page.json", role(id="rol/the-miner"), "does not match", id="kind"),
        pytest.param("page.json", role(id="role/The Miner"), "does not match", id="slug"),
        pytest.param(
            "page.json",
            role(requires={"has": "a/b", "value": {"id": "x"}}),
            "is not valid under any",
            id="requirement",
        ),
        pytest.param("page.json", {"procedures": [NO_STEPS]}, "non-empty", id="no steps"),
        pytest.param("pack.json", {"id": "x", "name": "X", "version": "1"}, "'ruleset'", id="pack"),
        pytest.param("test.json", {"expct": {"values": {}}}, "'expct' was unexpected", id="sample"),
    ],
)
def test_what_the_models_refuse_is_marked(name, read, said, schemas):
    found = faults(schemas, name, read)
    assert any(said in one for one in found), found


def test_a_field_of_a_kind_has_its_label_and_its_type(schemas):
    kinds = schemas["page.json"]["$defs"]
    terminals = kinds["kind.vehicle"]["properties"]["terminals"]
    assert (terminals["type"], terminals["title"]) == ("integer", "Terminals")
    assert "terminals" not in kinds["kind.role"]["properties"]
    assert "own" not in kinds["kind.role"]["properties"]


def test_what_names_something_offers_what_there_is_and_allows_more(schemas):
    """The values are those of the game; a pack may still bring one of its own."""
    found = schemas["page.json"]["$defs"]
    assert "max_hp" in found["known.value"]["enum"]
    value = found["Modifier"]["properties"]["value"]
    assert value["anyOf"][0] == {"$ref": "#/$defs/known.value"}
    assert value["description"].startswith("The id of the value")
    own = role(modifies=[{"value": "of_my_own", "amount": 1}])
    assert faults(schemas, "page.json", own) == []


def test_every_definition_is_used_and_every_reference_resolves(schemas):
    for name, one in schemas.items():
        text = json.dumps(one)
        for definition in one["$defs"]:
            assert f'"#/$defs/{definition}' in text, (name, definition)
        assert "x-names" not in text


@pytest.mark.parametrize("model", pack_models().values(), ids=lambda model: model.__name__)
def test_every_key_has_a_meaning(model):
    keys = {place.key for place in annotated_fields(model)}
    assert [key for key in keys if not key_meaning(model, key)] == []
    assert set(glossary().models.get(title(model), {})) <= keys


def test_no_meaning_is_told_of_what_is_not_there():
    models = pack_models().values()
    assert set(glossary().models) <= {title(model) for model in models}
    assert set(glossary().everywhere) <= {
        place.key for model in models for place in annotated_fields(model)
    }


def test_they_are_written_beside_a_pack(tmp_path, capital):
    made = schema.write(tmp_path, capital)
    assert [path.relative_to(tmp_path).as_posix() for path in made] == [
        ".schema/ruleset.json", ".schema/pack.json", ".schema/page.json", ".schema/test.json",
    ]  # fmt: skip
    assert json.loads(made[2].read_text("utf-8")) == schema.schemas(capital)["page.json"]
