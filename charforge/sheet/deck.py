"""Cards to cut out: one for each thing that is held, used or suffered.

A card takes the largest letters that let its words fit. What fits in none
takes as few cards as it can: one ends after a paragraph, or after a
sentence where that saves a card. Everything is reckoned before any layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from charforge.expressions.markup import Block, Prose, Span
from charforge.sheet.cut import cut, sentences, text_of
from charforge.sheet.estimate import LEADING, POINT
from charforge.sheet.print_options import Look
from charforge.sheet.slip import (
    GAP,
    LARGE_SIZES,
    SIZES,
    Piece,
    Slip,
    height,
    lines_of,
    room,
    total,
)
from charforge.sheet.view import (
    AttackLine,
    Card,
    Entry,
    Item,
    SheetAction,
    SheetPool,
    SheetView,
    ViewList,
)

OWNER = 22
POOLS = "Dice pools"
ALWAYS = "none"  # the mark of what has no timing


def deal(view: SheetView, look: Look) -> list[list[Slip]]:
    """Return the cards of each page."""
    made = [part for slip in _slips(view) for part in _fitted(slip, look)]
    page = int(look.card_grid.width * look.card_grid.height)
    return [made[start : start + page] for start in range(0, len(made), page)]


def _slips(view: SheetView) -> Iterator[Slip]:
    """Yield a card for everything that has words or numbers of its own."""
    for unit in (None, *view.units):
        owner = _owner(unit.name if unit else view.name)
        holder = unit or view
        armed: dict[str, list[AttackLine]] = {}
        for line in holder.attacks:
            armed.setdefault(line.bearer, []).append(line)
        for card in holder.cards:
            yield _of_card(card, armed.pop(card.name, ()), owner)
        for item in () if unit else view.unlisted_items:
            if item.name in armed or item.text or item.actions or item.capacities:
                yield _of_item(item, armed.pop(item.name, ()), owner)
        for name, attacks in armed.items():
            kind = unit.kind if unit else ""
            yield Slip(name, "", "Attack", (), tuple(_attacks(attacks)), kind, owner)
    yield from _of_dice(view)
    for entry in view.conditions:
        yield _of_entry(entry, _owner(view.name))


def _owner(name: str) -> str:
    return name if len(name) <= OWNER else f"{name[: OWNER - 1].rstrip()}…"


def _of_card(card: Card, attacks: Sequence[AttackLine], owner: str) -> Slip:
    single = len(card.actions) == 1 and not card.actions[0].name
    pieces = (
        *_attacks(attacks),
        *_paragraphs(card.text),
        *_actions(card.actions, headed=not single),
        *(Piece(capacity=capacity) for capacity in card.capacities),
    )
    badge = single or not card.actions
    return Slip(
        name=card.name,
        timing=(card.timing or ALWAYS) if badge else "",
        label=(card.label or "Always") if badge else "",
        chips=card.actions[0].chips if single else (),
        pieces=pieces,
        kind=" · ".join(card.subtitle),
        owner=owner,
    )


def _of_item(item: Item, attacks: Sequence[AttackLine], owner: str) -> Slip:
    pieces = (
        *_attacks(attacks),
        *_paragraphs(item.text),
        *_actions(item.actions, headed=True),
        *(Piece(capacity=capacity) for capacity in item.capacities),
    )
    name = f"{item.quantity} × {item.name}" if item.quantity > 1 else item.name
    label = "Weapon" if attacks else "Item"
    return Slip(name, "", label, (), pieces, item.category, owner)


def _of_entry(entry: Entry, owner: str) -> Slip:
    pieces = (*_paragraphs(entry.text), *_actions(entry.actions, headed=True))
    return Slip(entry.name, "", "Condition", (), pieces, "", owner)


def _of_dice(view: SheetView) -> Iterator[Slip]:
    """Yield a card of dice pools, and one of each list that has dice."""
    told = [(POOLS, view.pools), *((one.label, tuple(_rolled(one))) for one in view.lists)]
    for name, pools in told:
        if pools:
            pieces = tuple(Piece(pool=pool) for pool in pools)
            yield Slip(name, "", "Dice", (), pieces, "", _owner(view.name))


def _rolled(listing: ViewList) -> Iterator[SheetPool]:
    for row in listing.rows:
        for cell in row.cells:
            if cell.dice:
                yield SheetPool(row.name, row.name, cell.dice)


def _attacks(attacks: Iterable[AttackLine]) -> Iterator[Piece]:
    for line in attacks:
        yield Piece(attack=line)
        yield from _paragraphs(line.text)
        for capacity in line.capacities:
            yield Piece(capacity=capacity)


def _paragraphs(prose: Prose) -> Iterator[Piece]:
    for block in prose:
        yield Piece(block=block)


def _actions(actions: Iterable[SheetAction], headed: bool) -> Iterator[Piece]:
    """Yield actions, each with its head where a card has several."""
    for action in actions:
        if headed:
            yield Piece(action=action)
        for reason in action.unmet:
            yield Piece(block=Block((Span(reason, bold=True),)))
        before: list[Span] = []
        if action.who:
            before.append(Span(f"{action.who}: ", bold=True))
        if action.trigger:
            said = (span for block in action.trigger for span in block.spans)
            before += [*(replace(span, italic=True) for span in said), Span(": ", italic=True)]
        first, *rest = action.text or (Block(()),)
        if first.listed and before:
            yield Piece(block=Block(tuple(before)))
            yield Piece(block=first)
        else:
            yield Piece(block=replace(first, spans=(*before, *first.spans)))
        yield from _paragraphs(tuple(rest))


def _fitted(slip: Slip, look: Look) -> Iterator[Slip]:
    """Yield a card in the largest letters that fit, or as few cards as it takes.

    Of as many, those are best whose paragraphs are whole, then those in larger letters.
    """
    sizes, left = LARGE_SIZES if look.large else SIZES, room(slip, look)
    for size in sizes:
        if total(slip.pieces, size, look) <= left:
            yield slip._replace(size=size)
            return
    size, parts = _fewest(slip, sizes, look)
    for number, part in enumerate(parts, 1):
        told = slip if number == 1 else slip._replace(chips=(), kind="")
        yield told._replace(size=size, pieces=part, number=number, total=len(parts))


def _fewest(
    slip: Slip, sizes: Sequence[float], look: Look
) -> tuple[float, tuple[tuple[Piece, ...], ...]]:
    """Return the best way to share a card that does not fit one: two are as few as there can be."""
    found: list[tuple[float, tuple[tuple[Piece, ...], ...]]] = []
    for torn in (False, True):
        for size in sizes:
            found.append((size, tuple(_parts(slip, size, look, torn))))
            if len(found[-1][1]) <= 2:
                return found[-1]
    return min(found, key=lambda made: len(made[1]))


def _parts(slip: Slip, size: float, look: Look, torn: bool) -> Iterator[tuple[Piece, ...]]:
    """Share the pieces of a card among several, of which the first says what it is and costs.

    ``torn`` ends one after a sentence as well; else only a paragraph too long for a card does.
    """
    numbered = slip._replace(total=2)
    left, rest = room(numbered, look), room(numbered._replace(chips=(), kind=""), look)
    part: list[Piece] = []
    waiting = list(_together(slip.pieces))
    while waiting:
        pieces = waiting.pop(0)
        if total((*part, *pieces), size, look) <= left:
            part += pieces
            continue
        before: tuple[Piece, ...] = ()
        after = pieces
        if torn or not part:
            before, after = _torn(pieces, left - total(part, size, look), size, look, not part)
        yield (*part, *before)
        part, left = [], rest
        if after:
            waiting.insert(0, after)
    if part:
        yield tuple(part)


def _together(pieces: Iterable[Piece]) -> Iterator[tuple[Piece, ...]]:
    """Yield what stays on one card: a head with the words it is of, a list with what is before."""
    found: list[Piece] = []
    for piece in pieces:
        found.append(piece)
        listing = piece.block is not None and text_of(piece.block).rstrip().endswith(":")
        if not (piece.action or listing or (piece.attack and piece.attack.text)):
            yield tuple(found)
            found = []
    if found:
        yield tuple(found)


def _torn(
    pieces: Sequence[Piece], left: float, size: float, look: Look, bare: bool
) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return what of pieces goes on a card, and the rest: on a ``bare`` one something does.

    Boxes of several things are shared out one thing at a time.
    """
    *heads, last = pieces
    left -= total(heads, size, look) if bare else sum(height(one, size, look) for one in heads)
    block, number = last.block, int((left - GAP) / (size * POINT * LEADING))
    if bare and heads and number < 1:
        return tuple(pieces[:1]), tuple(pieces[1:])
    if block is not None:
        listed = block.listed

        def fits(text: str) -> bool:
            return lines_of(text, size, look, listed) <= max(number, bare)

        before, after = sentences(block, fits)
        if bare and not before.spans:
            before, after = cut(block, fits)
        if before.spans:
            return (*heads, Piece(block=before)), (Piece(block=after),) if after.spans else ()
    elif last.capacity is not None and last.capacity.pieces > 1 and bare:
        one = height(Piece(capacity=last.capacity._replace(pieces=1)), size, look)
        number = min(max(1, int(left / one)), last.capacity.pieces - 1)
        first, rest = last.capacity.split(number)
        return (*heads, Piece(capacity=first)), (Piece(capacity=rest),)
    return (tuple(pieces), ()) if bare else ((), tuple(pieces))
