"""Whatever an export says of an ability, it says when it can be used and what that costs.

A format may have only the name of an ability. If it has what the ability does, or any of its
limits, then its trigger and all of its limits, costs and requirements are beside them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from html import unescape
from typing import Any

import pytest
import yaml

from charforge.export import foundry, json as json_export, roll20
from charforge.export.text_formats import write
from charforge.expressions.template import Prose
from charforge.packs import install
from charforge.packs.sources import examples
from charforge.replay.replay import Character
from charforge.rules.loading.loader import load
from charforge.sheet import phrases, view
from charforge.sheet.build import build
from tests.export.conftest import EXAMPLES, GAMES, SHAPES, made
from tests.samples import few

MARKS = re.compile(r"\\(?=\W)|\*\*|\*|<[^>]*>|\u2060")
ROOM = 160  # characters of names, labels and facts beside the limits of an ability
CARD = 400  # characters of a card without effects
BEGINNING = 40  # characters of an effect by which it is found
CHARACTERS = [
    *((game, "") for game in GAMES),
    *((name, "") for name in sorted(examples())),
    *(("capital", shape) for shape in SHAPES if shape != "hostile"),
]


def strings(data: Any) -> Iterator[str]:
    """Yield the texts in lists and maps, in order."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for inner in data.values() if isinstance(data, dict) else data:
            yield from strings(inner)


def of_json(page: str) -> str:
    return "\n".join(strings(json.loads(page)))


def of_statblock(page: str) -> str:
    blocks = re.findall(r"(?s)```statblock\n(.*?\n)```", page)
    return "\n".join("\n".join(strings(yaml.safe_load(block))) for block in blocks)


FORMATS: dict[str, tuple[Callable[[Character], str], Callable[[str], str]]] = {
    "markdown": (partial(write, "markdown"), str),
    "text": (partial(write, "text"), str),
    "statblock": (partial(write, "statblock"), of_statblock),
    "discord": (partial(write, "discord"), of_json),
    "foundry": (foundry.write, of_json),
    "roll20": (roll20.write, of_json),
}


def plain(page: str) -> str:
    """Return an export or a text without markup and line breaks, with the signs of a keyboard."""
    return phrases.keyboard(MARKS.sub("", unescape(page)))


def abilities(sheet: view.SheetView) -> Iterator[tuple[str, view.SheetAction]]:
    """Yield every action with the name of what has it."""
    for holder in (sheet, *sheet.units):
        for card in holder.cards:
            yield from ((card.name, action) for action in card.actions)
    for item in sheet.items:
        yield from ((item.name, action) for action in item.actions)
    for entry in (*sheet.actions, *sheet.conditions, *sheet.reference):
        yield from ((entry.name, action) for action in entry.actions)


def left_out(page: str, sheet: view.SheetView) -> Iterator[str]:
    """Yield the abilities of which an export says something, but not all that limits them.

    Every effect in it is that of an action whose limits are all before it; without an effect,
    either all limits are behind the name or none.
    """
    said = plain(page)
    by_effect: dict[str, list[tuple[str, list[str]]]] = {}
    for name, action in abilities(sheet):
        limits = list(filter(None, map(plain, _limits(action))))
        effects = {beginning(action.text.full), beginning(action.text.digest)} - {""}
        for effect in effects:
            by_effect.setdefault(effect, []).append((f"{name} {action.name}".strip(), limits))
        start = max(said.find(f"{plain(name)}{sign}") for sign in (" (", ":"))
        if start >= 0 and not any(effect in said for effect in effects):
            head = said.find(plain(f"{action.label} {action.name}"), start, start + CARD)
            after = said[head : head + sum(map(len, limits)) + ROOM] if head >= 0 else ""
            found = [limit for limit in limits if limit in after]
            if found and len(found) < len(limits):
                yield f"{name} {action.name}: only {', '.join(found)}"
    elsewhere = "\n".join(map(plain, _other_texts(sheet)))
    for effect, actions in by_effect.items():
        for match in () if effect in elsewhere else re.finditer(re.escape(effect), said):
            if not any(_is_limited(said, match.start(), limits) for _name, limits in actions):
                yield f"{actions[0][0]}: {', '.join(actions[0][1])}"


def _other_texts(sheet: view.SheetView) -> Iterator[str]:
    """Yield the texts of rules and tables, which may have the words of an effect, too."""
    for chart in sheet.charts:
        yield from (cell for row in chart.rows for cell in row.cells)
    for entry in (*sheet.actions, *sheet.conditions, *sheet.reference):
        yield phrases.plain_line(entry.text.full)


def _limits(action: view.SheetAction) -> Iterator[str]:
    yield from phrases.action_conditions(action)
    yield phrases.plain_line(action.trigger)


def _is_limited(said: str, place: int, limits: list[str]) -> bool:
    """Whether some limits are all in the text before a place."""
    before = said[max(place - sum(map(len, limits)) - ROOM, 0) : place]
    return all(limit in before for limit in limits)


def beginning(prose: Prose) -> str:
    """Return how a text begins."""
    return plain(phrases.plain_line(prose[:1]))[:BEGINNING]


def attacks_left_out(page: str, sheet: view.SheetView) -> Iterator[str]:
    """Yield the attacks of which an export has the damage, but not what they cost and need."""
    said = plain(page)
    for holder in (sheet, *sheet.units):
        for weapon in holder.weapons:
            for attack in weapon.attacks:
                notes = list(map(plain, phrases.attack_notes(attack)))
                if plain(attack.damage) in said:
                    missing = [note for note in notes if note not in said]
                    if missing:
                        yield f"{weapon.name} {attack.name}: {', '.join(missing)}"


def character(game: str, shape: str) -> Character:
    ruleset = load(game) if game in GAMES else install.load_checked(EXAMPLES / game).ruleset
    level = ruleset.head.advancement.maximum if shape else min(3, ruleset.head.advancement.maximum)
    return made(ruleset, level=level, **(SHAPES[shape] if shape else {}))


@pytest.mark.parametrize(
    ("game", "shape"), few([pytest.param(*one) for one in CHARACTERS], 6, slow=12)
)
def test_no_export_leaves_out_the_limits_of_an_ability(game: str, shape: str) -> None:
    found = character(game, shape)
    sheet = build(found)
    missing = {
        name: lines
        for name, (write, read) in FORMATS.items()
        if (page := read(write(found)))
        and (lines := [*left_out(page, sheet), *attacks_left_out(page, sheet)])
    }
    assert missing == {}


def actions_of_json(data: Any) -> Iterator[str]:
    """Yield the texts of each action in the JSON of a sheet."""
    if isinstance(data, dict) and "timing" in data:
        yield plain("\n".join(strings(data)))
    elif isinstance(data, dict | list):
        for inner in data.values() if isinstance(data, dict) else data:
            yield from actions_of_json(inner)


@pytest.mark.parametrize(
    ("game", "shape"), few([pytest.param(*one) for one in CHARACTERS], 3, slow=10)
)
def test_an_action_in_json_has_its_effect_and_its_limits_together(game: str, shape: str) -> None:
    found = character(game, shape)
    listed = [*actions_of_json(json.loads(json_export.write(found)))]
    for name, action in abilities(build(found)):
        parts = [beginning(action.text.full), *map(plain, _limits(action))]
        whole = [part.replace("\N{MINUS SIGN}", "-") for part in parts]
        assert any(all(part in one for part in whole) for one in listed), (name, parts)
