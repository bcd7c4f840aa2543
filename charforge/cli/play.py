"""``play``: a session at the table. Each line is one of the program's own commands."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from charforge.cli import command_names, console, play_io
from charforge.cli.app import INTERRUPTED, run_as_typed
from charforge.cli.commands import ProgramGroup
from charforge.cli.messages import error_message
from charforge.cli.options import CharacterFile
from charforge.cli.signature import ChangeCommand
from charforge.errors import CharforgeError, UsageError
from charforge.replay.loaded_character import load_character
from charforge.rules import loader
from charforge.usecases.names import find_unit
from charforge.usecases.unit_status import completion_words, unit_status

app = typer.Typer(add_completion=False)

PROGRAM = "charforge"
FILE, FILES, WORDS, UNIT, RULESET = "file", "files", "words", "unit", "ruleset"
QUIT = ("quit", "exit", "q")
SESSION_VERBS = ("help", "quit", UNIT)
NOT_HERE = ("play", "new", "import")
USUAL = (
    "use damage heal spend award turn condition rest roll note "
    "hold stow buy sell drop show explain history undo redo"
)
HELP = """\
Each line is a command without its FILE: damage 7 sharp, use focus, roll str --vs 5.
  {usual}
  unit NAME     whose verbs these are from now on; unit alone: the character
  quit          or Ctrl-D
Every other command works as well, but for {elsewhere}; VERB --help tells what it takes.
odds and resolve go by this character: odds str --vary vs=4..7, resolve fall --set metres=6.
A line may also be written as for a shell, with charforge and FILE."""


@app.command("play", cls=ChangeCommand)
def play(file: CharacterFile) -> None:
    """Play a session: type commands, each is saved immediately.

    Without a terminal the lines are read from standard input, and the exit
    code is the worst of all lines.

    \b
    Examples:
      charforge play nix.json
      charforge play nix.json < fight.txt
    """
    loaded = load_character(file)
    session = Session(file)
    if console.is_interactive():
        console.say(f"{loaded.document.name}. help lists the verbs, Ctrl-D ends.")
        _read_terminal(session)
        return
    raise typer.Exit(_read_lines(session))


def _read_terminal(session: Session) -> None:
    """Read and run lines from the terminal until the session ends."""
    # Here, because lines from a file need no prompt, which takes long to import.
    from charforge.cli.prompt import Prompt

    prompt = Prompt(session.line, session.completions)
    play_io.LIVE.set(True)
    while not session.over:
        try:
            session.do(prompt.read_line())
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _read_lines(session: Session) -> int:
    """Run the lines of standard input and return the worst exit code."""
    worst = 0
    lines = sys.stdin if sys.stdin is not None else ()
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            console.print_result(f"> {line.strip()}")
            console.flush_results()
        code = session.do(line)
        console.flush_results()
        if code:
            console.say(f"(line {number}: {line.strip()})")
        worst = max(worst, code)
        if session.over:
            break
    return worst


@dataclass
class Session:
    """A session: the character, and the unit that the commands are about ("": the character)."""

    file: Path
    unit: str = ""
    over: bool = False

    def do(self, line: str) -> int:
        """Run a line and return its exit code."""
        words = _split(line)
        if words[:1] == [PROGRAM]:
            words = words[1:]
        if not words or words[0].startswith("#"):
            return 0
        try:
            return self._run_verb(words[0].casefold(), words[1:])
        except CharforgeError as error:
            console.say(error_message(error))
            return error.exit_code

    def _run_verb(self, verb: str, rest: list[str]) -> int:
        if verb in QUIT:
            self.over = True
            return 0
        if verb == "help":
            console.print_result(HELP.format(usual=USUAL, elsewhere=", ".join(NOT_HERE)))
            return 0
        if verb == UNIT:
            return self._select_unit(" ".join(rest))
        command_names.refuse_old_name([verb, *rest], program="")
        verb = command_names.ALIASES.get(verb, verb)
        return self._run_command(verb, rest)

    def _select_unit(self, named: str) -> int:
        """Make another unit the subject of the following commands."""
        state = load_character(self.file).character.state
        unit = find_unit(state, named or None)
        self.unit = "" if unit is state.units[0] else unit.id
        if not play_io.LIVE.get():
            console.print_result(self.line())
        return 0

    def _run_command(self, verb: str, rest: list[str]) -> int:
        """Run a command of the program with FILE and unit inserted."""
        if verb in NOT_HERE:
            raise UsageError(
                f"{verb!r} has no place in a session", "Leave it with quit, and give it in a shell."
            )
        program = ProgramGroup()
        names = [name for name in program.modules if name not in NOT_HERE]
        if verb not in names:
            raise command_names.unknown_command(verb, [*names, *SESSION_VERBS], program="")
        words = [verb, *self._with_file_and_unit(program.load(verb), rest)]
        code = run_as_typed(words)
        if code == INTERRUPTED:
            console.say("Stopped.")
        return code

    def _with_file_and_unit(self, command: Any, rest: list[str]) -> list[str]:
        """Return the words after a verb with FILE and unit inserted if the verb takes them.

        A FILE that was typed anyway is not repeated.
        """
        names = [parameter.name for parameter in command.params]
        positions = _argument_positions(command, rest)
        if FILE in names[1:]:
            words = self._with_game_and_file(rest, positions)
        elif names[:1] in ([FILE], [FILES]) or (WORDS in names and not _has_option(RULESET, rest)):
            candidates = positions if names[0] == FILES else positions[:1]
            typed = [n for n in candidates if self._is_session_file(rest[n])]
            words = [str(self.file), *(word for n, word in enumerate(rest) if n not in typed)]
        else:
            words = rest
        has_unit = (
            UNIT in names and any(map(self._is_session_file, words)) and not _has_option(UNIT, rest)
        )
        return [f"--{UNIT}={self.unit}", *words] if self.unit and has_unit else words

    def _with_game_and_file(self, rest: list[str], positions: list[int]) -> list[str]:
        """Return the words of a command that takes a game, a rule of it, and FILE.

        The game is the character's unless another is named; FILE is inserted
        after a rule of its own game.
        """
        game = load_character(self.file).ruleset.id
        named = rest[positions[0]] if positions else ""
        if named not in {*loader.built_in(), *loader.installed()}:
            rest, positions, named = [game, *rest], [0, *(n + 1 for n in positions)], game
        if named != game or len(positions) != 2:
            return rest
        after_rule = positions[1] + 1
        return [*rest[:after_rule], str(self.file), *rest[after_rule:]]

    def _is_session_file(self, word: str) -> bool:
        return Path(word).absolute() == self.file.absolute()

    def line(self) -> str:
        """Return the status of the unit as one line."""
        try:
            state = load_character(self.file).character.state
            return unit_status(state, find_unit(state, self.unit or None).id).line
        except CharforgeError as error:
            return error_message(error)

    def completions(self) -> Mapping[str, Iterable[str]]:
        """Return the completions by verb; those for the start of a line have the key ""."""
        names = (name for name in ProgramGroup().modules if name not in NOT_HERE)
        verbs = sorted({*names, *SESSION_VERBS})
        try:
            state = load_character(self.file).character.state
            unit = find_unit(state, self.unit or None).id
        except CharforgeError:
            return {"": verbs}
        known_words = completion_words(state, unit)
        by_verb: dict[str, Iterable[str]] = dict(  # noqa: C408  (some verbs are ids of rules too)
            use=known_words.abilities,
            condition=known_words.conditions,
            spend=known_words.resources,
            award=known_words.resources,
            roll=known_words.attributes,
            explain=known_words.values,
            rest=known_words.rests,
            hold=known_words.items,
            stow=known_words.items,
            drop=known_words.items,
            sell=known_words.items,
        )
        return {"": verbs, UNIT: known_words.units, **by_verb}


def _split(line: str) -> list[str]:
    """Return the words of a line, split as a shell does; a single apostrophe is a letter.

    The quotes within a note are kept.
    """
    try:
        words = shlex.split(line)
    except ValueError:
        return line.split()
    has_options = any(word.startswith("--") for word in words)
    is_long_note = words[:1] == ["note"] and len(words) > 2 and not has_options
    return line.split() if is_long_note else words


def _has_option(option: str, words: Iterable[str]) -> bool:
    return any(word.partition("=")[0] == f"--{option}" for word in words)


def _argument_positions(command: Any, words: Iterable[str]) -> list[int]:
    """Return the positions of the arguments, without options and their values."""
    options = [option for option in command.params if option.param_type_name == "option"]
    with_value = {name for option in options if not option.is_flag for name in option.opts}
    positions, previous = [], ""
    for number, word in enumerate(words):
        if previous not in with_value and (not word.startswith("-") or word[1:].isdecimal()):
            positions.append(number)
        previous = "" if previous in with_value else word
    return positions
