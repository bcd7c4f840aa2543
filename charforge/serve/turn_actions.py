"""Turns: initiative, whose turn it is, and what the rules do at the start and the end of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Literal

from charforge.character.files.events import ProcedureEvent
from charforge.character.state import CHARACTER
from charforge.errors import CharforgeError, RuleRefusal, UsageError
from charforge.expressions.template import number_text
from charforge.language import _
from charforge.procedures.inputs import read_faces
from charforge.replay.character_spec import new_seed
from charforge.replay.loaded_character import LoadedCharacter
from charforge.serve.table import Table
from charforge.serve.table_form import (
    TableForm,
    TableResult,
    change_unit,
    new_names,
    refusal_reason,
)
from charforge.serve.table_state import Foe, TableState, TableStore, TurnPlace, Turns, readable
from charforge.sheet import holdings
from charforge.verbs import play
from charforge.verbs.change import PlayResult
from charforge.verbs.initiative import (
    InitiativePlace,
    InitiativeRules,
    KnownInitiative,
    roll_initiative,
    seats_of,
)

MOST_PLACES = 100  # in the order of turns
TurnMoment = Literal["turn", "turn_end", "combat_end"]  # of which a game can have rules

# ------------------------------------------------------------------ initiative


def begin_combat(form: TableForm) -> TableResult:
    """Begin combat with the characters that are ticked, and the foes that have numbers."""
    opened: dict[str, LoadedCharacter] = {}
    refused: list[str] = []
    names = form.table.names()
    for seat in dict.fromkeys(form.all("who")):
        if seat not in form.table.seats:
            continue
        try:
            character = form.table.load(seat)
        except CharforgeError as error:
            refused.append(f"{names[seat]}: {refusal_reason(error)}")
            continue
        if out := holdings.stamp(character.character.state, CHARACTER):
            left_out = _("{name} is {entity_name} and is left out.")
            refused.append(left_out.format(name=names[seat], entity_name=out))
        else:
            opened[seat] = character
    known = {key: form.figures(f"figures.{key}") for key in (*opened, *_foe_ids(form))}
    foes = [foe for foe in form.store.state.foes if known[foe.id]]
    by_rules = any(one.ruleset.head.play.order is not None for one in opened.values())
    places, more = (
        _rolled(form, opened, foes, known) if by_rules else (_by_numbers(opened, foes, known), [])
    )
    if not places:
        raise UsageError(_("nobody takes part"))
    lines: list[str] = []

    def act(state: TableState) -> tuple[TableState, str]:
        after = _with_combat(state, places)
        lines[:] = [
            f"{number}. {after.name_of(place, names)}{_found(place)}"
            for number, place in enumerate(places, 1)
        ]
        return after, _turn_text(after, names)

    text = form.store.change(act)
    begun = TableResult((*lines, *more, text), (), tuple(refused))
    return begun.followed_by(_turn_of(form.table, form.store, form.store.state.turns.acting))


def _foe_ids(form: TableForm) -> list[str]:
    return [foe.id for foe in form.store.state.foes]


def _with_combat(state: TableState, places: Sequence[TurnPlace]) -> TableState:
    """Return the state with a new combat; the places get their ids here."""
    numbered = [
        place.model_copy(update={"id": f"place{state.next_id + number}"})
        for number, place in enumerate(places)
    ]
    return state.model_copy(
        update={"turns": Turns.of(numbered), "next_id": state.next_id + len(places)}
    )


def _by_numbers(
    opened: Mapping[str, LoadedCharacter],
    foes: Sequence[Foe],
    known: Mapping[str, tuple[int, ...]],
) -> list[TurnPlace]:
    """Return the places by the numbers that are typed, the highest first."""
    places = [
        TurnPlace(id="", name=readable(character.document.name), seat=seat, figures=known[seat])
        for seat, character in opened.items()
    ]
    places += [TurnPlace(id="", name=foe.name, foe=foe.id, figures=known[foe.id]) for foe in foes]
    return sorted(places, key=lambda place: place.figures, reverse=True)


def _rolled(
    form: TableForm,
    opened: Mapping[str, LoadedCharacter],
    foes: Sequence[Foe],
    known: Mapping[str, tuple[int, ...]],
) -> tuple[list[TurnPlace], list[str]]:
    """Return the places in the order of the rules, and what is to be said of them."""
    files = [form.table.file(seat) for seat in opened]
    seats = list(seats_of([*opened.values()], files))
    labels = {one.name: seat for one, seat in zip(seats, opened, strict=True)}
    figures = {label: known[seat] for label, seat in labels.items()}
    dice = {
        label: _faces(label, text)
        for label, seat in labels.items()
        if (text := form.text(f"dice.{seat}"))
    }
    foe_labels: dict[str, Foe] = {}
    words = {word for one in seats for word in one.words}
    for foe in foes:
        (label,) = new_names(foe.name, 1, words | {*foe_labels})
        foe_labels[label], figures[label] = foe, known[foe.id]
    needed = len(InitiativeRules.of(opened.values()).by)
    for label, own in figures.items():
        if own and len(own) < needed:
            raise UsageError(
                _("{name} needs {number} numbers").format(name=label, number=needed),
                _("For example {example}").format(example=",".join("953"[:needed])),
            )
    typed = KnownInitiative({label: own for label, own in figures.items() if own}, dice)
    order = roll_initiative(seats, new_seed(), typed)
    places = [
        _place(found, labels.get(found.name, ""), foe_labels.get(found.name))
        for found in order.order
    ]
    said = [f"{name}: {reason}" for name, reason in order.refused.items()]
    said += [
        _("Still tied: {names}. Put them in order by hand.").format(names=", ".join(names))
        for names in order.tied
    ]
    return places, said


def _faces(label: str, text: str) -> tuple[int, ...]:
    """Return the dice that a player rolled. Raises UsageError."""
    try:
        return read_faces(text)
    except ValueError as error:
        raise UsageError(f"{label}: {error}") from error


def _place(found: InitiativePlace, seat: str, foe: Foe | None) -> TurnPlace:
    return TurnPlace(
        id="", name=readable(found.name), seat=seat, foe=foe.id if foe is not None else "",
        figures=found.figures + found.tiebreaks,
        dice="; ".join((*found.dice, *found.tiebreak_dice)),
        extra_turns=found.extra_turns, misses_first_turn=found.misses_first_turn,
    )  # fmt: skip


def _found(place: TurnPlace) -> str:
    """Return the numbers of a place with the dice that gave them."""
    numbers = ", ".join(number_text(number) for number in place.figures)
    dice = f" ({place.dice})" if place.dice else ""
    return f": {numbers}{dice}" if numbers else ""


# ------------------------------------------------------------------ whose turn it is


def _turn_text(state: TableState, names: Mapping[str, str]) -> str:
    """Return whose turn it is in which round."""
    acting = state.turns.acting
    if acting is None:
        return _("Combat is over.")
    name = state.name_of(acting, names)
    if not state.turns.round:
        return _("Before combat: {name}").format(name=name)
    return _("Round {round}: {name}").format(round=state.turns.round, name=name)


def next_turn(form: TableForm) -> TableResult:
    """End the present turn, and start the next one; by the rules if the game master wants that."""
    ended, moved = _go_on(form.table, form.store, partial(_refuse_other_turn, form))
    return moved.followed_by(
        _turn_of(form.table, form.store, ended, end=True),
        _turn_of(form.table, form.store, form.store.state.turns.acting),
    )


def has_ended_turn(before: LoadedCharacter, after: LoadedCharacter) -> bool:
    """Return whether a change has ended the turn of a character itself."""
    rule, new = after.ruleset.head.play.turn_end, after.document.log[len(before.document.log) :]
    return any(
        isinstance(event, ProcedureEvent) and (event.procedure, event.unit) == (rule, CHARACTER)
        for event in new
    )


def end_own_turn(table: Table, store: TableStore, seat: str) -> TableResult:
    """Start the next turn after a player has ended their own; nothing if it was not theirs."""

    def refuse_others(state: TableState) -> None:
        if state.turns.acting is None or state.turns.acting.seat != seat:
            raise RuleRefusal(_("it is already another turn"))

    try:
        _ended, moved = _go_on(table, store, refuse_others)
    except RuleRefusal:
        return TableResult()
    return moved.followed_by(_turn_of(table, store, store.state.turns.acting))


def _go_on(
    table: Table, store: TableStore, refuse: Callable[[TableState], None]
) -> tuple[TurnPlace | None, TableResult]:
    """Go on to the next turn, and return whose turn it was. Raises what ``refuse`` does."""
    names, before = table.names(), store.state.turns.acting

    def act(state: TableState) -> tuple[TableState, str]:
        nonlocal before
        refuse(state)
        before = state.turns.acting
        after = state.model_copy(update={"turns": state.turns.next()})
        return after, _turn_text(after, names)

    text = store.change(act)
    return before, TableResult((text,))


def _refuse_other_turn(form: TableForm, state: TableState) -> None:
    """Raise RuleRefusal if the page shows another turn, as after two taps at the same time."""
    seen = form.text("turn")
    if seen and seen != state.turns.key:
        raise RuleRefusal(_("it is already another turn"))


def _turn_of(
    table: Table, store: TableStore, place: TurnPlace | None, end: bool = False
) -> TableResult:
    """Start or end the turn of a character by the rules, if the game master wants that."""
    seat = place.seat if place is not None else ""
    return _by_rules(table, store, seat, "turn_end" if end else "turn")


def _by_rules(table: Table, store: TableStore, seat: str, moment: TurnMoment) -> TableResult:
    """Run the rule of a moment for a character, if the game master wants it and there is one."""
    if not store.state.run_turns or not _has_rule(table, seat, moment):
        return TableResult()
    return change_unit(table, seat, CHARACTER, partial(_run_rule, moment=moment))


def _run_rule(opened: LoadedCharacter, _unit: str, moment: TurnMoment) -> PlayResult:
    if moment == "combat_end":
        return play.end_combat(opened)
    return play.start_or_end_turn(opened, moment == "turn_end")


def _has_rule(table: Table, seat: str, moment: TurnMoment) -> bool:
    """Return whether the game of a character has a rule for this moment of a turn or combat."""
    if seat not in table.seats:
        return False
    with suppress(CharforgeError):
        rules = table.load(seat).ruleset.head.play
        rule = {"turn": rules.turn, "turn_end": rules.turn_end, "combat_end": rules.combat_end}
        return rule[moment] is not None
    return False


def previous_turn(form: TableForm) -> TableResult:
    """Go back to the turn before; what the rules did in between stays."""
    names = form.table.names()

    def act(state: TableState) -> tuple[TableState, str]:
        _refuse_other_turn(form, state)
        after = state.model_copy(update={"turns": state.turns.previous()})
        return after, _turn_text(after, names)

    return TableResult((form.store.change(act),))


def end_combat(form: TableForm) -> TableResult:
    """End combat: the turn of who acts, and combat for everybody in the order, by the rules."""
    ended = Turns()

    def act(state: TableState) -> tuple[TableState, str]:
        nonlocal ended
        ended = state.turns
        return state.model_copy(update={"turns": Turns()}), _("Combat is over.")

    result = TableResult((form.store.change(act),))
    return result.followed_by(
        _turn_of(form.table, form.store, ended.acting, end=True),
        *(_by_rules(form.table, form.store, p.seat, "combat_end") for p in ended.places),
    )


# ------------------------------------------------------------------ the order by hand


def add(form: TableForm) -> TableResult:
    """Add a character, a foe or a name: after those with higher or equal numbers, else last."""
    key, figures = form.text("who"), form.figures("figures")
    names = form.table.names()
    foe = form.store.state.foe(key)
    name = form.text("name") or (foe.name if foe is not None else names.get(key, ""))
    if not name:
        raise UsageError(_("choose who takes part, or type a name"))
    seat = "" if form.text("name") or key not in names else key
    foe = None if form.text("name") else foe

    def act(state: TableState) -> tuple[TableState, str]:
        places = list(state.turns.places)
        if len(places) >= MOST_PLACES:
            raise UsageError(_("there are at most {most} places").format(most=MOST_PLACES))
        if any((seat and p.seat == seat) or (foe and p.foe == foe.id) for p in places):
            raise RuleRefusal(_("{name} takes part already").format(name=name))
        place = TurnPlace(
            id=f"place{state.next_id}", name=readable(name), seat=seat, foe=foe.id if foe else "",
            figures=figures,
        )  # fmt: skip
        before = [n for n, other in enumerate(places) if other.figures < figures]
        places.insert(before[0] if before and figures else len(places), place)
        update = {"turns": state.turns.with_places(places), "next_id": state.next_id + 1}
        return state.model_copy(update=update), _("{name} joins the fight").format(name=name)

    return TableResult((form.store.change(act),))


def _move(by: int, form: TableForm) -> TableResult:
    """Move a place up or down; whose turn it is stays."""
    moved, names = form.place(), form.table.names()

    def act(state: TableState) -> tuple[TableState, str]:
        places = [place for place in state.turns.places if place.id != moved.id]
        number = state.turns.places.index(moved) + by if moved in state.turns.places else 0
        places.insert(min(max(number, 0), len(places)), moved)
        text = _("{name} moves up") if by < 0 else _("{name} moves down")
        after = state.model_copy(update={"turns": state.turns.with_places(places)})
        return after, text.format(name=state.name_of(moved, names))

    form.store.change(act)
    return TableResult()  # the page shows it


move_up, move_down = partial(_move, -1), partial(_move, 1)


def remove(form: TableForm) -> TableResult:
    """Take somebody out of the order."""
    gone, names = form.place(), form.table.names()

    def act(state: TableState) -> tuple[TableState, str]:
        places = [place for place in state.turns.places if place.id != gone.id]
        after = state.model_copy(update={"turns": state.turns.with_places(places)})
        return after, _("{name} leaves the fight").format(name=state.name_of(gone, names))

    return TableResult((form.store.change(act),))
