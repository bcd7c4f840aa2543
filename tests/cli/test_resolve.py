"""resolve: rules with explicit numbers or those of a character."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.capital


def test_a_fall_with_everything_given(run):
    """Falling 6 m: AGI 5 + 3 + 4 = 12 against 6 + 1 + 2 = 9: a success by 3, and no damage."""
    done = run(
        "resolve", "capital", "fall", "--set", "metres=6", "--set", "agi=5",
        "--set", "own=3,4", "--dice", "theirs=1,2", "--rules",
    )  # fmt: skip
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == "Fall"
    assert "  Success, by 3." in done.out
    rule = "[Attribute Check] Core gameplay: Attribute Checks, ruling D59, D61"
    lines = done.out.splitlines()
    first = lines.index("Success: yes")
    critical = "Critical Success (1) or Critical Failure (−1): 0"
    outputs = [critical, "The GM decides about doubles: no", "Damage: 0"]
    assert lines[first:] == ["Success: yes", "Margin: 3", *outputs, rule]


def test_what_a_procedure_can_be_told_is_listed(run):
    lines = run("resolve", "capital", "fall", "--inputs").out.splitlines()
    assert lines[:2] == ["Fall", "Inputs:"]
    assert lines[2].split(maxsplit=1) == ["metres=…", "How many metres? (required)"]


def test_the_json_of_the_contract(run):
    """Falling 6 m: AGI 5 + 3 + 4 = 12 against 6 + 1 + 2 = 9."""
    found = run(
        "resolve", "capital", "fall", "--set", "metres=6", "--set", "agi=5", "--set", "own=3,4",
        "--set", "theirs=1,2", "--json",
    ).json  # fmt: skip
    assert set(found) == {"outputs", "steps"}
    assert found["outputs"] == {
        "success": 1,
        "margin": 3,
        "critical": 0,
        "gm_decides": 0,
        "dealt": 0,
    }
    rolls = [step for step in found["steps"] if step["do"] == "roll"]
    assert [(step["id"], step["faces"], step["value"]) for step in rolls] == [
        ("own", [3, 4], 7),
        ("theirs", [1, 2], 3),
    ]
    assert all(step["source"] and step["text"] for step in found["steps"])


def test_what_is_missing_is_listed_all_at_once(run):
    run("resolve", "capital", "fall").refused(2, "metres: missing: How many metres?")
    run("resolve", "capital", "fall", "--set", "metres=6").refused(
        2, "agi: missing: Agility (or give a character file)"
    )
    run("resolve", "capital", "damage", "--set", "amount=6").refused(
        2,
        "hp: missing: Hit Points (or give a character file)",
        "bones: missing: Bones (or give a character file)",
    )
    run("resolve", "capital", "damage", "--set", "type=warm").refused(
        2, 'type: "warm" is not one of', "amount: missing: Damage"
    )
    run("resolve", "capital", "contest").refused(2, "score: missing: Your score")


def test_a_character_gives_its_figures_and_is_left_alone(run, nix):
    """AGI 7 of the character; --set puts another figure in its place."""
    before = nix.read_bytes()
    given = ["--set", "metres=6", "--dice", "own=3,4", "--dice", "theirs=6,6"]
    own = run("resolve", "capital", "fall", nix, *given, "--json").json
    assert own["outputs"]["margin"] == (7 + 7) - (6 + 12)
    other = run("resolve", "capital", "fall", nix, *given, "--set", "agi=1", "--json").json
    assert other["outputs"]["margin"] == (1 + 7) - (6 + 12)
    assert nix.read_bytes() == before


def test_the_same_seed_rolls_the_same_dice(run, nix):
    given = ["resolve", "capital", "long-break", nix, "--json", "--seed"]
    first, again, other = (run(*given, seed).json for seed in ("a", "a", "b"))
    assert first == again
    assert first["steps"] != other["steps"]


def test_without_a_procedure_all_are_listed(run, capital):
    lines = run("resolve", "capital").out.splitlines()
    assert [line.split()[0] for line in lines] == list(capital.procedures)
    assert ["fall", "Fall"] in [line.split(maxsplit=1) for line in lines]
    listed = run("resolve", "capital", "--json").json
    assert [one["id"] for one in listed] == list(capital.procedures)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["capital", "fal"], 'There is no procedure of Capital named "fal". Did you mean fall?'),
        (["captial"], 'There is no ruleset named "captial". Did you mean capital?'),
        (["capital", "fall", "gone.json"], "this file does not exist"),
        (["capital", "fall", "--set", "meters=3"], "meters: there is no such input; did you mean"),
        (["capital", "fall", "--unit", "bike"], "--unit needs a character"),
    ],
)
def test_what_is_refused(run, given, said):
    run("resolve", *given).refused(2, said)


def test_a_refusal_of_the_rules_is_a_finding(run, nix):
    run("resolve", "capital", "death-check", nix).refused(
        1, "only make a death check at 0 HP and 0 Bones"
    )


def test_what_a_run_would_change_is_said_not_to_be_kept(run, nix):
    """A fall that fails costs HP; of a check that changes nothing there is nothing to say."""
    fall = ("resolve", "capital", "fall", nix, "--set", "metres=6", "--dice", "theirs=6,6")
    failed = run(*fall, "--dice", "own=1,2")
    assert failed.code == 0
    command = f"charforge use {nix} fall metres=6 --dice theirs=6,6 --dice own=1,2"
    assert failed.err == f"The character is unchanged. To do this: {command}\n"
    assert run(*command.split()[1:]).code == 0
    assert run(*fall, "--dice", "own=1,2", "--json").err == ""
    other = run(*fall[:-1], "theirs=1,1", "--dice", "own=6,5")
    assert (other.code, other.err) == (0, "")


@pytest.mark.parametrize("given", [(), ("rested=3",), ("--dice", "3")])
def test_a_rule_that_does_nothing_without_a_character_asks_for_one(run, given):
    """Only a character regains Energy in a Short Break; its companions do not."""
    run("resolve", "capital", "short-break", *given).refused(
        2, "Short Break needs a character. Add its FILE."
    )


def test_a_file_in_place_of_the_game_is_told_its_place(run, nix):
    for words, rule in ((["fall", "metres=6"], "fall"), ([], "PROCEDURE")):
        run("resolve", nix, *words).refused(
            2,
            "The game comes first, then the rule, then the file. "
            f"Use: charforge resolve capital {rule} {nix}",
        )
    run("resolve", "nowhere.json", "fall").refused(2, 'There is no ruleset named "nowhere.json".')


def test_dice_that_were_typed_without_a_name_have_none_in_an_error(run, nix):
    refused = run("resolve", "capital", "turn", nix, "--dice", "3")
    refused.refused(2, "the dice 3 were not needed; this rule rolls nothing")
    assert "first" not in refused.err


@pytest.mark.parametrize(
    ("rule", "before", "command"),
    [
        (["short-break", "rested=3"], ["spend", "energy", 5], ["rest", "short", "rested=3"]),
        (["long-break", "hours=2"], ["damage", 20], ["rest", "long", "hours=2"]),
        (["turn"], ["condition", "focus"], ["turn"]),
    ],
)
def test_a_rest_or_a_turn_is_kept_by_the_command_that_companions_share(
    run, nix, rule, before, command
):
    run(before[0], nix, *before[1:])
    name, *given = rule
    done = run("resolve", "capital", name, nix, *given)
    verb, *words = command
    assert done.err.endswith(
        " To do this: " + " ".join(["charforge", verb, str(nix), *words]) + "\n"
    )
    assert run(verb, nix, *words).code == 0


def test_a_procedure_is_found_by_its_label(run, nix):
    done = run("resolve", "capital", "full rest", nix)
    assert done.out.splitlines()[0] == "Full Rest"


@pytest.mark.parametrize(
    ("line", "missing", "more"),
    [
        ("resolve capital fall --set metres=6", ["agi"], ["agi=0"]),
        ("odds --ruleset phase-2d10 attack", ["vs", "wound_penalty"],
         ["vs=1", "fixed=1", "wound_penalty=0"]),
        ("resolve narrative-dice initiative", ["skill_ability", "track_setback"],
         ["skill_ability=1", "skill_rank=1", "track_setback=0", "track_difficulty=0",
          "track_challenge=0"]),
    ],
)  # fmt: skip
def test_all_that_is_missing_is_said_at_once_with_a_line_that_works(run, line, missing, more):
    ended = run(*line.split())
    ended.refused(2, *(f"{name}: missing:" for name in missing))
    again = ended.err.splitlines()[-1].strip()
    assert again == f"charforge {line} " + " ".join(more)
    assert run(*again.split()[1:], *([] if "odds" in line else ["--seed", "1"])).code == 0


def test_what_would_do_instead_is_said_with_the_rest(run):
    """No attribute and no number was given: the rule's own words say what would do."""
    ended = run("resolve", "capital", "attribute-check")
    ended.refused(2, "vs: missing:", "Give either an Attribute (attribute) or a Fixed")


def test_a_resource_that_is_set_is_what_the_rule_changes(run, nix):
    """10 damage at 3 HP leaves 0; the suggested command works with the character's own HP."""
    damage = ("resolve", "capital", "damage", nix, "--set", "amount=10", "--seed", "1")
    done = run(*damage, "--set", "hp=3")
    assert done.code == 0
    assert "HP −3 → 0" in done.out
    command = f"charforge use {nix} damage amount=10"
    assert done.err == (f"The character is unchanged. To do this with its own HP: {command}\n")
    assert run(*command.split()[1:]).code == 0
    run(*damage, "--set", "hp=999").refused(
        2, "hp: 999 is not possible; the nearest possible number is"
    )


def test_a_refusal_suggests_no_input_that_would_only_be_refused_earlier(run):
    """A second target without Spread: a Hit Attribute beside the Fixed Score would not help."""
    attack = "resolve capital attack --set fixed=7 --set vs=5 --set others=5"
    ended = run(*attack.split())
    assert ended.code == 1
    assert "at most 1, not 2" in ended.err
    assert "hit=" not in ended.err


def test_a_typed_figure_also_counts_in_the_values_computed_from_it(run, tmp_path):
    """The Shock AV is BODY: with BODY 1, 5 + 1 = 6 is less than 10."""
    made = run("new", "--ruleset", "phase-2d10", "--random", "--seed", "7", "--name", "Vex")
    assert made.code == 0, made.err
    path = tmp_path / "Vex.json"
    before = path.read_bytes()
    shock = ("resolve", "phase-2d10", "shock", path, "--set", "dv=10", "--dice", "die=5")
    for body, total in ((1, 6), (8, 13)):
        assert f"Shock: 5 + {body} = {total} against 10" in run(*shock, "--set", f"body={body}").out
    assert path.read_bytes() == before
