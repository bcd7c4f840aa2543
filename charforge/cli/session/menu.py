"""The screens of a session: what a unit can do, its conditions and its status."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from charforge.character.state import State
from charforge.cli import console
from charforge.cli.console import Line, Styled
from charforge.describe.entities import HeldEntity
from charforge.expressions.template import NO_BREAK
from charforge.language import N_, _
from charforge.sheet.holdings import active_conditions
from charforge.sheet.phrases import plain_line
from charforge.verbs.unit_status import AbilityRow, UnitStatus, player_conditions

READY = N_("ready")
INDENT = " " * 5  # below the name of a numbered row
Numbered = tuple[int, AbilityRow]


def opening_lines(
    title: str, status: str, rows: Sequence[AbilityRow], room: int
) -> tuple[Line, ...]:
    """Return the first screen: the state, attacks and abilities, and what everybody can do.

    What has no room of so many lines is listed by name only: first the abilities, then the attacks.
    """
    numbered = list(enumerate(rows, 1))
    attacks = [(n, row) for n, row in numbered if row.is_attack]
    own = [(n, row) for n, row in numbered if not row.is_attack and not row.common]
    common = [(n, row) for n, row in numbered if not row.is_attack and row.common]
    if not (attacks or own):
        own, common = common, own
    head = [(Styled(title, "bold"),), *console.wrapped(status)]
    rest = list(_short_group(_("Everyone can"), common))
    lines: tuple[Line, ...] = ()
    for of_attacks, of_own in ((_group, _group), (_group, _short_group), (_short_group,) * 2):
        shown = (*of_attacks(_("Your attacks"), attacks), *of_own(_("Your abilities"), own))
        lines = (*head, *shown, *rest)
        if len(lines) <= room:
            break
    return lines


def _short_group(title: str, rows: Sequence[Numbered]) -> Iterator[Line]:
    """Yield a heading and numbered names in running text."""
    if rows:
        yield ("",)
        yield (Styled(title, "bold"),)
        marks = (f"{n} {row.name}{_(' (not now)') if row.reasons else ''}" for n, row in rows)
        yield from console.wrapped(
            f"{NO_BREAK}· ".join(mark.replace(" ", NO_BREAK) for mark in marks), "  "
        )


def ability_lines(rows: Sequence[AbilityRow]) -> Iterator[Line]:
    """Yield every attack and ability with its facts and whether it is ready."""
    groups: dict[str, list[Numbered]] = {
        _("Your attacks"): [],
        _("Your abilities"): [],
        _("Everyone can"): [],
    }
    for number, row in enumerate(rows, 1):
        title = (
            _("Your attacks")
            if row.is_attack
            else _("Everyone can")
            if row.common
            else _("Your abilities")
        )
        groups[title].append((number, row))
    yield from _groups(groups)


def _groups(groups: Mapping[str, Sequence[Numbered]]) -> Iterator[Line]:
    for title, rows in groups.items():
        yield from _group(title, rows)


def _group(title: str, rows: Sequence[Numbered]) -> Iterator[Line]:
    """Yield an empty line, a heading and numbered rows in columns."""
    if rows:
        yield ("",)
        yield from group_lines(title, rows)


def group_lines(title: str, rows: Sequence[Numbered]) -> Iterator[Line]:
    """Yield a heading and numbered rows in columns; a row that is not ready is dim."""
    if not rows:
        return
    yield (Styled(title, "bold"),)
    facts = [" · ".join(row.facts) for _number, row in rows]
    names = min(max(len(row.name) for _number, row in rows), console.width() * 3 // 8)
    columns = min(max(map(len, facts)), console.width() * 3 // 8)
    for (number, row), text in zip(rows, facts, strict=True):
        state = "; ".join(row.reasons) or _(READY)
        cells = (f"{number:>3}  {row.name:<{names}}", f"{text:<{columns}}", state)
        for line in _columns(cells):
            yield (Styled(line, "dim") if row.reasons else line,)


def _columns(cells: Sequence[str]) -> Iterator[str]:
    """Yield cells beside each other; those that do not fit go on below the first."""
    most, line = console.width() - 1, ""
    for cell in cells:
        beside = f"{line}  {cell}" if line else cell
        if not line or len(beside.rstrip()) <= most:
            line = beside
            continue
        yield line.rstrip()
        *above, line = textwrap.wrap(
            cell.strip(), most, initial_indent=INDENT, subsequent_indent=INDENT
        )
        yield from above
    yield line.rstrip()


def condition_lines(state: State, unit: str) -> Iterator[Line]:
    """Yield the conditions of a unit with their effects, and the names that can be set."""
    hidden = {condition.label for condition in state.active_conditions(unit) if condition.hidden}
    active = [one for one in active_conditions(state, unit) if one.text not in hidden]
    if not active:
        yield (_("No conditions."),)
    for condition in active:
        yield (Styled(condition.text, "bold"),)
        yield from console.wrapped(plain_line(condition.effect), "  ")
        if condition.ends:
            yield from console.wrapped(_("Until {ends}.").format(ends=condition.ends), "  ")
    settable = [entity.name for entity in player_conditions(state, unit)]
    if settable:
        yield ("",)
        yield from console.wrapped(
            _("Add one with `condition NAME`, remove it with `condition NAME off`:")
        )
        yield from console.wrapped(", ".join(dict.fromkeys(settable)), "  ")


def status_lines(
    name: str, shown: UnitStatus, others: Iterable[tuple[str, UnitStatus]]
) -> Iterator[Line]:
    """Yield the whole status of a unit, and a line for each other unit."""
    yield (Styled(name, "bold"),)
    rows = (
        ("", " · ".join(shown.figure_texts)),
        (_("Conditions"), ", ".join(shown.conditions)),
        (_("On cooldown"), ", ".join(shown.cooling)),
        (_("Items"), "; ".join(shown.items)),
    )
    for label, text in rows:
        if text:
            yield from console.wrapped(f"{label}: {text}" if label else text, "    ", "  ")
    for unit, status in others:
        yield from console.wrapped(f"{unit}: {' · '.join(status.figure_texts)}", "    ")


def about_lines(state: State, unit: str, row: AbilityRow) -> Iterator[Line]:
    """Yield the name, facts, readiness and text of an ability."""
    ability = row.ability
    yield (Styled(row.name, "bold"),)
    yield from console.wrapped(" · ".join((*row.facts, "; ".join(row.reasons) or _(READY))), "  ")
    held = HeldEntity(state, ability.entity, unit, getattr(ability.holding, "id", ""))
    text = held.line(ability.definition.text or ability.entity.text)
    yield from console.wrapped(text, "  ")
