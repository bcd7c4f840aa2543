"""A session at the table: the command ``play``."""
