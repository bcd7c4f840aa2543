"""Exports: a character as notes, a chat message, data, a stat block or for a virtual tabletop.

What people read is written by ``text_formats``, with a template of ``templates/exports`` or of a
user. Data has one module per format, each with ``write(character, problems)``: ``json``, whose
schema is ``SCHEMA``, ``foundry`` and ``roll20``. They arrange the view of the sheet, whose texts
contain the character's own numbers; no rule is applied here. ``tabletop`` has the numbers, rolls
and texts that a virtual tabletop can hold, ``show_json`` the data of ``show --json``
and ``catalog … --json``.
"""

from pathlib import Path

SCHEMA = Path(__file__).with_name("export.schema.json")  # of ``json``
