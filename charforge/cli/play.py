"""``play``: a session at the table. Each line is one of the program's own commands."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from charforge.cli import console, play_io
from charforge.cli.app import INTERRUPTED, run
from charforge.cli.commands import ProgramGroup
from charforge.cli.messages import sentence
from charforge.cli.options import CharacterFile, Command
from charforge.errors import CharforgeError, UnknownId, UsageError
from charforge.replay.loaded_character import load_character
from charforge.rules import loader
from charforge.usecases.lookup import find_unit
from charforge.usecases.unit_status import completion_words, unit_status

app = typer.Typer(add_completion=False)

PROGRAM = "charforge"
FILE, FILES, WORDS, UNIT, RULESET = "file", "files", "words", "unit", "ruleset"
ENDS = ("quit", "exit", "q")
OWN = ("help", "quit", "redo", UNIT)
NOT_HERE = ("play", "new", "import")
USUAL = (
    "use damage heal spend gain turn condition rest roll note "
    "hold stow buy show explain history undo"
)
HELP = """\
Each line is a command without its FILE: damage 7 sharp, use focus, roll str --vs 5.
  {usual}
  redo          what undo took back, once more
  unit NAME     whose verbs these are from now on; unit alone: the character
  quit          or Ctrl-D
Every other command works as well, but for {elsewhere}; VERB --help tells what it takes.
odds and resolve go by this character: odds str --vary vs=4..7, resolve fall --set metres=6.
A line may also be written as for a shell, with charforge and FILE."""


@app.command("play", cls=Command)
def play(file: CharacterFile) -> None:
    """Play a session: type one command per line; each is saved immediately.

    Without a terminal the lines are read from standard input, and the exit
    code is the worst of all lines.

    \b
    Examples:
      charforge play nix.json
      charforge play nix.json < fight.txt
    """
    opened = load_character(file)
    session = Session(file)
    if console.somebody_there():
        console.say(f"{opened.document.name}. help lists the verbs, Ctrl-D ends.")
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
            console.result(f"> {line.strip()}")
            sys.stdout.flush()
        code = session.do(line)
        sys.stdout.flush()
        if code:
            console.say(f"(line {number}: {line.strip()})")
        worst = max(worst, code)
        if session.over:
            break
    return worst


@dataclass
class Session:
    """The character being played, and whose verbs these are."""

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
            console.say(sentence(error))
            return error.exit_code

    def _run_verb(self, verb: str, rest: list[str]) -> int:
        if verb in ENDS:
            self.over = True
            return 0
        if verb == "help":
            console.result(HELP.format(usual=USUAL, elsewhere=", ".join(NOT_HERE)))
            return 0
        if verb == UNIT:
            return self._select_unit(" ".join(rest))
        if verb == "redo":
            verb, rest = "undo", ["--redo", *rest]
        return self._run_command(verb, rest)

    def _select_unit(self, named: str) -> int:
        """Make another unit the subject of the following commands."""
        state = load_character(self.file).character.state
        unit = find_unit(state, named or None)
        self.unit = "" if unit is state.units[0] else unit.id
        if not play_io.LIVE.get():
            console.result(self.line())
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
            raise UnknownId("verb", verb, [*names, *OWN])
        words = [verb, *self._with_file_and_unit(program.load(verb), rest)]
        with _command_line(words):
            code = run(words)
        if code == INTERRUPTED:
            console.say("Stopped.")
        return code

    def _with_file_and_unit(self, command: Any, rest: list[str]) -> list[str]:
        """Return the words after a verb with FILE and unit put in, where the verb takes them.

        A FILE that is written all the same is passed over.
        """
        names = [parameter.name for parameter in command.params]
        at = _argument_positions(command, rest)
        if FILE in names[1:]:
            words = self._with_game_and_file(rest, at)
        elif names[:1] in ([FILE], [FILES]) or (WORDS in names and not _has_option(RULESET, rest)):
            own = [
                n for n in (at if names[0] == FILES else at[:1]) if self._is_session_file(rest[n])
            ]
            words = [str(self.file), *(word for n, word in enumerate(rest) if n not in own)]
        else:
            words = rest
        has_unit = (
            UNIT in names and any(map(self._is_session_file, words)) and not _has_option(UNIT, rest)
        )
        return [f"--{UNIT}={self.unit}", *words] if self.unit and has_unit else words

    def _with_game_and_file(self, rest: list[str], at: list[int]) -> list[str]:
        """Return the words of a command that takes a game, a rule of it, and FILE.

        The game is the character's unless one is named; the character goes
        with a rule of its own game.
        """
        game = load_character(self.file).ruleset.id
        named = rest[at[0]] if at else ""
        if named not in {*loader.built_in(), *loader.installed()}:
            rest, at, named = [game, *rest], [0, *(n + 1 for n in at)], game
        if named != game or len(at) != 2:
            return rest
        return [*rest[: at[1] + 1], str(self.file), *rest[at[1] + 1 :]]

    def _is_session_file(self, word: str) -> bool:
        return Path(word).absolute() == self.file.absolute()

    def line(self) -> str:
        """Return the status of the unit as one line."""
        try:
            state = load_character(self.file).character.state
            return unit_status(state, find_unit(state, self.unit or None).id).line
        except CharforgeError as error:
            return sentence(error)

    def completions(self) -> Mapping[str, Iterable[str]]:
        """Return the completions by verb; those for the start of a line have the key ""."""
        names = (name for name in ProgramGroup().modules if name not in NOT_HERE)
        begin = sorted({*names, "redo", "help", "quit", UNIT})
        try:
            state = load_character(self.file).character.state
            unit = find_unit(state, self.unit or None).id
        except CharforgeError:
            return {"": begin}
        words_known = completion_words(state, unit)
        by_verb: dict[str, Iterable[str]] = dict(  # noqa: C408  (some verbs are ids of rules too)
            use=words_known.abilities,
            condition=words_known.conditions,
            spend=words_known.resources,
            gain=words_known.resources,
            roll=words_known.attributes,
            explain=words_known.values,
            rest=words_known.rests,
            hold=words_known.items,
            stow=words_known.items,
            part=words_known.items,
            sell=words_known.items,
        )
        return {"": begin, UNIT: words_known.units, **by_verb}


def _split(line: str) -> list[str]:
    """Split a line as a shell does; an apostrophe that opens nothing is one.

    A note keeps the quotes within it.
    """
    try:
        words = shlex.split(line)
    except ValueError:
        return line.split()
    options = any(word.startswith("--") for word in words)
    within = words[:1] == ["note"] and len(words) > 2 and not options
    return line.split() if within else words


def _has_option(option: str, words: Iterable[str]) -> bool:
    return any(word.partition("=")[0] == f"--{option}" for word in words)


def _argument_positions(command: Any, words: Iterable[str]) -> list[int]:
    """Return the positions of the arguments, without options and their values."""
    options = [option for option in command.params if option.param_type_name == "option"]
    takes = {name for option in options if not option.is_flag for name in option.opts}
    positions, previous = [], ""
    for number, word in enumerate(words):
        if previous not in takes and (not word.startswith("-") or word[1:].isdecimal()):
            positions.append(number)
        previous = "" if previous in takes else word
    return positions


@contextmanager
def _command_line(words: list[str]) -> Iterator[None]:
    """Set ``sys.argv`` to a line of the session, because messages quote it."""
    before = sys.argv
    sys.argv = [before[0], *words]
    try:
        yield
    finally:
        sys.argv = before
