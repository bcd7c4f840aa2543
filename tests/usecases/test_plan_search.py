"""Wanted plans: the fewest choices, as plain enumeration finds them, or the reasons against."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.decisions.choose import ChooseDecision
from charforge.errors import RuleRefusal, UnknownId, UsageError
from charforge.packs import install
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load_folder
from charforge.usecases.create import create_character
from charforge.usecases.level_up import PlannedAnswers
from charforge.usecases.plan import (
    as_planned,
    change_plan,
    draft_future_advances,
    find_plan,
    find_wanted,
    lowest_rolls,
    planned_choices,
)
from charforge.verbs.change import try_change
from tests.capital.conftest import Maker
from tests.conftest import TOWER
from tests.source import EXAMPLES

KNACKS = ("strong-back", "ox", "sharp-eye", "kennel", "fixed-idea", "hook-hand", "second-wind")


KIND = "  - {id: path, label: Path, plural: Paths}\n"
PATH = """\
    - {id: path, do: choose, label: Which path?, when: level < 4, among: {kind: path}}
"""
PATHS = """\
entities:
  - {id: path/high, name: High Path, source: Paths}
  - id: path/low
    name: Low Path
    source: Paths
    tables: [{id: low, columns: [grants], rows: {1: [GRANTED]}}]
  - {id: path/end, name: End, source: Paths, requires: {has: vow/altitude}}
  - {id: vow/altitude, name: Altitude, source: Vows, alias_of: vow/height}
"""


@pytest.fixture(scope="module")
def scout(capital) -> LoadedCharacter:
    return Maker(capital)("the-scout", 1).opened


def all_plans(opened: LoadedCharacter, by: int, picks: int) -> Iterator[dict[str, list[str]]]:
    """Yield every way to pick so many options, of whatever the later levels ask."""
    drafts = draft_future_advances(opened, by)
    source = leave_out_optional(lowest_rolls())
    asked = try_change(opened, drafts, source=source, groups=True).character.asked
    choices = [
        (decision.id, str(option))
        for decision in asked
        if isinstance(decision, ChooseDecision) and decision.id not in opened.document.answers
        for option in decision.options_by_id
    ]
    for chosen in itertools.permutations(choices, picks):
        answers: dict[str, list[str]] = {}
        for decision, option in chosen:
            answers.setdefault(decision, []).append(option)
        yield answers


def leads_to(opened: LoadedCharacter, by: int, answers: dict[str, list[str]], wanted: set[str]):
    """Whether a plan is legal and gives everything that is wanted."""
    source = PlannedAnswers(answers, leave_out_optional(lowest_rolls()))
    drafts = draft_future_advances(opened, by)
    character = try_change(opened, drafts, source=source, groups=True).character
    held = {holding.entity.id for holding in character.state.holdings}
    return not source.refused and wanted <= held


def fewest(opened: LoadedCharacter, by: int, wanted: set[str], most: int = 3) -> int | None:
    """Return the fewest picks that lead there, by trying all of them."""
    for picks in range(most + 1):
        if any(leads_to(opened, by, plan, wanted) for plan in all_plans(opened, by, picks)):
            return picks
    return None


WANTED = [*((name,) for name in KNACKS), *itertools.combinations(KNACKS[:3], 2)]


@pytest.mark.slow
@pytest.mark.parametrize(("names", "by"), [*zip(WANTED, itertools.cycle((2, 3)))])
def test_the_plan_is_as_short_as_plain_enumeration_finds(dockhand, names, by):
    """Each knack and three pairs of them, by one or by two levels in turn."""
    opened = dockhand()
    entities = [opened.ruleset.entities[f"knack/{name}"] for name in names]
    expected = fewest(opened, by, {entity.id for entity in entities})
    try:
        found = len(find_plan(opened, entities, by).picks)
    except RuleRefusal:
        found = None
    assert found == expected


def test_what_is_required_is_planned_before(dockhand):
    opened = dockhand()
    wanted = [opened.ruleset.entities["knack/ox"]]
    plan = find_plan(opened, wanted, 4)
    assert [option for _decision, option in plan.picks] == ["knack/strong-back", "knack/ox"]
    after = change_plan(opened, plan.answers)
    assert all(not choice.reasons for choice in planned_choices(after))
    held = {h.entity.id for h in as_planned(after).character.state.holdings}
    assert "knack/ox" in held  # it replaces Strong Back


def test_a_plan_that_exists_is_kept(scout):
    former = change_plan(scout, {"level.2.systems": ["system/move-carefully"]})
    found = find_plan(former, [find_wanted(former, "charge")], 4)
    assert "system/move-carefully" in found.answers["level.2.systems"]
    assert not found.replaces_former


def test_a_plan_in_the_way_is_replaced(scout):
    """Two Slots at Level 2: two Systems of 1 leave no room for Charge, which takes 2."""
    former = change_plan(scout, {"level.2.systems": ["system/move-carefully", "system/generous"]})
    found = find_plan(former, [find_wanted(former, "charge")], 2)
    assert found.replaces_former
    assert found.answers == {"level.2.systems": ["system/charge"]}


def test_an_impossible_plan_has_the_reasons_of_each(capital):
    healer = Maker(capital)("the-healer", 1).opened
    wanted = [capital.entities["system/focus-ii"], capital.entities["system/charge"]]
    with pytest.raises(RuleRefusal) as refused:
        find_plan(healer, wanted, 6)
    assert "Focus II: requires Focus I; Focus I: Focus I comes with The Scout" in str(refused.value)
    assert "Charge" not in str(refused.value)


def test_two_that_exclude_each_other_are_both_named(scout):
    """Level 2 has 2 Slots, and each of these takes 2; a third one is not "both"."""
    wanted = [find_wanted(scout, name) for name in ("charge", "healthy", "quick")]
    with pytest.raises(RuleRefusal) as refused:
        find_plan(scout, wanted[:2], 2)
    assert str(refused.value) == (
        "Charge and Healthy: each is possible by Level 2, but not both of them. "
        "They need 4 Slots; 2 will be free"
    )
    with pytest.raises(RuleRefusal, match=r"all of them\. They need 6 Slots; 2 will"):
        find_plan(scout, wanted, 2)


def test_only_what_later_levels_offer_can_be_wanted(scout):
    with pytest.raises(UnknownId):
        find_wanted(scout, "The Tank")


def test_a_planned_level_needs_a_plan_or_a_level(scout):
    with pytest.raises(UsageError, match="has no plan for a later level"):
        as_planned(scout)
    assert as_planned(scout, 3).character.state.level == 3


@pytest.mark.parametrize("granted", ["vow/height", "vow/altitude"])
def test_what_a_table_of_an_option_grants_can_be_wanted(tmp_path, granted):
    """The Low Path gives Height by its table, at any level; Altitude is another name for it."""
    folder = Path(shutil.copytree(TOWER, tmp_path / "tower"))
    head = folder / "ruleset.yaml"
    text = head.read_text("utf-8").replace("kinds:\n", "kinds:\n" + KIND, 1)
    head.write_text(text.replace("  asks:\n", "  asks:\n" + PATH, 1), "utf-8")
    (folder / "paths.yaml").write_text(PATHS.replace("GRANTED", granted), "utf-8")
    rules = load_folder(folder)
    answers = {
        "scores": {"brawn": 15, "grace": 8},
        "purse": [[5] * 5],
        "vows": [],
        "calling": "calling/fighter",
    }
    climber = replay_document(
        create_character(CharacterSpec(rules, "7", "Ama", answers=answers)), rules
    )
    plan = find_plan(climber, [rules.entity("vow/height")], by=3)
    assert plan.answers == {"level.2.path": "path/low"}
    plan = find_plan(climber, [rules.entity("path/end")], by=3)
    assert plan.answers == {"level.2.path": "path/low", "level.3.path": "path/end"}
    with pytest.raises(RuleRefusal, match="Thirst: no choice of these levels offers it"):
        find_plan(climber, [rules.entity("vow/thirst")], by=3)


def test_what_is_held_already_needs_no_choice(scout):
    assert find_plan(scout, [find_wanted(scout, "focus i")], 3).picks == ()


def test_six_systems_by_the_last_level_are_found_with_few_trials(scout):
    """Each further pick was once tried at every level: five wants were too many."""
    names = ("charge", "opportunist", "healthy", "urgency", "quick", "pep talk")
    wanted = [find_wanted(scout, name) for name in names]
    tried: list[int] = []
    found = find_plan(scout, wanted, progress=tried.append)
    assert {option for _decision, option in found.picks} == {entity.id for entity in wanted}
    assert max(tried) < 60
    planned = change_plan(scout, found.answers)
    assert all(choice.reasons == () for choice in planned_choices(planned))


def test_a_choice_that_an_advance_opens_is_planned_with_it():
    """The Night Post: two of its advances open the choice of a further move."""
    rules = install.load_checked(EXAMPLES / "night-post").ruleset
    spec = CharacterSpec(rules, "7", "Wick", answers={"playbook": "playbook/candle"})
    wick = replay_document(create_character(spec, RandomAnswers("7")), rules)
    held = {holding.entity.id for holding in wick.character.state.holdings}
    moves = [e for e in rules.of_kind("move") if e.own["playbook"] == "playbook/candle"]
    wanted = next(move for move in moves if move.id not in held)
    found = find_plan(wick, [find_wanted(wick, wanted.name)])
    advance, move = (option for _decision, option in found.picks)
    assert advance in ("advance/own-move", "advance/other-move")
    assert move == wanted.id


def test_only_what_can_be_chosen_is_suggested(scout):
    """A backpack is held, and no later level offers one."""
    with pytest.raises(UnknownId) as unknown:
        find_wanted(scout, "bakpack")
    assert unknown.value.nearest == ""
    assert find_wanted(scout, "backpack").id == "equipment/backpack"
