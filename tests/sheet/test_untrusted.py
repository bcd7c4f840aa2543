"""Texts from outside stay text, on any layout."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser
from typing import Any, get_args

import pytest
from jinja2 import meta, nodes

from charforge.paths import data_folder
from charforge.replay.replay import Character
from charforge.sheet.build import build
from charforge.sheet.html import environment, render_html
from charforge.sheet.party import parties, party_member, render_summary
from charforge.sheet.print_options import Layout, PrintOptions
from charforge.sheet.view import SheetView
from tests.sheet.conftest import HOSTILE, Make

PICTURE = "data:image/jpeg;base64,AAAA"
EVIL = f"x onload=alert(1) style=\"background:url('http://example.invalid')\" '>{HOSTILE}"
LENGTHS = re.compile(
    r"((width|height|left|top|font-size):\d+(\.\d+)?(mm|pt|rem);?)+"
    r"|width:calc\(\(100% - 2mm\)\*[01]\.\d+ - 2mm\)"
)
STYLES = re.compile(r"(?s)<style[^>]*>(.*?)</style>|\{% block (?:\w*_)?styles %\}(.*?)\{% endblock")
BLOCK = re.compile(r"\{% (?:end)?block[^%]*%\}")
# What style sheets print of a view and of the print options, reviewed: words and colours of a list
# of the rules' models, numbers, and style sheets of our own.
IN_STYLES = {
    "view.theme.colour", "view.theme.on_dark[]", "view.theme.mark", "view.theme.header",
    "view.theme.ornament", "options.type_scale", "options.large", "options.is_wide",
    "options.is_low", "options.is_narrow", "options.columns", "options.page.width",
    "options.paper_size", "options.paper_size.width", "options.paper_size.height",
    "options.card_size", "options.card_grid", "options.card_inset", "options.has_card_foot",
    "options.card_margins.width", "options.card_margins.height",
    "css", "number", "top", "width", "height", "between", "most", "within", "foot_height",
}  # fmt: skip
# What a template asks for or puts in a style; a pack can only write words and colours of a list.
KEYS = {"form", "mark", "header", "ornament", "colour", "on_dark"}


def hostile(value: Any) -> Any:
    """Return a view in which every text is ill meant."""
    if isinstance(value, str):
        return EVIL if value else value
    if hasattr(value, "_fields"):
        changed = {name: hostile(getattr(value, name)) for name in value._fields}
        return value._replace(**{name: new for name, new in changed.items() if name not in KEYS})
    if isinstance(value, tuple):
        return tuple(hostile(part) for part in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value) if field.init]
        changed = {name: hostile(getattr(value, name)) for name in names if name not in KEYS}
        return dataclasses.replace(value, **changed)
    return value


class Page(HTMLParser):
    """What a browser makes of a page: its elements, their attributes, its scripts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.styles: list[str] = []
        self.addresses: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attributes:
            self.names.add(f"{tag} {name}")
            if name == "style":
                self.styles.append(value or "")
            if name in ("src", "href", "action", "srcset", "data"):
                self.addresses.add(value or "")


@pytest.fixture(scope="module")
def scout(make: Make) -> Character:
    return make(level=5, role="role/the-scout", asset="vehicle/bike")


@pytest.fixture(scope="module")
def view(scout: Character) -> SheetView:
    return build(scout)


def shown(view: SheetView, options: PrintOptions, scout: Character) -> Page:
    """Return the page of a layout; that of a party has the view as its only member."""
    if options.layout == "party":
        return Page(render_summary(parties([party_member(scout, view)]), options))
    return Page(render_html(view, options))


@pytest.mark.parametrize("layout", get_args(Layout))
@pytest.mark.parametrize("fillable", [False, True])
def test_ill_meant_words_add_nothing_to_a_page(
    view: SheetView, scout: Character, layout: Layout, fillable: bool
) -> None:
    options = PrintOptions(layout=layout, fillable=fillable, portrait=PICTURE)
    tame, wild = shown(view, options, scout), shown(hostile(view), options, scout)
    assert EVIL in hostile(view).name
    assert wild.tags <= tame.tags
    # Where every text is the same, a mode of a weapon has no figures of its own, only a remark.
    assert wild.names <= tame.names | {"td colspan"}
    assert "script" not in wild.tags
    assert bool(wild.styles) == (layout not in ("reference", "party"))
    assert [style for style in wild.styles if not LENGTHS.fullmatch(style)] == []
    assert wild.addresses <= {PICTURE}


def test_no_template_writes_an_attribute_without_quotes() -> None:
    templates = sorted(data_folder("templates").rglob("*.html"))
    assert len(templates) > 8
    bare = re.compile(r"<\w[^>]*\s[\w-]+=\s*(?!\")[^\s>]*\{\{")
    assert [path.name for path in templates if bare.search(path.read_text("utf-8"))] == []
    assert bare.search("<p class={{ x }}>")
    assert bare.search("<p id=\"a\" title='{{ x }}'>")


def printed_names(source: str) -> set[str]:
    """Return what a template prints of what it is given: ``view.theme.colour``.

    Conditions print nothing, and what a filter counts is a number.
    """
    jinja = environment()
    tree = jinja.parse(source)
    macros = {macro.name for macro in tree.find_all(nodes.Macro)}
    names = meta.find_undeclared_variables(tree) - jinja.globals.keys() - macros
    found: set[str] = set()

    def visit(node: nodes.Node) -> None:
        path = _path(node)
        if path.partition(".")[0] in names:
            found.add(path)
        elif not isinstance(node, nodes.Compare | nodes.Test):
            counted = isinstance(node, nodes.Filter) and node.name == "length"
            conditions = [getattr(node, "test", None)]
            for child in () if counted else node.iter_child_nodes():
                if child not in conditions:
                    visit(child)

    visit(tree)
    return found


def _path(node: nodes.Node) -> str:
    """Return the name of a part of what a template is given; empty for anything else."""
    if isinstance(node, nodes.Name):
        return str(node.name)
    if isinstance(node, nodes.Getattr):
        return f"{_path(node.node)}.{node.attr}"
    return f"{_path(node.node)}[]" if isinstance(node, nodes.Getitem) else ""


def test_style_sheets_print_no_text_of_a_view() -> None:
    """Names reach a style sheet only as attributes, which it reads with ``attr()``."""
    templates = data_folder("templates")
    sources = {path.name: path.read_text("utf-8") for path in templates.rglob("*.css")}
    sources |= {
        path.name: "\n".join(
            BLOCK.sub("", "".join(parts)) for parts in STYLES.findall(path.read_text("utf-8"))
        )
        for path in templates.rglob("*.html")
        if not path.parent.name.startswith(
            "new-"
        )  # what a user begins with, and may print anything
    }
    for partial in ("tokens", "sizes", "drawings"):  # the partials that style sheets import
        sources[partial] = (templates / "partials" / f"{partial}.html").read_text("utf-8")
    imported = {name for text in sources.values() for name in re.findall(r'"partials/(\w+)', text)}
    assert imported <= sources.keys()
    found = {name: printed_names(source) for name, source in sources.items()}
    assert {name: more for name, shown in found.items() if (more := shown - IN_STYLES)} == {}
    assert {one for shown in found.values() for one in shown} == IN_STYLES
    evil = '@page { content: "{{ view.title|replace(1, 2) }}" } {{ view.name }} {{ title|length }}'
    assert printed_names(evil) == {"view.title", "view.name"}
