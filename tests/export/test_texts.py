"""Exports that templates make: built in or a user's, by the same function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from charforge.errors import FaultyTemplate
from charforge.export.text_formats import write, write_by
from charforge.language import in_language
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character, Problem
from charforge.sheet.build import build
from charforge.sheet.templates import OwnTemplate, built_in_templates, find_template
from charforge.sheet.text_filters import (
    COLUMNS,
    joined,
    longest,
    sentences,
    text_width,
    tidy,
    wrapped,
)
from tests.command_runner import run_command

Make = Callable[..., LoadedCharacter]
PROBLEM = Problem("money", "broken", "10 is <not> enough")


@pytest.mark.parametrize("name", built_in_templates())
def test_a_built_in_template_can_be_named_and_copied(
    name: str, dockhand: Make, tmp_path: Path
) -> None:
    character = dockhand(level=3).character
    found = write(name, character, (PROBLEM,))
    assert "10 is" in found
    assert write_by(find_template(name), character, (PROBLEM,)) == found
    copy = tmp_path / built_in_templates()[name].name
    copy.write_bytes(built_in_templates()[name].read_bytes())
    assert write_by(find_template(str(copy)), character, (PROBLEM,)) == found


def test_a_template_of_a_user_has_the_problems_of_the_file_and_the_filters(
    dockhand: Make, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.md"
    mine.write_text(
        "{{ view.name|markdown }}: {{ view.vitals|map('words')|joined }} "
        "{{ view.level|markdown }}\n"
        "{% for problem in view.problems %}{{ problem }}{% endfor %}\n"
    )
    character = replace(dockhand(level=3).character, name="*Ada*")
    (vital, *_more) = build(character).vitals
    name, text = write_by(find_template(str(mine)), character, (PROBLEM,)).split(": ", 1)
    assert name == r"\*Ada\*"
    assert text.startswith(f"{vital.label} {vital.current}/{vital.max}")
    assert " 3\n" in text
    assert "10 is <not> enough" in text


def test_headings_of_the_notes_are_translated(make: Callable[..., Character]) -> None:
    with in_language("de"):
        assert "\n## Angriffe\n" in write("markdown", make(level=1))


def test_they_are_listed(tmp_path: Path) -> None:
    listed = run_command("templates", folder=tmp_path).out
    for name in built_in_templates():
        assert f"\n{name} · built in: export --format {name}\n" in listed


def test_an_indent_leaves_room_for_the_text() -> None:
    lines = wrapped("x" * 200, "漢" * 90).split("\n")
    assert "".join(lines).replace("漢", "") == "x" * 200
    assert max(map(text_width, lines)) == COLUMNS


def test_a_message_for_discord_without_an_embed_says_what_it_lacks(
    dockhand: Make, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text("{{ view.name|discord_message(view.ruleset, '#000000') }}")
    with pytest.raises(FaultyTemplate) as refused:
        write_by(find_template(str(mine)), dockhand().character)
    (problem,) = refused.value.problems
    assert "needs a line that begins with #" in problem.message
    assert (problem.file, problem.line) == (mine, 1)


def test_a_template_of_others_has_the_filters_too(dockhand: Make, tmp_path: Path) -> None:
    mine = OwnTemplate(tmp_path, "sheet.json", sandboxed=True)
    source = (built_in_templates()["discord"]).read_bytes()
    (tmp_path / mine.file).write_bytes(source)
    assert write_by(mine, dockhand().character) == write("discord", dockhand().character)


def test_joined_reads_lists_in_lists() -> None:
    assert joined(["a", ("", "b"), ["c", (1,)]], ", ") == "a, b, c, 1"


def test_sentences_end_once() -> None:
    assert sentences(("One", "", "Two!", " three:")) == "One. Two! three:"


def test_tidy_leaves_one_blank_line() -> None:
    assert tidy("\n\na\n\n\n\nb\nc\n\n") == "a\n\nb\nc\n"


@pytest.mark.parametrize(
    ("most", "text"), [(0, ""), (1, "x"), (4, "xxxx"), (5, "xxxxx"), (9, "x" * 5)]
)
def test_longest_is_the_longest_that_fits(most: int, text: str) -> None:
    assert longest(lambda number: "x" * number, 5, most) == text
    assert longest(lambda number: "xxx" + "x" * number, 5, 2) == "xxxx", "two messages"
