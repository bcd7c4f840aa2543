"""Numbers that are not added to dice, printed as players say them: 64 %, 6 dice, d8."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
import yaml
from hypothesis import given, strategies as st
from pydantic import ValidationError
from rich.console import Console

from charforge.cli.terminal.sheet import draw
from charforge.export import foundry, roll20, text_formats
from charforge.expressions.dice import parse_dice, tens_and_ones
from charforge.language import set_language
from charforge.odds.liveness import is_flag
from charforge.packs import install
from charforge.procedures.inputs import RolledDice
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.models import CheckSpec, Computed, LookUp, Modifier, RollWay
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.phrases import plain
from charforge.sheet.print_options import Layout, PrintOptions
from charforge.sheet.trackers import page_trackers
from charforge.sheet.values import way_check
from charforge.sheet.view import Attribute, Check, RowTick
from charforge.usecases.create import create_character
from charforge.verbs.inventory import hold_items
from charforge.verbs.manual_changes import change_condition
from charforge.verbs.odds import find_odds_subject
from charforge.verbs.play import roll_check, use_named
from charforge.verbs.typed_inputs import TypedInputs

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TEXTS = ("text", "markdown", "statblock", "discord")


def sample(game: str, name: str) -> LoadedCharacter:
    rules = install.load_checked(EXAMPLES / game).ruleset
    text = (EXAMPLES / game / "tests" / f"{name}.yaml").read_text(encoding="utf-8")
    spec = CharacterSpec(rules, "7", "Nix", answers=yaml.safe_load(text)["answers"])
    return load_document(create_character(spec), Path("nix.json"), rules)


@pytest.fixture(scope="module")
def constable() -> LoadedCharacter:
    return sample("drowned-bell", "constable")


@pytest.fixture(scope="module")
def hunter() -> LoadedCharacter:
    return sample("cold-light", "hunter")


@pytest.fixture
def german() -> Iterator[None]:
    set_language("de")
    yield
    set_language("en")


def written(opened: LoadedCharacter, format: str) -> str:
    text = text_formats.write(format, opened.character, ())
    return re.sub(r"\s+", " ", text).replace("**", "").replace("\\", "")


@pytest.mark.parametrize("format", TEXTS)
def test_a_skill_is_a_target_with_its_levels_and_printed_once(constable, format):
    text = written(constable, format)
    assert text.count("35 %, extreme 14 %") == 2  # the skill, and the revolver
    assert len(re.findall(r"Talk\W+40 %", text)) == 1
    assert "+70" not in text


@pytest.mark.parametrize("format", TEXTS)
def test_a_resource_that_is_rolled_under_has_its_unit(constable, format):
    nerve = constable.character.state.values().total("nerve")
    assert re.search(rf"Nerve\W+{nerve} %", written(constable, format))


def test_a_number_of_dice_below_1_is_no_dice():
    score = Attribute("wits", "WITS", "Wits", 0, 0, False, unit="dice", without_dice="no dice")
    assert (score.number, score.printed(2)) == ("no dice", "2\N{NO-BREAK SPACE}dice")
    assert RollWay(id="a", how="pool", dice="1d6", counts=(6,)).number_text(0) == "no dice"
    assert RollWay(id="a", how="under", dice="1d100", unit="%").without_dice == ""


@pytest.mark.parametrize("format", TEXTS)
def test_a_pool_is_so_many_dice_and_a_step_is_its_die(hunter, format):
    text = written(hunter, format)
    assert "10 dice" in text  # Shoot 8, and 2 of the rifle
    assert re.search(r"Luck( die)?\W+d6", text)
    assert "+10" not in text


@pytest.mark.usefixtures("german")
def test_dice_are_german_on_a_german_sheet(hunter):
    text = written(hunter, "text")
    assert "Shoot 8 Würfel" in text
    assert "Luck W6" in text


def live(opened: LoadedCharacter) -> str:
    found = opened.character
    page = render_html(build(found), play=page_trackers(found, "id", []))
    return page.replace("\N{NO-BREAK SPACE}", " ").replace("&nbsp;", " ")


def test_a_page_rolls_against_a_target_and_counts_a_pool(constable, hunter):
    page = live(constable)
    assert 'data-dice="1d100" data-bonus="0"' in page
    assert 'data-against="70 %, hard 35 %, extreme 14 %"' in page
    page = live(hunter)
    assert re.search(r'data-dice="10d6" data-bonus="0"[^>]* data-counts="6"', page)


def test_tabletops_roll_under_and_do_not_add_up_a_pool(constable, hunter):
    exported = roll20.write(constable.character)
    assert "[[1d100]]" in exported
    assert "hard 35 %" in plain(exported).replace("&#37;", "%")
    for module in (roll20, foundry):
        text = plain(module.write(hunter.character))
        assert "10 dice" in text
        assert "8d6 (count 6)" in text
        assert "[[8d6" not in text


@pytest.mark.parametrize(
    ("check", "number"),
    [
        (Check("2d6", 0), "+0"),  # dice are the number of a step alone
        (way_check(RollWay(id="a", how="under", dice="1d100", unit="%"), 64), "64\u00a0%"),
        (way_check(RollWay(id="a", how="pool", dice="1d6", counts=(6,)), 4), "4d6"),
        (way_check(RollWay(id="a", how="step"), 8), "1d8"),
    ],
)
def test_a_check_says_the_number_that_it_is_known_by(check: Check, number: str) -> None:
    assert check.number_text == number


def test_odds_name_the_target(constable):
    assert plain(find_odds_subject(constable, "guns").label) == (
        "Check: Guns 70 %, hard 35 %, extreme 14 %"
    )


def test_a_terminal_shows_the_levels_of_an_attack_in_one_line(constable):
    text = StringIO()
    draw(constable.character, Console(file=text, width=80))
    line = next(one for one in plain(text.getvalue()).splitlines() if "Revolver" in one)
    assert "70 %, hard 35 %, extreme 14 %" in line


@pytest.mark.usefixtures("german")
def test_a_long_roll_leaves_room_for_the_damage_in_the_terminal(constable):
    text = StringIO()
    draw(constable.character, Console(file=text, width=80))
    lines = text.getvalue().splitlines()
    heading = next(one for one in lines if "Reichweite" in one)
    assert heading.split() == ["Reichweite", "Wurf", "Schaden"]
    row = next(one for one in lines if "Revolver" in one)
    assert re.search(r"\dW\d+( [+] \d)?$", row.rstrip())


SKILL = {
    "id": "skill", "how": "under", "dice": "1d100", "unit": "%", "always": 1, "never": 96,
    "targets": [{"label": "hard", "formula": "half_down(number)"}],
}  # fmt: skip


@given(number=st.integers(-20, 140), rolled=st.integers(1, 100))
def test_the_level_of_success(number: int, rolled: int) -> None:
    """No higher roll is better; 1 always succeeds, 96 and more never do."""
    way = RollWay.model_validate(SKILL)
    level = way.level(number, rolled)
    assert (level > 0) == ((rolled <= number or rolled == 1) and rolled < 96)
    assert (level == 2) == (level > 0 and rolled <= number // 2)
    assert rolled == 100 or way.level(number, rolled + 1) <= level


@given(st.integers(1, 100))
def test_a_percentile_die_is_tens_and_ones(face: int) -> None:
    """60 and 3 are 63, 00 and 0 are 100; the other dice of the same roll stay."""
    percentile, pair = parse_dice("1d100"), (face // 10 % 10 * 10, face % 10)
    assert tens_and_ones(percentile, pair) == face
    typed = RolledDice({"die": (*pair, 88)})
    assert [typed.take("die", "", percentile), typed.take("die", "", percentile)] == [[face], [88]]
    for dice in ("2d100", "1d20", "1d10"):
        assert not tens_and_ones(parse_dice(dice), pair)


@pytest.mark.parametrize(
    ("way", "message"),
    [
        ({"how": "under"}, "need 'dice'"),
        ({"how": "step", "dice": "1d6"}, "'step' has none"),
        ({"how": "pool", "dice": "1d6"}, "'counts' belongs to 'pool'"),
        ({"how": "pool", "dice": "1d6", "counts": [6], "always": 1}, "belong to 'under'"),
        (
            {"how": "under", "dice": "1d100", "always": 2, "never": 1},
            "a roll of 1 cannot both always succeed and never succeed",
        ),
    ],
)
def test_what_is_no_way_to_roll(way, message):
    with pytest.raises(ValidationError, match=message):
        RollWay.model_validate({"id": "odd", **way})


def test_a_check_has_dice_or_a_way_to_roll():
    for both in ({}, {"dice": "2d6", "roll": "skill"}):
        with pytest.raises(ValidationError, match="set either 'dice'"):
            CheckSpec.model_validate({"value": "guns", **both})


def test_attacks_gain_dice(tmp_path):
    """A rope that gives the rifle 1d6 + 1 more: on the sheet and in play."""
    folder = shutil.copytree(EXAMPLES / "cold-light", tmp_path / "cold-light")
    things = folder / "rules.yaml"
    rope = "{id: tool/rope, name: Rope, source: Tools, dice: 1}"
    change = "[{attacks: damage, dice: 1d6, amount: 1, of: {ids: [tool/rifle]}}]"
    assert rope in things.read_text("utf-8")
    better = rope.replace("dice: 1}", f"dice: 1, modifies: {change}}}")
    things.write_text(things.read_text("utf-8").replace(rope, better), "utf-8")
    shutil.rmtree(folder / "tests")
    rules = install.load_checked(folder).ruleset
    answers = {
        "points": {"body": 1, "hands": 3, "head": 0},
        "post": "post/hunter",
        "left": "Nobody",
    }
    spec = CharacterSpec(rules, "7", "Nix", answers=answers)
    opened = load_document(create_character(spec), Path("nix.json"), rules)
    view = build(opened.character)
    assert plain(view.weapons[0].shared.damage) == "1d6 + 3"
    opened = hold_items(opened, ["rifle"]).after
    result = use_named(opened, "rifle", typed=TypedInputs({}, {"own": [6] * 10, "dealt": [4]}))
    assert result.outputs["dealt"] == 4 + 3 + 9


def test_a_pool_of_skill_and_attribute_is_rolled_as_printed(tmp_path: Path) -> None:
    """HAUL 1 with BODY 3, as the modifier of the skill: all roll 4 dice, an attack 2 more."""
    folder = Path(shutil.copytree(EXAMPLES / "cold-light", tmp_path / "cold-light"))
    shutil.rmtree(folder / "tests")
    for name, changes in {
        "ruleset.yaml": {
            "name: Haul, group: skills}": "name: Haul, group: skills, modifier: haul_dice}\n"
            "  - {id: haul_dice, label: Haul dice, name: Haul dice}",
            "haul: {formula: body, temporary: true, source": "haul_dice: {formula: body + haul}\n"
            "      haul: {formula: 1, source",
            '{roll: pool, value: "group:skills"}': "{roll: pool, value: [haul_dice, fight]}",
        },
        "rules.yaml": {
            "value: $skill, quiet": "value: $skill, modifier: true, quiet",
            "value: $hit, quiet": "value: $hit, modifier: true, quiet",
            "hit: shoot": "hit: haul",
        },
    }.items():
        text = (folder / name).read_text("utf-8")
        for old, new in changes.items():
            assert text.count(old) == 1
            text = text.replace(old, new)
        (folder / name).write_text(text, "utf-8")
    rules = install.load_checked(folder).ruleset
    answers = {"points": {"body": 1, "hands": 3, "head": 0}, "post": "post/hunter", "left": "Bo"}
    spec = CharacterSpec(rules, "7", "Nix", answers=answers)
    opened = load_document(create_character(spec), Path("nix.json"), rules)
    rows = {row.name: row for one in build(opened.character).lists for row in one.rows}
    assert plain(rows["Haul"].cells[0].text) == "1 (4 dice)"
    assert rows["Haul"].check == Check("4d6", 0, "pool", "", (6,))
    rifle = build(opened.character).weapons[0].shared
    assert plain(rifle.roll) == "6 dice"  # its own 2 as well
    assert plain(rifle.made_of) == "Haul 4 + 2"
    assert plain(find_odds_subject(opened, "haul").label) == "Check: Haul 4 dice"
    assert is_flag(rules, rules.procedure("check"), "pushed")
    rolled = roll_check(opened, "haul", typed=TypedInputs({"pushed": "no"}, {"own": [6, 1, 2, 3]}))
    assert rolled.outputs["success"] == 1


def test_a_rule_reads_the_modifier_of_a_value_only() -> None:
    with pytest.raises(ValidationError, match="'modifier' is only for a value"):
        LookUp.model_validate(
            {"do": "look_up", "id": "n", "condition": "state/cold", "modifier": True}
        )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"value": "guns", "amount": 1, "dice": "1d6"}, "only for the damage of attacks"),
        ({"attacks": "roll", "dice": "1d6"}, "only for the damage of attacks"),
        ({"attacks": "damage"}, "a change needs an 'amount'"),
        ({"value": "guns"}, "a change needs an 'amount'"),
    ],
)
def test_what_no_change_is(line, message):
    with pytest.raises(ValidationError, match=message):
        Modifier.model_validate(line)


def test_what_a_condition_takes_from_an_attribute_it_takes_from_its_pools(
    hunter: LoadedCharacter,
) -> None:
    """HANDS 5, Shoot 5 + 3: numb, 7 dice on the sheet, in explain, odds and play."""
    opened = change_condition(hunter, "numb").after
    values = opened.character.state.values()
    assert (values.base("shoot"), values.total("shoot"), values.total("haul")) == (8, 7, 3)
    step = values.explain("shoot").steps[-1]
    assert (step.amount, step.lasting) == (-1, False)
    rows = {row.name: row for one in build(opened.character).lists for row in one.rows}
    assert plain(rows["Shoot"].cells[0].text) == "7 dice"
    assert plain(find_odds_subject(opened, "shoot").label) == "Check: Shoot 7 dice"
    faces = {"own": [2, 2, 2, 2, 2, 2, 6]}
    rolled = roll_check(opened, "shoot", typed=TypedInputs({"pushed": "no"}, faces))
    assert rolled.outputs["sixes"] == 1


@pytest.mark.parametrize("layout", ["full", "short"])
def test_a_skill_that_rules_can_tick_has_a_box(constable: LoadedCharacter, layout: Layout) -> None:
    ticked = roll_check(constable, "guns", typed=TypedInputs({}, {"die": [14]})).after
    skills = build(ticked.character).lists[0]
    on = {row.name: row.tick.on for row in skills.rows if row.tick is not None}
    assert (len(on), [name for name, is_on in on.items() if is_on]) == (7, ["Guns"])
    assert skills.ticks == "Ticked"
    page = render_html(build(ticked.character), PrintOptions(layout))
    assert "Ticked (Guns)" not in re.sub(r"<[^>]+>", "", page), "it is no condition elsewhere"
    assert build(constable.character).lists[0].rows[2].tick == RowTick("Ticked", "Ticked (Guns)")


def test_a_formula_that_follows_temporary_changes_is_one_and_no_resource() -> None:
    for wrong in ({}, {"formula": "body", "resource": True}):
        with pytest.raises(ValidationError, match="'temporary' is for a 'formula'"):
            Computed.model_validate({**wrong, "temporary": True})
