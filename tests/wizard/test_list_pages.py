"""Lists without a terminal: keys of checklists, numbers and search."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, strategies as st
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import DummyOutput

from charforge.answers.automatic import RandomAnswers
from charforge.decisions.base import (
    MISSING,
    Answer,
    Decision,
    MenuItem,
    NumberField,
    NumberFields,
    TextField,
)
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset
from charforge.usecases.preview import AnswerTrial
from charforge.wizard.decision_prompts import decision_page
from charforge.wizard.list_pages import ChecklistPage, Leave, ListPage, NumberPage, PageCommand
from charforge.wizard.menu import RECOMMENDED, Menu, MenuView
from charforge.wizard.pages import WizardPage
from tests.samples import law

SEEDS = st.integers(0, 10_000).map(str)


def asked(rules: Ruleset, seed: str, name: str, level: int = 1, **fixed: Answer) -> Decision:
    """Return a decision of a random character that has answered only what comes before."""
    spec = CharacterSpec(rules, seed, "Nix", level, answers=fixed)
    answers = spec.replay(RandomAnswers(seed)).answers()
    names = list(answers)
    before = {other: answers[other] for other in names[: names.index(name)]}
    found = replace(spec, answers=before).replay().decision(name)
    assert found is not None
    return found


def page(decision: Decision, former: Answer = MISSING) -> ListPage:
    """Return the list that asks a decision."""
    found = decision_page(decision, former, RandomAnswers("s"))
    assert isinstance(found, ListPage)
    return found


def item(list_page: ListPage, value: object) -> MenuItem:
    """Return the entry with a value, as it is now."""
    return next(item for item in list_page.items() if item.value == value)


def labels(menu: Menu) -> list[str]:
    """Return the labels of the entries that search and filter leave."""
    return [row.item.label for row in menu.rows if row.item is not None and not row.item.pinned]


def test_space_removes_any_entry_and_enter_continues_on_a_picked_one(capital: Ruleset) -> None:
    strengths = page(asked(capital, "s", "strengths"))
    for slug in ("sneaky", "athletic", "observant"):
        assert strengths.enter(item(strengths, f"strength/{slug}")) == ""
    assert strengths.space(item(strengths, "strength/athletic")) == ""
    assert strengths.present_answer() == ["strength/sneaky", "strength/observant"]
    assert strengths.enter(item(strengths, "strength/sneaky")) == "Not done yet: pick 1 more."
    assert strengths.space(item(strengths, "strength/good-liar")) == ""
    assert strengths.enter(item(strengths, "strength/sneaky")) == Leave(
        ["strength/sneaky", "strength/observant", "strength/good-liar"]
    )


@law(10, few=4)
@given(
    seed=SEEDS, keys=st.lists(st.tuples(st.sampled_from("es+-"), st.integers(0, 60)), max_size=12)
)
def test_no_keys_overfill_a_checklist_or_leave_it_with_an_answer_that_is_not_allowed(
    rules: Ruleset, seed: str, keys: list[tuple[str, int]]
) -> None:
    answers = CharacterSpec(rules, seed, "Nix").replay(RandomAnswers(seed)).answers()
    spec = CharacterSpec(rules, seed, "Nix", answers=answers)
    for decision in (d for d in spec.replay().asked if d.question.is_list):
        checklist = page(decision)
        assert isinstance(checklist, ChecklistPage)
        for key, number in keys:
            items = checklist.items()
            pressed = items[number % len(items)]
            if isinstance(pressed.value, TextField):
                continue
            if key in "+-":
                outcome = checklist.step(pressed, key == "+")
            else:
                outcome = checklist.enter(pressed) if key == "e" else checklist.space(pressed)
            if isinstance(outcome, Leave):
                assert decision.rule_violations(outcome.value) == ()
            count = decision.question.count
            assert count is None or len(checklist.picked) <= count
            assert not decision.rule_violations(checklist.picked) or checklist.missing()


def test_an_entry_that_is_removed_can_be_picked_again(capital: Ruleset) -> None:
    systems = page(asked(capital, "s", "level.4.systems", 4, role="role/the-scout"))
    legal = next(i for i in systems.items() if i.option and not i.against)
    assert systems.space(legal) == ""
    assert systems.space(item(systems, legal.value)) == ""
    assert systems.present_answer() == []


def test_scores_are_given_by_enter_by_digits_and_by_steps(capital: Ruleset) -> None:
    dice = {"attributes.roll": [1, 2, 3, 4, 5, 6, 6, 5, 4, 3], "attributes.discard": [1, 2]}
    scores = page(asked(capital, "s", "attributes.assign", **dice))
    assert isinstance(scores, NumberPage)
    assert scores.enter(item(scores, "str")) == ""  # the highest that is left
    assert scores.digit(item(scores, "ftd"), "5") == ""
    assert scores.digit(item(scores, "agi"), "4") == "Agility (AGI): one of 5, 6."
    assert scores.step(item(scores, "ftd"), True) == ""
    assert scores.numbers == {"str": 6, "ftd": 6}
    assert scores.space(item(scores, "str")) == ""
    assert scores.numbers == {"ftd": 6}
    assert (
        scores.enter(item(scores, PageCommand.DONE)) == "Not done yet: assign the remaining scores."
    )
    for name in ("vsn", "wil", "knw"):
        scores.enter(item(scores, name))
    done = scores.enter(item(scores, PageCommand.DONE))  # the others get the 5 that are left
    assert isinstance(done, Leave)
    assert sorted(done.value.values()) == [5] * 4 + [6] * 4


def test_a_number_of_two_digits_is_typed_digit_by_digit() -> None:
    percent = NumberPage(
        NumberFields(
            [NumberField("a", "A", "A")],
            {"a": 0},
            lambda _numbers, _name: range(61),
            "from 0 to 60",
            lambda _numbers: "",
            lambda _numbers: (),
        )
    )
    for digit, number in (("4", 4), ("5", 45), ("7", 7)):
        assert percent.digit(item(percent, "a"), digit) == ""
        assert percent.numbers == {"a": number}


def test_own_systems_come_first_then_those_for_everyone(capital: Ruleset) -> None:
    systems = page(asked(capital, "s", "level.2.systems", 2, role="role/the-tank"))
    groups = list(dict.fromkeys(i.group for i in systems.items() if not i.pinned))
    assert groups[:2] == ["The Tank (yours)", "Systems for everyone"]
    assert "The Scout" in groups[2:]


def test_search_finds_words_of_the_texts_and_the_filter_hides_what_is_closed(
    capital: Ruleset,
) -> None:
    menu = Menu(page(asked(capital, "s", "level.2.systems", 2, role="role/the-tank")))
    everything = labels(menu)
    menu.search("overwatch")
    assert "Cautious" in labels(menu)
    assert len(labels(menu)) < len(everything)
    menu.search("")
    menu.filter()
    assert labels(menu)
    assert not any(row.item.against for row in menu.rows if row.item is not None)
    menu.filter()
    assert labels(menu) == everything


def test_clearing_the_search_stays_at_the_entry_that_it_found(capital):
    menu = Menu(page(asked(capital, "s", "level.2.systems", 2, role="role/the-tank")))
    menu.search("quick")
    found = menu.pointed_item()
    assert found is not None
    assert found.label == "Quick"
    menu.search("")
    assert menu.pointed_item().label == "Quick"
    assert len(menu.rows) > 20


@pytest.mark.parametrize(
    ("typed", "found"),
    [("cautoius", ["Cautious"]), ("xyzzy", [])],
)
def test_a_search_that_finds_nothing_shows_the_name_most_like_it(
    capital: Ruleset, typed: str, found: list[str]
) -> None:
    menu = Menu(page(asked(capital, "s", "level.2.systems", 2, role="role/the-tank")))
    menu.search(typed)
    assert labels(menu) == found
    headings = [row.heading for row in menu.rows if row.item is None]
    assert headings == (["Nothing matches. Did you mean:"] if found else [])
    pointed = menu.pointed_item()
    assert not found or (pointed is not None and pointed.label == found[0])


def test_weapons_are_a_table(capital: Ruleset) -> None:
    """The Minigun: 50 m, 3d6 + 4, Two-handed, Heavy 6 (book, Special Assets)."""
    decision = asked(capital, "s", "asset")
    cells = dict(item(page(decision), "special-weapon/minigun").cells)
    assert list(cells) == ["Roll", "Damage", "Range", "Properties"]
    assert cells["Range"] == "50 m"
    assert cells["Damage"] == "3d6 + 4"
    assert cells["Properties"].startswith("Two-handed, Heavy 6")
    assert item(page(decision), "augmentation/limb").cells == ()


def rows(menu: Menu, width: int) -> list[str]:
    """Return the rows of a menu as plain text, without the blanks at their ends."""
    return ["".join(text for _style, text in row.line).rstrip() for row in menu.lines(width)]


class Screen(DummyOutput):
    """A terminal of 80 columns and 24 rows."""

    def get_size(self) -> Size:
        return Size(rows=24, columns=80)


@law(10)
@example(introduced=8, helped=4, status=1)
@given(introduced=st.integers(0, 8), helped=st.integers(0, 4), status=st.integers(0, 1))
def test_a_long_head_leaves_four_lines_for_the_text_of_an_option(
    capital: Ruleset, introduced: int, helped: int, status: int
) -> None:
    systems = page(asked(capital, "s", "level.2.systems", 2))
    above = WizardPage(
        "Capital", "Level 2", intro="\n".join(["It brings:"] * introduced),
        answers=(("Roll for HP", "3 3"),), keeps_answer=True, question="Which Systems?",
        help="\n".join(["Some help."] * helped), status=("2 of 2 Slots left",) * status,
    )  # fmt: skip
    view = MenuView(above, Menu(systems), Screen())
    assert view.longest_text() >= 4
    assert view.sizes().text - 1 >= 4
    assert view.sizes().rows >= 3
    assert len(view.sizes().above) + view.sizes().rows + view.sizes().text <= 24 - 2


@pytest.mark.parametrize("width", [34, 50, 64, 78, 90, 104, 138])
def test_a_table_leaves_out_what_does_not_fit_but_cuts_no_word(
    capital: Ruleset, width: int
) -> None:
    """Properties are shortened by whole ones; the columns before them stay or go together."""
    menu = Menu(page(asked(capital, "s", "asset", role="role/the-tank")))
    shown = rows(menu, width)
    (heading,) = [row for row in shown if row.startswith(" Special Weapons")]
    titles = [t for t in ("Roll", "Damage", "Range", "Properties") if t in heading]
    assert titles == ["Roll", "Damage", "Range", "Properties"][: len(titles)]
    assert len(titles) >= (4 if width >= 78 else 1)
    (minigun,) = [row for row in shown if row.startswith("   Minigun")]
    assert ("3d6 + 4" in minigun) is ("Damage" in titles)
    assert all(len(row) <= width for row in shown)
    for row in shown:
        assert "…" not in row.replace(" …", ""), row


def test_recommended_entries_are_marked(capital: Ruleset) -> None:
    menu = Menu(page(asked(capital, "s", "asset", role="role/the-tank")))
    marked = [row.split()[1] for row in rows(menu, 90) if RECOMMENDED in row]
    assert "Shield" in marked
    assert len(marked) < len(menu.rows) / 2


def test_the_scores_that_a_role_needs_most_are_marked(capital: Ruleset) -> None:
    menu = Menu(page(asked(capital, "s", "attributes.assign", role="role/the-lancer")))
    marked = [row.strip(" ▸").split("  ")[0] for row in rows(menu, 78) if RECOMMENDED in row]
    assert marked == ["Strength (STR) ★", "Vision (VSN) ★"]


def test_dice_that_are_not_rolled_yet_are_not_previewed(capital: Ruleset) -> None:
    roll = asked(capital, "s", "level.2.hp", 2)
    list_page = page(roll)
    spec = CharacterSpec(capital, "s", "Nix", 2, answers=dict(roll.before.answers))
    list_page.trial = AnswerTrial(spec, roll)
    assert [tuple(list_page.changes(entry)) for entry in list_page.items()] == [(), ()]


def test_the_opposite_of_what_one_has_says_so(capital: Ruleset) -> None:
    strengths = ["strength/athletic", "strength/sneaky", "strength/empathetic"]
    weaknesses = page(asked(capital, "s", "weaknesses", strengths=strengths))
    assert item(weaknesses, "weakness/unfit").about.startswith("The opposite of Athletic, which")
    assert "opposite" not in item(weaknesses, "weakness/bad-liar").about
