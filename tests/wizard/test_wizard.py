"""The wizard in a real terminal, key by key."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from charforge import wizard
from charforge.answers.automatic import RandomAnswers
from charforge.decisions.base import Answer
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load, load_folder
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests.cli.terminals import CTRL_C, DOWN, ENTER, ESCAPE, RIGHT, TAB, TerminalRun, ThreadTerminal
from tests.samples import few

pytestmark = pytest.mark.skipif(os.name == "nt", reason="terminals of Unix")
TOY = Path(__file__).parent.parent / "testdata" / "toy"
SMITHY = TOY.with_name("smithy")
BACK, GONE = "\x02", "\x04"
REVIEW = "Happy with it? Save, or pick something to change."
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9\d|10[0-7])[;m]")
GIVEN = {"seed": "s", "name": "", "level": 1, "answers": {}, "begun": {}, "folder": "", "fixed": []}


def answered(job: dict[str, Any]) -> dict[str, Any]:
    """Ask a job's questions in the wizard; return the name and answers, and how often it saved."""
    job = GIVEN | job
    folder, fixed = job.pop("folder"), frozenset(job.pop("fixed"))
    rules = load_folder(Path(folder)) if folder else load("capital")
    kept: list[CharacterSpec] = []
    stopped = False
    try:
        done = wizard.flow.run(CharacterSpec(rules, **job), kept.append, fixed=fixed)
    except KeyboardInterrupt:
        done, stopped = kept[-1], True
    answers, begun = dict(done.answers), dict(done.begun)
    return {"name": done.name, "answers": answers, "begun": begun, "stopped": stopped,
            "kept": len(kept)}  # fmt: skip


class Player(ThreadTerminal):
    """Somebody at a terminal, with the wizard on its screen."""

    def __init__(self, job: dict[str, Any], folder: Path, rows: int, columns: int, **env: str):
        def program() -> None:
            self.result = answered(job)

        super().__init__(program, folder, rows=rows, columns=columns, **env)

    def changed(self, *keys: str) -> None:
        """Press keys, and wait until the screen is another one."""
        self.until(lambda: self.whole, "a page")
        before = self.lines
        self.type(*keys)
        self.until(lambda: self.whole and self.lines != before, f"a page after {keys}")

    def hurry(self, to: str = REVIEW) -> None:
        """Select what is pointed at, page after page, until a question comes."""
        for _page in range(80):
            if f" {to}" in self.lines:
                return
            self.changed(ENTER)
            if self.lines[-2].startswith(" Not done yet"):
                self.changed(DOWN)
        raise AssertionError(f"{to!r} never came")

    def save(self) -> dict[str, Any]:
        self.asked(REVIEW)
        self.take("Save")
        return self.made()

    def made(self) -> dict[str, Any]:
        """Wait for the end, and return what was made."""
        assert self.ends() == 0
        return self.result


Sit = Callable[..., Player]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """Seat players at terminals of 80 × 24 or another size."""
    players: list[Player] = []

    def seat(rows: int = 24, columns: int = 80, env: dict[str, str] | None = None, **job: Any):
        for former in players:
            former.close()
        players.append(Player(job, tmp_path, rows, columns, **(env or {})))
        return players[-1]

    yield seat
    for player in players:
        player.close()


def with_a_role(sit: Sit) -> Player:
    """Seat a player who has taken the Tank and is asked what comes next."""
    player = sit(name="Nix")
    player.asked("What is your Role?")
    player.take("The Tank")
    player.asked("Roll 10d6 for your Attributes")
    return player


def by_chance(
    rules: Ruleset, level: int = 1, before: str = "", **fixed: Answer
) -> dict[str, Answer]:
    """Return a character's answers, up to a decision where one is named."""
    given = {name.replace("_", "."): answer for name, answer in fixed.items()}
    answers = (
        CharacterSpec(rules, "s", "Nix", level, answers=given).replay(RandomAnswers("s")).answers()
    )
    names = list(answers)
    kept = names[: names.index(before)] if before else names
    return {name: answers[name] for name in kept}


def roll_attributes(player: Player) -> None:
    """Type dice on the second try, drop two, and take the suggested scores."""
    player.asked("Roll 10d6 for your Attributes")
    player.sees("Step 2 of 10 · Attributes")
    player.take("Type my own dice")
    player.sees("Type the 10 numbers")
    player.type("12345", ENTER)
    player.sees("10d6 is 10 dice, not 5.")
    player.type("\x15", "3334443334", ENTER)
    player.sees("3 3 3 4 4 4 3 3 3 4 must be rerolled.")
    player.type("1 2 3 4 5 6 6 5 4 3", ENTER)
    player.asked("Which 2 dice do you drop?")
    player.sees("Your dice: 6 6 5 5 4 4 3 3 2 1")
    player.take("[ ] 1")
    player.sees("1 of 2 picked: 1")
    player.take("[ ] 2")
    player.sees("2 of 2 picked")
    player.type(ENTER)
    player.sees("Scores left: 6 6 6 6 5 5 5 5")
    player.take("Suggest")
    player.sees("All scores are assigned.")
    player.until(lambda: player.pointed == "Done", "Done")
    player.type(ENTER)
    player.asked("Attributes")
    player.point("Which Attribute gets +1?")
    player.sees("Recommended for The Tank")
    player.submit()


def write_stories(player: Player) -> None:
    """Go back to a text and edit it; write an Ideal in own words."""
    player.asked("Stories")
    player.point("What is your Background?")
    player.type("freighter", "\x01", "Brn on a ", "\x17\x17\x17", "Born on a ", ENTER)
    player.until(lambda: player.pointed.startswith("What is your Origin?"), "the next question")
    player.submit()
    player.asked("Personality")
    player.type(BACK)
    player.asked("Stories")
    player.point("What is your Background?")
    player.type("\x01\x05", " in spring")
    player.sees("› Born on a freighter in spring")
    player.submit()
    player.asked("Personality")
    player.point("Which Ideal do you value most?")
    player.type(" ")
    player.asked("Which Ideal do you value most?")
    player.take("Write my own …")
    player.sees("In your own words.")
    player.type("Nobody is left behind", ENTER)
    player.sees("‹ Nobody is left behind ›")
    player.point("What is your main Goal?")
    player.changed(RIGHT)
    player.submit()


def pick_strengths(player: Player) -> None:
    """Pick, remove and pick again, up to the number of each list."""
    player.asked("What are your 3 Strengths?")
    player.sees("0 of 3 picked")
    player.take("[ ] Athletic")
    player.sees("1 of 3 picked: Athletic")
    player.until(lambda: player.pointed.startswith("[✓] Athletic"), "the pointer where it was")
    player.sees("Space remove")
    player.take("[ ] Sneaky")
    player.sees("2 of 3 picked: Athletic, Sneaky")
    player.point("[✓] Athletic")
    player.type(" ")
    player.sees("1 of 3 picked: Sneaky")
    player.type(" ")
    player.sees("2 of 3 picked: Sneaky, Athletic")
    player.point("Done")
    player.type(ENTER)
    player.sees("Not done yet: pick 1 more.")
    player.point("[ ] Empathetic")
    player.type(" ")
    player.sees("3 of 3 picked: Sneaky, Athletic, Empathetic")
    player.point("[ ] Good Liar")
    player.type(" ")
    player.sees("Not possible: 3 of 3 picked.")
    player.take("Done")
    player.sees("0 of 2 picked")
    player.take("[ ] Unfit")
    player.sees("1 of 2 picked")
    player.take("[ ] Obvious")
    player.sees("2 of 2 picked")
    player.type(ENTER)


@pytest.mark.slow
def test_a_whole_character_with_back_own_words_typed_dice_and_search(
    sit: Sit, capital: Ruleset
) -> None:
    player = sit(level=2)
    player.asked("Who is your character?")
    player.sees("Step 1 of 10 · Role")
    player.type(BACK)
    player.sees("This is the first question")
    player.type("Nx", "\x1b[D", "i", ENTER)
    player.until(lambda: player.pointed.startswith("Build"), "the next question")
    player.submit()
    player.asked("What is your Role?")
    player.take("The Tank")
    roll_attributes(player)
    write_stories(player)
    pick_strengths(player)
    player.asked("What is your Special Asset?")
    player.type("warh")
    player.sees("search: warh")
    player.until(lambda: player.pointed.startswith("Warhammer"), "the search pointing")
    player.type(ENTER)
    player.hurry()
    made = player.save()
    assert made["name"] == "Nix"
    answers = made["answers"]
    assert answers["story.background"] == "Born on a freighter in spring"
    assert answers["personality.ideal"] == "Nobody is left behind"
    assert answers["strengths"] == [
        "strength/sneaky", "strength/athletic", "strength/empathetic"
    ]  # fmt: skip
    assert answers["attributes.roll"] == [
        [3, 3, 3, 4, 4, 4, 3, 3, 3, 4],
        [1, 2, 3, 4, 5, 6, 6, 5, 4, 3],
    ]
    assert answers["attributes.discard"] == [1, 2]
    assert answers["asset"] == "special-weapon/warhammer"
    plan = CharacterSpec(capital, "s", "Nix", 2, answers=answers)
    assert create_character(plan).level == 2
    assert list(plan.replay().answers()) == list(answers)


def test_another_game_from_its_pack_alone(sit: Sit, toy: Ruleset) -> None:
    player = sit(folder=str(TOY), rows=40, columns=100)
    player.asked("Who is your character?")
    player.submit()
    player.asked("What is your post?")
    player.hurry("Roll for the first storm")
    player.take("Type my own dice")
    player.type("1 1 3 5 5", ENTER)
    player.sees("1 1 3 5 5 must be rerolled.")
    player.type("1 1 3 8 5", ENTER)
    player.asked("Which 2 dice do you drop?")
    player.hurry("Who is your character?")
    player.type(ENTER)
    player.sees("Please type an answer; Tab writes an example.")
    player.type("\t", ENTER)
    made = player.save()
    assert made["name"] in toy.head.names
    assert create_character(CharacterSpec(toy, "s", made["name"], answers=made["answers"])).log


def test_numbers_are_allotted_on_one_page_and_own_things_are_described(
    sit: Sit, smithy: Ruleset
) -> None:
    player = sit(folder=str(SMITHY), name="Ilmar", answers={"guard": 2, "oath": "x", "skills": []})
    player.asked("Yourself")
    player.sees("Which abilities do you raise? 3 of 3 points left. Each value: from 0 to 2.")
    player.point("Brawn (BRN)")
    player.type("3")
    player.sees("0 of 3 points left.")
    player.type(ENTER)
    player.sees("Enter a number: from 0 to 2.")
    player.type("2", ENTER)
    player.until(lambda: player.pointed.startswith("Wits"), "the next number")
    player.submit()
    player.sees("Spend exactly 3 points (you have spent 2).")
    player.point("Grace (GRC)")
    player.type("1")
    player.sees("0 of 3 points left.")
    player.point("Maximum heat")
    player.sees("Not in this book: enter the value from your rulebook.")
    player.submit()
    player.asked("Which tools have you?")
    player.take("[ ] A hammer of your own")
    player.sees("1 picked, up to 3")
    player.sees("Space remove · + once more · Enter continue")
    player.type("+")
    player.sees("2 picked, up to 3")
    player.until(lambda: player.pointed.startswith("[2] A hammer"), "two of them")
    player.take("Done")
    player.sees("A hammer of your own (1)")
    for name, struck in (("Maul", "Brawn"), ("Tapper", "Wits")):
        player.point("What is it called?")
        player.type(name, DOWN)
        player.sees(f" {name}")
        while struck not in player.pointed:
            player.changed(RIGHT)
        player.type(DOWN, "4", DOWN, "2 m")
        player.sees("› 2 m")
        player.point("How loud?")
        player.sees("Not in this book: enter the value from your rulebook.")
    player.submit()
    made = player.save()
    answers = made["answers"]
    assert answers["abilities"] == {"brawn": 2, "wits": 0, "grace": 1}
    assert answers["embers"] == {"max_heat": 4}
    assert (answers["tools.own.name"], answers["tools.own#2.name"]) == ("Maul", "Tapper")
    assert answers["tools.own#2.ring"] == 1
    assert create_character(CharacterSpec(smithy, "s", "Ilmar", answers=answers)).log


@pytest.mark.slow
def test_what_cannot_be_taken_is_shown_with_its_reason(sit: Sit, capital: Ruleset) -> None:
    answers = by_chance(capital, 2, "level.2.systems", role="role/the-tank")
    player = sit(rows=30, name="Nix", level=2, answers=answers)
    player.asked("Which Systems do you choose?")
    player.sees("2 of 2 Slots left")
    player.sees("The Tank (yours)")
    player.point("[ ] Backup")
    assert "requires a Special Vehicle" in player.pointed
    player.sees("Not possible: requires a Special Vehicle.")
    player.type(ENTER)
    player.until(
        lambda: player.lines[-2] == " Not possible: requires a Special Vehicle.", "the refusal"
    )
    player.take("[ ] Bonk")
    player.sees("1 of 2 Slots left; picked: Bonk")
    player.point("[ ] Cautious")
    player.sees("Not possible: needs 2 Slots; you have 1 left.")
    player.point("[✓] Bonk")
    player.type(" ")
    player.sees("2 of 2 Slots left")
    player.type(TAB)
    player.until(lambda: not any("Backup" in line for line in player.lines), "the filter")
    player.type(TAB)
    player.until(lambda: any("Backup" in line for line in player.lines), "the whole list")
    player.type("overwatch")  # only in the text of Cautious and others
    player.until(lambda: not any("Bonk" in line for line in player.lines[8:]), "the search")
    player.type(ESCAPE)
    player.until(lambda: any("Bonk" in line for line in player.lines[8:]), "the whole list")
    player.type(ESCAPE)
    player.asked("Roll for HP")


def test_back_shows_the_same_dice_again(sit: Sit, capital: Ruleset) -> None:
    answers = by_chance(capital, 2, "level.2.hp")
    player = sit(name="Nix", level=2, answers=answers)
    player.asked("Roll for HP")
    player.take("Roll for me")
    player.sees("✓ Roll for HP · ")
    shown = next(line for line in player.lines if "✓ Roll for HP" in line)
    player.type(BACK)
    player.until(lambda: player.pointed.startswith("Keep "), "the recorded dice")
    assert player.pointed == shown.replace(" ✓ Roll for HP · ", "Keep ")
    assert not any("Roll for me" in line for line in player.lines)
    player.take("Keep")
    player.hurry()
    assert player.save()["answers"]["level.2.hp"] == by_chance(capital, 2)["level.2.hp"]


def test_going_back_from_a_list_keeps_what_was_picked(sit: Sit, capital: Ruleset) -> None:
    answers = by_chance(capital, 1, "strengths", role="role/the-tank")
    player = sit(name="Nix", answers=answers)
    player.asked("What are your 3 Strengths?")
    player.take("[ ] Athletic")
    player.sees("1 of 3 picked: Athletic")
    player.type(BACK)
    player.until(lambda: not any("picked" in line for line in player.lines), "the page before")
    player.until(lambda: player.whole, "the whole page")
    player.submit()
    player.asked("What are your 3 Strengths?")
    player.sees("1 of 3 picked: Athletic")


@pytest.mark.slow
def test_own_words_like_an_option_are_asked_once_more(sit: Sit, capital: Ruleset) -> None:
    answers = by_chance(capital, 1, "strengths", role="role/the-tank")
    player = sit(name="Nix", answers=answers)
    player.asked("What are your 3 Strengths?")
    player.take("[ ] Write my own …")
    player.type("Sneeky", ENTER)
    player.sees("Did you mean Sneaky? Press Enter to keep your own text.")
    player.type(ENTER)
    player.sees("1 of 3 picked: Sneeky")
    player.take("[ ] Write my own …")
    player.type("Atletic", ENTER)
    player.sees("Did you mean Athletic?")
    player.type("\t", ENTER)
    player.sees("2 of 3 picked: Sneeky, Athletic")
    player.sees("[✓] Athletic")


@pytest.mark.slow
def test_a_change_at_the_review_asks_again_what_it_breaks(sit: Sit, capital: Ruleset) -> None:
    answers = by_chance(capital, 2, role="role/the-tank", role_plus="wil")
    player = sit(name="Nix", level=2, answers=answers)
    player.asked(REVIEW)
    player.sees("The Tank, Level 2")
    player.sees("Unspent money: ")
    player.take("What is your Role?")
    player.asked("What is your Role?")
    player.type(BACK)
    player.asked(REVIEW)
    player.take("What is your Role?")
    player.asked("What is your Role?")
    player.take("The Sentinel")
    player.asked("Role")
    player.sees("Damage type")
    player.submit()
    player.asked("Attributes")
    player.until(lambda: player.pointed.startswith("Which Attribute gets +1?"), "what is broken")
    player.sees("Your answer, Will, is no longer possible: Will is not an option for The")
    player.hurry()
    player.sees("The Sentinel, Level 2")
    made = player.save()
    assert made["answers"]["role"] == "role/the-sentinel"
    assert made["answers"]["role.plus"] in ("cha", "knw")
    assert "role.weapon" not in made["answers"]
    kept = {n: a for n, a in answers.items() if n.split(".")[0] not in ("role", "level")}
    assert kept.items() <= made["answers"].items()
    create_character(CharacterSpec(capital, "s", "Nix", 2, answers=made["answers"]))


@pytest.mark.parametrize("key", [CTRL_C, GONE], ids=["ctrl-c", "ctrl-d"])
@pytest.mark.parametrize("line", [False, True], ids=["menu", "line"])
def test_stopping_keeps_every_answer_so_far(
    sit: Sit, capital: Ruleset, key: str, line: bool
) -> None:
    if line:
        answers = by_chance(capital, 1, "money", role="role/the-tank")
        player = sit(name="Nix", answers=answers)
        player.asked("How much money do you start with (mC)?")
    else:
        answers = {"role": "role/the-tank"}
        player = with_a_role(sit)
        player.type(BACK)
        player.asked("Who is your character?")
    player.type("\x15", key)
    made = player.made()
    assert made["stopped"]
    assert made["answers"] == answers


def test_stopping_in_a_form_keeps_what_was_changed_in_it(sit: Sit, capital: Ruleset) -> None:
    answers = by_chance(capital, 1, "story.background", role="role/the-tank")
    player = sit(name="Nix", answers=answers)
    player.asked("Stories")
    player.type("Born late", CTRL_C)
    made = player.made()
    assert made["stopped"]
    assert made["answers"] == {**answers, "story.background": "Born late"}


def test_what_was_typed_on_the_first_page_stays_as_there_is_nothing_to_go_back_to(sit: Sit) -> None:
    player = sit()
    player.asked("Who is your character?")
    player.type("Zed", ENTER)
    player.until(lambda: player.pointed.startswith("Build"), "the next question")
    player.type(ESCAPE)
    player.sees("This is the first question")
    player.sees("› Zed")
    player.type(CTRL_C)
    assert player.made()["name"] == "Zed"


LISTS = (
    ("strengths", 1, "Sneaky", "strength/sneaky", "picked: Sneaky"),
    ("level.2.systems", 2, "Charge", "system/charge", "Slots left; picked: Charge"),
)


@pytest.mark.parametrize(("asked", "level", "label", "option", "told"), LISTS)
def test_what_is_ticked_on_a_list_is_ticked_again_when_it_is_resumed(
    sit: Sit, capital: Ruleset, asked: str, level: int, label: str, option: str, told: str
) -> None:
    answers = by_chance(capital, level, asked, role="role/the-scout")
    fixed = [name for name in answers if level > 1 and not name.startswith("level.")]
    begun: dict[str, Answer] = {}
    for _once_more in range(2):
        player = sit(name="Nix", level=level, answers=answers, begun=begun, fixed=fixed)
        if begun:
            player.sees(told)
        else:
            player.take(f"[ ] {label}")
            player.sees(told)
        player.type(CTRL_C)
        made = player.made()
        assert (made["answers"], made["begun"]) == (answers, {asked: [option]})
        begun = made["begun"]


@pytest.mark.parametrize("begun", few(["sneaky", ["nothing"], {"a": 1}, 7], 2))
def test_a_list_in_a_draft_that_cannot_be_read_is_asked_from_the_start(
    sit: Sit, capital: Ruleset, begun: Answer
) -> None:
    answers = by_chance(capital, 1, "strengths", role="role/the-scout")
    player = sit(name="Nix", answers=answers, begun={"strengths": begun})
    player.sees("[ ]")
    player.type(CTRL_C)
    assert player.made()["answers"] == answers


def test_a_terminal_that_goes_away_ends_it_and_keeps_every_answer(sit: Sit) -> None:
    player = with_a_role(sit)
    player.close()
    assert player.result["stopped"]
    assert player.result["answers"] == {"role": "role/the-tank"}


@pytest.mark.slow
def test_an_interrupt_from_outside_keeps_every_answer(tmp_path: Path) -> None:
    terminal = TerminalRun(tmp_path, "new", "--ruleset", "capital")
    terminal.asked("Who is your character?")
    terminal.submit()
    terminal.asked("What is your Role?")
    terminal.take("The Tank")
    terminal.asked("Roll 10d6 for your Attributes")
    os.kill(terminal.child.pid, signal.SIGINT)
    assert terminal.ends() == 130
    (draft,) = tmp_path.glob("*.draft.yaml")
    assert "role: role/the-tank" in draft.read_text(encoding="utf-8")


def test_a_level_up_asks_for_its_level_alone(sit: Sit, capital: Ruleset) -> None:
    before = by_chance(capital, 1, role="role/the-tank")
    player = sit(name="Nix", level=2, answers=before, fixed=list(before))
    player.asked("Roll for HP")
    player.sees("Step 1 of 2 · Level 2")
    player.type(BACK)
    player.sees("This is the first question")
    player.take("Roll for me")
    player.asked("Which Systems do you choose?")
    player.hurry()
    listed = [line.strip() for line in player.lines if line.startswith("   ")]
    assert not any(line.startswith(("Name", "What is your Role?")) for line in listed)
    made = player.save()
    assert before.items() < made["answers"].items()
    fresh = set(made["answers"]) - set(before)
    assert fresh >= {"level.2.hp", "level.2.systems"}
    assert all(name.startswith("level.2.") for name in fresh)


def test_a_terminal_without_a_cursor_is_asked_in_lines(sit: Sit) -> None:
    player = sit(env={"TERM": "dumb"})
    player.sees("Line to change (Enter continues, ?N about N,")
    player.type("1\n")
    player.sees("Name:")
    player.type("Nix\n")
    player.sees("1  Name: Nix")
    player.type("\n")
    player.sees("?N about N")
    player.type("?5\n")
    player.sees("Max HP = FTD + 18")
    player.type("scou\n")
    player.until(lambda: "The Tank" not in "".join(player.lines[-4:]), "the search")
    player.type("5\n")
    player.sees("✓ What is your Role? · The Tank")
    player.type("<\n")
    player.sees("3  What is your Role? The Tank")
    player.type(GONE)
    made = player.made()
    assert made["answers"] == {"role": "role/the-tank"}
    assert made["stopped"]
    assert "\x1b" not in player.seen


def test_no_color_is_honoured(sit: Sit) -> None:
    player = sit(name="Nix", env={"NO_COLOR": "1"})
    player.asked("What is your Role?")
    assert not COLOUR.search(player.seen)
    coloured = sit(name="Nix")
    coloured.asked("What is your Role?")
    assert COLOUR.search(coloured.seen)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 100), (16, 60), (10, 36)])
def test_a_page_fits_its_terminal(sit: Sit, capital: Ruleset, rows: int, columns: int) -> None:
    answers = by_chance(capital, 2, "level.2.systems", role="role/the-tank")
    player = sit(rows, columns, name="Nix", level=2, answers=answers)
    player.asked("Which Systems do you choose?")
    assert player.lines[-1] == ""
    assert player.pointed.startswith("[ ] Bonk")
    player.until(
        lambda: sum("Esc back" in line for line in player.lines) == (columns > 36),
        "the keys that fit",
    )


@pytest.mark.slow
def test_a_page_follows_the_size_of_its_terminal(tmp_path: Path) -> None:
    terminal = TerminalRun(tmp_path, "new", "--ruleset", "capital", rows=24, columns=80)
    terminal.asked("Who is your character?")
    terminal.screen.resize(16, 60)
    terminal.child.setwinsize(16, 60)
    terminal.until(lambda: "Esc back" in terminal.lines[-2], "the keys in the last row but one")
    assert len(terminal.lines) == 16
    terminal.asked("Who is your character?")
    terminal.child.close(force=True)
