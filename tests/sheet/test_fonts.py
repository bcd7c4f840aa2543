"""The sheet's fonts are the files of their packages."""

from __future__ import annotations

from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from charforge.errors import SheetError
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
    fonts._font_files.cache_clear()
    with pytest.raises(SheetError) as raised:
        Face("Broken Sans", 400).file()
    assert raised.value.advice == "pip install --force-reinstall fontpkg-broken-sans"


def test_a_file_that_was_removed_is_named_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        fonts, "_font_files", lambda package: {(400, "normal"): tmp_path / "gone.ttf"}
    )
    with pytest.raises(SheetError, match="Barlow 400 normal is missing"):
        Face("Barlow", 400).file()
