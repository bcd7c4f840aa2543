"""Saving several character files as one change: all of them are replaced, or none.

A journal in their folder holds the content of each file before and after the change. Once it is
written, the change is made: whoever loads a character there after an interruption finishes it.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from charforge.character.files import atomic_write, storage
from charforge.character.files.document import Document
from charforge.character.files.reader import JOURNAL, load
from charforge.errors import ChangedMeanwhile, CharforgeError, WriteError
from charforge.language import _
from charforge.limits import MAX_FILE_BYTES
from charforge.paths import read_plain_file

NAME, BEFORE, AFTER = "name", "before", "after"  # keys of a file in it
MAX_JOURNAL = 6 * MAX_FILE_BYTES


class ChangedFile(NamedTuple):
    """A character file, its document and the changed one."""

    path: Path
    before: Document
    after: Document


class _Replacement(NamedTuple):
    """A file with its content before and after a change."""

    path: Path
    before: bytes
    after: bytes


def save_together(files: Sequence[ChangedFile]) -> None:
    """Replace the documents of files in one folder by changed ones: all of them, or none.

    Raises ChangedMeanwhile if a file is no longer as it was before, WriteError.
    """
    texts = {file.path: storage.encode(file.after, file.path) for file in files}
    journal = files[0].path.parent / JOURNAL
    with _all_locked([file.path for file in files]):
        replacements = []
        for path, before, _after in files:
            content = storage.current_content(path)
            if content is None or load(path) != before:
                raise ChangedMeanwhile(
                    path,
                    _("another program changed it in the meantime"),
                    _("Run the command again."),
                )
            replacements.append(_Replacement(path, content[0], texts[path]))
        atomic_write.write(journal, _journal_text(replacements))
        try:
            for path, _before, after in replacements:
                storage.replace_locked(path, after)
        except WriteError as error:
            try:
                _put_back(replacements)
            except WriteError:
                raise _unfinished(error) from error
            _remove(journal)
            raise
        _remove(journal)


def _unfinished(error: WriteError) -> WriteError:
    """Return the error of a change that could neither be finished nor taken back."""
    advice = _("The change is half saved; the next command in this folder completes it.")
    return WriteError(error.path, error.reason, advice)


def finish_change(folder: Path) -> None:
    """Finish a change of several files in a folder that was interrupted.

    If another program has changed one of them since, the others are put back to what they were
    before. Where nothing can be written now, all stays as it is, for the next time.
    """
    journal = folder / JOURNAL
    if not journal.exists():
        return
    with suppress(CharforgeError, OSError):
        found = _read_journal(journal)
        with _all_locked([one.path for one in found]):
            if found != _read_journal(journal):
                return  # whoever made the change was not interrupted, but slow
            if all(_content(one.path) in (one.before, one.after) for one in found):
                for path, _before, after in found:
                    if _content(path) != after:
                        storage.replace_locked(path, after)
            else:
                _put_back(found)
            _remove(journal)


@contextmanager
def _all_locked(paths: Sequence[Path]) -> Iterator[None]:
    """Lock several character files, always in the same order."""
    with ExitStack() as locks:
        for path in sorted(paths):
            locks.enter_context(storage.locked(path))
        yield


def _put_back(replacements: Sequence[_Replacement]) -> None:
    """Give the files that were replaced their former content."""
    for path, before, after in replacements:
        if _content(path) == after:
            storage.replace_locked(path, before)


def _content(path: Path) -> bytes | None:
    content = storage.current_content(path)
    return None if content is None else content[0]


def _remove(journal: Path) -> None:
    with suppress(OSError):  # the next load finds that nothing is left to do
        journal.unlink()


def _journal_text(replacements: Sequence[_Replacement]) -> bytes:
    files = [
        {NAME: path.name, BEFORE: _as_text(before), AFTER: _as_text(after)}
        for path, before, after in replacements
    ]
    return json.dumps(files).encode()


def _as_text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _read_journal(journal: Path) -> list[_Replacement]:
    """Return what a journal says; nothing for a file that is no journal."""
    try:
        return [
            _Replacement(
                journal.parent / Path(file[NAME]).name,
                base64.b64decode(file[BEFORE], validate=True),
                base64.b64decode(file[AFTER], validate=True),
            )
            for file in json.loads(read_plain_file(journal, MAX_JOURNAL))
        ]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
