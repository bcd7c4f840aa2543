"""The program's start and end: the one place where errors become exit codes.

Exit codes: 0 done; 1 findings; 2 usage, input or writing; 70 a bug;
130 interrupted. Results go to stdout, everything else to stderr. Nothing
heavy is imported here, so that even an interrupt during the start ends
as it should.
"""

from __future__ import annotations

import _thread
import atexit
import gc
import os
import sys
import threading
from contextlib import suppress

DONE, FAILED, BUG, INTERRUPTED = 0, 2, 70, 130
SELDOM = 50_000  # objects made between two searches


def process() -> None:
    """Run the program as a process of its own, which ends with it."""
    try:
        main()
    except SystemExit as ended:
        _end(ended)


def main() -> None:
    """Run the program and leave with its exit code."""
    try:
        _prepare()
        code = _ended(run())
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


def _prepare() -> None:
    """Make the streams safe for any text; what is closed takes nothing."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  (to the end)
    if sys.stdout is None:
        _say("Standard output is closed, so there is no place for results.")
        sys.exit(FAILED)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _unraisable
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    # A command keeps nearly all that it makes to its end: looking for rubbish costs a tenth of it.
    gc.set_threshold(SELDOM)
    # No plug-in of this environment has a say in what is read, and none is looked for.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def _unraisable(met: sys.UnraisableHookArgs) -> None:
    """Pass an interrupt on that fell where nothing can be raised; report anything else."""
    if issubclass(met.exc_type, KeyboardInterrupt):
        _thread.interrupt_main()
    else:
        sys.__unraisablehook__(met)


def run(arguments: list[str] | None = None) -> int:
    """Run a command, the one that the program was called with if none; return its exit code."""
    from charforge.errors import CharforgeError

    try:
        from charforge.cli.commands import program

        program(sys.argv[1:] if arguments is None else arguments)(arguments)
    except SystemExit as done:
        if isinstance(done.__context__, BrokenPipeError):
            _forget()  # whoever read the results has seen enough
            return DONE
        return done.code if isinstance(done.code, int) else DONE
    except CharforgeError as error:
        from charforge.cli.messages import sentence

        _say(sentence(error))
        return error.exit_code
    except OSError as error:
        _say(f"{error.filename or 'The results were not written'}: {error.strerror or error}.")
        return FAILED
    except Exception:
        from charforge.cli.bug import report

        _say(report())
        return BUG
    return DONE


def _ended(code: int) -> int:
    """Send what is left of the results on its way, and return the final exit code."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _forget()
    except OSError as error:
        _forget()
        if code < FAILED:
            _say(f"The results were not written: {error.strerror}.")
            return FAILED
    return code


def _end(ended: SystemExit) -> None:
    """End the process without taking apart, object by object, what ends with it.

    What was registered for the end is done. Where other threads run, or
    somebody looks on, Python's own end is left to come.
    """
    if threading.active_count() > 1 or _looked_on():
        raise ended
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # none, closed, or told before
            stream.flush()
    os._exit(ended.code if isinstance(ended.code, int) else DONE)


def _looked_on() -> bool:
    """Whether a debugger, a profiler or the like has still to tell what it saw."""
    monitoring = getattr(sys, "monitoring", None)  # of Python 3.12, with six places for tools
    tools = map(monitoring.get_tool, range(6)) if monitoring else ()
    return bool(sys.gettrace() or sys.getprofile() or any(tools))


def _forget() -> None:
    """Drop what could not be written, so that Python's own end does not try again."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(text: str) -> None:
    from charforge.cli.console import say

    with suppress(OSError):  # nobody can be told
        say(text)
