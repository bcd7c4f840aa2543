"""Run the program with ``python -m charforge``."""

from charforge.cli.app import main

main()
