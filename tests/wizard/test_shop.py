"""The shop in a real terminal: purchases are saved immediately.

Prices are the book's: Torch 20 mC, Backpack 40, Toolkit 50, Tent for 4 people 100, Advanced
first aid kit 100, high-strength cable 150; weapons have none.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character import gear
from charforge.character.files import atomic_write, reader
from charforge.character.files.document import to_text
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import load_character
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.verbs import manual_changes
from charforge.verbs.history import undo
from tests.cli.terminals import CTRL_C, DOWN, ENTER, ESCAPE, UP, Terminal, TerminalRun, ThreadRun

pytestmark = pytest.mark.slow
QUESTION = "What do you buy or sell?"


class Customer(Terminal):
    """Somebody in the shop."""

    def search(self, words: str, label: str) -> None:
        """Find an entry by typing, and wait until it is pointed at."""
        self.asked(QUESTION)
        self.type(words)
        self.until(lambda: self.pointed.startswith(label), f"{label} pointed at")


class Visitor(ThreadRun, Customer):
    """A customer in this process."""


class Victim(TerminalRun, Customer):
    """A customer in a process of its own, which can be killed."""


@pytest.fixture
def file(capital: Ruleset, tmp_path: Path) -> Path:
    """A character who has 220 mC and no Special Weapon."""
    given = {"money": 220, "role": "role/the-tank", "asset": "augmentation/slots"}
    plan = CharacterSpec(capital, "7", "Nix", 1, answers=given)
    path = tmp_path / "nix.json"
    path.write_text(to_text(create_character(plan, RandomAnswers("7"))), encoding="utf-8")
    return path


@pytest.fixture
def enter(file: Path) -> Iterator[Callable[..., Visitor]]:
    """Let customers into the shop."""
    inside: list[Visitor] = []

    def enter(*item: str, **env: str) -> Visitor:
        inside.append(Visitor(file.parent, "buy" if item else "shop", file, *item, **env))
        return inside[-1]

    yield enter
    for customer in inside:
        customer.close()


def money(file: Path) -> int | None:
    """Load and check the file, and return the money."""
    opened = load_character(file)
    assert opened.problems == ()
    return gear.money(opened.character.state)


def number(file: Path, entity: str) -> int:
    return load_character(file).character.state.number(entity)


def number_of_kit(file: Path) -> int:
    """Return how many Torches the kit of creation brought."""
    held = load_character(file).character.state.holdings
    return sum(h.quantity for h in held if h.entity.slug == "torch" and h.id.startswith("kit."))


def test_buying_several_a_choice_and_selling_with_the_running_balance(enter, file) -> None:
    before = number(file, "equipment/torch")
    customer = enter()
    customer.sees("Money: 220 mC")
    customer.search("torch", "Torch")
    customer.type(ENTER)
    customer.asked("Torch: how many?")
    customer.sees("20 mC each")
    customer.type("\x15", "12", ENTER)
    customer.sees("Costs 240 mC; you have 220 mC.")  # 12 × 20
    customer.type("\x15", "3", ENTER)
    customer.sees("bought 3 × Torch for 60 mC")
    customer.sees("Money: 160 mC")  # 220 − 60
    assert (money(file), number(file, "equipment/torch")) == (160, before + 3)
    customer.search("tent", "Tent")
    customer.type(ENTER)
    customer.asked("Size of the Tent")
    customer.type(ESCAPE)
    customer.search("tent", "Tent")
    customer.type(ENTER)
    customer.asked("Size of the Tent")
    customer.until(lambda: customer.pointed.startswith("1-man"), "the first size")
    customer.type(DOWN, DOWN, DOWN)
    customer.until(lambda: customer.pointed.startswith("4-man"), "the fourth size")
    customer.sees("Money 160 → 60")
    customer.type(ENTER)
    customer.asked("Tent: how many?")
    customer.type(ENTER)
    customer.sees("bought Tent for 100 mC")
    customer.sees("Money: 60 mC")  # 160 − 100
    customer.search("sell tent 4-man", "Sell Tent (4-man")
    customer.type(ENTER)
    customer.asked("Tent: how many do you sell?")
    customer.type("\x15", "2", ENTER)
    customer.sees("You have only 1.")
    customer.type("\x15", "1", ENTER)
    customer.sees("sold Tent for 100 mC")
    customer.sees("Money: 160 mC")
    customer.type(ESCAPE)
    assert customer.ends() == 0
    said = [
        "bought 3 × Torch for 60 mC (20 each)",
        "bought Tent for 100 mC",
        "sold Tent for 100 mC",
    ]
    places = [customer.seen.rindex(line) for line in (*said, "Money 220 → 160 mC")]
    assert places == sorted(places)
    assert money(file) == 160
    assert len({event.group for event in reader.load(file).log}) == 1 + 3


def test_what_is_too_dear_stays_visible_with_the_reason(enter, file) -> None:
    customer = enter()
    customer.search("high-strength", "High-strength Alloy Cable (5m)")
    customer.type(ENTER)
    customer.asked("High-strength Alloy Cable (5m): how many?")
    customer.type(ENTER)
    customer.sees("Money: 70 mC")  # 220 − 150
    customer.search("high-strength", "Sell High-strength Alloy Cable (5m)")
    customer.type(UP)
    customer.until(lambda: customer.pointed.startswith("High-strength"), "the ware pointed at")
    assert "costs 150 mC; you have 70 mC" in customer.pointed
    customer.type(ENTER)
    refusal = " Not possible: costs 150 mC; you have 70 mC."
    customer.until(lambda: customer.lines[-2] == refusal, "the refusal")
    customer.type(ESCAPE)
    customer.until(lambda: not any("search:" in line for line in customer.lines), "the whole list")
    customer.type(ESCAPE)
    assert customer.ends() == 0
    assert money(file) == 70


def test_what_has_no_price_asks_for_the_one_that_the_gm_names(enter, file) -> None:
    customer = enter()
    customer.search("standard pistol", "Standard Pistol")
    customer.sees("Price")
    customer.sees("No list price: your GM sets it.")
    customer.type(ENTER)
    customer.until(lambda: "Sharp" in customer.pointed, "the damage types")
    customer.type(ENTER)
    customer.sees("What does your GM charge for one?")
    customer.type("300", ENTER)
    customer.sees("Costs 300 mC; you have 220 mC.")
    customer.type("\x15", "120", ENTER)
    customer.asked("Standard Pistol: how many?")
    customer.type(ENTER)
    customer.sees("Money: 100 mC")  # 220 − 120
    customer.type(CTRL_C)
    assert customer.ends() == 130
    assert "Money 220 → 100 mC" in customer.seen
    assert money(file) == 100


def test_who_leaves_without_a_deal_is_told_so(enter, file) -> None:
    customer = enter()
    customer.asked(QUESTION)
    customer.type(ESCAPE)
    assert customer.ends() == 0
    assert "nothing was bought or sold" in customer.seen


def test_the_shop_does_not_open_for_the_dead(enter, file) -> None:
    before = load_character(file)
    atomic_write.write(
        file,
        to_text(manual_changes.change_condition(before, "dead").after.document).encode(),
        replace=True,
    )
    customer = enter()
    assert customer.ends() == 1
    assert "Nix is Dead and permanently out of play" in customer.seen


def test_a_shop_that_is_killed_has_lost_only_what_was_being_typed(file) -> None:
    before = number(file, "equipment/toolkit")
    customer = Victim(file.parent, "shop", file)
    customer.search("toolkit", "Toolkit")
    customer.type(ENTER)
    customer.asked("Toolkit: how many?")
    customer.type("\x15", "2", ENTER)
    customer.sees("bought 2 × Toolkit for 100 mC")
    customer.search("torch", "Torch")
    customer.type(ENTER)
    customer.asked("Torch: how many?")
    customer.type("\x15", "4")
    customer.child.kill(signal.SIGKILL)
    customer.child.expect(pexpect.EOF)
    assert money(file) == 120  # 220 − 2 × 50; the torches were not bought
    assert number(file, "equipment/toolkit") == before + 2
    opened = undo(load_character(file)).after
    assert gear.money(opened.character.state) == 220


@pytest.mark.parametrize("wait", [0, 0.02, 0.05, 0.1])
def test_killed_while_it_saves_the_purchase_is_made_or_not(file, wait) -> None:
    customer = Victim(file.parent, "shop", file)
    customer.search("torch", "Torch")
    customer.type(ENTER)
    customer.asked("Torch: how many?")
    customer.type(ENTER)
    time.sleep(wait)
    customer.child.kill(signal.SIGKILL)
    customer.child.expect(pexpect.EOF)
    torches = number(file, "equipment/torch") - number_of_kit(file)
    assert (money(file), torches) in ((220, 0), (200, 1))  # a Torch is 20


def test_an_item_that_is_named_asks_its_choice_on_a_page(enter, file) -> None:
    customer = enter("tent")
    customer.asked("Size of the Tent")
    customer.type(DOWN)
    customer.until(lambda: customer.pointed.startswith("2-man"), "the second size")
    customer.type(ENTER)
    customer.until(lambda: customer.pointed.startswith("Save"), "the review")
    customer.type(ENTER)
    assert customer.ends() == 0
    assert "Money 220 → 150 mC" in customer.seen  # 70
    assert money(file) == 150


def test_a_terminal_that_prints_lines_has_a_shop_too(enter, file) -> None:
    customer = enter(TERM="dumb")
    customer.child.expect("search")
    customer.child.sendline("backpack")
    customer.child.expect(r"(\d+)  Backpack  40 mC")
    customer.child.sendline(customer.child.match[1].decode())
    customer.child.expect(r"Text \(< back\): ")
    customer.child.sendline("")
    customer.child.expect("bought Backpack for 40 mC")
    customer.child.sendline("1")
    customer.child.expect(pexpect.EOF)
    assert money(file) == 180  # 220 − 40
