"""Mutation tests on a bounded number of mutants, drawn at random, and what share of all they kill.

    python tests/mutation/sample.py 400                       # of everything in [tool.mutmut]
    python tests/mutation/sample.py 400 "charforge.replay.*"  # of what a pattern matches

Run it again to go on where it was stopped, or with a larger number: the same seed draws the same
mutants first. Those of functions that changed since are tried anew; survivors with --again, once
they have a test. `mutmut show NAME` prints one.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

from mutmut.__main__ import collect_source_file_mutation_data, copy_src_dir, create_mutants
from mutmut.stats import status_by_exit_code

CAUGHT = ("killed", "timeout", "segfault")
OPEN = ("not checked", "no tests")
SURVIVED = (*OPEN, "survived", "suspicious")
REACHED = Path("mutants/mutmut-stats.json")
CERTAIN = 1.96  # standard deviations: 95% of all samples


def drawn(seed: str, pattern: str, number: int) -> list[str]:
    """Return the names that a seed draws: each mutant has its own place, whatever else there is."""
    names = [name for name in statuses() if fnmatch(name, pattern)]
    return sorted(names, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).digest())[
        :number
    ]


def statuses() -> dict[str, str]:
    """Return what became of each mutant so far, by its name."""
    mutants, _files = collect_source_file_mutation_data(mutant_names=())
    return {name: status_by_exit_code[code] for _file, name, code in mutants}


def share(caught: int, tried: int) -> str:
    """Say what share was caught, and between what shares that of all mutants lies (Wilson)."""
    part, spread = caught / tried, CERTAIN**2 / tried
    middle = (part + spread / 2) / (1 + spread)
    around = math.sqrt(spread * part * (1 - part) + spread**2 / 4) / (1 + spread)
    return f"{part:6.1%}  ({middle - around:.1%} to {middle + around:.1%})"


def table(names: Iterable[str]) -> str:
    """Return the counts of each module, and of all."""
    known = statuses()
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name in names:
        for row in (name.rpartition(".")[0], "all"):
            found[row][known[name]] += 1
    lines = []
    for row in sorted(found, key=lambda row: (row == "all", row)):
        counts = found[row]
        tried = counts.total() - counts["not checked"]
        caught = sum(counts[one] for one in CAUGHT)
        told = ", ".join(f"{number} {status}" for status, number in counts.most_common())
        lines.append(f"{row:34} {share(caught, tried) if tried else 'open':28} {told}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("number", type=int, help="how many mutants")
    parser.add_argument("pattern", nargs="?", default="*", help="of which names (default: all)")
    parser.add_argument("--seed", default="1", help="another seed draws others")
    parser.add_argument("--again", action="store_true", help="survivors too: tests were added")
    parser.add_argument("--max-children", type=int, default=2, help="how many at once")
    given = parser.parse_args()
    Path("mutants").mkdir(exist_ok=True)
    copy_src_dir()
    if create_mutants(int(given.max_children)).mutated:
        REACHED.unlink(missing_ok=True)  # which tests reach a new function is not known yet
    names = drawn(given.seed, given.pattern, given.number)
    known = statuses()
    if todo := [name for name in names if known[name] in (SURVIVED if given.again else OPEN)]:
        mutmut = Path(sys.executable).with_name("mutmut")
        done = subprocess.run([mutmut, "run", "--max-children", given.max_children, *todo])
        if done.returncode:  # it has said why: most often a test fails without any mutant
            raise SystemExit(done.returncode)
    print(table(names))
    for name, status in sorted(statuses().items()):
        if name in names and status not in CAUGHT:
            print(f"{status}: {name}")


if __name__ == "__main__":
    main()
