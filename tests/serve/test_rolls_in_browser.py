"""Pools that are pushed and rolls under a skill, on a phone: dice, price, result, log."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.storage import save
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import load_character
from charforge.rules.loading import loader
from charforge.usecases.create import create_character
from tests.serve.browsing import PHONE, Playing
from tests.source import EXAMPLES

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]
GAMES = ("cold-light", "drowned-bell")


@pytest.fixture
def files(packs_home: Path, tmp_path: Path) -> list[Path]:
    """A keeper, whose rolls are pools, and somebody who rolls under skills."""
    made = []
    for game in GAMES:
        shutil.copytree(EXAMPLES / game, packs_home / game)
        answers = {"post": "post/mechanic"} if game == "cold-light" else {}
        spec = CharacterSpec(loader.load(game), game, game.title(), answers=answers)
        made.append(tmp_path / f"{game}.json")
        save(create_character(spec, RandomAnswers(game)), made[-1])
    return made


def value(file: Path, name: str) -> int:
    return load_character(file).character.state.values().total(name)


def text(page: object, selector: str) -> str:
    """The text of a part of a page, in one line."""
    return " ".join(page.inner_text(selector).split())  # type: ignore[attr-defined]


def test_a_pool_is_rolled_and_pushed_for_its_price(playing: Playing, files: list[Path]) -> None:
    seat, _other = playing.server.table.seats
    phone, master = playing.open(seat, **PHONE), playing.open()
    number, warmth = value(files[0], "fix"), value(files[0], "warmth")
    phone.click("#scores .score:has-text('Fix')")
    phone.click("dialog >> text=Dice you rolled yourself")
    phone.fill("dialog [name='dice.own']", ", ".join(["1", *["3"] * (number - 1)]))
    phone.click("dialog .submits .main")
    phone.wait_for_selector("dialog [name=answer]")
    assert "Push the roll?" in text(phone, "dialog")
    assert " ".join(["1", *["3"] * (number - 1)]) in text(phone, "dialog").replace(" + ", " ")
    phone.select_option("dialog [name=answer]", "1")
    phone.click("dialog >> text=Go on")
    phone.wait_for_selector("dialog.result")
    result = text(phone, "dialog.result")
    event = load_character(files[0]).document.log[-1].model_dump()
    first, second = event["faces"]["own"]
    assert first == [1, *[3] * (number - 1)]
    assert len(second) == number - 1  # what shows a 1 or a 6 stays
    ones = 1 + second.count(1)
    assert f"The push costs {ones} Warmth." in result
    assert f"{second.count(6)} six" in result
    assert value(files[0], "warmth") == max(warmth - ones, 0)
    master.click("#log summary")
    master.wait_for_selector(f"#log-lines li:has-text('The push costs {ones} Warmth.')")
    phone.click("dialog.result >> text=Undo")
    phone.wait_for_selector("dialog >> text=Redo")
    assert value(files[0], "warmth") == warmth


def test_a_roll_under_a_skill_says_the_level_of_success(
    playing: Playing, files: list[Path]
) -> None:
    _other, seat = playing.server.table.seats
    phone, master = playing.open(seat, **PHONE), playing.open()
    ruleset = load_character(files[1]).ruleset
    skill = ruleset.values[ruleset.group("skills")[0]]
    number = value(files[1], skill.id)
    phone.click(f"#scores .score:has-text('{skill.label}')")
    phone.click("dialog >> text=Dice you rolled yourself")
    phone.fill("dialog [name='dice.die']", str(max(number // 5, 1)))
    phone.click("dialog .submits .main")
    phone.wait_for_selector("dialog.result")
    result = text(phone, "dialog.result")
    assert "extreme" in result.casefold(), result
    assert f"Ticked: {skill.label} may improve." in result
    master.click("#log summary")
    master.wait_for_selector(f"#log-lines li:has-text('Ticked: {skill.label} may improve.')")


def test_a_failed_roll_under_a_skill_is_pushed_for_nerve(
    playing: Playing, files: list[Path]
) -> None:
    _other, seat = playing.server.table.seats
    phone = playing.open(seat, **PHONE)
    ruleset = load_character(files[1]).ruleset
    skill, nerve = ruleset.values[ruleset.group("skills")[0]], value(files[1], "nerve")
    phone.click(f"#scores .score:has-text('{skill.label}')")
    phone.click("dialog >> text=Dice you rolled yourself")
    phone.fill("dialog [name='dice.die']", "99")
    phone.click("dialog .submits .main")
    phone.wait_for_selector("dialog [name=answer]")
    assert "Push the roll for 1d6 Nerve?" in text(phone, "dialog")
    phone.select_option("dialog [name=answer]", "1")
    phone.click("dialog >> text=Go on")
    phone.wait_for_selector("dialog.result")
    event = load_character(files[1]).document.log[-1].model_dump()
    (price,) = event["faces"]["price"][0]
    assert len(event["faces"]["die"]) == 2  # rolled again
    assert f"−{price} → {nerve - price}" in text(phone, "dialog.result")
    assert value(files[1], "nerve") == nerve - price
