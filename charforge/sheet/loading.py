"""WeasyPrint, loaded: the system libraries that it needs, and nothing that a sheet does not.

As it comes, a third of its import goes into libraries looked for by names
that another system has, and into parts that no sheet uses. All that is
spared here changes what is done when, never what is done: where a machine
differs, WeasyPrint's own way is taken.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from charforge.errors import SheetError
from charforge.sheet.bridge import bridged

LIBRARIES = {
    "libpango-1.0.so.0": "sets the text of a PDF",
    "libpangoft2-1.0.so.0": "finds the fonts of a PDF",
    "libharfbuzz-subset.so.0": "cuts fonts down to the letters used",
}
REMEDY = "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
BELOW = ("libgobject-2.0.so.0", "libharfbuzz.so.0", "libfontconfig.so.1")  # what those stand on
STEMS = ("gobject", "pango", "harfbuzz", "fontconfig")  # of all these, under any system's names
# Rules for what no sheet has: notes, directions and frames by attributes, other scripts' numerals.
SPARED = re.compile(
    r"^(?:[^{}\n]*(?:::(?:foot)?note|\[dir|\[frame)[^{}\n]*\{[^{}\n]*\}"
    r"|@counter-style (?!(?:disc|circle|square|decimal) ).*)\n",
    re.MULTILINE,
)
OWN, HINTS = "html5_ua.css", "html5_ph.css"  # the second is for what an old page says in attributes
# For fonts of the Web, variable and coloured ones, profiles of colours, pages that are no XML.
LATER = ("fontTools", "fontTools.ttLib", "fontTools.varLib.instancer", "PIL.ImageCms", "tinyhtml5")


@lru_cache(maxsize=1)
def load() -> Any:
    """Import WeasyPrint. Raises SheetError when a system library is missing."""
    missing = [name for name in LIBRARIES if not find(name)]
    if missing:
        raise SheetError(f"a PDF needs {', '.join(missing)}", REMEDY)
    with _names_known(), _short_sheets(), bridged():
        try:
            with _later():
                return import_module("weasyprint")
        except (ImportError, RecursionError, TypeError):  # another version uses it at once
            for name in [name for name in sys.modules if name.partition(".")[0] == "weasyprint"]:
                del sys.modules[name]
            return import_module("weasyprint")


def find(name: str) -> bool:
    """Whether a system library can be loaded, by its Linux name or any other."""
    if _loads(name):
        return True
    # Asked last: it starts the linker and the compiler to search with.
    other = ctypes.util.find_library(name.removeprefix("lib").partition(".so")[0])
    return other is not None and _loads(other)


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


@contextmanager
def _names_known() -> Iterator[None]:
    """Let no library be searched for that is loaded by its Linux name in any case.

    WeasyPrint tries the names of other systems first, and each of them
    would start ``ldconfig``, a compiler and a linker, to no avail.
    """
    usual = ctypes.util.find_library

    def search(name: str) -> str | None:
        return None if any(stem in name for stem in STEMS) else usual(name)

    if all(map(_loads, (*LIBRARIES, *BELOW))):
        ctypes.util.find_library = search
    try:
        yield
    finally:
        ctypes.util.find_library = usual


@contextmanager
def _later() -> Iterator[None]:
    """Put off the import of what is only used in rare cases until it is.

    Where one of it is there already, the others may be wanted by more than WeasyPrint.
    """
    known = any(name in sys.modules for name in LATER)
    waiting = {} if known else {name: _Waiting(name) for name in LATER}
    sys.modules.update(waiting)
    try:
        yield
    finally:
        for name in waiting:
            del sys.modules[name]


@contextmanager
def _short_sheets() -> Iterator[None]:
    """Let WeasyPrint read of its own style sheets what a page of ours may need.

    It reads them as it is imported; and each element of each page would
    get the styles of five sorts of notes.
    """
    usual = Path.read_text

    def read(path: Path, *given: Any, **options: Any) -> str:
        text = usual(path, *given, **options)
        return "" if path.name == HINTS else SPARED.sub("", text) if path.name == OWN else text

    Path.read_text = read  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        Path.read_text = usual  # type: ignore[method-assign]


class _Waiting(ModuleType):
    """Stands for a module, and has stand-ins for all that is wanted of it."""

    def __getattr__(self, wanted: str) -> _Wanted:
        if wanted.startswith("__"):
            raise AttributeError(wanted)
        return _Wanted(self.__name__, wanted)


class _Wanted:
    """Stands for a part of a module until it is called or looked into."""

    def __init__(self, module: str, name: str) -> None:
        self._place = module, name

    def __call__(self, *given: Any, **options: Any) -> Any:
        return self._found()(*given, **options)

    def __getattr__(self, wanted: str) -> Any:
        return getattr(self._found(), wanted)

    def _found(self) -> Any:
        _settle()
        return _part(*self._place)


def _settle() -> None:
    """Import all that was put off, for all of WeasyPrint: a stand-in is no class of errors."""
    for module in [one for name, one in sys.modules.items() if name.startswith("weasyprint")]:
        for name, one in tuple(vars(module).items()):
            if isinstance(one, _Waiting):
                setattr(module, name, import_module(one.__name__))
            elif isinstance(one, _Wanted):
                setattr(module, name, _part(*one._place))


def _part(module: str, name: str) -> Any:
    return getattr(__import__(module, fromlist=[name]), name)
