"""import of a PDF sheet: the character file comes back byte for byte."""

from __future__ import annotations

import json
import logging
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter

from charforge.character.files import reader
from charforge.sheet.portraits import stored_portrait
from tests.command_runner import run_command

pytestmark = pytest.mark.slow

SHEET = ("sheet", "--only", "story")  # what is attached is the same, and it prints faster
STRANGE = (
    lambda text: text.encode(),
    lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
    lambda text: json.dumps(json.loads(text)).encode() + b"\n\n",
)


@pytest.fixture(scope="module")
def text(capital_text):
    """A Scout of Capital."""
    return capital_text


@pytest.fixture(autouse=True)
def warned(caplog):
    """WeasyPrint warns of nothing."""
    yield
    assert [r for r in caplog.records if r.levelno > logging.INFO and r.name == "weasyprint"] == []


def picture(width: int = 300, height: int = 400) -> bytes:
    made = BytesIO()
    Image.effect_noise((width, height), 60).convert("RGB").save(made, "JPEG")
    return made.getvalue()


@pytest.fixture(scope="module")
def sheet_bytes(text, tmp_path_factory):
    """A sheet of the character, as it is printed."""
    folder = tmp_path_factory.mktemp("sheet")
    (folder / "nix.json").write_text(text, encoding="utf-8")
    assert run_command(*SHEET, "nix.json", folder=folder).code == 0
    return (folder / "nix.pdf").read_bytes()


@pytest.fixture
def printed(nix, sheet_bytes):
    """The sheet of the character, beside its file."""
    path = nix.with_suffix(".pdf")
    path.write_bytes(sheet_bytes)
    return path


@pytest.fixture
def painted(data, tmp_path):
    """A character with a portrait set, beside its file, as nix.json."""
    stays = stored_portrait(picture(), Path("nix.jpg"))
    name = reader.portrait_name(stays)
    last = data["log"][-1]
    data["log"].append(
        {"n": last["n"] + 1, "group": last["group"] + 1, "do": "set", "portrait": name}
    )
    (tmp_path / name).write_bytes(stays)
    path = tmp_path / "nix.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path, tmp_path / name


@pytest.mark.parametrize("spelt", STRANGE)
def test_the_file_comes_back_byte_for_byte(run, text, data, tmp_path, spelt):
    (tmp_path / "nix.json").write_bytes(spelt(text))
    assert run(*SHEET, "nix.json").out == "nix.pdf\n"
    (tmp_path / "there").mkdir()
    ended = run("import", "nix.pdf", "-o", "there/nix.json")
    assert (ended.code, ended.out) == (0, "there/nix.json\n")
    assert ended.err == f"there/nix.json: {data['name']}, level 3: legal\n"
    assert (tmp_path / "there" / "nix.json").read_bytes() == spelt(text)


def test_without_o_it_has_its_name(run, nix, printed, text, tmp_path):
    printed.rename(tmp_path / "scan-0001.pdf")
    nix.unlink()
    assert run("import", "scan-0001.pdf").out == "Vesper-Nakamura.json\n"
    assert (tmp_path / "Vesper-Nakamura.json").read_text("utf-8") == text


def test_a_sheet_of_an_earlier_level_carries_the_whole_character(run, nix, text, tmp_path):
    assert run(*SHEET, nix, "--at-level", "1").code == 0
    assert run("import", "nix.pdf", "-o", "back.json").code == 0
    assert (tmp_path / "back.json").read_text("utf-8") == text


def test_the_same_character_gives_the_same_bytes_whatever_its_file_is_called(
    run, nix, sheet_bytes, tmp_path
):
    nix.rename(tmp_path / "ada.json")
    assert run(*SHEET, "ada.json").code == 0
    assert (tmp_path / "ada.pdf").read_bytes() == sheet_bytes


def test_it_may_be_left_out(run, nix, tmp_path):
    assert run(*SHEET, nix, "--no-attach").code == 0
    assert list(PdfReader(tmp_path / "nix.pdf").attachment_list) == []
    ended = run("import", "nix.pdf", "-o", "back.json")
    ended.refused(
        2, "nix.pdf: this PDF contains no character.", "Import the character file itself."
    )
    assert not (tmp_path / "back.json").exists()


def test_two_characters_in_one_pdf_are_a_sentence(run, printed, text, tmp_path):
    writer = PdfWriter(clone_from=printed)
    writer.add_attachment("other.json", text.encode())
    writer.write(tmp_path / "both.pdf")
    run("import", "both.pdf").refused(
        2, "both.pdf: this PDF contains 2 characters.", "save the attachment you want"
    )


def test_a_locked_pdf_is_a_sentence(run, printed, tmp_path):
    writer = PdfWriter(clone_from=printed)
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(tmp_path / "locked.pdf")
    run("import", "locked.pdf").refused(
        2, "locked.pdf: this PDF is protected by a password.", "password first."
    )


def test_a_huge_pdf_is_a_sentence(run, tmp_path):
    with (tmp_path / "huge.pdf").open("wb") as file:
        file.write(b"%PDF-1.7\n")
        file.truncate(60_000_000)
    run("import", "huge.pdf").refused(2, "huge.pdf: it is too large")


def test_a_character_that_is_damaged_inside_is_a_sentence(run, nix, tmp_path):
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.add_attachment("character.json", nix.read_bytes()[:-40])
    writer.write(tmp_path / "odd.pdf")
    run("import", "odd.pdf", "-o", "x.json").refused(
        2, "odd.pdf/character.json: the file ends too early, inside the text"
    )
    assert not (tmp_path / "x.json").exists()


def test_an_existing_file_needs_force(run, printed, tmp_path):
    (tmp_path / "mine.json").write_text("mine")
    run("import", "nix.pdf", "-o", "mine.json").refused(2, "this file already exists", "--force")
    assert (tmp_path / "mine.json").read_text() == "mine"
    run("import", "nix.pdf", "-o", "nix.pdf", "--force").refused(
        2, "this is also the file to import"
    )


# ------------------------------------------------------------------ the portrait


def test_a_portrait_is_printed_carried_and_restored(run, painted, tmp_path):
    path, beside = painted
    ended = run("sheet", path)
    assert (ended.code, ended.err) == (0, "")
    found = PdfReader(tmp_path / "nix.pdf")
    assert [one.name for one in found.attachment_list] == ["character.json", beside.name]
    assert len(found.pages[0].images) == 1
    (tmp_path / "there").mkdir()
    assert run("import", "nix.pdf", "-o", "there/nix.json").code == 0
    assert (tmp_path / "there" / "nix.json").read_bytes() == path.read_bytes()
    assert (tmp_path / "there" / beside.name).read_bytes() == beside.read_bytes()
    assert len(list((tmp_path / "there").iterdir())) == 2


def test_a_character_file_brings_its_portrait_along(run, painted, tmp_path):
    path, beside = painted
    (tmp_path / "there").mkdir()
    assert run("import", path, "-o", "there/nix.json").code == 0
    assert (tmp_path / "there" / beside.name).read_bytes() == beside.read_bytes()


def test_a_portrait_that_is_gone_is_told(run, painted, tmp_path):
    path, beside = painted
    beside.unlink()
    ended = run("sheet", path)
    assert (ended.code, ended.out) == (0, f"{path.with_suffix('.pdf')}\n")
    assert f"{beside.name}: this file does not exist" in ended.err
    assert ended.err.endswith("The sheet is printed without it.\n")
    (tmp_path / "there").mkdir()
    ended = run("import", "nix.pdf", "-o", "there/nix.json")
    assert ended.code == 0
    assert f"there/{beside.name} is missing, so the character has no portrait" in ended.err


def test_another_picture_of_its_name_is_not_printed(run, painted):
    path, beside = painted
    beside.write_bytes(picture(30, 40))
    ended = run("sheet", path)
    assert ended.code == 0
    assert "this is not the portrait that was set for the character" in ended.err


def test_history_tells_of_it(run, painted):
    path, beside = painted
    assert f"portrait: {beside.name}" in run("history", path).out
    assert run("check", path).code == 0


def test_a_portrait_for_one_printing_leaves_the_character_alone(run, nix, text, tmp_path):
    (tmp_path / "me.jpg").write_bytes(picture())
    assert run("sheet", nix, "--portrait", "me.jpg").code == 0
    found = PdfReader(tmp_path / "nix.pdf")
    assert len(found.pages[0].images) == 1
    assert [one.name for one in found.attachment_list] == ["character.json"]
    assert nix.read_text("utf-8") == text


def test_a_portrait_is_in_the_html_too(run, nix, tmp_path):
    (tmp_path / "me.jpg").write_bytes(picture())
    assert run("sheet", nix, "--portrait", "me.jpg", "--format", "html").code == 0
    assert '<img src="data:image/jpeg;base64,' in (tmp_path / "nix.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"<svg/>", "me.jpg: this is not a JPEG, PNG or WebP picture."),
     (picture()[:900], "me.jpg: this picture is damaged."),
     (b"", "me.jpg: the file is empty.")],
)  # fmt: skip
def test_what_is_no_picture_is_a_sentence(run, nix, tmp_path, content, said):
    (tmp_path / "me.jpg").write_bytes(content)
    run("sheet", nix, "--portrait", "me.jpg").refused(2, said)
    run("sheet", nix, "--portrait", "you.jpg").refused(2, "you.jpg: this file does not exist.")
    assert not (tmp_path / "nix.pdf").exists()


# ------------------------------------------------------------------ options that do not fit


def test_an_option_that_would_do_nothing_is_refused(run, nix, tmp_path):
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "ada.json").write_bytes((tmp_path / "nix.json").read_bytes())
    for options, said in (
        (("--format", "html", "--fillable"), "--fillable is for PDFs only"),
        (("-o", "nix.html", "--no-attach"), "--no-attach is for PDFs only"),
        (("more/ada.json", "--portrait", "me.jpg"), "--portrait is for one character"),
    ):
        run("sheet", nix, *options).refused(2, said)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["more", "nix.json"]
    assert [path.name for path in folder.iterdir()] == ["ada.json"]
