"""Start and end of the program: turns errors into messages and exit codes.

Exit codes: 0 done; 1 findings; 2 usage, input or writing; 70 a bug;
130 interrupted. Results go to stdout, everything else to stderr.
"""

from __future__ import annotations

import _thread
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from charforge.cli import console
from charforge.cli.console import PROGRAM, SHELL, FrontEnd
from charforge.cli.messages import error_message
from charforge.errors import CharforgeError, UnknownId, os_reason
from charforge.language import (
    _,
    find_language,
    languages,
    page,
    page_note,
    preferred_language,
    set_language,
)

DONE, FAILED, BUG, INTERRUPTED = 0, 2, 70, 130
LANGUAGE_OPTION = "--lang"
COMPLETING = f"_{PROGRAM.upper()}_COMPLETE"  # a variable of shells that complete what is typed


def main() -> None:
    """Run the program and leave with its exit code."""
    try:
        _prepare_streams()
        words = sys.argv[1:]
        code = guarded(lambda: _choose_language(words)) or run(words)
        code = _flush(code)
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


def _choose_language(words: list[str]) -> int:
    """Set the language of ``--lang``, which is removed from the words, or of the environment.

    This comes before the module of the command is imported and its arguments are read, so
    that the option may be anywhere, and its language is also that of messages about arguments.
    Raises UnknownId.
    """
    code = preferred_language(os.environ)
    end = words.index("--") if "--" in words else len(words)
    for place, word in enumerate(words[:end]):
        name, equals, tag = word.partition("=")
        if name == LANGUAGE_OPTION and (equals or place + 1 < end):
            tag = tag if equals else words[place + 1]
            del words[place : place + (1 if equals else 2)]
            code = find_language(tag)
            if not code:
                raise UnknownId(_("language"), tag, languages())
            break
    set_language(code)
    return DONE


def run(arguments: list[str]) -> int:
    """Run a command of the shell and return its exit code."""
    front_end = FrontEnd(tuple(arguments))
    with page():
        code = guarded(lambda: _run_command(front_end), front_end)
        if note := page_note():
            _say(note)
        return code


def _run_command(front_end: FrontEnd) -> int:
    """Run the command with the words that were typed, and return its exit code.

    Without words it is what the player chooses on the start screen.
    """
    # Here, so that an interrupt while modules are imported ends with 130 as well.
    from charforge.cli.commands import program

    words = list(front_end.words)
    if not words and console.is_interactive() and COMPLETING not in os.environ:
        # Here, because only the start screen needs the wizard.
        from charforge.cli.prompt import ask_what_to_do

        chosen = ask_what_to_do()
        if chosen is None:
            return DONE
        console.say(_("> charforge {words}").format(words=shlex.join(chosen)))
        return run(chosen)
    code = program()(words, prog_name=PROGRAM, standalone_mode=False, obj=front_end)
    return code if isinstance(code, int) else DONE


def guarded(action: Callable[[], int], front_end: FrontEnd = SHELL) -> int:
    """Run an action and return its exit code; an error becomes a message."""
    try:
        return action()
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):
            console.discard_output()  # the reader of the results has closed the pipe
            return DONE
        return ended.code if isinstance(ended.code, int) else DONE
    except CharforgeError as error:
        _say(error_message(error, front_end))
        return error.exit_code
    except OSError as error:
        _say(f"{error.filename or _('The results were not written')}: {os_reason(error)}.")
        return FAILED
    except Exception:
        _say(bug_message(front_end.words))
        return BUG


def bug_message(words: Sequence[str]) -> str:
    """Save a report of the current exception and return what to tell the user."""
    # Here, because only a bug needs the rules and importlib.metadata to report versions.
    from charforge.cli.doctor import save_bug_report

    return save_bug_report(words)


def _prepare_streams() -> None:
    """Make the streams accept any text, and refuse to run without standard output."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  (to the end)
    if sys.stdout is None:
        _say(_("Standard output is closed, so there is no place for results."))
        sys.exit(FAILED)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _pass_on_interrupt
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _pass_on_interrupt(unraisable: sys.UnraisableHookArgs) -> None:
    """Repeat an interrupt that Python could not raise; report any other exception."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        _thread.interrupt_main()
    else:
        sys.__unraisablehook__(unraisable)


def _flush(code: int) -> int:
    """Write buffered results and return the final exit code."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        console.discard_output()
    except OSError as error:
        console.discard_output()
        if code < FAILED:
            _say(_("The results were not written: {reason}.").format(reason=os_reason(error)))
            return FAILED
    return code


def _say(text: str) -> None:
    with suppress(OSError):  # stderr is closed as well
        console.say(text)
