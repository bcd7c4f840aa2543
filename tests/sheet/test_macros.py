"""Macros for templates: every documented one prints something, as in its example."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from jinja2.exceptions import UndefinedError

from charforge.packs.install import load_checked
from charforge.sheet.build import build
from charforge.sheet.html import environment
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.view import SheetCapacity, SheetView
from tests.cli.test_documentation import ROOT, script
from tests.conftest import load
from tests.sheet.conftest import made

MACROS = [*script("macros").macros()]
NAMES = [macro.head.partition("(")[0] for macro in MACROS]


@pytest.fixture(scope="module")
def views() -> list[SheetView]:
    """Return characters that have, together, all that a macro can print."""
    example = load_checked(ROOT / "examples" / "night-post").ruleset
    found = [build(made(game)) for game in (load("capital"), load("narrative-dice"), example)]
    weapon = found[0].weapons[0]._replace(capacities=(SheetCapacity("Shots", 6),))
    return [found[0]._replace(weapons=(weapon,)), *found[1:]]


@pytest.mark.parametrize("macro", MACROS, ids=NAMES)
def test_each_example_prints_something(macro, views) -> None:
    source = (
        f'{{% from "macros.html" import {", ".join(NAMES)} with context %}}'
        f"{{{{ {macro.example} }}}}"
    )
    template = environment().from_string(source)
    options = PrintOptions(fillable=macro.head.startswith("field("))

    def printed() -> Iterator[str]:
        for view in views:
            try:
                yield template.render(view=view, options=options, play=None).strip()
            except UndefinedError:  # this one has none
                continue

    assert any(re.search(r"<\w+ |<\w+>", text) for text in printed())


def test_the_macros_have_the_same_styles_on_a_page_that_begins_with_nothing(views) -> None:
    source = (
        '<style>{% include "styles/macros.css" %}</style>'
        '{% from "macros.html" import scores with context %}{{ scores(view.attributes) }}'
    )
    template, options = environment().from_string(source), PrintOptions()
    page = template.render(view=views[0], options=options, play=None)
    styles, _end, body = page.partition("</style>")
    used = {name for names in re.findall(r'class="([^"]+)"', body) for name in names.split()}
    assert used and {name for name in used if f".{name}" not in styles} == set()
