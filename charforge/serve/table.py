"""The characters at a table: loaded when their files differ, changed one after another; its seats.

A seat is the secret link of the game master or of a character.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import RLock
from typing import Any, Protocol, TypeVar

from charforge.character.files.storage import LockedByOther, lock_file
from charforge.errors import ChangedMeanwhile, CharforgeError, UsageError
from charforge.language import _
from charforge.paths import read_cache_file, state_folder, write_cache_file
from charforge.replay.loaded_character import LoadedCharacter, load_character, shared_file
from charforge.rules.names import told_apart
from charforge.rules.ruleset import Ruleset
from charforge.verbs.save import save_character

ID_LETTERS = 8
Stamp = tuple[int, int, int] | None  # of a file: its inode, size and time; None if it is missing
Stamps = tuple[Stamp, Stamp]  # of a character file, and of what its group owns


class Changed(Protocol):
    """The result of a verb: the character after it."""

    @property
    def after(self) -> LoadedCharacter:
        """The character after the verb."""


Result = TypeVar("Result", bound=Changed)
Derived = TypeVar("Derived")


@dataclass
class _Place:
    """A character's place: its file, what was last read of it, and when it was last looked at."""

    file: Path
    lock: RLock = field(default_factory=RLock)
    stamp: Stamps | None = None
    loaded: LoadedCharacter | None = None
    ruleset: Ruleset | None = None
    shared: Path | None = None
    seen: Stamps | None = None
    derived_from: LoadedCharacter | None = None
    derived: dict[Hashable, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seen = self.stamps()

    def stamps(self) -> Stamps:
        """Return the stamps of the files that the character is read from."""
        return _stamp(self.file), None if self.shared is None else _stamp(self.shared)

    def is_changed(self) -> bool:
        """Return whether another program changed the file since the last look."""
        if not self.lock.acquire(blocking=False):
            return False
        try:
            before, self.seen = self.seen, self.stamps()
            return before != self.seen
        finally:
            self.lock.release()


class Table:
    """The characters at a table by seat, a short id that no path can be read from."""

    def __init__(self, files: Iterable[Path]) -> None:
        self._places = {seat_id(file): _Place(file) for file in files}

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of the characters, in the order of their files."""
        return tuple(self._places)

    def file(self, seat: str) -> Path:
        """Return the file of a character."""
        return self._places[seat].file

    def load(self, seat: str) -> LoadedCharacter:
        """Return the character as its file is now. Raises as ``load_character`` does."""
        place = self._places[seat]
        with place.lock:
            stamps = place.stamps()
            if place.loaded is None or stamps != place.stamp:
                place.loaded = load_character(place.file, place.ruleset)
                place.stamp, place.ruleset = stamps, place.loaded.ruleset
                if place.ruleset.head.shared is not None and place.shared is None:
                    place.shared = shared_file(place.file.parent)
            return place.loaded

    def derive(self, seat: str, function: Callable[..., Derived], *arguments: Hashable) -> Derived:
        """Return what a function makes of a character; made once for each state of its file.

        Raises as ``load`` does.
        """
        place, key = self._places[seat], (function, arguments)
        with place.lock:
            opened = self.load(seat)
            if place.derived_from is not opened:
                place.derived_from, place.derived = opened, {}
            if key not in place.derived:
                place.derived[key] = function(opened, *arguments)
            derived: Derived = place.derived[key]
            return derived

    def change(self, seat: str, act: Callable[[LoadedCharacter], Result]) -> Result:
        """Change a character, and return the result when it is saved.

        Changes of a character at the same time come one after the other. Raises what ``act``
        does, and WriteError. If another program changed the file meanwhile, it tries once more.
        """
        place = self._places[seat]
        with place.lock:
            try:
                return self._change(seat, place, act)
            except ChangedMeanwhile:
                return self._change(seat, place, act)

    def _change(self, seat: str, place: _Place, act: Callable[[LoadedCharacter], Result]) -> Result:
        before = self.load(seat)
        result = act(before)
        place.loaded = None  # until it is known what the file has
        save_character(before, result.after, place.file)
        place.loaded = result.after
        place.stamp = place.seen = place.stamps()
        return result

    def changed(self) -> list[str]:
        """Return the seats whose files another program changed since the last call."""
        return [seat for seat, place in self._places.items() if place.is_changed()]

    def names(self) -> dict[str, str]:
        """Return the name of each character by seat; the name of the file if it cannot be read.

        Characters with the same name are told apart by their files.
        """
        names = {}
        for seat, place in self._places.items():
            try:
                names[seat] = self.load(seat).document.name
            except CharforgeError:
                names[seat] = place.file.stem
        stems = [place.file.stem for place in self._places.values()]
        return dict(zip(names, told_apart([*names.values()], stems), strict=True))


def seat_id(file: Path) -> str:
    """Return the id of a character's seat: the same for a file after each start."""
    return sha256(str(file.resolve()).encode(errors="surrogateescape")).hexdigest()[:ID_LETTERS]


def _stamp(file: Path) -> Stamp:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


GAME_MASTER_SEAT = "gm"
TOKEN_BYTES = 16
LOCK = "lock"
LINKS = "links"  # the file of the tokens


def table_folder(folder: Path) -> Path:
    """Return where the tokens and the state of the table of a folder are kept.

    It is in this user's state folder, which others do not read, and not beside the characters,
    which a group may share.
    """
    name = sha256(str(folder.resolve()).encode(errors="surrogateescape")).hexdigest()[:32]
    return state_folder() / "tables" / name


@contextmanager
def only_server(folder: Path) -> Iterator[None]:
    """Keep every other server from a table's folder while the block runs.

    Raises UsageError if there is another one, OSError if the folder cannot be written.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / LOCK).touch(0o600)
    with ExitStack() as lock:
        try:
            with suppress(OSError):  # a disk without locks
                lock.enter_context(lock_file(folder / LOCK, 0))
        except LockedByOther as error:
            advice = _("Stop the other charforge serve first.")
            raise UsageError(_("this table is served already"), advice) from error
        yield


class Seats:
    """The seats of a table, each with a random token; a restart keeps them."""

    def __init__(self, tokens: Mapping[str, str], table: str) -> None:
        self._tokens, self._table = dict(tokens), table

    @classmethod
    def open(cls, folder: Path, names: Iterable[str], new_links: bool = False) -> Seats:
        """Return the seats with these names, with the tokens that ``folder`` keeps.

        New names get a token; with ``new_links`` all do, so that former links lead nowhere. Those
        of names that are not there today are kept. Raises OSError if they cannot be kept.
        """
        known = {} if new_links else _read(folder / LINKS)
        wanted = [GAME_MASTER_SEAT, *names]
        tokens = {name: known.get(name) or secrets.token_hex(TOKEN_BYTES) for name in wanted}
        write_cache_file(folder / LINKS, json.dumps({**known, **tokens}).encode())
        return cls(tokens, sha256(str(folder).encode(errors="surrogateescape")).hexdigest()[:8])

    def cookie(self, seat: str) -> str:
        """Return the name of the cookie of a seat, another one at each table of this computer."""
        return f"charforge_{self._table}_{seat}"

    def token(self, seat: str) -> str:
        """Return the token of a seat."""
        return self._tokens[seat]

    def seat_of(self, token: str) -> str | None:
        """Return the seat of a token, None for none; it always takes the same time."""
        given, found = token.encode(), None
        for seat, known in self._tokens.items():
            if hmac.compare_digest(known.encode(), given):
                found = seat
        return found

    def page_token(self, seat: str) -> str:
        """Return the token that each change from a page of a seat carries."""
        return hmac.digest(self._tokens[seat].encode(), b"page", "sha256").hex()


def _read(file: Path) -> dict[str, str]:
    """Return the tokens in a file by seat; none if it is missing or was written by others."""
    try:
        data = json.loads(read_cache_file(file))
    except (OSError, ValueError):
        return {}
    return {str(name): str(token) for name, token in data.items()}
