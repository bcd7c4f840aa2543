"""Keys that every page has, those of a line of text, and the line that lists keys."""

from __future__ import annotations

from collections.abc import Sequence

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from charforge.wizard.pages import Back, StyledLine

ALWAYS = ("Esc back", "Ctrl-C stop and keep")


def key_line(*keys: str) -> StyledLine:
    """Return the line that lists the keys of a page."""
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
