"""Salvage: what is left of data once the parts with errors of shape are taken out.

So the rest of a file with mistakes can still be checked. Positions in the
rest are translated to those in the file, and the names in what was taken out
are kept: nothing that uses them is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from charforge.rules.errors import KeyPath, contains, schema_errors

MAX_ROUNDS = 30  # each takes out something more
ENTRY = 2  # the length of the path of an entry: its list and its number
FILLING = "0"  # in place of a missing text
Model = TypeVar("Model", bound=BaseModel)
OnErrors = Callable[[ValidationError], None]


class Salvage:
    """Data, and the paths of the parts that were taken out of it."""

    def __init__(self, data: Any) -> None:
        self._data = data
        self._removed: set[KeyPath] = set()
        self._filled: dict[str, str] = {}  # texts that are missing at the top

    @property
    def complete(self) -> bool:
        """Whether nothing was taken out."""
        return not self._removed and not self._filled

    def model(self, model: type[Model], report: OnErrors) -> Model | None:
        """Return the model of what is left; None if too little is.

        ``report`` gets the errors of the whole data, once.
        """
        for number in range(MAX_ROUNDS):
            rest = self._rest(self._data, ())
            try:
                return model.model_validate(rest)
            except ValidationError as error:
                if not number:
                    report(error)
                places = [self.original(problem.where) for problem in schema_errors(error, rest)]
                removed = [self._remove(place) or self._fill(place) for place in places]
                if not all(removed):
                    return None
        return None

    @property
    def has_all_names(self) -> bool:
        """Whether ``names`` has the ids of all entries that were taken out."""
        whole = [self.at(path) for path in self._removed if len(path) <= ENTRY]
        return all(isinstance(part, dict) and "id" in part for part in whole)

    def is_whole(self, path: KeyPath) -> bool:
        """Whether nothing was taken out of the part at a path."""
        return not any(removed[: len(path)] == path for removed in self._removed)

    def names(self) -> set[str]:
        """Return the names in what was taken out."""
        return {name for path in self._removed for name in names_with_slugs(self.at(path))}

    def original(self, where: KeyPath) -> KeyPath:
        """Return the path in the data of a path in what is left."""
        path: KeyPath = ()
        for part in where:
            if isinstance(part, int):
                for number in sorted(r[-1] for r in self._removed if r[:-1] == path):
                    part += isinstance(number, int) and number <= part
            path = (*path, part)
        return path

    def _remove(self, path: KeyPath) -> bool:
        """Take out the smallest part at a path; return whether there was any."""
        while path and (path in self._removed or not self._exists(path)):
            path = path[:-1]
        if path:
            self._removed.add(path)
        return bool(path)

    def _fill(self, path: KeyPath) -> bool:
        """Fill in a missing text at the top; return whether that is possible."""
        key = str(path[0]) if len(path) == 1 else ""
        if not key or key in self._filled:
            return False
        self._filled[key] = FILLING
        return True

    def _exists(self, path: KeyPath) -> bool:
        data = self._data
        for part in path:
            if not contains(data, part):
                return False
            data = data[part]
        return True

    def at(self, path: KeyPath) -> Any:
        """Return the data at a path, before anything was taken out."""
        data = self._data
        for part in path:
            data = data[part]
        return data

    def _rest(self, data: Any, path: KeyPath) -> Any:
        """Return data without what was taken out."""
        if path and self.is_whole(path):
            return data
        if isinstance(data, dict):
            rest = {
                key: self._rest(part, (*path, key))
                for key, part in data.items()
                if (*path, key) not in self._removed
            }
            return rest if path else {**rest, **self._filled}
        if isinstance(data, list):
            return [
                self._rest(part, (*path, number))
                for number, part in enumerate(data)
                if (*path, number) not in self._removed
            ]
        return data


def names_in(data: Any) -> Iterable[str]:
    """Yield every key and every text in data."""
    if isinstance(data, dict):
        for key, part in data.items():
            yield str(key)
            yield from names_in(part)
    elif isinstance(data, list | tuple):
        for part in data:
            yield from names_in(part)
    elif isinstance(data, str):
        yield data


def names_with_slugs(data: Any) -> set[str]:
    """Return every key and text in data, and of ids also the part after the slash."""
    names = {*names_in(data)}
    return names | {name.rpartition("/")[2] for name in names}
