"""The shop: one list of what can be bought and what can be sold, again and again.

Each purchase and each sale is final as soon as it is made: the counter
keeps it at once. Leaving loses only what is being chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Protocol

from charforge.answers.random import RandomAnswers
from charforge.character.state import Holding, State
from charforge.decisions.base import WHOLE_NUMBER, Decision
from charforge.decisions.option import MISSING, Answer
from charforge.decisions.widgets import MenuItem
from charforge.describe import entities
from charforge.errors import AnswerError, RuleRefusal, UsageError
from charforge.rules.models import Entity
from charforge.wizard.pages import Back, Prompts, WizardPage
from charforge.wizard.questions import ask_decision, sentence
from charforge.wizard.screen import terminal

QUESTION = "What do you buy or sell?"
YOURS = "Yours, to sell"


class Counter(Protocol):
    """What the shop needs of the use-cases, which stand above it."""

    @property
    def state(self) -> State:
        """The character as it is now."""
        ...

    @property
    def title(self) -> str:
        """What stands above each page."""
        ...

    @property
    def seed(self) -> str:
        """What dice come from."""
        ...

    def wares(self) -> Iterator[Entity]:
        """Yield what the rules know to be bought."""
        ...

    def owned(self) -> Iterator[Holding]:
        """Yield what may be sold, and what may not."""
        ...

    def prices(self, entity: Entity) -> tuple[int, ...]:
        """Return the list prices of an entity, the lowest first."""
        ...

    def price(self, holding: Holding) -> int | None:
        """Return the list price of a piece that is owned."""
        ...

    def too_dear(self, cost: int) -> str:
        """Say why an amount cannot be paid; nothing where it can."""
        ...

    def against_sale(self, holding: Holding) -> str:
        """Say why something cannot be sold; nothing where it can."""
        ...

    def several(self, entity: Entity) -> bool:
        """Whether several pieces can be bought at once."""
        ...

    def coins(self, amount: int) -> str:
        """Say an amount of money."""
        ...

    def balance(self) -> str:
        """Say how much money there is."""
        ...

    def named(self, holding: Holding) -> str:
        """Name something owned, with what tells it from others."""
        ...

    def question(
        self, entity: Entity, answers: Mapping[str, Answer]
    ) -> tuple[Decision | None, int | None]:
        """Return what a purchase still asks, and its list price as far as that is known."""
        ...

    def buy(
        self, entity: Entity, quantity: int, price: int | None, answers: Mapping[str, Answer]
    ) -> None:
        """Buy, and keep it."""
        ...

    def sell(self, holding: Holding, quantity: int, price: int | None) -> None:
        """Sell, and keep it."""
        ...


class _Leave(Enum):
    """The entry that is no ware."""

    LEAVE = auto()


def run(counter: Counter) -> None:
    """Let a player buy and sell until they leave. Raises KeyboardInterrupt when they stop."""
    shop = _Shop(counter, terminal())
    try:
        with shop.prompts:
            shop.serve()
    except (EOFError, OSError) as gone:
        raise KeyboardInterrupt from gone


@dataclass
class _Shop:
    counter: Counter
    prompts: Prompts
    note: str = ""
    done: list[str] = field(default_factory=list)

    def serve(self) -> None:
        """Show the list until the player leaves it."""
        start: object = None
        while True:
            page = replace(self._page(QUESTION), note=self.note)
            try:
                start = self.prompts.menu(page, list(self._items()), start)
            except Back:
                return
            if start is _Leave.LEAVE:
                return
            self.note = ""
            try:
                if isinstance(start, Entity):
                    self._buy(start)
                elif (holding := self._held(start)) is not None:
                    self._sell(holding)
            except Back:
                continue
            except (RuleRefusal, UsageError, AnswerError) as refused:
                self.note = sentence([str(refused)])

    def _page(self, question: str, *status: str) -> WizardPage:
        counter = self.counter
        told = tuple(("Done", text) for text in self.done[-1:])
        return WizardPage(
            title=counter.title,
            told=told,
            question=question,
            status=(counter.balance(), *status),
        )

    def _items(self) -> Iterator[MenuItem]:
        counter = self.counter
        yield MenuItem(_Leave.LEAVE, "Leave", about="Everything bought and sold is saved.")
        for entity in counter.wares():
            yield self._ware(entity)
        for holding in counter.owned():
            price = counter.price(holding)
            each = "no list price" if price is None else counter.coins(price)
            yield MenuItem(
                holding.id,
                f"Sell {counter.named(holding)}",
                each,
                against=counter.against_sale(holding),
                group=YOURS,
                search=holding.name,
            )

    def _ware(self, entity: Entity) -> MenuItem:
        counter, state = self.counter, self.counter.state
        prices = counter.prices(entity)
        shown = [counter.coins(prices[0]) if prices else "no list price"]
        if len(prices) > 1:
            shown = [f"{prices[0]} to {counter.coins(prices[-1])}"]
        have = state.number(entity.id)
        if have:
            shown.append(f"{have} owned")
        return MenuItem(
            entity,
            entity.name,
            " · ".join(shown),
            "\n".join(entities.entity(entity, state.ruleset)),
            counter.too_dear(prices[0]) if prices else "",
            state.ruleset.kinds[entity.kind].plural,
            " ".join((*entity.aliases, *entity.tags, entity.id)),
        )

    def _held(self, name: object) -> Holding | None:
        return next((one for one in self.counter.owned() if one.id == name), None)

    def _buy(self, entity: Entity) -> None:
        """Ask what a purchase asks, one question after another; Back asks the former again."""
        counter = self.counter
        asked: list[Decision] = []
        answers: dict[str, Answer] = {}
        named: int | None = None
        while True:
            decision, price = counter.question(entity, answers)
            try:
                if decision is not None:
                    former = answers.get(decision.id, MISSING)
                    answers[decision.id] = self._choose(entity, decision, former)
                    asked.append(decision)
                    continue
                if price is None:
                    named = price = self._named_price(entity)
                quantity = self._quantity(entity, price)
            except Back:
                if not asked:
                    raise
                answers.pop(asked.pop().id)
                continue
            counter.buy(entity, quantity, named, answers)
            times = f"{quantity} × " if quantity > 1 else ""
            paid = counter.coins(price * quantity)
            self.done.append(f"bought {times}{entity.name} for {paid}")
            return

    def _choose(self, entity: Entity, decision: Decision, former: Answer) -> Answer:
        prompts, chance = self.prompts, RandomAnswers(self.counter.seed)
        page = self._page("", f"For: {entity.name}")
        answer = ask_decision(decision, prompts, page, former, chance)
        return decision.canonical(answer)

    def _named_price(self, entity: Entity) -> int:
        """Ask what the GM wants for something without a list price."""
        page = self._page(
            f"{entity.name} has no list price. What does the GM ask for a piece?", "0: it is free."
        )

        def problem(typed: str) -> str:
            if not WHOLE_NUMBER.fullmatch(typed.strip()) or int(typed) < 0:
                return "A price is a whole number, 0 or more."
            return sentence([self.counter.too_dear(int(typed))])

        return int(self.prompts.line(page, "", problem))

    def _quantity(self, entity: Entity, price: int) -> int:
        if not self.counter.several(entity):
            reason = self.counter.too_dear(price)
            if reason:
                raise RuleRefusal(f"{entity.name} {reason}")
            return 1
        page = self._page(f"How many × {entity.name}?", f"{self.counter.coins(price)} each")
        return self._number(page, lambda number: self.counter.too_dear(price * number))

    def _sell(self, holding: Holding) -> None:
        counter, entity = self.counter, holding.entity
        price = counter.price(holding)
        named: int | None = None
        if price is None:
            page = self._page(f"{entity.name} has no list price. What does a piece bring?")
            named = price = self._number(page, lambda _number: "", "", 0)
        page = self._page(
            f"How many × {entity.name} do you sell?",
            f"{counter.coins(price)} each; there are {holding.quantity}.",
        )
        quantity = self._number(
            page, lambda n: f"{n} are not there" if n > holding.quantity else ""
        )
        counter.sell(holding, quantity, named)
        times = f"{quantity} × " if quantity > 1 else ""
        self.done.append(f"sold {times}{entity.name} for {counter.coins(price * quantity)}")

    def _number(
        self, page: WizardPage, against: Callable[[int], str], text: str = "1", least: int = 1
    ) -> int:
        """Ask for a whole number."""

        def problem(typed: str) -> str:
            if not WHOLE_NUMBER.fullmatch(typed.strip()) or int(typed) < least:
                return f"It takes a whole number, {least} or more."
            return sentence([against(int(typed))])

        return int(self.prompts.line(page, text, problem))
