"""What a group owns on the pages of its members: its values, changing them, telling everybody."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.storage import save
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import load_character, load_shared
from charforge.rules.loading import loader
from charforge.usecases.create import create_character
from tests.serve.browsing import PHONE, SMALL, Playing
from tests.source import EXAMPLES

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]
CREW = "crew.json"


@pytest.fixture
def files(packs_home: Path, tmp_path: Path) -> list[Path]:
    """Two smugglers whose crew is The Eels."""
    for game in ("low-tide", "low-tide-crew"):
        shutil.copytree(EXAMPLES / game, packs_home / game)
    (tmp_path / "charforge.yaml").write_text("ruleset: low-tide\nshared: crew.json\n", "utf-8")
    create(tmp_path / CREW, "low-tide-crew", "The Eels")
    return [create(tmp_path / f"{name.lower()}.json", "low-tide", name) for name in ("Ilse", "Bas")]


def create(path: Path, game: str, name: str) -> Path:
    ruleset = loader.load(game)
    owned = load_shared(path.parent, ruleset)
    reading = None if owned is None else owned.reading
    spec = CharacterSpec(ruleset, name, name, shared=reading)
    save(create_character(spec, RandomAnswers(name)), path)
    return path


def crew(files: list[Path], value: str) -> int:
    return load_character(files[0].parent / CREW).character.state.values().total(value)


def test_a_member_changes_the_crew_and_the_others_see_it(
    playing: Playing, files: list[Path]
) -> None:
    first, second = playing.server.table.seats
    phone, other, master = playing.open(first, **PHONE), playing.open(second), playing.open()
    assert other.inner_text("#shared h2") == "Crew: The Eels"
    assert "Heat 0/6" in " ".join(other.inner_text("#shared").split())
    assert phone.evaluate(SMALL) == []
    width = phone.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    phone.click("#shared .store:has-text('Stash')")
    phone.click("dialog .submits >> text=Spend")
    phone.wait_for_selector("dialog.result")
    assert "Stash (Crew) −1 → 1" in phone.inner_text("dialog.result")
    other.wait_for_selector("#shared .store:has-text('1/4')")
    assert "1/4" in phone.inner_text("#shared .store:has-text('Stash')")
    assert crew(files, "stash") == 1
    phone.click("dialog.result >> text=Undo")
    other.wait_for_selector("#shared .store:has-text('2/4')")
    assert crew(files, "stash") == 2
    master.click("#log summary")
    master.wait_for_selector("#log-lines li:has-text('Stash (Crew) −1 → 1')")


def test_a_job_that_brings_heat_is_seen_by_everybody(playing: Playing, files: list[Path]) -> None:
    first, second = playing.server.table.seats
    phone, other = playing.open(first, **PHONE), playing.open(second, **PHONE)
    phone.click("#scores .score:has-text('Tongue')")
    phone.click("dialog >> text=Dice you rolled yourself")
    dice = phone.locator("dialog [name='dice.dice']")
    dice.fill(",".join(["1"] * load_character(files[0]).character.state.values().total("tongue")))
    phone.click("dialog .submits .main")
    phone.wait_for_selector("dialog.result")
    assert "Heat (Crew) +2 → 2" in phone.inner_text("dialog.result")
    other.wait_for_selector("#shared .store:has-text('2/6')")
    assert crew(files, "heat") == 2
