"""PDF attachments: read the character file that is attached to a sheet, and its form fields.

The character file comes back byte for byte. Form fields come with the value that they had when
the sheet was made, so that what was filled in since can be told.

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
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from charforge.errors import DocumentError
from charforge.language import N_, _
from charforge.limits import MAX_FILE_BYTES
from charforge.process import limit_process

if TYPE_CHECKING:
    from pypdf import PdfReader

ATTACHMENT = "character.json"
PDF_START = b"%PDF-"
READING_SECONDS = 20  # of processor time
READING_MEMORY = 1 << 30  # bytes
MAX_ATTACHMENTS = 20
MAX_FIELDS = 20_000
LONGEST_FIELD_TEXT = 20_000  # characters of a field
IMPORT_ADVICE = N_("Import the character file itself.")
UNLOCK_ADVICE = N_("Save a copy without the password first.")
FAULTS = {
    "encrypted": (N_("this PDF is protected by a password"), UNLOCK_ADVICE),
    "large": (N_("this PDF has an attachment of more than {size} MB"), IMPORT_ADVICE),
    "many": (N_("this PDF has more than {files} attachments"), IMPORT_ADVICE),
    "fields": (N_("this PDF has more than {fields} form fields"), IMPORT_ADVICE),
    "broken": (N_("this PDF is damaged"), N_("Use another copy.")),
}


class PdfField(NamedTuple):
    """A form field: its name, its label for readers, and its value now and when it was made.

    The value of a box is whether it is ticked.
    """

    name: str
    label: str
    value: str | bool
    before: str | bool

    @property
    def changed(self) -> bool:
        """Whether it was filled in, changed or emptied since the sheet was made."""
        return self.value != self.before


class PdfAttachments(NamedTuple):
    """The character file attached to a PDF, its other attachments by name, and its form fields."""

    character: bytes
    others: Mapping[str, bytes]
    fields: tuple[PdfField, ...] = ()


def is_pdf(data: bytes) -> bool:
    """Return whether a file's bytes are a PDF."""
    return data[:100].lstrip().startswith(PDF_START)


def read_attachments(path: Path) -> PdfAttachments:
    """Return the attachments of a PDF.

    The character is recognised by its content, because programs that handle
    PDFs rename attachments. Raises DocumentError for a PDF that cannot be
    read, or has no character or more than one.
    """
    files, fields = _contents(path)
    characters = [data for _name, data in files if is_character(data)]
    others = {name: data for name, data in files if not is_character(data)}
    if len(characters) > 1:
        reason = _("this PDF contains {count} characters").format(count=len(characters))
        raise DocumentError(
            path,
            reason,
            _("Open the PDF in a reader, save the attachment you want, and import that file."),
        )
    if not characters:
        reason = _("this PDF contains no character")
        reason += (
            _(", only {names}").format(names=", ".join(map(repr, sorted(others)))) if others else ""
        )
        raise DocumentError(path, reason, _(IMPORT_ADVICE))
    return PdfAttachments(characters[0], others, fields)


def is_character(data: bytes) -> bool:
    """Return whether an attachment looks like a character file."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" and b'"charforge"' in data


def _contents(path: Path) -> tuple[list[tuple[str, bytes]], tuple[PdfField, ...]]:
    """Return the names and bytes of the attachments, and the fields, read by another process."""
    python_path = os.pathsep.join(filter(None, sys.path))
    try:
        process = subprocess.run(  # noqa: S603 - this very module  # nosec B603
            [sys.executable, "-P", "-m", __name__, str(path.absolute())],
            env={**os.environ, "PYTHONPATH": python_path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=READING_SECONDS,
            check=True,
        )
        answer = json.loads(process.stdout)
    except (subprocess.SubprocessError, ValueError):
        answer = {"fault": "broken"}
    if "fault" in answer:
        reason, advice = map(_, FAULTS[answer["fault"]])
        reason = reason.format(
            size=MAX_FILE_BYTES // 1_000_000, files=MAX_ATTACHMENTS, fields=MAX_FIELDS
        )
        raise DocumentError(path, reason, advice)
    files = [(name, base64.b64decode(data)) for name, data in answer["files"]]
    return files, tuple(PdfField(*field) for field in answer["fields"])


def read_in_this_process(path: Path) -> dict[str, Any]:
    """Return the attachments as ``files`` with the ``fields``, or a key of FAULTS as ``fault``."""
    # Here, because only the separate process needs pypdf, which takes 100 ms to import.
    from pypdf import PdfReader, errors

    try:
        reader = PdfReader(path)
        if reader.is_encrypted:
            return {"fault": "encrypted"}
        files: list[tuple[str, str]] = []
        for entry in reader.attachment_list:
            if len(files) == MAX_ATTACHMENTS:
                return {"fault": "many"}
            content = entry.content
            if len(content) > MAX_FILE_BYTES:
                return {"fault": "large"}
            files.append((entry.name, base64.b64encode(content).decode("ascii")))
        fields = list(islice(_fields(reader), MAX_FIELDS + 1))
        if len(fields) > MAX_FIELDS:
            return {"fault": "fields"}
    except errors.LimitReachedError:
        return {"fault": "large"}
    except (errors.PyPdfError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return {"fault": "broken"}  # the library raises any of these for a damaged file
    return {"files": files, "fields": fields}


def _fields(reader: PdfReader) -> Iterator[PdfField]:
    """Yield the texts and boxes of a form, in the order of the document."""
    for name, field in (reader.get_fields() or {}).items():
        label = _text(field.get("/TU"))
        if field.get("/FT") == "/Tx":
            yield PdfField(name, label, _text(field.get("/V")), _text(field.get("/DV")))
        elif field.get("/FT") == "/Btn":
            ticked = (_text(field.get(key)) not in ("", "/Off") for key in ("/V", "/DV"))
            yield PdfField(name, label, *ticked)


def _text(value: object) -> str:
    """Return a text or name of a PDF; empty if it is nothing of the kind, or far too long."""
    return str(value) if isinstance(value, str) and len(value) <= LONGEST_FIELD_TEXT else ""


if __name__ == "__main__":
    limit_process(READING_MEMORY, READING_SECONDS)
    sys.stdout.write(json.dumps(read_in_this_process(Path(sys.argv[1]))))
