"""show and check, as text and as JSON."""

from __future__ import annotations

import json

import pytest

from tests.command_runner import run_command
from tests.samples import few

pytestmark = pytest.mark.capital

VALUES = [
    "str", "ftd", "agi", "vsn", "wis", "wil", "cha", "knw", "max_hp", "max_energy", "max_bones",
    "slots", "slots_used", "hp", "energy", "bones", "grit", "money",
]  # fmt: skip
FOLD = {
    "set": lambda _total, amount: amount,
    "add": lambda total, amount: total + amount,
    "multiply": lambda total, amount: total * amount // 1,
    "at_least": max,
    "at_most": min,
}
ASSETS = ("vehicle/tank", "augmentation/attribute", "companion/sky-beast", "special-weapon/pistol")


@pytest.fixture(scope="module", params=few(ASSETS, 1))
def veteran(request, tmp_path_factory):
    """A character of Level 9 with each sort of asset, which no test changes."""
    folder = tmp_path_factory.mktemp("veteran")
    (folder / "asset.yaml").write_text(f"answers: {{asset: {request.param}}}")
    options = ("--seed", "7", "--level", "9", "--answers", "asset.yaml", "-o", "veteran.json")
    assert run_command("new", "--random", *options, folder=folder).code == 0
    return folder / "veteran.json"


def test_show_as_json_has_the_keys_other_programs_count_on(run, veteran):
    shown = run("show", veteran, "--json").json
    assert list(shown) == [
        "name", "ruleset", "level", "values", "holdings", "units", "conditions", "legal",
        "problems", "notes", "pack_changes",
    ]  # fmt: skip
    in_hand = ("block_melee",)  # of a melee weapon
    assert [name for name in shown["values"] if name not in in_hand] == VALUES
    assert (shown["ruleset"], shown["level"]) == ("capital", 9)
    assert (shown["conditions"], shown["legal"], shown["problems"]) == ([], True, [])
    units = shown["units"]
    for unit in units:
        assert {"id", "kind", "name", "level", "values", "holdings"} <= set(unit)
    everything = [shown, *units]
    for holding in (holding for one in everything for holding in one["holdings"]):
        assert {"id", "kind", "name", "from"} <= set(holding)
        assert holding["id"].startswith(f"{holding['kind']}/")
    for value in (value for one in everything for value in one["values"].values()):
        assert list(value) == ["label", "base", "total", "track", "steps"]
        for step in value["steps"]:
            assert list(step) == ["source", "op", "amount", "total"]


def test_steps_add_up_to_the_total(run, veteran):
    shown = run("show", veteran, "--json").json
    for one in (shown, *shown["units"]):
        for value in one["values"].values():
            total = 0
            for step in value["steps"]:
                total = FOLD[step["op"]](total, step["amount"])
                assert total == step["total"]
            assert total == value["total"]


def test_the_file_repeats_what_show_says(run, veteran):
    """The summary in the file is for programs that do not have the rules."""
    shown = run("show", veteran, "--json").json
    summary = json.loads(veteran.read_text("utf-8"))["character"]
    assert summary["level"] == shown["level"]
    assert summary["values"] == {name: v["total"] for name, v in shown["values"].items()}
    for unit, brief in zip(shown["units"], summary["units"], strict=True):
        assert brief["values"] == {name: v["total"] for name, v in unit["values"].items()}


def test_problems_are_listed_with_code_decision_and_message(run, data, tmp_path):
    money = next(event for event in data["log"] if event.get("decision") == "money")
    money["answer"] = 10
    (tmp_path / "poor.json").write_text(json.dumps(data))
    ended = run("show", "poor.json", "--json")
    assert ended.code == 0
    shown = json.loads(ended.out)
    assert shown["legal"] is False
    assert shown["problems"] == [
        {"code": "broken", "decision": "money", "message": "10 is not between 200 and 400"}
    ]


def test_show_draws_the_character(run, veteran):
    """The terminal has the name, the level, every score, and each System."""
    shown = run("show", veteran, "--json").json
    ended = run("show", veteran)
    assert (ended.code, ended.err) == (0, "")
    words = " ".join(ended.out.split())
    assert shown["name"] in words
    assert "Level 9" in words
    for name in VALUES[:8]:
        assert shown["values"][name]["label"] in words
    for holding in shown["holdings"]:
        if holding["kind"] == "system":
            assert holding["name"] in words
    assert "\x1b" not in ended.out


def test_the_usual_figure_of_a_lowered_score_is_below_it(run, nix):
    """Beside it, several lowered scores would not fit in 80 columns. Prone lowers AGI."""
    assert run("condition", nix, "prone").code == 0
    lines = run("show", nix).out.splitlines()
    usual = next(number for number, line in enumerate(lines) if "normally" in line)
    assert lines[usual].split()[0] == "normally"
    assert "," not in lines[usual - 1]


def test_show_says_what_is_wrong_beside_the_result(run, data, tmp_path):
    next(event for event in data["log"] if event.get("decision") == "money")["answer"] = 10
    (tmp_path / "poor.json").write_text(json.dumps(data))
    ended = run("show", "poor.json")
    assert ended.code == 0
    assert "money: 10 is not between 200 and 400" in ended.err
    assert data["name"] in ended.out


def test_a_level_that_was_left_behind_can_be_shown(run, nix):
    shown = [run("show", nix, "--json", "--at-level", level).json for level in (1, 2, 3)]
    assert [one["level"] for one in shown] == [1, 2, 3]
    assert [len(one["values"]["max_hp"]["steps"]) for one in shown] == [1, 2, 3]
    assert shown[2] == run("show", nix, "--json").json
    assert all(one["legal"] for one in shown)
    assert "Level 2" in run("show", nix, "--at-level", "2").out


# ------------------------------------------------------------------ check


def test_check_is_0_for_a_legal_character(run, nix):
    name = run("show", nix, "--json").json["name"]
    ended = run("check", nix)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[0] == f"{nix}: {name}, level 3: legal"
    earlier = run("check", nix, "--at-level", "2")
    assert (earlier.code, earlier.out.splitlines()[0]) == (0, f"{nix}: {name}, level 2: legal")


def test_check_is_1_with_every_problem_at_once(run, data, tmp_path):
    for event in data["log"]:
        if event.get("decision") in ("money", "kit.tent", "level.2.hp"):
            event["answer"] = "nonsense"
    data["name"] = "Somebody Else"
    (tmp_path / "odd.json").write_text(json.dumps(data))
    ended = run("check", "odd.json")
    assert ended.code == 1
    head, *lines = ended.out.splitlines()
    assert head == "odd.json: Somebody Else, level 3: 4 problems"
    assert [line.split()[:2] for line in lines] == [
        ["broken", "Adventuring"],
        ["broken", "Starting"],
        ["broken", "Level"],
        ["name", "the"],
        *[["To", "answer"]] * 3,
    ]


def test_check_as_json(run, nix):
    name = run("show", nix, "--json").json["name"]
    output = {"file": str(nix), "name": name, "legal": True, "problems": [], "notes": [],
              "remarks": ["Unspent money: 336 mC."], "campaign": []}  # fmt: skip
    assert run("check", nix, "--json").json == [output]
    twice = run("check", nix, nix, "--json")
    assert (twice.code, json.loads(twice.out)) == (0, [output])
    assert twice.err == f"{nix} is listed twice; it is used once.\n"


@pytest.mark.parametrize("command", [("check",), ("update", "--dry-run")], ids=" ".join)
def test_a_folder_is_its_characters(run, text, data, tmp_path, command):
    folder = tmp_path / "campaign"
    folder.mkdir()
    (folder / "ok.json").write_text(text, encoding="utf-8")
    (folder / "table.json").write_text("{}")
    ended = run(*command, "campaign")
    assert ended.code == 0
    assert ended.out.startswith("campaign/ok.json: ")
    assert ended.err == "campaign/table.json is not a character file; it is skipped.\n"
    (folder / "bad.json").write_text('{"charforge": ')
    ended = run(*command, "campaign")
    assert ended.code == 2
    assert "campaign/ok.json: " in ended.out
    assert "campaign/bad.json: the file ends too early" in ended.err


@pytest.mark.parametrize(
    ("files", "code"),
    [(["ok"], 0), (["ok", "bad"], 1), (["bad", "gone"], 2), (["gone", "bad", "ok"], 2)],
)
def test_check_ends_with_the_worst_of_its_files(run, data, text, tmp_path, files, code):
    (tmp_path / "ok").write_text(text, encoding="utf-8")
    (tmp_path / "bad").write_text(json.dumps({**data, "name": "Bob"}))
    assert run("check", *files).code == code
    assert run("check", *files, "--json").code == code


def test_holdings_say_what_was_chosen_for_them(run, tmp_path):
    """Additive: a holding without choices has the keys that it always had."""
    (tmp_path / "own.yaml").write_text("answers: {asset: special-weapon/pistol}")
    run("new", "--random", "--seed", "7", "--answers", "own.yaml", "-o", "p.json")
    pistol = [one for one in run("show", "p.json", "--json").json["holdings"]
              if one["id"] == "special-weapon/pistol"]  # fmt: skip
    log = json.loads((tmp_path / "p.json").read_text("utf-8"))["log"]
    answers = {event["decision"]: event["answer"] for event in log if event["do"] == "answer"}
    own = {name.removeprefix("asset."): answer for name, answer in answers.items()
           if name.startswith("asset.")}  # fmt: skip
    assert own
    assert pistol[0]["choices"] == {name.removeprefix("weapon."): a for name, a in own.items()}
    exported = run("export", "p.json", "--format", "json").json["holdings"]
    assert pistol[0]["choices"] in [holding["choices"] for holding in exported]


def test_the_catalog_says_what_each_level_brings(run):
    beast = run("catalog", "show", "companion/land-beast", "--json").json
    (growth,) = beast["each_level"]
    assert (growth["dice"], growth["plus"], growth["minimum"]) == ("1d6", "ftd", "ftd + 4")
    assert run("catalog", "show", "equipment/backpack", "--json").json["each_level"] == []


OPPOSITES = """\
answers:
  money: 300
  strengths: [strength/athletic, strength/sneaky, strength/connections]
  weaknesses: [weakness/unfit, weakness/cold]
"""


def test_remarks_are_no_problems(run, tmp_path):
    (tmp_path / "odd.yaml").write_text(OPPOSITES)
    options = ("--random", "--seed", "7", "--answers", "odd.yaml", "-o", "odd.json")
    made = run("new", *options)
    remarks = ["Athletic and Unfit: These are opposites.", "Unspent money: 300 mC."]
    assert made.code == 0
    fixes = ["edit odd.json weaknesses", "shop odd.json"]
    assert made.err.splitlines()[:2] == [
        f"Remark: {remark} To change it: charforge {fix}"
        for remark, fix in zip(remarks, fixes, strict=True)
    ]
    checked = run("check", "odd.json")
    assert checked.code == 0
    assert checked.out.splitlines() == [
        "odd.json: " + checked.out.split(": ")[1] + ": legal",
        *(f"  remark   {remark}" for remark in remarks),
    ]
    (result,) = run("check", "odd.json", "--json").json
    assert (result["legal"], result["remarks"]) == (True, remarks)
    (tmp_path / "none.yaml").write_text("answers: {level.2.systems: []}")
    levelled = run("level-up", "odd.json", "--random", "--answers", "none.yaml")
    assert levelled.err.splitlines() == [
        "Remark: Empty Slots: 2. To change it: charforge edit odd.json level.2.systems"
    ]


def test_edits_and_many_characters_have_remarks_too(run):
    many = run("new", "--random", "--seed", "3", "--count", "2", "-o", "crew/", "--jobs", "1")
    first = many.out.splitlines()[0]
    assert f"{first}: Remark: Unspent money: 340 mC." in many.err.splitlines()
    run("new", "--ruleset", "phase-2d10", "--random", "--seed", "7", "-o", "mara.json")
    edited = run("edit", "mara.json", "weapons", "--answer", "[]", "--yes")
    assert (edited.code, edited.err) == (
        0,
        "Remark: You have no weapon. To change it: charforge edit mara.json weapons\n",
    )
    again = run("edit", "mara.json", "--name", "Mara")
    assert (again.code, again.err) == (0, "")
