"""The print check: everything in the view is printed, without faults of layout."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from charforge.expressions.template import Prose, plain_text
from charforge.sheet import view as shown
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.view import SheetView
from tests.sheet.print_faults import EDGE, LEAST, LEAST_LARGE, MARGIN, faults
from tests.sheet.print_layout import misplaced
from tests.sheet.print_order import misordered
from tests.sheet.printed import Finding, Printed, Rect


def check(made: Printed, view: SheetView, options: PrintOptions) -> list[Finding]:
    """Return every fault of a PDF that was made of a view."""
    own = [view.name, *(t for part in view.story for a in part.answers for t in _prose(a.text))]
    least, margin = LEAST_LARGE if options.large else LEAST, MARGIN
    if options.layout == "cards":
        margin = EDGE
    if options.layout == "short":
        view = without_left_out(made, view)
    found = {*faults(made, WANTED[options.layout](view), own, least, margin)}
    found |= {*misplaced(made, options), *at_edge(made)}
    found |= {*misordered(made, view, options)}
    credits = {word for credit in view.credits for word in credit.line.split()}  # below the foot
    return sorted(one for one in found if one.fault != "margin" or one.about not in credits)


def at_edge(made: Printed) -> Iterator[Finding]:
    """Find words and lines so near the edge of the paper that printers leave them out."""
    for number, page in enumerate(made.pages, 1):
        paper = page.paper
        live = Rect(EDGE, EDGE, paper.right - EDGE, paper.bottom - EDGE)
        things = [(word.text, word.rect) for word in page.words]
        things += [("line", rect) for rect in (*page.lines, *page.frames)]
        for text, rect in things:
            if rect.past(live) > 1:
                yield Finding(number, "edge", text)


# ------------------------------------------------------------------ what must be there


def full_texts(view: SheetView) -> Iterator[str]:
    """Yield the texts that a full sheet must have."""
    yield from _heads(view)
    yield from reference_texts(view, whole=False)
    for part in view.story:
        for answer in part.answers:
            yield answer.name
            yield from _prose(answer.text)
    for entry in view.training:
        yield entry.name
        yield from _prose(entry.text.full)
    for headline in view.headline:
        yield from _prose(headline.text)
    stocked = sum(bool(weapon.capacities) for weapon in view.weapons)
    for rule in view.gear_rules:  # below the attacks, one that all weapons have is without names
        if rule not in view.weapon_rules or not rule.action or len(rule.names) < stocked:
            yield from rule.names
        yield from _prose(rule.text)
        yield from _actions((rule.action,) if rule.action else (), "", digest=True)
    for item in view.unlisted_items if view.adds_equipment else ():
        item = shown.without_shared(item, view.gear_rules)
        yield item.name
        yield from _prose(item.text.digest)
        yield from _actions(item.actions, item.name, digest=True)
    yield from (fact.label for fact in view.allowed)
    yield from dict.fromkeys(fact.text for fact in view.allowed)
    yield from view.problems
    for unit in view.units:
        yield unit.name
    for unit in (view, *view.units):
        yield from _unit(unit)


def _heads(view: SheetView) -> Iterator[str]:
    """Yield what is at the top of every sheet."""
    yield view.name
    yield from (text for part in view.headline for text in (part.name, part.summary))
    if view.levels > 1:
        yield view.level_label


def _unit(unit: SheetView | shown.UnitPanel) -> Iterator[str]:
    """Yield the texts of a character's or a unit's fight."""
    for vital in unit.vitals:
        yield vital.label
        if vital.max and not vital.shared:
            yield str(vital.max)
    for score in unit.attributes:
        yield score.label
        yield score.number
    scored = {score.id for score in unit.attributes}  # a figure that is one is printed once
    yield from (f"{f.label} {f.text}" for f in unit.combat if f.value not in scored)
    common = shown.shared_modes(unit.weapons)
    for mode in common:
        yield from (mode.name, mode.range, mode.roll, mode.damage, mode.types)
    groups = shown.equal_weapons(unit.weapons)  # the figures of each are printed once
    yield from (each.weapon.name for group in groups for each in group[1:])
    for weapon in (group[0].weapon.condensed(common) for group in groups):
        yield from (weapon.name, *weapon.notes, *weapon.shared.unmet)
        for mode in (weapon.shared, *weapon.modes):
            yield from (mode.range, mode.roll, mode.damage, mode.types)
        yield from (mode.name for mode in weapon.modes)
    armed = {weapon.name for weapon in unit.weapons}
    for group in _card_groups(unit, unit.cards):
        if group.lead:
            yield from _used_alike(group)
            continue
        yield from filter(None, group.titles)
        card = group.cards[0]
        if isinstance(unit, shown.UnitPanel) and card.name in armed:  # its figures are an attack
            yield from _prose(card.text.digest)
            yield from _actions(card.actions, card.name, digest=True)
            continue
        yield from _prose(card.text.full)
        yield from _actions(card.actions, card.name)
    yield from dict.fromkeys(tracker.heading for tracker in unit.trackers)
    for tracker in unit.trackers:
        yield from (step.label for step in tracker.steps)
    for condition in unit.active_conditions:
        yield from re.split(r"[()]", condition.text)


def _card_groups(
    unit: SheetView | shown.UnitPanel, cards: Iterable[shown.Card]
) -> Iterable[shown.CardGroup]:
    """Return cards as they are printed: those of a character with the same rules together."""
    if isinstance(unit, shown.UnitPanel):
        return [shown.CardGroup((card,)) for card in cards]
    return shown.grouped_cards(cards)


def _used_alike(group: shown.CardGroup) -> Iterator[str]:
    """Yield the texts of a frame of several cards: what they have in common once."""
    yield f"{group.lead}:"
    yield from (chip.text for chip in group.cards[0].actions[0].chips)
    for card in group.cards:
        yield card.name
        yield from _prose(card.actions[0].text.full)


def reference_texts(view: SheetView, whole: bool = True) -> Iterator[str]:
    """Yield the texts that a reference must have; charts are ``whole`` on one by itself."""
    yield from (f"{fact.label} {fact.text}" for fact in view.table_rules)
    actions = view.actions if whole else view.actions_beside_attacks
    for entry in (*actions, *view.conditions, *view.reference):
        yield entry.name
        yield from _prose(entry.text.digest)
        yield from _actions(entry.actions, entry.name, digest=True)
    for chart in view.charts if whole else view.charts_beside_entries:
        yield from (chart.label, *chart.columns)
        yield from (text for row in chart.rows for text in (row.heading, *row.cells))


def short_texts(view: SheetView) -> Iterator[str]:
    """Yield the texts that a short sheet must have: names of everything, whatever it does.

    A weapon that is in the table of attacks need not stand below the equipment as well, nor what a
    unit attacks with below its attacks.
    """
    yield from _heads(view)
    weapons = {weapon.name for weapon in view.weapons}
    yield from (item.name for item in view.unlisted_items if item.armed not in weapons)
    for unit in (view, *view.units):
        yield from (score.label for score in unit.attributes)
        attacks = {weapon.name for weapon in unit.weapons} if unit is not view else set()
        cards = [card for card in unit.cards if card.name not in attacks]
        for group in _card_groups(unit, cards):
            yield from (
                (card.name for card in group.cards) if group.lead else filter(None, group.titles)
            )
        yield from (weapon.name for weapon in unit.weapons)


def without_left_out(made: Printed, view: SheetView) -> SheetView:
    """Return a view without what the last line of a short sheet says is on the full sheet."""
    text = " ".join(word.text for word in made.pages[0].words)
    _before, line, after = text.partition("Only on the full sheet: ")
    if not line:
        return view

    def kept(label: str, all: tuple[Any, ...]) -> tuple[Any, ...]:
        if match := re.search(rf"{re.escape(label)} \((\d+)\)", after):
            return all[: -int(match[1])]
        return () if label in after else all

    own_turn_first = sorted(view.cards, key=lambda card: not card.on_turn)
    return view._replace(
        weapons=kept("Attacks", view.weapons),
        cards=kept(view.cards_label, tuple(own_turn_first)),
        units=tuple(unit for unit in view.units if unit.name not in after),
        items=kept(view.items_label or "Equipment", view.unlisted_items),
    )


def card_texts(view: SheetView) -> Iterator[str]:
    """Yield the texts that a deck of cards must have.

    The attacks of an ability are on its card.
    """
    for unit in (view, *view.units):
        yield from (card.name for card in unit.cards)
        armed = {card.armed for card in unit.cards}
        yield from (weapon.name for weapon in unit.weapons if weapon.name not in armed)


WANTED: dict[str, Callable[[SheetView], Iterator[str]]] = {
    "full": full_texts,
    "reference": reference_texts,
    "short": short_texts,
    "cards": card_texts,
}


def _actions(
    actions: Iterable[shown.SheetAction], name: str, digest: bool = False
) -> Iterator[str]:
    for action in actions:
        if action.name != name:
            yield action.name
        yield action.who
        yield from _prose(action.trigger)
        yield from _prose(action.text.printed(digest))
        yield from (chip.text for chip in action.chips)


def _prose(prose: Prose) -> Iterator[str]:
    """Yield each block of a text; the dash of an item is printed as a dot."""
    for block in prose:
        yield plain_text((block,)).removeprefix("- ")
