"""Exports: a character as notes, a chat message, data or a stat block.

One module per format, each with ``write(character, problems)``: ``markdown``, ``text``, ``json``
(with its schema) and ``statblock``. They arrange the view of the sheet, whose texts contain the
character's own numbers; no rule is applied here. ``phrases`` has short texts that they share,
``report`` the data of ``show --json`` and ``catalog … --json``.
"""
