"""A character for other programs and other eyes: notes, chat, data, a stat block.

One module a format, each with ``write(character, problems)``: ``markdown``
(notes), ``text`` (chat), ``data`` (JSON, with its schema) and
``statblock`` (Obsidian's Fantasy Statblocks). They arrange the sheet's
view, whose texts hold the character's own figures; no rule is applied
here. ``wording`` is how all of them spell what a sheet typesets, ``shape``
the models of the data.
"""
