"""The words of a verb: the same in a shell, with the character after it, and in a session."""

from __future__ import annotations

import re
import shlex

import pytest

from charforge.cli import commands, inventory, play_verbs, usage
from charforge.cli.console import FrontEnd
from charforge.cli.session import screens
from charforge.cli.session.session import NOT_HERE, Session
from tests.command_runner import CommandResult, run_line

# The lines of each verb, one after another on the docker with a lantern, a crossbow and a hound.
LINES = {
    "show": ["show", "show --json", "show --unit hound", "show --at-level 2"],
    "explain": ["explain arm", "explain second wind", "explain knack/ox", "explain nothing such"],
    "edit": ["edit motto --answer Onward", "edit trade", "edit"],
    "undo": ["heal 1", "undo", "undo --to-level 2", "undo --to-level 9"],
    "redo": ["damage 2", "undo", "redo", "redo"],
    "check": ["check", "check --json"],
    "history": ["history", "history --json"],
    "level-up": ["level-up --random --seed 1", "level-up --to 2"],
    "plan": ["plan", "plan level.4.knacks=ox", "plan --clear"],
    "advise": ["advise", "advise knacks --foe 6", "advise nothing"],
    "shop": ["shop"],
    "odds": [
        "odds arm 6",
        "odds",
        "odds a blow",
        "odds lifting weight=20 dice=3",
        "odds 1 6",
        "odds no such",
    ],
    "export": ["export --format json", "export --format no-such"],
    "use": [
        "use roar",
        "use second wind breathe",
        "use shout",
        "use shout --unit hound",
        "use breathe",
        "use roar inputs",
        "use mend 2",
        "use 1",
        "use 1 4",
        "use no such",
        "use",
    ],
    "roll": ["roll arm", "roll arm 5", "roll wit vs 7", "roll wit inputs", "roll", "roll no such"],
    "damage": ["damage 3", "damage 1 --unit hound", "damage x", "damage -2", "damage"],
    "heal": ["damage 4", "heal 2", "heal", "heal 2 3"],
    "spend": ["spend luck 1", "spend 1 luck", "spend luck", "spend luck 99", "spend"],
    "condition": [
        "condition soaked",
        "condition soaked off",
        "condition soaked off",
        "condition bleeding",
        "condition worn out --about rain",
        "condition no such",
        "condition",
    ],
    "turn": ["turn", "turn end", "turn --unit hound"],
    "rest": ["damage 3", "rest nap", "rest a nap", "rest", "rest no such"],
    "note": ["note Owes the ferryman 20.", "note", "note 'Two words' --unit hound"],
    "buy": ["buy hook 2 free", "buy flask --price 0", "buy lantern", "buy anvil 99", "buy"],
    "sell": ["sell hook 1 --price 1", "sell no such", "sell"],
    "drop": ["drop hook", "drop no such", "drop"],
    "hold": ["hold crossbow", "hold", "hold lantern crossbow", "hold no such"],
    "stow": ["hold crossbow", "stow crossbow", "stow crossbow", "stow --all"],
    "wear": ["wear", "wear lantern", "wear no such"],
    "take-off": ["take-off lantern", "take-off --all", "take-off"],
    "award": ["award luck 1", "award crate", "award hook 2", "award 1 luck", "award no such"],
    "luck": ["roll arm 5", "luck", "luck --json"],
    "replay": ["replay", "replay --json"],
    "diff": ["diff --from 1 --to 2", "diff"],
    "restore": ["restore", "restore 99"],
    "update": ["update"],
    "initiative": ["initiative"],
}
# What is about no character: the same command in both, without FILE.
ABOUT_NONE = {"games", "catalog", "rulebook", "campaign", "doctor", "help", "templates"}
ELSEWHERE = {
    "sheet", "party",  # slow; they write files beside the character
    "resolve",  # FILE is its last word: test_odds_and_resolve_go_by_the_character
}  # fmt: skip

PLAY = ("play_verbs", "inventory")  # the modules of the verbs of play

# One verb of each sort; the others are tried with the slow tests.
QUICK = {"explain", "undo", "odds", "use", "damage", "turn", "buy", "hold", "award"}


def test_every_command_has_lines_here():
    known = set(commands.ProgramGroup().modules)
    assert known - ABOUT_NONE - ELSEWHERE - set(NOT_HERE) == set(LINES)


def test_the_program_and_a_session_list_each_verb_of_play(nix):
    """Each in its one table, from which the help, Tab and the words of a session follow."""
    apps = (play_verbs.app, inventory.app)
    declared = {command.name for app in apps for command in app.registered_commands}
    listed = {name for name, module in commands.ProgramGroup().modules.items() if module in PLAY}
    assert declared == listed
    assert declared - set(screens.VERBS) == {"shop"}  # whose screens are no verb
    assert set(screens.VERBS) - set(Session(FrontEnd(file=nix)).verbs) == set()
    assert declared - {command.partition(" ")[0] for command in usage.SYNONYMS} == set()


def plain(ended: CommandResult) -> tuple[int, str, str]:
    """Return a result without what only a shell needs: the program, the file and its options."""
    without = r"charforge (?=[a-z])| FILE\b| \[OPTIONS\]| nix\.json\b|nix\.json: "
    out, err = (re.sub(without, "", text) for text in (ended.out, ended.err))
    return ended.code, out, err[:1].upper() + err[1:]


@pytest.mark.parametrize(
    "verb", [pytest.param(v, marks=() if v in QUICK else pytest.mark.slow) for v in LINES]
)
def test_a_line_of_a_session_works_in_a_shell_with_the_same_result(run, nix, verb):
    """Exit code, file and output are the same, but for the way in which lines are typed."""
    for line in ("award crossbow", "award lantern --with glass=clear"):
        assert run_line(line, nix).code == 0
    for line in LINES[verb]:
        before = nix.read_bytes()
        first, *rest = shlex.split(line)
        shell = run(first, nix.name, *rest)
        saved = nix.read_bytes()
        nix.write_bytes(before)
        session = run_line(line, nix)
        assert plain(session) == plain(shell), line
        assert "nix.json: " not in session.out, line
        assert nix.read_bytes() == saved, line


def test_a_word_of_a_session_says_in_a_shell_what_to_type_there(run, nix):
    """What only a session has, because it lists what it shows: the nearest command is named."""
    for word in ("attack", "abilities", "conditions", "status", "unit"):
        assert word in Session(FrontEnd(file=nix)).verbs
        assert "Did you mean charforge " in run(word, nix).err, word
    assert f"play {nix} or charforge use {nix} ABILITY?" in run("abilities", nix).err
