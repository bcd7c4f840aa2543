"""What the wizard shows for one question, whichever terminal it is asked on.

A page is data; ``head`` and ``wrapped`` set it in lines of styled text
that fit a width. ``Prompts`` is what a terminal must be able to do:
``screen.Screen`` does it on a whole screen, ``plain.Lines`` line by line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from prompt_toolkit.utils import get_cwidth

from charforge.decisions.widgets import MenuItem
from charforge.expressions import markup as prose
from charforge.expressions.template import NO_BREAK

Fragment = tuple[str, str]
StyledLine = list[Fragment]
PIECE = re.compile(r"[ \n]+|[^ \n]+")
WIDEST = 100
MARGIN = " "
TOLD_LINES = 2


class Back(Exception):
    """The player wants the question before this one."""


@dataclass(frozen=True, slots=True)
class WizardPage:
    """One question with what stands around it.

    ``told`` are the answers just before, ``status`` how far this answer
    has come, ``note`` what the player must know now.
    """

    title: str
    step: str = ""
    number: int = 1
    total: int = 1
    intro: str = ""
    told: tuple[tuple[str, str], ...] = ()
    question: str = ""
    help: str = ""
    status: tuple[str, ...] = ()
    note: str = ""


class Prompts(Protocol):
    """A terminal that can be asked on.

    Both questions raise Back, KeyboardInterrupt, and EOFError or OSError
    when the terminal is gone.
    """

    def __enter__(self) -> Self: ...

    def __exit__(self, *_exception: object) -> None: ...

    def menu(self, page: WizardPage, items: Sequence[MenuItem], start: Any = None) -> Any:
        """Return the value of the entry that is taken; ``start`` is pointed at first."""
        ...

    def line(
        self,
        page: WizardPage,
        text: str,
        problem: Callable[[str], str],
        examples: Sequence[str] = (),
    ) -> str:
        """Return a line of text without problems; ``text`` stands there already."""
        ...


def head(page: WizardPage, width: int, room: int) -> list[StyledLine]:
    """Set everything above the answer in at most ``room`` lines, where that can be.

    Earlier answers give way first, then the introduction. The question
    and the answer just before it stay: a roll must be seen.
    """
    width = min(width, WIDEST) - len(MARGIN)
    bar = [_banner(page, width), _progress(page, width), []]
    intro = [*wrapped(page.intro, width, "class:intro"), []] if page.intro else []
    told = [_answer_lines(*told, width) for told in page.told]
    asked = wrapped(page.question, width, "class:question")
    asked += wrapped(page.help, width, "class:help")
    for status in page.status:
        asked += wrapped(status, width, "class:status", markup=False)
    asked += wrapped(page.note, width, "class:note", markup=False)
    asked.append([])
    free = room - len(bar) - len(asked) - len(intro) - 1
    while len(told) > 1 and sum(map(len, told)) > free:
        told.pop(0)
    if told and len(told[0]) > free:
        intro = []
    before = [*(line for lines in told for line in lines), []] if told else []
    return [_indented(line) for line in (*bar, *intro, *before, *asked)]


def _banner(page: WizardPage, width: int) -> StyledLine:
    step = f"Step {page.number} of {page.total} · {page.step}" if page.step else ""
    title = clipped(page.title, max(0, width - get_cwidth(step) - 2))
    gap = max(1, width - get_cwidth(title) - get_cwidth(step))
    return [("class:title", title), ("", " " * gap), ("class:step", clipped(step, width))]


def _progress(page: WizardPage, width: int) -> StyledLine:
    done = round(width * page.number / max(page.total, 1))
    return [("class:bar.done", "━" * done), ("class:bar.left", "─" * (width - done))]


def _answer_lines(label: str, answer: str, width: int) -> list[StyledLine]:
    """Set an earlier answer in one or two lines."""
    words = [("class:done", "✓ "), ("class:told", f"{label} · "), ("class:told.answer", answer)]
    lines = _filled(_split(words), width, hanging="  ")
    if len(lines) > TOLD_LINES:
        last = "".join(text for _style, text in lines[TOLD_LINES - 1])
        lines[TOLD_LINES - 1 :] = [[("class:told.answer", clipped(last + " …", width))]]
    return lines


def _indented(line: StyledLine) -> StyledLine:
    return [("", MARGIN), *line] if line else line


def wrapped(text: str, width: int, style: str = "", markup: bool = True) -> list[StyledLine]:
    """Set a text in lines; the pack's markup where it is the pack's."""
    lines: list[StyledLine] = []
    for block in prose.parse_markup(text) if markup else prose.player_text(text):
        words = [(_styled(style, span), span.text) for span in block.spans]
        bullet: list[Fragment] = [(style, "• ")] if block.listed else []
        lines += _filled(_split(words, bullet), width, hanging="  " if block.listed else "")
    return lines


def _styled(style: str, span: prose.Span) -> str:
    bold, italic = " bold" if span.bold else "", " italic" if span.italic else ""
    return f"{style}{bold}{italic}".strip()


def _split(spans: Iterable[Fragment], start: Sequence[Fragment] = ()) -> Iterator[StyledLine]:
    """Yield words, each as the fragments it consists of: ``**bold**,`` is one word."""
    word: StyledLine = list(start)
    for style, text in spans:
        for piece in PIECE.findall(text):
            if piece.isspace():
                yield word
                word = []
            else:
                word.append((style, piece))
    yield word


def _filled(words: Iterable[StyledLine], width: int, hanging: str = "") -> list[StyledLine]:
    """Fill lines with words; one that is wider than a line is cut into several."""
    lines: list[StyledLine] = []
    line: StyledLine = []
    used, begun = 0, False
    for part in (part for word in words for part in _cut(word, width - len(hanging))):
        wide = _width(part)
        if begun and used + 1 + wide > width:
            lines.append(line)
            line, used, begun = [("", hanging)], len(hanging), False
        if begun:
            line.append((part[0][0], " "))
        line += [(style, text.replace(NO_BREAK, " ")) for style, text in part]
        used += wide + begun
        begun = True
    return [*lines, line] if begun else lines


def _cut(word: StyledLine, width: int) -> Iterator[StyledLine]:
    """Yield a word in parts that fit a line; nothing for no word."""
    if _width(word) <= width:
        if word:
            yield word
        return
    part: StyledLine = []
    for style, sign in ((style, sign) for style, text in word for sign in text):
        if part and _width(part) + get_cwidth(sign) > width:
            yield part
            part = []
        part.append((style, sign))
    yield part


def _width(line: StyledLine) -> int:
    return sum(get_cwidth(text) for _style, text in line)


def clipped(text: str, width: int) -> str:
    """Cut a text to one line of a width, with an ellipsis where something is missing."""
    text = text.replace("\n", " ")
    if get_cwidth(text) <= width:
        return text
    while text and get_cwidth(text) > width - 1:
        text = text[:-1]
    return f"{text}…" if width > 0 else ""


def padded(text: str, width: int) -> str:
    """Clip or fill a text to exactly a width."""
    text = clipped(text, width)
    return text + " " * (width - get_cwidth(text))
