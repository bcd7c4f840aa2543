"""A character to measure with: level 10, a companion, a vehicle, and what was played.

python bench/character.py [EVENTS] > c.json
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from charforge.answers.random import RandomAnswers
from charforge.character.document import Document, to_text
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loader import load
from charforge.usecases import awards, inventory, manual_changes, play
from charforge.usecases.create import create_character
from charforge.usecases.lookup import find_unit
from charforge.usecases.typed_inputs import TypedInputs

RULESET, LEVEL, SEED = "capital", 10, "1"
ANSWERS = {
    "role": "role/the-lancer",
    "role.weapon": "equipment/auto-rifle",
    "asset": "companion/land-beast",
}
VEHICLE = "vehicle/bike"
EVENTS = 200
ROUND: tuple[Callable[[LoadedCharacter], play.PlayResult], ...] = (
    lambda nix: play.start_or_end_turn(nix),
    lambda nix: play.use_named(nix, "auto rifle", "50m", typed=TypedInputs({"vs": "6"})),
    lambda nix: play.apply_damage(nix, 9, "sharp"),
    lambda nix: play.apply_damage(nix, 7, "blunt", "land beast"),
    lambda nix: play.apply_damage(nix, 4, "heat", "bike"),
    lambda nix: play.roll_check(nix, "agi", 5),
    lambda nix: manual_changes.spend_resource(nix, "energy", 2),
    lambda nix: manual_changes.change_condition(nix, "prone"),
    lambda nix: manual_changes.change_condition(nix, "prone", off=True),
    lambda nix: play.start_or_end_turn(nix, end=True),
    lambda nix: play.apply_healing(nix, 6),
    lambda nix: play.apply_healing(nix, 5, "land beast"),
    lambda nix: play.take_rest(nix, "short"),
    lambda nix: play.use_named(nix, "auto rifle", "reload"),
    lambda nix: play.take_rest(nix, "full"),
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
    ended = replay_document(made, begun.ruleset)
    assert not ended.problems and not ended.character.dormant, ended.problems
    return ended.document


def _begun() -> LoadedCharacter:
    """Return the character as it goes to its first session: weapon in hand, vehicle at the door."""
    rules = load(RULESET)
    plan = CharacterSpec(rules, SEED, "Nix", LEVEL, answers=ANSWERS)
    nix = replay_document(create_character(plan, RandomAnswers(SEED)), rules)
    state = nix.character.state
    gift = awards.draft_award(state, rules.entity(VEHICLE), 1, find_unit(state, None))
    nix = awards.award_entity(nix, gift, source=RandomAnswers(SEED))
    return inventory.hold_items(nix, ["auto rifle"]).after


if __name__ == "__main__":
    sys.stdout.write(to_text(played(*map(int, sys.argv[1:]))))
