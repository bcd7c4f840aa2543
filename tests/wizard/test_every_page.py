"""The pages that a player meets, on terminals of three sizes, with and without colours, in lines.

Each page must fit, name its keys and show what it is for; `test_wizard` checks what keys do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import to_text
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests.cli.terminals import DOWN, ENTER, ESCAPE, ThreadRun
from tests.wizard.test_wizard import COLOUR, REVIEW

pytestmark = pytest.mark.slow
SIZES = [(24, 80), (32, 100), (40, 140)]
MODES = {"colour": {}, "no-color": {"NO_COLOR": "1"}, "plain": {"TERM": "dumb"}}
ASSET, SYSTEMS = "What is your Special Asset?", "Which Systems do you choose?"
WIDE = 110  # columns from which on the character stands in a panel
RIFLE = "special-weapon/rifle"


def ends_in_words(keys: str) -> bool:
    """Whether a line of keys is complete: it says how to go back and how to stop."""
    return "Esc back" in keys and keys.endswith(
        ("quit", "cancel", "leave", "type to search", "search")
    )


class Reader(ThreadRun):
    """A player who looks at every page before answering it."""

    def __init__(self, mode: str, size: tuple[int, int], folder: Path, *arguments: object) -> None:
        self.mode, (self.rows, self.columns) = mode, size
        super().__init__(folder, *arguments, rows=self.rows, columns=self.columns, **MODES[mode])

    def page(self, question: str, *texts: str, values: bool = True) -> None:
        """Wait for a page, and check that it fits, with its keys and these texts.

        ``values``: whether those of the character stand next to the question.
        """
        self.shows(question, *texts)
        if self.mode == "plain":
            self.until(lambda: self.seen.endswith("back): "), "the line to type")
            return
        self.until(lambda: ends_in_words(self.lines[-2]), "all keys")
        self.until(lambda: self._stands_beside() is (values and self.columns >= WIDE), "a panel")
        self.until(lambda: self._stands_above() is (values and self.columns < WIDE), "a strip")

    def _stands_beside(self) -> bool:
        """Whether the values of the character stand in a panel."""
        return any("│ STR " in line for line in self.lines)

    def _stands_above(self) -> bool:
        """Whether the values of the character stand above the question."""
        return any(line.startswith(" STR ") and "HP" in line for line in self.lines)

    def shows(self, *texts: str) -> None:
        """Wait for texts on the page."""
        for text in texts:
            if self.mode == "plain":
                said = text.replace(" ★", " (recommended)")
                self.until(lambda said=said: said in self.seen, said)  # type: ignore[misc]
            else:
                self.sees(text)

    def answer(self, keys: str, *typed: str) -> None:
        """Press keys; in lines, type these."""
        if self.mode == "plain":
            self.seen = ""
        self.type(*(typed if self.mode == "plain" else [keys]))

    def check_colours(self) -> None:
        """Check that there are colours only where they are wanted; in lines, no escapes at all."""
        assert bool(COLOUR.search(self.seen)) is (self.mode == "colour")
        assert self.mode != "plain" or "\x1b" not in self.seen


def terminals(
    turn: int, *more: object, name: str = "", lines: bool = False, middle: bool = False
) -> list[Any]:
    """Return terminals for some pages: a small one and a wide one, one of them without colours.

    With ``middle`` there is one of the size between, with ``lines`` one where each question is a
    line. ``more`` are further values of the test's parameters, which have a ``name``.
    """
    modes = ("colour", "no-color")
    sizes = SIZES if middle else SIZES[::2]
    seen = [(modes[(turn + place) % 2], size) for place, size in enumerate(sizes)]
    seen += [("plain", SIZES[turn % 3])] if lines else []
    return [
        pytest.param((mode, size), *more, id=f"{name}{size[1]}x{size[0]}-{mode}")
        for mode, size in seen
    ]


@pytest.fixture
def read(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Reader]]:
    """Start the program for a player with such a terminal."""
    readers: list[Reader] = []
    mode, size = request.param

    def start(*arguments: object) -> Reader:
        readers.append(Reader(mode, size, tmp_path, *arguments))
        return readers[-1]

    yield start
    for reader in readers:
        reader.close()


@pytest.fixture
def nix(capital: Ruleset) -> CharacterSpec:
    """A Lancer of Level 2 with a Rifle, all answers at random but legal."""
    spec = CharacterSpec(
        capital, "7", "Nix", 2, answers={"role": "role/the-lancer", "asset": RIFLE, "money": 350}
    )
    return CharacterSpec(capital, "7", "Nix", 2, answers=spec.replay(RandomAnswers("7")).answers())


@pytest.fixture
def file(nix: CharacterSpec, tmp_path: Path) -> Path:
    """The character file of Nix."""
    path = tmp_path / "nix.json"
    path.write_text(to_text(create_character(nix)), encoding="utf-8")
    return path


@pytest.mark.parametrize("read", terminals(0, lines=True, middle=True), indirect=True)
def test_the_first_pages_of_a_new_character(read: Callable[..., Reader]) -> None:
    player = read("new", "--ruleset", "capital", "--seed", "7")
    player.page(
        "Who is your character?", "Your Role is your job on the team", "Build", values=False
    )
    player.answer(f"{ENTER}{ENTER}{ENTER}", "\n")
    player.page("What is your Role?", "The Sentinel", values=False)
    player.answer(ENTER, "1\n")
    player.page("Roll 10d6 for your Attributes", "Your eight Scores decide", values=False)
    player.answer(ENTER, "1\n")
    player.page("Which 2 dice do you drop?", "Your dice:", "0 of 2 picked", values=False)
    player.answer(f" {DOWN}{DOWN} {ENTER}", "2\n", "3\n", "\n")
    player.page(
        "Which Attribute gets which score?", "Scores left:", "Knowledge (KNW)", values=False
    )
    player.answer("\x1b[A\r", "2\n")
    player.shows("All scores are assigned.")
    player.answer(ENTER, "\n")
    player.page("Attributes", "Vision (VSN) ★", "Agility (AGI) ★")
    player.check_colours()


@pytest.mark.parametrize("read", terminals(1, lines=True), indirect=True)
def test_the_later_pages_of_a_new_character(
    read: Callable[..., Reader], nix: CharacterSpec, tmp_path: Path
) -> None:
    left = ("asset", "level.2.systems")
    known = {name: answer for name, answer in nix.answers.items() if name not in left}
    job = {"ruleset": "capital", "name": "Nix", "level": 2, "seed": "7", "answers": known}
    path = tmp_path / "answers.yaml"
    path.write_text(json.dumps(job), encoding="utf-8")
    player = read("new", "--answers", path)
    player.page(
        ASSET, "One advantage that nobody else", "Rifle ★", "Special Weapons", "Range", "Roll"
    )
    player.answer(ENTER, "\n")
    player.page(SYSTEMS, "Level 2 brings", "2 of 2 Slots left", "Done", "The Lancer (yours)")
    player.answer(" ", "2\n")
    player.shows("1 of 2 Slots left; picked: Try That Again II")
    player.answer(ENTER, "\n")
    player.page(REVIEW, "Worth a look", "Empty Slots: 1.", "Unspent money: 350 mC.")
    player.answer("?", "?\n")
    player.page("What do these words mean?", "Words on the page before", values=False)
    player.answer(ESCAPE, "<\n")
    player.page(REVIEW, "Save")
    player.answer(ENTER, "1\n")
    assert player.ends() == 0
    assert "charforge level-up Nix.json" in player.seen
    player.check_colours()


PAGES = [
    (("level-up", "nix.json"), "Roll for HP", ("Level 3 brings:", "Surge")),
    (("edit", "nix.json", "asset"), ASSET, ("Rifle", "Special Weapons")),
    (("shop", "nix.json"), "What do you buy or sell?", ("Money: 350 mC", "Equipment")),
]


@pytest.mark.parametrize(
    ("read", "command", "question", "texts"),
    [
        terminal
        for turn, page in enumerate(PAGES)
        for terminal in terminals(
            turn, *page, name=f"{page[0][0]}-", middle=turn == 0, lines=page[0][0] == "shop"
        )
    ],
    indirect=["read"],
)
def test_the_pages_of_a_character_that_exists(
    read: Callable[..., Reader],
    file: Path,
    command: tuple[str, ...],
    question: str,
    texts: tuple[str, ...],
) -> None:
    assert file.exists()
    player = read(*command)
    player.page(question, *texts)
    player.check_colours()
