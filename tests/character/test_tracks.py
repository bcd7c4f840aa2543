"""Tracks: the step that a resource is on, and its effects.

The reef's track of chill: 0 Warm, 1 Shivering (nerve -1), 2 Numb (nerve -2, reach at most 1); the
resource itself goes from -1 to 3.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from charforge.character import state_changes
from charforge.character.state import CHARACTER, State
from charforge.expressions.formula import FunctionScope
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.loading.loader import load_folder
from charforge.rules.models import Track, TrackStep
from charforge.rules.ruleset import Ruleset
from charforge.verbs import manual_changes, play as playing
from charforge.verbs.unit_status import unit_status
from tests.conftest import TOY

Diver = Callable[..., LoadedCharacter]


def chilled(opened: LoadedCharacter, by: int) -> State:
    return state_changes.change_resource(opened.character.state, CHARACTER, "chill", by)[0]


@pytest.mark.parametrize(
    ("chill", "step", "nerve", "reach"),
    [(-1, "Warm", 5, 10), (0, "Warm", 5, 10), (1, "Shivering", 4, 10), (2, "Numb", 3, 1),
     (3, "Numb", 3, 1)],
)  # fmt: skip
def test_what_a_step_changes_holds_while_one_stands_there(
    diver: Diver, chill: int, step: str, nerve: int, reach: int
) -> None:
    values = chilled(diver(nerve=5), chill).values()
    told = values.ruleset.figure_text("chill", values.base("chill"))
    assert told == f"{chill} ({step})".replace("-", "−")
    assert (values.total("nerve"), values.total("reach")) == (nerve, reach)
    assert (values.base("nerve"), values.base("reach")) == (5, 10)


def test_its_source_is_the_step(diver: Diver, reef: Ruleset) -> None:
    last = chilled(diver(nerve=5), 2).values().explain("nerve").steps[-1]
    assert (last.source, last.amount, last.lasting) == ("chill.numb", -2, False)
    track, step = reef.track_steps[last.source]
    assert (track.label, step.label) == ("How cold you are", "Numb")


@given(st.integers(1, 6), st.integers(-3, 3), st.integers(-9, 9))
def test_one_stands_on_one_step_at_any_figure(steps: int, lowest: int, figure: int) -> None:
    made = tuple(TrackStep(id=f"s{n}", label=f"S{n}") for n in range(steps))
    track = Track(id="t", label="T", value="v", lowest=lowest, steps=made)
    held = [
        step
        for step, when in track.conditions()
        if when.evaluate(FunctionScope({"v": figure}.__getitem__))
    ]
    assert held == [track.step(figure)]


# ------------------------------------------------------------------ said


def test_what_changes_it_says_the_step(diver: Diver) -> None:
    opened = diver(nerve=1)
    said = playing.TypedInputs({"waves": "1", "check.fin": "1", "check.wave": "2"})
    done = playing.use_named(opened, "dive", typed=said)
    assert [step.text for step in done.steps] == [
        "Your dive: Fin 1 against Wave 1: 1 Weed",
        "Chill +1 → 1 (Shivering)",
    ]
    assert unit_status(done.after.character.state).line == "Breath 5/5 · Chill 1 (Shivering)"
    spent = manual_changes.spend_resource(done.after, "chill", 1)
    assert [step.text for step in spent.steps] == ["Chill −1 → 0 (Warm)"]


def test_a_derived_condition_that_compares_a_score_with_its_full_figure_counts(
    tmp_path: Path,
) -> None:
    """A guard with Brawn 2 of 2 is well; with 1 of 2 Hurt, which lowers Wits by 1."""
    folder = Path(shutil.copytree(TOY.with_name("watch"), tmp_path / "watch"))
    page = folder / "things.yaml"
    text = page.read_text("utf-8")
    hurt = (
        "entities:\n  - {id: rule/hurt, name: Hurt, source: Rules, condition: {},"
        " active_when: brawn < full.brawn, modifies: [{value: wits, amount: -1}]}\n"
    )
    page.write_text(text.replace("entities:\n", hurt, 1), "utf-8")
    state = CharacterSpec(load_folder(folder), "1", "Hob", answers={"brawn": 0}).replay().state
    assert state.values().total("wits") == 1
    lower = state_changes.change_resource(state, CHARACTER, "brawn", -1)[0]
    assert [one.entity.id for one in lower.active_conditions(CHARACTER)] == ["rule/hurt"]
    assert lower.values().total("wits") == 0
