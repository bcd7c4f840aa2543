"""Answers to decisions: answers files (``file``), random ones, and the template of all decisions.

The wizard is in ``charforge.wizard``.
"""
