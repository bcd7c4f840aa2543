"""Modules of a package that are imported when they are first used, because they cost much."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module


def lazy_modules(package: str, *names: str) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package (PEP 562): it imports the module with a name.

    The package is imported at the top of a module, and its module is used as an attribute.
    """

    def module(name: str) -> object:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return import_module(f"{package}.{name}")

    return module
