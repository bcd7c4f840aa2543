"""Whole evenings of two players and a game master in browsers, and the same lines in ``play``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.storage import save
from charforge.packs.install import install
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests.serve.browsing import AT, DESK, PHONE, Playing
from tests.serve.session_lines import type_lines
from tests.source import EXAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]

UNFOLD = "(one) => { while (one = one.parentElement) if ('open' in one) one.open = true; }"


def fill(field: Locator, text: str) -> None:
    """Fill in a field, choose an option, or tick a box for 1."""
    field.evaluate(UNFOLD)
    kind = field.evaluate("(one) => one.matches('select') ? 'select' : one.type")
    if kind == "select":
        field.select_option(text)
    elif kind == "checkbox":
        field.set_checked(text == "1")
    else:
        field.fill(text)


class Seat(NamedTuple):
    """A character at the table: its page, its file, and the same in ``play``."""

    page: Page
    file: Path
    untouched: bytes
    lines: list[str]

    def tap(self, line: str, button: str, **fields: str) -> None:
        """Tap a button, fill in its form if it has one, and wait for the result.

        ``line`` is the same in ``play``.
        """
        places = self.page.locator("#live :is(.vitals, .parts)")
        places.get_by_role("button", name=re.compile(f"^{button}")).first.tap()
        self.page.wait_for_selector("#sheet-dialog dialog[open]")
        for name, text in fields.items():
            field = self.page.locator(f"#sheet-dialog [name='{name.replace('__', '.')}']")
            fill(field.first, text)
        if self.page.locator("#sheet-dialog .submits .main").count():
            self.page.tap("#sheet-dialog .submits .main")
        self._until_done()
        self.lines.append(line)

    def _until_done(self) -> None:
        """Go on with what the rule suggests, until the result is there."""
        done = "#sheet-dialog dialog.result"
        while True:
            self.page.wait_for_selector(
                f"{done}, #sheet-dialog :is([name=answer], .refused, .wrong)"
            )
            told = self.page.inner_text("#sheet-dialog")
            if self.page.locator(done).count():
                break
            assert not self.page.locator("#sheet-dialog :is(.refused, .wrong)").count(), told
            asked = self.page.locator("#sheet-dialog [name=answer]").element_handle(timeout=1000)
            self.page.tap("#sheet-dialog .submits .main")
            self.page.wait_for_function("(one) => !one.isConnected", arg=asked)
        self.page.keyboard.press("Escape")

    def in_play(self) -> bytes:
        """Return the file after its lines were typed into a session."""
        self.file.write_bytes(self.untouched)
        typed = type_lines(self.file, self.lines, lambda _question: "", AT)
        assert not any(typed.codes), typed.errors
        return self.file.read_bytes()


def character(rules: Ruleset, file: Path, level: int, **answers: str) -> Path:
    spec = CharacterSpec(rules, file.stem, file.stem.title(), level, answers=answers)
    save(create_character(spec, RandomAnswers(file.stem)), file)
    return file


class GameMaster(NamedTuple):
    """The game master's page."""

    page: Page

    def tick(self, name: str, wanted: bool) -> None:
        """Tick somebody, or not; a click during a refresh of the page may be lost: once more."""
        box = self.page.locator("#who").get_by_label(name, exact=True)
        for _attempt in range(5):
            if box.is_checked() != wanted:
                box.click()
                self.page.wait_for_timeout(50)
        assert box.is_checked() == wanted

    def send(self, form: str, who: tuple[str, ...] = (), **fields: str) -> None:
        """Fill in a form for the units with these names, send it and wait for the result."""
        shown = self.page.locator(f"form[hx-post='/gm/do/{form}']").first
        shown.evaluate(UNFOLD)
        for name in who:
            self.tick(name, True)
        for name, text in fields.items():
            fill(shown.locator(f"[name='{name.replace('__', '.')}']").first, text)
        with self.page.expect_response("**/gm/do/*"):
            shown.locator("button").last.click()
        for name in who:
            self.tick(name, False)


@pytest.fixture
def evening(playing: Playing, files: list[Path]) -> tuple[Seat, Seat, GameMaster]:
    seats = []
    for seat, file, size in zip(playing.server.table.seats, files, (PHONE, DESK), strict=True):
        page = playing.open(seat, touch=True, **size)
        seats.append(Seat(page, file, file.read_bytes(), []))
    playing.do("run-turns")  # off: the players start and end their turns
    master = playing.open(**DESK)
    playing.confirm(master)
    return *seats, GameMaster(master)


@pytest.fixture
def files(request: pytest.FixtureRequest, tmp_path: Path) -> list[Path]:
    """The characters of two players."""
    if request.param == "capital":
        rules, level = load("capital"), 3
        rifle = {"role": "role/the-lancer", "role.weapon": "equipment/auto-rifle"}
        beast = {"asset": "companion/land-beast"}
        return [
            character(rules, tmp_path / "nix.json", level, **rifle),
            character(rules, tmp_path / "kas.json", level, **beast),
        ]
    request.getfixturevalue("packs_home")
    install(EXAMPLES / "night-post")
    rules = load("night-post")
    return [character(rules, tmp_path / f"{name}.json", 2) for name in ("ada", "finn")]


@pytest.mark.parametrize("files", ["capital"], indirect=True)
def test_a_fight_of_capital(evening: tuple[Seat, Seat, GameMaster]) -> None:
    nix, kas, master = evening
    master.send("foe-add", name="Raider", count="2", hit_points="20")
    master.send("initiative")

    nix.tap("turn", "Start turn")
    nix.tap("stow whip", "Stow Whip")
    nix.tap("hold auto rifle", "Hold Auto Rifle")
    nix.tap("use auto rifle 50m 5", "Auto Rifle: 50 m", in__vs="5")
    nix.tap("use move", "Move Action")
    nix.tap("turn --end", "End turn")
    master.send("next")

    kas.tap("turn", "Start turn")
    kas.tap("use simple spear 4 target_prone=1", "Simple Spear", in__vs="4", in__target_prone="1")
    kas.tap("roll agi 5", "AGI", in__vs="5")
    kas.tap("spend energy 2", "Energy", amount="2")
    kas.tap("turn --end", "End turn")
    master.send("next")

    master.send("damage", ("Nix", "Kas"), amount="9", in__type="sharp")
    nix.lines.append("damage 9 sharp")
    kas.lines.append("damage 9 sharp")
    master.send("condition", ("Kas", "Kas · Land Beast"), condition="status/prone")
    kas.lines.extend(["condition prone", 'condition prone --unit "land beast"'])
    master.send("next")

    nix.tap("turn", "Start turn")
    nix.tap("use auto rifle reload", "Auto Rifle: Reload")
    nix.tap("use surge", "Surge")
    nix.tap("turn --end", "End turn")
    nix.tap('note "Raiders from the docks."', "Note", text="Raiders from the docks.")
    kas.tap("turn", "Start turn")
    kas.tap("condition prone off", "Remove Prone")
    kas.tap("stow simple spear", "Stow Simple Spear")
    kit = "Primitive first aid kit: Large Bandage"
    kas.tap("use large bandage", kit, hold="1")
    kas.tap("undo", "Undo")
    kas.tap("redo", "Redo")
    kas.tap("heal 3", "Heal", amount="3")
    kas.tap("turn --end", "End turn")

    master.send("damage", ("Kas",), amount="60", in__type="blunt")
    kas.lines.append("damage 60 blunt")
    master.send("heal", ("Kas",), amount="12")
    kas.lines.append("heal 12")
    master.send("end-combat")
    master.send("award", ("Nix", "Kas"), what="Money", amount="50")
    master.send("rest", ("Nix", "Kas"), kind="full")
    for seat in (nix, kas):
        seat.lines.extend(["award money 50", "rest full"])
        assert seat.file.read_bytes() == seat.in_play(), seat.lines


@pytest.mark.parametrize("files", ["night-post"], indirect=True)
def test_an_evening_of_the_night_post(evening: tuple[Seat, Seat, GameMaster]) -> None:
    ada, finn, master = evening
    master.send("foe-add", name="The drowned clerk", notes="Wants its letter back.")
    ada.tap("use dash", "Dash")
    ada.tap("use sweet-talk stat=tact", "Sweet-talk", in__stat="tact")
    finn.tap("use dash bonus=1", "Dash", in__bonus="1")
    finn.tap("use dash --dice 6,5", "Dash", dice__dice="6,5")
    finn.tap("undo", "Undo")
    finn.tap("redo", "Redo")
    ada.tap("roll tact", "TACT")
    master.send("damage", ("Ada", "Finn"), amount="1")
    ada.lines.append("damage 1")
    finn.lines.append("damage 1")
    master.send("condition", ("Finn",), condition="status/marked")
    finn.lines.append("condition marked")
    finn.tap("condition marked off", "Remove Marked")
    finn.tap("use pay a fare", "Pay a Fare")
    ada.tap("heal 1", "Heal", amount="1")
    ada.tap('note "The bell rang thirteen."', "Note", text="The bell rang thirteen.")
    master.send("rest", ("Ada", "Finn"), kind="dawn")
    for seat in (ada, finn):
        seat.lines.append("rest dawn")
        assert seat.file.read_bytes() == seat.in_play(), seat.lines
