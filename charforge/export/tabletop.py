"""A character as numbers, rolls and texts: what virtual tabletops can hold.

The formats for virtual tabletops arrange these. Every figure of the sheet is here once. Numbers
are as they are now: a tabletop cannot calculate them from the rules again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from typing import Literal, NamedTuple

from charforge.expressions.template import keyboard_minus
from charforge.language import N_, _, dice_notation
from charforge.replay.replay import Problem
from charforge.sheet import phrases, view

NOT_CARRIED = N_(
    "Not carried over: the portrait, dice with symbols, cooldowns and how numbers are calculated. "
    "After a change, export again."
)
# What every tabletop rolls: dice and numbers, added and subtracted.
ROLLABLE = re.compile(r"\d*d?\d+(?: ?[+-] ?\d*d?\d+)*")
AMOUNT = re.compile(r"(-?\d+)(?: (?:(?P<unit>[^\W\d]+)|\((?P<step>.+)\)))?")

ANGLES = str.maketrans("<>", "‹›")

TextKind = Literal["fact", "card", "story"]


class TabletopNumber(NamedTuple):
    """A number with its maximum, if it has one; only scores and resources have ids."""

    label: str
    now: int
    most: int | None = None
    id: str = ""


class TabletopRoll(NamedTuple):
    """Dice to roll, to which ``bonus`` is added; ``about`` says what it is rolled against."""

    label: str
    dice: str
    bonus: int = 0
    about: str = ""


class TabletopText(NamedTuple):
    """A text: a ``fact`` of one line, a ``card`` to show to others, or a part of the ``story``."""

    kind: TextKind
    group: str
    label: str
    lines: tuple[str, ...]

    @property
    def line(self) -> str:
        """The text as one line."""
        return " ".join(self.lines)

    @property
    def html(self) -> str:
        """The text as HTML paragraphs."""
        return "".join(f"<p>{escape(line, quote=False)}</p>" for line in self.lines)


class Actor(NamedTuple):
    """The character, a companion or a vehicle. ``name`` is empty for the character."""

    name: str
    scores: tuple[TabletopNumber, ...]
    vitals: tuple[TabletopNumber, ...]
    numbers: tuple[TabletopNumber, ...]
    rolls: tuple[TabletopRoll, ...]
    texts: tuple[TabletopText, ...]

    def named(self, label: str) -> str:
        """Return a label with the name of a companion or vehicle before it."""
        return phrases.join_parts((self.name, label), ": ")


TabletopPart = TabletopNumber | TabletopRoll | TabletopText


def actors(sheet: view.SheetView, problems: Sequence[Problem]) -> list[Actor]:
    """Return the character, then each companion and vehicle."""
    about = [("", line) for line in _headline(sheet)]
    story = [*_texts("story", sheet.ruleset, about), *_story(sheet, problems)]
    parts = [*_of_sheet(sheet), *story]
    units = [
        _figure(unit, phrases.keyboard(unit.name), _of_unit(unit, sheet)) for unit in sheet.units
    ]
    return [_figure(sheet, "", parts), *units]


def derived_id(alphabet: str, length: int, *parts: str) -> str:
    """Return an id that is always the same for the same parts."""
    number = int.from_bytes(sha256("\0".join(parts).encode(errors="replace")).digest())
    letters = []
    for _place in range(length):
        number, letter = divmod(number, len(alphabet))
        letters.append(alphabet[letter])
    return "".join(letters)


def without_tags(text: str) -> str:
    """Return a plain text in which no program finds HTML: its angle brackets are other signs.

    Tabletops print names as HTML, and show the same names in fields where an entity would be read
    as it is.
    """
    return text.translate(ANGLES)


class UniqueNames:
    """Gives out names, each only once: ``Rifle``, ``Rifle_2``."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def new(self, label: str) -> str:
        """Return a name of letters, digits and underscores for a label."""
        base = re.sub(r"\W+", "_", label).strip("_") or "value"
        name = base
        while self._taken[name.casefold()]:
            self._taken[base.casefold()] += 1
            name = f"{base}_{self._taken[base.casefold()]}"
        self._taken[name.casefold()] += 1
        return name


def _figure(
    shown: view.SheetView | view.UnitPanel, name: str, parts: Iterable[TabletopPart]
) -> Actor:
    listed = list(parts)
    scores = tuple(TabletopNumber(s.label, s.total, s.full, s.id) for s in shown.attributes)
    vitals = tuple(TabletopNumber(v.label, v.current, v.max, v.id) for v in shown.vitals)
    return Actor(
        name=name,
        scores=scores,
        vitals=vitals,
        numbers=tuple(part for part in listed if isinstance(part, TabletopNumber)),
        rolls=tuple(part for part in listed if isinstance(part, TabletopRoll)),
        texts=tuple(part for part in listed if isinstance(part, TabletopText)),
    )


def _of_sheet(sheet: view.SheetView) -> Iterator[TabletopPart]:
    yield from _scores(sheet.attributes, sheet.attributes_label)
    yield from _steps(sheet.vitals)
    yield from _rows(sheet)
    rows = {row.name for shown in sheet.lists for row in shown.rows}
    rolled = {row.name for shown in sheet.lists for row in shown.rows if row.check}
    yield from _facts(_("Combat"), (f for f in sheet.combat if f.label not in rolled))
    figures = (fact for fact in sheet.figures_beside_combat if fact.label not in rows)
    yield from _facts(_("Values"), figures)
    highest = {tracker.tracker_key: tracker.high for tracker in sheet.trackers}
    for store in sheet.stores:
        yield from _store(store, highest.get(store.tracker_key))
    yield from _pools(sheet.pools)
    yield from _conditions(sheet.active_conditions)
    yield from _weapons(sheet.weapons)
    yield from _cards(sheet.cards, sheet.cards_label)
    yield from _items(sheet)
    for entry in sheet.actions:
        yield from _card_text(sheet.actions_label, entry.name, (), entry.text, entry.actions)


def _of_unit(unit: view.UnitPanel, sheet: view.SheetView) -> Iterator[TabletopPart]:
    head = phrases.join_parts((unit.kind, phrases.level_text(sheet, unit.level)))
    yield from _texts("fact", _("Values"), [(_("Kind"), head)])
    yield from _scores(unit.attributes, sheet.attributes_label)
    yield from _steps(unit.vitals)
    yield from _facts(_("Combat"), unit.combat)
    yield from _facts(_("Values"), unit.figures_beside_combat)
    yield from _facts(_("Values"), view.facts_beside(unit.facts, unit.combat))
    yield from _pools(unit.pools)
    yield from _conditions(unit.active_conditions)
    yield from _weapons(unit.weapons)
    yield from _cards(unit.cards, sheet.cards_label)


def _texts(
    kind: TextKind, group: str, entries: Iterable[tuple[str, str]]
) -> Iterator[TabletopText]:
    """Yield a text for each entry, which is a label and a text of one or more lines."""
    for label, text in entries:
        lines = tuple(filter(None, map(phrases.keyboard, text.split("\n"))))
        if lines:
            yield TabletopText(kind, phrases.keyboard(group), phrases.keyboard(label), lines)


def _headline(sheet: view.SheetView) -> Iterator[str]:
    yield phrases.level_text(sheet, sheet.level)
    for head in sheet.headline:
        yield phrases.join_parts((f"{head.kind}: {head.name}", head.summary))
        yield phrases.keyboard_lines(head.text)


# ------------------------------------------------------------------ figures


def _scores(scores: Iterable[view.Attribute], group: str) -> Iterator[TabletopPart]:
    """Yield the rolls for scores, and what a number alone does not say of them."""
    for score in scores:
        if score.check is not None:
            yield from _check(group, score.label, score.check)
        text = phrases.keyboard(phrases.score_text(score))
        if text not in (str(score.total), f"{score.total} / {score.full}"):
            yield from _texts("fact", group, [(score.label, text)])


def _steps(vitals: Iterable[view.SheetVital]) -> Iterator[TabletopText]:
    """Yield the names of the present steps of resources."""
    yield from _texts("fact", _("Now"), ((vital.label, vital.step) for vital in vitals))


def _facts(group: str, facts: Iterable[view.Fact]) -> Iterator[TabletopPart]:
    for fact in facts:
        if fact.check is not None:
            yield from _check(group, fact.label, fact.check)
        else:
            yield from _fact(group, fact.label, fact.text)


def _fact(group: str, label: str, text: str) -> Iterator[TabletopPart]:
    """Yield a figure as a number if it is one."""
    if re.fullmatch(r"-?\d+", phrases.keyboard(text)):
        yield TabletopNumber(phrases.keyboard(label), int(phrases.keyboard(text)))
    else:
        yield from _texts("fact", group, [(label, text)])


def _store(fact: view.Fact, most: int | None) -> Iterator[TabletopPart]:
    """Yield a store as a number with its unit, such as money, and the name of its step."""
    amount = AMOUNT.fullmatch(phrases.keyboard(fact.text))
    if amount is None:
        yield from _texts("fact", _("Now"), [(fact.label, fact.text)])
        return
    unit = f" ({amount['unit']})" if amount["unit"] else ""
    yield TabletopNumber(phrases.keyboard(fact.label) + unit, int(amount[1]), most)
    yield from _texts("fact", _("Now"), [(fact.label, amount["step"] or "")])


def _rows(sheet: view.SheetView) -> Iterator[TabletopPart]:
    """Yield the rows of lists: rolls, and figures that neither gear nor cards show."""
    held = {item.name for item in sheet.items} | {card.name for card in sheet.cards}
    beside_combat = {row for shown in sheet.lists_beside_combat for row in shown.rows}
    for shown in sheet.lists:
        for row in shown.rows:
            if row.check is not None:
                yield from _check(shown.label, row.name, row.check)
            elif row in beside_combat and row.name not in held:
                cells = phrases.join_parts((*map(_cell, row.cells), row.note))
                yield from _fact(shown.label, row.name, cells)


def _cell(cell: view.Cell) -> str:
    return cell.text or ", ".join(f"{die.label} {die.number}" for die in cell.dice)


def _pools(pools: Iterable[view.SheetPool]) -> Iterator[TabletopText]:
    entries = ((pool.label, phrases.pool_dice_text(pool)) for pool in pools)
    yield from _texts("fact", _("Dice pools"), entries)


def _conditions(conditions: Iterable[view.ActiveCondition]) -> Iterator[TabletopText]:
    for condition in view.shown_conditions(conditions):
        lines = (condition.text, condition.ends, phrases.keyboard_lines(condition.effect))
        yield from _texts("card", _("Conditions"), [(condition.text, "\n".join(lines[1:]))])
        if not any(lines[1:]):
            yield from _texts("card", _("Conditions"), [(condition.text, condition.text)])


def _check(group: str, label: str, check: view.Check) -> Iterator[TabletopPart]:
    """Yield a check; no tabletop counts the dice of a pool, so that is a text."""
    if check.how == "pool":
        yield from _texts("fact", group, [(label, _pool_text(check.dice, check.counts))])
    else:
        yield from _roll(group, label, check.dice, check.bonus, check.against)


def _pool_text(dice: str, counts: Iterable[int]) -> str:
    """Return the dice of a pool with the faces that count: ``6d6 (count 6)``."""
    faces = ", ".join(map(str, counts))
    return _("{dice} (count {faces})").format(dice=dice_notation(dice), faces=faces)


def _roll(
    group: str, label: str, dice: str, bonus: int = 0, about: str = ""
) -> Iterator[TabletopPart]:
    """Yield a roll, or a text if its dice are not those of a tabletop."""
    label, dice, about = map(phrases.keyboard, (label, dice, about))
    if ROLLABLE.fullmatch(dice):
        yield TabletopRoll(label, dice, bonus, about)
    else:
        yield from _texts("fact", group, [(label, f"{dice} {bonus:+d} {about}")])


# ------------------------------------------------------------------ holdings


def _weapons(weapons: Sequence[view.Weapon]) -> Iterator[TabletopPart]:
    group = _("Attacks")
    for weapon in weapons:
        yield from _capacities(weapon.name, weapon.capacities)
        for attack in weapon.attacks:
            name = phrases.attack_name(weapon, attack)
            notes = (attack.range, *weapon.notes, *phrases.attack_notes(attack))
            yield from _attack(group, name, attack, notes)


def _attack(
    group: str, name: str, attack: view.AttackMode, notes: Iterable[str]
) -> Iterator[TabletopPart]:
    """Yield the roll of an attack, that of its damage, and its text."""
    if attack.roll and ROLLABLE.fullmatch(attack.roll_dice) and not attack.roll_counts:
        versus = _("vs {value}").format(value=attack.versus) if attack.versus else ""
        about = phrases.join_parts((attack.roll_against, versus, *notes), ", ")
        yield from _roll(group, name, attack.roll_dice, attack.roll_bonus, about)
    else:
        about = phrases.join_parts((attack.roll_line, *notes), ", ")
        yield from _texts("fact", group, [(name, about)])
    if attack.damage:
        label = _("{attack}: damage").format(attack=name)
        if ROLLABLE.fullmatch(attack.damage_dice):
            about = phrases.join_parts((attack.types, attack.damage_note), ", ")
            yield from _roll(group, label, attack.damage_dice, about=about)
        else:
            about = phrases.join_parts((phrases.damage_text(attack), attack.types), " ")
            yield from _texts("fact", group, [(label, about)])
    yield from _texts("card", group, [(name, phrases.keyboard_lines(attack.text.full))])


def _capacities(bearer: str, capacities: Iterable[view.SheetCapacity]) -> Iterator[TabletopNumber]:
    for capacity in capacities:
        label = phrases.keyboard(f"{bearer}: {capacity.label}")
        yield TabletopNumber(label, capacity.left, capacity.max * capacity.pieces)


def _cards(cards: Iterable[view.Card], group: str) -> Iterator[TabletopPart]:
    for card in cards:
        if not card.armed:
            yield from _capacities(card.name, card.capacities)
        yield from _card_text(group, card.name, card.subtitle, card.text, card.actions)


def _items(sheet: view.SheetView) -> Iterator[TabletopPart]:
    for group, items in sheet.item_groups:
        for item in items:
            if not item.armed:
                yield from _capacities(item.name, item.capacities)
            facts = (item.place, *item.facts)
            name = phrases.counted_name(item)
            yield from _card_text(group, name, facts, item.text, item.actions)


def _card_text(
    group: str,
    name: str,
    facts: Iterable[str],
    text: view.RulesText,
    actions: Iterable[view.SheetAction],
) -> Iterator[TabletopText]:
    """Yield the text of a holding with its facts and actions; its name if there is nothing more."""
    lines = [phrases.join_parts(facts), phrases.keyboard_lines(text.full)]
    for action in actions:
        conditions = phrases.join_parts(phrases.action_conditions(action), ", ")
        head = phrases.join_parts((action.label, action.name, conditions))
        body = (
            keyboard_minus(phrases.plain_line(action.trigger)),
            keyboard_minus(phrases.plain_line(action.text.full)),
        )
        lines.append(phrases.join_parts((head, *body), ": "))
    yield from _texts("card", group, [(name, "\n".join(filter(None, lines)) or name)])


def _story(sheet: view.SheetView, problems: Sequence[Problem]) -> Iterator[TabletopText]:
    for entry in sheet.training:
        text = phrases.keyboard_lines(entry.text.full) or entry.name
        yield from _texts("story", sheet.training_label, [(entry.name, text)])
    for part in sheet.story:
        for answer in part.answers:
            text = phrases.keyboard_lines(answer.text)
            yield from _texts("story", part.label, [(answer.name, text or answer.name)])
    for note in sheet.notes:
        yield from _texts(
            "story", _("Notes"), [(note.signature, phrases.keyboard_lines(note.text))]
        )
    for label, texts in phrases.rule_notes(sheet, problems).items():
        yield from _texts("story", label, (("", text) for text in texts))
