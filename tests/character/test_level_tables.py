"""Tables by level of what a character has: values, gains, and what explains them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

from hypothesis import given, strategies as st
from rich.console import Console

from charforge.answers.automatic import RandomAnswers
from charforge.character.state_data import AmountRow
from charforge.cli.terminal.rules import show_entity
from charforge.describe.entities import entity_paragraphs
from charforge.export.show_json import entity_json
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.ruleset import Ruleset
from charforge.usecases.level_up import level_up_character

Climber = Callable[..., LoadedCharacter]
FEATS = ("second-wind", "shield-wall", "parry", "cleave", "mighty")
SPELLS = {"level.2.spell": "spell/spark", "level.3.spell": "spell/veil"}


def held(loaded: LoadedCharacter) -> list[str]:
    return [h.entity.id for h in loaded.character.state.holdings if h.entity.kind == "feat"]


def test_each_level_brings_its_row(climber: Climber) -> None:
    loaded, skills = climber(), []
    for level in range(1, 6):
        if level > 1:
            answers = {"calling.parry.hand": "left"} if level == 2 else {}
            loaded = level_up_character(loaded, level, answers)
        skills.append(loaded.character.state.values().total("skill"))
    assert skills == [2, 2, 3, 3, 4]
    assert held(loaded) == [f"feat/{name}" for name in FEATS]


def test_an_explanation_names_the_row(climber: Climber) -> None:
    (_start, row) = (
        climber("mage", level=3, **SPELLS).character.state.values().explain("skill").steps
    )
    assert (row.source, row.op, row.total) == ("calling/mage", "set", 3)
    assert row.note == (AmountRow("level", 3),)


def test_the_catalog_prints_the_table(tower: Ruleset) -> None:
    console = Console(file=io.StringIO(), width=90)
    fighter = tower.entity("calling/fighter")
    show_entity(fighter, tower, console)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert re.search(r"Level +Skill\s*\n +1 +2 +Second Wind, Shield Wall", printed)
    assert re.search(r" 4 +3 +Cleave, Mighty", printed)
    assert "**Feats:** Second Wind, Shield Wall, Parry (Level 2), Cleave (Level 4)" in "".join(
        entity_paragraphs(fighter, tower)
    )
    grants = entity_json(fighter, tower).model_dump()["grants"]
    assert [(grant["id"], grant["level"]) for grant in grants][-3:] == [
        ("feat/parry", 2),
        ("feat/cleave", 4),
        ("feat/mighty", 4),
    ]


def test_another_table_adds_by_a_value(climber: Climber) -> None:
    weak, gifted = (
        climber("mage", scores={"brawn": b, "grace": g}).character.state.values().base("max_spells")
        for b, g in ((15, 8), (8, 15))
    )
    assert (weak, gifted) == (2, 4)


@given(seed=st.integers(0, 99), level=st.integers(1, 5))
def test_at_a_level_everything_up_to_its_row_is_held(tower: Ruleset, seed: int, level: int) -> None:
    new = CharacterSpec(tower, str(seed), "Ama", level).replay(RandomAnswers(str(seed))).state
    fighter = "calling/fighter" in {holding.entity.id for holding in new.holdings}
    table = tower.entity("calling/fighter" if fighter else "calling/mage").tables[0]
    assert new.values().total("skill") == int(table.cell(level, 0).text)
    gained = {grant.id for row in range(1, level + 1) for grant in table.granted_at(row)}
    assert {h.entity.id for h in new.holdings if h.entity.kind == "feat"} == gained
