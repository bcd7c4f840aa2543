"""Test a random sample of mutants and estimate the share of all mutants that tests catch.

    python tests/mutation/sample.py 400                       # of everything in [tool.mutmut]
    python tests/mutation/sample.py 400 "charforge.replay.*"  # of what a pattern matches

Run it again to continue, or with a larger number: the same seed draws the same mutants first.
Mutants of changed functions are tested again. With --again, so are survivors, for which you have
added tests. `mutmut show NAME` prints a mutant.
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


def draw_sample(seed: str, pattern: str, number: int) -> list[str]:
    """Return the mutants that a seed draws; their order does not depend on other mutants."""
    names = [name for name in statuses() if fnmatch(name, pattern)]
    return sorted(names, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).digest())[
        :number
    ]


def statuses() -> dict[str, str]:
    """Return the status of each mutant by name."""
    mutants, _files = collect_source_file_mutation_data(mutant_names=())
    return {name: status_by_exit_code[code] for _file, name, code in mutants}


def share(caught: int, tried: int) -> str:
    """Return the share of mutants caught, with its 95 % interval (Wilson) for all mutants."""
    part, spread = caught / tried, CERTAIN**2 / tried
    middle = (part + spread / 2) / (1 + spread)
    around = math.sqrt(spread * part * (1 - part) + spread**2 / 4) / (1 + spread)
    return f"{part:6.1%}  ({middle - around:.1%} to {middle + around:.1%})"


def table(names: Iterable[str]) -> str:
    """Return a table of the counts for each module and in total."""
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
        statuses_text = ", ".join(f"{number} {status}" for status, number in counts.most_common())
        lines.append(f"{row:34} {share(caught, tried) if tried else 'open':28} {statuses_text}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("number", type=int, help="how many mutants")
    parser.add_argument("pattern", nargs="?", default="*", help="names of mutants (default: all)")
    parser.add_argument("--seed", default="1", help="seed of the sample")
    parser.add_argument("--again", action="store_true", help="test survivors again")
    parser.add_argument("--max-children", type=int, default=2, help="parallel processes")
    options = parser.parse_args()
    Path("mutants").mkdir(exist_ok=True)
    copy_src_dir()
    if create_mutants(int(options.max_children)).mutated:
        REACHED.unlink(missing_ok=True)  # it does not list the tests that reach a new function
    names = draw_sample(options.seed, options.pattern, options.number)
    known = statuses()
    if todo := [name for name in names if known[name] in (SURVIVED if options.again else OPEN)]:
        mutmut = Path(sys.executable).with_name("mutmut")
        done = subprocess.run([mutmut, "run", "--max-children", str(options.max_children), *todo])
        if done.returncode:  # mutmut has printed why; usually a test fails without mutants
            raise SystemExit(done.returncode)
    print(table(names))
    for name, status in sorted(statuses().items()):
        if name in names and status not in CAUGHT:
            print(f"{status}: {name}")


if __name__ == "__main__":
    main()
