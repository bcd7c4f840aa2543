"""Write docs/macros.md: the macros for templates, from the comments in templates/macros.html.

python docs/macros.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[1] / "templates" / "macros.html"
PAGE = Path(__file__).with_name("macros.md")
START = """# Macros for templates

<!-- Written by docs/macros.py from the comments in templates/macros.html: change it there. -->

The parts of the built-in sheets, for [your own template](guides/templates.md), too. Import those
that you need, `with context`:

```jinja
{% from "macros.html" import scores, pips with context %}
{{ scores(view.attributes) }}
{{ pips(ticks(6, options, 40), "arrows") }}
```

They look as on the built-in sheets if your page extends one of these or `base.html`. In a page
that begins with nothing, put `{% include "styles/macros.css" %}` into the `<style>`; your own
styles after it change what you like.

What must stay together on a page has the class `keep-together`.
"""
SECTION = re.compile(r"\{# -{10,} (?P<title>.+?) #\}\n")
MACRO = re.compile(
    r"\{# (?P<about>(?:(?!#\}).)*?)\s+Example: (?P<example>(?:(?!#\}).)*) #\}\n"
    r"\{% macro (?P<head>\w+\(.*?\)) %\}",
    re.DOTALL,
)


class Macro(NamedTuple):
    """A documented macro: its name and parameters, what it prints, and a call of it."""

    section: str
    head: str
    about: str
    example: str


def main() -> None:
    """Write the page."""
    PAGE.write_text(reference(), encoding="utf-8")


def macros() -> Iterator[Macro]:
    """Yield the documented macros in their order."""
    _start, *parts = SECTION.split(SOURCE.read_text(encoding="utf-8"))
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        for found in MACRO.finditer(text):
            head, about, example = (
                " ".join(found[group].split()) for group in ("head", "about", "example")
            )
            yield Macro(title, head, about, example)


def reference() -> str:
    """Return the whole page."""
    lines, section = [START], ""
    for macro in macros():
        if macro.section != section:
            section = macro.section
            lines += [*([""] if len(lines) > 1 else []), f"## {section}", ""]
            lines += ["| macro | what it prints | example |", "|---|---|---|"]
        cells = (f"`{macro.head}`", macro.about, f"`{{{{ {macro.example} }}}}`")
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
