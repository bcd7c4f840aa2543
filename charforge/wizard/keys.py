"""Keys: what they do on a page, and the line that tells them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from charforge.wizard.pages import Back, StyledLine

if TYPE_CHECKING:
    from charforge.wizard.menu import MenuView

ALWAYS = ("Esc back", "Ctrl-C stop and keep")
MORE, LESS = ("+",), ("-", "\N{MINUS SIGN}")


def key_line(*keys: str) -> StyledLine:
    """Return the line that tells the keys, which differ from page to page."""
    return [("class:keys", f" {' · '.join(filter(None, keys))}")]


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


def line_keys(examples: Sequence[str]) -> KeyBindings:
    """Return the keys of a line of text; Tab writes one example after another."""
    bindings = common_keys()
    shown = -1

    @bindings.add(Keys.Escape, eager=True)
    def _back(event: KeyPressEvent) -> None:
        event.app.exit(exception=Back())

    @bindings.add(Keys.Tab, eager=True)
    def _example(event: KeyPressEvent) -> None:
        nonlocal shown
        if examples:
            shown = (shown + 1) % len(examples)
            event.current_buffer.text = examples[shown]
            event.current_buffer.cursor_position = len(examples[shown])

    return bindings


def menu_keys(view: MenuView) -> KeyBindings:
    """Return the keys of a menu."""
    bindings, menu = common_keys(), view.menu
    moves = {
        Keys.Up: (-1, True), Keys.Down: (1, True), Keys.ControlP: (-1, True),
        Keys.ControlN: (1, True), Keys.PageUp: (-8, False), Keys.PageDown: (8, False),
        Keys.Home: (-10_000, False), Keys.End: (10_000, False),
    }  # fmt: skip

    for key, (steps, around) in moves.items():

        @bindings.add(key, eager=True)
        def _move(_event: KeyPressEvent, steps: int = steps, around: bool = around) -> None:
            view.refused, view.turned = "", 0
            menu.move(steps, around)

    def change(event: KeyPressEvent, more: bool) -> bool:
        """Change the number that is pointed at, if one is; whether it was."""
        item = menu.pointed()
        if item is None or not item.number:
            return False
        changed = item.more if more else item.less
        view.refused = f"{item.label} goes no {'higher' if more else 'lower'}."
        if changed is not None:
            event.app.exit(result=changed)
        return True

    @bindings.add(Keys.Right, eager=True)
    def _more(event: KeyPressEvent) -> None:
        if not change(event, more=True):
            view.turned += 1

    @bindings.add(Keys.Left, eager=True)
    def _less(event: KeyPressEvent) -> None:
        change(event, more=False)

    @bindings.add(Keys.ControlD, eager=True)
    def _gone(event: KeyPressEvent) -> None:
        event.app.exit(exception=EOFError())

    @bindings.add(Keys.Escape, eager=True)
    def _back(event: KeyPressEvent) -> None:
        if menu.search_filter:
            menu.search_filter = None
            menu.search("")
        else:
            event.app.exit(exception=Back())

    @bindings.add(Keys.Enter, eager=True)
    def _take(event: KeyPressEvent) -> None:
        item = menu.pointed()
        if item is not None and not item.against:
            event.app.exit(result=item.value)
        elif item is not None:
            view.refused = f"Not possible: {item.against}."

    @bindings.add(Keys.Backspace, eager=True)
    @bindings.add(Keys.Any)
    def _search(event: KeyPressEvent) -> None:
        view.refused, view.turned = "", 0
        typed = event.key_sequence[0].key
        if event.data in (*MORE, *LESS) and change(event, event.data in MORE):
            return
        if menu.searched and (typed is Keys.Backspace or event.data.isprintable()):
            menu.search(None if typed is Keys.Backspace else event.data)

    return bindings
