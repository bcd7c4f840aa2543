"""Companions and vehicles: upgraded, named, shown, explained, exported."""

from __future__ import annotations

import json
import os
import re
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.command_runner import run_command

STYLES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
ENTER, STOP = "\r", "\x03"


@cache
def made(answers: str, level: int) -> str:
    """Return the file of a character with these answers; the rest is by chance."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.yaml").write_text(answers)
        options = ("--random", "--seed", "7", "--level", level, "--answers", "a.yaml")
        ended = run_command("new", *options, "--name", "Ada", "-o", "a.json", folder=folder)
        assert ended.code == 0, ended.err
        return (folder / "a.json").read_text("utf-8")


@pytest.fixture
def make(tmp_path):
    """Make ``a.json``: a character with an asset, and answers about it."""

    def make(asset: str, level: int = 4, **answers: object):
        given = {"asset": asset, **{f"asset.{name}": a for name, a in answers.items()}}
        path = tmp_path / "a.json"
        path.write_text(made(json.dumps({"answers": given}), level), "utf-8")
        return path

    return make


@pytest.fixture
def answers(tmp_path):
    """Write an answers file, and return its name."""

    def write(given: object, **head: object) -> str:
        (tmp_path / "up.yaml").write_text(json.dumps({**head, "answers": given}))
        return "up.yaml"

    return write


def unit(run, path) -> dict:
    [found] = run("show", path, "--json").json["units"]
    return found


# ------------------------------------------------------------------ upgrades


def test_a_vehicle_is_upgraded_by_a_file(run, make, answers):
    """A Tank of Level 4 has 7 Slots and fills 5: a gun of 2 fits. 20 + 3 × 10 HP."""
    path = make("vehicle/tank", **{"vehicle.weapon": "ballistic"})
    built = {f"asset.vehicle.level.{n}.systems": [] for n in (2, 3)}
    built["asset.vehicle.level.4.systems"] = ["vehicle-system/laser-tank-gun-mk1"]
    ended = run("level-up", path, "--unit", "tank", "--answers", answers(built, level=4))
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        f"{path}: Tank, level 1 → 4",
        "  Tank: Max HP 20 → 50",
        "  Tank: Slots 5 → 7",
        "  Tank: Slots used 5 → 7",
        "  Tank: HP 20 → 50",
        "  + Tank: Laser Tank Gun Mk1 (Vehicle System)",
    ]
    assert run("check", path).out.splitlines()[0] == f"{path}: Ada, level 4: legal"
    assert unit(run, path)["level"] == 4


def test_a_rule_that_is_only_resolved_names_the_command_for_the_same_unit(run, make):
    path = make("vehicle/bike")
    hit = ("--unit", "bike", "--set", "amount=3", "--set", "type=heat")
    output = run("resolve", "capital", "damage", path, *hit).err
    assert f"To do this: charforge use {path} damage --unit bike amount=3 type=heat" in output
    assert unit(run, path)["values"]["hp"]["total"] == unit(run, path)["values"]["max_hp"]["total"]


def test_a_vehicle_is_upgraded_by_chance(run, make):
    path = make("vehicle/bike")
    before = run("show", path, "--json").json["values"]
    assert run("level-up", path, "--unit", "Bike", "--to", "3", "--random").code == 0
    after = run("show", path, "--json").json
    assert after["values"] == before
    assert [(one["level"], one["values"]["max_hp"]["total"]) for one in after["units"]] == [(3, 26)]
    assert after["legal"]


def test_an_upgrade_without_a_free_slot_asks_nothing(run, make, answers):
    """A Mechsuit filled up at Level 2 has no more Slots at Level 3: 5 and 5."""
    path = make("vehicle/mechsuit", **{"vehicle.legs": "strider"})
    legs = {"asset.vehicle.level.2.systems": ["vehicle-system/dancer-mechsuit-legs-mk1"]}
    assert run("level-up", path, "--unit", "mechsuit", "--answers", answers(legs)).code == 0
    ended = run("level-up", path, "--unit", "mechsuit")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[0] == f"{path}: Mechsuit, level 2 → 3"


def test_undo_takes_back_one_level_of_the_vehicle(run, make):
    path = make("vehicle/bike")
    first = json.loads(path.read_text("utf-8"))["log"]
    run("level-up", path, "--unit", "bike", "--to", "3", "--random")
    assert run("undo", path).code == 0
    assert unit(run, path)["level"] == 2
    assert run("undo", path).code == 0
    assert json.loads(path.read_text("utf-8"))["log"] == first


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--unit", "bike"), ("asset.vehicle.level.2.systems", "--random")),
        (("--unit", "bika", "--random"), ('named "bika". Did you mean bike?',)),
        (("--unit", "bike", "--to", "5", "--random"), ("Bike can be level 4 at most, not 5",)),
        (("--unit", "bike", "--to", "1", "--random"), ("Bike is already", "--to")),
    ],
)
def test_what_cannot_be_says_why(run, make, options, said):
    path = make("vehicle/bike")
    before = path.read_bytes()
    run("level-up", path, *options).refused(2, *said)
    assert path.read_bytes() == before


def test_a_companion_rises_with_its_owner_alone(run, make):
    path = make("companion/drone")
    said = ("A Companion always has its owner's", "Level the character up.")
    run("level-up", path, "--unit", "drone", "--random").refused(2, *said)


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ({"asset.vehicle.level.2.systems": ["vehicle-system/laser-tank-gun-mk1"]}, 1,
         "up.yaml:1: asset.vehicle.level.2.systems: Laser Tank Gun Mk1: needs 2 Slots;"),
        ({"asset.vehicle.level.2.systems": ["vehicle-system/laser-gun"]}, 1, "laser-gun"),
        ({"asset.vehicle.level.2.sytems": []}, 2, "did you mean asset.vehicle.level.2.systems?"),
        ({"asset.vehicle.weapon": "laser"}, 2, "was chosen at an earlier level."),
    ],
)  # fmt: skip
def test_a_faulty_answers_file_changes_nothing(run, make, answers, given, code, said):
    path = make("vehicle/tank", **{"vehicle.weapon": "ballistic"})
    before = path.read_bytes()
    name = answers(given)
    run("level-up", path, "--unit", "tank", "--random", "--answers", name).refused(code, said)
    assert path.read_bytes() == before


def test_the_levels_of_a_vehicle_are_in_the_template_and_for_level_up(run, answers):
    template = run("new", "--questions", "--level", "3").out
    assert "\n  # asset.vehicle.level.3.systems: []\n" in template
    assert "asset.vehicle.level.4" not in template
    name = answers({"asset": "vehicle/bike", "asset.vehicle.level.2.systems": []})
    run("new", "--random", "--level", "3", "--answers", name).refused(
        2, 'up.yaml:1: "asset.vehicle.level.2.systems" comes up only when the unit levels up'
    )


# ------------------------------------------------------------------ shown alone


def test_a_unit_is_shown_alone(run, make):
    path = make("companion/land-beast")
    assert run("condition", path, "prone", "--unit", "land beast").code == 0
    document = run("show", path).out
    for name in ("asset.companion", "Land Beast", "land-beast"):
        alone = run("show", path, "--unit", name)
        assert (alone.code, alone.err) == (0, "")
        first, *_more = [line for line in alone.out.splitlines() if line.strip()]
        assert "Land Beast" in first
        assert "Prone" in alone.out.partition("IN PLAY")[2]
        assert "Ada" not in alone.out
        assert len(alone.out) < len(document)
    assert run("show", path, "--unit", "character").out == document
    run("show", path, "--unit", "land baest").refused(2, "Did you mean Land Beast?")


def test_the_conditions_of_a_unit_come_with_the_command_for_that_unit(run, make):
    path = make("companion/land-beast")
    shown = run("condition", path, "--unit", "land beast").out
    assert f"  charforge condition {path} --unit 'Land Beast' NAME [off]\n" in shown
    assert "--unit" not in run("condition", path).out


def test_a_unit_alone_as_json_is_what_stands_under_units_with_its_conditions(run, make):
    path = make("companion/land-beast")
    assert run("condition", path, "prone", "--unit", "land beast").code == 0
    assert run("condition", path, "taunted").code == 0
    alone = run("show", path, "--unit", "land beast", "--json").json
    [of_unit] = [c for c in run("show", path, "--json").json["conditions"] if c["unit"]
                 == "asset.companion"]  # fmt: skip
    assert alone.pop("conditions") == [of_unit]
    assert alone == unit(run, path)
    younger = run("show", path, "--unit", "land beast", "--json", "--at-level", 1).json
    assert younger["values"]["max_hp"]["base"] < alone["values"]["max_hp"]["base"]


# ------------------------------------------------------------------ names


@pytest.fixture(scope="module")
def crowd_text(tmp_path_factory):
    """The file of a character with two Land Beasts, the second one named Rex, and a hurt Bike."""
    path = tmp_path_factory.mktemp("crowd") / "a.json"
    path.write_text(made('{"answers": {"asset": "companion/land-beast"}}', 3), "utf-8")

    def run(*arguments: object):
        return run_command(*arguments, folder=path.parent)

    array = "array={str: 7, ftd: 4, agi: 6, cha: 5}"
    assert run("award", path, "companion/land-beast", "--with", array).code == 2  # dice are open
    given = path.with_name("late.yaml")
    number = len(json.loads(path.read_text("utf-8"))["log"]) + 1
    dice = {f"level.{n}.companion#{number}.hp": [6] for n in (2, 3)}  # 9 + 10 + 10 HP
    scores = {"str": 7, "ftd": 4, "agi": 6, "cha": 5}
    given.write_text(json.dumps({"answers": {f"event.{number}.array": scores, **dice}}))
    assert run("award", path, "companion/land-beast", "--answers", given).code == 0
    assert run("award", path, "vehicle/bike").code == 0
    assert run("edit", path, "--name", "Rex", "--unit", f"event.{number}").code == 0
    assert run("damage", path, "4", "--type", "sharp", "--unit", "bike").code == 0
    return path.read_text("utf-8")


@pytest.fixture
def crowd(crowd_text, tmp_path):
    """That file, to be changed."""
    (tmp_path / "a.json").write_text(crowd_text, "utf-8")
    return tmp_path / "a.json"


def test_every_reading_names_the_unit_and_what_it_has_left(run, crowd, tmp_path):
    """The Bike has 6 of its 10 HP, so its Energy is printed, too; who is whole has empty boxes."""
    assert [one["name"] for one in run("show", crowd, "--json").json["units"]] == [
        "Land Beast", "Rex", "Bike"]  # fmt: skip
    shown = run("show", crowd).out
    assert "Rex † · Land Beast, Special Companion · Level 3" in shown
    assert "HP 29 / 29" in shown
    assert "HP 6 / 10" in shown
    assert run("explain", crowd, "max_hp", "--unit", "rex").out.splitlines()[0] == (
        "Rex (Land Beast): Maximum HP (Max HP): 29"
    )
    assert "Land Beast 2: named Rex" in run("history", crowd).out
    for form in ("markdown", "text", "statblock", "json"):
        assert "Rex" in run("export", crowd, "--format", form).out, form
    assert run("sheet", crowd, "--format", "html", "-o", "a.html").code == 0
    page = (tmp_path / "a.html").read_text("utf-8")
    assert re.search(r"<h2><bdi>Rex †</bdi></h2>\s*<p>Land Beast, Special Companion</p>", page)
    assert re.findall(r'<b class="present"[^>]*>(\d+)</b>', page) == ["6", "25"]
    assert run("check", crowd).code == 0


def test_a_level_tells_each_unit_apart(run, crowd):
    out = run("level-up", crowd, "--random").out
    assert out.splitlines()[0] == f"{crowd}: Ada, level 3 → 4"
    assert [line.split(":")[0].strip() for line in out.splitlines() if ": Max HP" in line] == [
        "Land Beast", "Rex"]  # fmt: skip


def test_an_ambiguous_name_lists_the_ids(run, crowd):
    ids = [one["id"] for one in run("show", crowd, "--json").json["units"]]
    run("explain", crowd, "max_hp", "--unit", "land beast").refused(
        2, f"Land Beast: charforge explain {crowd} max_hp --unit {ids[0]}\n  Rex (Land Beast): "
    )


def test_an_unknown_name_lists_each_unit_once(run, crowd):
    listed = "character, Land Beast, Rex, Bike."
    run("show", crowd, "--unit", "zzz").refused(2, f'named "zzz". There are: {listed}')
    run("show", crowd, "--unit", "bkie").refused(2, "Did you mean bike?")
    assert run("show", crowd, "--unit", "re").out == run("show", crowd, "--unit", "Rex").out


def test_why_a_system_cannot_be_had_names_the_vehicle_or_finds_it(run, make):
    """Without --unit the first unit that could ever take it is meant."""
    path = make("vehicle/tank", **{"vehicle.weapon": "ballistic"})
    output = "Laser Tank Gun Mk1: not now\n  needs 2 Slots; you have 0 left\nIf you took it now:\n"
    assert run("explain", path, "vehicle-system/laser-tank-gun-mk1").out.startswith(output)
    assert run("explain", path, "laser tank gun mk1", "--unit", "TANK").out.startswith(output)
    held = "Giant Wheels Mk1: Tank has it, from Tank (Level 1)\n"
    assert run("explain", path, "vehicle-system/giant-wheels-mk1").out.startswith(held)


def test_an_empty_slot_is_shown(run, make):
    path = make("vehicle/bike")
    run("level-up", path, "--unit", "bike", "--random")
    shown = run("show", path).out
    assert "Slots 3 of 4" in shown
    assert "Still empty 1" in shown
    assert max(map(len, shown.splitlines())) <= 80


# ------------------------------------------------------------------ a terminal


@pytest.fixture
def spawn(tmp_path, environment):
    """Start the program on a terminal of its own."""
    pexpect = pytest.importorskip("pexpect", reason="terminals of Unix")
    started = []

    def spawn(*arguments: str):
        child = pexpect.spawn(
            sys.executable,
            ["-m", "charforge", *arguments],
            cwd=str(tmp_path),
            env={**environment, "TERM": "xterm-256color"},
            encoding="utf-8",
            timeout=60,
            dimensions=(40, 100),
        )
        started.append(child)
        return child

    yield spawn
    for child in started:
        child.close(force=True)


terminal = pytest.mark.skipif(os.name == "nt", reason="terminals of Unix")


def ended(child) -> tuple[int, str]:
    """Wait for the end; return the exit code and what was printed last."""
    import pexpect

    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus, STYLES.sub("", child.before).replace("\r", "")


@terminal
@pytest.mark.slow
def test_the_wizard_asks_for_the_systems_of_a_vehicle(run, make, spawn):
    """An Aeroplane of Level 2 has 5 Slots and fills 4: Giant Wheels are the one that fits."""
    path = make("vehicle/aeroplane")
    child = spawn("level-up", "a.json", "--unit", "aeroplane")
    child.expect("Step 1 of 2 · Aeroplane: Level ")
    child.expect("1 of 1 Slot left")
    child.send("giant")
    child.expect("Ramming Speed")  # what is pointed at is told whole
    child.send(ENTER)
    child.expect("remove")
    child.send(ENTER)
    child.expect("Happy with it")
    child.send(ENTER)
    code, out = ended(child)
    assert code == 0
    assert "a.json: Aeroplane, level 1 → 2" in out
    assert "+ Aeroplane: Giant Wheels Mk1 (Vehicle System)" in out
    assert "vehicle-system/giant-wheels-mk1" in [h["id"] for h in unit(run, path)["holdings"]]


@terminal
@pytest.mark.slow
def test_a_wizard_that_is_stopped_keeps_a_draft_of_the_vehicle(run, make, spawn):
    path = make("vehicle/tank", **{"vehicle.weapon": "laser"})
    before = path.read_bytes()
    child = spawn("level-up", "a.json", "--unit", "tank", "--to", "3")
    child.expect("Step 1 of 3 · Tank: Level ")
    child.send(ENTER)
    child.expect("Step 2 of 3 · Tank: Level ")
    child.send(STOP)
    code, out = ended(child)
    assert code == 130
    assert path.read_bytes() == before
    again = ("--unit", "Tank", "--answers", "a.asset.vehicle.level-3.draft.yaml")
    assert f"charforge level-up a.json {' '.join(again)}" in " ".join(out.split())
    assert run("level-up", path, *again, "--random").code == 0
    assert unit(run, path)["level"] == 3


@terminal
@pytest.mark.slow
def test_nothing_is_asked_where_there_is_nothing_to_choose(run, make, spawn, answers):
    path = make("vehicle/mechsuit", **{"vehicle.legs": "strider"})
    legs = {"asset.vehicle.level.2.systems": ["vehicle-system/dancer-mechsuit-legs-mk1"]}
    run("level-up", path, "--unit", "mechsuit", "--answers", answers(legs))
    code, out = ended(spawn("level-up", "a.json", "--unit", "mechsuit"))
    assert code == 0
    assert out.splitlines()[0] == "a.json: Mechsuit, level 2 → 3"


def test_an_action_that_is_refused_is_never_replaced_by_another_of_its_item(run, make):
    """With Deploy on, the Legs cannot move; to name them does not switch Deploy off."""
    path = make("vehicle/mechsuit")
    legs = ("use", path, "strider-mechsuit-legs-mk1", "--unit", "mechsuit")
    run(*legs).refused(2, "matches several abilities. Which one?")
    assert run(*legs, "--action", "deploy").code == 0
    before = path.read_bytes()
    run(*legs).refused(
        1, "While Deploy is on, the vehicle cannot move. To use another:",
        "Deploy: charforge use",
    )  # fmt: skip
    assert path.read_bytes() == before
    assert "no longer Deploy" in run(*legs, "--action", "deploy").out


def test_part_of_the_id_of_a_holding_is_no_name_of_it(run, make):
    """The Unarmed attack of a companion has "companion" in its id, and can be used."""
    path = make("companion/land-beast")
    refused = run("use", path, "companion", "--unit", "land beast")
    refused.refused(2, 'There is no ability here named "companion"')
