"""The guided wizard and the shop: prompts for people at a terminal.

``flow`` goes from page to page, forward and back. ``decision_prompts`` asks one
decision: ``list_pages`` are the lists and what the keys do to them. ``form`` asks
short decisions together. ``terms`` explains the words on a page. ``pages`` are
questions as data, laid out with the character beside them.
They work with both kinds of terminal: ``screen`` with ``menu`` and ``form_view`` (full screen), and
``line_prompts`` (line by line). ``shop`` is the list of what can be bought and
sold.
"""

from typing import TYPE_CHECKING

from charforge.lazy import lazy_modules

if TYPE_CHECKING:
    from charforge.wizard import (
        decision_prompts as decision_prompts,
        flow as flow,
        list_pages as list_pages,
        pages as pages,
        screen as screen,
        shop as shop,
        terms as terms,
    )
else:  # most commands ask nothing, and prompt_toolkit takes 60 ms to import
    __getattr__ = lazy_modules(
        __name__, "decision_prompts", "flow", "list_pages", "pages", "screen", "shop", "terms"
    )
