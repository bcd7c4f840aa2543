"""Actions for several characters: damage, healing, conditions, rests and awards.

Each is the verb of the terminal, run for one unit after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from charforge.character.names import find_unit
from charforge.character.state import CHARACTER
from charforge.describe.differences import difference_lines, differences_in_play
from charforge.errors import (
    CharforgeError,
    MissingAnswers,
    ProcedureError,
    ReasonError,
    RuleRefusal,
    UnknownId,
    UsageError,
)
from charforge.expressions.template import true_minus
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.serve.table import Table
from charforge.serve.table_form import TableForm, TableResult
from charforge.verbs import manual_changes, play
from charforge.verbs.play import PlayResult
from charforge.verbs.typed_inputs import TypedInputs

Verb = Callable[[LoadedCharacter, str], PlayResult]  # for a unit of a character


def _several(form: TableForm, verb: Verb) -> TableResult:
    """Change the units that are ticked, one after the other."""
    changes = (change_unit(form.table, seat, unit, verb) for seat, unit in form.units())
    return TableResult().followed_by(*changes)


def change_unit(table: Table, seat: str, unit: str, verb: Verb) -> TableResult:
    """Change a unit of a character, and return what happened, or why nothing did."""
    befores: list[LoadedCharacter] = []

    def act(opened: LoadedCharacter) -> PlayResult:
        befores.append(opened)
        if not opened.character.state.has_unit(unit):
            raise RuleRefusal(_("there is no such unit any more"))
        return verb(opened, unit)

    try:
        result = table.change(seat, act)
    except CharforgeError as error:
        who = _who(table, befores, seat, unit)
        return TableResult(refused=(f"{who}: {refusal_reason(error)}",))
    who = _who(table, befores, seat, unit)
    texts = [true_minus(step.text) for step in result.steps if step.text]
    if not texts:
        differences = differences_in_play(befores[-1].character.state, result.after.character.state)
        texts = difference_lines(differences, result.after.ruleset)
    line = f"{who}: {'; '.join(texts) or _('nothing has changed')}"
    return TableResult((line,), (seat,))


def _who(table: Table, opened: Sequence[LoadedCharacter], seat: str, unit: str) -> str:
    """Return the name of a unit with that of its character."""
    if not opened:
        return table.file(seat).stem
    name = opened[-1].document.name
    titles = (u.title for u in opened[-1].character.state.units if u.id == unit != CHARACTER)
    return " · ".join((name, *titles))


def refusal_reason(error: CharforgeError) -> str:
    """Return why something was refused, without ids and advice for the command line."""
    if isinstance(error, ProcedureError):
        return "; ".join(dict.fromkeys(why for _name, why in error.problems))
    if isinstance(error, UnknownId) and error.nearest:
        return _("{error}. Did you mean {nearest}?").format(error=error, nearest=error.nearest)
    return error.reason if isinstance(error, ReasonError) else str(error)


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
    """Return the result of an award; it is told by what differs."""
    state = opened.character.state
    unit = find_unit(state, unit_id)
    found = manual_changes.find_award(state, what, unit)
    if isinstance(found, str):
        return PlayResult(manual_changes.award_resource(opened, found, amount or 1, unit), unit_id)
    if found.condition is not None:
        return manual_changes.change_condition(opened, found.id, unit_id, amount=amount)
    manual_changes.refuse_unfit(state, found, unit)
    try:
        after = manual_changes.award_entity(
            opened, manual_changes.draft_award(state, found, amount or 1, unit)
        )
    except MissingAnswers as error:
        raise RuleRefusal(
            _("{name} has choices to make: award it in the terminal").format(name=found.name)
        ) from error
    return PlayResult(after, unit_id)
