"""A list that compares its options on request says how far it is."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from charforge.answers.random import RandomAnswers
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import load_document
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.wizard.line_prompts import LinePrompts
from charforge.wizard.shop import Shop


def test_lines_say_once_how_many_options_are_compared(
    capital: Ruleset, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = CharacterSpec(capital, "3", "Nix", answers={"role": "role/the-healer"})
    document = create_character(spec, RandomAnswers("3"))
    loaded = load_document(document, Path("nix.json"), capital)
    monkeypatch.setattr(sys, "stdin", io.StringIO("!\n<\n1\n"))
    Shop(loaded, Path("nix.json"), lambda _before, after, _file: after, LinePrompts()).run()
    shown = capsys.readouterr().err
    before, compared = shown.split("Which option changes what?")
    assert shown.count("Comparing ") == before.count(" options …") == 1
    assert "None of these changes a number." in " ".join(compared.split())
