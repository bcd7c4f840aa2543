"""Line prompts, for terminals without cursor control and for screen readers.

Entries are numbered; every answer is typed and ends with Enter. The cursor
is never moved, and there are no colours.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from charforge.decisions.base import MenuItem
from charforge.language import N_, _, with_colon
from charforge.rules.names import numbered
from charforge.wizard.form import ChoiceEntry, Form, FormRow, OpenField, RowKind
from charforge.wizard.list_pages import (
    DID_YOU_MEAN,
    KeyOutcome,
    Leave,
    ListPage,
    PageCommand,
    search_items,
)
from charforge.wizard.pages import (
    COMPARE_KEY,
    AdviceAsked,
    Back,
    TermsAsked,
    WizardPage,
    head,
    line_texts,
    values_line,
    wrapped_lines,
)

WIDTH = 79
EXAMPLES = 3
AVAILABLE = "*"


class LinePrompts:
    """Prompts that print lines on standard error and read answers from standard input."""

    keys_help = ""  # the hints of each list and form say it

    def __init__(self) -> None:
        self._step = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None: ...

    def menu(self, page: WizardPage, list_page: ListPage) -> Any:
        """Return the value with which a list is left, by the numbers that are typed."""
        self._show(replace(page, status=(*page.status, *list_page.status())))
        items: Sequence[MenuItem] = list_page.items()
        self._list(items, items)
        hints = _hints(items, page.explains)
        if list_page.advice is not None:
            hints = _(", {key} compare{more}").format(key=COMPARE_KEY, more=hints)
        while True:
            default = _default(list_page, items)
            enter = _("Enter lists again")
            if default is not None:
                enter = _("Enter for {index} ({label})").format(
                    index=items.index(default) + 1, label=default.label
                )
            typed = self._read(_("Number ({enter}{hints}): ").format(enter=enter, hints=hints))
            hints = ""  # once a page is enough
            if typed == COMPARE_KEY and list_page.advice is not None:
                raise AdviceAsked
            if is_common_key(typed, page.explains):
                self._print(values_line(list_page.values() or page.values) or _(NO_SCORES))
                continue
            if not typed and default is not None:
                outcome = list_page.enter(default)
            else:
                outcome = self._act(typed, items, list_page)
            if isinstance(outcome, Leave):
                return outcome.value
            items = self._changed(items, outcome, list_page)

    def _act(self, typed: str, items: Sequence[MenuItem], list_page: ListPage) -> KeyOutcome:
        """Do what was typed: select, pick or remove an entry, describe it, search or filter."""
        item = numbered(typed.removeprefix(ABOUT), items)
        if not typed or typed == AVAILABLE:
            shown = [i for i in items if not typed or not i.against or i.picked]
            self._list(items, shown)
        elif item is None:
            found, is_corrected = search_items(items, typed)
            self._print(*([_(DID_YOU_MEAN)] if is_corrected else []))
            self._list(items, found)
        elif typed.startswith(ABOUT):
            self._print(*list_page.changes(item))
            text = "\n".join(filter(None, (item.recommended, item.about))) or item.label
            self._print(*line_texts(wrapped_lines(text, WIDTH)))
        elif item.is_number:
            number = self._read(_("{label} ({back} back): ").format(label=item.label, back=BACK))
            return "" if number == BACK else list_page.number(item, number)
        elif item.picked and item.again and not item.against:
            return list_page.step(item, True)
        else:
            return list_page.space(item)
        return ""

    def _changed(
        self, before: Sequence[MenuItem], message: str, list_page: ListPage
    ) -> Sequence[MenuItem]:
        """Print what a typed number has changed in a list, and return its present entries."""
        if message:
            self._print(message)
        items = list_page.items()
        for item in items:
            was = next((other for other in before if other.value == item.value), None)
            if item.picked is not None and was is not None and was.picked != item.picked:
                times = f" × {item.picked}" if item.picked and item.picked > 1 else ""
                self._print(f"{_('Picked') if item.picked else _('Removed')}: {item.label}{times}")
            elif item.is_number and was is not None and was.detail != item.detail:
                self._print(f"{item.label}: {item.detail}")
        if items != before:
            self._print(*list_page.status())
        return items

    def line(
        self,
        page: WizardPage,
        text: str,
        problem: Callable[[str], str],
        examples: Sequence[str] = (),
    ) -> str:
        """Return a line without problems; an empty line keeps ``text``."""
        self._show(page)
        if text:
            self._print(
                _("Enter alone keeps: {text}").format(text=text), _("- alone makes it empty.")
            )
        for example in examples[:EXAMPLES]:
            self._print(*textwrap.wrap(_("Example: {example}").format(example=example), WIDTH))
        while True:
            typed = self._read(_("Text ({back} back): ").format(back=BACK))
            if typed == BACK:
                raise Back
            if typed == ABOUT and page.explains:
                raise TermsAsked(text)
            typed = text if not typed else "" if typed == "-" and text else typed
            reason = problem(typed)
            if not reason:
                return typed
            self._print(reason)

    def form(self, page: WizardPage, form: Form, _start: str = "") -> OpenField | None:
        """Let the player fill in a form; return the row that they open, or None at the end."""
        self._show(page)
        return FormLines(form, self._read, self._print, WIDTH, page.explains).ask()

    def progress(self, number: int, count: int, _label: str) -> None:
        """Say once that options are compared."""
        if number == 1:
            self._print(_("Comparing {count} options …").format(count=count))

    def _show(self, page: WizardPage) -> None:
        """Print the head of a page; its step only when it changes."""
        page = replace(page, answers=page.answers[-1:], values=())
        lines = line_texts(head(page, WIDTH, 1000))
        banner, rest = lines[0], lines[3:]
        if page.step != self._step:
            self._step = page.step
            self._print("", banner, "")
        self._print(*rest[:-1])

    def _list(self, items: Sequence[MenuItem], shown: Sequence[MenuItem]) -> None:
        group = ""
        for number, item in enumerate(items, 1):
            if item not in shown:
                continue
            if item.group != group:
                group = item.group
                self._print(f"  {group}:")
            against = (
                _(" (not possible: {against})").format(against=item.against) if item.against else ""
            )
            detail = f"  {item.detail}" if item.detail else ""
            cells = "".join(f", {title}: {text}" for title, text in item.cells if text)
            tick = "" if item.picked is None else f"[{item.picked or ' '}] "
            mark = f" ({_(RECOMMENDED)})" if item.recommended else ""
            text = f"{number:4}  {tick}{item.label}{mark}{detail}{cells}{against}"
            self._print(*textwrap.wrap(text, WIDTH, subsequent_indent=" " * 6))
        if not shown:
            self._print(_("Nothing matches."))

    def _read(self, prompt: str) -> str:
        lines = textwrap.wrap(prompt, WIDTH - len(" "))
        sys.stderr.write("\n".join(lines) + " ")
        sys.stderr.flush()
        typed = sys.stdin.readline()
        if not typed:
            raise EOFError
        return typed.strip()

    def _print(self, *lines: str) -> None:
        sys.stderr.write("".join(f"{line}\n" for line in lines))
        sys.stderr.flush()


def _hints(items: Sequence[MenuItem], explains: bool) -> str:
    """Return what else can be typed at a list."""
    filtered = any(item.against and not item.picked and not item.pinned for item in items)
    available = _(", {available} what is available").format(available=AVAILABLE) if filtered else ""
    words = _("{about} words, ").format(about=ABOUT) if explains else ""
    shown = _("{about}N about N, {words}{character} your character{available}").format(
        about=ABOUT, words=words, character=CHARACTER, available=available
    )
    return _(", {shown}, type to search, {back} back").format(shown=shown, back=BACK)


def _default(list_page: ListPage, items: Sequence[MenuItem]) -> MenuItem | None:
    """Return the entry that Enter alone selects: Done once it is complete, or the start."""
    wanted = PageCommand.DONE if list_page.is_complete() else list_page.pointed_value
    found = next((item for item in items if item.value == wanted), None)
    return None if found is None or found.against or found.is_number else found


RECOMMENDED, NO_SCORES = N_("recommended"), N_("No scores yet.")
BACK, ABOUT, EMPTY, CHARACTER = "<", "?", "-", "="


@dataclass(frozen=True)
class FormLines:
    """Asks for the changes of a form; ``read`` asks for a line, ``say`` prints some."""

    form: Form
    read: Callable[[str], str]
    say: Callable[..., None]
    width: int
    explains: bool = False

    def ask(self) -> OpenField | None:
        """Return the row that the player opens, or None when the form is complete."""
        hints = self._hints()
        while True:
            rows = self._list()
            typed = self.read(_("Line to change (Enter continues{hints}): ").format(hints=hints))
            hints = ""  # once a page is enough
            if is_common_key(typed, self.explains):
                self.say(values_line(self.form.values()) or _(NO_SCORES))
                continue
            row = numbered(typed.removeprefix(ABOUT), rows)
            if row is not None and typed.startswith(ABOUT):
                text = "\n".join(filter(None, (row.recommended, row.about))) or row.label
                self.say(*line_texts(wrapped_lines(text, self.width)))
            elif row is None and typed:
                self.say(_("Please type a number from 1 to {count}.").format(count=len(rows)))
            else:
                problem = self.form.first_problem() if row is None else None
                if row is None and problem is None:
                    return None
                if problem is not None:
                    row = next(row for row in rows if row.id == problem[0])
                    self.say(*([] if row.opens else [problem[1]]))
                if row is not None and row.opens:
                    return OpenField(row.id, continues=problem is not None)
                if row is not None:
                    self._change(row)

    def _hints(self) -> str:
        """Return what else can be typed."""
        words = _("{about} words, ").format(about=ABOUT) if self.explains else ""
        return _(", {about}N about N, {words}{character} your character, {back} back").format(
            about=ABOUT, words=words, character=CHARACTER, back=BACK
        )

    def _list(self) -> list[FormRow]:
        """Print the rows, and return them."""
        rows = self.form.rows()
        heading = ""
        for number, row in enumerate(rows, 1):
            if row.heading != heading:
                heading = row.heading
                self.say(*textwrap.wrap(f"  {heading}", self.width))
            is_command = row.kind is RowKind.COMMAND
            shown = row.label if is_command else f"{with_colon(row.label)} {row.text}"
            shown += f" ({_(RECOMMENDED)})" if row.recommended else ""
            self.say(*textwrap.wrap(
                f"{number:4}  {shown}", self.width, subsequent_indent=" " * 6
            ))  # fmt: skip
        return rows

    def _change(self, row: FormRow) -> None:
        """Ask for the new text or option of a row."""
        entry = self.form.field(row.id)
        if isinstance(entry, ChoiceEntry):
            for number, item in enumerate(entry.items, 1):
                against = (
                    _(" (not possible: {against})").format(against=item.against)
                    if item.against
                    else ""
                )
                mark = f" ({_(RECOMMENDED)})" if item.recommended else ""
                self.say(f"{number:6}  {item.label}{mark}{against}")
            chosen = numbered(self.read(_("{label} Number: ").format(label=row.label)), entry.items)
            if chosen is not None:
                self.form.change(entry.with_answer(chosen.value))
            return
        if row.kind is RowKind.COMMAND:
            self.form.change(entry.stepped(row.id, 1))
            return
        for example in row.examples[:1]:
            self.say(*textwrap.wrap(_("Example: {example}").format(example=example), self.width))
        kept = (
            _(" (Enter keeps {text!r}, {empty} makes it empty)").format(text=row.text, empty=EMPTY)
            if row.text
            else ""
        )
        typed = self.read(f"{with_colon(row.label + kept)} ")
        if typed:
            is_erased = typed == EMPTY and row.kind is RowKind.TEXT
            self.form.change(entry.typed(row.id, "" if is_erased else typed))
        after = next((other for other in self.form.rows() if other.id == row.id), row)
        if after.problem or after.remark:
            self.say(after.problem or after.remark)


def is_common_key(typed: str, explains: bool) -> bool:
    """Return whether the player asks for their character, on any page.

    Raises Back to go back, and TermsAsked for the words on the page if it ``explains`` them.
    """
    if typed == BACK:
        raise Back
    if typed == ABOUT and explains:
        raise TermsAsked
    return typed == CHARACTER
