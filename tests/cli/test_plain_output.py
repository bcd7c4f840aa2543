"""What players read is in words: no ids, formulas, Python values or escape codes.

Ids are for pack authors (``catalog``), for programs (``--json``), for answers files, and for the
commands that a message suggests.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from charforge.cli.commands import ProgramGroup
from charforge.paths import user_data_folder
from charforge.procedures.abilities import all_abilities
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.rules.loading.loader import built_in, packs_folder
from charforge.sheet.templates import built_in_templates
from tests.command_runner import run_command
from tests.conftest import HARBOUR

# The fast tests try a small game; the built-in ones, each with what its pack says, are slow.
GAMES = ["harbour", *(pytest.param(game, marks=pytest.mark.slow) for game in sorted(built_in()))]
FILE, NOTHING = "nix.json", "zzz"
NOT_WORDS = re.compile(
    r"\b(?:max|min|number|has|used|floor|count|nth|half_(?:up|down))\(|==|//"  # formulas
    r"|\bNone\b|\bTrue\b|\bFalse\b|<class|\['|Traceback|\b[A-Z]\w+\((?=\w+=)"  # Python
    r"|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\x1b"  # escapes
)
TYPED = re.compile(
    r"(?:charforge|--with|--set|--unit|--item|Possible here:) [^\n]*"
    r"|[\w./-]+\.(?:json|pdf|html|yaml)"
)
TO_TYPE = re.compile(r"^  [\w.#-]+  +(?=\S)")  # an id before its label, where it must be typed
WORD = re.compile(r"[\w$][\w./#-]*[\w]")
Played = tuple[Path, LoadedCharacter]


@pytest.fixture(scope="module")
def _harbour_is_installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        user_data_folder.cache_clear()
        shutil.copytree(HARBOUR, packs_folder() / "harbour")
        yield
    user_data_folder.cache_clear()


@pytest.fixture(scope="module", params=GAMES)
def played(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    _harbour_is_installed: None,
) -> Played:
    """Return a folder with a random character of a game, and the character."""
    folder = tmp_path_factory.mktemp("plain")
    game = request.param
    more = ("--level", 3) if game in ("capital", "narrative-dice", "harbour") else ()
    new = ("new", "--ruleset", game, "--random", "--seed", 7, "--name", "Nix", *more, "-o", FILE)
    made = run_command(*new, folder=folder)
    assert made.code == 0, made.err
    return folder, load_character(folder / FILE)


def internal_ids(loaded: LoadedCharacter) -> frozenset[str]:
    """Return the ids that cannot be words: of entities, decisions, holdings and values."""
    ruleset, state = loaded.ruleset, loaded.character.state
    ids = {*ruleset.entities, *ruleset.values, *loaded.document.answers, *ruleset.procedures}
    ids |= {holding.id for holding in state.holdings} | {unit.id for unit in state.units}
    for entity in ruleset.entities.values():
        ids |= {*entity.own_numbers}
    return frozenset(name for name in ids if re.search(r"[/._#]", name))


def leaks(text: str, ids: frozenset[str]) -> Iterator[str]:
    """Yield what is not meant for players in a text, apart from commands to type."""
    plain = TYPED.sub("", TO_TYPE.sub("", text))
    yield from (match[0] for match in NOT_WORDS.finditer(plain))
    yield from (word for word in WORD.findall(plain) if word in ids)


SESSION = """help
help damage
abilities
conditions
status
attack
show
odds zzz
use zzz
explain
history
damage 1
heal 1
turn
rest
unit
zzz
quit
"""
# What each command is given after the file, for each sort of output.
AFTER_FILE: dict[str, tuple[str, ...]] = {
    "advise": (NOTHING, f"--foe {NOTHING}=1"),
    "award": ("", NOTHING, "5"),
    "buy": ("", NOTHING),
    "check": ("",),
    "condition": ("", NOTHING),
    "damage": ("", "1", f"1 --type {NOTHING}"),
    "diff": ("", "--from 1", FILE, "nothing.json"),
    "drop": ("", NOTHING),
    "edit": ("", NOTHING, "--name Nyx", "--rule x=y", "--portrait nothing.png"),
    "explain": ("", NOTHING),
    "export": tuple(f"--format {name}" for name in built_in_templates()),
    "heal": ("", "1"),
    "history": ("",),
    "luck": ("", "nothing.json"),
    "replay": (f"--instead {NOTHING}=1",),
    "hold": ("", NOTHING),
    "import": ("", "--into nothing.json"),
    "initiative": ("", "--with Raider", "--with Raider=9"),
    "level-up": ("", "--random"),
    "note": ("", "Owes the ferryman 20."),
    "odds": ("", NOTHING),
    "party": ("-o party.html",),
    "plan": ("", f"{NOTHING}=1"),
    "redo": ("",),
    "rest": ("", NOTHING),
    "restore": ("", "--list", "99"),
    "roll": ("", NOTHING),
    "sell": ("", NOTHING),
    "sheet": ("--format html --force", f"--only {NOTHING}"),
    "shop": ("",),
    "serve": ("--cert cert.pem",),
    "show": ("", "--at-level 1", f"--unit {NOTHING}"),
    "spend": ("", NOTHING, f"{NOTHING} 3"),
    "stow": ("", "--all"),
    "take-off": ("", "--all", NOTHING),
    "turn": ("", "--end"),
    "undo": ("", "--to-level 9"),
    "update": ("", "--dry-run"),
    "use": ("", NOTHING),
    "wear": ("", NOTHING),
}
WITHOUT_FILE = {
    "new": ("--level 99 --random", f"--with role={NOTHING} --random"),
    "games": ("",),
    "help": ("",),
    "doctor": ("",),
    "templates": ("", "old"),
    "rulebook": (f"--ruleset {NOTHING}",),
}
WITH_IDS = {  # commands that show ids, and why
    "catalog": "for the authors of packs",
    "campaign": "writes a file of ids",
    "resolve": "lists rules by the ids that it takes",
    "play": "is fed with lines below",
}


# What these print has no words of the game, so one game is enough.
WITHOUT_WORDS_OF_THE_GAME = {*WITHOUT_FILE, "party", "restore", "sheet"}
FULLY_TRIED = ("harbour", "capital")
WITH_MANY_WORDS_OF_THE_GAME = {"advise", "check", "history", "initiative", "plan", "show", "turn"}


def test_no_command_is_forgotten() -> None:
    commands = set(ProgramGroup().modules)
    assert {*AFTER_FILE, *WITHOUT_FILE, *WITH_IDS} == commands


def commands(loaded: LoadedCharacter) -> Iterator[tuple[str, ...]]:
    """Yield commands that show or refuse something, one for each sort of output.

    The Harbour is tried with all of them, Capital with those that print words of the game, and
    the other games with those that print many: what each kind of thing and choice is called.
    """
    every = loaded.ruleset.id in FULLY_TRIED
    tried = {*WITHOUT_FILE, *AFTER_FILE} if every else WITH_MANY_WORDS_OF_THE_GAME
    if loaded.ruleset.id != "harbour":
        tried = tried - WITHOUT_WORDS_OF_THE_GAME
    for each, before in ((WITHOUT_FILE, ()), (AFTER_FILE, (FILE,))):
        for name, all_ in each.items():
            if name in tried:
                yield from ((name, *before, *words.split()) for words in all_)
    yield "new", "--ruleset", loaded.ruleset.id
    asked = {type(decision): decision for decision in loaded.character.asked}
    for decision in asked.values():
        yield "explain", FILE, decision.id
        yield "edit", FILE, decision.id, "--answer", NOTHING
        yield "edit", FILE, decision.id, "--answer", "[1, 2]", "--dry-run"
    # Before things are dropped below.
    abilities = all_abilities(loaded.character.state, loaded.character.state.units[0].id)
    for ability in {ability.entity.kind: ability for ability in abilities}.values():
        yield "use", FILE, ability.entity.id, "--action", ability.key
    for ability in [one for one in abilities if one.attack is not None][:1]:
        yield "odds", FILE, ability.entity.id, "--action", ability.key, "--vs", "7"
    kinds = {holding.entity.kind: holding for holding in loaded.character.state.holdings}
    for holding in kinds.values():
        yield "explain", FILE, holding.id
        for verb in ("use", "drop", "hold", "wear") if every else ():
            yield verb, FILE, holding.id
    others = {entity.kind: entity for entity in loaded.ruleset.entities.values()}
    for entity in others.values():
        yield "explain", FILE, entity.id
        if every:
            yield "award", FILE, entity.id
    yield "history", FILE
    yield "undo", FILE


def test_players_read_words_only(played: Played) -> None:
    folder, loaded = played
    ids = internal_ids(loaded)
    found = []
    for words in commands(loaded):
        done = run_command(*words, folder=folder)
        if done.code not in (0, 1, 2):  # a crash has no words to look at
            found.append(f"{' '.join(words)}: exit code {done.code}: {done.err.strip()}")
        typed = set(words)
        for line in (done.out + done.err).splitlines():
            if any(leak not in typed for leak in leaks(line, ids)):
                found.append(f"{' '.join(words)}: {line.strip()}")
    assert found == []


def test_help_is_in_words(tmp_path: Path) -> None:
    found = []
    for name in (*AFTER_FILE, *WITHOUT_FILE, *WITH_IDS):
        shown = run_command(name, "--help", folder=tmp_path)
        assert shown.code == 0, shown.err
        text = shown.out.partition("Examples:")[0]
        found += [line for line in text.splitlines() if any(leaks(line, frozenset()))]
    assert found == []


def test_a_session_shows_words_only(played: Played) -> None:
    folder, loaded = played
    ids = internal_ids(loaded)
    done = run_command("play", FILE, folder=folder, stdin=SESSION)
    assert done.code in (0, 1, 2), done.err
    lines = (done.out + done.err).splitlines()
    assert [line for line in lines if any(leaks(line, ids))] == []


def test_every_choice_can_be_named_as_history_names_it(played: Played) -> None:
    """The short name of a decision leads to it, unless several have the same."""
    _folder, loaded = played
    headings = [decision.heading() for decision in loaded.character.asked]
    once = [d for d in loaded.character.asked if headings.count(d.heading()) == 1]
    assert len(once) > len(headings) * 0.75
    for decision in once:
        assert loaded.character.decision(decision.id) is decision
        assert not set(leaks(decision.heading(), internal_ids(loaded)))


def test_json_keeps_the_ids(played: Played) -> None:
    folder, loaded = played
    shown = json.loads(run_command("show", FILE, "--json", folder=folder).out)
    assert {*shown["values"]} <= {*loaded.ruleset.values, "level"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("level.2.hp: 4", ["level.2.hp"]),
        ("  level.2.hp  Roll for HP", []),
        ("costs max(AGI - 5, 0)", ["max("]),
        ("charforge buy nix.json system/focus-ii", []),
        ('"x" is None', ["None"]),
        ("SheetView(name='Nix', level=3)", ["SheetView("]),
        ("Level 2: HP, at least 3 (rounded down).", []),
    ],
)
def test_what_counts_as_a_leak(text: str, found: list[str]) -> None:
    assert list(leaks(text, frozenset({"level.2.hp", "system/focus-ii"}))) == found
