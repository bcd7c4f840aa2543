"""Judge what pip-audit wrote: 1 where a newer version of a package mends a known hole.

Holes that nothing mends yet, and packages that it could not ask about, are only told.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(path: Path) -> int:
    """Return the exit code for pip-audit's JSON; without any it could not do its work."""
    try:
        audited = json.loads(path.read_text(encoding="utf-8"))["dependencies"]
    except (OSError, ValueError, KeyError, TypeError):
        audited = []
    unknown = [one["name"] for one in audited if "vulns" not in one]
    if len(unknown) == len(audited):
        sys.stderr.write("pip-audit could not ask about any package; it is skipped\n")
        return 0
    if unknown:
        sys.stderr.write(f"pip-audit could not ask about: {', '.join(unknown)}\n")
    mended = False
    for one in audited:
        for hole in one.get("vulns", ()):
            fixed = ", ".join(hole.get("fix_versions", ()))
            mended = mended or bool(fixed)
            told = f"mended in {fixed}" if fixed else "nothing mends it yet"
            sys.stderr.write(f"{one['name']} {one['version']}: {hole['id']}, {told}\n")
    return 1 if mended else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
