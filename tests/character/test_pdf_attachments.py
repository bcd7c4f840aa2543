"""Files attached to a PDF read back whole; hostile PDFs cost little."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject

from charforge.character.files import pdf_attachments
from charforge.errors import DocumentError

CHARACTER = b'\xef\xbb\xbf{"charforge": 1,\r\n "name": "Zo\xc3\xab"}  \n\n'
Made = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """Write a PDF of one empty page with files attached to it."""

    def made(*files: tuple[str, bytes], change: Callable[[PdfWriter], None] | None = None) -> Path:
        writer = PdfWriter()
        writer.add_blank_page(100, 100)
        for name, data in files:
            writer.add_attachment(name, data)
        if change is not None:
            change(writer)
        path = tmp_path / "sheet.pdf"
        writer.write(path)
        return path

    return made


def refused(path: Path) -> str:
    before = path.read_bytes()
    with pytest.raises(DocumentError) as caught:
        pdf_attachments.read_attachments(path)
    assert caught.value.path == path
    assert path.read_bytes() == before
    return caught.value.reason


@pytest.mark.parametrize("name", ["character.json", "ATT00001.bin", "Zoë's own.json"])
def test_a_character_comes_back_byte_for_byte_under_any_name(made: Made, name: str) -> None:
    found = pdf_attachments.read_attachments(
        made(("a-picture.jpg", b"\xff\xd8\xff"), (name, CHARACTER))
    )
    assert found.character == CHARACTER
    assert found.others == {"a-picture.jpg": b"\xff\xd8\xff"}


def test_a_pdf_without_a_character_says_so(made: Made) -> None:
    assert refused(made()) == "this PDF contains no character"


def test_what_else_it_carries_is_named(made: Made) -> None:
    others = (("notes.txt", b"charforge"), ("data.json", b'{"version": 1}'))
    assert refused(made(*others)) == "this PDF contains no character, only 'data.json', 'notes.txt'"


def test_of_two_characters_none_is_taken(made: Made) -> None:
    assert refused(made(("a.json", CHARACTER), ("b.json", CHARACTER))) == (
        "this PDF contains 2 characters"
    )


def test_two_of_one_name_are_two(made: Made) -> None:
    assert refused(made(("a.json", CHARACTER), ("a.json", CHARACTER))) == (
        "this PDF contains 2 characters"
    )


@pytest.mark.parametrize("password", ["", "secret"])
def test_an_encrypted_pdf_is_refused(made: Made, password: str) -> None:
    def lock(writer: PdfWriter) -> None:
        writer.encrypt(password, "owner", algorithm="RC4-128")

    assert (
        refused(made(("a.json", CHARACTER), change=lock)) == "this PDF is protected by a password"
    )


def test_more_than_a_few_files_are_refused(made: Made) -> None:
    files = [(f"{number}.txt", b"x") for number in range(pdf_attachments.MAX_ATTACHMENTS + 1)]
    assert refused(made(*files)) == "this PDF has more than 20 attachments"


@pytest.mark.parametrize("end", [0.2, 0.5, 0.9])
def test_a_pdf_that_is_cut_off_is_a_sentence(made: Made, end: float) -> None:
    path = made(("a.json", CHARACTER))
    whole = path.read_bytes()
    path.write_bytes(whole[: int(end * len(whole))])
    assert refused(path) in ("this PDF is damaged", "this PDF contains no character")


def test_a_name_alone_makes_no_pdf(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    path.write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 200)
    assert refused(path) == "this PDF is damaged"


def test_a_bomb_is_not_unpacked(made: Made) -> None:
    """A hundred kilobytes that would be a hundred megabytes."""
    path = made(("a.json", b"PLACE"))
    zeros = zlib.compress(bytes(100_000_000), 9)
    stream = b"<<\n/Type /EmbeddedFile\n/Filter /FlateDecode\n/Length %d\n>>\nstream\n" % len(zeros)
    whole = path.read_bytes()
    start, end = whole.index(b"<<\n/Type /EmbeddedFile"), whole.index(b"PLACE") + len(b"PLACE")
    path.write_bytes(whole[:start] + stream + zeros + whole[end:])
    assert path.stat().st_size < 200_000
    assert refused(path) == "this PDF has an attachment of more than 50 MB"


def test_names_that_lead_back_to_themselves_come_to_an_end(made: Made) -> None:
    def circle(writer: PdfWriter) -> None:
        root = writer.root_object
        root[NameObject("/Kids")] = ArrayObject([root.indirect_reference])
        names = DictionaryObject({NameObject("/EmbeddedFiles"): root.indirect_reference})
        root[NameObject("/Names")] = names

    assert refused(made(change=circle)) in ("this PDF is damaged", "this PDF contains no character")


def test_a_reader_that_takes_too_long_is_stopped(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(("a.json", CHARACTER))  # which would be read, if there were time
    monkeypatch.setattr(pdf_attachments, "READING_SECONDS", 0.001)
    assert refused(path) == "this PDF is damaged"


@pytest.mark.slow
def test_the_reader_has_little_memory_and_time() -> None:
    resource = pytest.importorskip("resource")
    import subprocess
    import sys

    script = (
        "import resource; from charforge.character.files import pdf_attachments as pdf; "
        "pdf.limit_process(pdf.READING_MEMORY, pdf.READING_SECONDS); "
        "print(*(resource.getrlimit(of)[0] for of in (resource.RLIMIT_AS, resource.RLIMIT_CPU)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [
        str(pdf_attachments.READING_MEMORY),
        str(pdf_attachments.READING_SECONDS),
    ]
    assert resource.getrlimit(resource.RLIMIT_CPU)[0] != pdf_attachments.READING_SECONDS


def test_only_what_begins_like_a_pdf_is_one() -> None:
    assert pdf_attachments.is_pdf(b"%PDF-1.7\n")
    assert pdf_attachments.is_pdf(b"\r\n%PDF-1.4")
    assert not pdf_attachments.is_pdf(b"# notes on %PDF-1.7\nname: Nix\n")
    assert not pdf_attachments.is_pdf(BytesIO(b"").read())


# ---------------------------------------------------------------- the process that reads


def lock(writer: PdfWriter) -> None:
    writer.encrypt("secret", "owner", algorithm="RC4-128")


def test_it_answers_with_each_file_and_its_name(made: Made) -> None:
    path = made(("b.txt", b"\xff\x00"), ("a.json", CHARACTER))
    assert pdf_attachments.read_in_this_process(path) == {
        "files": [
            ("a.json", base64.b64encode(CHARACTER).decode()),
            ("b.txt", base64.b64encode(b"\xff\x00").decode()),
        ],
        "fields": [],
    }
    assert pdf_attachments.read_in_this_process(made()) == {"files": [], "fields": []}


def test_it_answers_what_keeps_files_from_being_read(made: Made, tmp_path: Path) -> None:
    assert pdf_attachments.read_in_this_process(made(change=lock)) == {"fault": "encrypted"}
    path = tmp_path / "odd.pdf"
    path.write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 200)
    assert pdf_attachments.read_in_this_process(path) == {"fault": "broken"}


def test_it_reads_a_few_files_of_some_size_and_no_more(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_attachments, "MAX_ATTACHMENTS", 2)
    monkeypatch.setattr(pdf_attachments, "MAX_FILE_BYTES", 3)
    files = [(f"{number}.txt", b"xyz") for number in range(3)]
    assert len(pdf_attachments.read_in_this_process(made(*files[:2]))["files"]) == 2
    assert pdf_attachments.read_in_this_process(made(*files)) == {"fault": "many"}
    assert pdf_attachments.read_in_this_process(made(("a.txt", b"wxyz"))) == {"fault": "large"}


@pytest.mark.parametrize(
    ("make", "reason", "advice"),
    [
        ([("a.json", CHARACTER), ("b.json", CHARACTER)], "this PDF contains 2 characters",
         "Open the PDF in a reader, save the attachment you want, and import that file."),
        ([("notes.txt", b"x")], "this PDF contains no character, only 'notes.txt'",
         pdf_attachments.IMPORT_ADVICE),
        ([], "this PDF contains no character", "Import the character file itself."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_to_do(
    made: Made, make: list[tuple[str, bytes]], reason: str, advice: str
) -> None:
    with pytest.raises(DocumentError) as caught:
        pdf_attachments.read_attachments(made(*make))
    assert (caught.value.reason, caught.value.advice) == (reason, advice)


@pytest.mark.parametrize(
    ("data", "is_one"),
    [
        (b'{"charforge": 1}', True),
        (b'\xef\xbb\xbf \r\n{"charforge": 1}', True),
        (b'[{"charforge": 1}]', False),
        (b'{"version": 1}', False),
        (b'x{"charforge": 1}', False),
    ],
)
def test_a_character_is_known_by_what_it_begins_with_and_its_key(data: bytes, is_one: bool) -> None:
    assert pdf_attachments.is_character(data) is is_one


def test_a_pdf_may_have_a_little_before_its_mark() -> None:
    assert pdf_attachments.is_pdf(b"\n" * 95 + b"%PDF-1.7")
    assert not pdf_attachments.is_pdf(b"\n" * 96 + b"%PDF-1.7")
