"""play: a session in a terminal and from a file of lines."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from charforge.cli.play import NOT_HERE

pexpect = pytest.importorskip("pexpect", reason="terminals of Unix")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="terminals of Unix")
STYLES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r")
PROMPT = r"\n[^\n]*> "
TAB, STOP, GONE, UP = "\t", "\x03", "\x04", "\x1b[A"


def log(path: Path) -> list[dict]:
    return json.loads(path.read_text("utf-8"))["log"]


def hp(path: Path) -> int:
    return json.loads(path.read_text("utf-8"))["character"]["values"]["hp"]


# ------------------------------------------------------------------ without a terminal


@pytest.fixture
def fed(process, nix):
    """Play lines from a file; return the exit code, the results, and what was said beside them."""

    def play(lines: str) -> tuple[int, str, str]:
        (nix.parent / "fight.txt").write_text(lines, "utf-8")
        with (nix.parent / "fight.txt").open() as file:
            done = process("play", "nix.json", stdin=file)
        assert b"Traceback" not in done.stderr
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return play


@pytest.mark.slow
def test_lines_from_a_file_are_commands_of_the_shell(fed, nix, process):
    """A session and the same commands from the shell leave the same file."""
    before = nix.read_bytes()
    code, out, err = fed("# a fight\ndamage 7 sharp\n\nuse focus-i\nroll str --vs 5\n")
    assert (code, err) == (0, "")
    assert "HP −7 → 30" in out
    played = nix.read_bytes()
    nix.write_bytes(before)
    shell = [
        process("damage", "nix.json", "7", "--type", "sharp"),
        process("use", "nix.json", "focus-i"),
        process("roll", "nix.json", "str", "--vs", "5"),
    ]
    assert [done.returncode for done in shell] == [0, 0, 0]
    output = [line for line in out.splitlines() if not line.startswith("> ")]
    assert b"".join(done.stdout for done in shell).decode().splitlines() == output
    assert nix.read_bytes() == played


@pytest.mark.slow
def test_a_line_that_fails_is_named_and_the_session_goes_on(fed, nix):
    code, out, err = fed("damage 3\nspend energy 99\ndamge 2\nheal 'x\n  # on\ndamage 1\n")
    assert code == 2  # the worst: unreadable input, beside a refusal (1)
    assert "Energy: 10 left, not 99.\n(line 2: spend energy 99)\n" in err
    assert "There is no command 'damge'. Did you mean damage?\n(line 3: damge 2)\n" in err
    assert "(line 4: heal 'x)\n" in err
    assert hp(nix) == 37 - 3 - 1
    assert out.count("HP 33/37") == 1


@pytest.mark.slow
def test_names_and_notes_are_written_as_they_are_spoken(fed, nix):
    code, _out, err = fed("note Don't enter room #3\nuse Focus I\ncondition critical aim\n")
    assert "no condition of Capital named 'critical aim'" in err
    assert code == 2
    noted, used = log(nix)[-2:]
    assert (noted["text"], used["ability"]) == ("Don't enter room #3", "Gain Focus")


@pytest.mark.slow
def test_each_line_is_repeated_before_its_results_and_a_note_keeps_its_quotes(fed, nix):
    code, out, _err = fed('note She said "never again"\nspend energy 1\n')
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == '> note She said "never again"'
    assert "> spend energy 1" in lines[1:]
    assert log(nix)[-2]["text"] == 'She said "never again"'


@pytest.mark.slow
def test_an_old_name_is_answered_with_the_new_one(fed, nix):
    before = nix.read_bytes()
    code, _out, err = fed("part torch\nundo --redo\n")
    assert code == 2
    assert "`part` is now `drop`:\n  drop torch\n" in err
    assert "`undo --redo` is now `redo`:\n  redo\n" in err
    assert nix.read_bytes() == before


def test_undo_redo_and_quit(fed, nix):
    before = json.loads(nix.read_text("utf-8"))
    code, _out, err = fed("damage 5\nundo\nredo\nundo\nquit\ndamage 9\n")
    assert (code, err) == (0, "")
    after = json.loads(nix.read_text("utf-8"))
    assert [event["do"] for event in after.pop("undone")] == ["play"]
    before.pop("undone")
    assert after == before


@pytest.mark.slow
def test_what_has_no_place_in_a_session(fed):
    code, _out, err = fed("play\nnew --random\nunit bike\nshow --no-such\n")
    assert code == 2
    assert "'play' has no place in a session." in err
    assert "'new' has no place in a session. Leave it with quit" in err
    assert "There is no unit of this character named 'bike'." in err
    assert "--no-such" in err


@pytest.mark.slow
def test_a_line_for_a_shell_works_as_it_is_advised(fed, nix):
    code, out, err = fed("damage 9\ndamage -3\ncharforge heal nix.json 3\nheal ./nix.json 1\n")
    assert (code, hp(nix)) == (2, 37 - 9 + 3 + 1)
    assert "Use: charforge heal nix.json 3\n(line 2: damage -3)\n" in err
    assert out.count("HP 3") == 2


@pytest.mark.slow
def test_odds_and_resolve_go_by_the_character(fed, nix, process):
    before = nix.read_bytes()
    code, out, _err = fed(
        "odds str --vary vs=4..5\nresolve fall --set metres=6 --seed 1\n"
        "resolve --set metres=6 --seed=1 capital fall nix.json\nresolve\n"
    )
    assert code == 0
    output = out.split("> ")
    odds = process("odds", "nix.json", "str", "--vary", "vs=4..5").stdout.decode()
    fall = ("resolve", "capital", "fall", "nix.json", "--set", "metres=6", "--seed", "1")
    fallen = process(*fall).stdout.decode()
    results = [part.partition("\n")[2] for part in output[1:]]
    assert results == [odds, fallen, fallen, process("resolve", "capital").stdout.decode()]
    assert nix.read_bytes() == before


@pytest.mark.slow
def test_what_a_message_proposes_is_of_the_line_and_not_of_the_session(fed):
    code, _out, err = fed("resolve narrative-dice initiative\nuse at\n")
    assert code == 2
    assert "\n  charforge resolve narrative-dice initiative --set skill_ability=1" in err
    assert "Attack: charforge use nix.json action/attack" in err
    proposed = [
        line.partition("charforge ")[2] for line in err.splitlines() if "charforge " in line
    ]
    code, _out, err = fed(f"charforge {proposed[0]} --seed 1\n")
    assert (code, err) == (0, "")


@pytest.mark.slow
def test_the_help_of_a_session_says_what_does_not_work_there(fed):
    code, out, err = fed("help\n" + "".join(f"{verb}\n" for verb in NOT_HERE))
    assert (code, err.count("has no place in a session")) == (2, len(NOT_HERE))
    assert f"but for {', '.join(NOT_HERE)};" in out


@pytest.mark.slow
def test_a_file_that_is_none_is_said_before_any_line(process, tmp_path):
    done = process("play", "gone.json")
    assert done.returncode == 2
    assert b"there is no such file" in done.stderr


# ------------------------------------------------------------------ on a terminal


class Player:
    """Somebody at the table."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "charforge", "play", "nix.json"],
            cwd=str(folder),
            env={**environment, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"},
            encoding="utf-8",
            timeout=30,
            dimensions=(40, 150),
        )

    def sees(self, *texts: str) -> None:
        for text in texts:
            self.child.expect(re.escape(text))

    def types(self, text: str) -> None:
        self.child.send(text)

    def enters(self, line: str) -> None:
        self.child.send(line + "\r")


@pytest.fixture
def player(nix, environment):
    made = Player(nix.parent, environment)
    made.sees("HP 37/37", ">")
    yield made
    made.child.close(force=True)


@pytest.mark.slow
def test_the_live_line_follows_the_fight(player, nix):
    player.enters("damage 7 sharp")
    player.sees("HP −7 → 30", "HP 30/37")
    player.enters("condition prone")
    player.sees("now Prone", "| Prone")
    player.types(GONE)
    player.child.expect(pexpect.EOF)
    player.child.close()
    assert player.child.exitstatus == 0
    assert [event["do"] for event in log(nix)[-2:]] == ["play", "condition"]


@pytest.mark.slow
def test_ctrl_c_clears_the_line_and_ends_nothing(player, nix):
    player.types("damage 30")
    player.sees("30")
    player.types(STOP)
    player.sees("HP 37/37")
    player.enters("damage 1")
    player.sees("HP 36/37")
    player.enters("quit")
    player.child.expect(pexpect.EOF)
    assert hp(nix) == 36


@pytest.mark.slow
def test_a_killed_session_loses_at_most_the_line_being_typed(player, nix):
    player.enters("damage 2")
    player.sees("HP 35/37")
    player.types("damage 9")
    player.sees("9")
    player.child.kill(signal.SIGKILL)
    player.child.expect(pexpect.EOF)
    assert hp(nix) == 35
    assert log(nix)[-1]["inputs"] == {"amount": 2}
    assert [path.name for path in nix.parent.iterdir() if path.suffix == ".tmp"] == []


@pytest.mark.slow
def test_verbs_and_conditions_are_completed_and_lines_remembered(player, nix):
    player.types("cond" + TAB)
    player.sees("condition")
    player.types(" pro" + TAB)
    player.sees("prone")
    player.types("\r")
    player.sees("now Prone", "| Prone")
    player.enters("undo")
    player.sees("undone", "HP 37/37")
    player.types(UP + UP + "\r")  # the line before undo
    player.sees("now Prone", "| Prone")
    player.enters("quit")
    player.child.expect(pexpect.EOF)
    assert log(nix)[-1] == log(nix)[-1] | {"do": "condition", "condition": "status/prone"}


@pytest.mark.slow
def test_grit_is_asked_for_once_the_dice_are_known(player, nix):
    """STR 3 + 1 + 1 is a double one: a Critical Failure; so 1 + 2 + 3 = 6 against 20: 1 Grit.

    Then there is 1 Grit to spend, once the roll is told: 2 + 2 + 3 = 7 against 7.
    """
    player.enters("roll str --set opposed=20 --dice own=1,2")
    player.sees("Failure, by 14.", "Grit 1")
    player.enters("roll str --set opposed=7 --dice own=2,2")
    player.sees("Your result: 7", "How much Grit do you spend?", "0 to 1 [0]:")
    player.enters("5")
    player.sees("Give a number from 0 to 1.", "0 to 1 [0]:")
    player.enters("1")
    player.sees("Success, with some drawback: a tie.", "Grit 0")
    player.enters("quit")
    player.child.expect(pexpect.EOF)
    assert log(nix)[-1]["inputs"] == {"opposed": 7, "attribute": "str", "grit": 1}


@pytest.mark.slow
def test_a_question_that_is_interrupted_changes_nothing(player, nix):
    player.enters("roll str --set opposed=20 --dice own=1,2")
    player.sees("Grit 1")
    written = nix.read_bytes()
    player.enters("roll str --set opposed=7")
    player.sees("How much Grit do you spend?")
    player.types(STOP)
    player.sees("Stopped.", "Grit 1")
    player.enters("quit")
    player.child.expect(pexpect.EOF)
    assert nix.read_bytes() == written
