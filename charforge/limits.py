"""Limits that several modules share; limits and environment variables of the process.

A limit that only one module knows stands there. The limits of a game are data of its rules:
``character/gear.py`` finds what exceeds them.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import resource

LARGEST_AMOUNT = 1_000_000_000  # of money or another resource: a price, or one change
LARGEST_QUANTITY = 100_000  # pieces, points of a condition or turns: one change
MAX_FILE_BYTES = 50_000_000  # of a character file, by itself, in a PDF or in QR codes
MAX_NESTING = 50  # lists and maps in each other, in any file that is read
MAX_ERRORS = 200  # of one pack: nobody reads more, and each takes time
MAX_LISTED = 8  # names that a message may list


def limit_process(memory: int, seconds: int, more: bool = False) -> None:
    """Limit the bytes and the time of this process, on systems that can.

    With ``more`` they are added to what it has used already.
    """
    if sys.platform == "win32":
        return
    with suppress(ValueError, OSError):
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds += int(used.ru_utime + used.ru_stime) + 1 if more else 0
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        if more:
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            memory += pages * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


@contextmanager
def environment_variable(name: str, value: str) -> Iterator[None]:
    """Set an environment variable inside a ``with`` block, and restore its former value."""
    former = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if former is None:
            del os.environ[name]
        else:
            os.environ[name] = former
