"""The state, script, policy and dark colours of a page."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.events import ConditionEvent, CooldownEvent, ResourceEvent
from charforge.expressions.formula import Formula
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load_folder
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.trackers import PageTracker, PageTrackers, page_trackers
from charforge.usecases.create import create_character
from charforge.verbs.change import change_character, draft_event
from tests.samples import few

Dockhand = Callable[..., LoadedCharacter]
TERRIER = {"knacks": ["knack/kennel", "knack/second-wind"], "knacks__kennel__dog": "dog/terrier"}


def of(opened: LoadedCharacter) -> PageTrackers:
    return page_trackers(opened.character, opened.document.id, opened.document.log)


def labelled(opened: LoadedCharacter, side: int = 0) -> dict[str, PageTracker]:
    return {one.label: one for group in of(opened).units[side].groups for one in group.trackers}


# ------------------------------------------------------------------ trackers


def test_a_dockhand_has_trackers_for_all_that_changes_in_play(dockhand: Dockhand) -> None:
    """Vigour 9 of 9, luck 3, 20 coins; each action of Second Wind with a cooldown."""
    page = of(dockhand(**TERRIER))
    assert page.n == len(dockhand(**TERRIER).document.log)
    assert page.units[0].name == "Ada"
    found = labelled(dockhand(**TERRIER))
    vigour = found["Vigour"]
    assert (vigour.start, vigour.low, vigour.high, vigour.note) == (9, 0, 9, "of 9")
    assert vigour.event == {"do": "change", "value": "vigour"}
    resting = [t.event["ability"] for t in found.values() if t.event["do"] == "cooldown"]
    assert resting == ["Breathe", "Roar", "Whistle"]


def test_a_unit_has_its_own_and_says_so(dockhand: Dockhand) -> None:
    found = labelled(dockhand(**TERRIER), 1)
    assert {tracker.event["unit"] for tracker in found.values()} == {"knacks.kennel.dog"}


def test_trackers_start_where_the_character_stands(dockhand: Dockhand) -> None:
    opened = change_character(
        dockhand(**TERRIER),
        draft_event(ResourceEvent, value="vigour", by=-4),
        draft_event(CooldownEvent, holding="knacks.second-wind", ability="Roar"),
        draft_event(ConditionEvent, condition="state/bruised", amount=2),
        draft_event(ConditionEvent, condition="state/marked", about="Bo"),
    )
    found = labelled(opened)
    assert found["Vigour"].start == 5
    assert {t.event["ability"]: t.start for t in found.values() if "ability" in t.event} == {
        "Breathe": 0,
        "Roar": 1,
        "Whistle": 0,
    }
    assert (found["Bruised"].start, found["Bruised"].form) == (2, "count")
    assert found["Marked (Bo)"].event["about"] == "Bo"
    assert "Marked" not in found, "beside one that is about somebody, another cannot be told apart"


@pytest.mark.parametrize("seed", few("01234567", 2, slow=4))
def test_each_tracker_is_one_of_its_own(capital: Ruleset, seed: str) -> None:
    """No two trackers of a character change the same thing, and none has another's name."""
    made = create_character(CharacterSpec(capital, seed, "Nix", 6), RandomAnswers(seed))
    page = of(replay_document(made, capital))
    for unit in page.units:
        for group in unit.groups:
            assert len({one.label for one in group.trackers}) == len(group.trackers) > 0
        trackers = [one for group in unit.groups for one in group.trackers]
        assert all(one.low <= one.start <= (one.high or one.start) for one in trackers)
    groups = [group for unit in page.units for group in unit.groups]
    events = [tracker.event_json for group in groups for tracker in group.trackers]
    assert len(set(events)) == len(events)


# ------------------------------------------------------------------ the page


def test_the_policy_knows_the_script_and_no_other(dockhand: Dockhand) -> None:
    opened = dockhand()
    html = render_html(build(opened.character), play=of(opened))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)
    assert policy and script
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    rules = dict(part.strip().split(" ", 1) for part in policy[1].split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == f"'sha256-{digest}'"
    assert html.count("<script") == 1
    assert not re.search(r"\son[a-z]+=", html)


def test_a_sheet_for_paper_has_no_script_and_allows_none(dockhand: Dockhand) -> None:
    html = render_html(build(dockhand().character))
    assert "<script" not in html
    assert 'id="play"' not in html
    assert "script-src 'none'" in html


# ------------------------------------------------------------------ the night


@pytest.mark.parametrize("styles", [frozenset(), frozenset({"grey", "ink-saver"})])
def test_every_colour_with_a_name_has_one_in_the_dark(
    dockhand: Dockhand, styles: frozenset[str]
) -> None:
    html = render_html(build(dockhand().character), PrintOptions(styles=styles))  # type: ignore[arg-type]
    light, dark = html.split("@media (prefers-color-scheme: dark)")
    names = set(re.findall(r"(--[a-z-]+):", light))
    assert set(re.findall(r"var\((--[a-z-]+)\)", html)) <= names
    assert set(re.findall(r"(--[a-z-]+):", dark)) == names
    ink = "#1a1a1a" if "grey" in styles else "#12202b"
    rules = light.partition("}")[2]
    assert f"color: {ink}" not in rules, "text in ink would stay so in the dark"


def test_a_box_of_a_condition_about_one_thing_has_the_most_of_that_thing() -> None:
    """Three at most for each tool: that another one is damaged takes nothing away."""
    rules = load_folder(Path(__file__).parents[2] / "examples" / "cold-light")
    damaged = rules.entities["status/damaged"]
    assert damaged.condition is not None
    lasting = damaged.condition.model_copy(update={"most": Formula(3)})
    entities = {**rules.entities, damaged.id: damaged.model_copy(update={"condition": lasting})}
    spec = CharacterSpec(replace(rules, entities=entities), "1", "Ole")
    ole = replay_document(create_character(spec, RandomAnswers("1")), spec.ruleset)
    drafts = [
        draft_event(ConditionEvent, condition=damaged.id, about=about)
        for about in ("Old rifle", "Ice axe", "Ice axe")
    ]
    shown = labelled(change_character(ole, *drafts))
    found = [(label, one.start, one.high) for label, one in shown.items() if "Damaged" in label]
    assert sorted(found) == [("Damaged (Ice axe)", 2, 3), ("Damaged (Old rifle)", 1, 3)]
