"""The JSON Schemas of a ruleset's files agree with the models."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator as Validator

from charforge.expressions.formula import FUNCTIONS, Formula
from charforge.packs.install import load_checked
from charforge.packs.sources import examples
from charforge.rules.editor import schema
from charforge.rules.editor.schema import glossary, key_meaning, title
from charforge.rules.loading import yaml_reader
from charforge.rules.loading.loader import built_in, catalog_folder, read_folder
from charforge.rules.loading.parser import pack_models
from charforge.rules.models.base import annotated_fields
from tests.conftest import TOWER
from tests.samples import few

EXAMPLES = catalog_folder().with_name("examples")
TESTDATA = TOWER.parent
RULESETS = [
    TESTDATA / "toy",
    *built_in().values(),
    *(TESTDATA / name for name in ("harbour", "reef", "barrow", "tower")),
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
def schemas() -> Schemas:
    return schema.schemas(*read_folder(TOWER))


def test_the_schemas_are_schemas(schemas):
    assert list(schemas) == ["ruleset.json", "pack.json", "page.json", "test.json"]
    for one in schemas.values():
        assert one["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        Validator.check_schema(one)


@pytest.mark.parametrize("folder", few(RULESETS, 3), ids=lambda folder: folder.name)
def test_the_files_of_a_ruleset_are_valid(folder):
    found = schema.schemas(*read_folder(folder))
    read = list(files(folder))
    assert len(read) >= 2
    for path, name in read:
        assert faults(found, name, data(path)) == [], path


@pytest.mark.parametrize(
    "folder", few(sorted(examples().values()), 1, slow=4), ids=lambda folder: folder.name
)
def test_the_files_of_the_examples_are_valid(folder):
    _name, reader, ruleset = load_checked(folder)
    found = schema.schemas(reader, ruleset)
    read = list(files(folder))
    assert len(read) >= 3
    for path, one in read:
        assert faults(found, one, data(path)) == [], path


HEADER = "id: mounds\nname: Mounds\nversion: '1'\nruleset: barrow\n"
MOUNDS = """\
entities:
  - id: trick/light-feet
    name: Light Feet
    source: Mounds
    tags: [quiet]
    modifies: [{value: might, amount: "max(craft - 1, 1)"}, {value: "group:senses", amount: 1}]
    text: You have {MIGHT + 1} and roll {1d6 + craft}.
  - id: omen/crow
    name: A Crow
    source: Mounds
    weight: 2
    grants: [trick/light-feet, {id: armour/gambeson, when: has('trick/light-feet')}]
    choices:
      - {id: sight, do: roll, dice: 2d6kl1, plus: level, label: How far}
      - {id: number, do: choose, label: What kind, among: {kind: trick, tags: {any: [quiet]}}}
patches:
  - at: ruleset
    add:
      kinds:
        - {id: omen, label: Omen, plural: Omens, fields: {weight: {type: number, label: Weight}}}
  - at: [ruleset, units, digger, values, pockets]
    set: {formula: 6}
  - at: armour/gambeson
    set: {name: Padded coat, bulk: 2}
"""
WRONG = {
    "an id": ("{id: armour/gambeson", "{id: armour/gambesin", "entities.1.grants.1"),
    "an id in a formula": ("has('trick/light-", "has('trick/heavy-", "entities.1.grants.1"),
    "an id of a kind": ("kind: trick", "kind: trik", "entities.1.choices.1.among.kind"),
    "a tag": ("any: [quiet]", "any: [quite]", "entities.1.choices.1.among.tags.any"),
    "a value": ("value: might", "value: mihgt", "entities.0.modifies.0.value"),
    "a group": ("group:senses", "group:sense", "entities.0.modifies.1.value"),
    "a value in a formula": ("max(craft", "max(carft", "entities.0.modifies.0.amount"),
    "a function": ("max(craft", "maximum(craft", "entities.0.modifies.0.amount"),
    "a figure in a text": ("{MIGHT + 1}", "{MIHGT + 1}", "entities.0.text"),
    "a brace": ("{MIGHT + 1}", "{MIGHT + 1", "entities.0.text"),
    "dice": ("dice: 2d6kl1", "dice: 2w6", "entities.1.choices.0.dice"),
    "dice in a text": ("{1d6 + craft}", "{1d6x + craft}", "entities.0.text"),
    "a question's word": ("do: roll", "do: rol", "entities.1.choices.0.do"),
    "a question's key": ("plus: level", "pluss: level", "entities.1.choices.0"),
    "the field of a new kind": ("weight: 2", "weight: two", "entities.1.weight"),
    "a key of a new kind": ("weight: 2", "wieght: 2", "entities.1"),
    "a path": ("values, pockets", "values, pocket", "patches.1.at"),
    "a path's id": ("at: armour/gambeson", "at: armour/gambesin", "patches.2.at"),
    "a key at a path": ("set: {formula: 6}", "set: {formla: 6}", "patches.1.set"),
    "a value at a path": ("set: {formula: 6}", "set: {formula: mihgt}", "patches.1.set.formula"),
    "a field at a path": ("bulk: 2", "bulk: two", "patches.2.set.bulk"),
}  # fmt: skip


def mounds(folder: Path, page: str = MOUNDS) -> Schemas:
    """Write a pack for the Barrow that is not installed; return its schemas."""
    (folder / "pack.yaml").write_text(HEADER, encoding="utf-8")
    (folder / "things.yaml").write_text(page, encoding="utf-8")
    return schema.schemas(*read_folder(TESTDATA / "barrow", [folder], partly=True))


def places(found: Schemas, page: str) -> set[str]:
    """Return where the errors of a page are."""
    read = json.loads(json.dumps(yaml.safe_load(page)))
    errors = Validator(found["page.json"]).iter_errors(read)
    return {".".join(map(str, error.absolute_path)) for error in errors}


@pytest.fixture(scope="module")
def of_mounds(tmp_path_factory) -> Schemas:
    return mounds(tmp_path_factory.mktemp("mounds"))


def test_a_pack_with_a_kind_of_its_own_is_valid(of_mounds):
    assert places(of_mounds, MOUNDS) == set()


@pytest.mark.parametrize(("right", "wrong", "where"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_marked_where_it_is(right, wrong, where, of_mounds):
    assert MOUNDS.count(right) == 1
    assert places(of_mounds, MOUNDS.replace(right, wrong)) == {where}


@pytest.mark.parametrize(("right", "wrong", "_where"), WRONG.values(), ids=WRONG)
def test_a_mistake_has_a_message_of_ours_unless_it_is_a_key(right, wrong, _where, of_mounds):
    read = json.loads(json.dumps(yaml.safe_load(MOUNDS.replace(right, wrong))))
    for error in Validator(of_mounds["page.json"]).iter_errors(read):
        parts = [part.schema for part in error.context or [error]]
        texts = [part.get("patternErrorMessage", part.get("errorMessage")) for part in parts]
        assert all(texts) or error.validator == "additionalProperties"


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("might = 3", "To compare, write == instead of =."),
        ("craft ^ 2", "Formulas cannot use ^; multiply instead."),
        ("craft ** 2", "Formulas cannot use **; multiply instead."),
        ("might > 2 && craft > 2", "Write and, or, not."),
        ("!craft", "Write not, or != for what differs."),
        ("max(craft - 1", "A bracket is missing."),
        ("half_up((craft + 1)", "A bracket is missing."),
    ],
)
def test_a_formula_in_another_notation_has_one_message(formula, said, of_mounds):
    page = MOUNDS.replace("has('trick/light-feet')", f'"{formula}"')
    read = json.loads(json.dumps(yaml.safe_load(page)))
    errors = list(Validator(of_mounds["page.json"]).iter_errors(read))
    leaves = [part for error in errors for part in error.context or [error]]
    found = {
        part.schema.get("patternErrorMessage", "") for part in leaves if part.validator == "pattern"
    }
    assert {text for text in found if text.startswith(said)}


def test_a_change_of_attacks_reads_what_is_known_of_the_attack(of_mounds):
    line = "{attacks: damage, amount: 1, when: melee and in_hand and trained}"
    page = MOUNDS.replace('{value: "group:senses", amount: 1}', line)
    assert places(of_mounds, page) == set()


@pytest.mark.parametrize(
    "formula",
    ["might == 3", "craft != 2 and not might >= 2", "max((craft + 1) * 2, half_up(might))"],
)
def test_a_formula_as_it_should_be_is_valid(formula, of_mounds):
    assert places(of_mounds, MOUNDS.replace("has('trick/light-feet')", f'"{formula}"')) == set()


@pytest.mark.parametrize(
    "name", few(["an id", "a value in a formula", "a path", "the field of a new kind"], 2)
)
def test_schemas_written_with_the_mistake_in_place_mark_it_too(name, tmp_path):
    right, wrong, where = WRONG[name]
    page = MOUNDS.replace(right, wrong)
    assert where in places(mounds(tmp_path, page), page)


def calling(**more: Any) -> dict[str, Any]:
    """Return a page with a calling that says something more, or something else."""
    return {"entities": [{"id": "calling/miner", "name": "Miner", "source": "Here", **more}]}


NO_STEPS = {"id": "a", "label": "A", "source": "rule/a", "steps": []}


@pytest.mark.parametrize(
    ("name", "read", "said"),
    [
        pytest.param("page.json", {"entites": []}, "'entites' was unexpected", id="key"),
        pytest.param("page.json", calling(sumary="x"), "'sumary'", id="key of an entity"),
        pytest.param("page.json", calling(rank=1), "'rank'", id="another kind's field"),
        pytest.param("page.json", calling(id="caling/miner"), "does not match", id="kind"),
        pytest.param("page.json", calling(id="calling/The Miner"), "does not match", id="slug"),
        pytest.param(
            "page.json",
            calling(requires={"has": "a/b", "value": {"id": "x"}}),
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
    rank = kinds["kind.spell"]["properties"]["rank"]
    assert (rank["type"], rank["title"]) == ("integer", "Rank")
    assert "rank" not in kinds["kind.calling"]["properties"]
    assert "own" not in kinds["kind.calling"]["properties"]


def test_what_names_something_offers_what_there_is(schemas):
    found = schemas["page.json"]["$defs"]
    value = found["Modifier"]["properties"]["value"]
    offered = found[value["$ref"].removeprefix("#/$defs/")]["defaultSnippets"]
    assert {"label": "max_life", "description": "Maximum life", "body": "max_life"} in offered
    assert value["description"].startswith("The id of the value")
    formula = found["written.formula"]["defaultSnippets"]
    assert {"max_life", "half_up()"} <= {completion["label"] for completion in formula}
    steps = found["Procedure"]["properties"]["steps"]["items"]["properties"]["do"]
    meanings = dict(zip(steps["enum"], steps["enumDescriptions"], strict=True))
    assert meanings["call"] == "Run another procedure."


def test_every_definition_is_used_and_every_reference_resolves(schemas):
    for name, one in schemas.items():
        text = json.dumps(one)
        for definition in one["$defs"]:
            assert f'"#/$defs/{definition}' in text, (name, definition)
        assert '"x-' not in text


def test_every_key_has_a_meaning_and_every_meaning_a_key():
    faults = []
    for model in pack_models().values():
        keys = {place.key for place in annotated_fields(model)}
        faults += [
            f"{title(model)}.{key}: no meaning in rules/editor/glossary.yaml"
            for key in keys
            if not key_meaning(model, key)
        ]
        unknown = set(glossary().models.get(title(model), {})) - keys
        faults += [f"{title(model)}.{key}: no such key" for key in unknown]
    assert faults == []


def test_no_meaning_is_told_of_what_is_not_there():
    models = pack_models().values()
    assert set(glossary().models) <= {title(model) for model in models}
    assert set(glossary().everywhere) <= {
        place.key for model in models for place in annotated_fields(model)
    }


def test_every_function_of_formulas_has_an_example():
    functions = glossary().functions
    assert set(functions) == set(FUNCTIONS)
    for name, entry in functions.items():
        assert f"{name}(" in Formula(entry["example"]).text


def without_required(node: Any) -> Any:
    """Return a schema that also allows only a part of what it describes."""
    if isinstance(node, list):
        return [without_required(part) for part in node]
    if not isinstance(node, dict):
        return node
    return {key: without_required(part) for key, part in node.items() if key != "required"}


def examples(page: str, path: Path) -> Iterator[Any]:
    """Yield the short examples of a page of the documentation: those that are no whole file."""
    text = (EXAMPLES.with_name("docs") / page).read_text("utf-8")
    for block in re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        path.write_text(block, "utf-8")
        read = yaml_reader.read_yaml(path)
        if isinstance(read, dict) and {*read} - {"text", "digest", "like"} == {*read}:
            yield json.loads(json.dumps(read))


@pytest.mark.parametrize(("page", "least"), [("packs.md", 0), ("pack-tasks.md", 25)])
def test_the_examples_of_the_guides_have_only_keys_that_exist(page, least, tmp_path):
    defs = without_required(schema.definitions())
    defs["Entity"]["additionalProperties"] = True  # the fields of its kind
    keys = {**defs["RulesetHead"]["properties"], **defs["PackFile"]["properties"]}
    found = Validator({"properties": keys, "additionalProperties": False, "$defs": defs})
    shown = list(examples(page, tmp_path / "example.yaml"))
    assert len(shown) >= least
    for example in shown:
        assert [(*e.absolute_path, e.message) for e in found.iter_errors(example)] == []


def test_they_are_written_beside_a_pack(tmp_path, schemas):
    made = schema.write_schemas(tmp_path, *read_folder(TOWER))
    assert [path.relative_to(tmp_path).as_posix() for path in made] == [
        ".schema/ruleset.json", ".schema/pack.json", ".schema/page.json", ".schema/test.json",
    ]  # fmt: skip
    assert json.loads(made[2].read_text("utf-8")) == schemas["page.json"]
