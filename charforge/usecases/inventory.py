"""Owning things: bought, sold, lost, given away.

Each is one group of the log. What an item asks (a damage type, a size) is
answered with its purchase; a price that depends on an answer is known
only then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from charforge.character import gear
from charforge.character.events import (
    LARGEST_AMOUNT,
    AcquireEvent,
    HoldEvent,
    PartEvent,
    ProcedureEvent,
    StowEvent,
)
from charforge.character.state import CHARACTER, Holding, State
from charforge.decisions.option import Answer
from charforge.errors import (
    RuleRefusal,
    UnknownId,
    UnusedAnswers,
    UsageError,
    nearest,
)
from charforge.expressions.dice import Dice
from charforge.expressions.template import has_unprintable
from charforge.procedures import run as procedures
from charforge.procedures.context import StepMessage
from charforge.replay import replay as engine
from charforge.replay.loaded import LoadedCharacter
from charforge.replay.replay import AnswerSource
from charforge.rules.models import Entity, Lifting
from charforge.rules.ruleset import Ruleset
from charforge.usecases.change import (
    EventDraft,
    TrialChange,
    change_character,
    commit_change,
    draft_event,
    try_change,
)
from charforge.usecases.dice_source import DiceSource, TypedInputs, parse_inputs
from charforge.usecases.lookup import find_entity, find_gear, find_holding, find_holdings, find_unit
from charforge.usecases.unit_status import refuse_out_of_play

MOST = 100_000  # pieces at once
LONGEST_REMARK = 300
NAMED = "The GM named the price."
FREE = "Free of charge, as the GM allows."
UNSAID = TypedInputs()


@dataclass(frozen=True)
class Purchase:
    """What is to be bought; ``price`` of a piece only where it is not the list price."""

    entity: Entity
    quantity: int = 1
    price: int | None = None
    note: str = ""
    unit: str = CHARACTER

    def draft(self, price: int | None) -> EventDraft:
        """Return its event, each piece at a price."""
        return draft_event(
            AcquireEvent, entity=self.entity.id, quantity=self.quantity, price=price,
            unit=self.unit, note=self.note,
        )  # fmt: skip


# ------------------------------------------------------------------ buying


def read_purchase(
    opened: LoadedCharacter,
    named: str,
    quantity: int = 1,
    price: int | None = None,
    note: str = "",
    unit: str | None = None,
) -> Purchase:
    """Read what a player wants to buy; a ``price`` of 0 is a gift.

    Raises UnknownId or UsageError for what is no gear, has no price, or
    cannot be had several at once; RuleRefusal for what costs too much, and
    for who is out of play.
    """
    state = opened.character.state
    bearer = find_unit(state, unit).id
    refuse_out_of_play(opened, bearer)
    entity = _wanted(opened.ruleset, named)
    check_quantity(quantity)
    check_price(price)
    check_note(note)
    if quantity > 1:
        refuse_several(entity)
    cheapest = price if price is not None else min(list_prices(entity), default=None)
    if cheapest is None:
        raise no_list_price(entity)
    refuse_unaffordable(state, entity, cheapest, quantity)
    if price is not None and not note:
        note = NAMED if price else FREE
    return Purchase(entity, quantity, price, note.strip(), bearer)


def _wanted(ruleset: Ruleset, named: str) -> Entity:
    """Find the gear that is meant; say of anything else how it is gained."""
    try:
        return find_gear(ruleset, named)
    except UnknownId:
        try:
            other = find_entity(ruleset, named, lambda _entity: True, "entity")
        except (UnknownId, UsageError):
            other = None
        if other is None:
            raise
        kind = ruleset.kinds[other.kind].label
        raise UsageError(
            f"{other.name} is a {kind} and cannot be bought",
            f"What the GM gives beyond the rules: charforge gain FILE {other.id}",
        ) from None


def list_prices(entity: Entity) -> tuple[int, ...]:
    """Return the list prices of an entity, the lowest first; none for what is not for sale."""
    found = _prices(entity) if entity.price is None else [entity.price]
    return tuple(sorted(set(found)))


def _prices(entity: Entity) -> Iterator[int]:
    for ask in entity.choices:
        for option in ask.listed_options:
            if option.price is not None:
                yield option.price


def no_list_price(entity: Entity) -> UsageError:
    """Return the error about something that is not for sale by the list."""
    return UsageError(
        f"{entity.name} has no list price",
        "Give the one that the GM names with --price N, or --free.",
    )


def refuse_several(entity: Entity) -> None:
    """Refuse several at once of what brings other things, each with its own answers."""
    if brings_entities(entity):
        raise UsageError(f"{entity.name} brings other things with it", "Get one at a time.")


def brings_entities(entity: Entity) -> bool:
    """Whether an entity brings other things, itself or by its choices."""
    options = [option for ask in entity.choices for option in ask.listed_options]
    return bool(entity.grants) or any(option.grants for option in options)


def buy_item(
    opened: LoadedCharacter,
    wanted: Purchase,
    answers: Mapping[str, Answer] | None = None,
    source: AnswerSource = engine.leave_open,
) -> LoadedCharacter:
    """Buy something: its event, its answers, the money less what it costs.

    Raises RuleRefusal for too little money, and what ``change`` does.
    """
    given = dict(answers or {})
    found = try_change(opened, [wanted.draft(None)], given, source)
    refuse_unused(found, given)
    if found.open:
        return commit_change(found)  # which says what is left
    each = wanted.price if wanted.price is not None else trial_price(found, wanted.entity)
    if each is None:
        raise no_list_price(wanted.entity)
    refuse_unaffordable(opened.character.state, wanted.entity, each, wanted.quantity)
    known = {**given, **{d.id: found.character.state.answers[d.id] for d in found.fresh}}
    return change_character(opened, wanted.draft(each), answers=known)


def trial_price(found: TrialChange, entity: Entity) -> int | None:
    """Return the list price of a piece that is bought on trial."""
    return gear.price(found.character.state, entity, f"event.{found.events[0].n}")


def refuse_unaffordable(state: State, entity: Entity, each: int, quantity: int) -> None:
    """Raise RuleRefusal where there is too little money, saying what it costs and what there is."""
    reason = unaffordable_reason(state, each * quantity)
    if reason:
        what = entity.name if quantity == 1 else f"{quantity} × {entity.name}"
        raise RuleRefusal(f"{what} {reason}", "Sell something first, or buy less.")


def unaffordable_reason(state: State, cost: int) -> str:
    """Say why something cannot be paid; nothing where it can."""
    have = gear.money(state)
    if have is None:
        return "is not sold: these rules have no money" if cost else ""
    if cost <= max(have, 0):
        return ""
    return f"costs {money_text(state.ruleset, cost)}, there are {money_text(state.ruleset, have)}"


def money_text(ruleset: Ruleset, amount: int) -> str:
    """Say an amount of money."""
    value = ruleset.values.get(ruleset.head.gear.money or "")
    return f"{amount} {value.unit or value.label}" if value is not None else str(amount)


def refuse_unused(found: TrialChange, answers: Mapping[str, Answer]) -> None:
    """Raise UnusedAnswers for answers that nothing asks for, each with the nearest id."""
    asked = [decision.id for decision in found.character.asked]
    mine = f"event.{found.events[0].n}."
    fresh = [name for name in asked if name.startswith(mine)]
    unused = []
    for name in answers:
        if name not in asked:
            near = nearest(name, fresh)
            hint = f"; did you mean {near.removeprefix(mine)}?" if near else ""
            unused.append((name, f"nothing asks for {name.removeprefix(mine)!r}{hint}"))
    if unused:
        raise UnusedAnswers(unused)


# ------------------------------------------------------------------ parting


def sell_item(
    opened: LoadedCharacter,
    named: str,
    quantity: int = 1,
    price: int | None = None,
    note: str = "",
    unit: str | None = None,
) -> LoadedCharacter:
    """Sell pieces of what is owned, at the list price or another.

    Of several holdings that nothing tells apart, those gained last go first.
    Raises UsageError where there is no price, RuleRefusal for what cannot go.
    """
    check_price(price)
    state = opened.character.state
    alike = _find_owned(state, named, unit)
    holding = alike[0]
    each = gear.price(state, holding.entity, holding.id) if price is None else price
    if gear.money(state) is None:
        raise UsageError(f"{state.ruleset.head.name} has no money", "Use part instead.")
    check_parting(state, alike, quantity)
    if each is None:
        raise UsageError(
            f"{holding.name} has no list price",
            "Say what it brings with --price N; part is for what is lost or given away.",
        )
    if price is not None and not note:
        note = NAMED
    return _part(opened, alike, quantity, each, note)


def give_away_item(
    opened: LoadedCharacter, named: str, quantity: int = 1, note: str = "", unit: str | None = None
) -> LoadedCharacter:
    """Lose pieces of what is owned, or give them away: no money changes hands."""
    state = opened.character.state
    alike = _find_owned(state, named, unit)
    check_parting(state, alike, quantity)
    return _part(opened, alike, quantity, None, note)


def _find_owned(state: State, named: str, unit: str | None) -> tuple[Holding, ...]:
    """Find what is meant: among the gear and what events gave, else anything held."""
    bearer = None if unit is None else find_unit(state, unit).id
    going = [h for h in state.holdings if not reason_not_to_part(state, h)]
    try:
        return find_holdings(state, named, bearer, going)
    except UnknownId as error:
        try:
            return find_holdings(state, named, bearer)
        except UnknownId:
            raise error from None


def reason_not_to_part(state: State, holding: Holding) -> str:
    """Say why a holding cannot go by being sold or lost; nothing where it can."""
    name = holding.name
    if gear.is_attached(state, holding):
        return f"{name} is attached to the body: it cannot be sold or given away"
    if holding.entity.kind in state.ruleset.head.gear.kinds or _acquired(holding):
        return ""
    giver = holding
    while (above := state.holding(giver.origin)) not in (None, giver):
        giver = above
    if giver is not holding:
        return f"{name} came with {giver.name}"
    return f"{name} was given by {giver.origin}, and was not bought"


def _acquired(holding: Holding) -> bool:
    return holding.id == holding.origin and holding.id.startswith("event.")


def check_parting(state: State, alike: tuple[Holding, ...], quantity: int) -> None:
    """Raise RuleRefusal for what cannot go, or not so much of it."""
    check_quantity(quantity)
    holding, number = alike[0], sum(one.quantity for one in alike)
    reason = reason_not_to_part(state, holding)
    if reason:
        attached = gear.is_attached(state, holding)
        raise RuleRefusal(reason, "" if attached else "Use edit to change what was chosen.")
    if quantity > number:
        raise RuleRefusal(f"{holding.name}: there are {number}, not {quantity}")


def included_holdings(state: State, holding: Holding) -> tuple[Holding, ...]:
    """Return what came with a holding, is still there and goes with it.

    With gear its gear (a kit's pieces, not the Training that it taught).
    """
    kinds = state.ruleset.head.gear.kinds
    return tuple(
        other
        for other in state.holdings
        if other.id.startswith(f"{holding.id}.")
        and other.unit != holding.id
        and (other.entity.kind in kinds or holding.entity.kind not in kinds)
    )


def _part(
    opened: LoadedCharacter, alike: tuple[Holding, ...], quantity: int, each: int | None, note: str
) -> LoadedCharacter:
    """Part with some pieces of holdings that are alike, of one after another."""
    check_note(note)
    drafts, left = list[EventDraft](), quantity
    for holding in alike:
        going = min(left, holding.quantity)
        if going:
            drafts += _parted(opened.character.state, holding, going, each, note.strip())
        left -= going
    return change_character(opened, *drafts)


def _parted(
    state: State, holding: Holding, quantity: int, each: int | None, note: str
) -> Iterator[EventDraft]:
    """Yield the events of parting with pieces of one holding, and with what goes with it."""
    yield draft_event(PartEvent, holding=holding.id, quantity=quantity, price=each, note=note)
    if quantity == holding.quantity:
        told = f"with {holding.name}"
        for one in included_holdings(state, holding):
            yield draft_event(
                PartEvent, holding=one.id, quantity=one.quantity, price=None, note=told
            )


# ------------------------------------------------------------------ what is typed


def check_quantity(quantity: int) -> None:
    """Refuse a number of pieces that cannot be."""
    if not 1 <= quantity <= MOST:
        raise UsageError(f"the quantity goes from 1 to {MOST}, not {quantity}")


def check_price(price: int | None) -> None:
    """Refuse a price that cannot be."""
    if price is not None and not 0 <= price <= LARGEST_AMOUNT:
        raise UsageError(f"a price goes from 0 to {LARGEST_AMOUNT}, not {price}")


def check_note(note: str) -> None:
    """Refuse a note that no file should hold."""
    if len(note) > LONGEST_REMARK:
        raise UsageError(f"a note has at most {LONGEST_REMARK} characters, not {len(note)}")
    if has_unprintable(note) or "\n" in note:
        raise UsageError("the note holds control characters or broken signs", "Type it anew.")


# ------------------------------------------------------------------ things in hand


@dataclass(frozen=True)
class HoldResult:
    """What taking things in hand came to; ``told`` are the steps of a check."""

    after: LoadedCharacter
    taken: tuple[str, ...]
    told: tuple[StepMessage, ...] = ()
    failed: tuple[str, ...] = ()


def hold_items(
    opened: LoadedCharacter,
    named: Iterable[str],
    check: bool = False,
    dice: tuple[int, ...] = (),
    said: TypedInputs = UNSAID,
) -> HoldResult:
    """Take things in hand, one after another; what is too heavy only by its check.

    Raises RuleRefusal with everything that stands against it.
    """
    taking = _Taking(opened, check, dice, said)
    for name in named:
        taking.take(name)
    return taking.finish()


class _Taking:
    """Things being taken in hand: the state on the way, the events so far."""

    def __init__(
        self, opened: LoadedCharacter, check: bool, dice: tuple[int, ...], said: TypedInputs
    ) -> None:
        self.opened = opened
        self.state = opened.character.state
        self.check = check
        self.dice = dice
        self.said = said
        self.drafts: list[EventDraft] = []
        self.told: list[StepMessage] = []
        self.taken: list[str] = []
        self.failed: list[str] = []
        self.refused: list[str] = []
        self.too_heavy = False
        self.full = False

    def take(self, name: str) -> None:
        """Take one piece of what is meant, where that can be."""
        alike = find_holdings(self.state, name, CHARACTER, _owned_gear(self.state), hands=False)
        holding = next((h for h in alike if self._left(h)), alike[0])
        against = list(gear.reasons_not_to_hold(self.state, holding))
        heavy = gear.too_heavy(self.state, holding)
        if heavy is not None and not self.check:
            against.append(_weight_told(self.state, holding, *heavy))
            self.too_heavy = True
        if against:
            self.refused += against
            needed = gear.hands_needed(self.state, holding)
            self.full |= self._left(holding) > 0 and needed > gear.free_hands(self.state)
        elif heavy is None or self._lifted(*heavy):
            self.drafts.append(draft_event(HoldEvent, holding=holding.id))
            self.state = gear.hold(self.state, holding)
            self.taken.append(holding.name)
        else:
            self.failed.append(holding.name)

    def _left(self, holding: Holding) -> int:
        """How many pieces of a holding are not in hand."""
        return holding.quantity - self.state.in_hand.get(holding.id, 0)

    def _lifted(self, lifting: Lifting, weight: int) -> bool:
        """Roll whether an item is lifted, and keep that it was rolled."""
        procedure = self.opened.ruleset.procedure(lifting.procedure)
        said = self.said.also(**{lifting.input: weight})
        heard = parse_inputs(
            self.state, procedure.label, procedure.inputs, procedure.steps, said, CHARACTER
        )
        number = len(self.opened.document.log) + len(self.drafts) + 1
        rolls = _FirstRoll(
            DiceSource(self.opened.document.seed, f"event.{number}", heard.dice), self.dice
        )
        run = procedures.run_procedure(
            self.state, procedure, heard.inputs, rolls, choose=said.choose
        )
        self.drafts.append(
            draft_event(
                ProcedureEvent, procedure=procedure.id, unit=CHARACTER,
                inputs=dict(run.inputs), faces=dict(run.faces),
            )
        )  # fmt: skip
        self.dice = ()
        self.told += run.steps
        self.state = run.state
        return bool(run.outputs.get(lifting.output))

    def finish(self) -> HoldResult:
        """Make the change. Raises RuleRefusal for what could not be taken."""
        if self.refused:
            advice = "Stow something first." if self.full else ""
            advice = "--check rolls for it." if self.too_heavy else advice
            raise RuleRefusal("; ".join(dict.fromkeys(self.refused)), advice)
        if self.dice:
            raise UsageError("nothing is rolled for, so --dice has no use here")
        after = change_character(self.opened, *self.drafts)
        return HoldResult(after, tuple(self.taken), tuple(self.told), tuple(self.failed))


class _FirstRoll:
    """Dice of which the first roll was made at the table."""

    def __init__(self, others: DiceSource, given: tuple[int, ...]) -> None:
        self._others = others
        self._given = given

    def __call__(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return the faces of a roll."""
        if not self._given:
            return self._others(name, dice, label)
        given, self._given = list(self._given), ()
        wrong = dice.problem(given)
        if wrong:
            raise UsageError(f"--dice: {wrong}")
        return given


def _weight_told(state: State, holding: Holding, lifting: Lifting, weight: int) -> str:
    label = state.ruleset.kinds[holding.entity.kind].fields[lifting.needs].label
    value = state.ruleset.values[lifting.value].label
    now = state.values().total(lifting.value)
    return f"{holding.name} is {label} {weight}, and {value} is {now} now"


def stow_items(
    opened: LoadedCharacter, named: Iterable[str], everything: bool = False
) -> LoadedCharacter:
    """Put things away, one piece for each name, or everything that is in hand."""
    state, drafts = opened.character.state, list[EventDraft]()
    for name in named:
        inside = [h for h in state.holdings if state.in_hand.get(h.id)]
        if not inside:
            raise RuleRefusal("nothing is in hand" if not drafts else "nothing more is in hand")
        holding = _in_hand(state, name, inside)
        drafts.append(draft_event(StowEvent, holding=holding.id))
        state = gear.stow(state, holding)
    if everything:
        for name, number in state.in_hand.items():
            drafts += [draft_event(StowEvent, holding=name)] * number
        if not drafts:
            raise RuleRefusal("nothing is in hand")
    return change_character(opened, *drafts)


def _in_hand(state: State, name: str, inside: list[Holding]) -> Holding:
    """Return what is meant of what is in hand. Raises RuleRefusal for what is owned only."""
    try:
        return find_holding(state, name, None, inside)
    except UnknownId:
        owned = find_holdings(state, name, CHARACTER, _owned_gear(state), hands=False)[0]
        raise RuleRefusal(f"{owned.name} is owned, but not in hand") from None


def _owned_gear(state: State) -> list[Holding]:
    return list(gear.owned_gear(state, CHARACTER))


def names_in_hand(state: State) -> tuple[str, ...]:
    """Name what is in hand."""
    found = []
    for name, number in state.in_hand.items():
        holding = state.holding(name)
        if holding is not None:
            times = f" × {number}" if number > 1 else ""
            found.append(f"{holding.name}{times}")
    return tuple(found)
