"""Portraits: upright, no larger than printed, pixels only."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageCms, ImageDraw, ImageFile

from charforge.errors import DocumentError
from charforge.sheet import portraits
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.portraits import stored_portrait
from charforge.sheet.print_options import PrintOptions
from tests.sheet.conftest import Make

FILE = Path("nix.jpg")
Size = tuple[int, int]
RED, GREEN, BLUE = (200, 30, 30), (30, 160, 40), (40, 60, 200)


def coded(image: Image.Image, form: str = "JPEG", **more: object) -> bytes:
    made = BytesIO()
    image.save(made, form, **more)
    return made.getvalue()


def halves(width: int = 600, height: int = 400) -> Image.Image:
    """Red on the left, green on the right."""
    image = Image.new("RGB", (width, height), RED)
    ImageDraw.Draw(image).rectangle((width // 2, 0, width, height), fill=GREEN)
    return image


def decoded(made: str) -> Image.Image:
    head, _, data = made.partition(",")
    assert head == "data:image/jpeg;base64"
    return Image.open(BytesIO(base64.b64decode(data)))


def near(pixel: object, wanted: tuple[int, int, int]) -> bool:
    assert isinstance(pixel, tuple)
    return all(abs(one - other) < 25 for one, other in zip(pixel, wanted, strict=True))


def refused(data: bytes) -> str:
    with pytest.raises(DocumentError) as caught:
        portraits.printed_portrait(data, FILE)
    assert caught.value.path == FILE
    return caught.value.reason


@pytest.mark.parametrize(
    ("turn", "size", "upper", "lower"),
    [(1, (317, 400), RED, RED), (6, (400, 504), RED, GREEN), (8, (400, 504), GREEN, RED)],
)
def test_it_is_turned_by_its_exif(
    turn: int,
    size: tuple[int, int],
    upper: tuple[int, int, int],
    lower: tuple[int, int, int],
) -> None:
    """6 is lying on its left side, 8 on its right: what was left is then above, or below."""
    exif = Image.Exif()
    exif[0x0112] = turn
    found = decoded(portraits.printed_portrait(coded(halves(), exif=exif), FILE))
    assert found.size == size
    assert near(found.getpixel((5, 5)), upper)
    assert near(found.getpixel((5, found.height - 5)), lower)


def test_it_has_300_dots_to_the_inch_of_its_size_on_paper() -> None:
    """46 × 58 mm: 543 × 685 dots."""
    assert decoded(portraits.printed_portrait(coded(halves(4000, 5000)), FILE)).size == (543, 685)


def test_a_small_one_is_not_enlarged() -> None:
    """Cropped to 46:58: 48 of 60 dots."""
    assert decoded(portraits.printed_portrait(coded(halves(60, 60)), FILE)).size == (48, 60)


@pytest.mark.parametrize("size", [(1, 1), (3000, 1), (1, 3000)])
def test_any_shape_has_a_place(size: tuple[int, int]) -> None:
    made = decoded(portraits.printed_portrait(coded(Image.new("RGB", size, BLUE)), FILE))
    assert made.width <= made.height
    assert near(made.getpixel((0, 0)), BLUE)


def test_its_metadata_stays_behind() -> None:
    exif = Image.Exif()
    exif[0x010F] = "Secret Cameras Ltd"
    exif.get_ifd(0x8825)[1] = "N"
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    data = coded(halves(), exif=exif, comment=b"at home", icc_profile=profile)
    for made in (
        decoded(portraits.printed_portrait(data, FILE)),
        Image.open(BytesIO(stored_portrait(data, FILE))),
    ):
        assert not made.getexif()
        assert set(made.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_its_kind_is_read_from_its_content(form: str) -> None:
    found = decoded(portraits.printed_portrait(coded(halves(), form), FILE))
    assert near(found.getpixel((5, 5)), RED)


@pytest.mark.parametrize(
    "image",
    [
        Image.new("L", (50, 50), 120),
        Image.new("1", (50, 50), 1),
        Image.new("P", (50, 50), 0),
        Image.new("LA", (50, 50), (120, 255)),
        Image.new("I;16", (50, 50), 30_000),
    ],
    ids=lambda image: image.mode,
)
def test_any_kind_of_pixels_is_taken(image: Image.Image) -> None:
    assert decoded(portraits.printed_portrait(coded(image, "PNG"), FILE)).mode == "RGB"


def test_inks_become_colours() -> None:
    image = Image.new("CMYK", (50, 50), (255, 0, 255, 0))
    red, green, blue = decoded(portraits.printed_portrait(coded(image), FILE)).getpixel((9, 9))
    assert green > 200
    assert max(red, blue) < 60


def test_what_is_clear_is_white() -> None:
    image = Image.new("RGBA", (50, 50), (*RED, 0))
    assert near(
        decoded(portraits.printed_portrait(coded(image, "PNG"), FILE)).getpixel((9, 9)), (255,) * 3
    )


def test_a_faulty_colour_profile_says_nothing() -> None:
    data = coded(halves(), icc_profile=b"not a profile")
    assert near(decoded(portraits.printed_portrait(data, FILE)).getpixel((5, 5)), RED)


def test_in_grey_it_is_grey() -> None:
    assert decoded(portraits.printed_portrait(coded(halves()), FILE, grey=True)).mode == "L"


def test_what_stays_with_its_character_has_at_most_1200_pixels_a_side() -> None:
    assert Image.open(BytesIO(stored_portrait(coded(halves(3000, 2000)), FILE))).size == (1200, 800)
    assert Image.open(BytesIO(stored_portrait(coded(halves(30, 20)), FILE))).size == (30, 20)


def test_the_same_picture_gives_the_same_bytes() -> None:
    data = coded(halves())
    assert portraits.printed_portrait(data, FILE) == portraits.printed_portrait(data, FILE)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_one_that_is_cut_off_is_damaged(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where another library has told Pillow to take anything."""
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)
    noise = Image.effect_noise((300, 300), 80).convert("RGB")
    data = coded(noise, form)
    assert refused(data[: len(data) // 2]) == "this picture is damaged"
    assert ImageFile.LOAD_TRUNCATED_IMAGES


@pytest.mark.parametrize(
    "data",
    [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"%PDF-1.7", b"nix", b"\x89PNG\r\n\x1a\n",
     coded(halves(), "GIF"), coded(halves(), "BMP"), coded(halves(), "TIFF")],
)  # fmt: skip
def test_anything_else_is_refused(data: bytes) -> None:
    assert refused(data) in ("this is not a JPEG, PNG or WebP picture", "this picture is damaged")


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_one_that_moves_is_refused(form: str) -> None:
    frames = [Image.new("RGB", (20, 20), colour) for colour in (RED, GREEN, BLUE)]
    data = coded(frames[0], form, save_all=True, append_images=frames[1:])
    assert refused(data) == "this picture is animated"


def test_several_photographs_in_one_file_are_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """As telephones write them: a picture and its small copy are no film."""
    data = coded(halves(), "MPO", save_all=True, append_images=[Image.new("RGB", (60, 40), BLUE)])
    assert near(decoded(portraits.printed_portrait(data, FILE)).getpixel((5, 5)), RED)


@pytest.fixture
def decodings(monkeypatch: pytest.MonkeyPatch) -> list[Size]:
    """The sizes at which pictures are decoded."""
    sizes: list[Size] = []
    load = ImageFile.ImageFile.load

    def recorded(image: ImageFile.ImageFile) -> object:
        sizes.append(image.size)
        return load(image)

    monkeypatch.setattr(ImageFile.ImageFile, "load", recorded)
    return sizes


@pytest.mark.parametrize("side", [7_100, 30_000])
def test_one_of_too_many_pixels_is_not_decoded(side: int, decodings: list[Size]) -> None:
    """7,100 a side are 50.4 million: Pillow would warn; 30,000 a side it refuses itself."""
    data = bytearray(coded(Image.new("1", (8, 8)), "PNG"))
    data[16:24] = side.to_bytes(4, "big") * 2  # width and height, then what they are summed up by
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    assert refused(bytes(data)) == "this picture has more than 50 million pixels"
    assert decodings == []


def test_of_24_megapixels_lying_on_their_side_few_are_decoded(decodings: list[Size]) -> None:
    """A JPEG is decoded at half its width and height; what is printed is smaller still."""
    exif = Image.Exif()
    exif[0x0112] = 6
    data = coded(halves(6000, 4000), exif=exif)
    made = portraits.printed_portrait(data, FILE)
    assert {*decodings} == {(3000, 2000)}
    assert decoded(made).size == (543, 685)
    assert len(made) < 100_000


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path, said in (
        (tmp_path / "no.jpg", "this file does not exist"),
        (tmp_path, "this is a folder"),
    ):
        with pytest.raises(DocumentError, match=said):
            portraits.read_picture(path)


@pytest.fixture
def page(make: Make) -> Callable[[PrintOptions], str]:
    view = build(make(name='Nix "N" Calloway'))
    return lambda options: render_html(view, options)


@pytest.mark.parametrize("layout", ["full", "short"])
def test_it_is_in_the_name_plate_and_nowhere_else(
    page: Callable[[PrintOptions], str], layout: str
) -> None:
    made = portraits.printed_portrait(coded(halves()), FILE)
    with_one = page(PrintOptions(layout=layout, portrait=made))  # type: ignore[arg-type]
    assert with_one.count(f'src="{made}"') == 1
    assert 'alt="Portrait of Nix &#34;N&#34; Calloway"' in with_one
    assert with_one.index('<header class="plate">') < with_one.index(made)
    assert with_one.index(made) < with_one.index("<h1")
    assert "<img" not in page(PrintOptions(layout=layout))  # type: ignore[arg-type]
