"""The player's page: what it shows is what a session shows, in HTML that harms nobody."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from charforge.answers.automatic import RandomAnswers
from charforge.character.state import CHARACTER
from charforge.errors import CharforgeError, UsageError
from charforge.language import in_language
from charforge.packs import install
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.loading.loader import load
from charforge.serve import app
from charforge.serve.action_forms import action_odds
from charforge.serve.actions import ActionQuestion, action_form, run_page_action
from charforge.serve.forms import ActionForm
from charforge.serve.player import PlayerPage, player_page
from charforge.sheet.build import build
from charforge.sheet.html import environment
from charforge.sheet.values import value_lines
from charforge.usecases.create import create_character
from charforge.verbs.unit_status import ability_rows, unit_status
from tests.source import EXAMPLES

GAMES = ("capital", "narrative-dice", "phase-2d10", "shields-biotics", "squad-d20",
         "cinderwell", "long-stair", "night-post")  # fmt: skip
SEAT = "s" * 12
NASTY = """<img src=x onerror=alert(1)>'"&{{7*7}}</title></style>"""
VOID = ("area", "br", "hr", "img", "input", "link", "meta", "rect", "path")
AT = "2026-11-28 20:00+00:00"


@cache
def character(game: str, name: str = "Nix", seed: str = "page") -> LoadedCharacter:
    """Return a random character; of Capital one with a vehicle."""
    is_example = (EXAMPLES / game).exists()
    rules = install.load_checked(EXAMPLES / game).ruleset if is_example else load(game)
    given = {"asset": "vehicle/bike"} if game == "capital" else {}
    level = min(3, rules.head.advancement.maximum)
    spec = CharacterSpec(rules, seed, name, level, answers=given)
    return load_document(create_character(spec, RandomAnswers(seed)), Path("nix.json"), rules)


@pytest.fixture(params=GAMES)
def opened(request: pytest.FixtureRequest) -> LoadedCharacter:
    return character(request.param)


def render(template: str, **names: Any) -> str:
    return (
        environment()
        .get_template(f"serve/{template}.html")
        .render(seat=SEAT, file="nix.json", **names)
    )


def forms(opened: LoadedCharacter, page: PlayerPage) -> Iterator[ActionForm]:
    """Yield every form that a page can open."""
    gauges = (*page.gauges, *page.stores, *(held for one in page.items for held in one.capacities))
    taps = [line.tap for group in page.abilities for line in group.lines]
    taps += [*page.turns, *page.rests, *page.changes]
    taps += [one.tap for one in (*gauges, *page.scores) if one.tap is not None]
    taps += [tap for item in page.items for tap in item.taps]
    for tap in taps:
        form = action_form(opened, tap.action, tap.fields)
        yield from (action_form(opened, one.action, one.fields) for one in form.taps)
        yield form
    for name in ("note", "history", "rules"):
        form = action_form(opened, name, {"unit": page.unit})
        yield from (action_form(opened, one.action, one.fields) for one in form.taps)
        yield form


class Checked(HTMLParser):
    """A page that is read strictly: balanced tags, nothing inline, everything with a name."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.names: dict[int, str] = {}
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        assert len(given) == len(attributes), attributes
        self.elements.append((tag, given))
        if tag not in VOID:
            self.open.append(tag)
            self.names[len(self.elements) - 1] = given.get("aria-label", "")

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        last = max((n for n in self.names if self.elements[n][0] in ("button", "a")), default=None)
        if last is not None:
            self.names[last] += data.strip()

    def check(self) -> None:
        """State that the page needs no inline code, and that its controls have names."""
        tags = {tag for tag, _given in self.elements}
        assert not tags & {"script", "style", "iframe", "object", "base", "link", "meta", "img"}
        ids = [given["id"] for _tag, given in self.elements if "id" in given]
        assert len(ids) == len({*ids})
        labels = {given["for"] for tag, given in self.elements if tag == "label" and "for" in given}
        for tag, given in self.elements:
            assert "style" not in given
            assert not [name for name in given if name.startswith(("on", "hx-on"))]
            assert not [v for v in given.values() if v.strip().casefold().startswith("javascript")]
            if "hx-vals" in given:
                vals = json.loads(given["hx-vals"])
                assert all(isinstance(text, str) for text in vals.values())
            is_field = tag in ("input", "select", "textarea")
            if is_field and given.get("type") not in ("hidden", "checkbox"):
                assert given["id"] in labels
        for number, name in self.names.items():
            assert name or self.elements[number][0] not in ("button", "a"), self.elements[number]


def test_every_page_and_form_needs_no_inline_code_and_names_its_controls(opened):
    for unit in opened.character.state.units:
        page = player_page(opened, unit.id)
        Checked(render("character", page=page)).check()
        for form in forms(opened, page):
            Checked(render("form", form=form)).check()
            assert len(form.all_fields) + len(form.hidden) < app.MOST_FIELDS_READ


def test_a_result_shows_its_steps_and_the_page_as_it_is_now(opened):
    result = run_page_action(opened, "note", {"text": "Owes the ferryman 20."}, AT)
    page = player_page(result.after)
    live = Markup(render("character", page=page))
    html = render(
        "result", result=result, page=page, live=live, missing="", title="Note", undone=False
    )
    Checked(html).check()
    assert "noted: Owes the ferryman 20." in html
    assert 'hx-swap-oob="innerHTML:#live"' in html
    assert page.notes == ((AT, "Owes the ferryman 20."),)
    assert page.can_undo


def test_what_an_attack_is_rolled_with_can_be_replaced():
    opened = character("capital")
    rows = [row for row in ability_rows(opened.character.state, CHARACTER) if row.is_attack]
    fields = {"source": rows[0].ability.source, "key": rows[0].ability.key}
    form = action_form(opened, "use", fields)
    assert {"in.hit", "in.fixed", "in.others", "in.prepare"}.isdisjoint(
        field.name for field in form.all_fields
    )
    assert {"dice.arc", "dice.arc_damage", "dice.volley"}.isdisjoint(f.name for f in form.dice)
    focused = run_page_action(opened, "condition", {"condition": "effect/focus"}, AT).after
    more = {field.name: field for field in action_form(focused, "use", fields).more}
    values = focused.character.state.values()
    assert values.now("str") > values.now("agi"), "else the page would name the higher score"
    assert more["in.hit"].usual == "Strength (STR)"
    assert more["in.hit"].options == (("agi", "Agility (AGI)"),)
    with pytest.raises(ActionQuestion, match="hit is STR, not AGI"):
        run_page_action(opened, "use", {**fields, "in.vs": "4", "in.hit": "agi"}, AT)


def test_the_page_names_the_highest_score_as_what_is_rolled():
    found = (character("capital", seed=str(number)) for number in range(9))
    opened = next(
        one for one in found if (now := one.character.state.values().now)("agi") > now("str")
    )
    row = next(
        row
        for row in ability_rows(opened.character.state, CHARACTER)
        if row.ability.attack is not None and row.ability.attack.hit == "str"
    )
    fields = {"source": row.ability.source, "key": row.ability.key}
    focused = run_page_action(opened, "condition", {"condition": "effect/focus"}, AT).after
    more = {field.name: field for field in action_form(focused, "use", fields).more}
    assert more["in.hit"].usual == "Agility (AGI)"
    assert {option for option, _label in more["in.hit"].options} == {"agi", "str"}


def test_the_figures_are_those_of_a_session(opened):
    for unit in opened.character.state.units:
        page = player_page(opened, unit.id)
        figures = unit_status(opened.character.state, unit.id).figures
        assert [gauge.id for gauge in page.gauges] == [figure.id for figure in figures]
        assert [gauge.most for gauge in page.gauges] == [figure.most for figure in figures]
        rows = ability_rows(opened.character.state, unit.id)
        lines = [line for group in page.abilities for line in group.lines]
        assert [line.name for line in lines] == [row.name for row in rows]
        assert [line.ready for line in lines] == [not row.reasons for row in rows]
        told = {*page.everywhere}
        for line, row in zip(lines, rows, strict=True):
            assert {*line.reasons} | (told & {*row.reasons}) == {*row.reasons}


def test_a_unit_that_is_gone_gives_way_to_the_character(opened):
    assert player_page(opened, "nobody") == player_page(opened)


def test_names_and_notes_are_text_and_nothing_else():
    opened = character("capital", NASTY[:60])
    opened = run_page_action(opened, "note", {"text": NASTY}, AT).after
    opened = run_page_action(
        opened, "condition", {"condition": "status/taunted", "about": NASTY}, AT
    ).after
    page = player_page(opened)
    html = render("character", page=page)
    Checked(html).check()
    assert "&lt;img src=x onerror=alert(1)&gt;" in html
    assert "{{7*7}}" in html
    assert NASTY in [text for _at, text in page.notes]
    remove = next(
        one.remove for one in page.conditions if one.remove is not None and NASTY in one.text
    )
    assert remove.fields["about"] == NASTY
    result = run_page_action(opened, "undo", {}, AT)
    live = Markup(render("character", page=page))
    shown = {"result": result, "page": page, "live": live, "undone": True}
    Checked(render("result", missing="", title="Undone", **shown)).check()
    form = action_form(opened, "note", {"text": NASTY})
    Checked(render("form", form=form)).check()
    Checked(render("form", form=action_form(opened, "history", {}))).check()


def test_a_refusal_is_shown_with_the_permissions_that_lift_it():
    opened = run_page_action(character("capital"), "turn", {}, AT).after
    lines = (line for group in player_page(opened).abilities for line in group.lines)
    move = next(line.use for line in lines if line.name == "Move")
    assert move is not None
    for _action in range(2):
        opened = run_page_action(opened, "use", move.fields, AT).after
    with pytest.raises(ActionQuestion) as refused:
        run_page_action(opened, "use", move.fields, AT)
    html = render("form", form=refused.value.form)
    Checked(html).check()
    assert 'class="button permission"' in html
    assert "Allow it (GM)" in html


def test_reasons_against_nearly_everything_are_told_once():
    opened = run_page_action(character("capital"), "turn", {}, AT).after
    opened = run_page_action(opened, "turn", {"end": "1"}, AT).after
    page = player_page(opened)
    (reason,) = page.everywhere
    assert "not your turn" in reason
    assert "remove the condition In combat" in reason  # on a phone there is no command line
    assert "--" not in reason
    assert render("character", page=page).count("not your turn") == 1


def test_odds_are_those_of_the_command(capsys):
    opened = character("long-stair")
    attack = player_page(opened).abilities[0].lines[0].tap.fields
    odds = action_odds(opened, {**attack, "in.vs": "12"})
    (hit, *_others) = odds.flags
    assert hit.chance.endswith("%")
    assert 0 < hit.share <= 1000
    Checked(render("odds", odds=odds)).check()
    with pytest.raises(CharforgeError):
        action_odds(opened, {**attack, "in.vs": "many"})
    with pytest.raises(UsageError):
        action_form(opened, "sell", {})


def test_the_page_is_german_for_germans():
    with in_language("de"):
        html = render("character", page=player_page(character("shields-biotics")))
        Checked(html).check()
    for english in ("Start turn", "Your attacks", "In the terminal", "Undo", "Scores", "Hold"):
        assert f">{english}" not in html


def test_everything_that_the_sheet_says_can_be_read_on_the_phone(opened):
    """Passive abilities, gear without buttons, Training and the story, as the sheet has them."""
    form = action_form(opened, "features", {})
    html = render("form", form=form)
    Checked(html).check()
    sheet = build(opened.character)
    names = {feature.name for chapter in form.chapters for feature in chapter.features}
    assert {card.name for card in sheet.cards} <= names
    assert {entry.name for entry in sheet.training} <= names
    assert {part.label for part in sheet.story if part.answers} <= names
    assert all(any(item.name in name for name in names) for item in sheet.items)
    assert "form/features" in render("character", page=player_page(opened))


def test_a_move_says_what_its_results_mean_before_the_roll():
    opened = character("night-post")
    lines = [line for group in player_page(opened).abilities for line in group.lines]
    dash = next(line.tap for line in lines if line.name == "Dash")
    text = "\n".join(map(str, action_form(opened, dash.action, dash.fields).text))
    for words in ("10+: You are there first.", "7–9:", "6−:", "Roll 2d6"):
        assert words in text


def test_a_number_is_explained_as_the_command_explains_it(opened):
    page = player_page(opened)
    unit = opened.character.state.unit(CHARACTER)
    for score in page.scores:
        assert score.tap is not None
        name = score.tap.fields.get("what", score.tap.fields.get("value", ""))
        form = action_form(opened, score.tap.action, score.tap.fields)
        if name in opened.ruleset.values:
            lines = tuple(value_lines(opened.character, unit, name))
            assert form.why[: len(lines)] == lines
    for _fact, tap in page.figures:
        Checked(render("form", form=action_form(opened, tap.action, tap.fields))).check()
