"""A bug: one sentence, a report without the character, and exit code 70."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


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
