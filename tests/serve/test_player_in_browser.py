"""The player's page on a phone and a desk: taps, questions, what another page sees, its looks."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.storage import save
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import load_character
from charforge.rules.loading.loader import load
from charforge.serve.actions import run_page_action
from charforge.usecases.create import create_character
from tests.browsers import run_axe
from tests.serve.browsing import AT, DESK, PHONE, SMALL, Playing

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]


@pytest.fixture(scope="session")
def capital_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A character of Capital with a long name and a vehicle."""
    given = {"asset": "vehicle/bike"}
    spec = CharacterSpec(load("capital"), "phone", "Nix " + "x" * 60, 3, answers=given)
    file = tmp_path_factory.mktemp("capital") / "nix.json"
    save(create_character(spec, RandomAnswers("phone")), file)
    return file.read_bytes()


@pytest.fixture
def files(files: list[Path], capital_file: bytes) -> list[Path]:
    """A character of Capital, and one of another game."""
    files[0].write_bytes(capital_file)
    return files


def test_a_fight_on_a_phone_is_seen_on_another_page(playing: Playing, files: list[Path]) -> None:
    first, _second = playing.server.table.seats
    phone, other = playing.open(first, **PHONE), playing.open(first, **DESK)
    phone.click("text=Start turn")
    phone.click("dialog >> text=OK")
    phone.click(".ability:has-text('Unarmed')")
    phone.click("dialog .submits .main")  # without the score of the target
    phone.wait_for_selector("dialog .wrong input")
    phone.fill("dialog [name='in.vs']", "5")
    phone.click("dialog >> text=Odds")
    phone.wait_for_selector("#odds table")
    phone.click("dialog >> text=Dice you rolled yourself")
    phone.fill("dialog [name='dice.own']", "3,4")
    phone.fill("dialog [name='dice.theirs']", "1,2")
    phone.click("dialog .submits .main")
    phone.wait_for_selector("dialog .steps")
    while phone.locator("dialog [name=answer]").count():
        assert "3 + 4 = 7" in phone.inner_text("dialog")
        phone.click("dialog >> text=Go on")
        phone.wait_for_selector("dialog.result, dialog [name=answer]")
    event = load_character(files[0]).document.log[-1].model_dump()
    assert event["faces"] == {"own": [[3, 4]], "theirs": [[1, 2]]}
    phone.keyboard.press("Escape")
    assert phone.locator("dialog[open]").count() == 0

    before = other.inner_text(".gauge >> nth=0")
    phone.click(".gauge >> nth=0")
    phone.fill("dialog [name=amount]", "3")
    phone.keyboard.press("Enter")
    phone.wait_for_selector("dialog.result")
    other.wait_for_selector(f".gauge >> nth=0 >> text=/{phone.inner_text('.gauge .now')}/")
    assert other.inner_text(".gauge >> nth=0") != before
    phone.click("dialog >> text=Undo")
    phone.wait_for_selector("dialog >> text=Redo")
    assert phone.inner_text(".gauge >> nth=0") == before


def test_the_focus_goes_back_to_the_button_that_opened_a_panel(
    playing: Playing, files: list[Path]
) -> None:
    phone = playing.open(playing.server.table.seats[0], **PHONE)
    # Buttons do something, and no answer takes the place of the one that has the focus.
    phone.wait_for_selector("#main:not([inert])")
    phone.wait_for_selector(".htmx-request", state="detached")
    for close in ("text=OK", "[aria-label=Close]"):  # what it did, and a form that is left
        phone.locator(".gauge >> nth=0").press("Enter")
        if close == "text=OK":
            phone.fill("dialog [name=amount]", "3")
            phone.keyboard.press("Enter")
            phone.wait_for_selector("dialog.result")
        phone.click(f"dialog >> {close}")
        phone.wait_for_selector(".gauge:focus >> nth=0")
        assert phone.inner_text(":focus") == phone.inner_text(".gauge >> nth=0")


def test_what_the_rules_refuse_can_be_allowed(playing: Playing, files: list[Path]) -> None:
    first, _second = playing.server.table.seats
    phone = playing.open(first, **PHONE)
    phone.click("text=Start turn")
    for left in (1, 0):
        phone.wait_for_selector("dialog")
        phone.click("li:has(b:text-is('Move')) .use")
        phone.wait_for_selector(f"dialog >> text=Actions left: {left}")
    phone.click("li:has(b:text-is('Move')) .ability")
    phone.wait_for_selector("dialog >> text=no Actions left")
    phone.click("dialog .submits .main")
    phone.click("dialog >> text=Allow it (GM)")
    phone.wait_for_selector("dialog.result >> text=Allowed by the GM")
    assert load_character(files[0]).document.log[-1].model_dump()["override"]["by"] == "GM"


def test_the_vehicle_of_a_character_is_a_tap_away(playing: Playing) -> None:
    first, _second = playing.server.table.seats
    phone = playing.open(first, **PHONE)
    phone.click(".units button >> nth=1")
    phone.wait_for_selector("h1 >> text=Bike")
    phone.click("button:text-is('Damage')")
    phone.fill("dialog [name=amount]", "2")
    phone.click("dialog .submits .main")
    phone.wait_for_selector("dialog.result")
    assert phone.inner_text("h1") == "Bike"
    assert phone.inner_text(".units button >> nth=1 >> small").startswith("HP 8/10")


def test_an_answer_that_is_late_does_not_hide_what_was_chosen_since(playing: Playing) -> None:
    first, _second = playing.server.table.seats
    phone, held = playing.open(first, **PHONE), []
    phone.wait_for_timeout(500)  # until it listens, and has what it asked for then
    hold = lambda route: held.append((route, route.fetch()))  # noqa: E731
    phone.route("**/live*", hold, times=1)
    phone.evaluate("htmx.trigger(document.body, 'refresh')")  # of the character
    phone.click(".units button >> nth=1")
    phone.wait_for_selector("h1 >> text=Bike")
    ((route, answer),) = held
    unit = phone.input_value("#unit")
    with phone.expect_request(lambda asked: f"unit={unit}" in asked.url):  # it asks again
        route.fulfill(response=answer)
    phone.wait_for_timeout(200)
    assert phone.inner_text("h1") == "Bike"


def test_a_change_in_a_gap_of_the_stream_is_shown_when_it_is_back(playing: Playing) -> None:
    first, _second = playing.server.table.seats
    phone = playing.open(first, **PHONE)
    phone.wait_for_timeout(500)  # until it listens
    before = phone.inner_text(".gauge >> nth=0")
    playing.server.end_streams()  # for a second: the page does not miss it
    act = partial(run_page_action, name="damage", form={"amount": "1"}, at=AT)
    playing.server.table.change(first, act)
    phone.wait_for_function(
        "old => document.querySelector('.gauge').innerText !== old", arg=before, timeout=5000
    )


def test_an_error_does_not_take_the_place_of_the_page(playing: Playing) -> None:
    _first, second = playing.server.table.seats
    phone, gauge = playing.open(second, **PHONE), ".gauge >> nth=0"
    before = phone.inner_text(gauge)
    phone.route("**/live*", lambda route: route.fulfill(status=429, body="too many"))
    with phone.expect_response("**/live*"):
        phone.evaluate("htmx.trigger(document.body, 'refresh')")
    phone.wait_for_timeout(100)
    assert phone.inner_text(gauge) == before
    with phone.expect_response("**/live*"):  # it is asked for again
        pass


@pytest.mark.needs("axe")
@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_the_page_is_accessible_and_fits(
    playing: Playing, viewport: dict[str, int], scheme: str
) -> None:
    for seat in playing.server.table.seats:
        page = playing.open(seat, scheme, **viewport)
        for step in ("", ".ability", ".gauge", "text=Start turn", "text=Note", "text=History"):
            if step:
                page.keyboard.press("Escape")
                page.click(f"{step} >> nth=0")
                page.wait_for_timeout(300)
            page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
            assert page.evaluate(SMALL.replace("label", "label.check")) == [], step
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], step
            assert page.evaluate("document.querySelector('.vitals').offsetHeight") <= 96
            assert run_axe(page).wrong == [], step


CUT = """() => [...document.querySelectorAll(".gauge > span, .units :is(b, small), .sections a")]
    .filter((one) => one.checkVisibility())
    .filter((one) => one.scrollWidth > one.clientWidth + 1
        || one.getBoundingClientRect().right > innerWidth)
    .map((one) => one.textContent)"""


def test_no_number_unit_or_section_is_cut_on_a_phone(playing: Playing, files: list[Path]) -> None:
    """Squad d20 has long labels, counters and a companion."""
    first, second = playing.server.table.seats
    assert playing.open(first, **PHONE).evaluate(CUT) == []
    squad = CharacterSpec(load("squad-d20"), "cut", "Imre Kovacs", 1)
    save(create_character(squad, RandomAnswers("cut")), files[1])
    phone = playing.open(second, **PHONE)
    assert phone.evaluate(CUT) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


# The texts whose descenders lie below what hides them.
CUT = """() => [...document.querySelectorAll("body *")].flatMap((one) => {
    const text = [...one.childNodes].find((node) => node.nodeType === 3 && node.data.trim());
    if (!text || !one.offsetParent || one.closest(".unseen")) return [];
    const range = document.createRange();
    range.selectNodeContents(text);
    const { bottom } = range.getBoundingClientRect();
    for (let box = one; box; box = box.parentElement) {
        if (getComputedStyle(box).overflowY !== "hidden") continue;
        const clip = box.getBoundingClientRect();
        if (bottom > clip.bottom + 0.5) {
            return [`${text.data.trim()} (${box.className}): ${bottom - clip.bottom} px`];
        }
    }
    return [];
})"""


def test_no_descender_is_cut_on_a_phone(playing: Playing) -> None:
    """In and out of a fight: the gauges have less room when the order of turns is shown."""
    first, _second = playing.server.table.seats
    phone = playing.open(first, **PHONE)
    phone.wait_for_selector(".gauge")
    assert phone.evaluate(CUT) == []
    playing.do("initiative", who=[first])
    phone.reload()
    phone.wait_for_selector("#turns .turns")
    assert phone.evaluate(CUT) == []
