"""advise: options ranked as text and JSON, and what is refused."""

from __future__ import annotations

import pytest


def test_the_options_of_a_choice_are_ranked_with_their_reasons(run, nix):
    ended = run("advise", nix, "role.plus", "--by", "hit")
    assert (ended.code, ended.err) == (0, "")
    foe, _empty, heading, compared, *lines = ended.out.splitlines()
    assert foe.startswith("Against a foe with Defense Attribute 5, ")
    assert heading.endswith("Which Attribute gets +1?")
    assert compared.strip().startswith("Compared: each option instead of ")
    assert lines[0].startswith("  1  ")
    assert "→" in lines[1]


def test_json_has_exact_numbers(run, nix):
    data = run("advise", nix, "role.plus", "--foe", "defense=7", "--json").json
    assert data["foe"]["figures"]["defense"] == "7"
    for option in data["choices"][0]["options"]:
        hit = option["measures"]["hit"]["after"]
        above, below = map(int, hit["exact"].split("/"))
        assert hit["decimal"] == pytest.approx(above / below)


def test_swaps_of_scores_are_compared(run, nix):
    data = run("advise", nix, "attributes.assign", "--json").json["choices"][0]
    assert data["compared"].startswith("Compared: each swap of two scores, from STR ")
    assert all("," in option["id"] and "→" in option["label"] for option in data["options"])


def test_the_character_is_not_changed(run, nix):
    before = nix.read_bytes()
    run("advise", nix, "role.plus")
    assert nix.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("role.pluss",), "Did you mean role.plus?"),
        (("role.plus", "--by", "hitt"), "Did you mean hit?"),
        (("role.plus", "--foe", "defence=5"), "Did you mean defense?"),
        (("attributes.roll",), "has nothing to compare"),
        (("role.plus", "--gear"), "--gear cannot be used with a choice"),
        (("role.plus", "--foe", "nobody.json"), "nobody.json"),
        (("role.plus", "--foe", "defense=x"), '"x" is not a whole number. For example: --foe d'),
        (
            ("role.plus", "--foe", "damage=2x"),
            '"2x" is not a number or dice. For example: --foe d',
        ),
    ],
)
def test_bad_input_is_refused_in_words(run, nix, words, message):
    ended = run("advise", nix, *words)
    assert ended.code == 2
    assert ended.out == ""
    assert message in ended.err


def test_the_dice_of_the_foe_are_written_as_in_the_language(run, nix):
    ended = run("--lang", "de", "advise", nix, "role.plus")
    assert ended.out.splitlines()[0].startswith("Gegen einen Gegner mit ")
    assert "damage 2W6." in ended.out.splitlines()[0]


def test_an_answer_that_has_to_be_given_again_is_a_further_choice(run, nix):
    """Another Role has other Attributes to choose from: its questions are asked again."""
    out = run("advise", nix, "role").out
    lancer = out.split("The Lancer\n")[1].split("\n  2  ")[0]
    assert "You will also choose: +1 STR or VSN" in lancer
