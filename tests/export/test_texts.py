"""Exports that templates make: built in or a user's, by the same function."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from wcwidth import wcswidth

from charforge.errors import FaultyTemplate
from charforge.export.text_formats import write, write_by
from charforge.language import in_language
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character, Problem
from charforge.sheet import phrases
from charforge.sheet.build import build
from charforge.sheet.templates import OwnTemplate, built_in_templates, find_template
from charforge.sheet.text_filters import (
    COLUMNS,
    FIELD_VALUE,
    discord,
    joined,
    longest,
    sentences,
    text_width,
    tidy,
    wrapped,
)
from tests.command_runner import run_command
from tests.sheet.test_page_differences import created, digger_with

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


# ------------------------------------------------------------------ plain text


WIDE = "漢" * 120


def test_no_line_is_wider_than_80_columns(character):
    lines = write("text", character).splitlines()
    assert max(map(wcswidth, lines)) <= 80
    assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize("name", [WIDE, "x" * 199, "e\N{COMBINING ACUTE ACCENT}" * 99, "漢x" * 60])
def test_long_and_wide_names_are_wrapped_and_lose_no_sign(make, name):
    lines = write("text", make(name=name, level=1)).splitlines()
    assert max(map(wcswidth, lines)) <= 80
    head = lines[: next(n for n, line in enumerate(lines) if line.startswith("Capital"))]
    assert "".join(line.strip() for line in head) == name


def test_scores_in_a_line_and_weapons_with_their_modes(character):
    shown, lines = build(character), write("text", character).splitlines()
    scores = " · ".join(f"{a.label} {phrases.score_text(a)}" for a in shown.attributes)
    assert scores in lines
    printed = " ".join(line.strip() for line in lines)
    for weapon in shown.weapons:
        assert weapon.name in printed
        for attack in weapon.attacks:
            roll = f"{attack.roll.replace(chr(0x2212), '-')} vs {attack.versus}"
            assert {roll, phrases.plain(attack.damage)} <= {
                part for part in (roll, phrases.plain(attack.damage)) if part in printed
            }


def test_a_system_has_its_digest_uncut(make):
    """Every rule is told to its end, or not at all."""
    told = " ".join(write("text", make(level=1, innate=[])).split())
    for card in build(make(level=1, innate=[])).cards:
        for digest in (card.text.digest, *(action.text.digest for action in card.actions)):
            assert phrases.plain_line(digest) in told
    assert "…" not in told


def test_a_character_fits_a_message(character):
    """2,000 characters, or as many messages as the names need; texts that are left out are counted.

    An ability has its whole text or its name alone.
    """
    told = write("text", character)
    names = [card.name for card in build(character).cards]
    assert all(name in told for name in names)
    assert len(told) <= 2000 or character.name != "Nix Calloway"
    shown = build(character)
    cards = [card for one in (shown, *shown.units) for card in one.cards]
    line = " ".join(told.split())
    left_out = [card.name for card in cards if phrases.plain_line(card.text.digest) not in line]
    assert ("To fit in a message, the last" in told) == bool(left_out)


def test_units_table_rules_and_problems_are_told(hostile):
    told = write("text", hostile, (Problem("broken", "money", "10 is not enough"),))
    assert "\n-- Sky Beast · Special Companion · Level 10 --\n" in told
    assert "When does an effect come off Cooldown X+? A roll of X or less ends it" in told
    body, _line, shortened = told.partition("\n\nTo fit in a message, ")
    assert body.endswith("money: 10 is not enough")
    assert " ".join(shortened.split()).endswith("left out: only their names are here.")


# ------------------------------------------------------------------ Discord


# https://discord.com/developers/docs/resources/message: the limits of an embed
LIMITS = {"title": 256, "description": 4096}
ALLOWED = {"title", "description", "fields", "footer", "color"}


def units(text: str) -> int:
    """Return the length of a text as Discord counts it."""
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2


def test_every_message_keeps_the_limits(character):
    message = json.loads(write("discord", character))
    assert message.keys() == {"embeds", "allowed_mentions"}
    assert message["allowed_mentions"] == {"parse": []}
    assert 1 <= len(message["embeds"]) <= 10
    total = 0
    for embed in message["embeds"]:
        assert embed.keys() <= ALLOWED
        assert 0 <= embed["color"] <= 0xFFFFFF
        assert len(embed["fields"]) <= 25
        for key, most in LIMITS.items():
            assert 1 <= units(embed.get(key, "-")) <= most
        for field in embed["fields"]:
            assert field.keys() == {"name", "value"}
            assert 1 <= units(field["name"]) <= 256
            assert 1 <= units(field["value"]) <= 1024
            total += units(field["name"]) + units(field["value"])
        total += units(embed["title"]) + units(embed.get("description", ""))
        total += units(embed.get("footer", {}).get("text", ""))
    assert total <= 6000


def test_scores_attacks_and_systems_are_there(character):
    shown = build(character)
    first = json.loads(write("discord", character))["embeds"][0]
    values = {field["name"]: field["value"] for field in first["fields"]}
    for score in shown.attributes:
        assert f"**{score.label}** {phrases.score_text(score)}".replace("(", r"\(") in values[
            shown.attributes_label
        ].replace(r"\)", ")")
    for weapon in shown.weapons:
        assert discord(weapon.name) in values["Attacks"]
    lists = [field["value"] for field in first["fields"] if field["name"] == shown.cards_label]
    named = [name for card in shown.cards if (name := f"**{discord(card.name)}**")]
    assert [name for name in named if name not in "\n".join(lists)] == []
    assert all(len(value) <= FIELD_VALUE for value in lists)


@given(st.text(alphabet="a*_~`|<>[]()#\\ @", max_size=30))
def test_no_sign_of_a_text_has_a_meaning(text):
    escaped = discord(text)
    assert re.sub(r"\\([\\*_~`|<>\[\]()#])", r"\1", escaped) == phrases.plain(text)
    assert not re.search(r"(?<!\\)(\\\\)*[*_~`|<>\[\]()#]", escaped)


def test_worn_gear_and_the_results_of_moves_are_carried_over() -> None:
    digger = digger_with("armour/apron", "armour/plates").character
    packed = [
        field["value"] for field in fields_of(write("discord", digger)) if field["name"] == "Pack"
    ]
    assert packed
    assert "Leather Apron † \\(Worn\\)" in packed[0]
    assert "Ember Plates † \\(Packed\\)" in packed[0]
    assert "10+: You are there first." in write("discord", created("night-post").character)


def fields_of(text: str) -> list[dict[str, str]]:
    return [field for embed in json.loads(text)["embeds"] for field in embed.get("fields", ())]
