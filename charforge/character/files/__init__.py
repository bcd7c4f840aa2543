"""The character file: its contents, reading, saving, backups and locks.

``document`` (what a file contains), ``events`` (the log), ``reader`` (reads
files, with clear errors), ``storage`` (saves one or several, under locks, and keeps the
last ten versions), ``atomic_write``, ``pdf_attachments`` (the file in a PDF).
"""
