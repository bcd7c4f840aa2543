"""A character as an answers file."""

from __future__ import annotations

from charforge.answers import file as answers_file
from charforge.opened import Opened


def to_answers(opened: Opened) -> str:
    """Return the answers file that makes this character again."""
    loaded = opened.document
    labels = {decision.id: decision.ask.label for decision in opened.character.asked}
    return answers_file.write(
        opened.ruleset, loaded.name, loaded.level, loaded.seed, loaded.rules,
        opened.character.answers(), labels,
    )  # fmt: skip
