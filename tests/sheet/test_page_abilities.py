"""Abilities and worn gear on a page to play from, in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page

from charforge.replay.loaded_character import LoadedCharacter
from charforge.usecases import sheet_merge
from charforge.verbs import inventory
from tests.requirements import AXE
from tests.sheet.test_page import (
    BEYOND,
    PHONE,
    SCHEMES,
    SMALL_TARGETS,
    SPLIT_WORDS,
    downloaded,
    kept,
    shown,
    status,
    written,
)
from tests.sheet.test_page_moves import created, inventory_with

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    yield context
    context.close()


@pytest.fixture(scope="module")
def courier() -> LoadedCharacter:
    """A Ledger with STRIDE +0, TACT +2, NERVE +1, LAMP −1 and 2 stamps."""
    return created("night-post", playbook="playbook/ledger", **{"playbook.stats": "firm"})


@pytest.fixture(scope="module")
def digger() -> LoadedCharacter:
    """A digger in an apron, with plates in the pack."""
    return inventory_with("armour/apron", "armour/plates", "weapon/knife", "ember/warm")


def opened(context: BrowserContext, character: LoadedCharacter, path: Path) -> Page:
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"the page failed: {error}"))
    page.on("console", lambda told: pytest.fail(f"the page complained: {told.text}"))
    page.goto(written(character, path / "sheet.html"))
    return page


def pad(page: Page) -> Locator:
    return page.locator("#play-move")


def use(page: Page, name: str, *dice: int) -> None:
    """Open an ability and roll; typed dice are those of the first roll."""
    page.get_by_role("button", name=name, exact=True).first.click()
    for number, face in enumerate(dice):
        pad(page).get_by_role("spinbutton").nth(number).fill(str(face))
    pad(page).get_by_role("button", name="Roll").click()


def imported(text: str, character: LoadedCharacter, path: Path) -> LoadedCharacter:
    file = path / "played.json"
    page = sheet_merge.parse_sheet_events(text, file)
    return sheet_merge.merge_sheet(sheet_merge.compare_sheet(character, page, file))


def test_a_move_shows_its_band_and_marks_what_it_costs(
    phone: BrowserContext, courier: LoadedCharacter, tmp_path: Path
) -> None:
    """TACT +2: 1 and 3 are 6, a miss; with a stamp it is 7."""
    page = opened(phone, courier, tmp_path)
    use(page, "Roll Sweet-talk", 1, 3)
    pad(page).get_by_role("button", name="0").click()
    assert "They ask you for something instead." in pad(page).inner_text()
    assert "XP 0 → 1" in pad(page).inner_text()
    pad(page).get_by_role("button", name="Close").click()
    assert shown(page, "XP", "Ansa") == "1"
    use(page, "Roll Sweet-talk", 1, 3)
    pad(page).get_by_role("button", name="1").click()
    assert "It is yours until dawn, or you owe them." in pad(page).inner_text()
    pad(page).get_by_role("button", name="Close").click()
    assert shown(page, "Stamp", "Ansa") == "1"
    after = imported(downloaded(page), courier, tmp_path).character.state.values()
    assert (after.base("xp"), after.base("stamps")) == (1, 1)
    page.locator("dialog[open]").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Undo").click()
    assert status(page).startswith("Undone: Sweet-talk.")
    assert shown(page, "Stamp", "Ansa") == "2"
    page.reload()
    assert (shown(page, "XP", "Ansa"), shown(page, "Stamp", "Ansa")) == ("1", "2")


def test_typed_dice_are_checked_and_missing_ones_are_rolled(
    phone: BrowserContext, courier: LoadedCharacter, tmp_path: Path
) -> None:
    page = opened(phone, courier, tmp_path)
    use(page, "Roll Dash", 7)
    assert "These dice show 1–6." in pad(page).inner_text()
    pad(page).get_by_role("spinbutton").first.fill("6")
    pad(page).get_by_role("button", name="Roll").click()
    pad(page).get_by_role("button", name="0").click()
    rolled = kept(page)["events"][0]["faces"]["dice"][0]
    assert rolled[0] == 6
    assert 1 <= rolled[1] <= 6
    assert kept(page)["events"][0]["inputs"] == {"spent": 0}


def test_an_input_counts_and_an_attack_is_only_rolled(
    phone: BrowserContext, digger: LoadedCharacter, tmp_path: Path
) -> None:
    page = opened(phone, digger, tmp_path)
    page.get_by_role("button", name="Roll Knife", exact=True).first.click()
    pad(page).get_by_label("How well do you strike?").select_option(label="ideal (1d12)")
    pad(page).get_by_label("What is the target's Armour?").select_option(label="2")
    pad(page).get_by_role("spinbutton").fill("12")
    pad(page).get_by_role("button", name="Roll").click()
    assert "10 damage" in pad(page).inner_text()
    assert page.evaluate("localStorage.length") == 0


def test_worn_gear_is_put_on_one_by_one_and_imported(
    phone: BrowserContext, digger: LoadedCharacter, tmp_path: Path
) -> None:
    """Apron 1, plates 2: Armour follows on the page itself."""
    page = opened(phone, digger, tmp_path)
    page.get_by_role("button", name="Gear").click()
    boxes = page.locator(".part").get_by_role("checkbox")
    apron, plates = boxes.and_(page.get_by_label("Apron")), boxes.and_(page.get_by_label("Plates"))
    plates.click()
    assert "Body: you wear Leather Apron" in status(page)
    assert not plates.is_checked()
    apron.uncheck()
    assert page.locator("[data-figure=armour]").text_content() == "0"
    plates.check()
    assert page.locator("[data-figure=armour]").text_content() == "2"
    after = imported(downloaded(page), digger, tmp_path)
    assert [name.removesuffix(" †") for name in inventory.names_worn(after.character.state)] == [
        "Ember Plates"
    ]
    assert after.character.state.values().total("armour") == 2


def test_only_as_many_pieces_are_put_on_as_fit(
    phone: BrowserContext, climber: Callable[..., LoadedCharacter], tmp_path: Path
) -> None:
    """A fighter has three Iron Bands and can wear two."""
    page = opened(phone, climber(), tmp_path)
    page.get_by_role("button", name="More").click()
    field = page.get_by_role("spinbutton", name="Iron Band")
    field.fill("3")
    field.blur()
    assert "Rings: you wear Iron Band" in status(page)
    assert field.input_value() == "2"
    assert [event["do"] for event in kept(page)["events"]] == ["carry", "carry"]


def test_a_keyboard_is_enough(
    phone: BrowserContext, courier: LoadedCharacter, tmp_path: Path
) -> None:
    page = opened(phone, courier, tmp_path)
    page.get_by_role("button", name="Roll Dash", exact=True).focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Roll"
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert kept(page)["events"][0]["inputs"] == {"spent": 0}
    assert page.evaluate("document.activeElement.textContent") == "Close"
    page.keyboard.press("Enter")
    assert not pad(page).is_visible()
    assert page.evaluate("document.activeElement.ariaLabel") == "Roll Dash"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["courier", "digger"])
def test_the_pad_is_for_everyone(
    browser: Browser, tmp_path: Path, scheme: Any, name: str, request: pytest.FixtureRequest
) -> None:
    character = request.getfixturevalue(name)
    person = browser.new_context(
        viewport=PHONE, color_scheme=scheme, bypass_csp=True, has_touch=True, is_mobile=True
    )
    page = opened(person, character, tmp_path)
    for tab in page.locator("#play-tabs button").all():
        tab.click()
        check(page)
    page.locator("#play-tabs button").first.click()
    page.locator("[data-move]").filter(visible=True).first.click()
    check(page)
    pad(page).get_by_role("button", name="Roll").click()
    check(page)
    person.close()


def check(page: Page) -> None:
    """Check that the page fits, its words are whole, its targets large, and axe finds nothing."""
    assert page.evaluate(BEYOND, PHONE["width"]) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate(SPLIT_WORDS) == []
    assert page.evaluate(SMALL_TARGETS) == []
    if AXE.is_file():
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document)")
        assert [(o["id"], n["html"]) for o in found["violations"] for n in o["nodes"]] == []
