"""The number of wizard pages, shared pages, and their explanations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from charforge import wizard
from charforge.answers.automatic import RecommendedAnswers, recommendations
from charforge.decisions.base import MISSING, Answer
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.wizard import flow
from charforge.wizard.decision_prompts import decision_page
from charforge.wizard.form import Form, OpenField, RowKind
from charforge.wizard.list_pages import Leave, ListPage
from charforge.wizard.pages import WizardPage

MOST_PAGES = {
    "capital": 16,
    "squad-d20": 15,
    "narrative-dice": 18,
    "phase-2d10": 12,
    "shields-biotics": 8,
}


class Hurried:
    """A player who presses Enter on every page, and writes an example where one is needed.

    ``quick`` builds the rest after the first page; ``review`` are answers to
    give on the last page, by decision.
    """

    def __init__(self, quick: bool = False) -> None:
        self.pages: list[WizardPage] = []
        self.forms: list[list[str]] = []
        self.reviewed: list[str] = []
        self.quick = quick

    def __enter__(self) -> Hurried:
        return self

    def __exit__(self, *_exception: object) -> None: ...

    def menu(self, page: WizardPage, list_page: ListPage) -> Any:
        self.pages.append(page)
        self.reviewed = [f"{i.label}: {i.detail}" for i in list_page.items()]
        for _press in range(60):
            known = {item.value: item for item in list_page.items()}
            pointed = known.get(list_page.pointed_value)
            free = [i for i in known.values() if not i.against and not i.picked]
            outcome = list_page.enter(pointed if pointed in free else free[0])
            if isinstance(outcome, Leave):
                return outcome.value
        raise AssertionError(f"no way out of {page.question}")

    def form(self, page: WizardPage, form: Form, start: str = "") -> OpenField | None:
        is_new = not self.pages or self.pages[-1] is not page
        if is_new:
            self.pages.append(page)
            self.forms.append([row.label for row in form.rows()])
        if self.quick and is_new:
            form.change(form.field("build").stepped("build", 1))
        while (problem := form.first_problem()) is not None:
            row = next(row for row in form.rows() if row.id == problem[0])
            entry = form.field(row.id)
            if row.opens:
                return OpenField(row.id, continues=True)
            assert not self.quick, problem
            assert row.examples or row.kind is RowKind.COMMAND, f"{page.question}: {problem}"
            text = row.examples[0] if row.examples else ""
            form.change(entry.typed(row.id, text) if text else entry.stepped(row.id, 1))
        return None

    def line(
        self,
        page: WizardPage,
        text: str,
        problem: Callable[[str], str],
        examples: Sequence[str] = (),
    ) -> str:
        self.pages.append(page)
        return text if not problem(text) else examples[0]


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Hurried, CharacterSpec]]:
    """Return what builds a character by pressing Enter only."""

    def build(
        rules: Ruleset, quick: bool = False, **answers: Answer
    ) -> tuple[Hurried, CharacterSpec]:
        player = Hurried(quick)
        monkeypatch.setattr(flow, "terminal", lambda: player)
        return player, wizard.flow.run(
            CharacterSpec(rules, "7", answers=answers), lambda _spec: None
        )

    return build


@pytest.mark.parametrize("game", MOST_PAGES)
def test_a_character_takes_few_pages_and_every_page_says_why(
    hurry: Callable[..., tuple[Hurried, CharacterSpec]], game: str
) -> None:
    player, made = hurry(load(game))
    assert len(player.pages) <= MOST_PAGES[game]
    for page in player.pages:
        assert page.intro or page.help, page.question
        assert page.intro or page.step in ("Name", "Review", player.pages[0].step), page.question
    assert create_character(made).log


def test_players_see_their_scores_before_anything_that_depends_on_them(
    hurry: Callable[..., tuple[Hurried, CharacterSpec]], capital: Ruleset
) -> None:
    player, _made = hurry(capital)
    steps = list(dict.fromkeys(page.step for page in player.pages))
    assert steps[:3] == ["Role", "Attributes", "Stories"]


def test_a_choice_adds_its_own_questions_to_the_page(
    hurry: Callable[..., tuple[Hurried, CharacterSpec]], capital: Ruleset
) -> None:
    player, made = hurry(capital, role="role/the-lancer")
    equipment = next(rows for rows in player.forms if "Which 2 outfits do you wear?" in rows)
    assert made.answers["role.weapon"] == "equipment/auto-rifle"
    assert equipment[-2:] == ["Which Simple weapon do you start with?", "Damage type"]


def test_what_may_wait_is_offered_at_the_review_and_left_empty(
    hurry: Callable[..., tuple[Hurried, CharacterSpec]], capital: Ruleset
) -> None:
    player, made = hurry(capital)
    assert "Any further Stories?: optional: you may add it now or later" in player.reviewed
    assert (made.answers["story.further"], made.answers["innate"]) == ("", [])
    assert list(made.answers) == [decision.id for decision in made.replay().asked]


@pytest.mark.parametrize("game", MOST_PAGES)
def test_a_quick_build_asks_for_nothing_after_the_first_page(
    hurry: Callable[..., tuple[Hurried, CharacterSpec]], game: str
) -> None:
    rules = load(game)
    player, made = hurry(rules, quick=True)
    assert len(player.pages) <= 3
    assert player.pages[-1].note.startswith("The rest was filled in for you")
    assert create_character(made).log


def test_a_quick_build_follows_the_recommendations(capital: Ruleset) -> None:
    spec = CharacterSpec(capital, "7", "Nix", 2, answers={"role": "role/the-scout"})
    made = spec.replay(RecommendedAnswers("7"))
    assert made.state.answers["role.weapon"] == "equipment/precision-rifle"
    assert made.state.answers["asset"] == "special-weapon/sniper-rifle"
    (systems,) = [d for d in made.asked if d.id == "level.2.systems"]
    advice = recommendations(systems)
    assert set(made.state.answers["level.2.systems"]) <= advice.keys()
    assert str(advice["system/focus-ii"]) == (
        "Recommended for The Scout: Focus gives you your bursts of damage; this makes it stronger."
    )


def test_a_value_that_matters_is_recommended_by_the_order_of_the_role(capital: Ruleset) -> None:
    spec = CharacterSpec(capital, "7", "Nix", answers={"role": "role/the-tank"})
    made = spec.replay(RecommendedAnswers("7"))
    advice = {d.id: recommendations(d) for d in made.asked}
    assert list(advice["role.plus"]) == ["str"]
    assert list(advice["role.minus"]) == ["vsn"]
    assert advice["role.plus"]["str"].reason == "the one you use most."


def test_a_list_points_at_what_is_recommended_and_gives_the_reason(capital: Ruleset) -> None:
    spec = CharacterSpec(capital, "7", "Nix", answers={"role": "role/the-tank"})
    asset = spec.replay().decision("asset")
    assert asset is not None
    page = decision_page(asset, MISSING, RecommendedAnswers("7"))
    assert isinstance(page, ListPage)
    assert page.pointed_value == "special-weapon/shield"
    (shield,) = [item for item in page.items() if item.value == page.pointed_value]
    assert shield.recommended.startswith("Recommended for The Tank: Nothing Blocks better")
