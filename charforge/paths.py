"""Where the data folders lie: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """Return the folder ``catalog`` or ``templates`` of this installation."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


@cache
def cache_folder() -> Path:
    """Return this user's folder for what can be made again at any time."""
    from platformdirs import user_cache_path

    return user_cache_path("charforge", appauthor=False)


@cache
def user_data_folder() -> Path:
    """Return this user's folder for what they added themselves, such as packs."""
    from platformdirs import user_data_path

    return user_data_path("charforge", appauthor=False)


@cache
def state_folder() -> Path:
    """Return this user's folder for what was done here: earlier versions of characters."""
    from platformdirs import user_state_path

    return user_state_path("charforge", appauthor=False)
