"""Answers to decisions: answers files (``file``), random ones, and the template of all decisions.

The wizard is in ``charforge.wizard``, a character as an answers file in
``charforge.export.answers``.
"""
