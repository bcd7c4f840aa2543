"""catalog schema: JSON Schemas for an editor."""

from __future__ import annotations

import json

from charforge.rules import schema


def test_the_schemas_of_a_ruleset_are_written_where_that_is_wanted(run, tmp_path, capital):
    ran = run("catalog", "schema", "--ruleset", "capital", "-o", "mine")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.split() == [
        "mine/ruleset.json",
        "mine/pack.json",
        "mine/page.json",
        "mine/test.json",
    ]
    written = json.loads((tmp_path / "mine" / "page.json").read_text("utf-8"))
    assert written == schema.schemas(capital)["page.json"]


def test_without_a_folder_they_stand_where_the_pages_look_for_them(run, tmp_path):
    assert run("catalog", "schema", "--ruleset", "squad-d20").code == 0
    assert (tmp_path / ".schema" / "page.json").is_file()


def test_a_pack_that_is_not_there_is_told(run, packs_home):
    run("catalog", "schema", "--pack", "salt").refused(2, 'pack named "salt"')


def test_a_folder_that_cannot_be_written_is_told(run, tmp_path):
    (tmp_path / "mine").touch()
    run("catalog", "schema", "-o", "mine").refused(2, "mine was not saved")
