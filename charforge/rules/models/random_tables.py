"""Random tables: rows by the total of dice, which can send on to other tables."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, Self

from pydantic import BeforeValidator, Field, model_validator

from charforge.expressions.dice import parse_dice, possible_totals
from charforge.expressions.template import EN_DASH
from charforge.language import _
from charforge.rules.models.base import DiceText, Label, Option, PackModel, Slug, spellings

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
        word = item.strip().casefold()
        for row in table.rows:
            if word in (row.id, *spellings(row.label), *(grant.id for grant in row.grants)):
                return Draw(table, row)
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
