"""Lists, trackers, dice and charts on the sheets of rulesets that have them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from charforge.character import state_changes
from charforge.character.state import CHARACTER
from charforge.cli.terminal.sheet import draw_unit
from charforge.expressions.template import plain_text
from charforge.replay.replay import Character
from charforge.rules.checks.symbols import SymbolTable
from charforge.rules.checks.values import CHECKS
from charforge.rules.loading.loader import load, load_folder
from charforge.rules.models import ListSpec, TrackerSpec
from charforge.rules.ruleset import Ruleset
from charforge.sheet import drawings
from charforge.sheet.build import blank_view, build
from charforge.sheet.html import render_html
from charforge.sheet.print_options import Layout, PrintOptions
from charforge.sheet.trackers import page_trackers
from charforge.sheet.view import (
    SheetDie,
    SheetPoolDie,
    SheetSymbol,
    SheetView,
    Tracker,
    equal_weapons,
    shared_modes,
)
from tests.sheet.conftest import made

RULESETS = ("narrative-dice", "squad-d20", "phase-2d10", "shields-biotics")
# Something that a sheet shows of each: resources changed by so much.
WATCH = Path(__file__).parents[1] / "testdata" / "watch"
HURT = {
    "narrative-dice": {"condition": 2, "stamina": -1},
    "squad-d20": {"morale": -2, "wounds_core": 2, "bleed": 1},
    "phase-2d10": {"chest": 1, "eye_left": 2},
    "shields-biotics": {"markers": 3, "wounds": 1},
}


@cache
def hurt(name: str) -> Character:
    """Make a character by chance that is not quite well."""
    found = made(load(name), "display", name="Ash Merrow")
    state = found.state
    for value, by in HURT[name].items():
        state, real = state_changes.change_resource(state, CHARACTER, value, by)
        assert real == by
    return replace(found, state=state)


@cache
def view_of(name: str) -> SheetView:
    return build(hurt(name))


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


def test_a_single_ability_is_as_wide_as_the_page() -> None:
    view = view_of("squad-d20")
    several, one = (
        render_html(view._replace(cards=view.cards[:number], units=())).partition("<main>")[2]
        for number in (2, 1)
    )
    assert '<div class="filled cards">' in several
    assert '<div class="filled cards">' not in one
    assert ('"begin alone"' in several, '"begin alone"' in one) == (False, True)


def test_a_step_with_a_long_text_is_wider_than_the_others() -> None:
    page = render_html(view_of("narrative-dice"))
    steps = re.findall(r'<li class="(step[^"]*)">(.*?)</li>', page, re.DOTALL)
    assert [name for name, step in steps if name.endswith(" long")] == ["step long"]
    assert [step for name, step in steps if name.endswith(" long") and "Helpless" not in step] == []


def test_a_list_is_filled_up_to_its_lines() -> None:
    feats = next(one for one in view_of("narrative-dice").lists if one.label == "Feats")
    assert len(feats.rows) + feats.lines == 4


def test_what_is_listed_stands_nowhere_else() -> None:
    view = view_of("squad-d20")
    named = {row.name for one in view.lists for row in one.rows}
    assert {"Flat-footed", "Sprint", "Leadership"} <= named
    assert {fact.label for fact in view.figures if not fact.listed}.isdisjoint(named)
    assert {fact.label for fact in view.figures} >= {"Flat-footed", "Sprint"}, "for other formats"
    narrative = view_of("narrative-dice")
    assert not any(item.name.startswith("Vigilance") for item in narrative.unlisted_items)
    assert any(item.name.startswith("Vigilance") for item in narrative.items)


def test_a_list_does_not_repeat_the_combat_strip() -> None:
    view = view_of("squad-d20")
    strip = {fact.label: fact.text for fact in view.combat}
    rows = [row for one in view.lists_beside_combat for row in one.rows]
    assert rows
    assert not any(strip.get(row.name) == row.cells[0].text for row in rows)
    every = [row for one in view.lists for row in one.rows]
    assert {row.name for row in every} - {row.name for row in rows} >= {"Flat-footed", "Threshold"}


@pytest.mark.parametrize(
    ("items", "heading"), [(("arm",), "Arms"), (("arm", "deed"), "Equipment"), ((), "")]
)
def test_a_list_of_several_kinds_is_not_called_by_one_of_them(
    items: tuple[str, ...], heading: str
) -> None:
    rules = load_folder(WATCH)
    sheet = rules.head.sheet.model_copy(update={"items": items, "cards": ()})
    head = rules.head.model_copy(update={"sheet": sheet})
    assert blank_view(replace(rules, head=head)).items_label == heading


@pytest.mark.parametrize("spec", [{}, {"of": "skills", "values": ["speed"]}, {"values": ["speed"]}])
def test_a_list_is_of_one_thing_and_has_a_heading(spec: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="list"):
        ListSpec.model_validate(spec)


def test_trackers_name_something() -> None:
    with pytest.raises(ValueError, match="value"):
        TrackerSpec.model_validate({"value": []})


@pytest.mark.parametrize(("extra", "message"), [
    ({"body": {"head": {"text": "5", "x": 50, "y": 5}}}, "'body' needs 'boxes'"),
    ({"body_note": "The roll."}, "'body_note' needs 'body'"),
    ({"boxes": 3, "body": {"head": {"text": "5", "x": 101, "y": 5}}}, "less than or equal to 100"),
])  # fmt: skip
def test_a_body_is_drawn_for_boxes(extra: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrackerSpec.model_validate({"value": ["head"], **extra})


# ------------------------------------------------------------------ trackers


def test_wounds_are_marked_on_a_body_and_beside_it() -> None:
    """Both have the same mark; a screen reader only reads that of the list."""
    view = view_of("phase-2d10")
    (group,) = (one for one in view.tracker_groups if one.marks)
    page = render_html(view)
    assert group.hint and group.hint in page
    drawing = page[page.index('class="drawn-body" aria-hidden="true"') :]
    drawn = re.findall(r'<b style="left:(\d+)%;top:(\d+)%"><span>([^<]+)</span>', drawing)
    assert [(int(x), int(y), text) for x, y, text in drawn] == [
        (mark.x, mark.y, mark.text) for mark in group.marks
    ]
    listed = re.findall(r'class="body-mark">([^<]+)</span> ([^<]+)<', page)
    assert listed == [(one.mark.text, one.label) for one in group.boxes if one.mark]
    short = render_html(view, PrintOptions("short"))
    assert 'class="body-mark"' in short and group.hint in short, "explained there, too"
    assert 'class="drawn-body"' not in render_html(view_of("squad-d20"))


def test_trackers_without_lists_and_dice_are_beside_each_other() -> None:
    trackers = [
        Tracker(f"{heading}{row}", heading, f"{heading} {row}", "", 1, high=3)
        for heading in ("Luck", "Doom", "Debt")
        for row in range(2)
    ]
    view = view_of("squad-d20")._replace(trackers=tuple(trackers), lists=(), pools=(), dice=())
    page = render_html(view)
    assert all(page.count(f'aria-label="{tracker.label}: ') == 1 for tracker in trackers)


def test_what_is_marked_on_a_body_is_tracked(toy: Ruleset) -> None:
    body = {"oil": {"text": "1", "x": 50, "y": 50}}
    spec = TrackerSpec.model_validate({"value": "warmth", "boxes": 3, "body": body})
    (problem,) = CHECKS[TrackerSpec](SymbolTable(toy), spec)
    assert problem.key_path == ("body", "oil")
    assert "oil is not among the values" in problem.message


def test_boxes_are_filled_up_to_where_one_stands() -> None:
    core = next(one for one in view_of("squad-d20").trackers if one.id == "wounds_core")
    assert (core.heading, core.label, core.current, core.high) == ("Crippling wounds", "Core", 2, 5)
    drawn = drawings.tracker_boxes(core, PrintOptions())
    assert drawn.pips == 5
    assert drawings.filled_path(core, drawn).count("M") == 2
    page = render_html(view_of("squad-d20"))
    assert 'aria-label="Core: 5 boxes, 2 filled"' in page
    assert 'aria-label="Mobility: 5 boxes, 0 filled"' in page


def test_a_signed_track_is_a_scale_with_a_mark_where_one_stands() -> None:
    """Morale −5 to +5: each step says what changes, and a text is printed once."""
    morale = next(one for one in view_of("squad-d20").trackers if one.id == "morale")
    stops = morale.stops
    assert [stop.number for stop in stops] == [*range(-5, 6)]
    assert len({stop.label for stop in stops}) == len(stops)
    assert [stop.number for stop in stops if stop.text] == [-5, 1]
    assert [stop.number for stop in stops if stop.here] == [-2]
    page = render_html(view_of("squad-d20"))
    assert page.count('class="step here"') == 1


def test_a_step_says_what_it_does() -> None:
    track = next(one for one in view_of("narrative-dice").trackers if one.id == "condition")
    assert plain_text(track.stops[2].text) == "Add 2 Setbacks to all checks."
    assert track.stops[2].here


def test_a_step_without_words_says_what_it_changes(diver: Callable[..., Any]) -> None:
    (chill,) = build(diver(nerve=5).character).trackers
    assert [plain_text(stop.text) for stop in chill.stops][2] == "Your hands are slow."
    assert chill.heading == "How cold you are", "a track that nothing names is shown all the same"


def test_a_blank_sheet_marks_nothing() -> None:
    view = blank_view(load("squad-d20"))
    assert not any(stop.here for one in view.trackers for stop in one.stops)
    page = render_html(view, PrintOptions(blank=True))
    assert " filled" not in page.partition("<main>")[2]
    assert 'aria-label="Core: 5 boxes"' in page
    assert "step here" not in page


@pytest.mark.parametrize("layout", ["full", "short"])
def test_a_blank_sheet_has_a_field_for_every_choice_of_a_story_and_for_training(
    layout: Layout,
) -> None:
    view = blank_view(load("capital"))
    page = render_html(view, PrintOptions(layout, blank=True, fillable=True))
    labels = [part.label for part in view.story if layout == "full" or part.form != "text"]
    assert len(labels) >= 5
    for label in (*labels, view.training_label):
        assert f'title="{label}"></textarea>' in page


def test_the_page_to_play_from_names_the_steps() -> None:
    found = hurt("narrative-dice")
    page = render_html(build(found), play=page_trackers(found, "id", []))
    assert re.search(r'<b class="current-step" id="play-[\d-]+-step">Fatigued</b>', page)
    assert "&#34;Winded&#34;, &#34;Fatigued&#34;" in page


# ------------------------------------------------------------------ dice


def test_a_pool_is_drawn_die_by_die_and_said_in_words() -> None:
    pool = (
        SheetPoolDie("a", "Ability", "octagon", "light", 1),
        SheetPoolDie("p", "Prof", "pentagon", "dark", 2),
    )
    drawn = drawings.dice_row(pool)
    assert [one.tone for one in drawn] == ["light", "dark", "dark"]
    assert len({one.x for one in drawn}) == 3
    assert drawings.pool_dice_text(pool) == "1 Ability, 2 Prof"
    assert drawings.pool_dice_text(()) == "no dice"


def test_every_shape_is_another_drawing() -> None:
    shapes = ("circle", "square", "triangle", "diamond", "pentagon", "hexagon", "octagon")
    assert len({drawings.outline(shape) for shape in shapes}) == len(shapes)


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
        view._replace(dice=tuple(found)),
        PrintOptions("reference", styles=frozenset(styles.split())),
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
    page = render_html(view._replace(dice=(odd,)), PrintOptions(layout="reference"))
    assert '<b class="symbol">Wh</b>' in page


# ------------------------------------------------------------------ charts


def test_a_chart_says_where_it_is_from_unless_that_is_its_name() -> None:
    found = {one.label: one.source for one in view_of("squad-d20").charts}
    assert found["Tactics"] == "Tactics Combat Augmentations"
    assert found["Morale"] == ""


def test_a_sheet_without_charts_or_lists_has_no_room_for_them(
    make: Callable[..., Character],
) -> None:
    view = build(make())
    assert not view.charts
    page = render_html(view)
    for part in ("chart-box", "listed", "steps", "legend", "part tables"):
        assert f'class="{part}' not in page


def test_a_tracker_of_nothing_known_has_only_room_to_write() -> None:
    bleed = next(one for one in view_of("squad-d20").trackers if one.id == "bleed")
    assert bleed == Tracker("bleed", "Counters", "Bleed", "", 1, tracker_key="character:bleed")
    page = render_html(view_of("squad-d20"))
    assert "Bleed <b>1</b>" in page


def test_modes_that_several_weapons_have_are_printed_once() -> None:
    weapons = view_of("squad-d20").weapons
    several = (*weapons, *(w._replace(name=f"{w.name} 2") for w in weapons))
    common = shared_modes(several)
    assert "Burst Fire" in [mode.name for mode in common]
    page = render_html(view_of("squad-d20")._replace(weapons=several, units=()))
    for mode in common:
        assert page.count(f'class="entry"><b>{mode.name}</b>') == 1
    for weapon in several:
        first = weapon.first_row
        for whole, short in zip(weapon.further_rows, weapon.condensed_modes, strict=True):
            assert first.with_own(short)._replace(extras=()) == (
                first.with_own(whole)._replace(extras=())
            )


def test_equal_weapons_are_named_below_the_first() -> None:
    """Each has its own boxes. A page to play from has buttons for each, so all is printed there."""
    view = view_of("squad-d20")
    [first, *_others] = view.weapons
    held = first.capacities[0]
    emptied = held._replace(used=(held.max,))
    second = first._replace(name="Spare", capacities=(emptied, *first.capacities[1:]))
    worse = first._replace(name="Worse", shared=first.shared._replace(damage="1"))
    groups = equal_weapons((first, worse, second))
    assert [[one.number for one in group] for group in groups] == [[1, 3], [2]]
    view = view._replace(weapons=(first, worse, second), units=())
    page = render_html(view)
    [row] = re.findall(r'<tr class="alike">(.*?)</tr>', page, re.S)
    assert f"as {first.name}</small>" in row
    assert re.findall(r'<t[hd][^>]*class="(\w+)"', row) == [
        "weapon", "range", "roll", "damage", "ammo"]  # fmt: skip
    assert page.count(f"{held.label}") >= 3
    assert page.index("Spare</bdi>") < page.index("Worse</bdi>")


def test_a_weapon_with_all_common_modes_says_so_without_their_names() -> None:
    [weapon] = view_of("squad-d20").weapons[:1]
    common = weapon.condensed_modes
    assert len(common) > 2
    assert weapon.condensed(common).notes[-1] == "also all modes below"
    assert weapon.condensed(common[:1]).notes[-1] == f"also {common[0].name}"
    names = " · ".join(mode.name for mode in common)
    assert weapon.condensed((), above=common).notes[-1] == f"also {names}"


def test_a_companion_does_not_repeat_modes_of_the_character() -> None:
    view = view_of("squad-d20")
    several = (*view.weapons, *(w._replace(name=f"{w.name} 2") for w in view.weapons))
    common = shared_modes(several)
    unit = view.units[0]._replace(weapons=view.weapons)
    page = render_html(view._replace(weapons=several, units=(unit,)))
    for mode in common:
        assert page.count(f'class="entry"><b>{mode.name}</b>') == 1


def test_rows_with_equal_cells_are_a_range_of_numbers() -> None:
    [chart] = [one for one in view_of("phase-2d10").charts if one.id == "hit-location"]
    headings = [row.heading for row in chart.rows]
    assert {"8–10", "12–13", "14–16"} <= set(headings)
    assert len({row.cells for row in chart.rows}) == len(chart.rows) == 11


@pytest.mark.parametrize("game", ["narrative-dice", "phase-2d10", "shields-biotics"])
def test_few_vitals_and_attributes_are_in_one_row(game: str) -> None:
    page = render_html(view_of(game))
    [row] = re.findall(
        r'<div class="vitals with-scores(?: tight)?">(.*?)\n<div class="strip">', page, re.S
    )
    assert row.count('class="vital ') == len(view_of(game).vitals)
    assert row.count('class="score') == len(view_of(game).attributes)
    assert 'class="scores"' not in page


def test_no_label_is_printed_twice() -> None:
    assert '<p class="full">Brawn</p>' not in render_html(view_of("narrative-dice"))
    page = render_html(view_of("shields-biotics"))
    assert len(re.findall(r"<(?:span|p class=.abbr.)>Pace</", page)) == 1


def test_the_size_of_a_companion_is_shown_once() -> None:
    character = made(load("capital"), "m", role="role/the-captain", asset="companion/drone")
    shown = StringIO()
    draw_unit(character, character.state.units[1], Console(file=shown, width=80))
    assert shown.getvalue().count("Size Small") == 1


def test_the_legend_of_dice_is_beside_the_checks() -> None:
    view = view_of("narrative-dice")
    page = render_html(view)
    assert page.count('class="legend"') == 1
    assert page.index('class="legend"') < page.index('class="part abilities"')
    alone = render_html(view, PrintOptions(layout="reference"))
    assert alone.count('class="legend"') == 1


def test_the_legend_prints_equal_faces_once_with_their_number() -> None:
    for die in view_of("narrative-dice").dice:
        faces = [symbols for symbols, times in drawings.face_counts(die) for _ in range(times)]
        assert Counter(faces) == Counter(die.faces)
        assert len(drawings.face_counts(die)) == len({*die.faces})
    setback = render_html(view_of("narrative-dice")).partition(">Setback<")[2].partition("</tr>")[0]
    assert setback.count('class="face"') == 3
    assert setback.count("×2") == 3


def test_odds_of_the_book_are_whole_percentages() -> None:
    track = load("narrative-dice").charts["condition-track"]
    cells = [cell for row in track.rows for cell in row.cells if "%" in cell]
    assert len(cells) == 20
    assert all(re.fullmatch(r"\d+%", cell) for cell in cells)


def test_boxes_of_a_row_that_are_filled_mean_the_same() -> None:
    """Where one vital has changed, the present values of all others are printed, too."""
    game = "narrative-dice"
    fresh, hit = build(made(load(game), "display")), view_of(game)
    assert not any(vital.known for vital in fresh.vitals)
    assert any(vital.changed for vital in hit.vitals)
    assert not all(vital.changed for vital in hit.vitals)
    assert all(vital.known for vital in hit.vitals)
    assert render_html(hit, PrintOptions()).count('class="present"') == len(hit.vitals)
