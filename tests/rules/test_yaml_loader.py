"""PyYAML without libyaml reads the same packs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from charforge.rules.yaml_loader import PurePythonLoader

ROOT = Path(__file__).resolve().parents[2]
# The names that PyYAML has only with libyaml are missing; rules come from no cache.
WITHOUT = """
import sys, yaml
for name in [name for name in vars(yaml) if name.startswith("CSafe")]:
    delattr(yaml, name)
from charforge.cli.app import run
sys.exit(run(sys.argv[1:]))
"""
TEXTS = (
    "{a: Which one?, b: x}",
    "{a: Which one? This one, b: x}",
    "{a: What?? No?!, b: [x?, y? z]}",
    "{a: What? # a comment\\n, b: x}",
    "{is it?: yes, and this?: no}",
    "{a: x?y?z}",
    "{a: on\\n  two? lines\\n  or? three, b: x}",
    "[a?:b, c]",
    "a: Which one? This one\\nb: [no?]",
    "{ask: Zo\\u00eb?\\u2003And \\u2753?}",
)


@pytest.mark.parametrize("text", [text.encode().decode("unicode_escape") for text in TEXTS])
def test_question_marks_are_read_alike(text: str) -> None:
    if not yaml.__with_libyaml__:
        pytest.skip("there is nothing to compare with")
    with_libyaml = yaml.load(text, Loader=yaml.CSafeLoader)
    assert yaml.load(text, Loader=PurePythonLoader) == with_libyaml


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["catalog", "examples", "tests/testdata"])
def test_every_pack_is_read_alike(folder: str) -> None:
    if not yaml.__with_libyaml__:
        pytest.skip("there is nothing to compare with")
    files = sorted((ROOT / folder).rglob("*.yaml"))
    assert files
    for path in files:
        text = path.read_text(encoding="utf-8")
        with_libyaml = yaml.load(text, Loader=yaml.CSafeLoader)
        assert yaml.load(text, Loader=PurePythonLoader) == with_libyaml, path


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
