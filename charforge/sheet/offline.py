"""A sheet from the summary in a character file, for when its packs are not installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from charforge.character.files.document import Document
from charforge.describe.pack_changes import entity_name, saved_values
from charforge.errors import MissingPack
from charforge.language import N_, _
from charforge.rules.loading import loader
from charforge.rules.ruleset import Ruleset
from charforge.sheet import view
from charforge.sheet.build import game_theme

HOLDINGS = N_("Holdings")


def offline_view(document: Document, error: MissingPack) -> view.SheetView:
    """Return the view of a character's saved summary: names, values and holdings.

    Its only problem is the missing pack (``error``). Labels come from the ruleset if that is
    installed. A summary has no texts and attacks.
    """
    ruleset = loader.load(document.ruleset) if document.ruleset in loader.available() else None
    summary = document.character
    group = ruleset.head.sheet.attributes if ruleset is not None else ""
    attributes = ruleset.group(group) if ruleset is not None else ()
    values = saved_values(summary.get("values"))
    shown = view.SheetView(
        name=document.name,
        ruleset=document.ruleset,
        level_label=_("Level"),
        level=document.level,
        levels=document.level,  # of a game without levels nothing is known but level 1
        attributes=tuple(_attribute(ruleset, n, values[n]) for n in attributes if n in values),
        figures=tuple(_fact(ruleset, n, values[n]) for n in values if n not in attributes),
        items_label=_(HOLDINGS),
        items=tuple(_items(summary.get("holdings"), ruleset)),
        units=tuple(_units(summary.get("units"), ruleset)),
        problems=(_("as last saved: {reason}").format(reason=error.reason),),
    )
    if ruleset is None:
        return shown
    return shown._replace(
        ruleset=ruleset.head.name,
        level_label=ruleset.head.advancement.label,
        level=ruleset.head.advancement.number(document.level),
        levels=ruleset.head.advancement.maximum,
        theme=game_theme(ruleset),
        attributes_label=ruleset.head.groups.get(group, ""),
    )


def _attribute(ruleset: Ruleset | None, name: str, number: int) -> view.Attribute:
    label = _label(ruleset, name)
    return view.Attribute(name, label, label, number, number, False)


def _fact(ruleset: Ruleset | None, name: str, number: int) -> view.Fact:
    return view.Fact(_label(ruleset, name), str(number))


def _label(ruleset: Ruleset | None, name: str) -> str:
    """Return the label of a value; made from its id if the ruleset is not installed."""
    value = ruleset.values.get(name) if ruleset is not None else None
    return name.replace("_", " ").capitalize() if value is None else value.label


def _items(holdings: Any, ruleset: Ruleset | None) -> Iterator[view.Item]:
    """Yield the holdings of a summary, saved as ``kind/slug`` or ``kind/slug × 3``."""
    for text in holdings if isinstance(holdings, list) else ():
        name, _sign, number = str(text).partition(" × ")
        quantity = int(number) if number.isdecimal() else 1
        label, text = entity_name(name, ruleset), view.RulesText()
        yield view.Item(label, quantity, "", (), text, (), (), _(HOLDINGS))


def _units(units: Any, ruleset: Ruleset | None) -> Iterator[view.UnitPanel]:
    """Yield the units of a summary with their values and the names of their holdings."""
    for number, unit in enumerate(units if isinstance(units, list) else ()):
        if not isinstance(unit, Mapping):
            continue
        name = entity_name(str(unit.get("id", "")), ruleset)
        level = unit.get("level")
        facts = _facts(unit.get("values"), ruleset)
        holdings = ", ".join(item.name for item in _items(unit.get("holdings"), ruleset))
        facts += [view.Fact(_(HOLDINGS), holdings)] if holdings else []
        shown_level = level if isinstance(level, int) else 1
        yield view.UnitPanel(f"unit-{number}", name, "", shown_level, figures=tuple(facts))


def _facts(values: Any, ruleset: Ruleset | None) -> list[view.Fact]:
    return [view.Fact(_label(ruleset, name), str(n)) for name, n in saved_values(values).items()]
