"""Actions of the game master: for several characters, with foes, turns and settings.

A change of a character is the same verb as in the terminal. What a client sends is only looked up
among the seats, units, foes and places that there are, and is not longer than a page allows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from charforge.character.names import find_unit
from charforge.character.state import CHARACTER
from charforge.describe.differences import difference_lines, state_differences
from charforge.errors import (
    CharforgeError,
    MissingAnswers,
    ReasonError,
    RuleRefusal,
    UnknownId,
    UsageError,
)
from charforge.expressions.template import true_minus
from charforge.language import _
from charforge.procedures.inputs import read_faces, read_whole
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import new_seed
from charforge.rules.models import Procedure
from charforge.serve.evening import (
    NOT_LOGGED,
    VISIBILITIES,
    Evening,
    EveningState,
    Foe,
    Place,
    Turns,
    Visibility,
    readable,
)
from charforge.serve.table import Table
from charforge.sheet import holdings
from charforge.verbs import manual_changes, play
from charforge.verbs.initiative import InitiativePlace, roll_initiative, seats_of
from charforge.verbs.play import PlayResult
from charforge.verbs.typed_inputs import TypedInputs

INPUT = "in."  # before the name of an input of a rule
GIVEN = "amount"  # the input that the form of every rule for damage and healing has
LONGEST_NAME, LONGEST_NOTES = 80, 500  # letters
MOST_FOES = 50
MOST_ALIKE = 20  # foes that are added at the same time
MOST_FIGURES = 12  # of one place
MOST_PLACES = 100  # in the order of turns


class TableResult(NamedTuple):
    """The result of a change: its lines, the seats that it changed, and what was refused."""

    lines: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class TableForm:
    """A form that the game master has sent; its fields are read on demand, with their limits."""

    def __init__(
        self, table: Table, evening: Evening, fields: Mapping[str, str | list[str]], at: str
    ) -> None:
        self.table, self.evening, self.at = table, evening, at
        self._fields = fields

    def all(self, name: str) -> list[str]:
        """Return all values of a field."""
        value = self._fields.get(name, [])
        return [value] if isinstance(value, str) else list(value)

    def text(self, name: str, most: int = LONGEST_NAME) -> str:
        """Return a text of one line. Raises UsageError for a long one."""
        text = (self.all(name) or [""])[-1].strip()
        if len(text) > most:
            raise UsageError(
                _("a text has {count} characters; the limit is {most}").format(
                    count=len(text), most=most
                )
            )
        manual_changes.refuse_unprintable(text)
        return text

    def flag(self, name: str) -> bool:
        """Return whether a box is ticked."""
        return self.text(name) not in ("", "0")

    def number(self, name: str, usual: int | None = None) -> int | None:
        """Return a whole number from 1, or ``usual`` for an empty field. Raises UsageError."""
        text = self.text(name)
        if not text:
            return usual
        try:
            number = read_whole(text)
        except ValueError as error:
            raise UsageError(str(error)) from None
        if number < 1:
            raise UsageError(_("please enter an amount of at least 1"))
        return number

    def amount(self) -> int:
        """Return the amount. Raises UsageError without one."""
        amount = self.number("amount")
        if amount is None:
            raise UsageError(_("please enter an amount of at least 1"))
        return amount

    def figures(self, name: str) -> tuple[int, ...]:
        """Return a list of numbers, such as ``1,2,0``. Raises UsageError."""
        try:
            figures = read_faces(self.text(name))
        except ValueError as error:
            raise UsageError(str(error)) from None
        if len(figures) > MOST_FIGURES:
            raise UsageError(_("at most {most} numbers").format(most=MOST_FIGURES))
        return figures

    def inputs(self, rule: Procedure) -> TypedInputs:
        """Return the inputs of a rule that are filled in, without those of other games."""
        names = (one.id for one in rule.inputs if one.id != GIVEN)
        words = {name: self.text(INPUT + name) for name in names}
        return TypedInputs({name: text for name, text in words.items() if text})

    def foe(self) -> Foe:
        """Return the foe that a form is about. Raises RuleRefusal."""
        foe = self.evening.state.foe(self.text("foe"))
        if foe is None:
            raise RuleRefusal(_("there is no such foe any more"))
        return foe

    def place(self) -> Place:
        """Return the place in the order of turns that a form is about. Raises RuleRefusal."""
        key = self.text("place")
        for place in self.evening.state.turns.places:
            if place.id == key:
                return place
        raise RuleRefusal(_("there is no such place any more"))

    def units(self) -> list[tuple[str, str]]:
        """Return the seats and units that are ticked. Raises UsageError for none."""
        keys = list(self.table.seats) if self.flag("everyone") else self.all("who")
        chosen = [tuple(key.partition(".")[::2]) for key in dict.fromkeys(keys)]
        units = [(seat, unit or CHARACTER) for seat, unit in chosen if seat in self.table.seats]
        if not units:
            raise UsageError(_("choose at least one character"))
        return units


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
    result = action(TableForm(table, evening, form, at))
    if result.lines and not evening.log(at, _("Game master"), result.lines):
        return result._replace(refused=(*result.refused, _(NOT_LOGGED)))
    return result


# ------------------------------------------------------------------ several characters

Verb = Callable[[LoadedCharacter, str], PlayResult]  # for a unit of a character


def _several(form: TableForm, verb: Verb) -> TableResult:
    """Change the units that are ticked, one after the other."""
    lines, changed, refused = [], [], []
    for seat, unit in form.units():
        done, reasons = _change(form.table, seat, unit, verb)
        lines += done
        refused += reasons
        changed += [seat] if done else []
    return TableResult(tuple(lines), tuple(dict.fromkeys(changed)), tuple(refused))


def _change(table: Table, seat: str, unit: str, verb: Verb) -> tuple[list[str], list[str]]:
    """Change a unit, and return what happened, or why nothing did."""
    befores: list[LoadedCharacter] = []

    def act(opened: LoadedCharacter) -> PlayResult:
        befores.append(opened)
        if not opened.character.state.has_unit(unit):
            raise RuleRefusal(_("there is no such unit any more"))
        return verb(opened, unit)

    try:
        result = table.change(seat, act)
    except CharforgeError as error:
        return [], [f"{_who(table, befores, seat, unit)}: {_reason(error)}"]
    who = _who(table, befores, seat, unit)
    texts = [true_minus(step.text) for step in result.steps if step.text]
    if not texts:
        state, ruleset = befores[-1].character.state, result.after.ruleset
        texts = difference_lines(
            state_differences(state, result.after.character.state), ruleset
        )  # fmt: skip
    return [f"{who}: {'; '.join(texts) or _('nothing has changed')}"], []


def _who(table: Table, opened: Sequence[LoadedCharacter], seat: str, unit: str) -> str:
    """Return the name of a unit with that of its character."""
    if not opened:
        return table.file(seat).stem
    name = opened[-1].document.name
    titles = (u.title for u in opened[-1].character.state.units if u.id == unit != CHARACTER)
    return " · ".join((name, *titles))


def _reason(error: CharforgeError) -> str:
    """Return why something was refused, without advice for the command line."""
    if isinstance(error, UnknownId) and error.nearest:
        return _("{error}. Did you mean {nearest}?").format(error=error, nearest=error.nearest)
    return error.reason if isinstance(error, ReasonError) else str(error)


def _own(unit: str) -> str | None:
    """Return a unit for a verb; None for the character, whose companions take part in some."""
    return None if unit == CHARACTER else unit


def _damage(form: TableForm) -> TableResult:
    amount = form.amount()

    def verb(opened: LoadedCharacter, unit: str) -> PlayResult:
        typed = _typed(form, opened, opened.ruleset.head.play.damage)
        return play.apply_damage(opened, amount, None, unit, typed)

    return _several(form, verb)


def _heal(form: TableForm) -> TableResult:
    amount = form.amount()

    def verb(opened: LoadedCharacter, unit: str) -> PlayResult:
        typed = _typed(form, opened, opened.ruleset.head.play.heal)
        return play.apply_healing(opened, amount, unit, typed)

    return _several(form, verb)


def _typed(form: TableForm, opened: LoadedCharacter, rule: str | None) -> TypedInputs:
    return TypedInputs() if rule is None else form.inputs(opened.ruleset.procedure(rule))


def _rest(form: TableForm) -> TableResult:
    kind = form.text("kind")

    def verb(opened: LoadedCharacter, unit: str) -> PlayResult:
        typed = _typed(form, opened, opened.ruleset.head.play.rests.get(kind))
        return play.take_rest(opened, kind, None, _own(unit), typed)

    return _several(form, verb)


def _condition(form: TableForm) -> TableResult:
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


def _award(form: TableForm) -> TableResult:
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


# ------------------------------------------------------------------ foes


def _foe_add(form: TableForm) -> TableResult:
    name, count = form.text("name"), form.number("count", 1) or 1
    hit_points, notes = form.number("hit_points"), form.text("notes", LONGEST_NOTES)
    if not name:
        raise UsageError(_("the foe needs a name"))
    if count > MOST_ALIKE:
        raise UsageError(_("at most {most} at a time").format(most=MOST_ALIKE))
    hidden, taken = form.flag("hidden"), set(form.table.names().values())
    added: list[Foe] = []

    def add(state: EveningState) -> EveningState:
        if len(state.foes) + count > MOST_FOES:
            raise UsageError(_("there are at most {most} foes").format(most=MOST_FOES))
        names = _new_names(name, count, taken | {foe.name for foe in state.foes})
        added[:] = (
            Foe(
                id=f"foe{state.next_id + number}", name=new, notes=notes, hidden=hidden,
                hit_points=hit_points, max_hit_points=hit_points,
            )
            for number, new in enumerate(names)
        )  # fmt: skip
        return state.model_copy(
            update={"foes": (*state.foes, *added), "next_id": state.next_id + count}
        )

    form.evening.change(add)
    return TableResult((_("New: {names}").format(names=", ".join(foe.name for foe in added)),))


def _new_names(name: str, count: int, taken: set[str]) -> list[str]:
    """Return this many names that nobody has, numbered if one is not enough."""
    known = {other.casefold() for other in taken}
    if count == 1 and name.casefold() not in known:
        return [name]
    numbered = (f"{name} {number}" for number in range(1, len(known) + count + 1))
    return [new for new in numbered if new.casefold() not in known][:count]


def _change_foe(form: TableForm, act: Callable[[Foe], tuple[Foe, str]]) -> TableResult:
    """Change a foe, and return what happened; nothing in words if nobody need know it."""
    lines: list[str] = []
    id = form.foe().id

    def change(state: EveningState) -> EveningState:
        foe = state.foe(id)
        if foe is None:
            return state
        changed, line = act(foe)
        lines[:] = [f"{changed.name}: {line}"]
        foes = tuple(changed if one.id == id else one for one in state.foes)
        return state.model_copy(update={"foes": foes})

    form.evening.change(change)
    return TableResult(tuple(lines))


def _foe_hit_points(sign: int, form: TableForm) -> TableResult:
    amount = form.amount()

    def act(foe: Foe) -> tuple[Foe, str]:
        if foe.hit_points is None or foe.max_hit_points is None:
            raise RuleRefusal(_("{name} has no hit points here").format(name=foe.name))
        hit_points = min(max(foe.hit_points + sign * amount, 0), foe.max_hit_points)
        return foe.model_copy(
            update={"hit_points": hit_points}
        ), f"{foe.hit_points} → {hit_points} / {foe.max_hit_points}"

    return _change_foe(form, act)


def _foe_note(form: TableForm) -> TableResult:
    """Change the notes and conditions of a foe, and whether players know it."""
    hidden, notes = form.flag("hidden"), form.text("notes", LONGEST_NOTES)
    conditions = form.text("conditions", LONGEST_NOTES)

    def act(foe: Foe) -> tuple[Foe, str]:
        update = {"notes": notes, "conditions": conditions, "hidden": hidden}
        return foe.model_copy(update=update), conditions or _("changed")

    return _change_foe(form, act)


def _foe_remove(form: TableForm) -> TableResult:
    foe = form.foe()

    def remove(state: EveningState) -> EveningState:
        places = [place for place in state.turns.places if place.foe != foe.id]
        foes = tuple(one for one in state.foes if one.id != foe.id)
        return state.model_copy(update={"foes": foes, "turns": state.turns.with_places(places)})

    form.evening.change(remove)
    return TableResult((_("{name} is removed").format(name=foe.name),))


# ------------------------------------------------------------------ the order of turns


def _initiative_roll(form: TableForm) -> TableResult:
    """Begin combat with the characters that are ticked, and the foes that have numbers."""
    opened: dict[str, LoadedCharacter] = {}
    refused: list[str] = []
    for seat in dict.fromkeys(form.all("who")):
        if seat not in form.table.seats:
            continue
        try:
            character = form.table.load(seat)
        except CharforgeError as error:
            refused.append(f"{form.table.file(seat).stem}: {_reason(error)}")
            continue
        if out := holdings.stamp(character.character.state, CHARACTER):
            left_out = _("{name} is {entity_name} and is left out.")
            name = character.document.name
            refused.append(left_out.format(name=name, entity_name=out))
        else:
            opened[seat] = character
    known = {key: form.figures(f"figures.{key}") for key in (*opened, *_foe_ids(form))}
    foes = [foe for foe in form.evening.state.foes if known[foe.id]]
    by_rules = any(one.ruleset.head.play.order is not None for one in opened.values())
    places, more = (
        _rolled(form, opened, foes, known) if by_rules else (_by_numbers(opened, foes, known), [])
    )
    if not places:
        raise UsageError(_("nobody takes part"))
    state = form.evening.change(lambda state: _with_combat(state, places))
    names = form.table.names()
    lines = [
        f"{number}. {state.name_of(place, names)}{_found(place)}"
        for number, place in enumerate(places, 1)
    ]
    started = _turn_of(form, state.turns.acting)
    lines += [*more, _turn_text(state, names), *started.lines]
    return TableResult(tuple(lines), started.changed, (*refused, *started.refused))


def _foe_ids(form: TableForm) -> list[str]:
    return [foe.id for foe in form.evening.state.foes]


def _with_combat(state: EveningState, places: Sequence[Place]) -> EveningState:
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
) -> list[Place]:
    """Return the places by the numbers that are typed, the highest first."""
    places = [
        Place(id="", name=readable(character.document.name), seat=seat, figures=known[seat])
        for seat, character in opened.items()
    ]
    places += [Place(id="", name=foe.name, foe=foe.id, figures=known[foe.id]) for foe in foes]
    return sorted(places, key=lambda place: place.figures, reverse=True)


def _rolled(
    form: TableForm,
    opened: Mapping[str, LoadedCharacter],
    foes: Sequence[Foe],
    known: Mapping[str, tuple[int, ...]],
) -> tuple[list[Place], list[str]]:
    """Return the places in the order of the rules, and what is to be said of them."""
    files = [Path(seat) for seat in opened]  # they tell equal names apart
    labels = {
        one.name: seat
        for one, seat in zip(seats_of([*opened.values()], files), opened, strict=True)
    }
    texts = {label: known[seat] for label, seat in labels.items()}
    dice = [
        f"{label}={text}" for label, seat in labels.items() if (text := form.text(f"dice.{seat}"))
    ]
    foe_labels: dict[str, Foe] = {}
    words = {word for one in seats_of([*opened.values()], files) for word in one.words}
    for foe in foes:
        (label,) = _new_names(foe.name, 1, words | {*foe_labels})
        foe_labels[label], texts[label] = foe, known[foe.id]
    needed = _number_of_figures(opened)
    for label, own in texts.items():
        if own and len(own) < needed:
            raise UsageError(
                _("{name} needs {number} numbers").format(name=label, number=needed),
                _("For example {example}").format(example=",".join("953"[:needed])),
            )
    figures = [f"{label}={','.join(map(str, own))}" for label, own in texts.items() if own]
    order = roll_initiative([*opened.values()], figures, new_seed(), files, dice)
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


def _number_of_figures(opened: Mapping[str, LoadedCharacter]) -> int:
    """Return how many numbers the first game that has initiative compares."""
    orders = (one.ruleset.head.play.order for one in opened.values())
    return next((len(order.table_roll.output) for order in orders if order is not None), 0)


def _place(found: InitiativePlace, seat: str, foe: Foe | None) -> Place:
    return Place(
        id="", name=readable(found.name), seat=seat, foe=foe.id if foe is not None else "",
        figures=found.figures + found.tiebreaks,
        dice="; ".join((*found.dice, *found.tiebreak_dice)),
        extra_turns=found.extra_turns, misses_first_turn=found.misses_first_turn,
    )  # fmt: skip


def _found(place: Place) -> str:
    """Return the numbers of a place with the dice that gave them."""
    numbers = ", ".join(true_minus(str(number)) for number in place.figures)
    dice = f" ({place.dice})" if place.dice else ""
    return f": {numbers}{dice}" if numbers else ""


def _turn_text(state: EveningState, names: Mapping[str, str]) -> str:
    """Return whose turn it is in which round."""
    acting = state.turns.acting
    if acting is None:
        return _("Combat is over.")
    name = state.name_of(acting, names)
    if not state.turns.round:
        return _("Before combat: {name}").format(name=name)
    return _("Round {round}: {name}").format(round=state.turns.round, name=name)


def _next(form: TableForm) -> TableResult:
    """Go on to the next turn; by the rules of the game if the game master wants that."""
    before: list[Turns] = []

    def act(state: EveningState) -> EveningState:
        _refuse_other_turn(form, state)
        before[:] = [state.turns]
        return state.model_copy(update={"turns": state.turns.next()})

    state = form.evening.change(act)
    ended, started = _turn_of(form, before[0].acting, True), _turn_of(form, state.turns.acting)
    lines = (_turn_text(state, form.table.names()), *ended.lines, *started.lines)
    # What the end refuses is not told: the player may have ended the turn already.
    changed = dict.fromkeys(ended.changed + started.changed)
    return TableResult(lines, tuple(changed), started.refused)


def _refuse_other_turn(form: TableForm, state: EveningState) -> None:
    """Raise RuleRefusal if the page shows another turn, as after two taps at the same time."""
    seen = form.text("turn")
    if seen and seen != state.turns.key:
        raise RuleRefusal(_("it is already another turn"))


def _turn_of(form: TableForm, place: Place | None, end: bool = False) -> TableResult:
    """Start or end the turn of a character by the rules, if the game master wants that."""
    seat = place.seat if place is not None else ""
    if not form.evening.state.run_turns or not _has_turns(form.table, seat, end):
        return TableResult()
    done, refused = _change(form.table, seat, CHARACTER, partial(_turn, end=end))
    return TableResult(tuple(done), (seat,) if done else (), tuple(refused))


def _turn(opened: LoadedCharacter, _unit: str, end: bool) -> PlayResult:
    return play.start_or_end_turn(opened, end)


def _has_turns(table: Table, seat: str, end: bool) -> bool:
    """Whether there is a rule for the start or the end of the turn of a character."""
    if seat not in table.seats:
        return False
    with suppress(CharforgeError):
        rules = table.load(seat).ruleset.head.play
        return (rules.turn_end if end else rules.turn) is not None
    return False


def _previous(form: TableForm) -> TableResult:
    """Go back to the turn before; what the rules did in between stays."""

    def act(state: EveningState) -> EveningState:
        _refuse_other_turn(form, state)
        return state.model_copy(update={"turns": state.turns.previous()})

    state = form.evening.change(act)
    return TableResult((_turn_text(state, form.table.names()),))


def _end_combat(form: TableForm) -> TableResult:
    state = form.evening.change(lambda state: state.model_copy(update={"turns": Turns()}))
    return TableResult((_turn_text(state, form.table.names()),))


def _order_add(form: TableForm) -> TableResult:
    """Add a character, a foe or a name: after those with higher or equal numbers, else last."""
    key, figures = form.text("who"), form.figures("figures")
    names = form.table.names()
    foe = form.evening.state.foe(key)
    name = form.text("name") or (foe.name if foe is not None else names.get(key, ""))
    if not name:
        raise UsageError(_("choose who takes part, or type a name"))
    seat = "" if form.text("name") or key not in names else key
    foe = None if form.text("name") else foe

    def add(state: EveningState) -> EveningState:
        places = list(state.turns.places)
        if len(places) >= MOST_PLACES:
            raise UsageError(_("there are at most {most} places").format(most=MOST_PLACES))
        if any((seat and p.seat == seat) or (foe and p.foe == foe.id) for p in places):
            raise RuleRefusal(_("{name} takes part already").format(name=name))
        place = Place(
            id=f"place{state.next_id}", name=readable(name), seat=seat, foe=foe.id if foe else "",
            figures=figures,
        )  # fmt: skip
        before = [n for n, other in enumerate(places) if other.figures < figures]
        places.insert(before[0] if before and figures else len(places), place)
        return state.model_copy(
            update={"turns": state.turns.with_places(places), "next_id": state.next_id + 1}
        )

    form.evening.change(add)
    return TableResult((_("{name} joins the fight").format(name=name),))


def _order_move(by: int, form: TableForm) -> TableResult:
    """Move a place up or down; whose turn it is stays."""
    moved = form.place()

    def move(state: EveningState) -> EveningState:
        places = [place for place in state.turns.places if place.id != moved.id]
        number = state.turns.places.index(moved) + by if moved in state.turns.places else 0
        places.insert(min(max(number, 0), len(places)), moved)
        return state.model_copy(update={"turns": state.turns.with_places(places)})

    form.evening.change(move)
    return TableResult()


def _order_remove(form: TableForm) -> TableResult:
    gone = form.place()

    def remove(state: EveningState) -> EveningState:
        places = [place for place in state.turns.places if place.id != gone.id]
        return state.model_copy(update={"turns": state.turns.with_places(places)})

    state = form.evening.change(remove)
    name = state.name_of(gone, form.table.names())
    return TableResult((_("{name} leaves the fight").format(name=name),))


# ------------------------------------------------------------------ settings


def _settings(form: TableForm) -> TableResult:
    """Set what players see, and whether a change of turns runs the rules."""
    seen: dict[str, Visibility] = {}
    for seat in form.table.seats:
        wanted = form.text(f"seen.{seat}")
        for level in VISIBILITIES:
            if level == wanted:
                seen[seat] = level
    update = {"foe_vitals": form.flag("foe_vitals"), "run_turns": form.flag("run_turns")}
    form.evening.change(
        lambda state: state.model_copy(
            update={**update, "seen_by_others": {**state.seen_by_others, **seen}}
        )
    )
    return TableResult()


def _new_evening(form: TableForm) -> TableResult:
    """Begin another log; combat is over, and foes are gone unless they are to stay."""
    keep = form.flag("keep_foes")

    def begin(state: EveningState) -> EveningState:
        return state.model_copy(
            update={
                "number": state.number + 1,
                "turns": Turns(),
                "foes": state.foes if keep else (),
            }
        )

    form.evening.change(begin)
    return TableResult((_("A new evening"),))


TABLE_ACTIONS: Mapping[str, Callable[[TableForm], TableResult]] = {
    "damage": _damage,
    "heal": _heal,
    "condition": _condition,
    "rest": _rest,
    "award": _award,
    "foe-add": _foe_add,
    "foe-damage": partial(_foe_hit_points, -1),
    "foe-heal": partial(_foe_hit_points, 1),
    "foe-note": _foe_note,
    "foe-remove": _foe_remove,
    "initiative": _initiative_roll,
    "next": _next,
    "previous": _previous,
    "end-combat": _end_combat,
    "order-add": _order_add,
    "order-up": partial(_order_move, -1),
    "order-down": partial(_order_move, 1),
    "order-remove": _order_remove,
    "settings": _settings,
    "new-evening": _new_evening,
}
