"""The guided wizard and the shop: prompts for people at a terminal.

``flow`` goes from question to question, back and forth; ``questions`` asks
one decision; ``pages`` sets a question in lines. None of them knows which
terminal there is: ``screen`` with ``menu`` fills the screen, ``plain`` prints
lines. ``shop`` is the list of what can be bought and sold.
"""

from charforge.wizard.flow import run

__all__ = ["run"]
