"""A random life of a character: no sequence of commands loses data.

Commands run in process, as from a shell where nobody can be asked. After
each one the file loads, replays to what its summary says, and money adds
up; in the end every command is undone, and each earlier file comes back
byte for byte (``undone`` apart).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.character.files import reader
from charforge.character.files.document import to_text
from charforge.character.files.events import AcquireEvent, DropEvent, ResourceEvent
from charforge.cli.app import main
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document, saved_summary
from charforge.rules.loading.loader import load
from charforge.usecases.create import create_character
from tests.samples import LONG

pytestmark = pytest.mark.slow

# In mC, from the book's list of equipment.
PRICES = {
    "advanced-first-aid-kit": 100,
    "alloy-cable-5m": 20,
    "backpack": 40,
    "electric-lantern": 20,
    "miniature-general-scanner": 100,
    "non-perishable-rations-1-day": 5,
    "personal-communicator": 80,
    "primitive-first-aid-kit": 15,
    "primitive-rope-20m": 10,
    "solar-array": 80,
    "toolkit": 50,
    "torch": 20,
    "water-bottle": 10,
}
UNPRICED = {
    "standard-pistol": "damage=heat",
    "auto-rifle": "damage=sharp",
    "simple-warhammer": "",
    "minigun": "damage=sharp",
}
TENTS = {"1-man": 50, "2-man": 70, "8-man": 200}
CONDITIONS = ("prone", "grappled", "taunted", "focus", "lockdown", "clarity", "overflow")
QUANTITIES = st.integers(1, 4)
items = st.sampled_from([*PRICES, *UNPRICED])


def run(*arguments: object) -> tuple[int, str, str]:
    """Run the program here; return its exit code and what it said."""
    out, err = StringIO(), StringIO()
    argv = ["charforge", *map(str, arguments)]
    with (
        patch.object(sys, "argv", argv),
        patch.object(sys, "stdin", StringIO()),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as ended:
            assert isinstance(ended.code, int)
            return ended.code, out.getvalue(), err.getvalue()
    raise AssertionError("the program did not end")


class Life(RuleBasedStateMachine):
    """One character, many commands; ``stack`` holds the files before each that changed it."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = TemporaryDirectory()
        self.file = Path(self._folder.name) / "nix.json"
        self.stack: list[str] = []
        self.undone: list[str] = []

    @initialize(seed=st.integers(0, 30))
    def born(self, seed: int) -> None:
        rules = load("capital")
        plan = CharacterSpec(rules, str(seed), "Nix")
        self.file.write_text(
            to_text(create_character(plan, RandomAnswers(str(seed)))), encoding="utf-8"
        )

    # ------------------------------------------------------------ what is done

    def do(self, *arguments: object) -> bool:
        """Run a command on the file; whether it changed it."""
        command, *rest = arguments
        before = self.file.read_text(encoding="utf-8")
        code, _out, said = run(command, self.file, *rest)
        assert code in (0, 1, 2), said
        assert "Traceback" not in said
        after = self.file.read_text(encoding="utf-8")
        if code == 2:
            assert after == before, said
        if after == before:
            return False
        self.stack.append(before)
        self.undone.clear()
        return True

    @rule(item=items, number=QUANTITIES)
    def buy(self, item: str, number: int) -> None:
        if item in PRICES:
            self.do("buy", item, "--quantity", number)
        else:
            choice = ("--with", UNPRICED[item]) if UNPRICED[item] else ()
            self.do("buy", item, "--price", 60, *choice)

    @rule(size=st.sampled_from(sorted(TENTS)))
    def buy_a_tent(self, size: str) -> None:
        self.do("buy", "tent", "--with", f"size={size}")

    @rule(item=items)
    def get_for_nothing(self, item: str) -> None:
        choice = ("--with", UNPRICED[item]) if UNPRICED.get(item) else ()
        self.do("buy", item, "--free", *choice)

    @rule(item=items, number=QUANTITIES, price=st.none() | st.integers(0, 90))
    def sell(self, item: str, number: int, price: int | None) -> None:
        named = () if price is None else ("--price", price)
        self.do("sell", item, "--quantity", number, *named)

    @rule(item=items, number=QUANTITIES)
    def part(self, item: str, number: int) -> None:
        self.do("drop", item, "--quantity", number)

    @rule(item=items)
    def hold(self, item: str) -> None:
        self.do("hold", item)

    @rule(item=items)
    def stow(self, item: str) -> None:
        self.do("stow", item)

    @rule(what=st.sampled_from(["grit", "money", "energy", "hp"]), number=st.integers(1, 20))
    def gain(self, what: str, number: int) -> None:
        self.do("award", what, number)

    @rule(
        what=st.sampled_from(
            ["system/robotic", "system/healthy", "companion/drone", "vehicle/bike"]
        )
    )
    def gain_from_the_gm(self, what: str) -> None:
        self.do("award", what, "--random")

    @rule(number=st.integers(0, 60), kind=st.sampled_from(["sharp", "heat"]))
    def damage(self, number: int, kind: str) -> None:
        self.do("damage", number, "--type", kind)

    @rule(number=st.integers(1, 30))
    def heal(self, number: int) -> None:
        self.do("heal", number)

    @rule(what=st.sampled_from(["energy", "grit", "hp", "money"]), number=st.integers(1, 5))
    def spend(self, what: str, number: int) -> None:
        self.do("spend", what, number)

    @rule(what=st.sampled_from(CONDITIONS), off=st.booleans())
    def condition(self, what: str, off: bool) -> None:
        self.do("condition", what, *(["--off"] if off else []))

    @rule(how=st.sampled_from(["short", "long", "full"]))
    def rest(self, how: str) -> None:
        self.do("rest", how)

    @rule(end=st.booleans())
    def turn(self, end: bool) -> None:
        self.do("turn", *(["--end"] if end else []))

    @rule(
        attribute=st.sampled_from(["str", "agi", "wil"]),
        against=st.integers(0, 10),
        weakness=st.booleans(),
    )
    def roll(self, attribute: str, against: int, weakness: bool) -> None:
        self.do("roll", attribute, "--vs", against, "--set", f"weakness={int(weakness)}")

    @rule(text=st.sampled_from(["met the baron", "Zoë owes 5 mC", "„quoted“"]))
    def note(self, text: str) -> None:
        self.do("note", text)

    @precondition(lambda self: self.level < 10)
    @rule()
    def level_up(self) -> None:
        self.do("level-up", "--random")

    @rule(unit=st.sampled_from(["bike", "tank", "drone"]))
    def upgrade(self, unit: str) -> None:
        self.do("level-up", "--unit", unit, "--random")

    @rule(
        what=st.sampled_from(
            ["role", "asset", "role.plus", "attributes.roll", "strengths", "money", "outfits"]
        ),
        number=st.integers(0, 7),
    )
    def edit(self, what: str, number: int) -> None:
        """Answer an early decision as another character did; chance answers what that opens."""
        rules = load("capital")
        other = CharacterSpec(rules, f"other {number}", "N").replay(
            leave_out_optional(RandomAnswers(f"{number}"))
        )
        if what == "attributes.roll":
            self.do("edit", what, "--random")
        elif other.state.answers.get(what) is not None:
            self.do("edit", what, "--answer", json.dumps(other.state.answers[what]), "--random")

    @rule(goal=st.sampled_from(["goal/hunt", "goal/fame-infamy", "to see the sea"]))
    def another_goal(self, goal: str) -> None:
        self.do("edit", "personality.goal", "--now", "--answer", json.dumps(goal))

    @rule(name=st.sampled_from(["Nix", "Zoë", "Ari"]))
    def rename(self, name: str) -> None:
        self.do("edit", "--name", name)

    @rule(way=st.sampled_from(["or_more", "or_less"]))
    def rule_otherwise(self, way: str) -> None:
        self.do("edit", "--rule", f"cooldown={way}")

    @rule(system=st.sampled_from(["system/healthy", "system/quick", "system/urgency"]))
    def plan(self, system: str) -> None:
        self.do("plan", f"level.{self.level + 1}.systems=[{system}]")

    # ------------------------------------------------------------ and undone

    @precondition(lambda self: self.stack)
    @rule()
    def undo(self) -> None:
        now = self.file.read_text(encoding="utf-8")
        code, _out, said = run("undo", self.file)
        assert code == 0, said
        wanted = self.stack.pop()
        assert without_undone(self.file.read_text(encoding="utf-8")) == without_undone(wanted)
        self.undone.append(now)

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        before = self.file.read_text(encoding="utf-8")
        code, _out, said = run("redo", self.file)
        assert code == 0, said
        wanted = self.undone.pop()
        assert without_undone(self.file.read_text(encoding="utf-8")) == without_undone(wanted)
        self.stack.append(before)

    # ------------------------------------------------------------ what always holds

    @property
    def level(self) -> int:
        return reader.load(self.file).level

    @invariant()
    def the_file_loads_and_is_what_its_log_makes(self) -> None:
        if not self.file.exists():
            return
        loaded = reader.load(self.file)
        opened = load_document(loaded, self.file)
        assert saved_summary(opened.character) == loaded.character
        assert to_text(loaded) == self.file.read_text(encoding="utf-8")
        self._money_adds_up(opened)
        self._slots_hold(opened)

    def _money_adds_up(self, opened: LoadedCharacter) -> None:
        """What was there at first, less what was paid, and what was received."""
        state = opened.character.state
        expected = state.answers.get("money", 0)
        idle = {*opened.character.dormant, *(p.decision for p in opened.character.problems)}
        for event in opened.document.log:
            if f"event.{event.n}" in idle:
                continue
            if isinstance(event, AcquireEvent):
                expected -= (event.price or 0) * event.quantity
            elif isinstance(event, DropEvent):
                expected += (event.price or 0) * event.quantity
            elif isinstance(event, ResourceEvent) and event.value == "money":
                expected += event.by
        assert state.values().total("money") == expected

    def _slots_hold(self, opened: LoadedCharacter) -> None:
        """No more Slots are used than there are, as long as the character is legal."""
        if opened.character.legal:
            for unit in opened.character.state.units:
                values = opened.character.state.values(unit.id)
                if "slots" in values:
                    assert values.base("slots_used") <= values.base("slots")

    def teardown(self) -> None:
        """Undo everything, step by step, back to the start."""
        try:
            for wanted in reversed(self.stack):
                code, _out, said = run("undo", self.file)
                assert code == 0, said
                now = self.file.read_text(encoding="utf-8")
                assert without_undone(now) == without_undone(wanted)
            if self.file.exists():
                code, _out, said = run("undo", self.file)
                assert (code, "nothing to undo" in said) == (2, True)
        finally:
            self._folder.cleanup()


def without_undone(text: str) -> dict[str, Any]:
    """Return a file's lines but those of what was undone."""
    return {"lines": list(_lines(text))}


def _lines(text: str) -> Iterator[str]:
    inside = False
    for line in text.splitlines():
        if line.startswith(' "undone"'):
            inside = line.endswith("[")
            continue
        if not inside:
            yield line
        elif line.startswith(" ]"):
            inside = False


TestLife = Life.TestCase
# Three lives take about 45 seconds; --long tries more.
TestLife.settings = settings(max_examples=40 if LONG else 3, stateful_step_count=20)
