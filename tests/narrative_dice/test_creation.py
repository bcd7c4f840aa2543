"""Creation: points, typed values, random characters and answers files."""

from __future__ import annotations

import json
import re

import pytest
import yaml

from charforge.answers.automatic import RandomAnswers
from charforge.character.state import CHARACTER, FixedModifier
from charforge.errors import CharforgeError
from charforge.procedures import abilities, use
from charforge.procedures.context import RunSettings
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.decision_walk import RecordedDice
from charforge.replay.loaded_character import replay_document
from charforge.usecases.create import create_character
from tests.narrative_dice.conftest import ANSWERS
from tests.samples import few

POINTS = ("brawn", "vitality", "agility", "intellect", "wisdom", "presence")


def points(*numbers):
    """Return the points of each ability."""
    return dict(zip(POINTS, numbers, strict=True))


@pytest.mark.parametrize(
    ("given", "scores"),
    [((2, 2, 0, 0, 0, 0), (3, 3, 1, 1, 1, 1)), ((1, 0, 1, 0, 1, 1), (2, 1, 2, 1, 2, 2))],
)
def test_four_points_on_abilities_of_one(sit, given, scores):
    table = sit({"abilities": points(*given)})
    assert tuple(table[name] for name in POINTS) == scores


@pytest.mark.parametrize("given", [(2, 1, 0, 0, 0, 0), (2, 2, 1, 0, 0, 0), (3, 1, 0, 0, 0, 0)])
def test_not_three_points_nor_five_nor_one_above_three(make, given):
    """3 in all, 5 in all, and an ability of 4."""
    with pytest.raises(CharforgeError):
        make({"abilities": points(*given)})


def test_what_a_class_gives(sit):
    """Base 7 + Vitality 2; Stamina 3 + Vitality 2; +1 to Willpower."""
    table = sit(
        {
            "abilities": points(0, 1, 0, 0, 2, 1),
            "class.starting_threshold": 7,
            "class.base_stamina": 3,
            "class.defense": "willpower",
        }
    )
    assert (table["threshold"], table["max_stamina"]) == (9, 5)
    assert (table["reflex"], table["willpower"], table["fortitude"]) == (0, 1, 0)


def test_ranks_of_defenses_add_to_that_of_the_class(sit):
    table = sit({"ranks": {"reflex": 2, "willpower": 0, "fortitude": 1}})
    assert (table["reflex"], table["willpower"], table["fortitude"]) == (3, 0, 1)


def test_everyone_has_the_six_basic_powers(table):
    names = [h.entity.name for h in table.state.holdings if "basic" in h.entity.tags]
    assert names == [
        "Basic Melee", "Basic Ranged", "Basic Retaliate", "Basic Grab", "Basic Grapple", "Steady",
    ]  # fmt: skip


def feats(number):
    """Return answers that take so many feats."""
    ids = ["own", *(f"own#{count}" for count in range(2, number + 1))]
    named = {f"feats.{name}.name": f"Feat {name}" for name in ids}
    return {"feats": ["feat/own"] * number, **named, **{f"feats.{n}.effect": "" for n in ids}}


def test_up_to_six_feats(sit):
    table = sit(feats(6))
    assert table.state.number("feat/own") == 6


def test_no_seventh_feat(make):
    with pytest.raises(CharforgeError):
        make(feats(7))


def test_an_ability_at_zero_is_death(table):
    """Presence 1, drained by 1."""
    assert table.under("dead") == 0
    drained = FixedModifier(CHARACTER, "presence", "add", -1, "event.1")
    table.state = table.state.with_changes(fixed_modifiers=(*table.state.fixed_modifiers, drained))
    assert table["presence"] == 0
    assert table.under("dead") == 1


@pytest.mark.parametrize("seed", few(range(20), 2, slow=10))
def test_random_characters_are_legal(narrative, seed):
    plan = CharacterSpec(narrative, f"seed {seed}", "Chance")
    made = create_character(plan, RandomAnswers(f"seed {seed}"))
    opened = replay_document(made, narrative)
    values = opened.character.state.values()
    assert not opened.problems
    assert sum(values.total(name) for name in POINTS) == 6 + 4
    assert max(values.total(name) for name in POINTS) <= 3


@pytest.mark.parametrize("seed", few(range(20), 2, slow=10))
def test_a_random_power_or_feat_says_what_it_does(narrative, seed):
    """The examples of one power belong together, even if another kind of power has its name."""
    answers = {"powers": ["power/own-daily", "power/own-encounter"], "feats": ["feat/own"] * 2}
    plan = CharacterSpec(narrative, f"seed {seed}", "Chance", answers=answers)
    opened = replay_document(create_character(plan, RandomAnswers(plan.seed)), narrative)
    assert not opened.problems
    state = opened.character.state
    own = [holding for holding in state.holdings if holding.entity.kind in ("power", "feat")]
    own = [holding for holding in own if holding.entity.titled]
    effects = {holding.name: state.answers[f"{holding.id}.effect"] for holding in own}
    assert len(effects) == len(set(effects.values())) == 4
    assert effects["Rallying Cry"] == "the target adds 1 Boost to its next check."
    assert "move the target" in effects["Sweeping Blow"]


def test_what_is_left_empty_is_said_in_one_line(run):
    made = run("new", "--ruleset", "narrative-dice", "--random", "--seed", "6", "-o", "a.json")
    lines = [line for line in made.err.splitlines() if "empty" in line]
    assert len(lines) == 1
    assert lines[0].startswith("  Left empty: Rallying Cry (Further type, Flavor, Keywords, ")


def test_the_level_of_a_power_is_spent_and_comes_back(sit):
    """An encounter power comes back with a short rest, a daily one with an extended rest."""
    own = {"action": "action", "range": "melee", "opportunity_cost": 1}
    answers = {"powers": ["power/own-encounter", "power/own-daily"]}
    for power, name in (("own-encounter", "Spark"), ("own-daily", "Storm")):
        answers |= {f"powers.{power}.name": name, f"powers.{power}.hit": "Everybody ducks."}
        answers |= {f"powers.{power}.{field}": answer for field, answer in own.items()}
    table = sit(answers)
    table.change("opportunity", 2)
    for name in ("Encounter power", "Daily power"):
        table.use(name)
    assert table["opportunity"] == 0
    assert len(table.state.cooldowns) == 2
    table("short-rest")
    assert [holding for holding, _key in table.state.cooldowns] == ["powers.own-daily"]
    table("extended-rest")
    assert table.state.cooldowns == ()


def test_an_encounter_power_recharges_by_itself(sit):
    """Two are used; the one whose Recharge is met comes back. A daily one has no Recharge."""
    answers = {"powers": ["power/own-encounter", "power/own-encounter", "power/own-daily"]}
    for name in ("own-encounter", "own-encounter#2", "own-daily"):
        answers[f"powers.{name}.name"] = name
    table = sit(answers)
    for ability in list(abilities.all_abilities(table.state)):
        if "own" in ability.entity.tags:
            table.state = use.use_ability(
                table.state, ability, {}, RunSettings(RecordedDice({}))
            ).state
    assert len(table.state.cooldowns) == 3
    assert table("recharge", power="powers.own-encounter#2").outputs["recovered"] == 1
    assert table("recharge", power="powers.own-daily").outputs["recovered"] == 0
    left = [holding for holding, _key in table.state.cooldowns]
    assert left == ["powers.own-encounter", "powers.own-daily"]


def test_a_power_costs_its_advantages(sit):
    answers = {
        "powers": ["power/own-at-will"],
        "powers.own-at-will.name": "Feint",
        "powers.own-at-will.action": "maneuver",
        "powers.own-at-will.range": "melee",
        "powers.own-at-will.opportunity_cost": 2,
    }
    table = sit(answers)
    table.change("opportunity", 1)
    with pytest.raises(CharforgeError, match="needs 2 Opportunity"):
        table.use("At-will power")


def test_a_later_level_raises_abilities_as_its_table_says(make):
    """The level-up table is not printed: 1 more Wisdom at level 2 is typed in."""
    opened = make({"level.2.abilities": points(0, 0, 0, 0, 1, 0)}, level=2)
    assert not opened.problems
    assert opened.character.state.values().total("wisdom") == 3


def test_a_raise_above_6_that_was_saved_counts_as_before_and_is_reported(run, tmp_path):
    """Brawn 3 and 1 at each level: 6 at level 4. Level 5 raised it for nothing, and Wisdom to 3."""
    raises = {f"level.{level}.abilities": {"brawn": 1} for level in (2, 3, 4)}
    file = {"ruleset": "narrative-dice", "name": "Ana", "level": 5, "seed": 1,
            "answers": {**ANSWERS, **raises, "level.5.abilities": {"wisdom": 1}}}  # fmt: skip
    (tmp_path / "ana.yaml").write_text(yaml.safe_dump(file), encoding="utf-8")
    assert run("new", "--answers", "ana.yaml", "--random", "-o", "ana.json").code == 0
    wasted = {"brawn": 1, "vitality": 0, "agility": 0, "intellect": 0, "wisdom": 1, "presence": 0}
    edited = run("edit", "ana.json", "level.5.abilities", "--answer", json.dumps(wasted))
    assert (edited.code, "Brawn is 6 and can be at most 6" in edited.err + edited.out) == (1, True)
    text = (tmp_path / "ana.json").read_text(encoding="utf-8")
    old = re.sub(r'("level\.5\.abilities"[^{]*\{"brawn": )0', r"\g<1>1", text, count=1)
    assert old != text
    (tmp_path / "old.json").write_text(old, encoding="utf-8")
    values = run("show", "old.json", "--json").json["values"]
    assert (values["brawn"]["total"], values["wisdom"]["total"]) == (6, 3)
    checked = run("check", "old.json")
    assert checked.code == 1
    assert "Brawn is 6 and can be at most 6" in checked.out + checked.err


def test_a_power_tells_its_fields_in_the_order_of_ruling_12(sit):
    """An empty field is left out, and so is its label."""
    fields = ["keywords", "range_specific", "trigger", "target", "attack", "check", "recharge",
              "requirement", "hit", "miss", "effect", "sustain", "special"]  # fmt: skip
    whole = {f"powers.own-at-will.{name}": f"<{name}>" for name in fields}
    own = {"powers": ["power/own-at-will"], "powers.own-at-will.name": "Feint"}
    own |= {"powers.own-at-will.target": "", "powers.own-at-will.effect": ""}
    told = _told_by_feint(sit(own | whole))
    assert [told.index(f"<{name}>") for name in fields] == sorted(
        told.index(f"<{name}>") for name in fields
    )
    assert _told_by_feint(sit(own)) == "Action: Action · Range: Melee"
    assert _told_by_feint(sit(own | {"powers.own-at-will.miss": "Half."})) == (
        "Action: Action · Range: Melee · Miss: Half."
    )


def _told_by_feint(table) -> str:
    feint = next(a for a in abilities.all_abilities(table.state) if a.name == "Feint")
    result = use.use_ability(table.state, feint, {}, RunSettings(RecordedDice({})))
    return next(step.text for step in result.steps if step.step == "say")
