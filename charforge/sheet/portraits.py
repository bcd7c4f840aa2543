"""Portraits: pictures turned upright, reduced to the printed size, without metadata.

A photograph tells where and when it was taken and with what; a sheet is
handed round, so only the pixels go in. A picture is a foreign file: its
size is known before it is decoded, and one that is cut off is refused.
"""

from __future__ import annotations

import base64
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from charforge.character import reader
from charforge.errors import DocumentError

if TYPE_CHECKING:
    from PIL.Image import Image

HEIGHT, LOW = 19.6, 15.8  # mm, what a name plate leaves it; that of a short sheet is lower
NARROWEST, WIDEST = 2 / 3, 1  # of its height: the name needs the rest
DOTS = 300 / 25.4  # a mm
KEPT = 1200  # pixels of the longer side of a picture that stays with its character
PIXELS = 50_000_000
WEBP_PIXELS = 16_000_000  # its decoder holds a picture four times over
BAND = 16  # rows of a reduced picture that are made at once
FORMATS = ("JPEG", "PNG", "WEBP")
ABOVE_MIDDLE = 0.35  # where a face is: what does not fit is cut off more below it
FAULT = "Give a JPEG, PNG or WebP picture."


class Portrait(NamedTuple):
    """A picture as the page has it: a ``data:`` URI, and its size on paper in millimetres."""

    source: str
    width: float
    height: float


def printed_portrait(data: bytes, path: Path, low: bool = False, grey: bool = False) -> Portrait:
    """Return a picture as it is printed: at 300 dots to the inch, or what it has.

    One that is very wide or high is cut. Raises DocumentError, which
    names ``path``, for what is no still picture.
    """
    height = LOW if low else HEIGHT
    with _opened(data, path, round(WIDEST * height * DOTS)) as image:
        from PIL import ImageOps

        width = height * min(max(image.width / image.height, NARROWEST), WIDEST)
        scale = min(DOTS, image.width / width, image.height / height)
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        made = ImageOps.fit(image, size, centering=(0.5, ABOVE_MIDDLE))
        coded = _jpeg(ImageOps.grayscale(made) if grey else made)
    source = "data:image/jpeg;base64," + base64.b64encode(coded).decode("ascii")
    return Portrait(source, round(width, 2), height)


def stored_portrait(data: bytes, path: Path) -> bytes:
    """Return a picture as it stays with its character. Raises DocumentError like ``printed``."""
    with _opened(data, path, KEPT) as image:
        image.thumbnail((KEPT, KEPT))
        return _jpeg(image)


def read_picture(path: Path) -> bytes:
    """Read a picture's file. Raises DocumentError where that cannot be."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise DocumentError(path, "this is no ordinary file", FAULT)
    return reader.read_bytes(path)


@contextmanager
def _opened(data: bytes, path: Path, side: int) -> Iterator[Image]:
    """Open a picture: upright, in plain colours, of ``side`` pixels or more where it has them."""
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = PIXELS
    try:
        with _strict(), Image.open(BytesIO(data), formats=FORMATS) as image:
            if image.format != "MPO" and getattr(image, "is_animated", False):
                raise DocumentError(path, "this picture moves", FAULT)
            if image.format == "WEBP" and image.width * image.height > WEBP_PIXELS:
                raise _large(path, WEBP_PIXELS)
            image.draft("RGB", (2 * side, 2 * side))  # a JPEG is decoded at a fraction of its size
            image.load()
            reduced = _reduced(image, 2 * min(image.size) // (3 * side))
            if reduced is not image:
                image.close()
            yield _plain(reduced)
    except UnidentifiedImageError as error:
        raise DocumentError(path, "this is no JPEG, PNG or WebP picture", FAULT) from error
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise _large(path, PIXELS) from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise DocumentError(path, "this picture is damaged", FAULT) from error


def _large(path: Path, pixels: int) -> DocumentError:
    told = f"this picture has more than {pixels // 1_000_000} million pixels"
    return DocumentError(path, told, "Scale it down first.")


@contextmanager
def _strict() -> Iterator[None]:
    """Refuse pictures that are cut off or too large, whatever other libraries allow."""
    from PIL import Image, ImageFile

    lenient = ImageFile.LOAD_TRUNCATED_IMAGES
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = lenient


def _reduced(image: Image, factor: int) -> Image:
    """Return a large picture at a fraction of its size, band by band: a whole copy takes too much.

    What has a byte a pixel needs no such care, and its colours may be those of a palette.
    """
    from PIL import Image as images

    if factor < 2 or image.mode not in ("RGB", "RGBA", "LA", "CMYK"):
        return image
    width, height = (-(-length // factor) for length in image.size)
    made = images.new(image.mode, (width, height))
    for top in range(0, height, BAND):
        box = (0, top * factor, image.width, min((top + BAND) * factor, image.height))
        made.paste(image.crop(box).reduce(factor), (0, top))
    made.info = image.info
    return made


def _plain(image: Image) -> Image:
    """Return a picture upright, in the colours of a screen, on white where it is transparent."""
    from PIL import Image as images, ImageCms, ImageOps

    profile = image.info.get("icc_profile")
    turned = ImageOps.exif_transpose(image)
    if profile and turned.mode in ("RGB", "CMYK", "L"):
        with suppress(ImageCms.PyCMSError, OSError):  # a faulty profile says nothing
            here = ImageCms.ImageCmsProfile(BytesIO(profile))
            screen = ImageCms.createProfile("sRGB")
            turned = ImageCms.profileToProfile(turned, here, screen, outputMode="RGB") or turned
    if not turned.has_transparency_data:
        return turned.convert("RGB")
    clear = turned.convert("RGBA")
    return images.alpha_composite(images.new("RGBA", clear.size, "white"), clear).convert("RGB")


def _jpeg(image: Image) -> bytes:
    made = BytesIO()
    image.info.clear()
    image.save(made, "JPEG", quality=88, optimize=True)
    return made.getvalue()
