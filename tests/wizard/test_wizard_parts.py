"""The wizard without a terminal: its laws and its calculations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from typing import Any, Self

import pytest
from hypothesis import given, strategies as st

from charforge import wizard
from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import AnswersFile
from charforge.cli import prompt
from charforge.decisions.base import Answer, Decision, TextField
from charforge.decisions.roll import RollDecision, RollOnDecision, parse_faces
from charforge.expressions.dice import Dice, faces_text, parse_dice
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.models import Choose, Roll, RollOn
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.wizard import flow, screen
from charforge.wizard.flow import wizard_steps
from charforge.wizard.form import Form
from charforge.wizard.list_pages import ChecklistPage, KeyOutcome, Leave, ListPage, NumberPage
from charforge.wizard.pages import StyledLine, WizardPage, clipped, head, wrapped_lines
from tests.samples import law

SEEDS = st.integers(0, 10_000).map(str)
D6 = parse_dice("3d6")
PRINTED = st.characters(codec="utf-8", exclude_categories=["C"])


class Robot:
    """Prompts that give wanted answers, entry by entry, as a player would."""

    def __init__(self, plan: CharacterSpec, wanted: dict[str, Answer]) -> None:
        self.wanted = wanted
        self.keep(plan)

    def __enter__(self) -> Robot:
        return self

    def __exit__(self, *_exception: object) -> None: ...

    def keep(self, plan: CharacterSpec) -> None:
        """Look at what is asked next, and at what is left for the review."""
        still_open = plan.replay().open
        self.later = [d for d in still_open if d.question.later and self.wanted[d.id]]
        self.expect(next((d for d in still_open if not d.question.later), None))

    def expect(self, decision: Decision | None) -> None:
        """Prepare to answer a decision."""
        self.open = decision
        if self.open is not None:
            answer = self.wanted[self.open.id]
            self.left = copy(answer)
            if isinstance(self.open, RollDecision):
                self.left = [faces for rolls in self.open.sets(answer) for faces in rolls]
            if isinstance(self.open, RollOnDecision):
                self.left = [draw.faces for draw in self.open.draws(answer).results]

    def form(self, page: WizardPage, form: Form, start: str = "") -> None:
        """Fill in the fields one by one, until those that appear meanwhile are filled in too."""
        while wrong := [f for f in form.fields if f.answer != self.wanted.get(f.id, f.answer)]:
            form.change(wrong[0].with_answer(self.wanted[wrong[0].id]))
        assert form.first_problem() is None

    def menu(self, page: WizardPage, list_page: ListPage) -> Any:
        if self.open is None and self.later:
            self.expect(self.later[0])
            return self.later[0].id
        if self.open is None:
            return list_page.items()[0].value
        if isinstance(list_page, NumberPage):
            return self._numbers(list_page)
        if isinstance(list_page, ChecklistPage):
            return self._picks(list_page)
        if isinstance(self.left, dict):
            values = [item.value for item in list_page.items()]
            return next(value for value in values if value.answer == self.left)
        known = {item.value: item for item in list_page.items()}
        if isinstance(self.open.question, Roll | RollOn) or self.left not in known:
            self.item = self.left
            return next(value for value in known if isinstance(value, TextField))
        return _left(list_page.enter(known[self.left]))

    def _numbers(self, list_page: NumberPage) -> Answer:
        for name, number in self.left.items():
            if list_page.numbers.get(name) != number:
                item = next(item for item in list_page.items() if item.value == name)
                assert list_page.number(item, str(number)) == ""
        return _left(list_page.finish())

    def _picks(self, list_page: ChecklistPage) -> Answer | TextField:
        """Pick what is wanted; own words are typed on a page of their own."""
        while len(list_page.picked) < len(self.left):
            items = {item.value: item for item in list_page.items()}
            self.item = self.left[len(list_page.picked)]
            if self.item not in items:
                return next(value for value in items if isinstance(value, TextField))
            assert list_page.step(items[self.item], True) == ""
        return _left(list_page.finish())

    def line(
        self,
        page: WizardPage,
        text: str,
        problem: Callable[[str], str],
        examples: Sequence[str] = (),
    ) -> str:
        assert self.open is not None
        if isinstance(self.open.question, Roll | RollOn):
            typed = faces_text(self.left.pop(0))
        else:
            typed = str(self.item if isinstance(self.open.question, Choose) else self.left)
        assert not problem(typed)
        return typed


def _left(outcome: KeyOutcome) -> Answer:
    """Return the value with which a page was left."""
    assert isinstance(outcome, Leave)
    return outcome.value


@law(5, few=2)
@given(seed=SEEDS, data=st.data())
def test_the_wizard_gives_the_same_answers_as_a_plan_that_has_them(
    rules: Ruleset, seed: str, data: st.DataObject
) -> None:
    level = data.draw(st.integers(1, min(3, rules.head.advancement.maximum)))
    plan = CharacterSpec(rules, seed, "Nix", level)
    wanted = plan.replay(RandomAnswers(seed)).answers()
    robot = Robot(plan, wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flow, "terminal", lambda: robot)
        done = wizard.flow.run(plan, robot.keep)
    assert done.answers == wanted
    assert list(done.answers) == list(wanted)
    filled = CharacterSpec(rules, seed, "Nix", level, answers=wanted)
    assert create_character(done) == create_character(filled)


class Overloaded(Robot):
    """Tries to save what cannot be saved, then changes an answer."""

    def __init__(self, plan: CharacterSpec, wanted: dict[str, Answer]) -> None:
        self.reviews: list[tuple[str, str]] = []
        super().__init__(plan, wanted)

    def menu(self, page: WizardPage, list_page: ListPage) -> Any:
        if self.open is not None:
            return super().menu(page, list_page)
        self.reviews.append((list_page.items()[0].about, page.note))
        if len(self.reviews) != 2:
            return list_page.items()[0].value
        self.wanted["armour"] = [2]
        self.expect(self.plan.replay().decision("armour"))
        return "armour"

    def keep(self, plan: CharacterSpec) -> None:
        self.plan = plan
        super().keep(plan)


def test_the_review_says_why_a_character_cannot_be_saved(
    monkeypatch: pytest.MonkeyPatch, dug: Callable[..., Ruleset]
) -> None:
    """A 7 gives a gambeson, too much for pockets that hold nothing; a 2 gives no armour."""
    rules = dug(("ruleset.yaml", "pockets: {formula: 4}", "pockets: {formula: 0}"))
    plan = CharacterSpec(rules, "a", "Nix")
    wanted = {**plan.replay(RandomAnswers("a")).answers(), "armour": [7]}
    robot = Overloaded(plan, wanted)
    monkeypatch.setattr(flow, "terminal", lambda: robot)
    done = wizard.flow.run(plan, robot.keep)
    obstacle = "You carry 1; your pockets hold 0."
    assert robot.reviews == [
        (obstacle, ""),
        (obstacle, f"This cannot be saved: {obstacle} Change an answer first."),
        ("All done: save the character.", ""),
    ]
    assert done.answers["armour"] == [2]
    assert create_character(done)


@pytest.mark.parametrize("typed", ["3 5 1", "351", " 3,5, 1 ", "3;5;1"])
def test_typed_dice_may_be_apart_or_together(typed: str) -> None:
    assert parse_faces(typed, D6) == [3, 5, 1]


def test_typed_dice_of_many_faces_stand_apart() -> None:
    assert parse_faces("12", parse_dice("1d20")) == [12]
    assert parse_faces("-1 10", Dice(2, (-1, 10), "2dx")) == [-1, 10]


def test_what_is_no_number_stays_to_be_named() -> None:
    assert parse_faces("3 x", D6) == [3, "x"]
    assert parse_faces("", D6) == []


def test_steps_are_the_name_every_section_each_level_and_the_review(capital: Ruleset) -> None:
    empty = CharacterSpec(capital, "s", "", 3).replay()
    later = "Systems"  # all that it asks may wait
    sections = [section.label for section in capital.head.sections if section.label != later]
    found = [step.label for step in wizard_steps(empty)]
    assert found == ["Name", *sections, "Level 2", "Level 3", "Review"]


def test_the_number_of_steps_does_not_change_on_the_way(rules: Ruleset) -> None:
    level = min(3, rules.head.advancement.maximum)
    plan = CharacterSpec(rules, "s", "", level)
    later = {question.id for question in rules.head.creation_questions if question.later}
    answers = plan.replay(RandomAnswers("s")).answers()
    answers = {name: answer for name, answer in answers.items() if name not in later}
    counts = set()
    for number in range(len(answers) + 1):
        some = dict(list(answers.items())[:number])
        counts.add(len(wizard_steps(CharacterSpec(rules, "s", "", level, answers=some).replay())))
    assert len(counts) == 1


def test_a_level_up_has_only_its_own_steps(capital: Ruleset) -> None:
    before = CharacterSpec(capital, "s", "", 2).replay(RandomAnswers("s"))
    after = CharacterSpec(capital, "s", "", 3, answers=before.answers()).replay()
    found = [
        step.label for step in wizard_steps(after, frozenset(before.answers()), asks_name=False)
    ]
    assert found == ["Level 3", "Review"]


def test_a_roll_in_words_shows_what_it_brings_and_what_was_rolled_again(toy: Ruleset) -> None:
    plan = CharacterSpec(toy, "s")
    rolls = [[1, 1, 1, 1, 1], [8, 5, 3, 1, 1]]
    answers = {
        **plan.replay(RandomAnswers("s")).answers(),
        "storm.roll": rolls,
        "storm.drop": [1, 1],
    }
    found = CharacterSpec(toy, "s", answers=answers).replay().decision("storm.roll")
    assert found is not None
    assert found.answer_text(rolls) == "8 5 3 1 1 (rerolled from 1 1 1 1 1)"


def test_answers_in_words(toy: Ruleset) -> None:
    found = CharacterSpec(toy, "s").replay(RandomAnswers("s"))
    said = {d.id: d.answer_text(found.state.answers[d.id]) for d in found.asked}
    luck = found.state.answers["luck"]
    gained = found.state.values().total("luck")
    assert said["luck"] == f"{luck[0]} {luck[1]} → Luck +{gained}"
    assert said["savings"] == f"{found.state.answers['savings']} crowns"
    scores = found.state.answers["knacks"]
    assert said["knacks"] == ", ".join(
        f"{toy.values[name].label} {score}" for name, score in scores.items()
    )


@given(text=st.text(PRINTED), width=st.integers(9, 99))
def test_no_line_is_wider_than_asked(text: str, width: int) -> None:
    for line in wrapped_lines(text, width, markup=False):
        assert _wide(line) <= width
    assert _wide([("", clipped(text, width))]) <= width


@given(text=st.text(st.sampled_from("ab *-\n")), width=st.integers(9, 30))
def test_wrapping_keeps_every_word(text: str, width: int) -> None:
    shown = "".join(
        part for line in wrapped_lines(text, width, markup=False) for _style, part in line
    )
    assert "".join(shown.split()) == "".join(text.split())


def test_the_head_gives_way_but_keeps_the_question_and_one_line_on_why_it_matters() -> None:
    answers = tuple((f"Question {n}", f"answer {n}") for n in range(3))
    page = WizardPage(
        "Game", "Part", 2, 5, intro="It matters. Further words.", answers=answers, question="And?"
    )
    full = _texts(head(page, 80, 40))
    short = _texts(head(page, 80, 0))
    assert [text for text in full if "answer" in text] == [
        " ✓ Question 0 · answer 0",
        " ✓ Question 1 · answer 1",
        " ✓ Question 2 · answer 2",
    ]
    assert " It matters. Further words." in full
    assert not any("answer" in text for text in short)
    assert short[-3:] == [" It matters.", " And?", ""]
    assert full[0] == " Game" + "Step 2 of 5 · Part".rjust(75)


def test_the_head_keeps_the_result_of_a_roll() -> None:
    page = WizardPage("Game", answers=(("Roll", "3 1"),), question="And?", keeps_answer=True)
    assert " ✓ Roll · 3 1" in _texts(head(page, 80, 0))


def _texts(lines: Sequence[StyledLine]) -> list[str]:
    return ["".join(text for _style, text in line) for line in lines]


def _wide(line: StyledLine) -> int:
    from prompt_toolkit.utils import get_cwidth

    return sum(get_cwidth(text) for _style, text in line)


class Recorder:
    """Prompts that keep the list of a page, and select the entry that Enter alone would."""

    shown: ListPage

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None: ...

    def menu(self, _page: WizardPage, list_page: ListPage) -> object:
        self.shown = list_page
        return list_page.pointed_value


def test_enter_alone_continues_no_draft(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two drafts with one name differ in their files."""
    recorder = Recorder()
    monkeypatch.setattr(screen, "terminal", lambda: recorder)
    files = [Path("Nix.draft.yaml"), Path("Nix-2.draft.yaml")]
    assert prompt.choose_draft([AnswersFile(file, "capital", "Nix") for file in files]) is None
    assert [(item.label, item.detail) for item in recorder.shown.items()] == [
        ("Start a new character", ""),
        ("Continue Nix", "capital · 0 answers · Nix.draft.yaml"),
        ("Continue Nix", "capital · 0 answers · Nix-2.draft.yaml"),
    ]
