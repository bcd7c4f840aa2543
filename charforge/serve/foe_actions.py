"""Actions of the game master with foes, who have no character files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from charforge.errors import RuleRefusal, UsageError
from charforge.language import _
from charforge.serve.evening import EveningState, Foe
from charforge.serve.table_form import LONGEST_NOTES, TableForm, TableResult

MOST_FOES = 50
MOST_ALIKE = 20  # foes that are added at the same time


def add(form: TableForm) -> TableResult:
    """Add foes of one sort."""
    name, count = form.text("name"), form.number("count", 1) or 1
    hit_points, notes = form.number("hit_points"), form.text("notes", LONGEST_NOTES)
    if not name:
        raise UsageError(_("the foe needs a name"))
    if count > MOST_ALIKE:
        raise UsageError(_("at most {most} at a time").format(most=MOST_ALIKE))
    hidden, taken = form.flag("hidden"), set(form.table.names().values())

    def act(state: EveningState) -> tuple[EveningState, str]:
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

    return TableResult((form.evening.change(act),))


def new_names(name: str, count: int, taken: set[str]) -> list[str]:
    """Return this many names that nobody has, numbered if one is not enough."""
    known = {other.casefold() for other in taken}
    if count == 1 and name.casefold() not in known:
        return [name]
    numbered = (f"{name} {number}" for number in range(1, len(known) + count + 1))
    return [new for new in numbered if new.casefold() not in known][:count]


def _change(form: TableForm, act: Callable[[Foe], tuple[Foe, str]]) -> TableResult:
    """Change a foe, and return what happened."""
    id = form.foe().id

    def change(state: EveningState) -> tuple[EveningState, str]:
        foe = state.foe(id)
        if foe is None:  # it was removed just now
            return state, ""
        changed, line = act(foe)
        foes = tuple(changed if one.id == id else one for one in state.foes)
        return state.model_copy(update={"foes": foes}), f"{changed.name}: {line}"

    return TableResult(tuple(filter(None, [form.evening.change(change)])))


def _hit_points(sign: int, form: TableForm) -> TableResult:
    amount = form.amount()

    def act(foe: Foe) -> tuple[Foe, str]:
        if foe.hit_points is None or foe.max_hit_points is None:
            raise RuleRefusal(_("{name} has no hit points here").format(name=foe.name))
        hit_points = min(max(foe.hit_points + sign * amount, 0), foe.max_hit_points)
        return foe.model_copy(
            update={"hit_points": hit_points}
        ), f"{foe.hit_points} → {hit_points} / {foe.max_hit_points}"

    return _change(form, act)


damage, heal = partial(_hit_points, -1), partial(_hit_points, 1)


def note(form: TableForm) -> TableResult:
    """Change the notes and conditions of a foe, and whether players know it."""
    hidden, notes = form.flag("hidden"), form.text("notes", LONGEST_NOTES)
    conditions = form.text("conditions", LONGEST_NOTES)

    def act(foe: Foe) -> tuple[Foe, str]:
        update = {"notes": notes, "conditions": conditions, "hidden": hidden}
        return foe.model_copy(update=update), conditions or _("changed")

    return _change(form, act)


def remove(form: TableForm) -> TableResult:
    """Remove a foe, and its place in the order of turns."""
    foe = form.foe()

    def act(state: EveningState) -> tuple[EveningState, str]:
        places = [place for place in state.turns.places if place.foe != foe.id]
        foes = tuple(one for one in state.foes if one.id != foe.id)
        after = state.model_copy(update={"foes": foes, "turns": state.turns.with_places(places)})
        return after, _("{name} is removed").format(name=foe.name)

    return TableResult((form.evening.change(act),))
