"""PDFs printed by a browser: the browser found, its result, its failures."""

from __future__ import annotations

import platform
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from charforge.errors import SheetError
from charforge.rules.loading.loader import load as load_rules
from charforge.sheet.browser import Browser, find_browser, print_pdf, print_shortest_pdf
from charforge.sheet.build import build
from charforge.sheet.fonts import embed_fonts
from charforge.sheet.html import render_html
from charforge.sheet.pdf import load, render_pdf
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.view import SheetView
from tests.browsers import CHROMIUM
from tests.sheet.conftest import Make, made
from tests.sheet.printed import page_texts

real = [pytest.mark.slow, pytest.mark.needs("chromium")]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that is called like a browser; a test writes what it does."""
    path = tmp_path / "bin" / "chromium"
    path.parent.mkdir()
    return path


def script(path: Path, text: str) -> Browser:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return Browser("Chromium", path)


# ------------------------------------------------------------------ which browser


@pytest.mark.parametrize(
    ("command", "name"),
    [("chromium", "Chromium"), ("google-chrome-stable", "Chrome"), ("msedge", "Edge")],
)
def test_a_browser_is_found_by_its_command(
    monkeypatch: pytest.MonkeyPatch, command: str, name: str
) -> None:
    monkeypatch.setattr(
        "shutil.which", lambda wanted: f"/bin/{wanted}" if wanted == command else None
    )
    assert find_browser() == Browser(name, Path(f"/bin/{command}"))


@pytest.mark.parametrize(
    ("system", "place", "name"),
    [
        ("Darwin", "Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "Chrome"),
        ("Windows", "Microsoft/Edge/Application/msedge.exe", "Edge"),
    ],
)
def test_a_browser_is_found_where_a_system_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, place: str, name: str
) -> None:
    monkeypatch.setattr("shutil.which", lambda _command: None)
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert find_browser() is None
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).touch()
    assert find_browser() == Browser(name, tmp_path / place)


def test_without_a_browser_none_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _command: None)
    assert find_browser() is None


# ------------------------------------------------------------------ how it fails


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("exit 3", "it ended with exit code 3"),
        ("sleep 30", "it took more than 0.2 seconds"),
        ("exit 0", "it No such file or directory"),
        ('for a in "$@"; do case $a in --print-to-pdf=*) echo no > ${a#*=};; esac; done',
         "it did not create a PDF"),
    ],
)  # fmt: skip
def test_a_browser_that_fails_is_named_with_the_reason(
    program: Path, does: str, reason: str
) -> None:
    seconds = 0.2 if "0.2" in reason else 20
    with pytest.raises(SheetError, match=f"Chromium could not print a PDF: {reason}"):
        print_pdf("<p>Nix</p>", script(program, does), seconds=seconds)


def test_the_browser_has_a_fresh_profile_and_no_network(program: Path, tmp_path: Path) -> None:
    told = tmp_path / "arguments"
    with pytest.raises(SheetError):
        print_pdf("<p>Nix</p>", script(program, f'printf "%s\\n" "$@" > {told}'))
    arguments = told.read_text().splitlines()
    profile = next(one for one in arguments if one.startswith("--user-data-dir="))
    folder = Path(profile.partition("=")[2]).parent
    assert not folder.exists(), "the profile and the page are deleted"
    assert "--headless" in arguments
    assert "--host-resolver-rules=MAP * ~NOTFOUND" in arguments
    assert arguments[-1] == (folder / "sheet.html").as_uri()


# ------------------------------------------------------------------ what it prints


@pytest.fixture(scope="module")
def view(make: Make) -> SheetView:
    named = {"name": 'Zoë "Q" }Nix{'}
    return build(make(level=5, role="role/the-captain", asset="vehicle/mechsuit", **named))


@cache
def printed_by_browser(html: str) -> bytes:
    """Print a page with a file attached, at most once."""
    assert CHROMIUM is not None
    return print_pdf(embed_fonts(html), Browser("Chromium", Path(CHROMIUM)), {"nix": b"{}"})


LOOKS = {
    "a4": PrintOptions(),
    "letter": PrintOptions("full", "letter", "landscape", frozenset({"ink-saver"})),
}


class TestChromium:
    """What Chromium prints, beside what WeasyPrint prints."""

    pytestmark = real

    @pytest.mark.parametrize("options", LOOKS.values(), ids=LOOKS)
    def test_pages_are_like_those_of_weasyprint(
        self, view: SheetView, options: PrintOptions
    ) -> None:
        html = render_html(view, options)
        pdfs = printed_by_browser(html), render_pdf(html)
        one, other = (PdfReader(BytesIO(data)) for data in pdfs)
        sizes = [[float(side) for side in pdf.pages[0].mediabox[2:]] for pdf in (one, other)]
        assert sizes[0] == pytest.approx(sizes[1], abs=1)
        assert abs(len(one.pages) - len(other.pages)) <= 1
        words = [set(" ".join(page_texts(data)).split()) for data in pdfs]
        assert len(words[0] & words[1]) > 0.95 * len(words[1])

    def test_a_sheet_of_one_page_is_one_page(self) -> None:
        """Its lines are closer: a second page would have a few of them."""
        html = render_html(build(made(load_rules("shields-biotics"), "m")), PrintOptions())
        assert len(page_texts(printed_by_browser(html))) == 1

    def test_each_page_has_its_foot_and_the_sheets_own_fonts(self, view: SheetView) -> None:
        data = printed_by_browser(render_html(view, LOOKS["a4"]))
        texts = page_texts(data)
        for number, text in enumerate(texts, 1):
            words = " ".join(text.split())
            assert f'Zoë "Q" }}Nix{{ · {number} of {len(texts)}' in words
            assert view.ruleset in words
        for page in PdfReader(BytesIO(data)).pages:
            fonts = page["/Resources"]["/Font"].values()  # type: ignore[index]
            assert {"Barlow" in font.get_object()["/BaseFont"] for font in fonts} == {True}

    def test_it_is_tagged_and_has_an_outline_and_attachments(self, view: SheetView) -> None:
        pdf = PdfReader(BytesIO(printed_by_browser(render_html(view, LOOKS["a4"]))))
        assert pdf.trailer["/Root"]["/MarkInfo"]["/Marked"]  # type: ignore[index]
        assert pdf.outline
        assert pdf.attachments == {"nix": [b"{}"]}

    def test_a_page_that_asks_for_anything_gets_nothing(self) -> None:
        data = printed_by_browser(
            '<head></head><img src="http://localhost:1/x.png" alt="none there">'
        )
        assert "none there" in page_texts(data)[0]


@pytest.mark.parametrize(
    ("lengths", "printed", "kept"),
    [([1, 2], 1, 0), ([2, 1, 1], 2, 1), ([3, 2, 2], 3, 1), ([2], 1, 0), ([2, 3], 2, 0)],
)
def test_the_shortest_way_to_print_is_taken(
    monkeypatch: pytest.MonkeyPatch, lengths: list[int], printed: int, kept: int
) -> None:
    """No further one is printed after one that needs a single page."""
    made: list[bytes] = []

    def print_pages(html: str, _browser: Browser) -> bytes:
        writer = PdfWriter()
        for _page in range(lengths[int(html)]):
            writer.add_blank_page(100, 100)
        writer.add_metadata({"/Title": html})
        data = BytesIO()
        writer.write(data)
        made.append(data.getvalue())
        return made[-1]

    monkeypatch.setattr("charforge.sheet.browser.print_pdf", print_pages)
    ways = map(str, range(len(lengths)))
    found = print_shortest_pdf(ways, Browser("Chromium", Path("chromium")))
    assert (len(made), made.index(found)) == (printed, kept)


def test_the_style_for_browsers_is_only_in_pages_for_browsers(view: SheetView) -> None:
    html = render_html(view)
    assert "print-color-adjust" not in html
    assert "print-color-adjust: exact" in embed_fonts(html)


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_weasyprint_prints_the_page_of_a_browser(view: SheetView) -> None:
    """By itself, as somebody prints a saved page who has WeasyPrint and no charforge."""
    pages = load().module.HTML(string=embed_fonts(render_html(view))).render().pages
    assert pages
