"""The guided wizard: one legal question after another, then a last look over all.

Read in this order: ``guide`` (the way from question to question, back and
forth), ``steps`` (how far along it one is), ``questions`` with ``asking``,
``lists`` and ``allotting`` (how each kind of decision is asked), ``words`` (options and
answers in words), ``pages`` (what one question shows). Those know no
terminal; ``screen`` with ``menu`` and ``keys`` is a whole screen, drawn
with questionary, and ``plain`` a terminal that can only print lines.
"""

from charforge.wizard.flow import run

__all__ = ["run"]
