"""A character for Roll20: attributes and macros, as the VTT Enhancement Suite imports them.

The file has the structure of that extension's character files, version 3. An attribute has a name,
a current value and a maximum, and a macro is an *ability*; both are what Roll20's Mod API
(``createObj``) documents. Macros use the default roll template, which every game has.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from charforge.export import tabletop
from charforge.export.tabletop import Actor, TabletopRoll, TabletopText, UniqueNames
from charforge.language import _
from charforge.replay.replay import Character, Problem
from charforge.sheet import phrases
from charforge.sheet.build import build

ID_ALPHABET = "-" + string.digits + string.ascii_uppercase + "_" + string.ascii_lowercase
# Characters that Roll20's chat acts on.
CHAT_CHARACTERS = re.compile(r"[&@%#?{}\[\]|=<>\"'*~`$\\/!]")


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the file as JSON."""
    sheet = build(character)
    figures = tabletop.actors(sheet, problems)
    names, macro_names = UniqueNames(), UniqueNames()
    attributes: list[dict[str, Any]] = []
    abilities: list[dict[str, Any]] = []
    for figure in figures:
        attributes += _attributes(figure, names)
        for roll in figure.rolls:
            bonus = names.new(f"{figure.named(roll.label)} bonus") if roll.bonus else ""
            if bonus:
                attributes.append(_attribute(bonus, roll.bonus))
            action = _roll_action(figure.named(roll.label), roll, bonus)
            abilities.append(_ability(macro_names.new(figure.named(roll.label)), action, True))
        for text in _of_kind(figure, "card"):
            name = macro_names.new(figure.named(text.label))
            action = _template(figure.named(text.label), [(text.group, chat_text(text.line))])
            abilities.append(_ability(name, action, False))
    data = {
        "schema_version": 3,
        "type": "character",
        "character": {
            "oldId": "",
            "name": tabletop.without_tags(phrases.keyboard(sheet.name)),
            "avatar": "",
            "bio": "".join(map(_bio, _of_kind(figures[0], "story"))),
            "gmnotes": "",
            "defaulttoken": "",
            "tags": "[]",
            "controlledby": "",
            "inplayerjournals": "",
            "attribs": attributes,
            "abilities": [{**ability, "order": n} for n, ability in enumerate(abilities)],
        },
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def chat_text(text: str) -> str:
    """Return a text in which no character has a special meaning in Roll20's chat."""
    return CHAT_CHARACTERS.sub(lambda match: f"&#{ord(match[0])};", phrases.keyboard(text))


def _of_kind(figure: Actor, kind: str) -> Iterator[TabletopText]:
    return (text for text in figure.texts if text.kind == kind)


def _attributes(figure: Actor, names: UniqueNames) -> Iterator[dict[str, Any]]:
    """Yield the numbers and short texts of a figure."""
    for number in (*figure.scores, *figure.vitals, *figure.numbers):
        yield _attribute(names.new(figure.named(number.label)), number.now, number.most)
    for text in _of_kind(figure, "fact"):
        yield _attribute(names.new(f"{figure.named(text.label)} text"), text.line)


def _attribute(name: str, current: int | str, most: int | None = None) -> dict[str, Any]:
    return {
        "name": name,
        "current": tabletop.without_tags(str(current)),
        "max": "" if most is None else str(most),
        "id": tabletop.derived_id(ID_ALPHABET, 20, name),
    }


def _ability(name: str, action: str, is_token_action: bool) -> dict[str, Any]:
    return {"name": name, "description": "", "istokenaction": is_token_action, "action": action}


def _roll_action(label: str, roll: TabletopRoll, bonus: str) -> str:
    """Return the macro of a roll; it reads the bonus from its attribute."""
    added = f" + @{{{bonus}}}" if bonus else ""
    rows = [(_("Roll"), f"[[{roll.dice}{added}]]"), (_("About"), chat_text(roll.about))]
    return _template(label, rows)


def _template(name: str, rows: Iterable[tuple[str, str]]) -> str:
    shown = "".join(f" {{{{{chat_text(label)}={text}}}}}" for label, text in rows if text)
    return f"&{{template:default}} {{{{name={chat_text(name)}}}}}{shown}"


def _bio(text: TabletopText) -> str:
    """Return a part of the story as HTML."""
    heading = phrases.join_parts((text.group, text.label))
    return f"<h4>{escape(heading, quote=False)}</h4>{text.html}"
