"""The keys that mean the same on every full-screen page, and the line that names keys."""

from __future__ import annotations

from collections.abc import Sequence

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from charforge.language import _
from charforge.wizard.pages import Back, StyledLine, WizardPage

PAGE_STEP = 8  # entries that Page Up and Page Down move over
KEY_GAP = " · "


def always(page: WizardPage) -> tuple[str, str]:
    """Return the keys that every page has."""
    return (_("Esc back"), _("Ctrl-C {stop}").format(stop=_(page.stop)))


def always_short() -> tuple[str, str]:
    """Return the keys that every page has, for a narrow terminal."""
    return (_("Esc back"), _("Ctrl-C quit"))


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
