"""Everything that the game master does, by name: settings and undo here, the rest in its modules.

A change of a character is the same verb as in the terminal, and is undone on its own page; undo and
redo here are for foes, turns and settings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from charforge.errors import UsageError
from charforge.language import _
from charforge.serve import foe_actions, party_actions, turn_actions
from charforge.serve.evening import (
    NOT_LOGGED,
    VISIBILITIES,
    Evening,
    EveningState,
    Turns,
    Visibility,
)
from charforge.serve.table import Table
from charforge.serve.table_form import TableForm, TableResult

UNDO, REDO = "undo", "redo"


def run_table_action(
    table: Table, evening: Evening, name: str, form: Mapping[str, str | list[str]], at: str
) -> TableResult:
    """Run an action of the game master, add what it did to the log, and return it.

    Raises a CharforgeError for what cannot be done at all. What is refused for one of several
    characters is in the result; the others are changed.
    """
    action = TABLE_ACTIONS.get(name)
    if action is None:
        raise UsageError(_("there is no such action"))
    before = evening.saved.changes
    result = action(TableForm(table, evening, form, at))
    if evening.saved.changes != before:
        result = result._replace(offers=REDO if name == UNDO else UNDO)
    if result.lines and not evening.log(at, _("Game master"), result.lines):
        return result._replace(refused=(*result.refused, _(NOT_LOGGED)))
    return result


def _show(form: TableForm) -> TableResult:
    """Set what players see."""
    seen: dict[str, Visibility] = {}
    for seat in form.table.seats:
        wanted = form.text(f"seen.{seat}")
        for level in VISIBILITIES:
            if level == wanted:
                seen[seat] = level
    foe_vitals = form.flag("foe_vitals")

    def act(state: EveningState) -> tuple[EveningState, str]:
        update = {"foe_vitals": foe_vitals, "seen_by_others": {**state.seen_by_others, **seen}}
        return state.model_copy(update=update), _("What players see")

    form.evening.change(act)
    return TableResult()


def _run_turns(form: TableForm) -> TableResult:
    """Set whether turns run the rules."""
    update = {"run_turns": form.flag("run_turns")}
    text = _("Start and end turns by the rules")
    form.evening.change(lambda state: (state.model_copy(update=update), text))
    return TableResult()


def _new_evening(form: TableForm) -> TableResult:
    """Begin another log; combat is over, and foes are gone unless they are to stay."""
    keep = form.flag("keep_foes")

    def act(state: EveningState) -> tuple[EveningState, str]:
        number, foes = state.logs + 1, state.foes if keep else ()
        update = {"number": number, "logs": number, "turns": Turns(), "foes": foes}
        return state.model_copy(update=update), _("A new evening")

    return TableResult((form.evening.change(act),))


def _undo(form: TableForm) -> TableResult:
    text = form.evening.undo(form.number("changes") or 0)
    return TableResult((_("Undone: {change}").format(change=text),))


def _redo(form: TableForm) -> TableResult:
    text = form.evening.redo(form.number("changes") or 0)
    return TableResult((_("Restored: {change}").format(change=text),))


TABLE_ACTIONS: Mapping[str, Callable[[TableForm], TableResult]] = {
    "damage": party_actions.damage,
    "heal": party_actions.heal,
    "condition": party_actions.condition,
    "rest": party_actions.rest,
    "award": party_actions.award,
    "foe-add": foe_actions.add,
    "foe-damage": foe_actions.damage,
    "foe-heal": foe_actions.heal,
    "foe-note": foe_actions.note,
    "foe-remove": foe_actions.remove,
    "initiative": turn_actions.begin_combat,
    "next": turn_actions.next_turn,
    "previous": turn_actions.previous_turn,
    "end-combat": turn_actions.end_combat,
    "run-turns": _run_turns,
    "order-add": turn_actions.add,
    "order-up": turn_actions.move_up,
    "order-down": turn_actions.move_down,
    "order-remove": turn_actions.remove,
    "show": _show,
    "new-evening": _new_evening,
    UNDO: _undo,
    REDO: _redo,
}
