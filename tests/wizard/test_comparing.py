"""A list that compares its options on request says how far it is."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from charforge.wizard.line_prompts import LinePrompts
from charforge.wizard.shop import Shop
from tests.usecases.test_example_advice import sample


def test_lines_say_once_how_many_options_are_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded = sample("cinderwell", "digger")
    monkeypatch.setattr(sys, "stdin", io.StringIO("!\n<\n1\n"))
    Shop(loaded, Path("nix.json"), lambda _before, after, _file: after, LinePrompts()).run()
    shown = capsys.readouterr().err
    before, compared = shown.split("Compare the options")
    assert shown.count("Comparing ") == before.count(" options …") == 1
    assert "The best comes first." in " ".join(compared.split())
