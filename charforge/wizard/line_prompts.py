"""Line prompts, for terminals without cursor control and for screen readers.

Entries are numbered; every answer is typed and ends with Enter. The cursor
is never moved, and there are no colours.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

from charforge.decisions.widgets import MenuItem
from charforge.wizard.pages import Back, StyledLine, WizardPage, head, wrapped

WIDTH = 79
BACK = "<"
EXAMPLES = 3
ABOUT = "?"


class LinePrompts:
    """Prompts that print lines on standard error and read answers from standard input."""

    def __init__(self) -> None:
        self._step = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None: ...

    def menu(self, page: WizardPage, items: Sequence[MenuItem], start: Any = None) -> Any:
        """Return the value of the entry whose number is typed."""
        self._show(page)
        chosen = next((n for n, item in enumerate(items, 1) if item.value == start), None)
        shown = list(items)
        while True:
            self._list(items, shown)
            default = f", Enter for {chosen}" if chosen else ""
            typed = self._read(
                f"Number{default}; {ABOUT}N tells about N; words search; {BACK} goes back: "
            )
            shown = list(items)
            if not typed and chosen:
                typed = str(chosen)
            if typed == BACK:
                raise Back
            item = _numbered(typed.removeprefix(ABOUT), items)
            if item is None:
                shown = [i for i in items if typed.casefold() in f"{i.label} {i.search}".casefold()]
            elif typed.startswith(ABOUT):
                self._print(*_line_texts(wrapped(item.about or item.label, WIDTH)))
            elif item.against:
                self._print(f"Not possible: {item.against}.")
            else:
                return item.value

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
            self._print(f"Enter alone keeps: {text}", "- alone makes it empty.")
        for example in examples[:EXAMPLES]:
            self._print(*textwrap.wrap(f"Example: {example}", WIDTH))
        while True:
            typed = self._read(f"Text; {BACK} goes back: ")
            if typed == BACK:
                raise Back
            typed = text if not typed else "" if typed == "-" and text else typed
            reason = problem(typed)
            if not reason:
                return typed
            self._print(reason)

    def _show(self, page: WizardPage) -> None:
        """Print the head of a page; its step only when it changes."""
        lines = _line_texts(head(replace(page, answers=page.answers[-1:]), WIDTH, 1000))
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
            against = f" (not possible: {item.against})" if item.against else ""
            detail = f"  {item.detail}" if item.detail else ""
            self._print(f"{number:4}  {item.label}{detail}{against}")
        if not shown:
            self._print("Nothing matches.")

    def _read(self, prompt: str) -> str:
        sys.stderr.write(prompt)
        sys.stderr.flush()
        typed = sys.stdin.readline()
        if not typed:
            raise EOFError
        return typed.strip()

    def _print(self, *lines: str) -> None:
        sys.stderr.write("".join(f"{line}\n" for line in lines))
        sys.stderr.flush()


def _numbered(typed: str, items: Sequence[MenuItem]) -> MenuItem | None:
    """Return the item with the number that was typed; None for anything else."""
    number = int(typed) if typed.isdecimal() and len(typed) < 5 else 0
    return items[number - 1] if 1 <= number <= len(items) else None


def _line_texts(lines: Sequence[StyledLine]) -> list[str]:
    return ["".join(text for _style, text in line) for line in lines]
