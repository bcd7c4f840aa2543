"""PDF attachments: read the character file that is attached to a sheet, byte for byte.

A malicious PDF can keep a reader busy for ever or fill the memory. So a
separate process with limited time and memory reads it; if that process
fails, the PDF counts as damaged.
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
PDF_START = b"%PDF-"
MAX_SECONDS = 20  # of processor time
MAX_MEMORY = 1 << 30  # bytes
MAX_BYTES = 50_000_000  # of one attachment
MAX_ATTACHMENTS = 20
IMPORT_ADVICE = "Import the character file itself."
UNLOCK_ADVICE = "Save it without its password first."
FAULTS = {
    "encrypted": ("this PDF is encrypted", UNLOCK_ADVICE),
    "large": (f"this PDF carries a file of more than {MAX_BYTES} bytes", IMPORT_ADVICE),
    "many": (f"this PDF carries more than {MAX_ATTACHMENTS} files", IMPORT_ADVICE),
    "broken": ("this PDF is damaged", "Take another copy of it."),
}


@dataclass(frozen=True, slots=True)
class PdfAttachments:
    """The character file attached to a PDF, and its other attachments by name."""

    character: bytes
    others: Mapping[str, bytes]


def is_pdf(data: bytes) -> bool:
    """Whether a file's bytes are a PDF."""
    return data[:100].lstrip().startswith(PDF_START)


def read_attachments(path: Path) -> PdfAttachments:
    """Return the attachments of a PDF.

    The character is recognised by its content, because programs that handle
    PDFs rename attachments. Raises DocumentError for a PDF that cannot be
    read, or has no character or more than one.
    """
    files = _attachments(path)
    characters = [data for _name, data in files if _is_character(data)]
    others = {name: data for name, data in files if not _is_character(data)}
    if len(characters) > 1:
        reason = f"this PDF carries {len(characters)} characters"
        raise DocumentError(path, reason, "Save the one you want from a PDF reader and import it.")
    if not characters:
        reason = "this PDF carries no character"
        reason += f", only {', '.join(map(repr, sorted(others)))}" if others else ""
        raise DocumentError(path, reason, IMPORT_ADVICE)
    return PdfAttachments(characters[0], others)


def _is_character(data: bytes) -> bool:
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" and b'"charforge"' in data


def _attachments(path: Path) -> list[tuple[str, bytes]]:
    """Return the names and bytes of the attachments, read by another process."""
    python_path = os.pathsep.join(filter(None, sys.path))
    try:
        process = subprocess.run(  # noqa: S603 - this very module  # nosec B603
            [sys.executable, "-P", "-m", __name__, str(path.absolute())],
            env={**os.environ, "PYTHONPATH": python_path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MAX_SECONDS,
            check=True,
        )
        answer = json.loads(process.stdout)
    except (subprocess.SubprocessError, ValueError):
        answer = {"fault": "broken"}
    if "fault" in answer:
        raise DocumentError(path, *FAULTS[answer["fault"]])
    return [(name, base64.b64decode(data)) for name, data in answer["files"]]


def _read_in_this_process(path: Path) -> dict[str, Any]:
    """Return the attachments as ``files``, or a key of FAULTS as ``fault``."""
    # Only the separate process needs this library.
    from pypdf import PdfReader
    from pypdf.errors import LimitReachedError, PyPdfError

    try:
        reader = PdfReader(path)
        if reader.is_encrypted:
            return {"fault": "encrypted"}
        files: list[tuple[str, str]] = []
        for entry in reader.attachment_list:
            if len(files) == MAX_ATTACHMENTS:
                return {"fault": "many"}
            content = entry.content
            if len(content) > MAX_BYTES:
                return {"fault": "large"}
            files.append((entry.name, base64.b64encode(content).decode("ascii")))
    except LimitReachedError:
        return {"fault": "large"}
    except (PyPdfError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return {"fault": "broken"}  # the library raises any of these for a damaged file
    return {"files": files}


def _limit_process() -> None:
    """Limit the memory and time of this process, on systems that can."""
    with suppress(ImportError, ValueError, OSError):  # Windows does not have this module
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))


if __name__ == "__main__":
    _limit_process()
    sys.stdout.write(json.dumps(_read_in_this_process(Path(sys.argv[1]))))
