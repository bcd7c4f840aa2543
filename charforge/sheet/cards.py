"""Cards to cut out: one for each ability, weapon, piece of gear and condition.

Abilities that are used alike, such as those of one check, are one card with that as its title.

A card is a sequence of pieces: paragraphs, heads of actions, attacks, boxes to tick. A piece is
printed whole. ``charforge.sheet.fit_cards`` finds the type size in which they fit on the card; what
does not fit in any continues on another card.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from charforge.errors import UnknownId
from charforge.expressions.template import Block, Prose, Span
from charforge.language import N_, _
from charforge.sheet.print_options import CARD_KINDS, CARD_SIZES, CardKind, PrintOptions
from charforge.sheet.view import (
    AttackMode,
    Card,
    CardGroup,
    Chip,
    Entry,
    Item,
    SharedRule,
    SheetAction,
    SheetCapacity,
    SheetPool,
    SheetView,
    UnitPanel,
    ViewList,
    Weapon,
    counted_name,
    grouped_cards,
    numbered,
    shared_modes,
    shared_rules,
    without_shared,
)

Form = Literal["text", "small", "action-head", "attack", "boxes", "dice"]

POOLS = N_("Dice pools")
MODES = N_("Several of your weapons")
ROOM_FOR_TERMS = 320  # characters; longer texts fill their card without explanations
SIZES = (11.0, 10.0, 9.0, 8.5)  # points, for texts shorter than these and for all others
SHORT_TEXTS = (240, 320, 400)  # characters on the smallest card; more on larger ones
SMALL_SIZES = (7.75, 7.0)
LARGE_SIZES = (17.0, 14.0)
MOST_BOXES = 2  # weapons with boxes on a card
LONG_LABEL = 48  # characters; a longer limit is a paragraph of the card
LONG_NAME = 90  # characters of a title
LONG_FOOT = 80
LONG_TEXT = 240  # characters of a paragraph that stay together where a card has to be divided
SENTENCE = re.compile(r"(?<=[.;!?])\s+")
SPACE = re.compile(r"\s+")


class Piece(NamedTuple):
    """A part of a card that is printed whole; ``form`` says which of the fields it has."""

    form: Form
    block: Block = Block(())
    action: SheetAction | None = None
    attack: AttackMode | None = None
    capacity: SheetCapacity | None = None
    pool: SheetPool | None = None
    # What has the boxes, on the card of several things.
    name: str = ""
    # Whether it belongs on the same card as the piece after it.
    stays: bool = False
    # Whether it continues the paragraph before it.
    continues: bool = False


class PrintCard(NamedTuple):
    """A card: ``full`` are its pieces with the texts of the rules, ``digest`` those in short.

    ``badges`` are pairs of a timing and its label, ``cost`` is what a single action costs,
    ``label`` what the card is if it has no timing. ``terms`` explain words of its text, where
    there is room.
    """

    kind: CardKind
    name: str
    label: str
    full: tuple[Piece, ...]
    digest: tuple[Piece, ...]
    owner: str
    badges: tuple[tuple[str, str], ...] = ()
    cost: tuple[Chip, ...] = ()
    chips: tuple[Chip, ...] = ()
    notes: tuple[str, ...] = ()
    subtitle: str = ""
    terms: tuple[Piece, ...] = ()

    @property
    def explained(self) -> tuple[Piece, ...]:
        """Its pieces, and below them explanations of the words they use."""
        return (*self.full, *self.terms)

    @property
    def when(self) -> tuple[tuple[str, str], ...]:
        """The badges that it is printed with: its timings or, without one, what it is."""
        plain = "none" if self.label == _("Always") else "plain"
        return self.badges or ((plain, self.label),)

    @property
    def timing(self) -> str:
        """The first timing; empty if it has none."""
        return self.badges[0][0] if self.badges else ""


class FittedCard(NamedTuple):
    """A card as it is printed: its pieces in a type ``size`` in points.

    It is card ``number`` of the ``total`` that continue one another. While it is ``measured``,
    each piece is printed by itself and has an id.
    """

    card: PrintCard
    pieces: tuple[Piece, ...]
    size: float
    digest: bool = False
    number: int = 1
    total: int = 1
    measured: bool = False

    @property
    def length(self) -> int:
        """The number of characters of its text."""
        return _length(self.pieces)

    @property
    def is_dense(self) -> bool:
        """Whether everything on it is small, not only its text."""
        return self.size <= SMALL_SIZES[0]

    def heads(self, piece: Piece) -> bool:
        """Return whether an attack has the headings of its figures: the first of the card has."""
        return piece is next((one for one in self.pieces if one.attack), None)

    @property
    def runs(self) -> tuple[tuple[Piece, ...], ...]:
        """Its pieces, with paragraphs that follow one another together."""
        runs: list[tuple[Piece, ...]] = []
        for piece in self.pieces:
            if runs and piece.form == runs[-1][-1].form == "text" and not self.measured:
                runs[-1] = (*runs[-1], piece)
            else:
                runs.append((piece,))
        return tuple(runs)


def variants(card: PrintCard, options: PrintOptions) -> tuple[FittedCard, ...]:
    """Return the ways to print a card on one, the best first.

    Short texts have large type, and below them the words they use are explained. A text that fits
    in none of the sizes for reading is printed in short, and only that in smaller type.
    """
    full, digest, explained = card.full, card.digest, card.explained
    sizes = _sizes(explained, options) if explained != full else ()
    ways = [FittedCard(card, explained, size) for size in sizes]
    ways += [FittedCard(card, full, size) for size in _sizes(full, options)]
    if digest != full:
        ways += [FittedCard(card, digest, size, digest=True) for size in _sizes(digest, options)]
    if not options.large:
        shorter = digest != full
        ways += [FittedCard(card, digest, size, digest=shorter) for size in SMALL_SIZES]
    return tuple(ways)


def _sizes(pieces: Iterable[Piece], options: PrintOptions) -> tuple[float, ...]:
    """Return the type sizes for a text in points: the largest that suits its length, and less."""
    if options.large:
        return LARGE_SIZES
    card, smallest = options.card_size, min(CARD_SIZES.values())
    larger = card.width * card.height / (smallest.width * smallest.height)
    length = _length(pieces)
    return SIZES[sum(length >= most * larger for most in SHORT_TEXTS) :]


def _length(pieces: Iterable[Piece]) -> int:
    """Return the number of characters in the texts of pieces."""
    return sum(len(span.text) for piece in pieces for span in piece.block.spans)


def print_cards(view: SheetView, options: PrintOptions) -> tuple[PrintCard, ...]:
    """Return the cards of a character of the kinds that the print options name.

    Raises UnknownId for a name that is no kind of card.
    """
    known = {str(kind): kind for kind in CARD_KINDS}
    known |= {view.cards_label.casefold(): known["abilities"]} if view.cards_label else {}
    for name in sorted(options.card_kinds - known.keys()):
        raise UnknownId(_("kind of card"), name, known)
    chosen = {known[name] for name in options.card_kinds}
    cards = (_checked(card) for card in _all_cards(view) if card.kind in chosen)
    known_terms = (*view.reference, *view.conditions, *view.actions)
    return tuple(card._replace(terms=tuple(_terms(card, known_terms))) for card in cards)


def _terms(card: PrintCard, reference: Iterable[Entry]) -> Iterator[Piece]:
    """Yield explanations of the words that a short text uses, until the card is full."""
    text = " ".join(span.text for piece in card.full for span in piece.block.spans)
    room = ROOM_FOR_TERMS - len(text)
    for entry in reference:
        words = re.compile(rf"(?<!\w){re.escape(entry.name)}(?!\w)")
        digest = entry.text.digest
        length = len(entry.name) + sum(len(span.text) for block in digest for span in block.spans)
        if entry.name != card.name and digest and length <= room and words.search(text):
            room -= length
            first, *others = digest
            name = Span(f"{entry.name}: ", bold=True)
            yield Piece("small", first._replace(spans=(name, *first.spans), listed=False))
            yield from (Piece("small", block._replace(listed=False)) for block in others)


def shared_cards(decks: Iterable[tuple[PrintCard, ...]]) -> tuple[PrintCard, ...]:
    """Return the cards of several characters, equal ones once, with the names of all owners."""
    owners: dict[PrintCard, dict[str, None]] = {}
    for card in (card for deck in decks for card in deck):
        owners.setdefault(card._replace(owner=""), {})[card.owner] = None
    return tuple(card._replace(owner=", ".join(names)) for card, names in owners.items())


def _all_cards(view: SheetView) -> Iterator[PrintCard]:
    """Yield a card for everything that has a text or numbers of its own.

    The character's own abilities and weapons come first, then those of each unit, whose short
    attacks are one card with its name.
    """
    own = [*_held_cards(view, None)]
    yield from (card for card in own if card.kind != "gear")
    for unit in view.units:
        yield from _attacks_together([*_held_cards(view, unit)], unit)
    yield from (card for card in own if card.kind == "gear")
    for entry in view.conditions:
        yield _condition(entry, view.name)


def _attacks_together(cards: Sequence[PrintCard], unit: UnitPanel) -> Iterator[PrintCard]:
    """Yield the cards of a unit: attacks that have little to say are one, with its name."""
    short = [
        card
        for card in cards
        if any(piece.attack for piece in card.full)
        and not (card.badges or card.cost or card.chips or card.notes)
    ]
    if len(short) < 2 or sum(_length(card.full) for card in short) >= SHORT_TEXTS[0]:
        yield from cards
        return

    def pieces(digest: bool) -> Iterator[Piece]:
        for card in short:
            yield Piece("text", Block((Span(card.name, bold=True),)), stays=True)
            yield from card.digest if digest else card.full

    full, digest = tuple(pieces(digest=False)), tuple(pieces(digest=True))
    yield PrintCard("attacks", unit.name, _("Attack"), full, digest, unit.name, subtitle=unit.kind)
    yield from (card for card in cards if card not in short)


def _held_cards(view: SheetView, unit: UnitPanel | None) -> Iterator[PrintCard]:
    """Yield the cards of what a unit holds, or the character itself."""
    every = shared_modes(view.weapons)
    holder: SheetView | UnitPanel = unit or view
    common = shared_modes(holder.weapons)
    attacks: list[PrintCard] = []
    # Modes that have a card already are only named.
    weapons = [weapon.condensed((), (*every, *common)) for weapon in holder.weapons]
    for group in grouped_cards(holder.cards):
        if group.lead:
            yield _group(group, holder.name)
        else:
            yield from (
                _ability(card, _take(weapons, card.armed), holder.name) for card in group.cards
            )
    if unit is None:
        yield from _dice(view)
    items, rules = _items(view if unit is None else None, rules_apart=bool(common))
    for item in items:
        weapon = _take(weapons, item.armed)
        if weapon is not None:
            attacks.append(_weapon(weapon, holder.name, item=item))
        elif item.text or item.actions or item.capacities:
            yield _item(item, holder.name)
    attacks += [_weapon(weapon, holder.name, unit.kind if unit else "") for weapon in weapons]
    yield from _equal_together(attacks)
    if further := [mode for mode in common if unit is None or mode not in every]:
        yield _common(further, rules, holder.name)


def _equal_together(cards: Iterable[PrintCard]) -> Iterator[PrintCard]:
    """Yield the cards of weapons, one for those that differ only in their names and boxes."""
    groups: dict[PrintCard, list[PrintCard]] = {}
    for card in cards:
        full, digest = (
            tuple(piece for piece in pieces if not piece.capacity)
            for pieces in (card.full, card.digest)
        )
        groups.setdefault(card._replace(name="", full=full, digest=digest), []).append(card)
    for alike, group in groups.items():
        most = MOST_BOXES if any(piece.capacity for piece in group[0].full) else len(group)
        for first in range(0, len(group), most):
            yield _with_boxes_of(alike, group[first : first + most])


def _with_boxes_of(alike: PrintCard, cards: Sequence[PrintCard]) -> PrintCard:
    """Return the card of several that are alike but for their names and boxes."""
    if len(cards) == 1:
        return cards[0]
    boxes = tuple(
        piece._replace(name=card.name) for card in cards for piece in card.full if piece.capacity
    )
    counts = Counter(card.name for card in cards)
    names = (numbered(name, number) for name, number in counts.items())
    full, digest = (*alike.full, *boxes), (*alike.digest, *boxes)
    return alike._replace(name=", ".join(names), full=full, digest=digest)


def _take(weapons: list[Weapon], name: str) -> Weapon | None:
    """Remove the first weapon with a name and return it, if there is one."""
    for weapon in weapons:
        if name and weapon.name == name:
            weapons.remove(weapon)
            return weapon
    return None


def _ability(card: Card, weapon: Weapon | None, owner: str) -> PrintCard:
    single = len(card.actions) == 1 and not card.actions[0].name
    chips = card.actions[0].chips if single else ()
    # An attack is no other action that its weapon has as well, such as to reload it.
    shown = () if weapon and not single else card.actions
    timings = dict.fromkeys((action.timing, action.label) for action in shown)
    boxes = tuple(_boxes(card.capacities))

    def pieces(digest: bool) -> tuple[Piece, ...]:
        return (
            *(_attacks(weapon, digest) if weapon else ()),
            *_texts(card.text.printed(digest)),
            *_actions(card.actions, digest, headed=not single, name=card.name),
            *boxes,
        )

    return PrintCard(
        kind="abilities",
        name=card.name,
        label=_("Attack") if weapon else _("Always"),
        badges=tuple(timings),
        cost=tuple(chip for chip in chips if chip.kind == "cost"),
        chips=tuple(chip for chip in chips if chip.kind != "cost"),
        notes=weapon.notes if weapon else (),
        full=pieces(digest=False),
        digest=pieces(digest=True),
        subtitle=" · ".join(card.subtitle),
        owner=owner,
    )


def _group(group: CardGroup, owner: str) -> PrintCard:
    """Return the one card of abilities that are used alike: how is its title."""
    [action], *_others = (card.actions for card in group.cards)

    def pieces(digest: bool) -> Iterator[Piece]:
        for card in group.cards:
            yield from _remark(card.name, (), card.actions[0].text.printed(digest))

    return PrintCard(
        kind="abilities",
        name=group.lead,
        label=_("Always"),
        badges=((action.timing, action.label),),
        cost=tuple(chip for chip in action.chips if chip.kind == "cost"),
        chips=tuple(chip for chip in action.chips if chip.kind != "cost"),
        full=tuple(pieces(digest=False)),
        digest=tuple(pieces(digest=True)),
        owner=owner,
    )


def _weapon(weapon: Weapon, owner: str, of: str = "", item: Item | None = None) -> PrintCard:
    """Return the card of a weapon; ``item`` is the equipment that it is, if it is any."""

    def pieces(digest: bool) -> tuple[Piece, ...]:
        return (
            *_attacks(weapon, digest),
            *(_texts(item.text.printed(digest)) if item else ()),
            *(_actions(item.actions, digest, headed=True, name=item.name) if item else ()),
        )

    return PrintCard(
        kind="attacks",
        name=item.name if item else weapon.name,
        label=_("Attack"),
        notes=weapon.notes,
        full=pieces(digest=False),
        digest=pieces(digest=True),
        subtitle=item.category if item else of,
        owner=owner,
    )


def _items(
    view: SheetView | None, rules_apart: bool
) -> tuple[tuple[Item, ...], tuple[SharedRule, ...]]:
    """Return the equipment, and with ``rules_apart`` the rules that several weapons share."""
    every = view.unlisted_items if view else ()
    armed = [item for item in every if item.armed]
    others = tuple(item for item in every if not item.armed)
    rules = shared_rules(armed) if rules_apart else ()
    return (*(without_shared(item, rules) for item in armed), *others), rules


def _common(modes: Iterable[AttackMode], rules: Iterable[SharedRule], owner: str) -> PrintCard:
    """Return the card of the modes and rules that several weapons have."""
    modes, rules = tuple(modes), tuple(rules)

    def pieces(digest: bool) -> Iterator[Piece]:
        for mode in modes:
            remarks = (mode.range, mode.roll_line, mode.damage, mode.types, *mode.extras)
            yield from _remark(mode.name, filter(None, remarks), mode.text.printed(digest))
        for rule in rules:
            actions = (rule.action,) if rule.action else ()
            yield from (*_texts(rule.text), *_actions(actions, digest, headed=True, name=""))

    full, digest = tuple(pieces(digest=False)), tuple(pieces(digest=True))
    return PrintCard("attacks", _(MODES), _("Attack"), full, digest, owner)


def _item(item: Item, owner: str) -> PrintCard:
    boxes = tuple(_boxes(item.capacities))

    def pieces(digest: bool) -> tuple[Piece, ...]:
        return (
            *_texts(item.text.printed(digest)),
            *_actions(item.actions, digest, headed=True, name=item.name),
            *boxes,
        )

    return PrintCard(
        kind="gear",
        name=counted_name(item),
        label=_("Gear"),
        notes=item.facts,
        full=pieces(digest=False),
        digest=pieces(digest=True),
        subtitle=item.category or item.label,
        owner=owner,
    )


def _condition(entry: Entry, owner: str) -> PrintCard:
    def pieces(digest: bool) -> tuple[Piece, ...]:
        return (
            *_texts(entry.text.printed(digest)),
            *_actions(entry.actions, digest, headed=True, name=entry.name),
        )

    full, short = pieces(digest=False), pieces(digest=True)
    return PrintCard("conditions", entry.name, _("Condition"), full, short, owner)


def _dice(view: SheetView) -> Iterator[PrintCard]:
    """Yield a card of the dice pools, and one of each list that has dice."""
    lists = ((each.label, tuple(_pools(each))) for each in view.lists)
    for name, pools in ((_(POOLS), view.pools), *lists):
        if pools:
            pieces = tuple(Piece("dice", pool=pool) for pool in pools)
            yield PrintCard("abilities", name, _("Dice"), pieces, pieces, view.name)


def _pools(dice_list: ViewList) -> Iterator[SheetPool]:
    """Yield the rows of a list that have dice."""
    for row in dice_list.rows:
        for cell in row.cells:
            if cell.dice:
                yield SheetPool(row.name, row.name, cell.dice)


# ---------------------------------------------------------------- pieces


def _texts(prose: Prose) -> Iterator[Piece]:
    for block in prose:
        yield Piece("text", block)


def _small(text: str) -> Piece:
    return Piece("small", Block((Span(text),)))


def _boxes(capacities: Iterable[SheetCapacity]) -> Iterator[Piece]:
    """Yield the boxes of each single thing, so that those of many can continue on a card."""
    for capacity in capacities:
        rest = capacity
        while rest.pieces:
            first, rest = rest.split(1)
            yield Piece("boxes", capacity=first)


def _attacks(weapon: Weapon, digest: bool) -> Iterator[Piece]:
    """Yield the attacks of a weapon with what is special about each, then what all share."""
    shared = weapon.shared.extras if weapon.modes else ()
    for attack, own in zip(weapon.attacks, weapon.modes or (None,), strict=True):
        extras = own.extras if own else attack.extras
        unmet, text = (own.unmet, own.text.printed(digest)) if own else ((), ())
        details = (attack.made_of, attack.damage_note, *extras)
        remark = own.beside(weapon.first_row) if own and own in weapon.further_rows else None
        if remark and remark.name and not remark.has_figures:
            yield from map(_unmet, unmet)
            yield from _remark(remark.name, extras, text)
            continue
        yield Piece("attack", attack=attack, stays=True)
        yield _small(" · ".join(filter(None, details)))
        yield from map(_unmet, unmet)
        yield from _texts(text)
    if shared:
        yield _small(" · ".join(shared))
    yield from map(_unmet, weapon.shared.unmet)
    yield from _texts(weapon.shared.text.printed(digest))
    yield from _boxes(weapon.capacities)


def _remark(name: str, details: Iterable[str], text: Prose) -> Iterator[Piece]:
    """Yield what a mode does, its name and details in one paragraph with the first of its text."""
    figures = Span(" · ".join(details))
    first, rest = (text[0].spans, text[1:]) if text and not text[0].listed else ((), text)
    between = (Span(" · "),) if figures.text and first else ()
    spans = (Span(f"{name}: ", bold=True), figures, *between, *first)
    yield Piece("text", Block(spans), stays=bool(rest))
    yield from _texts(rest)


def _unmet(reason: str) -> Piece:
    return Piece("text", Block((Span(reason, bold=True),)))


def _actions(
    actions: Iterable[SheetAction], digest: bool, headed: bool, name: str
) -> Iterator[Piece]:
    """Yield actions; ``headed`` ones with their name and limits above, unless it is ``name``."""
    for action in actions:
        if headed:
            shown = action._replace(name="") if action.name == name else action
            yield Piece("action-head", action=shown, stays=True)
        yield from map(_unmet, action.unmet)
        before: list[Span] = []
        if action.who:
            before.append(Span(f"{action.who}: ", bold=True))
        if action.trigger:
            spans = (span for block in action.trigger for span in block.spans)
            before += [*(span._replace(italic=True) for span in spans), Span(": ", italic=True)]
        first, *rest = action.text.printed(digest) or (Block(()),)
        if first.listed and before:
            yield Piece("text", Block(tuple(before)), stays=True)
            yield Piece("text", first)
        elif before or first.spans:
            yield Piece("text", first._replace(spans=(*before, *first.spans)))
        yield from _texts(tuple(rest))


# ---------------------------------------------------------------- long texts


def _checked(card: PrintCard) -> PrintCard:
    """Return a card whose name, limits and foot are short; what is longer becomes its text."""
    moved = [chip.text for chip in (*card.cost, *card.chips) if len(chip.text) > LONG_LABEL]
    moved += [note for note in card.notes if len(note) > LONG_LABEL]
    if len(card.name) > LONG_NAME:
        moved.insert(0, card.name)
    if len(card.subtitle) > LONG_FOOT:
        moved.append(card.subtitle)
    if not moved:
        return card
    pieces = tuple(map(_small, moved))
    return card._replace(
        name=shortened(card.name, LONG_NAME),
        cost=tuple(chip for chip in card.cost if len(chip.text) <= LONG_LABEL),
        chips=tuple(chip for chip in card.chips if len(chip.text) <= LONG_LABEL),
        notes=tuple(note for note in card.notes if len(note) <= LONG_LABEL),
        subtitle="" if len(card.subtitle) > LONG_FOOT else card.subtitle,
        full=(*pieces, *card.full),
        digest=(*pieces, *card.digest),
    )


def shortened(text: str, most: int) -> str:
    """Return the beginning of a text that is longer than ``most`` characters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def divided(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Return pieces with long paragraphs divided after sentences, so that a card may end there."""
    return tuple(part for piece in pieces for part in _parts(piece))


def _parts(piece: Piece) -> Iterator[Piece]:
    """Yield a paragraph as parts of at most ``LONG_TEXT`` characters."""
    text = "".join(span.text for span in piece.block.spans)
    if len(text) <= LONG_TEXT:
        yield piece
        return
    start = 0
    while start < len(text):
        end = _end_of_part(text, start)
        block = _cut(piece.block, start, end)
        last = end == len(text)
        yield piece._replace(block=block, continues=start > 0, stays=last and piece.stays)
        start = end


def _end_of_part(text: str, start: int) -> int:
    """Return where a part of a text that begins at ``start`` ends.

    It ends after a sentence if one ends in it, else before a word, else within a long word.
    """
    if len(text) - start <= LONG_TEXT:
        return len(text)
    part = text[start : start + LONG_TEXT]
    for border in (SENTENCE, SPACE):
        ends = [match.end() for match in border.finditer(part)]
        if ends:
            return start + ends[-1]
    return start + LONG_TEXT


def _cut(block: Block, start: int, end: int) -> Block:
    """Return the characters of a block from one place to another."""
    kept, place = [], 0
    for span in block.spans:
        text = span.text[max(0, start - place) : max(0, end - place)]
        place += len(span.text)
        if text:
            kept.append(span._replace(text=text))
    return block._replace(spans=tuple(kept))


def joined(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Return pieces with the parts of a divided paragraph together again."""
    made: list[Piece] = []
    for piece in pieces:
        if piece.continues and made:
            spans = (*made[-1].block.spans, *piece.block.spans)
            made[-1] = made[-1]._replace(block=made[-1].block._replace(spans=spans))
        else:
            made.append(piece)
    return tuple(made)
