"""Base models: annotations of fields, ids, queries, requirements, modifiers, grants."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeVar, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema

from charforge.errors import shorten
from charforge.expressions.formula import WRITTEN, Formula
from charforge.language import _
from charforge.limits import LARGEST_AMOUNT

NAMED, GROUPED = "x-names", "x-groups"  # marks in a JSON Schema of texts that are names
Sort = TypeVar("Sort")


class Names(NamedTuple):
    """Annotation: the strings of this field are names that must exist.

    The strings are the field itself, the items of its list, the keys of its
    map, or the names that its formula reads. ``what`` is the noun for
    messages; ``among`` is the name of their pool, if that is another word.
    With ``groups`` a name can be ``group:NAME`` instead: all values of a group.
    """

    what: str
    among: str = ""
    groups: bool = False

    @property
    def pool(self) -> str:
        """The pool of the names that exist, in the symbol table."""
        return self.among or self.what

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Add the pool to the JSON Schema, so that editors can suggest the names."""
        marks = {NAMED: self.pool, GROUPED: True} if self.groups else {NAMED: self.pool}
        return {**handler(schema), **marks}


class Figures(NamedTuple):
    """Annotation: the text has figures in braces, or (``single``) is one figure without them."""

    single: bool = False

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Mark the text in the JSON Schema, so that editors can check its figures."""
        return {**handler(schema), WRITTEN: "figure" if self.single else "text"}


class Readable(NamedTuple):
    """Annotation: players read the text, so that it can be translated."""


Annotation = Names | Figures


class ModelField(NamedTuple):
    """A field of a model: its name, its key in YAML, its annotation.

    ``values`` is the annotation of the values of a map; ``readable`` is true
    for a text that players read, and for a list or map of such texts.
    """

    name: str
    key: str
    annotation: Annotation | None
    values: Annotation | None = None
    readable: bool = False


@cache
def annotated_fields(model: type[BaseModel]) -> tuple[ModelField, ...]:
    """Return the fields of a model with their annotations."""
    return tuple(_model_field(name, field) for name, field in model.model_fields.items())


def _model_field(name: str, field: FieldInfo) -> ModelField:
    key = field.alias or name
    types = (*field.metadata, field.annotation)
    readable = _first(types, Readable) is not None
    if get_origin(field.annotation) is dict:
        keys, values = get_args(field.annotation)
        own = _annotation((*field.metadata, keys))
        return ModelField(name, key, own, _annotation((values,)), readable)
    return ModelField(name, key, _annotation(types), None, readable)


def models_at(
    model: type[BaseModel], key_path: Sequence[str | int], data: Any
) -> set[type[BaseModel]]:
    """Return the models that data at a path may be of; ``do`` says which step or question it is.

    Keys of maps and numbers of lists lead to the same models as the map or list. Where the keys
    of another model can stand directly, it is one of them.
    """
    found = _with_direct({model})
    for part in key_path:
        data = data[part]
        fields = [
            field.annotation
            for one in found
            for name, field in one.model_fields.items()
            if part in (name, field.alias)
        ]
        if fields:
            found = _with_direct(part for annotation in fields for part in _models_in(annotation))
    word = data.get("do") if isinstance(data, dict) else None
    decided = {one for one in found if word in _literal(one)}
    return decided or found


def _with_direct(found: Iterable[type[BaseModel]]) -> set[type[BaseModel]]:
    models = set(found)
    direct = (getattr(model, "direct_keys", None) for model in models)
    return models.union(filter(None, direct))


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the models in the annotation of a field."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def _literal(model: type[BaseModel]) -> tuple[Any, ...]:
    field = model.model_fields.get("do")
    return get_args(field.annotation) if field else ()


@cache
def defines_id(model: type[BaseModel]) -> bool:
    """Return whether the ``id`` of a model defines a name, instead of naming something else."""
    return any(field.name == "id" and field.annotation is None for field in annotated_fields(model))


def _annotation(parts: tuple[Any, ...]) -> Annotation | None:
    """Return the first annotation in a type, at any depth."""
    return _first(parts, Names) or _first(parts, Figures)


def _first(parts: tuple[Any, ...], sort: type[Sort]) -> Sort | None:
    """Return the first annotation of a sort in a type, at any depth."""
    for part in parts:
        found = part if isinstance(part, sort) else _first(get_args(part), sort)
        if found is not None:
            return found
    return None


LanguageCode = Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}$")]
EntityId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]+/[a-z0-9]+(-[a-z0-9]+)*$")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+([-_.][a-z0-9]+)*$")]
ValueId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
BEARER = "bearer."  # before a value of the unit that a query or an attack belongs to
GROUP = "group:"  # before the id of a group of values
Target = Annotated[
    str, StringConstraints(pattern=r"^(\$|group:|[a-z][a-z0-9_]*_\$)?[a-z][a-z0-9_-]*$")
]


def _without_tags(text: str) -> str:
    """Refuse HTML, which would be printed as it stands."""
    tag = TAG.search(text)
    if tag is not None:
        raise ValueError(
            _("text can only use **bold** and *italic*, not {tag}").format(tag=shorten(tag[0]))
        )
    return text


TAG = re.compile(r"<[/!?]?[A-Za-z][^\s>]{0,30}>?")
Text = Annotated[
    str,
    StringConstraints(strip_whitespace=True, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$"),
    AfterValidator(_without_tags),
    Figures(),
    Readable(),
]


def _without_figures(text: str) -> str:
    """Refuse a figure such as ``{known}``, which would be printed with its braces."""
    if FIGURE_IN_BRACES.search(text):
        raise ValueError(
            _("this is printed as it stands: a figure in braces can stand in a text ('say')")
        )
    return text


FIGURE_IN_BRACES = re.compile(r"(?<!\{)\{ *\$?[A-Za-z][\w .+*/()-]*\}(?!\})")
# A name or a heading: no figures, no markup. It is printed as it stands.
Label = Annotated[str, AfterValidator(_without_figures), Readable()]


def as_tuple(raw: object) -> object:
    """Allow a single text where a list of texts may stand."""
    return (raw,) if isinstance(raw, str) else raw


MAX_BOXES = 1_000  # of what sheets draw a box for


def _not_negative(amount: Any) -> Any:
    """Refuse a number below 0; what a formula gives is only known in play."""
    number = amount.constant if isinstance(amount, Formula) else amount
    if number is not None and number < 0:
        raise ValueError(_("it must be at least 0"))
    return amount


Price = Annotated[int, Field(ge=0, le=LARGEST_AMOUNT)]
Cost = Annotated[
    int | Formula,
    Field(union_mode="left_to_right"),
    AfterValidator(_not_negative),
    WithJsonSchema({"type": ["integer", "string"], "minimum": 0, WRITTEN: "formula"}),
]

Ids = Annotated[
    tuple[str, ...], BeforeValidator(as_tuple, json_schema_input_type=str | tuple[str, ...])
]

# Names of things that the ruleset or pack defines elsewhere.
EntityRef = Annotated[EntityId, Names("entity")]
EntityRefs = Annotated[Ids, Names("entity")]
ValueRef = Annotated[ValueId, Names("value")]
ValueRefs = Annotated[Ids, Names("value")]
ValuesOrGroups = Annotated[Ids, Names("value", groups=True)]
KindRefs = Annotated[Ids, Names("kind")]
TagRefs = Annotated[Ids, Names("tag")]
RuleRef = Annotated[str, Names("entity")]  # empty where nothing is named
SectionRef = Annotated[str, Names("section")]
GroupRef = Annotated[str, Names("group")]
GroupRefs = Annotated[Ids, Names("group")]
RulingRef = Annotated[str, Names("ruling")]
RollRef = Annotated[str, Names("roll")]
FieldRef = Annotated[str, Names("field")]
TextFieldRef = Annotated[str, Names("field", among="text field")]
TimingRef = Annotated[Slug, Names("timing")]
ResourceRef = Annotated[str, Names("resource")]
UnitTypes = Annotated[tuple[str, ...], Names("unit type")]
ChoiceRef = Annotated[str, Names("choice of this entity")]
Amount = Annotated[str, Figures(single=True)]
DiceText = Annotated[str, WithJsonSchema({"type": "string", WRITTEN: "dice"})]


def _version(raw: object) -> object:
    """Refuse a number, as the version 1.10 would be the number 1.1, and words without one."""
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        raise ValueError(
            _("put the version in quotes; otherwise YAML reads a number, and 1.10 becomes 1.1")
        )
    if raw is None or raw == "":
        raise ValueError(_("a version must be text such as 1.0.0"))
    if isinstance(raw, str) and not raw[:1].isdecimal():
        raise ValueError(
            _("{raw} is not a version: write numbers with dots, such as 1.0.0").format(
                raw=shorten(raw)
            )
        )
    return raw


Version = Annotated[str, BeforeValidator(_version)]


class PackModel(BaseModel):
    """The base of everything a pack may contain."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)


Word = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")
]
Words = Annotated[
    tuple[Word, ...], BeforeValidator(as_tuple, json_schema_input_type=Word | tuple[Word, ...])
]


def leaves(part: Any, key: str = "") -> Iterator[tuple[str | Formula, str]]:
    """Yield the texts and formulas in a model, however nested, each with the key it stands at."""
    if isinstance(part, str | Formula):
        yield part, key
    elif isinstance(part, BaseModel):
        for name in type(part).model_fields:
            yield from leaves(getattr(part, name), name)
    elif isinstance(part, Mapping):
        for item in (*part.keys(), *part.values()):
            yield from leaves(item, key)
    elif isinstance(part, tuple | list | frozenset):
        for item in part:
            yield from leaves(item, key)


class Credited(PackModel):
    """Who wrote a pack, and what its licence allows."""

    authors: Words = ()
    licence: Word = ""

    @property
    def credit(self) -> str:
        """The authors and the licence in words; empty if the pack names neither."""
        authors = ", ".join(self.authors)
        by = _("by {authors}").format(authors=authors) if authors else ""
        return ", ".join(filter(None, (by, self.licence)))


class TagFilter(PackModel):
    """The tags that an entity must have: all of them, any of them, or none of them."""

    all: TagRefs = ()
    any: TagRefs = ()
    none: TagRefs = ()


class Query(PackModel):
    """A selection of entities, for options, Training and requirements.

    ``where`` is a formula that reads the entity's numbers: ``slots``,
    ``price`` and the numeric fields of its kind. A missing number is 0.
    ``bearer.VALUE`` and ``bearer.level`` are those of the unit that chooses
    or must meet the requirement.
    """

    kind: KindRefs = ()
    ids: EntityRefs = ()
    tags: TagFilter = TagFilter.model_construct()
    where: Annotated[Formula | None, Names("value", among="field or bearer")] = None

    @property
    def asks_bearer(self) -> bool:
        """Whether it depends on who chooses or must meet the requirement."""
        where = self.where
        return where is not None and (
            where.asks_facts or any(name.startswith(BEARER) for name in where.names)
        )


class ValueTest(PackModel):
    """A bound on a value, compared with its lasting (base) number.

    ``shared.ID`` is a value of what the group owns.
    """

    id: Annotated[
        str,
        StringConstraints(pattern=r"^(shared\.)?[a-z][a-z0-9_]*$"),
        Names("value", among="value or shared"),
    ]
    at_least: int | None = None
    at_most: int | None = None


class ChoiceTest(PackModel):
    """Whether a decision was answered in a certain way."""

    id: str
    equals: str


class Requirement(PackModel):
    """A tree of requirements; each node has exactly one key.

    Leaves: ``has`` (an entity, or any entity of a query), ``wears`` (the
    same, worn), ``value``, ``trained`` (``self`` or a query), ``choice``,
    ``bearer`` (a query for the unit that gains it). When a leaf
    is not met, the player reads it in words.
    """

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    all: "tuple[Requirement, ...] | None" = None
    any: "tuple[Requirement, ...] | None" = None
    not_: "Requirement | None" = Field(None, alias="not")
    has: EntityRef | Query | None = None
    wears: EntityRef | Query | None = None
    value: ValueTest | None = None
    trained: Literal["self"] | Query | None = None
    choice: ChoiceTest | None = None
    bearer: Query | None = None

    @model_validator(mode="before")
    @classmethod
    def has_keys(cls, data: Any) -> Any:
        """Refuse a bare id or a list, and say the right form."""
        if isinstance(data, str) and data:
            raise ValueError(
                _("a requirement has a key; to require an entity, write {{has: {id}}}").format(
                    id=data if "/" in data else "kind/name"
                )
            )
        if isinstance(data, list):
            raise ValueError(
                _("a requirement has a key; for several, write {all: [{has: …}, {has: …}]}")
            )
        return data

    @model_validator(mode="after")
    def one_key(self) -> Self:
        """Refuse a node without a key, or with several."""
        if len(self.model_fields_set) != 1:
            raise ValueError(
                _(
                    "a requirement needs exactly one of: all, any, not, has, wears, "
                    "value, trained, choice, bearer"
                )
            )
        return self


Operation = Literal["set", "add", "multiply", "at_least", "at_most"]


class OnlyWhile(PackModel):
    """A condition for using something. Saved events are not refused."""

    when: Formula
    say: Text


class Modifier(PackModel):
    """One line of a pack that changes one value, each value of a group, or attacks.

    ``$choice`` stands for the value that a choice of the bearer took, and
    ``ward_$choice`` for the value ``ward_fire`` if it took ``fire``. Of a choice
    with ``count`` each value that it took is changed.

    ``lasting`` modifiers make the base number; ``current`` ones read the
    state of play and only change the total.

    With ``of`` each thing of the bearer that the query selects changes the value, as if the line
    stood there. ``attacks`` instead of a value adds to the roll or the damage of the attacks of
    these things; without ``of``, of all attacks. Their damage can also gain ``dice``.

    ``field`` instead adds to a number of the item that a condition is about, such as its gear
    dice: on sheets, in formulas and in rules that read the item.

    ``source`` is the rule that explains it, where that is not the bearer's own.
    """

    value: Annotated[Target, Names("value", groups=True)] = ""
    attacks: Literal["roll", "damage"] | None = None
    field: Annotated[str, Names("field", among="number field")] | None = None
    of: Query | None = None
    op: Operation = "add"
    amount: Formula = Formula(0)
    dice: DiceText = ""
    when: Formula | None = None
    layer: Literal["lasting", "current"] = "lasting"
    source: RuleRef = ""

    @model_validator(mode="after")
    def one_target(self) -> Self:
        """Refuse a line without a target, with two, or an attack that is not simply added to."""
        if [bool(self.value), self.attacks is not None, self.field is not None].count(True) != 1:
            raise ValueError(_("a change needs either 'value', 'attacks' or 'field'"))
        if self.attacks is not None and (self.op != "add" or self.layer != "lasting"):
            raise ValueError(_("attacks can only be added to: leave out 'op' and 'layer'"))
        if self.dice and self.attacks != "damage":
            raise ValueError(_("'dice' are only for the damage of attacks"))
        if self.field is not None:
            if {"op", "layer", "of", "when"} & self.model_fields_set:
                raise ValueError(
                    _("a field can only be added to: leave out 'op', 'layer', 'of' and 'when'")
                )
            if self.amount.constant is None:
                raise ValueError(_("what is added to a field must be a number"))
        if not self.dice and "amount" not in self.model_fields_set:
            raise ValueError(_("a change needs an 'amount'"))
        return self

    @property
    def target(self) -> str:
        """The value that it changes, or the part of attacks; neither is there for a field."""
        return self.value or attack_part(self.attacks or "")


def attack_part(part: str) -> str:
    """Return the name under which the changes of a part of attacks are collected."""
    return f"attacks.{part}"


class Grant(PackModel):
    """An entity that comes with another one, from ``level`` on.

    ``with`` answers the granted entity's own choices in advance.
    """

    id: EntityRef
    quantity: int = Field(1, ge=1, le=10_000)
    level: int = Field(1, ge=1)
    when: Formula | None = None
    with_: dict[str, str | int] = Field({}, alias="with")


def _as_grant(raw: object) -> object:
    return {"id": raw} if isinstance(raw, str) else raw


Grants = tuple[
    Annotated[Grant, BeforeValidator(_as_grant, json_schema_input_type=EntityRef | Grant)], ...
]


Suits = dict[EntityRef, Text]


class Recommended(PackModel):
    """A recommendation to everyone for whom a formula holds, with the reason."""

    when: Formula
    text: Text


class Option(PackModel):
    """A possible answer that is not an entity, with its effects."""

    id: Slug
    label: Label
    text: Text = ""
    modifies: tuple[Modifier, ...] = ()
    grants: Grants = ()
    requires: Requirement | None = None
    price: Price | None = None
