"""Procedures: the rules of a pack that run step by step, with dice; and abilities.

``run`` runs a procedure or an action: ``inputs`` checks what it is given,
``context`` has its variables and dice while it runs, ``steps`` has one class
for each kind of step. ``abilities`` finds what a unit can use and what forbids a
use, ``costs`` what it takes.
"""
