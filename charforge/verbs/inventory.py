"""Inventory: buy, sell, give away, hold, stow, wear and take off items.

Each change is one group of the log. The decisions of an item (a damage
type, a size) are answered with its purchase, because its price may depend
on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from charforge.character import gear
from charforge.character.files.document import Difference, Entries, entry_differences
from charforge.character.files.events import (
    AbilityEvent,
    AcquireEvent,
    CarryEvent,
    DropEvent,
    Override,
    ProcedureEvent,
)
from charforge.character.gear import newly_exceeded
from charforge.character.holdings import add_holding
from charforge.character.state import CHARACTER, Holding, State, find_unit
from charforge.decisions.base import Answer
from charforge.errors import (
    FILE,
    RuleRefusal,
    UnknownId,
    UnusedAnswers,
    UsageError,
    nearest,
    shorten,
)
from charforge.expressions.template import MINUS, has_unprintable
from charforge.language import N_, _, sort_key
from charforge.limits import LARGEST_AMOUNT, LARGEST_QUANTITY
from charforge.procedures import run as procedures, use
from charforge.procedures.abilities import Ability
from charforge.procedures.context import RunSettings, StepMessage
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Entity, Lifting
from charforge.rules.ruleset import Ruleset
from charforge.verbs.change import (
    EventDraft,
    PlayResult,
    TrialChange,
    change_character,
    commit_change,
    draft_carry,
    draft_event,
    refuse_out_of_play,
    try_change,
)
from charforge.verbs.lookup import (
    find_entity,
    find_gear,
    find_holding,
    find_holdings,
    holding_description,
    holding_label,
)
from charforge.verbs.play import NOTHING_TYPED, draft_procedure, event_dice
from charforge.verbs.typed_inputs import PlannedRun, TypedInputs, parse_inputs

LONGEST_REMARK = 300  # characters of a note
PRICE_NOTE = N_("The GM set the price.")
FREE_NOTE = N_("Free, with the permission of the GM.")


@dataclass(frozen=True)
class Purchase:
    """An item to buy; ``price`` is for one piece, None for the list price."""

    entity: Entity
    quantity: int = 1
    price: int | None = None
    note: str = ""
    unit: str = CHARACTER
    override: Override | None = None

    def draft(self, price: int | None) -> EventDraft:
        """Return the draft of its event at a price for each piece."""
        return draft_event(
            AcquireEvent, entity=self.entity.id, quantity=self.quantity, price=price,
            unit=self.unit, note=self.note, override=self.override,
        )  # fmt: skip


# ------------------------------------------------------------------ buying


def read_purchase(
    opened: LoadedCharacter,
    named: str,
    quantity: int = 1,
    price: int | None = None,
    note: str = "",
    unit_id: str | None = None,
    override: Override | None = None,
) -> Purchase:
    """Return the purchase that a player names, checked before any decision is asked.

    ``price`` is for one piece in the ruleset's money: None for the list
    price, 0 for a gift. Raises UnknownId or UsageError for something that is
    not gear, has no price, or cannot be bought in numbers; RuleRefusal for
    too little money and for a unit out of play.
    """
    state = opened.character.state
    bearer = find_unit(state, unit_id).id
    refuse_out_of_play(opened, bearer)
    entity = _find_for_sale(opened.ruleset, named)
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
        note = PRICE_NOTE if price else FREE_NOTE
    return Purchase(entity, quantity, price, note.strip(), bearer, override)


def refuse_without_gear(ruleset: Ruleset, advice: str = "") -> None:
    """Raise UsageError for a game in which nothing can be bought, with the advice."""
    if not ruleset.head.gear.kinds:
        raise UsageError(
            _("{game} has nothing to buy").format(game=ruleset.head.name),
            advice or _("Use award and drop instead."),
        )


def _find_for_sale(ruleset: Ruleset, named: str) -> Entity:
    """Return the gear with a name. For another entity the UsageError says how it is gained."""
    refuse_without_gear(ruleset)
    try:
        return find_gear(ruleset, named)
    except UnknownId:
        try:
            other = find_entity(ruleset, named, lambda _entity: True, _("entity"))
        except (UnknownId, UsageError):
            other = None
        if other is None:
            raise
        kind = ruleset.kinds[other.kind].label
        raise UsageError(
            _("{name} ({kind}) cannot be bought").format(name=other.name, kind=kind),
            _("If the GM gives it to you: {command}"),
            ["award", FILE, other.id],
        ) from None


def list_prices(entity: Entity) -> tuple[int, ...]:
    """Return the list prices of an entity, lowest first; empty if it is not for sale."""
    if entity.price is not None:
        return (entity.price,)
    options = (option for question in entity.choices for option in question.listed_options)
    return tuple(sorted({option.price for option in options if option.price is not None}))


def for_sale(ruleset: Ruleset) -> list[Entity]:
    """Return all gear of the rules by kind, in each kind what has a list price first."""
    kinds = ruleset.head.gear.kinds
    wares = [
        entity for kind in kinds for entity in ruleset.of_kind(kind) if entity.alias_of is None
    ]
    return sorted(wares, key=lambda e: (kinds.index(e.kind), not list_prices(e), sort_key(e.name)))


def no_list_price(entity: Entity) -> UsageError:
    """Return the error for an entity without a list price."""
    return UsageError(
        _("{name} has no list price").format(name=entity.name),
        _("Add the price your GM sets: --price N, or --free."),
    )


def refuse_several(entity: Entity) -> None:
    """Raise UsageError for an entity that grants others, which are gained one at a time."""
    if grants_entities(entity):
        raise UsageError(
            _("{name} comes with other things").format(name=entity.name), _("Buy one at a time.")
        )


def grants_entities(entity: Entity) -> bool:
    """Return whether an entity grants other entities, itself or by its choices."""
    options = [option for question in entity.choices for option in question.listed_options]
    return bool(entity.all_grants) or any(option.grants for option in options)


def buy_item(
    opened: LoadedCharacter,
    purchase: Purchase,
    answers: Mapping[str, Answer] | None = None,
) -> PlayResult:
    """Buy an item, with the answers to its choices and its cost paid.

    Raises RuleRefusal for too little money, and as ``commit_change`` does.
    """
    explicit_answers = dict(answers or {})
    trial = try_change(opened, [purchase.draft(None)], explicit_answers)
    refuse_unused(trial, explicit_answers)
    if trial.open:
        return PlayResult(commit_change(trial))  # raises MissingAnswers
    price = purchase.price if purchase.price is not None else trial_price(trial, purchase.entity)
    if price is None:
        raise no_list_price(purchase.entity)
    refuse_unaffordable(opened.character.state, purchase.entity, price, purchase.quantity)
    effective = trial.character.state.answers
    all_answers = {**explicit_answers, **{d.id: effective[d.id] for d in trial.new_decisions}}
    after = change_character(opened, purchase.draft(price), answers=all_answers)
    old, new = opened.character.state, after.character.state
    bought = new.holding(f"event.{trial.events[0].n}")
    told = [] if bought is None else list(_bought_texts(old, new, bought))
    return PlayResult.of_texts(after, told, differences=money_differences(old, new))


def _bought_texts(before: State, after: State, bought: Holding) -> Iterator[str]:
    """Yield what was bought, and the holdings that came with it."""
    yield f"+ {holding_description(after, bought)}"
    for holding in after.holdings:
        if before.holding(holding.id) is None and holding is not bought:
            yield "  " + _("with {name}").format(name=holding_description(after, holding))


def money_differences(before: State, after: State) -> tuple[Difference, ...]:
    """Return the change of the character's money; empty if there is none."""
    return tuple(entry_differences("value", _money_entry(before), _money_entry(after)))


def _money_entry(state: State) -> Entries:
    money, values = state.ruleset.head.gear.money, state.values()
    if money is None or values.is_hidden(money):
        return {}
    return {money: (state.ruleset.values[money].label, values.total(money))}


def trial_price(trial: TrialChange, entity: Entity) -> int | None:
    """Return the list price of one piece in a trial purchase."""
    return gear.price(trial.character.state, entity, f"event.{trial.events[0].n}")


def refuse_unaffordable(state: State, entity: Entity, each: int, quantity: int) -> None:
    """Raise RuleRefusal for too little money, with the cost and the money there is."""
    reason = unaffordable_reason(state, each * quantity)
    if reason:
        items = entity.name if quantity == 1 else f"{quantity} × {entity.name}"
        raise RuleRefusal(f"{items} {reason}", _("Sell something first, or buy less."))


def unaffordable_reason(state: State, cost: int) -> str:
    """Return why a cost cannot be paid; empty if it can."""
    have = gear.money(state)
    if have is None:
        return _("cannot be bought: this game has no money") if cost else ""
    if cost <= max(have, 0):
        return ""
    return _("costs {money}; you have {owned}").format(
        money=money_text(state.ruleset, cost), owned=money_text(state.ruleset, have)
    )


def money_text(ruleset: Ruleset, amount: int) -> str:
    """Return an amount of money with its unit."""
    value = ruleset.values.get(ruleset.head.gear.money or "")
    return f"{amount} {value.unit or value.noun(amount)}" if value is not None else str(amount)


def limit_reason(state: State, entity: Entity) -> str:
    """Return which limit one more piece of an entity would exceed; empty if none."""
    after = add_holding(state, entity, "more", "more") if state.ruleset.head.limits else state
    return "; ".join(one.text for one in newly_exceeded(state, after))


def refuse_unused(trial: TrialChange, answers: Mapping[str, Answer]) -> None:
    """Raise UnusedAnswers for answers that no decision asks for, each with the nearest id."""
    asked = [decision.id for decision in trial.character.asked]
    prefix = f"event.{trial.events[0].n}."
    own_decisions = [name for name in asked if name.startswith(prefix)]
    unused = []
    for name in answers:
        if name not in asked:
            near = nearest(name, own_decisions)
            hint = (
                _("; did you mean {near}?").format(near=near.removeprefix(prefix)) if near else ""
            )
            unused.append(
                (
                    name,
                    _("there is no choice {name}{hint}").format(
                        name=shorten(name.removeprefix(prefix)), hint=hint
                    ),
                )
            )
    if unused:
        raise UnusedAnswers(unused)


# ------------------------------------------------------------------ selling


def sell_item(
    opened: LoadedCharacter,
    named: str,
    quantity: int = 1,
    price: int | None = None,
    note: str = "",
    unit_id: str | None = None,
) -> PlayResult:
    """Sell pieces of an item, at the list price of one piece or another ``price``.

    Of identical holdings those gained last go first. Raises UsageError
    without a price, RuleRefusal for an item that cannot be sold.
    """
    check_price(price)
    state = opened.character.state
    alike = _find_owned(state, named, unit_id)
    holding = alike[0]
    each = gear.price(state, holding.entity, holding.id) if price is None else price
    if gear.money(state) is None:
        raise UsageError(
            _("{name} has no money").format(name=state.ruleset.head.name), _("Use drop instead.")
        )
    check_drop(state, alike, quantity)
    if each is None:
        raise UsageError(
            _("{name} has no list price").format(name=holding.name),
            _("Add --price N. To lose it or give it away, use drop."),
        )
    if price is not None and not note:
        note = PRICE_NOTE
    after = _remove_pieces(opened, alike, quantity, each, note)
    old, new = state, after.character.state
    return PlayResult.of_texts(
        after, _removed_texts(old, new), differences=money_differences(old, new)
    )


def drop_item(
    opened: LoadedCharacter,
    named: str,
    quantity: int = 1,
    note: str = "",
    unit_id: str | None = None,
) -> PlayResult:
    """Lose pieces of an item, or give them away, without money."""
    state = opened.character.state
    alike = _find_owned(state, named, unit_id)
    check_drop(state, alike, quantity)
    after = _remove_pieces(opened, alike, quantity, None, note)
    return PlayResult.of_texts(after, _removed_texts(state, after.character.state))


def _removed_texts(before: State, after: State) -> Iterator[str]:
    """Yield how many of each item were removed and are left."""
    left = _count_holdings(after)
    for name, number in _count_holdings(before).items():
        removed = number - left[name]
        if removed:
            times = f"{removed} × " if removed > 1 else ""
            rest = _(" ({left} left)").format(left=left[name]) if left[name] else ""
            yield f"{MINUS} {times}{name}{rest}"


def _count_holdings(state: State) -> Counter[str]:
    """Return the quantities of all holdings by their labels."""
    counts = Counter[str]()
    for holding in state.holdings:
        counts[holding_label(state, holding)] += holding.quantity
    return counts


def _find_owned(state: State, named: str, unit_id: str | None) -> tuple[Holding, ...]:
    """Return the holdings with a name: of those that can be sold if possible, else of all."""
    bearer = None if unit_id is None else find_unit(state, unit_id).id
    sellable = [h for h in state.holdings if not reason_not_to_drop(state, h)]
    try:
        return find_holdings(state, named, bearer, sellable)
    except UnknownId as error:
        try:
            return find_holdings(state, named, bearer)
        except UnknownId:
            raise error from None


def reason_not_to_drop(state: State, holding: Holding) -> str:
    """Return why a holding cannot be sold or given away; empty if it can."""
    name = holding.name
    if state.is_attached(holding):
        return _("{name} is attached to your body, so you cannot sell or drop it").format(name=name)
    was_awarded = holding.id == holding.origin and holding.id.startswith("event.")
    if was_awarded or holding.entity.kind in state.ruleset.head.gear.kinds:
        return ""
    giver = holding
    while (above := state.holding(giver.origin)) not in (None, giver):
        giver = above
    if giver is not holding:
        return _("{name} came with {giver_name}").format(name=name, giver_name=giver.name)
    origin = state.ruleset.decision_label(giver.origin)
    return _("{name} comes from {origin} and was not bought").format(name=name, origin=origin)


def check_drop(state: State, alike: tuple[Holding, ...], quantity: int) -> None:
    """Raise RuleRefusal for a holding that cannot be sold, or not in this number."""
    check_quantity(quantity)
    holding, number = alike[0], sum(other.quantity for other in alike)
    reason = reason_not_to_drop(state, holding)
    if reason:
        attached = state.is_attached(holding)
        raise RuleRefusal(reason, "" if attached else _("To change a choice, use edit."))
    if quantity > number:
        raise RuleRefusal(
            _("you have {number} {name}, not {quantity}").format(
                number=number, name=holding.name, quantity=quantity
            )
        )


def included_holdings(state: State, holding: Holding) -> tuple[Holding, ...]:
    """Return the holdings that came with another and leave with it.

    With gear that is gear (a kit's pieces, not the Training that it taught).
    """
    kinds = state.ruleset.head.gear.kinds
    return tuple(
        other
        for other in state.holdings
        if other.id.startswith(f"{holding.id}.")
        and other.unit != holding.id
        and (other.entity.kind in kinds or holding.entity.kind not in kinds)
    )


def _remove_pieces(
    opened: LoadedCharacter, alike: tuple[Holding, ...], quantity: int, each: int | None, note: str
) -> LoadedCharacter:
    """Remove pieces of identical holdings, one holding after another."""
    check_note(note)
    drafts, left = list[EventDraft](), quantity
    for holding in alike:
        pieces = min(left, holding.quantity)
        if pieces:
            drafts += _draft_removal(opened.character.state, holding, pieces, each, note.strip())
        left -= pieces
    return change_character(opened, *drafts)


def _draft_removal(
    state: State, holding: Holding, quantity: int, each: int | None, note: str
) -> Iterator[EventDraft]:
    """Yield the drafts that remove pieces of a holding, and what came with it."""
    yield draft_event(DropEvent, holding=holding.id, quantity=quantity, price=each, note=note)
    if quantity == holding.quantity:
        for included in included_holdings(state, holding):
            yield draft_event(
                DropEvent, holding=included.id, quantity=included.quantity, price=None
            )


# ------------------------------------------------------------------ checks of arguments


def check_quantity(quantity: int) -> None:
    """Raise UsageError for a number of pieces out of range."""
    if not 1 <= quantity <= LARGEST_QUANTITY:
        raise UsageError(
            _("the quantity must be from 1 to {most}, not {quantity}").format(
                most=LARGEST_QUANTITY, quantity=quantity
            )
        )


def check_price(price: int | None) -> None:
    """Raise UsageError for a price out of range."""
    if price is not None and not 0 <= price <= LARGEST_AMOUNT:
        raise UsageError(
            _("the price must be from 0 to {largest_amount}, not {price}").format(
                largest_amount=LARGEST_AMOUNT, price=price
            )
        )


def check_note(note: str) -> None:
    """Raise UsageError for a note that is too long or has control characters."""
    if len(note) > LONGEST_REMARK:
        raise UsageError(
            _("a note can have at most {longest_remark} characters, not {count}").format(
                longest_remark=LONGEST_REMARK, count=len(note)
            )
        )
    if has_unprintable(note) or "\n" in note:
        raise UsageError(
            _("the note contains control characters or invalid characters"), _("Type it again.")
        )


# ------------------------------------------------------------------ items in hand


def named_items(opened: LoadedCharacter, words: Sequence[str]) -> Sequence[str]:
    """Return the names of items: several words as one name if an item is called so."""
    if len(words) > 1:
        with suppress(UnknownId, UsageError):
            find_holdings(opened.character.state, " ".join(words))
            return [" ".join(words)]
    return words


def hold_items(
    opened: LoadedCharacter,
    named: Iterable[str],
    check: bool = False,
    typed: TypedInputs = NOTHING_TYPED,
    granted: bool = False,
) -> PlayResult:
    """Hold items, one after another; with ``check`` roll for those that are too heavy.

    ``typed`` are the inputs of these checks, and the dice of the first one; ``granted``: it uses
    no action. Raises RuleRefusal with every reason against it.
    """
    change = _HoldChange(opened, check, typed, granted)
    for name in named:
        change.take(name)
    return change.finish()


class _HoldChange:
    """A change that takes items in hand: the state and the drafts so far."""

    def __init__(
        self, opened: LoadedCharacter, check: bool, typed: TypedInputs, granted: bool
    ) -> None:
        self.opened = opened
        self.counted = not granted and _uses_hand_change(opened)
        self.state = opened.character.state
        self.check = check
        self.typed = typed
        self.drafts: list[EventDraft] = []
        self.steps: list[StepMessage] = []
        self.failed: list[str] = []
        self.refused: list[str] = []
        self.too_heavy: list[str] = []
        self.full = False

    def take(self, name: str) -> None:
        """Take one piece of the item with a name, if the rules allow it."""
        alike = _owned_named(self.state, name)
        holding = next((h for h in alike if self._left(h)), alike[0])
        against = list(gear.reasons_not_to_hold(self.state, holding))
        heavy = gear.too_heavy(self.state, holding)
        if heavy is not None and not self.check:
            against.append(_too_heavy_reason(self.state, holding, *heavy))
            self.too_heavy.append(holding.entity.slug)
        if against:
            self.refused += against
            needed = gear.hands_needed(self.state, holding)
            self.full |= self._left(holding) > 0 and needed > gear.free_hands(self.state)
        elif heavy is None or self._lifted(*heavy):
            self.drafts.append(draft_carry("hold", holding.id, self.counted))
            self.counted = False
            self.state = gear.hold(self.state, holding)
        else:
            self.failed.append(holding.name)

    def _left(self, holding: Holding) -> int:
        """Return how many pieces of a holding are not in hand."""
        return holding.quantity - self.state.in_hand.get(holding.id, 0)

    def _lifted(self, lifting: Lifting, weight: int) -> bool:
        """Roll the check to lift an item, add its event, and return whether it succeeded."""
        procedure = self.opened.ruleset.procedure(lifting.procedure)
        typed = self.typed.also(**{lifting.input: weight})
        run = PlannedRun.of_procedure(procedure, CHARACTER)
        parsed = parse_inputs(self.state, run, typed)
        dice = event_dice(self.opened.document, typed, parsed.dice, len(self.drafts))
        result = procedures.run_procedure(
            self.state, procedure, parsed.inputs, RunSettings(dice.roll, typed.choose)
        )
        dice.refuse_unused(procedure.label)
        self.drafts.append(draft_procedure(procedure, CHARACTER, result))
        self.typed = replace(self.typed, dice={})
        self.steps += result.steps
        self.state = result.state
        return bool(result.outputs.get(lifting.output))

    def finish(self) -> PlayResult:
        """Return the result. Raises RuleRefusal for items that cannot be held."""
        if self.refused:
            advice = _("Stow something first.") if self.full else ""
            command: tuple[str, ...] = ()
            if self.too_heavy and not self.full:
                advice = _("To roll for it: {command}")
                command = ("hold", FILE, *self.too_heavy, "--check")
            raise RuleRefusal("; ".join(dict.fromkeys(self.refused)), advice, command)
        if self.typed.dice:
            raise UsageError(_("nothing is rolled here, so leave out --dice"))
        after = change_character(self.opened, *self.drafts)
        failed = [_("{name} is too heavy to lift").format(name=name) for name in self.failed]
        texts = [*failed, *hand_lines(after.character.state)]
        return PlayResult.of_texts(after, texts, steps=self.steps)


def _uses_hand_change(opened: LoadedCharacter) -> bool:
    """Return whether changing what is in hand now uses an action.

    Not if the last event already belongs to such a change. Raises RuleRefusal
    if the action cannot be used now.
    """
    state = opened.character.state
    ability = use.hand_change(state)
    if ability is None or _is_changing_hands(opened, ability):
        return False
    reasons = "; ".join(use.reasons_against(state, ability))
    if reasons:
        raise RuleRefusal(
            _("you can't change what you hold now: {reasons}").format(reasons=reasons),
            _("Add --granted if your GM allows it. Stow and hold in a row are one change."),
        )
    return True


def _is_changing_hands(opened: LoadedCharacter, ability: Ability) -> bool:
    """Return whether the last events are one change of what is in hand, which is counted."""
    lifting = opened.ruleset.head.gear.lifting
    for event in reversed(opened.document.log):
        if isinstance(event, CarryEvent) and event.how in ("hold", "stow"):
            if event.counted:
                return True
        elif isinstance(event, AbilityEvent):
            return (event.holding, event.ability) == (ability.source, ability.key)
        elif not (
            isinstance(event, ProcedureEvent)
            and lifting is not None
            and event.procedure == lifting.procedure
        ):
            return False
    return False


def _too_heavy_reason(state: State, holding: Holding, lifting: Lifting, weight: int) -> str:
    label = state.ruleset.kinds[holding.entity.kind].fields[lifting.needs].label
    value = state.ruleset.values[lifting.value].label
    now = state.values().total(lifting.value)
    return _("{name} is {label} {weight}, and your {value} is {now}").format(
        name=holding.name, label=label, weight=weight, value=value, now=now
    )


def stow_items(
    opened: LoadedCharacter, named: Iterable[str], everything: bool = False, granted: bool = False
) -> PlayResult:
    """Stow items: one piece for each name, or everything in hand.

    ``granted``: it uses no action. Raises RuleRefusal as ``hold_items`` does.
    """
    state, drafts = opened.character.state, list[EventDraft]()
    counted = not granted and _uses_hand_change(opened)
    for name in named:
        in_hand = [h for h in state.holdings if state.in_hand.get(h.id)]
        if not in_hand:
            raise RuleRefusal(
                _("you are not holding anything")
                if not drafts
                else _("you are holding nothing else")
            )
        holding = _find_in_hand(state, name, in_hand)
        drafts.append(draft_carry("stow", holding.id, counted and not drafts))
        state = gear.stow(state, holding)
    if everything:
        for holding_id, number in state.in_hand.items():
            for _piece in range(number):
                first = counted and not drafts
                drafts.append(draft_carry("stow", holding_id, first))
        if not drafts:
            raise RuleRefusal(_("you are not holding anything"))
    after = change_character(opened, *drafts)
    return PlayResult.of_texts(after, hand_lines(after.character.state))


def wear_items(opened: LoadedCharacter, named: Iterable[str]) -> PlayResult:
    """Put on items: one piece for each name. Raises RuleRefusal for what cannot be worn."""
    state, drafts = opened.character.state, list[EventDraft]()
    for name in named:
        alike = _owned_named(state, name)
        holding = next((h for h in alike if state.pieces_worn(h) < h.quantity), alike[0])
        state = gear.wear(state, holding)
        drafts.append(draft_carry("wear", holding.id))
    after = change_character(opened, *drafts)
    return PlayResult.of_texts(after, [worn_line(after.character.state)])


def take_off_items(
    opened: LoadedCharacter, named: Iterable[str], everything: bool = False
) -> PlayResult:
    """Take off items: one piece for each name, or everything that is worn."""
    state, drafts = opened.character.state, list[EventDraft]()
    names = list(named)
    if everything:
        names = [name for name, number in state.worn.items() for _piece in range(number)]
        if not names:
            raise RuleRefusal(_("you are not wearing anything"))
    for name in names:
        alike = _owned_named(state, name)
        holding = next(filter(state.pieces_worn, alike), alike[0])
        state = gear.take_off(state, holding)
        drafts.append(draft_carry("take-off", holding.id))
    after = change_character(opened, *drafts)
    return PlayResult.of_texts(after, [worn_line(after.character.state)])


def worn_line(state: State) -> str:
    """Return a line with the items that are worn."""
    worn = ", ".join(names_worn(state)) or _("nothing")
    return _("worn: {worn}").format(worn=worn)


def names_worn(state: State) -> tuple[str, ...]:
    """Return the names of the items that are worn, with their numbers."""
    return _counted_names(state, state.worn)


def _find_in_hand(state: State, name: str, in_hand: list[Holding]) -> Holding:
    """Return the item in hand with a name. Raises RuleRefusal for one that is only owned."""
    try:
        return find_holding(state, name, None, in_hand)
    except UnknownId:
        owned = _owned_named(state, name)[0]
        raise RuleRefusal(
            _("you own {name}, but you are not holding it").format(name=owned.name)
        ) from None


def _owned_named(state: State, name: str) -> Sequence[Holding]:
    """Return the gear with a name that the character has itself, in hand or not."""
    return find_holdings(state, name, CHARACTER, [*gear.owned_gear(state, CHARACTER)], hands=False)


def hand_lines(state: State) -> Iterator[str]:
    """Yield a line with the items in hand, and one with the free hands."""
    held = ", ".join(names_in_hand(state)) or _("nothing")
    yield _("in hand: {held}").format(held=held)
    yield _("hands free: {free} of {all_hands}").format(
        free=gear.free_hands(state), all_hands=gear.hand_count(state)
    )


def names_in_hand(state: State) -> tuple[str, ...]:
    """Return the names of the items in hand, with their numbers."""
    return _counted_names(state, state.in_hand)


def _counted_names(state: State, pieces: Mapping[str, int]) -> tuple[str, ...]:
    """Return the names of holdings with their numbers, by the ids of the holdings."""
    counted = ((state.holding(name), number) for name, number in pieces.items())
    return tuple(
        holding.name + (f" × {number}" if number > 1 else "")
        for holding, number in counted
        if holding is not None
    )
