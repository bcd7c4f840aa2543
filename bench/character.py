"""The measured character: level 10, with a companion, a vehicle and play events.

python bench/character.py [EVENTS] > c.json
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import Document, to_text
from charforge.character.state import find_unit
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load
from charforge.usecases.create import create_character
from charforge.verbs import manual_changes, play
from charforge.verbs.change import PlayResult
from charforge.verbs.typed_inputs import TypedInputs

RULESET, LEVEL, SEED = "capital", 10, "1"
ANSWERS = {
    "role": "role/the-lancer",
    "role.weapon": "equipment/auto-rifle",
    "asset": "companion/land-beast",
}
VEHICLE = "vehicle/bike"
EVENTS = 200
ROUND: tuple[Callable[[LoadedCharacter], PlayResult], ...] = (
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


def played_character(events: int = EVENTS) -> Document:
    """Return the character after this number of play events.

    One round is played, and its events are repeated. That is possible because the round ends
    with a full rest.
    """
    equipped = equipped_character()
    nix = equipped
    for act in ROUND:
        nix = act(nix).after
    log, group = equipped.document.log, equipped.document.group
    round_events = nix.document.log[len(log) :]
    repeated = tuple(
        round_events[number % len(round_events)].model_copy(
            update={"n": len(log) + 1 + number, "group": group + 1 + number}
        )
        for number in range(events)
    )
    document = equipped.document.model_copy(update={"log": (*log, *repeated)})
    loaded = replay_document(document, equipped.ruleset)
    assert not loaded.problems and not loaded.character.dormant, loaded.problems
    return loaded.document


def equipped_character() -> LoadedCharacter:
    """Return the character before the first session, with its rifle in hand and a vehicle."""
    rules = load(RULESET)
    spec = CharacterSpec(rules, SEED, "Nix", LEVEL, answers=ANSWERS)
    nix = replay_document(create_character(spec, RandomAnswers(SEED)), rules)
    state = nix.character.state
    vehicle = manual_changes.draft_award(state, rules.entity(VEHICLE), 1, find_unit(state, None))
    return manual_changes.award_entity(nix, vehicle, source=RandomAnswers(SEED)).after


if __name__ == "__main__":
    sys.stdout.write(to_text(played_character(*map(int, sys.argv[1:]))))
