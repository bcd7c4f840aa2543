"""Models of everything that the YAML files of a ruleset or pack can contain.

Every model is frozen and forbids unknown keys, so a typing mistake is an
error at its line and never a silent default. Nothing here knows a game: its
words are ids in its files. The docstrings are printed in the pack reference.
"""

from functools import cache

from pydantic import BaseModel

from charforge.rules.models.base import (
    GROUP as GROUP,
    Amount as Amount,
    ChoiceTest as ChoiceTest,
    Grant as Grant,
    Grants as Grants,
    Modifier as Modifier,
    OnlyWhile as OnlyWhile,
    Option as Option,
    PackModel as PackModel,
    Query as Query,
    Recommended as Recommended,
    Requirement as Requirement,
    TagFilter as TagFilter,
    Target as Target,
    Text as Text,
    ValueTest as ValueTest,
    attack_part as attack_part,
)
from charforge.rules.models.entities import (
    GRANTS as GRANTS,
    Action as Action,
    Attack as Attack,
    AttackNote as AttackNote,
    Capacity as Capacity,
    Crit as Crit,
    Entity as Entity,
    LevelTable as LevelTable,
    OwnFigure as OwnFigure,
    RuledText as RuledText,
    UseLimit as UseLimit,
    digest_of as digest_of,
)
from charforge.rules.models.procedures import (
    AnyProcedureStep as AnyProcedureStep,
    Call as Call,
    ChangeStep as ChangeStep,
    ChooseStep as ChooseStep,
    Count as Count,
    Discount as Discount,
    InitiativeRoll as InitiativeRoll,
    Input as Input,
    Judge as Judge,
    Lasting as Lasting,
    Let as Let,
    Lift as Lift,
    LookUp as LookUp,
    Moment as Moment,
    Output as Output,
    Pass as Pass,
    PlaySpec as PlaySpec,
    Procedure as Procedure,
    ProcedureStep as ProcedureStep,
    Put as Put,
    ReadChart as ReadChart,
    Recover as Recover,
    Refill as Refill,
    Repeat as Repeat,
    Require as Require,
    Reroll as Reroll,
    RollDice as RollDice,
    RollPool as RollPool,
    SayStep as SayStep,
    Steps as Steps,
    TurnOrder as TurnOrder,
    variables as variables,
)
from charforge.rules.models.questions import (
    FACES as FACES,
    Allot as Allot,
    Among as Among,
    AnyQuestion as AnyQuestion,
    Assign as Assign,
    Budget as Budget,
    Choose as Choose,
    Enter as Enter,
    Exclusion as Exclusion,
    Give as Give,
    Question as Question,
    Roll as Roll,
    RollOn as RollOn,
    Scores as Scores,
    UnprintedQuestion as UnprintedQuestion,
    Write as Write,
)
from charforge.rules.models.ruleset import (
    RULESET as RULESET,
    Advancement as Advancement,
    AttackRoll as AttackRoll,
    Computed as Computed,
    GearSpec as GearSpec,
    HandChange as HandChange,
    Kind as Kind,
    Lifting as Lifting,
    Limit as Limit,
    OwnField as OwnField,
    PackFile as PackFile,
    PackHead as PackHead,
    Patch as Patch,
    Remark as Remark,
    RuleOption as RuleOption,
    RulesetHead as RulesetHead,
    Ruling as Ruling,
    Section as Section,
    SharedSpec as SharedSpec,
    SharedValue as SharedValue,
    Situation as Situation,
    TableRule as TableRule,
    UnitType as UnitType,
    WearSpec as WearSpec,
)
from charforge.rules.models.sample import (
    Expected as Expected,
    ExpectedFigures as ExpectedFigures,
    ExpectedOfStep as ExpectedOfStep,
    Sample as Sample,
    SampleBuild as SampleBuild,
    SampleCharacter as SampleCharacter,
    Scene as Scene,
    SceneStep as SceneStep,
)
from charforge.rules.models.sheet import (
    Accent as Accent,
    AdviceSpec as AdviceSpec,
    BodyMark as BodyMark,
    CheckSpec as CheckSpec,
    CombatLine as CombatLine,
    FoeFigure as FoeFigure,
    ListSpec as ListSpec,
    Measure as Measure,
    OddsRange as OddsRange,
    OddsSpec as OddsSpec,
    PlaceSpec as PlaceSpec,
    PrimerLine as PrimerLine,
    SheetSpec as SheetSpec,
    ThemeSpec as ThemeSpec,
    TrackerSpec as TrackerSpec,
    Vital as Vital,
)
from charforge.rules.models.vocabulary import (
    Chart as Chart,
    ChartColumn as ChartColumn,
    ChartRow as ChartRow,
    DiceCounts as DiceCounts,
    Die as Die,
    Draws as Draws,
    Pool as Pool,
    RandomTable as RandomTable,
    RollTarget as RollTarget,
    RollWay as RollWay,
    Symbol as Symbol,
    TableRow as TableRow,
    Term as Term,
    Timing as Timing,
    Track as Track,
    TrackStep as TrackStep,
    Value as Value,
    span_text as span_text,
)


@cache
def pack_models() -> dict[str, type[BaseModel]]:
    """Return every model of a pack's files by its class name."""
    classes = (value for value in globals().values() if isinstance(value, type))
    return {c.__name__: c for c in classes if issubclass(c, BaseModel) and c is not BaseModel}


def pack_model(name: str) -> type[BaseModel]:
    """Return a model by its class name. Raises LookupError for one that is not exported here."""
    if name not in pack_models():
        raise LookupError(
            f"{name} is missing from the exports of charforge/rules/models/__init__.py"
        )
    return pack_models()[name]
