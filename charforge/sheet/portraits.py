"""Portraits: pictures turned upright, reduced to the printed size, without metadata.

The metadata of a photograph says where and when it was taken. Sheets are passed around, so only
the pixels are used. Pictures are untrusted files: their size is checked before they are decoded,
and truncated ones are refused.
"""

from __future__ import annotations

import base64
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageCms, ImageFile, ImageOps, UnidentifiedImageError

from charforge.character.files import reader
from charforge.errors import DocumentError
from charforge.language import N_, _

PRINTED = (46.0, 58.0)  # mm: the largest size on paper; the name plate has it smaller
DOTS = 300 / 25.4  # per mm
STORED_SIDE = 1200  # pixels of the longer side of a picture stored with its character
MOST_PIXELS = 50_000_000
MOST_WEBP_PIXELS = 16_000_000  # the decoder of WebP needs four times the memory
BAND = 16  # rows of a reduced picture that are calculated at a time
FORMATS = ("JPEG", "PNG", "WEBP")
CROP_CENTRE = 0.35  # from the top: faces are above the middle
REMEDY = N_("Use a JPEG, PNG or WebP picture.")


def printed_portrait(data: bytes, path: Path, grey: bool = False) -> str:
    """Return a picture as a ``data:`` URI, of the shape and with the dots of the printed one.

    ``data`` are the bytes of the picture file. It is cropped to the printed shape and has at
    most 300 dots per inch; ``grey`` gives it in shades of grey.
    Raises DocumentError, which names ``path``, if it is not a still picture.
    """
    width, height = PRINTED
    with open_picture(data, path, round(height * DOTS)) as image:
        scale = min(DOTS, image.width / width, image.height / height)
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        cropped = ImageOps.fit(image, size, centering=(0.5, CROP_CENTRE))
        jpeg = _jpeg(ImageOps.grayscale(cropped) if grey else cropped)
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii")


def stored_portrait(data: bytes, path: Path) -> bytes:
    """Return a picture as a JPEG file to store with its character.

    Raises DocumentError like ``printed_portrait``.
    """
    with open_picture(data, path, STORED_SIDE) as image:
        image.thumbnail((STORED_SIDE, STORED_SIDE))
        return _jpeg(image)


def read_picture(path: Path) -> bytes:
    """Return the bytes of a picture file. Raises DocumentError if it cannot be read."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise DocumentError(path, _("this is not a normal file"), _(REMEDY))
    return reader.read_bytes(path)


@contextmanager
def open_picture(data: bytes, path: Path, side: int) -> Iterator[Image.Image]:
    """Open a picture, upright and in RGB.

    It has at least ``side`` pixels each way, if the file has them; a large picture is reduced.
    """
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    try:
        with _strict(), Image.open(BytesIO(data), formats=FORMATS) as image:
            if image.format != "MPO" and getattr(image, "is_animated", False):
                raise DocumentError(path, _("this picture is animated"), _(REMEDY))
            if image.format == "WEBP" and image.width * image.height > MOST_WEBP_PIXELS:
                raise _too_large(path, MOST_WEBP_PIXELS)
            image.draft("RGB", (2 * side, 2 * side))  # a JPEG is decoded at a fraction of its size
            image.load()
            reduced = reduced_image(image, 2 * min(image.size) // (3 * side))
            if reduced is not image:
                image.close()
            yield _upright_rgb(reduced)
    except UnidentifiedImageError as error:
        raise DocumentError(
            path, _("this is not a JPEG, PNG or WebP picture"), _(REMEDY)
        ) from error
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise _too_large(path, MOST_PIXELS) from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise DocumentError(path, _("this picture is damaged"), _(REMEDY)) from error


def _too_large(path: Path, most: int) -> DocumentError:
    reason = _("this picture has more than {most} million pixels").format(most=most // 1_000_000)
    return DocumentError(path, reason, _("Make it smaller first."))


@contextmanager
def _strict() -> Iterator[None]:
    """Refuse truncated and very large pictures, even if another library has allowed them."""
    lenient = ImageFile.LOAD_TRUNCATED_IMAGES
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = lenient


def reduced_image(image: Image.Image, factor: int) -> Image.Image:
    """Return a large picture at ``1 / factor`` of its size; a small one as it is.

    It is calculated in bands, because a full copy needs too much memory. Pictures with one
    byte per pixel are left alone: they are small, and their colours may be a palette.
    """
    if factor < 2 or image.mode not in ("RGB", "RGBA", "LA", "CMYK"):
        return image
    width, height = (-(-length // factor) for length in image.size)
    reduced = Image.new(image.mode, (width, height))
    for top in range(0, height, BAND):
        box = (0, top * factor, image.width, min((top + BAND) * factor, image.height))
        reduced.paste(image.crop(box).reduce(factor), (0, top))
    reduced.info = image.info
    return reduced


def _upright_rgb(image: Image.Image) -> Image.Image:
    """Return a picture turned as its metadata say, in sRGB, with white for transparent parts."""
    profile = image.info.get("icc_profile")
    upright = ImageOps.exif_transpose(image)
    if profile and upright.mode in ("RGB", "CMYK", "L"):
        with suppress(ImageCms.PyCMSError, OSError):  # an invalid profile is ignored
            own = ImageCms.ImageCmsProfile(BytesIO(profile))
            srgb = ImageCms.createProfile("sRGB")
            upright = ImageCms.profileToProfile(upright, own, srgb, outputMode="RGB") or upright
    if not upright.has_transparency_data:
        return upright.convert("RGB")
    rgba = upright.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", rgba.size, "white"), rgba).convert("RGB")


def _jpeg(image: Image.Image) -> bytes:
    jpeg = BytesIO()
    image.info.clear()
    image.save(jpeg, "JPEG", quality=88, optimize=True)
    return jpeg.getvalue()
