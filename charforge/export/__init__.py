"""Exports: a character as notes, a chat message, data, a stat block or for a virtual tabletop.

One module per format, each with ``write(character, problems)``: ``markdown``, ``text``, ``json``
(with its schema), ``statblock``, ``discord``, ``foundry`` and ``roll20``. They arrange the view of
the sheet, whose texts contain the character's own numbers; no rule is applied here. ``phrases`` has
short texts that they share, ``tabletop`` the numbers, rolls and texts that a virtual tabletop can
hold, ``show_json`` the data of ``show --json`` and ``catalog … --json``.
"""
