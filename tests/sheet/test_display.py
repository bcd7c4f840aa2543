"""Lists, trackers, dice and charts on the sheets of the rulesets that have them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest
from allpairspy import AllPairs

from charforge.character import play_state
from charforge.character.state import CHARACTER
from charforge.replay.replay import Character
from charforge.rules.loader import load
from charforge.rules.models import ListSpec, TrackerSpec
from charforge.sheet import dice, listing, panels, scales, tables
from charforge.sheet.build import blank_view, build
from charforge.sheet.deck import deal
from charforge.sheet.html import render_html
from charforge.sheet.pdf import render_pdf
from charforge.sheet.playable import playable
from charforge.sheet.print_options import Look
from charforge.sheet.view import (
    ListRow,
    SheetChart,
    SheetChartRow,
    SheetDie,
    SheetPoolDie,
    SheetSymbol,
    SheetView,
    Tracker,
)
from tests.sheet.conftest import made
from tests.sheet.print_check import check
from tests.sheet.printed import record

RULESETS = ("narrative-dice", "squad-d20", "phase-2d10", "shields-biotics")
# Something that a sheet shows of each: resources changed by so much.
HURT = {
    "narrative-dice": {"condition": 2, "stamina": -1},
    "squad-d20": {"morale": -2, "wounds_core": 2, "bleed": 1},
    "phase-2d10": {"chest": 1, "eye_left": 2},
    "shields-biotics": {"markers": 3, "wounds": 1},
}
WAYS: tuple[tuple[Any, ...], ...] = (
    RULESETS,
    ("full", "short", "cards", "reference"),
    ("a4", "letter"),
    ("portrait", "landscape"),
    ("", "large-print", "ink-saver grey"),
)


@cache
def hurt(name: str) -> Character:
    """Make a character by chance that is not quite well."""
    found = made(load(name), "display", name="Ash Merrow")
    state = found.state
    for value, by in HURT[name].items():
        state, real = play_state.change_resource(state, CHARACTER, value, by)
        assert real == by
    return replace(found, state=state)


@cache
def view_of(name: str) -> SheetView:
    return build(hurt(name))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "way" in metafunc.fixturenames:
        every = metafunc.config.getoption("--long")
        rows = [*product(*WAYS)] if every else [*AllPairs([list(way) for way in WAYS])]
        metafunc.parametrize("way", [tuple(row) for row in rows], ids=" ".join)


@pytest.mark.slow
def test_a_page_has_no_fault(way: tuple[Any, ...]) -> None:
    name, layout, paper, orientation, styles = way
    view = view_of(name)
    look = Look(layout, paper, orientation, frozenset(styles.split()))  # type: ignore[arg-type]
    made_of = record(lambda: render_pdf(render_html(view, look)))
    assert check(made_of, view, look) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_a_blank_sheet_prints_without_a_warning(name: str) -> None:
    look = Look(blank=True)
    printed = record(lambda: render_pdf(render_html(blank_view(load(name)), look)))
    assert not printed.warnings
    assert not printed.missing_glyphs
    assert 2 <= len(printed.pages) <= 6


# ------------------------------------------------------------------ lists


def test_a_kind_is_listed_with_its_figures_in_columns() -> None:
    """Vigilance: Wisdom and its rank make a pool of max(Wisdom, rank) dice."""
    view = view_of("narrative-dice")
    skills = next(one for one in view.lists if one.label == "Skills")
    assert skills.columns == ("Rank", "Pool")
    row = next(row for row in skills.rows if row.name.startswith("Vigilance"))
    wisdom = next(score.total for score in view.attributes if score.id == "wisdom")
    rank = int(row.cells[0].text)
    assert sum(die.number for die in row.cells[1].dice) == max(wisdom, rank)
    assert row.note.startswith("Rolled for initiative")


def test_a_list_is_filled_up_to_its_lines() -> None:
    feats = next(one for one in view_of("narrative-dice").lists if one.label == "Feats")
    assert len(feats.rows) + feats.lines == 6


def test_what_is_listed_stands_nowhere_else() -> None:
    view = view_of("squad-d20")
    named = {row.name for one in view.lists for row in one.rows}
    assert {"Flat-footed", "Sprint", "Leadership"} <= named
    assert {fact.label for fact in view.unlisted_figures}.isdisjoint(named)
    assert {fact.label for fact in view.figures} >= {"Flat-footed", "Sprint"}, "for other formats"
    narrative = view_of("narrative-dice")
    assert not any(item.name.startswith("Vigilance") for item in narrative.unlisted_items)
    assert any(item.name.startswith("Vigilance") for item in narrative.items)


def test_single_figures_stand_in_two_columns_to_be_read_down() -> None:
    skills = next(one for one in view_of("squad-d20").lists if one.label == "Skills")
    assert listing.in_pairs(skills, Look())
    assert not listing.in_pairs(skills, Look(styles=frozenset({"large-print"})))
    names = [[row.name for row in pair if row] for pair in listing.pairs(skills)]
    assert names[0] == [skills.rows[0].name, skills.rows[4].name]
    odd = skills._replace(rows=(*skills.rows, ListRow("Odd", ())))
    assert [*listing.pairs(odd)][-1][1] is None


@pytest.mark.parametrize("spec", [{}, {"of": "skills", "values": ["speed"]}, {"values": ["speed"]}])
def test_a_list_is_of_one_thing_and_has_a_heading(spec: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="list"):
        ListSpec.model_validate(spec)


def test_trackers_name_something() -> None:
    with pytest.raises(ValueError, match="value"):
        TrackerSpec.model_validate({"value": []})


# ------------------------------------------------------------------ trackers


def test_boxes_are_filled_up_to_where_one_stands() -> None:
    core = next(one for one in view_of("squad-d20").trackers if one.id == "wounds_core")
    assert (core.heading, core.label, core.current, core.high) == ("Crippling wounds", "Core", 2, 5)
    drawn = panels.boxes(core, Look())
    assert drawn.pips == 5
    assert panels.filled(core, drawn).count("M") == 2
    page = render_html(view_of("squad-d20"))
    assert 'aria-label="Core: 5 boxes, 2 filled"' in page
    assert 'aria-label="Mobility: 5 boxes, 0 filled"' in page


def test_a_signed_track_is_a_scale_with_a_mark_where_one_stands() -> None:
    """Morale −5 to +5; −3, −2 and −1 mean the same, and each says so."""
    morale = next(one for one in view_of("squad-d20").trackers if one.id == "morale")
    stops = scales.steps(morale)
    assert [stop.number for stop in stops] == [*range(-5, 6)]
    assert [stop.label for stop in stops][2:5] == ["Can be taunted"] * 3
    assert [stop.number for stop in stops if stop.here] == [-2]
    page = render_html(view_of("squad-d20"))
    assert page.count('aria-current="step"') == 1


def test_a_step_says_what_it_does_and_needs_room_for_it() -> None:
    track = next(one for one in view_of("narrative-dice").trackers if one.id == "condition")
    stops = scales.steps(track)
    assert stops[2].text == "Add 2 Setbacks to all checks."
    assert stops[2].here
    assert scales.in_a_row(track, Look())
    assert not scales.in_a_row(track, Look(styles=frozenset({"large-print"})))


def test_a_step_without_words_says_what_it_changes(diver: Callable[..., Any]) -> None:
    (chill,) = build(diver(nerve=5).character).trackers
    assert [str(stop.text) for stop in scales.steps(chill)][2] == "Your hands are slow."
    assert chill.heading == "How cold you are", "a track that nothing names is shown all the same"


def test_a_blank_sheet_marks_nothing() -> None:
    view = blank_view(load("squad-d20"))
    assert not any(stop.here for one in view.trackers for stop in scales.steps(one))
    page = render_html(view, Look(blank=True))
    assert "filled" not in page
    assert 'aria-label="Core: 5 boxes"' in page
    assert 'aria-current="step"' not in page


def test_the_page_to_play_from_names_the_steps() -> None:
    found = hurt("narrative-dice")
    page = render_html(build(found), play=playable(found, "id", []))
    assert re.search(r'<b class="step-of" id="play-[\d-]+-step">Fatigued</b>', page)
    assert "&#34;Winded&#34;, &#34;Fatigued&#34;" in page


# ------------------------------------------------------------------ dice


def test_a_pool_is_drawn_die_by_die_and_said_in_words() -> None:
    pool = (
        SheetPoolDie("a", "Ability", "octagon", "light", 1),
        SheetPoolDie("p", "Prof", "pentagon", "dark", 2),
    )
    drawn = dice.dice_row(pool)
    assert [one.tone for one in drawn] == ["light", "dark", "dark"]
    assert len({one.x for one in drawn}) == 3
    assert dice.dice_text(pool) == "1 Ability, 2 Prof"
    assert dice.dice_text(()) == "no dice"


def test_every_shape_is_another_drawing() -> None:
    shapes = ("circle", "square", "triangle", "diamond", "pentagon", "hexagon", "octagon")
    assert len({dice.outline(shape) for shape in shapes}) == len(shapes)


@pytest.mark.parametrize("styles", ["", "grey", "ink-saver", "ink-saver grey"])
def test_each_tone_is_another_drawing_without_any_colour(styles: str) -> None:
    """Ink-saver fills no whole die."""
    view = view_of("narrative-dice")
    tones = ("light", "mid", "dark")
    found = [
        SheetDie(tone, tone.title(), "square", tone, ((SheetSymbol("s", "Star", "star"),),))
        for tone in tones
    ]
    page = render_html(
        view._replace(dice=tuple(found)), Look("reference", styles=frozenset(styles.split()))
    )
    drawings = {
        tone: re.search(rf'aria-label="{tone.title()}".*?</svg>', page, re.DOTALL)[0]  # type: ignore[index]
        for tone in tones
    }
    assert drawings["light"].count("<path") == 1
    assert drawings["mid"].count("<path") == 2
    assert drawings["dark"].count("<path") == (2 if "ink-saver" in styles else 1)
    assert ('fill="#fff"' in drawings["dark"]) == ("ink-saver" in styles)


def test_a_symbol_without_a_drawing_is_its_first_letters() -> None:
    view = view_of("narrative-dice")
    odd = SheetDie("odd", "Odd", "circle", "mid", ((), (SheetSymbol("whirl", "Whirl", "tornado"),)))
    page = render_html(view._replace(dice=(odd,)), Look(layout="reference"))
    assert '<b class="symbol">Wh</b>' in page


def test_the_short_sheet_names_the_dice_and_cards_show_the_pools() -> None:
    view = view_of("narrative-dice")
    page = render_html(view, Look(layout="short"))
    assert page.count('class="dice-names"') == 1
    assert "tables, see full" in page
    slips = [slip for dealt in deal(view, Look(layout="cards")) for slip in dealt]
    rolled = [slip.name for slip in slips if slip.label == "Dice"]
    assert rolled == ["Dice pools", "Skills", "Power sources"]


# ------------------------------------------------------------------ charts


def chart(*rows: tuple[str, ...], columns: tuple[str, ...] = ("What",)) -> SheetChart:
    return SheetChart(
        "c", "Chart", (), "Roll", columns, tuple(SheetChartRow(r[0], r[1:]) for r in rows)
    )


def test_numbers_stand_right_and_texts_get_the_room() -> None:
    found = chart(("1", "+2", "a long text that says what happens"), columns=("Bonus", "Effect"))
    view = view_of("phase-2d10")._replace(charts=(found,), dice=())
    [[table]] = [column for row in tables.tables(view, Look()).narrow for column in row if column]
    assert [column.number for column in table.columns] == [True, True, False]
    assert table.columns[2].share > 60
    assert sum(column.share for column in table.columns) == pytest.approx(100, abs=0.1)


def test_narrow_charts_stand_beside_each_other_and_wide_ones_alone() -> None:
    few = chart(("1", "Arm"), ("2", "Leg"))
    words = "so many words that they need the whole width"
    many = chart(("1", words, words, words), columns=("One", "Two", "Three"))
    view = view_of("phase-2d10")._replace(charts=(few, many, few), dice=())
    found = tables.tables(view, Look())
    assert [[len(column) for column in row] for row in found.narrow] == [[1, 1]]
    assert [table.chart for table in found.wide] == [many]
    large = tables.tables(view, Look(styles=frozenset({"large-print"})))
    assert large.narrow == []
    assert len(large.wide) == 3


def test_a_chart_says_where_it_is_from_unless_that_is_its_name() -> None:
    found = {one.label: one.source for one in view_of("squad-d20").charts}
    assert found["Tactics"] == "Tactics Combat Augmentations"
    assert found["Crippling wounds"] == ""


def test_a_sheet_without_charts_or_lists_has_no_room_for_them(
    make: Callable[..., Character],
) -> None:
    view = build(make())
    assert not view.charts
    assert panels.height(view, Look()) == 0
    page = render_html(view)
    for part in ("charts", "panels", "scale", "dice-names"):
        assert f'class="{part}' not in page
        assert f'class="page {part}' not in page


def test_a_tracker_of_nothing_known_has_only_room_to_write() -> None:
    bleed = next(one for one in view_of("squad-d20").trackers if one.id == "bleed")
    assert bleed == Tracker("bleed", "Counters", "Bleed", "", 1)
    page = render_html(view_of("squad-d20"))
    assert "Bleed <b>1</b>" in page
