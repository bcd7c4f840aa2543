"""Markdown export: everything on the sheet, and no active content."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from markdown_it import MarkdownIt

from charforge.export.text_formats import write
from charforge.expressions.template import Block
from charforge.replay.replay import Problem
from charforge.sheet import phrases
from charforge.sheet.build import build
from charforge.sheet.text_filters import markdown
from charforge.sheet.view import Attribute

RENDER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# What the view has for looks, order and cross-reference alone.
LOOKS = {"id", "icon", "theme", "timing", "kind", "form", "section", "summary", "plate", "under"}
LOOKS |= {"weapons", "check", "short", "statblock"}  # attacks, dice and texts once more
LOOKS |= {"tracker_key", "tracker_keys", "worn_keys", "value"}
ALLOWED = {
    "h1", "h2", "h3", "p", "ul", "li", "strong", "em", "blockquote", "table", "thead", "tbody",
    "tr", "th", "td",
}  # fmt: skip


def printed(text: str) -> str:
    """Return what a reader of the notes sees, in one line."""
    html = RENDER.render(text)
    return phrases.plain(unescape(re.sub(r"<[^>]+>", " ", re.sub(r"</?(em|strong)>", "", html))))


def texts(part: Any, place: str = "") -> list[str]:
    """Return every text and number of a view, as it is typed."""
    if isinstance(part, Block):
        return [phrases.plain("".join(span.text for span in part.spans))]
    if isinstance(part, tuple):
        names = getattr(part, "_fields", (place,) * len(part))
        return [
            text
            for name, inner in zip(names, part, strict=True)
            if name not in LOOKS and (type(part), name) != (Attribute, "name")
            for text in texts(inner, name)
        ]
    if isinstance(part, bool) or part is None or part == "":
        return []
    return [phrases.plain(str(part))]


def test_everything_of_the_sheet_is_in_the_notes(character):
    shown = build(character)
    notes = printed(write("markdown", character))
    missing = [text for text in texts(shown) if text not in notes]
    # Headings of what the view leaves empty, and figures that stand in words of their own.
    known = {shown.actions_label, shown.cards_label, str(shown.levels)}
    known |= {part.label for part in shown.story if not part.answers}
    known |= set(texts(shown.primer))  # the first steps at a table, for paper alone
    assert [text for text in missing if text not in known] == []
    assert len(texts(shown)) > 300


def test_no_word_of_a_player_becomes_markup(character):
    html = RENDER.render(write("markdown", character))
    assert set(re.findall(r"</?([a-z0-9]+)", html)) <= ALLOWED
    assert "<!--" not in html


def test_a_hostile_name_is_one_heading_with_each_of_its_signs(hostile):
    html = RENDER.render(write("markdown", hostile))
    (title,) = re.findall(r"<h1>(.*)</h1>", html)
    assert unescape(title) == hostile.name
    assert html.count("<h1>") == 1


def test_own_words_keep_their_lines_and_make_no_list(hostile):
    html = RENDER.render(write("markdown", hostile))
    for line in ("# No heading", "- no list", "1. none", "> no quote", "---", "+ none", "no code"):
        assert f"<p>{line.replace('>', '&gt;')}</p>" in html
    assert "<p>@all #tag [[link]]</p>" in html


def test_every_row_of_a_table_has_its_cells(character):
    """A row with a cell too many or too few would be cut or moved by a reader."""
    html = RENDER.render(write("markdown", character))
    tables = re.findall(r"<table>.*?</table>", html, re.DOTALL)
    assert len(tables) >= 3
    for table in tables:
        rows = re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
        assert len({len(re.findall(r"<t[hd][ >]", row)) for row in rows}) == 1


def test_table_rules_and_problems_are_told(hostile):
    notes = printed(write("markdown", hostile, (Problem("broken", "money", "10 is <not> enough"),)))
    assert "When does an effect come off Cooldown X+? A roll of X or less ends it" in notes
    assert "This character breaks the rules: money: 10 is <not> enough" in notes


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("Nix", "Nix"),
        ("a*b", "a\\*b"),
        ("a|b", "a&#124;b"),
        ("<script>", "&lt;script&gt;"),
        ("two\nlines", "two lines"),
        ("100%", "100\\%"),
        ("1\N{NO-BREAK SPACE}\N{MINUS SIGN}\N{NO-BREAK SPACE}2", "1 \N{MINUS SIGN} 2"),
    ],
)
def test_escape(text, escaped):
    assert markdown(text) == escaped
    assert RENDER.renderInline(escaped) == RENDER.renderInline(markdown(text))


def test_the_lists_of_a_rule_stay_lists(make):
    """A keyword with a list is an item whose list is nested in it."""
    notes = write("markdown", make(role="role/the-scout"))
    begin = notes.index("- **Dying**: At 0 HP")
    rule = notes[begin : notes.index("\n- **", begin)]
    assert "\n  - You are Prone and cannot get up.\n  - " in rule
    html = RENDER.render(rule)
    assert html.count("<ul>") > 2
    assert "\u2022" not in notes


def test_what_a_pack_puts_before_a_figure_is_plain_text(flooded, diver):
    rules = flooded(("ruleset.yaml", "group: skills, before: d}", 'group: skills, before: "<b>|"}'))
    notes = write("markdown", diver(rules=rules).character)
    assert "<b>" not in notes
    assert "&lt;b&gt;&#124;8" in notes
