"""The texts of a character's sheet by chapter: abilities, gear, Training, story, rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from charforge.expressions.template import Prose
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.sheet import view
from charforge.sheet.build import build
from charforge.sheet.phrases import counted_name, plain


class Feature(NamedTuple):
    """Something that can be read of a unit: its name, short facts, and texts with their titles."""

    name: str
    facts: tuple[str, ...] = ()
    texts: tuple[tuple[str, Prose], ...] = ()


class FeatureChapter(NamedTuple):
    """Features under a title."""

    title: str
    features: tuple[Feature, ...]


def chapters(opened: LoadedCharacter, unit: str) -> tuple[FeatureChapter, ...]:
    """Return what the sheet of the character has of a unit, with everything that has a text."""
    sheet = build(opened.character)
    panel = next((one for one in sheet.units if one.id == unit), None)
    parts = _of_character(sheet) if panel is None else _of_unit(panel, sheet)
    found = (FeatureChapter(title, tuple(features)) for title, features in parts)
    return tuple(chapter for chapter in found if chapter.features)


def _of_character(sheet: view.SheetView) -> Iterator[tuple[str, Iterable[Feature]]]:
    yield "", (_headline(one) for one in sheet.headline if one.text or one.facts)
    yield sheet.cards_label or _("Your abilities"), map(_card, sheet.cards)
    yield sheet.items_label or _("Gear"), map(_item, sheet.items)
    yield sheet.training_label, map(_entry, sheet.training)
    yield _("Story"), (_story(part) for part in sheet.story if part.answers)
    yield _("Tables"), (*map(_list, sheet.lists), *map(_chart, sheet.charts))
    yield _("Allowed"), (Feature(fact.label, (fact.text,)) for fact in sheet.allowed)
    yield _("Table rules"), (Feature(fact.label, (fact.text,)) for fact in sheet.table_rules)
    yield sheet.actions_label, map(_entry, sheet.actions)
    yield _("Conditions"), map(_entry, sheet.conditions)
    yield _("Rules"), map(_entry, sheet.reference)


def _of_unit(
    panel: view.UnitPanel, sheet: view.SheetView
) -> Iterator[tuple[str, Iterable[Feature]]]:
    facts = tuple(f"{fact.label} {fact.text}" for fact in panel.facts)
    if panel.text or facts:
        yield "", (Feature(panel.kind or panel.name, facts, _titled(panel.text)),)
    yield sheet.cards_label or _("Your abilities"), map(_card, panel.cards)


def _titled(text: Prose, title: str = "") -> tuple[tuple[str, Prose], ...]:
    return ((title, text),) if text else ()


def _headline(one: view.Headline) -> Feature:
    facts = tuple(f"{fact.label} {fact.text}" for fact in one.facts)
    return Feature(f"{one.kind}: {one.name}", facts, _titled(one.text))


def _card(card: view.Card) -> Feature:
    facts = (*card.subtitle, *map(_capacity, card.capacities))
    return Feature(card.name, facts, (*_titled(card.text.full), *_actions(card.actions)))


def _item(item: view.Item) -> Feature:
    facts = filter(None, (item.category, *item.facts, *map(_capacity, item.capacities)))
    return Feature(
        counted_name(item), tuple(facts), (*_titled(item.text.full), *_actions(item.actions))
    )


def _capacity(capacity: view.SheetCapacity) -> str:
    return f"{capacity.label} {capacity.left}/{capacity.max * capacity.pieces}"


def _entry(entry: view.Entry) -> Feature:
    return Feature(entry.name, (), (*_titled(entry.text.full), *_actions(entry.actions)))


def _actions(actions: Iterable[view.SheetAction]) -> Iterator[tuple[str, Prose]]:
    """Yield what each action does, after its name, timing and terms."""
    for action in actions:
        terms = [action.name, action.label, *(chip.text for chip in action.chips)]
        title = " · ".join(dict.fromkeys(map(plain, filter(None, (*terms, *action.unmet)))))
        yield title, (*action.trigger, *action.text.full)


def _story(part: view.StoryPart) -> Feature:
    return Feature(part.label, (), tuple((answer.name, answer.text) for answer in part.answers))


def _list(one: view.ViewList) -> Feature:
    rows = (" · ".join(filter(None, (row.name, *(c.text for c in row.cells), row.note)))
            for row in one.rows)  # fmt: skip
    return Feature(one.label, tuple(rows))


def _chart(chart: view.SheetChart) -> Feature:
    return Feature(chart.label, tuple(map(partial(_row, chart), chart.rows)), _titled(chart.text))


def _row(chart: view.SheetChart, row: view.SheetChartRow) -> str:
    cells = zip(chart.columns, row.cells, strict=True)
    return f"{row.heading}: " + ", ".join(f"{column} {cell}".strip() for column, cell in cells)
