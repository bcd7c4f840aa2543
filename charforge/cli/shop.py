"""The shop in a terminal: what is bought or sold there is saved at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import typer

from charforge.character import gear, storage
from charforge.character.events import AcquireEvent, PartEvent
from charforge.character.state import CHARACTER, Holding, State
from charforge.cli import console
from charforge.decisions.base import Decision
from charforge.decisions.option import Answer
from charforge.errors import UsageError
from charforge.replay.loaded import LoadedCharacter
from charforge.rules.models import Entity
from charforge.usecases import history, inventory, lookup, unit_status
from charforge.usecases.change import try_change
from charforge.wizard import shop


def visit(before: LoadedCharacter, file: Path) -> None:
    """Let a player buy and sell, then say what they did and what became of the money."""
    if gear.money(before.character.state) is None:
        raise UsageError(f"{before.ruleset.head.name} has no money", "Use gain and part instead.")
    unit_status.refuse_out_of_play(before)
    counter = Counter(before, file)
    try:
        shop.run(counter)
    except KeyboardInterrupt:
        console.say("Everything bought and sold is saved.")
        _farewell(before, counter)
        raise typer.Exit(130) from None
    _farewell(before, counter)


def _farewell(before: LoadedCharacter, counter: Counter) -> None:
    """Say each purchase and sale, in their order, and the money before and after them."""
    fresh = counter.opened.document.log[len(before.document.log) :]
    deals = [event for event in fresh if isinstance(event, AcquireEvent | PartEvent)]
    console.result(f"{counter.file}: {before.document.name}")
    for deal in history.entries_of(counter.opened, deals):
        console.result(f"  {deal.text}")
    label = before.ruleset.values[before.ruleset.head.gear.money or ""].label
    was, now = gear.money(before.character.state), gear.money(counter.state)
    if deals:
        console.result(f"  {label} {was} → {inventory.money_text(before.ruleset, now or 0)}")
    else:
        console.result("  nothing was bought or sold")


class Counter:
    """Where a player buys and sells: each purchase is a group of the log, written at once."""

    def __init__(self, opened: LoadedCharacter, file: Path) -> None:
        self.opened = opened
        self.file = file

    @property
    def state(self) -> State:
        """The character as it is now."""
        return self.opened.character.state

    @property
    def title(self) -> str:
        """The game and the character."""
        return f"{self.opened.ruleset.head.name} · {self.opened.document.name}"

    @property
    def seed(self) -> str:
        """What dice come from."""
        return self.opened.document.seed

    def wares(self) -> Iterator[Entity]:
        """Yield every piece of gear: what has a list price first."""
        kinds = self.opened.ruleset.head.gear.kinds
        found = [
            entity
            for kind in kinds
            for entity in self.opened.ruleset.of_kind(kind)
            if entity.alias_of is None
        ]
        yield from sorted(
            found,
            key=lambda e: (kinds.index(e.kind), not inventory.list_prices(e), e.name.casefold()),
        )

    def owned(self) -> Iterator[Holding]:
        """Yield the gear that is owned."""
        return gear.owned_gear(self.state)

    def prices(self, entity: Entity) -> tuple[int, ...]:
        """Return the list prices, the lowest first."""
        return inventory.list_prices(entity)

    def price(self, holding: Holding) -> int | None:
        """Return the list price of a piece."""
        return gear.price(self.state, holding.entity, holding.id)

    def too_dear(self, cost: int) -> str:
        """Say why an amount cannot be paid."""
        return inventory.unaffordable_reason(self.state, cost)

    def against_sale(self, holding: Holding) -> str:
        """Say why something cannot be sold."""
        return inventory.reason_not_to_part(self.state, holding)

    def several(self, entity: Entity) -> bool:
        """Whether several pieces can be bought at once."""
        return not inventory.brings_entities(entity)

    def coins(self, amount: int) -> str:
        """Say an amount of money."""
        return inventory.money_text(self.opened.ruleset, amount)

    def balance(self) -> str:
        """Say how much money there is."""
        label = self.opened.ruleset.values[self.opened.ruleset.head.gear.money or ""].label
        return f"{label}: {self.coins(gear.money(self.state) or 0)}"

    def named(self, holding: Holding) -> str:
        """Name something owned."""
        return lookup.holding_description(self.state, holding)

    def question(
        self, entity: Entity, answers: Mapping[str, Answer]
    ) -> tuple[Decision | None, int | None]:
        """Return the first open choice of a purchase, else its list price."""
        wanted = inventory.Purchase(entity)
        found = try_change(self.opened, [wanted.draft(None)], answers)
        if found.open:
            return found.open[0], None
        return None, inventory.trial_price(found, entity)

    def buy(
        self, entity: Entity, quantity: int, price: int | None, answers: Mapping[str, Answer]
    ) -> None:
        """Buy, and write the file."""
        wanted = inventory.read_purchase(self.opened, entity.id, quantity, price, unit=CHARACTER)
        self._keep(inventory.buy_item(self.opened, wanted, answers))

    def sell(self, holding: Holding, quantity: int, price: int | None) -> None:
        """Sell, and write the file."""
        self._keep(inventory.sell_item(self.opened, holding.id, quantity, price))

    def _keep(self, after: LoadedCharacter) -> None:
        storage.save_changed(self.opened.document, after.document, self.file)
        self.opened = after
