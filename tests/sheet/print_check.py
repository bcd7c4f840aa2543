"""The print check: whatever may be wrong with a made PDF, found by reading it back.

What was to be printed comes from the view, what is printed from the PDF
itself (PDFium gives each sign with the box of its ink, in the order of
drawing), and what was clipped or cut from WeasyPrint's boxes, for a word
that its own box hides is still a word of the PDF.

Not found: words in the colour of their ground, and the same word drawn
twice in the same place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from charforge.expressions.markup import Block
from charforge.sheet import deck, foot, panels, scales, short, view as shown
from charforge.sheet.print_options import Look
from charforge.sheet.view import SheetView
from tests.sheet.print_boxes import misplaced
from tests.sheet.printed import SLACK, Finding, Page, Printed, Rect

MARGIN = 10 * 72 / 25.4
LEAST, LEAST_LARGE = 7.0, 14.0
OVERHANG = 2.0  # the same for marks, which may be wider than their letter
PLACEHOLDER = re.compile(
    r"\{\{|\{%|\{[^{}]+\}|\$\{?\w+|\b(?:None|undefined|Undefined|NaN|nan|Markup)\b|\[object"
)

# What of a view stands on no paper, or in no words: ids, counts that are drawn, words for the
# style sheet, labels that another field repeats.
UNPRINTED = {
    (shown.SheetView, "look"), (shown.SheetView, "levels"), (shown.Headline, "facts"),
    (shown.Headline, "kind"),
    (shown.SheetView, "attributes_label"), (shown.StoryPart, "section"), (shown.Card, "label"),
    (shown.SheetView, "tracks"), (shown.SheetView, "trackers"), (shown.SheetView, "lists"),
    (shown.SheetView, "pools"), (shown.SheetView, "plate"), (shown.UnitPanel, "tracks"),
    (shown.UnitPanel, "trackers"), (shown.UnitPanel, "pools"), (shown.ViewList, "label"),
    (shown.ViewList, "lines"), (shown.SheetPoolDie, "label"), (shown.SheetPoolDie, "number"),
    (shown.SheetPoolDie, "shape"), (shown.SheetPoolDie, "tone"),
    (shown.SheetDie, "shape"), (shown.SheetDie, "tone"),
    (shown.SheetDie, "faces"), (panels.Panels, "more"),
    (shown.Attribute, "key"), (shown.Attribute, "base"), (shown.SheetVital, "icon"),
    (shown.SheetVital, "current"), (shown.SheetVital, "shared"),
    (shown.SheetVital, "half"), (shown.SheetVital, "max"),
    (shown.SheetCapacity, "max"), (shown.SheetCapacity, "pieces"), (shown.SheetCapacity, "used"),
    (shown.Chip, "kind"), (shown.Chip, "box"),
    (shown.SheetAction, "timing"), (shown.AttackLine, "same_bearer"), (shown.Card, "timing"),
    (shown.Item, "quantity"), (shown.Item, "label"), (shown.StoryPart, "form"),
    (shown.SheetView, "empty_slots"), (shown.UnitPanel, "empty_slots"),
    (short.ShortRow, "timing"), (short.ShortRow, "again"), (foot.Box, "now"),
    (foot.Corner, "lines"), (short.ShortSheet, "blank"),
    (deck.Slip, "timing"), (deck.Slip, "number"), (deck.Slip, "total"),
}  # fmt: skip

# What of a view each layout prints.
PARTS: dict[str, Callable[[SheetView, Look], Any]] = {
    "full": lambda view, look: (
        view, panels.panels(view, look), [panels.of_unit(unit, look) for unit in view.units]
    ),
    "reference": lambda view, look: (
        view.charts, view.dice, view.conditions, view.actions, view.reference, view.table_rules
    ),
    "short": lambda view, look: (
        view.name, [(one.name, one.summary) for one in view.headline], view.level,
        view.vitals, view.attributes, view.unlisted_figures, view.problems[: look.most_problems],
        panels.panels(view, look), view.dice,
        view.allowed[: look.most_problems],
        short.short_sheet(view, look),
    ),
    "cards": lambda view, look: deck.deal(view, look),
}  # fmt: skip


def check(made: Printed, view: SheetView, look: Look) -> list[Finding]:
    """Return every fault of a PDF that was made of a view."""
    wanted = texts(PARTS[look.layout](view, look))
    own = [view.name, *(text for part in view.story for text in texts(part.answers))]
    found = {*faults(made, wanted, own, LEAST_LARGE if look.large else LEAST)}
    if look.layout == "short" and len(made.pages) > (2 if look.large else 1):
        found.add(Finding(0, "too many pages", str(len(made.pages))))
    return sorted(found)


def faults(
    made: Printed, wanted: Iterable[str], own: Iterable[str] = (), least: float = LEAST
) -> Iterator[Finding]:
    """Yield every fault; ``own`` are a player's words, who may write what we may not."""
    yield from _unprinted(made.pages, wanted)
    for number, page in enumerate(made.pages, 1):
        yield from _outside(number, page, SLACK * least / LEAST)
        yield from _overlapping(number, page)
    yield from _placeholders(made.pages, own)
    yield from misplaced(made.boxes, least)
    yield from (Finding(0, "warning", text) for text in made.warnings)
    yield from (Finding(0, "missing glyph", sign) for sign in made.missing_glyphs)


# ------------------------------------------------------------------ every word


def texts(part: Any) -> Iterator[str]:
    """Yield every text that a part of a view has printed."""
    if isinstance(part, Block):
        yield "".join(span.text for span in part.spans)
    elif isinstance(part, str):
        yield part
    elif isinstance(part, int) and not isinstance(part, bool):
        yield str(part)
    elif isinstance(part, tuple | list):
        part = _said_once(part)
        names = getattr(part, "_fields", ("",) * len(part))
        for name, inner in zip(names, part, strict=True):
            if name != "id" and (type(part), name) not in UNPRINTED:
                yield from texts(inner)


def _said_once(part: Any) -> Any:
    """Return a part of a view without what it says again, and a page once."""
    if isinstance(part, SheetView):
        return part._replace(
            cards_label=part.cards_label if part.cards else "",
            actions_label=part.actions_label if part.actions else "",
            items_label=part.items_label
            if part.has_equipment or part.units or part.unlisted_stores
            else "",
            level_label=part.level_label if part.levels > 1 else "",
            level=part.level if part.levels > 1 else "",
            units=part.units if part.levels > 1 else [one._replace(level="") for one in part.units],
            items=part.unlisted_items,
            figures=part.unlisted_figures,
            stores=part.unlisted_stores,
        )
    if isinstance(part, shown.UnitPanel) and part.trackers:
        return part._replace(figures=tuple(one for one in part.figures if not one.listed))
    if isinstance(part, shown.Attribute) and part.name == part.label:
        return part._replace(name="")
    if isinstance(part, shown.Tracker):
        return _tracker(part)
    if isinstance(part, shown.AttackLine) and part.same_bearer:
        return part._replace(bearer="")
    if isinstance(part, shown.Card):
        return part._replace(actions=tuple(_unnamed(one, part.name) for one in part.actions))
    if isinstance(part, deck.Slip):
        return part._replace(pieces=tuple(_head(piece, part.name) for piece in part.pieces))
    if isinstance(part, short.ShortSheet | foot.Corner):
        counts = [name for name in part._fields if name.startswith("more")]
        return part._replace(**{name: getattr(part, name) or "" for name in counts})
    return part


def _tracker(part: shown.Tracker) -> tuple[Any, ...]:
    """Return what is printed of a tracker: its places, or its label and what it does."""
    if part.steps or part.low < 0:
        places = [(_number(s.number), s.label, s.text) for s in scales.steps(part)]
        return part.heading, part.note, *places
    if part.high is None:
        return part.label, _number(part.current)
    return part.label, part.note


def _number(number: int) -> str:
    return str(number).replace("-", "\N{MINUS SIGN}")


def _unnamed(action: shown.SheetAction, name: str) -> shown.SheetAction:
    """Return an action without its name where that is its bearer's."""
    return action._replace(name="") if action.name == name else action


def _head(piece: deck.Piece, name: str) -> deck.Piece:
    """Return a piece of a card without what other pieces of it say."""
    if piece.attack:
        return deck.Piece(attack=piece.attack._replace(bearer="", text=(), capacities=()))
    if piece.action:
        action = _unnamed(piece.action, name)
        return deck.Piece(action=action._replace(who="", trigger=(), text=(), unmet=()))
    return piece


def normal(text: str) -> str:
    """Return a text as it can be compared: its letters and signs, in one form and case.

    Spaces and invisible signs are dropped, ligatures resolved, and marks on
    letters dropped, for a PDF may give those in another order.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(
        sign
        for sign in plain
        if not sign.isspace() and unicodedata.category(sign) not in ("Cf", "Cc", "Co", "Cn", "Mn")
    )


def _unprinted(pages: Iterable[Page], wanted: Iterable[str]) -> Iterator[Finding]:
    """Yield the texts that are not on the pages, each as often as it is wanted.

    Beside letters that run from right to left the order of words is a matter
    of taste, and numbers change sides; there the words are looked for one by one.
    """
    texts = sorted(wanted, key=lambda text: -len(normal(text)))
    streams = [_Stream(page) for page in pages]
    whole = "".join(stream.text for stream in streams)
    mixed = any(unicodedata.bidirectional(sign) in ("R", "AL") for text in texts for sign in text)
    for text in texts:
        if not _taken(text, streams):
            words = map(normal, re.split(r"[\s:.,·()]+", text))
            if not mixed or not all(word in whole for word in words):
                yield Finding(0, "missing", text)


def _taken(text: str, streams: list[_Stream]) -> bool:
    """Take a text off the pages, if it is there or goes on from one to the next.

    It is one word sooner than several: a figure is not made of two cells beside each other.
    """
    plain = normal(text)
    if any(stream.take(plain, one=True) for stream in streams):
        return True
    return any(stream.take(plain) for stream in streams) or _continued(text, streams)


class _Stream:
    """The text of a page in the order of drawing, from which what is found is taken."""

    def __init__(self, page: Page) -> None:
        parts = [normal(word.text) for word in page.words]
        self.text = "".join(parts)
        self.edges, place = {0}, 0
        for part in parts:
            place += len(part)
            self.edges.add(place)

    def find(self, text: str, one: bool = False) -> int:
        """Return where a text stands in whole words, or -1; ``one`` alone, if asked for."""
        place = self.text.find(text)
        while place >= 0:
            end = place + len(text)
            parted = one and not self.edges.isdisjoint(range(place + 1, end))
            if self._edge(place) and self._edge(end) and not parted:
                return place
            place = self.text.find(text, place + 1)
        return -1

    def take(self, text: str, one: bool = False) -> bool:
        """Take a text off the page, if it is there."""
        place = self.find(text, one)
        if place >= 0:
            end = place + len(text)
            self.text = f"{self.text[:place]}{chr(0) * len(text)}{self.text[end:]}"
        return place >= 0

    def _edge(self, place: int) -> bool:
        """Whether a word begins or ends here, or a sign such as a bracket."""
        around = self.text[max(place - 1, 0) : place + 1]
        return place in self.edges or not around.isalnum()


def _continued(text: str, streams: list[_Stream]) -> bool:
    """Whether a text goes on from page to page; not taken, for its ends may stand elsewhere."""
    left = text.split()
    for stream in streams:
        low, high = 0, len(left)
        while low < high:
            half = (low + high + 1) // 2
            if stream.find(normal("".join(left[:half]))) >= 0:
                low = half
            else:
                high = half - 1
        left = left[low:]
    return not left


# ------------------------------------------------------------------ where words lie


def _outside(number: int, page: Page, slack: float) -> Iterator[Finding]:
    """Find words in the margins; letters twice as large have twice the overhang."""
    paper = page.paper
    live = Rect(MARGIN, MARGIN, paper.right - MARGIN, paper.bottom - MARGIN)
    for word in page.words:
        if word.rect.past(live) > (OVERHANG if _marked(word.text) else slack):
            yield Finding(number, "margin", word.text)


def _overlapping(number: int, page: Page) -> Iterator[Finding]:
    """Find words on each other; a mark may reach into the next piece of its own word."""
    words = sorted(enumerate(page.words), key=lambda drawn: drawn[1].rect.top)
    for rank, (place, word) in enumerate(words):
        for beside, other in words[rank + 1 :]:
            if other.rect.top > word.rect.bottom:
                break
            piece = abs(place - beside) == 1 and _marked(word.text + other.text)
            if word.rect.shared(other.rect) > SLACK and not piece:
                yield Finding(number, "overlap", f"{word.text} | {other.text}")


def _marked(text: str) -> bool:
    return any(map(unicodedata.combining, text))


def _placeholders(pages: Iterable[Page], own: Iterable[str]) -> Iterator[Finding]:
    text = " ".join(word.text for page in pages for word in page.words)
    for found in {*PLACEHOLDER.findall(text)} - {*PLACEHOLDER.findall(" ".join(own))}:
        yield Finding(0, "placeholder", found)
