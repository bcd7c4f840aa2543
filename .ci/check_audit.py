"""Evaluate pip-audit's report: exit with 1 if a newer version fixes a known vulnerability.

Vulnerabilities without a fix, and packages that could not be looked up, are only listed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(path: Path) -> int:
    """Return the exit code for pip-audit's JSON report; 0 if the report is missing."""
    try:
        packages = json.loads(path.read_text(encoding="utf-8"))["dependencies"]
    except (OSError, ValueError, KeyError, TypeError):
        packages = []
    unknown = [package["name"] for package in packages if "vulns" not in package]
    if len(unknown) == len(packages):
        sys.stderr.write("pip-audit could not look up any package; skipped\n")
        return 0
    if unknown:
        sys.stderr.write(f"pip-audit could not look up: {', '.join(unknown)}\n")
    fix_available = False
    for package in packages:
        for vulnerability in package.get("vulns", ()):
            fixed = ", ".join(vulnerability.get("fix_versions", ()))
            fix_available = fix_available or bool(fixed)
            status = f"fixed in {fixed}" if fixed else "not fixed yet"
            sys.stderr.write(
                f"{package['name']} {package['version']}: {vulnerability['id']}, {status}\n"
            )
    return 1 if fix_available else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
