"""The shapes of a pack: what a YAML file may say, and why.

Every model is frozen and forbids unknown keys, so a typing mistake is an
error at its line and never a silent default. Nothing here knows a game:
the words of one are its pack's ids.
"""

from charforge.content.models.clauses import (
    Amount as Amount,
)
from charforge.content.models.clauses import (
    ChoiceRef as ChoiceRef,
)
from charforge.content.models.clauses import (
    ChoiceTest as ChoiceTest,
)
from charforge.content.models.clauses import (
    Counted as Counted,
)
from charforge.content.models.clauses import (
    EntityId as EntityId,
)
from charforge.content.models.clauses import (
    EntityRef as EntityRef,
)
from charforge.content.models.clauses import (
    EntityRefs as EntityRefs,
)
from charforge.content.models.clauses import (
    FieldRef as FieldRef,
)
from charforge.content.models.clauses import (
    Grant as Grant,
)
from charforge.content.models.clauses import (
    Grants as Grants,
)
from charforge.content.models.clauses import (
    GroupRef as GroupRef,
)
from charforge.content.models.clauses import (
    Ids as Ids,
)
from charforge.content.models.clauses import (
    KindRefs as KindRefs,
)
from charforge.content.models.clauses import (
    Modifier as Modifier,
)
from charforge.content.models.clauses import (
    Option as Option,
)
from charforge.content.models.clauses import (
    PackModel as PackModel,
)
from charforge.content.models.clauses import (
    Query as Query,
)
from charforge.content.models.clauses import (
    Requirement as Requirement,
)
from charforge.content.models.clauses import (
    ResourceRef as ResourceRef,
)
from charforge.content.models.clauses import (
    RollRef as RollRef,
)
from charforge.content.models.clauses import (
    RuleRef as RuleRef,
)
from charforge.content.models.clauses import (
    RulingRef as RulingRef,
)
from charforge.content.models.clauses import (
    SectionRef as SectionRef,
)
from charforge.content.models.clauses import (
    Slug as Slug,
)
from charforge.content.models.clauses import (
    TagFilter as TagFilter,
)
from charforge.content.models.clauses import (
    TagRefs as TagRefs,
)
from charforge.content.models.clauses import (
    Target as Target,
)
from charforge.content.models.clauses import (
    Text as Text,
)
from charforge.content.models.clauses import (
    TimingRef as TimingRef,
)
from charforge.content.models.clauses import (
    ValueId as ValueId,
)
from charforge.content.models.clauses import (
    ValueRef as ValueRef,
)
from charforge.content.models.clauses import (
    ValueRefs as ValueRefs,
)
from charforge.content.models.clauses import (
    ValueTest as ValueTest,
)
from charforge.content.models.entities import (
    Action as Action,
)
from charforge.content.models.entities import (
    Attack as Attack,
)
from charforge.content.models.entities import (
    Capacity as Capacity,
)
from charforge.content.models.entities import (
    Crit as Crit,
)
from charforge.content.models.entities import (
    Entity as Entity,
)
from charforge.content.models.entities import (
    Table as Table,
)
from charforge.content.models.questions import (
    Among as Among,
)
from charforge.content.models.questions import (
    AnyAsk as AnyAsk,
)
from charforge.content.models.questions import (
    AnyStep as AnyStep,
)
from charforge.content.models.questions import (
    Ask as Ask,
)
from charforge.content.models.questions import (
    Assign as Assign,
)
from charforge.content.models.questions import (
    Budget as Budget,
)
from charforge.content.models.questions import (
    Choose as Choose,
)
from charforge.content.models.questions import (
    Enter as Enter,
)
from charforge.content.models.questions import (
    Give as Give,
)
from charforge.content.models.questions import (
    Roll as Roll,
)
from charforge.content.models.questions import (
    Scores as Scores,
)
from charforge.content.models.questions import (
    Write as Write,
)
from charforge.content.models.vocabulary import (
    Advancement as Advancement,
)
from charforge.content.models.vocabulary import (
    AttackRoll as AttackRoll,
)
from charforge.content.models.vocabulary import (
    Computed as Computed,
)
from charforge.content.models.vocabulary import (
    Die as Die,
)
from charforge.content.models.vocabulary import (
    Head as Head,
)
from charforge.content.models.vocabulary import (
    Kind as Kind,
)
from charforge.content.models.vocabulary import (
    OwnField as OwnField,
)
from charforge.content.models.vocabulary import (
    Page as Page,
)
from charforge.content.models.vocabulary import (
    RuleOption as RuleOption,
)
from charforge.content.models.vocabulary import (
    Ruling as Ruling,
)
from charforge.content.models.vocabulary import (
    Section as Section,
)
from charforge.content.models.vocabulary import (
    SheetSpec as SheetSpec,
)
from charforge.content.models.vocabulary import (
    TableRule as TableRule,
)
from charforge.content.models.vocabulary import (
    Term as Term,
)
from charforge.content.models.vocabulary import (
    Timing as Timing,
)
from charforge.content.models.vocabulary import (
    Track as Track,
)
from charforge.content.models.vocabulary import (
    TrackStep as TrackStep,
)
from charforge.content.models.vocabulary import (
    UnitType as UnitType,
)
from charforge.content.models.vocabulary import (
    Value as Value,
)
from charforge.content.models.vocabulary import (
    Vital as Vital,
)
