"""Seats at a table: the secret link of the game master and of each character."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from charforge.character.files.storage import LockedByOther, lock_file
from charforge.errors import UsageError
from charforge.language import _
from charforge.paths import read_cache_file, state_folder, write_cache_file

GAME_MASTER = "gm"
TOKEN_BYTES = 16
LOCK = "lock"
LINKS = "links"  # the file of the tokens


def table_folder(folder: Path) -> Path:
    """Return where the tokens and the evening of the table of a folder are kept.

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
        wanted = [GAME_MASTER, *names]
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
