"""Which rulesets and packs are here, and where: the built-in ones, and what this user installed."""

from __future__ import annotations

from pathlib import Path

from charforge.paths import data_folder, user_data_folder

HEAD, PACK = "ruleset.yaml", "pack.yaml"  # what says what a folder holds: a ruleset, or a pack


def catalog_folder() -> Path:
    """Return the folder of the built-in packs."""
    return data_folder("catalog")


def packs_folder() -> Path:
    """Return the folder of the packs that this user installed."""
    return user_data_folder() / "packs"


def built_in() -> dict[str, Path]:
    """Return the folders of the built-in rulesets by id."""
    return {path.parent.name: path.parent for path in sorted(catalog_folder().glob(f"*/{HEAD}"))}


def installed() -> dict[str, Path]:
    """Return the folders of what this user installed by id: rulesets and packs that amend one."""
    found = [p for name in (HEAD, PACK) for p in packs_folder().glob(f"*/{name}")]
    return {path.parent.name: path.parent for path in sorted(found)}


def available() -> list[str]:
    """Return the ids of the rulesets: built in, or installed."""
    mine = {name: path for name, path in installed().items() if (path / HEAD).is_file()}
    return sorted({**mine, **built_in()})


def amends(folder: Path) -> bool:
    """Whether the pack in a folder amends a ruleset, rather than being one."""
    return (folder / PACK).is_file()
