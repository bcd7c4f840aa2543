"""The GM's page of a party: initiative, the vitals and attributes of each unit, and abilities.

It is built from the views of the members' sheets, with a part for each ruleset; small parts
share a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from charforge.errors import ProcedureError, RuleRefusal
from charforge.expressions.dice import Dice
from charforge.procedures import run as procedures
from charforge.procedures.steps import every_step
from charforge.replay.replay import Character
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build, game_look
from charforge.sheet.estimate import POINT, USUAL, WIDTHS, lines, scale_of
from charforge.sheet.html import environment
from charforge.sheet.print_options import Look
from charforge.sheet.spread import GUTTER, column_width
from charforge.sheet.view import (
    ActiveCondition,
    Attribute,
    Headline,
    Item,
    SheetLook,
    SheetView,
    SheetVital,
    UnitPanel,
    items_by_label,
)

ALWAYS = "Always"
MOST_NAMES = 6  # in a title
SUMMARY = "The party"
MOST_KEPT_TOGETHER = 0.5  # of a page: a longer box of a member may continue on the next page
OTHERS, OTHERS_OF_SEVERAL = 6, 3  # empty lines for others who act, with one game or several
RESULT, LARGE_RESULT = 14.0, 20.0  # the smallest width of a column of the initiative table


class Member(NamedTuple):
    """A character of a party.

    ``scores`` are the scores for initiative without dice; None if they are rolled or the game
    has no initiative. ``acts_last`` if a rule puts it after all others.
    """

    character: Character
    view: SheetView
    scores: tuple[int, ...] | None
    acts_last: bool = False

    @property
    def facts(self) -> tuple[str, ...]:
        """The headline and level, the stores and the values of a member that are not zero."""
        listed = (*self.view.stores, *self.view.figures)
        facts = [fact for fact in listed if fact.text.split()[:1] != ["0"]]
        parts = (headline_and_level(self.view), *(f"{fact.label} {fact.text}" for fact in facts))
        return tuple(filter(None, parts))

    @property
    def has_details(self) -> bool:
        """Whether its box has anything besides its name."""
        view = self.view
        warnings = (view.problems, view.allowed, view.pack_changes)
        more = (view.attacks, view.units, view.table_rules)
        return any((self.facts, self.abilities, self.usable_items, *warnings, *more))

    @property
    def abilities(self) -> dict[str, list[str]]:
        """The names of cards, by the label of their timing."""
        names: dict[str, list[str]] = {}
        for card in self.view.cards:
            for label in dict.fromkeys(action.label for action in card.actions) or (ALWAYS,):
                names.setdefault(label or ALWAYS, []).append(card.name)
        return names

    @property
    def usable_items(self) -> tuple[tuple[str, tuple[Item, ...]], ...]:
        """The equipment with actions or capacities, by label, without the weapons of attacks."""
        weapons = {line.bearer for line in self.view.attacks}
        return items_by_label(
            item
            for item in self.view.items
            if item.name not in weapons and (item.actions or item.capacities)
        )


class PartyRow(NamedTuple):
    """A unit with its values, one for each column (None if it has none).

    An ``owned`` unit belongs to the character in a row above.
    """

    name: str
    description: str
    owned: bool
    active_conditions: tuple[ActiveCondition, ...]
    cells: tuple[SheetVital | Attribute | None, ...]


class PartyTable(NamedTuple):
    """A table of units. Each column is labelled by the value of the first unit that has it."""

    columns: tuple[SheetVital | Attribute, ...]
    rows: tuple[PartyRow, ...]


class Party(NamedTuple):
    """The members who play the same game, in the order in which they were given.

    ``initiative`` is the label and dice of initiative. ``turn_order`` are the members in play:
    highest score first or, if the game rolls all scores (``rolled_scores`` are their labels),
    as given. It is empty in a game without initiative.
    """

    title: str
    ruleset: str
    initiative: tuple[str, str]
    members: tuple[Member, ...]
    turn_order: tuple[Member, ...]
    rolled_scores: tuple[str, ...]
    vitals: PartyTable
    attributes: PartyTable
    attributes_label: str

    @property
    def initiative_columns(self) -> tuple[str, ...]:
        """The labels of the columns to write initiative in."""
        return self.rolled_scores or ("Score", "Roll", "Result")

    @property
    def members_with_details(self) -> tuple[Member, ...]:
        """The members whose box has anything besides their name."""
        return tuple(member for member in self.members if member.has_details)


class PartySummary(NamedTuple):
    """The parts of all games. The other fields are those that every page needs."""

    name: str
    ruleset: str
    games: tuple[Party, ...]
    look: SheetLook = SheetLook()
    level_label: str = ""
    level: int = 0
    levels: int = 1
    headline: tuple[Headline, ...] = ()
    problems: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()


def party_member(character: Character, view: SheetView | None = None) -> Member:
    """Return a character as a member of a party; ``view`` is its view if already built."""
    return Member(character, view or build(character), *_scores(character))


def parties(members: Iterable[Member]) -> list[Party]:
    """Return a party for each ruleset, in the order of the members."""
    games: dict[str, list[Member]] = {}
    for member in members:
        games.setdefault(member.character.state.ruleset.id, []).append(member)
    return [_party(game, len(games) > 1) for game in games.values()]


def party_title(members: Sequence[Member]) -> str:
    """Return the title of a party: the names of its first members."""
    names = [member.view.name for member in members[:MOST_NAMES]]
    more = [f"{len(members) - MOST_NAMES} more"] if len(members) > MOST_NAMES else []
    return f"Party: {', '.join(names + more)}"


def render_summary(games: Sequence[Party], look: Look) -> str:
    """Return the GM's pages of all games as HTML."""
    members = [member for game in games for member in game.members]
    ruleset = games[0].ruleset if len(games) == 1 else f"{len(games)} games"
    look_of_game = game_look(members[0].character.state.ruleset) if len(games) == 1 else SheetLook()
    view = PartySummary(party_title(members), ruleset, tuple(games), look_of_game)
    template = environment().get_template("party.html")
    return template.render(
        view=view,
        look=look,
        audit=(),
        play=None,
        others=OTHERS if len(games) == 1 else OTHERS_OF_SEVERAL,
        initiative_width=initiative_width,
        keep_together=keep_together,
    )


def initiative_width(games: Sequence[Party], look: Look) -> float:
    """Return the width (mm) of the columns of the initiative tables, wide enough for any label."""
    scale = scale_of(look)
    em = scale.note * POINT / 100 * scale.wider
    labels = (label for game in games for label in game.initiative_columns)
    printed = (label if look.large else label.upper() for label in labels)
    longest = max(sum(WIDTHS.get(character, USUAL) for character in label) for label in printed)
    return max(LARGE_RESULT if look.large else RESULT, round(longest * em + 2, 1))


def keep_together(member: Member, look: Look) -> bool:
    """Whether a member's box is short enough to be kept on one page."""
    scale, width = scale_of(look), column_width(look, GUTTER) - 6
    view = member.view
    units = [(unit.name, *(card.name for card in unit.cards)) for unit in view.units]
    texts = [member.facts, view.problems, view.pack_changes, *member.abilities.values(), *units]
    texts += [[item.name for item in items] for _label, items in member.usable_items]
    texts.append([fact.text for fact in view.allowed])
    attacks = sum(len(unit.attacks) for unit in _units(view))
    rows = sum(lines(" · ".join(text), width, scale.body, scale.wider) for text in texts)
    height = (rows + 1.5 * attacks) * scale.body * POINT * 1.5
    return height < MOST_KEPT_TOGETHER * look.page.height


def headline_and_level(view: SheetView) -> str:
    """Return the headline and level of a character, such as ``Medic · level 3``."""
    level = f"{view.level_label.lower()} {view.level}" if view.levels > 1 else ""
    return " · ".join(filter(None, (*(part.name for part in view.headline), level)))


def _party(members: Sequence[Member], several: bool) -> Party:
    """Return the members of one game as a party; ``several`` if there are other games."""
    views = [member.view for member in members]
    units = [unit for view in views for unit in _units(view)]
    ruleset = members[0].character.state.ruleset
    order = ruleset.head.play.order
    rolled = _rolled_scores(ruleset)
    acting = [
        member
        for member in members
        if (rolled or member.scores is not None) and member.character.state.out_of_play() is None
    ]
    return Party(
        title=f"{SUMMARY} · {ruleset.head.name}" if several else SUMMARY,
        ruleset=ruleset.head.name,
        initiative=(order.label, order.dice) if order is not None else ("", ""),
        members=tuple(members),
        turn_order=tuple(sorted(acting, key=_turn_key, reverse=True)),
        rolled_scores=rolled,
        vitals=_table((unit, unit.vitals) for unit in units),
        attributes=_table((unit, unit.attributes) for unit in units),
        attributes_label=views[0].attributes_label,
    )


def _units(view: SheetView) -> tuple[SheetView | UnitPanel, ...]:
    return (view, *view.units)


def _table(
    units: Iterable[tuple[SheetView | UnitPanel, Sequence[SheetVital | Attribute]]],
) -> PartyTable:
    """Return a table with a row for each unit that has values, and a column for each value id."""
    by_id = [(unit, {value.id: value for value in values}) for unit, values in units if values]
    columns: dict[str, SheetVital | Attribute] = {}
    for _unit, values in by_id:
        for id, value in values.items():
            columns.setdefault(id, value)
    rows = []
    for unit, values in by_id:
        owned = isinstance(unit, UnitPanel)
        description = unit.kind if isinstance(unit, UnitPanel) else headline_and_level(unit)
        cells = tuple(map(values.get, columns))
        rows.append(PartyRow(unit.name, description, owned, unit.active_conditions, cells))
    return PartyTable(tuple(columns.values()), tuple(rows))


def _rolled_scores(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the labels of the scores for initiative if they are rolled, else nothing."""
    order = ruleset.head.play.order
    if order is None:
        return ()
    procedure = ruleset.procedure(order.procedure)
    rolls = any(step.rolls_dice for step in every_step(ruleset, procedure.steps))
    labels = {output.id: output.label for output in procedure.outputs}
    return tuple(labels[name] for name in order.output) if rolls else ()


def _turn_key(member: Member) -> tuple[bool, tuple[int, ...]]:
    return not member.acts_last, member.scores or ()


def _scores(character: Character) -> tuple[tuple[int, ...] | None, bool]:
    """Return the scores for initiative without dice, and whether the character acts last.

    No scores in a game without initiative, if it is rolled, or if a rule does not allow it now.
    """
    ruleset = character.state.ruleset
    order = ruleset.head.play.order
    if order is None:
        return None, False
    try:
        run = procedures.run_procedure(
            character.state, ruleset.procedure(order.procedure), {}, _no_dice
        )
    except (ProcedureError, RuleRefusal):
        return None, False
    scores = [run.outputs.get(name) for name in order.output]
    figures = tuple(score if isinstance(score, int) else 0 for score in scores)
    return figures, bool(run.outputs.get(order.last))


def _no_dice(name: str, dice: Dice, _label: str) -> list[int]:
    """Refuse to roll dice."""
    raise ProcedureError(name, [(name, f"{dice.notation} are not rolled for a page")])
