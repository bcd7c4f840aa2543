"""explain: the steps of a value with their sources, and why something is not allowed."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import to_text
from charforge.cli.explain import IF_TAKEN
from charforge.cli.terminal.rules import markup_text
from charforge.describe.entities import entity_paragraphs
from charforge.packs.install import install
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading import loader
from charforge.rules.loading.loader import load
from charforge.usecases.create import create_character
from charforge.verbs.subjects import find_entity_id
from tests.command_runner import run_command
from tests.rules.pack_files import write_pack
from tests.samples import few

pytestmark = pytest.mark.capital

CATALOG = Path(__file__).parents[2] / "catalog"
LINE = re.compile(r"  +(at least |at most |× )?([+−]?)(\d+)  = (−?\d+) +(\S.*)")
BOOK = re.compile(r"\([^()]*[A-Z][^()]+\)")


@cache
def made(level: int, answers: str) -> str:
    """Return the file of a character with these answers; the rest is by chance."""
    with TemporaryDirectory() as folder:
        Path(folder, "a.yaml").write_text(answers)
        options = ("--seed", "7", "--level", level, "-o", "a.json")
        ended = run_command("new", "--random", "--answers", "a.yaml", *options, folder=Path(folder))
        assert ended.code == 0, ended.err
        return Path(folder, "a.json").read_text("utf-8")


def make(tmp_path, level: int = 4, **answers: object):
    """Make a character from the few answers that a test is about."""
    (tmp_path / "a.json").write_text(made(level, yaml.safe_dump({"answers": answers})), "utf-8")
    return tmp_path / "a.json"


def reasons(out: str) -> list[str]:
    """Return the lines before what the thing would change."""
    lines = out.splitlines()
    return lines[: lines.index(IF_TAKEN)] if IF_TAKEN in lines else lines


def test_a_level_is_explained_with_its_dice_and_the_labels_of_its_formula(run, tmp_path):
    """The Lancer: FTD + 10 at Level 1, then 1d6 + FTD + 2, at least FTD + 6."""
    path = make(tmp_path, 3, **{"role": "role/the-lancer", "level.2.hp": [1], "level.3.hp": [6]})
    ftd = run("show", path, "--json").json["values"]["ftd"]["base"]
    ended = run("explain", path, "max_hp")
    assert (ended.code, ended.err) == (0, "")
    head, first, second, third, *_more = ended.out.splitlines()
    assert head.startswith("Maximum HP (Max HP): ")
    assert "The Lancer (Roles: The Lancer" in first
    assert first.endswith("  [FTD + 10]")
    assert second.endswith(
        f"Level 2: HP (Roles: The Lancer)"
        f"  [1d6 (1) + FTD + 2 ({ftd + 2}) = {ftd + 3}; minimum FTD + 6 ({ftd + 6})]"
    )
    assert third.endswith(f"  [1d6 (6) + FTD + 2 ({ftd + 2}) = {ftd + 8}]")


def test_a_product_is_written_as_one(run, tmp_path):
    """Healthy: +2 maximum HP for each Level."""
    path = make(tmp_path, 4, **{"level.2.systems": ["system/healthy"]})
    [line] = [line for line in run("explain", path, "max_hp").out.splitlines() if "Healthy" in line]
    assert line.split()[0] == "+8"
    assert line.endswith("[2 × Level]")


def applied(total: int, words: str | None, sign: str, number: int) -> int:
    """Apply one printed step to a running total."""
    if words:
        return {"at least ": max, "at most ": min}[words](total, number)
    if not sign:
        return number
    return total - number if sign == "−" else total + number


def steps(block: str):
    """Yield (words, sign, amount, total, source) of each step of one value."""
    for line in block.splitlines()[1:]:
        match = LINE.fullmatch(line)
        assert match, line
        yield match.groups()


@pytest.mark.parametrize(
    "asset", few(["companion/droid", "vehicle/mechsuit", "augmentation/slots"], 1)
)
def test_the_steps_printed_add_up_and_name_the_book(run, tmp_path, asset):
    path = make(tmp_path, 8, asset=asset)
    shown = run("show", path, "--json").json
    explained = [((), shown)] + [(("--unit", unit["id"]), unit) for unit in shown["units"]]
    for options, one in explained:
        blocks = run("explain", path, *options).out.strip().split("\n\n")
        assert len(blocks) == len(one["values"])
        for block, value in zip(blocks, one["values"].values(), strict=True):
            titles = (f"({value['label']}): ", f"{value['label']}: ")  # of one word, said once
            assert any(f"{title}{value['base']}" in block.splitlines()[0] for title in titles)
            total = 0
            for words, sign, amount, after, source in steps(block):
                number = int(amount)
                total = applied(total, words, sign, number)
                assert total == int(after.replace("−", "-"))
                assert BOOK.search(source), source
                assert not re.search(r"\b(ftd|wil|max_hp|level|owner\.)\b", source.split("  [")[-1])
            assert total == value["total"]


def test_a_value_goes_before_a_chart_of_its_name_which_is_named(run, tmp_path):
    options = ("--ruleset", "squad-d20", "--random", "--seed", "7", "-o", "nix.json")
    assert run("new", *options).code == 0
    ended = run("explain", "nix.json", "influence")
    assert ended.out.startswith("Influence: 5\n")
    assert ended.err == ("A chart has the same name: charforge explain nix.json chart/influence\n")
    chart = run("explain", "nix.json", "chart/influence").out
    assert chart.startswith("Combat influence\n")
    output = run("explain", "nix.json", "Flat-footed")
    assert output.out.startswith("Defense while flat-footed (Flat-footed): ")
    last = "charforge catalog show squad-d20:status/flat-footed\n"
    assert output.err.endswith(last)
    assert run(*last.split()[1:]).out.startswith("Flat-footed")
    run("explain", "nix.json", "chart/influenc").refused(2, "chart", "influence")


def test_one_value_is_found_whatever_its_case(run, nix):
    assert run("explain", nix, "MAX_HP").out == run("explain", nix, "max_hp").out
    assert run("explain", nix, "STR").out.startswith("Strength (STR): ")


@pytest.mark.parametrize("by", ["asset.companion", "companion/land-beast", "land-beast"])
def test_a_unit_is_found_by_path_entity_or_name(run, tmp_path, by):
    path = make(tmp_path, asset="companion/land-beast")
    own = run("explain", path, "max_hp", "--unit", by).out
    assert own.startswith("Land Beast: Maximum HP (Max HP): ")
    assert own != run("explain", path, "max_hp").out
    run("explain", path, "grit", "--unit", by).refused(2, 'named "grit"')


def test_a_unit_is_explained_with_its_own_attacks(run, tmp_path):
    """use and odds want --unit for them, so explain takes it, too."""
    path = make(tmp_path, asset="companion/land-beast")
    alone = run("explain", path, "land beast").out
    assert "Land Beast: roll +" in alone
    assert run("explain", path, "land beast", "--unit", "land-beast").out == alone
    held = [
        json.loads(run("explain", path, "land beast", "--json", *unit).out)["holdings"]
        for unit in ((), ("--unit", "land-beast"))
    ]
    assert held[0] == held[1] != []


def test_attacks_of_one_name_are_told_apart_by_their_ranges(run, tmp_path):
    """A dagger strikes with STR and flies with VSN; a rifle rolls the same at 50 and 100 m."""
    path = make(tmp_path, asset="special-weapon/rifle")
    run("award", path, "simple dagger")
    rolls = re.compile(r"^  (\S.*?): roll .* against (\w+)$", re.MULTILINE)
    dagger = run("explain", path, "simple dagger").out
    assert rolls.findall(dagger) == [
        ("Simple Dagger: Melee", "STR"),
        ("Simple Dagger: 10m", "AGI"),
    ]
    assert rolls.findall(run("explain", path, "rifle").out) == [("Rifle", "AGI")]


def test_an_attack_has_the_agi_that_it_has_with_focus(run, tmp_path):
    path = make(tmp_path, role="role/the-scout", asset="special-weapon/pistol")
    before = re.search(r"AGI \d+(?=  instead)", run("explain", path, "pistol").out)
    assert run("use", path, "gain-focus").code == 0
    after = re.search(r"AGI \d+(?=  instead)", run("explain", path, "pistol").out)
    now = run("explain", path, "agi").out
    assert before and after and before[0] == after[0]
    assert f"now {after[0].removeprefix('AGI ')}" in now


@pytest.mark.parametrize("named", ["drone max hp", "Drone: Max HP"])
def test_a_number_of_a_unit_is_found_with_the_name_of_the_unit(run, tmp_path, named):
    path = make(tmp_path, asset="companion/drone")
    own = run("explain", path, "max_hp", "--unit", "drone")
    assert (own.code, run("explain", path, named).out) == (0, own.out)
    as_json = run("explain", path, "max_hp", "--unit", "drone", "--json").out
    assert run("explain", path, named, "--json").out == as_json


@pytest.mark.parametrize("unit", [(), ("--unit", "bike")])
def test_a_field_of_a_vehicle_is_found_as_its_panel_has_it(run, tmp_path, unit):
    path = make(tmp_path, asset="vehicle/bike")
    first, source = run("explain", path, "diameter", *unit).out.splitlines()
    assert (first, "Bike" in source) == ("Diameter: ~3 m", True)
    (shown,) = json.loads(run("explain", path, "diameter", "--json", *unit).out)["figures"]
    assert (shown["label"], shown["text"]) == ("Diameter", "~3 m")
    run("explain", path, "drone grit").refused(2, 'named "drone grit"')


def test_an_earlier_level_has_fewer_steps(run, nix):
    lines = [
        len(run("explain", nix, "max_hp", "--at-level", n).out.splitlines()) for n in (1, 2, 3)
    ]
    assert lines == [2, 3, 4]


# ------------------------------------------------------------------ why, and why not


# Every Slot left empty, up to the level that these are made at.
FREE: dict[str, list[str]] = {f"level.{n}.systems": [] for n in (2, 3, 4)}


def test_a_system_of_another_role_says_why_not(run, tmp_path):
    path = make(tmp_path, role="role/the-lancer")
    ended = run("explain", path, "system/bonk")
    assert ended.code == 0
    assert reasons(ended.out) == [
        "Bonk: not now",
        "  requires The Tank",
        "  needs 1 Slot; you have 0 left",
    ]


def test_every_unmet_clause_is_told(run, tmp_path):
    path = make(tmp_path, role="role/the-tank", **FREE)
    ended = run("explain", path, "system/focus-ii")
    assert reasons(ended.out) == ["Focus II: not now", "  requires Focus I"]


def test_what_is_held_says_where_it_is_from(run, tmp_path):
    path = make(tmp_path, **{"level.2.systems": ["system/healthy"]})
    lines = run("explain", path, "system/healthy").out.splitlines()
    assert lines[0] == "Healthy: you have it, from “Which Systems do you choose?” (Level 2)"
    assert lines[-1].strip() == "Max HP + 2 × Level"


def test_what_was_bought_says_when_as_the_history_does(run, tmp_path):
    path = make(tmp_path)
    assert run("buy", path, "equipment/torch", "--price", 1).code == 0
    number, bought = run("history", path).out.splitlines()[-1].strip().split("  ", 1)
    assert bought.startswith("bought ")
    first = run("explain", path, "equipment/torch").out.splitlines()[0]
    assert first == f"Torch: you have it (Level 4, entry {number}: {bought})"


def test_the_end_of_an_id_is_enough_where_no_other_has_it(run, tmp_path):
    path = make(tmp_path, role="role/the-scout", **FREE)
    for name in ("focus-i", "focus-ii", "FOCUS-II"):
        document = run("explain", path, f"system/{name.lower()}")
        assert document.code == 0
        assert run("explain", path, name).out == document.out
    run("explain", path, "sniper-rifle").refused(
        2, "matches several", " equipment/sniper-rifle", " special-weapon/sniper-rifle"
    )  # of two kinds
    assert run("explain", path, "focus").out == run("explain", path, "rule/focus").out


@pytest.mark.parametrize("game", sorted(loader.built_in()))
def test_a_name_of_its_own_goes_before_the_end_of_an_id(game):
    """Of a game's rules, a status Contact and a rule/contact: the name is the status's."""
    ruleset = load(game)
    names = Counter(one.name.casefold() for one in ruleset.entities.values())
    for one in ruleset.entities.values():
        if names[one.name.casefold()] == 1:
            assert find_entity_id(ruleset, one.name) == one.id


def test_what_may_be_taken_says_so(run, tmp_path):
    path = make(tmp_path, role="role/the-scout", **FREE)
    shown = run("explain", path, "system/focus-ii").out.splitlines()
    assert shown[:4] == [
        "Focus II: you can take it", IF_TAKEN, "  Slots used 0 → 1", "  Focus II replaces Focus I"
    ]  # fmt: skip
    assert "Once per Full Rest, you may use both Gain Focus" in "".join(shown[5:])


def test_what_a_thing_would_change_is_shown_even_if_it_is_not_allowed(run, tmp_path):
    """Healthy: each Level adds 2 to the maximum HP, 8 at Level 4; it takes 2 Slots."""
    path = make(tmp_path, role="role/the-scout", **FREE)
    values = run("show", path, "--json").json["values"]
    hp, strength = values["max_hp"]["base"], values["str"]["base"]
    shown = run("explain", path, "system/healthy").out
    assert f"{IF_TAKEN}\n  Max HP {hp} → {hp + 8} · Slots used 0 → 2\n" in shown
    other = run("explain", path, "role/the-tank").out
    assert "If you took it instead of The Scout:\n" in other
    assert "Will be dropped: The Scout: Which Attribute gets +1?" in other
    assert f"STR {strength} → " in other or "FTD " in other
    assert "You will also choose: +1 STR or WIL" in other or "STR" in other
    assert run("explain", path, "prone").out.count(IF_TAKEN) == 0


def test_why_is_asked_of_the_level_looked_at(run, tmp_path):
    path = make(tmp_path, role="role/the-scout", **{"level.2.systems": ["system/focus-ii"]})
    assert "you have it" in run("explain", path, "system/focus-ii").out
    assert reasons(run("explain", path, "system/focus-ii", "--at-level", "1").out) == [
        "Focus II: not now",
        "  needs 1 Slot; you have 0 left",
    ]


def test_what_no_choice_offers_says_who_gives_it(run, tmp_path):
    path = make(tmp_path, role="role/the-scout")
    assert reasons(run("explain", path, "system/supercharge").out) == [
        "Supercharge: not now",
        "  Supercharge comes with The Healer at Level 3",
    ]


def test_a_choice_made_long_ago_is_settled(run, tmp_path):
    path = make(tmp_path, role="role/the-scout", asset="augmentation/limb")
    shown = run("explain", path, "vehicle/tank").out.splitlines()
    assert shown[:2] == ["Tank: not now", "  Special Asset: already chosen"]
    assert shown[2].startswith("If you took it instead of ")


def test_what_a_character_is_under_is_told(run, nix):
    assert run("explain", nix, "prone").out.startswith("Prone: not now\n")
    assert run("condition", nix, "prone").code == 0
    assert run("explain", nix, "prone").out.startswith("Prone: now\n")


def test_a_decision_is_told_with_its_answer_and_what_came_of_it(run, tmp_path):
    """The Lancer: 1d6 + FTD + 2, at least FTD + 6."""
    path = make(tmp_path, 2, **{"role": "role/the-lancer", "level.2.hp": [6]})
    ftd = run("show", path, "--json").json["values"]["ftd"]["base"]
    assert run("explain", path, "level.2.hp").out.splitlines() == [
        f"Roll for HP: 6 → Max HP +{ftd + 8}",
        "  Level 2: HP (Roles: The Lancer)",
        f"  Max HP +{ftd + 8}  [1d6 (6) + FTD + 2 ({ftd + 2}) = {ftd + 8}]",
    ]
    asset = run("explain", path, "asset").out.splitlines()
    assert asset[0].startswith("What is your Special Asset? ")
    run("explain", path, "level.2.hq").refused(2, "Did you mean level.2.hp?")


def test_a_decision_tells_what_it_lacks(run, tmp_path):
    path = make(tmp_path, 2, role="role/the-lancer")
    edited = run(
        "edit", path, "level.2.systems", "--answer", "[system/bonk]", "--override", "GM: once"
    )
    assert edited.code == 0, edited.err
    output = run("explain", path, "level.2.systems").out
    assert "? Bonk\n" in output
    assert "requires The Tank (allowed by GM: once)" in output


def test_an_innate_system_is_only_for_creation(run, tmp_path):
    """An Innate System comes at creation or from the GM, never at a later Level."""
    path = make(tmp_path, role="role/the-scout")
    assert reasons(run("explain", path, "system/deaf").out) == [
        "Deaf: not now",
        "  Deaf is an Innate System: you gain it only when you first build your character, "
        "or from the GM",
    ]


def test_an_attack_is_explained_step_by_step(run, tmp_path):
    """Special Warhammer: STR + 2 for Training, 16 damage; Unarmed needs no Training."""
    asset = {"asset": "special-weapon/warhammer"}
    path = make(tmp_path, 1, role="role/the-lancer", **asset)
    strength = run("show", path, "--json").json["values"]["str"]["total"]
    ended = run("explain", path, "special-weapon/warhammer")
    assert ended.out.splitlines()[1:5] == [
        f"  Warhammer: roll +{strength + 2} against AGI",
        f"    {strength:>2}  STR",
        "    +2  Training",
        "    only in some situations, not counted above:",
    ]
    assert "\n  Warhammer: damage 16 Blunt\n" in ended.out
    assert f"  Unarmed: roll +{strength} against STR\n" in run("explain", path, "Unarmed").out


def test_what_counts_only_in_some_situations_is_named_apart(run, tmp_path):
    """An Unarmed Attack is Melee, so Point Blanc never counts. A Lancer has Aim 1."""
    path = make(tmp_path, 1, role="role/the-lancer")
    told = run("explain", path, "Unarmed").out
    assert "only in some situations, not counted above:\n" in told
    assert "−2  for each Attack Counter: 1 for each Attack since your last turn ended" in told
    assert "reroll  1 die for each Aim you have (1), for 1 Energy each\n" in told
    assert "Point Blanc" not in told
    assert "Offensive Focus" not in told


def test_point_blanc_is_named_for_a_gun(run, tmp_path):
    """A Scout has Focus and no Aim."""
    path = make(tmp_path, 1, role="role/the-scout", asset="special-weapon/pistol")
    told = run("explain", path, "special-weapon/pistol").out
    assert "−3  Point Blanc: you are in base contact with an enemy\n" in told
    assert "instead, if you like, while you have Focus\n" in told
    assert "(Aim)" not in told


def test_gear_that_no_choice_offers_can_be_bought(run, tmp_path):
    path = make(tmp_path, role="role/the-scout", money=300)
    bought = run("explain", path, "equipment/toolkit").out.splitlines()
    assert bought[:4] == [
        "Toolkit: you do not have it, but you can buy it",
        f"  50 mC: charforge buy {path} equipment/toolkit",
        IF_TAKEN,
        "  Money 300 → 250 mC",
    ]
    assert run("buy", path, "equipment/toolkit").code == 0
    run("spend", path, "money", "245")
    dear = run("explain", path, "equipment/solar-array").out
    assert "80 mC: " in dear
    assert "(costs 80 mC; you have 5 mC)\n" in dear
    assert "--price N\n" in run("explain", path, "equipment/sonic-rifle").out


def test_gear_that_a_choice_offered_can_be_bought_as_well(run, tmp_path):
    """A Tank starts with one Simple Melee weapon, and can buy the others."""
    path = make(
        tmp_path, role="role/the-tank", **{"role.weapon": "equipment/simple-club-longsword"}
    )
    shown = run("explain", path, "simple spear").out
    assert shown.startswith("Simple Spear: you do not have it, but you can buy it\n")
    assert "already chosen" not in shown


def test_damage_of_shots_is_written_as_on_sheets(run, tmp_path):
    path = make(tmp_path, role="role/the-scout", money=300)
    options = ("--price", "5", "--with", "damage=heat")
    assert run("buy", path, "auto-rifle", *options).code == 0
    shown = run("explain", path, "auto rifle").out
    assert "damage 1d6 + 8 Heat  [1d6 + 8 (1 per Shot)]" in shown


@pytest.mark.parametrize("name", ["maxhp", "turnorder", "turn order"])
def test_names_are_found_without_their_spaces(run, tmp_path, name):
    assert run("explain", make(tmp_path, role="role/the-scout"), name).code == 0


def test_gear_that_something_else_grants_can_be_bought_like_any_other(run, tmp_path):
    """The Sentinel starts with a Standard Pistol; that is no reason against it for a Tank."""
    path = make(tmp_path, role="role/the-tank")
    rifle, pistol = (run("explain", path, name).out for name in ("auto-rifle", "standard-pistol"))
    for name, shown in (("Auto Rifle", rifle), ("Standard Pistol", pistol)):
        assert shown.startswith(f"{name}: you do not have it, but you can buy it\n")
        assert "Sentinel" not in shown
    assert run("explain", path, "standard-pistol", "--json").json["reasons"] == []


def test_a_value_from_a_table_names_the_row(run, tmp_path):
    """Levels table: Energy is WIL + 5 and Slots are 2 at Level 3 (carried from Level 2)."""
    path = make(tmp_path, 3, role="role/the-lancer", asset="special-weapon/pistol")
    energy = run("explain", path, "max_energy").out.splitlines()
    assert energy[1].endswith("[WIL + 5, table row Level 3]")
    assert run("explain", path, "slots").out.splitlines()[1].endswith("[table row Level 3]")


@pytest.mark.parametrize("named", ["All Out", "all-out", "system/all-out"])
def test_a_system_comes_before_the_condition_that_it_brings(run, tmp_path, named):
    path = make(tmp_path, role="role/the-healer")
    assert reasons(run("explain", path, named).out) == [
        "All Out: not now",
        "  All Out comes with The Scout at Level 3",
    ]


def test_a_name_of_several_things_lists_their_ids(run, tmp_path):
    path = make(tmp_path, role="role/the-healer", asset="augmentation/limb")
    ids = (" equipment/sniper-rifle", " special-weapon/sniper-rifle")
    run("explain", path, "sniper rifle").refused(2, "matches several. Which one?", *ids)


def test_a_value_is_explained_as_json_with_the_steps_of_show(run, nix):
    found = run("explain", nix, "max_hp", "--json").json
    shown = run("show", nix, "--json").json["values"]["max_hp"]
    assert (found["kind"], found["id"], found["unit"]) == ("value", "max_hp", "character")
    assert found["total"] == shown["total"]
    assert [{k: v for k, v in step.items() if k != "label"} for step in found["steps"]] == shown[
        "steps"
    ]
    assert all(step["label"] for step in found["steps"])
    every = run("explain", nix, "--json").json
    assert found in every["values"]
    assert len(every["values"]) == len(run("show", nix, "--json").json["values"])


def test_an_entity_is_explained_as_json(run, nix):
    held = run("explain", nix, "system/focus-i", "--json").json
    assert (held["kind"], held["id"], held["name"]) == ("entity", "system/focus-i", "Focus I")
    assert [holding["id"] for holding in held["holdings"]] == ["system/focus-i"]
    closed = run("explain", nix, "system/bonk", "--json").json
    assert (closed["allowed"], closed["holdings"]) == (False, [])
    assert any("The Tank" in reason for reason in closed["reasons"])
    assert isinstance(closed["changes"], list)


def test_a_decision_is_explained_as_json(run, nix):
    found = run("explain", nix, "level.2.hp", "--json").json
    assert (found["kind"], found["id"]) == ("decision", "level.2.hp")
    assert found["answer"] == [2]
    assert found["text"].startswith("2 → Max HP")
    assert (found["problems"], found["dormant"]) == ([], False)


def words_of(text: str) -> str:
    """Return a text without markup, hyphens and line breaks, to compare it with a printed one."""
    return "".join(re.findall(r"\w", text))


@pytest.mark.parametrize("every", few([False, True], 1))
@pytest.mark.parametrize("game", sorted(path.parent.name for path in CATALOG.glob("*/*set.yaml")))
def test_a_condition_is_explained_with_its_text_whether_or_not_you_have_it(run, game, every):
    """One condition of every game; in the slow suite one of each sort: with the same keys."""
    rules = load(game)
    sorts = {(one.kind, *sorted(one.model_fields_set)): one for one in rules.conditions}
    run("new", "--ruleset", game, "--random", "--seed", "7", "-o", "first.json")
    unused = Path("first.json").read_text("utf-8")
    for entity in list(sorts.values()) if every else rules.conditions[:1]:
        Path("a.json").write_text(unused, "utf-8")
        outputs = [run("explain", "a.json", entity.id)]
        if entity.active_when is None:
            assert outputs[0].out.startswith(f"{entity.name}: not now")
            assert run("condition", "a.json", entity.id).code == 0
            outputs.append(run("explain", "a.json", entity.id))
            now = rf"{re.escape(entity.name)}( \d+)?( \[\d+ more\])?: now"
            assert re.match(now, outputs[1].out)
        else:
            assert "applies while" in outputs[0].out
        text = "".join(markup_text(markup).plain for markup in entity_paragraphs(entity, rules))
        for ended in outputs:
            assert (ended.code, ended.err) == (0, "")
            assert words_of(text) in words_of(ended.out)
            assert "no choice offers it" not in ended.out


def test_a_condition_is_explained_with_what_it_changes(run, tmp_path):
    path = make(tmp_path)
    agi = run("show", path, "--json").json["values"]["agi"]["total"]
    line = f"  AGI {agi} → {max(agi - 4, 0)}"
    _head, heading, change, *_text = run("explain", path, "prone").out.splitlines()
    assert (heading, change) == ("If you had it:", line)
    run("condition", path, "prone")
    head, heading, change, *_text = run("explain", path, "prone").out.splitlines()
    assert (head, heading, change) == ("Prone: now", "It changes:", line)
    found = run("explain", path, "prone", "--json").json
    assert (found["allowed"], found["reasons"], found["changes"]) == (None, [], [line.strip()])


def test_what_nobody_can_have_is_explained_by_its_text_alone(run, tmp_path):
    path = make(tmp_path)
    head, first, *_more = run("explain", path, "rule/golden-rules").out.splitlines()
    assert head == "Golden Rules (Rule)"
    assert first.strip() == "- Rule Zero: the GM has the last word."
    assert "no choice offers it" not in run("explain", path, "keyword/action").out


HOUSE = """\
patches:
  - at: [ruleset, units, character, values, grit]
    set: {formula: 1}
    why: Everyone starts lucky.
  - {at: system/cautious, set: {slots: 1}, why: Nobody took it.}
  - {at: role/the-captain, add: {grants: [equipment/standard-pistol]}, why: To shoot with.}
"""


def test_the_pack_that_changed_a_value_or_an_entry_is_named(run, tmp_path, packs_home):
    """The book gives no Grit. The Captain's new pistol changes none of the figures of a Captain."""
    install(write_pack(tmp_path / "house", HOUSE, "capital"))
    rules = load("capital", ["house"])
    spec = CharacterSpec(rules, "7", "Nix", 1, answers={"role": "role/the-captain"})
    file = tmp_path / "nix.json"
    file.write_text(to_text(create_character(spec, RandomAnswers("7"))), "utf-8")
    assert run("explain", file, "grit").out.splitlines()[2:] == [
        "  Changed by House: Everyone starts lucky."
    ]
    assert "House" not in run("explain", file, "max_hp").out
    assert "Changed by House: To shoot with." in run("explain", file, "role/the-captain").out
    show = ("catalog", "show", "capital:system/cautious")
    assert "Changed by House: Nobody took it." in run(*show, "--pack", "house").out
    assert "Changed by" not in run(*show).out
