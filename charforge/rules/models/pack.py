"""Files of a pack: its header, pages, rulings, patches and samples."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from charforge.language import _
from charforge.rules.models.base import (
    Credited,
    Label,
    Names,
    PackModel,
    Slug,
    Text,
    Version,
)
from charforge.rules.models.procedures import Procedure
from charforge.rules.models.vocabulary import Chart

RULESET = "ruleset"  # where a patch of ruleset.yaml begins


class PackHead(Credited):
    """``pack.yaml``: the name of a pack and the ruleset that it extends.

    A folder with a ``ruleset.yaml`` instead is a ruleset. ``requires`` names
    packs that must be used together with it.
    """

    id: Slug
    name: Label
    version: Version
    ruleset: Slug
    text: Text = ""
    requires: tuple[Slug, ...] = ()

    @model_validator(mode="after")
    def own_id(self) -> "PackHead":
        """Refuse an id that means something else."""
        if self.id == self.ruleset or self.id in self.requires:
            raise ValueError(
                _(
                    "the id of a pack must differ from those of its ruleset "
                    "and of the packs it needs"
                )
            )
        return self


def _words(raw: Any) -> Any:
    """Allow a single id, and numbers of items without quotes."""
    words = raw if isinstance(raw, list | tuple) else (raw,)
    return tuple(str(word) if type(word) is int else word for word in words)


PatchPath = Annotated[
    tuple[str, ...],
    BeforeValidator(_words, json_schema_input_type=str | tuple[str | int, ...]),
]


class Patch(PackModel):
    """A change to an existing part of the ruleset, by id.

    ``at`` is an entity id, or a path: ``[procedures, check]``,
    ``[rulings, D4]``, ``[charts, hits]``, or into ``ruleset.yaml``:
    ``[ruleset, creation, money]``, ``[ruleset, units, vehicle, values,
    armour]``. It can go on into any part: ``[gear/hook, attacks, 1]``,
    ``[system/surge, actions, Surge, cost]``. An item of a list is named by
    its id, its name or, if it has neither of its own, its number; ``charforge
    catalog paths ID`` lists the paths into an entity. ``set`` replaces keys,
    ``drop`` removes keys, ``add`` appends to lists and maps, ``remove``
    removes items from them (by id or in full). ``why`` is for readers.
    """

    at: PatchPath
    set: dict[str, Any] = {}
    drop: tuple[str, ...] = ()
    add: dict[str, Any] = {}
    remove: dict[str, tuple[Any, ...]] = {}
    why: Text = Field("", description="Why the pack changes it; shown by catalog diff.")

    @model_validator(mode="after")
    def changes_something(self) -> "Patch":
        """Refuse a patch that changes nothing, or names nothing."""
        if not self.at or not all(self.at):
            raise ValueError(
                _("'at' must name what is changed: an id, or a path such as [procedures, x]")
            )
        if not (self.set or self.drop or self.add or self.remove):
            raise ValueError(_("a patch needs at least one of: set, drop, add, remove"))
        if "id" in {*self.set, *self.drop, *self.add, *self.remove}:
            raise ValueError(
                _(
                    "an id cannot change, because characters refer to it. Use "
                    "renamed_from in a new entity"
                )
            )
        return self

    @property
    def target_name(self) -> str:
        """The path to the changed part as one word."""
        return ".".join(self.at)


class Ruling(PackModel):
    """A decision on a gap or contradiction of the book; entities refer to it by id."""

    id: str
    title: Label
    question: Text
    ruling: Text
    table_rule: Annotated[str, Names("table rule")] = ""


class PackFile(PackModel):
    """A YAML file of a pack, other than ``ruleset.yaml``."""

    entities: tuple[dict[str, Any], ...] = ()
    rulings: tuple[Ruling, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    charts: tuple[Chart, ...] = ()
    patches: tuple[Patch, ...] = ()
