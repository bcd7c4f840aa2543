"""What is measured within one process: reading rules, replaying logs, making characters."""

from __future__ import annotations

import json
import multiprocessing
import resource
import statistics
import sys
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import yaml
from character import EVENTS, RULESET, played
from timing import Row, Side, row, work

from charforge.answers.random import RandomAnswers
from charforge.character.document import Document, to_text
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.replay import replay
from charforge.rules.loader import built_in, load
from charforge.usecases.create import create_character

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
    """Write what a character costs a process that has made many, and one that has made few.

    The two take turns at the same characters, as a machine may be quicker
    in one minute than in the next.
    """
    context = multiprocessing.get_context("spawn")
    ends: list[Connection] = []
    for made in (FIRST, number):
        end, other = context.Pipe()
        context.Process(target=_maker, args=(made, other), daemon=True).start()
        ends.append(end)
        end.recv()  # it is ready
    turns = [[_asked(end, seed) for end in ends] for seed in range(FIRST)]
    few, many = (
        {"seconds": statistics.median(each), "memory": _asked(end, None)}
        for each, end in zip(zip(*turns, strict=True), ends, strict=True)
    )
    told.write_text(json.dumps([few, many]), encoding="utf-8")


def _asked(end: Connection, seed: int | None) -> float:
    end.send(seed)
    return float(end.recv())


def _maker(number: int, end: Connection) -> None:
    """Make so many characters, then those that are asked for, telling the seconds of each.

    Asked for none, tell the memory that all of them took.
    """
    rules = load(RULESET)

    def make(seed: str) -> None:
        create_character(CharacterSpec(rules, seed, "Nix", LEVEL), RandomAnswers(seed))

    for one in range(number):
        make(str(one))
    end.send(number)
    while (seed := end.recv()) is not None:
        end.send(work(partial(make, f"timed {seed}"))())
    end.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


if __name__ == "__main__":
    make_characters(int(sys.argv[1]), Path(sys.argv[2]))
