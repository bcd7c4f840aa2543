"""The YAML loader and dumper: those of libyaml, or PyYAML's own where it was built without."""

from __future__ import annotations

__all__ = ["SafeDumper", "SafeLoader"]

try:
    from yaml import CSafeDumper as SafeDumper, CSafeLoader as SafeLoader
except ImportError:  # PyYAML was built without libyaml; tests run this in a process of its own
    from yaml import SafeDumper, SafeLoader  # type: ignore[assignment]
