"""Answers to decisions: answers files, random answers and the template."""
