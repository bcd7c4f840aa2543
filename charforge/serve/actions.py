"""A form of a player's page turned into a verb: the same change as the line typed into ``play``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from charforge.errors import CharforgeError, MissingInput, ProcedureError, ReasonError, UsageError
from charforge.language import N_, _
from charforge.procedures import abilities
from charforge.procedures.context import StepMessage
from charforge.replay.loaded_character import LoadedCharacter
from charforge.serve import action_forms
from charforge.serve.forms import (
    ANSWERS,
    DICE,
    GRANTED,
    HOLD_FIRST,
    LIFT,
    OVERRIDE,
    THROWN,
    UNTRAINED,
    ActionForm,
    PageField,
    SentForm,
    Tap,
    UnansweredStep,
    gone,
    yes_or_no,
)
from charforge.verbs import history, inventory, manual_changes, play
from charforge.verbs.change import PlayResult, step_lines
from charforge.verbs.typed_inputs import CommandInputs

ANSWER = "answer"  # the field for the next number


class ActionQuestion(CharforgeError):
    """An action that cannot be done before something more is known or allowed; nothing changed.

    ``form`` asks for it: for the number that a rule wants after the dice, for inputs that are
    missing or wrong, or whether the game master allows what the rules refuse.
    """

    def __init__(self, form: ActionForm) -> None:
        super().__init__(form.message or form.title)
        self.form = form


# ------------------------------------------------------------------ rules and abilities


def _use(sent: SentForm) -> PlayResult:
    """Use an ability; an item that is not in hand is taken in hand first, if that is wanted.

    A permission for the use is one for taking the item in hand, too.
    """
    ability, opened = sent.ability(), sent.opened
    permitted = sent.flag(GRANTED) or sent.override() is not None
    holding, lifting = sent.flag(HOLD_FIRST), sent.flag(LIFT)
    item = abilities.unheld_item(sent.state, ability) if holding or lifting else None
    lifting_steps: tuple[StepMessage, ...] = ()
    if item is not None:
        held = inventory.hold_items(opened, [item.id], lifting, granted=permitted)
        opened = held.after
        if abilities.unheld_item(opened.character.state, ability) is not None:
            return held
        lifting_steps = held.steps
    against = CommandInputs(vs=sent.text(f"in.{play.AGAINST}") or None)
    typed = sent.typed(play.AGAINST).of_command(against)
    terms = play.UseTerms(sent.flag(UNTRAINED), sent.override(), sent.flag(GRANTED))
    result = play.use(opened, play.Usable(ability, ability.unit), typed, terms)
    return replace(result, steps=(*lifting_steps, *result.steps))


def _rule(sent: SentForm) -> PlayResult:
    return play.use_procedure(sent.opened, sent.rule(), sent.unit.id, sent.typed(), sent.override())


def _damage(sent: SentForm) -> PlayResult:
    damage_type = sent.text("in.type") or None
    return play.apply_damage(
        sent.opened, sent.amount(), damage_type, sent.unit_name, sent.typed("type")
    )


def _heal(sent: SentForm) -> PlayResult:
    return play.apply_healing(sent.opened, sent.amount(), sent.unit_name, sent.typed())


def _turn(sent: SentForm) -> PlayResult:
    return play.start_or_end_turn(sent.opened, sent.flag("end"), sent.unit_name, sent.typed())


def _rest(sent: SentForm) -> PlayResult:
    if sent.text("kind") not in sent.ruleset.head.play.rests:
        raise gone()
    hours = sent.number("in.hours")
    return play.take_rest(
        sent.opened, sent.text("kind"), hours, sent.unit_name, sent.typed("hours")
    )


def _roll(sent: SentForm) -> PlayResult:
    what, _rule = sent.check()
    against = sent.number(f"in.{play.AGAINST}")
    return play.roll_check(sent.opened, what, against, sent.unit_name, sent.typed(play.AGAINST))


# ------------------------------------------------------------------ changes by hand


def _spend(sent: SentForm) -> PlayResult:
    item = sent.text("item")
    if not item:
        return manual_changes.spend_resource(
            sent.opened, sent.resource(), sent.amount(), sent.unit_name
        )
    holding = sent.state.holding(item)
    capacities = () if holding is None else holding.entity.capacities
    if sent.text("what") not in [capacity.id for capacity in capacities]:
        raise gone()
    return manual_changes.spend_resource(
        sent.opened, sent.text("what"), sent.amount(), sent.unit_name, item
    )


def _gain(sent: SentForm) -> PlayResult:
    what, unit = sent.resource(), sent.unit
    found = manual_changes.find_award(sent.state, what, unit)
    return manual_changes.award(sent.opened, found, sent.amount(), unit.id)


def _condition(sent: SentForm) -> PlayResult:
    entity = sent.condition(sent.text("condition"))
    return manual_changes.change_condition(
        sent.opened, entity.id, sent.unit_name, sent.flag("off"), sent.number("amount"),
        sent.text("about"), sent.number("turns"),
    )  # fmt: skip


def _note(sent: SentForm) -> PlayResult:
    return manual_changes.add_note(sent.opened, sent.text("text"), sent.at, sent.unit_name)


# ------------------------------------------------------------------ gear


def _hold(sent: SentForm) -> PlayResult:
    lifting = sent.flag(LIFT)
    typed = sent.typed() if lifting else play.NOTHING_TYPED
    return inventory.hold_items(sent.opened, [sent.item().id], lifting, typed, sent.flag(GRANTED))


def _stow(sent: SentForm) -> PlayResult:
    everything = sent.flag("all")
    named = [] if everything else [sent.item().id]
    return inventory.stow_items(sent.opened, named, everything, sent.flag(GRANTED))


def _wear(sent: SentForm) -> PlayResult:
    return inventory.wear_items(sent.opened, [sent.item().id])


def _take_off(sent: SentForm) -> PlayResult:
    return inventory.take_off_items(sent.opened, [sent.item().id])


def _drop(sent: SentForm) -> PlayResult:
    quantity = sent.number("quantity", 1) or 0
    return inventory.drop_item(sent.opened, sent.item().id, quantity)


# ------------------------------------------------------------------ undo and redo


def _undo(sent: SentForm) -> PlayResult:
    return history.undo(sent.opened)


def _redo(sent: SentForm) -> PlayResult:
    return history.redo(sent.opened)


# ------------------------------------------------------------------ all actions


class PageAction(NamedTuple):
    """An action of the page: its form, the verb, and the permissions that can lift its refusal.

    What only shows something has no verb.
    """

    form: Callable[[SentForm], ActionForm]
    run: Callable[[SentForm], PlayResult] | None = None
    permits: tuple[str, ...] = ()


ACTIONS: Mapping[str, PageAction] = {
    "use": PageAction(
        action_forms.use_form, _use, (HOLD_FIRST, LIFT, UNTRAINED, GRANTED, OVERRIDE)
    ),
    "rule": PageAction(action_forms.rule_form, _rule, (UNTRAINED, OVERRIDE)),
    "roll": PageAction(action_forms.roll_form, _roll),
    "damage": PageAction(action_forms.damage_form, _damage),
    "heal": PageAction(action_forms.heal_form, _heal),
    "turn": PageAction(action_forms.turn_form, _turn),
    "rest": PageAction(action_forms.rest_form, _rest),
    "spend": PageAction(action_forms.spend_form, _spend),
    "gain": PageAction(action_forms.spend_form, _gain),
    "condition": PageAction(action_forms.condition_form, _condition),
    "note": PageAction(action_forms.note_form, _note),
    "hold": PageAction(lambda _sent: action_forms.plain_form(_("Hold")), _hold, (LIFT, GRANTED)),
    "stow": PageAction(lambda _sent: action_forms.plain_form(_("Stow")), _stow, (GRANTED,)),
    "wear": PageAction(lambda _sent: action_forms.plain_form(_("Wear")), _wear),
    "take-off": PageAction(lambda _sent: action_forms.plain_form(_("Take off")), _take_off),
    "drop": PageAction(action_forms.drop_form, _drop),
    "undo": PageAction(lambda _sent: action_forms.plain_form(_("Undo")), _undo),
    "redo": PageAction(lambda _sent: action_forms.plain_form(_("Redo")), _redo),
    "rules": PageAction(action_forms.rules_form),
    "explain": PageAction(action_forms.explain_form),
    "features": PageAction(action_forms.features_form),
    "history": PageAction(action_forms.history_form),
}
PERMITS = {  # what a button says that sends a form again with a permission
    HOLD_FIRST: N_("Take it in hand first"),
    UNTRAINED: N_("Use it untrained"),
    GRANTED: N_("Another ability grants it"),
    LIFT: N_("Roll to lift it"),
    OVERRIDE: N_("Allow it (GM)"),
}
REASON = N_("Allowed at the table.")
DONE = {"undo": N_("Undone"), "redo": N_("Restored")}  # the titles of results


def action_form(opened: LoadedCharacter, name: str, form: Mapping[str, str]) -> ActionForm:
    """Return what an action asks for; what ``form`` has already is filled in.

    Raises RuleRefusal for something that the character does not have, UsageError for an
    unknown action.
    """
    if name not in ACTIONS:
        raise UsageError(_("there is no such action"))
    return ACTIONS[name].form(SentForm(opened, form))


def run_page_action(
    opened: LoadedCharacter, name: str, form: Mapping[str, str], at: str
) -> PlayResult:
    """Return the result of an action that a page has sent; ``at`` is the time of a note.

    Raises ActionQuestion if a rule asks for a number on the way, if inputs are missing or wrong,
    or if the rules refuse; UsageError for what no page sends.
    """
    action = ACTIONS.get(name)
    if action is None or action.run is None:
        raise UsageError(_("there is no such action"))
    sent = SentForm(opened, _answered(form), at)
    try:
        return action.run(sent)
    except UnansweredStep as unanswered:
        raise ActionQuestion(_question(sent, name, unanswered)) from None
    except ProcedureError as error:
        problems = dict(error.problems)
        raise ActionQuestion(action_form(opened, name, form).with_problems(problems)) from error
    except MissingInput as error:
        problems = dict.fromkeys(error.ways or ("",), error.reason)
        raise ActionQuestion(action_form(opened, name, form).with_problems(problems)) from error
    except ReasonError as refusal:
        shown = action_form(opened, name, form)
        taps = tuple(_permissions(sent, name, action.run))
        raise ActionQuestion(shown._replace(message=refusal.reason, taps=taps)) from refusal


def result_title(after: LoadedCharacter, name: str, form: Mapping[str, str]) -> str:
    """Return what was done, for the head of its result; empty if it can no longer be named."""
    if name in DONE:
        return _(DONE[name])
    try:
        return action_form(after, name, form).title
    except CharforgeError:
        return ""


def _answered(form: Mapping[str, str]) -> Mapping[str, str]:
    """Return a form whose new number is among those chosen so far."""
    if ANSWER not in form:
        return form
    answers = ",".join(filter(None, [form.get(ANSWERS, "").strip(), form[ANSWER].strip()]))
    return {name: text for name, text in form.items() if name != ANSWER} | {ANSWERS: answers}


def _permissions(sent: SentForm, name: str, run: Callable[[SentForm], PlayResult]) -> Iterator[Tap]:
    """Yield the permissions with which a refused action could be done; each sends it again."""
    offered: list[str] = []
    for permit in ACTIONS[name].permits:
        is_override = permit == OVERRIDE
        if permit == LIFT and HOLD_FIRST in offered:  # it is not too heavy
            continue
        fields = {**sent.fields, permit: _(REASON) if is_override else "1"}
        if sent.flag(permit):
            continue
        try:
            run(SentForm(sent.opened, fields, sent.at, suggested=True))
        except (MissingInput, ProcedureError):
            pass  # what is missing or wrong is asked for next
        except CharforgeError:
            continue
        offered.append(permit)
        yield Tap(name, _(PERMITS[permit]), fields, permission=is_override)


def _question(sent: SentForm, name: str, unanswered: UnansweredStep) -> ActionForm:
    """Return the form for a number that a rule asks for: steps so far, and the dice to go on."""
    label, mark, more = unanswered.step.label.partition("? ")
    field = PageField(
        ANSWER, f"{label}{mark.strip()}", value=str(unanswered.suggested), low=unanswered.low,
        high=unanswered.high, required=True, help=more,
    )  # fmt: skip
    if unanswered.step.yes_no:
        field = field._replace(type="select", options=yes_or_no())
    hidden = {
        name: text
        for name, text in sent.fields.items()
        if not name.startswith((DICE, THROWN)) and text.strip()
    }
    thrown = {THROWN + roll: ",".join(map(str, faces)) for roll, faces in sent.thrown().items()}
    return ActionForm(
        name=name, title=action_form(sent.opened, name, sent.fields).title, unit=sent.unit.id,
        steps=step_lines(sent.ruleset, unanswered.steps), fields=(field,),
        hidden={**hidden, **thrown}, submits=((name, _("Go on")),),
    )  # fmt: skip
