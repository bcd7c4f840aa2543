"""Input and output that the commands of play share: typed inputs, questions, printed steps."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from charforge.character.state import Holding
from charforge.cli import console
from charforge.cli.changes import save_change
from charforge.cli.console import FrontEnd, front_end_of
from charforge.errors import Cancelled, UsageError
from charforge.expressions.template import NO_BREAK, keyboard_minus
from charforge.language import _, dice_notation
from charforge.procedures.context import StepMessage
from charforge.procedures.inputs import FIRST_ROLL, YES, read_faces, read_yes_or_no
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.rules.models import ChooseStep, Input
from charforge.rules.ruleset import Ruleset
from charforge.verbs.change import PlayResult, ResultLine, step_lines
from charforge.verbs.inventory import hold_items
from charforge.verbs.typed_inputs import InputAsker, InputReader, PossibleInputs, TypedInputs
from charforge.verbs.unit_status import unit_status

MOST_MENU_ENTRIES = 12  # that a question lists
NARROWEST_STEP, WIDEST_STEP = 36, 60  # columns of a step, before its rule
Answered = TypeVar("Answered")


class StepPrinter:
    """Prints the steps of a procedure before its questions, and knows which are left."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._shown: list[StepMessage] = []

    def before_question(self, steps: Sequence[StepMessage]) -> None:
        """Print on stderr the steps that lead to a question."""
        for line in printed_lines(step_lines(self._ruleset, steps[len(self._shown) :])):
            console.say(line)
        self._shown = list(steps)

    def left(self, steps: Iterable[StepMessage]) -> tuple[StepMessage, ...]:
        """Return the steps to print at the end: on a terminal, those not shown before."""
        shown = self._shown if sys.stdout.isatty() else []
        return tuple(step for step in steps if not any(step is other for other in shown))


def printed_lines(lines: Sequence[ResultLine]) -> Iterator[str]:
    """Yield each line of a result with the name of its rule; on a terminal, wrapped."""
    fold = sys.stdout.isatty()
    rules = [f"[{line.rule}]" if line.rule else "" for line in lines]
    widest = WIDEST_STEP
    if fold:
        room = console.screen_width() - max(map(len, rules), default=0) - 5
        widest = min(WIDEST_STEP, max(room, NARROWEST_STEP))
    width = min(max((len(line.text) for line in lines), default=0), widest)
    for line, rule in zip(lines, rules, strict=True):
        first, *more = textwrap.wrap(line.text, widest) if fold else [line.text]
        yield f"  {first:<{width}}  {rule}".rstrip()
        yield from (f"    {text}" for text in more)


def read_inputs(
    front_end: FrontEnd, settings: list[str] | None, dice: list[str] | None, printer: StepPrinter
) -> TypedInputs:
    """Return the inputs of ``--set`` and ``--dice``, with functions that ask for the rest."""
    typed = read_typed(settings, dice)
    if not console.is_interactive():
        return typed
    return replace(
        typed, ask=_input_question(front_end), choose=_number_question(front_end, printer)
    )


def read_typed(settings: list[str] | None, dice: list[str] | None) -> TypedInputs:
    """Return the inputs of ``--set`` and ``--dice``. Raises UsageError."""
    words = read_pairs("--set", settings or ())
    named_dice = (text if "=" in text else f"{FIRST_ROLL}={text}" for text in dice or ())
    dice_by_roll = {}
    for name, faces in read_pairs("--dice", named_dice).items():
        try:
            dice_by_roll[name] = read_faces(faces)
        except ValueError as error:
            raise UsageError(f"--dice {name}: {error}") from error
    return TypedInputs(words, dice_by_roll)


def print_inputs(possible: PossibleInputs, own: bool = True) -> None:
    """Print the possible inputs with label and default, and the rolls with their dice.

    Without ``own`` those that an attack supplies itself are left out, and the label.
    """
    if own:
        console.print_result(possible.label)
    groups = {
        _("Inputs"): [
            (f"{input.id}=…", _input_label(input, possible.usual))
            for input in possible.inputs
            if own or input.id not in possible.supplied
        ],
        _("Questions that it asks"): [
            (f"{step.id}=N", step.listed_label) for step in possible.choices
        ],
        _("Dice, if you roll them yourself"): [
            (f"{input.name}=…", input.label) for input in possible.rolls
        ],
    }
    width = max((len(word) for rows in groups.values() for word, _label in rows), default=0)
    if own and not width:
        console.print_result(_("  It takes no inputs."))
    for heading, rows in groups.items():
        if rows:
            console.print_result(f"{heading}:")
        for word, label in rows:
            line = f"  {word:<{width}}  {label}".rstrip()
            console.print_wrapped(line, " " * (width + 4))


def _input_label(input: Input, usual: Mapping[str, int | str]) -> str:
    """Return the label of an input with its options and its default."""
    options = f" ({', '.join(map(input.word, input.options))})" if input.options else ""
    default = str(
        usual.get(input.id, input.default_word if input.default is None else input.default)
    )
    default = keyboard_minus(default.replace(NO_BREAK, " "))  # as --set takes it
    if input.type == "word" and default:
        default = input.word(default)
    if input.type == "flag":
        default = {"0": _("no"), "1": _("yes")}.get(default, default)
    if input.type == "amount":
        default = dice_notation(default)
    needed = _(" (required)") if input.needed else f" [{default}]" if default else ""
    return f"{input.label}{options}{needed}"


def read_pairs(option: str, texts: Iterable[str]) -> dict[str, str]:
    """Return the NAME=VALUE texts of an option as a dictionary. Raises UsageError."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not (name and equals and value.strip()):
            raise UsageError(
                _("{option} needs NAME=VALUE, not {text!r}").format(option=option, text=text)
            )
        if name in pairs:
            raise UsageError(_("{option} {name} is given twice").format(option=option, name=name))
        pairs[name] = value.strip()
    return pairs


def ask_until(front_end: FrontEnd, question: str, read: Callable[[str], Answered]) -> Answered:
    """Ask a question until the answer can be read, and return what ``read`` makes of it.

    Raises Cancelled for an empty line that ``read`` does not accept, or
    with a command that was typed instead.
    """
    while True:
        line = front_end.ask(question)
        try:
            return read(line)
        except ValueError as error:
            if not line or front_end.is_command(line):
                raise Cancelled(line) from error
            console.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")


def _yes_unless_no(line: str) -> int:
    """Read the answer to a question with [Y/n]: an empty line is a yes. Raises ValueError."""
    return read_yes_or_no(line or YES[0])


def _input_question(front_end: FrontEnd) -> InputAsker:
    """Return a function that asks for an input until the answer can be read."""

    def ask(input: Input, options: Sequence[str], read: InputReader) -> int | str:
        def answer(line: str) -> int | str:
            if not line or (input.type == "text" and front_end.is_command(line)):
                raise ValueError(_("this needs an answer"))
            try:
                return read(line)
            except ValueError as error:
                if not options:
                    raise
                raise ValueError(
                    _("please choose one of these: {options}").format(options=", ".join(options))
                ) from error

        return ask_until(front_end, _question(input.label, options), answer)

    return ask


def _question(label: str, options: Sequence[str]) -> str:
    """Return a question with its options in brackets, unless they are too many."""
    few = f" ({', '.join(options)})" if 0 < len(options) <= MOST_MENU_ENTRIES else ""
    return f"{label}{few} " if label.endswith("?") else f"{label}{few}: "


def _number_question(
    front_end: FrontEnd, printer: StepPrinter
) -> Callable[[ChooseStep, int, int, int, Sequence[StepMessage]], int]:
    """Return a function that shows the steps so far and asks for a number."""

    def choose(
        step: ChooseStep, low: int, high: int, suggested: int, steps: Sequence[StepMessage]
    ) -> int:
        printer.before_question(steps)
        question, mark, more = step.label.partition("? ")
        if more:
            console.say(f"  {more}")

        def number(line: str) -> int:
            if not line:
                return suggested
            if step.yes_no and low <= (answer := read_yes_or_no(line)) <= high:
                return answer
            typed = keyboard_minus(line)
            if typed.lstrip("-").isdecimal() and low <= int(typed[:12]) <= high:
                return int(typed)
            raise ValueError(
                _("please enter a number from {low} to {high}").format(low=low, high=high)
            )

        if step.yes_no:
            question += f"{mark.strip()} {_('[Y/n]') if suggested else _('[y/N]')} "
        else:
            question = _("{question}{mark} ({low} to {high}, Enter: {suggested}) ").format(
                question=question, mark=mark.strip(), low=low, high=high, suggested=suggested
            )
        return ask_until(front_end, question, number)

    return choose


class PlayCommand:
    """One command of play: the character ``before`` it and the typed ``inputs``."""

    def __init__(
        self, ctx: Any, file: Path, settings: list[str] | None = None, dice: list[str] | None = None
    ) -> None:
        self.file = file
        self._front_end = front_end_of(ctx)
        self.before = load_character(file)
        self._printer = StepPrinter(self.before.ruleset)
        self.inputs = read_inputs(self._front_end, settings, dice, self._printer)

    def offer_to_hold(self, item: Holding | None) -> LoadedCharacter:
        """Return the character; on a terminal, with an item in hand if the player agrees.

        Raises RuleRefusal if the item cannot be held now, Cancelled for a no.
        """
        if item is None or not console.is_interactive():
            return self.before
        held = hold_items(self.before, [item.id])
        question = _("{name} is not in your hand. Take it in hand? [Y/n] ").format(name=item.name)
        if not ask_until(self._front_end, question, _yes_unless_no):
            raise Cancelled
        return held.after

    def save(self, result: PlayResult, signed: bool = True) -> None:
        """Save the result and print it: under its heading, or with the status of the unit.

        What ``redo`` restores is not ``signed`` again.
        """
        save_change(self.before, result.after, self.file, signed)
        if result.heading:
            console.print_result(self._front_end.about(self.file, result.heading))
            for shown in result.lines:
                console.print_wrapped(shown.text, "    ", "  ")
            return
        for line in printed_lines(replace(result, steps=self._printer.left(result.steps)).lines):
            console.print_result(line)
        if not self._front_end.live:
            line = unit_status(result.after.character.state, result.unit).line
            if line:
                console.print_result(line)
