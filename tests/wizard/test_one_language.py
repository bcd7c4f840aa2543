"""Pages of the wizard have one language: that of the reader if the game has it, or its own.

Each question is asked line by line, with everything else answered, then the review. Then all pages
are drawn as they fill a screen, with the words that they explain and the options that they compare,
and those of the shop. The program speaks the language for tests and the game does not, and the
other way round.
"""

from __future__ import annotations

import io
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import DummyOutput

from charforge import wizard
from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import AnswersFile
from charforge.cli import prompt
from charforge.decisions.base import TextField
from charforge.language import _, page, set_language, speak
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.wizard import flow, screen
from charforge.wizard.form import Form, OpenField, RowKind, TextEntry
from charforge.wizard.form_view import FormView
from charforge.wizard.list_pages import Leave, ListPage
from charforge.wizard.menu import Menu, MenuView
from charforge.wizard.pages import (
    AdviceAsked,
    Back,
    PageView,
    TermsAsked,
    WizardPage,
    line_texts,
    panel_lines,
)
from charforge.wizard.screen import KEYS_HELP
from charforge.wizard.shop import Shop
from tests.cli.test_one_language import PSEUDO_LETTERS, plain_words
from tests.conftest import HARBOUR
from tests.pseudo import PSEUDO, add_pseudo
from tests.samples import few
from tests.translations import installed_games
from tests.wizard.test_page_counts import Hurried

TYPED = ("?", "", "1", "", "2", "", "")
KEPT = {"ada", "ctrl", "esc", "enter"}
GAMES = ("harbour", "smithy", "watch")


@pytest.fixture(params=["plain", "translated", "foreign"])
def variant(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Games without another language, with that of the reader, and in another language."""
    with installed_games(request.param, GAMES, tmp_path / "data"):
        yield request.param
    set_language("en")


def pages(
    rules: Ruleset, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[tuple[str, str]]:
    """Yield the id of each question and what the wizard prints of it, then of the review."""
    level = min(2, rules.head.advancement.maximum)
    made = create_character(CharacterSpec(rules, "1", "Ada", level), RandomAnswers("1"))
    answers = dict(made.answers)
    for name in (*answers, "the review"):
        others = {key: answer for key, answer in answers.items() if key != name}
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in TYPED)))
        spec = CharacterSpec(rules, "1", "Ada", level, answers=others)
        with pytest.raises((KeyboardInterrupt, EOFError)), page():
            speak(rules.page_language)
            wizard.flow.run(spec, lambda _spec: None)
            raise KeyboardInterrupt  # it came to an end
        yield name, capsys.readouterr().err


@pytest.mark.parametrize("game", GAMES)
def test_pages_of_the_wizard_have_one_language(
    game: str, variant: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    add_pseudo()
    reader = "en" if variant == "foreign" else PSEUDO
    set_language(reader)
    texts = [file.read_text(encoding="utf-8") for file in HARBOUR.with_name(game).glob("*.yaml")]
    words = {word.casefold() for text in texts for word in re.findall(r"[^\W\d_]{3,}", text)}
    found: dict[str, list[str]] = {}
    for name, text in pages(load(game), monkeypatch, capsys):
        assert text.count("\n") > 3, name
        pseudo = PSEUDO_LETTERS.search(text)
        if variant == "plain" and pseudo is not None:
            found[name] = [text[max(pseudo.start() - 40, 0) :][:80]]
        elif variant != "plain":
            kept = KEPT | (words if variant == "foreign" else set())
            found[name] = plain_words(text, kept)
    assert len(found) > 3 or variant == "plain"
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


class LargeScreen(DummyOutput):
    """A screen on which every page has room."""

    def get_size(self) -> Size:
        """Return 300 lines of 105 columns."""
        return Size(300, 105)


class Reader(Hurried):
    """A player who reads each page as it is drawn, row by row, and asks for all that it offers.

    In a shop, where no page is the last, they leave when they have seen a page three times.
    """

    def __init__(self, in_shop: bool = False) -> None:
        super().__init__()
        self.in_shop = in_shop
        self.shown: defaultdict[str, list[str]] = defaultdict(list)
        self.wanted: defaultdict[str, list[Exception]] = defaultdict(
            lambda: [AdviceAsked(), TermsAsked()]
        )
        self.seen: defaultdict[str, int] = defaultdict(int)

    @property
    def keys_help(self) -> str:
        return _(KEYS_HELP)

    def read(self, shown: PageView, move: Callable[[], None], rows: int) -> None:
        """Keep the texts of a page, with those of each row that is pointed at."""
        texts = self.shown[shown.page.question or shown.page.title]
        for _row in range(min(rows, 12)):
            drawn = (shown.sizes().above, shown.in_view(), shown.text_in_view())
            lines = [*(line for part in drawn for line in part), shown.rule(), shown.keys()]
            texts += line_texts([*lines, *panel_lines(shown.values())])
            texts += shown.status()
            move()

    def menu(self, page: WizardPage, list_page: ListPage) -> Any:
        view, pointed = MenuView(page, Menu(list_page), LargeScreen()), list_page.pointed_value
        self.read(view, lambda: view.menu.move(1), len(list_page.items()))
        list_page.pointed_value = pointed
        if not page.explains:
            raise Back
        self.seen[page.question] += 1
        for asked in self.wanted[page.question][:]:
            self.wanted[page.question].remove(asked)
            if isinstance(asked, TermsAsked) or list_page.advice is not None:
                raise asked
        if not self.in_shop:
            return super().menu(page, list_page)
        free = [item for item in list_page.items() if not item.against and not item.picked]
        outcome = list_page.enter(free[self.seen[page.question] % len(free)])
        if self.seen[page.question] > 8 or not isinstance(outcome, Leave):
            raise Back
        return outcome.value

    def form(self, page: WizardPage, form: Form, start: str = "") -> OpenField | None:
        view = FormView(page, form, LargeScreen(), start)
        self.read(view, lambda: view.move(1), len(view.form_rows()))
        for asked in self.wanted[page.question][1:]:
            self.wanted[page.question].clear()
            raise TermsAsked(view.row.id) from asked
        problem = form.first_problem()
        self.shown[page.question] += () if problem is None else map(str, problem[1:])
        for row in form.rows() * 3:  # points that have to be spent
            open_row = (form.first_problem() or ("",))[0]
            if row.kind is RowKind.NUMBER and row.id.split(":")[0] == open_row.split(":")[0]:
                form.change(form.field(row.id).stepped(row.id, 1))
        return super().form(page, form, start)

    def line(
        self,
        page: WizardPage,
        text: str,
        problem: Callable[[str], str],
        examples: Sequence[str] = (),
    ) -> str:
        field = TextField(lambda typed: [problem(typed)], str, text, examples=tuple(examples))
        view = FormView(page, Form([TextEntry("line", "", field, text)]), LargeScreen())
        self.read(view, lambda: view.move(1), 1)
        self.shown[page.question] += [problem("x"), problem("-1")]
        return next(word for word in (text, *examples, "Ada", "1") if not problem(word))

    def progress(self, number: int, count: int, label: str) -> None:
        self.shown["what is compared"].append(f"{number} {count} {label}")


def drawn(game: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Return the texts of the pages of new, level-up, edit, and of the shop if there is money."""
    rules = load(game)
    player, climber, editor, customer = Reader(), Reader(), Reader(), Reader(in_shop=True)
    monkeypatch.setattr(flow, "terminal", lambda: player)
    with page():
        speak(rules.page_language)
        done = wizard.flow.run(CharacterSpec(rules, "1", level=1), lambda _spec: None)
        made = replay_document(create_character(done), rules)
        if rules.head.gear.money:
            Shop(made, Path("ada.json"), lambda _before, after, _file: after, customer).run()
        if rules.head.advancement.maximum > 1:
            monkeypatch.setattr(flow, "terminal", lambda: climber)
            wizard.flow.run(replace(done, level=2), lambda _spec: None, fixed=done.answers)
        monkeypatch.setattr(screen, "terminal", lambda: editor)
        with pytest.raises(typer.Exit):  # the reader leaves the list
            prompt.choose_decision(made, made.character.asked)
        for decision in made.character.asked:
            with suppress(typer.Exit):
                prompt.ask_one_decision(made, decision)
    assert len(editor.shown) > 1
    assert climber.shown or rules.head.advancement.maximum == 1
    readers = {"": player, "shop": customer, "level-up": climber, "edit": editor}
    return {
        f"{name} {question}".strip(): texts
        for name, reader in readers.items()
        for question, texts in reader.shown.items()
    }


@pytest.mark.parametrize("game", few(GAMES, 1))
def test_pages_that_fill_the_screen_have_one_language(
    game: str, variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_pseudo()
    set_language("en" if variant == "foreign" else PSEUDO)
    texts = [file.read_text(encoding="utf-8") for file in HARBOUR.with_name(game).glob("*.yaml")]
    words = {word.casefold() for text in texts for word in re.findall(r"[^\W\d_]{3,}", text)}
    names = {word.casefold() for name in load(game).head.names for word in name.split()}
    kept = KEPT | names | (words if variant == "foreign" else set())
    found: dict[str, list[str]] = {}
    for question, lines in drawn(game, monkeypatch).items():
        text = "\n".join(lines)
        pseudo = PSEUDO_LETTERS.search(text)
        if variant == "plain" and pseudo is not None:
            found[question] = [text[max(pseudo.start() - 40, 0) :][:80]]
        elif variant != "plain":
            found[question] = plain_words(text, kept)
    assert len(found) > 3 or variant == "plain"
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_the_drafts_are_listed_in_the_language_of_the_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_pseudo()
    set_language(PSEUDO)
    reader = Reader()
    monkeypatch.setattr(screen, "terminal", lambda: reader)
    drafts = [AnswersFile(Path("ada.draft.yaml"), "harbour", "Ada", answers={"role": "sailor"})]
    assert prompt.choose_draft(drafts) is None
    assert prompt.choose_level_up_draft(drafts, "Ada") is None
    set_language("en")
    kept = KEPT | {"charforge", "harbour", "draft", "yaml"}
    assert len(reader.shown) == 2
    assert {q: plain_words("\n".join(lines), kept) for q, lines in reader.shown.items()} == {
        question: [] for question in reader.shown
    }
