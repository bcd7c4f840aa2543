"""charforge: build tabletop characters on the command line and print their sheets."""
