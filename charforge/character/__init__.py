"""The character: its file, and its state at one moment.

The file: ``document`` (what a file contains), ``events`` (the log),
``reader`` (reads files, with clear errors), ``storage`` (saves them, under a
lock), ``backups`` (the last ten versions), ``atomic_write``,
``pdf_attachments`` (the file in a PDF), ``played_events`` (what was recorded
on an HTML sheet).

The state, which ``replay`` calculates from the log: ``state_data`` (units,
holdings, answers), ``conditions``, ``modifiers`` (what changes a value),
``values`` (values that explain themselves), ``state`` (all of it together).

Changes of the state, each a function that returns a new one: ``holdings``
(gain and lose), ``gear`` (money and hands), ``play_state`` (resources,
conditions, cooldowns). ``requirements`` says why something is not allowed.
"""
