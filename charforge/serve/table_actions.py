"""Everything that the game master does, by name; turns are in ``turn_actions``.

A change of a character is the same verb as in the terminal, and is undone on its own page; undo and
redo here are for foes, turns and settings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from charforge.character.state import CHARACTER, find_unit
from charforge.errors import (
    MissingAnswers,
    RuleRefusal,
    UsageError,
)
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.serve import turn_actions
from charforge.serve.table import Table
from charforge.serve.table_form import (
    LONGEST_NOTES,
    TableForm,
    TableResult,
    Verb,
    change_unit,
    new_names,
)
from charforge.serve.table_state import (
    NOT_LOGGED,
    VISIBILITIES,
    Foe,
    TableState,
    TableStore,
    Turns,
    Visibility,
)
from charforge.verbs import manual_changes, play
from charforge.verbs.change import PlayResult
from charforge.verbs.typed_inputs import TypedInputs

UNDO, REDO = "undo", "redo"
MOST_FOES = 50
MOST_ALIKE = 20  # foes that are added at the same time


def run_table_action(
    table: Table, store: TableStore, name: str, form: Mapping[str, str | list[str]], at: str
) -> TableResult:
    """Run an action of the game master, add what it did to the log, and return it.

    Raises a CharforgeError for what cannot be done at all. What is refused for one of several
    characters is in the result; the others are changed.
    """
    action = TABLE_ACTIONS.get(name)
    if action is None:
        raise UsageError(_("there is no such action"))
    before = store.saved.changes
    result = action(TableForm(table, store, form, at))
    if store.saved.changes != before:
        result = result._replace(offers=REDO if name == UNDO else UNDO)
    if result.lines and not store.log(at, _("Game master"), result.lines):
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

    def act(state: TableState) -> tuple[TableState, str]:
        update = {"foe_vitals": foe_vitals, "seen_by_others": {**state.seen_by_others, **seen}}
        return state.model_copy(update=update), _("What players see")

    form.store.change(act)
    return TableResult()


def _run_turns(form: TableForm) -> TableResult:
    """Set whether turns run the rules."""
    update = {"run_turns": form.flag("run_turns")}
    text = _("Start and end turns by the rules")
    form.store.change(lambda state: (state.model_copy(update=update), text))
    return TableResult()


def _new_evening(form: TableForm) -> TableResult:
    """Begin another log; combat is over, and foes are gone unless they are to stay."""
    keep = form.flag("keep_foes")

    def act(state: TableState) -> tuple[TableState, str]:
        number, foes = state.logs + 1, state.foes if keep else ()
        update = {"number": number, "logs": number, "turns": Turns(), "foes": foes}
        return state.model_copy(update=update), _("A new evening")

    return TableResult((form.store.change(act),))


def _undo(form: TableForm) -> TableResult:
    text = form.store.undo(form.number("changes") or 0)
    return TableResult((_("Undone: {change}").format(change=text),))


def _redo(form: TableForm) -> TableResult:
    text = form.store.redo(form.number("changes") or 0)
    return TableResult((_("Restored: {change}").format(change=text),))


# ------------------------------------------------------------------ characters


def _several(form: TableForm, verb: Verb) -> TableResult:
    """Change the units that are ticked, one after the other."""
    changes = (change_unit(form.table, seat, unit, verb) for seat, unit in form.units())
    return TableResult().followed_by(*changes)


def _own(unit: str) -> str | None:
    """Return a unit for a verb; None for the character, whose companions take part in some."""
    return None if unit == CHARACTER else unit


def damage(form: TableForm) -> TableResult:
    """Deal damage."""
    amount = form.amount()

    def verb(opened: LoadedCharacter, unit: str) -> PlayResult:
        typed = _typed(form, opened, opened.ruleset.head.play.damage)
        return play.apply_damage(opened, amount, None, unit, typed)

    return _several(form, verb)


def heal(form: TableForm) -> TableResult:
    """Heal damage."""
    amount = form.amount()

    def verb(opened: LoadedCharacter, unit: str) -> PlayResult:
        typed = _typed(form, opened, opened.ruleset.head.play.heal)
        return play.apply_healing(opened, amount, unit, typed)

    return _several(form, verb)


def _typed(form: TableForm, opened: LoadedCharacter, rule: str | None) -> TypedInputs:
    return TypedInputs() if rule is None else form.inputs(opened.ruleset.procedure(rule))


def rest(form: TableForm) -> TableResult:
    """Take a rest."""
    kind = form.text("kind")

    def verb(opened: LoadedCharacter, unit: str) -> PlayResult:
        typed = _typed(form, opened, opened.ruleset.head.play.rests.get(kind))
        return play.take_rest(opened, kind, None, _own(unit), typed)

    return _several(form, verb)


def condition(form: TableForm) -> TableResult:
    """Add or remove a condition."""
    name, off, about = form.text("condition"), form.flag("off"), form.text("about")
    amount, turns = form.number("amount"), form.number("turns")
    if not name:
        raise UsageError(_("choose a condition"))
    return _several(
        form,
        lambda opened, unit: manual_changes.change_condition(
            opened, name, unit, off, amount, about, turns
        ),
    )


def award(form: TableForm) -> TableResult:
    """Award something: a resource, a condition, or an entity without choices."""
    what, amount = form.text("what"), form.number("amount")
    if not what:
        raise UsageError(_("say what to award"))
    return _several(form, lambda opened, unit: _awarded(opened, unit, what, amount))


def _awarded(opened: LoadedCharacter, unit_id: str, what: str, amount: int | None) -> PlayResult:
    """Return the result of an award. Raises RuleRefusal for something with choices to make."""
    state = opened.character.state
    found = manual_changes.find_award(state, what, find_unit(state, unit_id))
    try:
        return manual_changes.award(opened, found, amount, unit_id)
    except MissingAnswers as error:
        name = found if isinstance(found, str) else found.name
        raise RuleRefusal(
            _("{name} has choices to make: award it in the terminal").format(name=name)
        ) from error


# ------------------------------------------------------------------ foes


def add_foes(form: TableForm) -> TableResult:
    """Add foes of one sort."""
    name, count = form.text("name"), form.number("count", 1) or 1
    hit_points, notes = form.number("hit_points"), form.text("notes", LONGEST_NOTES)
    if not name:
        raise UsageError(_("the foe needs a name"))
    if count > MOST_ALIKE:
        raise UsageError(_("at most {most} at a time").format(most=MOST_ALIKE))
    hidden, taken = form.flag("hidden"), set(form.table.names().values())

    def act(state: TableState) -> tuple[TableState, str]:
        if len(state.foes) + count > MOST_FOES:
            raise UsageError(_("there are at most {most} foes").format(most=MOST_FOES))
        names = new_names(name, count, taken | {foe.name for foe in state.foes})
        added = (
            Foe(
                id=f"foe{state.next_id + number}", name=new, notes=notes, hidden=hidden,
                hit_points=hit_points, max_hit_points=hit_points,
            )
            for number, new in enumerate(names)
        )  # fmt: skip
        update = {"foes": (*state.foes, *added), "next_id": state.next_id + count}
        return state.model_copy(update=update), _("New: {names}").format(names=", ".join(names))

    return TableResult((form.store.change(act),))


def _change_foe(form: TableForm, act: Callable[[Foe], tuple[Foe, str]]) -> TableResult:
    """Change a foe, and return what happened."""
    id = form.foe().id

    def change(state: TableState) -> tuple[TableState, str]:
        foe = state.foe(id)
        if foe is None:  # it was removed just now
            return state, ""
        changed, line = act(foe)
        foes = tuple(changed if one.id == id else one for one in state.foes)
        return state.model_copy(update={"foes": foes}), f"{changed.name}: {line}"

    return TableResult(tuple(filter(None, [form.store.change(change)])))


def _hit_points(sign: int, form: TableForm) -> TableResult:
    amount = form.amount()

    def act(foe: Foe) -> tuple[Foe, str]:
        if foe.hit_points is None or foe.max_hit_points is None:
            raise RuleRefusal(_("{name} has no hit points here").format(name=foe.name))
        hit_points = min(max(foe.hit_points + sign * amount, 0), foe.max_hit_points)
        return foe.model_copy(
            update={"hit_points": hit_points}
        ), f"{foe.hit_points} → {hit_points} / {foe.max_hit_points}"

    return _change_foe(form, act)


damage_foe, heal_foe = partial(_hit_points, -1), partial(_hit_points, 1)


def note_foe(form: TableForm) -> TableResult:
    """Change the notes and conditions of a foe, and whether players know it."""
    hidden, notes = form.flag("hidden"), form.text("notes", LONGEST_NOTES)
    conditions = form.text("conditions", LONGEST_NOTES)

    def act(foe: Foe) -> tuple[Foe, str]:
        update = {"notes": notes, "conditions": conditions, "hidden": hidden}
        return foe.model_copy(update=update), conditions or _("changed")

    return _change_foe(form, act)


def remove_foe(form: TableForm) -> TableResult:
    """Remove a foe, and its place in the order of turns."""
    foe = form.foe()

    def act(state: TableState) -> tuple[TableState, str]:
        places = [place for place in state.turns.places if place.foe != foe.id]
        foes = tuple(one for one in state.foes if one.id != foe.id)
        after = state.model_copy(update={"foes": foes, "turns": state.turns.with_places(places)})
        return after, _("{name} is removed").format(name=foe.name)

    return TableResult((form.store.change(act),))


TABLE_ACTIONS: Mapping[str, Callable[[TableForm], TableResult]] = {
    "damage": damage,
    "heal": heal,
    "condition": condition,
    "rest": rest,
    "award": award,
    "foe-add": add_foes,
    "foe-damage": damage_foe,
    "foe-heal": heal_foe,
    "foe-note": note_foe,
    "foe-remove": remove_foe,
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
