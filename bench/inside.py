"""What is measured within one process: reading rules, replaying logs, making characters."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml
from character import EVENTS, RULESET, played
from timing import Row, Side, row, work

from charforge import service
from charforge.answers.chance import Chance
from charforge.content.folders import built_in
from charforge.content.load import load
from charforge.document.model import Document, to_text
from charforge.engine.replay import replay

MANY = 50
LEVEL = 10
FIRST = 100


def rows(_folder: Path, runs: int, _long: bool) -> Iterator[Row]:
    """Yield the catalog beside PyYAML, a replay beside JSON, long logs beside short ones."""
    files = [path.read_bytes() for path in sorted(built_in()[RULESET].glob("*.yaml"))]
    yield row(
        "catalog load, warm", "PyYAML's C loader", 0.2,
        work(lambda: load(RULESET)),
        work(lambda: [yaml.load(data, yaml.CSafeLoader) for data in files]),
        runs,
    )  # fmt: skip
    nix = played()
    text = to_text(nix)
    again = replaying(nix)
    yield row(
        f"replay, {EVENTS} play events", "json.loads", 40,
        work(again), per(100, lambda: json.loads(text)), runs,
    )  # fmt: skip
    yield row(
        f"replay, {MANY * EVENTS:,} play events", f"{MANY} × {EVENTS}", 1.2,
        work(replaying(played(MANY * EVENTS))),
        work(lambda: repeat(MANY, again)),
        max(1, runs // 5),
    )  # fmt: skip


def per(times: int, act: Callable[[], object]) -> Side:
    """Return a side of something too quick to be timed once."""
    all_of_them = work(lambda: repeat(times, act))
    return lambda: all_of_them() / times


def repeat(times: int, act: Callable[[], object]) -> None:
    """Act again and again; what it gives is let go, or the garbage collector would count it."""
    for _ in range(times):
        act()


def replaying(document: Document) -> Callable[[], object]:
    """Return the replay of a document."""
    rules = load(document.ruleset)
    return lambda: replay(rules, document.answers, name=document.name, log=document.log)


def make_characters(number: int, told: Path) -> None:
    """Make characters one at a time; write what the first and last cost, in time and memory."""
    rules = load(RULESET)

    def make(seed: str) -> None:
        service.create(service.Plan(rules, seed, "Nix", LEVEL), Chance(seed))

    def hundred() -> dict[str, float]:
        begun = time.process_time()
        for seed in range(FIRST):
            make(f"timed {seed}")
        seconds = (time.process_time() - begun) / FIRST
        return {"seconds": seconds, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}

    make("warm")
    found = [hundred()]
    for seed in range(number - 2 * FIRST):
        make(str(seed))
    found.append(hundred())
    told.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    make_characters(int(sys.argv[1]), Path(sys.argv[2]))
