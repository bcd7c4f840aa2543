"""order: initiative on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import CommandResult

pytestmark = pytest.mark.capital

Run = Callable[..., CommandResult]


@pytest.fixture
def ada(run: Run) -> str:
    """A character of the game of symbols."""
    made = run("new", "--ruleset", "narrative-dice", "--random", "--seed", "7", "--name", "Ada",
               "-o", "ada.json")  # fmt: skip
    assert made.code == 0, made.err
    return "ada.json"


def test_the_order_is_printed_with_what_it_goes_by(run: Run, ada: str) -> None:
    output = ("--with", "Ogre=1,0,0", "--with", "Ada=0,2,1", "--with", "Great Rat=0,2,0")
    ended = run("initiative", ada, *output)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        "Initiative: Triumphs, Successes, Advantages",
        "  1  Ogre       1, 0, 0",
        "  2  Ada        0, 2, 1",
        "  3  Great Rat  0, 2, 0",
    ]


def test_as_data_with_the_dice(run: Run, ada: str) -> None:
    found = run("initiative", ada, "--seed", "dusk", "--with", "Ogre=0,0,0", "--json").json
    assert found["by"] == ["Triumphs", "Successes", "Advantages"]
    by_name = {turn["name"]: turn for turn in found["order"]}
    assert by_name["Ogre"] == {
        "name": "Ogre", "figures": [0, 0, 0], "player": False, "dice": [],
        "extra_turns": 0, "misses_first_turn": False, "acts_last": False,
        "tiebreaks": [], "tiebreak_dice": [], "lacks_tiebreak": False,
    }  # fmt: skip
    assert (found["before_combat"], found["tied"]) == ([], [])
    assert by_name["Ada"]["player"]
    assert by_name["Ada"]["dice"]


def test_namesakes_are_told_apart_by_their_files(run: Run, ada: str, tmp_path: Path) -> None:
    """The files hold the very same character: still each has dice of its own."""
    (tmp_path / "old").mkdir()
    for name in ("old/ada.json", "twin.json"):
        (tmp_path / name).write_bytes((tmp_path / ada).read_bytes())
    found = run("initiative", ada, "twin.json", "--seed", "dusk", "--json").json["order"]
    assert {turn["name"] for turn in found} == {"Ada (ada.json)", "Ada (twin.json)"}
    assert found[0]["dice"] != found[1]["dice"]
    three = (ada, "old/ada.json", "twin.json")
    output = ("ada.json=0,0,3", "ada (old/ada.json)=0,0,2", "Twin=0,0,1", "Ogre=0,0,0")
    ended = run("initiative", *three, *(word for one in output for word in ("--with", one)))
    assert [line.split("  ")[2] for line in ended.out.splitlines()[1:]] == [
        "Ada (ada.json)", "Ada (old/ada.json)", "Ada (twin.json)", "Ogre",
    ]  # fmt: skip
    for name in ("Ada", "ada"):
        run("initiative", *three, "--with", f"{name}=0,0,1").refused(
            2, f'"{name}" matches several:\n  ada.json  Ada\n  old/ada.json  Ada'
        )


def test_a_file_whose_name_is_no_text_has_dice_too(run: Run, ada: str, tmp_path: Path) -> None:
    """They are those of its id and its place at the table, whatever the files are called."""
    output = run(
        "initiative", ada, *_copy(tmp_path / ada, "twin.json"), "--seed", "dusk", "--json"
    ).json
    odd = run(
        "initiative", ada, *_copy(tmp_path / ada, "a\udcff.json"), "--seed", "dusk", "--json"
    ).json
    assert [turn["dice"] for turn in odd["order"]] == [turn["dice"] for turn in output["order"]]


def _copy(path: Path, name: str) -> list[str]:
    path.with_name(name).write_bytes(path.read_bytes())
    return [name]


def test_figures_for_one_character_are_given_once(run: Run, ada: str) -> None:
    twice = ("--with", "ada=0,0,1", "--with", "Ada=0,0,2")
    run("initiative", ada, *twice).refused(2, "Ada appears twice. Use each only once.")


def test_one_alone_goes_by_its_name_and_not_by_its_file(run: Run, ada: str) -> None:
    found = run("initiative", ada, "--with", "ada.json=0,0,0", "--json").json["order"]
    assert sorted(turn["name"] for turn in found) == ["Ada", "ada.json"]


def test_a_file_of_the_main_game_is_rolled_for(run: Run, nix: object) -> None:
    first = run("initiative", nix, "--seed", "1").out
    assert first == run("initiative", nix, "--seed", "1").out
    assert first.startswith("Turn order: ")


def test_the_dead_are_left_out(run: Run, nix: Path) -> None:
    (nix.parent / "vex.json").write_bytes(nix.read_bytes())
    run("condition", nix, "dead")
    ended = run("initiative", nix, "vex.json", "--with", "Vesper Nakamura=7")
    assert ended.err == "Vesper Nakamura is Dead and is left out.\n"
    assert [line.split()[1] for line in ended.out.splitlines()[1:]].count("Vesper") == 1
    run("initiative", nix).refused(1, "None of these characters is in play")


def test_what_cannot_be_ordered_is_refused(run: Run, ada: str) -> None:
    run("initiative", ada, "--with", "Ogre=1").refused(
        2, "NAME=0,0,0", "Give 3 numbers: Triumphs, Successes, Advantages."
    )
    run("initiative", "nobody.json").refused(2, "this file")


def test_the_page_of_a_party_has_room_for_what_is_rolled(run: Run, ada: str) -> None:
    assert run("party", ada, "--no-sheets", "-o", "p.html").code == 0
    page = Path("p.html").read_text(encoding="utf-8")
    heads = page.partition("<bdi>Initiative</bdi>")[2].partition("</thead>")[0]
    assert [label for label in ("Who", "Triumphs", "Successes", "Advantages") if
            f'<th scope="col">{label}</th>' in heads] == ["Who", "Triumphs", "Successes",
                                                          "Advantages"]  # fmt: skip
    assert "Score" not in heads


# Vesper Nakamura has AGI 7: a roll of 2d6 adds 7.


def table(run: Run, *words: object) -> list[str]:
    """The lines of an order after its heading, without double spaces."""
    ended = run("initiative", *words)
    assert ended.code == 0, ended.err
    return [" ".join(line.split()) for line in ended.out.splitlines()[1:]]


def test_each_double_six_is_an_extra_turn_and_a_reroll(run: Run, nix: Path) -> None:
    """Two double sixes, then 2 + 3 + 7 = 12."""
    assert table(run, nix, "--with", "Raider=13", "--dice", "6,6,6,6,2,3") == [
        "Before combat begins: Vesper Nakamura, Vesper Nakamura",
        "1 Raider 13",
        "2 Vesper Nakamura 12 (Your dice 6 6; Your dice 6 6; Your dice 2 3) "
        "2 extra turns before combat",
    ]


def test_a_double_one_misses_the_first_turn_and_is_not_rolled_again(run: Run, nix: Path) -> None:
    assert table(run, nix, "--with", "Raider=8", "--dice", "vesper nakamura=1,1") == [
        "1 Vesper Nakamura 9 (Your dice 1 1) misses the first turn",
        "2 Raider 8",
    ]


def test_extra_turns_go_round_among_those_who_have_them(run: Run, nix: Path) -> None:
    """One has two extra turns, the other one: they alternate, the higher result first."""
    (nix.parent / "vex.json").write_bytes(nix.read_bytes())
    dice = ("--dice", "nix.json=6,6,6,6,1,2", "--dice", "vex.json=6,6,5,5")
    found = run("initiative", nix, "vex.json", *dice, "--json").json
    first, second = "Vesper Nakamura (vex.json)", "Vesper Nakamura (nix.json)"
    assert found["before_combat"] == [first, second, second]
    assert [turn["extra_turns"] for turn in found["order"]] == [1, 2]
    assert [turn["figures"] for turn in found["order"]] == [[17], [10]]


def test_a_tie_is_broken_by_rolls_without_special_results(run: Run, nix: Path) -> None:
    """Both 3 + 4 + 7 = 14. Both 6 + 6 in the tiebreak: no extra turn, still a tie, once more."""
    (nix.parent / "vex.json").write_bytes(nix.read_bytes())
    dice = ("--dice", "nix.json=3,4,6,6,1,1", "--dice", "vex.json=4,3,6,6,2,1")
    found = run("initiative", nix, "vex.json", *dice, "--json").json
    assert (found["before_combat"], found["tied"]) == ([], [])
    assert [turn["tiebreaks"] for turn in found["order"]] == [[19, 10], [19, 9]]
    assert [turn["name"][-10:] for turn in found["order"]] == ["(vex.json)", "(nix.json)"]
    assert not any(turn["misses_first_turn"] for turn in found["order"])
    lines = table(run, nix, "vex.json", *dice)
    assert "tiebreak 19, 10 (Your dice 6 6; Your dice 2 1)" in lines[0]


def test_a_tie_with_someone_without_a_file_takes_their_result(run: Run, nix: Path) -> None:
    ended = run("initiative", nix, "--with", "Raider=9", "--dice", "1,1")
    assert ended.err == (
        'Still tied: Vesper Nakamura, Raider. Roll again and add the results: --with "Raider=9,N"\n'
    )
    lines = table(run, nix, "--with", "Raider=9,15", "--dice", "1,1,3,4")
    assert lines == [
        "1 Raider 9 tiebreak 15",
        "2 Vesper Nakamura 9 (Your dice 1 1) tiebreak 14 (Your dice 3 4) misses the first turn",
    ]


def test_dice_for_a_tie_wait_for_the_roll_that_is_missing(run: Run, nix: Path) -> None:
    (nix.parent / "vex.json").write_bytes(nix.read_bytes())
    dice = ("--dice", "nix.json=3,4,6,6", "--dice", "vex.json=4,3,2,1")
    ended = run("initiative", nix, "vex.json", "--with", "Ogre=14", *dice)
    assert ended.code == 0
    assert ended.err.startswith("Still tied: ")
    assert '--with "Ogre=14,N"' in ended.err
    lines = table(run, nix, "vex.json", "--with", "Ogre=14,12", *dice)
    assert [line.split()[1] for line in lines] == ["Vesper", "Ogre", "Vesper"]


@pytest.mark.parametrize(
    ("known", "needed"),
    [
        ({"Ogre": "14,12", "Rat": "14"}, {"Rat": "14,N"}),
        ({"Ogre": "14,12", "Rat": "14,12"}, {"Ogre": "14,12,N", "Rat": "14,12,N"}),
        ({"Ogre": "14,12,3", "Rat": "14,12"}, {"Rat": "14,12,N"}),
    ],
)
def test_only_the_results_that_are_missing_are_asked_for(
    run: Run, nix: Path, known: dict[str, str], needed: dict[str, str]
) -> None:
    def rolled(figures: dict[str, str]) -> CommandResult:
        others = [word for pair in figures.items() for word in ("--with", "=".join(pair))]
        return run("initiative", nix, *others, "--dice", "3,4,6,6")

    asked = " ".join(f'--with "{name}={figures}"' for name, figures in needed.items())
    assert rolled(known).err.endswith(f"add the results: {asked}\n")
    results = {
        name: figures.replace("N", str(n)) for n, (name, figures) in enumerate(needed.items())
    }
    assert rolled(known | results).err == ""


def test_those_without_a_file_have_extra_and_missed_turns_too(run: Run, nix: Path) -> None:
    lines = table(
        run, nix, "--with", "Ogre=9", "--with", "Sea-Rat=3", "--dice", "6,6,3,4",
        "--extra", "Ogre=2", "--misses", "sea rat",
    )  # fmt: skip
    assert lines == [
        "Before combat begins: Vesper Nakamura, Ogre, Ogre",
        "1 Vesper Nakamura 14 (Your dice 6 6; Your dice 3 4) 1 extra turn before combat",
        "2 Ogre 9 2 extra turns before combat",
        "3 Sea-Rat 3 misses the first turn",
    ]
    repeated = ("--with", "Ogre=9", "--with", "ogre=3")
    run("initiative", nix, *repeated).refused(2, "Ogre appears twice")
    run("initiative", nix, "--extra", "Bo=1").refused(2, "nobody here has that name.", "--with")
    run("initiative", nix, "--with", "Ogre=9", "--extra", "Ogre=x").refused(2, "NAME=2")
    run("initiative", nix, "--misses", "Vesper Nakamura").refused(2, "nobody here has that name.")


def test_dice_for_nobody_or_too_many_are_refused(run: Run, nix: Path) -> None:
    run("initiative", nix, "--dice", "Bo=3,4").refused(2, "no character here has that name")
    run("initiative", nix, "--dice", "7,1").refused(2, "7")
    run("initiative", nix, "--dice", "3,4,5").refused(2, "not needed;")


def test_a_condition_puts_a_character_last_and_leaves_its_score(run: Run) -> None:
    made = run("new", "--ruleset", "phase-2d10", "--random", "--seed", "1", "--name", "Cy",
               "-o", "cy.json")  # fmt: skip
    assert made.code == 0, made.err
    assert table(run, "cy.json", "--with", "Ogre=3") == ["1 Cy 8", "2 Ogre 3"]
    run("condition", "cy.json", "impressed")
    assert table(run, "cy.json", "--with", "Ogre=3") == ["1 Ogre 3", "2 Cy 8 acts last"]
