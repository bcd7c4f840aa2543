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

These styles are also for bare tags such as `h1`, `b`, `li` and `table`, and for classes such as
`stamp` and `card`: give yours other names.

What must stay together on a page has the class `keep-together`.

## Blocks

A page that extends a built-in one replaces its blocks; `{{ super() }}` prints what a block had
before. Every page has those of `base.html`, and the full sheet one for each section. `styles` and
`layout_styles` are for CSS, `parts` is all from the header to the reference, and `end` what comes
after it.

| page | its blocks, in their order |
|---|---|
{blocks}
"""
PAGES = ("base.html", "full.html")
BLOCK = re.compile(r"\{%[-+]? block (\w+)")
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


def _blocks(page: str) -> str:
    """Return a row with the blocks of a page."""
    names = dict.fromkeys(BLOCK.findall(SOURCE.with_name(page).read_text(encoding="utf-8")))
    return f"| `{page}` | {', '.join(f'`{name}`' for name in names)} |"


def reference() -> str:
    """Return the whole page."""
    lines, section = [START.replace("{blocks}", "\n".join(map(_blocks, PAGES)))], ""
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
