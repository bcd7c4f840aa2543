"""The view: everything that a sheet shows, computed, with no rules left to apply.

The printed sheet, the page on a screen, the terminal and the exports all read it. Every field is
a text or a number; a template only arranges them. An empty text or tuple means that there is
nothing to show. The JSON export is made from these classes and uses their docstrings as the
descriptions in its schema; fields below a comment are only for the look of a page.

They are named tuples, because Python creates such a class four times as fast as a frozen
dataclass, and every sheet needs all of them. ``sheet`` has the whole sheet, the other modules its
parts.
"""

from charforge.sheet.view.parts import (
    Attribute as Attribute,
    BodyMark as BodyMark,
    Card as Card,
    CardGroup as CardGroup,
    Cell as Cell,
    Check as Check,
    Chip as Chip,
    Entry as Entry,
    Fact as Fact,
    Item as Item,
    ListRow as ListRow,
    LuckRow as LuckRow,
    LuckTable as LuckTable,
    OddsRow as OddsRow,
    OddsTable as OddsTable,
    RowTick as RowTick,
    RulesText as RulesText,
    SaveCode as SaveCode,
    SharedRule as SharedRule,
    SheetAction as SheetAction,
    SheetCapacity as SheetCapacity,
    SheetChart as SheetChart,
    SheetChartRow as SheetChartRow,
    SheetDie as SheetDie,
    SheetPool as SheetPool,
    SheetPoolDie as SheetPoolDie,
    SheetSymbol as SheetSymbol,
    SheetTrackStep as SheetTrackStep,
    SheetVital as SheetVital,
    Tracker as Tracker,
    TrackerGroup as TrackerGroup,
    UsualFact as UsualFact,
    ViewList as ViewList,
    counted_name as counted_name,
    facts_beside as facts_beside,
    grouped_cards as grouped_cards,
    items_by_label as items_by_label,
    numbered as numbered,
    shared_rules as shared_rules,
    tracker_groups as tracker_groups,
    tracker_key as tracker_key,
    usual_facts as usual_facts,
    without_shared as without_shared,
)
from charforge.sheet.view.sheet import (
    SHARED_FIELDS as SHARED_FIELDS,
    ActiveCondition as ActiveCondition,
    AttackMode as AttackMode,
    AttackRules as AttackRules,
    AttackSteps as AttackSteps,
    Credit as Credit,
    Headline as Headline,
    Note as Note,
    PlateLine as PlateLine,
    PrimerText as PrimerText,
    SharedPanel as SharedPanel,
    SheetView as SheetView,
    StoryAnswer as StoryAnswer,
    StoryPart as StoryPart,
    Theme as Theme,
    UnitPanel as UnitPanel,
    Weapon as Weapon,
    equal_weapons as equal_weapons,
    shared_modes as shared_modes,
    shown_conditions as shown_conditions,
)
