"""A message for Discord: one embed for the character and one for each companion or vehicle.

The text is the body of a webhook or of a bot's message, as Discord documents it: at most ten
embeds, 25 fields each, and 6,000 characters in all embeds together. A list that is longer than a
field may be continues in another one. What does not fit is left out, and the footer says so; nobody
is pinged by a name that looks like a mention.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from charforge.export import phrases
from charforge.language import N_, _
from charforge.replay.replay import Character, Problem
from charforge.sheet import view
from charforge.sheet.build import build

TITLE, FIELD_NAME, FIELD_VALUE = 256, 256, 1024  # characters at most
FIELDS, EMBEDS = 25, 10
TOTAL = 6000  # characters in the titles, descriptions, fields and footers of all embeds
MORE = "…"
FOOTER = 200  # less than Discord allows: it is only the name of the game
SHORTENED = N_(" · shortened …")
SPECIAL = re.compile(r"[\\*_~`|<>\[\]()#]")  # characters of Discord's Markdown

Field = tuple[str, list[str]]  # a heading, and its entries


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the message as JSON."""
    sheet = build(character)
    embeds = [_embed(sheet.name, _about(sheet), _sheet_fields(sheet, problems))]
    for unit in sheet.units:
        about = phrases.join_parts((unit.kind, phrases.level_text(sheet, unit.level)))
        embeds.append(_embed(unit.name, about, _unit_fields(unit, sheet)))
    shown = list(_within_total(embeds[:EMBEDS]))
    whole = sum(len(embed["fields"]) for embed in embeds)
    shortened = "" if whole == sum(len(embed["fields"]) for embed in shown) else _(SHORTENED)
    shown[0]["footer"] = {"text": _cut(phrases.plain(sheet.ruleset), FOOTER) + shortened}
    colour = int(sheet.theme.colour.removeprefix("#"), 16)
    message = {
        "embeds": [{**embed, "color": colour} for embed in shown],
        "allowed_mentions": {"parse": []},
    }
    return json.dumps(message, ensure_ascii=False, indent=1) + "\n"


def escape(text: str) -> str:
    """Return a text as one line in which no character has a special meaning in Discord."""
    return SPECIAL.sub(lambda match: f"\\{match[0]}", phrases.plain(text))


def _about(sheet: view.SheetView) -> str:
    headline = (text for head in sheet.headline for text in (head.name, head.summary))
    return phrases.join_parts((phrases.level_text(sheet, sheet.level), *headline))


def _embed(name: str, about: str, fields: Iterable[Field]) -> dict[str, Any]:
    embed: dict[str, Any] = {"title": _cut(escape(name), TITLE)}
    if about:
        embed["description"] = _cut(escape(about), FIELD_VALUE)
    embed["fields"] = [
        {"name": _cut(escape(heading), FIELD_NAME), "value": value}
        for heading, entries in fields
        for value in _values(entries)
    ]
    return embed


def _sheet_fields(sheet: view.SheetView, problems: Sequence[Problem]) -> Iterator[Field]:
    yield sheet.attributes_label, _scores(sheet.attributes)
    yield _("Now"), _vitals(sheet.vitals, phrases.sheet_figures(sheet))
    yield _("Combat"), [*_facts(sheet.combat), *map(escape, phrases.pool_texts(sheet.pools))]
    yield _("Attacks"), list(map(_weapon, sheet.weapons))
    yield sheet.cards_label, [_card(card) for card in sheet.cards]
    for label, items in sheet.item_groups:
        yield label, [escape(phrases.item_text(item)) for item in items]
    yield _("Notes"), list(map(escape, phrases.note_texts(sheet)))
    for label, texts in phrases.rule_notes(sheet, problems).items():
        yield label, list(map(escape, texts))


def _unit_fields(unit: view.UnitPanel, sheet: view.SheetView) -> Iterator[Field]:
    yield sheet.attributes_label, _scores(unit.attributes)
    yield _("Now"), _vitals(unit.vitals, phrases.unit_figures(unit))
    yield _("Combat"), _facts(unit.combat)
    yield _("Attacks"), list(map(_weapon, unit.weapons))
    yield sheet.cards_label, [_card(card) for card in unit.cards]


def _scores(scores: Iterable[view.Attribute]) -> list[str]:
    texts = [f"**{escape(s.label)}** {escape(phrases.score_text(s))}" for s in scores]
    return [phrases.DOT.join(texts)] if texts else []


def _vitals(vitals: Iterable[view.SheetVital], facts: Iterable[view.Fact]) -> list[str]:
    line = phrases.join_parts(map(escape, map(phrases.vital_text, vitals)))
    return [text for text in (line, *_facts(facts)) if text]


def _facts(facts: Iterable[view.Fact]) -> list[str]:
    return [f"{escape(fact.label)}: {escape(fact.text)}" for fact in facts]


def _weapon(weapon: view.Weapon) -> str:
    """Return a weapon with the roll, range, damage and limits of each of its attacks."""
    attacks = []
    for attack in weapon.attacks:
        damage = phrases.join_parts((phrases.damage_text(attack), attack.types), " ")
        parts = (attack.name, attack.roll_line, attack.range, damage)
        attacks.append(escape(phrases.join_parts((*parts, *phrases.attack_notes(attack)), ", ")))
    return f"**{escape(weapon.name)}** {'; '.join(filter(None, attacks))}".strip()


def _card(card: view.Card) -> str:
    """Return a card as one line: its name, its digest, and its actions with their limits."""
    digest = phrases.plain_line(card.text.digest)
    text = phrases.join_parts((digest, *map(phrases.action_digest, card.actions)), " ")
    return phrases.join_parts((f"**{escape(card.name)}**", escape(text)), " ")


# ------------------------------------------------------------------ limits


def _cut(text: str, most: int) -> str:
    """Return a text of at most so many characters; a cut one ends with a mark."""
    if _length(text) <= most:
        return text
    return _start(text, most - 1).rstrip("\\ ") + MORE


def _values(entries: Iterable[str]) -> Iterator[str]:
    """Yield entries, one on each line, as many at a time as a field may have."""
    lines: list[str] = []
    for entry in (_cut(entry, FIELD_VALUE) for entry in entries):
        if lines and _length("\n".join((*lines, entry))) > FIELD_VALUE:
            yield "\n".join(lines)
            lines = []
        lines.append(entry)
    if lines:
        yield "\n".join(lines)


def _within_total(embeds: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield embeds with as many fields as all of them together may have."""
    left = TOTAL - FOOTER - len(_(SHORTENED))
    for embed in embeds:
        texts = (embed["title"], embed.get("description", ""))
        left -= sum(map(_length, texts))
        if left < 0:
            return
        fields: list[dict[str, str]] = []
        for field in embed["fields"][:FIELDS]:
            size = _length(field["name"]) + _length(field["value"])
            if size > left:
                break
            left -= size
            fields.append(field)
        yield {**embed, "fields": fields}


def _length(text: str) -> int:
    """Return the length as Discord counts it: in UTF-16 units."""
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2


def _start(text: str, most: int) -> str:
    """Return as much of a text as has at most so many units."""
    while _length(text) > most:
        text = text[: most if len(text) > most else -1]
    return text
