"""``play``: a session in which lines become commands, numbers and names abilities.

A line is a verb of the session, a command of the program without its FILE,
or the number or name of an ability.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile

import typer

from charforge.character.state import State, Unit, find_unit
from charforge.cli import console, usage
from charforge.cli.app import INTERRUPTED, guarded
from charforge.cli.changes import ChangeCommand
from charforge.cli.commands import ProgramGroup
from charforge.cli.console import PROGRAM, FrontEnd
from charforge.cli.messages import error_message, replace_name
from charforge.cli.options import VS, CharacterFile, flag_words
from charforge.cli.play_io import ask_until, print_inputs
from charforge.cli.session import screens
from charforge.cli.usage import HELP_OPTIONS
from charforge.errors import (
    AmbiguousName,
    Cancelled,
    CharforgeError,
    RefusedAbility,
    UnknownId,
    UsageError,
    nearest,
    shorten,
)
from charforge.language import N_, _, page
from charforge.procedures.abilities import ability_inputs, ability_of
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.rules.models import Procedure
from charforge.rules.names import exact_matches, name_matches, numbered
from charforge.verbs import lookup, play
from charforge.verbs.unit_status import (
    AbilityRow,
    ability_row,
    ability_rows,
    completion_words,
    unit_status,
)

app = typer.Typer(add_completion=False)

QUIT = ("quit", "exit", "q")
NOT_HERE = ("play", "new", "import", "serve")
UNIT, NOTE = "unit", "note"
HINT = N_("Type a number or a name to use it")
USUAL_VERBS = (
    "attack", "abilities", "conditions", "status", "damage", "heal", "roll", "turn", "rest", "hold",
    "undo", "help",
)  # fmt: skip
ATTACK_HINT = N_("; for an attack, add the target's score: 1\xa05")


@dataclass
class Session:
    """A session: the front end of its commands, with the character's file and the unit.

    ``rows`` are the abilities that were listed last: what a number means.
    """

    front_end: FrontEnd
    over: bool = False
    rows: tuple[AbilityRow, ...] = ()
    _shown: str = field(default="", repr=False)
    _known: tuple[object, LoadedCharacter] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self._program = ProgramGroup()
        self._verbs: dict[str, Callable[[list[str]], int]] = {
            "attack": self._attack,
            "abilities": self._abilities,
            "conditions": self._conditions,
            "status": self._status,
            UNIT: self._select_unit,
            "help": self._help,
            "?": self._help,
            "use": self._use,
            "odds": self._odds,
        }

    # ------------------------------------------------------------------ lines

    def do(self, line: str) -> int:
        """Run a line and return its exit code; whatever goes wrong is said."""
        return guarded(lambda: self._do(line), self.front_end)

    def _do(self, line: str) -> int:
        words = split_line(line)
        if words[:1] == [PROGRAM]:
            words = words[1:]
        if not words and self.front_end.live:
            return self._abilities([])
        if not words or words[0].startswith("#"):
            return 0
        self.front_end = replace(self.front_end, words=tuple(words))
        try:
            return self._run(words)
        except Cancelled as cancelled:
            self._say_error(cancelled)
            return self._do(cancelled.line) if cancelled.line else INTERRUPTED
        except AmbiguousName as error:
            return self._pick(error, words)
        except CharforgeError as error:
            self._say_error(error)
            return error.exit_code

    def _run(self, words: list[str]) -> int:
        verb, rest = words[0].casefold(), self._without_name(words[0].casefold(), words[1:])
        words = [words[0], *rest]
        if not rest and verb in QUIT:
            self.over = True
            return 0
        if {*HELP_OPTIONS} & {*rest} and verb in self.verbs:
            return self._help([verb])
        known = screens.VERBS.get(verb)
        hidden = known is not None and known.hides_abilities
        is_ability = not hidden and self._row(" ".join(words)) is not None
        if not is_ability and verb in self._verbs:
            return self._verbs[verb](rest)
        if not is_ability and self._is_verb(verb):
            return self._run_command(usage.ALIASES.get(verb, verb), rest)
        if not is_ability and not rest and verb in usage.synonyms("help"):
            return self._help([])
        return self._use_spoken(words)

    def _without_name(self, verb: str, words: list[str]) -> list[str]:
        """Return the words after a verb without the character, which the shell needs there."""
        file = self.front_end.file
        if file is None or verb == NOTE or verb not in self.verbs:
            return words
        for name in (str(file), file.name, file.stem, self._loaded().document.name):
            named = name.casefold().split()
            if named and [word.casefold() for word in words[: len(named)]] == named:
                return words[len(named) :]
        return words

    def _is_verb(self, verb: str) -> bool:
        """Return whether a line begins with a command. Raises UsageError for one not possible."""
        if verb in NOT_HERE:
            raise UsageError(
                _("`{verb}` does not work in a session").format(verb=verb),
                _("Type quit, then use it in the shell."),
            )
        return verb in self.verbs

    @property
    def verbs(self) -> tuple[str, ...]:
        """Return the verbs of the session and the commands that work in it."""
        names = (name for name in self._program.modules if name not in NOT_HERE)
        return tuple(dict.fromkeys([*self._verbs, *names, *usage.ALIASES, *QUIT]))

    def is_command(self, line: str) -> bool:
        """Return whether a line that answers a question is a command instead."""
        words = split_line(line)
        if not words or line.strip().isdecimal():
            return False
        is_verb = words[0].casefold() in self.verbs or words[0] == PROGRAM
        name = " ".join(words[:-1] if words[-1].isdecimal() else words)
        return is_verb or self._row(name) is not None

    def _pick(self, error: AmbiguousName, words: list[str]) -> int:
        """Ask which of several things a name means, and run the line with that one."""
        if not self.front_end.live:
            self._say_error(error)
            return error.exit_code
        reason = f"{error.reason[:1].upper()}{error.reason[1:]}"
        console.say(reason if error.asks else f"{reason}:")
        for number, (label, _words) in enumerate(error.ways, 1):
            console.say(f"  {number}  {label}")

        def chosen(line: str) -> tuple[str, ...]:
            way = numbered(line, error.ways)
            named = [way] if way else name_matches(error.ways, line, lambda way: (way[0],))
            if len(named) != 1:
                raise ValueError(
                    _("please enter a number from 1 to {count}").format(count=len(error.ways))
                )
            return named[0][1]

        try:
            way = ask_until(self.front_end, _("Which one? (number; Enter cancels) "), chosen)
        except Cancelled as cancelled:
            self._say_error(cancelled)
            return self._do(cancelled.line) if cancelled.line else INTERRUPTED
        replaced = replace_name(["", *words], error.name, way)
        return self._do(shlex.join(replaced[1:] if replaced else [*words, *way]))

    def _say_error(self, error: CharforgeError) -> None:
        """Print an error; on a terminal, wrapped."""
        message = error_message(error, self.front_end)
        if isinstance(error, RefusedAbility):
            reason = error_message(
                UsageError(error.reason, error.advice, error.command), self.front_end
            )
            others = ", ".join(label for label, *_words in error.ways)
            message = _("{reason} You could use: {others}.").format(reason=reason, others=others)
        for line in message.splitlines():
            text = line.lstrip()
            indent = line.removesuffix(text)
            live = self.front_end.live
            for parts in console.indented_lines(text, f"{indent}  ", indent) if live else [(line,)]:
                console.say(*parts)

    # ------------------------------------------------------------------ abilities

    def _use(self, words: list[str]) -> int:
        """Use an ability by its number in the list or its name; the command reads the rest."""
        if not words:
            return self._abilities([])
        self.front_end = replace(self.front_end, words=("use", *words))  # what advice repeats
        if any(word.partition("=")[0] == f"--{UNIT}" for word in words):
            return self._run_command("use", words)  # names mean what that unit has
        begun = self._begun_with(words)
        if begun is None:
            return self._run_command("use", words)
        row, rest = begun
        known = [*self._words_of(row)]
        try:
            return self._run_command("use", [*known, *rest])
        except UnknownId as error:
            unknown = error.name.removeprefix(" ".join(known)).strip()
            if unknown == error.name:
                raise
            raise UsageError(
                _("{name} does not take {words}").format(name=row.name, words=shorten(unknown)),
                _("For what you can set: {command}"),
                ["help", row.name],
            ) from error

    def _begun_with(self, words: list[str]) -> tuple[AbilityRow, list[str]] | None:
        """Return the listed ability that most of the words name, and the words after its name."""
        for end in range(len(words), 0, -1):
            row = self._row(" ".join(words[:end]))
            if row is not None:
                return row, words[end:]
        return None

    def _use_spoken(self, words: list[str]) -> int:
        """Use an ability without a verb. Raises UsageError for what is neither it nor a command."""
        spoken, flags = [*takewhile(_is_part_of_name, words)], flag_words(self._program.load("use"))
        while spoken and spoken[-1] in flags:
            spoken.pop()
        name = " ".join(spoken)
        if name and not (
            self._begun_with(words)
            or self._is_known(name)
            or self._is_known(play.last_number(name)[0])
        ):
            listed = [*self.verbs, *(row.name for row in self.listed_abilities())]
            word = name if nearest(name, listed) else name.partition(" ")[0]
            more = words[1:] if word == words[0] else ()
            raise usage.unknown_command(word, listed, "", _("command or ability"), more)
        return self._use(words)

    def _words_of(self, row: AbilityRow) -> Sequence[str]:
        """Return the words for a listed ability: without its action if its source alone means it.

        So a refusal names what else can be used. Raises UsageError if the unit does not have the
        ability any more.
        """
        state, unit = self._state_and_unit()
        source, key = row.ability.source, row.ability.key
        if ability_of(state, unit.id, source, key) is None:
            raise UsageError(
                _("you no longer have {name}").format(name=row.name),
                _("`abilities` lists what you have."),
            )
        with suppress(UsageError, UnknownId):
            if lookup.find_ability(state, unit.id, source).key == key:
                return (source,)
        return row.words

    def _row(self, name: str) -> AbilityRow | None:
        """Return the listed ability with this number or name."""
        rows = self.listed_abilities()
        if name.isdecimal():
            return numbered(name, rows)
        named = exact_matches(rows, name, lambda row: (row.name,))
        return named[0] if len(named) == 1 else None

    def listed_abilities(self) -> tuple[AbilityRow, ...]:
        """Return the abilities that were listed last, those of now if none were."""
        return self.rows or self._list_abilities()

    def _list_abilities(self) -> tuple[AbilityRow, ...]:
        state, unit = self._state_and_unit()
        self.rows = ability_rows(state, unit.id)
        return self.rows

    def _is_known(self, name: str) -> bool:
        """Return whether the unit has an ability, or the game a rule, that a name may mean."""
        state, unit = self._state_and_unit()
        try:
            lookup.find_ability(state, unit.id, name)
        except UnknownId:
            return lookup.find_rule(state.ruleset, name) is not None
        except UsageError:  # it says what else the name means
            return True
        return True

    # ------------------------------------------------------------------ verbs of the session

    def open(self) -> None:
        """Show the first screen: the character and what it can do."""
        loaded = self._loaded()
        state, unit = self._state_and_unit()
        self._shown = unit_status(state, unit.id).line
        rows = self._list_abilities()
        others = [other.name for other in state.units if other.name and other is not unit]
        more: list[console.Line] = []
        if others:
            text = _("With you: {others} (unit NAME)").format(others=", ".join(others))
            more += [("",), *console.indented_lines(text)]
        if self.front_end.unit:
            text = _("To return to {name}: unit").format(name=loaded.document.name)
            more += [("",), *console.indented_lines(text)]
        hint = _(HINT) + (_(ATTACK_HINT) if self._takes_score(rows) else "")
        verbs = _("Also: {verbs}").format(verbs=", ".join(_usual_verbs(state, unit, rows)))
        more += [("",), *console.indented_lines(hint), *console.indented_lines(verbs)]
        room = console.screen_height() - len(more) - 1  # for the prompt
        title = unit.name or _title(loaded)
        console.print_lines(screens.opening_lines(title, self._shown, rows, room))
        console.print_lines(more)

    def _takes_score(self, rows: Iterable[AbilityRow]) -> bool:
        """Return whether a number after an attack is the score of its target."""
        state, _unit = self._state_and_unit()
        attacks = (row.ability for row in rows if row.is_attack)
        return any(
            play.number_input(ability_inputs(state, attack)[0]) == play.AGAINST
            for attack in attacks
        )

    def _abilities(self, _words: list[str]) -> int:
        console.print_lines(screens.ability_lines(self._list_abilities()))
        return 0

    def _attack(self, words: list[str]) -> int:
        """Attack by name or number; without one, list the attacks and ask."""
        if words:
            row = self._row(words[0]) if words[0].isdecimal() else None
            if row is not None and not row.is_attack:
                raise UsageError(
                    _("{number} is not an attack: it is {name}").format(
                        number=words[0], name=row.name
                    ),
                    _("`attack` lists your attacks."),
                )
            return self._use(words)
        attacks = [(n, row) for n, row in enumerate(self._list_abilities(), 1) if row.is_attack]
        if not attacks:
            raise UsageError(
                _("there are no attacks here"), _("`abilities` lists what you can do.")
            )
        if len(attacks) == 1:
            return self._use([str(attacks[0][0])])
        console.print_lines(screens.group_lines(_("Your attacks"), attacks))
        if not self.front_end.live:
            return 0

        def chosen(line: str) -> str:
            found = self._row(line) or self._row(play.last_number(line)[0])
            if found is None or not found.is_attack:
                raise ValueError(_("please enter the number of an attack"))
            return line

        return self._use(
            split_line(ask_until(self.front_end, _("Which attack? (Enter cancels) "), chosen))
        )

    def _conditions(self, _words: list[str]) -> int:
        state, unit = self._state_and_unit()
        console.print_lines(screens.condition_lines(state, unit.id, "condition NAME"))
        return 0

    def _odds(self, words: list[str]) -> int:
        """Calculate odds; a number is that of an ability, as in the list."""
        row = self._row(words[0]) if words and words[0].isdecimal() else None
        listed = () if row is None else self._words_of(row)
        return self._run_command("odds", [*listed, *words[len(listed) > 0 :]])

    def _status(self, _words: list[str]) -> int:
        loaded = self._loaded()
        state, unit = self._state_and_unit()
        others = [unit_status(state, o.id) for o in state.units if o.id != unit.id and o.name]
        shown = unit_status(state, unit.id)
        console.print_lines(screens.status_lines(unit.name or loaded.document.name, shown, others))
        return 0

    def _help(self, words: list[str]) -> int:
        """Explain a verb or an ability; without one, list the verbs."""
        named = " ".join(words)
        verb = usage.ALIASES.get(named.casefold(), named.casefold())
        if not words:
            with page():  # help is in the language of the reader
                console.print_lines(screens.overview())
        elif verb in screens.VERBS or verb in self._program.modules:
            self._is_verb(verb)
            with page():
                console.print_lines(screens.verb_lines(self._program, verb))
        else:
            self._help_ability(named)
        return 0

    def _help_ability(self, named: str) -> None:
        """Explain an ability or a rule: what it does, its cost and roll, and what can be set."""
        row = self._row(named)
        if row is None and not self._is_known(named):
            listed = [*self.verbs, *(row.name for row in self.listed_abilities())]
            raise usage.unknown_command(named, listed, "", _("command or ability"))
        source, key = (named, None) if row is None else (row.words[0], row.words[2])
        state, unit = self._state_and_unit()
        usable = play.find_usable(self._loaded(), source, key, unit.id)
        if isinstance(usable.rule, Procedure):
            console.print_lines(screens.rule_lines(state, usable.rule))
        else:
            about = screens.about_lines(state, unit.id, ability_row(state, usable.rule))
            console.print_lines(about)
        print_inputs(play.inputs_of(self._loaded(), usable), own=False)

    def _select_unit(self, words: list[str]) -> int:
        """Make another unit the subject of the following commands."""
        state = self._loaded().character.state
        unit = find_unit(state, " ".join(words) or None)
        named = "" if unit is state.units[0] else unit.id
        self.front_end, self.rows = replace(self.front_end, unit=named), ()
        if self.front_end.live:
            self.open()
        else:
            console.print_result(unit_status(state, unit.id).line)
        return 0

    # ------------------------------------------------------------------ commands of the program

    def _run_command(self, verb: str, words: list[str]) -> int:
        """Run a command of the program, which takes FILE and unit from the front end."""
        command = self._program.load(verb)
        code = command.main(words, prog_name=verb, standalone_mode=False, obj=self.front_end)
        if code == INTERRUPTED:
            self._say_error(Cancelled())
        return code if isinstance(code, int) else 0

    # ------------------------------------------------------------------ status and completion

    @property
    def mark(self) -> str:
        """The text before a line: the name of the unit, if it is not the character."""
        with suppress(CharforgeError):
            return f"{self._state_and_unit()[1].name} > ".lstrip() if self.front_end.unit else "> "
        return "> "

    def show_changed_status(self) -> None:
        """Print the status of the unit in a line, if it is not what was printed last."""
        try:
            state, unit = self._state_and_unit()
            line = unit_status(state, unit.id).line
        except CharforgeError as error:
            line = error_message(error, self.front_end)
        if line != self._shown:
            self._shown = line
            for (text,) in console.indented_lines(line):
                console.say(console.Styled(str(text), "bold"))

    def completions(self) -> Mapping[str, Iterable[str]]:
        """Return the completions by verb; those for the start of a line have the key ""."""
        usual = tuple(screens.VERBS)
        try:
            state, unit = self._state_and_unit()
        except CharforgeError:
            return {"": usual}
        rows = ability_rows(state, unit.id)
        words = screens.SessionWords(
            usual,
            tuple(row.name for row in rows),
            tuple(row.name for row in rows if row.is_attack),
            completion_words(state, unit.id),
        )
        by_verb = {
            name: verb.completed(words)
            for name, verb in screens.VERBS.items()
            if verb.completed is not None
        }
        return {"": (*usual, *words.abilities), **by_verb}

    def _loaded(self) -> LoadedCharacter:
        """Return the character in the file, which is read again only when it has changed."""
        file = self.front_end.file
        assert file is not None
        with suppress(OSError):
            found = file.stat()
            version = (found.st_ino, found.st_mtime_ns, found.st_size)
            if self._known is None or self._known[0] != version:
                self._known = (version, load_character(file))
            return self._known[1]
        return load_character(file)  # it says why the file cannot be read

    def _state_and_unit(self) -> tuple[State, Unit]:
        """Return the present state and the unit that the commands are about."""
        state = self._loaded().character.state
        return state, find_unit(state, self.front_end.unit or None)


def _usual_verbs(state: State, unit: Unit, rows: Iterable[AbilityRow]) -> Iterable[str]:
    """Yield the verbs that the first screen names: those for which the game has rules."""
    rules = state.ruleset.head.play
    possible = {
        "attack": any(row.is_attack for row in rows),
        "conditions": state.ruleset.index.conditions,
        "damage": rules.damage,
        "heal": rules.heal,
        "roll": rules.check,
        "turn": rules.turn,
        "rest": rules.rests,
        "hold": any(holding.entity.attacks for holding in state.held(unit.id)),
    }
    return (verb for verb in USUAL_VERBS if possible.get(verb, True))


def _is_part_of_name(word: str) -> bool:
    """Return whether a word after ``use`` is not yet an option, an input or ``vs``."""
    return word != VS and "=" not in word and not word.startswith("--")


def split_line(line: str) -> list[str]:
    """Return the words of a line, split as a shell does; a single apostrophe is a letter.

    The quotes within a note are kept.
    """
    try:
        words = shlex.split(line)
    except ValueError:
        return line.split()
    has_options = any(word.startswith("--") for word in words)
    is_long_note = words[:1] == [NOTE] and len(words) > 2 and not has_options
    return line.split() if is_long_note else words


def _title(loaded: LoadedCharacter) -> str:
    """Return name, game and level of a character."""
    head, state = loaded.ruleset.head, loaded.character.state
    parts = filter(None, (head.name, head.advancement.text(state.level)))
    return f"{loaded.document.name} ({', '.join(parts)})"


@app.command("play", cls=ChangeCommand)
def play_session(file: CharacterFile) -> None:
    """Play a session: type commands, each is saved immediately.

    It opens with the attacks and abilities of the character; a number or a
    name uses one. Without a terminal the lines are read from standard input,
    and the exit code is the worst of all lines.

    \b
    Examples:
      charforge play nix.json
      charforge play nix.json < fight.txt
    """
    load_character(file)
    session = Session(FrontEnd(file=file))
    raise typer.Exit((_read_terminal if console.is_interactive() else _read_lines)(session))


def _read_terminal(session: Session) -> int:
    """Read and run lines from the terminal until the session ends; no line fails the session."""
    # Here, because lines from a file need no prompt: prompt_toolkit takes 70 ms to import.
    from charforge.cli.session.line_prompt import line_prompt

    prompt = line_prompt(session.completions)
    session.front_end = replace(
        session.front_end, live=True, ask=prompt.ask, is_command=session.is_command
    )
    session.open()
    while not session.over:
        try:
            session.do(prompt.read_line(session.mark))
        except KeyboardInterrupt:
            continue
        except EOFError:
            break
        session.show_changed_status()
    return 0


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
            console.say(_("(line {number}: {line})").format(number=number, line=line.strip()))
        worst = max(worst, code)
        if session.over:
            break
    return worst
