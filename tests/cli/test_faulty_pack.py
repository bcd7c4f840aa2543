"""A catalog with a mistake, as its author sees it."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from tests.samples import few
from tests.source import ROOT

pytestmark = pytest.mark.capital


@pytest.fixture
def copied(tmp_path, environment):
    """A copy of the program and its catalogs, with texts of one file replaced."""
    root = tmp_path / "copy"
    for folder in ("charforge", "catalog"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))

    def edited(name: str, old: str, new: str, *arguments: str):
        path = root / "catalog" / "capital" / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        line = text[: text.index(old)].count("\n") + 1
        done = subprocess.run(
            [sys.executable, "-m", "charforge", *arguments],
            cwd=tmp_path,
            env={**environment, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert "Traceback" not in done.stderr
        return done, f"{path}:{line}:"

    return edited


TYPOS = {
    "unknown key": (
        "systems.yaml",
        "requires: {has: system/focus-i}",
        "reqiures: {has: system/focus-i}",
        "unknown key. Did you mean requires?",
    ),
    "unknown id": (
        "systems.yaml",
        "requires: {has: system/focus-i}",
        "requires: {has: system/fcous-i}",
        "Did you mean system/focus-i?",
    ),
    "unknown value": ("roles.yaml", "amount: ftd + 10", "amount: ftdd + 10", "Did you mean ftd?"),
    "formula": ("roles.yaml", "amount: ftd + 10", 'amount: "ftd + (10"', "arithmetic"),
    "YAML": ("systems.yaml", "entities:", "entities: [", ""),
}


RUNS = [*((typo, ("catalog", "list")) for typo in TYPOS), ("formula", ("new", "--random"))]


@pytest.mark.parametrize(
    ("typo", "arguments"), few([pytest.param(*one) for one in RUNS], 0, slow=4)
)
def test_a_typo_is_named_with_its_file_and_line(copied, tmp_path, typo, arguments):
    name, old, new, said = TYPOS[typo]
    done, place = copied(name, old, new, *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert "The pack has " in done.stderr
    assert (place if said else f"{name}:") in done.stderr
    assert said in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


@pytest.mark.slow
def test_a_character_cannot_be_read_with_a_faulty_pack_and_stays(copied, nix):
    before = nix.read_bytes()
    done, place = copied(*TYPOS["unknown id"][:3], "level-up", "nix.json", "--random")
    assert done.returncode == 1
    assert place in done.stderr
    assert nix.read_bytes() == before


@pytest.mark.slow
def test_doctor_says_that_the_catalog_is_faulty(copied):
    done, place = copied(*TYPOS["unknown key"][:3], "doctor")
    assert done.returncode == 1
    assert "missing  Catalog capital: The pack has 1 error:" in done.stdout
    assert place in done.stdout


@pytest.mark.slow
def test_a_changed_pack_is_noted_when_a_character_is_read(copied, nix):
    done, _place = copied("ruleset.yaml", "version: 1.0.0", "version: 1.1.0", "check", "nix.json")
    assert done.returncode == 0
    assert "note     made with capital 1.0.0 (" in done.stdout
    assert "read with 1.1.0 (" in done.stdout


@pytest.mark.slow
def test_a_level_under_a_changed_pack_keeps_the_pin(copied, nix):
    done, _place = copied(
        "ruleset.yaml", "version: 1.0.0", "version: 1.1.0", "level-up", "nix.json", "--random"
    )
    assert done.returncode == 0
    assert '"packs": [{"id": "capital", "version": "1.0.0"' in nix.read_text("utf-8")
