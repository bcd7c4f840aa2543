"""The YAML loader and dumper: those of libyaml, or PyYAML's own where it was built without."""

from __future__ import annotations

import yaml

__all__ = ["SafeDumper", "SafeLoader"]

try:
    from yaml import CSafeDumper as _Dumper, CSafeLoader as SafeLoader
except ImportError:  # PyYAML was built without libyaml; tests run this in a process of its own
    from yaml import SafeDumper as _Dumper, SafeLoader  # type: ignore[assignment]


class SafeDumper(_Dumper):
    """Writes texts of any kind as plain texts: a translated one knows its original, too."""


def _text(dumper: SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_str(str(text))


SafeDumper.add_multi_representer(str, _text)
