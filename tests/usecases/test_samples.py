"""All samples of the built-in rulesets and example packs pass."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from charforge.rules import install
from charforge.rules.loader import built_in
from charforge.rules.ruleset import Ruleset
from charforge.usecases import pack_samples

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FOLDERS = [*built_in().values(), *sorted(path for path in EXAMPLES.iterdir() if path.is_dir())]
SAMPLES = [(folder, path) for folder in FOLDERS for path in pack_samples.sample_files(folder)]


@cache
def rules(folder: Path) -> Ruleset:
    """Return the rules of a pack's folder, read once."""
    return install.load_checked(folder)[-1]


@pytest.mark.parametrize(
    ("folder", "path"), SAMPLES, ids=[f"{folder.name}/{path.stem}" for folder, path in SAMPLES]
)
def test_everything_is_as_a_sample_says(folder: Path, path: Path) -> None:
    ruleset = rules(folder)
    assert pack_samples.run_sample(pack_samples.read_checked_sample(path, ruleset), ruleset) == ()


def test_every_built_in_ruleset_has_samples() -> None:
    assert {folder for folder, _path in SAMPLES} >= set(built_in().values())
