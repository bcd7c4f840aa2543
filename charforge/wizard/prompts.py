"""A decision being asked, and what several kinds of question share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from charforge.answers.random import Chance
from charforge.decisions.base import Answer, Decision, Offer, rolled
from charforge.describe import entities
from charforge.replay.replay import MISSING
from charforge.rules.models import Choose
from charforge.wizard.pages import Item, Page, Prompts

OWN_WORDS = "Write my own …"


class Act(Enum):
    """Entries of a menu that are no options of the rules."""

    KEEP = auto()
    DONE = auto()
    TAKE_BACK = auto()
    OWN_WORDS = auto()
    ROLL = auto()
    TYPE = auto()
    SUGGEST = auto()


@dataclass(frozen=True)
class Asking:
    """A decision being asked: on which page, and what was answered before (or MISSING)."""

    decision: Decision
    prompts: Prompts
    page: Page
    former: Answer
    chance: Chance

    def menu(self, items: Sequence[Item], start: object = None, **page: object) -> Answer:
        """Ask with a menu on this page, changed by ``page``."""
        return self.prompts.menu(replace(self.page, **page), items, start)  # type: ignore[arg-type]

    @property
    def kept(self) -> bool:
        """Whether the former answer is still allowed."""
        return self.former is not MISSING and not self.decision.faults(self.former)


def own_words(
    asking: Asking, faults: Callable[[str], Sequence[str]], status: tuple[str, ...] = ()
) -> str:
    """Ask for a text of one's own, the former one to begin with."""
    offered = {offer.id for offer in asking.decision.options()}
    former = asking.former if isinstance(asking.former, str) else ""
    page = replace(asking.page, help="In your own words.", status=status)
    begun = "" if former in offered else former
    return asking.prompts.line(page, begun, lambda text: sentence(faults(text))).strip()


def entry(asking: Asking, offer: Offer, picked: Sequence[Answer] = ()) -> Item:
    """Show an option: what it costs, what it is, why it cannot be taken."""
    decision, choose = asking.decision, asking.decision.ask
    assert isinstance(choose, Choose)
    ruleset, found = decision.before.ruleset, offer.entity
    reasons = list(offer.reasons)
    if choose.many and not choose.repeats and choose.budget is None and offer.id in picked:
        reasons = ["chosen already"]
    detail = f"{choose.budget.label}: {offer.cost}" if choose.budget else ""
    if choose.among is not None and choose.among.faces is not None:
        left = dice_of(decision, choose.among.faces)[offer.id] - Counter(picked)[offer.id]
        detail = f"× {left}"
    taken = "✓ " if offer.id in picked and not choose.repeats else ""
    return Item(
        value=offer.id,
        label=taken + offer.label,
        detail=detail,
        about=entities.offer(offer, ruleset),
        against="; ".join(reasons),
        group=ruleset.kinds[found.kind].plural if found else "",
        search=" ".join((*found.aliases, *found.tags)) if found else "",
    )


def dice_of(decision: Decision, name: str) -> Counter[Answer]:
    """Return how many dice of an answered roll show each face."""
    return Counter(rolled(decision.before.answers[name])[-1])


def sentence(reasons: Sequence[str]) -> str:
    """Join reasons to a sentence; nothing for none."""
    joined = "; ".join(filter(None, reasons))
    return f"{joined[0].upper()}{joined[1:]}." if joined else ""
