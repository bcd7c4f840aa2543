"""Random characters, fields of powers, and old files. What creation makes is in samples."""

from __future__ import annotations

import json
import re

import pytest
import yaml

from charforge.answers.automatic import RandomAnswers
from charforge.procedures import abilities, use
from charforge.procedures.context import RunSettings
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.decision_walk import RecordedDice
from charforge.replay.loaded_character import replay_document
from charforge.usecases.create import create_character
from tests.narrative_dice.conftest import ANSWERS
from tests.samples import few

POINTS = ("brawn", "vitality", "agility", "intellect", "wisdom", "presence")


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
