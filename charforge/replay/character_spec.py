"""The specification of a character to create, checked before any decision is asked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from charforge.character.files.document import LONGEST_NAME
from charforge.character.files.events import AnyEvent
from charforge.decisions.base import Answer
from charforge.errors import UnknownId, UsageError
from charforge.expressions.template import has_unprintable
from charforge.language import _
from charforge.replay.replay import AnswerSource, Character, leave_open, replay
from charforge.rules.ruleset import Ruleset


@dataclass(frozen=True)
class CharacterSpec:
    """The specification of a character, before any decision is asked.

    ``rules`` are table rules: option id by rule id. ``answers`` are by
    decision id. ``log`` is the log of an existing character, whose answers
    are among ``answers``. ``begun`` are the unfinished lists of the wizard, by
    decision id, which do not count yet. Raises UsageError or UnknownId for an invalid name,
    seed, level or table rule.
    """

    ruleset: Ruleset
    seed: str
    name: str = ""
    level: int = 1
    rules: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, Answer] = field(default_factory=dict)
    log: tuple[AnyEvent, ...] = ()
    begun: Mapping[str, Answer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_level(self.ruleset, self.level)
        check_rules(self.ruleset, self.rules)
        if self.name:
            check_name(self.name)
        if has_unprintable(self.seed) or "\n" in self.seed or len(self.seed) > LONGEST_NAME:
            raise UsageError(
                _("the seed can have at most {longest} printable characters").format(
                    longest=LONGEST_NAME
                )
            )

    def replay(self, source: AnswerSource = leave_open, unfinished: str = "") -> Character:
        """Return the character; ``source`` answers decisions that have no answer yet.

        The answer to the decision ``unfinished`` counts although it is incomplete.
        """
        return replay(
            self.ruleset, self.answers, self.level, self.name, self.rules, source, self.log,
            unfinished=unfinished,
        )  # fmt: skip


def new_seed() -> str:
    """Return a new random seed of 12 hexadecimal digits."""
    return os.urandom(6).hex()


def check_name(name: str) -> None:
    """Raise UsageError for an empty, overlong or unprintable name."""
    if not name.strip():
        raise UsageError(_("a name needs at least one letter"))
    if len(name) > LONGEST_NAME:
        raise UsageError(
            _("the name has {count} characters; the limit is {longest}").format(
                count=len(name), longest=LONGEST_NAME
            )
        )
    if has_unprintable(name) or "\n" in name:
        raise UsageError(
            _("the name contains control characters or invalid characters"), _("Type it again.")
        )


def check_level(ruleset: Ruleset, level: int) -> None:
    """Raise UsageError for a level that the ruleset does not have."""
    advancement = ruleset.head.advancement
    most = advancement.maximum
    if not 1 <= level <= most:
        raise UsageError(
            _("{name} has levels {first} to {most}; there is no level {level}").format(
                name=ruleset.head.name,
                first=advancement.first,
                most=advancement.number(most),
                level=advancement.number(level),
            )
        )


def check_rules(ruleset: Ruleset, rules: Mapping[str, str]) -> None:
    """Raise UnknownId for a table rule or option that does not exist."""
    for name, value in rules.items():
        rule = ruleset.table_rules.get(name)
        if rule is None:
            raise UnknownId(_("table rule"), name, ruleset.table_rules)
        known = [option.id for option in rule.options]
        if value not in known:
            raise UnknownId(_("option of the table rule {name}").format(name=name), value, known)
