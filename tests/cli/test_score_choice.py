"""The score of an attack, where a character may use a higher one: odds and use choose the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from charforge.cli import console
from charforge.cli.console import FrontEnd
from charforge.cli.session.session import Session

pytestmark = pytest.mark.capital


@pytest.fixture
def focused(run, nix) -> Path:
    """The file of a character with Focus, who may use AGI instead of a lower STR."""
    run("condition", nix, "focus")
    values = json.loads(nix.read_text("utf-8"))["character"]["values"]
    assert values["agi"] > values["str"]
    return nix


def last_event(path: Path) -> dict:
    return json.loads(path.read_text("utf-8"))["log"][-1]


def hit_chance(found: dict) -> str:
    return found["cases"][0]["outputs"]["hits"]["mean"]["exact"]


def test_odds_choose_the_highest_score(run, focused):
    chosen = run("odds", focused, "unarmed", "6", "--json").json
    agi = run("odds", focused, "unarmed", "6", "hit=agi", "--json").json
    own = run("odds", focused, "unarmed", "6", "hit=str", "--json").json
    assert hit_chance(chosen) == hit_chance(agi) != hit_chance(own)
    assert any("AGI" in one and "hit=str" in one for one in chosen["assumes"])
    assert not any("AGI" in one for one in [*agi["assumes"], *own["assumes"]])


def test_without_a_terminal_use_chooses_as_the_odds_do_and_says_so(run, focused):
    told = run("use", focused, "unarmed", "6").out
    assert "otherwise: hit=str" in told
    assert last_event(focused)["inputs"]["hit"] == "agi"
    told = run("use", focused, "unarmed", "6", "hit=str").out
    assert "otherwise" not in told
    assert last_event(focused)["inputs"].get("hit", "str") == "str"


def test_without_focus_its_own_score_is_used(run, nix):
    assert "otherwise" not in run("use", nix, "unarmed", "6").out
    assert "hit" not in last_event(nix)["inputs"]


@pytest.mark.parametrize(("answer", "hit"), [("str", "str"), ("AGI", "agi")])
def test_on_a_terminal_the_player_is_asked(focused, monkeypatch, answer, hit):
    asked = []

    def ask(question: str) -> str:
        asked.append(question)
        return answer if question.startswith("Hit Attribute") else ""

    monkeypatch.setattr(console, "is_interactive", lambda: True)
    front_end = replace(FrontEnd(file=focused), live=True, ask=ask)
    assert Session(front_end).do("unarmed 6") == 0
    assert last_event(focused)["inputs"]["hit"] == hit
    question = next(one for one in asked if one.startswith("Hit Attribute"))
    assert "AGI" in question and "STR" in question


def test_without_actions_left_nothing_is_asked(run, nix, monkeypatch, capsys):
    run("turn", nix)
    for _action in range(2):
        assert run("use", nix, "move").code == 0
    monkeypatch.setattr(console, "is_interactive", lambda: True)
    asked = []
    session = Session(FrontEnd(file=nix, live=True, ask=lambda text: asked.append(text) or "6"))
    before = nix.read_bytes()
    capsys.readouterr()
    assert session.do("unarmed") != 0
    assert "no Actions left" in " ".join(capsys.readouterr().err.split())
    assert not asked
    assert nix.read_bytes() == before
