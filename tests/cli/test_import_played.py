"""import --into: a session saved from an HTML sheet."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from charforge.cli import console
from tests.cli.conftest import CommandResult

Run = Callable[..., CommandResult]
HURT = {"do": "change", "value": "hp", "by": -7}
KIT = "kit.primitive-first-aid-kit"
PLAYED = [
    HURT,
    {"do": "change", "value": "small-bandage", "holding": KIT, "by": -2},
    {"do": "change", "value": "energy", "unit": "asset.vehicle", "by": -3},
    {"do": "cooldown", "holding": "role.rally", "ability": "Rally"},
    {"do": "condition", "condition": "status/prone"},
    {"do": "condition", "condition": "effect/clarity", "amount": 2},
]


@pytest.fixture
def nix(captain: str, tmp_path: Path) -> Path:
    path = tmp_path / "nix.json"
    path.write_text(captain, encoding="utf-8")
    return path


@pytest.fixture
def page(captain: str, tmp_path: Path) -> Callable[..., str]:
    """Write what a page saved, and return the name of its file."""

    def page(*events: Any, name: str = "played.json", **other: Any) -> str:
        made = json.loads(captain)
        data = {"id": made["id"], "n": len(made["log"]), "events": events, **other}
        (tmp_path / name).write_text(json.dumps(data, indent=1), encoding="utf-8")
        return name

    return page


# ------------------------------------------------------------------ applied


def test_what_was_played_is_one_change(run: Run, nix: Path, page: Callable[..., str]) -> None:
    before = run("show", nix, "--json").json
    ended = run("import", page(*PLAYED), "--into", nix)
    assert (ended.code, ended.err) == (0, "")
    output = [line.strip() for line in ended.out.splitlines() if line.startswith("  ")]
    assert output == [
        "HP −7",
        "Primitive first aid kit: Small Bandages −2",
        "Mechsuit: Energy −3",
        "Rally is on cooldown",
        "now Prone",
        "Clarity 0 → 2",
    ]
    after = run("show", nix, "--json").json
    assert after["values"]["hp"]["total"] == before["values"]["hp"]["total"] - 7
    assert json.loads(nix.read_text("utf-8"))["character"]["conditions"] == [
        "status/prone",
        "effect/clarity 2",
    ]
    assert run("undo", nix).code == 0
    assert run("show", nix, "--json").json == before
    assert run("redo", nix).code == 0
    assert run("show", nix, "--json").json == after
    assert run("check", nix).code == 0


def test_an_action_comes_off_cooldown(run: Run, nix: Path, page: Callable[..., str]) -> None:
    rally = {"do": "cooldown", "holding": "role.rally", "ability": "Rally"}
    assert run("import", page(rally), "--into", nix).code == 0
    number = len(json.loads(nix.read_text("utf-8"))["log"])
    ended = run("import", page({**rally, "off": True}, n=number), "--into", nix)
    assert ended.out.splitlines()[0] == "  Rally is ready again"
    assert "cooldown" not in ended.out.splitlines()[1]


def test_nothing_that_happened_is_nothing(run: Run, nix: Path, page: Callable[..., str]) -> None:
    before = nix.read_bytes()
    ended = run("import", page(), "--into", nix)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err == f"played.json has no changes that {nix} does not have.\n"
    assert nix.read_bytes() == before


# ------------------------------------------------------------------ the log went on


def test_the_same_page_counts_once(run: Run, nix: Path, page: Callable[..., str]) -> None:
    assert run("import", page(*PLAYED), "--into", nix).code == 0
    once = nix.read_bytes()
    ended = run("import", page(*PLAYED), "--into", nix)
    assert (ended.code, ended.out) == (0, "")
    assert nix.read_bytes() == once
    ended = run("import", page(*PLAYED, HURT), "--into", nix)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[0] == "  HP −7"
    assert len(ended.out.splitlines()) == 2


def test_a_character_that_moved_on_is_left_alone_where_nobody_can_say(
    run: Run, nix: Path, page: Callable[..., str]
) -> None:
    assert run("spend", nix, "energy", "1").code == 0
    before = nix.read_bytes()
    ended = run("import", page(HURT), "--into", nix)
    ended.refused(2, "has changed since the page was made.", "--anyway")
    lines = ended.err.splitlines()
    assert lines[1:5] == [f"In {nix} since then:", "  Energy −1", "On the page:", "  HP −7"]
    assert nix.read_bytes() == before
    ended = run("import", page(HURT), "--into", nix, "--anyway")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[0] == "  HP −7"


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 2), ("", 2)])
def test_a_player_says_whether_both_happened(
    run: Run, nix: Path, page: Callable[..., str], monkeypatch: pytest.MonkeyPatch,
    answer: str, code: int,
) -> None:  # fmt: skip
    assert run("spend", nix, "energy", "1").code == 0
    before = nix.read_bytes()
    monkeypatch.setattr(console, "is_interactive", lambda: True)
    ended = run("import", page(HURT), "--into", nix, stdin=answer)
    assert ended.code == code
    assert "Did both happen?" in ended.err
    assert (nix.read_bytes() != before) == (code == 0)
    assert ("Nothing was changed." in ended.err) == (code == 2)


def test_what_was_undone_is_said(run: Run, nix: Path, page: Callable[..., str]) -> None:
    assert run("spend", nix, "energy", "1").code == 0
    number = len(json.loads(nix.read_text("utf-8"))["log"])
    assert run("undo", nix).code == 0
    run("import", page(HURT, n=number), "--into", nix).refused(2, "were undone", "--anyway")


# ------------------------------------------------------------------ refused


@pytest.mark.parametrize(
    ("events", "other", "said"),
    [
        ([HURT], {"id": "0123456789abcdef"}, "this session belongs to a different character"),
        ([HURT], {"n": 0}, "line 3, n: it must be at least 1"),
        ([HURT], {"m": 1}, "line 11, m: unknown key"),
        ([{**HURT, "by": "7"}], {}, "line 8, event 1 by: it must be a whole number"),
        ([HURT, {"do": "chnage"}], {}, 'event 2: "chnage" is not one of change, condition'),
        ([{"do": "acquire"}], {}, 'event 1: "acquire" is not one of change, condition'),
        ([{**HURT, "n": 3}], {}, 'event 1: the key "n" is only allowed in a character file'),
        ([7], {}, "event 1: it must be a map"),
        ("x", {}, "events: it must be a list"),
    ],
)
def test_another_character_and_what_is_no_event_are_refused(
    run: Run, nix: Path, page: Callable[..., str], events: Any, other: dict[str, Any], said: str
) -> None:
    before = nix.read_bytes()
    name = page(**{"events": events, **other})
    run("import", name, "--into", nix).refused(2, said)
    assert nix.read_bytes() == before


def test_every_event_that_cannot_happen_has_its_line(
    run: Run, nix: Path, page: Callable[..., str]
) -> None:
    before = nix.read_bytes()
    name = page(
        HURT,
        {"do": "change", "value": "str", "by": 1},
        {"do": "cooldown", "holding": "role.rall", "ability": "Rally"},
        {"do": "condition", "condition": "status/prone", "unit": "nobody"},
    )
    ended = run("import", name, "--into", nix)
    ended.refused(2)
    assert [line.split(" ")[0] for line in ended.err.splitlines()] == [
        "played.json:10:",
        "played.json:15:",
        "played.json:20:",
    ]
    assert "STR is not a resource of a Character." in ended.err
    assert nix.read_bytes() == before


def test_what_is_no_page_is_not_put_into_a_character(
    run: Run, nix: Path, page: Callable[..., str], tmp_path: Path
) -> None:
    (tmp_path / "cut.json").write_text('{"id": "a", "n": 3,\n "events": [', encoding="utf-8")
    run("import", "cut.json", "--into", nix).refused(2, "the file ends too early, at line 2")
    output = "this file is not a saved session of an HTML sheet. Import it without --into."
    run("import", nix, "--into", nix).refused(2, output)
    run("import", page(HURT)).refused(2, "a session saved by an HTML sheet", "--into")
    run("import", page(HURT), "--into", "gone.json").refused(2, "this file does not exist")


@pytest.mark.parametrize("option", [("-o", "b.json"), ("--force",)])
def test_options_of_a_new_file_have_no_meaning_with_into(
    run: Run, nix: Path, page: Callable[..., str], option: tuple[str, ...]
) -> None:
    ended = run("import", page(HURT), "--into", nix, *option)
    ended.refused(2, "--into, which changes that file itself", option[0])
