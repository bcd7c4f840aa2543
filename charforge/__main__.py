"""``python -m charforge``."""

from charforge.cli.app import main

main()
