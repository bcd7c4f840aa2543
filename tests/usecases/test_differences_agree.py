"""What commands say about the same change is the same: each line before and after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character.state import CHARACTER
from charforge.cli.changes import print_level_changes
from charforge.describe.differences import (
    change_text,
    difference_lines,
    differences,
    state_differences,
)
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.usecases.edit import draft_answer, preview_edit, try_edit
from charforge.usecases.level_up import LevelUp, level_up_character
from charforge.usecases.preview import compare_characters
from charforge.verbs.change import commit_change, try_change
from tests.samples import law

SEEDS = st.integers(0, 10_000).map(str)
MODIFIER = re.compile(r" \([+−]\d+\)")  # previews show it beside the score


def created(rules: Ruleset, seed: str) -> LoadedCharacter:
    spec = CharacterSpec(rules, seed, "Nix")
    return replay_document(create_character(spec, RandomAnswers(seed)), rules)


def said(before: LoadedCharacter, after: LoadedCharacter, *topics: str) -> list[str]:
    """Return the lines of ``diff`` on some topics."""
    found = differences(before.character, after.character, choices=False)
    return difference_lines((d for d in found if d.topic in topics), before.ruleset)


def previewed(before: LoadedCharacter, after: LoadedCharacter) -> Iterator[str]:
    """Yield what a preview, as in ``advise``, says of values that ``diff`` compares, too."""
    labels = {value.label for value in before.ruleset.values.values()}
    units = {unit.name for unit in before.character.state.units}
    for change in compare_characters(before.character, after.character).changes:
        both = change.old is not None and change.new is not None  # else the sheet hides one
        if both and change.label in labels and change.unit in units:
            owner = f"{change.unit}: " if change.unit else ""
            yield MODIFIER.sub("", owner + change_text(change))


@law(12, few=3)
@given(seed=SEEDS)
def test_level_up_and_diff_and_previews_say_the_same(rules: Ruleset, seed: str) -> None:
    advancement = rules.head.advancement
    if advancement.maximum < 2 or advancement.requires or advancement.costs:
        return
    before = created(rules, seed)
    after = level_up_character(before, 2, {}, RandomAnswers(seed))
    output = StringIO()
    with redirect_stdout(output):
        print_level_changes(before, after, Path("nix.json"))
    _head, *printed = output.getvalue().splitlines()
    topics = ("name", "value", "holding", "unit", "condition")
    assert [line.strip() for line in printed] == said(before, after, *topics)
    shown = list(previewed(before, after))
    assert set(shown) <= set(said(before, after, "value"))
    assert len(shown) == len(set(shown))


@law(12, few=3)
@given(seed=SEEDS)
def test_what_a_level_brings_by_itself_is_announced_as_diff_says_it(
    rules: Ruleset, seed: str
) -> None:
    if rules.head.advancement.maximum < 2:
        return
    before = created(rules, seed)
    leveled = try_change(before, LevelUp(before, 2).drafts(), groups=True).character
    differing = state_differences(before.character.state, leveled.state)
    budgets = [(d.unit, d.question.list_budget) for d in leveled.open if d.section == "level.2"]
    spent = {  # said with the choice: 2 Slots to fill
        (leveled.state.unit(unit).name if unit != CHARACTER else "", name)
        for unit, budget in budgets
        if budget is not None
        for name in budget.within.names
    }
    expected = difference_lines(
        (d for d in differing if d.topic == "value" and (d.unit, d.id) not in spent), rules
    )
    announced = LevelUp(before, 2).gains()["level.2"].splitlines()
    assert [line for line in announced if "→" in line] == [f"- {line}" for line in expected]


@law(12, few=3)
@given(seed=SEEDS, data=st.data())
def test_an_edit_and_diff_and_previews_say_the_same(
    rules: Ruleset, seed: str, data: st.DataObject
) -> None:
    before = created(rules, seed)
    asked = [decision for decision in before.character.asked if not decision.settled_once]
    decision = data.draw(st.sampled_from(asked), label="decision")
    answer = RandomAnswers(f"{seed} again")(decision)
    trial = try_edit(before, [draft_answer(before, decision, answer)])
    after = commit_change(trial, tolerant=True)
    topics = ("level", "value", "holding", "unit", "condition", "text")
    edited = difference_lines(preview_edit(trial).differences, rules)
    assert edited == said(before, after, *topics)
    assert set(previewed(before, after)) <= set(said(before, after, "value"))
