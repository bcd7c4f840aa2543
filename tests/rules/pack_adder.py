"""Add packs to new homes, each in a process with limits that starts without delay.

    python -m tests.rules.pack_adder BYTES SECONDS RULESET

Each line of stdin is JSON: a zip and a new home folder. The answer is a line of JSON: the exit
code of ``charforge catalog add ZIP``, and what it printed on stderr. Every command runs in a copy
of this process (fork), which has imported the program and read the YAML of the ruleset that the
packs extend. So Python does not start for each, and only the pack is read.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path

from charforge.cli.app import run
from charforge.cli.packs import packs  # noqa: F401  (what the command imports)
from charforge.rules.loading.loader import built_in, read_folder


def add(zipped: Path, home: Path, memory: int, seconds: int) -> tuple[int, str]:
    """Add a pack in a new process; return its exit code (a signal is negative) and stderr."""
    home.mkdir()
    errors = home.with_name("stderr.txt")
    child = os.fork()
    if child == 0:
        code = 70
        try:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            for stream, path in enumerate((os.devnull, os.devnull, errors)):
                os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC), stream)
            os.environ.update(HOME=str(home), XDG_DATA_HOME=str(home / "data"))
            os.environ.update(XDG_CACHE_HOME=str(home / "cache"))
            code = run(["catalog", "add", str(zipped)])
            sys.stderr.flush()
        finally:
            os._exit(code)
    _child, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), errors.read_text(encoding="utf-8")


if __name__ == "__main__":
    memory, seconds = map(int, sys.argv[1:3])
    read_folder(built_in()[sys.argv[3]])
    for line in sys.stdin:
        zipped, home = map(Path, json.loads(line))
        print(json.dumps(add(zipped, home, memory, seconds)), flush=True)
