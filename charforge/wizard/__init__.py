"""The guided wizard and the shop: prompts for people at a terminal.

``flow`` goes from page to page, forward and back. ``decision_prompts`` asks one
decision: ``list_pages`` are the lists and what the keys do to them. ``form`` asks
short decisions together. ``terms`` explains the words on a page. ``pages`` are
questions as data, laid out with the character beside them.
They work with both kinds of terminal: ``screen`` with ``menu`` and ``form_view`` (full screen), and
``line_prompts`` (line by line). ``shop`` is the list of what can be bought and
sold.
"""

from charforge.wizard.flow import run

__all__ = ["run"]
