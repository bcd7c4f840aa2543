"""QR codes on the sheet, read back from pictures of the page."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageFilter

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import to_text
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load
from charforge.sheet.qr_codes import divide_into_codes, make_code, read_photos
from charforge.usecases.create import create_character
from tests.command_runner import run_command

GAMES = ("capital", "squad-d20", "narrative-dice", "phase-2d10", "shields-biotics")


def character(game: str, seed: int, level: int = 1, **answers: str) -> bytes:
    """Return a random character file."""
    spec = CharacterSpec(load(game), str(seed), f"N{seed}", level, answers=answers)
    return to_text(create_character(spec, RandomAnswers(str(seed)))).encode()


def photo(data: bytes) -> bytes:
    """Return a PNG picture of the codes of a file, below each other."""
    pictures = []
    for content in divide_into_codes(data):
        png = BytesIO()
        make_code(content).save(png, kind="png", scale=3, border=4)
        pictures.append(Image.open(png))
    width, height = max(p.width for p in pictures), sum(p.height for p in pictures)
    whole = Image.new("L", (width, height), 255)
    top = 0
    for picture in pictures:
        whole.paste(picture, (0, top))
        top += picture.height
    return encoded(whole, "PNG")


def encoded(image: Image.Image, format: str = "JPEG", quality: int = 85) -> bytes:
    """Return the bytes of a picture file."""
    file = BytesIO()
    image.save(file, format, quality=quality)
    return file.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_random_characters_survive_byte_for_byte(game):
    highest = load(game).head.advancement.maximum
    for seed in range(10):
        data = character(game, seed, 1 + seed % min(highest, 10))
        assert read_photos([(Path("photo.png"), photo(data))]) == data


@pytest.fixture(scope="module")
def nix() -> bytes:
    """A character of level 10 with a companion."""
    return character("capital", 1, 10, asset="companion/land-beast")


@pytest.fixture(scope="module")
def page(nix: bytes, tmp_path_factory: pytest.TempPathFactory) -> Image.Image:
    """The page with the codes of a level-10 character, as a scanner at 200 dpi sees it."""
    folder = tmp_path_factory.mktemp("qr")
    (folder / "nix.json").write_bytes(nix)
    done = run_command("sheet", "nix.json", "--qr", folder=folder)
    assert done.code == 0, done.err
    with pypdfium2.PdfDocument(folder / "nix.pdf") as document:
        pages = [
            n
            for n, one in enumerate(document)
            if "Save file" in one.get_textpage().get_text_range()
        ]
        assert len(pages) == 1
        return document[pages[0]].render(scale=200 / 72).to_pil().convert("RGB")


def tilted(image: Image.Image) -> Image.Image:
    """Return a page seen at an angle: its upper edge is 12 % shorter."""
    width, height = image.size
    inset = round(width * 0.06)
    corners = (-inset, 0, 0, height, width, height, width + inset, 0)
    return image.transform(
        image.size, Image.Transform.QUAD, corners, Image.Resampling.BICUBIC, fillcolor="white"
    )


def shaded(image: Image.Image) -> Image.Image:
    """Return a page on which light falls from the left: the right edge is at 35 %."""
    light = (
        Image.linear_gradient("L")
        .rotate(90)
        .resize(image.size)
        .point(lambda n: 90 + n * 165 // 255)
    )
    return ImageChops.multiply(image, Image.merge("RGB", (light, light, light)))


def blurred(image: Image.Image) -> Image.Image:
    return image.filter(ImageFilter.GaussianBlur(1.2))


def turned(image: Image.Image) -> Image.Image:
    return image.rotate(8, Image.Resampling.BICUBIC, expand=True, fillcolor="white")


def sideways(image: Image.Image) -> Image.Image:
    return image.rotate(90, expand=True)


def grainy(image: Image.Image) -> Image.Image:
    """Return a page with the noise of a dark room."""
    noise = Image.effect_noise(image.size, 60).convert("RGB")
    return Image.blend(image, noise, 0.25)


def a_phone(image: Image.Image) -> Image.Image:
    """Return a page as a phone sees it: all of the above, a little."""
    return shaded(
        tilted(image.rotate(3, Image.Resampling.BICUBIC, expand=True, fillcolor="white"))
    ).filter(ImageFilter.GaussianBlur(0.8))


LOOKS = (turned, sideways, tilted, shaded, blurred, grainy, a_phone)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("look", "quality"),
    [*((look, 30) for look in LOOKS), (a_phone, 85)],
)
def test_a_photo_of_the_page_gives_the_character_back(
    look: Callable[[Image.Image], Image.Image], quality: int, page: Image.Image, nix: bytes
):
    assert read_photos([(Path("photo.jpg"), encoded(look(page), quality=quality))]) == nix


@pytest.mark.slow
def test_two_photos_of_halves_are_joined(page: Image.Image, nix: bytes, tmp_path: Path):
    width, height = page.size
    half = width // 2
    left, right = page.crop((0, 0, half + 40, height)), page.crop((half - 330, 0, width, height))
    (tmp_path / "left.jpg").write_bytes(encoded(left))
    (tmp_path / "right.jpg").write_bytes(encoded(right))
    run_command("import", "left.jpg", folder=tmp_path).refused(2, "could not be read")
    assert run_command("import", "left.jpg", "right.jpg", "-o", "b.json", folder=tmp_path).code == 0
    assert (tmp_path / "b.json").read_bytes() == nix


def test_a_picture_without_codes_is_refused(tmp_path: Path):
    (tmp_path / "sky.png").write_bytes(encoded(Image.new("RGB", (300, 300), "blue"), "PNG"))
    run_command("import", "sky.png", folder=tmp_path).refused(2, "no QR code of charforge")
