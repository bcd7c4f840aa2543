"""Old events replay even if a limit added later would refuse them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from charforge.character.files import reader
from charforge.character.files.document import to_text
from charforge.character.files.events import (
    AbilityEvent,
    AcquireEvent,
    CarryEvent,
    ConditionEvent,
    CooldownEvent,
    ProcedureEvent,
)
from charforge.describe.events import roll_texts
from charforge.errors import CharforgeError, ProcedureError, RuleRefusal
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.verbs import play
from charforge.verbs.change import change_character, draft_event
from charforge.verbs.inventory import stow_items
from charforge.verbs.typed_inputs import TypedInputs

HERE = Path("old.json")


def replayed(opened: LoadedCharacter, event: type, **fields: Any) -> LoadedCharacter:
    """Return a character with one more event, as read back from its file."""
    after = change_character(opened, draft_event(event, **fields))
    read = reader.parse_document(to_text(after.document), HERE)
    again = load_document(read, HERE, after.ruleset)
    assert not again.problems
    return again


def now(opened: LoadedCharacter, value: str, unit: str = "character") -> int:
    return opened.character.state.values(unit).total(value)


OLD_ROLLS = {
    "Aim without limit": (
        "attack",
        {"hit": "vsn", "opposed": 12, "damage": "10", "aim": 5},
        {"own": [[1, 1], [2], [3], [4], [5], [6]], "each": [], "volley": []},
        5,
    ),
    "free Aim": (
        "attack",
        {"hit": "vsn", "opposed": 30, "damage": "10", "aim": 3, "free_aim": 1},
        {"own": [[1, 1], [2], [3], [4]]},
        0,
    ),
    "Prepare that never was": (
        "attack",
        {"hit": "vsn", "opposed": 30, "damage": "10", "prepare": 1},
        {"own": [[1, 1], [2, 3]]},
        0,
    ),
    "Overwatch Attack without Overwatch": (
        "attack",
        {"hit": "vsn", "opposed": 30, "damage": "10", "overwatch": 1},
        {"own": [[1, 1]]},
        0,
    ),
    "Block without limit": (
        "defend",
        {"attribute": "agi", "opposed": 20, "block": 3},
        {"own": [[1, 1], [2], [3], [4]]},
        3,
    ),
    "free Block": (
        "defend",
        {"attribute": "agi", "opposed": 20, "block": 2, "free_block": 1},
        {"own": [[1, 1], [2], [3]]},
        0,
    ),
}


@pytest.mark.parametrize("name", OLD_ROLLS)
def test_an_old_roll_replays_and_costs_what_it_cost(make, name: str) -> None:
    procedure, inputs, faces, price = OLD_ROLLS[name]
    opened = make("the-healer").opened
    faces = {name: rolls for name, rolls in faces.items() if rolls}
    fields = {"procedure": procedure, "unit": "character", "inputs": inputs, "faces": faces}
    after = replayed(opened, ProcedureEvent, **fields)
    assert now(after, "energy") == now(opened, "energy") - price
    words = {key: str(value) for key, value in inputs.items()}
    with pytest.raises((ProcedureError, RuleRefusal)):
        play.use_named(opened, procedure, typed=TypedInputs(words))


def test_an_old_block_of_a_special_shield_rerolled_once(make) -> None:
    """It had one die for each Block; today there would be two."""
    answers = {"asset": "special-weapon/shield", "asset.weapon.hands": "one-handed"}
    opened = stow_items(make("the-tank", 1, answers).opened, (), everything=True).after
    opened = replayed(opened, CarryEvent, how="hold", holding="asset.weapon")
    fields = {"attribute": "str", "opposed": 20, "block": 1}
    after = replayed(
        opened, ProcedureEvent, procedure="defend", unit="character", inputs=fields,
        faces={"own": [[1, 1], [2]]},
    )  # fmt: skip
    assert now(after, "energy") == now(opened, "energy") - 1


@pytest.mark.parametrize(
    ("weapon", "range_", "faces"),
    [("sonic-rifle", "10m", {"own": [[5, 5]]}),
     ("tesla-rifle", "20m", {"own": [[5, 5]], "each": [[4]]})],
)  # fmt: skip
def test_an_old_shot_has_no_thunder_and_no_arc(make, weapon: str, range_: str, faces) -> None:
    opened = stow_items(make("the-lancer").opened, (), everything=True).after
    entity = f"equipment/{weapon}"
    opened = replayed(opened, AcquireEvent, entity=entity, unit="character", granted=True)
    held = opened.character.state.holdings[-1].id
    opened = replayed(opened, CarryEvent, how="hold", holding=held)
    after = replayed(
        opened, AbilityEvent, holding=held, ability=range_, unit="character",
        inputs={"opposed": 12}, faces=faces,
    )  # fmt: skip
    assert now(after, "hp") == now(opened, "hp")
    rolls = roll_texts(opened.character.state, after.document.log[-1])
    assert "Your dice 5 5" in rolls


def test_an_old_ramming_and_an_old_move_replay(make) -> None:
    answers = {"asset": "vehicle/tank", "asset.vehicle.weapon": "laser"}
    opened = make("the-lancer", 1, answers).opened
    opened = replayed(opened, ConditionEvent, condition="status/grappled", unit="character")
    moved = replayed(
        opened, AbilityEvent, holding="action/move", ability="action", unit="character"
    )
    rammed = replayed(
        moved, AbilityEvent, holding="asset.vehicle.giant-wheels-mk1", ability="Ramming Speed",
        unit="asset.vehicle", inputs={"opposed": 30}, faces={"own": [[1, 2]]},
    )  # fmt: skip
    assert rammed.character.state.condition_amount("character", "effect/attack-counter") == 1
    with pytest.raises(CharforgeError, match="Grappled"):
        play.use_named(opened, "move")
    with pytest.raises(CharforgeError, match="Full Speed"):
        play.use_named(
            opened, "ramming speed", unit_id="asset.vehicle", typed=TypedInputs({"opposed": "9"})
        )


def test_old_moves_replay_with_something_heavy_without_a_die_and_of_a_vehicle(make) -> None:
    """534: Heavy 6 needs STR 8 to Move twice, and the Tank has 7. Quick rolls a die by now."""
    answers = {"asset": "vehicle/tank", "asset.vehicle.weapon": "laser"}
    opened = make("the-tank", 1, answers).opened
    for entity in ("equipment/simple-warhammer", "system/quick", "system/charge"):
        opened = replayed(opened, AcquireEvent, entity=entity, unit="character", granted=True)
    opened = replayed(opened, ProcedureEvent, procedure="turn", unit="character")
    for unit in ("character", "character", "asset.vehicle"):
        opened = replayed(opened, AbilityEvent, holding="action/move", ability="action", unit=unit)
    charge = next(h for h in opened.character.state.holdings if h.entity.slug == "charge")
    energy = now(opened, "energy")
    opened = replayed(opened, AbilityEvent, holding=charge.id, ability="instant", unit="character")
    assert now(opened, "energy") == energy - 1
    with pytest.raises(CharforgeError, match="needs STR 8"):
        play.use_named(opened, "action/move", terms=play.UseTerms(granted=True))


def test_an_old_attack_with_another_attribute_replays(make) -> None:
    """Unarmed uses STR; neither Focus nor Power Play was there to allow AGI."""
    opened = make("the-lancer").opened
    unarmed = next(h.id for h in opened.character.state.holdings if h.entity.id == "attack/unarmed")
    inputs = {"opposed": 30, "hit": "agi", "trained": 1}
    after = replayed(
        opened, AbilityEvent, holding=unarmed, ability="Melee", inputs=inputs,
        faces={"own": [[1, 1]]},
    )  # fmt: skip
    assert after.character.state.condition_amount("character", "effect/attack-counter") == 1
    words = {key: str(value) for key, value in inputs.items()}
    with pytest.raises(RuleRefusal, match=r"hit is STR, not AGI.*trained is no, not yes"):
        play.use_named(opened, "unarmed", typed=TypedInputs(words))


def test_an_old_improvised_attack_with_any_attribute_replays(make) -> None:
    opened = make("the-lancer").opened
    after = replayed(
        opened, AbilityEvent, holding="action/improvised-weapon", ability="action",
        inputs={"like": "club", "hit": "vsn", "opposed": 30}, faces={"own": [[1, 1]]},
    )  # fmt: skip
    assert after.character.state.condition_amount("character", "effect/attack-counter") == 1


def test_old_uses_beyond_a_limit_replay_and_count(make) -> None:
    """Focus at no Energy cost, twice."""
    opened = make("the-scout", 2, {"level.2.systems": ["system/focus-ii"]}).opened
    focus = next(h.id for h in opened.character.state.holdings if h.entity.id == "system/focus-ii")
    fields = {"holding": focus, "ability": "Gain Focus", "inputs": {"free": 1}}
    once = replayed(opened, AbilityEvent, **fields)
    recovered = replayed(once, CooldownEvent, holding=focus, ability="Gain Focus", off=True)
    twice = replayed(recovered, AbilityEvent, **fields)
    assert now(twice, "energy") == now(opened, "energy")
    assert twice.character.state.times_used("character", "system/focus-ii") == 2
    again = replayed(twice, CooldownEvent, holding=focus, ability="Gain Focus", off=True)
    with pytest.raises(RuleRefusal, match="since your last Full Rest"):
        play.use_named(again, "focus-ii", "Gain Focus", typed=TypedInputs({"free": "1"}))
