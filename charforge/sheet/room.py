"""Room on the first page: whether the first steps of the game fit below the conditions.

An estimate, because the page is laid out once: what does not fit would move abilities to another
page. Lengths are millimetres.
"""

from __future__ import annotations

import math

from charforge.sheet.build import view_texts
from charforge.sheet.print_options import Look
from charforge.sheet.view import Card, SheetView

HEAD = 140.0  # name, vitals, attributes, conditions, the primer, headings
ROW = 11.0  # of an attack
LEAST_ROWS = 4
CARD, LINE, LETTERS = 11.0, 4.1, 58  # of an ability: its frame, a line, and the letters in one


def primer_fits(view: SheetView, look: Look) -> bool:
    """Whether there is room for the primer above the attacks and abilities of the first page."""
    if look.large or look.blank or look.is_wide or view.trackers:
        return False
    rows = sum(1 + len(weapon.further_rows) for weapon in view.weapons)
    heights = [*map(_card_height, view.cards)]
    highest = max(heights, default=0.0)  # columns are uneven by half of a card
    cards = (sum(heights) + highest) / look.columns
    return HEAD + ROW * max(rows, LEAST_ROWS) + cards <= look.page.height


def _card_height(card: Card) -> float:
    texts = [card.text.full, *((action.trigger, action.text.full) for action in card.actions)]
    lines = sum(math.ceil(len(text) / LETTERS) for text in view_texts(texts))
    return CARD + LINE * lines
