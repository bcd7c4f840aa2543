"""The program works the same with the oldest dependencies it allows as with the newest.

All other tests use the newest. The oldest are installed from the wheelhouse or
from pip's usual source.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.version import Version

from tests.packaging.environments import create_environment
from tests.safety.oldest_versions import oldest_requirements

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
SAME = ("nix.json", "nix.md", "nix.data", "nix.block", "nix.yaml", "back.json")
COMMANDS = (
    ["new", "--random", "--seed", "7", "--level", "3", "--name", "Nix", "-o", "nix.json"],
    ["level-up", "nix.json", "--to", "5", "--random", "--seed", "8"],
    ["damage", "nix.json", "5", "--type", "sharp"],
    ["check", "nix.json"],
    ["show", "nix.json"],
    ["show", "nix.json", "--json"],
    ["explain", "nix.json"],
    ["history", "nix.json"],
    ["odds", "--ruleset", "capital", "contest", "--set", "score=6", "--set", "vs=7", "--json"],
    ["catalog", "check", str(ROOT / "examples" / "house-rules")],
    ["export", "nix.json", "-o", "nix.yaml"],
    ["export", "nix.json", "--format", "markdown", "-o", "nix.md"],
    ["export", "nix.json", "--format", "statblock", "-o", "nix.block"],
    ["export", "nix.json", "--format", "json", "-o", "nix.data"],
    ["sheet", "nix.json", "-o", "nix.html"],
    ["sheet", "nix.json", "--layout", "short", "-o", "nix.pdf"],
    ["import", "nix.pdf", "-o", "back.json"],
    ["party", "nix.json", "--no-sheets", "--no-cards", "-o", "party.pdf"],
)
RUN_ALL = """
import io, json, sys
from tests.safety.monitor import ran
commands = json.load(sys.stdin)
sys.stdin = io.StringIO()
print(json.dumps([ran(words) for words in commands]))
"""


def run(python: Path, folder: Path) -> list[str]:
    """Run every command, one after another in one process; return their outputs."""
    folder.mkdir()
    done = subprocess.run(
        [python, "-W", "error::DeprecationWarning:charforge", "-c", RUN_ALL],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"], "HOME": str(folder / "home"), "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8", "COLUMNS": "100",
        },
        input=json.dumps(COMMANDS),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    results = json.loads(done.stdout)
    assert [result for result in results if result["code"]] == []
    return [result["out"] for result in results]


@pytest.fixture(scope="module")
def oldest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the oldest versions."""
    folder = tmp_path_factory.mktemp("oldest")
    try:
        programs = create_environment(folder / "env", folder, *oldest_requirements())
    except AssertionError as error:
        assert "conflict" not in str(error)
        pytest.skip("needs the oldest versions from a package index")
    return programs / "python"


def plain(name: str) -> str:
    return name.lower().replace("_", "-")


def test_each_requirement_has_a_lower_bound() -> None:
    found = oldest_requirements("cluster")
    assert len({one.partition("==")[0] for one in found}) == len(found) > 15


def test_the_oldest_versions_work_like_the_newest(oldest: Path, tmp_path: Path) -> None:
    asked = [sys.executable, "-m", "pip", "--python", oldest, "list", "--format", "json"]
    listed = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=120)
    here = {plain(one["name"]): Version(one["version"]) for one in json.loads(listed.stdout)}
    for floor in oldest_requirements():
        name, _is, version = floor.partition("==")
        assert here[plain(name)] == Version(version)
    old, new = tmp_path / "old", tmp_path / "new"
    assert run(oldest, old) == run(Path(sys.executable), new)
    for name in SAME:
        assert (old / name).read_bytes() == (new / name).read_bytes(), name
    assert (old / "nix.pdf").read_bytes().startswith(b"%PDF-")
