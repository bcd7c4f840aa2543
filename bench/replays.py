"""Replays and loads within one process: rules, and logs of played events."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml
from character import EVENTS, RULESET, played_character
from timing import Row, Sizes, medians, timed

from charforge.character.files.document import Document, to_text
from charforge.replay.replay import Start, replay
from charforge.rules.loading.loader import built_in, load

MANY_EVENTS = 10_000


def replays(_folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Yield a replay compared with reading its JSON, and a long log with many short ones."""
    document = played_character()
    text, replay_once = to_text(document), _replay(document)
    ours, theirs = medians(
        sizes.runs, timed(replay_once), timed(lambda: _repeat(100, lambda: json.loads(text)))
    )
    yield Row(f"replay, {EVENTS} play events", "json.loads", ours, theirs / 100, 40)
    times = sizes.events // EVENTS
    replay_long = _replay(played_character(times * EVENTS))
    ours, theirs = medians(
        max(1, sizes.runs // 5), timed(replay_long), timed(lambda: _repeat(times, replay_once))
    )
    yield Row(f"replay, {times * EVENTS:,} play events", f"{times} × {EVENTS}", ours, theirs, 1.2)


def catalog(_folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Yield loading compiled rules, compared with parsing their YAML."""
    files = [path.read_bytes() for path in sorted(built_in()[RULESET].glob("*.yaml"))]
    ours, theirs = medians(
        sizes.runs,
        timed(lambda: load(RULESET)),
        timed(lambda: [yaml.load(data, yaml.CSafeLoader) for data in files]),
    )
    yield Row("load rules, compiled", "PyYAML's C loader", ours, theirs, 0.2)


def _replay(document: Document) -> Callable[[], object]:
    """Return a function that replays a document."""
    rules = load(document.ruleset)
    return lambda: replay(rules, document.answers, Start(document.name), log=document.log)


def _repeat(times: int, act: Callable[[], object]) -> None:
    """Do something several times. Results are freed, so that they do not slow down the next."""
    for _ in range(times):
        act()
