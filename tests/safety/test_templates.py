"""Hostile templates: what one that came with a pack tries, and what happens."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from charforge.cli.messages import error_message
from charforge.errors import FaultyTemplate
from charforge.sheet import sandbox, view
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.sandbox import SHEET_POLICY, UnsafePage, render_template, safe_page
from charforge.sheet.template_rendering import render_here
from charforge.sheet.templates import OwnTemplate, find_template

CREDIT = view.Credit("Toy", "1", "", ("Ann",), "CC-BY-4.0")
SHEET = view.SheetView(name="Nix", ruleset="Toy", credits=(CREDIT,))
SECRET = "CANARY-read-by-nobody"


@pytest.fixture
def foreign(tmp_path: Path) -> Callable[..., OwnTemplate]:
    """Return a function that writes a template into a pack beside a secret."""
    (tmp_path / "secret.txt").write_text(SECRET, encoding="utf-8")
    folder = tmp_path / "pack" / "templates" / "zine"
    folder.mkdir(parents=True)
    (tmp_path / "pack" / "ruleset.yaml").write_text("id: toy\n", encoding="utf-8")

    def write(text: str, name: str = "sheet.html") -> OwnTemplate:
        (folder / name).write_text(text, encoding="utf-8")
        return find_template(str(folder))

    return write


def test_a_template_in_the_folder_of_a_pack_is_sandboxed(
    foreign: Callable[..., OwnTemplate],
) -> None:
    template = foreign("{{ view.name }}")
    assert (template.sandboxed, template.games) == (True, ("toy",))
    assert find_template(str(template.folder / template.file)).sandboxed
    assert find_template(str(template.folder / ".." / "zine")).sandboxed


# What Jinja's sandbox and the folder stop, in this process: it is fast.
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ ''.__class__.__mro__ }}", 'str has no field "__class__"'),
        ("{{ view._replace(name='x') }}", 'SheetView has no field "_replace"'),
        ("{{ data_uri.__globals__ }}", 'function has no field "__globals__"'),
        ("{{ data_uri.__closure__ }}", 'function has no field "__closure__"'),
        ("{{ view|attr('__class__') }}", "__class__"),
        ("{{ '{0.__class__}'.format(view) }}", 'no field "__class__"'),
        ("{{ '{a.__class__}'|fill(a=view) }}", 'no field "__class__"'),
        ("{{ lipsum.__globals__['os'] }}", 'function has no field "__globals__"'),
        ("{{ range(10**9) }}", "Range too big"),
        ("{% include '../../../secret.txt' %}", "there is no template"),
        ("{% import '/etc/passwd' as x %}", "there is no template"),
        ("{{ data_uri('../../../secret.txt') }}", "this is outside the folder of the template"),
        ("{{ data_uri('/etc/passwd') }}", "this is outside the folder of the template"),
    ],
)
def test_a_template_reaches_neither_python_nor_other_files(
    foreign: Callable[..., OwnTemplate], text: str, said: str
) -> None:
    with pytest.raises(FaultyTemplate) as raised:
        render_here(foreign(text), SHEET, PrintOptions())
    assert said in error_message(raised.value)
    assert SECRET not in error_message(raised.value)


SVG = "data:image/svg+xml;base64," + b64encode(b"<svg><script>x</script></svg>").decode()
LAUGHS = b'<!DOCTYPE s [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><svg><text>&b;</text></svg>'


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("<script>alert(1)</script>", "<script>"),
        ("<svg><script>alert(1)</script></svg>", "<script>"),
        ("<svg><animate attributeName=href to=javascript:alert(1) /></svg>", "<animate>"),
        ("<svg><foreignObject><p>x</foreignObject></svg>", "<foreignObject>"),
        ("<math><mtext><style><img src onerror=x></style></math>", "<math>"),
        ("<p onclick=alert(1)>x", '"onclick", which can run a script'),
        ("<svg ONLOAD=alert(1)></svg>", '"onload", which can run a script'),
        ("<a href=' java\nscript:alert(1)'>x</a>", 'attribute "href" contains a script'),
        ("<a href='data:text/html,<script>x</script>'>x</a>", "a link may lead"),
        (f"<img src='{SVG}'>", "a picture in it contains a script"),
        ("<img src='data:image/svg+xml,<svg onload=alert(1)>'>", "a picture in it contains"),
        (f"<img src='data:image/svg+xml;base64,{b64encode(LAUGHS).decode()}'>", "an entity"),
        ("<iframe srcdoc='<script>x</script>'></iframe>", "<iframe>"),
        ("<object data=x></object><embed src=x>", "<embed>"),
        ("<base href=https://host.example>", "<base>"),
        ("<link rel=stylesheet href=https://host.example>", "<link>"),
        ("<meta http-equiv=refresh content='0;url=https://host.example'>", '"http-equiv"'),
        ("<form action=https://host.example><button>x</button></form>", "<form>"),
        ("<button formaction=https://host.example>x</button>", "it reads"),
        ("<img src=https://host.example/a.png>", "it reads"),
        ("<img srcset='https://host.example/a.png 2x'>", "it reads"),
        ("<img src=file:///etc/passwd>", "it reads"),
        ("<style>@import 'https://host.example';</style>", "@import"),
        ("<style>@\\69mport url(x);</style>", "@import"),
        ("<style>@media print { a { background: url(file:///etc/passwd) } }</style>", "it reads"),
        ("<p style='background: u\\72l(https://host.example)'>x", "it reads"),
        ("<style>a { background: image-set('https://host.example' 1x) }</style>", "it reads"),
        ("<svg><rect fill='url(https://host.example/#a)' /></svg>", "it reads"),
        ("<svg><use href='https://host.example/a.svg#a' /></svg>", "it reads"),
        ("<dialog popover>x</dialog>", "<dialog>"),
        ("<body style='content:url(\"'>x", "stands in <style>"),
        ("<body style='opacity:0!important;/*'>x", "stands in <style>"),
        ("<html style='opacity:0 !important;--x:['><p>x", "stands in <style>"),
        ("<a href='data:image/svg+xml,<svg/onload=alert(1)>'>x</a>", "a link may lead"),
        ("<img src='data:image/svg+xml,<svg/onload=alert(1)>'>", "a picture in it contains"),
        ("<img src='data:image/svg+xml;charset=iso-2022-jp,<s%1b(Bcript>'>", "a picture in it"),
        ("<img src='data:image/svg+xml,<s%1b(Bcript>'>", "a picture in it contains"),
        ("<a rel=attachment href=#a>x</a>", '"rel"'),
        ("<a download='nix.json' href=#a>x</a>", '"download"'),
        ("<style>p { background: image-set(var(--x) 1x) }</style>", "makes an address with var()"),
    ],
)  # fmt: skip
def test_a_page_with_scripts_or_addresses_is_refused(page: str, said: str) -> None:
    with pytest.raises(UnsafePage) as raised:
        safe_page(page)
    assert any(said in part for part in raised.value.parts), raised.value.parts


def test_a_page_is_written_again_with_the_policy_first() -> None:
    style = "<style>b::after { content: '</p><' }</style>"
    text = f"<title>A &amp; B</title>{style}<p title='\"<'>1 &lt; 2<br>x"
    page = safe_page(text)
    assert page.index(SHEET_POLICY) < page.index("<title>A &amp; B</title>")
    assert "content: '\\3c /p><' }" in page
    assert '<p title="&quot;&lt;">1 &lt; 2<br>x</p>' in page
    assert "".join(safe_page(page).split()) == "".join(page.split())
    drawn = '<svg viewBox="0 0 1 1"><use xlink:href="#a"></use></svg>'
    assert drawn in safe_page(drawn)
    assert '<a href="#a">' in safe_page('<a href="#a">x</a>')
    assert '<a href="https://example.org">' in safe_page('<a href="https://example.org">x</a>')


def test_everything_that_the_built_in_sheets_use_is_allowed() -> None:
    from charforge.sheet.html import render_html

    for layout in ("full", "short", "cards", "reference"):
        assert "<main>" in safe_page(render_html(SHEET, PrintOptions(layout=layout)))


def text_of(template: OwnTemplate) -> str:
    return render_template(template, SHEET, PrintOptions())


# Each of these is a process of its own.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
         "more than 1 seconds"),
        ("{{ 9 ** (9 ** 9) }}", "more than 1 seconds"),
        ("{{ 'a' * 10**10 }}", "too much memory"),
        ("{{ 'a'|center(10**10) }}", "too much memory"),
        ("{% set a = 'a' * 10**6 %}{% for b in range(9999) %}{{ a }}{% endfor %}", "memory"),
        ("{% set a = 'a' * 10**6 %}{% for b in range(9) %}{{ a }}{% endfor %}", "more than 5 MB"),
        ("{% include 'sheet.html' %}", "extends or includes itself"),
        ("<p onclick=x>", "can run a script"),
        ("{{ '<div>'|safe * 3000 }}", "this cannot be printed: RecursionError"),
    ],
)  # fmt: skip
def test_time_and_memory_have_limits(
    foreign: Callable[..., OwnTemplate], monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    if "seconds" in said:  # the others need some themselves on a slow machine
        monkeypatch.setattr(sandbox, "MAX_SECONDS", 1)
    with pytest.raises(FaultyTemplate) as raised:
        text_of(foreign(text))
    assert said in error_message(raised.value)


@pytest.mark.slow
def test_the_other_process_starts_no_program_and_reaches_no_network() -> None:
    for event in ("socket.connect", "subprocess.Popen", "os.system", "os.fork"):
        with pytest.raises(PermissionError):
            sandbox.refuse_outside(event, ())
    sandbox.refuse_outside("open", ())


def test_a_link_and_a_file_that_could_run_are_refused(foreign: Callable[..., OwnTemplate]) -> None:
    template = foreign("x")
    (template.folder / "own.txt").symlink_to(template.folder.parents[2] / "secret.txt")
    for text in ("{% include 'own.txt' %}", "{{ data_uri('own.txt') }}"):
        (template.folder / "sheet.html").write_text(text, encoding="utf-8")
        with pytest.raises(FaultyTemplate) as raised:
            render_here(template, SHEET, PrintOptions())
        assert "no template" in error_message(raised.value) or "outside" in str(
            raised.value.problems
        )
    for name in ("sheet.html", "template.yaml"):
        link = template.folder / name
        link.unlink(missing_ok=True)
        link.symlink_to(template.folder.parents[2] / "secret.txt")
        with pytest.raises(FaultyTemplate) as raised:
            render_here(find_template(str(template.folder)), SHEET, PrintOptions())
        assert SECRET not in str(raised.value.problems)
        link.unlink()
        (template.folder / "sheet.html").write_text("x", encoding="utf-8")
    for name in ("a.svg", "a.htm", "a.sh", "a.tex"):
        with pytest.raises(FaultyTemplate):
            sandbox.refuse_unfit(replace(template, file=name))


HIDING = """<style>
* { display: none !important; color: white !important; font-size: 0 !important }
html, body { opacity: 0 !important; transform: translateX(-99cm) !important }
html, body { clip-path: inset(100%) !important; position: absolute !important; left: -99cm }
body > div:last-child { visibility: hidden !important; position: absolute; left: -99cm !important }
div::first-line, div::first-letter { color: white !important; font-size: 0 !important }
div::before, div::after { content: "" !important; position: fixed; inset: 0; background: white }
html { -webkit-mask-box-image: linear-gradient(#0000, #0000); backdrop-filter: blur(1px) }
html::after, body::after { content: "x" !important; position: fixed; inset: 0; background: white;
  z-index: 2147483647 }
@page { margin: 0; @bottom-center { content: ""; background: white; height: 30cm } }
</style><p>{{ view.name }}{{ view.credits|length }}</p><div style="display: none"><table><!--"""


PICTURE = """<style>body { content: url("data:image/png;base64,iVBORw0KGgo=") !important }
html { content: url("data:image/png;base64,iVBORw0KGgo=") !important }</style>{{ view.name }}"""
BUTTONS = """<style>body::scroll-button(*), html::scroll-button(*) { content: ""; background: white;
  position: fixed !important; inset: 0 !important; z-index: 2147483647 }
html, body { overflow: auto !important }</style>{{ view.name }}"""


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_a_pdf_has_the_credits_on_a_page_of_its_own(foreign: Callable[..., OwnTemplate]) -> None:
    from io import BytesIO

    from pypdf import PdfReader

    data = sandbox.sandboxed_pdf(foreign(HIDING), [(SHEET, PrintOptions())], {"a.txt": b"a"})
    reader = PdfReader(BytesIO(data))
    assert CREDIT.line in reader.pages[-1].extract_text()
    assert len(reader.pages) > 1 and [*reader.attachments] == ["a.txt"]


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_no_style_of_a_page_hides_the_credits(
    foreign: Callable[..., OwnTemplate], browser, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    page, pictures = browser.new_page(viewport={"width": 500, "height": 300}), []
    for text in ("<p>{{ view.name }}</p>", HIDING, PICTURE, BUTTONS):
        (tmp_path / "a.html").write_text(text_of(foreign(text)), encoding="utf-8")
        page.goto((tmp_path / "a.html").as_uri())
        credits = page.get_by_role("contentinfo")
        assert credits.inner_text() == CREDIT.line
        pictures.append(page.screenshot(clip=credits.bounding_box()))
    page.close()
    assert len(pictures[0]) > 500  # it is not empty
    assert pictures == [pictures[0]] * len(pictures)


@pytest.mark.slow
def test_a_text_ends_with_the_credits(foreign: Callable[..., OwnTemplate]) -> None:
    template = replace(foreign("{{ view.name }}\n", "sheet.md"), file="sheet.md")
    assert text_of(template) == f"Nix\n\n{CREDIT.line}\n"


@pytest.mark.slow
@pytest.mark.needs("pango")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<style>p { break-after: page }</style>{% for a in range(150) %}<p>x</p>{% endfor %}",
         "more than 100 pages"),
        ("{% for a in range(90000) %}<p>x <b>y</b></p>{% endfor %}", "seconds|memory"),
    ],
)  # fmt: skip
def test_pages_have_a_limit(
    foreign: Callable[..., OwnTemplate], monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    if "seconds" in said:
        monkeypatch.setattr(sandbox, "MAX_SECONDS", 2)
    with pytest.raises(FaultyTemplate) as raised:
        sandbox.sandboxed_pdf(foreign(text), [(SHEET, PrintOptions())], {})
    assert any(one in error_message(raised.value) for one in said.split("|"))


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_a_huge_picture_is_left_out_or_refused(foreign: Callable[..., OwnTemplate]) -> None:
    """A picture of 100 million points in 100 kB: it would need 300 MB."""
    from struct import pack

    def chunk(kind: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))

    size = 10_000
    head = chunk(b"IHDR", pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
    rows = zlib.compress(bytes((3 * size + 1) * 1000), 9)
    png = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    template = foreign("<img src=\"{{ data_uri('a.png') }}\" width=10>")
    (template.folder / "a.png").write_bytes(png)
    try:
        assert sandbox.sandboxed_pdf(template, [(SHEET, PrintOptions())], {}).startswith(b"%PDF-")
    except FaultyTemplate as error:
        assert "memory" in error_message(error) or "seconds" in error_message(error)
    (template.folder / "a.png").write_bytes(bytes(100_000_000))
    with pytest.raises(FaultyTemplate) as raised:
        render_here(template, SHEET, PrintOptions())
    assert "600 kB" in error_message(raised.value)
