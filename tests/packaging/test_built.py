"""The contents of the wheel and the source distribution."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.packaging.conftest import ROOT

pytestmark = pytest.mark.slow


def test_the_wheel_holds_catalogs_templates_and_licence(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "charforge/catalog/capital/ruleset.yaml" in names
    assert "charforge/catalog/index.yaml" in names
    assert "charforge/rules/editor/glossary.yaml" in names
    assert "charforge/py.typed" in names
    assert any(name.startswith("charforge/templates/") for name in names)
    assert "charforge/templates/ruleset/ruleset.yaml" in names
    assert {f"charforge/examples/{path}" for path in example_files()} <= {*names}
    assert any(name.endswith("LICENSE") for name in names)
    tops = {name.split("/")[0].split("-")[0] for name in names}
    assert tops == {"charforge"}


def example_files() -> list[str]:
    """Return the YAML files of all examples, relative to their folder."""
    folder = ROOT / "examples"
    return [path.relative_to(folder).as_posix() for path in folder.rglob("[!.]*.yaml")]


def test_the_source_distribution_holds_what_working_on_it_needs(sdist: Path) -> None:
    with tarfile.open(sdist) as packed:
        names = {member.name.partition("/")[2] for member in packed}
    assert {
        "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "noxfile.py", "pyproject.toml",
        ".ci/run", "bench/run.py", "docs/packs.md", "docs/images/sheet.png",
        "examples/house-rules/pack.yaml", "tests/conftest.py", "tests/testdata/toy/ruleset.yaml",
    } <= names  # fmt: skip
    hidden = {name for name in names if name.startswith(".") and not name.startswith(".ci/")}
    assert hidden <= {".gitignore"}
    assert [name for name in names if "__pycache__" in name] == []


def test_the_source_distribution_makes_the_same_wheel(wheel: Path, rebuilt: Path) -> None:
    assert rebuilt.name == wheel.name
    assert contents(rebuilt) == contents(wheel)


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist()}
