"""Answers to decisions: answers files (``file``), also one with all questions, and random answers.

The wizard is in ``charforge.wizard``.
"""
