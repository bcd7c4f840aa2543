"""The YAML loader and dumper: those of libyaml, or PyYAML's own where it was built without."""

from __future__ import annotations

import yaml

__all__ = ["PurePythonLoader", "SafeDumper", "SafeLoader"]

ENDS = "\0,[]{}"  # what a text without quotes inside brackets ends with
BLANK = " \t\r\n\x85\u2028\u2029"


class PurePythonLoader(yaml.SafeLoader):
    """PyYAML's own loader, which reads question marks as libyaml does.

    Inside brackets it takes each for the start of a key, so that
    ``{label: Which one?}`` would be an error.
    """

    def scan_plain(self) -> yaml.ScalarToken:
        """Return the token of a text without quotes, with its question marks."""
        token = super().scan_plain()
        while self.flow_level and self.peek() == "?":
            self.forward()
            token.value += "?"
            token.end_mark = self.get_mark()
            spaces = self.scan_plain_spaces(self.indent + 1, token.start_mark) or []
            following = self.peek()
            is_comment = following == "#" and spaces
            is_key = following == ":" and self.peek(1) in ENDS + BLANK
            if following in ENDS or is_comment or is_key:
                break
            token.value += "".join(spaces)
            if following != "?":
                rest = super().scan_plain()
                token.value += rest.value
                token.end_mark = rest.end_mark
        return token


try:
    from yaml import CSafeDumper as SafeDumper, CSafeLoader as SafeLoader
except ImportError:  # PyYAML was built without libyaml; tests run this in a process of its own
    from yaml import SafeDumper  # type: ignore[assignment]

    SafeLoader = PurePythonLoader  # type: ignore[assignment,misc]
