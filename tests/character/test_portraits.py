"""Portraits are identified by hash and stay within the character's folder."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from pydantic import ValidationError

from charforge.character.files import reader
from charforge.character.files.document import Document, logged_portrait, to_text
from charforge.character.files.events import SetEvent
from charforge.character.files.reader import parse_document
from charforge.errors import DocumentError

JPEG = b"\xff\xd8\xff\xe0 a picture"
NAME = f"portrait-{hashlib.sha256(JPEG).hexdigest()[:16]}.jpg"


def document(*names: str) -> Document:
    log = [SetEvent(n=1, group=1, name="Nix")]
    log += [SetEvent(n=n, group=n, portrait=name) for n, name in enumerate(names, 2)]
    return Document(id="x", ruleset="capital", packs=(), name="Nix", seed="1", log=tuple(log))


def test_the_last_portrait_of_the_log_counts() -> None:
    other = "portrait-0123456789abcdef.png"
    assert logged_portrait(document().log) == ""
    assert logged_portrait(document(other, NAME).log) == NAME
    assert logged_portrait(document(NAME, "").log) == ""


def test_it_is_written_and_read_like_any_event() -> None:
    text = to_text(document(NAME))
    assert f'  {{"n": 2, "group": 2, "do": "set", "portrait": "{NAME}"}}' in text
    assert parse_document(text, Path("nix.json")) == document(NAME)


@pytest.mark.parametrize(
    "name",
    ["../nix.jpg", "/etc/passwd", "portrait-0123456789abcdef.svg", "portrait-1.jpg", NAME + "\n",
     NAME.upper(), "a/" + NAME],
)  # fmt: skip
def test_any_other_name_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="pattern"):
        SetEvent(n=1, group=1, portrait=name)


@pytest.mark.parametrize("more", [{"name": "Nix"}, {"rule": "a", "value": "b"}, {"unit": "bike"}])
def test_an_event_sets_nothing_beside_it(more: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match='or a "portrait"'):
        SetEvent(n=1, group=1, portrait=NAME, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "ending"),
    [(JPEG, "jpg"), (b"\x89PNG\r\n\x1a\n", "png"), (b"RIFF\x00\x00\x00\x00WEBP", "webp")],
)
def test_a_file_is_named_with_its_hash_and_its_kind(data: bytes, ending: str) -> None:
    name = reader.portrait_name(data)
    assert name == f"portrait-{hashlib.sha256(data).hexdigest()[:16]}.{ending}"
    assert SetEvent(n=1, group=1, portrait=name).portrait == name


@pytest.mark.parametrize("data", [b"", b"<svg/>", b"GIF89a", b"RIFF\x00\x00\x00\x00WAVE"])
def test_what_is_no_picture_has_no_name(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"^a portrait must be a JPEG, PNG or WebP picture$"):
        reader.portrait_name(data)


def test_it_lies_beside_the_character(tmp_path: Path) -> None:
    path = tmp_path / "nix.json"
    assert reader.portrait_path(path, document()) is None
    assert reader.read_portrait(path, document()) is None
    (tmp_path / NAME).write_bytes(JPEG)
    assert reader.portrait_path(path, document(NAME)) == tmp_path / NAME
    assert reader.read_portrait(path, document(NAME)) == JPEG


def test_another_picture_of_its_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(JPEG + b"!")
    with pytest.raises(DocumentError, match="not the portrait that was set"):
        reader.read_portrait(tmp_path / "nix.json", document(NAME))


def test_a_missing_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="this file does not exist"):
        reader.read_portrait(tmp_path / "nix.json", document(NAME))


def test_among_other_files_it_is_known_by_its_hash() -> None:
    files = {NAME: JPEG + b"!", "image001.jpg": JPEG}
    assert reader.attached_portrait(files, document(NAME)) == JPEG
    assert reader.attached_portrait({NAME: b"x"}, document(NAME)) is None
    assert reader.attached_portrait(files, document()) is None


def test_a_refusal_names_the_file_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(JPEG + b"!")
    with pytest.raises(DocumentError) as caught:
        reader.read_portrait(tmp_path / "nix.json", document(NAME))
    assert caught.value.path == tmp_path / NAME
    assert caught.value.reason == "this is not the portrait that was set for the character"
    assert caught.value.advice == "Put the original picture back, or choose one with --portrait."


def test_a_portrait_is_there_where_its_picture_is_or_none_is_set(tmp_path: Path) -> None:
    path = tmp_path / "nix.json"
    assert reader.portrait_is_intact(path, document())
    assert not reader.portrait_is_intact(path, document(NAME))
    (tmp_path / NAME).write_bytes(JPEG + b"!")
    assert not reader.portrait_is_intact(path, document(NAME))
    (tmp_path / NAME).write_bytes(JPEG)
    assert reader.portrait_is_intact(path, document(NAME))
