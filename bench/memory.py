"""Time and memory of a character in a process that has made many, and in one that has made few.

python bench/memory.py FEW MANY RESULT.json
"""

from __future__ import annotations

import json
import multiprocessing
import resource
import statistics
import sys
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from character import LEVEL, RULESET
from timing import timed

from charforge.answers.automatic import RandomAnswers
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load
from charforge.usecases.create import create_character

ROUNDS = 100


def measure(few: int, many: int, result: Path) -> None:
    """Write the seconds and kB of a character after ``few`` others and after ``many``.

    Both processes make the same characters in turns, because the speed of a machine changes.
    """
    context = multiprocessing.get_context("spawn")
    makers: list[Connection] = []
    for before in (few, many):
        maker, other_end = context.Pipe()
        context.Process(target=_maker, args=(before, other_end), daemon=True).start()
        makers.append(maker)
        maker.recv()  # ready
    rounds = [[_request(maker, seed) for maker in makers] for seed in range(min(few, ROUNDS))]
    figures = [
        {"seconds": statistics.median(seconds), "kB": _request(maker, None)}
        for seconds, maker in zip(zip(*rounds, strict=True), makers, strict=True)
    ]
    result.write_text(json.dumps(figures), encoding="utf-8")


def _request(maker: Connection, seed: int | None) -> float:
    maker.send(seed)
    return float(maker.recv())


def _maker(before: int, requests: Connection) -> None:
    """Make ``before`` characters, then one for each seed received, and send its seconds.

    For None, send the memory (kB) used until then, and end.
    """
    rules = load(RULESET)

    def make(seed: str) -> None:
        create_character(CharacterSpec(rules, seed, "Nix", LEVEL), RandomAnswers(seed))

    for number in range(before):
        make(str(number))
    requests.send(before)
    while (seed := requests.recv()) is not None:
        requests.send(timed(partial(make, f"timed {seed}"))())
    requests.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


if __name__ == "__main__":
    measure(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
