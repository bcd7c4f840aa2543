"""Filters for templates that write text: escaping, joining and wrapping, and messages to Discord.

A name or a text of a player is only that in every format: what would be markup is escaped. On paper
some spaces do not break; all of these filters write the spaces of a keyboard.

A message to Discord is the body of a webhook or of a bot's message, as Discord documents it: at
most ten embeds, 25 fields each, and 6,000 characters in all embeds together. A list that is longer
than a field may be continues in another one. What does not fit is left out, and the footer says so;
nobody is pinged by a name that looks like a mention.
"""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from math import ceil
from typing import Any

from charforge.expressions.template import Block, Prose, Span, number_text
from charforge.language import N_, _
from charforge.sheet import phrases

TITLE, FIELD_NAME, FIELD_VALUE = 256, 256, 1024  # characters at most
FIELDS, EMBEDS = 25, 10
TOTAL = 6000  # characters in the titles, descriptions, fields and footers of all embeds
MORE = "…"
FOOTER = 200  # less than Discord allows: it is only the name of the game
SHORTENED = N_(" · shortened …")
MARKDOWN_CHARACTERS = re.compile(r"[\\*_~`|<>\[\]()#]")  # characters of Discord's Markdown
EMBED, FIELD = "# ", "## "  # how a line begins that starts one


def discord(text: str) -> str:
    """Return a text as one line in which no character has a special meaning in Discord."""
    return MARKDOWN_CHARACTERS.sub(lambda match: f"\\{match[0]}", phrases.plain(text))


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


COLUMNS = 80  # of a terminal or chat
BLANK_LINES = re.compile(r"\n{3,}")


def joined(parts: Iterable[Any], separator: str = phrases.DOT) -> str:
    """Return the parts that are not empty, joined; lists in the list count as their parts."""
    return phrases.join_parts(_flat(parts), separator)


def _flat(parts: Iterable[Any]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str | int):
            yield str(part)
        else:
            yield from _flat(part)


def one_line(text: str | Prose) -> str:
    """Return a text as one line; the items of a list are separated by semicolons."""
    return phrases.plain_line(text) if isinstance(text, tuple) else phrases.plain(str(text))


def sentences(parts: Iterable[str]) -> str:
    """Return parts as sentences, each with a full stop if it has no other end."""
    ended = (part if part.endswith((".", "!", "?", ":")) else f"{part}." for part in parts if part)
    return "".join(part if part[0] in " \n" else f" {part}" for part in ended).strip()


def tidy(text: str) -> str:
    """Return a text with at most one blank line between its parts, and none around it."""
    return BLANK_LINES.sub("\n\n", text).strip("\n") + "\n"


def longest(macro: Callable[[int], str], steps: int, most: int) -> str:
    """Return what a macro writes for the highest number that leaves it short enough.

    The macro gets a number from 0 to ``steps`` and writes more for a higher one; ``most`` are the
    characters that a message may have. What is too long even for 0 fills several messages.
    """
    numbers = range(1, steps + 1)
    messages = ceil(len(macro(0)) / max(most, 1))
    room = most * max(messages, 1)
    return macro(bisect_left(numbers, room + 1, key=lambda number: len(macro(number))))


# ------------------------------------------------------------------ columns


def text_width(text: str) -> int:
    """Return how many columns a text takes (Unicode Standard Annex 11)."""
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrapped(text: str, indent: str = "  ") -> str:
    """Return a text in lines of 80 columns, those after the first indented; long words are split.

    Wide characters count as two columns and combining ones as none, as in a terminal. An indent
    leaves at least half of a line to the text.
    """
    indent = _fitting(indent, COLUMNS // 2)
    lines, line = [], ""
    for word in phrases.plain(text).split(" "):
        longer = f"{line} {word}" if line.strip() else line + word
        if text_width(longer) > COLUMNS and line.strip():
            lines.append(line)
            longer = indent + word
        while text_width(longer) > COLUMNS:
            start = _fitting(longer, COLUMNS)
            lines.append(start)
            longer = indent + longer[len(start) :]
        line = longer
    return "\n".join((*lines, line))


def _fitting(text: str, columns: int) -> str:
    used = 0
    for place, character in enumerate(text):
        used += _columns(character)
        if used > columns:
            return text[:place]
    return text


# ------------------------------------------------------------------ Markdown

# CommonMark 2.4. Entities work inside tables and links, too. Obsidian's own markup (``#tag``,
# ``[[link]]``, ``==mark==``, ``%%comment%%``, ``$math$``) is escaped in the same way.
ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}
MARKDOWN = re.compile(r"[\\`*_\[\]#~$^=%]|[&<>|]")
STARTS = re.compile(r"^(?:([-+])|(\d+)([.)]))(?=\s|[-+]|$)")


def markdown(text: str | Prose) -> str:
    """Return a name as one line of Markdown, or a formatted text as paragraphs and lists."""
    if not isinstance(text, tuple):  # a number is a text, too
        return MARKDOWN.sub(lambda m: ENTITIES.get(m[0]) or f"\\{m[0]}", phrases.plain(str(text)))
    groups = phrases.paragraphs(text)
    return "\n\n".join("\n".join(map(_markdown_block, group)) for group in groups)


def markdown_line(text: Prose) -> str:
    """Return a formatted text as one line of Markdown, for a cell of a table."""
    return " ".join(("• " if block.listed else "") + _markdown_spans(block) for block in text)


def markdown_rest(text: Prose, indent: str = "") -> str:
    """Return a formatted text that continues a line: its lists and further paragraphs are below.

    ``indent`` are the spaces that keep them inside an item of a list.
    """
    lines = ""
    for group in phrases.paragraphs(text):
        if group[0].listed:
            lines += "".join(f"\n{indent}{_markdown_block(block)}" for block in group)
        elif lines:
            lines += f"\n\n{indent}{_markdown_block(group[0])}"
        else:
            lines = f" {_markdown_spans(group[0]).strip()}"
    return lines


def markdown_start(text: str) -> str:
    """Escape the first character of a paragraph of Markdown if it would begin a list."""
    return STARTS.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", text)


def _markdown_block(block: Block) -> str:
    text = markdown_start(_markdown_spans(block).strip())
    return f"- {text}" if block.listed else text


def _markdown_spans(block: Block) -> str:
    """Return the text of a block; markup is next to words, never to spaces."""
    return "".join(map(_markdown_span, block.spans))


def _markdown_span(span: Span) -> str:
    text = markdown(span.text)
    lead = " " if span.text[:1].isspace() else ""
    tail = " " if text and span.text[-1:].isspace() else ""
    mark = ("**" if span.bold else "") + ("*" if span.italic else "")
    return f"{lead}{mark}{text}{mark[::-1]}{tail}" if text else lead


# ------------------------------------------------------------------ YAML

# Characters that YAML 1.2 (chapter 5.1) does not allow, or that end a line.
YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


def yaml(text: str) -> str:
    """Return a text as a double-quoted scalar of YAML, the same in 1.1 and 1.2.

    Its lines stay, because a list of Markdown needs them.
    """
    lines = "\n".join(map(phrases.plain, text.split("\n")))
    quoted = json.dumps(lines, ensure_ascii=False)
    return YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


FILTERS: dict[str, Callable[..., Any]] = {
    "number": number_text,
    "joined": joined,
    "one_line": one_line,
    "sentences": sentences,
    "tidy": tidy,
    "yaml": yaml,
    "markdown": markdown,
    "markdown_line": markdown_line,
    "markdown_rest": markdown_rest,
    "markdown_start": markdown_start,
    "wrapped": wrapped,
    "words": phrases.words,
    "score_text": phrases.score_text,
    "pool_dice": phrases.pool_dice_text,
    "counted_name": phrases.counted_name,
    "fact_line": phrases.fact_line,
    "weapon_notes": phrases.weapon_notes,
    "damage_text": phrases.damage_text,
    "conditions": phrases.action_conditions,
    "digest": phrases.action_digest,
    "discord": discord,
    "discord_message": discord_message,
}

TEMPLATE_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "longest": longest,
    "rule_notes": phrases.rule_notes,
}
