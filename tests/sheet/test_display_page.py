"""Dice, tracks and charts on screen: on a phone, in dark mode, for screen readers."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load
from charforge.sheet.build import build
from charforge.sheet.print_options import PrintOptions
from charforge.usecases.create import create_character
from tests.browsers import TakePage, run_axe
from tests.sheet.test_page import (
    BEYOND,
    CONTRAST,
    DESK,
    PHONE,
    SCHEMES,
    written,
)

pytestmark = pytest.mark.slow


@cache
def somebody(name: str, seed: str = "page") -> LoadedCharacter:
    """Make a character by chance."""
    ruleset = load(name)
    plan = CharacterSpec(ruleset, seed, "Ash Merrow", 1, {}, {})
    return replay_document(create_character(plan, RandomAnswers(seed)), ruleset)


@pytest.mark.parametrize("layout", ["full", "short"])
@pytest.mark.parametrize("name", ["narrative-dice", "squad-d20", "phase-2d10", "shields-biotics"])
def test_a_phone_shows_it_without_scrolling_sideways_and_in_both_schemes(
    take_page: TakePage, tmp_path: Path, name: str, layout: Any
) -> None:
    page = take_page(viewport=PHONE)
    page.goto(written(somebody(name), tmp_path / "sheet.html", PrintOptions(layout=layout)))
    page.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true; })")
    assert page.evaluate(BEYOND, PHONE["width"]) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        _seen, low = page.evaluate(CONTRAST)
        assert low == []


def test_modes_that_several_weapons_have_are_on_the_page_once(
    take_page: TakePage, tmp_path: Path
) -> None:
    """Each weapon names them; a list with nothing but lines for a pen is not on a screen."""
    page = take_page(**DESK)
    page.goto(written(somebody("squad-d20", "m"), tmp_path / "sheet.html"))
    modes = page.locator(".fight .modes + .columns .entry > b").all_inner_texts()
    assert len(modes) > 3
    assert len(set(modes)) == len(modes)
    assert not page.get_by_role("heading", name="Other skills").is_visible()
    assert page.get_by_role("heading", name="Defenses").is_visible()


def test_a_frame_is_as_wide_as_its_section(take_page: TakePage, tmp_path: Path) -> None:
    page = take_page(**DESK)
    page.goto(written(somebody("squad-d20", "m"), tmp_path / "sheet.html"))
    section, frame = page.locator(".part.units"), page.locator(".unit").first
    wide, narrow = section.bounding_box(), frame.bounding_box()
    assert wide is not None
    assert narrow is not None
    assert narrow["width"] > 0.9 * wide["width"]


def test_boxes_on_a_phone_are_beside_their_names(take_page: TakePage, tmp_path: Path) -> None:
    """The body with the wounds is above them, and leaves them its room."""
    page = take_page(viewport={"width": 390, "height": 844})
    page.goto(written(somebody("phase-2d10"), tmp_path / "sheet.html"))
    row = page.locator(".on-body .counted tr").first
    name, boxes = (row.locator(part).bounding_box() for part in ("th", "td"))
    assert name is not None
    assert boxes is not None
    assert abs(name["y"] + name["height"] / 2 - boxes["y"] - boxes["height"] / 2) < 10
    assert name["width"] > 150


def test_a_tracker_of_a_track_says_its_step(take_page: TakePage, tmp_path: Path) -> None:
    page = take_page(**DESK)
    page.goto(written(somebody("narrative-dice"), tmp_path / "sheet.html"))
    page.get_by_role("button", name="More: all trackers").click()
    box = page.get_by_role("spinbutton", name="Condition", exact=True)
    step = page.locator(f"#{box.get_attribute('id')}-step")
    assert step.inner_text() == "Normal"
    page.get_by_role("button", name="Condition: one more", exact=True).click()
    assert step.inner_text() == "Winded"
    assert "Condition 1 Winded" in page.locator("#play-status").inner_text()
    page.keyboard.press("Escape")
    box_of_2 = page.get_by_role("radio", name="Condition 2", exact=True)
    box_of_2.check()
    assert step.text_content() == "Fatigued"
    page.get_by_role("button", name="Undo").click()
    assert page.get_by_role("radio", name="Condition 1", exact=True).is_checked()
    assert step.text_content() == "Winded"


def test_a_pool_of_dice_with_symbols_is_rolled(take_page: TakePage, tmp_path: Path) -> None:
    """Each die shows one of its own faces, and the total counts the symbols."""
    page = take_page(**DESK)
    somebody_new = somebody("narrative-dice")
    page.goto(written(somebody_new, tmp_path / "sheet.html"))
    dice = {die.label: die for die in build(somebody_new.character).dice}
    page.locator(".roll-it[data-pool]").first.click()
    text = page.locator("#play-rolled").inner_text()
    shown = re.findall(r"([A-Z]\w+) \[([^\]]*)\]", text)
    assert shown
    total: Counter[str] = Counter()
    for name, face in shown:
        symbols = [] if face == "blank" else face.split()
        faces = [sorted(symbol.label for symbol in face) for face in dice[name].faces]
        assert sorted(symbols) in faces
        total.update(symbols)
    words = ", ".join(f"{times} {symbol}" for symbol, times in total.items()) or "nothing"
    assert text.endswith(f"= {words}")


@pytest.mark.needs("axe")
def test_axe_finds_nothing(take_page: TakePage, tmp_path: Path) -> None:
    # The policy of the page forbids any other script, this one too.
    page = take_page(viewport=PHONE, bypass_csp=True)
    page.goto(written(somebody("narrative-dice"), tmp_path / "sheet.html"))
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        passed, wrong = run_axe(page)
        assert passed > 20
        assert wrong == []
