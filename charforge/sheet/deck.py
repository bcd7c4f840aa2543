"""Cards to cut out: one for each thing that is held, used or suffered.

A card takes the largest letters that let its words fit; what fits in none
goes on to a second card, never below the least size. Everything is
reckoned before any layout; lengths are millimetres, sizes points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from charforge.prose import Block, Prose, Span
from charforge.sheet.cut import cut, text_of
from charforge.sheet.dice import GAP as DIE_GAP, size as size_of_die
from charforge.sheet.estimate import LEADING, POINT, lines
from charforge.sheet.look import Look
from charforge.sheet.track import ticked
from charforge.sheet.view import (
    Action,
    AttackLine,
    Capacity,
    Card,
    Chip,
    Entry,
    Item,
    Listing,
    Pool,
    SheetView,
)

SIZES, SPLIT = (12.0, 10.75, 9.75, 8.5, 7.75, 7.25), 8.5
LARGE_SIZES, LARGE, LARGE_WIDER = (16.0, 14.0), 14.0, 1.1
SIDES = 12.6  # beside the text: what is cut off, the frame, and its padding
TOP, BOTTOM, SPARE = 7.8, 6.3, 1.0  # above the badge, below and around the foot
CONDENSED = 0.85  # how wide letters of headings are beside those of the text
OWNER = 22
POOLS = "Dice pools"
ALWAYS = "none"  # the mark of what has no timing
GAP = 0.8  # over each paragraph


class Piece(NamedTuple):
    """Something on a card: a line of an attack, an action's head, a paragraph, boxes, dice."""

    attack: AttackLine | None = None
    action: Action | None = None
    block: Block | None = None
    capacity: Capacity | None = None
    pool: Pool | None = None


class Slip(NamedTuple):
    """A card; ``number`` of ``total`` that tell one thing, in letters of ``size``."""

    name: str
    timing: str
    label: str
    chips: tuple[Chip, ...]
    pieces: tuple[Piece, ...]
    kind: str
    owner: str
    size: float = SIZES[0]
    number: int = 1
    total: int = 1


def deal(view: SheetView, look: Look) -> list[list[Slip]]:
    """Return the cards of each page."""
    made = [part for slip in _slips(view) for part in _fitted(slip, look)]
    page = int(look.grid.width * look.grid.height)
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
        for item in () if unit else view.carried:
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


def _rolled(listing: Listing) -> Iterator[Pool]:
    for row in listing.rows:
        for cell in row.cells:
            if cell.dice:
                yield Pool(row.name, row.name, cell.dice)


def _attacks(attacks: Iterable[AttackLine]) -> Iterator[Piece]:
    for line in attacks:
        yield Piece(attack=line)
        yield from _paragraphs(line.text)
        for capacity in line.capacities:
            yield Piece(capacity=capacity)


def _paragraphs(prose: Prose) -> Iterator[Piece]:
    for block in prose:
        yield Piece(block=block)


def _actions(actions: Iterable[Action], headed: bool) -> Iterator[Piece]:
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
    """Yield a card in the largest letters that fit, or as many cards as it takes."""
    room = _room(slip, look)
    for size in LARGE_SIZES if look.large else SIZES:
        if sum(_height(piece, size, look) for piece in slip.pieces) <= room:
            yield slip._replace(size=size)
            return
    size = LARGE if look.large else SPLIT
    rest = _room(slip._replace(chips=()), look)
    parts = list(_parts(slip.pieces, size, (room, rest), look))
    for number, part in enumerate(parts, 1):
        chips = slip.chips if number == 1 else ()
        yield slip._replace(size=size, pieces=part, chips=chips, number=number, total=len(parts))


def _parts(
    pieces: Sequence[Piece], size: float, rooms: tuple[float, float], look: Look
) -> Iterator[tuple[Piece, ...]]:
    """Share pieces among cards, the first with a room of its own.

    An action's head stays with its first words.
    """
    part: list[Piece] = []
    left, room = rooms
    waiting = list(pieces)
    while waiting:
        piece = waiting.pop(0)
        height = _height(piece, size, look)
        bare = not part or (len(part) == 1 and part[0].action is not None)
        if height <= left or (bare and piece.block is None):
            part.append(piece)
            left -= height
            continue
        number = int((left - GAP) / (size * POINT * LEADING))
        if piece.block is not None and (number >= 2 or bare):
            before, after = _torn(piece.block, max(number, 1), size, look)
            part.append(Piece(block=before))
            piece = Piece(block=after)
        head = [part.pop()] if part[-1].action else []
        yield tuple(part)
        part, left = head, room - sum(_height(one, size, look) for one in head)
        if piece.block is None or piece.block.spans:
            waiting.insert(0, piece)
    if part:
        yield tuple(part)


def _torn(block: Block, number: int, size: float, look: Look) -> tuple[Block, Block]:
    def fits(text: str) -> bool:
        return _lines(text, size, look, block.listed) <= number

    return cut(block, fits, least=0.5)


def _lines(text: str, size: float, look: Look, listed: bool = False) -> int:
    wider = LARGE_WIDER if look.large else 1.0
    width = look.card.width - SIDES - (0.34 * size if listed else 0)
    return lines(text, width, size, wider)


def _room(slip: Slip, look: Look) -> float:
    """Return the height between a card's head and its foot."""
    large = look.large
    size = title_size(slip.name, look)
    narrow = 1.0 if large else CONDENSED
    title = 0.8 + _lines(f"{slip.name}  2 of 2", size * narrow, look) * size * POINT * 1.12
    head = (7.4 if large else 5.4) if slip.label else 0.0
    chips = "    ".join(f"{chip.text}{'     ' * chip.box}" for chip in slip.chips)
    limits = 2.4 + _lines(chips, (LARGE if large else 9) * narrow, look) * (7.0 if large else 4.4)
    small = LARGE if large else 7.0
    ends = (slip.kind, slip.owner) if large else (f"{slip.kind}     {slip.owner}",)
    foot = sum(_lines(text, small, look) for text in ends if text) * small * POINT * 1.2
    height = look.card.height - TOP - BOTTOM - SPARE - head - title - foot
    return height - (limits if slip.chips else 0.0) - (2.0 if large else 0.0)


def _height(piece: Piece, size: float, look: Look) -> float:
    line = size * POINT * LEADING
    small = LARGE if look.large else 7.5
    if piece.block is not None:
        return GAP + line * _lines(text_of(piece.block), size, look, piece.block.listed)
    if piece.capacity is not None:
        drawn, _worth = ticked(piece.capacity.max)
        boxes = -(-drawn // (6 if look.large else 10)) * piece.capacity.pieces
        return GAP + small * POINT * LEADING + boxes * (6.6 if look.large else 5.0) + 0.8
    if piece.pool is not None:
        wide = sum(die.number for die in piece.pool.dice) * (size_of_die(look) + DIE_GAP)
        room = look.card.width - SIDES
        name = _lines(piece.pool.label, size, look) * line
        aside = wide + 0.5 * size * POINT * len(piece.pool.label) < room
        return GAP + 1.6 + (max(name, size_of_die(look)) if aside else name + size_of_die(look))
    if piece.action is not None:
        chips = " · ".join(chip.text for chip in piece.action.chips)
        text = f"{piece.action.label}        {piece.action.name}   {chips}"
        return 2.6 + _lines(text, LARGE if look.large else 8.5, look) * (7.4 if look.large else 5.2)
    assert piece.attack is not None
    attack = piece.attack
    shot = f"{attack.mode} {attack.range} {attack.roll} vs {attack.versus} {attack.damage}"
    under = " · ".join((*attack.notes, attack.made_of, *attack.extras, *attack.unmet))
    return (
        2.2
        + _lines(f"{shot} {attack.types}", max(size, 11), look) * max(size, 11) * POINT * 1.3
        + _lines(under, small, look) * small * POINT * LEADING
    )


def title_size(name: str, look: Look) -> float:
    """Return the size of a card's name: less for a long one."""
    if look.large:
        return 18.0 if len(name) <= 20 else 16.0
    return 17.0 if len(name) <= 24 else 13.0 if len(name) <= 48 else 10.0
