"""The commands of play: messages, saved files and refusals.

The character is a Scout of Level 3: HP 37, Energy 10, Bones 5, STR 3, AGI 7.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from charforge.character.files import reader
from charforge.character.files.document import to_text
from charforge.cli import play_verbs
from charforge.cli.console import FrontEnd
from charforge.cli.session.session import Session
from charforge.rules.names import name_matches

pytestmark = pytest.mark.capital


def last(path: Path) -> dict:
    return json.loads(path.read_text("utf-8"))["log"][-1]


def now(path: Path, value: str) -> int:
    return json.loads(path.read_text("utf-8"))["character"]["values"][value]


def test_damage_is_told_step_by_step_then_the_live_line(run, nix):
    done = run("damage", nix, 7, "--type", "SHARP")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "  HP −7 → 30  [Vitals]",
        "HP 30/37 · Energy 10/10 · Bones 5/5 · Grit 0",
    ]
    assert last(nix) == last(nix) | {
        "do": "play",
        "procedure": "damage",
        "inputs": {"amount": 7, "type": "sharp"},
    }
    assert now(nix, "hp") == 30


def test_the_type_may_follow_the_amount(run, nix):
    assert run("damage", nix, 7, "sharp").code == 0
    assert last(nix)["inputs"] == {"amount": 7, "type": "sharp"}
    run("damage", nix, 7, "sharp", "--type", "heat").refused(2, "twice: sharp and heat")


@pytest.mark.parametrize(
    ("words", "heading", "listed"),
    [
        (("damage", 7), "Damage", "type=…"),
        (("heal", 3), "HP restored", "patched_up=…"),
        (("turn",), "A turn starts", "plasma=…"),
        (("turn", "end"), "A turn ends", "plasma=…"),
        (("rest", "long"), "Long Break", "hours=…"),
        (("roll", "str"), "Attribute Check", "helps=…"),
    ],
)
def test_inputs_lists_what_the_rule_behind_a_verb_takes(run, nix, words, heading, listed):
    verb, *others = words
    before = nix.read_bytes()
    told = run(verb, nix, *others, "inputs")
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith(f"{heading}\n")
    assert listed in told.out
    assert nix.read_bytes() == before


def test_an_attack_takes_the_targets_score_as_a_roll_does(run, nix):
    before = nix.read_bytes()
    dice = ("--dice", "own=3,4", "--set", "theirs=1,2")
    told = run("use", nix, "unarmed", "--vs", 5, *dice)
    assert told.code == 0
    assert last(nix)["inputs"] == {"vs": 5}
    nix.write_bytes(before)
    assert run("use", nix, "unarmed", "--set", "vs=5", *dice).out == told.out
    twice = run("use", nix, "unarmed", "--vs", 5, "--set", "vs=6")
    twice.refused(2, "Vs is given twice: 6 and 5.")


def test_a_number_after_a_weapon_is_a_score_and_not_the_beginning_of_a_range(run, nix):
    """The Minigun has a range of 50 m; its odds speak of Shots, as the sheet and the use do."""
    assert run("award", nix, "equipment/minigun", "--with", "damage=heat").code == 0
    run("stow", nix, "--all")
    assert run("hold", nix, "minigun").code == 0
    odds = run("odds", nix, "minigun", "5", "--json")
    assert odds.json == run("odds", nix, "minigun", "vs=5", "--json").json
    labels = {one["label"] for one in odds.json["cases"][0]["outputs"].values()}
    assert {"Damage per Shot", "Shots"} <= labels
    assert run("odds", nix, "minigun 50", "vs=5").code == 0, "a whole number can name the range"
    told = run("use", nix, "minigun", "5", "--dice", "6,6", "--set", "theirs=1,1").out
    assert "1 damage per Shot" in told
    assert last(nix)["inputs"]["vs"] == 5


def test_heal_stops_at_the_maximum(run, nix):
    run("damage", nix, 7)
    done = run("heal", nix, 9)
    assert "2 HP beyond the maximum are lost." in done.out
    assert now(nix, "hp") == 37


def test_spend_names_a_resource_by_id_or_label_in_any_case(run, nix):
    assert "Energy −2 → 8" in run("spend", nix, "ENERGY", 2).out
    assert last(nix) == last(nix) | {"do": "change", "value": "energy", "by": -2}
    run("spend", nix, "energy", 9).refused(1, "Only 8 Energy left, not 9.")
    run("spend", nix, "enrgy").refused(2, 'named "enrgy"', "Did you mean Energy?")
    run("spend", nix, "str").refused(2, "STR is not a resource")
    run("spend", nix, "energy", 0).refused(2, "at least 1")
    assert now(nix, "energy") == 8


def test_the_beginning_of_a_resource_is_enough_if_no_other_begins_like_it(run, nix):
    assert "Energy −1" in run("spend", nix, "ene").out
    assert "Grit 0 → 1" in run("award", nix, "gri", "1").out
    run("spend", nix, "bandages").refused(2, "Large Bandages", "Small Bandages")


def test_a_rest_in_combat_says_that_combat_is_over(run, nix):
    assert run("turn", nix).code == 0
    assert "Combat is over." in run("rest", nix, "short").out
    assert "Combat is over." not in run("rest", nix, "short").out


def test_spend_what_an_item_carries_and_counters(run, nix):
    """The Scout's first aid kit holds 6 Large and 12 Small Bandages."""
    carried = run("show", nix, "--json").json["holdings"]
    (kit,) = [held for held in carried if held["capacities"]]
    name, most = next(iter(kit["capacities"].items()))
    assert run("spend", nix, name, 2, "--item", "first aid").code == 0
    carried = run("show", nix, "--json").json["holdings"]
    assert [h["capacities"][name] for h in carried if h["capacities"]] == [most - 2]
    run("spend", nix, name, most, "--item", "first aid").refused(
        1, f"Only {most - 2} ", f" left, not {most}."
    )
    run("spend", nix, name, 1, "--item", "rocket").refused(2, "item with")

    run("spend", nix, "lockdown").refused(1, "Only 0 Lockdown left, not 1")
    run("condition", nix, "lockdown", "--amount", 3)
    assert "Lockdown 3 → 2" in run("spend", nix, "lockdown").out


def test_conditions_are_put_and_lifted(run, nix):
    assert "now Prone" in run("condition", nix, "prone").out
    assert "  still Prone" in run("condition", nix, "prone").out
    found = run("show", nix, "--json").json
    assert found["conditions"] == [
        {
            "id": "status/prone",
            "name": "Prone",
            "amount": 1,
            "about": "",
            "unit": "character",
            "left": None,
        }
    ]
    assert found["values"]["agi"]["total"] == found["values"]["agi"]["base"] - 4
    assert "no longer Prone" in run("condition", nix, "Prone", "--off").out
    run("condition", nix, "prone", "--off").refused(1, "Prone does not apply now.")
    run("condition", nix, "prne").refused(2, "no condition", "Did you mean Prone?")
    run("condition", nix, "prone", "--amount", 2).refused(2, "Prone has no amount")
    run("condition", nix, "clarity", "--amount", 0).refused(2, "from 1 to")
    run("condition", nix, "critical condition").refused(1, "you cannot add or remove it.")
    run("condition", nix, "taunted", "--about", "a\x1b[31mb").refused(2, "control characters")


def test_a_condition_lasts_a_number_of_turns(run, nix):
    run("damage", nix, "9")
    done = run("condition", nix, "regeneration", "--turns", "2")
    assert done.out.splitlines()[0].startswith("  Regeneration 0 → 1, for 2 turns")
    for left in ("Regeneration 1", "HP", "HP"):
        hp = run("turn", nix).out.splitlines()[-1]
        assert left in hp
    assert "Regeneration" not in hp
    events = json.loads(nix.read_text("utf-8"))["log"]
    assert [event["turns"] for event in events if event["do"] == "condition"] == [2]
    run("condition", nix, "prone", "--turns", "2").refused(2, "Prone does not last", "--turns")
    run("condition", nix, "regeneration", "--turns", "0").refused(2, "from 1 to 100000, not 0")


def test_a_condition_says_whom_it_is_about(run, nix):
    done = run("condition", nix, "taunted", "--about", "the sniper")
    assert "| Taunted (the sniper)" in done.out
    assert "Taunted (the sniper)" in run("show", nix).out


def test_a_check_with_dice_from_the_table(run, nix):
    """3 + 4 + STR 3 + 2 for one help = 12 against 1 + 2 + 5 = 8: by 4."""
    done = run(
        "roll", nix, "Strength", "--vs", 5, "--set", "helps=1", "--dice", "own=3,4",
        "--set", "theirs=1 2",
    )  # fmt: skip
    assert "Your result: 12" in done.out
    assert "Success, by 4." in done.out
    assert last(nix)["faces"] == {"own": [[3, 4]], "theirs": [[1, 2]]}
    assert last(nix)["inputs"] == {"helps": 1, "attribute": "str", "vs": 5}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["strr", "--vs", "5"], '"strr" is not one of str,'),
        (["str", "--vs", "5", "--set", "hleps=1"], "hleps: there is no such input; did you mean"),
        (["str", "--vs", "5", "--set", "helps"], "--set needs NAME=VALUE, not 'helps'"),
        (["str", "--vs", "5", "--set", "helps=two"], 'helps: "two" is not a whole number'),
        (["str", "--vs", "5", "--set", "helps=-1"], "helps: -1 is too low; the lowest is 0"),
        (["str", "--vs", "5", "--set", "weakness=perhaps"], "not yes or no"),
        (["str", "--vs", "5", "--set", "helps=99999999999"], "it is larger than"),
        (["str", "--vs", "5", "--set", "grit=4"], "grit: it can only be 0, not 4"),
        (["str", "--vs", "5", "--dice", "own=3"], "own: 2d6 is 2 dice, not 1"),
        (["str", "--vs", "5", "--dice", "own=3,7"], "7 is not a face of 2d6"),
        (["str", "--vs", "5", "--dice", "own=x"], '--dice own: "x" is not a whole number'),
        (
            ["str", "--vs", "5", "--dice", "hp=3"],
            "hp: the dice 3 were not needed; this rule rolls own (Your dice)",
        ),
        (["str", "--vs", "5", "--set", "helps=1", "--set", "helps=2"], "helps is given twice"),
    ],
)
def test_what_is_said_of_a_roll_is_read_strictly(run, nix, given, said):
    before = nix.read_bytes()
    run("roll", nix, *given).refused(2, said)
    assert nix.read_bytes() == before


def test_all_that_is_wrong_is_said_at_once(run, nix):
    done = run("roll", nix, "luck", "--vs", 5, "--set", "helps=x", "--set", "zeal=1")
    done.refused(
        2, 'attribute: "luck" is not one of', 'helps: "x" is not', "zeal: there is no such input"
    )


def test_abilities_are_found_by_name_id_or_part(run, nix):
    assert "Focus I: Gain Focus" in run("use", nix, "FOCUS-I").out
    assert last(nix) == last(nix) | {"do": "use", "ability": "Gain Focus"}
    run("use", nix, "focus i", "--action", "gain").refused(1, "on cooldown")
    assert "Energy −2 → 7" in run("use", nix, "system/focus-i", "--action", "extra").out
    run("use", nix, "zzz").refused(2, 'named "zzz"')
    run("use", nix, "focs").refused(2, "Did you mean")
    refused = run("use", nix, "shortsword", "--set", "vs=5")
    hold = f"charforge hold {nix} simple-baton-shortsword"
    refused.refused(1, "not in hand", f"To hold it: {hold}")
    assert run(*hold.split()[1:]).code == 0
    shown = run("show", nix, "--json").json
    (focus,) = [held for held in shown["holdings"] if held["id"] == "system/focus-i"]
    assert focus["cooling"] == ["Gain Focus"]
    assert "Focus I: Gain Focus (5+)" in run("show", nix).out


def test_an_ability_on_cooldown_is_never_replaced_by_another_of_its_item(run, nix):
    """Extra Action could be used now, at 2 Energy; whoever names the System means Gain Focus."""
    assert run("use", nix, "focus-i").code == 0
    before = nix.read_bytes()
    for named in ("focus-i", "focus i", "focus"):
        run("use", nix, named).refused(
            1,
            "You can't use Focus I: Gain Focus now: on cooldown. To use another:",
            "'Focus I: Extra Action'",
        )
    assert nix.read_bytes() == before


@pytest.mark.parametrize(
    "inputs",
    [
        ("--vs=5", "opposed=3", "--set", "helps=1", "--set=bonus=1", "--dice", "own=1,2"),
        ("5", "helps=1"),
        ("vs", "5"),
    ],
)
def test_what_a_refusal_proposes_can_be_typed(run, nix, inputs):
    """It leaves out the inputs and dice of the attack, and the number after its name."""
    run("award", nix, "standard pistol", "--with", "damage=sharp")
    run("hold", nix, "standard-pistol")
    run("spend", nix, "ammo", 3, "--item", "standard-pistol")
    refused = run("use", nix, "standard-pistol", *inputs)
    refused.refused(1, "Ammo; you have 0", "To use another:")
    (line,) = [line for line in refused.err.splitlines() if "--action Reload" in line]
    proposed = shlex.split(line.partition(" charforge ")[2])
    assert proposed == ["use", str(nix), "equipment/standard-pistol", "--action", "Reload"]
    assert run(*proposed).code == 0


def test_what_a_session_proposes_for_a_name_alone_can_be_typed(run, nix, capsys):
    """With several weapons, reload is a question, and each answer is a line for one of them."""
    run("award", nix, "standard pistol", "--with", "damage=sharp")
    run("stow", nix, "--all")
    session = Session(FrontEnd(file=nix))
    assert session.do("reload") == 2
    lines = [line.partition(": Reload")[2] for line in capsys.readouterr().err.splitlines()]
    proposed = [line.partition(": ")[2] for line in lines if ": use " in line]
    assert len(proposed) == len({*proposed}) > 1
    for line in proposed:
        assert line.startswith("use ")
        session.do(line)
        assert "matches several" not in capsys.readouterr().err


def test_a_refusal_in_a_session_names_what_else_can_be_used(run, nix, capsys):
    run("award", nix, "standard pistol", "--with", "damage=sharp")
    run("hold", nix, "standard-pistol")
    run("spend", nix, "ammo", 3, "--item", "standard-pistol")
    session = Session(FrontEnd(file=nix))
    for line in ("standard pistol 5", "use standard pistol vs 5"):
        assert session.do(line) == 1
        said = " ".join(capsys.readouterr().err.split())
        assert "you have 0. You could use: Standard Pistol: Reload (Action)" in said


def test_a_flag_after_a_name_is_no_part_of_it_in_a_session_either(run, nix, capsys):
    session = Session(FrontEnd(file=nix))
    for line in ("move inputs", "use move inputs", "mov inputs"):
        assert session.do(line) == 0
        assert capsys.readouterr().out.startswith("Move\n")


def test_of_several_abilities_those_that_take_a_number_are_meant(run, nix):
    """A Standard Pistol has one attack and two ways to reload."""
    run("award", nix, "standard pistol", "--with", "damage=sharp")
    run("hold", nix, "standard-pistol")
    run("spend", nix, "ammo", 3, "--item", "standard-pistol")
    run("use", nix, "standard-pistol", "5").refused(1, "Ammo; you have 0")
    run("use", nix, "reload", "5").refused(2, '"reload" takes no number.')
    run("award", nix, "primitive first aid kit")
    run("use", nix, "primitive first aid kit", "5").refused(2, "takes no number.")


def test_an_unknown_action_of_an_ability_lists_those_that_there_are(run, nix):
    run("use", nix, "focus-i", "--action", "foo").refused(
        2, 'There is no action of Focus I named "foo". There are: Gain Focus, Extra Action.'
    )


def test_who_allows_a_use_beyond_its_limit_is_recorded(run, nix):
    assert run("use", nix, "change hands").code == 0
    beyond = run("use", nix, "change hands")
    beyond.refused(
        1, "Change Hands now: already used (once per turn); available again after your turn"
    )
    run("use", nix, "change hands", "--override", "GM").refused(2, "must say who allows it")
    assert run("use", nix, "change hands", "--override", "GM: time stands still").code == 0
    assert last(nix)["override"] == {"by": "GM", "reason": "time stands still"}
    assert "Change Hands, allowed by GM: time stands still" in run("history", nix).out
    assert run("check", nix).code == 0
    run("use", nix, "change hands").refused(1, "already")
    assert run("turn", nix).code == 0
    assert run("use", nix, "change hands").code == 0


def test_a_recorded_use_beyond_a_limit_still_replays(run, nix):
    """Files of versions that did not count uses stay as they were."""
    assert run("use", nix, "change hands").code == 0
    data = json.loads(nix.read_text("utf-8"))
    data["log"].append({**data["log"][-1], "n": len(data["log"]) + 1})
    nix.write_text(json.dumps(data), "utf-8")
    assert run("check", nix).code == 0


def test_rests_by_their_word(run, nix):
    assert run("rest", nix, "short").code == 0
    assert run("rest", nix, "LONG", "--hours", 2).code == 0
    assert last(nix)["inputs"] == {"hours": 2}
    run("rest", nix, "lang").refused(2, 'There is no rest of Capital named "lang"', "long")
    run("rest", nix, "full", "--hours", 2).refused(2, "hours: there is no such input")


def test_a_note_keeps_the_time_of_the_clock(run, nix, monkeypatch):
    monkeypatch.setattr(play_verbs, "current_time", lambda: "2026-05-04 20:15+02:00")
    assert "noted: Owes the ferryman 20." in run("note", nix, "Owes", "the", "ferryman", "20.").out
    assert last(nix) == last(nix) | {
        "do": "note",
        "text": "Owes the ferryman 20.",
        "at": "2026-05-04 20:15+02:00",
    }
    run("note", nix, " ").refused(2, "The note is empty")
    run("note", nix, "x" * 2001).refused(2, "2001 characters; the limit is 2000")
    run("note", nix, "a\x07b").refused(2, "control characters")


def test_an_unknown_unit_is_refused_by_every_verb(run, nix):
    before = nix.read_bytes()
    for verb in (
        ["turn"], ["use", "focus i"], ["damage", 1], ["heal", 1], ["spend", "energy"],
        ["condition", "prone"], ["rest", "short"], ["roll", "str", "--vs", 5],
    ):  # fmt: skip
        run(verb[0], nix, *verb[1:], "--unit", "bike").refused(2, "no unit", '"bike".')
    assert nix.read_bytes() == before


def test_a_file_that_changed_meanwhile_is_not_written_over(run, nix, monkeypatch):
    from charforge.verbs import play

    heal = play.apply_healing

    def meanwhile(*given, **more):
        document = reader.load(nix)
        nix.write_text(to_text(document.model_copy(update={"undone": document.log[-1:]})), "utf-8")
        return heal(*given, **more)

    nix.write_text(nix.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(play, "apply_healing", meanwhile)
    run("damage", nix, 1)
    done = run("heal", nix, 1)
    assert done.code == 2
    assert last(nix)["procedure"] == "damage"


def test_explain_says_what_was_changed_in_play(run, nix):
    run("damage", nix, 7)
    last = run("explain", nix, "hp").out.splitlines()[-1]
    assert last.split() == ["−7", "=", "30", "changed", "in", "play"]


def test_the_dead_are_shown_as_dead(run, nix):
    """37 HP, then 5 Bones; 1 + 1 is a double one: a Critical Failure."""
    run("damage", nix, 37)
    done = run("damage", nix, 5, "--dice", "own=1,1", "--dice", "theirs=3,4")
    assert "Dead" in done.out.splitlines()[-1]
    run("heal", nix, 3).refused(1, "dead")
    assert run("note", nix, "Farewell.").code == 0


def test_dice_without_a_name_are_those_of_the_first_roll(run, nix):
    ended = run("roll", nix, "str", "--vs", "5", "--dice", "3,4", "--dice", "theirs=1,2")
    assert ended.code == 0
    assert "  Your dice: 3 + 4 = 7 " in ended.out
    assert "  The other side's dice: 1 + 2 = 3 " in ended.out
    run("roll", nix, "str", "--vs", "5", "--dice", "3,4,2").refused(
        2,
        "own: the dice 2 were not needed; this rule rolls own (Your dice), theirs (The other "
        "side's dice).",
    )


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        (("damage", "-4"), "charforge heal {} 4"),
        (("heal", "-4"), "charforge damage {} 4"),
        (("award", "grit", "-3"), "charforge spend {} grit 3"),
        (("spend", "grit", "-1"), "charforge award {} grit 1"),
    ],
)
def test_an_amount_below_0_names_the_other_verb(run, nix, said, instead):
    before = nix.read_bytes()
    verb, *rest = said
    run(verb, nix, *rest).refused(2, f"The amount must be at least 1. Use: {instead.format(nix)}")
    assert nix.read_bytes() == before


def test_what_a_rule_can_be_told_is_listed_and_changes_nothing(run, nix):
    before = nix.read_bytes()
    output = run("use", nix, "fall", "--inputs")
    assert (output.code, output.err) == (0, "")
    lines = [line.split(maxsplit=1) for line in output.out.splitlines()]
    assert lines[0] == ["Fall"]
    assert ["metres=…", "How many metres? (required)"] in lines
    assert ["own=…", "Your dice (2d6)"] in lines
    assert nix.read_bytes() == before


def test_what_a_check_can_be_told_is_listed_and_changes_nothing(run, nix):
    before = nix.read_bytes()
    output = run("roll", nix, "cha", "--inputs")
    assert (output.code, output.err) == (0, "")
    assert output.out == run("use", nix, "attribute check", "--inputs").out
    assert "  vs=… " in output.out
    assert nix.read_bytes() == before


@pytest.fixture
def brida(run, tmp_path):
    """A character of a game of its own weapons and powers, with one of each."""
    options = ("--seed", "3", "--random", "-o", "brida.json")
    assert run("new", "--ruleset", "phase-2d10", *options).code == 0
    return tmp_path / "brida.json"


def test_what_a_weapon_says_itself_stands_for_what_it_can_be_told(run, brida):
    """Her Pistol: REF, rank 3, EV 6; the rule alone begins with EV 0 and no attribute."""
    used = run("use", brida, "pistol", "--inputs").out
    said = {line.split("=")[0].strip(): line for line in used.splitlines() if "=" in line}
    for name, usual in (("hit", "ref"), ("bonus", "3"), ("damage", "6"), ("surprise", "no")):
        assert said[name].endswith(f" [{usual}]"), said[name]
    assert said["vs"].endswith("(required)")
    assert not said["fixed"].endswith("]")
    assert run("odds", brida, "pistol", "--inputs").out == used


def test_a_figure_that_is_usual_is_the_characters_own(run, nix):
    """A Scout without That's an Order uses AGI; without a character the default is in words."""
    for ours in (("use", nix, "initiative"), ("resolve", "capital", "initiative", nix)):
        assert "CHA instead of AGI? [no]" in run(*ours, "--inputs").out
    in_words = "[(you have That's an Order I or That's an Order II) and CHA is more than AGI]"
    assert in_words in run("resolve", "capital", "initiative", "--inputs").out


def test_an_input_that_a_called_rule_wants_is_missing_input(run, brida):
    before = brida.read_bytes()
    run("use", brida, "mind thrust").refused(
        2, "(vs), unless it allows", "Add vs=…, for example: ", " vs=5"
    )
    assert brida.read_bytes() == before
    assert run("use", brida, "mind thrust", "--set", "allowed=yes").code == 0
    assert run("use", brida, "mind thrust", "--set", "vs=9").code == 0


def test_either_of_two_inputs_is_missing_and_both_are_too_many(run, nix, brida):
    rule = ("resolve", "capital", "attribute-check", nix, "--set", "vs=5")
    run(*rule).refused(2, "Add attribute=… or fixed=….")
    both = ("--set", "attribute=str", "--set", "fixed=5")
    for bare in (rule, ("odds", nix, "attribute-check", "--set", "vs=5"), (*rule[:3], *rule[4:])):
        run(*bare, *both).refused(2, "Give either an Attribute (attribute) or a Fixed Score")
    run("use", brida, "pistol", "--set", "vs=9", "--set", "fixed=8").refused(2, "(hit)", "(fixed)")


def test_a_missing_input_is_named_as_it_is_typed(run, nix):
    run("use", nix, "fall").refused(2, "metres: missing", "Add metres=…")
    resolved = ("resolve", "capital", "attribute-check", nix, "--set", "attribute=str")
    run(*resolved).refused(2, "Add vs=… or opposed=…, for example: ", " vs=5")


def test_a_missing_score_is_named_as_it_is_typed(run, nix):
    run("roll", nix, "str").refused(2, "Add vs=… or opposed=…, for example: ", " vs=5")
    assert run("roll", nix, "str", "--vs=5").code == 0
    run("damage", nix, "9" * 30).refused(2, "amount: it is larger than")
    assert "--amount" not in run("damage", nix, "9" * 30).err  # it was given, and is not an option


def test_a_step_that_only_lacks_an_input_is_no_finding(run, tmp_path):
    """With weapons the AR says which side is hit; special damage wants an RV in its place."""
    made = run("new", "--ruleset", "phase-2d10", "--random", "--seed", "1", "-o", "cy.json")
    assert made.code == 0, made.err
    before = (tmp_path / "cy.json").read_bytes()
    run("damage", "cy.json", 5).refused(
        2, "Enter the AR of the attack (ar)", "Add ar=…, for example: "
    )
    run("damage", "cy.json", 5, "fire").refused(2, "RV that counts", "Add rv=…, for example: ")
    both = ("--set", "rv=0", "--set", "location=4")
    run("damage", "cy.json", 5, "fire", *both).refused(2, "Special damage hits no location")
    run("damage", "cy.json", 5, "--set", "rv=0").refused(2, "Add ar=…, for example: ")
    missing = run("resolve", "phase-2d10", "damage", "cy.json")
    missing.refused(2, "Add amount=… ar=…")
    assert (tmp_path / "cy.json").read_bytes() == before
    assert run("damage", "cy.json", 5, "--set", "ar=4").code == 0


def test_a_rest_without_a_name_lists_those_of_the_game(run, nix):
    before = nix.read_bytes()
    run("rest", nix).refused(2, "Which rest?", f"\n  Short Break: charforge rest {nix} short\n")
    assert nix.read_bytes() == before


def test_a_name_is_taken_by_how_its_words_begin(run, nix):
    run("condition", nix, "ron").refused(2, '"ron"')
    run("condition", nix, "pr").refused(
        2, '"pr" matches several. Which one?', f"Prone: charforge condition {nix} prone"
    )
    assert run("condition", nix, "pron").out.startswith("  now Prone")
    several = run("use", nix, "at")
    several.refused(
        2, '"at" matches several abilities. Which one?', f"Attack: charforge use {nix} Attack"
    )
    run("use", nix, "narmed").refused(2, 'named "narmed".')


@pytest.fixture
def pia(run, tmp_path):
    """A Scout with a pistol in hand, of which a shot is spent, and the Training for it."""
    given = {"role": "role/the-scout", "asset": "special-weapon/pistol"}
    (tmp_path / "a.yaml").write_text(json.dumps({"answers": given}))
    made = run("new", "--answers", "a.yaml", "--random", "--seed", "5", "-o", "pia.json")
    assert made.code == 0, made.err
    assert run("spend", "pia.json", "ammo", "--item", "pistol").code == 0
    return tmp_path / "pia.json"


def test_actions_of_one_name_are_told_apart_and_which_was_taken_is_said(run, pia):
    """The Pistol is reloaded as an Action, with Training as an Instant as well."""
    several = run("use", pia, "reload")
    lines = [line.strip() for line in several.err.splitlines()[1:]]
    assert (several.code, lines) == (
        2,
        [
            f"Pistol: Reload (Action): charforge use {pia} special-weapon/pistol --action Reload",
            f"Pistol: Reload (Instant): charforge use {pia} special-weapon/pistol"
            " --action 'Reload Instant'",
        ],
    )
    for line, said in zip(lines, ("(Action)", "(Instant)"), strict=True):
        one = run(*shlex.split(line.partition(": charforge ")[2]))
        assert one.out.splitlines()[0].split("  ")[1] == f"Pistol: Reload {said}"


def test_a_name_of_several_words_is_replaced_whole_in_what_is_proposed(run, pia):
    """What else was typed stays; odds proposes odds, not use."""
    several = run("use", pia, "relo", "ad", "--set", "vs=3")
    several.refused(2, 'named "relo ad"')
    several = run("use", pia, "pistol:", "reload", "--unit", "character")
    weapon = "special-weapon/pistol --unit character --action"
    several.refused(2, f"charforge use {pia} {weapon} Reload\n")
    assert not several.err.endswith(".\n")


def test_what_no_other_verb_takes_back_is_undone(run, pia, nix):
    """An item's charge is spent, but never gained by name; an unknown option is told before."""
    before = pia.read_bytes()
    undo = f"must be at least 1. To undo the last change: charforge undo {pia}\n"
    run("spend", pia, "ammo", "-1", "--item", "pistol").refused(2, undo)
    run("spend", pia, "ammo", "-1").refused(2, undo)
    run("award", pia, "system/focus-i", "-1").refused(2, undo)
    run("damage", pia, "-3", "sharp").refused(2, undo)
    run("heal", pia, "-2", "--item", "foo").refused(2, 'There is no option "--item"')
    run("spend", "gone.json", "grit", "-1").refused(2, "gone.json: this file")
    assert pia.read_bytes() == before


def test_the_last_of_a_list_of_ways_can_be_copied(run, pia):
    assert run("award", pia, "special-weapon/minigun", "--random").code == 0
    several = run("spend", pia, "ammo")
    several.refused(2, "Several items have ammo. Which one?\n")
    proposed = shlex.split(several.err.splitlines()[-1].partition(": ")[2])
    assert proposed[:4] == ["charforge", "spend", str(pia), "ammo"]
    assert run(*proposed[1:]).code == 0


def test_what_nothing_asks_for_is_told_what_is_asked_for(run, pia):
    near = run("use", pia, "pistol", "--set", "opposd=6")
    near.refused(2, "opposd: there is no such input; did you mean opposed?")
    nothing_near = run("use", pia, "pistol", "--set", "qqqq=6")
    nothing_near.refused(2, "qqqq: there is no such input; there are: hit, fixed, ")


def test_what_holds_by_itself_says_that_nothing_is_to_be_used(run, pia):
    before = pia.read_bytes()
    run("use", pia, "backpack").refused(2, "Backpack has no action or attack")
    assert pia.read_bytes() == before
    focus = run("use", pia, "focus")  # there is no Extra Action before it
    assert focus.out.startswith("  Focus I: Gain Focus ")


def test_a_note_is_shown_wherever_the_character_is(run, nix, monkeypatch):
    monkeypatch.setattr(play_verbs, "current_time", lambda: "2026-05-04 20:15+02:00")
    assert run("show", nix, "--json").json["notes"] == []
    run("note", nix, "Owes the ferryman 20.", "--by", "Mo")
    text = "2026-05-04, Mo: Owes the ferryman 20."
    assert text in run("show", nix).out
    assert run("show", nix, "--json").json["notes"] == [
        {"text": "Owes the ferryman 20.", "at": "2026-05-04 20:15+02:00", "author": "Mo"}
    ]
    for format in ("markdown", "text"):
        assert text in run("export", nix, "--format", format).out
    exported = run("export", nix, "--format", "json").json
    assert [note["text"] for note in exported["notes"]] == ["Owes the ferryman 20."]
    page = nix.with_suffix(".html")
    run("sheet", nix, "-o", page)
    assert "2026-05-04, Mo</small> Owes the ferryman 20." in page.read_text("utf-8")
    run("undo", nix)
    assert "ferryman" not in run("show", nix).out


def test_an_action_beyond_those_of_the_turn_is_refused_with_advice_that_is_not_repeated(run, nix):
    assert run("turn", nix).code == 0
    assert [run("use", nix, "move").code for _ in range(2)] == [0, 0]
    run("use", nix, "move").refused(
        1, "You can't use Move now: no Actions left. Add --granted if another ability"
    )
    allowed = run("use", nix, "move", "--override", "GM: carried by the wind")
    assert allowed.code == 0
    assert "Allowed by the GM: no Actions left" in allowed.out
    assert "--granted" not in allowed.out


def test_a_condition_has_priority_over_an_action_of_its_name(run, tmp_path):
    """Overflow 5 on a Healer, whose Patch Up lists it too: half of it, rounded down, is 2."""
    (tmp_path / "a.yaml").write_text("answers: {role: role/the-healer}\n", "utf-8")
    made = run("new", "--random", "--seed", "7", "--answers", "a.yaml", "--name", "Hal")
    assert made.code == 0, made.err
    path = tmp_path / "Hal.json"
    run("use", path, "overflow").refused(1, "You have no Overflow.")
    assert run("condition", path, "overflow", "--amount", 5).code == 0
    assert "Add 2 to the damage." in run("use", path, "overflow").out


# ------------------------------------------------------------------ alike items, vehicles


def test_of_two_kits_alike_the_first_in_hand_is_used(run, tmp_path):
    """A Healer owns a kit by its Role and another in the Adventuring Kit."""
    given = {"role": "role/the-healer", "asset": "augmentation/limb"}
    (tmp_path / "a.yaml").write_text(json.dumps({"answers": given}))
    made = run("new", "--answers", "a.yaml", "--random", "--seed", "5", "-o", "hal.json")
    assert made.code == 0, made.err
    run("use", "hal.json", "large bandage").refused(1, "not in hand")
    assert run("hold", "hal.json", "first aid", "first aid").code == 0
    assert "Large Bandages −1 → 5" in run("use", "hal.json", "large bandage").out
    asked = run("use", "hal.json", "first aid", "--action", "bandage")
    asked.refused(2, "matches several abilities", "--action 'Large Bandage'")
    assert all(line.count("--action") <= 1 for line in asked.err.splitlines())


def test_the_turn_of_the_pilot_is_that_of_the_aeroplane(run, tmp_path):
    """Not moved in the last turn, it uses Nosedive; a vehicle without news is not mentioned."""
    (tmp_path / "a.yaml").write_text("answers: {asset: vehicle/aeroplane}\n")
    made = run("new", "--answers", "a.yaml", "--random", "--seed", "5", "-o", "pia.json")
    assert made.code == 0, made.err
    assert "Aeroplane" not in run("turn", "pia.json").out
    run("use", "pia.json", "flight", "--unit", "aeroplane").refused(1, "use Takeoff first")
    assert "now Flying" in run("use", "pia.json", "takeoff", "--unit", "aeroplane").out
    assert "Nosedive" not in run("turn", "pia.json").out
    last = run("turn", "pia.json").out
    assert "  Aeroplane:\n" in last
    assert "so it uses Nosedive now" in last


@pytest.mark.parametrize(
    ("spoken", "typed"),
    [
        ("use nix unarmed 5", "use nix unarmed --vs 5"),
        ("use nix unarmed vs 5 own=3,4", "use nix unarmed --vs 5 --dice own=3,4"),
        ("use nix fall 6", "use nix fall --set metres=6"),
        ("roll nix str 8", "roll nix str --vs 8"),
        ("turn nix end", "turn nix --end"),
        ("damage nix 7 sharp", "damage nix 7 --type sharp"),
        ("spend nix 2 energy", "spend nix energy 2"),
        ("hold nix simple baton", 'hold nix "simple baton"'),
        ("buy nix torch 2 free", "buy nix torch --quantity 2 --free"),
        ("odds nix unarmed 6", "odds nix unarmed --vs 6"),
        ("odds nix fall 6", "odds nix fall --set metres=6"),
        ("explain nix focus i", 'explain nix "focus i"'),
    ],
)
def test_the_words_of_a_session_work_in_the_shell(run, nix, spoken, typed):
    before = nix.read_bytes()
    shown = run(*shlex.split(spoken))
    assert (shown.code, shown.err) == (0, "")
    saved = nix.read_bytes()
    nix.write_bytes(before)
    assert run(*shlex.split(typed)).out == shown.out
    assert nix.read_bytes() == saved
    session = Session(FrontEnd(file=nix))
    nix.write_bytes(before)
    assert session.do(spoken.replace(" nix", "")) == 0
    assert nix.read_bytes() == saved


def test_a_number_that_nothing_takes_is_refused(run, nix):
    run("use", nix, "move", "4").refused(2, "Move takes no number")
    assert run("condition", nix, "prone").code == 0
    assert "no longer Prone" in run("condition", nix, "prone", "off").out


def test_a_number_alone_is_no_beginning_of_a_name(run, nix):
    names = ["Rations (1 day)", "Rifle 50m", "2"]
    found = {
        word: name_matches(names, word, lambda name: (name,))
        for word in ("1", "-5", "2", "1 d", "rifle 5")
    }
    assert found == {
        "1": [], "-5": [], "2": ["2"], "1 d": ["Rations (1 day)"], "rifle 5": [],
    }  # fmt: skip
    before = nix.read_bytes()
    listing = f"To list them: charforge use {nix}"
    run("use", nix, "5", "damage").refused(2, 'no ability here named "5 damage"', listing)
    assert nix.read_bytes() == before


def test_an_option_may_be_typed_without_dashes(run, nix):
    """As the inputs of a rule are."""
    dashed = run("condition", nix, "taunted", "--about", "Raider").out
    run("undo", nix)
    assert run("condition", nix, "taunted", "about=Raider").out == dashed
    assert "Focus, for 2 turns" in run("condition", nix, "focus", "turns=2").out


def test_end_may_stand_before_the_character(run, nix):
    assert run("turn", "end", nix).out == run("turn", nix, "end").out


def test_a_turn_may_be_started_in_words_too(run, nix):
    started = run("turn", nix).out
    run("undo", nix)
    assert run("turn", nix, "start").out == started
    run("undo", nix)
    assert run("turn", "start", nix).out == started


def test_a_list_of_conditions_has_the_command_that_works_here(run, nix):
    assert f"\n  charforge condition {nix} NAME [off]\n" in run("condition", nix).out


def test_a_misspelt_score_has_the_nearest_name(run, nix):
    run("roll", nix, "strenght").refused(2, "knw; did you mean Strength?")


def test_what_a_refusal_proposes_has_the_file(run, nix):
    run("buy", nix, "laser tank gun").refused(
        2, f"charforge award {nix} vehicle-system/laser-tank-gun"
    )
