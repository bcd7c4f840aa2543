"""Rulebooks: everything that can come up, once each, as this table plays it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from charforge.decisions.unreachable import unreachable_entities
from charforge.packs.install import install
from charforge.packs.rulebook import build_rulebook, entity_anchor
from charforge.rules.loading.loader import built_in, load
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.rulebook import BookEntry, Rulebook, rulebook_html
from charforge.verbs.odds import VariedInput, calculate_odds, subject_without_character
from charforge.verbs.typed_inputs import TypedInputs
from tests.rules.pack_files import write_pack
from tests.samples import few

HOUSE = """\
entities:
  - {id: system/quiet, name: Quiet, source: Our table, slots: 1, text: You make no noise.}
patches:
  - {at: system/cautious, set: {slots: 1}, why: Nobody took it.}
  - {at: [ruleset, creation, money], set: {maximum: 600}, why: We have had a job.}
  - {at: [ruleset, table_rules, cooldown], set: {default: or_less}, why: As printed.}
  - {at: [procedures, fall], set: {text: Softer.}, why: We fall well.}
  - at: ruleset
    add:
      table_rules:
        - id: noise
          label: Who hears you?
          default: all
          options: [{id: all, label: Everybody}, {id: near, label: Those who are near}]
    why: We argued about it.
"""


@pytest.fixture
def house(tmp_path, packs_home):
    """Capital with a pack of house rules."""
    install(write_pack(tmp_path / "house", HOUSE, "capital"))
    return load("capital", ["house"])


def entries(book: Rulebook) -> Iterator[BookEntry]:
    for part in book.parts:
        for chapter in part.chapters:
            yield from chapter.entries


def text_of(entry: BookEntry) -> str:
    return " ".join(str(block) for prose in entry.paragraphs for block in prose)


@pytest.mark.parametrize("game", few(sorted(built_in()), 2))
def test_a_book_has_everything_that_can_come_up_once(game):
    ruleset = load(game)
    book = build_rulebook(ruleset, {}, odds=False)
    anchors = Counter(entry.anchor for entry in entries(book))
    assert max(anchors.values()) == 1
    never = {found.entity for found in unreachable_entities(ruleset) if found.never}
    expected = {
        entity_anchor(entity.id)
        for entity in ruleset.entities.values()
        if entity.alias_of is None and entity.condition is None and entity.id not in never
    }
    assert expected <= anchors.keys()
    notes = [note.id for entry in entries(book) for note in entry.rulings]
    assert sorted([*notes, *(note.id for note in book.rulings)]) == sorted(ruleset.rulings)
    names = {one.name for letter in book.names for one in letter.entries}
    assert {entry.name for entry in entries(book) if not entry.anchor.startswith("step")} <= names


def test_the_index_names_each_page_of_a_value_once():
    """The values of companions and vehicles are in the same chapter as those of characters."""
    book = build_rulebook(load("capital"), {}, odds=False)
    index = {one.name: one.anchors for letter in book.names for one in letter.entries}
    assert index["Maximum Energy (Max Energy)"] == ("value-character-max_energy",)


def test_values_of_other_units_without_a_calculation_are_left_out():
    book = build_rulebook(load("capital"), {}, odds=False)
    assert all(entry.paragraphs or entry.terms for entry in entries(book) if entry.unit)


@pytest.mark.parametrize("game", few(sorted(built_in()), 2))
def test_every_link_leads_somewhere(game):
    html = rulebook_html(build_rulebook(load(game), {}, odds=False), PrintOptions())
    targets = re.findall(r'id="([^"]+)"', html)
    assert len(targets) == len(set(targets))
    assert {*re.findall(r'href="#([^"]+)"', html)} <= {*targets}


def test_what_packs_change_is_marked_with_its_origin(house):
    book = build_rulebook(house, {}, odds=False)
    by_name = {entry.name: entry for entry in entries(book)}
    [mark] = by_name["Quiet"].marks
    assert (mark.packs, mark.new) == ("House", True)
    [mark] = by_name["Cautious"].marks
    assert (mark.packs, mark.new, mark.why) == ("House", False, "Nobody took it.")
    assert by_name["Cautious"].terms == ("1 Slot",)
    [money] = [entry for entry in entries(book) if entry.anchor == "step-money"]
    assert [mark.why for mark in money.marks] == ["We have had a job."]
    assert not by_name["Healthy"].marks
    [pack] = book.changes
    changes = {change.name: (change.how, change.why) for change in pack.changes}
    assert changes["Quiet"][0] == "added"
    assert changes["Cautious"] == ("changed", "Nobody took it.")
    assert changes["Fall"][1] == "We fall well."
    assert changes["Who hears you?"] == ("added", "We argued about it.")
    assert changes["When does an effect come off Cooldown X+?"][0] == "changed"
    assert len(pack.changes) == 6
    html = rulebook_html(book, PrintOptions())
    assert "<b>New</b> House" in html
    assert "<b>Changed</b> House: Nobody took it." in html


def test_table_rules_are_printed_as_the_table_plays_them(house):
    book = build_rulebook(house, {"long_break": "once"}, odds=False)
    rules = {rule.ruling: rule for rule in book.table_rules}
    assert rules["D18"].option.startswith("A roll of X or less")
    assert rules["D18"].usual == "A roll of X or more ends it"
    assert rules["D57"].usual.startswith("1d6 + FTD for each Level")
    notes = {note.id: note for entry in entries(book) for note in entry.rulings}
    assert notes["D18"].option.startswith("A roll of X or less")
    texts = [
        next(text_of(e) for e in entries(build_rulebook(house, rules, odds=False))
             if e.name == "Long Break")
        for rules in ({"long_break": "once"}, {"long_break": "each_level"})
    ]  # fmt: skip
    assert texts[0] != texts[1]


def test_a_game_without_packs_has_no_marks():
    book = build_rulebook(load("capital"), {}, odds=False)
    assert not any(entry.marks for entry in entries(book))
    assert book.changes == ()


def test_the_odds_are_those_of_the_command():
    ruleset = load("shields-biotics")
    [table] = build_rulebook(ruleset, {}).odds
    assert [row.name for row in table.rows] == ["4", "6", "8", "10", "12"]
    subject = subject_without_character(ruleset, "trait-roll")
    for row in table.rows:
        typed = TypedInputs({"sides": row.name})
        result = calculate_odds(subject, typed, VariedInput("vs", table.columns), chosen=False)
        shown = [next(o for o in case if o.id == "success") for case in result.cases]
        chances = [f"{float(100 * one.chances.at_least(1)):.0f}%" for one in shown]
        assert [cell for (cell,) in row.cells] == chances


def test_gear_with_attacks_is_a_table():
    """Every attack of Capital's weapons is in a row, and in no running text."""
    ruleset = load("capital")
    book = build_rulebook(ruleset, {}, odds=False)
    chapters = {chapter.anchor: chapter for part in book.parts for chapter in part.chapters}
    rows = {
        weapon.entry.name: weapon
        for name in ("kind-equipment", "kind-special-weapon")
        for group in chapters[name].groups
        for weapon in group.weapons
    }
    armed = {
        entity.name
        for entity in ruleset.entities.values()
        if entity.kind in ruleset.head.gear.kinds and entity.attacks and not entity.alias_of
    }
    assert rows.keys() == armed
    pistol = rows["Standard Pistol"]
    [mode] = pistol.modes
    assert (mode.range, mode.roll, mode.damage) == (
        "30\N{NO-BREAK SPACE}m",
        "VSN against AGI",
        "10 Sharp or Heat",
    )
    assert pistol.facts.endswith(", Ammo\N{NO-BREAK SPACE}3")
    [ammo] = mode.notes
    assert str(ammo) == "Ammo\N{NO-BREAK SPACE}\N{MINUS SIGN}1"
    assert pistol.entry.aliases == ("Pistol",)
    assert "Attack" not in text_of(pistol.entry)
    assert "Restore all Ammo" in text_of(pistol.entry)
    [melee, thrown] = rows["Simple Dagger"].modes
    assert (melee.range, thrown.range) == ("Melee", "10\N{NO-BREAK SPACE}m")
    html = rulebook_html(book, PrintOptions())
    assert html.count('id="e-equipment-standard-pistol"') == 1
    companions = chapters["kind-companion"].groups
    assert not any(group.weapons for group in companions)  # they are not gear


def test_what_only_the_gm_awards_is_apart():
    ruleset = load("capital")
    book = build_rulebook(ruleset, {}, odds=False)
    awarded = {found.entity for found in unreachable_entities(ruleset) if not found.never}
    titled = {
        entry.anchor
        for part in book.parts
        for chapter in part.chapters
        for group in chapter.groups
        if group.title
        for entry in chapter._replace(groups=(group,)).entries
    }
    assert titled == {entity_anchor(id) for id in awarded if ruleset.entities[id].condition is None}
    assert "e-equipment-plasma-cannon" in titled


def test_short_entries_are_in_columns_without_holes():
    book = build_rulebook(load("capital"), {}, odds=False)
    groups = [g for part in book.parts for c in part.chapters if c.short for g in c.groups]
    assert groups
    html = rulebook_html(book, PrintOptions())
    assert html.count('class="flow thirds"') == sum(len(g.entries) > 2 for g in groups)
    assert "<div></div>" not in html


def test_vehicles_have_one_table_of_levels():
    book = build_rulebook(load("capital"), {}, odds=False)
    [chapter] = [c for p in book.parts for c in p.chapters if c.anchor == "kind-vehicle"]
    assert not [entry.name for entry in chapter.entries if entry.tables]
    table, *_prices = chapter.tables
    assert [row[0] for row in table.rows] == [str(level) for level in range(1, 11)]
    assert {head.partition(":")[0] for head in table.columns[1:]} == {
        entry.name for entry in chapter.entries
    }
    tank = table.columns.index("Tank: Max HP")
    assert [row[tank] for row in table.rows][:2] == ["20", "30"]


def test_the_number_of_a_ruling_is_at_its_end():
    html = rulebook_html(build_rulebook(load("capital"), {}, odds=False), PrintOptions())
    rulings = re.findall(r'<p class="ruling">(.*?)</p>', html)
    assert rulings
    assert all(re.search(r"<small>D\d+</small>$", one) for one in rulings)
    assert not [one for one in rulings if re.match(r"<b[^>]*>D\d", one)]


@pytest.mark.parametrize("game", ["narrative-dice", "shields-biotics"])
def test_the_place_of_an_answer_has_a_short_name(game):
    """A question would break the sentence; it stands below, or its name after "You decide"."""
    texts = list(map(text_of, entries(build_rulebook(load(game), {}, odds=False))))
    named = [(name, text) for text in texts for name in re.findall(r"\[([^][]+)]", text)]
    assert named
    assert not [name for name, _text in named if "?" in name]
    assert not [name for name, text in named if not re.search("To choose: |You decide: ", text)]


def test_what_something_is_stands_before_what_it_costs():
    book = build_rulebook(load("capital"), {}, odds=False)
    found = {entry.name: entry for entry in entries(book) if entry.terms}
    assert found["Damage Resist"].terms[:2] == ("Defense", "1 Slot")
    assert found["The Tank"].terms == ("Defense",)
    assert text_of(found["The Tank"]).startswith("In short: Stands firm")


def test_texts_of_players_are_escaped():
    book = build_rulebook(load("shields-biotics"), {}, '<b>"}</b>', odds=False)
    html = rulebook_html(book, PrintOptions())
    assert '<b>"}' not in html
    assert "&lt;b&gt;" in html


@pytest.mark.needs("pango")
@pytest.mark.parametrize("paper", few(["a5", "a4", "letter"], 0, slow=1))
def test_the_title_is_one_page(paper):
    from charforge.sheet.pdf import lay_out

    html = rulebook_html(
        build_rulebook(load("shields-biotics"), {}, odds=False), PrintOptions(paper=paper)
    )
    pages = lay_out(html).pages
    assert [number for number, page in enumerate(pages) if "contents" in page.anchors] == [1]
