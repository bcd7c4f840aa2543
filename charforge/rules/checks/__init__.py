"""Checks of the contents of a pack, for ``catalog check``: by subject, one place a model."""
