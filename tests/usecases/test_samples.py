"""All samples of the built-in rulesets, the example packs and the test packs pass."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from charforge.answers.file import read_answers, write_answers
from charforge.character.files.document import to_text
from charforge.packs import install, samples, sources
from charforge.packs.sample_characters import BuiltCharacter
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import built_in, load
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests.samples import few

TESTS = Path(__file__).resolve().parents[1]
EXAMPLES = sorted(sources.examples().values())
TOYS = sorted(path.parent for path in TESTS.glob("testdata/*/tests"))
BUILT_IN = list(built_in().values())
FOLDERS = [*BUILT_IN, *EXAMPLES, *TOYS]
SAMPLES = [(folder, path) for folder in FOLDERS for path in samples.sample_files(folder)]


@cache
def rules(folder: Path) -> Ruleset:
    """Return the rules of a pack's folder, read once."""
    return load(folder.name) if folder in BUILT_IN else install.load_checked(folder).ruleset


@pytest.mark.parametrize(
    ("folder", "path"), SAMPLES, ids=[f"{folder.name}/{path.stem}" for folder, path in SAMPLES]
)
def test_everything_is_as_a_sample_says(folder: Path, path: Path) -> None:
    ruleset = rules(folder)
    assert samples.run_sample(samples.read_checked_sample(path, ruleset), ruleset) == ()


@pytest.mark.parametrize("folder", few(FOLDERS, 0, slow=10), ids=lambda folder: folder.name)
def test_an_answers_file_makes_each_legal_character_again(folder: Path, tmp_path: Path) -> None:
    ruleset, file = rules(folder), tmp_path / "answers.yaml"
    for path in samples.sample_files(folder):
        for case in samples.read_checked_sample(path, ruleset).characters:
            built = BuiltCharacter(case, ruleset)
            if not built.character.legal:
                continue
            file.write_text(write_answers(built.loaded), encoding="utf-8")
            read, shared = read_answers(file), built.spec.shared
            again = CharacterSpec(
                ruleset, read.seed, read.name, read.level or 1, read.rules, read.answers,
                shared=shared, units=read.units,
            )  # fmt: skip
            assert to_text(create_character(again)) == to_text(built.loaded.document)


def test_every_built_in_ruleset_has_samples() -> None:
    assert {folder for folder, _path in SAMPLES} >= set(BUILT_IN)
