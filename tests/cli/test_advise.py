"""advise: options ranked as text and JSON, and what is refused."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from charforge.character.files.document import to_text
from charforge.paths import user_data_folder
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load, packs_folder
from charforge.usecases.create import create_character
from tests.conftest import HARBOUR

ADVICE = """
advice:
  foe: [{id: guard, label: guard, default: 12}, {id: damage, label: damage, default: 2d6}]
  measures:
    - id: lift
      label: To lift it
      text: Of one try.
      procedure: test
      set: {attribute: arm, vs: $guard}
      output: won
"""
ANSWERS = {
    "trade": "trade/stevedore",
    "scores": {"arm": 4, "wit": 2},
    "knacks": [],
    "motto": "",
    "level.2.vigour": [2],
    "level.2.knacks": ["knack/kennel"],
    "level.2.knacks.kennel.dog": "dog/hound",
}


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The file of a dockhand of level 2, while a Harbour with advice is installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        user_data_folder.cache_clear()
        folder = shutil.copytree(HARBOUR, packs_folder() / "harbour")
        with (folder / "ruleset.yaml").open("a", encoding="utf-8") as head:
            head.write(ADVICE)
        spec = CharacterSpec(load("harbour"), "7", "Ada", 2, answers=ANSWERS)
        yield to_text(create_character(spec))
    user_data_folder.cache_clear()


@pytest.fixture
def ada(text: str, tmp_path: Path) -> Path:
    path = tmp_path / "ada.json"
    path.write_text(text, "utf-8")
    return path


def test_the_options_of_a_choice_are_ranked_with_their_reasons(run, ada):
    """ARM is 4 + 1 for a stevedore: 7 of 2d6 are needed, and 6 with a strong back."""
    ended = run("advise", ada, "knacks", "--rank", "lift")
    assert (ended.code, ended.err) == (0, "")
    foe, _empty, heading, compared, *lines = ended.out.splitlines()
    assert foe.startswith("Against a foe with guard 12, damage 2d6.")
    assert heading.endswith("Which knacks have you?")
    assert compared.strip() == "Compared: each option as the next pick."
    assert lines[0].startswith("  1  Strong Back")
    assert lines[1].strip() == "To lift it 58.3% → 72.2%"


def test_json_has_exact_numbers(run, ada):
    data = run("advise", ada, "trade", "--foe", "guard=13", "--json").json
    assert data["foe"]["figures"]["guard"] == "13"
    [pilot] = data["choices"][0]["options"]
    lift = pilot["measures"]["lift"]["after"]
    assert lift == {"exact": "5/18", "decimal": pytest.approx(5 / 18)}


def test_swaps_of_scores_are_compared(run, ada):
    data = run("advise", ada, "scores", "--json").json["choices"][0]
    assert data["compared"].startswith("Compared: each swap of two scores, from ARM ")
    assert all("," in option["id"] and "→" in option["label"] for option in data["options"])


def test_the_character_is_not_changed(run, ada):
    before = ada.read_bytes()
    run("advise", ada, "trade")
    assert ada.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("trede",), "Did you mean trade?"),
        (("trade", "--rank", "lit"), "Did you mean lift?"),
        (("trade", "--foe", "gard=5"), "Did you mean guard?"),
        (("level.2.vigour",), "has nothing to compare"),
        (("trade", "--gear"), "--gear cannot be used with a choice"),
        (("trade", "--foe", "nobody.json"), "nobody.json"),
        (("trade", "--foe", "guard=x"), '"x" is not a whole number. For example: --foe guard'),
        (("trade", "--foe", "damage=2x"), '"2x" is not a number or dice. For example: --foe d'),
    ],
)
def test_bad_input_is_refused_in_words(run, ada, words, message):
    ended = run("advise", ada, *words)
    assert ended.code == 2
    assert ended.out == ""
    assert message in ended.err


def test_several_figures_of_the_foe_can_stand_in_one_word(run, ada):
    told = run("advise", ada, "trade", "--foe", "guard=13, damage=3d6").out
    assert told == run("advise", ada, "trade", "--foe", "guard=13", "--foe", "damage=3d6").out
    assert told.startswith("Against a foe with guard 13, damage 3d6.")


def test_the_dice_of_the_foe_are_written_as_in_the_language_of_the_game(run, ada):
    ended = run("--lang", "de", "advise", ada, "trade")  # the game has no German
    assert ended.out.splitlines()[0].startswith("Against a foe with ")
    assert "damage 2d6." in ended.out.splitlines()[0]


def test_an_answer_that_has_to_be_given_again_is_a_further_choice(run, ada):
    """With a kennel of level 1, that of level 2 is dropped: what was chosen there is open again."""
    out = run("advise", ada, "knacks").out
    kennel = out.split("Kennel (1 slots)\n")[1]
    assert "You will also choose: Which dog: Terrier or Hound · Which knacks do you learn" in kennel
    assert "Will be dropped: Which knacks do you learn? Kennel" in kennel


@pytest.mark.slow
def test_figures_of_a_later_level_say_so(run, capital_text, tmp_path):
    (tmp_path / "nix.json").write_text(capital_text, encoding="utf-8")  # of level 3
    told = " ".join(run("advise", "nix").out.split())
    assert "Compared: each option as the next pick. The figures are those of level 4, with" in told
