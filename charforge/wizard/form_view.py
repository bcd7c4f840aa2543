"""A form on a full-screen page: a row for each question, and help for the row below them.

Digits and texts are typed where they stand.
"""

from __future__ import annotations

from collections.abc import Iterator

from prompt_toolkit.application import get_app
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output
from prompt_toolkit.utils import get_cwidth

from charforge.language import _
from charforge.usecases.key_values import KeyValue
from charforge.wizard.form import Form, FormRow, OpenField, RowKind
from charforge.wizard.menu import RECOMMENDED
from charforge.wizard.pages import (
    PAGE_STEP,
    Back,
    PageRow,
    PageView,
    StyledLine,
    TermsAsked,
    WizardPage,
    always,
    always_short,
    clipped,
    padded,
    wrapped,
)

MARKS = 7  # columns of a row besides its label and its text
MOST_HELP = 8  # lines below the rows
TYPED = (RowKind.TEXT, RowKind.NUMBER)
MORE, LESS = "+", "-"
LESS_SIGNS = (LESS, "\N{MINUS SIGN}")


class FormView(PageView):
    """A form on its page: which row is pointed at, and what has been typed into it.

    ``start`` is the id of the row to begin with.
    """

    def __init__(self, page: WizardPage, form: Form, output: Output, start: str = "") -> None:
        super().__init__(page, output)
        self.form = form
        self.cursor = 0  # in the text of the row, from its end
        self.begun = False  # whether a digit was typed since the row is pointed at
        rows = form.rows()
        first = next((row.id for row in rows if row.kind is not RowKind.COMMAND), rows[0].id)
        self._at = start if any(row.id == start for row in rows) else first

    # ------------------------------------------------------------ rows

    @property
    def row(self) -> FormRow:
        """The row that is pointed at."""
        rows = self.form.rows()
        return next((row for row in rows if row.id == self._at), rows[0])

    def point(self, row: str) -> None:
        """Point at a row."""
        self._at, self.message, self.cursor, self.begun = row, "", 0, False

    def move(self, steps: int) -> None:
        """Point at a later or earlier row; one beyond an end means the other end."""
        ids = [row.id for row in self.form.rows()]
        at = ids.index(self.row.id) + steps
        if abs(steps) > 1:
            at = min(max(at, 0), len(ids) - 1)
        self.point(ids[at % len(ids)])

    # ------------------------------------------------------------ what is shown

    def values(self) -> tuple[KeyValue, ...]:
        """Return the values of the character with the answers so far."""
        return self.form.values()

    def version(self) -> object:
        """Return the rows as they are now."""
        return self.form.rows()

    def _lines(self) -> Iterator[tuple[str, FormRow | None]]:
        """Yield the headings and rows, from the top."""
        heading = ""
        for row in self.form.rows():
            if row.heading not in (heading, self.page.question):
                heading = row.heading
                yield heading, None
            yield heading, row

    def rows(self, width: int) -> list[PageRow]:
        """Return the headings and rows as styled text."""
        lines = list(self._lines())
        shown = [row for _heading, row in lines if row is not None]
        longest = max(get_cwidth(row.text) for row in shown)
        room = width - MARKS - min(longest + 2, width // 2)
        label_width = min(max(get_cwidth(row.label) for row in shown), max(8, room))
        rows = []
        for heading, row in lines:
            if row is None:
                title = [("class:separator", clipped(f" {heading}", width))]
                rows.append(PageRow(title, is_heading=True))
            else:
                rows.append(PageRow(self._row(row, label_width, width)))
        return rows

    def pointed_row(self) -> int:
        """Return the number of the line of the row that is pointed at."""
        ids = [row.id if row else "" for _heading, row in self._lines()]
        return ids.index(self.row.id)

    def _row(self, row: FormRow, label_width: int, width: int) -> StyledLine:
        pointed = row.id == self.row.id
        style = "class:highlighted" if pointed else ""
        tokens = [("class:pointer", " ▸ " if pointed else "   ")]
        tokens.append((style, padded(row.label, label_width)))
        room = width - label_width - MARKS
        shown = row.text.replace("\n", " ") + (f" {RECOMMENDED}" if row.recommended else "")
        if row.kind is RowKind.COMMAND:
            return [*tokens, ("class:detail", f"  {clipped(shown, room)}")]
        if row.kind in TYPED:
            return [*tokens, ("", "  "), *self._typed(row, shown, room, pointed)]
        before, after = ("  ‹ ", " ›") if pointed and row.kind is RowKind.CHOICE else ("    ", "")
        value = "class:note" if row.problem else "class:answer" if pointed else "class:detail"
        return [*tokens, ("class:pointer", before), (value, clipped(shown, room)),
                ("class:pointer", after)]  # fmt: skip

    def _typed(self, row: FormRow, shown: str, room: int, pointed: bool) -> StyledLine:
        """Return the text of a row, with the cursor in it while it is pointed at."""
        style = "class:answer" if pointed else "class:note" if row.problem else "class:detail"
        if not pointed:
            return [("", "  "), (style, clipped(shown, room) or "–")]
        split = len(shown) - self.cursor
        before, after = shown[:split], shown[split:]
        while get_cwidth(before) > room - 2:
            before = before[1:]
        after = clipped(after, max(0, room - get_cwidth(before) - 1))
        return [("class:pointer", "› "), (style, before), ("class:pointer", "▏"), (style, after)]

    def longest_text(self) -> int:
        """Return the lines that the help of a row needs, with room for what a choice changes."""
        width = self.width() - 4
        rows = self.form.rows()
        longest = max(len(self._help(row, width)) + (row.kind is RowKind.CHOICE) for row in rows)
        return min(MOST_HELP, longest)

    def text(self) -> list[StyledLine]:
        """Return what the answer of the row changes, and its help."""
        width = self.width() - 4
        changes: list[StyledLine] = []
        for text in self.form.preview(self.form.field(self.row.id)):
            changes += wrapped(text, width, "class:change", markup=False)
        return [*changes, *self._help(self.row, width)]

    def _help(self, row: FormRow, width: int) -> list[StyledLine]:
        """Return a long text in full, the reason for a recommendation, the help, an example."""
        lines: list[StyledLine] = []
        if row.kind is RowKind.TEXT and get_cwidth(row.text) > width // 2:
            lines += [*wrapped(row.text, width, "class:answer", markup=False), []]
        if row.recommended:
            lines += wrapped(
                f"{RECOMMENDED} {row.recommended}", width, "class:recommended", markup=False
            )
        lines += wrapped(row.about, width)
        if row.examples:
            example = _("Example (Tab): {examples}").format(examples=row.examples[0])
            lines += wrapped(example, width, "class:status", markup=False)
        return lines

    def key_names(self) -> list[tuple[str, ...]]:
        """Return the names of the keys, and shorter lists of them."""
        hints = {
            RowKind.TEXT: _("type an answer"),
            RowKind.NUMBER: _("type digits"),
            RowKind.CHOICE: _("←→ change"),
            RowKind.LIST: "",
            RowKind.COMMAND: _("Space do it"),
        }
        row = self.row
        opens = _("Space list") if row.opens else ""
        terms = _("? help") if self.page.explains else ""
        own = (hints[row.kind], opens, _("Enter continue"), terms)
        return [
            (_("↑↓ move"), *own, *always(self.page)),
            (_("↑↓ move"), *own, *always_short()),
            (*own, *always_short()),
            (*own[:-1], *always_short()),
            own[:-1],
        ]

    # ------------------------------------------------------------ keys

    def bindings(self) -> KeyBindings:
        """Return what each key does."""
        bindings = super().bindings()
        self._bind_moves(bindings)
        self._bind_typing(bindings)
        self._bind_ends(bindings)
        return bindings

    def _bind_moves(self, bindings: KeyBindings) -> None:
        moves = {
            Keys.Up: -1, Keys.Down: 1, Keys.ControlP: -1, Keys.ControlN: 1, Keys.BackTab: -1,
            Keys.PageUp: -PAGE_STEP, Keys.PageDown: PAGE_STEP,
        }  # fmt: skip
        for key, steps in moves.items():

            @bindings.add(key, eager=True)
            def _move(_event: KeyPressEvent, steps: int = steps) -> None:
                self.move(steps)

        for key, steps in {Keys.Right: 1, Keys.Left: -1}.items():

            @bindings.add(key, eager=True)
            def _step(_event: KeyPressEvent, steps: int = steps) -> None:
                if self.row.kind is RowKind.TEXT:
                    self.cursor = min(max(self.cursor - steps, 0), len(self.row.text))
                else:
                    self._step(steps)

        for key, end in {Keys.Home: True, Keys.End: False}.items():

            @bindings.add(key, eager=True)
            def _end(_event: KeyPressEvent, end: bool = end) -> None:
                self.cursor = len(self.row.text) if end else 0

    def _step(self, steps: int) -> None:
        """Choose the next option or number of the row, if it has such."""
        self.message = ""
        row = self.row
        entry = self.form.field(row.id)
        changed = entry.stepped(row.id, steps)
        if changed == entry and row.kind is RowKind.NUMBER:
            self.message = (
                _("{label} cannot go higher.") if steps > 0 else _("{label} cannot go lower.")
            ).format(label=row.label)
        self.form.change(changed)

    def _bind_typing(self, bindings: KeyBindings) -> None:
        @bindings.add(Keys.Tab, eager=True)
        def _example(_event: KeyPressEvent) -> None:
            row = self.row
            if row.kind is not RowKind.TEXT or not row.examples:
                self.move(1)
                return
            at = row.examples.index(row.text) + 1 if row.text in row.examples else 0
            self._write(row.examples[at % len(row.examples)])

        @bindings.add(Keys.Backspace, eager=True)
        def _erase(_event: KeyPressEvent) -> None:
            text, split = self.row.text, len(self.row.text) - self.cursor
            self._write(text[: max(0, split - 1)] + text[split:])

        @bindings.add(Keys.Delete, eager=True)
        def _delete(_event: KeyPressEvent) -> None:
            text, split = self.row.text, len(self.row.text) - self.cursor
            self.cursor = max(0, self.cursor - 1)
            self._write(text[:split] + text[split + 1 :])

        @bindings.add(Keys.ControlU, eager=True)
        def _clear(_event: KeyPressEvent) -> None:
            self.cursor = 0
            self._write("")

        @bindings.add(Keys.BracketedPaste, eager=True)
        @bindings.add(Keys.Any)
        def _type(event: KeyPressEvent) -> None:
            self._type(event.data.replace("\n", " ").replace("\r", ""))

    def _type(self, text: str) -> None:
        """Insert a text at the cursor; the first digit replaces the number that was there."""
        row = self.row
        if not text.isprintable():
            return
        is_text = row.kind is RowKind.TEXT and row.text
        if text == "?" and self.page.explains and not is_text:
            get_app().exit(exception=TermsAsked(row.id))
            return
        if row.kind is RowKind.NUMBER:
            if text.isdigit():
                self._write(row.text + text if self.begun else text)
                self.begun = True
            elif text == MORE or text in LESS_SIGNS:
                self._sign_or_step(text)
        elif row.kind is RowKind.TEXT:
            split = len(row.text) - self.cursor
            self._write(row.text[:split] + text + row.text[split:])

    def _sign_or_step(self, sign: str) -> None:
        """Raise or lower the number by 1."""
        self.begun = False
        self._step(1 if sign == MORE else -1)

    def _write(self, text: str) -> None:
        """Replace the text of the row, if it is typed."""
        self.message = ""
        row = self.row
        if row.kind in TYPED:
            self.form.change(self.form.field(row.id).typed(row.id, text))

    def _bind_ends(self, bindings: KeyBindings) -> None:
        """Bind the keys that leave the page."""

        @bindings.add(" ", eager=True)
        def _space(event: KeyPressEvent) -> None:
            row = self.row
            if row.kind is RowKind.TEXT:
                self._type(" ")
            elif row.opens:
                event.app.exit(result=OpenField(row.id))
            else:
                self._step(1)

        @bindings.add(Keys.Escape, eager=True)
        def _back(event: KeyPressEvent) -> None:
            event.app.exit(exception=Back())

        @bindings.add(Keys.Enter, eager=True)
        def _continue(event: KeyPressEvent) -> None:
            if self.row.kind is RowKind.COMMAND:
                self._step(1)
                self._point_after_command()
                return
            problem = self.form.first_problem()
            if problem is None:
                event.app.exit(result=None)
                return
            row, text = problem
            self.point(row)
            if self.row.opens:
                event.app.exit(result=OpenField(row, continues=True))
            self.message = text

    def _point_after_command(self) -> None:
        """Point at the first row that is no command: Enter then continues."""
        rows = self.form.rows()
        after = rows[[row.id for row in rows].index(self.row.id) :]
        self.point(next((row.id for row in after if row.kind is not RowKind.COMMAND), after[0].id))
