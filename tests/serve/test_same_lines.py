"""A player's page shows for an action what the shell prints for the same words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.storage import save
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import load_character
from charforge.rules.loading.loader import load
from charforge.serve.player import player_page
from charforge.usecases.create import create_character
from tests.command_runner import run_command
from tests.serve.clients import Browser, Running


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A character with gear, money and dice to roll."""
    spec = CharacterSpec(load("capital"), seed="Nix", name="Nix")
    file = tmp_path / "nix.json"
    save(create_character(spec, RandomAnswers("Nix")), file)
    return [file]


def on_page(html: str) -> list[str]:
    """Return what a result shows, a line each; the name of an ability that is used is its title."""
    lines = re.findall(r'<li class="step[^"]*">(.*?)</li>', html)
    title = re.search(r'<h2 id="panel-title"[^>]*>(.*?)</h2>', html)
    assert title, html
    told = [unescape(re.sub(r" <small>(.*?)</small>", r" [\1]", line)) for line in lines]
    return [unescape(title[1]), *told]


def in_shell(text: str) -> list[str]:
    """Return the indented lines that the shell prints."""
    return [" ".join(line.split()) for line in text.splitlines() if line.startswith("  ")]


def actions(file: Path) -> Iterator[tuple[str, Mapping[str, str], list[str]]]:
    """Yield actions of a page, each with its fields and the words of the shell."""
    page = player_page(load_character(file))
    move = next(
        line.tap.fields for group in page.abilities for line in group.lines if line.name == "Move"
    )
    dropped = next(tap for one in page.items for tap in one.taps if tap.action == "drop").fields
    yield "gain", {"what": "money", "amount": "5"}, ["award", "money", "5"]
    yield "use", move, ["use", move["source"], "--action", move["key"]]
    yield "damage", {"amount": "3", "in.type": "sharp"}, ["damage", "3", "sharp"]
    yield "undo", {}, ["undo"]
    yield "redo", {}, ["redo"]
    yield "drop", dropped, ["drop", dropped["item"]]


def test_a_page_shows_the_lines_of_the_shell(
    running: Running, opened: Callable[..., Browser]
) -> None:
    browser, file = opened("nix"), running.files["nix"]
    for action, fields, words in list(actions(file)):
        compare(running, browser, action, fields, words)


def compare(
    running: Running, browser: Browser, action: str, fields: Mapping[str, str], words: list[str]
) -> None:
    """Do the same on the page and in the shell with a copy of the file; return its lines."""
    file = running.files["nix"]
    copy = file.with_name("copy.json")
    copy.write_bytes(file.read_bytes())
    verb, *rest = words
    printed = in_shell(run_command(verb, copy, *rest, folder=file.parent).out)
    answer = browser.post(running.path("nix", f"/do/{action}"), **fields)
    assert answer.status == 200, answer.text
    title, *shown = on_page(answer.text)
    if action == "use":
        used, *printed = printed
        assert used.startswith(title)
    assert printed == shown
    assert shown or action == "use", action
    assert file.read_bytes() == copy.read_bytes()
