"""catalog diff and update: another version of a pack."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from charforge.character.files.document import to_text
from charforge.paths import user_data_folder
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load, packs_folder
from charforge.usecases.create import create_character
from tests.cli.conftest import CommandResult
from tests.cli.terminals import TerminalRun
from tests.conftest import HARBOUR

Run = Callable[..., CommandResult]

HEAD = "id: grit\nname: Grit\nversion: '{version}'\nruleset: harbour\n"
PAGE = """\
entities:
  - {{id: knack/iron-will, name: Iron Will, source: Grit, slots: 1, text: "You do not give in.",
      modifies: [{{value: max_vigour, amount: {vigour}}}]}}
  - {{id: knack/stare, name: Stare, source: Grit, slots: 1, text: Nobody holds your eye.{needs}}}
  - {{id: {shove}, name: Shove, source: Grit, slots: 1, text: Push them over.{renamed}}}
  - {{id: knack/{other}, name: {name}, source: Grit, slots: 1, text: Something.}}
patches:
  - {{at: knack/ox, set: {{slots: {slots}}}, why: It costs too little.}}
{patch}"""
FIRST = {
    "vigour": 2,
    "needs": "",
    "shove": "knack/shove",
    "renamed": "",
    "other": "old-trick",
    "name": "Old Trick",
    "slots": 3,
    "patch": "",
}
SECOND = {
    **FIRST,
    "vigour": 5,
    "needs": ", requires: {value: {id: wit, at_least: 9}}",
    "shove": "knack/hard-shove",
    "renamed": ", renamed_from: knack/shove",
    "other": "new-trick",
    "name": "New Trick",
    "slots": 4,
    "patch": "  - {at: knack/kennel, set: {slots: 2}, why: Dogs are dear.}\n",
}


def write(folder: Path, version: str, words: dict[str, object]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pack.yaml").write_text(HEAD.format(version=version), encoding="utf-8")
    (folder / "page.yaml").write_text(PAGE.format(**words), encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def _own_packs(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Install packs where no other test sees them: Grit 1.0."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
    user_data_folder.cache_clear()
    shutil.copytree(HARBOUR, packs_folder() / "harbour")
    write(packs_folder() / "grit", "1.0", FIRST)
    yield
    user_data_folder.cache_clear()


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """Grit 2.0, not installed."""
    return write(tmp_path / "grit-2", "2.0", SECOND)


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Path]:
    """Make a dockhand of level 2 with one knack of slot cost 1 and 11 vigour without it."""

    def made(name: str, knack: str, *packs: str) -> Path:
        answers = {
            "trade": "trade/stevedore",
            "scores": {"arm": 4, "wit": 2},
            "knacks": [],
            "motto": "",
            "level.2.vigour": [2],
            "level.2.knacks": [knack],
        }
        plan = CharacterSpec(load("harbour", packs), "7", name, 2, answers=answers)
        path = tmp_path / f"{name.lower()}.json"
        path.write_text(to_text(create_character(plan)), encoding="utf-8")
        return path

    return made


@pytest.fixture
def ada(made: Callable[..., Path]) -> Path:
    """A dockhand with Iron Will, of Grit 1.0."""
    return made("Ada", "knack/iron-will", "grit")


def install_second() -> None:
    """Install Grit 2.0 over 1.0."""
    write(packs_folder() / "grit", "2.0", SECOND)


def test_what_differs_in_the_pack(run: Run, newer: Path) -> None:
    ended = run("catalog", "diff", "grit", newer)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        "Grit 1.0 → Grit 2.0",
        "pack.yaml",
        "  version: 1.0 → 2.0",
        "Patches",
        "  ~ knack/ox (It costs too little.)",
        "      set slots: 3 → 4",
        "  + knack/kennel (Dogs are dear.)",
        "Entities",
        "  ~ knack/ox: Ox",
        "      slots: 3 → 4",
        "  ~ knack/kennel: Kennel",
        "      slots: 1 → 2",
        "  ~ knack/iron-will: Iron Will",
        "      modifies 1 amount: 2 → 5",
        "  ~ knack/stare: Stare",
        "      requires: + {value: {id: wit, at_least: 9}}",
        "  ~ knack/hard-shove: Shove, was knack/shove",
        "  + knack/new-trick: New Trick",
        "  − knack/old-trick: Old Trick",
    ]


def test_what_differs_in_each_character(run: Run, newer: Path, made: Callable[..., Path]) -> None:
    """Iron Will gives 3 vigour more; Stare wants WIT 9, which is 2; Shove is only renamed."""
    ada, bo = made("Ada", "knack/iron-will", "grit"), made("Bo", "knack/stare", "grit")
    cy, di = made("Cy", "knack/shove", "grit"), made("Di", "knack/hook-hand")
    before = [path.read_bytes() for path in (ada, bo, cy, di)]
    ended = run("catalog", "diff", "grit", newer, ada, bo, cy, di)
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[lines.index(f"{ada}: Ada, level 2") :] == [
        f"{ada}: Ada, level 2",
        "  Max vigour 13 → 16  [Iron Will (Grit)]",
        "  Vigour 13 → 16  [Work (Rules)]",
        "  Iron Will: its rules have changed",
        f"{bo}: Bo, level 2",
        "  Slots used 1 → 0  [Stare (Grit)]",
        "  − Stare (Knack)",
        "  − Level 2: Knacks: Stare",
        "  legal → not legal",
        "  broken   Level 2: Knacks: Stare: requires WIT 9 or more (you have 2)",
        f"{cy}: Cy, level 2: no difference",
        f"{di}: Di: does not use grit",
    ]
    assert [path.read_bytes() for path in (ada, bo, cy, di)] == before


def test_the_same_as_json(run: Run, newer: Path, made: Callable[..., Path]) -> None:
    ada, bo = made("Ada", "knack/iron-will", "grit"), made("Bo", "knack/stare", "grit")
    output = run("catalog", "diff", "grit", newer, ada, bo, "--json").json
    assert output["old"] == {"id": "grit", "name": "Grit", "version": "1.0"}
    found = {(one["part"], one["how"], one["id"]) for one in output["changes"]}
    assert ("entity", "renamed", "knack/hard-shove") in found
    (iron,) = [one for one in output["changes"] if one["id"] == "knack/iron-will"]
    (field,) = iron["fields"]
    assert (field["path"], field["old"], field["new"]) == (["modifies", "1", "amount"], 2, 5)
    first, second = output["characters"]
    assert (first["legal_before"], first["legal"]) == (True, True)
    assert first["changes"][0] == {
        "topic": "value", "id": "max_vigour", "label": "Max vigour", "unit": "", "kind": "",
        "old": 13, "new": 16, "sources": ["Iron Will (Grit)"],
    }  # fmt: skip
    assert (second["legal_before"], second["legal"]) == (True, False)
    assert [one["code"] for one in second["problems"]] == ["broken"]


def test_a_zip_is_compared_as_its_folder_is(run: Run, newer: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "grit.zip", "w") as archive:
        for path in newer.iterdir():
            archive.write(path, path.name)
    from_zip = run("catalog", "diff", "grit", "grit.zip")
    assert from_zip == run("catalog", "diff", "grit", newer)


def test_a_ruleset_in_two_versions(run: Run, made: Callable[..., Path], tmp_path: Path) -> None:
    """What is changed of the ruleset itself counts for a character with packs as well."""
    copy = tmp_path / "harbour-2"
    shutil.copytree(HARBOUR, copy)
    head = (copy / "ruleset.yaml").read_text("utf-8")
    assert head.count("{id: max_vigour, label: Max vigour,") == 1
    head = head.replace(
        "{id: max_vigour, label: Max vigour,", "{id: max_vigour, label: Most vigour,"
    )
    (copy / "ruleset.yaml").write_text(head, encoding="utf-8")
    ada = made("Ada", "knack/iron-will", "grit")
    assert run("catalog", "diff", "harbour", copy, ada).out.splitlines() == [
        "The Harbour 0.1.0 → The Harbour 0.1.0",
        "ruleset.yaml",
        "  values max_vigour label: Max vigour → Most vigour",
        f"{ada}: Ada, level 2: no difference",
    ]


def test_what_is_the_same_differs_in_nothing(run: Run) -> None:
    lines = run("catalog", "diff", "grit", "grit").out.splitlines()
    assert lines == ["Grit 1.0 → Grit 1.0", "  no difference"]


def test_new_is_the_folder_where_a_name_is_both(run: Run, newer: Path, tmp_path: Path) -> None:
    """The installed pack is what a changed folder of the same name is compared with."""
    shutil.copytree(newer, tmp_path / "grit", dirs_exist_ok=True)
    assert run("catalog", "diff", "grit", "grit").out == run("catalog", "diff", "grit", newer).out
    assert run("catalog", "diff", "grit", "./grit").out == run("catalog", "diff", "grit", newer).out


def test_packs_that_cannot_be_compared(run: Run, newer: Path, made: Callable[..., Path]) -> None:
    run("catalog", "diff", "grit", "harbour").refused(
        2, "cannot be compared", "Compare two versions"
    )
    run("catalog", "diff", "grti", newer).refused(2, 'no pack named "grti"', "Did you mean grit?")
    run("catalog", "diff", "grit", "./nothing").refused(2, "no folder or zip file ./nothing")
    head = (newer / "pack.yaml").read_text("utf-8").replace("id: grit", "id: pluck")
    (newer / "pack.yaml").write_text(head, encoding="utf-8")
    ada = made("Ada", "knack/iron-will", "grit")
    ended = run("catalog", "diff", "grit", newer, ada)
    assert ended.code == 2
    assert "Grit and pluck are two different packs" in ended.err


def test_a_faulty_version_is_refused_at_its_line(run: Run, newer: Path) -> None:
    page = newer / "page.yaml"
    page.write_text(page.read_text("utf-8").replace("slots: 4", "slots: four"), encoding="utf-8")
    run("catalog", "diff", "grit", newer).refused(1, f"{page}:8:", "it must be a whole number")


def test_check_names_update_for_a_pack_in_another_version(run: Run, ada: Path) -> None:
    """Another version is no mistake of the character: a note, with what it changes."""
    install_second()
    ended = run("check", ada)
    assert ended.code == 0
    head, *lines = ended.out.splitlines()
    note, *values = (line for line in lines if "remark" not in line)
    assert head == f"{ada}: Ada, level 2: legal"
    assert note.startswith("  note     made with grit 1.0 (")
    assert "charforge update" in note
    assert [line.split("note")[1].strip() for line in values] == VIGOUR_CHANGES


VIGOUR_CHANGES = ["Max vigour 13 → 16", "Vigour 13 → 16", "Iron Will: its rules have changed"]


def test_show_and_sheet_say_what_a_replaced_pack_changed(run: Run, ada: Path) -> None:
    """The page shows the present figures and, next to them, those that were saved."""
    unchanged = run("show", ada)
    assert (unchanged.code, unchanged.err) == (0, "")
    assert run("show", ada, "--json").json["pack_changes"] == []
    install_second()
    shown = run("show", ada)
    assert shown.code == 0
    assert "Ada was made with other pack versions" in shown.err
    assert [line.strip() for line in shown.err.splitlines()[1:4]] == VIGOUR_CHANGES
    assert f"charforge update {ada}" in shown.err
    *values, rules = run("show", ada, "--json").json["pack_changes"]
    assert (rules["topic"], rules["id"]) == ("rules", "knack/iron-will")
    assert values == [
        {"topic": "value", "id": name, "label": label, "unit": "", "kind": "", "old": 13, "new": 16}
        for name, label in (("max_vigour", "Max vigour"), ("vigour", "Vigour"))
    ]
    for layout in ("full", "short"):
        page = ada.with_suffix(f".{layout}.html")
        ended = run("sheet", ada, "--layout", layout, "-o", page)
        assert [line.strip() for line in ended.err.splitlines()[1:4]] == VIGOUR_CHANGES
        assert "Changed by other pack versions" in page.read_text("utf-8")
        assert VIGOUR_CHANGES[0] in page.read_text("utf-8")
    party = ada.with_name("party.html")
    assert VIGOUR_CHANGES[0] in run("party", ada, "--no-cards", "-o", party).err
    assert VIGOUR_CHANGES[0] in party.read_text("utf-8")
    assert VIGOUR_CHANGES[0] in run("export", ada, "--format", "text").err


def test_the_next_change_says_it_once_and_puts_it_on_record(run: Run, ada: Path) -> None:
    """Saving writes a new summary, and the former figures stay in the file."""
    before = json.loads(ada.read_text("utf-8"))
    install_second()
    assert [
        line.strip() for line in run("damage", ada, "1").err.splitlines()[1:4]
    ] == VIGOUR_CHANGES
    assert run("damage", ada, "1").err == ""
    lines = run("history", ada).out.splitlines()
    assert lines[-3] == f"    3  grit 1.0 → 2.0 changed: {', '.join(VIGOUR_CHANGES)}"
    assert lines[-2].startswith("       Hurt (How much 1)")
    assert VIGOUR_CHANGES[0] in run("show", ada).err
    assert VIGOUR_CHANGES[0] in run("check", ada).out
    changes = run("show", ada, "--json").json["pack_changes"]
    assert [change["new"] for change in changes if change["topic"] == "value"] == [16, 16]
    shown = ada.with_suffix(".html")
    run("sheet", ada, "-o", shown)
    assert VIGOUR_CHANGES[0] in shown.read_text("utf-8")
    (record,) = (
        entry["event"]
        for chapter in run("history", ada, "--json").json
        for entry in chapter["events"]
        if entry["event"]["do"] == "packs"
    )
    assert record["n"] == len(before["log"]) + 1
    assert [c["old"] for c in record["changes"] if c["topic"] == "value"] == [13, 13]
    assert run("check", ada).code == 0


def test_a_damaged_summary_cannot_make_the_file_unreadable(run: Run, ada: Path) -> None:
    data = json.loads(ada.read_text("utf-8"))
    data["character"]["holdings"].append("knack/\x1b[2J\n")
    data["character"]["values"]["\x07"] = 3
    ada.write_text(json.dumps(data), encoding="utf-8")
    install_second()
    assert run("damage", ada, "1").code == 0
    assert run("history", ada).out.count(f"changed: {', '.join(VIGOUR_CHANGES)}") == 1


def test_undo_neither_hides_nor_repeats_it(run: Run, ada: Path) -> None:
    run("damage", ada, "1")
    install_second()
    assert VIGOUR_CHANGES[0] in run("undo", ada).err
    assert "grit 1.0 → 2.0 changed" in run("history", ada).out.splitlines()[-1]
    run("redo", ada)
    run("heal", ada, "1")
    assert run("history", ada).out.count("changed: Max vigour") == 1
    assert VIGOUR_CHANGES[0] in run("show", ada).err


def test_a_pack_that_is_replaced_twice_changes_what_differs_in_the_end(run: Run, ada: Path) -> None:
    install_second()
    run("damage", ada, "1")
    write(packs_folder() / "grit", "3.0", {**SECOND, "vigour": 9})
    shown = run("show", ada).err.splitlines()
    assert [line.strip() for line in shown[1:3]] == ["Vigour 13 → 16", "Max vigour 13 → 20"]
    write(packs_folder() / "grit", "1.0", FIRST)
    assert [line.strip() for line in run("damage", ada, "1").err.splitlines()[1:2]] == [
        "Max vigour 16 → 13"
    ]
    assert run("check", ada).code == 0
    assert run("show", ada).err == ""
    assert run("history", ada).out.count("changed: Max vigour") == 2


def test_an_update_ends_it(run: Run, ada: Path) -> None:
    install_second()
    assert run("update", ada, "--yes").code == 0
    assert run("show", ada).err == ""


def test_update_says_what_differs_and_takes_it(run: Run, ada: Path) -> None:
    before = json.loads(ada.read_text("utf-8"))
    install_second()
    said = [
        f"{ada}: Ada",
        "  grit 1.0 → 2.0",
        "  Max vigour 13 → 16",
        "  Vigour 13 → 16",
        "  Iron Will: its rules have changed",
        "  legal with these rules",
    ]
    assert run("update", ada, "--dry-run").out.splitlines() == said
    assert json.loads(ada.read_text("utf-8")) == before
    ended = run("update", ada, "--yes")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [*said, f"{ada}: Ada: updated"]
    after = json.loads(ada.read_text("utf-8"))
    assert after["log"][:-1] == before["log"]
    assert [pin["version"] for pin in after["packs"]] == ["0.1.0", "2.0"]
    assert after["log"][-1]["packs"] == after["packs"]
    assert after["character"]["values"]["max_vigour"] == 16
    assert run("check", ada).out.splitlines()[0] == f"{ada}: Ada, level 2: legal"
    assert "note " not in run("check", ada).out
    assert run("history", ada).out.splitlines()[-2:] == [
        f"    3  grit 1.0 → 2.0 changed: {', '.join(VIGOUR_CHANGES)}",
        "       updated: grit 1.0 → 2.0",
    ]
    assert run("update", ada).out == f"{ada}: Ada: nothing to update\n"


def test_what_was_chosen_by_a_former_id_has_its_present_name(run: Run, made) -> None:
    cy = made("Cy", "knack/shove", "grit")
    install_second()
    assert run("update", cy, "--yes").code == 0
    history = run("history", cy).out
    assert "Shove" in history
    assert "knack/shove" not in history


def test_undo_takes_an_update_back(run: Run, ada: Path) -> None:
    """The pins are the former ones; the rules are those installed, as for any other change."""
    before = json.loads(ada.read_text("utf-8"))
    install_second()
    run("update", ada, "--yes")
    updated = json.loads(ada.read_text("utf-8"))
    assert run("undo", ada).out.splitlines()[1:] == ["  updated: grit 1.0 → 2.0"]
    undone = json.loads(ada.read_text("utf-8"))
    assert (undone["packs"], undone["log"]) == (before["packs"], before["log"])
    assert "charforge update" in run("check", ada).out
    run("redo", ada)
    assert json.loads(ada.read_text("utf-8")) == updated


def test_pins_that_the_log_does_not_bear_out_are_a_problem(run: Run, ada: Path) -> None:
    install_second()
    run("update", ada, "--yes")
    text = ada.read_text("utf-8")
    ada.write_text(text.replace('"version": "2.0"', '"version": "1.0"', 1), encoding="utf-8")
    ended = run("check", ada)
    assert ended.code == 1
    assert "the pack versions do not match the history" in ended.out


def test_update_says_what_the_rules_have_against_a_character(
    run: Run, made: Callable[..., Path]
) -> None:
    bo = made("Bo", "knack/stare", "grit")
    install_second()
    cure = f"To answer Level 2: Knacks: charforge edit {bo} level.2.knacks --answer …"
    ended = run("update", bo, "--yes")
    assert ended.out.splitlines() == [
        f"{bo}: Bo",
        "  grit 1.0 → 2.0",
        "  Slots used 1 → 0",
        "  − Stare (Knack)",
        "  broken   Level 2: Knacks: Stare: requires WIT 9 or more (you have 2)",
        f"  {cure}",
        f"{bo}: Bo: updated",
    ]
    checked = run("check", bo)
    assert (checked.code, cure in checked.out) == (1, True)
    refused = run("level-up", bo, "--random")
    assert (refused.code, refused.err.splitlines()[-1]) == (1, cure)


def test_update_of_several_where_one_is_none(run: Run, made: Callable[..., Path]) -> None:
    cy, di = made("Cy", "knack/shove", "grit"), made("Di", "knack/hook-hand")
    install_second()
    ended = run("update", "missing.json", cy, di, "--yes")
    assert (ended.code, "missing.json: this file does not exist" in ended.err) == (2, True)
    assert ended.out.splitlines() == [
        f"{cy}: Cy",
        "  grit 1.0 → 2.0",
        "  nothing changes for this character",
        "  legal with these rules",
        f"{cy}: Cy: updated",
        f"{di}: Di: nothing to update",
    ]


def test_a_character_whose_pack_is_gone_is_not_updated(run: Run, ada: Path) -> None:
    shutil.rmtree(packs_folder() / "grit")
    run("update", ada, "--yes").refused(2, "grit 1.0, which is not installed")


def test_nobody_there_to_agree(run: Run, ada: Path) -> None:
    before = ada.read_bytes()
    install_second()
    ended = run("update", ada)
    assert ended.code == 2
    assert "no terminal to ask in. Add --yes" in ended.err
    assert ada.read_bytes() == before
    run("update", ada, "--yes", "--dry-run").refused(2, "do not go together")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "last", "version"), [("y", "updated", "2.0"), ("n", "not", "1.0")]
)
def test_on_a_terminal_it_is_asked(
    ada: Path, tmp_path: Path, answer: str, last: str, version: str
) -> None:
    install_second()
    terminal = TerminalRun(tmp_path, "update", ada.name)
    terminal.sees("Max vigour 13 → 16")
    terminal.sees("Update Ada? [y/N]")
    terminal.type(answer, "\r")
    assert terminal.ends() == 0
    assert last in terminal.seen
    assert json.loads(ada.read_text("utf-8"))["packs"][1]["version"] == version


def test_other_content_of_the_version_that_is_here_is_warned_of(run: Run, tmp_path: Path) -> None:
    other = write(tmp_path / "other", "1.0", SECOND)
    ended = run("catalog", "add", other, "--replace")
    assert ended.code == 0
    assert "grit was installed before with this version and different content." in ended.err
    assert "other content" not in run("catalog", "add", other, "--replace").err
    newer = write(tmp_path / "newer", "2.0", FIRST)
    assert "other content" not in run("catalog", "add", newer, "--replace").err


def test_a_character_of_neither_version_is_told_as_an_update_tells_it(
    run: Run, made: Callable[..., Path], newer: Path
) -> None:
    path = made("Nix", "knack/iron-will", "grit")
    middle = {**FIRST, "vigour": 3}
    write(packs_folder() / "grit", "1.5", middle)
    output = run("catalog", "diff", "grit", newer, path).out.splitlines()
    at = next(number for number, line in enumerate(output) if line.startswith(f"{path}: Nix"))
    assert output[at + 1].startswith("  made with grit 1.0 (")
    assert "which is neither" in output[at + 1]
    write(packs_folder() / "grit", "2.0", SECOND)
    update = run("update", path, "--dry-run").out.splitlines()
    assert update[1].startswith("  grit 1.0 → 2.0")
    assert update[2:] == output[at + 2 :]
    assert any("Max vigour" in line for line in update)


ARMED = """\
entities:
  - id: knack/gunner
    name: Gunner
    source: Grit
    slots: 1
    text: "You add {bonus} to the roll."
    grants: [gear/pistol, gear/rope]
    actions: [{{name: Riptide, timing: work, cost: {{luck: {luck}}}, text: Pull them under.}}]
  - id: gear/pistol
    name: Pistol
    source: Grit
    capacities: [{{id: ammo, label: Ammo, max: {ammo}}}]
    attacks: [{{hit: arm, defence: wit, damage: {damage}, cost: {{ammo: 1}}}}]
  - {{id: gear/rope, name: Rope, source: {book}, capacities: [{{id: uses, label: Uses, max: 3}}]}}
"""
FORMER_ARMS = {"bonus": "+3", "luck": 3, "ammo": 2, "damage": "1d6 + arm", "book": "Grit"}


def armed(folder: Path, version: str, **changes: object) -> Path:
    write(folder, version, FIRST)
    text = ARMED.format(**{**FORMER_ARMS, **changes})
    (folder / "arms.yaml").write_text(text, encoding="utf-8")
    return folder


def test_changed_rules_of_what_a_character_has_are_listed(
    run: Run, made: Callable[..., Path], tmp_path: Path
) -> None:
    """Numbers by themselves, anything else by name; the Rope is only in another chapter."""
    armed(packs_folder() / "grit", "1.0")
    ada, bo = made("Ada", "knack/gunner", "grit"), made("Bo", "knack/stare", "grit")
    changes = {"bonus": "+9", "luck": 5, "ammo": 9, "damage": "2d6 + 6", "book": "Grit 2"}
    newer = armed(tmp_path / "grit-2", "2.0", **changes)
    listed = [
        "  Gunner (Riptide): Luck cost 3 → 5",
        "  Gunner: its rules have changed",
        "  Pistol: Ammo 2 → 9",
        "  Pistol: damage 1d6 + ARM → 2d6 + 6",
    ]
    output = run("catalog", "diff", "grit", newer, ada, bo).out.splitlines()
    at = output.index(f"{ada}: Ada, level 2")
    assert output[at + 1 :] == [*listed, f"{bo}: Bo, level 2: no difference"]
    armed(packs_folder() / "grit", "2.0", **changes)
    said = [f"{ada}: Ada", "  grit 1.0 → 2.0", *listed, "  legal with these rules"]
    assert run("update", ada, "--dry-run").out.splitlines() == said
    assert run("update", ada, "--yes").out.splitlines()[:-1] == said
    assert "nothing changes for this character" in run("update", bo, "--dry-run").out
    assert run("update", ada).out == f"{ada}: Ada: nothing to update\n"


def test_saved_rules_that_are_damaged_are_shown_as_they_are_or_ignored(
    run: Run, made: Callable[..., Path]
) -> None:
    armed(packs_folder() / "grit", "1.0")
    ada = made("Ada", "knack/gunner", "grit")
    data = json.loads(ada.read_text("utf-8"))
    data["character"]["rules"] |= {"gear/pistol attack 1 damage": "1d6 +", "gear/rope": [1]}
    ada.write_text(json.dumps(data), encoding="utf-8")
    armed(packs_folder() / "grit", "2.0")
    lines = run("update", ada, "--dry-run").out.splitlines()
    assert lines[2:-1] == ["  Pistol: damage 1d6 + → 1d6 + ARM"]
    data["character"]["rules"] = "none"
    ada.write_text(json.dumps(data), encoding="utf-8")
    assert "nothing changes" in run("update", ada, "--dry-run").out
