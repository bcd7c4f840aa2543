"""The character file: its contents, reading, saving, backups and locks.

``document`` (what a file contains), ``events`` (the log), ``differences`` (of
two versions, on record), ``reader`` (reads files, with clear errors),
``storage`` (saves them, under a lock), ``backups`` (the last ten versions),
``atomic_write``, ``pdf_attachments`` (the file in a PDF), ``sheet_events``
(what was recorded on an HTML sheet).
"""
