"""The view: everything that a sheet shows, computed, with no rules left to apply.

The printed sheet, the page on a screen, the terminal and the exports all read it. Every field is
a text or a number; a template only arranges them. An empty text or tuple means that there is
nothing to show. The JSON export is made from these classes and uses their docstrings as the
descriptions in its schema; fields below a comment are only for the look of a page.

First come the classes for what a unit is, has and can do, then dice, tracks, lists and tables,
at the end the whole sheet. They are named tuples, because Python creates such a class four times
as fast as a frozen dataclass, and every sheet needs all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from charforge.character.state import CHARACTER
from charforge.expressions.markup import Prose


class Check(NamedTuple):
    """A roll for a program: ``dice`` such as ``2d6``, to which ``bonus`` is added."""

    dice: str
    bonus: int


MOST_TOGETHER = 8  # rows of boxes in one block


class Fact(NamedTuple):
    """A labelled fact of one line: ``Diameter ~3 m``, ``Move 10 m``."""

    label: str
    text: str
    # Whether a list or tracker of the sheet shows it too.
    listed: bool = False
    # What a program rolls for it: a fact that is only dice and a number.
    check: Check | None = None
    # The key of its tracker on a page to play from.
    tracker_key: str = ""


def tracker_key(bearer: str, name: str, about: str = "") -> str:
    """Return the key that a box on the sheet shares with its tracker on a page to play from.

    ``bearer`` is the id of the unit or holding that has the resource, cooldown or condition.
    """
    return ":".join(filter(None, (bearer, name, about)))


def facts_beside(facts: Iterable[Fact], others: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts that ``others`` do not repeat."""
    shown = {(fact.label, fact.text) for fact in others}
    return tuple(fact for fact in facts if (fact.label, fact.text) not in shown)


class Attribute(NamedTuple):
    """A score: ``base`` is lasting, ``total`` is the present one; ``key`` marks important ones.

    ``before`` is printed before the number, as in ``d8``, and ``after`` after
    it: the mark of a score that breaks a rule with permission. ``check`` is the
    roll for it, if the ruleset has one.
    """

    id: str
    label: str
    name: str
    base: int
    total: int
    key: bool
    before: str = ""
    after: str = ""
    check: Check | None = None


class SheetVital(NamedTuple):
    """A resource with a box to write in. A ``shared`` one belongs to the unit's owner.

    ``step`` is the name of the present step of its track, if it has one; ``after`` the mark of a
    maximum that breaks a rule with permission.
    """

    id: str
    label: str
    icon: str
    current: int
    max: int | None
    half: int | None
    shared: bool = False
    step: str = ""
    after: str = ""
    # The key of its tracker on a page to play from.
    tracker_key: str = ""

    @property
    def changed(self) -> bool:
        """Whether the present value differs from the maximum."""
        return self.current != (self.max or 0)


class SheetCapacity(NamedTuple):
    """A resource that an item carries: ``pieces`` items with ``max`` each.

    ``used`` is the amount that each piece has used; empty if none has.
    """

    label: str
    max: int
    pieces: int = 1
    used: tuple[int, ...] = ()
    # The keys of the trackers of its pieces on a page to play from.
    tracker_keys: tuple[str, ...] = ()

    @property
    def left(self) -> int:
        """The amount that all pieces have left."""
        return self.max * self.pieces - sum(self.used)

    def split(self, number: int) -> tuple[SheetCapacity, SheetCapacity]:
        """Return the capacity of the first ``number`` pieces, and that of the others."""
        keys = self.tracker_keys
        first = self._replace(pieces=number, used=self.used[:number], tracker_keys=keys[:number])
        rest = self._replace(
            pieces=self.pieces - number, used=self.used[number:], tracker_keys=keys[number:]
        )
        return first, rest


class Chip(NamedTuple):
    """A condition of an action in a few words; ``kind`` is cost, cooldown or limit."""

    kind: str
    text: str
    # Whether it has a box to tick, and whether that is ticked.
    box: bool = False
    ticked: bool = False
    # The key of its tracker on a page to play from.
    tracker_key: str = ""


class SheetAction(NamedTuple):
    """An action; ``label`` is that of its timing, ``unmet`` are its unmet requirements.

    ``digest`` is its text in one or two lines.
    """

    name: str
    timing: str
    label: str
    chips: tuple[Chip, ...]
    trigger: Prose
    who: str
    text: Prose
    unmet: tuple[str, ...]
    # Its digest, if it has one.
    short: Prose = ()

    @property
    def digest(self) -> Prose:
        """Its digest, or else its text."""
        return self.short or self.text


class AttackSteps(NamedTuple):
    """How an attack is calculated: the total of its roll with its steps, and its damage.

    ``steps`` are amounts with their sources, ``formula`` is the damage as the
    rules write it. What counts only in some situations is in neither:
    ``roll_situations`` and ``damage_situations`` are amounts with their conditions.
    """

    name: str
    roll: str
    steps: tuple[tuple[str, str], ...]
    damage: str
    formula: str
    roll_situations: tuple[tuple[str, str], ...] = ()
    damage_situations: tuple[tuple[str, str], ...] = ()


class AttackLine(NamedTuple):
    """One attack of one bearer: ``roll`` is the total bonus, ``made_of`` its parts.

    ``unmet`` are the reasons why it cannot be used yet.
    """

    bearer: str
    mode: str
    # Whether the line above is of the same bearer.
    same_bearer: bool
    notes: tuple[str, ...]
    range: str
    roll: str
    versus: str
    made_of: str
    damage: str
    types: str
    extras: tuple[str, ...]
    text: Prose
    capacities: tuple[SheetCapacity, ...]
    unmet: tuple[str, ...]


class AttackMode(NamedTuple):
    """One attack of a weapon, with what differs from the weapon; an empty field is as there.

    ``damage`` is to be rolled for a hit, with all its Shots, and ``damage_note`` explains it;
    ``damage_dice`` is the same as an expression for a program (``3d6+2``). ``roll`` is the total
    bonus, ``made_of`` its parts; a program rolls ``roll_dice`` and adds ``roll_bonus``, where the
    ruleset has such a roll. ``icons`` are the names of symbols of the damage ``types``, ``extras``
    costs, Crit and the like, ``digest`` is the text in one or two lines, ``unmet`` are the reasons
    why it cannot be used yet.
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
    text: Prose = ()
    # Its digest, if it has one.
    short: Prose = ()
    unmet: tuple[str, ...] = ()
    roll_dice: str = ""
    roll_bonus: int = 0
    damage_dice: str = ""

    @property
    def digest(self) -> Prose:
        """Its digest, or else its text."""
        return self.short or self.text

    @property
    def has_figures(self) -> bool:
        """Whether it has a range, a roll or a damage of its own."""
        return bool(self.range or self.roll or self.damage or self.types)

    def with_own(self, mode: AttackMode) -> AttackMode:
        """Return the fields of a mode, with these where it has none of its own."""
        own = {name: value for name, value in mode._asdict().items() if value}
        return self._replace(**own | {"extras": (*self.extras, *mode.extras)})


class Weapon(NamedTuple):
    """A weapon with its attacks: the fields of ``AttackMode`` are those that all its modes share.

    With a single attack there are no ``modes``. Nothing is said twice: a mode has only what
    differs from mode to mode. ``notes`` are how many there are and properties such as Two-handed.
    """

    name: str
    notes: tuple[str, ...]
    capacities: tuple[SheetCapacity, ...]
    modes: tuple[AttackMode, ...]
    range: str
    roll: str
    versus: str
    made_of: str
    damage: str
    damage_note: str
    types: str
    icons: tuple[str, ...]
    extras: tuple[str, ...]
    text: Prose
    # Its digest, if it has one.
    short: Prose
    unmet: tuple[str, ...]
    roll_dice: str
    roll_bonus: int
    damage_dice: str

    @property
    def digest(self) -> Prose:
        """Its digest, or else its text."""
        return self.short or self.text

    @property
    def attacks(self) -> tuple[AttackMode, ...]:
        """Each attack of the weapon with all its fields."""
        return tuple(map(self._common.with_own, self.modes)) or (self._common,)

    @property
    def first_row(self) -> AttackMode:
        """The attack in its own row: what its modes share, and a first mode without a name."""
        return self._common.with_own(self.modes[0]) if self._starts_unnamed else self._common

    @property
    def further_rows(self) -> tuple[AttackMode, ...]:
        """The modes with rows of their own."""
        return self.modes[1:] if self._starts_unnamed else self.modes

    @property
    def _common(self) -> AttackMode:
        return AttackMode(**{name: getattr(self, name) for name in AttackMode._fields[1:]})

    @property
    def _starts_unnamed(self) -> bool:
        return bool(self.modes) and not self.modes[0].name


class AttackRules(NamedTuple):
    """The dice of attacks and a note on their roll."""

    dice: str
    note: str


class Card(NamedTuple):
    """A holding with its text and actions, such as a System; ``subtitle`` are short facts.

    ``digest`` is its text in one or two lines.
    """

    id: str
    name: str
    subtitle: tuple[str, ...]
    # The timing of the first action; empty if there is none.
    timing: str
    label: str
    text: Prose
    actions: tuple[SheetAction, ...]
    capacities: tuple[SheetCapacity, ...]
    # Whether it is used on the own turn.
    on_turn: bool = False
    # Its digest, if it has one.
    short: Prose = ()
    # The name of its row among the weapons, if it has attacks.
    armed: str = ""

    @property
    def digest(self) -> Prose:
        """Its digest, or else its text."""
        return self.short or self.text


class Item(NamedTuple):
    """A piece of equipment, equal ones together; ``label`` is its heading.

    ``place`` is where it is carried, such as In hand or Worn, if the ruleset tells places apart;
    ``digest`` is its text in one or two lines.
    """

    name: str
    quantity: int
    category: str
    facts: tuple[str, ...]
    text: Prose
    capacities: tuple[SheetCapacity, ...]
    actions: tuple[SheetAction, ...]
    label: str = ""
    place: str = ""
    # Whether a list of the sheet shows it too.
    listed: bool = False
    # Its digest, if it has one.
    short: Prose = ()
    # The name of its row among the weapons, if it has attacks.
    armed: str = ""

    @property
    def digest(self) -> Prose:
        """Its digest, or else its text."""
        return self.short or self.text


def items_by_label(items: Iterable[Item]) -> tuple[tuple[str, tuple[Item, ...]], ...]:
    """Return items under their labels; those that no list shows come first."""
    groups: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: item.listed):
        groups.setdefault(item.label, []).append(item)
    return tuple((label, tuple(group)) for label, group in groups.items())


class Entry(NamedTuple):
    """A rules term with its explanation and the actions that belong to it.

    ``digest`` is the explanation in one or two lines.
    """

    id: str
    name: str
    text: Prose
    actions: tuple[SheetAction, ...] = ()
    # Its digest, if it has one.
    short: Prose = ()

    @property
    def digest(self) -> Prose:
        """Its digest, or else its text."""
        return self.short or self.text

    def titled(self, addition: str) -> Entry:
        """Return it with an addition to its name."""
        return self._replace(name=f"{self.name} ({addition})")


class SheetSymbol(NamedTuple):
    """A symbol on the faces of dice."""

    id: str
    label: str
    icon: str


class SheetDie(NamedTuple):
    """A die with the symbols of each of its faces; an empty face shows none."""

    id: str
    label: str
    # How it is drawn.
    shape: str
    tone: str
    faces: tuple[tuple[SheetSymbol, ...], ...]


class SheetPoolDie(NamedTuple):
    """A number of equal dice."""

    id: str
    label: str
    # How it is drawn.
    shape: str
    tone: str
    number: int


class SheetPool(NamedTuple):
    """The dice of a pool; there may be none now."""

    id: str
    label: str
    dice: tuple[SheetPoolDie, ...]


class SheetTrackStep(NamedTuple):
    """A step of a track with its number; ``here`` marks the present one."""

    number: int
    label: str
    text: Prose
    here: bool


class SheetTrack(NamedTuple):
    """A resource whose numbers have names; ``id`` is the id of its value."""

    id: str
    label: str
    current: int
    steps: tuple[SheetTrackStep, ...]


class Tracker(NamedTuple):
    """A resource to keep count of on paper, under a heading.

    It goes from ``low`` to ``high`` in boxes, of which those up to ``current`` are filled; a
    ``high`` of None leaves room to write instead. With ``steps`` its numbers have names.
    """

    id: str
    heading: str
    label: str
    note: str
    current: int
    low: int = 0
    high: int | None = None
    steps: tuple[SheetTrackStep, ...] = ()
    # The key of its tracker on a page to play from.
    tracker_key: str = ""

    @property
    def is_track(self) -> bool:
        """Whether its numbers are printed one by one: they have names, or are below zero."""
        return bool(self.steps) or self.low < 0

    @property
    def stops(self) -> tuple[SheetTrackStep, ...]:
        """Its numbers from lowest to highest; a text is said once where several have the same.

        A step at either end stands for whatever is beyond it, and then shows that number.
        """
        top = max(self.high if self.high is not None else self.low, self.low)
        known = any(step.here for step in self.steps)
        stops: list[SheetTrackStep] = []
        last: tuple[str, Prose] = ("", ())
        for number in range(self.low, top + 1):
            step: tuple[str, Prose] = ("", ())
            if self.steps:
                named = self.steps[min(number - self.low, len(self.steps) - 1)]
                step = (named.label, named.text)
            here = known and number == min(max(self.current, self.low), top)
            text = () if step == last else step[1]
            stops.append(SheetTrackStep(self.current if here else number, step[0], text, here))
            last = step
        return tuple(stops)


class TrackerGroup(NamedTuple):
    """Trackers under one heading, in boxes or with room to write; or the pools of dice."""

    heading: str
    boxes: tuple[Tracker, ...]
    numbers: tuple[Tracker, ...] = ()
    pools: tuple[SheetPool, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether it has so many boxes that they need columns of their own."""
        return len(self.boxes) > MOST_TOGETHER


def tracker_groups(
    trackers: Iterable[Tracker], pools: tuple[SheetPool, ...]
) -> tuple[TrackerGroup, ...]:
    """Return the trackers without steps by heading, then the pools of dice."""
    headings: dict[str, list[Tracker]] = {}
    for tracker in trackers:
        if not tracker.is_track:
            headings.setdefault(tracker.heading, []).append(tracker)
    groups = [
        TrackerGroup(
            heading,
            tuple(tracker for tracker in group if tracker.high is not None),
            tuple(tracker for tracker in group if tracker.high is None),
        )
        for heading, group in headings.items()
    ]
    return (*groups, *([TrackerGroup("Dice pools", (), (), pools)] if pools else ()))


class Cell(NamedTuple):
    """A figure of a list: a text, or dice."""

    text: str
    dice: tuple[SheetPoolDie, ...] = ()


class ListRow(NamedTuple):
    """A row of a list with an optional note, and the roll for its value."""

    name: str
    cells: tuple[Cell, ...]
    note: str = ""

    def repeats(self, facts: Iterable[Fact]) -> bool:
        """Whether one of these facts says the same."""
        texts = [cell.text for cell in self.cells]
        return any((fact.label, [fact.text]) == (self.name, texts) for fact in facts)

    check: Check | None = None


class ViewList(NamedTuple):
    """A compact list: ``columns`` are the headings of the cells, ``lines`` are left to write on."""

    label: str
    columns: tuple[str, ...]
    rows: tuple[ListRow, ...]
    lines: int = 0

    @property
    def has_dice(self) -> bool:
        """Whether some of its figures are dice."""
        return any(cell.dice for row in self.rows for cell in row.cells)


class SheetChartRow(NamedTuple):
    """A row of a chart: its heading, then one cell for each column."""

    heading: str
    cells: tuple[str, ...]


class SheetChart(NamedTuple):
    """A table of the book; ``key`` is the heading of the first column, that of row headings."""

    id: str
    label: str
    text: Prose
    key: str
    columns: tuple[str, ...]
    rows: tuple[SheetChartRow, ...]
    # Its place in the book.
    source: str = ""

    def titled(self, addition: str) -> SheetChart:
        """Return it with an addition to its label."""
        return self._replace(label=f"{self.label} ({addition})")


class OddsRow(NamedTuple):
    """A row of odds: the figures of each column, or a ``note`` why there are none."""

    name: str
    cells: tuple[tuple[str, ...], ...] = ()
    note: str = ""


class OddsTable(NamedTuple):
    """A table of odds; ``cell_labels`` are the labels of the figures in every cell."""

    label: str
    text: str
    columns_heading: str
    columns: tuple[str, ...]
    cell_labels: tuple[str, ...]
    rows: tuple[OddsRow, ...]


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
    facts: tuple[Fact, ...]
    text: Prose
    attributes: tuple[Attribute, ...]
    vitals: tuple[SheetVital, ...]
    figures: tuple[Fact, ...]
    attacks: tuple[AttackLine, ...]
    cards: tuple[Card, ...]
    empty_slots: int
    pools: tuple[SheetPool, ...] = ()
    tracks: tuple[SheetTrack, ...] = ()
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
    def tracker_groups(self) -> tuple[TrackerGroup, ...]:
        """Its trackers and pools, to print side by side."""
        return tracker_groups(self.trackers, self.pools)


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


class SheetLook(NamedTuple):
    """The look of a sheet: its accent on paper and on dark grounds, and its decoration.

    ``mark`` is the shape before the headline; ``header`` and ``ornament`` are words of
    ``LookSpec``.
    """

    colour: str = "#444444"
    on_dark: str = "#c6c6c6"
    mark: str = "diamond"
    header: str = "plate"
    ornament: str = "none"


class Note(NamedTuple):
    """A note of the player, with its date and author if they were recorded."""

    text: Prose
    at: str = ""
    by: str = ""

    @property
    def signature(self) -> str:
        """The date and author: ``2026-01-02, Mo``."""
        return ", ".join(filter(None, (self.at, self.by)))


class SheetView(NamedTuple):
    """A whole sheet.

    ``packs`` are the packs added to the ruleset, ``levels`` is the highest level (1 in a game
    without levels), ``allowed`` are the broken rules that somebody allowed, ``empty_slots`` is
    the number of slots that nothing fills yet, ``dice`` are the dice with symbols, ``combat`` is
    what the character needs in every round of a fight, ``stamp`` is the condition that ended play
    for it, such as Dead, ``notes`` are the player's notes.
    """

    name: str
    ruleset: str
    packs: tuple[str, ...]
    level_label: str
    level: int
    levels: int
    headline: tuple[Headline, ...]
    look: SheetLook
    attributes_label: str
    attributes: tuple[Attribute, ...]
    vitals: tuple[SheetVital, ...]
    figures: tuple[Fact, ...]
    stores: tuple[Fact, ...]
    attack_rules: AttackRules | None
    attacks: tuple[AttackLine, ...]
    cards_label: str
    cards: tuple[Card, ...]
    items_label: str
    items: tuple[Item, ...]
    units: tuple[UnitPanel, ...]
    training_label: str
    training: tuple[Entry, ...]
    story: tuple[StoryPart, ...]
    # The conditions with boxes to tick.
    conditions: tuple[Entry, ...]
    actions_label: str
    actions: tuple[Entry, ...]
    reference: tuple[Entry, ...]
    table_rules: tuple[Fact, ...]
    # Why the rules do not allow the character.
    problems: tuple[str, ...]
    allowed: tuple[Fact, ...] = ()
    empty_slots: int = 0
    pools: tuple[SheetPool, ...] = ()
    dice: tuple[SheetDie, ...] = ()
    tracks: tuple[SheetTrack, ...] = ()
    charts: tuple[SheetChart, ...] = ()
    # Trackers and lists repeat figures and holdings for a printed sheet.
    trackers: tuple[Tracker, ...] = ()
    lists: tuple[ViewList, ...] = ()
    # Labels of lines to write on, at the head of the sheet.
    plate: tuple[str, ...] = ()
    odds: tuple[OddsTable, ...] = ()
    # Whether the ruleset has equipment of kinds that no list shows.
    has_equipment: bool = True
    active_conditions: tuple[ActiveCondition, ...] = ()
    combat: tuple[Fact, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    stamp: str = ""
    notes: tuple[Note, ...] = ()
    # What other versions of its packs change about the character.
    pack_changes: tuple[str, ...] = ()

    @property
    def tracker_groups(self) -> tuple[TrackerGroup, ...]:
        """Trackers and pools, to print side by side."""
        return tracker_groups(self.trackers, self.pools)

    def split_lists(self, columns: int) -> tuple[tuple[ViewList, ...], tuple[ViewList, ...]]:
        """Return the lists that fill the last row of trackers, and those below the attacks.

        Without attacks all lists are beside the trackers.
        """
        groups = sum(not group.is_long for group in self.tracker_groups)
        number = -groups % columns if self.attacks or self.attack_rules else len(self.lists)
        return self.lists[:number], self.lists[number:]

    @property
    def item_groups(self) -> tuple[tuple[str, tuple[Item, ...]], ...]:
        """All equipment, under the label of each sort."""
        return items_by_label(self.items)

    @property
    def gear_groups(self) -> tuple[tuple[str, tuple[Item, ...]], ...]:
        """The equipment that no list shows, by place; under its label where there are no places."""
        groups: dict[str, list[Item]] = {}
        for item in self.unlisted_items:
            groups.setdefault(item.place or item.label, []).append(item)
        return tuple((label, tuple(group)) for label, group in groups.items())

    @property
    def gear_rows(self) -> tuple[tuple[str, Item], ...]:
        """The equipment of ``gear_groups`` in rows, the first of each place with its heading."""
        return tuple(
            ("" if number or len(self.gear_groups) == 1 else place, item)
            for place, items in self.gear_groups
            for number, item in enumerate(items)
        )

    @property
    def unlisted_items(self) -> tuple[Item, ...]:
        """The equipment that no list shows."""
        return tuple(item for item in self.items if not item.listed)

    @property
    def figures_beside_combat(self) -> tuple[Fact, ...]:
        """The figures that the combat strip does not show."""
        return facts_beside(self.figures, self.combat)

    @property
    def unlisted_stores(self) -> tuple[Fact, ...]:
        """The stores that no list or tracker shows."""
        return tuple(fact for fact in self.stores if not fact.listed)

    @property
    def condition_keys(self) -> dict[str, str]:
        """The keys of the trackers of the conditions with a box: if present, of that one."""
        absent = {entry.id: tracker_key(CHARACTER, entry.id) for entry in self.conditions}
        return absent | {active.id: active.tracker_key for active in self.active_conditions}

    @property
    def conditions_without_box(self) -> tuple[ActiveCondition, ...]:
        """The present conditions of the character that have no box to tick."""
        boxed = {condition.id for condition in self.conditions}
        return tuple(
            active
            for active in self.active_conditions
            if active.id not in boxed and not active.internal
        )
