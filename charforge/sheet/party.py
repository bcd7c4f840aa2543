"""The GM's page of a party: initiative, the resources of each unit, and their actions.

It is made of the views of the sheets, a part for each ruleset; small parts
share a page. What is in its columns is what those sheets show: a game is
not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from charforge.errors import ProcedureError, RuleRefusal
from charforge.expressions.dice import Dice
from charforge.procedures import run as procedures
from charforge.procedures.steps import every_step
from charforge.replay.replay import Character
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.estimate import POINT, USUAL, WIDTHS, lines, scale_of
from charforge.sheet.html import environment
from charforge.sheet.print_options import Look
from charforge.sheet.spread import GUTTER, column_width
from charforge.sheet.view import (
    ActiveCondition,
    Attribute,
    Headline,
    Item,
    SheetView,
    SheetVital,
    UnitPanel,
    items_by_label,
)

ALWAYS = "Always"
NAMED = 6  # members that a title names
SUMMARY = "The party"
WHOLE = 0.5  # of a page, that a member's box may take before it is cut
OTHERS, FEWER = 6, 3  # lines for others who act, fewer where several games share a page
RESULT, LARGE_RESULT = 14.0, 20.0  # the least width of a result of the order of turns


class Member(NamedTuple):
    """A character of a party; ``scores`` are what the order of turns goes by, before any dice.

    None where they are rolled, or where there are none.
    """

    character: Character
    view: SheetView
    scores: tuple[int, ...] | None

    @property
    def brief(self) -> tuple[str, ...]:
        """A short description, the possessions and the values of a member, without zeros."""
        stated = (*self.view.stores, *self.view.figures)
        facts = [fact for fact in stated if fact.text.split()[:1] != ["0"]]
        parts = (headline_and_level(self.view), *(f"{fact.label} {fact.text}" for fact in facts))
        return tuple(filter(None, parts))

    @property
    def tells(self) -> bool:
        """Whether its box has anything besides its name."""
        shown = self.view
        more = (shown.problems, shown.allowed, shown.attacks, shown.units, shown.table_rules)
        return any((self.brief, self.deeds, self.supplies, *more))

    @property
    def deeds(self) -> dict[str, list[str]]:
        """The abilities of a member: names of cards by the label of their timing."""
        found: dict[str, list[str]] = {}
        for card in self.view.cards:
            for label in dict.fromkeys(action.label for action in card.actions) or (ALWAYS,):
                found.setdefault(label or ALWAYS, []).append(card.name)
        return found

    @property
    def supplies(self) -> tuple[tuple[str, tuple[Item, ...]], ...]:
        """The equipment with something to use or use up, weapons apart: those have their lines."""
        armed = {line.bearer for line in self.view.attacks}
        return items_by_label(
            item
            for item in self.view.items
            if item.name not in armed and (item.actions or item.capacities)
        )


class PartyRow(NamedTuple):
    """A unit with what it has in each column, None for nothing; ``owned`` by the one above."""

    name: str
    about: str
    owned: bool
    active_conditions: tuple[ActiveCondition, ...]
    cells: tuple[SheetVital | Attribute | None, ...]


class PartyTable(NamedTuple):
    """Columns, of which the first unit that has one names it, and the units that have any."""

    columns: tuple[SheetVital | Attribute, ...]
    rows: tuple[PartyRow, ...]


class Party(NamedTuple):
    """The part of the members that play one game, in the order in which they were given.

    ``turns`` are those in play by their scores, best first, and in a game that
    rolls them (``rolled`` names the results) as they were given; empty in
    a game without an order.
    """

    title: str
    ruleset: str
    order: tuple[str, str]
    members: tuple[Member, ...]
    turns: tuple[Member, ...]
    rolled: tuple[str, ...]
    vitals: PartyTable
    attributes: PartyTable
    attributes_label: str

    @property
    def results(self) -> tuple[str, ...]:
        """The columns to write down for initiative."""
        return self.rolled or ("Score", "Roll", "Result")

    @property
    def doers(self) -> tuple[Member, ...]:
        """The members of whom there is more to tell than their values."""
        return tuple(one for one in self.members if one.tells)


class PartySummary(NamedTuple):
    """The parts of all games; the other fields are what every page says of itself."""

    name: str
    ruleset: str
    games: tuple[Party, ...]
    accent: str = ""
    level_label: str = ""
    level: int = 0
    levels: int = 1
    headline: tuple[Headline, ...] = ()
    problems: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()


def member(character: Character, view: SheetView | None = None) -> Member:
    """Return a character as a member; its view is built where it is not there yet."""
    return Member(character, view or build(character), _scores(character))


def parties(members: Iterable[Member]) -> list[Party]:
    """Return the members by ruleset, in the order in which the rulesets are met."""
    games: dict[str, list[Member]] = {}
    for one in members:
        games.setdefault(one.character.state.ruleset.id, []).append(one)
    return [_party(game, len(games) > 1) for game in games.values()]


def party_title(members: Sequence[Member]) -> str:
    """Return the title of a party: the names of its first members."""
    names = [one.view.name for one in members[:NAMED]]
    more = [f"{len(members) - NAMED} more"] if len(members) > NAMED else []
    return f"Party: {', '.join(names + more)}"


def render_summary(games: Sequence[Party], look: Look) -> str:
    """Return the GM's pages as HTML, one game after the other."""
    members = [one for game in games for one in game.members]
    played = games[0].ruleset if len(games) == 1 else f"{len(games)} games"
    view = PartySummary(party_title(members), played, tuple(games))
    template = environment().get_template("party.html")
    return template.render(
        view=view,
        look=look,
        audit=(),
        play=None,
        others=OTHERS if len(games) == 1 else FEWER,
        result_width=result_width,
        stands_whole=stands_whole,
    )


def result_width(games: Sequence[Party], look: Look) -> float:
    """Return the width (mm) of a result of the order of turns: no head meets the next."""
    scale = scale_of(look)
    em = scale.note * POINT / 100 * scale.wider
    labels = (label for game in games for label in game.results)
    shown = (label if look.large else label.upper() for label in labels)
    longest = max(sum(WIDTHS.get(sign, USUAL) for sign in label) for label in shown)
    return max(LARGE_RESULT if look.large else RESULT, round(longest * em + 2, 1))


def stands_whole(one: Member, look: Look) -> bool:
    """Whether a member's box is to stand on one page: a long one goes on on the next."""
    scale, width = scale_of(look), column_width(look, GUTTER) - 6
    units = [(unit.name, *(card.name for card in unit.cards)) for unit in one.view.units]
    told = [one.brief, one.view.problems, *one.deeds.values(), *units]
    told += [[item.name for item in items] for _label, items in one.supplies]
    told.append([fact.text for fact in one.view.allowed])
    shots = [len(unit.attacks) for unit in _units(one.view)]
    rows = sum(lines(" · ".join(text), width, scale.body, scale.wider) for text in told)
    high = (rows + 1.5 * sum(shots)) * scale.body * POINT * 1.5
    return high < WHOLE * look.page.height


def headline_and_level(view: SheetView) -> str:
    """Return the headline and level of a character, such as ``Medic · level 3``."""
    level = f"{view.level_label.lower()} {view.level}" if view.levels > 1 else ""
    return " · ".join(filter(None, (*(one.name for one in view.headline), level)))


def _party(members: Sequence[Member], several: bool) -> Party:
    views = [one.view for one in members]
    units = [unit for view in views for unit in _units(view)]
    head = members[0].character.state.ruleset.head
    order = head.play.order
    rolled = _rolled(members[0].character.state.ruleset)
    scored = [one for one in members if rolled or one.scores is not None]
    acting = [one for one in scored if one.character.state.out_of_play() is None]
    return Party(
        title=f"{SUMMARY} · {head.name}" if several else SUMMARY,
        ruleset=head.name,
        order=(order.label, order.dice) if order is not None else ("", ""),
        members=tuple(members),
        turns=tuple(sorted(acting, key=lambda one: one.scores or (), reverse=True)),
        rolled=rolled,
        vitals=_table((unit, unit.vitals) for unit in units),
        attributes=_table((unit, unit.attributes) for unit in units),
        attributes_label=views[0].attributes_label,
    )


def _units(view: SheetView) -> tuple[SheetView | UnitPanel, ...]:
    return (view, *view.units)


def _table(
    units: Iterable[tuple[SheetView | UnitPanel, Sequence[SheetVital | Attribute]]],
) -> PartyTable:
    """Set units below each other, equal values in one column."""
    having = [(unit, {one.id: one for one in values}) for unit, values in units if values]
    columns: dict[str, SheetVital | Attribute] = {}
    for _unit, values in having:
        columns = {**values, **columns}
    order = dict.fromkeys(name for _unit, values in having for name in values)
    return PartyTable(tuple(columns[name] for name in order), tuple(_rows(having, list(order))))


def _rows(
    having: Iterable[tuple[SheetView | UnitPanel, dict[str, SheetVital | Attribute]]],
    columns: Sequence[str],
) -> Iterator[PartyRow]:
    for unit, values in having:
        owned = isinstance(unit, UnitPanel)
        kind = unit.kind if isinstance(unit, UnitPanel) else headline_and_level(unit)
        yield PartyRow(
            unit.name, kind, owned, unit.active_conditions, tuple(map(values.get, columns))
        )


def _rolled(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the labels of what the order of turns goes by, where all of it is rolled."""
    order = ruleset.head.play.order
    if order is None:
        return ()
    procedure = ruleset.procedure(order.procedure)
    rolls = any(step.rolls_dice for step in every_step(ruleset, procedure.steps))
    labels = {one.id: one.label for one in procedure.outputs}
    return tuple(labels[name] for name in order.output) if rolls else ()


def _scores(character: Character) -> tuple[int, ...] | None:
    """Return what the order of turns goes by, before any dice.

    None in a game without one, where it is rolled, and where a rule does
    not let the character have one now.
    """
    ruleset = character.state.ruleset
    order = ruleset.head.play.order
    if order is None:
        return None
    try:
        run = procedures.run_procedure(
            character.state, ruleset.procedure(order.procedure), {}, _no_dice
        )
    except (ProcedureError, RuleRefusal):
        return None
    scores = [run.outputs.get(name) for name in order.output]
    return tuple(score if isinstance(score, int) else 0 for score in scores)


def _no_dice(name: str, dice: Dice, _label: str) -> list[int]:
    raise ProcedureError(name, [(name, f"{dice.notation} are not rolled for a page")])
