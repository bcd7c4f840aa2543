"""Odds for the pages of a table: calculated in a process of their own, one at a time, in time.

Those of a large pool of dice take half a minute. In the process of the server they would slow
down everybody, and nothing could stop them.
"""

from __future__ import annotations

from collections.abc import Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Lock

from charforge.character.files.document import to_text
from charforge.character.files.reader import parse_document
from charforge.errors import CharforgeError, UsageError
from charforge.language import N_, _, page, reader_language, set_language
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.serve.action_forms import OddsShown, action_odds

BUSY = N_("other odds are being calculated; try again in a moment")
MOST_ASKED = 2  # seats whose odds are calculated or wait
SECONDS = 8.0  # that a page waits for odds
Job = tuple[str, dict[str, str], str]  # a character's file, a form, the language


class OddsCalculator:
    """A process that calculates odds; it starts with the first ones, and again after slow ones."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._lock, self._asking = Lock(), Lock()
        self._asked: set[str] = set()  # the seats that wait for odds
        self._running: tuple[SpawnProcess, Connection] | None = None

    def odds(self, opened: LoadedCharacter, form: Mapping[str, str], seat: str = "") -> OddsShown:
        """Return the odds of a form, as ``action_odds`` does, for whoever is in a seat.

        Raises UsageError if they take too long, if those of others are not finished in time, or
        at once if too many wait: each holds one of the threads that everybody shares.
        """
        with self._asking:
            if seat in self._asked or len(self._asked) >= MOST_ASKED:
                raise UsageError(_(BUSY))
            self._asked.add(seat)
        try:
            return self.calculate(opened, form)
        finally:
            self._asked.discard(seat)

    def calculate(self, opened: LoadedCharacter, form: Mapping[str, str]) -> OddsShown:
        """Return the odds of a form, after those of others; ``odds`` says who may wait for it."""
        if not self._lock.acquire(timeout=self.seconds):
            raise UsageError(_(BUSY))
        try:
            answer = self._answer(to_text(opened.document), dict(form))
            if answer is None:
                self.close()
        finally:
            self._lock.release()
        if isinstance(answer, CharforgeError):
            raise answer
        if answer is None:
            raise UsageError(_("these odds take too long here; the command odds calculates them"))
        return answer

    def _answer(self, text: str, form: dict[str, str]) -> OddsShown | CharforgeError | None:
        """Return the answer of the process; None if it takes too long, or was ended."""
        try:
            connection = self._start()
            connection.send((text, form, reader_language()))
            return connection.recv() if connection.poll(self.seconds) else None
        except (OSError, EOFError):
            return None

    def _start(self) -> Connection:
        """Return the connection to the process, which is started if it does not run."""
        if self._running is None:
            context = get_context("spawn")
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs,), daemon=True)
            process.start()
            theirs.close()
            self._running = process, ours
        return self._running[1]

    def close(self) -> None:
        """End the process."""
        if self._running is not None:
            process, connection = self._running
            self._running = None
            process.kill()
            process.join()
            process.close()
            connection.close()


def _work(connection: Connection) -> None:
    """Answer with the odds of each job, or with the error, until the server ends."""
    while True:
        try:
            job: Job = connection.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        connection.send(_answer(*job))


def _answer(text: str, form: dict[str, str], code: str) -> OddsShown | CharforgeError | None:
    set_language(code)
    path = Path("character.json")
    try:
        with page():
            return action_odds(load_document(parse_document(text, path), path), form)
    except CharforgeError as error:
        return error
    except KeyboardInterrupt:
        return None
