"""Law: a command that a refusal or a question proposes can be typed as it stands.

The names of things to use are typed with a number behind them, in the shell and in a session; the
magazines of all weapons are empty, so that attacks are refused and reloading is proposed. Of more
than 25 names (those of a squad are alike) evenly spread ones are typed; with ``--long`` all.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest

from charforge.cli.console import FrontEnd
from charforge.cli.session.session import Session
from charforge.procedures import abilities
from charforge.replay.loaded_character import LoadedCharacter, load_character
from tests.command_runner import run_command
from tests.samples import LONG, few

MOST_NAMES = 25
PLACES = ("shell", "session")
# One game in both places, the others in turn.
WAYS = [
    *(("phase-2d10", place) for place in PLACES),
    *few(
        [
            pytest.param(game, place)
            for game, place in zip(
                ("capital", "squad-d20", "narrative-dice", "shields-biotics"), cycle(PLACES)
            )
        ],
        0,
    ),
]
PROPOSED = re.compile(r"(?m)^  [^:\n].*?: ((?:charforge )?use .*)$")
WRONG_WORDS = ("matches several", "takes no number", "no such input", "There is no")

Runner = Callable[[str], tuple[int, str]]


def names(loaded: LoadedCharacter) -> Iterator[str]:
    """Yield each name of something that the character can use: of an item, and of its action."""
    state = loaded.character.state
    for ability in abilities.all_abilities(state):
        yield from (ability.entity.name, ability.definition.name or ability.key)


def empty_magazines(file: Path, folder: Path) -> None:
    state = load_character(file).character.state
    for holding in state.holdings:
        for capacity in holding.entity.capacities:
            item = ("--item", holding.id)
            refused = run_command("spend", file, capacity.id, 9_999, *item, folder=folder)
            for left in re.findall(r"Only (\d+) ", refused.err):
                run_command("spend", file, capacity.id, left, *item, folder=folder)


@pytest.fixture(scope="module")
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A character in the middle of its turn, without ammunition."""
    folder = tmp_path_factory.mktemp("proposed")
    new = ("new", "--ruleset", request.param, "--random", "--seed", 5, "-o", "nix.json")
    level = ("--level", 3, "--with", "role=role/the-sentinel") if request.param == "capital" else ()
    assert run_command(*new, *level, folder=folder).code == 0
    empty_magazines(folder / "nix.json", folder)
    run_command("turn", "nix.json", folder=folder)
    return folder / "nix.json"


@pytest.fixture
def run(request: pytest.FixtureRequest, file: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    """Run a line where it was typed; return the exit code and what went wrong."""
    session = Session(FrontEnd(file=file))

    def run_line(line: str) -> tuple[int, str]:
        if request.param == "session":
            return session.do(line), capsys.readouterr().err
        ended = run_command(*shlex.split(line)[1:], folder=file.parent)
        return ended.code, ended.err

    return run_line


@pytest.mark.parametrize(("file", "run"), WAYS, indirect=True)
def test_a_proposed_command_is_accepted(
    request: pytest.FixtureRequest, file: Path, run: Runner
) -> None:
    start = "" if "session" in request.node.name else f"charforge use {file.name} "
    tried, wrong, before = set[str](), [], file.read_bytes()
    every = list(dict.fromkeys(names(load_character(file))))
    for name in every[:: 1 if LONG else -(-len(every) // MOST_NAMES)]:
        for words in (shlex.join([name, "5"]), shlex.quote(name)):
            _code, said = run(start + words)
            file.write_bytes(before)
            for command in {*PROPOSED.findall(said)} - tried:
                code, answer = run(command)
                file.write_bytes(before)
                tried.add(command)
                refused = "To use another" in said and code == 1
                if refused or any(wrong_words in answer for wrong_words in WRONG_WORDS):
                    wrong.append(f"{words}: {command}: {answer}")
    assert wrong == [], "\n".join(wrong)
    assert tried
