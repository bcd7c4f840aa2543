"""What virtual tabletops get of a character: everything of the sheet, each figure once."""

from __future__ import annotations

import re
from collections import Counter

from charforge.export.tabletop import ROLLABLE, actors
from charforge.sheet import phrases
from charforge.sheet.build import build


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
