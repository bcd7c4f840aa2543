"""Parts of a view: figures, texts, what a unit has, lists, trackers and tables of odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from charforge.expressions.template import NO_BREAK, Prose, number_text, signed_number
from charforge.language import _

LABELLED = ": "  # after the label of a fact, as in Rarity: Common
USUAL = 3  # items that have a fact before it is printed once for all


class Check(NamedTuple):
    """A roll for a program: ``dice`` such as ``2d6``, and ``how`` they are read.

    By ``add``, ``bonus`` is added to them. By ``under``, ``against`` says what they must not
    exceed: ``64 %, hard 32 %``. Of a ``pool``, those that show one of the faces ``counts`` are
    counted. By ``step``, the number of the roll is the die itself.
    """

    dice: str
    bonus: int
    how: Literal["add", "under", "pool", "step"] = "add"
    against: str = ""
    counts: tuple[int, ...] = ()

    @property
    def number_text(self) -> str:
        """The number that players know a roll by: ``+5``, ``64 %, hard 32 %``, ``6d6``, ``1d8``."""
        if self.how == "add":
            return signed_number(self.bonus)
        return self.against or self.dice


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
    # The id of the value that it prints.
    value: str = ""
    # Whether its number is 0.
    zero: bool = False
    # Whether it is the money that gear is paid with.
    is_money: bool = False


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
    roll for it, if the ruleset has one. A ``signed`` number has its sign
    (``+2``); ``unit`` is printed after it (``64 %``, ``6 dice``), then ``modifier`` in brackets,
    or the harder ``targets`` of its roll: ``hard 32 %``. ``full`` is the number of a score
    that play can lower, before it did. ``other_unit`` is printed after that or the lasting
    number: ``1 die / 5 dice``. ``without_dice`` is printed for less than 1, where the
    number is one of dice.
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
    signed: bool = False
    modifier: str = ""
    full: int | None = None
    # The key of its tracker on a page to play from, if play can lower it.
    tracker_key: str = ""
    unit: str = ""
    other_unit: str = ""
    targets: str = ""
    without_dice: str = ""

    @property
    def aside(self) -> str:
        """The text after the number: `` (+2)``, or ``, hard 32 %``."""
        modifier = f" ({self.modifier})" if self.modifier else ""
        return f"{modifier}, {self.targets}" if self.targets else modifier

    @property
    def number(self) -> str:
        """The present number as printed, of its full number if play can lower it: ``9 / 12``."""
        now = self.printed(self.total)
        return now if self.full is None else f"{now} / {self.printed(self.full)}"

    @property
    def lasting(self) -> str:
        """The lasting number in words, if a condition changes it now; else empty: ``normally 6``.

        Brackets without a word have the modifier or the dice of the number: ``3 (6 dice)``.
        """
        if self.full is not None or self.base == self.total:
            return ""
        return _("normally {number}").format(number=f"{self.before}{self.printed(self.base)}")

    def printed(self, number: int) -> str:
        """Return a number of it as printed, with its unit, and its sign if it always has one."""
        if number < 1 and self.without_dice:
            return self.without_dice
        text = signed_number(number) if self.signed else number_text(number)
        unit = self.unit if number == self.total else self.other_unit or self.unit
        return f"{text}{NO_BREAK}{unit}" if unit else text


class SheetVital(NamedTuple):
    """A resource with a box to write in. A ``shared`` one belongs to the unit's owner.

    ``step`` is the name of the present step of its track, if it has one; ``after`` the mark of a
    maximum that breaks a rule with permission. ``unit`` is printed after its figures, with a space
    before it: `` %`` of one that is rolled under.
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
    # Whether it is the health of its unit.
    is_health: bool = False
    unit: str = ""
    # Whether its present value is printed: when that of any vital of the unit has changed.
    known: bool = False

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
    # What its attacks use at once, if that is more than 1: the largest number that divides it.
    used_at_once: int = 1

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


class RulesText(NamedTuple):
    """A text of the rules. ``short`` says it in one or two lines, where the rules have that too."""

    full: Prose = ()
    short: Prose = ()

    @property
    def digest(self) -> Prose:
        """The short text, or else the full one."""
        return self.short or self.full

    def printed(self, in_short: bool) -> Prose:
        """Return the digest or the full text."""
        return self.digest if in_short else self.full

    def __bool__(self) -> bool:
        """Return whether it says anything."""
        return bool(self.full)


class Chip(NamedTuple):
    """A condition of an action in a few words; ``kind`` is cost, cooldown, limit or roll."""

    kind: str
    text: str
    # Whether it has a box to tick, and whether that is ticked.
    box: bool = False
    ticked: bool = False
    # The key of its tracker on a page to play from.
    tracker_key: str = ""


class SheetAction(NamedTuple):
    """An action; ``label`` is that of its timing, ``unmet`` are its unmet requirements."""

    name: str
    timing: str
    label: str
    chips: tuple[Chip, ...]
    trigger: Prose
    who: str
    text: RulesText
    unmet: tuple[str, ...]
    # The part of a stat block for its timing: traits, actions, bonus_actions or reactions.
    statblock: str = ""


class Entry(NamedTuple):
    """A rules term with its explanation and the actions that belong to it."""

    id: str
    name: str
    text: RulesText
    actions: tuple[SheetAction, ...] = ()

    def titled(self, addition: str) -> Entry:
        """Return it with an addition to its name."""
        return self._replace(name=f"{self.name} ({addition})")


class Card(NamedTuple):
    """A holding with its text and actions, such as a System; ``subtitle`` are short facts."""

    id: str
    name: str
    subtitle: tuple[str, ...]
    # The timing of the first action; empty if there is none.
    timing: str
    label: str
    text: RulesText
    actions: tuple[SheetAction, ...]
    capacities: tuple[SheetCapacity, ...]
    # Whether it is used on the own turn.
    on_turn: bool = False
    # The name of its row among the weapons, if it has attacks.
    armed: str = ""


class CardGroup(NamedTuple):
    """Cards that are used alike; ``lead`` are the words with which all their texts begin.

    The texts of several cards are without it. Several without a lead differ only in their names.
    """

    cards: tuple[Card, ...]
    lead: str = ""

    @property
    def titles(self) -> tuple[str, ...]:
        """The name of each card; the first of equal ones has their number, the rest are empty."""
        names = [card.name for card in self.cards]
        return tuple(
            "" if name in names[:at] else numbered(name, names.count(name))
            for at, name in enumerate(names)
        )


FEWEST_ALIKE = 3  # cards with the same first words, to print those once
LEAD_END = ": "


def grouped_cards(cards: Iterable[Card]) -> tuple[CardGroup, ...]:
    """Return the cards in turn order, own turn first, with those that are used alike together."""
    ordered = sorted(cards, key=lambda card: not card.on_turn)
    alike: dict[object, list[Card]] = {}
    for number, card in enumerate(ordered):
        alike.setdefault(_use(card) or _without_name(card) or number, []).append(card)
    groups = []
    for use, group in alike.items():
        if isinstance(use, Card):
            groups.append(CardGroup(tuple(group)))
        elif isinstance(use, int) or len(group) < FEWEST_ALIKE:
            groups += [CardGroup((card,)) for card in group]
        else:
            lead = _lead(group[0])
            groups.append(CardGroup(tuple(_without_lead(card) for card in group), lead))
    return tuple(groups)


def _without_name(card: Card) -> Card | None:
    """Return what a card shares with others of the same rules; None if it has boxes of its own."""
    boxes = any(chip.box for action in card.actions for chip in action.chips)
    return None if boxes or card.capacities else card._replace(id="", name="")


def _use(card: Card) -> tuple[object, ...]:
    """Return how a card with a single plain action is used; empty for any other card."""
    if len(card.actions) != 1 or card.text or card.capacities or card.subtitle or not _lead(card):
        return ()
    [action] = card.actions
    if action.name or action.unmet or action.trigger or any(chip.box for chip in action.chips):
        return ()
    return card.on_turn, action.timing, action.label, action.chips, action.who, _lead(card)


def _lead(card: Card) -> str:
    """Return the first words of the text of its action, up to a colon."""
    text = card.actions[0].text.full
    first = text[0].spans[0].text if text and not text[0].listed else ""
    lead, colon, _rest = first.partition(LEAD_END)
    return lead if colon else ""


def _without_lead(card: Card) -> Card:
    """Return a card without the first words of its action."""
    [action] = card.actions
    lead = _lead(card) + LEAD_END

    def shortened(text: Prose) -> Prose:
        if not text or not text[0].spans[0].text.startswith(lead):
            return text
        (span, *spans), blocks = text[0].spans, text[1:]
        first = span._replace(text=span.text.removeprefix(lead))
        return (text[0]._replace(spans=(first, *spans)), *blocks)

    text = RulesText(shortened(action.text.full), shortened(action.text.short))
    return card._replace(actions=(action._replace(text=text),))


class Item(NamedTuple):
    """A piece of equipment, equal ones together; ``label`` is its heading.

    ``place`` is where it is carried, such as In hand or Worn, if the ruleset tells places apart.
    """

    name: str
    quantity: int
    category: str
    facts: tuple[str, ...]
    text: RulesText
    capacities: tuple[SheetCapacity, ...]
    actions: tuple[SheetAction, ...]
    label: str = ""
    place: str = ""
    # Whether a list of the sheet shows it too.
    listed: bool = False
    # The name of its row among the weapons, if it has attacks.
    armed: str = ""
    # The keys of its trackers on a page to play from, if it can be worn.
    worn_keys: tuple[str, ...] = ()

    def has_more_than_a_name(self) -> bool:
        """Return whether a sheet has something to print of it beside its name and number."""
        more = (self.category, self.facts, self.text, self.capacities, self.actions, self.worn_keys)
        return any(more)


def numbered(name: str, number: int) -> str:
    """Return a name with the number of things that have it, unless that is one: ``2 × Torch``."""
    return f"{number} × {name}" if number > 1 else name


def counted_name(item: Item) -> str:
    """Return the name of an item with its number: ``2 × Torch``."""
    return numbered(item.name, item.quantity)


class SharedRule(NamedTuple):
    """A rule of several items that is printed once: a text or an action, with their names."""

    names: tuple[str, ...]
    text: Prose = ()
    action: SheetAction | None = None


def shared_rules(items: Iterable[Item]) -> tuple[SharedRule, ...]:
    """Return the texts and actions that several items have, each once.

    A text counts only as a whole.
    """
    texts: dict[Prose, list[str]] = {}
    actions: dict[SheetAction, list[str]] = {}
    for item in items:
        if item.text:
            texts.setdefault(item.text.digest, []).append(item.name)
        for action in item.actions:
            actions.setdefault(action, []).append(item.name)
    rules = (
        *(SharedRule(tuple(names), text) for text, names in texts.items()),
        *(SharedRule(tuple(names), action=action) for action, names in actions.items()),
    )
    return tuple(rule for rule in rules if len(rule.names) > 1)


class UsualFact(NamedTuple):
    """A fact that most items of a category have, such as Rarity: Common."""

    category: str
    fact: str


def usual_facts(items: Iterable[Item]) -> tuple[UsualFact, ...]:
    """Return the facts that are printed once for a category: three items or more have them.

    Every other item of the category has a fact with the same label, which it keeps.
    """
    categories: dict[str, list[Item]] = {}
    for item in items:
        categories.setdefault(item.category, []).append(item)
    usual = []
    for category, members in categories.items():
        counts = Counter(fact for item in members for fact in item.facts if LABELLED in fact)
        for fact, times in counts.items():
            label = fact.partition(LABELLED)[0] + LABELLED
            known = all(any(f.startswith(label) for f in item.facts) for item in members)
            if times >= USUAL and known:
                usual.append(UsualFact(category, fact))
    return tuple(usual)


def without_shared(
    item: Item, rules: Iterable[SharedRule], facts: Iterable[UsualFact] = ()
) -> Item:
    """Return an item without the rules and facts that are printed elsewhere for several."""
    texts, actions = {rule.text for rule in rules}, [rule.action for rule in rules]
    usual = {usual.fact for usual in facts if usual.category == item.category}
    return item._replace(
        text=RulesText() if item.text and item.text.digest in texts else item.text,
        actions=tuple(one for one in item.actions if one not in actions),
        facts=tuple(fact for fact in item.facts if fact not in usual),
    )


def items_by_label(items: Iterable[Item]) -> tuple[tuple[str, tuple[Item, ...]], ...]:
    """Return items under their labels; those that no list shows come first."""
    groups: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: item.listed):
        groups.setdefault(item.label, []).append(item)
    return tuple((label, tuple(group)) for label, group in groups.items())


class Cell(NamedTuple):
    """A figure of a list: a text, or dice."""

    text: str
    dice: tuple[SheetPoolDie, ...] = ()


class RowTick(NamedTuple):
    """The box of a condition about a value: its name, whether it is ticked, and its tracker."""

    name: str
    text: str
    on: bool = False
    tracker_key: str = ""


class ListRow(NamedTuple):
    """A row of a list with an optional note, the roll for its value, and a box to tick."""

    name: str
    cells: tuple[Cell, ...]
    note: str = ""
    check: Check | None = None
    tick: RowTick | None = None

    def repeats(self, facts: Iterable[Fact]) -> bool:
        """Return whether one of these facts says the same."""
        texts = [cell.text for cell in self.cells]
        return any((fact.label, [fact.text]) == (self.name, texts) for fact in facts)


class ViewList(NamedTuple):
    """A compact list: ``columns`` are the headings of the cells, ``lines`` are left to write on."""

    label: str
    columns: tuple[str, ...]
    rows: tuple[ListRow, ...]
    lines: int = 0

    @property
    def ticks(self) -> str:
        """The meaning of its boxes; empty if no row has one."""
        return ", ".join(dict.fromkeys(row.tick.name for row in self.rows if row.tick is not None))

    @property
    def has_dice(self) -> bool:
        """Whether some of its figures are dice."""
        return any(cell.dice for row in self.rows for cell in row.cells)

    def without(self, facts: Iterable[Fact]) -> ViewList:
        """Return it without the rows that repeat one of these facts."""
        known = tuple(facts)
        return self._replace(rows=tuple(row for row in self.rows if not row.repeats(known)))


# A chart with no more columns, or no more letters across, has room in a column of the page.
FEW_COLUMNS, FEW_LETTERS = 4, 50


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

    @property
    def is_wide(self) -> bool:
        """Whether it has so many columns and words that it needs the width of a page."""
        columns = zip(self.columns, *(row.cells for row in self.rows), strict=False)
        letters = sum(max(map(len, column)) for column in columns)
        return len(self.columns) > FEW_COLUMNS and letters > FEW_LETTERS

    def titled(self, addition: str) -> SheetChart:
        """Return it with an addition to its label."""
        return self._replace(label=f"{self.label} ({addition})")


class OddsRow(NamedTuple):
    """A row of odds: the figures of each column, or a ``note`` why there are none."""

    name: str
    cells: tuple[tuple[str, ...], ...] = ()
    note: str = ""


class OddsTable(NamedTuple):
    """A table of odds; ``cell_labels`` are the labels of the figures in every cell.

    ``rows_heading`` is that of a table whose rows are values of an input.
    """

    label: str
    text: str
    columns_heading: str
    columns: tuple[str, ...]
    cell_labels: tuple[str, ...]
    rows: tuple[OddsRow, ...]
    rows_heading: str = ""


class SaveCode(NamedTuple):
    """A QR code with a part of the character file: its number, how many there are, its drawing."""

    number: int
    codes: int
    svg: str


class LuckRow(NamedTuple):
    """All rolls of the same dice for one purpose: ``percentile`` is a number from 0 to 100."""

    name: str
    rolls: int
    average: str
    expected: str
    share: str
    percentile: float


class LuckTable(NamedTuple):
    """The recorded rolls compared with fair dice, and sentences about checks and attacks."""

    rows: tuple[LuckRow, ...]
    lines: tuple[str, ...]


MOST_ROWS_OF_BOXES = 8  # rows of boxes in one block


class SheetTrackStep(NamedTuple):
    """A step of a track with its number; ``here`` marks the present one."""

    number: int
    label: str
    text: Prose
    here: bool


class BodyMark(NamedTuple):
    """The mark of a resource on the drawing of a body; ``x`` and ``y`` are percent of its size."""

    text: str
    x: int
    y: int


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
    mark: BodyMark | None = None
    hint: str = ""  # what the marks mean

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
        last: Prose = ()
        for number in range(self.low, top + 1):
            step: tuple[str, Prose] = ("", ())
            if self.steps:
                named = self.steps[min(number - self.low, len(self.steps) - 1)]
                step = (named.label, named.text)
            here = known and number == min(max(self.current, self.low), top)
            text = () if step[1] == last else step[1]
            stops.append(SheetTrackStep(self.current if here else number, step[0], text, here))
            last = step[1]
        return tuple(stops)


class TrackerGroup(NamedTuple):
    """Trackers under one heading, in boxes or with room to write; or the pools of dice."""

    heading: str
    boxes: tuple[Tracker, ...]
    numbers: tuple[Tracker, ...] = ()
    pools: tuple[SheetPool, ...] = ()

    @property
    def marks(self) -> tuple[BodyMark, ...]:
        """The marks on the drawing of a body beside the boxes, if there is one."""
        return tuple(tracker.mark for tracker in self.boxes if tracker.mark)

    @property
    def hint(self) -> str:
        """The meaning of the marks."""
        return next((tracker.hint for tracker in self.boxes if tracker.hint), "")

    @property
    def is_long(self) -> bool:
        """Whether it has so many boxes that they need columns of their own."""
        return len(self.boxes) > MOST_ROWS_OF_BOXES

    @property
    def is_single(self) -> bool:
        """Whether it is a single row of boxes, which has room in its heading."""
        return len(self.boxes) == 1 and not self.numbers and not self.pools


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
    return (*groups, *([TrackerGroup(_("Dice pools"), (), (), pools)] if pools else ()))
