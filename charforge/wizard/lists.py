"""How a list is asked: one item after another, the last one taken back at will."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from charforge.decisions.base import Answer, Decision
from charforge.describe import answers
from charforge.replay.replay import MISSING
from charforge.rules.models import Choose
from charforge.wizard.pages import Back, Item
from charforge.wizard.prompts import OWN_WORDS, Act, Asking, dice_of, entry, own_words


def several(asking: Asking, choose: Choose) -> Answer:
    """Ask a list one by one; what was taken last on these pages can be taken back."""
    decision, fresh = asking.decision, 0
    picked = list(_still_legal(asking, choose))
    start: Answer = Act.DONE if picked or choose.up_to else None
    while True:
        items = [entry(asking, offer, picked) for offer in decision.options(picked)]
        complete = not decision.faults(picked)
        if fresh and complete and _full(choose, picked, items):
            return picked
        if not isinstance(start, Act):
            start = _next_legal(items, start)
        try:
            taken = asking.menu(
                [*_acts(decision, choose, picked, complete), *items, *_own(choose, picked)],
                start,
                status=tuple(_progress(decision, choose, picked)),
            )
            if taken is Act.OWN_WORDS:
                taken = _own_word(asking, choose, picked)
        except Back:
            if not fresh:
                raise
            taken = Act.TAKE_BACK
        if taken is Act.DONE:
            return picked
        if taken is Act.TAKE_BACK:
            start, fresh = picked.pop(), max(0, fresh - 1)
        elif taken is not Act.OWN_WORDS:
            picked.append(taken)
            start, fresh = taken, fresh + 1


def _next_legal(items: Sequence[Item], value: Answer) -> Answer:
    """Return the option to point at: this one, or the next that can be taken."""
    at = next((n for n, item in enumerate(items) if item.value == value), 0)
    return next((item.value for item in (*items[at:], *items[:at]) if not item.against), value)


def _still_legal(asking: Asking, choose: Choose) -> Iterator[Answer]:
    """Yield what of the former answer can still be taken, item by item."""
    former, taken = asking.former, list[Answer]()
    for item in former if isinstance(former, list | tuple) else ():
        if not _so_far(asking.decision, choose, taken).faults([*taken, item]):
            taken.append(item)
            yield item


def _so_far(decision: Decision, choose: Choose, picked: Sequence[Answer]) -> Decision:
    """Return the decision as if the list ended after one more item."""
    return replace(decision, ask=choose.model_copy(update={"count": len(picked) + 1}))


def _full(choose: Choose, picked: Sequence[Answer], items: Sequence[Item]) -> bool:
    """Whether nothing more can be taken."""
    if choose.count is not None and len(picked) >= choose.count:
        return True
    return not choose.own_words and all(item.against for item in items)


def _acts(
    decision: Decision, choose: Choose, picked: Sequence[Answer], complete: bool
) -> Iterator[Item]:
    if complete:
        left = f": {_left(decision, choose, picked)}" if choose.budget else ""
        yield Item(Act.DONE, f"Done{left}")
    if picked:
        yield Item(Act.TAKE_BACK, f"Take back: {answers.label(decision, picked[-1])}")


def _own(choose: Choose, picked: Sequence[Answer]) -> Iterator[Item]:
    if choose.own_words:
        full = choose.count is not None and len(picked) >= choose.count
        yield Item(Act.OWN_WORDS, OWN_WORDS, against="the list is full" if full else "")


def _progress(decision: Decision, choose: Choose, picked: Sequence[Answer]) -> Iterator[str]:
    """Say how far a list has come."""
    if choose.among is not None and choose.among.faces is not None:
        dice = dice_of(decision, choose.among.faces)
        yield f"Your dice: {answers.faces(sorted(dice.elements(), reverse=True))}"
    shown = f": {answers.answer(decision, list(picked))}" if picked else ""
    if choose.budget is not None:
        yield f"{_left(decision, choose, picked)}{shown}"
    elif choose.up_to:
        yield f"{len(picked)} chosen, at most {choose.count}{shown}"
    else:
        yield f"{len(picked)} of {choose.count} chosen{shown}"


def _left(decision: Decision, choose: Choose, picked: Sequence[Answer]) -> str:
    assert choose.budget is not None
    free = decision.free() or 0
    return f"{free - decision.spent(picked)} of {free} {choose.budget.label} free"


def _own_word(asking: Asking, choose: Choose, picked: Sequence[Answer]) -> Answer:
    """Ask for one item of a list in own words; back again is no item."""
    longer = _so_far(asking.decision, choose, picked)
    status = tuple(_progress(asking.decision, choose, picked))
    try:
        return own_words(
            replace(asking, former=MISSING), lambda text: longer.faults([*picked, text]), status
        )
    except Back:
        return Act.OWN_WORDS
