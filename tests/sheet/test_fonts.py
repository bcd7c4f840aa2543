"""The sheet's fonts are the files of their packages."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from charforge.errors import SheetError
from charforge.paths import PACKAGE, data_folder
from charforge.sheet import fonts
from charforge.sheet.fonts import FACES, Face

ITALIC = 1  # the bit of a font's style


@pytest.mark.parametrize("face", FACES, ids=str)
def test_a_face_is_the_cut_that_it_is_called(face: Face) -> None:
    with TTFont(face.file()) as font:
        names = {font["name"].getDebugName(number) for number in (1, 16)}
        assert face.family in names
        assert font["OS/2"].usWeightClass == face.weight
        assert bool(font["OS/2"].fsSelection & ITALIC) == (face.style == "italic")


@pytest.mark.parametrize(
    "face", [Face("Nowhere Sans", 400), Face("Barlow", 150), Face("Barlow", 400, "slanted")]
)
def test_a_face_that_is_not_there_is_named_with_its_package(face: Face) -> None:
    with pytest.raises(SheetError) as raised:
        face.file()
    assert str(raised.value) == f"the font {face.family} {face.weight} {face.style} is missing"
    package = "fontpkg-" + face.family.lower().replace(" ", "-")
    assert raised.value.advice == f"pip install --force-reinstall {package}"


@pytest.mark.parametrize("told", [None, b"", b"{", b"{}", b'{"files": [1]}', b'{"files": [{}]}'])
def test_a_package_that_is_not_whole_is_named_too(
    told: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "fontpkg_broken_sans"
    package.mkdir()
    (package / "__init__.py").touch()
    if told is not None:
        (package / "metadata.json").write_bytes(told)
    monkeypatch.syspath_prepend(tmp_path)
    fonts.font_files.cache_clear()
    with pytest.raises(SheetError) as raised:
        Face("Broken Sans", 400).file()
    assert raised.value.advice == "pip install --force-reinstall fontpkg-broken-sans"


def test_a_file_that_was_removed_is_named_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        fonts, "font_files", lambda package: {(400, "normal"): tmp_path / "gone.ttf"}
    )
    with pytest.raises(SheetError, match="Barlow 400 normal is missing"):
        Face("Barlow", 400).file()


def test_the_texts_of_the_program_and_its_games_have_common_characters_only() -> None:
    """So the pages of a character with a plain name share the reduced fonts."""
    files = [
        *data_folder("catalog").rglob("*.yaml"),
        *(path for path in data_folder("templates").rglob("*") if path.is_file()),
        *PACKAGE.rglob("*.po"),
    ]
    assert len(files) > 50
    rare = {file.name: set(file.read_text("utf-8")) - fonts.COMMON - {"\n"} for file in files}
    assert {name: found for name, found in rare.items() if found} == {}


def test_a_reduced_font_is_made_once_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "cache_folder", lambda: tmp_path)
    fonts.font_uri.cache_clear()
    page = "<html><head></head><body style='font-family: \"Barlow\"'>Ŝipo</body></html>"
    first = fonts.embed_fonts(page)
    made = {face.file() for face in fonts.faces(page)}
    assert len([*(tmp_path / "fonts").iterdir()]) == len(made) > 1
    fonts.font_uri.cache_clear()
    monkeypatch.delattr(fonts, "reduced_font")
    assert fonts.embed_fonts(page) == first


def test_a_reduced_font_has_the_rare_characters_of_its_page() -> None:
    for text, had in (("plain", False), ("Ŝipo", True)):
        uri = fonts.font_uri(Face("Barlow", 400), "".join(sorted(fonts.COMMON | set(text))))
        with TTFont(BytesIO(b64decode(uri.partition(",")[2]))) as font:
            assert (ord("Ŝ") in font.getBestCmap()) == had
            assert {ord(one) for one in "Aß−½"} <= {*font.getBestCmap()}
