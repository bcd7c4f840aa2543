"""Replay: from the log of a character file to the character.

Read in this order: ``walk`` (asks every decision of creation and of each
level, in order), ``events`` (applies what happened after creation),
``replay`` (both together), ``loaded`` (a character file with its rules, and
everything wrong with it), ``spec`` (what a new character is to be).

They build on ``character`` (``records``, ``modifiers``, ``values``, ``state``:
the data of a character at one moment and what is calculated from it),
``decisions`` and ``procedures``. Nothing here knows a game, prints or prompts.
"""
