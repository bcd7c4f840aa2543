"""Packs: created, checked, installed, used by a character, removed."""

from __future__ import annotations

import json
import shlex
import shutil
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from charforge.packs.scaffold import new_pack
from charforge.rules.loading import loader
from tests.conftest import HARBOUR
from tests.rules.pack_files import write_pack
from tests.samples import few

HOUSE = """\
entities:
  - id: knack/house-brew
    name: House Brew
    source: Our table
    slots: 1
    modifies: [{value: max_vigour, amount: 5}]
    text: You have 5 more vigour.
patches:
  - at: trade/stevedore
    add: {modifies: [{value: max_vigour, amount: 100}]}
    why: Stevedores are strong.
  - at: ruleset
    add:
      table_rules:
        - id: tea
          label: Is there tea?
          default: never
          options: [{id: never, label: There is none}, {id: always, label: There is}]
"""


@pytest.fixture
def house(tmp_path, packs_home):
    """A pack of house rules for the Harbour, not installed yet; the game is."""
    shutil.copytree(HARBOUR, packs_home / "harbour")
    return write_pack(tmp_path / "house-rules", HOUSE, "harbour", "1.0")


@pytest.fixture
def installed(run, house):
    """The same pack, installed."""
    assert run("catalog", "add", house).code == 0
    return house


# ------------------------------------------------------------------ add, installed, remove


def test_a_pack_is_added_listed_and_removed(run, house):
    added = run("catalog", "add", house)
    assert (added.code, added.out) == (
        0,
        "house-rules 1.0 is installed: House Rules, for The Harbour\n",
    )
    assert added.err == "To use it: charforge new --pack house-rules\n"
    lines = run("catalog", "installed").out.splitlines()
    assert lines[0].startswith("capital ")
    assert "Capital 1.0.0, built in, " in lines[0]
    assert lines[-1].split(maxsplit=1) == [
        "house-rules",
        "House Rules 1.0, amends harbour, 1 entity, 2 patches",
    ]
    assert run("catalog", "remove", "house-rules").out == "house-rules is removed\n"
    assert "house-rules" not in run("catalog", "installed").out


def test_installed_as_json(run, installed):
    listed = {one["id"]: one for one in run("catalog", "installed", "--json").json}
    assert set(listed) == {*loader.built_in(), "harbour", "house-rules"}
    mine, capital = listed["house-rules"], listed["capital"]
    assert (mine["amends"], mine["entities"], mine["patches"]) == ("harbour", 1, 2)
    assert (mine["version"], mine["built_in"], mine["usable"]) == ("1.0", False, True)
    assert (capital["amends"], capital["built_in"], capital["entities"] > 200) == (None, True, True)


def test_a_zip_is_added_and_replaced(run, house, tmp_path):
    path = tmp_path / "house.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in house.iterdir():
            archive.write(file, f"house/{file.name}")
    assert run("catalog", "add", path).code == 0
    run("catalog", "add", path).refused(2, "A pack house-rules is already installed", "--replace")
    assert run("catalog", "add", path, "--replace").code == 0


def test_a_pack_whose_needs_are_gone_is_listed_as_unusable(run, installed, tmp_path):
    needing = write_pack(
        tmp_path / "more", "entities: []\n", "harbour", more="requires: [house-rules]\n"
    )
    assert "--pack house-rules --pack more" in run("catalog", "add", needing).err
    removed = run("catalog", "remove", "house-rules")
    assert removed.err == "These need it and can no longer be used: more\n"
    listed = run("catalog", "installed")
    assert listed.code == 0
    assert "more             cannot be used. To see why: charforge catalog check " in listed.out


def test_what_cannot_be_added_or_removed(run, house, tmp_path):
    run("catalog", "add", tmp_path / "nothing").refused(2, "there is no such file or folder")
    run("catalog", "remove", "house-ruls").refused(2, 'no installed pack named "house-ruls"')
    run("catalog", "remove", "capital").refused(2, "Capital is built in")
    (house / "page.yaml").write_text("entities: [{id: knack/x}]\n", "utf-8")
    run("catalog", "add", house).refused(1, "page.yaml:1:12:", "this key is missing")


# ------------------------------------------------------------------ check


def test_a_good_pack_has_nothing_to_say(run, house):
    ended = run("catalog", "check", house)
    assert (ended.code, ended.out) == (0, "house-rules: no errors, no warnings\n")


def test_faults_and_warnings_are_told_apart(run, house):
    page = HOUSE.replace(
        "slots: 1", "slots: 1\n    requires: {value: {id: slots, at_least: 3, at_most: 2}}"
    )
    page += "  - {at: gear/flask, set: {text: Good.}}\n"
    page = page.replace("patches:", "  - {id: gear/lint, name: Lint, source: S}\npatches:")
    (house / "page.yaml").write_text(page, "utf-8")
    ended = run("catalog", "check", house)
    assert ended.code == 1
    first, second, last = ended.out.splitlines()
    assert first.startswith(f"{house}/page.yaml:6:5: error: (requires) this can never happen:")
    assert second.startswith(
        f"{house}/page.yaml:9:6: warning: (id) no choice offers this and nothing grants it"
    )
    assert last == "house-rules: 1 error, 1 warning"


def test_only_faults_end_with_one(run, house):
    lint = "entities: [{id: gear/lint, name: L, source: S}]\n"
    (house / "page.yaml").write_text(lint, "utf-8")
    ended = run("catalog", "check", house)
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "house-rules: no errors, 1 warning")


def test_check_as_json(run, house):
    (house / "page.yaml").write_text(HOUSE.replace("slots: 1", "slosts: 1"), "utf-8")
    ended = run("catalog", "check", house, "--json")
    assert ended.code == 1
    found = json.loads(ended.out)
    assert found["warnings"] == []
    assert found["errors"] == [
        {
            "file": str(house / "page.yaml"),
            "line": 5,
            "column": 5,
            "field": "slosts",
            "message": "unknown key",
            "nearest": "slots",
        }
    ]


def clock(sleep):
    """The module ``time`` for one module, since other threads of the tests sleep as well."""
    return SimpleNamespace(sleep=sleep)


def test_watch_checks_again_on_each_save(run, house, monkeypatch):
    """Two saves while it sleeps, then Ctrl-C: three checks, of which the last is of the last."""
    saves = [HOUSE.replace("slots: 1", "slosts: 1"), None, HOUSE + "  - {at: role/x, drop: [a]}\n"]

    def sleep(_seconds):
        if not saves:
            raise KeyboardInterrupt
        text = saves.pop(0)
        if text is not None:
            (house / "page.yaml").write_text(text, "utf-8")

    monkeypatch.setattr("charforge.cli.files.time", clock(sleep))
    ended = run("catalog", "check", house, "--watch")
    assert ended.code == 130
    ends = [line for line in ended.out.splitlines() if "error" in line and ", no warnings" in line]
    assert [line.rpartition(": ")[2] for line in ends] == [
        "no errors, no warnings",
        "1 error, no warnings",
        "1 error, no warnings",
    ]
    assert "Did you mean slots?" in ended.out
    assert 'no entity with the id "role/x"' in ended.out


def test_watch_outlives_a_pack_that_is_gone(run, house, monkeypatch):
    turns = iter([lambda: shutil.rmtree(house), lambda: None])

    def sleep(_seconds):
        turn = next(turns, None)
        if turn is None:
            raise KeyboardInterrupt
        turn()

    monkeypatch.setattr("charforge.cli.files.time", clock(sleep))
    ended = run("catalog", "check", house, "--watch")
    assert (ended.code, "there is no such file or folder" in ended.err) == (130, True)


# ------------------------------------------------------------------ new


@pytest.mark.parametrize("ruleset", few(sorted(loader.built_in()), 0, slow=3))
def test_a_new_pack_works_at_once_for_any_game(run, tmp_path, packs_home, ruleset):
    ended = run("catalog", "new", "our-table", "--ruleset", ruleset)
    assert ended.code == 0
    assert ended.out.splitlines() == [
        f"our-table/{name}"
        for name in ("README.md", "changes.yaml", "entities.yaml", "pack.yaml", "tests/first.yaml")
    ]
    checked = run("catalog", "check", "our-table")
    assert (checked.code, "no errors" in checked.out) == (0, True), checked.out
    assert run("catalog", "test", "our-table").code == 0
    assert run("catalog", "add", "our-table").code == 0
    loaded = loader.load(ruleset, ["our-table"])
    assert {name.partition("/")[0] for name in loaded.origins} == set(loaded.kinds)
    assert "rule_our_table" in loaded.table_rules
    made = run("new", "--pack", "our-table", "--random", "--seed", "1", "-o", "one.json")
    assert made.code == 0
    checked = run("check", "one.json")
    assert (checked.code, checked.out.splitlines()[0].endswith(": legal")) == (0, True)


def test_a_text_of_a_new_pack_has_no_article_that_does_not_fit(run, tmp_path, packs_home):
    run("catalog", "new", "grit", "--ruleset", "squad-d20", "--name", "Dusty Squad")
    text = (tmp_path / "grit" / "entities.yaml").read_text("utf-8")
    assert "What this Effect of the pack is." in text
    assert "a Effect" not in text


def test_a_new_pack_points_its_editor_at_the_schemas(run, tmp_path, packs_home):
    run("catalog", "new", "our-table", "--name", "The Long Table", "--ruleset", "shields-biotics")
    for path in sorted((tmp_path / "our-table").rglob("*.yaml")):
        first = path.read_text("utf-8").splitlines()[0]
        schema = first.removeprefix("# yaml-language-server: $schema=")
        assert json.loads((path.parent / schema).read_text("utf-8"))["$schema"].startswith("https:")
    assert 'id: "the-long-table"\nname: "The Long Table"\n' in (
        tmp_path / "our-table" / "pack.yaml"
    ).read_text("utf-8")


@pytest.mark.slow
def test_a_new_ruleset_is_a_whole_game(run, tmp_path, packs_home):
    ended = run("catalog", "new", "river-tales", "--game")
    assert ended.code == 0
    assert run("catalog", "check", "river-tales").out == "river-tales: no errors, no warnings\n"
    assert run("catalog", "test", "river-tales").code == 0
    assert run("catalog", "add", "river-tales").err == (
        "To use it: charforge new --ruleset river-tales\n"
    )
    for seed in range(3):
        made = run(
            "new", "--ruleset", "river-tales", "--random", "--seed", seed, "--level", 3,
            "-o", f"{seed}.json",
        )  # fmt: skip
        assert made.code == 0
        assert run("check", f"{seed}.json").code == 0
    assert "You fail." in run("roll", "0.json", "body", "--vs", "30", "--dice", "1,2").out
    assert "You succeed." in run("roll", "0.json", "body", "--vs", "2").out
    assert "already at its maximum" in run("use", "0.json", "second wind").out
    assert run("damage", "0.json", "3").code == 0
    assert run("heal", "0.json", "3").code == 0
    assert run("buy", "0.json", "gear/rope").code == 0
    assert run("show", "0.json").code == 0
    assert run("odds", "--ruleset", "river-tales", "check", "--set", "attribute=body").code in (
        0,
        2,
    )


def test_the_command_that_comes_next_can_be_pasted_into_a_shell(run, packs_home):
    output = run("catalog", "new", "Bad Name!", "--ruleset", "shields-biotics").err
    command = output.partition("while this runs: ")[2].partition("\n")[0]
    assert shlex.split(command) == ["charforge", "catalog", "check", "Bad Name!", "--watch"]
    assert run(*shlex.split(command)[1:-1]).code == 0


def test_nothing_is_written_over(run, tmp_path, packs_home):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.txt").write_text("mine", "utf-8")
    run("catalog", "new", "there").refused(2, "The folder there exists and is not empty")
    run("catalog", "new", "capital").refused(2, "the id of the game itself")
    run("catalog", "new", "squad-d20", "--game").refused(2, "is a built-in game")
    run("catalog", "new", "x", "--game", "--ruleset", "capital").refused(2, "one of them")
    run("catalog", "new", "x", "--ruleset", "captial").refused(2, "Did you mean capital?")
    run("catalog", "new", "x", "--name", "…").refused(2, "cannot be the name of a pack")
    assert [path.name for path in tmp_path.iterdir() if path.name != "data"] == ["there"]


def test_a_pack_may_be_begun_in_an_empty_folder(tmp_path, packs_home):
    folder = tmp_path / "empty"
    folder.mkdir()
    assert folder / "pack.yaml" in new_pack(folder, "shields-biotics")


# ------------------------------------------------------------------ catalog --pack


def test_the_catalog_shows_what_a_pack_adds_and_from_where(run, installed):
    listed = run("catalog", "list", "--pack", "house-rules", "--kind", "knack", "--json").json
    packs = {entity["id"]: entity["pack"] for entity in listed}
    assert packs["knack/house-brew"] == "house-rules"
    assert packs["knack/ox"] is None
    assert "pack house-rules" in run("catalog", "list", "--pack", "house-rules").out
    shown = run("catalog", "show", "House Brew", "--pack", "house-rules").out
    assert "Pack House Rules 1.0 (house-rules), Our table" in " ".join(shown.split())
    assert run("catalog", "search", "5 more vigour", "--pack", "house-rules").code == 0
    assert run("catalog", "rulings", "--pack", "house-rules").code == 0
    run("catalog", "show", "House Brew", "--ruleset", "harbour").refused(
        2, 'no entity of The Harbour named "House Brew"'
    )
    run("catalog", "list", "--pack", "huose-rules").refused(2, "house-rules")


# ------------------------------------------------------------------ a character with packs


def read(name):
    """Return a character file of the folder where the program runs."""
    return json.loads(Path(name).read_text("utf-8"))


@pytest.fixture
def dockhand(run, installed):
    """A stevedore of level 1 with the house rules, as ada.json."""
    Path("ada.yaml").write_text("answers: {trade: trade/stevedore}\n", "utf-8")
    made = run(
        "new", "--pack", "house-rules", "--rule", "tea=always", "--random", "--seed", "7",
        "--answers", "ada.yaml", "-o", "ada.json",
    )  # fmt: skip
    assert made.code == 0, made.err
    return read("ada.json")


def test_a_character_pins_the_packs_it_is_made_with(run, dockhand, harbour):
    ruleset, pack = dockhand["packs"]
    assert (ruleset["id"], ruleset["version"]) == ("harbour", harbour.head.version)
    assert (pack["id"], pack["version"], len(pack["hash"])) == ("house-rules", "1.0", 16)


def test_a_character_with_house_rules_goes_through_everything(run, dockhand):
    before = run("show", "ada.json", "--json").json["values"]["max_vigour"]
    assert [s["amount"] for s in before["steps"] if s["source"] == "trade/stevedore"][-1] == 100
    assert run("check", "ada.json").code == 0
    assert run("level-up", "ada.json", "--random").code == 0
    assert run("check", "ada.json").code == 0
    assert run("show", "ada.json", "--json").json["level"] == 2
    assert run("damage", "ada.json", "3", "--type", "sharp").code == 0
    assert run("award", "ada.json", "knack/house-brew").code == 0
    after = run("show", "ada.json", "--json").json
    assert "knack/house-brew" in {holding["id"] for holding in after["holdings"]}
    assert run("undo", "ada.json").code == 0
    assert run("explain", "ada.json", "max_vigour").code == 0
    assert run("sheet", "ada.json", "--format", "html", "-o", "ada.html").code == 0
    assert "There is" in Path("ada.html").read_text("utf-8")  # the rule about tea
    resolved = run("resolve", "harbour", "lift", "ada.json", "--set", "weight=2", "--json")
    assert resolved.code == 0
    assert run("undo", "ada.json", "--to-level", "1").code == 0
    assert run("show", "ada.json", "--json").json["level"] == 1


def test_answers_keep_the_packs(run, dockhand):
    exported = run("export", "ada.json", "--format", "answers")
    assert "ruleset: harbour\npacks: [house-rules]\n" in exported.out
    Path("again.yaml").write_text(exported.out, "utf-8")
    assert run("new", "--answers", "again.yaml", "-o", "again.json").code == 0
    again = read("again.json")
    assert (again["packs"], again["character"]) == (dockhand["packs"], dockhand["character"])
    assert run("import", "again.yaml", "-o", "imported.json").code == 0


def test_a_template_names_packs_and_their_decisions(run, installed):
    printed = run("new", "--pack", "house-rules", "--questions").out
    assert "packs: [house-rules]\n" in printed
    assert "knack/house-brew" in printed
    assert "#   tea: never    # never, always" in printed
    Path("t.yaml").write_text(printed, "utf-8")
    assert run("new", "--answers", "t.yaml", "--random", "-o", "t.json").code == 0


def test_options_win_over_the_packs_of_a_file(run, installed, tmp_path):
    write_pack(tmp_path / "other", "patches: [{at: gear/crate, set: {price: 1}}]", "harbour")
    assert run("catalog", "add", "other").code == 0
    (tmp_path / "a.yaml").write_text("packs: [other]\n", "utf-8")
    run("new", "--answers", "a.yaml", "--random", "-o", "a.json")
    run("new", "--answers", "a.yaml", "--pack", "house-rules", "--random", "-o", "b.json")
    run("new", "--pack", "other", "--pack", "house-rules", "--random", "-o", "c.json")
    pinned = {
        name: [pin["id"] for pin in json.loads((tmp_path / f"{name}.json").read_text())["packs"]]
        for name in "abc"
    }
    assert pinned == {
        "a": ["harbour", "other"],
        "b": ["harbour", "house-rules"],
        "c": ["harbour", "other", "house-rules"],
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("packs: [huose-rules]\n", 'a.yaml:1: There is no installed pack named "huose-rules"'),
        ("name: A\npacks: house-rules\n", "a.yaml:2: packs must be a list of pack ids"),
        ("ruleset: squad-d20\npacks: [house-rules]\n", "a.yaml:2: The pack house-rules is for"),
    ],
)
def test_faulty_packs_of_a_file_are_told_at_their_line(run, installed, tmp_path, text, said):
    (tmp_path / "a.yaml").write_text(text, "utf-8")
    run("new", "--answers", "a.yaml", "--random").refused(2, said)


def test_a_character_whose_pack_is_gone_is_remembered(run, dockhand):
    before = run("show", "ada.json", "--json").json
    run("catalog", "remove", "house-rules")
    run("check", "ada.json").refused(2, "house-rules 1.0, which is not installed")
    run("level-up", "ada.json", "--random").refused(2, "house-rules 1.0")
    shown = run("show", "ada.json", "--json")
    assert shown.code == 0
    assert "house-rules 1.0, which is not installed" in shown.err
    found = json.loads(shown.out)
    assert found["remembered"] is True
    assert found["summary"]["values"]["max_vigour"] == before["values"]["max_vigour"]["total"]
    assert run("sheet", "ada.json", "--format", "html", "-o", "gone.html").code == 0


def test_another_version_of_a_pack_is_noted_and_keeps_the_pin(run, dockhand, installed):
    page = HOUSE.replace("amount: 100", "amount: 90")
    shutil.rmtree(installed)
    write_pack(installed, page, "harbour", "1.1")
    assert run("catalog", "add", installed, "--replace").code == 0
    checked = run("check", "ada.json")
    assert "note     made with house-rules 1.0 (" in checked.out
    assert "read with 1.1 (" in checked.out
    assert run("level-up", "ada.json", "--random").code == 0
    kept = read("ada.json")
    assert kept["packs"] == dockhand["packs"]
