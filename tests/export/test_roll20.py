"""Roll20: files with the structure that the VTT Enhancement Suite reads, in version 3.

The extension refuses a character without a name, an attribute without name, current, max and id,
and an ability without name, description, istokenaction, action and order. Roll20's macro guide
defines the macros: ``[[…]]`` rolls, ``@{name}`` reads an attribute of the same character.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from html import unescape
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.export import roll20
from charforge.export.tabletop import ROLLABLE, UniqueNames, actors, without_tags
from charforge.replay.replay import Character
from charforge.sheet import phrases
from charforge.sheet.build import build

KEYS = {
    "oldId", "name", "avatar", "bio", "gmnotes", "defaulttoken", "tags", "controlledby",
    "inplayerjournals", "attribs", "abilities",
}  # fmt: skip
ROLL = re.compile(r"\[\[(.*?)\]\]")
DICE = re.compile(r"\d*d?\d+( ?[+-] ?(\d*d?\d+|@\{\w+\}))*")


def read(character: Character) -> dict[str, Any]:
    """Return the character of an export, whose structure is checked."""
    data = json.loads(roll20.write(character))
    assert (data["schema_version"], data["type"]) == (3, "character")
    found: dict[str, Any] = data["character"]
    assert found.keys() == KEYS
    for attribute in found["attribs"]:
        assert attribute.keys() == {"name", "current", "max", "id"}
        assert all(isinstance(value, str) for value in attribute.values())
        assert re.fullmatch(r"[\w-]{20}", attribute["id"])
    for place, ability in enumerate(found["abilities"]):
        assert ability.keys() == {"name", "description", "istokenaction", "action", "order"}
        assert ability["order"] == place
    return found


def check(found: dict[str, Any]) -> None:
    """Assert that names are unique, references resolve, and rolls are rolls."""
    names = [attribute["name"] for attribute in found["attribs"]]
    macros = [ability["name"] for ability in found["abilities"]]
    for listed in (names, macros, [attribute["id"] for attribute in found["attribs"]]):
        assert len({name.casefold() for name in listed} if listed is not names else set(listed)) \
            == len(listed)  # fmt: skip
    for ability in found["abilities"]:
        action = ability["action"]
        assert "\n" not in action
        assert action.startswith("&{template:default} {{name=")
        assert set(re.findall(r"@\{(.*?)\}", action)) <= set(names)
        rolls = ROLL.findall(action)
        assert len(rolls) == ability["istokenaction"]
        assert all(map(DICE.fullmatch, rolls))


def test_every_character_has_the_structure(character):
    found = read(character)
    check(found)
    assert found["name"] == without_tags(phrases.plain(character.name))
    assert roll20.write(character) == roll20.write(character)


def test_any_game(played):
    found = read(played)
    check(found)
    shown = build(played)
    attributes = {one["name"]: (one["current"], one["max"]) for one in found["attribs"]}
    for vital in shown.vitals:
        most = "" if vital.max is None else str(vital.max)
        assert (str(vital.current), most) in attributes.values()
    for score in shown.attributes:
        assert any(name.startswith(score.label[:3]) for name in attributes)
    actions = "\n".join(ability["action"] for ability in found["abilities"])
    for holding in (*shown.cards, *shown.items):
        assert f"name={roll20.chat_text(phrases.plain(holding.name))}" in actions \
            or phrases.plain(holding.name) in unescape(actions)  # fmt: skip


def test_an_attack_rolls_its_bonus_and_its_damage(make):
    character = make(role="role/the-scout", asset="special-weapon/sniper-rifle")
    found = read(character)
    bonuses = {one["name"]: one["current"] for one in found["attribs"]}
    macros = {one["name"]: one["action"] for one in found["abilities"]}
    weapon = next(w for w in build(character).weapons if w.shared.roll_dice and not w.modes)
    name = re.sub(r"\W+", "_", weapon.name)
    attack = weapon.attacks[0]
    assert f"[[{attack.roll_dice} + @{{{name}_bonus}}]]" in macros[name]
    assert bonuses[f"{name}_bonus"] == str(attack.roll_bonus)
    assert f"[[{attack.damage_dice}]]" in macros[f"{name}_damage"]


def test_the_texts_of_a_player_do_nothing(hostile):
    """Names stay names: nothing rolls, reads an attribute or runs a macro."""
    found = read(hostile)
    assert not {"<", ">"} & {*found["name"]}
    assert "<b>" not in found["bio"].replace("<h4>", "")
    for ability in found["abilities"]:
        bare = re.sub(r"&#\d+;", "", ability["action"])
        assert "{{x" not in bare
        assert "%%" not in bare


@given(st.text(alphabet="a@%#?{}[]|=<>&*_~`$ ", max_size=30))
def test_no_sign_of_a_text_has_a_meaning(text):
    escaped = roll20.chat_text(text)
    assert unescape(escaped) == phrases.plain(text)
    assert not re.search(r"[@%?{}\[\]|=<>]", escaped)


@pytest.mark.parametrize(("labels", "names"), [
    (["Rifle", "rifle", "Rifle 2", "Rifle"], ["Rifle", "rifle_2", "Rifle_2_2", "Rifle_3"]),
    (["", "+/-"], ["value", "value_2"]),
])  # fmt: skip
def test_names_are_given_out_once(labels, names):
    given_out = UniqueNames()
    found = list(map(given_out.new, labels))
    assert len({name.casefold() for name in found}) == len(found)
    assert found == names


# ------------------------------------------------------------------ every virtual tabletop


def test_every_figure_is_there_once(played):
    shown = build(played)
    figure = actors(shown, ())[0]
    listed = Counter(number.label for number in (*figure.scores, *figure.vitals))
    assert set(listed.values()) <= {1}
    values = Counter((number.label, str(number.now)) for number in figure.numbers)
    values += Counter((t.label, t.line) for t in figure.texts if t.kind == "fact")
    rolls = Counter((roll.label, roll.dice) for roll in figure.rolls)
    assert {entry: number for entry, number in (values + rolls).items() if number > 1} == {}
    labels = {label for label, _value in (*values, *rolls)}
    for fact in (*shown.combat, *shown.figures_beside_combat):
        assert phrases.plain(fact.label) in labels
    for store in shown.stores:
        assert any(label.startswith(phrases.plain(store.label)) for label in labels)


def test_companions_are_named_before_their_figures(make):
    character = make(role="role/the-healer", asset="companion/land-beast")
    shown = build(character)
    one, other = actors(shown, ())
    assert one.name == ""
    assert other.named("HP") == f"{phrases.plain(shown.units[0].name)}: HP"
    assert [number.now for number in other.vitals] == [v.current for v in shown.units[0].vitals]


def test_resources_that_play_lowered_keep_their_maximum(played):
    shown = build(played)
    for number, vital in zip(actors(shown, ())[0].vitals, shown.vitals, strict=True):
        assert (number.now, number.most) == (vital.current, vital.max)


def test_dice_are_those_of_a_tabletop():
    for dice in ("2d6", "1d6+10", "d20", "3d6 - 1", "10"):
        assert ROLLABLE.fullmatch(dice)
    for dice in ("", "2d6!", "STR", "1d6+", "3 Proficiency"):
        assert not ROLLABLE.fullmatch(dice)


def test_texts_become_paragraphs(hostile):
    for text in actors(build(hostile), ())[0].texts:
        assert set(re.findall(r"<[^>]*>", text.html)) <= {"<p>", "</p>"}
        assert "\n" not in text.line
