"""import --into with a PDF: what was filled in on a fillable sheet."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import BooleanObject, ByteStringObject, DictionaryObject, NameObject

from charforge.cli import console
from tests.command_runner import CommandResult, run_command

pytestmark = pytest.mark.slow

Run = Callable[..., CommandResult]
KIT = "kit%2Eprimitive-first-aid-kit:small-bandage"
FILLED = {
    "character:hp": "9",
    "character:energy": "3",
    "asset%2Evehicle:energy": "2",
    "character:money": "12 mC",
    "character:status/prone": "/on",
    "role%2Erally:Rally": "/on",
    f"{KIT}#used1": "/on",
    f"{KIT}#used2": "/on",
    "notes": "The bridge fell.",
}
CHANGES = [
    "HP −17", "Energy −8", "Mechsuit: Energy −28", "Money −316", "now Prone",
    "Rally is on cooldown", "Primitive first aid kit: Small Bandages −2",
]  # fmt: skip


@pytest.fixture(scope="module")
def fillable(captain: str, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The fillable sheet of the character, as it is printed."""
    folder = tmp_path_factory.mktemp("fillable")
    (folder / "nix.json").write_text(captain, encoding="utf-8")
    assert run_command("sheet", "nix.json", "--fillable", folder=folder).code == 0
    return (folder / "nix.pdf").read_bytes()


@pytest.fixture(scope="module")
def text(capital_text):
    """A Scout of Capital."""
    return capital_text


@pytest.fixture
def nix(captain: str, fillable: bytes, tmp_path: Path) -> Path:
    """The character, with a fillable sheet beside it."""
    path = tmp_path / "nix.json"
    path.write_text(captain, encoding="utf-8")
    path.with_suffix(".pdf").write_bytes(fillable)
    return path


def fill(values: dict[str, str], path: str = "nix.pdf", incremental: bool = False) -> None:
    """Fill in a sheet as a viewer does: with the appearance of each field drawn anew.

    An ``incremental`` file has the changes at its end.
    """
    writer = PdfWriter(path, incremental=True) if incremental else PdfWriter(clone_from=path)
    names = set(PdfReader(path).get_fields() or {})
    assert set(values) <= names
    for page in writer.pages:
        if "/Annots" in page:
            writer.update_page_form_field_values(page, values, auto_regenerate=False)
    writer.write(path)


def changed(ended: CommandResult) -> list[str]:
    """Return the printed changes, without the time of notes."""
    lines = [line.strip() for line in ended.out.splitlines() if line.startswith("  ")]
    return [re.sub(r"^note of .*?: ", "note: ", line) for line in lines]


@pytest.mark.parametrize("incremental", [False, True])
def test_what_was_filled_in_is_one_change(run: Run, nix: Path, incremental: bool) -> None:
    before = run("show", nix, "--json").json
    fill(FILLED, incremental=incremental)
    ended = run("import", "nix.pdf", "--into", nix)
    assert (ended.code, ended.err) == (0, "")
    names = {line.split(" −")[0] for line in changed(ended)}
    assert names == {line.split(" −")[0] for line in CHANGES} | {"note: The bridge fell."}
    after = run("show", nix, "--json").json
    totals = {name: after["values"][name]["total"] for name in ("hp", "energy", "money")}
    assert totals == {"hp": 9, "energy": 3, "money": 12}
    assert after["units"][0]["values"]["energy"]["total"] == 2
    assert "The bridge fell." in nix.read_text("utf-8")
    assert run("check", nix).code == 0
    assert run("undo", nix).code == 0
    assert run("show", nix, "--json").json == before
    assert run("redo", nix).code == 0
    assert run("show", nix, "--json").json == after


def test_a_short_sheet_is_read_back_too(run: Run, nix: Path) -> None:
    assert run("sheet", nix, "--fillable", "--layout", "short", "--force").code == 0
    fill({name: value for name, value in FILLED.items() if name != "notes"})
    ended = run("import", "nix.pdf", "--into", nix)
    assert (ended.code, ended.err) == (0, "")
    assert {line.split(" −")[0] for line in changed(ended)} == {
        line.split(" −")[0] for line in CHANGES
    }


def test_the_same_sheet_counts_once_and_again_after_more_was_filled_in(run: Run, nix: Path) -> None:
    fill(FILLED)
    assert run("import", "nix.pdf", "--into", nix).code == 0
    before = nix.read_bytes()
    ended = run("import", "nix.pdf", "--into", nix)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err == "nix.pdf has no changes that nix.json does not have.\n".replace(
        "nix.json", str(nix)
    )
    assert nix.read_bytes() == before
    fill({f"{KIT}#used3": "/on", "notes": "The bridge fell.\nWe swam."})
    # The bandages differ from those of the sheet, because the first import used two.
    ended = run("import", "nix.pdf", "--into", nix)
    ended.refused(2, "when the sheet was printed", "--anyway")
    ended = run("import", "nix.pdf", "--into", nix, "--anyway")
    assert changed(ended) == ["Primitive first aid kit: Small Bandages −1", "note: We swam."]


def test_what_cannot_be_taken_is_listed_and_the_rest_is_taken(run: Run, nix: Path) -> None:
    fill({"character:hp": "900", "character:energy": "3", "plate:1": "Zoe",
          "blank:STR now": "5"})  # fmt: skip
    ended = run("import", "nix.pdf", "--into", nix)
    assert ended.code == 0
    assert [line.split(" −")[0] for line in changed(ended)] == ["Player: Zoe", "Energy"]
    lines = ended.err.splitlines()
    assert re.fullmatch(r"Not added: HP now must be at most \d+, not 900\.", lines[0])
    assert lines[1] == "Not added: STR now: 5."


def test_a_character_that_changed_since_is_left_alone_where_nobody_can_say(
    run: Run, nix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill({"character:hp": "9"})
    assert run("spend", nix, "hp", "3").code == 0
    before = nix.read_bytes()
    ended = run("import", "nix.pdf", "--into", nix)
    ended.refused(2, "Nix has changed since the sheet was printed", "9 on the sheet", "--anyway")
    assert nix.read_bytes() == before
    monkeypatch.setattr(console, "is_interactive", lambda: True)
    monkeypatch.setattr(console, "confirm", lambda _question: False)
    run("import", "nix.pdf", "--into", nix).refused(2, "Nothing was changed")
    monkeypatch.setattr(console, "confirm", lambda _question: True)
    assert run("import", "nix.pdf", "--into", nix).code == 0
    assert run("show", nix, "--json").json["values"]["hp"]["total"] == 9


def test_another_viewer_writes_only_what_it_changed(run: Run, nix: Path, tmp_path: Path) -> None:
    """An update at the end of the file, without an appearance, and with a UTF-16 text."""
    path = tmp_path / "nix.pdf"
    data = path.read_bytes()
    reader = PdfReader(path)
    notes = (note for page in reader.pages for note in page.get("/Annots", []))
    [field] = [note for note in notes if note.get_object()["/T"] == "character:hp"]
    changed = DictionaryObject(field.get_object())
    changed[NameObject("/V")] = ByteStringObject(b"\xfe\xff" + "9".encode("utf-16-be"))
    del changed["/AP"]
    body = BytesIO()
    changed.write_to_stream(body)
    update = b"%d 0 obj\n%s\nendobj\n" % (field.idnum, body.getvalue())
    table = b"xref\n%d 1\n%010d 00000 n \n" % (field.idnum, len(data))
    [before] = re.findall(rb"startxref\s+(\d+)", data)[-1:]
    size, root = int(reader.trailer["/Size"]), reader.trailer.raw_get("/Root").idnum
    trailer = b"trailer\n<</Size %d/Root %d 0 R/Prev %s>>\n" % (size, root, before)
    end = b"startxref\n%d\n%%%%EOF\n" % (len(data) + len(update))
    path.write_bytes(data + update + table + trailer + end)
    assert run("import", "nix.pdf", "--into", nix).code == 0
    assert run("show", nix, "--json").json["values"]["hp"]["total"] == 9


def test_without_into_the_character_comes_back_and_the_fields_are_mentioned(
    run: Run, nix: Path, captain: str, tmp_path: Path
) -> None:
    fill(FILLED)
    ended = run("import", "nix.pdf", "-o", "again.json")
    assert ended.code == 0
    assert "This PDF has changes in its form fields." in ended.err
    assert (tmp_path / "again.json").read_text("utf-8") == captain


def test_what_is_no_filled_in_sheet_is_refused(run: Run, nix: Path, tmp_path: Path) -> None:
    before = nix.read_bytes()
    (tmp_path / "damaged.pdf").write_bytes((tmp_path / "nix.pdf").read_bytes()[:900])
    run("import", "damaged.pdf", "--into", nix).refused(2, "this PDF is damaged")
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.write("foreign.pdf")
    run("import", "foreign.pdf", "--into", nix).refused(2, "this PDF contains no character")
    writer = PdfWriter(clone_from="nix.pdf")
    writer.encrypt("secret")
    writer.write("locked.pdf")
    run("import", "locked.pdf", "--into", nix).refused(2, "this PDF is protected by a password")
    assert run("sheet", nix, "--layout", "short", "-o", "plain.pdf").code == 0
    run("import", "plain.pdf", "--into", nix).refused(2, "no form fields", "--fillable")
    assert run("new", "--random", "--name", "Ada", "--seed", "4", "-o", "ada.json").code == 0
    run("import", "nix.pdf", "--into", "ada.json").refused(
        2, "sheet of a different character (Nix)"
    )
    run("import", "nix.pdf", "--into", nix, "-o", "x.json").refused(
        2, "--into, which changes that file"
    )
    assert nix.read_bytes() == before


def test_fields_of_another_form_are_no_trouble(run: Run, nix: Path) -> None:
    """A viewer may ask for new appearances, and a form may have fields that no sheet has."""
    fill({"character:hp": "9"})
    writer = PdfWriter(clone_from="nix.pdf")
    form = writer.root_object["/AcroForm"].get_object()
    form[NameObject("/NeedAppearances")] = BooleanObject(True)
    writer.write("nix.pdf")
    assert json.loads(nix.read_text("utf-8"))["name"] == "Nix"
    assert run("import", "nix.pdf", "--into", nix).code == 0
