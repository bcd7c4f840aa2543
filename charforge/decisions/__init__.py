"""Decisions: the questions rules ask, their options, and what an answer brings."""
