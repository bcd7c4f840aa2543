"""buy, sell, part, hold and stow: messages, saved files and refusals.

Prices are the book's: Torch 20 mC, Tent for 4 people 100, Toolkit 50; weapons have none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from charforge.character.files import storage
from charforge.cli import console
from charforge.cli.console import FrontEnd
from charforge.cli.session.session import Session
from charforge.replay.loaded_character import load_character
from charforge.rules.ruleset import Ruleset
from charforge.verbs.inventory import stow_items
from tests.cli.tank import assert_refused, lines_of, read_log, write_tank

SCORES = {"str": 4, "ftd": 5, "agi": 5, "vsn": 5, "wis": 5, "wil": 6, "cha": 6, "knw": 6}
ROLL = [1, 1, 1, 3, 3, 3, 3, 5, 5, 5]  # less two 1s: 4, 5 5 5 5, 6 6 6


def empty_handed(path: Path, rules: Ruleset, **given: Any) -> Path:
    """Write a Tank of Level 1 with 300 mC, STR 4 (no bonus) and empty hands."""
    fixed = {
        "role.plus": "wil", "role.minus": "agi", "attributes.roll": ROLL,
        "attributes.discard": [1, 1], "attributes.assign": SCORES, "asset": "augmentation/slots",
    }  # fmt: skip
    tank = load_character(write_tank(path, rules, **{**fixed, **given}))
    storage.save(stow_items(tank, (), everything=True).after.document, path)
    return path


@pytest.fixture
def tank(tmp_path: Path, capital: Ruleset) -> Path:
    return empty_handed(tmp_path / "tank.json", capital)


# ------------------------------------------------------------------ buy, sell, part


def test_buying_says_what_and_what_is_left(run, tank):
    lines = lines_of(run("buy", tank, "torch", "--quantity", 2, "--note", "For the mine."))
    assert lines == [f"{tank}: Nix", "  + 2 × Torch", "  Money 300 → 260 mC"]  # 2 × 20
    event = read_log(tank)[-1]
    assert event["note"] == "For the mine."
    assert run("check", tank).code == 0


def test_choices_come_from_with_or_from_a_file(run, tank, tmp_path):
    lines = lines_of(run("buy", tank, "tent", "--with", "size=4-man"))
    assert lines[1:] == ["  + Tent (4-man)", "  Money 300 → 200 mC"]
    number = read_log(tank)[-1]["n"] + 1
    (tmp_path / "short.yaml").write_text("answers: {size: 2-man}")
    (tmp_path / "long.yaml").write_text(f"answers: {{event.{number}.size: 2-man}}")
    lines_of(run("buy", tank, "tent", "--answers", "long.yaml"))
    assert run("undo", tank).code == 0
    lines = lines_of(run("buy", tank, "tent", "--answers", "short.yaml"))
    assert lines[-1] == "  Money 200 → 130 mC"  # 70
    assert read_log(tank)[-1]["decision"] == f"event.{number}.size"


def test_what_a_kit_brings_is_listed(run, tank):
    given = ("tent=share", "tent.tent.size=2-man", "light=torch", "food=yes", "water=yes")
    chosen = [part for one in given for part in ("--with", one)]
    lines = lines_of(run("buy", tank, "adventuring-kit", "--free", *chosen))
    assert "    with 7 × Non-perishable Rations (1 day)" in lines
    assert "    with Tent (2-man)" in lines
    assert not any("Money" in line for line in lines)  # nothing was paid


def test_without_a_terminal_open_choices_are_named_with_their_options(run, tank):
    before = tank.read_bytes()
    run("buy", tank, "tent").refused(
        2, "Size of the Tent", "2-man (2 people), 3-man (3 people)", "--with size=…"
    )
    run("buy", tank).refused(2, "Name an item.", f"To browse: charforge shop {tank}")
    assert tank.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["torch", "--quantity", "16"], 1, "16 × Torch costs 320 mC; you have 300 mC"),
        (["Pistol"], 2, "Standard Pistol has no list price. Add the price your GM sets"),
        (["tent", "--with", "size=5-man"], 1, "5-man"),
        (["tent", "--with", "sise=4-man"], 2, 'There is no choice "sise"; did you mean size?'),
        (["tent", "--with", "4-man"], 2, "not of the form CHOICE=ANSWER"),
        (["torch", "--price", "3", "--free"], 2, "--price and --free cannot be used together"),
        (["torch", "--price", "-3"], 2, "The price must be from 0"),
        (["torch", "--quantity", "0"], 2, "The quantity must be from 1"),
        (["system/robotic"], 2, "charforge award {file} system/robotic"),
        (["toarch"], 2, "Did you mean Torch?"),
        (["rope", "--unit", "bike"], 2, "bike"),
    ],
)
def test_what_cannot_be_bought_changes_nothing(run, tank, options, code, said):
    assert_refused(run, "buy", tank, options, code, said.format(file=tank))


def test_the_alias_of_an_item_stands_for_it(run, tank):
    lines = lines_of(run("buy", tank, "Pistol", "--price", 120, "--with", "damage=heat"))
    assert lines[1:] == ["  + Standard Pistol (Heat)", "  Money 300 → 180 mC"]
    assert read_log(tank)[-2]["note"] == "The GM set the price."


def test_selling_and_losing_say_what_is_left(run, tank):
    lines_of(run("buy", tank, "toolkit", "--quantity", 3))  # 150
    assert lines_of(run("sell", tank, "toolkit"))[1:] == [
        "  \N{MINUS SIGN} Toolkit (2 left)",
        "  Money 150 → 200 mC",
    ]
    assert lines_of(run("drop", tank, "toolkit", "--quantity", 2, "--note", "Burnt."))[1:] == [
        "  \N{MINUS SIGN} 2 × Toolkit"
    ]
    assert read_log(tank)[-1]["note"] == "Burnt."
    listing = f"To list them: charforge show {tank}"
    run("sell", tank, "toolkit").refused(2, 'There is no item of yours named "toolkit"', listing)
    for _ in range(3):
        assert run("undo", tank).code == 0
    assert "acquire" not in {event["do"] for event in read_log(tank)}


def test_pieces_that_nothing_tells_apart_go_by_their_name(run, tank):
    for _ in range(3):
        lines_of(run("buy", tank, "toolkit"))
    bought = [event["n"] for event in read_log(tank)[-3:]]
    assert lines_of(run("sell", tank, "toolkit", "-n", 2))[1:] == [
        "  \N{MINUS SIGN} 2 × Toolkit (1 left)",
        "  Money 150 → 250 mC",  # 2 × 50
    ]
    gone = read_log(tank)[-2:]
    assert [event["holding"] for event in gone] == [f"event.{n}" for n in reversed(bought[1:])]
    assert len({event["group"] for event in gone}) == 1  # one undo takes both back
    run("sell", tank, "toolkit", "-n", 2).refused(1, "You have 1 Toolkit, not 2")


def test_a_piece_in_hand_is_not_like_those_that_are_not(run, tank):
    lines_of(run("buy", tank, "torch"))
    lines_of(run("buy", tank, "torch"))
    first, last = (f"event.{event['n']}" for event in read_log(tank)[-2:])
    lines_of(run("hold", tank, "torch"))
    assert read_log(tank)[-1]["holding"] == last
    run("sell", tank, "torch").refused(
        2, f"\n  Torch: charforge sell {tank} {first}\n  Torch, in hand: "
    )
    assert lines_of(run("hold", tank, "torch"))[-1] == "  hands free: 0 of 2"
    run("hold", tank, "torch").refused(1, "You are already holding Torch")
    lines_of(run("stow", tank, "torch"))
    assert read_log(tank)[-1]["holding"] == last


def test_what_is_printed_of_a_thing_names_it(run, tank):
    for damage in ("heat", "sharp"):
        lines_of(run("buy", tank, "Pistol", "--free", "--with", f"damage={damage}"))
    run("sell", tank, "pistol", "--price", 9).refused(
        2, "\n  Standard Pistol (Heat): ", "\n  Standard Pistol (Sharp): "
    )
    assert lines_of(run("hold", tank, "Standard Pistol (Heat)"))[-1] == "  hands free: 1 of 2"
    sold = lines_of(run("sell", tank, "standard pistol (sharp)", "--price", 9))
    assert sold[1] == "  \N{MINUS SIGN} Standard Pistol (Sharp)"
    run("hold", tank, "Standard Pistol (Sharp)").refused(2, "There is no item of yours named")
    lines_of(run("stow", tank, "1 × Standard Pistol (Heat)"))


def test_what_was_chosen_is_no_thing_to_sell(run, tank):
    run("sell", tank, "augmentation/slots", "--price", 5).refused(
        1, "comes from Special Asset", "edit"
    )


# ------------------------------------------------------------------ hold, stow


def armed(run: Any, file: Path, *names: str) -> None:
    for name in names:
        assert run("buy", file, name, "--free").code == 0


def test_two_hands_hold_two_things_or_one_two_handed(run, tank):
    armed(run, tank, "simple-dagger", "tesla-rifle")
    assert lines_of(run("hold", tank))[-2:] == ["  in hand: nothing", "  hands free: 2 of 2"]
    assert lines_of(run("hold", tank, "dagger"))[1:] == [
        "  in hand: Simple Dagger",
        "  hands free: 1 of 2",
    ]
    run("hold", tank, "tesla rifle").refused(
        1, "Tesla Rifle needs 2 hands; you have 1 free", "Stow"
    )
    lines_of(run("stow", tank, "dagger"))
    assert lines_of(run("hold", tank, "tesla rifle"))[-1] == "  hands free: 0 of 2"
    assert lines_of(run("stow", tank, "--all"))[1:] == [
        "  in hand: nothing",
        "  hands free: 2 of 2",
    ]
    run("stow", tank, "--all").refused(1, "You are not holding anything.")
    run("stow", tank).refused(2, "--all")


def test_an_extra_limb_is_a_third_hand(run, tmp_path, capital):
    file = empty_handed(tmp_path / "limb.json", capital, asset="augmentation/limb")
    armed(run, file, "simple-dagger", "tesla-rifle")
    assert lines_of(run("hold", file, "dagger", "tesla rifle"))[-1] == "  hands free: 0 of 3"


def test_a_special_shield_chosen_two_handed_takes_both_hands(run, tank):
    lines_of(run("buy", tank, "special-weapon/shield", "--free", "--with", "hands=two-handed"))
    not_held = run("use", tank, "shield", "--vs", "5")
    assert "not in hand (hold it first)" in not_held.err
    assert "One-handed" not in not_held.err
    assert lines_of(run("hold", tank, "special-weapon/shield"))[-1] == "  hands free: 0 of 2"
    used = run("use", tank, "shield", "--vs", "5", "--dice", "own=6,5", "--dice", "theirs=1,2")
    assert lines_of(used)[0].split("  ")[1] == "Shield: Melee"
    assert "The target takes 10 damage (Blunt)." in used.out


def test_an_attached_weapon_needs_no_hand(run, tmp_path, capital):
    asset = {"asset": "augmentation/weapon", "asset.augmentation.weapon": "equipment/simple-dagger"}
    file = empty_handed(tmp_path / "arm.json", capital, **asset)
    run("hold", file, "dagger").refused(1, "attached to your body and needs no hand")


def test_what_is_too_heavy_takes_a_check(run, tank):
    """STR 4 against Heavy 6: a check against 6 + 6 = 12 and 2d6, so 14 at least.

    1 + 1 and STR make 6, which never lifts it; 6 + 6 and STR make 16.
    """
    armed(run, tank, "simple-warhammer")
    before = tank.read_bytes()
    run("hold", tank, "warhammer").refused(
        1, "Simple Warhammer is Heavy 6, and your STR is 4.",
        f"To roll for it: charforge hold {tank} simple-warhammer --check",
    )  # fmt: skip
    run("hold", tank, "warhammer", "--dice", "6,6").refused(2, "--check.")
    run("hold", tank, "warhammer", "--check", "--dice", "6,7").refused(2, "7 is not a face of 2d6")
    assert tank.read_bytes() == before
    theirs = ("--dice", "own=1,1", "--dice", "theirs=6,6")
    lines = lines_of(run("hold", tank, "warhammer", "--check", *theirs))
    assert read_log(tank)[-1]["faces"] == {"own": [[1, 1]], "theirs": [[6, 6]]}
    assert "  Simple Warhammer is too heavy to lift" in lines
    assert lines[-2:] == ["  in hand: nothing", "  hands free: 2 of 2"]
    assert [event["do"] for event in read_log(tank)][-1] == "play"
    assert run("undo", tank).code == 0
    # A total of 16 for the other side: a tie lifts it (ruling D61).
    lifted = run("hold", tank, "warhammer", "--check", "--dice", "6,6", "--set", "opposed=16")
    assert lines_of(lifted)[-2:] == ["  in hand: Simple Warhammer", "  hands free: 0 of 2"]
    played, held = read_log(tank)[-2:]
    assert (played["do"], held["how"]) == ("play", "hold")
    assert played["group"] == held["group"]
    assert run("check", tank).code == 0


def test_undone_and_rolled_again_the_same_dice_fall(run, tank):
    armed(run, tank, "simple-warhammer")
    first = lines_of(run("hold", tank, "warhammer", "--check"))
    assert run("undo", tank).code == 0
    assert lines_of(run("hold", tank, "warhammer", "--check")) == first


def test_in_a_session_the_advice_for_what_is_too_heavy_is_a_line_that_works(
    run, tank, monkeypatch, capsys
):
    armed(run, tank, "simple-warhammer")
    monkeypatch.setattr(console, "is_interactive", lambda: True)
    session = Session(FrontEnd(file=tank, live=True, ask=lambda _question: ""))
    capsys.readouterr()
    assert session.do("warhammer 5") == 1
    said = " ".join(capsys.readouterr().err.split())  # on a terminal it is wrapped
    line = said.partition("To roll for it: ")[2].rstrip(".")
    assert line == "hold simple-warhammer --check"
    assert session.do(line) == 0
