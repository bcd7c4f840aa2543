"""Weapons and their attacks."""

from __future__ import annotations

from typing import NamedTuple

from charforge.language import _
from charforge.sheet.view.figures import SheetCapacity
from charforge.sheet.view.rules import RulesText


class AttackSteps(NamedTuple):
    """How an attack is calculated: the total of its roll with its steps, and its damage.

    ``steps`` are amounts with their sources, ``formula`` is the damage as the
    rules write it. ``roll`` is empty for an attack that is not rolled.
    What counts only in some situations is in neither:
    ``roll_situations`` and ``damage_situations`` are amounts with their conditions.
    """

    name: str
    roll: str
    steps: tuple[tuple[str, str], ...]
    damage: str
    formula: str
    roll_situations: tuple[tuple[str, str], ...] = ()
    damage_situations: tuple[tuple[str, str], ...] = ()


class AttackMode(NamedTuple):
    """One attack of a weapon, with what differs from the weapon; an empty field is as there.

    ``damage`` is to be rolled for a hit, with all its Shots, and ``damage_note`` explains it;
    ``damage_dice`` is the same as an expression for a program (``3d6+2``). ``roll`` is the total
    bonus, ``made_of`` its parts (empty if nothing is rolled to hit), ``versus`` what it must beat
    (empty if nothing); a program rolls ``roll_dice`` and adds ``roll_bonus``, where the
    ruleset has such a roll. ``icons`` are the names of symbols of the damage ``types``, ``extras``
    costs, Crit and the like, ``unmet`` are the reasons why it cannot be used yet.
    """

    name: str = ""
    range: str = ""
    roll: str = ""
    versus: str = ""
    made_of: str = ""
    damage: str = ""
    damage_note: str = ""
    types: str = ""
    icons: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    text: RulesText = RulesText()
    unmet: tuple[str, ...] = ()
    roll_dice: str = ""
    roll_bonus: int = 0
    damage_dice: str = ""
    # The key of its button on a page to play from.
    move_key: str = ""

    @property
    def has_figures(self) -> bool:
        """Whether it has a range, a roll or a damage of its own."""
        return bool(self.range or self.roll or self.damage or self.types)

    @property
    def roll_line(self) -> str:
        """The roll with what it must beat: ``+8 vs Defense``; empty if nothing is rolled."""
        return (
            _("{roll} vs {versus}").format(roll=self.roll, versus=self.versus)
            if self.versus
            else self.roll
        )

    def with_own(self, mode: AttackMode) -> AttackMode:
        """Return the fields of a mode, with these where it has none of its own."""
        own = {name: value for name, value in mode._asdict().items() if value}
        return self._replace(**own | {"extras": (*self.extras, *mode.extras)})


class Weapon(NamedTuple):
    """A weapon with its attacks: ``shared`` is what all of its modes have in common.

    With a single attack there are no ``modes``. Nothing is said twice: a mode has only what
    differs from mode to mode. ``notes`` are how many there are and properties such as Two-handed.
    """

    name: str
    notes: tuple[str, ...]
    capacities: tuple[SheetCapacity, ...]
    modes: tuple[AttackMode, ...]
    shared: AttackMode

    @property
    def attacks(self) -> tuple[AttackMode, ...]:
        """Each attack of the weapon with all its fields."""
        return tuple(map(self.shared.with_own, self.modes)) or (self.shared,)

    @property
    def first_row(self) -> AttackMode:
        """The attack in its own row: what its modes share, and a first mode without a name."""
        return self.shared.with_own(self.modes[0]) if self._starts_unnamed else self.shared

    @property
    def further_rows(self) -> tuple[AttackMode, ...]:
        """The modes with rows of their own."""
        return self.modes[1:] if self._starts_unnamed else self.modes

    @property
    def _starts_unnamed(self) -> bool:
        return bool(self.modes) and not self.modes[0].name


class AttackRules(NamedTuple):
    """The dice of attacks, a note on their roll, and whether any weapon of the game has ammo."""

    dice: str
    note: str
    ammo: bool = True
