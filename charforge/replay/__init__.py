"""Replay: from the log of a character file to the character.

Read in this order: ``decision_walk`` (asks every decision of creation and of
each level, in order), ``event_effects`` (applies the events after creation),
``replay`` (both together), ``loaded_character`` (a character file with its
rules and all its problems), ``character_spec`` (a new character to create).

The result is a ``Character`` with its ``State`` (``character.state``). Nothing
here knows a game, prints or prompts.
"""
