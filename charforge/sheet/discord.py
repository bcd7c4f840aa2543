"""Filters for messages to Discord: escaping, and embeds within its limits.

The message is the body of a webhook or of a bot's message, as Discord documents it: at most ten
embeds, 25 fields each, and 6,000 characters in all embeds together. A list that is longer than a
field may be continues in another one. What does not fit is left out, and the footer says so; nobody
is pinged by a name that looks like a mention.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from charforge.language import N_, _
from charforge.sheet import phrases

TITLE, FIELD_NAME, FIELD_VALUE = 256, 256, 1024  # characters at most
FIELDS, EMBEDS = 25, 10
TOTAL = 6000  # characters in the titles, descriptions, fields and footers of all embeds
MORE = "…"
FOOTER = 200  # less than Discord allows: it is only the name of the game
SHORTENED = N_(" · shortened …")
SPECIAL = re.compile(r"[\\*_~`|<>\[\]()#]")  # characters of Discord's Markdown
EMBED, FIELD = "# ", "## "  # how a line begins that starts one


def discord(text: str) -> str:
    """Return a text as one line in which no character has a special meaning in Discord."""
    return SPECIAL.sub(lambda match: f"\\{match[0]}", phrases.plain(text))


def discord_message(text: str, game: str, colour: str) -> str:
    """Return the JSON of a message.

    A line of the text that begins with ``#`` is the title of an embed, which the next lines
    describe. One with ``##`` is the name of a field, whose entries are the lines below it.
    """
    embeds = list(map(_embed, _split(text, EMBED)))
    if not embeds:
        raise ValueError(_("a message for Discord needs a line that begins with #"))
    shown = list(_within_total(embeds[:EMBEDS]))
    whole = sum(len(embed["fields"]) for embed in embeds)
    shortened = "" if whole == sum(len(embed["fields"]) for embed in shown) else _(SHORTENED)
    shown[0]["footer"] = {"text": _cut(phrases.plain(game), FOOTER) + shortened}
    number = int(colour.removeprefix("#"), 16)
    message = {
        "embeds": [{**embed, "color": number} for embed in shown],
        "allowed_mentions": {"parse": []},
    }
    return json.dumps(message, ensure_ascii=False, indent=1) + "\n"


def _split(text: str, mark: str) -> list[str]:
    """Return the parts of a text that begin with a mark, without it."""
    return f"\n{text}".split(f"\n{mark}")[1:]


def _embed(text: str) -> dict[str, Any]:
    title, *about = text.partition(f"\n{FIELD}")[0].strip("\n").split("\n")
    embed: dict[str, Any] = {"title": _cut(title, TITLE)}
    if about:
        embed["description"] = _cut("\n".join(about), FIELD_VALUE)
    embed["fields"] = []
    for field in _split(text, FIELD):
        name, *entries = field.split("\n")
        values = _values(filter(None, map(str.strip, entries)))
        embed["fields"] += [{"name": _cut(name, FIELD_NAME), "value": value} for value in values]
    return embed


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


FILTERS = {"discord": discord, "discord_message": discord_message}
