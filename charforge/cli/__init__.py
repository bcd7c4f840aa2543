"""The command line: one module a group of commands, each of them thin."""
