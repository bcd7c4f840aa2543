"""What a page says about its keys, and which words it explains first."""

from __future__ import annotations

from typing import Any

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import DummyOutput

from charforge.decisions.base import MenuItem, NumberField, NumberFields, TextField
from charforge.language import _, set_language
from charforge.rules.ruleset import Ruleset
from charforge.usecases.advise import Advice
from charforge.wizard.form import ChoiceEntry, Form, TextEntry
from charforge.wizard.form_view import FormView
from charforge.wizard.list_pages import ListPage, NumberPage
from charforge.wizard.menu import Menu, MenuView
from charforge.wizard.pages import TermsAsked, WizardPage, always, line_texts
from charforge.wizard.screen import Screen
from charforge.wizard.terms import ExplainedPrompts


class Terminal(DummyOutput):
    """The usual size of a terminal."""

    def get_size(self) -> Size:
        """Return 24 lines of 80 columns."""
        return Size(24, 80)


def view(number: int) -> MenuView:
    items = [MenuItem(n, f"Number {n}", about="One\ntwo\nthree.") for n in range(number)]
    return MenuView(
        WizardPage("Test", question="Which?", help=" ".join(["words"] * 60)),
        Menu(ListPage(items)),
        Terminal(),
    )


@pytest.mark.parametrize(("number", "says_so"), [(5, False), (12, True), (13, True), (40, True)])
def test_a_list_longer_than_the_screen_says_that_typing_searches(
    number: int, says_so: bool
) -> None:
    shown = view(number)
    assert (len(shown.rows(78)) > shown.sizes().rows) == says_so
    assert ("search" in line_texts([shown.keys()])[0]) == says_so


def test_every_list_can_be_searched() -> None:
    shown = view(5)
    shown.buffer.insert_text("3")
    assert [row.item.label for row in shown.menu.rows if row.item] == ["Number 3"]
    assert shown.searched_width() == len(" search: 3") + 1
    assert "Esc clear search" in line_texts([shown.keys()])[0]


class Keyboard(Screen):
    """A screen that nobody sees, with keys from a pipe."""

    def __init__(self, keys: PipeInput) -> None:
        self.output, self.input = Terminal(), keys


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("12", 12),
        ("2\x011", 12),  # Ctrl-A: the beginning
        ("2\x011\x050", 120),  # Ctrl-E: the end
        ("number 99\x17\x7f 7", 7),  # Ctrl-W: the last word; Backspace
        ("99\x157", 7),  # Ctrl-U: the whole line
        ("\x1b[200~1\n10\x1b[201~\x7f\x7f\x7f3", 13),  # pasted as one line
    ],
)
def test_a_search_is_edited_with_the_keys_of_every_text(typed: str, found: int) -> None:
    with create_pipe_input() as keys:
        keys.send_text(f"{typed}\r")
        listed = ListPage([MenuItem(n, f"Number {n}") for n in range(130)])
        assert Keyboard(keys).menu(WizardPage("Test"), listed) == found


@pytest.mark.parametrize(
    ("stop", "short"), [(None, "Ctrl-C save, quit"), ("cancel", "Ctrl-C cancel")]
)
def test_what_is_saved_is_never_called_quitting_alone(stop: str | None, short: str) -> None:
    page = WizardPage("Test") if stop is None else WizardPage("Test", stop=stop)
    assert always(page, short=True)[1] == short
    assert always(page)[1].startswith(short[: len("Ctrl-C save")])


class Asking:
    """Prompts of a player who asks for the words of a page, and reads their list."""

    keys_help = ""

    def __init__(self) -> None:
        self.lists: list[list[str]] = []

    def menu(self, _page: WizardPage, list_page: ListPage) -> Any:
        """Ask for help on the first page; then read what is shown."""
        self.lists.append([item.label for item in list_page.items()])
        if len(self.lists) == 1:
            raise TermsAsked
        return ""


def test_the_words_of_the_question_are_explained_before_earlier_answers(toy: Ruleset) -> None:
    names = [entity.name for entity in toy.entities.values() if entity.text][:2]
    for first, second in (names, reversed(names)):
        player = Asking()
        page = WizardPage("Test", question=f"Do you want {first}?", answers=(("Before", second),))
        ExplainedPrompts(player, toy).menu(page, ListPage([MenuItem("yes", "Yes")], "yes"))  # type: ignore[arg-type]
        assert player.lists[1] == [first, second]


def test_a_long_text_on_a_form_can_be_read_to_its_end() -> None:
    """Page Down shows the rest of the text of an answer; moving on begins with the next one."""
    long = " ".join(f"word{n}" for n in range(150))
    options = (MenuItem("a", "A", about=long), MenuItem("b", "B", about=long))
    entries = [ChoiceEntry(name, name, options, "a") for name in ("first", "second")]
    shown = FormView(WizardPage("Test"), Form(entries), Terminal())
    assert "PgDn more" in line_texts([shown.rule()])[0]
    bound = shown.bindings().bindings
    page_down = next(binding for binding in bound if binding.keys == (Keys.PageDown,))
    seen = ""
    for _page in range(shown.text_pages()):
        seen += " ".join(line_texts(shown.text_in_view()))
        page_down.handler(None)  # type: ignore[arg-type]
    assert seen.split() == long.split()
    page_down.handler(None)  # type: ignore[arg-type]
    shown.move(1)
    assert (shown.row.id, shown.text_page) == ("second", 0)


def test_home_and_end_go_to_the_ends_of_a_form() -> None:
    options = (MenuItem("a", "A"), MenuItem("b", "B"))
    entries = [ChoiceEntry(name, name, options, "a") for name in ("first", "second", "third")]
    shown = FormView(WizardPage("Test"), Form(entries), Terminal())
    last = shown.form_rows()[-1].id
    for key, row in ((Keys.End, last), (Keys.Home, "first")):
        binding = next(one for one in shown.bindings().bindings if one.keys == (key,))
        binding.handler(None)  # type: ignore[arg-type]
        assert shown.row.id == row


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_keys_of_a_form_have_room_in_every_language(language: str) -> None:
    """Help, the way back and the way out are named at 80 columns."""
    set_language(language)
    widget = TextField(lambda _text: ())
    options = (MenuItem("a", "A"), MenuItem("b", "B"))
    entries = [
        TextEntry("text", "Text", widget, "typed"),
        TextEntry("number", "Number", widget, "7", is_number=True),
        ChoiceEntry("choice", "Choice", options, "a"),
        ChoiceEntry("list", "List", options, "a", opens=True),
    ]
    for entry in entries:
        shown = FormView(WizardPage("Test", explains=True), Form([entry]), Terminal())
        (line,) = line_texts([shown.keys()])
        for key in (_("Enter {action}").format(action="")[:5], _("Esc back"), _("Ctrl-C {stop}")):
            assert key.partition(" {")[0] in line, line
        assert _("? help") in line or _("F1 help") in line, line


def keys_of_scores(language: str, complete: bool) -> str:
    """Return the line of keys of a page with numbers, at 80 columns."""
    set_language(language)
    fields = [NumberField(name, name, name) for name in ("a", "b")]
    start = {"a": 1, "b": 2} if complete else {"a": 1}
    missing = () if complete else ("b",)
    numbers = NumberPage(
        NumberFields(fields, start, lambda *_all: (1, 2), "", lambda _now: "", lambda _now: missing)
    )
    numbers.advice = lambda _progress: Advice("", "", ())
    shown = MenuView(WizardPage("Test", explains=True), Menu(numbers), Terminal())
    (line,) = line_texts([shown.keys()])
    assert len(line) < 80
    return line


@pytest.mark.parametrize("complete", [True, False])
def test_the_keys_of_scores_lead_to_help_in_every_language(complete: bool) -> None:
    """What has no room beside the other keys is on the page behind the question mark."""
    english, german = keys_of_scores("en", complete), keys_of_scores("de", complete)
    assert "?" in english and "Esc back" in english and "Ctrl-C" in english
    assert "?" in german and "Esc zurück" in german and "Strg-C" in german
