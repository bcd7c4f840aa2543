"""catalog schema: JSON Schemas for an editor."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator as Validator

from tests.cli.test_packs import clock
from tests.command_runner import run_command

NAMES = ["ruleset.json", "pack.json", "page.json", "test.json"]


@pytest.fixture(scope="module")
def new_pack(tmp_path_factory) -> Path:
    """A new pack for a small game, without its schemas."""
    folder = tmp_path_factory.mktemp("new")
    run_command("catalog", "new", "salt-road", "--ruleset", "shields-biotics", folder=folder)
    for path in (folder / "salt-road" / ".schema").iterdir():
        path.unlink()
    return folder / "salt-road"


@pytest.fixture
def pack(new_pack, run, packs_home) -> Path:
    """A copy of it in the folder of the commands, not installed."""
    return Path(shutil.copytree(new_pack, "salt-road"))


def page(folder: Path) -> Validator:
    return Validator(json.loads((folder / ".schema" / "page.json").read_text("utf-8")))


def test_the_schemas_of_a_pack_are_written_into_its_folder(run, pack):
    ran = run("catalog", "schema", "salt-road")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.split() == [f"salt-road/.schema/{name}" for name in NAMES]
    own = "attribute/salt-road-attribute"
    assert page(pack).is_valid({"patches": [{"at": own, "set": {"text": "Salty."}}]})
    assert not page(pack).is_valid({"patches": [{"at": own + "s", "set": {"text": "Salty."}}]})


def test_without_a_path_it_is_the_pack_in_this_folder(run, pack, monkeypatch):
    monkeypatch.chdir(pack)
    assert run("catalog", "schema").out.split() == [f".schema/{name}" for name in NAMES]


def test_a_pack_with_errors_has_schemas_too(run, pack):
    (pack / "more.yaml").write_text("entities:\n  - {id: rule/salt, nam: Salt}\n", "utf-8")
    ran = run("catalog", "schema", "salt-road")
    assert (ran.code, len(ran.out.split())) == (0, 4)
    assert "charforge catalog check salt-road" in ran.err


def test_watching_a_pack_keeps_its_schemas_current(run, pack, monkeypatch):
    entity = "{id: rule/salt, name: Salt, source: Here, text: It is salty.}"
    more = pack / "more.yaml"

    def sleep(_seconds):
        if more.exists():
            raise KeyboardInterrupt
        more.write_text(f"entities:\n  - {entity}\n", "utf-8")

    monkeypatch.setattr("charforge.cli.files.time", clock(sleep))
    assert run("catalog", "check", pack, "--watch").code == 130
    assert page(pack).is_valid({"patches": [{"at": "rule/salt", "set": {"text": "Not salty."}}]})


def test_a_folder_that_is_not_there_is_told(run):
    run("catalog", "schema", "salt").refused(2, "no folder salt")


def test_a_folder_that_cannot_be_written_is_told(run, pack):
    (pack / ".schema").rmdir()
    (pack / ".schema").touch()
    run("catalog", "schema", "salt-road").refused(2, "was not saved")
