"""Texts of character files on a terminal: none of their characters is obeyed."""

from __future__ import annotations

import json

import pytest

from charforge.cli import console
from charforge.cli.terminal.screen import EscapingConsole

# Signs that terminals obey, and those that turn the direction of text.
OBEYED = {"\x1b", "\x07", "\x9b", "\u202e", "\u2066"}


@pytest.fixture
def hostile(captain, tmp_path):
    """A character whose rules are missing and whose summary and names steer terminals."""
    data = json.loads(captain)
    data |= {"ruleset": "elsewhere", "name": "Nix\u202egnp.exe"}
    data["packs"] = [{"id": "elsewhere", "version": "1", "hash": "0"}]
    data["character"]["role"] = "role/\x1b]0;title\x07"
    data["character"]["holdings"] = ["gear/\x1b[31mred", "gear/\x9b31m", "gear/\u2066turned"]
    data["character"]["values"]["\x1b[2J"] = 7
    (tmp_path / "nix.json").write_text(json.dumps(data), encoding="utf-8")


@pytest.mark.parametrize("arguments", [("show",), ("show", "--json"), ("check",)])
def test_control_characters_of_a_saved_summary_are_printed_as_escapes(run, hostile, arguments):
    command, *options = arguments
    done = run(command, "nix.json", *options)
    assert not OBEYED & {*done.out, *done.err}
    assert "\\u202e" in done.out + done.err or command == "check"


@pytest.mark.parametrize("command", ["show", "check", "history", "luck"])
def test_a_name_that_turns_the_direction_of_text_is_printed_with_escapes(
    run, captain, tmp_path, command
):
    text = captain.replace('"name": "Nix"', '"name": "Nix\u202egnp.exe"')
    (tmp_path / "nix.json").write_text(text, encoding="utf-8")
    done = run(command, "nix.json")
    assert done.code == 0, done.err
    assert not OBEYED & {*done.out, *done.err}
    assert "Nix\\u202egnp.exe" in done.out + done.err


def test_a_long_name_with_escapes_is_wrapped_and_not_cut(run, captain, tmp_path):
    name = "Nix \u202e" + "of the long road " * 6 + "End"
    data = {**json.loads(captain), "name": name}
    (tmp_path / "nix.json").write_text(json.dumps(data), encoding="utf-8")
    shown = run("show", "nix.json")
    plate = shown.out.splitlines()[:5]
    assert len({len(line) for line in plate}) == 1, "the border on the right is straight"
    lines = (line.strip("┃ ").removesuffix("Level 3") for line in plate)
    words = " ".join(" ".join(lines).split())
    assert name.replace("\u202e", "\\u202e") in words


def test_rich_keeps_its_own_styles(capsys):
    terminal = EscapingConsole(force_terminal=True, color_system="standard", width=40)
    terminal.print("[red]red[/red]\x1b[2J", highlight=False)
    assert capsys.readouterr().out == "\x1b[31mred\x1b[0m\\u001b[2J\n"


def test_letters_of_any_direction_are_printed_as_they_are():
    assert console.without_controls("נִיקְס \u200fAda\u200e ناي") == "נִיקְס \u200fAda\u200e ناي"


def test_show_lists_the_actions_that_everyone_has(run, nix):
    """The Harbour's deeds are the moves of other games: nobody has them, everyone can do them."""
    lines = [line.strip() for line in run("show", nix).out.splitlines()]
    place = next(number for number, line in enumerate(lines) if line.startswith("DEEDS"))
    assert lines[place + 1] == "Shout"
    assert lines[place + 2].startswith("At work")
    assert lines[place + 3] == "Shout."
