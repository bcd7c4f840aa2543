"""The sheet as a page to play from, in a browser."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page
from pypdfium2 import PdfDocument

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import to_text
from charforge.character.files.events import ConditionEvent, NoteEvent, ResourceEvent
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load, load_folder
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.fonts import embed_fonts
from charforge.sheet.html import render_html
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.trackers import page_trackers
from charforge.sheet.values import audit
from charforge.usecases import sheet_import
from charforge.usecases.create import create_character
from charforge.verbs.change import change_character, draft_event
from tests.browsers import TakePage, run_axe
from tests.sheet.conftest import HOSTILE
from tests.sheet.printed import page_texts
from tests.sheet.test_page_differences import created

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
BEYOND = """width => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    if (texts.currentNode.parentElement.closest(".bar-units")) continue;  // moves sideways
    if (range.getBoundingClientRect().right > width + 0.5) {
      found.push(texts.currentNode.parentElement.outerHTML.slice(0, 120));
    }
  }
  return found;
}"""
Settings = dict[str, Any]  # of the context of a page
PHONE = {"width": 320, "height": 740}
DESK: Settings = {"viewport": {"width": 1100, "height": 900}}
TOUCH: Settings = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
WIDTHS = (320, 390, 768, 1280)
SCHEMES = ("light", "dark")

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]
Show = Callable[..., Page]


@pytest.fixture(scope="module")
def nix(capital: Ruleset) -> LoadedCharacter:
    """A captain of Level 5 with a mechsuit."""
    answers = {"role": "role/the-captain", "asset": "vehicle/mechsuit"}
    plan = CharacterSpec(capital, "page", "Nix Calloway", 5, {}, answers)
    return replay_document(create_character(plan, RandomAnswers("page")), capital)


@cache
def with_fonts(page: str) -> str:
    """Return a page with its fonts: the widths of its words depend on them."""
    return embed_fonts(page)


PAGES: dict[tuple[str, str, PrintOptions | None], str] = {}  # each is rendered once


def written(opened: LoadedCharacter, path: Path, options: PrintOptions | None = None) -> str:
    """Write the page of a character and return its address."""
    document = opened.document
    key = (to_text(document), opened.ruleset.hash, options)
    if key not in PAGES:
        play = page_trackers(opened.character, document.id, document.log)
        page = render_html(build(opened.character), options, tuple(audit(opened.character)), play)
        PAGES[key] = with_fonts(page)
    path.write_text(PAGES[key], encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def show(take_page: TakePage, tmp_path: Path) -> Show:
    """Open the page of a character; another one with these settings remembers the first."""
    first: dict[str, Page] = {}

    def show(
        opened: LoadedCharacter,
        options: PrintOptions | None = None,
        name: str = "sheet",
        settings: Settings = DESK,
    ) -> Page:
        key = repr(settings)
        page = first[key].context.new_page() if key in first else take_page(**settings)
        first.setdefault(key, page)
        page.goto(written(opened, tmp_path / f"{name}.html", options))
        return page

    return show


def side(page: Page, name: str = "Nix Calloway") -> Locator:
    """Return the trackers of a unit, in the panel of all trackers."""
    panel = page.locator("#play-panel")
    if not panel.is_visible():
        page.get_by_role("button", name="More: all trackers").click()
    return panel.get_by_role("group", name=name, exact=True)


def close(page: Page) -> None:
    page.locator("dialog[open]").get_by_role("button", name="Close").click()


def undo(page: Page) -> str:
    """Undo the last step and return what the page says."""
    if page.locator("dialog[open]").count():
        close(page)
    page.get_by_role("button", name="Undo").click()
    return status(page)


def status(page: Page) -> str:
    return page.locator("#play-status").inner_text()


def open_tab(page: Page, name: str) -> None:
    page.locator("#play-tabs").get_by_role("button", name=name, exact=True).click()


def gauge(page: Page, label: str, name: str = "Nix Calloway") -> Locator:
    """Return a present value in the bar."""
    group = page.get_by_role("group", name=f"{name}: present values", exact=True)
    return group.get_by_role("button", name=re.compile(f"^{label} "))


def shown(page: Page, label: str, name: str = "Nix Calloway") -> str:
    return gauge(page, label, name).locator("b").inner_text()


def count(page: Page, label: str, name: str = "Nix Calloway") -> Locator:
    owned = re.compile(rf"^(?:.+: )?{re.escape(label)}$")  # with several units, also their names
    return side(page, name).get_by_role("spinbutton", name=owned)


def press(page: Page, label: str, way: str, times: int = 1, name: str = "Nix Calloway") -> None:
    button = side(page, name).get_by_role("button", name=f"{label}: one {way}", exact=True)
    for _ in range(times):
        button.click()


def kept(page: Page) -> Any:
    """Return what the browser keeps of the only character that it knows."""
    found = page.evaluate("Object.entries(localStorage)")
    assert len(found) == 1
    return json.loads(found[0][1])


def downloaded(page: Page, button: str = "Download changes") -> str:
    if button == "Download changes":
        side(page)
    with page.expect_download() as info:
        page.get_by_role("button", name=button).click()
    return info.value.path().read_text(encoding="utf-8")


def now(opened: LoadedCharacter, value: str, unit: str = "character") -> int:
    return opened.character.state.values(unit).base(value)


def session(page: Page) -> None:
    """Play a little: 79 HP of which 12 go and 2 come back, and one thing of each sort."""
    press(page, "HP", "less", 3)
    count(page, "HP").fill("67")
    count(page, "HP").press("Enter")
    press(page, "Energy", "less")
    press(page, "HP", "more", 2)
    press(page, "Primitive first aid kit: Small Bandages", "less", 2)
    press(page, "Energy", "less", 3, name="Mechsuit")
    side(page).get_by_role("checkbox", name="Rally signature").check()
    side(page).get_by_role("checkbox", name="Prone").check()
    side(page).get_by_text("More conditions").click()
    press(page, "Clarity", "more", 2)
    close(page)


# ------------------------------------------------------------------ trackers


def test_a_condition_that_the_rules_calculate_has_no_box(nix: LoadedCharacter, show: Show) -> None:
    """It is named only while it is present: Critical Condition, at 0 hit points."""
    page = show(nix)
    strip = page.locator(".fight .strip").first
    assert strip.get_by_text("Prone", exact=True).is_visible()
    calculated = strip.get_by_text("Critical Condition")
    assert not calculated.is_visible()
    assert strip.locator(".tick:visible").count() == 0
    hurt = change_character(nix, draft_event(ResourceEvent, value="hp", by=-now(nix, "hp")))
    page = show(hurt)
    assert page.locator(".fight .strip").first.get_by_text("Critical Condition").is_visible()
    assert page.locator(".strip .tick:visible").count() == 0


def test_boxes_of_a_vital_open_the_pad_under_a_finger(nix: LoadedCharacter, show: Show) -> None:
    """They are too small to be hit one by one; a mouse can."""
    for settings, opens in ((TOUCH, True), (DESK, False)):
        page = show(nix, settings={**settings, **DESK})
        for boxes, name in ((".pips.dense", "HP"), (".pips:not(.dense)", "Bones")):
            box = page.locator(f".vital:has-text('{name}') {boxes} i").nth(3)
            box.tap() if opens else box.click()
            assert page.locator("#play-pad").is_visible() is opens
            assert (shown(page, name) == str(now(nix, name.lower()))) is opens
            if opens:
                close(page)


def test_every_tracker_starts_where_the_character_stands(nix: LoadedCharacter, show: Show) -> None:
    hurt = change_character(
        nix,
        draft_event(ResourceEvent, value="hp", by=-9),
        draft_event(ConditionEvent, condition="status/taunted", about="the Warden"),
    )
    page = show(hurt)
    most = now(nix, "hp")
    assert count(page, "HP").input_value() == str(most - 9)
    assert side(page).get_by_text(f"of {most}", exact=True).is_visible()
    assert side(page).get_by_role("checkbox", name="Taunted (the Warden)").is_checked()
    assert not side(page).get_by_role("checkbox", name="Prone").is_checked()
    assert count(page, "HP", "Mechsuit").input_value() == str(now(nix, "hp", "asset.vehicle"))


def test_each_tap_is_an_event_and_a_download_joins_those_in_a_row(
    nix: LoadedCharacter, show: Show
) -> None:
    """Nothing is left of what was ticked and unticked again."""
    page = show(nix)
    session(page)
    side(page).get_by_role("checkbox", name="Grappled").check()
    side(page).get_by_role("checkbox", name="Grappled").uncheck()
    document, vehicle = nix.document, {"unit": "asset.vehicle"}
    assert len(kept(page)["events"]) == 18
    assert status(page).endswith("18 changes, kept in this browser.")
    events = json.loads(downloaded(page))["events"]
    bandages = {"value": "small-bandage", "holding": "kit.primitive-first-aid-kit"}
    stored = kept(page)
    assert len(stored.pop("times")) == 8
    assert stored == {
        "id": document.id, "n": len(document.log), "sealed": 8, "events": events,
    }  # fmt: skip
    assert events == [
        {"do": "change", "value": "hp", "by": 67 - now(nix, "hp")},
        {"do": "change", "value": "energy", "by": -1},
        {"do": "change", "value": "hp", "by": 2},
        {"do": "change", **bandages, "by": -2},
        {"do": "change", "value": "energy", **vehicle, "by": -3},
        {"do": "cooldown", "holding": "role.rally", "ability": "Rally"},
        {"do": "condition", "condition": "status/prone"},
        {"do": "condition", "condition": "effect/clarity", "amount": 2},
    ]
    assert count(page, "HP").input_value() == "69"


def test_a_tracker_stays_within_its_bounds(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    most = now(nix, "bones")
    press(page, "Bones", "more")
    assert count(page, "Bones").input_value() == str(most)
    count(page, "Bones").fill("-4")
    count(page, "Bones").press("Enter")
    assert count(page, "Bones").input_value() == "0"
    count(page, "Bones").fill("")
    count(page, "Bones").press("Enter")
    assert count(page, "Bones").input_value() == "0"
    assert kept(page)["events"] == [{"do": "change", "value": "bones", "by": -most}]


def test_undo_takes_back_one_tap(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    before = now(nix, "hp")
    press(page, "HP", "less", 3)
    side(page).get_by_role("checkbox", name="Prone").check()
    assert "Undone: Nix Calloway: Prone on." in undo(page)
    assert not side(page).get_by_role("checkbox", name="Prone").is_checked()
    for left in (2, 1, 0):
        assert undo(page).startswith("Undone: Nix Calloway: HP −1.")
        assert shown(page, "HP") == str(before - left)
    assert undo(page) == "Nothing to undo."


def test_reload_and_another_day_keep_what_happened(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    session(page)
    before = kept(page)
    page.reload()
    assert count(page, "HP").input_value() == "69"
    assert side(page).get_by_role("checkbox", name="Rally signature").is_checked()
    page.close()
    again = show(nix)
    assert count(again, "HP").input_value() == "69"
    assert kept(again) == before


def test_each_character_has_its_own(nix: LoadedCharacter, show: Show, capital: Ruleset) -> None:
    press(show(nix), "Bones", "less", 2)
    plan = CharacterSpec(capital, "other", "Nix Calloway", 5)
    other = replay_document(create_character(plan, RandomAnswers("other")), capital)
    assert count(show(other, name="other"), "Bones").input_value() == str(now(other, "bones"))


def test_two_windows_tell_each_other(nix: LoadedCharacter, show: Show) -> None:
    first, second = show(nix), show(nix)
    press(first, "HP", "less", 3)
    second.wait_for_function("Object.keys(localStorage).length === 1")
    wanted = str(now(nix, "hp") - 3)
    box = gauge(second, "HP").locator("b").element_handle()
    second.wait_for_function("([box, wanted]) => box.textContent === wanted", arg=[box, wanted])
    assert count(first, "HP").input_value() == wanted


def test_a_browser_that_keeps_nothing_says_so(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    press(page, "HP", "less")
    told = "1 change, not kept by this browser: download them."
    assert status(page).endswith(told)
    assert len(json.loads(downloaded(page))["events"]) == 1


def test_rubbish_in_the_browser_is_no_hindrance(nix: LoadedCharacter, show: Show) -> None:
    page, place = show(nix), f"charforge.{nix.document.id}"
    for rubbish in ("{", "7", '{"events": [null]}', '{"n": 1}'):
        page.evaluate("entry => localStorage.setItem(...entry)", [place, rubbish])
        page.reload()
        assert shown(page, "HP") == str(now(nix, "hp"))
        press(page, "HP", "less")
        assert shown(page, "HP") == str(now(nix, "hp") - 1), rubbish


# ------------------------------------------------------------------ the sheet itself


def pips(page: Page, label: str) -> Locator:
    return page.get_by_role("img", name=re.compile(f"^{re.escape(label)}: ")).locator("i")


def test_a_tap_on_a_box_of_the_sheet_changes_its_value(nix: LoadedCharacter, show: Show) -> None:
    """The third of the Bones takes 3, and once more only 2; medicine is used up alike."""
    page = show(nix)
    most = now(nix, "bones")
    vitals = page.locator(".vitals").first
    bones = vitals.get_by_role("img", name=re.compile("^Bones: ")).locator("i")
    bones.nth(2).click()
    assert shown(page, "Bones") == str(most - 3)
    assert vitals.locator(".pips i.on").count() == 3
    bones.nth(2).click()
    assert shown(page, "Bones") == str(most - 2)
    assert vitals.get_by_role("img", name=f"Bones: {most - 2} of {most} left").count()
    assert undo(page).startswith("Undone: Nix Calloway: Bones +1.")
    assert shown(page, "Bones") == str(most - 3)
    open_tab(page, "Gear")
    bandages = pips(page, "Primitive first aid kit: Small Bandages")
    full = bandages.count()
    bandages.nth(1).click()
    assert count(page, "Primitive first aid kit: Small Bandages").input_value() == str(full - 2)
    assert [box.get_attribute("class") for box in bandages.all()[:3]] == ["on", "on", None]


def test_ticks_of_the_sheet_and_of_the_panel_are_the_same(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    sheet = page.locator(".part")
    sheet.get_by_role("checkbox", name="Prone").first.check()
    sheet.get_by_role("checkbox", name="Rally signature").check()
    assert side(page).get_by_role("checkbox", name="Prone").is_checked()
    side(page).get_by_role("checkbox", name="Rally signature").uncheck()
    close(page)
    assert not sheet.get_by_role("checkbox", name="Rally signature").is_checked()


def test_damage_and_healing_are_typed_once(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    most = now(nix, "hp")
    for button, number, left in (("Damage", "12", most - 12), ("Heal", "5", most - 7)):
        gauge(page, "HP").click()
        page.get_by_label("Amount").fill(number)
        page.get_by_role("button", name=button, exact=True).click()
        assert shown(page, "HP") == str(left)
        assert not page.locator("#play-pad").is_visible()
    gauge(page, "HP").click()
    page.get_by_role("button", name="One less").click()
    assert page.locator("#play-pad-now").inner_text() == str(most - 8)
    close(page)
    gauge(page, "Energy").click()
    assert page.get_by_role("button", name="Less", exact=True).is_visible()
    close(page)
    assert undo(page).startswith("Undone: Nix Calloway: HP −1.")


def test_a_number_of_the_sheet_opens_the_same_pad(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    money = now(nix, "money")
    open_tab(page, "Gear")
    page.get_by_role("button", name=f"Nix Calloway: Money {money}: change").click()
    page.get_by_label("Amount").fill("10")
    page.get_by_role("button", name="Less", exact=True).click()
    assert kept(page)["events"] == [{"do": "change", "value": "money", "by": -10}]
    assert page.get_by_role("button", name=f"Nix Calloway: Money {money - 10}: change").is_visible()


def rolled(page: Page) -> str:
    return page.locator("#play-rolled").inner_text()


def test_checks_are_rolled_with_their_parts(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    score = next(one for one in build(nix.character).attributes if one.id == "str")
    assert not page.locator("#play-rolls").is_visible()
    for _ in range(12):
        page.get_by_role("button", name="Roll Strength").first.click()
        found = re.fullmatch(r"Strength: 2d6 \[(\d) (\d)\] \+ (\d+) = (\d+)", rolled(page))
        assert found
        one, other, bonus, total = map(int, found.groups())
        assert {one, other} <= {*range(1, 7)}
        assert bonus == score.total
        assert total == one + other + bonus
    page.get_by_text("Last rolls").click()
    assert page.locator("#play-log li").count() == 10
    assert page.locator("#play-apply button").count() == 0


def test_what_the_page_says_no_more_is_said(nix: LoadedCharacter, show: Show) -> None:
    """Prone is AGI -4, to 0 at least; at 0 HP there is Critical Condition, and its rule."""
    page = show(nix)
    agility = now(nix, "agi")
    assert not page.locator("#play-changed").is_visible()
    side(page).get_by_label("Prone").check()
    close(page)
    prone = max(agility - 4, 0)
    told = page.locator("#play-changed").inner_text()
    assert f"Nix Calloway: Prone AGI {agility} → {prone}" in told
    score = page.locator(".score", has_text="Agility").first
    assert score.locator(".differs").inner_text() == f"→ {prone} Prone"
    assert page.locator(".score .differs:not(:empty)").count() == 1
    page.get_by_role("button", name="Roll Agility").first.click()
    note = f"Printed before Nix Calloway: Prone: +{agility} → +{prone}"
    assert page.locator("#play-rolls .stale").first.inner_text().strip() == note
    page.get_by_role("button", name="Roll Strength").first.click()
    assert page.locator("#play-rolled .stale").count() == 0
    count(page, "HP").fill("0")
    close(page)
    assert "Critical Condition: Prone, cannot get up." in page.locator("#play-changed").inner_text()
    undo(page)
    undo(page)
    assert not page.locator("#play-changed").is_visible()
    assert not page.locator(".differs:not(:empty)").count()


def test_two_changes_of_a_roll_are_listed_and_not_added_up(
    nix: LoadedCharacter, show: Show
) -> None:
    page = show(nix)
    agility = now(nix, "agi")
    together = "charforge import calculates"
    side(page).get_by_label("Prone").check()
    assert together not in page.locator("#play-changed").inner_text()
    count(page, "HP").fill("0")
    close(page)
    assert together in page.locator("#play-changed").inner_text()
    page.get_by_role("button", name="Roll Agility").first.click()
    note = page.locator("#play-rolls .stale").first.inner_text().strip()
    each = (f"Nix Calloway: {name}: +{agility} → " for name in ("Prone", "HP 0"))
    assert all(part in note for part in each)
    assert note.endswith(f". Together: {together} it.")


def test_rolled_damage_is_applied_with_one_tap(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    page.locator(".roll-it[data-damage]").first.click()
    amount = int(rolled(page).split()[-1])
    assert (
        page.locator("#play-apply").inner_text().startswith("If it hits you or one of your units:")
    )
    page.get_by_role("button", name=f"Nix Calloway: HP −{amount}", exact=True).click()
    assert shown(page, "HP") == str(now(nix, "hp") - amount)
    page.get_by_role("button", name=f"Nix Calloway: HP +{amount}", exact=True).click()
    assert shown(page, "HP") == str(now(nix, "hp"))
    page.get_by_role("button", name=f"Mechsuit: HP −{amount}", exact=True).click()
    assert shown(page, "HP", "Mechsuit") == str(now(nix, "hp", "asset.vehicle") - amount)


def test_dice_are_written_as_the_view_has_them(nix: LoadedCharacter, show: Show) -> None:
    button = show(nix).locator(".roll-it").first
    for dice, words in (
        ("1d1+3", "1d1 [1] + 3 = 4"),
        ("2d1-3", "2d1 [1 1] − 3 = -1"),
        ("(2d1)*(1d1+2)", "2d1 [1 1] × (1d1 [1] + 2) = 6"),
        ("7", "7"),
    ):
        button.evaluate("(b, dice) => Object.assign(b.dataset, {dice, bonus: 0, what: 'It'})", dice)
        button.click()
        assert rolled(button.page) == f"It: {words}"


# ------------------------------------------------------------------ a phone


def test_notes_are_with_the_story_and_no_tab_is_empty(nix: LoadedCharacter, show: Show) -> None:
    page = show(change_character(nix, draft_event(NoteEvent, text="The door was open.")))
    note = page.get_by_text("The door was open.")
    assert not note.is_visible()
    open_tab(page, "Story")
    assert note.is_visible()
    page = show(created("squad-d20"))
    assert page.locator("#play-tabs button").all_inner_texts() == ["Fight", "Gear", "Rules"]


def test_tabs_show_a_part_each_and_the_vitals_stay(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix, settings=TOUCH)
    for tab, section in (
        ("Fight", "fight"),
        ("Gear", "gear"),
        ("Story", "story"),
        ("Rules", "reference"),
    ):
        page.locator("#play-tabs").get_by_role("button", name=tab).tap()
        assert page.locator(f".part.{section}").is_visible()
        assert page.locator(".part.fight .vitals").is_visible() == (tab == "Fight")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        assert gauge(page, "HP").bounding_box()["y"] >= 0
    wide = show(nix)
    assert not wide.locator(".part.reference").is_visible()
    wide.locator("#play-tabs").get_by_role("button", name="Rules").click()
    assert wide.locator(".part.reference").is_visible()
    across = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert wide.evaluate(across) == 0


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_the_bar_is_low_and_the_scores_are_on_the_first_screen(
    nix: LoadedCharacter, show: Show, width: int
) -> None:
    page = show(nix, settings={**TOUCH, "viewport": {"width": width, "height": 740}})
    assert page.locator(".play.bar").bounding_box()["height"] <= 96
    scores = page.locator(".scores").first.bounding_box()
    assert scores["y"] + scores["height"] < 740
    for name in page.locator(".bar-units .unit-name").all():  # no name is cut
        assert name.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    units = page.locator(".bar-units")
    for shown in ("Mechsuit", "Nix Calloway"):  # one unit at a time, whole
        page.locator(".bar-units .turn:visible").tap()
        assert page.locator(".bar-units .turn:visible").get_attribute("title") == shown
        assert units.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    page.locator("#play-all").tap()
    page.get_by_role("button", name="HP: one less").first.tap()
    page.keyboard.press("Escape")
    assert page.locator("#play-status").is_visible()  # what has changed is said elsewhere
    assert page.locator(".play.bar").bounding_box()["height"] <= 96


def test_a_long_sheet_on_a_phone_folds_its_groups(show: Show) -> None:
    rules = load("squad-d20")
    squad = replay_document(
        create_character(CharacterSpec(rules, "m", "Kovacs", 1), RandomAnswers("m")), rules
    )
    page = show(squad, settings={"viewport": {"width": 390, "height": 844}})
    skills = page.get_by_role("button", name="Skills")
    rolls = page.get_by_role("button", name="Roll Stealth")
    assert skills.get_attribute("aria-expanded") == "false"
    assert not rolls.is_visible()
    assert page.get_by_role("button", name="Morale").get_attribute("aria-expanded") == "true"
    assert page.locator(".attacks").first.is_visible()
    assert page.evaluate("document.documentElement.scrollHeight") < 5500
    skills.click()
    assert rolls.is_visible()
    page.set_viewport_size({"width": 1280, "height": 844})
    page.wait_for_selector(".fold", state="detached")  # the script of the page hears of it later
    assert page.locator(".abilities .card").first.is_visible()


def test_after_a_reload_the_same_tab_is_shown(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    page.locator("#play-tabs").get_by_role("button", name="Gear").click()
    page.reload()
    assert page.locator("#play-tabs [aria-current]").inner_text() == "Gear"
    assert page.locator(".part.gear").is_visible()


def test_after_a_reload_the_earlier_rolls_are_listed_again(
    nix: LoadedCharacter, show: Show
) -> None:
    page = show(nix)
    button = page.locator(".score .roll-it").first
    button.click()
    first = page.locator("#play-rolled").inner_text()
    page.reload()
    assert not page.locator("#play-rolls").is_visible()
    button.click()
    assert page.locator("#play-log li").count() == 2
    assert page.locator("#play-log li").last.text_content() == first


def test_conditions_are_shown_together_as_the_rules_have_them(
    nix: LoadedCharacter, show: Show
) -> None:
    """Printed Prone, then Grappled and no longer Prone: who is Grappled cannot move."""
    page = show(change_character(nix, draft_event(ConditionEvent, condition="status/prone")))
    for condition, on in (("Grappled", True), ("Prone", False)):
        side(page).get_by_label(condition).set_checked(on)
    said = page.locator("#play-changed").inner_text()
    assert "10 m" not in said.replace("\N{NO-BREAK SPACE}", " ")
    assert "no Move Action" in said
    side(page).get_by_label("Grappled").set_checked(False)
    assert "10 m" in page.locator("#play-changed").inner_text().replace("\N{NO-BREAK SPACE}", " ")


def test_enter_in_the_pad_is_damage_and_undo_says_what_it_undid(
    nix: LoadedCharacter, show: Show
) -> None:
    page = show(nix)
    page.locator(".gauge", has_text="HP").first.click()
    page.locator("#play-amount").fill("3")
    page.keyboard.press("Enter")
    assert not page.locator("#play-pad").is_visible()
    assert shown(page, "HP") == str(now(nix, "hp") - 3)
    side(page).get_by_label("Prone").check()
    assert "Prone on." in undo(page)
    assert "HP −3." in undo(page)


def test_a_long_panel_can_be_closed_from_its_end(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix, settings=TOUCH)
    side(page)
    panel = page.locator("#play-panel")
    panel.evaluate("one => one.scrollTo(0, one.scrollHeight)")
    top = panel.bounding_box()["y"]
    assert top <= panel.get_by_role("button", name="Close").bounding_box()["y"] < top + 60


def test_a_result_closes_by_itself_unless_it_is_read(
    nix: LoadedCharacter, browser: Browser, tmp_path: Path
) -> None:
    page = browser.new_page(**DESK)
    page.goto(written(nix, tmp_path / "sheet.html"))
    page.clock.install()
    page.locator(".scores .roll-it").first.click()
    panel = page.locator("#play-rolls")
    page.mouse.move(5, 5)
    page.clock.run_for(9_000)
    assert panel.is_visible()
    panel.hover()
    page.clock.run_for(21_000)
    assert panel.is_visible()
    page.mouse.move(5, 5)
    page.clock.run_for(11_000)
    assert not panel.is_visible()
    page.close()


SPLIT_WORDS = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!text.parentElement.checkVisibility()) continue;
    for (const word of text.textContent.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = [...range.getClientRects()].filter((box) => box.width > 0);
      if (new Set(lines.map((box) => Math.round(box.top))).size > 1) found.push(word[0]);
    }
  }
  return found;
}"""
# What a finger can hit: the control, its label, the area around a tick, or all boxes of a row.
SMALL_TARGETS = """() => [
  ...document.querySelectorAll(
    "button, input, summary, :is(.pips.dense, .now .pips), .pips:not(.dense, .now .pips) i")]
  .filter((control) => control.checkVisibility())
  .map((control) => {
    const { width, height } = (control.closest("label") ?? control).getBoundingClientRect();
    const { top } = getComputedStyle(control, "::after");
    const around = control.matches(".tap") ? -2 * parseFloat(top) : 0;
    return [control.outerHTML.slice(0, 90), width + around, height + around];
  })
  .filter(([, width, height]) => width < 44 || height < 44)"""


LONGER_CONDITION = """document.querySelector(".strip .condition bdi").textContent =
  `Prone (${"the sniper on the gantry ".repeat(4)})`"""


def test_words_stay_whole_and_targets_are_large(nix: LoadedCharacter, show: Show) -> None:
    """In every tab, and in the panel of all trackers."""
    page = show(nix, settings=TOUCH)
    page.evaluate(LONGER_CONDITION)
    for tab in (*page.locator("#play-tabs button").all(), page.locator("#play-all")):
        tab.tap()
        assert page.evaluate(SPLIT_WORDS) == []
        assert page.evaluate(SMALL_TARGETS) == []


# ------------------------------------------------------------------ home again


OVERLAPPED = """([upper, lower]) => {
  const found = [];
  for (const one of document.querySelectorAll(upper)) {
    const a = one.getBoundingClientRect();
    for (const other of one.closest(".score, .frame").querySelectorAll(lower)) {
      const range = document.createRange();
      range.selectNodeContents(other);
      const b = range.getBoundingClientRect();
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) {
        found.push(other.textContent);
      }
    }
  }
  return found;
}"""


def test_nothing_overlaps_in_tiles_and_on_cards(nix: LoadedCharacter, show: Show) -> None:
    sheet, cards = show(nix), show(nix, PrintOptions(layout="cards"))
    assert sheet.locator(".score .roll-it").count() > 4
    assert cards.locator(".foot").count() > 4
    for width in WIDTHS:
        sheet.set_viewport_size({"width": width, "height": 740})
        assert sheet.evaluate(OVERLAPPED, [".score .roll-it", ".abbr, .number b, .full"]) == []
        cards.set_viewport_size({"width": width, "height": 740})
        assert cards.evaluate(OVERLAPPED, [".foot", ".words *"]) == []


def test_a_short_sheet_shows_timings_and_each_box_once(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix, PrintOptions(layout="short"))
    assert page.locator(".brief .badge").first.is_visible()
    assert page.locator("svg.live:visible").count() == 0


def test_what_happened_comes_home(nix: LoadedCharacter, show: Show, tmp_path: Path) -> None:
    page = show(nix)
    session(page)
    text = downloaded(page)
    met = sheet_import.compare_sheet(
        nix, sheet_import.parse_sheet_events(text, tmp_path / "p.json"), tmp_path / "p.json"
    )
    after = sheet_import.merge_sheet(met)
    assert after.document.group == nix.document.group + 1
    state = after.character.state
    assert now(after, "hp") == 69
    assert now(after, "energy") == now(nix, "energy") - 1
    assert now(after, "energy", "asset.vehicle") == now(nix, "energy", "asset.vehicle") - 3
    assert state.resource_changes["kit.primitive-first-aid-kit", "small-bandage"] == -2
    assert state.cooldowns == (("role.rally", "Rally"),)
    under = {(c.entity.id, c.amount) for c in state.conditions}
    assert under == {("status/prone", 1), ("effect/clarity", 2)}

    later = show(after, name="later")
    assert later.get_by_text("This browser keeps 8 changes from another sheet").is_visible()
    assert gauge(later, "HP").is_disabled()
    assert later.get_by_role("checkbox", name="Prone").first.is_disabled()
    assert json.loads(downloaded(later, "Download them"))["events"] == json.loads(text)["events"]
    later.get_by_role("button", name="Drop them").click()
    assert count(later, "HP").input_value() == "69"
    press(later, "HP", "less")
    assert kept(later)["n"] == len(after.document.log)


def test_a_page_that_is_played_on_brings_only_what_is_new(
    nix: LoadedCharacter, show: Show, tmp_path: Path
) -> None:
    """What was downloaded is not changed any more: more of the same is an event of its own."""
    page, path = show(nix), tmp_path / "p.json"
    press(page, "HP", "less", 2)
    once = sheet_import.merge_sheet(
        sheet_import.compare_sheet(
            nix, sheet_import.parse_sheet_events(downloaded(page), path), path
        )
    )
    press(page, "HP", "less")
    met = sheet_import.compare_sheet(
        once, sheet_import.parse_sheet_events(downloaded(page), path), path
    )
    assert not met.diverged
    twice = sheet_import.merge_sheet(met)
    assert now(twice, "hp") == now(nix, "hp") - 3
    assert (
        sheet_import.compare_sheet(
            twice, sheet_import.parse_sheet_events(downloaded(page), path), path
        ).new_events
        == ()
    )


# ------------------------------------------------------------------ for everyone


def focus_order(page: Page, selector: str) -> None:
    """Check that Tab reaches every control of a kind in turn, and that each shows its focus."""
    about = "(b => b.id || b.ariaLabel || b.textContent)"
    boxes = [box for box in page.locator(selector).all() if box.is_visible()]
    wanted = [box.evaluate(about) for box in boxes]
    boxes[0].focus()
    reached = []
    for _ in wanted:
        reached.append(page.evaluate(f"{about}(document.activeElement)"))
        ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert ring == "solid" or reached[:-1] == [], f"{reached[-1]} shows no focus"
        page.keyboard.press("Tab")
    assert reached == wanted


def test_the_keyboard_is_enough(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    before = now(nix, "hp")
    focus_order(page, "#play button, .part :is(button, input, a, summary)")
    side(page)
    focus_order(page, "#play-panel :is(button, input, summary)")
    page.get_by_role("button", name="HP: one less").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert count(page, "HP").input_value() == str(before - 3)
    page.keyboard.press("Escape")
    gauge(page, "HP").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Amount").focus()
    page.keyboard.type("12")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert shown(page, "HP") == str(before - 15)
    page.locator(".part").get_by_role("checkbox", name="Prone").first.focus()
    page.keyboard.press("Space")
    kinds = [event["do"] for event in kept(page)["events"]]
    assert kinds == ["change"] * 4 + ["condition"]


# Each layout, style and orientation.
LOOKS: dict[str, PrintOptions] = {
    "full": PrintOptions(),
    "full large": PrintOptions(styles=frozenset({"large-print", "ink-saver"})),
    "short": PrintOptions(layout="short"),
    "short landscape": PrintOptions("short", orientation="landscape", styles=frozenset({"grey"})),
    "cards": PrintOptions(layout="cards"),
    "reference": PrintOptions(layout="reference"),
}


def test_many_boxes_of_a_tracker_wrap_on_a_phone(tmp_path: Path, show: Show) -> None:
    folder = Path(shutil.copytree(EXAMPLES / "night-post", tmp_path / "night-post"))
    head = folder / "ruleset.yaml"
    head.write_text(head.read_text("utf-8").replace("boxes: 5", "boxes: 12"), "utf-8")
    rules = load_folder(folder)
    courier = create_character(CharacterSpec(rules, "page", "Wren"), RandomAnswers("page"))
    settings = {"viewport": {"width": 500, "height": 900}}
    page = show(replay_document(courier, rules), settings=settings)
    assert page.locator(".pips.dense i, .pips i").count() >= 12
    assert page.evaluate("document.documentElement.scrollWidth") == 500


@pytest.mark.parametrize("options", LOOKS.values(), ids=LOOKS)
def test_a_phone_shows_it_without_scrolling_sideways_and_in_both_schemes(
    nix: LoadedCharacter, show: Show, options: PrintOptions
) -> None:
    page = show(nix, options, settings={"viewport": PHONE})
    page.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true; })")
    assert page.evaluate(BEYOND, PHONE["width"]) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    small = page.eval_on_selector_all(
        "#play :is(button, input)",
        "all => all.map(one => one.getBoundingClientRect())"
        ".filter(box => box.width && (box.width < 24 || box.height < 24)).length",
    )
    assert small == 0, "WCAG 2.5.8: 24 by 24 px at least"
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        seen, low = page.evaluate(CONTRAST)
        assert seen > 100
        assert low == []


def test_the_dark_is_dark_on_a_screen_and_paper_is_white(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    page.emulate_media(color_scheme="dark")
    colour = "getComputedStyle(document.querySelector('.part')).backgroundColor"
    assert page.evaluate(colour) == "rgb(18, 32, 43)"
    page.emulate_media(media="print")
    assert page.evaluate(colour) in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(18, 32, 43)"


@pytest.mark.needs("axe")
@pytest.mark.parametrize("options", ["full", "short", "cards"])
def test_axe_finds_nothing(nix: LoadedCharacter, show: Show, options: str) -> None:
    # The policy of the page forbids any other script, this one too.
    page = show(nix, LOOKS[options], settings={"viewport": PHONE, "bypass_csp": True})
    page.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true; })")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        passed, wrong = run_axe(page)
        assert passed > 20
        assert wrong == []


# ------------------------------------------------------------------ paper, and no script


def test_paper_shows_the_present_values(nix: LoadedCharacter, show: Show) -> None:
    """As in the PDF: what is unchanged stays empty, to be written in; lost points are filled."""
    page = show(nix)
    page.emulate_media(media="print")
    hp = page.locator(".vital").first
    assert not hp.locator(".present").is_visible()
    assert hp.locator(".filled").get_attribute("d") == ""
    page.emulate_media(media="screen")
    press(page, "HP", "less", 9)
    side(page).get_by_role("checkbox", name="Prone").check()
    page.emulate_media(media="print")
    assert hp.locator(".present").inner_text() == str(now(nix, "hp") - 9)
    assert hp.locator(".filled").get_attribute("d").count("M") == 9
    assert page.locator(".condition .tick.on").count() == 1
    for hidden in (".pips", ".tap", ".roll-it", ".play"):
        assert not any(one.is_visible() for one in page.locator(hidden).all())


def test_it_prints_without_its_controls(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    press(page, "HP", "less")
    data = page.pdf(prefer_css_page_size=True)
    pages = page_texts(data)
    with PdfDocument(data) as document:
        width, height = (side / 72 * 25.4 for side in document.get_page_size(0))
    assert (round(width), round(height)) == (210, 297)
    text = " ".join(pages)
    assert "Nix Calloway" in pages[0]
    assert "Rally" in text
    assert "At the table" not in text
    assert "Download" not in text


def test_without_a_script_it_is_read_with_the_figures_of_now(
    nix: LoadedCharacter, browser: Browser, tmp_path: Path
) -> None:
    hurt = change_character(nix, draft_event(ResourceEvent, value="hp", by=-9))
    plain = browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(written(hurt, tmp_path / "plain.html"))
    assert not page.get_by_text("At the table").is_visible()
    assert page.get_by_role("heading", name="Nix Calloway", level=1).is_visible()
    assert page.locator(".vital .present").first.inner_text() == str(now(nix, "hp") - 9)
    assert not page.get_by_role("button", name="Roll").first.is_visible()
    for card in build(hurt.character).cards:
        assert page.locator(".card").get_by_text(card.name, exact=True).first.is_visible()
    plain.close()


# ------------------------------------------------------------------ nothing gets in or out


def test_hostile_words_stay_words(nix: LoadedCharacter, show: Show, capital: Ruleset) -> None:
    answers = {"role": "role/the-captain", "asset": "companion/sky-beast"}
    wild = "</script><img src=x onerror=alert(1)>\" data-event='{}' " + HOSTILE
    plan = CharacterSpec(capital, "wild", wild, 1, {}, answers)
    page = show(replay_document(create_character(plan, RandomAnswers("wild")), capital))
    assert page.get_by_role("heading", level=1).inner_text() == wild
    assert page.locator("legend").first.inner_text() == wild
    assert page.locator("script").count() == 1
    assert page.locator("img").count() == 0
    press(page, "HP", "less", name=wild)
    assert len(json.loads(downloaded(page))["events"]) == 1


def test_only_its_own_script_runs_and_nothing_is_fetched(nix: LoadedCharacter, show: Show) -> None:
    page = show(nix)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.reload()
    assert [url[:5] for url in fetched if not url.startswith("data:")] == ["file:"]
    assert page.evaluate("document.querySelectorAll('[onclick], [onchange], [onload]').length") == 0


def test_another_script_is_refused(nix: LoadedCharacter, browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(written(nix, tmp_path / "sheet.html"))
    page.evaluate(
        "() => { const made = document.createElement('script');"
        " made.textContent = 'window.taken = 1'; document.body.append(made); }"
    )
    assert page.evaluate("window.taken") is None
    with pytest.raises(Exception, match="Failed to fetch"):
        page.evaluate("fetch('https://example.org')")
    page.close()
