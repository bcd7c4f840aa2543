"""The specification of a character, before any decision is asked: of a new one, or of a trial."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from charforge.character.files.document import LONGEST_NAME
from charforge.character.files.events import AdvanceEvent, AnyEvent, SetEvent
from charforge.character.state_data import SharedUnit
from charforge.decisions.base import Answer
from charforge.errors import UnknownId, UsageError
from charforge.expressions.template import has_unprintable
from charforge.language import _
from charforge.replay.replay import AnswerSource, Character, Lenience, Start, leave_open, replay
from charforge.rules.ruleset import Ruleset


class UnitSpec(NamedTuple):
    """A vehicle or companion of a new character: its own name, and when it leveled up.

    ``level_ups`` has the character's level at each of its level-ups, from its level 2 on.
    """

    name: str = ""
    level_ups: tuple[int, ...] = ()


NO_UNITS: Mapping[str, UnitSpec] = MappingProxyType({})


def growth(
    level: int, units: Mapping[str, UnitSpec] = NO_UNITS
) -> tuple[AdvanceEvent | SetEvent, ...]:
    """Return the events that follow the creation of a new character up to a level.

    They are its levels, each followed by the level-ups of its units, and then the names of these;
    numbered from 1, each in a group of its own.
    """
    events: list[AdvanceEvent | SetEvent] = []

    def add(kind: type[AdvanceEvent | SetEvent], **fields: Any) -> None:
        events.append(kind(n=len(events) + 1, group=len(events) + 1, **fields))

    for reached in range(2, level + 1):
        add(AdvanceEvent, level=reached)
        for name, unit in units.items():
            for number, at in enumerate(unit.level_ups, 2):
                if at == reached:
                    add(AdvanceEvent, level=number, unit=name)
    for name, unit in units.items():
        if unit.name:
            add(SetEvent, name=unit.name, unit=name)
    return tuple(events)


@dataclass(frozen=True)
class CharacterSpec:
    """The specification of a character, before any decision is asked.

    ``rules`` are table rules: option id by rule id. ``answers`` are by
    decision id. ``log`` is the log of an existing character, whose answers
    are among ``answers``. ``begun`` are the unfinished lists of the wizard, by
    decision id, which do not count yet. ``shared`` is what its group owns. ``units`` are the
    units of a new character that have a name or level-ups, by id. Raises UsageError or
    UnknownId for an invalid name, seed, level or table rule.
    """

    ruleset: Ruleset
    seed: str
    name: str = ""
    level: int = 1
    rules: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, Answer] = field(default_factory=dict)
    log: tuple[AnyEvent, ...] = ()
    begun: Mapping[str, Answer] = field(default_factory=dict)
    shared: SharedUnit | None = None
    units: Mapping[str, UnitSpec] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_level(self.ruleset, self.level)
        check_units(self.units, self.level)
        check_rules(self.ruleset, self.rules)
        if self.name:
            check_name(self.name)
        if has_unprintable(self.seed) or "\n" in self.seed or len(self.seed) > LONGEST_NAME:
            raise UsageError(
                _("the seed can have at most {longest} printable characters").format(
                    longest=LONGEST_NAME
                )
            )

    @property
    def basis(self) -> str:
        """Which figures the character has, in a sentence; empty for those of now."""
        return ""

    def replay(self, source: AnswerSource = leave_open, unfinished: str = "") -> Character:
        """Return the character; ``source`` answers decisions that have no answer yet.

        The answer to the decision ``unfinished`` counts although it is incomplete.
        """
        return replay(
            self.ruleset,
            self.answers,
            Start(self.name, self.rules, self.shared, new=not self.log),
            source,
            self.log or growth(self.level, self.units),
            lenience=Lenience(unfinished=unfinished),
        )


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


def check_units(units: Mapping[str, UnitSpec], level: int) -> None:
    """Raise UsageError for an invalid name of a unit, or a level-up above the character's level."""
    for unit, spec in units.items():
        if spec.name:
            check_name(spec.name)
        above = next((one for one in spec.level_ups if not 2 <= one <= level), None)
        if above is not None:
            raise UsageError(
                _(
                    "{unit} has a level-up at level {above}, but the character is level {level}"
                ).format(unit=unit, above=above, level=level)
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
