"""What values of trackers make different from the page is what the program calculates."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.events import EVENT_KINDS, AcquireEvent
from charforge.character.state import CHARACTER
from charforge.describe.held_entities import HeldEntity
from charforge.errors import RuleRefusal
from charforge.expressions.template import plain_text
from charforge.packs import install
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading import loader
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.page_differences import DAMAGE, PageDifference, PageNumbers
from charforge.sheet.trackers import PageTracker, PageTrackers, page_trackers, page_units
from charforge.usecases.create import create_character
from charforge.verbs.change import change_character, draft_event
from tests.samples import few

FOLDER = Path(__file__).resolve().parents[2] / "examples"
Dockhand = Callable[..., LoadedCharacter]
EXAMPLES = ("night-post", "long-stair", "cinderwell")
GAMES = (*EXAMPLES, "narrative-dice", "phase-2d10", "shields-biotics", "squad-d20")
SEEDS = {"squad-d20": "2"}  # the character owns a member of the squad


@cache
def game(name: str) -> Ruleset:
    """Return the rules of an example, or of a game of the catalog."""
    return install.load_checked(FOLDER / name).ruleset if name in EXAMPLES else loader.load(name)


def created(name: str, seed: str = "page", **answers: Any) -> LoadedCharacter:
    """Return a random character of an example or of a game of the catalog."""
    spec = CharacterSpec(game(name), seed, "Ansa", 1, {}, answers)
    return replay_document(create_character(spec, RandomAnswers(seed)), game(name))


def digger_with(*gear: str) -> LoadedCharacter:
    """Return a digger in an apron, with more gear in the pack."""
    opened = created("cinderwell", "bare", armour=[1], trade="trade/goatherd")
    events = (draft_event(AcquireEvent, entity=entity, granted=True) for entity in gear)
    return change_character(opened, *events)


def page_of(opened: LoadedCharacter) -> PageTrackers:
    return page_trackers(opened.character, opened.document.id, opened.document.log)


def trackers(opened: LoadedCharacter) -> list[PageTracker]:
    groups = (group for unit in page_units(opened.character) for group in unit.groups)
    return [tracker for group in groups for tracker in group.trackers]


def event_fields(tracker: PageTracker, by: int) -> dict[str, Any]:
    """Return the fields of the event that the page records for a change of a tracker."""
    fields = {name: value for name, value in tracker.event.items() if name != "amount"}
    if fields["do"] == "change":
        return {**fields, "by": by}
    if fields["do"] == "carry":
        return {**fields, "how": "wear" if by > 0 else "take-off"}
    counts = {"amount": abs(by)} if "amount" in tracker.event else {}
    return {**fields, **counts, **({"off": True} if by < 0 else {})}


def afterwards(opened: LoadedCharacter, tracker: PageTracker, by: int) -> LoadedCharacter:
    """Return the character after the event that the page records: what ``import`` makes of it."""
    fields = event_fields(tracker, by)
    return change_character(opened, draft_event(EVENT_KINDS[fields.pop("do")], **fields))


def test_no_vigour_makes_a_dockhand_worn_out(dockhand: Dockhand) -> None:
    changes = page_of(dockhand()).changes["character:vigour"]
    assert changes == {0: PageDifference(("Worn Out",), {}, {})}


def test_what_is_shown_for_nothing_different_is_nothing(dockhand: Dockhand) -> None:
    """Bruises only count, and coins only buy."""
    assert not {"character:state/bruised", "character:coins"} & page_of(dockhand()).changes.keys()


def test_a_condition_says_the_roll_it_changes_and_the_companion_its_own() -> None:
    """Squad d20: Sneaking halves Move; an action wound is -1 to every attack of the one hurt."""
    page = page_of(created("squad-d20"))
    assert "Move 6 → 3 squares" in page.changes["character:status/sneaking"][1].texts
    wounds = page.changes["character:wounds_action"]
    assert list(wounds) == [1, 2, 3, 4, 5]
    assert set(wounds[2].rolls.values()) == {"+5 → +3"}
    assert not [text for text in wounds[2].texts if text.startswith("Burst Fire")]  # as its weapons


@pytest.mark.parametrize("name", few(GAMES, 1))
def test_the_page_says_what_the_program_calculates(name: str) -> None:
    """For the lowest and highest other value of each tracker: the numbers after its event."""
    opened = created(name, SEEDS.get(name, "page"))
    before = PageNumbers(opened.character)
    page = page_of(opened)
    for tracker in trackers(opened):
        others = [value for value in tracker.near_values if value != tracker.start]
        for value in {*others[:1], *others[-1:]}:
            try:
                after = afterwards(opened, tracker, value - tracker.start)
            except RuleRefusal:  # the page refuses it too
                continue
            now = PageNumbers(after.character)
            changed = {key for key in before.rolls if now.rolls.get(key) != before.rolls[key]}
            found = page.changes.get(tracker.key, {}).get(value, PageDifference((), {}, {}))
            said = found.rolls
            assert {f"{unit}|{what}" for unit, what in changed} == set(said), tracker.label
            for unit, what in changed:
                texts = said[f"{unit}|{what}"].split(", ")
                shown = {number for text in texts for number in text.split(" → ")}
                assert shown <= {*before.rolls[unit, what], *now.rolls[unit, what]}
            other = {key for key in before.figures if now.figures.get(key) != before.figures[key]}
            assert found.figures == {
                f"{unit}|{what}": now.figures[unit, what] for unit, what in other
            }


@pytest.mark.parametrize("name", few(GAMES, 1))
def test_the_page_says_what_conditions_make_together(name: str) -> None:
    opened = created(name)
    before, page = PageNumbers(opened.character), page_of(opened)
    by_key = {tracker.key: tracker for tracker in trackers(opened)}
    for keys, difference in page.together.items():
        after = opened
        for tracker in (by_key[key] for key in keys):
            after = afterwards(after, tracker, 1 - 2 * tracker.start)
        now = PageNumbers(after.character)
        other = {key for key in before.figures if now.figures.get(key) != before.figures[key]}
        assert difference.figures == {
            f"{unit}|{what}": now.figures[unit, what] for unit, what in other
        }
        rolled = {key for key in before.rolls if now.rolls.get(key) != before.rolls[key]}
        assert set(difference.rolls) == {f"{unit}|{what}" for unit, what in rolled}


class Buttons(HTMLParser):
    """The keys of what the buttons of a page roll, and of its figures that can change."""

    def __init__(self) -> None:
        super().__init__()
        self.unit = ""
        self.keys: list[tuple[str, str]] = []
        self.figures: set[tuple[str, str]] = set()
        self.marked: set[tuple[str, str]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the unit that a part of the page is about, and each button that rolls."""
        found = {name: value or "" for name, value in attrs}
        self.unit = found.get("data-unit", self.unit)
        if found.get("class") == "differs":
            self.marked.add((self.unit, found.get("data-rolled", "")))
            if "data-figure" in found:
                self.figures.add((self.unit, found["data-figure"]))
        if "data-what" in found and "roll-it" in found.get("class", ""):
            damage = DAMAGE if "data-damage" in found else ""
            self.keys.append((self.unit, found.get("data-of", found["data-what"]) + damage))

    def handle_endtag(self, tag: str) -> None:
        """Units end with their articles."""
        if tag == "article":
            self.unit = ""


@pytest.mark.parametrize("name", few(GAMES, 1))
def test_every_button_that_rolls_is_known_by_the_name_that_the_page_has(name: str) -> None:
    opened = created(name)
    buttons = Buttons()
    buttons.feed(render_html(build(opened.character), None, (), page_of(opened)))
    numbers = PageNumbers(opened.character)
    assert set(buttons.keys) <= numbers.rolls.keys()
    assert buttons.figures <= numbers.figures.keys()
    # Beside each button there is a place that says what it rolls by now; a weapon's are in its row.
    assert {key for key in buttons.keys if key not in numbers.weapons} <= buttons.marked


def rule(opened: LoadedCharacter, tracker: PageTracker) -> str:
    """Return the rule of a tracker's condition as the page prints it; empty for another tracker."""
    if "condition" not in tracker.event:
        return ""
    state = opened.character.state
    entity = state.ruleset.entity(tracker.event["condition"])
    unit = tracker.event.get("unit", CHARACTER)
    return plain_text(HeldEntity(state, entity, unit).digest())


@pytest.mark.slow
@pytest.mark.parametrize("name", (*GAMES, "capital"))
def test_what_nothing_reads_makes_nothing_different(name: str) -> None:
    """Trackers that are passed over because no rule of the page reads them are no loss."""
    opened = created(name)
    numbers = PageNumbers(opened.character)
    for tracker in trackers(opened):
        if not numbers.can_change(tracker.event):
            own_rule = rule(opened, tracker)
            for change in numbers.changes(
                tracker.event, tracker.near_values, tracker.start
            ).values():
                assert change == PageDifference((own_rule,), {}, {})
