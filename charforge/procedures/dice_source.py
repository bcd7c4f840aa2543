"""Dice for procedures: faces that a player rolled come first, the rest is rolled from a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from charforge.errors import ProcedureError
from charforge.expressions import dice as dice_module
from charforge.expressions.dice import Dice
from charforge.language import _

FIRST = "first"  # the name of faces that were typed without one: those of the first roll
NO_DICE: Mapping[str, Sequence[int]] = MappingProxyType({})


class RolledDice:
    """Faces that a player rolled, by the name or the label of their roll.

    ``left`` are those not used yet, by name in lower case. Faces under
    ``FIRST`` belong to the first roll.
    """

    def __init__(self, faces: Mapping[str, Sequence[int]]) -> None:
        self.left = {name.casefold(): tuple(rolled) for name, rolled in faces.items()}

    def take(self, name: str, label: str, number: int) -> list[int]:
        """Remove and return the next faces of a roll: at most ``number``, none if none are left."""
        if FIRST in self.left:
            self.left[name.casefold()] = self.left.pop(FIRST)
        for key in (name.casefold(), label.casefold()):
            if faces := self.left.get(key):
                self.left[key] = faces[number:]
                return list(faces[:number])
        return []


class DiceSource:
    """The dice of one run of a procedure; its ``roll`` is the run's ``Roller``.

    ``faces`` are those that a player rolled, the others are rolled from
    ``seed``. ``place`` says what they are rolled for (``event.7``), so that
    the same dice fall when it is undone and repeated.
    """

    def __init__(self, seed: str, place: str, faces: Mapping[str, Sequence[int]] = NO_DICE) -> None:
        self._seed = seed
        self._place = place
        self._rolled = RolledDice(faces)
        self._rolls: Counter[str] = Counter()  # by name, in order

    def roll(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return the faces of a roll, which may be wrong if a player typed them."""
        attempt = self._rolls[name]
        self._rolls[name] += 1
        return self._rolled.take(name, label, dice.number) or self.random_faces(name, dice, attempt)

    def random_faces(self, name: str, dice: Dice, attempt: int) -> list[int]:
        """Return faces for the roll with a name; ``attempt`` counts its rolls from 0."""
        numbers = dice_module.random_stream(self._seed, f"{self._place}.{name}", attempt)
        return dice_module.roll_dice(dice, numbers)[0]

    @property
    def unused(self) -> Mapping[str, Sequence[int]]:
        """The typed faces that were not rolled yet, by the name of their roll."""
        return self._rolled.left

    def refuse_unused(self, label: str) -> None:
        """Raise ProcedureError for typed dice that were not rolled; ``label`` names the rule."""
        rolled = ", ".join(self._rolls) or "nothing"
        unused = [
            (
                name,
                _("the dice {names} were not needed; this rule rolls {rolled}").format(
                    names=" ".join(map(str, faces)), rolled=rolled
                ),
            )
            for name, faces in self._rolled.left.items()
            if faces
        ]
        if unused:
            raise ProcedureError(label, unused)


class LowestDice(DiceSource):
    """Dice that show their lowest face, for trials whose result must not depend on luck."""

    def __init__(self, faces: Mapping[str, Sequence[int]] = NO_DICE) -> None:
        super().__init__("", "", faces)

    def random_faces(self, _name: str, dice: Dice, _attempt: int) -> list[int]:
        """Return the lowest face of each die."""
        return [dice.faces[0]] * dice.number
