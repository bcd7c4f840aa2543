"""The whole sheet, with weapons, panels of companions and vehicles, story and notes; its version.

Fields may be added at any time. Where one is removed or renamed, the version goes up by one, and
the field is listed here with what to use instead, so that the error of an older template says it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

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
    RulesText,
    SaveCode,
    SharedRule,
    SheetCapacity,
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


class AttackSteps(NamedTuple):
    """How an attack is calculated: the total of its roll with its steps, and its damage.

    ``steps`` are amounts with their sources, ``formula`` is the damage as the
    rules write it. ``roll`` is empty for an attack that is not rolled.
    What counts only in some situations is in neither:
    ``roll_situations`` and ``damage_situations`` are amounts with their conditions.
    """

    name: str
    roll: str
    steps: tuple[tuple[str, str], ...]
    damage: str
    formula: str
    roll_situations: tuple[tuple[str, str], ...] = ()
    damage_situations: tuple[tuple[str, str], ...] = ()


# The fields of a mode that are only in one place together, on the weapon or on each mode.
SHARED_FIELDS = (
    ("range",),
    ("roll", "versus", "made_of", "roll_dice", "roll_bonus", "roll_against", "roll_counts"),
    ("damage", "damage_note", "damage_dice"),
    ("types", "icons"),
    ("text",),
    ("unmet",),
)


class AttackMode(NamedTuple):
    """One attack of a weapon, with what differs from the weapon; an empty field is as there.

    ``damage`` is to be rolled for a hit, with all its Shots, and ``damage_note`` explains it;
    ``damage_dice`` is the same as an expression for a program (``3d6+2``). ``roll`` is the total
    bonus, ``made_of`` its parts (empty if nothing is rolled to hit), ``versus`` what it must beat
    (empty if nothing); a program rolls ``roll_dice`` and adds ``roll_bonus``, where the
    ruleset has such a roll. ``roll_against`` and ``roll_counts`` are as in a Check.
    ``icons`` are the names of symbols of the damage ``types``, ``extras``
    costs, Crit and the like, ``unmet`` are the reasons why it cannot be used yet.
    """

    name: str = ""
    range: str = ""
    roll: str = ""
    versus: str = ""
    made_of: str = ""
    damage: str = ""
    damage_note: str = ""
    types: str = ""
    icons: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    text: RulesText = RulesText()
    unmet: tuple[str, ...] = ()
    roll_dice: str = ""
    roll_bonus: int = 0
    damage_dice: str = ""
    roll_against: str = ""
    roll_counts: tuple[int, ...] = ()

    @property
    def has_figures(self) -> bool:
        """Whether it has a range, a roll or a damage of its own."""
        return bool(self.range or self.roll or self.damage or self.types)

    @property
    def figures(self) -> AttackMode:
        """Its range, roll and damage alone."""
        return AttackMode(
            range=self.range, roll=self.roll, versus=self.versus,
            damage=self.damage, types=self.types, icons=self.icons,
        )  # fmt: skip

    @property
    def roll_line(self) -> str:
        """The roll with what it must beat: ``+8 vs Defense``; empty if nothing is rolled."""
        return (
            _("{roll} vs {versus}").format(roll=self.roll, versus=self.versus)
            if self.versus
            else self.roll
        )

    def beside(self, first: AttackMode) -> AttackMode:
        """Return only what differs from the row above."""
        nothing = AttackMode()
        kept: dict[str, Any] = {}
        for fields in SHARED_FIELDS:
            if all(getattr(self, name) == getattr(first, name) for name in fields):
                kept |= {name: getattr(nothing, name) for name in fields}
        return self._replace(**kept)

    def with_own(self, mode: AttackMode) -> AttackMode:
        """Return the fields of a mode, with these where it has none of its own."""
        own = {name: value for name, value in mode._asdict().items() if value}
        return self._replace(**own | {"extras": (*self.extras, *mode.extras)})


class Weapon(NamedTuple):
    """A weapon with its attacks: ``shared`` is what all of its modes have in common.

    With a single attack there are no ``modes``. Nothing is said twice: a mode has only what
    differs from mode to mode. ``notes`` are how many there are and properties such as Two-handed.
    """

    name: str
    notes: tuple[str, ...]
    capacities: tuple[SheetCapacity, ...]
    modes: tuple[AttackMode, ...]
    shared: AttackMode

    @property
    def attacks(self) -> tuple[AttackMode, ...]:
        """Each attack of the weapon with all its fields."""
        return tuple(map(self.shared.with_own, self.modes)) or (self.shared,)

    @property
    def first_row(self) -> AttackMode:
        """The attack in its own row: what its modes share, and a first mode without a name."""
        return self.shared.with_own(self.modes[0]) if self._starts_unnamed else self.shared

    @property
    def further_rows(self) -> tuple[AttackMode, ...]:
        """The modes with rows of their own."""
        return self.modes[1:] if self._starts_unnamed else self.modes

    @property
    def condensed_modes(self) -> tuple[AttackMode, ...]:
        """The modes with rows of their own, each only with what differs from the first row."""
        return tuple(mode.beside(self.first_row) for mode in self.further_rows)

    def condensed(
        self, common: Collection[AttackMode], above: Collection[AttackMode] = ()
    ) -> Weapon:
        """Return it with condensed modes, and with those printed elsewhere only as a note.

        Those in ``common`` are printed once below all weapons, those ``above`` before them.
        """
        rows, elsewhere = self.condensed_modes, (*common, *above)
        names = [mode.name for mode in rows if mode in elsewhere]
        note = (_("also {modes}").format(modes=" · ".join(names)),) if names else ()
        if len(common) > 2 and all(mode in rows for mode in common) and len(names) == len(common):
            note = (_("also all modes below"),)
        kept = (mode for mode in rows if mode not in elsewhere)
        return self._replace(
            modes=(*self.modes[: len(self.modes) - len(rows)], *kept), notes=(*self.notes, *note)
        )

    @property
    def _starts_unnamed(self) -> bool:
        return bool(self.modes) and not self.modes[0].name


class NumberedWeapon(NamedTuple):
    """A weapon with its place among those of its holder, from 1."""

    number: int
    weapon: Weapon


def equal_weapons(weapons: Iterable[Weapon]) -> tuple[tuple[NumberedWeapon, ...], ...]:
    """Return the weapons in groups that differ only in their names and in what they hold."""
    groups: dict[Weapon, list[NumberedWeapon]] = {}
    for number, weapon in enumerate(weapons, 1):
        alike = weapon._replace(name="", capacities=())
        groups.setdefault(alike, []).append(NumberedWeapon(number, weapon))
    return tuple(map(tuple, groups.values()))


def shared_modes(weapons: Iterable[Weapon]) -> tuple[AttackMode, ...]:
    """Return the named modes that several weapons have, such as Burst Fire, each once."""
    modes = Counter(mode for weapon in weapons for mode in weapon.condensed_modes)
    return tuple(mode for mode, times in modes.items() if times > 1 and mode.name)


class AttackRules(NamedTuple):
    """The dice of attacks, a note on their roll, and whether any weapon of the game has ammo.

    ``dice`` are empty where each attack has its own. ``added``: the roll is added to them.
    """

    dice: str
    note: str
    ammo: bool = True
    added: bool = True


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
