"""Faults that only the layout shows: words clipped, cut, covered or lost on an empty page.

A word that its own box hides is still a word of the PDF, so these are
found among WeasyPrint's boxes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from weasyprint.formatting_structure import boxes

from tests.sheet.printed import SLACK, Finding, Rect

POINTS = 72 / 96  # to a pixel of the layout


def misplaced(pages: Iterable[Any], least: float) -> Iterator[Finding]:
    """Yield every fault of a layout; no letter may be smaller than ``least`` points."""
    pages = list(pages)
    for number, page in enumerate(pages, 1):
        yield from _empty(number, page)
        yield from _hidden(number, page)
        yield from _drawn_over(number, page)
        yield from _small(number, page, least)
    yield from _cut(pages)


def _empty(number: int, page: Any) -> Iterator[Finding]:
    """Find a page that has nothing but its head and its foot."""
    for box, above in _walk(page):
        if isinstance(box, boxes.TextBox) and box.text.strip():
            foot = any(isinstance(one, boxes.MarginBox) for one in above)
            if not foot and "header" not in [one.element_tag for one in above]:
                return
    yield Finding(number, "empty page", "")


def _hidden(number: int, page: Any) -> Iterator[Finding]:
    """Find what its own box clips, and what sticks out of a box that can be seen."""
    for box, above in _walk(page):
        ink = _ink(box)
        if ink is None or any(isinstance(one, boxes.MarginBox) for one in above):
            continue
        about = box.text if isinstance(box, boxes.TextBox) else _tag(box)
        if ink.bottom > _rect(page, "content").bottom + SLACK:
            yield Finding(number, "cut", about)
        for one in above:
            if not isinstance(one, boxes.BlockContainerBox) or one.is_for_root_element:
                continue
            clips = one.style["overflow"] != "visible"
            inside = _rect(one, "padding" if clips else "border")
            if (clips or _visible(one)) and ink.past(inside) > SLACK:
                yield Finding(number, "clipped" if clips else "sticks out", about)
                break


def _drawn_over(number: int, page: Any) -> Iterator[Finding]:
    """Find words that lie on a drawing or on an empty frame such as a box to tick."""
    inked = [(box, ink) for box, _above in _walk(page) if (ink := _ink(box)) is not None]
    drawings = [(box, ink) for box, ink in inked if not isinstance(box, boxes.TextBox)]
    for box, ink in inked:
        for drawing, ground in drawings if isinstance(box, boxes.TextBox) else ():
            if ink.shared(ground) > SLACK:
                yield Finding(number, "overlap", f"{box.text} | {_tag(drawing)}")


def _small(number: int, page: Any, least: float) -> Iterator[Finding]:
    for box, _above in _walk(page):
        small = isinstance(box, boxes.TextBox) and box.style["font_size"] * POINTS < least - 0.01
        if small and box.text.strip():
            yield Finding(number, "small", box.text)


def _cut(pages: Iterable[Any]) -> Iterator[Finding]:
    """Find what asks to stay whole and would fit on a page, but stands on two."""
    heights: dict[Any, dict[int, float]] = defaultdict(dict)
    tallest = 0.0
    for number, page in enumerate(pages, 1):
        tallest = max(tallest, page.height)
        for box, above in _walk(page):
            repeated = any(getattr(one, "is_header", False) for one in above)
            if box.style["break_inside"].startswith("avoid") and not repeated:
                heights[box.element, box.element_tag][number] = _filled(box)
    for (element, tag), parts in heights.items():
        if len(parts) > 1 and sum(parts.values()) <= tallest:
            text = " ".join("".join(element.itertext()).split())
            yield Finding(min(parts), "cut", f"<{tag}> {text[:60]}")


def _filled(box: Any) -> float:
    """Return the height of what is in a box: a part of one may reach to the end of its page."""
    lines = [one for one in box.descendants() if isinstance(one, boxes.LineBox)]
    ends = [line.position_y + line.height for line in lines]
    return max(ends) - box.position_y if ends else box.border_height()


def _walk(box: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield every box in a page with those it lies in."""
    for child in box.all_children():
        yield child, above
        if hasattr(child, "children"):
            yield from _walk(child, (*above, child))


def _tag(box: Any) -> str:
    return f"<{str(box.element_tag).rpartition('}')[2]}>"


def _visible(box: Any) -> bool:
    ground = box.style["background_color"]
    return box.border_top_width > 0 or (ground != "currentcolor" and ground.alpha > 0)


def _ink(box: Any) -> Rect | None:
    """Return about where a box without boxes in it draws, if it draws anything."""
    if isinstance(box, boxes.TextBox):
        if not box.text.strip():
            return None
        size, base = box.style["font_size"], box.position_y + box.baseline
        return _points(
            box.position_x, base - 0.7 * size, box.position_x + box.width, base + 0.2 * size
        )
    framed = not box.all_children() and getattr(box, "border_top_width", 0) > 0
    return _rect(box, "border") if framed or isinstance(box, boxes.ReplacedBox) else None


def _rect(box: Any, edge: str) -> Rect:
    left, top = getattr(box, f"{edge}_box_x")(), getattr(box, f"{edge}_box_y")()
    width, height = box.width, box.height
    if edge != "content":
        width, height = getattr(box, f"{edge}_width")(), getattr(box, f"{edge}_height")()
    return _points(left, top, left + width, top + height)


def _points(*pixels: float) -> Rect:
    return Rect(*(pixel * POINTS for pixel in pixels))
