"""Foundry VTT: packages that *Import templates* of Custom System Builder reads.

Such a package is marked ``isCustomSystemExport`` and lists actors and items, each with id, type,
name, data and flags. The data of a template are a header and a body, which are panels, hidden
attributes and a version. A component is built by its ``type`` from its own fields, containers from
``contents``, a dynamic table from its columns in ``rowLayout``. The actor names its template, has
the same panels and version, and its ``props`` hold the value of each key; rows of a dynamic table
are numbered from 0 and marked as not deleted. In formulas ``${…}$``, brackets are a roll and
``sameRow`` reads a column of the same row.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.export import foundry
from charforge.export.tabletop import ROLLABLE, without_tags
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.replay import Character
from charforge.sheet import phrases
from charforge.sheet.build import build

ID = re.compile(r"[A-Za-z0-9]{16}")
KEY = re.compile(r"[A-Za-z0-9_]+")
FIELDS = {
    "panel": {"flow", "align", "collapsible", "title", "contents"},
    "numberField": {"label", "defaultValue", "minVal", "maxVal", "allowDecimal", "inputStyle"},
    "textField": {"label", "defaultValue", "charList", "maxLength"},
    "textArea": {"label", "defaultValue", "style"},
    "label": {"value", "prefix", "suffix", "rollMessage", "rollMessageToChat", "style"},
    "dynamicTable": {"head", "deleteWarning", "predefinedLines", "rowLayout", "canPlayerAdd"},
}
COMMON = {"key", "type", "cssClass", "role", "permission", "tooltip", "visibilityFormula"}


def actors(character: Character) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the template and the actor of an export."""
    data = json.loads(foundry.write(character))
    assert data.keys() == {"isCustomSystemExport", "actors", "items"}
    assert data["isCustomSystemExport"] is True
    template, actor = data["actors"]
    for one in (template, actor):
        assert one.keys() == {"id", "type", "name", "data", "flags"}
        assert ID.fullmatch(one["id"])
    assert (template["type"], actor["type"]) == ("_template", "character")
    assert template["id"] != actor["id"]
    assert "props" not in template["data"]
    return template, actor


def rows(character: Character, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table of the actor."""
    return list(actors(character)[1]["data"]["props"][table].values())


def components(contents: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield components and those in them, but not the columns of tables."""
    for one in contents:
        yield one
        yield from components(one.get("contents", []))


def check(template: dict[str, Any], actor: dict[str, Any]) -> None:
    """Assert that components are complete and all references resolve."""
    data, props = actor["data"], actor["data"]["props"]
    assert data["template"] == template["id"]
    for part in ("header", "body", "hidden", "templateSystemUniqueVersion"):
        assert data[part] == template["data"][part]
    assert 0 < data["templateSystemUniqueVersion"] < 2**32
    listed = list(components(template["data"]["body"]["contents"]))
    keys = [one["key"] for one in listed]
    assert len(set(keys)) == len(keys)
    seen: list[str] = []
    for one in listed:
        columns = one.get("rowLayout", [])
        for part in (one, *columns):
            assert KEY.fullmatch(part["key"])
            assert COMMON | FIELDS[part["type"]] <= part.keys()
        for name in re.findall(r"\$\{(\w+)\}\$", one.get("maxVal", "")):
            assert name in keys
            assert (name in props) == (one["key"] in props)
        if columns:
            keys_of_columns = [column["key"] for column in columns]
            assert not {*keys_of_columns} & {*seen, *keys}, "keys are unique in the whole sheet"
            seen += keys_of_columns
            check_table(one["key"], columns, props[one["key"]])
    assert props.keys() <= set(keys)


def check_table(table: str, columns: list[dict[str, Any]], rows: dict[str, dict[str, Any]]) -> None:
    """Assert that rows have the values of the columns, and that rolls can be rolled."""
    types = {column["key"]: column["type"] for column in columns}
    read = {key for key, type in types.items() if type != "label"}
    assert list(rows) == [str(number) for number in range(len(rows))]
    for row in rows.values():
        assert row.keys() == read | {"$deleted"}
        assert row["$deleted"] is False
        for key in read:
            wanted: tuple[type, ...] = (int,) if types[key] == "numberField" else (str,)
            assert isinstance(row[key], wanted) or row[key] == ""
        assert ROLLABLE.fullmatch(row.get(f"{table}_dice", "1d6"))
    for column in columns:
        assert {"align", "colName"} <= column.keys()
        names = re.findall(r"sameRow\('(\w+)'", column.get("rollMessage", ""))
        assert set(names) <= read


def test_every_character_has_the_structure(character):
    template, actor = actors(character)
    check(template, actor)
    assert actor["name"] == without_tags(phrases.plain(character.name))
    assert foundry.write(character) == foundry.write(character)


def test_any_game(played):
    template, actor = actors(played)
    check(template, actor)
    shown, props = build(played), actor["data"]["props"]
    tables = {row["numbers_name"] for row in props["numbers"].values()}
    for prefix, numbers in (("score", shown.attributes), ("vital", shown.vitals)):
        for number in numbers:
            key = re.sub(r"\W", "_", f"{prefix}_{number.id}")
            assert (key in props) != (number.label in tables and key not in props)
    for vital in shown.vitals:
        key = re.sub(r"\W", "_", f"vital_{vital.id}")
        if key in props:
            assert (props[key], props.get(f"{key}_max")) == (vital.current, vital.max)
    cards = {row["cards_name"] for row in props["cards"].values()}
    assert {phrases.plain(card.name) for card in shown.cards} <= cards
    assert {phrases.plain(phrases.counted_name(item)) for item in shown.items} <= cards


def test_all_characters_of_a_game_share_its_template(played):
    """Importing the second character only replaces the template by an equal one."""
    ruleset = played.state.ruleset
    plan = CharacterSpec(ruleset, "other", "Bo", 1)
    other = plan.replay(leave_out_optional(RandomAnswers("other")))
    ours, actor = actors(played)
    theirs, other_actor = actors(other)
    assert ours == theirs
    assert actor["id"] != other_actor["id"]


def test_an_attack_rolls_its_bonus_and_its_damage(make):
    character = make(role="role/the-scout", asset="special-weapon/sniper-rifle")
    weapon = next(w for w in build(character).weapons if w.shared.roll_dice and not w.modes)
    attack = weapon.attacks[0]
    rolls = {row["rolls_name"]: row for row in rows(character, "rolls")}
    assert rolls[weapon.name]["rolls_dice"] == attack.roll_dice
    assert rolls[weapon.name]["rolls_bonus"] == attack.roll_bonus
    assert rolls[f"{weapon.name}: damage"]["rolls_dice"] == attack.damage_dice


def test_a_companion_is_in_the_tables(make):
    character = make(role="role/the-healer", asset="companion/land-beast")
    unit = build(character).units[0]
    numbers = {row["numbers_name"]: row["numbers_now"] for row in rows(character, "numbers")}
    for vital in unit.vitals:
        assert numbers[f"{unit.name}: {vital.label}"] == vital.current


def test_names_and_short_texts_contain_no_html(hostile):
    """Foundry prints them as HTML; only the long texts are HTML, of plain paragraphs."""
    actor = actors(hostile)[1]
    tables = ("rolls", "numbers", "facts", "cards", "story")
    rows = [row for table in tables for row in actor["data"]["props"][table].values()]
    cells = [cell for row in rows for key, cell in row.items()
             if key not in ("cards_text", "story_text")]  # fmt: skip
    assert not [text for text in (actor["name"], *cells) if "<" in str(text) or ">" in str(text)]
    assert any("‹" in str(text) for text in (actor["name"], *cells))


def test_the_texts_of_a_player_do_nothing(hostile):
    """No tag, no inline roll and no link of Foundry."""
    props = actors(hostile)[1]["data"]["props"]
    for key in ("cards", "story"):
        for row in props[key].values():
            assert set(re.findall(r"<[^>]*>", row[f"{key}_text"])) <= {"<p>", "</p>"}
            assert "[[" not in row[f"{key}_text"]
