"""Operating system calls that fail or kill the process, for tests of saving.

The calls are counted in their order; at one of them (or from one on) the
layer fails, or kills the process as a power cut would, half of the bytes
written.
"""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from charforge.character.files import storage
from charforge.errors import WriteError

CALLS = ("open", "mkdir", "chmod", "fsync", "replace", "link", "unlink", "close")
OLD, NEW, NEXT = (sign * 40_000 for sign in (b"old ", b"new ", b"next"))


class Layer:
    """Counts the calls, and does ``act`` at those that ``meant`` picks by number and name."""

    def __init__(self, act: Callable[[], None], meant: Callable[[int, str], bool]) -> None:
        self.act = act
        self.meant = meant
        self.met: list[str] = []

    def call(self, name: str, real: Callable[..., Any], *given: Any, **more: Any) -> Any:
        self.met.append(name)
        if not self.meant(len(self.met), name):
            return real(*given, **more)
        if name == "write":
            real(bytes(given[0])[: len(given[0]) // 2])
        elif name == "close":
            real(*given)  # Linux closes even where it says that it failed
        self.act()
        return None  # pragma: no cover


@contextmanager
def installed(layer: Layer) -> Iterator[None]:
    """Put the layer under everything that writes through ``os``."""

    class Raw(io.FileIO):
        def write(self, data: Any) -> int:
            return layer.call("write", super().write, data)

    opened = os.fdopen

    def fdopen(handle: int, mode: str) -> Any:
        return opened(handle, mode) if "r" in mode else io.BufferedWriter(Raw(handle, mode))

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, _through(layer, name))
        patch.setattr(os, "fdopen", fdopen)
        yield


def _through(layer: Layer, name: str) -> Callable[..., Any]:
    real = getattr(os, name)
    return lambda *given, **more: layer.call(name, real, *given, **more)


def failing(number: int) -> Callable[[], None]:
    """Return what fails as the system does, with one of its numbers."""

    def fail() -> None:
        raise OSError(number, os.strerror(number))

    return fail


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def calls_of(save: Callable[[], None]) -> list[str]:
    """Return the calls that a save makes, in their order."""
    layer = Layer(kill, lambda _number, _name: False)
    with installed(layer):
        save()
    return layer.met


def killed(save: Callable[[], None], at: int) -> bool:
    """Run a save in a process of its own that is killed at one call; whether it came to that."""
    child = os.fork()
    if child == 0:
        with installed(Layer(kill, lambda number, _name: number == at)):
            try:
                save()
            finally:
                os._exit(0)
    _child, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def failed(save: Callable[[], None], layer: Layer) -> WriteError | None:
    """Run a save over a layer; return how it was refused, None where it went well."""
    try:
        with installed(layer):
            save()
    except WriteError as error:
        return error
    return None


def temporary(folder: Path) -> list[Path]:
    """Return the temporary files that were left behind in a folder."""
    return sorted(folder.glob(".*.tmp"))


def kept(path: Path) -> list[bytes]:
    """Return the contents of a file's versions, newest first."""
    return [one.read()[0] for one in storage.backups_of(path)]
