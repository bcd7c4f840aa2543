"""Limits that several modules share.

A limit that only one module knows stands there. The limits of a game are data of its rules:
``character/gear.py`` finds what exceeds them.
"""

LARGEST_AMOUNT = 1_000_000_000  # of money or another resource: a price, or one change
LARGEST_QUANTITY = 100_000  # pieces, points of a condition or turns: one change
MAX_FILE_BYTES = 50_000_000  # of a character file, by itself, in a PDF or in QR codes
MAX_NESTING = 50  # lists and maps in each other, in any file that is read
MAX_ERRORS = 200  # of one pack: nobody reads more, and each takes time
MAX_LISTED = 8  # names that a message may list
