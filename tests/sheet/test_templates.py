"""Templates of one's own: what they make, and how their mistakes are named."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import cssselect2
import pytest
import tinyhtml5

from charforge.cli.messages import error_message
from charforge.cli.printing.printed_sheet import ignored_styles
from charforge.errors import FaultyTemplate, UnknownId, UsageError
from charforge.packs.scaffold import TemplateStart, new_template
from charforge.sheet import view
from charforge.sheet.fit import fit_template
from charforge.sheet.print_options import DIGESTS, FULL, Orientation, PrintOptions
from charforge.sheet.sandbox import render_template
from charforge.sheet.template_rendering import LARGEST_FILE
from charforge.sheet.templates import (
    VIEW_VERSION,
    AboutTemplate,
    about_schema,
    find_template,
    named_templates,
)
from charforge.sheet.view.sheet import REMOVED, Removed
from tests.cli.test_documentation import ROOT, script

FIELDS = Path(__file__).with_name("view_fields.txt")

SHEET = view.SheetView(
    name="Nix <&>",
    ruleset="Toy",
    attributes=(view.Attribute("might", "MIG", "Might", 3, 3, key=False),),
    reference=(view.Entry("push", "Push", view.RulesText()),),
)


def view_fields() -> set[tuple[str, str]]:
    """Return what a template can use of a view: classes with their fields and properties."""
    documented = script("view")
    return {
        (part.__name__, name)
        for part in documented.reached(view.SheetView)
        for name in (*part._fields, *(name for name, _getter in documented.properties(part)))
    }


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes files into a folder and renders the first one."""

    def make(main: str, text: str, **others: str) -> str:
        for name, content in others.items():
            (tmp_path / name.replace("_", ".")).write_text(content, encoding="utf-8")
        (tmp_path / main).write_text(text, encoding="utf-8")
        return render_template(find_template(str(tmp_path / main)), SHEET, PrintOptions())

    return make


@pytest.mark.parametrize(
    ("file", "name"),
    [("a.html", "Nix &lt;&amp;&gt;"), ("a.html.j2", "Nix &lt;&amp;&gt;"), ("a.md", "Nix <&>")],
)
def test_only_html_is_escaped(made: Callable[..., str], file: str, name: str) -> None:
    assert made(file, "{{ view.name }}") == name


def test_a_block_of_the_full_sheet_is_replaced_and_the_style_comes_last(
    made: Callable[..., str],
) -> None:
    text = (
        '{% extends "full.html" %}'
        '{% block layout_styles %}{{ super() }}{% include "style.css" %}{% endblock %}'
        "{% block end %}<p>The end of {{ view.name }}</p>{% endblock %}"
    )
    page = made("sheet.html", text, style_css=".own { color: red }")
    assert "<p>The end of Nix &lt;&amp;&gt;</p>" in page
    assert page.index("@page") < page.index(".own { color: red }") < page.index("</head>")


def test_a_file_of_the_folder_stands_in_front_of_the_built_in_one(tmp_path: Path) -> None:
    (tmp_path / "partials").mkdir()
    (tmp_path / "partials" / "header.html").write_text("<p>my own header</p>", encoding="utf-8")
    (tmp_path / "sheet.html").write_text('{% extends "full.html" %}', encoding="utf-8")
    page = render_template(find_template(str(tmp_path)), SHEET, PrintOptions())
    assert "my own header" in page


def test_a_template_that_is_one_file_replaces_only_itself(tmp_path: Path) -> None:
    """A sheet that was printed beside it has the name of a built-in template."""
    (tmp_path / "full.html").write_text("printed before", encoding="utf-8")
    (tmp_path / "mine.html").write_text('{% extends "full.html" %}', encoding="utf-8")
    (tmp_path / "short.html").write_text('{% extends "full.html" %}', encoding="utf-8")
    for name in ("mine.html", "short.html"):
        page = render_template(find_template(str(tmp_path / name)), SHEET, PrintOptions())
        assert "Nix &lt;&amp;&gt;" in page and "printed before" not in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n{{ view.nmae }}", 'a.md:2:1: SheetView has no field "nmae". Did you mean name?'),
        ("{{ veiw.name }}", 'a.md:1:1: there is no "veiw". Did you mean view?'),
        (
            "\n{% for one in view.attributes %}\n{{ one.lable }}{% endfor %}",
            'a.md:3:1: Attribute has no field "lable". Did you mean label?',
        ),
        ("{{ view.name|uper }}", 'a.md:1:1: there is no filter "uper". Did you mean upper?'),
        ("{% if 1 is evn %}{% endif %}", 'a.md:1:1: there is no test "evn". Did you mean even?'),
        ("\n{% for x in [] %}", "a.md:2:1: Unexpected end of template."),
        ("\n\n{{ 1 / 0 }}", "a.md:3:1: ZeroDivisionError"),
        ('\n{% include "ful.html" %}', 'a.md:2:1: there is no template "ful.html".'),
        ('{% extends "a.md" %}', "a.md:1:1: a template extends or includes itself."),
        ("{{ data_uri('logo.pgn') }}", 'a.md:1:1: "logo.pgn": No such file or directory.'),
        ("\udcff", "a.md:1:1: this is not UTF-8."),
        ('{{ "\\ud800" }}', "a.md:1:1: it makes a text with a part of a character"),
        ("\n{{ view.cards[99].name }}", "a.md:2:1: tuple has no field 99."),
        (
            '{% extends "full.html" %}\n{% block endd %}{% endblock %}',
            'a.md:2:1: the page that it extends has no block "endd". Did you mean end?',
        ),
        (
            "{% for one in view.reference %}\n{{ one.text|prose }}{% endfor %}",
            "a.md:2:1: this text has several lengths: add .full, .short or .digest.",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line_and_the_nearest_name(
    made: Callable[..., str], tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "a.md").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(FaultyTemplate) as raised:
        render_template(find_template(str(tmp_path / "a.md")), SHEET, PrintOptions())
    assert said in error_message(raised.value)


def test_all_wrong_filters_are_named_at_once(made: Callable[..., str]) -> None:
    with pytest.raises(FaultyTemplate) as raised:
        made("a.md", "{{ view|a }}\n{{ view|b }}")
    assert [(one.line, one.message) for one in raised.value.problems] == [
        (1, 'there is no filter "a"'),
        (2, 'there is no filter "b"'),
    ]


def test_a_picture_is_part_of_the_page_and_has_a_limit(
    made: Callable[..., str], tmp_path: Path
) -> None:
    (tmp_path / "dot.png").write_bytes(b"\x89PNG")
    assert made("a.html", "{{ data_uri('dot.png') }}") == "data:image/png;base64,iVBORw=="
    (tmp_path / "dot.png").write_bytes(bytes(LARGEST_FILE + 1))
    with pytest.raises(FaultyTemplate, match="problem"):
        made("a.html", "{{ data_uri('dot.png') }}")


def test_a_folder_needs_one_sheet(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no file"):
        find_template(str(tmp_path))
    for ending in ("html", "md"):
        (tmp_path / f"sheet.{ending}").touch()
    with pytest.raises(UsageError, match=r"sheet\.html and sheet\.md"):
        find_template(str(tmp_path))


def test_a_wrong_key_of_the_description_is_named(tmp_path: Path) -> None:
    (tmp_path / "sheet.md").touch()
    (tmp_path / "template.yaml").write_text("name: A\nauthr: B\n", encoding="utf-8")
    with pytest.raises(FaultyTemplate) as raised:
        find_template(str(tmp_path))
    (problem,) = raised.value.problems
    assert (problem.line, problem.field, problem.nearest) == (2, "authr", "author")


def test_templates_of_the_user_are_known_by_name(packs_home: Path) -> None:
    folder = packs_home.with_name("templates")
    (folder / "mine").mkdir(parents=True)
    (folder / "mine" / "sheet.md").write_text("{{ view.name }}", encoding="utf-8")
    (folder / "short.md").write_text("{{ view.ruleset }}", encoding="utf-8")
    assert [*named_templates()][-2:] == ["mine", "short"]
    assert find_template("zine").about.name == "Zine"
    (folder / "zine.md").write_text("{{ view.name }}", encoding="utf-8")
    assert find_template("zine").file == "zine.md"
    assert render_template(find_template("mine"), SHEET, PrintOptions()) == "Nix <&>"
    assert render_template(find_template("short"), SHEET, PrintOptions()) == "Toy"
    with pytest.raises(UnknownId) as raised:
        find_template("mien")
    assert raised.value.nearest == "mine"


STARTS: tuple[TemplateStart, ...] = get_args(TemplateStart)


@pytest.mark.parametrize("start", STARTS)
def test_a_new_template_works_at_once(tmp_path: Path, start: TemplateStart) -> None:
    written = new_template(tmp_path / "my-sheet", start)
    template = find_template(str(tmp_path / "my-sheet"))
    assert template.folder / template.file in written
    assert (template.name, template.about.view) == ("My Sheet", VIEW_VERSION)
    assert template.is_page == (start not in ("markdown", "plain"))
    assert "Nix" in render_template(template, SHEET, PrintOptions())
    readme = (template.folder / "README.md").read_text("utf-8")
    assert f"`{template.file}`" in readme and "@" not in readme


@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_the_style_of_a_new_short_sheet_changes_names_in_tables_and_in_lines(
    tmp_path: Path, orientation: Orientation
) -> None:
    """On wide paper abilities are lines of text."""
    new_template(tmp_path / "mine", "short")
    selectors = re.findall(
        r"^(\..+?) {", (tmp_path / "mine" / "style.css").read_text("utf-8"), re.M
    )
    bonk = view.Card("a/bonk", "Bonk", (), "", "", view.RulesText(), (), ())
    options = PrintOptions("short", orientation=orientation)
    html = render_template(
        find_template(str(tmp_path / "mine")), SHEET._replace(cards=(bonk,)), options
    )
    page = cssselect2.ElementWrapper.from_html_root(
        tinyhtml5.parse(html, namespace_html_elements=False)
    )
    found = [page.query_all(selector) for selector in selectors]
    texts = [["".join(one.etree_element.itertext()) for one in each] for each in found]
    assert all(texts)
    assert ["Bonk"] in texts


def test_the_first_template_of_the_guide_has_ten_lines() -> None:
    guide = ROOT / "docs" / "guides" / "templates.md"
    lines = guide.read_text("utf-8").partition('title="plain.html"\n')[2].partition("```")[0]
    assert len(lines.splitlines()) == 10


def test_the_options_of_the_guide_are_those_of_a_template() -> None:
    names = [
        name for row in script("view").OPTIONS for name in re.findall(r"options\.(\w+)", row[0])
    ]
    assert len(names) > 10
    assert [name for name in names if not hasattr(PrintOptions(), name)] == []


def test_editors_complete_what_a_template_says_of_itself(packs_home: Path) -> None:
    properties = about_schema()["properties"]
    assert {*properties} == {*AboutTemplate.model_fields}
    assert "capital" in properties["games"]["items"]["enum"]


def test_a_template_for_a_later_view_says_so(tmp_path: Path) -> None:
    (tmp_path / "sheet.md").touch()
    (tmp_path / "template.yaml").write_text(
        f"name: A\nview: {VIEW_VERSION + 1}\n", encoding="utf-8"
    )
    with pytest.raises(FaultyTemplate) as raised:
        find_template(str(tmp_path))
    (problem,) = raised.value.problems
    assert (problem.line, problem.field) == (2, "view")
    assert "update it" in problem.message


def test_a_field_that_the_view_had_is_named_with_what_to_use(
    made: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    removed = {("SheetView", "nick"): Removed(2, "use name")}
    monkeypatch.setattr("charforge.sheet.template_rendering.REMOVED", removed)
    with pytest.raises(FaultyTemplate) as raised:
        made("a.md", "{{ view.nick }}")
    assert "not in the view since version 2: use name" in error_message(raised.value)


def test_no_field_of_the_view_is_removed_without_a_word() -> None:
    """What a template of this version uses stays, or is in ``REMOVED``; new fields may be added."""
    promised = {(part, name) for part, name in map(str.split, FIELDS.read_text().splitlines())}
    present = view_fields()
    assert promised - present - REMOVED.keys() == set()
    assert present - promised == set(), "new fields: run python -m tests.sheet.test_templates"


@pytest.mark.needs("pango")
@pytest.mark.parametrize(
    ("pages", "printed", "brevity", "scale"),
    [(None, 4, FULL, 1.0), (4, 4, FULL, 1.0), (3, 3, DIGESTS, 1.0), (2, 2, DIGESTS, 0.9),
     (1, 2, DIGESTS, 0.9)],
)  # fmt: skip
def test_a_template_with_a_number_of_pages_is_brief_and_small_enough(
    pages: int | None, printed: int, brevity: int, scale: float
) -> None:
    """It is as large as possible; what never fits has as few pages as possible."""

    def render(options: PrintOptions) -> str:
        count = 4 if options.brevity == FULL else 3 if options.type_scale > 0.9 else 2
        looks = f"<html><body title='{options.brevity} {options.type_scale}'>"
        return looks + "<p style='break-before: page'>x</p>" * count

    sheet = fit_template(render, PrintOptions(), pages)
    assert len(sheet.document.pages) == printed
    assert f"'{brevity} {scale}'" in sheet.html


@pytest.mark.needs("pango")
def test_what_a_pdf_ignores_in_a_style_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "sheet.html").write_text('{% extends "full.html" %}', encoding="utf-8")
    (tmp_path / "style.css").write_text("h1 { color: red }\nh2 { colr: red }\n", encoding="utf-8")
    template = find_template(str(tmp_path))
    (problem,) = ignored_styles(template, SHEET, PrintOptions())
    assert (problem.file.name, problem.line) == ("style.css", 2)
    assert "colr: red" in problem.message


if __name__ == "__main__":
    rows = (f"{part} {name}\n" for part, name in sorted(view_fields()))
    FIELDS.write_text("".join(rows), encoding="utf-8")
