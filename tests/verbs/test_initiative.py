"""Initiative: typed or rolled numbers, sorted by the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.cli.initiative import read_figures
from charforge.errors import RuleRefusal, UsageError
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load, load_folder
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.verbs import initiative, manual_changes

STEPS = """procedures:
  - id: haste
    label: Haste
    source: rule/work
    steps:
      - {do: let, id: start, to: arm}
    outputs: [{id: start, label: Start}]
"""
Make = Callable[..., LoadedCharacter]


@pytest.fixture(scope="module")
def hero() -> Make:
    """Make a character of the game of symbols by chance."""
    ruleset = load("narrative-dice")

    def make(name: str) -> LoadedCharacter:
        plan = CharacterSpec(ruleset, "7", name)
        return replay_document(
            create_character(plan, leave_out_optional(RandomAnswers("7"))), ruleset
        )

    return make


@pytest.fixture
def hasty(docking: Callable[..., object]) -> Ruleset:
    """The harbour with an order of turns: 1d1 + ARM, so that no luck is in it."""
    order = "play:\n  order: {label: First, dice: 1d1, procedure: haste, output: start}\n"
    folder = docking(
        ("ruleset.yaml", "play:\n", order), ("procedures.yaml", "procedures:\n", STEPS)
    )
    return load_folder(folder)  # type: ignore[arg-type]


def rolled(
    heroes: list[LoadedCharacter],
    figures: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
    seed: str = "x",
) -> initiative.InitiativeOrder:
    """Return the order of turns with these known figures."""
    known = initiative.KnownInitiative(figures)
    return initiative.roll_initiative(list(initiative.seats_of(heroes, [])), seed, known)


def names(found: initiative.InitiativeOrder) -> list[str]:
    return [turn.name for turn in found.order]


def test_triumphs_then_successes_then_advantages_then_players(hero: Make) -> None:
    """1 Triumph and 2 Advantages act before 4 Successes; of equals the player does."""
    told = {
        "Bo": (0, 4, 3), "Ogre": (1, 1, 2), "Wolf": (0, 4, 1), "Rat": (0, 2, 0), "Ada": (0, 2, 0),
    }  # fmt: skip
    found = rolled([hero("Ada"), hero("Bo")], told)
    assert found.label == "Initiative"
    assert found.by == ("Triumphs", "Successes", "Advantages")
    assert names(found) == ["Ogre", "Bo", "Wolf", "Ada", "Rat"]
    assert [turn.player for turn in found.order] == [False, True, False, True, False]


def test_equals_keep_the_order_in_which_they_are_told(hero: Make) -> None:
    heroes = [hero("Cy"), hero("Ada"), hero("Bo")]
    told = dict.fromkeys(("Rat", "Bat", "Bo", "Cy", "Ada"), (0, 1, 1))
    assert names(rolled(heroes, told)) == ["Cy", "Ada", "Bo", "Rat", "Bat"]


def test_a_roll_is_that_of_its_seed_and_says_its_dice(hero: Make) -> None:
    first, again = (rolled([hero("Ada")], seed="dusk") for _time in range(2))
    assert first == again
    (turn,) = first.order
    assert len(turn.figures) == 3
    assert turn.dice
    assert any(
        rolled([hero("Ada")], seed=str(seed)).order[0].figures != turn.figures for seed in range(9)
    )


def test_dice_are_added_to_the_one_output(
    hasty: Ruleset, dockhand: Callable[..., LoadedCharacter]
) -> None:
    # ARM 5 and the 1 of the die: 6. Without players_first an equal stays where it was named.
    found = rolled([dockhand(rules=hasty)], {"Rat": (6,), "Bat": (7,)})
    assert [(turn.name, turn.figures) for turn in found.order] == [
        ("Bat", (7,)), ("Ada", (6,)), ("Rat", (6,)),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["Ogre", "Ogre=1", "Ogre=1,2", "=1,2,3", "Ogre=a,b,c"])
def test_what_is_not_told_well_is_refused(hero: Make, text: str) -> None:
    with pytest.raises(UsageError, match="NAME=0,0,0"):
        read_figures(list(initiative.seats_of([hero("Ada")], [])), [text])


def test_figures_are_as_many_as_the_game_compares(hero: Make) -> None:
    with pytest.raises(UsageError, match='"Ogre=1,2" must be in the form NAME=0,0,0'):
        rolled([hero("Ada")], {"Ogre": (1, 2)})


def test_a_game_without_an_order_and_two_games_are_refused(
    hero: Make, dockhand: Callable[..., LoadedCharacter], hasty: Ruleset
) -> None:
    with pytest.raises(UsageError, match="no initiative roll"):
        rolled([dockhand()])
    with pytest.raises(UsageError, match="characters are from"):
        rolled([hero("Ada"), dockhand(rules=hasty)])


def test_whom_the_rules_forbid_to_roll_is_left_out_with_the_reason(hero: Make) -> None:
    helpless = manual_changes.change_condition(hero("Ada"), "unconscious").after
    found = rolled([helpless, hero("Bo")], {"Ogre": (0, 9, 0)})
    assert sorted(names(found)) == ["Bo", "Ogre"]
    assert "Helpless" in found.refused["Ada"]
    with pytest.raises(RuleRefusal, match="Ada: While Helpless or Unconscious"):
        rolled([helpless])
    known = rolled([helpless], {"Ada": (0, 1, 0)})
    assert (names(known), known.refused) == (["Ada"], {})


def test_a_seat_is_named_by_all_its_words_and_never_by_their_beginnings(hero: Make) -> None:
    """A name that only begins like one is a foe's."""
    seats = list(initiative.seats_of([hero("Zoë O'Hara"), hero("Rat")], []))
    assert initiative.find_seat(seats, "zoe-ohara") == "Zoë O'Hara"
    assert initiative.find_seat(seats, "Rat 2") == "Rat 2"
    assert initiative.find_seat(seats, "zoe") == "zoe"


def test_two_seats_whose_names_one_word_means_are_told_apart_by_their_files(hero: Make) -> None:
    files = [Path("one.json"), Path("two.json")]
    seats = list(initiative.seats_of([hero("Zoë O'Hara"), hero("zoe-ohara")], files))
    assert [seat.name for seat in seats] == ["Zoë O'Hara (one.json)", "zoe-ohara (two.json)"]
