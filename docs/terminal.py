"""Record the real program in a terminal, as animated pictures for the documentation.

    python docs/terminal.py              # all of them
    python docs/terminal.py replay.svg

It types keys into a shell in a pseudo-terminal. After each key, it waits until the screen stops
changing and keeps it as a frame. Readers who asked for less motion see one frame.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import pexpect
import pyte

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
COLUMNS, ROWS = 100, 27
WIDTH, HEIGHT, MARGIN = 8.4, 18, 14  # pixels: of a column, of a line, around the screen
QUIET = 0.7  # seconds without output before a screen counts as finished
PATIENCE = 60  # seconds that a screen may take
PROMPT = "$ "
ENTER, DOWN, RIGHT = "\r", "\x1b[B", "\x1b[C"
PALETTE = {
    "default": "#d8dee9", "black": "#4c566a", "red": "#e06c75", "green": "#98c379",
    "brown": "#e5c07b", "yellow": "#e5c07b", "blue": "#61afef", "magenta": "#c678dd",
    "cyan": "#56b6c2", "white": "#eceff4", "brightblack": "#7f8c9b",
}  # fmt: skip
BACKGROUND = "#1e2430"


class Key(NamedTuple):
    """Keys to send, what the screen then shows at last, and for how many seconds to show it."""

    keys: str
    seconds: float
    shows: str = ""


class Recording(NamedTuple):
    """What a picture shows: its title, its keys, and the commands that are run before.

    ``still`` is the frame for readers who asked for less motion.
    """

    title: str
    still: int
    keys: tuple[Key, ...]
    before: tuple[str, ...] = ()


WIZARD = (
    Key("charforge new --ruleset capital --seed 7", 1.0),
    Key(ENTER, 1.0, "Who is your character?"),
    Key("Nix", 1.0),
    Key(DOWN, 0.5),
    Key(RIGHT, 2.0, "Quick build"),
    Key(ENTER, 1.0, "Quick build"),
    Key(ENTER, 1.0, "The Sentinel"),
    Key(DOWN, 3.0),
    Key(ENTER, 3.0, "Happy with it?"),
    Key(ENTER, 3.0, PROMPT),
    Key("clear" + ENTER, 0, PROMPT),
    Key("charforge level-up Nix.json --seed 7", 1.0),
    Key(ENTER, 2.5, "Roll for HP"),
    Key(ENTER, 3.0, "Which Systems"),
    Key(" ", 1.5),
    Key(DOWN, 3.0),
    Key(" ", 1.5),
    Key(ENTER, 2.5, "Happy with it?"),
    Key(ENTER, 3.0, PROMPT),
    Key("clear" + ENTER, 0, PROMPT),
    Key("charforge explain Nix.json max_hp", 1.2),
    Key(ENTER, 4.0, PROMPT),
    Key("charforge explain Nix.json system/charge", 1.2),
    Key(ENTER, 4.0, PROMPT),
)
REPLAY = (Key("charforge replay nix.json --instead role.plus=wis", 2.0), Key(ENTER, 8.0, PROMPT))
ADVISE = (
    Key("charforge advise nix.json --foe defense=6", 2.0),
    Key(ENTER, 6.0, "a choice of their own"),
    Key("clear" + ENTER, 0, PROMPT),
    Key("charforge plan nix.json --want charge --want 'patch up ii' --to 6", 2.0),
    Key(ENTER, 5.0, PROMPT),
    Key("charforge plan nix.json --want 'focus ii'", 2.0),
    Key(ENTER, 6.0, PROMPT),
)
NIX = "charforge new --random --name Nix --seed 7 -o nix.json"
HEALER = "charforge new --random --name Nix --seed 3 --with role=the-healer -o nix.json"
ROLL = "charforge roll nix.json wis --vs 6 --dice own={} --dice theirs={} < /dev/null"
RECORDINGS = {
    "wizard.svg": Recording("the wizard, a level-up and two explanations", 14, WIZARD),
    "replay.svg": Recording(
        "what would have happened after another choice", 1, REPLAY,
        (NIX, ROLL.format("3,4", "2,4"), ROLL.format("6,2", "1,3"), ROLL.format("2,2", "5,5")),
    ),
    "advise.svg": Recording(
        "options ranked by what they change, and a plan for what is wanted", 1, ADVISE, (HEALER,)
    ),
}  # fmt: skip


class Frame(NamedTuple):
    """A screen as SVG, and how many seconds it is shown."""

    drawing: str
    seconds: float


def main() -> None:
    """Record the pictures that are named, or all."""
    for name in sys.argv[1:] or RECORDINGS:
        recording = RECORDINGS[name]
        with tempfile.TemporaryDirectory() as folder:
            frames = [frame for frame in record(Path(folder), recording) if frame.seconds]
        (IMAGES / name).write_text(picture(frames, recording), encoding="utf-8")


def record(folder: Path, recording: Recording) -> Iterator[Frame]:
    """Yield a frame for each key of a recording."""
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    names = ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
    homes = {name: str(folder / ".home") for name in names}
    shell = pexpect.spawn(
        "bash", ["--norc", "--noprofile"], cwd=folder, dimensions=(ROWS, COLUMNS), echo=True,
        env={**os.environ, **homes, "PATH": path, "PS1": "$ ", "TERM": "xterm-256color"},
    )  # fmt: skip
    _settle(shell, stream)
    for command in (*recording.before, "clear") if recording.before else ():
        shell.send(command + ENTER)
        _wait_for(PROMPT, shell, stream, screen)
    for key in recording.keys:
        shell.send(key.keys)
        _wait_for(key.shows, shell, stream, screen)
        yield Frame(draw(screen), key.seconds)
    shell.close(force=True)


def _settle(shell: pexpect.spawn[bytes], stream: pyte.ByteStream) -> None:
    """Feed the screen until the program has been quiet for a while."""
    last = time.monotonic()
    while time.monotonic() - last < QUIET:
        try:
            stream.feed(shell.read_nonblocking(65536, timeout=0.1))
            last = time.monotonic()
        except pexpect.TIMEOUT:
            continue


def _wait_for(
    text: str, shell: pexpect.spawn[bytes], stream: pyte.ByteStream, screen: pyte.Screen
) -> None:
    """Feed the screen until it shows a text. A text that never comes ends the program."""
    last = time.monotonic() + PATIENCE
    _settle(shell, stream)
    while not _shows(screen, text):
        if time.monotonic() > last:
            sys.exit(f"never shown: {text}\n" + "\n".join(map(str.rstrip, screen.display)))
        _settle(shell, stream)


def _shows(screen: pyte.Screen, text: str) -> bool:
    """Whether a text is on the screen; the prompt must be where the cursor is."""
    if text == PROMPT:
        return screen.display[screen.cursor.y].rstrip() == PROMPT.rstrip()
    return any(text in line for line in screen.display)


def draw(screen: pyte.Screen) -> str:
    """Return the lines of a screen as SVG text, one span for each run of equal style."""
    lines = []
    for row in range(ROWS):
        cells = [screen.buffer[row][column] for column in range(COLUMNS)]
        spans, column = [], 0
        for (colour, bold), run in groupby(cells, key=lambda cell: (cell.fg, cell.bold)):
            text = "".join(cell.data for cell in run)
            if text.strip():
                x = MARGIN + column * WIDTH
                fill = PALETTE.get(colour, f"#{colour}" if len(colour) == 6 else PALETTE["default"])
                weight = ' font-weight="bold"' if bold else ""
                start = f'<tspan x="{x:.1f}" fill="{fill}"{weight}>'
                spans.append(f"{start}{escape(text.rstrip())}</tspan>")
            column += len(text)
        if spans:
            y = MARGIN + (row + 1) * HEIGHT - 5
            lines.append(f'<text y="{y}">{"".join(spans)}</text>')
    return "\n".join(lines)


def picture(frames: list[Frame], recording: Recording) -> str:
    """Return the animated picture: each frame is visible for its share of the time."""
    total = sum(frame.seconds for frame in frames)
    width, height = round(2 * MARGIN + COLUMNS * WIDTH), 2 * MARGIN + ROWS * HEIGHT
    styles, groups, start = [], [], 0.0
    for number, frame in enumerate(frames):
        begin, end = (100 * moment / total for moment in (start, start + frame.seconds))
        hidden = f"0%,{begin:.3f}%{{visibility:hidden}}" if number else ""
        styles.append(
            f"@keyframes f{number}{{{hidden}{begin + 0.001:.3f}%,{end:.3f}%{{visibility:visible}}"
            f"{min(end + 0.001, 100):.3f}%,100%{{visibility:hidden}}}}"
            f".f{number}{{animation:f{number} {total:.1f}s step-end infinite}}"
        )
        groups.append(f'<g class="f f{number}">\n{frame.drawing}\n</g>')
        start += frame.seconds
    still = f".f{{animation:none}}.f{recording.still}{{visibility:visible}}"
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"
 font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">
<title>charforge in a terminal: {recording.title}</title>
<style>.f{{visibility:hidden}}text{{white-space:pre}}{"".join(styles)}
@media (prefers-reduced-motion: reduce){{{still}}}</style>
<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>
{chr(10).join(groups)}
</svg>
"""


if __name__ == "__main__":
    main()
