"""The pictures of the documentation are shown, small, and generated."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
IMAGES = DOCS / "images"


def shown() -> set[str]:
    """Return the pictures that the README and the pages show."""
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    pattern = re.compile(r"!\[[^\]]+\]\([./a-z]*images/([^)]+)\)")
    return {name for page in pages for name in pattern.findall(page.read_text("utf-8"))}


def test_every_picture_is_there_shown_and_made_by_the_recipe() -> None:
    recipe = (DOCS / "pictures.py").read_text("utf-8")
    made = set(re.findall(r'^    "([\w-]+\.png)":', recipe, re.MULTILINE))
    by_hand = {"wizard.svg", "replay.svg", "advise.svg", "architecture.svg"}
    assert made | by_hand == shown() == {path.name for path in IMAGES.iterdir()}
    assert {"sheet.png", "cards.png", "phone.png"} <= made


def test_no_picture_is_a_burden() -> None:
    sizes = {name: (IMAGES / name).stat().st_size for name in shown()}
    assert sizes
    assert [name for name, size in sizes.items() if size > 200_000] == []


def test_the_gallery_has_each_design_and_is_small() -> None:
    pictures = {path.stem for path in (DOCS / "guides" / "gallery").glob("*.png")}
    designs = {path.name for path in (ROOT / "examples" / "templates").iterdir() if path.is_dir()}
    page = (DOCS / "guides" / "gallery.md").read_text("utf-8")
    assert pictures == {*re.findall(r"\(gallery/(\w+)\.png\)", page)}
    assert pictures == designs | {"full", "short", "cards"}
    sizes = [path.stat().st_size for path in (DOCS / "guides" / "gallery").iterdir()]
    assert sum(sizes) <= 800_000


def test_what_the_recipe_lacks_is_named(tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in IMAGES.iterdir()}
    done = subprocess.run(
        [sys.executable, str(DOCS / "pictures.py")],
        # Batches in this process keep Python from importing modules next to a script.
        env={**os.environ, "PATH": str(tmp_path), "PYTHONSAFEPATH": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Chromium (apt-get install chromium)" in done.stderr
    assert "pdftoppm (apt-get install poppler-utils)" in done.stderr
    assert {path: path.stat().st_mtime_ns for path in IMAGES.iterdir()} == before
