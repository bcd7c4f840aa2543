"""``python -m charforge``."""

from charforge.cli.app import process

process()
