"""play: a session in a terminal and from a file of lines."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from charforge.cli import console
from charforge.cli.console import FrontEnd
from charforge.cli.session import session as session_module
from charforge.cli.session.session import NOT_HERE, Session
from charforge.language import set_language
from charforge.replay.loaded_character import load_character
from tests.source import EXAMPLES

pexpect = pytest.importorskip("pexpect", reason="terminals of Unix")
terminals = pytest.importorskip("tests.cli.terminals", reason="terminals of Unix")
pytestmark = [pytest.mark.capital, pytest.mark.skipif(os.name == "nt", reason="terminals of Unix")]
TAB, STOP, GONE, UP, ESCAPE, CLEAR = "\t", "\x03", "\x04", "\x1b[A", "\x1b", "\x15"


def log(path: Path) -> list[dict]:
    return json.loads(path.read_text("utf-8"))["log"]


def hp(path: Path) -> int:
    return json.loads(path.read_text("utf-8"))["character"]["values"]["hp"]


def test_a_session_reads_the_file_again_only_when_it_has_changed(nix, monkeypatch):
    read = []
    monkeypatch.setattr(
        session_module, "load_character", lambda file: read.append(file) or load_character(file)
    )
    session = Session(FrontEnd(file=nix))
    assert session.do("status") == 0
    assert session.do("abilities") == 0
    assert len(read) == 1
    assert session.do("damage 3 sharp") == 0
    assert session.do("status") == 0
    assert len(read) == 2


def test_the_first_screen_names_the_usual_verbs_and_the_score_of_a_target(nix, capsys):
    Session(FrontEnd(file=nix)).open()
    shown = " ".join(capsys.readouterr().out.split())
    assert "; for an attack, add the target's score: 1 5 " in shown
    assert shown.endswith(
        "Also: attack, abilities, conditions, status, damage, heal, roll, turn, rest, hold, undo, "
        "help"
    )


@pytest.mark.parametrize("named", ["Nix", "nix.json", "nix"])
def test_a_session_takes_lines_of_the_shell_too(nix, named):
    """The shell needs the character there; a note keeps its words."""
    session = Session(FrontEnd(file=nix))
    before = hp(nix)
    assert session.do(f"damage {named} 3") == 0
    assert hp(nix) == before - 3
    assert session.do(f"use {named} unarmed 5") == 0
    assert session.do(f"note {named} is tired") == 0
    assert log(nix)[-1]["text"] == f"{named} is tired"
    assert session.do(f"unit {named}") == 0


@pytest.mark.parametrize("line", ["heal 0", "damage 0", "heal 3", "damage -2"])
def test_what_changes_nothing_is_not_recorded(nix, line):
    before = nix.read_bytes()
    assert Session(FrontEnd(file=nix)).do(line) != 0
    assert nix.read_bytes() == before


def test_the_first_screen_of_a_session_fits(nix, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    lines = {}
    for height in (24, 60):
        monkeypatch.setenv("LINES", str(height))
        Session(FrontEnd(file=nix)).open()
        lines[height] = capsys.readouterr().out.splitlines()
        assert len(lines[height]) < height
        assert any("hold" in line for line in lines[height][-2:])
    assert len(lines[24]) < len(lines[60]), "with room, abilities have their facts"


def test_the_chance_is_the_last_thing_on_a_terminal(nix, monkeypatch, capsys):
    monkeypatch.setenv("NO_COLOR", "1")
    session = Session(FrontEnd(file=nix))
    shown = {}
    for terminal in (False, True):
        monkeypatch.setattr("sys.stdout.isatty", lambda terminal=terminal: terminal)
        session.do("odds unarmed 5")
        shown[terminal] = capsys.readouterr().out.splitlines()
    chance = next(line for line in shown[True] if line.strip().startswith("Hit "))
    assert shown[True].index(chance) > len(shown[True]) - 4
    assert shown[False].index(chance) < 4
    assert sorted(shown[True]) == sorted(shown[False])


def test_odds_takes_the_number_of_an_attack(nix, capsys):
    session = Session(FrontEnd(file=nix))
    shown = set()
    for line in ("odds 1 5", "odds unarmed 5"):
        assert session.do(line) == 0
        shown.add(capsys.readouterr().out)
    assert len(shown) == 1


def test_a_word_that_an_ability_does_not_take_is_named_as_it_was_typed(nix, capsys):
    assert Session(FrontEnd(file=nix)).do("use move 10m") == 2
    shown = " ".join(capsys.readouterr().err.split())
    assert shown == 'Move does not take "10m". For what you can set: help Move'


def test_the_number_of_an_action_is_no_attack(nix, capsys):
    """Such as a score that was meant for a target."""
    session = Session(FrontEnd(file=nix))
    numbers = [n for n, row in enumerate(session.listed_abilities(), 1) if row.name == "Overwatch"]
    assert session.do(f"attack {numbers[0]}") == 2
    shown = capsys.readouterr().err
    assert shown.startswith(f"{numbers[0]} is not an attack: it is Overwatch. `attack` lists")


def test_a_hit_with_a_single_shot_does_not_count_it(nix, capsys):
    Session(FrontEnd(file=nix)).do("unarmed 1 own=6,5 theirs=1,2")
    shown = capsys.readouterr().out
    assert "The target takes 2 damage (Blunt or Sharp)." in shown
    assert "Shots" not in shown


def test_conditions_say_when_they_end(nix, capsys):
    session = Session(FrontEnd(file=nix))
    for line in ("unarmed 5", "unarmed 5", "conditions"):
        session.do(line)
    shown = capsys.readouterr().out
    assert "Attack Counters: −2 (a new turn removes them)" in shown
    assert "Until your turn ends or any Rest." in shown


# ------------------------------------------------------------------ weapons to take in hand


@pytest.fixture
def asked(nix, monkeypatch):
    """Play a line on a terminal, with one answer to its questions; return exit code, questions."""
    monkeypatch.setattr(console, "is_interactive", lambda: True)

    def play(line: str, answer: str) -> tuple[int, list[str]]:
        questions: list[str] = []
        ask = lambda question: questions.append(question) or answer  # noqa: E731
        session = Session(FrontEnd(file=nix, live=True, ask=ask))
        session.front_end = replace(session.front_end, is_command=session.is_command)
        return session.do(line), questions

    return play


@pytest.mark.parametrize(
    ("answers", "language", "spent"),
    [([""], "en", 0), (["perhaps", "5", "Y"], "en", 1), (["1"], "en", 1), (["nein"], "de", 0),
     (["j"], "de", 1), (["yes"], "de", 1)],
)  # fmt: skip
def test_a_rule_that_asks_yes_or_no_takes_both_words(
    run, packs_home, monkeypatch, answers, language, spent
):
    shutil.copytree(EXAMPLES / "night-post", packs_home / "night-post")
    new = ("new", "--ruleset", "night-post", "--random", "--seed", "4", "-o", "a.json")
    assert run(*new).code == 0
    before = json.loads(run("show", "a.json", "--json").out)["values"]["stamps"]["total"]
    assert before
    monkeypatch.setattr(console, "is_interactive", lambda: True)
    questions, left = [], iter(answers)
    ask = lambda question: questions.append(question) or next(left)  # noqa: E731
    set_language(language)
    session = Session(FrontEnd(file=Path("a.json"), live=True, ask=ask))
    assert session.do("roll nerve dice=3,3") == 0
    question = {"en": "Spend a stamp for +1? [y/N] ", "de": "Eine Marke für +1 ausgeben? [j/N] "}
    assert {*questions} == {question[language]}
    assert [*left] == []
    after = json.loads(run("show", "a.json", "--json").out)["values"]["stamps"]["total"]
    assert before - after == spent


def test_a_question_of_a_rule_has_its_figures_filled_in(run, packs_home, monkeypatch):
    folder = Path(shutil.copytree(EXAMPLES / "night-post", packs_home / "night-post"))
    shutil.rmtree(folder / "lang")
    rules = folder / "rules.yaml"
    text, plain = rules.read_text("utf-8"), 'label: "Spend a stamp for +1?"'
    assert text.count(plain) == 1
    for label, told in (
        ('label: "Spend one of {stamps}?"', "a label with figures needs 'short'"),
        ('label: "Spend one of {stmps}?", short: Stamp', "stmps"),
    ):
        rules.write_text(text.replace(plain, label), "utf-8")
        ran = run("catalog", "check", folder)
        assert (ran.code, told in ran.out) == (1, True), ran.out
    label = 'label: "Spend one of {stamps}?", short: Stamp'
    rules.write_text(text.replace(plain, label), "utf-8")
    assert run("catalog", "check", folder).code == 0
    new = ("new", "--ruleset", "night-post", "--random", "--seed", "4", "-o", "a.json")
    assert run(*new).code == 0
    before = json.loads(run("show", "a.json", "--json").out)["values"]["stamps"]["total"]
    monkeypatch.setattr(console, "is_interactive", lambda: True)
    questions = []
    ask = lambda question: questions.append(question) or "y"  # noqa: E731
    assert Session(FrontEnd(file=Path("a.json"), live=True, ask=ask)).do("roll nerve") == 0
    assert questions == [f"Spend one of {before}? [y/N] "]
    assert "Stamp yes" in run("history", "a.json").out
    assert re.search(r"spent=N +Stamp\n", run("resolve", "night-post", "move", "--inputs").out)


@pytest.mark.parametrize(("answer", "healed"), [("", 2), ("y", 2), ("n", 0)])
def test_a_bandage_asks_whom_it_is_for(asked, nix, run, answer, healed):
    for line in ("hold kit.primitive-first-aid-kit", "damage 5"):
        assert Session(FrontEnd(file=nix)).do(line) == 0
    before = hp(nix)
    code, questions = asked("small bandage", answer)
    assert (code, questions) == (0, ["Do you use it on yourself? [Y/n] "])
    assert hp(nix) - before == healed
    assert ("yourself? no" in run("history", nix).out) == (answer == "n")


def test_without_a_terminal_a_bandage_is_for_yourself_and_says_so(nix, capsys):
    session = Session(FrontEnd(file=nix))
    for line in ("hold kit.primitive-first-aid-kit", "damage 5"):
        assert session.do(line) == 0
    before = hp(nix)
    assert session.do("small bandage") == 0
    assert hp(nix) - before == 2
    assert "Do you use it on yourself? yes" in capsys.readouterr().out


@pytest.mark.parametrize("answer", ["", "y", "Yes"])
def test_a_weapon_is_taken_in_hand_for_its_attack(asked, nix, answer):
    code, questions = asked("simple baton 5", answer)
    assert code == 0
    (question,) = questions
    assert question == ("Simple Baton/Shortsword is not in your hand. Take it in hand? [Y/n] ")
    assert [event["do"] for event in log(nix)[-2:]] == ["carry", "use"]
    assert asked("simple baton 5", "n") == (0, [])  # it stays in hand


@pytest.mark.parametrize(
    ("answer", "code", "events"), [("n", 130, []), ("No", 130, []), ("damage 3 sharp", 0, ["play"])]
)
def test_a_weapon_is_left_where_it_is(asked, nix, answer, code, events):
    """Another command can be the answer."""
    before = len(log(nix))
    assert asked("simple baton 5", answer)[0] == code
    assert [event["do"] for event in log(nix)[before:]] == events


def test_a_weapon_that_cannot_be_held_is_refused_before_any_question(asked, nix, capsys):
    """In combat the hands change once a turn, and a cancelled attack takes nothing in hand."""
    session = Session(FrontEnd(file=nix))
    for line in ("turn", "stow --all", "move"):
        assert session.do(line) == 0
    before = nix.read_bytes()
    assert asked("simple baton 5", "y") == (1, [])
    assert "You can't change what you hold now: already used" in capsys.readouterr().err
    assert nix.read_bytes() == before


def test_a_refused_attack_takes_nothing_in_hand(asked, nix):
    before = nix.read_bytes()
    assert asked("simple baton vs=5 aim=99", "y")[0] == 2
    assert nix.read_bytes() == before


# ------------------------------------------------------------------ without a terminal


@pytest.fixture
def fed(run, nix):
    """Play lines from a file; return the exit code, the results, and what was said beside them."""

    def play(lines: str) -> tuple[int, str, str]:
        done = run("play", "nix.json", stdin=lines)
        return done.code, done.out, done.err

    return play


@pytest.mark.slow
def test_lines_from_a_file_are_commands_of_the_shell(run, nix, process):
    """A session and the same commands from the shell leave the same file."""
    before = nix.read_bytes()
    fight = nix.with_name("fight.txt")
    fight.write_text("# a fight\ndamage 7 sharp\n\nuse focus-i\nroll str --vs 5\n", "utf-8")
    with fight.open() as lines:
        done = process("play", "nix.json", stdin=lines)
    assert (done.returncode, done.stderr) == (0, b"")
    out = done.stdout.decode()
    assert "HP −7 → 30" in out
    played = nix.read_bytes()
    nix.write_bytes(before)
    shell = [
        run("damage", "nix.json", "7", "--type", "sharp"),
        run("use", "nix.json", "focus-i"),
        run("roll", "nix.json", "str", "--vs", "5"),
    ]
    assert [done.code for done in shell] == [0, 0, 0]
    output = [line for line in out.splitlines() if not line.startswith("> ")]
    assert "".join(done.out for done in shell).splitlines() == output
    assert nix.read_bytes() == played


@pytest.mark.slow
def test_a_line_that_fails_is_named_and_the_session_goes_on(fed, nix):
    code, out, err = fed("damage 3\nspend energy 99\ndamge 2\nheal 'x\n  # on\ndamage 1\n")
    assert code == 2  # the worst: unreadable input, beside a refusal (1)
    assert "Only 10 Energy left, not 99.\n(line 2: spend energy 99)\n" in err
    assert 'There is no command or ability "damge 2". Did you mean damage?\n(line 3' in err
    assert "(line 4: heal 'x)\n" in err
    assert hp(nix) == 37 - 3 - 1
    assert out.count("HP 33/37") == 1


@pytest.mark.slow
def test_names_and_notes_are_written_as_they_are_spoken(fed, nix):
    code, _out, err = fed("note Don't enter room #3\nuse Focus I\ncondition critical aim\n")
    assert 'no condition of Capital named "critical aim"' in err
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


def test_undo_redo_and_quit(fed, nix):
    before = json.loads(nix.read_text("utf-8"))
    code, _out, err = fed("damage 5\nundo\nredo\nundo\nquit\ndamage 9\n")
    assert (code, err) == (0, "")
    after = json.loads(nix.read_text("utf-8"))
    assert [event["do"] for event in after.pop("undone")] == ["play"]
    before.pop("undone")
    assert after == before


@pytest.mark.slow
def test_what_does_not_work_in_a_session(fed):
    code, _out, err = fed("play\nnew --random\nunit bike\nshow --no-such\ngain grit\n")
    assert code == 2
    assert "`play` does not work in a session." in err
    assert "`new` does not work in a session. Type quit, then use it in the shell." in err
    assert 'There is no unit of this character named "bike".' in err
    assert "--no-such" in err
    assert 'There is no command or ability "gain". Did you mean award grit?' in err


@pytest.mark.slow
def test_a_line_for_a_shell_works_too(fed, nix):
    code, out, err = fed("damage 9\ndamage -3\ncharforge heal nix.json 3\nheal ./nix.json 1\n")
    assert (code, hp(nix)) == (2, 37 - 9 + 3 + 1)
    assert "Use: heal 3\n(line 2: damage -3)\n" in err
    assert out.count("HP 3") == 2


@pytest.mark.slow
def test_odds_and_resolve_go_by_the_character(fed, nix, run):
    before = nix.read_bytes()
    code, out, _err = fed(
        "odds str --vary vs=4..5\nresolve fall --set metres=6 --seed 1\n"
        "resolve --set metres=6 --seed=1 capital fall nix.json\nresolve\n"
    )
    assert code == 0
    output = out.split("> ")
    odds = run("odds", "nix.json", "str", "--vary", "vs=4..5").out
    fall = ("resolve", "capital", "fall", "nix.json", "--set", "metres=6", "--seed", "1")
    fallen = run(*fall).out
    results = [part.partition("\n")[2] for part in output[1:]]
    assert results == [odds, fallen, fallen, run("resolve", "capital").out]
    assert nix.read_bytes() == before


@pytest.mark.slow
def test_messages_show_lines_of_the_session_and_these_work(fed):
    code, _out, err = fed("resolve narrative-dice initiative\nuse at\nturn\nuse prone\nrest\n")
    assert code == 2
    assert "charforge" not in err
    assert "\n  resolve narrative-dice initiative skill_ability=1" in err
    assert "  Attack: use Attack\n" in err
    assert "Short Break: rest short" in err
    example = next(line for line in err.splitlines() if line.startswith("  resolve"))
    code, _out, err = fed(f"{example} --seed 1\nrest short\n")
    assert (code, err) == (0, "")


@pytest.mark.slow
def test_numbers_names_and_plain_words_are_enough(fed, nix):
    """A number after an ability is the target's score, or the first number that it asks for."""
    code, out, err = fed(
        "abilities\nunarmed 5\n1 vs 6 own=1,2\nattack unarmed 7\nfall 4\nroll str 5\nprepare str\n"
        "turn\nturn end\ncondition prone\ncondition prone off\nSimple Baton/Shortsword 5\n"
    )
    assert code == 1, err
    assert "  1  Unarmed " in out
    used = [event for event in log(nix) if event["do"] == "use"]
    assert [e["inputs"]["vs"] for e in used if "vs" in e["inputs"]] == [5, 6, 7]
    inputs = [event.get("inputs", {}) for event in log(nix)]
    assert [one["metres"] for one in inputs if "metres" in one] == [4]
    assert {"attribute": "str", "vs": 5} in inputs
    assert {"attribute": "str"} in inputs  # the only question of Prepare
    assert "no longer Prone" in out
    assert "not in hand (hold it first)" in err


@pytest.mark.slow
def test_a_number_keeps_its_meaning_until_the_next_list(fed, nix):
    """Prone has an action of its own, which comes before others in the next list."""
    code, out, err = fed(
        "abilities\ncondition prone\nhold light melee\n2 5\ndrop light melee\n2 5\nabilities\n"
    )
    assert code == 2
    assert log(nix)[-2]["inputs"] == {"vs": 5}
    assert "You no longer have Light Melee. `abilities` lists what you have.\n(line 6" in err
    assert "Light Melee" in out.partition("> drop")[0]
    assert "  2  Simple Baton/Shortsword" in out.rpartition("> abilities")[2]


@pytest.mark.slow
def test_the_help_of_a_session_is_about_the_session(fed):
    lines = "help\nhelp damage\nhelp 1\nhelp zzz\ndamage\n"
    code, out, err = fed(lines + "".join(f"{verb}\n" for verb in NOT_HERE))
    assert (code, err.count("does not work in a session")) == (2, len(NOT_HERE))
    assert "charforge damage" not in out
    assert "FILE" not in out
    assert "Examples: damage 7 · damage 7 sharp" in out
    assert "vs=…  " in out
    assert 'There is no command or ability "zzz"' in err
    assert "AMOUNT is missing. Usage: damage AMOUNT [TYPE]" in err


@pytest.mark.slow
@pytest.mark.parametrize("game", ["capital", "squad-d20", "phase-2d10", "shields-biotics"])
def test_every_game_lists_what_can_be_done(run, game):
    made = run("new", "--random", "--seed", "7", "--ruleset", game, "-o", "any.json")
    assert made.code == 0, made.err
    lines = "abilities\nattack\nconditions\nstatus\nhelp\nturn\nabilities\n"
    done = run("play", "any.json", stdin=lines)
    assert (done.code, done.err) in ((0, ""), (2, done.err))
    assert "  1  " in done.out
    assert not re.search(r"\w+\(|'\w+/\w|\bnone\b|u001b|None", done.out)


def test_a_file_that_is_none_is_said_before_any_line(run):
    run("play", "gone.json").refused(2, "this file does not exist")


# ------------------------------------------------------------------ on a terminal


@pytest.fixture
def table(nix):
    """Return a function that returns a session on a terminal, with the first screen shown."""
    played = []

    def start(columns: int = 80, **env: str) -> terminals.ThreadRun:
        played.append(at_the_table(nix, columns, **env))
        return played[-1]

    yield start
    for run in played:
        run.close()


def at_the_table(nix: Path, columns: int = 80, **env: str) -> terminals.ThreadRun:
    """Return a session on a terminal, with the first screen shown."""
    played = terminals.ThreadRun(nix.parent, "play", "nix.json", rows=50, columns=columns, **env)
    played.until(lambda: waits(played), "the first prompt")
    return played


def waits(played: terminals.Terminal) -> bool:
    """Return whether the session waits for a line."""
    return [line for line in played.lines if line][-1:] == [">"]


def enters(played: terminals.Terminal, line: str, *texts: str) -> str:
    """Enter a line and wait for the next prompt; return what was printed after it."""
    before = played.lines.count(f"> {line}")
    played.type(line)
    played.until(lambda: played.lines.count(f"> {line}") > before, f"> {line}")
    played.type("\r")
    played.until(lambda: waits(played), "the next prompt")
    lines = played.lines
    at = max(n for n, shown in enumerate(lines) if shown == f"> {line}")
    shown = "\n".join(lines[at + 1 :])
    together = " ".join(shown.split())
    for text in texts:
        assert text in together, shown
    return shown


def asks(played: terminals.Terminal, line: str, question: str) -> None:
    """Enter a line and wait for its question."""
    played.type(f"{line}\r")
    played.until(lambda: any(shown.startswith(question) for shown in played.lines), question)


@pytest.mark.parametrize("columns", [80, 100, 140])
def test_the_first_screen_says_what_you_can_do(table, columns):
    screen = table(columns)
    lines = [line for line in screen.lines if line]
    assert lines[0].endswith(" (Capital, Level 3)")
    assert lines[1] == "HP 37/37 · Energy 10/10 · Bones 5/5 · Grit 0"
    unarmed = next(line for line in lines if line.startswith("  1  Unarmed"))
    assert "Melee, +3 vs STR, 2 Blunt or Sharp" in unarmed
    assert unarmed.endswith("ready")
    focus = next(line for line in lines if "Focus I: Gain Focus" in line)
    assert "Instant · 1 Energy · Cooldown 5+" in focus
    assert focus.endswith("ready")
    assert "not in hand (hold it first)" in "\n".join(lines)
    assert "only during Focus" in "\n".join(lines)
    assert "Everyone can" in lines
    assert lines[-1] == ">"
    assert "\x1b[1m" in screen.seen  # headings are bold


@pytest.mark.slow
@pytest.mark.parametrize("setting", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_the_first_screen_is_plain_without_colours(table, nix, setting):
    screen = table(**setting)
    assert "\x1b[1m" not in screen.seen
    assert "u001b" not in screen.seen
    if "TERM" in setting:  # no cursor is moved, no line is redrawn
        assert "\x1b" not in screen.seen
    enters(screen, "damage 7 sharp", "HP −7 → 30", "HP 30/37")
    asks(screen, "condition pr", "Which one?")
    screen.type("2\r")
    screen.until(lambda: waits(screen), "the prompt")
    screen.type("unarmed\r")
    screen.sees("The target's score")
    screen.type("\r")
    screen.sees("Cancelled. Nothing has changed.")
    screen.type("quit\r")
    assert screen.ends() == 0
    assert [event["do"] for event in log(nix)[-2:]] == ["play", "condition"]


def test_the_status_follows_each_change_in_one_line(table, nix):
    player = table()
    shown = enters(player, "damage 7 sharp", "HP −7 → 30", "HP 30/37")
    assert shown.count("HP 30/37") == 1
    assert "HP" not in enters(player, "help quit")  # nothing has changed
    enters(player, "condition prone", "now Prone", "| Prone")
    enters(player, "undo", ", undone:", "HP 30/37 · Energy 10/10 · Bones 5/5 · Grit 0 >")
    enters(player, "redo", ", restored:", "| Prone")
    player.type(GONE)
    assert player.ends() == 0
    assert [event["do"] for event in log(nix)[-2:]] == ["play", "condition"]


def test_a_number_or_a_name_uses_an_ability_and_says_why_not(table):
    player = table()
    number = next(line.split()[0] for line in player.lines if "Focus I: Gain Focus" in line)
    enters(player, number, "now Focus", "on cooldown: Focus I: Gain Focus (5+)")
    enters(player, number, "You can't use Focus I: Gain Focus now: on cooldown.")
    enters(player, "focus i: extra action", "Energy −2 → 7")
    enters(player, f"help {number}", "1 Energy · Cooldown 5+ · on cooldown")
    listed = enters(player, "abilities")
    focus = listed.partition("Focus I: Gain Focus")[2].partition("  5  ")[0]
    assert focus.split() == ["Instant", "·", "1", "Energy", "·", "Cooldown", "5+", "on", "cooldown"]
    enters(player, "pistl", 'There is no command or ability "pistl"')
    baton = next(line.split()[0] for line in listed.splitlines() if "Simple Baton" in line)
    player.type(f"{baton}\r")
    player.sees("Simple Baton/Shortsword is not in your hand. Take it in hand? [Y/n]")
    player.type("perhaps\r")
    player.sees('"perhaps" is not yes or no.')
    player.type("\r")
    player.sees("The target's score for its Defense Attribute:")  # only now
    player.type("5\r")
    player.sees("Hit Attribute (AGI 8, STR 3):")
    player.type("agi\r")
    player.sees("Damage: 10")
    player.until(lambda: waits(player), "the prompt")


def test_enter_lists_the_abilities_and_a_question_mark_helps(table):
    player = table()
    player.type("\r")
    player.until(lambda: sum("  1  Unarmed" in line for line in player.lines) == 2, "the list")
    player.type("?\r")
    player.sees("drop ITEM")
    player.until(lambda: waits(player), "the prompt")


def test_an_ambiguous_name_opens_a_list(table):
    player = table()
    asks(player, "condition pr", "Which one? (number; Enter cancels)")
    assert '"pr" matches several:' in player.lines
    assert "  2  Prone" in player.lines
    player.type("7\r")
    player.sees("Please enter a number from 1 to 2.")
    player.type("prone\r")
    player.sees("now Prone")
    player.until(lambda: waits(player), "the prompt")
    asks(player, "rest", "Which rest?")
    player.sees("  3  Full Rest")
    player.type("\r")
    player.sees("Cancelled. Nothing has changed.")
    player.until(lambda: waits(player), "the prompt")
    asks(player, "roll", "Which check?")
    player.sees("  3  Agility (AGI)")
    player.type("agi\r")
    player.sees("The Difficulty or their score:")


def test_attack_lists_the_attacks_and_asks_for_the_score(table, nix):
    player = table()
    asks(player, "attack", "Which attack?")
    player.type("1\r")
    player.sees("The target's score for its Defense Attribute:")
    player.type("lots\r")
    player.sees('"lots" is not a whole number.')
    player.type("5\r")
    player.sees("Attack Counter 0 → 1")
    player.until(lambda: waits(player), "the prompt")
    assert log(nix)[-1]["inputs"] == {"vs": 5}


@pytest.mark.parametrize("key", ["\r", ESCAPE, STOP])
def test_a_question_can_be_left_with_nothing_changed(table, nix, key):
    player = table()
    before = nix.read_bytes()
    asks(player, "unarmed", "The target's score")
    player.type(key)
    player.sees("Cancelled. Nothing has changed.")
    player.until(lambda: waits(player), "the prompt")
    assert nix.read_bytes() == before


def test_a_question_is_left_for_another_command(table, nix):
    player = table()
    asks(player, "unarmed", "The target's score")
    player.type("damage 4\r")
    player.sees("HP −4 → 33")
    assert "Cancelled. Nothing has changed." in player.lines
    assert log(nix)[-1]["inputs"] == {"amount": 4}
    player.until(lambda: waits(player), "the prompt")
    asks(player, "fall", "How many metres?")
    player.type("Focus I: Gain Focus\r")
    player.sees("now Focus")
    player.until(lambda: waits(player), "the prompt")


def test_ctrl_c_clears_the_line_and_ends_nothing(table, nix):
    player = table()
    player.type("damage 30")
    player.sees("> damage 30")
    player.type(STOP)
    player.until(lambda: waits(player), "the prompt")
    enters(player, "damage 1", "HP 36/37")
    player.type("quit\r")
    assert player.ends() == 0
    assert hp(nix) == 36


@pytest.mark.slow
def test_a_killed_session_loses_at_most_the_line_being_typed(nix):
    player = terminals.TerminalRun(nix.parent, "play", "nix.json", rows=50, columns=80)
    player.until(lambda: waits(player), "the first prompt")
    enters(player, "damage 2", "HP 35/37")
    player.type("damage 9")
    player.sees("> damage 9")
    player.child.kill(signal.SIGKILL)
    player.child.expect(pexpect.EOF)
    assert hp(nix) == 35
    assert log(nix)[-1]["inputs"] == {"amount": 2}
    assert [path.name for path in nix.parent.iterdir() if path.suffix == ".tmp"] == []


def test_tab_completes_what_the_player_has(table):
    player = table()
    for typed, line in (
        ("cond" + TAB, "> condition"),
        ("condition pro" + TAB, "> condition Prone"),
        ("una" + TAB, "> Unarmed"),
        ("use simple" + TAB, "> use Simple Baton/Shortsword"),
        ("baton" + TAB, "> Simple Baton/Shortsword"),
        ("hold simple" + TAB, "> hold Simple Baton/Shortsword"),
        ("roll-after" + TAB, "> roll-after"),  # a rule of its own, never typed by a player
    ):
        player.type(typed)
        player.until(lambda line=line: any(shown.startswith(line) for shown in player.lines), line)
        player.type(CLEAR)
        player.until(lambda: waits(player), "an empty line")


def test_lines_are_remembered(table, nix):
    player = table()
    enters(player, "condition prone", "now Prone")
    enters(player, "undo", ", undone:")
    player.type(UP + UP + "\r")  # the line before undo
    player.until(lambda: log(nix)[-1]["do"] == "condition" and waits(player), "the condition again")


def test_grit_is_asked_for_once_the_dice_are_known(table, nix):
    """STR 3 + 1 + 1 is a double one: a Critical Failure; so 1 + 2 + 3 = 6 against 20: 1 Grit.

    Then there is 1 Grit to spend, once the roll is told: 2 + 2 + 3 = 7 against 7.
    """
    player = table()
    enters(player, "roll str opposed=20 dice=1,2", "Failure, by 14.", "Grit 1")
    asks(player, "roll str opposed=7 dice=2,2", "How much Grit do you spend? (0 to 1, Enter: 0)")
    assert any("Your result: 7" in line for line in player.lines)
    player.type("5\r")
    player.sees("Please enter a number from 0 to 1.")
    player.type("1\r")
    player.sees("A tie: success, with some drawback.")
    player.until(lambda: waits(player), "the prompt")
    assert log(nix)[-1]["inputs"] == {"opposed": 7, "attribute": "str", "grit": 1}


@pytest.mark.slow
@pytest.mark.parametrize("key", ["\r", GONE, STOP])
def test_a_question_of_a_single_command_can_be_left_too(nix, key):
    before = nix.read_bytes()
    asked = terminals.TerminalRun(nix.parent, "use", "nix.json", "unarmed")
    asked.sees("The target's score for its Defense Attribute:")
    asked.type("turn\r")
    asked.sees('"turn" is not a whole number.')
    asked.type(key)
    assert asked.ends() == 130
    assert nix.read_bytes() == before


def test_a_line_for_another_unit_uses_what_that_unit_has(run, tmp_path, capsys):
    """Both have an Unarmed Attack: the name and the number mean that of the unit."""
    (tmp_path / "a.yaml").write_text("answers: {asset: companion/land-beast}\n")
    made = run("new", "--random", "--seed", "7", "--answers", "a.yaml", "-o", "ada.json")
    assert made.code == 0, made.err
    session = Session(FrontEnd(file=tmp_path / "ada.json"))
    assert session.do("unarmed 5") == 0
    assert session.do('use unarmed --unit "land beast" --vs 5') == 0
    assert session.do('unarmed 5 --unit "land beast"') == 0
    used = [event.get("unit", "character") for event in log(tmp_path / "ada.json")[-3:]]
    assert used == ["character", "asset.companion", "asset.companion"]
    assert session.do("use unarmed --unit nobody") == 2


def test_the_status_of_an_owner_says_what_befell_its_companion(run, tmp_path, capsys):
    (tmp_path / "a.yaml").write_text("answers: {asset: companion/land-beast}\n")
    run("new", "--random", "--seed", "5", "--answers", "a.yaml", "-o", "owner.json")
    assert run("damage", "owner.json", 99, "--unit", "land beast").code == 0
    assert Session(FrontEnd(file=tmp_path / "owner.json")).do("status") == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert re.search(r"Land Beast: HP 0/\d+ · .* \| Prone, .*Critical Condition", shown)


def test_a_unit_has_a_first_screen_of_its_own(run, tmp_path):
    made = run("new", "--random", "--seed", "7", "--ruleset", "squad-d20", "-o", "nix.json")
    assert made.code == 0, made.err
    played = at_the_table(tmp_path / "nix.json", 100)
    assert any("With you: Marine Ortega" in line for line in played.lines)
    played.type("unit ortega\r")
    played.sees("Marine Ortega >")
    assert "Marine Ortega" in played.lines
    assert any(re.fullmatch("To return to .+: unit", line) for line in played.lines)
    assert any(line.startswith("  1  ") for line in played.lines)
    played.type("1 12\r")
    played.sees("Rounds −1 → 29")
    played.type("unit\r")
    played.until(lambda: waits(played), "the character")
    played.close()


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("beenden", "turn end oder quit"), ("rückgängig", "undo"), ("angreifen 3", "attack 3"),
        ("zeige", "show"), ("plane", "plan"), ("kaufe pfeil", "buy pfeil"), ("glück", "luck"),
        ("treffer", "damage AMOUNT"), ("würfle", "roll ATTRIBUTE"), ("aktualisiere", "update"),
    ],
)  # fmt: skip
def test_a_german_word_for_a_command_names_the_command(nix, capsys, typed, command):
    set_language("de")
    assert Session(FrontEnd(file=nix)).do(typed) == 2
    assert f"Meintest du {command}?" in capsys.readouterr().err


def test_hilfe_lists_the_commands_though_abilities_have_it_in_their_names(nix, capsys):
    set_language("de")
    assert Session(FrontEnd(file=nix)).do("hilfe") == 0
    assert "attack [NAME] [SCORE]" in capsys.readouterr().out
