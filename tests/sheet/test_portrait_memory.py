"""Very large pictures stay within 500 MB or are refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from charforge.sheet import portraits

pytestmark = [pytest.mark.slow, pytest.mark.needs("proc")]
MOST = 500  # MB
READ = """
import re, sys
from pathlib import Path
from charforge.errors import DocumentError
from charforge.sheet.portraits import printed_portrait, stored_portrait
for path in map(Path, sys.argv[1:]):
    try:
        for use in (stored_portrait, printed_portrait):
            use(path.read_bytes(), path)
    except DocumentError as error:
        print(error.reason, file=sys.stderr)
kilobytes = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
print(int(kilobytes) // 1024)  # getrusage would count what was there before this program began
"""
RIGHT = 6  # how Exif says that the camera was held upright


LEAN = {"png": {"compress_level": 1}, "webp": {"lossless": True, "method": 0}}
READABLE = (
    ("RGBA", "png", 7000),
    ("RGBA", "png", 3590),
    ("LA", "png", 7000),
    ("I;16", "png", 7000),
    ("P", "png", 7000),
    ("CMYK", "jpg", 7000),
    ("RGBA", "webp", 3999),
)
TOO_LARGE = (("RGBA", "webp", 7000), ("1", "png", 8000))


def read(pictures: Sequence[tuple[str, str, int]], folder: Path) -> tuple[int, list[str]]:
    """Read new pictures, one after another in one process.

    Returns the most memory that it took, in MB, and why pictures were refused.
    """
    turned = Image.Exif()
    turned[0x0112] = RIGHT
    paths = []
    for mode, ending, side in pictures:
        paths.append(folder / f"{mode}-{side}.{ending}")
        Image.new(mode, (side, side), 0).save(paths[-1], exif=turned, **LEAN.get(ending, {}))
    done = subprocess.run(
        [sys.executable, "-c", READ, *paths],
        capture_output=True,
        text=True,
        timeout=120,
        env={"PYTHONPATH": str(Path(portraits.__file__).parents[2])},
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout), done.stderr.splitlines()


def test_large_pictures_take_little_memory(tmp_path):
    memory, reasons = read(READABLE, tmp_path)
    assert memory <= MOST
    assert reasons == []


def test_larger_pictures_are_refused_in_little_memory(tmp_path):
    memory, reasons = read(TOO_LARGE, tmp_path)
    assert memory <= MOST
    assert [reason.partition("more than ")[2].partition(" pixels")[0] for reason in reasons] == [
        "16 million", "50 million",
    ]  # fmt: skip


def test_a_reduced_picture_is_the_same_picture(monkeypatch):
    """Four quarters of four colours stay where they are, the last rows and columns too."""
    whole = Image.new("RGB", (1003, 1501), "red")
    whole.paste("lime", (501, 0, 1003, 750))
    whole.paste("blue", (0, 750, 501, 1501))
    whole.paste("white", (501, 750, 1003, 1501))
    made = portraits.reduced_image(whole, 3)
    assert made.size == (335, 501)
    corners = [made.getpixel(at) for at in ((0, 0), (334, 0), (0, 500), (334, 500))]
    assert corners == [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]
    assert made.tobytes() == whole.reduce(3).tobytes()
    assert portraits.reduced_image(whole, 1) is whole
