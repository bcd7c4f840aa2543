"""Weapons of a view: their attacks, and what several modes or weapons have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from charforge.language import _
from charforge.sheet.view.parts import RulesText, SheetCapacity


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


# The fields of a mode that are only in one place together, on the weapon or on each mode.
SHARED_FIELDS = (
    ("range",),
    ("roll", "versus", "made_of", "roll_dice", "roll_bonus", "roll_against", "roll_counts"),
    ("damage", "damage_note", "damage_dice"),
    ("types", "icons"),
    ("text",),
    ("unmet",),
)


class AttackMode(NamedTuple):
    """One attack of a weapon, with what differs from the weapon; an empty field is as there.

    ``damage`` is to be rolled for a hit, with all its Shots, and ``damage_note`` explains it;
    ``damage_dice`` is the same as an expression for a program (``3d6+2``). ``roll`` is the total
    bonus, ``made_of`` its parts (empty if nothing is rolled to hit), ``versus`` what it must beat
    (empty if nothing); a program rolls ``roll_dice`` and adds ``roll_bonus``, where the
    ruleset has such a roll. ``roll_against`` and ``roll_counts`` are as in a Check.
    ``icons`` are the names of symbols of the damage ``types``, ``extras``
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
    roll_against: str = ""
    roll_counts: tuple[int, ...] = ()

    @property
    def has_figures(self) -> bool:
        """Whether it has a range, a roll or a damage of its own."""
        return bool(self.range or self.roll or self.damage or self.types)

    @property
    def figures(self) -> AttackMode:
        """Its range, roll and damage alone."""
        return AttackMode(
            range=self.range, roll=self.roll, versus=self.versus,
            damage=self.damage, types=self.types, icons=self.icons,
        )  # fmt: skip

    @property
    def roll_line(self) -> str:
        """The roll with what it must beat: ``+8 vs Defense``; empty if nothing is rolled."""
        return (
            _("{roll} vs {versus}").format(roll=self.roll, versus=self.versus)
            if self.versus
            else self.roll
        )

    def beside(self, first: AttackMode) -> AttackMode:
        """Return only what differs from the row above."""
        nothing = AttackMode()
        kept: dict[str, Any] = {}
        for fields in SHARED_FIELDS:
            if all(getattr(self, name) == getattr(first, name) for name in fields):
                kept |= {name: getattr(nothing, name) for name in fields}
        return self._replace(**kept)

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
    def condensed_modes(self) -> tuple[AttackMode, ...]:
        """The modes with rows of their own, each only with what differs from the first row."""
        return tuple(mode.beside(self.first_row) for mode in self.further_rows)

    def condensed(
        self, common: Collection[AttackMode], above: Collection[AttackMode] = ()
    ) -> Weapon:
        """Return it with condensed modes, and with those printed elsewhere only as a note.

        Those in ``common`` are printed once below all weapons, those ``above`` before them.
        """
        rows, elsewhere = self.condensed_modes, (*common, *above)
        names = [mode.name for mode in rows if mode in elsewhere]
        note = (_("also {modes}").format(modes=" · ".join(names)),) if names else ()
        if len(common) > 2 and all(mode in rows for mode in common) and len(names) == len(common):
            note = (_("also all modes below"),)
        kept = (mode for mode in rows if mode not in elsewhere)
        return self._replace(
            modes=(*self.modes[: len(self.modes) - len(rows)], *kept), notes=(*self.notes, *note)
        )

    @property
    def _starts_unnamed(self) -> bool:
        return bool(self.modes) and not self.modes[0].name


class NumberedWeapon(NamedTuple):
    """A weapon with its place among those of its holder, from 1."""

    number: int
    weapon: Weapon


def equal_weapons(weapons: Iterable[Weapon]) -> tuple[tuple[NumberedWeapon, ...], ...]:
    """Return the weapons in groups that differ only in their names and in what they hold."""
    groups: dict[Weapon, list[NumberedWeapon]] = {}
    for number, weapon in enumerate(weapons, 1):
        alike = weapon._replace(name="", capacities=())
        groups.setdefault(alike, []).append(NumberedWeapon(number, weapon))
    return tuple(map(tuple, groups.values()))


def shared_modes(weapons: Iterable[Weapon]) -> tuple[AttackMode, ...]:
    """Return the named modes that several weapons have, such as Burst Fire, each once."""
    modes = Counter(mode for weapon in weapons for mode in weapon.condensed_modes)
    return tuple(mode for mode, times in modes.items() if times > 1 and mode.name)


class AttackRules(NamedTuple):
    """The dice of attacks, a note on their roll, and whether any weapon of the game has ammo.

    ``dice`` are empty where each attack has its own. ``added``: the roll is added to them.
    """

    dice: str
    note: str
    ammo: bool = True
    added: bool = True
