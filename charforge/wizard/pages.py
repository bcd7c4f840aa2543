"""Pages of the wizard: a question with its context, what the player can want instead, the layout.

``Prompts`` are the operations of a terminal: ``screen.Screen`` fills the
screen, ``line_prompts.LinePrompts`` prints lines. A page is laid out in
lines of text, with the character beside it and a scrollbar at its rows.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import AnyContainer, Dimension, FormattedTextControl, VSplit, Window
from prompt_toolkit.output import Output
from prompt_toolkit.utils import get_cwidth

from charforge.expressions.template import NO_BREAK, Span, parse_markup, player_text
from charforge.language import N_, _
from charforge.usecases.preview import KeyValue
from charforge.wizard.form import Form, OpenField
from charforge.wizard.list_pages import ListPage

SENTENCE_END = re.compile(r"(?<=[.!?])\s")


class Back(Exception):
    """The player wants to go back to the question before this one.

    ``picked`` is what was picked on the page, so that it is there again when
    the page is shown again.
    """

    def __init__(self, picked: Sequence[Any] = ()) -> None:
        super().__init__()
        self.picked = picked


class Stopped(KeyboardInterrupt):
    """The player stopped on a list; ``picked`` is what was picked, for the draft."""

    def __init__(self, picked: Sequence[Any]) -> None:
        super().__init__()
        self.picked = picked


COMPARE_KEY = "!"  # the key that compares the options of a list


class TermsAsked(Exception):
    """The player wants an explanation of the terms on a page.

    ``start`` is where the page goes on afterwards: the row of a form, or the
    text typed so far.
    """

    def __init__(self, start: str = "") -> None:
        super().__init__(start)
        self.start = start


class AdviceAsked(Exception):
    """The player wants the options of a list compared."""


SAVE_AND_QUIT = N_("save draft and quit")


@dataclass(frozen=True, slots=True)
class WizardPage:
    """One question with its context.

    With ``explains``, the player can ask for the terms on it (TermsAsked).
    ``answers`` are labels and texts of the answers just before, ``status``
    the progress of this answer, ``note`` a warning above the prompt,
    ``values`` those of the character, shown next to the question. With
    ``keeps_answer`` the last answer is new to the player and always shown: the
    result of a roll. ``stop`` is what Ctrl-C does.
    """

    title: str
    step: str = ""
    number: int = 1
    total: int = 1
    intro: str = ""
    answers: tuple[tuple[str, str], ...] = ()
    question: str = ""
    help: str = ""
    status: tuple[str, ...] = ()
    note: str = ""
    explains: bool = False
    keeps_answer: bool = False
    values: tuple[KeyValue, ...] = ()
    stop: str = SAVE_AND_QUIT


class Prompts(Protocol):
    """A terminal that can be asked on.

    All questions raise Back, TermsAsked, AdviceAsked, KeyboardInterrupt, and EOFError or OSError
    when the terminal is gone.
    """

    @property
    def keys_help(self) -> str:
        """A text on the keys of every page; empty where lines are typed and no keys pressed."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_exception: object) -> None: ...

    def menu(self, page: WizardPage, list_page: ListPage) -> Any:
        """Show a list until a key leaves it, and return the value with which it is left."""
        ...

    def line(
        self,
        page: WizardPage,
        text: str,
        problem: Callable[[str], str],
        examples: Sequence[str] = (),
    ) -> str:
        """Return a line of text without problems; ``text`` is filled in already."""
        ...

    def form(self, page: WizardPage, form: Form, start: str = "") -> OpenField | None:
        """Let the player fill in a form; return None when all of it is answered.

        Or return the row that they open on a page of its own. ``start`` is
        the row pointed at first.
        """
        ...

    def progress(self, number: int, count: int, label: str) -> None:
        """Say between two pages which option of how many is compared now."""
        ...


def first_sentence(text: str) -> str:
    """Return the first sentence of a text."""
    return SENTENCE_END.split(text, maxsplit=1)[0]


# ------------------------------------------------------------------ pages laid out


Fragment = tuple[str, str]
StyledLine = list[Fragment]
WORDS_AND_SPACES = re.compile(r"[ \n]+|[^ \n]+")
WIDEST_PAGE = 100
MARGIN = " "
ANSWER_LINES = 2
WIDE = 110  # columns of a screen with a panel
PANEL_WIDTH = 34
SCORES_IN_A_ROW = 3
LABEL, VALUE, RULE, HEADING = "class:earlier", "class:detail", "class:rule", "class:separator"


def head(page: WizardPage, width: int, room: int) -> list[StyledLine]:
    """Return everything above the prompt in at most ``room`` lines, if possible.

    Earlier answers are left out first, except one that is new; then the
    introduction is cut to its first sentence, which says why the page matters.
    """
    width = min(width, WIDEST_PAGE) - len(MARGIN)
    bar = [_banner(page, width), _progress(page, width), *strip(page.values, width), []]
    intro = [*wrapped_lines(page.intro, width, "class:intro"), []] if page.intro else []
    answers = [_answer_lines(*answer, width) for answer in page.answers]
    question = wrapped_lines(page.question, width, "class:question")
    question += wrapped_lines(page.help, width, "class:help")
    for status in page.status:
        question += wrapped_lines(status, width, "class:status", markup=False)
    question += wrapped_lines(page.note, width, "class:note", markup=False)
    question.append([])
    free = room - len(bar) - len(question) - len(intro) - 1
    while len(answers) > page.keeps_answer and sum(map(len, answers)) + 1 > free:
        answers.pop(0)
    before = [*(line for lines in answers for line in lines), []] if answers else []
    if page.intro and len(before) > free:
        intro = wrapped_lines(first_sentence(page.intro), width, "class:intro")
        before = before[:-1]
    return [_indented(line) for line in (*bar, *intro, *before, *question)]


def strip(values: Sequence[KeyValue], width: int) -> list[StyledLine]:
    """Return the values of the character in lines above the question."""
    return _filled(strip_words(values), width)


def _banner(page: WizardPage, width: int) -> StyledLine:
    step = (
        _("Step {number} of {total} · {step}").format(
            number=page.number, total=page.total, step=page.step
        )
        if page.step
        else ""
    )
    title = clipped(page.title, max(0, width - get_cwidth(step) - 2))
    gap = max(1, width - get_cwidth(title) - get_cwidth(step))
    return [("class:title", title), ("", " " * gap), ("class:step", clipped(step, width))]


def _progress(page: WizardPage, width: int) -> StyledLine:
    done = round(width * page.number / max(page.total, 1))
    return [("class:bar.done", "━" * done), ("class:bar.left", "─" * (width - done))]


def _answer_lines(label: str, answer: str, width: int) -> list[StyledLine]:
    """Return an earlier answer in one or two lines."""
    words = [
        ("class:done", "✓ "),
        ("class:earlier", f"{label} · "),
        ("class:earlier.answer", answer),
    ]
    lines = _filled(_split(words), width, hanging="  ")
    if len(lines) > ANSWER_LINES:
        last = "".join(text for _style, text in lines[ANSWER_LINES - 1])
        lines[ANSWER_LINES - 1 :] = [[("class:earlier.answer", clipped(last + " …", width))]]
    return lines


def _indented(line: StyledLine) -> StyledLine:
    return [("", MARGIN), *line] if line else line


def wrapped_lines(text: str, width: int, style: str = "", markup: bool = True) -> list[StyledLine]:
    """Return a text in lines of a width; ``markup`` is true for texts of packs."""
    lines: list[StyledLine] = []
    for block in parse_markup(text) if markup else player_text(text):
        words = [(_styled(style, span), span.text) for span in block.spans]
        bullet: list[Fragment] = [(style, "• ")] if block.listed else []
        lines += _filled(_split(words, bullet), width, hanging="  " if block.listed else "")
    return lines


def _styled(style: str, span: Span) -> str:
    bold, italic = " bold" if span.bold else "", " italic" if span.italic else ""
    return f"{style}{bold}{italic}".strip()


def _split(spans: Iterable[Fragment], start: Sequence[Fragment] = ()) -> Iterator[StyledLine]:
    """Yield words as lists of fragments: ``**bold**,`` is one word of two fragments."""
    word: StyledLine = list(start)
    for style, text in spans:
        for piece in WORDS_AND_SPACES.findall(text):
            if piece.isspace():
                yield word
                word = []
            else:
                word.append((style, piece))
    yield word


def _filled(words: Iterable[StyledLine], width: int, hanging: str = "") -> list[StyledLine]:
    """Return words in lines; a word wider than a line is cut, later lines begin ``hanging``."""
    lines: list[StyledLine] = []
    line: StyledLine = []
    used, begun = 0, False
    for part in (part for word in words for part in _cut(word, width - len(hanging))):
        part_width = line_width(part)
        if begun and used + 1 + part_width > width:
            lines.append(line)
            line, used, begun = [("", hanging)], len(hanging), False
        if begun:
            line.append((part[0][0], " "))
        line += [(style, text.replace(NO_BREAK, " ")) for style, text in part]
        used += part_width + begun
        begun = True
    return [*lines, line] if begun else lines


def _cut(word: StyledLine, width: int) -> Iterator[StyledLine]:
    """Yield a word in parts that fit in a line; nothing for an empty word."""
    if line_width(word) <= width:
        if word:
            yield word
        return
    part: StyledLine = []
    for style, character in ((style, character) for style, text in word for character in text):
        if part and line_width(part) + get_cwidth(character) > width:
            yield part
            part = []
        part.append((style, character))
    yield part


def line_width(line: StyledLine) -> int:
    """Return the columns of a line."""
    return sum(get_cwidth(text) for _style, text in line)


def clipped(text: str, width: int) -> str:
    """Cut a text to one line of a width, with an ellipsis if it is longer."""
    text = text.replace("\n", " ")
    if get_cwidth(text) <= width:
        return text
    while text and get_cwidth(text) > width - 1:
        text = text[:-1]
    return f"{text}…" if width > 0 else ""


def padded(text: str, width: int) -> str:
    """Cut or pad a text to exactly a width."""
    text = clipped(text, width)
    return text + " " * (width - get_cwidth(text))


def line_texts(lines: Sequence[StyledLine]) -> list[str]:
    """Return lines as plain texts."""
    return ["".join(text for _style, text in line) for line in lines]


def panel_width(columns: int, values: Sequence[KeyValue]) -> int:
    """Return the columns that the panel takes from a screen; 0 if there is none."""
    return PANEL_WIDTH if columns >= WIDE and values else 0


def strip_words(values: Iterable[KeyValue]) -> Iterator[StyledLine]:
    """Yield the values of the character, each as one word that is not broken."""
    own = [value for value in values if not value.owner and value.part != "list"]
    for number, value in enumerate(own):
        comma = " ·" if number < len(own) - 1 else ""
        figures = " / ".join(filter(None, (value.text, value.extra)))
        label, text = (part.replace(" ", NO_BREAK) for part in (value.short, figures))
        yield [(LABEL, f"{label}{NO_BREAK}"), (VALUE, text), (LABEL, comma.replace(" ", NO_BREAK))]


def values_line(values: Iterable[KeyValue]) -> str:
    """Return the values of all units as one line of text."""
    texts = (f"{v.owner} {v.short} {v.words}".strip() for v in values if v.part != "list")
    return " · ".join(texts)


def panel_lines(values: Iterable[KeyValue]) -> list[StyledLine]:
    """Return the lines of the panel, each unit below the other."""
    shown = [value for value in values if value.part != "list"]
    lines: list[StyledLine] = []
    for (_unit, owner), group in groupby(shown, key=lambda value: (value.unit, value.owner)):
        lines += [[], [(HEADING, owner)]] if owner else [[]]
        lines += _unit_lines(list(group))
    return [[(RULE, " │ "), *line] for line in lines]


def _unit_lines(values: Sequence[KeyValue]) -> Iterator[StyledLine]:
    """Yield scores three to a line, then each other value on its own line."""
    scores = [value for value in values if value.part == "score"]
    room = PANEL_WIDTH - 4
    widest = max((len(score.short) + len(score.text) + 3 for score in scores), default=1)
    columns = max(1, min(SCORES_IN_A_ROW, room // widest))
    for start in range(0, len(scores), columns):
        line: StyledLine = []
        for score in scores[start : start + columns]:
            gap = " " * (room // columns - len(score.short) - len(score.text) - 1)
            line += [(LABEL, f"{score.short} "), (VALUE, score.text), ("", gap)]
        yield line
    for part, group in groupby(
        (value for value in values if value.part != "score"), key=lambda value: value.part
    ):
        if part == "attack":
            yield []
        for value in group:
            yield from _value_lines(value, room)


def _value_lines(value: KeyValue, room: int) -> Iterator[StyledLine]:
    """Yield a value on one line, or on two if it is too long."""
    label, text = value.short, value.words
    if len(label) + len(text) + 1 <= room:
        yield [(LABEL, f"{label} "), (VALUE, text)]
    else:
        yield [(LABEL, label[:room])]
        yield [(VALUE, f"  {text}"[:room])]


PAGE_STEP = 8  # entries that Page Up and Page Down move over
KEY_GAP = " · "


def always(page: WizardPage, short: bool = False, searching: bool = False) -> tuple[str, str]:
    """Return the keys that every page has; ``short`` for a narrow terminal.

    While a list is searched, Esc ends the search.
    """
    stop = _("save, quit") if short and page.stop == SAVE_AND_QUIT else _(page.stop)
    back = _("Esc clear search") if searching else _("Esc back")
    return (back, _("Ctrl-C {stop}").format(stop=stop))


def key_line(*keys: str) -> StyledLine:
    """Return the line that lists the keys of a page."""
    return [("class:keys", f" {KEY_GAP.join(filter(None, keys))}")]


def common_keys() -> KeyBindings:
    """Return the keys that mean the same everywhere."""
    bindings = KeyBindings()

    @bindings.add(Keys.ControlC, eager=True)
    @bindings.add(Keys.SIGINT, eager=True)
    def _stop(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt())

    @bindings.add(Keys.ControlB, eager=True)
    def _back(event: KeyPressEvent) -> None:
        event.app.exit(exception=Back())

    return bindings


def join_lines(lines: Sequence[StyledLine]) -> StyleAndTextTuples:
    """Return lines as one text."""
    tokens: StyleAndTextTuples = [part for line in lines for part in (*line, ("", "\n"))]
    return tokens[:-1]


MIN_TEXT = 4  # lines below the rows, if they are needed
MOST_TEXT = 6  # lines below the rows, if there is no room for more
ROWS_KEPT = 3  # for rows and text between the head and the end of a tiny screen
STICKY = 4  # rows from which on the heading of the first row stays in view


class PageRow(NamedTuple):
    """One row of a page, or the heading above some."""

    line: StyledLine
    is_heading: bool = False


class _Sizes(NamedTuple):
    """The lines above the rows, and the heights of the rows and of the text below them."""

    above: list[StyledLine]
    rows: int
    text: int


class PageView(ABC):
    """A page with rows: how many lines each part gets, and which rows are in view.

    What is typed goes into the buffer, so that all keys of prompt_toolkit for editing work.
    """

    more: ClassVar[str] = "…"  # after the number of the text's page: the key for the next one

    def __init__(self, page: WizardPage, output: Output, buffer: Buffer) -> None:
        self.page = page
        self.output = output
        self.buffer = buffer
        self.message = ""  # what the last key did or could not do
        self.text_page = 0  # of a text too long for its place
        self._first = 0  # the first row in view
        self._sized: tuple[object, _Sizes] | None = None

    # ------------------------------------------------------------ what a page contains

    @abstractmethod
    def values(self) -> tuple[KeyValue, ...]:
        """Return the values of the character as the page stands now."""

    @abstractmethod
    def version(self) -> object:
        """Return what stays equal as long as the sizes do not change."""

    @abstractmethod
    def rows(self, width: int) -> Sequence[PageRow]:
        """Return all rows."""

    @abstractmethod
    def pointed_row(self) -> int:
        """Return the number of the row that is pointed at, from 0."""

    @abstractmethod
    def text(self) -> list[StyledLine]:
        """Return the text that belongs to the row that is pointed at."""

    @abstractmethod
    def longest_text(self) -> int:
        """Return the lines of the longest text, so that nothing moves with the pointer."""

    @abstractmethod
    def key_names(self) -> Sequence[Sequence[str]]:
        """Return the names of the keys, followed by shorter lists for narrow screens."""

    def status(self) -> tuple[str, ...]:
        """Return the progress in words."""
        return self.page.status

    def pinned(self, _width: int) -> list[StyledLine]:
        """Return the rows that stay above the others."""
        return []

    def searched_width(self) -> int:
        """Return the columns that a search takes of the rule above the text."""
        return 0

    # ------------------------------------------------------------ how it is divided

    def columns(self) -> int:
        """Return the columns of the page without the panel beside it."""
        columns = self.output.get_size().columns
        return columns - panel_width(columns, self.values())

    def width(self) -> int:
        """Return the width of texts in columns."""
        return min(self.columns(), WIDEST_PAGE)

    def sizes(self) -> _Sizes:
        """Return how the page is divided, for the present size of the terminal."""
        key = (self.output.get_size(), self.version())
        if self._sized is None or self._sized[0] != key:
            self._sized = (key, self._divided())
        return self._sized[1]

    def _divided(self) -> _Sizes:
        """Divide the page: the text has room for the longest, but the rows get two thirds.

        The text has at least ``MIN_TEXT`` lines, unless the screen is tiny: the introduction
        and the help of the question give way to it.
        """
        size, columns = self.output.get_size(), self.columns()
        pinned, count = self.pinned(columns - 2), len(self.rows(columns - 2))
        longest = self.longest_text()
        text = longest + 1 if longest else 0
        values = () if columns < size.columns else self.values()
        page = replace(self.page, status=self.status(), values=values)
        room = size.rows - 2 - len(pinned)
        needed = min(count, ROWS_KEPT) + min(text, MIN_TEXT + 1)
        for shown in (page, replace(page, intro=""), replace(page, intro="", help="")):
            above = head(shown, columns, room - count - min(text, MOST_TEXT))
            if len(above) + needed <= room:
                break
        if len(above) > max(1, room - ROWS_KEPT):  # on a tiny screen, the question alone
            above = head(replace(page, intro="", help=""), columns, 0)[-max(1, room - ROWS_KEPT) :]
        left = room - len(above)
        listed = min(count, max(left - text, (2 * left + 2) // 3))
        listed = min(listed, max(ROWS_KEPT, left - min(text, MIN_TEXT + 1)))
        return _Sizes([*above, *pinned], max(1, listed), max(0, min(text, left - listed)))

    def parts(self) -> list[AnyContainer]:
        """Return the windows of the page, from the top."""
        above = FormattedTextControl(lambda: join_lines(self.sizes().above))
        bar = FormattedTextControl(lambda: join_lines(self.scrollbar()))
        text = FormattedTextControl(lambda: join_lines(self.text_in_view()))
        return [
            Window(above, height=lambda: Dimension.exact(len(self.sizes().above))),
            VSplit(
                [self.row_windows(), Window(bar, width=1)],
                height=lambda: Dimension.exact(self.sizes().rows),
            ),
            self.rule_windows(),
            Window(text, height=lambda: Dimension.exact(max(0, self.sizes().text - 1))),
        ]

    def row_windows(self) -> AnyContainer:
        """Return the window of the rows."""
        return Window(FormattedTextControl(lambda: join_lines(self.in_view())))

    def rule_windows(self) -> AnyContainer:
        """Return the window of the rule below the rows, if there is a text."""
        rule = FormattedTextControl(lambda: join_lines([self.rule()]))
        return Window(rule, height=lambda: Dimension.exact(min(1, self.sizes().text)))

    def first_in_view(self) -> int:
        """Return the number of the first row in view, which changes with the pointer."""
        at, height = self.pointed_row(), self.sizes().rows
        margin = 1 if height >= STICKY else 0
        self._first = max(min(self._first, at - margin), at - height + 1 + margin)
        self._first = max(0, min(self._first, len(self.rows(self.columns() - 2)) - height))
        return self._first

    def in_view(self) -> list[StyledLine]:
        """Return the rows in view.

        The heading of the first one stays in view, because it has the titles of a table.
        """
        rows, height, first = self.rows(self.columns() - 2), self.sizes().rows, self.first_in_view()
        lines = [row.line for row in rows[first : first + height]]
        if height >= STICKY and first and not rows[first + 1].is_heading:
            headings = [row.line for row in rows[: first + 1] if row.is_heading]
            lines[:1] = headings[-1:] or lines[:1]
        return lines

    def scrollbar(self) -> list[StyledLine]:
        """Return the scrollbar, which shows without colours too; empty if all rows are in view."""
        count, height = len(self.rows(self.columns() - 2)), self.sizes().rows
        if count <= height:
            return []
        thumb = max(1, height * height // count)
        start = self.first_in_view() * (height - thumb) // max(1, count - height)
        in_thumb = (start <= number < start + thumb for number in range(height))
        return [[("class:pointer", "┃") if is_thumb else ("class:rule", "│")]
                for is_thumb in in_thumb]  # fmt: skip

    def text_pages(self) -> int:
        """Return into how many pages the text is divided."""
        height = max(self.sizes().text - 1, 1)
        return max(1, -(-len(self.text()) // height))

    def rule(self) -> StyledLine:
        """Return the rule below the rows, with the page of the text if it has several."""
        pages = self.text_pages()
        more = f" {self.text_page % pages + 1}/{pages} {_(self.more)} " if pages > 1 else ""
        width = self.width() - self.searched_width() - len(more) - 1
        return [("", " "), ("class:rule", "─" * max(0, width) + more)]

    def text_in_view(self) -> list[StyledLine]:
        """Return one page of the row's text."""
        height, page = self.sizes().text - 1, self.text_page % self.text_pages()
        lines = self.text()[page * height : (page + 1) * height] if height > 0 else []
        return [[("", "  "), *line] for line in lines]

    def keys(self) -> StyledLine:
        """Return the line of keys that fits, or what the last key did."""
        columns = self.output.get_size().columns
        if self.message:
            return [("class:note", clipped(f" {self.message}", columns))]
        lines = [key_line(*names) for names in self.key_names()]
        return next((line for line in lines if line_width(line) < columns), lines[-1])

    # ------------------------------------------------------------ keys

    def is_empty(self) -> bool:
        """Return whether nothing is typed, so that Ctrl-D ends the input."""
        return not self.buffer.text

    def bindings(self) -> KeyBindings:
        """Return what each key does."""
        bindings = common_keys()

        @bindings.add(Keys.ControlD, filter=Condition(self.is_empty), eager=True)
        def _end_of_input(event: KeyPressEvent) -> None:
            event.app.exit(exception=EOFError())

        @bindings.add(Keys.BracketedPaste, eager=True)
        def _paste(event: KeyPressEvent) -> None:
            text = event.data.replace("\r", "").replace("\n", " ")
            event.current_buffer.insert_text("".join(filter(str.isprintable, text)))

        return bindings
