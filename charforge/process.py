"""Limits of this process, and its environment variables."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import resource


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
