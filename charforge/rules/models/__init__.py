"""The shapes of a pack: what a YAML file may say, and why.

Every model is frozen and forbids unknown keys, so a typing mistake is an
error at its line and never a silent default. Nothing here knows a game:
the words of one are its pack's ids.
"""

from charforge.rules.models.base import (
    Amount as Amount,
    ChoiceRef as ChoiceRef,
    ChoiceTest as ChoiceTest,
    Counted as Counted,
    EntityId as EntityId,
    EntityRef as EntityRef,
    EntityRefs as EntityRefs,
    FieldRef as FieldRef,
    Grant as Grant,
    Grants as Grants,
    GroupRef as GroupRef,
    Ids as Ids,
    KindRefs as KindRefs,
    Modifier as Modifier,
    Option as Option,
    PackModel as PackModel,
    Query as Query,
    Requirement as Requirement,
    ResourceRef as ResourceRef,
    RollRef as RollRef,
    RuleRef as RuleRef,
    RulingRef as RulingRef,
    SectionRef as SectionRef,
    Slug as Slug,
    TagFilter as TagFilter,
    TagRefs as TagRefs,
    Target as Target,
    Text as Text,
    TimingRef as TimingRef,
    ValueId as ValueId,
    ValueRef as ValueRef,
    ValueRefs as ValueRefs,
    ValueTest as ValueTest,
)
from charforge.rules.models.charts import Chart as Chart, Column as Column, Row as Row
from charforge.rules.models.decisions import (
    Allot as Allot,
    Among as Among,
    AnyAsk as AnyAsk,
    AnyStep as AnyStep,
    Ask as Ask,
    Assign as Assign,
    Budget as Budget,
    Choose as Choose,
    Enter as Enter,
    Give as Give,
    MayBeOpen as MayBeOpen,
    Roll as Roll,
    Scores as Scores,
    Write as Write,
)
from charforge.rules.models.dice import (
    DiceCounts as DiceCounts,
    Die as Die,
    Pool as Pool,
    Symbol as Symbol,
    SymbolDieRef as SymbolDieRef,
    SymbolRef as SymbolRef,
)
from charforge.rules.models.entities import (
    Action as Action,
    Attack as Attack,
    Capacity as Capacity,
    Crit as Crit,
    Entity as Entity,
    OwnFigure as OwnFigure,
    RuledText as RuledText,
    Table as Table,
)
from charforge.rules.models.inputs import Input as Input
from charforge.rules.models.odds import OddsSpec as OddsSpec, Span as Span
from charforge.rules.models.pack import RULESET as RULESET, PackHead as PackHead, Patch as Patch
from charforge.rules.models.panels import ListSpec as ListSpec, TrackerSpec as TrackerSpec
from charforge.rules.models.play import (
    GearSpec as GearSpec,
    Lasting as Lasting,
    Lifting as Lifting,
    Moment as Moment,
    PlaySpec as PlaySpec,
    TurnOrder as TurnOrder,
)
from charforge.rules.models.procedures import (
    Output as Output,
    Procedure as Procedure,
    variables as variables,
)
from charforge.rules.models.ruleset import (
    Advancement as Advancement,
    AttackRoll as AttackRoll,
    Computed as Computed,
    Head as Head,
    Kind as Kind,
    OwnField as OwnField,
    Page as Page,
    RuleOption as RuleOption,
    Ruling as Ruling,
    Section as Section,
    SheetSpec as SheetSpec,
    TableRule as TableRule,
    Term as Term,
    Timing as Timing,
    UnitType as UnitType,
    Value as Value,
    Vital as Vital,
)
from charforge.rules.models.sample import Expected as Expected, Sample as Sample
from charforge.rules.models.steps import (
    AnyProcedureStep as AnyProcedureStep,
    Call as Call,
    Change as Change,
    Decide as Decide,
    Let as Let,
    Lift as Lift,
    LookUp as LookUp,
    Pass as Pass,
    Put as Put,
    ReadChart as ReadChart,
    Recover as Recover,
    Refill as Refill,
    Repeat as Repeat,
    Require as Require,
    Reroll as Reroll,
    RollDice as RollDice,
    RollPool as RollPool,
    Step as Step,
    Steps as Steps,
    Tell as Tell,
)
from charforge.rules.models.tracks import Track as Track, TrackStep as TrackStep
