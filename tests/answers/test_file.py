"""Answers files: they read back as written, and every decision has a place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from charforge.answers import file
from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import AnswersFile, questions_file, write_answers
from charforge.character.files.document import to_text
from charforge.errors import AnswersError
from charforge.expressions.template import has_unprintable
from charforge.replay.character_spec import CharacterSpec, UnitSpec
from charforge.replay.loaded_character import load_document
from charforge.usecases.create import create_character
from tests.samples import few, law

PRINTABLE = st.text(max_size=40).filter(lambda text: not has_unprintable(text))
LINE = PRINTABLE.map(lambda text: text.replace("\n", " ").strip())


def read(text: str, folder: Path) -> file.AnswersFile:
    path = folder / "answers.yaml"
    path.write_text(text, encoding="utf-8")
    return file.read_answers(path)


def made(ruleset, seed: str, level: int = 1):
    """Return a finished random character, opened."""
    chance = RandomAnswers(seed)
    plan = CharacterSpec(ruleset, seed, chance.name(ruleset.head.names), level)
    return load_document(create_character(plan, chance), Path("made.json"), ruleset)


# ------------------------------------------------------------------ there and back


@law(few=15)
@given(
    name=LINE,
    seed=LINE,
    level=st.integers(1, 10),
    answers=st.dictionaries(
        st.from_regex(r"[a-z][a-z0-9_-]{0,8}(\.[a-z0-9#-]{1,8}){0,3}", fullmatch=True),
        PRINTABLE
        | st.integers(-(10**17), 10**17)
        | st.lists(st.integers(1, 6) | PRINTABLE, max_size=4)
        | st.lists(st.lists(st.integers(1, 6), max_size=3), min_size=1, max_size=3)
        | st.dictionaries(st.sampled_from(["str", "yes", "no", "on", "null"]), st.integers(0, 9)),
        max_size=6,
    ),
    units=st.dictionaries(
        st.sampled_from(["boat", "pet.cat#2"]),
        st.builds(UnitSpec, LINE, st.lists(st.integers(2, 10)).map(tuple)),
    ),
)
def test_whatever_is_written_is_read_again(
    toy, tmp_path_factory, name, seed, level, answers, units
):
    contents = AnswersFile(
        Path(), "", name, level, seed, {"wrecks": "finder"}, answers, units=units
    )
    text = file.answers_text(toy, contents)
    found = read(text, tmp_path_factory.mktemp("answers"))
    assert (found.ruleset, found.name, found.level, found.seed) == ("toy", name, level, seed)
    assert found.rules == {"wrecks": "finder"}
    assert (found.answers, found.units) == (answers, units)


@law(few=4)
@given(seed=st.text("abcdefghij", min_size=1, max_size=6), level=st.integers(1, 10))
def test_a_character_exported_and_made_again_is_the_same(rules, tmp_path_factory, seed, level):
    opened = made(rules, seed, min(level, rules.head.advancement.maximum))
    found = read(write_answers(opened), tmp_path_factory.mktemp("answers"))
    level = found.level or 1  # a game without levels has none in the file
    plan = CharacterSpec(rules, found.seed, found.name, level, found.rules, found.answers)
    assert to_text(create_character(plan)) == to_text(opened.document)


def test_labels_stand_over_their_answers(toy):
    text = file.answers_text(
        toy,
        AnswersFile(Path(), "", "Nix", 1, "7", {}, {"post": "post/boatman"}),
        {"post": "What post?"},
    )
    assert text.splitlines() == [
        "# The Long Light: answers for `charforge new --answers THIS-FILE`",
        "ruleset: toy",
        "name: Nix",
        "level: 1",
        "seed: '7'",
        "answers:",
        "  # What post?",
        "  post: post/boatman",
    ]


def test_the_unfinished_lists_of_a_draft_are_read_again(toy, tmp_path):
    begun = {"knacks": ["knack/ox"], "on": ["a: b"]}
    found = read(file.answers_text(toy, AnswersFile(Path(), level=1, begun=begun)), tmp_path)
    assert (found.answers, found.begun) == ({}, begun)


def test_a_file_without_answers_is_one(toy, tmp_path):
    found = read(file.answers_text(toy, AnswersFile(Path(), level=1)), tmp_path)
    assert (found.name, found.seed, found.answers, found.rules) == ("", "", {}, {})


def test_what_a_file_leaves_out_is_left_open(tmp_path):
    found = read("name: Nix\n", tmp_path)
    assert (found.ruleset, found.level, found.seed, found.answers) == ("", None, "", {})


def test_the_line_of_each_answer_is_known(tmp_path):
    found = read("name: Nix\nlevel: 2\nanswers:\n  a: 1\n\n  b.c: [1,\n    2]\n  d: 3\n", tmp_path)
    assert [found.line("answers", name) for name in ("a", "b.c", "d")] == [4, 6, 8]
    assert found.line("level") == 2


def test_every_fault_is_told_with_its_line(tmp_path):
    text = (
        "nmae: Nix\nlevel: two\nname: [a]\nanswers: none\nseed: {}\nunits:\n  a: {level: 3}\n"
        "  b: {level_ups: 3}\n  c: [2]\n  d: {name: [x]}\n"
    )
    with pytest.raises(AnswersError) as caught:
        read(text, tmp_path)
    lines = sorted(line for line, _reason in caught.value.problems)
    assert lines == [1, 2, 3, 4, 5, 7, 8, 9, 10]
    assert caught.value.path == tmp_path / "answers.yaml"
    assert caught.value.exit_code == 2


@given(text=st.text(max_size=200))
def test_no_text_whatever_makes_it_stumble(tmp_path_factory, text):
    """A file is read, or refused with its faults; nothing else happens."""
    path = tmp_path_factory.mktemp("answers") / "answers.yaml"
    path.write_bytes(text.encode(errors="surrogatepass"))
    try:
        file.read_answers(path)
    except AnswersError as error:
        assert error.problems
        assert all(reason for _line, reason in error.problems)


@given(data=st.binary(max_size=200))
def test_no_bytes_whatever_make_it_stumble(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("answers") / "answers.yaml"
    path.write_bytes(data)
    try:
        file.read_answers(path)
    except AnswersError as error:
        assert error.problems


# ------------------------------------------------------------------ the questions file


def listed(text: str) -> list[str]:
    """Return the decisions of a file of questions, in order."""
    return re.findall(r"^  # ([a-z][\w.-]*):(?: .*)?$", text, re.MULTILINE)


@pytest.mark.parametrize("seed", few([f"template {number}" for number in range(25)], 3, slow=8))
def test_the_questions_file_has_every_decision_that_a_character_meets(rules, seed):
    level = rules.head.advancement.maximum
    found = set(listed(questions_file(rules, level)))
    met = {decision.id for decision in made(rules, seed, level).character.asked}
    assert {name for name in met if "#" not in name} <= found


def test_a_decision_stands_in_the_questions_file_once(rules):
    found = listed(questions_file(rules, rules.head.advancement.maximum))
    assert len(found) == len(set(found))


def test_the_questions_file_ends_with_its_level(capital):
    assert not [name for name in listed(questions_file(capital, 1)) if name.startswith("level.2")]
    assert "level.3.hp" in listed(questions_file(capital, 3))
    assert "level.4.hp" not in listed(questions_file(capital, 3))


def test_every_id_that_the_questions_file_offers_exists(capital):
    kinds = "|".join(capital.kinds)
    for name in re.findall(rf"\b(?:{kinds})/[a-z0-9-]+", questions_file(capital, 10)):
        assert name in capital.entities


def test_the_questions_file_is_an_answers_file(rules, tmp_path):
    found = read(questions_file(rules, 1), tmp_path)
    level = 1 if rules.head.advancement.maximum > 1 else None  # nothing speaks of levels there
    assert (found.ruleset, found.level, found.answers) == (rules.id, level, {})
