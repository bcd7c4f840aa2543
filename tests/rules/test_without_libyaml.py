"""PyYAML without libyaml reads the same packs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from charforge.errors import PackError
from charforge.rules.loading import yaml_reader
from tests.samples import LONG, few
from tests.source import ROOT

# The names that PyYAML has only with libyaml are missing; rules come from no cache.
WITHOUT = """
import sys, yaml
for name in [name for name in vars(yaml) if name.startswith("CSafe")]:
    delattr(yaml, name)
from charforge.cli.app import run
sys.exit(run(sys.argv[1:]))
"""
REFUSED = (
    "{a: Which one?, b: x}",
    "{a: What?? No?!, b: [x?, y? z]}",
    "{is it?: yes}",
    "[a, x?y?z]",
    "a: [on\n  two? lines]",
)
NEEDLESS = (
    "{a: 'Which one?', b: [\"x?\"]}",
    "a: Which one? This one\nb: no?",
    "- is it\n- or not?",
)


@pytest.mark.parametrize("text", REFUSED)
def test_without_libyaml_a_question_mark_in_brackets_needs_quotes(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_reader, "SafeLoader", yaml.SafeLoader)
    with pytest.raises(PackError) as caught:
        yaml_reader.parse(text, Path("page.yaml"))
    (problem,) = caught.value.problems
    assert problem.message == "put text with a question mark in quotes inside brackets"


@pytest.mark.needs("libyaml")
@pytest.mark.parametrize("text", NEEDLESS)
def test_other_question_marks_are_read_alike(text: str) -> None:
    with_libyaml = yaml.load(text, Loader=yaml.CSafeLoader)
    assert yaml.load(text, Loader=yaml.SafeLoader) == with_libyaml


@pytest.mark.needs("libyaml")
@pytest.mark.parametrize("folder", few(["examples", "catalog"], 1))
def test_every_pack_is_read_alike(folder: str) -> None:
    """Every file of an example, and every fourth one of the catalog; with ``--long`` each."""
    files = sorted((ROOT / folder).rglob("*.yaml"))
    files = files[:: 1 if LONG or folder == "examples" else 4]
    assert files
    for path in files:
        text = path.read_text(encoding="utf-8")
        with_libyaml = yaml.load(text, Loader=yaml.CSafeLoader)
        assert yaml.load(text, Loader=yaml.SafeLoader) == with_libyaml, path


@pytest.mark.slow
def test_commands_run_without_libyaml(tmp_path: Path) -> None:
    new = ["new", "--ruleset", "capital", "--random", "--seed", "4", "-o", "nix.json"]
    for arguments in (new, ["export", "nix.json", "--format", "answers", "-o", "-"]):
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0
        assert all(line.startswith("Remark: ") for line in done.stderr.splitlines())
    assert "role: role/" in done.stdout
