"""Vocabulary of a game: values, terms, timings, dice, symbols, tracks, charts and random tables."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeVar

from pydantic import BeforeValidator, Field, StrictInt, model_validator

from charforge.expressions.dice import Dice, drops_dice, parse_dice, possible_totals
from charforge.expressions.formula import Formula, FunctionScope
from charforge.expressions.template import (
    EN_DASH,
    NO_BREAK,
    signed_number,
    sole_formula,
    true_minus,
)
from charforge.language import _, dice_notation, ngettext
from charforge.rules.models.base import (
    DiceText,
    EntityRef,
    GroupRef,
    Ids,
    Label,
    Modifier,
    Names,
    OnlyWhile,
    Option,
    PackModel,
    RuleRef,
    Slug,
    Text,
    ValueId,
    ValueRef,
)
from charforge.rules.names import exact_matches

TARGET_NUMBER = "number"  # what the formula of a target reads
BLANK = "blank"  # a face without any symbol
SymbolRef = Annotated[ValueId, Names("symbol")]
SymbolDieRef = Annotated[ValueId, Names("symbol die")]
# How many of each symbol die are rolled; fewer than none is none.
DiceCounts = dict[SymbolDieRef, Formula]


class Symbol(PackModel):
    """A symbol that dice show.

    ``cancels`` is its opposite: one cancels one, and each names the other.
    ``counts`` is another symbol that it also counts as. ``icon`` is its drawing.
    """

    id: ValueId
    label: Label
    plural: Label
    cancels: SymbolRef | None = None
    counts: SymbolRef | None = None
    icon: str = ""

    def counted(self, number: int) -> str:
        """Return a number of symbols in words."""
        return f"{number} {self.label if number == 1 else self.plural}"


class Die(PackModel):
    """A special die: the numbers on its faces, or the ``symbols`` of each face.

    The faces of a symbol die are numbered from 1 in their order; rolls are
    typed and saved as these numbers. ``shape`` and ``tone`` are for drawing.
    """

    id: ValueId
    label: Label = ""
    faces: tuple[int, ...] = ()
    symbols: tuple[tuple[SymbolRef, ...], ...] = ()
    shape: Literal["circle", "square", "triangle", "diamond", "pentagon", "hexagon", "octagon"] = (
        "square"
    )
    tone: Literal["light", "mid", "dark"] = "light"

    @model_validator(mode="after")
    def one_sort(self) -> Self:
        """Refuse a die without faces, or with faces of two sorts."""
        if bool(self.faces) == bool(self.symbols):
            raise ValueError(
                _("a die needs either 'faces' (numbers) or 'symbols' (a list for each)")
            )
        return self

    @model_validator(mode="after")
    def readable(self) -> Self:
        """Refuse a name after which dice would read as if some were dropped: ``2dluck1``."""
        if drops_dice(f"1d{self.id}"):
            raise ValueError(
                _("the name of a die cannot end like k3, which keeps the highest three")
            )
        return self

    def many(self, number: int, symbols: Mapping[str, Symbol]) -> Dice:
        """Return a number of these symbol dice, to be rolled."""
        faces = tuple(range(1, len(self.symbols) + 1))
        shows = (" + ".join(symbols[name].label for name in face) for face in self.symbols)
        return Dice(number, faces, f"{number}d{self.id}", tuple(text or BLANK for text in shows))


class Pool(PackModel):
    """Symbol dice of a unit for one purpose, such as those rolled by its attackers."""

    id: Slug
    label: Label
    source: RuleRef = ""
    dice: DiceCounts = Field(min_length=1)


RollWayRef = Annotated[str, Names("way to roll")]
Rolled = TypeVar("Rolled")


def one_way(spec: Rolled, dice: str, roll: str | None) -> Rolled:
    """Return what is rolled. Raises ValueError unless it has either dice or a way to roll."""
    if bool(dice) == bool(roll):
        raise ValueError(_("set either 'dice', to which the number is added, or 'roll'"))
    return spec


class RollTarget(PackModel):
    """A harder target of a roll under a number, such as half of it."""

    label: Label
    formula: Annotated[Formula, Names("value", among="number of a roll")]

    def of(self, number: int) -> int:
        """Return the target that belongs to a number."""
        return self.formula.evaluate(FunctionScope({TARGET_NUMBER: number}.__getitem__))


class RollWay(PackModel):
    """A way to roll a number that is not added to dice.

    - ``under``: roll ``dice``; the number or less succeeds. Each of the harder ``targets`` that
      is met as well is one level of success more. ``always`` or less succeeds and ``never`` or
      more fails, whatever the number is.
    - ``pool``: roll as many dice as the number says. Those that show one of the faces
      ``counts`` count.
    - ``step``: roll one die; the number says how many sides it has.

    ``unit`` is printed after the number and its targets: ``64 %``.
    """

    id: Slug
    how: Literal["under", "pool", "step"]
    dice: DiceText = ""
    unit: Label = ""
    targets: tuple[RollTarget, ...] = ()
    always: int | None = None
    never: int | None = None
    counts: tuple[int, ...] = ()

    @model_validator(mode="after")
    def fitting_keys(self) -> Self:
        """Refuse keys that belong to another way, and a way without what it needs."""
        if bool(self.dice) == (self.how == "step"):
            raise ValueError(_("'under' and 'pool' need 'dice'; 'step' has none"))
        if bool(self.counts) != (self.how == "pool"):
            raise ValueError(_("'counts' belongs to 'pool', which needs it"))
        if self.how != "under" and {"unit", "targets", "always", "never"} & self.model_fields_set:
            raise ValueError(_("'unit', 'targets', 'always' and 'never' belong to 'under'"))
        if self.always is not None and self.never is not None and self.always >= self.never:
            raise ValueError(
                _("a roll of {roll} cannot both always succeed and never succeed").format(
                    roll=self.never
                )
            )
        return self

    def around(self, number: int) -> tuple[str, str]:
        """Return what is printed before a number, and after it as its unit: ``d``, ``dice``."""
        if self.how == "step":
            return dice_notation("1d1")[1:-1], ""
        return "", ngettext("die", "dice", number) if self.how == "pool" else self.unit

    @property
    def without_dice(self) -> str:
        """The text for a number below 1: no dice are rolled then; empty if some always are."""
        return "" if self.how == "under" else _("no dice")

    def number_text(self, number: int) -> str:
        """Return a number as players say it: ``64 %``, ``6 dice``, ``d8``."""
        if number < 1 and self.without_dice:
            return self.without_dice
        before, unit = self.around(number)
        return f"{before}{number}{NO_BREAK}{unit}" if unit else f"{before}{number}"

    def targets_text(self, number: int) -> str:
        """Return the harder targets of a number: ``hard 32 %, extreme 12 %``."""
        shown = (f"{target.label} {self.number_text(target.of(number))}" for target in self.targets)
        return ", ".join(shown)

    def text(self, number: int) -> str:
        """Return a number with its targets: ``64 %, hard 32 %``."""
        return ", ".join(filter(None, (self.number_text(number), self.targets_text(number))))

    def rolled_dice(self, number: int) -> str:
        """Return the dice to roll for a number: ``1d100``, ``6d6``, ``1d8``; empty for none."""
        if self.how == "under":
            return self.dice
        sides = f"d{number}" if self.how == "step" else self.dice.lstrip("1")
        count = 1 if self.how == "step" else number
        return f"{count}{sides}" if number > 0 else ""

    def level(self, number: int, rolled: int) -> int:
        """Return the level of success of a roll: 0 for a failure, 1 for a success, then more."""
        if self.never is not None and rolled >= self.never:
            return 0
        if rolled > number and (self.always is None or rolled > self.always):
            return 0
        return 1 + sum(rolled <= target.of(number) for target in self.targets)

    def level_text(self, level: int) -> str:
        """Return a level of success in words: fails, succeeds, or the label of its target."""
        if level < 2:
            return _("succeeds") if level else _("fails")
        return self.targets[level - 2].label


ID_WORD = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
NumberRange = tuple[int | None, int | None]


def _at(raw: object) -> NumberRange | str:
    """Read the number, range or word of a row."""
    match raw:
        case bool():
            pass
        case int():
            return raw, raw
        case str() if ID_WORD.fullmatch(raw):
            return raw
        case (int() | None as low, int() | None as high) if not isinstance(low, bool):
            if low is None or high is None or low <= high:
                return low, high
    raise ValueError(
        _("the place of a row must be a number, a range ([8, 10], [13, null]) or a word")
    )


class ChartColumn(PackModel):
    """A column of a chart; a ``hidden`` one is not printed and only for procedures."""

    id: ValueId
    label: Label
    hidden: bool = False


class ChartRow(PackModel):
    """A row of a chart; ``at`` is its number, a range of numbers, or a word.

    A range with the end null has no upper limit. ``label`` is its heading,
    if not its numbers. Cells are numbers or texts; a text can contain
    numbers of the character in braces, and a text that is only one such
    number counts as a number.
    """

    at: Annotated[
        NumberRange | str,
        BeforeValidator(_at, json_schema_input_type=StrictInt | str | NumberRange),
    ]
    label: Text = ""
    cells: tuple[StrictInt | Text, ...]

    @property
    def span(self) -> NumberRange | None:
        """The numbers that it holds for; None where it is a word's."""
        return None if isinstance(self.at, str) else self.at

    @property
    def heading(self) -> str:
        """The heading of the row."""
        if self.label:
            return self.label
        if isinstance(self.at, str):
            return self.at
        low, high = (None if end is None else true_minus(str(end)) for end in self.at)
        if low is None or high is None:
            if low:
                return f"{low}+"
            return _("up to {number}").format(number=high) if high else _("any")
        return low if low == high else f"{low}{EN_DASH}{high}"

    def holds(self, key: int | str) -> bool:
        """Return whether it is the row of a number or word."""
        if isinstance(self.at, str) or isinstance(key, str):
            return self.at == key
        low, high = self.at
        return (low is None or low <= key) and (high is None or key <= high)


class Chart(PackModel):
    """A table of the book, with rows by a number or a word; ``key`` is their heading.

    A number between two rows selects the ``next`` row or the ``last`` one, or
    is an error (``refuse``), depending on ``between``. One that is read ``by_hand`` is for people,
    in the rulebook and in ``explain``: no rule has to read it.
    """

    id: Slug
    label: Label
    source: RuleRef = ""
    text: Text = ""
    key: Label = ""
    by_hand: bool = False
    columns: tuple[ChartColumn, ...] = Field(min_length=1)
    rows: tuple[ChartRow, ...] = Field(min_length=1)
    between: Literal["refuse", "next", "last"] = "refuse"

    def row(self, key: int | str) -> ChartRow | None:
        """Return the row of a number or word, if there is one."""
        for row in self.rows:
            if row.holds(key):
                return row
        if isinstance(key, str) or self.between == "refuse":
            return None
        spans = [(row.span, row) for row in self.rows if row.span is not None]
        if self.between == "next":
            above = [(low, row) for (low, _high), row in spans if low is not None and low > key]
            return min(above, key=lambda entry: entry[0])[1] if above else None
        below = [(high, row) for (_low, high), row in spans if high is not None and high < key]
        return max(below, key=lambda entry: entry[0])[1] if below else None

    def column(self, name: str) -> int:
        """Return the place of a column."""
        return [column.id for column in self.columns].index(name)

    def numbers_by_name(self) -> dict[str, int]:
        """Return the first number of each name of a row: its label, else its first text."""
        numbers: dict[str, int] = {}
        for row in self.rows:
            texts = (text for text in (row.label, *row.cells) if isinstance(text, str))
            name = next((text for text in texts if text and "{" not in text), "")
            if name and row.span is not None and row.span[0] is not None:
                numbers.setdefault(name, row.span[0])
        return numbers

    def first_text(self, name: str) -> str | None:
        """Return the first cell of a column that is a text, and not a formula; None without one."""
        place = self.column(name)
        cells = [row.cells[place] for row in self.rows if place < len(row.cells)]
        texts = (cell for cell in cells if isinstance(cell, str) and sole_formula(cell) is None)
        return next(texts, None)


class TrackStep(PackModel):
    """A step of a track, with its modifiers while a unit is on it."""

    id: Slug
    label: Label
    text: Text = ""
    modifies: tuple[Modifier, ...] = ()


class Track(PackModel):
    """An ordered track, such as morale or a condition track.

    The resource ``value`` selects the step: ``lowest`` is the number of the
    first step, one more is the next. Beyond the ends the nearest step applies.
    """

    id: Slug
    label: Label
    value: ValueRef
    lowest: int = 0
    steps: tuple[TrackStep, ...] = Field(min_length=1)
    source: RuleRef = ""

    def step(self, figure: int) -> TrackStep:
        """Return the step of a figure."""
        return self.steps[min(max(figure - self.lowest, 0), len(self.steps) - 1)]

    def figure_text(self, figure: int) -> str:
        """Return a figure with its step: ``2 (Winded)``."""
        return f"{figure} ({self.step(figure).label})"

    def source_id(self, step: TrackStep) -> str:
        """Return the id of a step as the source of its modifiers."""
        return f"{self.id}.{step.id}"

    def conditions(self) -> Iterator[tuple[TrackStep, Formula]]:
        """Yield each step with the formula that holds while a unit is on it."""
        last = len(self.steps) - 1
        for place, step in enumerate(self.steps):
            at = self.lowest + place
            bounds = [f"{self.value} >= {at}"] if place else []
            bounds += [f"{self.value} <= {at}"] if place < last else []
            yield step, Formula(" and ".join(bounds) or 1)


class Value(PackModel):
    """A value of the game; unit types define how to calculate it.

    It is printed between the texts ``before`` and ``unit``: ``d8``, ``10 m``;
    a ``signed`` one always has a sign: ``+2``. Its ``modifier`` is another value that is printed
    after it in brackets: ``15 (+2)``. ``one`` is its name in amounts of 1: ``1 Tale``. Sheets and
    lists of values show it only while the formula ``shown`` holds, and with ``hide_zero`` only
    while it is not 0; explanations always do.
    """

    id: ValueId
    label: Label
    name: Label
    one: Label = ""
    group: GroupRef = ""
    before: Label = ""
    unit: Label = ""
    signed: bool = False
    modifier: ValueRef | None = None
    shown: Formula = Formula(1)
    hide_zero: bool = False
    text: Text = ""

    @property
    def title(self) -> str:
        """Its name, with its label where that is another word: ``Strength (STR)``."""
        return self.name if self.name == self.label else f"{self.name} ({self.label})"

    def noun(self, number: int) -> str:
        """Return the name that follows an amount of it: ``Tale`` after 1, else ``Tales``."""
        return self.one if number == 1 and self.one else self.label

    def figure(self, number: int) -> str:
        """Return a figure with what stands before and after it."""
        unit = f"{NO_BREAK}{self.unit}" if self.unit else ""
        return f"{self.before}{self.number_text(number)}{unit}"

    def number_text(self, number: int) -> str:
        """Return a number as printed, with its sign if it always has one."""
        return signed_number(number) if self.signed else true_minus(str(number))


class Term(PackModel):
    """A term of a fixed vocabulary, such as a damage type; ``icon`` is its drawing."""

    id: Slug
    label: Label
    text: Text = ""
    icon: str = ""


class Timing(PackModel):
    """The time when an action can be used; sheets list them in this order.

    ``statblock`` is the part of a stat block for such actions. ``while`` a
    formula holds, each use spends 1 of the counter ``spends``, a condition,
    and is refused without any; ``units`` are the unit types that have a
    counter of their own, others spend that of their owner. ``or_spends`` are
    the counters that are traded for it, the first of them that is left, and
    ``also_spends`` are spent as well. Without ``only`` holding, no use is
    possible unless something grants it.
    """

    id: Slug
    label: Label
    text: Text = ""
    statblock: Literal["traits", "actions", "bonus_actions", "reactions"] = "actions"
    spends: EntityRef | None = None
    or_spends: tuple[EntityRef, ...] = ()
    also_spends: tuple[EntityRef, ...] = ()
    while_: Formula = Field(Formula(1), alias="while")
    only: OnlyWhile | None = None
    units: Annotated[Ids, Names("unit type")] = ()


ENTITY_ID = re.compile(r"[a-z0-9-]+/[a-z0-9]+(-[a-z0-9]+)*")
NOT_IN_ID = re.compile(r"[^a-z0-9]+")
MOST_DRAWS = 20  # rolls for one question, those on further tables included


class TableRow(Option):
    """A row of a random table: what the dice bring.

    ``at`` is its total, or the first and the last of several; without it the
    row follows the one before. ``label`` is the result; a row that only
    ``grants`` entities is called like them. ``roll`` names the tables on
    which it rolls in turn. A row can also be only a text, or the id of an entity.
    """

    at: int | tuple[int, int] | None = None
    id: Slug = "row"
    label: Label = ""
    roll: tuple[Slug, ...] = ()

    @model_validator(mode="after")
    def something(self) -> Self:
        """Refuse a row without a result, and conditions that dice cannot meet."""
        if self.requires is not None or self.price is not None:
            raise ValueError(_("dice decide: a row cannot have 'requires' or 'price'"))
        if not (self.label or self.grants or self.roll):
            raise ValueError(_("a row needs a 'label', 'grants' or 'roll'"))
        if isinstance(self.at, tuple) and self.at[0] > self.at[1]:
            raise ValueError(
                _("{low} to {high} is the wrong way round").format(low=self.at[0], high=self.at[1])
            )
        return self

    def names(self) -> Iterator[str]:
        """Yield what a player can type for the row: its id, its label, what it grants."""
        yield from filter(None, (self.id, self.label, *(grant.id for grant in self.grants)))


def _as_row(raw: object) -> object:
    """Allow a text or an entity alone, and derive an id that is left out."""
    if isinstance(raw, str):
        raw = {"grants": [raw]} if ENTITY_ID.fullmatch(raw) else {"label": raw}
    if isinstance(raw, dict) and "id" not in raw:
        granted = [g.get("id") if isinstance(g, dict) else g for g in raw.get("grants") or ()]
        names = [str(name).partition("/")[2] for name in granted]
        rolls = "-".join(["roll", *map(str, raw.get("roll") or ())])
        name = str(raw.get("label") or "-".join(names) or rolls)
        raw = {"id": NOT_IN_ID.sub("-", name.casefold()).strip("-") or "row", **raw}
    return raw


TableRows = Annotated[
    tuple[
        Annotated[TableRow, BeforeValidator(_as_row, json_schema_input_type=str | TableRow)], ...
    ],
    Field(min_length=1),
]


class RandomTable(PackModel):
    """A table to roll on: the ``dice``, and ``rows`` for all of their totals."""

    id: Slug
    label: Label = ""
    dice: DiceText
    rows: TableRows

    def spans(self, named: Mapping[str, Sequence[int]]) -> Iterator[tuple[int, int, TableRow]]:
        """Yield each row with its first and last total; ``named`` are the special dice.

        Raises ValueError for a wrong notation of dice.
        """
        totals = possible_totals(parse_dice(self.dice, named))
        after = totals[0] - 1
        for row in self.rows:
            at = row.at
            if at is None:
                place = bisect_right(totals, after)
                at = totals[place] if place < len(totals) else after + 1
            low, high = (at, at) if isinstance(at, int) else at
            yield low, high, row
            after = high


class Draw(NamedTuple):
    """One result on a table; ``faces`` are empty if the player chose the row."""

    table: RandomTable
    row: TableRow
    faces: tuple[int, ...] = ()


class Draws(NamedTuple):
    """The results of an answer, what is wrong with it, and the table it still needs a roll on."""

    results: tuple[Draw, ...]
    problem: str = ""
    waiting: RandomTable | None = None


def follow_draws(
    first: Sequence[RandomTable],
    others: Sequence[RandomTable],
    items: Sequence[Any],
    named: Mapping[str, Sequence[int]],
) -> Draws:
    """Return what items bring in turn: the faces of a roll, or the id of a row.

    ``first`` are the tables to roll on, ``others`` those that rows can name.
    """
    tables = {table.id: table for table in (*others, *first)}
    waiting, left, results = list(first), list(items), list[Draw]()
    while waiting:
        table = waiting.pop(0)
        if len(results) == MOST_DRAWS:
            return Draws(
                tuple(results),
                _("more than {most_draws} rolls: roll again from the start").format(
                    most_draws=MOST_DRAWS
                ),
            )
        if not left:
            return Draws(tuple(results), "", table)
        item = left.pop(0)
        draw = _draw(table, item, named)
        if isinstance(draw, str):
            return Draws(tuple(results), draw)
        results.append(draw)
        waiting = [*(tables[name] for name in draw.row.roll), *waiting]
    problem = (
        _("{count} rolls are needed, not {given}").format(count=len(results), given=len(items))
        if left
        else ""
    )
    return Draws(tuple(results), problem)


def _draw(table: RandomTable, item: Any, named: Mapping[str, Sequence[int]]) -> Draw | str:
    """Return the result of one item on a table, or what is wrong with it."""
    if isinstance(item, str):
        rows = exact_matches(table.rows, item, TableRow.names)
        if rows:
            return Draw(table, rows[0])
        return _("{item} is not a row of {label}").format(
            item=item, label=table.label or table.dice
        )
    dice = parse_dice(table.dice, named)
    problem = dice.problem(item)
    if problem:
        return problem
    total = dice.total(item)
    for low, high, row in table.spans(named):
        if low <= total <= high:
            return Draw(table, row, tuple(item))
    return _("{label} has no row for {total}").format(label=table.label or table.dice, total=total)


def span_text(low: int, high: int) -> str:
    """Return the totals of a row: ``4–14``."""
    return str(low) if low == high else f"{low}{EN_DASH}{high}"
