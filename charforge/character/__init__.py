"""The saved character: a header and the log of its decisions."""
