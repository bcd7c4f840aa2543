"""Tab completion: commands, files, and the words of the character or the game."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

pytestmark = pytest.mark.capital


@pytest.fixture
def completed(run, monkeypatch):
    """Return a function that completes the last word of a line, as bash asks for it."""

    def completed(line: str) -> list[str]:
        words = line.split(" ")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        monkeypatch.setenv("_CHARFORGE_COMPLETE", "complete_bash")
        ended = run()
        assert (ended.code, ended.err) == (0, "")
        return ended.out.split()

    return completed


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("charforge lev", ["level-up"]),
        ("charforge catalog li", ["list"]),
        ("charforge help catalog rul", ["rulings"]),
        ("charforge show n", ["nix.json"]),
        ("charforge show ./n", ["./nix.json"]),
        ("charforge check c", ["camp/"]),
        ("charforge show nix.json --un", ["--unit"]),
        ("charforge show nix.json --unit ch", ["character"]),
        ("charforge use nix.json focus", ["focus-i"]),
        ("charforge use nix focus", ["focus-i"]),
        ("charforge explain nix max_h", ["max_hp"]),
        ("charforge explain nix level.2.h", ["level.2.hp"]),
        ("charforge explain nix system/focus", ["system/focus-ii", "system/focus-i"]),
        ("charforge explain nix minigu", ["minigun", "miniguns"]),
        ("charforge roll nix st", ["str"]),
        ("charforge condition nix pron", ["prone"]),
        ("charforge spend nix ener", ["energy"]),
        ("charforge award nix gri", ["grit"]),
        ("charforge rest nix sho", ["short"]),
        ("charforge buy nix torc", ["torch"]),
        ("charforge edit nix personality.g", ["personality.goal"]),
        ("charforge edit nix role --answer role/the-t", ["role/the-tank"]),
        ("charforge odds n", ["nix.json"]),
        ("charforge odds nix unar", ["unarmed"]),
        ("charforge new --ruleset squ", ["squad-d20"]),
        ("charforge catalog show role/the-t", ["role/the-tank"]),
        ("charforge catalog show --ruleset squad-d20 role/", []),
        ("charforge catalog list --kind rol", ["role"]),
        ("charforge catalog rulings D18", ["D18"]),
        ("charforge resolve capital fal", ["fall"]),
        ("charforge catalog add ca", ["camp/"]),
        ("charforge catalog add example:house", ["example:house-rules"]),
        ("charforge sheet nix --layout sh", ["short"]),
        ("charforge use nobody foc", []),
        ("charforge explain camp max", []),
        ("charforge part nix to", []),
    ],
)
def test_a_word_is_completed(completed, nix, line, words):
    (nix.parent / "camp").mkdir()
    assert completed(line) == words


def test_items_are_those_that_the_character_has(completed, nix, run):
    assert run("buy", nix, "torch", "--free").code == 0
    assert completed("charforge drop nix torc") == ["torch"]
    assert completed("charforge hold nix torc") == ["torch"]
    assert completed("charforge drop nix shotg") == []


@pytest.fixture
def run_shell(nix, environment, tmp_path_factory):
    """Return a function that runs a script of a shell in which charforge is a command."""
    program = tmp_path_factory.mktemp("bin") / "charforge"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m charforge "$@"\n')
    program.chmod(0o755)

    def run_shell(*command: str) -> list[str]:
        done = subprocess.run(
            command,
            cwd=nix.parent,
            env={**environment, "PATH": f"{program.parent}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        return done.stdout.splitlines()

    return run_shell


@pytest.mark.slow
@pytest.mark.needs("fish")
def test_fish_completes(run_shell):
    script = """
        _CHARFORGE_COMPLETE=source_fish charforge | source
        complete --do-complete "charforge explain nix max_h"
    """
    assert [line.split()[0] for line in run_shell("fish", "--no-config", "-c", script)] == [
        "max_hp"
    ]


@pytest.mark.slow
@pytest.mark.needs("zsh")
def test_zsh_completes(run_shell):
    """The words that the installed function asks for, as zsh asks for them."""
    script = """
        autoload -Uz compinit; compinit -u -D
        eval "$(_CHARFORGE_COMPLETE=source_zsh charforge)"
        _arguments() { print -r -- "$@"; }
        words=(charforge explain nix max_h); CURRENT=4
        _charforge_completion
        print -r -- ${_comps[charforge]}
    """
    lines = run_shell("zsh", "-f", "-c", script)
    assert any("max_hp" in line for line in lines[:-1])
    assert lines[-1] == "_charforge_completion"


@pytest.mark.slow
def test_bash_completes(run_shell):
    script = """
        eval "$(_CHARFORGE_COMPLETE=source_bash charforge)"
        COMP_WORDS=(charforge explain nix max_h); COMP_CWORD=3
        _charforge_completion charforge
        echo "${COMPREPLY[@]}"
        complete -p charforge
    """
    assert run_shell("bash", "--norc", "-c", script) == [
        "max_hp",
        "complete -o default -F _charforge_completion charforge",
    ]
