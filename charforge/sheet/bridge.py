"""The bridge to C that WeasyPrint calls its libraries over, built once and kept.

What those libraries have is declared in some hundred lines of C. Reading
them takes longer than all else of a short page, at every start, and anew
for each type that is met later. ``cffi`` can put what it read into a
table that is taken as it is: the table is kept in the user's cache folder.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from io import StringIO
from typing import Any

from charforge.paths import cache_folder, read_own, write_own

SHAPE = 1  # of what is kept; another one is not looked for under the same name
NAME = "declared"  # of the module that ``cffi`` would have of the table


@contextmanager
def bridged() -> Iterator[None]:
    """Let whoever declares what is in C meanwhile have the table that is kept of it."""
    import _cffi_backend as backend
    import cffi

    usual = cffi.FFI

    class Declared:
        """Stands for the bridge, and has all of its ways once something is declared."""

        def cdef(self, declarations: str) -> None:
            """Take declarations of C, once."""
            given, options = _table(usual, cffi.__version__, declarations)
            made = backend.FFI(*given, **options)
            for way in dir(made):
                if not way.startswith("__"):
                    setattr(self, way, getattr(made, way))

    cffi.FFI = Declared
    try:
        yield
    finally:
        cffi.FFI = usual


def _table(usual: Any, version: str, declarations: str) -> Any:
    """Return what the bridge of these declarations is made with, kept or made now."""
    key = sha256(f"{SHAPE} {version} {declarations}".encode()).hexdigest()[:32]
    path = cache_folder() / "bridges" / f"{key}.py"
    with suppress(OSError, ValueError, SyntaxError):
        return ast.literal_eval(read_own(path).decode())
    made = _made(usual, declarations)
    with suppress(OSError):
        write_own(path, repr(made).encode())
    return made


def _made(usual: Any, declarations: str) -> Any:
    """Read declarations, and return what ``cffi`` would call the bridge with."""
    bridge = usual()
    bridge.cdef(declarations)
    bridge.set_source(NAME, None, compiler_verbose=0)
    module = StringIO()
    bridge.emit_python_code(module)
    call: Any = ast.parse(module.getvalue()).body[-1]
    given, options = call.value.args, call.value.keywords
    return (
        tuple(map(ast.literal_eval, given)),
        {one.arg: ast.literal_eval(one.value) for one in options},
    )
