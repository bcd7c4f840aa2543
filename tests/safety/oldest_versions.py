"""Print the oldest versions of dependencies that the package allows, as pip requirements."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
FLOOR = re.compile(r"([A-Za-z0-9_-]+)>=([0-9][0-9.]*)")


def oldest_requirements(*extras: str) -> list[str]:
    """Return the requirements of the package and of some extras, pinned to their oldest versions.

    Raises ValueError for a requirement without a lower bound.
    """
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    wanted = list(project["dependencies"])
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    found = []
    for requirement in wanted:
        floor = FLOOR.fullmatch(requirement)
        if floor is None:
            raise ValueError(f"{requirement} has no floor")
        found.append(f"{floor[1]}=={floor[2]}")
    return found


if __name__ == "__main__":
    print("\n".join(oldest_requirements("cluster")))
