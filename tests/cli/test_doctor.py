"""doctor: its lines agree with its exit code on any machine; reports of bugs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


def test_the_exit_code_is_what_the_lines_say(run):
    ended = run("doctor")
    assert ended.err == ""
    marks = re.findall(r"^(ok|missing) +(.+?): ", ended.out, re.MULTILINE)
    assert ended.code == (1 if "missing" in [mark for mark, _what in marks] else 0)
    assert [what for _mark, what in marks][:2] == ["Python", "Catalog capital"]
    assert ("ok", "Python") in marks


def test_the_catalogs_are_counted(run, capital):
    said = f"version {capital.head.version}, {len(capital.entities)} entities"
    assert f"ok       Catalog capital: {said}" in run("doctor").out


def test_what_is_missing_comes_with_the_command_that_installs_it(run):
    lines = run("doctor").out.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("missing") and "Catalog" not in line:
            assert re.match(r" {9}\S.*(install|apt-get)", following)


# ------------------------------------------------------------------ a bug


@pytest.fixture
def broken(monkeypatch):
    """Break something that the program stands on."""

    def fail(*_arguments, **_options):
        raise RuntimeError("no such luck")

    monkeypatch.setattr("json.dumps", fail)


def test_a_bug_is_a_sentence_and_a_report(run, nix, tmp_path, monkeypatch, broken):
    reports = tmp_path / "reports"
    reports.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(reports))
    before = nix.read_bytes()
    ended = run("show", nix, "--json")
    ended.refused(70, "charforge has a bug here. A report was saved in ")
    assert len(ended.err.splitlines()) == 1
    [report] = reports.iterdir()
    assert str(report) in ended.err
    said = report.read_text("utf-8")
    assert re.match(r"charforge \S.*\nPython 3\.", said)
    assert "arguments: ['show', " in said
    assert said.rstrip().endswith("RuntimeError: no such luck")
    assert "role/" not in said
    assert nix.read_bytes() == before


def test_a_report_that_cannot_be_saved(run, nix, monkeypatch, broken):
    monkeypatch.setattr("tempfile.tempdir", str(Path("nowhere") / "at" / "all"))
    ended = run("show", nix, "--json")
    ended.refused(70, "charforge has a bug here", "The report could not be saved.")
