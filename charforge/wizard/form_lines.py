"""A form in lines: its rows are numbered, and each change is typed after its number."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from charforge.language import N_, _
from charforge.usecases.names import numbered
from charforge.wizard.form import ChoiceEntry, Form, FormRow, OpenField, RowKind
from charforge.wizard.pages import Back, TermsAsked, line_texts, wrapped
from charforge.wizard.panel import one_line

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
                self.say(one_line(self.form.values()) or _(NO_SCORES))
                continue
            row = numbered(typed.removeprefix(ABOUT), rows)
            if row is not None and typed.startswith(ABOUT):
                text = "\n".join(filter(None, (row.recommended, row.about))) or row.label
                self.say(*line_texts(wrapped(text, self.width)))
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
            shown = row.label if is_command else f"{_with_colon(row.label)} {row.text}"
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
        typed = self.read(f"{_with_colon(row.label + kept)} ")
        if typed:
            is_erased = typed == EMPTY and row.kind is RowKind.TEXT
            self.form.change(entry.typed(row.id, "" if is_erased else typed))
        after = next((other for other in self.form.rows() if other.id == row.id), row)
        if after.problem:
            self.say(after.problem)


def is_common_key(typed: str, explains: bool) -> bool:
    """Return whether the player asks for their character, on any page.

    Raises Back to go back, and TermsAsked for the words on the page if it ``explains`` them.
    """
    if typed == BACK:
        raise Back
    if typed == ABOUT and explains:
        raise TermsAsked
    return typed == CHARACTER


def _with_colon(label: str) -> str:
    """Return a label as the beginning of a line: a question needs no colon."""
    return label if label.endswith("?") else f"{label}:"
