"""Samples: facts of a ruleset that can be tested, written so that players can read them.

A sample file may hold facts of the catalog (``entities``, ``kinds``), one
character or several with their expected results, and scenes of play with
fixed dice.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from charforge.language import _
from charforge.rules.models.base import EntityRef, EntityRefs, Names, PackModel, as_tuple
from charforge.rules.models.procedures import MomentRef, ProcedureRef

# A text that may look like a number.
SampleText = Annotated[
    str, Field(coerce_numbers_to_str=True), WithJsonSchema({"type": ["string", "number"]})
]
FigureRef = Annotated[str, Names("value", among="value or level")]
SharedRef = Annotated[str, Names("value", among="value of the group")]
RuleName = Annotated[str, Names("table rule")]
KindName = Annotated[str, Names("kind")]


def _as_rolls(raw: object) -> object:
    """Read ``[3, 4]`` as one roll of two dice."""
    return [raw] if isinstance(raw, list) and raw and isinstance(raw[0], int) else raw


SampleTexts = Annotated[
    tuple[str, ...], BeforeValidator(as_tuple, json_schema_input_type=str | tuple[str, ...])
]
MomentRefs = Annotated[
    tuple[MomentRef, ...],
    BeforeValidator(as_tuple, json_schema_input_type=MomentRef | tuple[MomentRef, ...]),
]
SampleFaces = tuple[int, ...]
SampleRolls = Annotated[
    tuple[SampleFaces, ...],
    BeforeValidator(_as_rolls, json_schema_input_type=SampleFaces | tuple[SampleFaces, ...]),
]


def _as_problems(raw: object) -> object:
    """Read ``money`` and ``[money, role]`` as decisions with any reason, a code as a list of it."""
    if isinstance(raw, str):
        raw = [raw]
    if isinstance(raw, list) and all(isinstance(name, str) for name in raw):
        return dict.fromkeys(raw, ())
    return raw


ReasonCode = Literal[
    "requires", "limit", "cost", "taken", "dead_end", "unlisted", "count", "value", "form"
]
ReasonCodes = Annotated[
    tuple[ReasonCode, ...],
    BeforeValidator(as_tuple, json_schema_input_type=ReasonCode | tuple[ReasonCode, ...]),
]
Problems = Annotated[
    dict[str, ReasonCodes],
    BeforeValidator(
        _as_problems, json_schema_input_type=str | tuple[str, ...] | dict[str, ReasonCodes]
    ),
]


class ExpectedFigures(PackModel):
    """Values and holdings; anything not listed is not compared.

    A unit is named by its entity (``vehicle/bike``), or by its id if there
    are several; conditions can be listed among its values:
    ``{companion/land-beast: {hp: 0, status/prone: 1}}``.
    """

    values: dict[FigureRef, int] = {}
    lasting: dict[FigureRef, int] = {}
    units: dict[str, dict[str, int]] = {}
    holdings: EntityRefs = ()
    not_held: EntityRefs = ()
    numbers: dict[EntityRef, int] = {}
    conditions: dict[EntityRef, int] = {}

    @model_validator(mode="after")
    def expects_something(self) -> Self:
        """Refuse an expectation that every result would meet."""
        if not self.model_fields_set:
            raise ValueError(_("expect at least one thing"))
        return self


class Expected(ExpectedFigures):
    """The expected results for a character; anything not listed is not compared.

    ``problems`` and ``open`` must be complete: any other problem or open
    decision is a difference. A problem is named by its decision, with the codes
    of its reasons or without.
    """

    legal: bool | None = None
    problems: Problems | None = None
    open: tuple[str, ...] | None = None
    asked: tuple[str, ...] = ()
    not_asked: tuple[str, ...] = ()
    working: dict[FigureRef, SampleTexts] = {}
    levels: dict[int, ExpectedFigures] = {}
    sheet: SampleTexts = ()
    not_on_sheet: SampleTexts = ()


class ExpectedOfStep(ExpectedFigures):
    """The expected results of a step; anything not listed is not compared."""

    outputs: dict[str, int | str] = {}
    messages: SampleTexts = ()
    all_messages: SampleTexts | None = None
    no_messages: SampleTexts = ()
    about: dict[EntityRef, SampleTexts] = {}
    left: dict[str, dict[str, int]] = {}
    cooling: tuple[str, ...] | None = None
    refused: SampleTexts | None = None
    chances: dict[str, dict[SampleText, SampleText]] = {}
    chances_given: dict[str, dict[SampleText, SampleText]] = {}


class SampleBuild(PackModel):
    """How to create the character of a sample.

    ``answers`` are answers by decision, as in an answers file; with
    ``random`` the missing ones are chosen at random, always the same for the
    same ``seed``. ``like`` starts from another sample in the folder; a
    character or scene inside a file starts from the file's own answers.
    ``shared`` are values of what its group owns; those left out are 0.
    """

    like: str = ""
    name: SampleText = "Sample"
    level: int = Field(1, ge=1)
    seed: SampleText = "1"
    random: bool = False
    lowest: bool = False
    table_rules: dict[str, str] = {}
    answers: dict[str, Any] = {}
    shared: dict[SharedRef, int] = {}


class SampleCharacter(SampleBuild):
    """One of several characters of a sample file, with its expected results."""

    text: str = ""
    expect: Expected


class SceneStep(PackModel):
    """A step of a scene: its preparation, at most one action, and the expected results.

    The action is to ``run`` a procedure, ``use`` an ability, or calculate
    the ``odds`` of a procedure. It must use all ``dice`` and all of
    ``choose``. ``gain`` keeps to the limits of the ruleset. With ``override`` the GM
    allows more, with ``granted`` another ability does, as ``--override`` and ``--granted`` do.
    """

    text: str = ""
    unit: str = ""
    rule: dict[RuleName, str] = {}
    change: dict[FigureRef, int] = {}
    score: dict[FigureRef, int] = {}
    gain: EntityRefs = ()
    hold: SampleTexts | None = None
    wear: SampleTexts = ()
    put: dict[EntityRef, int] = {}
    about: str = ""
    turns: int | None = None
    lift: EntityRefs = ()
    spend: dict[str, dict[str, int]] = {}
    cool: dict[str, str] = {}
    passes: MomentRefs = ()
    run: ProcedureRef | None = None
    use: str = ""
    ability: str = ""
    odds: ProcedureRef | None = None
    set: dict[str, int | SampleText] = {}
    dice: dict[str, SampleRolls] = {}
    choose: dict[str, int] = {}
    figures: dict[FigureRef, int] | None = None
    override: bool = False
    granted: bool = False
    expect: ExpectedOfStep | None = None

    @model_validator(mode="after")
    def does_one_thing(self) -> Self:
        """Refuse a step that does several things."""
        if sum(map(bool, (self.run, self.use, self.odds))) > 1:
            raise ValueError(_("a step can have only one of run, use and odds"))
        return self


class Scene(SampleBuild):
    """A scene of play with one character, step by step."""

    text: str
    steps: tuple[SceneStep, ...]

    @model_validator(mode="after")
    def expects_something(self) -> Self:
        """Refuse a scene that nothing is expected of."""
        if not any(step.expect or step.dice for step in self.steps):
            raise ValueError(_("expect something of at least one step"))
        return self


class Sample(SampleBuild):
    """A file in ``tests/``: expected facts of the catalog, characters and scenes.

    The file's own ``answers``, ``level`` and so on apply to each of its
    ``characters`` and ``scenes``, which can add to them; the answer ``null``
    removes one.
    """

    text: str = ""
    kinds: dict[KindName, int | tuple[str, ...]] = {}
    entities: dict[EntityRef, dict[str, Any]] = {}
    expect: Expected | None = None
    characters: tuple[SampleCharacter, ...] = ()
    scenes: tuple[Scene, ...] = ()

    @model_validator(mode="after")
    def tests_something(self) -> Self:
        """Refuse a file that nothing is expected of."""
        if not (self.expect or self.kinds or self.entities or self.characters or self.scenes):
            raise ValueError(
                _("name what is tested: expect, kinds, entities, characters or scenes")
            )
        return self
