"""What a pack says of itself at its top, read without the rest of it and without its models."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import yaml


def stated(path: Path, key: str) -> str:
    """Return the word at a key of a file's top, such as its version, reading no further than to it.

    Empty where there is none, or none that can be printed, or where the
    file cannot be read so far: what is wrong with it, checking the pack
    says.
    """
    try:
        with path.open("rb") as file:
            word = next((word for name, word in _words(file) if name == key), "")
    except (OSError, ValueError, yaml.YAMLError):
        return ""
    return word if word.isprintable() else ""


def _words(file: BinaryIO) -> Iterator[tuple[str, str]]:
    """Yield the keys of the map at the top whose values are single words, each with its word."""
    events = yaml.parse(file, Loader=yaml.CSafeLoader)
    start = next(islice(events, 2, None), None)  # after that of the stream and of its document
    depth = int(isinstance(start, yaml.MappingStartEvent))
    at_key, name = True, ""
    for event in events if depth else ():
        if isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            continue
        if depth == 1:
            word = event.value if isinstance(event, yaml.ScalarEvent) else ""
            if at_key:
                name = word
            elif word:
                yield name, word
            at_key = not at_key
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
