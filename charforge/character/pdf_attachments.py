"""PDF attachments: read the character file that a sheet carries, byte for byte.

A PDF can come from anybody, and a malicious one can keep a reader busy for
ever or fill the memory. So a separate process with little time and memory
reads it; if that process fails, the PDF counts as damaged.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charforge.errors import DocumentError

NAME = "character.json"
MARK = b"%PDF-"
SECONDS = 20
MEMORY = 1 << 30  # bytes
LARGEST = 50_000_000  # bytes of one attachment
MOST = 20  # attachments
LEAVE = "Import the character file itself."
UNLOCK = "Save it without its password first."
FAULTS = {
    "encrypted": ("this PDF is encrypted", UNLOCK),
    "large": (f"this PDF carries a file of more than {LARGEST} bytes", LEAVE),
    "many": (f"this PDF carries more than {MOST} files", LEAVE),
    "broken": ("this PDF is damaged", "Take another copy of it."),
}


@dataclass(frozen=True, slots=True)
class PdfAttachments:
    """The character file attached to a PDF, and its other attachments by name."""

    character: bytes
    others: Mapping[str, bytes]


def is_pdf(data: bytes) -> bool:
    """Whether a file's bytes are a PDF."""
    return data[:100].lstrip().startswith(MARK)


def read_attachments(path: Path) -> PdfAttachments:
    """Return the attachments of a PDF.

    A character is known by its content, for programs that handle PDFs
    rename what is attached. Raises DocumentError for a PDF that cannot
    be read, or has no character, or more than one.
    """
    files = _attachments(path)
    characters = [data for _name, data in files if _is_character(data)]
    others = {name: data for name, data in files if not _is_character(data)}
    if len(characters) > 1:
        told = f"this PDF carries {len(characters)} characters"
        raise DocumentError(path, told, "Save the one you want from a PDF reader and import it.")
    if not characters:
        told = "this PDF carries no character"
        told += f", only {', '.join(map(repr, sorted(others)))}" if others else ""
        raise DocumentError(path, told, LEAVE)
    return PdfAttachments(characters[0], others)


def _is_character(data: bytes) -> bool:
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" and b'"charforge"' in data


def _attachments(path: Path) -> list[tuple[str, bytes]]:
    """Have another process read the attachments, with their names."""
    where = os.pathsep.join(filter(None, sys.path))
    try:
        done = subprocess.run(  # noqa: S603 - this very module  # nosec B603
            [sys.executable, "-P", "-m", __name__, str(path.absolute())],
            env={**os.environ, "PYTHONPATH": where},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=True,
        )
        answer = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError):
        answer = {"fault": "broken"}
    if "fault" in answer:
        raise DocumentError(path, *FAULTS[answer["fault"]])
    return [(name, base64.b64decode(data)) for name, data in answer["files"]]


def _answer(path: Path) -> dict[str, Any]:
    """Return the attachments, or which fault keeps them from being read."""
    from pypdf import PdfReader
    from pypdf.errors import LimitReachedError, PyPdfError

    try:
        reader = PdfReader(path)
        if reader.is_encrypted:
            return {"fault": "encrypted"}
        files: list[tuple[str, str]] = []
        for entry in reader.attachment_list:
            if len(files) == MOST:
                return {"fault": "many"}
            content = entry.content
            if len(content) > LARGEST:
                return {"fault": "large"}
            files.append((entry.name, base64.b64encode(content).decode("ascii")))
    except LimitReachedError:
        return {"fault": "large"}
    except (PyPdfError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return {"fault": "broken"}  # of a damaged file the library raises any of these
    return {"files": files}


def _bound() -> None:
    """Leave this process little memory and time, on systems that can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


if __name__ == "__main__":
    _bound()
    sys.stdout.write(json.dumps(_answer(Path(sys.argv[1]))))
