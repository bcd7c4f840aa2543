"""Use-cases: what each command does, without printing or prompting.

Each change is the same move: load, add events to the log, replay, judge, save (``change``).
"""
