"""Gear that is worn: what counts only then, how much of it together, and its commands."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from charforge.character import gear
from charforge.character.files.storage import save
from charforge.character.requirements import Applicant, is_met
from charforge.errors import CharforgeError, RuleRefusal
from charforge.export.text_formats import write
from charforge.expressions.formula import Formula
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load_folder
from charforge.rules.models import Requirement
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.verbs import inventory
from charforge.verbs.history import undo
from tests.command_runner import CommandResult, run_command
from tests.conftest import TOWER

Climber = Callable[..., LoadedCharacter]


def worn(loaded: LoadedCharacter) -> tuple[str, ...]:
    return inventory.names_worn(loaded.character.state)


def value(loaded: LoadedCharacter, name: str) -> int:
    return loaded.character.state.values().total(name)


def test_armour_counts_only_while_it_is_worn(climber: Climber) -> None:
    """Grace 8: Guard 9 without armour. Mail sets 16; the shield adds 2, both together 1 more."""
    dressed = climber()
    assert (worn(dressed), value(dressed, "guard")) == (("Mail",), 16)
    shielded = inventory.wear_items(dressed, ["shield"]).after
    assert value(shielded, "guard") == 16 + 2 + 1
    bare = inventory.take_off_items(shielded, [], everything=True).after
    assert (worn(bare), value(bare, "guard")) == ((), 9)
    assert bare.character.state.has("armour/mail")


def test_a_requirement_can_be_that_something_is_worn(climber: Climber) -> None:
    """A Shield must be worn to stand behind it."""
    stand = Requirement.model_validate({"wears": {"tags": {"any": ["shield"]}}})
    dressed = climber()
    assert worn(dressed) == ("Mail",)
    assert not is_met(stand, Applicant(dressed.character.state))
    shielded = inventory.wear_items(dressed, ["shield"]).after
    assert is_met(stand, Applicant(shielded.character.state))


def test_each_worn_piece_counts(climber: Climber) -> None:
    """Three Iron Bands; a fighter can wear two of them. Each adds the number that is worn, once."""
    banded = inventory.wear_items(climber(), ["iron band", "iron band"]).after
    assert worn(banded) == ("Mail", "Iron Band × 2")
    assert value(banded, "max_life") == 12 + 2
    with pytest.raises(RuleRefusal, match="Rings: you wear Iron Band, Iron Band; take that off"):
        inventory.wear_items(banded, ["iron band"])


def test_a_piece_is_in_hand_or_worn(climber: Climber) -> None:
    holding = inventory.hold_items(climber(), ["shield"]).after
    with pytest.raises(RuleRefusal, match="Shield is in your hand: stow it first"):
        inventory.wear_items(holding, ["shield"])
    wearing = inventory.wear_items(climber(), ["shield"]).after
    with pytest.raises(RuleRefusal, match="you wear Shield: take it off first"):
        inventory.hold_items(wearing, ["shield"])
    with pytest.raises(RuleRefusal, match="you already wear Shield"):
        inventory.wear_items(wearing, ["shield"])


def test_only_one_body_armour_and_nothing_that_has_no_place(climber: Climber) -> None:
    bought = climber()
    for name in ("leather", "cape"):
        bought = inventory.buy_item(bought, inventory.read_purchase(bought, name)).after
    assert worn(bought) == ("Mail",)
    with pytest.raises(RuleRefusal, match="Body armour: you wear Mail; take that off first"):
        inventory.wear_items(bought, ["leather"])
    with pytest.raises(RuleRefusal, match="Cape cannot be worn"):
        inventory.wear_items(bought, ["cape"])
    changed = inventory.wear_items(
        inventory.take_off_items(bought, ["mail"]).after, ["leather"]
    ).after
    assert value(changed, "guard") == 10


def test_what_is_worn_leaves_with_its_last_piece(climber: Climber) -> None:
    banded = inventory.wear_items(climber(), ["iron band", "iron band"]).after
    two = inventory.drop_item(banded, "iron band", 1).after
    assert worn(two) == ("Mail", "Iron Band × 2")
    one = inventory.drop_item(two, "iron band", 1).after
    assert worn(one) == ("Mail", "Iron Band")
    assert worn(inventory.drop_item(one, "iron band", 1).after) == ("Mail",)


def test_an_undo_takes_it_off_again(climber: Climber) -> None:
    before = climber()
    after = inventory.wear_items(before, ["shield"]).after
    assert undo(after).after.character.state.worn == before.character.state.worn


def test_the_sheet_says_what_is_worn(climber: Climber) -> None:
    banded = inventory.wear_items(climber(), ["iron band", "iron band"]).after.character
    assert [item.name for item in build(banded).items] == [
        "Mail (worn)",
        "Shield",
        "Iron Band (2 worn)",
    ]
    assert "Mail (worn), Shield, 3 × Iron Band (2 worn)" in write("text", banded)


def test_a_place_of_the_sheet_lists_what_is_worn(tmp_path: Path, climber: Climber) -> None:
    folder = Path(shutil.copytree(TOWER, tmp_path / "tower"))
    head = folder / "ruleset.yaml"
    places = "places: [{label: On your body, worn: true}, {label: Packed}]"
    head.write_text(head.read_text().replace("  checks:", f"  {places}\n  checks:"))
    dressed = replay_document(climber().document, load_folder(folder)).character
    assert [(item.name, item.place) for item in build(dressed).items] == [
        ("Mail", "On your body"),
        ("Shield", "Packed"),
        ("Iron Band", "Packed"),
    ]


@given(st.lists(st.sampled_from(["mail", "shield", "iron band", "leather"]), max_size=6))
def test_a_saved_character_wears_the_same(
    tower: Ruleset, climber: Climber, names: list[str]
) -> None:
    loaded = climber()
    for name in names:
        with suppress(CharforgeError):  # it is not there, or there is no room
            loaded = inventory.wear_items(loaded, [name]).after
    again = replay_document(loaded.document, tower)
    assert again.character.state.worn == loaded.character.state.worn
    for holding in loaded.character.state.holdings:
        state = loaded.character.state
        assert state.pieces_worn(holding) + state.in_hand.get(holding.id, 0) <= holding.quantity


def test_the_commands(climber: Climber, tmp_path: Path, packs_home: Path) -> None:
    shutil.copytree(TOWER, packs_home / "tower")
    save(climber().document, tmp_path / "ama.json")

    def command(name: str, *words: str) -> CommandResult:
        return run_command(name, "ama.json", *words, folder=tmp_path)

    assert command("wear").out == "  worn: Mail\n"
    assert command("wear", "shield").out.splitlines()[-1] == "  worn: Mail, Shield"
    assert "Guard" in command("explain", "guard").out
    assert "worn('tag:shield')" not in command("explain", "guard").out
    assert command("history").out.count("put on Shield") == 1
    assert [h["name"] for h in command("show", "--json").json["holdings"] if h.get("worn")] == [
        "Mail",
        "Shield",
    ]
    command("wear", "shield").refused(1, "You already wear Shield")
    command("take-off").refused(2, "Name what to take off")
    assert command("take-off", "--all").out.splitlines()[-1] == "  worn: nothing"
    command("take-off", "mail").refused(1, "You do not wear Mail")
    command("take-off", "--all").refused(1, "You are not wearing anything")
    assert command("undo").code == 0
    assert command("wear").out == "  worn: Mail, Shield\n"


def test_a_game_without_worn_items_says_so(dockhand: Climber) -> None:
    """Its sheet may still have a heading for clothes."""
    hand = dockhand()
    hand = inventory.buy_item(hand, inventory.read_purchase(hand, "flask", price=0)).after
    with pytest.raises(RuleRefusal, match="nothing depends on what you wear"):
        inventory.wear_items(hand, ["flask"])


def test_what_is_worn_can_take_a_hand(climber: Climber) -> None:
    """With one hand there is room for a shield on the arm, or for a cape in the hand."""
    state = climber().character.state
    head = state.ruleset.head
    wear = tuple(
        place.model_copy(update={"hands": place.id == "shield"}) for place in head.gear.wear
    )
    spec = head.gear.model_copy(update={"hands": Formula(1), "wear": wear})
    ruleset = replace(state.ruleset, head=head.model_copy(update={"gear": spec}))
    state = replace(state, ruleset=ruleset)
    shield = next(held for held in state.holdings if held.entity.slug == "shield")
    worn_state = gear.wear(state, shield)
    assert (gear.free_hands(state), gear.free_hands(worn_state)) == (1, 0)
    mail = next(held for held in state.holdings if held.entity.slug == "band")
    with pytest.raises(RuleRefusal, match="Iron Band needs 1 hand; you have 0 free"):
        gear.hold(worn_state, mail)
    with pytest.raises(RuleRefusal, match="Shield needs 1 hand; you have 0 free"):
        gear.wear(gear.hold(state, mail), shield)
