"""Create the images of the documentation, from characters with fixed seeds.

    python docs/pictures.py

It needs Debian's Chromium and poppler-utils, and the packages of the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
LARGEST = 200_000  # bytes; the pictures are part of every clone
WIDE = 820  # pixels, as wide as a README is shown
PHONE = {"width": 390, "height": 844}
PARTY = (("juno", 31, 6), ("ada", 12, 3), ("teo", 4, 8), ("mira", 16, 10))  # name, seed, level


def main() -> None:
    """Create all images, or print which tools are missing."""
    missing = _missing()
    if missing:
        sys.exit("The pictures need " + "; ".join(missing) + ".")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for who, seed, level in PARTY:
            more = ["--seed", f"s{seed}", "--level", str(level), "-o", f"{who}.json"]
            _charforge(folder, "new", "--random", *more)
        for picture, make in PICTURES.items():
            shrunk(make(folder), IMAGES / picture)


def _missing() -> list[str]:
    missing = []
    if chromium() is None:
        missing.append("Chromium (apt-get install chromium)")
    if shutil.which("pdftoppm") is None:
        missing.append("pdftoppm (apt-get install poppler-utils)")
    try:
        import playwright  # noqa: F401
    except ImportError:
        missing.append("playwright (pip install -e '.[test]')")
    return missing


def chromium() -> str | None:
    """Return where Chromium is."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def _charforge(folder: Path, *arguments: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(DOCS.parent)}
    subprocess.run(
        [sys.executable, "-m", "charforge", *arguments],
        cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip


def printed(page: int, *arguments: str) -> Callable[[Path], Path]:
    """Return a function that creates an image of one page of a PDF."""

    def make(folder: Path) -> Path:
        _charforge(folder, *arguments, "-o", "made.pdf", "--force")
        only = ["-f", str(page), "-l", str(page), "-scale-to-x", str(WIDE), "-scale-to-y", "-1"]
        subprocess.run(
            ["pdftoppm", *only, "-png", "-singlefile", "made.pdf", "made"], cwd=folder, check=True
        )
        return folder / "made.png"

    return make


def phone(folder: Path) -> Path:
    """Create an image of the HTML sheet on a phone, in dark colours."""
    from playwright.sync_api import sync_playwright

    _charforge(folder, "sheet", "teo.json", "--format", "html", "-o", "teo.html")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport=PHONE, color_scheme="dark", device_scale_factor=2)
        page.goto((folder / "teo.html").as_uri())
        page.screenshot(path=folder / "phone.png")
        browser.close()
    return folder / "phone.png"


def shrunk(picture: Path, to: Path) -> None:
    """Save an image with as many colours as the size limit allows."""
    from PIL import Image

    with Image.open(picture) as image:
        for colours in (256, 128, 64, 32, 16):
            image.convert("RGB").quantize(colours).save(to, optimize=True)
            if to.stat().st_size <= LARGEST:
                return
    sys.exit(f"{to} is larger than {LARGEST} bytes.")


PICTURES: dict[str, Callable[[Path], Path]] = {
    "sheet.png": printed(1, "sheet", "juno.json"),
    "cards.png": printed(1, "sheet", "juno.json", "--layout", "cards"),
    "party.png": printed(
        1, "party", *(f"{name}.json" for name, *_more in PARTY), "--no-sheets", "--no-cards"
    ),
    "phone.png": phone,
}

if __name__ == "__main__":
    main()
