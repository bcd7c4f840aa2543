"""Worn gear on a page to play from, and its way into the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from charforge.errors import AnswersError
from charforge.replay.loaded_character import LoadedCharacter
from charforge.sheet.page_differences import PageDifference
from charforge.usecases import sheet_import
from charforge.verbs import inventory
from tests.browsers import TakePage, run_axe
from tests.requirements import AXE
from tests.sheet.test_page import (
    BEYOND,
    PHONE,
    SCHEMES,
    SMALL_TARGETS,
    SPLIT_WORDS,
    TOUCH,
    downloaded,
    kept,
    status,
    written,
)
from tests.sheet.test_page_differences import digger_with, page_of

Play = Callable[..., LoadedCharacter]


def imported(text: str, opened: LoadedCharacter, path: Path) -> LoadedCharacter:
    """Import what a page saved into its character."""
    file = path / "played.json"
    page = sheet_import.parse_sheet_events(text, file)
    return sheet_import.merge_sheet(sheet_import.compare_sheet(opened, page, file))


@pytest.fixture
def merged(tmp_path: Path) -> Play:
    """Import events of a page into its character."""

    def merged(opened: LoadedCharacter, *events: Any) -> LoadedCharacter:
        data = {"id": opened.document.id, "n": len(opened.document.log), "events": events}
        return imported(json.dumps(data), opened, tmp_path)

    return merged


# ------------------------------------------------------------------ what the page knows


def test_what_can_be_worn_has_a_tracker_with_its_places() -> None:
    opened = digger_with("armour/apron", "armour/plates", "armour/helmet")
    groups = {group.label: group.trackers for group in page_of(opened).units[0].groups}
    found = {
        one.label.removesuffix(" †"): (one.start, one.high, one.places) for one in groups["Worn"]
    }
    assert found == {
        "Leather Apron": (1, 1, (("Body", 1),)),
        "Ember Plates": (0, 1, (("Body", 1),)),
        "Pot Helmet": (1, 1, (("Head", 1),)),
    }  # fmt: skip


def test_the_page_says_what_worn_gear_changes() -> None:
    """Apron 1, plates 2, helmet 1. The plates are worn in place of the apron, which is off then."""
    opened = digger_with("armour/apron", "armour/plates", "armour/helmet")
    page = page_of(opened)
    worn = next(group for group in page.units[0].groups if group.label == "Worn").trackers
    assert {one.label.removesuffix(" †"): page.changes[one.key] for one in worn} == {
        "Leather Apron": {0: PageDifference(("Armour 2 → 1",), {}, {"|fact|Armour": "1"})},
        "Ember Plates": {1: PageDifference(("Armour 1 → 3",), {}, {"|fact|Armour": "3"})},
        "Pot Helmet": {0: PageDifference(("Armour 2 → 1",), {}, {"|fact|Armour": "1"})},
    }


def test_what_was_put_on_and_taken_off_is_imported(merged: Play) -> None:
    opened = digger_with("armour/apron", "armour/plates")
    groups = page_of(opened).units[0].groups
    keys = {one.label.removesuffix(" †"): one.event for group in groups for one in group.trackers}
    off, on = keys["Leather Apron"], keys["Ember Plates"]
    after = merged(opened, {**off, "how": "take-off"}, on)
    assert inventory.names_worn(after.character.state) == ("Ember Plates",)
    assert after.character.state.values().total("armour") == 2
    with pytest.raises(AnswersError) as refused:
        merged(opened, on)
    assert "take that off first" in str(refused.value.problems)


# ------------------------------------------------------------------ in a browser


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_worn_gear_is_put_on_one_by_one_and_imported(take_page: TakePage, tmp_path: Path) -> None:
    """Apron 1, plates 2: the page says what is different, and the file what counts then."""
    digger = digger_with("armour/apron", "armour/plates")
    page = take_page(**TOUCH)
    page.goto(written(digger, tmp_path / "sheet.html"))
    page.get_by_role("button", name="Gear").click()
    boxes = page.locator(".part").get_by_role("checkbox")
    apron, plates = boxes.and_(page.get_by_label("Apron")), boxes.and_(page.get_by_label("Plates"))
    plates.click()
    assert "Body: you wear Leather Apron" in status(page)
    assert not plates.is_checked()
    apron.uncheck()
    plates.check()
    different = page.locator("#play-changed p").all_inner_texts()
    assert [line.replace(" †", "") for line in different] == [
        "no longer Leather Apron Armour 1 → 0",
        "Ember Plates Armour 0 → 2",
        "Figures in the texts of rules and abilities are as printed.",
        "Each line is for one change alone. charforge import calculates them together.",
    ]
    after = imported(downloaded(page), digger, tmp_path)
    assert after.character.state.values().total("armour") == 2


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_only_as_many_pieces_are_put_on_as_fit(
    take_page: TakePage, climber: Callable[..., LoadedCharacter], tmp_path: Path
) -> None:
    """A fighter has three Iron Bands and can wear two."""
    page = take_page(**TOUCH)
    page.goto(written(climber(), tmp_path / "sheet.html"))
    page.get_by_role("button", name="More").click()
    field = page.get_by_role("spinbutton", name="Iron Band")
    field.fill("3")
    field.blur()
    assert "Rings: you wear Iron Band" in status(page)
    assert field.input_value() == "2"
    assert [event["do"] for event in kept(page)["events"]] == ["carry", "carry"]


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_the_page_of_a_digger_is_for_everyone(take_page: TakePage, tmp_path: Path) -> None:
    """It fits a phone, words are whole, targets are large, and axe finds nothing in any tab."""
    page = take_page(**TOUCH, bypass_csp=True)
    page.goto(written(digger_with("armour/plates", "weapon/knife"), tmp_path / "sheet.html"))
    for tab in page.locator("#play-tabs button").all():
        tab.click()
        assert page.evaluate(BEYOND, PHONE["width"]) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert page.evaluate(SPLIT_WORDS) == []
        assert page.evaluate(SMALL_TARGETS) == []
        for scheme in SCHEMES if AXE.is_file() else ():
            page.emulate_media(color_scheme=scheme)
            assert run_axe(page).wrong == []
