"""What the strings of a pack stand for, said once, at the field that holds them.

A field of a model is marked in its ``Annotated`` type. Validation ignores
the marks; lint reads them, so that a new field needs no new check.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, get_args, get_origin

from pydantic import BaseModel, GetJsonSchemaHandler
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema

NAMED = "x-names"


@dataclass(frozen=True, slots=True)
class Names:
    """The strings of this field name things that must exist.

    They are the field itself, the items of its list, the keys of its map,
    or the names its formula reads. ``what`` is the word for messages;
    ``among`` names the things meant where that word alone does not.
    """

    what: str
    among: str = ""

    @property
    def pool(self) -> str:
        """The key of the names that exist."""
        return self.among or self.what

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Keep in a JSON Schema what the strings name, so that the names can be offered."""
        return {**handler(schema), NAMED: self.pool}


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures stand in this text: in braces, or (``whole``) the text is one."""

    whole: bool = False


Mark = Names | Figures


class Place(NamedTuple):
    """A field: its name, its key in YAML, its mark; of a map also that of its values."""

    name: str
    key: str
    mark: Mark | None
    values: Mark | None = None


@cache
def places(model: type[BaseModel]) -> tuple[Place, ...]:
    """Return the fields of a model with their marks."""
    return tuple(_place(name, field) for name, field in model.model_fields.items())


def _place(name: str, field: FieldInfo) -> Place:
    key = field.alias or name
    if get_origin(field.annotation) is dict:
        keys, values = get_args(field.annotation)
        return Place(name, key, _mark((*field.metadata, keys)), _mark((values,)))
    return Place(name, key, _mark((*field.metadata, field.annotation)))


@cache
def defines(model: type[BaseModel]) -> bool:
    """Whether the ``id`` of a model is its own, and not the name of something else."""
    return any(place.name == "id" and place.mark is None for place in places(model))


def _mark(parts: tuple[Any, ...]) -> Mark | None:
    """Find the mark of a type, however deep it stands."""
    for part in parts:
        found = part if isinstance(part, Mark) else _mark(get_args(part))
        if found is not None:
            return found
    return None
