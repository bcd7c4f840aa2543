"""Create the images of the documentation, from characters with fixed seeds.

    python docs/pictures.py              # all of them
    python docs/pictures.py luck.png

It needs Debian's Chromium and poppler-utils, and the packages of the tests.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from pages import blocks, write

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
LARGEST = 200_000  # bytes; the pictures are part of every clone
WIDE = 820  # pixels, as wide as a README is shown
PORT = 8257  # of the live table
PHONE = {"width": 390, "height": 844}
PARTY = (("juno", 31, 6), ("ada", 12, 3), ("teo", 4, 8), ("mira", 16, 10))  # name, seed, level

FIGHT = {  # what Juno does, with her dice and those of the other side
    "use juno.json unarmed --set type=blunt": (("3,4", "2,2"), ("6,5", "3,1"), ("2,1", "6,4")),
    "roll juno.json str": (("3,5", "4,4"), ("1,2", "3,2"), ("6,4", "5,6"), ("5,5", "2,2")),
    "roll juno.json agi": (("2,3", "1,3"), ("4,4", "4,3"), ("6,3", "2,5"), ("1,1", "2,3")),
}


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
        for name, rolls in FIGHT.items():
            for own, theirs in rolls:
                dice = ["--vs", "6", "--dice", f"own={own}", "--dice", f"theirs={theirs}"]
                _charforge(folder, *name.split(), *dice)
        for picture in sys.argv[1:] or PICTURES:
            make = PICTURES[picture]
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
    homes = dict.fromkeys(("XDG_DATA_HOME", "XDG_STATE_HOME"), str(folder / ".home"))
    environment = {**os.environ, **homes, "PYTHONPATH": str(DOCS.parent)}
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


def cut(picture: Callable[[Path], Path], top: float, bottom: float) -> Callable[[Path], Path]:
    """Return a function that creates a part of an image; ``top`` and ``bottom`` are from 0 to 1."""

    def make(folder: Path) -> Path:
        from PIL import Image

        path = picture(folder)
        with Image.open(path) as image:
            part = image.crop((0, round(top * image.height), WIDE, round(bottom * image.height)))
        part.save(path)
        return path

    return make


def ferry(folder: Path) -> Path:
    """Create an image of the sheet of the game in the guide "Your own game in an hour"."""
    for block in blocks((DOCS / "guides" / "your-own-game.md").read_text("utf-8")):
        if block.file:
            write(folder, block)
    _charforge(folder, "catalog", "add", "ferry")
    who = ["--ruleset", "night-ferry", "--random", "--seed", "3", "--name", "Mara"]
    _charforge(folder, "new", *who, "-o", "mara.json")
    return printed(1, "sheet", "mara.json")(folder)


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


def live_table(folder: Path) -> tuple[Path, Path]:
    """Create images of the pages of a live table in a fight: the game master's, and a phone."""
    from playwright.sync_api import sync_playwright

    characters = folder / "table"
    characters.mkdir(exist_ok=True)
    for who, *_more in PARTY:
        shutil.copy(folder / f"{who}.json", characters)
    command = [sys.executable, "-m", "charforge", "serve", str(characters), "--port", str(PORT)]
    kept = {"XDG_STATE_HOME": str(folder / "state"), "PYTHONUNBUFFERED": "1"}
    serving = subprocess.Popen(
        command, cwd=DOCS.parent, env={**os.environ, **kept}, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert serving.stdout is not None
    lines = [serving.stdout.readline() for _link in range(len(PARTY) + 1)]
    links = dict(re.findall(r"^(\w+)[^:]*: (\S+)", "".join(lines), re.MULTILINE))
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            desk = browser.new_page(viewport={"width": 1280, "height": 860})
            desk.set_default_timeout(10_000)
            desk.goto(links["Game"])
            desk.click("summary:has-text('Add foes')")
            desk.fill("[name=name]:visible", "Raider")
            desk.fill("[name=hit_points]:visible", "20")
            desk.click("button.main:visible:has-text('Add')")
            desk.wait_for_selector("h3:has-text('Raider')")
            desk.on("dialog", lambda asked: asked.accept())
            desk.click("details[id^=initiative] > summary")
            desk.fill("#figures-foe1", "9")
            desk.click("button:has-text('Begin combat')")
            desk.wait_for_selector("#turn-next")
            desk.evaluate("document.querySelector('#result').replaceChildren(); scrollTo(0, 0)")
            desk.screenshot(path=folder / "game-master.png")
            page = browser.new_page(viewport=PHONE, device_scale_factor=2)
            page.set_default_timeout(10_000)
            page.goto(links["Juno"])
            page.wait_for_selector("#live")
            page.screenshot(path=folder / "live.png")
            browser.close()
    finally:
        serving.kill()
        serving.communicate()
    return folder / "game-master.png", folder / "live.png"


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
    "rulebook.png": printed(26, "rulebook", "--ruleset", "capital"),
    "phone.png": phone,
    "luck.png": cut(printed(1, "sheet", "juno.json", "--luck", "--only", "luck"), 0.02, 0.34),
    "codes.png": cut(printed(1, "sheet", "juno.json", "--qr", "--only", "luck"), 0.315, 0.62),
    "ferry.png": ferry,
    "game-master.png": lambda folder: live_table(folder)[0],
    "live.png": lambda folder: live_table(folder)[1],
}

if __name__ == "__main__":
    main()
