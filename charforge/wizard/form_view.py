"""A form on a full-screen page: a row for each question, and help for the row below them.

Texts and numbers are typed where they stand, into a buffer of prompt_toolkit,
so that all its keys for editing work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    AnyContainer,
    BufferControl,
    Dimension,
    FormattedTextControl,
    HSplit,
    VSplit,
    Window,
)
from prompt_toolkit.lexers import SimpleLexer
from prompt_toolkit.output import Output
from prompt_toolkit.utils import get_cwidth

from charforge.expressions.template import MINUS
from charforge.language import N_, _
from charforge.usecases.preview import KeyValue
from charforge.wizard.form import Form, FormField, FormRow, OpenField, RowKind
from charforge.wizard.menu import ALL, RECOMMENDED
from charforge.wizard.pages import (
    PAGE_STEP,
    Back,
    PageRow,
    PageView,
    StyledLine,
    TermsAsked,
    WizardPage,
    always,
    clipped,
    join_lines,
    line_width,
    padded,
    wrapped_lines,
)

MARK_COLUMNS = 7  # columns of a row besides its label and its text
MAX_HELP = 8  # lines below the rows
TYPED = (RowKind.TEXT, RowKind.NUMBER)
SIGNS = {"+": 1, "-": -1, MINUS: -1}
CONTINUE = "continue"  # the id of the last row of a form with several


class FormView(PageView):
    """A form on its page: which row is pointed at, and the buffer of what is typed into it.

    ``start`` is the id of the row to begin with.
    """

    more = N_("PgDn more")

    def __init__(self, page: WizardPage, form: Form, output: Output, start: str = "") -> None:
        buffer = Buffer(
            multiline=False,
            read_only=Condition(lambda: self.row.kind not in TYPED),
            on_text_changed=lambda _buffer: self._typed(),
        )
        super().__init__(page, output, buffer)
        self.form = form
        self.begun = False  # whether a digit was typed since the row is pointed at
        rows = self.form_rows()
        fields = [row for row in rows if row.kind is not RowKind.COMMAND] or rows
        asked = (r.id for r in fields if start in (r.id, r.id.partition(":")[0]))
        self.point(next(asked, fields[0].id))

    # ------------------------------------------------------------ rows

    def form_rows(self) -> list[FormRow]:
        """Return the rows of all fields, and the one that continues below several."""
        rows = self.form.rows()
        last = FormRow(CONTINUE, _("Continue"), "", RowKind.COMMAND, heading=rows[-1].heading)
        return [*rows, last] if len(rows) > 1 else rows

    @property
    def row(self) -> FormRow:
        """The row that is pointed at."""
        rows = self.form_rows()
        return next((row for row in rows if row.id == self._at), rows[0])

    def point(self, row: str) -> None:
        """Point at a row, with the cursor at the end of its text."""
        self._at, self.message, self.begun, self.text_page = row, "", False, 0
        self._fill_buffer()

    def _fill_buffer(self) -> None:
        text = self.row.text if self.row.kind in TYPED else ""
        self.buffer.reset(Document(text))

    def move(self, steps: int) -> None:
        """Point at a later or earlier row; one beyond an end means the other end."""
        ids = [row.id for row in self.form_rows()]
        at = ids.index(self.row.id) + steps
        if abs(steps) > 1:
            at = min(max(at, 0), len(ids) - 1)
        self.point(ids[at % len(ids)])

    def _after(self, row: str) -> str:
        """Return the next row that the player has not touched; the last if there is none."""
        rows = self.form_rows()
        after = rows[[other.id for other in rows].index(row) + 1 :]
        untouched = (
            r.id for r in after if r.kind is not RowKind.COMMAND and r.id not in self.form.done
        )
        return next(untouched, rows[-1].id)

    def _is_last(self) -> bool:
        """Return whether Enter continues: in the last field, and on the row below it."""
        return self.row.id in (self.form.rows()[-1].id, CONTINUE)

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
        for row in self.form_rows():
            if row.heading not in (heading, self.page.question):
                heading = row.heading
                yield heading, None
            yield heading, row

    def rows(self, width: int) -> list[PageRow]:
        """Return the headings and rows as styled text, without what is being typed."""
        lines = list(self._lines())
        label_width, pointed = self._label_width(width), self.row.id
        rows = []
        for heading, row in lines:
            if row is None:
                title = [("class:separator", clipped(f" {heading}", width))]
                rows.append(PageRow(title, is_heading=True))
            else:
                rows.append(PageRow(self._row(row, row.id == pointed, label_width, width)))
        return rows

    def _label_width(self, width: int) -> int:
        shown = self.form_rows()
        longest = max(get_cwidth(row.text) for row in shown)
        room = width - MARK_COLUMNS - min(longest + 2, width // 2)
        return min(max(get_cwidth(row.label) for row in shown), max(8, room))

    def pointed_row(self) -> int:
        """Return the number of the line of the row that is pointed at."""
        ids = [row.id if row else "" for _heading, row in self._lines()]
        return ids.index(self.row.id)

    def _row(self, row: FormRow, pointed: bool, label_width: int, width: int) -> StyledLine:
        style = "class:highlighted" if pointed else ""
        tokens = [("class:pointer", " ▸ " if pointed else "   ")]
        tokens.append((style, padded(row.label, label_width)))
        room = width - label_width - MARK_COLUMNS
        shown = row.text.replace("\n", " ") + (f" {RECOMMENDED}" if row.recommended else "")
        if row.kind is RowKind.COMMAND:
            return [*tokens, ("class:detail", f"  {clipped(shown, room)}")]
        if row.kind in TYPED:
            text = ("class:note" if row.problem else "class:detail", clipped(shown, room) or "–")
            return [*tokens, *([("class:pointer", "  › ")] if pointed else [("", "    "), text])]
        before, after = ("  ‹ ", " ›") if pointed and row.kind is RowKind.CHOICE else ("    ", "")
        value = "class:note" if row.problem else "class:answer" if pointed else "class:detail"
        return [*tokens, ("class:pointer", before), (value, clipped(shown, room)),
                ("class:pointer", after)]  # fmt: skip

    def row_windows(self) -> AnyContainer:
        """Return the rows: the one that is pointed at has the buffer in it."""

        def pointed() -> int:
            return self.pointed_row() - self.first_in_view()

        def is_typed() -> bool:
            return self.row.kind in TYPED

        def window(lines: Callable[[], list[StyledLine]]) -> Window:
            return Window(
                FormattedTextControl(lambda: join_lines(lines())),
                height=lambda: Dimension.exact(len(lines())),
            )

        def label_width() -> Dimension:
            room = self.columns() - 2
            used = line_width(self.in_view()[pointed()])
            return Dimension.exact(used if is_typed() else room)

        label = window(lambda: self.in_view()[pointed() : pointed() + 1])
        label.width = label_width
        entry = Window(
            BufferControl(self.buffer, lexer=SimpleLexer("class:answer")),
            height=1,
            always_hide_cursor=Condition(lambda: not is_typed()),
        )
        before = window(lambda: self.in_view()[: pointed()])
        return HSplit([
            before, VSplit([label, entry]), window(lambda: self.in_view()[pointed() + 1 :])
        ])  # fmt: skip

    def longest_text(self) -> int:
        """Return the lines that the help of a row needs, with room for what a choice changes."""
        width = self.width() - 4
        rows = self.form.rows()
        longest = max(len(self._help(row, width)) + (row.kind is RowKind.CHOICE) for row in rows)
        return min(MAX_HELP, longest)

    def text(self) -> list[StyledLine]:
        """Return what the answer of the row changes, and its help."""
        width = self.width() - 4
        if self.row.id == CONTINUE:
            return []
        changes: list[StyledLine] = []
        for text in self.form.preview(self.form.field(self.row.id)):
            changes += wrapped_lines(text, width, "class:change", markup=False)
        return [*changes, *self._help(self.row, width)]

    def _help(self, row: FormRow, width: int) -> list[StyledLine]:
        """Return a long text in full, the reason for a recommendation, the help, an example."""
        lines: list[StyledLine] = []
        if row.kind is RowKind.TEXT and get_cwidth(row.text) > width // 2:
            lines += [*wrapped_lines(row.text, width, "class:answer", markup=False), []]
        if row.recommended:
            lines += wrapped_lines(
                f"{RECOMMENDED} {row.recommended}", width, "class:recommended", markup=False
            )
        lines += wrapped_lines(row.remark, width, "class:note", markup=False)
        lines += wrapped_lines(row.about, width)
        if row.examples:
            example = _("Example (Tab): {examples}").format(examples=row.examples[0])
            lines += wrapped_lines(example, width, "class:status", markup=False)
        return lines

    def key_names(self) -> list[tuple[str, ...]]:
        """Return the names of the keys, and shorter lists of them."""
        hints = {
            RowKind.TEXT: _("type an answer"),
            RowKind.NUMBER: _("type digits"),
            RowKind.CHOICE: _("←→ change"),
            RowKind.LIST: "",
            RowKind.COMMAND: "",
        }
        row = self.row
        opens = _("Space list") if row.opens else ""
        is_step = row.kind is not RowKind.COMMAND and not self._is_last()
        enter = _("next") if is_step else _("continue") if self._is_last() else _("select")
        is_typed = row.kind is RowKind.TEXT and bool(row.text)
        help_key, mark = (_("F1 help"), "F1") if is_typed else (_("? help"), "?")
        if not self.page.explains:
            help_key = mark = ""
        own = (hints[row.kind], opens, _("Enter {action}").format(action=enter), help_key)
        move = _("↑↓ move") if len(self.form_rows()) > 1 else ""
        return [
            (move, *own, *always(self.page)),
            (move, *own, *always(self.page, short=True)),
            (*own, *always(self.page, short=True)),
            (*own[1:], *always(self.page, short=True)),
            (*own[1:-1], mark, *always(self.page, short=True)),
            own,
        ]

    # ------------------------------------------------------------ keys

    def bindings(self) -> KeyBindings:
        """Return what each key does; the buffer has those that edit a text."""
        bindings = super().bindings()
        self._bind_moves(bindings)
        self._bind_typing(bindings)
        self._bind_ends(bindings)
        return bindings

    def _bind_moves(self, bindings: KeyBindings) -> None:
        moves = {
            Keys.Up: -1, Keys.Down: 1, Keys.ControlP: -1, Keys.ControlN: 1, Keys.BackTab: -1,
        }  # fmt: skip
        for key, steps in moves.items():

            @bindings.add(key, eager=True)
            def _move(_event: KeyPressEvent, steps: int = steps) -> None:
                self.move(steps)

        for key, sign in {Keys.PageDown: 1, Keys.PageUp: -1}.items():

            @bindings.add(key, eager=True)
            def _page(_event: KeyPressEvent, sign: int = sign) -> None:
                if self.text_pages() > 1:  # otherwise more of the rows
                    self.text_page += sign
                else:
                    self.move(sign * PAGE_STEP)

        for key, steps in {Keys.Home: -ALL, Keys.End: ALL}.items():

            @bindings.add(key, filter=~self._kind_is(RowKind.TEXT), eager=True)
            def _to_end(_event: KeyPressEvent, steps: int = steps) -> None:
                self.move(steps)

        for key, steps in {Keys.Right: 1, Keys.Left: -1}.items():

            @bindings.add(key, filter=~self._kind_is(RowKind.TEXT), eager=True)
            def _step(_event: KeyPressEvent, steps: int = steps) -> None:
                self._step(steps)

    def _kind_is(self, kind: RowKind) -> Condition:
        """Return the condition that the row that is pointed at is of a kind."""
        return Condition(lambda: self.row.kind is kind)

    def _step(self, steps: int) -> None:
        """Choose the next option or number of the row, if it has such."""
        self.message, self.begun = "", False
        row = self.row
        if row.id == CONTINUE:
            return
        entry = self.form.field(row.id)
        changed = entry.stepped(row.id, steps)
        if changed == entry and row.kind is RowKind.NUMBER:
            self.message = (
                _("{label} cannot go higher.") if steps > 0 else _("{label} cannot go lower.")
            ).format(label=row.label)
        self._change(changed)
        self._fill_buffer()

    def _typed(self) -> None:
        """Take over what the buffer contains."""
        row = self.row
        self.message = ""
        if row.kind in TYPED and self.buffer.text != row.text:
            self._change(self.form.field(row.id).typed(row.id, self.buffer.text))

    def _change(self, entry: FormField) -> None:
        if entry != self.form.field(entry.id):
            self.form.done.add(self.row.id)
            self.form.change(entry)

    def _bind_typing(self, bindings: KeyBindings) -> None:
        explains = Condition(lambda: self.page.explains)
        is_text, is_number = self._kind_is(RowKind.TEXT), self._kind_is(RowKind.NUMBER)

        @bindings.add(Keys.Tab, eager=True)
        def _example(_event: KeyPressEvent) -> None:
            row = self.row
            if row.kind is not RowKind.TEXT or not row.examples:
                self.move(1)
                return
            at = row.examples.index(row.text) + 1 if row.text in row.examples else 0
            example = row.examples[at % len(row.examples)]
            self.buffer.document = Document(example)

        @bindings.add(Keys.F1, filter=explains)
        @bindings.add("?", filter=explains & (~is_text | Condition(self.is_empty)), eager=True)
        def _terms(event: KeyPressEvent) -> None:
            event.app.exit(exception=TermsAsked(self.row.id))

        @bindings.add(Keys.BracketedPaste, filter=is_number, eager=True)
        @bindings.add(Keys.Any, filter=is_number)
        def _digit(event: KeyPressEvent) -> None:
            """Type a digit: the first one replaces the number that was there."""
            if event.data.isdigit():
                text = self.buffer.text + event.data if self.begun else event.data
                self.buffer.document = Document(text)
                self.begun = True
            elif event.data in SIGNS:
                self._step(SIGNS[event.data])

    def _bind_ends(self, bindings: KeyBindings) -> None:
        """Bind the keys that leave the row or the page."""

        @bindings.add(" ", filter=~self._kind_is(RowKind.TEXT), eager=True)
        def _space(event: KeyPressEvent) -> None:
            row = self.row
            if row.opens:
                event.app.exit(result=OpenField(row.id))
            elif row.id == CONTINUE:
                self._leave(event)
            else:
                self._step(1)

        @bindings.add(Keys.Escape)
        def _back(event: KeyPressEvent) -> None:
            event.app.exit(exception=Back())

        @bindings.add(Keys.Enter, eager=True)
        def _enter(event: KeyPressEvent) -> None:
            row = self.row
            if self._is_last():
                self._leave(event)
            elif row.kind is RowKind.COMMAND:
                self._step(1)
                self.form.done |= {r.id for r in self.form.rows() if self.form.field(r.id)
                              is self.form.field(row.id)}  # fmt: skip
                self.point(self._after(row.id))
            elif row.problem and not self.form.may_stay_open(self.form.field(row.id)):
                if row.opens:
                    self.form.done.add(row.id)
                    event.app.exit(result=OpenField(row.id, after=self._after(row.id)))
                self.message, self.begun = row.problem, False
            else:
                self.form.done.add(row.id)
                self.point(self._after(row.id))

    def _leave(self, event: KeyPressEvent) -> None:
        """Leave the page if all is answered, or point at the first problem."""
        problem = self.form.first_problem()
        if problem is None:
            event.app.exit(result=None)
            return
        row, text = problem
        self.point(row)
        if self.row.opens:
            event.app.exit(result=OpenField(row, continues=True))
        self.message = text
