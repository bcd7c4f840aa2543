"""A Tank in a character file, and checks of commands that change what it owns."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import to_text
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character


def write_tank(path: Path, rules: Ruleset, level: int = 1, **explicit_answers: Any) -> Path:
    """Write a Tank with 300 mC and no Innate System."""
    answers = {"money": 300, "role": "role/the-tank", "innate": [], **explicit_answers}
    plan = CharacterSpec(rules, "7", "Nix", level, answers=answers)
    path.write_text(to_text(create_character(plan, RandomAnswers("7"))), encoding="utf-8")
    return path


def read_log(file: Path) -> list[dict[str, Any]]:
    """Return the events of a file."""
    found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["log"]
    return found


def lines_of(ended: Any) -> list[str]:
    """Return the lines of a run that went well."""
    assert (ended.code, ended.err) == (0, ""), ended.err
    return list(ended.out.splitlines())


def assert_refused(
    run: Callable[..., Any], command: str, file: Path, options: list[str], code: int, message: str
) -> None:
    """Assert that a command exits with ``code`` and a message, and leaves the file unchanged."""
    before = file.read_bytes()
    ended = run(command, file, *options)
    assert (ended.code, ended.out) == (code, ""), ended
    assert message.casefold() in ended.err.casefold(), ended.err
    assert file.read_bytes() == before
