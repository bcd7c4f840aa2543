"""The shop: one list of everything that can be bought and sold.

Each purchase and each sale is saved immediately. Leaving the shop loses only
the purchase that is not complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from pathlib import Path

from charforge.answers.automatic import RandomAnswers
from charforge.character import gear
from charforge.character.state import CHARACTER, Holding, State
from charforge.decisions.base import MISSING, Answer, Decision, MenuItem, whole_number
from charforge.describe import entities
from charforge.errors import AnswerError, RuleRefusal, UsageError, sentence
from charforge.language import N_, _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Entity
from charforge.rules.names import original
from charforge.rules.ruleset import Ruleset
from charforge.usecases.advise import advise_purchase
from charforge.usecases.measures import typical_measures
from charforge.usecases.preview import KeyValue, key_values, preview_purchase, preview_sale
from charforge.verbs import inventory, lookup
from charforge.verbs.change import try_change
from charforge.wizard.decision_prompts import Cells, ask_decision, weapon_cells
from charforge.wizard.list_pages import ListPage
from charforge.wizard.pages import Back, Prompts, WizardPage
from charforge.wizard.screen import terminal
from charforge.wizard.terms import ExplainedPrompts

QUESTION = N_("What do you buy or sell?")
INTRO = N_("Each purchase and each sale is saved immediately.")
YOURS = N_("Yours, to sell")
YOUR_WEAPONS = N_("Your weapons, to sell")
NO_PRICE = N_("no list price")
GM_SETS = N_("No list price: your GM sets it.")


class _ShopCommand(Enum):
    """The entries of the list that are not for sale."""

    LEAVE = auto()


class _ShopPage(ListPage):
    """The list of the shop: each entry is tried on a copy of the character."""

    def __init__(self, loaded: LoadedCharacter, items: Sequence[MenuItem], start: object) -> None:
        super().__init__(items, start)
        self.trial = _Deals(loaded)
        measures = typical_measures(loaded.ruleset)
        if measures is not None:
            self.advice = lambda progress: advise_purchase(loaded, measures, progress=progress)

    def answer_with(self, item: MenuItem) -> Answer:
        """Return what is bought, or the id of what is sold."""
        return MISSING if item.pinned else item.value


@dataclass
class _Deals:
    """A character on which purchases and sales are tried, each only once."""

    loaded: LoadedCharacter
    tried: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def lines(self, thing: Entity | str, _instead_of: object = MISSING) -> Sequence[str]:
        """Return in words what buying an entity changes, or selling the holding with an id."""
        key = thing if isinstance(thing, str) else thing.id
        if key not in self.tried:
            is_sale = isinstance(thing, str)
            found = (
                preview_sale(self.loaded, thing)
                if isinstance(thing, str)
                else preview_purchase(self.loaded, thing)
            )
            shown = replace(found, removed=()) if is_sale else found
            self.tried[key] = tuple(shown.lines())
        return self.tried[key]

    def values(self, _thing: object = MISSING) -> tuple[KeyValue, ...]:
        """Return the values of the character, none if there is nothing to compare."""
        return key_values(self.loaded.character.state)


@dataclass
class _PurchaseTrial:
    """A purchase on which the answers to one of its choices are tried."""

    loaded: LoadedCharacter
    entity: Entity
    decision: Decision

    def lines(self, answer: Answer, _instead_of: object = MISSING) -> Sequence[str]:
        """Return in words what the purchase changes with an answer."""
        answers = {self.decision.id: answer}
        return tuple(preview_purchase(self.loaded, self.entity, answers).lines())

    def values(self, _answer: object = MISSING) -> tuple[KeyValue, ...]:
        """Return the values of the character before the purchase."""
        return key_values(self.loaded.character.state)


@dataclass
class Shop:
    """A character in a shop, and the file to which each purchase and sale is saved.

    ``save`` saves a changed character, from its former state, to a file and
    returns what it saved.
    """

    loaded: LoadedCharacter
    file: Path
    save: Callable[[LoadedCharacter, LoadedCharacter, Path], LoadedCharacter]
    prompts: Prompts = field(default_factory=terminal)
    note: str = ""
    last_deal: str = ""

    def run(self) -> None:
        """Let a player buy and sell until they leave.

        Raises KeyboardInterrupt when they stop or the terminal is gone.
        """
        self.prompts = ExplainedPrompts(self.prompts, self.ruleset)
        try:
            with self.prompts:
                self._serve()
        except (EOFError, OSError) as gone:
            raise KeyboardInterrupt from gone

    @property
    def state(self) -> State:
        """The character after the purchases and sales so far."""
        return self.loaded.character.state

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the character."""
        return self.loaded.ruleset

    def _serve(self) -> None:
        """Show the list until the player leaves it."""
        start: object = None
        while True:
            page = replace(self._page(_(QUESTION)), intro=_(INTRO), note=self.note)
            try:
                start = self.prompts.menu(page, _ShopPage(self.loaded, list(self._items()), start))
            except Back:
                return
            if start is _ShopCommand.LEAVE:
                return
            self.note = ""
            try:
                if isinstance(start, Entity):
                    self._buy(start)
                elif (holding := self._owned(start)) is not None:
                    self._sell(holding)
            except Back:
                continue
            except (RuleRefusal, UsageError, AnswerError) as refusal:
                self.note = sentence([str(refusal)])

    # ------------------------------------------------------------------ the list

    def _page(self, question: str, *status: str) -> WizardPage:
        money = self.ruleset.values[self.ruleset.head.gear.money or ""].label
        return WizardPage(
            title=f"{self.ruleset.head.name} · {self.loaded.document.name}",
            answers=((_("Done"), self.last_deal),) if self.last_deal else (),
            keeps_answer=bool(self.last_deal),
            question=question,
            values=key_values(self.state),
            stop=N_("leave"),
            status=(f"{money}: {self._coins(gear.money(self.state) or 0)}", *status),
        )

    def _items(self) -> Iterator[MenuItem]:
        """Yield the entries of the list: leave, what can be bought, what can be sold."""
        yield MenuItem(
            _ShopCommand.LEAVE,
            _("Leave"),
            about=_("Everything you bought and sold is saved."),
            pinned=True,
        )
        for entity in inventory.for_sale(self.ruleset):
            yield self._buy_item(entity)
        for holding in gear.owned_gear(self.state):
            yield self._sell_item(holding)

    def _buy_item(self, entity: Entity) -> MenuItem:
        prices = inventory.list_prices(entity)
        owned, cells = self.state.number(entity.id), weapon_cells(self.state, entity)
        price = self._coins(prices[0]) if prices else ""
        if len(prices) > 1:
            price = _("{prices} to {coins}").format(prices=prices[0], coins=self._coins(prices[-1]))
        details = [] if cells else [price or _(NO_PRICE)]
        if owned:
            details.append(_("{owned} owned").format(owned=owned))
        paragraphs = entities.entity_paragraphs(entity, self.ruleset)
        return MenuItem(
            entity,
            entity.name,
            " · ".join(details),
            "\n".join([*([] if price else [_(GM_SETS)]), *paragraphs]),
            (self._too_dear(prices[0]) if prices else "")
            or inventory.limit_reason(self.state, entity),
            self._group(entity, bool(cells)),
            " ".join((original(entity.name), *entity.aliases, *entity.tags, entity.id)),
            cells=_with_price(price, cells),
        )

    def _group(self, entity: Entity, is_weapon: bool) -> str:
        """Return the heading of what is for sale; weapons among other things have their own."""
        kind = self.ruleset.kinds[entity.kind]
        alike = [other for other in self.ruleset.of_kind(kind.id) if other.alias_of is None]
        few = 2 * sum(bool(other.attacks) for other in alike) < len(alike)
        return (
            _("{plural}: weapons").format(plural=kind.plural) if is_weapon and few else kind.plural
        )

    def _sell_item(self, holding: Holding) -> MenuItem:
        price = gear.price(self.state, holding.entity, holding.id)
        cells = weapon_cells(self.state, holding.entity, CHARACTER, holding.id)
        return MenuItem(
            holding.id,
            _("Sell {holding_description}").format(
                holding_description=lookup.holding_description(self.state, holding)
            ),
            "" if cells else _(NO_PRICE) if price is None else self._coins(price),
            against=inventory.reason_not_to_drop(self.state, holding),
            group=_(YOUR_WEAPONS) if cells else _(YOURS),
            search=holding.name,
            cells=_with_price("" if price is None else self._coins(price), cells),
        )

    def _owned(self, name: object) -> Holding | None:
        """Return the piece of gear with an id, if the character has it."""
        return next((h for h in gear.owned_gear(self.state) if h.id == name), None)

    def _coins(self, amount: int) -> str:
        return inventory.money_text(self.ruleset, amount)

    def _too_dear(self, cost: int) -> str:
        """Return why the character cannot pay an amount; empty if they can."""
        return inventory.unaffordable_reason(self.state, cost)

    def _save(self, after: LoadedCharacter, deal: str) -> None:
        self.loaded, self.last_deal = self.save(self.loaded, after, self.file), deal

    # ------------------------------------------------------------------ buying

    def _buy(self, entity: Entity) -> None:
        """Ask the choices, price and quantity of a purchase; Back asks the one before again."""
        asked: list[Decision] = []
        answers: dict[str, Answer] = {}
        gm_price: int | None = None
        while True:
            decision, price = self._next_question(entity, answers)
            try:
                if decision is not None:
                    former = answers.get(decision.id, MISSING)
                    answers[decision.id] = self._choose(entity, decision, former)
                    asked.append(decision)
                    continue
                if price is None:
                    gm_price = price = self._ask_price(entity)
                quantity = self._ask_quantity(entity, price)
            except Back:
                if not asked:
                    raise
                answers.pop(asked.pop().id)
                continue
            purchase = inventory.read_purchase(
                self.loaded, entity.id, quantity, gm_price, unit_id=CHARACTER
            )
            after = inventory.buy_item(self.loaded, purchase, answers).after
            self._save(after, _("bought {deal}").format(deal=self._deal(entity, quantity, price)))
            return

    def _next_question(
        self, entity: Entity, answers: Mapping[str, Answer]
    ) -> tuple[Decision | None, int | None]:
        """Return the first open choice of a purchase, or else its list price."""
        purchase = inventory.Purchase(entity)
        trial = try_change(self.loaded, [purchase.draft(None)], answers)
        if trial.open:
            return trial.open[0], None
        return None, inventory.trial_price(trial, entity)

    def _choose(self, entity: Entity, decision: Decision, former: Answer) -> Answer:
        page = self._page("", _("For: {name}").format(name=entity.name))
        random = RandomAnswers(self.loaded.document.seed)
        trial = _PurchaseTrial(self.loaded, entity, decision)
        answer = ask_decision(decision, self.prompts, page, former, random, trial)
        return decision.canonical(answer)

    def _ask_price(self, entity: Entity) -> int:
        """Ask for the GM's price of something without a list price."""
        page = self._page(
            _("{name} has no list price. What does your GM charge for one?").format(
                name=entity.name
            ),
            _("Enter 0 if it is free."),
        )

        def problem(text: str) -> str:
            number = whole_number(text)
            if number is None or number < 0:
                return _("Enter a whole number, 0 or more.")
            return sentence([self._too_dear(number)])

        return int(self.prompts.line(page, "", problem))

    def _ask_quantity(self, entity: Entity, price: int) -> int:
        """Ask for a quantity, or return 1 for what is bought one at a time."""
        if inventory.grants_entities(entity):
            reason = self._too_dear(price)
            if reason:
                raise RuleRefusal(f"{entity.name} {reason}")
            return 1
        page = self._page(
            _("{name}: how many?").format(name=entity.name),
            _("{coins} each").format(coins=self._coins(price)),
        )
        return self._ask_number(page, lambda number: self._too_dear(price * number))

    # ------------------------------------------------------------------ selling

    def _sell(self, holding: Holding) -> None:
        """Ask the quantity, and the price if there is no list price, and sell."""
        entity = holding.entity
        price = gear.price(self.state, entity, holding.id)
        gm_price: int | None = None
        if price is None:
            page = self._page(
                _("{name} has no list price. What do you get for one?").format(name=entity.name)
            )
            gm_price = price = self._ask_number(page, lambda _number: "", "", 0)
        page = self._page(
            _("{name}: how many do you sell?").format(name=entity.name),
            _("{coins} each; you have {quantity}.").format(
                coins=self._coins(price), quantity=holding.quantity
            ),
        )
        quantity = self._ask_number(
            page,
            lambda number: (
                _("you have only {quantity}").format(quantity=holding.quantity)
                if number > holding.quantity
                else ""
            ),
        )
        after = inventory.sell_item(self.loaded, holding.id, quantity, gm_price).after
        self._save(after, _("sold {deal}").format(deal=self._deal(entity, quantity, price)))

    def _deal(self, entity: Entity, quantity: int, price: int) -> str:
        times = f"{quantity} × " if quantity > 1 else ""
        return _("{times}{name} for {coins}").format(
            times=times, name=entity.name, coins=self._coins(price * quantity)
        )

    def _ask_number(
        self, page: WizardPage, refusal: Callable[[int], str], text: str = "1", least: int = 1
    ) -> int:
        """Ask for a whole number; ``refusal`` returns the reason against one."""

        def problem(typed: str) -> str:
            number = whole_number(typed)
            if number is None or number < least:
                return _("Enter a whole number, {least} or more.").format(least=least)
            return sentence([refusal(number)])

        return int(self.prompts.line(page, text, problem))


def _with_price(price: str, cells: Cells) -> Cells:
    """Return the row of a weapon with its price in front; empty for anything else."""
    return ((_("Price"), price or _("GM")), *cells) if cells else ()
