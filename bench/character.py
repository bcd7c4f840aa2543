"""A character to measure with: level 10, a companion, a vehicle, and what was played.

python bench/character.py [EVENTS] > c.json
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from charforge import service
from charforge.answers.chance import Chance
from charforge.content.load import load
from charforge.document.model import Document, to_text
from charforge.opened import Opened
from charforge.service import gaining, hands, marking, playing
from charforge.service.finding import find_unit
from charforge.service.rolling import Said

RULESET, LEVEL, SEED = "capital", 10, "1"
ANSWERS = {
    "role": "role/the-lancer",
    "role.weapon": "equipment/auto-rifle",
    "asset": "companion/land-beast",
}
VEHICLE = "vehicle/bike"
EVENTS = 200
ROUND: tuple[Callable[[Opened], playing.Done], ...] = (
    lambda nix: playing.turn(nix),
    lambda nix: playing.use(nix, "auto rifle", "50m", said=Said({"vs": "6"})),
    lambda nix: playing.damage(nix, 9, "sharp"),
    lambda nix: playing.damage(nix, 7, "blunt", "land beast"),
    lambda nix: playing.damage(nix, 4, "heat", "bike"),
    lambda nix: playing.check(nix, "agi", 5),
    lambda nix: marking.spend(nix, "energy", 2),
    lambda nix: marking.condition(nix, "prone"),
    lambda nix: marking.condition(nix, "prone", off=True),
    lambda nix: playing.turn(nix, end=True),
    lambda nix: playing.heal(nix, 6),
    lambda nix: playing.heal(nix, 5, "land beast"),
    lambda nix: playing.rest(nix, "short"),
    lambda nix: playing.use(nix, "auto rifle", "reload"),
    lambda nix: playing.rest(nix, "full"),
)


def played(events: int = EVENTS) -> Document:
    """Return the character after so many play events.

    One round is played; more are that round's events again, which its
    rest makes possible.
    """
    begun = _begun()
    nix = begun
    for act in ROUND:
        nix = act(nix).after
    log, group = begun.document.log, begun.document.group
    once = nix.document.log[len(log) :]
    again = tuple(
        once[number % len(once)].model_copy(
            update={"n": len(log) + 1 + number, "group": group + 1 + number}
        )
        for number in range(events)
    )
    made = begun.document.model_copy(update={"log": (*log, *again)})
    ended = service.replayed(made, begun.ruleset)
    assert not ended.problems and not ended.character.dormant, ended.problems
    return ended.document


def _begun() -> Opened:
    """Return the character as it goes to its first session: weapon in hand, vehicle at the door."""
    rules = load(RULESET)
    plan = service.Plan(rules, SEED, "Nix", LEVEL, answers=ANSWERS)
    nix = service.replayed(service.create(plan, Chance(SEED)), rules)
    state = nix.character.state
    gift = gaining.gift(state, rules.entity(VEHICLE), 1, find_unit(state, None))
    nix = gaining.give(nix, gift, source=Chance(SEED))
    return hands.hold(nix, ["auto rifle"]).after


if __name__ == "__main__":
    sys.stdout.write(to_text(played(*map(int, sys.argv[1:]))))
