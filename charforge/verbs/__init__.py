"""Verbs: what happens at the table, without printing or prompting.

A change of a character is always the same move (``change``): draft events,
try them on the log, check the result, and commit them. The caller saves the
file.

==============================  =================================================
play, manual_changes            rules, abilities; resources, conditions, notes, gifts of the GM
inventory                       buying, selling, hands
initiative, odds, resolve       rolls and odds that change nothing
history                         what happened, undo and redo, earlier versions
lookup, typed_inputs            what a player typed: names, inputs, dice
unit_status                     what a unit can do now, for the screen
==============================  =================================================
"""
