"""Attachments, metadata and bookmarks of a PDF."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from charforge.character.files import pdf_attachments
from charforge.sheet.build import build
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.html import render_html
from charforge.sheet.pdf import render_pdf
from charforge.sheet.portraits import printed_portrait as picture
from charforge.sheet.print_options import PrintOptions
from tests.sheet.conftest import Make, printed
from tests.sheet.printed import page_texts
from tests.sheet.test_portrait import coded, halves

pytestmark = pytest.mark.slow

CHARACTER = b'{"charforge": 1}\r\n'
PICTURE = "portrait-0123456789abcdef.jpg"
SMALL = "<!DOCTYPE html><html lang='en'><head><title>T</title></head><p>P</p></html>"
FILES = {PICTURE: b"\xff\xd8\xff", pdf_attachments.ATTACHMENT: CHARACTER}


@pytest.fixture(scope="module")
def page(make: Make) -> str:
    return render_html(build(make(level=3)))


@pytest.fixture(scope="module")
def data(page: str) -> bytes:
    return render_pdf(page, FILES)


def reader(data: bytes) -> PdfReader:
    return PdfReader(BytesIO(data))


def test_files_come_back_byte_for_byte(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "sheet.pdf").write_bytes(data)
    found = pdf_attachments.read_attachments(tmp_path / "sheet.pdf")
    assert found.character == CHARACTER
    assert found.others == {PICTURE: b"\xff\xd8\xff"}


def test_they_say_what_they_are(data: bytes) -> None:
    listed = list(reader(data).attachment_list)
    assert [one.name for one in listed] == [
        pdf_attachments.ATTACHMENT,
        PICTURE,
    ]  # in the order of a name tree
    assert [one.subtype for one in listed] == ["/application/json", "/image/jpeg"]
    assert [one.size for one in listed] == [18, 3]
    assert {one.creation_date.year for one in listed if one.creation_date} == {2000}


def test_the_order_they_are_given_in_changes_nothing() -> None:
    assert render_pdf(SMALL, dict(reversed(FILES.items()))) == render_pdf(SMALL, FILES)


def test_another_process_on_another_day_makes_the_same_bytes(
    page: str, data: bytes, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    script = (
        "import pathlib, sys; from charforge.sheet.pdf import render_pdf; "
        "page = pathlib.Path(sys.argv[1]).read_text(encoding='utf-8'); "
        f"sys.stdout.buffer.write(render_pdf(page, {FILES!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "page.html")],
        capture_output=True, check=True,
        env={**os.environ, "TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "7",
             "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.stdout == data


def test_another_character_makes_another_pdf() -> None:
    """The identifier tells them apart, though their pages are the same."""
    ada = {pdf_attachments.ATTACHMENT: b'{"charforge": 1, "name": "Ada"}'}
    found = [reader(render_pdf(SMALL, files)) for files in (ada, FILES, None)]
    assert len({str(one.trailer["/ID"][0]) for one in found}) == 3


def test_nothing_is_attached_where_nothing_is_given() -> None:
    assert list(reader(printed(SMALL)).attachment_list) == []


def marks(found: PdfReader) -> Iterator[tuple[int, str, int]]:
    """Yield the outline: depth, title, page."""

    def inside(entries: list[Any], depth: int) -> Iterator[tuple[int, str, int]]:
        for entry in entries:
            if isinstance(entry, list):
                yield from inside(entry, depth + 1)
            else:
                number = found.get_destination_page_number(entry)
                assert number is not None
                yield depth, entry.title, number + 1

    return inside(found.outline, 0)


def test_the_outline_leads_to_each_part_of_the_sheet(data: bytes) -> None:
    """A part is named in it once, in the order of the pages, below the character's name."""
    found = reader(data)
    listed = list(marks(found))
    assert listed[0] == (0, "Nix Calloway", 1)
    parts = [title for depth, title, _page in listed if depth == 1]
    assert parts == ["Attacks", "Systems", "Equipment", "Land Beast", "Story", "Reference"]
    pages = [page for _depth, _title, page in listed]
    assert pages == sorted(pages)
    texts = page_texts(data)
    for _depth, title, page in listed:
        text = "".join(texts[page - 1].split()).casefold()
        assert "".join(title.split()).casefold() in text


def test_a_portrait_prints_once_on_the_first_page(make: Make) -> None:
    """A name beside it has less room and is set smaller."""
    name = "x" * 80
    view, options = build(make(level=1, name=name)), PrintOptions()
    made = picture(coded(halves(1000, 1000)), Path("nix.jpg"))
    with_one = reader(sheet_pdf(view, replace(options, portrait=made)))
    without = reader(sheet_pdf(view, options))
    assert len(with_one.pages) - len(without.pages) in (0, 1)
    assert pictures(without) == [0] * len(without.pages)
    assert pictures(with_one)[0] == 1
    assert sum(pictures(with_one)) == 1
    assert f"Portrait of {name}" in alternatives(with_one)


def pictures(found: PdfReader) -> list[int]:
    """Return how many pictures are drawn on each page; all pages share one list of them."""
    names = [image.name.rpartition(".")[0].encode() for image in found.pages[0].images]
    drawn = [page.get_contents() for page in found.pages]
    return [
        sum(page.get_data().count(b"/%s Do" % n) for n in names)
        for page in drawn
        if page is not None
    ]


def alternatives(found: PdfReader) -> set[str]:
    """Return what is read out in place of each picture."""
    texts: set[str] = set()
    front = [found.trailer["/Root"]["/StructTreeRoot"]["/K"][0].get_object()]
    while front:
        element = front.pop()
        texts |= {str(element["/Alt"])} if "/Alt" in element else set()
        kids = (kid.get_object() for kid in element.get("/K", []) if not isinstance(kid, int))
        front += [kid for kid in kids if hasattr(kid, "get")]
    return texts
