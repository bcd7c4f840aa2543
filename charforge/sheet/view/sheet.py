"""The whole sheet, with the panels of companions and vehicles, the story and notes; its version.

Fields may be added at any time. Where one is removed or renamed, the version goes up by one, and
the field is listed here with what to use instead, so that the error of an older template says it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from charforge.character.state import CHARACTER
from charforge.expressions.template import Prose
from charforge.language import _
from charforge.sheet.view.parts import (
    Attribute,
    Card,
    Entry,
    Fact,
    Item,
    LuckTable,
    OddsTable,
    SaveCode,
    SharedRule,
    SheetChart,
    SheetDie,
    SheetPool,
    SheetVital,
    Tracker,
    TrackerGroup,
    UsualFact,
    ViewList,
    counted_name,
    facts_beside,
    items_by_label,
    shared_rules,
    tracker_groups,
    tracker_key,
    usual_facts,
    without_shared,
)
from charforge.sheet.view.weapons import AttackRules, Weapon


class Removed(NamedTuple):
    """A field that the view had before a version, and what to write instead of it."""

    version: int
    instead: str


REMOVED: Mapping[tuple[str, str], Removed] = {}  # by class and field


class Headline(NamedTuple):
    """An entity that describes the character, such as its role."""

    kind: str
    name: str
    # Its first fact.
    summary: str
    facts: tuple[Fact, ...]
    text: Prose


class ActiveCondition(NamedTuple):
    """A present condition of a unit, in words; ``id`` is that of its entity.

    ``text`` is its name with its amount, whom it concerns and the turns left. ``about`` is whom it
    concerns (the grappler), ``ends`` the moments that end it, ``effect`` what it does in one or
    two lines. An ``internal`` one only helps the rules to count; players need not see it.
    """

    id: str
    text: str
    about: str = ""
    ends: str = ""
    effect: Prose = ()
    internal: bool = False
    # The key of its tracker on a page to play from.
    tracker_key: str = ""


def shown_conditions(conditions: Iterable[ActiveCondition]) -> tuple[ActiveCondition, ...]:
    """Return the conditions that players see: not those that only help the rules to count."""
    return tuple(condition for condition in conditions if not condition.internal)


def _condition_facts(conditions: tuple[ActiveCondition, ...]) -> tuple[Fact, ...]:
    """Return the present conditions of a unit as one figure, or nothing."""
    text = ", ".join(condition.text for condition in shown_conditions(conditions))
    return (Fact(_("Conditions"), text),) if text else ()


class UnitPanel(NamedTuple):
    """The part of the sheet for a companion or vehicle.

    ``empty_slots`` is the number of slots that nothing fills yet, ``combat`` what it needs in
    every round of a fight, ``stamp`` the condition that ended play for it.
    """

    id: str
    name: str
    # What it is, with its entity if it has a name of its own.
    kind: str
    level: int
    facts: tuple[Fact, ...] = ()
    text: Prose = ()
    attributes: tuple[Attribute, ...] = ()
    vitals: tuple[SheetVital, ...] = ()
    figures: tuple[Fact, ...] = ()
    cards: tuple[Card, ...] = ()
    empty_slots: int = 0
    pools: tuple[SheetPool, ...] = ()
    trackers: tuple[Tracker, ...] = ()
    active_conditions: tuple[ActiveCondition, ...] = ()
    combat: tuple[Fact, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    stamp: str = ""

    @property
    def figures_beside_combat(self) -> tuple[Fact, ...]:
        """The figures that the combat strip does not show."""
        return facts_beside(self.figures, self.combat)

    @property
    def figures_with_conditions(self) -> tuple[Fact, ...]:
        """These figures after its present conditions, and then the number of empty slots."""
        slots = (Fact(_("Still empty"), str(self.empty_slots)),) if self.empty_slots else ()
        return (*_condition_facts(self.active_conditions), *self.figures_beside_combat, *slots)

    @property
    def conditions_without_box(self) -> tuple[ActiveCondition, ...]:
        """The present conditions of the unit that players see; none has a box of its own."""
        return shown_conditions(self.active_conditions)

    @property
    def facts_beside_combat(self) -> tuple[Fact, ...]:
        """The facts that the combat strip does not show."""
        return facts_beside(self.facts, (*self.combat, *self.figures))

    @property
    def tracker_groups(self) -> tuple[TrackerGroup, ...]:
        """Its trackers and pools, to print side by side."""
        return tracker_groups(self.trackers, self.pools)

    @property
    def is_small(self) -> bool:
        """Whether it has attacks and little else, so that both go side by side."""
        armed = {weapon.name for weapon in self.weapons}
        more = self.empty_slots or self.trackers or self.pools or len(self.attributes) > 4
        return not more and bool(armed) and all(card.name in armed for card in self.cards)


class SharedPanel(NamedTuple):
    """The crew or ship of a group: its kind, its name, and its figures."""

    kind: str
    name: str
    facts: tuple[Fact, ...] = ()

    @property
    def title(self) -> str:
        """Its kind and name: ``Crew: The Eels``."""
        return _("{kind}: {name}").format(kind=self.kind, name=self.name)


class StoryAnswer(NamedTuple):
    """One answer of the story: an entity's name and text, or the player's own words."""

    name: str
    text: Prose


class StoryPart(NamedTuple):
    """One question of the story. ``form``: ``one`` of a list, ``many``, or a ``text``."""

    id: str
    section: str
    label: str
    form: str
    answers: tuple[StoryAnswer, ...]


class Theme(NamedTuple):
    """The theme of a sheet: its accent on paper and on dark grounds, and its decoration.

    ``mark`` is the shape before the headline; ``header`` and ``ornament`` are words of
    ``ThemeSpec``.
    """

    colour: str = "#444444"
    on_dark: str = "#c6c6c6"
    mark: str = "diamond"
    header: str = "plate"
    ornament: str = "none"


class PrimerText(NamedTuple):
    """An answer to what a beginner asks in the first round."""

    label: str
    text: Prose


class PlateLine(NamedTuple):
    """A line at the head of the sheet, such as Player, with what is written in it."""

    label: str
    text: str = ""


class Note(NamedTuple):
    """A note of the player, with its date and author if they were recorded."""

    text: Prose
    at: str = ""
    by: str = ""

    @property
    def signature(self) -> str:
        """The date and author: ``2026-01-02, Mo``."""
        return ", ".join(filter(None, (self.at, self.by)))


class Credit(NamedTuple):
    """A game or pack that the sheet uses; ``book`` is the rulebook of a game."""

    name: str
    version: str
    book: str
    authors: tuple[str, ...]
    licence: str

    @property
    def line(self) -> str:
        """Its name and version, its authors and its licence, in one line."""
        has_book = self.book not in ("", self.name)
        after = _("after {book}").format(book=self.book) if has_book else ""
        authors = ", ".join(self.authors)
        by = _("pack by {authors}").format(authors=authors) if authors else ""
        return ", ".join(filter(None, (f"{self.name} {self.version}", after, by, self.licence)))


class SheetView(NamedTuple):
    """A whole sheet.

    ``packs`` are the packs added to the ruleset, ``credits`` are their authors and licences,
    ``levels`` is the highest level (1 in a game without levels), ``allowed`` are the broken rules
    that somebody allowed, ``empty_slots`` is the number of slots that nothing fills yet, ``dice``
    are the dice with symbols, ``combat`` is what the character needs in every round of a fight,
    ``stamp`` is the condition that ended play for it, such as Dead, ``notes`` are the player's
    notes.
    """

    name: str
    ruleset: str
    packs: tuple[str, ...] = ()
    credits: tuple[Credit, ...] = ()
    level_label: str = ""
    level: int = 0
    levels: int = 1
    headline: tuple[Headline, ...] = ()
    theme: Theme = Theme()
    attributes_label: str = ""
    attributes: tuple[Attribute, ...] = ()
    vitals: tuple[SheetVital, ...] = ()
    figures: tuple[Fact, ...] = ()
    stores: tuple[Fact, ...] = ()
    attack_rules: AttackRules | None = None
    cards_label: str = ""
    cards: tuple[Card, ...] = ()
    items_label: str = ""
    items: tuple[Item, ...] = ()
    units: tuple[UnitPanel, ...] = ()
    training_label: str = ""
    training: tuple[Entry, ...] = ()
    story: tuple[StoryPart, ...] = ()
    # The conditions with boxes to tick.
    conditions: tuple[Entry, ...] = ()
    actions_label: str = ""
    actions: tuple[Entry, ...] = ()
    reference: tuple[Entry, ...] = ()
    table_rules: tuple[Fact, ...] = ()
    # Why the rules do not allow the character.
    problems: tuple[str, ...] = ()
    allowed: tuple[Fact, ...] = ()
    empty_slots: int = 0
    pools: tuple[SheetPool, ...] = ()
    dice: tuple[SheetDie, ...] = ()
    charts: tuple[SheetChart, ...] = ()
    # Trackers and lists repeat figures and holdings for a printed sheet.
    trackers: tuple[Tracker, ...] = ()
    lists: tuple[ViewList, ...] = ()
    # What a beginner asks in the first round.
    primer: tuple[PrimerText, ...] = ()
    # Lines to write on, at the head of the sheet.
    plate: tuple[PlateLine, ...] = ()
    odds: tuple[OddsTable, ...] = ()
    luck: LuckTable | None = None
    # The character file as QR codes.
    save_codes: tuple[SaveCode, ...] = ()
    # Whether the ruleset has equipment of kinds that no list shows.
    has_equipment: bool = True
    active_conditions: tuple[ActiveCondition, ...] = ()
    combat: tuple[Fact, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    stamp: str = ""
    notes: tuple[Note, ...] = ()
    # What other versions of its packs change about the character.
    pack_changes: tuple[str, ...] = ()
    # What its group owns; printed sheets have it among the lists, too.
    shared: SharedPanel | None = None

    @property
    def tracker_groups(self) -> tuple[TrackerGroup, ...]:
        """Trackers and pools, to print side by side."""
        return tracker_groups(self.trackers, self.pools)

    @property
    def has_trackers(self) -> bool:
        """Whether the character or one of its units has trackers, lists or dice to draw."""
        own = self.trackers or self.pools or self.lists or self.dice
        return bool(own) or any(unit.trackers or unit.pools for unit in self.units)

    @property
    def lists_beside_combat(self) -> tuple[ViewList, ...]:
        """The lists without the rows that the combat strip shows."""
        lists = (view_list.without(self.combat) for view_list in self.lists)
        return tuple(view_list for view_list in lists if view_list.rows or view_list.lines)

    def split_lists(self, columns: int) -> tuple[tuple[ViewList, ...], tuple[ViewList, ...]]:
        """Return the lists that fill the last row of trackers, and those below the attacks.

        Without attacks all lists are beside the trackers.
        """
        groups = sum(not (one.is_long or one.is_single) for one in self.tracker_groups)
        lists = self.lists_beside_combat
        number = -groups % columns if self.weapons or self.attack_rules else len(lists)
        return lists[:number], lists[number:]

    @property
    def actions_beside_attacks(self) -> tuple[Entry, ...]:
        """The actions of the game that are no mode of a weapon, whose row says what they do."""
        modes = {mode.name for weapon in self.weapons for mode in weapon.modes if mode.text}
        return tuple(entry for entry in self.actions if entry.name not in modes)

    @property
    def charts_beside_entries(self) -> tuple[SheetChart, ...]:
        """The charts without the rows of which a full sheet prints the text elsewhere.

        That is on a card, as an action, a rule or a mode of a weapon. A chart that only has a
        few of such rows is whole. A list of sentences with the name of a rule says what that says.
        """
        rules = {entry.name for entry in self.reference}
        names = {card.name for card in self.cards}
        names |= {entry.name for entry in (*self.actions, *self.reference)}
        names |= {mode.name for weapon in self.weapons for mode in weapon.modes}
        charts = []
        for chart in self.charts:
            if chart.label in rules and len(chart.columns) == 1:
                continue
            rows = tuple(row for row in chart.rows if row.heading not in names)
            if 2 * len(rows) > len(chart.rows):
                charts.append(chart)
            elif rows:
                charts.append(chart._replace(rows=rows))
        return tuple(charts)

    @property
    def item_groups(self) -> tuple[tuple[str, tuple[Item, ...]], ...]:
        """All equipment, under the label of each sort."""
        return items_by_label(self.items)

    @property
    def gear_rules(self) -> tuple[SharedRule, ...]:
        """The rules that several pieces of the equipment that no list shows have in common."""
        return shared_rules(self.unlisted_items)

    @property
    def gear_facts(self) -> tuple[UsualFact, ...]:
        """The facts that most of this equipment has."""
        return usual_facts(self.unlisted_items)

    @property
    def gear_names(self) -> tuple[str, ...]:
        """The names of this equipment, if there is nothing to say of it but what it shares."""
        rules, facts = self.gear_rules, self.gear_facts
        items = [without_shared(item, rules, facts) for item in self.unlisted_items]
        if len(self.gear_groups) > 1 or any(map(Item.has_more_than_a_name, items)):
            return ()
        return tuple(map(counted_name, items))

    @property
    def adds_equipment(self) -> bool:
        """Whether this equipment says more than the attacks and their rules."""
        armed = {weapon.name for weapon in self.weapons}
        return not self.gear_names or not armed.issuperset(self.gear_names)

    @property
    def weapon_rules(self) -> tuple[SharedRule, ...]:
        """The rules that several weapons share, if the attacks say all else of the equipment."""
        return () if self.adds_equipment else self.gear_rules

    @property
    def gear_groups(self) -> tuple[tuple[str, tuple[Item, ...]], ...]:
        """The equipment that no list shows, by place; under its label where there are no places."""
        groups: dict[str, list[Item]] = {}
        for item in self.unlisted_items:
            groups.setdefault(item.place or item.label, []).append(item)
        return tuple((label, tuple(group)) for label, group in groups.items())

    @property
    def unlisted_items(self) -> tuple[Item, ...]:
        """The equipment that no list shows."""
        return tuple(item for item in self.items if not item.listed)

    @property
    def figures_beside_combat(self) -> tuple[Fact, ...]:
        """The figures that the combat strip does not show."""
        return facts_beside(self.figures, self.combat)

    @property
    def figures_with_conditions(self) -> tuple[Fact, ...]:
        """These figures after the present conditions, and then the stores."""
        conditions = _condition_facts(self.active_conditions)
        return (*conditions, *self.figures_beside_combat, *self.stores)

    @property
    def unlisted_stores(self) -> tuple[Fact, ...]:
        """The stores that no list or tracker shows."""
        return tuple(fact for fact in self.stores if not fact.listed)

    @property
    def counters(self) -> tuple[Fact, ...]:
        """The unlisted stores other than money, which is beside the equipment."""
        return tuple(fact for fact in self.unlisted_stores if not fact.is_money)

    @property
    def purse(self) -> tuple[Fact, ...]:
        """The money, unless a list or tracker shows it."""
        return tuple(fact for fact in self.unlisted_stores if fact.is_money)

    @property
    def condition_keys(self) -> dict[str, str]:
        """The keys of the trackers of the conditions with a box: if present, of that one."""
        absent = {entry.id: tracker_key(CHARACTER, entry.id) for entry in self.conditions}
        return absent | {active.id: active.tracker_key for active in self.active_conditions}

    @property
    def conditions_without_box(self) -> tuple[ActiveCondition, ...]:
        """The present conditions of the character that have no box to tick."""
        boxed = {condition.id for condition in self.conditions}
        rows = {row.tick.tracker_key for one in self.lists for row in one.rows if row.tick}
        return tuple(
            active
            for active in shown_conditions(self.active_conditions)
            if active.id not in boxed and active.tracker_key not in rows
        )
