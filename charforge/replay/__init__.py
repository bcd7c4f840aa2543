"""Replay: from the log of a character file to the character.

Read in this order: ``decision_walk`` (asks every decision of creation and of
each level, in order), ``replay`` (that walk, and the events after creation),
``character_spec`` (what a new character is made from), ``loaded_character`` (a character
file with its rules and all its problems).

The result is a ``Character`` with its ``State`` (``character.state``). Nothing
here knows a game, prints or prompts.
"""
